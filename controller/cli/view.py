"""The live view in a terminal: board, clocks, what is owed, what wants an arbiter. Fed from the journal like an outlet.

This is the arbiter's view. It shows obligations and alerts, and so is no screen for the players.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence

import chess
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from controller.cli.screen import Note, Screen
from controller.contract import WHITE, AnyEvent, Clock, Completed, Obligation, Result, Side, Stalled
from controller.outlets.alerts import wants_arbiter
from controller.outlets.follow import News, S, Sheet
from controller.outlets.notices import TechnicalNotice
from controller.outlets.scoresheet import Entry, Scoresheet, board_of
from controller.words.context import Contexts
from controller.words.say import parts

ALERTS_SHOWN = 6
LEAST = 100  #: the rank of what counts least
MOVES_SHOWN, FEW_MOVES = 8, 5  #: beside the board; the few are no higher than it is
SETTING_UP = "The pieces are being set up …"


class Narrator:
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
    """One board as it is shown: pieces, clocks, what is owed. ``speed`` is that of the demonstration."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._said: dict[type, str] = {}  # of the last event of each kind
        self._clock_at = time.monotonic()

    def take(self, event: AnyEvent | None, said: str) -> None:
        """The next thing that happened on it."""
        if isinstance(event, Clock):
            self._clock_at = time.monotonic()
        self._said[type(event)] = said

    def owes(self, screen: Screen, sheet: Scoresheet) -> Text:
        """What is owed; or that the score stands; or the result."""
        if sheet.result is not None:
            return screen.line(self._said.get(Result, ""), "bold green")
        if sheet.stalled is not None:
            return screen.line(self._said.get(Stalled, ""), "bold red")
        if sheet.owed is not None:
            return screen.line(self._said.get(Obligation, ""), "bold yellow")
        return screen.line("nothing is owed", "dim")

    def clock(self, screen: Screen, sheet: Scoresheet, side: Side) -> Text:
        """A player with his time."""
        name = sheet.tags.get(side.capitalize(), side)
        clock = sheet.clock
        if clock is None:
            return screen.line(name, "bold")
        left = clock.white_ms if side == WHITE else clock.black_ms
        runs = clock.running == side and not sheet.over
        if runs:
            left = max(0, left - int((time.monotonic() - self._clock_at) * self._speed * 1000))
        shown = f"{left // 60_000:3}:{left // 1000 % 60:02}"
        return screen.line(f"{'▶' if runs else ' '} {shown}  {name}", "bold" if runs else "")


class Alerts:
    """What wants an arbiter, what is wrong with the equipment, and the lines ``about`` the demonstration, of which the
    first says where its pages are.
    """

    def __init__(self, about: Sequence[str]) -> None:
        self.notices: Sequence[TechnicalNotice] = ()
        self._about = about
        self._alerts: deque[tuple[str, str]] = deque(maxlen=ALERTS_SHOWN)  # when, and what

    def take(self, event: AnyEvent | None, said: str) -> None:
        """The next thing that happened."""
        if event is not None and wants_arbiter(event):
            self._alerts.append((f"{event.ms / 1000:7.1f} s", f"{event.board}: {said}" if event.board else said))

    def notes(self) -> list[Note]:
        """All of them, in the order in which they are read."""
        count = len(self._alerts)
        told = [
            Note(what, "bold red", rank=1 if number == count - 1 else 2 + count - number, head=f"{when}  ")
            for number, (when, what) in enumerate(self._alerts)
        ]
        told += [Note(f"{notice.what}. Next: {notice.next_step}", "magenta", rank=2) for notice in self.notices]
        return told + [Note(line, "dim", rank=LEAST if number else 0) for number, line in enumerate(self._about)]


class View:
    """What stands on the screen. ``about`` are the lines below it; ``speed`` is that of the demonstration."""

    def __init__(self, about: Sequence[str], speed: float = 1.0) -> None:
        self.alerts = Alerts(about)
        self._sheet: Scoresheet | None = None
        self._teller = Narrator()
        self._half = Half(speed)

    def take(self, news: News[Scoresheet]) -> None:
        """The next thing that happened."""
        self._sheet = news.sheet
        said = self._teller.say(news) or ""
        self._half.take(news.event, said)
        self.alerts.take(news.event, said)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        screen, sheet, half = Screen(console, options), self._sheet, self._half
        if sheet is None:
            yield screen.panel("jadoube", screen.line(SETTING_UP), [])
            return
        moves = (
            screen.line(f"  {move.plain}", str(move.style))
            for move in last_moves(sheet.entries, FEW_MOVES if screen.low else MOVES_SHOWN)
        )
        side = Group(half.clock(screen, sheet, "black"), Text(), *moves, Text(), half.clock(screen, sheet, "white"))
        top = Table.grid(padding=(0, 3))
        top.add_row(board(screen, sheet), side)
        title = f"{sheet.tags.get('White', 'White')} – {sheet.tags.get('Black', 'Black')} · board {sheet.number}"
        yield screen.panel(title, Group(top, half.owes(screen, sheet), Text()), self.alerts.notes())


def last_moves(entries: Sequence[Entry], count: int) -> Iterator[Text]:
    """So many of the last moves, the very last in bold; where there are fewer, empty texts after them."""
    shown = [_numbered(entry) for entry in entries[-count:]]
    for i in range(count):
        yield Text(shown[i] if i < len(shown) else "", style="bold" if i == len(shown) - 1 else "")


def _numbered(entry: Entry) -> str:
    move, number = entry.move, board_of(entry.before).fullmove_number
    dots = "." if move.side == WHITE else "…"
    return f"{number}{dots} {move.san}" + ("" if move.legal else " (illegal, and stands)")


def board(screen: Screen, sheet: Scoresheet) -> Text:
    """The position after the last move made, that move marked."""
    shown = sheet.board
    move = chess.Move.from_uci(sheet.last) if sheet.last else chess.Move.null()
    text = Text()
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ", style="dim")
        for file in range(8):
            square = chess.square(file, rank)
            last = bool(move) and square in (move.from_square, move.to_square)
            text.append_text(screen.square(shown.piece_at(square), dark=not (file + rank) % 2, last=last))
        text.append("\n")
    return text.append("   a  b  c  d  e  f  g  h", style="dim")
