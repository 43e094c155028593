"""A hall of several computers: one round for all, one list of results, and times of day that are compared.

Each computer is a process of its own, under what ``jadoube hall init`` and ``jadoube hall join`` have written, at a
real mosquitto with their passwords and access list.
"""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import chess
import pytest
from aiomqtt import ProtocolVersion
from hall import need_mosquitto, running, until
from hall_host import Host, found, jadoube
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.main import main
from controller.config import HallConfig, load
from controller.outlets.mqtt import times
from controller.outlets.mqtt.connection import client_of
from controller.outlets.mqtt.times import APART_MS, Known, TimeOfDay, Times, judge, majority
from controller.outlets.notices import Notices
from controller.wire import encode
from hardware.boards.simulated import SimulatedBoard

RUN = "import sys; from controller.cli.main import main; main(sys.argv[1:])"
ANOTHER = "from controller.outlets.mqtt import times; times.boot = lambda: 'another'; "
AHEAD = ANOTHER + "import time; now = time.time_ns; time.time_ns = lambda: now() + 3_200_000_000; " + RUN
ROUND = "Round;Board;White;Black\n1;1;Ann;Bo\n1;2;Cid;Dora\n1;3;Eve;Fay\n1;4;Gus;Hal\n"


class Hall:
    """Boards 1 and 2 at the organiser's computer, 3 and 4 at another, ``pc-2``."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.other = folder / "hall", folder / "pc-2"
        more = ("--event", "Open", "--clock", "90+30", "--broker", "localhost", "--yes")
        jadoube("hall", "init", self.folder, "--simulate", "--boards", "1-2", *more)
        jadoube("hall", "init", self.folder, "--computer", "pc-2", "--boards", "3-4", "--yes")
        jadoube("hall", "join", self.folder / "tables/pc-2", "--simulate", "--to", self.other)
        self.host = Host(self.folder)
        self.configs = [self.host.fit(self.folder / "hall.toml"), self.host.fit(self.other / "jadoube.toml")]
        self.pairings = folder / "pairings.csv"
        self.pairings.write_text(ROUND)

    def round(self, file: Path | None = None) -> None:
        jadoube("hall", "round", 1, file or self.pairings, "--config", self.configs[0], "--yes")

    async def command(self, number: str, *commands: dict[str, Any]) -> None:
        """Given by the other computer, whom the access list lets write under its own boards."""
        mqtt = load(self.configs[1]).mqtt
        assert mqtt is not None
        async with client_of(mqtt, ProtocolVersion.V5) as client:
            for command in commands:
                await client.publish(f"jadoube/v1/club/board/{number}/cmd/pc-2", json.dumps(command), qos=1)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    need_mosquitto()
    hall = Hall(tmp_path)
    yield hall
    hall.host.stop()


@contextlib.asynccontextmanager
async def process(config: Path, program: str = RUN) -> AsyncIterator[None]:
    """A daemon, stopped in order at the end."""
    log = config.with_suffix(".log").open("a")
    running = subprocess.Popen([sys.executable, "-c", program, "run", "--config", str(config)], stdout=log, stderr=log)
    try:
        yield
    finally:
        running.send_signal(signal.SIGTERM)
        await asyncio.to_thread(running.wait, 15)
        log.close()


def results(hall: Hall, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["hall", "results", "--json", "--config", str(hall.configs[0])])
    assert not ended.value.code
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


async def result_of(hall: Hall, capsys: pytest.CaptureFixture[str], table: int, wanted: str) -> dict[str, Any]:
    """All results, once that table has this one."""
    for _ in range(50):
        told = await asyncio.to_thread(results, hall, capsys)
        if told["games"][table - 1]["pairing"]["result"] == wanted:
            return told
        await asyncio.sleep(0.1)
    raise AssertionError(told)


def test_one_round_reaches_the_boards_of_all_computers_and_their_results_come_back(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        ours, theirs = hall.configs
        async with process(ours):
            async with process(theirs):
                await asyncio.to_thread(hall.round)
                await found(hall.folder, capsys, 0, "round 1: 4 of 4 boards ready")
                begin = {"type": "new-game"}
                await hall.command("3", begin, {"type": "arbiter", "do": "result", "result": "1-0", "text": "agreed"})
                told = await result_of(hall, capsys, 3, "1-0")
                assert told["unreached"] == []
                assert [each["by"] for each in told["games"][2]["history"]] == ["pc-2 (board 3)"]
            hall.host.stop()
            hall.host.start()  # and has forgotten all that it retained
            async with process(theirs):
                said = await found(hall.folder, capsys, 1, "3 of 3 boards ready; 1 game finished")
                assert "the broker does not tell boards 3-4 this round" in said
                again = hall.folder / "rounds/1.csv"
                await asyncio.to_thread(hall.round, again)
                await found(hall.folder, capsys, 0, "round 1: 3 of 3 boards ready; 1 game finished")
            told = await result_of(hall, capsys, 3, "1-0")
            assert [(each["number"], each["what"]) for each in told["unreached"]] == [
                ("3", "it is away"),
                ("4", "it is away"),
            ]
            assert all(each["known"] for each in told["unreached"])

    asyncio.run(scene())


def test_without_the_broker_a_round_is_in_force_here_and_it_is_said_who_does_not_have_it(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    hall.host.stop()
    with pytest.raises(SystemExit) as ended:
        main(["hall", "round", "1", str(hall.pairings), "--config", str(hall.configs[0]), "--yes"])
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert "round 1 is in force" in said.out
    assert "boards 3-4, at other computers, are not told: the broker" in said.err
    assert f"then: jadoube hall round 1 {hall.folder}/rounds/1.csv" in said.err
    assert {each["number"] for each in results(hall, capsys)["unreached"]} == {"3", "4"}
    hall.host.start()


def test_the_organiser_alone_may_tell_a_round(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    text = hall.configs[0].read_text()
    secret = hall.folder / "broker/secrets/pc-2"
    text = text.replace('user = "hall"', 'user = "pc-2"').replace(f"{hall.folder}/mqtt-password", str(secret))
    hall.configs[0].write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["hall", "round", "1", str(hall.pairings), "--config", str(hall.configs[0]), "--yes"])
    assert ended.value.code == 1
    assert "does not keep the round in force" in (said := capsys.readouterr().err)
    assert "install.sh" in said


def test_what_a_board_elsewhere_played_is_exported_as_its_own_computer_wrote_it(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene() -> None:
        async with running(load(hall.configs[1])) as daemon:
            await asyncio.to_thread(hall.round)
            station = daemon.stations["4"]
            await until(lambda: station.session.phase(None).tags.get("White") == "Gus")
            await hall.command("4", {"type": "new-game"})
            await until(lambda: station.session.playing)
            board = station.boards[None]
            assert isinstance(board, SimulatedBoard)
            for side, uci in (("white", "e2e4"), ("black", "e7e5"), ("white", "g1f3")):
                move = chess.Move.from_uci(uci)
                board.electrical.lift(move.from_square)
                await asyncio.sleep(0.1)
                board.electrical.place(move.to_square)
                await asyncio.sleep(0.5)
                await hall.command("4", {"type": "press", "side": side})
            await until(lambda: (pgn := _pgn(hall.other)) and "2. Nf3" in pgn and pgn.count("%clk") == 3)
            await hall.command("4", {"type": "resign", "side": "black"})
            await until(lambda: (pgn := _pgn(hall.other)) and '[Result "1-0"]' in pgn)
            await result_of(hall, capsys, 4, "1-0")
        out = hall.folder / "out"
        await asyncio.to_thread(jadoube, "hall", "export", "--config", hall.configs[0], "--out", out)
        assert "it is away; games are known up to" in capsys.readouterr().out
        assert (out / "round-1-1.pgn").read_text() == _pgn(hall.other)
        assert "Nf3" in (out / "round-1-sheets.html").read_text()

    asyncio.run(scene())


def _pgn(folder: Path) -> str:
    return "".join(path.read_text() for path in (folder / "games").glob("*.pgn"))


# -- where the boards are ----------------------------------------------------------------------------------------------


def test_a_second_time_nothing_changes_and_a_computer_that_has_grown_keeps_its_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = tmp_path / "fresh"
    jadoube("hall", "init", fresh, "--simulate", "--boards", "1-2", "--broker", "localhost", "--yes")
    jadoube("hall", "init", fresh, "--computer", "pc-2", "--boards", "3-4", "--yes")
    jadoube("hall", "init", fresh, "--tables", "certabo", "--boards", "5", "--yes")
    for again in (["--yes"], ["--boards", "3-4", "--computer", "pc-2", "--yes"], ["--boards", "1-5", "--yes"]):
        capsys.readouterr()
        jadoube("hall", "init", fresh, *again)
        assert "nothing changes" in capsys.readouterr().out
    assert (fresh / "boards.csv").read_text().splitlines()[1:] == [
        "1;simulated",
        "2;simulated",
        "3;at pc-2",
        "4;at pc-2",
        "5;at its table",
    ]
    ports = [tmp_path / f"port-{number}" for number in (1, 2, 3)]
    for port in ports:
        port.touch()
    jadoube("hall", "join", fresh / "tables/pc-2", "--dgt-serial", *ports[:2], "--to", tmp_path / "pc")
    jadoube("hall", "init", fresh, "--boards", "6", "--computer", "pc-2", "--yes")
    jadoube("hall", "join", fresh / "tables/pc-2", "--dgt-serial", *ports, "--to", tmp_path / "pc")
    config = load(tmp_path / "pc/jadoube.toml")
    assert isinstance(config, HallConfig)
    assert {place.number: getattr(place.board, "port", "") for place in config.boards} == {
        number: str(port) for number, port in zip("346", ports, strict=True)
    }
    capsys.readouterr()
    jadoube("hall", "init", fresh, "--boards", "7", "--dgt-serial", tmp_path / "port-9", "--yes")
    assert "sudo systemctl reload jadoube-hall.service" in capsys.readouterr().out
    here = load(fresh / "hall.toml")
    assert [place.number for place in here.named.values()] == ["1", "2", "7"], "the others are played elsewhere"


def test_a_hall_of_tables_gets_boards_at_the_organisers_computer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jadoube("hall", "init", tmp_path, "--tables", "--boards", "1-2", "--broker", "localhost", "--yes")
    assert not (tmp_path / "jadoube-hall.service").exists()
    jadoube("hall", "init", tmp_path, "--simulate", "--boards", "3", "--yes")
    assert f"sudo systemctl enable --now {tmp_path}/jadoube-hall.service" in capsys.readouterr().out
    assert list(load(tmp_path / "hall.toml").named) == ["3"]
    access = (tmp_path / "broker/acl").read_text()
    assert access.count("topic readwrite jadoube/v1/club/round") == 1
    assert access.count("topic read jadoube/v1/club/round") == 2


def test_a_hall_with_a_broker_of_its_own_gets_one_that_others_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jadoube("hall", "init", tmp_path, "--simulate", "--boards", "1-2", "--yes")
    jadoube("hall", "init", tmp_path, "--boards", "3", "--computer", "pc-2", "--broker", "localhost", "--yes")
    assert "sudo systemctl restart jadoube-hall.service" in capsys.readouterr().out
    assert (tmp_path / "tables/pc-2").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--boards", "5", "--computer", "pc-2", "--tables"), "the new boards are all at one place"),
        (("--boards", "5", "--computer", "table"), "no other computer can be called table"),
        (("--boards", "5", "--computer", "hall"), "no other computer can be called hall"),
        (("--boards", "5", "--computer", "pc 2"), "a name with spaces"),
        (("--boards", "5", "--tables", "--broker", ""), "boards at other computers need a broker"),
    ],
)
def test_what_will_not_do_is_refused_and_nothing_is_written(
    tmp_path: Path, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broker = () if "--broker" in arguments else ("--broker", "localhost")
    jadoube("hall", "init", tmp_path, "--simulate", "--boards", "1-2", *broker, "--yes")
    before = (tmp_path / "hall.toml").read_text()
    with pytest.raises(SystemExit) as ended:
        main(["hall", "init", str(tmp_path), *arguments, "--yes"])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert (tmp_path / "hall.toml").read_text() == before


# -- the time of day ---------------------------------------------------------------------------------------------------


def test_of_two_computers_that_differ_both_say_so_and_neither_is_accused(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(times, "TELL_S", 0.2)

    async def scene() -> None:
        await asyncio.to_thread(hall.round)
        async with running(load(hall.configs[0])) as daemon, process(hall.configs[1], AHEAD):
            await until(lambda: _of(daemon.notices.current) is not None)
            notice = _of(daemon.notices.current)
            assert notice.what == "the times of day here and at boards 3-4 are 3.2 s apart"
            assert "cannot be known" in notice.cause
            assert "timedatectl" in notice.next_step
            for words in (
                "the times of day here and at boards 1-2 are 3.2 s apart",
                "the time of day at its computer is 3.2 s ahead of ours",
            ):
                await found(hall.folder, capsys, 1, words)

    asyncio.run(scene())


def _of(notices: Any) -> Any:
    return next((notice for notice in notices if notice.source == "times of day"), None)


OTHERS = st.dictionaries(st.text(min_size=1), st.integers(-(10**7), 10**7), max_size=8)


@given(OTHERS)
def test_only_who_differs_from_most_says_that_it_is_wrong(ahead: dict[str, int]) -> None:
    error = judge(ahead)
    agree = sum(abs(ms) <= APART_MS for ms in ahead.values()) + 1
    if 2 * agree > len(ahead) + 1:
        assert error is None or majority(ahead.values()) not in (None, 0)
    if error is None:
        assert all(abs(ms) <= APART_MS for ms in ahead.values()) or majority(ahead.values()) is not None
    elif "most computers" not in error.what:
        assert majority(ahead.values()) is None


@pytest.mark.parametrize(
    ("ahead", "what"),
    [
        ({}, None),
        ({"board 2": 999}, None),
        ({"board 2": 3200}, "the times of day here and at board 2 are 3.2 s apart"),
        ({"board 2": -3200}, "the times of day here and at board 2 are 3.2 s apart"),
        ({"board 2": 3200, "board 3": 10}, None),
        ({"board 2": 3200, "board 3": 3250}, "the time of day here is 3.2 s behind that of most computers of the hall"),
        ({"board 2": 5000, "board 3": -5000}, "the times of day here and at board 2 are 5.0 s apart"),
    ],
)
def test_who_is_right(ahead: dict[str, int], what: str | None) -> None:
    error = judge(ahead)
    assert (None if error is None else error.what) == what


def test_daemons_of_one_computer_have_one_voice() -> None:
    """Two of a computer that is ahead, and we: no majority is against us."""
    notices = Notices()
    ours = Times("hall", "board/1", ["1"], notices)
    for number in ("2", "3"):
        said = TimeOfDay(time.time_ns() // 1_000_000 + 3200, (number,), "another")
        ours.hear(heard(f"jadoube/v1/hall/board/{number}/time", encode(said)))
    (notice,) = notices.current
    assert "apart" in notice.what
    ours.hear(heard("jadoube/v1/hall/board/4/time", encode(TimeOfDay(0, ("4",), times.boot()))))
    assert notices.current == (notice,), "what is ours is not compared"


def heard(topic: str, payload: bytes) -> aiomqtt.Message:
    return aiomqtt.Message(topic, payload, 1, False, 1, None)


def test_a_message_that_was_held_up_makes_nobody_late() -> None:
    known = Known()
    known.heard.append((1_000_000, 5_000))
    assert known.ahead_ms(1_000_000) is None, "it was said once"
    known.heard.append((1_060_000, 60_000))
    assert known.ahead_ms(1_000_000) == 0
