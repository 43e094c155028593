"""The command line: run in this process, or as one of its own where somebody answers it; see ``shell.py``."""

from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Jadoube, Session, Told

from controller.cli.hardware import look
from controller.cli.main import main


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here comes back by itself that has failed once."""
    monkeypatch.setattr(look, "HOPELESS_S", 0.3)


@pytest.fixture
def jadoube(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Jadoube:
    """Runs the command in this process, in a folder of its own, with nobody at the terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("controller.cli.run.folded", lambda: None)  # the root's handlers are the tests' own

    def run(*arguments: object) -> Told:
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        return Told(int(stopped.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def session(tmp_path: Path) -> Callable[..., Session]:
    return lambda *arguments: Session(tmp_path, *arguments)
