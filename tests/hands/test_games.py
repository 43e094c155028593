"""The games that the hands play: random ones are legal and rich, those of the files are whole."""

from pathlib import Path

import chess
import pytest

from hardware.simulator.games import pgn_games, random_game

FILES = sorted((Path(__file__).resolve().parents[1] / "games").glob("*.pgn"))


def test_a_random_game_is_legal_and_its_seed_s_own() -> None:
    board = chess.Board()
    moves = random_game(11, 120)
    for move in moves:
        assert board.is_legal(move)
        board.push(move)
    assert len(moves) == 120 or board.is_game_over()
    assert moves == random_game(11, 120) != random_game(12, 120)


def test_random_games_are_rich_in_what_is_hard_to_sense() -> None:
    captures = castlings = passings = promotions = lesser = 0
    for seed in range(40):
        board = chess.Board()
        for move in random_game(seed, 120):
            captures += board.is_capture(move)
            castlings += board.is_castling(move)
            passings += board.is_en_passant(move)
            promotions += bool(move.promotion)
            lesser += move.promotion not in (None, chess.QUEEN)
            board.push(move)
    assert captures > 15 * 40
    assert castlings > 40
    assert passings > 10
    assert promotions > lesser > 5


def test_a_random_game_ends_with_the_move_that_forces_a_dead_position() -> None:
    board = chess.Board()
    for move in random_game(78, 120):
        board.push(move)
    assert board.board_fen() == "8/6k1/8/1n6/8/8/1K6/1q6"  # only Kxb1 is legal, and then nobody can mate
    assert not board.is_insufficient_material()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_real_game_is_legal_to_its_end(path: Path) -> None:
    [(board, moves)] = pgn_games(path)
    assert board == chess.Board()
    for move in moves:
        assert board.is_legal(move)
        board.push(move)
    assert len(moves) > 20


def test_there_are_real_games() -> None:
    assert len(FILES) >= 9


def test_a_file_with_an_illegal_move_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text("1. e4 e5 2. Ke3 *\n")
    with pytest.raises(ValueError, match="Ke3"):
        pgn_games(path)


def test_a_file_with_an_empty_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.pgn"
    path.write_text('[Event "Nothing yet"]\n\n*\n')
    with pytest.raises(ValueError, match="without moves"):
        pgn_games(path)
