"""Where a game of the broadcast belongs: a round whose name is no number, none at all, and a board on which others play
in the same round. No finished game is lost to those who poll.
"""

import asyncio
import json
from pathlib import Path

import pytest
from kit import TAGS, Board
from test_broadcast import read, sheet_of
from test_broadcast_web import answered

from controller import contract as c
from controller.journal import Journal
from controller.outlets.broadcast.folder import folder_of, paired_at, round_in, rounds_in, set_aside
from controller.outlets.broadcast.front import front_page
from controller.outlets.broadcast.outlet import GAMES, Broadcast, telling
from controller.outlets.broadcast.web import broadcast_app
from controller.outlets.notices import Notices
from controller.outlets.settings import BroadcastConfig

ROUND_1 = TAGS | {"Round": "1"}
OTHERS = {"White": "Cid", "Black": "Dora"}


def finished(journal: Journal, folder: Path) -> str:
    """Round 1 on board 7, won by White; what stands in its file."""
    Board(journal, "first", ROUND_1).play("e2e4", "e7e5").give(c.Resign, side="black")
    telling(sheet_of(journal), 7)(folder)
    return (folder / "round-1/game-7.pgn").read_text()


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("3", "round-3"),
        ("3.1", "round-3"),
        ("Final", "round-Final"),
        ("1-2", "round-1-2"),
        ("../../pwn2", "round-pwn2"),
        ("/tmp/pwn3", "round-tmp-pwn3"),
        ("1/4 finale, été", "round-1-4-finale-ete"),
        ("0", "round-0-5feceb"),
        ("(1)", "round-1-fd0ad9"),
        ("决赛", "round-x-bef3b2"),
        ("Финал A", "round-A-c189e5"),
        ("Полуфинал A", "round-A-d03845"),
        ("a" * 300, "round-" + "a" * 40),
        ("?", "round-1"),
        ("", "round-1"),
    ],
)
def test_each_round_has_a_folder_of_its_own(tmp_path: Path, name: str, folder: str) -> None:
    assert folder_of(tmp_path, {"Round": name}) == tmp_path / folder


@pytest.mark.parametrize("name", ["Final", "1-2", "../../pwn2", "/tmp/pwn3"])
def test_a_round_whose_name_is_no_number_leaves_the_first_as_it_is(journal: Journal, tmp_path: Path, name: str) -> None:
    finished(journal, tmp_path)
    before = {path: path.read_text() for path in (tmp_path / "round-1").iterdir()}
    Board(journal, "final", TAGS | OTHERS | {"Round": name}).play("c2c4")
    telling(sheet_of(journal), 7)(tmp_path)
    assert {path: path.read_text() for path in (tmp_path / "round-1").iterdir()} == before
    first, final = rounds_in(tmp_path)
    assert (first.name, final.name, final.number) == ("1", name, None)
    (game,) = read((final.path / "games.pgn").read_text())
    assert (game.headers["White"], game.headers["Round"]) == ("Cid", name)
    assert len(json.loads((tmp_path / "tournament.json").read_text())["rounds"]) == 1, "which knows numbers alone"
    for path in ("games.pgn", f"{final.path.name}/games.pgn", f"{final.path.name}/game-7.pgn"):
        status, text = asyncio.run(answered(broadcast_app(tmp_path), "GET", f"/{path}", {}))
        assert (status, "Cid" in text) == (200, True)
    assert asyncio.run(answered(broadcast_app(tmp_path), "GET", "/round-\0/games.pgn", {}))[0] == 404
    assert final.path.name in front_page(tmp_path, "en")


def test_a_named_round_comes_after_those_that_began_before_it(journal: Journal, tmp_path: Path) -> None:
    for number, name in enumerate(("1", "2", "Final", "3")):
        Board(journal, f"g{number}", TAGS | OTHERS | {"Round": name}).play("c2c4")
        telling(sheet_of(journal), 7)(tmp_path)
    assert [each.name for each in rounds_in(tmp_path)] == ["1", "2", "Final", "3"]


def test_a_game_without_a_round_does_not_come_among_those_of_round_1(journal: Journal, tmp_path: Path) -> None:
    finished(journal, tmp_path)
    Board(journal, "casual", OTHERS).play("c2c4")
    telling(sheet_of(journal), 7)(tmp_path)
    assert [path.name for path in (tmp_path / "round-none").glob("game-*.pgn")] == ["game-7.pgn"]
    assert "Cid" not in (tmp_path / "round-1/games.pgn").read_text()


def test_nor_before_round_1_where_a_later_one_is_there(journal: Journal, tmp_path: Path) -> None:
    for number, tags in enumerate((TAGS | {"Round": "2"}, OTHERS)):
        Board(journal, f"g{number}", tags).play("c2c4")
        telling(sheet_of(journal), 7)(tmp_path)
    assert sorted(path.parent.name for path in tmp_path.rglob("game-7.pgn")) == ["round-2", "round-none"]


def test_a_game_without_a_round_that_is_on_when_round_1_begins_stays_where_it_is(
    journal: Journal, tmp_path: Path
) -> None:
    """Else what stands there of it would be called live for ever."""
    casual = Board(journal, "casual", OTHERS, number="8").play("c2c4")
    telling(sheet_of(journal, "8"), 8)(tmp_path)
    Board(journal, "first", ROUND_1).play("e2e4")
    telling(sheet_of(journal), 7)(tmp_path)
    casual.give(c.Resign, side="black")
    telling(sheet_of(journal, "8"), 8)(tmp_path)
    assert [path.parent.name for path in tmp_path.rglob("game-8.pgn")] == ["round-1"]
    assert json.loads((tmp_path / "tournament.json").read_text())["rounds"][0]["live"] == 1


def test_a_game_without_a_round_is_not_the_last_round(journal: Journal, tmp_path: Path) -> None:
    for number, tags in enumerate((ROUND_1, TAGS | {"Round": "Final"}, OTHERS)):
        Board(journal, f"g{number}", tags).play("c2c4")
        telling(sheet_of(journal), 7)(tmp_path)
    assert [each.path.name for each in rounds_in(tmp_path)] == ["round-none", "round-1", "round-Final"]
    _, text = asyncio.run(answered(broadcast_app(tmp_path), "GET", "/games.pgn", {}))
    assert '[Round "Final"]' in text, "which is what Lichess asks for"


def test_a_club_without_rounds_has_all_its_games_in_one_folder(journal: Journal, tmp_path: Path) -> None:
    for number, white in enumerate(("Ann", "Bob")):
        Board(journal, f"g{number}", {"White": white, "Black": "Cid"}).play("c2c4").give(c.Resign, side="black")
        telling(sheet_of(journal), 7)(tmp_path)
    assert [path.name for path in tmp_path.glob("round-*")] == ["round-1"]
    assert [game.headers["White"] for game in read((tmp_path / "round-1/games.pgn").read_text())] == ["Ann", "Bob"]


def test_a_finished_game_of_others_is_kept_and_the_log_says_so(
    journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As where another event is played in the same folder."""
    before = finished(journal, tmp_path)
    Board(journal, "second", ROUND_1 | OTHERS | {"Event": "Blitz"}).play("c2c4")
    for _ in range(2):
        telling(sheet_of(journal), 7)(tmp_path)
    kept = tmp_path / "round-1/earlier-game-7-1.pgn"
    assert kept.read_text() == before
    assert json.loads(kept.with_suffix(".json").read_text())["result"] == "WHITEWIN"
    games = read((tmp_path / "round-1/games.pgn").read_text())
    assert [game.headers["White"] for game in games] == ["Ada, Lovelace", "Cid"]
    assert "Ada, Lovelace – Bo is finished and kept as earlier-game-7-1.pgn" in caplog.text
    assert len([*tmp_path.glob("round-1/earlier-*.pgn")]) == 1


def test_what_is_kept_already_is_not_kept_twice(journal: Journal, tmp_path: Path) -> None:
    """As where the power fails before the new game stands in its place."""
    finished(journal, tmp_path)
    others = '[White "Cid"]\n[Black "Dora"]\n[Result "*"]\n\n*\n'
    for _ in range(2):
        set_aside(tmp_path / "round-1/game-7.pgn", others)
    assert [path.name for path in tmp_path.glob("round-1/earlier-*.pgn")] == ["earlier-game-7-1.pgn"]


def test_a_result_that_is_corrected_is_no_other_game(journal: Journal, tmp_path: Path) -> None:
    finished(journal, tmp_path)
    sheet = sheet_of(journal)
    sheet.apply(c.Result(ms=99_000, result="1/2-1/2", reason="arbiter", article="12.9", status="final"))
    telling(sheet, 7)(tmp_path)
    assert not [*tmp_path.glob("round-1/earlier-*")]


@pytest.mark.parametrize("file", ["game-7.pgn", "game-7.json", ".game-7.paired", "index.json"])
@pytest.mark.parametrize("left", [b"", b"\0" * 40, b"\xff\xfe{"], ids=["nothing", "zeros", "no UTF-8"])
def test_what_a_bad_card_has_damaged_in_the_folder_is_written_anew(
    journal: Journal, tmp_path: Path, file: str, left: bytes
) -> None:
    """Else one file of one board would keep all boards of the folder from being told."""
    board = Board(journal, "first", ROUND_1).play("e2e4")
    telling(sheet_of(journal), 7)(tmp_path)
    folder = tmp_path / "round-1"
    paired_at(folder, 7).write_bytes(b"{}")
    (folder / file).write_bytes(left)
    board.play("e7e5")
    telling(sheet_of(journal), 7)(tmp_path)
    assert "1... e5" in (folder / "game-7.pgn").read_text()
    assert [*round_in(folder)] == [7]
    json.loads((folder / "index.json").read_text())


@pytest.mark.parametrize(("tags", "there"), [({}, False), ({"Round": "1"}, False), ({"White": "Eva"}, True)])
def test_where_pairings_are_in_force_a_game_of_nobody_is_not_broadcast(
    journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture, tags: dict[str, str], there: bool
) -> None:
    caplog.set_level("INFO")
    Board(journal, "casual", tags).play("c2c4")

    async def scene() -> None:
        config = BroadcastConfig(directory=str(tmp_path))
        outlet = Broadcast(config, "7", 7, journal, Notices(), GAMES, paired=lambda: True)
        task = asyncio.create_task(outlet.run())
        async with asyncio.timeout(30):
            while "without a pairing" not in caplog.text and not [*tmp_path.rglob("tournament.json")]:
                await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scene())
    assert bool([*tmp_path.rglob("*.pgn")]) == there
