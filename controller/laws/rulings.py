"""Rulings: what an arbiter's input does to the game (6.11, 7.1, 7.5, 12.9). Only such an input rules."""

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.laws import array
from controller.laws.board import compare, read_board
from controller.laws.clock import ChessClock
from controller.laws.endings import ended
from controller.laws.evidence import moved
from controller.laws.illegal import report_two_hands
from controller.laws.moves import complete, finish, report, take_back
from controller.laws.notices import apply, drop_lifted_flags, on_move, penalise, standing, won_by
from controller.laws.outcomes import happens
from controller.laws.record import NOTHING_AWARDED, NOWHERE, Made, Notice
from controller.laws.reports import OF_STOCK, of_beginning, of_conduct, of_the_move
from controller.laws.reversal import keep, remember, take_back_ruling
from controller.laws.state import NS, State
from controller.laws.stock import report_stock, restock
from controller.laws.turn import Happens, Turn

REVERSIBLE = ("uphold", "dismiss", "result", "report")
"""The rulings that `undo` takes back, a report where it changed the position; the others are answered by their
opposites, a report that is still open by dismissing it."""


def arbiter(s: State, item: c.Arbiter) -> None:
    """Carry out a ruling. One that answers nothing, or makes no sense now, changes nothing."""
    before = remember(s) if item.do in REVERSIBLE else None
    {
        "pause": lambda: stop(s),
        "resume": lambda: resume(s),
        "uphold": lambda: uphold(s),
        "dismiss": lambda: dismiss(s),
        "set-clock": lambda: _set_clock(s, item),
        "undo": lambda: _undo(s, item),
        "result": lambda: _result(s, item),
        "report": lambda: _report(s, item),
        "neutralise": lambda: None,  # ends a match, never a game
    }[item.do]()
    if before is None:
        return
    settled = len(before.notices) > len(s.notices)
    if s.result is not None or settled or (item.do == "report" and s.position is not before.position):
        keep(s, before)


def after_the_end(s: State, item: c.Arbiter) -> None:
    """A result stands, unless it came of a ruling that the arbiter takes back."""
    if item.do == "undo":
        take_back_ruling(s, item.reason)


def stop(s: State) -> None:
    """Both clocks stand still, and touches bind nobody (6.11)."""
    if not s.stopped:
        # Who stops the clocks has let go of his piece.
        happens(s, Happens.REPLY)
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
    s.turn.traces.landed = before.traces.landed
    _run_the_mover(s)
    read_board(s, s.now)


def _run_the_mover(s: State) -> None:
    if s.clock is not None:
        s.clock.resume(s.now * NS, s.turn.side)
        s.show_clock()


def uphold(s: State) -> None:
    """The oldest notice is upheld: its penalty applied, and the position before the irregularity restored."""
    notice = _oldest(s)
    if notice is None:
        return
    if notice.what in of_beginning(s.laws.clause):
        if not array.lapsed(s, notice):
            stop(s)
            _begin_anew(s)
        return
    if notice.result is not None:
        finish(s, notice.result.result, notice.result.reason, notice.result.article)
        return
    if notice.what == "increment":
        _introduce_increment(s, notice)
        return
    kinds = {price.kind for price in notice.prices}
    fine = notice.fine
    apply(s, notice)
    if kinds & {"loss", "draw"}:
        score = won_by(c.other(notice.side)) if "loss" in kinds else "1/2-1/2"
        finish(s, score, "illegal-moves", fine)
        return
    stop(s)
    if 0 <= notice.at < len(s.made):
        _return_to(s, notice.at, notice.at + (notice.what == "illegal"))
        s.turn.touches, s.turn.half = list(notice.touches), notice.half
        s.derive()
        read_board(s, s.now)
        _restore(s)
    compare(s)


def _introduce_increment(s: State, notice: Notice) -> None:
    """From now on each press earns time, for both; the opponent of who asked for it is given some at once (III.4)."""
    s.emit(c.Claimed, side=notice.side, of="quickplay", verdict="upheld", article=notice.article, increment=True)
    stop(s)
    if s.clock is not None:
        s.clock.extra = s.laws.quickplay_increment_ms * NS
    apply(s, notice)


def _restore(s: State) -> None:
    """Say what must be put back: the men to which position, and as a proposal the clocks, to when it arose (7.1).

    What penalties have given or taken since is proposed with it.
    """
    s.displaced = []
    compare(s)
    said, last = s.events[-1] if s.events else None, s.last()
    if not isinstance(said, c.Displaced):
        return
    said = replace(said, article=s.laws.clause.restored_clock, fen=s.position.fen())
    if s.clock is not None:
        start = ChessClock(s.clock.control).remaining(c.WHITE) // NS
        left, then = ((start, start), NOTHING_AWARDED) if last is None else (last.left, last.awarded)
        since = [s.awarded[side] - then[side] for side in (c.WHITE, c.BLACK)]
        white, black = (None if ms is None else ms + more for ms, more in zip(left, since, strict=True))
        said = replace(said, white_ms=white, black_ms=black)
    s.events[-1] = said


def dismiss(s: State) -> None:
    """The oldest notice is dismissed: play goes on as it stands, and what was seen is no fault."""
    notice = _oldest(s)
    if notice is None:
        s.two_hands = None  # what was reported of a move not yet pressed
        return
    if notice.what == "quickplay":
        s.emit(c.Claimed, side=notice.side, of="quickplay", verdict="rejected", article=notice.article)
        apply(s, notice)
        return
    if notice.what == "increment":
        s.emit(c.Claimed, side=notice.side, of="quickplay", verdict="rejected", article=notice.article, increment=True)
        return
    if notice.what == "illegal":
        s.counts[notice.side] -= 1
        s.fined[notice.side] -= 1
    if 0 <= notice.at < len(s.made):
        _clear(s, s.made[notice.at])


def _oldest(s: State) -> Notice | None:
    """Take the oldest open notice. That of an illegal move which now stands is no longer open."""
    while s.notices:
        notice = s.notices.pop(0)
        stands = notice.what == "illegal" and notice.at != NOWHERE and standing(s, s.made[notice.at])
        if not stands:
            return notice
    return None


def _clear(s: State, made: Made) -> None:
    """The move that was complained of is good: completed, or the end of the game if it mated after all."""
    was_illegal = made.illegal
    if was_illegal and not made.move and not made.changed and made is s.last():
        _give_the_turn_back(s, made)
        return
    if was_illegal and made.move:
        if not made.reported:
            report(s, made)
        complete(s, made)
    elif was_illegal and made is s.last():
        s.emit(c.Restored, fen=s.position.fen())  # no move can be named that led to what stands there
    made.illegal = made.breach = False
    if was_illegal:
        made.completed_by_press = True
    elif made is s.last():
        end = ended(s.position.board, s.keys(), s.laws, can_move=s.position.has_legal_move())
        if end is not None:
            finish(s, end.result, end.reason, end.article)


def _give_the_turn_back(s: State, made: Made) -> None:
    """The clock was pressed without a move and that is no fault: he has the move still, and what he touched binds him.

    It was no move, so none is counted towards the control.
    """
    made.illegal = False
    if s.clock is not None:
        s.clock.set_moves(made.side, s.clock.moves(made.side) - 1)
    take_back(s, len(s.made) - 1)
    if s.clock is not None and s.clock.running not in (None, s.turn.side):
        _run_the_mover(s)
    read_board(s, s.now)


def _return_to(s: State, at: int, void: int) -> None:
    """Return to the position before move number ``at``; illegal moves from number ``void`` on never happened."""
    if s.clock is not None:
        for side in (c.WHITE, c.BLACK):
            presses = sum(m.side == side and m.was_pressed for m in s.made[at:])
            s.clock.set_moves(side, s.clock.moves(side) - presses)
    for made in s.made[void:]:
        s.counts[made.side] -= made.illegal
    for notice in s.notices:
        if notice.what == "illegal" and notice.at >= void:
            s.fined[notice.side] -= 1
    s.notices = [notice for notice in s.notices if notice.at < at]
    s.lines, s.ambiguous = [], []
    take_back(s, at)
    s.presses.clear()


def _begin_anew(s: State) -> None:
    """A new game from the initial position: nothing of this one counts, nor the time it took."""
    if s.made:
        s.made[0].before = s.start
        _return_to(s, 0, 0)
    s.enter(s.start, chess.BB_ALL)
    if s.clock is not None:
        s.clock = ChessClock(s.clock.control)
        s.awarded = NOTHING_AWARDED
        s.clock.stop(s.now * NS)
        s.show_clock()
    restock(s)
    s.displaced = []
    compare(s)
    if s.displaced:
        s.events[-1] = replace(s.events[-1], fen=s.position.fen())
    else:
        s.emit(c.Restored, fen=s.position.fen())


def _undo(s: State, item: c.Arbiter) -> None:
    """The last ruling is taken back, or the last move, whichever is later.

    The touches of the move bind nobody, and what stands on the board is no new one.
    """
    if take_back_ruling(s, item.reason) or not s.made:
        return
    _return_to(s, len(s.made) - 1, len(s.made) - 1)
    s.turn.touches, s.turn.half = [], None
    s.derive()
    if s.clock is not None and s.clock.running not in (None, s.turn.side):
        _run_the_mover(s)
    read_board(s, s.now)
    s.turn.judged = True
    compare(s)


def _set_clock(s: State, item: c.Arbiter) -> None:
    """Times set, added or taken, and move counters corrected (6.10.2); what is set comes before what is added."""
    if s.clock is not None:
        white = None if item.white_ms is None else item.white_ms * NS
        black = None if item.black_ms is None else item.black_ms * NS
        s.clock.set(s.now * NS, white, black)
        for side, more, moves in (
            (c.WHITE, item.white_add_ms, item.white_moves),
            (c.BLACK, item.black_add_ms, item.black_moves),
        ):
            if more is not None:
                s.clock.add(s.now * NS, side, more * NS)
            if moves is not None:
                s.clock.set_moves(side, moves)
        s.show_clock(item.reason)
        drop_lifted_flags(s)


def _result(s: State, item: c.Arbiter) -> None:
    """The arbiter's own result: by the clause of the one proposed if it is that, else by his powers (12.9)."""
    if item.result is None:
        return
    proposed = [n.result.article for n in s.notices if n.result is not None and n.result.result == item.result]
    finish(s, item.result, "arbiter", proposed[0] if proposed else s.laws.clause.arbiter)


def _report(s: State, item: c.Arbiter) -> None:
    """What a person saw and the sensors cannot."""
    if item.kind in of_beginning(s.laws.clause):
        array.report(s, item)
        return
    if item.side is None:
        return
    moves, conduct = of_the_move(s.laws.clause), of_conduct(s.laws.clause)
    last = s.last_of(item.side)
    if item.kind in OF_STOCK:
        report_stock(s, item.side, item.kind, item.piece)
    elif item.kind == "two-hands":
        report_two_hands(s, item.side)
    elif item.kind in conduct:
        s.violate(item.side, item.kind, conduct[item.kind], basis="reported")
        if item.kind == "clock-misuse":
            penalise(s, item.side)
    elif item.kind in moves and last is not None:
        s.violate(item.side, item.kind, moves[item.kind], **{**moved(s, last), "basis": "reported"})
        s.notices.append(on_move(last, s.made.index(last), "violation", moves[item.kind]))
