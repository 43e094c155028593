"""Who can still mate, and what shows it."""

from pathlib import Path

import chess
import pytest
from chess import BLACK, WHITE, Board
from test_certainly_dead import NO_LEGAL_GAME

from controller.mating import Verdict, Why, guide, tempo, who_can_mate
from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.state import state_of
from controller.mating.tempo import Tempo

LIST = Path(__file__).resolve().parents[2] / ".." / "shared" / "positions" / "who-can-mate.txt"


def replayed(fen: str, verdict: Verdict) -> Board:
    """The position after the line found, made move by legal move."""
    board = Board(fen)
    for move in verdict.line:
        assert board.is_legal(move), fen
        board.push(move)
    return board


def all_on_the_way_are_alive(fen: str, verdict: Verdict, colour: chess.Color) -> None:
    """No proof that there is no mate where legal moves lead to one: every tenth position, and the mate itself."""
    board = Board(fen)
    for number, move in enumerate(verdict.line):
        if number % 10 == 0:
            assert may_mate(Reach(state_of(board)), colour), board.fen()
        board.push(move)
    assert may_mate(Reach(state_of(board)), colour), board.fen()


@pytest.mark.shared
@pytest.mark.skipif(not LIST.is_file(), reason="the folder ../shared is not beside the project")
def test_the_list_of_positions() -> None:
    """None wrong. A tenth of the list, and with a small bound, as the hardest of it take a second each."""
    unknown = asked = 0
    lines = [line for line in LIST.read_text("utf-8").splitlines() if not line.startswith("#")]
    for line in lines[::10]:
        truth, fen = line.split(" ", 1)
        for colour, letter in ((WHITE, truth[0]), (BLACK, truth[1])):
            verdict = who_can_mate(Board(fen), colour, bound=30_000)
            asked += 1
            if verdict.can is None:
                unknown += 1
                continue
            assert verdict.can == (letter != "-"), f"{fen}: {verdict}"
            if verdict.line:
                assert replayed(fen, verdict).is_checkmate()
                assert replayed(fen, verdict).turn != colour
                all_on_the_way_are_alive(fen, verdict, colour)
    assert unknown <= asked * 0.06


@pytest.mark.parametrize(
    ("about", "fen", "white", "black"),
    [
        ("checkmate", "R6k/8/7K/8/8/8/8/8 b - - 0 1", Why.MATED, Why.MATED),
        ("stalemate", "k7/P7/1K6/8/8/8/8/8 b - - 0 1", Why.STALEMATE, Why.STALEMATE),
        ("the only legal move mates", "6bk/7p/8/8/1p6/3p4/1P1p4/BK6 w - - 0 1", Why.HELPMATE, Why.LINES),
        ("every answer stalemates", "8/8/8/6pk/8/6P1/5q2/7K w - - 0 1", Why.LINES, Why.LINES),
        ("a wall", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Why.WALLS, Why.WALLS),
        ("a king against a pawn", "8/8/8/4p3/3k4/8/8/1K6 w - - 0 1", Why.MATERIAL, Why.HELPMATE),
        ("White runs out of moves", "k7/8/8/7p/8/6p1/P5Pp/7K w - - 0 1", Why.HELPMATE, Why.HELPMATE),
    ],
)
def test_what_shows_it(about: str, fen: str, white: Why, black: Why) -> None:
    verdicts = [who_can_mate(Board(fen), colour) for colour in (WHITE, BLACK)]
    assert [verdict.why for verdict in verdicts] == [white, black], about
    for verdict in verdicts:
        assert bool(verdict.line) == (verdict.why == Why.HELPMATE)
        if verdict.line:
            assert replayed(fen, verdict).is_checkmate()


def test_what_never_moves_and_where_a_king_is_shut() -> None:
    reach = Reach(state_of(Board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1")))
    assert chess.SquareSet(reach.walls) == {chess.parse_square(f + r) for f in "aceg" for r in "45"}
    assert reach.kings[BLACK].reach & chess.BB_RANK_8
    assert not reach.kings[BLACK].reach & (chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_3)


SHORT_OF_MOVES = [
    ("no pawn promotes in time", "8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1", False, False),
    ("one pawn the less to move", "k7/p1p1p3/8/8/P1P5/6p1/4P1Pp/7K w - - 0 1", False, True),
    ("in time, and what is promoted is taken at once", "8/p1p1p1p1/6P1/6PK/6PP/8/P1P1P3/7k w - - 0 1", True, True),
    ("in time, with a king to take what bars the way", "8/p1p1p3/8/8/8/6p1/P1P1P1Pp/k6K w - - 0 1", True, True),
]


@pytest.mark.parametrize(("about", "fen", "white", "black"), SHORT_OF_MOVES)
def test_a_side_with_nothing_but_pawns_to_move(about: str, fen: str, white: bool, black: bool) -> None:
    verdicts = [who_can_mate(Board(fen), colour, bound=20_000) for colour in (WHITE, BLACK)]
    assert [verdict.can for verdict in verdicts] == [white, black], about
    tempo = Tempo(state_of(Board(fen)))
    assert tempo.short is not None
    for verdict in verdicts:
        board = Board(fen)
        for move in verdict.line:
            board.push(move)
            assert not tempo.late(state_of(board)), board.fen()


UNUSUAL = [
    ("a knight mates with a pawn in the way", "8/8/8/8/8/2k5/p7/K1N5 w - - 0 1", True, True),
    ("a knight mates where a pawn becomes a knight", "8/8/8/8/3k4/8/3p4/1KN5 w - - 0 1", True, True),
    ("bishops of one shade and blocked pawns", "4kb2/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 b - - 0 1", False, False),
    ("a pawn taken en passant opens the wall", "4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1", True, True),
    ("castling", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", True, True),
]


@pytest.mark.parametrize(("about", "fen", "white", "black"), UNUSUAL)
def test_unusual_ways(about: str, fen: str, white: bool, black: bool) -> None:
    assert (who_can_mate(Board(fen), WHITE).can, who_can_mate(Board(fen), BLACK).can) == (white, black), about


def test_the_same_question_has_the_same_answer() -> None:
    for _, fen, *_ in UNUSUAL:
        assert who_can_mate(Board(fen), WHITE) == who_can_mate(Board(fen), WHITE)


def test_colours_are_alike() -> None:
    for _, fen, white, black in UNUSUAL:
        mirrored = Board(fen).mirror()
        assert (who_can_mate(mirrored, BLACK).can, who_can_mate(mirrored, WHITE).can) == (white, black)


def test_what_is_not_found_within_the_bound_is_unknown() -> None:
    verdict = who_can_mate(Board(), WHITE, bound=10)
    assert (verdict.can, verdict.why) == (None, Why.BOUND)
    assert 10 < verdict.positions < 100


@pytest.mark.parametrize("fen", NO_LEGAL_GAME)
def test_of_what_no_legal_game_reaches_nothing_is_said(fen: str) -> None:
    for colour in (WHITE, BLACK):
        assert who_can_mate(Board(fen), colour) == Verdict(None, Why.OTHER)


def test_a_question_leaves_nothing_behind_but_its_answer() -> None:
    """A daemon asks for years."""
    assert who_can_mate(Board("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1"), WHITE).can
    caches = (guide._to_free, guide._to_promote, tempo._left, tempo._needed, tempo._ways)
    kept = {each.__name__: each.cache_info().currsize for each in caches}
    assert not any(kept.values()), kept
