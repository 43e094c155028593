"""What hands do and how they are used to doing it: the words the hands are described in.

The times and orders are those of real players: about a quarter of a second from lift to place in blitz, captures,
castling, en passant and promotion in every order that recordings of sensor boards show.
"""

from typing import Literal, TypeAlias

import chess
from msgspec import Struct

from controller.contract import Side

GestureKind: TypeAlias = Literal["lift", "place", "press", "adjust", "choose", "contact"]
Drawn: TypeAlias = tuple[int, int]  #: a time in ms is drawn evenly from here, both ends included
Weights: TypeAlias = tuple[float, float, float]  #: how often each of three orders, relative to the others
Share: TypeAlias = float  #: how often a habit shows where it can, 0 (never) to 1 (always)


class Gesture(Struct, frozen=True):
    """One thing a hand did."""

    ms: int  #: since the session began
    kind: GestureKind
    side: Side  #: whose hand
    ply: int  #: the move it belongs to, from 1
    square: chess.Square = -1  #: -1 where there is none: press, adjust, choose
    piece: str = ""  #: FEN letter of the piece in the hand; of the kind chosen (lower case) for ``choose``


class Habits(Struct, frozen=True, kw_only=True):
    """How the players move. Spans are in ms, shares from 0 to 1; weights are relative."""

    think_ms: Drawn = (700, 3500)  #: from the opponent's press, or his release where nobody presses, to the first touch
    carry_ms: Drawn = (250, 600)  #: from lift to place
    reach_ms: Drawn = (150, 400)  #: from one piece to the next
    press: bool = True  #: the clock is pressed, save after the move that ends the game
    press_ms: Drawn = (150, 500)  #: from the release to the press

    mover_first: Share = 0.0  #: captures in which the taking piece is lifted before the taken one
    swap: Share = 0.0  #: exchanges within one millisecond: no sensor sees the square empty
    castle_together: Share = 0.0  #: king and rook lifted within 100 ms, either one first
    double_move: Share = 0.5  #: in chess960, where neither stands in the other's way: the king, then the rook
    en_passant: Weights = (1, 0, 0)  #: victim first, pawn first, victim after the pawn lands
    promotion: Weights = (1, 0, 0)  #: pawn taken off and piece set down, pawn to its last rank, piece before the pawn
    fetch_ms: Drawn = (400, 1500)  #: to find the new piece, or to press the button that names it
    choose_queen: bool = False  #: the button is pressed for queens too, not for other pieces alone
    choose_drops: bool = True  #: in a match the button is pressed for each piece from the stock
    choose_late: Share = 0.0  #: buttons of a match pressed once the piece stands there, not before
    choose_late_ms: Drawn = (50, 900)
    target_first: Share = 0.0  #: quiet moves and captures in which the new square closes before the old one opens
    target_lag_ms: Drawn = (5, 60)

    slide: Share = 0.0  #: pieces drawn over the squares between
    slide_ms: int = 80  #: a square
    hover: Share = 0.0  #: pieces set on a wrong square for less than a release
    hover_ms: Drawn = (80, 330)
    quick_reply: Share = 0.0  #: the opponent's first touch comes before the release is certain
    quick_ms: Drawn = (50, 300)

    finger: Share = 0.0  #: a finger laid on the piece before it is lifted (felt by few boards)
    brush: Share = 0.0  #: a piece jogged before the move, or an own one on the way
    brush_ms: Drawn = (30, 95)
    straighten: Share = 0.0  #: a piece or two put straight by the player having the move
    straighten_ms: Drawn = (180, 700)
    announce: Share = 1.0  #: how often he says "j'adoube" first


HONEST = Habits(
    mover_first=0.4,
    castle_together=0.4,
    en_passant=(1, 1, 1),
    promotion=(1, 1, 1),
    target_first=0.05,
    slide=0.15,
    hover=0.08,
    quick_reply=0.15,
    finger=0.05,
    brush=0.1,
    straighten=0.06,
)
"""What people do over a day of play, all of it within Article 4."""
