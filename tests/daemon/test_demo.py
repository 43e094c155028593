"""``make run``, as a machine without a screen sees it."""

import contextlib
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import chess.pgn
import pytest
from test_bpgn import Read

from controller.bughouse import KINDS, BughouseBoard
from controller.cli.demo.game import drawn
from controller.cli.demo.match import CLOCK_S, COARSE, PLIES
from controller.console.codes import Codes
from controller.console.settings import PORT
from controller.outlets.bpgn import RESULTS
from hardware.simulator.matches import play_match

ROOT = Path(__file__).resolve().parents[2]
JADOUBE = [sys.executable, "-m", "controller.cli.main"]
SPEED = "4.5"  #: of the longer games: a busy machine scans them often enough still


def demo(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*JADOUBE, "demo", *options], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )


def test_the_opera_game_is_played_to_mate_with_one_breach(tmp_path: Path) -> None:
    run = demo(tmp_path, "--speed", SPEED)
    assert run.returncode == 0, run.stderr
    lines = [line.partition(" s  ")[2] for line in run.stdout.splitlines()]
    assert "White plays 17. Rd8#" in lines
    assert any(line.startswith("The game is over: White wins by checkmate") for line in lines)
    (alert,) = [line for line in lines if line.startswith("!")]
    assert alert.startswith("! Black played ")
    assert "called for another move (Article 4.3" in alert
    assert "subscribe: mosquitto_sub -p " in run.stdout
    assert re.search(
        r"arbiter: http://127\.0\.0\.1:\d+/arbiter   pairing code: \w{4}-\w{4} \(once used, another\)\n", run.stdout
    )
    (path,) = (tmp_path / "build/demo/games").glob("*.pgn")
    assert str(path.relative_to(tmp_path)) in run.stdout
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert game.end().board().is_checkmate()
    assert game.headers["White"] == "Paul Morphy"
    assert all("%clk" in node.comment for node in game.mainline())


def test_another_game_ends_as_its_score_says(tmp_path: Path) -> None:
    path = tmp_path / "short.pgn"
    path.write_text('[White "A"]\n[Result "0-1"]\n\n1. d4 Nf6 0-1\n')
    run = demo(tmp_path, "--game", str(path), "--speed", "10", "--seed", "7")
    assert run.returncode == 0, run.stderr
    assert "1… Nf6" in run.stdout
    assert "Black wins by resignation" in run.stdout


def test_a_port_that_another_program_takes_just_then_hides_no_game(tmp_path: Path) -> None:
    """It does not answer there yet, so nobody knows before the pages want it."""
    (tmp_path / "short.pgn").write_text('[White "A"]\n[Result "0-1"]\n\n1. d4 Nf6 0-1\n')
    end = time.monotonic() + 60
    with socket.socket() as other:
        while not bound(other):  # other tests have it at times
            assert time.monotonic() < end
            time.sleep(0.2)
        run = demo(tmp_path, "--game", "short.pgn", "--speed", "10")
    assert f"no pages: 127.0.0.1:{PORT} cannot be listened to" in run.stdout
    assert "Black wins by resignation" in run.stdout


def bound(other: socket.socket) -> bool:
    with contextlib.suppress(OSError):
        other.bind(("127.0.0.1", PORT))
        return True
    return False


def test_once_the_pairing_code_was_used_there_is_another(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([*JADOUBE, "demo"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        codes = (found[1] for line in run.stdout if (found := re.search(r"pairing code: (\S+)", line)))
        try:
            first = next(codes)
            (kept,) = (tmp_path / "build/demo").glob("*-arbiters")
            assert Codes(kept).redeem(first)
            second = next(codes)
            assert second != first
            assert Codes(kept).granted(second)
        finally:
            run.kill()


def test_at_a_terminal_the_pages_stay_until_somebody_stops_it(tmp_path: Path) -> None:
    (tmp_path / "short.pgn").write_text('[White "A"]\n[Result "0-1"]\n\n1. d4 Nf6 0-1\n')
    ours, its = pty.openpty()
    options = ["--game", "short.pgn", "--speed", "10", "--seed", "7"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    shown, result = b"", b"Black wins by resignation"
    with subprocess.Popen([*JADOUBE, "demo", *options], cwd=tmp_path, env=environment, stdout=its, stderr=its) as run:
        os.close(its)
        try:
            while result not in shown:
                shown += os.read(ours, 4096)
            with pytest.raises(subprocess.TimeoutExpired):
                run.wait(3)
            run.send_signal(signal.SIGINT)
            with contextlib.suppress(OSError):  # once nobody writes any more
                while chunk := os.read(ours, 4096):
                    shown += chunk
            assert run.wait(30) == 0
        finally:
            run.kill()
    os.close(ours)
    assert b"the pages stay until Ctrl-C" in shown


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--game", "none.pgn"], "none.pgn: No such file"),
        (["--game", "empty.pgn"], "no game with moves"),
        (["--game", "wrong.pgn"], "illegal san"),
        (["--game", "bughose"], "--game bughouse, a match of four"),
        (["--speed", "1000"], "from 0.1 to 50"),
        (["--speed", "fast"], "expected a number from 0.1 to 50, not 'fast'"),
        (["--seed", "x"], "expected a whole number, not 'x'\n  Next: jadoube demo --help"),
    ],
)
def test_what_cannot_be_played_is_said(tmp_path: Path, options: list[str], says: str) -> None:
    (tmp_path / "empty.pgn").write_text('[White "A"]\n\n*\n')
    (tmp_path / "wrong.pgn").write_text("1. e4 e4 *\n")
    run = demo(tmp_path, *options)
    assert run.returncode == 2
    assert says in run.stderr
    assert "Traceback" not in run.stderr


def test_of_a_game_that_cannot_be_played_nothing_is_told_but_what_helps(tmp_path: Path) -> None:
    """Neither what the library would print, nor what is in a checkout alone."""
    (tmp_path / "wrong.pgn").write_text("1. e4 e5 2. Ke3 *\n")
    run = demo(tmp_path, "--game", "wrong.pgn")
    assert run.stderr.startswith("jadoube: wrong.pgn: illegal san: 'Ke3' in ")
    assert len(run.stderr.splitlines()) == 3, "what, the likely cause, the next command"
    assert "Next: jadoube demo " in run.stderr
    assert not {"make", "tests/games/"} & {*run.stderr.split()}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "build").touch()
    run = demo(tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("jadoube: build/demo cannot be written to: ")


def test_a_terminal_that_has_not_got_a_letter_shows_another() -> None:
    config = ROOT / "config" / "simulated.toml"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "latin-1"}
    run = subprocess.run(
        [*JADOUBE, "board", "--once", "--config", config], env=environment, capture_output=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(b"o   ") == 32 - 4, "four pieces stand last in their lines"
    assert b"?" not in run.stdout


def test_a_game_of_chess960_is_played_to_its_end_with_one_breach(tmp_path: Path) -> None:
    run = demo(tmp_path, "--game", "chess960", "--speed", SPEED)
    assert run.returncode == 0, run.stderr
    lines = [line.partition(" s  ")[2] for line in run.stdout.splitlines()]
    (alert,) = [line for line in lines if line.startswith("!")]
    assert "called for another move" in alert
    (path,) = (tmp_path / "build/demo/games").glob("*.pgn")
    with path.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert game.board().chess960
    wanted = list(drawn(1).mainline_moves())
    assert list(game.mainline_moves()) == wanted, "what the hands played, and nothing else"
    assert lines.count("The game is over: a draw by agreement (Article 5.2.3)") == 1
    assert any("O-O" in line for line in lines)


SAID = {"team-1": "Team 1 wins the match", "team-2": "Team 2 wins the match", "draw": "The match is drawn"}


def test_a_match_is_played_to_its_end_with_one_breach(tmp_path: Path) -> None:
    run = demo(tmp_path, "--game", "bughouse", "--speed", SPEED)
    assert run.returncode == 0, run.stderr
    lines = [line.partition(" s  ")[2] for line in run.stdout.splitlines()]
    (alert,) = [line for line in lines if "! " in line]
    assert "although a touched piece called for another move" in alert
    played = play_match(1, CLOCK_S, COARSE, PLIES)
    assert any(line.startswith(SAID[played.result]) for line in lines)
    assert "-t 'jadoube/v1/demo/match/1/#'" in run.stdout
    (path,) = (tmp_path / "build/demo/games").glob("*.bpgn")
    assert str(path.relative_to(tmp_path)) in run.stdout
    read = Read(path.read_text())
    assert read.result == RESULTS[played.result]
    for name, board_id in played.games.items():
        moved = [move.partition(":")[2] for move in read.moves if move[0].upper() == name]
        assert moved == sans(board_id.moves), "what the hands played, and nothing else"
    assert read.left.keys() == set("AaBb")


def sans(moves: list[chess.Move]) -> list[str]:
    """The names of the moves, whatever is in stock."""
    board = BughouseBoard()
    names = []
    for move in moves:
        for pocket in board.pockets:
            pocket.reset()
            for kind in KINDS:
                pocket.add(kind)
        name = board.san_and_push(move)
        names.append(f"P{name}" if name.startswith("@") else name)
    return names
