"""What a player chooses by button: the piece that he promotes to (4.4.4), or in a match the one that he drops (17)."""

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.laws.drop_names import said_late
from controller.laws.outcomes import triggered
from controller.laws.said_early import keep, may_be_his_turn
from controller.laws.state import State, colour
from controller.laws.turn import Trigger
from controller.sensing.difference import LEGAL, WHOLE, Kind


def choose(s: State, word: c.Choose) -> State:
    """A player names by button the piece that he promotes to, or drops. The choice is final once what stands there is
    released (4.4.4), except if it is named only then, and in a match, where only the button tells."""
    side, piece = word.side, word.piece
    if _has_to_correct(s, side):
        return s
    kind = chess.PIECE_SYMBOLS.index(piece)
    if (said := said_late(s, side, kind)) is not None:
        return said
    last = s.last()
    promoted = s.position.drop_board is None and last is not None and last.side == side and last.move.promotion
    if promoted and side != s.turn.side and s.turn.difference.kind not in LEGAL and not _set_down_ahead(s, side):
        # The last promotion is settled; the next one can be named once the opponent's move stands.
        return keep(s, word) if may_be_his_turn(s, side) else s
    stands = _stands_promoted(s, side)
    if side in s.chosen and stands and side not in s.renaming:
        return s
    s = replace(s, chosen={**s.chosen, side: kind}, renaming=s.renaming | {side} if stands else s.renaming - {side})
    if side == s.turn.side and s.ambiguous and s.turn.difference.kind is Kind.WHOLE and s.turn.judged:
        s, _ = triggered(s, Trigger.RELEASE)
    return s


def _set_down_ahead(s: State, side: c.Side) -> bool:
    """Whether a piece that the game does not have stands on the last rank of ``side``: that of his next promotion."""
    last_rank = chess.BB_RANK_8 if colour(side) else chess.BB_RANK_1
    ahead = s.mismatch & last_rank
    return ahead & ~s.empty(ahead) != 0


def _has_to_correct(s: State, side: c.Side) -> bool:
    """Whether ``side`` has completed an illegal move to which nobody has replied, or corrects one before the ruling:
    then he has nothing to choose, except for an unfinished promotion in an edition that makes no queen of it (7.5.2).
    """
    at, last = s.uncorrected(), s.last()
    made = last if at is None else s.made[at]
    partial_move = s.turn.partial_move
    if not (s.turn.corrects and s.turn.side == side):
        if made is None or not made.illegal or made.reported or made.side != side:
            return False
        partial_move = made.partial_move
    return s.laws.pawn_left_is_queen or partial_move is None or partial_move.part != "promotion"


def _stands_promoted(s: State, side: c.Side) -> bool:
    """Whether, outside a match, a promotion of ``side`` stands whole on the board, and is released."""
    difference = s.turn.difference
    return (
        s.position.drop_board is None
        and side == s.turn.side
        and difference.kind is WHOLE
        and s.turn.judged
        and bool(difference.moves[0].promotion)
    )
