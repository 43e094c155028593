"""Which pieces were touched, in what order as far as that can be known, and what follows where it cannot (4.3, 4.4).

Two touches closer than ``simultaneous_ms`` have no order that anybody could swear to. What is measured is then told
without one; what the Laws make of it is told apart, as inferred.
"""

from collections.abc import Sequence

import chess
from msgspec import Struct

from controller.contract import WHITE, Claimed, Illegal, Side, Violation
from controller.contract import Touch as TouchEvent
from controller.words.context import SeenTurn
from controller.words.language import Language

_HOME = {"K": "e1", "k": "e8"}
_ROOKS = {"K": (("R", "a1"), ("R", "h1")), "k": (("r", "a8"), ("r", "h8"))}


class Touched(Struct, frozen=True):
    """One piece touched, or where a piece of the stock has touched the board."""

    square: str
    piece: str  #: FEN letter; ``""`` unknown; behind a ``@`` of the stock, the mark alone where it may be any of them
    ms: int


def of_turn(touches: Sequence[TouchEvent]) -> list[Touched]:
    """What a player has touched in his turn, in order."""
    return [Touched(touch.square, touch.piece, touch.began_ms) for touch in touches]


def of_notice(event: Illegal | Violation, turn: SeenTurn, board: chess.Board | None) -> list[Touched]:
    """What a notice says was touched, in order; empty where it does not say when."""
    pieces = [_piece(square, event, turn, board) for square in event.squares]
    return [Touched(*each) for each in zip(event.squares, pieces, event.touched_ms, strict=False)]


def of_claim(event: Claimed, turn: SeenTurn) -> list[Touched]:
    """What the record shows that the opponent had touched, in order; empty where it does not show when. His ``turn``
    tells which pieces those were, unless he has begun another since."""
    known = {(touch.square, touch.began_ms): touch.piece for touch in turn.touches}
    return [Touched(at, known.get((at, ms), ""), ms) for at, ms in zip(event.squares, event.touched_ms, strict=False)]


def together(times: Sequence[int], apart_ms: int) -> list[int]:
    """For each of some touches in order, how many come before it for certain: those with the same number are too close
    to each other to know."""
    ranks: list[int] = []
    for at, ms in enumerate(times):
        close = at > 0 and ms - times[at - 1] < apart_ms
        ranks.append(ranks[-1] if close else at)
    return ranks


def shown(touched: Sequence[Touched], to: Language, apart_ms: int) -> tuple[str, ...]:
    """What was touched and when, in a phrase, and in order where that is known; nothing if nothing was."""
    if not touched:
        return ()
    said = [to.text("measured", _how(each.piece), **_fields(each, to)) for each in touched]
    known = len(_runs(touched, apart_ms)) == len(touched)
    key = "touched" if len(touched) == 1 else "touched in order" if known else "touched together"
    return (to.text("measured", key, touches=", ".join(said)),)


def order(touched: Sequence[Touched], side: Side, to: Language, apart_ms: int) -> tuple[str, ...]:
    """What follows for ``side`` where nobody can know which piece he touched first, each in a phrase."""
    said = []
    for run in _runs(touched, apart_ms):
        if len(run) > 1:
            squares = to.both([each.square for each in run])
            fields = {"squares": squares, "span": to.span(apart_ms), "first": run[0].square}
            said.append(to.text("inferred", _follows(run, side), **fields))
    return tuple(said)


def _runs(touched: Sequence[Touched], apart_ms: int) -> list[list[Touched]]:
    """Those that were touched too close to each other, together."""
    ranks = together([each.ms for each in touched], apart_ms)
    return [[each for each, rank in zip(touched, ranks, strict=True) if rank == at] for at in sorted({*ranks})]


def _follows(run: Sequence[Touched], side: Side) -> str:
    """King and rook at once mean castling (4.4.1, 4.4.3); a player's own piece comes before the opponent's (4.3.3)."""
    where = {(each.piece, each.square) for each in run}
    if any((king, home) in where and where & {*_ROOKS[king]} for king, home in _HOME.items()):
        return "touched as for castling"
    own = {each.piece.isupper() == (side == WHITE) for each in run if each.piece.isalpha()}
    return "touched the own piece first" if len(own) > 1 else "touched as shown"


def _piece(square: str, event: Illegal | Violation, turn: SeenTurn, board: chess.Board | None) -> str:
    """What was touched there, as :class:`Touched` has it. Where no piece stood, and a drop is owed or it was out of
    turn, it was touched by one of the stock."""
    if (touch := next((touch for touch in turn.touches if touch.square == square), None)) is not None:
        return touch.piece
    piece = board.piece_at(chess.parse_square(square)) if board is not None else None
    dropped = event.kind == "out-of-turn" or any("@" in move for move in event.owed)
    if piece is None and board is not None and dropped:
        return _from_stock(event)
    return piece.symbol() if piece else ""


def _from_stock(event: Illegal | Violation) -> str:
    """Which piece of the stock has touched an empty square (17 of the blitz à quatre)."""
    kinds = {move[0] for move in event.owed if "@" in move}
    kind = kinds.pop() if len(kinds) == 1 else ""
    return "@" + (kind if event.side == WHITE else kind.lower())


def _fields(each: Touched, to: Language) -> dict[str, str]:
    letter = each.piece.removeprefix("@")
    return {"piece": to.piece(letter) if letter else "", "square": each.square, "at": to.at(each.ms)}


def _how(piece: str) -> str:
    """Which phrase tells of it."""
    if piece.startswith("@"):
        return "touch from the stock" if piece[1:] else "touch from the stock, by whom unknown"
    return "touch" if piece else "touch unknown"
