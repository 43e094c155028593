"""What ``jadoube pair`` and ``jadoube archive pair`` have in common: what is asked for, and what is said.

Every command adds these options when it starts, so what only pairing needs is imported when it is called.
"""

import argparse
import io
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, urlencode

from controller.addresses import LOOPBACK, urls
from controller.console.devices import Device
from controller.console.grants import ALL, ROLES, Grant, Role, said
from controller.console.settings import ConsoleConfig
from controller.errors import ConfigError
from controller.numbering import numbers


def add_to(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("--list", dest="listing", action="store_true", help="who is signed in, on which device")
    parser.add_argument("--sign-out", metavar="DEVICE", help="as --list names it, or whose it is, or all")
    parser.add_argument("--role", choices=ROLES, default=ROLES[0], help="what the code is good for; %(default)s: all")
    parser.add_argument("--boards", metavar="1-12", help="on which an arbiter rules; all are seen")
    parser.add_argument("--name", metavar="NAME", help="who signs in with it: no other name will stand at the rulings")
    parser.add_argument("--live", action="store_true", help="a screen shows all at once, not as late as the public")


def granted(role: Role, boards: str | None, name: str | None, live: bool, command: str) -> Grant:
    """Raises :exc:`ConfigError` for what no role is made of; ``command``: the one that is called."""
    from controller.console.access import name_of

    grant = Grant(role, numbers(boards) if boards else (), name_of(name or ""), live)
    if (grant.role == "arbiter") != bool(grant.boards):
        cause = "an arbiter of some boards is told which, and nobody else is; the chief arbiter rules on all"
        raise ConfigError("--role arbiter and --boards go together", cause, f"{command} --role arbiter --boards 1-12")
    if grant.live and grant.role != "screen":
        cause = "whoever else signs in sees all at once anyway"
        raise ConfigError("--live is for a screen", cause, f"{command} --role screen --live")
    return grant


def tell_code(code: str, grant: Grant, pages: ConsoleConfig, config: Path) -> None:
    """Prints it, where to use it, and both as a QR code where another device reaches the pages."""
    from controller.console.codes import LIFE_S

    whom = "" if grant == ALL else f", for {', '.join(filter(None, [grant.name, said(grant, 'en')]))}"
    print(f"pairing code: {code}   good once, for {LIFE_S // 60} minutes{whom}")
    if pages.port == 0:
        print("arbiter: at the port that the log of the daemon tells (port = 0 in [console])")
        return
    scheme = "http" if pages.cert_file is None else "https"
    found = [f"{scheme}://{name}:{pages.port}" for name in pages.names] + urls(scheme, pages.host, pages.port)
    for url in found:
        print(f"arbiter: {url}/arbiter")
    if pages.host in LOOPBACK and not (pages.names or pages.trusted_proxy):
        print("This machine alone reaches that address.")
        print(f'  Next: for a tablet, host = "0.0.0.0" in [console] of {config}; then start the daemon anew')
        return
    known = {"code": code} | ({"name": grant.name} if grant.name else {})
    print(_square(f"{found[0]}/arbiter/sign-in#{urlencode(known, quote_via=quote)}"), end="")


def tell_devices(found: Mapping[str, tuple[Device, float]]) -> int:
    """Prints who is signed in."""
    if not found:
        print("nobody is signed in")
    for name, (device, seen) in found.items():
        print(f"{name[:8]}  {_told(device, seen)}")
    return 0


def chosen(found: Mapping[str, tuple[Device, float]], which: str, command: str) -> dict[str, tuple[Device, float]]:
    """The device whose name begins so, or the only one of whom that is, or ``all``. Raises :exc:`ConfigError` where
    there is none."""
    names = [name for name, (device, _) in found.items() if which in ("all", device.by) or name.startswith(which)]
    if which != "all" and len(names) != 1:
        what = f"{'no device is' if not names else 'several devices are'} called {which}"
        raise ConfigError(what, "a slip of the pen, or it is signed out already", f"{command} --list")
    return {name: found[name] for name in names}


def tell_signed_out(signed_out: tuple[Device, float]) -> None:
    """Prints whose it was."""
    print(f"signed out: {_told(*signed_out)}")


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
