"""A screen of the live view: what has to be on it fits, be it small, without colours or without UTF-8.

A panel as wide as the terminal, up to what reads well. Below the board stands what happened and where the pages are, as
much of it as there is room for, the most important first: addresses and code, the last alert, what is wrong with the
equipment, older alerts, the rest.
"""

from collections.abc import Sequence

import chess
from msgspec import Struct
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from controller.cli.terminal import plain

WIDTH = 92
BORDER = 2  #: lines above and below
HIGH = 30  #: so many lines are enough
MARGIN = 4  #: columns beside what is in the panel
LIGHT, DARK, LAST = "on #b58863", "on #8a6142", "on #6f8f3f"
FIGURINES = ("truecolor", "256")  #: the colours with which White's pieces can be told from Black's


class Note(Struct, frozen=True):
    """Something said below the board, a ``head`` before its first line. The smaller ``rank``, the more it counts."""

    text: str
    style: str
    rank: int
    head: str = ""


class Screen:
    """What can be shown on this terminal."""

    def __init__(self, console: Console, options: ConsoleOptions) -> None:
        self._console = console
        self._options = options
        self._ascii = options.ascii_only
        self._letters = self._ascii or console.no_color or console.color_system not in FIGURINES
        self.width = min(WIDTH, options.max_width) - MARGIN  #: columns in the panel
        self._height = options.size.height - BORDER
        self.low = options.size.height < HIGH  #: whether lines are to be saved

    def line(self, text: str, style: str = "") -> Text:
        """One line, cut where it does not fit."""
        overflow = "crop" if self._ascii else "ellipsis"
        return Text(self.printable(text), style, no_wrap=True, overflow=overflow)  # type: ignore[arg-type]

    def printable(self, text: str) -> str:
        """What the terminal has letters for."""
        return plain(text) if self._ascii else text

    def piece(self, piece: chess.Piece | None) -> str:
        """A piece in one character: a figurine, or a letter, capital for White."""
        if piece is None:
            return " "
        return piece.symbol() if self._letters else chess.UNICODE_PIECE_SYMBOLS[piece.symbol().lower()]

    def square(self, piece: chess.Piece | None, *, dark: bool, last: bool) -> Text:
        """A square, three columns wide. Without colours one just left or reached stands in brackets."""
        drawn = self.piece(piece)
        if self._letters:
            drawn = "." if dark and piece is None else drawn
            return Text(f"[{drawn}]" if last else f" {drawn} ", "bold" if last else "")
        ground = LAST if last else DARK if dark else LIGHT
        ink = "#ffffff" if piece is not None and piece.color else "#101010"
        return Text(f" {drawn} ", f"bold {ink} {ground}")

    def panel(self, title: str, body: RenderableType, notes: Sequence[Note]) -> Panel:
        """All of it, no higher than the terminal as long as the body is not."""
        inner = self._options.update(width=self.width, height=None)
        room = self._height - len(self._console.render_lines(body, inner))
        shown = [*self._that_fit(notes, room)]
        return Panel(Group(body, *shown), title=self.printable(title), width=self.width + MARGIN)

    def _that_fit(self, notes: Sequence[Note], room: int) -> list[Text]:
        lines = [self._wrapped(note) for note in notes]
        fitting: set[int] = set()
        for number in sorted(range(len(notes)), key=lambda number: notes[number].rank):
            if len(lines[number]) <= room:
                room -= len(lines[number])
                fitting.add(number)
        return [line for number in sorted(fitting) for line in lines[number]]

    def _wrapped(self, note: Note) -> list[Text]:
        """A note in lines, the later ones below its first word."""
        head = self.printable(note.head)
        wrapped = Text(self.printable(note.text), note.style).wrap(self._console, self.width - len(head))
        return [
            Text.assemble((" " * len(head) if number else head, note.style), line)
            for number, line in enumerate(wrapped)
        ]
