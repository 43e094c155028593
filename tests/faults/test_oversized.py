"""What is larger than it can be in earnest is refused before it is read whole, and changes nothing."""

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz_codecs import CODECS

from controller import credentials
from controller.cli import decode
from controller.cli.demo import game as demo_game
from controller.cli.replay import judge, lines_of
from controller.config import check, load
from controller.contract import Session
from controller.daemon.commands import read_command
from controller.daemon.pairings import Pairings
from controller.errors import AccessError, ConfigError, JadoubeError, LogError
from controller.game import Game
from controller.game_details import GameConfig
from controller.match import game_of
from controller.outlets.mqtt import command
from controller.outlets.notices import Notices
from controller.wire import decode_session

MB = 2**20
LONG = "8/" * MB


@pytest.mark.parametrize(
    ("read", "most"),
    [(load, 1), (demo_game.read, 40), (lambda path: credentials.read(str(path), "an option"), 1)],
    ids=["a configuration", "a PGN", "a secret"],
)
def test_a_file_without_end_is_refused(read: Callable[[Path], object], most: int, tmp_path: Path) -> None:
    endless = tmp_path / "endless"
    endless.touch(0o600)
    with endless.open("wb") as file:
        file.truncate(1 << 40)
    tracemalloc.start()
    try:
        with pytest.raises(ConfigError, match="more than"):
            read(endless)
        assert tracemalloc.get_traced_memory()[1] < most * MB
    finally:
        tracemalloc.stop()


def test_a_recording_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(decode, "LARGEST", MB)
    (tmp_path / "long").write_bytes(bytes(2 * MB))
    assert decode.decode_file("dgt", tmp_path / "long") == 2
    assert "more than 1024 kB" in capsys.readouterr().err


def test_pairings_without_end_are_a_notice(tmp_path: Path) -> None:
    file, notices = tmp_path / "pairings.csv", Notices()
    file.write_bytes(b"Board;White;Black\n" + b";;\n" * MB)
    Pairings(file, None, notices, list).look()
    assert "more than 1024 kB" in notices.current[0].what


def test_a_key_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text("a." * 30_000 + "a = 1")
    tracemalloc.start()
    try:
        with pytest.raises(ConfigError, match="a line of more than 1000 characters"):
            load(tmp_path / "club.toml")
        assert tracemalloc.get_traced_memory()[1] < MB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", ["1. Nf3 Nf6 2. Ng1 Ng8 " * 400, "1. e4 " + "(" * 9000, "1. e4 {" + "x" * 9000])
def test_a_game_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(demo_game, "LONGEST", 4096)
    (tmp_path / "endless.pgn").write_text(text)
    with pytest.raises(ConfigError, match="a game of more than 4096 characters"):
        demo_game.read(tmp_path / "endless.pgn")


def test_of_many_games_the_first_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_game, "LONGEST", 4096)
    (tmp_path / "many.pgn").write_text("1. e4 e5 *\n\n" * 4000)
    assert [move.uci() for move in demo_game.read(tmp_path / "many.pgn").mainline_moves()] == ["e2e4", "e7e5"]


@pytest.mark.parametrize(
    "said",
    [
        lambda: game_of(decode_session(json.dumps({"type": "session", "version": 1, "fen": LONG}).encode())),
        lambda: check({"board": {"type": "simulated"}, "game": {"fen": LONG}}, "the test"),
        lambda: read_command({"type": "new-game", "fen": LONG}, 0, GameConfig()),
        lambda: list(judge(lines_of(io.BytesIO(bytes(MB))), "a log")),
    ],
    ids=["a FEN of a session", "a FEN of a configuration", "a FEN of a command", "a line of a log"],
)
def test_a_text_without_end_is_refused(said: Callable[[], object]) -> None:
    with pytest.raises(JadoubeError) as refused:
        said()
    assert len(str(refused.value)) < 1000, "nor is it said again"


def test_a_command_without_end_is_refused() -> None:
    with pytest.raises(JadoubeError, match=f"a command of {MB} bytes"):
        command.read(b"[" * MB)


@pytest.mark.parametrize("name", CODECS)
@pytest.mark.parametrize("byte", [0x00, 0x3A, 0x41, 0x86, 0x8D, 0xFF])
def test_a_cable_that_says_one_byte_for_ever_fills_no_memory(name: str, byte: int) -> None:
    codec = CODECS[name][0]()
    block = bytes((byte,)) * 1000
    for _ in codec.feed(block):
        pass
    tracemalloc.start()
    try:
        for _ in range(20):
            for _ in codec.feed(block):
                pass
        assert tracemalloc.get_traced_memory()[0] < 10_000
    finally:
        tracemalloc.stop()


def test_what_is_refused_changes_nothing() -> None:
    game = Game(Session(version=1))
    before = game.state.position.fen()
    for said in (b'{"type":"resign"', b'{"type":"resign","side":"green"}', b"[" * 20_000):
        with pytest.raises((LogError, AccessError)):
            game.handle(read_command(command.read(said), 0, GameConfig()))  # type: ignore[arg-type]
    assert (game.state.position.fen(), game.state.result) == (before, None)


def test_what_is_refused_cannot_write_into_a_log_or_to_a_terminal() -> None:
    said = {"type": "resign\n\x1b[2JINFO: game over", "side": "white"}
    with pytest.raises(LogError) as refused:
        read_command(said, 0, GameConfig())
    assert r"resign\n\x1b[2JINFO" in refused.value.what
    assert refused.value.what.isprintable()
