"""What has been made of the game so far."""

from msgspec import Struct

from chess import BB_SQUARES, Move

from controller.contract import Ms, Side
from controller.laws.touch import Half, Touch
from controller.position import Position


class Made(Struct, eq=False):
    """One move made (4.7), or an illegal one that stands on the board until somebody acts."""

    side: Side
    before: Position
    move: Move
    after: Position
    ms: Ms
    touches: tuple[Touch, ...]
    half: Half | None
    breach: bool  #: it breaks Article 4
    completed: bool = False

    @property
    def changed(self) -> int:
        """The squares it changed, as a bitboard."""
        mask = 0
        for square, _ in self.before.changes(self.move):
            mask |= BB_SQUARES[square]
        return mask
