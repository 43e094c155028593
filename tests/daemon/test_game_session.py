"""The table, moment by moment: when a game begins and ends, what is told to it, and what survives a restart.

Nothing waits: time is a number, and passes by ``scene.run``.
"""

import json
from datetime import datetime

import chess
import pytest
from stage import START, Stage

from controller.daemon.play import new_name
from controller.daemon.timeline import MS_NS
from controller.errors import LogError
from hardware.boards import Change, Fault, LeverPress, Look, Recovered

TIMED = {"event": {"clock": "300"}}


# -- when a game begins ------------------------------------------------------------------------------------------


def test_a_game_begins_when_the_pieces_have_stood_ready(stage: Stage) -> None:
    scene = stage(start={"ready_s": 3})
    scene.show()
    scene.run(2900)
    assert not scene.session.playing
    scene.run(200)
    assert scene.session.playing
    assert scene.inputs()[0] == ("Frame", 0)


def test_a_piece_put_straight_meanwhile_begins_the_wait_anew(stage: Stage) -> None:
    scene = stage(start={"ready_s": 3})
    scene.show()
    scene.run(2000)
    scene.lift("e2")
    scene.run(300)
    scene.place("e2")
    scene.run(2900)
    assert not scene.session.playing
    scene.run(200)
    assert scene.session.playing


def test_a_piece_that_is_missing_is_named(stage: Stage) -> None:
    scene = stage()
    scene.show(START & ~(1 << chess.E2) & ~(1 << chess.H8))
    scene.run(10_000)
    assert not scene.session.playing
    assert scene.said()["start"].endswith("e2 h8")
    scene.place("e2")
    scene.run(20)
    assert scene.said()["start"].endswith(" h8")
    scene.place("h8")
    scene.run(500)
    assert scene.session.playing
    assert not scene.said()


def test_with_a_clock_the_press_of_the_player_without_the_move_begins_it(stage: Stage) -> None:
    scene = stage(**TIMED)
    scene.show()
    scene.run(60_000)
    scene.press("white")
    assert not scene.session.playing
    scene.press("black")
    assert scene.session.playing
    scene.run(5_000)
    scene.move("e2e4")
    scene.press("white")
    assert scene.moves() == ["e2e4"]
    assert [e for e in scene.events() if e == "Clock"] == ["Clock", "Clock"]


def test_no_press_begins_a_game_while_pieces_are_missing(stage: Stage) -> None:
    scene = stage(**TIMED)
    scene.show(START & ~1)
    scene.run(1000)
    scene.press("black")
    assert not scene.session.playing


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        (START & ~1, "the pieces do not stand at the start"),
        (START, "the game begins with the press of the player without the move"),
    ],
)
def test_why_there_is_no_game_yet_is_told(stage: Stage, shown: int, cause: str) -> None:
    scene = stage(**TIMED)
    scene.show(shown)
    scene.run(60_000)
    with pytest.raises(LogError) as refused:
        scene.command(type="press", side="white")
    assert refused.value.cause == cause


def test_a_command_begins_a_game_with_its_own_players(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.command(type="new-game", white="Ada")
    first, second = scene.games()
    assert scene.journal.opening(second).tags == {"White": "Ada"}
    assert scene.journal.opening(first).tags == {}


def test_after_the_result_the_start_position_begins_the_next_game(stage: Stage) -> None:
    scene = stage(start={"ready_s": 3})
    scene.show()
    scene.run(3100)
    scene.command(type="arbiter", do="result", result="1/2-1/2")
    scene.run(60_000)
    assert len(scene.games()) == 1, "the pieces have never left"
    scene.lift("e2")
    scene.run(500)
    scene.place("e2")
    scene.run(3100)
    assert len(scene.games()) == 2
    assert scene.session.playing


def test_an_unfinished_game_is_not_ended_by_pieces_at_the_start(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("g1f3")
    scene.show(START)
    scene.run(60_000)
    assert len(scene.games()) == 1


# -- what the game is told ---------------------------------------------------------------------------------------


def test_who_sets_the_pieces_up_before_a_result_is_given_is_told_what_is_missing(stage: Stage) -> None:
    scene = stage(start={"ready_s": 3})
    scene.show()
    scene.run(3200)
    for uci in ("e2e4", "e7e5", "g1f3", "b8c6"):
        scene.move(uci)
        assert not scene.said()
    for square, home in (("e5", "e7"), ("e4", "e2"), ("f3", "g1"), ("c6", "b8")):
        scene.lift(square)
        scene.run(400)
        scene.place(home)
        scene.run(700)
    unfinished = "the pieces are set up for a game, while the one before has no result"
    assert scene.said()["start"] == unfinished
    scene.command(type="arbiter", do="result", result="1/2-1/2")
    assert not scene.said()
    scene.run(3200)
    assert len(scene.games()) == 2 and not scene.said()


def test_an_edge_bears_the_time_of_its_first_sample(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(100)  # ready: this is the session's ms 0
    scene.run(1000)
    scene.lift("e2")
    scene.run(200)
    scene.place("e4")
    scene.run(500)
    assert [item for item in scene.inputs() if item[0] in ("Lift", "Place")] == [("Lift", 1000), ("Place", 1200)]


def test_chatter_is_not_told(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    for _ in range(3):
        scene.lift("e2")
        scene.run(4)
        scene.place("e2")
        scene.run(4)
    scene.run(1000)
    assert not {"Lift", "Place"} & {name for name, _ in scene.inputs()}


def test_a_board_that_knows_its_pieces_says_which(stage: Stage) -> None:
    scene = stage(board={"type": "dgt"})
    board = chess.Board()
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        scene.session.take(Change(scene.at * MS_NS, square, piece.symbol() if piece else ""))
    scene.session.take(Look(scene.at * MS_NS, scene.at * MS_NS))
    scene.run(1000)
    assert scene.session.playing
    scene.session.take(Change(scene.at * MS_NS, chess.E2, ""))
    scene.run(200)
    scene.session.take(Change(scene.at * MS_NS, chess.E4, "P"))
    scene.run(200)
    assert scene.moves() == ["e2e4"]


def test_what_moved_while_the_board_was_away_is_told_when_it_is_back(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.session.take(Fault(scene.at * MS_NS, "the cable is out", "someone's foot", "put it in"))
    assert scene.said() == {"board": "the cable is out"}
    scene.run(60_000)
    scene.session.take(Recovered(scene.at * MS_NS))
    assert not scene.said()
    scene.show(START ^ (1 << chess.E2 | 1 << chess.E4))
    scene.run(1000)
    assert scene.moves() == ["e2e4"]


def test_a_press_is_heard_after_the_piece_set_down_before_it(stage: Stage) -> None:
    scene = stage(event={"clock": "300"}, start={"by": "at-once"})
    scene.show()
    scene.run(1000)
    scene.lift("e2")
    scene.run(200)
    scene.place("e4")
    scene.run(5)
    scene.press("white")
    scene.run(1000)
    assert scene.moves() == ["e2e4"]
    assert "Illegal" not in scene.events()
    (placed,), (pressed,) = ([ms for name, ms in scene.inputs() if name == kind] for kind in ("Place", "Press"))
    assert pressed == placed + 5, "the wait is not on the clock"


def test_a_press_is_heard_after_a_contact_that_still_chatters(stage: Stage) -> None:
    scene = stage(event={"clock": "300"}, start={"by": "at-once"})
    scene.show()
    scene.run(1000)
    scene.lift("e2")
    scene.run(200)
    scene.place("e4")
    scene.run(3)
    scene.session.take(LeverPress(scene.at * MS_NS, "white"))
    scene.lift("e4")
    scene.run(4)
    scene.place("e4")  # at rest only from here on
    scene.run(1000)
    assert scene.moves() == ["e2e4"]
    assert "Illegal" not in scene.events()


def test_a_press_comes_before_what_the_opponent_does_next(stage: Stage) -> None:
    scene = stage(event={"clock": "300"}, start={"by": "at-once"})
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.session.take(LeverPress(scene.at * MS_NS, "white"))
    scene.run(20)
    scene.session.take(LeverPress(scene.at * MS_NS, "black"))
    scene.run(50)
    scene.lift("e7")
    scene.run(1000)
    names = [name for name, _ in scene.inputs() if name in ("Place", "Press", "Lift")]
    assert names == ["Lift", "Place", "Press", "Press", "Lift"]


def test_a_board_without_a_debouncer_keeps_a_press_waiting_until_it_has_answered_and_no_longer(stage: Stage) -> None:
    scene = stage(board={"type": "dgt"}, event={"clock": "300"})
    board = chess.Board()
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        scene.session.take(Change(0, square, piece.symbol() if piece else ""))
    scene.session.take(LeverPress(0, "black"))
    assert scene.asked
    assert not scene.session.playing
    scene.session.take(Look(0, 70 * MS_NS))
    scene.session.wake(71 * MS_NS)
    assert scene.session.playing


def test_a_press_sampled_before_the_flag_is_heard_before_it(stage: Stage) -> None:
    scene = stage(event={"clock": "10"}, start={"by": "at-once"})
    scene.show()
    scene.run(100)
    assert scene.session.playing
    begun = scene.at
    scene.run(5_000)
    scene.move("e2e4")
    scene.run(begun + 10_000 - scene.at + 5)
    pressed = LeverPress((begun + 9_998) * MS_NS, "white")
    scene.session.take(pressed)  # 5 ms after the flag would have fallen, 7 ms after the sample
    scene.run(1000)
    assert "Flag" not in scene.events()


def test_a_flag_falls_without_any_input(stage: Stage) -> None:
    scene = stage(event={"clock": "10"}, start={"by": "at-once"})
    scene.show()
    scene.run(10_500)
    assert "Flag" in scene.events()


# -- commands ----------------------------------------------------------------------------------------------------


def test_a_command_without_a_game_is_refused(stage: Stage) -> None:
    scene = stage()
    with pytest.raises(LogError, match="no game") as raised:
        scene.command(type="resign", side="white")
    assert "new-game" in raised.value.next_step


@pytest.mark.parametrize("kind", ["lift", "place", "frame", "time"])
def test_a_command_is_no_sensor(stage: Stage, kind: str) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    with pytest.raises(LogError, match="cannot move pieces"):
        scene.command(
            type=kind,
            **{"lift": {"square": "e2"}, "place": {"square": "e2"}}.get(kind, {}),
            **({"occupied": "0" * 16} if kind == "frame" else {}),
        )


# -- what survives -----------------------------------------------------------------------------------------------


def test_a_game_goes_on_after_a_restart(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.restart(after_ms=3_600_000)
    scene.show()
    scene.run(100)
    scene.move("e7e5")
    assert len(scene.games()) == 1
    assert scene.moves() == ["e2e4", "e7e5"]
    assert not scene.said()


def test_a_move_made_while_nobody_looked_is_found(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.restart(after_ms=60_000)
    scene.show(scene.occupied ^ (1 << chess.E7 | 1 << chess.E5))
    scene.run(1000)
    assert scene.moves() == ["e2e4", "e7e5"]


def test_what_does_not_match_after_a_restart_is_named_at_once(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.restart(after_ms=60_000)
    scene.show(scene.occupied | 1 << chess.A5)
    scene.run(scene.config.event.settings.debounce_ms)
    assert scene.inputs()[-1][0] == "Seen"
    assert scene.said()["position"].endswith("a5")
    scene.lift("a5")
    scene.run(1000)
    assert "position" not in scene.said()
    scene.move("e7e5")
    assert scene.moves() == ["e2e4", "e7e5"]


def test_a_second_look_after_more_moves_is_read_right(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    for uci in ("e2e4", "e7e5"):
        scene.move(uci)
        scene.restart(after_ms=1000)
        scene.show(scene.occupied ^ 1 << chess.H3)  # a coin put on the board meanwhile
        scene.run(1000)
        scene.show(scene.occupied ^ 1 << chess.H3)
        scene.run(1000)
    scene.move("g1f3")
    assert scene.moves() == ["e2e4", "e7e5", "g1f3"]
    assert not scene.said()


def test_a_restart_costs_no_player_anything(stage: Stage) -> None:
    scene = stage(**TIMED, start={"by": "at-once"})
    scene.show()
    scene.run(20_000)
    scene.restart(after_ms=3_600_000)
    scene.show()
    scene.run(5_000)
    scene.move("e2e4")
    scene.press("white")
    sheet = [json.loads(r.body) for r in scene._records() if r.kind == "event"]
    clock = [event for event in sheet if event["type"] == "clock"][-1]
    assert clock["running"] == "black"
    spent = 300_000 - clock["white_ms"]
    assert 15_000 <= spent <= 25_500, "what was played counts, up to one pulse; the hour away does not"


def test_a_half_made_move_is_finished_after_a_restart(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.lift("e2")
    scene.run(200)
    scene.restart(after_ms=5_000)
    scene.show()
    scene.run(500)
    scene.place("e4")
    scene.run(500)
    assert scene.moves() == ["e2e4"]


def test_events_that_come_out_otherwise_are_said(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene._records()
    from controller.daemon.play import LiveGame

    handle = LiveGame.handle
    monkeypatch.setattr(LiveGame, "handle", lambda self, item: handle(self, item)[:-1])
    scene.restart(after_ms=0)
    assert "something else" in scene.said()["recovery"]


def test_a_game_that_is_over_stays_over(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.command(type="arbiter", do="result", result="0-1")
    scene.restart(after_ms=1000)
    scene.show()
    scene.run(60_000)
    assert not scene.session.playing
    assert len(scene.games()) == 1


def test_a_thousand_games_that_begin_in_the_same_second_have_names_of_their_own() -> None:
    """Else one is taken up with what was played in another."""
    now = datetime(2026, 11, 29, 15, 0, 0)
    assert len({new_name(now) for _ in range(10_000)}) == 10_000
