"""What is told of the worlds: what all likely ones share, each thing once, and what no longer holds taken back.

A world's story is a chain of facts; worlds that were one share its beginning. Events are the difference between what
has been told and the story of the likeliest world. A move is told once the likely worlds agree on it; an accusation or
a result once each of them holds the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from msgspec import Struct
from msgspec.structs import asdict, replace

from controller import contract as c
from controller.laws.moves import report, report_completed
from controller.laws.record import Made
from controller.laws.state import State
from controller.position import uci
from controller.sensing.costs import ACCUSED

Meaning: TypeAlias = tuple[type, str]
"""What is equal for facts that say the same."""


class Story(Struct, frozen=True):
    """The facts of a step, and what was told before them; a beginning has none."""

    facts: tuple[c.AnyEvent, ...]
    up: Story | None
    length: int  #: how many facts there are by then
    accused: int = 0  #: how often somebody was accused by then
    white: int = 0  #: how often of these it was White
    held: frozenset[Meaning] = frozenset()  #: the accusations and results in it


ROOT = Story((), None, 0)

ACCUSING = frozenset((c.Illegal, c.Violation, c.Penalty, c.Result))
"""What waits until no other explanation is nearly as likely."""

CONSEQUENCES = (c.Penalty, c.Result)
"""What follows of an accusation."""

PRESENT = (c.Obligation, c.Clock, c.Displaced, c.Restored, c.Ambiguous, c.Stock, c.Stalled, c.Followed)
"""What tells how things stand: only the last of each counts."""


UNTIL: Mapping[type, type[c.Followed] | type[c.Restored]] = {c.Stalled: c.Followed, c.Displaced: c.Restored}
"""What stands until another tells that it is over."""

NOTED = c.NOTABLE | {c.Move, c.Retract, *UNTIL, *UNTIL.values()}
"""What the reporter keeps account of."""

BESIDE = (c.Interrupted, c.Flag, c.Clock, c.Claimed)
"""What happens whatever hands have done: it waits for nothing, as what was reported does not. What else a press comes
to, by an increment or a penalty, is told when it is known."""


def told_in(story: Story, facts: Sequence[c.AnyEvent]) -> Story:
    """The story, gone on with."""
    length = story.length + len(facts)
    if ACCUSING.isdisjoint(map(type, facts)):
        return Story(tuple(facts), story, length, story.accused, story.white, story.held)  # as nearly always
    held = story.held.union([meaning(fact) for fact in facts if type(fact) in ACCUSING])
    white = [fact for fact in facts if isinstance(fact, c.Illegal | c.Violation) and fact.side == c.WHITE]
    return Story(tuple(facts), story, length, story.accused + accused_in(facts), story.white + accused_in(white), held)


def facts_of(story: Story) -> list[c.AnyEvent]:
    """Its facts in the order in which they came, as far back as they are kept."""
    facts: list[c.AnyEvent] = []
    node: Story | None = story
    while node is not None:
        facts += reversed(node.facts)
        node = node.up
    facts.reverse()
    return facts


def said_since(story: Story, before: Story) -> list[Meaning]:
    """What was said in a story after it was as long as another with which it begins."""
    said: list[Meaning] = []
    node: Story | None = story
    while node is not None and node.length > before.length:
        said += [meaning(fact) for fact in reversed(node.facts)]
        node = node.up
    said.reverse()
    return said


OFFENCES = frozenset((c.Violation, c.Illegal))


def accused_in(facts: Sequence[c.AnyEvent]) -> int:
    """How often somebody is said to have broken a rule, and not only to be about to."""
    if OFFENCES.isdisjoint(map(type, facts)):
        return 0  # as nearly always
    return sum(type(fact) is c.Violation or (type(fact) is c.Illegal and fact.completed) for fact in facts)


def begun_at(story: Story, length: int) -> dict[int, Story]:
    """The same story, begun anew where it was so long: its nodes by their lengths."""
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
        self._at = ROOT  #: up to where a story is told
        self._waiting: list[c.AnyEvent] = []  #: facts before that which were not told yet
        self._agreed = 0  #: up to which ply all likely worlds had made the same moves then
        self._record: list[c.Move] = []  #: the moves told, less those taken back
        self._ambiguous: list[str] = []
        self._standing: set[type] = set()  #: of :data:`UNTIL` what was told, and not yet that it is over
        self._last: c.Ms = 0  #: when the last fact was
        self._names: set[str] = set()  #: of the facts told that have one
        self._quiet: set[str] = set()  #: of those that were not, and are what something is called that nobody hears of
        self._highest = 0  #: the number of the last of them
        self._numbered = 0  #: the number of the last name in the story that is told
        self._held: dict[str, Meaning] = {}  #: by name what somebody was accused of, as it was told
        #: names that facts have in the world that was told last, and by which they are told, where those differ: a name
        #: is told once, and who has heard it may answer by it
        self.renamed: dict[str, str] = {}

    def tell_all(self, story: Story, state: State, now: c.Ms) -> list[c.AnyEvent]:
        """There is one world: whatever it holds is told, what comes late as of ``now``."""
        if story is self._at and not self._waiting:
            return []
        self._numbered = state.numbered
        late, facts = self._new(story, state)
        self._at, self._waiting, self._ambiguous = story, [], []
        if not late and facts[0].ms >= self._last and NOTED.isdisjoint(map(type, facts)):
            self._last = facts[-1].ms
            return list(facts)  # as often as not: nothing but touches and what they oblige to
        return [self._now(fact, now if late else fact.ms) for fact in facts]

    def has_told(self, names: Sequence[str]) -> bool:
        """Whether what goes by these names was told, and none of it waits: that an illegal move was released may be
        told, and that it was completed not yet."""
        waiting = {fact.id for fact in self._waiting if isinstance(fact, c.Notable)}
        return waiting.isdisjoint(names) and not self._names.isdisjoint(names)

    @property
    def offences(self) -> Collection[Meaning]:
        """What was told of that somebody did against the rules."""
        return self._held.values()

    def keep_quiet(self, name: str | None) -> None:
        """What goes by that name was to be told just now, and is not."""
        if name:
            self._names.discard(name)
            self._quiet.add(name)
            self._held.pop(name, None)

    def goes_on(self, story: Story) -> None:
        """What was told is told by this story, too: the same, begun later."""
        self._at = story

    def take_up(
        self, record: Sequence[c.Move], completed: bool, names: Sequence[str], story: Story, state: State, over: bool
    ) -> list[c.AnyEvent]:
        """The game goes on from what was told of it, perhaps by a version that judged otherwise: the moves in
        ``record``, ``completed`` where the last of them is, and what has these ``names``. What corrects it is told; of
        a game that is ``over`` nothing is, for everybody has its score."""
        self._at, self._waiting, self._ambiguous = story, [], list(state.ambiguous)
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
        return [self._now(fact, state.now) for fact in said]

    def tell(
        self,
        stories: Sequence[Story],
        states: Sequence[State],
        now: c.Ms,
        weights: Sequence[float] = (),
        unseen_at: c.Ms | None = None,
    ) -> list[c.AnyEvent]:
        """There are several, the likeliest first: of the likely ones, ``states``, what they share is told, what comes
        late as of ``now``; an accusation only if all ``stories`` that are possible hold it, or nearly all by their
        ``weights``, and the others blame the same player for something else. What the next scan may excuse of a
        press at ``unseen_at`` waits for that."""
        best, state = stories[0], states[0]
        self._numbered = state.numbered
        agreed = _agreed(states)
        if best is self._at and agreed == self._agreed and ACCUSING.isdisjoint(map(type, self._waiting)):
            return self._doubt(states, agreed, now)  # as nearly always: what waits waits for the same
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
                disputed = disputed and fact.side not in sure  # it is completed by now
            follows = any(type(each) in (c.Move, c.Illegal) for each in waiting) and not _beside(fact, facts)
            if open_yet or disputed or follows:
                waiting.append(fact)
            else:
                told.append(self._now(fact, now if late else fact.ms))
        self._at, self._waiting, self._agreed = best, waiting, agreed
        return told + self._doubt(states, agreed, now)

    def _doubt(self, states: Sequence[State], agreed: int, now: c.Ms) -> list[c.AnyEvent]:
        """Between which moves nobody can tell after that ply, unless that was told."""
        moves = sorted({name for each in states if (name := _first_open(each, agreed)) is not None})
        if len(moves) < 2 or moves == self._ambiguous:
            return []
        self._ambiguous = moves
        return [self._now(c.Ambiguous(ms=now, board=states[0].board, moves=moves), now)]

    def told_at(self, ms: c.Ms) -> c.Ms:
        """When something is told that is told at ``ms``: no earlier than what was told before it."""
        self._last = max(self._last, ms)
        return self._last

    def _now(self, fact: c.AnyEvent, ms: c.Ms) -> c.AnyEvent:
        """The fact as it is told at ``ms``, and no earlier than what was told before it."""
        if type(fact) is c.Move:
            self._record.append(fact)
        elif type(fact) is c.Retract and self._record:
            self._record.pop()
        elif type(fact) in UNTIL:
            self._standing.add(type(fact))
        elif type(fact) in UNTIL.values():
            self._standing -= {began for began, over in UNTIL.items() if over is type(fact)}
        if fact.ms != self.told_at(ms):
            fact = replace(fact, ms=self._last)
        return self._named(fact) if type(fact) in c.NOTABLE else fact

    def _named(self, fact: Any) -> c.AnyEvent:
        """The fact by a name that no other was told by; as it is where it has none."""
        name, board = fact.id, fact.board or ""
        if name in self._names or name in self._quiet:
            self._highest = max(self._highest, self._numbered)  # what waits to be told has names, too
            self.renamed[name] = name = f"{board}{self._highest + 1}"
            fact = replace(fact, id=name)
        if name:
            if type(fact) in OFFENCES:
                self._held[name] = meaning(fact)
            self._names.add(name)
            self._highest = max(self._highest, int(name.removeprefix(board)))
        named: c.AnyEvent = fact
        return named

    def _new(self, story: Story, state: State) -> tuple[bool, Sequence[c.AnyEvent]]:
        """What is to be told to come from what was told to this story, and whether it is told late."""
        before, after = self._at, story
        if after.up is before and not self._waiting:
            return False, after.facts  # as nearly always
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
            return bool(self._waiting), _less_taken_back([*self._waiting, *came]) if self._waiting else came
        lost = {id(fact) for fact in gone}
        over = tuple(UNTIL.values())  # whether that is so is asked anew of the story that is followed now
        still = [fact for fact in self._waiting if id(fact) not in lost and not isinstance(fact, over)]
        unsaid = {id(fact) for fact in self._waiting}
        held = [fact for fact in gone if id(fact) not in unsaid]
        came = [fact for fact in came if not self._has_told_of(fact)]
        return True, self._instead(held, _less_taken_back([*still, *came]), state)

    def _has_told_of(self, fact: c.AnyEvent) -> bool:
        """Whether that was told, in a story that was followed before another one, and is again."""
        if type(fact) is c.Stalled:
            return c.Stalled in self._standing
        return isinstance(fact, c.Illegal | c.Violation) and self._held.get(fact.id or "") == meaning(fact)

    def _instead(self, gone: list[c.AnyEvent], came: list[c.AnyEvent], state: State) -> list[c.AnyEvent]:
        """What takes back the facts that no longer hold, and tells those that do and were not told."""
        numbers, record, same = self._record_of(state)
        said = self._taken_back(same, state)
        # Moves told before the stories parted, and taken back in the other since.
        coming = {_of(fact) for fact in came if type(fact) is c.Move}
        for at, move in zip(numbers[same:], record[same:], strict=True):
            said += [] if move in coming else _as_made(state, at)
        said += self._untold(gone, came, record[same:])
        for began, holds in ((c.Stalled, state.stalled), (c.Displaced, bool(state.displaced))):
            over = UNTIL[began]
            stands = next((type(fact) is began for fact in reversed(said) if type(fact) in (began, over)), None)
            if not holds and (began in self._standing if stands is None else stands):
                said.append(over(ms=state.now, board=state.board))
        return said

    def _record_of(self, state: State) -> tuple[list[int], list[tuple[int, str]], int]:
        """The moves made in a state that are reported: their numbers, what they are, and how many of them were told."""
        numbers = [at for at, made in enumerate(state.made) if made.reported and made.move]
        record = [(state.made[at].ply, uci(state.made[at].move)) for at in numbers]
        same = 0
        while same < min(len(self._record), len(record)) and record[same] == _of(self._record[same]):
            same += 1
        return numbers, record, same

    def _taken_back(self, same: int, state: State) -> list[c.AnyEvent]:
        """The moves told are taken back, from the last one, down to the first so many."""
        said: list[c.AnyEvent] = []
        for number in range(len(self._record) - 1, same - 1, -1):
            fen = self._record[number - 1].fen if number else state.start.fen()
            said.append(c.Retract(ms=state.now, board=state.board, uci=self._record[number].uci, fen=fen))
        return said

    def _untold(self, gone: list[c.AnyEvent], came: list[c.AnyEvent], due: list[tuple[int, str]]) -> list[c.AnyEvent]:
        """What has come and was not told in what is gone; of moves those that are ``due``."""
        known = {meaning(fact): fact for fact in gone if type(fact) not in (c.Move, c.Retract, c.Completed)}
        completed = {(fact.side, fact.uci) for fact in gone if type(fact) is c.Completed}
        last = {_of(fact) if type(fact) is c.Move else type(fact): number for number, fact in enumerate(came)}
        said: list[c.AnyEvent] = []
        for number, fact in enumerate(came):
            if type(fact) is c.Retract:
                wanted = False
            elif type(fact) is c.Move:
                wanted = _of(fact) in due and last[_of(fact)] == number
            elif type(fact) is c.Completed:
                wanted = (fact.side, fact.uci) not in completed or any(fact.uci == move for _, move in due)
            elif (told := known.pop(meaning(fact), None)) is not None:
                wanted = False
                if isinstance(fact, c.Notable) and isinstance(told, c.Notable) and fact.id and told.id:
                    self.renamed[fact.id] = told.id
            else:
                wanted = type(fact) not in PRESENT or last[type(fact)] == number
            said += [fact] if wanted else []
        return said


def _may_be_excused(fact: c.AnyEvent, loses: bool) -> bool:
    """Whether it is a press that came too early as far as the board has shown; or left a move half done, where the
    board ``loses`` scans."""
    if not isinstance(fact, c.Illegal | c.Violation) or _reported(fact):
        return False
    return fact.kind in ("no-move", "clock-misuse") or (loses and fact.kind.startswith("unfinished"))


def _accuses(fact: c.AnyEvent, of: c.AnyEvent) -> bool:
    """Whether that is what the other fact follows of: a penalty of the same player, or a result, at the same time."""
    if not isinstance(fact, c.Illegal | c.Violation):
        return False
    return fact.ms == of.ms and (not isinstance(of, c.Penalty) or of.side == fact.side)


def _beside(fact: c.AnyEvent, facts: Sequence[c.AnyEvent]) -> bool:
    """Whether that happens whatever hands have done; also what a person has reported, and what is proposed of it."""
    if type(fact) is c.Penalty:
        return any(_reported(each) and (each.side, each.ms) == (fact.side, fact.ms) for each in facts)
    return type(fact) in BESIDE or _reported(fact)


def _reported(fact: c.AnyEvent) -> TypeGuard[c.Illegal | c.Violation]:
    return isinstance(fact, c.Illegal | c.Violation) and fact.basis == "reported"


def _is_agreed(fact: c.AnyEvent, stories: Sequence[Story], weights: Sequence[float]) -> bool:
    """Whether all these stories hold that, which the first does, against somebody; or nearly all, and in no other he is
    less to blame, or his opponent more."""
    what, best = meaning(fact), stories[0]
    holding = [what in story.held for story in stories]
    released = type(fact) is c.Illegal and not fact.completed  # no more than that, so far
    if all(holding) or released or not weights or not isinstance(fact, c.Illegal | c.Violation | c.Penalty):
        return all(holding)
    likely = sum(weight for weight, holds in zip(weights, holding, strict=True) if holds)
    others = [story for story, holds in zip(stories, holding, strict=True) if not holds]
    return likely >= ACCUSED * sum(weights) and all(_blames_as_much(story, best, fact.side) for story in others)


def _blames_as_much(story: Story, best: Story, side: c.Side) -> bool:
    """Whether that story blames a player for no less, and his opponent for no more."""
    more, white = story.accused - best.accused, story.white - best.white
    his, theirs = (white, more - white) if side == c.WHITE else (more - white, white)
    return his >= 0 >= theirs


def _less_taken_back(untold_facts: list[c.AnyEvent]) -> list[c.AnyEvent]:
    """What was not told yet, less the moves that were taken back before they could be, and all that is said of them."""
    facts: list[c.AnyEvent] = []
    for fact in untold_facts:
        if type(fact) is c.Retract:
            gone = next((each for each in reversed(facts) if type(each) is c.Move), None)
            if gone is not None and gone.uci == fact.uci:
                facts = [each for each in facts if each is not gone and not _about(each, gone)]
                continue
        facts.append(fact)
    return facts


def _about(fact: c.AnyEvent, move: c.Move) -> bool:
    """Whether a fact is about that move."""
    if type(fact) is c.Completed or type(fact) is c.Violation or type(fact) is c.Illegal:
        return fact.side == move.side and fact.uci == move.uci
    return False


def _of(move: c.Move) -> tuple[int, str]:
    """What tells a move from another one."""
    return move.ply, move.uci


def _as_made(state: State, at: int) -> list[c.AnyEvent]:
    """What is told of move number ``at``, made before the stories parted."""
    told = report(replace(state, facts=()), at)
    return list((report_completed(told, at) if state.made[at].completed else told).facts)


_WHEN = ("id", "ms", "touched_ms", "since_ms", "confidence", "others")


def meaning(fact: c.AnyEvent) -> Meaning:
    """Equal for facts that say the same, whenever, and however sure it is."""
    fields = asdict(fact)
    for name in _WHEN if type(fact) is c.Clock else (*_WHEN, "white_ms", "black_ms"):
        fields.pop(name, None)
    return (type(fact), repr(fields))


def _agreed(states: Sequence[State]) -> int:
    """Up to which ply all have made the same moves, in the same order."""
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
    """The first move after that ply."""
    first = None
    for made in reversed(state.made):  # the last few of a game, of all
        if made.ply <= agreed:
            break
        first = made if made.move else first
    return None if first is None else uci(first.move)
