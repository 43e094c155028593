"""Presses of the clock and commands, held back until every edge that was sampled before them is known.

A press counts at once, an edge only when it has held for the debounce time. Told as they come, a man set down and the
clock pressed 5 ms later would be a press without a move. So a press waits until the board has been scanned once more,
and then for a contact that began to change meanwhile (it may have chattered since before the press). Mostly that scan
is over by the time at which the contact of the clock has been debounced; on a machine that stands still for a moment it
may be long in coming, and a press told without it would accuse a player who has moved. Of a board that reports by
itself nobody knows when it has looked: there the debounce time has to do, and so it has for a press by command. A press
keeps its own time, so the wait costs nobody anything on the clock.

Any other command waits only for what came before it: whoever resigns after a press has resigned with that move
completed. But no command waits for a board that is away.
"""

import math
from collections import deque
from concurrent.futures import Future
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from controller.contract import AnyInput, Press, Senses
from controller.errors import LogError

DELIVERY_MS = 3  #: from a sample to the table, on a machine that is busy
RETURN_MS = 100  #: within which a board that is back has told what stands on it
SILENCE_MS = 250  #: a board that has not been scanned for so long is at fault, and no longer waited for


def hold_ms(senses: Senses, debounce_ms: int, scan_hz: float | None) -> int:
    """How long an edge sampled before a press may be unheard of; ``scan_hz`` is None of a board that reports by itself.

    A board that knows its men debounces for itself.
    """
    if senses == "identity":
        return 0
    return debounce_ms if scan_hz is None else min(debounce_ms, math.ceil(1000 / scan_hz) + DELIVERY_MS)


class Held(Struct, frozen=True):
    """A press or a command, in ms of the daemon."""

    ms: int
    item: AnyInput  #: its own time counts for nothing
    due: int  #: what came to light up to then is told before it
    waits: bool = False  #: for a scan that began after it
    number: "Future[int] | None" = None  #: of the record of a command, once that is safe; nobody asks for a press's

    def answer(self, stored: "Future[int]") -> None:
        """It was told, and its record is being stored. Whoever asked hears what comes of that, if he still listens."""
        if self.number is not None and self.number.set_running_or_notify_cancel():
            stored.add_done_callback(partial(_pass_on, self.number))

    def refuse(self, error: LogError) -> None:
        """It will not be told any more."""
        if self.number is not None and self.number.set_running_or_notify_cancel():
            self.number.set_exception(error)


def _pass_on(asked: "Future[int]", stored: "Future[int]") -> None:
    if (error := stored.exception()) is not None:
        asked.set_exception(error)
    else:
        asked.set_result(stored.result())


class Presses:
    """The presses that wait: for a scan, or ``hold_ms`` (see :func:`hold_ms`) where nobody tells of scans. And, in the
    order in which they came, the commands.
    """

    def __init__(self, hold_ms: int) -> None:
        self._hold_ms = hold_ms
        self._held: deque[Held] = deque()
        self._away = False

    def leave(self) -> None:
        """The board is away: who presses may have moved, and nobody can say that he has not."""
        self._away = True

    def come_back(self, ms: int) -> None:
        """The board is there again, and tells by and by what stands on it."""
        self._away = False
        self._held = deque(replace(held, due=ms + RETURN_MS, waits=False) for held in self._held)

    def clear(self) -> None:
        """What was pressed and said belongs to no game any more."""
        for held in self._held:
            held.refuse(LogError("another game has begun since", "the command came just before it", "give it again"))
        self._held.clear()

    def add(self, ms: int, press: Press, scan: tuple[int, int] | None) -> None:
        """``scan``: when the last one that is known by now began and ended, where :meth:`scanned` tells of the next."""
        if scan is None:
            self._held.append(Held(ms, press, ms + self._hold_ms))
        else:
            self._held.append(Held(ms, press, ms + SILENCE_MS, waits=True))
            self.scanned(*scan)

    def command(self, ms: int, item: AnyInput) -> "Future[int]":
        """Somebody says so. Returns the number of its record, once it has been told and that is safe; raised there is
        :exc:`LogError` if another game begins before."""
        due = ms + self._hold_ms if isinstance(item, Press) else ms
        number: Future[int] = Future()
        self._held.append(Held(ms, item, due, number=number))
        return number

    def scanned(self, began: int, ended: int) -> None:
        """The whole board was scanned: no press before that waits any longer."""
        for number, held in enumerate(self._held):
            if held.waits and held.ms <= began:
                self._held[number] = replace(held, due=ended + 1, waits=False)

    def pop(self) -> Held:
        """What :attr:`due` is of. Raises :exc:`IndexError` where there is nothing."""
        held = self._held[self._next]
        del self._held[self._next]
        return held

    @property
    def first(self) -> int | None:
        """When the oldest was sampled: nothing later may be told before it."""
        return self._held[0].ms if self._held else None

    @property
    def due(self) -> int | None:
        """When no edge can precede the next one any more, on a board at rest; None also while the board is away."""
        return self._held[self._next].due if self._next < len(self._held) else None

    @property
    def _next(self) -> int:
        """The place of the one to be told next: the oldest, but while the board is away the oldest command."""
        places = (place for place, held in enumerate(self._held) if held.number is not None or not self._away)
        return next(places, len(self._held))
