"""The simulated board has the faults of a real one, and the same ones each time."""

from itertools import pairwise

import chess
import pytest

from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.simulator.electrical import START, ElectricalBoard

MS = 1_000_000
CONFIG = MatrixConfig()


class Bench:
    """A board, its driver, and a clock that moves when told."""

    def __init__(self, **imperfections: float) -> None:
        self.ns = 0
        self.board = ElectricalBoard(CONFIG.rows, CONFIG.columns, clock=lambda: self.ns, **imperfections)  # type: ignore[arg-type]
        self.matrix = Matrix(CONFIG, lambda: self.board, self._wait)
        self.matrix.open()

    def _wait(self, seconds: float) -> None:
        self.ns += round(seconds * 1e9)

    def sees(self, square: chess.Square, at_ns: int) -> bool:
        self.ns = max(self.ns, at_ns)
        return bool(self.matrix.scan() >> square & 1)

    def watch(self, square: chess.Square, until_ns: int) -> list[bool]:
        """Scans back to back until then."""
        seen = []
        while self.ns < until_ns:
            seen.append(self.sees(square, self.ns))
        return seen


def test_a_new_board_stands_at_the_start() -> None:
    assert Bench().matrix.scan() == START


def test_pieces_move_when_they_are_told_to() -> None:
    bench = Bench()
    bench.board.lift(chess.E2, at_ns=10 * MS)
    bench.board.place(chess.E4, at_ns=20 * MS)
    assert [bench.sees(chess.E2, t * MS) for t in (9, 10, 20)] == [True, False, False]
    assert bench.sees(chess.E4, 21 * MS)


def test_a_move_without_a_time_happens_now() -> None:
    bench = Bench()
    bench.board.lift(chess.E2)
    bench.board.place(chess.E4)
    assert (bench.sees(chess.E2, 0), bench.sees(chess.E4, 0)) == (False, True)


@pytest.mark.parametrize("seed", range(20))
def test_a_contact_chatters_for_no_longer_than_it_may(seed: int) -> None:
    bench = Bench(bounce_ms=5, seed=seed)
    bench.board.place(chess.E4, at_ns=10 * MS)
    assert not any(bench.watch(chess.E4, 10 * MS - 1 * MS))
    bench.ns = 15 * MS
    assert all(bench.watch(chess.E4, 40 * MS))


@pytest.mark.parametrize("seed", range(20))
def test_the_last_edge_has_the_last_word(seed: int) -> None:
    bench = Bench(bounce_ms=5, seed=seed)
    bench.board.place(chess.E4, at_ns=10 * MS)
    bench.board.lift(chess.E4, at_ns=11 * MS)  # while the contact still chatters
    bench.ns = 16 * MS
    assert not any(bench.watch(chess.E4, 40 * MS))


def test_contacts_do_chatter() -> None:
    def flips(seed: int) -> int:
        bench = Bench(bounce_ms=5, seed=seed)
        bench.board.place(chess.E4, at_ns=0)
        seen = bench.watch(chess.E4, 10 * MS)
        return sum(a != b for a, b in pairwise(seen))

    assert max(flips(seed) for seed in range(20)) >= 2


def test_the_same_seed_is_the_same_board() -> None:
    def seen(seed: int) -> list[bool]:
        bench = Bench(bounce_ms=5, seed=seed)
        bench.board.weaken(chess.D4, 0.3)
        bench.board.place(chess.D4, at_ns=0)
        return bench.watch(chess.D4, 20 * MS)

    assert seen(1) == seen(1)
    assert seen(1) != seen(2)


def test_a_weak_magnet_flickers_and_an_empty_square_does_not() -> None:
    bench = Bench(seed=7)
    bench.board.weaken(chess.E2, 0.25)
    bench.board.weaken(chess.E4, 0.25)
    seen = bench.watch(chess.E2, 250 * MS)
    assert 0.15 < seen.count(False) / len(seen) < 0.35
    assert not any(bench.watch(chess.E4, bench.ns + 50 * MS))


@pytest.mark.parametrize(("state", "seen"), [("open", [False, False]), ("closed", [True, True])])
def test_a_stuck_reed_does_not_care_until_it_is_mended(state: str, seen: list[bool]) -> None:
    bench = Bench()
    bench.board.stick(chess.E2, state)  # type: ignore[arg-type]
    before = bench.sees(chess.E2, 0)
    bench.board.lift(chess.E2)
    assert [before, bench.sees(chess.E2, 0)] == seen
    bench.board.stick(chess.E2, None)
    assert not bench.sees(chess.E2, 0)


def test_a_column_pulled_the_wrong_way_is_a_wiring_error() -> None:
    with pytest.raises(ValueError, match="pulled up"):
        Bench().board.setup_input(CONFIG.columns[0], "up")


def test_without_its_cable_no_pin_answers() -> None:
    bench = Bench()
    bench.board.unplug()
    with pytest.raises(OSError, match="ribbon cable"):
        bench.matrix.scan()
    bench.board.plug()
    assert bench.matrix.scan() == START
