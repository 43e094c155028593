"""One feed of LiveChess: the moves of a game since the position that the client has set up, one ply a message.

Its clients post what they are sent, and cannot take it back. So a line only grows. When the game takes a move back that
was sent, the line stands still, with ``match`` false, until the game is on it again or the client sets up anew. So it
does where a man is dropped in a match: clients made for chess have no word for that, and set up the position after it.
"""

from collections.abc import Iterator

from msgspec import Raw

from controller.outlets.livechess_protocol import Clock, Followed, Shown
from controller.outlets.pgn import lawful_from
from controller.outlets.scoresheet import Scoresheet, bare, board_of

NO_MEN = "8/8/8/8/8/8/8/8"


class Feed:
    """A client's subscription to the board ``serialnr``; ``id`` is the client's own name for it."""

    def __init__(self, id_: Raw, serialnr: str) -> None:
        self.id = id_
        self.serialnr = serialnr
        self._flipped = False
        self._start: str | None = None  # as the client wrote it
        self._san: list[str] = []  # sent since then
        self._game = ""  # in which these were played
        self._from = 0  # after how many moves of it
        self._path: list[tuple[str, ...]] = []  # the positions of the line, from the one set up on
        self._last: Shown | None = None

    def setup(self, fen: str) -> None:
        """Begins a line anew. Raises :exc:`ValueError` where ``fen`` is none."""
        board = board_of(fen)
        self._start, self._san, self._game, self._last = fen, [], "", None
        self._path = [_position(board.fen())]

    def flip(self, flipped: bool) -> None:
        """Shows the board the other way round, or not any more."""
        self._flipped, self._last = flipped, None

    def news(self, sheet: Scoresheet | None, clock: Clock | None) -> Iterator[Shown]:
        """What is to be sent now that the game stands so; nothing if that was said already."""
        if self._start is not None and sheet is not None:
            yield from self._plies(sheet, clock)
        shown = self._shown(placement(sheet), clock, self._on_the_line(sheet))
        if shown != self._last:
            self._last = shown
            yield shown

    # -- inside --------------------------------------------------------------------------------------------------

    def _plies(self, sheet: Scoresheet, clock: Clock | None) -> Iterator[Shown]:
        """The moves by which the line grows."""
        lawful_from(sheet)  # looks at each entry once
        positions = _positions(sheet)
        if not self._san:
            self._game = ""
            for number, position in enumerate(positions):
                if position == self._path[0]:
                    self._game, self._from = sheet.opening.game, number
        while self._within(sheet, positions) and (number := self._from + len(self._san)) < sheet.ply:
            entry = sheet.entries[number]
            if not entry.lawful or "@" in entry.move.uci or _position(entry.before) != self._path[-1]:
                return  # the SAN of chess cannot tell it
            self._san.append(entry.move.san)
            self._path.append(_position(entry.move.fen))
            last = number + 1 == sheet.ply
            shown = self._shown(_men(entry.move.fen), clock, not (last and sheet.astray))
            if not last:  # the last one is told with all the rest
                yield shown

    def _within(self, sheet: Scoresheet, positions: list[tuple[str, ...]]) -> bool:
        """Whether the game has come to the end of the line, on its way."""
        return self._game == sheet.opening.game and positions[self._from :][: len(self._path)] == self._path

    def _on_the_line(self, sheet: Scoresheet | None) -> bool:
        if sheet is None or sheet.astray or not self._path:
            return False
        positions = _positions(sheet)
        return self._within(sheet, positions) and len(positions) == self._from + len(self._path)

    def _shown(self, board: str, clock: Clock | None, match: bool) -> Shown:
        if self._flipped:
            board = board[::-1]
        shown = Shown(self.serialnr, self._flipped, board, clock)
        if self._start is None:
            return shown
        return Followed(self.serialnr, self._flipped, board, clock, self._start, list(self._san), match)


def placement(sheet: Scoresheet | None) -> str:
    """Where the men stand after the last move made; what is in a hand stands where it stood."""
    return _men(sheet.fen) if sheet is not None else NO_MEN


def _positions(sheet: Scoresheet) -> list[tuple[str, ...]]:
    return [_position(sheet.start), *(_position(entry.move.fen) for entry in sheet.entries)]


def _position(fen: str) -> tuple[str, ...]:
    """Where the men stand and who is to move; the rest of a FEN is written in more than one way."""
    return _men(fen), fen.split()[1]


def _men(fen: str) -> str:
    """Where the men stand, as chess has it: no stock, and no mark on those that were promoted."""
    return bare(fen).split()[0].replace("~", "")
