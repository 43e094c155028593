"""What hands do on the board, square by square: lifted, set down, touched, put straight (4.2, 4.3)."""

import chess
from chess import BB_SQUARES, Move
from msgspec.structs import replace

from controller import contract as c
from controller.laws.announced import announced_out_of_turn, taken_all_the_same
from controller.laws.board import may_stand_turned, moved_if_turned, read_board, shifting
from controller.laws.drop_names import ask, may_give_way, promotes_unnamed, queen_mates, rename
from controller.laws.evidence import handled
from controller.laws.fallen import may_have_fallen, shoved_to, stood_less
from controller.laws.lifted import count_raised, just_up, may_go, prove, stands_again, touched_by_moving
from controller.laws.mismatch import another_taken_up, corrects, left_moved_on, mismatched, moved_on_before, rook_first
from controller.laws.moves import make, pushed_aside
from controller.laws.outcomes import released_without_its_name, triggered
from controller.laws.passing import passed_on
from controller.laws.retaken import lifted_to_be_taken, takes_instead
from controller.laws.seen_first import answered_first, reported_first, took_before_it_left
from controller.laws.standing import against_the_rules, finished, stands, stands_whole
from controller.laws.state import State
from controller.laws.stock import bind_drop, owe_drop
from controller.laws.touch import TouchedPiece
from controller.laws.turn import NOTHING_RAISED, UNTOUCHED, Raised, Trigger
from controller.position import EMPTY, squares
from controller.sensing.difference import LEGAL, WHOLE, Kind, read
from controller.sensing.readings import FITS, SOMETHING, of_colour


def edge(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> State:
    """A square opened, or shows something."""
    return lift(s, square, by, ms) if seen == EMPTY else place(s, square, seen, by, ms)


def lift(s: State, square: chess.Square, by: c.Side | None, ms: c.Ms) -> State:
    """A piece left ``square`` at ``ms``; ``by`` where it is known whose hand it was."""
    if s.readings[square] == EMPTY:
        return s
    if s.faulty and (disregarded := s.disregarding(square, EMPTY)) is not None:
        return disregarded
    bit, by = BB_SQUARES[square], _unless_he_replies(s, by)
    s = released_without_its_name(s)
    if by is not None and by != s.turn.side and s.mismatch & bit:
        s = _release_what_stands(s, ms, square, by)  # the other player takes up the piece just set down there
    at_home = not s.mismatch & bit and square != s.turn.traces.retaken
    if at_home:
        s = _release_what_stands(s, ms, square, by)
    elif _touched_with_a_stock_piece(s, ms):
        s = bind_drop(s, s.turn.difference, s.readings[square])
    retaken = square == s.turn.traces.retaken
    s = _left(s, square, ms).see(square, EMPTY, ms, by)
    if not (at_home or retaken or s.stopped):
        s = _pushed_off(s, square)
    if at_home and not (retaken or s.stopped):
        s = _raise(s, square, by, ms)
        if s.turn.traces.replaced is not None:
            s = took_before_it_left(s, square, *s.turn.traces.replaced, ms)
    return _compared(s, ms)


def _compared(s: State, ms: c.Ms) -> State:
    """The state with what is seen from ``ms`` on compared with the position."""
    s = read_board(s, ms)
    if s.mismatch and (passed := passed_on(s)) is not s:
        return passed
    return touched_by_moving(s) if s.turn.raised and s.turn.difference.kind in LEGAL else s


def _unless_he_replies(s: State, by: c.Side | None) -> c.Side | None:
    """The hand ``by``; None if it is the opponent's and, without a clock, replies to an illegal move: the reply
    completes that move, so the hand is not out of turn."""
    if by is None or by == s.turn.side or not s.turn.astray or s.clock is not None:
        return by
    return None


def _pushed_off(s: State, aside: chess.Square) -> State:
    """The piece that stood ``aside`` is off the board. If another piece had pushed it off its square on coming there,
    that one has captured it; unless the piece in hand may have gone to ``aside`` itself."""
    replaced, gone = s.turn.traces.replaced, s.gone()
    if replaced is None or s.turn.traces.retaken is not None or gone & (gone - 1) or _set_down(s):
        return s
    target, ms = replaced
    came = next((edge.ms for edge in reversed(s.trace[:-1]) if edge.square == aside), ms + 1)
    pushed = came <= ms and chess.square_distance(aside, target) == 1 and s.readings[target] != EMPTY
    if not pushed or not may_go(s, gone, target) or may_go(s, gone, aside):
        return s
    return s.tracing(retaken=target, refilled=None)


def _astray_before(s: State) -> bool:
    """Whether all that differs is one piece of the player having the move, and it has been displaced since before his
    turn: who takes up another one plays as if it stood at home."""
    left = s.empty(s.mismatch & s.own)
    if s.turn.difference.kind not in (Kind.ASTRAY, Kind.WHOLE) or s.mismatch.bit_count() != 2 or left.bit_count() != 1:
        return False
    told = {chess.SQUARE_NAMES[square] for square in squares(s.mismatch)} <= {*s.displaced}
    return told and not s.mismatch & s.trace.changed(s.turn.start)


def _left(s: State, square: chess.Square, ms: c.Ms) -> State:
    """The state without the traces of the piece that leaves ``square`` at ``ms``; its move is kept in ``stood``."""
    traces, difference = s.turn.traces.without(square), s.turn.difference
    if difference.kind in LEGAL and s.position.landing(difference.moves[0]) == square:
        traces = replace(traces, stood=(difference, ms, len(s.trace)))
    return s if traces is s.turn.traces else s.turning(traces=traces)


def _touched_with_a_stock_piece(s: State, ms: c.Ms) -> bool:
    """Whether a piece from the stock stood until now, for longer than a slide."""
    return s.turn.difference.part == "drop" and ms - s.turn.stands_since >= s.brush_ms


def _release_what_stands(s: State, ms: c.Ms, touched: chess.Square, by: c.Side | None) -> State:
    """A touch shows that the move set down before it was released (4.7), unless both came in the same scan."""
    if s.stopped or not (s.mismatch or s.turn.traces is not UNTOUCHED or against_the_rules(s)):
        return s  # the board matches the game, and nothing was done in this turn
    if by is None and stood_less(s, touched, ms, s.brush_ms):
        return s  # the contact bounces, or a hand has not let go of the piece yet
    if against_the_rules(s) and BB_SQUARES[touched] & s.own and by in (None, s.turn.side):
        s = finished(stands(s))
    replies = _replies(s, ms, touched, by)
    if promotes_unnamed(s):
        if not replies:
            return s  # the player may yet name his promotion
        if s.position.board.kings & BB_SQUARES[touched] and (mate := queen_mates(s)) is not None:
            return make(ask(s, s.turn.difference), mate)  # a king lifted after mate is the sign of the result
        if s.clock is not None and s.clock.running == s.turn.side:
            return s  # he may name it until he presses
    if replies and s.clock is None and (taken_up := lifted_to_be_taken(s, touched)) is not None:
        return taken_up
    if (forgotten := _forgotten(s)) not in (None, touched) and s.readings[forgotten] == EMPTY:
        return mismatched(replace(s, not_by_mover=s.not_by_mover | BB_SQUARES[forgotten]))
    if s.displaced and BB_SQUARES[touched] & s.own and may_stand_turned(s) and moved_if_turned(s):
        return mismatched(s)  # he plays as if the board did not stand so: then the piece was moved out of turn
    if moved_on_before(s) and BB_SQUARES[touched] & s.own:
        return replace(s, not_by_mover=s.not_by_mover | s.mismatch)
    if _astray_before(s) and BB_SQUARES[touched] & s.own and by in (None, s.turn.side):
        return shifting(s, s.mismatch)
    if (came := reported_first(s, touched, ms)) is not None:
        return came
    if replies and (answered := answered_first(s, touched, ms)) is not None:
        return answered
    difference = s.turn.difference
    if difference.kind is Kind.ASTRAY or s.turn.traces.refilled is not None:
        s = rename(s) or s
    stands_ms = ms - s.turn.stands_since
    if stands_ms <= s.brush_ms // TO_REPLY:
        return s
    if s.turn.difference.kind in LEGAL and not (_castles_on(s, touched) or takes_instead(s, touched, by, ms)):
        s, _ = triggered(s, Trigger.REPLY)
    elif corrects(s, touched, by):
        s = mismatched(s)
    return s


def _castles_on(s: State, touched: chess.Square) -> bool:
    """Whether ``touched`` is the rook with which the king castles that has made a step, or may be on its way: what
    stands is the first half of castling."""
    difference = s.turn.difference
    begun = s.position.begun_by(difference.moves[0]) if difference.kind is Kind.STEP else None
    if begun is not None:
        return s.position.castling(begun).rook == touched
    move = difference.moves[0]
    ways = [s.position.castling(each) for each in s.position.moves_from(move.from_square) if s.position.castles(each)]
    return any(
        way.rook == touched and chess.between(move.from_square, way.king_to) & BB_SQUARES[move.to_square]
        for way in ways
    )


def _replies(s: State, ms: c.Ms, touched: chess.Square, by: c.Side | None) -> bool:
    """Whether the player not having the move touches a piece of his own."""
    his = BB_SQUARES[touched] & s.theirs
    return bool(his) and by != s.turn.side and not s.has_announced(s.turn.side, ms)


def _named_from_stock(s: State) -> bool:
    """Whether the player has named a piece of his stock: it may be in his hand, and a drop captures nothing (7)."""
    drop_board, chosen = s.position.drop_board, s.chosen.get(s.turn.side)
    return drop_board is not None and chosen is not None and bool(drop_board.pockets[drop_board.turn].count(chosen))


def _raise(s: State, square: chess.Square, by: c.Side | None, ms: c.Ms) -> State:
    """A piece has left its own square: that will be a touch in time, unless the other player's hand has lifted it."""
    turn, bit = s.turn, BB_SQUARES[square]
    if by is None and s.announced:
        by = announced_out_of_turn(s, square, ms)
    last = s.last()
    uncorrected = last is not None and last.illegal and not last.reported and not s.gone() & ~bit
    if uncorrected and (not bit & s.own or _forgotten(s) == square):
        # An illegal move stands: until the opponent takes up a piece of his own, this is its correction. The piece that
        # an unfinished capture left on the board is taken off, or moves: the next touch will tell.
        return s
    exchanged = last is not None and last.move.promotion is not None and may_give_way(s, last, square)
    if by is None or by == turn.side:
        fell = by is None and may_have_fallen(s, square, ms)
        piece = Raised(ms, s.has_announced(turn.side, ms), exchanged, early=fell, fell=fell)
        return another_taken_up(s.raising(square, piece), square)
    if exchanged:
        return s
    s = replace(s, not_by_mover=s.not_by_mover | bit)
    if s.has_announced(by, ms) or _released_by(s, by) & bit:
        # He takes up the piece that he has just released: that is judged by where it goes (4.7).
        return s
    return s.raising(square, Raised(ms, announced=False, by=by))


def _forgotten(s: State) -> chess.Square | None:
    """The square of the piece that an unfinished capture left on the board (4.7.1); None if there is none."""
    at = s.uncorrected()
    partial_move = None if at is None else s.made[at].partial_move
    return (
        None
        if at is None or partial_move is None or partial_move.part != "capture"
        else s.made[at].before.captured(partial_move.moves[0])
    )


def _king_castling_late(s: State, side: c.Side, target: chess.Square) -> chess.Square | None:
    """Where the king came from that ``side`` set down on ``target`` to castle after the rook (4.4.2); else None."""
    last = s.last()
    king = None if last is None or last.side != side or last.shifted else rook_first(last)
    return king[0] if king is not None and king[1] == target and s.readings[king[0]] == EMPTY else None


def _released_by(s: State, side: c.Side) -> int:
    """Where ``side`` released the pieces of his last move, as a bitboard; 0 once one of them was seen moved on."""
    last = s.last()
    return 0 if last is None or last.side != side or last.shifted else last.released


TO_REPLY = 4
"""A piece that leaves sooner after another was set down than a brush divided by this is no reply: a sleeve moved both.
A guess, as the next."""

PUSHED_MS = 150
"""A piece that was set down on the edge of its square is pushed on to it within this time, and nobody replies beside it
so soon. A guess."""


def place(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> State:
    """Something stands on ``square`` from ``ms`` on; ``seen`` as in :mod:`controller.sensing.readings`."""
    if s.readings[square] == seen:
        return s
    if s.faulty and (disregarded := s.disregarding(square, seen)) is not None:
        return disregarded
    bit, by = BB_SQUARES[square], _unless_he_replies(s, by)
    was_empty = s.readings[square] == EMPTY
    if was_empty and s.turn.traces.refilled is not None and s.gone() and by != s.turn.side:
        s = _captured_by_another_name(s, square, seen, by, ms) or s
    if was_empty and _drops_in_reply(s, square, seen, by, ms):
        s, _ = triggered(s, Trigger.REPLY)
    if was_empty and _plays_on(s, square, seen, by):
        s = stands_whole(s)
    symbol = s.position.symbol(square)
    gone = s.gone()
    if by is None and s.not_by_mover & bit and may_go(s, gone, square):
        s = taken_all_the_same(s, square, seen)
        if left_moved_on(s, square) and of_colour(seen, s.position.turn):
            s = replace(s, not_by_mover=s.not_by_mover & ~bit)
    his = by in (None, s.turn.side) and not s.not_by_mover & bit  # the mover may have set it down
    home = symbol in FITS[seen]
    refills = home and seen == SOMETHING and was_empty and not bit & s.own
    in_hand = refills and his and gone.bit_count() > _set_down(s)
    if s.turn.traces.stood is not None and of_colour(seen, s.position.turn):
        s = s.tracing(stood=None)  # else it is a piece of the opponent's, which has captured what stood
    s = s.see(square, seen, ms, by)
    if was_empty and by is None and (shift := shoved_to(s, square)):
        return _compared(shifting(replace(s, turn=s.turn.lowering(shift)), shift), ms)
    if was_empty and by is None and s.position.drop_board is not None and bit & _pushed_aside(s):
        return _compared(replace(s, not_by_mover=s.not_by_mover | bit), ms)
    if refills and (in_hand or _named_from_stock(s)):
        # An opponent's square is filled again while the mover holds a piece: that one has captured there, if it can.
        quick = just_up(s, ms)
        takes = may_go(s, gone & ~quick if quick & bit else gone, square)
        if takes or s.turn.traces.retaken is None:  # else he has captured elsewhere, more likely than here
            s = s.tracing(retaken=square if takes else None, refilled=None if takes else square)
        home = not takes
    elif was_empty and his and (s.turn.traces.retaken, s.turn.traces.refilled) != (None, None):
        s = _not_taken_with(s, gone, home and bool(bit & s.own))
    if was_empty and seen == SOMETHING and symbol != EMPTY and not bit & s.own:
        s = s.tracing(replaced=(square, ms))
    if s.stopped:
        s = s.turning(raised=NOTHING_RAISED)
    elif home:
        if s.turn.traces.landed and his and (others := _of_others(s, bit, gone)):
            s = _landed(s, square, others)
        s = stands_again(s, square, ms)
        s = replace(s, not_by_mover=s.not_by_mover & ~bit) if s.not_by_mover & bit else s
        if s.turn.traces.carried:
            s = _stands_as_before(s, ms)
    else:
        s = _landed(_set_down_elsewhere(s, square, by, gone, ms), square, gone)
    s = _compared(s, ms)
    if s.turn.astray and s.turn.judged and s.clock is None:
        s = s.turning(stands_since=ms, judged=False)  # this may complete a reply, on squares that differed before
    return _landed(s, square, s.left_unseen(s.turn.difference)) if s.faulty and not home and not gone else s


def _pushed_aside(s: State) -> int:
    """Where the victim stands, as a bitboard, that the piece which stands to capture, or has just done so, pushed."""
    last, difference = s.last(), s.turn.difference
    if difference.kind in LEGAL:
        return pushed_aside(s, s.position, difference.moves[0])
    return 0 if last is None or not last.move else pushed_aside(s, last.before, last.move)


def _captured_by_another_name(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> State | None:
    """The state with pieces named anew, so that the mover has captured, if what is set down on ``square`` is a drop in
    reply to that; else None."""
    if s.position.drop_board is None or (renamed := rename(s)) is None:
        return None
    dropped = _may_be_dropped(s, square, seen, not s.position.turn) or _drops_in_reply(renamed, square, seen, by, ms)
    return renamed if dropped else None


def _may_be_dropped(s: State, square: chess.Square, seen: str, white: chess.Color) -> bool:
    """Whether what is set down there, on an empty square that matches the game, may come from that player's stock."""
    drop_board = s.position.drop_board
    if drop_board is None or s.stopped or BB_SQUARES[square] & (s.mismatch | s.position.board.occupied):
        return False
    return of_colour(seen, white) and len(drop_board.pockets[white]) > 0


def _plays_on(s: State, square: chess.Square, seen: str, by: c.Side | None) -> bool:
    """Whether what is set down there shows that the player having the move goes on from a move against the rules: he
    drops it, or his piece is seen to arrive before it is seen to leave."""
    if not against_the_rules(s) or by not in (None, s.turn.side) or s.gone() or s.stopped:
        return False
    if s.mismatch & BB_SQUARES[square]:
        return False
    return _may_be_dropped(s, square, seen, s.position.turn) or may_go(s, s.own, square, seen)


def _drops_in_reply(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> bool:
    """Whether the other player drops a piece of his stock while a whole move stands: that releases the move (4.7)."""
    drop_board, turn = s.position.drop_board, s.turn
    if drop_board is None or s.stopped or turn.difference.kind not in LEGAL or by == turn.side:
        return False
    theirs, free = not s.position.turn, BB_SQUARES[square] & ~s.mismatch & ~s.position.board.occupied
    taker = turn.difference.moves[0]
    if seen != SOMETHING or (c.other(turn.side) in s.chosen and s.position.captured(taker) is not None):
        free |= BB_SQUARES[square] & BB_SQUARES[taker.from_square]  # the origin, as the other has named a drop
    beside = chess.square_distance(s.position.landing(taker), square) == 1
    least = s.brush_ms // TO_REPLY
    if seen == SOMETHING:  # sooner, it may be one piece that shows on both squares
        least = s.release_ms if _may_go_on(s, taker, square) else max(PUSHED_MS * beside, least)
    stands = ms - turn.stands_since > least
    return bool(free) and stands and of_colour(seen, theirs) and len(drop_board.pockets[theirs]) > 0


def _may_go_on(s: State, move: Move, square: chess.Square) -> bool:
    """Whether the piece of that move, until it is released, may be slid on to ``square``: by another move; a piece of
    the stock, which may go anywhere, to a square beside."""
    if move.drop:
        return chess.square_distance(move.to_square, square) == 1
    return any(other.to_square == square for other in s.position.moves_from(move.from_square))


def _stands_as_before(s: State, ms: c.Ms) -> State:
    """King and rook of chess960 fill their squares again: forget that they were lifted, unless they may have changed
    places by castling, which looks the same. If both were only brushed they have not."""
    carried, loose = s.turn.traces.carried, s.mismatch & ~s.not_by_mover
    if s.empty(carried) or loose & ~s.empty(loose):
        return s
    lifts = [s.trace.latest(square, empty=True) for square in squares(carried)]  # perhaps before the turn began
    brushed = all(edge is not None and ms - edge.ms < s.brush_ms for edge in lifts)
    if not brushed and read(s.position, s.readings, loose, s.turn.traces, s.faulty).kind is WHOLE:
        return s
    return s.tracing(carried=0)


def _landed(s: State, square: chess.Square, pieces: int) -> State:
    """Something was set down on ``square`` while these own pieces, a bitboard, were in hand."""
    return s.tracing(landed={**s.turn.traces.landed, square: pieces})


def _set_down_elsewhere(s: State, square: chess.Square, by: c.Side | None, gone: int, ms: c.Ms) -> State:
    """Something stands on ``square`` that does not belong there; ``gone``: the own pieces in hand until then."""
    bit = BB_SQUARES[square]
    if by is not None and by != s.turn.side:
        # The piece released last, another in its place, or the king after the rook: judged by where it stays.
        released, king = _released_by(s, by), _king_castling_late(s, by, square)
        if king is not None:
            return replace(s, not_by_mover=s.not_by_mover & ~BB_SQUARES[king])
        if released & bit:  # the same squares differ as while it was off
            return replace(s, not_by_mover=s.not_by_mover & ~bit).turning(stands_since=ms, judged=False)
        if all(s.readings[each] != EMPTY for each in squares(released)):
            return replace(s, not_by_mover=s.not_by_mover | bit)
        return s
    if gone:
        s = s.turning(straightened=()) if s.turn.straightened else s
        return count_raised(s, square, ms) if s.turn.raised else s
    if not s.not_by_mover & s.own:
        return s
    lost = s.not_by_mover & s.unexplained_pieces
    here = sum(BB_SQUARES[each] for each in squares(lost & s.own) if not may_go(s, BB_SQUARES[each], square))
    return replace(s, not_by_mover=s.not_by_mover & (~s.own | here | s.shifted))


def contact(s: State, square: chess.Square, by: c.Side | None) -> State:
    """A piece is touched without being lifted, or in a match a piece from the stock has touched an empty square."""
    if s.stopped or s.mismatch & BB_SQUARES[square]:
        return s
    if s.position.symbol(square) == EMPTY:
        if (chosen := s.chosen.get(s.turn.side)) and by in (None, s.turn.side):
            return owe_drop(s, {chosen}, TouchedPiece(square, s.now))
        return s
    s = _release_what_stands(s, s.now, square, by)
    if by is not None and by != s.turn.side:
        if s.has_announced(by, s.now):
            return s
        return s.violate(by, "out-of-turn", s.laws.clause.out_of_turn, **handled([TouchedPiece(square, s.now)]))
    return s if s.has_announced(s.turn.side, s.now) else s.touch(square, s.now)


def _of_others(s: State, square: int, gone: int) -> int:
    """The other pieces in hand, a bitboard, if one of them must have filled this square (a bitboard, too), as its own
    piece was set down elsewhere before; else 0."""
    landed = s.turn.traces.landed.items()
    return gone & ~square if any(piece == square and s.readings[to] != EMPTY for to, piece in landed) else 0


def _set_down(s: State) -> int:
    """How many pieces stand on other squares than their own, and so may be the mover's missing ones."""
    loose = s.mismatch & ~s.not_by_mover
    return (loose & ~s.empty(loose)).bit_count()


def _not_taken_with(s: State, gone: int, put_back: bool) -> State:
    """A piece was set down without capturing. If no other is in hand, nothing was captured on the square that was
    filled again. ``gone``: the pieces in hand until then; ``put_back``: the piece is on its own square."""
    left, retaken = s.gone() if put_back else gone & (gone - 1), s.turn.traces.retaken
    in_hand = left.bit_count() > _set_down(s) if retaken is None else may_go(s, left, retaken)
    if not gone or in_hand:
        return s
    s = s.tracing(retaken=None, refilled=None)
    return s if retaken is None else prove(s, retaken, brushed=True)
