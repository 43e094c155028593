"""The console of a daemon, where its configuration has one: what it is told of the daemon, and nothing more."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from controller.config import Setup
from controller.contract import BoardId
from controller.daemon.delayed import Public
from controller.daemon.table import Table
from controller.journal import Journal
from controller.outlets.notices import Notices

if TYPE_CHECKING:
    from controller.console.console import Console


def console(
    config: Setup,
    journal: Journal,
    public: Public,
    notices: Notices,
    table: Table,
    carry_out: Callable[[bytes, BoardId | None], Awaitable[int]],
    speed: float,
) -> "Console | None":
    """The console; None where none is configured."""
    if config.console is None:
        return None
    from controller.console.console import Console, Place  # 9 MB that a board without pages does not need

    return Console(
        config.console,
        Place(
            journal=journal,
            past=public.journal,
            notices=notices,
            seats={seat: place.number for seat, place in config.places.items()},
            delay=config.event.delay_min,
            hold_below=config.hold_below,
            carry_out=carry_out,
            ns_of=table.ns_of,
            speed=speed,
            awaiting=table.awaiting,
            expected=lambda: table.expected,
        ),
    )
