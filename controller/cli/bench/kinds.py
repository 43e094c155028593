"""The kinds of board there are, in words for who has to choose one: what it is, what it needs, where its example is."""

import importlib.util
import sys
from pathlib import Path
from typing import get_args

from msgspec import Struct

from hardware.boards import BoardConfig
from hardware.pins import Library


class Kind(Struct, frozen=True):
    """One kind. ``groups``: whose members may use its devices; ``modules``: what Python needs for it."""

    about: str
    groups: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


PINS = ("RPi.GPIO",)
KINDS: dict[str, Kind] = {
    "matrix": Kind("64 reed switches in rows and columns, on 16 pins", ("gpio",), PINS),
    "shift": Kind("64 reed switches on eight 74HC165, by SPI", ("spi",), ("spidev",)),
    "expander": Kind("64 reed switches on four MCP23017, by I2C", ("i2c",), ("smbus2",)),
    "multiplexer": Kind("64 reed switches on four 74HC4067, on eight pins", ("gpio",), PINS),
    "hall": Kind("64 Hall sensors on four 74HC4067 and an MCP3008", ("gpio", "spi"), (*PINS, "spidev")),
    "line": Kind("a home-made board on an Arduino, ESP32 or Pico", ("dialout",), ("serial",)),
    "simulated": Kind("a board made of numbers, to try things on"),
    "dgt": Kind("a DGT board, by USB, serial or Bluetooth", ("dialout",), ("serial",)),
    "dgt-bus": Kind("one of several DGT boards on a line, by address", ("dialout",), ("serial",)),
    "chesslink": Kind("a Millennium board with ChessLink", ("dialout",), ("serial",)),
    "certabo": Kind("a Certabo board, with chips in the pieces", ("dialout",), ("serial",)),
    "sentio": Kind("a Tabutronic Sentio board", ("dialout",), ("serial",)),
    "chessnut": Kind("a Chessnut board, by USB", ("plugdev",)),
}


def configurations() -> dict[str, type[BoardConfig]]:
    """The configuration of each kind, by its ``type``."""
    return {str(config.__struct_config__.tag): config for config in get_args(BoardConfig)}


def missing_modules(kind: str, library: Library = "RPi.GPIO") -> list[str]:
    """What Python needs for such a board, whose pins are reached through ``library``, and does not have."""
    needed = (library if module in PINS else module for module in KINDS[kind].modules)
    return [module for module in needed if not _installed(module)]


def examples() -> Path:
    """The folder of the example configurations, in a checkout or installed."""
    beside = Path(__file__).resolve().parents[3] / "config"
    return beside if beside.is_dir() else Path(sys.prefix) / "share" / "jadoube" / "config"


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would be in
        return False
