"""The files of a hall as ``jadoube hall init`` writes them: each once, and again only while nobody else has changed it.

What was written last is known by its digest, in ``.init.json`` beside the files.
"""

import difflib
import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.cli.hall.files import unwritable
from controller.errors import ConfigError
from controller.files import kept_words
from controller.outlets.writing import write_atomically

SECRET, OPEN = 0o600, 0o644  #: modes of files


class FileKeeper:
    """Writes into ``folder``, which it makes. Raises :exc:`DeviceError` where that is impossible.

    ``record``: where the digests are, if not there. ``dry``: nothing is written, and all that would be is said.
    """

    def __init__(self, folder: Path, record: Path | None = None, *, dry: bool = False) -> None:
        self.folder = folder
        self._dry = dry
        self.new: list[str] = []  #: the files that were not there before
        self.changed: list[str] = []  #: those that were ours, and are other ones now
        self.left: dict[str, tuple[str, str]] = {}  #: those of somebody else: what stands there, what we would write
        self._record = record or folder / ".init.json"
        self._ours = kept_words(self._record)

    def keep(self, name: str, text: str, mode: int = OPEN) -> None:
        """Has ``text`` stand in the file of that name, unless somebody has edited it."""
        path = self.folder / name
        try:
            stands = path.read_text("utf-8") if path.exists() else None
            if stands not in (None, text) and not self.is_ours(name):
                self.left[name] = ("", "") if mode == SECRET else (stands, text)
                return
            if stands != text:
                (self.new if stands is None else self.changed).append(name)
                if self._dry:
                    return
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode)
                path.write_text(text, "utf-8")
                self._note(name, text)
        except OSError as error:
            raise unwritable(path, error) from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is no text", "another kind of file", f"file {path}") from error

    def is_ours(self, name: str) -> bool:
        """Whether the file of that name is not there yet, or stands as it was written."""
        path = self.folder / name
        try:
            return not path.exists() or _digest(path.read_text("utf-8", "replace")) == self._ours.get(name)
        except OSError as error:
            raise unwritable(path, error) from error

    def change(self, name: str, text: str) -> None:
        """Has ``text`` stand in the file of that name, because somebody wants it; what was ours stays ours."""
        path = self.folder / name
        try:
            ours = path.exists() and self.is_ours(name)
            write_atomically(path, text)
            if ours:
                self._note(name, text)
        except OSError as error:
            raise unwritable(path, error) from error

    def report_lines(self) -> Iterator[str]:
        """What was done, or would be, one a line; of what was left, how it would be changed."""
        wrote, changed = ("would write", "would change") if self._dry else ("wrote", "changed")
        for word, names in ((wrote, self.new), (changed, self.changed)):
            yield from (f"{word} {self.folder / name}" for name in names)
        for name, (stands, text) in self.left.items():
            secret = not (stands or text)
            anew = f"To have it written anew: rm {self.folder / name}, and the same command"
            yield f"{self.folder / name} was edited, and stays as it is" + (
                f"; what it would become is secret. {anew}" if secret else ". It would become:"
            )
            lines = difflib.unified_diff(stands.splitlines(), text.splitlines(), name, name, lineterm="", n=1)
            yield from (f"    {line}" for line in lines)
        if not (self.new or self.changed or self.left):
            yield "nothing changes"

    def _note(self, name: str, text: str) -> None:
        self._ours[name] = _digest(text)
        self._record.write_bytes(msgspec.json.encode(self._ours))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
