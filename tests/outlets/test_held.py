"""What is not certain is held back from the public until it is settled, and said to be: in no file, on no page, in no
feed does it come and go."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from hall import until
from kit import Board
from msgspec.structs import replace

from controller import contract as c
from controller.journal import Journal, Opening, Record
from controller.outlets import pgn
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast import outlet as broadcast
from controller.outlets.follow import News
from controller.outlets.livechess.boards import LiveChessBoards
from controller.outlets.mqtt import public
from controller.outlets.notices import Notices
from controller.outlets.pgn import PGN, PgnConfig, PgnOutlet
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.tables import Plugged

LIMIT = 0.8
LINE = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")
ONE_HELD = "1 move held back: not certain"


def moves(*ucis: str) -> list[c.Move]:
    board, made = chess.Board(), []
    for ply, uci in enumerate(ucis, 1):
        side: c.Side = "white" if board.turn else "black"
        san = board.san_and_push(chess.Move.from_uci(uci))
        made.append(c.Move(ms=ply, side=side, uci=uci, san=san, fen=board.fen(), ply=ply))
    return made


def unsure(move: c.Move, confidence: float = 0.5) -> c.Move:
    return replace(move, basis="inferred", confidence=confidence)


def done(move: c.Move) -> c.Completed:
    return c.Completed(ms=move.ms, side=move.side, uci=move.uci, white_ms=None, black_ms=None)


def sheet(*events: c.AnyEvent, hold_below: float = LIMIT) -> Scoresheet:
    opening = Opening(game="g", venue="v", board="7", started="2026-01-01", session=c.Session(version=1))
    made = Scoresheet(opening, hold_below=hold_below)
    for event in events:
        made.apply(event)
        assert made.public.held >= 0
    return made


def shown(made: Scoresheet) -> tuple[list[str], int]:
    """The moves that everybody knows, and how many are said to be held back."""
    told = made.public
    assert told.fen == (told.entries[-1].move.fen if told.entries else chess.STARTING_FEN)
    return [entry.move.uci for entry in told.entries], told.held


E4, E5, NF3, NC6, BC4 = moves(*LINE)
OTHER = replace(moves("e2e4", "e7e5", "b1c3")[-1], ms=9)
BACK = c.Retract(ms=9, uci="g1f3", fen=E5.fen)


def test_a_move_of_little_certainty_waits_until_a_later_one_is_completed() -> None:
    made = [E4, done(E4), E5, done(E5), unsure(NF3), done(NF3)]
    assert shown(sheet(*made)) == (["e2e4", "e7e5"], 1)
    assert shown(sheet(*made, NC6)) == (["e2e4", "e7e5"], 2), "the reply waits with it"
    assert shown(sheet(*made, NC6, done(NC6))) == ([*LINE[:4]], 0)


def test_what_is_not_certain_itself_settles_nothing() -> None:
    made = [E4, E5, unsure(NF3), done(NF3), unsure(NC6), done(NC6)]
    assert shown(sheet(*made)) == (["e2e4", "e7e5"], 2)
    assert shown(sheet(*made, BC4, done(BC4))) == ([*LINE], 0)
    rather = [E4, E5, unsure(NF3), done(NF3), unsure(NC6, 0.98), done(NC6)]
    assert shown(sheet(*rather)) == (["e2e4", "e7e5"], 2), "what was played unseen after it is no witness"


@pytest.mark.parametrize(("confidence", "held"), [(0.0, 1), (0.79, 1), (0.8, 0), (0.98, 0)])
def test_only_what_is_below_the_limit_waits(confidence: float, held: int) -> None:
    assert sheet(E4, E5, unsure(NF3, confidence)).public.held == held
    assert sheet(E4, E5, unsure(NF3, confidence), hold_below=0).public.held == 0


@pytest.mark.parametrize("settled", [replace(OTHER, basis="reported"), unsure(OTHER, 0.95), OTHER])
def test_what_is_told_instead_with_certainty_or_by_an_arbiter_is_shown_at_once(settled: c.Move) -> None:
    assert shown(sheet(E4, E5, unsure(NF3), BACK, settled)) == (["e2e4", "e7e5", "b1c3"], 0)
    assert shown(sheet(E4, E5, unsure(NF3), BACK, replace(NF3, basis="reported"))) == ([*LINE[:3]], 0)


def test_what_is_told_instead_may_be_as_doubtful() -> None:
    assert shown(sheet(E4, E5, unsure(NF3), BACK, unsure(OTHER))) == (["e2e4", "e7e5"], 1)


def test_nothing_waits_longer_than_the_game_and_no_result_ever() -> None:
    over = c.Result(ms=9, result="1-0", reason="resignation", article="5.1.2", status="final")
    made = sheet(E4, unsure(E5), over)
    assert (shown(made), made.public.final) == ((["e2e4", "e7e5"], 0), over)
    proposed = replace(over, status="proposed", reason="time")
    assert sheet(E4, unsure(E5), proposed).public.held == 1
    begun_anew = sheet(E4, unsure(E5))
    begun_anew.close()
    assert shown(begun_anew) == (["e2e4", "e7e5"], 0)


def test_what_ambiguous_names_waits_unless_it_was_published() -> None:
    doubt = c.Ambiguous(ms=9, moves=["b1c3", "g1f3"])
    fresh = Scoresheet(sheet().opening, hold_below=LIMIT)
    for event in (E4, E5, NF3, doubt):  # nobody has looked between
        fresh.apply(event)
    assert shown(fresh) == (["e2e4", "e7e5"], 1)
    assert shown(sheet(E4, E5, NF3, doubt)) == ([*LINE[:3]], 0)


def test_what_was_published_is_shown_until_it_is_taken_back() -> None:
    made = sheet(E4, E5, NF3, NC6)
    made.apply(c.Retract(ms=9, uci="b8c6", fen=NF3.fen))
    made.apply(c.Retract(ms=9, uci="g1f3", fen=E5.fen))
    made.apply(unsure(OTHER))
    assert shown(made) == (["e2e4", "e7e5"], 1)


def test_the_score_says_so_in_each_form() -> None:
    made = sheet(E4, E5, unsure(NF3))
    game = chess.pgn.read_game(io.StringIO(pgn.pgn(made)))
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
    assert game.end().comment == ONE_HELD
    assert "2. Nf3" not in broadcast.broadcast_pgn(made)
    assert ONE_HELD in broadcast.broadcast_pgn(made)
    told = cloud.game(made)
    assert (told.moves, told.comment) == (["e4", "e5"], ONE_HELD)
    made.apply(c.Stalled(ms=9, after_ply=3, since_ms=1, reason="displaced", squares=["a1"]))
    assert cloud.game(made).comment == f"{pgn.STANDS}; {ONE_HELD}"
    two = sheet(E4, unsure(E5), unsure(NF3))
    assert "{ 2 moves held back: not certain }" in pgn.pgn(two)


# -- a feed of single moves ------------------------------------------------------------------------------------------


def tell(*batches: list[c.AnyEvent], hold_below: float = LIMIT) -> list[tuple[str, str]]:
    """What the public feed says of these, told in so many batches."""
    made, teller, said, seq = sheet(hold_below=hold_below), public.Teller(), list[Any](), 0
    for batch in batches:
        news = []
        for event in batch:
            seq += 1
            made.apply(event)
            record = Record(seq, "g", "event", public.encode(event), b"")
            news.append(News(record, made, made.ply, event))
        said += [json.loads(message.payload) for message in teller.tell(news)]
    assert [each["seq"] for each in said] == sorted(each["seq"] for each in said)
    return [(each["type"], each.get("uci", each.get("result"))) for each in said]


def test_a_feed_tells_it_with_all_after_it_once_it_is_settled() -> None:
    held: list[list[c.AnyEvent]] = [[E4, E5], [unsure(NF3), done(NF3)], [NC6]]
    assert tell(*held) == [("move", "e2e4"), ("move", "e7e5")]
    assert tell(*held, [done(NC6)]) == [
        *[("move", uci) for uci in LINE[:3]],
        *[("completed", "g1f3"), ("move", "b8c6"), ("completed", "b8c6")],
    ]


@pytest.mark.parametrize("together", [True, False])
def test_of_what_was_held_back_and_taken_back_a_feed_says_nothing(together: bool) -> None:
    events = [E4, E5, unsure(NF3), done(NF3), BACK, OTHER]
    batches = [events] if together else [[event] for event in events]
    assert tell(*batches) == [("move", "e2e4"), ("move", "e7e5"), ("move", "b1c3")]
    assert ("retract", "g1f3") in tell(*batches, hold_below=0)


def test_a_result_lets_everything_out() -> None:
    over = c.Result(ms=9, result="1-0", reason="resignation", article="5.1.2", status="final")
    assert tell([E4, unsure(E5)], [over]) == [("move", "e2e4"), ("move", "e7e5"), ("result", "1-0")]


# -- with the game itself --------------------------------------------------------------------------------------------


def cable_out(board: Board, *played: str) -> Board:
    """These moves are made while nobody sees it."""
    position = board.game.state.position.board.copy()
    for move in played:
        position.push_uci(move)
    looks = "".join("x" if position.piece_at(square) else "." for square in chess.SQUARES)
    return board.give(c.Unseen).wait(20_000).give(c.Seen, shown=looks).wait(2000)  # type: ignore[return-value]


@pytest.mark.parametrize("limit", [0.0, LIMIT])
def test_the_file_of_a_game_with_a_gap_in_it(journal: Journal, tmp_path: Path, limit: float, monkeypatch: Any) -> None:
    """Which of two knights came first nobody saw; the arbiter says it. With a limit no file ever has it otherwise."""
    monkeypatch.setattr(pgn, "PAUSE_S", 0.01)
    held = replace(PGN, begin=lambda opening: Scoresheet(opening, hold_below=limit))

    async def scene() -> list[str]:
        outlet = PgnOutlet(PgnConfig(directory=str(tmp_path)), "7", journal, Notices(), held)
        writing = asyncio.create_task(outlet.run())
        board = Board(journal, clock=None).make("e2e4", "e7e5")
        texts = list[str]()

        async def written() -> None:
            seen = journal.head.seq
            await until(lambda: journal.cursor(pgn.NAME) == seen)
            texts.append(outlet.path("g1").read_text("utf-8").split("\n\n")[1])

        await written()
        cable_out(board, "b1c3", "b8c6", "g1f3")
        await written()
        guess = [made.move.uci() for made in board.game.state.made[2:]]
        assert sorted(guess[::2]) == ["b1c3", "g1f3"]
        board.rule("correct", ply=3, moves=("g1f3", "b8c6", "b1c3") if guess[0] == "b1c3" else ("b1c3", "b8c6", "g1f3"))
        await written()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        assert [entry.confidence for entry in board.all(c.Move)[2:3]] < [LIMIT]  # type: ignore[operator]
        return texts

    begun, doubtful, settled = asyncio.run(scene())
    assert begun.startswith("1. e4 e5")
    if limit:
        assert doubtful.split() == ["1.", "e4", "e5", "{", "3", "moves", *ONE_HELD.split()[2:], "}", "*"]
    else:
        assert "held back" not in doubtful
        assert len(doubtful.split()) == len(settled.split())
        assert doubtful != settled, "as it came and went"
    assert "held back" not in settled


def test_livechess_holds_back_where_it_is_told_to(journal: Journal) -> None:
    """Left alone it does not: who plays at the other end could not reply to a move that he has not heard of."""
    board = cable_out(Board(journal, clock=None).make("e2e4", "e7e5"), "b1c3", "b8c6", "g1f3")
    for limit, plies, comment in ((0.0, 5, None), (LIMIT, 2, "3 moves held back: not certain")):
        boards = LiveChessBoards([{None: Plugged("7", "ttyACM0")}], journal, Notices(), hold_below=limit)
        boards.read()
        line = boards.line("7")
        assert line is not None
        assert len(line.steps) == plies
        (shown_there,) = boards.eboards()
        assert shown_there.comment == comment
    board.make("f8c5")
    boards.read()
    assert (line := boards.line("7")) is not None
    assert len(line.steps) == 6
