"""The scan thread keeps its schedule, passes on news only, and comes back after a failure by itself."""

import threading
import time
from collections.abc import Callable, Iterator

import chess
import pytest

from controller.errors import DeviceError
from hardware.boards import BoardReading, Fault, FromDevice, Recovered, open_board, scan
from hardware.boards.scan import ScanThread
from hardware.boards.simulated import SimulatedBoard, SimulatedConfig
from hardware.simulator.electrical import START


class Board:
    """Answers at once with what stands there, unless something is wrong with it."""

    name = "test board"

    def __init__(self) -> None:
        self.occupied = START
        self.wrong: Exception | None = None
        self.open_count = self.close_count = 0

    def open(self) -> None:
        self.open_count += 1

    def scan(self) -> int:
        if self.wrong:
            raise self.wrong
        return self.occupied

    def close(self) -> None:
        self.close_count += 1


class Bench:
    def __init__(self) -> None:
        self.board = Board()
        self.items: list[FromDevice] = []
        self.thread = ScanThread(self.board, self.items.append, 200, heartbeat_s=0.1, retry_s=(0.01, 0.02))

    def until(self, condition: Callable[[], object]) -> None:
        _wait(condition, self.items)

    def sent(self, kind: type[FromDevice]) -> list[FromDevice]:
        return [item for item in self.items if isinstance(item, kind)]


def _wait(condition: Callable[[], object], items: object = (), within_s: float = 30.0) -> None:
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"never happened; sent so far: {items}"
        time.sleep(0.002)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    bench.thread.start()
    yield bench
    bench.thread.stop()


def test_the_whole_board_comes_first_and_then_what_changes(bench: Bench) -> None:
    bench.until(lambda: len(bench.items) >= 1)
    bench.board.occupied = START & ~chess.BB_E2
    bench.until(lambda: bench.items[-1].occupied == START & ~chess.BB_E2)  # type: ignore[union-attr]
    assert bench.items[0].occupied == START  # type: ignore[union-attr]


def test_samples_bear_their_own_time_in_order(bench: Bench) -> None:
    start = time.monotonic_ns()
    bench.until(lambda: len(bench.items) >= 3)
    times = [item.ns for item in bench.items]
    assert times == sorted(times)
    assert start - 1_000_000_000 < times[0] <= times[-1] <= time.monotonic_ns()
    assert bench.thread.alive_ns >= times[-1]


def test_who_asks_is_told_of_a_scan_that_began_later_though_nothing_has_changed() -> None:
    items: list[FromDevice] = []
    thread = ScanThread(Board(), items.append, 200, heartbeat_s=3600)
    thread.start()
    try:
        _wait(lambda: items)
        asked = time.monotonic_ns()
        thread.ask()
        _wait(lambda: len(items) == 2)
        last = items[-1]
        assert isinstance(last, BoardReading)
        assert (last.occupied, asked <= last.began_ns <= last.ns) == (START, True)
        scans = thread.scans
        _wait(lambda: thread.scans > scans + 3)
        assert len(items) == 2, "once"
        assert thread.looked is not None
        assert thread.looked.began_ns > last.began_ns
    finally:
        thread.stop()


def test_what_it_has_looked_at_has_been_told_before() -> None:
    looked: list[object] = []
    thread = ScanThread(Board(), lambda _: looked.append(thread.looked), 200)
    thread.start()
    _wait(lambda: thread.looked)
    thread.stop()
    assert looked[0] is None


def test_a_failure_is_told_once_and_the_return_with_the_whole_board(bench: Bench) -> None:
    bench.until(lambda: len(bench.items) >= 1)
    bench.board.wrong = DeviceError("the wires are off", "a loose plug", "push it in")
    bench.until(lambda: bench.board.open_count >= 5)
    assert [(f.what, f.cause, f.next_step) for f in bench.sent(Fault)] == [  # type: ignore[union-attr]
        ("the wires are off", "a loose plug", "push it in")
    ]
    bench.board.wrong = None
    bench.until(lambda: bool(bench.sent(Recovered)))
    bench.until(lambda: isinstance(bench.items[-1], BoardReading))
    after = bench.items[bench.items.index(bench.sent(Recovered)[0]) + 1]
    assert isinstance(after, BoardReading) and after.occupied == START


def test_each_attempt_closes_what_it_opened(bench: Bench) -> None:
    bench.board.wrong = OSError("gone")
    bench.until(lambda: bench.board.open_count >= 4)
    bench.thread.stop()
    assert bench.board.close_count == bench.board.open_count


def test_a_new_reason_is_told(bench: Bench) -> None:
    bench.board.wrong = OSError("gone")
    bench.until(lambda: len(bench.sent(Fault)) == 1)
    bench.board.wrong = OSError("still there, but hot")
    bench.until(lambda: len(bench.sent(Fault)) == 2)


def test_a_defect_in_a_driver_is_a_fault_too(bench: Bench) -> None:
    bench.board.wrong = ZeroDivisionError("oh")
    bench.until(lambda: bool(bench.sent(Fault)))
    assert "defect" in bench.sent(Fault)[0].cause  # type: ignore[union-attr]
    bench.board.wrong = None
    bench.until(lambda: bool(bench.sent(Recovered)))


def test_nothing_is_sent_after_stop_and_it_can_start_again(bench: Bench) -> None:
    bench.until(lambda: len(bench.items) >= 1)
    bench.thread.stop()
    sent = len(bench.items)
    bench.board.occupied = 0
    time.sleep(0.03)
    assert len(bench.items) == sent
    assert not any(thread.name == "test board" for thread in threading.enumerate())
    bench.thread.start()
    bench.until(lambda: bench.items[-1].occupied == 0)  # type: ignore[union-attr]


def test_a_simulated_board_is_the_real_driver_above_simulated_wires() -> None:
    items: list[FromDevice] = []
    board = open_board(SimulatedConfig(rotated=True), items.append)
    assert isinstance(board, SimulatedBoard)
    board.start()
    board.electrical.lift(chess.E2)
    board.electrical.place(chess.E4)
    moved = START ^ chess.BB_E2 ^ chess.BB_E4
    end = time.monotonic() + 5
    while not items or items[-1].occupied != moved:  # type: ignore[union-attr]
        assert time.monotonic() < end, items
        time.sleep(0.005)
    board.stop()


# -- the schedule, on a clock of its own ------------------------------------------------------------------------------

MS = 1_000_000


class Timetable(Board):
    """A board whose scans take the given times, on a clock that only they and the thread's waiting move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, takes_ms: list[float], blind_s: float = scan.BLIND_S) -> None:
        super().__init__()
        self.ns = 1000 * MS
        self.begun_ms: list[float] = []
        self.items: list[FromDevice] = []
        self.thread = ScanThread(self, self.items.append, 200, heartbeat_s=0.1, blind_s=blind_s)
        self._takes_ms = takes_ms
        monkeypatch.setattr(scan.time, "monotonic_ns", lambda: self.ns)
        monkeypatch.setattr(scan.time, "sleep", self._wait)
        self.thread.work()

    def scan(self) -> int:
        self.begun_ms.append(self.ns / MS - 1000)
        self._wait(self._takes_ms[len(self.begun_ms) - 1] / 1000)
        if len(self.begun_ms) == len(self._takes_ms):
            self.thread.stop()
        return self.occupied

    def _wait(self, seconds: float) -> None:
        self.ns += round(seconds * 1000 * MS)


def test_the_schedule_is_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a scan takes within its period, the next begins on time."""
    board = Timetable(monkeypatch, [0.1, 2.5, 4.9, 1, 3] * 40)
    assert board.begun_ms == [5 * i for i in range(200)]
    assert (board.thread.scans, board.thread.late) == (200, 0)


def test_a_scan_a_little_late_is_not_late_and_the_next_is_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Timetable(monkeypatch, [1, 9, 1, 1])
    assert board.begun_ms == [0, 5, 14, 15]
    assert board.thread.late == 0


def test_a_scan_that_could_not_begin_in_time_is_counted_and_not_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Timetable(monkeypatch, [1, 32, 1, 1])
    assert board.begun_ms == [0, 5, 37, 40]
    assert board.thread.late == 1


@pytest.mark.parametrize(("blind_s", "faults"), [(scan.BLIND_S, 0), (scan.BLIND_S / 20, 1)])
def test_what_hands_did_unseen_is_a_fault_the_sooner_the_quicker_they_are(
    monkeypatch: pytest.MonkeyPatch, blind_s: float, faults: int
) -> None:
    """In a demonstration twenty times as fast as life 30 ms are more than half a second."""
    board = Timetable(monkeypatch, [1, 30, 1, 1], blind_s)
    assert len([item for item in board.items if isinstance(item, Fault)]) == faults


def test_an_unchanged_board_is_told_as_a_heartbeat_only(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Timetable(monkeypatch, [1] * 200)
    assert [(item.ns // MS - 1000) for item in board.items] == [1 + 100 * i for i in range(10)]
