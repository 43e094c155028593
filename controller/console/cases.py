"""Cases: what wants the arbiter, from the events of one board; what each rests on, what he may do, what he did.

One case is all that came of one input: an illegal move, its price and the result that is proposed belong together. But
that pieces have to be put back is a case of its own, for it outlasts the ruling. What awaits a ruling, and by which id
a ruling names it, is not guessed here: the daemon tells it, with the number of the input that it came of.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, field

from controller import contract as c
from controller.console.naming import Naming
from controller.console.sight import TimeLine
from controller.outlets.mqtt.docket import Open
from controller.outlets.scoresheet import Entry
from controller.words import LanguageCode
from controller.words.say import Said

CaseState = Literal["open", "told", "held", "board", "times", "closed"]
"""It awaits a ruling; it is to be seen; it waits for a player's claim; the pieces must be put right; they are, and the
times proposed for the clocks are neither applied nor declined; it is done with."""

UPHOLD = frozenset(
    (
        "uphold the breach",
        "uphold the illegal move",
        "uphold the loss",
        "uphold the claim",
        "begin anew",
        "apply the penalty",
        "choose a penalty",
        "confirm the result",
        "grant the increment",
        "stop the clocks",
    )
)
"""What is said of upholding, by its id in the catalogues."""
DISMISS = frozenset(
    (
        "dismiss the breach",
        "dismiss the illegal move",
        "play on",
        "dismiss",
        "refuse the result",
        "refuse the increment",
        "reject the claim",
        "reject it",
    )
)
PRICED = frozenset(("uphold the illegal move", "uphold the loss", "uphold the claim"))
"""Upholding these applies the penalty that is proposed with them: one ruling, not two."""
OF_THE_PENALTY = frozenset(("apply the penalty", "dismiss"))
ENDS = frozenset(("uphold the loss", "confirm the result", "begin anew"))
"""Upholding these ends the game, as applying a penalty of :data:`LOST` does."""
LOST = ("loss", "draw")
ALWAYS = ("uphold", "dismiss")  #: every notice may be answered so
OUTCOMES = {do: row.outcome for do, row in c.RULINGS.items() if row.outcome}
"""What has become of a case by the ruling that answered it."""
TOOLS = {
    "set the clocks": "set-clock",
    "give time": "set-clock",
    "another result": "result",
    "settle the move": "result",
    "give the result": "result",
    "declare a draw": "result",
    "take back": "undo",
    "set the record right": "correct",
    "go on": "resume",
    "warn": "warn",
    "watch on": "postpone",
    "watch on and give time": "postpone extra",
}
"""What else can be done from the page; the rest is done at the board, by word of mouth."""

CASES = (
    c.Violation,
    c.Illegal,
    c.Penalty,
    c.Displaced,
    c.Stalled,
    c.Claimed,
    c.Flag,
    c.Ambiguous,
    c.Interrupted,
    c.Result,
)
"""What a case may begin with."""

KEPT = 60  #: so many cases of a game are shown, and what an arbiter did besides
Words = dict[LanguageCode, Said]


class Case(Struct):
    """What came of one input. Times are ms of the session."""

    input: int
    seq: int  #: of the first record; its name. Of what an arbiter did of himself the number of the input, negative
    ms: int
    state: CaseState
    events: list[c.AnyEvent]
    said: list[Words]  #: the same in words
    line: TimeLine | None = None
    naming: Naming | None = None  #: where it asks only which piece was set down
    #: of a closed one: of :data:`OUTCOMES`, or ``restored``, ``settled``, ``seen``, ``undone`` with what it came of; of
    #: its clocks ``set`` or ``kept``;
    #: of a piece ``named``, ``supposed`` or ``shown``
    outcome: str = ""
    by: str | None = None  #: who ruled
    ruled_ms: int | None = None
    wall_ms: int | None = None  #: when it came, and was ruled upon, in ms since 1970; None where that is not known
    ruled_wall_ms: int | None = None
    after: list[Words] = field(default_factory=list)  #: what came of the ruling
    words: str = ""  #: what who ruled said to it
    witnesses: tuple[str, ...] = ()
    #: squares on which another piece stands than should, as the record has it, though the board shows one there: until
    #: it is lifted
    swapped: set[str] = field(default_factory=set)
    clocks_answered: bool = False  #: the times proposed for the clocks were applied or declined
    played_on: bool = False  #: since the pieces are back

    @property
    def times(self) -> tuple[int, int] | None:
        """What the clocks are proposed to show, White's and Black's in ms, until that is applied or declined."""
        shown = next((event for event in self.events if isinstance(event, c.Displaced | c.Restored)), None)
        if shown is None or shown.white_ms is None or shown.black_ms is None or self.clocks_answered:
            return None
        return shown.white_ms, shown.black_ms

    @property
    def proposes(self) -> bool:
        """Whether an arbiter has still to say what the clocks shall show."""
        return self.state in ("board", "times") and self.times is not None

    @property
    def ends(self) -> bool:
        """Whether upholding it ends the game."""
        lost = any(isinstance(event, c.Penalty) and event.kind in LOST for event in self.events)
        return lost or any(key in ENDS for said in self.said for key in said["en"].options)

    def offers(self, *, timed: bool) -> Iterator[tuple[str, str]]:
        """What may be done, by its id in the catalogues, with the command that does it; "" where that is no command.
        ``timed``: the game has clocks, which can be set."""
        keys = dict.fromkeys(key for said in self.said for key in said["en"].options)
        if PRICED & keys.keys():
            keys = dict.fromkeys(key for key in keys if key not in OF_THE_PENALTY)
        acts = {key: "uphold" if key in UPHOLD else "dismiss" if key in DISMISS else TOOLS.get(key, "") for key in keys}
        if self.state != "open":
            acts = {key: act for key, act in acts.items() if act not in ALWAYS and not act.startswith("postpone")}
        else:
            acts |= {act: act for act in ALWAYS if act not in acts.values()}
        yield from ((key, act) for key, act in acts.items() if timed or act != "set-clock")


class Cases:
    """The cases of a game on one board, oldest first. ``lapses``: an illegal move can be claimed no more once the
    opponent has moved."""

    def __init__(self, *, lapses: bool = False) -> None:
        self.all: list[Case] = []
        self._lapses = lapses
        self.version = 0  #: moves on with every change
        self._open: Open = ()
        self._given: c.Arbiter | None = None  # what an arbiter has given, and is being carried out
        self._undoable: int | None = None  # the last input that can be taken back, if it was of an arbiter
        self._came: list[tuple[c.AnyEvent, Words]] = []  # of it

    def answered_by(self, case: Case) -> str | None:
        """The id that a ruling on that case has to name; None where it awaits none."""
        return next((ids[0] for number, ids in self._open if self._of(number, ids) is case), None)

    @property
    def awaits(self) -> bool:
        """Whether one of them awaits a ruling."""
        return any(case.state == "open" for case in self.all)

    @property
    def urgent(self) -> int:
        """How much the board needs the arbiter: 3 a ruling, 2 to be seen or put right, 0 nothing."""
        states = {case.state for case in self.all}
        return 3 if self.awaits else 2 if states & {"told", "board", "times"} else 0

    def has(self, seq: int | None) -> bool:
        """Whether there is a case of that name."""
        return any(case.seq == seq for case in self.all)

    def seen(self, seq: int) -> None:
        """An arbiter has seen that one, or leaves the clocks as they are."""
        for case in self.all:
            if case.seq == seq and case.state == "told":
                self._close(case, "seen")
            elif case.seq == seq and case.proposes:
                self._answer_clocks(case, "kept")

    def seen_before(self) -> None:
        """What was told so far is no news, for it was before this daemon began; but that nobody looked until now is.
        Nor are times for clocks with which play has gone on: the journal does not tell who declined them."""
        for case in self.all:
            told = case.state == "told" and (case is not self.all[-1] or not isinstance(case.events[0], c.Interrupted))
            if told or (case.state == "times" and case.played_on):
                self.seen(case.seq)

    def name(self, said: c.Choose) -> None:
        """A player, or an arbiter for him, names a piece."""
        for case in self.all:
            if case.state == "told" and case.naming and (move := case.naming.means(said)) is not None:
                case.naming.taken, case.by, case.ruled_ms = move, said.by, said.ms
                self._close(case, "named")

    def look(self, record: Sequence[Entry], *, over: bool) -> None:
        """What the record tells of pieces that nobody has named, in a match."""
        for case in self.all:
            asked = case.naming
            if asked is None or not asked.later or (case.state != "told" and case.outcome != "supposed"):
                continue
            before, outcome = (asked.taken, case.outcome), asked.look(record, over=over)
            if outcome is None:
                case.state, case.outcome = "told", ""
                self.version += before != (asked.taken, "")
            elif outcome != case.outcome:
                self._close(case, outcome)

    def lifted(self, occupied: Callable[[str], bool]) -> None:
        """What stands on the board is known anew: where a wrong piece stood, nothing does by now."""
        for case in self.all:
            if case.state == "board" and (gone := {square for square in case.swapped if not occupied(square)}):
                case.swapped -= gone
                self.version += 1

    def begin(self, item: c.AnyInput) -> None:
        """An input begins: its events follow."""
        self._given = item if isinstance(item, c.Arbiter) else None
        self._came = []

    @property
    def _ruling(self) -> c.Arbiter | None:
        """The ruling that is being carried out; None where that is a report."""
        return None if self._given is None or self._given.do == "report" else self._given

    def take(self, number: int, seq: int, event: c.AnyEvent, said: Words) -> Case | None:
        """The next event, in words, of the input of that number. Returns the case that it opens, if it opens one."""
        self._settle(event, number)
        if self._ruling is not None and isinstance(event, c.Penalty | c.Result | c.Warned):
            self._came.append((event, said))
            return None
        state = _state(event)
        if state is None:
            return None
        self.version += 1
        if isinstance(event, c.Displaced):
            if self._ruling is not None and self._ruling.do == "undo":
                self._close_all("settled", ("board",))  # with the ruling, the position that it returned to is gone
            case = next((case for case in self.all if case.state == "board"), None)
            if case is not None and event.beginning is None:
                case.events.append(event)
                case.said = [said]  # which squares those are, as of now
                return None
        elif (case := self._of(number)) is not None and case.state not in ("board", "closed"):
            if isinstance(event, c.Illegal) and _withdrawn(case, event):
                case.events, case.said = [], []  # what was not completed is, with the same press
            case.events.append(event)
            case.said.append(said)
            return None
        elif isinstance(event, c.Ambiguous) and (case := self._asked(event)) is not None and case.naming is not None:
            case.events, case.said, case.naming.moves = [event], [said], event.moves  # of the same piece
            return None
        return self._add(Case(number, seq, event.ms, state, [event], [said]))

    def note(self, number: int, ruling: c.Arbiter, led_to: c.AnyEvent, said: Words) -> Case:
        """An arbiter has done something of himself with the input of that number."""
        case = self._add(Case(number, -number, ruling.ms, "closed", [led_to], [said], outcome="done", by=ruling.by))
        case.words, case.witnesses = ruling.text or ruling.reason or "", ruling.witnesses
        return case

    def end(self, number: int, seq: int, now: Open) -> bool:
        """All events of the input of that number have been taken; ``now`` is what awaits a ruling after it. Whether a
        ruling with that input answered a case."""
        before, self._open = self._open, now
        self.version += before != now
        ruling, came = self._ruling, self._came
        answered = None if ruling is None else _answered(ruling, before, now)
        open_still = {came_of for came_of, _ in now}
        about = next((ids for came_of, ids in now if came_of == number), ())
        if number in open_still and self._of(number, about) is None and came:
            self._add(
                Case(number, seq, came[0][0].ms, "told", [event for event, _ in came], [said for _, said in came])
            )
        for came_of, ids in now:
            self._join(came_of, ids)
        wanted = [self._of(came_of, ids) for came_of, ids in now]
        answered_one = False
        for case in self.all:
            if any(case is each for each in wanted):
                self._await(case)
            elif case.input == answered and case.state == "open" and ruling is not None:
                self._close(case, OUTCOMES[ruling.do])
                case.by, case.ruled_ms, case.after = ruling.by, ruling.ms, [said for _, said in came]
                case.words, case.witnesses = ruling.text, ruling.witnesses
                answered_one = True
            elif ruling is not None and ruling.do == "undo" and self._is_of_what_is_undone(case, ruling):
                self._close(case, "undone")
                case.by, case.ruled_ms = ruling.by, ruling.ms
            elif case.state == "open":
                self._close(case, "settled")
            elif ruling is not None and ruling.do == "set-clock" and case.proposes:
                self._answer_clocks(case, "set", ruling)
                answered_one = True
            elif ruling is not None and ruling.do == "undo" and case.state == "times" and ruling.of in (None, case.ms):
                self._close(case, "settled")  # and so are the times that it proposed
        if self._given is not None and c.RULINGS[self._given.do].undone:
            self._undoable = number
        elif ruling is not None and ruling.do == "undo":
            self._undoable = None
        self._given, self._came = None, []
        return answered_one

    # -- inside --------------------------------------------------------------------------------------------------

    def _is_of_what_is_undone(self, case: Case, undo: c.Arbiter) -> bool:
        """Whether it came of a report that is taken back."""
        if case.state not in ("open", "told"):
            return False
        return case.ms == undo.of if undo.of is not None else case.input == self._undoable

    def _of(self, number: int, ids: Sequence[str] = ()) -> Case | None:
        """What came of that input; that pieces are to be put back only if it was nothing else, and where what awaits a
        ruling has ``ids``, by one of these."""
        cases = [case for case in self.all if case.input == number]
        case = min(cases, key=lambda case: isinstance(case.events[0], c.Displaced), default=None)
        if case is None or not ids or not isinstance(case.events[0], c.Displaced):
            return case
        return case if getattr(case.events[0], "id", None) in ids else None

    def _asked(self, event: c.Ambiguous) -> Case | None:
        """The case that asks already which piece stands there."""
        waiting = [case for case in self.all if case.state == "told" and case.naming is not None]
        return next((case for case in waiting if case.naming and case.naming.square == event.moves[0][2:4]), None)

    def _join(self, number: int, ids: Sequence[str]) -> None:
        """What was kept for a claim, and is claimed with the input of that number, is one case with the claim: that of
        what was done."""
        claim = self._of(number)
        kept = next(
            (case for case in self.all if case.state == "held" and getattr(case.events[0], "id", None) in ids), None
        )
        if kept is not None and claim is not None and claim is not kept:
            kept.input, kept.events, kept.said = number, kept.events + claim.events, kept.said + claim.said
            self.all.remove(claim)
            self.version += 1

    def _add(self, case: Case) -> Case:
        lasting = [each for each in self.all[:-KEPT] if each.state != "closed"]
        self.all = [*lasting, *self.all[-KEPT:], case]
        self.version += 1
        return case

    def _await(self, case: Case) -> None:
        """It awaits a ruling, for the first time or once more."""
        if case.state != "open":
            case.state, case.outcome, case.by, case.after = "open", "", None, []
            case.ruled_ms = case.ruled_wall_ms = None
            self.version += 1

    def _settle(self, event: c.AnyEvent, number: int) -> None:
        """What an event of the input of that number closes, of that which awaits no ruling and came of another; what
        does, :meth:`end` closes: it knows the ruling."""
        match event:
            case c.Restored():
                for case in self.all:
                    if case.state == "board" and case.proposes:
                        case.state = "times"
                        self.version += 1
                self._close_all("restored", ("board",))
            case c.Followed():
                for case in self.all:
                    if case.state == "told" and isinstance(case.events[0], c.Stalled):
                        self._close(case, "settled")
            case c.Result(status="final"):
                self._close_all("settled", ("held", "board", "times", "told"))
            case c.Retract() | c.Move() | c.Illegal():
                self._undoable = None if isinstance(event, c.Move) else self._undoable
                for case in self.all:
                    case.played_on = case.played_on or case.state == "times"
                    if case.state not in ("held", "told") or case.input == number:
                        continue
                    if _withdrawn(case, event) or (self._lapses and _has_lapsed(case, event)):
                        self._close(case, "settled")
            case _:
                pass

    def _answer_clocks(self, case: Case, outcome: str, ruling: c.Arbiter | None = None) -> None:
        """The times proposed are applied, or declined; with that it is done, where the pieces are back."""
        case.clocks_answered = True
        self.version += 1
        if case.state == "times":
            self._close(case, outcome)
            if ruling is not None:
                case.by, case.ruled_ms = ruling.by, ruling.ms

    def _close_all(self, outcome: str, states: Iterable[CaseState]) -> None:
        for case in self.all:
            if case.state in states and not (case.naming and case.naming.later):  # which :meth:`look` closes
                self._close(case, outcome)

    def _close(self, case: Case, outcome: str) -> None:
        case.state, case.outcome = "closed", outcome
        self.version += 1


def _answered(ruling: c.Arbiter, before: Open, now: Open) -> int | None:
    """The input of which came what that ruling answered; None where it answered nothing."""
    meant = [entry for entry in before if ruling.answers is None or ruling.answers in entry[1]]
    if ruling.do not in OUTCOMES or not meant or (ruling.do == "warn" and ruling.answers is None):
        return None
    number = meant[0][0]
    return number if sum(each == number for each, _ in now) < sum(each == number for each, _ in before) else None


def _withdrawn(case: Case, later: c.Move | c.Retract | c.Illegal) -> bool:
    """Whether what a case began with has no object any more: its move was taken back, shown, or can be claimed no more;
    or what was not completed has been since.
    """
    event = case.events[0]
    if isinstance(event, c.Illegal):
        return not event.completed and (isinstance(later, c.Retract) or later.side == event.side)
    if isinstance(later, c.Illegal):
        return False
    if isinstance(event, c.Ambiguous):
        return case.naming is None or not case.naming.later
    if not isinstance(event, c.Violation):
        return False
    if isinstance(later, c.Retract):
        return event.uci == later.uci
    return event.report == "on-claim" and later.side != event.side


def _has_lapsed(case: Case, later: c.Move | c.Retract | c.Illegal) -> bool:
    """Whether the illegal move that it is about can be claimed no more, as the opponent has moved."""
    event = case.events[0]
    if not isinstance(event, c.Illegal) or not event.completed or case.state != "held":
        return False
    return isinstance(later, c.Move) and later.side != event.side


def _state(event: c.AnyEvent) -> CaseState | None:
    """What a case is when it begins with that event, as long as no ruling is awaited; None for what is no case."""
    if isinstance(event, c.Displaced):
        return "told" if event.remedy == "play-on" or not event.shows else "board"
    if isinstance(event, c.Restored) and event.white_ms is not None:
        return "times"
    if not isinstance(event, CASES):
        return None
    if isinstance(event, c.Result) and event.status == "final":
        return None
    return "held" if getattr(event, "report", "arbiter") == "on-claim" else "told"
