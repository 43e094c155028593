"""``jadoube hall check``: what the boards of a hall say is held against the round, and each of them has to answer."""

import asyncio
import json
from pathlib import Path

import chess
import msgspec
import pytest
from aiomqtt import ProtocolVersion
from hall import MOSQUITTO, Mosquitto, need_mosquitto, running, until
from hall_host import Host, checked, found, jadoube
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.hall import heard as hall_heard
from controller.cli.hall.check import Checked, _lines, judge
from controller.cli.hall.heard import Heard, HeardBoard, HeardGame, HeardResult, HeardStatus
from controller.cli.main import main
from controller.config import load
from controller.contract import Score
from controller.daemon.service import Daemon
from controller.journal.pages import beside
from controller.outlets.mqtt.connection import client_of
from controller.outlets.notices import TechnicalNotice
from controller.tournament.results import Given
from controller.tournament.values import Pairing, Player, Round
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator.dgt import DgtEmulator

TAGS = {"White": "Polgár, Judit", "Black": "Hou, Yifan"}
ROUND = Round(
    number=4,
    pairings=(Pairing(table="7", white=Player(name="Polgar, Judit"), black=Player(name="Hou, Yifan")),),
)
READY = HeardBoard(HeardStatus("online", phase="ready", tags=TAGS, clock_s=(5400, 5400)), answered=True, ahead_ms=0)
WARM = TechnicalNotice("temperature", "the machine is 81 °C warm", "no air", "give it air")


def judged(told: HeardBoard, **more: object) -> Checked:
    heard = Heard({"7": told}, **more)  # type: ignore[arg-type]
    return judge(ROUND, heard, "5400+30")


def with_status(**changed: object) -> HeardBoard:
    assert READY.status is not None
    return msgspec.structs.replace(READY, status=msgspec.structs.replace(READY.status, **changed))


def test_a_board_that_another_cannot_take_over_yet_is_not_said_to_play_and_all_to_be_well() -> None:
    notice = TechnicalNotice(
        "change", "another board is to take over here", "it sees other things", "leave it plugged in"
    )
    lines = [*_lines(judged(with_status(phase="playing", notices=(notice,))))]
    assert lines[0] == "round 4: 0 of 1 board ready, 1 of them playing"
    assert lines[1].split()[:2] == ["7", "WAITS"]
    assert "board 7: another board is to take over here" in lines


@pytest.mark.parametrize(
    ("told", "wants"),
    [
        (READY, []),
        (with_status(clock_s=None), []),
        (with_status(clock_s=(5430, 5430)), []),
        (with_status(clock_s=(5400, 3600)), ["the clock shows 1:30:00 and 1:00:00; announced is 1:30:00"]),
        (with_status(phase="setting-up"), ["the pieces are not set up"]),
        (with_status(phase="setting-up", missing=("e2", "d7")), ["not as at the start: e2, d7"]),
        (with_status(tags={}), ["it does not know who plays"]),
        (with_status(tags={"White": "Hou, Yifan", "Black": "Polgár, Judit"}), ["it has Hou, Yifan – Polgár, Judit"]),
        (with_status(state="offline"), ["it is away"]),
        (with_status(via="hall/x/status", connected_at=5), ["it is away"]),
        (HeardBoard(), ["nothing was ever heard of it"]),
        (msgspec.structs.replace(READY, answered=False), ["it does not answer"]),
        (
            msgspec.structs.replace(READY, ahead_ms=-3210),
            ["the time of day at its computer is 3.2 s behind ours"],
        ),
    ],
)
def test_what_a_board_wants(told: HeardBoard, wants: list[str]) -> None:
    found = judged(told)
    assert found.boards[0].wants == wants
    assert found.ready == (not wants)


def test_in_a_game_that_is_on_its_own_players_count_and_who_is_late_is_said() -> None:
    playing = with_status(phase="playing", tags={}, clock_s=(3, 4))
    playing.game = HeardGame(TAGS, 0)
    (board,) = judged(playing).boards
    assert (board.ready, board.doing, board.late) == (True, "playing", "white")
    playing.game = HeardGame({"White": "Tal, Mihail", "Black": "Hou, Yifan"}, 12)
    (board,) = judged(playing).boards
    ((want,), late) = (board.wants, board.late)
    assert want.startswith("it has Tal, Mihail – Hou, Yifan; its game began so. Next: ")
    assert late == ""


@pytest.mark.parametrize(
    ("by_hand", "says"),
    [
        (
            ["1-0"],
            "it still has round 3; its result is known by hand, 1-0, and the game is still on there. "
            "Next: jadoube hall result 7 1-0 --round 3 --at-board",
        ),
        (["1-0", None], "its game began so. Next: give its result: jadoube hall result 7 RESULT --round 3 --at-board"),
        ([], "its game began so. Next: give its result: jadoube hall result 7 RESULT --round 3 --at-board"),
    ],
)
def test_of_a_game_that_is_still_on_a_result_by_hand_is_known(by_hand: list[Score | None], says: str) -> None:
    playing = with_status(phase="playing")
    playing.game = HeardGame({"White": "Tal, Mihail", "Black": "Hou, Yifan", "Round": "3"}, 12)
    about = {"round": 3, "table": "7", "white": "Tal, Mihail", "black": "Hou, Yifan"}
    given = [Given(**about, result=each, at=str(at)) for at, each in enumerate(by_hand)]  # type: ignore[arg-type]
    others = [Given(**{**about, "white": "Others"}, result="0-1", at="9")]  # type: ignore[arg-type]
    (board,) = judge(ROUND, Heard({"7": playing}), "5400+30", ["7"], [*given, *others]).boards
    assert says in board.wants[0]
    (board,) = judge(ROUND, Heard({"7": playing}), "5400+30", [], [*given, *others]).boards
    assert "on the page of the board" in board.wants[0], "a board at another computer is not told by hall result"
    assert "--at-board" not in board.wants[0]


def test_of_a_game_of_others_in_the_same_round_no_result_is_given_to_who_is_paired_there() -> None:
    playing = with_status(phase="playing")
    playing.game = HeardGame({"White": "Tal, Mihail", "Black": "Others", "Round": str(ROUND.number)}, 12)
    (board,) = judge(ROUND, Heard({"7": playing}), "5400+30", ["7"]).boards
    (want,) = board.wants
    assert want.startswith("it has Tal, Mihail – Others; its game began so. Next: give its result on the page")
    assert "hall result" not in want


def over(result: str = "0-1", status: str = "final", **tags: str) -> HeardBoard:
    """The game was played here, and the pieces stand as they stood at its end."""
    told = with_status(phase="setting-up", missing=("f2", "d8"), clock_s=(3, 4))
    told.game = HeardGame(TAGS | {"Round": "4"} | tags, 12, HeardResult(result, status))
    return told


BY_HAND = Given(round=4, table="7", white="Polgár, Judit", black="Hou, Yifan", result="1/2-1/2", at="2026-03-04")


@pytest.mark.parametrize(
    ("told", "given", "of_boards", "result"),
    [
        (over(), [], [], "0-1"),
        (over(), [BY_HAND], [], "1/2-1/2"),
        (over(Round="3"), [], [], None),
        (over(White="Tal, Mihail"), [], [], None),
        (over(status="proposed"), [], [], None),
        (over(White="A friend"), [], [msgspec.structs.replace(BY_HAND, source="board")], "1/2-1/2"),
        (READY, [BY_HAND], [], "1/2-1/2"),
        (READY, [BY_HAND, msgspec.structs.replace(BY_HAND, result=None, at="2026-03-05")], [], None),
        (HeardBoard(), [BY_HAND], [], "1/2-1/2"),
        (with_status(phase="playing"), [BY_HAND], [], None),
    ],
)
def test_a_board_whose_game_has_its_result_is_finished_and_asked_for_nothing(
    told: HeardBoard, given: list[Given], of_boards: list[Given], result: Score | None
) -> None:
    found = judge(ROUND, Heard({"7": told}), "5400+30", ["7"], given, of_boards)
    (board,) = found.boards
    assert (board.doing == "finished", board.result) == (result is not None, result)
    if result is not None:
        assert (found.ready, board.wants) == (True, [])
        assert [*_lines(found)] == [
            "round 4: 1 game finished",
            f"7  {f'finished {result}':<10}  Polgar, Judit – Hou, Yifan",
        ]


def test_finished_games_are_counted_apart_from_boards_that_are_ready_or_not() -> None:
    pairings = [
        Pairing(table=table, white=Player(name=f"W{table}"), black=Player(name=f"B{table}"))
        for table in ("7", "8", "9")
    ]
    playing = with_status(phase="playing")
    playing.game = HeardGame({"White": "W8", "Black": "B8"}, 2)
    heard = Heard({"7": over(White="W7", Black="B7"), "8": playing, "9": HeardBoard()})
    found = judge(Round(number=4, pairings=tuple(pairings)), heard, None)
    assert not found.ready
    assert [*_lines(found)] == [
        "round 4: 1 of 2 boards ready, 1 of them playing; 1 game finished",
        "7  finished 0-1  W7 – B7",
        "8  playing       W8 – B8",
        "9  AWAY          W9 – B9",
        "                 nothing was ever heard of it",
    ]


def test_a_board_on_a_shared_connection_is_there_while_that_is_the_same() -> None:
    told = with_status(via="hall/x/status", connected_at=5)
    assert judged(told, connections={"hall/x/status": HeardStatus("online", 5)}).ready
    assert not judged(told, connections={"hall/x/status": HeardStatus("offline", 5)}).ready
    assert not judged(told, connections={"hall/x/status": HeardStatus("online", 6)}).ready


def test_what_is_wrong_with_the_equipment_keeps_a_board_from_being_ready_but_not_what_it_wants_anyhow() -> None:
    at_start = TechnicalNotice("start", "the start position is not on the board: e2", "", "")
    (board,) = judged(with_status(notices=(WARM, at_start))).boards
    assert (board.ready, board.notices) == (False, [WARM])


def test_a_round_on_tables_that_the_hall_does_not_have_is_not_ready() -> None:
    heard = Heard({"8": READY})
    found = judge(ROUND, heard, None)
    assert (found.ready, found.wants) == (False, ["table 7 has no board: Polgar, Judit – Hou, Yifan"])
    assert found.boards[0].doing == "free"
    assert not judge(None, heard, None).ready


@given(st.integers(-5000, 5000), st.integers(0, 400), st.integers(0, 400))
def test_the_time_of_day_is_never_thought_to_differ_by_more_than_it_does(ahead: int, there: int, back: int) -> None:
    began = 1_000_000
    heard = Heard({"7": HeardBoard()})
    answer = json.dumps({"type": "done", "at": began + there + ahead}).encode()
    hall_heard.take(heard, "board/7/answer/x", answer, began, began + there + back)
    found = heard.boards["7"].ahead_ms
    assert heard.boards["7"].answered
    assert found is not None
    assert found * ahead >= 0
    assert abs(ahead) - max(there, back) <= abs(found) <= abs(ahead)


def lift(daemon: Daemon, number: str, square: chess.Square) -> None:
    driver = daemon.stations[number].boards[None]
    assert isinstance(driver, SimulatedBoard)
    driver.electrical.lift(square)


@pytest.mark.parametrize("own_broker", [True, False])
def test_a_hall_that_init_has_written_is_ready_once_its_pieces_stand_and_its_players_are_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_broker: bool
) -> None:
    folder = tmp_path / "lyon"
    more = [] if own_broker else ["--broker", "localhost"]
    jadoube("hall", "init", folder, "--simulate", "--boards", "1-3", "--clock", "90+30", "--yes", *more)
    config = (folder / "hall.toml").read_text().replace("# port = 8064", "port = 0")
    host = None
    if not own_broker:
        need_mosquitto()
        assert MOSQUITTO is not None
        host = Host(folder)
        config = config.replace("port = 8883", f"port = {host.port}")
    (folder / "hall.toml").write_text(config)
    pairings = folder / "pairings.csv"
    pairings.write_text("Round;Board;White;Black\n1;1;Polgár, Judit;Hou, Yifan\n1;3;Smith, John;Doe, Ann\n")

    async def scene() -> None:
        async with running(load(folder / "hall.toml")) as daemon:
            await until(lambda: all(each.session.phase(None).phase == "ready" for each in daemon.stations.values()))
            assert "no round is in force" in await found(folder, capsys, 1, "no round: 0 of 3 boards ready")
            await asyncio.to_thread(jadoube, "hall", "round", 1, pairings, "--config", folder / "hall.toml", "--yes")
            assert "no game in this round: 2" in await found(folder, capsys, 0, "round 1: 2 of 2 boards ready")
            lift(daemon, "3", chess.E2)
            told = json.loads(await found(folder, capsys, 1, "not as at the start", "--json"))
            assert not told["ready"]
            assert [board["number"] for board in told["boards"] if not board["ready"]] == ["3"]
            assert told["boards"][2]["wants"] == ["not as at the start: e2"]
            lift(daemon, "1", chess.E2)
            by_hand = ("hall", "result", "3", "1-0", "--config", folder / "hall.toml")
            await asyncio.to_thread(jadoube, *by_hand)
            assert "3  finished 1-0" in await found(folder, capsys, 1, "round 1: 0 of 1 board ready; 1 game finished")

    try:
        asyncio.run(scene())
        if host is not None:
            status, out = checked(folder, capsys)
            assert status == 1
            assert out.count("it is away") == 1
    finally:
        if host is not None:
            host.stop()


def test_boards_with_computers_of_their_own_are_told_the_round_and_asked_like_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need_mosquitto()
    folder = tmp_path / "lyon"
    jadoube("hall", "init", folder, "--tables", "--boards", "1-2", "--clock", "3+2", "--broker", "localhost", "--yes")
    host = Host(folder)
    host.fit(folder / "hall.toml")
    pairings = tmp_path / "pairings.csv"
    pairings.write_text("Round;Board;White;Black\n1;1;A;B\n1;2;C;D\n")
    tables = [tmp_path / "pi-1", tmp_path / "pi-2"]
    for number, table in enumerate(tables, 1):
        jadoube("hall", "join", folder / f"tables/board-{number}", "--to", table)
        config = host.fit(table / "jadoube.toml")
        config.write_text(config.read_text().replace("/dev/ttyACM0", str(table / "port")))

    async def scene() -> None:
        one, two = (load(table / "jadoube.toml") for table in tables)
        async with running(one):
            async with running(two) as second:
                await until(lambda: second.only.session.phase(None).phase == "ready")
                await asyncio.to_thread(
                    jadoube, "hall", "round", 1, pairings, "--config", folder / "hall.toml", "--yes"
                )
                await found(folder, capsys, 0, "round 1: 2 of 2 boards ready")
            assert (await found(folder, capsys, 1, "it is away")).count("it is away") == 1

    try:
        with DgtEmulator(tables[0] / "port"), DgtEmulator(tables[1] / "port"):
            asyncio.run(scene())
    finally:
        host.stop()


def test_before_the_daemon_was_ever_started_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jadoube("hall", "init", tmp_path / "lyon", "--simulate", "--yes")
    with pytest.raises(SystemExit) as stopped:
        main(["hall", "check", "--config", str(tmp_path / "lyon/hall.toml")])
    assert stopped.value.code == 2
    assert "it was not started yet" in capsys.readouterr().err


def test_where_the_daemon_was_stopped_it_is_not_the_broker_that_is_blamed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jadoube("hall", "init", tmp_path / "lyon", "--simulate", "--yes")
    beside(tmp_path / "lyon/jadoube.sqlite", "-broker").write_text("43069")  # where its own broker was
    with pytest.raises(SystemExit) as stopped:
        main(["hall", "check", "--config", str(tmp_path / "lyon/hall.toml")])
    said = capsys.readouterr().err
    assert (stopped.value.code, "jadoube run --config" in said) == (2, True)
    assert "no daemon plays the boards" in said


def test_a_daemon_that_hangs_does_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status is retained; nobody is behind it."""
    monkeypatch.setattr(hall_heard, "ANSWER_S", 0.5)
    jadoube("hall", "init", tmp_path, "--simulate", "--boards", "1", "--yes")
    config = tmp_path / "hall.toml"
    config.write_text(config.read_text() + f'\n[mqtt]\nhost = "127.0.0.1"\nport = {mosquitto.port}\n')
    pairings = tmp_path / "pairings.csv"
    pairings.write_text("Round;Board;White;Black\n1;1;A;B\n")
    jadoube("hall", "round", 1, pairings, "--config", config, "--yes")
    said = {"state": "online", "phase": "ready", "tags": {"White": "A", "Black": "B"}}

    async def say() -> None:
        async with client_of(load(config).mqtt, ProtocolVersion.V5) as client:  # type: ignore[arg-type]
            await client.publish("jadoube/v1/club/board/1/status", json.dumps(said), qos=1, retain=True)

    asyncio.run(say())
    capsys.readouterr()
    status, out = checked(tmp_path, capsys)
    assert status == 1
    assert "it does not answer" in out
