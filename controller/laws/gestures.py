"""What hands do on the board, square by square: lifted, set down, touched, put straight (4.2, 4.3)."""

from typing import Any

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.laws.announced import announced_out_of_turn, taken_all_the_same
from controller.laws.board import read_board
from controller.laws.drop_names import ask, may_give_way, promotes_unnamed, queen_mates, rename
from controller.laws.evidence import handled
from controller.laws.fallen import AT_ONCE, knocked_over, may_have_fallen, stood_less
from controller.laws.mismatch import corrects, left_moved_on, mismatched, moved_on_before, rook_first
from controller.laws.moves import lifted_out_of_turn, make
from controller.laws.outcomes import released_without_its_name, triggered
from controller.laws.retaken import promoted_and_lifted, taken_up_again, takes_instead
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
        s = _release_what_stands(s, ms, square, by)  # the other player takes up who was just set down there
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
        if s.position.shuffled and by in (None, s.turn.side) and not s.has_announced(s.turn.side, ms):
            s = s.tracing(carried=s.turn.traces.carried | bit & _castlers(s))
        if s.turn.traces.replaced is not None:
            s = took_before_it_left(s, square, *s.turn.traces.replaced, ms)
    return read_board(s, ms)


def _unless_he_replies(s: State, by: c.Side | None) -> c.Side | None:
    """Whose hand that is; nobody's that is known, where it is his who without a clock replies to an illegal move, which
    completes that: his is no hand out of turn."""
    if by is None or by == s.turn.side or not s.turn.astray or s.clock is not None:
        return by
    return None


def _pushed_off(s: State, aside: chess.Square) -> State:
    """Who stood ``aside`` is off the board: where he is one whom a piece has pushed off his square, to which it came,
    that piece has taken him. It might as well be on the square beside if it may go there."""
    replaced, gone = s.turn.traces.replaced, s.gone()
    if replaced is None or s.turn.traces.retaken is not None or gone & (gone - 1) or _set_down(s):
        return s
    target, ms = replaced
    came = next((edge.ms for edge in reversed(s.trace[:-1]) if edge.square == aside), ms + 1)
    pushed = came <= ms and chess.square_distance(aside, target) == 1 and s.readings[target] != EMPTY
    if not pushed or not _may_go(s, gone, target) or _may_go(s, gone, aside):
        return s
    return s.tracing(retaken=target, refilled=None)


def _left(s: State, square: chess.Square, ms: c.Ms) -> State:
    """What the turn has left behind, but for a piece on ``square``, which leaves it at ``ms``."""
    traces, difference = s.turn.traces, s.turn.difference
    changes: dict[str, Any] = {}
    if difference.kind in LEGAL and s.position.landing(difference.moves[0]) == square:
        changes["stood"] = difference, ms, len(s.trace)
    if square in traces.landed:
        changes["landed"] = {each: pieces for each, pieces in traces.landed.items() if each != square}
    if square == traces.refilled:
        changes["refilled"] = None
    if square == traces.retaken:
        changes["retaken"] = None
    if traces.replaced is not None and square == traces.replaced[0]:
        changes["replaced"] = None
    return s.tracing(**changes) if changes else s


def _touched_with_a_stock_piece(s: State, ms: c.Ms) -> bool:
    """Whether a piece from the stock stood there until now, no slide, and none whose drop was judged already."""
    turn = s.turn
    lawful = turn.difference.kind is WHOLE
    stood = ms - turn.stands_since >= s.brush_ms
    return turn.difference.part == "drop" and stood and not (lawful and turn.judged)


def _release_what_stands(s: State, ms: c.Ms, touched: chess.Square, by: c.Side | None) -> State:
    """The next touch shows that a move set down before it was released (4.7); in the same scan it shows nothing yet."""
    if s.stopped or not (s.mismatch or s.turn.traces is not UNTOUCHED or against_the_rules(s)):
        return s  # the board is as the game has it, and nothing was done in this turn: as often as not
    if by is None and stood_less(s, touched, ms, s.brush_ms):
        return s  # the contact bounces, or a hand has not let go of him yet
    if against_the_rules(s) and BB_SQUARES[touched] & _own(s) and by in (None, s.turn.side):
        s = finished(stands(s))
    replies = _replies(s, ms, touched, by)
    if promotes_unnamed(s):
        if not replies:
            return s  # who promotes may yet say to what
        if s.position.board.kings & BB_SQUARES[touched] and (mate := queen_mates(s)) is not None:
            return make(ask(s, s.turn.difference), mate)  # who lifts a king after mate gives the sign of the result
        if s.clock is not None and s.clock.running == s.turn.side:
            return s  # until he presses
    if replies and s.clock is None and (taken_up := promoted_and_lifted(s)) is not None:
        return taken_up
    if (forgotten := _forgotten(s)) not in (None, touched) and s.readings[forgotten] == EMPTY:
        return mismatched(replace(s, not_by_mover=s.not_by_mover | BB_SQUARES[forgotten]))
    if moved_on_before(s) and BB_SQUARES[touched] & _own(s):
        return replace(s, not_by_mover=s.not_by_mover | s.mismatch)
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
    """Whether that is the rook who castles with the king that has made his step, or may be on his way: it was the first
    half."""
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
    his = BB_SQUARES[touched] & s.position.board.occupied_co[not s.position.turn]
    return bool(his) and by != s.turn.side and not s.has_announced(s.turn.side, ms)


def _named_from_stock(s: State) -> bool:
    """Whether the player has named a piece of his stock: that one may be in his hand, and takes nobody (7)."""
    drop_board, chosen = s.position.drop_board, s.chosen.get(s.turn.side)
    return drop_board is not None and chosen is not None and bool(drop_board.pockets[drop_board.turn].count(chosen))


def _raise(s: State, square: chess.Square, by: c.Side | None, ms: c.Ms) -> State:
    """A piece is off its own square: in time a touch, unless it was the other player's hand."""
    turn, bit = s.turn, BB_SQUARES[square]
    if by is None and s.announced:
        by = announced_out_of_turn(s, square, ms)
    last = s.last()
    uncorrected = last is not None and last.illegal and not last.reported and not s.gone() & ~bit
    if uncorrected and (not bit & _own(s) or _forgotten(s) == square):
        # An illegal move stands: until the opponent takes up a piece of his own, this is its correction. The one that
        # an unfinished capture left on the board is taken off, or moves: the next touch will tell.
        return s
    exchanged = last is not None and last.move.promotion is not None and may_give_way(s, last, square)
    if by is None or by == turn.side:
        early = by is None and may_have_fallen(s, square, ms)
        piece = Raised(ms, s.has_announced(turn.side, ms), exchanged, early=early)
        return replace(s, turn=turn.raising(square, piece))
    if exchanged:
        return s
    s = replace(s, not_by_mover=s.not_by_mover | bit)
    if s.has_announced(by, ms) or _released_by(s, by) & bit:
        # He takes up the piece that he has just released: that is judged by where it goes (4.7).
        return s
    return replace(s, turn=turn.raising(square, Raised(ms, announced=False, by=by)))


def _forgotten(s: State) -> chess.Square | None:
    """Where the piece stands that an unfinished capture left on the board (4.7.1)."""
    at = s.uncorrected()
    partial_move = None if at is None else s.made[at].partial_move
    return (
        None
        if at is None or partial_move is None or partial_move.part != "capture"
        else s.made[at].before.captured(partial_move.moves[0])
    )


def _king_castling_late(s: State, side: c.Side, target: chess.Square) -> chess.Square | None:
    """Whence the king of ``side`` came to ``target``, if that follows the rook that was released first (4.4.2)."""
    last = s.last()
    king = None if last is None or last.side != side or last.shifted else rook_first(last)
    return king[0] if king is not None and king[1] == target and s.readings[king[0]] == EMPTY else None


def _released_by(s: State, side: c.Side) -> int:
    """Where the pieces stand, or stood, that ``side`` released last, as a bitboard; none once one was seen moved on."""
    last = s.last()
    return 0 if last is None or last.side != side or last.shifted else last.released


TO_REPLY = 4
"""No reply is a piece that is off sooner after one was set down than a brush divided by this: a sleeve moved both. A
guess, as the next."""

PUSHED_MS = 150
"""A piece that was set down on the edge of its square is pushed on to it within this time, and nobody replies beside it
so soon. A guess."""

TO_TAKE = 2
"""No hand takes with a piece sooner after it left, nor where a square was open for less, than a brush divided by this:
a sleeve has moved both; one of whom nothing but such a capture explains the press has taken all the same."""


def _own(s: State) -> int:
    return s.position.board.occupied_co[s.position.turn]


def place(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> State:
    """Something stands on ``square`` from ``ms`` on; ``seen`` as in :mod:`controller.sensing.readings`."""
    if s.readings[square] == seen:
        return s
    if s.faulty and (disregarded := s.disregarding(square, seen)) is not None:
        return disregarded
    bit, by = BB_SQUARES[square], _unless_he_replies(s, by)
    was_empty = s.readings[square] == EMPTY
    if was_empty and s.turn.traces.refilled is not None and s.gone() and by != s.turn.side:
        # Who drops in reply shows that the one in hand has taken, if it may have by another name of what was dropped.
        s = (rename(s) or s) if _may_be_dropped(s, square, seen, not s.position.turn) else s
    if was_empty and _drops_in_reply(s, square, seen, by, ms):
        s, _ = triggered(s, Trigger.REPLY)
    if was_empty and against_the_rules(s) and by in (None, s.turn.side) and not s.gone():
        s = stands_whole(s) if _may_be_dropped(s, square, seen, s.position.turn) else s
    symbol = s.position.symbol(square)
    gone = s.gone()
    if by is None and s.not_by_mover & bit and _may_go(s, gone, square):
        s = taken_all_the_same(s, square, seen)
        if left_moved_on(s, square) and of_colour(seen, s.position.turn):
            s = replace(s, not_by_mover=s.not_by_mover & ~bit)
    his = by in (None, s.turn.side) and not s.not_by_mover & bit  #: as far as his hand is known
    home = symbol in FITS[seen]
    refills = home and seen == SOMETHING and was_empty and not bit & _own(s)
    in_hand = refills and his and gone.bit_count() > _set_down(s)
    if s.turn.traces.stood is not None and of_colour(seen, s.position.turn):
        s = s.tracing(stood=None)  # else the opponent stands there, who has taken what stood
    s = s.see(square, seen, ms, by)
    if refills and (in_hand or _named_from_stock(s)):
        # An enemy's square filled again while an own piece is in hand: that piece has taken there, if it can.
        quick = _just_up(s, ms)
        takes = _may_go(s, gone & ~quick if quick & bit else gone, square)
        if takes or s.turn.traces.retaken is None:  # else he has taken elsewhere, more likely than here
            s = s.tracing(retaken=square if takes else None, refilled=None if takes else square)
        home = not takes
    elif was_empty and his and (s.turn.traces.retaken, s.turn.traces.refilled) != (None, None):
        s = _not_taken_with(s, gone, home and bool(bit & _own(s)))
    if was_empty and seen == SOMETHING and symbol != EMPTY and not bit & _own(s):
        s = s.tracing(replaced=(square, ms))
    if s.stopped:
        s = s.turning(raised=NOTHING_RAISED)
    elif home:
        if s.turn.traces.landed and his and (others := _of_others(s, bit, gone)):
            s = _landed(s, square, others)
        s = _put_back(s, square, ms)
        s = replace(s, not_by_mover=s.not_by_mover & ~bit) if s.not_by_mover & bit else s
        if s.turn.traces.carried:
            s = _stands_as_before(s, ms)
    else:
        s = _landed(_set_down_elsewhere(s, square, by, gone, ms), square, gone)
    s = read_board(s, ms)
    if s.turn.astray and s.turn.judged and s.clock is None:
        s = s.turning(stands_since=ms, judged=False)  # the reply may be whole with it, on squares that differed before
    return _landed(s, square, s.left_unseen(s.turn.difference)) if s.faulty and not home and not gone else s


def _may_be_dropped(s: State, square: chess.Square, seen: str, white: chess.Color) -> bool:
    """Whether what is set down there, where nothing stands nor has changed, may come from that player's stock."""
    drop_board = s.position.drop_board
    if drop_board is None or s.stopped or BB_SQUARES[square] & (s.mismatch | s.position.board.occupied):
        return False
    return of_colour(seen, white) and len(drop_board.pockets[white]) > 0


def _drops_in_reply(s: State, square: chess.Square, seen: str, by: c.Side | None, ms: c.Ms) -> bool:
    """Whether a piece of the other player's stock is set down while a whole move stands: he touches it, and that
    releases the move (4.7)."""
    drop_board, turn = s.position.drop_board, s.turn
    if drop_board is None or s.stopped or turn.difference.kind not in LEGAL or by == turn.side:
        return False
    theirs, free = not s.position.turn, BB_SQUARES[square] & ~s.mismatch & ~s.position.board.occupied
    taker = turn.difference.moves[0]
    if seen != SOMETHING or (c.other(turn.side) in s.chosen and s.position.captured(taker) is not None):
        free |= BB_SQUARES[square] & BB_SQUARES[taker.from_square]  # where he has left: the other says that he drops
    beside = chess.square_distance(s.position.landing(taker), square) == 1 and seen == SOMETHING
    least = max(PUSHED_MS * beside, s.brush_ms // TO_REPLY)  # else the same may stand on both
    stands = ms - turn.stands_since > least
    return bool(free) and stands and of_colour(seen, theirs) and len(drop_board.pockets[theirs]) > 0


def _castlers(s: State) -> int:
    """In chess960: where king and rooks stand who may castle, as a bitboard."""
    both = [s.position.castling(move) for move in s.position.castlings()]
    return sum({BB_SQUARES[square] for each in both for square in (each.king, each.rook)})


def _stands_as_before(s: State, ms: c.Ms) -> State:
    """King and rook of chess960 stand at home again, or have changed places, which looks the same: not where both were
    no more than brushed."""
    carried, loose = s.turn.traces.carried, s.mismatch & ~s.not_by_mover
    if s.empty(carried) or loose & ~s.empty(loose):
        return s
    lifted = {edge.square: edge.ms for edge in s.trace[s.turn.start :] if edge.seen == EMPTY}
    brushed = all(ms - lifted[square] < s.brush_ms for square in squares(carried))
    if not brushed and read(s.position, s.readings, loose, s.turn.traces, s.faulty).kind is WHOLE:
        return s
    return s.tracing(carried=0)


def _just_up(s: State, ms: c.Ms) -> int:
    """The squares, as a bitboard, of pieces off for less than a hand needs to take, and not since the same reading."""
    least_ms = s.brush_ms // TO_TAKE
    return sum(BB_SQUARES[square] for square, piece in s.turn.raised.items() if 0 < ms - piece.ms < least_ms)


def _may_go(s: State, pieces: int, target: chess.Square) -> bool:
    """Whether one of these pieces, a bitboard, may go there."""
    return any(move.to_square == target for origin in squares(pieces) for move in s.position.moves_from(origin))


def _landed(s: State, square: chess.Square, pieces: int) -> State:
    """Something was set down on ``square`` while these own pieces, a bitboard, were in hand."""
    return s.tracing(landed={**s.turn.traces.landed, square: pieces})


def _set_down_elsewhere(s: State, square: chess.Square, by: c.Side | None, gone: int, ms: c.Ms) -> State:
    """Something stands on ``square`` that does not belong there; ``gone``: the own pieces in hand until then."""
    bit = BB_SQUARES[square]
    if by is not None and by != s.turn.side:
        # The piece released last, another in his place, or the king after the rook: judged by what comes of it.
        released, king = _released_by(s, by), _king_castling_late(s, by, square)
        if king is not None:
            return replace(s, not_by_mover=s.not_by_mover & ~BB_SQUARES[king])
        if released & bit:  # the squares that differ are those that differed while it was off
            return replace(s, not_by_mover=s.not_by_mover & ~bit).turning(stands_since=ms, judged=False)
        if all(s.readings[each] != EMPTY for each in squares(released)):
            return replace(s, not_by_mover=s.not_by_mover | bit)
        return s
    if gone:
        s = s.turning(straightened=()) if s.turn.straightened else s
        return _count_raised(s, square, ms) if s.turn.raised else s
    if not s.not_by_mover & _own(s):
        return s
    lost = s.not_by_mover & s.unexplained_pieces
    here = sum(BB_SQUARES[each] for each in squares(lost & _own(s)) if not _may_go(s, BB_SQUARES[each], square))
    return replace(s, not_by_mover=s.not_by_mover & (~_own(s) | here))


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


def touch_what_is_due(s: State) -> State:
    """A piece off its square for ``brush_ms`` is touched, or out of turn; one lifted after "j'adoube" waits."""
    ripe, raised = s.now - s.brush_ms, s.turn.raised
    if len(raised) >= AT_ONCE and (fallen := knocked_over(s)):
        return s.turning(raised={square: piece for square, piece in raised.items() if square not in fallen})
    for square, piece in raised.items():
        if piece.ms <= ripe and piece.counts and square in s.turn.raised:
            s = _count(s, square, piece)
    return s


def _of_others(s: State, square: int, gone: int) -> int:
    """Whose square is filled by another piece of its colour, as it was set down elsewhere before: the pieces in
    hand."""
    landed = s.turn.traces.landed.items()
    return gone & ~square if any(piece == square and s.readings[to] != EMPTY for to, piece in landed) else 0


def _set_down(s: State) -> int:
    """How many pieces stand on squares that are not theirs, and may be those that are gone."""
    loose = s.mismatch & ~s.not_by_mover
    return (loose & ~s.empty(loose)).bit_count()


def _not_taken_with(s: State, gone: int, put_back: bool) -> State:
    """A piece was set down that has not taken: where it was the one in hand, on a square filled again meanwhile stands
    what stood there. ``gone``: the pieces in hand until then; ``put_back``: whether it was on his own square."""
    left, retaken = s.gone() if put_back else gone & (gone - 1), s.turn.traces.retaken
    in_hand = left.bit_count() > _set_down(s) if retaken is None else _may_go(s, left, retaken)
    if not gone or in_hand:
        return s
    s = s.tracing(retaken=None, refilled=None)
    return s if retaken is None else _prove(s, retaken, brushed=True)


def _prove(s: State, square: chess.Square, brushed: bool) -> State:
    """It is known now whether a piece touched there, and soon on its square again, was only brushed."""
    touches = s.turn.touches
    if not any(touch.brief and touch.square == square for touch in touches):
        return s
    if brushed:
        return s.brushing([square])
    return s.turning(touches=tuple([TouchedPiece(t.square, t.ms) if t.square == square else t for t in touches]))


def _count_raised(s: State, target: chess.Square, ms: c.Ms) -> State:
    """Something was set down on ``target``, elsewhere: every piece in hand is touched, announced or not. Who left his
    square just before ``ms`` may yet prove to have been brushed; where kinds cannot be seen, and one in hand may take
    him, only if somebody seems to be taken, as his square was filled again. A pawn that gives way to a piece is touched
    only if it was taken; and who was off before the turn began, and cannot have gone there, is not in hand."""
    raised, before = s.turn.raised, s
    kept = {
        each: piece
        for each, piece in raised.items()
        if piece.by is not None
        or (piece.exchanged and each != target)
        or (piece.early and not _may_go(s, BB_SQUARES[each], target))
    }
    s = s.turning(raised=kept)
    for square, piece in raised.items():
        if square not in kept:
            brief = ms - piece.ms < s.brush_ms and _may_be_brushed(before, square, target, ms)
            s = s.touch(square, piece.ms, brief)
    return s


def _may_be_brushed(s: State, square: chess.Square, target: chess.Square, ms: c.Ms) -> bool:
    """Whether who has just left ``square`` as something is set down on ``target`` may prove to have been brushed."""
    if s.senses != "occupancy" or s.turn.traces.retaken in (square, target):
        return True
    return not _may_go(s, s.gone() & ~_just_up(s, ms), square)


def _count(s: State, square: chess.Square, piece: Raised) -> State:
    """A piece off its square is touched; or it is out of turn, with all that this hand has taken up by now."""
    if piece.by is None:
        return replace(s, turn=s.turn.lowering(square)).touch(square, piece.ms)
    theirs = {square: piece, **{each: other for each, other in s.turn.raised.items() if other.by == piece.by}}
    turn = s.turn
    for each in theirs:
        turn = turn.lowering(each)
    return lifted_out_of_turn(replace(s, turn=turn), theirs)


def _put_back(s: State, square: chess.Square, ms: c.Ms) -> State:
    piece = s.turn.raised.get(square)
    if piece is None:
        again = taken_up_again(s, square)
        if again is not None and ms - again.ms >= s.brush_ms:
            return lifted_out_of_turn(s, {square: again})
        lifted = next((touch.ms for touch in s.turn.touches if touch.square == square), ms)
        return _prove(s, square, brushed=ms - lifted < s.brush_ms)
    s = replace(s, turn=s.turn.lowering(square))
    if piece.exchanged:
        return s
    if piece.announced:
        straightened = (*s.turn.straightened, square)
        if any(other.announced for other in s.turn.raised.values()):
            return s.turning(straightened=straightened)
        names = [chess.SQUARE_NAMES[each] for each in sorted(straightened)]
        return s.turning(straightened=()).say(c.Adjusted, side=s.turn.side, squares=names)
    if ms - piece.ms < s.brush_ms:
        return s.say(c.Brush, square=chess.SQUARE_NAMES[square])
    return s if piece.early else _count(s, square, piece)
