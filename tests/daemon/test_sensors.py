"""What the table says of the sensors: which flicker, which stick, and where the board does not match the game."""

import chess
from stage import START, Stage


def test_a_flickering_sensor_is_named_and_stops_nobody(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    for _ in range(30):
        scene.show(scene.occupied ^ 1 << chess.D5)
        scene.run(5)
    scene.show(START)
    assert scene.said()["sensor"].endswith("d5")
    scene.move("e2e4")
    assert scene.moves() == ["e2e4"]
    scene.run(10_000)
    scene.show()
    assert "sensor" not in scene.said()


def test_a_sensor_that_flickers_slowly_is_named_too(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    for _ in range(18):
        scene.show(scene.occupied ^ 1 << chess.D5)
        scene.run(500)
    assert scene.said()["sensor"].endswith("flickers: d5")


def test_hands_however_quick_are_no_flicker(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    for _ in range(3):  # put straight again and again, each contact with its bounce
        for edge in (scene.lift, scene.place):
            for again in (edge, scene.place if edge == scene.lift else scene.lift, edge):
                again("e2")
                scene.run(2)
            scene.run(250)
    assert "sensor" not in scene.said()


def test_a_sensor_that_sticks_is_named_within_ten_seconds(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.lift("d7")  # nobody touched it
    scene.run(5_000)
    assert "sensor" not in scene.said(), "a player may think with a man in his hand"
    scene.run(5_000)
    assert scene.said()["sensor"].endswith("d7")
    scene.place("d7")
    scene.run(1000)
    scene.show()
    assert not scene.said()


def test_a_sensor_that_sticks_is_named_as_the_game_calls_it_on_a_board_turned_round(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("d7d5")  # e2e4 and g8f6, as they look from the other side
    scene.move("b1c3")
    assert scene.moves() == ["e2e4", "g8f6"]
    scene.run(20_000)
    assert not scene.said()
    scene.lift("a7")
    scene.run(10_000)
    assert scene.said()["sensor"].endswith("h2")


def test_a_displaced_man_is_a_notice_until_it_is_back(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.lift("a2")
    scene.run(100)
    scene.place("a3")
    scene.run(2000)
    assert {"a2", "a3"} <= set(scene.said()["position"].split())
    scene.lift("a3")
    scene.run(100)
    scene.place("a2")
    scene.run(2000)
    assert "position" not in scene.said()


def test_by_a_score_that_stands_no_sensor_is_judged(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    on = "a1a3 a8a6 d2d3 d7d6 h2h3 h7h6 b2b4 b7b5 g2g3 g7g6 f2f4 f7f5"
    for uci in on.split():
        scene.move(uci)
        scene.run(2000)
    assert "score" in scene.said()
    scene.run(60_000)
    assert "sensor" not in scene.said()
    assert "Sensor" not in {kind for kind, _ in scene.inputs()}
    for uci in reversed(on.split()):
        scene.move(uci[2:] + uci[:2])
    assert "score" not in scene.said()
    scene.move("e2e4")
    assert scene.moves() == ["e2e4"]
