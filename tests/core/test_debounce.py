"""The debouncer: a reading counts once it has held, on each square by itself."""

from collections.abc import Iterable

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shorthand import only, play, scan

from controller import contract as c
from controller.sensing.debounce import Debouncer

HOLD_MS = 15
A1, E4 = 1, 1 << 28

# (ms, mask) samples that begin at 0, ever later
samples = st.lists(
    st.tuples(st.integers(0, 25), st.sampled_from([0, A1, E4, A1 | E4, A1 << 63])), min_size=1, max_size=25
).map(lambda steps: [(sum(gap for gap, _ in steps[: i + 1]), mask) for i, (_, mask) in enumerate(steps)])


def settled(stream: Iterable[tuple[int, int]], until: int, also_at: Iterable[int] = ()) -> list[tuple[int, int]]:
    """Each square's changes as (when it changed, one square), with time let run to ``also_at`` on the way."""
    debouncer = Debouncer(HOLD_MS, 0)
    flips = []
    events = [(ms, 1, mask) for ms, mask in stream] + [(ms, 0, 0) for ms in also_at]
    for ms, is_sample, mask in sorted(events, key=lambda event: event[:2]):
        flips += debouncer.feed(ms, mask) if is_sample else debouncer.settle(ms)
    flips += debouncer.settle(until)
    assert debouncer.due is None
    return sorted((ms, 1 << bit) for ms, mask in flips for bit in range(64) if mask >> bit & 1)


def test_a_reading_counts_when_it_has_held_and_from_when_it_began() -> None:
    debouncer = Debouncer(HOLD_MS, 0)
    assert debouncer.feed(100, E4) == []
    assert debouncer.due == 115
    assert debouncer.settle(114) == []
    assert debouncer.stable == 0
    assert debouncer.settle(115) == [(100, E4)]
    assert debouncer.stable == E4
    assert debouncer.due is None


def test_a_reading_that_does_not_hold_never_counts() -> None:
    debouncer = Debouncer(HOLD_MS, E4)
    assert debouncer.feed(100, 0) == []
    assert debouncer.feed(114, E4) == []
    assert debouncer.settle(1000) == []
    assert debouncer.due is None


def test_a_reading_that_held_just_long_enough_counts_though_it_is_gone_by_then() -> None:
    debouncer = Debouncer(HOLD_MS, E4)
    debouncer.feed(100, 0)
    assert debouncer.feed(115, E4) == [(100, E4)]
    assert debouncer.settle(130) == [(115, E4)]


def test_each_bounce_begins_the_time_anew() -> None:
    debouncer = Debouncer(HOLD_MS, 0)
    for ms in range(100, 160, 10):
        assert debouncer.feed(ms, E4) == []
        assert debouncer.feed(ms + 5, 0) == []
    debouncer.feed(160, E4)
    assert debouncer.settle(174) == []
    assert debouncer.settle(175) == [(160, E4)]


def test_a_square_that_chatters_delays_no_other() -> None:
    debouncer = Debouncer(HOLD_MS, 0)
    flips = []
    for ms in range(100, 140):
        flips += debouncer.feed(ms, (A1 if ms % 2 else 0) | (E4 if ms >= 110 else 0))
        assert debouncer.stable == (E4 if ms >= 125 else 0)
    assert flips == [(110, E4)]


@pytest.mark.parametrize("ms", [0, 7])
def test_without_a_hold_every_sample_counts_at_once(ms: int) -> None:
    debouncer = Debouncer(0, 0)
    assert debouncer.feed(ms, E4) == [(ms, E4)]
    assert debouncer.feed(ms, 0) == [(ms, E4)]


@given(samples)
def test_what_settles_is_what_held(stream: list[tuple[int, int]]) -> None:
    """The rule itself, square by square: a stretch of the other value, as long as the hold, is a change."""
    until = stream[-1][0] + HOLD_MS
    expected = []
    for bit in (A1, E4, A1 << 63):
        stable, raw, since = 0, 0, None
        for ms, mask in [*stream, (until, stream[-1][1])]:
            if since is not None and ms - since >= HOLD_MS:
                expected.append((since, bit))
                stable, since = raw, None
            if mask & bit != raw:
                raw = mask & bit
                since = None if raw == stable else ms
    assert settled(stream, until) == sorted(expected)


@given(samples, st.lists(st.integers(0, 700), max_size=20))
def test_how_often_time_is_looked_at_changes_nothing(stream: list[tuple[int, int]], looks: list[int]) -> None:
    until = stream[-1][0] + HOLD_MS
    assert settled(stream, until, [ms for ms in looks if ms <= until]) == settled(stream, until)


@given(samples, st.integers(1, 20))
def test_repeating_a_sample_changes_nothing(stream: list[tuple[int, int]], every: int) -> None:
    until = stream[-1][0] + HOLD_MS
    held = [
        (ms, mask)
        for (start, mask), (end, _) in zip(stream, [*stream[1:], (until + 1, 0)], strict=True)
        for ms in range(start, max(end, start + 1), every)
    ]
    assert settled(held, until) == settled(stream, until)


@given(samples)
def test_in_the_end_the_last_reading_stands(stream: list[tuple[int, int]]) -> None:
    debouncer = Debouncer(HOLD_MS, 0)
    for ms, mask in stream:
        debouncer.feed(ms, mask)
    debouncer.settle(stream[-1][0] + HOLD_MS)
    assert debouncer.stable == stream[-1][1]


@pytest.mark.parametrize(("back", "judged"), [(1119, c.Brush), (1120, c.Touch)])
def test_how_long_a_piece_was_off_his_square_goes_by_the_scans_and_not_by_when_they_had_held(
    back: int, judged: type[c.AnyEvent]
) -> None:
    whole = chess.Board()
    off = chess.Board()
    off.remove_piece_at(chess.G1)
    events = play(f"0 frame {scan(whole)}; 1000 frame {scan(off)}; {back} frame {scan(whole)}; 3000 time")
    assert [type(event) for event in events if isinstance(event, c.Brush | c.Touch)] == [judged]


def test_what_has_just_closed_can_be_believed_at_once_and_what_has_just_opened_stays_open_yet() -> None:
    debouncer = Debouncer(15, 0b01)
    debouncer.feed(100, 0b10)
    assert debouncer.close() == [(100, 0b10)]
    assert (debouncer.stable, debouncer.since) == (0b11, 100)
    assert debouncer.feed(115, 0b10) == [(100, 0b01)]
    assert debouncer.stable == 0b10


def test_with_it_opens_the_square_over_which_the_piece_came() -> None:
    debouncer = Debouncer(15, 0b0011)
    debouncer.feed(100, 0b0100)
    assert debouncer.close(passing=0b0001) == [(100, 0b0101)]
    assert (debouncer.stable, debouncer.since) == (0b0110, 100)


def test_a_contact_that_fails_alone_opens_nothing_at_once() -> None:
    debouncer = Debouncer(15, 0b01)
    debouncer.feed(100, 0b00)
    assert debouncer.close(passing=0b01) == []


def test_a_square_passed_over_is_empty_also_once_it_has_settled_where_the_piece_came_to() -> None:
    debouncer = Debouncer(15, 0b0010)
    debouncer.feed(100, 0b0011)
    debouncer.feed(105, 0b0001)
    assert debouncer.feed(117, 0b0001) == [(100, 0b0001)]
    assert debouncer.close(passing=0b0011) == [(105, 0b0010)]
    assert debouncer.stable == 0b01


def test_what_opened_for_too_short_a_time_to_be_told_is_known_to_have_moved() -> None:
    debouncer = Debouncer(HOLD_MS, A1)
    for ms, mask, jogged in (
        (0, A1, 0),
        (20, 0, 0),
        (25, A1, A1),
        (40, A1 | E4, 0),
        (45, A1, 0),
        (50, 0, 0),
        (70, A1, 0),
    ):
        debouncer.feed(ms, mask)
        assert debouncer.jogged == jogged, ms


@pytest.mark.parametrize(("jogged_ms", "told"), [(None, True), (5, False)])
def test_a_piece_that_moved_where_it_stood_was_not_let_go_there(jogged_ms: int | None, told: bool) -> None:
    """The knight stands on h3 for half a second, and goes on to f3: half way his contact fails, for a time that is
    too short to be a lift. He was dragged there, and not released (4.7)."""
    squares = {
        100: "-g1", 500: "+h3", **({} if jogged_ms is None else {750: "-h3", 750 + jogged_ms: "+h3"}),
        1000: "-h3", 1100: "+f3",
    }  # fmt: skip
    board, frames = chess.Board(), [f"0 frame {scan(chess.Board())}"]
    for ms in range(5, 2000, 5):
        if word := squares.get(ms):
            piece = chess.Piece.from_symbol("N") if word[0] == "+" else None
            board.set_piece_at(chess.parse_square(word[1:]), piece)
        frames.append(f"{ms} frame {scan(board)}")
    events = play("; ".join([*frames, "2000 press white", "3000 time"]), clock="5400+30")
    assert bool(only(c.Violation, events)) is told
