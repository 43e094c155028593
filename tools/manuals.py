"""``jadoube.1`` and what completes its words in bash, made of the commands' own help.

python tools/manuals.py FOLDER     writes both below it, as they belong below /usr/share
"""

import argparse
import sys
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from controller.cli.main import parser

FOLDERS = ("DIR",)  #: what the help calls an argument that is a folder


def man_page() -> str:
    """In troff, of all commands."""
    whole = parser()
    whole.man_short_description = str(whole.description).rstrip(".")  # type: ignore[attr-defined]
    page = Manpage(whole, format="single-commands-section")
    page.source = page.manual = "jadoube"
    return str(page)


def completion() -> str:
    """In bash: commands, options, choices, files and folders."""
    whole = parser()
    _name_files(whole)
    return shtab.complete(whole, "bash")


def _name_files(one: argparse.ArgumentParser) -> None:
    """Tells shtab which arguments are paths, of this parser and of those below it."""
    for action in one._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _name_files(below)
        elif action.type is Path:
            action.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE  # type: ignore[attr-defined]


def main() -> None:
    folder = Path(sys.argv[1])
    for path, text in (
        (folder / "man/man1/jadoube.1", man_page()),
        (folder / "bash-completion/completions/jadoube", completion()),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
