"""The console of a daemon, where its configuration has one: what it is told of a table, and nothing more."""

from pathlib import Path
from typing import TYPE_CHECKING

from controller.config import Setup
from controller.journal import Journal
from controller.outlets.notices import Notices

if TYPE_CHECKING:
    from controller.console.console import Console, TablePages
    from controller.daemon.station import Station


def console(config: Setup, file: Path | None, journal: Journal, notices: Notices) -> "Console | None":
    """The console, with no table on it yet; None where none is configured. ``file``: where the configuration stands."""
    if config.console is None:
        return None
    from controller.console.console import Console  # 9 MB that a board without pages does not need
    from controller.console.devices import folder_of
    from controller.console.register import InFolder

    rounds = None if config.event.pairings is None else file
    register = InFolder(folder_of(journal.path), config.console.session_h, config.console.address)
    return Console(config.console, register, notices, config.event.delay_min, rounds)


def show(console: "Console", station: "Station") -> "TablePages":
    from controller.console.shown_table import ShownTable

    config, session = station.config, station.session
    return console.show(
        ShownTable(
            journal=station.journal,
            past=station.public.journal,
            notices=station.notices,
            board_numbers={board_id: place.number for board_id, place in config.places.items()},
            clock=config.event.clock,
            delay=config.event.delay_min,
            hold_below=config.hold_below,
            carry_out=station.carry_out,
            ns_of=session.ns_of,
            speed=station.timeline.speed,
            awaiting=session.awaiting,
            undone_next=session.undone_next,
            phase=session.phase,
            begins=session.begins,
            expected=lambda: session.expected,
            starts=lambda: session.starts,
            superseded=session.superseded,
            idle=lambda: session.idle,
        )
    )
