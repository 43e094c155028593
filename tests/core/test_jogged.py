"""An enemy's piece jogged while an own one is in hand, where kinds are not seen: taken, or brushed (4.3, 4.7.1)."""

import pytest
from shorthand import CLOCK, MIDDLEGAME, accusations, only, play, record

from controller import contract as c

JOGGED = "1000 lift f3; 2500 lift e5; 2560 place e5; "
IN_CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"


def owed(events: list[c.AnyEvent]) -> list[str]:
    return only(c.Obligation, events)[-1].moves


@pytest.mark.parametrize("after", [200, 3000])
def test_who_then_sets_his_piece_down_elsewhere_has_taken_nobody_and_touched_nobody(after: int) -> None:
    events = play(JOGGED + f"{2560 + after} place g5; 7000 press white", MIDDLEGAME, clock=CLOCK)
    assert record(events) == ["f3g5"]
    assert [said.square for said in only(c.Brush, events)] == ["e5"]
    assert not accusations(events)


SLEEVE = "4k3/8/8/2p5/1P6/3P4/8/4K3 w - - 0 1"


def test_a_sleeve_that_brushes_several_at_once_touches_none_of_them() -> None:
    """Each is a brush by its own time, also where one seems to have taken another for a moment."""
    sleeve = "1003 lift c5; 1006 lift d3; 1015 lift b4; 1034 place d3; 1062 place c5; 1088 place b4"
    events = play(f"{sleeve}; 1314 lift d3; 1700 place d4; 1900 press white", SLEEVE, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d3d4"], [])
    assert sorted(said.square for said in only(c.Brush, events)) == ["b4", "c5", "d3"]


@pytest.mark.parametrize(
    "sleeve",
    [
        "1000 lift c5; 1019 lift b4; 1036 place c5; 1050 lift e8; 1082 place b4; 1090 place e8",
        "1000 lift e8; 1002 lift c5; 1028 lift b4; 1031 place c5; 1074 place e8; 1095 place b4",
        "1000 lift c5; 1001 lift b4; 1049 place c5; 1050 lift e8; 1082 place b4; 1090 place e8",
        "1000 lift c5; 1035 lift e8; 1049 lift b4; 1083 place c5; 1084 place e8; 1109 place b4",
    ],
)
def test_a_sleeve_takes_nobody_where_a_square_closes_sooner_than_a_hand_could_take_there(sleeve: str) -> None:
    """Nor does the opponent's piece that it brushes next answer such a capture."""
    events = play(f"{sleeve}; 1539 lift d3; 1700 place d4; 1900 press white", SLEEVE, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d3d4"], [])
    told = {said.square for said in only(c.Touch, events)} - {"d3"}
    assert told <= {said.square for said in only(c.Brush, events)}, "whoever was called touched was brushed"


def test_of_those_a_sleeve_seems_to_brush_one_is_touched_who_is_off_for_longer() -> None:
    sleeve = "1003 lift c5; 1015 lift b4; 1062 place c5; 1200 place b4"
    events = play(f"{sleeve}; 2000 lift d3; 2400 place d4; 3900 press white", SLEEVE, clock=CLOCK)
    assert [(said.kind, said.squares) for said in only(c.Violation, events)] == [("touch-move", ["b4", "d3"])]


def test_a_capture_as_quick_as_a_brush_is_one_all_the_same() -> None:
    events = play("1003 lift c5; 1015 lift b4; 1062 place c5; 1100 press white", SLEEVE, clock=CLOCK)
    assert [done.uci for done in only(c.Completed, events)] == ["b4c5"]


@pytest.mark.parametrize("after", [200, 3000])
def test_who_puts_his_piece_back_owes_a_move_of_that_piece_only(after: int) -> None:
    home = f"{2560 + after} place f3; "
    events = play(JOGGED + home + "9000 time", MIDDLEGAME, clock=CLOCK)
    assert owed(events) == ["f3d4", "f3e5", "f3g1", "f3g5", "f3h4"]
    again = play(JOGGED + home + "9000 lift f3; 12000 place h4; 13000 press white", MIDDLEGAME, clock=CLOCK)
    assert record(again) == ["f3h4"]
    assert not accusations(again)


def test_off_its_square_for_longer_it_was_touched() -> None:
    events = play("1000 lift f3; 2500 lift e5; 2620 place e5; 2800 place f3; 9000 time", MIDDLEGAME, clock=CLOCK)
    assert owed(events) == ["f3e5"]


def test_the_piece_who_stays_in_hand_until_the_press_has_taken_it() -> None:
    events = play(JOGGED + "2700 press white", MIDDLEGAME, clock=CLOCK)
    assert [done.uci for done in only(c.Completed, events)] == ["f3e5"]


@pytest.mark.parametrize(
    ("back", "then", "kind"),
    [
        (2560, "3000 place f3", "no-move"),
        (2560, "3000 place d5", "illegal-move"),
        (2700, "3000 time", "illegal-move"),
    ],
)
def test_one_that_cannot_be_taken_makes_an_illegal_move_only_of_a_piece_still_in_hand(
    back: int, then: str, kind: str
) -> None:
    events = play(f"1000 lift f3; 2500 lift e8; {back} place e8; {then}; 4000 press white", MIDDLEGAME, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events) if said.completed] == [kind]


@pytest.mark.parametrize(("brushed", "back"), [("e8", 2520), ("e8", 2610), ("e1", 2520)])
def test_one_that_was_brushed_does_not_if_the_piece_in_hand_may_have_taken_another_unseen(
    brushed: str, back: int
) -> None:
    log = f"1000 lift f3; 2500 lift {brushed}; {back} place {brushed}; 4000 press white; 9000 time"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert (record(events), accusations(events)) == (["f3e5"], [])


@pytest.mark.parametrize("back", [2560, 2700])
def test_but_it_does_if_there_is_none_to_be_taken(back: int) -> None:
    events = play(
        f"1000 lift c3; 2500 lift e8; {back} place e8; 4000 press white", IN_CHECK.replace("4r3", "8"), clock=CLOCK
    )
    assert [said.kind for said in only(c.Illegal, events)] == ["illegal-move"]


def test_a_piece_set_down_before_is_not_in_hand() -> None:
    """He has not taken a second piece, and least of all a king."""
    log = "1000 lift c3; 2500 place b5; 3100 lift e8; 3160 place e8; 4000 press white; 5000 arbiter dismiss"
    events = play(log, IN_CHECK, clock=CLOCK)
    assert [made.fen.split()[0] for made in only(c.Move, events)] == ["4k3/8/8/1N6/4r3/8/8/4K3"]


@pytest.mark.parametrize("back", ["side=black", ""])
def test_the_known_hand_of_its_own_player_has_taken_nobody(back: str) -> None:
    log = f"1000 lift f3; 2500 lift e5 side=black; 4000 place e5 {back}; 5500 place g5; 7000 press white"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert record(events) == ["f3g5"]
    assert [said.kind for said in only(c.Violation, events)] == ["out-of-turn"]


def test_an_announcement_covers_what_was_lifted_in_its_time_not_what_was_seen_then() -> None:
    """A scan settles after 15 ms: the piece had left before "j'adoube", or in the last moment that it covers."""
    start, lifted = "ddef04141420ef9f", "ddef04141400ef9f"
    for log, touched in (
        (f"0 frame {start}; 1000 frame {lifted}; 1010 adjust white; 3000 frame {start}", True),
        (f"0 frame {start}; 1000 adjust white; 10999 frame {lifted}; 13000 frame {start}", False),
    ):
        events = play(log, MIDDLEGAME)
        assert bool(only(c.Touch, events)) == touched
        assert bool(only(c.Adjusted, events)) != touched


# -- where a capture showed nothing, and who was brushed looks taken ----------------------------------------------


@pytest.mark.parametrize(
    ("log", "fen", "moves"),
    [
        (  # White takes on h7; then Black brushes b7 twice, and moves it
            "1000 lift e4; 2400 lift b7; 2440 place b7; 2600 lift b7; 2690 place b7; 3900 lift b7; 4500 place b5;"
            "6000 lift g2; 6700 place g3; 8000 lift e8; 8500 place d8",
            "4k3/1p5p/8/8/4Q3/8/6P1/4K3 w - - 0 1",
            "e4h7 b7b5 g2g3 e8d8",
        ),
        (  # a sleeve over b3, to which White has just taken back, and over its neighbours
            "1065 lift e6; 2165 lift b3; 2514 lift b2; 2603 place b3; 3472 lift c6; 3484 lift b4; 3500 lift a4;"
            "3510 place c6; 3514 lift b3; 3543 place b3; 3554 place b4; 3565 place a4; 4908 lift g8; 5424 place h6;"
            "5874 lift b3; 6309 place b2; 9386 lift h6; 10204 place f7; 10517 lift c1; 10664 place c2",
            "2kr2n1/p1p5/1qn1b3/4p1pP/Pp2Pp1p/1P5P/1R1PBP2/1NQ1K1NR b - - 4 21",
            "e6b3 b2b3 g8h6 b3b2 h6f7 c1c2",
        ),
        (  # a sleeve over h2 and d6, who then take on d2 and e7; d2 is brushed, and goes on to d6
            "1325 lift h2; 1349 lift d6; 1394 place d6; 1417 place h2; 1685 lift h2; 5406 lift d6; 8398 lift d2;"
            "8488 place d2; 8758 lift d2; 8839 place d2; 10052 lift d2; 10493 place d6; 11305 lift a8; 11859 place a7;"
            "13844 lift g1; 14880 place e2; 16000 lift a4; 16700 place a3",
            "r7/4P2p/3k3P/2p5/pp6/8/3n3R/3K2N1 w - - 2 42",
            "h2d2 d6e7 d2d6 a8a7 g1e2 a4a3",
        ),
        (  # Black takes on a4, and White castles: the king is down, the rook to come
            "1000 lift b5; 1460 place b4; 1720 lift b4; 3120 place b5; 4010 lift b5; 7760 lift e1; 8320 place c1;"
            "9460 lift a1; 10090 place d1; 12000 lift h2; 12700 place h1",
            "4k3/8/8/1p6/Q7/8/7r/R3K3 b Q - 0 1",
            "b5a4 e1c1 h2h1",
        ),
    ],
)
def test_who_was_only_brushed_was_not_taken(log: str, fen: str, moves: str) -> None:
    events = play(f"{log}; 20000 time", fen)
    assert (record(events), accusations(events)) == (moves.split(), [])
