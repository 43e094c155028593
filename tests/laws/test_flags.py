"""A flag falls: who can still mate decides whether the game is lost, drawn, or for a person to judge (6.9)."""

import chess
import pytest
from at_the_board import ALL, Table

from controller import contract as c
from controller.laws import endings
from controller.mating import who_can_mate

PAWN = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
ONE_MOVE_MATES = "6bk/7p/8/8/1p6/3p4/1P1p4/BK6 w - - 0 1"
STALEMATE_IS_FORCED = "8/8/8/6pk/8/6P1/5q2/7K w - - 0 1"


@pytest.fixture(autouse=True)
def asked_anew() -> None:
    endings._mating.cache_clear()


def flag(laws: c.Edition, fen: str) -> c.Result:
    (result,) = Table(laws, fen, clock="300").wait(300_000).all(c.Result)
    return result


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize(
    ("fen", "result", "mating"),
    [
        (PAWN, "0-1", "helpmate"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "1/2-1/2", "material"),
        (ONE_MOVE_MATES, "1/2-1/2", "lines"),
        (STALEMATE_IS_FORCED, "1/2-1/2", "lines"),
        ("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1", "1/2-1/2", "walls"),
    ],
)
def test_the_game_is_lost_if_the_opponent_can_mate_and_what_shows_it_is_told(
    laws: c.Edition, fen: str, result: str, mating: str
) -> None:
    told = flag(laws, fen)
    assert (told.result, told.reason, told.status, told.mating) == (result, "time", "proposed", mating)
    board = chess.Board(fen)
    for uci in told.line:
        board.push_uci(uci)  # raises what is not legal
    assert board.is_checkmate() == (mating == "helpmate")


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks far enough to find a mate, or that there is none."""
    monkeypatch.setattr(endings, "who_can_mate", lambda *of, **_: who_can_mate(*of, bound=1))


@pytest.mark.usefixtures("unknown")
def test_what_was_neither_shown_nor_refuted_is_referred_and_awaits_the_arbiter() -> None:
    table = Table("fide-2023", PAWN, clock="300").wait(300_000)
    (told,) = table.all(c.Result)
    assert (told.result, told.status, told.mating, told.line) == ("0-1", "referred", "bound", [])
    assert told.id
    assert table.rule("dismiss").result is None


@pytest.mark.usefixtures("unknown")
@pytest.mark.parametrize(("laws", "status"), [("fide-2018", "final"), ("fide-2023", "referred")])
def test_so_is_a_resignation_from_2023_on_as_who_cannot_mate_has_not_won_by_it(laws: c.Edition, status: str) -> None:
    table = Table(laws, PAWN).give(c.Resign, side="white").give(c.Resign, side="white")
    (told,) = table.all(c.Result)
    assert (told.result, told.reason, told.status) == ("0-1", "resignation", status)
    assert Table("fide-2023", PAWN, clock="300").wait(300_000).rule("uphold").result == ("0-1", "time")


@pytest.mark.usefixtures("unknown")
def test_a_claim_of_the_flag_is_upheld_and_its_result_referred() -> None:
    table = Table("fide-2009", PAWN, clock="300", play="blitz", supervised=False).wait(300_000)
    assert table.all(c.Result) == []
    assert table.claim("black", "flag") == "upheld"
    assert [(said.result, said.status) for said in table.all(c.Result)] == [("0-1", "referred")]


@pytest.mark.parametrize("status", ["proposed", "referred"])
def test_a_result_on_time_that_is_taken_back_is_proposed_again_with_what_shows_it(
    status: str, request: pytest.FixtureRequest
) -> None:
    if status == "referred":
        request.getfixturevalue("unknown")
    table = Table("fide-2023", PAWN, clock="300").wait(300_000).rule("uphold", "undo")
    first, final, again = table.all(c.Result)
    assert (first.status, final.status, again.status) == (status, "final", status)
    assert [(said.mating, said.line) for said in (final, again)] == [(first.mating, first.line)] * 2


@pytest.mark.parametrize(("laws", "result"), [("fide-2018", "0-1"), ("fide-2023", "1/2-1/2")])
def test_who_resigns_where_nobody_could_ever_mate_draws_from_2023_on(laws: c.Edition, result: str) -> None:
    """Here that takes more lines to show than a second illegal move is worth."""
    table = Table(laws, "8/k5p1/6P1/6P1/6PK/6PR/6PP/8 w - - 0 1").give(c.Resign, side="white")
    assert table.result == (result, "resignation")
