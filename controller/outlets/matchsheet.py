"""The sheet of a match à quatre: the scoresheets of its two games, in one order of time, and what they came to."""

import heapq

from controller.contract import AnyEvent, BoardId, Match, Retract
from controller.journal import Opening
from controller.outlets.scoresheet import Entry, Scoresheet


class Matchsheet:
    """One match so far."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.boards: dict[BoardId, Scoresheet] = {"A": Scoresheet(opening, "A"), "B": Scoresheet(opening, "B")}
        self.result: Match | None = None

    @property
    def games(self) -> dict[BoardId | None, Scoresheet]:
        """What there is to see: both games."""
        return dict(self.boards.items())

    @property
    def ply(self) -> int:
        """How many moves have been made on both boards together."""
        return sum(sheet.ply for sheet in self.boards.values())

    @property
    def over(self) -> bool:
        """Whether it has its result."""
        return self.result is not None

    def close(self) -> None:
        """Another match begins: of this one no more is told."""
        for sheet in self.boards.values():
            sheet.close()

    def concerns(self, event: AnyEvent) -> bool:  # noqa: ARG002
        """All that happens does."""
        return True

    def apply(self, event: AnyEvent) -> None:
        """Takes the next event of the match."""
        for sheet in self.boards.values():
            if sheet.concerns(event):
                sheet.apply(event)
                if isinstance(event, Retract) and sheet.final is None:
                    sheet.result = None  # whoever follows a match as a whole is not told what awaits a ruling still
        if isinstance(event, Match):
            self.result = event

    def entries(self) -> list[tuple[BoardId, Entry]]:
        """The moves of both boards as they followed each other."""
        lines = [[(name, entry) for entry in sheet.entries] for name, sheet in self.boards.items()]
        return list(heapq.merge(*lines, key=lambda line: line[1].made_ms))
