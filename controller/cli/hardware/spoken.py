"""Time controls as people say them, to what the program means by them: a PGN TimeControl in seconds.

    90+30, 90|30, 90 min + 30 s, 1h30+30    5400+30
    3+2, 180+2                              180+2
    40/90+30:30+30                          40/5400+30:1800+30
    40/120, 20/60, SD/30; +30               40/7200+30:20/3600+30:1800+30
    G/90;d5                                 5400d5
    90 minutes, G/90, 1h30                  5400

People say minutes, and PGN seconds. Numbers up to 150 are minutes, for hardly anybody plays a game on a board in so few
seconds; larger ones are seconds. With a unit a number is what it says. What is added or free for each move is in
seconds either way.
"""

import re

from controller.errors import LogError
from controller.laws.timecontrol import Period, TimeControl, parse

MINUTES = 150  #: bare numbers up to this are minutes; 180 is a blitz of three minutes
EXAMPLES = "90+30, 3+2, 40/90+30:30+30, G/90, 90 minutes; in seconds 5400+30, 40/5400+30:1800+30"
_HOURS, _MINUTES, _SECONDS = "(?:hours?|hrs?|h)", "(?:minutes?|mins?|mn|m|'|′)", "(?:seconds?|secs?|s|''|\"|″)"
_BONUS = rf"(?P<kind>[+db])(?P<bonus>\d{{1,5}})(?:{_SECONDS})?"
_PART = re.compile(
    rf"(?:(?P<moves>\d{{1,4}})/|[gs]d?/|gamein)?"
    rf"(?:(?P<hours>\d{{1,2}}){_HOURS})?"
    rf"(?:(?P<minutes>\d{{1,4}}){_MINUTES}(?!'))?"
    rf"(?:(?P<seconds>\d{{1,7}}){_SECONDS}|(?P<bare>\d{{1,7}}))?"
    rf"(?:{_BONUS})?",
    re.ASCII,
)
_FOR_EACH = re.compile(r"(?:per|a|each|for each|/) ?move$|incr?(?:ement)?$|delay$", re.ASCII)
_OF_ALL = re.compile(rf";{_BONUS}$", re.ASCII)


def understood(said: str) -> TimeControl:
    """What is meant. Raises :exc:`LogError` where that cannot be told."""
    if said.strip().startswith("*"):
        return parse(said.strip())
    text = _FOR_EACH.sub("", said.lower().strip()).replace("|", "+").replace("plus", "+")
    text = "".join(text.split()).replace(",+", ";+")
    of_all = _OF_ALL.search(text)
    parts = re.split("[:,]|then", text[: of_all.start()] if of_all else text)
    found = [_PART.fullmatch(part) for part in parts]
    if not all(part and any(part[unit] for unit in ("hours", "minutes", "seconds", "bare")) for part in found):
        raise _unclear(said, "it cannot be read as a time control", "a word or a sign that none has")
    matches = [part for part in found if part is not None]
    bare = {int(part["bare"]) <= MINUTES for part in matches if _is_bare(part)}
    if len(bare) > 1:
        raise _unclear(said, "some of it would be minutes, and some seconds", "a unit that is missing")
    for part, match in zip(parts[:-1], matches, strict=False):
        if not match["moves"]:
            raise _unclear(
                said, f"{part!r} is not the last period and must say its moves, as in 40/{part}", "they were left out"
            )
    control = ":".join(str(_period(part, of_all, in_minutes=True in bare)) for part in matches)
    try:
        return parse(control)
    except LogError as error:
        raise _unclear(said, error.what.partition(": ")[2], "a number that no clock has") from error


def minutes_meant(written: str) -> TimeControl | None:
    """What somebody may have meant who wrote that control for the program, which takes it in seconds; None where people
    mean the same."""
    try:
        meant = understood(written)
    except LogError:
        return None
    return meant if meant != parse(written) else None


def _is_bare(part: re.Match[str]) -> bool:
    """Whether it is a number without a unit that could tell; none at all is nothing either way."""
    return bool(part["bare"]) and not part["hours"] and not part["minutes"] and int(part["bare"]) > 0


def _period(part: re.Match[str], of_all: re.Match[str] | None, *, in_minutes: bool) -> Period:
    bare = int(part["bare"] or 0)
    minutes, seconds = int(part["minutes"] or 0), int(part["seconds"] or 0)
    if part["minutes"]:
        seconds += bare
    elif part["hours"] or in_minutes:
        minutes += bare
    else:
        seconds += bare
    bonus = part if part["bonus"] else of_all
    kind, extra = (bonus["kind"], int(bonus["bonus"])) if bonus is not None else ("+", 0)
    return Period(
        seconds=3600 * int(part["hours"] or 0) + 60 * minutes + seconds,
        moves=int(part["moves"]) if part["moves"] else None,
        increment=extra if kind == "+" else 0,
        delay=0 if kind == "+" else extra,
        bronstein=kind == "b",
    )


def _unclear(said: str, why: str, cause: str) -> LogError:
    return LogError(f"the time control {said!r}: {why}", cause, f"write it as in {EXAMPLES}")
