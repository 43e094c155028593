"""The kernel's side of ``/dev/i2c-*``, for the real smbus2: its ioctls, answered by simulated chips.

Linux has a module for this (i2c-stub), but its chips are memory and nothing more, and it is seldom there to load.
"""

import os
from typing import Any

import pytest
import smbus2.smbus2 as library
from smbus2 import I2cFunc

from hardware.simulator.i2c import SimulatedI2c


def serve(monkeypatch: pytest.MonkeyPatch, number: int, bus: SimulatedI2c) -> None:
    """From now on ``SMBus(number)`` talks to ``bus``."""
    address = 0
    really_open = os.open

    def open_(path: Any, *how: Any, **more: Any) -> int:
        return really_open("/dev/null" if path == f"/dev/i2c-{number}" else path, *how, **more)

    def ioctl(_: int, request: int, argument: Any) -> None:
        nonlocal address
        if request == library.I2C_FUNCS:
            argument.value = I2cFunc.I2C | I2cFunc.SMBUS_I2C_BLOCK
        elif request == library.I2C_SLAVE:
            address = argument
        elif request == library.I2C_SMBUS:
            block, chip = argument.data.contents.block, bus.chip(address)
            assert argument.size in (library.I2C_SMBUS_BYTE, library.I2C_SMBUS_I2C_BLOCK_DATA)
            if argument.size == library.I2C_SMBUS_BYTE:
                chip.write(bytes((argument.command,)))
            elif argument.read_write == library.I2C_SMBUS_WRITE:
                chip.write(bytes((argument.command, *block[1 : block[0] + 1])))
            else:
                chip.write(bytes((argument.command,)))
                block[1 : block[0] + 1] = list(chip.read(block[0]))
        else:
            raise AssertionError(f"ioctl {request:#x} is not one of I2C")

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(library, "ioctl", ioctl)
