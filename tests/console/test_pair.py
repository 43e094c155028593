"""``jadoube pair``: who has a shell at the board's machine gives codes, sees who is signed in, and signs out."""

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import connected
from hall import running, until
from house import ARBITER, ask, console, pair

from controller.cli.main import main
from controller.config import load
from controller.console.codes import Codes
from controller.console.devices import folder_of, serve_at
from controller.daemon.service import Daemon

CONFIG = """
[board]
type = "simulated"
[event]
board = "7"
[console]
port = 0
[pgn]
directory = "{folder}/games"
[journal]
path = "{folder}/journal.sqlite"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(CONFIG.format(folder=tmp_path))
    return path


@contextlib.contextmanager
def at_work(folder: Path) -> Iterator[None]:
    """A daemon has the journal of that folder open, as far as its lock tells."""
    with (folder / "journal.sqlite-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def jadoube(*words: str | Path, status: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code == status


def test_a_code_from_the_shell_opens_the_pages_of_a_daemon_at_work(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scene(daemon: Daemon) -> None:
        await until(lambda: console(daemon).port)
        await asyncio.to_thread(jadoube, "pair", "--config", file, "--list")
        assert "nobody" in capsys.readouterr().out
        await asyncio.to_thread(jadoube, "pair", "--config", file)
        code = re.findall(r"pairing code: (\S+)", capsys.readouterr().out)[0]
        answer = await pair(daemon, code=code)
        assert answer.status == 303
        held = answer.headers["Set-Cookie"].split(";")[0]
        await asyncio.to_thread(jadoube, "pair", "--config", file, "--list")
        name, _, told = capsys.readouterr().out.partition("  ")
        assert told.startswith(f"{ARBITER}, ")
        await asyncio.to_thread(jadoube, "pair", "--config", file, "--sign-out", "nonsense", status=2)
        assert (await ask(f"{console(daemon).url}/arbiter", Cookie=held)).status == 200
        await asyncio.to_thread(jadoube, "pair", "--config", file, "--sign-out", name)
        assert (await ask(f"{console(daemon).url}/arbiter", Cookie=held)).status == 303

    async def run() -> None:
        async with running(load(file)) as daemon:
            await scene(daemon)

    asyncio.run(run())


def test_a_code_for_an_arbiter_of_some_boards_and_his_tablet_is_lost(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        async with running(load(file)) as daemon:
            await until(lambda: console(daemon).port)
            role = ("--role", "arbiter", "--boards", "7", "--name", "Anne")
            await asyncio.to_thread(jadoube, "pair", "--config", file, *role)
            said = capsys.readouterr().out
            assert "for Anne, arbiter of boards 7" in said
            held = (await pair(daemon, code=said.split()[2])).headers["Set-Cookie"].split(";")[0]
            await asyncio.to_thread(jadoube, "pair", "--config", file, "--list")
            assert "Anne, arbiter of boards 7, " in capsys.readouterr().out
            await asyncio.to_thread(jadoube, "pair", "--config", file, "--sign-out", "Anne")
            assert (await ask(f"{console(daemon).url}/arbiter", Cookie=held)).status == 303

    asyncio.run(run())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--role", "arbiter"), "--role arbiter and --boards go together"),
        (("--boards", "7"), "--role arbiter and --boards go together"),
        (("--role", "arbiter", "--boards", "6-8"), "there is no board 6, 8 here"),
        (("--role", "organiser", "--live"), "--live is for a screen"),
    ],
)
def test_what_no_role_is_made_of_is_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    folder = folder_of(tmp_path / "journal.sqlite")
    folder.mkdir(0o700)
    jadoube("pair", "--config", file, *words, status=2)
    assert says in capsys.readouterr().err
    assert not list(folder.iterdir())


def test_where_there_is_nothing_to_pair_with_it_says_why(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jadoube("pair", "--config", file, status=2)
    assert "start it first" in capsys.readouterr().err
    file.write_text(file.read_text().replace("[console]\nport = 0\n", ""))
    jadoube("pair", "--config", file, status=2)
    assert "no table [console]" in capsys.readouterr().err


def test_where_no_daemon_runs_there_is_no_code(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that is started later would not know it."""
    folder = folder_of(tmp_path / "journal.sqlite")
    folder.mkdir(0o700)
    jadoube("pair", "--config", file, status=2)
    said = capsys.readouterr()
    assert "pairing code" not in said.out and not list(folder.iterdir())
    assert f"Next: jadoube run --config {file}" in said.err


def test_no_code_of_one_daemon_is_given_under_the_address_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal without a folder is another one wherever the command is called."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, port in ((here, 8164), (there, 8364)):
        folder.mkdir()
        text = CONFIG.replace('path = "{folder}/', 'path = "').replace("port = 0", f"port = {port}")
        (folder / "board.toml").write_text(text.format(folder=folder))
        folder_of(folder / "journal.sqlite").mkdir()
        serve_at(folder_of(folder / "journal.sqlite"), f"127.0.0.1:{port}")
    monkeypatch.chdir(here)
    before = sorted(here.rglob("*"))
    for asked in ([], ["--list"], ["--sign-out", "all"]):
        jadoube("pair", "--config", "../there/board.toml", *asked, status=2)
        refused = capsys.readouterr()
        assert "pairing code" not in refused.out
        assert "with its pages at 127.0.0.1:8164; those of ../there/board.toml are at 127.0.0.1:8364" in refused.err
        assert f"Next: cd {there} && jadoube pair --config board.toml" in refused.err
    assert sorted(here.rglob("*")) == before
    monkeypatch.chdir(there)
    with at_work(there):
        jadoube("pair", "--config", "board.toml")
    assert "http://127.0.0.1:8364/arbiter" in capsys.readouterr().out


def test_who_has_changed_the_address_is_told_to_start_the_daemon_anew(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        async with running(load(file)) as daemon:
            await until(lambda: console(daemon).port)
            file.write_text(file.read_text().replace("port = 0", "port = 8164"))
            await asyncio.to_thread(jadoube, "pair", "--config", file, status=2)

    asyncio.run(run())
    said = capsys.readouterr().err
    assert "[console] was changed since" in said
    assert f"Next: start it anew: jadoube run --config {file}" in said


def _open_to_all(folder: Path) -> None:
    """Others may go there; what lies above pytest's own folders they may enter anyway."""
    for each in (folder, *(above for above in folder.parents if "pytest" in str(above))):
        each.chmod(0o711)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root acts for others")
def test_what_root_makes_belongs_to_the_user_of_the_daemon(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(file.parent / "journal.sqlite")
    folder.mkdir(0o700)
    _open_to_all(folder)
    os.chown(folder, 12345, 12345)
    with at_work(file.parent):
        jadoube("pair", "--config", file)
    assert [path.stat().st_uid for path in folder.iterdir()] == [12345]
    assert os.geteuid() == 0
    assert Codes(folder).redeem(re.findall(r"pairing code: (\S+)", capsys.readouterr().out)[0])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_who_may_not_is_told_who_may(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder_of(tmp_path / "journal.sqlite").mkdir(0o700)
    _open_to_all(tmp_path)
    file.chmod(0o644)
    jadoube("pair", "--config", file, "--list")  # what it needs is imported
    try:
        os.seteuid(12345)
        jadoube("pair", "--config", file, status=2)
    finally:
        os.seteuid(0)
    assert f"sudo jadoube pair --config {file}" in capsys.readouterr().err


@pytest.mark.parametrize("terminal", [True, False])
def test_who_starts_it_at_a_terminal_is_told_a_code_and_no_other_log_is(file: Path, terminal: bool) -> None:
    reading, its = pty.openpty() if terminal else os.pipe()
    command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(file)]
    with subprocess.Popen(command, stderr=its, stdout=subprocess.DEVNULL) as process:
        os.close(its)
        said = ""
        while "is served at" not in said or (terminal and "pairing code" not in said):
            assert select.select([reading], [], [], 60)[0], said
            read = os.read(reading, 4096).decode()
            assert read, said
            said += read
        process.terminate()
        with contextlib.suppress(OSError):  # the end of a terminal
            while read := os.read(reading, 4096).decode():
                said += read
        assert process.wait() == 0
    os.close(reading)
    assert bool(re.search(r"pairing code \w{4}-\w{4}; another one: jadoube pair --config", said)) == terminal
    assert "a code that jadoube pair prints" in said


def test_a_terminal_shows_a_square_to_be_scanned(file: Path, tmp_path: Path) -> None:
    folder_of(tmp_path / "journal.sqlite").mkdir(0o700)
    file.write_text(
        file.read_text().replace("port = 0", 'port = 8064\nhost = "192.168.1.10"\nnames = ["hall.example"]')
    )
    mine, its = pty.openpty()
    command = [sys.executable, "-m", "controller.cli.main", "pair", "--config", str(file)]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    with at_work(tmp_path), subprocess.Popen(command, stdout=its, env=environment) as process:
        os.close(its)
        said = b""
        while True:
            try:
                said += os.read(mine, 4096)
            except OSError:  # its end
                break
        assert process.wait() == 0
    os.close(mine)
    text = said.decode()
    assert "arbiter: http://hall.example:8064/arbiter" in text
    assert "arbiter: http://192.168.1.10:8064/arbiter" in text
    assert text.count("█") > 100


@pytest.mark.parametrize(
    ("more", "alone"),
    [("", True), ('host = "::1"', True), ('host = "0.0.0.0"', False), ('names = ["hall.example"]', False)],
)
def test_who_wants_a_tablet_is_told_that_this_machine_alone_is_reached(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, alone: bool
) -> None:
    folder_of(tmp_path / "journal.sqlite").mkdir(0o700)
    file.write_text(file.read_text().replace("port = 0", f"port = 8064\n{more}"))
    with at_work(tmp_path):
        jadoube("pair", "--config", file)
    assert ('for a tablet, host = "0.0.0.0"' in capsys.readouterr().out) == alone


def test_the_link_in_the_square_fills_the_code(file: Path, chromium: str) -> None:
    async def run() -> None:
        async with running(load(file)) as daemon, connected(chromium) as browser:
            await until(lambda: console(daemon).port)
            code = console(daemon).code
            page = await browser.open(f"{console(daemon).url}/arbiter/sign-in#code={code}")
            await page.until(f"document.querySelector('#code').value === '{code}'")
            assert "code" not in await page.js("location.href")
            await page.fill("#name", ARBITER)
            await page.click("button[type=submit]")
            await page.sees(ARBITER)
            assert not page.complaints

    asyncio.run(run())


def test_in_the_folder_of_a_hall_its_configuration_is_found(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.rename(file.with_name("hall.toml"))
    monkeypatch.chdir(file.parent)
    folder_of(file.parent / "journal.sqlite").mkdir(parents=True)
    jadoube("pair", "--list")
    assert "nobody" in capsys.readouterr().out
