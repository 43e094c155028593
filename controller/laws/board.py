"""How the board compares with the game: what difference stands, what is displaced, and which way round the board is
(4.4.4, 7.4)."""

from collections.abc import Mapping

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.laws.record import Made
from controller.laws.state import State, colour, turned
from controller.laws.touch import PartialMove
from controller.laws.turn import NOTHING_RAISED, UNTOUCHED
from controller.position import EMPTY, TURNED, Position, squares
from controller.sensing.difference import (
    HELD,
    LEGAL,
    LIFTED,
    QUIET,
    WHOLE,
    Difference,
    Kind,
    Readings,
    Traces,
    differing,
    read,
)
from controller.sensing.readings import FITS, of_colour
from controller.sensing.trace import Trace, away_and_back

SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
PIECES = 2  #: so many pieces one move may take off their squares: taker and victim, or king and rook
CENTRE = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5


def read_board(s: State, ms: c.Ms) -> State:
    """Read the board anew after an edge of time ``ms``."""
    loose = s.mismatch or s.not_by_mover or s.turn.traces.carried
    if (turn := s.turn.standing(_as_it_stands(s) if loose else QUIET, ms)) is not s.turn:
        s = replace(s, turn=turn)
    elif s.exchanged and not s.made and s.trace.last is not None and s.trace.last.ms == ms:
        s = s.turning(stands_since=ms, judged=False)  # pieces that change places differ on the same squares
    if s.turn.difference.moves and s.senses == "identity" and not s.stopped:
        s = _touch_promotion_square(s)
    if s.displaced and not loose_squares(s) and not any(s.mismatch & BB_SQUARES[SQUARES[name]] for name in s.displaced):
        s = replace(s, displaced=(), restoring=False).say(c.Restored)
    return s if s.mismatch else s.follow()


def _as_it_stands(s: State) -> Difference:
    if s.stopped:
        loose = s.mismatch & ~_of_the_promotion(s)
        return Difference(Kind.FOREIGN if loose else Kind.QUIET, mask=loose)
    difference = read(s.position, s.readings, s.mismatch & ~s.not_by_mover, s.turn.traces, s.faulty)
    if difference.kind is HELD and s.not_by_mover & ~_to_be_taken(s):
        return Difference(Kind.DISTURBED, mask=difference.mask)
    if difference.kind is HELD or difference.kind is WHOLE:
        return difference  # the exceptions below are for other kinds
    if s.not_by_mover and difference.kind is Kind.QUIET:
        return Difference(Kind.FOREIGN, mask=s.not_by_mover)
    if difference.kind is Kind.ASTRAY and (s.unseen or s.unsure):
        return Difference(Kind.FOREIGN, mask=s.mismatch)  # nobody knows whose doing it is
    if difference.kind is Kind.FOREIGN and _names_it_his(s):
        return Difference(Kind.ASTRAY, part="drop", mask=difference.mask)
    if difference.kind is Kind.PARTIAL and _put_there_before(s, difference):
        return Difference(Kind.FOREIGN, mask=difference.mask)
    if s.turn.partial_move is not None and difference.kind in (Kind.ASTRAY, Kind.FOREIGN):
        if reply := reply_beside(s):
            return read(s.position, s.readings, s.mismatch & ~s.not_by_mover & ~reply, s.turn.traces, s.faulty)
        return _half_made_still(s, s.turn.partial_move, difference)
    return difference


def _to_be_taken(s: State) -> int:
    """The opponent's squares, a bitboard, that do not match by no doing of the mover's, and on which a piece in his
    hand may capture: its owner has only made room."""
    in_hand = s.gone()
    takers = ((square, s.position.capturing(square)) for square in squares(s.not_by_mover & s.theirs))
    return sum(
        BB_SQUARES[square] for square, moves in takers if any(in_hand & BB_SQUARES[m.from_square] for m in moves)
    )


def reply_beside(s: State) -> int:
    """The squares, a bitboard, of a reply that stands beside an unfinished castling or capture in passing; 0 if none
    does. Without a clock always 0: no press shows the move to be unfinished, and a sensor may have failed.
    """
    return 0 if s.clock is None else beside_unfinished(s)


def beside_unfinished(s: State) -> int:
    """The same, with a clock or without."""
    partial_move = s.turn.partial_move
    if (
        partial_move is None
        or partial_move.part not in ("castling", "capture")
        or len(partial_move.moves) > 1
        or s.position.drop_board is not None
    ):
        return 0
    move = partial_move.moves[0]
    beside = s.mismatch & ~s.position.changed(move)
    if not beside:
        return 0
    after = s.budget.after(s.position, move)
    return beside if read(after, s.readings, beside, UNTOUCHED, s.faulty).kind in LEGAL else 0


def replying(position: Position, readings: Readings, mismatch: int) -> int:
    """Those of the squares ``mismatch``, which differ from the position, that the opponent may have changed while the
    move was not seen yet, as he begins his reply: where a piece of his is off its square, but for one that a pawn in
    hand may take in passing, and where one of his is seen to have come. 0 in a match, where either may drop pieces."""
    board, found = position.board, 0
    if position.drop_board is not None:
        return 0
    his = board.occupied_co[not board.turn]
    passing = 0
    if board.ep_square is not None and board.attackers_mask(board.turn, board.ep_square) & board.pawns & mismatch:
        passing = BB_SQUARES[board.ep_square ^ 8]
    for square in squares(mismatch & ~board.occupied_co[board.turn] & ~passing):
        bit, seen = BB_SQUARES[square], readings[square]
        if bit & his if seen == EMPTY else not of_colour(seen, board.turn):
            found |= bit
    return found


def _of_the_promotion(s: State) -> int:
    """The squares, a bitboard, of a promotion for which the clocks were stopped to fetch the piece (6.11.2)."""
    partial_move = s.turn.partial_move
    if partial_move is None or partial_move.part != "promotion":
        return 0
    return s.position.changed(*partial_move.moves)


def _names_it_his(s: State) -> bool:
    """Whether, in a match with clocks, all that differs is one piece from outside, and the player having the move has
    named a piece to drop: then the piece is his, though it is not in his stock. Without clocks it may yet come into
    stock."""
    if s.position.drop_board is None or s.clock is None or s.turn.side not in s.chosen or s.not_by_mover:
        return False
    stands = s.mismatch & ~s.position.board.occupied
    return stands == s.mismatch and not stands & (stands - 1)


def _put_there_before(s: State, difference: Difference) -> bool:
    """Whether the piece where a pawn may promote was put there before this turn: a captured one set down in passing."""
    first = difference.moves[0]
    if not first.promotion or s.trace.last is None or s.turn.partial_move is not None:
        return False
    return not any(edge.square == first.to_square for edge in s.trace[s.turn.start :])


def _half_made_still(s: State, partial_move: PartialMove, astray: Difference) -> Difference:
    """The released part of a legal move, if it still stands; pieces lifted since are no part of it. A promotion counts
    as such a part while nobody has named the piece. Else ``astray``, the difference with these pieces."""
    if astray.kind is Kind.FOREIGN and partial_move.part not in ("castling", "capture"):
        return astray
    lifted = s.empty(s.mismatch & ~s.position.changed(*partial_move.moves))
    difference = read(s.position, s.readings, s.mismatch & ~s.not_by_mover & ~lifted, s.turn.traces, s.faulty)
    promotes = partial_move.part == "promotion" and difference.moves == partial_move.moves
    return difference if (promotes and difference.kind is Kind.WHOLE) or difference.kind is Kind.PARTIAL else astray


def difference_before(s: State, made: Made, changed: int = 0, apart: int = 0) -> Difference:
    """How the board differs from the position before ``made``: another move may stand in its place, or none. It is the
    last move, or the first of those that have ``changed`` these squares. Pieces that came from nowhere before that turn
    are no part of it, nor are the squares ``apart``; both are bitboards."""
    unexplained_pieces = s.unexplained_pieces & ~s.trace.changed(made.start) if s.unexplained_pieces else 0
    mismatch = differing(made.before, s.readings, made.changed | s.mismatch | changed) & ~(unexplained_pieces | apart)
    traces = _traces_since(s, made, mismatch) if made.illegal or made.shifted else UNTOUCHED
    return read(made.before, s.readings, mismatch, traces, s.faulty)


def _traces_since(s: State, made: Made, mismatch: int) -> Traces:
    """The traces of another move in place of that one: a square of the opponent's that opened and was filled again
    while the player's only missing piece, which may capture there, was off."""
    own = made.before.board.occupied_co[colour(made.side)]
    gone = s.empty(mismatch & own)
    if s.senses != "occupancy" or not gone or gone & (gone - 1):
        return UNTOUCHED
    edges, origin = s.trace[made.start :], gone.bit_length() - 1
    left = max((number for number, edge in enumerate(edges) if edge.square == origin and edge.seen == EMPTY), default=0)
    may_take = {move.to_square for move in made.before.moves_from(origin) if made.before.captured(move) is not None}
    back = [edges[number].square for _, number in away_and_back(edges) if number > left]
    return Traces(retaken=next((square for square in reversed(back) if square in may_take), None))


def leave_out(s: State) -> State:
    """Pieces stand where the game has none, and no piece is missing: leave them out of the game until they are taken
    off, or their player may drop them."""
    extra = s.mismatch & ~(s.not_by_mover | being_corrected(s))
    if s.empty(extra):
        return s
    return leaving_out(s, extra)


def leaving_out(s: State, mask: int) -> State:
    """The state in which what these squares show, a bitboard, is nobody's doing until something changes there."""
    s = replace(s, not_by_mover=s.not_by_mover | mask, unexplained_pieces=s.unexplained_pieces | mask)
    return read_board(s, s.now)


def shifting(s: State, mask: int) -> State:
    """The state in which a piece that went from one of these squares to the other, a bitboard, or pieces that left
    them, were moved by none who may move them. They are displaced until something changes there."""
    return read_board(replace(s, not_by_mover=s.not_by_mover | mask, shifted=s.shifted | mask), s.now)


def being_corrected(s: State) -> int:
    """While an illegal move is being corrected: the squares, a bitboard, of pieces that were off the board when it was
    completed and are put back; if more were put down, only those on squares that were occupied before the move."""
    at = s.uncorrected()
    if at is None:
        return 0
    before, after = s.made[at].before.board.occupied, s.made[at].after.board.occupied
    in_hand = before.bit_count() - after.bit_count()
    came = s.mismatch & ~s.unexplained_pieces & s.trace.changed(s.turn.start)
    filled = came & ~s.empty(came)
    return filled if filled.bit_count() <= in_hand else filled & before


def count_strays(s: State) -> State:
    """The player presses with a piece in his hand, and in his turn one came from nowhere: he has set it down there."""
    came = s.unexplained_pieces & s.trace.changed(s.turn.start) if s.unexplained_pieces else 0
    if not came or s.turn.difference.kind not in LIFTED:
        return s
    left = replace(s, not_by_mover=s.not_by_mover & ~came, unexplained_pieces=s.unexplained_pieces & ~came)
    return read_board(left, s.now)


def loose_squares(s: State) -> tuple[str, ...]:
    """The squares that do not match the game beyond a move in progress (7.4), from a1 to h8."""
    kind = s.turn.difference.kind
    if s.stopped and _is_in_hand(s):
        return ()
    whole = s.stopped or kind is Kind.FOREIGN or (kind is not Kind.DISTURBED and beyond_a_move(s))
    mask = s.mismatch if whole else s.not_by_mover
    return tuple([chess.SQUARE_NAMES[square] for square in squares(mask)])


def _is_in_hand(s: State) -> bool:
    """Whether the board lacks no more than what the player having the move took up before the clocks were stopped."""
    if not s.gone() or s.returned is not None or s.empty(s.mismatch) != s.mismatch:
        return False
    lifts = s.trace.last_edges(s.mismatch, s.turn.start).values()
    return all(0 <= number < s.stopped_at for number in lifts)


def set_aside(s: State, mask: int) -> State:
    """The state without what these squares show, a bitboard."""
    return read_board(replace(s, mismatch=s.mismatch & ~mask), s.now)


def looked_at_again(s: State, mask: int, ms: c.Ms) -> State:
    """The state with what these squares show again, from ``ms`` on, compared with the present position."""
    return read_board(replace(s, mismatch=s.mismatch | differing(s.position, s.readings, mask)), ms)


def origins_of_landed(s: State) -> int:
    """Where a piece stands that the game does not have, while no piece of the mover's is off its square: the squares, a
    bitboard, of his pieces that can go there."""
    own = s.own
    away = s.empty(s.mismatch)
    if not (landed := s.mismatch & ~away) or away & own:
        return 0
    goes = [move for origin in squares(own) for move in s.position.moves_from(origin)]
    return sum({BB_SQUARES[move.from_square] for move in goes if landed & BB_SQUARES[move.to_square]})


SWEPT = 3 * PIECES
"""Whatever a player does in his turn, at most so many pieces are off their squares; a guess."""


def beyond_a_move(s: State) -> bool:
    """Whether more pieces are off their squares than one move takes; or pieces of both players are, and more were set
    down than the player having the move has lifted of his own."""
    board = s.position.board
    away = s.mismatch & board.occupied
    own, theirs = (s.empty(away & side) for side in (board.occupied_co[board.turn], board.occupied_co[not board.turn]))
    set_down = (s.mismatch & ~s.empty(s.mismatch)).bit_count()
    return away.bit_count() > PIECES or bool(own and theirs and set_down > own.bit_count())


def swept(s: State) -> bool:
    """Whether more pieces are off their squares than a player can have lifted in his turn: boards were exchanged, or
    the pieces swept off. No sensor tells whose doing that is."""
    return (s.mismatch & s.position.board.occupied).bit_count() > SWEPT


def read_first(s: State, changed: Mapping[chess.Square, str]) -> State:
    """Take the first reading of a session; the squares ``changed`` do not show what the game has. Nobody was seen to
    change them, so that is no touch and no move. They take no part in the game until something changes there, or play
    shows that it was a move."""
    for square, seen in changed.items():
        s = s.disregarding(square, seen) or s.see(square, seen, s.now, None)
    return read_board(replace(s, not_by_mover=s.mismatch, unexplained_pieces=s.mismatch), s.now)


def compare_afresh(s: State) -> State:
    """Report what does not match the game on a first scan after edges. Nobody was seen to lift the pieces of the
    opponent's that are missing."""
    theirs = s.mismatch & s.theirs
    if s.turn.difference.kind in LIFTED and theirs:
        s = read_board(replace(s, not_by_mover=s.not_by_mover | theirs, turn=s.turn.lowering(theirs)), s.now)
    return compare(s)


def compare(s: State) -> State:
    """Tell the displaced squares, if they have changed. While play is stalled, only if they are fewer: that the board
    does not match was told with the stall. The clause is that of a position to be restored for a ruling (7.1), else
    that of displaced pieces (7.4)."""
    loose = loose_squares(s)
    if loose and loose != s.displaced and (not s.stalled or len(loose) < len(s.displaced)):
        article = s.laws.clause.restored_clock if s.restoring else s.laws.clause.displaced
        s = replace(s, displaced=loose).say(c.Displaced, squares=list(loose), article=article)
    return s


def may_stand_turned(s: State) -> bool:
    """Whether the board may stand the other way round: the start position looks the same from both sides where kinds
    and colours cannot be seen, and only the first moves tell."""
    occupied = s.position.board.occupied
    faulty = s.senses == "occupancy" and turned(occupied) == occupied
    return faulty and not (s.turned or s.made or s.stopped or s.not_by_mover)


def moved_if_turned(s: State) -> bool:
    """Whether nothing but the first move has been played, if the board stands the other way round."""
    readings = s.readings[::-1]
    mismatch = differing(s.position, readings, chess.BB_ALL)
    if mismatch.bit_count() > 2:
        return False  # no first move takes anything, or castles
    return read(s.position, readings, mismatch, UNTOUCHED, turned(s.faulty)).kind in LEGAL


def turn_round(s: State) -> State:
    """The state with the board the other way round: all edges so far were on other squares, and touched nothing."""
    readings = s.readings[::-1]
    s = replace(
        s,
        turned=s.turned ^ TURNED,
        readings=readings,
        faulty=turned(s.faulty),
        faulty_sensors={square ^ TURNED: sensor for square, sensor in s.faulty_sensors.items()},
        trace=Trace([replace(edge, square=edge.square ^ TURNED) for edge in s.trace]),
        mismatch=differing(s.position, readings, chess.BB_ALL),
        turn=replace(s.turn, raised=NOTHING_RAISED, touches=(), traces=UNTOUCHED),
    )
    return read_board(s.derive(), s.now)


def _touch_promotion_square(s: State) -> State:
    """Bind the player to his choice once the new piece touches the square of promotion (4.4.4)."""
    turn, partial_move = s.turn, s.turn.partial_move
    if turn.difference.kind not in (Kind.WHOLE, Kind.PARTIAL):
        return s
    first = turn.difference.moves[0]
    if not first.promotion or any(m.promotion != first.promotion for m in turn.difference.moves):
        return s
    if partial_move is not None and partial_move.part != "promotion":
        return s
    pawns = s.position.board.pawns & s.own
    moves = [m for square in squares(pawns) for m in s.position.moves_from(square)]
    same = [m for m in moves if m.to_square == first.to_square and m.promotion == first.promotion]
    if partial_move is not None:
        # The square is fixed already, after 7.5.2 the kind, too: the new piece can only narrow the choice.
        same = [m for m in same if m in partial_move.moves]
    if not same:
        return s
    return s.turning(
        partial_move=PartialMove("choice", tuple(same), partial_move.touched if partial_move else len(turn.touches))
    ).derive()


def plain_result_sign(s: State) -> bool:
    """Whether nothing differs but kings off their squares and pieces in the middle, for each of which a king was seen
    to leave before. One king more may still be in hand."""
    kings = s.empty(s.mismatch & s.position.board.kings)
    shown = s.mismatch & CENTRE
    if s.mismatch != kings | shown or not result_sign(s):
        return False
    left, came = (sorted(s.trace.last_edges(mask, s.turn.start).values()) for mask in (kings, shown))
    one_each = zip(left, came, strict=False)
    seen = len(left) >= len(came) and min(left[0], came[0]) >= 0
    return seen and all(s.trace[k].ms < s.trace[at].ms for k, at in one_each)


def result_sign(s: State) -> bool:
    """Whether a king was set down in the middle, as players do to show the result: that is no move."""
    landed = [square for square in squares(s.mismatch & CENTRE) if s.readings[square] != EMPTY]
    kings = [square for square in squares(s.mismatch & s.position.board.kings) if s.readings[square] == EMPTY]
    shown = [square for square in landed if FITS[s.readings[square]] & {"K", "k"}]
    one_step = any(chess.square_distance(king, square) < 2 for king in kings for square in shown)
    return bool(kings and shown) and len(shown) == len(landed) and not one_step
