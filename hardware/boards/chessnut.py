"""A Chessnut board (Air, Air+, Go, Pro, EVO) on a USB cable, through Linux's own hidraw devices, with its lamps.

A report that is read or written whole on ``/dev/hidraw*`` is a message of the board. Which of those devices it is can
be seen by its maker's number. It reports ten times a second, and says how full its battery is.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from controller.contract import Senses
from controller.errors import DeviceError
from hardware.boards.about import About
from hardware.boards.chessnut_protocol import (
    ASK_BATTERY,
    REAL_TIME,
    ChessnutBattery,
    ChessnutState,
    Decoder,
    Message,
    lamps,
)
from hardware.boards.picture import Recording
from hardware.boards.placement import Placement
from hardware.boards.port import LitBoard
from hardware.boards.ports import PortLine, Ports, reason
from hardware.boards.readings import Change, Driver, Emit, Remark
from hardware.boards.worker import RETRY_S

VENDOR = "00002D80"
BOARD_PAGE = bytes((0x06, 0x00, 0xFF))  #: how the report descriptor of the board itself begins, of several devices
LOW_PERCENT = 10
BATTERY_S = 60.0  #: how often the battery is asked for


class ChessnutConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="chessnut"):
    """Where the board is plugged in."""

    about: ClassVar[About] = About(
        "a Chessnut board, by USB",
        ("plugdev",),
        once=(
            "as root, so that users may open it, and then plug it in again:",
            """echo 'KERNEL=="hidraw*", ATTRS{idVendor}=="2d80", MODE="0660", GROUP="plugdev"' \\""",
            "    > /etc/udev/rules.d/70-chessnut.rules; udevadm control --reload",
        ),
    )
    senses: ClassVar[Senses] = "identity"
    scan_ms: ClassVar[float] = 100.0  #: how long after one look at a square the next one comes
    batteries: ClassVar[tuple[str, ...]] = ("battery",)  #: the remarks on batteries that there may be
    port: str = "auto"  #: the first that is plugged in; or /dev/hidraw0 and so on, where there are several
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return ChessnutBoard(self, emit)


class ChessnutPicture:
    """The board as it was last reported."""

    def __init__(self) -> None:
        self.placement = Placement()
        self._low = False

    def take(self, ns: int, message: Message) -> Iterable[Change | Remark]:
        if isinstance(message, ChessnutState):
            yield from self.placement.show(ns, message.pieces)
        elif (low := message.percent < LOW_PERCENT and not message.charging) != self._low:
            self._low = low
            yield _remark(ns, message) if low else Remark(ns, "battery")

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, ChessnutState)

    def whole(self, ns: int) -> Iterable[Change]:
        return self.placement.whole(ns)


class HidLine(PortLine):
    """An open hidraw device, or whatever else keeps its messages apart."""

    async def read(self, until_s: float) -> bytes:
        report = await super().read(until_s)
        return report[: report[1] + 2] if len(report) > 1 else report  # what fills it up may be anything


class ChessnutBoard(LitBoard[Message]):
    """The driver. ``open_file`` opens the device; a simulation brings its own."""

    kind = "Chessnut board"
    greeting = REAL_TIME
    query = repair = REAL_TIME
    farewell = lamps(0)
    lamp_gap_s = 0.2

    def __init__(
        self,
        config: ChessnutConfig,
        emit: Emit,
        retry_s: tuple[float, float] = RETRY_S,
        open_file: Callable[[str], int] = lambda path: os.open(path, os.O_RDWR),
    ) -> None:
        picture = ChessnutPicture()
        super().__init__("chessnut", config.port, config.silence_s, Decoder, picture, emit, retry_s)
        self.ports = Ports()  # a thread of its own: Linux lets whoever writes a report wait until the board has it
        self._placement = picture.placement
        self._open_file = open_file
        self._asked = 0.0

    def open_line(self) -> PortLine:
        path = find() if self._port == "auto" else self._port
        try:
            return HidLine(self._open_file(path))
        except OSError as error:
            raise DeviceError(
                f"the device {path} cannot be opened: {reason(error)}",
                "the board is not plugged in or is switched off, or the user may not use it",
                "plug it in and switch it on; install the rule for udev that config/chessnut.toml begins with",
            ) from error

    def lamp_command(self, mask: int) -> bytes:
        return lamps(self._placement.own_mask(mask))

    def commands(self, now: float) -> Iterator[bytes]:
        yield from super().commands(now)
        if now - self._asked > BATTERY_S:
            self._asked = now
            yield ASK_BATTERY


def find(devices: Path = Path("/sys/class/hidraw")) -> str:
    """The device of the first Chessnut board that is plugged in. Raises :exc:`DeviceError` if there is none."""
    for device in sorted(devices.glob("hidraw*")):
        try:
            ours = f":{VENDOR}:" in (device / "device" / "uevent").read_text()
            if ours and (device / "device" / "report_descriptor").read_bytes().startswith(BOARD_PAGE):
                return f"/dev/{device.name}"
        except OSError:
            continue  # it was pulled out just now
    raise DeviceError(
        "no Chessnut board is plugged in",
        "it is switched off, or on a cable that only charges",
        "switch it on; lsusb shows a device 2d80 when it is there",
    )


def recording() -> Recording[Message]:
    """Reads what such a board sent, as reports or as a stream."""
    return Recording("identity", Decoder(), ChessnutPicture())


def _remark(ns: int, battery: ChessnutBattery) -> Remark:
    return Remark(
        ns,
        "battery",
        f"the battery of the Chessnut board is low: {battery.percent} %",
        "it was not charged, or it is old",
        "connect it to a port or a charger that gives power",
    )
