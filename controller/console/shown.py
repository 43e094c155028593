"""As JSON for the pages: the score of a game, its clock, a notice, and a case with its evidence. Both pages are made of
these.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.console.cases import Case
from controller.contract import Displaced, Illegal, Interrupted, Violation, other
from controller.laws.timecontrol import parse
from controller.outlets.notices import TechnicalNotice
from controller.outlets.scoresheet import Scoresheet, bare
from controller.pairing import COLOURS
from controller.words import LanguageCode
from controller.words.clocks import time_control
from controller.words.evidence import spoken
from controller.words.language import Language, language
from controller.words.notices import translated

TOUCH_MOVE = ("touch-move", "released-move", "castling-order", "promotion-changed")
"""The breaches of Article 4 that a player may claim as touch-move."""

Wall = Callable[[int], int]
"""When a time of the session was, in ms since 1970."""


def score(sheet: Scoresheet, code: LanguageCode) -> list[str]:
    """The moves of a game in the letters of a language; an illegal one that stands is marked."""
    to = language(code)
    return [to.san(entry.move.san) + ("" if entry.move.legal else " ?!") for entry in sheet.entries]


CHUNK = 20  #: moves in a part of the line: a new one is told with these at most, not with all


def placed(fen: str) -> str:
    """The pieces of a FEN, without what stands in stock or that a piece was promoted."""
    return bare(fen).split()[0].replace("~", "")


def line(sheet: Scoresheet, first: int) -> list[tuple[str, str, int | None, int | None]]:
    """A part of the game to be stepped through, from the move of that index on: of each move which squares changed and
    what stands there since, ``e2 e4P``; its squares as UCI; the seconds left to who made it, and those it took.
    """
    entries = sheet.entries[first : first + CHUNK]
    before = sheet.entries[first - 1].move.fen if first else sheet.start
    told = []
    for entry in entries:
        told.append((_changes(before, entry.move.fen), sheet.seen(entry), _s(entry.left_ms), _s(entry.spent_ms)))
        before = entry.move.fen
    return told


def _changes(before: str, after: str) -> str:
    rows = [_EMPTY.sub(lambda found: "." * int(found[0]), placed(fen)).replace("/", "") for fen in (before, after)]
    squares = zip(_SQUARES, *rows, strict=True)
    return " ".join(square + now.replace(".", "") for square, then, now in squares if then != now)


_EMPTY = re.compile(r"\d")
_SQUARES = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]  # as a FEN has them


def _s(ms: int | None) -> int | None:
    return None if ms is None else ms // 1000


def shown_clock(sheet: Scoresheet, wall: Wall, speed: float) -> dict[str, Any] | None:
    """Both clocks of a game as they were last started, stopped or set, and when that was; None where it has none.

    As JSON: what is left, and ``at``, in ms, the latter since 1970; what is ``free`` of a move costs no time.
    """
    clock, said = sheet.clock, sheet.opening.session.clock
    if clock is None or said is None:
        return None
    control = parse(said)
    delay_s = 0 if control.bronstein else control.period(0).delay
    running = None if sheet.over else clock.running
    shown = {"white": clock.white_ms, "black": clock.black_ms, "running": running}
    if running is None:
        return shown
    runs = {"at": wall(clock.ms), "speed": speed, "free": 1000 * delay_s, "hourglass": control.hourglass}
    return shown | runs


def shown_control(clock: str | None, code: LanguageCode) -> dict[str, Any] | None:
    """With what time a game is to be played, in words, and what both clocks show as it begins; None without a clock."""
    if clock is None:
        return None
    to, control = language(code), parse(clock)
    full = 1000 * control.shown_at_first
    return {"text": to.text("page", "control", control=time_control(control, to)), "white": full, "black": full}


def shown_match(sheets: Sequence[Scoresheet], code: LanguageCode) -> dict[str, str | None]:
    """What is said on both boards of a match, whose games these are: how it ended; or, once one game is over, that it
    goes on, until when, and what decides it. Of a single game nothing is."""
    to, match = language(code), sheets[0].match
    ended = [sheet.board_id for sheet in sheets if sheet.final is not None]
    result = goes_on = None
    if match is not None:
        result = to.text("page", f"match-{match.result}")
    elif len(sheets) == 2 and len(ended) == 1:
        goes_on = to.text("page", "match-goes-on", ended=str(ended[0]))
    return {"match_result": result, "match_goes_on": goes_on}


ABOUT = ("Title", "Elo", "Federation", "Team")  #: what is known of a player, by the second half of its PGN tag


def occasion(tags: Mapping[str, str]) -> dict[str, Any]:
    """Who plays in what, as JSON: of PGN tags what is known."""
    known = {tag: value for tag, value in tags.items() if value not in ("", "?", "-")}
    about = {
        colour.lower(): {tag.lower(): known[colour + tag] for tag in ABOUT if colour + tag in known}
        for colour in COLOURS
    }
    return {
        "event": known.get("Event"),
        "round": known.get("Round"),
        "white": tags.get("White"),
        "black": tags.get("Black"),
        "about": about,
    }


def shown_head(sheet: Scoresheet) -> dict[str, Any]:
    """What stands at the head of a board on which a game has begun, as JSON."""
    group = None if sheet.board_id is None else {"id": sheet.opening.board, "board": sheet.board_id}
    known = {"number": sheet.number, "match": group, "game": sheet.opening.game}
    return known | occasion(sheet.tags) | sheet.heading


def shown_notice(notice: TechnicalNotice, code: LanguageCode, *, of_all: bool) -> dict[str, Any]:
    """A notice of the equipment, in words; ``of_all``: it concerns all boards of the hall alike."""
    said = {"what": notice.what, "cause": notice.cause, "next_step": notice.next_step}
    return {"source": notice.source, "all": of_all} | {
        part: translated(sentence, code) for part, sentence in said.items()
    }


def shown_case(case: Case, code: LanguageCode, sheet: Scoresheet, *, answers: str | None) -> dict[str, Any]:
    """A case in words; ``answers``: the id that a ruling on it names, None where it awaits none."""
    to = language(code)
    said = [words[code] for words in case.said]
    texts = {key: text for each in said for key, text in each.options.items()}
    line = case.line
    return {
        "seq": case.seq,
        "state": case.state,
        "at": to.at(case.ms),
        "wall": case.wall_ms,
        "what": [each.what for each in said] if case.state != "times" else [to.text("page", "pieces-back")],
        "clauses": list(dict.fromkeys(to.clause(a) for e in case.events if (a := getattr(e, "article", None)))),
        "measured": list(dict.fromkeys(text for each in said for text in each.measured)),
        "told": list(dict.fromkeys(text for each in said for text in each.told)),
        "inferred": list(dict.fromkeys(text for each in said for text in each.inferred)),
        "offers": [
            {"key": key, "do": do, "text": texts.get(key) or to.text("page", key)}
            for key, do in case.offers(timed=sheet.opening.session.clock is not None)
        ],
        "answers": answers,
        "claim": _claim(case, to),
        "names": case.naming.buttons(to) if case.naming is not None and case.state == "told" else [],
        "taken": to.move(case.naming.taken, None) if case.naming is not None and case.naming.taken else "",
        "side": next((side for event in case.events if (side := getattr(event, "side", None))), None),
        "line": line and {"begin": line.begin, "end": line.end, "lanes": line.lanes, "presses": line.presses},
        "ends": case.ends,
        "later": [to.san(san) for san in _made_since(case, sheet)],
        "dark": isinstance(case.events[0], Interrupted),
        "restore": _restore(case, sheet) if case.state in ("board", "times") else None,
        "outcome": case.outcome,
        "by": case.by,
        "ruled": to.at(case.ruled_ms) if case.ruled_ms is not None else None,
        "ruled_wall": case.ruled_wall_ms,
        "after": [*(words[code].what for words in case.after), *spoken(case.words, case.witnesses, to)],
    }


def _claim(case: Case, to: Language) -> dict[str, str] | None:
    """What the opponent may claim of a case that is kept until he does, and the button of it; None where it is not."""
    about = case.events[0]
    if case.state != "held":
        return None
    if isinstance(about, Illegal) and about.completed:  # before the press there is nothing to claim yet (7.5)
        of = "illegal-move"
    elif isinstance(about, Violation) and about.kind in TOUCH_MOVE:
        of = "touch-move"
    else:
        return None
    side = other(about.side)
    return {"of": of, "side": side, "text": to.text("page", "claims-now", **to.sides(side))}


def _made_since(case: Case, sheet: Scoresheet) -> list[str]:
    """The moves that are taken back with the one that it is about, if that is ruled to have broken a rule: those made
    after it, as far as the score has it. None where the ruling ends the game."""
    about = [event.uci for event in case.events if isinstance(event, Illegal | Violation) and event.uci]
    if case.state != "open" or not about or case.ends:
        return []
    at = next((at for at in range(len(sheet.entries) - 1, -1, -1) if sheet.entries[at].move.uci == about[0]), None)
    return [] if at is None else [entry.move.san for entry in sheet.entries[at + 1 :]]


def _restore(case: Case, sheet: Scoresheet) -> dict[str, Any] | None:
    """What has to stand where, and what the clocks are proposed to show."""
    shown = [event for event in case.events if isinstance(event, Displaced)]
    if not shown and case.times is None:
        return None
    fen = placed((shown[0].fen if shown else None) or sheet.fen)
    white, black = case.times or (None, None)
    squares = [*shown[-1].squares, *sorted(case.swapped - {*shown[-1].squares})] if shown else []
    return {"fen": fen, "squares": squares, "white": white, "black": black, "played_on": case.played_on}
