"""The line protocol: its lines, the device's clock, and what a driver makes of both."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.shown import START
from hardware.boards import BoardReading, Change, Fault, FromDevice, LeverPress, Recovered, Remark
from hardware.boards.codec import ProtocolError
from hardware.boards.line import MS_NS, DeviceTime, LineBoard, LineConfig, LinePicture
from hardware.boards.line_protocol import (
    WRAP_MS,
    Decoder,
    Hello,
    LineBattery,
    LineEdge,
    LinePress,
    LineState,
    Message,
    Trouble,
    parse,
    seal,
)
from hardware.simulator.line import LineEmulator

HOME = 0xFFFF_0000_0000_FFFF


def read(data: bytes) -> list[Message | str]:
    return [str(m) if isinstance(m, ProtocolError) else m for m in Decoder().feed(data)]


# -- the lines --------------------------------------------------------------------------------------------------------

LINES: list[tuple[str, Message]] = [
    ("hello 1", Hello(1, frozenset())),
    ("hello 1 lamps identity by-ann", Hello(1, frozenset(("lamps", "identity", "by-ann")))),
    ("lift 12345 e2", LineEdge(12345, chess.E2, False)),
    ("place 13001 e4", LineEdge(13001, chess.E4, True)),
    ("place 13001 e8 Q", LineEdge(13001, chess.E8, True, "Q")),
    ("state 7 ffff00000000ffff", LineState(7, HOME)),
    ("state 7 8000000000000001", LineState(7, chess.BB_H8 | chess.BB_A1)),
    ("state 7 " + "".join(piece or "." for piece in START), LineState(7, HOME, START)),
    ("press 4294967295 black", LinePress(WRAP_MS - 1, "black")),
    ("battery 250", LineBattery(100)),
    ("error row 3 does not answer", Trouble("row 3 does not answer")),
    ("error", Trouble("")),
]


@pytest.mark.parametrize(("line", "message"), LINES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n\n"])
def test_each_line_is_a_message_with_or_without_a_checksum(line: str, message: Message, end: str) -> None:
    assert read((line + end + seal(line) + end).encode()) == [message, message]


@pytest.mark.parametrize(
    "line",
    [
        *("hello", "hello one", "lift e2", "lift 1 e9", "lift 1 e2 P", "place 1 e4 X", "place 1 e4 PP", "lift -1 e2"),
        *("state 1 ff", "state 1 fffff0000000000g", "state 1 " + 64 * "x", "press 1 green", "battery", "battery x"),
        *("lift 4294967296 e2", "lift 99999999999999 e2", "lift ² e2", "LIFT 1 e2", "lift 1 e2*00", "lift 1 e2*zz"),
        *("wibble", "*", "x" * 200),
    ],
)
def test_any_other_line_is_named_and_costs_only_itself(line: str) -> None:
    complaint, message = read(line.encode() + b"\nlift 1 e2\n")
    assert isinstance(complaint, str)
    assert message == LineEdge(1, chess.E2, False)


@given(st.sampled_from([line for line, _ in LINES]), st.data())
def test_a_checksum_finds_any_byte_that_changed(line: str, data: st.DataObject) -> None:
    sealed = bytearray(seal(line).encode())
    at = data.draw(st.integers(0, len(line) - 1))
    sealed[at] = data.draw(st.integers(33, 126).filter(lambda byte: byte != sealed[at]))
    with pytest.raises(ProtocolError):
        parse(bytes(sealed))


# -- the device's clock -----------------------------------------------------------------------------------------------


@given(
    start_ms=st.integers(0, WRAP_MS - 1),
    drift=st.floats(-0.005, 0.005),
    delays=st.lists(st.tuples(st.integers(1, 5_000), st.integers(0, 20)), min_size=1, max_size=60),
)
def test_edges_are_dated_by_the_device_within_the_least_delay(
    start_ms: int, drift: float, delays: list[tuple[int, int]]
) -> None:
    """Whatever the cable does, dates are never in the future, never go back, and are not later than what was heard."""
    clock, true_ms, heard, last = DeviceTime(), 1_000_000, 0, 0
    for passed, delay in delays:
        true_ms += passed
        heard = max(heard, (true_ms + delay) * MS_NS)  # no line overtakes another
        at = clock.at(round(start_ms + true_ms * (1 + drift)) % WRAP_MS, heard)
        assert last <= at <= heard
        last = at


def test_a_line_that_was_held_up_bears_its_own_time() -> None:
    clock = DeviceTime()
    assert clock.at(1000, 50_000 * MS_NS) == 50_000 * MS_NS
    assert clock.at(1500, 50_580 * MS_NS) - 50_500 * MS_NS <= 5 * MS_NS  # 80 ms late
    assert clock.at(1600, 50_600 * MS_NS) == 50_600 * MS_NS


def test_a_device_that_starts_again_begins_again() -> None:
    clock = DeviceTime()
    clock.at(900_000, 50_000 * MS_NS)
    clock.restart()
    assert clock.at(3, 60_000 * MS_NS) == 60_000 * MS_NS


# -- what they add up to ----------------------------------------------------------------------------------------------


def test_an_occupancy_board_gives_readings() -> None:
    picture = LinePicture()
    items = [
        item
        for m in (LineState(0, HOME), LineEdge(5, chess.E2, False), LineEdge(9, chess.E4, True))
        for item in picture.take(0, m)
    ]
    assert [item.occupied for item in items if isinstance(item, BoardReading)] == [
        HOME,
        HOME & ~chess.BB_E2,
        HOME & ~chess.BB_E2 | chess.BB_E4,
    ]


def test_a_letter_that_is_left_out_waits_for_the_next_state() -> None:
    picture = LinePicture("identity")
    pieces = list(START)
    list(picture.take(0, LineState(0, HOME, START)))
    assert list(picture.take(0, LineEdge(5, chess.E4, True))) == []
    pieces[chess.E4] = "N"
    assert list(picture.take(0, LineState(9, HOME | chess.BB_E4, tuple(pieces)))) == [Change(0, chess.E4, "N")]


# -- the driver -------------------------------------------------------------------------------------------------------


class Bench:
    """A driver on a port where a device may be plugged in."""

    def __init__(self, folder: Path) -> None:
        self.items: list[FromDevice] = []
        self.port = folder / "port"

    def drive(self, **options: object) -> LineBoard:
        config = LineConfig(port=str(self.port), silence_s=0.5, **options)  # type: ignore[arg-type]
        self.driver = LineBoard(config, self.items.append, (0.02, 0.1))
        self.driver.start()
        return self.driver

    def until(self, true: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, f"never happened; last said: {self.items[-3:]}"
            time.sleep(0.005)

    def says(self, kind: type[Fault] | type[Remark], words: str) -> bool:
        return any(isinstance(item, kind) and words in item.what for item in self.items)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.driver.stop()


def test_presses_and_remarks_come_through(bench: Bench) -> None:
    with LineEmulator(bench.port, boot_ms=WRAP_MS - 300) as board:
        bench.drive()
        bench.until(lambda: BoardReading in map(type, bench.items))
        time.sleep(0.4)  # the device's clock begins again
        before = time.monotonic_ns()
        board.press("white")
        board.battery(4)
        board.say("error row 3 does not answer")
        bench.until(lambda: bench.says(Remark, "row 3") and bench.says(Remark, "4 %"))
        (press,) = (item for item in bench.items if isinstance(item, LeverPress))
        assert press.side == "white"
        assert abs(press.ns - before) < 100 * MS_NS
        board.say("error")
        bench.until(lambda: Remark in map(type, bench.items[-1:]) and not bench.says(Fault, "row"))


@pytest.mark.parametrize("what", ["version", "pieces"])
def test_a_board_that_cannot_do_what_it_is_to_do_says_why(bench: Bench, what: str) -> None:
    board = LineEmulator(bench.port)
    if what == "version":
        board.version = 2
    with board:
        bench.drive(senses="occupancy" if what == "version" else "identity")
        words = "version 2" if what == "version" else "does not know its pieces"
        bench.until(lambda: bench.says(Fault, words))
        time.sleep(0.6)
        assert not any(isinstance(item, BoardReading | Change | Recovered) for item in bench.items)


class HelloAlone(LineEmulator):
    """A sketch that forgets what must follow its hello."""

    def _state(self) -> None:
        pass


def test_a_device_that_says_hello_and_no_state_is_told_what_it_lacks(bench: Bench) -> None:
    with HelloAlone(bench.port):
        bench.drive()
        bench.until(lambda: bench.says(Fault, "says hello, and not how its pieces stand"))


def test_a_device_that_starts_in_mid_game_is_asked_nothing_twice(bench: Bench) -> None:
    """A brown-out: the device says hello and its state by itself; nothing is a fault, and its clock begins again."""
    with LineEmulator(bench.port) as board:
        bench.drive()
        bench.until(lambda: BoardReading in map(type, bench.items))
        told = len([item for item in bench.items if isinstance(item, Fault | Recovered)])
        board.wake_up()
        board.lift(chess.E2)
        bench.until(
            lambda: isinstance(bench.items[-1], BoardReading) and bench.items[-1].occupied == HOME & ~chess.BB_E2
        )
        assert len([item for item in bench.items if isinstance(item, Fault | Recovered)]) == told


def test_the_latest_hello_counts(bench: Bench) -> None:
    """A device is given another program in mid-game, and then the right one."""
    with LineEmulator(bench.port) as board:
        bench.drive()
        bench.until(lambda: BoardReading in map(type, bench.items))
        board.version = 2
        board.wake_up()
        bench.until(lambda: bench.says(Fault, "version 2"))
        board.version = 1
        board.wake_up()
        bench.until(lambda: Recovered in map(type, bench.items))


def test_a_device_that_sends_checksums_gets_them_too(bench: Bench) -> None:
    with LineEmulator(bench.port, features=("lamps", "checksum")) as board:
        bench.drive().light(chess.BB_E4)
        bench.until(lambda: board.lamps == chess.BB_E4)
        assert seal(f"lamps {chess.BB_E4:016x}").encode() in board.received


def test_a_device_without_lamps_is_not_bothered(bench: Bench) -> None:
    with LineEmulator(bench.port, features=()) as board:
        bench.drive().light(chess.BB_E4)
        bench.until(lambda: BoardReading in map(type, bench.items))
        board.lift(chess.E2)
        bench.until(lambda: isinstance(bench.items[-1], BoardReading) and bench.items[-1].occupied != HOME)
        assert b"lamps" not in board.received
