"""Questions and answers: an answer that will not do is asked for again, and none is lost.

What was said is kept beside the file that is to be written, until that is there: whoever stops in the middle, or whose
board does not answer, is proposed it the next time.
"""

import contextlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from controller.errors import ConfigError, JadoubeError
from controller.files import kept_words

NOTHING = "-"  #: what is said for an empty answer where something is proposed
T = TypeVar("T")


class Dialogue:
    """Asks on standard input, for what ``command`` was not ``given`` by its options; ``yes``: takes what is proposed
    instead."""

    def __init__(self, command: str, out: Path, given: Mapping[str, str | None], *, yes: bool) -> None:
        self._options = f"{command} --help lists the options"
        self._given = given
        self._yes = yes
        self._path = out.with_name(f"{out.name}.answers")
        self._said = {} if yes else kept_words(self._path)

    def ask(self, name: str, question: str, proposed: str, take: Callable[[str], T]) -> T:
        """What ``take`` makes of the answer to the question of that name: given beforehand, as proposed, or said now.
        It raises :exc:`JadoubeError` for one that will not do.

        Raises :exc:`ConfigError` where nobody can be asked, and :exc:`JadoubeError` where what was given will not do.
        """
        given = self._given.get(name)
        if given is not None:
            return take(given)
        proposed = self._said.get(name, proposed)
        while True:
            said = self.answer(question, proposed)
            try:
                taken = take(said)
            except JadoubeError as error:
                if self._yes:
                    raise
                print(f"  {error}")
                continue
            if not self._yes:
                self._said[name] = said
            return taken

    def agrees(self, question: str) -> bool:
        """Whether yes is said; no is what is proposed."""
        return not self._yes and self.answer(f"{question} (yes/no)", "no").lower() in ("yes", "y")

    def answer(self, question: str, proposed: str) -> str:
        """What is said to a question, or what is proposed; asked until there is something to say."""
        if self._yes and not proposed and not _may_be_empty(question):
            cause = "--yes takes what is proposed, and nothing is"
            raise ConfigError(f"no answer to: {question}", cause, self._options)
        if self._yes:
            return proposed
        while True:
            try:
                said = input(f"{question}{_proposal(question, proposed)}: ").strip()
            except EOFError as error:
                cause = "nobody is at the terminal"
                raise ConfigError(f"no answer to: {question}", cause, f"{self._options}; --yes") from error
            if said == NOTHING and _may_be_empty(question):
                return ""
            if said or proposed or _may_be_empty(question):
                return said or proposed
            print("  Something has to be said here.")

    def keep(self) -> None:
        """Nothing was written: keeps what was said, where that is possible."""
        if self._said:
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_bytes(msgspec.json.format(msgspec.json.encode(self._said), indent=2))
                print(f"\nWhat was said is kept in {self._path}, and will be proposed the next time.")

    def forget(self) -> None:
        """It is written."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def _proposal(question: str, proposed: str) -> str:
    """What an empty answer means, and how to say nothing where something is proposed."""
    if not proposed:
        return ""
    return f" [{proposed}; {NOTHING} for none]" if _may_be_empty(question) else f" [{proposed}]"


def _may_be_empty(question: str) -> bool:
    """One that may be left empty says so in brackets."""
    return re.search(r"empty: [^)]*\)$", question) is not None
