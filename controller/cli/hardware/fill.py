"""An example configuration filled in: answers put into its lines, all its comments kept. Pure.

An option that is commented out comes into force when it is answered, and so does its table; unless it stands elsewhere
in force already, as where somebody has written it below all.
"""

import re
from collections.abc import Mapping, Sequence

OptionValue = str | int | float | bool | Sequence[int] | Sequence[str]
_TABLE = re.compile(r"(# )?\[([\w.]+)\](.*)")
_OPTION = re.compile(r"(# )?(\w+) = (\"[^\"]*\"|\[[^\]]*\]|[^\s#]+)(\s*)(#.*)?")


def fill(example: str, answers: Mapping[str, OptionValue]) -> str:
    """``example`` with ``answers``, whose names are ``table.option``. Raises :exc:`KeyError` for one without a line."""
    lines, table, left = example.splitlines(), "", dict(answers)
    tables, options = _in_force(lines)
    for number, line in enumerate(lines):
        if found := _TABLE.fullmatch(line):
            table = "" if found[1] and found[2] in tables else found[2]
            if found[1] and table and any(name.rpartition(".")[0] == table for name in answers):
                lines[number] = f"[{table}]".ljust(len(line) - len(found[3].lstrip())) + found[3].lstrip()
        elif (found := _OPTION.fullmatch(line)) and (name := f"{table}.{found[2]}") in left:
            if found[1] and name in options:
                continue
            lines[number] = _line(found, toml(left.pop(name)))
    if left:
        raise KeyError(", ".join(left))
    return "\n".join(lines) + "\n"


def _in_force(lines: Sequence[str]) -> tuple[set[str], set[str]]:
    """The tables, and the options by ``table.option``, that are not commented out."""
    table, tables, options = "", set[str](), set[str]()
    for line in lines:
        if found := _TABLE.fullmatch(line):
            table = "" if found[1] else found[2]
            tables.add(table)
        elif (found := _OPTION.fullmatch(line)) and not found[1]:
            options.add(f"{table}.{found[2]}")
    return tables - {""}, options


def _line(found: re.Match[str], value: str) -> str:
    """The option with its new value, and its comment where it stood."""
    option = f"{found[2]} = {value}"
    if not found[5]:
        return option
    return f"{option:<{found.start(5) - 1}} {found[5]}"


def toml(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, Sequence) else str(value)
