"""Whatever shows the game at the board itself: lights and displays of the clock, lamps on the squares."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from controller.config import TableSetup
from controller.contract import BoardId
from controller.daemon.faces import Faces
from controller.journal import Journal
from controller.outlets.lamps import LampsOutlet
from controller.outlets.notices import at
from hardware.boards import Driver
from hardware.boards.readings import Emit
from hardware.clocks.face import FaceShows
from hardware.lamps import Lamps

EmitFrom = Callable[[BoardId | None, str], Emit]
"""What a device of that board, under that name, tells its faults to."""


class Shows:
    """The drivers of these, and the tasks that tell them what to show; both by their names.

    ``boards``: those of the daemon, for some have lamps of their own, and one a clock that can be set. ``ns_of`` and
    ``speed``: as of :class:`Faces`.
    """

    def __init__(
        self,
        config: TableSetup,
        journal: Journal,
        boards: Mapping[BoardId | None, Driver],
        emit: EmitFrom,
        ns_of: Callable[[int], int],
        speed: float,
    ) -> None:
        self.drivers: dict[str, Driver] = {}
        self.tasks: dict[str, Callable[[], Awaitable[None]]] = {}
        for board_id, place in config.places.items():
            clock = place.clock.open_shows(partial(emit, board_id)) if place.clock is not None else {}
            self.drivers |= {at(name, board_id): driver for name, driver in clock.items()}
            board, lamps, faces = boards[board_id], list[Lamps](), list[FaceShows](clock.values())
            if isinstance(board, FaceShows) and getattr(place.board, "set_clock", False):
                faces.append(board)
            if faces:
                self.tasks[at("face", board_id)] = Faces(journal, config.numbers, board_id, faces, ns_of, speed).run
            if isinstance(board, Lamps):
                lamps.append(board)
            if place.lamps.strip is not None:
                strip = place.lamps.strip.open(emit(board_id, "lamps"))
                self.drivers[at("lamps", board_id)] = strip
                lamps.append(strip)
            if lamps:
                lights = [lamp.light for lamp in lamps]
                self.tasks[at("lamps", board_id)] = LampsOutlet(
                    place.lamps.mode, journal, config.numbers, board_id, lights
                ).run
