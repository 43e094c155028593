"""One step of a game: an input, or the passing of time, leads from one state to the next, with the facts that follow.

Pure: the same state and input always lead to the same state. Time comes in with each input; what falls due between two
inputs (a release, a touch that was no brush, a flag) is dealt with before the later one.
"""

from collections.abc import Callable, Mapping
from typing import Any

import chess
from chess import BB_SQUARES
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.laws import announced, arrival, choices, claims, gap, gestures, lifted, rulings, said_early, timing
from controller.laws.board import SQUARES, compare, compare_afresh, read_first
from controller.laws.drop_kinds import Names
from controller.laws.illegal import replied
from controller.laws.moves import ended_by_capture, wait_or_propose
from controller.laws.outcomes import triggered
from controller.laws.renamed import as_named
from controller.laws.sensors import believe, disbelieve
from controller.laws.stalled import stall
from controller.laws.standing import against_the_rules, finished, see_what_stands
from controller.laws.state import NEVER, NS, State, turned
from controller.laws.stock import receive
from controller.laws.turn import NOTHING_RAISED, Trigger
from controller.position import EMPTY, TURNED, squares
from controller.sensing.debounce import Flip
from controller.sensing.difference import Readings
from controller.sensing.readings import SOMETHING, reported
from controller.sensing.rhythm import QUICK_MS, Pace


class Settled(Struct, frozen=True):
    """Squares that have settled, of a board that is scanned."""

    ms: c.Ms  #: when it was known that they had
    flips: tuple[Flip, ...]
    pace: Pace  #: how the board looks at its squares
    held: bool = True  #: what the scan before showed stood until this one; False where scans between are lost
    jogged: int = 0  #: squares, as a bitboard, that opened just now for too short a time to be among the flips


class First(Struct, frozen=True):
    """The first scan, or the first one after edges: it is compared with the game at once."""

    ms: c.Ms
    occupied: int  #: a bitboard, as the board stands


class Passed(Struct, frozen=True):
    """In a match: what the partner's board has passed on by now."""

    ms: c.Ms
    received: Mapping[tuple[chess.Color, chess.PieceType], int]


class Named(Struct, frozen=True):
    """In a match: the names of pieces of both boards, as play on the partner's has shown them."""

    ms: c.Ms
    partner: State  #: the partner's board before that
    names: Names


Item = c.AnyInput | Settled | First | Passed | Named
"""What a step takes: any input except a raw scan, which comes as the squares that have settled."""


OF_PARTNER = (Passed, Named)
"""Items that come from the other board of a match."""


def after(s: State, item: Item, since: c.Ms | None) -> State:
    """Let time run to ``item``, and take it. ``since``: since when some square has not settled, None if all have.

    An input from before the latest one counts as simultaneous with it.
    Raises :exc:`LogError` for a piece named as this board cannot name it.
    """
    return taken(run_up_to(s, item, since), item)


def run_up_to(s: State, item: Item, since: c.Ms | None) -> State:
    """Let time run to ``item``, as in :func:`after`."""
    return by(s, item.ms) if type(item) is Settled and not item.held else run_to(s, item.ms, since)


def taken(s: State, item: Item) -> State:
    """Take the item; time has run to it. Once the result is final only an arbiter changes anything."""
    spoken = isinstance(item, claims.DECIDING) or (type(item) is c.Arbiter and item.do == "report")
    s = ended_by_capture(s) if spoken else s  # too late, if the game has ended on the board
    if s.result is None or isinstance(item, OF_PARTNER):
        return TAKEN[type(item)](s, item)
    if type(item) is c.Claim:
        return claims.too_late(s, item)
    return rulings.after_the_end(s, item) if type(item) is c.Arbiter else s


# -- time ------------------------------------------------------------------------------------------------------------


def deadline(s: State, since: c.Ms | None) -> c.Ms | None:
    """When, in session milliseconds, something falls due without further input; None if nothing does."""
    if s.result is not None:
        return None
    due, turn, clock = NEVER, s.turn, s.clock
    if not turn.judged:
        due = turn.due(s.release_ms)
    if turn.raised and (touched := turn.touched(s.brush_ms)) is not None and touched < due:
        due = touched
    if s.kept_words and (said := said_early.due(s)) is not None and said < due:
        due = said
    if due < NEVER and not _stood(s, due, since):
        due = NEVER  # nor does the later of the two fall due: what is in doubt at one time is so later, too
    if s.default_due is not None and s.default_due < due:
        due = s.default_due
    if s.resuming and (back := _back_since(s)) is not None and back < due:
        due = back
    if s.unproven is not None and s.unproven < due:
        due = s.unproven
    if clock is not None and clock.flag_due is not None and clock.flag_due < due * NS:
        due = -(-clock.flag_due // NS)
    return due if due < NEVER else None


def _back_since(s: State) -> c.Ms | None:
    """When the pieces will have stood for a release where a ruling wants them put back; None while they do not."""
    last = s.trace.last
    return None if s.mismatch or last is None else last.ms + s.release_ms


def _touched(s: State, since: c.Ms | None) -> c.Ms | None:
    """When the first piece in hand counts as touched; None if a scan casts doubt on its being off until then."""
    touched = s.turn.touched(s.brush_ms)
    return touched if touched is not None and _stood(s, touched, since) else None


def _stood(s: State, until: c.Ms, since: c.Ms | None) -> bool:
    """Whether no scan casts doubt on what stood until then: somebody sees the board, and no change that may be real, as
    it has not settled, began by then."""
    return s.watched and (since is None or until < since)


def run_to(s: State, ms: c.Ms, since: c.Ms | None) -> State:
    """Deal with all that falls due by ``ms``."""
    while (due := deadline(s, since)) is not None and due <= ms:
        s = fall_due(by(s, due), since)
    return by(s, ms)


def by(s: State, ms: c.Ms) -> State:
    """The state at ``ms``; time never runs back."""
    return replace(s, now=ms) if ms > s.now else s


def fall_due(s: State, since: c.Ms | None) -> State:
    """Deal with what falls due now, if anything does."""
    if s.clock is not None and ((flag := s.clock.flag_due) is None or flag <= s.now * NS):
        s = timing.run_clock(s)
    if s.default_due is not None and s.default_due <= s.now:
        s = arrival.default_time(s)
    if s.unproven is not None and s.unproven <= s.now:
        s = wait_or_propose(s)
    if s.resuming and (back := _back_since(s)) is not None and back <= s.now:
        s = rulings.resumed(s)
    if s.turn.raised and _touched(s, since) is not None:
        s = lifted.touch_what_is_due(s)
    if s.kept_words and (said := said_early.due(s)) is not None and said <= s.now and _stood(s, said, since):
        s = said_early.judge(s)
    if not s.turn.judged and (judged := s.turn.due(s.release_ms)) <= s.now and _stood(s, judged, since):
        s = _released(s)
    return s


def _released(s: State) -> State:
    """Deal with what has stood for as long as a release takes."""
    if s.resuming:
        s = rulings.resumed(s)
    if (played_on := replied(s)) is not None:
        return played_on
    if against_the_rules(s) and (whole := finished(s)) is not s:
        return whole
    s, _ = triggered(s.turning(judged=True), Trigger.RELEASE)
    return stall(see_what_stands(s) if against_the_rules(s) else s)


# -- what the board shows --------------------------------------------------------------------------------------------


def square_of(s: State, item: c.Lift | c.Place | c.Contact | c.Sensor) -> chess.Square:
    """The square that the board means."""
    return SQUARES[item.square] ^ s.turned


def _lift(s: State, item: c.Lift) -> State:
    if _stood_so(s, item):
        return read_first(s.turning(raised=NOTHING_RAISED), {square_of(s, item): EMPTY})
    return gestures.lift(_seen_now(s), square_of(s, item), item.side, s.now)


def _place(s: State, item: c.Place) -> State:
    return gestures.place(_seen_now(s), square_of(s, item), reported(item.piece, s.senses), item.side, s.now)


def _stood_so(s: State, item: c.Lift) -> bool:
    """Whether that edge tells how the board stood when the session began: it is a second piece off its square, so soon
    that no hand has taken both up; a board that misses nothing has looked at all its squares by then."""
    return item.ms < QUICK_MS and item.side is None and not s.made and s.mismatch != 0


def _seen_now(s: State) -> State:
    return s if s.watched else replace(s, watched=True)


def _first(s: State, item: First) -> State:
    occupied = item.occupied
    if not s.watched:
        return gap.look_again(s, _shown_by(s, item))
    expected = s.position.board.occupied
    if not s.made and occupied != expected and turned(occupied) == expected:
        s = replace(s, turned=TURNED)
    seen = sum(BB_SQUARES[square ^ s.turned] for square in chess.SQUARES if s.shown(square) != EMPTY)
    if s.trace.last is None:
        shown = {square: SOMETHING if s.shown(square) == EMPTY else EMPTY for square in squares(occupied ^ seen)}
        return compare(read_first(s, shown).turning(judged=True))
    return compare_afresh(_flip(s, s.now, occupied ^ seen))


def _shown_by(s: State, item: c.Seen | First) -> Readings:
    """What each square shows where the whole board is seen again, as the board stands."""
    if isinstance(item, First):
        readings = [SOMETHING if item.occupied & BB_SQUARES[square] else EMPTY for square in chess.SQUARES]
    else:
        readings = [as_reported(letter, s.senses) for letter in item.shown]
    return tuple(readings[::-1] if s.turned else readings)


def shown_again(s: State, item: Item) -> State | None:
    """The state after an item that shows the whole board again, taken as readings only; None for any other item."""
    if type(item) is c.Seen or (type(item) is First and not s.watched):
        return gap.shown_again(s, _shown_by(s, item))
    return None


def _settled(s: State, item: Settled) -> State:
    if s.pace != item.pace:
        s = replace(s, pace=item.pace)
    for ms, mask in item.flips:
        s = _flip(s, ms, mask)
    return stands_anew(s, item)


def stands_anew(s: State, item: Settled) -> State:
    """If the piece that stands there was jogged, its player had not let go of it: its release counts from now on, as if
    it had been lifted."""
    if not item.jogged:
        return s
    jogged = turned(item.jogged) if s.turned else item.jogged
    stands = s.turn.difference.mask & jogged
    if s.turn.judged or not stands & ~s.empty(stands):
        return s
    return s.turning(stands_since=s.now)


def edges_of(s: State, item: c.Lift | c.Place | Settled) -> list[tuple[chess.Square, str, c.Ms, c.Side | None]]:
    """The edges of an item: each square, what it shows now, since when, and whose hand did it where that is known."""
    if type(item) is c.Lift:
        return [(square_of(s, item), EMPTY, s.now, item.side)]
    if type(item) is c.Place:
        return [(square_of(s, item), reported(item.piece, s.senses), s.now, item.side)]
    assert type(item) is Settled
    return [(square, seen, ms, None) for ms, mask in item.flips for square, seen in in_order(s, mask)]


def _flip(s: State, ms: c.Ms, mask: int) -> State:
    for square, seen in in_order(s, mask):
        s = gestures.edge(s, square, seen, None, ms)
    return s


def in_order(s: State, mask: int) -> list[tuple[chess.Square, str]]:
    """The squares that changed in one scan, and what they show now: first those that the mover's pieces have left, then
    those where something was set down, then the others. ``mask`` is as the board has it."""
    return [
        (square, SOMETHING if s.shown(square) == EMPTY else EMPTY)
        for square in gap.in_order(s, turned(mask) if s.turned else mask)
    ]


def as_reported(letter: str, senses: c.Senses) -> str:
    """The reading of a square that such a board reports with ``letter``."""
    if letter == ".":
        return EMPTY
    return reported(None if letter == "x" else letter, senses)


TAKEN: dict[type, Callable[[State, Any], State]] = {
    c.Lift: _lift,
    c.Place: _place,
    c.Contact: lambda s, i: gestures.contact(s, square_of(s, i), i.side),
    Settled: _settled,
    First: _first,
    Passed: lambda s, i: receive(s, i.received),
    Named: lambda s, i: as_named(s, i.partner, i.names),
    c.Reading: timing.read,
    c.Sensor: lambda s, i: (believe if i.works else disbelieve)(s, square_of(s, i)),
    c.Press: lambda s, i: timing.press(s, i.side, i.unseen),
    c.Pause: lambda s, i: rulings.stop(s, i.side),
    c.Adjust: lambda s, i: announced.adjust(s, i),
    c.Choose: lambda s, i: choices.choose(s, i),
    c.Claim: claims.claim,
    c.Draw: claims.draw,
    c.Resign: lambda s, i: claims.resign(s, i.side),
    c.Arbiter: rulings.arbiter,
    c.Time: lambda s, _: s,
    c.Outage: lambda s, i: timing.outage(s, i.away_ms),
    c.Unseen: lambda s, _: replace(s, watched=False),  # nothing is known to stand, or to be off its square, any longer
    c.Seen: lambda s, i: gap.look_again(s, _shown_by(s, i)),
}
"""What each input does to a state."""
