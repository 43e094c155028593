"""Score sheets on paper: each move in its line and column, on as many pages as it takes."""

import random
import re

import chess
import pytest

from controller.contract import Move, Session
from controller.journal import Opening
from controller.outlets.paper import PAGE, paper, rows
from controller.outlets.scoresheet import Scoresheet


def played(plies: int, fen: str = chess.STARTING_FEN, seed: int = 1, clock: str | None = None) -> Scoresheet:
    """A game of so many random moves."""
    begun = Session(version=1, fen=fen, clock=clock)
    sheet = Scoresheet(Opening(game="g", venue="v", board="4", started="2026-03-04T18:30:00+01:00", session=begun))
    board, chance = chess.Board(fen), random.Random(seed)
    for ply in range(1, plies + 1):
        move = chance.choice(sorted(board.legal_moves, key=chess.Move.uci))
        side, san = "white" if board.turn else "black", board.san(move)
        board.push(move)
        sheet.apply(Move(ms=ply, side=side, uci=move.uci(), san=san, fen=board.fen(), ply=ply))
    return sheet


def numbered(sheet: Scoresheet) -> list[str]:
    """The score as a page of paper has it."""
    return [" ".join([row.number, *(entry.move.san for entry in row.made.values())]) for row in rows(sheet.entries)]


def test_a_line_has_the_moves_of_both() -> None:
    sheet = played(5)
    sans = [entry.move.san for entry in sheet.entries]
    assert numbered(sheet) == [f"1 {sans[0]} {sans[1]}", f"2 {sans[2]} {sans[3]}", f"3 {sans[4]}"]


def test_a_game_that_black_begins_has_its_first_line_half_empty() -> None:
    sheet = played(3, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7")
    sans = [entry.move.san for entry in sheet.entries]
    assert numbered(sheet) == [f"7 {sans[0]}", f"8 {sans[1]} {sans[2]}"]
    text = paper([sheet], "en")
    assert f"<tr><td>7</td><td></td><td>{sans[0]}</td></tr>" in text


@pytest.mark.parametrize(("plies", "pages"), [(0, 1), (1, 1), (2 * PAGE, 1), (2 * PAGE + 1, 2)])
def test_a_page_has_sixty_lines(plies: int, pages: int) -> None:
    text = paper([played(plies)], "en")
    assert text.count("<section>") == pages
    assert text.count("<tr><td>") == pages * PAGE, "those without a move are empty, to be written on"
    assert re.findall(r"<tr><td>(\d+)</td>", text) == [str(number) for number in range(1, (plies + 3) // 2)]


def test_each_game_has_pages_of_its_own() -> None:
    assert paper([played(1), played(2 * PAGE + 1), played(0)], "fr").count("<section>") == 4


@pytest.mark.parametrize(
    ("clock", "english", "french"),
    [
        ("5400+30", "90 min and 30 s a move", "90 min et 30 s par coup"),
        ("300", "5 min", "5 min"),
        (
            "40/5400+30:1800+30",
            "90 min and 30 s a move for 40 moves, then 30 min and 30 s a move",
            "90 min et 30 s par coup pour 40 coups, puis 30 min et 30 s par coup",
        ),
        ("180d3", "3 min, the first 3 s of each move free", "3 min, avec un délai de 3 s par coup"),
        ("*60", "1 min, and what the other one uses", "1 min, et le temps qu’utilise l’adversaire"),
    ],
)
def test_the_time_control_is_in_words(clock: str, english: str, french: str) -> None:
    sheet = played(1, clock=clock)
    assert f"Time control {english}<" in paper([sheet], "en")
    assert f"Cadence {french}<" in paper([sheet], "fr")
