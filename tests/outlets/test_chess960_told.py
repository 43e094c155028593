"""A game of chess960 as it leaves the house: PGN, LiveChess and its Cloud, in each of which others read it back."""

import io

import chess
import chess.pgn
import pytest
from kit import Board

from controller import contract as c
from controller.chess960 import ORDINARY, as_seen, heading, number_of, standing, start_fen
from controller.journal import Journal
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast.pgn import broadcast_pgn
from controller.outlets.follow import Follower
from controller.outlets.livechess import rest as livechess_rest
from controller.outlets.livechess.line import LiveChessLine
from controller.outlets.scoresheet import Scoresheet

SWAP = "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1"
SWAP_NUMBER = 23


def castled(journal: Journal, fen: str, number: str = "7") -> Scoresheet:
    """White castles by changing king and rook, Black answers with a pawn."""
    board = Board(journal, variant="chess960", fen=fen, number=number)
    board.give(c.Lift, square="f1").give(c.Lift, square="g1").give(c.Place, square="f1").give(c.Place, square="g1")
    board.give(c.Press, side="white").put("b7b6").give(c.Press, side="black")
    follower = Follower(journal, number, 0, Scoresheet)
    while follower.read():
        pass
    assert follower.sheet is not None
    return follower.sheet


@pytest.mark.parametrize("fen", [SWAP, SWAP.replace("KQkq", "GEge")])
def test_the_score_is_read_back_by_another_program(journal: Journal, fen: str) -> None:
    text = broadcast_pgn(castled(journal, fen))
    assert '[Variant "Chess960"]' in text
    assert '[SetUp "1"]' in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert game.board().chess960
    assert game.board().chess960_pos() == SWAP_NUMBER
    assert [move.uci() for move in game.mainline_moves()] == ["f1g1", "b7b6"]


def test_a_game_from_the_usual_position_says_all_the_same_what_it_is(journal: Journal) -> None:
    Board(journal, variant="chess960")
    follower = Follower(journal, "7", 0, Scoresheet)
    follower.read()
    assert follower.sheet is not None
    text = broadcast_pgn(follower.sheet)
    assert '[Variant "Chess960"]' in text
    assert f'[FEN "{chess.STARTING_FEN}"]' in text


def test_livechess_and_its_cloud_tell_the_number_and_the_moves(journal: Journal) -> None:
    sheet = castled(journal, SWAP)
    told = cloud.game(sheet)
    assert told.chess960 == SWAP_NUMBER
    assert [move.split()[0] for move in told.moves] == ["O-O", "b6"]
    local = livechess_rest.game(sheet, None)
    assert local.chess960 == SWAP_NUMBER
    assert [move.split()[0] for move in local.moves] == ["O-O", "b6"]
    assert [step.tellable for step in LiveChessLine(sheet).steps] == [True, True]


def test_a_picture_marks_where_the_king_goes_or_the_rook(journal: Journal) -> None:
    assert castled(journal, SWAP).until(1).last == "f1g1"
    far = chess.Board("4k3/8/8/8/8/8/PPP5/1K5R w H - 0 1", chess960=True)
    assert [as_seen(uci, far) for uci in ("b1h1", "h1g1")] == ["b1g1", "h1g1"]
    still = chess.Board("4k3/8/8/8/8/8/6PP/6KR w H - 0 1", chess960=True)
    assert as_seen("g1h1", still) == "h1f1"


def test_from_another_position_there_is_its_fen_and_no_number(journal: Journal) -> None:
    fen = "4k3/8/8/8/8/8/6PP/5KRB w G - 0 1"
    Board(journal, variant="chess960", fen=fen)
    follower = Follower(journal, "7", 0, Scoresheet)
    follower.read()
    assert follower.sheet is not None
    told = cloud.game(follower.sheet)
    assert (told.chess960, told.moves, told.comment) == (ORDINARY, [], chess.Board(fen, chess960=True).fen())


def test_every_start_position_has_its_number() -> None:
    assert [number_of(start_fen(number)) for number in range(960)] == list(range(960))
    assert start_fen(ORDINARY) == chess.STARTING_FEN
    assert number_of(chess.STARTING_FEN.replace(" w ", " b ")) is None
    for number in (-1, 960):
        with pytest.raises(ValueError, match="from 0 to 959"):
            start_fen(number)


def test_what_stands_on_a_board_is_read_if_it_is_one_of_them() -> None:
    board = chess.Board.from_chess960_pos(SWAP_NUMBER)
    letters = [piece.symbol() if (piece := board.piece_at(square)) else "" for square in chess.SQUARES]
    drawn = standing(letters)
    assert drawn is not None
    assert drawn.fen() == board.fen()
    letters[chess.A1], letters[chess.B1] = letters[chess.B1], letters[chess.A1]  # on one side alone
    assert standing(letters) is None
    assert standing([""] * 64) is None


def test_above_the_board_stands_what_is_announced() -> None:
    assert heading(SWAP) == "Chess960 23: NQBNRKRB"
    assert heading("4k3/8/8/8/8/8/6PP/5KRB w G - 0 1") == "Chess960"
