"""The tables at which games are played, as an outlet needs to know them that a configuration names.

Such an outlet is a table of the configuration, whose name is that of its module here. The module says what is to be
kept running: once for each table of the hall by ``of_table(config, table)``, and once for all of them by
``of_hall(config, hall)``; it may have either, or both.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from controller.contract import BoardId
from controller.journal import Journal
from controller.outlets.follow import Readable
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.notices import Notices


class Plugged(Struct, frozen=True):
    """A board: its number in the hall, and by what name it is connected, not by which path."""

    number: str
    source: str
    of_many: str | None = None  #: its number again, where it is one of a hall
    batteries: tuple[str, ...] = ()  #: the notices that a battery is low, where there is one


PluggedBoards = Mapping[BoardId | None, Plugged]
"""Of a table: the only one, or the two of a match, by what they are in it."""


Standing = Callable[[str, str], str | None]
"""What stands on the board of that number, as in a FEN; None where the game named tells it, or nobody knows."""


class AtTable(Struct, frozen=True):
    boards: PluggedBoards
    number: str  #: of the board in the hall, or of the match
    journal: Journal
    past: Readable  #: the same as the public may read it
    notices: Notices
    hold_below: float = 0.0  #: moves less certain than that are held back from the public
    of_many: str | None = None  #: the board's number, where it is one of a hall
    expected: Callable[[], Mapping[str, str]] = dict  #: the PGN tags of the game there, or of the next one
    paired: Callable[[], bool] = lambda: False  #: whether pairings are in force, which tell who plays there

    @property
    def numbers(self) -> str:
        """The boards as the journal names them."""
        return "+".join(board.number for board in self.boards.values())

    @property
    def of_match(self) -> bool:
        return None not in self.boards


class InHall(Struct, frozen=True):
    """All tables of a daemon."""

    venue: str
    tables: tuple[PluggedBoards, ...]
    journal: Journal
    notices: Notices
    mqtt: MqttConfig | None = None  #: the broker, where the configuration names one
    via: str | None = None  #: on what topic the connection that the boards share is said to be gone
    standing: Standing = lambda *_: None
    now: Callable[[], Sequence[PluggedBoards]] | None = None  #: the tables at this moment, where they come and go

    @property
    def of_match(self) -> bool:
        return any(None not in boards for boards in self.tables)


class Running(Struct, frozen=True):
    """What is to be kept running. ``cursor``: of one whose last word an orderly stop waits for. ``made_of``: of one for
    all tables what it was made of: while that stays the same it runs on when the configuration is read again.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    cursor: str | None = None
    made_of: object = None


def running(module: object, of: Literal["of_table", "of_hall"], said: Any, place: AtTable | InHall) -> list[Running]:
    """What a module has to run by the function of that name, for a configuration's table: nothing, where it has none.
    Raises :exc:`ConfigError` for a secret that cannot be read.
    """
    return [*getattr(module, of, lambda *_: ())(said, place)]
