"""What is open to the arbiter, in words: what upholding would do under the edition in force, what dismissing leaves.

These are offers. Only the arbiter's own input rules, and the event's clause is the only one that is cited.
"""

from collections.abc import Sequence

from controller import contract as c
from controller.laws.editions import Price, Profile
from controller.words.context import Context
from controller.words.language import Language

#: Breaches that only a made move can be: upheld, the game returns to the position before it.
_OF_A_MOVE = frozenset(("touch-move", "castling-order", "promotion-changed"))


def options(event: c.AnyEvent, to: Language, seen: Context) -> dict[str, str]:
    """What the arbiter may do about an event, each in the infinitive, by its id in the catalogues; empty where nothing
    asks for him.
    """
    match event:
        case c.Violation():
            keys = _violation(event, seen)
        case c.Illegal():
            return _illegal(event, to, seen.laws)
        case c.Penalty():
            keys = _penalty(event)
        case c.Claimed():
            return _claim(event, to, seen)
        case c.Displaced(remedy="new-game"):
            keys = ("begin anew", "play on")
        case c.Displaced(remedy="transfer"):
            keys = ("transfer the position", "set the clocks")
        case c.Displaced(remedy="play-on"):
            keys = ("go on", "set the clocks")
        case c.Displaced(resumes=True):
            keys = ("restore the board", "resume all the same")
        case c.Displaced():
            keys = ("restore the board", "set the clocks", "go on")
        case c.Stalled():
            keys = ("restore the board", *_record(seen), "keep the score by hand", "give the result")
        case c.Ambiguous():
            keys = ("ask which move", *_record(seen), "wait for play", "take back")
        case c.Result(status="proposed" | "referred", reason="time"):
            keys = ("confirm the result", "refuse the result", "another result", "set the clocks")
        case c.Result(status="proposed" | "referred"):
            keys = ("confirm the result", "refuse the result", "another result")
        case _:
            keys = ()
    return _say(keys, to, _named(event, to))


def waiting(event: c.AnyEvent, to: Language, seen: Context) -> str:
    """Until when a thing is held for a claim that only a player can make; empty where the arbiter acts unasked."""
    key = ""
    match event:
        case c.Violation(report="on-claim"):
            key = "until touched" if seen.laws.forfeited(event.kind) else "until the end"
        case c.Illegal(report="on-claim"):
            key = "until moved" if seen.laws.illegal_until == "next-move" else "until the end"
        case c.Flag():
            key = "for the players" if seen.laws.flag_called_by == "players" else ""
    return to.text("held", key, **_named(event, to)) if key else ""


def _record(seen: Context) -> tuple[str, ...]:
    """What is known of a move may be put into the record, but not into that of a match."""
    return ("set the record right",) if seen.session.match is None else ()


def _violation(event: c.Violation, seen: Context) -> tuple[str, ...]:
    if event.report == "on-claim":
        return ()
    made = isinstance(seen.latest, c.Move) and seen.latest.side == event.side
    if event.kind in _OF_A_MOVE or (made and event.kind == "released-move"):
        return ("uphold the breach", "dismiss the breach", "set the clocks")
    if event.kind == "released-move":
        return ("restore the board", "warn", "go on")
    return ("warn", "give time", "go on")


def _illegal(event: c.Illegal, to: Language, laws: Profile) -> dict[str, str]:
    if event.report == "on-claim" or not event.completed:
        return {}
    price = said_price(prices(laws, event.count), to, event.side)
    ends = laws.price(event.count, opponent_can_mate=True).kind == "loss"
    keys = ("uphold the loss" if ends else "uphold the illegal move", "dismiss the illegal move", "set the clocks")
    return _say(keys, to, {**to.sides(event.side), "price": price})


def _penalty(event: c.Penalty) -> tuple[str, ...]:
    if event.status == "applied":
        return ()
    return ("choose a penalty", "warn", "dismiss") if event.kind == "discretion" else ("apply the penalty", "dismiss")


def _claim(event: c.Claimed, to: Language, seen: Context) -> dict[str, str]:
    named = to.sides(event.side)
    if event.verdict == "referred":
        if event.of in ("wrong-array", "fourfold"):
            return {}  # what follows of it is said with the beginning, or with the result
        if event.of in ("wrong-clock", "turned-board"):
            put_right = "stop the clocks" if event.of == "wrong-clock" else "transfer it"
            return _say((put_right, "reject it", "set the clocks"), to, named)
        if event.of != "quickplay":
            return _say(("settle the move", "take back"), to, named)
        if event.increment:
            named["price"] = said_price((Price("time", seen.laws.quickplay_granted_ms),), to, event.side)
            named["time"] = to.span(seen.laws.quickplay_increment_ms)
            return _say(("grant the increment", "refuse the increment"), to, named)
        keys: tuple[str, ...] = ("declare a draw", "reject the claim")
        rejected = Price("time", seen.laws.quickplay_rejected_ms)
        named["price"] = said_price((rejected,), to, event.side)
        if seen.laws.clause.quickplay_postponed:
            named["time"] = to.span(seen.laws.quickplay_postponed_ms)
            keys += ("watch on", "watch on and give time")
        return _say(keys, to, named)
    if event.verdict != "upheld":
        return {}
    if event.of == "touch-move":
        moved = seen.turns[c.other(event.side)].over
        return _say(("uphold the breach", "dismiss the breach", "set the clocks"), to, named) if moved else {}
    if event.of == "illegal-move":
        return _say(("uphold the claim", "dismiss the illegal move", "set the clocks"), to, named)
    return {}


def prices(laws: Profile, count: int) -> tuple[Price, ...]:
    """What a player's ``count``-th illegal move costs: two prices where it depends on whether the opponent can mate."""
    dearest = laws.price(count, opponent_can_mate=True)
    rider = laws.price(count, opponent_can_mate=False)
    return (dearest,) if dearest == rider else (dearest, rider)


def said_price(costs: Sequence[Price], to: Language, offender: c.Side) -> str:
    """A price in words, against ``offender``."""
    kind = " or ".join(price.kind for price in costs)
    return to.text("price", kind, time=to.span(costs[0].time_ms or 0), **to.sides(offender))


def _named(event: c.AnyEvent, to: Language) -> dict[str, str]:
    side: c.Side | None = getattr(event, "side", None)
    return to.sides(side) if side is not None else {}


def _say(keys: Sequence[str], to: Language, fields: dict[str, str]) -> dict[str, str]:
    return {key: to.text("option", key, **fields) for key in keys}
