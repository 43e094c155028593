"""Three nodes of RabbitMQ on the loopback, in one cluster: each is killed and started again alone."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from engines import RabbitMQ

BALANCED = "queue_leader_locator = balanced"  #: else all queues are led by the node at which they were declared


class Cluster:
    """Of ``nodes``, all with one cookie; quorum queues stand on each of them."""

    def __init__(self, folder: Path, nodes: int = 3) -> None:
        first = RabbitMQ(folder, "node-1", None, BALANCED)
        make = partial(RabbitMQ, folder)
        with ThreadPoolExecutor() as starting:
            others = [starting.submit(make, f"node-{n}", first, BALANCED) for n in range(2, nodes + 1)]
            self.nodes = [first, *(each.result() for each in others)]

    @property
    def mqtt(self) -> list[str]:
        """Where boards connect."""
        return [f"127.0.0.1:{node.mqtt}" for node in self.nodes]

    @property
    def amqp(self) -> list[str]:
        """Where archivers connect."""
        return [f"127.0.0.1:{node.amqp}" for node in self.nodes]

    def close(self) -> None:
        """Ends all of them, in no order."""
        for node in self.nodes:
            node.kill()
