"""The drops that may come next in a line of moves, in a match, and what each costs beside the edges that show it."""

from collections.abc import Iterator

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, Position, squares
from controller.sensing.costs import DROPPED, DROPPED_UNSAID, MISSAID
from controller.sensing.question import Line, Question
from controller.sensing.readings import FITS
from controller.sensing.showing import Edges


def drops(
    q: Question, edges: Edges, line: Line, position: Position, filled: int
) -> Iterator[tuple[Move, int | None, float]]:
    """Each drop by the player having the move on one of the squares ``filled``, a bitboard; the edge that shows it to
    land, None if that was lost; and its cost."""
    board = position.board
    if position.drop_board is None or not len(position.drop_board.pockets[board.turn]):
        return
    for square in squares(filled & ~board.occupied):
        again = line.used | edges.tapped.get(square, 0)
        for landing in dict.fromkeys(edges.first(edges.places, square, used) for used in (line.used, again)):
            if (move := _drop(q, edges, line, position, square, landing)) is not None:
                yield move, landing, _cost(q, edges, line, position, move, landing)


def _drop(
    q: Question, edges: Edges, line: Line, position: Position, square: chess.Square, landing: int | None
) -> Move | None:
    """The likeliest drop on that square, shown by edge ``landing``; None where there can be none. Which piece it was is
    decided later, not by this search."""
    seen = q.readings[square] if landing is None else edges.all[landing].seen
    by = None if landing is None else edges.all[landing].white
    possible = [move for move in position.drops(square) if position.changes(move)[0][1] in FITS[seen]]
    if not possible or by not in (None, position.turn) or _took_unseen(q, edges, line, position, landing):
        return None
    named = q.named_with(line.moves, position.turn, landing)
    stock = position.drop_board.pockets[position.turn] if position.drop_board else ()
    return max(possible, key=lambda move: (move.drop in named, stock.count(move.drop or 0), move.drop or 0))


def _cost(q: Question, edges: Edges, line: Line, position: Position, move: Move, landing: int | None) -> float:
    """What it costs that the player has named another piece, or holds one of those on the board."""
    said = q.named_with(line.moves, position.turn, landing)
    # Without a clock the named piece may yet come into stock.
    cost = MISSAID if said and move.drop not in said and q.presses else 0.0
    if _in_hand(q, edges, line, position, landing):
        cost += DROPPED if move.drop in said else DROPPED_UNSAID
    return cost


def _in_hand(q: Question, edges: Edges, line: Line, position: Position, landing: int | None) -> bool:
    """Whether a piece of the player having the move was off the board when edge ``landing`` came: rather that one was
    set down than one from the stock."""
    own = position.board.occupied_co[position.turn]
    return any(
        own & BB_SQUARES[square] and not line.used >> numbers[-1] & 1 and (landing is None or numbers[-1] < landing)
        for square, numbers in edges.lifts.items()
        if q.readings[square] == EMPTY
    )


def _took_unseen(q: Question, edges: Edges, line: Line, position: Position, landing: int | None) -> bool:
    """Whether by this line the opponent's last move was an unseen capture: then what is set down next is his piece,
    which seems to be in hand; unless he has pressed since, or the other player has named a drop."""
    last = line.moves[-1] if line.moves else None
    if last is None or not last.hidden or any(by == position.turn for _, by, _ in q.named):
        return False
    victim = line.before.captured(last.move)
    began = edges.all[last.edges - 1].ms if last.edges else 0
    pressed = any(
        began <= ms and (landing is None or ms <= edges.all[landing].ms) for ms, by in q.presses if by != position.turn
    )
    return victim == last.move.to_square and not pressed
