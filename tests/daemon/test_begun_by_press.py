"""A game that begins with the press which starts White's clock: he may touch a piece before the press is heard of."""

import chess
import pytest
from stage import Scene, Stage

from controller.daemon.timeline import MS_NS
from hardware.boards import BoardReading, Change, LeverPress, Look

CLOCK = {"event": {"clock": "300"}, "start": {"by": "press"}}


def ready_to_be_told(stage: Stage) -> Scene:
    """The pieces have stood ready for long, on a board that tells them apart."""
    scene = stage(board={"type": "dgt"}, **CLOCK)
    scene.scans = False
    for square, piece in zip(chess.SQUARES, map(chess.Board().piece_at, chess.SQUARES), strict=True):
        change(scene, chess.square_name(square), piece.symbol() if piece else "")
    look(scene)
    scene.run(5000)
    return scene


def told_move(scene: Scene, uci: str) -> None:
    """White sets his piece down and presses, on a board that reports by itself and is looked at."""
    change(scene, uci[2:], "P")
    look(scene)
    scene.run(1000)
    scene.session.take(LeverPress(scene.at * MS_NS, "white"))
    scene.run(300)
    look(scene)
    scene.run(500)


def change(scene: Scene, square: str, piece: str) -> None:
    scene.session.take(Change(scene.at * MS_NS, chess.parse_square(square), piece))


def look(scene: Scene) -> None:
    scene.session.take(Look(scene.at * MS_NS, scene.at * MS_NS))


@pytest.mark.parametrize("after_ms", [0, 100, 300])
def test_on_a_board_that_is_slow_to_answer_white_is_quick(stage: Stage, after_ms: int) -> None:
    scene = ready_to_be_told(stage)
    scene.session.take(LeverPress(scene.at * MS_NS, "black"))
    scene.run(after_ms)
    pressed = scene.at - after_ms
    change(scene, "e2", "")
    scene.run(350)
    look(scene)
    told_move(scene, "e2e4")
    assert len(scene.games()) == 1
    assert scene.moves() == ["e2e4"]
    assert scene.inputs()[0][1] == 0
    assert scene.pressed() == [scene.at - pressed - 800]
    assert "Sensor" not in dict(scene.inputs())
    assert not scene.said()


def test_a_board_that_tells_of_the_press_after_the_touch_begins_the_game_with_it(stage: Stage) -> None:
    scene = ready_to_be_told(stage)
    change(scene, "e2", "")
    scene.run(100)
    scene.session.take(LeverPress(scene.at * MS_NS, "black"))
    scene.run(250)
    look(scene)
    told_move(scene, "e2e4")
    assert scene.moves() == ["e2e4"]
    assert not scene.said()


@pytest.mark.parametrize("after_ms", [20, 100])
def test_on_a_board_that_reports_and_sees_no_kinds_no_sensor_is_suspected(stage: Stage, after_ms: int) -> None:
    scene = stage(board={"type": "line", "port": "/dev/null"}, **CLOCK)
    scene.scans = False
    scene.show()
    look(scene)
    scene.run(5000)
    scene.session.take(LeverPress(scene.at * MS_NS, "black"))
    scene.run(after_ms)
    scene.lift("e2")
    scene.run(350)
    look(scene)
    scene.place("e4")
    scene.run(1000)
    scene.session.take(LeverPress(scene.at * MS_NS, "white"))
    scene.run(300)
    look(scene)
    scene.run(500)
    assert scene.moves() == ["e2e4"]
    assert "Sensor" not in dict(scene.inputs())
    assert not scene.said()


@pytest.mark.parametrize("after_ms", [20, 150])
def test_on_a_board_that_is_scanned_slowly_white_is_quick(stage: Stage, after_ms: int) -> None:
    scene = stage(board={"type": "simulated", "scan_hz": 5}, **CLOCK)
    scene.show()
    scene.run(5000)
    scene.session.take(LeverPress(scene.at * MS_NS, "black"))
    began = scene.at
    scene.run(after_ms)
    scene.occupied &= ~chess.BB_E2
    scene.at += 30
    scene.session.take(BoardReading(scene.at * MS_NS, scene.occupied, began_ns=(began + 1) * MS_NS))
    scene.run(1000)
    scene.place("e4")
    scene.run(1000)
    scene.press("white")
    scene.run(500)
    assert len(scene.games()) == 1
    assert scene.moves() == ["e2e4"]
    assert "Displaced" not in scene.events()
    assert not scene.said()


def test_who_touches_a_piece_before_the_press_begins_no_game(stage: Stage) -> None:
    scene = stage(**CLOCK)
    scene.show()
    scene.run(5000)
    scene.lift("e2")
    scene.run(500)
    scene.press("black")
    scene.run(500)
    assert scene.games() == []
    assert scene.said() == {"start": "the start position is not on the board: e2"}
