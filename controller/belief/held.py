"""What it costs to believe that a player presses the clock with pieces in his hand, and which these are."""

from collections.abc import Sequence

import chess
from chess import BB_SQUARES

from controller import contract as c
from controller.laws.record import Made
from controller.laws.state import State, colour
from controller.position import squares
from controller.sensing import costs
from controller.sensing.leftover import may_exchange

RECENT = 48
"""How many edges, or moves, the prices look back."""


def price_of_press(s: State, side: c.Side) -> tuple[float, bool] | None:
    """What it costs that this player, who has just pressed the clock, still has pieces in his hand, has left one that
    he captured on the board, or that his opponent had replied by then, and whether the piece that he moved was captured
    at once; None where none of this is so."""
    held = held_by(s, side) if s.mismatch or s.facts else 0
    beside = costs.REPLIED * _replied_already(s, side) + costs.LEFT_LYING * _left_lying(s, side)
    if not held:
        return (beside, False) if beside else None
    at_once = _taken_at_once(s)
    return beside + _price_of_held(s, side, held - at_once) + costs.TAKEN_AT_ONCE * at_once, at_once


def _left_lying(s: State, side: c.Side) -> bool:
    """Whether that player has just completed a capture, and a piece that came from nowhere since he began it stands on
    the board."""
    last = s.last()
    if last is None or last.side != side or last.done != s.now or not s.unexplained_pieces:
        return False
    came = s.unexplained_pieces & s.trace.changed(last.start)
    return came & ~s.empty(came) != 0 and last.before.captured(last.move) is not None


def _replied_already(s: State, side: c.Side) -> bool:
    """Whether the press of that player has just completed a move to which the opponent is seen to have made a whole
    reply."""
    if len(s.made) < 2 or s.made[-1].side == side or s.made[-1].hidden:
        return False
    return s.made[-2].completed_by_press and s.made[-2].done == s.now


def held_by(s: State, side: c.Side) -> int:
    """How many pieces that player, who has just pressed the clock, still has in his hand."""
    for fact in s.facts:
        if type(fact) is c.Illegal and fact.kind != "no-move":
            last = s.made[-1] if s.made and fact.kind == "illegal-move" and s.position.drop_board is None else None
            return 0 if last is None or not last.illegal else gone_with(last)
        if type(fact) is c.Violation and fact.kind == "clock-misuse":
            return 0  # that fact has paid for pressing with a piece in the hand
    mismatch = s.mismatch & ~(s.unexplained_pieces | s.faulty)
    away, came = s.empty(mismatch & s.position.board.occupied_co[colour(side)]), mismatch & ~s.empty(mismatch)
    taken = s.turn.side != side and _is_taken_in_reply(s, away)
    return max(0, away.bit_count() - came.bit_count() - taken)


def _price_of_held(s: State, side: c.Side, held: int) -> float:
    """What it costs that so many pieces of that player, who has just pressed the clock, are off the board. They are in
    his hand, except those that a sleeve brushes just now, those that the opponent has taken up to capture them once the
    move stood there, and those that left in the turn before his, and so lie beside the board."""
    away = s.empty(s.mismatch & s.position.board.occupied_co[colour(side)])
    last, lifted = s.last(), last_edges(s, away)
    if len(s.made) > 1 and last is s.made[-1] and last.side == side and not s.made[-2].hidden:
        held = max(0, held - sum(s.made[-2].start <= number < last.start for number in lifted.values()))
    swept = [sq for sq, number in lifted.items() if number >= 0 and s.now - s.trace[number].ms < s.brush_ms]
    answered = [square for square, number in lifted.items() if square not in swept and _is_answered(s, square, number)]
    brief = min(held, len(swept))
    early = min(held - brief, len(answered) if s.turn.side != side else 0)
    return costs.SWEPT * brief + costs.ANSWERED * early + costs.HOLDING * (held - brief - early)


def _taken_at_once(s: State) -> bool:
    """Whether the piece that was moved last left its destination again less than a brush ago: the opponent captures it
    and does not wait for the press; or what stood there was another piece, pushed aside and now taken off."""
    last, edge = s.last(), s.trace.last
    if last is None or not last.move or edge is None or s.now - edge.ms >= s.brush_ms:
        return False
    return edge.square == last.landing and s.empty(s.mismatch & BB_SQUARES[last.landing]) != 0


def _is_answered(s: State, square: chess.Square, number: int) -> bool:
    """Whether the player having the move may have lifted the opponent's piece of that square, with that edge, to
    capture it."""
    last = s.last()
    if last is None or not last.move or number < s.trace.last_edge(last.landing, len(s.trace) - RECENT):
        return False
    by = s.trace[number].white
    if by is None and may_exchange(last.move, square):
        return False
    return by in (None, s.position.turn) and bool(s.position.capturing(square))


def _is_taken_in_reply(s: State, away: int) -> bool:
    """Whether the player having the move is about to capture one of these pieces, a bitboard: he did not wait for the
    press, and holds a piece that can."""
    board, turn = s.position.board, s.position.turn
    in_hand = s.empty(s.mismatch & board.occupied_co[turn])
    return any(board.attackers_mask(turn, square) & in_hand for square in squares(away)) if in_hand else False


def gone_with(made: Made) -> int:
    """How many pieces left the board with an illegal move that it did not capture: the player's own, and the opponent's
    but for one that stood where a piece was set down, or that a pawn may have taken in passing. In a match only his
    own: a dropped piece may have been misread."""
    before, after, own = made.before.board, made.after.board, made.before.board.turn
    gone = [before.occupied_co[side] & ~after.occupied_co[side] for side in (own, not own)]
    came = after.occupied_co[own] & ~before.occupied_co[own]
    pawns = came & after.pawns
    taken = gone[1] & (came | chess.shift_up(pawns) | chess.shift_down(pawns))
    untaken = gone[1].bit_count() - (taken != 0) if made.before.drop_board is None else 0
    return max(0, gone[0].bit_count() - came.bit_count()) + untaken


def left_by_hand(s: State) -> int:
    """How many pieces the player who moved last has left off their squares, as far as his hand is known to have."""
    away, white = last_edges(s, s.empty(s.not_by_mover)), colour(s.made[-1].side)
    return sum(number >= 0 and s.trace[number].white is white for number in away.values())


def held_since(s: State, number: int) -> c.Ms:
    """Since when a piece has been off the board while the clocks ran; ``number``: the edge with which it left."""
    return s.turn.stands_since if number < s.stopped_at else s.trace[number].ms


def put_back_astray(s: State, corrected: int) -> int:
    """On how many of the squares ``corrected``, a bitboard, on which pieces are put back after an illegal move, none of
    those that were off the board then may go. What stands there may be a reply while one of the opponent's is off."""
    at = s.uncorrected()
    if at is None or s.gone():
        return 0
    before = s.made[at].before
    may_stand = off = before.board.occupied & ~s.made[at].after.board.occupied
    for square in squares(off):
        may_stand |= sum({BB_SQUARES[move.to_square] for move in before.moves_from(square)})
    return (corrected & ~may_stand).bit_count()


def left_the_game(made: Sequence[Made]) -> float:
    """What it costs that play goes on without pieces that left the board in an illegal move, and were not captured: a
    player who presses with one in his hand sets it down somewhere before he moves again."""
    cost = 0.0
    for back, each in ((2, costs.FOR_LONG), (3, costs.HOLDING)):
        if len(made) >= back and (late := made[-back]).illegal:
            cost += each * gone_with(late)
    return cost


def last_edges(s: State, mask: int) -> dict[chess.Square, int]:
    """The number of the last edge of each of these squares; -1 where none of the last :data:`RECENT` edges is of it."""
    return s.trace.last_edges(mask, len(s.trace) - RECENT)
