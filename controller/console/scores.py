"""The games as PGN, for whoever watches: of one board, and of all there are, each as late as the page shows it."""

import asyncio
from collections.abc import Collection, Sequence

from controller.console.gallery import Gallery
from controller.console.others import OtherDaemon
from controller.numbering import natural


class Scores:
    """The games of our own boards, and those of the ``others``."""

    def __init__(self, others: Sequence[OtherDaemon]) -> None:
        self.own: dict[str, Gallery] = {}  #: by the number of the board
        self._others = others

    def drop(self, numbers: Collection[str]) -> None:
        """These boards are shown no more."""
        self.own = {number: game for number, game in self.own.items() if number not in numbers}

    async def of_board(self, number: str) -> str | None:
        """The game on that board; None where there is none."""
        if number in self.own:
            return self.own[number].pgn()
        for other in self._others:
            if number in other.boards:
                return await other.pgn(number)
        return None

    async def of_all(self) -> str | None:
        """All games that are shown, in the order of the boards; None where there is none."""
        numbers = sorted(self.own.keys() | {number for other in self._others for number in other.boards}, key=natural)
        elsewhere = [number for number in numbers if number not in self.own]
        games = dict(zip(elsewhere, await asyncio.gather(*map(self.of_board, elsewhere)), strict=True))
        for number, game in self.own.items():
            games[number] = None if game.is_past else game.pgn()
            await asyncio.sleep(0)  # between two games the sensors have their turn
        return "".join(filter(None, (games[number] for number in numbers if number in games))) or None
