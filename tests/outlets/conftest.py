"""Fixtures of the outlets' tests; what they are made of is in ``kit.py``."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite")
    yield journal
    journal.close()
