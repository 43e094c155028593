"""Play that goes on from what stands: a move that a player left on the board against the rules is his move once his
opponent touches a piece of his own (4.8), or once the arbiter dismisses the notice about it.

Such moves: a released piece was moved on, another piece was played in its place, a promotion was changed; or a
castling, a promotion or a capture in passing was half done at the press, and finished later.
"""

from chess import BB_SQUARES, Move
from msgspec.structs import replace

from controller.laws.board import difference_before
from controller.laws.correction import instead
from controller.laws.record import Made, changed_by
from controller.laws.state import State, colour
from controller.position import EMPTY
from controller.sensing.difference import LEGAL, Kind, Traces, differing, read


def against_the_rules(s: State) -> bool:
    """Whether one of the last two moves was illegal, or the last one moved on, so that another may stand in its
    place."""
    return bool(s.made) and (s.made[-1].illegal or s.made[-1].shifted or (len(s.made) > 1 and s.made[-2].illegal))


def see_what_stands(s: State) -> State:
    """Keep in ``Made.instead`` the move that the board shows in place of the last one, which broke a rule."""
    move = _in_its_place(s)
    return s if move is None else s.amending(len(s.made) - 1, instead=move)


def stands(s: State) -> State:
    """Replace the last move, which broke a rule, by the one that the board shows in its place; or by the one that it
    showed before, if only pieces have been lifted since. Else the same state."""
    last = s.last()
    if last is None or not _may_stand(s, last):
        return s
    move = _in_its_place(s) or last.instead
    if move is None or not _shows(s, last, move) or _was_put_back(s, last, move):
        return s
    return instead(s, len(s.made) - 1, move) or s


def stands_whole(s: State) -> State:
    """The same, only for a move that the board shows whole just now."""
    move = _in_its_place(s)
    return s if move is None else instead(s, len(s.made) - 1, move) or s


def _may_stand(s: State, last: Made) -> bool:
    return last.side != s.turn.side and (last.shifted or last.illegal)


def _in_its_place(s: State) -> Move | None:
    """The move that the board shows in place of the last one; None if it shows none, or nothing has changed since."""
    last = s.last()
    if last is None or not _may_stand(s, last):
        return None
    difference = difference_before(replace(s, mismatch=s.mismatch & ~_in_hand(s)), last)
    if difference.kind not in LEGAL or last.move in difference.moves:
        return None  # the last move itself may stand there; a promotion of another name looks the same
    move = _made_of(s, last, difference.moves)
    if move is None or (after := last.before.after(move)).key() == last.after.key():
        return None
    shows = difference.mask | last.changed | changed_by(last.before, after)
    return move if s.trace.changed(s.turn.start) & shows else None


def _shows(s: State, last: Made, move: Move) -> bool:
    """Whether the board shows that move in place of the last one, apart from pieces that are off their squares."""
    after = last.before.after(move)
    changed = last.changed | changed_by(last.before, after) | s.mismatch
    differs = differing(after, s.readings, changed)
    return s.empty(differs) == differs


def _was_put_back(s: State, last: Made, move: Move) -> bool:
    """Whether the other ``move``, once shown, was undone: its destination is empty, and the latest piece set down on
    one of the two destinations stands on that of the last move."""
    was, instead_of_it = BB_SQUARES[last.landing], BB_SQUARES[last.before.carried(move)[0][1]]
    for edge in reversed(s.trace[last.start :] if was != instead_of_it and s.empty(instead_of_it) else ()):
        if edge.seen != EMPTY and BB_SQUARES[edge.square] & (was | instead_of_it):
            return edge.square == last.landing
    return False


def put_back(s: State) -> bool:
    """Whether the board shows the position before the last move, which was the other player's."""
    last = s.last()
    if last is None or last.side == s.turn.side or not last.changed:
        return False
    return difference_before(s, last).kind is Kind.QUIET


def put_back_to(s: State) -> int | None:
    """How many moves had been made before the earlier position that the board shows, if pieces of all later moves were
    touched while the clocks stood. None if it shows none, or if an arbiter has said that one of these moves was played.
    Where a ruling has led back to a position, at most one move is put back."""
    meanwhile, changed = s.trace.changed(s.stopped_at), s.mismatch
    most = len(s.made) if s.returned is None else 1
    for at in reversed(range(max(0, len(s.made) - most), len(s.made)) if s.mismatch else ()):
        made = s.made[at]
        if made.ruled or (made.changed and not made.changed & meanwhile):
            return None
        changed |= made.changed
        if made.changed and difference_before(s, made, changed).kind is Kind.QUIET:
            return at
    return None


def moved_instead(s: State) -> bool:
    """Whether the board shows an owed move, played from the position that a ruling returned to. A player who puts the
    piece right need not put it back first, nor one who replaces the pawn by a queen, or is about to (7.5.1, 7.5.2); and
    two hands may have been all that was wrong with the move (7.5.4). Where nothing is owed, any move counts except the
    one taken back."""
    difference = read(s.position, s.readings, s.mismatch & ~s.not_by_mover, s.turn.traces, s.faulty)
    must, owed = ("free", ()) if s.owed is None else (s.owed.must, s.owed.moves)
    if difference.kind not in LEGAL and (must, difference.part) != ("promote", "promotion"):
        return False
    if owed:
        return any(move in owed for move in difference.moves)
    if s.trace.changed(s.turn.start) & difference.mask:
        return True
    return s.returned != Move.null() and s.returned not in difference.moves


def to_put_back(s: State) -> tuple[str, ...]:
    """The squares, from a1 to h8, that keep play from being resumed, as the board does not show the position that a
    ruling led back to: what stands there would be judged once more (7.5)."""
    return s.displaced if s.stopped and s.returned is not None and not moved_instead(s) else ()


def finished(s: State) -> State:
    """Replace a castling, promotion or capture in passing that was completed half done by the whole move, if its player
    has finished it after the reply; else the same state."""
    if len(s.made) < 2 or not s.mismatch:
        return s
    half, reply = s.made[-2:]
    if half.side != s.turn.side or not half.illegal or half.partial_move is None or reply.illegal or not reply.move:
        return s
    mask = differing(half.before, s.readings, half.changed | s.mismatch) & ~reply.changed
    difference = read(half.before, s.readings, mask & ~s.empty(mask & _in_hand(s)), Traces())
    move = _made_of(s, half, difference.moves) if difference.kind in LEGAL else None
    if move not in half.partial_move.moves:
        return s
    return instead(s, len(s.made) - 2, move) or s


def _in_hand(s: State) -> int:
    """The squares from which pieces were lifted and are not counted as touched yet, as a bitboard."""
    return sum(BB_SQUARES[square] for square in s.turn.raised)


def _made_of(s: State, made: Made, moves: tuple[Move, ...]) -> Move | None:
    """The one of these moves, which look the same, that was made in place of ``made``; None if there are none. A piece
    that was dropped is moved on, rather than another one of the stock dropped."""
    wanted = s.wanted(colour(made.side))
    kinds = [(move.promotion == wanted, move.drop == made.move.drop) for move in moves]
    return moves[kinds.index(max(kinds))] if moves else None
