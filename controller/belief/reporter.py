"""What is told of the worlds: what all likely ones share, each fact once; what no longer holds is taken back.

A world's story is a chain of facts; worlds that were one share its beginning. Events are the difference between what
has been told and the story of the likeliest world. A move is told once the likely worlds agree on it; an accusation or
a result once each possible world holds the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from controller import contract as c
from controller.belief.untold import less_completed, less_corrected, less_taken_back, reported
from controller.laws.moves import report, report_completed
from controller.laws.record import Made
from controller.laws.state import State
from controller.laws.stock import stocked_fen
from controller.position import uci
from controller.sensing.costs import ACCUSED

Meaning: TypeAlias = tuple[type, str]
"""Equal for facts that say the same."""


class Story(Struct, frozen=True):
    """The facts of one step, and the story before them, if any."""

    facts: tuple[c.AnyEvent, ...]
    up: Story | None
    length: int  #: how many facts it has, those before this step included
    accused: int = 0  #: how often it accuses somebody
    white: int = 0  #: how many of these accusations are of White
    held: frozenset[Meaning] = frozenset()  #: the accusations and results in it


ROOT = Story((), None, 0)

ACCUSING = frozenset((c.Illegal, c.Violation, c.Penalty, c.Result))
"""Facts that wait until no other explanation is nearly as likely."""

CONSEQUENCES = (c.Penalty, c.Result)
"""Facts that follow from an accusation."""

PRESENT = (c.Obligation, c.Clock, c.Displaced, c.Restored, c.Ambiguous, c.Stock, c.Stalled, c.Followed)
"""Facts that tell how things stand: only the last of each kind counts."""


UNTIL: Mapping[type, type[c.Followed] | type[c.Restored]] = {c.Stalled: c.Followed, c.Displaced: c.Restored}
"""Facts that hold until a fact of the other kind ends them."""

OVER = tuple(UNTIL.values())
"""Facts that end others."""

BESIDE = (c.Interrupted, c.Flag, c.Clock, c.Claimed)
"""Facts that hold whatever hands have done: they wait for nothing, and neither does what a person reported. What else a
press leads to, such as an increment or a penalty, is told when it is known."""


def told_in(story: Story, facts: Sequence[c.AnyEvent]) -> Story:
    """The story with these facts added."""
    length = story.length + len(facts)
    if ACCUSING.isdisjoint(map(type, facts)):
        return Story(tuple(facts), story, length, story.accused, story.white, story.held)
    held = story.held.union([meaning(fact) for fact in facts if type(fact) in ACCUSING])
    white = [fact for fact in facts if isinstance(fact, c.Illegal | c.Violation) and fact.side == c.WHITE]
    return Story(tuple(facts), story, length, story.accused + accused_in(facts), story.white + accused_in(white), held)


def facts_of(story: Story, before: Story = ROOT) -> list[c.AnyEvent]:
    """The facts that a story has after its beginning ``before``, in the order in which they came, as far back as they
    are kept."""
    nodes: list[Story] = []
    node: Story | None = story
    while node is not None and node.length > before.length:
        nodes.append(node)
        node = node.up
    return [fact for node in reversed(nodes) for fact in node.facts]


def said_since(story: Story, before: Story) -> list[Meaning]:
    """The meanings of the facts that a story has after its beginning ``before``."""
    return [meaning(fact) for fact in facts_of(story, before)]


OFFENCES = frozenset((c.Violation, c.Illegal))


def accused_in(facts: Sequence[c.AnyEvent]) -> int:
    """How many of these facts say that somebody has broken a rule, and not only that he is about to."""
    if OFFENCES.isdisjoint(map(type, facts)):
        return 0
    return sum(type(fact) is c.Violation or (type(fact) is c.Illegal and fact.completed) for fact in facts)


def begun_at(story: Story, length: int) -> dict[int, Story]:
    """The nodes, by their lengths, of the same story without its first ``length`` facts."""
    later: list[Story] = []
    node = story
    while node.length > length and node.up is not None:
        later.append(node)
        node = node.up
    begun = Story((), None, length, node.accused, node.white, node.held)
    nodes = {length: begun}
    for node in reversed(later):
        begun = replace(node, up=begun)
        nodes[begun.length] = begun
    return nodes


class Reporter:
    """What has been told so far."""

    def __init__(self) -> None:
        self._told_story = ROOT  #: the story that was told last
        self._waiting: list[c.AnyEvent] = []  #: facts of that story that were not told yet
        self._agreed = 0  #: up to which ply all likely worlds had made the same moves then
        self._record: list[c.Move] = []  #: the moves told, less those taken back
        self._ambiguous: list[str] = []
        self._standing: set[type] = set()  #: facts of :data:`UNTIL` that were told, and whose end was not
        self._last: c.Ms = 0  #: the time of the last event
        self._names: set[str] = set()  #: the names of told facts
        self._quiet: set[str] = set()  #: the names of facts that are kept from everybody
        self._highest = 0  #: the highest number in a name so far
        self._numbered = 0  #: the highest number in a name of the likeliest world
        self._held: dict[str, Meaning] = {}  #: the accusations told, by name
        #: the name under which a fact was told, by its name in the likeliest world, where the two differ: a name is
        #: told once, as people may answer by it
        self.renamed: dict[str, str] = {}
        #: by its name within its story, and its meaning: under which other name a fact was told
        self._told_as: dict[tuple[str, Meaning], str] = {}

    def tell_all(self, story: Story, state: State, now: c.Ms) -> list[c.AnyEvent]:
        """Tell all facts of the only world; those that come late get the time ``now``."""
        if story is self._told_story and not self._waiting:
            return []
        self._numbered = state.numbered
        late, facts = self._new(story, state)
        facts = less_corrected(facts) if late else facts
        self._told_story, self._waiting, self._ambiguous = story, [], []
        return [self._as_told(fact, now if late else fact.ms) for fact in facts]

    def has_told(self, names: Sequence[str]) -> bool:
        """Whether facts of these names were told, and none of them waits. Of an illegal move, one fact may be told (it
        was released), and another still wait (it was completed)."""
        waiting = {fact.id for fact in self._waiting if isinstance(fact, c.Notable)}
        return waiting.isdisjoint(names) and not self._names.isdisjoint(names)

    @property
    def offences(self) -> Collection[Meaning]:
        """The accusations that were told."""
        return self._held.values()

    def keep_quiet(self, name: str | None) -> None:
        """Keep the fact of that name from everybody, though it was about to be told."""
        if name:
            self._names.discard(name)
            self._quiet.add(name)
            self._held.pop(name, None)

    def goes_on(self, story: Story) -> None:
        """Take this story for the one told last: it is the same, shortened."""
        self._told_story = story

    def take_up(
        self, record: Sequence[c.Move], completed: bool, names: Sequence[str], story: Story, state: State, over: bool
    ) -> list[c.AnyEvent]:
        """Go on from what was told, perhaps by a version that judged otherwise: the moves in ``record`` (``completed``:
        the last of them is), and facts of these ``names``. Returns the events that correct it; none of a game that is
        ``over``, as everybody has its score."""
        self._told_story, self._waiting, self._ambiguous = story, [], list(state.ambiguous)
        self._record = [*record]
        self._names = {name for name in names if name}
        self._highest = state.numbered
        self._last = state.now
        if over:
            return []
        numbers, due, same = self._record_of(state)
        said = self._taken_back(same, state)
        for at in numbers[same:]:
            said += _as_made(state, at)
        if same == len(due) == len(record) > 0 and state.made[numbers[-1]].completed and not completed:
            said += report_completed(replace(state, facts=()), numbers[-1]).facts
        return [self._as_told(fact, state.now) for fact in said]

    def tell(
        self,
        stories: Sequence[Story],
        states: Sequence[State],
        now: c.Ms,
        weights: Sequence[float] = (),
        unseen_at: c.Ms | None = None,
    ) -> list[c.AnyEvent]:
        """Tell what several worlds share, the likeliest first; facts that come late get the time ``now``. ``states``
        are of the likely worlds, and must agree on a move; ``stories`` are of the possible ones, and must all hold an
        accusation, or nearly all by their ``weights`` if the others blame the same player for something else. What the
        next scan may excuse of a press at ``unseen_at`` waits for that scan."""
        best, state = stories[0], states[0]
        self._numbered = state.numbered
        agreed = _agreed(states)
        if best is self._told_story and agreed == self._agreed and ACCUSING.isdisjoint(map(type, self._waiting)):
            return self._doubt(states, agreed, now)  # what waits still waits for the same
        late, facts = self._new(best, state)
        told: list[c.AnyEvent] = []
        waiting: list[c.AnyEvent] = []
        sure = {fact.side for fact in facts if type(fact) is c.Illegal and _is_agreed(fact, stories, weights)}
        for fact in facts:
            open_yet = type(fact) is c.Move and fact.ply > agreed
            disputed = type(fact) in ACCUSING and not _is_agreed(fact, stories, weights)
            disputed |= fact.ms == unseen_at and _may_be_excused(fact, state.pace.loses or state.pace.slow)
            disputed |= type(fact) in CONSEQUENCES and any(_accuses(each, fact) for each in waiting)
            if type(fact) is c.Illegal and not fact.completed:
                disputed = disputed and fact.side not in sure  # that it is completed is agreed, so its release is, too
            follows = any(map(_holds_up, waiting)) and not _beside(fact, facts)
            if open_yet or disputed or follows:
                waiting.append(fact)
                continue
            if type(fact) is c.Move:  # it puts right what its player had set down against the rules, if he had
                waiting = [each for each in waiting if not isinstance(each, c.Illegal) or each.side != fact.side]
            told.append(self._as_told(fact, now if late else fact.ms))
        self._told_story, self._waiting, self._agreed = best, waiting, agreed
        return told + self._doubt(states, agreed, now)

    def _doubt(self, states: Sequence[State], agreed: int, now: c.Ms) -> list[c.AnyEvent]:
        """The event that names the moves possible after the agreed ply, if there are several and it was not told."""
        moves = sorted({name for each in states if (name := _first_open(each, agreed)) is not None})
        if len(moves) < 2 or moves == self._ambiguous:
            return []
        self._ambiguous = moves
        return [self._as_told(c.Ambiguous(ms=now, board=states[0].board, moves=moves), now)]

    def told_at(self, ms: c.Ms) -> c.Ms:
        """The time of an event that is told at ``ms``: no earlier than that of the event before it."""
        if ms > self._last:
            self._last = ms
        return self._last

    def _as_told(self, fact: c.AnyEvent, ms: c.Ms) -> c.AnyEvent:
        """The fact as it is told at ``ms``, or at the time of the event before it if that is later."""
        kind = type(fact)
        if type(fact) is c.Move:
            self._record.append(fact)
        elif kind is c.Retract and self._record:
            self._record.pop()
        elif kind in UNTIL:
            self._standing.add(kind)
        elif kind in OVER:
            self._standing -= {began for began, over in UNTIL.items() if over is kind}
        if fact.ms != self.told_at(ms):
            fact = replace(fact, ms=self._last)
        return self._named(fact) if kind in c.NOTABLE else fact

    def _named(self, fact: Any) -> c.AnyEvent:
        """The fact under a name that no other was told under; unchanged where it has no name."""
        name, board = fact.id, fact.board or ""
        if name in self._names or name in self._quiet:
            self._highest = max(self._highest, self._numbered)  # facts that wait have names, too
            self.renamed[name] = self._told_as[name, meaning(fact)] = f"{board}{self._highest + 1}"
            name = self.renamed[name]
            fact = replace(fact, id=name)
        if name:
            if type(fact) in OFFENCES:
                self._held[name] = meaning(fact)
            self._names.add(name)
            self._highest = max(self._highest, int(name.removeprefix(board)))
        named: c.AnyEvent = fact
        return named

    def _new(self, story: Story, state: State) -> tuple[bool, Sequence[c.AnyEvent]]:
        """The facts to tell so that what was told becomes this story, and whether they are told late."""
        before, after = self._told_story, story
        if after.up is before and not self._waiting:
            return False, after.facts
        gone: list[c.AnyEvent] = []
        came: list[c.AnyEvent] = []
        while before is not after:
            if before.length >= after.length:
                assert before.up is not None
                gone += reversed(before.facts)
                before = before.up
            else:
                assert after.up is not None
                came += reversed(after.facts)
                after = after.up
        came.reverse()
        if not gone:
            return bool(self._waiting), less_taken_back([*self._waiting, *came]) if self._waiting else came
        lost = {id(fact) for fact in gone}
        # Whether something is over is asked anew of the present story.
        still = [fact for fact in self._waiting if id(fact) not in lost and not isinstance(fact, OVER)]
        unsaid = {id(fact) for fact in self._waiting}
        held = [fact for fact in gone if id(fact) not in unsaid]
        came = [fact for fact in came if not self._has_told_of(fact)]
        return True, self._instead(held, less_taken_back([*still, *came]), state)

    def _has_told_of(self, fact: c.AnyEvent) -> bool:
        """Whether that was told already: this story was followed before, then another, and now this one again."""
        if type(fact) is c.Stalled:
            return c.Stalled in self._standing
        return isinstance(fact, c.Illegal | c.Violation) and self._held.get(fact.id or "") == meaning(fact)

    def _instead(self, gone: list[c.AnyEvent], came: list[c.AnyEvent], state: State) -> list[c.AnyEvent]:
        """The facts that take back what no longer holds, and tell what holds and was not told."""
        numbers, record, same = self._record_of(state)
        said = self._taken_back(same, state)
        # Moves told before the stories parted that the former story has taken back since are told again.
        coming = {_key_of(fact) for fact in came if type(fact) is c.Move}
        for at, move in zip(numbers[same:], record[same:], strict=True):
            said += [] if move in coming else _as_made(state, at)
        said += self._untold(gone, less_completed(came, said), record[same:])
        for began, holds in ((c.Stalled, state.stalled), (c.Displaced, bool(state.displaced))):
            over = UNTIL[began]
            stands = next((type(fact) is began for fact in reversed(said) if type(fact) in (began, over)), None)
            if not holds and (began in self._standing if stands is None else stands):
                said.append(over(ms=state.now, board=state.board))
        return said

    def _record_of(self, state: State) -> tuple[list[int], list[tuple[int, str]], int]:
        """The reported moves of a state: their numbers, what they are, and how many of them were told."""
        numbers = [at for at, made in enumerate(state.made) if made.reported and made.move]
        record = [(state.made[at].ply, uci(state.made[at].move)) for at in numbers]
        same = 0
        while same < min(len(self._record), len(record)) and record[same] == _key_of(self._record[same]):
            same += 1
        return numbers, record, same

    def _taken_back(self, same: int, state: State) -> list[c.AnyEvent]:
        """The facts that take back the told moves, the last one first, down to the first ``same``."""
        said: list[c.AnyEvent] = []
        for number in range(len(self._record) - 1, same - 1, -1):
            fen = self._record[number - 1].fen if number else state.start.fen()
            fen = stocked_fen(state, fen, self._record[:number])
            said.append(c.Retract(ms=state.now, board=state.board, uci=self._record[number].uci, fen=fen))
        return said

    def _untold(self, gone: list[c.AnyEvent], came: list[c.AnyEvent], due: list[tuple[int, str]]) -> list[c.AnyEvent]:
        """The facts that have come and that no gone fact has told; of the moves only those ``due``."""
        known = {meaning(fact): fact for fact in gone if type(fact) not in (c.Move, c.Retract, c.Completed)}
        completed = {(fact.side, fact.uci) for fact in gone if type(fact) is c.Completed}
        last = {_key_of(fact) if type(fact) is c.Move else type(fact): number for number, fact in enumerate(came)}
        said: list[c.AnyEvent] = []
        for number, fact in enumerate(came):
            if type(fact) is c.Retract:
                wanted = False
            elif type(fact) is c.Move:
                wanted = _key_of(fact) in due and last[_key_of(fact)] == number
            elif type(fact) is c.Completed:
                wanted = (fact.side, fact.uci) not in completed or any(fact.uci == move for _, move in due)
            elif (told := known.pop(meaning(fact), None)) is not None:
                wanted = False
                if isinstance(fact, c.Notable) and isinstance(told, c.Notable) and fact.id and told.id:
                    what = meaning(fact)
                    self.renamed[fact.id] = name = self._told_as.get((told.id, what), told.id)
                    self._told_as[fact.id, what] = name
            else:
                wanted = type(fact) not in PRESENT or last[type(fact)] == number
            said += [fact] if wanted else []
        return said


def _may_be_excused(fact: c.AnyEvent, loses: bool) -> bool:
    """Whether the next scan may excuse this accusation: a press without a move; or, where the board ``loses`` scans, a
    press with a move half done."""
    if not isinstance(fact, c.Illegal | c.Violation) or reported(fact):
        return False
    return fact.kind in ("no-move", "clock-misuse") or (loses and fact.kind.startswith("unfinished"))


def _accuses(fact: c.AnyEvent, of: c.AnyEvent) -> bool:
    """Whether the fact is an accusation from which ``of`` follows: a penalty of the same player, or a result, at the
    same time."""
    if not isinstance(fact, c.Illegal | c.Violation):
        return False
    return fact.ms == of.ms and (not isinstance(of, c.Penalty) or of.side == fact.side)


def _holds_up(fact: c.AnyEvent) -> bool:
    """Whether what was played later is told only after this: a move, or an illegal one that was completed."""
    return type(fact) is c.Move or (type(fact) is c.Illegal and fact.completed)


def _beside(fact: c.AnyEvent, facts: Sequence[c.AnyEvent]) -> bool:
    """Whether the fact holds whatever hands have done. So does what a person has reported, with its penalty."""
    if type(fact) is c.Penalty:
        return any(reported(each) and (each.side, each.ms) == (fact.side, fact.ms) for each in facts)
    return type(fact) in BESIDE or reported(fact)


def _is_agreed(fact: c.AnyEvent, stories: Sequence[Story], weights: Sequence[float]) -> bool:
    """Whether all these stories hold an accusation or result of the first; or nearly all do, and none of the others
    blames that player less, or his opponent more."""
    what, best = meaning(fact), stories[0]
    holding = [what in story.held for story in stories]
    released = type(fact) is c.Illegal and not fact.completed
    if all(holding) or released or not weights or not isinstance(fact, c.Illegal | c.Violation | c.Penalty):
        return all(holding)
    likely = sum(weight for weight, holds in zip(weights, holding, strict=True) if holds)
    others = [story for story, holds in zip(stories, holding, strict=True) if not holds]
    return likely >= ACCUSED * sum(weights) and all(_blames_as_much(story, best, fact.side) for story in others)


def _blames_as_much(story: Story, best: Story, side: c.Side) -> bool:
    """Whether that story blames ``side`` no less often, and the opponent no more often, than the best one."""
    more, white = story.accused - best.accused, story.white - best.white
    his, theirs = (white, more - white) if side == c.WHITE else (more - white, white)
    return his >= 0 >= theirs


def _key_of(move: c.Move) -> tuple[int, str]:
    """What tells one move from another."""
    return move.ply, move.uci


def _as_made(state: State, at: int) -> list[c.AnyEvent]:
    """The facts that tell move number ``at``, which was made before the stories parted."""
    told = report(replace(state, facts=()), at)
    return list((report_completed(told, at) if state.made[at].completed else told).facts)


_WHEN = ("id", "ms", "touched_ms", "since_ms", "confidence", "others")


def meaning(fact: c.AnyEvent) -> Meaning:
    """Equal for facts that say the same, whatever their time, name and confidence."""
    fields = asdict(fact)
    for name in _WHEN if type(fact) is c.Clock else (*_WHEN, "white_ms", "black_ms"):
        fields.pop(name, None)
    return (type(fact), repr(fields))


def _agreed(states: Sequence[State]) -> int:
    """The ply up to which all these states have made the same moves, in the same order."""
    shortest, first = min(len(state.made) for state in states), states[0].made
    number = shortest
    while number and not all(state.made[number - 1] is first[number - 1] for state in states):
        number -= 1  # back to what they have in common
    while number < shortest and all(_made_alike(state.made[number], first[number]) for state in states):
        number += 1
    return first[number - 1].ply if number else 0


def _made_alike(one: Made, other: Made) -> bool:
    return one is other or (one.move == other.move and one.after.key() == other.after.key())


def _first_open(state: State, agreed: int) -> str | None:
    """The first move after the agreed ply, as UCI; None without one."""
    first = None
    for made in reversed(state.made):  # from the end: only the last few are not agreed
        if made.ply <= agreed:
            break
        first = made if made.move else first
    return None if first is None else uci(first.move)
