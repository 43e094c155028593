"""The live view in a terminal: board, clocks, what is owed, what wants an arbiter. Fed from the journal like an outlet.

This is the arbiter's view. It shows obligations and alerts, and so is no screen for the players.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence

import chess
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.contract import WHITE, AnyEvent, Clock, Completed, Move, Obligation, Result, Side
from controller.outlets.follow import News
from controller.outlets.notices import Notice
from controller.outlets.scoresheet import Entry, Scoresheet
from controller.outlets.topics import ALERTS
from controller.words.context import Context
from controller.words.say import parts

ALERTS_SHOWN = 6
MOVES_SHOWN = 8
LIGHT, DARK, LAST = "on #b58863", "on #8a6142", "on #6f8f3f"


class Teller:
    """Says in words what happens, one event after the other."""

    def __init__(self) -> None:
        self._sheet: Scoresheet | None = None

    def say(self, news: News[Scoresheet]) -> str | None:
        """What happened, without what it rests on; None for what says nothing new to a reader."""
        if self._sheet is not news.sheet:
            self._sheet, self._context = news.sheet, Context(news.sheet.opening.session)
        if news.event is None:
            return None
        said = _said(news.event, self._context)
        self._context.apply(news.event)
        return said


def _said(event: AnyEvent, context: Context) -> str | None:
    return None if isinstance(event, Clock | Completed) else parts(event, "en", context).what


class View:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self._about = about
        self._speed = speed
        self._sheet: Scoresheet | None = None
        self._teller = Teller()
        self._owed = ""
        self._result = ""
        self._alerts: deque[tuple[str, str]] = deque(maxlen=ALERTS_SHOWN)  # when, and what
        self._clock_at = time.monotonic()
        self.notices: Sequence[Notice] = ()

    def take(self, news: News[Scoresheet]) -> None:
        """The next thing that happened."""
        self._sheet = news.sheet
        event, said = news.event, self._teller.say(news) or ""
        if isinstance(event, Clock):
            self._clock_at = time.monotonic()
        elif isinstance(event, Obligation):
            self._owed = said
        elif isinstance(event, Result):
            self._result = said
        elif isinstance(event, ALERTS):
            self._alerts.append((f"{event.ms / 1000:7.1f} s", said))

    def __rich__(self) -> RenderableType:
        sheet = self._sheet
        if sheet is None:
            return Panel("The men are being set up …", title="jadoube")
        side = Group(
            self._clock_line(sheet, "black"),
            Text(),
            *self._moves(sheet.entries),
            Text(),
            self._clock_line(sheet, "white"),
        )
        top = Table.grid(padding=(0, 3))
        top.add_row(_board(sheet), side)
        return Panel(Group(top, Text(), *self._lines(sheet)), title=_title(sheet), width=92)

    def _lines(self, sheet: Scoresheet) -> Iterator[RenderableType]:
        if sheet.result is not None:
            yield Text(self._result, style="bold green")
        elif sheet.owed is not None:
            yield Text(self._owed, style="bold yellow", no_wrap=True, overflow="ellipsis")
        else:
            yield Text("nothing is owed", style="dim")
        yield Text()
        alerts = Table.grid(padding=(0, 2))
        for alert in self._alerts:
            alerts.add_row(*alert, style="bold red")
        yield alerts
        yield from (Text(f"{notice.what}. Next: {notice.next_step}", style="magenta") for notice in self.notices)
        yield from (Text(line, style="dim") for line in self._about)

    def _clock_line(self, sheet: Scoresheet, side: Side) -> Text:
        name = sheet.opening.tags.get(side.capitalize(), side)
        clock = sheet.clock
        if clock is None:
            return Text(name, style="bold")
        left = clock.white_ms if side == WHITE else clock.black_ms
        runs = clock.running == side and sheet.result is None
        if runs:
            left = max(0, left - int((time.monotonic() - self._clock_at) * self._speed * 1000))
        shown = f"{left // 60_000:3}:{left // 1000 % 60:02}"
        return Text(f"{'▶' if runs else ' '} {shown}  {name}", style="bold" if runs else "")

    def _moves(self, entries: Sequence[Entry]) -> Iterator[Text]:
        shown = [_numbered(entry.move) for entry in entries[-MOVES_SHOWN:]]
        for i in range(MOVES_SHOWN):
            yield Text("  " + shown[i] if i < len(shown) else "", style="bold" if i == len(shown) - 1 else "")


def _numbered(move: Move) -> str:
    dots = "." if move.side == WHITE else "…"
    return f"{(move.ply + 1) // 2}{dots} {move.san}" + ("" if move.legal else " (illegal, and stands)")


def _title(sheet: Scoresheet) -> str:
    tags = sheet.opening.tags
    return f"{tags.get('White', 'White')} – {tags.get('Black', 'Black')} · board {sheet.opening.board}"


def _board(sheet: Scoresheet) -> Text:
    """The position after the last move made, that move marked."""
    board = chess.Board(sheet.fen)
    move = chess.Move.from_uci(sheet.entries[-1].move.uci) if sheet.entries else chess.Move.null()
    text = Text()
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ", style="dim")
        for file in range(8):
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            ground = LAST if move and square in (move.from_square, move.to_square) else DARK
            ground = LIGHT if ground == DARK and (file + rank) % 2 else ground
            ink = "bold #ffffff" if piece is not None and piece.color else "bold #101010"
            symbol = chess.UNICODE_PIECE_SYMBOLS[piece.symbol().lower()] if piece else " "
            text.append(f" {symbol} ", style=f"{ink} {ground}")
        text.append("\n")
    return text.append("   a  b  c  d  e  f  g  h", style="dim")
