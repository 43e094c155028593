"""What in the record of the game a verdict rests on: the optional fields of a claim answered (4.8, 6.8, 7.5, 9.2, 9.3).

Evidence is measured, never judged: which men were touched and when, which move stands, when a flag fell, where a
position has stood. Each function gives the fields that the record fills; where it shows nothing, none.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chess import SQUARE_NAMES, Move

from controller.laws.deadposition import position_key
from controller.laws.record import Made
from controller.laws.state import NS, State
from controller.laws.touch import Touch

Evidence = Mapping[str, object]
"""Fields of :class:`controller.contract.Claimed`."""

NOTHING: Evidence = MappingProxyType({})


def touched(touches: Sequence[Touch]) -> Evidence:
    """The men touched, in order, and when the first of them was."""
    if not touches:
        return NOTHING
    return {"since_ms": touches[0].ms, "squares": [SQUARE_NAMES[touch.square] for touch in touches]}


def played(made: Made) -> Evidence:
    """A move, and what was touched before it."""
    return {"uci": made.move.uci() if made.move else None, "since_ms": made.ms, **touched(made.touches)}


def pressed(made: Made) -> Evidence:
    """An illegal move that was completed, since when it stands, and what was touched before it."""
    return {**played(made), "since_ms": made.ms}


def fell(ns: int) -> Evidence:
    """When a flag fell, in ms: the first that is not before it."""
    return {"since_ms": -(-ns // NS)}


def drawn(s: State, of: str, move: Move | None) -> Evidence:
    """After which moves the position has stood that is claimed, or that ``move`` leads to; or how many were quiet."""
    if of == "fifty-moves":
        return {"quiet_plies": s.position.board.halfmove_clock}
    keys = s.keys()
    if move is None:
        sought = keys[-1]
    elif move in s.position.legal():
        sought = position_key(s.position.after(move).board)
    else:
        return NOTHING
    plies = [0, *(made.ply for made in s.made)][-len(keys) :]
    return {"plies": [ply for ply, key in zip(plies, keys, strict=True) if key == sought]}
