"""Slips of the soldering iron, made on an electrical board and read through the real driver, are named as they are."""

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from controller.cli.hardware import diodes
from controller.cli.hardware.diagnose import Walk, diagnose
from controller.cli.hardware.slips import parse
from controller.cli.hardware.wiring import wiring
from controller.errors import ConfigError
from hardware.boards.expander import ExpanderConfig
from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.boards.multiplexer import MultiplexerConfig
from hardware.boards.shift import ShiftConfig
from hardware.order import Ordered
from hardware.simulator.miswired import MiswiredBoard, Slips

PINS = MatrixConfig(diodes=False)
EXAMPLES = 25


def walked(
    slips: Slips, config: MatrixConfig = PINS, pieces: int = 0, order: tuple[int, ...] = (*chess.SQUARES,)
) -> Walk:
    """The walk over a board with ``slips``, each square scanned by the driver in a time of its own."""
    now = 0

    def wait(seconds: float) -> None:
        nonlocal now
        now += round(seconds * 1e9)

    board = MiswiredBoard(config.rows, config.columns, slips, occupied=pieces, clock=lambda: now)
    driver = Matrix(config, lambda: board, wait)
    driver.open()
    wait(0.001)
    idle, seen, turn = driver.scan(), {}, 63 if config.rotated else 0
    for square in order:
        board.place(square ^ turn)
        seen[square] = driver.scan()
        board.lift(square ^ turn)
    return Walk(idle, seen)


def said(slips: Slips) -> set[str]:
    return {finding.what for finding in diagnose(walked(slips), wiring(PINS))}


def row(i: int) -> str:
    return f"row {i + 1}, pin {PINS.rows[i]}"


def column(i: int) -> str:
    return f"column {i + 1}, pin {PINS.columns[i]}"


def test_a_board_without_a_slip_has_nothing_said_of_it() -> None:
    assert said(Slips()) == set()


@given(st.permutations(range(8)), st.permutations(range(8)), st.permutations(chess.SQUARES), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_lines_and_sensors_that_fail_together_are_each_named(
    rows: list[int], columns: list[int], squares: list[int], data: st.DataObject
) -> None:
    """Two rows exchanged, one dead, two columns joined, one dead, and sensors elsewhere crossed, dead and stuck."""
    one, other, silent, *_ = rows
    left, right, mute, *_ = columns
    order = list(range(8))
    order[one], order[other] = other, one
    slips, expected = Slips(), set()
    if data.draw(st.booleans(), "rows exchanged"):
        slips = structs.replace(slips, rows=order)
        expected.add(" and ".join(row(i) for i in sorted((one, other))) + " are exchanged")
    if data.draw(st.booleans(), "a row dead"):
        slips = structs.replace(slips, dead_rows=frozenset((silent,)))
        expected.add(f"{row(silent)} is dead: no piece is seen on rank {silent + 1}")
    if data.draw(st.booleans(), "columns joined"):
        slips = structs.replace(slips, joined_columns=(frozenset((left, right)),))
        expected.add(" and ".join(column(i) for i in sorted((left, right))) + " are seen as one")
    if data.draw(st.booleans(), "a column dead"):
        slips = structs.replace(slips, dead_columns=frozenset((mute,)))
        expected.add(f"{column(mute)} is dead: no piece is seen on file {chess.FILE_NAMES[mute]}")
    healthy = [s for s in squares if s // 8 not in (one, other, silent) and s % 8 not in (left, right, mute)]
    broken, stuck, here, there, *_ = healthy
    if data.draw(st.booleans(), "a sensor dead"):
        slips = structs.replace(slips, dead=chess.BB_SQUARES[broken])
        expected.add(f"no piece is seen on {chess.square_name(broken)}")
    if data.draw(st.booleans(), "a sensor stuck"):
        slips = structs.replace(slips, stuck=chess.BB_SQUARES[stuck])
        expected.add(f"{chess.square_name(stuck)} shows a piece where none is")
    if data.draw(st.booleans(), "sensors crossed"):
        slips = structs.replace(slips, crossed={here: there, there: here})
        names = " and ".join(chess.square_name(s) for s in sorted((here, there)))
        expected.add(f"{names} are crossed: each shows the piece on the other")
    assert said(slips) == expected


@given(st.sets(st.sampled_from(chess.SQUARES), max_size=12))
@example(set(chess.SQUARES))
@example({chess.A1})
@settings(max_examples=EXAMPLES, deadline=None)
def test_each_missing_diode_is_named_and_no_other(squares: set[int]) -> None:
    slips = Slips(no_diode=sum(chess.BB_SQUARES[square] for square in squares))
    found = diodes.missing(walked(slips, pieces=diodes.EDGE, order=diodes.ORDER))
    names = " ".join(chess.square_name(square) for square in sorted(squares))
    whats = [finding.what for finding in found]
    assert whats == ([] if not squares else [f"no diode works on {names if len(squares) < 64 else 'all squares'}"])


@given(st.permutations(range(8)))
@example([5, 6, 3, 4, 7, 2, 1, 0])  # turned round, but for three of them
@settings(max_examples=20, deadline=None)
def test_rows_in_any_order_come_with_the_line_that_mends_it(order: list[int]) -> None:
    """What is to be written in the configuration makes the board right."""
    walk = walked(Slips(rows=order))
    remedies = [finding.next_step for finding in diagnose(walk, wiring(PINS))]
    written = {step.partition("rows = [")[2].partition("]")[0] for step in remedies if "rows = [" in step}
    for pins in written:
        mended = structs.replace(PINS, rows=tuple(map(int, pins.split(","))))
        now = Walk(walk.idle, {s: _through(walk.seen[s], PINS, mended) for s in walk.seen})
        assert diagnose(now, wiring(mended)) == []
    assert bool(written) or order == list(range(8)) or "turn rows round in [board]" in remedies[0]


def _through(mask: int, before: MatrixConfig, after: MatrixConfig) -> int:
    """What a board read through ``before`` shows when its rows are read in another order."""
    ranks = dict(zip(before.rows, mask.to_bytes(8, "little"), strict=True))
    return int.from_bytes(bytes(ranks[pin] for pin in after.rows), "little")


@pytest.mark.parametrize("rotated", [False, True])
def test_a_board_the_other_way_round_is_one_finding(rotated: bool) -> None:
    config = structs.replace(PINS, rotated=rotated)
    walk = walked(Slips(), structs.replace(config, rotated=not rotated))
    (finding,) = diagnose(Walk(walk.idle, {s: int(f"{m:064b}"[::-1], 2) for s, m in walk.seen.items()}), wiring(config))
    assert finding.what == "the board is turned round"


def test_nothing_seen_at_all_is_said_once() -> None:
    (finding,) = diagnose(walked(Slips(dead=chess.BB_ALL)), wiring(PINS))
    assert finding.what == "no piece is seen on any square"


def test_a_magnet_too_strong_is_told_from_a_solder_bridge() -> None:
    walk = walked(Slips())
    near = Walk(0, walk.seen | {chess.E4: chess.BB_E4 | chess.BB_E5})
    far = Walk(0, walk.seen | {chess.E4: chess.BB_E4 | chess.BB_A8})
    (strong,), (bridge,) = diagnose(near, wiring(PINS)), diagnose(far, wiring(PINS))
    assert strong.what == "a piece on e4 is seen on e5 too"
    assert "weaker magnet" in strong.next_step
    assert bridge.cause == "a solder bridge"


CHIPS: list[tuple[Ordered, str, str]] = [
    (ShiftConfig(), "chip 3 is dead: no piece is seen on rank 3", "chip 1 and chip 2 are exchanged"),
    (
        ExpanderConfig(first="h8", along="file", zigzag=True),
        "chip 0x22 is dead: no piece is seen on " + " ".join(f"{f}{r}" for r in range(1, 9) for f in "cd"),
        "chip 0x20 and chip 0x21 are exchanged",
    ),
]


@pytest.mark.parametrize(("config", "dead", "exchanged"), CHIPS)
def test_chips_are_named_as_they_are_wired(config: ShiftConfig | ExpanderConfig, dead: str, exchanged: str) -> None:
    grid = wiring(config)
    chips = len(grid.axes[0].names)
    silent, swap = chips // 2 if chips == 4 else 2, {0: 1, 1: 0}
    seen = {s: 0 if i == silent else chess.BB_SQUARES[grid.squares[swap.get(i, i)][j]] for s, (i, j) in places(grid)}
    assert [finding.what for finding in diagnose(Walk(0, seen), grid)] == [dead, exchanged]


@pytest.mark.parametrize(
    ("channel", "says"),
    [
        (lambda c: {c & ~4, c | 4} if not c & 4 else set(), "S2 of the multiplexers stays low"),
        (lambda c: {c & ~1, c | 1} if c & 1 else set(), "S0 of the multiplexers stays high"),
        (lambda c: {c & 9 | (c & 2) << 1 | (c & 4) >> 1}, "S1 and S2 of the multiplexers are exchanged"),
    ],
)
def test_a_select_line_is_named_not_sixteen_channels(channel, says: str) -> None:  # type: ignore[no-untyped-def]
    grid = wiring(MultiplexerConfig())
    seen = {s: sum(chess.BB_SQUARES[grid.squares[i][c]] for c in channel(j)) for s, (i, j) in places(grid)}
    assert [finding.what for finding in diagnose(Walk(0, seen), grid)] == [says]


def places(grid):  # type: ignore[no-untyped-def]
    return grid.places.items()


def test_slips_are_read_as_they_are_written() -> None:
    slips = parse(["dead-row:3", "exchanged-columns:a,b", "crossed:e4,d5", "no-diode:h8", "stuck:a1"])
    assert slips.dead_rows == {2}
    assert list(slips.columns[:3]) == [1, 0, 2]
    assert slips.crossed == {chess.E4: chess.D5, chess.D5: chess.E4}
    assert (slips.no_diode, slips.stuck) == (chess.BB_H8, chess.BB_A1)
    for wrong in ("dead-row:9", "dead-row", "melted:e4", "crossed:e4", "dead:z9"):
        with pytest.raises(ConfigError, match="no such slip"):
            parse([wrong])
