"""MCP23017 port expanders under a board, as their data sheet (Microchip DS20001952) describes them.

Both layouts of the registers, block reads and writes that run on, inputs afloat without a pull-up, and the defaults
after the supply has dipped.
"""

from collections.abc import Sequence

import chess

from hardware.simulator.contacts import Contacts
from hardware.simulator.i2c import SimulatedI2c

IODIR, IPOL, IOCON, GPPU, GPIO, OLAT = 0x00, 0x02, 0x0A, 0x0C, 0x12, 0x14
REGISTERS = 0x16
BANK, SEQOP = 0x80, 0x20


class Expander:
    """One chip. ``squares``: that of each input, GPA0 to GPB7; ``afloat``: the levels of inputs that nothing pulls."""

    def __init__(self, contacts: Contacts, squares: Sequence[chess.Square], afloat: int = 0x5A5A) -> None:
        self._contacts = contacts
        self._squares = squares
        self._afloat = afloat
        self._registers = bytearray(REGISTERS)
        self._at = 0
        self.reset()

    def reset(self) -> None:
        """Power comes back after a dip."""
        self._registers[:] = bytes((0xFF, 0xFF, *bytes(REGISTERS - 2)))

    def write(self, sent: bytes) -> None:
        self._at = sent[0]
        for value in sent[1:]:
            register = self._register()
            if register in (IOCON, IOCON + 1):
                self._registers[IOCON] = self._registers[IOCON + 1] = value
            elif register < REGISTERS:
                self._registers[OLAT + register - GPIO if register in (GPIO, GPIO + 1) else register] = value
            self._go_on()

    def read(self, length: int) -> bytes:
        answer = bytearray()
        for _ in range(length):
            register = self._register()
            answer.append(self._port(register - GPIO) if register in (GPIO, GPIO + 1) else self._registers[register])
            self._go_on()
        return bytes(answer)

    def _register(self) -> int:
        """The register at the address, as BANK 0 numbers them."""
        if self._registers[IOCON] & BANK:
            return 2 * (self._at & 0x0F) + (self._at >> 4 & 1)
        return self._at % REGISTERS

    def _go_on(self) -> None:
        if not self._registers[IOCON] & SEQOP:
            self._at += 1

    def _port(self, port: int) -> int:
        """What GPIO reads: the levels at the pins of inputs, inverted where IPOL says so."""
        squares = self._squares[8 * port : 8 * port + 8]
        closed = self._contacts.closed(self._contacts.clock())
        pulled = sum(1 << i for i, square in enumerate(squares) if closed >> square & 1)
        up, direction = self._registers[GPPU + port], self._registers[IODIR + port]
        levels = (up | self._afloat >> 8 * port & 0xFF) & ~pulled
        levels = levels & direction | self._registers[OLAT + port] & ~direction
        return (levels ^ self._registers[IPOL + port]) & 0xFF


class Expanders:
    """Four chips from address 20 (hexadecimal) on, below ``contacts``; ``squares``: that of each input."""

    def __init__(self, contacts: Contacts, squares: Sequence[chess.Square] = chess.SQUARES) -> None:
        self.contacts = contacts
        self.chips = {0x20 + i: Expander(contacts, squares[16 * i : 16 * i + 16]) for i in range(4)}
        self.i2c = SimulatedI2c(self.chips)
