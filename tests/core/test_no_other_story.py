"""What hands were seen to do is not explained by what they were not seen to do: no other story, which would have to
pass over some of it, lets anybody off or puts a move into the score."""

import pytest
from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

TOUCHED = "4k3/8/8/4n3/N4P2/8/8/4K3 w - - 0 1"
"""White touches the knight on a4, and takes on e5 with the pawn."""


def kinds(events: list[c.AnyEvent]) -> list[str]:
    """What somebody is accused of: the violations, and the illegal moves that a press completed."""
    return [e.kind for e in events if isinstance(e, c.Violation) or (isinstance(e, c.Illegal) and e.completed)]


@pytest.mark.parametrize("later", [500, 1550, 1700, 4000])
@pytest.mark.parametrize(("senses", "pieces"), [("occupancy", " "), ("colour", "ww"), ("identity", "NP")])
def test_who_was_off_his_square_when_the_taker_rose_was_exchanged_for_nobody(
    senses: c.Senses, pieces: str, later: int
) -> None:
    """He was taken off first, however long before: the touch of the knight came before both (4.3.3)."""
    knight, pawn = pieces[0], pieces[-1]
    log = f"1000 lift a4; 2500 place a4 {knight}; 4000 lift e5; {4000 + later} lift f4; {5500 + later} place e5 {pawn}"
    events = play(f"{log}; {7000 + later} press white", TOUCHED, senses=senses, clock=CLOCK)
    assert (record(events), kinds(events)) == (["f4e5"], ["touch-move"])


@pytest.mark.parametrize("wait", [50, 300, 450])
@pytest.mark.parametrize(
    ("fen", "before", "taking", "move"),
    [
        ("4k3/8/8/4n1p1/N4P2/8/8/4K3 w - - 0 1", "a4", "lift f4; 5500 lift e5; 7000 place e5", "f4e5"),
        ("4k3/8/2p5/p7/1P1N4/5p2/8/K7 w - - 0 1", "a5", "lift c6; 5500 lift d4; 7000 place c6", "d4c6"),
    ],
)
def test_a_press_releases_who_has_taken_as_time_does(fen: str, before: str, taking: str, move: str, wait: int) -> None:
    """The piece could have taken another, which was never seen to leave its square."""
    log = f"1000 lift {before}; 2500 place {before}; 4000 {taking}; {7000 + wait} press white"
    events = play(log, fen, clock=CLOCK)
    assert (record(events), kinds(events)) == ([move], ["touch-move"])


@pytest.mark.parametrize("to", ["h3", "b6", "g7"])
@pytest.mark.parametrize(("senses", "knight"), [("colour", "w"), ("identity", "N")])
def test_who_is_seen_to_stand_where_no_move_leads_was_moved_there(senses: c.Senses, knight: str, to: str) -> None:
    """The knight is set down elsewhere than on d5, from where a pawn was taken off: told at the press (7.5.1)."""
    log = f"1000 lift c3; 1500 lift d5; 3000 place {to} {knight}; 5000 press white"
    events = play(log, "4k3/pp6/8/3p4/8/2N5/PP6/4K3 w - - 0 1", senses=senses, clock=CLOCK)
    assert [(e.kind, e.uci, e.ms) for e in only(c.Illegal, events) if e.completed] == [
        ("illegal-move", f"c3{to}", 5000)
    ]


def test_a_pause_makes_no_move_of_a_piece_that_stands_elsewhere() -> None:
    """He corrects it before he presses, and takes: that is the move."""
    log = "1000 lift c3; 1500 lift d5; 3000 place b6 N; 6000 pause white; 8000 arbiter resume; 9500 lift b6"
    events = play(
        f"{log}; 11000 place d5 N; 12500 press white",
        "4k3/p7/8/3p4/8/2N5/P7/4K3 w - - 0 1",
        senses="identity",
        clock=CLOCK,
    )
    assert [e.uci for e in only(c.Move, events)] == record(events) == ["c3d5"]
    assert not kinds(events) and not only(c.Penalty, accusations(events))


@pytest.mark.parametrize("wait", [300, 1500])
@pytest.mark.parametrize("fen", ["4k1n1/8/7B/8/8/8/8/4K2R b - - 0 1", "4k1n1/8/8/8/8/8/8/4K2R b - - 0 1"])
def test_who_presses_with_a_piece_put_in_the_place_of_another_has_taken_it(fen: str, wait: int) -> None:
    """The knight cannot go to h1, and no sensor has failed, nor was a bishop taken that nobody saw leave."""
    log = f"1000 lift g8; 2500 lift h1; 4000 place h1; {4000 + wait} press black; 60000 time"
    (illegal,) = [e for e in only(c.Illegal, play(log, fen, clock=CLOCK)) if e.completed]
    assert (illegal.uci, illegal.ms) == ("g8h1", 4000 + wait)


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"])
def test_who_presses_with_his_piece_in_the_hand_hears_it_once_he_has_set_it_down(laws: c.Edition) -> None:
    log = "1000 lift e2; 1500 press white; 2500 place e4 P; 4000 lift e7; 5500 place e5 p; 7000 press black; 60000 time"
    events = play(log, laws=laws, senses="identity", clock=CLOCK)
    (said,) = [e for e in events if isinstance(e, c.Violation) or (isinstance(e, c.Illegal) and e.completed)]
    assert (said.kind, said.ms) == ("clock-misuse" if laws < "fide-2018" else "no-move", 2900)


JOGGED = "1000 lift d3; 1900 lift h7; 1960 place h7; "
"""The queen on her way jogs the pawn on h7; to take it would be mate."""
MATING = "5rk1/5ppp/8/6N1/8/3Q4/5PPP/6K1 w - - 0 1"


def test_a_piece_that_may_have_been_jogged_ends_no_game_at_once() -> None:
    events = play(JOGGED + "3460 place d7; 4960 press white", MATING, clock=CLOCK)
    assert (record(events), kinds(events), only(c.Result, events)) == (["d3d7"], [], [])


@pytest.mark.parametrize(("later", "ms"), [("2500 press white", 2500), ("9000 time", 5360)])
def test_it_was_taken_where_he_presses_or_nobody_touches_the_board_any_more(later: str, ms: int) -> None:
    events = play(JOGGED + later, MATING, clock=CLOCK)
    assert [(e.result, e.status, e.ms) for e in only(c.Result, events)] == [("1-0", "final", ms)]
    assert record(events) == ["d3h7"]
