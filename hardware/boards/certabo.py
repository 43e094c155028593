"""A Certabo board, which reads chips in the pieces, or a Tabutronic Sentio board, which sees where something stands.

A Certabo board must know its set: where ``stones`` names no file yet, the pieces are learnt once they stand at the
start, with White on the board's own first rank, and kept there. Both kinds have lamps, which want 0.6 s between two
commands.
"""

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, ClassVar

import chess
from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.about import SERIAL, About
from hardware.boards.certabo_protocol import ChipTags, Decoder, LampKind, Message, Occupied, coloured_lamps, lamps
from hardware.boards.certabo_stones import UNKNOWN, VOTE, Lesson, Stones, Vote, load, save
from hardware.boards.picture import Recording
from hardware.boards.placement import Placement, turned
from hardware.boards.port import LitBoard
from hardware.boards.readings import BoardReading, Change, Driver, Emit, Remark
from hardware.boards.worker import RETRY_S

log = logging.getLogger(__name__)

Silence = Annotated[float, Meta(gt=0)]


class CertaboConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="certabo"):
    """A board that reads chips: where it is plugged in, and where its set is kept."""

    about: ClassVar[About] = About(
        "a Certabo board, with chips in the pieces",
        ("dialout",),
        SERIAL,
        once=("set the pieces up at the start, White on the first rank, further queens on d3 and d6",),
    )
    senses: ClassVar[Senses] = "identity"
    scan_ms: ClassVar[float] = 200.0  #: how long after one look at a square the next one comes
    port: str = "/dev/ttyUSB0"  #: better the name that ls /dev/serial/by-id shows: it stays the same
    stones: str = "certabo-stones.json"  #: which chip is in which piece; learnt where there is no such file yet
    silence_s: Silence = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return CertaboBoard(self, emit)


class SentioConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="sentio"):
    """A board that sees where something stands."""

    about: ClassVar[About] = About("a Tabutronic Sentio board", ("dialout",), SERIAL)
    senses: ClassVar[Senses] = "occupancy"
    scan_ms: ClassVar[float] = 200.0  #: as above
    port: str = "/dev/ttyUSB0"  #: better the name that ls /dev/serial/by-id shows: it stays the same
    rotated: bool = False  #: true: Black sits at the board's own first rank
    silence_s: Silence = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return SentioBoard(self, emit)


class CertaboPicture:
    """The pieces by their chips. Where ``stones`` is empty they are learnt first, and handed to ``keep``."""

    def __init__(
        self, stones: Stones, placement: Placement | None = None, keep: Callable[[Stones], None] = lambda _: None
    ) -> None:
        self.placement = placement or Placement()
        self.lesson = None if stones else Lesson()  #: as long as the pieces are to be learnt
        self._keep = keep
        self._vote = Vote(stones)
        self._strangers: list[int] = []

    def take(self, ns: int, message: Message) -> Iterable[Change | Remark]:
        if not isinstance(message, ChipTags):
            return
        if self.lesson is not None:
            stones = self.lesson.take(message.tags)
            if stones is None:
                return
            self._keep(stones)
            self.lesson, self._vote = None, Vote(stones)
        seen = self._vote.take(message.tags)
        if not self._vote.whole:
            return
        strangers = [square for square in chess.SQUARES if seen[square] == UNKNOWN]
        if strangers != self._strangers:
            self._strangers = strangers
            yield _remark(ns, strangers)
        yield from self.placement.show(ns, ["" if piece == UNKNOWN else piece for piece in seen])

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, ChipTags) and self._vote.whole

    def whole(self, ns: int) -> Iterable[Change]:
        return self.placement.whole(ns)


class SentioPicture:
    """Where something stands."""

    placement = None  # it does not know its pieces

    def __init__(self, rotated: bool = False) -> None:
        self._rotated = rotated
        self._occupied = 0

    def take(self, ns: int, message: Message) -> Iterable[BoardReading]:
        if not isinstance(message, Occupied):
            return ()
        self._occupied = turned(message.mask) if self._rotated else message.mask
        return self.whole(ns)

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, Occupied)

    def whole(self, ns: int) -> Iterable[BoardReading]:
        return (BoardReading(ns, self._occupied),)


class TabutronicBoard(LitBoard[Message]):
    """What both kinds have in common: the wire, and the lamps."""

    baud = 38400
    farewell = lamps(0)
    lamp_gap_s = 0.6
    _coloured = False

    def note(self, message: Message) -> None:
        if isinstance(message, LampKind):
            self._coloured = message.coloured
            self.farewell = self.lamp_command(0)

    def lamp_command(self, mask: int) -> bytes:
        own = self.own_mask(mask)
        return coloured_lamps(own) if self._coloured else lamps(own)

    @abstractmethod
    def own_mask(self, mask: int) -> int:
        """``mask`` as the board numbers its squares."""


class CertaboBoard(TabutronicBoard):
    """The driver of a board that reads chips."""

    kind = "Certabo board"
    stale = VOTE  # what stands there counts once most of so many pictures show it

    def __init__(self, config: CertaboConfig, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        self._stones = Path(config.stones).expanduser()
        self._chips = CertaboPicture({})
        super().__init__("certabo", config.port, config.silence_s, Decoder, self._chips, emit, retry_s)

    async def work(self) -> None:
        self._picture = self._chips = CertaboPicture(load(self._stones), self._chips.placement, self._keep)
        await super().work()

    def awaits(self, message: Message) -> DeviceError | None:
        if self._chips.lesson is None or not isinstance(message, ChipTags):
            return None
        return DeviceError(
            f"the pieces on the {self.kind} are not known yet",
            f"a new set: there is none in {self._stones}",
            "set the pieces up at the start, White on the board's first rank, and wait; further queens go on d3 and d6",
        )

    def own_mask(self, mask: int) -> int:
        return self._chips.placement.own_mask(mask)

    def _keep(self, stones: Stones) -> None:
        save(self._stones, stones)
        log.info("%s: %d pieces learnt, kept in %s", self.name, len(stones), self._stones)


class SentioBoard(TabutronicBoard):
    """The driver of a board that sees where something stands."""

    kind = "Sentio board"

    def __init__(self, config: SentioConfig, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        self._rotated = config.rotated
        super().__init__("sentio", config.port, config.silence_s, Decoder, SentioPicture(config.rotated), emit, retry_s)

    def own_mask(self, mask: int) -> int:
        return turned(mask) if self._rotated else mask


def certabo_recording() -> Recording[Message]:
    """Reads what a Certabo board sent; its beginning, at the start position, teaches the pieces."""
    return Recording("identity", Decoder(), CertaboPicture({}))


def sentio_recording() -> Recording[Message]:
    """Reads what a Sentio board sent."""
    return Recording("occupancy", Decoder(), SentioPicture())


def _remark(ns: int, strangers: list[int]) -> Remark:
    if not strangers:
        return Remark(ns, "stones")
    return Remark(
        ns,
        "stones",
        f"a piece that is not of the set stands on {' '.join(map(chess.square_name, strangers))}",
        "a further queen, or a piece of another set",
        "exchange it; or begin the set anew with that queen on d3 or d6, having deleted [board] stones",
    )
