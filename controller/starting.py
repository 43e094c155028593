"""What a session begins with: the position, and the clock."""

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import BughouseBoard
from controller.chess960 import set_up
from controller.errors import LogError
from controller.laws.clock import ChessClock
from controller.laws.editions import profile
from controller.laws.timecontrol import parse


def clock(session: c.Session) -> ChessClock | None:
    """The clock of the session; None without one. Raises :exc:`LogError` for a time control that means nothing."""
    if session.clock is None:
        return None
    try:
        return ChessClock(replace(parse(session.clock), delay_carries_over=profile(session).delay_carries_over))
    except LogError as error:
        raise LogError(f"malformed session line: {error.what} - at `$.clock`", error.cause, error.next_step) from error


def start(session: c.Session, name: c.BoardId | None) -> chess.Board:
    """The start position of the session; ``name``: of which board of a match. Raises :exc:`LogError` for a FEN that
    means nothing."""
    fen, field = session.fen, "$.fen"
    if not isinstance(fen, str):
        if name is None:
            raise LogError("malformed session line: expected a FEN or `startpos`, for a game of one board - at `$.fen`")
        fen, field = (fen.A if name == "A" else fen.B), f"$.fen.{name}"
    try:
        if name is None:
            board = set_up(fen, session.variant)
        elif session.variant != "standard":
            raise ValueError("a match is played from the usual position, and not as chess960")
        else:
            board = BughouseBoard(BughouseBoard.starting_fen if fen == "startpos" else fen)
            if any(stock.count(chess.KING) for stock in board.pockets):
                raise ValueError("a king is in no stock")
    except ValueError as error:
        raise LogError(f"malformed session line: expected a FEN or `startpos`: {error} - at `{field}`") from error
    board.castling_rights = board.clean_castling_rights()
    return board
