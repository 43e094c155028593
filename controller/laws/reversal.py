"""Rulings taken back: an arbiter may err, too, and then the game stands as it did before he ruled.

If nothing has been played since, `undo` takes back that a notice was upheld or dismissed, a result declared, something
reported, or the record corrected; if a result was given in place of another, it brings that one back. A pause is
answered by `resume`, a clock by setting it again. What the sensors show, and the time that has passed, are facts and
stay: of the clocks, only what the ruling gave or took is returned.
"""

from collections.abc import Mapping, Sequence

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import compare
from controller.laws.clock import ChessClock
from controller.laws.correction import rewrite
from controller.laws.moves import complete, report
from controller.laws.notices import about, belongs, say_open
from controller.laws.record import Made, Notice, UndoPoint
from controller.laws.state import NS, State
from controller.laws.stock import replenished, restock
from controller.laws.touch import owed
from controller.position import Position, names, squares
from controller.sensing.difference import differing

SIDES = (c.WHITE, c.BLACK)


def keep(s: State, before: State, ruling: c.Arbiter) -> State:
    """The state ``s`` after a ruling, which can be taken back from now on; ``before``: the state before it."""
    given, until, last = _given(s, before), len(s.made), s.last()
    rewrote, moved = s.made != before.made, s.position is not before.position
    point = UndoPoint(before, given, until, last, s.result, ruling, rewrote, moved, s.noticed, s.counts, s.fined)
    return replace(s, undo_points=(*s.undo_points, point))


def _given(s: State, before: State) -> Mapping[c.Side, tuple[int, int]]:
    """What the ruling added to each player's time, in ns, and to the moves counted. Empty if a new game began, which
    has clocks of its own: the old ones are kept as they stood."""
    now, then, ns = s.clock, before.clock, s.now * NS
    if now is None or then is None:
        return {}
    if then.stop(ns) != now == ChessClock(now.control).stop(ns):
        return {}
    return {
        side: (now.remaining(side, ns) - then.remaining(side, ns), now.moves(side) - then.moves(side)) for side in SIDES
    }


def undone_next(s: State) -> c.Arbiter | Made | None:
    """What `undo` would take back: the last ruling or the last move, whichever is later; None if there is neither. Its
    ``ms`` says when it was."""
    rulings = _reversible(s)
    return rulings[-1].ruling if rulings else s.last() if s.result is None else None


def _reversible(s: State) -> tuple[UndoPoint, ...]:
    """The rulings that can be taken back, one by one from the last; none if something was played or decided since."""
    rulings = s.undo_points
    while rulings and not _still_there(s, rulings[-1]):
        rulings = rulings[:-1]
    if not rulings or len(s.made) > rulings[-1].until or s.result is not rulings[-1].ended:
        return ()
    return rulings


def take_back_ruling(s: State, reason: str | None) -> State | None:
    """Take back the last ruling if nothing has been played or decided since; None if there is no such ruling."""
    rulings = _reversible(s)
    if not rulings:
        return None
    ruling, before, ended = rulings[-1], rulings[-1].before, s.result
    if ruling.ruling.do == "report" and not ruling.moved and ended is before.result:
        return _unsaid(replace(s, undo_points=rulings[:-1]), ruling)
    if ruling.ruling.do == "correct":
        return _record_as_before(replace(s, undo_points=rulings[:-1]), before)
    if before.result is not None:  # the ruling gave a result in place of that one
        said = replace(before.result, ms=s.now)
        return replace(s, undo_points=rulings[:-1], result=before.result, facts=(*s.facts, said))
    s = replace(s, undo_points=rulings[:-1], result=None)
    stands = len(s.made) == len(before.made) and bool(s.made) and s.made[-1].reported
    s = _return_clocks(s, ruling, reason)
    same = _as_played(s.made, before.made)
    stood = s.made[same].before if same < len(s.made) else s.position
    for at in range(len(s.made) - 1, -1, -1):
        if s.made[at].reported and not (at < same and before.made[at].reported):
            s = s.say(c.Retract, uci=s.made[at].move.uci(), fen=replenished(s, s.made[at].before, at).fen())
    if ruling.rewrote:  # else the record is kept, as something may have been reported of a move since
        s = replace(s, made=before.made)
    s = _return_pieces(s, stood, s.made[same].before if same < len(s.made) else before.position)
    for at, made in enumerate(before.made[same:], same):
        if made.reported:
            s = report(s, at)
        if made.completed:
            s = complete(s, at, made.pressed, left=made.left)
    s = _reopen(s, ruling, ended)
    s = s.enter(before.position, chess.BB_ALL)
    turn = before.turn
    s = s.turning(touches=turn.touches, partial_move=turn.partial_move, corrects=turn.corrects)
    s = restock(s)
    # Pieces may have been put back for the ruling: they are to stand as before it when play is resumed.
    s = compare(replace(s, returned=chess.Move.null()) if same < len(s.made) else s)
    return _say_owed(s) if stands else s


def _say_owed(s: State) -> State:
    """Tell again what the player of the last move owes, if that is illegal and awaits its ruling again: as it stood by
    the ruling, he owed nothing."""
    last = s.made[-1]
    if not last.illegal or last.reported:
        return s
    now = owed(last.before, last.touches, last.partial_move, s.laws.clause, s.together_ms)
    if now is None:
        return s
    return s.say(c.Obligation, side=last.side, must=now.must, moves=names(now.moves), article=now.clause)


def _as_played(record: Sequence[Made], before: Sequence[Made]) -> int:
    """How many moves at the beginning of both records are the same."""
    same = 0
    while same < min(len(record), len(before)) and record[same].after is before[same].after:
        same += 1
    return same


def _unsaid(s: State, report: UndoPoint) -> State:
    """Take back a report that changed nothing on the board: its notices and counts go, a move that it called illegal is
    one like any other, and play goes on."""
    before = report.before
    for at, (made, was) in enumerate(zip(s.made, before.made, strict=False)):
        if made.illegal and not was.illegal:
            s = s.amending(at, illegal=False, held=was.held)
    open_yet = [notice for notice in s.notices if not before.noticed <= notice.number < report.noticed]
    return replace(_uncounted(s, report), notices=tuple(open_yet), witnessed=before.witnessed)


def _uncounted(s: State, ruling: UndoPoint) -> State:
    """The state without the illegal moves, and the prices for them, that the ruling had counted."""
    before = ruling.before
    return replace(
        s,
        counts={side: s.counts[side] - ruling.counts[side] + before.counts[side] for side in SIDES},
        fined={side: s.fined[side] - ruling.fined[side] + before.fined[side] for side in SIDES},
    )


def _open_then(s: State, before: State) -> list[Notice]:
    """The notices that were open ``before``, with the names that open ones have got since."""
    named = {notice.number: notice.ids for notice in s.notices}
    return [replace(notice, ids=named.get(notice.number, notice.ids)) for notice in before.notices]


def _record_as_before(s: State, before: State) -> State:
    """Take back a correction of the record: its former moves stand again, and what was open then is open again. If the
    last move was pressed since, that press counts for the last former move, too."""
    at, last = _as_played(s.made, before.made), s.last()
    record = (*s.made[:at], *before.made[at:])
    if record and last is not None and last.completed and not record[-1].completed and record[-1].side == last.side:
        by_press, pressed, done, left = last.completed_by_press, last.pressed, last.done, last.left
        same = replace(record[-1], completed=True, completed_by_press=by_press, pressed=pressed, done=done, left=left)
        record = (*record[:-1], same)
    notices = _open_then(s, before) + [notice for notice in s.notices if notice.number >= before.noticed]
    s = replace(s, counts=before.counts, fined=before.fined, notices=tuple(notices))
    if s.result is not before.result:  # the correction had ended the game
        s = replace(s.halted(), result=before.result)
    return rewrite(s, at, record)


def _return_pieces(s: State, stood: Position, position: Position) -> State:
    """After a ruling on pieces exchanged at the beginning: tell which squares are to stand as in ``position`` again,
    not as they ``stood`` by the ruling."""
    changed = differing(position, stood.symbols, chess.BB_ALL)
    if not changed and position.board.castling_rights == stood.board.castling_rights:
        return s
    exchanged = [chess.SQUARE_NAMES[square] for square in squares(changed)]
    return s.say(c.Displaced, squares=exchanged, article=s.laws.clause.wrong_array, fen=position.fen())


def _still_there(s: State, ruling: UndoPoint) -> bool:
    """Whether the moves made until that ruling still stand. The last of them is the same if its turn and time are; it
    may have been completed or judged since."""
    if ruling.last is None:
        return True
    if len(s.made) < ruling.until:
        return False
    made = s.made[ruling.until - 1]
    return (made.turn, made.ms) == (ruling.last.turn, ruling.last.ms)


def _return_clocks(s: State, ruling: UndoPoint, reason: str | None) -> State:
    """Return what the ruling gave or took on the clocks, which stand still until the arbiter resumes."""
    s = s.halted()
    before, ns = ruling.before, s.now * NS
    if s.clock is None or before.clock is None:
        return s
    clock = s.clock if ruling.clocks else before.clock.stop(before.now * NS)
    clock = replace(clock.stop(ns), extra=before.clock.extra)
    awarded = {**(s if ruling.clocks else before).awarded}
    for side, (more, moves) in ruling.clocks.items():
        clock = clock.add(ns, side, -more)
        clock = clock.set_moves(side, clock.moves(side) - moves)
        awarded[side] -= more // NS
    return replace(s, clock=clock, awarded=awarded).show_clock(reason)


def _reopen(s: State, ruling: UndoPoint, ended: c.Result | None) -> State:
    """Open the notices again that the ruling had settled, beside those reported since; also, until play is resumed, a
    notice of the result that the arbiter had declared by himself."""
    before = ruling.before
    still_open = {notice.number for notice in s.notices}
    settled = [notice for notice in before.notices if notice.number not in still_open]
    since = [notice for notice in s.notices if notice.number >= ruling.noticed]
    notices = (*_open_then(s, before), *since)
    s = replace(_uncounted(s, ruling), notices=notices, presses=before.presses, postponed=before.postponed)
    for side in SIDES:
        if s.warned[side] != before.warned[side]:
            article, count = s.laws.clause.warning, before.warned[side]
            s = s.say(c.Warned, side=side, article=article, count=count, withdrawn=True)
    s = replace(s, warned=before.warned)
    for notice in settled:
        s = say_open(s, notice)
    if ended is None or any(notice.result is not None for notice in settled):
        return s
    if settled:  # the price was the loss of the game: tell those who follow it that the game is not over
        before = s
        s = s.say(c.Result, result=ended.result, reason=ended.reason, article=ended.article, status="proposed")
        return belongs(s, settled[0], s.ids_since(before))
    loser = c.BLACK if ended.result == "1-0" else c.WHITE
    proposed = replace(ended, ms=s.now, status="proposed")
    notice = replace(about(s, loser, "given", ended.article, ()), number=s.noticed, result=proposed)
    return say_open(replace(s, notices=(notice, *s.notices), noticed=s.noticed + 1), notice)
