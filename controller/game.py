"""One board's game: inputs in, events out, nothing else. The only thing that changes a game.

Scans are debounced here. Squares that have settled, and all other inputs, go to the belief about what hands have done,
which leads each world one step further. :attr:`Game.deadline` says when something falls due without further input, so
that a live caller can send a :class:`~controller.contract.Time` then.
"""

from collections.abc import Iterable, Sequence
from functools import partial

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.belief.told import Told
from controller.belief.world import SAID
from controller.belief.worlds import Belief
from controller.errors import JadoubeError
from controller.laws import claims, timing
from controller.laws.beginning import begin, looks_apart
from controller.laws.board import origins_of_landed
from controller.laws.claims import agreed
from controller.laws.completing import changed_in_order, completes, made_whole_by, too_early, whole_after
from controller.laws.drop_kinds import Names
from controller.laws.drop_names import mate_misnamed, mate_unnamed, promotes_unnamed, undecided
from controller.laws.moves import end, ended_by_capture, make, propose_unproven
from controller.laws.notices import asks, is_open
from controller.laws.outcomes import triggered
from controller.laws.record import Made, Notice
from controller.laws.refused import not_named, refusal
from controller.laws.reversal import undone_next
from controller.laws.sensors import excused
from controller.laws.state import NEVER, State, turned
from controller.laws.step import First, Item, Named, Passed, Settled, by
from controller.laws.stock import Change, lacking
from controller.laws.turn import Trigger
from controller.position import squares
from controller.sensing.budget import Budget
from controller.sensing.debounce import Debouncer, no_later
from controller.sensing.difference import LEGAL, Kind
from controller.sensing.looks import Looks
from controller.sensing.rhythm import Rhythm
from controller.starting import clock, start

RUN_ON_MS = 5000  #: how long time runs on after the last line of a log
EDGES = (c.Lift, c.Place, c.Seen)  #: inputs of a board that sends changes, not scans


class Game:
    """A game on one board; ``board`` is its name in a match, and ``budget`` what both boards of it share.

    Raises :exc:`LogError` for a session that cannot be played: a FEN or a time control that means nothing.
    """

    def __init__(self, session: c.Session, board: c.BoardId | None = None, budget: Budget | None = None) -> None:
        self.session = session
        self._in_match = board is not None
        state = begin(session, start(session, board), clock(session), board, budget or Budget())
        self._belief = Belief(state)
        self._debouncer: Debouncer | None = None
        self._rhythm = Rhythm()
        self._looks = Looks(None if session.sensors is None else session.sensors.scan_ms)
        self._seen_until: c.Ms = NEVER  #: the last scan before some were lost; NEVER once all squares have settled
        self._pressed: c.Press | None = None  #: a press that waits: the next scan may show what stood there before it
        self._wait_until: c.Ms = 0  #: how long that press waits
        self._said_meanwhile: list[c.AnyInput] = []  #: inputs that came while it waited, and are heard after it
        self._wait_at_most: c.Ms = 0  #: how long it waits at most, though a contact bounces longer
        self._closed = False  #: the match is over, whatever the result of this game
        self._started = False

    @property
    def state(self) -> State:
        """How things stand, as far as can be told: in the likeliest world."""
        return self._belief.best

    @state.setter
    def state(self, state: State) -> None:
        self._belief.best = state

    def handle(self, item: c.AnyInput) -> list[c.AnyEvent]:
        """Let time run to the input, take it, and return what came of both.

        An input from before the latest one counts as simultaneous with it. Once the result is final only an arbiter
        changes anything.
        Raises :exc:`LogError` for a piece named as this board cannot name it.
        """
        self.state.budget.may_refill = True
        if not self._started:
            self._started = True
            self.state = timing.start(self.state)
        self._take_in_turn(item)
        return self._belief.new_events()

    def _take_in_turn(self, item: c.AnyInput, again: bool = False) -> None:
        """Take the input, which waits for the looks of the board where it has to; ``again``: it has waited for one."""
        if self._pressed is not None and not (type(item) is c.Frame and item.ms <= self._wait_until):
            if item.ms <= self._wait_until and self._put_off(item):
                return
            self._hear_press()
        while self._looks.waiting and not self._looks.goes_on(item):
            if self._looks.due is not None and item.ms < self._looks.due and self._put_off(item):
                return
            self._hear_look()
        if type(item) is c.Frame:
            self._frame(item)
        elif type(item) is c.Press and self._may_show_more(item):
            self._pressed = item
            self._wait_until = max(self._shown_by(item), self._rhythm.latest_look)
        elif not self._waits_for_a_look(item, again):
            self._hear(item)

    def _put_off(self, item: c.AnyInput) -> bool:
        """Put the input off until the waiting is over, if it does not end it; whether that is so. It tells nothing of
        what was played, or that player presses again, whose clock stands already. Time and that press say no more."""
        pressed = self._pressed or self._looks.pressed_last
        if type(item) is c.Time or (pressed is not None and type(item) is c.Press and item.side == pressed.side):
            return True
        if pressed is None or not isinstance(item, SAID):
            return False
        self._said_meanwhile.append(item)
        return True

    def _waits_for_a_look(self, item: c.AnyInput, again: bool) -> bool:
        """Whether the input waits, because the next edges of a board that sends edges may tell more about it."""
        if self._debouncer is not None or self._in_match:
            return False
        if type(item) is c.Press:
            return self._looks.press_waits(item, too_early(self.state, item.side, self._looks.late), again)
        return (type(item) is c.Lift or type(item) is c.Place) and self._looks.edge_waits(item, again)

    def _may_show_more(self, press: c.Press) -> bool:
        """Whether the next scan may show more of what stood on the board at the time of the press. A board that sends
        only the scans that show a change does not say when the next one comes: then the press waits only if it would
        be too early without that scan, or if a contact is settling and the board does not match the game."""
        if self._debouncer is None or self._closed:
            return False
        if self._rhythm.next_look > 0:
            return True
        if self._in_match:
            return False  # the boards of a match are heard in order
        self._run_to(press.ms)
        if self.state.turn.side == press.side and not self.completes(press.side):
            return True
        return self.state.mismatch != 0 and self._debouncer.bounces(press.ms)

    def _shown_by(self, press: c.Press) -> c.Ms:
        """By when the next scan after the press has come. Where the interval between scans is not known, and where a
        contact bounces: by when a contact has settled."""
        assert self._debouncer is not None
        bouncing = 2 * self._debouncer.hold_ms if self._debouncer.bounces(press.ms) else 0
        return press.ms + max(self._rhythm.next_look or self.session.settings.debounce_ms, bouncing)

    def _hear_look(self) -> None:
        """Hear what has waited for the end of one look: no more edges of it will come. What came after a press is taken
        in turn then."""
        pace = self._looks.pace_after(self.state.pace, looks_apart(self.session))
        if pace != self.state.pace:
            self._belief.take(Settled(self.state.now, (), pace), None, news=False)
        in_order, made = partial(changed_in_order, self.state), partial(made_whole_by, self.state)
        heard, later = self._looks.release(in_order, self.completes, made)
        for item in heard:
            self._hear(item)
        later, self._said_meanwhile = [*later, *self._said_meanwhile], []
        for one in sorted(later, key=lambda each: each.ms):
            self._take_in_turn(one, again=True)

    def _hear_press(self) -> None:
        """Hear the press that has waited, and what came meanwhile: no scan will tell more about it. What the last scan
        has shown since, and has held, counts as done before the press."""
        press, self._pressed = self._pressed, None
        assert press is not None and self._debouncer is not None
        self._run_to(press.ms)
        since, shown = self._since, self._debouncer.settle(self._wait_until)
        after = self._left_after(press, shown)
        if shown and not after:
            self._belief.take(self._settled(press.ms, no_later(press.ms, shown)), since, news=False)
        if self._rhythm.silent_at(press.ms):
            self._belief.take(c.Unseen(ms=press.ms), self._since, news=False)
        self._hear(press)
        if after:
            self._belief.take(self._settled(self._wait_until, shown), since, news=False)
        self._hear_later()

    def _hear_later(self) -> None:
        """Hear the inputs that came while a press waited."""
        later, self._said_meanwhile = self._said_meanwhile, []
        for item in later:
            self._hear(item)

    def _left_after(self, press: c.Press, flips: Sequence[tuple[c.Ms, int]]) -> bool:
        """Whether the changes that the next scan shows came after the press: pieces only left squares, and the move
        already stood complete."""
        assert self._debouncer is not None
        left = [ms > press.ms and not mask & self._debouncer.raw for ms, mask in flips]
        return bool(left) and all(left) and self.completes(press.side)

    def _hear(self, item: c.AnyInput) -> None:
        """Take an input that is no scan."""
        if self._debouncer is not None:
            self._run_to(item.ms)
        if type(item) in claims.ENDING:
            self._prepare_for_the_end(item)
        if not self._closed:
            self._take(self._of_what_was_told(item) if type(item) is c.Arbiter else item)
        elif type(item) is c.Claim:
            self.state = claims.too_late(self.state, item)

    def _of_what_was_told(self, ruling: c.Arbiter) -> c.Arbiter:
        """The ruling; if it names no notice, it answers the oldest one that has been told."""
        if ruling.do not in ("uphold", "dismiss") or ruling.answers is not None:
            return ruling
        oldest = next((notice for notice in self.awaiting if notice.ids), None)
        first = next((notice for notice in self.state.notices if is_open(self.state, notice)), None)
        return ruling if oldest is None or oldest is first else replace(ruling, answers=oldest.ids[0])

    def _prepare_for_the_end(self, item: c.AnyInput) -> None:
        """Before an input that may end the game, decide what was played until then."""
        ends, witnessed = claims.ends(item), isinstance(item, c.Claim) and item.of in claims.WITNESSED
        decides = type(item) in claims.DECIDING and (ends or type(item) is not c.Draw)  # after an offer play goes on
        if decides or ends:
            self._belief.run_to(item.ms, self._since)
        if type(item) is c.Claim:
            decides = self._belief.answer(item, self._since, witnessed)
        if decides:
            self._decide(witnessed)
        if ends:
            self._promote()

    def take_up(self, told: Iterable[c.AnyEvent | c.Arbiter]) -> None:
        """Go on from what was told and ruled on so far, where the inputs now lead to something else because another
        version had judged them. What was told stands; corrections are told with the next input."""
        self._belief.take_up(Told(told))

    def finish(self) -> list[c.AnyEvent]:
        """At the end of a log, let time run on so that pending releases are judged."""
        heard = max(self.state.now, self._wait_until, self._looks.due or 0)
        return self.handle(c.Time(ms=heard + RUN_ON_MS)) + self.settle()

    def settle(self) -> list[c.AnyEvent]:
        """Decide what was played so far: no further input will tell."""
        while self._looks.waiting:
            self._hear_look()
        self._decide()
        self._promote()
        if self.state.unproven is not None:
            self.state = propose_unproven(self.state)
        return self.new_events()

    def _decide(self, witnessed: bool = False) -> None:
        self._belief.decide(witnessed)
        s = ended_by_capture(self.state)
        if (mate := mate_unnamed(s)) is not None:
            s = make(s, mate)
        if s.result is None and s.position.drop_board is not None and undecided(s, s.turn.difference):
            s, _ = triggered(s, Trigger.REPLY)
        self.state = s

    def _promote(self) -> None:
        """Make a queen of a pawn that stands on its last rank and that nobody has named, as a press would."""
        if self.state.result is None and promotes_unnamed(self.state):
            self.state, _ = triggered(self.state, Trigger.PRESS)

    def new_events(self) -> list[c.AnyEvent]:
        """What happened and was not told yet."""
        return self._belief.new_events()

    def _take(self, item: Item) -> None:
        """Every world takes the item."""
        news = type(item) is not c.Time
        if self._debouncer is not None and type(item) in EDGES:
            self._debouncer = None  # a board that reports edges says all it knows: what scans said before is past
        elif self._debouncer is not None and type(item) is c.Press:
            since = self._since
            s = self.state
            passing, origins = (turned(mask) if s.turned else mask for mask in (s.mismatch, origins_of_landed(s)))
            # The presser has let go of his piece, so what the next scan shows was done by the time of the press.
            if landed := self._debouncer.close(passing, origins):
                self._belief.take(self._settled(item.ms, no_later(item.ms, landed)), since, news)
        self._belief.take(item, self._since, news)

    @property
    def _since(self) -> c.Ms | None:
        """Since when some square has not settled, or scans were lost; None if all squares have settled."""
        if self._debouncer is None or (since := self._debouncer.since) is None:
            return None
        return min(since, self._seen_until)

    # -- as one board of a match -----------------------------------------------------------------------------

    def beside(self, partner: State | None) -> None:
        """Show this game the state of the partner's board; None where it must know nothing of it."""
        self._belief.beside(partner)

    def receive(self, share: Change, ms: c.Ms) -> list[c.AnyEvent]:
        """Take what the partner's board has passed on, in all, by ``ms``."""
        self._belief.take(Passed(self._no_later(ms), share), self._since, news=True)
        return self.new_events()

    @property
    def doubtful(self) -> bool:
        """Whether there are several worlds."""
        return self._belief.doubtful

    def weigh(self, beside: State) -> list[c.AnyEvent]:
        """Weigh each world by the pieces dropped on the partner's board (in the state ``beside``): they can only have
        come from captures here."""
        self._belief.weigh(lambda s: lacking(beside, s))
        return self.new_events()

    def name(self, partner: State, names: Names, ms: c.Ms) -> list[c.AnyEvent]:
        """Take the names of pieces, as play on the partner's board, then in the state ``partner``, has shown them."""
        self._belief.take(Named(self._no_later(ms), partner, names), self._since, news=True)
        return self.new_events()

    def _no_later(self, ms: c.Ms) -> c.Ms:
        """That time; while a press waits here for a scan, no later than the press, so that it is heard at its own."""
        return ms if self._pressed is None else min(ms, self._pressed.ms)

    def promote(self) -> list[c.AnyEvent]:
        """Without a clock, and while nobody has named it, make a queen of a pawn that captured here and stands released
        on its last rank: the partner has dropped a piece that no known capture has passed on."""
        s, difference = self.state, self.state.turn.difference
        silent = s.clock is None and s.result is None
        if silent and s.turn.judged and undecided(s, difference):
            move = difference.moves[0]
            if move.promotion and s.position.captured(move) is not None:
                self.state, _ = triggered(s, Trigger.REPLY)
        return self.new_events()

    def lacks_from(self, partner: "Game") -> bool:
        """Whether the player having the move here has set down a piece that is in no stock, while his own partner has
        the move on the ``partner`` board, and so may be capturing such a piece."""
        difference = self.state.turn.difference
        astray = difference.part == "drop" and difference.kind not in LEGAL
        return astray and self.state.turn.side != partner.state.turn.side

    def judges_by(self, ms: c.Ms) -> bool:
        """Whether something that concerns the partner may fall due here by ``ms``: the judgement of what stands on the
        board. A touch concerns him not; to tell touches apart here costs more than it saves."""
        turn = self.state.turn
        return self._debouncer is not None or (not turn.judged and turn.due(self.state.release_ms) <= ms)

    def agree(self) -> list[c.AnyEvent]:
        """The teams have agreed on a draw of the whole match."""
        self.state = agreed(self.state)
        return self.new_events()

    def mate(self) -> list[c.AnyEvent]:
        """The match is being stopped as after a mate: if pieces give mate here that nobody has named, or that had other
        names, that mate counts."""
        if (mate := mate_unnamed(self.state)) is not None:
            self.state = make(self.state, mate)
        elif (misnamed := mate_misnamed(self.state)) is not None:
            self.state = end(misnamed)
        return self.new_events()

    def close(self, ms: c.Ms) -> list[c.AnyEvent]:
        """The match is over at ``ms``: this game goes no further, and its clocks stand. No scan will tell more about a
        press that waits: it has completed what stands, and accuses nobody."""
        if self._pressed is not None and self.completes(self._pressed.side):
            self._hear_press()
        self._closed = True
        s = by(self.state, ms)
        self.state = s.with_clocks_stopped() if s.result is None else s
        return self.new_events()

    def asks(self, item: c.AnyInput) -> list[tuple[chess.Board, c.Side]]:
        """The positions, each with a side, for which that input makes the Laws ask whether that side can still mate: to
        find out may take a second."""
        return [question for s in self._belief.states for question in asks(s, item)]

    def judges_at(self, ms: c.Ms, offences: bool) -> c.Ms | None:
        """When what stands on the board is judged, if time alone brings that about by ``ms``; None otherwise. With
        ``offences``, only if what stands there looks like an offence."""
        turn = self.state.turn
        due = turn.due(self.state.release_ms)
        asked = not offences or turn.difference.kind in (Kind.ASTRAY, Kind.FOREIGN)
        return due if asked and not turn.judged and due <= ms else None

    def completes(self, side: c.Side) -> bool:
        """Whether a press by ``side`` just now would complete a move without offence, as :func:`completes`."""
        return completes(self.state, side)

    def before_press(self, side: c.Side, changes: Sequence[tuple[chess.Square, str]]) -> int:
        """How many of these changes happened before a press by ``side``, though all were reported after it. A change is
        a square, as the board calls it, and what stands there since. The answer is the largest number of changes that
        makes his move complete; all of them if no number does.
        """
        s = self.state
        if self.completes(side) and s.turn.side != side:
            return 0
        whole = [number for number, _ in whole_after(s, changes)]
        return whole[-1] if whole and s.turn.side == side else len(changes)

    @property
    def awaiting(self) -> list[Notice]:
        """The notices that await a ruling, oldest first. One that has not been told, because another story is nearly as
        likely, is not among them."""
        s = self.state
        return [notice for notice in s.notices if is_open(s, notice) and self._belief.has_told(notice.ids)]

    def refusal(self, ruling: c.Arbiter | c.Choose) -> JadoubeError | None:
        """Why that ruling cannot be carried out, or that piece not be named, in words; None where it can."""
        if isinstance(ruling, c.Choose):
            return not_named(self.state, ruling)
        return self._belief.refusal(ruling) if ruling.do == "correct" else refusal(self.state, ruling)

    @property
    def undone_next(self) -> c.Arbiter | Made | None:
        """What `undo` would take back, as :func:`controller.laws.reversal.undone_next`."""
        return undone_next(self.state)

    @property
    def excused(self) -> set[chess.Square]:
        """The squares, as the board has them, that need not show what the game has there."""
        return {square ^ self.state.turned for square in squares(excused(self.state))}

    @property
    def denying(self) -> list[chess.Square]:
        """The squares, as the board has them, of sensors that do not work and that did not fit the game at the time
        when this was said."""
        sensors = self.state.faulty_sensors.items()
        return [square ^ self.state.turned for square, sensor in sensors if sensor.denied]

    # -- time ------------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> c.Ms | None:
        """When, in session milliseconds, something falls due without further input; None if nothing does."""
        if self._closed or self.state.result is not None:
            return None
        if self._pressed is not None:
            return self._wait_until + 1
        if self._looks.due is not None:
            return self._looks.due
        settled = None if self._debouncer is None else self._debouncer.due
        due = self._belief.deadline(self._since)
        if due is None or settled is None:
            return settled if due is None else due
        return min(due, settled)

    def _run_to(self, ms: c.Ms) -> None:
        """Take all that settles by ``ms``. What else falls due by then, the worlds deal with as they go on."""
        if self._debouncer is None or self._closed:
            return
        while (due := self._debouncer.due) is not None and due <= ms:
            since = self._since
            flips = self._debouncer.settle(due)
            self._belief.take(self._settled(due, flips), since, news=False)

    def _settled(self, ms: c.Ms, flips: Sequence[tuple[c.Ms, int]], held: bool = True, jogged: int = 0) -> Settled:
        """The item for squares that have settled, with the pace of the scans that showed them."""
        return Settled(ms, tuple(flips), self._rhythm.pace, held, jogged)

    def held_until(self, item: c.Frame) -> bool:
        """Whether what the last scan showed still stood until this one."""
        return self._rhythm.holds_until(item.ms, item.occupied)

    def _frame(self, item: c.Frame) -> None:
        """Take one raw scan. Time runs to the scan as far as the board was seen, or to the press that waits for it."""
        held, press = self.held_until(item), self._pressed
        if press is not None:
            self._run_to(press.ms)
        elif held:
            self._run_to(item.ms)
        scanned = self._rhythm.ms
        news = self._rhythm.goes_on(item.ms, item.occupied)
        occupied = int(item.occupied, 16)
        if self._closed:
            return
        if self._debouncer is None or not self.state.watched:
            self._debouncer = Debouncer(self.session.settings.debounce_ms, occupied)
            self._belief.take(First(item.ms, occupied), None, news)
            return
        before = self._since
        if not held:
            self._seen_until = scanned
        elif before is None:
            self._seen_until = NEVER
        flips = self._debouncer.feed(item.ms, occupied)
        if press is not None:
            if scanned <= press.ms:  # the scan that was waited for, or the first after it
                self._wait_until = max(item.ms, self._shown_by(press))
                self._wait_at_most = self._wait_until + 2 * self._debouncer.hold_ms
            settled = bool(flips)
            if settled:  # these changes began before the press
                self._belief.take(self._settled(press.ms, no_later(press.ms, flips)), before, news)
                flips = []
            if item.ms <= self._wait_until and (self._debouncer.bounces(item.ms) or not settled):
                if news and (due := self._debouncer.due) is not None:
                    self._wait_until = max(self._wait_until, min(due, self._wait_at_most))
                return
            self._pressed = None
            self._take(press)
            self._hear_later()
        jogged = self._debouncer.jogged if news else 0
        if flips or jogged or not held:
            self._belief.take(self._settled(item.ms, flips, held, jogged), before, news)
        else:
            self._belief.take(c.Time(ms=item.ms), before, news)
