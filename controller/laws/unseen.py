"""What the sensors did not show whole: moves inferred from what came later, and games that stay open until then."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import cycle
from math import exp

import chess
from chess import BB_SQUARES, Move
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS
from controller.laws.board import may_stand_turned, read_board
from controller.laws.moves import make, take_back
from controller.laws.naming import may_give_way, named, undecided
from controller.laws.record import Beside, beside
from controller.laws.state import TURNED, State, colour, turned
from controller.laws.turn import Raised
from controller.position import EMPTY, uci
from controller.sensing.costs import UNSEEN_CAPTURE
from controller.sensing.explain import Line, Search, alive, common
from controller.sensing.stand import Stand

RETHINK = 12
"""How many moves back an inferred move may be found to have been another."""

LAG = 2
"""How many moves of the likeliest line are held back while there are others."""


def worlds_tell(s: State) -> bool:
    """Whether what the sensors leave open in this game is left to the worlds alone: not in a match, and not while the
    board may stand the other way round, or several lines are followed since it might."""
    return s.board is None and not (s.lines or may_stand_turned(s))


def resolve(s: State, pressed: c.Side | None = None) -> State | None:
    """Explain the board by moves that the sensors did not show whole; None if none explain it.

    ``pressed``: who has just pressed the clock, having made the last of them.
    """
    if worlds_tell(s):
        return None
    presser = None if pressed is None else colour(pressed)
    named_by = {colour(side) for side in s.chosen}
    search = Search(s.trace, s.looks, s.wanted, s.budget, presser, s.blind, s.seen_before(), named_by)
    if s.lines:
        found = [line.then(more) for line in s.lines for more in search.explain(line)]
        found = found or search.explain(s.open)
    else:
        s = replace(s, open=Line((), s.position, s.turn.start), open_at=len(s.made))
        found = [line.then(more) for line in s.shadow or (s.open,) for more in search.explain(line)]
        found = [line for line in found if line.moves]
    if not found:
        s, found = _rethought(s, search)
    if not found:
        return None
    return _settle(replace(s, others=0), alive(found), found)


def lifted_again(s: State) -> State | None:
    """A move is made whose piece is off its square again, now that its player has pressed: it stood there until just
    now, and the opponent is about to take it. None if there is no such move."""
    stood, traces = s.turn.traces.stood, s.turn.traces
    if stood is None or s.lines or s.now - stood[1] >= s.settings.release_ms or traces.refilled is not None:
        return None
    stand, lifted, used = stood
    if s.gone() & ~stand.mask or _slid_on(s, stand, lifted, used):
        return None
    return _made_and_taken_up(s, stand, used)


def promoted_and_lifted(s: State) -> State | None:
    """The same where nobody presses, and nobody said what the pawn is who stood there: the opponent has lifted it, to
    take it, as he now touches a piece of his own. It may as well be off to give way to the piece. None if there is
    none.
    """
    stood = s.turn.traces.stood
    if stood is None or s.lines or s.position.house is not None or s.gone() & ~stood[0].mask:
        return None
    if not undecided(s, stood[0]):
        return None
    return _made_and_taken_up(s, stood[0], stood[2])


def _made_and_taken_up(s: State, stand: Stand, used: int) -> State:
    s = _forget_later_touches(s, used)
    s = make(s, named(s, stand))
    return _take_up(s, used) if s.result is None else s


def _slid_on(s: State, stand: Stand, lifted: c.Ms, used: int) -> bool:
    """Whether that piece was drawn over the square where it stood, on to one that is not seen. It was there for no
    longer than a brush; but who takes a piece in such a flash does it while his player presses, and nobody lands
    elsewhere and presses so soon. From the stock nobody is drawn over the board."""
    square, brush_ms = stand.moves[0].to_square, s.settings.brush_ms
    came = next((edge.ms for edge in reversed(s.trace[:used]) if edge.square == square), lifted)
    return stand.part != "drop" and lifted - came < brush_ms <= s.now - lifted


def moves_if_turned(s: State) -> int:
    """How many first moves explain what is seen, if the board stands the other way round; 0 where none do."""
    trace = [replace(edge, square=edge.square ^ TURNED) for edge in s.trace]
    lines = Search(trace, s.looks[::-1], s.wanted, s.budget, blind=turned(s.blind)).explain(Line((), s.position, 0))
    return max((len(line.moves) for line in lines if line.total < UNSEEN_CAPTURE), default=0)


def ponder(s: State) -> State:
    """Keep in mind what an unseen capture would make of the pieces in hand; the game goes on as it seems."""
    pieces = s.turn.stand.mask
    if worlds_tell(s) or s.senses != "occupancy" or s.lines or not pieces & (pieces - 1):
        return s
    search = Search(s.trace, s.looks, s.wanted, s.budget, blind=s.blind)
    lines = s.shadow or (Line((), s.position, s.turn.start),)
    return replace(s, shadow=tuple(alive([line.then(more) for line in lines for more in search.explain(line)])))


def _rethought(s: State, search: Search) -> tuple[State, list[Line]]:
    """Explain the board from before the last inferred move, if that was another; no lines where it was not."""
    known = s.open_at if s.lines else len(s.made)
    for at in range(known - 1, max(known - 1 - RETHINK, -1), -1):
        made = s.made[at]
        if made.illegal:
            return s, []
        if made.inferred:
            before = Line((), made.before, made.start)
            found = search.explain(before)
            if found:
                return replace(s, open=before, open_at=at), found
    return s, []


def _settle(s: State, lines: Sequence[Line], among: Sequence[Line]) -> State:
    """The game follows the moves on which all lines agree, and the likeliest line at some distance. ``among``: these,
    and those that are followed no further."""
    lines, among = ([line for line in each if _in_stock(s, line)] for each in (lines, among))
    if not lines:
        # What they drop has gone back to the partner's board: nothing explains what is seen.
        return read_board(replace(s, lines=(), ambiguous=()), s.now)
    agreed = common(lines)
    likeliest = lines[0].moves
    if len(lines) == 1:
        if len(likeliest) == 1 and lines[0].cost < UNSEEN_CAPTURE and s.open_at == len(s.made):
            s = _forget_later_touches(s, lines[0].used)
            s = make(s, likeliest[0])
        else:
            s = _follow(s, likeliest, among)
        s = replace(s, lines=(), ambiguous=())
        return _take_up(s, lines[0].used) if s.result is None else s
    s = _follow(s, likeliest[: max(agreed, len(likeliest) - LAG)], among)
    if s.result is not None:
        return s
    if agreed:
        start = Line((), s.made[s.open_at + agreed - 1].after, s.open.used)
        s = replace(s, open=start, open_at=s.open_at + agreed)
    s = replace(s, lines=tuple([replace(line, moves=line.moves[agreed:]) for line in lines]))
    moves = sorted({line.moves[0].uci() for line in s.lines if line.moves})
    if tuple(moves) != s.ambiguous:
        s = replace(s, ambiguous=tuple(moves)).say(c.Ambiguous, moves=moves)
    return read_board(s, s.now).turning(judged=True)


def _in_stock(s: State, line: Line) -> bool:
    """Whether the pieces that this line drops are there."""
    house = s.position.house
    if house is None or not any(move.drop for move in line.moves):
        return True
    there = Counter({(white, kind): house.pockets[white].count(kind) for white in chess.COLORS for kind in KINDS})
    there.update((colour(made.side), made.move.drop) for made in s.made[s.open_at :] if made.move.drop)
    turns = zip(line.moves, cycle((s.open.position.turn, not s.open.position.turn)), strict=False)
    return Counter((white, move.drop) for move, white in turns if move.drop) <= there


def _forget_later_touches(s: State, used: int) -> State:
    """The move was seen whole, another piece off its square: what was lifted after it was not touched in its turn."""
    before = {edge.square for edge in s.trace[s.turn.start : used]}
    later = {edge.square for edge in s.trace[used:]} - before
    return s.turning(touches=tuple([touch for touch in s.turn.touches if touch.square not in later])).derive()


def _follow(s: State, moves: Sequence[Move], among: Sequence[Line]) -> State:
    """Make these the moves since the game became ambiguous; those made before in their place are taken back. They are
    what the likeliest ``among`` some lines has."""
    made = [m.move for m in s.made[s.open_at :]]
    same = 0
    while same < min(len(made), len(moves)) and made[same] == moves[same]:
        same += 1
    if same < len(made):
        s = take_back(s, s.open_at + same)
    for at in range(same, len(moves)):
        s = make(s, moves[at], inferred=True, beside=beside_of(moves[at], at, among)).turning(start=s.open.used)
        if s.result is not None:
            return s
    return s


def beside_of(move: Move, at: int, lines: Sequence[Line]) -> Beside:
    """What these lines have in place of that move, which is number ``at`` in some of them: each weighs the exponential
    of what it costs less."""
    weights: dict[str, float] = defaultdict(float)
    least = min(line.total for line in lines)
    for line in lines:
        weights[uci(line.moves[at]) if at < len(line.moves) else ""] += exp(least - line.total)
    return beside(move, weights)


def decide(s: State) -> State:
    """Take the likeliest line: nothing more will come that could tell."""
    return _settle(s, s.lines[:1], s.lines) if s.lines else s


def _take_up(s: State, used: int) -> State:
    """The game is known again: pieces still off their squares are in the hand of the player having the move."""
    turn, last = replace(s.turn, start=used), s.last()
    promoted = last if s.clock is None and last is not None and last.move.promotion else None
    for edge in s.trace[used:]:
        if edge.seen == EMPTY and s.off & BB_SQUARES[edge.square]:
            gives_way = promoted is not None and may_give_way(s, promoted, edge.square)
            turn = turn.raising(edge.square, Raised(edge.ms, announced=False, exchanged=gives_way))
    return read_board(replace(s, turn=turn), s.now)
