"""Who is expected at a board on which no game of theirs has begun: from the configuration and the pairings. So a wrong
pairing is seen on the pages while it can still be put right, and between two games it is the next one.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from controller.chess960 import heading
from controller.console.hub import Hub
from controller.console.shown import occasion
from controller.contract import BoardId
from controller.journal import Opening
from controller.outlets.scoresheet import tags_at
from controller.outlets.topics import Begins, Phase
from controller.pairing import PLAYERS, who_plays
from controller.words import LanguageCode
from controller.words.language import language

LOOK_S = 2.0  #: as often as the daemon looks at the pairings

BoardNumbers = Mapping[BoardId | None, str]
"""The boards' numbers in the hall, by what the boards are in a match; the only one: None."""


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
    """The heads of the boards of these ``numbers`` before their game; ``tags`` are its PGN tags, as far as they are
    known.

    ``starts``: how the pieces stand when it begins. ``superseded``: whether others play now than in a game of that name
    and tags. ``drawn``: whether it may be known already which start position was drawn. ``idle``: whether the round in
    force has no game there. ``phase`` and ``by``: whether a game is on, and by what the next begins; None where that is
    not known, or not to be told yet.
    """

    def __init__(
        self,
        numbers: BoardNumbers,
        tags: Callable[[], Mapping[str, str]],
        starts: Callable[[], Mapping[BoardId | None, str]],
        superseded: Callable[[str, Mapping[str, str]], bool],
        drawn: bool = True,
        idle: Callable[[], bool] = lambda: False,
        phase: Callable[[BoardId | None], Phase] | None = None,
        by: Callable[[BoardId | None], Begins] | None = None,
    ) -> None:
        self._numbers = numbers
        self._tags = tags
        self._starts = starts
        self._superseded = superseded
        self._drawn = drawn
        self._idle = idle
        self._phase = phase
        self._by = by

    def instead_of(self, opening: Opening) -> bool:
        """Whether this is to be shown, and no more the game with that opening, once that is over."""
        return self._superseded(opening.game, opening.tags)

    def leaves_out(self, opening: Opening) -> bool:
        """Whether the round in force has no game there, and nobody was named who plays that one either: a casual game
        is none of the event's, over or not."""
        return self._idle() and not any(player in who_plays(opening.tags) for player in PLAYERS)

    def head(self, board_id: BoardId | None) -> dict[str, Any]:
        """What stands at the head of a board that waits for its game, as JSON."""
        tags = self._tags()
        mine = tags if board_id is None else tags_at(tags, board_id)
        drawn = mine.get("FEN", "") if self._drawn else ""
        shuffled = "Variant" in mine
        return {
            "number": self._numbers[board_id],
            "match": None if board_id is None else {"id": "+".join(self._numbers.values()), "board": board_id},
            "game": None,
            "array": self._starts().get(board_id) if drawn or not shuffled else None,
            **occasion(mine),
            **({"variant": heading(drawn)} if shuffled else {}),
            **({"idle": True} if self._idle() else {}),
        }

    def show_begins(
        self, hub: Hub, number: str, board_id: BoardId | None, code: LanguageCode, *, again: bool = False
    ) -> None:
        """Shows on ``hub`` by what the next game begins on that board; nothing where that is not told, or nobody is to
        play. ``again`` as of :func:`begins`."""
        said = ""
        if self._phase is not None and self._by is not None and not self._idle():
            said = begins(self._phase(board_id), self._by(board_id), code, again=again)
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
