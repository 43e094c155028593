"""How the board compares with the game: what stands, what is loose, and which way round it is (4.4.4, 7.4)."""

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.laws.record import Made
from controller.laws.state import TURNED, State, colour, turned
from controller.laws.touch import PartialMove
from controller.laws.turn import NOTHING_RAISED, UNTOUCHED
from controller.position import EMPTY, squares
from controller.sensing.difference import HELD, LEGAL, LIFTED, QUIET, WHOLE, Difference, Kind, Traces, differing, read
from controller.sensing.readings import FITS, SOMETHING
from controller.sensing.trace import Trace, away_and_back

SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
PIECES = 2  #: so many may be away by one move: who takes and who is taken, king and rook
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
    if difference.kind is HELD or difference.kind is WHOLE:
        return difference  # as nearly always
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


def reply_beside(s: State) -> int:
    """The squares of a reply that stands beside a castling or a capture in passing which is not finished, as a
    bitboard; 0 where none does. Not without a clock: no press tells then that it is not, and a sensor may have failed.
    """
    partial_move = s.turn.partial_move
    if (
        partial_move is None
        or s.clock is None
        or partial_move.part not in ("castling", "capture")
        or len(partial_move.moves) > 1
        or s.position.drop_board is not None
    ):
        return 0  # as nearly always
    move = partial_move.moves[0]
    beside = s.mismatch & ~s.position.changed(move)
    if not beside:
        return 0
    after = s.budget.after(s.position, move)
    return beside if read(after, s.readings, beside, UNTOUCHED, s.faulty).kind in LEGAL else 0


def _of_the_promotion(s: State) -> int:
    """The squares, as a bitboard, of the promotion for which the clocks were stopped, to fetch the piece (6.11.2)."""
    partial_move = s.turn.partial_move
    if partial_move is None or partial_move.part != "promotion":
        return 0
    return s.position.changed(*partial_move.moves)


def _names_it_his(s: State) -> bool:
    """Whether all that differs is a piece that came from outside, in a match, and the player having the move has said
    that he drops one: it is no other's, though he alone may have one in stock. Where nobody presses it may yet come
    into stock."""
    if s.position.drop_board is None or s.clock is None or s.turn.side not in s.chosen or s.not_by_mover:
        return False
    stands = s.mismatch & ~s.position.board.occupied
    return stands == s.mismatch and not stands & (stands - 1)


def _put_there_before(s: State, difference: Difference) -> bool:
    """Whether who stands where a pawn may promote was put there before this turn: taken, and set down in passing."""
    first = difference.moves[0]
    if not first.promotion or s.trace.last is None or s.turn.partial_move is not None:
        return False
    return not any(edge.square == first.to_square for edge in s.trace[s.turn.start :])


def _half_made_still(s: State, partial_move: PartialMove, astray: Difference) -> Difference:
    """The part of a legal move that was released, if it stands there as before: pieces lifted since are no part of it.
    To promote is no more than that, while nobody has said to what. Else what is ``astray``."""
    if astray.kind is Kind.FOREIGN and partial_move.part not in ("castling", "capture"):
        return astray
    lifted = s.empty(s.mismatch & ~s.position.changed(*partial_move.moves))
    difference = read(s.position, s.readings, s.mismatch & ~s.not_by_mover & ~lifted, s.turn.traces, s.faulty)
    promotes = partial_move.part == "promotion" and difference.moves == partial_move.moves
    return difference if (promotes and difference.kind is Kind.WHOLE) or difference.kind is Kind.PARTIAL else astray


def difference_before(s: State, made: Made, changed: int = 0, apart: int = 0) -> Difference:
    """How the board stands as a turn from the position before ``made``, the last move, or the first of those that have
    ``changed`` these squares: another one in its place, or nothing moved at all. What came from nowhere before that
    turn is no part of it, nor are the squares ``apart``, a bitboard."""
    unexplained_pieces = s.unexplained_pieces & ~s.trace.changed(made.start) if s.unexplained_pieces else 0
    mismatch = differing(made.before, s.readings, made.changed | s.mismatch | changed) & ~(unexplained_pieces | apart)
    traces = _traces_since(s, made, mismatch) if made.illegal or made.shifted else UNTOUCHED
    return read(made.before, s.readings, mismatch, traces, s.faulty)


def _traces_since(s: State, made: Made, mismatch: int) -> Traces:
    """What the player who made that move has left behind since, in place of it: one of the opponent's squares that
    opened and was filled again while a piece of his was off that may take there."""
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
    """Pieces stand where the game has none, and nobody is missing: they take no part in it until they are taken off, or
    may be dropped by their player."""
    extra = s.mismatch & ~(s.not_by_mover | being_corrected(s))
    if s.empty(extra):
        return s
    return leaving_out(s, extra)


def leaving_out(s: State, mask: int) -> State:
    """What these squares show, a bitboard, is nobody's doing in this turn, until something changes there."""
    s = replace(s, not_by_mover=s.not_by_mover | mask, unexplained_pieces=s.unexplained_pieces | mask)
    return read_board(s, s.now)


def being_corrected(s: State) -> int:
    """Where pieces stand, as a bitboard, that were off the board when an illegal move was completed which is being
    corrected: no more of them than were."""
    at = s.uncorrected()
    if at is None:
        return 0  # as nearly always
    before, after = s.made[at].before.board.occupied, s.made[at].after.board.occupied
    in_hand = before.bit_count() - after.bit_count()
    came = s.mismatch & ~s.unexplained_pieces & s.trace.changed(s.turn.start)
    filled = came & ~s.empty(came)
    return filled if filled.bit_count() <= in_hand else filled & before


def count_strays(s: State) -> State:
    """Who presses with a piece in his hand may have set it down where one came from nowhere in his turn: he did."""
    came = s.unexplained_pieces & s.trace.changed(s.turn.start) if s.unexplained_pieces else 0
    if not came or s.turn.difference.kind not in LIFTED:
        return s
    left = replace(s, not_by_mover=s.not_by_mover & ~came, unexplained_pieces=s.unexplained_pieces & ~came)
    return read_board(left, s.now)


def loose_squares(s: State) -> tuple[str, ...]:
    """The squares that do not match the game beyond a move in progress (7.4), from a1 to h8."""
    mask = s.mismatch if s.stopped or s.turn.difference.kind is Kind.FOREIGN or beyond_a_move(s) else s.not_by_mover
    return tuple([chess.SQUARE_NAMES[square] for square in squares(mask)])


def set_aside(s: State, mask: int) -> State:
    """How things stand without what these squares show, a bitboard."""
    return read_board(replace(s, mismatch=s.mismatch & ~mask), s.now)


def looked_at_again(s: State, mask: int, ms: c.Ms) -> State:
    """The same with them again from ``ms`` on, as the game stands by then."""
    return read_board(replace(s, mismatch=s.mismatch | differing(s.position, s.readings, mask)), ms)


def origins_of_landed(s: State) -> int:
    """From where a piece may have come that stands where the game has none, while none is off its square: the pieces
    of the player having the move that can go there, as a bitboard."""
    own = s.position.board.occupied_co[s.position.turn]
    away = s.empty(s.mismatch)
    if not (landed := s.mismatch & ~away) or away & own:
        return 0
    goes = [move for origin in squares(own) for move in s.position.moves_from(origin)]
    return sum({BB_SQUARES[move.from_square] for move in goes if landed & BB_SQUARES[move.to_square]})


SWEPT = 3 * PIECES
"""So many pieces are away from their squares at most, whatever a player does in his turn; a guess."""


def beyond_a_move(s: State) -> bool:
    """Whether more pieces are away from their squares than by one move; or pieces of both players, and more were set
    down than the one having the move can have."""
    board = s.position.board
    away = s.mismatch & board.occupied
    own, theirs = (s.empty(away & side) for side in (board.occupied_co[board.turn], board.occupied_co[not board.turn]))
    set_down = (s.mismatch & ~s.empty(s.mismatch)).bit_count()
    return away.bit_count() > PIECES or bool(own and theirs and set_down > own.bit_count())


def swept(s: State) -> bool:
    """Whether so many pieces are away from their squares that no player's hands can have done it in his turn: boards
    were exchanged, or the pieces swept off. No sensor tells whose doing that is."""
    return (s.mismatch & s.position.board.occupied).bit_count() > SWEPT


def read_first(s: State, changed: int) -> State:
    """Take the first reading of a session, where ``changed`` does not show what the game has: nobody was seen to do it,
    so it is no touch and no move. It takes no part in the game until something changes there, or what is played next
    shows that it was."""
    for square in squares(changed):
        seen = EMPTY if s.shown(square) != EMPTY else SOMETHING
        s = s.disregarding(square, seen) or s.see(square, seen, s.now, None)
    s = read_board(replace(s, not_by_mover=s.mismatch, unexplained_pieces=s.mismatch), s.now)
    return compare(s.turning(judged=True))


def compare_afresh(s: State) -> State:
    """Report what does not match the game on a first scan after edges: nobody was seen to lift the opponent's
    pieces."""
    theirs = s.mismatch & s.position.board.occupied_co[not s.position.turn]
    if s.turn.difference.kind in LIFTED and theirs:
        turn = s.turn
        for square in squares(theirs):
            turn = turn.lowering(square)
        s = read_board(replace(s, not_by_mover=s.not_by_mover | theirs, turn=turn), s.now)
    return compare(s)


def compare(s: State) -> State:
    """Report what does not match the game, where that has changed; while the score stands, where less does than before.
    That more does was said with it. By the clause of what a ruling has restored, where pieces are still to be put back
    for that (7.1), else of pieces displaced (7.4)."""
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
    """The board stands the other way round: what was seen so far was on the squares opposite, and touched nothing."""
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
    """The choice is final as soon as the new piece touches the square of promotion (4.4.4)."""
    turn, partial_move = s.turn, s.turn.partial_move
    if turn.difference.kind not in (Kind.WHOLE, Kind.PARTIAL):
        return s
    first = turn.difference.moves[0]
    if not first.promotion or any(m.promotion != first.promotion for m in turn.difference.moves):
        return s
    if partial_move is not None and partial_move.part != "promotion":
        return s
    pawns = s.position.board.pawns & s.position.board.occupied_co[s.position.turn]
    moves = [m for square in squares(pawns) for m in s.position.moves_from(square)]
    same = [m for m in moves if m.to_square == first.to_square and m.promotion == first.promotion]
    if partial_move is not None:
        # The square is fixed, and after 7.5.2 the kind too: the piece may only narrow that.
        same = [m for m in same if m in partial_move.moves]
    if not same:
        return s
    return s.turning(
        partial_move=PartialMove("choice", tuple(same), partial_move.touched if partial_move else len(turn.touches))
    ).derive()


def result_sign(s: State) -> bool:
    """Whether a king was set down in the middle, as players do to show the result: that is no move of anybody's."""
    landed = [square for square in squares(s.mismatch & CENTRE) if s.readings[square] != EMPTY]
    kings = [square for square in squares(s.mismatch & s.position.board.kings) if s.readings[square] == EMPTY]
    shown = [square for square in landed if FITS[s.readings[square]] & {"K", "k"}]
    return bool(kings and shown) and len(shown) == len(landed) and not _one_step(kings, shown)


def _one_step(kings: list[chess.Square], shown: list[chess.Square]) -> bool:
    return any(chess.square_distance(king, square) < 2 for king in kings for square in shown)
