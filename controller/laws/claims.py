"""What players say: claims, draw offers, resignation (4.8, 5, 6.8, 7.5, 9, the quickplay finish).

A verdict says what the record of the game shows. If it shows a draw or a fallen flag, the game ends; a breach or an
illegal move becomes a notice for the arbiter; what only a person can judge is referred to him. Nothing here stops a
clock: a player who claims presses pause.
"""

from collections.abc import Callable
from typing import Literal

from chess import InvalidMoveError, Move
from msgspec.structs import replace

from controller import contract as c
from controller.laws import initial_position
from controller.laws.editions import Price
from controller.laws.endings import fifty_moves, threefold
from controller.laws.evidence import NOTHING, Evidence, drawn, fell, hands, played, touched
from controller.laws.illegal import article_of
from controller.laws.moves import ended_by_capture, finish
from controller.laws.notices import (
    about,
    belongs,
    fine_false_claim,
    fine_illegal,
    is_open,
    lost_by,
    on_move,
    open_notice,
    propose_result,
    sound,
    standing,
    won_by,
)
from controller.laws.outcomes import triggered
from controller.laws.record import Made, Notice, What, WrittenMove
from controller.laws.state import State
from controller.laws.stock import stood
from controller.laws.touch import breach
from controller.laws.turn import Trigger
from controller.sensing.difference import LEGAL
from controller.sensing.trace import away_and_back

Verdict = Literal["upheld", "rejected", "lapsed", "inadmissible", "referred"]

DECIDING = (c.Resign, c.Draw, c.Claim)
"""Inputs that may end the game. What was played until then is settled as well as it can be where they do; a claim that
does not settles no more than its answer."""

ENDING = (*DECIDING, c.Arbiter)
"""The same, and rulings, of which one (``result``) ends the game."""

WITNESSED = ("touch-move", "illegal-move")
"""Claims by which a player says that he has seen his opponent break a rule."""


def ends(item: c.AnyInput) -> bool:
    """Whether that input ends the game, if it is in order."""
    if isinstance(item, c.Arbiter):
        return item.do == "result"
    return isinstance(item, c.Resign) or (isinstance(item, c.Draw) and item.act == "accept")


def claim(s: State, item: c.Claim) -> State:
    """A player claims: tell the verdict, and carry out what follows from it."""
    return _CLAIMS[item.of](s, item)


def too_late(s: State, item: c.Claim) -> State:
    """Tell that a claim after the end of the game has lapsed."""
    return _say(s, item, "lapsed", _clause(s, item))


def _say(s: State, item: c.Claim, verdict: Verdict, article: str, evidence: Evidence = NOTHING) -> State:
    fields = {"side": item.side, "of": item.of, "verdict": verdict, "article": article, "increment": item.increment}
    return s.say(c.Claimed, **fields, **evidence)


def _clause(s: State, item: c.Claim) -> str:
    """The clause of the claim; for a draw it depends on whether a move is written down."""
    clause, intended = s.laws.clause, item.move is not None
    return {
        "touch-move": clause.claim_lost,
        "illegal-move": clause.illegal_move,
        "flag": clause.flag_fallen,
        "threefold": clause.threefold_intended if intended else clause.threefold,
        "fourfold": clause.threefold,
        "fifty-moves": clause.fifty_moves_intended if intended else clause.fifty_moves,
        "wrong-array": clause.wrong_array,
        "turned-board": clause.turned_board,
        "wrong-clock": clause.wrong_setting,
        "quickplay": clause.quickplay_increment if item.increment else clause.quickplay,
    }[item.of]


# -- breaches and illegal moves --------------------------------------------------------------------------------------


def _touch_move(s: State, item: c.Claim) -> State:
    """Claim that the opponent broke Article 4. The right is lost once the claimant touches a piece (4.7 / 4.8)."""
    opponent, lapsed = c.other(item.side), NOTHING
    if s.turn.side == opponent and s.turn.touches and s.owed is not None and s.owed.must not in ("free", "none"):
        # The opponent has not moved yet, and is held to what he touched.
        return _say(s, item, "upheld", s.owed.clause, touched(hands(s.turn.touches, s.turn.partial_move)))
    for at in range(len(s.made) - 1, -1, -1):
        made = s.made[at]
        broken = _broken(s, made) if made.side == opponent else None
        if broken is None:
            continue
        if s.laws.forfeited(broken[0]) and (at < len(s.made) - 1 or s.turn.touches):
            lapsed = lapsed or played(made)
            continue
        notice = on_move(made, at if made.breach else at + 1, "violation", broken[1], ())
        return _upheld(s, item, at, notice, played(made), open_notice)
    return _say(s, item, "lapsed" if lapsed else "rejected", _clause(s, item), lapsed)


def _broken(s: State, made: Made) -> tuple[str, str] | None:
    """The kind and clause of the rule of Article 4 that a move broke, or its player by moving it on; None if none."""
    if made.breach:
        broken = breach(made.before, made.move, made.touches, made.partial_move, s.laws.clause, s.together_ms)
        return broken or ("touch-move", s.laws.clause.false_claim)
    moved_on = made.shifted or (made.instead is not None and not made.illegal)  # the released move no longer stands
    return ("released-move", s.laws.clause.released) if moved_on else None


def _illegal_move(s: State, item: c.Claim) -> State:
    """Claim that the opponent completed an illegal move that can still be corrected; his latest one is meant."""
    opponent = c.other(item.side)
    at = next((i for i in range(len(s.made) - 1, -1, -1) if s.made[i].illegal and s.made[i].side == opponent), None)
    if at is None:
        corrected = next((n for n in s.notices if n.what == "illegal" and n.side == opponent), None)
        if corrected is None:
            return _say(s, item, "rejected", _clause(s, item))
        said = _say(s, item, "upheld", corrected.article)
        return belongs(said, corrected, said.ids_since(s))
    made = s.made[at]
    known = _known(s, "illegal", at)
    unfinished = made.partial_move is not None and made.partial_move.part == "promotion"
    nothing = "unfinished-promotion" if unfinished else "no-move"
    article = known.article if known else article_of(s, "" if made.move else nothing)
    since_it_stands = {**played(made), "since_ms": made.ms}
    if standing(s, at):
        return _say(s, item, "lapsed", article, since_it_stands)
    return _upheld(s, item, at, on_move(made, at, "illegal", article, ()), since_it_stands, fine_illegal)


def _known(s: State, what: What, at: int) -> Notice | None:
    """The notice of that kind about move number ``at`` that awaits a ruling already."""
    return next((notice for notice in s.notices if notice.what == what and notice.at == at), None)


def _upheld(
    s: State, item: c.Claim, at: int, notice: Notice, evidence: Evidence, opens: Callable[[State, Notice], State]
) -> State:
    """Uphold a claim about move number ``at``, and open its notice, with what was kept against that move until it is
    claimed; unless such a notice is open already."""
    said = _say(s, item, "upheld", notice.article, evidence)
    if (known := _known(s, notice.what, notice.at)) is not None:
        return belongs(said, known, said.ids_since(s))
    held = {**s.made[at].held}
    ids = (*held.pop(notice.what, ()), *said.ids_since(s))
    return opens(said.amending(at, held=held), replace(notice, ids=ids))


# -- the flag --------------------------------------------------------------------------------------------------------


def _flag(s: State, item: c.Claim) -> State:
    """Claim that the opponent's flag is down (6.8, 6.9). What follows if both are depends on the edition (B.8, B.9)."""
    clause, clock, opponent = s.laws.clause, s.clock, c.other(item.side)
    down = None if clock is None else clock.fell(opponent)
    if clock is None:
        return _say(s, item, "inadmissible", clause.flag_fallen)
    if down is None:
        return _say(s, item, "rejected", clause.flag_fallen)
    since = fell(down)
    if clock.fell(item.side) is not None and s.laws.flag_needs_own_time:
        s = _say(s, item, "inadmissible", clause.both_flags, since)
        return finish(s, "1/2-1/2", "time", clause.both_flags) if s.laws.both_flags == "draw" else s
    if clock.first_fallen == item.side:
        return _say(s, item, "rejected", clause.flag, since)
    s = _say(s, item, "upheld", clause.flag, since)
    lost = lost_by(s, opponent)
    if lost.status == "referred":
        return propose_result(s, opponent, lost.score, "time", clause.flag, status=lost.status, **lost.evidence)
    return finish(s, lost.score, "time", clause.flag, **lost.evidence)


# -- draws -----------------------------------------------------------------------------------------------------------


def _repeated_or_quiet(s: State, item: c.Claim) -> State:
    """Claim that the position stands for the third time, or will after the move written down (9.2); or fifty moves of
    each player without a capture or a pawn's move, the one written down included (9.3). Only the player having the move
    may claim, before he touches a piece (9.4)."""
    article = _clause(s, item)
    reason: Literal["threefold", "fifty-moves"] = "threefold" if item.of == "threefold" else "fifty-moves"
    if reason == "threefold" and s.laws.fourfold:
        return _say(s, item, "inadmissible", article)
    s = _offered(s, item.side)  # a claim of a draw is an offer of one, too (9.1)
    move = _written(item)
    if item.side != s.turn.side:
        return _say(s, item, "inadmissible", article)
    if s.turn.touches:
        return _say(s, item, "lapsed", s.laws.clause.draw_claim_lost)
    board = s.position.board
    holds = threefold(board, s.keys(), move) if reason == "threefold" else fifty_moves(board, move)
    said = _say(s, item, "upheld" if holds else "rejected", article, drawn(s, item.of, move))
    if holds:
        return finish(said, "1/2-1/2", reason, article)
    s = fine_false_claim(said, item.side, said.ids_since(s))
    if move is None or not s.position.is_legal(move):
        return s
    return replace(s, written=WrittenMove(move, s.position, len(s.made))).derive()  # it must now be played (9.5)


def _offered(s: State, side: c.Side) -> State:
    """The state in which ``side`` has offered a draw now."""
    return replace(s, offers={**s.offers, side: s.now})


def _written(item: c.Claim) -> Move | None:
    """The move written down; if it cannot be read a null move, by which no claim is good."""
    if item.move is None:
        return None
    try:
        return Move.from_uci(item.move)
    except InvalidMoveError:
        return Move.null()


def _fourfold(s: State, item: c.Claim) -> State:
    """In a match, claim the fourth occurrence of a position: it is counted aloud, so a person has heard it and rules
    (19 of the blitz à quatre). The move written down may bring one occurrence more (9.2 of the Laws)."""
    article = _clause(s, item)
    if not s.laws.fourfold or item.side != s.turn.side:
        return _say(s, item, "inadmissible", article)
    move = _written(item)
    plies = stood(s, item.side, move)
    good = len(plies) + (move is not None) >= 4
    said = _say(s, item, "referred" if good else "rejected", article, {"plies": plies})
    if not good:
        return said
    return propose_result(said, c.other(item.side), "1/2-1/2", "arbiter", article, said.ids_since(s))


def _quickplay(s: State, item: c.Claim) -> State:
    """Claim a draw with less than two minutes left for all remaining moves, and no increment (10.2): a person judges
    whether the opponent tries to win.

    The player must have the move, except where no arbiter is present to be called (D.1). From 2014 he may instead ask
    for five seconds a move, which the arbiter grants or not (G.4, III.4). Either is an offer of a draw.
    """
    laws, clock, article = s.laws, s.clock, _clause(s, item)
    alone = laws.clause.quickplay == laws.clause.quickplay_alone
    left = s.left(item.side)
    if (
        laws.quickplay != "open"
        or not article
        or clock is None
        or clock.earns
        or not clock.in_last_period(item.side)
        or left is None
        or left >= laws.quickplay_ms
        or not (alone or item.side == s.turn.side)
    ):
        return _say(s, item, "inadmissible", article or laws.clause.quickplay)
    if clock.fell(item.side) is not None:
        return _say(s, item, "lapsed", article)
    said = _say(_offered(s, item.side), item, "referred", article)
    price = Price("time", laws.quickplay_granted_ms if item.increment else laws.quickplay_rejected_ms)
    notice = about(said, item.side, "increment" if item.increment else "quickplay", article, said.ids_since(s))
    notice = replace(notice, prices=(price,), fine=article)
    if item.increment:
        return open_notice(said, notice)
    proposed = c.Result(ms=s.now, board=s.board, result="1/2-1/2", reason="arbiter", article=article, status="proposed")
    return open_notice(said, replace(notice, result=proposed))


# -- how the game began ----------------------------------------------------------------------------------------------


def _wrong_array(s: State, item: c.Claim) -> State:
    """Claim that the game began with pieces exchanged (7.2); in rapid and blitz it is too late once both players have
    made so many moves (B.4, A.4). What the board saw itself is upheld; else an arbiter looks."""
    article = _clause(s, item)
    if initial_position.past_remedy(s, "wrong-array"):
        return _say(s, item, "lapsed", article)
    seen = any(notice.what == "wrong-array" for notice in s.notices)
    said = _say(s, item, "upheld" if seen else "referred", article)
    return initial_position.claimed(said, said.ids_since(s))


def _unseen(s: State, item: c.Claim) -> State:
    """Claim that the clock was set wrongly (6.10.2), or that the board has a dark square at the players' right (7.2.2),
    with the same limit. No sensor shows it: an arbiter looks, and sets it right."""
    article = _clause(s, item)
    what: What = "turned-board" if item.of == "turned-board" else "wrong-clock"
    if what == "wrong-clock" and s.clock is None:
        return _say(s, item, "inadmissible", article)
    if initial_position.past_remedy(s, "wrong-array"):
        return _say(s, item, "lapsed", article)
    said = _say(s, item, "referred", article)
    return open_notice(said, about(s, item.side, what, article, said.ids_since(s)))


_CLAIMS: dict[str, Callable[[State, c.Claim], State]] = {
    "touch-move": _touch_move,
    "illegal-move": _illegal_move,
    "flag": _flag,
    "threefold": _repeated_or_quiet,
    "fourfold": _fourfold,
    "fifty-moves": _repeated_or_quiet,
    "quickplay": _quickplay,
    "wrong-array": _wrong_array,
    "turned-board": _unseen,
    "wrong-clock": _unseen,
}

# -- agreement and resignation ---------------------------------------------------------------------------------------


def draw(s: State, item: c.Draw) -> State:
    """A draw is offered, accepted or declined (9.1). An offer stands until the opponent declines, touches or moves."""
    opponent = c.other(item.side)
    if item.act == "offer":
        return _offered(s, item.side)
    offered = s.offers.get(opponent)
    s = replace(s, offers={side: ms for side, ms in s.offers.items() if side != opponent})
    if item.act == "decline" or offered is None or _answered(s, item.side, offered):
        return s
    return agreed(s) if may_agree(s) else s


def may_agree(s: State) -> bool:
    """Whether a draw can be agreed by now: from 2018 once both players have made a move (5.2.3)."""
    return not s.laws.agreement_needs_moves or sound(s).board.fullmove_number > 1


def agreed(s: State) -> State:
    """The players have agreed on a draw (9.1)."""
    return finish(s, "1/2-1/2", "agreement", s.laws.clause.agreement)


def _answered(s: State, side: c.Side, since: c.Ms) -> bool:
    """Whether ``side`` has touched a piece or moved since an offer was made to him."""
    touches = [t for made in s.made if made.side == side for t in made.touches]
    if s.turn.side == side:
        touches += s.turn.touches
    again = s.turn.side == side and _touched_again(s, since)
    return again or any(t.ms > since for t in touches) or any(m.side == side and m.ms > since for m in s.made)


def _touched_again(s: State, since: c.Ms) -> bool:
    """Whether the player having the move has since then taken up a piece that he had touched before in this turn."""
    touched, edges = {touch.square for touch in s.turn.touches}, s.trace[s.turn.start :]
    return any(
        edges[left].square in touched
        and edges[left].ms > since
        and edges[back].ms - edges[left].ms >= s.brush_ms
        and not s.has_announced(s.turn.side, edges[left].ms)
        for left, back in away_and_back(edges)
    )


def resign(s: State, side: c.Side) -> State:
    """A player resigns: he has lost, or from 2023 drawn if the opponent could not mate (5.1.2); where nobody can say
    whether he could, that is referred to the arbiter. His opponent's move that stands has been made by then."""
    if side != s.turn.side and s.turn.difference.kind in LEGAL:
        s = ended_by_capture(triggered(s, Trigger.REPLY)[0])
        if s.result is not None:
            return s
    clause = s.laws.clause.resignation
    if not s.laws.resignation_may_draw:
        return finish(s, won_by(c.other(side)), "resignation", clause)
    lost = lost_by(s, side)
    if lost.status == "referred":
        told = (each.result for each in s.notices if is_open(s, each))
        if any(result is not None and (result.reason, result.result) == ("resignation", lost.score) for result in told):
            return s  # he has said so before
        return propose_result(s, side, lost.score, "resignation", clause, status=lost.status, **lost.evidence)
    return finish(s, lost.score, "resignation", clause)
