"""What awaits a ruling: penalties and results proposed, and what they cost once applied (6.9, 7.5, 9.5).

The program measures and proposes. An unattended event (`apply_penalties`) lets it apply fixed minutes by itself.
"""

from controller import contract as c
from controller.laws.deadposition import can_mate
from controller.laws.editions import Price
from controller.laws.record import NOWHERE, Made, Notice, What
from controller.laws.state import NS, State
from controller.position import Position


def sound(s: State) -> Position:
    """The position that lawful play last led to: the one before the oldest illegal move that nobody has settled."""
    return next((made.before for made in s.made if made.illegal and not made.reported), s.position)


def lost_by(s: State, side: c.Side) -> c.Score:
    """The result of a game lost by ``side``: drawn where the opponent cannot mate by any legal moves (6.9)."""
    if not can_mate(sound(s).board, c.other(side)):
        return "1/2-1/2"
    return won_by(c.other(side))


def won_by(side: c.Side) -> c.Score:
    """The result of a game won by ``side``."""
    return "1-0" if side == c.WHITE else "0-1"


def standing(s: State, made: Made) -> bool:
    """Whether the time to correct an illegal move has passed: from then on it stands (A.4.2).

    In most rapid and blitz that is so once the opponent has made his next move, else not before the game ends. One that
    is illegal itself is made (4.7) only once it stands in its turn.
    """
    if s.laws.illegal_until == "end":
        return False
    later = s.made[s.made.index(made) + 1 :]
    return any(m.side != made.side and m.move and m.reported for m in later)


def about(s: State, side: c.Side, what: What, article: str) -> Notice:
    """A notice that hangs on no move: the game is not returned anywhere for it."""
    return Notice(what, side, NOWHERE, s.position, s.turn.touches, s.turn.half, article=article)


def on_move(made: Made, at: int, what: What, article: str) -> Notice:
    """A notice on a move made, number ``at`` from 0: upheld, the game returns to the position before it."""
    return Notice(what, made.side, at, made.before, made.touches, made.half, article=article)


def fine_illegal(s: State, notice: Notice) -> None:
    """Open the notice of a completed illegal move with its price: by its number and what the opponent could win."""
    s.fined[notice.side] += 1
    rival = can_mate(notice.before.board, c.other(notice.side))
    notice.prices = (s.laws.price(s.fined[notice.side], opponent_can_mate=rival),)
    notice.fine = s.laws.clause.illegal_penalty
    propose(s, notice)


def fine_false_claim(s: State, side: c.Side) -> None:
    """Open the notice of a false claim of a draw with its price (9.5)."""
    notice = about(s, side, "false-claim", s.laws.clause.false_claim)
    notice.prices = (Price("time", s.laws.false_claim_ms),)
    if cut := s.laws.false_claim_cut(s.left(side) or 0):
        notice.prices += (Price("cut", cut),)
    notice.fine = s.laws.clause.false_claim
    propose(s, notice)


def penalise(s: State, side: c.Side) -> None:
    """Open the notice of a fault for which the edition sets no price: the arbiter chooses it (13.4, from 2014 12.9).

    Where he rules on request only, nothing is proposed.
    """
    if s.laws.touch_report == "on-claim":
        return
    notice = about(s, side, "discretion", s.laws.clause.arbiter)
    notice.prices, notice.fine = (Price("discretion"),), s.laws.clause.arbiter
    propose(s, notice)


def propose(s: State, notice: Notice) -> None:
    """Say what the edition prescribes, and wait for the ruling."""
    s.notices.append(notice)
    for price in notice.prices:
        _say(s, notice, price, "proposed")
    if s.settings.apply_penalties and all(price.kind in ("time", "cut") for price in notice.prices):
        apply(s, notice)


def propose_result(s: State, side: c.Side, score: c.Score, reason: str, article: str) -> None:
    """Propose a result that goes against ``side``, and wait for the ruling."""
    s.emit(c.Result, result=score, reason=reason, article=article, status="proposed")
    proposed = s.events[-1]
    assert isinstance(proposed, c.Result)
    notice = about(s, side, "result", article)
    notice.result = proposed
    s.notices.append(notice)


def say_open(s: State, notice: Notice) -> None:
    """Say once more what is proposed: a ruling on it was taken back."""
    for price in notice.prices:
        _say(s, notice, price, "proposed")
    if notice.result is not None:
        proposed = notice.result
        s.emit(
            c.Result, result=proposed.result, reason=proposed.reason, article=proposed.article, status=proposed.status
        )


def apply(s: State, notice: Notice) -> None:
    """The proposed penalty is applied; what it does to the result is for the ruling to say."""
    for price in notice.prices:
        _say(s, notice, price, "applied")
        if price.time_ms is not None and s.clock is not None:
            cut = price.kind == "cut"
            side, ms = (notice.side, -price.time_ms) if cut else (c.other(notice.side), price.time_ms)
            s.clock.add(s.now * NS, side, ms * NS)
            s.awarded = {**s.awarded, side: s.awarded[side] + ms}
            s.show_clock()
            drop_lifted_flags(s)
    notice.prices = ()


def drop_lifted_flags(s: State) -> None:
    """Time given lifts a flag, and with it what was proposed for its fall."""
    s.notices = [n for n in s.notices if not (_for_time(n) and s.clock is not None and s.clock.fell(n.side) is None)]


def _for_time(notice: Notice) -> bool:
    return notice.result is not None and notice.result.reason == "time"


def _say(s: State, notice: Notice, price: Price, status: str) -> None:
    fields = {"side": notice.side, "kind": price.kind, "time_ms": price.time_ms}
    s.emit(c.Penalty, **fields, status=status, article=notice.fine)
