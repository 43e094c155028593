"""``jadoube archive``: journals held against the archive, tables for analysis, what is missing."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from engines import PostgreSQL
from pyarrow import parquet

from controller.archive.answers import Answers
from controller.archive.database import connect
from controller.archive.heard import Foreign, GoneAnswer, QueuedEvent, QueuedHead, VenueBoard, read
from controller.archive.register import InDatabase
from controller.archive.settings import DatabaseConfig
from controller.cli.main import main
from controller.console.grants import Grant
from controller.contract import Move, Session
from controller.errors import DeviceError
from controller.journal import Journal, Opening
from controller.outlets.follow import Follower
from controller.outlets.mqtt.topics import event as told
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_input

pytestmark = pytest.mark.engines
PLACE = VenueBoard("hall", "board/7")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of two games of a move each."""
    path = tmp_path / "jadoube.sqlite"
    with closing(Journal(path)) as journal:
        for game in ("one", "two"):
            opening = Opening(
                game=game,
                venue="hall",
                board="7",
                started="2026-11-22T10:00:00+01:00",
                session=Session(1),
            )
            journal.begin(opening).result()
            move = Move(ms=900, side="white", uci="e2e4", san="e4", fen="…", ply=1)
            journal.append(game, decode_input(b'{"ms":900,"type":"time"}'), [move]).result()
    return path


@pytest.fixture
def events(journal: Path) -> list[QueuedEvent]:
    """What the board told of it."""
    with closing(Journal(journal)) as opened:
        news = Follower(opened, "7", 1, Scoresheet)
        news.seq = 0
        heard = [read("jadoube.v1.hall.board.7.event", told(each)) for each in news.read()]
    return [each for each in heard if isinstance(each, QueuedEvent)]


@pytest.fixture
def archive(database: str, tmp_path: Path) -> Path:
    config = tmp_path / "archive.toml"
    config.write_text(f'[broker]\nhosts = ["127.0.0.1"]\n[database]\nurl = "{database}"\n')
    return config


def write(database: str, *heard: QueuedEvent | QueuedHead | GoneAnswer | Foreign) -> None:
    async def scene() -> None:
        base = await connect(DatabaseConfig(url=database))
        try:
            await base.keep_heads([each for each in heard if isinstance(each, QueuedHead)])
            await base.write(
                [each for each in heard if isinstance(each, QueuedEvent)],
                [each for each in heard if isinstance(each, GoneAnswer)],
                [each for each in heard if isinstance(each, Foreign)],
            )
        finally:
            await base.close()

    asyncio.run(scene())


@pytest.fixture
def jadoube(archive: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(command: str, *arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["archive", command, "--config", str(archive), *map(str, arguments)])
        said = capsys.readouterr()
        return int(stopped.value.code or 0), said.out + said.err

    return run


Command = Callable[..., tuple[int, str]]


def test_a_journal_that_is_archived_is_whole(
    journal: Path, events: list[QueuedEvent], database: str, jadoube: Command
) -> None:
    write(database, *events, *events)
    assert jadoube("check", journal) == (0, f"{journal}: 4 events, all archived as they are\n")


def test_an_event_that_is_missing_is_named(
    journal: Path, events: list[QueuedEvent], database: str, jadoube: Command
) -> None:
    write(database, *events[:-1])
    status, said = jadoube("check", journal)
    assert status == 1
    assert f"not archived: 1 record: {events[-1].seq}" in said


@pytest.mark.parametrize(
    "what",
    [
        """body = body || '{"san": "d4"}'""",
        "ply = ply + 1",
        "game = 'other'",
        "ms = ms + 1",
        "type = 'touch'",
        "side = 'black'",
        "venue = 'elsewhere'",
        "board = 'board/99'",
    ],
)
def test_a_row_that_was_altered_is_named(
    journal: Path, events: list[QueuedEvent], database: str, jadoube: Command, what: LiteralString
) -> None:
    write(database, *events)
    with psycopg.connect(database) as base:
        base.execute(f"UPDATE event SET {what} WHERE seq = %s", (events[1].seq,))
    status, said = jadoube("check", journal)
    assert status == 1
    assert f"archived with another content: 1 record: {events[1].seq}" in said


def test_a_head_that_the_journal_does_not_have_is_named(
    journal: Path, events: list[QueuedEvent], database: str, jadoube: Command
) -> None:
    write(database, QueuedHead(PLACE, events[0].origin, 2, bytes(32), 2), *events)
    status, said = jadoube("check", journal)
    assert status == 1
    assert "a board has told of record 2" in said


def test_what_contradicts_the_archive_is_kept_and_told(
    events: list[QueuedEvent], database: str, jadoube: Command
) -> None:
    first = events[1]
    write(database, *events)
    write(database, QueuedEvent(PLACE, first.origin, first.seq, first.after, first.game, first.body | {"san": "d4"}))
    status, said = jadoube("status")
    assert status == 0
    assert "4 events of 2 games" in said
    assert f"event {first.seq} of journal {first.origin} is archived with another content" in said


def test_what_is_missing_is_told(events: list[QueuedEvent], database: str, jadoube: Command) -> None:
    write(database, QueuedHead(PLACE, events[0].origin, 9, bytes(32), 9), *events)
    status, said = jadoube("status")
    assert status == 1
    assert f"hall board/7: archived up to {events[-1].seq}, told up to 9" in said


def test_what_a_board_has_let_go_is_not_waited_for(events: list[QueuedEvent], database: str, jadoube: Command) -> None:
    write(database, QueuedHead(PLACE, events[0].origin, 9, bytes(32), 9), *events, GoneAnswer(PLACE, 7, 9))
    assert jadoube("status")[0] == 0


def test_all_of_it_as_parquet(events: list[QueuedEvent], database: str, jadoube: Command, tmp_path: Path) -> None:
    write(database, *events)
    status, said = jadoube("export", "--out", tmp_path / "tables")
    assert status == 0
    assert said.split() == [str(tmp_path / "tables" / f"{name}-2026-11.parquet") for name in ("events", "games")]
    rows = parquet.read_table(tmp_path / "tables" / "events-2026-11.parquet").to_pylist()
    assert [(row["seq"], row["type"]) for row in rows] == [(each.seq, each.body["type"]) for each in events]
    assert json.loads(rows[1]["body"])["uci"] == "e2e4"


def test_without_the_library_of_parquet_it_is_said_how_to_have_it(
    jadoube: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "controller.archive.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, said = jadoube("export", "--out", tmp_path)
    assert status == 2
    assert "pip install 'jadoube[archive,parquet]'" in said


def test_a_schema_of_a_later_version_is_left_alone(database: str) -> None:
    with psycopg.connect(database) as base:
        base.execute("INSERT INTO archive_schema VALUES (99)")

    with pytest.raises(DeviceError, match="the archive has schema 99"):
        write(database)


def test_of_a_database_that_no_archiver_has_opened_yet_there_is_nothing_to_tell(
    archive: Path, postgresql: PostgreSQL, jadoube: Command
) -> None:
    archive.write_text(f'[broker]\nhosts = ["127.0.0.1"]\n[database]\nurl = "{postgresql.create()}"\n')
    assert jadoube("status") == (0, "0 events of 0 games on 0 boards\n")


def test_a_database_that_is_not_there_is_said(archive: Path, jadoube: Command) -> None:
    archive.write_text('[broker]\nhosts = ["127.0.0.1"]\n[database]\nurl = "postgresql://a@127.0.0.1:1/b"\n')
    status, said = jadoube("status")
    assert status == 2
    assert "Connection refused" in said
    assert "Likely cause" in said


def test_a_code_for_the_hall_s_pages_and_who_is_signed_in(archive: Path, database: str, jadoube: Command) -> None:
    status, said = jadoube("pair")
    assert status == 2
    assert "there are no pages" in said
    with archive.open("a") as file:
        file.write('[console]\nvenue = "hall"\nnames = ["hall.example"]\n')
    status, said = jadoube("pair", "--role", "arbiter", "--boards", "1-3", "--name", "Anne")
    assert status == 0
    assert "for Anne" in said
    assert "http://hall.example:8064/arbiter" in said
    code = said.split()[2]
    assert jadoube("pair", "--list") == (0, "nobody is signed in\n")

    async def signed_in() -> None:
        answers = Answers(DatabaseConfig(url=database))
        register = InDatabase("hall", 1.0, answers)
        may = await register.redeem(code)
        assert may == Grant("arbiter", ("1", "2", "3"), "Anne")
        await register.sign_in(may.name, "10.0.0.7", "Firefox Android", may)
        assert await register.redeem(code) is None
        assert await InDatabase("another", 1.0, answers).all() == {}
        await answers.close()

    asyncio.run(signed_in())
    status, said = jadoube("pair", "--list")
    assert status == 0
    assert "Anne" in said
    assert "10.0.0.7" in said
    assert jadoube("pair", "--sign-out", "Bo")[0] == 2
    status, said = jadoube("pair", "--sign-out", "Anne")
    assert (status, said.startswith("signed out: Anne")) == (0, True)
    assert jadoube("pair", "--list") == (0, "nobody is signed in\n")
    assert jadoube("pair", "--role", "arbiter")[0] == 2
