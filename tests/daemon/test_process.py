"""The daemon as systemd runs it: a process that is started, stopped, and killed."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hall import Mosquitto, Subscriber, until

from controller.journal import Journal

JADOUBE = [sys.executable, "-m", "controller.cli.main"]
ROOT = Path(__file__).resolve().parents[2]


class Process:
    """``jadoube run``. No hand reaches into its simulated board, so touches are reported by command."""

    def __init__(self, folder: Path, port: int, board: str = 'type = "simulated"') -> None:
        self.journal = folder / "journal.sqlite"
        self.config = folder / "board.toml"
        self.config.write_text(
            f'[board]\n{board}\n[event]\nvenue = "hall"\nboard = "7"\n[start]\nready_s = 0.1\n'
            f'[pgn]\ndirectory = "{folder}/games"\n[journal]\npath = "{self.journal}"\n'
            f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\n'
        )
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [*JADOUBE, "run", "--config", str(self.config)], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )

    def stop(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=15)
        return self.process.returncode, said


@pytest.fixture
def process(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[Process]:
    process = Process(tmp_path, mosquitto.port)
    yield process
    if process.process.poll() is None:
        process.process.kill()
        process.process.communicate()


pytestmark = pytest.mark.broker


def test_sigterm_is_an_orderly_stop(process: Process, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            await until(lambda: hall.on("state"))
            status, said = await asyncio.to_thread(process.stop, signal.SIGTERM)
            assert status == 0
            assert "Traceback" not in said
            await until(lambda: hall.on("status")[-1]["state"] == "offline")

    asyncio.run(scene())
    journal = Journal(process.journal)
    journal.verify()
    assert journal.cursor("mqtt") == journal.head.seq
    journal.close()


def test_a_kill_leaves_the_last_will_and_the_game_goes_on_where_it_was(process: Process, mosquitto: Mosquitto) -> None:
    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            await until(lambda: hall.on("state"))
            await until(lambda: hall.on("status"))
            await hall.command(type="contact", square="e2")
            await until(lambda: any(event["type"] == "touch" for event in hall.on("event")))
            game = hall.on("state")[-1]["game"]
            await asyncio.to_thread(process.stop, signal.SIGKILL)
            await until(lambda: hall.on("status")[-1]["state"] == "offline")

            process.start()
            await until(lambda: hall.on("status")[-1]["state"] == "online")
            await hall.command(type="contact", square="d2")
            await until(lambda: any(event.get("square") == "d2" for event in hall.on("event")))
            again = hall.on("event")[-1]
            assert again["game"] == game
            touches = {event["seq"]: event["square"] for event in hall.on("event") if event["type"] == "touch"}
            assert list(touches.values()) == ["e2", "d2"]
            status, said = await asyncio.to_thread(process.stop, signal.SIGINT)
            assert status == 0
            assert "goes on where it was" in said

    asyncio.run(scene())


def test_the_process_carries_nothing_of_the_terminal() -> None:
    script = "import sys, controller.cli.main, controller.cli.run; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"typer", "rich"} & set(modules.stdout.split())


def test_what_the_doctor_would_find_without_opening_anything_is_warned_of(process: Process) -> None:
    process.stop(signal.SIGKILL)
    process.config.write_text(process.config.read_text().replace("[start]", 'clock = "90+30"\n[start]'))
    process.start()
    assert process.process.stderr is not None
    said = ""
    while "Next: " not in said:
        line = process.process.stderr.readline()
        assert line, said
        said += line
    assert "play: 90+30 gives each player 1 min 30 s and 30 s a move: did you mean 5400+30, which is 90 min" in said
    assert 'Next: clock = "5400+30" in [event]' in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[board]\ntype = "simulated"\nbounce = 1', ["board.bounce", "did you mean bounce_ms?"]),
        ('[board]\ntype = "simulated"\n[journal]\npath = "/proc/none/journal.sqlite"', ["cannot be opened", "ls -ld"]),
    ],
)
def test_what_cannot_be_served_is_said_and_ends_with_2(tmp_path: Path, text: str, says: list[str]) -> None:
    config = tmp_path / "club.toml"
    config.write_text(text)
    run = subprocess.run([*JADOUBE, "run", "--config", str(config)], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    for part in says:
        assert part in run.stderr


def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path) -> None:
    journal, config = tmp_path / "journal.sqlite", tmp_path / "club.toml"
    journal.write_text("what a power cut left")
    config.write_text(f'[board]\ntype = "simulated"\n[journal]\npath = "{journal}"')
    run = subprocess.run([*JADOUBE, "run", "--config", str(config)], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 2
    assert "is no journal" in run.stderr
    assert journal.read_text() == "what a power cut left"


def test_a_board_that_is_not_there_is_said_and_waited_for(tmp_path: Path, mosquitto: Mosquitto) -> None:
    process = Process(tmp_path, mosquitto.port, board='type = "dgt"\nport = "/dev/none"')

    async def scene() -> None:
        async with Subscriber(mosquitto.port) as hall:
            await until(lambda: hall.on("status") and hall.on("status")[-1]["notices"])
            (notice,) = hall.on("status")[-1]["notices"]
            assert notice["source"] == "board"
            assert "/dev/none" in notice["what"]
            assert notice["cause"]
            assert notice["next_step"]
            assert process.process.poll() is None
            await asyncio.to_thread(process.stop, signal.SIGTERM)

    asyncio.run(scene())


@pytest.mark.parametrize("heard", ["by a terminal", "by journald", "by a shell that journald hears"])
def test_the_log_has_times_where_journald_adds_none(heard: str) -> None:
    read, write = os.pipe()
    stream = os.fstat(write)
    number = stream.st_ino if heard == "by journald" else 1
    said = {} if heard == "by a terminal" else {"JOURNAL_STREAM": f"{stream.st_dev}:{number}"}
    code = "import logging; from controller.cli.run import log_to_stderr; log_to_stderr(); logging.info('here')"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, stderr=write, env=os.environ | said, check=True)
    os.close(write)
    with os.fdopen(read) as log:
        line = log.read().strip()
    time = "" if heard == "by journald" else r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} "
    assert re.fullmatch(f"{time}INFO root: here", line)
