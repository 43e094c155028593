"""What an arbiter sees in the terminal."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from controller.cli.matchview import MatchView
from controller.cli.view import Narrator, View, last_moves
from controller.contract import (
    AnyEvent,
    Clock,
    Displaced,
    Followed,
    Match,
    Move,
    Obligation,
    Result,
    Session,
    Stalled,
    Violation,
)
from controller.journal import Opening, Record
from controller.outlets.follow import News
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.notices import TechnicalNotice
from controller.outlets.scoresheet import Scoresheet
from controller.wire import encode

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
E4 = Move(ms=9, side="white", uci="e2e4", san="e4", fen=AFTER_E4, ply=1)
OWED = Obligation(ms=12, side="black", must="move", moves=["e7e5", "e7e6"], article="4.3.1")
BREACH = Violation(ms=13, side="black", kind="touch-move", article="4.3.1", report="arbiter")


OPENING = Opening(
    game="g", venue="v", board="4", started="2026-01-01", tags={"White": "Ada"}, session=Session(version=1)
)


def told(*events: AnyEvent) -> Iterator[News[Scoresheet]]:
    sheet = Scoresheet(OPENING)
    for seq, event in enumerate(events, 1):
        sheet.apply(event)
        yield News(Record(seq, "g", "event", encode(event), b""), sheet, sheet.ply, event)


def screen(
    *events: AnyEvent, notices: tuple[TechnicalNotice, ...] = (), about: Sequence[str] = ("PGN: here",), **terminal: Any
) -> str:
    view = View(about)
    view.alerts.notices = notices
    for news in told(*events):
        view.take(news)
    return rendered(view, **terminal)


def rendered(view: View | MatchView, **terminal: Any) -> str:
    """As a terminal with many colours shows it, or another."""
    given = {"width": 100, "height": 40, "color_system": "truecolor"} | terminal
    console = Console(record=True, file=io.TextIOWrapper(io.BytesIO(), given.pop("encoding", "utf-8")), **given)
    console.print(view)
    return console.export_text()


def test_the_board_the_moves_and_what_is_owed() -> None:
    shown = screen(E4, OWED)
    assert "1. e4" in shown
    assert "Black must move the touched piece (Article 4.3.1): e5 or e6" in shown
    fourth = next(line for line in shown.splitlines() if "4 " in line and "♟" in line)
    assert fourth.index("♟") > 10
    assert "PGN: here" in shown


def test_moves_have_the_numbers_of_the_score_wherever_the_game_began() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40"
    sheet = Scoresheet(replace(OPENING, session=Session(version=1, fen=fen)))
    sheet.apply(Move(ms=9, side="black", uci="e8e7", san="Ke7", fen="8/4k3/8/8/8/8/4P3/4K3 w - - 1 41", ply=1))
    sheet.apply(Move(ms=9, side="white", uci="e2e4", san="e4", fen="8/4k3/8/8/4P3/8/8/4K3 b - - 0 41", ply=2))
    assert [str(line) for line in last_moves(sheet.entries, 2)] == ["40… Ke7", "41. e4"]


def test_a_clock_that_stands_shows_what_is_left() -> None:
    shown = screen(Clock(ms=0, white_ms=605_000, black_ms=59_999, running=None))
    assert "10:05  Ada" in shown
    assert "0:59  black" in shown
    assert "▶" not in shown


def test_a_clock_runs_on_while_a_result_is_only_proposed() -> None:
    running = Clock(ms=0, white_ms=605_000, black_ms=59_999, running="white")
    proposed = Result(ms=9, result="0-1", reason="time", article="6.9", status="proposed")
    assert "▶" in screen(running, proposed)
    assert "▶" not in screen(running, replace(proposed, status="final"))


def test_alerts_and_notices_stay() -> None:
    shown = screen(E4, OWED, BREACH, notices=(TechnicalNotice("board", "the cable is out", "", "put it in"),))
    assert "0.0 s  Black played that move although a touched piece called for another move" in shown
    assert "the cable is out. Next: put it in" in shown


ABOUT = [
    "pages: http://127.0.0.1:8064/\narbiter: http://127.0.0.1:8064/arbiter   pairing code: 123456",
    "subscribe: mosquitto_sub -p 12345 -v -t 'jadoube/v1/hall/board/1/#'",
    "PGN: build/demo/games/   journal: build/demo/20261122-064410-123456.sqlite",
]
LETTERS = [{"no_color": True}, {"color_system": None}, {"color_system": "standard"}, {"encoding": "ascii"}]
DISPLACED = Displaced(ms=20, squares=["a1", "a2", "a3"], article="7.4.1")
MANY = [replace(DISPLACED, ms=1000 * n) for n in range(1, 7)]


@pytest.mark.parametrize("terminal", LETTERS, ids=str)
def test_without_colours_or_without_figurines_both_sides_are_told_apart(terminal: dict[str, Any]) -> None:
    lines = screen(E4, **terminal).splitlines()
    assert any("8  r  n  b  q  k  b  n  r " in line for line in lines)
    assert any("1  R  N  B  Q  K  B  N  R " in line for line in lines)


def test_the_square_left_and_the_one_reached_are_marked_without_colours() -> None:
    shown = screen(E4, no_color=True)
    assert shown.count("[P]") == 1
    assert shown.count("[ ]") + shown.count("[.]") == 1


def test_a_terminal_without_utf_8_is_shown_ascii() -> None:
    running = Clock(ms=0, white_ms=605_000, black_ms=59_999, running="white")
    shown = screen(E4, running, OWED, BREACH, about=ABOUT, encoding="ascii")
    assert shown.isascii()
    assert ">  10:0" in shown
    assert "?" not in shown


@pytest.mark.parametrize("terminal", [{}, *LETTERS], ids=str)
@pytest.mark.parametrize("events", [(), (E4, OWED), (E4, *MANY)], ids=len)
def test_sixty_columns_by_twenty_four_lines_show_where_the_pages_are(
    events: tuple[AnyEvent, ...], terminal: dict[str, Any]
) -> None:
    notice = TechnicalNotice("board", "the cable is out, or the board was switched off by somebody", "", "put it in")
    shown = screen(E4, *events, notices=(notice,), about=ABOUT, width=60, height=24, **terminal)
    lines = shown.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 60
    assert "http://127.0.0.1:8064/arbiter" in shown
    assert "123456" in shown
    if events:
        assert "does not match the game" in shown or DISPLACED not in events
    assert "h" in lines[9]


@pytest.mark.parametrize("terminal", [{}, *LETTERS], ids=str)
def test_so_does_a_match(terminal: dict[str, Any]) -> None:
    told = [replace(event, board="A") for event in MANY]
    e4 = replace(E4, board="A", fen=IN_A)
    shown = match_screen(e4, *told, about=ABOUT, width=60, height=24, **terminal)
    lines = shown.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 60
    assert "http://127.0.0.1:8064/arbiter" in shown
    assert "123456" in shown
    assert lines[11].count("a  b  c  d  e  f  g  h") == 2


def test_where_there_is_room_all_is_shown_in_the_order_in_which_it_happened() -> None:
    shown = screen(E4, *MANY, about=ABOUT, height=60)
    assert shown.count("does not match") == 6
    assert shown.index("1.0 s") < shown.index("6.0 s") < shown.index("pages:") < shown.index("PGN:")


def test_that_the_score_stands_is_said_until_it_goes_on() -> None:
    stands = Stalled(ms=9, after_ply=1, since_ms=5, reason="illegal-move", squares=["a1"])
    said = "The score stops after White's move 1"
    assert screen(E4, stands).count(said) == 2
    assert screen(E4, stands, Followed(ms=12)).count(said) == 1, "as an alert that was"


def test_before_the_first_event_there_is_no_game() -> None:
    assert "being set up" in screen()


def test_what_happens_is_said_in_the_words_of_the_laws() -> None:
    teller = Narrator()
    clock = Clock(ms=10, white_ms=1, black_ms=1, running=None)
    assert [teller.say(news) for news in told(E4, OWED, clock, BREACH)] == [
        "White plays 1. e4",
        "Black must move the touched piece (Article 4.3.1): e5 or e6",
        None,
        "Black played that move although a touched piece called for another move (Article 4.3.1)",
    ]


def test_each_game_is_said_from_its_own_start() -> None:
    teller = Narrator()
    bound = Obligation(ms=5, side="white", must="move", moves=["g1f3", "g1h3"], article="4.3.1")
    for _ in range(2):
        said = [teller.say(news) for news in told(bound, E4)]
        assert said == ["White must move the touched piece (Article 4.3.1): Nf3 or Nh3", "White plays 1. e4"]


MATCH = Opening(
    game="g",
    venue="v",
    board="4+5",
    started="2026-01-01",
    tags={"WhiteA": "Ada", "BlackA": "Bea", "WhiteB": "Cy", "BlackB": "Dan"},
    session=Session(version=1, clock="180", match="bughouse"),
)
IN_A = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[Nq] b KQkq - 0 1"


def match_screen(*events: AnyEvent, about: Sequence[str] = ("BPGN: here",), **terminal: Any) -> str:
    sheet, view = Matchsheet(MATCH), MatchView(about)
    for seq, event in enumerate(events, 1):
        sheet.apply(event)
        view.take(News(Record(seq, "g", "event", encode(event), b""), sheet, sheet.ply, event))
    return rendered(view, **terminal)


def test_both_boards_of_a_match_stand_side_by_side() -> None:
    shown = match_screen(
        Move(ms=9, board="A", side="white", uci="e2e4", san="e4", fen=IN_A, ply=1),
        Clock(ms=10, board="A", white_ms=170_000, black_ms=61_000, running=None),
        Clock(ms=10, board="B", white_ms=179_000, black_ms=2_000, running=None),
        Obligation(ms=12, board="B", side="white", must="move", moves=["b1a3", "b1c3"], article="4.3.1"),
        Violation(ms=13, board="B", side="white", kind="touch-move", article="4.3.1", report="arbiter"),
    )
    lines = shown.splitlines()
    assert "Ada and Dan – Bea and Cy" in lines[0]
    assert "A · board 4" in lines[1]
    assert "B · board 5" in lines[1]
    black, white = (next(line for line in lines if name in line and "Ada and" not in line) for name in ("Bea", "Ada"))
    assert "1:01  Bea  ♛" in black
    assert "0:02  Dan" in black
    assert "2:50  Ada  ♞" in white
    assert "2:59  Cy" in white
    assert "1. e4" in shown
    assert "nothing is owed" in shown
    assert "White must move the touched piece" in shown
    assert "B: White played that move although a touched piece called for another" in shown
    assert "BPGN: here" in shown


def test_the_end_of_a_match_is_said_for_both_teams() -> None:
    shown = match_screen(
        Result(ms=8, board="A", result="1-0", reason="resignation", article="5.1.2", status="final"),
        Match(ms=9, result="team-1", reason="board-a"),
    )
    assert "The game is over: White wins by" in shown
    assert "Team 1 wins the match by the game on board A" in shown
