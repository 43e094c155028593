"""Which man was dropped, or what a pawn became, where neither the board nor a button says (7, 9).

A man that stands there is named by the player's choice; else, when play goes on, by what his stock makes likeliest, and
anew when later play shows that it must have been another. Numbers in brackets: the articles of the blitz à quatre.
"""

from collections import Counter
from collections.abc import Sequence

import chess
from chess import Move

from controller import contract as c
from controller.laws.board import read_board
from controller.laws.moves import make, take_back
from controller.laws.state import State
from controller.laws.stock import stocks
from controller.position import Position, uci
from controller.sensing.stand import Kind, Stand, differing, read

REPLAYS = 200
"""How many namings are tried at most before what is seen is taken for what it seems."""

LAWFUL = (Kind.QUIET, Kind.WHOLE, Kind.HALF)


def named(s: State, stand: Stand) -> tuple[Move, tuple[Move, ...]]:
    """The move of a whole stand, and what it might be as well where nobody has said."""
    if undecided(s, stand):
        return likeliest(s, stand.moves), stand.moves
    return s.pick(stand), ()


def undecided(s: State, stand: Stand) -> bool:
    """Whether a move stands there that has several names, and the player has not said which."""
    if s.position.house is None or stand.kind is not Kind.WHOLE or len(stand.moves) < 2:
        return False
    chosen = s.chosen.get(s.turn.side)
    return not any(chosen == (move.drop or move.promotion) for move in stand.moves)


def _by_habit(move: Move) -> int:
    """Promotions as they are common: a queen, a knight, and the others (9)."""
    return (chess.QUEEN, chess.KNIGHT, chess.ROOK, chess.BISHOP).index(move.promotion) if move.promotion else 0


def ask(s: State, stand: Stand) -> None:
    """Say what it may be."""
    names = sorted([uci(move) for move in stand.moves])
    if names != s.ambiguous:
        s.ambiguous = names
        s.emit(c.Ambiguous, moves=names)


def likeliest(s: State, moves: Sequence[Move]) -> Move:
    """The name to go on with: a queen, or of what is in stock the most; one that ends the game only if all do."""
    house = s.position.house
    assert house is not None
    stock = house.pockets[house.turn]
    quiet = [move for move in moves if s.position.after(move).has_legal_move()] or list(moves)
    return max(quiet, key=lambda move: (move.promotion or 0, stock.count(move.drop) if move.drop else 0))


def said_late(s: State, side: c.Side, kind: chess.PieceType) -> bool:
    """Whether ``side`` names by button what he has just dropped or promoted, and not what he will."""
    last = s.last()
    if s.position.house is None or last is None or last.side != side or not last.reported or s.lines:
        return False
    said = last.move.drop or last.move.promotion
    if kind != said:
        move = next((m for m in last.might_be if kind == (m.drop or m.promotion)), None)
        renamed = None if move is None else _replayed(s, len(s.made) - 1, move)
        if renamed is None:
            return False
        _play_anew(s, len(s.made) - 1, renamed[0])
    s.made[-1].might_be = ()
    return True


def rename(s: State) -> bool:
    """Name moves anew so that what stands on the board is lawful; False, and nothing changed, where no name helps.

    The latest move whose name is open comes first. Those after it must all be lawful still.
    """
    if s.position.house is None or s.stopped or s.lines:
        return False
    traces = s.turn.traces
    refilled, traces.refilled = traces.refilled, None
    if refilled is not None:
        traces.retaken = refilled  # by another name, the man in hand may have taken there
    renamed = _rename(s)
    if refilled is not None and not renamed:
        traces.retaken, traces.refilled = None, refilled
    return renamed


def _rename(s: State) -> bool:
    tried = 0
    for at in range(len(s.made) - 1, -1, -1):
        made = s.made[at]
        if made.illegal or not made.reported:
            return False
        for move in sorted(made.might_be, key=_by_habit):
            if move == made.move:
                continue
            tried += 1
            if tried > REPLAYS:
                return False
            renamed = _replayed(s, at, move)
            if renamed is not None and _explains(s, renamed[1]):
                _play_anew(s, at, renamed[0])
                return True
    return False


def _replayed(s: State, at: int, first: Move) -> tuple[list[Move], Position] | None:
    """The moves from number ``at`` on with another name for that one; None where one of them becomes unlawful.

    What the new name uses up is not there for a later drop: that one takes a name that is left.
    """
    moves: list[Move] = []
    position, change = s.made[at].before, Counter[tuple[chess.Color, chess.PieceType]]()
    for made in s.made[at:]:
        position = position.stocked(stocks(made.before, change))
        move = made.move if moves else first
        if move.drop and move not in position.drops(move.to_square):
            move = next((m for m in made.might_be if m in position.drops(m.to_square)), move)
        if move not in (position.drops(move.to_square) if move.drop else position.moves_from(move.from_square)):
            return None
        if move.drop and made.move.drop:
            change[position.turn, move.drop] -= 1
            change[position.turn, made.move.drop] += 1
        moves.append(move)
        position = position.after(move)
    return moves, position.stocked(stocks(s.position, change))


def _explains(s: State, position: Position) -> bool:
    off = differing(position, s.looks, chess.BB_ALL) & ~s.others
    return read(position, s.looks, off, s.turn.traces).kind in LAWFUL


def _play_anew(s: State, at: int, moves: Sequence[Move]) -> None:
    """Take back what was made from number ``at`` on, and make it again by its new names; the turn goes on."""
    turn, notices, before = s.turn, s.notices, s.made[at:]
    chosen, said = dict(s.chosen), len(s.events)
    take_back(s, at)
    for old, move in zip(before, moves, strict=True):
        make(s, move)
        if s.result is not None:
            return
        made = s.made[-1]
        made.touches, made.half, made.start, made.might_be = old.touches, old.half, old.start, old.might_be
    s.turn, s.notices, s.chosen, s.owed = turn, notices, chosen, None
    # What was owed in the turns that are played anew is past.
    s.events[said:] = [event for event in s.events[said:] if type(event) is not c.Obligation]
    s.derive()
    read_board(s, s.now)
