"""What systemd hears: ready once the daemon is at work, alive after scans only, stopping on the way out."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.daemon.watchdog import Watchdog, notify, patience_s
from hardware.boards import Fault, Recovered
from hardware.boards.scan import ScanThread

ROOT = Path(__file__).resolve().parents[2]
WATCHDOG_S = 0.4


class Board:
    """Scans until it hangs."""

    name = "board"

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.goes_on.set()

    def open(self) -> None: ...

    def close(self) -> None: ...

    def scan(self) -> int:
        self.goes_on.wait()
        return 0


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    yield board
    board.goes_on.set()


def after_a_scan(driver: ScanThread) -> None:
    seen, end = driver.scans, time.monotonic() + 5
    while driver.scans < seen + 2:
        assert time.monotonic() < end
        time.sleep(0.002)


def test_it_is_fed_after_each_scan_and_not_by_a_driver_that_hangs(board: Board) -> None:
    said: list[str] = []
    watchdog, driver = Watchdog(said.append), ScanThread(board, lambda _: None)
    assert not watchdog.feed({"board": driver}), "nothing was scanned yet"
    driver.start()
    after_a_scan(driver)
    assert watchdog.feed({"board": driver})
    after_a_scan(driver)
    assert watchdog.feed({"board": driver})
    board.goes_on.clear()
    time.sleep(0.05)
    watchdog.feed({"board": driver})  # for the scan that was under way
    said.clear()
    assert not watchdog.feed({"board": driver})
    assert said == []
    board.goes_on.set()
    after_a_scan(driver)
    assert watchdog.feed({"board": driver})
    driver.stop()


def test_a_board_that_is_known_to_be_unplugged_is_no_reason_for_a_restart(board: Board) -> None:
    watchdog, driver = Watchdog(lambda _: None), ScanThread(board, lambda _: None)
    watchdog.hear("board", Fault(1, "unplugged", "", ""))
    assert watchdog.feed({"board": driver})
    assert watchdog.feed({"board": driver})
    assert not watchdog.feed({"board": driver, "clock": driver}), "the clock has said nothing"
    watchdog.hear("board", Recovered(2))
    assert not watchdog.feed({"board": driver})


def test_the_time_is_that_of_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "10000000")
    assert patience_s() == 10.0
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    assert patience_s() == 10.0
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert patience_s() is None


@pytest.mark.parametrize("abstract", [False, True])
def test_both_kinds_of_socket_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool) -> None:
    name = f"jadoube-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind("\0" + name if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name if abstract else name)
        notify("READY=1")
        assert systemd.recv(100) == b"READY=1"


def test_a_daemon_says_when_it_is_ready_that_it_lives_and_that_it_stops(tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text(
        f'[board]\ntype = "simulated"\n[pgn]\ndirectory = "{tmp_path}"\n[journal]\npath = "{tmp_path}/j.sqlite"\n'
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(10)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(round(WATCHDOG_S * 1e6))}
        command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
        daemon = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, stderr=subprocess.DEVNULL)
        heard: list[str] = []
        while heard.count("WATCHDOG=1") < 4:
            heard.append(systemd.recv(1000).decode())
        fed = time.monotonic()
        heard.append(systemd.recv(1000).decode())
        assert time.monotonic() - fed < WATCHDOG_S
        daemon.send_signal(signal.SIGTERM)
        while heard[-1] != "STOPPING=1":
            heard.append(systemd.recv(1000).decode())
        assert daemon.wait(10) == 0
    assert heard[0] == "READY=1"
    assert "STATUS=all is well" in " ".join(heard)
