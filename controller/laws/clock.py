"""Article 6: two clocks of which one runs. Pure, in integer nanoseconds; time is whatever the caller says it is.

Sudden death, periods with move counters and carry-over, Fischer increment, delay, hourglass. The first increment is on
the clock for the first move; each press adds the one of the move to come. A delay comes before the main time (6.2b,
6.3.2); the Bronstein way shows it on the clock instead, with the same instant for the flag, as the Arbiters' Manual has
it. Main time saved goes on into the next period, a delay not used does not.

A clock that ran out stays at zero with its flag down, while play goes on: neither is frozen, but nothing the player
does brings time any more, neither an increment nor the next period, as the control was not met. Only the arbiter gives
him time again. A press at the very instant of the fall is too late.
"""

from controller.contract import BLACK, WHITE, Side, other
from controller.laws.timecontrol import Period, TimeControl

SECOND = 1_000_000_000  #: ns


class _Half:
    """One player's side of the clock."""

    __slots__ = ("delay", "fell", "main", "moves", "needed", "period")

    def __init__(self, first: Period) -> None:
        self.main = (first.seconds + first.increment) * SECOND  #: ns left, the delay aside
        self.delay = first.delay * SECOND  #: ns of this move's delay not yet used
        self.moves = 0  #: moves counted
        self.period = 0  #: the last period whose time was given
        self.needed = first.moves  #: moves to reach before the next period; None in the last
        self.fell: int | None = None  #: when the flag fell, ns


class ChessClock:
    """A chess clock under ``control``.

    Instants are ns since any fixed moment and never go back: an earlier one counts as the latest seen. Nothing here
    raises. Methods without an instant act at the latest one.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bronstein = control.bronstein  #: shows what is left of the delay
        self.running: Side | None = None  #: whose clock runs
        self.extra = 0  #: ns that each press adds on top of the control, as the arbiter introduced it (G.4, III.4)
        #: when the running clock will run out, in ns, as long as nobody touches it; None while none runs or its flag is
        #: down already. Kept, because it is asked at every input of a game and only a hand on the clock changes it.
        self.flag_due: int | None = None
        self._at = 0
        self._halves: dict[Side, _Half] = {side: _Half(control.period(0)) for side in (WHITE, BLACK)}
        self._fallen: list[tuple[Side, int]] = []  #: not yet told

    # -- running -------------------------------------------------------------------------------------------------

    def start(self, ns: int, side: Side) -> None:
        """Start the clock of ``side`` for a new move, its delay whole, and stop the other."""
        self._settle(ns)
        self._halves[side].delay = self._period_of(side).delay * SECOND
        self._run(side)

    def advance(self, ns: int) -> list[tuple[Side, int]]:
        """Let time run to ``ns``: the flags that fell and were not told before, with the instant, in order."""
        self._settle(ns)
        fallen, self._fallen = self._fallen, []
        return fallen

    def press(self, ns: int, side: Side) -> bool:
        """Stop the clock of ``side`` and start the other; False, and nothing changes, if it was not running."""
        self._settle(ns)
        if self.running != side:
            return False
        half = self._halves[side]
        half.moves += 1
        if half.fell is None:
            while half.needed is not None and half.moves >= half.needed:
                half.period += 1
                period = self._period_of(side)
                half.main += period.seconds * SECOND
                half.needed = half.needed + period.moves if period.moves else None
            period = self._period_of(side)
            half.main += period.increment * SECOND + self.extra
            half.delay = period.delay * SECOND
        self._run(other(side))
        return True

    def stop(self, ns: int) -> None:
        """Stop both clocks."""
        self._settle(ns)
        self._run(None)

    def resume(self, ns: int, side: Side) -> None:
        """Run the clock of ``side`` on after a stop; what was used of a delay stays used."""
        self._settle(ns)
        self._run(side)

    @property
    def earns(self) -> bool:
        """Whether some move earns time: then there is no quickplay finish."""
        return self.control.has_increment or self.extra > 0

    def in_last_period(self, side: Side) -> bool:
        """Whether all the moves that ``side`` has left are to be made in the time that he has (10.1, G.1, III.1)."""
        return self._halves[side].needed is None

    # -- reading -------------------------------------------------------------------------------------------------

    def remaining(self, side: Side, ns: int | None = None) -> int:
        """What the clock of ``side`` shows, in ns: at ``ns``, not before the latest instant seen; None: at that."""
        half = self._halves[side]
        main, delay = half.main, half.delay
        if ns is not None and (spent := ns - self._at) > 0:
            if self.running == side:
                waited = min(spent, delay)
                main, delay = max(main - (spent - waited), 0), delay - waited
            elif self.control.hourglass and self.running is not None and half.fell is None:
                main += min(spent, self._halves[self.running].main)
        return main + delay if self.bronstein and half.fell is None else main

    def fell(self, side: Side) -> int | None:
        """When the flag of ``side`` fell, in ns; None while it is up."""
        return self._halves[side].fell

    @property
    def first_fallen(self) -> Side | None:
        """Whose flag fell first of those that are down."""
        down = [(half.fell, side) for side, half in self._halves.items() if half.fell is not None]
        return min(down)[1] if down else None

    def moves(self, side: Side) -> int:
        """The move counter of ``side``."""
        return self._halves[side].moves

    # -- the arbiter's hand --------------------------------------------------------------------------------------

    def set(self, ns: int, white_ns: int | None = None, black_ns: int | None = None) -> None:
        """Make the clocks show these times from ``ns`` on; None leaves one as it is. Time given lifts a fallen flag."""
        self._settle(ns)
        for side, shown in ((WHITE, white_ns), (BLACK, black_ns)):
            if shown is not None:
                self._show(side, shown)

    def add(self, ns: int, side: Side, more: int) -> None:
        """Add ``more`` ns at ``ns``, or take them where negative, down to nothing. Time given lifts a fallen flag."""
        self._settle(ns)
        self._show(side, self.remaining(side) + more)

    def set_moves(self, side: Side, moves: int) -> None:
        """Set the move counter. A period whose time was given is not given again."""
        self._halves[side].moves = max(moves, 0)

    # ------------------------------------------------------------------------------------------------------------

    def _run(self, side: Side | None) -> None:
        self.running = side
        half = None if side is None else self._halves[side]
        self.flag_due = None if half is None or half.fell is not None else self._at + half.delay + half.main

    def _settle(self, ns: int) -> None:
        ns = max(ns, self._at)
        if (side := self.running) is not None:
            half, spent = self._halves[side], ns - self._at
            waited = min(spent, half.delay)
            used = min(spent - waited, half.main)
            half.delay -= waited
            half.main -= used
            if self.control.hourglass and (idle := self._halves[other(side)]).fell is None:
                idle.main += used
            if (due := self.flag_due) is not None and due <= ns:
                half.fell, self.flag_due = due, None
                self._fallen.append((side, due))
        self._at = ns

    def _period_of(self, side: Side) -> Period:
        return self.control.period(self._halves[side].period)

    def _show(self, side: Side, ns: int) -> None:
        half = self._halves[side]
        ns = max(ns, 0)
        if self.bronstein:
            half.delay = min(half.delay, ns)
            half.main = ns - half.delay
        else:
            half.main = ns
        if ns:
            half.fell = None
        self._run(self.running)
