"""Presses of a clock whose contacts chatter: what no hands have done is no press, and accuses nobody."""

import pytest
from stage import Scene, Stage

from controller.daemon.presses import CALM_MS, CHATTER_MS, MOST_A_SECOND
from controller.daemon.timeline import MS_NS
from hardware.boards import LeverPress


@pytest.fixture
def played(stage: Stage) -> Scene:
    """White has moved, and not pressed."""
    scene = stage(event={"clock": "300", "laws": "fide-2023"}, start={"by": "at-once"})
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.run(600)
    return scene


def reported(scene: Scene, *presses: tuple[int, str]) -> None:
    """Each so many ms after the one before it."""
    for later, side in presses:
        scene.at += later
        scene.session.take(LeverPress(scene.at * MS_NS, side))
    scene.run(1_000)


def test_a_lever_that_chatters_is_pressed_once(played: Scene) -> None:
    reported(played, (0, "white"), (3, "black"), (3, "white"), (3, "black"))
    assert played.moves() == ["e2e4"]
    assert "Illegal" not in played.events()
    assert "pressed as no hands can" in played.said()["buttons"]
    played.run(CALM_MS)
    assert "buttons" not in played.said()


def test_the_opponent_may_press_as_soon_as_a_hand_can(played: Scene) -> None:
    reported(played, (0, "white"), (CHATTER_MS, "black"))
    assert "Illegal" in played.events(), "a press without a move"
    assert "buttons" not in played.said()


def test_presses_without_end_are_no_presses(played: Scene) -> None:
    reported(played, *[(2, "white")] * 200, *[(CHATTER_MS, "black"), (CHATTER_MS, "white")] * 20)
    assert len(played.pressed()) <= 2 * MOST_A_SECOND + 1
    assert "buttons" in played.said()
