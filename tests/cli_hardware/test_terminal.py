"""Terminals without UTF-8 are sent ASCII that says the same; files and pipes are sent what they always were."""

import contextlib
import io
import os
import pty
import subprocess
from pathlib import Path

import pytest
from shell import JADOUBE, ROOT

from controller.cli.terminal import plain, prepare

BOARD = ["board", "--config", str(ROOT / "config/simulated.toml"), "--once"]


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """What the command sends to a terminal."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "LC_CTYPE")}
    with subprocess.Popen(
        [*JADOUBE, *arguments], stdout=theirs, stdin=subprocess.DEVNULL, cwd=ROOT, env=kept | environment
    ):
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # it has ended
            while more := os.read(ours, 4096):
                said += more
    os.close(ours)
    return said


@pytest.mark.parametrize(
    "environment",
    [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {}, {"LANG": "C.UTF-8", "PYTHONIOENCODING": "ascii"}],
    ids=str,
)
def test_without_utf_8_pieces_and_empty_squares_differ(environment: dict[str, str]) -> None:
    said = on_a_terminal(*BOARD, **environment)
    assert said.isascii()
    assert said.count(b"o   ") == 32 - 4, "four stand last in their lines"
    assert b"?" not in said


@pytest.mark.parametrize("environment", [{"LANG": "de_DE.UTF-8"}, {"LANG": "C", "LC_ALL": "C.utf8"}], ids=str)
def test_with_utf_8_nothing_is_made_plain(environment: dict[str, str]) -> None:
    assert on_a_terminal(*BOARD, **environment).decode().count("●") == 32


def test_what_is_no_terminal_keeps_its_letters_whatever_the_locale_says(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w", encoding="utf-8") as file:
        prepare(file, {"LANG": "C"})
        file.write("Polgár …")
    assert (tmp_path / "file").read_text("utf-8") == "Polgár …"


def test_a_pipe_that_was_told_to_be_ascii_gets_what_is_like_it() -> None:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, "ascii") as pipe:
        prepare(pipe, {})
        pipe.write("Polgár: 1… e5 → ½ ♞")
        pipe.flush()
        assert raw.getvalue() == b"Polgar: 1... e5 -> 12 ?"


def test_what_is_ascii_stays_what_it_is() -> None:
    text = "".join(map(chr, range(128)))
    assert plain(text) is text


@pytest.mark.parametrize("command", [["laws"], ["--version"], ["demo", "--speed", "50"]], ids=" ".join)
def test_an_output_that_takes_no_more_is_said(command: list[str], tmp_path: Path) -> None:
    """75, as of a full disk: nothing is wrong with what was to be told."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("w") as full:
        run = subprocess.run([*JADOUBE, *command], stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, env=environment)
    assert run.returncode == 75
    assert run.stderr.startswith(b"jadoube: the output cannot be written: No space left on device")


def test_a_command_works_for_who_has_closed_its_output(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = ["sh", "-c", '"$@" laws >&-', "sh", *JADOUBE]
    run = subprocess.run(command, stderr=subprocess.PIPE, cwd=tmp_path, env=environment)
    assert (run.returncode, run.stderr) == (0, b"")
