"""``jadoube hall init``: a hall written once, that grows, and is nobody's but the organiser's."""

import asyncio
import base64
import shutil
import stat
import subprocess
import tomllib
import zlib
from pathlib import Path

import pytest
from hall import free_port, running, until
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import Jadoube, Session

from controller import credentials
from controller.cli.hall.boards import has_own_broker
from controller.cli.hall.places import board_at, place_of
from controller.cli.hall.tables import Instructions, line, read
from controller.cli.hardware.kinds import configurations
from controller.config import Config, HallConfig, load
from controller.errors import ConfigError
from controller.numbering import numbers, ranges
from hardware.boards.dgt import DgtConfig
from hardware.boards.dgt_bus import DgtBusConfig
from hardware.boards.simulated import SimulatedConfig

OPEN = ("--event", "Open de Lyon", "--venue", "lyon", "--clock", "90+30", "--delay", "15", "--yes")


def hall_in(folder: Path) -> HallConfig:
    config = load(folder / "hall.toml")
    assert isinstance(config, HallConfig)
    return config


def all_files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def ports(tmp_path: Path) -> Path:
    """Twelve of them, of which nothing is read."""
    folder = tmp_path / "by-id"
    folder.mkdir()
    for number in range(1, 13):
        (folder / f"usb-{number}").touch()
    return folder


@given(st.sets(st.integers(1, 400)).map(lambda found: [str(number) for number in sorted(found)]).filter(bool))
def test_numbers_are_told_as_they_are_said(found: list[str]) -> None:
    assert list(numbers(ranges(found))) == found


def test_the_steps_of_a_trial_lead_to_a_round_that_is_on(jadoube: Jadoube, tmp_path: Path) -> None:
    """Without a clock games begin by themselves: the round has to be in force before."""
    printed = jadoube("hall", "init", "try", "--simulate", "--boards", "1-3", "--yes").out
    steps = [line.partition(". ")[2].partition("   (")[0] for line in printed.partition("Next:\n")[2].splitlines()]
    assert not any("set up the pieces" in step for step in steps)
    round_, run, *_, check = steps
    told = jadoube(*round_.removeprefix("jadoube ").split(), "--yes")
    assert told.status == 0, told.err
    assert run == f"cd {tmp_path / 'try'} && jadoube run --config hall.toml"
    file = tmp_path / "try/hall.toml"
    file.write_text(
        file.read_text().replace("# port = 8064", f"port = {free_port()}")
    )  # other tests have a console, too

    async def scene() -> None:
        async with running(load(file)) as daemon:
            await until(lambda: all(station.session.playing for station in daemon.stations.values()))
            for _ in range(10):  # until all that was begun is told at the broker
                ready = await asyncio.to_thread(jadoube, *check.removeprefix("jadoube ").split())
                if ready.status == 0:
                    break
            assert (ready.status, "3 of 3 boards ready" in ready.out) == (0, True), ready

    asyncio.run(scene())
    again = jadoube("hall", "init", "try", "--simulate", "--boards", "1-3", "--yes")
    assert (again.status, "wrote" in again.out) == (0, False)


@pytest.mark.parametrize("place", ["/dev/ttyUSB0", "/dev/ttyUSB0#1025", "simulated"])
def test_a_place_is_told_as_it_is_said(place: str) -> None:
    assert place_of(board_at(place)) == place


def test_a_hall_of_simulated_boards_without_a_question(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-3,7", *OPEN)
    assert told.status == 0, told.err
    assert "4 new boards: 1-3,7" in told.out
    config = hall_in(tmp_path / "lyon")
    assert [place.number for place in config.boards] == ["1", "2", "3", "7"]
    assert {type(place.board) for place in config.boards} == {SimulatedConfig}
    assert (config.event.venue, config.event.clock, config.event.play) == ("lyon", "5400+30", "standard")
    assert (config.event.delay_min, config.game.event, config.mqtt) == (15, "Open de Lyon", None)
    assert config.event.pairings == str(tmp_path / "lyon/rounds/current.csv")
    assert (tmp_path / "lyon/rounds").is_dir()


def test_ports_are_dealt_out_in_their_order_and_the_rest_is_to_spare(
    jadoube: Jadoube, tmp_path: Path, ports: Path
) -> None:
    line = ["/dev/ttyUSB7#1025", "/dev/ttyUSB7#1031"]
    told = jadoube("hall", "init", "lyon", "--boards", "1-10", "--dgt-serial", f"{ports}/*", "--dgt-bus", *line, *OPEN)
    assert told.status == 0, told.err
    boards = [place.board for place in hall_in(tmp_path / "lyon").boards]
    assert [board.port for board in boards if isinstance(board, DgtConfig)] == [
        f"{ports}/usb-{n}" for n in range(1, 11)
    ]
    listed = (tmp_path / "lyon/boards.csv").read_text().splitlines()
    assert listed[0] == "Board;Place"
    assert listed[-4:] == [
        f"spare-1;{ports}/usb-11",
        f"spare-2;{ports}/usb-12",
        f"spare-3;{line[0]}",
        f"spare-4;{line[1]}",
    ]
    told = jadoube("hall", "init", "lyon", "--boards", "1-14", "--yes")
    assert told.status == 0, told.err
    assert isinstance(hall_in(tmp_path / "lyon").boards[-1].board, DgtBusConfig)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--boards", "1-13", "--dgt-serial", "{ports}/*"], "13 new boards, and only 12 free ports for them"),
        (["--boards", "1-2", "--dgt-serial", "{ports}/usb-1"], "2 new boards, and only 1 free port for them"),
        (["--dgt-serial", "{ports}/tty*"], "there is no port"),
        (["--dgt-bus", "/dev/ttyUSB0#x"], "is no board of a line"),
        (["--boards", "3-1", "--simulate"], "the last one stands first"),
        (["--tables", "dtg", "--broker", "broker.local"], "there is no board called 'dtg'"),
        (["--simulate", "--spectators", "all"], "one of none, hall, web"),
        (["--simulate", "--delay", "soon"], "'soon' is no delay"),
        (["--simulate", "--clock", "long"], "cannot be read as a time control"),
        (["--boards", "A1", "--simulate", "--spectators", "web"], "is no number, and its files are numbered"),
    ],
)
def test_what_will_not_do_is_said_and_nothing_is_written(
    jadoube: Jadoube, tmp_path: Path, ports: Path, arguments: list[str], said: str
) -> None:
    told = jadoube("hall", "init", "lyon", *(each.format(ports=ports) for each in arguments), "--yes")
    assert told.status == 2
    assert said in told.err
    assert "Next: " in told.err
    assert not (tmp_path / "lyon/hall.toml").exists()


@pytest.mark.parametrize("web", [False, True])
def test_a_second_time_nothing_changes(jadoube: Jadoube, tmp_path: Path, ports: Path, web: bool) -> None:
    places = ["--dgt-serial", f"{ports}/*", "--boards", "1-10", "--spectators", "web"] if web else ["--simulate"]
    jadoube("hall", "init", "lyon", *places, *OPEN)
    before = all_files(tmp_path / "lyon")
    for again in ([*places, *OPEN], ["--yes"]):
        told = jadoube("hall", "init", "lyon", *again)
        assert told.status == 0, told.err
        assert "nothing changes" in told.out
        assert all_files(tmp_path / "lyon") == before


def test_a_hall_that_has_grown_has_only_more(jadoube: Jadoube, tmp_path: Path, ports: Path) -> None:
    said = ["--dgt-serial", f"{ports}/*", "--broker", "broker.local"]
    jadoube("hall", "init", "lyon", *said, "--boards", "1-8", *OPEN)
    before, config = all_files(tmp_path / "lyon"), (tmp_path / "lyon/hall.toml").read_text()
    told = jadoube("hall", "init", "lyon", *said, "--boards", "1-10", *OPEN)
    assert told.status == 0, told.err
    assert "2 new boards: 9-10" in told.out
    assert "sudo systemctl reload jadoube-hall.service" in told.out
    after = all_files(tmp_path / "lyon")
    assert (tmp_path / "lyon/hall.toml").read_text().startswith(config)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {".init.json", "hall.toml", "boards.csv", "broker/acl"}
    added = set(after["broker/acl"][0].splitlines()) - set(before["broker/acl"][0].splitlines())
    assert added == {f"topic readwrite jadoube/v1/lyon/board/{number}/#".encode() for number in (9, 10)}
    assert [place.board for place in hall_in(tmp_path / "lyon").boards] == [
        DgtConfig(port=f"{ports}/usb-{number}") for number in range(1, 11)
    ]


def test_a_trial_that_has_grown_has_somebody_for_each_board_and_says_how_its_daemon_hears_of_them(
    jadoube: Jadoube, tmp_path: Path
) -> None:
    jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-2", *OPEN)
    told = jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-3", *OPEN)
    assert (tmp_path / "lyon/pairings.csv").read_text().splitlines()[-1] == "3;White 3;Black 3"
    assert "Ctrl-C, and jadoube run --config" in told.out
    (tmp_path / "lyon/pairings.csv").write_text("Board;White;Black\n1;Ana;Bo\n")
    jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-4", *OPEN)
    assert (tmp_path / "lyon/pairings.csv").read_text().splitlines()[-1] == "1;Ana;Bo", "somebody's own stay"


def test_a_file_that_somebody_has_edited_stays_and_what_it_would_become_is_said(
    jadoube: Jadoube, tmp_path: Path
) -> None:
    jadoube("hall", "init", "lyon", "--simulate", "--boards", "1-3", *OPEN)
    config = tmp_path / "lyon/hall.toml"
    config.write_text(config.read_text().replace('# laws = "fide-2023"', 'laws = "fide-2018"  # agreed'))
    before = all_files(tmp_path / "lyon")
    assert "nothing changes" in jadoube("hall", "init", "lyon", "--yes").out
    told = jadoube("hall", "init", "lyon", "--boards", "1-4", "--delay", "30", "--yes")
    assert told.status == 1
    assert "hall.toml was edited, and stays as it is" in told.out
    assert '+number = "4"' in told.out
    assert "+delay_min = 30" in told.out
    assert "fide-2018" not in "".join(line for line in told.out.splitlines() if line.strip().startswith(("+", "-")))
    assert all_files(tmp_path / "lyon") == before


BROKER = ("--simulate", "--boards", "1-2", "--broker", "broker.local")


def users(folder: Path) -> list[str]:
    """Who has rights at the broker."""
    return [line.removeprefix("user ") for line in (folder / "broker/acl").read_text().splitlines() if "user" in line]


def test_arbiters_and_readers_join_and_stay(jadoube: Jadoube, tmp_path: Path) -> None:
    folder = tmp_path / "lyon"
    told = jadoube("hall", "init", "lyon", *BROKER, "--arbiters", "anna", "bruno", "--readers", "screen", *OPEN)
    assert told.status == 0, told.err
    assert f"take {folder}/ca.crt to anna, bruno, screen, and to each his password alone" in told.out
    assert users(folder) == ["hall", "anna", "bruno", "screen"]
    passwords = [line.partition(":")[0] for line in (folder / "broker/passwords").read_text().splitlines()]
    assert passwords == users(folder)
    rights = (folder / "broker/acl").read_text()
    assert "topic write jadoube/v1/lyon/+/+/cmd/anna" in rights
    assert rights.count("/cmd/") == 2
    before = all_files(folder)
    assert "nothing changes" in jadoube("hall", "init", "lyon", "--yes").out
    assert all_files(folder) == before
    told = jadoube("hall", "init", "lyon", "--boards", "1-3", "--arbiters", "clara", "anna", "--yes")
    assert told.status == 0, told.err
    assert "broker/install.sh" in told.out
    assert users(folder) == ["hall", "anna", "bruno", "clara", "screen"]
    assert (folder / "broker/secrets/anna").read_bytes() == before["broker/secrets/anna"][0]
    assert jadoube("hall", "init", "lyon", "--venue", "paris", "--yes").status == 0
    assert users(folder) == ["hall", "anna", "bruno", "clara", "screen"], "who read the topics of the other venue"
    assert "/lyon/" not in (folder / "broker/acl").read_text()


@pytest.mark.parametrize("first", ["elsewhere/../lyon", "linked"])
def test_a_hall_is_the_same_by_whatever_name_its_folder_is_called(jadoube: Jadoube, tmp_path: Path, first: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "lyon").mkdir()
    (tmp_path / "linked").symlink_to("lyon")
    assert jadoube("hall", "init", first, *BROKER, *OPEN).status == 0
    assert f"WorkingDirectory={tmp_path}/lyon\n" in (tmp_path / "lyon/jadoube-hall.service").read_text()
    told = jadoube("hall", "init", "lyon", "--boards", "1-3", "--arbiters", "anna", "--yes")
    assert told.status == 0, told.err
    assert "board/3" in (tmp_path / "lyon/broker/acl").read_text()
    assert "anna" in users(tmp_path / "lyon")


def test_a_broker_that_somebody_else_configures_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``hall init`` writes the whole path; people copy the authority of another broker beside the configuration."""
    monkeypatch.chdir(tmp_path)
    assert has_own_broker({"mqtt": {"ca_file": f"{tmp_path}/ca.crt"}}, tmp_path)
    assert not has_own_broker({"mqtt": {"ca_file": "ca.crt"}}, tmp_path)
    assert not has_own_broker({"mqtt": {}}, tmp_path)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--broker", "", "--arbiters", "anna"], "nobody can be told who is called anna"),
        (["--broker", "a,b,c", "--arbiters", "anna"], "people cannot be added here"),
        (["--broker", "a", "--arbiters", "anna", "--readers", "anna"], "there are two users anna"),
        (["--broker", "a", "--arbiters", "hall"], "there are two users hall"),
        (["--broker", "a", "--readers", "two/words"], "Expected"),
    ],
)
def test_people_who_cannot_be_there(jadoube: Jadoube, tmp_path: Path, said: list[str], why: str) -> None:
    told = jadoube("hall", "init", "lyon", "--simulate", "--boards", "1", *said, *OPEN)
    assert (told.status, why in told.err) == (2, True), told
    assert not (tmp_path / "lyon/hall.toml").exists()


def test_a_board_that_has_left_the_hall_becomes_no_reader(jadoube: Jadoube, tmp_path: Path) -> None:
    jadoube("hall", "init", "lyon", "--tables", "--boards", "1-2", "--broker", "broker.local", *OPEN)
    config = tmp_path / "lyon/hall.toml"
    config.write_text(config.read_text().rpartition("[[boards]]")[0])
    jadoube("hall", "init", "lyon", "--arbiters", "anna", "--yes")
    assert users(tmp_path / "lyon") == ["board-1", "anna", "hall"]


def test_home_assistant_is_let_in_where_the_hall_tells_it(jadoube: Jadoube, tmp_path: Path) -> None:
    """Whoever adds the table calls the same command again, as for all that the broker is to know."""
    jadoube("hall", "init", "lyon", *BROKER, *OPEN)
    config = tmp_path / "lyon/hall.toml"
    config.write_text(config.read_text() + "\n[homeassistant]\n")
    assert jadoube("hall", "init", "lyon", "--arbiters", "anna", "--yes").status == 0
    assert users(tmp_path / "lyon") == ["hall", "anna", "homeassistant"]
    assert "write homeassistant/device/+/config" in (tmp_path / "lyon/broker/acl").read_text()
    assert jadoube("hall", "init", "lyon", "--yes").status == 0
    assert users(tmp_path / "lyon") == ["hall", "anna", "homeassistant"]


def test_the_users_of_a_broker_are_not_dropped_unasked(jadoube: Jadoube, tmp_path: Path) -> None:
    call = ("broker-config", "--out", "b", "--host", "vm", "--boards", "1-2")
    assert jadoube(*call, "--arbiters", "anna", "--readers", "screen").status == 0
    before = all_files(tmp_path / "b")
    told = jadoube(*call, "--arbiters", "bruno")
    assert (told.status, "get in no more: anna, screen" in told.err) == (2, True), told
    assert all_files(tmp_path / "b") == before
    assert jadoube(*call, "--arbiters", "bruno", "--drop-users").status == 0
    assert jadoube(*call, "--arbiters", "bruno", "--homeassistant").status == 0


def test_the_broker_of_a_hall_is_hall_inits(jadoube: Jadoube, tmp_path: Path) -> None:
    jadoube("hall", "init", "lyon", *BROKER, *OPEN)
    before = all_files(tmp_path / "lyon")
    call = ("broker-config", "--out", "lyon/broker", "--host", "broker.local", "--venue", "lyon", "--boards", "1-2")
    told = jadoube(*call, "--arbiters", "anna", "--organiser", "hall")
    assert (told.status, f"jadoube hall init {tmp_path}/lyon --arbiters" in told.err) == (2, True), told
    assert all_files(tmp_path / "lyon") == before
    assert jadoube(*call, "--drop-users").status == 0
    told = jadoube("hall", "init", "lyon", "--yes")
    assert f"To have it written anew: rm {tmp_path}/lyon/broker/acl" in told.out
    for name in ("acl", "passwords", "mosquitto.conf"):
        (tmp_path / "lyon/broker" / name).unlink()
    assert jadoube("hall", "init", "lyon", "--yes").status == 0
    assert users(tmp_path / "lyon") == ["hall"]


def test_secrets_are_their_owners_alone_and_each_its_own(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("hall", "init", "lyon", "--simulate", "--broker", "broker.local", *OPEN)
    assert "install.sh   (on broker.local, with a copy of" in told.out
    folder = tmp_path / "lyon"
    secret = {"mqtt-password", "broker/passwords", "broker/secrets/hall", "broker/tls/server.key", "broker/tls/ca.key"}
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in secret} == {0o600}
    password = (folder / "mqtt-password").read_text().strip()
    holders = {name for name, (content, _) in all_files(folder).items() if password.encode() in content}
    assert holders == {"mqtt-password", "broker/secrets/hall"}
    mqtt = hall_in(folder).mqtt
    assert mqtt is not None
    assert (mqtt.host, mqtt.user, mqtt.password_file) == ("broker.local", "hall", str(folder / "mqtt-password"))
    assert (
        "install.sh   (on broker.local, with a copy of"
        in jadoube("hall", "init", "other", "--simulate", "--broker", "broker.local", *OPEN).out
    )


def test_boards_with_computers_of_their_own_are_carried_to_them(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("hall", "init", "lyon", "--tables", "--boards", "1-2", "--broker", "broker.local", *OPEN)
    assert told.status == 0, told.err
    tables = tmp_path / "lyon/tables"
    assert "jadoube hall join FILE" in told.out
    assert {path.name for path in tables.iterdir()} == {f"board-{n}{end}" for n in (1, 2) for end in ("", ".svg")}
    assert {stat.S_IMODE(path.stat().st_mode) for path in tables.iterdir()} == {0o600}
    assert "nothing changes" in jadoube("hall", "init", "lyon", "--yes").out
    for said in (tables / "board-2", (tables / "board-2").read_text().strip()):
        assert jadoube("hall", "join", said, "--to", "pi").status == 0
    config = load(tmp_path / "pi/jadoube.toml")
    assert isinstance(config, Config)
    assert isinstance(config.board, DgtConfig)
    assert (config.event.board, config.event.venue, config.event.clock) == ("2", "lyon", "5400+30")
    assert config.mqtt is not None
    assert (config.mqtt.host, config.mqtt.user, config.mqtt.tls) == ("broker.local", "board-2", True)
    secret = (tmp_path / "lyon/broker/secrets/board-2").read_text()
    assert credentials.read(str(config.mqtt.password_file), "the password") == secret.strip()
    assert secret != (tmp_path / "lyon/broker/secrets/board-1").read_text()
    assert (tmp_path / "pi/ca.crt").read_text() == (tmp_path / "lyon/broker/tls/ca.crt").read_text()
    told = jadoube("hall", "join", tables / "board-1", "--to", "pi")
    assert (told.status, load(tmp_path / "pi/jadoube.toml").named.keys()) == (0, {""}), (
        "it is another board from now on"
    )
    (tmp_path / "pi/jadoube.toml").write_text("mine")
    assert jadoube("hall", "join", tables / "board-2", "--to", "pi").status == 1
    assert (tmp_path / "pi/jadoube.toml").read_text() == "mine"


def test_tables_need_a_broker(jadoube: Jadoube) -> None:
    told = jadoube("hall", "init", "lyon", "--tables", "--broker", "", *OPEN)
    assert told.status == 2
    assert "boards at other computers need a broker" in told.err


TOLD = st.builds(
    Instructions,
    kind=st.sampled_from(sorted(configurations())),
    answers=st.dictionaries(st.text(), st.text() | st.booleans() | st.integers(-(2**53), 2**53)),
    password=st.text(),
    authority=st.text(max_size=900),
)


@settings(deadline=None)
@given(TOLD)
def test_a_line_says_what_was_put_into_it(told: Instructions) -> None:
    assert read(line(told)) == told
    assert line(told).isascii()
    assert not any(letter.isspace() for letter in line(told))


def test_a_file_that_is_not_there_is_no_line_either_and_that_is_said(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("hall", "join", "board-1", "--to", tmp_path)
    assert told.status == 2
    assert "board-1: there is no such file" in told.err


@settings(deadline=None)
@given(TOLD, st.data())
def test_a_line_with_something_missing_is_refused(told: Instructions, data: st.DataObject) -> None:
    whole = line(told)
    missing = data.draw(st.integers(1, len(whole)))
    with pytest.raises(ConfigError, match="this is no line"):
        read(whole[:-missing])


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(zlib.compress(raw)).decode()))
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="this is no line"):
        read(text)


def test_the_steps_before_the_first_move_are_at_most_ten(jadoube: Jadoube, ports: Path) -> None:
    told = jadoube("hall", "init", "lyon", "--dgt-serial", f"{ports}/*", "--boards", "1-12", *OPEN)
    steps = [line for line in told.out.partition("Next:")[2].splitlines() if line.strip()]
    assert 0 < len(steps) <= 8, "installing it, and this command, come before"
    assert "hall check" in steps[-1]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_understands_the_unit(jadoube: Jadoube, tmp_path: Path) -> None:
    jadoube("hall", "init", "lyon", "--simulate", *OPEN)
    unit = tmp_path / "lyon/jadoube-hall.service"
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert "jadoube-hall.service:" not in done.stderr, done.stderr


def test_the_shell_understands_what_installs_the_broker(jadoube: Jadoube, tmp_path: Path) -> None:
    jadoube("hall", "init", "lyon", "--simulate", "--broker", "broker.local", *OPEN)
    script = tmp_path / "lyon/broker/install.sh"
    assert subprocess.run(["sh", "-n", str(script)]).returncode == 0
    words = script.read_text().partition("set -e")[2].split()
    named = {word for word in words if not word.startswith("/") and (tmp_path / "lyon/broker" / word).is_file()}
    assert named == {
        "mosquitto.conf",
        "acl",
        "acl-public",
        "passwords",
        "tls/ca.crt",
        "tls/server.crt",
        "tls/server.key",
    }


def test_where_an_answer_is_missing_its_own_help_is_named(tmp_path: Path, jadoube: Jadoube) -> None:
    told = jadoube("hall", "init", tmp_path, "--boards", "1-2", "--yes")
    assert told.status == 2
    assert "Next: jadoube hall init --help lists the options" in told.err
    assert not list(tmp_path.iterdir())


def test_at_a_terminal_it_asks_little_and_again_what_will_not_do(tmp_path: Path) -> None:
    session = Session(tmp_path, "hall", "init", "lyon")
    for question, answer in (
        ("The numbers of the boards in the hall [1-8]: ", "1-2"),
        ("or simulated: ", "simulated"),
        ("What is the event called? (empty: said later): ", "Open"),
        ("part of the MQTT topics [club]: ", "lyon"),
        ("such as 90+30 or 3+2 (empty: no clock): ", "soon"),
        ("such as 90+30 or 3+2 (empty: no clock): ", "3+2"),
        ("for this computer alone): ", ""),
        ("broadcasts by URL as well [none]: ", ""),
        ("Or game-end [0]: ", ""),
    ):
        session.hear(question)
        session.answer(answer)
    assert session.end() == 0, session.said
    config = tomllib.loads((tmp_path / "lyon/hall.toml").read_text())
    assert config["event"]["play"] == "blitz"
    assert [board["number"] for board in config["boards"]] == ["1", "2"]
    assert not (tmp_path / "lyon/hall.toml.answers").exists()
