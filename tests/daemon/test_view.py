"""What an arbiter sees in the terminal."""

import io

import pytest
from rich.console import Console

from controller.cli.view import View, describe
from controller.contract import AnyEvent, Clock, Move, Obligation, Penalty, Result, Session, Touch, Violation, encode
from controller.journal import Opening, Record
from controller.outlets.follow import News
from controller.outlets.notices import Notice
from controller.outlets.scoresheet import Scoresheet

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
E4 = Move(ms=9, side="white", uci="e2e4", san="e4", fen=AFTER_E4, ply=1)
OWED = Obligation(ms=12, side="black", must="move", moves=["e7e5", "e7e6"], article="4.3.1")
BREACH = Violation(ms=13, side="black", kind="touch-move", article="4.3.1", report="arbiter")


def screen(*events: AnyEvent, notices: tuple[Notice, ...] = ()) -> str:
    opening = Opening(
        game="g", venue="v", board="4", started="2026-01-01", tags={"White": "Ada"}, session=Session(version=1)
    )
    sheet, view = Scoresheet(opening), View(["PGN: here"])
    view.notices = notices
    for seq, event in enumerate(events, 1):
        sheet.apply(event)
        view.take(News(Record(seq, "g", "event", encode(event), b""), sheet, sheet.ply, event))
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(view)
    return console.export_text()


def test_the_board_the_moves_and_what_is_owed() -> None:
    shown = screen(E4, OWED)
    assert "1. e4" in shown
    assert "black must move (4.3.1): e7e5 e7e6" in shown
    fourth = next(line for line in shown.splitlines() if "4 " in line and "♟" in line)
    assert fourth.index("♟") > 10
    assert "PGN: here" in shown


def test_a_clock_that_stands_shows_what_is_left() -> None:
    shown = screen(Clock(ms=0, white_ms=605_000, black_ms=59_999, running=None))
    assert "10:05  Ada" in shown
    assert "0:59  black" in shown
    assert "▶" not in shown


def test_alerts_and_notices_stay() -> None:
    shown = screen(E4, OWED, BREACH, notices=(Notice("board", "the cable is out", "", "put it in"),))
    assert "black: touch-move (4.3.1), to the arbiter" in shown
    assert "the cable is out. Next: put it in" in shown


def test_before_the_first_event_there_is_no_game() -> None:
    assert "being set up" in screen()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (E4, "1. e4"),
        (Move(ms=1, side="black", uci="e7e5", san="e5", fen=AFTER_E4, ply=2), "1… e5"),
        (Touch(ms=1, side="white", square="g1", piece="N"), "white touches the knight on g1"),
        (Obligation(ms=1, side="white", must="none", moves=[], article="4.3.1"), "white owes nothing any more"),
        (BREACH, "! black: touch-move (4.3.1), to the arbiter"),
        (
            Penalty(ms=1, side="white", kind="time", status="proposed", article="7.5.5", time_ms=120_000),
            "! penalty against white: time 2 min, proposed (7.5.5)",
        ),
        (
            Result(ms=1, result="1-0", reason="checkmate", article="5.1.1", status="final"),
            "1-0, checkmate (5.1.1)",
        ),
        (Clock(ms=1, white_ms=1, black_ms=1, running=None), None),
    ],
)
def test_an_event_in_plain_words(event: AnyEvent, line: str | None) -> None:
    assert describe(event) == line
