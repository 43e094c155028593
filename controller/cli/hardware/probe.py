"""What answers on a serial port: each protocol's own question, asked in turn, until one is understood.

Who talks without being asked is listened to first. After that a question may reach a device that it is not for, and at
another baud rate than its own. None can do harm there: a DGT board, which one byte (0x4E) would leave without its
program, hears each of the other questions as one byte with bit 7 set, for they are over before it has read seven bits;
ChessLink obeys nothing without parity and checksum; Certabo and Sentio are known by then. An Arduino begins anew when
its port is opened, and is asked until it has started. Several DGT boards on a line have answered all at once until
then, and are called last, by their own protocol.
"""

import errno
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from controller.cli.hardware.fill import OptionValue
from controller.errors import DeviceError
from hardware.boards import certabo_protocol, chesslink_protocol, dgt_protocol, line_protocol
from hardware.boards.codec import Codec, ProtocolError
from hardware.boards.dgt_bus import boards_on
from hardware.boards.dgt_bus_talk import Present
from hardware.boards.ports import unopened

READ_S = 0.05
LINE = "dgt-bus"


class RecognisedBoard(Struct, frozen=True):
    kind: str  #: as ``type`` of ``[board]``
    said: str  #: what else it told of itself
    options: Mapping[str, OptionValue] = {}  #: of ``[board]``, which follow from that
    addresses: tuple[int, ...] = ()  #: of the boards on a line


class FoundPort(Struct, frozen=True):
    """A serial port, or a bus."""

    path: str  #: the name that stays, where there is one
    about: str  #: maker and product, and the numbers of the USB device
    asked: bool = True  #: not the Pi's own UART or a console, where nobody plugs in a board by chance


class ProbedPort(Struct, frozen=True):
    """What answers on a port."""

    port: FoundPort
    answer: RecognisedBoard | None
    error: DeviceError | None = None
    beside: str = ""  #: what else is there


class ProtocolQuestion(Struct, frozen=True):
    """How to find out about one protocol."""

    baud: int
    asked: bytes  #: nothing: it is listened to
    within_s: float  #: so long it is waited for
    again_s: float  #: after this it is asked again
    codecs: tuple[Callable[[], Codec[object]], ...]


QUESTIONS = (
    ProtocolQuestion(38400, b"", 1.2, 9.0, (certabo_protocol.Decoder, chesslink_protocol.Decoder)),
    ProtocolQuestion(9600, bytes((dgt_protocol.Command.VERSION,)), 0.8, 9.0, (dgt_protocol.Decoder,)),
    ProtocolQuestion(38400, chesslink_protocol.encode("V"), 0.8, 9.0, (chesslink_protocol.Decoder,)),
    ProtocolQuestion(115200, b"\nhello\n", 3.0, 1.0, (line_protocol.Decoder,)),
)


def probe(port: str, kind: str | None = None) -> RecognisedBoard | None:
    """Who is on ``port``, or which boards of a line where ``kind`` says that it is one; None if nobody is understood.

    Raises :exc:`DeviceError` for a port that cannot be had.
    """
    answer = _probe(port) if kind != LINE else None
    return answer or _on_line(boards_on(port))


def _probe(port: str) -> RecognisedBoard | None:
    import serial

    try:
        with serial.Serial(port, QUESTIONS[0].baud, timeout=READ_S, write_timeout=1.0, exclusive=True) as line:
            for question in QUESTIONS:
                line.baudrate = question.baud
                line.reset_input_buffer()
                for message in _heard(line, question):
                    if (answer := recognise(message)) is not None:
                        return answer
    except serial.SerialTimeoutException as error:
        raise unopened(port, TimeoutError(errno.ETIMEDOUT, str(error))) from error
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise DeviceError(
                f"there is no port {port}",
                "a slip of the pen, or nothing is plugged in there",
                "jadoube boards --ports names those that there are",
            ) from error
        raise unopened(port, error) from error
    return None


def recognise(message: object) -> RecognisedBoard | None:
    """Whose message that is; of several boards one is sure."""
    match message:
        case certabo_protocol.ChipTags():
            return RecognisedBoard("certabo", "reads chips")
        case certabo_protocol.Occupied():
            return RecognisedBoard("sentio", "sees where something stands")
        case chesslink_protocol.Reply(kind="v"):
            return RecognisedBoard("chesslink", f"version {message.data[0]}.{message.data[1]}")
        case chesslink_protocol.ChessLinkState():
            return RecognisedBoard("chesslink", "reports by itself")
        case dgt_protocol.Info(id=dgt_protocol.Id.VERSION):
            return RecognisedBoard("dgt", str(message))
        case line_protocol.Hello():
            knows = {"senses": "identity"} if "identity" in message.features else {}
            return RecognisedBoard(
                "line", f"protocol {message.version}, {' '.join(sorted(message.features)) or 'plain'}", knows
            )
    return None


def _on_line(present: Sequence[Present]) -> RecognisedBoard | None:
    """The boards of a line, each by its address."""
    if not present:
        return None
    told = [f"{one.address}{f' (version {one.version})' if one.version else ''}" for one in present if one.boards == 1]
    told += [f"{one.boards} boards that are all {one.address}" for one in present if one.boards > 1]
    return RecognisedBoard(LINE, f"boards {', '.join(told)}", addresses=tuple(one.address for one in present))


def _heard(line: "serial.Serial", question: ProtocolQuestion) -> Iterator[object]:  # type: ignore[name-defined]  # noqa: F821
    """All messages that come within the time that the question is given."""
    codecs = [codec() for codec in question.codecs]
    asked, end = 0.0, time.monotonic() + question.within_s
    while (now := time.monotonic()) < end:
        if question.asked and now - asked > question.again_s:
            line.write(question.asked)
            asked = now
        data = line.read(max(line.in_waiting, 1))
        for codec in codecs:
            for message in codec.feed(data):
                if not isinstance(message, ProtocolError):
                    yield message
