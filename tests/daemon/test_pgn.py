"""The PGN of a game is a whole one at every moment, and says what happened."""

import asyncio
import io
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import chess
import chess.pgn
import pytest
from at_the_board import Table
from hall import make, running, until

from controller.config import Config
from controller.contract import (
    AnyEvent,
    Clock,
    Completed,
    Displaced,
    Move,
    Reason,
    Restored,
    Result,
    Retract,
    Score,
    Session,
)
from controller.journal import Opening
from controller.outlets import pgn as pgn_module
from controller.outlets import writing
from controller.outlets.pgn import TERMINATIONS, pgn
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.writing import write_atomically

Configure = Callable[..., Config]


def opening(clock: str | None = None, fen: str = "startpos", **tags: str) -> Opening:
    session = Session(version=1, clock=clock, fen=fen)
    return Opening(game="g", venue="v", board="4", started="2026-03-04T18:30:00+01:00", tags=tags, session=session)


def sheet(given: Opening, *events: AnyEvent) -> Scoresheet:
    sheet = Scoresheet(given)
    for event in events:
        sheet.apply(event)
    return sheet


def moves(*ucis: str, fen: str = chess.STARTING_FEN) -> list[Move]:
    board, made = chess.Board(fen), []
    for ply, uci in enumerate(ucis, 1):
        move = chess.Move.from_uci(uci)
        side, san = "white" if board.turn else "black", board.san(move)
        board.push(move)
        made.append(Move(ms=ply, side=side, uci=uci, san=san, fen=board.fen(), ply=ply))
    return made


def parsed(sheet: Scoresheet) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn(sheet)))
    assert game is not None
    assert not game.errors
    return game


def test_the_seven_tags_and_what_the_configuration_adds() -> None:
    game = parsed(sheet(opening("180+2", White="Ada", WhiteFideId="12")))
    assert dict(game.headers) == {
        "Event": "?",
        "Site": "?",
        "Date": "2026.03.04",
        "Round": "?",
        "White": "Ada",
        "Black": "?",
        "Result": "*",
        "Board": "4",
        "TimeControl": "180+2",
        "WhiteFideId": "12",
    }


def test_moves_and_the_final_result() -> None:
    final = Result(ms=9, result="1-0", reason="resignation", article="5.1.2", status="final")
    game = parsed(sheet(opening(), *moves("e2e4", "e7e5", "g1f3"), final))
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]
    assert game.headers["Result"] == "1-0"


def test_a_proposed_result_is_none_yet() -> None:
    proposed = Result(ms=9, result="1-0", reason="time", article="6.9", status="proposed")
    headers = parsed(sheet(opening(), *moves("e2e4"), proposed)).headers
    assert headers["Result"] == "*"
    assert "Termination" not in headers


@pytest.mark.parametrize(
    ("clock", "standard", "delay"),
    [
        ("180d3", "180", "3"),
        ("40/5400b5:1800b5", "40/5400:1800", "5"),
        ("40/5400+30:1800+30", "40/5400+30:1800+30", None),
    ],
)
def test_a_time_control_is_one_that_every_program_reads(clock: str, standard: str, delay: str | None) -> None:
    game = parsed(sheet(opening(clock), *moves("e2e4")))
    assert (game.headers["TimeControl"], game.headers.get("Delay")) == (standard, delay)
    assert game.time_control().parts, "by others"


def test_a_result_for_which_the_standard_has_no_sign_is_said_in_words() -> None:
    final = Result(ms=9, result="1/2-0", reason="arbiter", article="1", status="final")
    game = parsed(sheet(opening(), *moves("e2e4"), final))
    assert (game.headers["Result"], game.end().comment) == ("*", "the result is 1/2-0")


STANDARD = frozenset(
    ("abandoned", "adjudication", "death", "emergency", "normal", "rules infraction", "time forfeit", "unterminated")
)
"""What the PGN standard knows (9.8.1)."""


@pytest.mark.parametrize(
    ("result", "reason", "termination"),
    [
        ("1-0", "checkmate", "normal"),
        ("0-1", "resignation", "normal"),
        ("1/2-1/2", "agreement", "normal"),
        ("1-0", "time", "time forfeit"),
        ("1/2-1/2", "time", "time forfeit"),
        ("0-1", "illegal-moves", "rules infraction"),
        ("+-", "forfeit", None),
        ("1-0", "arbiter", None),
        ("0-0", "arbiter", None),
    ],
)
def test_what_ended_a_game_is_in_the_words_of_the_standard(
    result: Score, reason: Reason, termination: str | None
) -> None:
    final = Result(ms=9, result=result, reason=reason, article="1", status="final")
    headers = parsed(sheet(opening(Termination="unterminated"), *moves("e2e4"), final)).headers
    assert headers.get("Termination") == termination, "not what a list of pairings has"


def test_every_reason_has_a_termination_of_the_standard() -> None:
    assert {*TERMINATIONS} <= {*get_args(Reason)}
    assert {*TERMINATIONS.values()} <= STANDARD


def test_a_move_taken_back_is_gone() -> None:
    first, second = moves("e2e4", "e7e5")
    back = Retract(ms=5, uci="e7e5", fen=first.fen)
    game = parsed(sheet(opening(), first, second, back))
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4"]


def test_clocks_are_whole_seconds_and_time_spent_is_the_movers_own() -> None:
    first, second = moves("e2e4", "e7e5")
    game = parsed(
        sheet(
            opening("300+2"),
            Clock(ms=0, white_ms=302_000, black_ms=300_000, running="white"),
            first,
            Completed(ms=7_900, side="white", uci="e2e4", white_ms=296_100, black_ms=300_000),
            Clock(ms=7_900, white_ms=296_100, black_ms=300_000, running="black"),
            Clock(ms=9_900, white_ms=296_100, black_ms=298_000, running=None),  # stopped for the arbiter
            Clock(ms=99_900, white_ms=296_100, black_ms=298_000, running="black"),
            second,
            Completed(ms=101_900, side="black", uci="e7e5", white_ms=296_100, black_ms=298_000),
        )
    )
    assert [node.comment for node in game.mainline()] == [
        "[%clk 0:04:56] [%emt 0:00:07]",
        "[%clk 0:04:58] [%emt 0:00:04]",
    ]


def test_what_a_ruling_gives_back_was_not_spent() -> None:
    """Black's clock runs while nobody rules on White's illegal move; then it is set as proposed."""
    table = Table("fide-2018", clock="300+3").play("e2e4", "e7e5").wait(8_000).play("e1e3").wait(38_000).rule("uphold")
    proposed = table.all(Displaced)[-1]
    table.rule("set-clock", white_ms=proposed.white_ms, black_ms=proposed.black_ms).make("e3e1").rule("resume")
    table.play("g1f3", "b8c6")
    told = [node.comment for node in parsed(sheet(opening("300+3"), *table.events)).mainline()]
    assert [comment.rpartition("[%emt ")[2] for comment in told[2:]] == ["0:00:17]", "0:00:04]"]


def test_a_bonus_given_besides_is_not_taken_for_time_given_back() -> None:
    table = Table("fide-2018", clock="300+3").play("e2e4", "e7e5").wait(20_000).play("e1e3").rule("uphold")
    proposed = table.all(Displaced)[-1]
    table.rule("set-clock", white_ms=proposed.white_ms, black_ms=proposed.black_ms)
    table.rule("set-clock", white_add_ms=120_000).make("e3e1").rule("resume").play("g1f3")
    *_, last = parsed(sheet(opening("300+3"), *table.events)).mainline()
    assert last.comment.endswith("[%emt 0:00:29]")


def test_another_start_position() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = parsed(sheet(opening(fen=fen), *moves("e2e4", fen=fen)))
    assert game.headers["FEN"] == fen
    assert game.headers["SetUp"] == "1"


KING_ON_D1 = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1"
EXCHANGED = Displaced(ms=0, squares=["d1", "e1"], beginning="wrong-array", remedy="new-game", fen=KING_ON_D1)


def test_a_game_that_began_with_pieces_exchanged_begins_where_they_stood() -> None:
    played = moves("d2d4", "d7d5", "d1d2", fen=KING_ON_D1)
    game = parsed(sheet(opening(), EXCHANGED, *played))
    assert game.headers["FEN"] == KING_ON_D1
    assert [move.uci() for move in game.mainline_moves()] == ["d2d4", "d7d5", "d1d2"]
    put_right = parsed(sheet(opening(), EXCHANGED, Restored(ms=5, fen=chess.STARTING_FEN), *moves("d2d4")))
    assert "FEN" not in put_right.headers
    begun_anew = parsed(sheet(opening(), EXCHANGED, played[0], Retract(ms=5, uci="d2d4", fen=chess.STARTING_FEN)))
    assert "FEN" not in begun_anew.headers


def test_where_that_is_found_too_late_the_game_is_told_from_there() -> None:
    late = Displaced(ms=9, squares=[], beginning="wrong-array", remedy="play-on", fen=KING_ON_D1.replace("0 1", "4 3"))
    (moved,) = moves("e2e3", fen=late.fen or "")
    so_far = moves("g1f3", "g8f6", "f3g1", "f6g8")
    game = parsed(sheet(opening(), *so_far, late, moved))
    assert game.headers["FEN"] == late.fen
    assert "Nf3 Nf6 Ng1 Ng8" in game.comment
    assert [move.uci() for move in game.mainline_moves()] == ["e2e3"]


def test_an_illegal_move_that_stands_is_told_in_words() -> None:
    """PGN cannot hold it: the game goes on from the position after it."""
    (first,) = moves("e2e4")
    after = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    illegal = Move(ms=2, side="black", uci="d7d4", san="d4", fen=after, ply=2, legal=False)
    (third,) = moves("g1f3", fen=after)
    game = parsed(sheet(opening(), first, illegal, third))
    assert game.headers["FEN"] == after
    assert [move.uci() for move in game.mainline_moves()] == ["g1f3"]
    assert "e4 d4" in game.comment
    assert "illegal" in game.comment


def test_whoever_reads_it_meets_a_whole_game(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    texts = [pgn(sheet(opening(), *moves(*["g1f3", "g8f6", "f3g1", "f6g8"][:n]))) for n in (1, 2, 3, 4)] * 10
    write_atomically(path, texts[0])
    seen, done = set(), threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for text in texts:
        write_atomically(path, text)
    done.set()
    reader.join()
    assert seen <= set(texts)
    assert len(seen) > 1
    assert [file.name for file in tmp_path.iterdir()] == ["game.pgn"]


def test_the_daemon_writes_it_as_the_game_goes_on(configure: Configure, tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(configure(game={"white": "Ada"})) as daemon:
            await until(lambda: daemon.only.session.playing and [*tmp_path.glob("games/game-*.pgn")])
            (path,) = tmp_path.glob("games/game-*.pgn")
            for number, uci in enumerate(("e2e4", "e7e5", "g1f3"), 1):
                await make(daemon, uci)
                await until(lambda number=number: len(_moves(path)) == number)
            await daemon.only.carry_out({"type": "arbiter", "do": "result", "result": "1-0"})
            await until(lambda: "1-0" in path.read_text())

    asyncio.run(scene())


def test_a_stop_does_not_wait_for_the_next_time_and_leaves_nothing_out(
    configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn_module, "PAUSE_S", 60)

    async def scene() -> float:
        async with running(configure()) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            began = time.monotonic()
        return time.monotonic() - began

    assert asyncio.run(scene()) < 2
    (file,) = (tmp_path / "games").glob("*.pgn")
    assert "1. e4" in file.read_text()


def test_a_folder_that_cannot_be_written_is_a_notice_until_it_can(
    configure: Configure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "RETRY_S", 0.05)
    blocked = tmp_path / "games"
    blocked.write_text("a file where the folder should be")

    async def scene() -> None:
        async with running(configure()) as daemon:
            await until(lambda: [notice for notice in daemon.notices.current if notice.source == "pgn"])
            await make(daemon, "e2e4")
            blocked.unlink()
            await until(lambda: not daemon.notices.current)
            (path,) = blocked.glob("game-*.pgn")
            await until(lambda: _moves(path) == ["e2e4"])

    asyncio.run(scene())


def _moves(path: Path) -> list[str]:
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert not game.errors
    return [move.uci() for move in game.mainline_moves()]
