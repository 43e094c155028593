"""The clock in the game: presses, completed moves, flags (6.2, 6.8, 6.9)."""

from msgspec.structs import replace

from controller import contract as c
from controller.laws import illegal
from controller.laws.board import count_strays, swept
from controller.laws.mismatch import pressed_upon
from controller.laws.moves import complete, end, ended_by_capture, uncompleted
from controller.laws.notices import drop_lifted_flags, lost_by, propose_result
from controller.laws.outcomes import triggered
from controller.laws.retaken import lifted_again, stood_beside_a_reply, stood_until_another_rose
from controller.laws.state import NS, State
from controller.laws.turn import Outcome, Trigger
from controller.sensing.difference import LEGAL, Kind


def start(s: State) -> State:
    """Start the clock of the player having the move, at the start of the session."""
    s = illegal.find(s)
    if s.clock is None:
        return s
    return replace(s, clock=s.clock.start(0, s.turn.side)).show_clock()


def outage(s: State, away_ms: int | None) -> State:
    """Nobody looked for a time. That costs no player any time: the clocks go on as they were."""
    return s.say(c.Interrupted, away_ms=away_ms).show_clock()


def read(s: State, item: c.Reading) -> State:
    """Take the reading of a clock that keeps its own time: it is the time. It is told only where it differs from what
    was reckoned, together with that. If it shows that the other player's clock runs, somebody has pressed unseen, and
    his move is completed by that (6.2.1). While play is stopped, no clock runs."""
    if s.clock is None:
        return s
    reckoned, runs = s.both_left(), s.clock.running
    pressed = runs if runs is not None and not s.stopped and item.running == c.other(runs) else None
    if pressed is not None and s.turn.side == pressed:
        s = _pressed_on_his_turn(s, pressed, unseen=True)
    assert s.clock is not None
    clock = s.clock if pressed is None else s.clock.press(s.now * NS, pressed)
    clock = clock.set(s.now * NS, item.white_ms * NS, item.black_ms * NS)
    if not s.stopped and item.running != clock.running:
        clock = clock.stop(s.now * NS) if item.running is None else clock.resume(s.now * NS, item.running)
    s = drop_lifted_flags(replace(s, clock=clock))
    if pressed is not None and (completes := uncompleted(s, pressed)) is not None and s.result is None:
        s = _complete(s, completes)
    if (s.both_left(), clock.running) == (reckoned, runs):
        return s
    return s.show_clock(white_reckoned_ms=reckoned[0], black_reckoned_ms=reckoned[1])


def press(s: State, side: c.Side, unseen: bool = False) -> State:
    """``side`` pressed the clock. A press by the player whose clock is not running changes nothing, unless his opponent
    may have pressed in a gap before it.

    ``unseen``: nobody can say what stood on the board then.
    """
    unseen = unseen or bool(s.unseen) or not s.watched
    if s.clock is None:
        # There is no clock to switch, but a player who presses has let go of his piece.
        if side == s.turn.side and s.turn.difference.kind in LEGAL:
            s, _ = triggered(s, Trigger.PRESS)
        return s
    if not s.stopped and s.clock.running == c.other(side):
        s = _pressed_before(s, side)
    assert s.clock is not None
    if s.stopped or s.clock.running != side:
        return s
    played = len(s.made)
    at = None if unseen or s.turn.side == side else s.uncorrected()
    if at is not None and s.made[at].side == side:
        quiet = s.turn.difference.kind is Kind.QUIET
        s = illegal.pressed_without_a_move(s, side) if quiet else illegal.correct(s, at)
    if s.turn.side == side:
        s = _pressed_on_his_turn(s, side, unseen)
    elif not unseen:
        s = pressed_upon(s)
    assert s.clock is not None
    clock = s.clock.press(s.now * NS, side)
    s = replace(s, clock=clock)
    if len(s.made) > played and s.made[-1].illegal:
        # It may yet be dismissed, and is completed then as of this press.
        s = s.amending(len(s.made) - 1, left=s.both_left())
    if (completes := uncompleted(s, side)) is not None and s.result is None:
        s = _complete(s, completes)
    return s.show_clock()


def _pressed_before(s: State, side: c.Side) -> State:
    """The state in which the opponent pressed in a gap, if he may have: ``side`` has replied since, and presses."""
    last, at = s.last(), uncompleted(s, c.other(side))
    if last is None or at is None or not s.made[at].may_be_pressed:
        return s
    replied = s.turn.difference.kind in LEGAL if s.turn.side == side else not last.completed
    if not replied:
        return s
    assert s.clock is not None
    return _complete(replace(s, clock=s.clock.press(s.now * NS, c.other(side))), at)


def _pressed_on_his_turn(s: State, side: c.Side, unseen: bool) -> State:
    """The player having the move pressed: make or judge what stands on the board, if somebody saw it."""
    if s.unexplained_pieces:
        s = count_strays(s)
    again = lifted_again(s)
    if again is not None:
        return again
    s, outcome = triggered(s, Trigger.PRESS)
    if outcome is Outcome.MAKE or unseen or s.unsure or swept(s):
        return s
    if (stood := stood_until_another_rose(s)) is not None:
        return stood
    if (stood := stood_beside_a_reply(s)) is not None:
        return stood
    if outcome in (Outcome.NO_MOVE, Outcome.UNSEEN) and uncompleted(s, side) is not None:
        return s  # the opponent had replied before the press: it completes the move made before that
    if outcome is Outcome.NO_MOVE:
        hidden_by, s = s.hidden_stock, replace(s, hidden_stock=None)
        if hidden_by == c.other(side):
            # He asks to see that stock: his opponent's clock runs until he shows it (16 of the blitz à quatre).
            return s
    return illegal.pressed(s, outcome)


def _complete(s: State, at: int) -> State:
    if (seen := illegal.witnessed(s, s.made[at])) is not None:
        return illegal.complete_witnessed(s, at, seen.kind, seen.said)
    s = complete(s, at, completed_by_press=True)
    s, _ = illegal.drawn_as_found(s, s.made[at])
    return s if s.unproven is None else end(replace(s, unproven=None))


def run_clock(s: State) -> State:
    """Let the clocks run to now, unless the game was over before. Tell which flags fell, and propose the result where
    the arbiter may call the flag."""
    s = ended_by_capture(s)
    assert s.clock is not None
    clock, fallen = s.clock.advance(s.now * NS)
    s = replace(s, clock=clock)
    for side, _ in fallen:
        s = s.say(c.Flag, side=side)
        if s.laws.flag_called_by == "arbiter" and clock.first_fallen == side:
            lost = lost_by(s, side)
            s = propose_result(s, side, lost.score, "time", s.laws.clause.flag, status=lost.status, **lost.evidence)
    return s
