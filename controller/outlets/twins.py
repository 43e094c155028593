"""Two games of a broadcast that nobody can tell apart: they would overwrite each other.

Lichess, and others, know a game by its event, site, round, board and players (by their FIDE ids, where both have one),
and take a second one with all of these the same for the first. So it is said as soon as there are two: of one board, as
the journal has them, or of two that write to one folder. And a finished game is not overwritten by one in which nobody
has moved yet.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from controller.contract import Move, Result
from controller.errors import DeviceError
from controller.journal import Opening
from controller.outlets.follow import Readable, Sheet
from controller.outlets.notices import Notices
from controller.pairing import COLOURS
from controller.wire import decode_event

NAME = "same game"

Identity = tuple[str, ...]
"""What a game is known by."""


class Twins:
    """Looks at each game of the board that ``journal`` is of, as it begins."""

    def __init__(self, journal: Readable, notices: Notices, begin: Callable[[Opening], Sheet]) -> None:
        """``begin``: what is kept of a game."""
        self._journal = journal
        self._notices = notices
        self._begin = begin
        self._game = ""
        self._after_finished = False  # the last game like this one has its result

    def hides(self, sheet: Sheet) -> bool:
        """Whether this game, which is on now, would put nothing in the place of a finished one: nobody has moved yet,
        and that one has the same tags. As when the pieces are set up again, and the next game begins by itself."""
        if sheet.opening.game != self._game:
            self._game = sheet.opening.game
            self._look(sheet.opening)
        if sheet.ply or sheet.over:
            self._after_finished = False  # from now on it is told as it stands, though all of it is taken back
        return self._after_finished

    def _look(self, opening: Opening) -> None:
        earlier = [*takewhile(lambda each: each.game != opening.game, self._journal.openings())]
        like = [each for each in earlier if identity(_tags(each)) == identity(_tags(opening))]
        self._after_finished = self._is_over(like) and not self._was_told(opening)
        if not like:
            self._notices.clear(NAME)
            return
        began = f"{like[0].started[:10]} at {like[0].started[11:16]}"
        self.meet(f"the game that began on {began}", "a new game was begun with the tags of that one")

    def _was_told(self, opening: Opening) -> bool:
        """Whether something stood in the place of the earlier ones already, though it was taken back since."""
        events = (decode_event(record.body) for record in self._journal.game(opening.game) if record.kind == "event")
        return any(isinstance(event, Move | Result) for event in events)

    def _is_over(self, games: Sequence[Opening]) -> bool:
        """Whether the last of these games of which anything was told has its result."""
        for opening in reversed(games):
            sheet = self._begin(opening)
            for record in self._journal.game(opening.game):
                if record.kind == "event" and sheet.concerns(event := decode_event(record.body)):
                    sheet.apply(event)
            if sheet.ply or sheet.over:
                return sheet.over
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
