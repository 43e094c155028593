"""What is public is late by the delay, moves and clocks together, and never early."""

import asyncio
from pathlib import Path

import chess
import pytest
from hall import sheet_of
from kit import Board, story

from controller import contract as c
from controller import wire
from controller.config import check
from controller.daemon import feeds
from controller.daemon.service import Daemon
from controller.journal import Journal, Record
from controller.outlets.delay import Past
from controller.outlets.follow import Follower
from controller.outlets.scoresheet import Scoresheet

MINUTE = 60.0


class Time:
    """A clock in seconds that is set."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def time() -> Time:
    return Time()


def known(past: Past) -> list[Record]:
    past.catch_up()
    return past.after(0, 10_000)


def sheet(past: Past) -> Scoresheet | None:
    past.catch_up()
    return sheet_of(past)


def sans(past: Past) -> list[str]:
    seen = sheet(past)
    return [entry.move.san for entry in seen.entries] if seen else []


def test_moves_and_clocks_come_out_together_when_they_are_old_enough(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", 15, time)
    board = Board(journal)
    assert known(past) == []
    time.s += 5 * MINUTE
    board.play("e2e4")
    assert known(past) == []
    time.s += 5 * MINUTE
    board.play("e7e5")
    assert known(past) == []
    time.s += 5 * MINUTE  # 15 after the beginning, 10 after the first move
    assert sans(past) == []
    time.s += 5 * MINUTE
    seen = sheet(past)
    assert seen is not None
    assert [entry.move.san for entry in seen.entries] == ["e4"]
    assert seen.clock is not None
    assert seen.clock.running == "black"
    assert seen.entries[0].left_ms == 5_395_000
    time.s += 5 * MINUTE
    assert sans(past) == ["e4", "e5"]


def test_without_a_delay_everything_is_known_at_once(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", 0, time)
    board = Board(journal)
    for _ in story(board):
        assert known(past) == journal.after(0, 10_000)


def test_nothing_of_a_game_is_known_before_its_end_but_who_plays(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", "game-end", time)
    board = Board(journal)
    for _ in story(board):
        ended = board.result is not None
        seen = sheet(past)
        assert seen is not None
        assert seen.tags["White"] == "Ada, Lovelace"
        assert (seen.ply > 0, seen.clock is not None, seen.result is not None) == (ended, ended, ended)
    assert sans(past)[-1] == "Bc5"
    second = Board(journal, "g2")
    second.play("d2d4")
    assert sans(past) == []


def test_a_record_set_right_after_the_end_is_known_at_once(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", "game-end", time)
    board = Board(journal).play("e2e4", "e7e5", "g1f3").give(c.Resign, side="black")
    assert sans(past) == ["e4", "e5", "Nf3"]
    board.rule("correct", ply=3, moves=("b1c3",))
    assert sans(past) == ["e4", "e5", "Nc3"]


def test_what_is_played_on_once_a_result_was_taken_back_is_not(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", "game-end", time)
    board = Board(journal).play("e2e4", "e7e5", "g1f3").rule("result", result="1-0")
    assert sans(past) == ["e4", "e5", "Nf3"]
    board.rule("undo", "resume").play("b8c6").rule("correct", ply=4, moves=("d7d6",))
    assert sans(past) == ["e4", "e5", "Nf3"]


def test_a_proposed_result_ends_nothing(journal: Journal, time: Time) -> None:
    past = Past(journal, "7", "game-end", time)
    Board(journal, clock="60", supervised=True).play("e2e4", "e7e5").wait(120_000)
    assert any(isinstance(wire.decode_event(r.body), c.Flag) for r in journal.after(0, 1000) if r.kind == "event")
    assert [record.kind for record in known(past)] == ["game"]


@pytest.mark.parametrize("delay", [1, "game-end"])
def test_who_gave_a_game_up_without_a_result_lets_it_out_with_the_next(
    journal: Journal, time: Time, delay: float
) -> None:
    past = Past(journal, "7", delay, time)  # type: ignore[arg-type]
    Board(journal).play("e2e4")
    Board(journal, "g2")
    past.catch_up()
    time.s += MINUTE
    assert {record.game for record in known(past)} == {"g1", "g2"}


def test_after_a_restart_nothing_comes_early_and_what_was_old_is_known_at_once(journal: Journal, time: Time) -> None:
    board = Board(journal)
    board.play("e2e4").wait(10 * 60_000)
    board.play("e7e5")  # ten minutes of the session later
    past = Past(journal, "7", 5, time)
    assert sans(past) == ["e4"]
    time.s += 4 * MINUTE
    assert sans(past) == ["e4"]
    time.s += MINUTE
    assert sans(past) == ["e4", "e5"]


@pytest.mark.parametrize("delay", [1, "game-end"])
def test_the_game_before_is_not_let_out_by_a_restart_before_its_time(
    journal: Journal, time: Time, delay: float
) -> None:
    first = Board(journal)
    first.play("e2e4")
    Board(journal, "g2")
    past = Past(journal, "7", delay, time)  # type: ignore[arg-type]
    if delay == "game-end":
        assert {record.game for record in known(past)} == {"g1", "g2"}, "it was over when the next began"
        return
    assert known(past) == []
    time.s += MINUTE
    assert {record.game for record in known(past)} == {"g1", "g2"}


def test_it_wakes_those_who_wait_when_the_time_has_come(journal: Journal) -> None:
    async def scene() -> None:
        past = Past(journal, "7", 0.2 / 60)
        running = asyncio.create_task(past.run())
        loop = asyncio.get_running_loop()
        follower = Follower(past, "7", 0, Scoresheet)
        board = Board(journal)
        board.play("e2e4")
        written = loop.time()
        async with asyncio.timeout(5):
            while follower.sheet is None or not follower.sheet.entries:
                await follower.more()
                follower.read()
        assert loop.time() - written >= 0.15
        assert chess.Board(follower.sheet.fen).turn == chess.BLACK
        running.cancel()

    asyncio.run(scene())


def test_all_who_tell_the_public_read_one_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Past] = []

    def past(journal: Journal, board: str, delay: float) -> Past:
        made.append(Past(journal, board, delay))
        return made[-1]

    monkeypatch.setattr(feeds, "Past", past)
    tables = {"board": {"type": "simulated"}, "broadcast": {"directory": str(tmp_path)}, "console": {"port": 0}}
    for late, pasts in ((15, 1), (0, 0)):
        journal = {"path": str(tmp_path / f"{late}.sqlite")}
        daemon = Daemon(check(tables | {"event": {"delay_min": late}, "journal": journal}, "the test"))
        assert len(made) == pasts
        assert list(daemon.only.public.tasks) == ["delay"] * pasts
        daemon.journal.close()
        made.clear()
