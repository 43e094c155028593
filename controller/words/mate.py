"""Whether mate was possible still, and what shows it, in words (5.2.2, 6.9): the evidence of a result."""

from collections.abc import Iterator, Sequence

import chess

from controller.contract import BLACK, WHITE, Result, Side, other
from controller.words.context import Context
from controller.words.language import Language

LINE_SAID = 16  #: moves of a line to mate that are said
GAP = "\N{NO-BREAK SPACE}"  #: between the number of a move and the move


def can_mate(event: Result, to: Language, seen: Context) -> str:
    """By whom it would have been, and why it can or cannot be."""
    line = list(_numbered(event.line, to, seen.position))
    if len(line) > LINE_SAID:
        line = [*line[: LINE_SAID - 2], "...", *line[-2:]]  # how it begins, and the mate
    return to.text("inferred", f"mating {event.mating}", by=_by(event, to, seen), moves=" ".join(line))


def _by(event: Result, to: Language, seen: Context) -> str:
    """Nobody's name in a dead position, where neither can mate."""
    if event.reason == "dead-position":
        return ""
    side = _winner(event, seen)
    return to.text("by", "opponent") if side is None else to.text("by", "side", **to.sides(side))


def _winner(event: Result, seen: Context) -> Side | None:
    """Who would mate; None where that is not known."""
    if event.result != "1/2-1/2":
        return WHITE if event.result == "1-0" else BLACK
    return other(*seen.fallen) if event.reason == "time" and len(seen.fallen) == 1 else None


def _numbered(line: Sequence[str], to: Language, start: chess.Board | None) -> Iterator[str]:
    """Each move in the letters of the language, White's with its number; without, where the position is not known."""
    board = None if start is None else start.copy(stack=False)
    for at, uci in enumerate(line):
        said = to.move(uci, board)
        if board is None or chess.Move.from_uci(uci) not in board.legal_moves:
            yield said
            continue
        dots = "." if board.turn else "…"
        yield f"{board.fullmove_number}{dots}{GAP}{said}" if board.turn or not at else said
        board.push_uci(uci)
