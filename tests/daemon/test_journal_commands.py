"""``jadoube verify`` and ``jadoube export``; and a journal of the first version is opened by this one."""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import chess.pgn
import pytest
from stage import Scene, Stage

from controller.cli.main import main
from controller.cli.replay import judge
from controller.contract import Lift
from controller.journal import Journal

JOURNALS = Path(__file__).resolve().parent / "journals"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def played(stage: Stage) -> Scene:
    """Two games with a clock, the first one with a breach of Article 4; the daemon is still at work."""
    scene = stage(event={"clock": "300"}, game={"white": "Ann", "black": "Bob"})
    scene.show()
    scene.run(1000)
    scene.press("black")
    scene.move("e2e4")
    scene.press("white")
    scene.lift("b8")
    scene.run(300)
    scene.place("b8")
    scene.move("e7e5")
    scene.press("black")
    scene.command(type="arbiter", do="dismiss")
    scene.command(type="resign", side="white")
    scene.command(type="new-game")
    scene.move("d2d4")
    scene.press("white")
    scene.journal.append(scene.games()[-1], Lift(ms=10**6, square="a1"), []).result(5)
    return scene


# -- verify ------------------------------------------------------------------------------------------------------


def test_a_whole_journal_is_proven_while_the_daemon_is_at_work(
    played: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", played.path) == 0
    head = played.journal.head
    said = capsys.readouterr().out
    assert f"{head.seq} records of 2 games" in said
    assert f"head {head.seq} {head.hash.hex()}" in said


def test_the_first_row_that_is_not_what_was_written_is_named(played: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    played.journal.close()
    with sqlite3.connect(played.path) as connection:
        rows = "WHERE seq IN (4, 9)"
        connection.executescript(f"DROP TRIGGER record_stands; UPDATE record SET body = body || ' ' {rows}")
    connection.close()
    before = played.path.read_bytes()
    assert run("verify", played.path) == 1
    assert "record 4 is not what was written" in capsys.readouterr().out
    assert played.path.read_bytes() == before


def test_a_restored_journal_is_proven_and_says_where_rows_are_missing(
    played: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    last = played.journal.head.seq
    played.journal.close()
    with sqlite3.connect(played.path) as connection:
        connection.executescript(f"DROP TRIGGER record_stays; DELETE FROM record WHERE seq IN ({last - 3}, {last - 2})")
    connection.close()
    Journal(played.path, restore=True).close()
    assert run("verify", played.path) == 0
    said = capsys.readouterr().out
    assert f"before record {last - 1} rows are missing, restored" in said
    assert "unproven" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "there is no journal"), (b"", "is empty"), (b"no journal at all", "is no journal: it is not an SQLite")],
)
def test_what_is_no_journal_is_neither_whole_nor_damaged(
    tmp_path: Path, content: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    assert run("verify", path) == 2
    assert said in capsys.readouterr().err


# -- export ------------------------------------------------------------------------------------------------------


def test_an_exported_game_is_judged_as_it_was_byte_for_byte(played: Scene, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("export", played.path, "--out", out) == 0
    for game in played.games():
        recorded = b"".join(r.body + b"\n" for r in played.journal.game(game) if r.kind == "event")
        with (out / f"{game}.jsonl").open("rb") as log:
            judged = b"".join(judge(log, game))
        assert recorded
        assert judged.startswith(recorded)
        assert b'"type":"move"' not in judged[len(recorded) :], "behind it is what 5 s more would bring"


def test_each_game_is_a_pgn(played: Scene, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("export", played.path, "--out", out)
    games = []
    for game in played.games():
        with (out / f"game-{game}.pgn").open() as file:
            games.append(chess.pgn.read_game(file))
    assert [[move.uci() for move in game.mainline_moves()] for game in games if game] == [
        ["e2e4", "e7e5"],
        ["e2e4", "e7e5", "d2d4"],  # the pieces were left where they stood
    ]
    assert games[0] is not None
    assert (games[0].headers["White"], games[0].headers["Result"]) == ("Ann", "0-1")


def test_of_a_damaged_journal_what_can_be_read_is_exported(
    played: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = played.games()
    played.journal.close()
    with sqlite3.connect(played.path) as connection:
        script = f"UPDATE record SET body = '' WHERE seq = (SELECT max(seq) - 5 FROM record WHERE game = '{second}')"
        connection.executescript(f"DROP TRIGGER record_stands; {script}")
    connection.close()
    before = played.path.read_bytes()
    assert run("export", played.path, "--out", tmp_path / "out") == 1
    assert "is not what was written" in capsys.readouterr().err
    assert played.path.read_bytes() == before
    assert b"resign" in (tmp_path / "out" / f"{first}.jsonl").read_bytes()


def test_a_match_is_exported_as_bpgn(tmp_path: Path) -> None:
    from controller.contract import Session
    from controller.journal import Opening

    journal = Journal(tmp_path / "journal.sqlite")
    session = Session(version=1, match="bughouse", clock="180")
    journal.begin(Opening(game="m", venue="c", board="1+2", started="2026-01-02", session=session)).result(5)
    journal.close()
    assert run("export", journal.path, "--out", tmp_path / "out") == 0
    assert "[WhiteA" in (tmp_path / "out" / "match-m.bpgn").read_text()


# -- journals of older versions ----------------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return shutil.copy(JOURNALS / "schema-001.sqlite", tmp_path / "old.sqlite")


def test_a_journal_of_the_first_version_is_read_without_a_change(old: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(old.read_bytes()).digest()
    assert run("verify", old) == 0
    assert run("export", old, "--out", tmp_path / "out") == 0
    assert hashlib.sha256(old.read_bytes()).digest() == before
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("old")] == ["old.sqlite"]
    assert len((tmp_path / "out" / "20261121-140913-f904.jsonl").read_text().splitlines()) == 4


def test_a_journal_of_the_first_version_goes_on_in_this_one(old: Path) -> None:
    journal = Journal(old)
    assert journal.head.seq == 6
    assert journal.cursor("mqtt") == 5
    opening = journal.last_game("7")
    assert opening is not None
    assert opening.tags == {"White": "Ann", "Black": "Bob"}
    assert journal.append(opening.game, Lift(ms=9000, square="e7"), []).result(5) == 7
    assert journal.verify().records == 7
    journal.close()
