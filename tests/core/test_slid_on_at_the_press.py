"""A piece that the board sees on its way just before the press, and elsewhere just after it, was not released between:
no hand has pressed and is back so soon. One that stood for as long as a release takes was (4.7).
"""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

SENSES = ("occupancy", "colour", "identity")
OPEN = "4k1n1/pp6/8/8/2p5/8/3B2P1/R3K3 w - - 0 1"


def slid(stood_ms: int, after_ms: int, senses: c.Senses, way: str = "a1 b1 d1 R", reply: str = "") -> list[c.AnyEvent]:
    """White's piece, as ``way`` says, is seen on its second square ``stood_ms`` before it leaves that one, which is
    ``after_ms`` after his press; then it stands on the third. Black plays g8-f6, or as ``reply`` says."""
    home, passed, to, kind = way.split()
    left = 3000 + after_ms
    log = (
        f"{left - stood_ms - 9} lift {home}; {left - stood_ms} place {passed} {seen(kind, senses)}; 3000 press white;"
        f"{left} lift {passed}; {left + 6} place {to} {seen(kind, senses)};"
    )
    reply = reply or f"4600 lift g8; 5000 place f6 {seen('n', senses)}; 5500 press black"
    return play(log + reply, OPEN, senses=senses, clock=CLOCK)


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("after_ms", [5, 60, 200])
@pytest.mark.parametrize("stood_ms", [230, 300])
@pytest.mark.parametrize("way", ["a1 b1 d1 R", "d2 e3 h6 B", "g2 g3 g4 P"])
def test_it_has_moved_to_where_it_stands(way: str, stood_ms: int, after_ms: int, senses: c.Senses) -> None:
    events = slid(stood_ms, after_ms, senses, way)
    home, _, to, _ = way.split()
    assert (record(events), accusations(events)) == ([f"{home}{to}", "g8f6"], [])
    assert [made.ms for made in only(c.Move, events) if made.uci == f"{home}{to}"] == [3000 + after_ms + 6]


@pytest.mark.parametrize("senses", SENSES)
def test_the_order_in_which_its_squares_are_read_makes_no_difference(senses: c.Senses) -> None:
    log = (
        f"2800 place b1 {seen('R', senses)}; 2811 lift a1; 3000 press white; 3040 place d1 {seen('R', senses)};"
        f"3049 lift b1; 4600 lift g8; 5000 place f6 {seen('n', senses)}; 5500 press black"
    )
    events = play(log, OPEN, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["a1d1", "g8f6"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_what_the_opponent_has_taken_up_by_then_he_moves(senses: c.Senses) -> None:
    """And what he has taken up he has touched."""
    honest = f"3300 place f6 {seen('n', senses)}; 3500 press black"
    for squares, kinds in (("g8 f6 n", []), ("b7 b5 p", ["touch-move"])):
        home, to, kind = squares.split()
        second = (
            f"3300 place g8 {seen('n', senses)}; 3700 lift b7; 4000 place {to} {seen(kind, senses)}; 4500 press black"
        )
        log = (
            f"2791 lift a1; 2800 place b1 {seen('R', senses)}; 3000 press white; 3015 lift g8; 3040 lift b1;"
            f"3046 place d1 {seen('R', senses)}; {second if kinds else honest}"
        )
        events = play(log, OPEN, senses=senses, clock=CLOCK)
        assert record(events) == ["a1d1", f"{home}{to}"]
        assert [said.kind for said in only(c.Violation, events)] == kinds


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize(("stood_ms", "after_ms"), [(500, 60), (900, 200), (300, 290), (700, 600)])
def test_who_has_released_it_and_moves_it_on_is_told(stood_ms: int, after_ms: int, senses: c.Senses) -> None:
    events = slid(stood_ms, after_ms, senses, reply="9000 time")
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", "released-move")]


def test_where_a_piece_of_the_other_colour_is_seen_he_has_set_down_nothing() -> None:
    """White moves his released piece on; Black presses with one of his in hand."""
    events = slid(700, 600, "identity", reply="3800 lift b7; 4100 press black; 9000 time")
    assert [said.uci for said in only(c.Illegal, events) if said.uci] == []


@pytest.mark.parametrize("senses", SENSES)
def test_what_stood_longer_than_one_look_shows_was_released(senses: c.Senses) -> None:
    """Its player has pressed meanwhile, and moves it on."""
    events = slid(395, 5, senses)
    assert [said.kind for said in only(c.Violation, events)] == ["released-move"]
