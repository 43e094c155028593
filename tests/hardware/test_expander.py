"""A board of port expanders: read through the real smbus2, on chips that behave as their data sheet says."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel import serve

from controller.errors import DeviceError
from hardware.boards.expander import GPPU, IOCON, ExpanderBoard, ExpanderConfig
from hardware.buses import open_i2c
from hardware.simulator.contacts import START, Contacts
from hardware.simulator.expanders import Expanders

wirings = st.builds(
    ExpanderConfig,
    first=st.sampled_from(["a1", "h1", "a8", "h8"]),
    along=st.sampled_from(["rank", "file"]),
    zigzag=st.booleans(),
)


def built(config: ExpanderConfig, occupied: int) -> tuple[ExpanderBoard, Expanders]:
    chips = Expanders(Contacts(occupied=occupied), config.squares())
    board = ExpanderBoard(config, chips.i2c.open)
    board.open()
    return board, chips


@given(wirings, st.integers(0, 2**64 - 1))
def test_a_scan_is_what_stands_on_the_board(config: ExpanderConfig, occupied: int) -> None:
    board, _ = built(config, occupied)
    assert board.scan() == occupied


def test_the_real_smbus2_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chips = Expanders(Contacts())
    serve(monkeypatch, 1, chips.i2c)
    board = ExpanderBoard(ExpanderConfig(), open_i2c)
    board.open()
    assert board.scan() == START
    chips.contacts.lift(chess.E2)
    chips.contacts.place(chess.E4)
    assert board.scan() == START ^ chess.BB_E2 ^ chess.BB_E4
    chips.i2c.unplug(0x22)
    with pytest.raises(DeviceError, match="0x22 does not answer: Remote I/O error"):
        board.scan()
    board.close()


def test_gpb0_of_the_first_chip_is_a2_and_the_second_chip_begins_with_a3() -> None:
    board, chips = built(ExpanderConfig(), 0)
    chips.contacts.place(chess.A2)
    assert chips.i2c.read_i2c_block_data(0x20, 0x12, 2) == [0, 1]
    chips.contacts.place(chess.A3)
    assert chips.i2c.read_i2c_block_data(0x21, 0x12, 2) == [1, 0]
    assert board.scan() == chess.BB_A2 | chess.BB_A3


def test_a_chip_left_in_the_other_register_layout_is_set_right() -> None:
    chips = Expanders(Contacts())
    chips.i2c.write_i2c_block_data(0x21, IOCON, [0x80])
    board = ExpanderBoard(ExpanderConfig(), chips.i2c.open)
    board.open()
    assert board.scan() == START


def test_a_chip_whose_supply_dipped_is_noticed_and_set_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    board, chips = built(ExpanderConfig(), START)
    chips.chips[0x23].reset()
    assert board.scan() != START, "inputs afloat: for less than a second this goes unnoticed"
    monkeypatch.setattr(board, "_checked", 0.0)
    with pytest.raises(DeviceError, match="0x23 has lost its settings"):
        board.scan()
    board.close()
    board.open()
    assert board.scan() == START


def test_a_missing_chip_is_named_with_the_command_that_finds_it() -> None:
    chips = Expanders(Contacts())
    chips.i2c.unplug(0x21)
    board = ExpanderBoard(ExpanderConfig(), chips.i2c.open)
    with pytest.raises(DeviceError, match="0x21") as caught:
        board.open()
    assert "i2cdetect -y 1" in caught.value.next_step


def test_one_spark_on_the_wires_costs_nothing_and_two_in_a_row_are_a_fault() -> None:
    board, chips = built(ExpanderConfig(), START)
    chips.i2c.sparks = 1
    assert board.scan() == START
    chips.i2c.sparks = 2
    with pytest.raises(DeviceError, match="0x20"):
        board.scan()


def test_without_pull_ups_an_input_floats() -> None:
    """What the driver is there to prevent."""
    board, chips = built(ExpanderConfig(), 0)
    chips.i2c.write_i2c_block_data(0x20, GPPU, [0, 0])
    assert board.scan() != 0
