"""The time of day may jump by an hour, or change to summer time: the players' clocks do not move by a millisecond."""

import asyncio
import datetime as datetime_module
import os
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hall import running, until

from controller.config import Config
from controller.contract import Clock
from controller.daemon import game_session
from controller.wire import decode_event
from hardware.boards import LeverPress
from hardware.boards.simulated import SimulatedBoard

HOUR_S = 3600
SPRING_S = 1_774_746_000 - 2  #: two seconds before clocks in Paris go forward, on 29 March 2026
THINKS_S = 0.1


class Wall:
    """The clock on the wall, set by hand."""

    def __init__(self) -> None:
        self.ahead_s = 0.0
        self._time, self._time_ns = time.time, time.time_ns

    def time(self) -> float:
        return self._time() + self.ahead_s

    def time_ns(self) -> int:
        return self._time_ns() + int(self.ahead_s * 1e9)

    def set_to(self, s: float) -> None:
        self.ahead_s = s - self._time()


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wall]:
    wall = Wall()

    class OnTheWall(datetime_module.datetime):
        @classmethod
        def now(cls, tz: datetime_module.tzinfo | None = None) -> datetime_module.datetime:
            return super().fromtimestamp(wall.time(), tz)

    monkeypatch.setattr(time, "time", wall.time)
    monkeypatch.setattr(time, "time_ns", wall.time_ns)
    monkeypatch.setattr(game_session, "datetime", OnTheWall)
    monkeypatch.setenv("TZ", "Europe/Paris")
    time.tzset()
    yield wall
    os.environ.pop("TZ", None)
    time.tzset()


@pytest.mark.parametrize(
    "jump",
    [
        pytest.param(lambda wall: setattr(wall, "ahead_s", HOUR_S), id="an hour forward"),
        pytest.param(lambda wall: setattr(wall, "ahead_s", -HOUR_S), id="an hour back"),
        pytest.param(lambda wall: wall.set_to(SPRING_S + 3), id="summer time"),
    ],
)
def test_the_chess_clocks_stay_as_they_are(
    configure: Callable[..., Config], wall: Wall, jump: Callable[[Wall], None]
) -> None:
    wall.set_to(SPRING_S - HOUR_S)
    config = configure(event={"clock": "300"}, start={"by": "at-once", "ready_s": 0.1})

    async def scene() -> None:
        async with running(config) as daemon:
            assert isinstance(daemon.only.boards[None], SimulatedBoard)
            await until(lambda: daemon.only.session.playing)
            presses = [daemon.only.session.ns_of(0)]
            for side, move in (("white", (12, 28)), ("black", (52, 36)), ("white", (6, 21))):
                await asyncio.sleep(THINKS_S)
                daemon.only.boards[None].electrical.lift(move[0])
                jump(wall)
                daemon.only.boards[None].electrical.place(move[1])
                await asyncio.sleep(THINKS_S)
                presses.append(time.monotonic_ns())
                daemon.only.emit(LeverPress(presses[-1], "white" if side == "white" else "black"), "clock")
            await until(lambda: len(clocks(daemon.journal)) == len(presses))
            spent_ms = [(after - before) // 1_000_000 for before, after in pairwise(presses)]
            *_, last = clocks(daemon.journal)
            assert abs(300_000 - last.white_ms - spent_ms[0] - spent_ms[2]) <= 2
            assert abs(300_000 - last.black_ms - spent_ms[1]) <= 2

    asyncio.run(scene())


def clocks(journal) -> list[Clock]:
    events = [decode_event(record.body) for record in journal.after(0, 10_000) if record.kind == "event"]
    return [event for event in events if isinstance(event, Clock)]
