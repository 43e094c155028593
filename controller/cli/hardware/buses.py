"""What answers on the Pi's own buses: the chips of home-made boards on I2C and SPI, and displays of the clock.

Nothing is set up by asking. On I2C registers are read where such chips have their addresses; what has no registers
says the same of each. On SPI nobody acknowledges, so an answer must be one that only such a chip can give: of shift
registers, pieces once they were latched and nothing behind them; of a converter, its null bit before a level.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from controller.cli.hardware.fill import OptionValue
from controller.cli.hardware.probe import FoundPort, ProbedPort, RecognisedBoard
from controller.errors import DeviceError
from hardware.boards import hall, shift
from hardware.boards.expander import GPPU, IODIR
from hardware.buses import I2c, Spi, open_i2c, open_spi

HEADER = range(7)  #: the I2C buses that can be led to the header; others are those of cameras and screens
EXPANDERS, DISPLAYS = range(0x20, 0x28), range(0x70, 0x78)  #: the addresses of MCP23017 and of HT16K33
CHIPS = 4  #: of these has a board
KINDS = ("expander", "shift", "hall")  #: the boards that are found here


def look(root: Path = Path("/")) -> list[ProbedPort]:
    """Asks on each bus that is turned on. ``root``: of the file system, where the device files are."""
    return [*_look_at_i2c(root), *_look_at_spi(root)]


# -- I2C -----------------------------------------------------------------------------------------------------------


def _look_at_i2c(root: Path) -> Iterator[ProbedPort]:
    for number in sorted(int(path.name[4:]) for path in (root / "dev").glob("i2c-*") if path.name[4:].isdecimal()):
        if number not in HEADER:
            continue
        port = FoundPort(f"/dev/i2c-{number}", "I2C")
        try:
            bus = open_i2c(number)
        except DeviceError as error:
            yield ProbedPort(port, None, error)
            continue
        try:
            yield _on_i2c(port, number, bus)
        finally:
            bus.close()


def _on_i2c(port: FoundPort, number: int, bus: I2c) -> ProbedPort:
    chips = [address for address in EXPANDERS if _has_registers(bus, address)]
    displays = [address for address in DISPLAYS if _read(bus, address, 1)]
    beside = f"displays of the clock at {_hex(displays)}, see [clock.display]" if displays else ""
    if len(chips) >= CHIPS:
        options: dict[str, OptionValue] = {"bus": number, "chips": tuple(chips[:CHIPS])}
        return ProbedPort(port, RecognisedBoard("expander", f"MCP23017 at {_hex(chips)}", options), beside=beside)
    if not chips:
        return ProbedPort(port, None, beside=beside)
    error = DeviceError(
        f"port expanders at {_hex(chips)} only",
        f"a board has {CHIPS}: one is without power, or A0 to A2 give two the same address",
        f"i2cdetect -y {number}",
    )
    return ProbedPort(port, None, error, beside)


def _has_registers(bus: I2c, address: int) -> bool:
    """Whether the chip at that address has several registers, as our expanders do. Those on the back of small screens
    have a single port instead, which reads the same at every register."""
    return len(set(_read(bus, address, GPPU + 2))) > 1


def _read(bus: I2c, address: int, length: int) -> bytes:
    """Nothing, where nobody acknowledges."""
    try:
        return bytes(bus.read_i2c_block_data(address, IODIR, length))
    except OSError:
        return b""


def _hex(addresses: list[int]) -> str:
    return " ".join(f"{address:#x}" for address in addresses)


# -- SPI -----------------------------------------------------------------------------------------------------------


def _look_at_spi(root: Path) -> Iterator[ProbedPort]:
    selects: defaultdict[int, list[int]] = defaultdict(list)
    for path in sorted((root / "dev").glob("spidev*")):
        if found := re.fullmatch(r"spidev(\d+)\.(\d+)", path.name):
            selects[int(found[1])].append(int(found[2]))
    for bus, there in selects.items():
        port = FoundPort(f"/dev/spidev{bus}.{there[0]}", "SPI")
        lines: dict[int, Spi] = {}
        try:
            for select in there:
                lines[select] = open_spi(bus, select, shift.ShiftConfig().hz)
            yield ProbedPort(port, _on_spi(bus, lines))
        except DeviceError as error:
            yield ProbedPort(port, None, error)
        finally:
            for line in lines.values():
                line.close()


def _on_spi(bus: int, lines: Mapping[int, Spi]) -> RecognisedBoard | None:
    if lines.keys() >= {shift.LATCH, shift.READ} and _are_shift_registers(lines[shift.LATCH], lines[shift.READ]):
        return RecognisedBoard("shift", "eight 74HC165", {"bus": bus})
    for select, line in lines.items():
        if _is_converter(line):
            return RecognisedBoard("hall", f"MCP3008 on CE{select}", {"bus": bus, "chip_select": select})
    return None


def _are_shift_registers(latch: Spi, read: Spi) -> bool:
    latch.xfer2(shift.PULSE)
    first, second = bytes(read.xfer2(shift.CLOCKS)), bytes(read.xfer2(shift.CLOCKS))
    return any(first) and not first[-1] and not any(second)


def _is_converter(line: Spi) -> bool:
    try:
        levels = {hall.level(bytes(line.xfer2(ask))) for ask in hall.ASK}
    except DeviceError:
        return False
    return any(levels)
