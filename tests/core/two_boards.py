"""A match à quatre in short: ``1000 A lift e2; 2500 A place e4; 4000 A press white``, and what came of it."""

from typing import Any, TypeVar

from shorthand import inputs

from controller import contract as c
from controller.match import MatchAQuatre

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
#: White has a knight and a pawn in stock, Black a pawn.
STOCKED = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R[NPp] w KQkq - 4 4"
#: White takes the pawn on d5.
EXCHANGE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2"
#: White mates by h6f7.
SMOTHERED = "6rk/6pp/7N/8/8/8/8/K7[] w - - 0 1"
#: Black mates by h3f2, once White has made a move.
SMOTHERED_BLACK = "k7/8/8/8/8/7n/P5PP/6RK[] w - - 0 1"

T = TypeVar("T", bound=c.Event)


class Played:
    """A match played through, and its events."""

    def __init__(self, log: str, a: str = START, b: str = START, clock: str | None = "180", **session: Any) -> None:
        fields = {"play": "blitz", "supervised": False, **session}
        self.match = MatchAQuatre(
            c.Session(version=1, match="bughouse", fen=c.BoardFens(A=a, B=b), clock=clock, **fields)
        )
        self.events: list[c.AnyEvent] = []
        for item in _inputs(log):
            self.events += self.match.handle(item)
        self.events += self.match.finish()

    def all(self, kind: type[T], board: str | None = None) -> list[T]:
        return [e for e in self.events if isinstance(e, kind) and board in (None, e.board)]

    def moves(self, board: str) -> list[str]:
        """The moves that stand in the end."""
        moves: list[str] = []
        for event in self.events:
            if event.board == board and isinstance(event, c.Move):
                moves.append(event.uci)
            elif event.board == board and isinstance(event, c.Retract):
                assert moves.pop() == event.uci
        return moves

    def completed(self, board: str) -> list[str]:
        return [event.uci for event in self.all(c.Completed, board)]

    def stock(self, board: str) -> tuple[str, str]:
        """White's and Black's stock, as last said."""
        said = self.all(c.Stock, board)
        return (said[-1].white, said[-1].black) if said else ("", "")

    def owed(self, board: str) -> list[str]:
        """The moves last said to be owed."""
        said = self.all(c.Obligation, board)
        return said[-1].moves if said else []

    def result(self, board: str) -> tuple[str, str] | None:
        final = [r for r in self.all(c.Result, board) if r.status == "final"]
        return (final[0].result, final[0].reason) if final else None

    @property
    def accusations(self) -> list[c.AnyEvent]:
        return [e for e in self.events if isinstance(e, c.Violation | c.Illegal | c.Penalty)]

    @property
    def outcome(self) -> tuple[str, str] | None:
        """The result of the match and its reason."""
        said = self.all(c.Match)
        assert len(said) <= 1, "a match ends once"
        return (said[0].result, said[0].reason) if said else None


def _inputs(log: str) -> list[c.AnyInput]:
    """``MS BOARD TYPE ARGUMENTS`` between semicolons."""
    items = []
    for part in log.split(";"):
        ms, board, *words = part.split()
        items += inputs(f"{ms} {' '.join(words)} board={board}")
    return items
