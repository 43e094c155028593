"""A DGT board on a pseudo-terminal: it answers what the driver asks, reports what is moved, and can be pulled out.

The port is a symbolic link to the pseudo-terminal, so a board that is plugged in again comes back under its name, as
under ``/dev/serial/by-id``. Bytes can also be sent as they are: garbage, or a recording of a real board.
"""

import os
import select
import threading
import time
import tty
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import chess

from hardware.boards.dgt_picture import START, own_number
from hardware.boards.dgt_protocol import PIECES, Command, Flank, Id, encode

IDENTITY: dict[int, bytes] = {
    Command.TRADEMARK: encode(Id.TRADEMARK, b"jadoube emulator of a DGT board"),
    Command.SERIAL: encode(Id.SERIAL, b"00042"),
    Command.VERSION: encode(Id.VERSION, bytes((1, 8))),
    Command.BUS_ADDRESS: encode(Id.BUS_ADDRESS, bytes((0, 0))),
    Command.BATTERY: encode(Id.BATTERY, bytes(9)),
}


class DgtEmulator:
    """A board at ``port``, with the men at the start. A context manager: plugged in on entry, unplugged on exit.

    ``rotated``: Black sits where the board thinks White does. ``piecewise``: each byte is sent by itself.
    """

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False) -> None:
        self.received = bytearray()  #: every command byte since it was made, answered or not
        self.deaf = False  #: while True no command is answered
        self._port = port
        self._rotated = rotated
        self._piecewise = piecewise
        self._codes = bytearray(64)
        for square, piece in enumerate(START):
            self._codes[own_number(square, rotated)] = PIECES.index(piece)
        self._clock = encode(Id.CLOCK, bytes((0, 0, 0, 0, 0, 0, 0x20)))  # no clock on the cable
        self._updates: Command | None = None
        self._ends: tuple[int, int] | None = None
        self._sending = threading.Lock()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "DgtEmulator":
        self.plug()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def plug(self) -> None:
        """The board gets its power and a port; like a real one it reports nothing before it is asked."""
        controller, terminal = self._ends = os.openpty()
        tty.setraw(terminal)
        self._updates = None
        self._port.symlink_to(os.ttyname(terminal))
        self._thread = threading.Thread(target=self._answer, args=(controller,), name="dgt-emulator", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """The port goes away; what was read up to then stays read."""
        if self._ends is None or self._thread is None:
            return
        self._port.unlink()
        ends, self._ends = self._ends, None
        self._thread.join()
        for end in ends:
            os.close(end)

    def lift(self, square: chess.Square) -> None:
        self._set(square, 0)

    def place(self, square: chess.Square, piece: str) -> None:
        """``piece`` is a FEN letter. The square need not have been empty: boards scan slower than hands capture."""
        self._set(square, PIECES.index(piece))

    def clock(self, left_s: int, right_s: int, to_move: Flank, running: bool = True) -> None:
        """The clock shows these times; the lever is down on the other side."""
        status = running | (0x12 if to_move == "right" else 0x08)
        self._clock = encode(Id.CLOCK, bytes((*_shown(right_s), *_shown(left_s), status)))
        if self._updates in (Command.UPDATE, Command.UPDATE_NICE):
            self.send(self._clock)

    def send(self, data: bytes) -> None:
        """These bytes, whatever they are."""
        with self._sending:
            if self._ends is None:
                return
            for part in (data[i : i + 1] for i in range(len(data))) if self._piecewise else (data,):
                os.write(self._ends[0], part)
                if self._piecewise:
                    time.sleep(0.0005)

    def _set(self, square: chess.Square, code: int) -> None:
        own = own_number(square, self._rotated)
        self._codes[own] = code
        if self._updates is not None:
            self.send(encode(Id.FIELD, bytes((own, code))))

    def _answer(self, controller: int) -> None:
        while self._ends is not None:
            if select.select([controller], [], [], 0.02)[0]:
                with suppress(OSError):  # the driver may close its end at any time
                    for byte in os.read(controller, 1024):
                        self._obey(byte)
                        self.received.append(byte)

    def _obey(self, byte: int) -> None:
        if self.deaf:
            return
        match byte:
            case Command.RESET:
                self._updates = None
            case Command.UPDATE | Command.UPDATE_BOARD | Command.UPDATE_NICE:
                self._updates = Command(byte)
            case Command.SEND_BOARD:
                self.send(encode(Id.BOARD, bytes(self._codes)))
            case Command.SEND_CLOCK:
                self.send(self._clock)
            case _ if reply := IDENTITY.get(byte):
                self.send(reply)


def _shown(seconds: int) -> tuple[int, int, int]:
    """Hours, minutes and seconds as the clock codes them."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, int(str(minutes), 16), int(str(seconds), 16)
