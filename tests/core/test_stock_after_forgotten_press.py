"""A press that was forgotten after a capture, or made while nobody saw the board: whose the piece is, and from when on
(6 and 18 of the blitz à quatre)."""

from typing import get_args

import pytest
from two_boards import EXCHANGE, Played

from controller import contract as c

TAKEN_UNSEEN = "RNBQKBNRPPPP.PPP...................P............ppp.pppprnbqkbnr"
"""The board of :data:`EXCHANGE` once White has taken, from a1 to h8."""
TAKE_ON_B = "1000 B lift e4; 2500 B lift d5; 4000 B place d5"


@pytest.mark.parametrize("laws", get_args(c.Edition))
def test_what_was_taken_without_a_press_is_his_once_the_same_player_presses_again(laws: c.Edition) -> None:
    replied = (
        "7000 B lift h7; 8000 B place h6; 9000 B press black; 10000 B lift b2; 11000 B place b3; 12000 B press white"
    )
    played = Played(f"{TAKE_ON_B}; {replied}", b=EXCHANGE, laws=laws)
    assert [move for move in played.completed("B") if move != "h7h6"] == ["e4d5", "b2b3"]
    assert played.stock("A") == ("", "p")


@pytest.mark.parametrize("replied", ["", "7000 B lift d8; 8000 B place d5 q"], ids=["before a reply", "after it"])
def test_what_was_taken_in_a_gap_may_be_dropped_as_its_press_may_have_been_unseen_too(replied: str) -> None:
    gap = f"2000 B unseen; 5000 B seen {TAKEN_UNSEEN}"
    drop = "10000 A lift e2; 10500 A place e4 P; 11000 A press white; 12000 A place e3 p; 12500 A press black"
    log = "; ".join(filter(None, (gap, replied, drop)))
    played = Played(log, b=EXCHANGE, senses="identity")
    assert played.moves("A") == ["e2e4", "P@e3"]
    assert not played.accusations


@pytest.mark.parametrize("seen_to_take", [True, False])
def test_who_has_replied_after_a_gap_and_presses_completes_what_was_pressed_unseen(seen_to_take: bool) -> None:
    """White has taken before or in the gap, and pressed in it; Black takes back, and his press is a press."""
    taken = "1000 B lift e4; 1200 B lift d5; 1500 B place d5 P;" if seen_to_take else ""
    taken_back = "7000 B lift d8; 7500 B lift d5; 8000 B place d5 q; 8100 B press black"
    played = Played(f"{taken} 2000 B unseen; 5000 B seen {TAKEN_UNSEEN}; {taken_back}", b=EXCHANGE, senses="identity")
    assert played.completed("B") == ["e4d5", "d8d5"]
    assert played.stock("A") == ("P", "p")
    assert not played.accusations


def test_a_gap_before_he_moves_completes_no_move_that_was_seen() -> None:
    """Black takes back before White has pressed: only White's press makes his capture the partner's."""
    seen = "RNBQKBNRPPPP.PPP............P......p............ppp.pppprnbqkbnr"
    take = "6000 B lift e4; 6200 B lift d5; 6500 B place d5 P"
    take_back = "7000 B lift d8; 7500 B lift d5; 8000 B place d5 q; 8100 B press black"
    played = Played(f"2000 B unseen; 5000 B seen {seen}; {take}; {take_back}", b=EXCHANGE, senses="identity")
    assert played.completed("B") == []
    assert played.stock("A") == ("", "")
