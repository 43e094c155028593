"""A match on two simulated boards, with a real broker: what is published, what is written, and a process killed."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from double import Listener, double, matchsheet
from hall import Mosquitto, running, until
from test_bpgn import Read

from controller.config import Config
from controller.contract import BoardId
from controller.daemon.service import Daemon
from controller.journal import Journal
from controller.outlets.scoresheet import board_of
from hardware.boards.simulated import SimulatedBoard

pytestmark = pytest.mark.broker

JADOUBE = [sys.executable, "-m", "controller.cli.main"]
ROOT = Path(__file__).resolve().parents[2]


async def make(daemon: Daemon, board_id: BoardId, uci: str, press: bool = True) -> None:
    """Hands make a move, or drop a piece, on a simulated board, and press."""
    board, move = daemon.only.boards[board_id], chess.Move.from_uci(uci)
    assert isinstance(board, SimulatedBoard)
    before = _sheet(daemon).ply
    side = ["white", "black"][_sheet(daemon).boards[board_id].ply % 2]
    if not move.drop:
        if board_of(_sheet(daemon).boards[board_id].fen).piece_at(move.to_square):
            board.electrical.lift(move.to_square)
            await asyncio.sleep(0.06)
        board.electrical.lift(move.from_square)
        await asyncio.sleep(0.06)
    board.electrical.place(move.to_square)
    await until(lambda: _sheet(daemon).ply > before)
    if press:
        await daemon.only.carry_out({"type": "press", "side": side}, board_id)


def _sheet(daemon: Daemon):
    sheet = matchsheet(daemon.journal)
    assert sheet is not None
    return sheet


def test_each_board_and_both_together_are_published_and_written(tmp_path: Path, mosquitto: Mosquitto) -> None:
    config = double(tmp_path, mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with Listener(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: matchsheet(daemon.journal))
            for board_id, uci in (("A", "e2e4"), ("B", "d2d4"), ("A", "d7d5"), ("A", "e4d5"), ("B", "P@e5")):
                await make(daemon, board_id, uci)
            await hall.command(topic="board/2", type="resign", side="white")
            await until(lambda: any(event["type"] == "done" for event in hall.on("board/2/event")))
            await hall.command(topic="match/5", type="arbiter", do="neutralise", board="A")
            await until(lambda: hall.on("match/5/state") and hall.on("match/5/state")[-1]["match"])
            await until(lambda: hall.on("board/1/state")[-1]["match"])

            # each board as if it were alone
            assert [move["san"] for move in hall.on("board/1/move")] == ["e4", "d5", "exd5"]
            assert [move["san"] for move in hall.on("board/2/move")] == ["d4", "P@e5"]
            assert {event["board"] for event in hall.on("board/1/event") if "board" in event} == {"A"}
            state = hall.on("board/2/state")[-1]
            assert state["tags"] == {"White": "Cid", "Black": "Dora"}
            assert (state["ply"], state["san"], state["stock"]) == (2, "P@e5", {"white": "", "black": ""})
            assert state["result"]["result"] == "0-1"
            assert {"white": "", "black": "p"} in [state["stock"] for state in hall.on("board/2/state")]

            # both together
            assert [(move["board"], move["san"]) for move in hall.on("match/5/move")] == [
                ("A", "e4"),
                ("B", "d4"),
                ("A", "d5"),
                ("A", "exd5"),
                ("B", "P@e5"),
            ]
            whole = hall.on("match/5/state")[-1]
            assert whole["match"]["result"] == "team-1"
            assert {name: board["san"] for name, board in whole["boards"].items()} == {"A": "exd5", "B": "P@e5"}
            assert set(hall.on("match/5/clock")[-1]) >= {"A", "B", "seq"}
            stocks = [event for event in hall.on("match/5/event") if event["type"] == "stock"]
            assert [(event["board"], event["black"]) for event in stocks] == [("B", "p"), ("B", "")]

            (path,) = (tmp_path / "games").glob("match-*.bpgn")
            await until(lambda: Read(path.read_text()).result == "1-0")
            read = Read(path.read_text())
            assert read.moves == ["A:e4", "B:d4", "a:d5", "A:exd5", "b:P@e5"]
            assert read.last_note == "Cid resigns"

        async with Listener(mosquitto.port) as late:
            kept = [
                f"{base}/{last}" for base in ("board/1", "board/2", "match/5") for last in ("state", "clock", "head")
            ]
            await until(lambda: set(kept) <= late.retained())
            assert all(
                late.on(f"{base}/status")[-1]["state"] == "offline" for base in ("board/1", "board/2", "match/5")
            )

    asyncio.run(scene())


def test_a_command_that_names_no_board_is_refused_on_the_topic_of_the_match(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    config = double(tmp_path, mqtt={"host": "127.0.0.1", "port": mosquitto.port})

    async def scene() -> None:
        async with Listener(mosquitto.port) as hall, running(config) as daemon:
            await until(lambda: matchsheet(daemon.journal) and hall.on("match/5/status"))
            await hall.command(topic="match/5", type="press", side="white")
            await until(lambda: hall.on("match/5/event"))
            await until(lambda: any(event["type"] == "refused" for event in hall.on("match/5/event")))

    asyncio.run(scene())


def test_a_match_goes_on_after_the_process_was_killed(tmp_path: Path, mosquitto: Mosquitto) -> None:
    journal, config = tmp_path / "journal.sqlite", tmp_path / "match.toml"
    config.write_text(
        '[A]\nnumber = "1"\n[A.board]\ntype = "simulated"\n[B]\nnumber = "2"\n[B.board]\ntype = "simulated"\n'
        '[event]\nvenue = "hall"\nmatch = "5"\n[start]\nby = "at-once"\nready_s = 0.1\n'
        f'[pgn]\ndirectory = "{tmp_path}/games"\n[journal]\npath = "{journal}"\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {mosquitto.port}\n'
    )

    def start() -> "subprocess.Popen[str]":
        command = [*JADOUBE, "run", "--config", str(config)]
        return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

    def presence(hall: Listener) -> set[str]:
        told = [hall.on(f"{topic}/status") for topic in ("match/5", "board/1", "board/2")]
        return {statuses[-1]["state"] if statuses else "" for statuses in told}

    async def scene() -> None:
        process = start()
        try:
            async with Listener(mosquitto.port) as hall:
                await until(lambda: hall.on("match/5/clock") and presence(hall) == {"online"})
                match = hall.on("match/5/state")[-1]["game"]
                for topic, square in (("board/1", "e2"), ("board/2", "d2")):
                    await hall.command(topic=topic, type="contact", square=square)
                    await until(lambda topic=topic: any(e["type"] == "touch" for e in hall.on(f"{topic}/event")))
                process.send_signal(signal.SIGKILL)
                await asyncio.to_thread(process.communicate)
                await until(lambda: presence(hall) == {"offline"})
                kept = Journal(journal)
                before = kept.head.seq
                kept.close()

                process = start()
                await until(lambda: presence(hall) == {"online"})
                for topic in ("board/1", "board/2"):
                    await hall.command(topic=topic, type="arbiter", do="pause")
                    await until(lambda topic=topic: hall.on(f"{topic}/clock")[-1].get("running") is None)
                assert hall.on("match/5/state")[-1]["game"] == match
                for topic in ("board/1", "board/2"):
                    clock = hall.on(f"{topic}/clock")[-1]
                    assert clock["seq"] > before
                    assert 170_000 < clock["white_ms"] < 180_000
                    assert clock["black_ms"] == 180_000
                process.send_signal(signal.SIGTERM)
                _, said = await asyncio.to_thread(process.communicate)
                assert process.returncode == 0
                assert "goes on where it was" in said
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()

    asyncio.run(scene())


def test_a_journal_in_which_single_games_were_played_serves_a_match_too(
    tmp_path: Path, configure: Callable[..., Config], mosquitto: Mosquitto
) -> None:
    broker = {"mqtt": {"host": "127.0.0.1", "port": mosquitto.port}}
    single = configure(event={"board": "1"}, **broker)

    async def scene() -> None:
        async with running(single) as daemon:
            await until(lambda: daemon.only.session.playing and daemon.journal.head.seq)
            before = daemon.journal.head.seq
        async with Listener(mosquitto.port) as hall, running(double(tmp_path, **broker)) as daemon:
            await until(lambda: matchsheet(daemon.journal))
            await make(daemon, "A", "e2e4")
            await until(lambda: any(move["seq"] > before for move in hall.on("match/5/move")))
            await until(lambda: hall.on("board/1/state")[-1]["san"] == "e4")
            assert {state["seq"] > before for state in hall.on("match/5/state")} == {True}
        async with Listener(mosquitto.port) as hall, running(single) as daemon:
            assert daemon.only.session.playing
            game = daemon.journal.last_game("1").game
            await daemon.only.carry_out({"type": "resign", "side": "white"})
            await until(lambda: any(event["type"] == "result" for event in hall.on("board/1/event")))
            assert hall.on("board/1/event")[0]["game"] == game

    asyncio.run(scene())
