"""Asks the boards of one line in turn, again and again, and tells what they show. No I/O, no clock.

Each round asks every board that answers for its changes, and for its clock where it has one; and one of those that do
not answer whether it is back. What a board has logged it keeps until it is asked, so a round that takes longer costs
time and no change. A packet of changes that did not arrive is asked for again, by the command for that: the ordinary
one would give the next and lose it. Where that fails too, and now and then in any case, the whole board is asked for.
"""

import logging
from collections import deque
from collections.abc import Sequence

from controller.errors import DeviceError
from hardware.boards.dgt_bus_picture import CHANGES, DgtBusPicture
from hardware.boards.dgt_bus_protocol import Command, Reply
from hardware.boards.dgt_bus_talk import S_NS, Asking, Script, call_all, pause, wake
from hardware.boards.readings import Emit, LeverPress, Look, Remark
from hardware.boards.worker import ReportingDevice

log = logging.getLogger(__name__)

LAG_NS = 250_000_000  #: what a board says is from a scan that takes up to so long
ROUND_S = 0.1  #: no round begins sooner after the one before: a board has nothing new so soon
IDLE_S = 0.05  #: one pause
VERIFY_S = 30.0  #: so often the whole of a board is asked for, whatever it has told
CLOCK_S = 2.0  #: a board without a clock is asked so often whether it has one now
REST_S = (
    0.3  #: a board that has not answered is left alone for so long: what comes late must not answer what is asked then
)
BACK_S = 0.5  #: so often one of the boards that do not answer is asked whether it is back
GARBLED = 6  #: so many answers in a row that cannot be understood may be those of two boards
DOUBLES_S = 30.0  #: so often at most all boards are called to find that out, which takes two seconds
PATIENCE_S = 6.0  #: a line on which nobody answers for so long is opened anew
WHOLE = (Command.SEND_CHANGES, Command.REPEAT_CHANGES, Command.SEND_BOARD)  #: after these all is known of a board


class Polled(ReportingDevice):
    """One board of the line ``port``: what it is asked, and what follows from its answers. Times are ns.

    A board that has not answered for ``silence_s`` has a fault.
    """

    def __init__(self, port: str, address: int, silence_s: float, emit: Emit) -> None:
        super().__init__(f"dgt-bus {port} {address}", emit)
        self.address = address
        self.gone = False  #: it does not answer
        self.suspect = False  #: what it answers may be two answers
        self.every_ms: int | None = None  #: how long the last round took, which is how late at most a change is read
        self._port = port
        self._silence_ns = round(silence_s * S_NS)
        self._picture = DgtBusPicture(live=True)
        self.placement = self._picture.placement
        self._wanted: deque[int] = deque()  # looks at the board, each from then on
        self._held: list[LeverPress] = []  # until the whole of it was told
        self.begin()

    def begin(self) -> None:
        """The line is opened: nothing is known of the board."""
        self.gone = self.suspect = False
        self._double = False  # that another has its address was told
        self._shown = False  # the whole of it was told
        self._now = 0  # when it was asked last
        self._vain_ns: int | None = None  # since when it was asked in vain
        self._rest_ns = 0  # until then it is left alone
        self._seen_ns = 0  # when it last sent the whole of it
        self._clock_ns = 0  # when it was asked for its clock
        self._last: tuple[int, bytes] | None = None  # the changes that came last
        self._lost = False  # its last changes did not arrive
        self._garbled = 0  # answers in a row

    def want(self, ns: int) -> None:
        """It is to be looked at from ``ns`` on, and that to be told. In whatever thread."""
        self._wanted.append(ns)

    @property
    def shown(self) -> bool:
        return self._shown

    @property
    def riddle(self) -> bool:
        """What it answers may be two answers, and nothing more is known of that."""
        return self.suspect and not self._double

    # -- what it is asked -----------------------------------------------------------------------------------------

    def wants_look(self, ns: int) -> bool:
        """Whether it is asked out of turn: somebody waits for what it showed at a time that it can tell of now."""
        sound = self._shown and not self._lost and not self._picture.doubtful
        return sound and bool(self._wanted) and self._wanted[0] <= ns - LAG_NS

    def unseen_ns(self, ns: int) -> int:
        """For how long it has not sent the whole of it."""
        return ns - self._seen_ns if self._shown else 0

    def verify(self) -> None:
        """The whole of it is asked for in its next turn."""
        self._picture.doubtful = True

    def turn(self, asking: Asking, ns: int) -> Script[int]:
        """Its turn, from ``ns`` on; when it is over."""
        if ns < self._rest_ns:
            return ns
        self._now = ns
        if not self._shown:
            return (yield from self._greet(asking))
        answers = yield from self._changes(asking)
        if answers and self._picture.doubtful:
            answers = yield from self._ask(asking, Command.SEND_BOARD)
        every_ns = 0 if self._picture.has_clock else round(CLOCK_S * S_NS)
        if answers and self._now - self._clock_ns >= every_ns:
            self._clock_ns = self._now
            yield from self._ask(asking, Command.SEND_CLOCK)
        return self._now

    def look(self, asking: Asking) -> Script[int]:
        """What it shows, out of turn."""
        yield from self._changes(asking)
        return self._now

    def _greet(self, asking: Asking) -> Script[int]:
        answers = yield from self._ask(asking, Command.PING)
        if not answers and not self.gone:  # the first command may only have changed its mode
            answers = yield from self._ask(asking, Command.PING)
        for command in (Command.SEND_CHANGES, Command.SEND_BOARD, Command.SEND_CLOCK):
            if answers:
                answers = yield from self._ask(asking, command)
        return self._now

    def _changes(self, asking: Asking) -> Script[bool]:
        """Asks for them, first once more for those that did not arrive; whether all are known now."""
        if not self._lost and (yield from self._ask(asking, Command.SEND_CHANGES)):
            return True
        self._lost = True
        if self._now < self._rest_ns:
            return False
        if not (yield from self._ask(asking, Command.REPEAT_CHANGES)):
            self._picture.doubtful = True
            return False
        self._lost = not (yield from self._ask(asking, Command.SEND_CHANGES))  # the whole board would be ahead of these
        return not self._lost

    def _ask(self, asking: Asking, command: Command) -> Script[bool]:
        """Asks it; whether it has answered."""
        heard = yield asking.board(command, self.address)
        self._now = heard.ns
        if heard.answer is None:
            self._miss(heard.asked_ns, heard.garbled)
            return False
        self.gone = self.suspect = self._double = False
        self.alive_ns, self._vain_ns, self._garbled = heard.ns, None, 0
        if heard.answer.id in CHANGES:
            self._take_changes(heard.ns, heard.answer, repeated=command == Command.REPEAT_CHANGES)
        else:
            self._take(heard.ns, heard.answer)
        if command == Command.SEND_BOARD:
            self._show(heard.ns, heard.answer)
        if command in WHOLE:
            self._look(Look(heard.asked_ns - LAG_NS, heard.ns))
        return True

    # -- what it answers ------------------------------------------------------------------------------------------

    def stray(self, ns: int, reply: Reply) -> None:
        """It answers a question that was given up: changes are told once, and must not be lost."""
        if reply.id in CHANGES:
            self._take_changes(ns, reply, repeated=True)

    def _take_changes(self, ns: int, reply: Reply, repeated: bool) -> None:
        """``repeated``: they may be known already, and are if they are the same."""
        packet = (reply.id, reply.data)
        known = repeated and packet == self._last
        self._lost, self._last = False, packet
        if not known:
            self._take(ns, reply)

    def _take(self, ns: int, reply: Reply) -> None:
        for item in self._picture.take(ns, reply):
            if self._shown or isinstance(item, Remark):
                self.emit(item)
            elif isinstance(item, LeverPress):
                self._held.append(item)  # it comes after what stands on the board

    def _show(self, ns: int, reply: Reply) -> None:
        """It has sent the whole of it."""
        if not self._picture.shows_all(reply):
            return
        self._seen_ns = ns
        if not self._shown:
            self._shown = True
            self.ready()
            self._wanted.appendleft(0)  # all are told that it was looked at
            for change in self._picture.whole(ns):
                self.emit(change)
            for press in self._held:
                self.emit(press)
            self._held.clear()

    def _look(self, look: Look) -> None:
        """All that had happened when it began has been told."""
        if not self._shown or self._picture.doubtful:
            return
        self.looked = look
        if self._wanted and self._wanted[0] <= look.began_ns:
            while self._wanted and self._wanted[0] <= look.began_ns:
                self._wanted.popleft()
            self.emit(look)

    def _miss(self, asked_ns: int, garbled: bool) -> None:
        """It did not answer what it was asked then."""
        self._vain_ns = asked_ns if self._vain_ns is None else self._vain_ns
        self._garbled = self._garbled + 1 if garbled else 0
        self._rest_ns = 0 if garbled else self._now + round(REST_S * S_NS)
        self.suspect = self._garbled >= GARBLED
        self._double = self._double and garbled
        if self._now - self._vain_ns > self._silence_ns:
            self.gone, self._shown = True, False
            if not self._double:
                self.report(self._silent())

    def find_double(self) -> None:
        """Another board has its address."""
        self.gone, self._shown, self._double = True, False, True
        self.report(
            DeviceError(
                f"two boards on {self._port} have the address {self.address}",
                "the address of a board comes from its serial number, and theirs lead to the same",
                "take one of them off the line, and give it a port of its own",
            )
        )

    def _silent(self) -> DeviceError:
        where = f"the DGT board {self.address} on {self._port}"
        if self.suspect:
            return DeviceError(
                f"what {where} answers cannot be understood",
                "another board with its address, one that is not in bus mode, or a bad cable",
                f"take one board after the other off the line; jadoube boards --ports {self._port}",
            )
        return DeviceError(
            f"{where} does not answer",
            "it is not plugged in, has no power, or has another address",
            f"jadoube boards --ports {self._port} names those on the line; check address in [board]",
        )


class Polling:
    """The boards of one line. ``boards`` may change whenever nobody is in :meth:`Talk.next` or :meth:`Talk.hear`."""

    def __init__(self, name: str, boards: Sequence[Polled], asking: Asking) -> None:
        self._name = name
        self._boards = boards
        self._asking = asking
        self._back_ns = 0  # when a board was last asked whether it is back
        self._next = 0  # of those that do not answer
        self._called_ns = 0  # when all boards were called last
        self._answering = 0  # boards in the round before

    def stray(self, ns: int, reply: Reply) -> None:
        """As of :class:`Talk`."""
        for board in self._boards:
            if board.address == reply.address:
                board.stray(ns, reply)

    def script(self) -> Script[None]:
        """Asks until nobody has answered for long: then the line is best opened anew."""
        for board in self._boards:
            board.begin()
        ns = answered_ns = (yield from wake()).ns
        while ns - answered_ns <= PATIENCE_S * S_NS:
            began_ns = ns
            ns = yield from self._round(ns)
            if any(not board.gone for board in self._boards):
                answered_ns = ns
            while ns - began_ns < ROUND_S * S_NS and not any(board.wants_look(ns) for board in self._boards):
                ns = (yield pause(IDLE_S)).ns
            self._tell((ns - began_ns) // 1_000_000)

    def _round(self, ns: int) -> Script[int]:
        for board in [board for board in self._boards if not board.gone]:
            ns = yield from self._looks(ns)
            ns = yield from board.turn(self._asking, ns)
        gone = [board for board in self._boards if board.gone]
        if gone and ns - self._back_ns > BACK_S * S_NS:
            self._next, self._back_ns = self._next + 1, ns
            ns = yield from gone[self._next % len(gone)].turn(self._asking, ns)
        if any(board.riddle for board in self._boards) and ns - self._called_ns > DOUBLES_S * S_NS:
            ns = yield from self._find_doubles()
            self._called_ns = ns
        unseen = max(self._boards, key=lambda board: board.unseen_ns(ns), default=None)
        if unseen is not None and unseen.unseen_ns(ns) > VERIFY_S * S_NS:
            unseen.verify()  # one a round, for it takes as long as the changes of five
        return ns

    def _looks(self, ns: int) -> Script[int]:
        """Those that somebody waits for, out of turn."""
        for board in [board for board in self._boards if board.wants_look(ns)]:
            ns = yield from board.look(self._asking)
        return ns

    def _find_doubles(self) -> Script[int]:
        """Calls all boards, but those of which no more has to be known."""
        for board in [board for board in self._boards if board.shown and not board.suspect]:
            yield self._asking.board(Command.IGNORE_NEXT_PING, board.address)
        times, heard = yield from call_all()
        for board in self._boards:
            if times[board.address] > 1:
                board.find_double()
        return heard.ns

    def _tell(self, every_ms: int) -> None:
        """How long a round takes: to the boards, and to the log where another number of them answers."""
        for board in self._boards:
            board.every_ms = every_ms
        answering = sum(board.shown for board in self._boards)
        if answering != self._answering:
            self._answering = answering
            log.info("%s: %d of %d boards answer, each every %d ms", self._name, answering, len(self._boards), every_ms)
