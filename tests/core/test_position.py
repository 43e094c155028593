"""A position remembers what python-chess works out: the two agree on everything, wherever play leads."""

import chess
from hypothesis import given
from hypothesis import strategies as st
from positions import positions

from controller.position import EMPTY, Position, squares, unreachable


@given(positions())
def test_the_fen_is_that_of_python_chess(position: Position) -> None:
    assert position.fen() == position.board.fen()


@given(positions())
def test_every_move_has_the_name_that_python_chess_gives_it(position: Position) -> None:
    for move in position.board.legal_moves:
        assert position.san(move, position.after(move)) == position.board.san(move)


@given(positions(), st.permutations(chess.SQUARES))
def test_moves_from_each_square_are_the_legal_ones_in_whichever_order_asked(
    position: Position, order: list[chess.Square]
) -> None:
    legal = list(position.board.legal_moves)
    for square in order:
        assert set(position.moves_from(square)) == {m for m in legal if m.from_square == square}
    assert position.has_legal_move() == bool(legal)
    assert set(position.legal()) == set(legal)


@given(positions())
def test_asking_for_all_first_changes_nothing(position: Position) -> None:
    whole = position.legal()
    for square in chess.SQUARES:
        assert position.moves_from(square) == [m for m in whole if m.from_square == square]


@given(positions())
def test_the_moves_that_take_a_piece_are_all_there_are(position: Position) -> None:
    board = position.board
    for square in squares(board.occupied_co[not board.turn]):
        taking = {m for m in board.legal_moves if played(board, m).color_at(square) != (not board.turn)}
        assert set(position.capturing(square)) == taking


@given(positions())
def test_a_move_changes_the_squares_that_it_says_and_no_other(position: Position) -> None:
    for move in position.board.legal_moves:
        after = position.after(move)
        expected = {s: after.symbol(s) for s in chess.SQUARES if after.symbol(s) != position.symbol(s)}
        assert dict(position.changes(move)) == expected
        assert after.board.fen() == played(position.board, move).fen()


@given(positions())
def test_castling_takes_the_rook_to_the_other_side_of_the_king(position: Position) -> None:
    for move in position.board.legal_moves:
        assert position.castles(move) == position.board.is_castling(move)
        if position.castles(move):
            both = position.castling(move)
            after = position.after(move)
            assert (position.symbol(both.king) + position.symbol(both.rook)).upper() == "KR"
            assert after.symbol(both.king_to) == position.symbol(both.king)
            assert after.symbol(both.rook_to) == position.symbol(both.rook)
            left = {both.king, both.rook} - {both.king_to, both.rook_to}
            assert all(after.symbol(square) == EMPTY for square in left)
            assert {chess.square_file(both.king_to), chess.square_file(both.rook_to)} in ({6, 5}, {2, 3})


@given(positions(), positions())
def test_two_positions_have_one_key_just_when_pieces_and_player_are_the_same(one: Position, two: Position) -> None:
    same = (one.board.board_fen(), one.turn) == (two.board.board_fen(), two.turn)
    assert (one.key() == two.key()) == same


def test_in_a_position_that_no_game_reaches_no_king_is_taken() -> None:
    odd = Position(chess.Board("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"), odd=True)
    assert "e1e8" not in [move.uci() for move in odd.moves_from(chess.E1)]
    assert "e1e8" not in [move.uci() for move in odd.legal()]
    assert "e1e7" in [move.uci() for move in odd.legal()]


TWO_KINGS = (
    "r3k2r/8/8/8/8/8/8/RK2K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K1KR w KQkq - 0 1",
    "4k3/8/8/8/4r3/8/8/R3K2K w Q - 0 1",
    "4k2k/8/8/3pP3/8/8/4R3/4K2K w - d6 0 1",
    "k3k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
)


@given(st.sampled_from(TWO_KINGS), st.permutations(chess.SQUARES))
def test_with_two_kings_of_a_colour_the_answer_is_one_in_whichever_order_asked(
    fen: str, order: list[chess.Square]
) -> None:
    board = chess.Board(fen)
    assert unreachable(board)
    asked, whole = Position(board, odd=True), Position(board, odd=True)
    first = {square: asked.moves_from(square) for square in order}
    assert {move for moves in first.values() for move in moves} == set(whole.legal()) == set(asked.legal())
    assert {square: whole.moves_from(square) for square in order} == first
    for move in whole.legal():
        assert not chess.BB_SQUARES[move.to_square] & (board.kings | board.occupied_co[board.turn])
        if not board.is_castling(move):
            assert whole.san(move, whole.after(move)).rstrip("+#") == board.san(move).rstrip("+#")


def played(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def test_a_king_that_goes_too_far_has_not_castled() -> None:
    """Illegal, and dismissed by an arbiter, it has a name all the same."""
    position = Position(chess.Board("8/2k5/8/8/8/8/7P/4K3 b - - 0 1"))
    move = chess.Move.from_uci("c7a7")
    assert position.san(move, position.after(move)) == "Ka7"
