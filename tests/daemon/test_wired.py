"""Games through the whole of an imperfect matrix: electrical board, driver, scan thread, table. Time is a number."""

import random

import chess
import pytest
from wired import Wired

from controller.daemon.suspects import Ghosts, fourth_corners
from hardware.simulator.games import random_game
from hardware.simulator.habits import Habits
from hardware.simulator.hands import Gesture, play

HANDS = Habits(
    press=False,
    think_ms=(700, 2000),
    mover_first=0.4,
    castle_together=0.4,
    en_passant=(1, 1, 1),
    slide=0.1,
    choose_queen=True,
)
PLIES = 40


def hands(moves: list[chess.Move], seed: int, board: chess.Board | None = None) -> list[Gesture]:
    return play(board or chess.Board(), moves, HANDS, seed)


@pytest.mark.parametrize("seed", range(3))
def test_bounce_and_a_weak_magnet_cost_no_ply(build: type[Wired], seed: int) -> None:
    """Each contact chatters for 1 ms, and a sensor in the middle of things opens at 2 % of its readings."""
    wired, moves = build(seed=seed), random_game(seed, PLIES)
    wired.electrical.weaken(random.Random(seed).choice((chess.D4, chess.E4, chess.E5, chess.D2)), 0.02)
    wired.play(hands(moves, seed))
    assert wired.moves() == [move.uci() for move in moves]
    assert not [notice for _, notice in wired.noticed if notice.source == "ghosts"]


@pytest.mark.parametrize("square", [chess.A1, chess.H7, chess.D8])
def test_a_sensor_that_sticks_open_is_named_within_ten_seconds(build: type[Wired], square: chess.Square) -> None:
    """Also beside another that flickers, which is no reason to keep quiet about it."""
    wired = build()
    wired.electrical.weaken(chess.C5, 0.0)
    wired.electrical.weaken(chess.B7, 0.1)
    wired.run_until(2_000)
    wired.electrical.stick(square, "open")
    wired.run_until(12_000)
    (named,) = [notice for notice in wired.notices.current if notice.source == "sensor"]
    assert chess.square_name(square) in named.what
    assert "flickers: b7" in named.what
    assert "denied" in named.what
    wired.electrical.stick(square, None)
    wired.run_until(14_000)
    assert all("denied" not in notice.what for notice in wired.notices.current)


# -- ghosts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("diodes", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_a_board_without_diodes_is_known_for_one_and_nothing_is_played(
    build: type[Wired], seed: int, diodes: bool
) -> None:
    """Whether its configuration admits it or not."""
    wired, moves = build(seed=seed, fitted=False, diodes=diodes), random_game(seed, 12)
    wired.play(hands(moves, seed))
    assert wired.moves() == []
    ms, notice = next((ms, notice) for ms, notice in wired.noticed if notice.source == "ghosts")
    assert ms < 10_000
    assert "diode" in notice.cause


ENDGAMES = ("8/8/4k3/8/8/3K4/8/R6R w - - 0 1", "8/5r2/4k3/8/8/3K4/1R6/7R w - - 0 1")


@pytest.mark.parametrize("fen", ENDGAMES)
@pytest.mark.parametrize("seed", range(4))
def test_with_few_pieces_a_game_goes_on_between_the_ghosts_and_no_move_is_invented(
    build: type[Wired], fen: str, seed: int
) -> None:
    board, rng, moves = chess.Board(fen), random.Random(seed), []
    while len(moves) < 16 and not board.is_game_over():
        moves.append(rng.choice([move for move in board.legal_moves if not board.is_capture(move)]))
        board.push(moves[-1])
    wired = build(seed=seed, fitted=False, diodes=False, fen=fen)
    wired.play(hands(moves, seed, chess.Board(fen)))
    truth = [move.uci() for move in moves]
    assert wired.moves() == truth[: len(wired.moves())]


def squares(names: str) -> int:
    return sum(chess.BB_SQUARES[chess.parse_square(name)] for name in names.split())


@pytest.mark.parametrize(
    ("appeared", "others", "suspected"),
    [
        ("e1 e4", "a1 a4", "e1 e4"),  # either may be the ghost of the other
        ("a4 e1", "a1 e4", "a4 e1"),
        ("e1 e4", "a1", ""),
        ("e1 e5", "a1 a4", ""),
        ("e4", "a1 a4 e1", ""),  # alone: a piece, for a ghost would have stood there before
        ("a4 b4 c4", "a1 b1 c1", "a4 b4 c4"),
    ],
)
def test_a_ghost_comes_with_the_third_corner(appeared: str, others: str, suspected: str) -> None:
    assert fourth_corners(squares(appeared), squares(appeared) | squares(others)) == squares(suspected)


def test_as_many_pieces_as_the_game_has_are_pieces() -> None:
    """King and rook set down in one scan, beside two pawns: castling with both hands."""
    ghosts = Ghosts()
    ghosts.see(squares("f1 g1"), squares("f1 g1 f2 g2"), pieces=4)
    assert ghosts.squares == []
    ghosts.see(squares("f1 g1"), squares("f1 g1 f2 g2"), pieces=3)
    assert ghosts.squares == [chess.F1, chess.G1]
    ghosts.see(0, squares("g1 f2 g2"), pieces=3)
    assert ghosts.squares == []
