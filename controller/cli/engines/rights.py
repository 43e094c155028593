"""RabbitMQ's users, and the topics that each may write and read, as ``definitions.json``.

The MQTT plugin publishes on the topic exchange, with dots for slashes and ``*`` for ``+``. Whether somebody may do so,
or read there, is a regular expression over the routing key, of a subscription with its wildcards as they stand. So what
an access list of mosquitto says becomes two expressions for each user. Facts: rabbitmq.com/access-control,
"Topic Authorisation"; rabbitmq.com/passwords.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping

import msgspec

from controller.cli.broker_config import BrokerUsers, Right, rights_of
from controller.cli.engines.plan import Engines

EXCHANGE = "amq.topic"
ARCHIVE, CONSOLE = "archive", "console"  #: users besides those of the hall
OURS = r"^jadoube\."  #: queues and exchanges of the archive
BOARDS = r"^jadoube\.v1\.[^.#]+\.[^.#]+\.[^.#]+\."  #: a topic of any board
FORGOTTEN_MS = 3_600_000  #: after so long a queue of a board that does not come back goes
SUBSCRIBED = r"^mqtt-"  #: the queues that the plugin makes for its clients


def definitions(place: BrokerUsers, passwords: Mapping[str, str], engines: Engines) -> str:
    """All that RabbitMQ is to know of users; ``passwords``: of each of them."""
    users = rights_of(place)
    topics = {user: (_any(rights, "write"), _any(rights, "read")) for user, rights in users.items()}
    topics[ARCHIVE] = (rf"{BOARDS}replay$", r"^jadoube\.v1\..+$")
    topics[CONSOLE] = (rf"{BOARDS}(cmd|cmd\.{CONSOLE}|replay)$", r"^jadoube\.v1\..+$")
    told = {
        "users": [_user(name, passwords[name]) for name in topics],
        "vhosts": [{"name": "/"}],
        "permissions": [_resources(name, inside=name in (ARCHIVE, CONSOLE)) for name in topics],
        "topic_permissions": [
            {"user": name, "vhost": "/", "exchange": EXCHANGE, "write": write, "read": read}
            for name, (write, read) in topics.items()
        ],
        # What a node that went down kept for a board nobody fetches there any more (RabbitMQ 3.10).
        "policies": [
            {
                "name": "boards",
                "vhost": "/",
                "pattern": "^mqtt-subscription-",
                "apply-to": "queues",
                "definition": {"expires": FORGOTTEN_MS},
            }
        ],
        "global_parameters": [{"name": "cluster_name", "value": f"jadoube-{engines.venue}"}],
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=1).decode() + "\n"


def _user(name: str, password: str) -> dict[str, object]:
    # A salt that follows from the password, so that a second time nothing changes: passwords here are 24 random bytes.
    salt = hashlib.sha256(b"salt " + password.encode()).digest()[:4]
    digest = hashlib.sha256(salt + password.encode()).digest()
    return {
        "name": name,
        "password_hash": base64.b64encode(salt + digest).decode(),
        "hashing_algorithm": "rabbit_password_hashing_sha256",
        "tags": [],
    }


def _resources(name: str, *, inside: bool) -> dict[str, str]:
    own = OURS if inside else SUBSCRIBED
    through = f"({own}|^amq\\.topic$)"
    return {"user": name, "vhost": "/", "configure": own, "write": through, "read": through}


def _any(rights: Iterable[tuple[Right, str]], wanted: str) -> str:
    """One expression for all topics with that right."""
    found = [pattern(topics) for right, topics in rights if wanted in right]
    return f"^({'|'.join(found)})$" if found else "^$"


def pattern(topics: str) -> str:
    """The routing keys of topics as an access list has them; wildcards of a subscription are no wider than these."""
    parent, all_below, _ = topics.partition("/#")
    levels = ("[^.#]+" if level == "+" else re.escape(level.replace(".", "/")) for level in parent.split("/"))
    return r"\.".join(levels) + (r"(\..*)?" if all_below else "")
