"""The live view of a match à quatre: both boards side by side, stocks and all four clocks. For the arbiter, as the view
of a game is.
"""

from collections.abc import Sequence

import chess
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from controller.cli.screen import Screen
from controller.cli.view import SETTING_UP, Alerts, Half, Narrator, board, last_moves
from controller.contract import BoardId, Match, Side
from controller.outlets.follow import News
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.scoresheet import Scoresheet

MOVES_SHOWN = 4
BETWEEN = 3  #: columns between the boards


class MatchView:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self.alerts = Alerts(about)
        self._sheet: Matchsheet | None = None
        self._teller = Narrator()
        self._halves: dict[BoardId, Half] = {"A": Half(speed), "B": Half(speed)}
        self._result = ""

    def take(self, news: News[Matchsheet]) -> None:
        """The next thing that happened, on either board."""
        event = news.event
        if news.sheet is not self._sheet:
            self._sheet, self._result = news.sheet, ""
        said = self._teller.say(news) or ""
        if event is not None and event.board is not None:
            self._halves[event.board].take(event, said)
        if isinstance(event, Match):
            self._result = said
        self.alerts.take(event, said)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        screen, sheet = Screen(console, options), self._sheet
        if sheet is None:
            yield screen.panel("jadoube", screen.line(SETTING_UP), [])
            return
        boards = Table.grid(padding=(0, BETWEEN))
        for _ in sheet.boards:
            boards.add_column(width=(screen.width - BETWEEN) // len(sheet.boards))
        boards.add_row(*(self._board(screen, name, each) for name, each in sheet.boards.items()))
        result = screen.line(self._result, "bold green")
        yield screen.panel(_title(sheet), Group(boards, result), self.alerts.notes())

    def _board(self, screen: Screen, name: BoardId, sheet: Scoresheet) -> RenderableType:
        half, moves = self._halves[name], "  ".join(move.plain for move in last_moves(sheet.entries, MOVES_SHOWN))
        return Group(
            screen.line(f"{name} · board {sheet.number}", "dim"),
            _player(screen, half, sheet, "black"),
            board(screen, sheet),
            _player(screen, half, sheet, "white"),
            screen.line(moves.rstrip()),
            half.owes(screen, sheet),
        )


def _player(screen: Screen, half: Half, sheet: Scoresheet, side: Side) -> Text:
    """A player, his time, and what he may drop."""
    pieces = (sheet.stock or {}).get(side, "")
    shown = "".join(screen.piece(chess.Piece.from_symbol(letter)) for letter in pieces)
    player = half.clock(screen, sheet, side)
    return screen.line(f"{player.plain}  {shown}", str(player.style))


def _title(sheet: Matchsheet) -> str:
    """The teams: White on A and Black on B, against the others."""
    names = {tag: sheet.opening.tags.get(tag, tag) for tag in ("WhiteA", "BlackB", "BlackA", "WhiteB")}
    return f"{names['WhiteA']} and {names['BlackB']} – {names['BlackA']} and {names['WhiteB']}"
