"""Who is on a port: each emulator is recognised by its own words, and no question harms anybody else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from shell import Jadoube

from controller.cli.hardware import ports as ports_module
from controller.cli.hardware import probe as probe_module
from controller.cli.hardware.probe import QUESTIONS, probe
from controller.errors import DeviceError
from hardware.simulator.certabo import CertaboEmulator, SentioEmulator
from hardware.simulator.chesslink import ChessLinkEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.dgt_bus import BusBoard, DgtLineEmulator
from hardware.simulator.line import LineEmulator
from hardware.simulator.terminal import Terminal


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Emulators answer at once: nobody is waited for as long as a real board may need."""
    questions = [type(q)(q.baud, q.asked, 0.15, q.again_s, q.codecs) for q in QUESTIONS]
    monkeypatch.setattr(probe_module, "QUESTIONS", questions)


BOOTLOADER = 0x4E  #: what leaves a DGT board without its program
BITS = 10  #: start, eight data bits, stop


def heard(data: bytes, baud: float, at_baud: float, late: float = 0.5) -> list[int]:
    """What a receiver at ``at_baud`` makes of ``data`` sent without a pause at ``baud``, 8N1 both.

    It waits for a start bit and then samples each bit ``late`` of a bit after its beginning; a byte without a stop bit
    is heard all the same.
    """
    line = [bit for byte in data for bit in (0, *((byte >> i) & 1 for i in range(8)), 1)]

    def level(seconds: float) -> int:
        index = int(seconds * baud)
        return line[index] if index < len(line) else 1

    found, now, step = [], 0.0, 1 / (16 * at_baud)
    while now * baud < len(line):
        if level(now):
            now += step
            continue
        found.append(sum(level(now + (i + 1 + late) / at_baud) << i for i in range(8)))
        now += (BITS - 0.5) / at_baud
    return found


def test_the_receiver_of_this_test_hears_what_is_sent_at_its_own_speed() -> None:
    assert heard(b"\x4e\x00\xff\x55", 9600, 9600) == [0x4E, 0x00, 0xFF, 0x55]


@given(st.sampled_from([9600.0, 9600 * 1.03, 9600 * 0.97]), st.floats(0.3, 0.7))
def test_no_question_is_heard_as_the_one_command_that_a_dgt_board_must_not_get(at_baud: float, late: float) -> None:
    for question in QUESTIONS:
        assert BOOTLOADER not in heard(question.asked, question.baud, at_baud, late)


def test_a_dgt_board_hears_one_byte_with_bit_7_of_what_is_meant_for_others() -> None:
    for question in QUESTIONS:
        if question.asked and question.baud != 9600:
            (byte,) = heard(question.asked, question.baud, 9600)
            assert byte & 0x80


@pytest.mark.parametrize(
    ("emulator", "kind", "answered"),
    [
        (DgtEmulator, "dgt", 1),
        (ChessLinkEmulator, "chesslink", 0),
        (CertaboEmulator, "certabo", 0),
        (SentioEmulator, "sentio", 0),
        (LineEmulator, "line", 3),
    ],
)
def test_each_board_is_recognised_by_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulator: type[Terminal], kind: str, answered: int
) -> None:
    """``answered``: the number of the question, which is waited for as long as a busy machine may need."""
    monkeypatch.setattr(probe_module, "QUESTIONS", [*probe_module.QUESTIONS])
    probe_module.QUESTIONS[answered] = replace(probe_module.QUESTIONS[answered], within_s=30.0)  # type: ignore[index]
    with emulator(tmp_path / "port") as board:
        answer = probe(str(tmp_path / "port"))
        assert answer is not None
        assert answer.kind == kind
        if kind == "dgt":
            assert bytes(board.received) == b"\x4d", "once it has answered nothing more is asked"
            assert answer.said == "version 1.8"


def test_a_chesslink_board_that_reports_nothing_by_itself_is_asked(tmp_path: Path) -> None:
    with ChessLinkEmulator(tmp_path / "port") as board:
        board.registers[2] = 3  # reports changes only, as jadoube leaves it
        answer = probe(str(tmp_path / "port"))
    assert answer is not None
    assert (answer.kind, answer.said) == ("chesslink", "version 1.3")


def test_a_home_made_board_says_what_it_knows(tmp_path: Path) -> None:
    with LineEmulator(tmp_path / "port", features=("identity", "lamps")):
        answer = probe(str(tmp_path / "port"))
    assert answer is not None
    assert answer.options == {"senses": "identity"}


def test_a_port_that_cannot_be_had_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="there is no port") as absent:
        probe(str(tmp_path / "none"))
    assert "jadoube boards --ports" in absent.value.next_step
    with DgtEmulator(tmp_path / "port"), pytest.raises(DeviceError) as refused:
        import serial

        with serial.Serial(str(tmp_path / "port"), exclusive=True):
            probe(str(tmp_path / "port"))
    assert "another program holds the port" in refused.value.cause
    with pytest.raises(DeviceError) as none:
        probe("/dev/null")
    assert none.value.cause == "it is no serial port"


def test_a_port_that_takes_nothing_is_still_a_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import serial

    def hangs(*_: object) -> int:
        raise serial.SerialTimeoutException("Write timeout")

    monkeypatch.setattr(serial.Serial, "write", hangs)
    with DgtEmulator(tmp_path / "port"), pytest.raises(DeviceError, match="timed out") as hung:
        probe(str(tmp_path / "port"))
    assert "no serial port" not in hung.value.cause


def test_a_port_with_nobody_who_is_understood(tmp_path: Path, jadoube: Jadoube) -> None:
    with DgtEmulator(tmp_path / "port") as board:
        board.deaf = True
        told = jadoube("boards", "--ports", tmp_path / "port")
    assert told.status == 1
    assert "nobody that is understood" in told.out
    assert "Is it switched on" in told.out


def test_what_is_plugged_in_is_said_for_all_ports_at_once(tmp_path: Path, jadoube: Jadoube) -> None:
    with DgtEmulator(tmp_path / "one"), SentioEmulator(tmp_path / "two"):
        told = jadoube("boards", "--ports", tmp_path / "one", tmp_path / "two", tmp_path / "none")
    assert told.status == 0
    assert f"{tmp_path}/one: dgt (version 1.8)" in told.out
    assert f"{tmp_path}/two: sentio" in told.out
    assert f"{tmp_path}/none: there is no port" in told.out


def test_ports_that_no_board_is_on_by_chance_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from serial.tools import list_ports
    from serial.tools.list_ports_common import ListPortInfo

    console, board = ListPortInfo("/dev/ttyAMA0"), ListPortInfo("/dev/ttyUSB7")
    board.vid, board.pid, board.manufacturer, board.product = 0x0403, 0x6001, "FTDI", "FT232R"
    monkeypatch.setattr(list_ports, "comports", lambda: [board, console])
    first, second = ports_module.ports()
    assert (first.path, first.asked) == ("/dev/ttyAMA0", False)
    assert (second.about, second.asked) == ("FTDI FT232R [0403:6001]", True)


def test_all_boards_of_a_line_are_named_by_their_addresses(tmp_path: Path, jadoube: Jadoube) -> None:
    with DgtLineEmulator(tmp_path / "port", [9999, 1025, 78]) as line:
        BusBoard(line, 4242).plug()
        BusBoard(line, 4242).plug()
        told = jadoube("boards", "--ports", tmp_path / "port")
        assert BOOTLOADER not in line.obeyed_alone
    assert told.status == 0
    boards = "boards 78 (version 1.8), 1025 (version 1.8), 9999 (version 1.8), 2 boards that are all 4242"
    assert f"{tmp_path}/port: dgt-bus ({boards})" in told.out


def test_a_board_that_is_alone_on_a_line_is_found_as_such_where_a_line_is_looked_for(tmp_path: Path) -> None:
    with DgtLineEmulator(tmp_path / "port", [1025]):
        alone = probe(str(tmp_path / "port"))
        on_line = probe(str(tmp_path / "port"), "dgt-bus")
    assert alone is not None
    assert (alone.kind, alone.said) == ("dgt", "version 1.8")
    assert on_line is not None
    assert (on_line.kind, on_line.addresses) == ("dgt-bus", (1025,))
