"""``jadoube hall result --at-board``: one command gives the result by hand, and ends the game at the board."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hall import need_mosquitto, running, until
from hall_host import Host, jadoube

from controller.cli.main import main
from controller.config import load
from controller.daemon.service import Daemon

PAIRINGS = "Round;Board;White;Black\n{round};1;{white};Bob\n{round};2;Cid;Dora\n"


def hall_of(folder: Path, *more: str) -> Path:
    jadoube("hall", "init", folder, "--simulate", "--boards", "1-2", "--yes", *more)
    config = folder / "hall.toml"
    text = config.read_text().replace("# port = 8064", "port = 0").replace("# ready_s = 3.0", "ready_s = 0.1")
    config.write_text(text)
    put(config, 1, "Ann")
    return config


def put(config: Path, round_: int, white: str) -> None:
    file = config.parent / "pairings.csv"
    file.write_text(PAIRINGS.format(round=round_, white=white))
    jadoube("hall", "round", round_, file, "--config", config, "--yes", "--replace-played")


@asynccontextmanager
async def on(config: Path) -> AsyncIterator[Daemon]:
    """The daemon, with the games of the round on."""
    async with running(load(config)) as daemon:
        await until(lambda: all(each.session.playing for each in daemon.stations.values()))
        yield daemon


async def give(config: Path, capsys: pytest.CaptureFixture[str], *said: str, exits: int = 0) -> tuple[str, str]:
    def call() -> tuple[str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["hall", "result", *said, "--config", str(config)])
        told = capsys.readouterr()
        assert int(ended.value.code or 0) == exits, told
        return told.out, told.err

    return await asyncio.to_thread(call)


@pytest.mark.broker
@pytest.mark.parametrize("own_broker", [True, False])
def test_the_board_has_the_result_too_and_its_game_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own_broker: bool
) -> None:
    config = hall_of(tmp_path / "hall", *([] if own_broker else ["--broker", "localhost"]))
    host = None
    if not own_broker:
        need_mosquitto()
        host = Host(tmp_path / "hall")
        host.fit(config)

    async def scene() -> None:
        async with on(config) as daemon:
            await until(lambda: daemon.journal.last_game("1"))
            game = daemon.journal.last_game("1")
            out, _ = await give(config, capsys, "1", "1-0", "--reason", "she left", "--by", "Anne")
            assert "Next: give it there, too: jadoube hall result 1 1-0 --round 1 --at-board" in out
            out, _ = await give(config, capsys, "1", "1-0", "--reason", "she left", "--by", "Anne", "--at-board")
            assert "board 1 has it, too, and the game is over there" in out
            assert game is not None
            bodies = [json.loads(record.body) for record in daemon.journal.game(game.game)]
            (ruling,) = [each for each in bodies if each.get("type") == "arbiter"]
            assert (ruling["by"], ruling["text"], ruling["result"]) == ("Anne", "she left", "1-0")
            assert [each["result"] for each in bodies if each.get("type") == "result"] == ["1-0"]
            await give(config, capsys, "1", "1/2-1/2", "--at-board")
            bodies = [json.loads(record.body) for record in daemon.journal.game(game.game)]
            assert [each["result"] for each in bodies if each.get("type") == "result"][-1] == "1/2-1/2"

    try:
        asyncio.run(scene())
    finally:
        if host is not None:
            host.stop()


def test_a_game_of_others_is_left_alone_and_the_result_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = hall_of(tmp_path / "hall")

    async def scene() -> None:
        async with on(config) as daemon:
            await asyncio.to_thread(put, config, 2, "Eve")
            _, err = await give(config, capsys, "1", "1-0", "--at-board", exits=1)
            assert "board 1 has another game, Ann – Bob, round 1, and keeps it" in err
            assert daemon.stations["1"].session.playing
            assert '"1-0"' in (config.parent / "rounds/results.jsonl").read_text()

    asyncio.run(scene())


def test_where_no_daemon_runs_that_is_said_and_the_result_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = hall_of(tmp_path / "hall")
    _, err = asyncio.run(give(config, capsys, "1", "1-0", "--at-board", exits=1))
    assert "it was not started yet" in err
    assert '"1-0"' in (config.parent / "rounds/results.jsonl").read_text()
