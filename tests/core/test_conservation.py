"""Nothing comes from nowhere in a match: on both boards, in both stocks and in hand are always two full sets.

In hand is what was taken and not yet completed (18). A promoted piece is a pawn in wood (9). The core is asked after
each event, whatever it makes of the hands: such as name what they drop, and such as leave it to guess and be named
anew.
"""

from collections import Counter

import chess
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import FULL
from controller.laws.state import State
from controller.match import MatchAQuatre
from hardware.simulator.games import EAGER, PATIENT
from hardware.simulator.habits import Habits
from hardware.simulator.matches import PLAYERS, inputs, play_match

Pieces = Counter[tuple[chess.Color, chess.PieceType]]

TWO_SETS: Pieces = Counter(
    {(white, kind): many for white in chess.COLORS for kind, many in {**FULL, chess.KING: 2}.items()}
)
SILENT = replace(PLAYERS, choose_drops=False)


def on_the_board(s: State) -> Pieces:
    board = s.position.board
    pieces = Counter((piece.color, piece.piece_type) for piece in board.piece_map().values())
    for square in chess.SquareSet(board.promoted):
        piece = board.piece_at(square)
        assert piece is not None
        pieces[piece.color, piece.piece_type] -= 1
        pieces[piece.color, chess.PAWN] += 1
    return pieces


def in_stock(s: State) -> Pieces:
    assert s.position.drop_board is not None
    pockets = s.position.drop_board.pockets
    return Counter({(white, kind): pockets[white].count(kind) for white in chess.COLORS for kind in FULL})


def in_hand(s: State) -> Pieces:
    """What was taken here and has not gone to the partner."""
    taken = Counter((made.side != c.WHITE, made.takes) for made in s.made if made.takes and not made.completed)
    return Counter({(white, kind): many for (white, kind), many in taken.items() if kind})


def all_pieces(match: MatchAQuatre) -> Pieces:
    pieces: Pieces = Counter()
    for game in match.games.values():
        pieces += on_the_board(game.state) + in_stock(game.state) + in_hand(game.state)
    return pieces


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    habits=st.sampled_from([PLAYERS, SILENT]),
    drop=st.sampled_from([EAGER, PATIENT]),
)
def test_after_every_event_there_are_two_full_sets(seed: int, habits: Habits, drop: float) -> None:
    match = MatchAQuatre(c.Session(version=1, play="blitz", supervised=False, clock="90", match="bughouse"))
    assert all_pieces(match) == TWO_SETS
    for item in inputs(play_match(seed, 90, habits, plies=60, drop=drop)):
        events = match.handle(item)
        # What stands on the board against the rules, told by now or not, need not be a piece that anybody had.
        assume(not any(made.illegal for game in match.games.values() for made in game.state.made))
        if events:
            assert all_pieces(match) == TWO_SETS, item
    match.finish()
    assert all_pieces(match) == TWO_SETS
