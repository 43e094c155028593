"""What a board loses and what bounces, from one piece that is set down on each square so many times. No I/O.

Each time its square closes and opens again. Readings go through the same debouncer as in a game, so that what is
counted is what a game would have heard.
"""

import chess
from msgspec import Struct

from controller.contract import Senses
from controller.daemon.sensed import Sensed, SquareEdge
from controller.sensing.signs import Lost
from hardware.boards import BoardReading, Change

REST_MS = 40
"""A contact that has not changed for so long has come to rest; a piece is not set down and taken off again so soon."""


class MeasuredLosses(Struct, frozen=True):
    count: Lost  #: of the squares that were seen at all
    dead: list[chess.Square]  #: where he was never seen: a sensor that does not work, and no loss
    missed: dict[chess.Square, int]  #: how often he was not seen on others, where that is not 0
    bounced: dict[chess.Square, int]  #: how often he was seen to leave and come back though nobody touched him
    bounce_ms: int  #: for how long a contact went on changing at most, before that is debounced


class Visits:
    """The squares on which he was seen. Times are ms."""

    def __init__(self, senses: Senses, debounce_ms: int) -> None:
        self.seen = [0] * 64  #: how often he was seen to come, by square
        self._sensed = Sensed(debounce_ms, senses)
        self._stands = 0  # where it is seen, as a bitboard
        self._raw: int | None = None  # what was read last, of a board that does not know its pieces
        self._began = [0] * 64  # when each contact began to change
        self._changed = [-REST_MS] * 64  # when it changed last
        self._bounce_ms = 0

    @property
    def whole(self) -> bool:
        """Whether every square has been reported."""
        return self._sensed.whole

    def begin(self) -> None:
        """From now on it counts."""
        self.seen, self._bounce_ms = [0] * 64, 0

    def take(self, ms: int, item: BoardReading | Change) -> None:
        if isinstance(item, BoardReading):
            self._read(ms, item.occupied)
        self._see(self._sensed.take(ms, item))

    def settle(self, ms: int) -> None:
        """It is ``ms``, and nothing else was reported."""
        self._see(self._sensed.settle(ms))

    def found(self, rounds: int) -> MeasuredLosses:
        """After he was set down on each square ``rounds`` times, and taken off the board."""
        squares = [square for square in chess.SQUARES if self.seen[square]]
        missed = {square: rounds - self.seen[square] for square in squares if self.seen[square] < rounds}
        bounced = {square: self.seen[square] - rounds for square in squares if self.seen[square] > rounds}
        stays = self._stands.bit_count()  # nobody is seen to leave there
        lost = sum(missed.values()) + stays
        dead = [square for square in chess.SQUARES if not self.seen[square]]
        return MeasuredLosses(Lost(2 * rounds * len(squares), lost), dead, missed, bounced, self._bounce_ms)

    def _read(self, ms: int, occupied: int) -> None:
        for square in chess.scan_forward(0 if self._raw is None else occupied ^ self._raw):
            if ms - self._changed[square] >= REST_MS:
                self._began[square] = ms
            self._changed[square] = ms
            self._bounce_ms = max(self._bounce_ms, ms - self._began[square])
        self._raw = occupied

    def _see(self, edges: list[SquareEdge]) -> None:
        for edge in edges:
            bit = chess.BB_SQUARES[edge.square]
            if edge.shown and not self._stands & bit:
                self.seen[edge.square] += 1
            self._stands = self._stands | bit if edge.shown else self._stands & ~bit
