"""What the sensors did not show whole: moves inferred from what came later, and games that stay open until then."""

from collections import Counter
from collections.abc import Sequence
from itertools import cycle

import chess
from chess import BB_SQUARES, Move
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS
from controller.laws.board import read_board
from controller.laws.moves import make, take_back
from controller.laws.naming import named
from controller.laws.state import TURNED, State, colour, turned
from controller.laws.turn import Raised
from controller.position import EMPTY
from controller.sensing.explain import UNSEEN_CAPTURE, Line, Search, alive, common
from controller.sensing.stand import Stand

RETHINK = 12
"""How many moves back an inferred move may be found to have been another."""

LAG = 2
"""How many moves of the likeliest line are held back while there are others."""


def resolve(s: State, pressed: c.Side | None = None) -> bool:
    """Explain the board by moves that the sensors did not show whole; False if none explain it.

    ``pressed``: who has just pressed the clock, having made the last of them.
    """
    presser = None if pressed is None else colour(pressed)
    search = Search(s.trace, s.looks, s.wanted, presser, s.blind, s.seen_before(), {colour(side) for side in s.chosen})
    if s.lines:
        found = [line.then(more) for line in s.lines for more in search.explain(line)]
        found = found or search.explain(s.open) or _rethought(s, search)
    else:
        s.open, s.open_at = Line((), s.position, s.turn.start), len(s.made)
        found = [line.then(more) for line in s.shadow or [s.open] for more in search.explain(line)]
        found = [line for line in found if line.moves] or _rethought(s, search)
    if not found:
        return False
    s.others = 0
    _settle(s, alive(found))
    return True


def lifted_again(s: State) -> bool:
    """Whether a move was made whose man is off its square again, now that its player has pressed: it stood there until
    just now, and the opponent is about to take it."""
    stood, traces = s.turn.traces.stood, s.turn.traces
    if stood is None or s.lines or s.now - stood[1] >= s.settings.release_ms or traces.refilled is not None:
        return False
    stand, lifted, used = stood
    if s.gone() & ~stand.mask or _slid_on(s, stand, lifted, used):
        return False
    _forget_later_touches(s, used)
    make(s, named(s, stand))
    if s.result is None:
        _take_up(s, used)
    return True


def _slid_on(s: State, stand: Stand, lifted: c.Ms, used: int) -> bool:
    """Whether that man was drawn over the square where he stood, on to one that is not seen. He was there for no longer
    than a brush; but who takes a man in such a flash does it while his player presses, and nobody lands elsewhere and
    presses so soon. From the stock nobody is drawn over the board."""
    square, brush_ms = stand.moves[0].to_square, s.settings.brush_ms
    came = next((edge.ms for edge in reversed(s.trace[:used]) if edge.square == square), lifted)
    return stand.part != "drop" and lifted - came < brush_ms <= s.now - lifted


def moves_if_turned(s: State) -> int:
    """How many first moves explain what is seen, if the board stands the other way round; 0 where none do."""
    trace = [replace(edge, square=edge.square ^ TURNED) for edge in s.trace]
    lines = Search(trace, s.looks[::-1], s.wanted, None, turned(s.blind)).explain(Line((), s.position, 0))
    return max((len(line.moves) for line in lines if line.total < UNSEEN_CAPTURE), default=0)


def ponder(s: State) -> None:
    """Keep in mind what an unseen capture would make of the men in hand; the game goes on as it seems."""
    men = s.turn.stand.mask
    if s.senses == "occupancy" and not s.lines and men & (men - 1):
        search = Search(s.trace, s.looks, s.wanted, None, s.blind)
        lines = s.shadow or [Line((), s.position, s.turn.start)]
        s.shadow = alive([line.then(more) for line in lines for more in search.explain(line)])


def _rethought(s: State, search: Search) -> list[Line]:
    """Explain the board from before the last inferred move, if that was another."""
    known = s.open_at if s.lines else len(s.made)
    for at in range(known - 1, max(known - 1 - RETHINK, -1), -1):
        made = s.made[at]
        if made.illegal:
            return []
        if made.inferred:
            before = Line((), made.before, made.start)
            found = search.explain(before)
            if found:
                s.open, s.open_at = before, at
                return found
    return []


def _settle(s: State, lines: list[Line]) -> None:
    """The game follows the moves on which all lines agree, and the likeliest line at some distance."""
    lines = [line for line in lines if _in_stock(s, line)]
    if not lines:
        # What they drop has gone back to the partner's board: nothing explains what is seen.
        s.lines, s.ambiguous = [], []
        read_board(s, s.now)
        return
    agreed = common(lines)
    likeliest = lines[0].moves
    if len(lines) == 1:
        if len(likeliest) == 1 and lines[0].cost < UNSEEN_CAPTURE and s.open_at == len(s.made):
            _forget_later_touches(s, lines[0].used)
            make(s, likeliest[0])
        else:
            _follow(s, likeliest)
        s.lines, s.ambiguous = [], []
        if s.result is None:
            _take_up(s, lines[0].used)
        return
    _follow(s, likeliest[: max(agreed, len(likeliest) - LAG)])
    if s.result is not None:
        return
    if agreed:
        s.open = Line((), s.made[s.open_at + agreed - 1].after, s.open.used)
        s.open_at += agreed
    s.lines = [replace(line, moves=line.moves[agreed:]) for line in lines]
    moves = sorted({line.moves[0].uci() for line in s.lines if line.moves})
    if moves != s.ambiguous:
        s.ambiguous = moves
        s.emit(c.Ambiguous, moves=moves)
    read_board(s, s.now)
    s.turn.judged = True


def _in_stock(s: State, line: Line) -> bool:
    """Whether the men that this line drops are there."""
    house = s.position.house
    if house is None or not any(move.drop for move in line.moves):
        return True
    there = Counter({(white, kind): house.pockets[white].count(kind) for white in chess.COLORS for kind in KINDS})
    there.update((colour(made.side), made.move.drop) for made in s.made[s.open_at :] if made.move.drop)
    turns = zip(line.moves, cycle((s.open.position.turn, not s.open.position.turn)), strict=False)
    return Counter((white, move.drop) for move, white in turns if move.drop) <= there


def _forget_later_touches(s: State, used: int) -> None:
    """The move was seen whole, another man off its square: what was lifted after it was not touched in its turn."""
    before = {edge.square for edge in s.trace[s.turn.start : used]}
    later = {edge.square for edge in s.trace[used:]} - before
    s.turn.touches = [touch for touch in s.turn.touches if touch.square not in later]
    s.derive()


def _follow(s: State, moves: Sequence[Move]) -> None:
    """Make these the moves since the game became ambiguous; those made before in their place are taken back."""
    made = [m.move for m in s.made[s.open_at :]]
    same = 0
    while same < min(len(made), len(moves)) and made[same] == moves[same]:
        same += 1
    if same < len(made):
        take_back(s, s.open_at + same)
    for move in moves[same:]:
        make(s, move, inferred=True)
        s.turn.start = s.open.used
        if s.result is not None:
            return


def decide(s: State) -> None:
    """Take the likeliest line: nothing more will come that could tell."""
    if s.lines:
        _settle(s, s.lines[:1])


def _take_up(s: State, used: int) -> None:
    """The game is known again: men still off their squares are in the hand of the player having the move."""
    s.turn.start = used
    for edge in s.trace[used:]:
        if edge.seen == EMPTY and s.off & BB_SQUARES[edge.square]:
            s.turn.raised[edge.square] = Raised(edge.ms, announced=False)
    read_board(s, s.now)
