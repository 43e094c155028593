"""Cases: what wants the arbiter, from the events of one board; what each rests on, what he may do, what he did.

One case is all that came of one input: an illegal move, its price and the result that is proposed belong together.
Which case a ruling answers is not in the journal, but the rule is: `uphold` and `dismiss` answer the oldest that is
open (the contract, "Rulings"). A case that waits for nobody is told, and closed once an arbiter has seen it.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, field

from controller.console.sight import TimeLine
from controller.contract import (
    Ambiguous,
    AnyEvent,
    Arbiter,
    Claimed,
    Displaced,
    Flag,
    Illegal,
    Penalty,
    Restored,
    Result,
    Retract,
    Violation,
)
from controller.words import LanguageCode
from controller.words.say import Said

State = Literal["open", "told", "held", "board", "closed"]
"""It awaits a ruling; it is to be seen; it waits for a player's claim; the men must be put right; it is done with."""

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
    )
)
TOOLS = {
    "set the clocks": "set-clock",
    "give time": "set-clock",
    "another result": "result",
    "settle the move": "result",
    "declare a draw": "result",
    "take back": "undo",
    "go on": "resume",
}
"""What else can be done from the page; the rest is done at the board, by word of mouth."""

KEPT = 40  #: so many cases of a game are shown


class Case(Struct):
    """What came of one input. Times are ms of the session."""

    seq: int  #: of the first record; its name
    ms: int
    state: State
    events: list[AnyEvent]
    said: list[dict[LanguageCode, Said]]  #: the same in words
    line: TimeLine | None = None
    outcome: str = ""  #: of a closed one: ``upheld``, ``dismissed``, ``restored``, ``settled``, ``seen``
    by: str | None = None  #: who ruled
    ruled_ms: int | None = None
    ruled_ply: int = 0  #: how many moves had been made when it was ruled on
    after: list[dict[LanguageCode, Said]] = field(default_factory=list)  #: what came of the ruling

    def offers(self) -> Iterator[tuple[str, str]]:
        """What may be done, by its id in the catalogues, with the command that does it; "" where that is no command."""
        for key in dict.fromkeys(key for said in self.said for key in said["en"].options):
            yield key, "uphold" if key in UPHOLD else "dismiss" if key in DISMISS else TOOLS.get(key, "")


class Cases:
    """The cases of one game on one board, oldest first."""

    def __init__(self) -> None:
        self.all: list[Case] = []
        self.version = 0  #: moves on with every change
        self._ruled: list[Case] = []
        self._input: Arbiter | None = None  # the ruling being carried out
        self._came = False  # something of it

    @property
    def oldest(self) -> Case | None:
        """The one that the next `uphold` or `dismiss` answers."""
        return next((case for case in self.all if case.state == "open"), None)

    @property
    def urgent(self) -> int:
        """How much the board needs the arbiter: 3 a ruling, 2 to be seen or put right, 0 nothing."""
        states = {case.state for case in self.all}
        return 3 if "open" in states else 2 if states & {"told", "board"} else 0

    def seen(self, seq: int) -> None:
        """An arbiter has seen that one."""
        for case in self.all:
            if case.seq == seq and case.state == "told":
                self._close(case, "seen")

    def all_seen(self) -> None:
        """Nothing of what was told so far is news: it was before this daemon began."""
        for case in self.all:
            self.seen(case.seq)

    def rule(self, item: Arbiter, ply: int, unchanged: bool) -> None:
        """A ruling begins: its events follow. ``unchanged``: nothing was played since the last one."""
        self._input, self._came = item, False
        if item.do in ("uphold", "dismiss") and (case := self.oldest) is not None:
            self._close(case, "upheld" if item.do == "uphold" else "dismissed", item, ply)
            self._ruled.append(case)
        elif item.do == "undo" and self._ruled and unchanged and self._ruled[-1].ruled_ply >= ply:
            case = self._ruled.pop()
            case.state, case.outcome, case.by, case.ruled_ms, case.after = "open", "", None, None, []
            self.version += 1

    def end_of_input(self) -> None:
        """The input's events have all come. An `uphold` of which nothing came has found nothing open."""
        item, self._input = self._input, None
        if item is not None and item.do == "uphold" and not self._came:
            for case in self.all:
                if case.state == "open" or (self._ruled and case is self._ruled[-1]):
                    self._close(case, "settled")

    def take(self, seq: int, event: AnyEvent, said: dict[LanguageCode, Said], same_input: bool) -> Case | None:
        """The next event, in words. Returns the case it opens, for its time line to be drawn; None if it opens none."""
        self._came = True
        self._settle(event)
        if self._input is not None and isinstance(event, Penalty | Result):
            if self._ruled and self._ruled[-1].ruled_ms == self._input.ms:
                self._ruled[-1].after.append(said)
                self.version += 1
            if self._input.do != "report":
                return None
        state = _state(event, said)
        if state is None:
            return None
        self.version += 1
        if isinstance(event, Displaced):
            for case in self.all:
                if case.state == "board":
                    self._close(case, "settled")
        last = self.all[-1] if self.all else None
        if same_input and last is not None and last.state != "closed" and not isinstance(event, Displaced):
            last.events.append(event)
            last.said.append(said)
            last.state = min(last.state, state, key=_RANK.index)
            return None
        case = Case(seq, event.ms, state, [event], [said])
        self.all = [*self.all[-KEPT:], case]
        return case

    def _settle(self, event: AnyEvent) -> None:
        """What an event closes."""
        match event:
            case Restored():
                self._close_all("restored", ("board",))
            case Result(status="final"):
                self._close_all("settled", ("open", "held", "board", "told"))
            case Retract():
                for case in self.all:
                    if case.state in ("open", "held", "told") and self._withdrawn(case, event.uci):
                        self._close(case, "settled")
            case _:
                pass

    def _withdrawn(self, case: Case, uci: str) -> bool:
        """Whether a case has no object any more once that move is taken back. A completed illegal move keeps its price,
        unless the game returns to before it by a ruling on something older.
        """
        for event in case.events:
            if isinstance(event, Violation) and event.uci == uci:
                return True
            if isinstance(event, Illegal) and self._input is not None and self._ruled:
                return event.uci is not None and case.seq > self._ruled[-1].seq
            if isinstance(event, Ambiguous):
                return True
        return False

    def _close_all(self, outcome: str, states: Iterable[State]) -> None:
        for case in self.all:
            if case.state in states:
                self._close(case, outcome)

    def _close(self, case: Case, outcome: str, ruling: Arbiter | None = None, ply: int = 0) -> None:
        case.state, case.outcome = "closed", outcome
        if ruling is not None:
            case.by, case.ruled_ms, case.ruled_ply = ruling.by, ruling.ms, ply
        self.version += 1


_RANK: list[State] = ["open", "board", "told", "held", "closed"]


def _state(event: AnyEvent, said: dict[LanguageCode, Said]) -> State | None:
    """What a case is when it begins with that event; None for what is no case."""
    if not isinstance(event, Violation | Illegal | Penalty | Displaced | Claimed | Flag | Ambiguous | Result):
        return None
    if isinstance(event, Result) and event.status == "final":
        return None
    keys = said["en"].options.keys()
    if keys & (UPHOLD | DISMISS):
        return "open"
    if isinstance(event, Displaced):
        return "board"
    if getattr(event, "report", "arbiter") == "on-claim":
        return "held"
    return "told"
