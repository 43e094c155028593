"""The boards: ``driver = open_board(config, emit); driver.start(); ...; driver.stop()``."""

from hardware.boards.readings import Change, Driver, Emit, Fault, Item, LeverPress, Look, Reading, Recovered, Remark
from hardware.boards.registry import BoardConfig, open_board

__all__ = [
    "BoardConfig",
    "Change",
    "Driver",
    "Emit",
    "Fault",
    "Item",
    "LeverPress",
    "Look",
    "Reading",
    "Recovered",
    "Remark",
    "open_board",
]
