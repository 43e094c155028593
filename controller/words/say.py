"""Every event in one sentence, as a club arbiter would say it: what happened, by which clause, what the board and the
clock measured, what a person told, what was inferred from that, and what is open to the arbiter.

Pure: the event, the language, and what was seen before it. Measured, told and inferred are kept apart, for a ruling
rests on the first and weighs the others (`docs/decisions.md`, "Evidence, not verdicts").
"""

from msgspec import Struct

from controller import contract as c
from controller.words import LanguageCode
from controller.words.context import Context
from controller.words.evidence import inferred, measured, report_in_words
from controller.words.language import Language, language
from controller.words.options import options

RULED = ("upheld", "rejected")
"""Verdicts that only the arbiter gives where the record of the game cannot show whether a claim is good."""

OF_A_PERSON = ("quickplay", "wrong-clock", "turned-board")
"""Claims of which the record shows nothing."""


class Said(Struct, frozen=True):
    """An event in words, in its parts; as a string, one sentence."""

    what: str
    measured: tuple[str, ...]
    told: tuple[str, ...]  #: by a person
    inferred: tuple[str, ...]
    options: dict[str, str]  #: what the arbiter may do, each in the infinitive, by its id in the catalogues
    text: str

    def __str__(self) -> str:
        return self.text


def say(event: c.AnyEvent, language_code: LanguageCode, context: Context) -> str:
    """The event in one sentence. ``context`` is what was seen before it, on its board."""
    return parts(event, language_code, context).text


def parts(event: c.AnyEvent, language_code: LanguageCode, context: Context) -> Said:
    """The same with its parts, for a page that shows them apart."""
    to = language(language_code)
    what, choices = _what(event, to, context), options(event, to, context)
    seen, by_word, concluded = measured(event, to, context), report_in_words(event, to), inferred(event, to, context)
    clauses = [what, *seen, *by_word, *concluded]
    if choices:
        clauses.append(to.text("sentence", "options", options=to.either(choices.values())))
    text = to.text("sentence", "semicolon").join(clauses) + "."
    return Said(what, seen, by_word, concluded, choices, text)


# -- what happened -----------------------------------------------------------------------------------------------


def _what(event: c.AnyEvent, to: Language, seen: Context) -> str:
    match event:
        case c.Clock():
            return _clock(event, to)
        case c.Touch():
            piece = to.piece(event.piece)
            return to.text("event", "touch", piece=piece, square=event.square, **to.sides(event.side))
        case c.Brush():
            span = to.span(seen.session.settings.brush_ms)
            return to.text("event", "brush", square=event.square, span=span)
        case c.Adjusted():
            return to.text("event", "adjusted", squares=to.both(event.squares), **to.sides(event.side))
        case c.Obligation():
            return _obligation(event, to, seen)
        case c.Move():
            key = "move" if event.legal else "illegal move that stands"
            number, _ = seen.numbered(event.ply)
            move = f"{number}{'.' if event.side == c.WHITE else '…'} {to.san(event.san)}"
            return to.text("event", key, move=move, **to.sides(event.side))
        case c.Retract():
            return to.text("event", "retract", move=to.known(seen.known(event.uci), event.uci))
        case c.Completed():
            return _completed(event, to, seen)
        case c.Illegal():
            return _illegal(event, to)
        case c.Violation():
            return _violation(event, to, seen)
        case c.Arrival():
            key = "arrived" if event.came else "absent"
            return to.text("event", key, clause=to.clause(event.article), **to.sides(event.side))
        case c.Penalty():
            fields = {"clause": to.clause(event.article), "time": to.span(event.time_ms or 0), **to.sides(event.side)}
            return to.text("penalty", f"{event.kind} {event.status}", **fields)
        case c.Warned():
            key = "warning withdrawn" if event.withdrawn else "warning"
            return to.text(
                "event", key, clause=to.clause(event.article), number=str(event.count), **to.sides(event.side)
            )
        case c.Claimed():
            return _claimed(event, to)
        case c.Displaced():
            return _displaced(event, to)
        case c.Restored():
            return to.text("event", "restored")
        case c.Stalled():
            return _stalled(event, to, seen)
        case c.Followed():
            return to.text("event", "followed")
        case c.Disbelieved():
            if not event.squares:
                return to.text("event", "believed again")
            return to.text("event", "disbelieved", squares=to.both(event.squares))
        case c.Interrupted():
            if event.away_ms is None:
                return to.text("event", "outage of unknown length")
            return to.text("event", "outage", span=to.span(round(event.away_ms, -3)))
        case c.Ambiguous():
            return to.text("event", "ambiguous", moves=to.moves(event.moves, seen.position))
        case c.Flag():
            return to.text("event", "flag", **to.sides(event.side))
        case c.Result():
            return _result(event, to, seen)
        case c.Stock():
            white, black = (
                to.san(pieces.upper()) or to.text("event", "no stock") for pieces in (event.white, event.black)
            )
            return to.text("event", "stock", white=white, black=black)
        case c.Match():
            fields = {"reason": to.text("match reason", event.reason)}
            return to.text("match", event.result, **fields)


def _clock(event: c.Clock, to: Language) -> str:
    clocks = {"white": to.clock(event.white_ms), "black": to.clock(event.black_ms)}
    if event.running is None:
        what = to.text("clock", "stopped", **clocks)
    else:
        what = to.text("clock", "running", **clocks, **to.sides(event.running))
    if event.replaced:
        what = to.text("clock", "replaced", what=what)
    if event.white_reckoned_ms is not None and event.black_reckoned_ms is not None:
        reckoned = {"white": to.clock(event.white_reckoned_ms), "black": to.clock(event.black_reckoned_ms)}
        what = to.text("clock", "read", what=what, **reckoned)
    for side, moves in ((c.WHITE, event.white_moves), (c.BLACK, event.black_moves)):
        if moves is not None:
            what = to.text("clock", "moves", what=what, number=str(moves), **to.sides(side))
    if event.article:
        what = to.text("clock", "by clause", what=what, clause=to.clause(event.article))
    return to.text("clock", "set", what=what, reason=event.reason) if event.reason else what


def _obligation(event: c.Obligation, to: Language, seen: Context) -> str:
    key: str = event.must
    if event.must == "move" and event.article == seen.laws.clause.false_claim:
        key = "written"  # the move written down for a false claim must be played
    elif event.must == "capture" and event.article == seen.laws.clause.capture_made:
        key = "finish the capture"
    elif event.must == "move" and all("@" in uci for uci in event.moves):
        key = "drop"  # a piece from the stock has touched an empty square
    moves = to.moves(event.moves, seen.position)
    return to.text("obligation", key, moves=moves, clause=to.clause(event.article), **to.sides(event.side))


def _completed(event: c.Completed, to: Language, seen: Context) -> str:
    fields = {"move": to.known(seen.known(event.uci), event.uci), **to.sides(event.side)}
    if event.white_ms is None or event.black_ms is None:
        return to.text("completed", "without a clock", **fields)
    return to.text("completed", "clock", white=to.clock(event.white_ms), black=to.clock(event.black_ms), **fields)


def _violation(event: c.Violation, to: Language, seen: Context) -> str:
    move = to.known(seen.known(event.uci), event.uci) if event.uci else to.text("violation", "that move")
    fields = {"move": move, "clause": to.clause(event.article), **to.sides(event.side)}
    pressed = event.kind == "clock-misuse" and event.basis != "reported"  # what the clock itself showed
    return to.text("violation", "pressed without a move" if pressed else event.kind, **fields)


def _claimed(event: c.Claimed, to: Language) -> str:
    of = to.text("claim", "increment" if event.increment else event.of)
    key: str = event.verdict
    if event.of in OF_A_PERSON and key in RULED:
        key += " by the arbiter"
    return to.text("verdict", key, of=of, clause=to.clause(event.article), **to.sides(event.side))


def _illegal(event: c.Illegal, to: Language) -> str:
    fields = {"clause": to.clause(event.article), **to.sides(event.side)}
    if not event.completed:
        return to.text("illegal", "not completed", **fields)
    what = to.text("illegal", event.kind, **fields)
    number = to.text("ordinal", str(event.count) if event.count <= 3 else "n", number=str(event.count))
    return to.text("illegal", "counted", what=what, number=number, **fields)


def _displaced(event: c.Displaced, to: Language) -> str:
    squares = to.text("event", "on squares", squares=to.both(event.squares)) if event.squares else ""
    clause = to.text("event", "by clause", clause=to.clause(event.article)) if event.article else ""
    key = event.beginning or ("displaced, to be resumed" if event.resumes else "displaced")
    return to.text("event", key, squares=squares, clause=clause)


def _stalled(event: c.Stalled, to: Language, seen: Context) -> str:
    if not event.after_ply:
        return to.text("event", "stalled at the start")
    number, side = seen.numbered(event.after_ply)
    return to.text("event", "stalled", number=str(number), **to.sides(side))


def _result(event: c.Result, to: Language, seen: Context) -> str:
    """Who won and by what."""
    reason = to.text("reason", _reason(event, seen))
    outcome = to.text("outcome", event.result, reason=reason, clause=to.clause(event.article))
    return to.text("result", event.status, outcome=outcome)


def _reason(event: c.Result, seen: Context) -> str:
    """A drawn flag, resignation or illegal move is one that could not be turned into a win."""
    if event.reason == "arbiter" and event.article == seen.laws.clause.position_found:
        return "position found"
    if event.result != "1/2-1/2" or event.reason not in ("time", "resignation", "illegal-moves"):
        return event.reason
    both = event.reason == "time" and event.mating is None and len(seen.fallen) == 2
    return "both flags" if both else f"{event.reason} drawn"
