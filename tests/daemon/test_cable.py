"""The cable of a home-made board comes off: pins read an empty board, or lack a line; nobody touched a piece."""

import chess
import pytest
from stage import Scene, Stage
from test_without_a_sensor import disbelieved

from controller.daemon.board_input import scans_a_second
from controller.daemon.timeline import MS_NS
from hardware.boards import Fault, Recovered
from hardware.boards.dgt import DgtConfig
from hardware.boards.simulated import SimulatedConfig

LOST = {  #: what is still read
    "the cable": 0,
    "a row": chess.BB_ALL & ~chess.BB_RANK_1,
    "a column": chess.BB_ALL & ~chess.BB_FILE_E,
    "a chip that reads as pieces": chess.BB_ALL,
}
lost = pytest.mark.parametrize("lost", LOST)
timed = pytest.mark.parametrize("clock", [None, "300"])
ACCUSED = {"Illegal", "Violation"}


def begun(stage: Stage, clock: str | None) -> Scene:
    """A game in which both have made a move."""
    scene = stage(event={"clock": clock} if clock else {}, start={"by": "at-once"})
    scene.show()
    scene.run(5000)
    make(scene, "white", "e2e4")
    make(scene, "black", "e7e5")
    return scene


def make(scene: Scene, side: str, uci: str) -> None:
    scene.move(uci)
    press(scene, side)


def press(scene: Scene, side: str) -> None:
    if scene.config.event.clock:
        scene.press(side)
    scene.run(1000)


def come_off(scene: Scene, what: str, away_ms: int = 20_000) -> None:
    """For a while the board shows something else, and then the same as before."""
    before = scene.occupied
    scene.show(chess.BB_ALL if LOST[what] == chess.BB_ALL else before & LOST[what])
    scene.run(away_ms)
    assert "changed at one moment" in scene.said()["cable"]
    scene.show(before)
    scene.run(300)
    assert "cable" not in scene.said()


@lost
@timed
def test_between_two_moves(stage: Stage, lost: str, clock: str | None) -> None:
    scene = begun(stage, clock)
    events = scene.events()
    come_off(scene, lost)
    assert [event for event in scene.events()[len(events) :] if event != "Clock"] == []
    make(scene, "white", "g1f3")
    assert scene.moves() == ["e2e4", "e7e5", "g1f3"]
    assert not ACCUSED & set(scene.events())
    assert disbelieved(scene) == set()


@lost
@timed
def test_in_mid_move(stage: Stage, lost: str, clock: str | None) -> None:
    scene = begun(stage, clock)
    scene.lift("g1")
    scene.run(400)
    come_off(scene, lost)
    scene.place("f3")
    scene.run(500)
    press(scene, "white")
    make(scene, "black", "b8c6")
    assert scene.moves() == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert not ACCUSED & set(scene.events())


def test_a_move_made_meanwhile_is_taken_for_missed(stage: Stage) -> None:
    scene = begun(stage, None)
    before = scene.occupied
    scene.show(0)
    scene.run(5_000)
    scene.show(before & ~chess.BB_G1 | chess.BB_F3)
    scene.run(2_000)
    assert scene.moves() == ["e2e4", "e7e5", "g1f3"]
    assert not ACCUSED & set(scene.events())
    assert "cable" not in scene.said()


@pytest.mark.parametrize("away", ["torn", "told"])
def test_who_presses_meanwhile_may_have_moved(stage: Stage, away: str) -> None:
    """His clock stops when he pressed, though nobody knows why before the board is back."""
    scene = begun(stage, "300")
    before = scene.occupied
    if away == "torn":
        scene.show(0)
    else:
        scene.session.take(Fault(scene.at * MS_NS, "the board went away", "the cable was pulled", "plug it in again"))
    scene.run(2_000)
    scene.press("white")
    pressed = scene.at - scene.config.event.settings.debounce_ms
    scene.run(3_000)
    assert not ACCUSED & set(scene.events())
    if away == "told":
        scene.session.take(Recovered(scene.at * MS_NS))
    scene.show(before & ~chess.BB_G1 | chess.BB_F3)
    scene.run(1_000)
    assert scene.moves() == ["e2e4", "e7e5", "g1f3"]
    assert not ACCUSED & set(scene.events())
    assert scene.events().count("Completed") == 3
    (*_, told) = [ms for name, ms in scene.inputs() if name == "Press"]
    assert scene.session.ns_of(told) == pressed * MS_NS, "the wait is not on the clock"
    make(scene, "black", "b8c6")
    assert scene.moves()[-1] == "b8c6"


def test_who_pressed_without_a_move_has_pressed_without_a_move_once_that_is_seen(stage: Stage) -> None:
    scene = begun(stage, "300")
    before = scene.occupied
    scene.show(0)
    scene.run(2_000)
    scene.press("white")
    scene.show(before)
    scene.run(1_000)
    assert "Illegal" in scene.events()


def test_pieces_that_come_back_otherwise_are_waited_for(stage: Stage) -> None:
    scene = begun(stage, None)
    before = scene.occupied
    scene.show(0)
    scene.run(2_000)
    scene.show(before & ~(chess.BB_RANK_1 | chess.BB_RANK_2) | chess.BB_A3 | chess.BB_C4)
    scene.run(5_000)
    assert scene.moves() == ["e2e4", "e7e5"]
    assert "cable" in scene.said()
    scene.show(before)
    scene.run(1_000)
    make(scene, "white", "g1f3")
    assert scene.moves() == ["e2e4", "e7e5", "g1f3"]


def test_the_next_game_may_begin_on_a_board_that_was_swept_clear(stage: Stage) -> None:
    scene = begun(stage, None)
    scene.show(0)
    scene.run(1_000)
    scene.show(chess.Board().occupied)
    scene.run(1_000)
    scene.command(type="new-game", insist=True)
    scene.run(1_000)
    assert "cable" not in scene.said()
    make(scene, "white", "d2d4")
    assert scene.moves()[-1] == "d2d4"
    assert not ACCUSED & set(scene.events())


def test_castling_with_both_hands_is_no_cable(stage: Stage) -> None:
    scene = stage(game={"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}, start={"by": "at-once"})
    occupied = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").occupied
    scene.show(occupied)
    scene.run(5_000)
    scene.show(occupied & ~(chess.BB_E1 | chess.BB_H1))
    scene.run(500)
    scene.show(occupied & ~(chess.BB_E1 | chess.BB_H1) | chess.BB_G1 | chess.BB_F1)
    scene.run(1_000)
    assert scene.moves() == ["e1g1"]
    assert "cable" not in scene.said()


def test_a_demonstration_is_slow_that_runs_faster_than_life() -> None:
    board = SimulatedConfig()
    assert [scans_a_second(board, speed) for speed in (1.0, 20.0)] == [200.0, 10.0]
    assert scans_a_second(DgtConfig(), 1.0) is None


def test_a_slow_board_shows_at_one_moment_what_many_did(stage: Stage) -> None:
    scene = stage(board={"type": "simulated", "scan_hz": 5}, start={"by": "at-once"})
    scene.show()
    scene.run(5_000)
    scene.show(scene.occupied & ~chess.BB_RANK_2)
    scene.run(1_000)
    assert "cable" not in scene.said()
