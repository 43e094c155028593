"""What the sensors of one board show, as the journal's inputs tell it: evidence, apart from what is made of it."""

from collections import deque
from collections.abc import Sequence

import chess
from msgspec import Struct

from controller.contract import AnyInput, Frame, Lift, Place, Press, Seen, Side, Time

TRAIL = 512  #: so many changes are kept; a turn has a handful
BEFORE_MS = 1_500  #: a time line begins so long before the first touch that matters
LONGEST_MS = 90_000
LANES = 8  #: squares on a time line; on more nobody sees anything


class SquareChange(Struct, frozen=True):
    """A square opened or closed."""

    ms: int
    square: chess.Square  #: of the board as it is built in
    occupied: bool


class Lane(Struct, frozen=True):
    """A square on a time line: during which spans nothing stood on it. A span that goes on has no end, one that began
    before the line has no beginning."""

    square: str
    open: list[tuple[int | None, int | None]]


class TimeLine(Struct, frozen=True):
    """Which square opened and closed when, and who pressed the clock, between two times in ms of the session."""

    begin: int
    end: int
    lanes: list[Lane]
    presses: list[tuple[int, Side]]


class Sight:
    """The squares of one board. ``turned``: it stands the other way round, which only a game played on it shows.

    ``start`` are those occupied when the game begins: a board that knows its pieces tells only what changes from there.
    """

    def __init__(self, start: int) -> None:
        self.occupied: int | None = None  #: as the game counts squares; None until the board was seen
        self._start = start
        self._raw: int | None = None
        self._turned = False
        self._trail: deque[SquareChange] = deque(maxlen=TRAIL)
        self._presses: deque[tuple[int, Side]] = deque(maxlen=TRAIL)

    def take(self, item: AnyInput) -> None:
        """The next input of this board."""
        match item:
            case Lift() | Place():
                self._edge(item.ms, chess.parse_square(item.square), isinstance(item, Place))
            case Frame():
                self._picture(item.ms, int(item.occupied, 16))
            case Seen():
                self._picture(item.ms, sum(chess.BB_SQUARES[q] for q in chess.SQUARES if item.shown[q] != "."))
            case Time() if self._raw is None:  # a board that shows itself as a whole does so first of all
                self._raw = self._start
            case Press():
                self._presses.append((item.ms, item.side))
            case _:
                pass
        self._orient()

    def expect(self, occupied: int) -> None:
        """A move was made, after which these squares should be occupied: shows which way round the board stands."""
        if (
            self._raw is not None
            and self.occupied != occupied
            and chess.flip_vertical(chess.flip_horizontal(self.occupied or 0)) == occupied
        ):
            self._turned = not self._turned
            self._orient()

    def line(self, squares: Sequence[str], since: int, until: int) -> TimeLine:
        """The time line of these squares, and of all others that changed between two times."""
        begin = max(0, since - BEFORE_MS, until - LONGEST_MS)
        changed = [self._name(edge.square) for edge in self._trail if since <= edge.ms <= until]
        names = list(dict.fromkeys([*squares, *changed]))[:LANES]
        lanes = [Lane(name, self._spans(name, begin, until)) for name in names]
        return TimeLine(begin, until, lanes, [press for press in self._presses if begin <= press[0] <= until])

    def _spans(self, name: str, begin: int, end: int) -> list[tuple[int | None, int | None]]:
        spans: list[tuple[int, int | None]] = []
        edges = [edge for edge in self._trail if self._name(edge.square) == name]
        opened = begin - 1 if self._empty_before(edges, name) else None
        for edge in edges:
            if edge.ms > end:
                break
            if not edge.occupied:
                opened = edge.ms
            elif opened is not None:
                spans.append((opened, edge.ms))
                opened = None
        if opened is not None:
            spans.append((opened, None))
        return [(start if start >= begin else None, stop) for start, stop in spans if stop is None or stop > begin]

    def _empty_before(self, edges: Sequence[SquareChange], name: str) -> bool:
        """Whether nothing stood on the square of that name before these, which are all its changes that are kept."""
        if edges:
            return edges[0].occupied
        now = self._start if self.occupied is None else self.occupied
        return not now & chess.BB_SQUARES[chess.parse_square(name)]

    def _picture(self, ms: int, shown: int) -> None:
        before = shown if self._raw is None else self._raw
        self._raw = before
        for square in chess.scan_forward(shown ^ before):
            self._edge(ms, square, bool(shown & chess.BB_SQUARES[square]))

    def _edge(self, ms: int, square: chess.Square, occupied: bool) -> None:
        self._trail.append(SquareChange(ms, square, occupied))
        raw = self._start if self._raw is None else self._raw
        self._raw = raw | chess.BB_SQUARES[square] if occupied else raw & ~chess.BB_SQUARES[square]

    def _orient(self) -> None:
        if self._raw is not None:
            raw = self._raw
            self.occupied = chess.flip_vertical(chess.flip_horizontal(raw)) if self._turned else raw

    def _name(self, square: chess.Square) -> str:
        return chess.square_name(square ^ 63 if self._turned else square)
