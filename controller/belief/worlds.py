"""What hands may have done: a small set of worlds, each with what it costs to believe it.

In each world the Laws judge as if it were certain. Where a step leads to something dear (somebody breaks a rule, or the
board does not match the game), other worlds are looked for: a search finds moves that explain the edges since a turn
began, up to four turns back, and these are lived through again from the state before that turn. Worlds that agree are
merged; the dear ones are given up.
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
from controller.laws.correction import holds, unfitting
from controller.laws.moves import end
from controller.laws.record import Made
from controller.laws.state import State, colour
from controller.position import Position, squares_named
from controller.sensing import costs

NOBODY_KNOWS = 0.5
"""The confidence of an accusation where many sensors do not work. A guess."""

BLIND = 3
"""With this many sensors that do not work, too much is open to accuse anybody."""

SUPPOSED = 2
"""The same if each of these sensors is only supposed not to work, and nobody has said so."""

UNLIKE = 4
"""With this many squares besides that do not show what the game has there, nobody knows what the position is. Counted:
so many were never there where somebody had broken a rule, in 2,072 accusations; where sensors failed and nobody had, in
48 of 256."""

PILING_UP = 3
"""With this many illegal moves, or moves out of turn, on which nobody has ruled, and fewer than :data:`BORNE_OUT` plies
between one and the next, the position believed in is probably wrong: a game hardly goes on so, as a player's second
illegal move loses it (7.5.5), or his third."""

BORNE_OUT = 12
"""After this many further plies, play has borne out how things stand."""

RULINGS = ("uphold", "dismiss", "warn", "correct", "undo")
"""Rulings by which an arbiter shows that he has looked at what was told."""

GOES_ON = ("pause", "resume", "set-clock")
"""Rulings that say nothing about what was played."""

INFERRED = (c.Move, c.Illegal, c.Violation)
"""Facts that may have been inferred."""

WEIGHED = frozenset((*INFERRED, c.Penalty))
"""The same, and penalties for them: whether they are told depends on how likely they are."""

FOCUS = 4.0
"""A world that is dearer by this many nats than another gets a share of the search that is smaller by the factor e."""

LATER = 0.5
"""A cheaper world that is not searched now keeps this much of its share: the same input may ask for it later."""

STORY = 1000
"""Each time a story has grown by this many facts, those older than the kept steps are dropped from it."""


class Belief:
    """The worlds of one game, and what has been told of them."""

    def __init__(self, state: State) -> None:
        self._worlds = [World(state)]
        self._reporter = Reporter()
        self._odds = Odds()
        self._told: list[c.AnyEvent] = []
        self._now = 0  #: in ms, when the item in progress came, or fell due
        self._disbelieved = 0  #: the squares whose sensors were told not to work, as a bitboard
        self._shortened = 0  #: how long the story was when it was last shortened
        #: for each illegal move, or move out of turn, not ruled on since: how many moves were made
        self._irregular: set[int] = set()
        #: accusations that were not told: how likely each was, and how many moves had been made then
        self._unheard: dict[Meaning, tuple[float, int]] = {}
        self._apart = False  #: an illegal move was not told, so nobody knows the position from which play goes on
        self._decided = False  #: no further input will tell what was played
        self._due: tuple[c.Ms | None, c.Ms | None] | None = None  #: the latest argument and answer of ``deadline``

    # -- the likeliest -----------------------------------------------------------------------------------------

    @property
    def best(self) -> State:
        """How things stand in the likeliest world."""
        return self._worlds[0].state

    @best.setter
    def best(self, state: State) -> None:
        """Something other than the sensors decided it: the likeliest world, with this state, is now the only one."""
        self._follow(self._worlds[:1])
        self._worlds = [self._worlds[0].becoming(state)]

    def _within(self, nats: float) -> list[World]:
        """The worlds that are no dearer than the likeliest one by more than this."""
        return [world for world in self._worlds if world.dear <= self._worlds[0].dear + nats]

    @property
    def states(self) -> list[State]:
        """How things stand in each world."""
        return [world.state for world in self._worlds]

    def beside(self, partner: State | None) -> None:
        """Show every world the state of the other board of a match; None where it must know nothing of it."""
        self._worlds = [world.beside(partner) for world in self._worlds]

    @property
    def doubtful(self) -> bool:
        """Whether there are several worlds."""
        return len(self._worlds) > 1

    def weigh(self, lacking: Callable[[State], int]) -> None:
        """Weigh each world by the pieces that it cannot have passed on to the other board of a match, though they were
        dropped there: ``lacking`` counts them for a state."""
        weighed = [replace(world, lacking=lacking(world.state)) for world in self._worlds]
        if [each.lacking for each in weighed] != [each.lacking for each in self._worlds]:
            self._worlds = weighed
            self._follow(kept(weighed, self._reporter.offences))
            self._tell()

    def has_told(self, names: Sequence[str]) -> bool:
        """Whether a fact was told under one of these names; True without names, as nothing has to be told then."""
        return not names or self._reporter.has_told(names)

    def take_up(self, told: Told) -> None:
        """Go on from what was told, perhaps by a version that judged otherwise: follow only the world that is most like
        it, and never again ask what happened before."""
        self._follow([min(self._worlds, key=lambda world: (*unlike(told, world.state), world.dear))])
        world = self._worlds[0]
        state = taken_up(world.state, told, facts_of(world.story))
        names = [name for _, name in told.named]
        self._told = self._reporter.take_up(told.record, told.completed, names, world.story, state, told.over)
        self._worlds = [replace(world.becoming(state), past=())]

    def decide(self, witnessed: bool = False) -> None:
        """No further input will tell: take the likeliest world for the true one; or, among those nearly as likely, the
        one that accuses least, unless a player has ``witnessed`` that somebody broke a rule."""
        true, likely = self._truest(witnessed)
        self._settle_on(true, likely, [true])
        self._decided = True
        self._ask()

    def answer(self, claim: c.Claim, since: c.Ms | None, witnessed: bool) -> bool:
        """Answer a player's claim by the world that is taken for the true one, and follow the worlds that give the same
        answer. Returns True, and does nothing, if some world says that the claim ends the game: then the caller has to
        decide first."""
        true, likely = self._truest(witnessed)
        then = [(world, world.taking(claim, since)) for world in self._worlds]
        if any(after.state.result is not None for _, after in then):
            return True
        answers = [(world, said_since(after.story, world.story)) for world, after in then]
        his = next(answer for world, answer in answers if world is true)
        self._settle_on(true, likely, [world for world, answer in answers if answer == his])
        return False

    def _truest(self, witnessed: bool) -> tuple[World, list[World]]:
        """The world that is taken for the true one, and all that are nearly as likely, itself included."""
        likely = self._within(0 if witnessed else costs.LIKELY)
        return min(likely, key=lambda world: world.story.accused), likely

    def _settle_on(self, true: World, likely: Sequence[World], still: list[World]) -> None:
        """Follow only the worlds ``still``, and give up the other ``likely`` ones. An accusation in the true world that
        those given up do not share is less sure than it will seem: remember how likely it was."""
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
                dues += [dearer_at(world.state) for world in self._worlds]  # another may become the likeliest then
                due = min([each for each in dues if each is not None], default=None)
            self._due = since, due
        return self._due[1]

    # -- one step further --------------------------------------------------------------------------------------

    def run_to(self, ms: c.Ms, since: c.Ms | None) -> None:
        """Deal with all that falls due by ``ms``."""
        while (due := self.deadline(since)) is not None and due <= ms:
            self._now = due
            gone_on = [self._worlds[0].falling_due(due, since)]
            if len(self._worlds) > 1:  # mostly there is one world, and a comprehension costs a call
                gone_on += [world.falling_due(due, since) for world in self._worlds[1:]]
            self._step(gone_on)
            self._ask()

    def take(self, item: step.Item, since: c.Ms | None, news: bool) -> None:
        """Take an input, or the passing of time: every world goes one step further, and new worlds may be found.
        ``news``: the item says something new, so the search budget is refilled."""
        if (type(item) is not step.Settled or item.held) and not isinstance(item, step.OF_PARTNER):
            self.run_to(item.ms, since)
        self._now, self._decided = item.ms, False
        if news:
            self._worlds[0].state.budget.refill()
        if type(item) is c.Arbiter and item.do == "correct":
            heeded = self._heeding(item)  # all other worlds contradict the arbiter
            self._follow([heeded])
            self._worlds = [replace(heeded, state=step.by(heeded.state, item.ms))]
        gone_on = [self._worlds[0].taking(item, since)]
        if type(item) is c.Arbiter and item.do in ("uphold", "dismiss") and gone_on[0].past is self._worlds[0].past:
            item = c.Time(ms=item.ms)  # it answers no notice of the likeliest world: so it answers none in the others
        if len(self._worlds) > 1:
            gone_on += [world.taking(item, since) for world in self._worlds[1:]]
        if type(item) is c.Arbiter and item.do not in GOES_ON and gone_on[0].past is not self._worlds[0].past:
            if item.do in RULINGS:
                self._irregular, self._unheard = set(), {}
            if item.do in RULINGS or _differ(self._worlds, gone_on):
                self._follow(self._worlds[:1])  # he has ruled on what was told, which is the likeliest world
                del gone_on[1:]
        self._step(gone_on, colour(item.side) if type(item) is c.Press else None, anew=type(item) is c.Sensor)
        self._ask()

    def _ask(self) -> None:
        """Ask whether the position of the likeliest world is dead, if that was put off when the position arose."""
        best = self._worlds[0]
        if best.state.unasked:
            best.state.budget.asked = 1
            self._worlds[0] = best.becoming(end(replace(best.state, unasked=False)))
            self._due = None

    def refusal(self, item: c.Arbiter) -> LogError | None:
        """Why that ruling cannot correct the record, in words; None where it can."""
        return unfitting(self._heeding(item).state, item)

    def _heeding(self, item: c.Arbiter) -> World:
        """The world to which an arbiter's correction of the record is applied: one in which that was played anyway;
        else the likeliest in which it may have been; else the likeliest, in which it changes nothing."""
        told = self.best
        order = sorted(self._worlds, key=lambda world: not holds(world.state, told, item))
        return next((world for world in order if unfitting(world.state, item) is None), self._worlds[0])

    def _step(self, gone_on: list[World], presser: chess.Color | None = None, anew: bool = False) -> None:
        """Each world, or the first of them alone, has gone on to the world at the same place in ``gone_on``. Where that
        leads to something dear, look for others. ``presser``: the player who pressed the clock with this step.
        ``anew``: costs have changed, so what was explained well may have a better explanation now."""
        self._due = None
        gone_on = [*map(without_a_line, gone_on)]
        alone = len(gone_on) == 1
        calm = not anew and (alone or all(map(costs_the_same, self._worlds, gone_on)))
        if calm and not any(map(troubled, self._worlds, gone_on)):
            self._worlds = gone_on  # the usual step, made short: one world, and nothing dear; or only time has passed
            if not alone:
                self._number_alike()
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
        self._number_alike()

    def _number_alike(self) -> None:
        """Let the next fact have the same number in every world: what is said in all of them has one name then, and no
        name means one thing in one world and another in the next."""
        highest = max(world.state.numbered for world in self._worlds)
        self._worlds = [
            world if world.state.numbered == highest else replace(world, state=replace(world.state, numbered=highest))
            for world in self._worlds
        ]

    def _follow(self, worlds: list[World], passed: Sequence[Tale] = ()) -> None:
        """Follow these worlds, and remember the weight of those given up. ``passed``: explanations that were found, but
        not made into worlds."""
        gone = [world for world in self._worlds if not any(world is each for each in worlds)]
        if gone or passed:
            self._odds.give_up(_tales(worlds), [*_tales(gone), *passed])
        self._worlds, self._due = worlds, None

    def new_events(self) -> list[c.AnyEvent]:
        """The events that can be told by now and were not told yet. Cuts the story short where it has grown long."""
        self._tell()
        told, self._told = self._told, []
        if len(self._worlds) == 1 and self._worlds[0].story.length > self._shortened + STORY:
            # Not in the midst of a step, as the worlds found there go on from the story as it was.
            best = self._worlds[0] = self._worlds[0].shortened()
            self._shortened = best.story.length
            self._reporter.goes_on(best.story)
        return told

    def _tell(self) -> None:
        """Tell what is certain by now; asking more often must not change what is told. Once an accusation is told it
        stands: only worlds that hold it are followed, and no others are looked for."""
        best, possible = self._worlds[0], self._worlds
        now = max(best.state.now, self._now)
        unseen_at = None if self._decided else best.pressed_unseen
        if len(possible) == 1 and unseen_at is None:
            told = self._reporter.tell_all(best.story, best.state, now)
        else:
            likely = [world.state for world in self._within(costs.LIKELY)]
            possible = self._within(costs.SURE)
            weights = [exp(best.dear - world.dear) for world in possible]
            told = self._reporter.tell([world.story for world in possible], likely, now, weights, unseen_at)
        if self._reporter.renamed:
            self._worlds[0] = replace(best, state=_renamed(best.state, self._reporter.renamed))
            self._reporter.renamed = {}
        if best.state.faulty or self._disbelieved:
            told += self._suspected(best.state)
        if not (WEIGHED.isdisjoint(map(type, told)) or all(map(self._is_certain, told))):
            held = {fact.id: meaning(fact) for fact in told if isinstance(fact, c.Illegal | c.Violation)}
            told = [self._weighed(fact) if isinstance(fact, INFERRED) else fact for fact in told]
            told = list(self._likely(told))
            if accused_in(told):
                said = {held[fact.id] for fact in told if isinstance(fact, c.Illegal | c.Violation)}
                self._follow([world for world in self._worlds[: len(possible)] if said <= world.story.held])
                self._worlds = [replace(world, past=()) for world in self._worlds]
                self._irregular |= {len(self.best.made) for fact in told if _is_irregular(fact)}
        self._told += told

    def _is_certain(self, fact: c.AnyEvent) -> bool:
        """Whether that fact accuses nobody, and is told as it is: a move that was seen, in a position that is known."""
        if type(fact) is c.Move:
            return fact.basis != "inferred" and not self._apart
        return type(fact) not in WEIGHED

    def _suspected(self, s: State) -> list[c.AnyEvent]:
        """The event that says which sensors seem not to work, if that has changed: those supposed in all likely worlds,
        and those told before that are still supposed in the likeliest."""
        squares = chess.BB_ALL
        for world in self._within(costs.LIKELY):
            squares &= world.state.supposed()
        squares |= self._disbelieved & s.supposed()
        if squares == self._disbelieved:
            return []
        self._disbelieved = squares
        names = [chess.SQUARE_NAMES[square] for square in chess.scan_forward(squares)]
        return [c.Disbelieved(ms=self._reporter.told_at(max(s.now, self._now)), board=s.board, squares=names)]

    def _likely(self, told: Sequence[c.AnyEvent]) -> Iterator[c.AnyEvent]:
        """These facts without the accusations that are too unlikely, and without their penalties: nobody is to hear of
        them, nor to rule on them."""
        unheard: tuple[c.Side, c.Ms] | None = None
        for fact in told:
            if isinstance(fact, c.Illegal | c.Violation) and fact.confidence is not None:
                if fact.confidence < costs.ACCUSED:
                    self._unheard[meaning(fact)] = fact.confidence, len(self.best.made)
                    self._reporter.keep_quiet(fact.id)
                    unheard = fact.side, fact.ms
                    self._apart |= isinstance(fact, c.Illegal)
                    continue
            elif isinstance(fact, c.Penalty) and (fact.side, fact.ms) == unheard:
                self._reporter.keep_quiet(fact.id)
                continue
            elif isinstance(fact, c.Move) and self._apart:
                self._apart = False
                if (begun := _begun_at(self.best.made, fact)) is not None:
                    yield c.Restored(ms=fact.ms, board=fact.board, fen=begun.fen())
            yield fact

    def _weighed(self, fact: c.Move | c.Illegal | c.Violation) -> c.AnyEvent:
        """The fact as it is told now, with its confidence if it was inferred. A story that holds an accusation too
        unlikely to be told is no likelier than that accusation was. Where many sensors fail, nobody knows who did what.
        One that is held back as they pile up is counted with those told."""
        if not isinstance(fact, c.Move) and fact.basis != "reported":
            lost = _is_irregular(fact) and self._too_many_irregular()
            if lost:
                self._irregular.add(len(self.best.made))  # that it goes on so bears nothing out
            if lost or self._is_blind() or self._unlike_the_game(fact):
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
        """The share, by weight, of the possible worlds that hold this accusation."""
        least, what, possible = self._worlds[0].dear, meaning(fact), self._within(costs.SURE)
        if len(possible) == 1 or fact.basis == "reported":
            return 1.0
        weights = [exp(least - world.dear) for world in possible]
        holding = [weight for weight, world in zip(weights, possible, strict=True) if what in world.story.held]
        return sum(holding) / sum(weights) if holding else 1.0

    def _is_open(self, when: int) -> bool:
        """Whether play has not yet borne out what was seen after ``when`` moves."""
        return when > len(self.best.made) - BORNE_OUT

    def _too_many_irregular(self) -> bool:
        """Whether so many illegal moves, or moves out of turn, seem to have been made one after the other that probably
        there was none, and the position is wrong: between two of them nothing was borne out."""
        number, after = 0, len(self.best.made)
        for when in sorted(self._irregular, reverse=True):
            if after - when >= BORNE_OUT:
                break
            number, after = number + 1, when
        return number >= PILING_UP

    def _is_blind(self) -> bool:
        """Whether, in some possible world, too many sensors do not work to accuse anybody by what the others show."""
        return any(
            world.state.faulty.bit_count() >= BLIND or world.state.supposed().bit_count() >= SUPPOSED
            for world in self._within(costs.SURE)
        )

    def _unlike_the_game(self, fact: c.Illegal | c.Violation) -> bool:
        """Whether the sensor of a square of the accusation seems not to work, or too many squares besides do not show
        what the game has there."""
        handled = squares_named(fact.squares)
        return handled & self._disbelieved != 0 or (self.best.mismatch & ~handled).bit_count() >= UNLIKE


def _is_irregular(fact: c.AnyEvent) -> bool:
    """Whether the fact says that somebody has moved as the position, or his turn, does not allow; who has only touched
    a piece out of turn has not."""
    if type(fact) is c.Violation:
        return fact.kind == "out-of-turn" and not fact.touched_ms
    return type(fact) is c.Illegal and fact.completed


def _begun_at(made: Sequence[Made], fact: c.Move) -> Position | None:
    """The position in which that move was made, if it goes on from an illegal move that stands; else None."""
    at = next((number for number, one in enumerate(made) if one.reported and one.ply == fact.ply), 0)
    return made[at].before if at and made[at - 1].illegal and not made[at - 1].reported else None


def _tales(worlds: Sequence[World]) -> list[Tale]:
    """The latest moves of each world, with its cost."""
    return [tale(world.dear, world.state.made) for world in worlds]


def _less_sure(true: World, likely: Sequence[World]) -> Iterator[tuple[Meaning, float]]:
    """The accusations and results of the true world that not all equally likely worlds share, each with the share that
    holds it."""
    alike = [world for world in likely if abs(world.dear - true.dear) <= ALIKE]
    for what in true.story.held:
        hold = sum(what in world.story.held for world in alike)
        if hold < len(alike):
            yield what, hold / len(alike)


def _differ(before: Sequence[World], after: Sequence[World]) -> bool:
    """Whether a step has added other facts to one of these worlds than to another."""
    said = [said_since(then.story, world.story) for world, then in zip(before, after, strict=True)]
    return any(each != said[0] for each in said)


def _renamed(s: State, names: Mapping[str, str]) -> State:
    """The state with its notices under the names by which they were told."""
    notices = [replace(notice, ids=tuple([names.get(name, name) for name in notice.ids])) for notice in s.notices]
    astray = tuple([names.get(name, name) for name in s.turn.astray_ids])
    highest = max(s.numbered, *map(s.number_of, names.values()))
    return replace(s, notices=tuple(notices), numbered=highest).turning(astray_ids=astray)
