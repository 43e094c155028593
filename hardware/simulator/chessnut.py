"""A Chessnut board behind a pair of sockets that keep its reports apart, as a hidraw device does."""

import os
import select
import socket
import threading
import time
from contextlib import suppress

import chess

from controller.shown import START
from hardware.boards.chessnut_protocol import ASK_BATTERY, REAL_TIME, encode_battery, encode_state
from hardware.simulator.terminal import Pluggable

REPORT = 64  #: bytes of a report, filled up with what happens to be there
EVERY_S = 0.02  #: a real board takes 0.1 s
TICK_S = 0.005


class ChessnutEmulator(Pluggable):
    """A board with the pieces at the start.

    :meth:`open` stands in for :func:`os.open`. ``rotated``: Black sits where the board thinks White does.
    """

    def __init__(self, rotated: bool = False) -> None:
        self.deaf = False  #: while True it neither answers nor reports
        self.percent = 80  #: how full the battery is
        self.charging = False
        self.lamps = bytes(8)  #: a byte a rank, from the eighth
        self._turn = 63 if rotated else 0
        self._pieces = [START[square ^ self._turn] for square in chess.SQUARES]
        self._plugged = False
        self._board: socket.socket | None = None
        self._reports = False
        self._thread: threading.Thread | None = None

    def plug(self) -> None:
        self._plugged, self.lamps = True, bytes(8)
        self._thread = threading.Thread(target=self._live, name="emulator", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self._plugged = False
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def open(self, path: str) -> int:
        """The driver's end, as a file descriptor. Raises FileNotFoundError while the board is unplugged."""
        if not self._plugged:
            raise FileNotFoundError(2, os.strerror(2), path)
        self._reports = False
        self._board, driver = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        return driver.detach()

    def lift(self, square: chess.Square) -> None:
        self._pieces[square ^ self._turn] = ""

    def place(self, square: chess.Square, piece: str) -> None:
        """``piece`` is a FEN letter. The square need not have been empty."""
        self._pieces[square ^ self._turn] = piece

    def send(self, report: bytes) -> None:
        """This report, whatever it is."""
        if self._board is not None and not self.deaf:
            with suppress(OSError):  # the driver may close its end at any time
                self._board.send(report.ljust(REPORT, b"\x01"))

    def _live(self) -> None:
        told = 0.0
        while self._plugged:
            board = self._board
            if board is None:
                time.sleep(TICK_S)
            elif select.select([board], [], [], TICK_S)[0]:
                with suppress(OSError):
                    self._obey(board.recv(REPORT))
            if self._reports and time.monotonic() - told > EVERY_S:
                told = time.monotonic()
                self.send(encode_state(self._pieces))
        if self._board is not None:
            self._board.close()
            self._board = None

    def _obey(self, report: bytes) -> None:
        if report == REAL_TIME:
            self._reports = True
        elif report == ASK_BATTERY:
            self.send(encode_battery(self.percent, self.charging))
        elif report[:2] == b"\x0a\x08":
            self.lamps = report[2:]
        elif not report:
            self._board, self._reports = None, False
