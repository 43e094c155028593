"""Who comes, and when: a player who is not there by the default time has lost; if neither is, both have (6.6 / 6.7).

No board sees who sits at it. What an arbiter says about a player's arrival is told, and may lead to a proposed forfeit.
If nobody says anything, and the event watches for it, that is proposed of a player who has touched nothing, too.
"""

from msgspec.structs import replace

from controller import contract as c
from controller.laws.notices import propose_result
from controller.laws.state import State
from controller.sensing.difference import Kind


def limit(s: State) -> c.Ms | None:
    """How long after the start, in ms, a player may come: as the event announced it, else as the edition has it; None
    if the event had to announce it and has not."""
    announced = s.settings.default_time_ms
    return s.laws.default_time_ms if announced is None else announced


def arrived(s: State, side: c.Side) -> State:
    """The player is there now: in time, or too late, for which a forfeit is proposed."""
    s, last = _say(s, side, True), limit(s)
    if side in s.present or _has_played(s, side):
        return s
    if last is None or s.now <= last:
        return replace(s, present=s.present | {side}, absent=s.absent - {side})
    return _forfeited(replace(s, absent=s.absent | {side}))


def absent(s: State, side: c.Side) -> State:
    """The player is not there: a forfeit is proposed, now or when the default time is over."""
    s, last = _say(s, side, False), limit(s)
    if last is None or side in s.present or _has_played(s, side):
        return s
    s = replace(s, absent=s.absent | {side})
    return _forfeited(s) if s.now >= last else replace(s, default_due=last)


def default_time(s: State) -> State:
    """The default time is over: propose that those said to be absent have forfeited; else that the player having the
    move has, if he has touched nothing."""
    s = replace(s, default_due=None)
    side, touched = s.turn.side, s.turn.difference.kind is not Kind.QUIET or bool(s.turn.touches)
    if any(not _has_played(s, each) for each in s.absent):
        return _forfeited(s)
    if s.watched and side not in s.present and not (_has_played(s, side) or touched or s.stopped):
        return propose_result(s, side, _forfeited_by(side), "forfeit", s.laws.clause.default_time)
    return s


def _say(s: State, side: c.Side, came: bool) -> State:
    article, last = s.laws.clause.default_time, limit(s)
    return s.say(c.Arrival, side=side, came=came, article=article, default_time_ms=last)


def _forfeited_by(side: c.Side) -> c.Score:
    return "-+" if side == c.WHITE else "+-"


def _has_played(s: State, side: c.Side) -> bool:
    return s.at_last(side) is not None


def _forfeited(s: State) -> State:
    """Propose the forfeit of all who are late, in place of one proposed when only one of them was."""
    late = [side for side in (c.WHITE, c.BLACK) if side in s.absent and not _has_played(s, side)]
    score: c.Score = "--" if len(late) == 2 else _forfeited_by(late[0])
    known = [n.result.result for n in s.notices if n.result is not None and n.result.reason == "forfeit"]
    if score in known:
        return s
    notices = [n for n in s.notices if n.result is None or n.result.article != s.laws.clause.default_time]
    s = replace(s, notices=tuple(notices))
    return propose_result(s, late[0], score, "forfeit", s.laws.clause.default_time)
