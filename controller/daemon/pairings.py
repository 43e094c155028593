"""The file with the pairings of an event: read when the daemon starts, and again whenever somebody has written it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from controller import files, pairing
from controller.config import TableSetup
from controller.errors import ConfigError
from controller.outlets.notices import Notices

NAME = "pairings"
LOOK_S = 2.0  #: how often
LARGEST = 2**20  #: bytes of such a file; a pairing has about a hundred


class Paired(Protocol):
    """Who hears what is played at a table: its station. ``of_many``: the board's number, where it is one of a hall."""

    config: TableSetup
    of_many: str | None

    def pair(self, tags: Mapping[str, str]) -> None: ...


class Pairings:
    """Reads the pairings in ``path``, and tells each of the ``stations`` who plays there, as PGN tags. A file that
    cannot be read is a notice, and changes nothing.

    A board of a hall need not have a game in each round; then nobody is named there. The same holds of a board that
    stands alone, if its pairings are ``told`` at the broker: they are those of a whole hall.
    """

    def __init__(
        self,
        path: Path,
        round_: str | None,
        notices: Notices,
        stations: Callable[[], Iterable[Paired]],
        *,
        told: bool = False,
    ) -> None:
        self._path = path
        self._told = told
        self._round = round_
        self._notices = notices
        self._stations = stations
        self._seen: tuple[int, ...] | None = None  # which version of the file that was, and who was told

    async def run(self) -> None:
        """Looks again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)

    def look(self) -> None:
        """Reads the file if it is another one than before."""
        try:
            stat = self._path.stat()
            version = (stat.st_mtime_ns, stat.st_size, stat.st_ino, *map(id, self._stations()))
            if version == self._seen:
                return
            text = pairing.decode(files.read(self._path, LARGEST))
            self._seen = version
            self._tell(text)
        except FileNotFoundError as error:
            self._notices.set(NAME, self._untold() if self._told else self._unread(error))
        except OSError as error:
            self._notices.set(NAME, self._unread(error))
        except ConfigError as error:
            self._notices.set(NAME, error)
        else:
            self._notices.clear(NAME)

    def _unread(self, error: OSError) -> ConfigError:
        cause = "the pairings are not written yet, or [event] pairings names another file"
        return ConfigError(
            f"{self._path} cannot be read: {error.strerror}",
            cause,
            f"in a hall: jadoube hall round 1 FILE; else: ls -l {self._path}",
        )

    def _untold(self) -> ConfigError:
        cause = "no round is in force yet, or the broker may not tell us of it"
        return ConfigError(
            "no round was ever told at the broker", cause, "on the organiser's computer: jadoube hall round 1 FILE"
        )

    def _tell(self, text: str) -> None:
        name, round_ = self._path.name, self._round
        stations = list(self._stations())
        of_hall = self._told or any(each.of_many for each in stations)
        games = pairing.tags_of_games(text, name, round_) if of_hall else {}
        for station in stations:
            boards = {board_id: place.number for board_id, place in station.config.places.items()}
            if None in boards and of_hall:
                station.pair(games.get(station.config.numbers, {}))
            elif self._told and not games.keys() >= set(boards.values()):
                station.pair({})
            elif None in boards:
                station.pair(pairing.tags_of_game(text, name, boards[None], round_))
            else:
                numbers = {str(board_id): board for board_id, board in boards.items()}
                station.pair(pairing.tags_of_match(text, name, numbers, round_))
