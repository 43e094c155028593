"""Lamps on the squares, after what the journal says: dark in tournament mode, a teacher in training mode.

In training they show what is owed, the squares that the moves come from and go to, and where the board does not match
the game: there a piece stands that must go back, or one is missing. In tournament use nothing the players can see may
show any of that. The lamps themselves are whatever takes a mask, a1 = bit 0.
"""

from collections.abc import Callable, Iterable
from typing import Literal

import chess

from controller.contract import BoardId, Displaced, Move, Obligation, Restored, Result, Retract
from controller.journal import Journal, Record
from controller.wire import decode_event

Mode = Literal["tournament", "training"]


class LampsOutlet:
    """Lights the squares of the board ``board_id`` (in a match; else None), which is among those of ``numbers``.

    It has no cursor in the journal: lamps show what is so now, and after a restart that is worked out anew.
    """

    def __init__(
        self,
        mode: Mode,
        journal: Journal,
        numbers: str,
        board_id: BoardId | None,
        lights: Iterable[Callable[[int], None]],
    ) -> None:
        self._mode = mode
        self._journal = journal
        self._board_id = board_id
        self._lights = tuple(lights)
        self._owed: Obligation | None = None
        self._displaced: list[str] = []
        self._over = False
        self._shown: int | None = None  # nothing so far
        self._numbers = numbers
        self._seq = journal.before_last_game(numbers)

    async def run(self) -> None:
        """Follows the journal for good."""
        if self._mode == "tournament":
            self._light(0)
            return
        while True:
            self.catch_up()
            await self._journal.wait(self._seq, self._numbers)

    def catch_up(self) -> None:
        """Reads all that is new, and lights what comes of it."""
        while records := self._journal.after(self._seq, board=self._numbers):
            self._seq = records[-1].seq
            for record in records:
                self._read(record)
        self._light(0 if self._over else lit(self._owed, self._displaced))

    def _light(self, mask: int) -> None:
        if mask != self._shown:
            self._shown = mask
            for light in self._lights:
                light(mask)

    def _read(self, record: Record) -> None:
        if record.kind == "game":
            self._owed, self._displaced, self._over = None, [], False
        if record.kind != "event":
            return
        event = decode_event(record.body)
        if event.board != self._board_id:
            return
        match event:
            case Obligation():
                self._owed = event
            case Move() | Retract():
                self._owed = None
            case Displaced():
                self._displaced = event.squares
            case Restored():
                self._displaced = []
            case Result(status="final"):
                self._over = True
            case _:
                pass


def lit(owed: Obligation | None, displaced: list[str]) -> int:
    """The squares to light. Where the board does not match the game, that is put right first."""
    if displaced:
        return sum(chess.BB_SQUARES[chess.parse_square(square)] for square in displaced)
    if owed is None or owed.must in ("free", "none"):
        return 0
    mask = 0
    for uci in owed.moves:
        move = chess.Move.from_uci(uci)
        mask |= chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]  # of a drop, both are the target
    return mask
