"""Which legal moves explain what was seen, where one move does not.

A capture swapped within one scan shows only its origin; a lost scan hides a whole lift. Then two or three moves have to
explain the board together. This searches the legal ones among the squares that were seen to open and close, cheapest
first to be believed, and never for long: the search is bounded.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from math import inf

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct

from controller.position import EMPTY, Position, squares
from controller.sensing.budget import Budget
from controller.sensing.costs import (
    BLIND,
    HOLDS_AND_PRESSES,
    IDLE_TOUCH,
    ODD_IN_HAND,
    SEEN_BEFORE,
    STILL_IN_HAND,
    UNLIKELY,
    UNSEEN_CAPTURE,
)
from controller.sensing.looks import FITS, SOMETHING
from controller.sensing.search import EARLY_MS
from controller.sensing.stand import LAST_RANKS, LIFTED, Kind, Looks, Traces, differing, read
from controller.sensing.trace import Edge

EDGES = 80
"""More edges than these are not explained: that is no play."""

DEPTH = 16
"""Moves in one explanation."""

MARGIN = 3.0
"""A line dearer than the cheapest by this is given up."""


class Line(Struct, frozen=True):
    """One explanation: the moves made, where that leaves the game, and how far the edges are used up."""

    moves: tuple[Move, ...]
    position: Position
    used: int
    cost: float = 0.0
    loose: float = 0.0  #: the cost of what is still in the air, which may yet be explained

    @property
    def total(self) -> float:
        return self.cost + self.loose

    def then(self, more: "Line") -> "Line":
        """This line, gone on with."""
        return Line(self.moves + more.moves, more.position, more.used, self.cost + more.cost, more.loose)


Choice = Callable[[chess.Color], chess.PieceType]
"""The kind a pawn of that colour becomes where the board cannot see it."""


class Search:
    """One search over everything seen so far: ``edges``, which end at ``looks``. Its lines share what it may use of
    ``budget``.

    ``pressed``: the player who has just pressed the clock, and so made the last move. ``blind``: the squares whose
    sensors do not work, as a bitboard; no edge is needed there. ``shown``: those that have shown a piece before.
    ``named``: who has named a piece of his stock by button, and not dropped it yet. ``margin``: lines dearer by this
    than the cheapest with a move are not asked for.
    """

    def __init__(
        self,
        edges: Sequence[Edge],
        looks: Looks,
        choice: Choice,
        budget: Budget,
        pressed: chess.Color | None = None,
        blind: int = 0,
        shown: int = 0,
        named: Collection[chess.Color] = (),
        margin: float = MARGIN,
    ) -> None:
        self.edges = edges[:]  # a list is quicker to ask again and again than a trace
        self.looks = looks
        self.choice = choice
        self.pressed = pressed
        self.blind = blind
        self.shown = shown
        self.named = named
        self.budget = budget.share()
        self.filled = sum(BB_SQUARES[square] for square in chess.SQUARES if looks[square] != EMPTY)
        self.margin = margin
        self.least = inf  #: what the cheapest line with a move costs, of all that were found
        self.begun: Line  #: the line that is gone on with
        self.found: dict[tuple[int, ...], Line] = {}

    def explain(self, line: Line) -> list[Line]:
        """Every way to go on from where ``line`` ends that accounts for the edges it has not used, cheapest first.

        The empty one is among them where nothing need have happened.
        """
        self.found, self.begun = {}, line
        if len(self.edges) - line.used > EDGES:
            return []
        self.walk(line.position, (), line.used, 0.0, differing(line.position, self.looks, chess.BB_ALL))
        return sorted(self.found.values(), key=lambda found: found.total)

    def walk(
        self, position: Position, moves: tuple[Move, ...], start: int, cost: float, off: int, unseen: bool = False
    ) -> None:
        """Go on from ``position``, which does not fit what is seen on the squares ``off``. ``unseen``: of the last move
        only the origin was seen."""
        if self.budget.spent or self.begun.cost + cost > self.least + self.margin:
            return
        self.budget.look()
        self._accept(position, moves, start, cost, off)
        if len(moves) == DEPTH:
            return
        for move, used, step in self._steps(position, start, unseen):
            if self.budget.spent:
                return
            changed = 0
            for square, _ in position.changes(move):
                changed |= 1 << square
            after = position.after(move)
            hidden = self._unseen(position, move, start, used)
            off_after = off & ~changed | differing(after, self.looks, changed)
            self.walk(after, (*moves, move), used, cost + step, off_after, hidden)

    def _accept(self, position: Position, moves: tuple[Move, ...], start: int, cost: float, off: int) -> None:
        if self.pressed is not None and position.turn == self.pressed:
            return
        if off & self.filled & ~_where_half_moves_stand(position):
            return
        kind = read(position, self.looks, off, Traces(), self.blind).kind
        if kind not in (Kind.QUIET, Kind.HALF, *LIFTED):
            return
        loose = IDLE_TOUCH * self._idle(start, off) + self._in_hand(start, off) + self._held(position, off)
        line = Line(moves, position, start, cost, loose)
        if moves or self.begun.moves:
            self.least = min(self.least, self.begun.cost + line.total)
        known = self.found.get(position.key())
        if known is None or line.total < known.total:
            self.found[position.key()] = line

    def _idle(self, start: int, off: int) -> int:
        """How many squares opened after the last move that are closed again."""
        opened = {edge.square for edge in self.edges[start:] if edge.seen == EMPTY}
        return sum(1 for square in opened if not off & (1 << square))

    def _in_hand(self, start: int, off: int) -> float:
        """The cost of the pieces that are off the board after the last move."""
        raised = {edge.square for edge in self.edges[start:] if edge.seen == EMPTY and off >> edge.square & 1}
        odd = off.bit_count() - min(len(raised), 2)
        return STILL_IN_HAND[min(len(raised), 2)] + ODD_IN_HAND * odd

    def _held(self, position: Position, off: int) -> float:
        """The cost of the pieces that the player holds who has just pressed the clock."""
        if self.pressed is None:
            return 0.0
        return HOLDS_AND_PRESSES * (off & position.board.occupied_co[self.pressed]).bit_count()

    def _steps(self, position: Position, start: int, unseen: bool) -> Iterator[tuple[Move, int, float]]:
        """The moves that the next edges may show, with how far each uses them up and what it costs to believe.

        Who is thought to have taken ``unseen`` is in hand as well: what is set down next is he, where he may not go,
        and no piece of the opponent's stock, unless that one was named.
        """
        mine = position.board.occupied_co[position.turn]
        seen_from: set[chess.Square] = set()
        for index in range(start, len(self.edges)):
            edge = self.edges[index]
            square = edge.square
            if edge.seen != EMPTY or not mine & (1 << square) or square in seen_from:
                continue
            if edge.white is not None and edge.white != position.turn:
                continue
            seen_from.add(square)
            for move in position.moves_from(square):
                if move.promotion and move.promotion != self.choice(position.turn):
                    continue
                self.budget.attempt()
                for used, cost in self._used(position, move, start, index):
                    yield move, used, cost
        for square in squares(mine & self.blind):
            for move in position.moves_from(square):
                if not move.promotion or move.promotion == self.choice(position.turn):
                    self.budget.attempt()
                    for used, cost in self._half_seen(position, move, start, start - 1):
                        yield move, used, cost
        stocked = position.house is not None and len(position.house.pockets[position.turn])
        if stocked and (not unseen or position.turn in self.named):
            yield from self._dropped(position, start)

    def _unseen(self, position: Position, move: Move, start: int, used: int) -> bool:
        """Whether these edges show nothing of the capture ``move`` but where it began."""
        target = move.to_square
        return position.captured(move) == target and all(edge.square != target for edge in self.edges[start:used])

    def _dropped(self, position: Position, start: int) -> Iterator[tuple[Move, int, float]]:
        """Pieces from the stock that may have landed next. While another is in hand it is that one which lands."""
        symbols = position.symbols
        last = {edge.square: edge.seen for edge in self.edges[self.begun.used : start]}
        in_hand = {square for square, seen in last.items() if seen == EMPTY != symbols[square]}
        for index in range(start, len(self.edges)):
            edge = self.edges[index]
            if edge.seen == EMPTY:
                in_hand.add(edge.square)
                continue
            if not in_hand and edge.white in (None, position.turn):
                drops = [m for m in position.drops(edge.square) if position.changes(m)[0][1] in FITS[edge.seen]]
                if drops:
                    self.budget.attempt()
                    move = self._likeliest(position, drops)
                    yield move, index + 1, IDLE_TOUCH * self._passed_over(start, index, ())
            in_hand.discard(edge.square)

    def _likeliest(self, position: Position, drops: Sequence[Move]) -> Move:
        """One of the pieces that may have been dropped on a square: which one it was is asked later, and not here."""
        chosen = self.choice(position.turn)
        stock = position.house.pockets[position.turn] if position.house is not None else None
        return max(drops, key=lambda move: (move.drop == chosen, stock.count(move.drop or 0) if stock else 0))

    def _used(self, position: Position, move: Move, start: int, origin: int) -> Iterator[tuple[int, float]]:
        """How far the edges may show ``move``, whose piece left its square at ``origin``, and what believing so
        costs."""
        if self.blind and any(self.blind & BB_SQUARES[square] for square, _ in position.changes(move)):
            yield from self._half_seen(position, move, start, origin)
            return
        victim = position.captured(move)
        idle = IDLE_TOUCH * self._passed_over(start, origin, () if victim is None else (victim,))
        if victim == move.to_square:
            yield from self._swapped(position, move, start, origin, idle)
        taken = None if victim is None else self._opening(victim, start)
        if victim is not None and taken is None:
            return
        for landing in self._landings(move, start, origin):
            last = max(origin, landing)
            if victim is None:
                if position.castles(move):
                    yield from self._castled(position, move, start, last)
                else:
                    yield last + 1, idle
            elif victim != move.to_square:
                yield max(last, taken or 0) + 1, 0.0
            elif taken is not None and taken < landing:
                yield last + 1, idle

    def _swapped(
        self, position: Position, move: Move, start: int, origin: int, idle: float
    ) -> Iterator[tuple[int, float]]:
        """The same of a capture within one scan. Only the origin shows it where pieces all look alike, and what the
        target shows later is another move; a board that tells pieces apart shows the other piece there.
        """
        if SOMETHING in self.looks:
            hidden = self.blind and any(
                self.blind & BB_SQUARES[m.to_square] for m in position.moves_from(move.from_square)
            )
            yield origin + 1, (UNLIKELY if hidden else UNSEEN_CAPTURE) + idle
            return
        lands = dict(position.changes(move))[move.to_square]
        for landing in self._landings(move, start, origin):
            if lands in FITS[self.edges[landing].seen]:
                yield max(origin, landing) + 1, UNSEEN_CAPTURE + idle

    def _half_seen(self, position: Position, move: Move, start: int, origin: int) -> Iterator[tuple[int, float]]:
        """The same of a move by way of squares whose sensors do not work: what the others show of it is all there.

        ``origin`` lies before ``start`` where the piece's own square is one of them.
        """
        victim, target = position.captured(move), move.to_square
        way = {square for square, _ in position.changes(move)}
        signs: list[int | None] = [origin]
        taken = start - 1
        if victim is not None and not self.blind & BB_SQUARES[victim]:
            signs.append(opening := self._opening(victim, start))
            taken = opening if opening is not None and victim == target else taken
        if not self.blind & BB_SQUARES[target]:
            signs.append(next((i for i in self._landings(move, start, origin) if i > taken), None))
        if position.castles(move):
            rook = way - {move.from_square, target}
            signs += [self._edge(square, start) for square in rook if not self.blind & BB_SQUARES[square]]
        seen = [sign for sign in signs if sign is not None]
        last = max(seen)
        if len(seen) < len(signs) or last < start:
            return
        until = origin if origin >= start else last
        opened = {edge.square for edge in self.edges[start:until] if edge.seen == EMPTY}
        cost = BLIND + IDLE_TOUCH * len(opened - way)
        if self.blind & BB_SQUARES[target]:
            last = self._passed_by(last)
            cost += SEEN_BEFORE if self.shown & BB_SQUARES[target] else 0.0
        yield last + 1, cost

    def _passed_by(self, last: int) -> int:
        """The last edge of a piece that, after ``last``, was drawn over other squares to one where it is not seen."""
        edges = self.edges
        while last + 2 < len(edges) and edges[last + 1].seen != EMPTY == edges[last + 2].seen:
            if edges[last + 1].square != edges[last + 2].square:
                break
            last += 2
        return last

    def _castled(self, position: Position, move: Move, start: int, last: int) -> Iterator[tuple[int, float]]:
        for square, _ in position.changes(move)[2:]:
            found = self._edge(square, start)
            if found is None:
                return
            last = max(last, found)
        yield last + 1, 0.0

    def _landings(self, move: Move, start: int, origin: int) -> Iterator[int]:
        """Where the piece that left at ``origin`` may have been set down: just before, where the destination came
        first, or next after, unless he stood on his own square again by then."""
        for index in range(start, origin):
            edge = self.edges[index]
            if edge.square == move.to_square and edge.seen != EMPTY and self.edges[origin].ms - edge.ms <= EARLY_MS:
                yield index
                break
        back: int | None = None
        for index in range(origin + 1, len(self.edges)):
            edge = self.edges[index]
            if edge.square == move.from_square:
                back = None if edge.seen == EMPTY else edge.ms
            elif edge.square == move.to_square and edge.seen != EMPTY and (back is None or edge.ms - back <= EARLY_MS):
                yield index
                return

    def _opening(self, square: chess.Square, start: int) -> int | None:
        for index in range(start, len(self.edges)):
            if self.edges[index].square == square and self.edges[index].seen == EMPTY:
                return index
        return None

    def _edge(self, square: chess.Square, start: int) -> int | None:
        return next((i for i in range(start, len(self.edges)) if self.edges[i].square == square), None)

    def _passed_over(self, start: int, origin: int, used: Sequence[chess.Square]) -> int:
        """How many pieces were lifted before the one that moved, for nothing."""
        opened = {edge.square for edge in self.edges[start:origin] if edge.seen == EMPTY}
        return len(opened - set(used) - {self.edges[origin].square})


def _where_half_moves_stand(position: Position) -> int:
    """Where something may stand while a move is not finished: in castling, en passant and promotion, as a bitboard."""
    ep = position.board.ep_square
    return LAST_RANKS if ep is None else LAST_RANKS | BB_SQUARES[ep]


def common(lines: Sequence[Line]) -> int:
    """How many moves all the lines begin with alike."""
    shortest = min(len(line.moves) for line in lines)
    first = lines[0].moves
    for index in range(shortest):
        if any(line.moves[index] != first[index] for line in lines):
            return index
    return shortest


def alive(lines: list[Line], most: int = 48) -> list[Line]:
    """The lines worth keeping: one for each position, none much dearer than the cheapest."""
    best: dict[tuple[int, ...], Line] = {}
    for line in sorted(lines, key=lambda line: line.total):
        best.setdefault(line.position.key(), line)
    kept = list(best.values())[:most]
    return [line for line in kept if line.total <= kept[0].total + MARGIN]
