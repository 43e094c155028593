"""What it costs to leave the rest as it is, once some moves explain a part of what was seen: pieces in hand, pieces
that came from nowhere, touches and passing stays that belong to no move.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, Position, squares
from controller.sensing.costs import (
    ANSWERED,
    BEFORE,
    BOTH_HELD,
    ELSEWHERE,
    FOR_LONG,
    HASTY,
    HOLDING,
    IDLE_ENEMY,
    IDLE_OWN,
    ILLEGAL,
    IN_HAND,
    MISPLACED,
    ODDLY,
    ON_HIS_WAY,
    PASSED,
    PUSHED,
    REACTS_MS,
    REFILLED,
    REPLIED,
    STOOD,
    STRADDLING,
    SWEPT,
    TAKING,
)
from controller.sensing.question import ExplainedMove, Line, Question
from controller.sensing.readings import FITS, SOMETHING
from controller.sensing.trace import STRADDLE_MS, Edge

Numbers: TypeAlias = Mapping[chess.Square, Sequence[int]]
"""By square, the numbers of its edges of a kind."""


class LeftOver(NamedTuple):
    """What it costs to leave the rest as it is."""

    settled: float  #: what is past, or will not be explained though it goes
    open_yet: float  #: what may yet be explained
    nowhere: float  #: of what is settled, the pieces that came from nowhere
    answered: float  #: what is paid with the press: for who is brushed just then, or taken up to be taken


def pushed_to(before: Position, move: Move) -> int:
    """The empty squares to which who is taken by this move may be pushed by the piece that takes him, to be taken off
    from there, as a bitboard."""
    victim = before.captured(move)
    return chess.BB_KING_ATTACKS[victim] & ~before.board.occupied if victim == move.to_square else 0


def stands_aside(edges: Sequence[Edge], number: int, before: Position, made: ExplainedMove) -> bool:
    """Whether who is taken by that move may be who is set down with that edge, pushed to a square beside his: not where
    the board sees that it is another, nor before he was seen to leave, if he was, nor before who takes unseen was."""
    edge, victim = edges[number], before.captured(made.move)
    if victim is None or not pushed_to(before, made.move) & BB_SQUARES[edge.square]:
        return False  # as nearly always
    if before.symbols[victim] not in FITS[edge.seen]:
        return False
    until, origin = edge.ms + STRADDLE_MS, made.move.from_square
    if any(e.square == victim and e.seen == EMPTY and e.ms <= until for e in edges):
        return True
    taker_left = next((e.ms for e in edges if e.square == origin and e.seen == EMPTY), 0)
    return made.hidden and taker_left <= until


def may_exchange(move: Move, square: chess.Square) -> bool:
    """Whether who has made that move may take his piece off there again for another: who drops one from his stock, and
    who promotes, also in a match, where the pawn might stay."""
    return square == move.to_square and bool(move.drop or move.promotion)


def left_over(q: Question, lifts: Numbers, places: Numbers, line: Line, position: Position) -> LeftOver | None:
    """What it costs to leave the rest as it is; None where that is no explanation. ``lifts``, ``places``: the numbers
    of the edges that show a square to open, and to close."""
    mismatch = line.mismatch
    early = 0.0
    if q.presser is not None and position.turn == q.presser:
        if len(line.moves) < 2 or line.moves[-1].hidden:
            return None
        early = REPLIED
    # A press with the victim standing there still is no honest player's.
    aside = pushed_to(line.before, line.moves[-1].move) if q.presser is None else 0
    own, settled, cost = position.board.occupied_co[position.turn], _idle(q, line, position), 0.0
    if len(line.moves) > 1:
        settled += _held_both(q, lifts, places, line, position)
    in_hand, castled, astray = 0, _castled_in_part(position, mismatch), _set_down(q, lifts, places, mismatch, own)
    nowhere, answered, move = 0.0, 0.0, line.moves[-1].move
    for square in squares(mismatch):
        if q.readings[square] != EMPTY:
            if castled & BB_SQUARES[square]:
                continue
            if aside & BB_SQUARES[square] and square in places:
                cost += PUSHED
            elif astray & BB_SQUARES[square] and q.rates.wrong > ILLEGAL:
                cost += ILLEGAL  # so far
            elif q.presser is None and square in places and places[square][-1] in q.astride:
                cost += STRADDLING
            else:
                found = square in places and places[square][-1] < q.found
                nowhere += min(q.rates.wrong, MISPLACED) if found else q.rates.wrong
                cost += ON_HIS_WAY if _went_on(q, lifts, places, move.to_square, square) else 0.0
        elif BB_SQUARES[square] & own:
            in_hand += 1
            cost += IN_HAND[min(in_hand, 3) - 1]
        else:
            takers = position.capturing(square)
            cost += TAKING if in_hand or takers else ODDLY
            in_reply = any(BB_SQUARES[taker.from_square] & mismatch for taker in takers)
            if q.presser is not None and not in_reply:
                later = square in lifts and lifts[square][-1] >= line.moves[-1].edges
                lifted = q.edges[lifts[square][-1]] if later else None
                if lifted and lifted.ms > q.presses[-1][0] - q.brush_ms:
                    answered += SWEPT
                elif lifted and takers and not (lifted.white is None and may_exchange(move, square)):
                    answered += ANSWERED
                else:
                    settled += HOLDING
        if q.readings[square] == EMPTY:
            cost += _away(lifts, line, square)
    return LeftOver(settled + nowhere + early, cost, nowhere, answered)


def _went_on(q: Question, lifts: Numbers, places: Numbers, passed: chess.Square, rested: chess.Square) -> bool:
    """Whether who was set down on ``passed`` left it sooner than he is released there, and who looks alike was set down
    on ``rested`` afterwards: he was on his way."""
    if q.scanned or not (q.readings[passed] == EMPTY and passed in places and passed in lifts and rested in places):
        return False  # where looks are far apart nobody knows how long he stood
    landed, left, at_rest = q.edges[places[passed][-1]], q.edges[lifts[passed][-1]], q.edges[places[rested][-1]]
    return landed.seen == at_rest.seen and 0 <= left.ms - landed.ms < q.release_ms and left.ms <= at_rest.ms


def _castled_in_part(position: Position, mismatch: int) -> int:
    """Where the king may stand who castles, as a bitboard, while his rook is at home still."""
    king = position.board.king(position.turn)
    if king is None or not mismatch & BB_SQUARES[king]:
        return 0
    return sum(
        BB_SQUARES[position.castling(move).king_to] for move in position.moves_from(king) if position.castles(move)
    )


def _set_down(q: Question, lifts: Numbers, places: Numbers, mismatch: int, own: int) -> int:
    """Where the player having the move may have set down against the rules the pieces of his that are off their
    squares, as a bitboard: after he took them up."""
    astray, taken_up = 0, [lifts[square][-1] for square in squares(mismatch & own) if square in lifts]
    for square in squares(mismatch if taken_up else 0):
        landed = places[square][-1] if square in places and q.readings[square] != EMPTY else 0
        since = [number for number in taken_up if number < landed]
        if since:
            taken_up.remove(max(since))
            astray |= BB_SQUARES[square]
    return astray


def _away(lifts: Numbers, line: Line, square: chess.Square) -> float:
    """The cost of a piece that was taken up before the last moves were made, and is off the board still."""
    numbers = lifts.get(square)
    since = 0 if numbers is None else sum(1 for made in line.moves if made.edges > numbers[-1] + 1)
    return (0.0, BEFORE, BEFORE + FOR_LONG)[min(since, 2)]


def _holds(q: Question, line: Line) -> range:
    """The numbers of the edges until the press while who made the last move, of which a sensor that fails has shown too
    little, had his piece in his hand: whose square closes then he has put it there, as far as anybody has seen. None
    where nobody presses, or another may have been taken between two looks."""
    last, white = line.moves[-1], line.before.turn
    if not last.hidden or not last.edges or line.before.captured(last.move) is not None:
        return range(0)
    left = q.edges[last.edges - 1].ms
    pressed = next((ms for ms, by in q.presses if by == white and ms >= left), None)
    if pressed is None:
        return range(last.edges, len(q.edges) if q.presser == white else 0)
    return range(last.edges, next((n for n, edge in enumerate(q.edges) if edge.ms > pressed), len(q.edges)))


def _held_both(q: Question, lifts: Numbers, places: Numbers, line: Line, position: Position) -> float:
    """The cost of moves before the last one by somebody who had his piece in his hand while one of the opponent's was
    off, and was put back: he held both. Where nobody has seen where he went, he may have until the reply."""
    cost = 0.0
    for number, made in enumerate(line.moves[:-1]):
        by = position.turn ^ bool((len(line.moves) - number) % 2)
        began = [lift for lift in lifts.get(made.move.from_square, ()) if lift < made.edges]
        if not began:
            continue
        reply, until = line.moves[number + 1], made.edges - 1
        if made.hidden:
            until = min([lift for lift in lifts.get(reply.move.from_square, ()) if lift >= made.edges], default=0)
        theirs = position.board.occupied_co[not by] & ~BB_SQUARES[reply.move.to_square]
        for square, numbers in places.items():
            if not theirs & BB_SQUARES[square]:
                continue
            back = [place for place in numbers if began[-1] < place < until and not line.used >> place & 1]
            off = [lift for lift in lifts.get(square, ()) if back and lift < back[0]]
            if off and q.edges[back[0]].ms - q.edges[off[-1]].ms >= q.release_ms:
                cost += BOTH_HELD
    return cost


def _idle(q: Question, line: Line, position: Position) -> float:
    """The cost of the edges that no move accounts for: pieces touched that stand where they stood, and pieces set
    down where they did not stay."""
    cost, board, edges = 0.0, position.board, q.edges
    own = board.occupied_co[board.turn]
    open_since: dict[chess.Square, int] = {}
    swept = -1  #: until when a sleeve was over the board that brushed somebody, in ms
    left: set[chess.Square] = set()
    touched: set[chess.Square] = set()
    move = line.moves[-1].move
    victim, empty_handed = line.before.captured(move), True  #: who took has not taken up his piece by then
    in_hand = False  #: who moves is off the board, as far as is seen
    lifted: chess.Square | None = None  #: who was, last
    holds = _holds(q, line)
    shown = [] if q.scanned else [made for made in line.moves if not made.hidden]
    # Of a board that sees who it is, there is no doubt where he went.
    landed = {
        made.move.to_square: edges[made.edges - 1].ms for made in shown if edges[made.edges - 1].seen == SOMETHING
    }

    def reaches(target: chess.Square) -> bool:
        """Whether the piece that moved last might have taken there instead; where nobody has seen it land it may have
        done so against the rules."""
        return line.moves[-1].hidden or any(
            each.to_square == target for each in line.before.moves_from(move.from_square)
        )

    for number, edge in enumerate(edges):
        square = edge.square
        lifted = square if edge.seen == EMPTY else lifted
        empty_handed = edge.seen != EMPTY if square == move.from_square else empty_handed
        in_hand = edge.seen == EMPTY if square == move.from_square else in_hand
        in_hand = in_hand and not (square == move.to_square and edge.seen != EMPTY)
        if line.used >> number & 1:
            open_since.pop(square, None)
            left.add(square)
        elif edge.seen == EMPTY:
            open_since[square] = edge.ms
            cost += HASTY if 0 <= edge.ms - landed.get(square, inf) < REACTS_MS else 0.0
        elif square in open_since:
            up = open_since.pop(square)
            brushed = edge.ms - up < q.brush_ms
            if square not in touched:
                touched.add(square)
                if not (brushed and up <= swept):  # else it is brushed by the same sleeve
                    cost += IDLE_OWN if own & BB_SQUARES[square] else IDLE_ENEMY
                if own & BB_SQUARES[square] and in_hand and edge.ms - up >= q.release_ms and reaches(square):
                    cost += BOTH_HELD
                if not brushed and own & BB_SQUARES[square] and number in holds:
                    cost += REFILLED
            swept = edge.ms if brushed else swept
        elif not line.mismatch & BB_SQUARES[square] and not _landed_before(q, number):
            gone = next((later.ms for later in edges[number + 1 :] if later.square == square), edges[-1].ms)
            if gone - edge.ms < q.release_ms:
                cost += PASSED
            else:
                astride = number in q.astride
                aside = stands_aside(edges, number, line.before, line.moves[-1])
                cost += PUSHED if aside else STRADDLING if astride else STOOD
            # More likely the one who left came back, or went on; and only with a piece in hand is one pushed aside.
            taken_up = lifted is not None and (lifted == move.to_square or (empty_handed and lifted == victim))
            cost += ELSEWHERE if square in left or taken_up else 0.0
    return cost


def _landed_before(q: Question, number: int) -> bool:
    """Whether that edge shows, late, a piece of the player who has moved last, as he has left it by then."""
    edge, board = q.edges[number], q.position.board
    if not board.occupied_co[not board.turn] & BB_SQUARES[edge.square]:
        return False
    if q.position.symbols[edge.square] not in FITS[edge.seen]:
        return False
    return all(earlier.square != edge.square for earlier in q.edges[:number])
