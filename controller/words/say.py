"""Every event in one sentence, as a club arbiter would say it: what happened, by which clause, what the board and the
clock measured, what was inferred from that, and what is open to the arbiter.

Pure: the event, the language, and what was seen before it. Measured and inferred are told apart, for a ruling rests on
the one and weighs the other (`design.md`, "Evidence, not verdicts").
"""

from collections.abc import Sequence

import chess
from msgspec import Struct

from controller.contract import (
    WHITE,
    Adjusted,
    Ambiguous,
    AnyEvent,
    Brush,
    Claimed,
    Clock,
    Completed,
    Displaced,
    Flag,
    Illegal,
    Match,
    Move,
    Obligation,
    Penalty,
    Restored,
    Result,
    Retract,
    Touch,
    Violation,
    other,
)
from controller.words import LanguageCode
from controller.words.context import Context, Turn
from controller.words.language import Language, language
from controller.words.options import options, waiting

SQUARES_EXPECTED = 6  #: of more displaced squares it is not said what should stand there


class Said(Struct, frozen=True):
    """An event in words, in its parts; as a string, one sentence."""

    what: str
    measured: tuple[str, ...]
    inferred: tuple[str, ...]
    options: tuple[str, ...]  #: what the arbiter may do, each in the infinitive
    text: str

    def __str__(self) -> str:
        return self.text


def say(event: AnyEvent, language_code: LanguageCode, context: Context) -> str:
    """The event in one sentence. ``context`` is what was seen before it, on its board."""
    return parts(event, language_code, context).text


def parts(event: AnyEvent, language_code: LanguageCode, context: Context) -> Said:
    """The same with its parts, for a page that shows them apart."""
    to = language(language_code)
    what, measured = _what(event, to, context), _measured(event, to, context)
    inferred, choices = _inferred(event, to, context), options(event, to, context)
    clauses = [what, *measured, *inferred]
    if choices:
        clauses.append(to.text("sentence", "options", options=to.either(choices)))
    text = to.text("sentence", "semicolon").join(clauses) + "."
    return Said(what, measured, inferred, choices, text)


# -- what happened -----------------------------------------------------------------------------------------------


def _what(event: AnyEvent, to: Language, seen: Context) -> str:
    match event:
        case Clock():
            return _clock(event, to)
        case Touch():
            man = to.man(event.piece)
            return to.text("event", "touch", man=man, square=event.square, **to.sides(event.side))
        case Brush():
            span = to.span(seen.session.settings.brush_ms)
            return to.text("event", "brush", square=event.square, span=span)
        case Adjusted():
            return to.text("event", "adjusted", squares=to.both(event.squares), **to.sides(event.side))
        case Obligation():
            return _obligation(event, to, seen)
        case Move():
            key = "move" if event.legal else "illegal move that stands"
            move = f"{(event.ply + 1) // 2}{'.' if event.side == WHITE else '…'} {to.san(event.san)}"
            return to.text("event", key, move=move, **to.sides(event.side))
        case Retract():
            return to.text("event", "retract", move=_known(event.uci, to, seen))
        case Completed():
            return _completed(event, to, seen)
        case Illegal():
            return _illegal(event, to)
        case Violation():
            made = seen.turns[event.side].made
            move = to.san(made.san) if made is not None else to.text("violation", "that move")
            fields = {"move": move, "clause": to.clause(event.article), **to.sides(event.side)}
            return to.text("violation", event.kind, **fields)
        case Penalty():
            fields = {"clause": to.clause(event.article), "time": to.span(event.time_ms or 0), **to.sides(event.side)}
            return to.text("penalty", f"{event.kind} {event.status}", **fields)
        case Claimed():
            fields = {"of": to.text("claim", event.of), "clause": to.clause(event.article), **to.sides(event.side)}
            return to.text("verdict", event.verdict, **fields)
        case Displaced():
            return to.text("event", "displaced", squares=to.both(event.squares))
        case Restored():
            return to.text("event", "restored")
        case Ambiguous():
            return to.text("event", "ambiguous", moves=to.moves(event.moves, seen.position))
        case Flag():
            return to.text("event", "flag", **to.sides(event.side))
        case Result():
            return _result(event, to)
        case Match():
            fields = {"reason": to.text("match reason", event.reason)}
            return to.text("match", event.result, **fields)


def _clock(event: Clock, to: Language) -> str:
    clocks = {"white": to.clock(event.white_ms), "black": to.clock(event.black_ms)}
    if event.running is None:
        what = to.text("clock", "stopped", **clocks)
    else:
        what = to.text("clock", "running", **clocks, **to.sides(event.running))
    return to.text("clock", "set", what=what, reason=event.reason) if event.reason else what


def _obligation(event: Obligation, to: Language, seen: Context) -> str:
    key: str = event.must
    if event.must == "move" and event.article == seen.laws.clause.false_claim:
        key = "written"  # the move written down for a false claim must be played
    moves = to.moves(event.moves, seen.position)
    return to.text("obligation", key, moves=moves, clause=to.clause(event.article), **to.sides(event.side))


def _completed(event: Completed, to: Language, seen: Context) -> str:
    fields = {"move": _known(event.uci, to, seen), **to.sides(event.side)}
    if event.white_ms is None or event.black_ms is None:
        return to.text("completed", "without a clock", **fields)
    return to.text("completed", "clock", white=to.clock(event.white_ms), black=to.clock(event.black_ms), **fields)


def _illegal(event: Illegal, to: Language) -> str:
    fields = {"clause": to.clause(event.article), **to.sides(event.side)}
    what = to.text("illegal", event.kind, **fields)
    if not event.completed:
        return to.text("illegal", "not completed", what=what)
    number = to.text("ordinal", str(event.count) if event.count <= 3 else "n", number=str(event.count))
    return to.text("illegal", "counted", what=what, number=number, **fields)


def _result(event: Result, to: Language) -> str:
    """Who won and by what. A drawn flag, resignation or illegal move is one that could not be turned into a win."""
    drawn = event.result == "1/2-1/2"
    kept = drawn and event.reason in ("time", "resignation", "illegal-moves")
    reason = to.text("reason", f"{event.reason} drawn" if kept else event.reason)
    outcome = to.text("outcome", event.result, reason=reason, clause=to.clause(event.article))
    return to.text("result", event.status, outcome=outcome)


def _known(uci: str, to: Language, seen: Context) -> str:
    move = seen.known(uci)
    return to.san(move.san) if move is not None else to.move(uci, None)


# -- what was measured, what was inferred ------------------------------------------------------------------------


def _measured(event: AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    match event:
        case Violation(kind="touch-move" | "castling-order") | Illegal():
            said = [_touches(seen.turns[event.side], to)]
            if isinstance(event, Illegal):
                said.append(to.text("measured", "seen", at=to.at(event.ms)))
            return tuple(phrase for phrase in said if phrase)
        case Claimed(of="touch-move", verdict="upheld"):
            phrase = _touches(seen.turns[other(event.side)], to)
            return (phrase,) if phrase else ()
        case Violation() | Displaced():
            return (to.text("measured", "seen", at=to.at(event.ms)),)
        case Obligation() if event.must != "none":
            phrase = _touches(seen.turns[event.side], to)
            return (phrase,) if phrase else ()
        case Flag():
            return (to.text("measured", "flag", at=to.at(event.ms)),)
        case _:
            return ()


def _inferred(event: AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    said: list[str] = []
    match event:
        case Violation(kind="touch-move" | "castling-order" | "promotion-changed"):
            said += _owed(seen.turns[event.side], to)
        case Illegal() if event.kind != "two-hands":  # two hands play the right move, but wrongly
            said += _owed(seen.turns[event.side], to)
        case Claimed(of="touch-move", verdict="upheld"):
            said += _owed(seen.turns[other(event.side)], to)
        case Displaced() if seen.position is not None and len(event.squares) <= SQUARES_EXPECTED:
            said.append(to.text("inferred", "expected", men=to.both(_expected(event.squares, to, seen.position))))
        case _:
            pass
    held = waiting(event, to, seen)
    return (*said, held) if held else tuple(said)


def _owed(turn: Turn, to: Language) -> list[str]:
    """What the touches of a turn obliged to; nothing if they did not."""
    if turn.owed is None or turn.owed.must == "free":
        return []
    return [to.text("inferred", "owed", moves=to.moves(turn.owed.moves, turn.board))]


def _touches(turn: Turn, to: Language) -> str:
    """What was touched in a turn, in order, with the time at which each touch was certain; empty if nothing was."""
    touched = [
        to.text("measured", "touch", man=to.man(touch.piece), square=touch.square, at=to.at(touch.ms))
        for touch in turn.touches
    ]
    key = "touched" if len(touched) == 1 else "touched in order"
    return to.text("measured", key, touches=", ".join(touched)) if touched else ""


def _expected(squares: Sequence[str], to: Language, position: chess.Board) -> list[str]:
    """What should stand on each of the squares."""
    said = []
    for square in squares:
        piece = position.piece_at(chess.parse_square(square))
        man = to.man(piece.symbol()) if piece else to.text("man", "nothing")
        said.append(to.text("man", "on a square", man=man, square=square))
    return said
