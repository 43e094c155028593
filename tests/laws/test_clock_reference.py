"""The clock against a reference that keeps no state: every time is summed up anew from the list of turns.

Set JADOUBE_LONG=1 for the million presses.
"""

import os
import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.contract import BLACK, WHITE, Side, other
from controller.laws.clock import SECOND, ChessClock
from controller.laws.timecontrol import Period, TimeControl


def period_of_move(control: TimeControl, number: int) -> int:
    """The period in which a player's move ``number``, from 1, is played."""
    index, last = 0, len(control.periods) - 1
    end = control.periods[0].moves
    while end is not None and number > end:
        index += 1
        more = control.periods[min(index, last)].moves
        end = end + more if more else None
    return index


def left_after(control: TimeControl, turns: list[int]) -> tuple[int, int | None]:
    """A player's time after these turns, ns, the next increment included; and how far into the last turn it ran out.

    A turn that exhausted the time ends the account: nothing is earned after it.
    """
    last = len(control.periods) - 1
    given_, used = 0, 0
    reached = -1
    for number in range(1, len(turns) + 2):
        index = period_of_move(control, number)
        given_ += sum(control.periods[min(i, last)].seconds for i in range(reached + 1, index + 1)) * SECOND
        reached = max(reached, index)
        given_ += control.periods[min(index, last)].increment * SECOND
        if number > len(turns):
            return given_ - used, None
        free = control.periods[min(index, last)].delay * SECOND
        used += max(0, turns[number - 1] - free)
        if used >= given_:
            return 0, turns[number - 1] - (used - given_)
    raise AssertionError("unreachable")


periods = st.builds(
    lambda seconds, bonus, kind: Period(seconds, None, *((bonus, 0) if kind else (0, bonus))),
    st.integers(1, 60),
    st.integers(0, 5),
    st.booleans(),
)
controls = st.builds(
    lambda first, moves, last: TimeControl(
        (*(Period(p.seconds, m, p.increment, p.delay) for p, m in zip(first, moves, strict=False)), last)
    ),
    st.lists(periods, max_size=2),
    st.lists(st.integers(1, 4), min_size=2, max_size=2),
    periods,
)
#: Each turn in one or more stretches, with the clocks stopped between.
turns = st.lists(st.lists(st.integers(1, 12 * SECOND), min_size=1, max_size=3), max_size=24)


@given(controls, turns, st.booleans())
def test_no_ns_is_lost_or_won(control: TimeControl, thoughts: list[list[int]], bronstein: bool) -> None:
    control = TimeControl(tuple(replace(period, bronstein=bronstein) for period in control.periods))
    clock = ChessClock(control)
    used: dict[Side, list[int]] = {WHITE: [], BLACK: []}
    down: dict[Side, int] = {}
    side, now = WHITE, 0
    clock = clock.start(now, side)
    for thought in thoughts:
        began = now
        for stretch in thought[:-1]:
            now += stretch
            clock = clock.stop(now)
            now += SECOND
            clock = clock.resume(now, side)
        now += thought[-1]
        assert clock.running == side
        clock = clock.press(now, side)
        assert clock.running == other(side)
        if side not in down:
            used[side].append(sum(thought))
            left, ran_out = left_after(control, used[side])
            if ran_out is not None:
                stops = sum(1 for end in list(accumulate(thought))[:-1] if end < ran_out)
                down[side] = began + ran_out + stops * SECOND
            delay = control.periods[min(period_of_move(control, len(used[side]) + 1), len(control.periods) - 1)].delay
            shown = left + (delay * SECOND if bronstein and ran_out is None else 0)
            assert clock.remaining(side) == shown
        else:
            assert clock.remaining(side) == 0
        side = other(side)
    assert {s: clock.fell(s) for s in down} == down
    assert sorted(clock.advance(now)[1]) == sorted(down.items())


@pytest.mark.parametrize("presses", [2_000, 1_000_000] if os.environ.get("JADOUBE_LONG") else [2_000])
def test_a_long_game_of_random_presses_is_exact(presses: int) -> None:
    control = TimeControl((Period(5_400, moves=40, increment=30), Period(1_800, increment=30)))
    rng = random.Random(presses)
    clock = ChessClock(control).start(0, WHITE)
    spent: dict[Side, int] = {WHITE: 0, BLACK: 0}
    side, now = WHITE, 0
    for turn in range(presses):
        thought = rng.randrange(1, 60 * SECOND - 1)
        now += thought
        spent[side] += thought
        assert clock.running == side
        clock = clock.press(now, side)
        assert clock.running == other(side)
        made = turn // 2 + 1
        earned = 5_400 + (1_800 if made >= 40 else 0) + 30 * (made + 1)
        assert clock.remaining(side) == earned * SECOND - spent[side]
        if clock.remaining(side) < 100 * SECOND:
            clock = clock.add(now, side, 500 * SECOND)
            spent[side] -= 500 * SECOND
        side = other(side)
    assert clock.advance(now)[1] == []


def test_the_hourglass_never_makes_or_loses_time() -> None:
    clock = ChessClock(TimeControl((Period(60),), hourglass=True)).start(0, WHITE)
    rng, now, side = random.Random(6), 0, WHITE
    while clock.first_fallen is None:
        now += rng.randrange(30 * SECOND)
        clock = clock.press(now, side)
        side = other(side)
        assert clock.remaining(WHITE) + clock.remaining(BLACK) == 120 * SECOND
