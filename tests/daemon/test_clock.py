"""A clock on pins beside a board on pins, each in its own thread: who presses 5 ms after his move has made one."""

import asyncio
from collections.abc import Callable

import chess
from hall import moves_of, running, until

from controller.config import Config
from controller.wire import decode_event
from hardware.boards.simulated import SimulatedBoard
from hardware.clocks.simulated import SimulatedLever

GAME = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"


def test_moves_pressed_at_once_are_moves(configure: Callable[..., Config]) -> None:
    config = configure(
        board={"type": "simulated", "bounce_ms": 3},
        clock={"type": "simulated", "high": "black", "bounce_ms": 3},
        event={"clock": "300+2"},
    )

    async def scene() -> list[str]:
        async with running(config) as daemon:
            board, clock = daemon.only.boards[None], daemon.only.clocks[None]
            assert isinstance(board, SimulatedBoard)
            assert isinstance(clock, SimulatedLever)
            await until(lambda: clock.alive_ns and board.alive_ns)
            await asyncio.sleep(0.2)
            assert not daemon.only.session.playing, "the pieces stand ready, and nobody has pressed"
            clock.press("black")
            await until(lambda: daemon.only.session.playing)
            for number, uci in enumerate(GAME.split(), 1):
                move = chess.Move.from_uci(uci)
                board.electrical.lift(move.from_square)
                await asyncio.sleep(0.06)
                board.electrical.place(move.to_square)
                await asyncio.sleep(0.005)
                clock.press("white" if number % 2 else "black")
                await until(lambda number=number: len(moves_of(daemon.journal)) == number)
            assert moves_of(daemon.journal) == GAME.split()
            await asyncio.sleep(0.1)
            records = daemon.journal.after(0, 10_000)
            return [type(decode_event(record.body)).__name__ for record in records if record.kind == "event"]

    events = asyncio.run(scene())
    assert events.count("Completed") == len(GAME.split())
    assert not {"Illegal", "Violation", "Penalty"} & set(events)
