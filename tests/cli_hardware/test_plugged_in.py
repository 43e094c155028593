"""``jadoube run`` without a configuration: one board that is plugged in is served, else three lines say what to do."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import chess
import pytest
from shell import ROOT, Jadoube

from controller.cli.hardware import commands
from controller.cli.hardware import ports as ports_module
from controller.cli.hardware import probe as probe_module
from controller.cli.hardware.plugged import plugged_in
from controller.cli.hardware.probe import QUESTIONS, FoundPort
from controller.config import load
from hardware.boards.line import LineConfig
from hardware.simulator.certabo import CertaboEmulator, SentioEmulator
from hardware.simulator.chesslink import ChessLinkEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.line import LineEmulator
from hardware.simulator.terminal import Terminal

PATIENCE_S = 30.0
SOON_S = 0.5  #: for an answer, on a busy machine
RUN = """
import sys
from pathlib import Path
from controller.cli.hardware import commands, ports
from controller.cli.hardware.probe import FoundPort
from controller.cli.main import main
commands.SERVICE = Path("none")
ports.ports = lambda: [FoundPort(sys.argv[1], "FTDI")]
main(["run"])
"""
"""The command, on a machine without a service, whose only serial port is the one that is named."""


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the given ports all that this machine has; who answers there does so soon."""

    def have(*paths: Path) -> None:
        monkeypatch.setattr(ports_module, "ports", lambda: [FoundPort(str(path), "FTDI") for path in paths])

    questions = [type(q)(q.baud, q.asked, SOON_S, q.again_s, q.codecs) for q in QUESTIONS]
    monkeypatch.setattr(probe_module, "QUESTIONS", questions)
    monkeypatch.setattr(commands, "SERVICE", tmp_path / "etc" / "jadoube.toml")
    monkeypatch.chdir(tmp_path)
    return have


@pytest.mark.parametrize("emulator", [DgtEmulator, ChessLinkEmulator, CertaboEmulator, SentioEmulator, LineEmulator])
def test_what_is_served_is_what_setup_would_write(
    plug: Callable[..., None], jadoube: Jadoube, tmp_path: Path, emulator: type[Terminal]
) -> None:
    port = tmp_path / "port"
    plug(port)
    with emulator(port):
        chosen = plugged_in()
        assert jadoube("setup", "--yes", "--untested").status == 0
    assert chosen.setup == load(tmp_path / "jadoube.toml")
    assert chosen.found.startswith(f"{port}: ")
    said = str(chosen).splitlines()
    assert len(said) == 3
    assert "journal jadoube.sqlite, scores games/" in said[1]
    assert "a broker of our own for this machine, no clock" in said[1]
    assert said[2].endswith("jadoube setup")


def test_what_a_board_says_of_itself_is_heeded(plug: Callable[..., None], tmp_path: Path) -> None:
    plug(tmp_path / "port")
    with LineEmulator(tmp_path / "port", features=("identity", "lamps")):
        (place,) = plugged_in().setup.places.values()
    assert place.board == LineConfig(port=str(tmp_path / "port"), senses="identity")


def test_without_a_board_three_lines_say_what_to_do(
    plug: Callable[..., None], jadoube: Jadoube, tmp_path: Path
) -> None:
    plug()
    told = jadoube("run")
    assert told.status == 2
    asked, *said = told.err.splitlines()
    assert asked.startswith("Asking who is on the ports")
    assert len(said) == 3
    assert said[0] == "jadoube: there is no configuration jadoube.toml here, and no board answers"
    assert "jadoube setup" in said[2]
    assert not list(tmp_path.iterdir()), "nothing is changed"


def test_a_port_that_cannot_be_asked_is_named_with_its_remedy(
    plug: Callable[..., None], jadoube: Jadoube, tmp_path: Path
) -> None:
    plug(tmp_path / "gone")
    told = jadoube("run")
    assert told.status == 2
    assert f"and no board answers: there is no port {tmp_path}/gone" in told.err
    assert "Next: jadoube boards --ports" in told.err


def test_of_several_boards_none_is_chosen(plug: Callable[..., None], jadoube: Jadoube, tmp_path: Path) -> None:
    ports = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    plug(*ports)
    with ExitStack() as stack:
        for port, emulator in zip(ports, (DgtEmulator, SentioEmulator, DgtEmulator), strict=True):
            board = stack.enter_context(emulator(port))
            board.deaf = port.name == "three"
        told = jadoube("run")
    assert told.status == 2
    assert f"2 boards answer: {ports[0]}: dgt (version 1.8), {ports[1]}: sentio" in told.err
    assert "Next: jadoube setup --board KIND --port PORT" in told.err
    assert len(told.err.splitlines()) == 4


@pytest.mark.parametrize("there", ["jadoube.toml", "etc/jadoube.toml"])
def test_where_there_is_a_configuration_nobody_is_asked(
    plug: Callable[..., None], jadoube: Jadoube, tmp_path: Path, there: str
) -> None:
    plug(tmp_path / "port")
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("[board]\ntype = 'wheel'\n")
    told = jadoube("run")
    assert told.status == 2
    assert "wheel" in told.err
    assert "Asking" not in told.err


def test_one_that_is_named_and_missing_is_an_error(plug: Callable[..., None], jadoube: Jadoube) -> None:
    plug()
    told = jadoube("run", "--config", "none.toml")
    assert told.status == 2
    assert "none.toml" in told.err
    assert "Asking" not in told.err


def test_a_game_is_played_on_the_board_that_was_found(tmp_path: Path) -> None:
    """From the box: a board is plugged in, ``jadoube run`` is said, pieces are moved; the score is in this folder."""

    def until(what: str, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert daemon.poll() is None, said.read_text()
            assert time.monotonic() < end, f"{what} never came: {said.read_text()}"
            time.sleep(0.05)

    said, port, here = tmp_path / "said", tmp_path / "port", tmp_path / "here"
    here.mkdir()
    with DgtEmulator(port) as board, said.open("w") as stderr:
        daemon = subprocess.Popen(
            [sys.executable, "-c", RUN, str(port)], cwd=here, env={"PYTHONPATH": str(ROOT)}, stderr=stderr
        )
        try:
            until("the game", lambda: "begins" in said.read_text())
            board.lift(chess.E2)
            board.place(chess.E4, "P")
            until("the move", lambda: any("1. e4" in one.read_text() for one in here.glob("games/*.pgn")))
            daemon.send_signal(signal.SIGTERM)
            assert daemon.wait(PATIENCE_S) == 0, said.read_text()
        finally:
            daemon.kill()
            daemon.wait()
    assert f"the only board that answers is served: {port}: dgt (version 1.8)" in said.read_text()
    assert (here / "jadoube.sqlite").exists()
