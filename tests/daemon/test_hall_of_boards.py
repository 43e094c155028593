"""Many boards in one daemon: each its own game, whatever becomes of the others."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
from double import Listener
from hall import Mosquitto, running, until
from many import all_playing, make, many, moves_on, said

from controller.daemon import station
from controller.journal import Journal
from hardware.boards import BoardReading
from hardware.boards.dgt_protocol import Command
from hardware.simulator.dgt import DgtEmulator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))


ROOT = Path(__file__).resolve().parents[2]


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
            table = daemon.stations["1"].session
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
                for count in range(2 * station.WAITING):
                    time.sleep(one.emit(BoardReading(time.monotonic_ns(), 0xFFFF00000000FFFF ^ (count & 1) << 30)))

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


def test_pairings_of_all_boards_come_from_one_file(tmp_path: Path) -> None:
    file = tmp_path / "round.csv"
    file.write_text("Round;Board;White;Black\n1;1;Ann;Bob\n1;2;Cid;Dora\n1;99;Eve;Finn\n")

    async def scene() -> None:
        config = many(tmp_path, "1", "2", "3", event={"venue": "hall", "pairings": str(file)}, start={"ready_s": 600})
        async with running(config) as daemon:
            tables = {number: each.session for number, each in daemon.stations.items()}
            assert tables["1"].expected["White"] == "Ann"
            assert tables["2"].expected["Black"] == "Dora"
            assert "White" not in tables["3"].expected
            await until(lambda: not said(daemon))
            await daemon.stations["1"].carry_out({"type": "new-game"})
            file.write_text("Round;Board;White;Black\n1;1;Gus;Hal\n1;2;Ida;Joe\n")
            await until(lambda: tables["2"].expected["White"] == "Ida")
            assert tables["1"].expected["White"] == "Ann", "a running game keeps its players"
            file.write_text("Board;Wite;Black\n1;A;B\n")
            await until(lambda: said(daemon) == {"pairings"})
            assert tables["2"].expected["White"] == "Ida"

    asyncio.run(scene())


def test_until_a_round_is_in_force_the_broadcast_has_what_is_played(tmp_path: Path) -> None:
    """As in a club whose hall names a file of pairings, and never writes one."""

    async def scene() -> None:
        event = {"venue": "hall", "pairings": str(tmp_path / "rounds/current.csv")}
        config = many(tmp_path, "1", event=event, broadcast={"directory": str(tmp_path / "live")})
        async with running(config) as daemon:
            await all_playing(daemon)
            await make(daemon, "1", "e2e4")
            games = tmp_path / "live/round-1/games.pgn"
            await until(lambda: games.exists() and "1. e4" in games.read_text())
            (tmp_path / "rounds").mkdir()
            (tmp_path / "rounds/current.csv").write_text("Round;Board;White;Black\n1;2;Ann;Bob\n")
            await make(daemon, "1", "e7e5")
            await asyncio.sleep(1.0)
            assert "e5" not in games.read_text(), "the round has no game there"

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
