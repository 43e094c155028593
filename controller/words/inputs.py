"""What players and arbiters said, each in one sentence: offers, claims and rulings, in the order of the log.

An event tells what came of it. That somebody ruled, who he was, and that a draw was offered and declined stands in the
inputs alone. What hands, clocks and sensors did is left to the events.
"""

from collections.abc import Mapping

from controller import contract as c
from controller.words import LanguageCode
from controller.words.context import Context
from controller.words.evidence import spoken
from controller.words.language import Language, language
from controller.words.reports import offered, sentence

NoticesByName = Mapping[str, str]
"""What may be ruled on, as :func:`name_notice` names it, by its id."""


def name_notice(event: c.Notable, what: str, code: LanguageCode) -> str:
    """A notice as a ruling that answers it refers to it; ``what``: what it told."""
    to = language(code)
    return to.text("ruling", "notice", at=to.at(event.ms), what=what)


def say_input(item: c.AnyInput, code: LanguageCode, context: Context, notices: NoticesByName) -> str | None:
    """What a person said, in one sentence; None for what nobody said, and for a ruling without what it needs, which
    changes nothing. ``context``: what was seen before it, on its board."""
    to = language(code)
    if isinstance(item, c.Arbiter):
        if any(getattr(item, field) is None for field in c.RULINGS[item.do].needs):
            return None
        clauses = [_ruling(item, to, context, notices), *spoken(item.text or item.reason or "", item.witnesses, to)]
    elif what := _of_a_player(item, to, context):
        clauses = [what, *([to.text("said", "entered", name=item.by)] if item.by else [])]
    else:
        return None
    return to.text("sentence", "semicolon").join(clauses).removesuffix(".") + "."


def _of_a_player(item: c.AnyInput, to: Language, seen: Context) -> str:
    match item:
        case c.Draw():
            return to.text("said", item.act, **to.sides(item.side))
        case c.Resign():
            return to.text("said", "resign", **to.sides(item.side))
        case c.Pause():
            return to.text("said", "pause", **to.sides(item.side))
        case c.Adjust():
            return to.text("said", "adjust", **to.sides(item.side))
        case c.Choose():
            return to.text("said", "choose", piece=_piece(item.piece, item.side, to), **to.sides(item.side))
        case c.Claim():
            fields = {"of": to.text("claim", "increment" if item.increment else item.of), **to.sides(item.side)}
            if item.move is None:
                return to.text("said", "claim", **fields)
            return to.text("said", "claim with a move", move=to.move(item.move, seen.position), **fields)
        case _:
            return ""


def _piece(letter: str, side: c.Side, to: Language) -> str:
    return to.piece(letter.upper() if side == c.WHITE else letter)


def _ruling(item: c.Arbiter, to: Language, seen: Context, notices: NoticesByName) -> str:
    key: str = item.do
    fields = {"arbiter": to.text("ruling", "arbiter" if item.by else "unnamed", name=item.by or "")}
    fields["notice"] = _answered(item, to, notices)
    if item.side is not None:
        fields |= to.sides(item.side)
    match item.do:
        case "resume" if item.insist:
            key = "resume all the same"
        case "undo" if item.of is not None:
            key, fields["at"] = "undo of", to.at(item.of)
        case "result" if item.result is not None:
            fields["score"] = item.result
        case "warn" if item.side is None or item.answers is not None:
            key = "warn for"
        case "report":
            fields["what"] = _reported(item, to, seen)
        case "correct":
            key = "correct" if item.moves else "strike out"
            number, side = seen.numbered(item.ply or 1)
            fields |= {"number": str(number), "moves": ", ".join(to.move(uci, None) for uci in item.moves)}
            fields |= {"count": str(item.replaces or 0), **to.sides(side)}
    return to.text("ruling", key, **fields)


def _answered(item: c.Arbiter, to: Language, notices: NoticesByName) -> str:
    """What he rules on: the oldest that is open, where he names none."""
    if item.answers is None:
        return to.text("ruling", "oldest")
    return notices.get(item.answers) or to.text("ruling", "unknown", number=item.answers)


def _reported(item: c.Arbiter, to: Language, seen: Context) -> str:
    """The sentence that would stand in the record; the bare word for what cannot be reported."""
    kind, known = item.kind or "", offered(seen.session, to)
    if kind not in known:
        return kind
    clause = known[kind].clause
    if known[kind].of == "beginning":  # of these the sentence has it in parentheses, if at all
        clause = to.text("event", "by clause", clause=clause)
    fields = {"move": to.text("violation", "that move"), "squares": "", "clause": clause}
    return sentence(kind, to).format_map(fields | to.sides(item.side or c.WHITE))
