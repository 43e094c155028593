"""Boards replayed with some dropped or promoted pieces renamed: which position that leads to, whether it fits, and what
is told then. Nothing is judged again: the moves stay what hands did (:mod:`controller.laws.drop_names`).
"""

from collections import Counter
from enum import IntEnum, auto
from heapq import merge
from itertools import product

import chess
from chess import Move
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS
from controller.laws.board import read_board
from controller.laws.drop_kinds import Boards, Names, both_boards
from controller.laws.moves import report, report_completed
from controller.laws.record import changed_by
from controller.laws.state import State, colour
from controller.laws.stock import Change, owe_drop, passed_at, passed_on, replenished, restock, say_stock, stocks, taken
from controller.position import Position, uci
from controller.sensing.difference import Kind, differing, read

LAWFUL = (Kind.QUIET, Kind.WHOLE, Kind.PARTIAL)
MATES = ("checkmate", "stalemate")
"""Results that may hold under one name of a piece and not under another."""


def lawful(s: State, position: Position) -> bool:
    mismatch = differing(position, s.readings, chess.BB_ALL) & ~s.not_by_mover
    return read(position, s.readings, mismatch, s.turn.traces).kind in LAWFUL


class Step(IntEnum):
    """What happens on a board; at the same time on both boards, in this order."""

    MADE = auto()
    PASSED = auto()  #: a piece goes to the partner
    DROPPED = auto()


class Anew(Struct):
    """One board replayed, with some of the dropped pieces renamed."""

    moves: list[tuple[Position, Move, Position]] = []  #: before, move, after, from the first move on
    position: Position | None = None  #: after the last move; None while nothing has changed
    change: Change = {}  #: by how much the stocks differ from what they were at the start


def apply(s: State, names: Names, mates: bool = False, told: bool = False) -> State | None:
    """The state with these names given, and with all that follows from them; None if they do not fit. ``told``: the
    player has said so, so what stands on the board need not fit. ``mates``: the last move must be mate."""
    through = _through(s, names, mates, told)
    if through is None:
        return None
    boards = {}
    written = {name: _write(each, through[name][0]) for name, each in both_boards(s).items()}
    for name, (each, before) in written.items():
        shares = [passed_on(other) for n, (other, _) in written.items() if n != name]
        each = replace(each, now=max(each.now, s.now), received=shares[0] if shares else each.received)
        each = _say_anew(each, before)
        each = _go_on(each, through[name][1])
        boards[name] = say_stock(each)
    here = boards.pop(s.board)
    if s.partner is None:
        return here
    (partner,) = boards.values()
    return replace(here, partner=partner)


def names_given(before: State, after: State) -> Names:
    """The pieces of one board whose names differ between ``before`` and ``after``, with their new names."""
    both = enumerate(zip(before.made, after.made, strict=False))
    return {
        (after.board, at): kind
        for at, (was, now) in both
        if now.move != was.move and (kind := now.move.drop or now.move.promotion)
    }


def as_named(s: State, partner: State, names: Names) -> State:
    """The state with these names, which play on the other board, then in the state ``partner``, has shown; the same
    state if they do not fit what was played here."""
    anew = _play_through({"A": s, "B": partner} if s.board == "A" else {"A": partner, "B": s}, names)
    if anew is None:
        return s
    here = anew[s.board]
    written, told = _write(s, here)
    if s.partner is not None:
        written = replace(written, received=passed_on(s.partner))
    return restock(_go_on(_say_anew(written, told), _end(s, here)))


def fits(s: State, names: Names, mates: bool = False, told: bool = False) -> bool:
    """Whether nothing on either board speaks against these names; ``told``: as in :func:`apply`."""
    return _through(s, names, mates, told) is not None


def _through(
    s: State, names: Names, mates: bool, told: bool = False
) -> dict[c.BoardId | None, tuple[Anew, Position]] | None:
    """Both boards replayed, each with its last position; None if a later move would be unlawful, or if what stands on
    this board would. ``mates``: this board's last move has to be mate."""
    if not s.budget.play():
        return None
    boards = both_boards(s)
    anew = _play_through(boards, names)
    if anew is None:
        return None
    ends = {name: _end(each, anew[name]) for name, each in boards.items()}
    over = {
        name: (each.result is not None and each.result.reason in MATES) or (mates and name == s.board)
        for name, each in boards.items()
    }
    if not (told or lawful(s, ends[s.board])) or not all(_ends(each, ends[n], over[n]) for n, each in boards.items()):
        return None
    return {name: (anew[name], ends[name]) for name in anew}


def _play_through(boards: Boards, names: Names) -> dict[c.BoardId | None, Anew] | None:
    """Replay both boards from the start, in the order of time; None if a move becomes unlawful.

    The stocks are counted anew, too, as a piece may have been dropped before its capture was found out.
    """
    anew = {name: Anew() for name in boards}
    for _, step, name, at in merge(*[_steps(name, s) for name, s in boards.items()], key=lambda each: each[:2]):
        here, s = anew[name], boards[name]
        made = s.made[at]
        if step is Step.PASSED:
            partner = next((other for other in boards if other != name), None)
            takes = taken(*here.moves[at][:2])
            if partner is not None and made.takes and takes:
                _count(anew[partner], not colour(made.side), takes, 1)
            continue
        kind = names.get((name, at), made.move.drop)
        if here.position is None and ((name, at) not in names or (made.move.drop and made.move.drop == kind)):
            here.moves.append((made.before, made.move, made.after))
        else:
            before_it = here.position or made.before
            if before_it.drop_board is not None:
                before_it = before_it.stocked(stocks(s.start, here.change))
            move = _renamed(before_it, made.move, names.get((name, at)))
            if move is None or made.illegal:
                return None
            here.position = before_it.after(move)
            here.moves.append((before_it, move, here.position))
        if dropped := here.moves[-1][1].drop:
            _count(here, colour(made.side), dropped, -1)
    return anew


def _steps(name: c.BoardId | None, s: State) -> list[tuple[c.Ms, Step, c.BoardId | None, int]]:
    """What happened on a board, in order: when, what, on which board, and with which move, from 0."""
    steps = [(made.ms, Step.DROPPED if made.move.drop else Step.MADE, name, at) for at, made in enumerate(s.made)]
    passed = [(passed_at(s, at), at) for at in range(len(s.made))]
    steps += [(ms, Step.PASSED, name, at) for ms, at in passed if ms is not None]
    return sorted(steps, key=lambda step: (step[0], step[3]))


def _count(anew: Anew, white: chess.Color, kind: chess.PieceType, by: int) -> None:
    anew.change = {**anew.change, (white, kind): anew.change.get((white, kind), 0) + by}


def _renamed(position: Position, move: Move, kind: chess.PieceType | None) -> Move | None:
    """The lawful move with the same squares in this position, under the name ``kind`` if given; a pawn on its last rank
    becomes a queen by default. None if there is none."""
    if move.drop:
        meant = Move(move.to_square, move.to_square, drop=kind or move.drop)
        return meant if meant in position.drops(move.to_square) else None
    same = [m for m in position.moves_from(move.from_square) if m.to_square == move.to_square]
    wanted = kind or move.promotion or chess.QUEEN
    return next((m for m in same if m.promotion in (None, wanted)), None)


def _end(s: State, anew: Anew) -> Position:
    """The position of the board after the replay."""
    end, now = anew.position or s.position, s.position.drop_board
    if now is None or s.start.drop_board is None:
        return end
    change = Counter(anew.change)
    for white, kind in product(chess.COLORS, KINDS):
        change[white, kind] -= now.lost[white].count(kind)
    stock = stocks(s.start, change)
    return end if end is s.position and stock == now.pockets else end.stocked(stock, now.lost)


def _ends(s: State, position: Position, over: bool) -> bool:
    """Whether the position ends the game if it has to (``over``), and else leaves a legal move."""
    return (position is s.position and not over) or position.has_legal_move() != over


def _write(s: State, anew: Anew) -> tuple[State, list[tuple[Move, Position]]]:
    """The state with the new names in the record; and the moves from the first renamed one on, as they were told."""
    first = next((i for i, (_, move, _) in enumerate(anew.moves) if move != s.made[i].move), len(s.made))
    told = [(made.move, made.before) for made in s.made[first:]]
    written = [
        replace(
            made,
            before=before,
            move=move,
            after=after,
            takes=taken(before, move),
            changed=changed_by(before, after) if move else made.changed,
            unnamed=made.unnamed or bool(move.promotion and move != made.move),
        )
        for made, (before, move, after) in zip(s.made, anew.moves, strict=True)
    ]
    return replace(s, made=tuple(written)), told


def _say_anew(s: State, told: list[tuple[Move, Position]]) -> State:
    """Take back the moves that were told, and tell them under their new names."""
    first = len(s.made) - len(told)
    for at, (move, before) in reversed(list(enumerate(told, first))):
        if s.made[at].reported:
            position = replenished(s, s.made[first].before, first) if at == first else before
            s = s.say(c.Retract, uci=uci(move), fen=position.fen())
    for at in range(first, len(s.made)):
        if s.made[at].reported:
            s = report(s, at)
            if s.made[at].completed:
                s = report_completed(s, at)
    return s


def _go_on(s: State, end: Position) -> State:
    """Go on with the turn from the replayed position. A result proposed, or to be proposed, for a mate lapses."""
    notices = tuple([notice for notice in s.notices if notice.result is None or notice.result.reason not in MATES])
    s = replace(s, position=end, mismatch=differing(end, s.readings, chess.BB_ALL), notices=notices, unproven=None)
    partial_move = s.turn.partial_move
    if partial_move is not None and partial_move.part == "drop":
        kinds = {kind for kind in KINDS if end.drop_board and end.drop_board.pockets[end.turn].count(kind)}
        s = owe_drop(s.turning(partial_move=None), kinds, partial_move.laid)
    s = s.derive()
    return read_board(s, s.turn.stands_since)  # the pieces have not moved meanwhile
