"""A capture of which the board shows nothing but that a piece left its square, and what is done after it: the offence
is that of the player who committed it, and where nobody did, nobody is accused."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

TAKEN = "1000 lift a2; 1500 place a4; 3000 lift b7; 3500 place b5; 5000 lift h2; 5500 place h3; 7000 lift b5;"
"""b5 takes on a4, and nothing shows there."""

PRESSED = (
    "1000 lift a2; 1500 place a4; 2000 press white; 3000 lift b7; 3500 place b5; 4000 press black;"
    "5000 lift h2; 5500 place h3; 6000 press white; 7000 lift b5; 8000 press black;"
)
"""The same with a clock."""


def by_whom(events: list[c.AnyEvent]) -> set[tuple[str, str]]:
    return {(said.side, said.kind) for said in events if isinstance(said, c.Illegal | c.Violation)}


def test_a_piece_set_down_where_it_cannot_go_is_that_of_the_player_who_took_it_up() -> None:
    """Else black has carried his pawn to g5, and a pawn of white's off the board."""
    events = play(f"{TAKEN} 9000 lift e2; 9500 place g5")
    assert by_whom(events) == {("white", "illegal-move")}


@pytest.mark.parametrize(("laws", "kind"), [("fide-2014", "clock-misuse"), ("fide-2023", "no-move")])
def test_a_press_without_a_move_is_that_of_the_player_who_pressed(laws: c.Edition, kind: str) -> None:
    """Else black has pressed with his pawn in hand, and holds it still while white moves out of turn."""
    events = play(
        f"{PRESSED} 10000 press white; 12000 lift g1; 12500 place f3; 13000 press white", clock=CLOCK, laws=laws
    )
    assert by_whom(events) == {("white", kind)}


def test_nobody_sets_down_a_piece_that_stood_there_before_he_took_his_up() -> None:
    """The sensor of h6 fails, long before."""
    log = (
        "1000 lift e2; 1500 place e4; 2000 press white; 2300 place h6; 3000 lift d7; 3500 place d5; 4000 press black;"
        "5000 lift e4; 6000 press white; 8000 lift d5; 8500 lift d8; 9000 place d5; 10000 press black;"
        "12000 lift b1; 12500 place c3; 13000 press white"
    )
    events = play(log, clock=CLOCK)
    assert record(events) == ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]
    assert not accusations(events)
    assert only(c.Disbelieved, events)[-1].squares == ["h6"]


@pytest.mark.parametrize("by", ["pause white", "arbiter pause"])
def test_a_pause_makes_no_guess_of_it(by: str) -> None:
    """The queen takes on e5, h7 or h8; only where she is taken up from shows on which."""
    taken = "1000 lift g7; 2000 press white; 3000 lift a8; 3500 place a6; 4000 press black"
    shown = "21000 lift e5; 21500 lift c7; 22000 place c7; 23000 press white"
    board = "rnb1k1nr/2ppbpQp/1p6/4p3/2P3P1/P4P1N/1P1P3P/RNB1KB2 w q - 0 10"
    events = play(f"{taken}; 9000 {by}; 20000 arbiter resume; {shown}", board, clock=CLOCK)
    assert (record(events), accusations(events)) == (["g7e5", "a8a6", "e5c7"], [])


def test_who_is_drawn_over_squares_on_the_way_to_it_was_let_go_on_none_of_them() -> None:
    """The rook takes on a4, which is never seen empty; b4 to g4 close for as long as it passes."""
    passed = "7893 place g4; 7933 lift g4; 7963 place f4; 7983 lift f4; 8003 place e4; 8033 lift e4; 8053 place d4"
    log = f"7853 lift h4; {passed}; 8083 lift d4; 8103 place c4; 8133 lift c4; 8153 place b4; 8203 lift b4"
    events = play(f"{log}; 11443 lift e2; 11583 place e3; 20000 time", "4k3/8/8/8/P6r/8/4P3/4K3 b - - 0 1")
    assert (record(events), accusations(events)) == (["h4a4", "e2e3"], [])


@pytest.mark.parametrize("after_ms", [500, 1000, 3000])
@pytest.mark.parametrize("to", ["g5", "d4"])
def test_who_puts_back_what_he_might_have_taken_and_goes_elsewhere_has_not_taken_it(to: str, after_ms: int) -> None:
    """The contract: if the own piece then goes elsewhere, the capture is retracted."""
    fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
    at = 4000 + after_ms
    log = f"1000 lift f3; 2500 lift e5; 4000 place e5; {at} place {to}; {at + 1500} press white"
    events = play(log, fen, clock=CLOCK)
    assert record(events) == [f"f3{to}"]
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", "touch-move")]
    assert only(c.Violation, events)[0].ms <= at + 1500


@pytest.mark.parametrize("senses", ["colour", "identity"])
@pytest.mark.parametrize("pressed", [True, False])
def test_a_piece_in_whose_place_another_is_seen_was_touched(senses: c.Senses, *, pressed: bool) -> None:
    """4.3.3: the pinned bishop cannot take the knight, so a pawn has to."""
    log = f"1000 lift e2; 2500 place c4 {seen('B', senses)}; {'4000 press white' if pressed else '12000 time'}"
    events = play(log, "4r1k1/8/8/8/2n5/1P6/4B3/4K3 w - - 0 1", senses=senses, clock=CLOCK)
    assert only(c.Obligation, events)[-1].moves == ["b3c4"]


@pytest.mark.parametrize("stood_ms", [700, 1200, 2000])
@pytest.mark.parametrize("after_ms", [800, 2000])
def test_who_lays_down_what_he_took_and_takes_it_off_before_he_presses_has_taken_it(
    after_ms: int, stood_ms: int
) -> None:
    """Also where the piece that took might have gone."""
    fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
    at = 4000 + after_ms
    log = f"1000 lift f3; 2500 lift e5; 4000 place e5; {at} place g5; {at + stood_ms} lift g5"
    played = f"{log}; 9000 press white; 11000 lift g8; 11700 place f6; 12500 press black"
    events = play(played, fen, clock=CLOCK)
    assert (record(events), accusations(events)) == (["f3e5", "g8f6"], [])


def test_who_has_taken_moves_on_and_puts_back_what_he_took_has_moved_a_released_piece() -> None:
    """The bishop is seen to leave d8, so it had come there."""
    fen = "r2qkbnr/pb6/5p1p/Bpppp1p1/Pn6/N2P4/1PP1PPPP/2RQKBNR w Kkq - 6 12"
    log = "1000 lift a5; 1800 lift d8; 2800 place d8; 6200 lift d8; 7400 place c7; 9200 place d8; 12000 press white"
    events = play(log, fen, clock=CLOCK, laws="fide-2023", sensors=c.Sensors(lost=0.001, scan_ms=200))
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", "released-move")]


def test_of_two_that_it_may_have_taken_the_one_that_was_touched_before_is_owed() -> None:
    log = "900 lift f7; 1200 place f7; 2700 lift g5; 3800 press white; 5800 lift e8; 6500 place e7; 7000 press black"
    events = play(log, "4k3/5p1p/8/6N1/8/8/8/4K3 w - - 0 1", clock=CLOCK)
    assert (record(events), accusations(events)) == (["g5f7", "e8e7"], [])
