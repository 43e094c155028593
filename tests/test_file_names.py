"""Files are found by their names: a test by its own alone, the files of a large room by the map at its door. So are
classes, by a name that no other has."""

import ast
import re
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_test_file_has_a_name_of_its_own() -> None:
    """Two of one name in different folders would hide each other."""
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


ROOMS = [
    *("controller/archive", "controller/belief", "controller/cli", "controller/cli/demo", "controller/cli/engines"),
    *("controller/cli/hall", "controller/cli/hardware"),
    *("controller/outlets/broadcast", "controller/outlets/livechess", "controller/outlets/mqtt"),
    *("controller/console", "controller/contract", "controller/daemon", "controller/journal", "controller/laws"),
    *("controller/mating", "controller/outlets", "controller/sensing", "controller/tournament", "controller/words"),
    *("hardware/boards", "hardware/clocks", "hardware/simulator"),
]


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_of_a_room_names_every_file_in_it(room: str) -> None:
    folder = ROOT / room
    named = re.findall(r"``(\w+)``", (folder / "__init__.py").read_text("utf-8"))
    assert sorted(named) == sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})


OF_EACH_CODEC = {"Command", "Decoder", "Id", "Message", "Reply"}
"""The same idea in the language of each board: ``hardware/boards/*_protocol.py`` may have these, and nothing else."""
OF_THE_LAWS = {"Asked", "Boards", "Change", "Fault", "Piece", "Step", "Stock", "Verdict"}
"""Types that a file of the Laws has for itself, under a name that stands for something else outside."""


def names(path: Path) -> Iterator[str]:
    """Of classes, and of types that are written out. A class within another has that one's name before its own."""
    nodes = deque[ast.AST]([ast.parse(path.read_text("utf-8"))])
    while nodes:
        node = nodes.popleft()
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and re.fullmatch("[A-Z][a-z][A-Za-z]*", target.id):
                yield target.id
        else:
            nodes.extend(ast.iter_child_nodes(node))


def test_every_class_and_type_has_a_name_of_its_own() -> None:
    """Whoever looks for one finds it, and no other."""
    found = Counter(OF_EACH_CODEC)
    for path in (path for room in ("controller", "hardware") for path in (ROOT / room).rglob("*.py")):
        own = OF_EACH_CODEC if path.match("hardware/boards/*_protocol.py") else set[str]()
        own = own | OF_THE_LAWS if path.match("controller/laws/*.py") else own
        found.update(name for name in names(path) if name not in own)
    assert found["Game"], "nothing was looked at"
    assert [name for name, count in found.items() if count > 1] == []
