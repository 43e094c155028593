"""What was told of a game before it was taken up, perhaps by a version that judged otherwise. What was told stands.

A game goes on from its inputs, which are judged again. Where they are now judged otherwise than was told, the people
who follow the game must not be left with another game: a told move that no longer holds is taken back, a notice that
awaits a ruling keeps its names, taking a game up accuses nobody, and a name is never given twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

from chess import Move
from msgspec import Struct, field
from msgspec.structs import replace

from controller import contract as c
from controller.belief.reporter import meaning
from controller.laws.editions import Price
from controller.laws.moves import finish
from controller.laws.notices import about, on_move, open_notice
from controller.laws.record import Made, What
from controller.laws.state import State
from controller.laws.touch import Owed
from controller.position import names, uci


class OpenCase(Struct):
    """A told case that awaits a ruling."""

    ids: list[str]  #: of the events that are about it
    fact: c.Violation | c.Illegal | c.Penalty | c.Result
    ply: int = 0  #: of the move that it is about, or before which it happened; 0: it is about no move
    prices: list[Price] = field(default_factory=list)  #: proposed and not yet applied
    fine: str = ""  #: the clause that sets these prices


class Told:
    """What was told of one board's game so far, and what was ruled: a fold over these events and rulings."""

    def __init__(self, told: Iterable[c.AnyEvent | c.Arbiter] = ()) -> None:
        self.record: list[c.Move] = []  #: the moves, less those taken back
        self.completed = False  #: the last of these moves is completed
        self.named: list[tuple[tuple[Any, ...], str]] = []  #: of each fact that may await a person: meaning and name
        self.cases: list[OpenCase] = []  #: what awaits a ruling, oldest first
        self.counts: dict[c.Side, int] = {c.WHITE: 0, c.BLACK: 0}  #: completed illegal moves
        self.fined: dict[c.Side, int] = {c.WHITE: 0, c.BLACK: 0}  #: of those, the ones with a price
        self.owed: c.Obligation | None = None  #: in the turn in progress
        self.displaced: tuple[str, ...] = ()
        self.stalled = False
        self.ambiguous: tuple[str, ...] = ()
        self.result: c.Result | None = None  #: the final one
        self.match_over = False  #: the match that this game belongs to is over
        self._correction: c.Arbiter | None = None  #: the latest item, if it corrects the record: that may fail
        for item in told:
            self._hear(item)

    @property
    def over(self) -> bool:
        """Whether the game is over as told, so that everybody has its score."""
        return self.result is not None or self.match_over

    def _hear(self, item: c.AnyEvent | c.Arbiter) -> None:
        if isinstance(item, c.Notable):
            self.named.append((meaning(item), item.id))
        if self._correction is not None and isinstance(item, c.Move | c.Retract):
            self._correct(self._correction)
        self._correction = item if isinstance(item, c.Arbiter) and item.do == "correct" else None
        match item:
            case c.Move():
                self.record.append(item)
                self.completed, self.owed = False, None
            case c.Retract():
                self._take_back(item)
            case c.Completed():
                self.completed = True
            case c.Obligation():
                self.owed = None if item.must == "none" else item
            case c.Displaced() if item.shows:
                self.displaced = tuple(item.squares)
            case c.Restored():
                self.displaced = ()
            case c.Stalled() | c.Followed():
                self.stalled = isinstance(item, c.Stalled)
            case c.Ambiguous():
                self.ambiguous = tuple(item.moves)
            case c.Violation(report="arbiter", id=id_) if id_:
                self.cases.append(OpenCase([id_], item))
            case c.Illegal(completed=True):
                self.counts[item.side] = item.count
                if item.id and item.report == "arbiter":
                    last = self.record[-1] if self.record else None
                    stands = last is not None and (last.side, last.uci) == (item.side, item.uci)
                    self.cases.append(OpenCase([item.id], item, len(self.record) + (not stands)))
            case c.Penalty():
                self._price(item)
            case c.Result(status="final"):
                self.result, self.cases = item, []
            case c.Match():
                self.match_over = True
            case c.Result(id=id_) if id_:  # it is proposed, even if it was final before
                self.result = None
                self.cases.append(OpenCase([id_], item))
            case c.Arbiter(do="warn" | "postpone", answers=None):
                pass
            case c.Arbiter(do=do) if do in c.ANSWERS:
                self._rule(item)

    def _take_back(self, item: c.Retract) -> None:
        """Take the last move back. An illegal move was completed all the same, so its case stays; a violation goes with
        its move."""
        self.completed, self.owed = True, None
        if self.record:
            self.record.pop()
        self.cases = [
            case for case in self.cases if not (isinstance(case.fact, c.Violation) and case.fact.uci == item.uci)
        ]

    def _price(self, item: c.Penalty) -> None:
        """Add the price to the latest case of that player, if it can be of that; else the penalty is a case itself."""
        last = next((case for case in reversed(self.cases) if getattr(case.fact, "side", None) == item.side), None)
        if item.status == "applied":
            return
        if last is None or (isinstance(last.fact, c.Violation) and item.kind != "discretion"):
            last = OpenCase([], item)
            self.cases.append(last)
        if isinstance(last.fact, c.Illegal) and not last.prices:
            self.fined[item.side] += 1
        last.ids += [item.id] if item.id else []
        last.prices.append(Price(item.kind, item.time_ms))
        last.fine = item.article

    def _correct(self, item: c.Arbiter) -> None:
        """Close the cases about moves that the correction removes (:mod:`controller.laws.correction`)."""
        first = item.ply or 1
        left = len(self.record) + 1 - first
        replaced = len(item.moves) if item.replaces is None else item.replaces
        past = first + replaced if left > 0 and replaced <= left else inf
        for case in [case for case in self.cases if first <= case.ply < past]:
            self._annul(case)

    def _annul(self, case: OpenCase) -> None:
        """Close a case that was no offence: the illegal move is not counted either."""
        self.cases.remove(case)
        if isinstance(case.fact, c.Illegal):
            self.counts[case.fact.side] -= 1
            self.fined[case.fact.side] -= bool(case.prices)

    def _rule(self, item: c.Arbiter) -> None:
        """Close the case that the ruling names, else the oldest."""
        answered = next((each for each in self.cases if item.answers is None or item.answers in each.ids), None)
        if answered is None:
            return
        if item.do == "dismiss":
            self._annul(answered)
        else:
            self.cases.remove(answered)


def unlike(told: Told, s: State) -> tuple[bool, bool]:
    """How far a state is from what was told: whether its moves differ, and whether its last one differs in being
    completed."""
    mine, theirs = recorded(s), [(move.ply, move.uci) for move in told.record]
    last = [made for made in s.made if made.reported and made.move][-1:]
    return mine != theirs, bool(last) and last[0].completed != told.completed


def recorded(s: State) -> list[tuple[int, str]]:
    """The reported moves of a state, each with its ply."""
    return [(made.ply, uci(made.move)) for made in s.made if made.reported and made.move]


def taken_up(s: State, told: Told, facts: Sequence[c.AnyEvent]) -> State:
    """The state with what was told: names, open notices, what is owed and what is displaced. ``facts``: its story."""
    by_names = _renamed(told, facts)
    known = {fact.id for fact in facts if isinstance(fact, c.Notable)}
    ever = {name for _, name in told.named}
    # Of a fact too old to be in the story only the name is known.
    by_names |= {name: name for notice in s.notices for name in notice.ids if name not in known and name in ever}
    notices = [
        replace(notice, ids=_told_names(notice.ids, by_names))
        for notice in s.notices
        if not notice.ids or _told_names(notice.ids, by_names) or not by_names.keys().isdisjoint(notice.ids)
    ]
    numbers = [s.number_of(name) for name in ever if name]
    s = replace(
        s,
        notices=tuple(notices),
        made=tuple([_held_by(made, by_names) for made in s.made]),
        numbered=max([s.numbered, *numbers]),
        counts=told.counts,
        fined=told.fined,
        displaced=told.displaced,
        stalled=told.stalled,
        ambiguous=told.ambiguous,
        facts=(),
    ).turning(astray_ids=_told_names(s.turn.astray_ids, by_names))
    here = set(by_names.values())
    for case in told.cases:
        if here.isdisjoint(case.ids):
            s = _open_again(s, case)
    firsts = {notice.number: min(map(s.number_of, notice.ids), default=0) for notice in s.notices}
    s = replace(s, notices=tuple(sorted(s.notices, key=lambda notice: firsts[notice.number])))
    if told.result is not None and s.result is None:
        over = finish(s, told.result.result, told.result.reason, told.result.article)
        s = replace(over, facts=s.facts)
    return _owing(s, told)


def _renamed(told: Told, facts: Sequence[c.AnyEvent]) -> dict[str, str]:
    """The name under which each fact was told, by its present name; empty where it was told without a name."""
    told_by: dict[tuple[Any, ...], list[str]] = {}
    for said, name in told.named:
        told_by.setdefault(said, []).append(name)
    by_names: dict[str, str] = {}
    for fact in facts:
        if isinstance(fact, c.Notable) and fact.id and (left := told_by.get(meaning(fact))):
            by_names[fact.id] = left.pop(0)
    return by_names


def _told_names(ids: tuple[str, ...], by_names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple([name for id_ in ids if (name := by_names.get(id_))])


def _held_by(made: Made, by_names: Mapping[str, str]) -> Made:
    if not made.held:
        return made
    return replace(made, held={what: _told_names(ids, by_names) for what, ids in made.held.items()})


def _open_again(s: State, case: OpenCase) -> State:
    """Open a told case again though the inputs no longer lead to it, as a person has heard of it. If its move is still
    in the game, a ruling leads back to before that move; else it leads nowhere."""
    fact, ids = case.fact, tuple(case.ids)
    if isinstance(fact, c.Result):
        side = c.BLACK if fact.result == "1-0" else c.WHITE
        notice = replace(about(s, side, "result", fact.article, ids), result=fact)
    elif isinstance(fact, c.Penalty):
        notice = about(s, fact.side, "discretion", fact.article, ids)
    else:
        what: What = "illegal" if isinstance(fact, c.Illegal) else "violation"
        told = (fact.side, fact.uci)
        at = next(
            (at for at in range(len(s.made) - 1, -1, -1) if (s.made[at].side, uci(s.made[at].move)) == told), None
        )
        if at is None:
            notice = about(s, fact.side, what, fact.article, ids)
        else:
            notice = on_move(s.made[at], at, what, fact.article, ids)
    return open_notice(s, replace(notice, prices=tuple(case.prices), fine=case.fine))


def _owing(s: State, told: Told) -> State:
    """The state in which what is owed is told again, if it differs from what was told last."""
    if s.result is not None:
        return s
    owed, said = s.owed, told.owed
    before = None if said is None else Owed(said.must, tuple(map(Move.from_uci, said.moves)), said.article)
    if owed is not None and before is not None:
        same = (owed.must, names(owed.moves), owed.clause) == (before.must, names(before.moves), before.clause)
        before = owed if same else before
    return replace(s, owed=before).derive()
