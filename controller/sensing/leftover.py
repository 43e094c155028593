"""What it costs to leave unexplained what some moves do not explain of what was seen: pieces in hand, pieces that came
from nowhere, touches and passing stays that belong to no move.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

import chess
from chess import BB_SQUARES, Move

from controller.position import EMPTY, Position, squares
from controller.sensing import costs
from controller.sensing.laid import laid_down, taken_up_from
from controller.sensing.question import ExplainedMove, Line, Question
from controller.sensing.readings import FITS, SOMETHING
from controller.sensing.trace import STRADDLE_MS, Edge

Numbers: TypeAlias = Mapping[chess.Square, Sequence[int]]
"""By square: the numbers of its edges, of those that opened it or of those that closed it."""


class LeftOver(NamedTuple):
    """What it costs to leave the rest unexplained."""

    settled: float  #: for what is past, or will not be explained even if it goes
    open_yet: float  #: for what may yet be explained
    nowhere: float  #: the part of ``settled`` for pieces that came from nowhere
    answered: float  #: what is paid with the press: for pieces brushed just then, for a reply made or begun


def pushed_to(before: Position, move: Move) -> int:
    """The empty squares, a bitboard, to which the capturing piece of this move may push its victim, which is taken off
    from there."""
    victim = before.captured(move)
    return chess.BB_KING_ATTACKS[victim] & ~before.board.occupied if victim == move.to_square else 0


def stands_aside(edges: Sequence[Edge], number: int, before: Position, made: ExplainedMove) -> bool:
    """Whether the piece set down with that edge may be the victim of that move, pushed to a square beside its own. Not
    if the board sees that it is another; nor before the victim was seen to leave, or, of an unseen capture, before the
    capturing piece was."""
    edge, victim = edges[number], before.captured(made.move)
    if victim is None or not pushed_to(before, made.move) & BB_SQUARES[edge.square]:
        return False
    if before.symbols[victim] not in FITS[edge.seen]:
        return False
    until, origin = edge.ms + STRADDLE_MS, made.move.from_square
    if any(e.square == victim and e.seen == EMPTY and e.ms <= until for e in edges):
        return True
    taker_left = next((e.ms for e in edges if e.square == origin and e.seen == EMPTY), 0)
    return made.hidden and taker_left <= until


def may_exchange(move: Move, square: chess.Square) -> bool:
    """Whether the player of that move may exchange the piece on ``square`` for another: after a drop, or a promotion,
    even in a match, where the pawn might stay."""
    return square == move.to_square and bool(move.drop or move.promotion)


def left_over(
    q: Question, lifts: Numbers, places: Numbers, line: Line, position: Position, most: float
) -> LeftOver | None:
    """What it costs to leave the rest unexplained after this line; None if the line cannot explain the press, or costs
    more than ``most`` with it. ``lifts``, ``places``: the numbers of the edges with which squares opened, and closed.
    """
    mismatch, answered = line.mismatch, 0.0
    if q.presser is not None and position.turn == q.presser:
        if len(line.moves) < 2 or line.moves[-1].hidden:
            return None
        answered = costs.REPLIED
    # No honest player presses while the victim that he has pushed aside still stands there.
    aside = pushed_to(line.before, line.moves[-1].move) if q.presser is None else 0
    own, settled, cost = position.board.occupied_co[position.turn], 0.0, 0.0
    in_hand, castled, astray = 0, _castled_in_part(position, mismatch), _set_down(q, lifts, places, mismatch, own)
    nowhere, move = 0.0, line.moves[-1].move
    laid = _laid_down(q, lifts, places, line)
    for square in squares(mismatch):
        if q.readings[square] != EMPTY:
            if castled & BB_SQUARES[square]:
                continue
            if aside & BB_SQUARES[square] and square in places:
                cost += costs.PUSHED
            elif astray & BB_SQUARES[square] and q.rates.wrong > costs.ILLEGAL:
                cost += costs.ILLEGAL  # so far it may be an illegal move
            elif q.presser is None and square in places and places[square][-1] in q.astride:
                cost += costs.STRADDLING
            else:
                found = square in places and places[square][-1] < q.found
                lies = laid & BB_SQUARES[square] != 0
                nowhere += min(q.rates.wrong, costs.MISPLACED if found else costs.LAID_DOWN if lies else q.rates.wrong)
                cost += costs.ON_HIS_WAY if _went_on(q, lifts, places, move.to_square, square) else 0.0
        elif BB_SQUARES[square] & own:
            in_hand += 1
            cost += costs.IN_HAND[min(in_hand, 3) - 1]
        else:
            takers = position.capturing(square)
            cost += costs.TAKING if in_hand or takers else costs.ODDLY
            in_reply = any(BB_SQUARES[taker.from_square] & mismatch for taker in takers)
            if q.presser is not None and not in_reply:
                later = square in lifts and lifts[square][-1] >= line.moves[-1].edges
                lifted = q.edges[lifts[square][-1]] if later else None
                if lifted and lifted.ms > q.presses[-1][0] - q.brush_ms:
                    answered += costs.SWEPT
                elif lifted and takers and not (lifted.white is None and may_exchange(move, square)):
                    answered += costs.ANSWERED
                else:
                    settled += costs.HOLDING
        if q.readings[square] == EMPTY:
            cost += _away(lifts, line, square)
    settled += nowhere
    if line.cost + settled + cost > most:
        return None  # mostly so, and what follows takes longest
    settled += _idle(q, line, position, laid)
    if len(line.moves) > 1:
        settled += _held_both(q, lifts, places, line, position)
    return LeftOver(settled, cost, nowhere, answered) if line.cost + settled + cost <= most else None


def _went_on(q: Question, lifts: Numbers, places: Numbers, passed: chess.Square, rested: chess.Square) -> bool:
    """Whether the piece set down on ``passed`` left it before it was released, and one that reads alike was set down on
    ``rested`` afterwards: it was on its way."""
    if q.scanned or not (q.readings[passed] == EMPTY and passed in places and passed in lifts and rested in places):
        return False  # where scans are far apart nobody knows how long it stood
    landed, left, at_rest = q.edges[places[passed][-1]], q.edges[lifts[passed][-1]], q.edges[places[rested][-1]]
    return landed.seen == at_rest.seen and 0 <= left.ms - landed.ms < q.release_ms and left.ms <= at_rest.ms


def _castled_in_part(position: Position, mismatch: int) -> int:
    """Where the king may stand, as a bitboard, that has begun to castle while its rook is still at home."""
    king = position.board.king(position.turn)
    if king is None or not mismatch & BB_SQUARES[king]:
        return 0
    return sum(
        BB_SQUARES[position.castling(move).king_to] for move in position.moves_from(king) if position.castles(move)
    )


def _set_down(q: Question, lifts: Numbers, places: Numbers, mismatch: int, own: int) -> int:
    """Where the player having the move may have set down his missing pieces against the rules, as a bitboard: squares
    that closed after such a piece was lifted."""
    astray, taken_up = 0, [lifts[square][-1] for square in squares(mismatch & own) if square in lifts]
    for square in squares(mismatch if taken_up else 0):
        landed = places[square][-1] if square in places and q.readings[square] != EMPTY else 0
        since = [number for number in taken_up if number < landed]
        if since:
            taken_up.remove(max(since))
            astray |= BB_SQUARES[square]
    return astray


def _away(lifts: Numbers, line: Line, square: chess.Square) -> float:
    """The cost of a piece that was lifted before the last moves were made, and is still off the board."""
    numbers = lifts.get(square)
    since = 0 if numbers is None else sum(1 for made in line.moves if made.edges > numbers[-1] + 1)
    return (0.0, costs.BEFORE, costs.BEFORE + costs.FOR_LONG)[min(since, 2)]


def _holds(q: Question, line: Line) -> range:
    """The numbers of the edges during which, as far as was seen, the player of the last move still held its piece: from
    the edges of that move, of which a failing sensor has shown too little, until his press. A square that closes then,
    he has filled. Empty if he does not press, or if the move is a capture, which may have been made between two looks.
    """
    last, white = line.moves[-1], line.before.turn
    if not last.hidden or not last.edges or line.before.captured(last.move) is not None:
        return range(0)
    left = q.edges[last.edges - 1].ms
    pressed = q.pressed_by(white, left)
    if pressed is None:
        return range(last.edges, len(q.edges) if q.presser == white else 0)
    return range(last.edges, next((n for n, edge in enumerate(q.edges) if edge.ms > pressed), len(q.edges)))


def _held_both(q: Question, lifts: Numbers, places: Numbers, line: Line, position: Position) -> float:
    """The cost of moves before the last one whose player held his piece while a piece of the opponent's was off and put
    back: he held both. If the move is hidden, he may have held it until the reply."""
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
            if off and q.edges[back[0]].ms - q.edges[off[-1]].ms >= q.brush_ms:
                cost += costs.BOTH_HELD
    return cost


def _laid_down(q: Question, lifts: Numbers, places: Numbers, line: Line) -> int:
    """The squares, a bitboard, on which pieces captured by these moves may stand, or may have stood for a while; none
    in a match, where they go to the partner."""
    taken = [*q.taken, *line.taken]
    if not taken or line.before.drop_board is not None:
        return 0
    free, origin = ~line.before.board.occupied, line.moves[-1].move.from_square
    landed = {
        square: q.edges[numbers[-1]]
        for square, numbers in places.items()
        if free & BB_SQUARES[square] and not line.used >> numbers[-1] & 1
    }
    if not landed:
        return 0
    left = next((q.edges[number].ms for number in lifts.get(origin, ()) if line.used >> number & 1), 0)
    return laid_down(landed, taken, [taken_up_from(line.before, origin, left)])


def _put_back_in_between(line: Line, back: int, edges: Sequence[Edge]) -> bool:
    """Whether a piece was taken up just before or after the moved one, was put back with the edge ``back``, and the
    moved one was set down next: so it was put back with the moved piece in hand."""
    landed = back + 1
    if back < 2 or landed >= len(edges) or not line.used >> landed & 1 or edges[landed].seen == EMPTY:
        return False
    taken_up, left = back - 1, back - 2
    if edges[taken_up].square != edges[back].square:
        taken_up, left = left, taken_up
    return edges[taken_up].square == edges[back].square and line.used >> left & 1 == 1 and edges[left].seen == EMPTY


def _idle(q: Question, line: Line, position: Position, laid: int) -> float:
    """The cost of the edges that no move accounts for: of pieces that were touched and stand again, and of pieces that
    were set down and did not stay. ``laid``: where captured pieces may have stood, as a bitboard."""
    cost, board, edges = 0.0, position.board, q.edges
    own = board.occupied_co[board.turn]
    open_since: dict[chess.Square, int] = {}
    swept = -1  # until when, in ms, a sleeve was over the board that brushed a piece
    left: set[chess.Square] = set()
    touched: set[chess.Square] = set()
    move = line.moves[-1].move
    victim, empty_handed = line.before.captured(move), True  # the piece of the last move is not lifted by then
    in_hand = False  # it is off the board, as far as is seen
    lifted: chess.Square | None = None  # the square that opened last
    holds = _holds(q, line)
    shown = [] if q.scanned else [made for made in line.moves if not made.hidden]
    # A board that tells pieces apart leaves no doubt where a piece went.
    landed = {
        made.move.to_square: edges[made.edges - 1].ms for made in shown if edges[made.edges - 1].seen == SOMETHING
    }

    def reaches(target: chess.Square) -> bool:
        """Whether the piece that moved last might have captured there instead; a hidden move may have gone anywhere, as
        it may have been illegal."""
        return line.moves[-1].hidden or any(
            each.to_square == target for each in line.before.moves_from(move.from_square)
        )

    for number, edge in enumerate(edges):
        square = edge.square
        if number in q.stopped:
            continue
        lifted = square if edge.seen == EMPTY else lifted
        empty_handed = edge.seen != EMPTY if square == move.from_square else empty_handed
        in_hand = edge.seen == EMPTY if square == move.from_square else in_hand
        in_hand = in_hand and not (square == move.to_square and edge.seen != EMPTY)
        if line.used >> number & 1:
            open_since.pop(square, None)
            left.add(square)
        elif edge.seen == EMPTY:
            open_since[square] = edge.ms
            cost += costs.HASTY if 0 <= edge.ms - landed.get(square, inf) < costs.REACTS_MS else 0.0
        elif square in open_since:
            up = open_since.pop(square)
            brushed = edge.ms - up < q.brush_ms
            if square not in touched:
                touched.add(square)
                if not (brushed and up <= swept):  # else the same sleeve has brushed it
                    cost += costs.IDLE_OWN if own & BB_SQUARES[square] else costs.IDLE_ENEMY
                if own & BB_SQUARES[square] and in_hand and not brushed and reaches(square):
                    seen = not (q.scanned or line.moves[-1].hidden) and _put_back_in_between(line, number, edges)
                    cost += 0.0 if seen else costs.BOTH_HELD
                if not brushed and own & BB_SQUARES[square] and number in holds:
                    cost += costs.REFILLED
                if not (brushed or q.scanned) and empty_handed and _owes_instead(line, square):
                    cost += costs.BREACH
            swept = edge.ms if brushed else swept
        elif not line.mismatch & BB_SQUARES[square] and not _landed_before(q, number):
            gone = next((later.ms for later in edges[number + 1 :] if later.square == square), edges[-1].ms)
            if gone - edge.ms < q.release_ms:
                cost += costs.PASSED
            else:
                astride = number in q.astride
                aside = stands_aside(edges, number, line.before, line.moves[-1])
                lay = laid & BB_SQUARES[square]
                cost += (
                    costs.PUSHED if aside else costs.STRADDLING if astride else costs.LAID_DOWN if lay else costs.STOOD
                )
            # More likely the piece that left came back, or went on; and only a piece in hand pushes another aside.
            taken_up = lifted is not None and (lifted == move.to_square or (empty_handed and lifted == victim))
            cost += costs.ELSEWHERE if square in left or taken_up else 0.0
    return cost


def _owes_instead(line: Line, square: chess.Square) -> bool:
    """Whether the last move, a hidden one, is made by a piece that can take on ``square``, and does not: who touches
    what stands there has to take it."""
    before, last = line.before, line.moves[-1]
    if not last.hidden or before.captured(last.move) == square:
        return False
    return any(before.captured(each) == square for each in before.moves_from(last.move.from_square))


def _landed_before(q: Question, number: int) -> bool:
    """Whether that edge shows, late, a piece of the player who moved last before this question: it is the first edge of
    its square, and fits the position at the start."""
    edge, board = q.edges[number], q.position.board
    if not board.occupied_co[not board.turn] & BB_SQUARES[edge.square]:
        return False
    if q.position.symbols[edge.square] not in FITS[edge.seen]:
        return False
    return all(earlier.square != edge.square for earlier in q.edges[:number])
