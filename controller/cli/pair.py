"""``jadoube pair``: a code for an arbiter to sign in with, as text and as a square to be scanned; and who is signed in.

It speaks to the daemon by files beside the journal (:mod:`controller.console.codes`, ``devices``), so it has to be
called by the user under whom that one runs, or by root.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.cli import pairing
from controller.config import Setup, load
from controller.console.codes import Codes
from controller.console.devices import Devices, folder_of, served_at
from controller.console.grants import Grant, Role
from controller.console.settings import ConsoleConfig
from controller.errors import ConfigError
from controller.journal import in_use
from controller.numbering import ranges

COMMAND = "jadoube pair"


def as_asked(config: Path, *, listing: bool, sign_out: str | None, **granted: Any) -> int:
    """Does what was asked: gives a code, by :func:`pair`; or tells who is signed in; or signs somebody out."""
    if sign_out is not None:
        return sign_out_of(config, sign_out)
    return listed(config) if listing else pair(config, **granted)


def pair(config: Path, role: Role, *, boards: str | None, name: str | None, live: bool) -> int:
    """Prints a new code, and where to use it. ``boards``: on which an arbiter rules; ``name``: who is to use it;
    ``live``: a screen has no delay.

    Raises :exc:`ConfigError` where there are no pages, or no daemon that we may speak to, or no such role.
    """
    setup, pages, folder = _found(config)
    grant = _known(setup, pages, pairing.granted(role, boards, name, live, COMMAND))
    with _as_owner(folder, pages, config):
        if not in_use(Path(setup.journal.path).expanduser()):
            what, cause = "no daemon runs there that would take a code", "it was not started, or has stopped"
            raise ConfigError(what, cause, f"jadoube run --config {config}, or start its service; then ask again")
        code = Codes(folder).new(grant)
    pairing.tell_code(code, grant, pages, config)
    return 0


def _known(setup: Setup, pages: ConsoleConfig, grant: Grant) -> Grant:
    """Raises :exc:`ConfigError` for boards that are not here."""
    here = [place.number for place in setup.named.values()]
    unknown = [] if pages.others else [number for number in grant.boards if number not in here]
    if unknown:
        raise ConfigError(f"there is no board {', '.join(unknown)} here", "a slip", f"its boards: {ranges(here)}")
    return grant


def listed(config: Path) -> int:
    """Prints who is signed in."""
    _, pages, folder = _found(config)
    with _as_owner(folder, pages, config):
        return pairing.tell_devices(Devices(folder).all())


def sign_out_of(config: Path, which: str) -> int:
    """Signs out the device that is called so, as :func:`.pairing.chosen`. Raises :exc:`ConfigError` where there is
    none."""
    _, pages, folder = _found(config)
    with _as_owner(folder, pages, config):
        devices = Devices(folder)
        for name, device in pairing.chosen(devices.all(), which, COMMAND).items():
            devices.sign_out(name)
            pairing.tell_signed_out(device)
    return 0


def _found(config: Path) -> tuple[Setup, ConsoleConfig, Path]:
    """A configuration, its pages, and the folder by which their daemon is spoken to."""
    setup = load(config)
    if setup.console is None:
        raise ConfigError(f"{config}: there are no pages", "it has no table [console]", f"nano {config}")
    return setup, setup.console, folder_of(Path(setup.journal.path).expanduser())


def _of_this_daemon(folder: Path, pages: ConsoleConfig, config: Path) -> None:
    """Raises :exc:`ConfigError` where the folder is of a daemon that serves its pages at another address: a journal
    that is named without its folder is another one for each folder that it is named in."""
    found = served_at(folder)
    if found in (None, pages.address):
        return
    home = config.resolve().parent
    what = f"{folder} is of a daemon with its pages at {found}; those of {config} are at {pages.address}"
    if home != Path.cwd() and not folder.is_absolute():
        cause = "another daemon was started in this folder, and its journal has the same name"
        raise ConfigError(what, cause, f"cd {home} && {COMMAND} --config {config.name}")
    cause = "[console] was changed since that daemon was started, or two configurations name one journal"
    raise ConfigError(what, cause, f"start it anew: jadoube run --config {config}, or its service")


@contextlib.contextmanager
def _as_owner(folder: Path, pages: ConsoleConfig, config: Path) -> Iterator[None]:
    """Acts as the user to whom the folder belongs, where that is allowed, so that the daemon may use what is made.
    Raises :exc:`ConfigError` where it may not be used, or is another daemon's."""
    try:
        owner = folder.stat()
        if os.geteuid() == 0:
            os.setegid(owner.st_gid)
            os.seteuid(owner.st_uid)
        try:
            list(folder.iterdir())
            _of_this_daemon(folder, pages, config)
            yield
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
                os.setegid(0)
    except FileNotFoundError as error:
        raise ConfigError(
            f"no daemon has served the pages of {config} yet: there is no {folder}",
            "it was never started; or its journal has another name seen from this folder",
            "start it first; with journal.path as a whole path it does not matter from where jadoube pair is called",
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{folder} cannot be used: {error.strerror}",
            "it belongs to the user under whom the daemon runs",
            f"sudo jadoube pair --config {config}",
        ) from error
