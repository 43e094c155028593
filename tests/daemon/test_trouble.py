"""What fails outside is said, with cause and remedy, in the log and on MQTT; the game goes on, and the notice goes away
with its cause. On real parts: mosquitto, a DGT board on a pseudo-terminal, an electrical board behind the pins.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import chess
import pytest
from hall import Mosquitto, Subscriber, make, moves_of, running, until

from controller.config import Config
from controller.daemon import suspects
from controller.daemon.service import Daemon
from controller.outlets.mqtt import outlet as mqtt_module
from hardware.boards import worker
from hardware.boards.dgt_bus import DgtBusConfig
from hardware.boards.dgt_protocol import Command
from hardware.boards.simulated import SimulatedBoard
from hardware.clocks.simulated import SimulatedLever
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.dgt_bus import BusBoard, DgtLineEmulator
from hardware.simulator.electrical import ElectricalBoard

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]


class Hall:
    """A daemon at work and who listens to it."""

    def __init__(self, daemon: Daemon, subscriber: Subscriber, log: pytest.LogCaptureFixture) -> None:
        self.daemon = daemon
        self._subscriber = subscriber
        self._log = log

    @property
    def electrical(self) -> ElectricalBoard:
        assert isinstance(self.daemon.only.boards[None], SimulatedBoard)
        return self.daemon.only.boards[None].electrical

    async def says(self, source: str, *words: str) -> None:
        """Such a notice is in force, and stands in the log with its cause and remedy."""
        await until(lambda: all(word in self._notices().get(source, {}).get("what", "") for word in words))
        notice = self._notices()[source]
        assert notice["cause"]
        assert notice["next_step"]
        assert notice["cause"] in self._log.text
        assert notice["next_step"] in self._log.text

    async def quiet(self, source: str) -> None:
        await until(lambda: source not in self._notices())

    def _notices(self) -> dict[str, Any]:
        status = self._subscriber.on("status")
        return {notice["source"]: notice for notice in status[-1]["notices"]} if status else {}


@pytest.fixture
def hall(
    configure: Configure, mosquitto: Mosquitto, caplog: pytest.LogCaptureFixture
) -> Callable[..., contextlib.AbstractAsyncContextManager[Hall]]:
    @contextlib.asynccontextmanager
    async def build(**tables: dict[str, Any]) -> AsyncIterator[Hall]:
        config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port}, **tables)
        async with Subscriber(mosquitto.port) as subscriber, running(config) as daemon:
            yield Hall(daemon, subscriber, caplog)

    return build


Build = Callable[..., contextlib.AbstractAsyncContextManager[Hall]]


def test_a_port_that_comes_late_and_goes_away(hall: Build, tmp_path: Path) -> None:
    port = tmp_path / "dgt"

    async def scene() -> None:
        async with hall(board={"type": "dgt", "port": str(port)}) as here:
            daemon = here.daemon
            await here.says("board", str(port), "cannot be opened")
            board = DgtEmulator(port)
            await asyncio.to_thread(board.plug)
            await here.quiet("board")
            await until(lambda: daemon.only.session.playing and Command.UPDATE_NICE in board.received)
            board.lift(chess.E2)
            board.place(chess.E4, "P")
            await until(lambda: moves_of(daemon.journal) == ["e2e4"])
            await asyncio.to_thread(board.unplug)
            await here.says("board", str(port))
            board.lift(chess.E7)  # nobody sees it
            board.place(chess.E5, "p")
            await asyncio.to_thread(board.plug)
            await here.quiet("board")
            await until(lambda: moves_of(daemon.journal) == ["e2e4", "e7e5"])
            await asyncio.to_thread(board.unplug)

    asyncio.run(scene())


def test_a_board_of_a_line_that_is_pulled_out_and_then_not_alone_with_its_address(hall: Build, tmp_path: Path) -> None:
    """At the speed of the wire, with the clock that hangs on the board; the line has eleven other boards."""
    port = tmp_path / "line"

    async def scene() -> None:
        table = {"type": "dgt-bus", "port": str(port), "address": 1025, "silence_s": 1.0}
        line = DgtLineEmulator(port, range(1025, 1037), real_time=True)
        board = line[1025]
        others = [DgtBusConfig(port=str(port), address=1026 + i).open(lambda _: None) for i in range(11)]
        async with hall(board=table, event={"clock": "300"}) as here:
            daemon = here.daemon
            await here.says("board", str(port), "cannot be opened")
            for driver in others:
                driver.start()
            board.clock(300, 300, "left", running=False)
            await asyncio.to_thread(line.plug)
            await here.quiet("board")
            board.clock(300, 300, "left")
            await until(lambda: daemon.only.session.playing)
            board.lift(chess.E2)
            board.place(chess.E4, "P")
            board.clock(290, 300, "right")
            await until(lambda: moves_of(daemon.journal) == ["e2e4"])
            board.unplug()
            await here.says("board", "1025", "does not answer")
            board.lift(chess.E7)  # nobody sees it
            board.place(chess.E5, "p")
            board.clock(290, 295, "left")
            board.plug()
            await here.quiet("board")
            await until(lambda: moves_of(daemon.journal) == ["e2e4", "e7e5"])
            other = BusBoard(line, 1025)
            other.plug()
            await here.says("board", "two boards", "1025")
            other.unplug()
            await here.quiet("board")
            board.lift(chess.G1)
            board.place(chess.F3, "N")
            board.clock(280, 295, "right")
            await until(lambda: moves_of(daemon.journal) == ["e2e4", "e7e5", "g1f3"])
            for driver in others:
                await asyncio.to_thread(driver.stop)
        await asyncio.to_thread(line.unplug)

    asyncio.run(scene())


def test_a_ribbon_cable_that_comes_off(hall: Build) -> None:
    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            here.electrical.unplug()
            await here.says("board", "ribbon cable")
            here.electrical.plug()
            await here.quiet("board")
            await make(here.daemon, "e2e4")

    asyncio.run(scene())


def test_a_scan_that_hangs(hall: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            assert isinstance(here.daemon.only.boards[None], SimulatedBoard)
            matrix, answers = here.daemon.only.boards[None].board, threading.Event()
            scan = matrix.scan
            monkeypatch.setattr(matrix, "scan", lambda: (answers.wait(), scan())[1])
            await here.says("board", "has not answered for 250 ms")
            answers.set()
            await here.quiet("board")
            await make(here.daemon, "e2e4")

    asyncio.run(scene())


def test_a_driver_that_says_itself_what_is_wrong_is_not_said_to_hang(hall: Build) -> None:
    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            here.electrical.unplug()
            await here.says("board", "ribbon cable")
            await asyncio.sleep(0.8)
            await here.says("board", "ribbon cable")

    asyncio.run(scene())


def test_a_driver_that_hangs_keeps_nobody_from_stopping(hall: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "STOP_S", 0.1)
    answers = threading.Event()

    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            assert isinstance(here.daemon.only.boards[None], SimulatedBoard)
            monkeypatch.setattr(here.daemon.only.boards[None].board, "scan", answers.wait)
            await here.says("board", "has not answered")

    try:
        asyncio.run(scene())
    finally:
        answers.set()


def test_a_clock_whose_cable_comes_off(hall: Build) -> None:
    async def scene() -> None:
        async with hall(clock={"type": "simulated"}) as here:
            clock = here.daemon.only.clocks[None]
            assert isinstance(clock, SimulatedLever)
            await until(lambda: here.daemon.only.session.playing)
            clock.switches.unplug()
            await here.says("clock", "cable")
            await make(here.daemon, "e2e4")
            clock.switches.plug()
            await here.quiet("clock")

    asyncio.run(scene())


def test_a_sensor_that_flickers(hall: Build) -> None:
    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            here.electrical.weaken(chess.A7, 0.5)
            await here.says("sensor", "a7")
            await make(here.daemon, "e2e4")
            here.electrical.weaken(chess.A7, 0.0)
            await here.quiet("sensor")

    asyncio.run(scene())


@pytest.mark.parametrize("state", ["open", "closed"])
def test_a_sensor_that_sticks(hall: Build, state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspects, "STUCK_MS", 500)
    square, source = (chess.D2, "sensor") if state == "open" else (chess.D4, "position")

    async def scene() -> None:
        async with hall() as here:
            await until(lambda: here.daemon.only.session.playing)
            here.electrical.stick(square, state)
            await here.says(source, chess.square_name(square))
            here.electrical.stick(square, None)
            await here.quiet(source)
            await make(here.daemon, "g1f3")

    asyncio.run(scene())


def test_a_start_position_that_is_not_on_the_board(hall: Build) -> None:
    async def scene() -> None:
        async with hall(start={"ready_s": 0.3}) as here:
            here.electrical.lift(chess.H8)
            await here.says("start", "h8")
            assert not here.daemon.only.session.playing
            here.electrical.place(chess.H8)
            await here.quiet("start")
            await until(lambda: here.daemon.only.session.playing)

    asyncio.run(scene())


def test_a_broker_that_refuses_until_it_is_told_otherwise(
    configure: Configure, tmp_path: Path, mosquitto: Mosquitto, caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.3))
    mosquitto.kill()
    locked = Mosquitto(tmp_path, "allow_anonymous false")
    config = configure(mqtt={"host": "127.0.0.1", "port": locked.port})

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            (notice,) = daemon.notices.current
            assert "refuses us" in notice.what
            assert notice.next_step in caplog.text
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            locked.allow()
            async with Subscriber(locked.port) as subscriber:
                await until(lambda: subscriber.on("state"))
                await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
                assert subscriber.on("state")[-1]["uci"] == "e2e4"
                assert not daemon.notices.current

    try:
        asyncio.run(scene())
    finally:
        locked.kill()
