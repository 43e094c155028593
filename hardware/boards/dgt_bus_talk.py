"""A talk with the boards of one line: one question, then its answer or silence, then the next. No I/O, no clock.

What is asked is a :data:`Script`, a generator of questions that is sent what was heard; :class:`Talk` runs it, and
whoever has the port moves the bytes. Who is on a line, and whether two boards there have one address, is such a script,
too: :func:`census`.
"""

from collections import Counter
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from msgspec import Struct

from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_bus_protocol import ALL, ANSWERS, LAST_ADDRESS, Command, Decoder, Id, Reply, encode
from hardware.boards.dgt_protocol import Command as SingleCommand

ANSWER_S = 0.08  #: DGT's advice: what is not answered within that will not be
LISTEN_S = 1.5  #: to all who answer at moments of their own
LONGEST_S = 10.0  #: a board's whole log takes eight
SETTLE_S = 0.05  #: after a command that nobody answers
CALLS = 8  #: so often at most all are called

S_NS = 1_000_000_000
T = TypeVar("T")


class LineQuestion(Struct, frozen=True, kw_only=True):
    """What is sent, and what is waited for. A pause, where nothing is sent."""

    data: bytes = b""
    address: int | None = None  #: who is to answer; None: nobody by himself, and all of the time is listened
    ids: tuple[int, ...] = ()  #: of an answer
    within_s: float  #: so long its first byte may take, and each further one

    def answered_by(self, reply: Reply) -> bool:
        return reply.address == self.address and reply.id in self.ids


class LineResponse(Struct):
    """What came after a question. Times are ns of the caller's clock."""

    asked_ns: int
    ns: int  #: when the answer was there, or was waited for no longer
    answer: Reply | None = None
    replies: list[Reply] = []  #: all that were understood, the answer too
    garbled: bool = False  #: something came that was not


Script = Generator[LineQuestion, LineResponse, T]


def pause(seconds: float) -> LineQuestion:
    return LineQuestion(within_s=seconds)


class Asking(Struct, frozen=True):
    """How the boards of a line are asked. ``answer_s``: how long a board may take."""

    answer_s: float = ANSWER_S

    def board(self, command: Command, address: int) -> LineQuestion:
        return LineQuestion(
            data=encode(command, address), address=address, ids=ANSWERS[command], within_s=self.answer_s
        )


class Talk(Generic[T]):
    """Runs a script. ``stray``: hears of replies that answer no question, for they may be late, with their times."""

    def __init__(self, script: Script[T], stray: Callable[[int, Reply], None] | None = None) -> None:
        self.over = False
        self.result: T | None = None  #: of the script, once it is over
        self.due_ns = 0  #: when :meth:`next` is to be called again at the latest
        self._script = script
        self._stray = stray
        self._decoder = Decoder()
        self._question: LineQuestion | None = None
        self._heard = LineResponse(0, 0)

    def next(self, ns: int) -> bytes:
        """What is to be sent at ``ns``; nothing while an answer is awaited, and nothing once it is :attr:`over`."""
        if self._question is not None and ns < self.due_ns:
            return b""
        self._heard.ns, self._heard.garbled = ns, self._heard.garbled or self._decoder.begun
        try:
            self._question = next(self._script) if self._question is None else self._script.send(self._heard)
        except StopIteration as end:
            self.over, self.result = True, end.value
            return b""
        self._heard = LineResponse(ns, ns)
        self.due_ns = ns + round(self._question.within_s * S_NS)
        return self._question.data

    def hear(self, ns: int, data: bytes) -> None:
        """These bytes have come by ``ns``."""
        question, heard = self._question, self._heard
        for message in self._decoder.feed(data):
            if isinstance(message, ProtocolError):
                heard.garbled = True
                continue
            heard.replies.append(message)
            if question is not None and heard.answer is None and question.answered_by(message):
                heard.answer = message
                self.due_ns = ns
            elif self._stray is not None:
                self._stray(ns, message)
        if data and heard.answer is None and question is not None and question.address is not None:
            longest = heard.asked_ns + round(LONGEST_S * S_NS)
            self.due_ns = min(ns + round(question.within_s * S_NS), longest)


class Present(Struct, frozen=True):
    """An address that is heard on a line."""

    address: int
    boards: int  #: more than one: they cannot be told apart
    version: str  #: such as ``1.8``; empty of a board that does not tell


# -- scripts -------------------------------------------------------------------------------------------------------


def wake() -> Script[LineResponse]:
    """All boards to bus mode, quietly: some may report by themselves still, as another program has left them. The
    first command after that may be lost on them, so it is one that nobody needs."""
    for command in (SingleCommand.RESET, SingleCommand.BUS_MODE):
        yield LineQuestion(data=bytes((command,)), within_s=SETTLE_S)
    return (yield LineQuestion(data=encode(Command.PING, LAST_ADDRESS), within_s=SETTLE_S))


def call_all() -> Script[tuple[Counter[int], LineResponse]]:
    """How often each address answers a call to all. Boards that answer at the same moment are not understood."""
    heard = yield LineQuestion(data=encode(Command.PING, ALL), within_s=LISTEN_S)
    return Counter(reply.address for reply in heard.replies if reply.id == Id.PING), heard


def census(asking: Asking) -> Script[dict[int, int]]:
    """How many boards have each of the addresses on the line, in order.

    All are called, and those who were heard told to be quiet the next time, until nobody else answers. One address that
    is heard twice in a call is that of two boards: they cannot be told to be quiet, for both answer that at once.
    """
    yield from wake()
    found: Counter[int] = Counter()
    loud: set[int] = set()  # those that did not say that they will be quiet
    for _ in range(CALLS):
        doubtful = False
        for address in sorted(found.keys() - loud):
            if (yield asking.board(Command.IGNORE_NEXT_PING, address)).answer is None:
                loud.add(address)
                doubtful = True
        heard_now, heard = yield from call_all()
        new = heard_now.keys() - found.keys()
        found |= heard_now
        if not (new or doubtful or heard.garbled):
            break
    return dict(sorted(found.items()))


def roll_call(asking: Asking) -> Script[list[Present]]:
    """Who is on the line, by address."""
    present = []
    for address, boards in (yield from census(asking)).items():
        heard = yield asking.board(Command.VERSION, address)
        version = "" if heard.answer is None else ".".join(map(str, heard.answer.data))
        present.append(Present(address, boards, version))
    return present
