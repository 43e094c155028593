"""Who may do what: each role with its code, what its page shows, and what the server refuses it."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Browser, Page, connected
from hall import make, running, until
from house import ARBITER, Listener, ask, breach, console, cookie, house, open_game, pair, ready, rulings, sign_in
from many import all_playing, many

from controller.config import Config
from controller.console.codes import Codes
from controller.console.devices import Devices, folder_of
from controller.console.grants import ALL, Grant
from controller.daemon.service import Daemon
from controller.errors import DeviceError

Configure = Callable[..., Config]
PAUSE = b'{"do":"pause"}'
PLAYED = b'{"number":0}'

ANNE = Grant("arbiter", ("7", "8"), "Anne")
ELSEWHERE = Grant("arbiter", ("1", "2", "3"), "Bruno")
ORGANISER = Grant("organiser")
SCREEN = Grant("screen")
LIVE = Grant("screen", live=True)


def codes(daemon: Daemon) -> Codes:
    return Codes(folder_of(daemon.journal.path))


@pytest.mark.parametrize(
    ("may", "sees", "rules", "signs_out"),
    [
        (ALL, True, True, True),
        (ANNE, True, True, False),
        (ELSEWHERE, True, False, False),
        (ORGANISER, True, False, False),
        (SCREEN, False, False, False),
        (LIVE, False, False, False),
    ],
)
def test_the_server_lets_each_do_what_the_role_allows(
    config: Configure, may: Grant, sees: bool, rules: bool, signs_out: bool
) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            url, held = console(daemon).url, await cookie(daemon, may)
            chief = await cookie(daemon)
            name = Devices.name(chief.partition("=")[2])

            async def status(path: str, form: dict[str, str] | bytes | None = None) -> int:
                return (await ask(f"{url}/arbiter{path}", form, Cookie=held)).status

            assert await status("") == 200, "everybody has a page"
            if sees:
                async with Listener(f"{url}/arbiter/events", Cookie=held) as here:
                    await until(lambda: "touched" in here.boards.get("7", {}).get("board", {}))
            else:
                assert await status("/events") == 403
            picture = "/restored.svg?fen=8/8/8/8/8/8/8/8&squares="
            assert await status(picture) == (200 if sees else 403)
            assert await status("/boards/7", PAUSE) == (200 if rules else 403)
            assert await status("/boards/7/played", PLAYED) == (200 if rules else 403)
            assert [(item.do, item.by) for item in rulings(daemon)] == (
                [("pause", may.name or ARBITER)] if rules else []
            )
            assert await status("/devices") == (200 if signs_out else 303)
            assert await status(f"/devices/{name}", {}) == (303 if signs_out else 403)
            assert (await ask(f"{url}/arbiter", Cookie=chief)).status == (303 if signs_out else 200)

    asyncio.run(scene())


@pytest.mark.browser
def test_who_is_named_by_his_code_need_not_name_himself_and_nobody_else_may_leave_it_out(
    config: Configure, chromium: str
) -> None:
    async def scene() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await browser.open(f"{console(daemon).url}/arbiter/sign-in")
            code = codes(daemon).new()
            await page.fill("#code", code)
            await page.click("button[type=submit]")
            await page.sees("Please give your name")
            assert await page.js("document.querySelector('#code').value") == code
            await page.until("document.activeElement.id === 'name'")
            await page.fill("#code", codes(daemon).new(ANNE))
            await page.click("button[type=submit]")
            await page.sees("Anne · arbiter of boards 7-8")
            assert (await pair(daemon, code=code)).status == 303, "it was not used up"

    asyncio.run(scene())


def test_who_gave_the_code_says_who_rules(config: Configure) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            url = console(daemon).url
            answer = await pair(daemon, name="Somebody Else", code=codes(daemon).new(ANNE))
            held = answer.headers["Set-Cookie"].split(";")[0]
            assert "Anne · arbiter of boards 7-8" in (await ask(f"{url}/arbiter", Cookie=held)).body.decode()
            refused = await ask(f"{url}/arbiter/boards/9", PAUSE, Cookie=held)
            assert json.loads(refused.body)["what"] == "Anne does not rule on board 9"
            refused = await ask(f"{url}/arbiter/boards/9", PAUSE, Cookie=held, Accept_Language="fr")
            assert json.loads(refused.body)["next_step"] == "appelez son arbitre, ou l’arbitre principal"
            assert (await ask(f"{url}/arbiter/boards/7", PAUSE, Cookie=held)).status == 200
            assert [item.by for item in rulings(daemon)] == ["Anne"]

    asyncio.run(scene())


def test_a_role_outlives_a_restart_and_what_was_there_before_roles_rules_on_all(tmp_path: Path) -> None:
    devices = Devices(tmp_path, 2.0)
    given = devices.sign_in("Anne", "10.0.0.1", "", ANNE)
    before = devices.sign_in("Ana", "10.0.0.1", "")
    old = tmp_path / f"device-{Devices.name(before)}"
    old.write_text(json.dumps({key: value for key, value in json.loads(old.read_text()).items() if key != "may"}))
    again = Devices(tmp_path, 2.0)
    assert [device.may for cookie in (given, before) if (device := again.read(cookie))] == [ANNE, ALL]


def test_a_code_that_says_what_nobody_knows_opens_nothing(tmp_path: Path) -> None:
    waiting = Codes(tmp_path)
    code = waiting.new(ANNE)
    [file] = tmp_path.iterdir()
    file.write_text('{"role":"king"}')
    assert waiting.redeem(code) is None


def test_a_code_for_a_role_is_never_there_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty code grants all: on a full disk there is rather none."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        Codes(tmp_path).new(ANNE)
    assert not list(tmp_path.iterdir())
    assert Codes(tmp_path).redeem(Codes(tmp_path).new()) == ALL


def test_a_screen_is_as_late_as_the_public_unless_it_is_told_otherwise(config: Configure) -> None:
    event = {"venue": "hall", "board": "7", "clock": "5400+30", "delay_min": 10}
    quick = {"release_ms": 60, "brush_ms": 20}

    async def scene() -> None:
        async with running(config(event=event | {"settings": quick})) as daemon:
            await ready(daemon)
            url = console(daemon).url
            late, live = await cookie(daemon, SCREEN), await cookie(daemon, LIVE)
            async with (
                Listener(f"{url}/arbiter/screen", Cookie=late) as screen,
                Listener(f"{url}/arbiter/screen", Cookie=live) as at_once,
            ):
                await make(daemon, "e2e4")
                await until(lambda: at_once.boards.get("7", {}).get("moves") == ["e4"])
                assert "board" not in screen.boards.get("7", {})
                assert not {"touched", "hand", "owed"} & at_once.boards["7"]["board"].keys()
                assert not {"cases", "notices"} & at_once.boards["7"].keys()
            pages = [(await ask(f"{url}/arbiter", Cookie=each)).body.decode() for each in (late, live)]
            assert ['data-delay="10.0"' in page for page in pages] == [True, False]
            assert (await ask(f"{url}/arbiter/screen")).status == 401

    asyncio.run(scene())


def test_a_tablet_signed_out_by_a_shell_hears_no_more_within_a_second(config: Configure) -> None:
    async def scene() -> None:
        async with running(config()) as daemon:
            await ready(daemon)
            held = await cookie(daemon, ANNE)
            async with Listener(f"{console(daemon).url}/arbiter/events", Cookie=held) as lost:
                (folder_of(daemon.journal.path) / f"device-{Devices.name(held.partition('=')[2])}").unlink()
                await until(lambda: lost.ended, 5)

    asyncio.run(scene())


# -- what the pages show ------------------------------------------------------------------------------------------


async def offered(page: Page) -> bool:
    return bool(await page.js("document.querySelectorAll('.tools button, .rulings button, .restore button').length"))


@pytest.mark.browser
def test_an_arbiter_of_other_boards_sees_the_case_and_no_button_to_rule(config: Configure, chromium: str) -> None:
    async def scene(daemon: Daemon, browser: Browser) -> None:
        page = await sign_in(browser, daemon, may=ELSEWHERE)
        own = await sign_in(browser, daemon, may=ANNE)
        await open_game(daemon)
        await breach(daemon)
        await own.sees("Awaits your ruling")
        await page.sees("Awaits its arbiter's ruling")
        assert await offered(own)
        assert not await offered(page)
        await page.sees("Its arbiters rule on it")
        await page.sees("Bruno · arbiter of boards 1-3")
        assert not await page.js("!!document.querySelector('a[href=\"/arbiter/devices\"]')")
        assert await page.js("document.title") == "Arbiter", "it calls somebody else"
        assert (await own.js("document.title")).startswith("(1) ")
        assert not page.complaints + own.complaints

    async def run() -> None:
        async with house(config(), chromium) as (daemon, browser):
            await scene(daemon, browser)

    asyncio.run(run())


@pytest.mark.browser
def test_a_screen_shows_the_spectators_page_and_leaves_when_it_is_signed_out(config: Configure, chromium: str) -> None:
    async def run() -> None:
        async with house(config(), chromium) as (daemon, browser):
            page = await sign_in(browser, daemon, may=SCREEN)
            await make(daemon, "e2e4")
            await page.sees("1. e4")
            assert await page.js("location.pathname") == "/arbiter"
            chief = await cookie(daemon)
            url = console(daemon).url
            listed = (await ask(f"{url}/arbiter/devices", Cookie=chief)).body.decode()
            assert "screen, as late as the public" in listed
            for name in Devices(folder_of(daemon.journal.path)).all().keys() - {Devices.name(chief.partition("=")[2])}:
                await ask(f"{url}/arbiter/devices/{name}", {}, Cookie=chief)
            await page.until("location.pathname === '/arbiter/sign-in'")
            await page.sees("You were signed out, or your time is over")
            assert [each for each in page.complaints if "401" not in each] == []

    asyncio.run(run())


@pytest.mark.browser
def test_an_arbiter_finds_his_boards_among_the_others(tmp_path: Path, chromium: str) -> None:
    config = many(tmp_path, "1", "2", "3", console={"port": 0})

    async def run() -> None:
        async with running(config) as daemon, connected(chromium) as browser:
            await until(lambda: daemon.console and daemon.console.port)
            await all_playing(daemon)
            page = await sign_in(browser, daemon, may=Grant("arbiter", ("2",), "Anne"))
            shown = "[...document.querySelectorAll('li:not([hidden]) .tile h2')].map((each) => each.textContent).join()"
            await page.until(f"{shown} === 'Board 1,Board 2,Board 3'")
            await page.click("button", "My boards")
            await page.until(f"{shown} === 'Board 2'")
            daemon.stations["3"].notices.set("cable", DeviceError("the cable came off"))
            await page.click("button", "My boards")
            await page.until(f"{shown} === 'Board 3,Board 1,Board 2'")
            assert not page.complaints

    asyncio.run(run())
