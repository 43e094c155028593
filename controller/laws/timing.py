"""The clock in the game: presses, completed moves, default time, flags (6.2, 6.6 / 6.7, 6.8, 6.9)."""

from controller import contract as c
from controller.laws import illegal
from controller.laws.board import count_strays, read_board, stand_before
from controller.laws.moves import complete, take_back
from controller.laws.notices import lost_by, propose_result, won_by
from controller.laws.outcomes import happens
from controller.laws.record import Made, Pressed
from controller.laws.rejoin import rejoin
from controller.laws.state import NS, State
from controller.laws.turn import Happens, Outcome
from controller.laws.unseen import lifted_again, resolve
from controller.sensing.stand import Kind

UNCLEAR = (Outcome.UNSEEN, Outcome.ILLEGAL)
"""What a move may look like that the sensors did not show whole, or that was made while another man is not seen."""

LATE_MS = 1000
"""How long after the press a slow board, of which scans are lost, may show a man to land who was set down before it."""


def start(s: State) -> None:
    """The clock of the player to move runs from the start of the session."""
    illegal.find(s)
    if s.clock is not None:
        s.clock.start(0, s.turn.side)
        s.show_clock()


def outage(s: State, away_ms: int | None) -> None:
    """Nobody looked for a time, which costs no player anything: the clocks go on as they were."""
    s.emit(c.Interrupted, away_ms=away_ms)
    s.show_clock()


def press(s: State, side: c.Side, unseen: bool = False) -> None:
    """``side`` pressed the clock. By the player whose clock is not running it changes nothing.

    ``unseen``: nobody can say what stood on the board then.
    """
    unseen = unseen or bool(s.unseen) or not s.watched
    if s.clock is None:
        # There is nothing to switch, but who presses has let go of his piece.
        if side == s.turn.side and s.turn.stand.kind is Kind.WHOLE:
            happens(s, Happens.PRESS)
        elif s.blind and not s.stopped and (s.lines or side == s.turn.side):
            resolve(s, side)
        return
    if s.stopped or s.clock.running != side:
        return
    unknown = bool(s.lines)
    at = None if unknown or unseen or s.turn.side == side else s.uncorrected()
    if at is not None and s.made[at].side == side:
        if s.turn.stand.kind is Kind.QUIET:
            illegal.pressed_without_a_move(s, side)
        else:
            illegal.correct(s, at)
    if unknown:
        resolve(s, side)
    elif s.turn.side == side:
        unknown = _pressed_on_his_turn(s, side, unseen)
    s.clock.press(s.now * NS, side)
    if (made := _uncompleted(s, side)) is not None and s.result is None:
        _complete(s, made)
    elif unknown:
        s.presses.append(Pressed(side, s.clock.remaining(c.WHITE) // NS, s.clock.remaining(c.BLACK) // NS))
    s.show_clock()


def _pressed_on_his_turn(s: State, side: c.Side, unseen: bool) -> bool:
    """The player having the move pressed: what stands there is made or judged. Whether it is a move that nobody saw."""
    if s.strays:
        count_strays(s)
    outcome = Outcome.MAKE if lifted_again(s) else happens(s, Happens.PRESS)
    if outcome is Outcome.MAKE:
        return False
    if unseen or s.unsure:
        return outcome is not Outcome.NO_MOVE and not (s.unsure and rejoin(s)) and resolve(s, side)
    unclear = outcome in UNCLEAR and s.turn.stand.kind is not Kind.WHOLE  # else he has said what he drops
    if s.turn.traces.refilled is None and (unclear or (s.blind and outcome is Outcome.NO_MOVE)) and resolve(s, side):
        return True
    if outcome is not Outcome.NO_MOVE or (_uncompleted(s, side) is None and not _asks_to_see(s, side)):
        illegal.pressed(s, outcome)
    return False


def _complete(s: State, made: Made) -> None:
    if illegal.two_handed(s, made):
        illegal.complete_two_handed(s, made)
        return
    complete(s, made)
    made.completed_by_press = True
    illegal.drawn_as_found(s, made)


def reconsider(s: State) -> None:
    """Judge once more a press that was read as a capture which nobody saw, and its man is back where he came from, or
    lands elsewhere long after it: he was in the hand, and the clock was pressed without a move (7.5.3). In a match it
    may as well be another man, dropped there."""
    last = s.last()
    if last is None or not (last.inferred and last.completed_by_press):
        return
    if s.lines or s.blind or s.unseen or s.unsure or s.position.house is not None:
        return
    stand = stand_before(s, last)
    if stand.kind is Kind.WHOLE:
        landed = (edge.ms for edge in reversed(s.trace) if edge.square == stand.moves[0].to_square)
        if next(landed, 0) <= last.ms + LATE_MS:
            return
    elif stand.kind is not Kind.QUIET:
        return
    origin = last.move.from_square
    lifted = next((edge.ms for edge in s.trace[last.start :] if edge.square == origin), last.ms)
    take_back(s, len(s.made) - 1)
    s.presses.pop(0)
    s.touch(origin, lifted)
    if stand.kind is Kind.QUIET:
        illegal.pressed_without_a_move(s, last.side)
    else:
        illegal.pressed_too_early(s, last.side)
    read_board(s, s.now)


def _asks_to_see(s: State, side: c.Side) -> bool:
    """Whether ``side`` presses to see the stock that his opponent hides: that player's clock runs until he shows it (16
    of the blitz à quatre)."""
    hidden, s.hidden_stock = s.hidden_stock, None
    return hidden == c.other(side)


def _uncompleted(s: State, side: c.Side) -> Made | None:
    """The move that a press of ``side`` completes, even after the opponent has replied (6.2.2)."""
    made = s.last_of(side)
    return made if made is not None and made.reported and not made.completed else None


def run_clock(s: State) -> None:
    """Let the clocks run to now; say which flags fell, and what follows where the arbiter may call it."""
    if s.clock is None:
        return
    for side, _ in s.clock.advance(s.now * NS):
        s.emit(c.Flag, side=side)
        if s.laws.flag_called_by == "arbiter" and s.clock.first_fallen == side:
            propose_result(s, side, lost_by(s, side), "time", s.laws.clause.flag)


def default_time(s: State) -> None:
    """The default time is over (6.6 / 6.7). No board sees who sits at it: of a player who has the move and has touched
    nothing it is proposed that he has lost."""
    s.default_due = None
    side = s.turn.side
    if (
        s.watched
        and s.last_of(side) is None
        and s.turn.stand.kind is Kind.QUIET
        and not (s.turn.touches or s.lines or s.stopped)
    ):
        propose_result(s, side, won_by(c.other(side)), "arbiter", s.laws.clause.default_time)
