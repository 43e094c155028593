"""What each device hangs on: pins, addresses on a bus, a port. No two may want the same, before anything is opened.

Where the buses are on the header of a Raspberry Pi, by BCM number, is from the documentation of the Pi's peripherals
and its overlays `spi1-1cs` to `spi1-3cs`. Buses beyond these have their pins from overlays and are not known here.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from controller.errors import ConfigError

HEADER = range(28)  #: the pins that there are, by BCM number
EEPROM = (0, 1)  #: two of them, where the Pi looks for the memory of a board on top of it when it starts
PULLED_UP = (2, 3)  #: these are, on the Pi itself: not for columns

SPI = {0: (11, 10, 9, (8, 7)), 1: (21, 20, 19, (18, 17, 16))}  #: SCLK, MOSI, MISO, and the chip selects
I2C = {0: (0, 1), 1: (2, 3)}  #: SDA, SCL


class Wire(Struct, frozen=True):
    """One thing that a device hangs on."""

    to: int | str  #: the pin, by BCM number; or such as ``address 0x70 of I2C 1``
    use: str  #: what for, and which option of its table says so: ``columns (file a)``
    bus: str = ""  #: such as ``SPI 0``, whose line it is
    shared: bool = False  #: others on that bus may use it, too

    @property
    def named(self) -> str:
        return f"pin {self.to}" if isinstance(self.to, int) else self.to


def pins(option: str, numbers: Sequence[int], parts: Iterable[str]) -> Iterator[Wire]:
    """Those of an option that lists several."""
    return (Wire(number, f"{option} ({part})") for number, part in zip(numbers, parts, strict=True))


def spi(bus: int, *selects: int, reads: bool = True, alone: bool = False) -> Iterator[Wire]:
    """Of devices at ``/dev/spidev<bus>.<select>``. ``alone``: whatever is sent to others must not be heard there."""
    if bus in SPI:
        clock, out, back, chosen = SPI[bus]
        name = f"SPI {bus}"
        yield Wire(clock, f"SCLK of {name}", name, shared=True)
        yield Wire(out, f"MOSI of {name}", name, shared=not alone)
        if reads:
            yield Wire(back, f"MISO of {name}", name, shared=True)
        yield from (Wire(chosen[one], f"CE{one} of {name}", name) for one in selects if one < len(chosen))
    else:
        yield from (Wire(f"/dev/spidev{bus}.{one}", "bus and chip_select") for one in selects)


def i2c(bus: int, addresses: Iterable[int]) -> Iterator[Wire]:
    """Of chips at ``addresses`` of ``/dev/i2c-<bus>``."""
    name = f"I2C {bus}"
    for pin, line in zip(I2C.get(bus, ()), ("SDA", "SCL"), strict=False):
        yield Wire(pin, f"{line} of {name}", name, shared=True)
    yield from (Wire(f"address {address:#x} of {name}", "a chip") for address in addresses)


def refuse_shared(wires: Iterable[tuple[str, Wire]]) -> None:
    """Raises :exc:`ConfigError` where two want the same. Each comes with its table of the configuration."""
    wires = list(wires)
    taken: dict[int | str, tuple[str, Wire]] = {}
    for table, wire in wires:
        other, first = taken.setdefault(wire.to, (table, wire))
        if first is wire or (first == wire and wire.shared):
            continue
        what = f"{wire.named} is used twice: as {first.use} in [{other}] and as {wire.use} in [{table}]"
        if wire.to not in HEADER:
            raise ConfigError(what, "the default of both, or a slip of the pen", "give one of them another")
        if first.bus and wire.bus:
            remedy = "give one of them another bus or chip_select: docs/boards/clock.md"
            raise ConfigError(what, "they cannot share that line", remedy)
        others = {*EEPROM, *PULLED_UP, *(wire.to for _, wire in wires)}
        free = [str(pin) for pin in HEADER if pin not in others]
        bus = first.bus or wire.bus
        cause = f"{bus} has pins of its own" if bus else "a slip of the pen"
        raise ConfigError(what, cause, f"take another pin for one of them; free are {', '.join(free)}")
