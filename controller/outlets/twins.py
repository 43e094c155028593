"""Two games of a broadcast that nobody can tell apart: they would overwrite each other.

Lichess, and others, know a game by its event, site, round, board and players (by their FIDE ids, where both have one),
and take a second one with all of these the same for the first. So it is said as soon as there are two: of one board, as
the journal has them, or of two that write to one folder.
"""

from collections.abc import Mapping

from controller.errors import DeviceError
from controller.journal import Opening
from controller.outlets.follow import Readable, Sheet
from controller.outlets.notices import Notices
from controller.pairing import COLOURS

NAME = "same game"

Identity = tuple[str, ...]
"""What a game is known by."""


class Twins:
    """Looks at each game of the board that ``journal`` is of, as it begins."""

    def __init__(self, journal: Readable, notices: Notices) -> None:
        self._journal = journal
        self._notices = notices
        self._game = ""
        self._is_again = False

    def hides(self, sheet: Sheet) -> bool:
        """Whether this game, which is on now, would put nothing in the place of an earlier one: nobody has moved yet,
        and that one has the same tags. As when the pieces are set up again, and the next game begins by itself."""
        return self._again(sheet.opening) and not (sheet.ply or sheet.over)

    def _again(self, opening: Opening) -> bool:
        if opening.game == self._game:
            return self._is_again
        self._game = opening.game
        for earlier in self._journal.openings():
            if earlier.game == opening.game:
                break
            if identity(_tags(earlier)) == identity(_tags(opening)):
                began = f"{earlier.started[:10]} at {earlier.started[11:16]}"
                self.meet(f"the game that began on {began}", "a new game was begun with the tags of that one")
                self._is_again = True
                return True
        self._notices.clear(NAME)
        self._is_again = False
        return False

    def meet(self, other: str, cause: str) -> None:
        """There is an ``other`` one like it. Said until the next game begins."""
        what = f"this game has the same event, site, round, board and players as {other}: Lichess takes both for one"
        next_step = "give each game its round, board number and players: see Who plays in docs/feeds.md"
        self._notices.set(NAME, DeviceError(what, cause, next_step))


def identity(tags: Mapping[str, str]) -> Identity:
    """What the game, or the match, with these PGN tags is known by."""
    ids = [tags.get(f"{colour}FideId") for colour in COLOURS]
    players = [f"{colour}{board_id}" for board_id in ("", "A", "B") for colour in COLOURS]
    names = [tags.get(player, "?") for player in players]
    known = [each for each in ids if each is not None]
    return *(tags.get(tag, "?") for tag in ("Event", "Site", "Round", "Board")), *(known if len(known) == 2 else names)


def _tags(opening: Opening) -> Mapping[str, str]:
    return {"Board": opening.board} | opening.tags
