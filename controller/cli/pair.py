"""``jadoube pair``: a code for an arbiter to sign in with, as text and as a square to be scanned; and who is signed in.

It speaks to the daemon by files beside the journal (:mod:`controller.console.codes`, ``devices``), so it has to be
called by the user under whom that one runs, or by root.
"""

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, urlencode

from controller.addresses import urls
from controller.config import Setup, load
from controller.console.access import name_of
from controller.console.codes import LIFE_S, Codes
from controller.console.devices import Device, Devices, folder_of
from controller.console.grants import ALL, Grant, Role, said
from controller.console.settings import ConsoleConfig
from controller.errors import ConfigError
from controller.numbering import numbers, ranges

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def pair(config: Path, role: Role, *, boards: str | None, name: str | None, live: bool) -> int:
    """Prints a new code, where to use it, and both as a QR code where another device reaches the pages. ``boards``: on
    which an arbiter rules; ``name``: who is to use it; ``live``: a screen has no delay.

    Raises :exc:`ConfigError` where there are no pages, or no daemon that we may speak to, or no such role.
    """
    setup, pages, folder = _found(config)
    grant = _granted(setup, pages, Grant(role, numbers(boards) if boards else (), name_of(name or ""), live))
    with _as_owner(folder, config):
        code = Codes(folder).new(grant)
    whom = "" if grant == ALL else f", for {', '.join(filter(None, [grant.name, said(grant, 'en')]))}"
    print(f"pairing code: {code}   good once, for {LIFE_S // 60} minutes{whom}")
    if pages.port == 0:
        print("arbiter: at the port that the log of the daemon tells (port = 0 in [console])")
        return 0
    scheme = "http" if pages.cert_file is None else "https"
    found = [f"{scheme}://{name}:{pages.port}" for name in pages.names] + urls(scheme, pages.host, pages.port)
    for url in found:
        print(f"arbiter: {url}/arbiter")
    if pages.host in LOOPBACK and not (pages.names or pages.trusted_proxy):
        print("This machine alone reaches that address.")
        print(f'  Next: for a tablet, host = "0.0.0.0" in [console] of {config}; then start the daemon anew')
        return 0
    known = {"code": code} | ({"name": grant.name} if grant.name else {})
    print(_square(f"{found[0]}/arbiter/sign-in#{urlencode(known, quote_via=quote)}"), end="")
    return 0


def _granted(setup: Setup, pages: ConsoleConfig, grant: Grant) -> Grant:
    """Raises :exc:`ConfigError` for what no role is made of."""
    if (grant.role == "arbiter") != bool(grant.boards):
        cause = "an arbiter of some boards is told which, and nobody else is; the chief arbiter rules on all"
        raise ConfigError("--role arbiter and --boards go together", cause, "jadoube pair --role arbiter --boards 1-12")
    if grant.live and grant.role != "screen":
        cause = "whoever else signs in sees all at once anyway"
        raise ConfigError("--live is for a screen", cause, "jadoube pair --role screen --live")
    here = [place.number for place in setup.named.values()]
    unknown = [] if pages.others else [number for number in grant.boards if number not in here]
    if unknown:
        raise ConfigError(f"there is no board {', '.join(unknown)} here", "a slip", f"its boards: {ranges(here)}")
    return grant


def listed(config: Path) -> int:
    """Prints who is signed in."""
    _, _, folder = _found(config)
    with _as_owner(folder, config):
        found = Devices(folder).all()
    if not found:
        print("nobody is signed in")
    for name, (device, seen) in found.items():
        print(f"{name[:8]}  {_told(device, seen)}")
    return 0


def sign_out(config: Path, which: str) -> int:
    """Signs out the device whose name begins so, or the only one of whom that is, or ``all``.

    Raises :exc:`ConfigError` where there is none.
    """
    _, _, folder = _found(config)
    with _as_owner(folder, config):
        devices = Devices(folder)
        found = devices.all()
        names = [name for name, (device, _) in found.items() if which in ("all", device.by) or name.startswith(which)]
        if which != "all" and len(names) != 1:
            what = f"{'no device is' if not names else 'several devices are'} called {which}"
            raise ConfigError(what, "a slip of the pen, or it is signed out already", "jadoube pair --list")
        for name in names:
            devices.sign_out(name)
            print(f"signed out: {_told(*found[name])}")
    return 0


def _found(config: Path) -> tuple[Setup, ConsoleConfig, Path]:
    """A configuration, its pages, and the folder by which their daemon is spoken to."""
    setup = load(config)
    if setup.console is None:
        raise ConfigError(f"{config}: there are no pages", "it has no table [console]", f"nano {config}")
    return setup, setup.console, folder_of(Path(setup.journal.path).expanduser())


@contextlib.contextmanager
def _as_owner(folder: Path, config: Path) -> Iterator[None]:
    """Acts as the user to whom the folder belongs, where that is allowed, so that the daemon may use what is made."""
    try:
        owner = folder.stat()
        if os.geteuid() == 0:
            os.setegid(owner.st_gid)
            os.seteuid(owner.st_uid)
        try:
            list(folder.iterdir())
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


def _told(device: Device, seen: float) -> str:
    since, last = (datetime.fromtimestamp(each).strftime("%Y-%m-%d %H:%M") for each in (device.since, seen))
    who = ", ".join((device.by, said(device.may, "en"), device.called or "?"))
    return f"{who}, from {device.address}, since {since}, heard last {last}"


def _square(url: str) -> str:
    """A QR code in the letters of a terminal; empty where it has none of them, or nobody looks."""
    if not sys.stdout.isatty() or "UTF-8" not in (sys.stdout.encoding or "").upper():
        return ""
    import segno

    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()
