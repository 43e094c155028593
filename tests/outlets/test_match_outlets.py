"""A match à quatre goes out as each way can tell it: two boards for LiveChess, BPGN in the broadcast; and what cannot
tell it says so before anything begins.
"""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import chess
import msgspec
import pytest
from double import double, matchsheet
from hall import free_port, running, until
from kit import livechess
from strict import EBoard, Followed, Strict, client
from test_bpgn import SESSION, SWAP, Players, Read, opening

from controller import contract as c
from controller.config import DoubleConfig
from controller.errors import ConfigError
from controller.journal import Journal
from controller.outlets.broadcast import outlet as broadcast
from controller.outlets.livechess.boards import LiveChessBoards
from controller.outlets.livechess.feed import placement
from controller.outlets.livechess.outlet import LiveChess
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.tables import Plugged
from controller.pairing import tags_of_match

PAIRINGS = """\
Event;Round;Board;White;White title;White Elo;Black
Summer blitz;2;1;Ann;WGM;2401;Bob
Summer blitz;2;2;Cid;;;Dora
"""


class Journaled(Players):
    """The same four players, and what they do goes into a journal."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal
        journal.begin(opening(SESSION)).result(5)
        self.tell(c.Time, "A")

    def tell(self, kind: type[c.Input], name: str, **fields: object) -> "Journaled":
        item: Any = kind(ms=self.ms, board=name, **fields)  # type: ignore[arg-type]
        events = self.match.handle(item)
        self._journal.append("g", item, events).result(5)
        for event in events:
            self.sheet.apply(event)
        return self


def serving(journal: Journal) -> contextlib.AbstractAsyncContextManager[LiveChess]:
    notices = Notices()
    boards = LiveChessBoards([{"A": Plugged("1", "/dev/ttyACM0"), "B": Plugged("2", "/dev/ttyACM1")}], journal, notices)
    return livechess(boards, notices)


@contextlib.asynccontextmanager
async def following(live: LiveChess, serialnr: str, fen: str = chess.STARTING_FEN) -> AsyncIterator[Strict]:
    async with client(live.served.port) as socket:
        strict = Strict(socket)
        await strict.subscribe(serialnr)
        await strict.setup(fen)
        yield strict
        strict.check()


# -- LiveChess -----------------------------------------------------------------------------------------------------


def test_two_boards_are_listed_and_each_has_its_feed(journal: Journal) -> None:
    async def scene() -> None:
        players = Journaled(journal)
        async with serving(journal) as live, following(live, "1") as first, following(live, "2") as second:
            answer = await first.ask(id=9, call="eboards")
            listed = msgspec.json.decode(answer.param, type=list[EBoard])
            assert [(board.serialnr, board.source, board.state) for board in listed] == [
                ("1", "/dev/ttyACM0", "ACTIVE"),
                ("2", "/dev/ttyACM1", "ACTIVE"),
            ]
            players.play("A e2e4", "B d2d4", "A d7d5", "B g8f6")
            await until(lambda: first.lines[-1] == ["e4", "d5"] and second.lines[-1] == ["d4", "Nf6"])
            for strict in (first, second):
                assert all(len(now) - len(before) in (0, 1) for before, now in itertools.pairwise(strict.lines))
            players.tell(c.Resign, "A", side="white").tell(c.Pause, "B", side="white")
            await until(lambda: {board.state for board in live.boards.eboards()} == {"INACTIVE"})

    asyncio.run(scene())


def test_a_drop_stops_the_line_until_the_position_after_it_is_set_up(journal: Journal) -> None:
    """Clients made for chess cannot parse ``P@e5``; nothing they could not post is sent."""

    async def scene() -> None:
        players = Journaled(journal)
        async with serving(journal) as live, following(live, "2") as strict:
            players.play(*SWAP, "B d4e5")
            after = "rnbqkbnr/pppppppp/8/4P3/8/8/PPP1PPPP/RNBQKBNR b KQkq - 0 2"
            await until(lambda: strict.feeds[-1].board == after.split()[0])
            last = strict.feeds[-1]
            assert isinstance(last, Followed)
            assert (last.san, last.match) == (["d4"], False)
            await strict.setup(after)
            players.play("B b8c6")
            await until(lambda: strict.lines[-1] == ["Nc6"])
            assert strict.feeds[-1].match  # type: ignore[union-attr]

    asyncio.run(scene())


def test_a_piece_that_was_promoted_looks_like_any_other() -> None:
    fens = c.BoardFens(A="Q~3k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", B="startpos")
    told = opening(c.Session(version=1, match="bughouse", fen=fens))
    assert placement(Scoresheet(told, "A")) == "Q3k3/8/8/8/8/8/8/4K3"


def test_a_match_is_no_tournament_by_rest(journal: Journal) -> None:
    async def scene() -> None:
        Journaled(journal).play("A e2e4")
        async with serving(journal) as live:
            assert await asyncio.to_thread(get, f"http://127.0.0.1:{live.served.port}/api/v1.0/tournaments") == "[]"
            boards = json.loads(await asyncio.to_thread(get, f"http://127.0.0.1:{live.served.port}/api/v1.0/eboards"))
            assert [board["serialnr"] for board in boards] == ["1", "2"]

    asyncio.run(scene())


# -- broadcast -----------------------------------------------------------------------------------------------------


def get(url: str, **headers: str) -> str:
    with urlopen(Request(url, headers=headers), timeout=5) as answer:
        return str(answer.read().decode())


def test_the_matches_of_a_round_are_one_file(journal: Journal, tmp_path: Path) -> None:
    players = Journaled(journal).play(*SWAP)
    for number in (10, 2):
        broadcast.telling_match(players.sheet, number)(tmp_path)
    names = sorted(path.name for path in (tmp_path / "round-1").iterdir())
    assert names == [".round", "match-10.bpgn", "match-2.bpgn", "matches.bpgn"]
    one, both = ((tmp_path / "round-1" / name).read_text() for name in ("match-2.bpgn", "matches.bpgn"))
    assert Read(one).moves == ["A:e4", "B:d4", "a:d5", "A:exd5", "b:P@e5"]
    assert both == one * 2
    before = (tmp_path / "round-1/matches.bpgn").stat().st_ino
    broadcast.telling_match(players.sheet, 2)(tmp_path)
    assert (tmp_path / "round-1/matches.bpgn").stat().st_ino == before, "not touched where nothing has changed"


@pytest.mark.parametrize("delay", [0, "game-end"])
def test_a_match_is_published_as_late_as_the_event_says_with_its_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: float | str
) -> None:
    monkeypatch.setattr(broadcast, "PAUSE_S", 0.01)
    (tmp_path / "pairings.csv").write_text(PAIRINGS)
    config = double(
        tmp_path,
        event={"delay_min": delay, "pairings": str(tmp_path / "pairings.csv")},
        game={"A": {}, "B": {}},
        livechess={"port": free_port()},
        broadcast={"directory": str(tmp_path / "out"), "port": free_port()},
    )
    assert isinstance(config, DoubleConfig)
    assert config.broadcast is not None
    url = f"http://127.0.0.1:{config.broadcast.port}"

    async def scene() -> None:
        async with running(config) as daemon:  # type: ignore[arg-type]
            await until(lambda: matchsheet(daemon.journal))
            await until((tmp_path / "out/round-2/matches.bpgn").exists)
            await daemon.only.carry_out({"type": "resign", "side": "white"}, "A")
            if delay:
                await asyncio.sleep(0.1)
                assert Read(await asyncio.to_thread(get, f"{url}/matches.bpgn")).result == "*"
            await daemon.only.carry_out({"type": "pause", "side": "white"}, "B")
            path = tmp_path / "out/round-2/match-5.bpgn"
            await until(lambda: Read(path.read_text()).result == "0-1")
            read = Read(await asyncio.to_thread(get, f"{url}/round-2/match-5.bpgn"))
            assert (read.tags["Event"], read.tags["WhiteA"], read.tags["BlackB"]) == ("Summer blitz", "Ann", "Dora")
            assert (read.tags["WhiteATitle"], read.last_note) == ("WGM", "Ann resigns")
            with pytest.raises(HTTPError) as none:
                await asyncio.to_thread(get, f"{url}/games.pgn")
            assert none.value.code == 404, "an empty one would fail a whole round of games"

    asyncio.run(scene())


def test_the_players_of_both_boards_are_found_in_the_pairings() -> None:
    tags = tags_of_match(PAIRINGS, "p.csv", {"A": "1", "B": "2"}, None)
    assert tags == {
        "Event": "Summer blitz",
        "Round": "2",
        "WhiteA": "Ann",
        "WhiteATitle": "WGM",
        "WhiteAElo": "2401",
        "BlackA": "Bob",
        "WhiteB": "Cid",
        "BlackB": "Dora",
    }
    told = msgspec.structs.replace(opening(SESSION), tags=tags)
    assert Scoresheet(told, "A").tags == {
        "Event": "Summer blitz",
        "Round": "2",
        "White": "Ann",
        "WhiteTitle": "WGM",
        "WhiteElo": "2401",
        "Black": "Bob",
    }
    assert Scoresheet(told, "B").tags["White"] == "Cid"


# -- the rest ------------------------------------------------------------------------------------------------------


def test_lichess_cannot_have_a_match_and_that_is_said_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        double(tmp_path, lichess={"round": "abcd1234", "token_file": "token"})
    assert "a match à quatre cannot be pushed to Lichess" in refused.value.what
    assert "no drop can be told" in refused.value.cause
    assert "[broadcast] tells the match as BPGN" in refused.value.next_step


def test_the_number_of_a_match_names_its_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="match final of"):
        double(tmp_path, event={"match": "final"}, broadcast={})
