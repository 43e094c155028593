"""Pieces that stand where the game has none: a move was taken back, a released piece moved on, or a hand was out of
turn (4.7, 7.4)."""

import chess
from chess import BB_SQUARES, Move
from msgspec.structs import replace

from controller import contract as c
from controller.chess960 import castling
from controller.laws.board import compare, difference_before, leave_out, leaving_out, read_board, result_sign, shifting
from controller.laws.correction import instead
from controller.laws.drop_names import named, promotes_unnamed
from controller.laws.evidence import handled, moved_about
from controller.laws.fallen import shoved
from controller.laws.initial_position import recognise
from controller.laws.moves import ended_by_capture, make, take_back
from controller.laws.notices import accuse
from controller.laws.passing import made_instead
from controller.laws.record import Made
from controller.laws.standing import put_back
from controller.laws.state import State, colour
from controller.laws.stock import laid, replenished
from controller.laws.touch import breach
from controller.position import EMPTY, Position, squares, uci
from controller.sensing.difference import LEGAL, Difference, Kind, differing, exchanged
from controller.sensing.readings import FITS, of_colour
from controller.sensing.trace import away_and_back

LET_GO_MS = 2000
"""So long after a capture seems released, its player hardly still holds the capturing piece; a guess. After a press he
does not."""

SET_UP = 2
"""So many pieces that stand again where the game began are set up for another one. A guess."""

IN_HANDS = 4
"""While two people play, at most so many more pieces are off their squares than stand on others; a guess."""


def mismatched(s: State) -> State:
    """Pieces have stood for ``release_ms`` where the game has none, or the other player's stand elsewhere: say why."""
    if begun := recognise(s):
        return begun
    if not s.stopped:
        if (late := set_down_late(s)) is not s:
            return late
        if s.made and s.mismatch & ~s.shifted:
            s = _taken_back(s)
        if s.unsure:
            s = replace(s, unseen=s.mismatch & ~s.not_by_mover)  # it may be the other player's turn
        if (over := ended_by_capture(s)) is not s:
            return over
        if not s.unseen:
            s = _moved_by_the_other(s)
            s = _dropped_by_the_other(s)
        s = leave_out(s)
    return compare(s)


def pressed_upon(s: State) -> State:
    """The player who moved last presses while the piece that he had released stands elsewhere: the press releases it
    there, so he has moved it on. A king in the middle is no sign of the result then, as he plays on."""
    last = s.last()
    if last is None or last.side == s.turn.side or last.shifted or last.may_be_taken_back or s.stopped or s.gone():
        return s
    vacated = s.empty(s.mismatch)
    filled = s.mismatch & ~vacated
    if not filled or not vacated or vacated & ~last.released or filled.bit_count() > vacated.bit_count():
        return s
    if not all(of_colour(s.readings[square], not s.position.turn) for square in squares(filled)):
        return s
    kind = _moved_on(s, last, vacated, filled)
    return s if kind is None else compare(_moved_on_after(s, len(s.made) - 1, *kind, s.mismatch))


def _taken_back(s: State) -> State:
    """Follow the player who moved last, if he has put another move in the place of his own, or taken it back."""
    at = s.uncorrected()
    if at is None:
        at = len(s.made) - 1
    last = s.made[at]
    difference = difference_before(s, last)
    if difference.kind not in (Kind.QUIET, *LEGAL):
        return s
    if not last.may_be_taken_back:
        if difference.kind is Kind.QUIET:
            # What was reported of the move lapses with it, whether it was lawful to take it back or not.
            s = replace(s, witnessed=None)
            # A dropped piece that is put straight may come back; or the opponent is about to capture it.
            straightened = last.move.drop and s.has_announced(last.side, s.now)
            if not (last.shifted or last.believed or s.unseen or s.unsure or straightened):
                s = _moved_on_after(s, at, "released-move", s.laws.clause.released, last.changed)
        return s
    bound = last.touches, last.partial_move, s.laws.clause, s.together_ms
    broken = (breach(last.before, move, *bound) is not None for move in difference.moves)
    if difference.kind in LEGAL and not last.inferred and all(broken):
        return s
    if last.inferred and _let_go(s, last, difference):
        return s
    if difference.kind in LEGAL and last.shifted:  # it was told that he moved it on: that is one breach, not two
        told = instead(s, at, named(s, difference))
        if told is not None or s.board is None:
            return told or s
    s = _nobody_taken(s, at)
    s = take_back(s, at)
    s = read_board(s, s.now)
    if difference.kind in LEGAL and not promotes_unnamed(s):
        move = named(s, difference)
        refilled = s.senses == "occupancy" and s.position.captured(move) == move.to_square
        half = last.breach and last.before.castles(last.move)  # perhaps only the rook has still to be put back
        s = make(s, move)
        # Or, where a square was filled again, the victim was put back.
        s = s.amending(len(s.made) - 1, inferred=s.made[-1].inferred or refilled or half)
    return s


def set_down_late(s: State) -> State:
    """A player who pressed without a move may set his piece down when the opponent already holds one of his own, or
    might have dropped one there: that is the move which the player owed, and no doing of the opponent's."""
    made = s.made[-1] if s.made else None
    if made is None or made.move or not made.illegal or made.side == s.turn.side:
        return s  # no press without a move, by the other player, came last
    held = s.gone()
    difference = difference_before(s, made, apart=held)
    if difference.kind not in LEGAL or not (held or made.before.drop_board):
        return s
    partial = made.partial_move
    queen = [move for move in difference.moves if partial and partial.part == "promotion" and move in partial.moves]
    return made_instead(s, difference, held, queen[0] if len(queen) == 1 else None)


def _let_go(s: State, last: Made, difference: Difference) -> bool:
    """Whether the player of a capture that nobody saw hardly still held his piece when something was set down
    elsewhere: he had pressed, or the piece was released long before. If it was set down on its origin, he must have
    pressed, and the piece must have been seen to stand."""
    pressed, takes = last.completed_by_press, last.before.captured(last.move) is not None
    if last.illegal or (difference.kind is Kind.QUIET and not (pressed and last.stood and takes)):
        return False
    return s.turn.stands_since > last.done + (0 if pressed else LET_GO_MS)


def _nobody_taken(s: State, at: int) -> State:
    """Nothing was captured: tell that pieces touched for no longer than a brush were only brushed, and drop their
    touches."""
    made = s.made[at]
    own, ripe = made.before.board.occupied_co[made.before.turn], s.now - s.brush_ms
    brushed = [t for t in made.touches if t.brief and not (BB_SQUARES[t.square] & own and t.ms <= ripe)]
    for touch in brushed:
        s = s.say(c.Brush, square=chess.SQUARE_NAMES[touch.square])
    return s.amending(at, touches=tuple([touch for touch in made.touches if touch not in brushed]))


def _moved_by_the_other(s: State) -> State:
    """A piece of the player not having the move stands elsewhere: a released piece moved on, or out of turn."""
    theirs = s.theirs
    side, last = c.other(s.turn.side), s.last()
    his = last if last is not None and last.side == side else None
    vacated, filled, released = 0, 0, 0 if his is None or his.shifted else his.released
    for square in squares(s.mismatch & ~(s.shifted | s.not_by_mover & ~released)):
        if s.readings[square] == EMPTY:
            vacated |= BB_SQUARES[square] & theirs
        elif of_colour(s.readings[square], not s.position.turn):
            filled |= BB_SQUARES[square]
    if not filled or result_sign(s) or _cleared(s) or _tries_to_correct(s, side) or _set_aside(s, vacated, filled):
        return s
    if his is not None and _being_put_back(s, his, filled):
        return s
    if shoved(s, vacated | filled) or _done_by(s, s.turn.side, vacated | filled):
        return shifting(s, vacated | filled)  # a sleeve, or the hand of the player having the move, has done it
    if filled & theirs & ~released or _set_up_anew(s, his, vacated, filled):
        return shifting(s.untouch(vacated | filled), vacated | filled)  # nor is the place of another of his a move
    if _out_of_the_way(s, his, vacated, filled):
        return leaving_out(s, filled)
    if his is not None and filled & BB_SQUARES[his.move.to_square] and exchanged(his.before, s.readings, his.move):
        return _exchanged(s, his)
    if his is not None and not his.shifted and not his.illegal:
        kind = _moved_on(s, his, vacated, filled)
        if kind is not None:
            return _moved_on_after(s, len(s.made) - 1, *kind, vacated | filled)
    if not vacated or (last is not None and not s.trace.changed(last.start) & (vacated | filled)):
        return s  # these squares have not changed since before the last move
    s = s.untouch(vacated | filled)
    s = replace(s, not_by_mover=s.not_by_mover | s.mismatch & (vacated | filled))
    if last is not None and last.shifted:
        return s  # one breach, which was told: he plays another piece instead of the one that he had released
    return _out_of_turn(s, side, vacated | filled)


def _exchanged(s: State, last: Made) -> State:
    """The pawn of that promotion, in a match, has been exchanged for the real piece that it became."""
    after = last.before.after(last.move, exchanged=True)
    s = s.amending(len(s.made) - 1, after=after)
    mask = BB_SQUARES[last.move.to_square]
    s = replace(s, position=replenished(s, after), mismatch=s.mismatch & ~mask, not_by_mover=s.not_by_mover & ~mask)
    return s.untouch(mask).follow()


def _out_of_turn(s: State, side: c.Side, mask: int) -> State:
    """Tell that ``side`` moves a piece though the opponent has the move. If he has pressed without a move he still owes
    it: then the breach is that of Article 4, if he had touched another piece."""
    clause, pressed = s.laws.clause, s.made[-1] if s.made else None
    if pressed is not None and not pressed.move and pressed.illegal and pressed.side == side:
        difference = difference_before(s, pressed)
        move = difference.moves[0] if difference.kind in LEGAL else Move.null()
        broken = breach(pressed.before, move, pressed.touches, pressed.partial_move, clause, s.together_ms)
        if move and broken is not None:
            touched = sum({BB_SQUARES[touch.square] for touch in pressed.touches})
            return s.violate(side, *broken, uci=uci(move), **moved_about(None, mask | touched))
    return s.violate(side, "out-of-turn", clause.out_of_turn, **moved_about(None, mask))


def _set_up_anew(s: State, his: Made | None, vacated: int, filled: int) -> bool:
    """Whether the pieces on ``filled``, squares as a bitboard, are set up for another game: they stand where this one
    began, and so does another that did not; or no move of its kind brings it there from ``vacated``. A move that is
    taken back is none of that. ``his``: the last move of their player."""
    start, now = s.start.symbols, s.position.symbols
    home = sum(
        BB_SQUARES[square]
        for square in squares(s.mismatch)
        if start[square] and start[square] != now[square] and start[square] in FITS[s.readings[square]]
    )
    taken_back = his.changed if his is not None and vacated & BB_SQUARES[his.landing] else 0
    if filled & ~home or not home & ~taken_back:
        return False
    if home.bit_count() >= SET_UP:
        return True
    if vacated.bit_count() != 1 or filled.bit_count() != 1:
        return False
    origin = vacated.bit_length() - 1
    moves_there = filled & s.position.board.attacks_mask(origin) and not vacated & s.position.board.pawns
    return not moves_there and start[filled.bit_length() - 1] == now[origin]


def _cleared(s: State) -> bool:
    """Whether more pieces are missing from the board than moves explain: it may be being cleared, or sensors do not
    work."""
    off = s.empty(s.mismatch & s.position.board.occupied)
    return off.bit_count() - (s.mismatch & ~off).bit_count() > IN_HANDS


def _done_by(s: State, side: c.Side, mask: int) -> bool:
    """Whether the hand of ``side`` is known to have changed one of these squares, a bitboard, in this turn; or no hand
    is known, and ``side`` had said "j'adoube"."""
    return any(
        BB_SQUARES[edge.square] & mask
        and (edge.white is colour(side) or (edge.white is None and s.has_announced(side, edge.ms)))
        for edge in s.trace[s.turn.start :]
    )


def _set_aside(s: State, vacated: int, filled: int) -> bool:
    """Whether the player having the move has set the victim of his capture down beside its square for a while: a piece
    that may capture it is in his hand."""
    board, in_hand = s.position.board, s.gone()
    return vacated != 0 and all(
        board.attackers_mask(board.turn, square) & in_hand and chess.BB_KING_ATTACKS[square] & filled
        for square in squares(vacated)
    )


def _out_of_the_way(s: State, last: Made | None, vacated: int, filled: int) -> bool:
    """Whether the player having the move has set a piece down that he may capture, to have it out of his way until his
    own stands there, which is in his hand already, or it could not have gone there by itself; and its owner's hand is
    not known to have moved it. ``last``: its owner's last move."""
    if vacated.bit_count() != 1 or filled.bit_count() != 1 or filled & s.position.board.occupied:
        return False
    if s.position.drop_board is not None:
        return False  # it goes to the partner
    square, owner = vacated.bit_length() - 1, not s.position.turn
    takers = sum({BB_SQUARES[move.from_square] for move in s.position.capturing(square)})
    if not takers or (not takers & s.gone() and filled & reached_from(s.position, square, last)):
        return False
    edges = s.trace[s.turn.start :]
    return not any(BB_SQUARES[edge.square] & (vacated | filled) and edge.white is owner for edge in edges)


def another_taken_up(s: State, square: chess.Square) -> State:
    """The player having the move takes up the piece of ``square``. If that one cannot capture the piece that seemed to
    be out of its way, nobody is about to: its owner has moved it out of turn."""
    if not s.unexplained_pieces or s.stopped or s.position.drop_board is not None:
        return s
    theirs = s.theirs
    vacated = s.empty(s.mismatch & ~s.not_by_mover & theirs)
    filled = s.unexplained_pieces & ~s.empty(s.unexplained_pieces)
    if vacated.bit_count() != 1 or filled.bit_count() != 1:
        return s
    home, stands = vacated.bit_length() - 1, filled.bit_length() - 1
    numbers = s.trace.last_edges(vacated | filled, s.turn.start)
    seen_to_go = 0 <= numbers[home] < numbers[stands] and s.position.symbols[home] in FITS[s.readings[stands]]
    if not seen_to_go or any(move.from_square == square for move in s.position.capturing(home)):
        return s
    s = replace(s.untouch(vacated | filled), unexplained_pieces=s.unexplained_pieces & ~filled)
    s = read_board(replace(s, not_by_mover=s.not_by_mover | vacated | filled), s.now)
    return _out_of_turn(s, c.other(s.turn.side), vacated | filled)


def reached_from(position: Position, square: chess.Square, last: Made | None) -> int:
    """The squares, a bitboard, to which the piece on ``square`` could go at its owner's next turn; and, if his ``last``
    move brought it there, those to which it could have gone instead."""
    board, bit = position.board, BB_SQUARES[square]
    reached = board.attacks_mask(square)
    if board.pawns & bit:
        forward = chess.shift_up if board.occupied_co[chess.WHITE] & bit else chess.shift_down
        step = forward(bit)
        second = bit & (chess.BB_RANK_2 | chess.BB_RANK_7) and not step & board.occupied
        reached |= step | (forward(step) if second else 0)  # from the other player's rank there is no second step
    if last is not None and last.move.to_square == square:
        reached |= sum({BB_SQUARES[move.to_square] for move in last.before.moves_from(last.move.from_square)})
    return reached


def _dropped_by_the_other(s: State) -> State:
    """Tell that the player not having the move has dropped pieces of his stock, if his hand is known or their colour is
    seen. That binds nobody, and they are to be taken off again."""
    drop_board, white = s.position.drop_board, not s.position.turn
    if drop_board is None or not len(drop_board.pockets[white]):
        return s
    side, touches = c.other(s.turn.side), []
    for square in squares(s.mismatch & ~s.position.board.occupied & ~s.unexplained_pieces):
        known, seen = s.not_by_mover & BB_SQUARES[square], s.readings[square]
        his = of_colour(seen, white) and (known or not of_colour(seen, not white))
        if his and chess.SQUARE_NAMES[square] not in s.displaced:
            touches.append(laid(s, square))
    missing = s.empty(s.mismatch & s.position.board.occupied_co[white])
    if touches and not missing and not _tries_to_correct(s, side):
        s = s.violate(side, "out-of-turn", s.laws.clause.out_of_turn, **handled(touches))
    return s


def corrects(s: State, touched: chess.Square, by: c.Side | None) -> bool:
    """Whether the player who moved last has put his piece back, as he had to, and takes up another."""
    last = s.last()
    if last is None or not last.may_be_taken_back or by not in (None, last.side):
        return False
    return s.position.board.occupied_co[colour(last.side)] & BB_SQUARES[touched] != 0 and put_back(s)


def _tries_to_correct(s: State, side: c.Side) -> bool:
    """Whether ``side`` was given the clock back to correct an illegal move: what he does is judged when he presses."""
    at = s.uncorrected()
    return at is not None and s.made[at].side == side and s.clock is not None and s.clock.running == side


def _being_put_back(s: State, last: Made, filled: int) -> bool:
    """Whether a player whose last move was a breach is putting the pieces back, one by one."""
    if not last.breach or last.shifted or filled & ~last.changed:
        return False
    return not differing(last.before, s.readings, filled)


def _moved_on_after(s: State, at: int, kind: str, article: str, mask: int) -> State:
    """Tell that a piece released by move number ``at`` was moved on: it is to be put back where it was released, and
    binds nobody else."""
    if (over := ended_by_capture(s)) is not s:
        return over  # that was a capture, then, and it has ended the game
    last = s.made[at]
    s = s.amending(at, shifted=True).untouch(mask)
    s = replace(s, not_by_mover=s.not_by_mover | s.mismatch & mask)
    accused = s.violate(last.side, kind, article, **moved_about(last, mask))
    return accuse(accused, at, kind, article, len(s.made), accused.ids_since(s))


def taken_onward(s: State) -> State | None:
    """The state in which the player who moved last has captured with the piece that he had released; None if that is
    not possible. On a board that sees only occupancy it may be: the piece's square is empty, and another one to which
    it could have gone was left and filled again since."""
    last, at = s.last(), len(s.made) - 1
    if last is None or last.side == s.turn.side or last.shifted or last.illegal or s.board is not None:
        return None
    landing = BB_SQUARES[last.landing]
    if s.senses != "occupancy" or not last.stood or not s.empty(landing & last.released) or s.mismatch & ~landing:
        return None
    edges = s.trace[max(s.turn.start, s.trace.last_edges(landing, 0)[last.landing]) :]
    for up, down in away_and_back(edges):
        square = edges[down].square
        taking = [move for move in last.before.moves_from(last.move.from_square) if move.to_square == square]
        if taking and edges[down].ms - edges[up].ms >= s.brush_ms and last.before.captured(taking[0]) == square:
            s = _moved_on_after(s, at, "released-move", s.laws.clause.released, landing | BB_SQUARES[square])
            return instead(s, at, taking[0])
    return None


def left_moved_on(s: State, square: chess.Square) -> bool:
    """Whether the piece released on ``square`` was moved on, against the rules (4.7): then others may go there."""
    last = s.last()
    return last is not None and last.shifted and BB_SQUARES[square] & last.released != 0


def moved_on_before(s: State) -> bool:
    """Whether what looks like a move is a piece that the mover had moved on before his turn began: when he takes up
    another piece, that does not make it a move."""
    if len(s.made) < 2 or not s.made[-2].shifted or s.made[-2].side != s.turn.side:
        return False
    return s.turn.difference.kind in LEGAL and not s.trace.changed(s.turn.start) & s.turn.difference.mask


def rook_first(last: Made) -> tuple[chess.Square, chess.Square] | None:
    """The king's square and destination, if this move may be the rook's part of castling, moved first (4.4.2); else
    None."""
    (home, rooks), corner = last.before.homes[colour(last.side)], last.move.from_square
    if not last.move or corner not in rooks or last.before.symbol(corner).upper() != "R":
        return None
    both = castling(Move(home, corner), shuffled=True)
    if last.before.symbol(both.king).upper() != "K":
        return None
    return None if both.king == both.king_to else (both.king, both.king_to)


def _moved_on(s: State, last: Made, vacated: int, filled: int) -> tuple[str, str] | None:
    """The kind and clause of the rule on released pieces that the player broke after his move; None if he broke
    none."""
    clause, target = s.laws.clause, BB_SQUARES[last.move.to_square]
    if last.move.promotion and filled & target:
        return "promotion-changed", clause.promotion_final
    if (king := rook_first(last)) and vacated & BB_SQUARES[king[0]] and filled & BB_SQUARES[king[1]]:
        # A player who had both in his hand has not begun with the rook.
        return None if in_hand_already(s, last, BB_SQUARES[king[0]]) else ("castling-order", clause.rook_first)
    replaced = last.move.drop and filled & target  # another piece from stock in its place (17)
    return ("released-move", clause.released) if vacated & last.released or replaced else None


def in_hand_already(s: State, last: Made, vacated: int) -> bool:
    """Whether the piece of one of these squares, a bitboard, left it before that move was released."""
    landing = BB_SQUARES[last.landing]
    edges = s.trace.last_edges(vacated | landing, last.start)
    return any(0 <= edges[square] < edges[last.landing] for square in squares(s.empty(vacated)))
