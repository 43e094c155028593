"""The hall's pages from the database: what a real daemon tells is shown, and what is ruled there comes back."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from double import double
from engines import PostgreSQL, RabbitMQ
from hall import make, running, until
from house import ARBITER, Listener, ask, rulings
from pages_kit import archive_of, board_seven, case, code, rule, serving, sign_in, touch_move
from test_archiver import archiving

from controller.archive import archiver, commands, pages
from controller.archive.pages import HallPages
from controller.archive.settings import ArchiveConfig
from controller.config import Config
from controller.console.grants import Grant
from controller.daemon.service import Daemon
from controller.outlets.mqtt import outlet as mqtt

pytestmark = pytest.mark.engines


@pytest.fixture
def archive(rabbitmq: RabbitMQ, database: str) -> ArchiveConfig:
    return archive_of(rabbitmq, database)


@pytest.fixture
def table(tmp_path: Path, rabbitmq: RabbitMQ) -> Config:
    return board_seven(tmp_path, rabbitmq)


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiver, "RETRY_S", (0.1, 0.5))
    monkeypatch.setattr(mqtt, "RETRY_S", (0.1, 0.5))
    monkeypatch.setattr(pages, "RETRY_S", (0.1, 0.5))


@contextlib.asynccontextmanager
async def hall_at_work(archive: ArchiveConfig, table: Config) -> AsyncIterator[tuple[Daemon, HallPages]]:
    """A board that plays, an archiver, a worker."""
    async with archiving(archive), running(table) as daemon, serving(archive) as hall:
        await until(lambda: daemon.only.session.playing and "board/7" in hall.shown, 30)
        yield daemon, hall


def test_what_is_played_is_shown_and_what_is_ruled_comes_back(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with hall_at_work(archive, table) as (daemon, hall):
            url = hall.console.url
            held = await sign_in(url, archive)
            async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter, Listener(f"{url}/events") as crowd:
                await make(daemon, "e2e4")
                await until(lambda: crowd.boards["7"].get("moves") == ["e4"], 30)
                await until(lambda: arbiter.boards["7"].get("moves") == ["e4"], 30)
                assert arbiter.boards["7"]["head"]["white"] == "Ada"
                await touch_move(daemon)
                await until(lambda: case(arbiter.boards).get("answers"), 30)
                told = case(arbiter.boards)
                assert (told["state"], told["line"]) == ("open", None), "what the squares showed is not archived"
                ruling = {"do": "dismiss", "case": told["seq"], "answers": told["answers"]}
                answer = await rule(url, held, **ruling)
                assert answer.status == 200, answer.body
                assert (rulings(daemon)[-1].do, rulings(daemon)[-1].by) == ("dismiss", ARBITER)
                await until(lambda: case(arbiter.boards)["state"] == "closed", 30)
                assert (case(arbiter.boards)["outcome"], case(arbiter.boards)["by"]) == ("dismissed", ARBITER)
                again = await rule(url, held, **ruling)
                assert (again.status, json.loads(again.body)["settled"]) == (409, True)
                assert "cases" not in crowd.boards["7"]
                assert hall.commands.tally == commands.RulingsTally(done=1, refused=1)

    asyncio.run(scene())


def undated(part: Any) -> Any:
    """A case without the times of day, which each worker reckons for itself, to a few ms."""
    if not isinstance(part, dict):
        return part
    return {name: value for name, value in part.items() if name not in ("wall", "ruled_wall", "called_wall")}


def test_a_worker_that_comes_later_shows_the_same(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with hall_at_work(archive, table) as (daemon, hall):
            held = await sign_in(hall.console.url, archive)
            await make(daemon, "e2e4")
            await touch_move(daemon)
            async with Listener(f"{hall.console.url}/arbiter/events", Cookie=held) as first:
                await until(lambda: case(first.boards).get("answers"), 30)
                told = case(first.boards)
                await rule(hall.console.url, held, do="dismiss", case=told["seq"], answers=told["answers"], text="No.")
                await until(lambda: case(first.boards)["state"] == "closed", 30)
                parts = ("head", "board", "moves", "cases", *first.boards["7"]["cases"])
                # No code, no form: who has signed in at one worker has at the other.
                async with (
                    serving(archive) as other,
                    Listener(f"{other.console.url}/arbiter/events", Cookie=held) as late,
                ):
                    await until(
                        lambda: all(undated(late.boards["7"].get(p)) == undated(first.boards["7"][p]) for p in parts),
                        30,
                    )

    asyncio.run(scene())


def test_what_an_arbiter_has_seen_at_one_worker_is_seen_at_all(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with archiving(archive), serving(archive) as hall, serving(archive) as other:
            async with running(table) as daemon:
                await until(lambda: daemon.only.session.playing and "board/7" in other.shown, 30)
            async with running(table) as daemon:  # of which is told that nobody looked for a time
                held = await sign_in(hall.console.url, archive)
                async with Listener(f"{other.console.url}/arbiter/events", Cookie=held) as there:
                    await until(lambda: case(there.boards).get("dark"), 30)
                    assert case(there.boards)["state"] == "told"
                    answer = await rule(hall.console.url, held, do="seen", case=case(there.boards)["seq"])
                    assert answer.status == 200, answer.body
                    await until(lambda: case(there.boards)["outcome"] == "seen", 30)
                    await make(daemon, "e2e4")
                    await touch_move(daemon)  # what else is told changes nothing of that
                    await until(lambda: case(there.boards).get("answers"), 30)
                    first, second = (there.boards["7"][name] for name in there.boards["7"]["cases"])
                    assert (first["outcome"], second["state"]) == ("seen", "open")

    asyncio.run(scene())


def test_who_is_signed_out_at_one_worker_is_so_at_all(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with hall_at_work(archive, table) as (_, hall), serving(archive) as other:
            held, chief = await sign_in(hall.console.url, archive), await sign_in(other.console.url, archive)
            async with Listener(f"{hall.console.url}/arbiter/events", Cookie=held) as page:
                listed = (await ask(f"{other.console.url}/arbiter/devices", Cookie=chief)).body.decode()
                assert listed.count(ARBITER) == 2
                leaving = await ask(f"{other.console.url}/arbiter/sign-out", {}, Cookie=held)
                assert leaving.status == 303
                await until(lambda: page.ended, 30)
            refused = await ask(f"{hall.console.url}/arbiter/events", Cookie=held)
            assert refused.status == 401

    asyncio.run(scene())


def test_a_code_is_good_once_whichever_worker_is_given_it(archive: ArchiveConfig) -> None:
    async def scene() -> None:
        async with serving(archive) as hall, serving(archive) as other:
            form = {"name": "Ana", "code": await code(archive)}
            answers = await asyncio.gather(
                *(ask(f"{each.console.url}/arbiter/sign-in", form) for each in (hall, other, hall, other))
            )
            assert sorted(answer.status for answer in answers) == [303, 403, 403, 403]

    asyncio.run(scene())


def test_roles_are_those_of_the_code(archive: ArchiveConfig, table: Config) -> None:
    async def scene() -> None:
        async with hall_at_work(archive, table) as (daemon, hall):
            url = hall.console.url
            of_others = await sign_in(url, archive, Grant("arbiter", ("8", "9"), "Anne"))
            organiser = await sign_in(url, archive, Grant("organiser"))
            screen = await sign_in(url, archive, Grant("screen"))
            of_seven = await sign_in(url, archive, Grant("arbiter", ("7",), "Bo"))
            assert (await rule(url, of_others, do="pause")).status == 403
            assert (await rule(url, organiser, do="pause")).status == 403
            assert (await ask(f"{url}/arbiter/events", Cookie=screen)).status == 403
            assert not rulings(daemon)
            assert (await rule(url, of_seven, do="pause")).status == 200
            assert [(item.do, item.by) for item in rulings(daemon)] == [("pause", "Bo")]

    asyncio.run(scene())


def test_a_database_that_is_away_is_said_and_nobody_signs_in_again(
    archive: ArchiveConfig, table: Config, postgresql: PostgreSQL
) -> None:

    async def scene() -> None:
        async with hall_at_work(archive, table) as (daemon, hall):
            url = hall.console.url
            held = await sign_in(url, archive)
            async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter, Listener(f"{url}/events") as crowd:
                postgresql.kill()
                await until(lambda: arbiter.boards["7"].get("away") and crowd.boards["7"].get("away"), 30)
                (notice,) = arbiter.boards["7"]["notices"]
                assert "database" in notice["what"]
                assert notice["next_step"].startswith("psql")
                assert hall.figures.trouble is not None
                assert (await ask(f"{url}/arbiter", Cookie=held)).status == 200
                stranger = await ask(f"{url}/arbiter", Cookie="jadoube=nobody")
                assert (stranger.status, stranger.headers["Refresh"]) == (503, "5")
                assert b"database" in stranger.body
                await make(daemon, "e2e4")
                postgresql.start()
                await until(lambda: crowd.boards["7"].get("moves") == ["e4"], 30)
                await until(lambda: not crowd.boards["7"]["away"] and not arbiter.boards["7"]["notices"], 30)

    asyncio.run(scene())


def test_a_broker_that_is_away_when_somebody_rules_is_said(
    archive: ArchiveConfig, table: Config, rabbitmq: RabbitMQ
) -> None:
    async def scene() -> None:
        async with hall_at_work(archive, table) as (daemon, hall):
            held = await sign_in(hall.console.url, archive)
            await asyncio.to_thread(rabbitmq.stop)
            answer = await rule(hall.console.url, held, do="pause")
            assert answer.status == 409
            said = json.loads(answer.body)
            assert "no node of the broker answers" in said["what"]
            assert "rabbitmq" in said["next_step"]
            assert not rulings(daemon)
            await asyncio.to_thread(rabbitmq.start)
            await until(lambda: all(each.source != "mqtt" for each in daemon.notices.current), 30)
            async with asyncio.timeout(60):  # it hears commands a moment after it is connected
                while (await rule(hall.console.url, held, do="pause")).status != 200:
                    assert not rulings(daemon), "what is refused has not gone through"
                    await asyncio.sleep(0.5)
            assert len(rulings(daemon)) == 1

    asyncio.run(scene())


def test_a_board_that_is_gone_hears_no_ruling(
    archive: ArchiveConfig, table: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "ANSWER_S", 1.0)

    async def scene() -> None:
        async with archiving(archive), serving(archive) as hall:
            async with running(table) as daemon:
                await until(lambda: daemon.only.session.playing and "board/7" in hall.shown, 30)
            held = await sign_in(hall.console.url, archive)
            answer = await rule(hall.console.url, held, do="pause")
            assert answer.status == 409
            assert "board 7" in json.loads(answer.body)["what"]
            assert json.loads(answer.body)["next_step"]

    asyncio.run(scene())


def test_the_two_boards_of_a_match_are_side_by_side(archive: ArchiveConfig, tmp_path: Path, rabbitmq: RabbitMQ) -> None:
    match = double(tmp_path, mqtt={"host": "127.0.0.1", "port": rabbitmq.mqtt})

    async def scene() -> None:
        async with archiving(archive), running(match) as daemon, serving(archive) as hall:
            await until(lambda: daemon.only.session.playing and "match/5" in hall.shown, 30)
            assert hall.shown.keys() == {"match/5"}
            url = hall.console.url
            held = await sign_in(url, archive, Grant("arbiter", ("2",), "Bo"))
            async with Listener(f"{url}/arbiter/events", Cookie=held) as arbiter, Listener(f"{url}/events") as crowd:
                report = {"type": "arbiter", "do": "report", "side": "white", "kind": "phone", "by": "Eva"}
                await daemon.only.carry_out(report | {"board": "B"})
                await until(lambda: case(arbiter.boards, "2").get("answers"), 30)
                assert {number: parts["head"]["match"] for number, parts in crowd.boards.items()} == {
                    "1": {"id": "1+2", "board": "A"},
                    "2": {"id": "1+2", "board": "B"},
                }
                assert not case(arbiter.boards, "1")
                told = case(arbiter.boards, "2")
                body = json.dumps({"do": "dismiss", "case": told["seq"], "answers": told["answers"]}).encode()
                answer = await ask(f"{url}/arbiter/boards/2", body, Cookie=held)
                assert answer.status == 200, answer.body
                assert (rulings(daemon)[-1].do, rulings(daemon)[-1].board) == ("dismiss", "B")
                await until(lambda: case(arbiter.boards, "2")["outcome"] == "dismissed", 30)

    asyncio.run(scene())
