"""Play that nobody watched: scans are lost, or a cable is out, and the next look shows what came of several moves."""

from collections import Counter

import chess
from chess import BB_SQUARES

from controller.position import EMPTY, REACH
from controller.sensing.question import Line, Question


def unwatched(question: Question) -> set[int]:
    """The numbers of the edges that show what changed while nothing was seen: more squares at once than one move
    changes, or two that opened at once; and those of a first reading."""
    changed = Counter(edge.ms for edge in question.edges)
    opened = Counter(edge.ms for edge in question.edges if edge.seen == EMPTY)
    return {
        number
        for number, edge in enumerate(question.edges)
        if changed[edge.ms] > 2 or opened[edge.ms] > 1 or number < question.found
    }


def astray_unseen(line: Line, filled: int, opened: int) -> bool:
    """Whether the last move of the line led to a square that shows nothing, and the piece cannot go from there, in one
    move of an empty board, to any square that shows a piece for which the line has none yet.

    Such a piece needs two more moves at least, and most lines in which it stands there lead nowhere. As bitboards:
    ``filled``, the squares that show a piece; ``opened``, those that were seen to open, by what is not explained yet.
    """
    move, position = line.moves[-1].move, line.before
    to = position.landing(move)
    if not line.mismatch & BB_SQUARES[to] & ~(filled | opened):
        return False
    kind = move.promotion or move.drop or position.board.piece_type_at(move.from_square)
    assert kind is not None
    if kind == chess.PAWN:  # it may go anywhere on its file
        reached = chess.BB_FILE_ATTACKS[to][0] | chess.BB_PAWN_ATTACKS[position.turn][to]
    else:
        reached = REACH[kind][to]
    return not reached & line.mismatch & filled
