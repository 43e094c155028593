"""Of two pieces of one player that leave at once nobody knows which was touched first: he may move either (4.3.1)."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

SENSES = ("occupancy", "colour", "identity")


def moved_over(apart: int, back: int, senses: c.Senses) -> list[c.AnyEvent]:
    """Black's knight goes from g8 to f6 over f7, whose pawn leaves ``apart`` before the knight; it is back ``back``
    after that, both in ms."""
    log = (
        f"1200 lift e2; 1500 place e4 {seen('P', senses)}; 1700 press white; 3000 lift f7; {3000 + apart} lift g8;"
        f"{3000 + apart + back} place f7 {seen('p', senses)}; 3700 place f6 {seen('n', senses)}; 4200 press black"
    )
    return play(log, senses=senses, clock=CLOCK)


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("apart", [1, 9, 30, 50, 100, 149])
@pytest.mark.parametrize("back", [130, 240, 480])
def test_who_takes_up_two_pieces_at_once_may_move_either(back: int, apart: int, senses: c.Senses) -> None:
    events = moved_over(apart, back, senses)
    assert (record(events), accusations(events)) == (["e2e4", "g8f6"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_who_takes_up_one_after_the_other_must_move_the_first(senses: c.Senses) -> None:
    events = moved_over(200, 240, senses)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "touch-move")]


@pytest.mark.parametrize("senses", SENSES)
def test_an_earlier_touch_binds_all_the_same(senses: c.Senses) -> None:
    """He has touched b8 long before he takes up f7 and g8 at once."""
    log = (
        f"1200 lift e2; 1500 place e4 {seen('P', senses)}; 1700 press white; 2000 lift b8; 2400 place b8 "
        f"{seen('n', senses)}; 3000 lift f7; 3009 lift g8; 3240 place f7 {seen('p', senses)};"
        f"3700 place f6 {seen('n', senses)}; 4200 press black"
    )
    (said,) = accusations(play(log, senses=senses, clock=CLOCK))
    assert isinstance(said, c.Violation)
    assert (said.side, said.kind, said.owed) == ("black", "touch-move", ["b8a6", "b8c6"])
