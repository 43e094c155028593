"""Who may come in: pairing codes, sessions, and requests that only look as if they came from our page."""

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hall import running
from house import ARBITER, ask, console, cookie, pair, ready, rulings

from controller.config import Config
from controller.console import access
from controller.console.access import Hosts, Limit, Pairing, Sessions, name_of
from controller.daemon.service import Daemon

Configure = Callable[..., Config]
PAUSE = json.dumps({"do": "pause"}).encode()


def served(config: Config, scene: Callable[[Daemon, str], Awaitable[None]]) -> None:
    """Plays the scene with a daemon at work, and the address of its pages."""

    async def run() -> None:
        async with running(config) as daemon:
            await ready(daemon)
            await scene(daemon, console(daemon).url)

    asyncio.run(run())


def test_each_code_is_good_once_and_the_next_is_shown(config: Configure, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "controller.console")

    async def scene(daemon: Daemon, _: str) -> None:
        code = console(daemon).code
        assert f"pairing code {code}" in caplog.text
        answer = await pair(daemon)
        assert (answer.status, answer.headers["Location"]) == (303, "/arbiter")
        assert (await pair(daemon, code=code)).status == 403
        assert console(daemon).code != code
        assert f"pairing code {console(daemon).code}" in caplog.text
        assert f"{ARBITER} signed in" in caplog.text

    served(config(), scene)


def test_the_cookie_opens_the_console_and_nothing_else_does(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        assert (await ask(f"{url}/arbiter")).headers["Location"] == "/arbiter/sign-in"
        for path in ("/arbiter/events", "/arbiter/restored.svg?fen=8/8/8/8/8/8/8/8&squares="):
            assert (await ask(url + path)).status == 401
        assert (await ask(f"{url}/arbiter/boards/7", PAUSE)).status == 401
        held = await cookie(daemon)
        name, _, body = held.partition("=")
        assert (await ask(f"{url}/arbiter", Cookie=held)).status == 200
        forged = f"{name}={body[:-3]}{'AAA' if not body.endswith('AAA') else 'BBB'}"
        for other in (forged, f"{name}=", f"{name}=a.b", f"{name}=ü.é"):
            assert (await ask(f"{url}/arbiter", Cookie=other.encode("utf-8").decode("latin-1"))).status == 303, other
        assert not rulings(daemon)

    served(config(), scene)


def test_no_cookie_can_be_read_by_scripts_or_sent_by_other_sites(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held = await cookie(daemon)
        answers = [await pair(daemon), await ask(f"{url}/language/fr"), await ask(f"{url}/arbiter/sign-out", {})]
        for answer in (*answers, await ask(f"{url}/arbiter", Cookie=held)):
            for given in answer.headers.get_all("Set-Cookie", []):
                assert "httponly" in given.lower(), given
                assert "samesite=strict" in given.lower(), given

    served(config(), scene)


def test_a_ruling_from_another_site_is_refused_whoever_is_signed_in(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held, board = await cookie(daemon), f"{url}/arbiter/boards/7"
        for origin in ("https://evil.example", "null", url.replace("127.0.0.1", "127.0.0.2"), ""):
            assert (await ask(board, PAUSE, Cookie=held, Origin=origin)).status == 403, origin
        assert not rulings(daemon)
        assert (await ask(board, PAUSE, Cookie=held)).status == 200
        assert [(item.do, item.by) for item in rulings(daemon)] == [("pause", ARBITER)]

    served(config(), scene)


def test_a_name_that_is_pointed_at_us_is_refused(config: Configure) -> None:
    async def scene(_: Daemon, url: str) -> None:
        assert (await ask(url, Host="rebound.example")).status == 421
        assert (await ask(url, Host="schiri.hall")).status == 200
        assert (await ask(url, Host="localhost:1")).status == 200

    served(config(console={"names": ["schiri.hall"]}), scene)


def test_guessing_is_stopped_and_a_code_guessed_at_is_replaced(config: Configure) -> None:
    async def scene(daemon: Daemon, _: str) -> None:
        for _ in range(access.TRIES):
            assert (await pair(daemon, code="000000x")).status == 403
        assert (await pair(daemon)).status == 429, "not even the right one"
        assert "Wait a minute" in (await pair(daemon)).body.decode()

    served(config(), scene)
    shown: list[str] = []
    pairing = Pairing(shown.append)
    assert not any(pairing.redeem("12345") for _ in range(access.WRONG))
    assert len(shown) == 2


def test_what_cannot_be_meant_well_is_refused(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held, board = await cookie(daemon), f"{url}/arbiter/boards/7"
        assert (await ask(board, b"x" * 10_000, Cookie=held)).status == 413
        for body in (b"", b"[]", b'{"do":"new-game"}', b'{"do":"uphold"}', b'{"do":"result"}', b'{"do":"pause","x":1}'):
            answer = await ask(board, body, Cookie=held)
            assert answer.status == 409, body
            assert json.loads(answer.body)["what"]
        assert (await ask(f"{url}/arbiter/boards/99", PAUSE, Cookie=held)).status == 409
        assert (await ask(f"{url}/arbiter/restored.svg?fen=nonsense&squares=z9", Cookie=held)).status == 400
        for path in ("/men/x.svg", "/static/../app.py", "/static/none.js", "/language/de", "/language/fr?to=//evil"):
            assert (await ask(url + path)).status == 404, path
        assert not rulings(daemon)

    served(config(), scene)


def test_every_answer_forbids_what_the_page_does_not_need(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held = await cookie(daemon)
        for path in ("/", "/arbiter", "/arbiter/sign-in", "/static/base.css", "/men/K.svg", "/static/none"):
            policy = (await ask(url + path, Cookie=held)).headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'unsafe" not in policy
        page = (await ask(f"{url}/arbiter", Cookie=held)).body.decode()
        assert "http" not in page, "nothing is loaded from elsewhere"

    served(config(), scene)


def test_a_session_ends_and_its_key_is_for_the_owner_alone(tmp_path: Path) -> None:
    now = 1_000.0
    path = tmp_path / "journal.sqlite-key"
    sessions = Sessions(path, 2.0, lambda: now)
    given = sessions.sign("Ana")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Sessions(path, 2.0, lambda: now).read(given)
    assert again is not None, "after a restart too"
    assert again.by == "Ana"
    now += 2 * 3600
    assert sessions.read(given) is None
    path.write_bytes(b"short")
    assert Sessions(path, 2.0, lambda: 1_000.0).read(given) is None


def test_tries_are_counted_by_address_and_in_all() -> None:
    now = 0.0
    limit = Limit(lambda: now)
    assert [limit.allows("a") for _ in range(access.TRIES + 1)] == [True] * access.TRIES + [False]
    assert limit.allows("b")
    for number in range(access.TRIES_IN_ALL):
        limit.allows(str(number))
    assert not limit.allows("c")
    now = access.PER_S
    assert limit.allows("a")


@pytest.mark.parametrize(
    ("host", "known"),
    [
        *[("127.0.0.1:8064", True), ("[::1]:8064", True), ("192.168.1.7", True), ("localhost", True), ("", False)],
        *[("a.example", False), ("127.0.0.1.example", False), ("hall.example:80", True), ("[", False)],
    ],
)
def test_hosts(host: str, known: bool) -> None:
    assert Hosts(("hall.example",)).known(host) == known


def test_a_name_is_fit_for_the_journal() -> None:
    assert name_of("  Ana\n<b> ") == "Ana <b>"
    assert len(name_of("x" * 1000)) == access.NAME_LENGTH
    assert name_of("\x00") == ""
