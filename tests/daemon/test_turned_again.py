"""Which way round a board stands, and the clock beside it, shows at the start alone: a restart amid a game knows it."""

import asyncio
from pathlib import Path

import chess
import pytest
from hall import running, until

from controller.config import check
from controller.contract import Move, Retract
from controller.daemon.service import Daemon
from controller.daemon.stances import Stances
from controller.wire import decode_event
from hardware.boards.dgt_protocol import Flank
from hardware.boards.readings import Stance
from hardware.simulator.dgt import DgtEmulator

OPENING = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6"
"""Ten pieces have left their squares: no board is recognised by the others."""


def moves_of(daemon: Daemon) -> list[str]:
    """Those that stand, as its journal has them."""
    moves: list[str] = []
    for event in [decode_event(record.body) for record in daemon.journal.after(0, 10_000) if record.kind == "event"]:
        if isinstance(event, Move):
            moves.append(event.uci)
        elif isinstance(event, Retract):
            moves.pop()
    return moves


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("white", ["left", "right"])
def test_a_restart_amid_a_game_knows_how_the_board_and_the_clock_stand(
    tmp_path: Path, rotated: bool, white: Flank
) -> None:
    table = {
        "board": {"type": "dgt", "port": str(tmp_path / "port")},
        "event": {"clock": "600"},
        "pgn": {"directory": str(tmp_path / "games")},
        "journal": {"path": str(tmp_path / "journal.sqlite")},
    }
    config = check(table, "a test")
    position = chess.Board()

    def tick(board: DgtEmulator) -> None:
        black: Flank = "right" if white == "left" else "left"
        board.clock(600, 600, white if position.turn else black)

    async def play(board: DgtEmulator, uci: str) -> None:
        move = chess.Move.from_uci(uci)
        piece = position.piece_at(move.from_square)
        assert piece is not None
        board.lift(move.from_square)
        await asyncio.sleep(0.05)
        board.place(move.to_square, piece.symbol())
        position.push(move)
        await asyncio.sleep(0.05)
        tick(board)

    async def scene(board: DgtEmulator) -> None:
        moves = OPENING.split()
        async with running(config) as daemon:
            await until(lambda: daemon.only.boards[None].alive_ns and daemon.only.session.phase(None).phase == "ready")
            tick(board)
            await until(lambda: daemon.only.session.playing)
            for number, uci in enumerate(moves, 1):
                await play(board, uci)
                await until(lambda number=number: len(moves_of(daemon)) == number, 5)
        async with running(config) as daemon:
            await until(lambda: daemon.only.boards[None].alive_ns)
            await play(board, "b2b4")
            await play(board, "c5b6")
            await until(lambda: len(moves_of(daemon)) == len(moves) + 2, 5)
            assert moves_of(daemon) == [*moves, "b2b4", "c5b6"]

    with DgtEmulator(tmp_path / "port", rotated) as board:
        asyncio.run(scene(board))
    assert Stances(tmp_path / "journal.sqlite").of("board") == Stance(rotated, white == "right")


def test_a_damaged_file_is_as_none(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    stances = Stances(journal)
    stances.keep("board 7", Stance(rotated=True))
    stances.keep("board 8", None)
    assert (Stances(journal).of("board 7"), Stances(journal).of("board 8")) == (Stance(rotated=True), None)
    (tmp_path / "journal.sqlite-stances").write_text("{")
    assert Stances(journal).of("board 7") is None
