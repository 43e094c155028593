"""The matrix driver reads the board as it stands, whichever way it is wired, and never shorts an output."""

import chess
import pytest
from clockwork import Clockwork
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.matrix import Matrix, MatrixConfig, occupancy
from hardware.simulator.electrical import ElectricalBoard

masks = st.integers(0, 2**64 - 1)
wirings = st.builds(MatrixConfig, active=st.sampled_from(["high", "low"]), rotated=st.booleans(), diodes=st.booleans())


def built(config: MatrixConfig, occupied: int, settle_us: float = 20) -> tuple[Matrix, ElectricalBoard]:
    """A driver and the wires below it. The pieces stand where the *wires* have them."""
    clock = Clockwork()
    wires = ElectricalBoard(
        config.rows,
        config.columns,
        occupied=occupied,
        active=config.active,
        diodes=config.diodes,
        settle_us=settle_us,
        clock=clock,
    )
    matrix = Matrix(config, lambda: wires, clock.wait)
    matrix.open()
    return matrix, wires


def turned(mask: int) -> int:
    return chess.flip_vertical(chess.flip_horizontal(mask))


def with_ghosts(mask: int) -> int:
    """What a board without diodes shows: ranks that share an occupied file, however indirectly, look the same."""
    while True:
        seen = mask
        for a in range(8):
            for b in range(8):
                ranks = mask >> 8 * a & 0xFF, mask >> 8 * b & 0xFF
                if ranks[0] & ranks[1]:
                    both = ranks[0] | ranks[1]
                    seen |= both << 8 * a | both << 8 * b
        if seen == mask:
            return mask
        mask = seen


@given(wirings, masks)
def test_a_scan_is_what_stands_on_the_board(config: MatrixConfig, occupied: int) -> None:
    matrix, wires = built(config, occupied)
    truth = occupied if config.diodes else with_ghosts(occupied)
    assert matrix.scan() == (turned(truth) if config.rotated else truth)
    assert wires.shorts == 0


@pytest.mark.parametrize(("diodes", "seen"), [(True, ["a1", "a4", "e1"]), (False, ["a1", "a4", "e1", "e4"])])
def test_three_corners_fake_the_fourth_without_diodes(diodes: bool, seen: list[str]) -> None:
    corners = chess.BB_A1 | chess.BB_A4 | chess.BB_E1
    matrix, _ = built(MatrixConfig(diodes=diodes), corners)
    assert [chess.square_name(s) for s in chess.scan_forward(matrix.scan())] == sorted(seen, key=chess.parse_square)


def test_resting_rows_driven_on_a_board_without_diodes_short_an_output() -> None:
    """Why the driver lets them go: the wires have no diodes, and the configuration says they have."""
    config = MatrixConfig(diodes=True)
    clock = Clockwork()
    wires = ElectricalBoard(config.rows, config.columns, occupied=chess.BB_A1 | chess.BB_A2, diodes=False, clock=clock)
    matrix = Matrix(config, lambda: wires, clock.wait)
    matrix.open()
    matrix.scan()
    assert wires.shorts > 0


def test_a_row_read_too_soon_shows_the_one_before() -> None:
    rank_two = chess.BB_RANK_2
    hasty, _ = built(MatrixConfig(settle_us=10), rank_two, settle_us=20)
    patient, _ = built(MatrixConfig(settle_us=20), rank_two, settle_us=20)
    assert patient.scan() == rank_two
    assert hasty.scan() != rank_two


def test_a1_is_the_first_bit_and_h8_the_last() -> None:
    assert occupancy([1, 0, 0, 0, 0, 0, 0, 0]) == chess.BB_A1
    assert occupancy([0, 0, 0, 0, 0, 0, 0, 0x80]) == chess.BB_H8
    assert occupancy([1, 0, 0, 0, 0, 0, 0, 0], rotated=True) == chess.BB_H8
    assert occupancy([0xFE, 255, 255, 255, 255, 255, 255, 255], active="low") == chess.BB_A1


def test_a_closed_driver_has_let_the_pins_go() -> None:
    config = MatrixConfig()
    matrix, wires = built(config, chess.BB_RANK_1, settle_us=0)
    wires.output(config.rows[0], True)
    assert wires.inputs(config.columns) == 0xFF
    matrix.close()
    assert wires.inputs(config.columns) == 0
