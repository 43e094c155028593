""" "J'adoube" (4.2): who says it, and whose pieces it covers."""

from chess import BB_SQUARES, Square
from msgspec.structs import replace

from controller import contract as c
from controller.laws.outcomes import released_without_its_name
from controller.laws.said_early import keep, may_be_his_turn
from controller.laws.state import State, colour
from controller.laws.turn import Raised
from controller.position import EMPTY
from controller.sensing.readings import of_colour


def adjust(s: State, word: c.Adjust) -> State:
    """ "J'adoube" (4.2): only the player having the move may."""
    side = word.side
    if side != s.turn.side:
        s = released_without_its_name(s)  # the drop that stands is made by that, so that he has the move
    s = replace(s, announced={**s.announced, side: s.now})
    if may_be_his_turn(s, side):
        return keep(s, word)
    return s if side == s.turn.side else s.violate(side, "adjust-out-of-turn", s.laws.clause.adjust)


def announced_out_of_turn(s: State, square: Square, ms: c.Ms) -> c.Side | None:
    """The player not having the move, if he said "j'adoube" and at ``ms`` lifts one of his own pieces; else None."""
    if s.has_announced(s.turn.side, ms):
        return None
    opponent = c.other(s.turn.side)
    theirs = BB_SQUARES[square] & s.position.board.occupied_co[colour(opponent)]
    return opponent if theirs and s.has_announced(opponent, ms) else None


def taken_all_the_same(s: State, square: Square, seen: str) -> State:
    """A piece that may capture there is set down on ``square``, whose piece the other player, after "j'adoube" out of
    turn, seemed to have lifted. It was not his hand, and that piece is captured. Otherwise the same state."""
    edge = s.trace.last_edge(square, s.turn.start)
    if edge < 0 or s.stopped or not s.announced or s.unexplained_pieces & BB_SQUARES[square]:
        return s
    lift = s.trace[edge]
    if lift.seen != EMPTY or lift.white is not None or not of_colour(seen, s.position.turn):
        return s
    s = s.raising(square, Raised(lift.ms, announced=False))
    return replace(s, not_by_mover=s.not_by_mover & ~BB_SQUARES[square])
