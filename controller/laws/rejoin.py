"""After a gap: the shortest line of legal moves that leads to what stands on the board now.

Of what was played unseen only the end is known, so any order will do; where two lines of one length lead to different
positions, nothing is said. The search is bounded.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from chess import BB_ALL, BB_SQUARES, Move
from msgspec.structs import replace

from controller.laws.board import read_board
from controller.laws.moves import make, take_back
from controller.laws.record import beside
from controller.laws.state import State
from controller.position import EMPTY, Position, squares, uci
from controller.sensing.stand import Looks, differing

PLIES = 6
"""Moves in one line."""

MOST_CHANGED = 4
"""Squares that one move changes at most."""


def rejoin(s: State) -> State | None:
    """Goes on from what stands on the board, by moves played since the gap began; None if no line leads there."""
    at = min(s.gap_at, len(s.made))
    start = s.made[at].before if at < len(s.made) else s.position
    if s.lines or s.stopped or start.house is not None or any(made.illegal for made in s.made[at:]):
        return None
    lines = _Search(s, in_hand=False).lines(start) or _Search(s, in_hand=True).lines(start)
    if not lines:
        return None
    line = lines[0]
    same = 0
    while same < min(len(line), len(s.made) - at) and s.made[at + same].move == line[same]:
        same += 1
    if at + same < len(s.made):
        s = take_back(s, at + same)
    for number in range(same, len(line)):
        orders = Counter(uci(each[number]) for each in lines)
        s = make(s, line[number], inferred=True, beside=beside(line[number], orders))
        if s.result is not None:
            return s
    return read_board(replace(s, unseen=s.off & ~s.others), s.now)


class _Search:
    """``in_hand``: whether one piece may be missing, which the player having the move has in his hand."""

    def __init__(self, s: State, in_hand: bool) -> None:
        self._s = s
        self._in_hand = in_hand
        self._looks: Looks = s.looks
        self._budget = s.budget.share()
        self._found: dict[object, list[tuple[Move, ...]]] = defaultdict(list)

    def lines(self, start: Position) -> Sequence[Sequence[Move]]:
        """The shortest line, in each order in which its moves may have been made; none where there is none, or more
        than one end."""
        off = differing(start, self._looks, BB_ALL) & ~self._s.others
        for plies in range(1, PLIES + 1):
            self._walk(start, (), off, plies)
            if self._found or self._budget.spent:
                break
        return next(iter(self._found.values())) if len(self._found) == 1 and not self._budget.spent else ()

    def _walk(self, position: Position, moves: tuple[Move, ...], off: int, left: int) -> None:
        if left == 0:
            if self._held(position, off) if self._in_hand else not off:
                self._found[position.key()].append(moves)
            return
        if self._budget.spent or off.bit_count() > MOST_CHANGED * left + 1:
            return
        self._budget.look()
        own = position.board.occupied_co[position.turn]
        for square in squares(off & own):
            for move in position.moves_from(square):
                if move.promotion and not self._may_become(position, move):
                    continue
                self._budget.attempt()
                changed = sum(BB_SQUARES[each] for each, _ in position.changes(move))
                after = position.after(move)
                off_after = off & ~changed | differing(after, self._looks, changed)
                self._walk(after, (*moves, move), off_after, left - 1)

    def _held(self, position: Position, off: int) -> bool:
        own = position.board.occupied_co[position.turn]
        return bool(off & own) and not off & (off - 1) and self._looks[off.bit_length() - 1] == EMPTY

    def _may_become(self, position: Position, move: Move) -> bool:
        return self._s.senses == "identity" or move.promotion == self._s.wanted(position.turn)
