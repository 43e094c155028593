"""One way in which it may have been: a state of the Laws, what it cost to believe so far, and the steps that led there.

It is dear to believe that somebody breaks a rule, that pieces stand where the game has none, or that the clock was
pressed without a move.
"""

from functools import cached_property

import chess
from chess import BB_SQUARES
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.belief.ended import Handling, going_on
from controller.belief.held import price_of_press
from controller.belief.pricing import (
    guessed,
    loose,
    price,
    price_of_gone,
    price_of_move,
    price_of_order,
    price_of_return,
)
from controller.belief.reporter import ROOT, Story, begun_at, told_in
from controller.laws import step
from controller.laws.board import CENTRE, plain_result_sign
from controller.laws.sensors import believe, believe_line, disbelieve, silent_line
from controller.laws.state import State
from controller.laws.stock import say_stock
from controller.position import EMPTY, Position, squares
from controller.sensing import costs
from controller.sensing.difference import HELD
from controller.sensing.trace import left_with

PAST = 48
"""Steps that each world keeps, to be lived through again."""

DOUBTED = frozenset((c.Violation, c.Illegal, c.Displaced))
"""Facts that say that somebody breaks a rule, or that the board does not match the game."""

OF_LATE = 1
"""Accusations older than this many moves do not keep two worlds apart: where these agree since, nothing will tell which
is true."""

LOOSE = 0.75
"""Where what the board shows costs more than this, in nats, without an explanation, other worlds are looked for."""

RUSH, RUSH_SLOWLY = 12, 6
"""After so many edges other worlds are looked for though play does not pause; the second of a board that is scanned
slowly, which shows fewer edges."""

SAID = (c.Time, c.Reading, c.Draw, c.Adjust, c.Choose)
"""Inputs that tell nothing about what was played."""


class Lived(Struct, frozen=True):
    """A step of a world, and how that world stood before it."""

    item: step.Item
    since: c.Ms | None
    before: State
    cost: float
    story: Story


class World(Struct, frozen=True, dict=True):  # a dict, for the cached property
    """One way in which it may have been."""

    state: State
    cost: float = 0.0  #: of what had to be believed so far, in nats
    past: tuple[Lived, ...] = ()
    story: Story = ROOT
    searched: int = 0  #: how many edges there were when other worlds were last looked for
    doubted: bool = False  #: the latest step told one of :data:`DOUBTED`, or a press came oddly
    lacking: int = 0  #: in a match: pieces that were dropped on the partner's board, and that never came from here
    stands: int | None = None  #: the squares, a bitboard, on which something stands since the game ended; None: as then

    @cached_property
    def dear(self) -> float:
        """Its cost, with that of what the board shows now and nothing explains yet."""
        return self.cost + costs.ILLEGAL * self.lacking + loose(self.state, self.state.now)

    def deadline(self, since: c.Ms | None) -> c.Ms | None:
        """When something falls due in it without further input, in ms; None if nothing does."""
        s, due = self.state, step.deadline(self.state, since)
        last = s.trace.last
        if not s.mismatch or last is None or (due is not None and due <= last.ms + s.release_ms):
            return due  # that is before other worlds may be looked for
        unexplained = self.unexplained_at
        if unexplained is None or (since is not None and unexplained >= since):
            return due
        return unexplained if due is None else min(due, unexplained)

    @property
    def unexplained_at(self) -> c.Ms | None:
        """When what the board shows will have stood unexplained for as long as a release takes, so that other worlds
        are to be looked for; None where that was done, or all is explained."""
        s = self.state
        mismatch, last = s.mismatch, s.trace.last
        assert last is not None
        if (
            not mismatch & (mismatch - 1)
            and s.turn.difference.kind is HELD
            and last.square == mismatch.bit_length() - 1
        ):
            return None  # a piece in hand
        at = last.ms + s.release_ms
        if len(s.trace) == self.searched or not questionable(s) or loose(s, at, apart=s.unexplained_pieces) <= LOOSE:
            return None
        return at

    @property
    def in_haste(self) -> bool:
        """Whether other worlds are to be looked for though play does not pause: many edges have come since the turn
        began, or since the last search, and what the board shows is unexplained."""
        s = self.state
        before = len(s.trace) - (RUSH_SLOWLY if s.pace.slow else RUSH)
        if before < s.turn.start or before < self.searched:
            return False
        return questionable(s) and loose(s, s.now, apart=s.unexplained_pieces) > LOOSE

    @property
    def just_accused(self) -> bool:
        """Whether somebody was accused so recently that the next edge may show that he was not to blame: within the
        time that a board takes to look and to report; where scans are sent, for which presses wait, within the time
        that a hand takes to let go."""
        if not self.story.accused:
            return False
        s = self.state
        since = s.now - (max(s.brush_ms, s.pace.apart_at_most) if s.pace.by_scans else costs.LOOKS_MS)
        for lived in reversed(self.past):
            if lived.story.accused < self.story.accused:
                return lived.item.ms >= since
            if lived.item.ms < since:
                return False
        return False

    @property
    def pressed_unseen(self) -> c.Ms | None:
        """When somebody pressed the clock and is accused for it, while the next scan may still excuse him: on a board
        that sends only the scans that show a change, the scan that showed his piece set down may have been lost.

        None if the board matched the game when he pressed, as two scans must be lost then, unless the board is slow or
        is known to lose scans. None, too, after the next scan, after an input that is not one of :data:`SAID`, and once
        a flag is down.
        """
        s = self.state
        if not s.pace.by_scans or s.pace.close_together or s.pace.whole or not self._accuses:
            return None
        if s.clock is None or s.clock.first_fallen is not None:
            return None
        accused = self.story.accused
        for lived in reversed(self.past):
            if type(lived.item) is c.Press and lived.before.trace is s.trace:
                is_open = lived.before.mismatch != 0 or s.pace.loses or s.pace.slow
                return lived.item.ms if accused > lived.story.accused and is_open else None
            if not isinstance(lived.item, SAID):
                return None
        return None

    @property
    def _first_pressed_in_sight(self) -> bool:
        """Whether nobody has pressed since the last gap began: who presses now with a piece off the board may have
        captured unseen, and in a gap that was so short he has hardly done more."""
        for lived in reversed(self.past):
            if type(lived.item) is c.Press:
                return False
            if type(lived.item) is c.Unseen:
                return True
        return False

    @property
    def accused_of_late(self) -> int:
        """How often somebody was accused within the last :data:`OF_LATE` moves: later play may still tell whether that
        is right."""
        since = len(self.state.made) - OF_LATE
        told = next((lived.story for lived in self.past if len(lived.before.made) >= since), self.story)
        return self.story.accused - told.accused

    @property
    def _accuses(self) -> bool:
        """Whether one of the kept steps accuses somebody: they may still be lived through again."""
        return self.story.accused > 0 and len(self.past) > 0 and self.story.accused > self.past[0].story.accused

    def falling_due(self, ms: c.Ms, since: c.Ms | None) -> "World":
        """The world at ``ms``, when something falls due in this or another world."""
        now = step.by(self.state, ms)
        return self._stepped(now, step.fall_due(now, since), c.Time(ms=ms), since)

    def taking(self, item: step.Item, since: c.Ms | None) -> "World":
        """The world after an item, time having run to it."""
        if self.state.result is not None and isinstance(item, Handling):
            stands, cost = going_on(self.state, self.stands, item)
            return replace(self, cost=self.cost + cost, stands=stands)
        now = step.by(self.state, item.ms)
        return self._gone_on(now, now, item, since)

    def living(self, lived: "Lived") -> "World":
        """The world after the item of a past step is taken again; time runs to it first."""
        if self.state.result is not None and isinstance(lived.item, Handling):
            return self.taking(lived.item, lived.since)
        now = step.run_up_to(self.state, lived.item, lived.since)
        return without_a_line(self._gone_on(self.state, now, lived.item, lived.since))

    def _gone_on(self, led: State, now: State, item: step.Item, since: c.Ms | None) -> "World":
        """The world after an item: time alone has led to ``led``, and what fell due until the item to ``now``."""
        mended, cost = _mended(now, item) if now.faulty else (now, 0.0)
        further = self._stepped(led, step.taken(mended, item), item, since)
        return further._dearer(cost) if cost else further

    def _stepped(self, now: State, s: State, item: step.Item, since: c.Ms | None) -> "World":
        """The world after one step to ``s``; time alone has led to ``now``. A step that changes only the time is not
        kept."""
        before = self.state
        if s is now or (s.trace is before.trace and s.turn is before.turn and replace(s, now=before.now) == before):
            return World(s, self.cost, self.past, self.story, self.searched, lacking=self.lacking, stands=self.stands)
        further = self.becoming(s, Lived(item, since, before, self.cost, self.story))
        if type(item) is c.Press and (held := price_of_press(s, item.side)) is not None:
            cost, at_once = held
            at_once = at_once or (s.unsure and self._first_pressed_in_sight)
            return replace(further._dearer(cost), doubted=further.doubted or at_once)
        if type(item) is step.Settled and self._accuses:
            late = _shows_late(now, s)  # then a look may have been lost
            doubted = late or self.pressed_unseen is not None
            further = replace(further._dearer(costs.AT_ONCE * late), doubted=further.doubted or doubted)
        if now.mismatch & ~s.mismatch and len(s.made) == len(now.made) and (returned := price_of_return(now, s)):
            further = further._dearer(returned)
        return further._dearer(price_of_gone(now, s)) if now.unexplained_pieces else further

    def _dearer(self, cost: float) -> "World":
        return replace(self, cost=self.cost + cost)

    def becoming(self, s: State, lived: Lived | None = None) -> "World":
        """The world with another state, whose facts join the story and are paid for."""
        past = self.past if lived is None else (*self.past[-PAST:], lived)
        facts, cost = s.facts, self.cost
        if s.board is not None:
            s = say_stock(s)
            facts = s.facts
        if not facts:
            return World(s, cost, past, self.story, self.searched, lacking=self.lacking, stands=self.stands)
        doubted = not DOUBTED.isdisjoint(map(type, facts))
        cost += price(self.state, facts) if doubted else 0.0
        made = self.state.made
        if s.made is not made and len(s.made) > len(made):
            cost += price_of_move(self.state, s)
        elif s.made is not made and made and len(s.made) == len(made) and s.made[-1].move != made[-1].move:
            cost += price_of_order(s)
        if c.Retract in map(type, facts):
            cost += costs.UNDERPROMOTED * (guessed(s.made) - guessed(made))
        story = told_in(self.story, facts)
        return World(replace(s, facts=()), cost, past, story, self.searched, doubted, self.lacking, self.stands)

    def beside(self, partner: State | None) -> "World":
        """The world, shown the state of the other board of a match, or none."""
        return replace(self, state=replace(self.state, partner=partner))

    def shortened(self) -> "World":
        """The world with its story cut to what was told since the oldest kept step."""
        nodes = begun_at(self.story, self.past[0].story.length if self.past else self.story.length)
        past = tuple([replace(lived, story=nodes[lived.story.length]) for lived in self.past])
        return replace(self, past=past, story=nodes[self.story.length])

    def marked(self) -> "World":
        """The world, marked as one for which other worlds have been looked for by now."""
        return replace(self, searched=len(self.state.trace))


def _shows_late(now: State, s: State) -> bool:
    """Whether the look that led from ``now`` to ``s`` shows a piece set down together with others gone, and none of
    these may have come there: the piece may have stood there for long, unseen."""
    for number in range(len(now.trace), len(s.trace)):
        left, came = left_with(s.trace, number), s.trace[number].square
        if left and not any(_goes(now.position, square, came) for square in left):
            return True
    return False


def _goes(position: Position, origin: chess.Square, to: chess.Square) -> bool:
    """Whether the piece on ``origin`` attacks ``to``, or goes there by a legal move, castling included."""
    reached = position.board.attacks_mask(origin) | position.changed(*position.moves_from(origin))
    return bool(BB_SQUARES[to] & reached)


def without_a_line(world: World) -> World:
    """The world in which a rank or a file is disbelieved, if it shows none of the pieces that stand on it. If one of
    its sensors is supposed not to work already, the line costs nothing more."""
    s = world.state
    if not (s.faulty or s.mismatch & (s.mismatch - 1)) or not (line := silent_line(s)):
        return world  # nearly always: at most one square shows something else than the game has there
    cost = 0.0 if s.supposed() & line else costs.LINE
    for square in squares(line & ~s.faulty):
        s = disbelieve(s, square, supposed=True)
    return world.becoming(s)._dearer(cost)


def _mended(s: State, item: step.Item) -> tuple[State, float]:
    """The state in which the sensors that this item shows to work, though they were supposed not to, are believed
    again; and what that costs: less where all of them stuck closed, and open at last where the game has no piece."""
    supposed, cost = s.supposed(), 0.0
    if supposed and isinstance(item, c.Lift | c.Place | step.Settled):
        for square, seen, *_ in step.edges_of(s, item):
            if supposed & BB_SQUARES[square] and seen != s.shown(square):
                lets_go = seen == EMPTY and s.position.symbol(square) == EMPTY
                s = (s.disregarding(square, seen) or s) if lets_go else s
                s = believe(believe_line(s, square), square)
                cost = max(cost, costs.LETS_GO if lets_go else costs.MENDED)
    return s, cost


def questionable(s: State) -> bool:
    """Whether other worlds may be looked for: not once the game is over, nor while the clocks stand still, as touches
    bind nobody then, nor while kings show the result."""
    return s.result is None and not s.stopped and not (s.mismatch & CENTRE and plain_result_sign(s))


def costs_the_same(before: World, after: World) -> bool:
    """Whether nothing has changed but the time, and that costs nothing."""
    return after.past is before.past and after.dear == before.dear


def troubled(before: World, after: World) -> bool:
    """Whether a step led to something dear, so that other worlds are looked for: somebody is accused, or what the board
    shows has stood unexplained for as long as a release takes."""
    s = after.state
    made = s.made is not before.state.made and len(s.made) > len(before.state.made)
    if made and _taken_in_sight(s):
        return questionable(s)
    if s.trace is not before.state.trace and after.just_accused:
        return questionable(s)
    if not (s.mismatch or s.unexplained_pieces or after.doubted):
        return False
    if made and s.unexplained_pieces:
        return questionable(s)  # an unexplained piece may have been part of a move, too
    if not after.doubted:
        last = s.trace.last
        if not s.mismatch or last is None:
            return False
        if last.ms + s.release_ms > s.now:
            return after.in_haste
    if not (questionable(s) or questionable(before.state)):
        return False
    return after.doubted or after.unexplained_at is not None


def _taken_in_sight(s: State) -> bool:
    """Whether the last move was a capture that may have been none: its victim was seen to leave, and a piece to come to
    its square, but that may be the victim itself, touched and put back. So it may be on a slow board, which does not
    see most captures, or where the victim was off its square for no longer than a brush."""
    made = s.made[-1]
    if made.hidden or s.senses != "occupancy" or made.before.captured(made.move) is None:
        return False
    return s.pace.slow or made.victim_brushed
