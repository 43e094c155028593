"""The sketch in docs/line-protocol.md, compiled for this machine above pins made of numbers, and read by the driver."""

import os
import pty
import re
import shutil
import subprocess
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from hardware.boards import BoardReading, FromDevice, Look
from hardware.boards.line import LineBoard, LineConfig

DOCS = Path(__file__).resolve().parents[2] / "docs" / "line-protocol.md"
START = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8

ARDUINO = r"""
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <unistd.h>
typedef uint8_t byte;
enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };
enum { A0 = 14, A1, A2, A3, A4, A5 };
static int ways[20];
static uint64_t pieces;  // the switches that are closed
static const int rows[8] = {2, 3, 4, 5, 6, 7, 8, 9}, columns[8] = {10, 11, A0, A1, A2, A3, A4, A5};
static void delay(unsigned ms) {
  usleep(ms * 1000);
  FILE *file = fopen(BOARD, "r");
  unsigned long long mask;
  if (file && fscanf(file, "%llx", &mask) == 1) pieces = mask;
  if (file) fclose(file);
}
static void delayMicroseconds(unsigned) {}
static void pinMode(int pin, int way) { ways[pin] = way; }
static int digitalRead(int pin) {
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++) {
      bool joined = columns[c] == pin && pieces >> (8 * r + c) & 1;
      if (joined && ways[pin] == INPUT_PULLUP && ways[rows[r]] == OUTPUT) return LOW;
    }
  return HIGH;
}
static unsigned long millis() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (unsigned long)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}
struct {
  void begin(long) {}
  void println(const char *text) { dprintf(1, "%s\r\n", text); }
  int available() { pollfd p = {0, POLLIN, 0}; return poll(&p, 1, 0) > 0; }
  int read() { char c; return ::read(0, &c, 1) == 1 ? c : (_exit(0), 0); }
} Serial;
#include SKETCH
int main() { delay(1); setup(); for (;;) loop(); }
"""


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, which reads its pieces from a file beside it."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++ to compile the sketch with")
    folder = tmp_path_factory.mktemp("sketch")
    (code,) = re.findall(r"```cpp\n(.*?)```", DOCS.read_text(), re.DOTALL)
    (folder / "sketch.ino").write_text(code)
    (folder / "main.cpp").write_text(ARDUINO)
    program = folder / "sketch"
    defines = [f'-DBOARD="{folder / "pieces"}"', f'-DSKETCH="{folder / "sketch.ino"}"']
    subprocess.run([compiler, "-Wall", "-Werror", *defines, "-o", program, folder / "main.cpp"], check=True)
    return program


class Arduino:
    """The sketch at work behind a pseudo-terminal."""

    def __init__(self, program: Path) -> None:
        self._pieces = program.with_name("pieces")
        self.stand(START)
        controller, terminal = pty.openpty()
        tty.setraw(controller)
        tty.setraw(terminal)
        self.port = os.ttyname(terminal)
        self._ends = controller, terminal
        self._process = subprocess.Popen([program], stdin=controller, stdout=controller)

    def stand(self, mask: int) -> None:
        beside = self._pieces.with_suffix(".new")
        beside.write_text(f"{mask:016x}")
        beside.replace(self._pieces)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for end in self._ends:
            os.close(end)


@pytest.fixture
def arduino(sketch: Path) -> Iterator[Arduino]:
    board = Arduino(sketch)
    yield board
    board.stop()


def test_the_sketch_in_the_documentation_works(arduino: Arduino) -> None:
    items: list[FromDevice] = []

    def until(true: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, items[-3:]
            time.sleep(0.005)

    def occupied() -> int | None:
        readings = [item.occupied for item in items if isinstance(item, BoardReading)]
        return readings[-1] if readings else None

    driver = LineBoard(LineConfig(port=arduino.port, silence_s=0.5), items.append)
    driver.start()
    until(lambda: occupied() == START)
    for mask in (START & ~chess.BB_E2, START & ~chess.BB_E2 | chess.BB_E4, START & ~chess.BB_H8):
        arduino.stand(mask)
        until(lambda mask=mask: occupied() == mask)
    time.sleep(0.6)  # longer than a silence: it was asked, and it answered
    driver.stop()
    assert all(isinstance(item, BoardReading | Look) for item in items)
