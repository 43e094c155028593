"""A home-made board on an Arduino, an ESP32 or a Pico, which speaks the line protocol at 115200 baud (USB, 8N1).

Edges bear the device's own time, so that what the cable and the computer take to pass them on does not count. The
board's state is asked for whenever it is quiet, and at once when a line came damaged: an edge that was lost is made
good then.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal

import chess
from msgspec import Meta, Struct

from controller.errors import DeviceError
from controller.shown import START
from hardware.boards.about import SERIAL, About
from hardware.boards.line_protocol import (
    VERSION,
    WRAP_MS,
    Decoder,
    Hello,
    LineBattery,
    LineEdge,
    LinePress,
    LineState,
    Message,
    Trouble,
    seal,
)
from hardware.boards.picture import Recording
from hardware.boards.placement import Placement, turned
from hardware.boards.port import LitBoard
from hardware.boards.readings import BoardReading, Change, Driver, Emit, LeverPress, Remark
from hardware.boards.worker import RETRY_S

log = logging.getLogger(__name__)

MS_NS = 1_000_000
LATEST_NS = 250 * MS_NS  #: nothing is on its way for longer
DRIFT = 0.01  #: how far two clocks may run apart; a ceramic resonator is within 0.5 %
LOW_PERCENT = 10
SENSES = Literal["occupancy", "identity"]


class LineConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="line"):
    """Where the board is plugged in, and what it can tell apart."""

    about: ClassVar[About] = About(
        "a home-made board on an Arduino, ESP32 or Pico", ("dialout",), SERIAL, "docs/line-protocol.md", may_press=True
    )
    scan_ms: ClassVar[float] = 50.0  #: how long after one look at a square the next one comes, at most
    port: str = "/dev/ttyUSB0"  #: or ttyACM0; better the name that ls /dev/serial/by-id shows: it stays the same
    senses: SENSES = "occupancy"  #: "occupancy", or "identity": it sends the letters of its pieces
    #: true: Black sits where the board's a1 is; a board that knows its pieces finds that out by itself
    rotated: bool = False
    silence_s: Annotated[float, Meta(gt=0)] = 2.0  #: a board that says nothing for so long has a fault

    def open(self, emit: Emit) -> Driver:
        return LineBoard(self, emit)


class DeviceTime:
    """The device's ms as our ns.

    A line can only be late, never early: the least delay seen so far is nearest to none. It may grow a little, because
    the two clocks do not run alike.
    """

    def __init__(self) -> None:
        self._last_ms: int | None = None  # of the device, as it said it
        self._since_ns = 0  # of the device, never beginning again
        self._offset_ns = 0
        self._told_ns = 0

    def at(self, ms: int, heard_ns: int) -> int:
        """When that was, which the device said at ``ms`` and which was heard at ``heard_ns``; it never goes back."""
        if self._last_ms is None:
            self._offset_ns = heard_ns - self._since_ns
        else:
            passed_ns = (ms - self._last_ms) % WRAP_MS * MS_NS
            self._since_ns += passed_ns
            self._offset_ns = min(heard_ns - self._since_ns, self._offset_ns + round(passed_ns * DRIFT))
        self._last_ms = ms
        at_ns = max(self._since_ns + self._offset_ns, heard_ns - LATEST_NS)
        self._told_ns = max(self._told_ns, at_ns)
        return self._told_ns

    def restart(self) -> None:
        """The device counts from zero again."""
        self._last_ms = None


class LinePicture:
    """The board as its lines show it."""

    def __init__(self, senses: SENSES = "occupancy", rotated: bool = False) -> None:
        self.hello: Hello | None = None  #: what the device says of itself
        self._identity = senses == "identity"
        self._rotated = rotated
        self._time = DeviceTime()
        self._own = list(START)  # as the board numbers its squares; a recording begins at the start
        self._occupied = sum(chess.BB_SQUARES[square] for square in chess.SQUARES if START[square])
        self.placement = Placement()
        self._low = False

    def take(self, ns: int, message: Message) -> Iterable[BoardReading | Change | LeverPress | Remark]:
        match message:
            case Hello():
                self.hello = message
                self._time.restart()
            case LineEdge():
                self._occupied &= ~chess.BB_SQUARES[message.square]
                self._occupied |= chess.BB_SQUARES[message.square] * message.occupied
                if message.piece or not message.occupied:  # without its letter, the next state says who it is
                    self._own[message.square] = message.piece
                yield from self._seen(self._time.at(message.ms, ns))
            case LineState():
                self._occupied = message.occupied
                self._own = list(message.pieces) or self._own
                yield from self._seen(self._time.at(message.ms, ns))
            case LinePress():
                yield LeverPress(self._time.at(message.ms, ns), message.side)
            case LineBattery():
                if (low := message.percent < LOW_PERCENT) != self._low:
                    self._low = low
                    yield _battery(ns, message.percent) if low else Remark(ns, "battery")
            case Trouble(what):
                said = (f"the board says: {what}", "see its program", "mend it") if what else ()
                yield Remark(ns, "device", *said)

    def shows_all(self, message: Message) -> bool:
        return isinstance(message, LineState) and self.hello is not None and self.refusal is None

    @property
    def refusal(self) -> DeviceError | None:
        """Why nothing that this device says can be used, if so."""
        if self.hello is None:
            return None
        if self.hello.version != VERSION:
            return DeviceError(
                f"the board speaks version {self.hello.version} of the line protocol, not {VERSION}",
                "its program is newer or older than jadoube",
                "see docs/line-protocol.md",
            )
        if self._identity and "identity" not in self.hello.features:
            return DeviceError(
                "the board does not know its pieces",
                "its hello does not name identity",
                'set senses = "occupancy" in [board], or change its program',
            )
        return None

    def whole(self, ns: int) -> Iterable[BoardReading | Change]:
        return self.placement.whole(ns) if self._identity else (BoardReading(ns, self.mask(self._occupied)),)

    def mask(self, mask: int) -> int:
        """A mask of squares as the board numbers them, as White sees them; or the other way round."""
        return self.placement.own_mask(mask) if self._identity else turned(mask) if self._rotated else mask

    def _seen(self, ns: int) -> Iterable[BoardReading | Change]:
        return self.placement.show(ns, self._own) if self._identity else self.whole(ns)


class LineBoard(LitBoard[Message]):
    kind = "board with the line protocol"
    baud = 115200
    greeting = b"\nhello\n"  # the line before ends whatever was half said
    query = repair = b"state\n"
    lag_ms = 50.0  # what docs/line-protocol.md grants it; the sketch there needs 10
    lamp_gap_s = 0.0

    def __init__(self, config: LineConfig, emit: Emit, retry_s: tuple[float, float] = RETRY_S) -> None:
        self._config = config
        self._lines = LinePicture(config.senses, config.rotated)
        super().__init__("line", config.port, config.silence_s, Decoder, self._lines, emit, retry_s)
        self.farewell = self.lamp_command(0)

    @property
    def _features(self) -> frozenset[str]:
        return self._lines.hello.features if self._lines.hello is not None else frozenset()

    def _silent(self, noise: int) -> DeviceError:
        if not noise or self._lines.hello is None:
            return super()._silent(noise)
        return DeviceError(
            f"the board on {self._config.port} says hello, and not how its pieces stand",
            "its program sends no state when it is asked",
            "docs/line-protocol.md: a state must follow each hello, and each state that is asked for",
        )

    def note(self, message: Message) -> None:
        if isinstance(message, Hello):
            log.info("%s: version %d, %s", self.name, message.version, " ".join(sorted(message.features)) or "plain")

    def awaits(self, message: Message) -> DeviceError | None:  # noqa: ARG002
        return self._lines.refusal

    def commands(self, now: float) -> Iterator[bytes]:
        if "lamps" in self._features:
            yield from super().commands(now)

    def lamp_command(self, mask: int) -> bytes:
        line = f"lamps {self._lines.mask(mask):016x}"
        return (seal(line) if "checksum" in self._features else line).encode("ascii") + b"\n"


class LineRecording(Recording[Message]):
    """Reads what such a board sent; its own ms move time on."""

    def __init__(self, senses: SENSES = "occupancy") -> None:
        super().__init__(senses, Decoder(), LinePicture(senses), self._passed_ms, timed=True)
        self._last_ms: int | None = None

    def _passed_ms(self, message: Message) -> int:
        if isinstance(message, Hello):
            self._last_ms = None
        if not isinstance(message, LineEdge | LineState | LinePress):
            return 0
        before, self._last_ms = self._last_ms, message.ms
        return 0 if before is None else (message.ms - before) % WRAP_MS


def _battery(ns: int, percent: int) -> Remark:
    return Remark(
        ns, "battery", f"the battery of the board is low: {percent} %", "it was not charged, or is old", "charge it"
    )
