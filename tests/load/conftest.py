"""A few recorded games, made once for all tests here."""

from pathlib import Path

import pytest

from load.recording import write


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games; the journals of which they are stand beside."""
    folder = tmp_path_factory.mktemp("games")
    write(folder / "games.gz", 3, folder)
    return folder / "games.gz"
