"""The scoresheet: what a spectator knows of a game, folded from its events. Every outlet begins here."""

import chess
from msgspec import Struct

from controller.contract import (
    WHITE,
    AnyEvent,
    Clock,
    Completed,
    Displaced,
    Move,
    Obligation,
    Restored,
    Result,
    Retract,
    Side,
)
from controller.journal import Opening


class Entry(Struct):
    """A move made. The times are known once it is completed, in a game with a clock."""

    move: Move
    before: str  #: the position that it was played in
    left_ms: int | None = None  #: on the mover's clock
    spent_ms: int | None = None  #: of the mover's time
    lawful: bool | None = None  #: whether it leads from there to the position after it; None: not yet looked at


class Scoresheet:
    """One game so far."""

    def __init__(self, opening: Opening) -> None:
        fen = opening.session.fen
        self.opening = opening
        self.entries: list[Entry] = []
        #: where the moves begin: of the session, or as the men stood if they were exchanged
        self.start = chess.STARTING_FEN if fen == "startpos" else fen if isinstance(fen, str) else fen.A
        self.fen = self.start  #: the position that counts now
        self.clock: Clock | None = None
        self.owed: Obligation | None = None
        self.displaced: list[str] = []
        self.result: Result | None = None  #: a proposed one until it is final
        self._spent: dict[Side, int] = {}  # ms since that side's last completed move
        self._charged_ms = 0  # up to where the running clock has been counted

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.entries)

    def apply(self, event: AnyEvent) -> None:
        """Takes the next event of the game."""
        match event:
            case Move():
                self.entries.append(Entry(event, self.fen))
                self.fen, self.owed = event.fen, None
            case Retract():
                self._retract(event)
            case Completed():
                self._complete(event)
            case Clock():
                self._count(event)
            case Obligation():
                self.owed = event if event.must != "none" else None
            case Displaced():
                self.displaced = event.squares
                self._stand(event.fen)
            case Restored():
                self.displaced = []
                self._stand(event.fen)
            case Result():
                self.result = event
            case _:
                pass

    def _stand(self, fen: str | None) -> None:
        """The game goes on from a position that no move led to: its beginning, if there was no move yet."""
        if fen is not None:
            self.fen = fen
            self.start = self.start if self.entries else fen

    def _retract(self, event: Retract) -> None:
        """Back to the position named: the last move, or more where the game returns further."""
        self.owed = None
        while self.entries:
            self.entries.pop()
            if self.entries and self.entries[-1].move.fen == event.fen:
                break
        self._stand(event.fen)
        if self.result is not None and self.result.status == "proposed":
            self.result = None

    def _complete(self, event: Completed) -> None:
        for entry in reversed(self.entries):
            if entry.move.uci == event.uci and entry.move.side == event.side:
                self._spend(event.ms)
                if event.white_ms is not None and event.black_ms is not None:
                    entry.left_ms = event.white_ms if event.side == WHITE else event.black_ms
                    entry.spent_ms = self._spent.pop(event.side, 0)
                return

    def _count(self, event: Clock) -> None:
        self._spend(event.ms)
        self.clock = event

    def _spend(self, ms: int) -> None:
        """Charges the running clock's player with the time since the last change."""
        if self.clock is not None and self.clock.running is not None:
            side = self.clock.running
            since = max(self.clock.ms, self._charged_ms)
            self._spent[side] = self._spent.get(side, 0) + max(0, ms - since)
        self._charged_ms = ms
