"""At which addresses somebody else reaches what is served here: ``0.0.0.0`` is none that could be typed.

Asked of the kernel by ioctl (netdevice(7)) and of ``/proc`` (``if_inet6``), for the service may open no netlink socket,
by which the C library would ask. The name ending in ``.local`` is what avahi announces; it runs on Raspberry Pi OS.
"""

import array
import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")  #: what only this machine reaches
EVERYWHERE = ("0.0.0.0", "::")  #: all addresses of IPv4, and all of IPv6

AVAHI = Path("/run/avahi-daemon/socket")
INET6 = Path("/proc/self/net/if_inet6")

_CONF, _FLAGS = 0x8912, 0x8913  # SIOCGIFCONF, names and addresses; SIOCGIFFLAGS, what is up
_IFREQ = 16 + struct.calcsize("LLHBBB0L")  # bytes: a name, and the largest of a union, struct ifmap
_ROOM = 256  # so many addresses are asked for at most
_LOOPBACK, _RUNNING = 0x8, 0x40  # of an interface: it leads to ourselves; its cable is plugged in
_FLEETING = 0x01 | 0x08 | 0x20 | 0x40  # of an IPv6 address: temporary, taken by another machine, deprecated, tentative
_GLOBAL = 0x00  # the scope of an IPv6 address


def urls(scheme: str, host: str, port: int) -> list[str]:
    """The same as :func:`reached`, to be typed into a browser: ``http://192.168.1.10:8064``."""
    return [f"{scheme}://{f'[{at}]' if ':' in at else at}:{port}" for at in reached(host)]


def reached(host: str) -> list[str]:
    """At which addresses and names others reach what listens at ``host``, never empty: of the two that mean everywhere
    those of this machine, the numbers first, then the name ending in ``.local``; without a network, and of one
    address, that address.
    """
    if host not in EVERYWHERE:
        return [host]
    six = host == "::"
    found = list(_inet6() if six else _inet())
    if not found:
        return ["::1" if six else "127.0.0.1"]
    return [*found, local_name()] if AVAHI.exists() else found


def local_name() -> str:
    """The name by which avahi announces this machine, where it runs and no other machine has that name."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def _inet() -> Iterator[str]:
    """Those of IPv4; last those that were given by nobody, by which a single cable is reached."""
    found = [IPv4Address(address) for name, address in _all_inet() if _leads_out(name)]
    yield from (str(address) for address in sorted(found, key=lambda address: address.is_link_local))


def _all_inet() -> Iterator[tuple[bytes, bytes]]:
    """Each address with the name of its interface."""
    room = array.array("B", bytes(_IFREQ * _ROOM))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        told = fcntl.ioctl(asked, _CONF, struct.pack("iP", len(room), room.buffer_info()[0]))
    length: int = struct.unpack("iP", told)[0]
    for at in range(0, length, _IFREQ):
        name, address = struct.unpack_from("16s4x4s", room, at)
        yield name.rstrip(b"\0"), address


def _inet6() -> Iterator[str]:
    """Those of IPv6 that are valid everywhere and stay."""
    try:
        lines = INET6.read_text().splitlines()
    except OSError:  # a kernel without IPv6
        return
    for digits, _, _, scope, flags, name in map(str.split, lines):
        if int(scope, 16) == _GLOBAL and not int(flags, 16) & _FLEETING and _leads_out(os.fsencode(name)):
            yield str(IPv6Address(bytes.fromhex(digits)))


def _leads_out(name: bytes) -> bool:
    """Whether an interface leads to other machines, as far as one can tell here."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            told = fcntl.ioctl(asked, _FLAGS, struct.pack("16s24x", name))
    except OSError:  # it was taken away a moment ago
        return False
    flags: int = struct.unpack_from("16xH", told)[0]
    return bool(flags & _RUNNING) and not flags & _LOOPBACK
