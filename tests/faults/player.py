"""A game that is played without end, as fast as it goes, by the real table, journal and outlets; made to be killed.

    python tests/faults/player.py JOURNAL SEED [MOVES]

Hands play random moves on a board that senses occupancy, with a clock; a game that is over is followed by the next one.
To standard output goes, a line each, what an outlet sends, ``event {"seq":…}``; what a lamp shows, ``lamp 00ff…``; of a
game taken up, its name and the daemon's notices, ``game …``; of its disk the last record that is safe, the time, and
what is wrong, ``trouble …``; and last for how many ms the table has kept a hand waiting at most, ``longest …``.
``MOVES`` ends it in order after so many.
"""

import asyncio
import logging
import os
import random
import sys
import time
from pathlib import Path

import chess

from controller.config import Config, check
from controller.daemon.game_session import GameSession
from controller.daemon.timeline import MS_NS, Timeline
from controller.errors import JournalError
from controller.journal import Journal, store, writer
from controller.outlets.follow import Follower
from controller.outlets.lamps import LampsOutlet
from controller.outlets.mqtt import topics
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet, board_of
from hardware.boards import BoardReading, LeverPress

OUT = 1
HAND_MS = 300  #: between two touches, of the daemon's time
RETRY_S = 0.02
ROOM = 2**15  #: bytes; small, for the calls that make it are not what is looked at
FOLD_ROWS = 60  #: small, so that many are killed while the log is folded


def config(path: Path) -> Config:
    """A board of reed switches, a clock with much time, lamps that teach."""
    raw = {
        "board": {"type": "simulated"},
        "event": {"clock": "360000"},
        "start": {"by": "at-once", "ready_s": 0.1},
        "journal": {"path": str(path)},
        "lamps": {"mode": "training"},
    }
    made = check(raw, "the player")
    assert isinstance(made, Config)
    return made


class Player:
    """The daemon's inside, and hands."""

    def __init__(self, path: Path, seed: int) -> None:
        writer.FOLD_ROWS, writer.RETRY_S, store.ROOM = FOLD_ROWS, RETRY_S, ROOM
        self.chance = random.Random(seed)
        self.config = config(path)
        self.journal = Journal(path)
        self.notices = Notices()
        self.journal.on_trouble = self.trouble
        self.longest_ns = 0
        self.at = 0
        self.session = GameSession(self.config, self.journal, self.notices, Timeline(0), 0)
        self.follower = Follower(self.journal, "1", self.journal.cursor("test"), Scoresheet)
        self.lamps = LampsOutlet("training", self.journal, "1", None, [lambda mask: self.say("lamp", f"{mask:016x}")])

    def say(self, kind: str, what: str) -> None:
        os.write(OUT, f"{kind} {what}\n".encode())

    def trouble(self, error: JournalError | None) -> None:
        self.say("trouble", f"{self.journal.head.seq} {self.at} {error.what if error else 'over'}")

    async def outlet(self) -> None:
        async for batch in self.follower.batches():
            for message in topics.tell(batch):
                if message.topic == "event":
                    self.say("event", message.payload.decode())
            self.journal.move_cursor("test", self.follower.seq)

    async def hands(self, moves: int | None) -> None:
        """Random moves from where the game is; the outlets get their turn after each touch."""
        so_far = Follower(self.journal, "1", 0, Scoresheet)
        while so_far.read():
            pass
        sheet = so_far.sheet
        board = board_of(sheet.fen) if sheet else chess.Board()
        self.say("game", f"{sheet.opening.game if sheet else None} {[notice.what for notice in self.notices.current]}")
        while moves is None or moves > 0:
            await self.show(board.occupied)
            while not self.session.playing:
                await self.show(chess.Board().occupied if board.is_game_over() else 0)
                await self.show(chess.Board().occupied)
                board = chess.Board()
            if board.is_game_over():  # killed at the last move
                self.session.command({"type": "resign", "side": "white"}, self.ns)
                continue
            move = self.chance.choice(list(board.legal_moves))
            mover = "white" if board.turn else "black"
            before = board.occupied
            board.push(move)
            lifted = before & ~chess.BB_SQUARES[move.from_square]
            await self.show(lifted & ~chess.BB_SQUARES[move.to_square])
            if move.promotion:
                piece = chess.piece_symbol(move.promotion)
                self.session.command({"type": "choose", "side": mover, "piece": piece}, self.ns)
            await self.show(board.occupied)
            self.session.take(LeverPress(self.ns, mover), "clock")  # type: ignore[arg-type]
            await self.show(board.occupied)
            if board.is_game_over() or len(board.move_stack) > 100:
                self.session.command({"type": "resign", "side": "white"}, self.ns)
                board = chess.Board()
            moves = None if moves is None else moves - 1

    async def show(self, occupied: int) -> None:
        """The board shows these pieces; time passes, and whoever is woken by the journal has a turn."""
        began = time.monotonic_ns()
        self.session.take(BoardReading(self.ns, occupied, began_ns=self.ns))
        self.at += HAND_MS
        while (due := self.session.due_ns) is not None and due <= self.ns:
            self.session.wake(max(due, 0))
        self.session.take(BoardReading(self.ns, occupied, began_ns=self.ns))
        self.longest_ns = max(self.longest_ns, time.monotonic_ns() - began)
        await asyncio.sleep(0.0005)

    @property
    def ns(self) -> int:
        return self.at * MS_NS

    async def run(self, moves: int | None = None) -> None:
        tasks = [asyncio.create_task(self.outlet()), asyncio.create_task(self.lamps.run())]
        await self.hands(moves)
        last = self.session.command({"type": "adjust", "side": "white"}, self.ns).result(10)
        while self.follower.seq < last:
            await asyncio.sleep(0.001)
        self.say("longest", str(self.longest_ns // MS_NS))
        for task in tasks:
            task.cancel()
        self.journal.close()


def play(path: Path, seed: int, moves: int | None = None) -> None:
    """Plays on in the journal ``path``."""
    logging.disable(logging.WARNING)  # where pieces are moved while nobody looks, that is said each time
    asyncio.run(Player(path, seed).run(moves))


def main() -> None:
    play(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)


if __name__ == "__main__":
    main()
