"""A Millennium ChessLink board (Exclusive, Performance, eONE), on USB or another serial port, with its lamps.

The board is told to report every change by itself, which its own memory keeps. It has no clock and does not number its
squares anew when it is turned round; that is seen when the pieces stand at the start.
"""

import logging
from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from hardware.boards.about import SERIAL, About
from hardware.boards.chesslink_protocol import (
    ON_CHANGE,
    REPORTS,
    SCAN_TIME,
    ChessLinkState,
    Decoder,
    Message,
    Reply,
    encode,
    lamps,
    register,
)
from hardware.boards.picture import Recording
from hardware.boards.placement import Placement
from hardware.boards.port import LitBoard
from hardware.boards.readings import Change, Driver, Emit
from hardware.boards.worker import RETRY_S

log = logging.getLogger(__name__)

SCAN_UNIT_MS = 2.048


class ChessLinkConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="chesslink"):
    """Where the board is plugged in."""

    about: ClassVar[About] = About("a Millennium board with ChessLink", ("dialout",), SERIAL)
    senses: ClassVar[Senses] = "identity"
    port: str = "/dev/ttyUSB0"  #: better the name that ls /dev/serial/by-id shows: it stays the same
    #: how long a scan takes: less, to 31, for blitz, if every piece of the set is still seen
    scan_ms: Annotated[float, Meta(ge=31, le=522)] = 41.0
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return ChessLinkBoard(self, emit)


class ChessLinkPicture:
    """The board as it was last reported."""

    def __init__(self) -> None:
        self.placement = Placement()

    def take(self, ns: int, message: Message) -> Iterable[Change]:
        return self.placement.show(ns, message.pieces) if isinstance(message, ChessLinkState) else ()

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, ChessLinkState)

    def whole(self, ns: int) -> Iterable[Change]:
        return self.placement.whole(ns)


class ChessLinkBoard(LitBoard[Message]):
    kind = "ChessLink board"
    baud = 38400
    query = repair = encode("S")
    farewell = encode("X")
    lamp_gap_s = 0.1

    def __init__(self, config: ChessLinkConfig, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        picture = ChessLinkPicture()
        super().__init__("chesslink", config.port, config.silence_s, Decoder, picture, emit, retry_s)
        self._placement = picture.placement
        self.lag_ms = config.scan_ms
        scan = register(SCAN_TIME, round(config.scan_ms / SCAN_UNIT_MS))
        self.greeting = encode("V") + scan + register(REPORTS, ON_CHANGE) + encode("S")

    def note(self, message: Message) -> None:
        if isinstance(message, Reply) and message.kind == "v":
            log.info("%s: version %d.%d", self.name, *message.data)

    def lamp_command(self, mask: int) -> bytes:
        return lamps(self._placement.own_mask(mask)) if mask else encode("X")


def recording() -> Recording[Message]:
    """Reads what such a board sent."""
    return Recording("identity", Decoder(), ChessLinkPicture())
