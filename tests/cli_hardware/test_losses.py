"""What is counted of one piece that is carried over the board: which readings bounced, and for how long."""

import chess

from controller.cli.hardware.losses import REST_MS, Visits
from hardware.boards import BoardReading


def visited(*changes: int, debounce_ms: int = 15) -> Visits:
    """e4 closes and opens in turn at these ms."""
    visits, bit = Visits("occupancy", debounce_ms), chess.BB_E4
    visits.take(0, BoardReading(ns=0, occupied=0))
    visits.begin()
    for number, ms in enumerate(changes):
        visits.take(ms, BoardReading(ns=ms * 1_000_000, occupied=0 if number % 2 else bit))
    visits.settle(changes[-1] + 1000)
    return visits


def test_a_contact_that_opens_and_closes_at_once_does_not_bounce() -> None:
    found = visited(100, 100 + REST_MS, 500, 900).found(2)
    assert found.bounce_ms == 0
    assert (found.count.lost, found.bounced) == (0, {})


def test_how_long_contacts_bounce_is_counted_from_the_first_change_to_the_last() -> None:
    found = visited(100, 102, 109, 400, 403, 404).found(1)
    assert found.bounce_ms == 9
    assert (found.count.lost, found.bounced) == (0, {}), "it was debounced"


def test_what_bounces_for_longer_than_readings_are_held_is_seen_more_than_once() -> None:
    found = visited(100, 120, 140, 400).found(1)
    assert found.bounce_ms == 40
    assert found.bounced == {chess.E4: 1}


def test_what_was_read_before_it_counts_bounces_for_nobody() -> None:
    visits = visited(100, 105, 110, 400)
    visits.begin()
    assert visits.found(1).bounce_ms == 0
