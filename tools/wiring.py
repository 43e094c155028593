"""Draws how the home-made boards are wired: docs/boards/<name>.svg from the pins in config/<name>.toml.

    .venv/bin/python tools/wiring.py           # draws all anew
    .venv/bin/python tools/wiring.py --check   # says which drawings are no longer what the configuration says

On the left the header of the Pi as one looks at it, in the middle where each wire goes, on the right one of the 64
sensors. Pin numbers of the chips are those of their DIL packages.
"""

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from controller.config import Config, load
from hardware.boards.expander import ExpanderConfig
from hardware.boards.hall import HallSensorsConfig
from hardware.boards.matrix import MatrixConfig
from hardware.boards.multiplexer import MultiplexerConfig
from hardware.boards.shift import ShiftConfig
from hardware.clocks.displays import Ht16k33Config
from hardware.clocks.gpio import LeverConfig
from hardware.clocks.lights import LightsConfig
from hardware.lamps.ws2812 import StripConfig

ROOT = Path(__file__).resolve().parents[1]

#: Header pin of each BCM number.
HEADER = dict(
    zip(
        (2, 3, 4, 14, 15, 17, 18, 27, 22, 23, 24, 10, 9, 25, 11, 8, 7, 5, 6, 12, 13, 19, 16, 26, 20, 21),
        (3, 5, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 26, 29, 31, 32, 33, 35, 36, 37, 38, 40),
        strict=True,
    )
)
FIXED = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", 27: "ID", 28: "ID"} | dict.fromkeys(
    (6, 9, 14, 20, 25, 30, 34, 39), "GND"
)
NAMES = {header: f"GPIO {bcm}" for bcm, header in HEADER.items()} | FIXED
SDA, SCL, MOSI, MISO, SCLK, CE = 2, 3, 10, 9, 11, (8, 7)
COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7d3c98", "#ca6f1e", "#117864", "#5d6d7e")


class Wire(NamedTuple):
    """From a pin of the header, by its number there, to a terminal of a part."""

    header: int
    part: str
    terminal: str


class Drawing(NamedTuple):
    """A title, the wires, and what is said of one sensor and of the rest."""

    title: str
    wires: list[Wire]
    notes: list[str]


def bcm(pin: int, part: str, terminal: str) -> Wire:
    return Wire(HEADER[pin], part, terminal)


def draw_matrix(config: MatrixConfig) -> Drawing:
    wires = [bcm(pin, "rows", f"rank {i}") for i, pin in enumerate(config.rows, 1)]
    wires += [bcm(pin, "columns", f"file {file}") for file, pin in zip("abcdefgh", config.columns, strict=True)]
    return Drawing(
        "Reed matrix",
        wires,
        [
            "At each of the 64 crossings:",
            "row ──▶|── reed switch ── column",
            "the diode (1N4148) with its ring towards the",
            "column, so that current flows from the row only.",
            "Columns are pulled down inside the Pi.",
        ],
    )


def draw_shift(config: ShiftConfig) -> Drawing:
    chip = "74HC165, the one nearest to the Pi"
    return Drawing(
        "Eight 74HC165 shift registers",
        [
            bcm(CE[0], chip, "SH/LD (1), all chips"),
            bcm(SCLK, chip, "CLK (2), all chips"),
            bcm(MISO, chip, "QH (9), of this one only"),
            Wire(17, chip, "VCC (16), all chips"),
            Wire(25, chip, "GND (8), CLK INH (15), all chips"),
        ],
        [
            f"SER (10) of each chip: QH (9) of the next; of the eighth: GND. CE1 (GPIO {CE[1]}) stays free.",
            f"Inputs A to H (11 12 13 14 3 4 5 6) of the nearest chip: {_line(config.squares(), 0)}; of the next:",
            f"{_line(config.squares(), 8)}; and so on to {_line(config.squares(), 56)}.",
            "At each input: 10 kΩ to 3.3 V, and the reed switch to GND. 100 nF beside each chip.",
        ],
    )


def draw_expander(config: ExpanderConfig) -> Drawing:
    chip = "MCP23017, all four"
    squares = config.squares()
    notes = [
        f"{address:#x}: A2 A1 A0 (17 16 15) to {address >> 2 & 1} {address >> 1 & 1} {address & 1} "
        f"(1 is 3.3 V); GPA0-7 (21-28): {_line(squares, 16 * i)}, GPB0-7 (1-8): {_line(squares, 16 * i + 8)}"
        for i, address in enumerate(config.chips)
    ]
    return Drawing(
        "Four MCP23017 port expanders",
        [
            bcm(SDA, chip, "SDA (13)"),
            bcm(SCL, chip, "SCL (12)"),
            Wire(1, chip, "VDD (9), RESET (18)"),
            Wire(9, chip, "VSS (10)"),
        ],
        [*notes, "At each input: the reed switch to GND; the chips have pull-up resistors. 100 nF beside each chip."],
    )


def _selected(config: MultiplexerConfig | HallSensorsConfig) -> list[Wire]:
    chip = "74HC4067, all four"
    select = zip(config.select, ("S0 (10)", "S1 (11)", "S2 (14)", "S3 (13)"), strict=True)
    return [bcm(pin, chip, terminal) for pin, terminal in select] + [
        Wire(1, chip, "VCC (24)"),
        Wire(6, chip, "GND (12), E (15)"),
    ]


def _channels(config: MultiplexerConfig | HallSensorsConfig) -> list[str]:
    squares = config.squares()
    return [
        f"chip {i + 1}: I0-I7 (9-2): {_line(squares, 16 * i)}, I8-I15 (23-16): {_line(squares, 16 * i + 8)}"
        for i in range(4)
    ]


def draw_multiplexer(config: MultiplexerConfig) -> Drawing:
    signals = [bcm(pin, f"74HC4067, chip {i}", "common (1)") for i, pin in enumerate(config.signals, 1)]
    return Drawing(
        "Four 74HC4067 multiplexers",
        _selected(config) + signals,
        [*_channels(config), "At each channel: the reed switch to GND. The common pins are pulled up inside the Pi."],
    )


def draw_hall(config: HallSensorsConfig) -> Drawing:
    adc = "MCP3008"
    return Drawing(
        "64 Hall sensors, four 74HC4067, one MCP3008",
        [
            *_selected(config),
            bcm(SCLK, adc, "CLK (13)"),
            bcm(MISO, adc, "DOUT (12)"),
            bcm(MOSI, adc, "DIN (11)"),
            bcm(CE[config.chip_select], adc, "CS (10)"),
            Wire(17, adc, "VDD (16), VREF (15)"),
            Wire(25, adc, "AGND (14), DGND (9)"),
        ],
        [
            *_channels(config),
            "Common (1) of chips 1 to 4: CH0 to CH3 (1-4) of the MCP3008.",
            "At each channel: the output of a DRV5055 or SS49E between 3.3 V and GND; 100 nF beside each four.",
        ],
    )


def draw_clock() -> Drawing:
    lever, lights, display, strip = LeverConfig(), LightsConfig(), Ht16k33Config(), StripConfig()
    return Drawing(
        "Lever, lights, displays and lamps",
        [
            bcm(lever.pin, "lever", "switch"),
            Wire(39, "lever", "its other side"),
            bcm(lights.white, "lights", "White, 330 Ω, LED"),
            bcm(lights.black, "lights", "Black, 330 Ω, LED"),
            Wire(14, "lights", "both LEDs"),
            bcm(SDA, "two HT16K33", "SDA"),
            bcm(SCL, "two HT16K33", "SCL"),
            Wire(1, "two HT16K33", "VCC"),
            Wire(9, "two HT16K33", "GND"),
            bcm(MOSI, "WS2812 strip", "74AHCT125, DIN"),
            Wire(20, "WS2812 strip", "GND"),
        ],
        [
            f"The displays have the addresses {display.white:#x} (White) and {display.black:#x} (Black, A0 bridged).",
            f"The strip has a supply of 5 V of its own, whose ground is the Pi's; first lamp under {strip.first}.",
        ],
    )


def _line(squares: Sequence[int], at: int) -> str:
    names = ["abcdefgh"[square % 8] + str(square // 8 + 1) for square in (squares[at], squares[at + 7])]
    return "-".join(names)


# -- the drawing -------------------------------------------------------------------------------------------------------

PITCH, TOP, TERMINALS = 26, 84, 430


def svg(drawing: Drawing) -> str:
    """The drawing as SVG: text in pixels of 13, wires as curves."""
    used = {wire.header: COLOURS[i % len(COLOURS)] for i, wire in enumerate(drawing.wires)}
    body = [f'<text x="20" y="32" font-size="20" font-weight="bold">{escape(drawing.title)}</text>']
    y, part, ends = TOP, "", []
    for i, wire in enumerate(drawing.wires):
        if wire.part != part:
            y += 12 if part else 0
            part = wire.part
            body.append(f'<text x="{TERMINALS}" y="{y + 4}" font-weight="bold">{escape(part)}</text>')
            y += PITCH - 4
        ends.append((wire, y, COLOURS[i % len(COLOURS)]))
        body.append(f'<text x="{TERMINALS + 14}" y="{y + 4}">{escape(wire.terminal)}</text>')
        y += 22
    body += [_rail(), *(_curve(wire, end, colour) for wire, end, colour in ends), *_pins(used)]
    y = max(y, TOP + 20 * PITCH) + 24
    for note in drawing.notes:
        body.append(f'<text x="20" y="{y}">{escape(note)}</text>')
        y += 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {y}" font-family="sans-serif" font-size="13">\n'
        f'<rect width="760" height="{y}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _place(header: int) -> tuple[int, int]:
    return (140 if header % 2 else 176), TOP + (header - 1) // 2 * PITCH


def _rail() -> str:
    return (
        f'<rect x="122" y="{TOP - 16}" width="72" height="{20 * PITCH + 6}" rx="6" fill="#eceff1" stroke="#90a4ae"/>\n'
        f'<text x="158" y="{TOP - 22}" text-anchor="middle" fill="#546e7a">Raspberry Pi</text>'
    )


def _pins(used: dict[int, str]) -> list[str]:
    """The 40 pins with their names, over the wires that leave them."""
    parts = []
    for header in range(1, 41):
        x, y = _place(header)
        side, anchor = (x - 28, "end") if header % 2 else (x + 28, "start")
        ink, weight = ("#263238", "bold") if header in used else ("#b0bec5", "normal")
        parts.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{used.get(header, "#b0bec5")}"/>')
        parts.append(f'<text x="{x}" y="{y + 3}" font-size="8" fill="#ffffff" text-anchor="middle">{header}</text>')
        parts.append(
            f'<text x="{side}" y="{y + 4}" font-size="11" font-weight="{weight}" fill="{ink}" text-anchor="{anchor}" '
            f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{NAMES[header]}</text>'
        )
    return parts


def _curve(wire: Wire, end: int, colour: str) -> str:
    x, y = _place(wire.header)
    # from the left row of pins a wire passes between two of the right row
    start = f"M {x} {y} L {x} {y + 13} L 260 {y + 13}" if wire.header % 2 else f"M {x} {y} L 260 {y}"
    middle = y + 13 if wire.header % 2 else y
    path = f"{start} C 340 {middle}, 340 {end}, {TERMINALS} {end}"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-opacity="0.8"/>'
        f'<circle cx="{TERMINALS}" cy="{end}" r="4" fill="{colour}"/>'
    )


def drawings() -> dict[Path, str]:
    """Each drawing by the file that it belongs into."""
    made = {ROOT / "docs" / "boards" / "clock.svg": svg(draw_clock())}
    for name in ("matrix", "shift", "expander", "multiplexer", "hall"):
        config = load(ROOT / "config" / f"{name}.toml")
        assert isinstance(config, Config)
        match config.board:
            case MatrixConfig():
                drawing = draw_matrix(config.board)
            case ShiftConfig():
                drawing = draw_shift(config.board)
            case ExpanderConfig():
                drawing = draw_expander(config.board)
            case MultiplexerConfig():
                drawing = draw_multiplexer(config.board)
            case HallSensorsConfig():
                drawing = draw_hall(config.board)
            case other:
                raise ValueError(f"{name}: no drawing of {other}")
        made[ROOT / "docs" / "boards" / f"{name}.svg"] = svg(drawing)
    return made


def main() -> int:
    stale = [path for path, text in drawings().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)}: not what the configuration says; draw it anew: tools/wiring.py")
        return 1 if stale else 0
    for path, text in drawings().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
