"""The organiser has the results of the round on a page, gives some by hand, and takes the export along."""

import asyncio
import io
import re
import sys
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from browser import connected
from hall import running, until
from house import Answer, ask, console, cookie, sign_in
from many import all_playing

from controller.cli.hall.files import Hall
from controller.config import load
from controller.console.grants import ALL, Grant
from controller.console.tournament import Tournament, refusal
from controller.daemon.service import Daemon
from controller.errors import ConfigError, LogError

ORGANISER = Grant("organiser", name="Olga")
PAIRINGS = "Round;Board;White;Black;WhiteTitle\n4;1;Ann <b>;Bob;WFM\n4;2;Cid;Dora;\n"
CONFIG = """
[[boards]]
number = "1"
board = {{ type = "simulated" }}
[[boards]]
number = "2"
board = {{ type = "simulated" }}
[event]
venue = "hall"
pairings = "{folder}/rounds/current.csv"
[game]
event = "Open"
[start]
by = "at-once"
ready_s = 0.1
[pgn]
directory = "{folder}/games"
[journal]
path = "{folder}/jadoube.sqlite"
[console]
port = 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hall.toml"
    path.write_text(CONFIG.format(folder=tmp_path))
    (tmp_path / "rounds").mkdir()
    for name in ("4", "current"):
        (tmp_path / f"rounds/{name}.csv").write_text(PAIRINGS)
    return path


@asynccontextmanager
async def served(file: Path) -> AsyncIterator[Daemon]:
    async with running(load(file), file) as daemon:
        await until(lambda: console(daemon).port)
        await all_playing(daemon)
        yield daemon


async def give(daemon: Daemon, table: str, held: str, **form: str) -> Answer:
    return await ask(f"{console(daemon).url}/arbiter/results/{table}", {"round": "4"} | form, Cookie=held)


def test_a_result_by_hand_is_given_in_the_organisers_name_and_taken_back(file: Path) -> None:
    async def scene() -> None:
        async with served(file) as daemon:
            url, held = f"{console(daemon).url}/arbiter/results", await cookie(daemon, ORGANISER)
            await daemon.stations["1"].carry_out({"type": "resign", "side": "black"})
            page = (await ask(url, Cookie=held)).body.decode()
            assert "Open · Round 4" in page
            assert '<span id="rounds">Rounds</span>' in page
            assert "WFM Ann &lt;b&gt;" in page
            assert "<strong>1-0</strong> <small>by resignation</small>" in page
            answer = await give(daemon, "2", held, result="-+", reason="she never came")
            assert (answer.status, answer.headers["Location"]) == (303, "/arbiter/results?round=4")
            (given,) = Hall(file).given()
            assert (given.table, given.result, given.reason, given.by) == ("2", "-+", "she never came", "Olga")
            page = (await ask(f"{url}?round=4", Cookie=held, Accept_Language="fr")).body.decode()
            assert "<strong>-+</strong> <small>she never came, à la main</small>" in page
            assert (await give(daemon, "2", held, result="take-back")).status == 303
            assert Hall(file).given()[-1].result is None

    asyncio.run(scene())


def test_from_each_round_there_is_a_way_to_all_others_and_the_language_keeps_the_round(file: Path) -> None:
    (file.parent / "rounds/2.csv").write_text(PAIRINGS.replace("4;1", "2;1").replace("4;2", "2;2"))

    async def scene() -> None:
        async with served(file) as daemon:
            url, held = console(daemon).url, await cookie(daemon, ORGANISER)
            page = (await ask(f"{url}/arbiter/results?round=2", Cookie=held)).body.decode()
            assert re.findall(r'href="/arbiter/results\?round=(\d)"( aria-current="page")?>\d<', page) == [
                ("2", ' aria-current="page"'),
                ("4", ""),
            ]
            (to,) = re.findall(r'href="(/language/fr[^"]*)"', page)
            answer = await ask(url + to, Cookie=held)
            assert (answer.status, answer.headers["Location"]) == (303, "/arbiter/results?round=2")
            page = (await ask(f"{url}/arbiter/results", Cookie=held)).body.decode()
            assert 'href="/language/fr?to=/arbiter/results"' in page
            for elsewhere in ("/arbiter/results?round=2%0d%0aX:1", "/devices?round=2", "//x/arbiter/results?round=2"):
                assert (await ask(f"{url}/language/fr?to={elsewhere}")).status == 404

    asyncio.run(scene())


def test_the_export_is_taken_along_as_one_file(file: Path) -> None:
    async def scene() -> None:
        async with served(file) as daemon:
            await daemon.stations["1"].carry_out({"type": "resign", "side": "black"})
            held = await cookie(daemon, ORGANISER)
            answer = await ask(f"{console(daemon).url}/arbiter/results.zip?round=4", Cookie=held)
            assert answer.headers["Content-Disposition"] == 'attachment; filename="round-4.zip"'
            with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
                assert archive.namelist() == [f"round-4{end}" for end in ("-1.pgn", "-sheets.html", ".csv", ".trf")]
                assert '[Result "1-0"]' in archive.read("round-4-1.pgn").decode()

    asyncio.run(scene())


@pytest.mark.parametrize(("writes", "named"), [(True, ["round-4-differs.txt", "round-4-sheets.html"]), (False, None)])
def test_an_export_that_is_known_to_differ_is_taken_along_with_what_is_said_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: bool, named: list[str] | None
) -> None:
    script = "import sys; (out,) = (each[6:] for each in sys.argv if each.startswith('--out='))\n"
    script += "open(f'{out}/round-4-sheets.html', 'w').close()\n" if writes else ""
    script += "print('the report has no result'); sys.exit(1)"
    monkeypatch.setattr("controller.console.tournament.HALL", (sys.executable, "-c", script))
    export = Tournament(tmp_path / "hall.toml").export(4, "en")
    if named is None:
        with pytest.raises(LogError):
            asyncio.run(export)
        return
    with zipfile.ZipFile(io.BytesIO(asyncio.run(export))) as archive:
        assert archive.namelist() == named
        assert archive.read(named[0]).decode() == "the report has no result\n"


@pytest.mark.parametrize("may", [Grant("arbiter", ("1", "2"), "Anne"), Grant("screen"), None])
def test_nobody_else_has_the_results(file: Path, may: Grant | None) -> None:
    async def scene() -> None:
        async with served(file) as daemon:
            url, held = f"{console(daemon).url}/arbiter", "" if may is None else await cookie(daemon, may)
            assert (await ask(f"{url}/results", Cookie=held)).status == 303
            refused = 401 if may is None else 403
            assert (await ask(f"{url}/results.zip?round=4", Cookie=held)).status == refused
            assert (await give(daemon, "1", held, result="1-0")).status == refused
            assert 'href="/arbiter/results"' not in (await ask(url, Cookie=held)).body.decode()
            assert not Hall(file).given()

    asyncio.run(scene())


def test_what_is_refused_is_said_in_the_language_of_the_page(file: Path) -> None:
    async def scene() -> None:
        async with served(file) as daemon:
            url, held = f"{console(daemon).url}/arbiter/results", await cookie(daemon, ALL)
            for table, result, says in (
                ("9", "1-0", "la ronde 4 n’a pas de partie à la table 9"),
                ("--help", "1-0", "la ronde 4 n’a pas de partie à la table --help"),
                ("1", "2-0", "quel résultat"),
            ):
                answer = await ask(
                    f"{url}/{table}", {"round": "4", "result": result}, Cookie=held, Accept_Language="fr"
                )
                assert answer.status == 409
                assert says in answer.body.decode().replace("&#x27;", "'")
            answer = await ask(f"{url}?round=7", Cookie=held, Accept_Language="fr")
            assert "il n’y a pas de ronde 7" in answer.body.decode().replace("&#x27;", "'")
            (said,) = re.findall('<p class="trouble" role="alert">(.+?)</p>', answer.body.decode())
            assert ". " not in said, "what is to be done next begins with a small letter, or is a command"
            assert not Hall(file).given()

    asyncio.run(scene())


@pytest.mark.parametrize("before", ["", "nice: cannot set niceness: Permission denied\n"])
def test_what_the_command_says_is_said(before: str) -> None:
    """A service may be allowed less than a user is."""
    said = ConfigError("round 4 has no game on table 9", "a slip", "its tables: 1, 2")
    error = refusal(f"{before}jadoube: {said}\n")
    assert (error.what, error.cause, error.next_step) == (said.what, said.cause, said.next_step)
    assert refusal("Killed").what == "Killed"


@pytest.mark.browser
def test_an_organiser_gives_a_result_with_a_few_taps(file: Path, chromium: str) -> None:
    async def scene() -> None:
        async with served(file) as daemon, connected(chromium) as browser:
            page = await sign_in(browser, daemon, may=ORGANISER)
            await page.click(".menu a", "Results")
            row = "document.querySelectorAll('.results tbody tr')[1]"
            await page.until(f"!!{row}")
            await page.js(f"{row}.querySelector('summary').click()")
            await page.js(f"{row}.querySelector('select').value = '1/2-1/2'")
            await page.js(f"{row}.querySelector('button').click()")
            await page.until(f"{row}?.querySelector('strong')?.textContent === '½-½'")
            await page.sees("by hand")
            assert [(each.table, each.result, each.by) for each in Hall(file).given()] == [("2", "1/2-1/2", "Olga")]
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_the_page_follows_by_itself_and_leaves_a_form_alone(file: Path, chromium: str) -> None:
    async def scene() -> None:
        async with served(file) as daemon, connected(chromium) as browser:
            page = await sign_in(browser, daemon, may=ORGANISER)
            await page.go(f"{console(daemon).url}/arbiter/results")
            await page.sees("As of ")
            before = await page.js("document.getElementById('as-of').textContent")
            shown = "document.querySelectorAll('.results tbody tr')[{}]?.querySelector('strong')?.textContent === '{}'"
            await daemon.stations["1"].carry_out({"type": "resign", "side": "black"})
            await page.until(shown.format(0, "1-0"))
            assert await page.js("document.getElementById('as-of').textContent") != before
            await page.click(".results summary")
            await page.js("document.querySelector('.results [name=reason]').value = 'she never came'")
            await daemon.stations["2"].carry_out({"type": "resign", "side": "white"})
            await page.sees("Results have come since.")
            assert await page.js("document.querySelector('.results [name=reason]').value") == "she never came"
            await page.click(".results details[open] summary")
            await page.until(shown.format(1, "0-1"))
            await page.until("document.getElementById('newer').hidden")
            assert not page.complaints

    asyncio.run(scene())


@pytest.mark.browser
def test_names_have_room_on_a_tablet_and_a_reason_is_asked_for_in_whole_words(file: Path, chromium: str) -> None:
    lines = """[...document.querySelectorAll('.results tbody tr')].flatMap((row) => [1, 2].map((at) => {
        const words = document.createRange();
        words.selectNodeContents(row.children[at]);
        return words.getClientRects().length;
    }))"""
    room = """[...document.querySelectorAll('.results input[name=reason]')].map((field) => {
        const pen = document.createElement('canvas').getContext('2d'), { font, paddingLeft } = getComputedStyle(field);
        pen.font = font;
        return field.clientWidth - 2 * parseFloat(paddingLeft) - pen.measureText(field.placeholder).width;
    })"""

    async def scene() -> None:
        async with served(file) as daemon, connected(chromium) as browser:
            page = await sign_in(browser, daemon)
            await page.go(f"{console(daemon).url}/arbiter/results?lang=fr")
            await page.js("document.querySelectorAll('.results details').forEach((each) => { each.open = true; })")
            for size in ((1280, 860), (1024, 768), (820, 1180), (390, 844)):
                await page.resize(*size)
                assert set(await page.js(lines)) == {1}, size
                assert min(await page.js(room)) >= 0, size
                assert await page.js("document.documentElement.scrollWidth") <= size[0]

    asyncio.run(scene())
