"""A configuration read: TOML to frozen Structs. What its options may be is asked of the Structs themselves, for the
messages about wrong ones.

No message repeats a value: it may be a secret that does not belong there.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import DictType, LiteralType, Metadata, StructType, Type, UnionType, VarTupleType

from controller import files
from controller.errors import ConfigError

C = TypeVar("C", bound=msgspec.Struct)

LONGEST = 1000  #: characters of a line: one key of sixty thousand parts takes twenty gigabytes to be read
EXAMPLE = "compare it with the examples: jadoube boards says where they are; reference.toml there has all options"
OTHER_KIND = re.compile(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`")
LENGTH = re.compile(r"Expected `array` of length ([<>]=?) (\d+)")
LIMIT = re.compile(r"Expected `(?:int|float)` ([<>]=?) (-?[\d.]+)")
IN_WORDS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than"}
ITEM = re.compile(r"\[(\d+|\.\.\.)\]$")  #: after an option: one of its values; of a table msgspec does not say which
PATTERN = " matching regex "
PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")  #: where a line is no TOML
NOT_TOML = {
    "Expected '=' after a key": "= and a value are missing: an option is written name = value; a remark begins with #",
    "Expected ']'": "a ] is missing after the name of the table",
    "Illegal character": "the quote is missing at the end of the text, or a sign that does not belong there",
    "Unterminated string": "the quote is missing at the end of the text",
    "Unclosed array": "a ] is missing after the values, or a comma between them",
    "Unclosed inline table": "a } is missing after the options",
    "Invalid value": "no value after the =, or a text without quotes",
    "Cannot overwrite a value": "the option stands there twice",
    "Cannot declare": "the table stands there twice",
    "Unescaped": "a \\ in a text, which is written twice; or 'single quotes' around the text",
    "Expected newline": "something after the value: a quote or comma too few, or the # of a remark",
}
"""Why it is none, by how the message of Python's tomllib begins."""
MISSING = "Object missing required field `"


def toml(path: Path, most: int, made: str = "") -> dict[str, Any]:
    """What is in a file of at most so many bytes; ``made``: how one is made. Raises :exc:`ConfigError` naming it."""
    try:
        text = files.text_of(files.read(path, most))
        if any(len(line) > LONGEST for line in text.split("\n")):
            raise ValueError(f"a line of more than {LONGEST} characters")
        return tomllib.loads(text)
    except OSError as error:
        next_step = "; ".join(filter(None, ("name it with --config", f"ls {path.parent}", made)))
        raise ConfigError(f"{path}: {error.strerror}", "another folder or name", next_step) from error
    except tomllib.TOMLDecodeError as error:
        said, line = _where(str(error), text)
        cause = next(
            (cause for begin, cause in NOT_TOML.items() if said.startswith(begin)), "a quote or bracket too few"
        )
        raise ConfigError(f"{path}, line {line}: this is not TOML: {said}", cause, f"nano +{line} {path}") from error
    except UnicodeDecodeError as error:
        cause = "an editor that writes no UTF-8, or another kind of file"
        next_step = f"save it as UTF-8: iconv -f windows-1252 -t utf-8 {path} -o utf-8.toml"
        raise ConfigError(f"{path}: this is not TOML: {error}", cause, next_step) from error
    except (ValueError, RecursionError) as error:  # also a number of five thousand digits
        raise ConfigError(f"{path}: this is not TOML: {error}", "another kind of file", EXAMPLE) from error


def _where(said: str, text: str) -> tuple[str, int]:
    """What tomllib has ``said`` without the place, and the line of it: at the end of the text its last."""
    place = PLACE.search(said)
    number = int(place[1]) if place and place[1] else len(text.rstrip().split("\n"))
    return PLACE.sub("", said), number


def converted(raw: Mapping[str, Any], kind: type[C], source: str) -> C:
    """The configuration in ``raw``, which came from ``source``.

    Raises :exc:`ConfigError` naming the option: what is wrong, what was expected, the nearest known name.
    """
    for option, known in unread(raw, kind):
        what = f"{source}: nobody reads the option {option}"
        match _homes(raw, kind):
            case [home]:
                raise ConfigError(what, f"its table was left out: it belongs to [{home}]", f"write [{home}] above it")
            case [*homes] if homes:
                ways = f"write the one that is meant above it: [{'], ['.join(homes)}]"
                raise ConfigError(what, "its table was left out", ways)
        cause = slip(option.rpartition(".")[2], known) or "an option of another version, or of another table"
        raise ConfigError(what, cause, f"known here: {', '.join(known)}")
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$.")
        option = where.rstrip("`")
        cause, next_step = advice(raw, kind, option, said)
        what = f"{source}: {option or 'the file'}: {_told(raw, kind, option, said)}"
        raise ConfigError(what, cause, next_step) from error


def unread(raw: Mapping[str, Any], kind: type[msgspec.Struct]) -> Iterator[tuple[str, list[str]]]:
    """Each option of ``raw`` that no field of ``kind`` reads, with the names that would be read there."""
    yield from _unread(raw, _type_info(kind), "")


def _homes(raw: Mapping[str, Any], kind: type[msgspec.Struct]) -> list[str]:
    """The tables to which most of the options belong that stand above all tables: several have a ``port``. One that
    must not be left out, and is, comes before the others.
    """
    tables = _type_info(kind)
    assert isinstance(tables, StructType)
    lost = {name for name, value in raw.items() if not isinstance(value, dict)}
    lost -= {table.encode_name for table in tables.fields}
    known = {
        table.encode_name: max((len(lost & _options(struct)) for struct in _choices(table.type)), default=0)
        for table in tables.fields
    }
    most = max(known.values())
    homes = [table for table, number in known.items() if number == most > 0]
    needed = {table.encode_name for table in tables.fields if table.required} - raw.keys()
    return [table for table in homes if table in needed] or homes


def _options(kind: Type) -> set[str | None]:
    return {*(field.encode_name for field in kind.fields), kind.tag_field} if isinstance(kind, StructType) else set()


def slip(given: object, known: list[str], before: str = "") -> str:
    """The likely cause of a name that is not among those known: the nearest of them, with what stands ``before`` each;
    empty where none is near. Of what has no letters, such as a score, all are alike: there hardly more than a sign may
    differ."""
    cutoff = 0.5 if any(map(str.isalpha, str(given))) else 0.8
    near = difflib.get_close_matches(str(given), known, n=1, cutoff=cutoff)
    return f"a slip of the pen: did you mean {before}{near[0]}?" if near else ""


def advice(raw: Mapping[str, Any], kind: type[msgspec.Struct], option: str, said: str) -> tuple[str, str]:
    """The likely cause and the next step where msgspec has ``said`` something of the value of ``option``."""
    given, types = _found(raw, _type_info(kind), ITEM.sub("", option).split(".") if option else [])
    if item := ITEM.search(option):
        given = given[int(item[1])] if item[1].isdecimal() and isinstance(given, list) else None
        types = tuple(value for each in map(_bare, types) if (value := _of_each(each)) is not None)
    if said.startswith(MISSING):
        name = said.removeprefix(MISSING).rstrip("`")
        if not option:
            return "it was left out", f"write a table [{name}]; {EXAMPLE}"
        known = ", ".join(value for each in types for value in _values(each, name))
        return "it was left out", f"write {name} = … in [{option}]{f', one of {known}' if known else ''}"
    if kinds := OTHER_KIND.fullmatch(said):
        if "str" in kinds.groups():
            text = kinds[1] == "str"
            return f"quotes {'are missing: a text stands' if text else 'too many: only a text stands'} in them", EXAMPLE
        return "a value of another kind", EXAMPLE
    if said.startswith("Invalid") and (words := [word for each in types for word in _values(each, option)]):
        return slip(given, words) or "a value of another version", f"known here: {', '.join(words)}"
    meant = [
        each.extra_json_schema["description"] for each in types if isinstance(each, Metadata) and each.extra_json_schema
    ]
    if LENGTH.fullmatch(said):
        return "one too few or too many, or a comma", EXAMPLE
    if limit := LIMIT.fullmatch(said):
        return "a digit too many, or another unit", f"write {meant[0] if meant else _within(limit)}"
    if meant:
        return "a sign that cannot stand there, or one that is missing", f"write {meant[0]}"
    return "a slip of the pen, or an option that goes with another", EXAMPLE


def _told(raw: Mapping[str, Any], kind: type[msgspec.Struct], option: str, said: str) -> str:
    """What msgspec has ``said`` of an option, for people; of a list, how many values it is to have and has."""
    length = LENGTH.fullmatch(said)
    if length is None:
        return plain(said)
    given, types = _found(raw, _type_info(kind), option.split("."))
    there = len(given) if isinstance(given, list | tuple) else 0
    metas = [each for each in types if isinstance(each, Metadata) and each.extra_json_schema]
    called = next((each.extra_json_schema["description"] for each in metas if each.extra_json_schema), "values")
    return f"{length[2]} {called} are wanted, {there} {'is' if there == 1 else 'are'} there"


def plain(said: str) -> str:
    """What msgspec has ``said``, without the regular expression, which tells people nothing: the next step does; and
    with a limit in words."""
    if limit := LIMIT.fullmatch(said):
        return f"here {_within(limit)} is wanted"
    return "this cannot stand here" if PATTERN in said else said


def _within(limit: re.Match[str]) -> str:
    return f"a number of {IN_WORDS[limit[1]]} {float(limit[2]):g}"


@cache
def _type_info(kind: type[msgspec.Struct]) -> Type:
    """Takes five times as long as to read a file."""
    return msgspec.inspect.type_info(kind)


def _unread(raw: Mapping[str, Any], kind: Type, path: str) -> Iterator[tuple[str, list[str]]]:
    table = _struct(raw, kind)
    if table is None:
        return
    fields = {field.encode_name: field.type for field in table.fields}
    known = sorted({*fields, *([table.tag_field] if table.tag_field else [])})
    for name, value in raw.items():
        if name not in known:
            yield path + name, known
        elif isinstance(value, dict) and name in fields:
            yield from _unread(value, fields[name], f"{path}{name}.")
        elif isinstance(value, list) and isinstance(row := fields.get(name), VarTupleType):
            for number, each in enumerate(value):
                if isinstance(each, dict):
                    yield from _unread(each, row.item_type, f"{path}{name}[{number}].")


def _struct(raw: Mapping[str, Any], kind: Type) -> StructType | None:
    """The Struct that ``raw`` would become: of several, the one its tag names."""
    structs = [each for each in _choices(kind) if isinstance(each, StructType)]
    for struct in structs:
        if len(structs) == 1 or raw.get(struct.tag_field or "") == struct.tag:
            return struct
    return None


def _choices(kind: Type) -> tuple[Type, ...]:
    return kind.types if isinstance(kind, UnionType) else (kind,)


def _bare(kind: Type) -> Type:
    return kind.type if isinstance(kind, Metadata) else kind


def _found(raw: Any, kind: Type, names: list[str]) -> tuple[object, tuple[Type, ...]]:
    """The value of the option of that path, and what it may be; of a tag, the Structs that it tells apart."""
    for i, (name, number) in enumerate(_parted(name) for name in names):
        value = raw.get(name) if isinstance(raw, dict) else None
        table = _struct(raw, kind) if isinstance(raw, dict) else None
        fields = {field.encode_name: field.type for field in table.fields} if table is not None else {}
        if name not in fields:
            return value, _choices(kind) if i == len(names) - 1 else ()
        raw, kind = value, fields[name]
        if number is not None and isinstance(kind, VarTupleType) and isinstance(value, list):
            raw, kind = value[number], kind.item_type
    return raw, _choices(kind)


def _parted(name: str) -> tuple[str, int | None]:
    """``boards`` and 2 of ``boards[2]``."""
    table, bracket, number = name.partition("[")
    number = number.rstrip("]")
    return table, int(number) if bracket and number.isdecimal() else None


def _of_each(kind: Type) -> Type | None:
    """What each of its values may be; None where it has none."""
    return kind.item_type if isinstance(kind, VarTupleType) else kind.value_type if isinstance(kind, DictType) else None


def _values(kind: Type, option: str) -> list[str]:
    """All that may stand there, where that is a list of words."""
    if isinstance(kind, LiteralType):
        return [str(value) for value in kind.values]
    if isinstance(kind, StructType) and kind.tag_field == option.rpartition(".")[2]:
        return [str(kind.tag)]
    return []
