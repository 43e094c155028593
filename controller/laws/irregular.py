"""Article 7: illegal moves completed, what they cost, and the arbiter's rulings on them.

The program measures and proposes; only an arbiter's input rules.
"""

import chess
from chess import Move

from controller import contract as c
from controller.laws.deadposition import can_mate
from controller.laws.editions import Price
from controller.laws.moves import attempt_failed, bind, compare, complete, finish, read_board, report, take_back
from controller.laws.record import Made, Notice, changed
from controller.laws.state import NS, State
from controller.laws.touch import Half
from controller.laws.turn import Outcome, Turn
from controller.position import EMPTY, Position, squares
from controller.sensing.looks import FITS

PARTS = {"castling": "unfinished-castling", "capture": "unfinished-capture", "promotion": "unfinished-promotion"}


def pressed(s: State, outcome: Outcome | None) -> None:
    """The player having the move pressed, and no legal move was made."""
    turn = s.turn
    if outcome is Outcome.UNFINISHED:
        part = turn.stand.part
        moves = turn.stand.moves
        bind(s)
        if part == "promotion" and s.laws.pawn_left_is_queen and any(m.promotion == chess.QUEEN for m in moves):
            _complete_illegal(s, PARTS[part], _queened(s, moves))
        else:
            _complete_illegal(s, PARTS[part], turn.half)
    elif outcome is Outcome.ILLEGAL or turn.traces.refilled or turn.traces.retaken is not None:
        attempt_failed(s)
        _complete_illegal(s, "illegal-move", turn.half)
    elif s.laws.no_move_is_illegal:
        _complete_illegal(s, "no-move", turn.half)
    else:
        s.violate(turn.side, "clock-misuse", s.laws.clause.no_move)


def _queened(s: State, moves: tuple[Move, ...]) -> Half | None:
    """A pawn left on its last rank is replaced by a queen (7.5.2); a piece that stood there first stays chosen."""
    half = s.turn.half
    if half is not None and half.part == "choice":
        return half
    queens = tuple(m for m in moves if m.promotion == chess.QUEEN)
    return Half("promotion", queens, half.touched if half else len(s.turn.touches))


def _complete_illegal(s: State, kind: str, half: Half | None) -> None:
    """An illegal move is completed: counted, its price proposed, and play may go on from the board as it stands."""
    turn, before = s.turn, s.position
    s.counts[turn.side] += 1
    after, move = _as_it_stands(s)
    count, report = s.counts[turn.side], s.laws.report_illegal(kind, both_in_check=_both_in_check(after))
    article = {"no-move": s.laws.clause.no_move, "unfinished-promotion": s.laws.clause.pawn_left}.get(
        kind, s.laws.clause.illegal_move
    )
    s.emit(c.Illegal, side=turn.side, kind=kind, article=article, completed=True, count=count, report=report)
    turn.half = half
    s.derive()
    notice = Notice("illegal", turn.side, len(s.made), before, turn.touches, half, article=article)
    if report == "arbiter":
        notice.price = price(s, turn.side, before, count)
        propose(s, notice)
        s.notices.append(notice)
    last = s.last()
    s.made.append(
        Made(
            side=turn.side,
            before=before,
            move=move,
            after=after,
            ms=s.now,
            ply=(last.ply if last else 0) + bool(move),
            touches=turn.touches,
            half=half,
            start=turn.start,
            changed=changed(before, after),
            illegal=True,
            reported=False,
        )
    )
    s.enter(after, s.made[-1].changed)
    read_board(s, s.now)


def price(s: State, side: c.Side, before: Position, count: int) -> Price:
    """What this illegal move costs, by its number and what the opponent could still win."""
    return s.laws.price(count, opponent_can_mate=can_mate(before.board, c.other(side)))


def propose(s: State, notice: Notice) -> None:
    """Say what the edition prescribes; an unattended event applies the fixed minutes by itself."""
    _say(s, notice, "proposed")
    if s.settings.apply_penalties and notice.price is not None and notice.price.kind == "time":
        _apply(s, notice)


def _say(s: State, notice: Notice, status: str) -> None:
    if notice.price is not None:
        s.emit(
            c.Penalty,
            side=notice.side,
            kind=notice.price.kind,
            time_ms=notice.price.time_ms,
            status=status,
            article=s.laws.clause.illegal_penalty,
        )


def _apply(s: State, notice: Notice) -> None:
    _say(s, notice, "applied")
    price = notice.price
    if price is not None and price.time_ms is not None and s.clock is not None:
        s.clock.add(c.other(notice.side), price.time_ms * NS)
        s.show_clock()
    notice.price = None


def _as_it_stands(s: State) -> tuple[Position, Move]:
    """The position on the board, the other player to move, and the illegal move that led there; null if none can be
    named. Where kinds cannot be seen, what was set down is the man that is missing.
    """
    board = s.position.board.copy(stack=False)
    gone = list(squares(s.gone()))
    landed = []
    for square in squares(s.off & ~s.others):
        seen = s.looks[square]
        if seen == EMPTY:
            board.remove_piece_at(square)
            continue
        landed.append(square)
        symbol = next(iter(FITS[seen])) if len(FITS[seen]) == 1 else s.position.symbol(gone[0]) if gone else EMPTY
        if symbol != EMPTY:
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    if s.turn.traces.refilled is not None and len(gone) == 1:
        landed.append(s.turn.traces.refilled)
        board.set_piece_at(landed[-1], chess.Piece.from_symbol(s.position.symbol(gone[0])))
    named = len(gone) == 1 and len(landed) == 1
    move = Move(gone[0], landed[0]) if named else Move.null()
    board.turn = not board.turn
    board.ep_square = None
    board.castling_rights = board.clean_castling_rights()
    board.fullmove_number += board.turn
    return Position(board, odd=True), move


def _both_in_check(position: Position) -> bool:
    board = position.board
    return all(
        bool(board.attackers_mask(not colour, king))
        for colour in chess.COLORS
        if (king := board.king(colour)) is not None
    )


# -- rulings ---------------------------------------------------------------------------------------------------------


def arbiter(s: State, item: c.Arbiter) -> None:
    """Carry out a ruling. One that answers nothing, or makes no sense now, changes nothing."""
    {
        "pause": lambda: stop(s),
        "resume": lambda: resume(s),
        "uphold": lambda: uphold(s),
        "dismiss": lambda: dismiss(s),
        "set-clock": lambda: _set_clock(s, item),
        "undo": lambda: _undo(s),
        "result": lambda: _result(s, item),
        "report": lambda: None,
        "neutralise": lambda: None,
    }[item.do]()


def stop(s: State) -> None:
    """Both clocks stand still, and touches bind nobody (6.11)."""
    if not s.stopped:
        s.stopped = True
        s.turn.raised.clear()
        if s.clock is not None:
            s.clock.stop(s.now * NS)
            s.show_clock()
        read_board(s, s.now)


def resume(s: State) -> None:
    """The clock of the player to move runs."""
    if not s.stopped:
        return
    s.stopped = False
    before = s.turn
    s.turn = Turn(before.side, s.now, len(s.trace))
    s.turn.touches, s.turn.half = before.touches, before.half
    if s.clock is not None:
        s.clock.resume(s.now * NS, s.turn.side)
        s.show_clock()
    read_board(s, s.now)


def uphold(s: State) -> None:
    """The oldest notice is upheld: its penalty applied, and the position before the irregularity restored."""
    if not s.notices:
        return
    notice = s.notices.pop(0)
    if notice.result is not None:
        finish(s, notice.result.result, notice.result.reason, notice.result.article)
        return
    price = notice.price
    _apply(s, notice)
    if price is not None and price.kind in ("loss", "draw"):
        lost: c.Score = "0-1" if notice.side == c.WHITE else "1-0"
        finish(s, lost if price.kind == "loss" else "1/2-1/2", "illegal-moves", s.laws.clause.illegal_penalty)
        return
    stop(s)
    if notice.at < len(s.made):
        take_back(s, notice.at)
    s.turn.touches, s.turn.half = list(notice.touches), notice.half
    s.derive()
    read_board(s, s.now)
    compare(s)


def dismiss(s: State) -> None:
    """The oldest notice is dismissed: play goes on as it stands."""
    if not s.notices:
        return
    notice = s.notices.pop(0)
    made = s.made[notice.at] if notice.at < len(s.made) else None
    if made is not None and made.illegal and not made.reported and made.move:
        report(s, made)
        complete(s, made)


def _set_clock(s: State, item: c.Arbiter) -> None:
    if s.clock is not None:
        white = None if item.white_ms is None else item.white_ms * NS
        black = None if item.black_ms is None else item.black_ms * NS
        s.clock.set(white, black)
        s.show_clock()


def _result(s: State, item: c.Arbiter) -> None:
    if item.result is not None:
        finish(s, item.result, "arbiter", "")


def _undo(s: State) -> None:
    if s.made:
        take_back(s, len(s.made) - 1)
        s.turn.touches, s.turn.half = [], None
        s.derive()
        read_board(s, s.now)
