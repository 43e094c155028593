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
from controller.outlets.follow import News, S, Sheet
from controller.outlets.notices import Notice
from controller.outlets.scoresheet import Entry, Scoresheet, board_of
from controller.outlets.topics import ALERTS
from controller.words.context import Contexts
from controller.words.say import parts

ALERTS_SHOWN = 6
MOVES_SHOWN = 8
WIDTH = 92
LIGHT, DARK, LAST = "on #b58863", "on #8a6142", "on #6f8f3f"


class Teller:
    """Says in words what happens, one event after the other."""

    def __init__(self) -> None:
        self._sheet: Sheet | None = None

    def say(self, news: News[S]) -> str | None:
        """What happened, without what it rests on; None for what says nothing new to a reader."""
        event = news.event
        if self._sheet is not news.sheet:
            self._sheet, self._contexts = news.sheet, Contexts(news.sheet.opening.session)
        if event is None:
            return None
        context = self._contexts.of(event)
        said = None if isinstance(event, Clock | Completed) else parts(event, "en", context).what
        context.apply(event)
        return said


class Half:
    """One board as it is shown: men, clocks, what is owed. ``speed`` is that of the demonstration."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._owed = ""
        self._result = ""
        self._clock_at = time.monotonic()

    def take(self, event: AnyEvent | None, said: str) -> None:
        """The next thing that happened on it."""
        if isinstance(event, Clock):
            self._clock_at = time.monotonic()
        elif isinstance(event, Obligation):
            self._owed = said
        elif isinstance(event, Result):
            self._result = said

    def owes(self, sheet: Scoresheet) -> Text:
        """What is owed; or the result."""
        if sheet.result is not None:
            return Text(self._result, style="bold green")
        if sheet.owed is not None:
            return Text(self._owed, style="bold yellow", no_wrap=True, overflow="ellipsis")
        return Text("nothing is owed", style="dim")

    def clock(self, sheet: Scoresheet, side: Side) -> Text:
        """A player with his time."""
        name = sheet.tags.get(side.capitalize(), side)
        clock = sheet.clock
        if clock is None:
            return Text(name, style="bold")
        left = clock.white_ms if side == WHITE else clock.black_ms
        runs = clock.running == side and not sheet.over
        if runs:
            left = max(0, left - int((time.monotonic() - self._clock_at) * self._speed * 1000))
        shown = f"{left // 60_000:3}:{left // 1000 % 60:02}"
        return Text(f"{'▶' if runs else ' '} {shown}  {name}", style="bold" if runs else "")


class Alerts:
    """What wants an arbiter, what is wrong with the equipment, and the lines ``about`` the demonstration."""

    def __init__(self, about: Sequence[str]) -> None:
        self.notices: Sequence[Notice] = ()
        self._about = about
        self._alerts: deque[tuple[str, str]] = deque(maxlen=ALERTS_SHOWN)  # when, and what

    def take(self, event: AnyEvent | None, said: str) -> None:
        """The next thing that happened."""
        if isinstance(event, ALERTS):
            self._alerts.append((f"{event.ms / 1000:7.1f} s", f"{event.board}: {said}" if event.board else said))

    def lines(self) -> Iterator[RenderableType]:
        alerts = Table.grid(padding=(0, 2))
        for alert in self._alerts:
            alerts.add_row(*alert, style="bold red")
        yield alerts
        yield from (Text(f"{notice.what}. Next: {notice.next_step}", style="magenta") for notice in self.notices)
        yield from (Text(line, style="dim") for line in self._about)


class View:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self.alerts = Alerts(about)
        self._sheet: Scoresheet | None = None
        self._teller = Teller()
        self._half = Half(speed)

    def take(self, news: News[Scoresheet]) -> None:
        """The next thing that happened."""
        self._sheet = news.sheet
        said = self._teller.say(news) or ""
        self._half.take(news.event, said)
        self.alerts.take(news.event, said)

    def __rich__(self) -> RenderableType:
        sheet, half = self._sheet, self._half
        if sheet is None:
            return Panel("The men are being set up …", title="jadoube")
        moves = (Text("  " + move.plain, move.style) for move in last_moves(sheet.entries, MOVES_SHOWN))
        side = Group(half.clock(sheet, "black"), Text(), *moves, Text(), half.clock(sheet, "white"))
        top = Table.grid(padding=(0, 3))
        top.add_row(board(sheet), side)
        title = f"{sheet.tags.get('White', 'White')} – {sheet.tags.get('Black', 'Black')} · board {sheet.number}"
        return Panel(Group(top, Text(), half.owes(sheet), Text(), *self.alerts.lines()), title=title, width=WIDTH)


def last_moves(entries: Sequence[Entry], count: int) -> Iterator[Text]:
    """So many of the last moves, the very last in bold; where there are fewer, empty texts after them."""
    shown = [_numbered(entry.move) for entry in entries[-count:]]
    for i in range(count):
        yield Text(shown[i] if i < len(shown) else "", style="bold" if i == len(shown) - 1 else "")


def _numbered(move: Move) -> str:
    dots = "." if move.side == WHITE else "…"
    return f"{(move.ply + 1) // 2}{dots} {move.san}" + ("" if move.legal else " (illegal, and stands)")


def board(sheet: Scoresheet) -> Text:
    """The position after the last move made, that move marked."""
    shown = board_of(sheet.fen)
    move = chess.Move.from_uci(sheet.entries[-1].move.uci) if sheet.entries else chess.Move.null()
    text = Text()
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ", style="dim")
        for file in range(8):
            square = chess.square(file, rank)
            piece = shown.piece_at(square)
            ground = LAST if move and square in (move.from_square, move.to_square) else DARK
            ground = LIGHT if ground == DARK and (file + rank) % 2 else ground
            ink = "bold #ffffff" if piece is not None and piece.color else "bold #101010"
            symbol = chess.UNICODE_PIECE_SYMBOLS[piece.symbol().lower()] if piece else " "
            text.append(f" {symbol} ", style=f"{ink} {ground}")
        text.append("\n")
    return text.append("   a  b  c  d  e  f  g  h", style="dim")
