"""Test files are found by their name alone: two of one name in different folders would hide each other."""

from collections import Counter
from pathlib import Path


def test_every_test_file_has_a_name_of_its_own() -> None:
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
