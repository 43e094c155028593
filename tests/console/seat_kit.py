"""A board with a game on it, seen from the arbiter's seat: what is done goes through the game and the records of it."""

from typing import Any

import chess

from controller import contract as c
from controller.console.cases import Case
from controller.console.seat import Seat
from controller.daemon.awaiting import Awaiting
from controller.game import Game
from controller.journal import Opening


class Bench:
    """One second passes before each thing that is done. ``turned``: the board stands the other way round."""

    def __init__(self, laws: c.Edition = "fide-2023", turned: bool = False, **session: Any) -> None:
        said = c.Session(version=1, laws=laws, clock="5400", **session)
        opening = Opening(game="g", venue="hall", board="7", started="2026-01-01T00:00:00+00:00", session=said)
        self.game = Game(said)
        self.events: list[c.AnyEvent] = []
        self._awaiting = Awaiting(self.game)
        self.seat = Seat(opening, None, lambda: self._awaiting.log[None])
        self._flip = 63 if turned else 0
        self._seq = self._ms = 0
        self.give(c.Frame, occupied="ffff00000000ffff")

    def give(self, kind: type[c.Input], /, **fields: Any) -> "Bench":
        self._ms += 1000
        if "square" in fields:
            fields["square"] = chess.square_name(chess.parse_square(fields["square"]) ^ self._flip)
        item: Any = kind(ms=self._ms, **fields)
        came = self.game.handle(item)
        self._awaiting.look()
        self._seq += 1
        self.seat.hear(item)
        for event in came:
            self._seq += 1
            self.seat.apply(self._seq, event)
        self.seat.settle()
        self.events += came
        return self

    def touch(self, square: str) -> "Bench":
        return self.give(c.Lift, square=square).give(c.Place, square=square)

    def make(self, *moves: str) -> "Bench":
        for move in moves:
            self.give(c.Lift, square=move[:2])
            if self.game.state.looks[chess.parse_square(move[2:4])]:
                self.give(c.Lift, square=move[2:4])
            self.give(c.Place, square=move[2:4])
        return self.give(c.Time)

    def play(self, *moves: str) -> "Bench":
        for move in moves:
            self.make(move)
            side = self.game.state.clock.running if self.game.state.clock else None
            self.give(c.Press, side=side or "white")
        return self

    def rule(self, do: str) -> "Bench":
        return self.give(c.Arbiter, do=do, by="Ana")

    @property
    def cases(self) -> list[Case]:
        return self.seat.cases.all

    @property
    def awaiting(self) -> tuple[int, ...]:
        return self._awaiting.log[None][-1][1]
