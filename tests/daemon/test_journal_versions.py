"""A journal of an earlier version, cut off in the middle of a game, is taken up, played on and proven; one of a later
version is refused untouched. What the journals hold is in ``journals/README.md``.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from double import Double
from msgspec.structs import replace
from stage import Scene

from controller.bughouse import BughouseBoard
from controller.cli.demo.game import read
from controller.config import check
from controller.contract import Completed, Lift, Move, Press, Resign, Session
from controller.daemon.game_session import GameSession
from controller.daemon.play import LiveGame
from controller.daemon.timeline import Timeline
from controller.errors import JournalError
from controller.journal import Journal, Record, connect_to_read
from controller.outlets.notices import Notices
from controller.wire import decode_event, encode

JOURNALS = Path(__file__).resolve().parent / "journals"
GAME = {
    "board": {"type": "simulated"},
    "event": {"venue": "demo", "board": "1", "clock": "900+10"},
    "start": {"by": "at-once", "ready_s": 0.5},
}
MATCH = {
    "A": {"number": "1", "board": {"type": "simulated"}},
    "B": {"number": "2", "board": {"type": "simulated"}},
    "event": {"venue": "demo", "match": "1", "clock": "180"},
    "start": {"by": "at-once", "ready_s": 0.5},
}


def stood(name: str) -> dict[str, Any]:
    """How the game stood when it was cut off, by what was told."""
    told: dict[str, Any] = json.loads((JOURNALS / f"{name}.json").read_text())
    return told


@pytest.fixture(params=["as it was left", "folded"])
def cut(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a journal that was cut off, with the write-ahead log beside it or folded into it."""

    def copy(name: str) -> Path:
        for file in JOURNALS.glob(f"{name}.sqlite*"):
            shutil.copy(file, tmp_path)
        path = tmp_path / f"{name}.sqlite"
        assert path.with_name(path.name + "-wal").stat().st_size, "its last rows stand there alone"
        if request.param == "folded":
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert not path.with_name(path.name + "-wal").exists()
        return path

    return copy


@pytest.fixture
def opened() -> Iterator[Callable[[Scene], Any]]:
    scenes: list[Scene] = []

    def keep(scene: Scene) -> Any:
        scenes.append(scene)
        return scene

    yield keep
    for scene in scenes:
        scene.journal.close()


class Clocks:
    """Both clocks of a board, reckoned here from when they were pressed."""

    def __init__(self, told: dict[str, Any], at: int, increment_ms: int) -> None:
        self.left = {"white": told["white_ms"], "black": told["black_ms"]}
        self.since, self.running = at, told["running"]
        self._increment_ms = increment_ms

    def press(self, at: int) -> tuple[int, int]:
        self.left[self.running] += self._increment_ms - (at - self.since)
        self.since, self.running = at, "black" if self.running == "white" else "white"
        return self.left["white"], self.left["black"]


def play(scene: Scene, board: chess.Board, move: chess.Move, clocks: Clocks) -> None:
    """A move by hand, and its press; what the clocks then say is what they have to."""
    side = "white" if board.turn else "black"
    if board.is_castling(move):
        king_side = chess.square_file(move.to_square) > 4
        rank = chess.square_rank(move.from_square)
        scene.move(move.uci())
        scene.move(
            chess.SQUARE_NAMES[8 * rank + 7 * king_side] + chess.SQUARE_NAMES[8 * rank + (5 if king_side else 3)]
        )
    else:
        if board.is_capture(move):
            scene.lift(chess.SQUARE_NAMES[move.to_square])
            scene.run(150)
        scene.move(move.uci())
    scene.run(2_345)
    pressed = clocks.press(scene.at)
    scene.press(side)
    told = [decode_event(record.body) for record in scene._records() if record.kind == "event"]
    last = [event for event in told if isinstance(event, Completed)][-1]
    assert (last.uci, last.white_ms, last.black_ms) == (move.uci(), *pressed)
    board.push(move)


def moves(scene: Scene) -> list[str]:
    told = [decode_event(record.body) for record in scene._records() if record.kind == "event"]
    return [event.uci for event in told if isinstance(event, Move)]


def clocks_said(scene: Scene) -> dict[str, dict[str, Any]]:
    """What the clocks of each board showed when the game was taken up."""
    said = [json.loads(record.body) for record in scene._records() if record.kind == "event"]
    return {event.get("board", "-"): event for event in said if event["type"] == "clock"}


def test_a_game_cut_off_is_played_to_its_end(cut: Callable[[str], Path], opened: Callable[[Scene], Any]) -> None:
    path, before = cut("game"), stood("game")
    told = before["boards"]["-"]
    scene = opened(Scene(check(GAME | {"journal": {"path": str(path)}}, "the test"), path))
    assert scene.said() == {}, "the rules make of it what they made then"
    assert scene.session.playing
    assert moves(scene) == told["moves"]
    assert scene.inputs()[-2:] == [("Outage", before["ms"]), ("Unseen", before["ms"])]
    shown = clocks_said(scene)["-"]
    assert {name: shown[name] for name in ("white_ms", "black_ms", "running")} == {
        name: told[name] for name in ("white_ms", "black_ms", "running")
    }
    board, clocks = chess.Board(), Clocks(told, scene.at, 10_000)
    played = list(read(None).mainline_moves())
    for move in played[: len(told["moves"])]:
        board.push(move)
    scene.show(board.occupied)  # the piece that was in hand is put back
    scene.run(1_000)
    for move in played[len(told["moves"]) : -1]:
        play(scene, board, move, clocks)
    scene.move(played[-1].uci())  # mates: no press is needed
    board.push(played[-1])
    scene.run(2_000)
    assert not scene.session.playing
    assert moves(scene) == [move.uci() for move in played]
    assert "Illegal" not in scene.events()
    scene.journal.verify()


def test_a_match_cut_off_is_played_to_its_end(cut: Callable[[str], Path], opened: Callable[[Scene], Any]) -> None:
    path, before = cut("match"), stood("match")
    scene: Double = opened(Double(check(MATCH | {"journal": {"path": str(path)}}, "the test"), path))
    assert scene.said() == {}
    assert scene.session.playing
    shown = clocks_said(scene)
    boards, clocks = {}, {}
    for board_id, told in before["boards"].items():
        sheet = scene.sheet().boards[board_id]
        assert [entry.move.uci for entry in sheet.entries] == told["moves"]
        assert (shown[board_id]["white_ms"], shown[board_id]["black_ms"]) == (told["white_ms"], told["black_ms"])
        assert shown[board_id]["running"] == told["running"]
        boards[board_id] = BughouseBoard(sheet.fen)
        clocks[board_id] = Clocks(told, scene.at, 0)
        scene.on(board_id).show(boards[board_id].occupied)
    scene.run(1_000)
    for _ in range(3):
        for board_id, board in boards.items():
            quiet = (m for m in board.legal_moves if not (m.drop or m.promotion or board.is_capture(m)))
            play(scene.on(board_id), board, next(quiet), clocks[board_id])
    scene.command(type="resign", side="white", board="A")
    scene.command(type="pause", side="black", board="B")
    assert not scene.session.playing
    assert scene.sheet().result is not None
    assert "Illegal" not in scene.events()
    scene.journal.verify()


# -- later versions ----------------------------------------------------------------------------------------------


def test_a_journal_of_a_later_schema_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    shutil.copy(JOURNALS / "game.sqlite", path)
    shutil.copy(JOURNALS / "game.sqlite-wal", tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = path.read_bytes()
    for call in (lambda: Journal(path, restore=True), lambda: connect_to_read(path), lambda: Journal(path)):
        with pytest.raises(JournalError, match="has schema 999, and this jadoube knows") as raised:
            call()
        assert "later version" in raised.value.cause
        assert "upgrade" in raised.value.next_step
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.glob("*damaged*")] == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("input", '{"type":"telepathy","ms":99000}'),
        ("input", '{"type":"lift","ms":99000,"square":"e2","finger":"thumb"}'),
        ("event", '{"type":"premonition","ms":99000}'),
        (
            "game",
            '{"game":"g9","venue":"demo","board":"1","started":"2030-01-01","session":{"type":"session","version":7}}',
        ),
    ],
)
def test_a_row_of_a_later_version_is_named_and_nothing_is_written(tmp_path: Path, kind: str, body: str) -> None:
    path = tmp_path / "game.sqlite"
    for file in JOURNALS.glob("game.sqlite*"):
        shutil.copy(file, tmp_path)
    journal = Journal(path)
    game = "g9" if kind == "game" else json.loads(journal.after(0, 1)[0].body)["game"]
    journal._writer.submit([(game, kind, body.encode())]).result(5)
    head = journal.head
    journal.close()
    journal = Journal(path)
    with pytest.raises(JournalError, match=f"record {head.seq} .* does not know") as raised:
        GameSession(check(GAME, "the test"), journal, Notices(), Timeline(0), 0)
    assert "later version" in raised.value.cause
    assert journal.head == head
    journal.close()


# -- how sure it was ---------------------------------------------------------------------------------------------------


def doubtful() -> tuple[Session, list[Record]]:
    """A capture of which only the origin was seen, as the journal has it."""
    session = Session(version=1, fen="4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1", clock="900")
    game, records = LiveGame("g", session), list[Record]()
    inputs = [Lift(ms=1_000, square="e4"), Press(ms=3_000, side="white"), Resign(ms=5_000, side="black")]
    for item in inputs:
        said = [("input", encode(item)), *[("event", encode(event)) for event in game.handle(item)]]
        records += [Record(len(records) + at, "g", kind, body, b"") for at, (kind, body) in enumerate(said, 1)]
    return session, records


@pytest.mark.parametrize(
    ("was", "then", "differs"),
    [
        (b"", b"", False),
        (rb'"confidence":[0-9.]+', b'"confidence":0.7', False),  # other rates were measured since
        (rb',"basis":"inferred","confidence":[0-9.]+,"others":\[.+?\]', b"", False),  # before
        (b'"uci":"e4f5"', b'"uci":"e4d5"', True),
    ],
)
def test_how_sure_a_move_was_makes_no_other_game_of_it(was: bytes, then: bytes, differs: bool) -> None:
    session, records = doubtful()
    (at,) = [number for number, record in enumerate(records) if b'"type":"move"' in record.body]
    assert re.search(was, records[at].body), records[at].body
    records[at] = replace(records[at], body=re.sub(was, then, records[at].body, count=1))
    assert LiveGame("g", session).replay(records) == (records[at].seq if differs else None)
