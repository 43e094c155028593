"""``jadoube setup``: what it writes is a configuration that the daemon accepts, of a board that has answered."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Jadoube, Session

from controller.cli.bench import setup as asking
from controller.cli.bench.fill import fill
from controller.cli.bench.kinds import KINDS, configurations, examples
from controller.config import Config, load
from hardware.boards.certabo import SentioConfig
from hardware.boards.hall import HallConfig
from hardware.boards.matrix import MatrixConfig
from hardware.clocks import LeverConfig
from hardware.simulator.certabo import SentioEmulator
from hardware.simulator.dgt import DgtEmulator


def test_every_kind_of_board_is_in_words_and_has_an_example() -> None:
    assert set(KINDS) == set(configurations())
    for kind in KINDS:
        config = load(examples() / f"{kind}.toml")
        assert isinstance(config, Config)
        assert config.board.__struct_config__.tag == kind


def test_boards_tells_of_each_kind_within_80_columns(jadoube: Jadoube) -> None:
    told = jadoube("boards")
    assert told.status == 0
    for kind, about in KINDS.items():
        assert f"{kind:<12} {about.about}" in told.out
    assert max(len(line) for line in told.out.splitlines() if "/" not in line) <= 80


def test_a_simulated_board_without_a_question(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("setup", "--board", "simulated", "--yes", "--venue", "hall", "--clock", "180+2", "--white", "Ann")
    assert told.status == 0, told.err
    assert "It answers: 32 men, they stand as at the start." in told.out
    assert "Next: jadoube doctor --config jadoube.toml" in told.out
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert (config.event.venue, config.event.clock, config.game.white) == ("hall", "180+2", "Ann")
    assert config.mqtt is None
    assert config.console is None


def test_nothing_is_overwritten_without_being_asked(jadoube: Jadoube, tmp_path: Path) -> None:
    (tmp_path / "jadoube.toml").write_text("mine")
    told = jadoube("setup", "--board", "simulated", "--yes")
    assert told.status == 2
    assert "is there already" in told.err
    assert (tmp_path / "jadoube.toml").read_text() == "mine"
    assert jadoube("setup", "--board", "simulated", "--yes", "--force").status == 0
    load(tmp_path / "jadoube.toml")


def test_where_nothing_can_be_written_that_is_said(jadoube: Jadoube, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = jadoube("setup", "--board", "simulated", "--yes", "--out", "file/board.toml")
    assert told.status == 2
    assert "file/board.toml cannot be written: " in told.err
    assert "Traceback" not in told.err


def test_a_board_that_does_not_answer_is_not_written_down(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("setup", "--board", "dgt", "--port", "/dev/none", "--yes")
    assert told.status == 2
    assert "the port /dev/none cannot be opened" in told.out
    assert "Nothing was written" in told.out
    assert not (tmp_path / "jadoube.toml").exists()
    assert jadoube("setup", "--board", "dgt", "--port", "/dev/none", "--yes", "--untested").status == 0
    assert 'port = "/dev/none"' in (tmp_path / "jadoube.toml").read_text()


def test_the_board_on_the_port_is_found_and_tested(jadoube: Jadoube, tmp_path: Path) -> None:
    with DgtEmulator(tmp_path / "port") as board:
        told = jadoube("setup", "--port", tmp_path / "port", "--yes")
        assert told.status == 0, told
        assert 0x4E not in board.received
    assert f"{tmp_path}/port: dgt (version 1.8)" in told.out
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert config.board.__struct_config__.tag == "dgt"


def test_somebody_at_the_terminal_answers(session: Callable[..., Session], tmp_path: Path) -> None:
    with SentioEmulator(tmp_path / "port"):
        at_work = session("setup", "--port", tmp_path / "port", "--out", "club/board.toml")
        at_work.hear("Which kind of board is it? [sentio]: ")
        at_work.answer()
        at_work.hear("[club]: ")
        at_work.answer("castle")
        at_work.hear("[1]: ")
        at_work.answer("7")
        at_work.hear("(empty: no clock): ")
        at_work.answer()
        at_work.hear("for this machine): ")
        at_work.answer("hall.local")
        at_work.hear("(empty: none): ")
        at_work.answer("0.0.0.0")
        assert at_work.end() == 0, at_work.said
    config = load(tmp_path / "club" / "board.toml")
    assert isinstance(config, Config)
    assert config.board == SentioConfig(port=str(tmp_path / "port"))
    assert (config.event.venue, config.event.board) == ("castle", "7")
    assert config.mqtt is not None
    assert config.mqtt.host == "hall.local"
    assert config.console is not None
    assert config.console.host == "0.0.0.0"


def test_an_answer_that_is_missing_is_named_with_its_option(session: Callable[..., Session]) -> None:
    at_work = session("setup", "--board", "simulated")
    at_work.hear("MQTT topics [club]: ")
    assert at_work.end() == 2  # standard input is at its end
    assert "no answer to: Where is this?" in at_work.said
    assert "--yes" in at_work.said


def test_a_configuration_of_the_service_keeps_its_games_in_the_services_folder(
    jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "SYSTEM", tmp_path / "etc")
    out = tmp_path / "etc" / "jadoube" / "jadoube.toml"
    told = jadoube("setup", "--board", "matrix", "--yes", "--untested", "--out", out)
    assert told.status == 0
    assert "systemctl enable --now jadoube" in told.out
    config = load(out)
    assert (config.journal.path, config.pgn.directory) == (
        "/var/lib/jadoube/jadoube.sqlite",
        "/var/lib/jadoube/games",
    )


def test_a_further_board_has_a_service_and_a_folder_of_its_own(
    jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "SYSTEM", tmp_path / "etc")
    out = tmp_path / "etc" / "jadoube" / "board-7.toml"
    told = jadoube("setup", "--board", "hall", "--yes", "--untested", "--out", out)
    assert told.status == 0
    assert f"jadoube calibrate --config {out}" in told.out
    assert "systemctl enable --now jadoube@board-7" in told.out
    config = load(out)
    assert isinstance(config, Config)
    assert isinstance(config.board, HallConfig)
    assert config.board.calibration == "/var/lib/jadoube/board-7/hall-calibration.json"
    assert config.journal.path == "/var/lib/jadoube/board-7/jadoube.sqlite"


def test_the_pins_of_a_home_made_board_are_asked_for(session: Callable[..., Session], tmp_path: Path) -> None:
    options = ["--venue", "hall", "--number", "1", "--clock", "", "--broker", "", "--pages", ""]
    at_work = session("setup", "--board", "matrix", "--untested", *options)
    at_work.hear("[4, 17, 27, 22, 5, 6, 13, 19]: ")
    at_work.answer("17, 4, 27, 22, 5, 6, 13, 19")
    at_work.hear("[18, 23, 24, 25, 12, 16, 20, 21]: ")
    at_work.answer()
    assert at_work.end() == 0, at_work.said
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert isinstance(config.board, MatrixConfig)
    assert config.board.rows[:3] == (17, 4, 27)
    assert config.board.columns[0] == 18


def test_where_a_clock_is_wanted_its_lever_is_asked_for(session: Callable[..., Session], tmp_path: Path) -> None:
    at_work = session("setup", "--board", "line", "--port", "none", "--untested", "--venue", "hall", "--number", "1")
    at_work.hear("(empty: no clock): ")
    at_work.answer("180+2")
    at_work.hear("for this machine): ")
    at_work.answer()
    at_work.hear("(empty: none): ")
    at_work.answer()
    at_work.hear("(empty: presses by MQTT): ")
    at_work.answer("21")
    assert at_work.end() == 0, at_work.said
    (place,) = load(tmp_path / "jadoube.toml").places.values()
    assert place.clock == LeverConfig(pin=21)


@pytest.mark.parametrize("lever", ["", "26"])
def test_the_lever_may_be_given_beforehand(jadoube: Jadoube, tmp_path: Path, lever: str) -> None:
    told = jadoube("setup", "--board", "matrix", "--yes", "--untested", "--clock", "180+2", "--lever", lever)
    assert told.status == 0, told
    (place,) = load(tmp_path / "jadoube.toml").places.values()
    assert place.clock == (LeverConfig(pin=26) if lever else None)


@pytest.mark.parametrize(("lever", "says"), [("GPIO26", "is no pin"), ("4", "pin 4 is used by the board already")])
def test_a_lever_on_no_pin_or_on_one_of_the_board_is_refused(
    jadoube: Jadoube, tmp_path: Path, lever: str, says: str
) -> None:
    told = jadoube("setup", "--board", "matrix", "--yes", "--untested", "--clock", "180+2", "--lever", lever)
    assert (told.status, says in told.err) == (2, True), told
    assert not (tmp_path / "jadoube.toml").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_answers_come_into_force_and_all_else_stays(kind: str) -> None:
    example = (examples() / f"{kind}.toml").read_text()
    answers = {"event.venue": 'a "place"', "event.laws": "fide-2018", "mqtt.host": "hall", "mqtt.port": 1884}
    if "port = 1883" not in example:
        del answers["mqtt.port"]
    filled = fill(example, answers)
    tables = tomllib.loads(filled)
    assert tables["event"]["venue"] == 'a "place"'
    assert tables["event"]["laws"] == "fide-2018"
    assert tables["mqtt"]["host"] == "hall"
    assert len(filled.splitlines()) == len(example.splitlines())
    changed = [line for line, before in zip(filled.splitlines(), example.splitlines(), strict=True) if line != before]
    assert len(changed) == len(answers) + 1  # and the table [mqtt]
    with pytest.raises(KeyError, match=r"board\.wheels"):
        fill(example, {"board.wheels": 4})
