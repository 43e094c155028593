"""The evidence for a notice or a verdict: the optional fields of a violation, of an illegal move, and of the answer to
a claim (4.8, 6.8, 7.5, 9.2, 9.3).

Evidence is measured, never judged: which pieces were touched and when, which move stands, when a flag fell, after which
moves a position stood. Each function returns the fields that it can fill from the record; none if it shows nothing.
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
    """The arbiter's own words, and the names of witnesses."""
    return {"text": item.text or item.reason or "", "witnesses": list(item.witnesses)}


# -- of an irregularity ----------------------------------------------------------------------------------------------


def hands(touches: Sequence[TouchedPiece], partial_move: PartialMove | None) -> Sequence[TouchedPiece]:
    """All touches that bind a player, in order: of pieces on the board, and that of a piece from his stock (17 of the
    blitz à quatre)."""
    laid = None if partial_move is None else partial_move.laid
    return touches if laid is None else sorted([*touches, laid], key=lambda touch: touch.ms)


def handled(touches: Sequence[TouchedPiece], owing: Owed | None = None) -> Evidence:
    """The pieces touched, in order, each with the time of its lift; and the moves that are owed."""
    said: dict[str, Any] = {}
    if touches:
        said["squares"] = [SQUARE_NAMES[touch.square] for touch in touches]
        said["touched_ms"] = [touch.ms for touch in touches]
    if owing is not None and owing.must != "free":
        said["owed"] = names(owing.moves)
    return said


def moved(s: State, made: Made, owing: Owed | None = None) -> Evidence:
    """A move, the pieces touched before it, and what was owed if the move did not meet it: ``owing``, else what these
    touches oblige to."""
    owing = owing or owed(made.before, made.touches, made.partial_move, s.laws.clause, s.together_ms)
    met = owing is not None and made.move in owing.moves
    said = dict(handled(hands(made.touches, made.partial_move), None if met else owing))
    if made.move:
        said["uci"] = uci(made.move)
    if made.inferred:
        said["basis"] = "inferred"
    return said


def moved_about(made: Made | None, mask: int = BB_EMPTY) -> Evidence:
    """Pieces that an unknown hand has set down elsewhere: the squares that they left and fill, a bitboard, and the move
    after which it did so."""
    said: dict[str, Any] = {"basis": "inferred"}
    if made is not None and made.move:
        said["uci"] = uci(made.move)
    if mask:
        said["squares"] = [SQUARE_NAMES[square] for square in squares(mask)]
    return said


# -- of a claim answered ---------------------------------------------------------------------------------------------


def touched(touches: Sequence[TouchedPiece]) -> Evidence:
    """The pieces touched, in order, each with its time."""
    return {"since_ms": touches[0].ms, **handled(touches)} if touches else NOTHING


def played(made: Made) -> Evidence:
    """A move, and the pieces touched before it."""
    return {
        "uci": made.move.uci() if made.move else None,
        "since_ms": made.ms,
        **touched(hands(made.touches, made.partial_move)),
    }


def fell(ns: int) -> Evidence:
    """When a flag fell, in ms, rounded up."""
    return {"since_ms": -(-ns // NS)}


def drawn(s: State, of: str, move: Move | None) -> Evidence:
    """The plies after which the present position, or the one that ``move`` leads to, has stood; for fifty moves, how
    many plies were quiet."""
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
