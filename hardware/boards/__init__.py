"""The boards: `driver = open_board(config, emit); driver.start(); ...; driver.stop()`.

which there are ``registry``; of each for people: ``about``; what each says: ``readings``
on pins, buses  ``scan``: the thread, above ``matrix``, ``multiplexer``, ``shift``, ``expander``, ``hall`` with
                ``hall_poles``; ``scan_recording``; ``simulated``
on a port       ``ports``: the thread of all of them; ``port``: the conversation, in ``codec``, ``picture`` and
                ``placement``; ``line`` with ``line_protocol``, ``chesslink`` with ``chesslink_protocol``, ``chessnut``
                with ``chessnut_protocol``, ``certabo`` with ``certabo_protocol`` and ``certabo_stones``
DGT             ``dgt``, ``dgt_protocol``, ``dgt_picture``; the clock: ``dgt_clock``, ``dgt_face``; ``dgt_log``
several a line  ``dgt_bus``, above ``dgt_bus_polling`` and ``dgt_bus_talk``; ``dgt_bus_picture``, ``dgt_bus_protocol``
all of them     ``worker``: how a device is tried again, and the thread of one that is on no port
"""

from hardware.boards.readings import (
    BoardReading,
    Change,
    ClockShown,
    Driver,
    Emit,
    Fault,
    FromDevice,
    LeverPress,
    Look,
    Recovered,
    Remark,
)
from hardware.boards.registry import BoardConfig, open_board

__all__ = [
    "BoardConfig",
    "BoardReading",
    "Change",
    "ClockShown",
    "Driver",
    "Emit",
    "Fault",
    "FromDevice",
    "LeverPress",
    "Look",
    "Recovered",
    "Remark",
    "open_board",
]
