"""``jadoube setup``: what it writes is a configuration that the daemon accepts, of a board that has answered."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import Jadoube, Session

from controller.cli.hardware import setup as asking
from controller.cli.hardware.fill import fill
from controller.cli.hardware.kinds import KINDS, example, examples
from controller.cli.hardware.spoken import understood
from controller.config import Config, load
from controller.errors import LogError
from controller.laws.timecontrol import Period, parse
from hardware.boards.certabo import SentioConfig
from hardware.boards.dgt_bus import DgtBusConfig
from hardware.boards.hall import HallSensorsConfig
from hardware.boards.matrix import MatrixConfig
from hardware.clocks import LeverConfig
from hardware.simulator.certabo import SentioEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.dgt_bus import DgtLineEmulator

NOBODY = ["--white", "", "--black", ""]


def test_every_kind_of_board_is_in_words_and_has_an_example() -> None:
    for kind in KINDS:
        config = load(examples() / f"{kind}.toml")
        assert isinstance(config, Config)
        assert config.board.__struct_config__.tag == kind


def test_boards_tells_of_each_kind_within_80_columns(jadoube: Jadoube) -> None:
    told = jadoube("boards")
    assert told.status == 0
    for kind, about in KINDS.items():
        assert f"{kind:<12} {about.what}" in told.out
    assert max(len(line) for line in told.out.splitlines() if "/" not in line) <= 80


def test_a_simulated_board_without_a_question(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("setup", "--board", "simulated", "--yes", "--venue", "hall", "--clock", "180+2", "--white", "Ann")
    assert told.status == 0, told.err
    assert "It answers: 32 pieces, they stand as at the start." in told.out
    assert "Next: jadoube doctor --config jadoube.toml" in told.out
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert (config.event.venue, config.event.clock, config.game.white) == ("hall", "180+2", "Ann")
    assert config.mqtt is None
    assert config.console is None


def test_what_is_written_says_how_it_is_started(jadoube: Jadoube, tmp_path: Path) -> None:
    assert jadoube("setup", "--board", "matrix", "--yes", "--untested", "--out", "hall-3.toml").status == 0
    assert "run --config hall-3.toml\n" in (tmp_path / "hall-3.toml").read_text()


@pytest.mark.parametrize(
    ("board", "said"),
    [("matrix", ["--lever", "26"]), ("matrix", ["--address", "5"]), ("simulated", ["--port", "/dev/ttyACM7"])],
    ids=["a lever without a clock", "an address of a board that has none", "a port of one that has none"],
)
def test_what_would_stand_nowhere_is_refused(jadoube: Jadoube, tmp_path: Path, board: str, said: list[str]) -> None:
    told = jadoube("setup", "--board", board, "--yes", "--untested", *said)
    assert told.status == 2
    assert "would stand nowhere" in told.err
    assert not (tmp_path / "jadoube.toml").exists()


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


@pytest.mark.parametrize("given", [[], ["--board", "dgt-bus"], ["--board", "dgt-bus", "--address", "1031"]])
def test_the_boards_of_a_line_are_found_and_one_of_them_is_set_up(
    jadoube: Jadoube, tmp_path: Path, given: list[str]
) -> None:
    with DgtLineEmulator(tmp_path / "port", [1044, 1025, 1031]):
        told = jadoube("setup", "--port", tmp_path / "port", "--yes", *given)
        assert told.status == 0, told
    assert ("1025 (version 1.8), 1031 (version 1.8), 1044" in told.out) == ("--address" not in given)
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    address = 1031 if "--address" in given else 1025
    assert config.board == DgtBusConfig(port=str(tmp_path / "port"), address=address)


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
        at_work.hear("Who plays White? As in a pairing list: Polgar, Judit (empty: said later): ")
        at_work.answer("Ann")
        at_work.hear("(empty: said later): ")
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
    assert (config.game.white, config.game.black) == ("Ann", None)
    assert config.mqtt is not None
    assert config.mqtt.host == "hall.local"
    assert config.console is not None
    assert config.console.host == "0.0.0.0"


def test_an_answer_that_will_not_do_is_asked_for_again_and_none_is_lost(
    session: Callable[..., Session], tmp_path: Path
) -> None:
    at_work = session("setup", "--untested")
    at_work.hear("Which kind of board is it?: ")
    at_work.answer("matrx")
    at_work.hear("did you mean matrix?")
    at_work.answer("")
    at_work.hear("Something has to be said here.")
    at_work.answer("matrix")
    for wrong, says, right in [
        ("my club", "a name without spaces", "castle"),
        ("1+", "a name without spaces", "7"),
        ("fast", "it cannot be read as a time control", "90+30"),
        (None, "", "Ann"),
        (None, "", ""),
        (None, "", "hall.local"),
        (None, "", "127.0.0.1"),
        ("17, four", "are no pins", "17, 4, 27, 22, 5, 6, 13, 19"),
        (None, "", ""),
        ("GPIO26", "is no pin", ""),
    ]:
        at_work.hear("]: ", "): ", "number: ")
        if wrong is not None:
            at_work.answer(wrong)
            at_work.hear(says)
            at_work.hear("]: ", "): ", "number: ")
        at_work.answer(right)
    assert at_work.end() == 0, at_work.said
    assert "Understood: 90 min and 30 s a move. Written in seconds: 5400+30." in at_work.said
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert (config.event.venue, config.event.board, config.event.clock) == ("castle", "7", "5400+30")
    assert config.game.white == "Ann"
    assert isinstance(config.board, MatrixConfig)
    assert config.board.rows[:2] == (17, 4)


def test_what_was_said_is_proposed_again_after_ctrl_c(session: Callable[..., Session], tmp_path: Path) -> None:
    first = session("setup", "--board", "simulated")
    for said in ("castle", "7", "3+2"):
        first.hear("]: ", "): ")
        first.answer(said)
    first.hear("said later): ")
    first.answer("Ann")
    first.hear("said later): ")
    first.interrupt()
    assert not (tmp_path / "jadoube.toml").exists()
    second = session("setup", "--board", "simulated")
    none = "; - for none]: "
    for proposed in ("[castle]: ", "[7]: ", f"[3+2{none}", f"[Ann{none}", "later): ", "machine): ", "none): "):
        second.hear(proposed)
        second.answer()
    assert second.end() == 0, second.said
    config = load(tmp_path / "jadoube.toml")
    assert (config.event.venue, config.event.clock, config.event.play) == ("castle", "180+2", "blitz")
    assert [path.name for path in tmp_path.iterdir()] == ["jadoube.toml"]


def test_nothing_can_be_said_where_something_is_proposed(session: Callable[..., Session], tmp_path: Path) -> None:
    told = ["--venue", "hall", "--number", "1", "--broker", "", "--pages", ""]
    first = session("setup", "--board", "simulated", *told)
    for said in ("3+2", "Ann"):
        first.hear("]: ", "): ")
        first.answer(said)
    first.hear("said later): ")
    first.interrupt()
    at_work = session("setup", "--board", "simulated", *told)
    for said in ("-", "-", ""):
        at_work.hear("]: ", "): ")
        at_work.answer(said)
    assert at_work.end() == 0, at_work.said
    config = load(tmp_path / "jadoube.toml")
    assert isinstance(config, Config)
    assert (config.event.clock, config.game.white) == (None, None)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("90+30", "5400+30"),
        ("5400+30", "5400+30"),
        ("3+2", "180+2"),
        ("180+2", "180+2"),
        ("5+0", "300"),
        ("40/90+30:30+30", "40/5400+30:1800+30"),
        ("40/5400+30:1800+30", "40/5400+30:1800+30"),
        ("40/120, 20/60, SD/30; +30", "40/7200+30:20/3600+30:1800+30"),
        ("G/90", "5400"),
        ("g/90;d5", "5400d5"),
        ("90 minutes", "5400"),
        ("90 min + 30 s a move", "5400+30"),
        ("90'+30''", "5400+30"),
        ("1h30+30", "5400+30"),
        ("90s+30", "90+30"),
        ("15|10", "900+10"),
        ("3d2", "180d2"),
        ("180b3", "180b3"),
        ("0+1", "0+1"),
        ("*60", "*60"),
    ],
)
def test_a_time_control_is_understood_as_people_mean_it(said: str, meant: str) -> None:
    assert str(understood(said)) == meant


@pytest.mark.parametrize("said", ["fast", "90:30", "40/90:1800", "0", "+30", "0/90:30", "90++30", "1e3", "90+30+5"])
def test_what_could_mean_this_or_that_is_not_guessed(said: str) -> None:
    with pytest.raises(LogError):
        understood(said)


@given(st.builds(Period, seconds=st.integers(151, 9_999_999), increment=st.integers(0, 99_999)))
def test_what_is_written_in_seconds_stays_what_it_is(period: Period) -> None:
    assert understood(str(period)) == parse(str(period))


@given(st.text(alphabet="0123456789+:/dbhms'gG;, *", max_size=20))
def test_whatever_is_said_is_a_time_control_or_refused(said: str) -> None:
    try:
        control = understood(said)
    except LogError:
        return
    assert parse(str(control)) == control


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
    assert isinstance(config.board, HallSensorsConfig)
    assert config.board.calibration == "/var/lib/jadoube/board-7/hall-calibration.json"
    assert config.journal.path == "/var/lib/jadoube/board-7/jadoube.sqlite"


def test_the_pins_of_a_home_made_board_are_asked_for(session: Callable[..., Session], tmp_path: Path) -> None:
    options = ["--venue", "hall", "--number", "1", "--clock", "", "--broker", "", "--pages", "", *NOBODY]
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
    options = ["--port", "none", "--untested", "--venue", "hall", "--number", "1", *NOBODY]
    at_work = session("setup", "--board", "line", *options)
    at_work.hear("(empty: no clock): ")
    at_work.answer("180+2")
    at_work.hear("for this machine): ")
    at_work.answer()
    at_work.hear("(empty: none): ")
    at_work.answer()
    at_work.hear("(empty: the board sends its presses): ")
    at_work.answer("21")
    assert at_work.end() == 0, at_work.said
    (place,) = load(tmp_path / "jadoube.toml").places.values()
    assert place.clock == LeverConfig(pin=21)
    (play,) = [line for line in (tmp_path / "jadoube.toml").read_text().splitlines() if line.startswith("play")]
    assert play.startswith('play = "blitz" ')
    assert play.endswith('# "standard", "rapid" or "blitz"'), "what else may stand there is said still"


@pytest.mark.parametrize("lever", ["", "26"])
def test_the_lever_may_be_given_beforehand(jadoube: Jadoube, tmp_path: Path, lever: str) -> None:
    told = jadoube("setup", "--board", "matrix", "--yes", "--untested", "--clock", "180+2", "--lever", lever)
    assert told.status == 0, told
    (place,) = load(tmp_path / "jadoube.toml").places.values()
    assert place.clock == (LeverConfig(pin=26) if lever else None)


@pytest.mark.parametrize(("lever", "says"), [("GPIO26", "is no pin"), ("4", "pin 4 is used twice")])
def test_a_lever_on_no_pin_or_on_one_of_the_board_is_refused(
    jadoube: Jadoube, tmp_path: Path, lever: str, says: str
) -> None:
    told = jadoube("setup", "--board", "matrix", "--yes", "--untested", "--clock", "180+2", "--lever", lever)
    assert (told.status, says in told.err) == (2, True), told
    assert not (tmp_path / "jadoube.toml").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_answers_come_into_force_and_all_else_stays(kind: str) -> None:
    text = example(kind)
    answers = {"event.venue": 'a "place"', "event.laws": "fide-2018", "mqtt.host": "hall", "mqtt.port": 1884}
    filled = fill(text, answers)
    tables = tomllib.loads(filled)
    assert tables["event"]["venue"] == 'a "place"'
    assert tables["event"]["laws"] == "fide-2018"
    assert tables["mqtt"]["host"] == "hall"
    assert len(filled.splitlines()) == len(text.splitlines())
    changed = [line for line, before in zip(filled.splitlines(), text.splitlines(), strict=True) if line != before]
    assert len(changed) == len(answers) + 1  # and the table [mqtt]
    with pytest.raises(KeyError, match=r"board\.wheels"):
        fill(text, {"board.wheels": 4})
