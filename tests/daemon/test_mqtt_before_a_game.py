"""What a board says of itself before a game, on a real mosquitto."""

import asyncio
from collections.abc import Callable

import chess
import pytest
from hall import Mosquitto, Subscriber, running, until
from stage import Stage

from controller.config import Config
from controller.daemon import service
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.topics import Begins, Phase
from hardware.boards import ClockShown

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]
BASE = "jadoube/v1/hall/board/7"
STATUS, EVENT, CMD = f"{BASE}/status", f"{BASE}/event", f"{BASE}/cmd"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.1, 0.3))
    monkeypatch.setattr(service, "DRAIN_S", 0.5)


@pytest.fixture
def config(configure: Configure, mosquitto: Mosquitto) -> Config:
    return configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port}, game={"white": "Ada", "black": "Bo"})


def test_a_program_knows_when_a_game_may_begin_and_by_what(configure: Configure, mosquitto: Mosquitto) -> None:
    broker = {"host": "127.0.0.1", "port": mosquitto.port}
    config = configure(mqtt=broker, event={"clock": "300+2"})

    def phases(hall: Subscriber) -> list[tuple[str, object]]:
        told = [(said["phase"], said.get("begins")) for said in hall.on("status") if said["state"] == "online"]
        return [phase for phase, before in zip(told, [None, *told], strict=False) if phase != before]

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall, running(config) as daemon:
            black = ("ready", {"by": "press", "side": "black"})
            await until(lambda: hall.on("status") and phases(hall)[-1] == black)
            async with Subscriber(mosquitto.port) as late:
                await until(lambda: late.on("status"))
                assert phases(late) == [black]
            board = daemon.only.boards[None].electrical  # type: ignore[union-attr]
            board.lift(chess.E2)
            await until(lambda: phases(hall)[-1] == ("setting-up", None))
            board.place(chess.E2)
            await until(lambda: phases(hall)[-1] == black)
            await hall.command(type="press", side="black")
            await until(lambda: phases(hall)[-1] == ("playing", None))
            await until(lambda: hall.on("event") and hall.on("status")[-1]["game"] == hall.on("event")[0]["game"])
            first = hall.on("status")[-1]["game"]
            await hall.command(type="resign", side="white")
            await until(lambda: phases(hall)[-1] == black)
            await hall.command(type="press", side="black")
            await until(lambda: hall.on("status")[-1]["game"] not in (None, first))
            assert phases(hall)[-1] == ("playing", None)

    asyncio.run(scene())


def test_before_a_game_the_status_says_what_is_missing_who_plays_and_what_the_clock_shows(stage: Stage) -> None:
    scene = stage(event={"clock": "5400+30"})
    scene.session.pair({"White": "Polgár, Judit", "Black": "Hou, Yifan", "Round": "4"})
    assert scene.session.phase(None).tags == {"White": "Polgár, Judit", "Black": "Hou, Yifan", "Round": "4"}
    scene.show()
    for square in ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"):
        scene.lift(square)
    scene.run(200)
    assert scene.session.phase(None).missing == ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1")
    scene.lift("a2")
    scene.run(200)
    assert not scene.session.phase(None).missing, "a board that is still set up is not told of piece by piece"
    scene.session.take(ClockShown(0, 5400, 5399, None))
    assert scene.session.phase(None).clock_s == (5400, 5399)


@pytest.mark.parametrize(("cleared", "by"), [(True, "time"), (False, "command")])
def test_what_begins_a_game_without_a_clock(stage: Stage, cleared: bool, by: str) -> None:
    scene = stage(start={"ready_s": 1})
    assert scene.session.phase(None) == Phase("setting-up")
    scene.show()
    scene.run(200)
    assert scene.session.phase(None) == Phase("ready", Begins("time"))
    scene.run(2000)
    assert scene.session.phase(None) == Phase("playing")
    scene.command(type="arbiter", do="result", result="1-0")
    scene.run(200)
    if cleared:
        scene.lift("e2")
        scene.run(200)
        assert scene.session.phase(None) == Phase("setting-up", missing=("e2",))
        scene.place("e2")
        scene.run(200)
    assert scene.session.phase(None) == Phase("ready", Begins(by))  # type: ignore[arg-type]
