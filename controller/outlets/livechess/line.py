"""A game as the feeds of LiveChess look at it: each position worked out once, for however many feeds there are."""

from msgspec import Struct

from controller.outlets.pgn import lawful
from controller.outlets.scoresheet import Entry, Scoresheet, bare

PiecesAndTurn = tuple[str, str]
"""Where the pieces stand, and who is to move; the rest of a FEN is written in more than one way."""


class LiveChessMove(Struct, frozen=True):
    entry: Entry
    before: PiecesAndTurn
    after: PiecesAndTurn
    tellable: bool  #: whether the SAN of chess can tell it

    @property
    def san(self) -> str:
        return self.entry.move.san

    @property
    def fen(self) -> str:
        """The position after it."""
        return self.entry.move.fen


class LiveChessLine:
    """The moves of ``sheet``."""

    def __init__(self, sheet: Scoresheet) -> None:
        self.sheet = sheet
        self.steps: list[LiveChessMove] = []
        self.positions: list[PiecesAndTurn] = []  #: before the first move, and after each
        self._start = ""
        self.follow()

    @property
    def game(self) -> str:
        """In which they are played."""
        return self.sheet.opening.game

    def follow(self) -> None:
        """Goes on with the sheet."""
        entries = self.sheet.entries
        if self.sheet.start != self._start:
            self._start = self.sheet.start
            self.steps, self.positions = [], [position(self._start)]
        kept = min(len(self.steps), len(entries))
        while kept and self.steps[kept - 1].entry is not entries[kept - 1]:
            kept -= 1
        del self.steps[kept:], self.positions[kept + 1 :]
        for entry in entries[kept:]:
            tellable = lawful(entry, self.sheet.variant) and "@" not in entry.move.uci
            self.steps.append(LiveChessMove(entry, position(entry.before), position(entry.move.fen), tellable))
            self.positions.append(self.steps[-1].after)


def position(fen: str) -> PiecesAndTurn:
    return pieces(fen), fen.split()[1]


def pieces(fen: str) -> str:
    """Where the pieces stand, as chess has it: no stock, and no mark on those that were promoted."""
    return chess_fen(fen).split()[0]


def chess_fen(fen: str) -> str:
    """The position as a FEN of chess."""
    return bare(fen).replace("~", "")
