"""One way in which it may have been: a state of the Laws, what it cost to believe so far, and the steps that led there.

What is dear: somebody breaks a rule, pieces stand where the game has none, the clock is pressed without a move.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp, inf

import chess
from chess import BB_SQUARES
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.laws import step
from controller.laws.record import Made
from controller.laws.sensors import believe
from controller.laws.state import State, colour
from controller.laws.stock import say_stock
from controller.position import EMPTY, squares
from controller.reporter import ROOT, Story, begun_at, told_in
from controller.sensing import costs
from controller.sensing.leftover import pushed_to
from controller.sensing.stand import HELD, LEGAL, Kind

PAST = 48
"""Steps that are kept of each, to be lived through again."""

DOUBTED = frozenset((c.Violation, c.Illegal, c.Displaced))
"""Facts that say that somebody does wrong, or that the board is not as it should be."""

LOOSE = 0.75
"""What is worth looking for others, in nats."""

LONGER = 5
"""So many releases later a piece off the board is dearer again."""

ODDLY_LATER = 2
"""So many releases later a piece is off the board oddly that the one in hand cannot take, where there is a clock: until
then it is about to be taken against the rules, perhaps."""

HELD_OVER = 6
"""So many moves are counted that are made while a piece is off the board."""

LEARNT = 3
"""So many captures count as much as what is thought of a board at first."""

RUSH = 6
"""Edges after which others are looked for though play does not pause."""

PLAY = (c.Press, c.Lift, c.Place, step.Settled)
"""What players do on a board."""


class Lived(Struct, frozen=True):
    """A step, and the world before it."""

    item: step.Item
    since: c.Ms | None
    before: State
    cost: float
    story: Story


class World(Struct, frozen=True, dict=True):  # a dict, for what is worked out once
    """One way in which it may have been."""

    state: State
    cost: float = 0.0  #: of what had to be believed so far, in nats
    past: tuple[Lived, ...] = ()
    story: Story = ROOT
    searched: int = 0  #: how many edges there were when others were last looked for
    doubted: bool = False  #: the step that led to it told one of :data:`DOUBTED`
    lacking: int = 0  #: of a match: pieces that the partner's players have dropped, and that never came from here

    @cached_property
    def dear(self) -> float:
        """What it costs, with what is still in the air; a search may be behind it."""
        return self.cost + costs.ILLEGAL * self.lacking + loose(self.state, self.state.now)

    def deadline(self, since: c.Ms | None) -> c.Ms | None:
        """When something falls due in it without further input, in ms; None if nothing does."""
        s, due = self.state, step.deadline(self.state, since)
        last = s.trace.last
        if not s.off or last is None or (due is not None and due <= last.ms + s.settings.release_ms):
            return due  # before what is unexplained may be
        unexplained = self.unexplained_at
        if unexplained is None or (since is not None and unexplained >= since):
            return due
        return unexplained if due is None else min(due, unexplained)

    @property
    def dearer_at(self) -> c.Ms | None:
        """When it is dearer next though nothing happens: what was set down where the game has nothing will have stood
        there for longer than a moment, or a piece will have been off the board for longer. None where it will not."""
        s, dues = self.state, list[c.Ms]()
        for square in squares(s.off):
            since = _last_edge(s, square)
            if since >= 0 and s.looks[square] != EMPTY:
                dues.append(_stands_from(s, since))
            elif since >= 0:
                began = s.trace[since].ms
                dues.append(began + ODDLY_LATER * s.settings.release_ms + 1)
                dues.append(began + (_times_longer(s, s.now - began) + 1) * LONGER * s.settings.release_ms)
        return min([due for due in dues if due > s.now], default=None)

    @property
    def unexplained_at(self) -> c.Ms | None:
        """When what the board shows will have stood unexplained for as long as a release takes, and others are to be
        looked for; None where they were, or all is explained."""
        s = self.state
        off, last = s.off, s.trace.last
        if not off or last is None:
            return None
        if not off & (off - 1) and s.turn.stand.kind is HELD and last.square == off.bit_length() - 1:
            return None  # a piece in hand
        at = last.ms + s.settings.release_ms
        if len(s.trace) == self.searched or not questionable(s) or loose(s, at, apart=s.unexplained_pieces) <= LOOSE:
            return None
        return at

    @property
    def in_haste(self) -> bool:
        """Whether the board has hidden something while play went on without a pause: it is scanned slowly, and so much
        has happened since a turn began, or others were looked for."""
        s = self.state
        if not s.scanned or len(s.trace) - max(s.turn.start, self.searched) < RUSH:
            return False
        return questionable(s) and loose(s, s.now, apart=s.unexplained_pieces) > LOOSE

    @property
    def just_accused(self) -> bool:
        """Whether somebody was accused no longer ago than a contact takes to settle, or a hand to let go: what is seen
        next may show that he was not to blame."""
        since = self.state.now - self.state.settings.brush_ms
        for lived in reversed(self.past):
            if lived.story.accused < self.story.accused:
                return lived.item.ms >= since
            if lived.item.ms < since:
                return False
        return False

    def falling_due(self, ms: c.Ms, since: c.Ms | None) -> "World":
        """The world once it is ``ms``, when something falls due in it, or in another."""
        now = step.by(self.state, ms)
        return self._stepped(now, step.fall_due(now, since), c.Time(ms=ms), since)

    def taking(self, item: step.Item, since: c.Ms | None) -> "World":
        """The world after an item, time having run to it."""
        if self.state.result is not None and isinstance(item, PLAY):
            return replace(self, cost=self.cost + costs.GONE_ON)
        now = step.by(self.state, item.ms)
        return self._gone_on(now, now, item, since)

    def living(self, lived: "Lived") -> "World":
        """The world after an item to which time has not run yet."""
        now = step.run_up_to(self.state, lived.item, lived.since)
        return self._gone_on(self.state, now, lived.item, lived.since)

    def _gone_on(self, led: State, now: State, item: step.Item, since: c.Ms | None) -> "World":
        """The world after an item that comes ``now``, time alone having led to ``led``."""
        mended = _mended(now, item) if now.faulty else now
        further = self._stepped(led, step.taken(mended, item), item, since)
        return further if mended is now else further._dearer(costs.MENDED)

    def _stepped(self, now: State, s: State, item: step.Item, since: c.Ms | None) -> "World":
        """The world after one step to ``s``, time alone having led to ``now``. What changes nothing but the time is
        not kept."""
        before = self.state
        if s is now or (s.trace is before.trace and s.turn is before.turn and replace(s, now=before.now) == before):
            return World(s, self.cost, self.past, self.story, self.searched, lacking=self.lacking)
        further = self.becoming(s, Lived(item, since, before, self.cost, self.story))
        if type(item) is c.Press and (s.off or s.facts) and (held := _held(s, item.side)):
            return further._dearer(costs.HOLDING * held)
        if now.unexplained_pieces and len(s.made) == len(now.made):
            # Whence it came nobody knows, though it goes.
            gone = now.unexplained_pieces & ~(s.unexplained_pieces | s.off | _pushed_to(s))
            return further._dearer(rates_of(s).wrong * gone.bit_count()) if gone else further
        return further

    def _dearer(self, cost: float) -> "World":
        return replace(self, cost=self.cost + cost)

    def becoming(self, s: State, lived: Lived | None = None) -> "World":
        """With another state, whose facts are told in this world."""
        past = self.past if lived is None else (*self.past[-PAST:], lived)
        facts, cost = s.facts, self.cost
        if s.board is not None:
            s = say_stock(s)
            facts = s.facts
        if not facts:
            return World(s, cost, past, self.story, self.searched, lacking=self.lacking)
        doubted = not DOUBTED.isdisjoint(map(type, facts))
        cost += price(self.state, facts) if doubted else 0.0
        if len(s.made) > len(self.state.made):
            if any(each.illegal for each in s.made[-3:-1]):  # seldom
                cost += _left_the_game(s.made)
            if len(s.made) > 1 and s.made[-1].ms - s.made[-2].ms <= s.settings.release_ms and _at_once(s):  # seldom
                cost += costs.AT_ONCE
            if _by_a_sleeve(s):
                cost += costs.SLEEVE
            if self.state.unexplained_pieces:
                # What nobody saw change is explained by this move, which does not make that likelier.
                explained = self.state.unexplained_pieces & s.made[-1].changed
                cost += explained.bit_count() * (costs.BEFORE + costs.FOR_LONG)
        return World(replace(s, facts=()), cost, past, told_in(self.story, facts), self.searched, doubted, self.lacking)

    def beside(self, partner: State | None) -> "World":
        """With the other board of a match as it stands now, or without."""
        return replace(self, state=replace(self.state, partner=partner))

    def shortened(self) -> "World":
        """With no more of its story than of its steps."""
        nodes = begun_at(self.story, self.past[0].story.length if self.past else self.story.length)
        past = tuple([replace(lived, story=nodes[lived.story.length]) for lived in self.past])
        return replace(self, past=past, story=nodes[self.story.length])

    def marked(self) -> "World":
        """With others looked for now."""
        return replace(self, searched=len(self.state.trace))


def _mended(s: State, item: step.Item) -> State:
    """How things stand before an item that shows that a sensor works which was supposed not to: it does."""
    supposed = s.supposed()
    if supposed and isinstance(item, c.Lift | c.Place | step.Settled):
        for square, seen, *_ in step.edges_of(s, item):
            if supposed & BB_SQUARES[square] and seen != s.shown(square):
                s = believe(s, square)
    return s


def questionable(s: State) -> bool:
    """Whether others may be looked for: not once the game is over, nor while the clocks stand still, as touches bind
    nobody then."""
    return s.result is None and not s.stopped


def troubled(before: World, after: World) -> bool:
    """Whether a step led to what is dear to believe, so that others are looked for: somebody is accused, or what the
    board shows has stood unexplained for as long as a release takes."""
    s = after.state
    made = len(s.made) > len(before.state.made)
    if made and _taken_in_sight(s):
        return questionable(s)
    if s.trace is not before.state.trace and after.just_accused:
        return questionable(s)
    if not (s.off or s.unexplained_pieces or after.doubted):
        return False  # as often as not
    if made and s.unexplained_pieces:
        return questionable(s)  # what stood there at first may have been played, too
    if not after.doubted:
        last = s.trace.last
        if not s.off or last is None:
            return False  # as nearly always otherwise
        if last.ms + s.settings.release_ms > s.now:
            return after.in_haste
    if not (questionable(s) or questionable(before.state)):
        return False
    return after.doubted or after.unexplained_at is not None


def _taken_in_sight(s: State) -> bool:
    """Whether the last move took a piece that was seen to leave its square and another to come, and both may have been
    the same, touched and put back: on a board where most is exchanged unseen, or where he was no more than brushed."""
    made = s.made[-1]
    if made.hidden or s.senses != "occupancy" or made.before.captured(made.move) is None:
        return False
    return s.scanned or any(touch.brief for touch in made.touches)


_OF_VIOLATION = {
    "out-of-turn": costs.OUT_OF_TURN,
    "adjust-out-of-turn": costs.ANNOUNCED,
    "clock-misuse": costs.NO_MOVE,
}
"""What dearer violations cost."""


def price(before: State, facts: Sequence[c.AnyEvent]) -> float:
    """What it costs to believe these facts, which follow from a state; what was released astray is paid for only
    once."""
    cost = 0.0
    for fact in facts:
        if type(fact) is c.Violation and fact.basis != "reported":
            supposed = fact.kind == "out-of-turn" and fact.basis == "inferred"
            cost += costs.TWO_IN_A_ROW if supposed else _OF_VIOLATION.get(fact.kind, costs.BREACH)
        elif type(fact) is c.Illegal and fact.basis != "reported":
            if fact.kind == "no-move":
                cost += costs.NO_MOVE
            elif not (fact.completed and before.turn.astray):
                unfinished, dropped = fact.kind.startswith("unfinished"), before.turn.stand.part == "drop"
                cost += costs.UNFINISHED if unfinished else costs.NOT_YET if dropped else costs.ILLEGAL
                cost += rates_of(before).wrong * _set_down_by_nobody(before)
    return cost


def _pushed_to(s: State) -> int:
    """Where the piece that was taken last may stand for a moment, as a bitboard."""
    last = s.last()
    return 0 if last is None or last.hidden or last.completed_by_press else pushed_to(last.before, last.move)


def _stands_from(s: State, number: int) -> c.Ms:
    """From when on what was set down with that edge stands there for longer than a moment: not while the player is busy
    setting down what may explain it."""
    ms, last = s.trace[number].ms, s.trace[len(s.trace) - 1].ms
    busy = number >= s.turn.start and last < ms + s.settings.release_ms
    return (last if busy else ms) + s.settings.release_ms


def _held(s: State, side: c.Side) -> int:
    """How many pieces that player, who has just pressed the clock, has in his hand still."""
    for fact in s.facts:
        if type(fact) is c.Illegal and fact.kind != "no-move":
            last = s.made[-1] if s.made and fact.kind == "illegal-move" and s.position.drop_board is None else None
            return 0 if last is None or not last.illegal else _gone_with(last)
    off = s.off & ~(s.unexplained_pieces | s.faulty)
    away, came = s.empty(off & s.position.board.occupied_co[colour(side)]), off & ~s.empty(off)
    return max(0, away.bit_count() - came.bit_count())


def _gone_with(made: Made) -> int:
    """How many pieces left the board with an illegal move though it takes nobody there: of the player's own any, of the
    opponent's all but one that stood where a piece was set down, or that a pawn may have taken in passing. In a match
    his own alone: who was dropped may have been misread."""
    before, after, own = made.before.board, made.after.board, made.before.board.turn
    gone = [before.occupied_co[side] & ~after.occupied_co[side] for side in (own, not own)]
    came = after.occupied_co[own] & ~before.occupied_co[own]
    pawns = came & after.pawns
    taken = gone[1] & (came | chess.shift_up(pawns) | chess.shift_down(pawns))
    untaken = gone[1].bit_count() - (taken != 0) if made.before.drop_board is None else 0
    return max(0, gone[0].bit_count() - came.bit_count()) + untaken


def _left_the_game(made: Sequence[Made]) -> float:
    """What it costs that play goes on without pieces that left their squares in an illegal move, and that nobody took:
    whoever presses with one in his hand sets it down somewhere before he moves again."""
    cost = 0.0
    for back, each in ((2, costs.FOR_LONG), (3, costs.HOLDING)):
        if len(made) >= back and (late := made[-back]).illegal:
            cost += each * _gone_with(late)
    return cost


def _at_once(s: State) -> bool:
    """Whether the last two moves were seen to land sooner after one another than another hand could."""
    if rates_of(s).held == inf or any(made.hidden or not made.move for made in s.made[-2:]):
        return False
    earlier, later = [_landed(s, made) for made in s.made[-2:]]
    return earlier is not None and later is not None and 0 <= later - earlier < costs.AT_ONCE_MS


def _by_a_sleeve(s: State) -> bool:
    """Whether who was taken last was off his square for no longer than a brush, and another, who stands again, at the
    same time: a sleeve has moved both, more likely than a hand one of them."""
    made = s.made[-1]
    if made.hidden or not any(touch.brief for touch in made.touches):
        return False
    victim, brush_ms = made.before.captured(made.move), s.settings.brush_ms
    brushed = list(_brushed(s, brush_ms))
    taken = [(up, down) for square, up, down in brushed if square == victim]
    return bool(taken) and any(
        square != victim and up <= taken[-1][1] and taken[-1][0] <= down for square, up, down in brushed
    )


def _brushed(s: State, brush_ms: c.Ms) -> Iterator[tuple[chess.Square, c.Ms, c.Ms]]:
    """Squares that opened lately for no longer than a brush, each with when it opened and when it closed."""
    opened: dict[chess.Square, c.Ms] = {}
    for edge in s.trace[-PAST:]:
        if edge.seen == EMPTY:
            opened[edge.square] = edge.ms
        elif edge.ms - (up := opened.pop(edge.square, -brush_ms)) < brush_ms:
            yield edge.square, up, edge.ms


def _landed(s: State, made: Made) -> c.Ms | None:
    """When the piece of a move was seen to be set down last; None where that is long ago."""
    square = made.before.carried(made.move)[0][1]
    return next((edge.ms for edge in reversed(s.trace[-PAST:]) if edge.square == square and edge.seen != EMPTY), None)


def loose(s: State, ms: c.Ms, apart: int = 0) -> float:
    """What it costs that the board shows what the game does not explain by ``ms``, ``apart`` from these squares."""
    # What the other player is known to have done is explained, and what was said to be set down against the rules.
    said = s.turn.astray if s.turn.astray_ids else 0
    unexplained = s.off & ~(s.not_by_mover & ~s.unexplained_pieces) & ~said & ~apart
    nowhere = _from_nowhere(s) * rates_of(s).wrong if s.not_by_mover else 0.0
    if s.turn.stand.kind in (*LEGAL, Kind.PARTIAL):
        unexplained &= s.unexplained_pieces  # that is no part of the move
    if not unexplained:
        return nowhere
    if said:
        nowhere += costs.IGNORED * sum(_last_edge(s, square) >= s.turn.astray_at for square in squares(s.off & said))
    rates, last = rates_of(s), s.made[-1].start if s.made else s.turn.start
    own, in_hand, cost = s.position.board.occupied_co[s.position.turn], 0, nowhere
    aside = _pushed_to(s)
    for since, square in sorted([(_last_edge(s, square), square) for square in squares(unexplained)], reverse=True):
        if s.looks[square] != EMPTY:
            passing = since >= 0 and ms < _stands_from(s, since)
            if passing and not s.unexplained_pieces & BB_SQUARES[square]:
                cost += costs.PASSED  # so far
            elif BB_SQUARES[square] & aside and since >= last:
                cost += costs.PUSHED
            else:
                cost += rates.wrong + (costs.FOR_LONG if since < s.turn.start else 0.0)
            continue
        if since < s.turn.start:
            cost += costs.BEFORE + (costs.FOR_LONG * _held_over(s, square, since) if since < last else 0.0)
        if BB_SQUARES[square] & own:
            in_hand += 1
            cost += costs.IN_HAND[min(in_hand, 3) - 1]
            if in_hand == 1:
                continue  # the last he took up he may hold for as long as he likes
        else:
            # Who sets his piece down against the rules takes nobody with it, where a capture would have been seen.
            with_it = said and since < s.turn.astray_at and rates.held < inf
            oddly = not (_about_to_be_taken(s, since, ms) or _may_be_taken(s, square, unexplained & own))
            cost += costs.HOLDING if with_it else costs.ODDLY if oddly else costs.TAKEN_UP
        if since >= 0:
            cost += _times_longer(s, ms - s.trace[since].ms) * LONGER / rates.held
    return cost


def _about_to_be_taken(s: State, since: int, ms: c.Ms) -> bool:
    """Whether who is off since that edge may be taken against the rules just now, which the press tells where there is
    a clock; or play goes on from what was set down against them; or he left his square while nobody looked."""
    if s.unseen or s.turn.astray_ids:
        return True
    return s.clock is not None and since >= 0 and ms - s.trace[since].ms <= ODDLY_LATER * s.settings.release_ms


def _may_be_taken(s: State, square: chess.Square, in_hand: int) -> bool:
    """Whether a piece of the player having the move attacks that one: one of those that are in his hand, if any is."""
    takers = s.position.board.attackers_mask(s.position.turn, square)
    return bool(takers & in_hand if in_hand else takers)


def _times_longer(s: State, ms: int) -> int:
    """How many whole times that is :data:`LONGER` releases: a cost that grew with each ms would depend on when it is
    asked for."""
    return ms // (LONGER * s.settings.release_ms)


def _held_over(s: State, square: chess.Square, since: int) -> int:
    """How many of his moves a player has made, or seen made, while the piece of that square was off it, once at least.
    Who seems to be off because he took unseen will be so for as long as nobody moves there; and an arbiter who sets the
    record right leaves the board as it is."""
    moved = 0
    for made in reversed(s.made[-HELD_OVER:] if rates_of(s).held < inf else ()):
        if made.start <= since or made.ruled or made.changed & BB_SQUARES[square]:
            break
        moved += 1
    return max(1, (moved + 1) // 2)


def _from_nowhere(s: State) -> int:
    """How many pieces more stand where the other player is known to have set some down than he has taken up. Where one
    stands instead of another there is one of each."""
    his = s.off & s.not_by_mover & ~s.unexplained_pieces
    away = s.empty(his)
    came = his & ~away & ~s.position.board.occupied
    return max(0, came.bit_count() - away.bit_count() - s.faulty.bit_count())


def _set_down_by_nobody(s: State) -> int:
    """How many more pieces stand where the game has none than are off their squares, now or before the turn began: who
    left his square since was not set down then. Where a piece may come from beside the board, or the board tells who
    stands there, those before the turn alone."""
    board = s.position.board
    promotes = board.pawns & board.occupied_co[board.turn] & (chess.BB_RANK_7 if board.turn else chess.BB_RANK_2)
    from_beside = promotes or s.position.drop_board is not None or s.senses != "occupancy"
    off = list(squares(s.off))
    before = _surplus(s, [square for square in off if _last_edge(s, square) < s.turn.start])
    return max(0, before, 0 if from_beside else _surplus(s, off))


def _surplus(s: State, off: Sequence[chess.Square]) -> int:
    """How many more of these squares are filled than empty."""
    return sum(-1 if s.looks[square] == EMPTY else 1 for square in off)


def _last_edge(s: State, square: chess.Square) -> int:
    """The number of the last edge of that square; -1 where there is none, or it is long ago."""
    for back, edge in enumerate(reversed(s.trace[-PAST:]), 1):
        if edge.square == square:
            return len(s.trace) - back
    return -1


def rates_of(s: State) -> costs.Rates:
    """How much this board hides."""
    if s.rates is not None:
        return s.rates
    return costs.SCANNED if s.scanned else costs.REPORTED


def rates_after(made: Sequence[Made], s: State) -> costs.Rates:
    """The same, as its game has shown by these moves: where captures were exchanged unseen more often, they are
    likelier."""
    rates = rates_of(s)
    if not s.scanned:
        return rates
    taking = [each for each in made[-PAST:] if each.move and each.before.captured(each.move) is not None]
    unseen = sum(each.hidden for each in taking)
    share = (unseen + LEARNT * exp(-rates.swapped)) / (len(taking) + LEARNT)
    return replace(rates, swapped=costs.nats(share))
