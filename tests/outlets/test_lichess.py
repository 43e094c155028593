"""A game pushed to Lichess ends there as it ended here, whatever Lichess answered on the way."""

import asyncio
from pathlib import Path

import pytest
from elsewhere import ROUND, TOKEN, LichessRound, at_work, elsewhere
from hall import free_port, until
from kit import TAGS, Board, story
from starlette.responses import JSONResponse, PlainTextResponse

from controller import contract as c
from controller.errors import ConfigError
from controller.journal import Journal
from controller.outlets import lichess as module
from controller.outlets.lichess import Lichess
from controller.outlets.notices import Notices
from controller.outlets.settings import LichessConfig


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.01)
    monkeypatch.setattr(module, "RETRY_S", (0.02, 0.1))
    monkeypatch.setattr(module, "REFUSED_S", 0.05)
    monkeypatch.setattr(module, "TOO_MANY_S", (0.3, 0.6))


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    path.chmod(0o600)
    return path


@pytest.fixture
def notices() -> Notices:
    return Notices()


def pushing(journal: Journal, token: Path, notices: Notices, url: str) -> Lichess:
    config = LichessConfig(round=ROUND, token_file=str(token), server=url)
    return Lichess(config, "7", journal, notices)


def test_the_main_line_there_is_the_game_here_after_all_corrections(
    journal: Journal, token: Path, notices: Notices
) -> None:
    async def scene() -> None:
        there = LichessRound()
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            for step, _ in enumerate(story(Board(journal))):
                await asyncio.sleep(0.03)
                if step == 1:  # what will be taken back has come there
                    await until(lambda: there.pushes and "Nf3" in there.pushes[-1])
            await until(lambda: there.pushes and "1-0" in there.pushes[-1])
        assert there.mainline() == ["e4", "e5", "Bc4", "Nc6", "Qf3", "Nh6", "Nc3", "Bc5"]
        (game,) = there.games.values()
        assert game.headers["Result"] == "1-0"
        after_two = game.next().next()  # type: ignore[union-attr]
        assert {node.san() for node in after_two.variations} == {"Bc4", "Nf3"}, "what was taken back stays beside it"
        assert all(now != before for before, now in zip(there.pushes, there.pushes[1:], strict=False)), "only news"
        assert not notices.current

    asyncio.run(scene())


def test_another_round_has_nothing_of_a_game_that_was_over_before(
    journal: Journal, token: Path, notices: Notices
) -> None:
    async def scene() -> None:
        there, next_round = LichessRound(), LichessRound()
        Board(journal).play("e2e4", "e7e5").give(c.Resign, side="black")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: journal.cursor("lichess") == journal.reached("7"))
        assert "1-0" in there.pushes[-1]
        async with elsewhere(next_round.app) as url:
            for _ in range(2):
                async with at_work(pushing(journal, token, notices, url)):
                    await asyncio.sleep(0.2)
            assert not next_round.pushes, "nobody has played"
            async with at_work(pushing(journal, token, notices, url)):
                Board(journal, game="later").play("d2d4")
                await until(lambda: next_round.pushes)
        assert not [push for push in next_round.pushes if "e4" in push]

    asyncio.run(scene())


def test_a_game_that_could_not_be_pushed_while_it_was_on_is_pushed_later(
    journal: Journal, token: Path, notices: Notices
) -> None:
    async def scene() -> None:
        there = LichessRound()
        there.refusals += [PlainTextResponse("no", 401)] * 100
        Board(journal).play("e2e4", "e7e5").give(c.Resign, side="black")
        async with elsewhere(there.app) as url:
            async with at_work(pushing(journal, token, notices, url)):
                await until(lambda: notices.current)
            there.refusals.clear()
            async with at_work(pushing(journal, token, notices, url)):
                await until(lambda: there.pushes and "1-0" in there.pushes[-1])

    asyncio.run(scene())


def test_a_game_that_is_given_up_is_not_pushed_any_more(journal: Journal, token: Path, notices: Notices) -> None:
    async def scene() -> None:
        there = LichessRound()
        there.refusals += [PlainTextResponse("no", 401)] * 100
        Board(journal).play("e2e4", "e7e5")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: notices.current)
            Board(journal, game="later").play("d2d4")
            await asyncio.sleep(0.2)
            there.refusals.clear()
            there.pushes.clear()
            await until(lambda: there.pushes)
            await asyncio.sleep(0.1)
        assert not [push for push in there.pushes if "e4" in push]

    asyncio.run(scene())


def test_a_refusal_hides_in_an_answer_that_says_all_is_well(journal: Journal, token: Path, notices: Notices) -> None:
    async def scene() -> None:
        there = LichessRound()
        there.refusals.append(JSONResponse({"games": [{"tags": {}, "error": "Cannot parse move 3"}]}))
        board = Board(journal).play("e2e4")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: notices.current)
            assert "Cannot parse move 3" in notices.current[0].what
            await asyncio.sleep(0.1)
            assert len(there.pushes) == 1, "the same would fare no better"
            board.play("e7e5")
            await until(lambda: not notices.current)
            assert there.mainline() == ["e4", "e5"]

    asyncio.run(scene())


def test_after_too_many_requests_nothing_is_asked_for_a_minute(journal: Journal, token: Path, notices: Notices) -> None:
    """The minute is 0.3 s here."""

    async def scene() -> None:
        there = LichessRound()
        there.refusals.append(PlainTextResponse("slow down", 429))
        board = Board(journal).play("e2e4")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: notices.current)
            assert "429" in notices.current[0].what
            board.play("e7e5")
            await until(lambda: not notices.current)
            assert there.came[1] - there.came[0] >= 0.3
            assert there.mainline() == ["e4", "e5"]

    asyncio.run(scene())


def test_their_own_word_on_how_long_to_wait_counts_up_to_an_hour() -> None:
    assert module._seconds("3") == 3
    assert module._seconds("Wed, 21 Oct") == 0
    assert module._seconds("999999") == 3600


@pytest.mark.parametrize(
    ("status", "says"), [(401, "token"), (403, "study:write"), (404, "round"), (500, "error at Lichess")]
)
def test_what_only_a_person_can_put_right_is_said_and_tried_again(
    journal: Journal, token: Path, notices: Notices, status: int, says: str
) -> None:
    async def scene() -> None:
        there = LichessRound()
        there.refusals += [PlainTextResponse("no", status)] * 2
        Board(journal).play("e2e4")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: notices.current)
            assert says in notices.current[0].cause
            assert TOKEN not in str(notices.current)
            await until(lambda: not notices.current)
            assert there.mainline() == ["e4"]

    asyncio.run(scene())


def test_what_happened_while_nobody_answered_goes_with_the_next(
    journal: Journal, token: Path, notices: Notices
) -> None:
    async def scene() -> None:
        there, port = LichessRound(), free_port()
        board = Board(journal).play("e2e4")
        async with at_work(pushing(journal, token, notices, f"http://127.0.0.1:{port}")):
            await until(lambda: notices.current)
            board.play("e7e5", "g1f3")
            async with elsewhere(there.app, port):
                await until(lambda: not notices.current)
                assert there.mainline() == ["e4", "e5", "Nf3"]

    asyncio.run(scene())


def test_the_end_of_a_game_arrives_before_the_next_begins(journal: Journal, token: Path, notices: Notices) -> None:
    async def scene() -> None:
        there = LichessRound()
        board = Board(journal).play("e2e4")
        async with elsewhere(there.app) as url, at_work(pushing(journal, token, notices, url)):
            await until(lambda: there.games)
            board.give(c.Resign, side="white")
            Board(journal, "g2", TAGS | {"Round": "4"}).play("d2d4")
            await until(lambda: len(there.games) == 2)
            first, second = there.games.values()
            assert (first.headers["Result"], second.headers["Result"]) == ("0-1", "*")

    asyncio.run(scene())


def test_a_token_that_cannot_be_used_is_said_at_the_start(
    journal: Journal, token: Path, tmp_path: Path, notices: Notices
) -> None:
    with pytest.raises(ConfigError, match="secret cannot be read"):
        pushing(journal, tmp_path / "none", notices, "https://lichess.org")
    token.write_text(f"token: {TOKEN}")
    with pytest.raises(ConfigError, match="no token") as raised:
        pushing(journal, token, notices, "https://lichess.org")
    assert TOKEN not in str(raised.value)
