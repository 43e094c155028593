"""What the table says of the sensors: which flicker, which stick, and where the board does not match the game."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stage import START, Scene, Stage

from controller.daemon.suspects import Restless
from controller.daemon.timeline import MS_NS
from controller.shown import START as PIECES
from hardware.boards import Change, Fault, Recovered


def flickering(scene: Scene, changes: int) -> Scene:
    """The game has begun, and the sensor of d5 changes so often within a moment."""
    scene.show()
    scene.run(1000)
    for _ in range(changes):
        scene.show(scene.occupied ^ 1 << chess.D5)
        scene.run(5)
    return scene


def test_a_flickering_sensor_is_named_and_stops_nobody(stage: Stage) -> None:
    scene = flickering(stage(), 30)
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
    assert "sensor" not in scene.said(), "a player may think with a piece in his hand"
    scene.run(5_000)
    assert scene.said()["sensor"].endswith("d7")
    scene.place("d7")
    scene.run(1000)
    scene.show()
    assert not scene.said()


@pytest.mark.parametrize("back", [True, False])
def test_of_a_board_that_is_away_no_sensor_is_all_right_again(
    stage: Stage, caplog: pytest.LogCaptureFixture, back: bool
) -> None:
    """It is said once the board has shown it."""
    caplog.set_level("INFO")
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    gone = chess.BB_A7 | chess.BB_B7 | chess.BB_C7 | chess.BB_D7  # more than one believes to have failed
    for two in (chess.BB_A7 | chess.BB_B7, chess.BB_C7 | chess.BB_D7):  # all at once would have been knocked over
        scene.show(scene.occupied & ~two)
        scene.run(1_000)
    scene.run(10_000)
    assert "for long: c7 d7; the game goes on without" in scene.said()["sensor"]
    scene.session.take(Fault(scene.at * MS_NS, "no such port", "it is unplugged", "plug it in"))
    scene.run(60_000)
    scene.session.wake(scene.at * MS_NS)
    assert "for long: c7 d7; the game goes on without" in scene.said()["sensor"]
    scene.session.take(Recovered(scene.at * MS_NS))
    scene.show(scene.occupied | (gone if back else 0))
    scene.run(2_000)
    scene.session.wake(scene.at * MS_NS)
    assert ("sensor" in scene.said()) is not back
    assert ("sensor: all right again" in caplog.text) is back


def test_nor_is_one_that_flickered(stage: Stage) -> None:
    scene = flickering(stage(), 31)
    scene.session.take(Fault(scene.at * MS_NS, "no such port", "it is unplugged", "plug it in"))
    scene.run(60_000)
    scene.session.wake(scene.at * MS_NS)
    assert scene.said()["sensor"].endswith("flickers: d5")


@pytest.fixture
def kinds(stage: Stage) -> Scene:
    """A game on a board that sees kinds."""
    scene = stage(board={"type": "dgt", "port": "nowhere"})
    show(scene, **{chess.square_name(square): piece for square, piece in enumerate(PIECES)})
    scene.look(None)
    scene.run(1000)
    return scene


def show(scene: Scene, **pieces: str) -> None:
    """These squares change, one after the other."""
    for square, piece in pieces.items():
        scene.session.take(Change(scene.at * MS_NS, chess.parse_square(square), piece))


def test_a_piece_held_for_long_is_in_hand_on_a_board_that_sees_kinds(kinds: Scene) -> None:
    show(kinds, g1="")
    kinds.run(60_000)
    assert "sensor" not in kinds.said()
    show(kinds, f3="N")
    kinds.run(1000)
    assert kinds.moves() == ["g1f3"]
    assert "Sensor" not in {kind for kind, _ in kinds.inputs()}, "the touch counts, however long it took"


def test_a_piece_and_the_one_it_takes_are_in_hand_likewise(kinds: Scene) -> None:
    for square, to, piece in (("e2", "e4", "P"), ("d7", "d5", "p")):
        show(kinds, **{square: "", to: piece})
        kinds.run(1000)
    show(kinds, d5="", e4="")
    kinds.run(60_000)
    assert "sensor" not in kinds.said()
    show(kinds, d5="P")
    kinds.run(1000)
    assert kinds.moves() == ["e2e4", "d7d5", "e4d5"]


def test_a_piece_that_is_not_seen_once_another_has_moved_is_no_piece_in_hand(kinds: Scene) -> None:
    show(kinds, a2="")
    kinds.run(4_000)
    show(kinds, e2="", e4="P")
    kinds.run(3_000)
    assert "sensor" not in kinds.said()
    kinds.run(6_000)
    assert kinds.said()["sensor"].endswith("a2")


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


def test_a_displaced_piece_is_a_notice_until_it_is_back(stage: Stage) -> None:
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


def test_what_two_troubles_have_in_common_is_said_once(stage: Stage) -> None:
    """A sensor that denies the game, and one without which it goes on, have one cause and one remedy."""
    scene = stage()
    watch = scene.session._boards[None].watch
    watch._say(scene.at, [chess.D7], [chess.E4])
    (notice,) = (notice for notice in scene.notices.current if notice.source == "sensor")
    assert "d7; the game goes on without" in notice.what and notice.what.endswith("e4")
    assert notice.cause.count("a sensor that sticks") == 1
    assert notice.next_step.count("look whether") == 1


@given(
    st.lists(st.tuples(st.integers(0, 900), st.sampled_from([chess.A1, chess.E4])), max_size=30), st.integers(0, 1500)
)
def test_a_square_is_restless_that_has_changed_so_often_within_the_window(
    changes: list[tuple[int, chess.Square]], later: int
) -> None:
    restless = Restless(limit=3, window_ms=500)
    for ms, square in sorted(changes):
        restless.add(ms, chess.BB_SQUARES[square])
    now = max([later, *[ms for ms, _ in changes]])
    lately = [square for ms, square in changes if ms >= now - 500]
    assert restless.squares(now) == {square for square in lately if lately.count(square) >= 3}
