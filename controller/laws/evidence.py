"""What in the record of the game a notice or a verdict rests on: the optional fields of a violation, of an illegal
move, and of a claim answered (4.8, 6.8, 7.5, 9.2, 9.3).

Evidence is measured, never judged: which pieces were touched and when, which move stands, when a flag fell, where a
position has stood. Each function gives the fields that the record fills; where it shows nothing, none.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from chess import BB_EMPTY, SQUARE_NAMES, Move

from controller import contract as c
from controller.laws.record import Made
from controller.laws.state import NS, State
from controller.laws.touch import Owed, PartialMove, TouchedPiece, owed
from controller.position import names, squares, uci

Evidence = Mapping[str, Any]
"""Fields of :class:`controller.contract.Claimed`, or of :class:`controller.contract.Irregularity`."""

NOTHING: Evidence = MappingProxyType({})


def told_by(item: c.Arbiter) -> Evidence:
    """What the arbiter says to it in his own words, and who saw it."""
    return {"text": item.text or item.reason or "", "witnesses": list(item.witnesses)}


# -- of an irregularity ----------------------------------------------------------------------------------------------


def hands(touches: Sequence[TouchedPiece], partial_move: PartialMove | None) -> Sequence[TouchedPiece]:
    """All that binds a player by touch: the pieces of the board, and where one of his stock has touched it (17 of the
    blitz à quatre), in order."""
    laid = None if partial_move is None else partial_move.laid
    return touches if laid is None else sorted([*touches, laid], key=lambda touch: touch.ms)


def handled(touches: Sequence[TouchedPiece], owing: Owed | None = None) -> Evidence:
    """The pieces touched, in order, each with when it was lifted; and what they oblige to."""
    said: dict[str, Any] = {}
    if touches:
        said["squares"] = [SQUARE_NAMES[touch.square] for touch in touches]
        said["touched_ms"] = [touch.ms for touch in touches]
    if owing is not None and owing.must != "free":
        said["owed"] = names(owing.moves)
    return said


def moved(s: State, made: Made, owing: Owed | None = None) -> Evidence:
    """A move, the pieces touched before it, and what was owed, by them if not ``owing``, where it is not that."""
    owing = owing or owed(made.before, made.touches, made.partial_move, s.laws.clause, s.together_ms)
    met = owing is not None and made.move in owing.moves
    said = dict(handled(hands(made.touches, made.partial_move), None if met else owing))
    if made.move:
        said["uci"] = uci(made.move)
    if made.inferred:
        said["basis"] = "inferred"
    return said


def moved_about(made: Made | None, mask: int = BB_EMPTY) -> Evidence:
    """Pieces set down elsewhere by a hand that nobody saw: where from and where to (a bitboard), and after which
    move."""
    said: dict[str, Any] = {"basis": "inferred"}
    if made is not None and made.move:
        said["uci"] = uci(made.move)
    if mask:
        said["squares"] = [SQUARE_NAMES[square] for square in squares(mask)]
    return said


# -- of a claim answered ---------------------------------------------------------------------------------------------


def touched(touches: Sequence[TouchedPiece]) -> Evidence:
    """The pieces touched, in order, each with when it was."""
    return {"since_ms": touches[0].ms, **handled(touches)} if touches else NOTHING


def played(made: Made) -> Evidence:
    """A move, and what was touched before it."""
    return {
        "uci": made.move.uci() if made.move else None,
        "since_ms": made.ms,
        **touched(hands(made.touches, made.partial_move)),
    }


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
    elif s.position.is_legal(move):
        sought = s.position.after(move).recurs
    else:
        return NOTHING
    plies = [0, *(made.ply for made in s.made)][-len(keys) :]
    return {"plies": [ply for ply, key in zip(plies, keys, strict=True) if key == sought]}
