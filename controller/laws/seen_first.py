"""What was seen to land before its square was seen to be left: a board may tell the two in either order."""

import chess
from chess import BB_SQUARES

from controller import contract as c
from controller.laws.board import looked_at_again, set_aside
from controller.laws.drop_kinds import Unnamed, goes
from controller.laws.drop_names import undecided
from controller.laws.outcomes import triggered
from controller.laws.state import State
from controller.laws.turn import Trigger
from controller.position import EMPTY
from controller.sensing.difference import LEGAL, NOTHING_LANDED

OVERLAP_MS = 80
"""How long both squares of one piece may be seen closed, on contacts that bounce and between scans, where it is no
capture and might be one dropped; later it may be the opponent, who takes up a piece to capture it."""

BOUNCE_MS = 40
"""So long at most the contact of a square bounces that a piece leaves. A guess."""

EARLY_MS = 120
"""How long before its origin opens the destination of a capture may be seen to close: no hand reaches so fast."""


def answered_first(s: State, touched: chess.Square, ms: c.Ms) -> State | None:
    """How things stand where the reply was seen to land before its piece was seen to leave this square: what stood
    whole until then is made. None where it was not so."""
    landed = s.trace.last
    if landed is None or landed.seen == EMPTY or ms - landed.ms > OVERLAP_MS:
        return None
    if s.pace.slow or s.turn.difference.kind in LEGAL:
        return None  # between two scans that are far apart more may have been done
    bit = BB_SQUARES[landed.square]
    before = set_aside(s, bit)
    if before.turn.difference.kind not in LEGAL or undecided(before, before.turn.difference):
        return None
    after = s.position.after(before.turn.difference.moves[0])
    if not any(move.to_square == landed.square for move in after.moves_from(touched)):
        return None
    made, _ = triggered(before, Trigger.REPLY)
    return looked_at_again(made, bit, ms)


def reported_first(s: State, touched: chess.Square, ms: c.Ms) -> State | None:
    """How things stand where what was set down just now has come from here, its destination reported first: it is no
    drop, nor the piece of a promotion, nor has it come from a square that is not seen. None where it has not."""
    difference, chosen = s.turn.difference, s.turn.partial_move
    if not difference.mask or ms - s.turn.stands_since > OVERLAP_MS or not _leads_to(s, touched, difference.mask):
        return None
    if difference.part == "drop":
        return s
    if chosen is not None and chosen.part == "choice" and all(move.from_square != touched for move in chosen.moves):
        return s.turning(partial_move=None).derive()
    return s.tracing(landed=NOTHING_LANDED) if s.faulty and s.left_unseen(difference) else None


def _leads_to(s: State, square: chess.Square, mask: int) -> bool:
    """Whether the piece on ``square`` may go there, or may prove to be one that may."""
    if any(BB_SQUARES[move.to_square] & mask for move in s.position.moves_from(square)):
        return True
    mine = BB_SQUARES[square] & s.position.board.occupied_co[s.position.turn]
    if not mine or s.board is None:
        return False
    board, white = s.position.board, s.position.turn
    return any(
        goes(board, kind, white, square, mask.bit_length() - 1)
        for _, one, _ in Unnamed(s).standing(s.board, mine)
        for kind in one.kinds
    )


def took_before_it_left(s: State, square: chess.Square, target: chess.Square, filled: c.Ms, ms: c.Ms) -> State:
    """A capture whose destination was reported first: the enemy's square filled again just before its taker left."""
    # À quatre what is set down elsewhere then may be dropped, so that it does not show that nobody was taken.
    brushed = s.position.drop_board is not None and ms - filled > OVERLAP_MS // 2 and _brushed(s, target, filled)
    # Who puts one after the other straight takes nobody. A scan shows at once who has left, unless a contact bounces:
    # if that square was only brushed, it is not the taker who leaves now.
    brushed = brushed or (s.pace.by_scans and ms - filled > BOUNCE_MS and _brushed(s, target, filled))
    if ms - filled > (OVERLAP_MS if s.has_announced(s.turn.side, ms) else EARLY_MS) or brushed:
        return s
    if any(m.to_square == target for m in s.position.moves_from(square)):
        return s.tracing(retaken=target)
    if _leads_to(s, square, BB_SQUARES[target]):
        return s.tracing(refilled=target)
    return s


def _brushed(s: State, square: chess.Square, filled: c.Ms) -> bool:
    """Whether that square, filled again then, had been open for less than a brush."""
    opened = next(
        (edge.ms for edge in reversed(s.trace[s.turn.start :]) if edge.square == square and edge.seen == EMPTY), None
    )
    return opened is not None and filled - opened < s.brush_ms
