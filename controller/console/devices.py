"""Who is signed in, on which device: kept until the session ends, somebody signs it out, or its file is taken away.

A device holds a cookie with 256 bits by chance, new at each sign-in. What is kept beside the journal, a file each, has
only its hash in its name, so that who can read that folder is not signed in by it. Such a file outlives a restart of
the daemon; ``jadoube pair --sign-out`` takes it away. Its time of change is when the device was heard last.

A Pi has no clock of its own: once it has a network, its time of day may be set forward by decades. Whoever is signed in
stays so, for as long as he would have been.
"""

import contextlib
import hashlib
import logging
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.console.grants import ALL, Grant

log = logging.getLogger(__name__)

START = "device-"
SERVED = "pages-"  #: begins the name of the empty file that tells at which address its daemon serves the pages
SEEN_S = 60.0  #: so often at most is written down that a device was heard
STEP_S = 60.0  #: the time of day drifts by less; what is more is a step
AGENT = 200  #: letters of what a browser says of itself

SYSTEMS = ("iPad", "iPhone", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = ("Firefox", "FxiOS", "Edg", "OPR", "CriOS", "Chrome", "Safari")  #: a later one is said by earlier ones too
CALLED = {"Macintosh": "Mac", "CrOS": "ChromeOS", "FxiOS": "Firefox", "Edg": "Edge", "OPR": "Opera", "CriOS": "Chrome"}


class Device(Struct, frozen=True, kw_only=True):
    """A device that is signed in. Times in s since 1970."""

    by: str  #: whose name stands in the journal
    since: float
    until: float
    address: str  #: from where it signed in
    agent: str = ""  #: what its browser says of itself
    may: Grant = ALL  #: what can be done on it

    @property
    def called(self) -> str:
        """Browser and system, such as ``Firefox, Android``; empty where neither is known."""
        names = [next((name for name in kind if name in self.agent), "") for kind in (BROWSERS, SYSTEMS)]
        return ", ".join(CALLED.get(name, name) for name in names if name)


class Devices:
    """Those that are kept in ``folder``. ``now``: s since 1970; ``steady``: s since any moment, without a step."""

    def __init__(
        self,
        folder: Path,
        hours: float = 0.0,
        now: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._life_s = hours * 3600
        self._now, self._steady = now, steady
        self._ahead_s = now() - steady()
        self._known: dict[str, Device] = {}
        self._unwritten: set[str] = set()  # for want of room: they last until the daemon ends
        self._seen: dict[str, float] = {}
        for path in folder.glob(f"{START}*"):
            with contextlib.suppress(OSError, msgspec.DecodeError):
                name = path.name.removeprefix(START)
                self._known[name] = msgspec.json.decode(path.read_bytes(), type=Device)
                self._seen[name] = path.stat().st_mtime

    def sign_in(self, by: str, address: str, agent: str, may: Grant = ALL) -> str:
        """The cookie for a device of who calls himself ``by``, and may do that."""
        self._follow_steps()
        cookie, now = secrets.token_urlsafe(32), self._now()
        device = Device(
            by=by, since=now, until=now + self._life_s, address=address[:AGENT], agent=agent[:AGENT], may=may
        )
        name = self.name(cookie)
        self._known[name], self._seen[name] = device, now
        self._write(name)
        return cookie

    def read(self, cookie: str | None) -> Device | None:
        """Whose cookie that is; None for one that is none, too old, or signed out."""
        name = self.name(cookie)
        device = self._valid(name)
        if device is not None and self._now() - self._seen[name] >= SEEN_S:
            self._seen[name] = self._now()
            with contextlib.suppress(OSError):
                os.utime(self._path(name))
        return device

    def sign_out(self, name: str) -> None:
        """Nobody has the device of that name any more."""
        if self._known.pop(name, None) is not None:
            self._unwritten.discard(name)
            self._path(name).unlink(missing_ok=True)

    def all(self) -> dict[str, tuple[Device, float]]:
        """By their names the devices that are signed in, and when each was heard last; the latest first."""
        valid = {name: device for name in list(self._known) if (device := self._valid(name)) is not None}
        return {name: (valid[name], self._seen[name]) for name in sorted(valid, key=lambda each: -self._seen[each])}

    @staticmethod
    def name(cookie: str | None) -> str:
        """What the device with that cookie is called here."""
        return hashlib.sha256((cookie or "").encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def known(self, name: str) -> bool:
        """Whether the device of that name is signed in."""
        return self._valid(name) is not None

    def _write(self, name: str) -> None:
        try:
            path = self._path(name)
            path.touch(0o600)
            path.write_bytes(msgspec.json.encode(self._known[name]))
            os.utime(path, (self._seen[name], self._seen[name]))
        except OSError as error:
            log.warning("who is signed in cannot be kept: %s; it lasts until the next start", error.strerror)
            self._unwritten.add(name)

    def _follow_steps(self) -> None:
        """All times by the time of day as it was set since."""
        ahead_s = self._now() - self._steady()
        step_s = ahead_s - self._ahead_s
        if abs(step_s) < STEP_S:
            return
        self._ahead_s = ahead_s
        for name, device in self._known.items():
            self._known[name] = replace(device, since=device.since + step_s, until=device.until + step_s)
            self._seen[name] += step_s
            if name not in self._unwritten and self._path(name).exists():
                self._write(name)

    def _valid(self, name: str) -> Device | None:
        self._follow_steps()
        device = self._known.get(name)
        if device is None:
            return None
        taken_away = name not in self._unwritten and not self._path(name).exists()
        if taken_away or device.until <= self._now():
            self.sign_out(name)
            return None
        return device

    def _path(self, name: str) -> Path:
        return self._folder / f"{START}{name}"


def folder_of(journal: Path) -> Path:
    """Where codes and devices are kept: beside the journal."""
    return journal.with_name(f"{journal.name}-arbiters")


def serve_at(folder: Path, address: str) -> None:
    """Leaves word of the daemon to which ``folder`` belongs, so that no code of it is given under another's address.
    The name of an empty file needs no room on a full disk. Raises OSError where it cannot be kept."""
    for path in folder.glob(f"{SERVED}*"):
        path.unlink(missing_ok=True)
    (folder / f"{SERVED}{address}").touch(0o600)


def served_at(folder: Path) -> str | None:
    """The address that its daemon has left word of; None where none has."""
    return next((path.name.removeprefix(SERVED) for path in folder.glob(f"{SERVED}*")), None)
