"""What each kind of board reports of the same hands."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.contract import AnyInput, Choose, Contact, Frame, Lift, Place, Press, Senses
from hardware.simulator.games import random_game
from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.hands import play
from hardware.simulator.sight import scans, switches, touches

START = chess.Board()
CAPTURE = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
LAST = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"


def turn(fen: str, uci: str, **habits: object) -> list[Gesture]:
    return play(chess.Board(fen), [chess.Move.from_uci(uci)], Habits(**habits), seed=1)  # type: ignore[arg-type]


def seen(inputs: list[AnyInput]) -> list[tuple[str, str, str | None]]:
    return [
        (type(item).__name__, item.square, item.piece if isinstance(item, Place) else None)
        for item in inputs
        if isinstance(item, Lift | Place | Contact)
    ]


def masks(inputs: list[AnyInput]) -> list[int]:
    return [int(item.occupied, 16) for item in inputs if isinstance(item, Frame)]


@pytest.mark.parametrize(("senses", "letter"), [("occupancy", None), ("colour", "w"), ("identity", "P")])
def test_a_board_shows_what_it_can_tell_of_a_piece(senses: Senses, letter: str | None) -> None:
    inputs = list(touches(turn(CAPTURE, "e4d5"), senses))
    assert seen(inputs) == [("Lift", "d5", None), ("Lift", "e4", None), ("Place", "d5", letter)]
    assert isinstance(inputs[-1], Press)


@pytest.mark.parametrize(
    ("senses", "expected"),
    [
        ("occupancy", [("Lift", "e4", None)]),
        ("colour", [("Lift", "e4", None), ("Place", "d5", "w")]),
        ("identity", [("Lift", "e4", None), ("Place", "d5", "P")]),
    ],
)
def test_a_swapped_capture_is_no_lift_and_on_occupancy_nothing(
    senses: Senses, expected: list[tuple[str, str, str | None]]
) -> None:
    assert seen(list(touches(turn(CAPTURE, "e4d5", swap=1.0), senses))) == expected


def test_the_promotion_button_is_for_boards_that_cannot_see_the_piece() -> None:
    gestures = turn(LAST, "a7a8n")
    for senses, buttons in (("occupancy", 1), ("colour", 1), ("identity", 0)):
        assert sum(isinstance(item, Choose) for item in touches(gestures, senses)) == buttons  # type: ignore[arg-type]


def test_a_scan_is_the_board_at_its_instant() -> None:
    gestures = turn(CAPTURE, "e4e5", press=False)
    frames = [item for item in scans(gestures, chess.Board(CAPTURE), 200) if isinstance(item, Frame)]
    before, after = chess.Board(CAPTURE), chess.Board(CAPTURE)
    after.push_uci("e4e5")
    lift, place = gestures
    for frame in frames:
        air = before.occupied & ~chess.BB_E4
        expected = before.occupied if frame.ms < lift.ms else air if frame.ms < place.ms else after.occupied
        assert int(frame.occupied, 16) == expected
    assert [frame.ms for frame in frames] == list(range(0, place.ms + 2000, 200))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), bounce_ms=st.integers(0, 6))
def test_scans_begin_and_end_with_the_board_as_it_stands_whatever_the_bounce(seed: int, bounce_ms: int) -> None:
    moves = random_game(seed, 30)
    gestures = play(START, moves, HONEST, seed)
    seen_by_board = masks(list(scans(gestures, START, 5, bounce_ms=bounce_ms, seed=seed)))
    end = chess.Board()
    for move in moves:
        end.push(move)
    assert (seen_by_board[0], seen_by_board[-1]) == (START.occupied, end.occupied)


def test_contacts_chatter_no_longer_than_the_bounce() -> None:
    gestures = play(START, random_game(7, 40), HONEST, 7)
    clean = {item.ms: item.occupied for item in scans(gestures, START, 1) if isinstance(item, Frame)}
    edges = {ms for ms, _, _ in switches(gestures)}
    wrong = [
        item.ms
        for item in scans(gestures, START, 1, bounce_ms=6, seed=1)
        if isinstance(item, Frame) and item.occupied != clean[item.ms]
    ]
    assert wrong
    assert all(any(0 < ms - edge <= 6 for edge in edges) for ms in wrong)


def test_a_share_of_the_scans_is_missing_but_never_the_first() -> None:
    gestures = play(START, random_game(3, 60), HONEST, 3)
    whole = [item for item in scans(gestures, START, 200) if isinstance(item, Frame)]
    holed = [item for item in scans(gestures, START, 200, missing=0.05, seed=3) if isinstance(item, Frame)]
    assert holed[0].ms == 0
    assert {item.ms for item in holed} < {item.ms for item in whole}
    assert 0.02 < 1 - len(holed) / len(whole) < 0.08


def test_without_idle_scans_each_differs_from_the_one_before_and_holds_until_the_next() -> None:
    gestures = play(START, random_game(3, 40), HONEST, 3)
    whole = {item.ms: item.occupied for item in scans(gestures, START, 5) if isinstance(item, Frame)}
    brief = {item.ms: item.occupied for item in scans(gestures, START, 5, idle=False) if isinstance(item, Frame)}
    held = ""
    for ms, occupied in whole.items():
        assert (ms in brief) == (occupied != held)
        held = brief.get(ms, held)
        assert held == occupied


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), senses=st.sampled_from(["occupancy", "colour", "identity"]))
def test_the_session_log_never_runs_back(seed: int, senses: Senses) -> None:
    gestures = play(START, random_game(seed, 30), replace(HONEST, swap=0.3), seed)
    for inputs in (list(touches(gestures, senses)), list(scans(gestures, START, 200, missing=0.1, seed=seed))):
        times = [item.ms for item in inputs]
        assert times == sorted(times)
