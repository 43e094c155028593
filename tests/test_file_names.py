"""Files are found by their names: a test by its own alone, the files of a large room by the map at its door. So are
classes, by a name that no other has."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_test_file_has_a_name_of_its_own() -> None:
    """Two of one name in different folders would hide each other."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


ROOMS = [
    *(
        f"controller/{room}"
        for room in (
            *("archive", "cli/engines", "cli/hardware", "console", "contract", "daemon", "journal", "laws", "mating"),
            *("outlets", "sensing", "tournament", "words"),
        )
    ),
    *("hardware/boards", "hardware/clocks", "hardware/simulator"),
]


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_of_a_room_names_every_file_in_it(room: str) -> None:
    folder = ROOT / room
    named = re.findall(r"``(\w+)``", (folder / "__init__.py").read_text("utf-8"))
    assert sorted(named) == sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})


OF_EACH_CODEC = {"Command", "Decoder", "Id", "Reply"}
"""The same idea in the language of each board: ``hardware/boards/*_protocol.py`` may have these, and nothing else."""


def classes(node: ast.AST) -> Iterator[str]:
    """Their names. One within another has that one's name before its own."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield child.name
        else:
            yield from classes(child)


def test_every_class_has_a_name_of_its_own() -> None:
    """Whoever looks for one finds it, and no other."""
    found = Counter(OF_EACH_CODEC)
    for path in (path for room in ("controller", "hardware") for path in (ROOT / room).rglob("*.py")):
        own = OF_EACH_CODEC if path.match("hardware/boards/*_protocol.py") else set()
        found.update(name for name in classes(ast.parse(path.read_text("utf-8"))) if name not in own)
    assert found["Game"], "nothing was looked at"
    assert [name for name, count in found.items() if count > 1] == []
