"""Seven-segment modules as their data sheets describe them (Holtek HT16K33, Maxim MAX7219), and the text on them."""

from hardware.simulator.spi import SimulatedSpiDevice

SHAPES = {0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9"}


class Ht16k33Module:
    """Four digits and a colon at one I2C address. Dark until oscillator and display are on."""

    def __init__(self) -> None:
        self.brightness = 15
        self._memory = bytearray(16)
        self._oscillates = self._lit = False

    def write(self, sent: bytes) -> None:
        command = sent[0]
        if command < 0x10:
            for i, value in enumerate(sent[1:]):
                self._memory[(command + i) % 16] = value
        elif command & 0xF0 == 0x20:
            self._oscillates = bool(command & 1)
        elif command & 0xF0 == 0x80:
            self._lit = bool(command & 1)
        elif command & 0xF0 == 0xE0:
            self.brightness = command & 0x0F

    def read(self, length: int) -> bytes:
        return bytes(self._memory[:length])

    @property
    def text(self) -> str:
        """What is to be read on it: ``12:34``; a dark digit is a space."""
        if not (self._oscillates and self._lit):
            return ""
        one, two, three, four = (SHAPES.get(self._memory[at], " ") for at in (0, 2, 6, 8))
        return f"{one}{two}{':' if self._memory[4] & 2 else ' '}{three}{four}"


class Max7219Module:
    """Eight digits on SPI. Powers up shut down; takes the last 16 bits before its select rises."""

    def __init__(self) -> None:
        self._registers = bytearray(16)

    def exchange(self, line: SimulatedSpiDevice, sent: bytes) -> bytes:
        if line.mode == 0 and len(sent) >= 2:
            self._registers[sent[-2] & 0x0F] = sent[-1]
        return bytes(len(sent))

    def spark(self) -> None:
        """The supply dips: everything is as after power-on."""
        self._registers[:] = bytes(16)

    @property
    def text(self) -> str:
        """What is to be read on it, from the left: ``12.34 5.67``."""
        registers = self._registers
        if registers[0x0F] & 1:
            return "8." * 8
        if not registers[0x0C] & 1 or registers[0x09] != 0xFF:
            return ""
        shown = ""
        for digit in range(registers[0x0B] & 7, -1, -1):
            value = registers[digit + 1]
            shown += str(value & 0x0F) if value & 0x0F < 10 else " "
            shown += "." if value & 0x80 else ""
        return shown
