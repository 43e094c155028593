"""How far a board is archived without a gap, whatever is lost, doubled or late on the way."""

from hypothesis import given
from hypothesis import strategies as st

from controller.archive.line import ArchivedLine


def told(numbers: list[int]) -> list[tuple[int, int]]:
    """Each event with the one before it."""
    return list(zip([0, *numbers], numbers, strict=False))


@given(st.sets(st.integers(1, 200), min_size=1), st.data())
def test_in_whatever_order_they_come_all_are_archived_in_the_end(numbers: set[int], data: st.DataObject) -> None:
    events = told(sorted(numbers))
    line = ArchivedLine()
    line.event(*events[0], begins=True)
    order = data.draw(st.permutations(events + data.draw(st.lists(st.sampled_from(events)))))
    came = {events[0][1]}
    for after, seq in order:
        line.event(after, seq, begins=False)
        came.add(seq)
        whole = next((before for before, number in events if number not in came), events[-1][1])
        assert line.last == whole
    assert line.last == max(numbers)


def test_of_a_board_that_is_new_its_earlier_games_are_not_asked_for() -> None:
    line = ArchivedLine()
    line.event(4000, 4001, begins=True)
    assert line.last == 4001


def test_of_a_game_that_is_on_the_beginning_is_missing() -> None:
    line = ArchivedLine()
    line.event(4000, 4001, begins=False)
    assert line.last == 0


def test_what_a_board_has_let_go_is_not_waited_for() -> None:
    line = ArchivedLine(7)
    line.event(20, 21, begins=False)
    assert line.last == 7
    line.move_on(20)
    assert line.last == 21
