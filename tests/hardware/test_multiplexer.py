"""A board of multiplexers: the driver reads what stands there, one channel after the other."""

import chess
import pytest
from clockwork import Clockwork
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.multiplexer import GRAY, MultiplexerBoard, MultiplexerConfig
from hardware.simulator.contacts import START, Contacts
from hardware.simulator.multiplexers import Multiplexers

wirings = st.builds(
    MultiplexerConfig,
    first=st.sampled_from(["a1", "h1", "a8", "h8"]),
    along=st.sampled_from(["rank", "file"]),
    zigzag=st.booleans(),
)


def built(
    config: MultiplexerConfig, occupied: int, settle_us: float = 50
) -> tuple[MultiplexerBoard, Multiplexers, Clockwork]:
    clock = Clockwork()
    pieces = Contacts(occupied=occupied, clock=clock)
    chips = Multiplexers(pieces, config.select, config.signals, config.squares(), settle_us)
    board = MultiplexerBoard(config, lambda: chips, clock.wait)
    board.open()
    return board, chips, clock


@given(wirings, st.integers(0, 2**64 - 1))
def test_a_scan_is_what_stands_on_the_board_and_so_is_the_next(config: MultiplexerConfig, occupied: int) -> None:
    board, _, _ = built(config, occupied)
    assert board.scan() == board.scan() == occupied


def test_the_second_chip_begins_with_the_third_rank() -> None:
    board, chips, _ = built(MultiplexerConfig(), 0)
    chips.contacts.place(chess.A3)
    for pin in MultiplexerConfig().select:
        chips.output(pin, False)
    assert board.scan() == chess.BB_A3


def test_each_step_changes_one_select_line_and_the_walk_ends_where_the_next_begins() -> None:
    assert sorted(GRAY) == list(range(16))
    assert all((a ^ b).bit_count() == 1 for a, b in zip(GRAY, (*GRAY[1:], GRAY[0]), strict=True))


def test_a_channel_read_too_soon_shows_the_one_before() -> None:
    patient, _, _ = built(MultiplexerConfig(settle_us=50), chess.BB_FILE_C, settle_us=50)
    hasty, _, _ = built(MultiplexerConfig(settle_us=10), chess.BB_FILE_C, settle_us=50)
    assert patient.scan() == chess.BB_FILE_C
    assert hasty.scan() != chess.BB_FILE_C


def test_a_scan_takes_a_settling_time_for_each_channel() -> None:
    board, _, clock = built(MultiplexerConfig(settle_us=50), START)
    before = clock.ns
    board.scan()
    assert clock.ns - before == 16 * 50_000


def test_a_cable_that_is_off_is_told_by_the_pins() -> None:
    board, chips, _ = built(MultiplexerConfig(), START)
    chips.contacts.unplug()
    with pytest.raises(OSError, match="cable"):
        board.scan()


def test_a_closed_driver_drives_nothing_and_opens_anew() -> None:
    board, chips, _ = built(MultiplexerConfig(), START)
    board.close()
    with pytest.raises(ValueError, match="not driven"):
        _ = chips.channel
    board.open()
    assert board.scan() == START
