"""What hands may have done: a small set of worlds, each with what it costs to believe it.

In each world the Laws judge as if it were certain. Where what they make of it is dear (somebody breaks a rule, or the
board does not match the game), other worlds are looked for: moves that explain the edges since a turn began, up to
three turns back, lived through again from the state before. Worlds that agree are one; the dear ones are given up.
"""

from collections.abc import Iterator, Mapping, Sequence

import chess
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.laws import gestures, step
from controller.laws.board import read_board
from controller.laws.moves import make
from controller.laws.state import State, colour
from controller.laws.turn import Raised
from controller.odds import Odds, Tale, tale
from controller.position import EMPTY, squares
from controller.reporter import ROOT, Reporter, Story, begun_at, told_in
from controller.sensing import costs
from controller.sensing.search import Budget, Explanation, Question, explain
from controller.sensing.search import Made as Scripted
from controller.sensing.stand import HELD, Kind

MOST = 16
"""Worlds that are kept."""

PAST = 48
"""Steps that are kept of each, to be lived through again."""

BACK = 3
"""Turns that may have gone otherwise."""

TRIED = 4
"""Explanations from one turn that are lived through."""

STORY = 1000
"""So many facts are kept beyond those of the steps that are."""

WRONG = frozenset((c.Violation, c.Illegal))
"""Facts that say that somebody does wrong."""

DOUBTED = frozenset((*WRONG, c.Displaced))
"""The same, or that the board is not as it should be."""

LOOSE = 0.75
"""What is worth looking for others, in nats."""

FINAL = (c.Arbiter, c.Claim, c.Draw, c.Resign, c.Pause, c.Seen, c.Unseen, c.Sensor, c.Outage, step.First)
"""What is not lived through again: a person's word stands, and what is known of the board."""


class Lived(Struct, frozen=True):
    """A step, and the world before it."""

    item: step.Item
    since: c.Ms | None
    before: State
    cost: float
    story: Story


class World(Struct, frozen=True):
    """One way in which it may have been."""

    state: State
    cost: float = 0.0  #: of what had to be believed so far, in nats
    past: tuple[Lived, ...] = ()
    story: Story = ROOT
    searched: int = 0  #: how many edges there were when others were last looked for
    doubted: bool = False  #: the step that led to it told one of :data:`DOUBTED`

    @property
    def dear(self) -> float:
        """What it costs, with what is still in the air."""
        return self.cost + loose(self.state)

    def deadline(self, since: c.Ms | None) -> c.Ms | None:
        """When something falls due in it without further input, in ms; None if nothing does."""
        s, due = self.state, step.deadline(self.state, since)
        if s.trace.last is None or (due is not None and due <= s.trace.last.ms + s.settings.release_ms):
            return due  # before what is unexplained may be
        unexplained = self.unexplained_at
        if unexplained is None or (since is not None and unexplained >= since):
            return due
        return unexplained if due is None else min(due, unexplained)

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
        if len(s.trace) == self.searched or not questionable(s) or loose(s, apart=s.strays) <= LOOSE:
            return None
        return last.ms + s.settings.release_ms

    def falling_due(self, ms: c.Ms, since: c.Ms | None) -> "World":
        """The world once it is ``ms``, when something falls due in it, or in another."""
        now = step.by(self.state, ms)
        return self._stepped(now, step.fall_due(now, since), c.Time(ms=ms), since)

    def taking(self, item: step.Item, since: c.Ms | None) -> "World":
        """The world after an item, time having run to it."""
        now = step.by(self.state, item.ms)
        return self._stepped(now, step.taken(now, item), item, since)

    def living(self, lived: "Lived") -> "World":
        """The world after an item to which time has not run yet."""
        return self._stepped(self.state, step.after(self.state, lived.item, lived.since), lived.item, lived.since)

    def _stepped(self, now: State, s: State, item: step.Item, since: c.Ms | None) -> "World":
        """The world after one step to ``s``, time alone having led to ``now``. What changes nothing but the time is
        not kept."""
        before = self.state
        if s is now or (s.trace is before.trace and s.turn is before.turn and replace(s, now=before.now) == before):
            return World(s, self.cost, self.past, self.story, self.searched)
        return self.becoming(s, Lived(item, since, before, self.cost, self.story))

    def becoming(self, s: State, lived: Lived | None = None) -> "World":
        """With another state, whose facts are told in this world."""
        past = self.past if lived is None else (*self.past[-PAST:], lived)
        facts = s.facts
        if not facts:
            return World(s, self.cost, past, self.story, self.searched)
        doubted = not DOUBTED.isdisjoint(map(type, facts))
        cost = self.cost + price(self.state, facts) if doubted else self.cost
        return World(replace(s, facts=()), cost, past, told_in(self.story, facts), self.searched, doubted)

    def shortened(self) -> "World":
        """With no more of its story than of its steps."""
        nodes = begun_at(self.story, self.past[0].story.length if self.past else self.story.length)
        past = tuple([replace(lived, story=nodes[lived.story.length]) for lived in self.past])
        return replace(self, past=past, story=nodes[self.story.length])

    def marked(self) -> "World":
        """With others looked for now."""
        return replace(self, searched=len(self.state.trace))


def questionable(s: State) -> bool:
    """Whether others may be looked for: of matches, of boards with sensors that do not work, and while the game follows
    several lines, the Laws' own room for that takes care; while the clocks stand still touches bind nobody."""
    return s.board is None and s.result is None and not (s.blind or s.lines or s.stopped)


def price(before: State, facts: Sequence[c.AnyEvent]) -> float:
    """What it costs to believe these facts, which follow from a state; what was released astray is paid for only
    once."""
    cost = 0.0
    for fact in facts:
        if type(fact) is c.Violation and fact.basis != "reported":
            cost += costs.OUT_OF_TURN if fact.kind == "out-of-turn" else costs.BREACH
        elif type(fact) is c.Illegal and fact.basis != "reported":
            if fact.kind == "no-move":
                cost += costs.NO_MOVE
            elif not (fact.completed and before.turn.astray):
                cost += costs.UNFINISHED if fact.kind.startswith("unfinished") else costs.ILLEGAL
    return cost


def accuse(facts: Sequence[c.AnyEvent]) -> bool:
    """Whether somebody is said to have broken a rule, and not only to be about to."""
    if WRONG.isdisjoint(map(type, facts)):
        return False
    return any(type(fact) is c.Violation or (type(fact) is c.Illegal and fact.completed) for fact in facts)


def loose(s: State, apart: int = 0) -> float:
    """What it costs that the board shows what the game does not explain yet, ``apart`` from these squares."""
    # What the other player is known to have done is explained, and what was said to be set down against the rules.
    unexplained = s.off & ~(s.others & ~s.strays) & ~s.turn.astray & ~apart
    if not unexplained or s.turn.stand.kind in (Kind.WHOLE, Kind.HALF):
        return 0.0
    rates, began = rates_of(s), [s.turn.start, *[made.start for made in s.made[-1:]]]
    own, in_hand, cost = s.position.board.occupied_co[s.position.turn], 0, 0.0
    for square in squares(unexplained):
        if s.looks[square] != EMPTY:
            cost += rates.wrong
            continue
        since = _last_edge(s, square)
        if since < began[0]:
            cost += costs.BEFORE if since >= began[-1] else costs.BEFORE + costs.FOR_LONG
        if chess.BB_SQUARES[square] & own:
            in_hand += 1
            cost += (0.0, 0.0, 0.3, 1.5)[min(in_hand, 3)]
        else:
            cost += 0.6
    return cost


def _last_edge(s: State, square: chess.Square) -> int:
    """The number of the last edge of that square; -1 where there is none, or it is long ago."""
    for back, edge in enumerate(reversed(s.trace[-PAST:]), 1):
        if edge.square == square:
            return len(s.trace) - back
    return -1


def rates_of(s: State) -> costs.Rates:
    """How much this board hides."""
    return costs.SCANNED if s.scanned else costs.REPORTED


class Belief:
    """The worlds of one game, and what has been told of them."""

    def __init__(self, state: State) -> None:
        self._worlds = [World(state)]
        self._reporter = Reporter()
        self._odds = Odds()
        self._told: list[c.AnyEvent] = []
        self._shortened = 0  #: how long the story was when that was done last
        self._due: tuple[c.Ms | None, c.Ms | None] | None = None  #: what was asked of ``deadline`` last, and the answer

    # -- the likeliest -----------------------------------------------------------------------------------------

    @property
    def best(self) -> State:
        """How things stand in the likeliest world."""
        return self._worlds[0].state

    @best.setter
    def best(self, state: State) -> None:
        """Somebody beside the sensors changed it: now it is certain."""
        self._follow(self._worlds[:1])
        self._worlds = [self._worlds[0].becoming(state)]

    @property
    def doubtful(self) -> bool:
        """Whether more than one world is likely."""
        return len(self._worlds) > 1

    def has_told(self, names: Sequence[str]) -> bool:
        """Whether something was told by one of these names; of what has no name nothing waits."""
        return not names or self._reporter.has_told(names)

    def decide(self) -> None:
        """Nothing more will come that could tell: the likeliest world is the true one."""
        self._follow(self._worlds[:1])

    def deadline(self, since: c.Ms | None) -> c.Ms | None:
        """When something falls due in one of the worlds without further input; None if nothing does."""
        if self._due is None or self._due[0] != since:
            due = self._worlds[0].deadline(since)
            if len(self._worlds) > 1:
                dues = [due, *[world.deadline(since) for world in self._worlds[1:]]]
                due = min([each for each in dues if each is not None], default=None)
            self._due = since, due
        return self._due[1]

    # -- one step further --------------------------------------------------------------------------------------

    def run_to(self, ms: c.Ms, since: c.Ms | None) -> None:
        """Deal with all that falls due by ``ms``."""
        while (due := self.deadline(since)) is not None and due <= ms:
            gone_on = [self._worlds[0].falling_due(due, since)]
            if len(self._worlds) > 1:  # seldom, and a comprehension is a call more
                gone_on += [world.falling_due(due, since) for world in self._worlds[1:]]
            self._step(gone_on, None)

    def take(self, item: step.Item, since: c.Ms | None) -> None:
        """An input has come, or time has passed: every world goes a step further, and others may open."""
        if type(item) is not step.Settled or item.held:
            self.run_to(item.ms, since)
        gone_on = [self._worlds[0].taking(item, since)]
        if len(self._worlds) > 1:
            gone_on += [world.taking(item, since) for world in self._worlds[1:]]
        if type(item) is c.Arbiter and gone_on[0].past is not self._worlds[0].past:
            self._follow(self._worlds[:1])  # he has ruled on what was told
            del gone_on[1:]
        self._step(gone_on, colour(item.side) if type(item) is c.Press else None)

    def _step(self, gone_on: list[World], presser: chess.Color | None) -> None:
        """Each world, or the first of them alone, has gone on to another: where that leads to what is dear, others are
        looked for. ``presser``: who has pressed the clock with that."""
        self._due = None
        if len(gone_on) == 1 and not troubled(self._worlds[0], gone_on[0]):
            self._worlds = gone_on  # as nearly always: one world, and nothing dear in it
            return
        steps = sorted(zip(self._worlds, gone_on, strict=False), key=lambda each: each[1].dear)
        self._tell()
        worlds, passed = list[World](), list[Tale]()
        budget = Budget()
        for before, after in steps:
            if troubled(before, after) and not budget.spent:
                worlds += [after.marked(), *_others(before, after, presser, budget, passed)]
            else:
                worlds.append(after)
        self._worlds = worlds
        self._follow(_kept(worlds), passed)
        self._tell()

    def _follow(self, kept: list[World], passed: Sequence[Tale] = ()) -> None:
        """Of the worlds there are, these are followed. ``passed``: what might be as well, and was made no world."""
        gone = [world for world in self._worlds if not any(world is each for each in kept)]
        if gone or passed:
            self._odds.give_up(_tales(kept), [*_tales(gone), *passed])
        self._worlds, self._due = kept, None

    def said(self) -> list[c.AnyEvent]:
        """What can be told by now and was not."""
        self._tell()
        told, self._told = self._told, []
        return told

    def _tell(self) -> None:
        """While others are possible, what is told must not hang on when somebody asks. An accusation that is told
        stands: no world without it is looked for any more."""
        best = self._worlds[0]
        if len(self._worlds) == 1:
            possible, told = self._worlds[:1], self._reporter.tell_all(best.story, best.state)
            if best.story.length > self._shortened + STORY:
                best = self._worlds[0] = best.shortened()
                self._shortened = best.story.length
                self._reporter.goes_on(best.story)
        else:
            likely = [world.state for world in self._worlds if world.dear <= best.dear + costs.LIKELY]
            possible = [world for world in self._worlds if world.dear <= best.dear + costs.SURE]
            told = self._reporter.tell([world.story for world in possible], likely)
        if self._reporter.renamed:
            self._worlds[0] = replace(best, state=_renamed(best.state, self._reporter.renamed))
            self._reporter.renamed = {}
        if told:
            self._told += [self._weighed(fact) for fact in told]
            if accuse(told):
                self._follow(self._worlds[: len(possible)])
                self._worlds = [replace(world, past=()) for world in self._worlds]

    def _weighed(self, fact: c.AnyEvent) -> c.AnyEvent:
        """The fact as it is told now; if it was inferred, with how likely it is."""
        if not isinstance(fact, c.Move | c.Illegal | c.Violation) or fact.basis != "inferred":
            return fact
        tales = _tales(self._worlds)
        if isinstance(fact, c.Move):
            return self._odds.of_move(fact, tales)
        return self._odds.of_notice(fact, tales, [world.story for world in self._worlds])


def _tales(worlds: Sequence[World]) -> list[Tale]:
    """What each holds to have been made."""
    return [tale(world.dear, world.state.made) for world in worlds]


def _kept(worlds: list[World]) -> list[World]:
    """The worlds worth keeping, cheapest first; of those that agree the cheapest."""
    different: dict[tuple[object, ...], World] = {}
    order = sorted(worlds, key=lambda world: world.dear)
    for world in order:
        different.setdefault(_sameness(world), world)
    kept = list(different.values())[:MOST]
    return [world for world in kept if world.dear <= kept[0].dear + costs.MARGIN]


def _others(
    before: World, after: World, presser: chess.Color | None, budget: Budget, passed: list[Tale]
) -> Iterator[World]:
    """Other worlds that explain what is seen ``after`` a step. To ``passed`` comes what might explain it as well."""
    s = after.state
    if not questionable(before.state) or s.blind or s.lines or s.stopped:
        return
    cheapest = after.dear
    for base in _bases(after):
        if budget.spent:
            return
        first = after.past[base]
        edges = s.trace[len(first.before.trace) :]
        question = Question(
            position=first.before.position,
            edges=edges,
            looks=s.looks,
            rates=rates_of(s),
            release_ms=s.settings.release_ms,
            wanted=first.before.wanted,
            presser=presser,
            left_out=first.before.others,
        )
        for number, explanation in enumerate(explain(question, budget)):
            cost = first.cost + explanation.cost + _undone(first.before, s, explanation)
            if cost > after.dear + costs.MARGIN:
                continue
            if explanation.position.key() == s.position.key():
                continue  # the same moves: what was touched before them is no other story
            if number >= TRIED:
                passed.append(tale(cost, first.before.made, [made.move for made in explanation.moves]))
                continue
            if budget.lives <= 0:
                return
            budget.lives -= 1
            world = _lived_again(after, base, cost, explanation)
            if world is not None and _runs(world.state) == _runs(s):
                world = world.marked()
                cheapest = min(cheapest, world.dear)
                yield world
        if cheapest < after.dear - costs.LIKELY:
            return  # what came before need not have been otherwise


def _bases(world: World) -> Iterator[int]:
    """Where in the past a turn began, the latest first: not before a person's word."""
    past, turns = world.past, 0
    for number in range(len(past) - 1, -1, -1):
        if number == 0 and len(past) > PAST:
            return  # what came before is not known any more
        word = number == 0 or isinstance(past[number - 1].item, FINAL)
        if word or past[number - 1].before.turn.number != past[number].before.turn.number:
            yield number
            turns += 1
        if word or turns > BACK:
            return


def _renamed(s: State, names: Mapping[str, str]) -> State:
    """What awaits a ruling, by the names by which it was told."""
    notices = [replace(notice, ids=tuple([names.get(name, name) for name in notice.ids])) for notice in s.notices]
    astray = tuple([names.get(name, name) for name in s.turn.astray_ids])
    numbers = [int(name.removeprefix(s.board or "")) for name in names.values()]
    return replace(s, notices=tuple(notices), numbered=max(s.numbered, *numbers)).turning(astray_ids=astray)


def _runs(s: State) -> c.Side | None:
    """Whose clock runs: that is known, whatever hands have done on the board."""
    return None if s.clock is None or s.result is not None else s.clock.running


def _sameness(world: World) -> tuple[object, ...]:
    """Equal for worlds from which the game goes on alike, with the same accusations."""
    s = world.state
    return (
        s.position.key(),
        s.position.board.castling_rights,
        len(s.made),
        s.off,
        s.counts["white"],
        s.counts["black"],
        len(s.notices),
        s.result is None,
        tuple(touch.square for touch in s.turn.touches),
        s.clock is not None and s.clock.running,
    )


def troubled(before: World, after: World) -> bool:
    """Whether a step led to what is dear to believe, so that others are looked for: somebody is accused, or what the
    board shows has stood unexplained for as long as a release takes."""
    s = after.state
    if not after.doubted:
        last = s.trace.last
        if not s.off or last is None or last.ms + s.settings.release_ms > s.now:
            return False  # as nearly always
    if not (questionable(s) or questionable(before.state)):
        return False
    return after.doubted or after.unexplained_at is not None


def _undone(before: State, now: State, explanation: Explanation) -> float:
    """What it costs that moves made since, released as they seemed, were not made."""
    cost, at = 0.0, len(before.made)
    for number, made in enumerate(now.made[at:]):
        same = number < len(explanation.moves) and explanation.moves[number].move == made.move
        if made.move and not same:  # where the clock was pressed without a move there is nothing to undo
            cost += costs.STOOD if made.stood else costs.UNDONE
    return cost


def _lived_again(world: World, base: int, cost: float, explanation: Explanation) -> World | None:
    """The world in which these moves were made since that step, and all else as it came. A move that was seen whole
    comes out by itself; of one that was not, its edges are no more than looks."""
    first = world.past[base]
    script, origin = list(explanation.moves), len(first.before.trace)
    # What is said there for the first time has names of its own.
    start = replace(first.before, numbered=world.state.numbered, noticed=world.state.noticed)
    lived = World(start, cost, world.past[:base], first.story)
    for one in world.past[base:]:
        before, s = lived, lived.state
        if not script:
            lived = lived.living(one)
            continue
        made, left = len(s.made), len(script)
        hidden = script[0].hidden
        s = step.by(s, one.item.ms) if hidden else step.run_to(s, one.item.ms, one.since)
        del script[: len(s.made) - made]
        if isinstance(one.item, c.Lift | c.Place | step.Settled):
            for edge in step.edges_of(s, one.item):
                after = _edge(s, script, origin, *edge)
                if after is None:
                    return None
                s = after
        else:
            if type(one.item) is c.Press and one.item.side == s.turn.side and script and script[0].hidden:
                after = _scripted(s, script)
                if after is None:
                    return None
                s = after
            s = step.after(s, one.item, one.since)
            del script[: max(0, len(s.made) - made - (left - len(script)))]
        if not script:
            s = _in_hand(s, origin)
        lived = before.becoming(s, Lived(one.item, one.since, before.state, before.cost, before.story))
    return None if script else lived


def _edge(
    s: State, script: list[Scripted], origin: int, square: chess.Square, seen: str, ms: c.Ms, hand: c.Side | None
) -> State | None:
    """One edge of a world that is lived through again; the moves that are whole with it are made."""
    if script and script[0].hidden:
        s = s.see(square, seen, ms, hand)
    else:
        made = len(s.made)
        s = gestures.edge(s, square, seen, hand, ms)
        del script[: len(s.made) - made]
    after: State | None = s
    while after is not None and script and len(s.trace) - origin >= script[0].edges:
        after = _scripted(after, script)
    return after


def _scripted(s: State, script: list[Scripted]) -> State | None:
    made = script.pop(0)
    if s.result is not None or made.move not in s.position.legal():
        return None
    return make(s if made.hidden else _of_this_move(s, made.move), made.move, inferred=made.hidden)


def _of_this_move(s: State, move: chess.Move) -> State:
    """The turn with the touches that came before its move or belong to it: what else was off the board by then may be
    of the moves that follow."""
    own = {square for square, _ in s.position.changes(move)}
    known = [touch.ms for touch in s.turn.touches if touch.square == move.from_square]
    since = known[0] if known else s.turn.raised[move.from_square].ms if move.from_square in s.turn.raised else s.now
    touches = tuple([touch for touch in s.turn.touches if touch.square in own or touch.ms < since])
    return s.turning(touches=touches).derive() if len(touches) < len(s.turn.touches) else s


def _in_hand(s: State, origin: int) -> State:
    """The game is known again: pieces still off their squares are in the hand of the player having the move."""
    if s.result is not None:
        return s
    turn = s.turn
    for edge in s.trace[origin:]:
        if edge.seen == EMPTY and s.off & chess.BB_SQUARES[edge.square] and s.looks[edge.square] == EMPTY:
            turn = turn.raising(edge.square, Raised(edge.ms, announced=False))
    return read_board(replace(s, turn=turn), s.now)
