"""A DGT board (USB, serial or Bluetooth serial port), read through pyserial: 9600 8N1.

On opening, the board is reset, asked who it is (for the log) and what stands on it, and told to report changes of
board and clock by itself. A quiet board is asked for its version now and then, so a dead cable is found while both
players think.
"""

import logging
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from hardware.boards.dgt_picture import Picture
from hardware.boards.dgt_protocol import Command, Decoder, Info, Message
from hardware.boards.port import PortBoard
from hardware.boards.readings import Driver, Emit

log = logging.getLogger(__name__)


class DgtConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dgt"):
    """Where the board is plugged in."""

    senses: ClassVar[Senses] = "identity"
    port: str = "/dev/ttyACM0"  #: better a name under /dev/serial/by-id, which stays when another device is added
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return DgtBoard(self, emit)


class DgtBoard(PortBoard[Message]):
    """The driver."""

    kind = "DGT board"
    baud = 9600
    greeting = bytes(
        (
            Command.RESET,
            Command.TRADEMARK,
            Command.SERIAL,
            Command.VERSION,
            Command.UPDATE_NICE,  # before the board is asked for, so that no change falls between the two
            Command.SEND_CLOCK,
            Command.SEND_BOARD,
        )
    )
    query = bytes((Command.VERSION,))
    repair = bytes((Command.SEND_BOARD,))
    farewell = bytes((Command.RESET,))

    def __init__(self, config: DgtConfig, emit: Emit, retry_s: tuple[float, float] = (0.25, 5.0)) -> None:
        super().__init__("dgt", config.port, config.silence_s, Decoder, Picture(tell_start=True), emit, retry_s)

    def note(self, message: Message) -> None:
        if isinstance(message, Info):
            log.info("%s: %s", self.name, message)
