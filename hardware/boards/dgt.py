"""A DGT board (USB, serial or Bluetooth serial port), read through pyserial: 9600 8N1.

On opening, the board is reset, asked who it is (for the log) and what stands on it, and told to report changes of
board and clock by itself. A quiet board is asked for its version now and then, so a dead cable is found while both
players think.
"""

import asyncio
import logging
import math
import time
from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.about import SERIAL, About
from hardware.boards.dgt_clock import ClockDialogue
from hardware.boards.dgt_face import ClockFollower
from hardware.boards.dgt_picture import DgtPicture
from hardware.boards.dgt_protocol import ClockAck, Command, Decoder, Id, Info, Log, Message, encode
from hardware.boards.port import PortBoard
from hardware.boards.ports import in_use, open_serial
from hardware.boards.readings import Driver, Emit, Remark
from hardware.boards.worker import RETRY_S
from hardware.clocks.face import Face

log = logging.getLogger(__name__)

BATTERY_S = 60.0  #: how often the battery of a Bluetooth board is asked for
VERIFY_S = 10.0  #: so often the whole board is asked for: what a damaged byte has shown would stay for ever
LOG_S = 20.0  #: how long the board's own log may take


class DgtConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dgt"):
    """Where the board is plugged in."""

    about: ClassVar[About] = About("a DGT board, by USB, serial or Bluetooth", ("dialout",), SERIAL, own_clock=True)
    senses: ClassVar[Senses] = "identity"
    scan_ms: ClassVar[float] = 225.0  #: how long after one look at a square the next one comes: 200 to 250
    port: str = "/dev/ttyACM0"  #: better the name that ls /dev/serial/by-id shows: it stays the same
    bluetooth: bool = False  #: true: it has a battery, and a notice says when that is low
    #: a board that says nothing for so long, asked meanwhile, has a fault
    silence_s: Annotated[float, Meta(gt=0)] = 2.0
    set_clock: bool = False  #: true: a DGT 3000 in mode 25 is set to the time of the game: docs/boards/clock.md

    @property
    def batteries(self) -> tuple[str, ...]:
        """The remarks on batteries that there may be."""
        return (*(("battery",) if self.bluetooth else ()), "clock-battery")

    def open(self, emit: Emit) -> Driver:
        return DgtBoard(self, emit)


class DgtBoard(PortBoard[Message]):
    kind = "DGT board"
    baud = 9600
    again = bytes(
        (
            Command.UPDATE_NICE,  # before the board is asked for, so that no change falls between the two
            Command.SEND_BOARD,
            Command.SEND_CLOCK,
        )
    )
    greeting = bytes((Command.RESET, Command.TRADEMARK, Command.SERIAL, Command.VERSION)) + again
    query = bytes((Command.VERSION,))
    repair = bytes((Command.SEND_BOARD,))
    stale = 0  # it tells the whole board only when asked
    lag_ms = 250.0  # its own scan takes 200 to 250 ms
    farewell = bytes((Command.RESET,))

    def __init__(self, config: DgtConfig, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        self._board_picture = DgtPicture(live=True)
        super().__init__("dgt", config.port, config.silence_s, Decoder, self._board_picture, emit, retry_s)
        self._follower = ClockFollower()
        self._battery_s = BATTERY_S if config.bluetooth else math.inf
        self._asked = -math.inf
        self._verified = math.inf  # when it was last asked for the whole board, whatever it has told
        self._dialogue = ClockDialogue()
        self._failed: str | None = None  # what was remarked on
        self._told: set[Info] = set()  # what the board on the cable has said of itself

    def show(self, face: Face) -> None:
        """The game's clock has changed, and this one is to follow: a :class:`hardware.clocks.face.FaceShows`."""
        self._follower.show(face, time.monotonic_ns())
        self.wake()

    # -- in the thread of the ports ------------------------------------------------------------------------------

    async def work(self) -> None:
        self._dialogue.restart()
        self._told.clear()
        self._verified = time.monotonic()
        await super().work()

    def doubts(self, message: Message) -> bool:
        return self._board_picture.doubts(message)

    def note(self, message: Message) -> None:
        if isinstance(message, Info):
            if message not in self._told:  # its version is asked for again and again, to hear that it is there
                self._told.add(message)
                log.info("%s: %s", self.name, message)
        elif isinstance(message, ClockAck):
            self._dialogue.heard(message)

    def commands(self, now: float) -> Iterator[bytes]:
        if now - self._verified > VERIFY_S:
            self._verified = now
            self._looks_wanted.append(time.monotonic_ns())
        if now - self._asked > self._battery_s:
            self._asked = now
            yield bytes((Command.BATTERY,))
        for follows in self._follower.next(self._board_picture.clock, self._board_picture.white, time.monotonic_ns()):
            self._dialogue.say(follows)
        if (command := self._dialogue.next(now)) is not None:
            yield command
        if self._board_picture.clock is not None:
            self._due_s = min(self._follower.due_s, self._dialogue.due_s)
        if (failed := self._dialogue.failed) != self._failed:
            self._failed = failed
            self.emit(_remark(failed))


def fetch_log(port: str) -> bytes:
    """What a board sends when it is asked for its own log; it takes nine seconds. Raises :exc:`DeviceError`."""
    return asyncio.run(_fetch_log(port))


async def _fetch_log(port: str) -> bytes:
    decoder = Decoder()
    async with in_use(partial(open_serial, port, DgtBoard.baud), DgtBoard.kind, port) as line:
        line.write(bytes((Command.RESET, Command.EEPROM)))
        end = time.monotonic() + LOG_S
        while time.monotonic() < end:
            for message in decoder.feed(await line.read(end)):
                if isinstance(message, Log):
                    return encode(Id.EEPROM, message.data)
    raise DeviceError(
        f"no DGT board on {port} sends its log",
        "another device on that port, or a board without a memory of its own",
        "ls -l /dev/serial/by-id/ names the ports",
    )


def _remark(failed: str | None) -> Remark:
    ns = time.monotonic_ns()
    if failed is None:
        return Remark(ns, "clock")
    return Remark(
        ns,
        "clock",
        f"the clock {failed}",
        "it is in another mode, or is none that can be told what to do",
        "choose its mode for a computer: 25 on a DGT 3000, 23 on a DGT XL",
    )
