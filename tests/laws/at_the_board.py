"""A table to try rules on: moves played by hand on an occupancy board, and what is said, one thing every second."""

from typing import Any, Self, TypeVar, get_args

import chess

from controller import contract as c
from controller.game import Game

ALL: tuple[c.Edition, ...] = get_args(c.Edition)
OLD, NEW = ALL[:3], ALL[3:]
BEFORE_2014, FROM_2014 = ALL[:2], ALL[2:]

E = TypeVar("E", bound=c.Event)
T = TypeVar("T")


def by_edition(*column: T, of: tuple[c.Edition, ...] = ALL) -> dict[c.Edition, T]:
    """What is so in each of these editions, in their order."""
    assert len(column) == len(of), f"a value for each of {', '.join(of)} is wanted; there are {len(column)}: {column}"
    return dict(zip(of, column, strict=True))


class Table:
    """A game and every event of it. Each method waits a second before each thing it does."""

    def __init__(self, laws: c.Edition, fen: str = "startpos", clock: str | None = "5400", **session: Any) -> None:
        self.game = Game(c.Session(version=1, laws=laws, fen=fen, clock=clock, **session))
        self.ms = 0
        self.events: list[c.AnyEvent] = []

    # -- doing -----------------------------------------------------------------------------------------------

    def give(self, kind: type[c.Input], /, **fields: Any) -> Self:
        self.ms += 1000
        self.events += self.game.handle(kind(ms=self.ms, **fields))  # type: ignore[arg-type]
        return self

    def wait(self, ms: int) -> Self:
        self.ms += ms
        return self.give(c.Time)

    def make(self, *moves: str) -> Self:
        """Make moves, given as UCI, legal or not, without pressing. They are released."""
        for move in moves:
            self.give(c.Lift, square=move[:2])
            if self.game.state.readings[chess.parse_square(move[2:4])]:
                self.give(c.Lift, square=move[2:4])
            self.give(c.Place, square=move[2:4])
        return self.give(c.Time)

    def play(self, *moves: str) -> Self:
        """Make moves, each pressed by the player whose clock runs; by White, where none does."""
        for move in moves:
            self.make(move)
            clock = self.game.state.clock
            self.give(c.Press, side=(clock and clock.running) or c.WHITE)
        return self

    def touch(self, square: str) -> Self:
        return self.give(c.Lift, square=square).give(c.Place, square=square)

    def claim(self, side: c.Side, of: str, move: str | None = None) -> str:
        """The verdict."""
        self.give(c.Claim, side=side, of=of, move=move)
        return self.all(c.Claimed)[-1].verdict

    def rule(self, *rulings: str, **fields: Any) -> Self:
        for do in rulings:
            self.give(c.Arbiter, do=do, **fields)
        return self

    # -- reading ---------------------------------------------------------------------------------------------

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def penalties(self, status: str = "proposed") -> list[tuple[str, str, int | None]]:
        return [(p.side, p.kind, p.time_ms) for p in self.all(c.Penalty) if p.status == status]

    @property
    def result(self) -> tuple[str, str] | None:
        """The final result and its reason."""
        final = [(r.result, r.reason) for r in self.all(c.Result) if r.status == "final"]
        return final[0] if final else None

    @property
    def proposed(self) -> list[tuple[str, str]]:
        return [(r.result, r.reason) for r in self.all(c.Result) if r.status == "proposed"]

    @property
    def fen(self) -> str:
        return self.game.state.position.fen()

    def left(self, side: c.Side) -> int:
        """What the clock of a player shows, in ms."""
        left = self.game.state.left(side)
        assert left is not None
        return left


def record(table: Table) -> list[str]:
    """The moves that a reader of the events believes were made."""
    moves: list[str] = []
    for event in table.events:
        if isinstance(event, c.Move):
            moves.append(event.uci)
        elif isinstance(event, c.Retract):
            assert moves.pop() == event.uci
    return moves
