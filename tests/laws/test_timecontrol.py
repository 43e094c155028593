"""Time controls as text: what is understood, and how the rest is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import LogError
from controller.laws.timecontrol import Period, TimeControl, parse


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("5400+30", [Period(5400, increment=30)]),
        ("40/5400+30:1800+30", [Period(5400, 40, increment=30), Period(1800, increment=30)]),
        ("180+2", [Period(180, increment=2)]),
        ("180d3", [Period(180, delay=3)]),
        ("2/30:600", [Period(30, 2), Period(600)]),
        ("40/7200", [Period(7200, 40)]),
        ("40/7200:20/3600:900+30", [Period(7200, 40), Period(3600, 20), Period(900, increment=30)]),
        ("0+5", [Period(0, increment=5)]),
    ],
)
def test_periods(text: str, periods: list[Period]) -> None:
    assert parse(text) == TimeControl(tuple(periods))
    assert str(parse(text)) == text


def test_a_delay_may_be_shown_in_the_bronstein_way() -> None:
    control = parse("40/180b3:60b3")
    assert control.periods[0] == Period(180, 40, delay=3, bronstein=True)
    assert (control.bronstein, str(control)) == (True, "40/180b3:60b3")
    assert not parse("180d3").bronstein


def test_hourglass() -> None:
    assert parse("*60") == TimeControl((Period(60),), hourglass=True)
    assert str(parse("*60")) == "*60"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no period"),
        ("?", "'?' is no period"),
        ("-", "'-' is no period"),
        ("90+30min", "'90+30min' is no period"),
        ("5400 + 30", "is no period"),
        ("-5", "is no period"),
        ("1.5", "is no period"),
        ("٣٠٠", "is no period"),
        ("300+", "is no period"),
        ("40/", "is no period"),
        ("*60:30", "'*60' is no period"),
        ("0", "'0' gives no time"),
        ("40/60d3:60b3", "d throughout, or b"),
        ("*0", "'0' gives no time"),
        ("0/300:60", "'0/300' asks for no moves"),
        ("5400:1800", "'5400' is not the last period"),
        ("40/5400:", "'' is no period"),
        ("9" * 5000, "is no period"),
    ],
)
def test_anything_else_is_refused_and_says_which_part(text: str, why: str) -> None:
    with pytest.raises(LogError) as refused:
        parse(text)
    assert why in refused.value.what
    assert refused.value.next_step


@given(st.text(alphabet="0123456789+/:db*.- ", max_size=12))
def test_what_is_understood_is_said_back_alike(text: str) -> None:
    try:
        control = parse(text)
    except LogError:
        return
    assert parse(str(control)) == control


@pytest.mark.parametrize(
    ("text", "earns"), [("5400", False), ("40/5400:900+30", True), ("180d3", True), ("180b3", True), ("*60", False)]
)
def test_whether_moves_earn_time(text: str, earns: bool) -> None:
    assert parse(text).has_increment is earns
