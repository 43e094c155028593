"""One feed of LiveChess: the moves of a game since the position that the client has set up, one ply a message.

Its clients post what they are sent, and cannot take it back. So a move sent stays, and when the game takes it back the
line stands still, with ``match`` false, until the game is on it again or the client sets up anew. So it does where a
piece is dropped in a match: clients made for chess have no word for that, and set up the position after it.

One case is put right: where another move now stands in the place of the *last* one sent. The board page of Lichess
posts the moves of its own player alone; those of the opponent are made on the board by hand, and a slip of that hand is
refused there. The page looks only at how the number of moves changes: told the line without that move, then with the
other one, it follows. Nothing in the talk says which side it plays. But what it has posted stays on Lichess, so its own
player has no reason to make another move instead; should he, it is refused as the opponent's. Further back stands a
move of his for certain: that is left alone. And so is what could be posted for him, were the move sent the right one
after all: a move by whose name he could answer it. And so is the first move of a game, for a line without any is passed
over there.
"""

from msgspec import Raw

from controller.contract import Variant
from controller.outlets.livechess.line import LiveChessLine, LiveChessMove, PiecesAndTurn, chess_fen, pieces, position
from controller.outlets.livechess.protocol import FeedBoard, FeedMoves, LiveChessClock
from controller.outlets.scoresheet import Scoresheet, board_of

NO_PIECES = "8/8/8/8/8/8/8/8"


class LiveChessFeed:
    """A client's subscription to the board ``serialnr``; ``id`` is the client's own name for it."""

    def __init__(self, id_: Raw, serialnr: str) -> None:
        self.id = id_
        self.serialnr = serialnr
        self._flipped = False
        self._start: str | None = None  # as the client wrote it
        self._san: list[str] = []  # sent since then
        self._game = ""  # in which these were played
        self._from = 0  # after how many moves of it
        self._path: list[PiecesAndTurn] = []  # the positions of the line, from the one set up on
        self._end = ""  # the last of them, as a FEN
        self._last: FeedBoard | None = None

    def setup(self, fen: str) -> None:
        """Begins a line anew. Raises :exc:`ValueError` where ``fen`` is none."""
        board = board_of(fen)
        self._start, self._san, self._game, self._last = fen, [], "", None
        self._path = [position(board.fen())]

    def flip(self, flipped: bool) -> None:
        """Shows the board the other way round, or not any more."""
        self._flipped, self._last = flipped, None

    def news(self, line: LiveChessLine | None, board: str, clock: LiveChessClock | None) -> list[FeedBoard]:
        """What is to be sent, in order, now that the game and the pieces stand so; nothing if that was said already."""
        there = line is not None and board == placement(line.sheet)  # else other pieces, as between games
        told = self._plies(line, clock, there) if self._start is not None and line is not None else []
        if line is not None and there:
            match = self._on(line)
        else:
            match = not self._san and board in [placed for placed, _ in self._path]
        told.append(self._shown(board, clock, match))
        if told[-1] == self._last:
            return told[:-1]
        self._last = told[-1]
        return told

    # -- inside --------------------------------------------------------------------------------------------------

    def _plies(self, line: LiveChessLine, clock: LiveChessClock | None, there: bool) -> list[FeedBoard]:
        """The line, as it changes ply by ply; as it is in the end is told with all the rest. Of a game that is not
        ``there`` any more none begins: who sets up the next one must not hear its moves.
        """
        told: list[FeedBoard] = []
        if not self._san and there:
            self._begin(line)
        if self._put_right(line):
            self._withdraw(line)
            told.append(self._shown(self._path[-1][0], clock, match=True))
        while self._within(line) and (number := self._from + len(self._san)) < len(line.steps):
            step = line.steps[number]
            if not step.tellable or step.before != self._path[-1]:
                break  # the SAN of chess cannot tell it
            self._san.append(step.san)
            self._path.append(step.after)
            self._end = step.fen
            last = number + 1 == len(line.steps)
            if not last:
                told.append(self._shown(step.after[0], clock, match=True))
        return told

    def _begin(self, line: LiveChessLine) -> None:
        """Finds where the game stood, or stands, as it was set up: last, should it have come there again."""
        self._game = ""
        for number, there in enumerate(line.positions):
            if there == self._path[0]:
                self._game, self._from = line.game, number

    def _within(self, line: LiveChessLine) -> bool:
        """Whether the game has come to the end of the line, on its way."""
        return self._game == line.game and line.positions[self._from :][: len(self._path)] == self._path

    def _on(self, line: LiveChessLine) -> bool:
        """Whether the board is where the line ends."""
        at_its_end = len(line.positions) == self._from + len(self._path)
        return bool(self._path) and not line.sheet.astray and at_its_end and self._within(line)

    def _put_right(self, line: LiveChessLine) -> bool:
        """Whether another move has been made in the place of the last one, and can be told instead of it."""
        last = self._from + len(self._san) - 1
        if not self._san or self._game != line.game or last >= len(line.steps):
            return False
        step = line.steps[last]
        kept = line.positions[self._from :][: len(self._path) - 1] == self._path[:-1]
        if not kept or step.after == self._path[-1] or not step.tellable:
            return False
        if _answers(step, self._end, line.sheet.variant):
            return False
        return len(self._san) > 1 or self._earlier(line) is not None

    def _withdraw(self, line: LiveChessLine) -> None:
        """Takes the last move off the line. Without any it would be passed over as no news by the page of Lichess: it
        then begins a move earlier.
        """
        self._san.pop()
        self._path.pop()
        if not self._san and (earlier := self._earlier(line)) is not None:
            self._from -= 1
            self._start, self._san = chess_fen(earlier.entry.before), [earlier.san]
            self._path.insert(0, earlier.before)

    def _earlier(self, line: LiveChessLine) -> LiveChessMove | None:
        """The move before the line, if it can be told."""
        step = line.steps[self._from - 1] if self._from else None
        return step if step is not None and step.tellable and step.after == self._path[0] else None

    def _shown(self, board: str, clock: LiveChessClock | None, match: bool) -> FeedBoard:
        if self._flipped:
            board = board[::-1]
        if self._start is None:
            return FeedBoard(self.serialnr, self._flipped, board, clock)
        return FeedMoves(self.serialnr, self._flipped, board, clock, self._start, list(self._san), match)


def placement(sheet: Scoresheet | None) -> str:
    """Where the pieces stand after the last move made; what is in a hand stands where it stood."""
    return pieces(sheet.fen) if sheet is not None else NO_PIECES


def _answers(step: LiveChessMove, fen: str, variant: Variant) -> bool:
    """Whether the name of the move is also one of a move that can be made in ``fen``."""
    try:
        board_of(fen, variant).parse_san(step.san)
    except ValueError:
        return False
    return True
