"""The table of the Laws' tests, seen from the arbiter's seat: what is done there goes into the records of the game."""

from typing import Any, Self

import chess
from at_the_board import Table

from controller import contract as c
from controller.console.arbiter_board import ArbiterBoard
from controller.console.cases import Case
from controller.daemon.awaiting import Awaiting, Open
from controller.journal import Opening


class Bench(Table):
    """The first thing on it is a scan of all pieces, or, where it is not ``scanned``, the time: it tells what changes.
    ``turned``: the board stands the other way round.
    """

    def __init__(
        self, laws: c.Edition = "fide-2023", turned: bool = False, scanned: bool = True, **session: Any
    ) -> None:
        super().__init__(laws, **session)
        said = self.game.session
        opening = Opening(game="g", venue="hall", board="7", started="2026-01-01T00:00:00+00:00", session=said)
        self._awaiting = Awaiting({None: self.game})
        self.shown = ArbiterBoard(opening, None, lambda: self._awaiting.log[None])
        self._flip = 63 if turned else 0
        self._seq = 0
        if scanned:
            self.give(c.Frame, occupied="ffff00000000ffff")
        else:
            self.give(c.Time)

    def give(self, kind: type[c.Input], /, **fields: Any) -> Self:
        if "square" in fields:
            fields["square"] = chess.square_name(chess.parse_square(fields["square"]) ^ self._flip)
        before = len(self.events)
        super().give(kind, **fields)
        self._awaiting.look()
        self._seq += 1
        self.shown.hear(kind(ms=self.ms, **fields))  # type: ignore[arg-type]
        for event in self.events[before:]:
            self._seq += 1
            self.shown.apply(self._seq, event)
        self.shown.settle()
        return self

    def rule(self, *rulings: str, **fields: Any) -> Self:
        return super().rule(*rulings, by="Ana", **fields)

    @property
    def cases(self) -> list[Case]:
        """Without what the arbiter has done of himself."""
        return [case for case in self.shown.cases.all if case.outcome != "done"]

    @property
    def done(self) -> list[str]:
        """What the arbiter has done of himself, in words."""
        return [case.said[0]["en"].what for case in self.shown.cases.all if case.outcome == "done"]

    @property
    def awaiting(self) -> Open:
        """Of each notice that is open the input of which it came, and its ids."""
        return self._awaiting.log[None][-1][1]


def put_back(bench: Bench) -> Bench:
    """After 1. e4, ruled a breach."""
    return bench.give(c.Lift, square="e4").give(c.Place, square="e2").give(c.Time)


def times(bench: Bench) -> Any:
    """What the clocks of the last case are proposed to show."""
    restore = bench.shown.docket("en")[f"case {bench.cases[-1].seq}"]["restore"]
    return restore and restore["white"]
