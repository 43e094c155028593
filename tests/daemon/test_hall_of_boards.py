"""Many boards in one daemon: each its own game, whatever becomes of the others."""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiomqtt
import chess
import pytest
from double import Listener
from hall import Mosquitto, free_port, running, until
from many import SIMULATED, all_playing, make, many, moves_on
from msgspec import structs

from controller.config import LampsConfig, check
from controller.daemon import reload, station
from controller.daemon.service import Daemon
from controller.errors import ConfigError, JadoubeError
from controller.journal import Journal
from hardware.boards import Reading
from hardware.boards.dgt_protocol import Command
from hardware.simulator.dgt import DgtEmulator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

from broker_network import Network

ROOT = Path(__file__).resolve().parents[2]


def hall_mqtt(mosquitto: Mosquitto) -> dict[str, Any]:
    return {"host": "127.0.0.1", "port": mosquitto.port}


def said(daemon: Daemon) -> set[str]:
    return {notice.source for notice in daemon.notices.current}


def test_each_board_has_its_game_in_one_journal_and_its_own_pgn(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(many(tmp_path, "1", "2", "17")) as daemon:
            await all_playing(daemon)
            await make(daemon, "1", "e2e4")
            await asyncio.gather(make(daemon, "2", "d2d4", "d7d5"), make(daemon, "17", "c2c4"))
            await until(lambda: len([*(tmp_path / "games").glob("*.pgn")]) == 3)
            await asyncio.sleep(0.1)
        journal = Journal(tmp_path / "journal.sqlite")
        assert {number: moves_on(journal, number) for number in ("1", "2", "17")} == {
            "1": ["e2e4"],
            "2": ["d2d4", "d7d5"],
            "17": ["c2c4"],
        }
        assert sorted(opening.board for opening in journal.openings()) == ["1", "17", "2"]
        assert journal.verify().records == journal.head.seq
        journal.close()
        scores = "".join(path.read_text() for path in (tmp_path / "games").glob("*.pgn"))
        assert all(f'[Board "{number}"]' in scores for number in ("1", "2", "17"))
        assert all(line in scores for line in ("1. e4 *", "1. d4 d5 *", "1. c4 *"))

    asyncio.run(scene())


def test_boards_that_see_more_and_less_play_beside_each_other(tmp_path: Path) -> None:
    dgt = {"type": "dgt", "port": str(tmp_path / "board-2")}

    async def scene() -> None:
        with DgtEmulator(tmp_path / "board-2") as board:
            async with running(many(tmp_path, "1", boards={"2": dgt})) as daemon:
                await all_playing(daemon)
                await make(daemon, "1", "e2e4")
                board.lift(8)
                board.place(16, "P")
                await until(lambda: moves_on(daemon.journal, "2") == ["a2a3"])
                sessions = {opening.board: opening.session.senses for opening in daemon.journal.openings()}
                assert sessions == {"1": "occupancy", "2": "identity"}

    asyncio.run(scene())


def test_a_board_whose_table_raises_slows_no_other(tmp_path: Path) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect for the test")

    async def scene() -> None:
        async with running(many(tmp_path, "1", "2")) as daemon:
            await all_playing(daemon)
            table = daemon.stations["1"].table
            table.take, table.wake = broken, broken  # type: ignore[method-assign]
            daemon.stations["1"].boards[None].electrical.lift(8)
            await until(lambda: "table 1" in said(daemon))
            await make(daemon, "2", "e2e4", "e7e5")
            assert [notice.source for notice in daemon.stations["1"].notices.current] == ["table"]
            assert not daemon.stations["2"].notices.current

    asyncio.run(scene())


def test_a_board_that_floods_lets_the_others_have_their_turn(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(many(tmp_path, "1", "2")) as daemon:
            await all_playing(daemon)
            one = daemon.stations["1"]

            def flood() -> None:
                for count in range(3 * station.WAITING):
                    time.sleep(one.emit(Reading(time.monotonic_ns(), 0xFFFF00000000FFFF ^ (count & 1) << 30)))

            flooding = asyncio.create_task(asyncio.to_thread(flood))
            handled, waiting = [], [0]
            while not flooding.done():
                waiting.append(len(one._inbox))
                await asyncio.sleep(0)
                handled.append(waiting[-1] - len(one._inbox))
            assert max(handled) <= station.AT_ONCE
            assert max(waiting) <= station.WAITING + 1, "who has sent so much waits"
            await until(lambda: not one._inbox, within=60)
            await make(daemon, "2", "e2e4")

    asyncio.run(scene())


def test_a_board_that_is_pulled_out_and_comes_back_in_mid_game(tmp_path: Path) -> None:
    boards = {number: {"type": "dgt", "port": str(tmp_path / f"board-{number}")} for number in ("1", "2")}

    async def scene() -> None:
        with DgtEmulator(tmp_path / "board-1") as one, DgtEmulator(tmp_path / "board-2") as two:
            async with running(many(tmp_path, boards=boards)) as daemon:
                await all_playing(daemon)
                one.unplug()
                await until(lambda: "board 1" in said(daemon))
                two.lift(8)
                two.place(16, "P")
                await until(lambda: moves_on(daemon.journal, "2") == ["a2a3"])
                assert [*said(daemon)] == ["board 1"]
                assert not daemon.stations["2"].notices.current
                one.plug()
                await until(lambda: not said(daemon))
                one.lift(8)
                one.place(24, "P")
                await until(lambda: moves_on(daemon.journal, "1") == ["a2a4"])

    asyncio.run(scene())


def test_all_games_go_on_after_a_kill(tmp_path: Path, mosquitto: Mosquitto) -> None:
    """The daemon in a process of its own, killed in mid-game and started again; then ended, with nothing lost."""
    numbers = ("1", "2", "3")
    lines = ['[event]\nvenue = "hall"\n[start]\nby = "at-once"\nready_s = 0.1', '[mqtt]\nhost = "127.0.0.1"']
    lines += [f"port = {mosquitto.port}", f'[pgn]\ndirectory = "{tmp_path}/games"']
    lines += [f'[journal]\npath = "{tmp_path}/journal.sqlite"']
    lines += [f'[[boards]]\nnumber = "{n}"\nboard = {{ type = "dgt", port = "{tmp_path}/board-{n}" }}' for n in numbers]
    config = tmp_path / "hall.toml"
    config.write_text("\n".join(lines))

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
        return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)

    async def play(boards: list[DgtEmulator], heard: Listener, piece: str, first: int, last: int) -> None:
        """A step of three pawns, each on its board, once all boards are seen."""
        await until(lambda: all(Command.UPDATE_NICE in board.received for board in boards), within=30)
        for number in numbers:
            playing = f"board/{number}/status"
            await until(lambda on=playing: heard.on(on) and heard.on(on)[-1].get("phase") == "playing", within=30)
        await asyncio.sleep(0.3)
        for file, board in enumerate(boards):
            board.lift(file + first)
            board.place(file + last, piece)
        for number, file in zip(numbers, range(3), strict=True):
            uci = chess.SQUARE_NAMES[file + first] + chess.SQUARE_NAMES[file + last]
            made = f"board/{number}/move"
            await until(lambda on=made, uci=uci: any(move["uci"] == uci for move in heard.on(on)))

    async def scene() -> None:
        with contextlib.ExitStack() as stack:
            boards = [stack.enter_context(DgtEmulator(tmp_path / f"board-{number}")) for number in numbers]
            async with Listener(mosquitto.port) as heard:
                daemon = start()
                try:
                    await play(boards, heard, "P", chess.A2, chess.A4)
                finally:
                    daemon.kill()
                    daemon.wait()
                (via,) = {heard.on(f"board/{number}/status")[-1]["via"] for number in numbers}
                await until(lambda: heard.on(via)[-1]["state"] == "offline")
                heard.heard.clear()
                for board in boards:
                    board.received.clear()
                daemon = start()
                try:
                    await play(boards, heard, "p", chess.A7, chess.A5)
                    daemon.send_signal(signal.SIGTERM)
                    began = time.monotonic()
                    assert await asyncio.to_thread(daemon.wait, 10) == 0
                    assert time.monotonic() - began < 5
                finally:
                    daemon.kill()
                    daemon.wait()
                for number in numbers:
                    on = f"board/{number}/status"
                    await until(lambda on=on: heard.on(on)[-1]["state"] == "offline")

    asyncio.run(scene())
    journal = Journal(tmp_path / "journal.sqlite")
    assert [moves_on(journal, number) for number in numbers] == [["a2a4", "a7a5"], ["b2b4", "b7b5"], ["c2c4", "c7c5"]]
    assert len([*journal.openings()]) == 3
    journal.close()


@pytest.mark.broker
def test_each_board_has_its_topics_and_commands_on_one_connection(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto))
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            assert len(daemon.mqtt) == 1
            await asyncio.gather(make(daemon, "1", "e2e4"), make(daemon, "2", "d2d4"))
            await heard.command(topic="board/2", type="resign", side="black")
            await until(lambda: any(each["result"] for each in heard.on("board/2/state")))
            await until(lambda: any(each["type"] == "done" for each in heard.on("board/2/event")))
            assert [move["uci"] for move in heard.on("board/1/move")] == ["e2e4"]
            assert [move["uci"] for move in heard.on("board/2/move")] == ["d2d4"]
            assert not any(each["result"] for each in heard.on("board/1/state"))
            (via,) = {status["via"] for number in "12" for status in heard.on(f"board/{number}/status")}
            (online,) = heard.on(via)
            assert online["state"] == "online"
            for number in "12":
                assert heard.on(f"board/{number}/status")[-1]["connected_at"] == online["connected_at"]
                assert set(heard.on(f"board/{number}/health")[-1]["measured"]["behind"]) == {
                    f"mqtt {number}",
                    f"pgn {number}",
                }
            await whole(heard, "1")
            await whole(heard, "2")

    asyncio.run(scene())


async def whole(heard: Listener, number: str) -> None:
    """By the rule of receivers nothing is missing on that board."""
    last = 0
    for event in heard.on(f"board/{number}/event"):
        if event["type"] not in ("done", "refused"):
            assert event["after"] == last
            last = event["seq"]
    await until(lambda: heard.on(f"board/{number}/head")[-1]["last"] == last)


@pytest.mark.broker
def test_where_the_connection_breaks_the_last_will_is_said_on_what_each_board_names(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    async def scene() -> None:
        async with Network(mosquitto.port, random.Random(1)) as network, Listener(mosquitto.port) as heard:
            config = many(tmp_path, "1", "2", mqtt={"host": "127.0.0.1", "port": network.port})
            async with running(config):
                await until(lambda: heard.on("board/1/status") and heard.on("board/2/status"))
                status = heard.on("board/1/status")[-1]
                network.reset()
                await until(lambda: any(each["state"] == "offline" for each in heard.on(status["via"])))
                will = next(each for each in heard.on(status["via"]) if each["state"] == "offline")
                assert will["connected_at"] == status["connected_at"]
                for number in "12":
                    on = f"board/{number}/status"
                    await until(lambda on=on: heard.on(on)[-1]["connected_at"] != status["connected_at"])
                    assert {each["state"] for each in heard.on(on)} == {"online"}, heard.on(on)
            await until(lambda: heard.on(status["via"])[-1]["state"] == "offline")
            assert heard.on("board/2/status")[-1]["state"] == "offline"

    asyncio.run(scene())


@pytest.mark.broker
def test_a_channel_with_a_defect_keeps_no_other_from_the_broker(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect for the test")

    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto))
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            await until(lambda: heard.on("board/1/state") and heard.on("board/2/state"))
            one = next(each for each in daemon._channels if each.feed.board == "1")
            monkeypatch.setattr(one._now, "read", broken)
            await make(daemon, "1", "e2e4")
            await until(lambda: "mqtt 1" in said(daemon))
            await make(daemon, "2", "d2d4")
            await until(lambda: heard.on("board/2/move"))
            assert len({status["connected_at"] for status in heard.on("board/2/status")}) == 1

    asyncio.run(scene())


def test_pairings_of_all_boards_come_from_one_file(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text("Round;Board;White;Black\n1;1;Ann;Bob\n1;2;Cid;Dora\n1;99;Eve;Finn\n")

    async def scene() -> None:
        config = many(tmp_path, "1", "2", "3", event={"venue": "hall", "pairings": str(file)}, start={"ready_s": 600})
        async with running(config) as daemon:
            tables = {number: each.table for number, each in daemon.stations.items()}
            assert tables["1"].expected["White"] == "Ann"
            assert tables["2"].expected["Black"] == "Dora"
            assert "White" not in tables["3"].expected
            await until(lambda: not said(daemon))
            await daemon.stations["1"].carry_out(b'{"type":"new-game"}')
            file.write_text("Round;Board;White;Black\n1;1;Gus;Hal\n1;2;Ida;Joe\n")
            await until(lambda: tables["2"].expected["White"] == "Ida")
            assert tables["1"].expected["White"] == "Ann", "a running game keeps its players"
            file.write_text("Board;Wite;Black\n1;A;B\n")
            await until(lambda: said(daemon) == {"pairings"})
            assert tables["2"].expected["White"] == "Ida"

    asyncio.run(scene())


def test_the_broadcast_and_the_pages_have_all_boards(tmp_path: Path) -> None:
    async def scene() -> None:
        config = many(tmp_path, "1", "2", console={"port": 0}, broadcast={"directory": str(tmp_path / "live")})
        async with running(config) as daemon:
            await all_playing(daemon)
            assert daemon.console is not None
            await make(daemon, "2", "e2e4")
            hub = daemon.console.arbiter["en"]
            await until(lambda: json.loads(b"{" + hub.since(0) + b"}")["boards"]["2"].get("moves"))
            boards = json.loads(b"{" + hub.since(0) + b"}")["boards"]
            assert {*boards} == {"1", "2"}
            assert not boards["1"]["moves"]
            games = tmp_path / "live" / "round-1" / "games.pgn"
            await until(lambda: games.exists() and games.read_text().count("[Event") == 2)
            assert "1. e4" in games.read_text()

    asyncio.run(scene())


@contextlib.asynccontextmanager
async def reloading(folder: Path, *numbers: str, **tables: Any) -> AsyncIterator[tuple[Daemon, dict[str, Any]]]:
    """A hall whose configuration is what stands under ``now`` when it is read again."""
    stands: dict[str, Any] = {"now": many(folder, *numbers, **tables)}

    def reread() -> Any:
        if isinstance(stands["now"], JadoubeError):
            raise stands["now"]
        return stands["now"]

    daemon = Daemon(stands["now"], reread=reread)
    task = asyncio.create_task(daemon.run())
    try:
        yield daemon, stands
    finally:
        daemon.stop()
        await asyncio.wait_for(task, 15)


@pytest.mark.broker
def test_boards_come_and_go_while_the_rest_plays(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reload, "LOOK_S", 0.02)
    tables = {"mqtt": hall_mqtt(mosquitto), "console": {"port": free_port()}}

    async def scene() -> None:
        async with Listener(mosquitto.port) as heard, reloading(tmp_path, "1", "2", **tables) as (daemon, stands):
            await all_playing(daemon)
            await make(daemon, "1", "e2e4")
            stands["now"] = many(tmp_path, "2", "3", **tables)
            os.kill(os.getpid(), signal.SIGHUP)
            await until(lambda: "3" in daemon.stations)
            await all_playing(daemon)
            await make(daemon, "3", "d2d4")
            await make(daemon, "1", "e7e5")  # its game is not over
            await make(daemon, "2", "c2c4")
            await until(lambda: heard.on("board/3/move") and len(heard.on("board/1/move")) == 2)
            await heard.command(topic="board/1", type="resign", side="white")
            await until(lambda: "1" not in daemon.stations)
            await until(lambda: heard.on("board/1/status")[-1]["state"] == "offline")
            await heard.command(topic="board/3", type="pause", side="white")
            await until(lambda: any(each["type"] == "done" for each in heard.on("board/3/event")))
            assert [*daemon.stations] == ["2", "3"]
            assert heard.on("board/2/status")[-1]["state"] == "online"
            assert daemon.console is not None
            hub = daemon.console.arbiter["en"]
            assert {*json.loads(b"{" + hub.since(0) + b"}")["boards"]} == {"2", "3"}
            assert {at for at in daemon._sending if at.endswith("1")} == set()
            await make(daemon, "2", "c7c5")

    asyncio.run(scene())


def test_a_table_that_is_changed_begins_anew_with_its_next_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reload, "LOOK_S", 0.02)

    async def scene() -> None:
        async with reloading(tmp_path, "1", "2") as (daemon, stands):
            await all_playing(daemon)
            before = dict(daemon.stations)
            one, two = stands["now"].boards
            lit = structs.replace(two, lamps=LampsConfig(mode="training"))
            stands["now"] = structs.replace(stands["now"], boards=(one, lit))
            daemon.reload()
            await asyncio.sleep(0.2)
            assert daemon.stations == before
            await before["2"].carry_out(b'{"type":"resign","side":"white"}')
            await until(lambda: daemon.stations.get("2") not in (None, before["2"]))
            assert daemon.stations["1"] is before["1"]
            assert daemon.stations["2"].config.lamps.mode == "training"

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (ConfigError("hall.toml: this is not TOML"), "not TOML"),
        (check({"board": SIMULATED}, "a test"), "something else"),
        (check({"boards": [{"number": "1", "board": SIMULATED}], "event": {"venue": "elsewhere"}}, "a"), "else"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_notice_and_changes_nothing(tmp_path: Path, now: Any, says: str) -> None:
    async def scene() -> None:
        async with reloading(tmp_path, "1", "2") as (daemon, stands):
            await all_playing(daemon)
            before, config = dict(daemon.stations), daemon.config
            stands["now"] = now
            daemon.reload()
            await until(lambda: said(daemon) == {"configuration"})
            assert says in daemon.notices.current[0].what
            await make(daemon, "1", "e2e4")
            assert (daemon.stations, daemon.config) == (before, config)
            stands["now"] = config
            daemon.reload()
            await until(lambda: not said(daemon))

    asyncio.run(scene())


def test_what_takes_effect_at_the_next_start_is_said(tmp_path: Path) -> None:
    async def scene() -> None:
        async with reloading(tmp_path, "1") as (daemon, stands):
            await all_playing(daemon)
            stands["now"] = many(tmp_path, "1", console={"port": 0})
            daemon.reload()
            await until(lambda: said(daemon) == {"configuration"})
            assert "[console]" in daemon.notices.current[0].what
            await asyncio.sleep(0.1)
            await make(daemon, "1", "e2e4")

    asyncio.run(scene())


def test_one_connection_serves_the_public_of_all_boards(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        config = many(tmp_path, "1", "2", mqtt=hall_mqtt(mosquitto) | {"public": True})
        async with Listener(mosquitto.port) as heard, running(config) as daemon:
            await all_playing(daemon)
            assert len(daemon.mqtt) == 2
            await make(daemon, "1", "e2e4")
            await until(lambda: heard.on("board/1/public/move") and heard.on("board/2/public/state"))
            assert not heard.on("board/2/public/move")
            vias = {heard.on(f"board/1/{where}status")[-1]["via"] for where in ("", "public/")}
            assert len(vias) == 2

    asyncio.run(scene())


def test_nobody_else_can_guess_by_what_name_the_broker_knows_us(tmp_path: Path, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            await client.subscribe("jadoube/#")
            async with running(many(tmp_path, "1", mqtt=hall_mqtt(mosquitto))) as daemon:
                heard = []
                async with asyncio.timeout(10):
                    async for message in client.messages:
                        heard.append(f"{message.topic} {message.payload!r}")
                        if len(heard) == 4:
                            break
                assert not any(daemon.memory.name in each for each in heard)

    asyncio.run(scene())


def test_livechess_lists_all_boards_and_home_assistant_heeds_their_connection(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    port = free_port()
    tables = {"mqtt": hall_mqtt(mosquitto), "livechess": {"port": port}, "homeassistant": {}}

    async def scene() -> None:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
            await client.subscribe("homeassistant/device/+/config")
            async with running(many(tmp_path, "1", "2", **tables)) as daemon:
                await all_playing(daemon)
                await make(daemon, "2", "e2e4")
                asked = f"http://127.0.0.1:{port}/api/v1.0/eboards"
                listed = json.loads(await asyncio.to_thread(lambda: urllib.request.urlopen(asked, timeout=5).read()))
                assert [board["serialnr"] for board in listed] == ["1", "2"]
                assert listed[1]["board"].startswith("rnbqkbnr/pppppppp/8/8/4P3")
                told = []
                async with asyncio.timeout(10):
                    async for message in client.messages:
                        assert isinstance(message.payload, bytes)
                        told.append(json.loads(message.payload))
                        if len(told) == 2:
                            break
                shared = f"jadoube/v1/hall/{daemon.mqtt[0].shared(daemon.memory)}"
                assert [[each["topic"] for each in device["availability"]] for device in told] == [
                    [f"jadoube/v1/hall/board/{number}/status", shared] for number in "12"
                ]
                assert {device["availability_mode"] for device in told} == {"all"}

    asyncio.run(scene())
