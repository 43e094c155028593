"""What LiveChess tells goes on while boards come and go: its clients hear nothing of it but what they asked for."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hall import free_port, until
from many import all_playing, make, many
from strict import client
from websockets.asyncio.client import ClientConnection

from controller.config import Setup
from controller.daemon import reload
from controller.daemon.service import Daemon


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reload, "LOOK_S", 0.02)


async def asked(socket: ClientConnection, call: str, **param: Any) -> dict[str, Any]:
    """The answer; what feeds tell before it is passed over."""
    await socket.send(json.dumps({"id": 9, "call": call, "param": param}))
    while True:
        said: dict[str, Any] = json.loads(await socket.recv())
        if said["id"] == 9:
            return said


async def boards_of(socket: ClientConnection) -> list[str]:
    return [board["serialnr"] for board in (await asked(socket, "eboards"))["param"]]


async def heard(socket: ClientConnection, feed: int) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while True:
            said: dict[str, Any] = json.loads(await socket.recv())
            if said["id"] == feed:
                return said


def test_who_listens_goes_on_listening_while_the_configuration_is_read_again(tmp_path: Path) -> None:
    """With an unchanged file; with boards that come and go; and with one that is another board now."""
    port, url = free_port(), free_port()
    tables = {"livechess": {"port": port}, "broadcast": {"directory": str(tmp_path / "out"), "port": url}}
    stands: dict[str, Setup] = {"now": many(tmp_path, "1", "2", **tables)}

    async def scene() -> None:
        daemon = Daemon(stands["now"], reread=lambda: stands["now"])
        task = asyncio.create_task(daemon.run())
        await all_playing(daemon)
        await until(lambda: set(daemon._all_running) == {"livechess", "broadcast URL"})
        running = {name: each for name, (_, each) in daemon._all_running.items()}
        await _listening(port)
        async with client(port) as socket:
            assert await boards_of(socket) == ["1", "2"]
            assert (await asked(socket, "subscribe", feed="eboardevent", id=1, param={"serialnr": "1"}))[
                "response"
            ] == "call"
            daemon.reload()
            await until(lambda: daemon._reloading is not None and daemon._reloading.done())
            before = daemon.stations["1"]
            rotated = {"1": {"type": "simulated", "rotated": True}}
            stands["now"] = many(tmp_path, "2", "3", boards=rotated, **tables)
            daemon.reload()
            await until(lambda: "3" in daemon.stations and daemon.stations.get("1", before) is not before)
            assert set(await boards_of(socket)) == {"1", "2", "3"}
            await make(daemon, "3", "d2d4")
            assert (await asked(socket, "subscribe", feed="eboardevent", id=3, param={"serialnr": "3"}))[
                "response"
            ] == "call"
            await make(daemon, "2", "d2d4")
            stands["now"] = many(tmp_path, "3", boards=rotated, **tables)
            daemon.reload()
            await daemon.stations["2"].carry_out({"type": "resign", "side": "white"})
            async with asyncio.timeout(30):
                while await boards_of(socket) != ["3", "1"]:
                    await asyncio.sleep(0.02)
            assert "2" not in daemon.stations
            await make(daemon, "3", "e7e5")
            while "4p3" not in json.dumps(await heard(socket, 3)):
                pass
        assert {name: each for name, (_, each) in daemon._all_running.items()} == running
        stands["now"] = many(tmp_path, "3", boards=rotated, livechess={"port": port, "hold_below": 0.5})
        daemon.reload()
        await until(lambda: set(daemon._all_running) == {"livechess"})
        assert daemon._all_running["livechess"][1] is not running["livechess"]
        assert all(each.done() for each in running.values())
        daemon.stop()
        await asyncio.wait_for(task, 15)

    asyncio.run(scene())


async def _listening(port: int) -> None:
    """Returns once somebody answers there."""
    async with asyncio.timeout(30):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return
