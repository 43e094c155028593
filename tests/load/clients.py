"""What a thousand sessions take of a process, by client: paho, aiomqtt, gmqtt (where it is installed), and ours.

    python -m load.clients [--sessions N] [--seconds S] [--kinds …]

Each session publishes 350 bytes at QoS 1, 2.6 times a second, as a board does that tells an event a second, and hears
four topics. A real mosquitto; one process after another; one JSON line for each. This is why the generator has a codec
of its own.
"""

import argparse
import asyncio
import contextlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiomqtt
import paho.mqtt.client as paho
from hall import Mosquitto

from load import session

EVERY_S = 1 / 2.6
PAYLOAD = b"x" * 350
TOPICS = ("cmd", "cmd/+", "replay", "status")
ARRIVE_S = 50  #: sessions a second
KINDS = ("ours", "paho", "aiomqtt", "gmqtt")

Publish = Callable[[str], Awaitable[None]]


class _Ours:
    """As a board: numbers that are not acknowledged yet."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self.on_way: set[int] = set()

    def connected(self) -> None:
        self.ready.set()

    def subscribed(self, number: int) -> None: ...
    def heard(self, topic: bytes, payload: bytes, *, retained: bool) -> None: ...
    def broken(self) -> None: ...
    def acknowledged(self, number: int) -> None:
        self.on_way.discard(number)


async def ours(stack: contextlib.AsyncExitStack, number: int, port: int) -> Publish:
    owner, base = _Ours(), f"load/{number}"
    hello = session.hello(f"load-{number}", session.V311, 15, (f"{base}/status", b"gone"))
    link = await session.connect(owner, ("127.0.0.1", port), hello, session.V311)
    stack.callback(link.leave)
    await owner.ready.wait()
    link.subscribe([f"{base}/{topic}".encode() for topic in TOPICS])

    async def publish(topic: str) -> None:
        taken, packet = link.publish(topic.encode(), PAYLOAD, retain=False)
        owner.on_way.add(taken)
        link.write(packet)

    return publish


async def with_aiomqtt(stack: contextlib.AsyncExitStack, number: int, port: int) -> Publish:
    client = aiomqtt.Client("127.0.0.1", port, identifier=f"load-{number}", protocol=aiomqtt.ProtocolVersion.V311)
    await stack.enter_async_context(client)
    await client.subscribe([(f"load/{number}/{topic}", 1) for topic in TOPICS])

    async def publish(topic: str) -> None:
        await client.publish(topic, PAYLOAD, qos=1)

    return publish


async def with_paho(stack: contextlib.AsyncExitStack, number: int, port: int) -> Publish:
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, f"load-{number}", protocol=paho.MQTTv311)
    client.connect("127.0.0.1", port)
    client.loop_start()  # a thread
    stack.callback(client.loop_stop)
    client.subscribe([(f"load/{number}/{topic}", 1) for topic in TOPICS])

    async def publish(topic: str) -> None:
        client.publish(topic, PAYLOAD, qos=1)

    return publish


async def with_gmqtt(stack: contextlib.AsyncExitStack, number: int, port: int) -> Publish:
    import gmqtt

    client = gmqtt.Client(f"load-{number}", clean_session=True)
    await client.connect("127.0.0.1", port, version=4)
    stack.push_async_callback(client.disconnect)
    for topic in TOPICS:
        client.subscribe(f"load/{number}/{topic}", qos=1)

    async def publish(topic: str) -> None:
        client.publish(topic, PAYLOAD, qos=1)

    return publish


OPEN = dict(zip(KINDS, (ours, with_paho, with_aiomqtt, with_gmqtt), strict=True))


async def run(kind: str, sessions: int, port: int, seconds: float) -> dict[str, Any]:
    """In a process of its own."""
    sent = 0

    async def tell(number: int, publish: Publish) -> None:
        nonlocal sent
        await asyncio.sleep(EVERY_S * number / sessions)
        due = time.monotonic()
        while True:
            await publish(f"load/{number}/event")
            sent += 1
            due += EVERY_S
            await asyncio.sleep(max(0, due - time.monotonic()))

    async with contextlib.AsyncExitStack() as stack:
        opened = []
        for number in range(sessions):
            opened.append(await OPEN[kind](stack, number, port))
            await asyncio.sleep(1 / ARRIVE_S)
        telling = [asyncio.create_task(tell(*each)) for each in enumerate(opened)]
        await asyncio.sleep(5)
        before, since, began = sent, time.process_time(), time.monotonic()
        await asyncio.sleep(seconds)
        used, lasted = time.process_time() - since, time.monotonic() - began
        for task in telling:
            task.cancel()
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = {"published_s": round((sent - before) / lasted), "core": round(used / lasted, 2), "mb": round(peak_mb)}
        print(json.dumps({"name": f"MQTT client: {kind}", "sessions": sessions, **told}), flush=True)
        stack.pop_all()  # the process ends, and they with it
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--port", type=int, help="used by itself")
    given = parser.parse_args()
    if given.port:
        asyncio.run(run(given.kinds[0], given.sessions, given.port, given.seconds))
        return
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder), "max_inflight_messages 0", "max_queued_messages 0")
        for kind in given.kinds:
            mine = ["--port", str(broker.port), "--sessions", str(given.sessions), "--seconds", str(given.seconds)]
            subprocess.run([sys.executable, "-m", "load.clients", "--kinds", kind, *mine], check=False)
        broker.kill()


if __name__ == "__main__":
    main()
