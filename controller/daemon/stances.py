"""Which way round boards stand, and the clocks beside them, kept beside the journal: amid a game nothing shows it any
more, so a restart then has to know it from before."""

import logging
from pathlib import Path

import msgspec

from controller import files
from controller.errors import JadoubeError
from controller.journal.pages import beside
from controller.outlets.writing import write_atomically
from hardware.boards.readings import Stance

log = logging.getLogger(__name__)

LARGEST = 1 << 20  #: bytes of what was kept


class Stances:
    """Those of the boards whose games are in the journal ``journal``, by what their notices are called."""

    def __init__(self, journal: Path) -> None:
        self._path = beside(journal, "-stances")
        self._known = self._read()

    def of(self, board: str) -> Stance | None:
        """How that one stood when it was seen last; None where it never was."""
        return self._known.get(board)

    def keep(self, board: str, stance: Stance | None) -> None:
        """It stands so, as far as is known; nothing is written where it did already."""
        if stance is None or stance == self._known.get(board):
            return
        self._known = self._read() | {board: stance}
        try:
            write_atomically(self._path, msgspec.json.encode(self._known).decode())
        except OSError as error:
            log.warning(
                "%s cannot be written, so a restart amid a game may not know a turned board: %s", self._path, error
            )

    def _read(self) -> dict[str, Stance]:
        try:
            return msgspec.json.decode(files.read(self._path, LARGEST), type=dict[str, Stance])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError, JadoubeError) as error:
            log.warning("%s cannot be used, so boards are taken to stand as ever: %s", self._path, error)
            return {}
