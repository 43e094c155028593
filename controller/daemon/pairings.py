"""The file with the pairings of an event: read when the daemon starts, and again whenever somebody has written it."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from controller import files, pairing
from controller.contract import BoardId
from controller.errors import ConfigError
from controller.outlets.notices import Notices

NAME = "pairings"
LOOK_S = 2.0  #: how often
LARGEST = 2**20  #: bytes of such a file; a pairing has about a hundred


class Pairings:
    """The pairings in ``path``; the tags of what is played on ``boards``, the only one or by what they are in a match,
    go to ``tell``. What cannot be read is a notice, and leaves things as they were.
    """

    def __init__(
        self,
        path: Path,
        boards: Mapping[BoardId | None, str],
        round_: str | None,
        notices: Notices,
        tell: Callable[[Mapping[str, str]], None],
    ) -> None:
        self._path = path
        self._boards = boards
        self._round = round_
        self._notices = notices
        self._tell = tell
        self._seen: tuple[int, int, int] | None = None  # which version of the file that was

    async def run(self) -> None:
        """Looks again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)

    def look(self) -> None:
        """Reads the file if it is another one than before."""
        try:
            stat = self._path.stat()
            version = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if version == self._seen:
                return
            text = pairing.decode(files.read(self._path, LARGEST))
            self._seen = version
            self._tell(self._tags(text))
        except OSError as error:
            cause = "the pairings are not written yet, or [event] pairings names another file"
            what = f"{self._path} cannot be read: {error.strerror}"
            self._notices.set(NAME, ConfigError(what, cause, f"ls -l {self._path}"))
        except ConfigError as error:
            self._notices.set(NAME, error)
        else:
            self._notices.clear(NAME)

    def _tags(self, text: str) -> Mapping[str, str]:
        name, round_ = self._path.name, self._round
        if None in self._boards:
            return pairing.tags_of_game(text, name, self._boards[None], round_)
        return pairing.tags_of_match(text, name, {str(seat): board for seat, board in self._boards.items()}, round_)
