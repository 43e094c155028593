"""What a board loses, counted in its games and by calibrate, and said by the next session."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import chess
import msgspec
import pytest
from hall import running, until
from stage import Scene, Stage

from controller import contract as c
from controller.config import Config
from controller.daemon import measured
from controller.daemon.measured import LEAST, LossesInPlay, Measured, Measuring, calibrated, kept_at, sensors
from controller.errors import JournalError
from controller.journal import Journal, Opening, decode_opening
from controller.sensing.costs import UNMEASURED
from controller.sensing.signs import Lost
from hardware.boards.chesslink import ChessLinkConfig
from hardware.boards.dgt import DgtConfig
from hardware.boards.matrix import MatrixConfig
from hardware.boards.registry import scan_ms

BEGAN = datetime(2026, 11, 1, 12, tzinfo=UTC)
OVER = c.Result(ms=10**6, result="1/2-1/2", reason="arbiter", article="8.7", status="final")
ROUND = ["g1f3", "g8f6", "f3g1", "f6g8"]
"""Four moves, eight edges, and all stands as before."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite")
    yield journal
    journal.close()


def game(
    journal: Journal,
    name: str,
    rounds: int,
    lost: int = 0,
    board: str = "7",
    day: int = 0,
    senses: c.Senses = "occupancy",
) -> None:
    """A game of so many rounds, of the first ``lost`` of which an edge did not come; with what became of it."""
    session, started = c.Session(version=1, senses=senses), (BEGAN + timedelta(days=day)).isoformat()
    journal.begin(Opening(game=name, venue="hall", board=board, started=started, session=session))
    position, ms, ply = chess.Board(), 0, 0
    for number in range(rounds):
        for uci in ROUND:
            ms, ply = ms + 1000, ply + 1
            items: list[c.AnyInput] = [c.Lift(ms=ms, square=uci[:2]), c.Place(ms=ms + 300, square=uci[2:])]
            side: c.Side = "white" if position.turn else "black"
            position.push_uci(uci)
            told = c.Move(ms=ms + 700, side=side, uci=uci, san="", fen=position.fen(), ply=ply)
            for item in items[1 if uci == ROUND[0] and number < lost else 0 :]:
                journal.append(name, item, [])
            journal.append(name, c.Time(ms=ms + 700), [told]).result(5)


def test_it_is_counted_over_the_games_of_that_board(journal: Journal, configure: Callable[..., Config]) -> None:
    game(journal, "one", rounds=3, lost=1)
    game(journal, "of another board", rounds=2, lost=2, board="8")
    game(journal, "of another kind of board", rounds=2, lost=2, senses="colour")
    game(journal, "two", rounds=2, lost=2)
    played = LossesInPlay(configure(), journal.path)
    assert played.count(None) == Lost(5 * 8, 3)
    assert played.games == 2


def test_a_game_is_counted_once_and_only_the_last_ones_count(
    journal: Journal, configure: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured, "GAMES", 2)
    played = LossesInPlay(configure(), journal.path)
    for number, lost in enumerate((2, 1)):
        game(journal, f"game {number}", rounds=2, lost=lost)
    assert played.count(None) == Lost(32, 3)
    game(journal, "game 2", rounds=2)
    with patch.object(measured, "recorded", wraps=measured.recorded) as read:
        assert played.count(None) == Lost(32, 1)
    assert read.call_count == 1


def test_none_is_begun_while_a_game_is_played(journal: Journal, configure: Callable[..., Config]) -> None:
    for number in range(3):
        game(journal, f"game {number}", rounds=1)
    played, answers = LossesInPlay(configure(), journal.path), iter([False, True, True])
    assert played.count(None, lambda: next(answers)) == Lost(8, 0)
    assert played.count(None) == Lost(24, 0)


def test_what_was_played_before_the_board_was_calibrated_is_past(
    journal: Journal, configure: Callable[..., Config]
) -> None:
    for day in range(3):
        game(journal, f"day {day}", rounds=1, lost=1, day=day)
    assert LossesInPlay(configure(), journal.path).count(BEGAN + timedelta(days=1)) == Lost(16, 2)


# -- what a session says ---------------------------------------------------------------------------------------------


def test_of_too_little_nothing_is_made() -> None:
    board = MatrixConfig(rows=tuple(range(8)), columns=tuple(range(8, 16)))
    assert sensors(board, None, Lost(LEAST - 1, 40), 15) is None
    assert sensors(board, None, Lost(LEAST, 0), 15) == c.Sensors(lost=1 / (LEAST + 2), scan_ms=15)
    assert sensors(board, None, Lost(LEAST, LEAST), 15) == c.Sensors(lost=0.5, scan_ms=15)


def test_what_calibrate_and_what_the_games_tell_adds_up() -> None:
    found = Measured(edges=300, lost=1, scan_ms=21.5, at=BEGAN)
    assert sensors(DgtConfig(), found, Lost(298, 1), 15) == c.Sensors(lost=3 / 600, scan_ms=21.5)
    assert sensors(DgtConfig(), found, Lost(LEAST - 301, 1), 15) == c.Sensors(lost=UNMEASURED, scan_ms=21.5)


def test_how_seldom_a_bought_board_looks_is_said_of_its_first_game() -> None:
    """A piece brushed for 50 ms is seen off its square until the next look."""
    assert sensors(DgtConfig(), None, Lost(), 15) == c.Sensors(lost=UNMEASURED, scan_ms=225)


@pytest.mark.parametrize(
    ("board", "every_ms"),
    [
        (MatrixConfig(rows=tuple(range(8)), columns=tuple(range(8, 16)), scan_hz=50), 20),
        (ChessLinkConfig(port="/dev/none", scan_ms=100), 100),
        (DgtConfig(), 225),
    ],
)
def test_how_often_a_board_looks_is_known_without_measuring(
    board: MatrixConfig | ChessLinkConfig | DgtConfig, every_ms: float
) -> None:
    assert scan_ms(board) == every_ms
    known = sensors(board, None, Lost(LEAST, 0), 15)
    assert known is not None
    assert known.scan_ms == every_ms


def test_what_calibrate_has_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert calibrated(path) is None
    found = Measured(edges=512, lost=1, scan_ms=5.0, at=BEGAN)
    kept_at(path).write_bytes(msgspec.json.encode(found))
    assert calibrated(path) == found
    kept_at(path).write_text("{")
    with pytest.raises(JournalError, match="cannot be used"):
        calibrated(path)


def test_between_the_games_the_next_session_is_made_ready(journal: Journal, configure: Callable[..., Config]) -> None:
    heard: list[c.Sensors | None] = []
    measuring = Measuring(configure(), journal.path, lambda: False, heard.append)
    game(journal, "one", rounds=10, lost=1)
    asyncio.run(measuring.once())
    assert heard == [None], "80 edges are too few"
    game(journal, "two", rounds=60, lost=4)
    asyncio.run(measuring.once())
    assert heard[1:] == [c.Sensors(lost=6 / 562, scan_ms=15)]


def opening_of(scene: Scene) -> Opening:
    (name,) = scene.games()
    return next(decode_opening(each.body) for each in scene.journal.after(0, 10) if each.game == name)


def test_a_session_says_what_was_measured_and_is_replayed_by_it(stage: Stage) -> None:
    """Also after a restart, whatever is known by then."""
    scene = stage()
    known = c.Sensors(lost=0.1, scan_ms=41)
    scene.session.sensors = known
    scene.show()
    scene.run(500)
    scene.move("e2e4")
    opening = opening_of(scene)
    assert opening.session.sensors == known
    scene.restart(1000)
    assert scene.session.sensors is None
    assert "recovery" not in scene.said()
    scene.move("e7e5")
    assert scene.moves() == ["e2e4", "e7e5"]


def test_where_nothing_was_measured_a_session_says_nothing(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(500)
    opening = opening_of(scene)
    assert opening.session.sensors is None


def test_the_daemon_has_counted_before_its_first_game(journal: Journal, configure: Callable[..., Config]) -> None:
    game(journal, "one", rounds=70, lost=3)
    journal.append("one", c.Arbiter(ms=10**6, do="result", result="1/2-1/2"), [OVER]).result(5)
    journal.close()

    async def scene() -> None:
        async with running(configure(board={"scan_hz": 20}, start={"ready_s": 60})) as daemon:
            await until(lambda: daemon.only.session.sensors)
            assert daemon.only.session.sensors == c.Sensors(lost=4 / 562, scan_ms=50)

    asyncio.run(scene())
