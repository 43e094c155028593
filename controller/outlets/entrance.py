"""The door of all that listens here: how many connections at a time, how long one may be silent, who gives way.

Every server of the daemon lets its guests in through an :class:`Entrance`: the pages, LiveChess, the broadcast and the
broker of our own. Whatever comes there, the board keeps its descriptors and its turn:

- Somebody who has not yet said what he wants is *awaited*. That may last :data:`PATIENCE_S`; and where too many are,
  the one gives way who has been awaited longest at the address that has most of them. So who comes and says what he
  wants is heard, however many stand silent beside him.
- Where there is no room at all, the address that has most guests gives up one for who comes from another that has
  fewer: who has been awaited longest, else the latest. So who is being *served* goes only where his address takes the
  places of others, as by many who take what they asked for a few bytes at a time.
- A few connections are taken at a time, and then everything else has its turn.
- A connection whose descriptor has a number near the limit is one too many: the kernel gives the lowest that is free.
- The kernel ends a connection on which what was sent is not taken for :data:`STALLED_S` (``TCP_USER_TIMEOUT``, tcp(7)).
"""

import asyncio
import contextlib
import ipaddress
import logging
import resource
import socket
import ssl
from collections.abc import Callable

log = logging.getLogger(__name__)

PATIENCE_S = 10.0  #: from the beginning of a connection, or of its next request, to the end of what is asked
STALLED_S = 30.0  #: so long may what was sent wait to be taken
AWAITED = 64  #: so many may be awaited at a time: all may say something in the same moment
QUEUE = 256  #: so many may wait in the kernel to be let in
AT_ONCE, PAUSE_S = 4, 0.004  #: so many are taken, and so long all else has its turn then
RESERVE = 128  #: descriptors for the board, the journal and what we connect to
SELECT = 1024  #: select(2), by which serial ports are read, knows no descriptor from here on
OUT_OF_ROOM_S = 0.5  #: before another try where the system itself has no descriptor or memory left


class Guest:
    """A connection that was let in. It begins as one who is awaited."""

    def __init__(self, entrance: "Entrance", line: "_Line", origin: str) -> None:
        self.origin = origin
        self.transport: asyncio.BaseTransport | None = None
        self._entrance = entrance
        self._line = line
        self._late: asyncio.TimerHandle | None = None

    def awaited(self) -> None:
        """Something is to be said, by the end of our patience."""
        if self._late is None:
            self._late = asyncio.get_running_loop().call_later(PATIENCE_S, self.dismiss)
            self._entrance.awaited.setdefault(self.origin, {})[self] = None

    def served(self) -> None:
        """What was to be said has been heard."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
            here = self._entrance.awaited[self.origin]
            del here[self]
            if not here:
                del self._entrance.awaited[self.origin]

    def dismiss(self) -> None:
        """Ends the connection."""
        self.served()
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()
        else:  # its handshake is under way, and notices that there is nobody any more
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)


class _Line(socket.socket):
    """A connection that says when its descriptor is given back."""

    on_close: Callable[[], None] | None = None

    def close(self) -> None:
        super().close()
        if self.on_close is not None:
            self.on_close()
            self.on_close = None


class Entrance:
    """Lets guests in at ``listener``, ``most`` at a time, and gives each the protocol that ``serve`` makes."""

    def __init__(
        self,
        listener: socket.socket,
        most: int,
        serve: Callable[[Guest], asyncio.Protocol],
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.guests: dict[str, dict[Guest, None]] = {}  #: by where they come from, the first first
        self.awaited: dict[str, dict[Guest, None]] = {}  #: by where they come from, the longest first
        self._listener = listener
        self._most = most
        self._serve = serve
        self._context = context
        descriptors = _descriptors()
        self._top = descriptors - min(RESERVE, descriptors // 2)
        self._welcomes: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begins to let guests in."""
        self._running = asyncio.create_task(self._run(), name="entrance")

    def close(self) -> None:
        """Lets nobody in any more, and sends away who is still awaited."""
        if self._running is not None:
            self._running.cancel()
        self._listener.close()
        for here in list(self.awaited.values()):
            for guest in list(here):
                guest.dismiss()

    async def wait_closed(self) -> None:
        """As an asyncio server has it; who is being served is not waited for."""

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        taken = 0
        while True:
            try:
                line, address = await loop.sock_accept(self._listener)
            except ConnectionAbortedError:
                continue
            except OSError as error:
                log.warning("nobody can be let in: %s", error.strerror)
                await asyncio.sleep(OUT_OF_ROOM_S)
                continue
            self._let_in(_Line(fileno=line.detach()), origin(address[0]))
            taken += 1
            if taken % AT_ONCE == 0:
                await asyncio.sleep(PAUSE_S)

    def _let_in(self, line: _Line, origin: str) -> None:
        here = self.guests.get(origin, {})
        if sum(map(len, self.guests.values())) >= self._most or line.fileno() >= self._top:
            greediest = max(self.guests, key=lambda each: len(self.guests[each]), default=origin)
            if len(self.guests.get(greediest, ())) <= len(here) + 1:
                greediest = origin
            if greediest in self.awaited:
                self._longest(greediest).dismiss()
            elif greediest != origin:
                next(reversed(self.guests[greediest])).dismiss()
            else:
                line.close()
                return
        if sum(map(len, self.awaited.values())) >= AWAITED:
            self._longest(max(self.awaited, key=lambda each: len(self.awaited[each]))).dismiss()
        guest = Guest(self, line, origin)
        self.guests.setdefault(origin, {})[guest] = None
        line.on_close = lambda: self._gone(guest)
        guest.awaited()
        task = asyncio.create_task(self._welcome(guest, line))
        self._welcomes.add(task)
        task.add_done_callback(self._welcomes.discard)

    def _longest(self, origin: str) -> Guest:
        """Who has been awaited longest of those from there."""
        return next(iter(self.awaited[origin]))

    async def _welcome(self, guest: Guest, line: _Line) -> None:
        """Gives a guest his protocol; by TLS that takes a handshake."""
        loop = asyncio.get_running_loop()
        patience = None if self._context is None else PATIENCE_S
        try:
            guest.transport, _ = await loop.connect_accepted_socket(
                lambda: self._serve(guest), line, ssl=self._context, ssl_handshake_timeout=patience
            )
        except OSError as error:  # he spoke no TLS, or has left
            line.close()
            # Its frames hold what holds it: they and their buffers would stay until garbage is next looked for.
            error.__traceback__ = None

    def _gone(self, guest: Guest) -> None:
        guest.served()
        here = self.guests[guest.origin]
        del here[guest]
        if not here:
            del self.guests[guest.origin]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError where it cannot be had."""
    family, _, _, _, _ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.create_server((host, port), family=family, backlog=QUEUE)
    listener.setblocking(False)
    # What is accepted has these too.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(STALLED_S * 1000))
    return listener


def origin(address: str) -> str:
    """Where somebody comes from, as far as his address shows: of IPv6 the first half, for the other he may choose.

    What is no address is returned as it is.
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ipaddress.ip_network((known, 64), strict=False).network_address)


def _descriptors() -> int:
    """How many this process may have, at most as many as select(2) knows, raised where that is allowed."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, wanted = (SELECT if each == resource.RLIM_INFINITY else min(each, SELECT) for each in allowed)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, allowed[1]))
            return wanted
    return soft
