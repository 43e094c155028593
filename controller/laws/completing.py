"""What a press of the clock just now would complete (6.2.1), and what it still lacks."""

from collections.abc import Sequence

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import replying
from controller.laws.drop_names import undecided
from controller.laws.gap import in_order
from controller.laws.moves import uncompleted
from controller.laws.state import State, turned
from controller.laws.step import as_reported
from controller.position import EMPTY
from controller.sensing.difference import LEGAL, Kind, differing, read
from controller.sensing.readings import FITS

BEGUN = frozenset((Kind.HELD, Kind.DISTURBED, Kind.VACANT, Kind.PARTIAL))
"""What a move is before it stands whole."""


def completes(s: State, side: c.Side) -> bool:
    """Whether a press by ``side`` just now would complete a move without offence: it has been made, or stands complete,
    is what was owed, and leaves nothing undecided."""
    if s.result is not None or s.stopped or s.faulty or s.not_by_mover:
        return False
    if s.unseen or s.unsure or not s.watched:
        return False
    if s.turn.side != side:
        return (last := s.last()) is not None and not last.completed and not last.illegal
    difference, owed = s.turn.difference, s.owed
    if difference.kind not in LEGAL or difference.part == "drop" or s.turn.corrects:
        return False
    return not undecided(s, difference) and (owed is None or set(difference.moves) <= set(owed.moves))


def too_early(s: State, side: c.Side, shows_late: bool) -> bool:
    """Whether a press by ``side``, who has the move and whose clock runs, comes before his move is seen whole: only a
    part of it is, or, on a board that ``shows_late``, nothing; whatever the opponent has begun in reply. The rest may
    be seen later. A square that was filled again has what was in the air; and the press may complete the move before.
    """
    runs = s.clock is not None and s.clock.running == side and not s.stopped and s.result is None
    traces, kind = s.turn.traces, s.turn.difference.kind
    filled = traces.refilled is not None or traces.retaken is not None
    if not runs or s.turn.side != side or filled or kind in LEGAL or uncompleted(s, side) is not None:
        return False
    return shows_late if kind is Kind.QUIET else kind in BEGUN or _may_become_whole(s)


def _may_become_whole(s: State) -> bool:
    """Whether each square that differs, but for those of a reply begun, shows what some legal move leaves there, or
    nothing: more of it may be seen to come, or to go."""
    mismatch = s.mismatch & ~s.not_by_mover
    mismatch &= ~replying(s.position, s.readings, mismatch)
    away = s.empty(mismatch)
    for move in s.position.legal():
        left = mismatch
        for square, symbol in s.position.changes(move):
            bit = chess.BB_SQUARES[square]
            if bit & away or symbol in FITS[s.readings[square]]:
                left &= ~bit
        if not left:
            return True
    return False


def whole_after(s: State, changes: Sequence[tuple[chess.Square, str]]) -> list[tuple[int, int]]:
    """After how many of these changes, none of them included, the move of the player having the move stands complete,
    beside a reply begun; and the squares of that reply, a bitboard: also those of pieces that have left after the one
    that moves, and that the opponent may capture. What changes only for a reply to a move that stands already is not
    counted. A change is a square, as the board calls it, and what stands there since."""
    readings, traces, found, stood = list(s.readings), s.turn.traces, list[tuple[int, int]](), False
    taken = _taken_up(s)
    for number in range(len(changes) + 1):
        changed = 0
        if number:
            square, shown = changes[number - 1]
            square ^= s.turned
            changed, before = chess.BB_SQUARES[square], readings[square]
            readings[square] = as_reported(shown or ".", s.senses)
            taken = taken & ~changed | (changed if readings[square] == EMPTY and _may_be_taken(s, square) else 0)
            if _is_exchanged(s, square, before, readings[square]):
                traces = replace(traces, retaken=square)
        mismatch = differing(s.position, readings, chess.BB_ALL) & ~s.not_by_mover
        reply = replying(s.position, readings, mismatch)
        for beside in (0, reply, reply | taken):
            stands = read(s.position, readings, mismatch & ~beside, traces, s.faulty).kind in LEGAL
            if stands and not (stood and (reply | taken) & changed):
                found.append((number, reply | beside))
            if stands:
                break
        stood = stands
    return found


def _taken_up(s: State) -> int:
    """The squares, a bitboard, of pieces of the player having the move that have left after the first of his, and that
    the opponent may capture: he may have taken them up for that."""
    lifted = s.trace.last_edges(s.gone(), s.turn.start)
    later = sorted(lifted, key=lambda square: lifted[square])[1:]
    return sum(chess.BB_SQUARES[square] for square in later if _may_be_taken(s, square))


def _may_be_taken(s: State, square: chess.Square) -> bool:
    """Whether a piece of the player having the move stands there, and one of the opponent's attacks it."""
    board = s.position.board
    if s.position.drop_board is not None:
        return False
    mine = board.occupied_co[board.turn] & chess.BB_SQUARES[square]
    return bool(mine and board.attackers_mask(not board.turn, square))


def _is_exchanged(s: State, square: chess.Square, before: str, shown: str) -> bool:
    """Whether a square of the opponent's is filled again where nothing stood ``before``, so that whoever has come may
    have captured there, and looks like his victim."""
    board = s.position.board
    his = board.occupied_co[not board.turn] & chess.BB_SQUARES[square]
    return bool(his) and before == EMPTY and s.position.symbol(square) in FITS[shown]


def made_whole_by(s: State, edges: Sequence[c.Lift | c.Place]) -> list[c.Lift | c.Place]:
    """Those of these edges that make the move of the player having the move stand complete; empty if none do. A square
    that is filled a second time has another piece, which belongs to another move."""
    changes, filled = list[tuple[chess.Square, str]](), set[str]()
    for edge in edges:
        if isinstance(edge, c.Place) and edge.square in filled:
            break
        filled |= {edge.square} if isinstance(edge, c.Place) else set()
        seen = "." if isinstance(edge, c.Lift) else edge.piece or "x"
        changes.append((chess.parse_square(edge.square), seen))
    number, reply = next(reversed(whole_after(s, changes)), (0, 0))
    mine = [(edge, chess.BB_SQUARES[square ^ s.turned]) for edge, (square, _) in zip(edges, changes, strict=False)]
    return [edge for edge, square in mine[:number] if not square & reply]


def changed_in_order(s: State, mask: int) -> list[chess.Square]:
    """The squares of a bitboard, which one look showed together, in the order in which they changed; as the board
    numbers them."""
    return [square ^ s.turned for square in in_order(s, turned(mask) if s.turned else mask)]
