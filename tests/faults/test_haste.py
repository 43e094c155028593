"""Nobody is accused because he went on playing while nobody saw it: a little of what ``haste.py`` does for long, and
the moments at which it is hardest.
"""

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import haste
import kills
import pytest

from controller.wire import encode
from hardware.simulator.habits import Gesture

BOARDS = pytest.mark.parametrize("kind", haste.BOARDS)
FAULTS = pytest.mark.parametrize("fault", haste.FAULTS)
Span = tuple[int, int]


@pytest.fixture
def memory() -> Iterator[Path]:
    with kills.scratch() as folder:
        yield folder


@BOARDS
@FAULTS
def test_at_random_moments(memory: Path, kind: str, fault: str) -> None:
    assert haste.campaign(kind, fault, 2, 51, memory)["accusations"] == 0


@pytest.mark.parametrize(
    ("kind", "fault", "seed"),
    [
        ("dgt", "kill", 50064),  # a piece comes down just before the press, and the board's memory has not got it yet
        ("dgt", "kill", 50549),  # a queen takes and is taken in a gap that shows no difference, and her press is lost
        ("dgt", "kill", 50324),  # the opponent begins to reply before the board has answered what stood at the press
        ("dgt", "cable", 90283),  # a pawn hovers over a square when the cable comes off, which is found out later
        ("line", "kill", 50130),  # a pawn in the hand is set down and taken while the board is read in
        ("scanned", "kill", 7199),  # pieces land where others were taken unseen
    ],
)
def test_at_moments_that_once_accused(memory: Path, kind: str, fault: str, seed: int) -> None:
    assert haste.campaign(kind, fault, 1, seed, memory)["accusations"] == 0


def of(gestures: list[Gesture], ply: int) -> tuple[int, int, int]:
    """When the first piece of a move is touched, the last set down, and the clock pressed."""
    hands = [gesture for gesture in gestures if gesture.ply == ply]
    touched = [gesture.ms for gesture in hands if gesture.square >= 0]
    return min(touched), max(touched), next(gesture.ms for gesture in hands if gesture.kind == "press")


def moved_and_pressed_just_after(gestures: list[Gesture], wait_ms: int) -> Span:
    """The board is back so long before the press."""
    touched, _, pressed = of(gestures, 7)
    return touched - 100, max(touched - 99, pressed - wait_ms)


def pressed_meanwhile(gestures: list[Gesture], wait_ms: int) -> Span:
    touched, _, pressed = of(gestures, 7)
    return touched - 100, pressed + 1 + wait_ms


def two_plies(gestures: list[Gesture], wait_ms: int) -> Span:
    return of(gestures, 7)[0] - 100, max(of(gestures, 8)[1] + 1, of(gestures, 8)[2] - wait_ms)


def three_plies(gestures: list[Gesture], wait_ms: int) -> Span:
    return of(gestures, 7)[0] - 100, max(of(gestures, 9)[1] + 1, of(gestures, 9)[2] - wait_ms)


def with_a_piece_in_the_hand(gestures: list[Gesture], wait_ms: int) -> Span:
    touched, landed, _ = of(gestures, 7)
    return touched + 30, landed + 1 + wait_ms


def with_pieces_in_the_hand_at_both_ends(gestures: list[Gesture], wait_ms: int) -> Span:
    return of(gestures, 7)[0] + 30, of(gestures, 8)[0] + 30 + wait_ms // 5


@BOARDS
@FAULTS
@pytest.mark.parametrize("presses", haste.PRESSES)
@pytest.mark.parametrize(
    "when",
    [
        moved_and_pressed_just_after,
        pressed_meanwhile,
        two_plies,
        three_plies,
        with_a_piece_in_the_hand,
        with_pieces_in_the_hand_at_both_ends,
    ],
)
def test_at_the_hardest_moments(
    memory: Path, kind: str, fault: str, presses: str, when: Callable[[list[Gesture], int], Span]
) -> None:
    seed = zlib.crc32(f"{kind} {fault} {presses} {when.__name__}".encode()) % 1000
    wait_ms = (0, 60, 500)[seed % 3]
    path = memory / "game.sqlite"
    accused, _ = haste.game(kind, fault, presses, seed, path, lambda gestures: when(gestures, wait_ms), plies=12)
    assert [encode(event) for event in accused] == []
