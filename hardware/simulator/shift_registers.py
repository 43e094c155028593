"""A chain of eight 74HC165 under a board, as its data sheet (TI SCLS116) describes it, on two chip selects.

CE0 is wired to SH/LD, CE1 to nothing: see :mod:`hardware.boards.shift`.
"""

from collections.abc import Sequence

import chess

from hardware.order import ALL
from hardware.simulator.contacts import Contacts
from hardware.simulator.spi import SimulatedSpi, SimulatedSpiDevice

LOAD = 0  #: the chip select on SH/LD


class ShiftRegisters:
    """The chain below ``contacts``. ``squares``: that of each input, A of the first chip first."""

    def __init__(self, contacts: Contacts, squares: Sequence[chess.Square] = chess.SQUARES) -> None:
        self.contacts = contacts
        self.ground = True  #: SER of the last chip is grounded
        self._squares = squares
        self._chain = 0  # 64 bits; the one on the wire to the Pi is the highest
        self.spi = SimulatedSpi({0: self, 1: self})

    def exchange(self, line: SimulatedSpiDevice, sent: bytes) -> bytes:
        if not self.contacts.plugged:
            return b"\xff" * len(sent)  # MISO hangs loose, and is pulled up by the Pi
        clocks = 8 * len(sent)
        if line.select == LOAD:
            self._chain = self._inputs()
            return (b"\xff" if self._chain >> 63 else b"\x00") * len(sent)
        # Mode 1 alone samples on the falling edge, after the rising one has moved the chain.
        early = 1 if line.mode == 1 else 0
        fill = 0 if self.ground else (1 << clocks + early) - 1
        moving = self._chain << clocks + early | fill
        self._chain = moving & ALL
        return (moving >> 64 & (1 << clocks) - 1).to_bytes(len(sent), "big")

    def _inputs(self) -> int:
        """The levels at the inputs: a closed switch pulls its own down. Bit 63 is H of the first chip."""
        closed, levels = self.contacts.closed(self.contacts.clock()), ALL
        if closed:
            for i, square in enumerate(self._squares):
                if closed >> square & 1:
                    levels ^= 1 << 56 - 8 * (i // 8) + i % 8
        return levels
