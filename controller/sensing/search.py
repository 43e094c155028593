"""What may hands have done? The legal moves that account for what was seen, and what it costs to believe each line.

The edges since some position, and what the board shows now, are explained by moves best first: by those whose squares
were seen to open and close, and by those of which a part was lost, which costs more. Every search is bounded, by
positions looked at and by moves tried, whatever comes.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import Enum, auto
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import TypeAlias

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, Position, squares
from controller.sensing.budget import Budget
from controller.sensing.costs import (
    CLOSES,
    DROPPED,
    EARLY,
    EXCHANGED,
    HIDDEN,
    LATE,
    MARGIN,
    SETTLING,
    WORKED,
)
from controller.sensing.leftover import left_over
from controller.sensing.looks import FITS, SOMETHING
from controller.sensing.question import Explanation, Line, Made, Question
from controller.sensing.stand import differing

EDGES = 40
"""More edges than these are not explained: that is no play."""

WRONG = 12
"""Nothing is tried with more wrong squares than these."""

DEPTH = 8
"""Moves in one explanation."""

UNUSED = 0.1
"""How dear an edge is thought to be, at least, that no move accounts for yet."""

ASTRAY = 1.0
"""The same of a square where a piece is seen that no move has brought there yet."""

EARLY_MS = 300
"""How long before its origin opens a destination may be seen to close."""


class _Way(Enum):
    """How a move may show."""

    SEEN = auto()  #: by every edge that there is for it
    LATE = auto()  #: by every edge, of which some are seen only after the press that followed it
    TAKEN_LOST = auto()  #: who was taken was not seen to leave; what is seen to leave his square was another
    LANDING_LOST = auto()  #: where it went nothing was seen; what is seen there was another
    SWAPPED = auto()  #: a capture of which the target shows nothing, or only the other piece where the board can tell


_Sign: TypeAlias = tuple[chess.Square, int | None]
"""A square, and the number of the edge there that shows a move."""


def explain(question: Question, budget: Budget) -> list[Explanation]:
    """The likeliest explanations, cheapest first; the empty one, that nothing was made, is not among them."""
    if len(question.edges) > EDGES:
        return []
    return _Search(question, budget).run()


def _unused(numbers: dict[chess.Square, list[int]], used: int) -> int:
    """The squares of which an edge is not accounted for, as a bitboard."""
    found = 0
    for square, of in numbers.items():
        for number in of:
            if not used >> number & 1:
                found |= BB_SQUARES[square]
                break
    return found


def _unwatched(question: Question) -> set[int]:
    """The numbers of the edges that show what changed while nothing was seen: more squares at once than one move
    changes, or two that opened at once; and what was there at first."""
    changed = Counter(edge.ms for edge in question.edges)
    opened = Counter(edge.ms for edge in question.edges if edge.seen == EMPTY)
    return {
        number
        for number, edge in enumerate(question.edges)
        if changed[edge.ms] > 2 or opened[edge.ms] > 1 or number < question.found
    }


class _Search:
    def __init__(self, question: Question, budget: Budget) -> None:
        self.q = question
        self.budget = budget
        self.edges = question.edges
        self.lifts: dict[chess.Square, list[int]] = {}
        self.places: dict[chess.Square, list[int]] = {}
        for number, edge in enumerate(self.edges):
            (self.lifts if edge.seen == EMPTY else self.places).setdefault(edge.square, []).append(number)
        self.unwatched = _unwatched(question)
        self.unwatched_squares = sum({BB_SQUARES[self.edges[number].square] for number in self.unwatched})
        self.tells = any(edge.seen not in (EMPTY, SOMETHING) for edge in self.edges)
        self.shown = sum(BB_SQUARES[square] for square in {*self.lifts, *self.places})

    def run(self) -> list[Explanation]:
        q, order = self.q, count()
        off = differing(q.position, q.looks, chess.BB_ALL) & ~q.blind
        self.filled = sum(BB_SQUARES[square] for square in chess.SQUARES if q.looks[square] != EMPTY)
        heap = [(0.0, next(order), Line(q.position, (), 0, 0.0, off & ~q.left_out, 0))]
        for square in squares(off if q.rates.stuck < inf else 0):
            stuck = BB_SQUARES[square]
            failed = self._failed(square) if stuck & self.shown else 0
            if stuck & self.shown and not failed:
                continue
            cost = self._stuck(stuck)
            line = Line(q.position, (), failed, cost, off & ~q.left_out & ~stuck, 0, stuck)
            heappush(heap, (cost, next(order), line))
        found: dict[tuple[object, ...], Explanation] = {}
        seen: set[tuple[object, ...]] = set()
        self.most = q.most
        while heap and not self.budget.spent:
            _, _, node = heappop(heap)
            if node.cost > self._most(node):
                continue
            self.budget.nodes -= 1
            position = node.before.after(node.moves[-1].move) if node.moves else node.before
            late = any(made.late for made in node.moves)
            key = (position.key(), node.used, late, node.stuck)
            if key in seen:
                continue
            seen.add(key)
            if node.moves and (left := left_over(q, self.lifts, self.places, node, position)) is not None:
                of_stuck = self._stuck(node.stuck)
                settled, open_yet = left
                cost = node.cost + settled + open_yet
                one = Explanation(node.moves, cost, position, open_yet, node.stuck, of_stuck)
                known = found.get((position.key(), late, node.stuck))
                if one.cost <= self._most(node) and (known is None or one.cost < known.cost):
                    found[position.key(), late, node.stuck] = one
                    self.most = min(self.most, one.cost + MARGIN)  # who is much dearer is given up at once
            if len(node.moves) < DEPTH:
                for further in self._further(node, position):
                    heappush(heap, (further.cost + self._ahead(further), next(order), further))
        return sorted(found.values(), key=lambda one: one.cost)

    def _failed(self, square: chess.Square) -> int:
        """The one edge of that square, as a mask, that may have shown how its sensor failed, under a piece or with none
        there: by no hand that is known, and it shows none of a kind. 0 if there is none, or there are others."""
        numbers = [*self.lifts.get(square, ()), *self.places.get(square, ())]
        edge = self.edges[numbers[0]]
        return 1 << numbers[0] if len(numbers) == 1 and edge.white is None and edge.seen in (EMPTY, SOMETHING) else 0

    def _most(self, node: Line) -> float:
        """What it may cost. A sensor that does not work lasts, and pays for itself only later."""
        return self.q.most if node.stuck else self.most

    def _ahead(self, node: Line) -> float:
        """A guess at what is still to be paid, not meant to be too high: for what is seen where nothing has come yet,
        for who is not seen where he came to, nor was seen to leave, and for the edges left."""
        wrong = (node.off & (self.filled | ~_unused(self.lifts, node.used))).bit_count()
        unused = len(self.edges) - node.used.bit_count()
        return ASTRAY * wrong + UNUSED * unused

    def _stuck(self, square: int) -> float:
        """The cost of a sensor that does not work, that of a square as a bitboard; of none if there is none."""
        if not square:
            return 0.0
        worked = WORKED if square & (self.q.worked | self.shown) else 0.0
        return self.q.rates.stuck + worked + (CLOSES if square & self.shown & self.filled else 0.0)

    # -- one move further ------------------------------------------------------------------------------------

    def _further(self, node: Line, position: Position) -> Iterator[Line]:
        q, board = self.q, position.board
        own, theirs = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        opened, filled = _unused(self.lifts, node.used), _unused(self.places, node.used)
        blind = self._blind(node)
        # One more sensor than those that are known may stick: of a square that showed nothing.
        silent = 0 if node.stuck or node.cost + q.rates.stuck > q.most else ~(self.shown | q.blind)
        doubted = silent | blind
        touched = own & (opened | node.off | blind)
        may_lose = [node.cost + self._lost(node.lost, lost) <= self._most(node) for lost in range(3)]
        # A piece that was not seen to leave went where something is seen that does not belong there, or took there, and
        # looks like who was taken.
        targets = node.off & self.filled & ~own if may_lose[1] else 0
        if doubted:
            targets |= (node.off | filled) & self.filled & ~own
        stays = node.stuck & self.shown  # its sensor failed, or else that edge shows a move
        for origin in squares((touched | self._reaching(position, targets)) & ~stays):
            left = BB_SQUARES[origin] & touched
            for move in position.moves_from(origin):
                landed = BB_SQUARES[move.to_square]
                if landed & stays or not (left or landed & targets):
                    continue
                wanted = q.named.get(position.turn, chess.QUEEN)
                if move.promotion and move.promotion != wanted and not self._shows(position, move):
                    continue
                takes = landed & theirs
                # Who landed where nothing was seen, and is not there now, left unseen as well.
                missed = 0 if landed & filled else 1 if landed & self.filled else 2
                if not (takes or may_lose[missed] or landed & doubted):
                    continue  # as nearly always
                if self.budget.spent:
                    return
                seen = list(self._lifts(node.used, position, move))
                unseen = self._squares(position, move) & doubted if doubted else 0
                for way in self._ways(takes != 0, missed, may_lose, position.turn, unseen != 0):
                    for departure, taken in seen:
                        if not (unseen or self._may_show(way, move, missed, takes != 0, departure, taken)):
                            continue
                        for further in self._made(node, position, move, way, departure, taken):
                            if further.cost <= self._most(further):
                                yield further
        yield from self._dropped(node, position, filled)

    def _dropped(self, node: Line, position: Position, filled: int) -> Iterator[Line]:
        """Pieces that the player having the move may have set down from his stock next."""
        board = position.board
        if position.house is None or not len(position.house.pockets[board.turn]):
            return
        came = node.off & self.filled if node.cost + self._lost(node.lost, 1) <= self._most(node) else 0
        for square in squares((filled | came) & ~board.occupied):
            landing = next((number for number in self.places.get(square, ()) if not node.used >> number & 1), None)
            seen = self.q.looks[square] if landing is None else self.edges[landing].seen
            by = None if landing is None else self.edges[landing].white
            drops = [move for move in position.drops(square) if position.changes(move)[0][1] in FITS[seen]]
            if not drops or by not in (None, board.turn) or self._took_unseen(node, position, landing):
                continue
            self.budget.tried -= 1
            move = self._likeliest(position, drops)
            further = self._shown_by(node, position, move, _Way.SEEN, [(square, landing)], node.stuck)
            if further is None:
                continue
            if self._in_hand(node, position, landing):
                further = further.dearer(DROPPED)
            if further.cost <= self._most(further):
                yield further

    def _likeliest(self, position: Position, drops: Sequence[Move]) -> Move:
        """One of the pieces that may have been dropped on a square: which one it was is asked later, and not here."""
        named, stock = self.q.named.get(position.turn), position.house.pockets[position.turn] if position.house else ()
        return max(drops, key=lambda move: (move.drop == named, stock.count(move.drop or 0), move.drop or 0))

    def _in_hand(self, node: Line, position: Position, landing: int | None) -> bool:
        """Whether a piece of the player having the move was off the board when that was set down: it is the one that
        lands, and not one from the stock."""
        own = position.board.occupied_co[position.turn]
        return any(
            own & BB_SQUARES[square] and not node.used >> numbers[-1] & 1 and (landing is None or numbers[-1] < landing)
            for square, numbers in self.lifts.items()
            if self.q.looks[square] == EMPTY
        )

    def _took_unseen(self, node: Line, position: Position, landing: int | None) -> bool:
        """Whether the opponent is thought to have taken unseen just now: what is set down next is he who seems to be in
        hand, unless he has pressed since, or who drops has said so."""
        last = node.moves[-1] if node.moves else None
        if last is None or not last.hidden or position.turn in self.q.named:
            return False
        victim = node.before.captured(last.move)
        began = self.edges[last.edges - 1].ms if last.edges else 0
        pressed = any(
            began <= ms and (landing is None or ms <= self.edges[landing].ms)
            for ms, by in self.q.presses
            if by != position.turn
        )
        return victim == last.move.to_square and not pressed

    def _may_show(
        self, way: _Way, move: Move, missed: int, takes: bool, departure: int | None, taken: int | None
    ) -> bool:
        """Whether a move may show in this way, by the edges with which who moves has left and who is taken; by what is
        cheap to ask, as nearly all may not."""
        if way is _Way.TAKEN_LOST and taken is None:
            return False  # it is lost already
        if way is _Way.SWAPPED and departure is None and not self.tells:
            return False  # nothing at all would have been seen of it
        if way is _Way.SEEN and takes and missed and taken is None and departure is not None:
            return False  # that is exchanged, and cheaper
        if missed == 2 and not takes:
            return departure in self.unwatched  # who went on unseen did so while nothing was seen
        if not self.q.scanned or BB_SQUARES[move.to_square] & self.unwatched_squares:
            return True
        # What stands on a board that is scanned is seen by the next scan, if not by this one.
        if departure is None:  # else it came there unseen, and left so
            return taken is not None or self.q.looks[move.from_square] == EMPTY
        return way is not _Way.LANDING_LOST or departure in self.unwatched

    def _ways(self, takes: bool, missed: int, may_lose: Sequence[bool], white: bool, unseen: bool) -> Iterator[_Way]:
        """How a move may show of whose landing so many edges are missing; ``may_lose``: whether it is not too dear to
        believe that so many were lost; ``unseen``: whether the sensor of one of its squares may not work."""
        if may_lose[missed] or unseen:
            yield _Way.SEEN
        if may_lose[1]:
            if takes:
                yield _Way.TAKEN_LOST
            if not missed:
                yield _Way.LANDING_LOST
        if takes:
            yield _Way.SWAPPED
        if any(by == white for _, by in self.q.presses):
            yield _Way.LATE

    def _reaching(self, position: Position, targets: int) -> int:
        """The pieces of the player having the move that may reach one of these squares, and some that may not."""
        board, found = position.board, 0
        for square in squares(targets):
            found |= board.attackers_mask(board.turn, square)
            found |= chess.BB_FILES[chess.square_file(square)] & board.pawns
        return found & board.occupied_co[board.turn]

    def _blind(self, node: Line) -> int:
        """The squares, as a bitboard, whose sensors do not work."""
        return self.q.blind | node.stuck

    def _squares(self, position: Position, move: Move) -> int:
        """The squares that a move changes, as a bitboard."""
        return sum(BB_SQUARES[square] for square, _ in position.changes(move))

    def _shows(self, position: Position, move: Move) -> bool:
        seen = self.q.looks[move.to_square]
        return len(FITS[seen]) == 1 and dict(position.changes(move))[move.to_square] in FITS[seen]

    def _made(
        self, node: Line, position: Position, move: Move, way: _Way, departure: int | None, taken: int | None
    ) -> Iterator[Line]:
        """``move`` as the next one, with the edges that show it, of which these are known already: who moves has left
        and who is taken. Not where too little shows it; twice where one sensor may not have shown what it should."""
        self.budget.tried -= 1
        signs = self._signs(node, position, move, way, departure, taken)
        if signs is None:
            return
        for stuck in {node.stuck, node.stuck or self._silent(position, move, signs)}:
            further = self._shown_by(node, position, move, way, signs, stuck)
            if further is not None:
                yield further

    def _silent(self, position: Position, move: Move, signs: Sequence[_Sign]) -> int:
        """The square, as a bitboard, that alone does not show this move, and has not changed since: 0 if none, or more
        than one, does not."""
        silent = sum(BB_SQUARES[square] for square in {square for square, number in signs if number is None})
        for square, symbol in position.changes(move):
            silent |= 0 if symbol in FITS[self.q.looks[square]] else BB_SQUARES[square]
        silent &= ~self.q.blind
        if self.q.rates.stuck == inf:
            return 0
        if silent == BB_SQUARES[move.to_square] and self._in_hand_at_a_press(position.turn, signs[0][1]):
            return 0
        return 0 if silent & (silent - 1) or silent & self.shown else silent

    def _in_hand_at_a_press(self, white: bool, departure: int | None) -> bool:
        """Whether the player pressed so soon after his piece left that he cannot have set it down."""
        left = None if departure is None else self.edges[departure].ms
        return left is not None and any(
            by == white and left <= ms < left + self.q.brush_ms for ms, by in self.q.presses
        )

    def _shown_by(
        self, node: Line, position: Position, move: Move, way: _Way, signs: Sequence[_Sign], stuck: int
    ) -> Line | None:
        """The same shown by these edges, with the sensor of one square ``stuck``, as a bitboard; 0 for none."""
        blind, departure = self.q.blind | stuck, signs[0][1]
        used, off, left_out = node.used, node.off & ~stuck, self.q.left_out | blind
        for _, number in signs:
            used |= 0 if number is None else 1 << number
        for square, symbol in position.changes(move):
            fits = symbol in FITS[self.q.looks[square]]
            off = off & ~BB_SQUARES[square] if fits else off | BB_SQUARES[square] & ~left_out
        if off.bit_count() > WRONG:
            return None
        shown = used != node.used or off.bit_count() < node.off.bit_count()
        if not (shown or blind & BB_SQUARES[move.from_square]):
            return None
        lost = sum(number is None and not blind & BB_SQUARES[square] for square, number in signs)
        cost = node.cost + self._lost(node.lost, lost)
        if not shown and way is not _Way.SWAPPED:
            cost += HIDDEN
        if stuck != node.stuck:
            cost += self._stuck(stuck)
        if way is _Way.SWAPPED:
            cost += self.q.rates.swapped if len(signs) == 1 else EXCHANGED
            # There two pieces change hands beside the one taken, and not all of that is missed.
            cost += self.q.rates.lost if move.promotion and position.house is None else 0.0
        seen = [number for _, number in signs]
        if way is _Way.LATE:
            late_ms = self._pressed_before(position.turn, departure, seen)
            if late_ms is None:
                return None
            cost += LATE if late_ms > self.q.settling_ms else SETTLING
        landing = signs[1][1] if len(signs) > 1 else None
        if departure is not None and landing is not None and landing < departure:
            cost += EARLY
        last, before = max((number + 1 for number in seen if number is not None), default=0), node.moves[-1:]
        if before and 0 < last <= self.q.found < before[0].edges:
            return None  # what was found at first was played first
        if before and last < before[0].edges:
            if last:  # for each move of which all was seen only after that
                ms = self.edges[last - 1].ms
                if self.q.scanned and self.edges[before[0].edges - 1].ms - ms > self.q.late_ms:
                    return None  # it would have been seen by then
                cost += LATE * sum(1 for made in node.moves if made.edges and self.edges[made.edges - 1].ms > ms)
            last = before[0].edges
        late = way is _Way.LATE
        hidden = late or None in seen or way is _Way.SWAPPED or last <= self.q.found
        made = Made(move, last, hidden, late, cost - self._stuck(stuck))
        return Line(position, (*node.moves, made), used, cost, off, node.lost + lost, stuck)

    def _pressed_before(self, white: bool, departure: int | None, seen: Sequence[int | None]) -> int | None:
        """How long before the last of these edges, in ms, the player pressed the clock, if he did so after his piece
        left, and not long before."""
        last = max((self.edges[number].ms for number in seen if number is not None), default=0)
        began = self.edges[departure].ms if departure is not None else last
        late = [last - ms for ms, by in self.q.presses if by == white and began <= ms < last <= ms + self.q.late_ms]
        return min(late, default=None)

    def _lost(self, before: int, more: int) -> float:
        """The cost of so many more lost edges, after those lost before."""
        if not more:
            return 0.0
        rates = self.q.rates
        return more * rates.again if before else rates.lost + (more - 1) * rates.again

    def _lifts(self, used: int, position: Position, move: Move) -> Iterator[tuple[int | None, int | None]]:
        """The edges with which who moves may have left, and who is taken."""
        victim = position.captured(move)
        takings: Collection[int | None] = (None,)
        if victim is not None:
            takings = self._departures(used, victim, None)
        for departure in self._departures(used, move.from_square, position.turn):
            for taken in takings:
                yield departure, taken

    def _departures(self, used: int, origin: chess.Square, white: bool | None) -> set[int | None]:
        """The edges with which a piece may have left for good: the first that shows it off its square, or, where it
        was put back since, the last. None if there is none."""
        first = self._next(self.lifts, origin, used, white)
        if first is None or self.q.looks[origin] != EMPTY:
            return {first}
        return {first, self.lifts[origin][-1]}

    def _signs(
        self, node: Line, position: Position, move: Move, way: _Way, departure: int | None, taken: int | None
    ) -> list[_Sign] | None:
        """The squares that show this move, and which edges do, first where it began, then where the piece was set down;
        no edge where it was lost. None in all where it cannot show in this way."""
        used, victim, changes = node.used, position.captured(move), position.changes(move)
        if way is _Way.TAKEN_LOST:
            if taken is None:
                return None  # it is lost already
            taken = None
        landing = self._landing(changes[1], used, departure, taken if victim == move.to_square else None)
        if way is _Way.LANDING_LOST:
            if landing is None:
                return None  # it is lost already
            landing = None
        left, landed = (move.from_square, departure), (move.to_square, landing)
        if way is _Way.SWAPPED:
            landing = self._landing(changes[1], used, departure, None)
            if landing is not None and self._tells(position, move, landing):
                return [left, (move.to_square, landing)]
            # Who came from a square whose sensor does not work may have exchanged unseen as well.
            return None if departure is None and not BB_SQUARES[move.from_square] & self._blind(node) else [left]
        castled = [
            (square, self._next(self.lifts if symbol == EMPTY else self.places, square, used, None))
            for square, symbol in changes[2:]
            if square != victim
        ]
        return [left, landed, *([(victim, taken)] if victim is not None else []), *castled]

    def _next(
        self, numbers: dict[chess.Square, list[int]], square: chess.Square, used: int, white: bool | None
    ) -> int | None:
        """The first edge of that square that is not accounted for; ``white``: of no other hand, where that is known."""
        for number in numbers.get(square, ()):
            if not used >> number & 1 and (white is None or self.edges[number].white in (None, white)):
                return number
        return None

    def _landing(
        self, lands: tuple[chess.Square, str], used: int, departure: int | None, taken: int | None
    ) -> int | None:
        """Where the piece was set down, a square and its FEN letter: after it left, or just before; and after who stood
        there was taken."""
        square, symbol = lands
        for number in self.places.get(square, ()):
            if used >> number & 1 or (taken is not None and number < taken):
                continue
            if symbol not in FITS[self.edges[number].seen]:
                continue
            if departure is None or number > departure:
                return number
            if self.edges[departure].ms - self.edges[number].ms <= EARLY_MS:
                return number
        return None

    def _tells(self, position: Position, move: Move, landing: int) -> bool:
        """Whether the board tells this piece from the one that stood there."""
        seen = self.edges[landing].seen
        return seen != SOMETHING and dict(position.changes(move))[move.to_square] in FITS[seen]
