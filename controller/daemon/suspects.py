"""Sensors that fail, known by what they do: restless ones, ones that deny the game for too long, ghosts.

The pieces of the player to move may be missing for as long as he thinks, and no rule takes offence; so a contact that
sticks would pass for a piece in the hand, and a later move for one that breaks Article 4. Here it is named in time.
Whoever has held a piece in plain sight for so long tells nobody anything new by it. On a board that sees kinds a piece
that was lifted is in hand until the next move is made: such boards have no contacts that stick.
"""

from collections import deque
from collections.abc import Iterable, Iterator

import chess

STUCK_MS = 8_000  #: longer than a piece is held in the hand
MOST_DEAD = 2  #: where more pieces than that are not seen for long, they have been taken away
MOST_AT_ONCE = 3  #: squares that hands change within one scan of a quick board; castling and all captures need less
IN_HAND = 2  #: so many pieces does a player hold at most: one and the one that it takes, or king and rook
A_PIECE = 2  #: so many squares does a piece change that goes from one to another
MOST_AWAY = 4  #: so many are off the board at most while pieces are taken and nobody presses


class Restless:
    """The squares that have changed ``limit`` times within ``window_ms``. Times are ms of the daemon."""

    def __init__(self, limit: int, window_ms: int) -> None:
        self._window_ms = window_ms
        #: when each square changed, the last ``limit`` times: however much it chatters, no more is kept or looked at
        self._changes = [deque[int](maxlen=limit) for _ in chess.SQUARES]

    def add(self, ms: int, mask: int) -> None:
        """The squares of ``mask`` changed at ``ms``."""
        for square in chess.scan_forward(mask):
            self._changes[square].append(ms)

    def squares(self, now: int) -> set[chess.Square]:
        since = now - self._window_ms
        return {
            square
            for square, changes in enumerate(self._changes)
            if len(changes) == changes.maxlen and changes[0] >= since
        }


class Denials:
    """The squares that show otherwise than the game says, and since when. Times are ms of the daemon."""

    def __init__(self) -> None:
        self._since: dict[chess.Square, int] = {}

    def see(self, ms: int, squares: Iterable[chess.Square]) -> None:
        """Those that do so at ``ms``; each goes on from when it began."""
        self._since = {square: self._since.get(square, ms) for square in squares}

    def lasting(self, now: int) -> list[chess.Square]:
        """Those that have done so for :data:`STUCK_MS`."""
        return sorted(square for square, since in self._since.items() if since + STUCK_MS <= now)

    def since(self, ms: int) -> list[chess.Square]:
        """Those that have begun to do so at ``ms`` or later."""
        return sorted(square for square, since in self._since.items() if since >= ms)

    def due(self, now: int) -> int | None:
        """When there will be another; None as long as nothing changes."""
        return min((since + STUCK_MS for since in self._since.values() if since + STUCK_MS > now), default=None)


class Ghosts:
    """Pieces that are none: on a matrix without diodes, current through three occupied corners of a rectangle shows a
    piece on the fourth. It appears in the very scan in which the third does, and is one more than the game has.
    """

    def __init__(self) -> None:
        self._groups: list[int] = []  # masks of squares that appeared together

    def see(self, appeared: int, occupied: int, pieces: int) -> None:
        """Looks at ``occupied``, of which ``appeared`` came within one scan; ``pieces``: so many has the game.

        A suspicion lasts until one of those that came together is gone.
        """
        self._groups = [group for group in self._groups if not group & ~occupied]
        if occupied.bit_count() > pieces and fourth_corners(appeared, occupied):
            self._groups.append(appeared)

    @property
    def squares(self) -> list[chess.Square]:
        """Those suspected, and the pieces they came with: nothing tells them apart."""
        mask = 0
        for group in self._groups:
            mask |= group
        return list(chess.scan_forward(mask))


def fourth_corners(appeared: int, occupied: int) -> int:
    """Those of ``appeared`` that make a rectangle with another of them and two more of ``occupied``."""
    found = 0
    for one in chess.scan_forward(appeared):
        for other in chess.scan_forward(appeared & ~chess.BB_SQUARES[one]):
            for far in _opposite(one, other, occupied):
                corners = chess.BB_SQUARES[far] | _beside(one, far)
                if not corners & ~occupied:
                    found |= chess.BB_SQUARES[one]
    return found


def _opposite(one: chess.Square, other: chess.Square, occupied: int) -> Iterator[chess.Square]:
    """The corners across from ``one`` in the rectangles that have ``other`` as a corner too."""
    same_rank = chess.square_rank(one) == chess.square_rank(other)
    same_file = chess.square_file(one) == chess.square_file(other)
    if not (same_rank or same_file):
        yield other
    else:
        line = chess.BB_FILES[chess.square_file(other)] if same_rank else chess.BB_RANKS[chess.square_rank(other)]
        yield from chess.scan_forward(line & occupied & ~chess.BB_SQUARES[other])


def _beside(one: chess.Square, far: chess.Square) -> int:
    """The two corners between these two."""
    files, ranks = (chess.square_file(one), chess.square_file(far)), (chess.square_rank(one), chess.square_rank(far))
    return chess.BB_SQUARES[chess.square(files[0], ranks[1])] | chess.BB_SQUARES[chess.square(files[1], ranks[0])]
