"""Many boards on one page: a daemon shows those of the others too, and passes rulings on to them."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browser import connected
from hall import free_port, make, running, until
from house import ARBITER, Listener, ask, breach, configuration, console, cookie, open_game, ready, rulings, sign_in
from many import many

from controller.config import Config, check
from controller.console import others
from controller.console import rulings as rulings_of_the_page
from controller.console.settings import ConsoleConfig
from controller.errors import ConfigError, DeviceError
from controller.outlets.notices import Notices
from controller.outlets.posting import Answer

KEY = "a secret of this hall"
Configure = Callable[..., Config]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(others, "RETRY_S", 0.1)
    yield


def board(folder: Path, number: str, **options: object) -> Config:
    event = {"board": number, "clock": "5400+30", "settings": {"release_ms": 60, "brush_ms": 20}}
    (folder / number).mkdir(exist_ok=True)
    shared = {"port": 0, "hall_key_file": str(secret(folder, KEY))}
    return configuration(folder / number, event=event, console=shared | options)


def secret(folder: Path, key: str) -> Path:
    file = folder / "hall-key"
    file.touch(0o600)
    file.write_text(f"{key}\n")
    return file


def test_boards_of_other_daemons_are_shown_and_ruled_upon(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as other:
            await ready(other)
            async with running(board(tmp_path, "3", others=[console(other).url])) as ours:
                await ready(ours)
                url, held = console(ours).url, await cookie(ours)
                async with (
                    Listener(f"{url}/arbiter/events", Cookie=held) as arbiter,
                    Listener(f"{url}/events") as crowd,
                ):
                    await until(lambda: arbiter.boards.keys() == crowd.boards.keys() == {"3", "7"})
                    await open_game(other)
                    await breach(other)
                    await until(lambda: arbiter.boards["7"]["board"]["attention"] == 3)
                    case = arbiter.boards["7"][arbiter.boards["7"]["cases"][-1]]
                    late = arbiter.events[-1]["now"] - arbiter.boards["7"]["clock"]["at"]
                    assert 0 <= late < 60_000
                    body = json.dumps({"do": "dismiss", "case": case["seq"], "answers": case["answers"]}).encode()
                    answer = await ask(f"{url}/arbiter/boards/7", body, Cookie=held)
                    assert answer.status == 200, answer.body
                    assert [(item.do, item.by) for item in rulings(other)] == [("dismiss", ARBITER)]
                    assert not rulings(ours)
                    again = await ask(f"{url}/arbiter/boards/7", body, Cookie=held)
                    assert (again.status, json.loads(again.body)["settled"]) == (409, True)
                    assert "is settled already" in json.loads(again.body)["what"]
                    await until(lambda: crowd.boards["7"]["moves"] == ["e4", "e5", "Bc4"])
                    assert "cases" not in crowd.boards["7"]

    asyncio.run(scene())


def test_the_record_of_a_board_elsewhere_is_set_right(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as other:
            await ready(other)
            async with running(board(tmp_path, "3", others=[console(other).url])) as ours:
                await until(lambda: console(ours).heard)
                await open_game(other)
                address, held = f"{console(ours).url}/arbiter/boards/7", await cookie(ours)
                answer = await ask(f"{address}/played?lang=fr", b'{"number":1,"moves":["c7c5"]}', Cookie=held)
                assert answer.status == 200, answer.body
                assert {"uci": "g1f3", "text": "Cf3"} in json.loads(answer.body)["legal"]
                answer = await ask(address, b'{"do":"correct","ply":2,"moves":["c7c5"]}', Cookie=held)
                assert answer.status == 200, answer.body
                assert [(item.do, item.ply, item.moves) for item in rulings(other)] == [("correct", 2, ("c7c5",))]
                answer = await ask(address, b'{"do":"correct","ply":2,"moves":["c7c6","a2a3"]}', Cookie=held)
                assert answer.status == 200, answer.body
                answer = await ask(address, b'{"do":"correct","ply":1,"moves":["e4e5"]}', Cookie=held)
                assert (answer.status, json.loads(answer.body)["what"]) == (409, "e4e5 is not legal at 1.")
                answer = await ask(
                    address, b'{"do":"correct","ply":1,"moves":["e4e5"]}', Cookie=held, Accept_Language="fr"
                )
                assert json.loads(answer.body)["what"] == "e4e5 n’est pas légal à 1."
                answer = await ask(f"{address}/undo?lang=fr", b"", Cookie=held)
                last = json.loads(answer.body)
                assert (last["what"], last["by"]) == ("La décision\N{NO-BREAK SPACE}: Rectifier la notation", ARBITER)
                body = b'{"do":"undo","of":%d}' % last["of"]
                assert [(await ask(address, body, Cookie=held)).status for _ in range(2)] == [200, 409]

    asyncio.run(scene())


def test_what_a_ruling_does_not_say_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hears it may be of another version."""
    bodies: list[bytes] = []

    async def post(_: str, body: bytes, *_given: object) -> Answer:
        bodies.append(body)
        return Answer(200, {}, b'{"seq":1}')

    monkeypatch.setattr(others, "post", post)
    elsewhere = others.OtherDaemon("http://127.0.0.1:9", "key", None, Notices())
    asyncio.run(elsewhere.rule("7", rulings_of_the_page.read(b'{"do":"pause"}'), ARBITER))
    assert bodies == [b'{"do":"pause"}']


def test_a_board_is_ruled_upon_whatever_its_name(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "échiquier-7")) as other:
            await ready(other)
            async with running(board(tmp_path, "3", others=[console(other).url])) as ours:
                await until(lambda: console(ours).heard)
                address = f"{console(ours).url}/arbiter/boards/{quote('échiquier-7')}"
                answer = await ask(address, b'{"do":"pause"}', Cookie=await cookie(ours))
                assert answer.status == 200, answer.body
                assert [item.do for item in rulings(other)] == ["pause"]

    asyncio.run(scene())


def test_a_board_out_of_reach_is_said_to_be_and_comes_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as other:
            await ready(other)
            port = console(other).port
            ours_config = board(tmp_path, "3", others=[console(other).url])
            stack = running(ours_config)
            ours = await stack.__aenter__()
            await ready(ours)
            arbiter = Listener(f"{console(ours).url}/arbiter/events", Cookie=await cookie(ours))
            await arbiter.__aenter__()
            await until(lambda: "7" in arbiter.boards)
        try:
            await until(lambda: arbiter.boards["7"].get("away"))
            assert not arbiter.boards["3"].get("away")
            held = await cookie(ours)
            refused = await ask(f"{console(ours).url}/arbiter/boards/7", b'{"do":"pause"}', Cookie=held)
            assert (refused.status, "did not answer" in refused.body.decode()) == (409, True)
            async with running(board(tmp_path, "7", port=port)) as again:
                await until(lambda: not arbiter.boards["7"]["away"])
                await make(again, "e2e4")
                await until(lambda: arbiter.boards["7"]["moves"] == ["e4"])
        finally:
            await arbiter.__aexit__()
            await stack.__aexit__(None, None, None)

    asyncio.run(scene())


def test_a_board_that_was_never_heard_is_a_notice_until_it_is(tmp_path: Path) -> None:
    """Nothing else on the page could say that one of the hall is missing."""

    async def scene() -> None:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        async with running(board(tmp_path, "3", others=[address])) as ours:
            await until(lambda: [notice.source for notice in ours.notices.current] == [f"boards at {address}"])
            (notice,) = ours.notices.current
            assert "out of reach" in notice.what
            assert notice.next_step == f"curl -I {address}"
            async with running(board(tmp_path, "7", port=port)):
                await until(lambda: console(ours).heard and not ours.notices.current)

    asyncio.run(scene())


def test_another_secret_of_the_hall_is_named_as_the_cause(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as other:
            await ready(other)
            wrong = tmp_path / "wrong"
            wrong.mkdir()
            theirs = {"hall_key_file": str(secret(wrong, KEY[::-1])), "others": [console(other).url]}
            async with running(board(tmp_path, "3", **theirs)) as ours:
                await until(lambda: ours.notices.current)
                (notice,) = ours.notices.current
                assert notice.cause == "another secret in its hall_key_file?"

    asyncio.run(scene())


@pytest.mark.browser
def test_a_board_whose_cable_comes_off_is_seen_among_the_others(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "3")) as other, connected(chromium) as browser:
            await ready(other)
            async with running(board(tmp_path, "2", others=[console(other).url])) as ours:
                await ready(ours)
                page = await sign_in(browser, ours)
                order = "[...document.querySelectorAll('.tile h2')].map((each) => each.textContent).join()"
                await page.until(f"{order} === 'Board 2,Board 3'")
                other.notices.set("start", DeviceError("the start position is not on the board"))
                other.notices.set("board", DeviceError("the board went away", "the cable was pulled"))
                await page.sees("the board went away")
                await page.until(f"{order} === 'Board 3,Board 2'")
                other.notices.clear("board")
                await page.until(f"{order} === 'Board 2,Board 3'")
                assert await page.js("document.querySelectorAll('.tile.trouble').length") == 0
                assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_a_fault_of_the_computer_is_told_once_and_not_at_each_board(tmp_path: Path, chromium: str) -> None:
    async def scene() -> None:
        async with (
            running(many(tmp_path, "1", "2", "3", console={"port": 0})) as daemon,
            connected(chromium) as browser,
        ):
            await until(lambda: console(daemon).port and all(each.session.playing for each in daemon.stations.values()))
            page = await sign_in(browser, daemon)
            what = "the daemon was held up for 2.4 s"
            daemon.notices.set("machine", DeviceError(what, "memory is short"))
            await page.sees("equipment faults: 1")
            assert await page.js("document.querySelectorAll('.tile.trouble').length") == 0
            assert await page.js("document.querySelectorAll('.overview .notice').length") == 1
            await page.click(".overview .notice summary", what)
            daemon.stations["2"].notices.set("board", DeviceError("the board went away", "the cable was pulled"))
            await page.sees("equipment faults: 2")
            assert await page.js("[...document.querySelectorAll('.tile.trouble h2')].map((h) => h.textContent)") == [
                "Board 2"
            ]
            assert await page.js("document.querySelector('.overview .notice').open"), "it stays unfolded"
            await page.js("location.hash = '#3'")
            await page.until(f"document.querySelector('.panel .notice')?.textContent.startsWith('{what}')")
            assert not page.complaints

    asyncio.run(scene())


def test_who_reads_french_is_told_of_the_equipment_in_french(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as daemon:
            await ready(daemon)
            url, held = f"{console(daemon).url}/arbiter/events", await cookie(daemon)
            async with Listener(url, Cookie=held) as english, Listener(f"{url}?lang=fr", Cookie=held) as french:
                what = "the DGT board on /dev/ttyACM0 went away: no such device"
                daemon.notices.set("board", DeviceError(what, "the cat lay on it", "give it air"))
                for readers in (english, french):
                    await until(lambda readers=readers: readers.boards["7"].get("notices"))
                (one,), (other,) = english.boards["7"]["notices"], french.boards["7"]["notices"]
                assert one == {
                    "source": "board",
                    "all": False,
                    "what": what,
                    "cause": "the cat lay on it",
                    "next_step": "give it air",
                }
                assert other["what"] == "échiquier DGT sur /dev/ttyACM0\xa0: déconnecté (no such device)"
                assert (other["cause"], other["next_step"]) == ("the cat lay on it", "donnez-lui de l’air")

    asyncio.run(scene())


@pytest.mark.parametrize("key", ["", "Bearer wrong", "Bearer ", f"Basic {KEY}", KEY])
def test_without_the_key_of_the_hall_nothing_is_told(tmp_path: Path, key: str) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as other:
            await ready(other)
            url = console(other).url
            assert (await ask(f"{url}/arbiter/events", Authorization=key)).status == 401
            ruling = await ask(f"{url}/arbiter/boards/7", b'{"do":"pause"}', Authorization=key, Origin="")
            assert ruling.status == 403

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"hall_key": KEY}, "did you mean hall_key_file?"),
        ({"others": ["http://10.0.0.1:8064"]}, "hall_key_file"),
        ({"others": ["10.0.0.1"], "hall_key_file": "hall-key"}, "others"),
        ({"portt": 1}, "did you mean port?"),
    ],
)
def test_a_hall_is_configured_whole(table: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check({"board": {"type": "simulated"}, "console": table}, "the test")
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("key", "mode", "says"), [("short", 0o600, "fewer than 16"), (KEY, 0o644, "open to every user")]
)
def test_the_secret_of_a_hall_is_long_and_for_nobody_else(tmp_path: Path, key: str, mode: int, says: str) -> None:
    file = secret(tmp_path, key)
    file.chmod(mode)
    with pytest.raises(ConfigError, match=says) as raised:
        ConsoleConfig(hall_key_file=str(file)).hall_key()
    assert key not in str(raised.value)


def test_what_the_hall_hears_is_ended_by_no_stranger_who_signs_out(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running(board(tmp_path, "7")) as daemon:
            await ready(daemon)
            url = console(daemon).url
            async with Listener(f"{url}/arbiter/events", Authorization=f"Bearer {KEY}") as hall:
                assert (await ask(f"{url}/arbiter/sign-out", {})).status == 303
                heard = len(hall.events)
                await daemon.only.carry_out({"type": "arbiter", "do": "pause"})
                await until(lambda: hall.ended or len(hall.events) > heard)
                assert not hall.ended

    asyncio.run(scene())
