"""A draw of the whole match is offered and accepted by both players of a team (15 of the blitz à quatre)."""

from typing import get_args

import pytest
from two_boards import Played

from controller import contract as c

OF_OLD = "fide-2014"
"""By it a draw may be agreed before anybody has moved, so nothing but the agreement is tried."""
OFFER = "1000 A draw white offer; 2500 B draw black offer"
BOTH_OFFER = "1000 A draw white offer; 1500 B draw black offer"
ACCEPT = "9000 A draw black accept; 9500 B draw white accept"


def test_15_a_draw_is_offered_and_accepted_by_both_players_of_a_team() -> None:
    played = Played(f"{OFFER}; 4000 A draw black accept; 5500 B draw white accept", laws=OF_OLD)
    assert played.outcome == ("draw", "agreement")
    assert played.result("A") == played.result("B") == ("1/2-1/2", "agreement")


@pytest.mark.parametrize(
    "log",
    [
        f"{OFFER}; 4000 A draw black offer; 5500 B draw white offer",
        "1000 A draw white offer; 1500 A draw black accept; 4000 B draw black offer; 4500 B draw white accept",
        "1000 A draw white offer; 2500 B draw white offer; 4000 A draw black accept; 5500 B draw black accept",
    ],
    ids=["each team offers it to the other", "board by board", "one of each team offers it"],
)
def test_15_all_four_have_to_want_it_by_whichever_word(log: str) -> None:
    assert Played(log, laws=OF_OLD).outcome == ("draw", "agreement")


@pytest.mark.parametrize("laws", get_args(c.Edition))
def test_15_from_2018_all_four_must_have_moved_as_two_must_in_a_game(laws: c.Edition) -> None:
    moved = "100 A lift e2; 200 A place e4; 300 A press white; 400 A lift e7; 500 A place e5; 600 A press black"
    agreed = "4000 A draw black accept; 5500 B draw white accept"
    played = Played(f"{moved}; {OFFER}; {agreed}", laws=laws)
    assert played.outcome == (("draw", "agreement") if laws < "fide-2018" else None)


@pytest.mark.parametrize(
    "log",
    [
        "1000 A draw white offer; 4000 A draw black accept; 5500 B draw white accept",
        "1000 A draw black accept; 2500 B draw white accept; 4000 A draw white offer; 5500 B draw black offer",
        "1000 A draw white offer; 1500 A draw black accept; 2000 A lift e2; 3000 A place e4; 3500 A press white;"
        "4000 B draw black offer; 4500 B draw white accept",
        f"{OFFER}; 4000 A draw black accept",
        f"{OFFER}; 4000 A draw black accept; 5000 B draw white decline; 6000 B draw white accept",
        f"{OFFER}; 4000 A draw black accept; 5000 B lift e2; 6000 B place e4; 7500 B draw white accept",
    ],
    ids=[
        "offered by one",
        "accepted before it was offered",
        "accepted from one who then plays on",
        "accepted by one",
        "declined by one",
        "one moves on",
    ],
)
def test_15_less_is_no_draw(log: str) -> None:
    played = Played(log, laws=OF_OLD)
    assert played.outcome is None
    assert played.result("A") is played.result("B") is None


@pytest.mark.parametrize(
    "log",
    [
        f"{BOTH_OFFER}; 2000 B lift e2; 2500 B place e2; {ACCEPT}",
        "100 A draw white offer; 200 A lift e2; 300 A place e4; 400 A press white; 1000 A lift e7; 1500 A place e5;"
        f"2000 A press black; 3000 B draw black offer; {ACCEPT}",
    ],
    ids=["one of the others touches a piece", "one had offered before the last move, and the other only now"],
)
def test_15_an_offer_stands_until_somebody_plays_on(log: str) -> None:
    assert Played(log, laws=OF_OLD).outcome is None


@pytest.mark.parametrize(
    "log",
    [
        f"100 A lift e2; 200 A place e4; {BOTH_OFFER}; 2000 A press white; {ACCEPT}",
        f"{BOTH_OFFER}; 2000 A draw black accept; 3000 A lift e2; 4000 A place e4; 5000 A press white; {ACCEPT}",
    ],
    ids=["before it is answered", "while his opponent has accepted"],
)
def test_15_who_offers_may_play_on(log: str) -> None:
    assert Played(log, laws=OF_OLD).outcome == ("draw", "agreement")
