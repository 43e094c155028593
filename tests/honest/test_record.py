"""The yardstick itself: what the record of some events is, and which of its plies are wrong."""

import pytest
from common import Played, RecordError, percent, record

from controller.contract import AnyEvent, Move, Retract
from hardware.simulator.habits import Gesture


def move(ply: int, uci: str) -> Move:
    return Move(ms=1000 * ply, side="white" if ply % 2 else "black", uci=uci, san="", fen="", ply=ply)


def retract(uci: str) -> Retract:
    return Retract(ms=9000, uci=uci, fen="")


def played(truth: list[str], events: list[AnyEvent]) -> Played:
    hands = [Gesture(1000, "lift", "white", 1), Gesture(2000, "lift", "black", 2)]
    return Played(0, truth, hands, [], events)


def test_a_retracted_move_leaves_the_record() -> None:
    events: list[AnyEvent] = [move(1, "e2e4"), move(2, "e7e5"), retract("e7e5"), move(2, "c7c5")]
    assert record(events) == ["e2e4", "c7c5"]


@pytest.mark.parametrize(
    "events",
    [
        [move(1, "e2e4"), move(3, "g1f3")],
        [move(1, "e2e4"), move(1, "d2d4")],
        [retract("e2e4")],
        [move(1, "e2e4"), retract("d2d4")],
    ],
    ids=["gap", "same ply twice", "nothing to retract", "another move retracted"],
)
def test_events_that_do_not_add_up_are_refused(events: list[AnyEvent]) -> None:
    with pytest.raises(RecordError):
        record(events)


def test_a_ply_is_wrong_where_the_record_differs_is_short_or_goes_on() -> None:
    events: list[AnyEvent] = [move(1, "e2e4"), move(2, "c7c5"), move(3, "g1f3")]
    assert played(["e2e4", "c7c5", "g1f3"], events).wrong == []
    assert played(["e2e4", "e7e5", "g1f3"], events).wrong == [2]
    assert played(["e2e4", "c7c5", "g1f3", "d7d6"], events).wrong == [4]
    assert played(["e2e4", "c7c5"], events).wrong == [3]


def test_the_ply_of_an_instant_is_the_one_the_hands_were_busy_with() -> None:
    game = played([], [])
    assert [game.ply_at(ms) for ms in (0, 1000, 1999, 2000, 9000)] == [1, 1, 1, 2, 2]


def test_a_share_is_never_rounded_up_to_all() -> None:
    assert percent(99_999_999, 100_000_000) == 99.999
    assert percent(5, 5) == 100.0
