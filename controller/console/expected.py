"""Who is expected at a board on which no game of theirs has begun: from the configuration and the pairings. So a wrong
pairing is seen on the pages while it can still be put right, and between two games it is the next one.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from controller.chess960 import heading
from controller.console.hub import Hub
from controller.console.shown import occasion
from controller.console.shown_table import ShownTable
from controller.contract import BoardId
from controller.journal import Opening
from controller.outlets.mqtt.topics import Begins, Phase
from controller.outlets.scoresheet import tags_at
from controller.pairing import PLAYERS, who_plays
from controller.words import LanguageCode
from controller.words.language import language

LOOK_S = 2.0  #: as often as the daemon looks at the pairings


def begins(phase: Phase, by: Begins, code: LanguageCode, *, again: bool = False) -> str:
    """By what the next game begins on a board, in words, and what is still to be set up; "" where one is played.
    ``again``: one is over there, so nothing is said of the next before the pieces stand ready for it.
    """
    to = language(code)
    if phase.phase == "playing" or (again and phase.phase != "ready"):
        return ""
    how = f"begins-{by.by}" if phase.phase == "ready" else f"begins-{by.by}-set-up"
    side = by.side  # of one board it is known who presses
    said = to.text("page", how, **({} if side is None else to.sides(side)))
    if again:
        return f"{to.text('page', 'next-ready')} {said}"
    missing = to.text("page", "begins-missing", squares=", ".join(phase.missing)) if phase.missing else ""
    return f"{said} {missing}".rstrip()


class Expected:
    """The heads of the boards of ``table`` before their game. ``late``: for who is told late, so nothing is said of by
    what the next game begins, nor of which start position was drawn.
    """

    def __init__(self, table: ShownTable, *, late: bool = False) -> None:
        self._table = table
        self._late = late

    def instead_of(self, opening: Opening) -> bool:
        """Whether this is to be shown, and no more the game with that opening, once that is over."""
        return self._table.superseded(opening.game, opening.tags)

    def leaves_out(self, opening: Opening) -> bool:
        """Whether the round in force has no game there, and nobody was named who plays that one either: a casual game
        is none of the event's, over or not."""
        return self._table.idle() and not any(player in who_plays(opening.tags) for player in PLAYERS)

    def head(self, board_id: BoardId | None) -> dict[str, Any]:
        """What stands at the head of a board that waits for its game, as JSON."""
        tags, numbers = self._table.expected(), self._table.board_numbers
        mine = tags if board_id is None else tags_at(tags, board_id)
        drawn = "" if self._late else mine.get("FEN", "")
        shuffled = "Variant" in mine
        return {
            "number": numbers[board_id],
            "match": None if board_id is None else {"id": "+".join(numbers.values()), "board": board_id},
            "game": None,
            "array": self._table.starts().get(board_id) if drawn or not shuffled else None,
            **occasion(mine),
            **({"variant": heading(drawn)} if shuffled else {}),
            **({"idle": True} if self._table.idle() else {}),
        }

    def show_begins(
        self, hub: Hub, number: str, board_id: BoardId | None, code: LanguageCode, *, again: bool = False
    ) -> None:
        """Shows on ``hub`` by what the next game begins on that board; nothing where that is not told, or nobody is to
        play. ``again`` as of :func:`begins`."""
        said, phase, by = "", self._table.phase, self._table.begins
        if not self._late and phase is not None and by is not None and not self._table.idle():
            said = begins(phase(board_id), by(board_id), code, again=again)
        if said:
            hub.put(number, "begins", said)
        else:
            hub.clear(number, ("begins",))

    async def run(self, *shows: Callable[[], None]) -> None:
        """Shows it again and again, for the pairings may be put right; what is the same costs its readers nothing."""
        while True:
            for show in shows:
                show()
            await asyncio.sleep(LOOK_S)
