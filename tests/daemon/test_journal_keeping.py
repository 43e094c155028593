"""What is too old goes by itself, and really: its bytes too. What stands is proven, and whoever asks is told."""

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hall import running, until
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cli.main import main
from controller.config import Config, JournalConfig
from controller.contract import Lift, Move, Resign, Result, Session, Touch
from controller.daemon.upkeep import Upkeep
from controller.errors import DamageError
from controller.journal import Journal, Keeper, Opening, connect_to_read, keeping, rescue, salvage
from controller.journal.reading import Reader
from controller.journal.witness import Noted
from controller.outlets.follow import Follower
from controller.outlets.mqtt import topics
from controller.outlets.scoresheet import Scoresheet

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
START = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def at(days: float) -> str:
    return (NOW - timedelta(days=days)).isoformat(timespec="seconds")


def add(journal: Journal, game: str, started: str, board: str = "1") -> None:
    """A game of one move and eight touches, told so that its bytes can be looked for."""
    session = Session(version=1)
    tags = {"White": f"Ann-{game}", "Black": f"Bob-{game}"}
    journal.begin(Opening(game=game, venue="club", board=board, started=started, tags=tags, session=session))
    for ms in range(8):
        journal.append(
            game, Lift(ms=ms, square="e2", by=f"spy-{game}"), [Touch(ms=ms, side="white", square="e2", piece="P")]
        )
    move = Move(ms=9, ply=1, side="white", uci="e2e4", san="e4", fen=START)
    journal.append(game, Lift(ms=9, square="e2", by=f"spy-{game}"), [move])
    journal.append(
        game,
        Lift(ms=10, square="e7"),
        [Result(ms=10, result="1-0", reason="resignation", article="5.1.2", status="final")],
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    yield journal
    journal.close()


def keep(path: Path, now: datetime = NOW, sent: int = 10**9, touches: int = 30, names: int = 365) -> int:
    return len(list(Keeper(path, touches, names).steps(now, sent)))


def twice(path: Path, **given: int) -> None:
    keep(path, **given)
    keep(path, NOW + timedelta(days=1), **given)


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def settled(journal: Journal) -> int:
    return journal.append("last", Lift(ms=99, square="a2"), []).result(5)


def test_touches_go_first_and_the_score_stays(journal: Journal, path: Path, tmp_path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "new", at(10))
    add(journal, "last", at(1))
    settled(journal)
    before = {record.seq: record for record in journal.after(0)}
    twice(path)
    journal.forget(journal.head.seq)
    kinds = [record.kind for record in journal.game("old")]
    assert kinds == ["game", "event", "event"]
    assert all(before[record.seq] == record for record in journal.game("old"))
    assert len(list(journal.game("new"))) == len([r for r in before.values() if r.game == "new"])
    with closing(Reader(connect_to_read(path), path)) as reader:
        proof = reader.verify()
        assert proof.head == journal.head
        assert proof.records + proof.gone == len(before)
    with pytest.raises(SystemExit):
        main(["export", str(path), "--out", str(tmp_path / "out")])
    assert "1. e4 1-0" in (tmp_path / "out" / "game-old.pgn").read_text()
    assert {file.name for file in (tmp_path / "out").glob("*.jsonl")} == {"new.jsonl", "last.jsonl"}


def test_then_the_game_goes_and_its_bytes_with_it(journal: Journal, path: Path) -> None:
    add(journal, "ancient", at(400))
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    origin = settled(journal) and journal.origin
    assert b"Ann-ancient" in bytes_of(path)
    twice(path)
    left = bytes_of(path)
    for name in (b"Ann-ancient", b"Bob-ancient", b"spy-ancient", b"spy-old"):
        assert name not in left
    assert b"Ann-old" in left
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM gone WHERE game = 'ancient'").fetchone() == (1,)
    journal.close()
    again = Journal(path)
    assert again.origin == origin, "though the first record is gone"
    assert again.verify().head == again.head
    again.close()


def test_what_stands_follows_from_what_is_gone(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE gone SET hash = zeroblob(32) WHERE first = (SELECT min(first) FROM gone)")
        connection.commit()
    with (
        closing(Reader(connect_to_read(path), path)) as reader,
        pytest.raises(DamageError, match="not what was written"),
    ):
        reader.verify()


def test_it_is_proven_from_any_row_on(journal: Journal, path: Path) -> None:
    """As at each start, from so many rows before the last on: that may be amid what was let go."""
    add(journal, "ancient", at(400))
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    head = settled(journal)
    twice(path)
    for since in range(1, head + 1):
        assert journal.verify(since).head == journal.head


def test_a_row_that_nobody_let_go_is_missing(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM gone WHERE first = (SELECT min(first) FROM gone)")
        connection.commit()
    with (
        closing(Reader(connect_to_read(path), path)) as reader,
        pytest.raises(DamageError, match="record 2 is missing"),
    ):
        reader.verify()


def test_a_row_that_stands_cannot_be_deleted(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM record WHERE seq = (SELECT max(seq) FROM record WHERE game = 'old')")


# -- what stays --------------------------------------------------------------------------------------------------


def test_the_last_game_of_each_board_stays(journal: Journal, path: Path) -> None:
    add(journal, "other", at(900), board="2")
    add(journal, "last", at(800))
    settled(journal)
    twice(path)
    assert {record.game for record in journal.after(0, 999)} == {"other", "last"}
    assert keep(path) == 0


def test_what_an_outlet_has_yet_to_send_stays(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    end = journal.append("old", Lift(ms=99, square="a2"), []).result(5)
    add(journal, "last", at(1))
    settled(journal)
    twice(path, sent=end)
    assert len(list(journal.game("old"))) == end
    twice(path, sent=end + 1)
    assert len(list(journal.game("old"))) < end


def test_nothing_goes_at_once_for_the_clock_may_be_wrong_for_a_moment(journal: Journal, path: Path) -> None:
    add(journal, "old", at(10))
    add(journal, "last", at(1))
    head = settled(journal)
    for now in (NOW + timedelta(days=20_000), NOW, NOW + timedelta(days=20_001), NOW):
        assert keep(path, now) == 0
    assert journal.verify().records == head


@pytest.mark.parametrize("year", [1970, 2000, 2024, 2099])
def test_a_date_that_cannot_be_is_that_of_the_next_game(journal: Journal, path: Path, year: int) -> None:
    add(journal, "undated", datetime(year, 1, 1, tzinfo=UTC).isoformat())
    add(journal, "new", at(20))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    assert len(list(journal.game("undated"))) > 3
    keep(path, NOW + timedelta(days=11))
    keep(path, NOW + timedelta(days=12))
    assert len(list(journal.game("undated"))) == 3


@pytest.mark.parametrize("year", [1970, 2000])
def test_by_a_clock_that_cannot_be_nothing_is_old(journal: Journal, path: Path, year: int) -> None:
    add(journal, "old", at(400))
    add(journal, "last", at(1))
    head = settled(journal)
    for day in (1, 5):
        assert keep(path, datetime(year, 1, day, tzinfo=UTC)) == 0
    assert journal.verify().records == head


def test_a_clock_that_was_ahead_for_a_while_puts_nothing_off(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    keep(path, NOW + timedelta(days=60))
    assert keep(path, NOW) == 0
    assert keep(path, NOW + timedelta(days=1)) > 0


def test_files_set_aside_go_too(journal: Journal, path: Path) -> None:
    settled(journal)
    old, new = (path.with_name(f"{path.name}.damaged-{when}") for when in ("20250901", "20261101"))
    for file, days in ((old, 400), (new, 20)):
        file.touch()
        os.utime(file, ((NOW - timedelta(days=days)).timestamp(),) * 2)
    keep(path)
    assert old.exists()
    keep(path, NOW + timedelta(days=1))
    assert not old.exists()
    assert new.exists()


# -- interrupted, damaged, asked for -----------------------------------------------------------------------------


@given(
    days=st.lists(st.integers(0, 65).map(lambda n: 10 * n), min_size=1, max_size=6),
    stops=st.lists(st.integers(0, 6), max_size=4),
    touches=st.integers(0, 40).map(lambda n: 10 * n + 5),
    names=st.integers(0, 40).map(lambda n: 10 * n + 5),
)
@settings(max_examples=40, deadline=None)
def test_however_it_is_interrupted_all_that_stands_is_proven(
    tmp_path_factory: pytest.TempPathFactory, days: list[int], stops: list[int], touches: int, names: int
) -> None:
    path = tmp_path_factory.mktemp("kept") / "journal.sqlite"
    journal = Journal(path)
    for number, ago in enumerate(sorted(days, reverse=True)):
        add(journal, f"g{number}", at(ago))
    settled(journal)
    head = journal.head
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "AT_ONCE", 5)
        keep(path, NOW, touches=touches, names=names)
        for number in stops:  # a game begins, or the power fails
            steps = Keeper(path, touches, names).steps(NOW + timedelta(days=1), 10**9)
            for _ in range(number):
                next(steps, None)
            steps.close()
            assert journal.verify().head == head
        keep(path, NOW + timedelta(days=1), touches=touches, names=names)
        assert keep(path, NOW + timedelta(days=1), touches=touches, names=names) == 0
    left = bytes_of(path)
    for number, ago in enumerate(sorted(days, reverse=True)[:-1]):
        assert (f"Ann-g{number}".encode() in left) == (ago < names)
        assert (f"spy-g{number}".encode() in left) == (ago < min(touches, names))
    assert journal.verify().head == head
    journal.close()


def test_of_a_damaged_file_what_was_let_go_is_not_called_lost(journal: Journal, path: Path, tmp_path: Path) -> None:
    add(journal, "ancient", at(400))
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    journal.close()
    restored = salvage(path, tmp_path / "new.sqlite")
    assert restored.lost == ()
    with closing(Reader(connect_to_read(tmp_path / "new.sqlite"), path)) as reader:
        assert reader.verify().gone == restored_gone(path)


@pytest.mark.parametrize("found", [slice(0, 3), slice(2, 5), slice(0, 99)])
def test_what_was_let_go_and_is_found_once_more_goes_again(journal: Journal, path: Path, found: slice) -> None:
    """A damaged file may still have some of it, on pages that were free or in an older state of its log."""
    for game, days in (("ancient", 400), ("old", 40), ("last", 1)):
        add(journal, game, at(days))
    settled(journal)
    all_of_it = journal.after(0, 999)
    head = journal.head
    twice(path)
    journal.close()
    with closing(Reader(connect_to_read(path), path)) as reader:
        alive = {record.seq for record in reader.after(0, 999)}
    back = [record for record in all_of_it if record.seq not in alive][found]
    restored = rescue.set_aside(path, noted=Noted(head.seq, head.hash), more=back)
    assert (restored.lost, restored.whole) == ((), True)
    twice(path)
    with closing(Reader(connect_to_read(path), path)) as reader:
        assert reader.verify().head == head
        assert {record.seq for record in reader.after(0, 999)} == alive


def restored_gone(path: Path) -> int:
    with closing(Reader(connect_to_read(path), path)) as reader:
        return reader.verify().gone


def test_verify_says_what_was_let_go(journal: Journal, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(journal, "ancient", at(400))
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(path)])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "  let go by age on 2026-11-23: touches of 1 game, " in said
    assert "  let go by age on 2026-11-23: 1 game, " in said


# -- in the daemon -----------------------------------------------------------------------------------------------


def test_of_large_games_no_byte_is_left(journal: Journal, path: Path) -> None:
    """Trees of several levels are rebalanced when rows go: what was moved must not stay behind."""
    for game, ago in (("ancient", 400), ("old", 40), ("last", 1)):
        add(journal, game, at(ago))
        for ms in range(11, 2_000):
            journal.append(game, Lift(ms=ms, square="e2", by=f"spy-{game}"), [])
        settled(journal)
    twice(path)
    left = bytes_of(path)
    assert (left.count(b"spy-ancient"), left.count(b"Ann-ancient"), left.count(b"spy-old")) == (0, 0, 0)
    assert left.count(b"spy-last")
    journal.verify()


class Table:
    """Plays from a moment on."""

    def __init__(self, free: int) -> None:
        self.free = free

    def playing(self) -> bool:
        self.free -= 1
        return self.free < 0


def test_it_waits_while_a_game_is_played(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "AT_ONCE", 5)
    add(journal, "ancient", at(400))
    add(journal, "last", at(1))
    head = settled(journal)
    journal.move_cursor("mqtt", head)
    table = Table(free=0)
    upkeep = Upkeep(JournalConfig(), journal, table.playing, lambda: {"mqtt": "7"})

    async def scene() -> None:
        assert await upkeep.once(NOW)
        table.free = 2
        assert not await upkeep.once(NOW + timedelta(days=1))
        some = len(journal.after(0, 999))
        assert some == head - 3 * 5
        table.free = 999
        assert await upkeep.once(NOW + timedelta(days=1))

    asyncio.run(scene())
    assert list(journal.game("ancient")) == []
    assert not any(record.game == "ancient" for record in journal.after(0, 999)), "nor in memory"
    assert journal.verify().head.seq == head


def test_it_ends_before_the_journal_is_closed(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it was cancelled before it had begun: the thread may be late."""
    add(journal, "ancient", at(400))
    add(journal, "last", at(1))
    settled(journal)
    keep(journal.path)
    ended = threading.Event()
    upkeep = Upkeep(JournalConfig(), journal, lambda: False, dict)
    work = upkeep._work

    def late(*given: Any) -> bool:
        time.sleep(0.05)
        try:
            return work(*given)
        finally:
            ended.set()

    monkeypatch.setattr(upkeep, "_work", late)

    async def scene() -> None:
        task = asyncio.create_task(upkeep.once(NOW + timedelta(days=1)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert ended.is_set()

    asyncio.run(scene())
    assert list(journal.game("ancient")) != []


def test_who_asks_for_what_is_gone_is_told(journal: Journal, path: Path) -> None:
    add(journal, "old", at(40))
    add(journal, "last", at(1))
    settled(journal)
    twice(path)
    journal.forget(20)
    again = Follower(journal, "1", 5, Scoresheet)
    news = again.read(999)
    assert [type(each.event).__name__ for each in news[:2]] == ["Move", "Result"]
    answer = json.loads(topics.replayed(again, again.seq, 0, again.gone))
    assert answer["gone"] == {"first": 6, "last": 20}
    now = Follower(journal, "1", 0, Scoresheet)
    assert "gone" not in json.loads(topics.replayed(now, now.seq, 0, now.gone)), "of the game in progress nothing is"


def test_a_game_that_everybody_has_left_is_not_played(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    add(journal, "ancient", at(400))
    add(journal, "last", at(1))
    settled(journal)
    upkeep = Upkeep(JournalConfig(), journal, lambda: True, dict)
    keep(journal.path)
    assert not asyncio.run(upkeep.once(NOW + timedelta(days=1)))
    monkeypatch.setattr("controller.daemon.upkeep.LEFT_S", 0.0)
    assert asyncio.run(upkeep.once(NOW + timedelta(days=1)))
    assert list(journal.game("ancient")) == []


def test_the_daemon_does_it_by_itself(configure: Callable[..., Config]) -> None:
    config = configure(start={"ready_s": 600})
    path, now = Path(config.journal.path), datetime.now(UTC)
    journal = Journal(path)
    for game, days in (("ancient", 400), ("old", 40), ("last", 2)):
        add(journal, game, (now - timedelta(days=days)).isoformat(), board="7")
    head = journal.append("last", Resign(ms=99, side="white"), []).result(5)
    for name in ("mqtt", "pgn"):
        journal.move_cursor(name, head)
    journal.close()
    keep(path, now - timedelta(hours=36))

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: not list(daemon.journal.game("ancient")) and len(list(daemon.journal.game("old"))) == 3)
            assert "upkeep" not in {notice.source for notice in daemon.notices.current}

    asyncio.run(scene())
    assert b"Ann-ancient" not in bytes_of(path)
    with closing(Reader(connect_to_read(path), path)) as reader:
        reader.verify()
