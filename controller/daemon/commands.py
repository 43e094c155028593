"""What a person said, made into an input of the contract; what a sensor sees does not come in here."""

from collections.abc import Mapping
from typing import Literal, get_args, get_origin

import msgspec

from controller import contract as c
from controller.errors import LogError
from controller.game_details import GameDetails, MatchConfig
from controller.options import slip
from controller.outlets.mqtt.command import Fields
from controller.wire import input_of
from controller.words.reports import BEGINNING, KINDS

SENSED = (c.Lift, c.Place, c.Frame, c.Reading, c.Time, c.Outage, c.Unseen, c.Seen)
"""These come from the board and the daemon's own clock. That a sensor is dead, a person may know before the board shows
it: ``sensor`` is a command like a ruling, with the name of who gave it."""

KNOWN = "known are new-game, press, pause, adjust, choose, claim, draw, resign, sensor and arbiter: see docs/mqtt.md"

MOST = 10**9  #: of any number in it: 11 days, in ms
LONGEST = 1_000  #: of any text in it, in characters
TAGS = 100  #: in what is nested in it
MOVES = 100  #: in one list of it
AGAIN = "put that right, and give the command again"


def read_command(
    said: Fields, ms: int, details: GameDetails, board_id: c.BoardId | None = None, by: str | None = None
) -> c.AnyInput | GameDetails:
    """An input at ``ms``, or what the next game is to be: ``details`` with the fields that ``new-game`` names.

    ``board_id``: the board of a match for which the command was given; what is for the whole match names one itself.
    ``by``: who is known to have given it; if he calls himself otherwise, both names stand.
    Raises :exc:`LogError` saying which field is wrong and what was expected.
    """
    _check({**said, "sender": by})
    if said.get("type") == "new-game":
        return _new_game({name: value for name, value in said.items() if name not in ("type", "by", "insist")}, details)
    try:
        item = input_of({"board": board_id, **said, "ms": ms, "by": giver(said, by)})
    except LogError as error:
        cause = error.cause or "a field is left out, or says what is not known"
        raise LogError(error.what, cause, _known(said.get("type"))) from error
    if isinstance(item, SENSED):
        raise LogError(
            "a command cannot move pieces or time",
            "lift, place, frame and time come from the board",
            "to judge a recording: jadoube replay FILE",
        )
    if isinstance(item, c.Arbiter):
        _check_ruling(item)
    _check_board(item, details, board_id)
    return item


def giver(said: Fields, by: str | None) -> object:
    """The name of who gave a command, known to be ``by`` if that is known; if he calls himself otherwise, both."""
    named = said.get("by", by)
    return named if by in (None, named) else f"{named} ({by})"


def _known(kind: object) -> str:
    """What may be said: in a command that there is, and else which there are."""
    for each in get_args(c.AnyInput):
        if each.__struct_config__.tag == kind and not issubclass(each, SENSED):
            fields = [field for field in msgspec.structs.fields(each) if field.name != "ms"]
            needed = "; ".join(_needed(field) for field in fields if field.required)
            more = ", ".join(field.name for field in fields if not field.required)
            return f"{kind} needs {needed}. It may have {more}: see docs/mqtt.md"
    return KNOWN


def _needed(field: msgspec.structs.FieldInfo) -> str:
    """Its name, and what it may be where there is a choice."""
    choices = _choices(field)
    return f"{field.name}: {choices}" if choices else field.name


def _choices(field: msgspec.structs.FieldInfo) -> str:
    hints = (field.type, *get_args(field.type))  # it, or one of several
    return next((", ".join(get_args(hint)) for hint in hints if get_origin(hint) is Literal), "")


OF_RULINGS = {
    field.name: (field, ", ".join(takers))
    for field in msgspec.structs.fields(c.Arbiter)
    if (takers := [do for do, row in c.RULINGS.items() if field.name in row.fields])
}
"""The fields that not every ruling has a use for, by name; with those that have."""


def _check_ruling(item: c.Arbiter) -> None:
    """What a ruling lacks, or names without a use for it, it would else leave out in silence."""
    row = c.RULINGS[item.do]
    if item.do == "report":
        _check_report(item)
    given = {name for name, (field, _) in OF_RULINGS.items() if getattr(item, name) != field.default}
    for name, (field, takers) in OF_RULINGS.items():
        if name in given and name not in row.fields:
            what = f"the ruling {item.do} has no use for `{name}`"
            raise LogError(what, f"it goes with {takers}", f"leave `{name}` out")
        if name in row.needs and name not in given:
            what = f"the ruling {item.do} needs `{name}`"
            raise LogError(what, "it was left out", f'add "{name}": {_choices(field)}')
    if item.do == "set-clock" and not given:
        raise LogError("which time?", "the ruling set-clock names none", 'add "white_ms" and "black_ms", in ms')
    if min(item.white_ms or 0, item.black_ms or 0) < 0:
        raise LogError("a clock shows no less than nothing", "time is to be taken", "white_add_ms or black_add_ms")
    if item.do == "warn" and item.side is None and item.answers is None:
        raise LogError("who is warned?", "no player is named, and no notice", 'add "side": "white", or "answers"')


def _check_report(item: c.Arbiter) -> None:
    known = f"known are {', '.join(KINDS)}"
    if item.kind is None:
        raise LogError("what is reported?", "the report names no kind", known)
    if item.kind not in KINDS:
        cause = slip(item.kind, [*KINDS]) or "a word of another version; what has none of its own is an other"
        raise LogError(f"{item.kind} is nothing to report", cause, known)
    if item.side is None and item.kind not in BEGINNING:
        raise LogError(f"whose {item.kind}?", "the report names no player", 'add "side": "white", or black')
    if item.kind == "other" and not (item.text or item.reason):
        raise LogError("what is reported?", "the report says nothing of it", 'add "text": in your own words')
    if item.kind == "mislaid-stock" and item.piece is None:
        raise LogError("which piece is mislaid?", "the report names none", 'add "piece": "p", or q, r, b, n')


def _check(fields: Mapping[str, object]) -> None:
    """What is beyond reason would be kept for ever: the journal forgets nothing. And whoever reads a reason or a name
    there is not to be told anything else by it, as by a line break in a log.
    """
    for name, value in fields.items():
        if isinstance(value, int | float) and abs(value) > MOST:
            raise LogError(f"malformed command: {name} is beyond reason", f"a number is {MOST} at most", AGAIN)
        if isinstance(value, str) and len(value) > LONGEST:
            raise LogError(f"malformed command: {name} is too long", f"a text has {LONGEST} characters at most", AGAIN)
        if isinstance(value, str) and not value.isprintable():
            cause = "a text is one line, of what can be read"
            raise LogError(f"malformed command: {name}: a line break or the like in {value!r}", cause, AGAIN)
        if isinstance(value, list):
            if len(value) > MOVES:
                raise LogError(f"malformed command: {name} has {len(value)} entries", f"{MOVES} are the most", AGAIN)
            for each in value:
                _check({name: each})
        if isinstance(value, dict):
            if len(value) > TAGS:
                raise LogError(f"malformed command: {name} has {len(value)} entries", f"{TAGS} are the most", AGAIN)
            _check(value)


def _check_board(item: c.AnyInput, details: GameDetails, board_id: c.BoardId | None) -> None:
    if board_id is not None and item.board != board_id:
        raise LogError(
            f"this is board {board_id}, not {item.board}", "a command on the other board's topic", "leave it out"
        )
    if isinstance(details, MatchConfig) and item.board is None:
        raise LogError("in a match a command says which board it is for", "", 'add "board": "A", or "B"')
    if not isinstance(details, MatchConfig) and item.board is not None:
        raise LogError(f"there is no board {item.board} here", "a command meant for a match", "leave it out")


def _new_game(fields: Mapping[str, object], details: GameDetails) -> GameDetails:
    try:
        said = msgspec.to_builtins(details) | dict(fields)
        if "start" in fields or "fen" in fields:  # either says all of how it begins
            said |= {name: fields.get(name, default) for name, default in (("start", None), ("fen", "startpos"))}
        return msgspec.convert(said, type(details))
    except msgspec.ValidationError as error:
        known = ", ".join(sorted(details.__struct_fields__))
        raise LogError(f"malformed command new-game: {error}", "a slip in a field", f"known here: {known}") from error
