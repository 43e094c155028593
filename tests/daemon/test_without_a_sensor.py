"""A sensor that does not work, as the daemon finds out: the game goes on without it until it works again."""

import chess
import pytest
from stage import START, Scene, Stage
from wired import Wired

from controller.contract import Disbelieved, Sensor
from controller.daemon.timeline import MS_NS
from controller.wire import decode_event, decode_input
from hardware.boards import Fault, Recovered
from hardware.simulator.games import random_game
from hardware.simulator.habits import Habits
from hardware.simulator.hands import play

TIMED = {"event": {"clock": "300"}}


def disbelieved(scene: Scene) -> set[str]:
    """The squares whose sensors the game does not believe at last: it was told so, or has found out by play."""
    told: set[str] = set()
    found: set[str] = set()
    for record in scene._records():
        if record.kind == "input":
            item = decode_input(record.body)
            if isinstance(item, Sensor):
                (told.discard if item.works else told.add)(item.square)
        elif record.kind == "event" and isinstance(event := decode_event(record.body), Disbelieved):
            found = {*event.squares}
    return told | found


@pytest.fixture
def timed(stage: Stage) -> Scene:
    """A game with a clock, which White's first move begins."""
    scene = stage(**TIMED)
    scene.show()
    scene.run(5_000)
    scene.press("black")
    return scene


def make(scene: Scene, side: str, uci: str, dead: str = "") -> None:
    """A move, and the press that completes it, on a board on which the sensor of ``dead`` never closes."""
    scene.lift(uci[:2])
    scene.run(400)
    if uci[2:] != dead:
        scene.place(uci[2:])
    scene.run(300)
    scene.press(side)
    scene.run(1000)


def test_a_piece_set_down_where_nothing_shows_him_is_told_by_the_reply(timed: Scene) -> None:
    """Until then he may be in the hand, and the clock have been pressed without a move: nobody is accused of that."""
    make(timed, "white", "h2h4")
    make(timed, "black", "h7h5")
    make(timed, "white", "g2g3")
    make(timed, "black", "e7e6")
    make(timed, "white", "g3g4", "g4")
    assert timed.moves() == ["h2h4", "h7h5", "g2g3", "e7e6"]
    make(timed, "black", "h5g4", "g4")
    assert timed.moves()[4:] == ["g3g4", "h5g4"]
    assert disbelieved(timed) == {"g4"}
    assert timed.said()["sensor"].endswith("g4")
    make(timed, "white", "h4h5")
    make(timed, "black", "g4g3")
    assert timed.moves()[6:] == ["h4h5", "g4g3"]
    assert disbelieved(timed) == {"g4"}
    timed.lift("h1")
    timed.run(300)
    timed.place("g4")  # passed over: it shows a piece after all
    timed.run(50)
    assert disbelieved(timed) == set()
    assert "sensor" not in timed.said()
    assert "Illegal" not in timed.events()


def test_of_several_squares_later_play_tells(timed: Scene) -> None:
    make(timed, "white", "e2e4", "e4")
    assert timed.moves() == []
    make(timed, "black", "d7d5")
    timed.lift("d5")
    timed.run(300)
    timed.place("d5")
    timed.run(300)
    timed.press("white")
    timed.run(1000)
    assert timed.moves() == ["e2e4", "d7d5", "e4d5"]
    assert disbelieved(timed) == {"e4"}
    assert "Illegal" not in timed.events()


def test_it_is_found_out_again_after_a_restart(timed: Scene) -> None:
    make(timed, "white", "e2e4", "e4")
    make(timed, "black", "d7d5")
    make(timed, "white", "g1f3")
    make(timed, "black", "d5e4", "e4")  # there he was
    assert timed.moves() == ["e2e4", "d7d5", "g1f3", "d5e4"]
    assert disbelieved(timed) == {"e4"}
    timed.restart(0)
    timed.show()
    timed.run(100)
    make(timed, "white", "d2d3")
    timed.lift("c8")
    timed.run(300)
    timed.place("e6")
    timed.run(300)
    timed.press("black")
    timed.run(1000)
    assert timed.moves()[4:] == ["d2d3", "c8e6"]


def test_what_a_person_has_said_of_a_sensor_is_for_a_person_to_take_back(timed: Scene) -> None:
    for square in ("e3", "e4"):
        timed.command(type="sensor", square=square, works=False, by="Anna")
    make(timed, "white", "e2e4", "e4")
    make(timed, "black", "d7d5")
    make(timed, "white", "g1f3")
    make(timed, "black", "d5e4", "e4")
    assert timed.moves() == ["e2e4", "d7d5", "g1f3", "d5e4"]
    assert disbelieved(timed) == {"e3", "e4"}


def test_an_illegal_move_that_awaits_its_ruling_is_held_against_no_sensor(timed: Scene) -> None:
    make(timed, "white", "b1b3")
    timed.run(30_000)
    assert "sensor" not in timed.said()
    timed.lift("a7")  # nobody touched it
    timed.run(10_000)
    assert timed.said()["sensor"].endswith("a7")


def test_a_piece_lifted_as_the_clock_is_pressed_is_in_the_hand(timed: Scene) -> None:
    timed.lift("e2")
    timed.run(5)
    timed.press("white")
    timed.run(1000)
    assert "Illegal" in timed.events()
    assert disbelieved(timed) == set()


def test_without_a_clock_the_reply_tells(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("h2h4")
    scene.move("h7h5")
    scene.move("g2g3")
    scene.move("e7e6")
    scene.lift("g3")
    scene.run(2_000)  # and stands on g4
    scene.move("e6e5")
    scene.run(1000)
    scene.move("b1c3")
    scene.move("b8c6")
    scene.run(1000)
    assert scene.moves() == ["h2h4", "h7h5", "g2g3", "e7e6", "g3g4", "e6e5", "b1c3", "b8c6"]
    assert "g4" in disbelieved(scene)
    scene.lift("e1")
    scene.run(300)
    scene.place("g4")
    scene.run(20)
    assert "g4" not in disbelieved(scene)


def test_a_piece_held_for_long_and_put_back_was_touched(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.lift("d2")
    scene.run(12_000)
    assert disbelieved(scene) == {"d2"}
    scene.place("d2")
    scene.run(1000)
    assert disbelieved(scene) == set()
    scene.move("e2e4")
    scene.run(1000)
    assert scene.moves() == ["e2e4"]
    assert "Violation" in scene.events()


def test_it_is_named_also_while_a_piece_is_being_taken(stage: Stage) -> None:
    """Its piece, the one that takes and the one that is taken: three are off the board, and nobody has cleared it."""
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.move("d7d5")
    scene.run(1000)
    scene.lift("a1")  # for that is what it looks like
    scene.run(7_500)
    scene.lift("d5")
    scene.run(200)
    scene.lift("e4")
    scene.run(800)
    assert disbelieved(scene) == {"a1"}
    scene.place("d5")
    scene.run(1000)
    assert scene.moves() == ["e2e4", "d7d5", "e4d5"]
    assert "Violation" not in scene.events()


def test_a_board_that_is_away_denies_nothing(stage: Stage) -> None:
    """A piece was in the hand when the cable was pulled out: nobody knows where it stands by now."""
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.lift("d2")
    scene.run(300)
    scene.session.take(Fault(scene.at * MS_NS, "the board went away", "the cable was pulled", "plug it in again"))
    scene.run(20_000)
    assert disbelieved(scene) == set()
    assert "sensor" not in scene.said()
    scene.session.take(Recovered(scene.at * MS_NS))
    scene.show()
    scene.run(5_000)
    assert disbelieved(scene) == set(), "it counts from when it is back"
    scene.run(5_000)
    assert disbelieved(scene) == {"d2"}


def test_where_many_pieces_are_gone_the_board_is_being_cleared(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    for square in ("a1", "b1", "c1", "d1", "e1", "f1"):
        scene.lift(square)
        scene.run(1000)
    scene.run(20_000)
    assert disbelieved(scene) == set()


def test_who_begins_by_command_says_that_the_piece_stands_there(stage: Stage) -> None:
    scene = stage()
    scene.show(START & ~chess.BB_D2)
    scene.run(10_000)
    assert not scene.session.playing
    scene.command(type="new-game")
    scene.run(100)
    assert disbelieved(scene) == {"d2"}
    scene.move("e2e4")
    scene.move("e7e5")
    scene.place("d4")
    scene.run(1000)
    assert scene.moves() == ["e2e4", "e7e5", "d2d4"]
    assert "Violation" not in scene.events()


@pytest.mark.parametrize(
    "shown", [START & ~0b111, START ^ (chess.BB_E2 | chess.BB_E4)], ids=["three away", "one moved"]
)
def test_who_begins_by_command_while_pieces_may_not_stand_yet_says_nothing_of_sensors(stage: Stage, shown: int) -> None:
    scene = stage()
    scene.show(shown)
    scene.run(1000)
    scene.command(type="new-game")
    scene.run(100)
    assert disbelieved(scene) == set()


def test_it_is_not_believed_in_the_next_game_either_and_keeps_none_from_beginning(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.lift("d7")
    scene.run(10_000)
    scene.command(type="resign", side="black")
    scene.restart(1000)
    scene.show(START & ~chess.BB_D7)
    scene.run(10_000)
    assert len(scene.games()) == 2
    scene.move("e2e4")
    scene.place("d5")
    scene.run(1000)
    assert scene.moves() == ["e2e4", "d7d5"]


def test_anybody_may_say_so(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.command(type="sensor", square="e4", works=False)
    scene.lift("e2")
    scene.run(20_000)
    assert disbelieved(scene) == {"e4"}, "he may stand on e4 by now: that is no reason to doubt e2"
    scene.move("g8f6")
    scene.run(1000)
    assert scene.moves() == ["e2e4", "g8f6"]


HANDS = Habits(press_ms=(150, 500), think_ms=(700, 2000), mover_first=0.4, castle_together=0.4, slide=0.1)


@pytest.mark.parametrize("square", [chess.E4, chess.D7])
def test_a_game_through_the_wires_with_a_sensor_dead_from_beginning_to_end(
    build: type[Wired], square: chess.Square
) -> None:
    wired, moves = build(seed=3, clock="5400+30"), random_game(3, 30)
    wired.electrical.stick(square, "open")
    wired.run_until(300)
    if not wired.session.playing:
        wired.session.command({"type": "new-game"}, wired.ms * 1_000_000)
    wired.play(play(chess.Board(), moves, HANDS, 3))
    assert wired.moves() == [move.uci() for move in moves]


def test_a_sensor_that_was_right_is_believed_again_once_the_game_knows_why(timed: Scene) -> None:
    """e4 takes d5 while the daemon is dead: after it the pawn of e4 seems to be in hand, for longer than one is."""
    make(timed, "white", "e2e4")
    make(timed, "black", "d7d5")
    timed.restart(5_000)
    timed.show(timed.occupied & ~chess.BB_E4)
    timed.run(9_000)
    assert disbelieved(timed) == {"e4"}
    timed.lift("d8")
    timed.lift("d5")
    timed.run(400)
    timed.place("d5")
    timed.run(300)
    timed.press("black")
    timed.run(1000)
    make(timed, "white", "b1c3")
    make(timed, "black", "d5a5")
    assert timed.moves() == ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]
    assert disbelieved(timed) == set()
    assert "sensor" not in timed.said()


def test_what_is_amiss_is_held_against_no_sensor_after_a_restart_either(timed: Scene) -> None:
    """The arbiter has upheld a breach: the pieces are to be put back, and lie beside the board."""
    make(timed, "white", "e2e4")
    timed.lift("b8")
    timed.run(1000)
    timed.place("b8")
    make(timed, "black", "g8f6")
    timed.command(type="arbiter", do="uphold", by="Anna")
    timed.run(1000)
    timed.lift("f6")
    timed.run(2000)
    assert timed.said()["position"].endswith("g8")
    timed.restart(2000)
    assert timed.said()["position"].endswith("g8")
    timed.show()
    timed.run(20_000)
    assert disbelieved(timed) == set()
    timed.place("g8")
    timed.run(2000)
    assert "position" not in timed.said()
    timed.command(type="arbiter", do="resume", by="Anna")
    make(timed, "black", "b8c6")
    assert timed.moves()[-1] == "b8c6"
