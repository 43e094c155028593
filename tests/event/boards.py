"""The boards of the hall, on pseudo-terminals, each with a clock beside it, and the hands of those who play on them."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import chess

from hardware.simulator.dgt import DgtEmulator

START_S, INCREMENT_S = 90 * 60, 30
HAND_S = 0.12  #: a piece is in the hand
STILL_S = 0.26  #: it stands before the clock is pressed


class Clock:
    """An electronic clock, which keeps its own time: 90 minutes, and 30 seconds for each move, the first too."""

    def __init__(self) -> None:
        self.turn, self.running = chess.WHITE, False
        self._left_s = [float(START_S + INCREMENT_S)] * 2  # of Black, of White: as python-chess counts colours
        self._since = 0.0  # it runs, or stands

    @property
    def shown_s(self) -> tuple[int, int]:
        """Of Black, of White, as it shows them: whole seconds."""
        self._settle()
        black, white = map(int, self._left_s)
        return black, white

    def press(self, side: chess.Color) -> None:
        """That player has moved; the first press, of Black's, starts it."""
        self._settle()
        if self.running:
            self._left_s[side] += INCREMENT_S
        self.turn, self.running = not side, True

    def stop(self) -> None:
        self._settle()
        self.running = False

    def go_on(self, turn: chess.Color) -> None:
        """It is the turn of that player."""
        self._settle()
        self.turn, self.running = turn, True

    def _settle(self) -> None:
        now = time.monotonic()
        if self.running:
            self._left_s[self.turn] -= now - self._since
        self._since = now


class Table:
    """One table: the board that stands there, its clock, and what stands on the board."""

    def __init__(self, board: DgtEmulator) -> None:
        self.board = board
        self.clock = Clock()
        self.position = chess.Board()

    def set_up(self) -> None:
        """The pieces and the clock as before a game."""
        self.clock = Clock()
        self.position = chess.Board()
        self._put()

    def exchange(self, board: DgtEmulator) -> DgtEmulator:
        """The game goes on upon another board, which has the clock on its cable from now on; returns the one before."""
        before, self.board = self.board, board
        before.clock(0, 0, "left", running=False)  # another one, which nobody has set
        self._put()
        return before

    def tick(self) -> None:
        """What a clock that runs says each second."""
        if self.clock.running:
            self.show_clock()

    def start(self) -> None:
        """Black presses, and White's clock runs."""
        self.clock.press(chess.BLACK)
        self.show_clock()

    async def move(self, move: chess.Move) -> int:
        """Hands make a move and press the clock, or stop it with a mate: what it shows of the one who has moved."""
        before, side = self.position.copy(stack=False), self.position.turn
        self.position.push(move)
        squares = [s for s in chess.SQUARES if before.piece_at(s) != self.position.piece_at(s)]
        squares.sort(key=lambda square: square != move.from_square)  # the king before the rook
        if before.is_capture(move) and not before.is_en_passant(move):
            self.board.lift(move.to_square)
        for square in squares:
            if before.piece_at(square) is not None and self.position.piece_at(square) is None:
                self.board.lift(square)
        await asyncio.sleep(HAND_S)
        squares.sort(key=lambda square: square != move.to_square)
        for square in squares:
            if (piece := self.position.piece_at(square)) is not None:
                self.board.place(square, piece.symbol())
        if self.position.is_checkmate():
            self.clock.stop()
        else:
            await asyncio.sleep(STILL_S)
            self.clock.press(side)
        self.show_clock()
        return self.clock.shown_s[side]

    async def touch(self, square: chess.Square, heard: Callable[[], Awaitable[None]]) -> None:
        """Takes a piece into the hand until everybody has seen it, and puts it back."""
        piece = self.position.piece_at(square)
        assert piece is not None
        self.board.lift(square)
        await heard()
        self.board.place(square, piece.symbol())
        await asyncio.sleep(STILL_S)

    def put_back(self) -> None:
        """The last move, as if it had not been made."""
        self.position.pop()
        self._put()

    def show_clock(self) -> None:
        black, white = self.clock.shown_s
        self.board.clock(white, black, "left" if self.clock.turn else "right", self.clock.running)

    def _put(self) -> None:
        for square in chess.SQUARES:
            piece = self.position.piece_at(square)
            symbol = "" if piece is None else piece.symbol()
            if self.board.pieces[square] != symbol:
                self.board.place(square, symbol)
        self.show_clock()


def ports(folder: Path, count: int) -> list[Path]:
    """Where so many boards are plugged in."""
    return [folder / f"port-{number}" for number in range(1, count + 1)]
