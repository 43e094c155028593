"""Moves that stood whole, and whose piece left its square again before they were judged, as it is being captured; and
captures that were none, as the piece in hand captures another piece.
"""

from chess import BB_SQUARES, Square

from controller import contract as c
from controller.laws.board import looked_at_again, read_board, replying, set_aside
from controller.laws.drop_names import may_give_way, named, undecided
from controller.laws.moves import make
from controller.laws.state import State, colour
from controller.laws.turn import Raised
from controller.position import EMPTY
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL, Difference


def lifted_again(s: State) -> State | None:
    """At the press: the state with the move made that stood whole until just now, though its piece is off again, as the
    opponent is about to capture it. None if there is no such move."""
    stood, traces = s.turn.traces.stood, s.turn.traces
    if stood is None or s.now - stood[1] >= s.release_ms or traces.refilled is not None:
        return None
    difference, lifted, used = stood
    if difference.moves[0].promotion and s.board is None:
        return None  # a promotion whose square is empty at the press is not finished, whoever holds the pawn
    if s.gone() & ~difference.mask or _slid_on(s, difference, lifted, used):
        return None
    return _made_and_taken_up(s, difference, used)


def stood_until_another_rose(s: State) -> State | None:
    """At the press: the state with the move made that stood whole until another piece of the same player left its
    square. Whoever holds that piece, it is no part of the move. None if there is no such move."""
    placed = max((n for n in range(s.turn.start, len(s.trace)) if s.trace[n].seen != EMPTY), default=None)
    own = s.gone()
    if placed is None or not own or s.turn.traces.refilled is not None:
        return None
    later = s.trace.changed(placed + 1) & own
    if not later:
        return None
    before = set_aside(s, later).turn.difference
    return _made_and_taken_up(s, before, placed + 1) if before.kind in LEGAL else None


def stood_beside_a_reply(s: State) -> State | None:
    """At the press: the state with the move made that stands whole, though a piece of the opponent's is seen to have
    come already, as he replies. What he has touched for that is no touch of the player who presses. None if there is no
    such move."""
    reply = replying(s.position, s.readings, s.mismatch & ~s.not_by_mover)
    if not reply & ~s.empty(reply):
        return None
    touches = tuple([touch for touch in s.turn.touches if not reply & BB_SQUARES[touch.square]])
    before = set_aside(s.turning(touches=touches).derive(), reply)
    if before.turn.difference.kind not in LEGAL:
        return None
    s = make(before, named(before, before.turn.difference))
    return looked_at_again(s, reply, s.now) if s.result is None else s


def lifted_to_be_taken(s: State, touched: Square) -> State | None:
    """Without a clock: the state with the move made that stood whole until just now, though its piece is off again. The
    opponent has lifted it to capture it, as he now touches a piece of his own that can; or any, after a promotion that
    is not named, whose pawn might give way to the new piece else. None if there is no such move."""
    stood = s.turn.traces.stood
    if stood is None or s.gone() & ~stood[0].mask:
        return None
    if not (undecided(s, stood[0]) or _takes_back(s, touched, *stood)):
        return None
    return _made_and_taken_up(s, stood[0], stood[2])


def _takes_back(s: State, touched: Square, difference: Difference, lifted: c.Ms, used: int) -> bool:
    """Whether the piece on ``touched`` may capture the one that was moved by this difference, and was ``lifted`` again;
    and may not be captured by it instead."""
    move, held = difference.moves[0], s.gone()
    landing = s.position.landing(move)
    if s.mismatch & ~(difference.mask | BB_SQUARES[landing]) or _slid_on(s, difference, lifted, used):
        return False
    if any(BB_SQUARES[each.from_square] & held for each in s.position.capturing(touched)):
        return False
    return any(each.to_square == landing for each in s.position.after(move).moves_from(touched))


def _made_and_taken_up(s: State, difference: Difference, used: int) -> State:
    s = _forget_later_touches(s, used)
    s = make(s, named(s, difference))
    return _take_up(s, used) if s.result is None else s


def _slid_on(s: State, difference: Difference, lifted: c.Ms, used: int) -> bool:
    """Whether the piece was only drawn over the square where the move stood, on to one that is not seen: it was there
    for less than a brush, and left at least a brush ago. A capture so quick would be made just as its player presses,
    and nobody sets a piece down elsewhere and presses so soon. A drop is not drawn over the board."""
    square, brush_ms = s.position.landing(difference.moves[0]), s.brush_ms
    came = next((edge.ms for edge in reversed(s.trace[:used]) if edge.square == square), lifted)
    return difference.part != "drop" and lifted - came < brush_ms <= s.now - lifted


def _forget_later_touches(s: State, used: int) -> State:
    """The state without the touches of pieces lifted after the move stood whole: they are not of its turn."""
    before = {edge.square for edge in s.trace[s.turn.start : used]}
    later = {edge.square for edge in s.trace[used:]} - before
    return s.turning(touches=tuple([touch for touch in s.turn.touches if touch.square not in later])).derive()


def _take_up(s: State, used: int) -> State:
    """The state after the move: pieces still off their squares are in the hand of the player having the move."""
    s, last = s.turning(start=used), s.last()
    promoted = last if s.clock is None and last is not None and last.move.promotion else None
    for edge in s.trace[used:]:
        if edge.seen == EMPTY and s.mismatch & BB_SQUARES[edge.square]:
            gives_way = promoted is not None and may_give_way(s, promoted, edge.square)
            s = s.raising(edge.square, Raised(edge.ms, announced=False, exchanged=gives_way))
    return read_board(s, s.now)


def taken_up_again(s: State, square: Square) -> Raised | None:
    """The lift with which a player whose move was completed took up the released piece again, if his hand is known and
    touched nothing else meanwhile; else None. Put back, the piece was touched out of turn; elsewhere it was moved on
    (4.7). Not after "j'adoube" out of turn, as that was told already."""
    last = s.last()
    if last is None or last.side == s.turn.side or last.shifted or not (last.completed_by_press or s.clock is None):
        return None
    his = [edge for edge in s.trace[s.turn.start :] if edge.white is colour(last.side)]
    if len(his) < 2 or not last.released & BB_SQUARES[square]:
        return None
    lifted, placed = his[-2:]
    if (lifted.square, placed.square) != (square, square) or lifted.seen != EMPTY:
        return None
    if s.has_announced(last.side, lifted.ms):
        return None
    return Raised(lifted.ms, announced=False, by=last.side)


def takes_instead(s: State, touched: Square, by: c.Side | None, ms: c.Ms) -> bool:
    """Whether the piece in hand may capture the one on ``touched``, lifted at ``ms`` before its player presses. Then
    the piece that it seemed to have captured was only brushed, as nothing showed the capturing piece set down; or it
    was drawn over the square where it seemed to stand. Not in a match, where that depends on the names of pieces."""
    if by is not None or s.position.drop_board is not None:
        return False
    to_press = s.clock is not None and s.clock.running == s.turn.side
    if s.turn.traces.retaken is None:
        passing = ms - s.turn.stands_since < (REACTS_MS if to_press else s.brush_ms)
    else:
        passing = to_press
    return passing and any(BB_SQUARES[move.from_square] & s.gone() for move in s.position.capturing(touched))
