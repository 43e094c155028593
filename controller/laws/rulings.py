"""Rulings: what an arbiter's input does to the game (6.11, 7.1, 7.5, 12.9). Only such an input rules."""

from collections.abc import Callable

import chess
from chess import Move
from msgspec.structs import replace

from controller import contract as c
from controller.errors import LogError
from controller.laws import arrival, conduct, initial_position
from controller.laws.board import compare, leaving_out, read_board
from controller.laws.clock import ChessClock
from controller.laws.correction import correct, released_again
from controller.laws.drop_names import promotes_unnamed
from controller.laws.endings import ended
from controller.laws.evidence import told_by
from controller.laws.moves import complete, declare, finish, report, take_back, uncompleted
from controller.laws.notices import apply, drop_lifted_flags, is_open, priced_in_full, struck_out, won_by
from controller.laws.outcomes import triggered
from controller.laws.record import NONE_OF_EITHER, Notice
from controller.laws.refused import not_given_instead, warnable
from controller.laws.reversal import keep, take_back_ruling
from controller.laws.standing import put_back, put_back_to, stands, to_put_back
from controller.laws.state import NS, State
from controller.laws.stock import restock
from controller.laws.turn import Raised, Trigger, Turn
from controller.sensing.difference import Kind, Traces

FORFEITS = ("+-", "-+", "--")
"""Results without play, or as if without."""


CLAIMED = ("quickplay", "increment", "wrong-clock", "turned-board")
"""What is claimed and referred to the arbiter, who answers it."""

STILL_RESUMING = ("resume", "set-clock", "warn")
"""Rulings after which play is still to be resumed once the pieces are put back; after any other it is not."""


def arbiter(s: State, item: c.Arbiter) -> State:
    """Carry out a ruling. A ruling that answers nothing, or makes no sense now, changes nothing."""
    before = s
    acted = ACTS[item.do](before, item)
    s = _worded(acted, before, item)
    if s.resuming and item.do not in STILL_RESUMING and acted is not before:
        s = replace(s, resuming=False)
    if not c.RULINGS[item.do].undone:
        return s
    settled, corrected = len(before.notices) > len(s.notices), item.do == "correct" and acted is not before
    reported = item.do == "report" and acted is not before
    if s.result is not None or settled or corrected or reported or s.warned is not before.warned:
        return keep(s, before, item)
    return s


def _worded(s: State, before: State, item: c.Arbiter) -> State:
    """The state in which the events of the ruling carry the arbiter's words and the names of witnesses: the first event
    that has fields for them, and the final result."""
    words, since = told_by(item), len(before.facts)
    if item.do == "undo" or not any(words.values()):
        return s
    facts, result = list(s.facts), s.result
    first = next((at for at in range(since, len(facts)) if "text" in facts[at].__struct_fields__), len(facts))
    for at in range(since, len(facts)):
        if at == first or facts[at] is result:
            facts[at] = fact = replace(facts[at], **words)
            result = fact if isinstance(fact, c.Result) and fact.status == "final" else result
    return replace(s, facts=tuple(facts), result=result)


def after_the_end(s: State, item: c.Arbiter) -> State:
    """Carry out a ruling after the end of the game. The result stands, unless the arbiter takes back the ruling that
    brought it, or gives another result, as players may have told a wrong one. He may also correct the record."""
    if item.do == "undo":
        return take_back_ruling(s, item.reason) or s
    if item.do == "result":
        after = s if not_given_instead(s, item) else _worded(_result(s, item), s, item)
    else:
        after = _correct(s, item) if item.do == "correct" else s
    return s if after is s else keep(after, s, item)


def _correct(s: State, item: c.Arbiter) -> State:
    """Correct the record, also once the game is over; a correction that does not fit changes nothing."""
    try:
        return correct(s, item)
    except LogError:
        return s


def stop(s: State, by: c.Side | None = None) -> State:
    """Stop both clocks; touches bind nobody then (6.11). ``by``: the player who stops them; None for the arbiter."""
    if s.stopped:
        return replace(s, resuming=False) if s.resuming else s
    if not s.turn.judged or s.trace.changed(s.turn.start) & s.turn.difference.mask:  # else it stood before his turn
        s = _let_go(s, by)
    return read_board(s.halted().with_clocks_stopped(), s.now)


def _let_go(s: State, by: c.Side | None) -> State:
    """A player who stops the clocks has let go of his piece: perhaps of a pawn, to fetch the new piece."""
    if not promotes_unnamed(s):
        return triggered(s, Trigger.REPLY)[0]
    return triggered(s, Trigger.RELEASE)[0] if by == s.turn.side else s


def resume(s: State, insist: bool) -> State:
    """Resume play: start the clock of the player whose move is not completed. If pieces have to be put back, only once
    they are (:func:`resumed`); unless the arbiter insists that they are, though the board does not show it."""
    if not s.stopped:
        return s
    s = _put_back_meanwhile(_pressed_too_soon(s))
    # The arbiter lets the game go on: a result that he gave by himself and took back is not open any more.
    s = replace(s, notices=tuple([notice for notice in s.notices if notice.what != "given"]))
    before, traces = s.turn, Traces(landed=s.turn.traces.landed, retaken=s.turn.traces.retaken)
    if to_put_back(s):
        if not insist:
            return replace(_restore(s, resumes=True), resuming=True)
        s = leaving_out(s, s.mismatch)
    elif s.displaced and s.returned is not None:
        s, traces = replace(s, displaced=(), restoring=False).say(c.Restored), before.traces
    # What was taken up in this turn before the clocks were stopped, and is in the hand still, is part of the move.
    lifts = s.trace.last_edges(s.gone(), before.start).values()
    begun = min((number for number in lifts if 0 <= number < s.stopped_at), default=len(s.trace))
    turn = Turn(
        before.side,
        s.now,
        before.number,
        begun,
        touches=before.touches,
        partial_move=before.partial_move,
        traces=traces,
        astray=before.astray,
        astray_ids=before.astray_ids,
        astray_at=before.astray_at,
    )
    s = read_board(_run_the_mover(replace(s, stopped=False, resuming=False, then=None, turn=turn)), s.now)
    s = _still_in_hand(s, before.start)
    if s.turn.difference.kind not in (Kind.HELD, Kind.DISTURBED, Kind.ASTRAY, Kind.FOREIGN):
        return s
    return leaving_out(s, s.mismatch & s.trace.changed(s.stopped_at))


def _still_in_hand(s: State, start: int) -> State:
    """The state in which a piece that the player still holds counts as lifted early: it may have been taken up while
    the clocks stood, so it is no touch unless it is set down elsewhere. ``start``: the edge with which the turn began.
    """
    touched = {touch.square for touch in s.turn.touches}
    edges = s.trace.last_edges(s.gone(), start)
    for square, number in sorted(edges.items(), key=lambda each: each[1]):
        if number >= 0 and square not in touched:
            s = s.raising(square, Raised(s.trace[number].ms, announced=False, early=True))
    return s


def resumed(s: State) -> State:
    """Resume play that was to be resumed, if the pieces are back by now, or an owed move was made."""
    owes = s.owed is not None and s.owed.must != "free"
    if s.mismatch and (not owes or to_put_back(s)):
        return s
    return replace(resume(s, insist=False), resuming=False)


def _put_back_meanwhile(s: State) -> State:
    """If the last moves were put back on the board while the clocks stood, without a ruling: take them back with their
    presses; their touches bind nobody."""
    if s.board is not None or (at := put_back_to(s)) is None:
        return s
    s = replace(take_back(_uncounted(s, at), at), presses=())
    return read_board(s.turning(touches=(), partial_move=None).derive(), s.now)


def _pressed_too_soon(s: State) -> State:
    """If the clock was pressed without a move, and nobody has ruled: that player still has the move, perhaps with a
    piece in his hand. The notice about the press still awaits its ruling."""
    last = s.last()
    if last is None or not last.illegal or last.pressed_back or last.move:
        return s
    set_down = last.changed & last.after.board.occupied
    if set_down or (last.changed and last.partial_move is not None):
        return s
    s = _uncount(s, last.side)
    return take_back(s, len(s.made) - 1)


def _uncount(s: State, side: c.Side) -> State:
    """Take one move from the move counter of ``side``, as a press was no move."""
    return s if s.clock is None else replace(s, clock=s.clock.set_moves(side, s.clock.moves(side) - 1))


def _uncounted(s: State, at: int) -> State:
    """The same for each press that completed a move from number ``at`` on."""
    for made in s.made[at:]:
        s = _uncount(s, made.side) if made.was_pressed else s
    return s


def _run_the_mover(s: State) -> State:
    if s.clock is None:
        return s
    side, opponent = s.turn.side, c.other(s.turn.side)
    if uncompleted(s, side) is None and uncompleted(s, opponent) is not None:
        side = opponent  # the opponent has made his move, and not pressed
    return replace(s, clock=s.clock.resume(s.now * NS, side)).show_clock()


def uphold(s: State, answers: str | None) -> State:
    """Uphold a notice: apply its penalty, and restore the position before the irregularity."""
    s, notice = _answered(s, answers)
    if notice is None:  # the clocks stop so that displaced pieces are put back, as after a hand out of turn
        return stop(s) if s.displaced and answers is None else s
    if notice.what == "wrong-array" or notice.what == "colours-reversed":
        return initial_position.lapsed(s, notice) or _begin_anew(stop(s))
    if notice.result is not None:
        over = notice.result
        return finish(s, over.result, over.reason, over.article, mating=over.mating, line=over.line)
    if notice.what == "increment":
        return _introduce_increment(s, notice)
    if notice.what == "wrong-clock" or notice.what == "turned-board":  # the arbiter sets it right himself
        s = stop(_answer(s, notice, "upheld"))
        return initial_position.say_begun(s, notice.what) if notice.what == "turned-board" else s
    notice = priced_in_full(s, notice)
    kinds = {price.kind for price in notice.prices}
    s = apply(s, notice)
    if kinds & {"loss", "draw"}:
        score = won_by(c.other(notice.side)) if "loss" in kinds else "1/2-1/2"
        return finish(s, score, "illegal-moves" if notice.what == "illegal" else "arbiter", notice.fine)
    s = stop(s)
    if 0 <= notice.at < len(s.made):
        its_own = s.made[notice.at].side == notice.side  # the offender's own move stays counted if it was illegal
        s = released_again(_return_to(s, notice.at, notice.at + its_own), notice.side)
        s = _restore(_bound(s, notice))
    elif (again := released_again(s, notice.side)) is not s:
        s = _restore(_bound(again, notice))
    elif notice.shown is not None and s.turn.corrects and s.turn.side == notice.side:  # he took it back by himself
        s = _restore(replace(s, then=notice.shown))
    return compare(s)


def _bound(s: State, notice: Notice) -> State:
    """Bind the offender, if he has the move, by what he had touched; what his opponent touched meanwhile, in another
    position, binds nobody."""
    his = s.turn.side == notice.side
    touches, partial_move = (notice.touches, notice.partial_move) if his else ((), None)
    return read_board(s.turning(touches=touches, partial_move=partial_move).derive(), s.now)


def _answer(s: State, notice: Notice, verdict: str) -> State:
    """Tell the player who claimed what the arbiter says to that."""
    asks = notice.what == "increment"
    of = "quickplay" if asks else notice.what
    return s.say(c.Claimed, side=notice.side, of=of, verdict=verdict, article=notice.article, increment=asks)


def _introduce_increment(s: State, notice: Notice) -> State:
    """From now on each press earns time, for both players; the opponent of the claimant is given some at once
    (III.4)."""
    s = stop(_answer(s, notice, "upheld"))
    if s.clock is not None:
        s = replace(s, clock=replace(s.clock, extra=s.laws.quickplay_increment_ms * NS))
    return apply(s, notice)


def _restore(s: State, *, resumes: bool = False) -> State:
    """Tell what must be put back: the pieces, to the present position; and, as a proposal, the clocks, to what they
    showed when the move that is taken back was played (7.1), so that its player does not get back his thinking time.

    What penalties and the arbiter have given or taken since is included. ``resumes``: play is to be resumed after it.
    """
    s = compare(replace(s, displaced=()))
    said = s.facts[-1] if s.facts else None
    if not isinstance(said, c.Displaced):
        return _back_already(s)
    said = replace(said, article=s.laws.clause.restored_clock, fen=s.position.fen(), resumes=resumes)
    s = replace(s, restoring=True)
    white, black = _proposed(s)
    said = replace(said, white_ms=white, black_ms=black)
    return replace(s, facts=(*s.facts[:-1], said))


def _back_already(s: State) -> State:
    """The pieces are back already: tell only the times to which the clocks are to be set, if they differ."""
    white, black = _proposed(s)
    if white is None or s.both_left() == (white, black):
        return s
    return s.say(c.Restored, white_ms=white, black_ms=black)


def _proposed(s: State) -> tuple[c.Ms | None, c.Ms | None]:
    """What White's and Black's clocks are to show after a ruling that led back to an earlier position; else None."""
    if s.then is None:
        return None, None
    return s.then[0] + s.awarded[c.WHITE], s.then[1] + s.awarded[c.BLACK]


def dismiss(s: State, answers: str | None) -> State:
    """Dismiss a notice: play goes on from what stands, and what was told is no fault."""
    s, notice = _answered(s, answers)
    if notice is None:  # a report on a move that is not pressed yet has no name
        return replace(s, witnessed=None) if answers is None else s
    side = notice.side
    if notice.result is not None and notice.result.reason == "forfeit":
        return replace(s, present=frozenset((c.WHITE, c.BLACK)), absent=frozenset())  # the arbiter lets them play
    if notice.what in CLAIMED:
        s = _answer(s, notice, "rejected")
        return apply(s, notice) if notice.what == "quickplay" else s
    if notice.what == "illegal":
        s = replace(s, counts={**s.counts, side: s.counts[side] - 1}, fined={**s.fined, side: s.fined[side] - 1})
    if notice.what == "violation" and any(n.what == "illegal" and 0 <= n.at == notice.at for n in s.notices):
        return s.amending(notice.at, breach=False)  # another notice says that the move was illegal
    if notice.at >= len(s.made) - 1:  # the notice is about the last move, or what was done after it
        if notice.what == "illegal" and put_back(s):
            return read_board(take_back(s, notice.at), s.now)
        s = stands(s)
    return _clear(s, notice.at) if 0 <= notice.at < len(s.made) else s


def _warn(s: State, item: c.Arbiter) -> State:
    """Warn a player, and settle the notice that this answers: what was played stands."""
    side = item.side
    if item.answers is not None:
        notice = warnable(s, item.answers)
        side, s = (notice.side, dismiss(s, item.answers)) if notice is not None else (None, s)
    if side is None:
        return s
    s = replace(s, warned={**s.warned, side: s.warned[side] + 1})
    return s.say(c.Warned, side=side, article=s.laws.clause.warning, count=s.warned[side])


def _postpone(s: State, item: c.Arbiter) -> State:
    """Postpone the decision on a claim of the quickplay finish: the game goes on meanwhile (10.2b)."""
    article, asked = s.laws.clause.quickplay_postponed, s
    oldest = next((n.ids[0] for n in s.notices if n.what == "quickplay" and is_open(s, n)), None)
    claim = oldest if item.answers is None else item.answers
    if claim is None or not article:
        return s
    s, notice = _answered(s, claim)
    if notice is None or notice.what != "quickplay":
        return asked
    s = replace(_answer(s, replace(notice, article=article), "postponed"), postponed=True)
    if not item.extra or s.clock is None:
        return s
    s = s.awarding(c.other(notice.side), s.laws.quickplay_postponed_ms)
    return drop_lifted_flags(s.show_clock(article=article))


def _answered(s: State, answers: str | None) -> tuple[State, Notice | None]:
    """Take the open notice of that name from the state; without a name the oldest open one, with all before it, which
    are no longer open."""
    for at, notice in enumerate(s.notices):
        if not is_open(s, notice):
            continue
        if answers is None:
            return replace(s, notices=s.notices[at + 1 :]), notice
        if answers in notice.ids:
            return replace(s, notices=(*s.notices[:at], *s.notices[at + 1 :])), notice
    return (replace(s, notices=()) if answers is None else s), None


def _clear(s: State, at: int) -> State:
    """The move that a dismissed notice was about is good: complete it; or end the game if it does."""
    made, is_last = s.made[at], at == len(s.made) - 1
    if made.illegal and not made.move and not made.changed and is_last:
        return _give_the_turn_back(s)
    if made.illegal and made.move:
        if not made.reported:
            s = report(s, at)
        s = complete(s, at, left=made.left)  # with the times after the press, not after the ruling
    elif made.illegal and is_last:
        s = s.say(c.Restored, fen=s.position.fen())  # no move can be named, but its position stands
    s = s.amending(at, illegal=False, breach=False, ruled=True)
    if made.illegal:
        return s.amending(at, completed_by_press=True)
    if is_last:
        end = ended(s.position.board, s.keys(), s.laws, can_move=s.position.has_legal_move())
        if end is not None:
            return finish(s, end.result, end.reason, end.article)
    return s


def _give_the_turn_back(s: State) -> State:
    """The press without a move is no fault: its player still has the move, and his touches bind him."""
    at = len(s.made) - 1
    s = _uncount(s.amending(at, illegal=False), s.made[at].side)
    s = take_back(s, at)
    if s.clock is not None and s.clock.running not in (None, s.turn.side):
        s = _run_the_mover(s)
    return read_board(s, s.now)


def _return_to(s: State, at: int, void: int) -> State:
    """Return to the position before move number ``at``; illegal moves from number ``void`` on are no longer counted."""
    notices = tuple([n for n in s.notices if n.at < at or (n.what == "illegal" and n.at < void)])
    s = replace(struck_out(_uncounted(s, at), void, len(s.made)), notices=notices, ambiguous=())
    then = s.made[at].shown if s.stopped else None  # else play goes on at once, and nothing is proposed
    return replace(take_back(s, at), presses=(), returned=s.made[at].move, then=then)


def _begin_anew(s: State) -> State:
    """Begin a new game from the initial position: nothing of the old one counts, what was touched in it, nor the time
    it took."""
    if s.made:
        s = _return_to(s.amending(0, before=s.start, touches=()), 0, 0)
    s = s.turning(touches=(), partial_move=None).derive().enter(s.start, chess.BB_ALL)
    if s.clock is not None:
        clock = ChessClock(s.clock.control).stop(s.now * NS)
        s = replace(s, clock=clock, awarded=NONE_OF_EITHER).show_clock()
    s = restock(s)
    s = compare(replace(s, displaced=(), returned=Move.null()))
    if s.displaced:
        return replace(s, facts=(*s.facts[:-1], replace(s.facts[-1], fen=s.position.fen())))
    return s.say(c.Restored, fen=s.position.fen())


def _undo(s: State, item: c.Arbiter) -> State:
    """Take back the last ruling or the last move, whichever is later.

    The touches of that move bind nobody, and what stands on the board is no new move.
    """
    if back := take_back_ruling(s, item.reason):
        return back
    if not s.made:
        return s
    s = _return_to(s, len(s.made) - 1, len(s.made) - 1)
    s = s.turning(touches=(), partial_move=None).derive()
    if s.clock is not None and s.clock.running not in (None, s.turn.side):
        s = _run_the_mover(s)
    return compare(leaving_out(s, s.mismatch).turning(judged=True))


def _set_clock(s: State, item: c.Arbiter) -> State:
    """Correct move counters, then set, add or take times (6.10.2), perhaps on another clock (6.10.1); times are set
    before others are added. Times added count as awarded, and so does what a set time differs by from the proposed one,
    or else from what the clock shows: later proposals include it."""
    if s.clock is None:
        return s
    white = None if item.white_ms is None else item.white_ms * NS
    black = None if item.black_ms is None else item.black_ms * NS
    clock, awarded = s.clock, {**s.awarded}
    for side, moves in ((c.WHITE, item.white_moves), (c.BLACK, item.black_moves)):
        if moves is not None:
            clock = clock.set_moves(side, moves)
    clock = clock.set(s.now * NS, white, black)
    expected = s.both_left() if s.then is None else _proposed(s)
    for side, shown, showed, more in (
        (c.WHITE, item.white_ms, expected[0], item.white_add_ms),
        (c.BLACK, item.black_ms, expected[1], item.black_add_ms),
    ):
        if shown is not None and showed is not None:
            awarded[side] += shown - showed
        if more is not None:
            clock = clock.add(s.now * NS, side, more * NS)
            awarded[side] += more
    counted = (item.white_moves, item.black_moves) != (None, None)
    rule = s.laws.clause.defective_clock if item.replaced else s.laws.clause.wrong_setting if counted else None
    s = replace(s, clock=clock, awarded=awarded).show_clock(
        item.reason or item.text or None,
        article=rule,
        white_moves=item.white_moves,
        black_moves=item.black_moves,
        replaced=item.replaced,
    )
    return drop_lifted_flags(s)


def _result(s: State, item: c.Arbiter) -> State:
    """Give the arbiter's result: with the clause of a proposed result if it is the same, else by his powers (12.9)."""
    if item.result is None:
        return s
    proposed = [n.result.article for n in s.notices if n.result is not None and n.result.result == item.result]
    if s.postponed and item.result == "1/2-1/2":
        proposed.append(s.laws.clause.quickplay_postponed)
    reason: c.Reason = "forfeit" if item.result in FORFEITS else "arbiter"
    article = proposed[0] if proposed else s.laws.clause.arbiter
    return (finish if s.result is None else declare)(s, item.result, reason, article)


ACTS: dict[c.Ruling, Callable[[State, c.Arbiter], State]] = {
    "pause": lambda s, _: stop(s),
    "resume": lambda s, item: resume(s, item.insist),
    "uphold": lambda s, item: uphold(s, item.answers),
    "dismiss": lambda s, item: dismiss(s, item.answers),
    "set-clock": _set_clock,
    "undo": _undo,
    "result": _result,
    "neutralise": lambda s, _: s,  # ends a match, never a game
    "report": conduct.report,
    "correct": _correct,
    "arrived": lambda s, item: s if item.side is None else arrival.arrived(s, item.side),
    "absent": lambda s, item: s if item.side is None else arrival.absent(s, item.side),
    "warn": _warn,
    "postpone": _postpone,
}
"""What each ruling of :data:`controller.contract.RULINGS` does to a state."""
