"""The man page and the completion in bash: made of the commands' help, so that none of it is missing or stale."""

import argparse
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from controller.cli.main import parser

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    subprocess.run([sys.executable, ROOT / "tools/manuals.py", folder], env={"PYTHONPATH": str(ROOT)}, check=True)
    return folder


def commands(one: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """It and all that are below it."""
    yield one
    for action in one._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from commands(below)


def completed(share: Path, folder: Path, *words: str) -> set[str]:
    """What bash proposes for the last of the words."""
    script = """
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _shtab_jadoube "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    file = share / "bash-completion/completions/jadoube"
    told = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", file, "jadoube", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not told.stderr
    return {word.strip() for word in told.stdout.split()}


def test_the_man_page_tells_of_every_command_and_option(share: Path) -> None:
    page = re.sub(r"\\f[BIR]|\\(?=-)", "", (share / "man/man1/jadoube.1").read_text())
    plain = " ".join(page.split())
    for one in commands(parser()):
        assert one.prog in plain
        for action in one._actions:
            if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
                for word in (*action.option_strings[-1:], str(action.help) % vars(action)):
                    assert word in plain, f"{one.prog}: {word}"


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_the_man_page_is_one_for_man(share: Path) -> None:
    page = share / "man/man1/jadoube.1"
    told = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True)
    assert not told.stderr
    assert "jadoube - Hands on a sensor board become a lawful live game" in told.stdout


def test_commands_options_and_choices_are_completed(share: Path, tmp_path: Path) -> None:
    assert completed(share, tmp_path, "do") == {"doctor"}
    assert completed(share, tmp_path, "setup", "--bo") == {"--board"}
    assert completed(share, tmp_path, "laws", "--edition", "fide-202") == {"fide-2023"}


def test_files_are_completed_where_a_file_is_meant_and_folders_where_a_folder_is(share: Path, tmp_path: Path) -> None:
    (tmp_path / "board.toml").touch()
    (tmp_path / "backups").mkdir()
    assert "board.toml" in completed(share, tmp_path, "run", "--config", "bo")
    assert completed(share, tmp_path, "export", "--out", "b") == {"backups"}


def test_every_command_has_an_act_that_takes_what_its_parser_reads() -> None:
    """Both stand as words in the parser, and no type checker sees them."""
    for one in commands(parser()):
        if one.get_default("act") is not None:
            module, act = one.get_default("act").split(":")
            names = {action.dest for action in one._actions} - {"help", argparse.SUPPRESS}
            inspect.signature(getattr(import_module(f"controller.cli.{module}"), act)).bind(**dict.fromkeys(names))
