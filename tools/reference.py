#!/usr/bin/env python3
"""Write `config/` from the Structs that read it: `reference.toml` with every option, and an example for each board.

An option's comment is what stands after ``#:``, beside it or above. Where that begins with ``as``, a value follows that
is shown in place of the default. A choice of words that has no comment tells the others. `make examples` runs this;
a test holds the files to be what it writes.
"""

import ast
import inspect
import re
import sys
import textwrap
import typing
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import NODEFAULT, Struct

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from controller.cli.hardware.kinds import configurations  # noqa: E402
from controller.config import Config  # noqa: E402
from hardware.boards import BoardConfig  # noqa: E402

COLUMNS, WIDTH = (34, 50, 66, 82), 120
SHOWN = re.compile(r"as ``(.+?)``(?:[:;] )?(.*)")
IN_FORCE = (
    *(f"board.{name}" for name in ("port", "address", "rows", "columns", "select", "signals")),
    *("event.venue", "event.board", "pgn.directory", "journal.path"),
)
"""What a configuration says although it need not: nearly all change it."""
FIRST = ("event", "game", "start", "end", "clock", "lamps", "mqtt", "console", "pgn", "journal")
HEAD = """\
# Every option that a configuration may have, as `make examples` writes it from the code: copy what you need.
# What begins with # is a default that may be changed, or an example where there is none. Paths are seen from where the
# daemon is started. A table that may be of several types stands here once for each.
# A match has [A] and [B] in place of [board] and [clock], and a hall [[boards]]: bughouse.toml, tournament.toml.
"""


def notes(kind: type[Struct]) -> dict[str, tuple[type[Struct], str]]:
    """Of each option who says it, and what stands after its ``#:``."""
    found: dict[str, tuple[type[Struct], str]] = {}
    for owner in reversed(kind.__mro__):
        if owner is Struct or not issubclass(owner, Struct):
            continue
        lines, _ = inspect.getsourcelines(owner)
        (body,) = ast.parse(textwrap.dedent("".join(lines))).body
        assert isinstance(body, ast.ClassDef)
        for line in body.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                found[line.target.id] = (owner, _beside(lines, line.lineno - 1, (line.end_lineno or 0) - 1))
    return found


def _beside(lines: list[str], first: int, last: int) -> str:
    """What stands after ``#:`` in the last line of an option, or in those above it."""
    if "#:" in lines[last]:
        return lines[last].partition("#:")[2].strip()
    above: list[str] = []
    while lines[first - 1].strip().startswith("#:"):
        first -= 1
        above.insert(0, lines[first].strip()[2:].strip())
    return " ".join(above)


def structs(kind: typing.Any) -> list[type[Struct]]:
    """The tables that a value of this type may be."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return [kind]
    return [struct for each in typing.get_args(kind) for struct in structs(each)]


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, tuple) else str(value)


def line(said: str, comment: str) -> str:
    """A line with its comment, which goes on below where it is long."""
    if not comment:
        return said
    begun = f"{said:<{next(column for column in COLUMNS if column > len(said) + 1) - 1}}# "
    wrapped = textwrap.wrap(comment, WIDTH - len(begun), break_long_words=False, break_on_hyphens=False)
    return "\n".join([begun + wrapped[0], *(f"#{'':<{len(begun) - 3}}# {more}" for more in wrapped[1:])])


def table(kind: type[Struct], path: str, about: str, *, optional: bool) -> Iterator[str]:
    """The tables of ``kind`` at ``path``, each as a text: its own, and those within it."""
    tag = kind.__struct_config__.tag
    lines = [line(f"# [{path}]" if optional else f"[{path}]", about)]
    if tag is not None:
        of_many = optional and path != "board"
        said = (inspect.getdoc(kind) or "").partition(". ")[0].partition("\n")[0].removesuffix(".") if of_many else ""
        lines.append(line(f"# type = {toml(tag)}" if optional else f"type = {toml(tag)}", said))
    within: list[tuple[str, typing.Any, str]] = []
    told, types = notes(kind), typing.get_type_hints(kind, include_extras=True)
    for option in msgspec.structs.fields(kind):
        owner, note = told[option.name]
        if owner is not kind and owner.__struct_config__.tag not in (None, tag):
            continue  # of a kind that has a table of its own
        if structs(types[option.name]):
            within.append((f"{path}.{option.name}", types[option.name], note))
            continue
        in_force = not optional and f"{path}.{option.name}" in IN_FORCE
        lines.append(_option(option, types[option.name], note, "" if in_force else "# "))
    yield "\n".join(lines)
    for name, types_within, note in within:
        for each in structs(types_within):
            if not each.__name__.startswith("Simulated"):
                yield from table(each, name, note, optional=True)


def _option(option: msgspec.structs.FieldInfo, kind: typing.Any, note: str, sign: str) -> str:
    """The line of an option, with ``sign`` before it."""
    default = () if option.default is NODEFAULT else option.default
    if shown := SHOWN.fullmatch(note):
        value, note = shown.groups()
    elif option.required or default is None:
        sys.exit(f"{option.name}: {note or '?'}: there is no default to be shown; write #: as ``value``: …")
    else:
        value = toml(default)
    if not note and typing.get_origin(kind) is typing.Literal:
        *others, last = map(toml, typing.get_args(kind))  # all of them: the value may be replaced, and its note stays
        note = f"{', '.join(others)} or {last}"
    return line(f"{sign}{option.name} = {value}", note)


def reference() -> str:
    """All tables of a configuration of one board."""
    told, types = notes(Config), typing.get_type_hints(Config, include_extras=True)
    names = [*FIRST, *(name for name in Config.__struct_fields__ if name not in (*FIRST, "board"))]
    texts: list[str] = []
    for name in names:
        optional = type(None) in typing.get_args(types[name])
        for kind in structs(types[name]):
            if not kind.__name__.startswith("Simulated"):
                texts += table(kind, name, told[name][1], optional=optional)
    for board in configurations().values():
        texts += table(board, "board", board.about.what, optional=True)
    return "\n\n".join([HEAD.strip(), *dict.fromkeys(texts)]) + "\n"  # lights are of every type of clock, and told once


def example(name: str, board: type[BoardConfig]) -> str:
    """What is different with this kind of board."""
    about = board.about
    head = [f"# {about.what[0].upper()}{about.what[1:]}" + (f": {about.page}." if about.page else ".")]
    once = ["make gpio"] if {*about.modules} - {"serial"} else []
    once += [f"sudo usermod -aG {','.join(about.groups)} $USER"] if about.groups else []
    head += [f"# Once: {'; '.join(once)}."] if once else []
    head += [f"# {'Once: ' * (not line.startswith(' ') and 'echo' not in line)}{line}" for line in about.once]
    head += [
        f"# Then: .venv/bin/jadoube run --config config/{name}.toml",
        "# What begins with # is a default that may be changed. Whatever else may stand here: config/reference.toml",
    ]
    return "\n".join(head) + "\n\n" + next(table(board, "board", "", optional=False)) + "\n"


def texts() -> dict[str, str]:
    """The files of `config/`, by their names."""
    boards = {f"{name}.toml": example(name, board) for name, board in configurations().items()}
    return boards | {"reference.toml": reference()}


if __name__ == "__main__":
    for file, text in texts().items():
        (ROOT / "config" / file).write_text(text, "utf-8")
