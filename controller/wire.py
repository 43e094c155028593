"""The vocabulary on the wire: JSON, one object a line; what makes no sense is refused with field and expectation."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from controller import contract
from controller.contract import AnyEvent, AnyInput, Session
from controller.errors import LogError
from controller.options import slip

T = TypeVar("T")

_WORDS = {
    contract.SQUARE_PATTERN: "a square, a1 to h8",
    contract.PIECE_PATTERN: "a FEN letter, or w or b on a board that sees colours",
    contract.SCAN_PATTERN: "16 hex digits, h8 first",
    contract.UCI_PATTERN: "a move as UCI, e2e4 or e7e8q",
    contract.SHOWN_PATTERN: "64 letters or dots, a1 first",
}
"""What a pattern asks for, said to people."""

(VERSION,) = get_args(next(known.type for known in msgspec.structs.fields(Session) if known.name == "version"))
"""Of the session lines that are read here."""

UPGRADE = "pip install --upgrade jadoube"

UNREADABLE = (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What is raised where JSON makes no sense; the last, where it is nested without end."""

_encoder = msgspec.json.Encoder()
_session = msgspec.json.Decoder(Session)
_input: msgspec.json.Decoder[AnyInput] = msgspec.json.Decoder(AnyInput)
_event: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)

encode = _encoder.encode
encode_lines = _encoder.encode_lines


def decode_session(line: bytes | str) -> Session:
    """The first line of a log. Raises :exc:`LogError` naming the field and what was expected, or that a later version
    wrote it."""
    try:
        return _decode(_session, line, "session line")
    except LogError as error:
        said = _value(line, "")
        version = said.get("version") if isinstance(said, dict) and said.get("type") == "session" else None
        if isinstance(version, int) and version > VERSION:
            raise LogError(error.what, "it was written by a later version", UPGRADE) from error
        raise


def decode_input(line: bytes | str) -> AnyInput:
    """One input line. Raises :exc:`LogError` naming the field and what was expected."""
    try:
        return _input.decode(line)
    except UNREADABLE as error:
        raise _refusal("input", error, line) from error


def input_of(fields: Mapping[str, object]) -> AnyInput:
    """The input of these fields, which were read already. Raises :exc:`LogError` as :func:`decode_input`."""
    try:
        item: AnyInput = msgspec.convert(fields, AnyInput)
    except UNREADABLE as error:
        raise _refusal("input", error, fields) from error
    return item


def decode_event(line: bytes | str) -> AnyEvent:
    """One event line. Raises :exc:`LogError` naming the field and what was expected."""
    return _decode(_event, line, "event")


def _decode(decoder: "msgspec.json.Decoder[T]", line: bytes | str, what: str) -> T:
    try:
        return decoder.decode(line)
    except UNREADABLE as error:
        raise _refusal(what, error, line) from error


def heard_as(payload: object, kind: type[T]) -> T | None:
    """What was published, as that; None for what is none, as of another program that uses our names."""
    try:
        return msgspec.json.decode(payload, type=kind) if isinstance(payload, bytes) else None
    except UNREADABLE:
        return None


_NO_CHOICE = re.compile(r"Invalid (?:enum )?value (.*) - at `\$\.(\w+)`")
_KINDS = {"session line": (Session,), "input": get_args(AnyInput), "event": get_args(AnyEvent)}


@cache
def _choices(what: str, field: str) -> tuple[str, ...]:
    """What may stand in that field of a session line, an input or an event, where there is a choice."""
    found: list[Any] = []
    for kind in _KINDS[what]:
        if field == "type":
            found.append(kind.__struct_config__.tag)
        found += (value for known in msgspec.structs.fields(kind) if known.name == field for value in _of(known.type))
    return tuple(dict.fromkeys(map(str, found)))


def _of(hint: Any) -> Iterator[Any]:
    """The values of a Literal, also of one among other types."""
    for arg in get_args(hint):
        yield from [arg] if get_origin(hint) is Literal else _of(arg)


def _value(given: bytes | str | Mapping[str, object], path: str) -> object:
    """What stands at that path of a line, or of its fields, or all of it where the path is empty; None where the line
    ends before it can be read."""
    try:
        found: Any = given if isinstance(given, Mapping) else msgspec.json.decode(given)
        for name in re.findall(r"[^.\[\]]+", path):
            found = found[int(name) if isinstance(found, list) else name]
    except (*UNREADABLE, LookupError):
        return None
    return found


def _refusal(what: str, error: Exception, given: bytes | str | Mapping[str, object]) -> LogError:
    text, cause = str(error), ""
    if no_choice := _NO_CHOICE.fullmatch(text):
        found, field = no_choice.groups()
        expected = _choices(what, field)
        cause = slip(found.strip("'"), [*expected])
        text = f"Expected {'one of ' * (len(expected) > 1)}{', '.join(expected)}, got {found} - at `$.{field}`"
    said, at, path = text.partition(" - at `$.")
    for pattern, words in _WORDS.items():
        if said == f"Expected `str` matching regex {pattern!r}":
            text = f"Expected {words}{at}{path}"
            if (value := _value(given, path.rstrip("`"))) is not None:
                text, cause = f"Expected {words}, got {value!r}{at}{path}", "a slip of the pen"
    return LogError(f"malformed {what}: {text}", cause)
