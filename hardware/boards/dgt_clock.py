"""Commands to a DGT clock through its board: set both times and run, show text. No I/O.

A command is ``2B``, the length of the rest, ``03``, its number, what belongs to it, ``00``. The board can pass on one
at a time: the next must wait until the clock has acknowledged the last, which takes up to two seconds, or was given up.
Text is for the DGT 3000. Sources: the project's notes on serial boards, and DGT's own description of 2014.
"""

import math
from collections import deque
from enum import IntEnum

from hardware.boards.dgt_protocol import ClockAck, Command, Flank

ANSWER_S = 2.5  #: how long an acknowledgement may take
TRIES = 2
TEXT = 8  #: characters that the display holds
LONGEST_S = 10 * 3600 - 1  #: that it shows


class ClockCommand(IntEnum):
    """What a clock is told to do."""

    END = 0x03  #: shows the times again
    VERSION = 0x09
    SET_AND_RUN = 0x0A
    TEXT = 0x0C


_RUN = {"left": 0x01 | 0x08, "right": 0x02 | 0x08, None: 0x04}  # 8: from then on the lever decides


def set_and_run(left_s: int, right_s: int, running: Flank | None) -> bytes:
    """Sets both times, in seconds, and runs one of them, or none. Raises ValueError for what no clock can show."""
    if not (0 <= left_s <= LONGEST_S and 0 <= right_s <= LONGEST_S):
        raise ValueError(f"{left_s} and {right_s} s: a clock shows 0 to {LONGEST_S} s")
    return _command(ClockCommand.SET_AND_RUN, bytes((*_hms(left_s), *_hms(right_s), _RUN[running])))


def text(words: str, beep: int = 0) -> bytes:
    """Shows the first eight characters of ``words``; ``beep`` from 0 (none) to 15 (a second), in sixteenths."""
    shown = words.encode("ascii", "replace")[:TEXT].ljust(TEXT)
    return _command(ClockCommand.TEXT, shown + bytes((min(max(beep, 0), 15),)))


def end_text() -> bytes:
    """Shows the times again."""
    return _command(ClockCommand.END)


def _command(command: ClockCommand, data: bytes = b"") -> bytes:
    return bytes((Command.CLOCK_COMMAND, len(data) + 3, 0x03, command, *data, 0x00))


def _hms(seconds: int) -> tuple[int, int, int]:
    return seconds // 3600, seconds // 60 % 60, seconds % 60


class ClockDialogue:
    """One command at a time. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self.failed: str | None = None  #: what the clock did not do when last it was told to
        self._waiting: deque[bytes] = deque()
        self._sent: bytes | None = None
        self._sent_at = 0.0
        self._tries = 0

    def say(self, command: bytes) -> None:
        """To be sent when its turn comes; one of the same kind that still waits is forgotten."""
        for old in list(self._waiting):
            if old[3] == command[3]:
                self._waiting.remove(old)
        self._waiting.append(command)

    def heard(self, ack: ClockAck) -> None:
        """The clock has answered."""
        if self._sent is not None and not ack.automatic and ack.command == self._sent[3]:
            self.failed = None if ack.ok else f"refused the command {ClockCommand(ack.command).name}"
            self._sent = None

    def next(self, now: float) -> bytes | None:
        """What is to be sent at this moment."""
        if self._sent is not None:
            if now - self._sent_at <= ANSWER_S:
                return None
            if self._tries < TRIES:
                return self._send(self._sent, now)
            self.failed = f"did not answer to {ClockCommand(self._sent[3]).name}"
            self._sent = None
        if not self._waiting:
            return None
        self._tries = 0
        return self._send(self._waiting.popleft(), now)

    @property
    def due_s(self) -> float:
        """When :meth:`next` will have more, if nothing is heard before."""
        return math.inf if self._sent is None else self._sent_at + ANSWER_S

    def restart(self) -> None:
        """The line was opened anew: nothing that was sent will be answered."""
        self._sent = None

    def _send(self, command: bytes, now: float) -> bytes:
        self._sent, self._sent_at = command, now
        self._tries += 1
        return command
