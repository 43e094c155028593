"""What awaits a ruling: penalties and results proposed, and what they cost once applied (6.9, 7.5, 9.5).

The program measures and proposes. An unattended event (`apply_penalties`) lets it apply fixed minutes by itself.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

from chess import Board
from msgspec.structs import replace

from controller import contract as c
from controller.laws.editions import Price
from controller.laws.endings import can_mate, mating
from controller.laws.record import NOWHERE, Made, Notice, What, holding
from controller.laws.state import NS, State
from controller.mating import SOON
from controller.position import Position
from controller.sensing.budget import UnaskedError
from controller.sensing.difference import LEGAL


def sound(s: State) -> Position:
    """The position that lawful play last led to: that before the oldest unsettled illegal move, if there is one."""
    return next((made.before for made in s.made if made.illegal and not made.reported), s.position)


class Loss(NamedTuple):
    """The result of a game lost on time."""

    score: c.Score
    status: Literal["proposed", "referred"]
    evidence: dict[str, Any]  #: fields of the result


def lost_by(s: State, side: c.Side) -> Loss:
    """The result of a game lost by ``side``: drawn where the opponent cannot mate by any legal moves (6.9), referred
    where that was neither shown nor refuted."""
    found = mating(sound(s).board, c.other(side))
    score: c.Score = "1/2-1/2" if found.can is False else won_by(c.other(side))
    if found.why not in get_args(c.Mating):
        return Loss(score, "proposed", {})  # the game is over on the board, or it is no position of ordinary chess
    evidence = {"mating": found.why.value, "line": [move.uci() for move in found.line]}
    return Loss(score, "referred" if found.can is None else "proposed", evidence)


def asks(s: State, item: c.AnyInput) -> Iterator[tuple[Board, c.Side]]:
    """The positions, each with a side, for which the Laws will ask by ``item``, or by a flag that falls before it,
    whether that side can still mate."""
    board = sound(s).board
    if s.clock is not None and s.laws.flag_called_by == "arbiter":
        yield from ((board, c.other(fallen)) for fallen, _ in s.clock.advance(item.ms * NS)[1])
    if isinstance(item, c.Resign) and s.laws.resignation_may_draw:
        yield board, c.other(item.side)
        if item.side != s.turn.side and s.turn.difference.kind in LEGAL:  # that move has been made by then
            yield s.position.after(s.turn.difference.moves[0]).board, c.other(item.side)
    if isinstance(item, c.Claim) and item.of == "flag":
        yield board, item.side
    if isinstance(item, c.Arbiter) and item.do == "uphold":
        yield from ((each.before.board, c.other(each.side)) for each in s.notices if _may_be_drawn(s, each))


def _may_be_drawn(s: State, notice: Notice) -> bool:
    """Whether that is a loss by illegal moves, which is a draw where the opponent cannot mate."""
    loses = any(price.kind == "loss" for price in notice.prices)
    return s.laws.draw_rider and notice.what == "illegal" and loses


def priced_in_full(s: State, notice: Notice) -> Notice:
    """The notice whose price is to be applied: where it is a loss, a long search may show that the opponent cannot
    mate, though the short one by which it was proposed did not."""
    if not _may_be_drawn(s, notice) or can_mate(notice.before.board, c.other(notice.side)):
        return notice
    return replace(notice, prices=(s.laws.price(s.fined[notice.side], opponent_can_mate=False),))


def won_by(side: c.Side) -> c.Score:
    """The result of a game won by ``side``."""
    return "1-0" if side == c.WHITE else "0-1"


def standing(s: State, at: int) -> bool:
    """Whether the time to correct the illegal move number ``at`` has passed: from then on it stands (A.4.2).

    In most rapid and blitz that is so once the opponent has made his next move, else only when the game ends. If the
    opponent's move is illegal itself, it counts as made (4.7) only once it stands, too.
    """
    if s.laws.illegal_until == "end":
        return False
    side = s.made[at].side
    return any(later.side != side and later.move and later.reported for later in s.made[at + 1 :])


def struck_out(s: State, at: int, until: int) -> State:
    """The state in which the moves from number ``at`` to before ``until`` no longer count as illegal moves of their
    players, nor the notices about them as priced."""
    counts, fined = dict(s.counts), dict(s.fined)
    for made in s.made[at:until]:
        counts[made.side] -= made.illegal
    for notice in s.notices:
        if notice.what == "illegal" and at <= notice.at < until:
            fined[notice.side] -= 1
    return replace(s, counts=counts, fined=fined)


def about(s: State, side: c.Side, what: What, article: str, ids: tuple[str, ...]) -> Notice:
    """A notice that is about no move, so that a ruling on it takes nothing back. ``ids``: of the events about it."""
    return Notice(-1, ids, what, side, NOWHERE, s.position, s.turn.touches, s.turn.partial_move, article=article)


def on_move(made: Made, at: int, what: What, article: str, ids: tuple[str, ...]) -> Notice:
    """A notice about move number ``at``, from 0: if it is upheld, the game returns to the position before that move."""
    return Notice(-1, ids, what, made.side, at, made.before, made.touches, made.partial_move, article, shown=made.shown)


def is_open(s: State, notice: Notice) -> bool:
    """Whether a ruling can still answer the notice: not after the game, nor about an illegal move that now stands."""
    if s.result is not None:
        return False
    return notice.what != "illegal" or notice.at == NOWHERE or not standing(s, notice.at)


def belongs(s: State, notice: Notice, ids: tuple[str, ...]) -> State:
    """The state in which events with these names are about that notice, too, if it is still there."""
    notices = [replace(n, ids=(*n.ids, *ids)) if n.number == notice.number else n for n in s.notices]
    return replace(s, notices=tuple(notices))


def open_notice(s: State, notice: Notice) -> State:
    """The state in which the notice waits for a ruling, after those that are open already."""
    return replace(s, notices=(*s.notices, replace(notice, number=s.noticed)), noticed=s.noticed + 1)


def accuse(s: State, at: int, kind: Any, article: str, back: int, ids: tuple[str, ...]) -> State:
    """Open a notice that move number ``at`` broke a rule, as events with these ``ids`` say; or keep it for a claim,
    where the edition wants one. If it is upheld, the game returns to where ``back`` moves had been made. Without ids,
    as nothing is told of what nobody saw, nothing awaits anybody."""
    if not ids:
        return s
    made = s.made[at]
    if s.laws.report_violation(kind) == "arbiter":
        return open_notice(s, on_move(made, back, "violation", article, ids))
    return s.amending(at, held=holding(made, "violation", ids))


def fine_illegal(s: State, notice: Notice) -> State:
    """Open the notice of a completed illegal move with its price, which depends on how many that player has made, and
    on whether the opponent can mate."""
    number = s.fined[notice.side] + 1
    price = s.laws.price(number, opponent_can_mate=True)
    # A short search will do: this may be one story of several, and the price is only proposed (priced_in_full).
    if price.kind == "loss" and not _soon_mates(s, notice):
        price = s.laws.price(number, opponent_can_mate=False)
    s = replace(s, fined={**s.fined, notice.side: number})
    prices = () if price.kind == "time" and s.clock is None else (price,)
    return propose(s, replace(notice, prices=prices, fine=s.laws.clause.illegal_penalty))


def _soon_mates(s: State, notice: Notice) -> bool:
    """Whether the opponent may still mate, as far as a short search tells; True if the budget allows no search."""
    try:
        s.budget.ask()
    except UnaskedError:
        return True
    return can_mate(notice.before.board, c.other(notice.side), SOON)


def fine_false_claim(s: State, side: c.Side, ids: tuple[str, ...]) -> State:
    """Open the notice of a false claim of a draw with its price (9.5)."""
    clause, prices = s.laws.clause.false_claim, [Price("time", s.laws.false_claim_ms)]
    if cut := s.laws.false_claim_cut(s.left(side) or 0):
        prices.append(Price("cut", cut))
    return propose(s, replace(about(s, side, "false-claim", clause, ids), prices=tuple(prices), fine=clause))


def penalise(s: State, side: c.Side, ids: tuple[str, ...]) -> State:
    """Open the notice of a fault for which the edition sets no price: the arbiter chooses it (13.4, from 2014 12.9).

    Where he rules on request only, nothing is proposed.
    """
    if s.laws.touch_report == "on-claim":
        return s
    clause = s.laws.clause.arbiter
    return propose(s, replace(about(s, side, "discretion", clause, ids), prices=(Price("discretion"),), fine=clause))


def propose(s: State, notice: Notice) -> State:
    """Open the notice and propose its prices; apply them at once where the event lets the program do so."""
    s = open_notice(s, notice)
    notice = s.notices[-1]
    for price in notice.prices:
        s = _say(s, notice, price, "proposed")
    if s.settings.apply_penalties and all(price.kind in ("time", "cut") for price in notice.prices):
        return apply(s, notice)
    return s


def propose_result(
    s: State, side: c.Side, score: c.Score, reason: str, article: str, ids: tuple[str, ...] = (), **fields: Any
) -> State:
    """Propose a result that goes against ``side``, and wait for the ruling. ``ids``: of earlier events about it;
    ``fields``: further fields of the result."""
    before = s
    s = s.say(c.Result, **{"result": score, "reason": reason, "article": article, "status": "proposed", **fields})
    proposed = s.facts[-1]
    assert isinstance(proposed, c.Result)
    return open_notice(s, replace(about(s, side, "result", article, (*ids, *s.ids_since(before))), result=proposed))


def say_open(s: State, notice: Notice) -> State:
    """Tell once more what is proposed, as a ruling on the notice was taken back."""
    for price in notice.prices:
        s = _say(s, notice, price, "proposed")
    if notice.result is None:
        return s
    before, proposed = s, notice.result
    said = ("result", "reason", "article", "status", "mating", "line")
    s = s.say(c.Result, **{name: getattr(proposed, name) for name in said})
    return belongs(s, notice, s.ids_since(before))


def apply(s: State, notice: Notice) -> State:
    """Apply the proposed penalty to the clocks; a result that follows is the ruling's to say."""
    for price in notice.prices:
        s = _say(s, notice, price, "applied")
        if price.time_ms is not None and s.clock is not None:
            cut = price.kind == "cut"
            side, ms = (notice.side, -price.time_ms) if cut else (c.other(notice.side), price.time_ms)
            s = drop_lifted_flags(s.awarding(side, ms).show_clock())
    return replace(s, notices=tuple([replace(n, prices=()) if n.number == notice.number else n for n in s.notices]))


def drop_lifted_flags(s: State) -> State:
    """The state without results proposed for a flag that no longer counts, as time was given."""
    clock = s.clock
    assert clock is not None
    for_time = {n.number for n in s.notices if n.result is not None and n.result.reason == "time"}
    kept = [n for n in s.notices if n.number not in for_time or clock.fell(n.side) is not None]
    return replace(s, notices=tuple(kept))


def _say(s: State, notice: Notice, price: Price, status: str) -> State:
    fields = {"side": notice.side, "kind": price.kind, "time_ms": price.time_ms}
    before = s
    s = s.say(c.Penalty, **fields, status=status, article=notice.fine)
    return belongs(s, notice, s.ids_since(before))
