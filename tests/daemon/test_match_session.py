"""The table of a match, moment by moment: when it begins and ends, whose input comes first, what survives a restart."""

from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from double import Double, double
from stage import START

from controller.contract import Claimed
from controller.daemon.timeline import MS_NS
from controller.errors import LogError, SettledError
from controller.outlets.scoresheet import board_of
from controller.wire import decode_event, decode_input
from hardware.boards import Change, Fault, LeverPress, Recovered

PRESSED = {"start": {"by": "press", "ready_s": 0.1}}
Match = Callable[..., Double]


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    scenes = []

    def build(**tables: dict[str, object]) -> Double:
        scenes.append(Double(double(tmp_path, **tables), tmp_path / "journal.sqlite"))
        return scenes[-1]

    yield build
    for scene in scenes:
        scene.journal.close()


@pytest.fixture
def playing(match: Match) -> Double:
    scene = match()
    scene.set_up()
    scene.run(200)
    assert scene.session.playing
    return scene


def inputs(scene: Double) -> list[tuple[str | None, str, int]]:
    items = [decode_input(record.body) for record in scene._records() if record.kind == "input"]
    return [(item.board, type(item).__name__, item.ms) for item in items]


# -- when a match begins and ends --------------------------------------------------------------------------------


def test_a_match_begins_when_the_pieces_stand_ready_on_both_boards(match: Match) -> None:
    scene = match()
    scene.on("A").show()
    scene.run(5000)
    assert not scene.session.playing
    scene.on("B").show(START & ~1)
    assert scene.said() == {"start B": "the start position is not on the board: a1"}
    scene.place("a1")
    scene.run(200)
    assert scene.session.playing
    assert scene.said() == {}
    assert inputs(scene) == [("A", "Frame", 0), ("B", "Frame", 0)]


@pytest.mark.parametrize("first", ["A", "B"])
def test_the_first_press_of_a_black_player_starts_both_clocks(match: Match, first: str) -> None:
    scene = match(**PRESSED)
    scene.set_up()
    scene.run(60_000)
    scene.on(first).press("white")
    assert not scene.session.playing
    scene.press("black")
    assert scene.session.playing
    scene.run(700)
    scene.on("B" if first == "A" else "A").press("black")
    clocks = [board.clock for board in scene.sheet().boards.values()]
    assert [(clock.ms, clock.running) for clock in clocks] == [(0, "white"), (0, "white")]
    assert "Illegal" not in scene.events()


def test_a_press_by_command_starts_both_clocks(match: Match) -> None:
    scene = match(**PRESSED)
    scene.set_up()
    scene.run(1000)
    scene.session.command({"type": "press", "side": "black"}, scene.at * MS_NS, "B").result(5)
    assert [board.clock.running for board in scene.sheet().boards.values()] == ["white", "white"]


def test_a_result_and_a_neutralised_clock_end_it_and_the_start_position_begins_the_next(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.command(type="resign", side="black", board="A")
    assert playing.session.playing
    playing.command(type="pause", side="white", board="B")
    assert not playing.session.playing
    assert playing.sheet().result.result == "team-1"
    playing.run(5_000)
    assert len(playing.games()) == 1
    playing.on("A").show(START)
    playing.run(5_000)
    assert len(playing.games()) == 2


def test_pieces_set_up_on_a_board_whose_game_is_over_accuse_no_sensor(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.command(type="resign", side="black", board="A")
    playing.on("A").show(0)
    playing.run(20_000)
    assert playing.said() == {}


def test_the_next_match_is_begun_by_a_command_with_its_own_players(playing: Double) -> None:
    playing.command(type="new-game", A={"white": "Ada", "black": "Bea"}, round="3")
    first, second = playing.games()
    tags = playing.journal.opening(second).tags
    assert tags == {"WhiteA": "Ada", "BlackA": "Bea", "WhiteB": "Cid", "BlackB": "Dora", "Round": "3"}
    assert playing.journal.opening(first).board == playing.journal.opening(second).board == "1+2"


# -- what the match is told --------------------------------------------------------------------------------------


def test_a_piece_taken_on_one_board_is_dropped_on_the_other(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.press("white")
    playing.move("d7d5")
    playing.press("black")
    playing.on("B").move("d2d4")
    playing.press("white")
    playing.on("A").take("e4d5")
    playing.press("white")
    assert playing.sheet().boards["B"].stock == {"white": "", "black": "p"}
    playing.on("B").drop("e5")
    playing.press("black")
    assert playing.moves() == ["A e2e4", "A d7d5", "B d2d4", "A e4d5", "B P@e5"]
    assert playing.sheet().boards["B"].stock == {"white": "", "black": ""}
    assert not {"Violation", "Illegal", "Displaced"} & set(playing.events())


def test_what_happened_first_is_told_first_on_whichever_board(playing: Double) -> None:
    """A contact on A closes and has yet to hold when B's lever, which needs no waiting for, is heard."""
    begun = len(inputs(playing))
    playing.on("A").lift("e2")
    playing.run(8)
    playing.on("B").lift("d2")
    playing.run(4)
    playing.on("B").press("white")
    playing.run(100)
    told = inputs(playing)[begun:]
    assert [(board, kind) for board, kind, _ in told if kind != "Time"] == [
        ("A", "Lift"),
        ("B", "Lift"),
        ("B", "Press"),
    ]
    times = [ms for _, _, ms in told]
    assert times == sorted(times)
    assert times[1] - times[0] == 8


def test_a_contact_that_chatters_on_one_board_holds_up_the_other_no_longer_than_it_holds(playing: Double) -> None:
    lifted_at = 0
    for ms in range(0, 500, 10):
        playing.on("A").show(START & ~(1 << 12))
        playing.run(5)
        playing.on("A").show(START)
        if ms == 200:
            playing.on("B").lift("d2")
        playing.run(5)
        lifted_at = lifted_at or (("B", "Lift") in [told[:2] for told in inputs(playing)] and ms)
    assert 200 < lifted_at <= 230


def test_a_sensor_that_fails_is_named_with_its_board(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.on("B").show(START & ~(1 << 8))
    playing.run(10_000)
    assert playing.said()["sensor B"].endswith(": a2")
    assert "sensor A" not in playing.said()


def test_a_device_that_fails_is_named_with_its_board(playing: Double) -> None:
    playing.session.take(Fault(playing.at * MS_NS, "gone", "cable", "plug"), board_id="B")
    assert playing.said() == {"board B": "gone"}
    playing.session.take(Recovered(playing.at * MS_NS), board_id="B")
    assert playing.said() == {}


@pytest.mark.parametrize(
    ("board_id", "command", "says"),
    [
        (None, {"type": "resign", "side": "white"}, "which board"),
        ("A", {"type": "resign", "side": "white", "board": "B"}, "this is board A"),
        (None, {"type": "new-game", "white": "Ada"}, "A, B, event"),
    ],
)
def test_a_command_says_which_board_it_is_for(
    playing: Double, board_id: str | None, command: dict[str, str], says: str
) -> None:
    with pytest.raises(LogError) as raised:
        playing.session.command(command, playing.at * MS_NS, board_id)
    assert says in str(raised.value)


def test_a_command_on_the_topic_of_a_board_is_for_that_board(playing: Double) -> None:
    playing.session.command({"type": "resign", "side": "white"}, playing.at * MS_NS, "B").result(5)
    assert playing.sheet().boards["B"].result.result == "0-1"
    assert playing.sheet().boards["A"].result is None


# -- after a restart ---------------------------------------------------------------------------------------------


def test_both_boards_and_all_clocks_go_on_after_a_restart(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.press("white")
    playing.on("B").move("d2d4")
    playing.press("white")
    before = {name: board.clock for name, board in playing.sheet().boards.items()}
    playing.restart(after_ms=3_600_000)
    playing.set_up()
    playing.run(1000)
    playing.on("A").move("d7d5")
    playing.press("black")
    playing.on("B").move("d7d5")
    playing.press("black")
    assert playing.moves() == ["A e2e4", "B d2d4", "A d7d5", "B d7d5"]
    after = {name: board.clock for name, board in playing.sheet().boards.items()}
    for name in ("A", "B"):
        assert before[name].running == "black"
        assert 0 < before[name].black_ms - after[name].black_ms < 10_000, "the hour costs nobody anything"
        assert before[name].white_ms == after[name].white_ms
    assert playing.said() == {}


def test_a_piece_moved_while_the_daemon_was_away_is_seen_on_his_board(playing: Double) -> None:
    playing.on("A").move("e2e4")
    playing.restart(after_ms=60_000)
    playing.on("A").show()
    playing.on("B").show(START & ~(1 << 8) | 1 << 16)
    playing.run(1000)
    assert playing.moves() == ["A e2e4", "B a2a3"]


def test_a_promoted_pawn_stays_a_pawn_in_wood_for_a_board_that_knows_its_pieces(match: Match) -> None:
    """Declared a queen (9); a restart compares the pieces, and finds nothing moved."""
    dgt = {
        name: {"number": number, "board": {"type": "dgt", "port": f"/dev/{name}"}}
        for name, number in (("A", "1"), ("B", "2"))
    }
    fen = "4k3/P7/8/8/8/8/8/4K3[] w - - 0 1"
    scene = match(**dgt, game={"A": {"fen": fen}})
    pieces = {"A": dict(board_of(fen).piece_map()), "B": dict(chess.Board().piece_map())}

    def show(board_id: str, *squares: int) -> None:
        for square in squares or chess.SQUARES:
            letter = pieces[board_id][square].symbol() if square in pieces[board_id] else ""
            scene.session.take(Change(scene.at * MS_NS, square, letter), board_id=board_id)

    show("A")
    show("B")
    scene.look("A", "B")
    scene.run(200)
    assert scene.session.playing
    scene.command(type="choose", side="white", piece="q", board="A")
    pieces["A"][chess.A8] = pieces["A"].pop(chess.A7)
    show("A", chess.A7, chess.A8)
    scene.run(200)
    scene.command(type="press", side="white", board="A")
    assert scene.moves() == ["A a7a8q"]
    assert "Q~" in scene.sheet().boards["A"].fen
    told = len(inputs(scene))
    scene.restart(after_ms=60_000)
    show("A")
    show("B")
    scene.look("A", "B")
    scene.run(10_000)
    assert [kind for _, kind, _ in inputs(scene)[told:] if kind not in ("Time", "Outage", "Unseen")] == ["Seen", "Seen"]
    assert scene.said() == {}


def test_one_board_that_is_away_holds_up_its_own_presses_and_accuses_nobody(playing: Double) -> None:
    playing.on("A").session.take(Fault(playing.at * MS_NS, "gone", "a foot", "put it in"), board_id="A")
    playing.run(500)
    playing.session.take(LeverPress(playing.at * MS_NS, "white"), "clock", "A")
    playing.on("B").move("d2d4")
    playing.press("white")
    playing.run(500)
    assert [item for item in inputs(playing) if item[1] == "Press" and item[0] == "A"] == []
    playing.session.take(Recovered(playing.at * MS_NS), board_id="A")
    playing.on("A").show(playing.on("A").occupied & ~chess.BB_E2 | chess.BB_E4)
    playing.run(500)
    assert {"A e2e4", "B d2d4"} <= set(playing.moves())
    assert not {"Illegal", "Violation", "Penalty"} & set(playing.events())


# -- rulings -----------------------------------------------------------------------------------------------------


def test_a_ruling_answers_what_it_names_on_its_own_board_alone(playing: Double) -> None:
    for board in ("A", "B"):
        playing.on(board).move("e2e5")  # type: ignore[arg-type]
        playing.press("white")
        playing.command(type="claim", side="black", of="illegal-move", board=board)
    events = [decode_event(record.body) for record in playing._records() if record.kind == "event"]
    on_a, on_b = ([e.id for e in events if isinstance(e, Claimed) and e.board == board] for board in ("A", "B"))
    with pytest.raises(LogError, match=f"no notice {on_a[0]} awaits a ruling"):
        playing.command(type="arbiter", do="dismiss", board="B", answers=on_a[0])
    playing.command(type="arbiter", do="dismiss", board="B", answers=on_b[0])
    with pytest.raises(SettledError):
        playing.command(type="arbiter", do="dismiss", board="B", answers=on_b[0])
    playing.command(type="arbiter", do="dismiss", board="A", answers=on_a[0])
