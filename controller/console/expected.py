"""Who is expected at a board on which there is no game yet: from the configuration and the pairings. So a wrong pairing
is seen on the pages while it can still be put right. Once another round is in force, no game that is over is shown.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from controller.chess960 import heading
from controller.console.shown import occasion
from controller.contract import BoardId
from controller.outlets.scoresheet import tags_at

LOOK_S = 2.0  #: as often as the daemon looks at the pairings

Seats = Mapping[BoardId | None, str]
"""The boards' numbers in the hall, by what the boards are in a match; the only one: None."""


class Expected:
    """The heads of the boards ``seats`` before their game; ``tags`` are its PGN tags, as far as they are known."""

    def __init__(self, seats: Seats, tags: Callable[[], Mapping[str, str]]) -> None:
        self._seats = seats
        self._tags = tags

    def another_round(self, tags: Mapping[str, str]) -> bool:
        """Whether another round is expected than that of a game with these tags."""
        return self._tags().get("Round", tags.get("Round")) != tags.get("Round")

    def head(self, seat: BoardId | None) -> dict[str, Any]:
        """What stands at the head of a board that waits for its game, as JSON."""
        tags = self._tags()
        mine = tags if seat is None else tags_at(tags, seat)
        return {
            "number": self._seats[seat],
            "match": None if seat is None else {"id": "+".join(self._seats.values()), "seat": seat},
            "game": None,
            **occasion(mine),
            **({"variant": heading(mine.get("FEN", ""))} if "Variant" in mine else {}),
        }

    async def run(self, *shows: Callable[[], None]) -> None:
        """Shows it again and again, for the pairings may be put right; what is the same costs its readers nothing."""
        while True:
            for show in shows:
                show()
            await asyncio.sleep(LOOK_S)
