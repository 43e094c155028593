"""When a press of the clock is told on a board that reports changes by itself: once all of it was looked at since, so
that a change whose report is slow, or was lost, is known. What it reports meanwhile waits behind the press.
"""

import chess
import pytest
from stage import Scene, Stage

from controller.daemon.board_input import STILL_MS
from controller.daemon.presses import BLIND_MS, PATIENCE_MS
from controller.daemon.timeline import MS_NS
from hardware.boards import Change, Fault, LeverPress, Look, Recovered


@pytest.fixture
def told(stage: Stage) -> Scene:
    """A game with a clock on a board that tells its pieces apart; it was looked at, and is not any more. White has
    taken up the pawn that he is about to move."""
    settings = {"release_ms": 2_000}
    scene = stage(board={"type": "dgt"}, event={"clock": "300", "settings": settings}, start={"by": "at-once"})
    for square, piece in zip(chess.SQUARES, map(chess.Board().piece_at, chess.SQUARES), strict=True):
        scene.session.take(Change(scene.at * MS_NS, square, piece.symbol() if piece else ""))
    look(scene, scene.at)
    scene.run(1000)
    scene.scans = False
    scene.asked.clear()
    change(scene, "e2", "")
    scene.run(500)
    return scene


def change(scene: Scene, square: str, piece: str) -> None:
    scene.session.take(Change(scene.at * MS_NS, chess.parse_square(square), piece))


def look(scene: Scene, began: int) -> None:
    scene.session.take(Look(began * MS_NS, scene.at * MS_NS))


def press_by(scene: Scene, by: str) -> None:
    if by == "lever":
        scene.session.take(LeverPress(scene.at * MS_NS, "white"))
    else:
        scene.say(type="press", side="white")


BY = pytest.mark.parametrize("by", ["lever", "command"])


@BY
@pytest.mark.parametrize("released", [False, True])
def test_a_press_that_completes_a_whole_move_on_a_still_board_waits_for_no_look(
    told: Scene, by: str, released: bool
) -> None:
    change(told, "e4", "P")
    told.run(2_500 if released else STILL_MS)
    press_by(told, by)
    told.run(0)
    assert len(told.pressed()) == 1
    assert told.moves() == ["e2e4"]
    assert not told.asked, "nobody asks the board what stands there"


@BY
def test_one_just_after_something_changed_waits_for_a_look(told: Scene, by: str) -> None:
    """The pawn may be on its way over that square, and what comes next has not been reported."""
    change(told, "e3", "P")
    told.run(STILL_MS - 1)
    press_by(told, by)
    told.run(0)
    assert told.asked
    told.run(50)
    assert not told.pressed()
    change(told, "e3", "")
    change(told, "e4", "P")
    look(told, told.at)
    told.run(1)
    assert len(told.pressed()) == 1
    assert told.moves() == ["e2e4"]


@BY
def test_one_with_a_piece_in_the_hand_waits_for_a_look_from_after_it(told: Scene, by: str) -> None:
    press_by(told, by)
    told.asked.clear()
    look(told, told.at - 1)
    assert told.asked, "that had begun before the press: the board is asked once more"
    change(told, "e4", "P")
    look(told, told.at)
    told.run(1)
    assert told.moves() == ["e2e4"]
    assert not {"Illegal", "Violation"} & set(told.events())


@BY
def test_one_that_completes_what_is_not_owed_waits_for_a_look(told: Scene, by: str) -> None:
    change(told, "e2", "P")
    change(told, "d2", "")
    told.run(500)
    change(told, "d4", "P")
    told.run(STILL_MS)
    press_by(told, by)
    told.run(0)
    assert told.asked
    assert not told.pressed()


@BY
@pytest.mark.parametrize("landed", [False, True])
def test_what_the_opponent_does_meanwhile_comes_after_it(told: Scene, by: str, landed: bool) -> None:
    """The pawn came down just before the press, whether that was reported yet or not; then Black replies."""
    if landed:
        change(told, "e4", "P")
    told.run(20)
    at = told.at
    press_by(told, by)
    told.run(20)
    if not landed:
        change(told, "e4", "P")
    told.run(130)
    change(told, "d7", "")
    lifted = told.at
    told.run(200)
    look(told, at)
    told.run(1)
    begun = at - told.pressed()[0]
    inputs = [(name, ms) for name, ms in told.inputs() if name != "Time"]
    assert inputs[-2:] == [("Press", at - begun), ("Lift", lifted - begun)]
    assert told.moves() == ["e2e4"]
    assert not {"Illegal", "Violation"} & set(told.events())


def test_who_plays_on_while_a_press_waits_for_long_is_heard_after_it(told: Scene) -> None:
    """Small messages of the board come through, and the large one does not that says how all of it stands."""
    change(told, "e4", "P")
    told.run(20)
    press_by(told, "lever")
    told.run(5 * PATIENCE_MS)
    assert "waits" in told.said()["press"]
    change(told, "d7", "")
    told.run(600)
    change(told, "d5", "p")
    told.run(700)
    told.session.take(LeverPress(told.at * MS_NS, "black"))
    told.run(2_000)
    change(told, "g1", "")
    told.run(500)
    look(told, told.at)
    told.run(1)
    inputs = [name for name, _ in told.inputs() if name != "Time"]
    assert inputs[-6:] == ["Place", "Press", "Lift", "Place", "Press", "Lift"]
    assert told.moves() == ["e2e4", "d7d5"]
    assert not {"Illegal", "Violation"} & set(told.events())


@pytest.mark.parametrize("first_ms", [700, 2_500, 5_000])
def test_no_sensor_is_blamed_for_what_waits_behind_a_press(told: Scene, first_ms: int) -> None:
    """Four moves, two of them captures: the squares that they leave deny a game that has not been told of them yet."""

    def move(left: str, came: str, piece: str, side: str, taken: bool = False) -> None:
        change(told, left, "")
        told.run(500)
        if taken:
            change(told, came, "")
            told.run(300)
        change(told, came, piece)
        told.run(600)
        told.session.take(LeverPress(told.at * MS_NS, side))  # type: ignore[arg-type]

    change(told, "e4", "P")
    told.run(20)
    press_by(told, "lever")
    told.run(first_ms)
    move("d7", "d5", "p", "black")
    told.run(2_000)
    move("e4", "d5", "P", "white", taken=True)
    told.run(1_500)
    move("d8", "d5", "q", "black", taken=True)
    look(told, told.at)
    told.run(5_000)
    assert told.moves() == ["e2e4", "d7d5", "e4d5", "d8d5"]
    assert not {"Illegal", "Violation"} & set(told.events())
    assert "Sensor" not in [name for name, _ in told.inputs()]
    assert not told.said()


def test_a_board_that_never_shows_itself_whole_any_more_is_one_that_nobody_sees(told: Scene) -> None:
    change(told, "e4", "P")
    told.run(20)
    press_by(told, "lever")
    told.run(PATIENCE_MS + BLIND_MS)
    assert told.inputs()[-1][0] == "Unseen"
    change(told, "d7", "")
    told.run(600)
    change(told, "d5", "p")
    look(told, told.at)
    told.run(3_000)
    assert told.moves() == ["e2e4", "d7d5"]
    assert not {"Illegal", "Violation"} & set(told.events())


def test_what_time_would_make_an_offence_is_judged_once_the_board_was_seen_to_stand_so(told: Scene) -> None:
    change(told, "d4", "P")
    told.run(2_100)
    assert told.asked
    assert "Illegal" not in told.events()
    look(told, told.at)
    told.run(1)
    assert "Illegal" in told.events()


def test_a_pawn_that_hovers_when_the_cable_comes_off_is_not_judged_by_the_silence(told: Scene) -> None:
    """The driver finds out only after two seconds; until then nothing seems to happen."""
    change(told, "d4", "P")
    told.run(2_300)
    told.session.take(Fault(told.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    told.run(500)
    told.session.take(Recovered(told.at * MS_NS))
    change(told, "d4", "")
    change(told, "e4", "P")
    look(told, told.at)
    told.run(3_000)
    assert told.moves() == ["e2e4"]
    assert "Illegal" not in told.events()


@BY
def test_one_on_a_board_that_has_just_come_back_waits_for_a_look(told: Scene, by: str) -> None:
    """What stands whole there may be an old picture."""
    change(told, "e4", "P")
    told.run(500)
    told.session.take(Fault(told.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    told.run(500)
    told.session.take(Recovered(told.at * MS_NS))
    press_by(told, by)
    told.run(10)
    assert not told.pressed()
    look(told, told.at - 11)  # it had begun before the press
    told.run(10)
    assert not told.pressed()
    look(told, told.at)
    told.run(1)
    assert told.moves() == ["e2e4"]
