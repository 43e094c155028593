"""A hall whose configuration is read again while games are played."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from double import Listener
from hall import Mosquitto, free_port, until
from many import SIMULATED, all_playing, hall_mqtt, make, many, said
from msgspec import structs

from controller.config import LampsConfig, check
from controller.daemon import reload
from controller.daemon.service import Daemon
from controller.errors import ConfigError, JadoubeError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))


ROOT = Path(__file__).resolve().parents[2]


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
            await until(lambda: said(daemon) == {"change 2"})
            assert daemon.notices.current[0].what.startswith("what was changed of this board takes effect")
            assert daemon.stations == before
            stands["now"] = structs.replace(stands["now"], boards=(one, two))
            daemon.reload()
            await until(lambda: not said(daemon))
            stands["now"] = structs.replace(stands["now"], boards=(one, lit))
            daemon.reload()
            await until(lambda: said(daemon) == {"change 2"})
            await before["2"].carry_out({"type": "resign", "side": "white"})
            await until(lambda: daemon.stations.get("2") not in (None, before["2"]))
            assert daemon.stations["1"] is before["1"]
            assert daemon.stations["2"].config.lamps.mode == "training"
            assert not said(daemon)

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


@pytest.mark.parametrize("table", ["console", "metrics"])
def test_what_takes_effect_at_the_next_start_is_said(tmp_path: Path, table: str) -> None:
    async def scene() -> None:
        async with reloading(tmp_path, "1") as (daemon, stands):
            await all_playing(daemon)
            stands["now"] = many(tmp_path, "1", **{table: {"port": free_port()}})
            daemon.reload()
            await until(lambda: said(daemon) == {"configuration"})
            assert f"[{table}]" in daemon.notices.current[0].what
            await asyncio.sleep(0.1)
            await make(daemon, "1", "e2e4")

    asyncio.run(scene())


def test_what_is_opened_for_all_boards_at_once_is_no_change_of_any(tmp_path: Path) -> None:
    port = free_port()

    def served() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        return False

    async def scene() -> None:
        async with reloading(tmp_path, "1", "2") as (daemon, stands):
            await all_playing(daemon)
            before = dict(daemon.stations)
            stands["now"] = many(tmp_path, "1", "2", livechess={"port": port})
            daemon.reload()
            await until(served)
            await asyncio.sleep(2 * reload.LOOK_S)
            assert (said(daemon), daemon.stations) == (set(), before)

    asyncio.run(scene())


def test_what_was_read_last_counts_for_boards_that_have_not_left_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards 2 and 3 are struck out; as 2 leaves, 3 is put back."""
    monkeypatch.setattr(reload, "LOOK_S", 0.02)

    async def scene() -> None:
        async with reloading(tmp_path, "1", "2", "3") as (daemon, stands):
            await all_playing(daemon)
            for station in daemon.stations.values():
                await station.carry_out({"type": "resign", "side": "white"})
            before, dismiss = daemon.stations["3"], daemon._dismiss

            async def dismissed(numbers: str, station: Any) -> None:
                if numbers == "2":
                    stands["now"] = many(tmp_path, "1", "3")
                    daemon.reload()
                await dismiss(numbers, station)

            monkeypatch.setattr(daemon, "_dismiss", dismissed)
            stands["now"] = many(tmp_path, "1")
            daemon.reload()
            await until(lambda: "2" not in daemon.stations)
            await until(lambda: daemon._reloading is not None and daemon._reloading.done())
            assert (sorted(daemon.stations), daemon.stations["3"]) == (["1", "3"], before)

    asyncio.run(scene())


@pytest.mark.broker
def test_a_board_that_is_coming_is_there_whole_though_the_configuration_is_read_once_more(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However soon after: its MQTT is subscribed to by then, or will be."""
    monkeypatch.setattr(reload, "LOOK_S", 0.02)
    numbers = ["1"]

    async def scene() -> None:
        tables = {"mqtt": hall_mqtt(mosquitto)}
        async with Listener(mosquitto.port) as heard, reloading(tmp_path, "1", **tables) as (daemon, stands):
            await all_playing(daemon)
            for soon in (0.0, 0.002, 0.005, 0.01, 0.03):
                numbers.append(str(len(numbers) + 1))
                stands["now"] = many(tmp_path, *numbers, **tables)
                daemon.reload()
                await asyncio.sleep(soon)
                daemon.reload()
                await until(lambda: numbers[-1] in daemon.stations)
                await all_playing(daemon)
                await make(daemon, numbers[-1], "e2e4")
                await until(lambda: heard.on(f"board/{numbers[-1]}/move"))
                await heard.command(topic=f"board/{numbers[-1]}", type="pause", side="white")
                await until(lambda: any(each["type"] == "done" for each in heard.on(f"board/{numbers[-1]}/event")))

    asyncio.run(scene())
