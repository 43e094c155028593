"""From whom a request really comes, what he calls himself, and how often he may be wrong."""

import contextlib
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from controller.addresses import local_name
from controller.outlets.entrance import origin

TRIES, PER_S = 5, 60.0  #: so many wrong codes from one address in that time are answered in words
NAME_LENGTH = 60


class Wrong:
    """Counts wrong codes by where they come from. It only says who is to wait: a right code is never refused."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self._from: Counter[str] = Counter()

    def too_often(self, address: str) -> bool:
        """Counts one more from ``address``. Returns whether these are too many by now."""
        if self._now() - self._since >= PER_S:
            self._since, self._from = self._now(), Counter()
        self._from[origin(address)] += 1
        return self._from[origin(address)] > TRIES


class Hosts:
    """The names under which this machine may be addressed.

    Others are refused: a page elsewhere could point its own name at us (DNS rebinding). An address in digits cannot be
    pointed anywhere.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", local_name(), *(name.lower() for name in names)}

    def known(self, host: str) -> bool:
        """Whether a Host header names us."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name))
        return name in self._names


def same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a request that changes something comes from a page of ours: browsers always say where it comes from."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    return host != "" and origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


def name_of(text: str) -> str:
    """A name fit for the journal: no line breaks, no spaces around it, not too long; empty where nothing is left."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:NAME_LENGTH]
