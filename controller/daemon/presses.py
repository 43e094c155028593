"""Presses of the clock and commands, held back until every edge that was sampled before them is known.

Why: a press counts at once, an edge only when it has held for the debounce time. Told as they come, a piece set down
and the clock pressed 5 ms later would be a press without a move. The wait costs nobody anything on the clock: a press
keeps its own time.

How long a press waits, whether by a lever, a button or a command:

- until one look at the whole board has begun after it, and ended: a scan, or the position that a board is asked for;
- then for each contact that began to change meanwhile, which may have chattered since before the press;
- not at all on a board that reports by itself, is at rest, and shows a legal move that the press completes: its answer
  takes long enough for people to see. What it reports meanwhile is told before the press as far as the player's move
  needs it, else after it, as the opponent may have begun to reply, however long the press waits: some messages of a
  board may come and others not. After :data:`BLIND_MS` it counts as a board that nobody sees;
- while nobody sees the board, until somebody does: see ``board_input``.

Any other command waits only for what came before it, so who resigns after a press has resigned with that move
completed; but never for a board that is away, or that takes longer than :data:`PATIENCE_MS`: then it is told before
what waits, and before what the board has reported since.
"""

from collections import Counter, deque
from concurrent.futures import Future
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from controller.contract import AnyInput, Press, Side
from controller.errors import JadoubeError, LogError

PATIENCE_MS = 1_000  #: a press that has waited for so long is told of, and no command waits behind it any longer
CHATTER_MS = 15  #: no hand presses so soon after the other player's
MOST_A_SECOND = 10  #: no hands press more often
CALM_MS = 60_000  #: after so long without chatter it is over
BLIND_MS = 30_000  #: after so long nobody sees the board, and nothing waits behind that press any more; a guess


class HeldInput(Struct, frozen=True):
    """A press or a command, in ms of the daemon."""

    ms: int
    item: AnyInput  #: its own time counts for nothing
    due: int | None  #: what came to light up to then is told before it; None: it waits for a look that began after it
    number: "Future[int] | None" = None  #: of the record of a command, once that is safe; nobody asks for a press's

    def answer(self, stored: "Future[int]") -> None:
        """It was told, and its record is being stored. Whoever asked hears what comes of that, if he still listens."""
        if self.number is not None and self.number.set_running_or_notify_cancel():
            stored.add_done_callback(partial(_pass_on, self.number))

    def refuse(self, error: JadoubeError) -> None:
        """It will not be told."""
        if self.number is not None and self.number.set_running_or_notify_cancel():
            self.number.set_exception(error)


def _pass_on(asked: "Future[int]", stored: "Future[int]") -> None:
    if (error := stored.exception()) is not None:
        asked.set_exception(error)
    else:
        asked.set_result(stored.result())


class Buttons:
    """The buttons or the lever of a clock, whose contacts may chatter: what no hands have done is no press."""

    def __init__(self) -> None:
        self._hands: deque[tuple[int, Side]] = deque(maxlen=MOST_A_SECOND)  # the latest presses: when, and whose
        self.calm_at: int | None = None  #: when their chatter will be over; None if they are calm

    def heard(self, ms: int, side: Side) -> bool:
        """Whether a press that is reported at ``ms`` was one."""
        last, whose = self._hands[-1] if self._hands else (ms, side)
        too_soon = side != whose and ms - last < CHATTER_MS
        too_many = len(self._hands) == MOST_A_SECOND and ms - self._hands[0][0] < 1_000
        if too_soon or too_many:
            self.calm_at = ms + CALM_MS
            return False
        self._hands.append((ms, side))
        return True

    def chatter(self, now: int) -> bool:
        """Whether they have chattered lately."""
        if self.calm_at is not None and self.calm_at <= now:
            self.calm_at = None
        return self.calm_at is not None


class Presses:
    """The presses that wait for a look at the board. And, in the order in which they came, the commands."""

    def __init__(self) -> None:
        self._held: deque[HeldInput] = deque()

    def clear(self) -> None:
        """What was pressed and said belongs to no game any more."""
        for held in self._held:
            held.refuse(LogError("another game has begun since", "the command came just before it", "give it again"))
        self._held.clear()

    def add(self, ms: int, press: Press, certain: bool, look: tuple[int, int] | None) -> None:
        """``certain``: it waits for no look. ``look``: when the last one that is known by now began and ended."""
        self._held.append(HeldInput(ms, press, ms if certain else None))
        if look is not None:
            self.looked(*look)

    def command(self, ms: int, item: AnyInput, certain: bool) -> "Future[int]":
        """Somebody says so. Returns the number of its record, once it has been told and that is safe; raised there is
        :exc:`LogError` if another game begins before. ``certain``: it waits for no look."""
        number: Future[int] = Future()
        self._held.append(HeldInput(ms, item, ms if certain else None, number))
        return number

    def looked(self, began: int, ended: int) -> None:
        """The whole board was looked at: no press before that waits any longer."""
        for place, held in enumerate(self._held):
            if held.due is None and held.ms <= began:
                self._held[place] = replace(held, due=ended + 1)

    def look_anew(self) -> None:
        """What was looked at last says nothing of what was pressed: each press waits for another look."""
        self._held = deque(replace(held, due=None) if isinstance(held.item, Press) else held for held in self._held)

    def confess(self) -> None:
        """Nobody saw what stood when these were pressed. Where a player has pressed more than once, so many moves may
        have been made that all the pieces may stand again where they stood: then no press shows that none was."""
        sides = Counter(held.item.side for held in self._held if isinstance(held.item, Press))
        if max(sides.values(), default=0) > 1:
            self._held = deque(
                replace(held, item=replace(held.item, unseen=True)) if isinstance(held.item, Press) else held
                for held in self._held
            )

    def pop(self, blind: bool, late: bool) -> HeldInput:
        """What :meth:`due` is of. Raises :exc:`IndexError` where there is nothing."""
        place = self._next(blind, late)
        held = self._held[place]
        del self._held[place]
        return held

    @property
    def waits(self) -> bool:
        """Whether there is a press that no look has followed."""
        return self.unseen_since is not None

    @property
    def unseen_since(self) -> int | None:
        """When the first press was made that no look has followed; None if there is none."""
        return next((held.ms for held in self._held if held.due is None), None)

    @property
    def first(self) -> int | None:
        """When the oldest was sampled: nothing later may be told before it."""
        return self._held[0].ms if self._held else None

    @property
    def awaited(self) -> tuple[int, Side] | None:
        """Of the oldest, if it is a press: when it was sampled, and whose it is."""
        held = self._held[0] if self._held else None
        return (held.ms, held.item.side) if held is not None and isinstance(held.item, Press) else None

    def peek(self, blind: bool, late: bool) -> AnyInput | None:
        """What :meth:`due` is of; None where there is nothing."""
        place = self._next(blind, late)
        return self._held[place].item if place < len(self._held) else None

    @property
    def late(self) -> int | None:
        """When the oldest press will have waited for long, or has; None if none waits."""
        return next((held.ms + PATIENCE_MS for held in self._held if isinstance(held.item, Press)), None)

    def due(self, blind: bool, late: bool) -> int | None:
        """When no edge can precede the next one any more, on a board at rest; None as long as that waits for a look.

        ``blind``: nobody sees the board, and no press is told. ``late``: nor does a command wait for one.
        """
        place = self._next(blind, late)
        return self._held[place].due if place < len(self._held) else None

    def _next(self, blind: bool, late: bool) -> int:
        """The place of the one to be told next: the oldest, or where that waits for long one that waits for nothing."""
        for place, held in enumerate(self._held):
            press = isinstance(held.item, Press)
            if not (press and (blind or held.due is None)):
                return place
            if not late:
                break
        return len(self._held)
