"""A table whose boards are on the pages: where its records come from, and what only its daemon knows or does."""

import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from controller.contract import BoardId
from controller.outlets.follow import Readable
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.docket import Awaits, UndoneNext
from controller.outlets.mqtt.topics import Begins, Phase
from controller.outlets.notices import Notices

BoardNumbers = Mapping[BoardId | None, str]
"""The boards' numbers in the hall, by what the boards are in a match; the only one: None."""
CarryOut = Callable[[Fields, BoardId | None], Awaitable[int]]
"""Carries out a command on a board; returns the number of its record.

Raises :exc:`JadoubeError` for a refusal."""

SeenElsewhere = Callable[[str, BoardId | None], Collection[int]]
"""The cases of a game that an arbiter has seen elsewhere, by the number of their first record."""

Saw = Callable[[BoardId | None, str, int, str], Awaitable[None]]
"""Notes that an arbiter of that name has seen a case of a game on a board: for others who show the same."""


class Source(Readable, Protocol):
    """Where records come from: a journal, or what reads like one."""

    def before_last_game(self, board: str) -> int: ...


class ShownTable(Struct, frozen=True):
    """Its boards may be those of a match."""

    journal: Source
    past: Readable  #: the same, as late as the public may know of it
    notices: Notices
    board_numbers: BoardNumbers
    clock: str | None  #: the time control; None: it is played without a clock, or not known here
    delay: float | Literal["game-end"]  #: in minutes
    hold_below: float  #: what is less certain the public is not told yet
    carry_out: CarryOut
    ns_of: Callable[[int], int]  #: when a time of the game in progress was, in ns of :func:`time.monotonic_ns`
    speed: float  #: of the daemon
    awaiting: Awaits  #: what awaits a ruling
    expected: Callable[[], Mapping[str, str]]  #: who plays, as PGN tags, also before the game
    starts: Callable[[], Mapping[BoardId | None, str]]  #: what stands where when the next game begins
    superseded: Callable[[str, Mapping[str, str]], bool]  #: others play now than in a game with these tags
    idle: Callable[[], bool] = lambda: False  #: the round in force has no game there
    undone_next: UndoneNext | None = None  #: None: it is not known here
    phase: Callable[[BoardId | None], Phase] | None = None  #: whether a game is on; None: it is not known here
    begins: Callable[[BoardId | None], Begins] | None = None  #: by what the next begins, likewise
    #: without it, cases of before the page's daemon began are taken for seen, and their time of day is not known
    seen: SeenElsewhere | None = None
    saw: Saw | None = None

    def wall_ms(self, ms: int) -> int:
        """When a time of the game in progress was, in ms since 1970."""
        return (time.time_ns() - time.monotonic_ns() + self.ns_of(ms)) // 1_000_000
