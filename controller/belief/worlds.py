"""What hands may have done: a small set of worlds, each with what it costs to believe it.

In each world the Laws judge as if it were certain. Where what they make of it is dear (somebody breaks a rule, or the
board does not match the game), other worlds are looked for: moves that explain the edges since a turn began, up to
four turns back, lived through again from the state before. Worlds that agree are one; the dear ones are given up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.belief.kept import ALIKE, kept
from controller.belief.odds import Odds, Tale, tale
from controller.belief.otherwise import line_of, others
from controller.belief.pricing import dearer_at
from controller.belief.reporter import Meaning, Reporter, accused_in, facts_of, meaning, said_since
from controller.belief.told import Told, taken_up, unlike
from controller.belief.world import World, costs_the_same, troubled, without_a_line
from controller.errors import LogError
from controller.laws import step
from controller.laws.correction import correct, holds
from controller.laws.moves import end
from controller.laws.state import State, colour
from controller.sensing import costs

NOBODY_KNOWS = 0.5
"""So likely is what somebody seems to have done where many sensors do not work. A guess."""

BLIND = 3
"""So many sensors that do not work leave too much open to accuse anybody."""

SUPPOSED = 2
"""So many do where each is only supposed not to work, and nobody has said so."""

PILING_UP = 3
"""So many illegal moves, and nobody rules on them: hardly a game goes on so, as a player's second loses it (7.5.5), or
his third. More likely the game is not what it is taken for."""

BORNE_OUT = 12
"""After so many plies of which nobody was accused play has borne out how things stand."""

RULINGS = ("uphold", "dismiss", "warn", "correct", "undo")
"""With these an arbiter shows that he has looked at what was told."""

GOES_ON = ("pause", "resume", "set-clock")
"""These say nothing of what was played."""

INFERRED = (c.Move, c.Illegal, c.Violation)
"""What may have been inferred."""

WEIGHED = frozenset((*INFERRED, c.Penalty))
"""The same with what it may cost: how likely that is decides whether it is told."""

FOCUS = 4.0
"""For each so many nats that a world is dearer than another, its share of the search is divided by e."""

LATER = 0.5
"""So much of its share a cheaper world keeps that is not searched now: the same input may yet ask for it."""

STORY = 1000
"""Once a story has grown by so many facts, what is older than the steps that are kept is dropped from it."""


class Belief:
    """The worlds of one game, and what has been told of them."""

    def __init__(self, state: State) -> None:
        self._worlds = [World(state)]
        self._reporter = Reporter()
        self._odds = Odds()
        self._told: list[c.AnyEvent] = []
        self._now = 0  #: in ms, when what is looked at came, or fell due
        self._disbelieved = 0  #: the squares whose sensors were said not to work, as a bitboard
        self._shortened = 0  #: how long the story was when that was done last
        self._illegal: set[int] = set()  #: after how many moves an illegal one was told that nobody has ruled on since
        #: of what somebody might have been accused, how likely it was, and when, in moves made
        self._unheard: dict[Meaning, tuple[float, int]] = {}
        self._decided = False  #: nothing more will come that could tell
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
    def states(self) -> list[State]:
        """How things stand in each world."""
        return [world.state for world in self._worlds]

    def beside(self, partner: State | None) -> None:
        """The other board of a match stands so now; None where nothing is to be known of it."""
        self._worlds = [world.beside(partner) for world in self._worlds]

    @property
    def doubtful(self) -> bool:
        """Whether there are several worlds."""
        return len(self._worlds) > 1

    def weigh(self, lacking: Callable[[State], int]) -> None:
        """How many pieces that came from here the other board of a match lacks, by what was played in each world."""
        weighed = [replace(world, lacking=lacking(world.state)) for world in self._worlds]
        if [each.lacking for each in weighed] != [each.lacking for each in self._worlds]:
            self._worlds = weighed
            self._follow(kept(weighed, self._reporter.offences))
            self._tell()

    def has_told(self, names: Sequence[str]) -> bool:
        """Whether something was told by one of these names; where there are none, nothing has to be told first."""
        return not names or self._reporter.has_told(names)

    def take_up(self, told: Told) -> None:
        """The game goes on from what was told of it, perhaps by a version that judged otherwise: of the worlds the one
        that is most like that is followed, and nothing before it is asked any more."""
        self._follow([min(self._worlds, key=lambda world: (*unlike(told, world.state), world.dear))])
        world = self._worlds[0]
        state = taken_up(world.state, told, facts_of(world.story))
        names = [name for _, name in told.named]
        self._told = self._reporter.take_up(told.record, told.completed, names, world.story, state, told.over)
        self._worlds = [replace(world.becoming(state), past=())]

    def decide(self, witnessed: bool = False) -> None:
        """Nothing more will come that could tell: the likeliest world is the true one; of those nearly as likely the
        one that accuses least, unless a player has ``witnessed`` that somebody broke a rule."""
        true, likely = self._truest(witnessed)
        self._settle_on(true, likely, [true])
        self._decided = True
        self._ask()

    def answer(self, claim: c.Claim, since: c.Ms | None, witnessed: bool) -> bool:
        """A player claims: he is answered by the world that is held to be the true one, and those are followed in which
        the answer is the same. Whether it ends the game, and all has to be decided."""
        true, likely = self._truest(witnessed)
        then = [(world, world.taking(claim, since)) for world in self._worlds]
        if any(after.state.result is not None for _, after in then):
            return True
        answers = [(world, said_since(after.story, world.story)) for world, after in then]
        his = next(answer for world, answer in answers if world is true)
        self._settle_on(true, likely, [world for world, answer in answers if answer == his])
        return False

    def _truest(self, witnessed: bool) -> tuple[World, list[World]]:
        """The world that is held to be the true one, and those that are nearly as likely, itself among them."""
        least = self._worlds[0].dear + (0 if witnessed else costs.LIKELY)
        likely = [world for world in self._worlds if world.dear <= least]
        return min(likely, key=lambda world: world.story.accused), likely

    def _settle_on(self, true: World, likely: Sequence[World], still: list[World]) -> None:
        """Of worlds nearly as likely as the true one those that are there ``still`` are followed: what it holds against
        somebody, and those given up do not, is less sure than it will seem."""
        gone = [world for world in likely if not any(world is each for each in still)]
        if gone:
            less_sure = _less_sure(true, [true, *gone])
            self._unheard |= {what: (how, len(true.state.made)) for what, how in less_sure}
        self._follow(still)

    def deadline(self, since: c.Ms | None) -> c.Ms | None:
        """When something falls due in one of the worlds without further input; None if nothing does."""
        if self._due is None or self._due[0] != since:
            due = self._worlds[0].deadline(since)
            if len(self._worlds) > 1:
                dues = [due, *[world.deadline(since) for world in self._worlds[1:]]]
                dues += [dearer_at(world.state) for world in self._worlds]  # another may be the likeliest then
                due = min([each for each in dues if each is not None], default=None)
            self._due = since, due
        return self._due[1]

    # -- one step further --------------------------------------------------------------------------------------

    def run_to(self, ms: c.Ms, since: c.Ms | None) -> None:
        """Deal with all that falls due by ``ms``."""
        while (due := self.deadline(since)) is not None and due <= ms:
            self._now = due
            gone_on = [self._worlds[0].falling_due(due, since)]
            if len(self._worlds) > 1:  # seldom, and a comprehension is a call more
                gone_on += [world.falling_due(due, since) for world in self._worlds[1:]]
            self._step(gone_on)
            self._ask()

    def take(self, item: step.Item, since: c.Ms | None, news: bool) -> None:
        """An input has come, or time has passed: every world goes a step further, and others may open. ``news``:
        something new was heard with it, for which the searches may look anew."""
        if (type(item) is not step.Settled or item.held) and not isinstance(item, step.OF_PARTNER):
            self.run_to(item.ms, since)
        self._now, self._decided = item.ms, False
        if news:
            self._worlds[0].state.budget.refill()
        if type(item) is c.Arbiter and item.do == "correct":
            heeded = self._heeding(item)  # all others contradict him
            self._follow([heeded])
            self._worlds = [replace(heeded, state=step.by(heeded.state, item.ms))]
        gone_on = [self._worlds[0].taking(item, since)]
        if type(item) is c.Arbiter and item.do in ("uphold", "dismiss") and gone_on[0].past is self._worlds[0].past:
            item = c.Time(ms=item.ms)  # it answers nothing that is open, and so in no unlikely world
        if len(self._worlds) > 1:
            gone_on += [world.taking(item, since) for world in self._worlds[1:]]
        if type(item) is c.Arbiter and item.do not in GOES_ON and gone_on[0].past is not self._worlds[0].past:
            if item.do in RULINGS:
                self._illegal, self._unheard = set(), {}
            if item.do in RULINGS or _differ(self._worlds, gone_on):
                self._follow(self._worlds[:1])  # he has ruled on what was told
                del gone_on[1:]
        self._step(gone_on, colour(item.side) if type(item) is c.Press else None, anew=type(item) is c.Sensor)
        self._ask()

    def _ask(self) -> None:
        """Ask whether the position of the likeliest world is dead, where that was put off when it came about."""
        best = self._worlds[0]
        if best.state.unasked:
            best.state.budget.asked = 1
            self._worlds[0] = best.becoming(end(replace(best.state, unasked=False)))
            self._due = None

    def refusal(self, item: c.Arbiter) -> LogError | None:
        """Why the record cannot be set right so, in words; None where it can."""
        try:
            correct(self._heeding(item).state, item)
        except LogError as error:
            return error
        return None

    def _heeding(self, item: c.Arbiter) -> World:
        """The world in which an arbiter who sets the record right is heeded: one in which it was played so, else the
        likeliest in which it may have been; else the likeliest, in which it changes nothing."""
        told = self.best
        order = sorted(self._worlds, key=lambda world: not holds(world.state, told, item))
        return next((world for world in order if _takes(world.state, item)), self._worlds[0])

    def _step(self, gone_on: list[World], presser: chess.Color | None = None, anew: bool = False) -> None:
        """Each world, or the first of them alone, has gone on to another: where that leads to what is dear, others are
        looked for. ``presser``: who has pressed the clock with that. ``anew``: other things are likely now than before.
        """
        self._due = None
        gone_on = [without_a_line(world) for world in gone_on]
        calm = not anew and (len(gone_on) == 1 or all(map(costs_the_same, self._worlds, gone_on)))
        if calm and not any(map(troubled, self._worlds, gone_on)):
            self._worlds = gone_on  # as nearly always: one world, and nothing dear in it; or only time has passed
            return
        steps = sorted(zip(self._worlds, gone_on, strict=False), key=lambda each: each[1].dear)
        self._tell()
        worlds, passed = list[World](), list[Tale]()
        is_open = [(anew and after.state.mismatch != 0) or troubled(before, after) for before, after in steps]
        budget, least = self.best.budget, steps[0][1].dear
        followed = {line_of(after.state): after.dear for _, after in reversed(steps)} if any(is_open) else {}
        weights = [exp((least - after.dear) / FOCUS) for _, after in steps]
        for number, (before, after) in enumerate(steps):
            if not is_open[number]:
                worlds.append(after)
                continue
            still = sum(weights[other] for other in range(number, len(steps)) if is_open[other])
            later = LATER * sum(weights[other] for other in range(number) if not is_open[other])
            part = budget.part(weights[number] / (still + later))
            found = others(before, after, presser, part, followed, passed)
            worlds += [after.marked(), *map(without_a_line, found)]
            budget.give_back(part)
        self._worlds = worlds
        self._follow(kept(worlds, self._reporter.offences), passed)
        self._tell()

    def _follow(self, worlds: list[World], passed: Sequence[Tale] = ()) -> None:
        """Of the worlds there are, these are followed. ``passed``: what might be as well, and was made no world."""
        gone = [world for world in self._worlds if not any(world is each for each in worlds)]
        if gone or passed:
            self._odds.give_up(_tales(worlds), [*_tales(gone), *passed])
        self._worlds, self._due = worlds, None

    def new_events(self) -> list[c.AnyEvent]:
        """What can be told by now and was not."""
        self._tell()
        told, self._told = self._told, []
        return told

    def _tell(self) -> None:
        """Tell what is certain by now. Whoever asks more often must not hear another story. An accusation that is told
        stands: no world without it is looked for any more."""
        best, possible = self._worlds[0], self._worlds
        now = max(best.state.now, self._now)
        unseen_at = None if self._decided else best.pressed_unseen
        if len(possible) == 1 and unseen_at is None:
            told = self._reporter.tell_all(best.story, best.state, now)
            if best.story.length > self._shortened + STORY:
                best = self._worlds[0] = best.shortened()
                self._shortened = best.story.length
                self._reporter.goes_on(best.story)
        else:
            likely = [world.state for world in self._worlds if world.dear <= best.dear + costs.LIKELY]
            possible = [world for world in self._worlds if world.dear <= best.dear + costs.SURE]
            weights = [exp(best.dear - world.dear) for world in possible]
            told = self._reporter.tell([world.story for world in possible], likely, now, weights, unseen_at)
        if self._reporter.renamed:
            self._worlds[0] = replace(best, state=_renamed(best.state, self._reporter.renamed))
            self._reporter.renamed = {}
        if best.state.faulty or self._disbelieved:
            told += self._suspected(best.state)
        if not WEIGHED.isdisjoint(map(type, told)):  # else none of them is in doubt, and none accuses anybody
            held = {fact.id: meaning(fact) for fact in told if isinstance(fact, c.Illegal | c.Violation)}
            told = [self._weighed(fact) if isinstance(fact, INFERRED) else fact for fact in told]
            told = list(self._likely(told))
            if accused_in(told):
                said = {held[fact.id] for fact in told if isinstance(fact, c.Illegal | c.Violation)}
                self._follow([world for world in self._worlds[: len(possible)] if said <= world.story.held])
                self._worlds = [replace(world, past=()) for world in self._worlds]
                self._illegal |= {len(self.best.made) for fact in told if type(fact) is c.Illegal and fact.completed}
        self._told += told

    def _suspected(self, s: State) -> list[c.AnyEvent]:
        """Which sensors seem not to work in all likely worlds, or still do in the likeliest, where that has changed."""
        squares = chess.BB_ALL
        for world in self._worlds:
            if world.dear <= self._worlds[0].dear + costs.LIKELY:
                squares &= world.state.supposed()
        squares |= self._disbelieved & s.supposed()
        if squares == self._disbelieved:
            return []
        self._disbelieved = squares
        names = [chess.SQUARE_NAMES[square] for square in chess.scan_forward(squares)]
        return [c.Disbelieved(ms=self._reporter.told_at(max(s.now, self._now)), board=s.board, squares=names)]

    def _likely(self, told: Sequence[c.AnyEvent]) -> Iterator[c.AnyEvent]:
        """These without what somebody is accused of that more likely did not happen, and what it would cost him: nobody
        is to hear of it, nor to rule on it."""
        unheard: tuple[c.Side, c.Ms] | None = None
        for fact in told:
            if isinstance(fact, c.Illegal | c.Violation) and fact.confidence is not None:
                if fact.confidence < costs.ACCUSED:
                    self._unheard[meaning(fact)] = fact.confidence, len(self.best.made)
                    self._reporter.keep_quiet(fact.id)
                    unheard = fact.side, fact.ms
                    continue
            elif isinstance(fact, c.Penalty) and (fact.side, fact.ms) == unheard:
                self._reporter.keep_quiet(fact.id)
                continue
            yield fact

    def _weighed(self, fact: c.Move | c.Illegal | c.Violation) -> c.AnyEvent:
        """The fact as it is told now; if it was inferred, with how likely it is. A story in which somebody has broken a
        rule already, though nobody heard of it as it was not likely, is no likelier than that; where many sensors fail
        nobody knows who did what."""
        lost = type(fact) is c.Illegal and self._too_many_illegal()
        if not isinstance(fact, c.Move) and fact.basis != "reported" and (lost or self._is_blind()):
            return replace(fact, basis="inferred", confidence=NOBODY_KNOWS)
        tales = _tales(self._worlds) if fact.basis == "inferred" else []
        if isinstance(fact, c.Move):
            return self._odds.of_move(fact, tales) if tales else fact
        if tales:
            fact = self._odds.of_notice(fact, tales, [world.story for world in self._worlds])
        elif (share := self._share_of(fact)) < 1.0:
            fact = replace(fact, basis="inferred", confidence=round(share, 3))
        held = self._worlds[0].story.held
        unheard = [how for what, (how, when) in self._unheard.items() if what in held and self._is_open(when)]
        if not unheard:
            return fact
        likely = 1.0 if fact.confidence is None else fact.confidence
        return replace(fact, basis="inferred", confidence=min(likely, *unheard))

    def _share_of(self, fact: c.Illegal | c.Violation) -> float:
        """How likely the worlds are together that hold that, of those that are possible."""
        least, what = self._worlds[0].dear, meaning(fact)
        possible = [world for world in self._worlds if world.dear <= least + costs.SURE]
        if len(possible) == 1 or fact.basis == "reported":
            return 1.0  # as nearly always
        weights = [exp(least - world.dear) for world in possible]
        holding = [weight for weight, world in zip(weights, possible, strict=True) if what in world.story.held]
        return sum(holding) / sum(weights) if holding else 1.0

    def _is_open(self, when: int) -> bool:
        """Whether play has not borne out yet what was seen so many moves into the game."""
        return when > len(self.best.made) - BORNE_OUT

    def _too_many_illegal(self) -> bool:
        """Whether so many illegal moves were told of late that there more likely was none."""
        return sum(map(self._is_open, self._illegal)) >= PILING_UP

    def _is_blind(self) -> bool:
        """Whether so many sensors do not work, in a likely world, that nobody is to be accused by what others show."""
        return any(
            world.state.faulty.bit_count() >= BLIND or world.state.supposed().bit_count() >= SUPPOSED
            for world in self._worlds
            if world.dear <= self._worlds[0].dear + costs.SURE
        )


def _takes(s: State, item: c.Arbiter) -> bool:
    try:
        correct(s, item)
    except LogError:
        return False
    return True


def _tales(worlds: Sequence[World]) -> list[Tale]:
    """What each holds to have been made."""
    return [tale(world.dear, world.state.made) for world in worlds]


def _less_sure(true: World, likely: Sequence[World]) -> Iterator[tuple[Meaning, float]]:
    """What is held against somebody in the world that is taken to be the true one, and not in those of the others that
    are as likely, with how likely it is."""
    alike = [world for world in likely if abs(world.dear - true.dear) <= ALIKE]
    for what in true.story.held:
        hold = sum(what in world.story.held for world in alike)
        if hold < len(alike):
            yield what, hold / len(alike)


def _differ(before: Sequence[World], after: Sequence[World]) -> bool:
    """Whether a step has led these worlds to something else in one than in another."""
    said = [said_since(then.story, world.story) for world, then in zip(before, after, strict=True)]
    return any(each != said[0] for each in said)


def _renamed(s: State, names: Mapping[str, str]) -> State:
    """What awaits a ruling, by the names by which it was told."""
    notices = [replace(notice, ids=tuple([names.get(name, name) for name in notice.ids])) for notice in s.notices]
    astray = tuple([names.get(name, name) for name in s.turn.astray_ids])
    numbers = [int(name.removeprefix(s.board or "")) for name in names.values()]
    return replace(s, notices=tuple(notices), numbered=max(s.numbered, *numbers)).turning(astray_ids=astray)
