"""When a press of the clock is told: once the board has been scanned since, so that a piece set down before is known.
And when a command is: after all that came before it.
"""

import asyncio
import time
from collections.abc import Callable

import chess
import pytest
from hall import moves_of, running, until
from stage import Scene, Stage

from controller.config import Config
from controller.daemon.presses import PATIENCE_MS
from controller.daemon.timeline import MS_NS
from controller.errors import LogError
from hardware.boards import BoardReading, Fault, LeverPress, Look, Recovered
from hardware.boards.simulated import SimulatedBoard
from hardware.clocks.simulated import SimulatedLever


@pytest.fixture
def scene(stage: Stage) -> Scene:
    """A game with a clock; White has taken up the pawn that he is about to move. From then on it is scanned by hand."""
    scene = stage(event={"clock": "300"}, start={"by": "at-once"})
    scene.show()
    scene.run(1000)
    scene.lift("e2")
    scene.run(500)
    scene.scans = False
    return scene


def press(scene: Scene, ms: int, looked: tuple[int, int]) -> None:
    """White's, sampled at ``ms``, from the clock beside a board of which the last scan began and ended so."""
    began, ended = looked
    scene.session.take(LeverPress(ms * MS_NS, "white", Look(began * MS_NS, ended * MS_NS)))


def scan(scene: Scene, began: int) -> None:
    """One that ends now."""
    scene.session.take(BoardReading(scene.at * MS_NS, scene.occupied, 0, began * MS_NS))


def test_a_scan_that_began_later_lets_it_pass_at_once(scene: Scene) -> None:
    scene.place("e4")
    scene.run(500)
    press(scene, scene.at - 6, looked=(scene.at - 3, scene.at - 2))
    scene.run(0)
    assert len(scene.pressed()) == 1
    assert scene.moves() == ["e2e4"]


@pytest.mark.parametrize("late_ms", [3, 40, PATIENCE_MS - 30, 5 * PATIENCE_MS])
@pytest.mark.parametrize("before_ms", [-5, 1])
def test_it_waits_for_that_scan_however_late_it_is(scene: Scene, late_ms: int, before_ms: int) -> None:
    """The machine stood still, between two scans or in the midst of one, when the piece had just been set down: a press
    told without him would be one without a move."""
    at = scene.at
    press(scene, at, looked=(at - 30, at - 29))
    scene.run(late_ms)
    assert not scene.pressed()
    scene.occupied |= chess.BB_E4
    scan(scene, began=at + before_ms)
    scene.run(5)
    scan(scene, began=scene.at - 1)
    scene.run(100)
    assert scene.moves() == ["e2e4"]
    assert not {"Illegal", "Violation"} & set(scene.events())
    assert "Sensor" not in [name for name, _ in scene.inputs()]
    assert scene.events().count("Completed") == 1


def test_a_scan_that_began_before_it_says_nothing_of_it(scene: Scene) -> None:
    at = scene.at
    press(scene, at, looked=(at - 5, at - 4))
    scene.run(4)
    scan(scene, began=at - 1)
    scene.run(20)
    assert not scene.pressed()
    scan(scene, began=at)
    scene.run(1)
    assert len(scene.pressed()) == 1


def test_of_a_board_that_hangs_it_waits_and_that_is_said(scene: Scene) -> None:
    press(scene, scene.at, looked=(scene.at - 5, scene.at - 4))
    scene.run(PATIENCE_MS - 1)
    assert "press" not in scene.said()
    scene.run(1)
    assert "waits" in scene.said()["press"]
    scene.run(5_000)
    assert not scene.pressed()
    scene.place("e4")
    scene.run(100)
    assert len(scene.pressed()) == 1
    assert "press" not in scene.said()


# -- commands --------------------------------------------------------------------------------------------------------


def test_a_command_is_told_after_the_press_that_came_before_it(scene: Scene) -> None:
    scene.place("e4")
    scene.run(500)
    at = scene.at
    press(scene, at, looked=(at - 5, at - 4))
    scene.run(3)
    resigned = scene.say(type="resign", side="black")
    assert not resigned.done()
    scene.run(4)
    scan(scene, began=at + 6)
    scene.run(10)
    assert resigned.result(5)
    begun = at - scene.pressed()[0]
    assert scene.inputs()[-2:] == [("Press", at - begun), ("Resign", at + 3 - begun)]
    assert {"Completed", "Result"} <= set(scene.events())


def test_a_press_by_command_is_told_after_the_piece_set_down_before_it(scene: Scene) -> None:
    scene.place("e4")
    scene.run(5)
    done = scene.say(type="press", side="white")
    scene.run(2)
    scene.show()
    scene.run(200)
    assert done.result(5)
    assert scene.events().count("Completed") == 1
    assert "Sensor" not in [name for name, _ in scene.inputs()], "none is suspected"
    (placed,) = [ms for name, ms in scene.inputs() if name == "Place"]
    assert scene.pressed() == [placed + 5], "the wait is not on the clock"


def test_a_press_by_command_is_told_after_the_piece_whom_the_next_scan_shows(scene: Scene) -> None:
    done = scene.say(type="press", side="white")
    scene.run(5)
    scene.place("e4")
    scene.run(200)
    assert done.result(5)
    assert scene.events().count("Completed") == 1
    assert "Sensor" not in [name for name, _ in scene.inputs()], "none is suspected"


def test_no_command_waits_for_a_board_that_is_away(scene: Scene) -> None:
    press(scene, scene.at, looked=(scene.at - 5, scene.at - 4))
    scene.session.take(Fault(scene.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    scene.run(1000)
    assert scene.say(type="arbiter", do="pause").result(5)
    assert scene.say(type="resign", side="black").result(5)


def test_a_command_that_still_waits_when_a_new_game_begins_is_refused(scene: Scene) -> None:
    press(scene, scene.at, looked=(scene.at - 5, scene.at - 4))
    resigned = scene.say(type="resign", side="black")
    scene.say(type="new-game").result(5)
    with pytest.raises(LogError, match="another game"):
        resigned.result(5)
    assert scene.session.playing


# -- threads ---------------------------------------------------------------------------------------------------------


def test_after_a_cable_was_put_back_a_press_waits_for_all_that_the_board_tells_then(scene: Scene) -> None:
    press(scene, scene.at, looked=(scene.at - 5, scene.at - 4))
    scene.session.take(Fault(scene.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    scene.run(1000)
    scene.session.take(Recovered(scene.at * MS_NS))
    scene.run(500)
    assert not scene.pressed()
    scan(scene, began=scene.at)
    scene.run(5)
    scene.place("e4")  # it bounced in while the board was read in
    scene.run(100)
    assert len(scene.pressed()) == 1
    assert scene.moves() == ["e2e4"]


def test_through_the_threads_nobody_is_accused_where_the_scan_is_late(
    configure: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configure(
        board={"type": "simulated"}, clock={"type": "simulated"}, event={"clock": "300"}, start={"by": "at-once"}
    )
    standstill_s = 0.0

    async def play() -> list[str]:
        nonlocal standstill_s
        async with running(config) as daemon:
            board, clock = daemon.only.boards[None], daemon.only.clocks[None]
            assert isinstance(board, SimulatedBoard)
            assert isinstance(clock, SimulatedLever)
            await until(lambda: daemon.only.session.playing and clock.alive_ns)
            scan = board.board.scan

            def slowly() -> int:
                time.sleep(standstill_s)
                return scan()

            monkeypatch.setattr(board.board, "scan", slowly)
            board.electrical.lift(chess.E2)
            await asyncio.sleep(0.3)
            standstill_s = 0.1
            await asyncio.sleep(0.05)
            board.electrical.place(chess.E4)
            clock.press("white")
            await until(lambda: "e2e4" in moves_of(daemon.journal))
            records = daemon.journal.after(0, 10_000)
            return [record.body.decode() for record in records if record.kind == "event"]

    assert not [event for event in asyncio.run(play()) if '"illegal"' in event or '"violation"' in event]


# -- while the board is read in --------------------------------------------------------------------------------------


def restarted(scene: Scene) -> None:
    scene.restart(after_ms=1_000)


def put_back(scene: Scene) -> None:
    scene.session.take(Fault(scene.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    scene.run(1_000)
    scene.session.take(Recovered(scene.at * MS_NS))


@pytest.mark.parametrize("gap", [restarted, put_back])
@pytest.mark.parametrize("by", ["lever", "command"])
@pytest.mark.parametrize("after_ms", [0, 10, 100, 500])
def test_a_press_while_the_board_is_read_in_waits_until_that_has_been_compared(
    scene: Scene, gap: Callable[[Scene], None], by: str, after_ms: int
) -> None:
    """White has moved meanwhile, and the board takes its time."""
    gap(scene)
    scene.occupied |= chess.BB_E4
    scene.run(after_ms)
    at = scene.at
    if by == "lever":
        scene.session.take(LeverPress(at * MS_NS, "white"))
    else:
        scene.say(type="press", side="white")
    scene.run(300)
    assert not scene.pressed()
    assert scene.asked
    scan(scene, began=at - 1)  # it had begun before the press, and compares, but does not let it pass
    scene.run(100)
    assert not scene.pressed()
    assert "Seen" in [name for name, _ in scene.inputs()]
    scan(scene, began=scene.at)
    scene.run(100)
    (told,) = scene.pressed()
    assert scene.session.ns_of(told) == at * MS_NS, "the wait is not on the clock"
    assert scene.moves() == ["e2e4"]
    assert not {"Illegal", "Violation", "Penalty"} & set(scene.events())


def test_a_press_by_command_cannot_say_of_itself_that_nobody_saw_it(scene: Scene) -> None:
    scene.place("e4")
    scene.run(500)
    scene.scans = True
    scene.say(type="press", side="white", unseen=True)
    scene.run(100)
    (body,) = [record.body for record in scene._records() if b'"type":"press"' in record.body]
    assert b"unseen" not in body


@pytest.mark.parametrize("gap", [restarted, put_back])
def test_a_board_that_comes_back_turned_round_accuses_nobody(scene: Scene, gap: Callable[[Scene], None]) -> None:
    scene.place("e4")
    scene.scans = True
    scene.press("white")
    scene.run(500)
    gap(scene)
    scene.occupied = chess.flip_vertical(chess.flip_horizontal(scene.occupied))
    scene.show()
    scene.run(100)
    scene.press("black")
    scene.press("white")
    scene.run(2_000)
    assert not {"Illegal", "Violation", "Penalty"} & set(scene.events())
    assert "position" in scene.said()


def test_what_is_judged_by_time_waits_for_a_board_that_is_away(scene: Scene) -> None:
    """The pawn was just over f3, where it may not go."""
    scene.place("f3")
    scene.run(20)
    scene.session.take(Fault(scene.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    scene.run(5_000)
    scene.session.take(Recovered(scene.at * MS_NS))
    scene.show(scene.occupied & ~chess.BB_F3 | chess.BB_E4)
    scene.run(1_000)
    assert scene.moves() == ["e2e4"]
    assert not {"Illegal", "Violation"} & set(scene.events())
