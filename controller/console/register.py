"""Who may sign in, and who has: what the pages ask, wherever it is kept. A daemon keeps it in a folder beside its
journal (``codes``, ``devices``); the pages of a hall of many computers in the database that these share.
"""

import logging
from pathlib import Path
from typing import Protocol

from controller.console.codes import Codes
from controller.console.devices import Device, Devices, serve_at
from controller.console.grants import Grant

log = logging.getLogger(__name__)

RENEW_S = 60.0  #: a code that is shown all the time is good for so long at least


class Register(Protocol):
    """Codes, and the devices that have signed in by them. Any method but ``known`` may take its time, and may raise
    :exc:`JadoubeError` where what is kept is out of reach."""

    hours: float  #: so long a device stays signed in
    shared: bool  #: by all who serve these pages on this host, at whatever port

    @property
    def code(self) -> str:
        """One for a terminal that shows one all the time: another once it was used, or soon ends; empty where there is
        no such terminal, or none can be kept."""

    async def granted(self, code: str) -> Grant | None:
        """What that code grants, if it waits to be used; None for another."""

    async def redeem(self, code: str) -> Grant | None:
        """The same; it then waits no more."""

    async def sign_in(self, by: str, address: str, agent: str, may: Grant) -> str:
        """The cookie for a device of who calls himself ``by``, and may do that."""

    async def sign_out(self, name: str) -> None:
        """Nobody has the device of that name any more."""

    async def read(self, cookie: str | None) -> Device | None:
        """Whose cookie that is; None for one that is none, too old, or signed out."""

    async def all(self) -> dict[str, tuple[Device, float]]:
        """By their names the devices that are signed in, and when each was heard last; the latest first."""

    def known(self, name: str) -> bool:
        """Whether the device of that name is signed in; asked before each event that it is sent."""


class InFolder:
    """A register of files in ``folder``, which answers at once, of a daemon that serves its pages at ``address``."""

    shared = False

    def __init__(self, folder: Path, hours: float, address: str) -> None:
        try:
            folder.mkdir(0o700, exist_ok=True)
            folder.chmod(0o700)
            serve_at(folder, address)
        except OSError as error:
            log.warning("nobody can sign in: %s: %s; jadoube doctor", folder, error.strerror)
        self.hours = hours
        self._codes = Codes(folder)
        self._codes.clear()
        self._devices = Devices(folder, hours)
        self._shown = ""  # the code that a terminal shows
        self.known = self._devices.known
        log.info("an arbiter signs in with a code that jadoube pair prints")

    @property
    def code(self) -> str:
        if self._codes.left_s(self._shown) < RENEW_S:
            try:
                self._shown = self._codes.new()
            except OSError as error:
                log.warning("no pairing code can be kept: %s; jadoube doctor", error.strerror)
                self._shown = ""
        return self._shown

    async def granted(self, code: str) -> Grant | None:
        return self._codes.granted(code)

    async def redeem(self, code: str) -> Grant | None:
        return self._codes.redeem(code)

    async def sign_in(self, by: str, address: str, agent: str, may: Grant) -> str:
        return self._devices.sign_in(by, address, agent, may)

    async def sign_out(self, name: str) -> None:
        self._devices.sign_out(name)

    async def read(self, cookie: str | None) -> Device | None:
        return self._devices.read(cookie)

    async def all(self) -> dict[str, tuple[Device, float]]:
        return self._devices.all()
