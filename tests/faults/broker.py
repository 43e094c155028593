"""Everything arrives once and in order, whatever becomes of the broker and of the network on both sides of it.

    python tests/faults/broker.py [--faults N] [--seed N] [--day RECORDS]

A real journal, the real outlet, a real mosquitto without persistence, and the reference subscriber; between them two
networks that fail. Meanwhile games go on. Ends with one JSON line; with status 1 where an event was lost, repeated or
out of order.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from broker_network import Network
from hall import Mosquitto
from subscriber import Subscriber

from controller.contract import AnyEvent, Completed, Move, Session, Time, Touch
from controller.errors import LogError
from controller.journal import Journal, Opening
from controller.outlets.mqtt import channel, connection
from controller.outlets.mqtt import outlet as mqtt
from controller.outlets.mqtt.channel import Channel, Feed
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.outlet import MqttOutlet
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet

FAULTS = ("drop", "reset", "stall", "lose", "delay", "split", "refuse", "kill", "freeze", "away")
LASTS_S = (0.02, 0.3)  #: a fault, at least and at most
ARRIVAL_S = 120.0  #: within which time after the last fault all must have arrived


def impatient() -> None:
    """Timeouts a tenth as long as in life, so that a fault takes a tenth of the time."""
    connection.PATIENCE_S, connection.KEEPALIVE_S = 1.0, 1
    mqtt.RETRY_S, channel.ECHO_S = (0.02, 0.2), 5.0


class Play:
    """Games that go on for ever, written to the journal as the table would."""

    def __init__(self, journal: Journal, chance: random.Random) -> None:
        self._journal = journal
        self._chance = chance
        self._inputs = self._endless()

    def go_on(self, inputs: int = 1) -> None:
        """So many inputs more, each with what the game makes of it."""
        for _ in range(inputs):
            next(self._inputs)

    def _endless(self) -> Iterator[None]:
        number = 0
        while True:
            number += 1
            game, board, ms = f"game-{number}", chess.Board(), 0
            self._journal.begin(Opening(game=game, venue="hall", board="7", started="2026-01-01", session=SESSION))
            while not board.is_game_over() and board.ply() < 60:
                move = self._chance.choice(list(board.legal_moves))
                for events in self._told(board, move, ms := ms + 1000):
                    self._journal.append(game, Time(ms=ms), events)
                    yield
                board.push(move)

    @staticmethod
    def _told(board: chess.Board, move: chess.Move, ms: int) -> list[list[AnyEvent]]:
        """A touch, time that passes without an event, and the move."""
        side, square = "white" if board.turn else "black", chess.square_name(move.from_square)
        san, uci, ply = board.san(move), move.uci(), board.ply() + 1
        after = board.copy(stack=False)
        after.push(move)
        made = Move(ms=ms, side=side, uci=uci, san=san, fen=after.fen(), ply=ply)
        done = Completed(ms=ms, side=side, uci=uci, white_ms=None, black_ms=None)
        return [[Touch(ms=ms, side=side, square=square, piece="P")], [], [made, done]]


SESSION = Session(version=1)


class Hall:
    """All of it at work. ``near`` is the network between the board and the broker, ``far`` that of the subscriber."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.journal = Journal(folder / "journal.sqlite")
        self.play = Play(self.journal, self.chance)
        self.broker = Mosquitto(folder, "max_queued_messages 0")
        self.done = Counter[str]()

    async def __aenter__(self) -> "Hall":
        self._stack = contextlib.AsyncExitStack()
        self.near = await self._stack.enter_async_context(Network(self.broker.port, self.chance))
        self.far = await self._stack.enter_async_context(Network(self.broker.port, self.chance))
        config = connection.MqttConfig(host="127.0.0.1", port=self.near.port)
        feed = Feed("board/7", "7", Scoresheet)
        self.notices = Notices()
        memory = Memory(self.folder / "memory", 0)
        self.channel = Channel(config, "hall", feed, self.journal, self.notices, memory, _refuse)
        self.outlet = MqttOutlet(config, "hall", self.notices, memory, self.channel)
        v5 = aiomqtt.ProtocolVersion.V5
        self.subscriber = Subscriber(
            "127.0.0.1", self.far.port, self.channel.base, patience_s=0.5, protocol=v5, keepalive=1, timeout=1
        )
        self._tasks = [asyncio.create_task(self.outlet.run()), asyncio.create_task(self.subscriber.run())]
        self._tasks.append(asyncio.create_task(self._keep_playing()))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()
        self.broker.kill()
        self.journal.close()

    async def _keep_playing(self) -> None:
        while True:
            self.play.go_on(self.chance.choice((1, 1, 2, 5)))
            await asyncio.sleep(self.chance.uniform(0.0, 0.03))

    async def fail(self, fault: str) -> None:
        """One fault, on one side or the other, and its end."""
        self.done[fault] += 1
        network = self.chance.choice((self.near, self.far))
        lasts_s = self.chance.uniform(*LASTS_S)
        match fault:
            case "drop" | "reset" | "stall" | "lose":
                getattr(network, fault)()
            case "delay":
                network.delay_s = self.chance.uniform(0.01, 0.2)
            case "split":
                network.split = True
            case "refuse":
                network.refusing = True
                network.drop()
            case "kill":
                self.broker.kill()
            case "freeze":
                self._signal(signal.SIGSTOP)
            case "away":
                self.broker.kill()
                self.play.go_on(self.chance.randrange(200))
        await asyncio.sleep(lasts_s)
        network.heal()
        if fault == "freeze":
            self._signal(signal.SIGCONT)
        if fault in ("kill", "away"):
            await asyncio.to_thread(self.broker.start)

    async def day(self, records: int) -> None:
        """The broker is away while so many records are written."""
        await asyncio.to_thread(self.broker.kill)
        while records > 0:
            self.play.go_on(100)
            records -= 200
            await asyncio.sleep(0)
        await asyncio.to_thread(self.broker.start)

    async def settle(self) -> None:
        """Play stops, and all is given time to arrive. Raises AssertionError where it does not, once and in order."""
        self._tasks.pop().cancel()
        await asyncio.wrap_future(self.journal.append("none", Time(ms=0), []))
        told = [record.seq for record in self.journal.after(0, 10**9) if record.kind != "input"]
        until = time.monotonic() + ARRIVAL_S
        while self.subscriber.receiver.last != told[-1] and time.monotonic() < until:
            await asyncio.sleep(0.02)
        applied = [event["seq"] for event in self.subscriber.applied]
        expected = told[told.index(applied[0]) :] if applied else told
        assert applied == expected, f"{len(applied)} of {len(expected)}, first apart at {_apart(applied, expected)}"
        while self.journal.cursor(self.outlet.name) < told[-1] and time.monotonic() < until:
            await asyncio.sleep(0.02)
        assert self.journal.cursor(self.outlet.name) >= told[-1], "the cursor stays behind"

    def _signal(self, number: int) -> None:
        assert self.broker.process is not None
        os.kill(self.broker.process.pid, number)


async def _refuse(payload: bytes, *, by: str | None) -> int:
    raise LogError("nobody commands here", str(by), payload.decode())


def _apart(applied: list[int], expected: list[int]) -> int:
    return next((i for i, (a, b) in enumerate(zip(applied, expected, strict=False)) if a != b), len(applied))


async def suffer(folder: Path, faults: int, seed: int, day: int = 0) -> dict[str, Any]:
    """So many faults one after another, some while others last. Raises AssertionError as :meth:`Hall.settle` does."""
    since = time.monotonic()
    async with Hall(folder, seed) as hall:
        while not hall.subscriber.applied:
            await asyncio.sleep(0.02)
        order = [FAULTS[i % len(FAULTS)] for i in range(faults)]
        hall.chance.shuffle(order)
        for fault in order:
            await hall.fail(fault)
            await asyncio.sleep(hall.chance.choice((0.0, 0.02, 0.15)))
        if day:
            await hall.day(day)
        await hall.settle()
        return {
            "name": "broker faults",
            "faults": dict(sorted(hall.done.items())),
            "records": hall.journal.head.seq,
            "applied": len(hall.subscriber.applied),
            "replays": hall.subscriber.asked,
            "seconds": round(time.monotonic() - since, 1),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--day", type=int, default=20_000, metavar="RECORDS", help="that a broker away for a day misses"
    )
    given = parser.parse_args()
    impatient()
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(suffer(Path(folder), given.faults, given.seed, given.day))))


if __name__ == "__main__":
    main()
