"""Files are found by their names: a test by its own alone, the files of a large room by the map at its door."""

import re
from collections import Counter
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
        for room in ("cli/hardware", "console", "daemon", "laws", "mating", "outlets", "tournament")
    ),
    *("hardware/boards", "hardware/simulator"),
]


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_of_a_room_names_every_file_in_it(room: str) -> None:
    folder = ROOT / room
    named = re.findall(r"``(\w+)``", (folder / "__init__.py").read_text("utf-8"))
    assert sorted(named) == sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})
