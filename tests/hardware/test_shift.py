"""A board of shift registers: the driver reads what stands there, in whatever order the chain is wired."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import DeviceError
from hardware.boards.shift import READ, ShiftBoard, ShiftConfig, wired
from hardware.simulator.contacts import START, Contacts
from hardware.simulator.shift_registers import ShiftRegisters

pieces_on_a_board = st.integers(0, 2**64 - 2)
wirings = st.builds(
    ShiftConfig,
    first=st.sampled_from(["a1", "h1", "a8", "h8"]),
    along=st.sampled_from(["rank", "file"]),
    zigzag=st.booleans(),
)


def built(config: ShiftConfig, occupied: int) -> tuple[ShiftBoard, ShiftRegisters]:
    chips = ShiftRegisters(Contacts(occupied=occupied), config.squares())
    board = ShiftBoard(config, chips.spi.open)
    board.open()
    return board, chips


@given(wirings, pieces_on_a_board)
def test_a_scan_is_what_stands_on_the_board(config: ShiftConfig, occupied: int) -> None:
    board, _ = built(config, occupied)
    assert board.scan() == occupied


@given(wirings, st.sampled_from(list(chess.SquareSet(START))))
def test_each_scan_takes_the_inputs_over_anew(config: ShiftConfig, square: int) -> None:
    board, chips = built(config, START)
    board.scan()
    chips.contacts.lift(square)
    assert board.scan() == START & ~chess.BB_SQUARES[square]
    chips.contacts.place(square)
    assert board.scan() == START


def test_the_first_input_is_a1_and_the_eighth_h1() -> None:
    """As the bits come from the chain: H of the first chip first."""
    assert wired(bytes([0b1111_1110, *[255] * 7, 0])) == chess.BB_A1
    assert wired(bytes([0b0111_1111, *[255] * 7, 0])) == chess.BB_H1
    assert wired(bytes([*[255] * 7, 0b0111_1111, 0])) == chess.BB_H8


def test_a_clock_that_samples_on_the_other_edge_is_one_square_off() -> None:
    """Why it must be mode 0: the board below would read as another."""
    board, _ = built(ShiftConfig(), START)
    for line in board._lines:
        line.mode = 1
    assert board.scan() != START


def test_a_chain_that_is_not_latched_is_read_once_only() -> None:
    board, _ = built(ShiftConfig(), START)
    assert board.scan() == START
    assert bytes(board._lines[READ].xfer2(bytes(8))) == bytes(8)  # nothing but the ground behind it is left


def test_a_cable_that_is_off_is_not_a_board_without_pieces() -> None:
    board, chips = built(ShiftConfig(), START)
    chips.contacts.unplug()
    with pytest.raises(DeviceError, match="MISO stays high") as caught:
        board.scan()
    assert "CE0" in caught.value.next_step
    chips.contacts.plug()
    assert board.scan() == START


def test_64_pieces_are_a_wire_that_stays_low() -> None:
    board, _ = built(ShiftConfig(), chess.BB_ALL)
    with pytest.raises(DeviceError, match="MISO stays low"):
        board.scan()


def test_an_end_of_the_chain_that_is_not_grounded_is_named() -> None:
    board, chips = built(ShiftConfig(), START)
    chips.ground = False
    with pytest.raises(DeviceError) as caught:
        board.scan()
    assert "SER" in caught.value.cause


def test_a_closed_driver_opens_anew() -> None:
    board, _ = built(ShiftConfig(), START)
    board.close()
    board.close()
    board.open()
    assert board.scan() == START
