"""Article 7.5: illegal moves completed by a press, two hands, and illegal positions that an arbiter found."""

from collections.abc import Mapping

import chess
from chess import Move
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS, BughouseBoard
from controller.laws.board import beside_unfinished, leave_out, looked_at_again, read_board, reply_beside, set_aside
from controller.laws.drop_kinds import goes
from controller.laws.endings import both_in_check, is_illegal
from controller.laws.evidence import NOTHING, Evidence, handled, hands, moved
from controller.laws.moves import let_wait, played, set_down_early, take_back
from controller.laws.notices import fine_illegal, on_move, penalise, propose_result, standing
from controller.laws.outcomes import attempt_failed, bind, touch_swapped, triggered
from controller.laws.record import NOWHERE, Held, Made, Witnessed, changed, holding
from controller.laws.state import State
from controller.laws.stock import from_stock
from controller.laws.touch import PartialMove
from controller.laws.turn import TABLE, Outcome, Trigger
from controller.position import EMPTY, Position, squares
from controller.sensing.difference import LEGAL, Kind
from controller.sensing.readings import FITS, of_colour

BOTH_COMPLETE = 2  #: so many moves after an illegal position arose, a draw: each player might have acted before his own

PARTS = {"castling": "unfinished-castling", "capture": "unfinished-capture", "promotion": "unfinished-promotion"}


def pressed(s: State, outcome: Outcome | None) -> State:
    """The player having the move pressed, and no legal move was made: judge that by its ``outcome``."""
    if (answered := _answered(s)) is not None:
        return answered
    difference, traces = s.turn.difference, s.turn.traces
    if outcome is Outcome.UNFINISHED and (reply := reply_beside(s)):
        return looked_at_again(pressed(_without(s, reply), outcome), reply, s.now)
    if outcome is Outcome.UNFINISHED:
        s = bind(s)
        queen = any(m.promotion == chess.QUEEN for m in difference.moves)
        if difference.part == "promotion" and s.laws.pawn_left_is_queen and queen:
            return _complete(s, PARTS[difference.part], _queened(s, difference.moves))
        return _complete(s, PARTS[difference.part], s.turn.partial_move)
    if outcome is Outcome.ILLEGAL or traces.refilled is not None or traces.retaken is not None or _own_exchanged(s):
        s = attempt_failed(touch_swapped(s))
        return _complete(s, "illegal-move", s.turn.partial_move)
    return pressed_without_a_move(s, s.turn.side)


def _own_exchanged(s: State) -> bool:
    """Whether all that differs is that pieces of the mover's have changed places, as a board shows that sees kinds. Not
    before the first move, as they may have been set up so."""
    own = s.mismatch & s.own
    if not s.made or not own or s.mismatch != own:
        return False
    return sorted(s.readings[q] for q in squares(own)) == sorted(s.position.symbol(q) for q in squares(own))


def replied(s: State) -> State | None:
    """Without a clock: the state in which a reply that stands now has completed an illegal move, or an unfinished one,
    as a press would, and is made. None if nobody has replied, or the illegal move cannot be named."""
    if s.clock is not None or s.stopped:
        return None
    if (reply := beside_unfinished(s)) and (unfinished := _without(s, reply)).turn.difference.kind is Kind.PARTIAL:
        answered: State | None = looked_at_again(pressed(unfinished, Outcome.UNFINISHED), reply, s.now)
    else:
        answered = _answered(s)
    return None if answered is None else triggered(answered.turning(judged=True), Trigger.RELEASE)[0]


def _answered(s: State) -> State | None:
    """The state with the released illegal move completed, apart from a reply that already stands beside it. None if no
    reply does, or the illegal move cannot be named."""
    turn = s.turn
    if not turn.astray or (s.position.drop_board is not None and s.clock is not None):
        return None  # in a match, before a press, what looks like a reply may be a piece of his own stock
    since = s.trace.changed(turn.astray_at) & s.mismatch
    # A reply that has stood for as long as a release takes counts as astray, too.
    astray = turn.astray if s.clock is None else turn.astray & ~since
    if not since or not astray or since & astray or turn.astray & ~s.mismatch:
        return None
    s = _without(s, since)
    if (outcome := TABLE.get((s.turn.difference.kind, Trigger.PRESS))) is not Outcome.ILLEGAL:
        return None
    s = pressed(s, outcome)
    if not s.made[-1].move:
        return None
    s = looked_at_again(s, since, s.now)
    return s if s.turn.difference.kind in LEGAL else None


def _without(s: State, reply: int) -> State:
    """The state without the squares of the reply, a bitboard, which is no part of the move."""
    turn = s.turn
    touches = tuple([touch for touch in turn.touches if not chess.BB_SQUARES[touch.square] & reply])
    landed = {square: held for square, held in turn.traces.landed.items() if not chess.BB_SQUARES[square] & reply}
    return set_aside(s.turning(touches=touches).tracing(landed=landed), reply)


def pressed_without_a_move(s: State, side: c.Side) -> State:
    """``side`` pressed and had moved nothing: an illegal move (7.5.3), up to 2014 misuse of the clock."""
    last = s.last()
    if not s.laws.no_move_is_illegal:
        return _misuse(s, side)
    illegal = last is not None and last.illegal and not last.reported
    if last is None or not illegal or (last.side == side and not last.pressed_back):
        return _complete(s, "no-move", s.turn.partial_move)
    back = replace(played(s, Move.null(), s.position, 0, illegal=True, reported=False, pressed_back=True), side=side)
    if s.uncorrected() is not None:
        # The press gives the clock back so that an illegal move is corrected, which may still be done after it.
        s, held = _count(s, back, len(s.made), "no-move")
        return replace(s, made=(*s.made, replace(back, held=held)))
    # It gives the clock back to a player who had moved nothing: it is still his turn, with what he had touched.
    s, _ = _count(s, back, NOWHERE, "no-move")
    s = take_back(s, len(s.made) - 1)
    return read_board(s.turning(corrects=False), s.now)


def _misuse(s: State, side: c.Side) -> State:
    turn, before = s.turn, s
    s = s.violate(
        side, "clock-misuse", s.laws.clause.no_move, **handled(hands(turn.touches, turn.partial_move), s.owed)
    )
    return penalise(s, side, s.ids_since(before))


def correct(s: State, at: int) -> State:
    """The player of illegal move ``at`` was given the clock back and presses: what he did since takes its place."""
    s = replace(s, not_by_mover=s.not_by_mover & (s.unexplained_pieces | s.shifted))
    s = take_back(s, at)
    return read_board(s, s.now)


def _queened(s: State, moves: tuple[Move, ...]) -> PartialMove | None:
    """What is owed when a pawn left on its last rank is replaced by a queen (7.5.2); a piece chosen before, by touching
    the square, stays chosen."""
    partial_move = s.turn.partial_move
    if partial_move is not None and partial_move.part == "choice":
        return partial_move
    bound = [m for m in moves if partial_move is None or partial_move.part != "promotion" or m in partial_move.moves]
    queens = tuple(m for m in bound if m.promotion == chess.QUEEN)
    return PartialMove("promotion", queens, partial_move.touched if partial_move else len(s.turn.touches))


def _complete(s: State, kind: str, partial_move: PartialMove | None) -> State:
    """Complete an illegal move: count it, propose its price, and let play go on from the board as it stands."""
    before = s.position
    after, move = _as_it_stands(s)
    s = s.turning(partial_move=partial_move)
    made = played(
        s,
        move,
        after,
        changed(before, after),
        illegal=True,
        reported=False,
        stood=s.now - s.turn.stands_since >= s.release_ms,
        left=s.both_left(),
    )
    s, held = _count(s, made, len(s.made), kind)
    s = replace(s, made=(*s.made, replace(made, held=held)))
    s, early = set_down_early(s, after)
    s = s.enter(after, made.changed)
    s = read_board(s, s.now)
    # What stands there was put on the board before the opponent's turn: so far it is no drop of the opponent's.
    difference = s.turn.difference
    if not early and before.drop_board is not None and difference.kind in (Kind.ASTRAY, Kind.FOREIGN):
        return leave_out(s)
    if difference.part == "drop" or early:
        return let_wait(s)
    return s


def _count(s: State, made: Made, at: int, kind: str, said: Evidence = NOTHING) -> tuple[State, Held]:
    """Tell that move number ``at`` was illegal and completed, and, where the arbiter acts unasked, what it costs.
    Returns also what is held against the move until a player claims. ``said``: by whom it was reported."""
    s = replace(s, counts={**s.counts, made.side: s.counts[made.side] + 1})
    report = s.laws.report_illegal(kind, both_in_check=both_in_check(made.after.board))
    article = article_of(s, kind)
    evidence = {**moved(s, made), **said}
    before = s
    s = s.say(
        c.Illegal,
        side=made.side,
        kind=kind,
        article=article,
        completed=True,
        count=s.counts[made.side],
        report=report,
        **evidence,
    )
    ids = (*_said_released(s), *s.ids_since(before))
    if not made.reported:
        s = s.derive()
    if kind != "no-move":
        s, drawn = drawn_as_found(s, made, ids)
        if drawn:
            return s, made.held
    if report == "arbiter":
        return fine_illegal(s, on_move(made, at, "illegal", article, ids)), made.held
    return s, holding(made, "illegal", ids)


def _said_released(s: State) -> tuple[str, ...]:
    """The name of the fact that told the release of this illegal move, if what was set down then still stands."""
    landed, said = s.mismatch & ~s.empty(s.mismatch), s.turn.astray
    return s.turn.astray_ids if said and landed & said == said else ()


def article_of(s: State, kind: str) -> str:
    """The clause of an illegal move of this kind."""
    clause = s.laws.clause
    numbers = {"no-move": clause.no_move, "unfinished-promotion": clause.pawn_left, "two-hands": clause.two_hands}
    return numbers.get(kind, clause.illegal_move)


def _as_it_stands(s: State) -> tuple[Position, Move]:
    """The position on the board, with the other player to move, and the illegal move that led there: a null move if
    none can be named. Where kinds cannot be seen, the pieces set down are taken to be the missing ones."""
    board = s.position.board.copy(stack=False)
    gone = list(squares(s.gone()))
    astray = list(squares(s.mismatch & ~s.not_by_mover))
    exchanged = _exchanged(s)
    gone += exchanged
    astray += exchanged
    landed = [square for square in astray if s.readings[square] != EMPTY]
    origins = _origins(s, gone, landed)
    for square in astray:
        seen = s.readings[square]
        if seen == EMPTY:
            board.remove_piece_at(square)
        elif square in origins:
            _set_down(s, board, origins[square], square)
        elif len(FITS[seen]) == 1:
            board.set_piece_at(square, chess.Piece.from_symbol(next(iter(FITS[seen]))))
        elif s.turn.difference.part == "promotion" and square == s.turn.difference.moves[0].to_square:
            promoted = s.pick(s.turn.difference.moves).promotion  # his pawn stands on its square still
            assert promoted is not None
            board.set_piece_at(square, chess.Piece(promoted, board.turn), promoted=True)
    left_over = [q for q in landed if q not in origins and (len(landed) > len(gone) or s.senses == "identity")]
    from_outside = [q for q in left_over if from_stock(s.position, s.readings, chess.BB_SQUARES[q])]
    if s.turn.traces.refilled is not None and len(gone) == 1:
        landed.append(s.turn.traces.refilled)
        _set_down(s, board, gone[0], landed[-1])
    if s.turn.difference.part == "drop" and landed:  # without, the piece left again by an edge that was only a reading
        return _as_dropped(s, board, landed[0])
    if len(from_outside) == 1:  # another piece is in hand, or was moved as well
        return _as_dropped(s, board, from_outside[0])
    if len(gone) == 1 and len(landed) == 1 and _may_be_the_one_that_left(s, gone[0], landed[0]):
        return _turned_over(s, board), Move(gone[0], landed[0])
    return _turned_over(s, board), _as_castled(s, origins) or Move.null()


def _may_be_the_one_that_left(s: State, gone: chess.Square, landed: chess.Square) -> bool:
    """Whether what stands on ``landed`` may be the mover's piece that left ``gone``: not if it is of the other colour,
    but where a pawn is promoted somebody may have taken the wrong piece."""
    seventh = chess.BB_RANK_7 if s.position.turn else chess.BB_RANK_2
    promoted = (
        chess.BB_SQUARES[gone] & s.position.board.pawns & seventh and chess.BB_SQUARES[landed] & chess.BB_BACKRANKS
    )
    return bool(promoted) or of_colour(s.readings[landed], s.position.turn)


def _exchanged(s: State) -> list[chess.Square]:
    """The squares where one piece of the mover's stands in place of another, so that the board looks unchanged."""
    own, landed = s.own & ~s.mismatch, s.turn.traces.landed
    return [square for square in landed if chess.BB_SQUARES[square] & own and s.readings[square] != EMPTY]


def _origins(s: State, gone: list[chess.Square], landed: list[chess.Square]) -> dict[chess.Square, chess.Square]:
    """The origin, by its square, of each piece that stands on ``landed``. A piece must have been in hand when it was
    set down. Pairs are chosen in this order: a king that castles, a piece that goes there by its kind, what was set
    down first, and what was lifted last."""
    board, white, in_hand = s.position.board, s.position.turn, s.turn.traces.landed
    lifted = {edge.square: at for at, edge in enumerate(s.trace) if edge.seen == EMPTY}

    def likely(origin: chess.Square, square: chess.Square) -> int:
        kind = board.piece_type_at(origin)
        assert kind is not None
        both = s.position.attempted(origin, square)
        if both is not None and both.rook_to in landed:
            return 2
        return int(goes(board, kind, white, origin, square))

    in_turn = sorted(landed, key=[*in_hand, *landed].index)
    pairs = [
        (origin, square)
        for square in in_turn
        for origin in sorted(gone, key=lambda piece: lifted.get(piece, -1), reverse=True)
        if s.position.symbol(origin) in FITS[s.readings[square]]
        and chess.BB_SQUARES[origin] & (in_hand.get(square) or chess.BB_ALL)  # it may have been seen late to leave
    ]
    origins: dict[chess.Square, chess.Square] = {}
    for origin, square in sorted(pairs, key=lambda pair: -likely(*pair)):
        if square not in origins and origin not in origins.values():
            origins[square] = origin
    return origins


def _as_castled(s: State, origins: Mapping[chess.Square, chess.Square]) -> Move | None:
    """The castling that was played although it is not legal, if only a king and a rook were moved; else None."""
    for square, origin in origins.items():
        both = s.position.attempted(origin, square)
        rook = None if both is None else origins.get(both.rook_to)
        if both is not None and rook is not None and len(origins) == 2:
            king = Move(origin, both.rook if s.position.shuffled else square)
            return king if chess.BB_SQUARES[rook] & s.position.board.rooks else None
    return None


def _set_down(s: State, board: chess.Board, origin: chess.Square, square: chess.Square) -> None:
    """Put the piece of ``origin`` on ``square`` of this board, promoted if it was."""
    promoted = bool(s.position.board.promoted & chess.BB_SQUARES[origin])
    board.set_piece_at(square, chess.Piece.from_symbol(s.position.letter(origin)), promoted)


def _as_dropped(s: State, board: chess.Board, square: chess.Square) -> tuple[Position, Move]:
    """The position and move for an illegal drop (7, 18): of the kind that is seen, else the named one, else the first
    in stock, else a pawn."""
    assert isinstance(board, BughouseBoard)
    fits = FITS[s.readings[square]]
    seen = chess.Piece.from_symbol(next(iter(fits))).piece_type if len(fits) == 1 else None
    stock = board.pockets[board.turn]
    kind = seen or s.chosen.get(s.turn.side) or next((kind for kind in KINDS if stock.count(kind)), chess.PAWN)
    board.set_piece_at(square, chess.Piece(kind, board.turn))
    if stock.count(kind):
        stock.remove(kind)
    return _turned_over(s, board), Move(square, square, drop=kind)


def _turned_over(s: State, board: chess.Board) -> Position:
    """The position of this board with the other player to move. In a match the pawn of a promotion may have been
    exchanged for the real piece, which is seen then."""
    board.turn = not board.turn
    board.ep_square = None
    board.castling_rights = board.clean_castling_rights()
    board.fullmove_number += board.turn
    after = Position(board, odd=True, homes=s.position.homes)
    for square in squares(board.promoted if s.position.drop_board is not None else 0):
        if FITS[s.readings[square]] == {letter := after.letter(square)}:
            after.symbols[square] = letter
    return after


# -- two hands -------------------------------------------------------------------------------------------------------


def report(s: State, side: c.Side, kind: str, said: Evidence) -> State:
    """An arbiter saw ``side`` use two hands, or play an illegal move that no sensor shows: it counts against the move
    that is on the board then, once it is pressed (7.5).

    Up to 2014 two hands break 4.1, and the arbiter chooses the penalty.
    """
    said = {**said, "basis": "reported"}
    if kind == "two-hands" and not s.laws.two_hands_is_illegal:
        before = s
        s = s.violate(side, "two-hands", s.laws.clause.two_hands, **said)
        return penalise(s, side, s.ids_since(before))
    if s.turn.side == side and s.turn.difference.kind is not Kind.QUIET:
        return replace(s, witnessed=Witnessed(kind, said, s.turn.number, _set_down_so_far(s)))
    at = s.at_last(side)
    if at is None:
        return s
    last = s.made[at]
    if not last.completed_by_press:
        # Its squares are kept, too: its turn may not be known, and another move may take its place.
        return replace(s, witnessed=Witnessed(kind, said, last.turn, last.changed))
    if not last.illegal and not standing(s, at):
        return complete_witnessed(s, at, kind, said)
    return s


def _set_down_so_far(s: State) -> int:
    """The squares of pieces that were set down in this turn, as a bitboard."""
    landed = s.mismatch & ~s.empty(s.mismatch)
    refilled = s.turn.traces.refilled
    return landed if refilled is None else landed | chess.BB_SQUARES[refilled]


def witnessed(s: State, made: Made) -> Witnessed | None:
    """What was reported of this move before its press; None if nothing was.

    A report on a move that was taken back is not about this one: its turn was another, or this move does not change the
    squares where pieces stood then.
    """
    seen = s.witnessed
    return seen if seen is not None and seen.turn == made.turn and not seen.landed & ~made.changed else None


def complete_witnessed(s: State, at: int, kind: str, said: Evidence) -> State:
    """Complete move number ``at``, which looks legal, as one made with two hands, or not legal (7.5.1, 7.5.4)."""
    left = s.made[at].left if s.made[at].completed else s.both_left()
    s = s.amending(at, illegal=True, completed=True, completed_by_press=True, left=left)
    s, held = _count(s, s.made[at], at, kind, said)
    return s.amending(at, held=held)


# -- illegal positions found -----------------------------------------------------------------------------------------


def find(s: State) -> State:
    """At the start: note in ``found`` whether this is an illegal position that an arbiter found, with both kings in
    check or a pawn on its last rank."""
    found = s.laws.position_found_draws and _to_be_found(s.position.board)
    return replace(s, found=int(found))


def _to_be_found(board: chess.Board) -> bool:
    last_ranks = (board.occupied_co[chess.WHITE] & chess.BB_RANK_8) | (board.occupied_co[chess.BLACK] & chess.BB_RANK_1)
    return both_in_check(board) or bool(board.pawns & last_ranks)


def drawn_as_found(s: State, made: Made, ids: tuple[str, ...] = ()) -> tuple[State, bool]:
    """The state, and whether a draw is proposed in it because the position is still illegal after this move (A.4.4): at
    once if it was found so, and if it arose in play once both players have completed one more move. ``ids``: of earlier
    events about it."""
    if not is_illegal(made.after.board):
        return replace(s, found=0), False
    if not s.found:
        arose = made.illegal and s.laws.position_found_draws and _to_be_found(made.after.board)
        return replace(s, found=BOTH_COMPLETE if arose else 0), False
    s = replace(s, found=s.found - 1)
    if s.found:
        return s, False
    return propose_result(s, made.side, "1/2-1/2", "arbiter", s.laws.clause.position_found, ids), True
