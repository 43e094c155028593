"""Chessnut boards: their bytes as reports and as a stream, their battery, and which device they are."""

import time
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from controller.errors import DeviceError
from controller.shown import START
from hardware.boards import Fault, FromDevice, Remark
from hardware.boards.chessnut import ChessnutBoard, ChessnutConfig, ChessnutPicture, find
from hardware.boards.chessnut_protocol import (
    ChessnutBattery,
    ChessnutState,
    Decoder,
    Message,
    encode_battery,
    encode_state,
    lamps,
)
from hardware.boards.codec import ProtocolError
from hardware.simulator.chessnut import ChessnutEmulator

HOME = bytes.fromhex("58 23 31 85 44 44 44 44" + 16 * "00" + "77 77 77 77 a6 c9 9b 6a")
"""The start position as the maker documents it."""


def read(data: bytes) -> list[Message | str]:
    return [str(m) if isinstance(m, ProtocolError) else m for m in Decoder().feed(data)]


def test_the_start_position() -> None:
    assert read(b"\x01\x24" + HOME + bytes(4)) == [ChessnutState(START)]
    assert encode_state(START, 36) == b"\x01\x24" + HOME + bytes(4)


def test_the_squares_run_from_h8_to_a1_the_lower_half_first() -> None:
    lone = ["N" if square == chess.G8 else "k" if square == chess.H8 else "" for square in chess.SQUARES]
    assert encode_state(lone)[:3] == b"\x01\x3d\xa2"
    assert read(encode_state(lone)) == [ChessnutState(tuple(lone))]


@pytest.mark.parametrize("length", [32, 34, 36, 61])
def test_what_follows_the_squares_means_nothing(length: int) -> None:
    assert read(encode_state(START, length).ljust(64, b"\0") + encode_battery(55, True)) == [
        ChessnutState(START),
        ChessnutBattery(55, True),
    ]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"\x01\x10", "length 16"),
        (b"\x01\x24\x0d", "no such piece"),
        (b"\x01\x24\xf0", "no such piece"),
        (b"\x77", "begins no message"),
        (b"\x2a\x03", "length 3"),
    ],
)
def test_what_no_board_can_have_sent_is_named(data: bytes, complaint: str) -> None:
    assert complaint in str(read(data)[0])
    assert read(data + encode_state(START))[-1] == ChessnutState(START)


def test_lamps_have_the_a_file_highest() -> None:
    assert lamps(chess.BB_A8 | chess.BB_H1) == bytes((0x0A, 8, 0x80, 0, 0, 0, 0, 0, 0, 0x01))
    assert lamps(chess.BB_C4)[2 + 4] == 0x20


def test_a_low_battery_is_remarked_on_once_until_it_is_charged() -> None:
    picture = ChessnutPicture()

    def said(percent: int, charging: bool = False) -> list[str]:
        return [i.what for i in picture.take(0, ChessnutBattery(percent, charging)) if isinstance(i, Remark)]

    assert said(80) == []
    (low,) = said(9)
    assert "9 %" in low
    assert said(8) == []
    assert said(8, charging=True) == [""]


def test_the_driver_hears_of_the_battery() -> None:
    items: list[FromDevice] = []
    board = ChessnutEmulator()
    board.percent = 5
    driver = ChessnutBoard(ChessnutConfig(port="here"), items.append, (0.02, 0.1), board.open)
    with board:
        driver.start()
        until(lambda: any(isinstance(item, Remark) and item.about == "battery" and item.what for item in items))
        driver.stop()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


# -- the device -------------------------------------------------------------------------------------------------------


def device(folder: Path, name: str, vendor: str, descriptor: bytes) -> None:
    (folder / name / "device").mkdir(parents=True)
    (folder / name / "device" / "uevent").write_text(f"DRIVER=hid-generic\nHID_ID=0003:{vendor}:00008001\n")
    (folder / name / "device" / "report_descriptor").write_bytes(descriptor)


def test_the_board_is_found_among_other_devices(tmp_path: Path) -> None:
    device(tmp_path, "hidraw0", "0000046D", b"\x05\x01\x09\x02")
    device(tmp_path, "hidraw1", "00002D80", b"\x05\x01\x09\x06")  # its keyboard
    device(tmp_path, "hidraw2", "00002D80", b"\x06\x00\xff\x09\x01")
    (tmp_path / "hidraw3").mkdir()  # pulled out just now
    assert find(tmp_path) == "/dev/hidraw2"


def test_no_board_among_other_devices(tmp_path: Path) -> None:
    device(tmp_path, "hidraw0", "0000046D", b"\x06\x00\xff")
    with pytest.raises(DeviceError, match="no Chessnut board is plugged in"):
        find(tmp_path)


def test_a_device_that_may_not_be_opened(tmp_path: Path) -> None:
    items: list[FromDevice] = []
    driver = ChessnutBoard(ChessnutConfig(port=str(tmp_path)), items.append)  # a folder: EISDIR
    driver.start()
    until(lambda: items)
    driver.stop()
    assert isinstance(items[0], Fault)
    assert "udev" in items[0].next_step
