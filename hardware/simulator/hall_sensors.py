"""Linear Hall sensors below pieces with magnets, behind four 74HC4067 and an MCP3008: pins to select, SPI to convert.

No two sensors idle alike and no two magnets are equally strong; each sensor also feels a little of the pieces beside
it, and every conversion is noisy. The converter is that of its data sheet (Microchip DS21295): it waits for a start
bit, and its answer begins with undefined bits and a zero.
"""

import random
from collections.abc import Sequence

import chess

from hardware.pins import Pull
from hardware.simulator.contacts import Contacts
from hardware.simulator.multiplexers import SelectLines
from hardware.simulator.spi import SimulatedSpi, SimulatedSpiDevice

IDLE, SPAN = 512, 180  #: steps of the converter: at half the supply, and what a magnet in the middle adds or takes
BESIDE, DIAGONAL = -0.04, -0.015  #: how much of that the neighbours feel, from the field that comes back around
NOISE = 2.0  #: standard deviation of a conversion, in steps


class Magnets(Contacts):
    """Pieces with magnets: White's one way in, Black's the other. Where they stand is as in :class:`Contacts`."""

    def __init__(self, *, seed: int = 0, **how: object) -> None:
        super().__init__(seed=seed, **how)  # type: ignore[arg-type]
        self.white: int = chess.BB_RANK_1 | chess.BB_RANK_2  #: the squares on which a white piece stands, or stood last
        rng = random.Random(seed)
        self._strength = [rng.uniform(0.8, 1.2) for _ in chess.SQUARES]

    def put(self, square: chess.Square, white: bool) -> None:
        """Sets a piece of this colour down."""
        self.white = self.white | chess.BB_SQUARES[square] if white else self.white & ~chess.BB_SQUARES[square]
        self.place(square)

    def fields(self) -> list[float]:
        """The field at each square, in magnets; White's is positive."""
        closed, found = self.closed(self.clock()), [0.0] * 64
        for square in chess.scan_forward(closed):
            own = self._strength[square] * (1 if self.white >> square & 1 else -1)
            found[square] += own
            for near in chess.scan_forward(chess.BB_KING_ATTACKS[square]):
                straight = chess.square_distance(square, near) == chess.square_manhattan_distance(square, near)
                found[near] += own * (BESIDE if straight else DIAGONAL)
        return found


class HallSensors(SelectLines):
    """The whole board: implements :class:`hardware.pins.Pins` for the select lines, and hangs on :attr:`spi`."""

    contacts: Magnets

    def __init__(
        self,
        contacts: Magnets,
        select: Sequence[int],
        squares: Sequence[chess.Square] = chess.SQUARES,
        settle_us: float = 20.0,
        seed: int = 0,
    ) -> None:
        super().__init__(contacts, select, settle_us)
        self.spi = SimulatedSpi({0: self})
        self._squares = squares
        self._random = random.Random(seed)
        self._idle = [self._random.gauss(IDLE, 12) for _ in chess.SQUARES]
        self._gain = [self._random.uniform(0.8, 1.2) * SPAN for _ in chess.SQUARES]
        self._fields: tuple[int, list[float]] = (-1, [])  # of the pieces that stood there when they were worked out

    def setup_input(self, pin: int, pull: Pull) -> None:
        raise ValueError(f"pin {pin} pulled {pull}: there is nothing on it to read")

    def input(self, pin: int) -> bool:
        raise ValueError(f"pin {pin} is an output")

    def inputs(self, pins: Sequence[int]) -> int:
        raise ValueError(f"pins {pins} are outputs")

    def exchange(self, line: SimulatedSpiDevice, sent: bytes) -> bytes:
        """One conversion: start bit, single ended, channel; then a clock to sample, a zero, and ten bits."""
        clocks, asked = 8 * len(sent), int.from_bytes(sent, "big")
        if not self.contacts.plugged or line.mode not in (0, 3) or not asked:
            return b"\xff" * len(sent)
        start = clocks - asked.bit_length()  # how many clocks went by before it
        command = asked >> clocks - start - 5 & 0xF
        rest = clocks - start - 7  # what is left after command, sample and zero
        shift = rest - 10
        value = self._convert(command & 7)
        answer = value << shift if shift >= 0 else value >> -shift
        return (answer | ((1 << start + 6) - 1) << clocks - start - 6).to_bytes(len(sent), "big")

    def _convert(self, chip: int) -> int:
        square = self._squares[16 * chip + self.channel]
        closed = self.contacts.closed(self.contacts.clock()) | self.contacts.white << 64
        if closed != self._fields[0]:
            self._fields = closed, self.contacts.fields()
        level = self._idle[square] + self._gain[square] * self._fields[1][square] + self._random.gauss(0, NOISE)
        return max(0, min(1023, round(level)))
