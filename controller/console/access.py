"""Who may rule: a pairing code shown once at the shell, then a signed session; and whom a request really comes from.

The session is a cookie that names the arbiter and when it ends, signed (HMAC-SHA256, RFC 2104) with a key that is kept
beside the journal: so it survives a restart of the daemon, and to sign everybody out is to remove that file.
"""

import base64
import contextlib
import hmac
import ipaddress
import logging
import os
import secrets
import socket
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

log = logging.getLogger(__name__)

COOKIE = "jadoube"
TRIES, PER_S = 5, 60.0  #: so many codes may be tried from one address in that time
TRIES_IN_ALL = 30  #: and from everywhere
WRONG = 10  #: after so many wrong ones a code is replaced
NAME_LENGTH = 60

Clock = Callable[[], float]


class Session(Struct, frozen=True):
    """Who is signed in, and until when, in seconds since 1970."""

    by: str
    until: float


class Pairing:
    """The code by which the next arbiter signs in: six digits, good once. ``show`` tells it at the shell."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._wrong = 0
        self._renew()

    def redeem(self, code: str) -> bool:
        """Whether that is the code; if so, the next arbiter gets another."""
        right = hmac.compare_digest("".join(filter(str.isdigit, code)).encode(), self.code.encode())
        self._wrong += not right
        if right or self._wrong >= WRONG:
            self._renew()
        return right

    def _renew(self) -> None:
        self.code, self._wrong = f"{secrets.randbelow(1_000_000):06}", 0
        self._show(self.code)


class Sessions:
    """Signs sessions and reads them. The key is in ``path``, which is made for its owner alone."""

    def __init__(self, path: Path, hours: float, now: Clock) -> None:
        self._key = _key(path)
        self._life_s = hours * 3600
        self._now = now

    def sign(self, by: str) -> str:
        """A cookie for who calls himself ``by``."""
        body = msgspec.json.encode(Session(by, self._now() + self._life_s))
        return f"{_text(body)}.{_text(self._mac(body))}"

    def read(self, cookie: str | None) -> Session | None:
        """Whose cookie that is; None for one that is forged, damaged or too old."""
        body, _, mac = (cookie or "").partition(".")
        try:
            signed = _bytes(body)
            if not hmac.compare_digest(_bytes(mac), self._mac(signed)):
                return None
            session = msgspec.json.decode(signed, type=Session)
        except (ValueError, msgspec.DecodeError):
            return None
        return session if session.until > self._now() else None

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, "sha256")


class Limit:
    """Lets only so many tries through, from each address and from all."""

    def __init__(self, now: Clock) -> None:
        self._now = now
        self._tries: deque[tuple[float, str]] = deque()

    def allows(self, address: str) -> bool:
        """Counts a try from ``address``. Returns whether it may be made."""
        while self._tries and self._tries[0][0] <= self._now() - PER_S:
            self._tries.popleft()
        here = sum(who == address for _, who in self._tries)
        if here >= TRIES or len(self._tries) >= TRIES_IN_ALL:
            return False
        self._tries.append((self._now(), address))
        return True


class Hosts:
    """The names under which this machine may be addressed.

    Others are refused: a page elsewhere could point its own name at us (DNS rebinding). An address in digits cannot be
    pointed anywhere.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in names)}

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


def _key(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            key = file.read()
        if len(key) >= 32:
            return key
        log.warning("%s is no key: everybody has to sign in again", path)
    except FileNotFoundError:
        pass
    key = secrets.token_bytes(32)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key)
    return key


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
