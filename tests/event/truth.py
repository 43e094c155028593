"""What really happened: kept by those who made it happen, and held against all that the hall says of it."""

from dataclasses import dataclass, field

import chess
from entrants import Person


@dataclass
class Game:
    """One game of a round. Who sits there may change until it begins."""

    round: int
    table: int
    white: Person
    black: Person
    absent: list[int] = field(default_factory=list)  #: start numbers of those whom somebody replaced
    result: str | None = None  #: as the scoresheet has it; ``+-``: Black never came
    moves: list[str] = field(default_factory=list)  #: UCI, those that count
    shown_s: list[int] = field(default_factory=list)  #: after each, what the clock of its player showed
    told: list[str] = field(default_factory=list)  #: what is told of them one after the other: UCI, or ``-`` and UCI

    @property
    def played(self) -> bool:
        return bool(self.moves)

    @property
    def score(self) -> list[str]:
        """The moves as people write them."""
        board, found = chess.Board(), []
        for uci in self.moves:
            found.append(board.san(move := chess.Move.from_uci(uci)))
            board.push(move)
        return found

    def make(self, uci: str) -> None:
        """A move is made on the board."""
        self.moves.append(uci)
        self.told.append(uci)

    def take_back(self) -> None:
        """The last one, by a ruling."""
        self.told.append(f"-{self.moves.pop()}")
