"""Two games that Lichess would take for one are said to be so, and no others."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from elsewhere import at_work
from hall import until
from kit import TAGS, Board

from controller.journal import Journal
from controller.outlets.broadcast import outlet as module
from controller.outlets.broadcast.outlet import GAMES, Broadcast
from controller.outlets.notices import Notices
from controller.outlets.settings import BroadcastConfig
from controller.outlets.twins import NAME, identity


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.005)


def broadcast(journal: Journal, folder: Path, notices: Notices, number: str = "7") -> Broadcast[object]:
    return Broadcast(BroadcastConfig(directory=str(folder)), number, int(number), journal, notices, GAMES)  # type: ignore[return-value,arg-type]


def said(notices: Notices) -> list[str]:
    return [notice.what for notice in notices.current if notice.source == NAME]


@pytest.mark.parametrize(
    ("differs", "same"),
    [
        ({}, True),
        ({"Round": "4"}, False),
        ({"Event": "Other"}, False),
        ({"Site": "There"}, False),
        ({"Board": "8"}, False),
        ({"White": "Cid"}, False),
        ({"WhiteFideId": "13"}, True),  # Black has none: so it is by their names
        ({"WhiteElo": "2000"}, True),
    ],
)
def test_a_second_game_of_the_same_name_is_said_until_the_next(
    journal: Journal, tmp_path: Path, differs: dict[str, str], same: bool
) -> None:
    async def scene() -> None:
        notices = Notices()
        Board(journal).play("e2e4")
        async with at_work(broadcast(journal, tmp_path, notices)):
            Board(journal, "g2", TAGS | differs).play("d2d4")
            await until(lambda: any("d4" in path.read_text() for path in tmp_path.glob("*/game-7.pgn")))
            assert bool(said(notices)) == same
            Board(journal, "g3", TAGS | {"Round": "9"}).play("c2c4")
            await until(lambda: (tmp_path / "round-9/game-7.pgn").exists())
            await until(lambda: not said(notices))

    asyncio.run(scene())


def test_it_is_said_after_a_restart_too(journal: Journal, tmp_path: Path) -> None:
    async def scene() -> None:
        notices = Notices()
        Board(journal).play("e2e4")
        Board(journal, "g2").play("d2d4")
        async with at_work(broadcast(journal, tmp_path, notices)):
            await until(lambda: said(notices))
            assert "2026-03-04 at 18:30" in said(notices)[0]

    asyncio.run(scene())


def test_the_next_game_takes_the_place_of_a_finished_one_like_it_once_somebody_moves(
    journal: Journal, tmp_path: Path
) -> None:
    """The pieces are set up again, and it begins by itself, with the tags that the configuration has."""

    async def scene() -> None:
        notices = Notices()
        Board(journal).play("e2e4").rule("result", result="1-0")
        async with at_work(broadcast(journal, tmp_path, notices)):
            file = tmp_path / "round-3/game-7.pgn"
            await until(lambda: file.exists() and "1-0\n" in file.read_text())
            for game in ("g2", "g3"):  # the first is given up before anybody has moved
                again = Board(journal, game)
                await until(lambda: said(notices))
                await asyncio.sleep(0.1)
                assert "1-0\n" in file.read_text()
            again.play("d2d4")
            await until(lambda: "d4" in file.read_text())
            again.rule("undo")
            await until(lambda: "d4" not in file.read_text())

    asyncio.run(scene())


def test_a_result_that_is_taken_back_is_so_though_the_daemon_stops_before_it_is_told(
    journal: Journal, tmp_path: Path
) -> None:
    """A player was said not to have come, and nobody has moved."""

    async def scene() -> None:
        file = tmp_path / "round-3/game-7.pgn"
        Board(journal).play("e2e4").rule("result", result="1-0")
        again = Board(journal, "g2").rule("result", result="0-1")
        async with at_work(broadcast(journal, tmp_path, Notices())):
            await until(lambda: file.exists() and "0-1\n" in file.read_text())
        again.rule("undo")
        async with at_work(broadcast(journal, tmp_path, Notices())):
            await until(lambda: "0-1\n" not in file.read_text())

    asyncio.run(scene())


@pytest.mark.parametrize(("number", "board"), [("7", None), ("8", "7")])
def test_two_daemons_with_one_folder(journal: Journal, tmp_path: Path, number: str, board: str | None) -> None:
    """Two boards of one number write the same file; two that are called the same have files of their own."""

    async def scene() -> None:
        with contextlib.closing(Journal(tmp_path / "other.sqlite")) as other:
            notices = Notices()
            first = Board(journal).play("e2e4")
            second = Board(other, "g2", TAGS | ({"Board": board} if board else {}), number)
            out = tmp_path / "out"
            async with at_work(broadcast(journal, out, notices)), at_work(broadcast(other, out, Notices(), number)):
                await until(lambda: len(list(out.glob("*/game-*.pgn"))) == (2 if board else 1))
                for file in "abcdfgh":  # they write in turn, until one finds what the other has written
                    second.play(f"{file}2{file}3", f"{file}7{file}6")
                    with contextlib.suppress(TimeoutError):
                        await until(lambda: said(notices), within=0.2)
                    first.play(f"{file}7{file}6", f"{file}2{file}3")
                    with contextlib.suppress(TimeoutError):
                        await until(lambda: said(notices), within=0.2)
                await until(lambda: said(notices))

    asyncio.run(scene())


def test_players_are_known_by_their_ids_where_both_have_one() -> None:
    ids = {"WhiteFideId": "1", "BlackFideId": "2"}
    assert identity(ids | {"White": "A", "Black": "B"}) == identity(ids | {"White": "A.", "Black": "B."})
    assert identity({"White": "A"}) != identity({"White": "B"})
    assert identity({"WhiteA": "A"}) != identity({"WhiteA": "B"})
