"""The server of a broadcast: what stands at its front, and requests that make no sense."""

import asyncio
import contextlib
import http.client
import logging
from collections.abc import AsyncIterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from elsewhere import elsewhere
from hall import until
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import TAGS, Board, story
from starlette.applications import Starlette

from controller.journal import Journal
from controller.outlets.broadcast.front import front_page
from controller.outlets.broadcast.outlet import telling
from controller.outlets.broadcast.web import broadcast_app
from controller.outlets.follow import Follower
from controller.outlets.scoresheet import Scoresheet
from controller.words.language import preferred


def written(journal: Journal, folder: Path, number: str = "7") -> None:
    follower = Follower(journal, number, 0, Scoresheet)
    while follower.read():
        pass
    assert follower.sheet is not None
    telling(follower.sheet, int(number))(folder)


@contextlib.asynccontextmanager
async def served(folder: Path) -> AsyncIterator[int]:
    async with elsewhere(broadcast_app(folder)) as url:
        yield int(url.rpartition(":")[2])


def ask(port: int, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    answer.text = answer.read().decode()  # type: ignore[attr-defined]
    return answer


def test_the_front_says_what_is_there_in_the_language_of_who_asks(journal: Journal, tmp_path: Path) -> None:
    async def scene() -> None:
        async with served(tmp_path) as port:
            assert "There is no game yet" in (await asyncio.to_thread(ask, port, "/")).text  # type: ignore[attr-defined]
            Board(journal, tags=TAGS | {"White": "<b>Ada", "Round": "3"}).play("e2e4")
            written(journal, tmp_path)
            front = await asyncio.to_thread(ask, port, "/", Accept_Language="fr-CH, fr;q=0.9")
            assert front.headers["content-type"] == "text/html; charset=utf-8"
            text: str = front.text  # type: ignore[attr-defined]
            assert "Ronde 3" in text
            assert "&lt;b&gt;Ada – Bo *" in text
            links = [part.partition('"')[0] for part in text.split('href="')[1:]]
            assert {"games.pgn", "round-3/games.pgn", "round-3/game-7.pgn", "tournament.json"} <= set(links)
            for link in links:
                assert (await asyncio.to_thread(ask, port, f"/{link}")).status == 200
            again = await asyncio.to_thread(ask, port, "/", If_None_Match=front.headers["etag"], Accept_Language="fr")
            assert again.status == 304

    asyncio.run(scene())


@pytest.mark.parametrize(("accepted", "code"), [("", "en"), ("de", "en"), ("de, fr;q=0.5", "fr"), (";;,-", "en")])
def test_the_language_is_the_first_of_ours_that_is_wanted(accepted: str, code: str) -> None:
    assert preferred(accepted) == code


def test_a_folder_with_anything_else_in_it_has_a_front(tmp_path: Path) -> None:
    (tmp_path / "round-1").mkdir()
    (tmp_path / "round-x").mkdir()
    (tmp_path / "round-1/game-7.pgn").write_text("")
    (tmp_path / "round-1/game-8.pgn").write_bytes(b'[White "half')
    (tmp_path / "round-1/games.pgn").write_text("")
    assert "Round 1" in front_page(tmp_path, "en")


odd = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
names = st.sampled_from(["range", "if-none-match", "if-range", "accept-language", "host", "origin", "accept-encoding"])
values = odd | st.sampled_from(
    ["bytes=0-", "bytes=" + "0-1," * 500, "bytes=9-1", "bytes=-99999999999999999999", "*", '"x", W/"y", ,']
)
paths = st.sampled_from(
    ["/", "/games.pgn", "/round-3/games.pgn", "/tournament.json", "/round-99999999999999999999/games.pgn"]
)
others = odd.map(lambda text: "/" + text.replace(" ", "").replace("#", "").replace("?", ""))
methods = st.sampled_from(["GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"])


def test_requests_that_make_no_sense_get_the_file_or_a_plain_refusal(journal: Journal, tmp_path: Path) -> None:
    """No range is served, as HTTP allows: a request with one gets the whole."""
    Board(journal).play("e2e4")
    written(journal, tmp_path / "out")
    (tmp_path / "secret").write_text("secret")
    app = broadcast_app(tmp_path / "out")

    @settings(max_examples=200, deadline=None)
    @given(method=methods, path=paths | others, headers=st.dictionaries(names, values, max_size=3))
    def check(method: str, path: str, headers: dict[str, str]) -> None:
        status, text = asyncio.run(answered(app, method, path, headers))
        assert status in (200, 304, 400, 404, 405)
        assert "secret" not in text
        if status == 200 and method == "GET" and path.endswith("games.pgn"):
            assert text == (tmp_path / "out/round-3/games.pgn").read_text()

    check()


async def answered(app: Starlette, method: str, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """What the application answers, however odd the request."""
    said: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        said.append(message)

    await app(scope, receive, send)
    return said[0]["status"], b"".join(message.get("body", b"") for message in said).decode()


@pytest.mark.parametrize("host", ["x/../secret?", "x/secret#", "@/../secret", "x\\..\\secret"])
def test_what_the_client_calls_us_leads_nowhere_else(journal: Journal, tmp_path: Path, host: str) -> None:
    """As CVE-2026-48710 did: the file is chosen by the path that was asked for alone."""
    Board(journal).play("e2e4")
    written(journal, tmp_path / "out")
    (tmp_path / "secret").write_text("secret")

    async def scene() -> None:
        async with served(tmp_path / "out") as port:
            answer = await asyncio.to_thread(ask, port, "/round-3/games.pgn", Host=host)
            assert answer.status in (200, 400)
            assert "secret" not in answer.text  # type: ignore[attr-defined]

    asyncio.run(scene())


def test_readers_that_do_not_read_hold_up_nobody(
    journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def scene() -> None:
        board = Board(journal)
        for _ in story(board):
            pass
        written(journal, tmp_path)
        async with served(tmp_path) as port:
            idle = []
            for _ in range(50):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                writer.write(b"GET /games.pgn HTTP/1.1\r\nHost: here\r\n\r\n" * 20)
                idle.append(writer)
            answer = await asyncio.wait_for(asyncio.to_thread(ask, port, "/games.pgn"), 5)
            assert answer.status == 200
            for writer in idle:
                writer.transport.abort()
            await until(lambda: all(writer.transport.is_closing() for writer in idle))
        assert not caplog.records

    asyncio.run(scene())
