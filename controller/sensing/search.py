"""What may hands have done? The legal moves that account for what was seen, and what it costs to believe each line.

The search explains the edges since some position, and what the board shows now, by lines of moves, the cheapest first:
moves whose squares were seen to open and close, and, for more, moves of which some edges were lost. Every search is
bounded by positions looked at and by moves tried.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from math import inf

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, Position, squares
from controller.sensing import costs
from controller.sensing.budget import LINE, MOVE, NODE, Budget
from controller.sensing.difference import differing
from controller.sensing.dropped import drops
from controller.sensing.laid import Taken, taken_up_from
from controller.sensing.leftover import left_over
from controller.sensing.question import ExplainedMove, Explanation, Line, Question
from controller.sensing.readings import FITS
from controller.sensing.showing import Edges, Sign, Way, silent_lines
from controller.sensing.trace import seen_late
from controller.sensing.unwatched import astray_unseen
from controller.sensing.visited import visits

EDGES = 40
"""If there are more edges than these, nothing is explained: that is no play."""

WRONG = 12
"""A line with more wrong squares than these is not tried."""

DEPTH = 8
"""An explanation has at most so many moves."""

UNUSED = 0.1
"""A low guess at what an edge will cost that no move accounts for yet."""

ASTRAY = 1.0
"""The same for a square with a piece that no move has brought there yet."""

NOWHERE = 3.0
"""The same for a piece that went unseen, and that reaches no such square by its next move. A guess: of 138 games with a
gap of three plies 124 come out right with it, and 120 without."""

FORESEEN = 0.5
"""A line is given up once its cost and this share of those guesses come to too much. Measured: of 212 questions about
boards in disorder 201 get the same answers with it, for two thirds of the work; the whole guess would change 36."""


def explain(question: Question, budget: Budget) -> list[Explanation]:
    """The likeliest explanations, cheapest first; the empty one, without a move, is not among them."""
    if len(question.edges) > EDGES:
        return []
    return _Search(question, budget).run()


class _Search:
    def __init__(self, question: Question, budget: Budget) -> None:
        self.q = question
        self.budget = budget
        self.edges = Edges(question)
        self.latest = max((edge.ms for edge in question.edges), default=0)
        self.filled = sum(BB_SQUARES[square] for square in chess.SQUARES if question.readings[square] != EMPTY)
        self.stuck = question.rates.stuck - (costs.LIKELIER if question.supposed else 0.0)
        self.in_line = silent_lines(question.supposed, self.filled) if self.stuck < inf else 0
        #: the least that a failed sensor may cost
        self.least_stuck = (
            costs.IN_LINE if self.in_line else self.stuck - (costs.TWITCHED if self.edges.only_brushed else 0.0)
        )

    def run(self) -> list[Explanation]:
        q, order = self.q, count()
        mismatch = differing(q.position, q.readings, chess.BB_ALL) & ~q.faulty
        heap = [(0.0, next(order), Line(q.position, (), 0, 0.0, mismatch & ~q.left_out, 0))]
        for square in squares(mismatch if self.stuck < inf else 0):
            stuck = BB_SQUARES[square]
            failed = self.edges.failed(square) if stuck & self.edges.shown else 0
            if stuck & self.edges.shown and not failed:
                continue
            cost = self._stuck(stuck)
            line = Line(q.position, (), failed, cost, mismatch & ~q.left_out & ~stuck, 0, stuck)
            heappush(heap, (cost, next(order), line))
        found: dict[tuple[object, ...], Explanation] = {}
        seen: set[tuple[object, ...]] = set()
        self.most = q.most
        while heap and not self.budget.spent:
            _, _, node = heappop(heap)
            if node.moves and node.cost + FORESEEN * self._ahead(node) > self._most(node):
                continue
            self.budget.left -= NODE
            position = node.before
            if node.moves:
                move = node.moves[-1].move
                position = self.budget.after(position, move, self.edges.exchanged(position, move))
            key = (position.key(), node.used, node.late, node.stuck)
            if key in seen:
                continue
            seen.add(key)
            most, lifts, places = self._most(node), self.edges.lifts, self.edges.places
            if node.moves and (left := left_over(q, lifts, places, node, position, most)) is not None:
                of_stuck = self._stuck(node.stuck)
                cost = node.cost + left.settled + left.open_yet
                foreseen = left.answered + costs.ANNOUNCED * self._announced_out_of_turn(node.moves)
                one = Explanation(
                    node.moves, cost, position, foreseen, left.open_yet, left.nowhere, node.stuck, of_stuck
                )
                known = found.get((position.key(), node.late, node.stuck))
                cheaper = known is None or cost + foreseen < known.cost + known.foreseen
                if cheaper:
                    found[position.key(), node.late, node.stuck] = one
                    # Lines that are much dearer are given up at once.
                    self.most = min(self.most, one.cost + costs.MARGIN)
            if len(node.moves) < DEPTH and not self._asked(node, position):
                for further in self._further(node, position):
                    heappush(heap, (further.cost + self._ahead(further), next(order), further))
        return sorted(found.values(), key=lambda one: one.cost + one.foreseen)

    def _announced_out_of_turn(self, moves: Sequence[ExplainedMove]) -> int:
        """How often a player said "j'adoube" while, by these moves, he did not have the move."""
        if not self.q.announced:
            return 0
        ends = [self.edges.all[made.edges - 1].ms for made in moves if made.edges]
        first = self.q.position.turn
        return sum(white != (first ^ bool(sum(end <= ms for end in ends) % 2)) for ms, white in self.q.announced)

    def _asked(self, node: Line, position: Position) -> bool:
        """Whether the moves that may follow were asked for already, from a later turn: the line has used only edges
        from before that turn, and none of these that is left can be of a later move."""
        asked = self.q.asked
        if asked is None or node.stuck or node.late or node.cost < asked.cost:
            return False
        if node.used >> asked.edges or position.key() != asked.position:
            return False
        left = {edge.square for number, edge in enumerate(self.edges.all[: asked.edges]) if not node.used >> number & 1}
        return left <= {square for made in node.moves for square in (made.move.from_square, made.move.to_square)}

    def _most(self, node: Line) -> float:
        return self._may_cost(node.stuck, node.late)

    def _may_cost(self, stuck: int, late: bool) -> float:
        """What a line may cost. With a failed sensor, or a late move, it may cost as much as at first: a failed sensor
        lasts, and pays off only later; a piece set down before a press explains the press, too."""
        return self.q.most if stuck or late else self.most

    def _ahead(self, node: Line) -> float:
        """A low guess at what is still to be paid: for pieces seen where none has come yet, for pieces not seen where
        they came to though they were not seen to leave, and for the edges left."""
        opened, _ = self.edges.unexplained(node.used)
        wrong = (node.mismatch & (self.filled | ~opened)).bit_count()
        unused = len(self.edges.all) - node.used.bit_count()
        astray = bool(self.edges.unwatched) and astray_unseen(node, self.filled, opened)
        return ASTRAY * wrong + UNUSED * unused + NOWHERE * astray

    def _stuck(self, square: int) -> float:
        """The cost of a failed sensor; ``square``: its square as a bitboard, 0 for none."""
        if not square:
            return 0.0
        if square & self.in_line:
            return costs.IN_LINE
        if square & self.edges.only_brushed:
            return self.stuck - costs.TWITCHED
        worked = costs.WORKED if square & (self.q.worked | self.edges.shown) else 0.0
        closes = costs.CLOSES if square & self.edges.shown & self.filled else 0.0
        if self.edges.tells and square & self.filled & ~self.q.position.board.occupied:
            closes = costs.CLOSES + costs.SHOWS_IT
        return self.stuck + worked + closes

    # -- one move further ------------------------------------------------------------------------------------

    def _further(self, node: Line, position: Position) -> Iterator[Line]:
        q, board = self.q, position.board
        own, theirs = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        opened, filled = self.edges.unexplained(node.used)
        faulty = self.q.faulty | node.stuck
        # One sensor more than those known may have failed: one whose square has shown nothing.
        silent = 0 if node.stuck else ~(self.edges.shown | q.faulty)
        if node.cost + self.stuck > q.most:
            silent &= self.in_line
        doubted = silent | faulty
        touched = own & (opened | node.mismatch | faulty)
        # This move may have been made while nobody looked: then lost edges cost less.
        lose = [self._lost(node.lost, lost, bool(self.edges.unwatched)) for lost in range(3)]
        may_lose = [node.cost + cost <= self._most(node) for cost in lose]
        # A piece that was not seen to leave went where something stands that does not belong there, or captured there,
        # and looks like its victim.
        targets = node.mismatch & self.filled & ~own if may_lose[1] else 0
        if doubted:
            targets |= (node.mismatch & self.filled | filled) & ~own
        stays = node.stuck & self.edges.shown  # the only edge there shows how the sensor failed, and no move
        origins = touched | self._reaching(position, targets)
        recent = self._recent(node)
        # Nearly all moves are ruled out here, as nothing was seen of them. A piece that landed where nothing was seen,
        # and is not there now, has also left unseen, while nobody looked.
        nowhere = ~(self.filled | filled) if doubted or self.edges.unwatched else 0
        where = filled, self.filled & ~filled, nowhere
        shown = theirs | doubted | sum(at for at, may in zip(where, may_lose, strict=True) if may)
        for origin in squares(origins & ~stays):
            left = BB_SQUARES[origin] & touched
            departures = self.edges.left_with(node.used, position, origin)
            for move in position.moves_of(origin):
                landed = BB_SQUARES[move.to_square]
                if position.shuffled and position.castles(move):
                    first, to = position.carried(move)[0]
                    if first != origin:
                        continue  # castling is tried once, with the piece that is carried first
                    landed = BB_SQUARES[to]
                if not landed & shown or landed & stays or not (left or landed & targets):
                    continue
                if move.promotion and not self._may_become(node, position, move, departures[0]):
                    continue
                if self.budget.spent:
                    return
                changed = _squares(position, move)
                takes = landed & theirs != 0
                missed = 0 if landed & filled else 1 if landed & self.filled else 2
                seen = self.edges.seen_with(node.used, position, move, departures)
                if not changed & recent:  # all of the move would have been seen before the last one
                    seen = [(departure, taken) for departure, taken in seen if departure is None]
                unseen = changed & doubted
                for way in self._ways(takes, missed, may_lose, unseen != 0) if seen else ():
                    for departure, taken in seen:
                        if way is Way.TAKEN_LOST and taken is None:
                            continue  # that is SEEN with a lost victim
                        if way is Way.LATE and not self._may_be_late(position.turn, departure):
                            continue
                        if not (unseen or self._may_show(way, position, move, missed, takes, departure, taken)):
                            continue
                        for further in self._made(node, position, move, way, departure, taken):
                            if further.cost <= self._most(further):
                                yield further
        yield from self._dropped(node, position, filled)

    def _recent(self, node: Line) -> int:
        """The squares, as a bitboard, with an edge late enough to belong to the move after the last one."""
        last = node.moves[-1] if node.moves else None
        if last is None or not last.edges:
            return chess.BB_ALL
        found, began = 0, self.edges.all[last.edges - 1].ms - self.q.late_ms
        for number in range(len(self.edges.all) - 1, -1, -1):
            edge = self.edges.all[number]
            if edge.ms < began:
                break
            found |= 0 if node.used >> number & 1 else BB_SQUARES[edge.square]
        return found

    def _dropped(self, node: Line, position: Position, filled: int) -> Iterator[Line]:
        """The lines in which the player having the move drops a piece from his stock next."""
        if node.cost + self._lost(node.lost, 1) <= self._most(node):
            filled |= node.mismatch & self.filled  # the edge there may be lost
        for move, landing, cost in drops(self.q, self.edges, node, position, filled):
            further = self._shown_by(node, position, move, Way.SEEN, [(move.to_square, landing)], node.stuck)
            if further is not None and further.cost + cost <= self._most(further):
                yield further.dearer(cost) if cost else further

    def _may_show(
        self,
        way: Way,
        position: Position,
        move: Move,
        missed: int,
        takes: bool,
        departure: int | None,
        taken: int | None,
    ) -> bool:
        """Whether a move may show in this way, with these edges for its piece and its victim leaving. Only cheap
        checks, which rule out nearly all moves."""
        if way is Way.SWAPPED and departure is None and not self.edges.tells:
            return False  # nothing at all would have been seen of it
        if way is Way.SEEN and takes and missed and taken is None and departure is not None:
            return False  # SWAPPED explains the same, and is cheaper
        if missed == 2 and not takes:
            return departure in self.edges.unwatched  # a piece that landed and left unseen did so while nobody looked
        origin, to = position.carried(move)[0]
        if not self.q.scanned or BB_SQUARES[to] & self.edges.unwatched_squares:
            return True
        # On a scanned board, what stands somewhere is seen by the next scan, if not by this one.
        if departure is None:  # else the piece came to its origin unseen, and left it unseen
            return taken is not None or self.q.readings[origin] == EMPTY
        return way is not Way.LANDING_LOST or departure in self.edges.unwatched

    def _ways(self, takes: bool, missed: int, may_lose: Sequence[bool], unseen: bool) -> Iterator[Way]:
        """The ways in which a move may show of whose landing ``missed`` edges are missing. ``may_lose``: by number,
        whether so many lost edges are not too dear; ``unseen``: whether the sensor of one of its squares may have
        failed."""
        if may_lose[missed] or unseen:
            yield Way.SEEN
        if may_lose[1]:
            if takes:
                yield Way.TAKEN_LOST
            if not missed:
                yield Way.LANDING_LOST
        if takes:
            yield Way.SWAPPED
        if self.q.presses:
            yield Way.LATE

    def _may_be_late(self, white: bool, departure: int | None) -> bool:
        """Whether that player pressed after his piece left, and something was seen after that press."""
        if departure is None:
            return False
        left = self.edges.all[departure].ms
        return any(by == white and left <= ms < self.latest for ms, by in self.q.presses)

    def _reaching(self, position: Position, targets: int) -> int:
        """The pieces of the player having the move that may reach one of these squares, and some more: a bitboard."""
        board, found = position.board, 0
        for square in squares(targets):
            found |= board.attackers_mask(board.turn, square)
            found |= chess.BB_FILES[chess.square_file(square)] & board.pawns
        return found & board.occupied_co[board.turn]

    def _may_become(self, node: Line, position: Position, move: Move, departure: int | None) -> bool:
        """Whether this promotion is to the piece that the board shows, or has shown; else to the one named; else to a
        queen."""
        said = self.edges.shown_new(position, move) or self.q.named_with(node.moves, position.turn, departure)
        return move.promotion in (said or (chess.QUEEN,))

    def _made(
        self, node: Line, position: Position, move: Move, way: Way, departure: int | None, taken: int | None
    ) -> Iterator[Line]:
        """The lines with ``move`` as the next one, and the edges that show it; those for its piece and its victim
        leaving are given. None if too little shows it. Two if one sensor may have failed, or if the piece may have
        tapped its destination before it was released there."""
        tapped = self.edges.tapped.get(move.to_square, 0) & ~node.used
        for used in (node.used, node.used | tapped) if tapped else (node.used,):
            self.budget.left -= MOVE
            signs = self.edges.signs(used, self.q.faulty | node.stuck, position, move, way, departure, taken)
            if signs is None:
                continue
            lines = [self._shown_by(node, position, move, way, signs, node.stuck)]
            if way is Way.SWAPPED and (visited := visits(self.q, used, position, move, departure)) is not None:
                further = self._shown_by(node, position, move, way, signs, node.stuck, visited.edges)
                lines.append(further and further.dearer(visited.cost))
            may_fail = not node.stuck and self.stuck < inf and node.cost + self.least_stuck <= self.q.most
            if may_fail and (stuck := self._silent(position, move, signs)):
                lines.append(self._shown_by(node, position, move, way, signs, stuck))
            for further in lines:
                if further is not None:
                    yield further

    def _silent(self, position: Position, move: Move, signs: Sequence[Sign]) -> int:
        """The only square, as a bitboard, that does not show this move, if it has shown no edge at all; else 0."""
        silent = sum(BB_SQUARES[square] for square in {square for square, number in signs if number is None})
        for square, symbol in self.edges.changes(position, move):
            silent |= 0 if symbol in FITS[self.q.readings[square]] else BB_SQUARES[square]
        silent &= ~self.q.faulty
        if silent == BB_SQUARES[position.landing(move)] and self._in_hand_at_a_press(position.turn, signs[0][1]):
            return 0
        return 0 if silent & (silent - 1) or silent & self.edges.shown else silent

    def _in_hand_at_a_press(self, white: bool, departure: int | None) -> bool:
        """Whether the player pressed so soon after his piece left that he cannot have set it down."""
        left = None if departure is None else self.edges.all[departure].ms
        return left is not None and any(
            by == white and left <= ms < left + self.q.brush_ms for ms, by in self.q.presses
        )

    def _shown_by(
        self, node: Line, position: Position, move: Move, way: Way, signs: Sequence[Sign], stuck: int, more: int = 0
    ) -> Line | None:
        """The line with ``move`` shown by these edges, and ``more``, a mask; ``stuck``: the square, as a bitboard, of a
        failed sensor, 0 for none. None if that cannot be."""
        self.budget.left -= LINE
        faulty, departure = self.q.faulty | stuck, signs[0][1]
        if stuck and self._rook_first(position, move, signs):
            return None  # a failed sensor must not hide that the rook was moved first (4.4.2)
        used, last, lost, unwatched = node.used | more, more.bit_length(), 0, False
        for square, number in signs:
            if number is None:
                lost += not faulty & BB_SQUARES[square]
                continue
            used |= 1 << number
            if number >= last:
                last = number + 1
            unwatched = unwatched or number in self.edges.unwatched
        cost = node.cost + (self._lost(node.lost, lost, unwatched) if lost else 0.0)
        if cost > self._may_cost(stuck, node.late or way is Way.LATE):
            return None
        before, late_moves = node.moves[-1] if node.moves else None, 0
        if before is not None and last < before.edges:
            if 0 < last <= self.q.found:
                return None  # what a first reading found was played before all that was seen
            if last:
                ms = self.edges.all[last - 1].ms
                if self.edges.all[before.edges - 1].ms - ms > self.q.late_ms:
                    return None  # the move would have been seen before the last one
                late_moves = sum(1 for made in node.moves if made.edges and self.edges.all[made.edges - 1].ms > ms)
            last = before.edges
        mismatch, left_out = node.mismatch & ~stuck, self.q.left_out | faulty
        for square, symbol in self.edges.changes(position, move):
            if symbol in FITS[self.q.readings[square]]:
                mismatch &= ~BB_SQUARES[square]
            else:
                mismatch |= BB_SQUARES[square] & ~left_out
        wrong = mismatch.bit_count()
        if wrong > WRONG:
            return None
        shown = used != node.used or wrong < node.mismatch.bit_count()
        if not (shown or faulty & BB_SQUARES[position.carried(move)[0][0]]):
            return None
        cost += costs.LATE * late_moves
        if not shown and way is not Way.SWAPPED:
            cost += costs.HIDDEN
        if stuck != node.stuck:
            cost += self._stuck(stuck)
        if way is Way.SWAPPED:
            cost += self.q.rates.swapped if len(signs) == 1 else costs.EXCHANGED
            if len(signs) == 1 and self.edges.tells and self.q.watched:
                # A board that sends every edge would have shown the piece.
                cost += max(costs.VANISHED, self.q.rates.lost)
            # For a capture with promotion hands exchange two more pieces, and a board does not miss all of that.
            cost += self.q.rates.lost if move.promotion and position.drop_board is None else 0.0
        if way is Way.LATE:
            of_late = self._late(position.turn, departure, [number for _, number in signs if number is not None])
            if of_late is None:
                return None
            cost += of_late
        landing = signs[1][1] if len(signs) > 1 else None
        if departure is not None and landing is not None and landing < departure:
            early_ms = 0 if move.promotion else self.edges.all[departure].ms - self.edges.all[landing].ms
            cost += costs.earliness(early_ms)
        late = way is Way.LATE
        unseen = any(number is None for _, number in signs)
        hidden = late or unseen or way is Way.SWAPPED or last <= self.q.found
        made = ExplainedMove(move, last, hidden, late, cost - self._stuck(stuck))
        taken = (*node.taken, *self._taken(position, move, signs))
        moves = (*node.moves, made)
        return Line(position, moves, used, cost, mismatch, node.lost + lost, stuck, node.late or late, taken)

    def _taken(self, position: Position, move: Move, signs: Sequence[Sign]) -> Iterator[Taken]:
        """The piece that this move captures, if any: it may stand elsewhere once its square shows the capture. If that
        shows nothing, only after the press: what is set down before it is more likely the piece in hand."""
        victim = position.captured(move)
        if victim is None:
            return
        seen = [number for square, number in signs if square == victim and number is not None]
        left = 0 if signs[0][1] is None else self.edges.all[signs[0][1]].ms
        since = self.edges.all[seen[-1]].ms if seen else self.q.pressed_by(position.turn, left)
        if since is not None:
            yield Taken(position.symbols[victim], since, taken_up_from(position, move.from_square, left))

    def _rook_first(self, position: Position, move: Move, signs: Sequence[Sign]) -> bool:
        """Whether castling shows that the rook was set down well before the king left."""
        king, rook = signs[0][1], signs[-1][1]
        if king is None or rook is None or not position.castles(move) or len(signs) < 4:
            return False
        return self.edges.all[king].ms - self.edges.all[rook].ms > self.q.brush_ms

    def _late(self, white: bool, departure: int | None, seen: Sequence[int]) -> float | None:
        """What it costs that the last of these edges is seen only after its player's press. He must have pressed after
        his piece left and not long before that edge; or the look that would have shown it was lost, as the one that
        does shows other changes, too. None if that is not so."""
        number = max(seen, key=lambda each: self.edges.all[each].ms, default=None)
        last = 0 if number is None else self.edges.all[number].ms
        began = self.edges.all[departure].ms if departure is not None else last
        pressed = [last - ms for ms, by in self.q.presses if by == white and began <= ms < last]
        if number is None or not pressed:
            return None
        late_ms = min(pressed)
        if late_ms <= self.q.late_ms:
            return costs.lateness(late_ms) if late_ms > self.q.settling_ms else costs.SETTLING
        return self.q.rates.lost if self.q.by_scans and seen_late(self.edges.all, number) else None

    def _lost(self, before: int, more: int, unwatched: bool = False) -> float:
        """The cost of ``more`` lost edges, if ``before`` were lost before; ``unwatched``: while nobody looked."""
        if not more:
            return 0.0
        rates = self.q.rates
        first, again = (costs.UNWATCHED, costs.UNWATCHED_TOO) if unwatched else (rates.lost, rates.again)
        return more * again if before else first + (more - 1) * again


def _squares(position: Position, move: Move) -> int:
    """The squares that a move changes, as a bitboard."""
    if position.castles(move):
        return position.changed(move)
    victim = position.captured(move)
    taken = 0 if victim is None else BB_SQUARES[victim]
    return BB_SQUARES[move.from_square] | BB_SQUARES[move.to_square] | taken
