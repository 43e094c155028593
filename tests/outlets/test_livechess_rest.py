"""The tournament by REST, in the shapes that the program ``livechess`` 0.1.0 of PyPI reads, to the key.

It wants Python 3.12, so these are its shapes, held to strictly; its own code was run against this server by hand.
"""

import asyncio
import json
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
import pytest
from hall import until
from kit import TAGS, Board, livechess, serving
from strict import Clock, EBoard, Game, Round, Summary, Tournament

from controller import contract as c
from controller.journal import Journal
from controller.outlets.livechess.boards import LiveChessBoards
from controller.outlets.livechess.outlet import LiveChess
from controller.outlets.notices import Notices
from controller.outlets.tables import Plugged

T = TypeVar("T")


def get(live: LiveChess, path: str, kind: type[T]) -> T:
    with urlopen(Request(f"http://127.0.0.1:{live.served.port}/api/v1.0/{path}"), timeout=5) as answer:
        return msgspec.convert(json.load(answer), kind)


def test_the_program_of_pypi_reads_each_of_them(journal: Journal) -> None:
    async def scene() -> None:
        board = Board(journal).play("e2e4", "e7e5").make("g1f3")
        async with serving(journal) as live:

            async def ask(path: str, kind: type[T]) -> T:
                return await asyncio.to_thread(get, live, path, kind)

            (eboard,) = await ask("eboards", list[EBoard])
            assert eboard.source == "ttyACM0"
            (event,) = await ask("tournaments", list[Summary])
            assert (event.description, event.rounds) == ("Club – été", 3)
            whole = await ask(f"tournament/{event.uuid}", Tournament)
            assert whole == Tournament(event.uuid, "Club – été", "Club – été", "Here", "", 3, ["7"])
            rounds = [await ask(f"round/{event.uuid}/{number}", Round) for number in range(whole.rounds)]
            assert [each.nr for each in rounds] == [1, 2, 3]
            assert [len(each.pairings) for each in rounds] == [0, 0, 1]
            (pairing,) = rounds[2].pairings
            assert rounds[2].date == "2026-03-04"
            assert (pairing.white.fname, pairing.white.lname, pairing.white.fideid) == ("Lovelace", "Ada", "12")
            assert (pairing.live, pairing.result) == (True, None)
            assert whole.eboards[pairing.nr - 1] == eboard.serialnr
            game = await ask(f"game/{pairing.uuid}", Game)
            assert game.moves == ["e4 5395+5", "e5 5396+4", "Nf3 +4"]
            assert isinstance(game.clock, Clock)
            assert game.clock.run is True
            board.give(c.Resign, side="black")
            (pairing,) = (await ask(f"round/{event.uuid}/2", Round)).pairings
            assert (pairing.live, pairing.result) == (False, "WHITEWIN")
            assert (await ask(f"game/{pairing.uuid}", Game)).result == "WHITEWIN"
            for wrong in (f"round/{event.uuid}/3", "round/x/0", "tournament/x", "game/x"):
                with pytest.raises(HTTPError):
                    await ask(wrong, Game)

    asyncio.run(scene())


def test_without_a_clock_each_move_has_the_time_it_took(journal: Journal) -> None:
    """That program takes a move without any time for one that was guessed wrongly, and stops at it."""

    async def scene() -> None:
        Board(journal, clock=None).play("e2e4", "e7e5")
        async with serving(journal) as live:
            (event,) = await asyncio.to_thread(get, live, "tournaments", list[Summary])
            (pairing,) = (await asyncio.to_thread(get, live, f"round/{event.uuid}/2", Round)).pairings
            game = await asyncio.to_thread(get, live, f"game/{pairing.uuid}", Game)
            assert [len(move.split(" ")) for move in game.moves] == [2, 2]
            assert game.clock is None

    asyncio.run(scene())


def test_the_boards_of_a_hall_are_one_tournament_with_a_pairing_for_each(journal: Journal) -> None:
    """A board that has gone on to the next round is told there; a match, which has drops, is told nowhere."""

    async def scene() -> None:
        Board(journal, "g7").play("e2e4")
        eight = Board(journal, "g8", number="8").play("d2d4", "d7d5")
        Board(journal, "g9", number="9", tags=TAGS | {"Event": "Another"})
        tables = [{None: Plugged(number, f"port-{number}", number)} for number in ("7", "8", "9", "10")]
        match = {"A": Plugged("1", "port-1"), "B": Plugged("2", "port-2")}
        notices = Notices()
        async with livechess(LiveChessBoards([match, *tables], journal, notices), notices) as live:

            async def ask(path: str, kind: type[T]) -> T:
                return await asyncio.to_thread(get, live, path, kind)

            event, other = await ask("tournaments", list[Summary])
            assert (event.rounds, other.description) == (3, "Another")
            boards = (await ask(f"tournament/{event.uuid}", Tournament)).eboards
            assert boards == ["7", "8"]
            pairings = (await ask(f"round/{event.uuid}/2", Round)).pairings
            games = {boards[each.nr - 1]: await ask(f"game/{each.uuid}", Game) for each in pairings}
            assert {number: len(game.moves) for number, game in games.items()} == {"7": 1, "8": 2}
            eight.give(c.Resign, side="white")
            Board(journal, "g8-4", number="8", tags=TAGS | {"Round": "4"})
            await until(lambda: live.boards.games[1].opening.game == "g8-4")
            third, fourth = [await ask(f"round/{event.uuid}/{number}", Round) for number in (2, 3)]
            assert [each.nr for each in third.pairings] == [1]
            assert [each.nr for each in fourth.pairings] == [2]

    asyncio.run(scene())
