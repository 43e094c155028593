"""Pieces that were seen to land before they were seen to leave: a board may report the two edges in either order."""

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
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL, NOTHING_LANDED

OVERLAP_MS = 80
"""How long both squares of one piece may be seen closed, as contacts bounce and scans lie apart, if nothing else tells
that it is one piece."""

BOUNCE_MS = 40
"""The contact of a square that a piece leaves bounces for so long at most. A guess."""

EARLY_MS = 120
"""How long the destination of a capture may be seen to close before its origin opens: no hand reaches so fast."""


def answered_first(s: State, touched: chess.Square, ms: c.Ms) -> State | None:
    """The state with the whole move made to which a reply was set down just now: the reply was seen to land before its
    piece was seen to leave ``touched``. None if that is not so."""
    landed = s.trace.last
    if landed is None or landed.seen == EMPTY or ms - landed.ms > OVERLAP_MS:
        return None
    if s.pace.slow or s.turn.difference.kind in LEGAL:
        return None  # between scans that are far apart, more may have been done
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
    """The state in which the piece set down just now has come from ``touched``, as its destination was reported first:
    so it is no drop, no new piece of a promotion, and has not come from a square that is not seen. None if that is not
    so."""
    difference, chosen = s.turn.difference, s.turn.partial_move
    if not difference.mask or not _leads_to(s, touched, difference.mask):
        return None
    unsaid = difference.part == "drop" and s.turn.side not in s.chosen
    # Later, who has dropped a piece is replied to: the opponent may be about to capture the one that he has touched.
    if ms - s.turn.stands_since > (REACTS_MS if unsaid else OVERLAP_MS):
        return None
    if difference.part == "drop":
        return s
    if chosen is not None and chosen.part == "choice" and all(move.from_square != touched for move in chosen.moves):
        return s.turning(partial_move=None).derive()
    return s.tracing(landed=NOTHING_LANDED) if s.faulty and s.left_unseen(difference) else None


def _leads_to(s: State, square: chess.Square, mask: int) -> bool:
    """Whether the piece on ``square`` may go to ``mask``, or, if it is unnamed, may be of a kind that may."""
    if any(BB_SQUARES[move.to_square] & mask for move in s.position.moves_from(square)):
        return True
    mine = BB_SQUARES[square] & s.own
    if not mine or s.board is None:
        return False
    board, white = s.position.board, s.position.turn
    return any(
        goes(board, kind, white, square, mask.bit_length() - 1)
        for _, one, _ in Unnamed(s).standing(s.board, mine)
        for kind in one.kinds
    )


def took_before_it_left(s: State, square: chess.Square, target: chess.Square, filled: c.Ms, ms: c.Ms) -> State:
    """The piece of ``square`` leaves at ``ms``, just after the opponent's square ``target`` was filled again: keep in
    mind that it may have captured there, its destination reported first."""
    # In a match, a piece set down elsewhere afterwards may be a drop, so it would not show that this was no capture.
    brushed = s.position.drop_board is not None and ms - filled > OVERLAP_MS // 2 and _brushed(s, target, filled)
    # A player who puts pieces straight one after the other captures none. A scan shows at once that a piece has left,
    # unless a contact bounces: if ``target`` was only brushed, the piece that leaves now has not captured there.
    brushed = brushed or (s.pace.by_scans and ms - filled > BOUNCE_MS and _brushed(s, target, filled))
    if ms - filled > (OVERLAP_MS if s.has_announced(s.turn.side, ms) else EARLY_MS) or brushed:
        return s
    if any(m.to_square == target for m in s.position.moves_from(square)):
        return s.tracing(retaken=target)
    if _leads_to(s, square, BB_SQUARES[target]):
        return s.tracing(refilled=target)
    return s


def _brushed(s: State, square: chess.Square, filled: c.Ms) -> bool:
    """Whether that square, when it was filled again, had been open for less than a brush."""
    opened = s.trace.latest(square, empty=True, since=s.turn.start)
    return opened is not None and filled - opened.ms < s.brush_ms
