"""The live view of a match à quatre: both boards side by side, stocks and all four clocks. For the arbiter, as the view
of a game is.
"""

from collections.abc import Sequence

import chess
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cli.view import WIDTH, Alerts, Half, Teller, board, last_moves
from controller.contract import BoardId, Match, Side
from controller.outlets.follow import News
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.scoresheet import Scoresheet

MOVES_SHOWN = 4
COLUMN = WIDTH // 2 - 4


class MatchView:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self.alerts = Alerts(about)
        self._sheet: Matchsheet | None = None
        self._teller = Teller()
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

    def __rich__(self) -> RenderableType:
        sheet = self._sheet
        if sheet is None:
            return Panel("The men are being set up …", title="jadoube")
        boards = Table.grid(padding=(0, 3))
        for _ in sheet.boards:
            boards.add_column(width=COLUMN)
        boards.add_row(*(self._board(name, each) for name, each in sheet.boards.items()))
        result = Text(self._result, style="bold green")
        return Panel(Group(boards, Text(), result, *self.alerts.lines()), title=_title(sheet), width=WIDTH)

    def _board(self, name: BoardId, sheet: Scoresheet) -> RenderableType:
        half, moves = self._halves[name], Text("  ").join(last_moves(sheet.entries, MOVES_SHOWN))
        return Group(
            Text(f"{name} · board {sheet.number}", style="dim"),
            _player(half, sheet, "black"),
            board(sheet),
            _player(half, sheet, "white"),
            Text(),
            moves,
            half.owes(sheet),
        )


def _player(half: Half, sheet: Scoresheet, side: Side) -> Text:
    """A player, his time, and what he may drop."""
    men = (sheet.stock or {}).get(side, "")
    return Text("  ").join([half.clock(sheet, side), Text("".join(map(_figure, men.lower())), style="bold")])


def _figure(letter: str) -> str:
    return chess.UNICODE_PIECE_SYMBOLS[letter]


def _title(sheet: Matchsheet) -> str:
    """The teams: White on A and Black on B, against the others."""
    names = {tag: sheet.opening.tags.get(tag, tag) for tag in ("WhiteA", "BlackB", "BlackA", "WhiteB")}
    return f"{names['WhiteA']} and {names['BlackB']} – {names['BlackA']} and {names['WhiteB']}"
