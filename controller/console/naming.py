"""Which piece was set down, where the board sees no kinds: what it may be, and what it is taken for.

A drop, or a promotion, that may be several pieces is ``ambiguous``. Its player may name it, and so may the arbiter for
him, until the opponent's move stands. In a match it is taken meanwhile for what the stock makes likeliest; later play
that is legal either way settles nothing, and what is not may yet show that it was another.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from controller.contract import BLACK, WHITE, Ambiguous, AnyEvent, Choose, Side, other
from controller.outlets.scoresheet import Entry, Scoresheet
from controller.words.language import Language


class Naming(Struct):
    """What is known of such a piece."""

    moves: Sequence[str]  #: what it may be, as UCI
    side: Side  #: who set it down
    at: int  #: the index of that move in the record
    later: bool  #: later play may still show which it is
    taken: str = ""  #: the move for which it is taken, as UCI

    @property
    def square(self) -> str:
        """Where it stands."""
        return self.moves[0][2:4]

    def means(self, said: Choose) -> str | None:
        """Which of these moves that names; None where it names none of them."""
        return next((uci for uci in self.moves if said.side == self.side and _kind(uci) == said.piece), None)

    def look(self, record: Sequence[Entry], *, over: bool) -> Literal["supposed", "shown", "settled"] | None:
        """What has become of it, as the record stands; None while its player may still name it."""
        made = record[self.at].move if self.at < len(record) else None
        if made is None or made.uci not in self.moves:
            return "settled" if made or self.taken or len(record) < self.at or over else None
        before, self.taken = self.taken, made.uci
        if before not in ("", made.uci):
            return "shown"
        return "supposed" if over or len(record) > self.at + 1 else None

    def buttons(self, to: Language) -> list[dict[str, Any]]:
        """As JSON: what each button says, and the fields of the command that it gives."""
        said = {"side": self.side, "square": self.square}
        return [said | {"piece": _kind(uci), "text": to.move(uci, None)} for uci in self.moves]


def naming(event: AnyEvent, sheet: Scoresheet) -> Naming | None:
    """What an event asks, where it asks only which piece was set down; ``sheet`` has taken it."""
    if not isinstance(event, Ambiguous) or len(event.moves) < 2 or not all(_kind(uci) for uci in event.moves):
        return None
    if len({uci[1:4] if "@" in uci else uci[:4] for uci in event.moves}) > 1:
        return None
    side, at = WHITE if sheet.board.turn else BLACK, len(sheet.entries)
    if sheet.entries and sheet.entries[-1].move.uci in event.moves:
        side, at = other(side), at - 1
    return Naming(event.moves, side, at, later=event.board is not None)


def _kind(uci: str) -> str:
    """The piece that is dropped or promoted to, as a FEN letter; nothing of another move."""
    return uci[0].lower() if "@" in uci else uci[4:]
