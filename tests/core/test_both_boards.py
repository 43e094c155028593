"""What the boards of a match do to each other, and when: pieces that come and go back, the end of all.

Each case was once judged wrongly. Numbers in brackets are the articles of the blitz à quatre.
"""

import pytest
from two_boards import EXCHANGE, START, STOCKED, Played

from controller import contract as c

# -- each thing at its time --------------------------------------------------------------------------------------------


def test_a_stock_is_said_to_have_changed_when_the_drop_was_made_not_at_the_next_input() -> None:
    played = Played("1000 A choose white n; 2500 A place e6; 9000 A press white", a=STOCKED)
    (move,) = played.all(c.Move, "A")
    assert move.ms == 2900
    assert [(e.ms, e.white, e.black) for e in played.all(c.Stock, "A")] == [(0, "NP", "p"), (2900, "P", "p")]


def test_a_match_ends_when_the_second_game_ends_not_at_the_next_input() -> None:
    mate = "6rk/6pp/7N/8/8/8/8/K7[] w - - 0 1"
    played = Played("1000 A lift h6; 2500 A place f7; 3000 B lift h6; 3500 B place f7; 9000 B time", a=mate, b=mate)
    assert [e.ms for e in played.all(c.Match)] == [3900]


def test_without_a_clock_a_piece_comes_when_his_taker_is_released_and_what_stands_there_counts_from_then() -> None:
    log = (
        "500 A lift e2; 1000 A place e4; 1500 A choose black p; 1600 A place e5;"
        "2000 B lift e4; 2500 B lift d5; 3000 B place d5; 9000 B time"
    )
    played = Played(log, b=EXCHANGE, clock=None)
    assert [(e.ms, e.black) for e in played.all(c.Stock, "A")] == [(3400, "p"), (3800, "")]
    assert [(e.uci, e.ms) for e in played.all(c.Move, "A")][-1] == ("P@e5", 3800)


# -- pieces that come and go back (6, 16, 18)
# -----------------------------------------------------------------------------

TAKE_ON_B = "1000 B lift e4; 2500 B lift d5; 4000 B place d5"
PAWN_E4 = "5500 A lift e2; 7000 A place e4; 8500 A press white"


def test_a_piece_taken_back_from_the_partner_s_opponent_after_he_was_dropped_is_in_no_stock() -> None:
    drop = "9000 A choose black p; 10000 A place e5; 11000 A press black"
    undone = "12000 B arbiter undo; 13000 A arbiter undo"
    played = Played(f"{TAKE_ON_B}; 5000 B press white; {PAWN_E4}; {drop}; {undone}", b=EXCHANGE)
    assert played.moves("A") == ["e2e4"]
    assert played.moves("B") == []
    assert played.stock("A") == ("", ""), "he stands on d5 again"


def test_a_piece_dropped_before_he_came_is_in_no_stock_once_he_comes() -> None:
    early = "10000 A place e5; 13000 A press black; 14000 A lift d2; 15000 A place d4; 16000 A press white"
    played = Played(f"{TAKE_ON_B}; {PAWN_E4}; {early}; 17000 B press white", b=EXCHANGE)
    assert "d2d4" in played.moves("A"), "the claim has lapsed, and the pawn stands on e5"
    assert played.completed("B") == ["e4d5"]
    assert played.stock("A") == ("", "")


ILLEGAL_CAPTURE = "1000 B lift e4; 1500 B lift d8; 2000 B place d8; 2500 B press white"
REPLY = "5000 B lift h7; 5500 B place h6; 6500 B press black"


@pytest.mark.parametrize(
    ("then", "stock"),
    [
        ("5000 B time", ""),
        (REPLY, "q"),
        ("5000 B claim black illegal-move; 6000 B arbiter dismiss", "q"),
        ("5000 B claim black illegal-move; 6000 B arbiter dismiss; 7000 B arbiter undo", ""),
    ],
    ids=["it may still be claimed", "the opponent has moved", "the arbiter dismissed the claim", "and took that back"],
)
def test_what_an_illegal_move_took_goes_to_the_partner_once_it_stands(then: str, stock: str) -> None:
    played = Played(f"{ILLEGAL_CAPTURE}; {then}", b=EXCHANGE)
    assert [e.completed for e in played.all(c.Illegal, "B")] == [True]
    assert played.stock("A") == ("", stock)


def test_what_it_took_may_be_dropped() -> None:
    drop = "7000 A lift e2; 7500 A place e4; 8000 A press white; 9000 A place e5; 9900 A press black"
    played = Played(f"{ILLEGAL_CAPTURE}; {REPLY}; {drop}", b=EXCHANGE)
    assert played.completed("A") == ["e2e4", "Q@e5"]
    assert not played.all(c.Illegal, "A")


def test_a_king_who_was_taken_against_the_rules_lies_in_no_stock() -> None:
    taken = "1000 B lift d1; 1500 B lift e8; 2000 B place e8; 2500 B press white"
    played = Played(f"{taken}; {REPLY.replace('h7', 'a7').replace('h6', 'a6')}", b=EXCHANGE)
    assert played.all(c.Move, "B")[0].uci == "d1e8"
    assert played.stock("A") == ("", "")


def test_a_ruling_taken_back_leaves_what_has_come_since() -> None:
    illegal = "100 A lift e2; 200 A place e5; 300 A press white; 400 A claim black illegal-move; 500 A arbiter dismiss"
    played = Played(f"{illegal}; {TAKE_ON_B}; 5000 B press white; 6000 A arbiter undo", b=EXCHANGE)
    assert played.stock("A") == ("", "p")
    assert "[p]" in played.match.games["A"].state.position.fen()


def test_a_move_taken_back_shows_the_stock_of_now() -> None:
    breach = "100 A lift e2; 300 A place e2; 400 A lift d2; 600 A place d3"
    back = "6000 A lift d3; 7000 A place d2; 8000 A lift e2; 9000 A place e4; 10000 A press white"
    played = Played(f"{breach}; {TAKE_ON_B}; 5000 B press white; {back}", b=EXCHANGE)
    (retracted,) = played.all(c.Retract, "A")
    assert retracted.fen == START.replace("[]", "[p]")


def test_a_mislaid_piece_is_there_again_once_the_report_is_taken_back() -> None:
    log = (
        "1000 A arbiter report side=white kind=mislaid-stock piece=n; 2000 A arbiter undo; 2500 A arbiter resume;"
        "3000 A choose white n; 4000 A place e6; 5000 A press white"
    )
    played = Played(log, a=STOCKED)
    assert [(e.white, e.black) for e in played.all(c.Stock, "A")] == [("NP", "p"), ("P", "p"), ("NP", "p"), ("P", "p")]
    assert played.completed("A") == ["N@e6"]


# -- a piece dropped stays where it stands (17)
# --------------------------------------------------------------------------


def test_a_piece_released_without_his_name_may_not_be_moved_on() -> None:
    played = Played("1000 A place e6; 4000 A lift e6; 5500 A place d5; 7000 A press white", a=STOCKED)
    assert [(e.kind, e.side) for e in played.all(c.Violation)] == [("released-move", "white")]
    assert [move[2:] for move in played.moves("A")] == ["e6"]


@pytest.mark.parametrize("clock", ["180", None])
def test_a_piece_released_without_his_name_may_be_taken_before_the_press(clock: str | None) -> None:
    played = Played("1000 A place e6; 2500 A lift e6; 3000 A lift d7; 4000 A place e6", a=STOCKED, clock=clock)
    assert [move[2:] for move in played.moves("A")] == ["e6", "e6"]
    assert not played.accusations
    assert played.owed("A") == ["d7e6"], "Black has touched both, and White owes nothing"


def test_a_piece_taken_in_a_flash_and_then_pressed_was_dropped() -> None:
    log = "1000 A place e6 N; 1061 A lift e6; 1120 A press white; 1300 A lift d7; 1600 A place e6 p; 1700 A press black"
    played = Played(log, a=STOCKED, senses="identity")
    assert played.completed("A") == ["N@e6", "d7e6"]
    assert not played.accusations


def test_a_drop_undone_by_the_arbiter_binds_nobody_when_the_piece_is_taken_off() -> None:
    undone = "1000 A choose white n; 2500 A place e6; 4000 A press white; 5000 A arbiter undo"
    played = Played(f"{undone}; 6000 A lift e6; 7000 A lift d2; 8000 A place d3; 9000 A press white", a=STOCKED)
    assert played.moves("A") == ["d2d3"]
    assert not played.accusations


# -- the end (12) ------------------------------------------------------------------------------------------------------


def test_12_once_the_match_is_over_no_ruling_on_a_game_is_taken_back() -> None:
    played = Played("1000 A arbiter result result=1-0; 2000 B arbiter neutralise; 3000 A arbiter undo")
    assert played.outcome == ("team-1", "arbiter")
    assert played.events[-1] == played.all(c.Match)[0], "nothing is said after it"


@pytest.mark.parametrize(
    ("ruled", "outcome"),
    [
        ("1000 B arbiter result result=1-0; 2000 A pause white", ("team-2", "arbiter")),
        ("1000 B arbiter result result=1/2-1/2; 2000 A arbiter neutralise", ("draw", "arbiter")),
        ("1000 B arbiter result result=1-0; 2000 A arbiter result result=1-0", ("draw", "both-boards")),
        ("1000 B resign black; 2000 A arbiter neutralise", ("team-2", "board-b")),
    ],
)
def test_12_a_match_that_the_arbiter_decided_says_so(ruled: str, outcome: tuple[str, str]) -> None:
    """By the result of a board; that he stops the other one decides nothing."""
    assert Played(ruled).outcome == outcome


OPENED = [("P", "e2", "e4"), ("p", "e7", "e5"), ("N", "g1", "f3"), ("n", "b8", "c6"), ("B", "f1", "c4")]
"""What is played on board B, a move every 3 s, and put back from 20 s on."""


def _played_and_put_back(moves: list[tuple[str, str, str]], senses: c.Senses = "occupancy") -> str:
    log = []
    for i, (piece, origin, target) in enumerate(moves):
        ms, seen = 1000 + 3000 * i, piece if senses == "identity" else ""
        log += [f"{ms} B lift {origin}", f"{ms + 700} B place {target} {seen}"]
        log += [f"{ms + 1500} B press {'black' if i % 2 else 'white'}"]
        log += [f"{20000 - i} B lift {target}", f"{21000 + i} B place {origin} {seen}"]
    return "; ".join(sorted(log, key=lambda part: int(part.split()[0])))


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_12_once_a_game_has_ended_who_sets_up_the_other_board_for_another_plays_no_more(senses: c.Senses) -> None:
    log = f"100 A resign black; {_played_and_put_back(OPENED, senses)}; 40000 B time"
    played = Played(log, senses=senses)
    assert played.outcome == ("team-1", "board-a")
    assert played.result("B") is None


@pytest.mark.parametrize(
    "log",
    [
        _played_and_put_back(OPENED),
        f"100 A resign black; {_played_and_put_back(OPENED[:2])}",
        "100 A resign black; 9000 B time",
    ],
    ids=["no game has ended", "a move and its reply are taken back", "nobody has moved there yet"],
)
def test_12_else_pieces_who_stand_at_the_start_say_nothing(log: str) -> None:
    assert Played(f"{log}; 40000 B time").outcome is None


# -- what one board shows of the other ---------------------------------------------------------------------------------

#: White's pawn may take a knight or a bishop.
EITHER = "4k3/8/8/3n1b2/4P3/8/8/4K3[] w - - 0 1"
UNSEEN = "1000 A lift e4; 2500 A press white"


@pytest.mark.parametrize(("piece", "taken"), [("n", "e4d5"), ("b", "e4f5")])
def test_who_is_dropped_on_one_board_tells_what_was_taken_unseen_on_the_other(piece: str, taken: str) -> None:
    drop = f"3000 B lift e2; 3500 B place e4; 4000 B press white; 5000 B choose black {piece}; 6000 B place e6"
    played = Played(f"{UNSEEN}; {drop}; 7000 B press black; 9000 B time", a=EITHER)
    assert played.moves("A") == [taken]
    assert played.moves("B") == ["e2e4", f"{piece.upper()}@e6"]
    assert not played.accusations


def test_until_then_both_are_possible() -> None:
    played = Played(f"{UNSEEN}; 9000 A time", a=EITHER)
    assert [said.moves for said in played.all(c.Ambiguous)] == [["e4d5", "e4f5"]]
