"""Article 6: two clocks of which one runs. Pure, in integer nanoseconds; time is whatever the caller says it is.

Sudden death, periods with move counters and carry-over, Fischer increment, delay, hourglass. The first increment is on
the clock for the first move; each press adds the increment of the move to come. A delay comes before the main time
(6.2b, 6.3.2); the Bronstein way shows it on the clock instead, with the same instant for the flag, as the Arbiters'
Manual has it. Main time saved goes on into the next period, but for a period with a delay before 2014 (6.2b); an unused
delay does not.

A clock that ran out stays at zero with its flag down while play goes on. The clocks still run, but nothing that this
player does brings him time any more, neither an increment nor the next period, as he did not meet the control. Only the
arbiter gives him time again. A press at the very instant of the fall is too late.

A time that the arbiter sets has that of all periods which the move counter has reached, and of no other: those come
when it reaches them, though their time was given before.
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from controller.contract import BLACK, WHITE, Side, other
from controller.laws.timecontrol import Period, TimeControl

SECOND = 1_000_000_000  #: ns


class _Half(Struct, frozen=True):
    """One player's side of the clock."""

    main: int  #: ns left, without the delay
    delay: int  #: ns of this move's delay not yet used
    needed: int | None  #: moves to reach before the next period; None in the last
    moves: int = 0  #: moves counted
    period: int = 0  #: the last period whose time was given
    fell: int | None = None  #: when the flag fell, ns


_Halves = Mapping[Side, _Half]
_NOT_GIVEN: _Halves = MappingProxyType({})


def _full(first: Period) -> _Half:
    return _Half((first.seconds + first.increment) * SECOND, first.delay * SECOND, first.moves)


class ChessClock(Struct, frozen=True):
    """A chess clock under ``control`` at one instant; each method returns another.

    Instants are ns since any fixed moment and never go back: an earlier one counts as the latest seen. Nothing here
    raises. Methods without an instant act at the latest one.
    """

    control: TimeControl
    running: Side | None = None  #: whose clock runs
    extra: int = 0  #: ns that each press adds on top of the control, as the arbiter introduced it (G.4, III.4)
    #: when the running clock will run out, in ns, if nobody touches it; None while none runs or its flag is down
    #: already. Kept, because it is asked at every input of a game and only a hand on the clock changes it.
    flag_due: int | None = None
    at: int = 0  #: the latest instant seen, to which the halves have run
    untold: tuple[tuple[Side, int], ...] = ()  #: the flags that fell and were not told, with the instant
    halves: _Halves = _NOT_GIVEN  #: both sides of the clock; full ones if not given

    def __post_init__(self) -> None:
        if not self.halves:
            full = _full(self.control.period(0))
            force_setattr(self, "halves", {WHITE: full, BLACK: full})

    # -- running -------------------------------------------------------------------------------------------------

    def start(self, ns: int, side: Side) -> "ChessClock":
        """Start the clock of ``side`` for a new move, with its whole delay, and stop the other."""
        clock = self._settled(ns)
        return clock._run(side, {**clock.halves, side: clock._for_a_move(clock.halves[side])})

    def advance(self, ns: int) -> "tuple[ChessClock, list[tuple[Side, int]]]":
        """Let time run to ``ns``; also returns the flags that fell and were not told before, with the instant, in
        order."""
        clock = self._settled(ns)
        if not clock.untold:
            return clock, []
        return replace(clock, untold=()), list(clock.untold)

    def press(self, ns: int, side: Side) -> "ChessClock":
        """Stop the clock of ``side`` and start the other for a new move, with its whole delay, even if some of that was
        used before the clock was given back. If the clock of ``side`` was not running, only time passes."""
        clock = self._settled(ns)
        if clock.running != side:
            return clock
        counted, started = clock._counted(clock.halves[side]), clock._for_a_move(clock.halves[other(side)])
        return clock._run(other(side), {side: counted, other(side): started})

    def stop(self, ns: int) -> "ChessClock":
        """Stop both clocks."""
        clock = self._settled(ns)
        return clock._run(None, clock.halves)

    def resume(self, ns: int, side: Side) -> "ChessClock":
        """Let the clock of ``side`` run on after a stop; the used part of a delay stays used."""
        clock = self._settled(ns)
        return clock._run(side, clock.halves)

    @property
    def earns(self) -> bool:
        """Whether some move earns time: then there is no quickplay finish."""
        return self.control.has_increment or self.extra > 0

    def in_last_period(self, side: Side) -> bool:
        """Whether ``side`` has to make all his remaining moves in the time that he has (10.1, G.1, III.1)."""
        return self.halves[side].needed is None

    # -- reading -------------------------------------------------------------------------------------------------

    def remaining(self, side: Side, ns: int | None = None) -> int:
        """What the clock of ``side`` shows, in ns, at ``ns``, but not before the latest instant seen; None: at that."""
        half = self.halves[side]
        main, delay = half.main, half.delay
        if ns is not None and (spent := ns - self.at) > 0:
            if self.running == side:
                waited = min(spent, delay)
                main, delay = max(main - (spent - waited), 0), delay - waited
            elif self.control.hourglass and self.running is not None and half.fell is None:
                main += min(spent, self.halves[self.running].main)
        return main + delay if delay and half.fell is None and self.control.bronstein else main

    def fell(self, side: Side) -> int | None:
        """When the flag of ``side`` fell, in ns; None while it is up."""
        return self.halves[side].fell

    @property
    def first_fallen(self) -> Side | None:
        """The player whose flag fell first, of those that are down; None if none is."""
        down = [(half.fell, side) for side, half in self.halves.items() if half.fell is not None]
        return min(down)[1] if down else None

    def moves(self, side: Side) -> int:
        """The move counter of ``side``."""
        return self.halves[side].moves

    # -- the arbiter's hand --------------------------------------------------------------------------------------

    def set(self, ns: int, white_ns: int | None = None, black_ns: int | None = None) -> "ChessClock":
        """Set the clocks to these times at ``ns``; None leaves one as it is. Time given lifts a fallen flag. What is
        set has the time of all periods that the move counter has reached, and of no other."""
        clock = self._settled(ns)
        halves = {**clock.halves}
        for side, shown in ((WHITE, white_ns), (BLACK, black_ns)):
            if shown is not None:
                halves[side] = clock._by_counter(clock._showing(side, shown))
        return clock._run(clock.running, halves)

    def add(self, ns: int, side: Side, more: int) -> "ChessClock":
        """Add ``more`` ns at ``ns``, or take them if negative, down to zero. Time given lifts a fallen flag: a period
        that its moves have reached meanwhile does not come any more."""
        clock = self._settled(ns)
        half, lifted = clock._showing(side, clock.remaining(side) + more), clock.halves[side].fell is not None
        return clock._run(clock.running, {**clock.halves, side: clock._by_counter(half) if lifted else half})

    def set_moves(self, side: Side, moves: int) -> "ChessClock":
        """Set the move counter of ``side``. The time of a period that was given is not given again."""
        return replace(self, halves={**self.halves, side: replace(self.halves[side], moves=max(moves, 0))})

    # ------------------------------------------------------------------------------------------------------------

    def _run(self, side: Side | None, halves: _Halves) -> "ChessClock":
        half = None if side is None else halves[side]
        due = None if half is None or half.fell is not None else self.at + half.delay + half.main
        return replace(self, running=side, flag_due=due, halves=halves)

    def _settled(self, ns: int) -> "ChessClock":
        ns = max(ns, self.at)
        if (side := self.running) is None:
            return replace(self, at=ns)
        half, idle, spent = self.halves[side], self.halves[other(side)], ns - self.at
        waited = min(spent, half.delay)
        used = min(spent - waited, half.main)
        due, untold, fell = self.flag_due, self.untold, half.fell
        if due is not None and due <= ns:
            fell, untold, due = due, (*untold, (side, due)), None
        half = replace(half, main=half.main - used, delay=half.delay - waited, fell=fell)
        if self.control.hourglass and idle.fell is None:
            idle = replace(idle, main=idle.main + used)
        return replace(self, flag_due=due, at=ns, untold=untold, halves={side: half, other(side): idle})

    def _for_a_move(self, half: _Half) -> _Half:
        delay = self.control.period(half.period).delay * SECOND
        return half if half.fell is not None or half.delay == delay else replace(half, delay=delay)

    def _counted(self, half: _Half) -> _Half:
        moves, main, index, needed = half.moves + 1, half.main, half.period, half.needed
        if half.fell is not None:
            return replace(half, moves=moves)
        while needed is not None and moves >= needed:
            saved = main if self.control.delay_carries_over or not self.control.period(index).delay else 0
            index, needed = self._next(index, needed)
            main = saved + self.control.period(index).seconds * SECOND
        period = self.control.period(index)
        main += period.increment * SECOND + self.extra
        return replace(half, main=main, delay=period.delay * SECOND, needed=needed, moves=moves, period=index)

    def _showing(self, side: Side, ns: int) -> _Half:
        half, ns = self.halves[side], max(ns, 0)
        fell = None if ns else half.fell
        if not self.control.bronstein:
            return replace(half, main=ns, fell=fell)
        delay = half.delay if self.running == side else self._for_a_move(replace(half, fell=fell)).delay
        delay = min(delay, ns)
        return replace(half, main=ns - delay, delay=delay, fell=fell)

    def _by_counter(self, half: _Half) -> _Half:
        """In the period in which the move counter is. None changes while the flag is down."""
        if half.fell is not None:
            return half
        index, needed = 0, self.control.period(0).moves
        while needed is not None and half.moves >= needed:
            index, needed = self._next(index, needed)
        return replace(half, period=index, needed=needed)

    def _next(self, index: int, needed: int) -> tuple[int, int | None]:
        """The period after ``index``, which ``needed`` moves end; and the moves that end the next one."""
        more = self.control.period(index + 1).moves
        return index + 1, needed + more if more else None
