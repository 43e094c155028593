"""A serial line with DGT boards behind one pseudo-terminal, after the project's notes on the bus mode.

Who answers together with another is not understood. The first command of the bus mode that reaches a board in another
mode only changes that. A board can keep one command while another is being obeyed, and the next is lost. Two boards may
have one address, and any of them may be plugged in and out.
"""

import heapq
import random
import time
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from hardware.boards.dgt_bus_protocol import (
    ALL,
    ANSWERS,
    PING_S,
    Command,
    Id,
    Listener,
    encode_reply,
)
from hardware.boards.dgt_protocol import Command as SingleCommand
from hardware.boards.dgt_protocol import Id as SingleId
from hardware.boards.dgt_protocol import encode
from hardware.simulator.dgt import IDENTITY, DgtEmulator
from hardware.simulator.terminal import Terminal

BYTE_S = 10 / 9600  #: on the wire: start, eight bits, stop
ALONE = frozenset(SingleCommand) - {SingleCommand.CLOCK_COMMAND}
AT_ONCE = 2  #: commands: the one that is obeyed, and one that is kept


class DgtLineEmulator(Terminal):
    """A line at ``port``, with boards of these ``addresses``. ``real_time``: a byte takes as long as on the wire."""

    baud = 9600

    def __init__(self, port: Path, addresses: Iterable[int] = (), seed: int = 0, real_time: bool = False) -> None:
        super().__init__(port)
        self.boards: list[BusBoard] = []  #: those that are plugged in
        self.obeyed_alone = bytearray()  #: what was heard outside any frame
        self.damaged = 0  #: so many of the next answers are garbled on their way
        self.lost = 0  #: so many of the next answers do not arrive
        self._random = random.Random(seed)
        self._real_time = real_time
        self._listener = Listener()
        self._answers: list[tuple[BusBoard, bytes]] = []  # to what has just been heard
        self._called: list[BusBoard] = []  # by a call to all
        self._later: list[tuple[float, bytes]] = []  # a heap of what is sent when its time has come
        for address in addresses:
            BusBoard(self, address).plug()

    def __getitem__(self, address: int) -> "BusBoard":
        """The first board with that address that is plugged in. Raises :exc:`StopIteration` where there is none."""
        return next(board for board in self.boards if board.address == address)

    def obey(self, data: bytes) -> None:
        heard = list(self._listener.feed(data))
        commands = 0
        for said in heard:
            if isinstance(said, int):
                self.obeyed_alone.append(said)
                for board in self.boards:
                    board.obey_alone(said)
            elif (commands := commands + 1) <= AT_ONCE:
                self._hear(*said)
        if self._real_time:
            time.sleep(len(data) * BYTE_S)
        self._answer()

    def _hear(self, command: int, address: int) -> None:
        for board in self.boards:
            board.hear(command, address)
        self._answer_call()

    def report(self, board: "BusBoard", data: bytes) -> None:
        """Something that ``board`` sends now."""
        self._answers.append((board, data))

    def call(self, board: "BusBoard") -> None:
        """``board`` answers a call to all, at a moment of its own."""
        self._called.append(board)

    def _answer(self) -> None:
        answers, self._answers = self._answers, []
        data = b"".join(said for _, said in answers)
        together = len({id(board) for board, _ in answers}) > 1
        if self.lost and data:
            self.lost -= 1
            return
        if (self.damaged or together) and data:
            self.damaged -= not together
            data = self._random.randbytes(max(len(said) for _, said in answers))
        if self._real_time:
            time.sleep(len(data) * BYTE_S)
        if data:
            self.send(data)

    def _answer_call(self) -> None:
        called, self._called = self._called, []
        now, lasts = time.monotonic(), len(encode_reply(Id.PING, ALL)) * BYTE_S
        moments = sorted(
            (now + self._random.uniform(0, PING_S), encode_reply(Id.PING, board.address)) for board in called
        )
        met = {i for i, (one, other) in enumerate(pairwise(moments)) if other[0] - one[0] < lasts}
        met |= {i + 1 for i in met}
        for i, (due, said) in enumerate(moments):
            heapq.heappush(self._later, (due, self._random.randbytes(len(said)) if i in met else said))

    def tick(self, now: float) -> None:
        self._answer()  # what a board has reported unasked
        while self._later and self._later[0][0] <= now:
            self.send(heapq.heappop(self._later)[1])


class BusBoard(DgtEmulator):
    """A board on ``line``, with the pieces at the start."""

    def __init__(self, line: DgtLineEmulator, address: int, rotated: bool = False) -> None:
        super().__init__(Path(), rotated)
        self.address = address
        self.alone = line.alone
        self._line = line
        self._bus = True
        self._quiet = False  # at the next call to all
        self._reported = 0  # so much of its log
        self._last = b""  # of what it reported

    def plug(self) -> None:
        with self.alone:
            self._bus, self._quiet, self._reported, self._last = True, False, len(self.log), b""
            self.wake_up()
            self._line.boards.append(self)

    def unplug(self) -> None:
        with self.alone:
            self._line.boards.remove(self)

    def send(self, data: bytes) -> None:
        if self in self._line.boards and not self.deaf:
            self._line.report(self, data)

    def obey_alone(self, command: int) -> None:
        """A command to a board that stands alone, which every board obeys."""
        if command not in ALONE:
            return
        self._bus = command == SingleCommand.BUS_MODE
        if command == SingleCommand.BUS_ADDRESS:
            self.send(encode(SingleId.BUS_ADDRESS, bytes((self.address >> 7, self.address & 0x7F))))
        elif command == SingleCommand.SERIAL:
            self.send(encode(SingleId.SERIAL, b"%05d" % self.address))
        elif self._bus:
            self._updates = None
        else:
            self.obey(bytes((command,)))

    def hear(self, command: int, address: int) -> None:
        """A command of the bus mode."""
        if not self._bus:
            self._bus, self._updates = True, None
        elif self.deaf:
            return
        elif address == self.address:
            self._obey_bus(command)
        elif address == ALL and command == Command.PING:
            if not self._quiet:
                self._line.call(self)
            self._quiet = False
        elif address == ALL:
            self._obey_together(command)

    def _obey_bus(self, command: int) -> None:
        match command:
            case Command.SEND_CHANGES | Command.REPEAT_CHANGES:
                if command == Command.SEND_CHANGES:
                    self._last, self._reported = bytes(self.log[self._reported :]), len(self.log)
                self._reply(command, self._last)
            case Command.SEND_BOARD:
                self._reply(command, self._codes())
            case Command.SEND_CLOCK:
                self._reply(command, self._clock[3:])
            case Command.PING:
                self._reply(command)
            case Command.IGNORE_NEXT_PING:
                self._quiet = True
                self._reply(command)
            case Command.VERSION:
                self._reply(command, IDENTITY[SingleCommand.VERSION][3:])
            case _:
                self._obey_together(command)

    def _obey_together(self, command: int) -> None:
        """What may be said to all boards, and is not answered."""
        if command == Command.RESET:
            self.wake_up()
        elif command == Command.END_BUS_MODE:
            self._bus = False

    def _reply(self, command: int, data: bytes = b"") -> None:
        self.send(encode_reply(ANSWERS[command][0], self.address, data))
