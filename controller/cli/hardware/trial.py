"""``jadoube test``: a piece is taken over the 64 squares, and what is wrong with the wires is named.

For a matrix with diodes a second walk among other pieces tries each diode. The rows that are not driven are let go for
the test, so that a missing diode or a solder bridge does no harm to the pins.
"""

import queue
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import chess
from msgspec import structs

from controller.cli.hardware import diodes
from controller.cli.hardware.diagnose import Finding, Walk, diagnose
from controller.cli.hardware.look import ReportedBoard, looking
from controller.cli.hardware.slips import parse
from controller.cli.hardware.walk import Walker
from controller.cli.hardware.which import place_of
from controller.cli.hardware.wiring import named, wiring
from controller.errors import ConfigError, DeviceError
from hardware.boards import BoardConfig
from hardware.boards.matrix import Matrix, MatrixConfig
from hardware.boards.simulated import SimulatedConfig
from hardware.simulator.miswired import MiswiredBoard, Slips

ANSWER_S = 8.0
SAMPLE_S = 0.02
CARRY_NS = 100_000_000  #: simulated hands take so long from square to square
PATIENCE_S = 1.0  #: simulated hands wait so long for a square that shows nothing
INTRODUCTION = """\
Set one piece down on each square in turn, a1 first, in the middle of the square.
Enter: nothing is seen there, go on.  b Enter: back one square.  q Enter: that will do.
"""


def test(config: Path, name: str | None, simulate: Sequence[str], patience_s: float) -> int:
    """Tests the board; 0 if all is right, 1 if something is to be mended.

    Raises :exc:`ConfigError` for a wrong configuration, :exc:`DeviceError` for a board that does not answer.
    """
    board = place_of(config, name).board
    grid = wiring(board)
    has_diodes = isinstance(board, MatrixConfig) and board.diodes
    if isinstance(board, MatrixConfig):
        board = structs.replace(board, diodes=False)  # the rows that are not driven are let go
    with ExitStack() as stack:
        if simulate or isinstance(board, SimulatedConfig):
            helper: Person | Hands = Hands(board, parse(simulate))
        else:
            look, _ = stack.enter_context(looking(board))
            helper = Person(look, patience_s)
        print(INTRODUCTION)
        helper.prepare("Take all pieces off the board.", chess.BB_EMPTY)
        walk = _walked(helper, chess.SQUARES)
        found = diagnose(walk, grid)
        if has_diodes and not found and len(walk.seen) == 64:
            print("\nAll sensors are right. Now the diodes.")
            helper.prepare("Set pieces on b1 to h1 and on a2 to a8, and none on a1.", diodes.EDGE)
            print("Take one more piece over the squares beyond, b2 first, and to a1 at last.\n")
            found = diodes.missing(_walked(helper, diodes.ORDER))
        return _tell(walk, found)


def _walked(helper: "Person | Hands", order: Sequence[chess.Square]) -> Walk:
    idle = helper.sample()[1]
    walker = Walker(order, idle)
    asked: chess.Square | None = None
    while (square := walker.square) is not None:
        if square != asked:
            asked = square
            print(f"{chess.square_name(square)} ", end="", flush=True)
            helper.carry(square)
        if walker.feed(*helper.sample()):
            _answered(square, walker.seen[square] & ~idle)
            continue
        match helper.word():
            case None:
                continue
            case "q":
                break
            case "b":
                walker.back()
                asked = None
            case _:
                walker.skip()
                _answered(square, walker.seen[square] & ~idle)
    if asked is None or chess.square_file(asked) != 7:
        print()
    return walker.walk


def _answered(square: chess.Square, mask: int) -> None:
    right = mask == chess.BB_SQUARES[square]
    said = "ok" if right else f"→ {_shortly(mask)}" if mask else "–"
    print(said, end="\n" if chess.square_file(square) == 7 else "   ", flush=True)


def _shortly(mask: int) -> str:
    squares = list(chess.scan_forward(mask))
    return named(squares) if len(squares) < 5 else f"{named(squares[:3])} and {len(squares) - 3} more"


def _tell(walk: Walk, found: Sequence[Finding]) -> int:
    right = sum(mask & ~walk.idle == chess.BB_SQUARES[square] for square, mask in walk.seen.items())
    print(f"\n{len(walk.seen)} squares tried, {right} right.")
    for finding in found:
        print(f"\n{finding.what}\n  Likely cause: {finding.cause}\n  Next: {finding.next_step}")
    if not found and right == len(walk.seen):
        print("Nothing is wrong." if len(walk.seen) == 64 else "Nothing is wrong with those.")
    return 1 if found or right < len(walk.seen) else 0


class Person:
    """Somebody at the terminal, or whoever writes to standard input; he moves the pieces."""

    def __init__(self, look: ReportedBoard, patience_s: float) -> None:
        if not look.wait_whole(ANSWER_S):
            fault = look.fault
            if fault is None:
                raise DeviceError("the board does not answer", "it is not connected", "jadoube doctor")
            raise DeviceError(fault.what, fault.cause, fault.next_step)
        self._look = look
        self._patience_s = patience_s
        self._asked = 0.0
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="stdin", daemon=True).start()

    def prepare(self, text: str, pieces: int) -> None:
        """Has these pieces and no others set up."""
        print(f"{text} Then press Enter.", flush=True)
        self._lines.get()
        odd = self._look.occupied ^ pieces
        if odd:
            print(f"Not as asked, or sensors that stick: {named(list(chess.scan_forward(odd)))}")

    def carry(self, square: chess.Square) -> None:  # noqa: ARG002 - it stands on the screen
        """Has the piece set down on ``square``, taken from where it stood."""
        self._asked = time.monotonic()

    def sample(self) -> tuple[int, int]:
        """Waits a moment; the time in ms, and the mask of the squares that are seen."""
        self._look.wait(SAMPLE_S)
        return time.monotonic_ns() // 1_000_000, self._look.occupied

    def word(self) -> str | None:
        """What was said meanwhile: nothing at all, or an empty line, ``b``, ``q``."""
        if not self._lines.empty():
            return self._lines.get().strip().lower()
        return "" if self._patience_s and time.monotonic() - self._asked > self._patience_s else None

    def _listen(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)
        self._lines.put("")


class Hands:
    """The same by simulated hands on a simulated board, in a time of their own that runs as fast as it can."""

    def __init__(self, board: BoardConfig, slips: Slips) -> None:
        if not isinstance(board, MatrixConfig):
            raise ConfigError(
                "only a matrix can be simulated",
                "the board of this configuration is another one",
                'type = "simulated" in [board], or --config with such a file: config/simulated.toml of the project',
            )
        self._ns = self._asked_ns = 0
        self._turn = 63 if board.rotated else 0
        self._pieces = chess.BB_EMPTY
        self._piece: chess.Square | None = None
        self._board = MiswiredBoard(
            board.rows, board.columns, slips, occupied=0, active=board.active, diodes=True, clock=lambda: self._ns
        )
        self._matrix = Matrix(board, lambda: self._board, self._wait)
        self._matrix.open()

    def prepare(self, text: str, pieces: int) -> None:
        print(text)
        for square in chess.SQUARES:
            (self._board.place if pieces >> square & 1 else self._board.lift)(square ^ self._turn)
        self._pieces, self._piece = pieces, None

    def carry(self, square: chess.Square) -> None:
        if self._piece is not None:
            self._board.lift(self._piece ^ self._turn)
        self._board.place(square ^ self._turn, self._ns + CARRY_NS)
        self._piece, self._asked_ns = square, self._ns

    def sample(self) -> tuple[int, int]:
        self._wait(SAMPLE_S)
        return self._ns // 1_000_000, self._matrix.scan()

    def word(self) -> str | None:
        return "" if self._ns - self._asked_ns > PATIENCE_S * 1e9 else None

    def _wait(self, seconds: float) -> None:
        self._ns += round(seconds * 1e9)
