"""A hall of boards in one daemon: what it weighs, how busy it is, how soon it tells of a move; and nothing is lost.

Emulated DGT boards on pseudo-terminals, in a process of their own, are played on at the pace of blitz: a move in two to
four seconds on each, the press a third of a second after the piece. There is a real broker, and in the process with the
boards a subscriber that hears all of the hall. Press to event: from the clock's message on the cable to the move on
MQTT. At the end the daemon is stopped, and what was played and what was heard are compared with its journal. Memory is
private, of the daemon alone; the share of a core is of its processor time while all play, and before that, while nobody
does. Prints one JSON line.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import aiomqtt
import chess
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO, Mosquitto, free_port

from controller.contract import Move
from controller.journal import Journal
from controller.wire import decode_event
from hardware.simulator import terminal
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.games import random_game

GOALS = {"private_mb": 110, "core_percent": 50, "press_to_event_p99_ms": 100, "ready_s": 10, "sigterm_s": 5}
LARGEST = 50  #: boards, for which these goals are; for more they are at most twice as much
MOVE_S = (2.0, 4.0)  #: between two moves on a board
HAND_S = 0.15  #: a piece is in the hand
STILL_S = 0.3  #: it stands before the clock is pressed
PLIES = 120
IDLE_S = 10.0  #: before anybody plays
START_S = 60.0

CONFIG = """
[event]
venue = "bench"
clock = "36000"
[mqtt]
host = "127.0.0.1"
port = {port}
[console]
port = {pages}
[pgn]
directory = "{folder}/games"
[journal]
path = "{folder}/journal.sqlite"
"""
BOARD = """
[[boards]]
number = "{number}"
board = {{ type = "dgt", port = "{folder}/board-{number}" }}
"""


class Hands:
    """Two players at one board; all that they play is kept, with when the clock was pressed."""

    def __init__(self, number: int, board: DgtEmulator) -> None:
        self.number = number
        self.played: list[str] = []
        self.pressed_ns: dict[int, int] = {}  #: by ply
        self._board = board
        self._rng = random.Random(number)
        self._moves = random_game(number, PLIES)

    async def play(self, until_s: float) -> None:
        """Plays until then, by the monotonic clock."""
        await asyncio.sleep(self._rng.uniform(0, MOVE_S[1]))
        self._board.clock(3600, 3600, "left")
        position = chess.Board()
        for move in self._moves:
            await asyncio.sleep(self._rng.uniform(*MOVE_S) - HAND_S - STILL_S)
            if time.monotonic() > until_s:
                return
            await self._move(position, move)
            position.push(move)
            if position.is_game_over():
                return

    async def _move(self, before: chess.Board, move: chess.Move) -> None:
        after = before.copy(stack=False)
        after.push(move)
        squares = [s for s in chess.SQUARES if before.piece_at(s) != after.piece_at(s)]
        squares.sort(key=lambda square: square != move.from_square)  # the king before the rook
        if before.is_capture(move) and not before.is_en_passant(move):
            self._board.lift(move.to_square)
        for square in squares:
            if before.piece_at(square) is not None and after.piece_at(square) is None:
                self._board.lift(square)
        await asyncio.sleep(HAND_S)
        squares.sort(key=lambda square: square != move.to_square)
        for square in squares:
            if (piece := after.piece_at(square)) is not None:
                self._board.place(square, piece.symbol())
        await asyncio.sleep(STILL_S)
        self.played.append(move.uci())
        self.pressed_ns[len(self.played)] = time.monotonic_ns()
        self._board.clock(3600, 3600, "left" if after.turn else "right")


class Ears:
    """Hears all that is told of the hall."""

    def __init__(self) -> None:
        self.phases: dict[str, str] = {}
        self.moves: dict[tuple[str, int], int] = {}  #: when each was heard, by board and ply
        self.events: defaultdict[str, set[int]] = defaultdict(set)
        self.others: Counter[str] = Counter()

    async def listen(self, port: int) -> None:
        """Until cancelled."""
        async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
            await client.subscribe("jadoube/#", qos=1)
            async for message in client.messages:
                now = time.monotonic_ns()
                _, _, _, kind, number, topic = message.topic.value.split("/", 5)
                said = json.loads(message.payload)
                if kind != "board":
                    self.others[kind] += 1
                elif topic == "status":
                    self.phases[number] = said.get("phase", "")
                elif topic == "move" and said["type"] == "move":
                    self.moves.setdefault((number, said["ply"]), now)
                elif topic == "event" and "seq" in said and said["type"] not in ("done", "refused"):
                    self.events[number].add(said["seq"])


async def play(folder: Path, boards: int, port: int, lasts_s: float) -> None:
    """The boards and the ears; says ``plugged``, ``ready``, ``begun``, ``over``; writes what was played and heard."""
    terminal.TICK_S = 1.0  # a DGT board does nothing by itself
    with ExitStack() as stack:
        emulators = {
            number: stack.enter_context(DgtEmulator(folder / f"board-{number}")) for number in range(1, boards + 1)
        }
        hands = [Hands(number, board) for number, board in emulators.items()]
        for board in emulators.values():
            board.clock(3600, 3600, "left", running=False)
        ears = Ears()
        listening = asyncio.create_task(ears.listen(port))
        print("plugged", flush=True)
        while len(ears.phases) < boards or set(ears.phases.values()) != {"ready"}:
            await asyncio.sleep(0.02)
        print("ready", flush=True)
        await asyncio.sleep(IDLE_S)
        print("begun", flush=True)
        end_s = time.monotonic() + lasts_s
        await asyncio.gather(*(each.play(end_s) for each in hands))
        await asyncio.sleep(1.0)
        print("over", flush=True)
        await asyncio.to_thread(sys.stdin.readline)  # the daemon has ended
        await asyncio.sleep(1.0)
        listening.cancel()
        heard = {
            str(each.number): {
                "played": each.played,
                "waited_ms": [
                    (ears.moves[str(each.number), ply] - ns) / 1e6
                    for ply, ns in each.pressed_ns.items()
                    if (str(each.number), ply) in ears.moves
                ],
                "events": sorted(ears.events[str(each.number)]),
            }
            for each in hands
        }
        (folder / "heard.json").write_text(json.dumps(heard))
        print("written", flush=True)
        await asyncio.sleep(3600)  # to unplug them takes a while


def compared(folder: Path, heard: dict[str, Any]) -> dict[str, int]:
    """What the journal has otherwise than it was played, and what it has that was not heard, or the reverse."""
    journal = Journal(folder / "journal.sqlite")
    moves: defaultdict[str, list[str]] = defaultdict(list)
    events: defaultdict[str, set[int]] = defaultdict(set)
    boards = {opening.game: opening.board for opening in journal.openings()}
    for record in journal.after(0, 10**9):
        if record.kind != "input":
            events[boards[record.game]].add(record.seq)
        if record.kind == "event" and isinstance(event := decode_event(record.body), Move):
            moves[boards[record.game]].append(event.uci)
    journal.close()
    return {
        "moves": sum(map(len, moves.values())),
        "records": journal.head.seq,
        "games_otherwise": sum(moves[number] != said["played"] for number, said in heard.items()),
        "events_unheard": sum(len(events[number] - set(said["events"])) for number, said in heard.items()),
        "events_unwritten": sum(len(set(said["events"]) - events[number]) for number, said in heard.items()),
    }


def measure(folder: Path, boards: int, lasts_s: float) -> dict[str, Any]:
    broker = Mosquitto(folder, "max_queued_messages 0")
    config = folder / "hall.toml"
    text = CONFIG.format(port=broker.port, pages=free_port(), folder=folder)
    config.write_text(text + "".join(BOARD.format(number=n, folder=folder) for n in range(1, boards + 1)))
    mine = [sys.executable, __file__, "--play", str(folder), str(boards), str(broker.port), str(lasts_s)]
    pipe = subprocess.PIPE
    with subprocess.Popen(mine, stdin=pipe, stdout=pipe, text=True) as hands, (folder / "log").open("w") as log:
        assert hands.stdin is not None
        assert hands.stdout is not None
        try:
            assert hands.stdout.readline() == "plugged\n"
            began = time.monotonic()
            run = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
            daemon = subprocess.Popen(run, stderr=log)
            try:
                assert hands.stdout.readline() == "ready\n"
                ready_s = time.monotonic() - began
                process = psutil.Process(daemon.pid)
                idle_mb = process.memory_full_info().uss / 2**20
                before = sum(process.cpu_times()[:2])
                assert hands.stdout.readline() == "begun\n"
                begun, since = sum(process.cpu_times()[:2]), time.monotonic()
                assert hands.stdout.readline() == "over\n"
                spent, lasted = sum(process.cpu_times()[:2]) - begun, time.monotonic() - since
                weighs, threads, files = (
                    process.memory_full_info().uss / 2**20,
                    process.num_threads(),
                    process.num_fds(),
                )
                began = time.monotonic()
                daemon.send_signal(signal.SIGTERM)
                daemon.wait(30)
                sigterm_s = time.monotonic() - began
            finally:
                daemon.kill()
            hands.stdin.write("\n")
            hands.stdin.flush()
            assert hands.stdout.readline() == "written\n"
        finally:
            hands.kill()
            broker.kill()
    heard = json.loads((folder / "heard.json").read_text())
    waited = sorted(ms for said in heard.values() for ms in said["waited_ms"])
    return {
        "name": f"{boards} boards in one daemon",
        "figure": round(waited[len(waited) * 99 // 100], 1),
        "unit": "ms from press to event, p99",
        "p50_ms": round(waited[len(waited) // 2], 1),
        "worst_ms": round(waited[-1], 1),
        "private_mb": round(weighs, 1),
        "before_play_mb": round(idle_mb, 1),
        "core_percent": round(100 * spent / lasted, 1),
        "idle_percent": round(100 * (begun - before) / IDLE_S, 1),
        "ready_s": round(ready_s, 2),
        "sigterm_s": round(sigterm_s, 2),
        "threads": threads,
        "descriptors": files,
        "load": os.getloadavg()[0],
        **compared(folder, heard),
        "goals": {name: goal * (1 if boards <= LARGEST else 2) for name, goal in GOALS.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--play", nargs=4, help="used by itself: folder, boards, port of the broker, seconds")
    given = parser.parse_args()
    if given.play is not None:
        folder, boards, port, lasts_s = given.play
        asyncio.run(play(Path(folder), int(boards), int(port), float(lasts_s)))
        return
    if MOSQUITTO is None:
        print(json.dumps({"name": "boards in one daemon", "skipped": "needs mosquitto: make broker"}))
        return
    for boards in given.boards:
        with tempfile.TemporaryDirectory() as place:
            print(json.dumps(measure(Path(place), boards, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
