"""Articles 5 and 9: what ends a game by itself, in which edition, and what may be claimed."""

from collections.abc import Hashable, Iterable

import chess
import pytest
from chess import Board, Move

from controller.contract import Session
from controller.laws import endings
from controller.laws.editions import EDITIONS, Profile, profile
from controller.laws.endings import both_in_check, ended, fifty_moves, is_illegal, threefold
from controller.position import position_key

ALL = tuple(EDITIONS)


def laws(edition: str) -> Profile:
    return profile(Session(version=1, laws=edition))  # type: ignore[arg-type]


def played(moves: Iterable[str], fen: str = chess.STARTING_FEN) -> tuple[Board, list[Hashable]]:
    """The board after these moves, without its history, and the keys of all positions."""
    board = Board(fen)
    keys = [position_key(board)]
    for move in moves:
        board.push_san(move)
        keys.append(position_key(board.copy(stack=False)))
    return board.copy(stack=False), keys


def result(fen: str, edition: str, moves: Iterable[str] = ()) -> tuple[str, str, str] | None:
    return ended(*played(moves, fen), laws(edition))


KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")
OTHER_KNIGHTS = ("Nc3", "Nc6", "Nb5", "Nb4", "Na3", "Na6", "Nb1", "Nb8")

# -- by themselves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("4R2k/5ppp/8/8/8/8/8/K7 b - - 1 1", ("checkmate", "1-0", ("5.1a", "5.1.1"))),
        ("8/8/8/8/8/6k1/8/r6K w - - 1 1", ("checkmate", "0-1", ("5.1a", "5.1.1"))),
        ("7k/7P/7K/8/8/8/8/8 b - - 0 1", ("stalemate", "1/2-1/2", ("5.2a", "5.2.1"))),
        ("k7/Pp6/1P6/8/8/8/7K/8 b - - 0 1", ("dead-position", "1/2-1/2", ("5.2b", "5.2.2"))),  # whoever had the move
        ("8/8/8/8/3k4/8/1K6/8 b - - 0 1", ("dead-position", "1/2-1/2", ("5.2b", "5.2.2"))),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", ("dead-position", "1/2-1/2", ("5.2b", "5.2.2"))),
        (chess.STARTING_FEN, None),
    ],
)
def test_mate_stalemate_and_dead_positions(
    fen: str, ending: tuple[str, str, tuple[str, str]] | None, edition: str
) -> None:
    new = edition >= "fide-2018"
    assert result(fen, edition) == (ending and (*ending[:2], ending[2][new]))


@pytest.mark.parametrize(
    ("edition", "to_and_fro", "in_two_parts"),
    [
        ("fide-2005", None, None),
        ("fide-2009", None, None),
        ("fide-2014", "9.6a", None),
        ("fide-2018", "9.6.1", "9.6.1"),
        ("fide-2023", "9.6.1", "9.6.1"),
    ],
)
def test_the_fifth_occurrence(edition: str, to_and_fro: str | None, in_two_parts: str | None) -> None:
    def drawn(article: str | None) -> tuple[str, str, str] | None:
        return ("fivefold", "1/2-1/2", article) if article else None

    assert result(chess.STARTING_FEN, edition, KNIGHTS * 3) is None
    assert result(chess.STARTING_FEN, edition, (*KNIGHTS * 3, *KNIGHTS[:3])) is None
    assert result(chess.STARTING_FEN, edition, KNIGHTS * 4) == drawn(to_and_fro)
    assert result(chess.STARTING_FEN, edition, (*KNIGHTS, *OTHER_KNIGHTS, *KNIGHTS * 2)) == drawn(in_two_parts)


@pytest.mark.parametrize(
    ("edition", "article"),
    [
        ("fide-2005", None),
        ("fide-2009", None),
        ("fide-2014", "9.6b"),
        ("fide-2018", "9.6.2"),
        ("fide-2023", "9.6.2"),
    ],
)
def test_seventy_five_moves_but_mate_comes_first(edition: str, article: str | None) -> None:
    fen = "7k/5ppp/8/8/8/8/8/K3R3 w - - {} 120"
    assert result(fen.format(148), edition, ["Re2"]) is None
    assert result(fen.format(149), edition, ["Re2"]) == (
        ("seventy-five-moves", "1/2-1/2", article) if article else None
    )
    mate = result(fen.format(149), edition, ["Re8#"])
    assert mate
    assert mate[0] == "checkmate"


# -- claims --------------------------------------------------------------------------------------------------------


def test_threefold_on_the_board_and_by_the_move_written_down() -> None:
    board, keys = played((*KNIGHTS, *KNIGHTS[:3]))
    back, away = Move.from_uci("f6g8"), Move.from_uci("f6d5")
    assert not threefold(board, keys)
    assert threefold(board, keys, back)
    assert not threefold(board, keys, away)
    assert not threefold(board, keys, Move.from_uci("f6f3")), "not a legal move"
    assert threefold(*played(KNIGHTS * 2))
    assert not threefold(*played(KNIGHTS))


def test_positions_differ_while_castling_rights_do() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    to_and_fro = ("Ke2", "Ke7", "Ke1", "Ke8")
    assert not threefold(*played(to_and_fro * 2, fen)), "the first time White could still castle"
    assert threefold(*played(to_and_fro * 3, fen))


def test_positions_differ_while_a_pawn_can_be_taken_en_passant() -> None:
    fen = "4k3/8/8/8/{}/8/4P3/4K3 w - - 0 1"
    to_and_fro = ("Kd8", "Kd1", "Ke8", "Ke1")
    can, cannot = fen.format("5p2"), fen.format("2p5")
    assert not threefold(*played(("e4", *to_and_fro * 2), can)), "the first time fxe3 was possible"
    assert threefold(*played(("e4", *to_and_fro * 2), cannot))


def test_fifty_moves_on_the_board_and_by_the_move_written_down() -> None:
    fen = "7k/5ppp/8/8/8/8/8/K3R3 w - - {} 70"
    quiet, pawn = Move.from_uci("e1e2"), Move.from_uci("g7g6")
    assert fifty_moves(Board(fen.format(100)))
    assert not fifty_moves(Board(fen.format(99)))
    assert fifty_moves(Board(fen.format(99)), quiet)
    assert not fifty_moves(Board(fen.format(98)), quiet)
    assert not fifty_moves(Board(fen.format(99).replace(" w ", " b ")), pawn), "a pawn's move starts the count anew"
    assert not fifty_moves(Board(fen.format(99)), Move.from_uci("e1d2")), "not a legal move"


# -- positions no legal game reaches -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "both", "illegal"),
    [
        ("4k3/8/8/4r3/Q7/8/8/4K3 w - - 0 30", True, True),
        ("4k3/8/8/1Q2r3/8/8/8/4K3 b - - 1 30", True, True),
        ("4k3/8/8/4r3/Q7/8/8/3K4 b - - 1 30", False, False),
        ("7k/8/8/8/8/8/8/1K1p4 b - - 1 40", False, True),
        (chess.STARTING_FEN, False, False),
        ("8/8/8/8/8/8/8/8 w - - 0 1", False, False),
    ],
)
def test_what_an_arbiter_finds_is_judged_and_never_raises(fen: str, both: bool, illegal: bool) -> None:
    board = Board(fen)
    assert both_in_check(board) is both
    assert is_illegal(board) is illegal
    for edition in ALL:
        endings.ended(board, [position_key(board)], laws(edition))


def test_repetition_is_counted_against_python_chess() -> None:
    board, keys = Board(), [position_key(Board())]
    for move in (*KNIGHTS, *OTHER_KNIGHTS, *KNIGHTS * 2, "e4", "e5", *KNIGHTS * 2):
        board.push_san(move)
        keys.append(position_key(board.copy(stack=False)))
        for times in (2, 3, 4, 5):
            assert (endings.occurrences(board, keys) >= times) == board.is_repetition(times)
