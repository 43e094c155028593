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

from controller.contract import (
    WHITE,
    Adjusted,
    Ambiguous,
    AnyEvent,
    Brush,
    Claimed,
    Clock,
    Displaced,
    Flag,
    Illegal,
    Move,
    Obligation,
    Penalty,
    Restored,
    Result,
    Retract,
    Side,
    Touch,
    Violation,
)
from controller.outlets.follow import News
from controller.outlets.notices import Notice
from controller.outlets.scoresheet import Entry, Scoresheet

ALERTS_SHOWN = 6
MOVES_SHOWN = 8
LIGHT, DARK, LAST = "on #b58863", "on #8a6142", "on #6f8f3f"
NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}


def describe(event: AnyEvent) -> str | None:
    """An event in a line of plain words; None for those that say nothing new to a reader."""
    match event:
        case Move():
            turn = (event.ply + 1) // 2
            dots = "." if event.side == WHITE else "…"
            return f"{turn}{dots} {event.san}" + ("" if event.legal else " (illegal, and stands)")
        case Retract():
            return f"taken back: {event.uci}"
        case Touch():
            return f"{event.side} touches the {NAMES.get(event.piece.upper(), 'man')} on {event.square}"
        case Obligation():
            return f"{event.side} {owed(event)}"
        case Brush():
            return f"{event.square} was brushed, which is no touch"
        case Adjusted():
            return f"{event.side} put straight: {' '.join(event.squares)}"
        case Violation():
            whose = "to the arbiter" if event.report == "arbiter" else "if the opponent claims"
            return f"! {event.side}: {event.kind} ({event.article}), {whose}"
        case Illegal():
            return f"! {event.side}: {event.kind} ({event.article})"
        case Penalty():
            minutes = f" {event.time_ms // 60_000} min" if event.time_ms else ""
            return f"! penalty against {event.side}: {event.kind}{minutes}, {event.status} ({event.article})"
        case Claimed():
            return f"! {event.side} claims {event.of}: {event.verdict} ({event.article})"
        case Displaced():
            return f"! displaced: {' '.join(event.squares)}"
        case Restored():
            return "the board is as it should be again"
        case Ambiguous():
            return f"! which move? {' or '.join(event.moves)}"
        case Flag():
            return f"! the flag of {event.side} has fallen"
        case Result():
            return f"{event.result}, {event.reason} ({event.article})" + (
                " proposed" if event.status != "final" else ""
            )
        case _:
            return None


def owed(event: Obligation) -> str:
    """What an obligation asks for."""
    if event.must == "none":
        return "owes nothing any more"
    if event.must == "free":
        return f"may move anything ({event.article})"
    what = {"move": "must move", "capture": "must capture", "castle": "must castle", "king": "must move the king"}
    return f"{what.get(event.must, 'must promote')} ({event.article}): {' '.join(event.moves)}"


class View:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self._about = about
        self._speed = speed
        self._sheet: Scoresheet | None = None
        self._alerts: deque[str] = deque(maxlen=ALERTS_SHOWN)
        self._clock_at = time.monotonic()
        self.notices: Sequence[Notice] = ()

    def take(self, news: News[Scoresheet]) -> None:
        """The next thing that happened."""
        self._sheet = news.sheet
        if isinstance(news.event, Clock):
            self._clock_at = time.monotonic()
        said = describe(news.event) if news.event is not None else None
        if said is not None and said.startswith("!"):
            self._alerts.append(f"{news.event.ms / 1000:7.1f} s  {said[2:]}" if news.event else said)

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

    def _lines(self, sheet: Scoresheet) -> Iterator[Text]:
        if sheet.result is not None:
            yield Text(describe(sheet.result) or "", style="bold green")
        elif sheet.owed is not None:
            yield Text(f"{sheet.owed.side} {owed(sheet.owed)}", style="bold yellow", no_wrap=True, overflow="ellipsis")
        else:
            yield Text("nothing is owed", style="dim")
        yield Text()
        yield from (Text(alert, style="bold red") for alert in self._alerts)
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
        shown = [describe(entry.move) or "" for entry in entries[-MOVES_SHOWN:]]
        for i in range(MOVES_SHOWN):
            yield Text("  " + shown[i] if i < len(shown) else "", style="bold" if i == len(shown) - 1 else "")


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
