"""A configuration is read whole or refused with the file, the option, and what was expected."""

import re
import tomllib
from pathlib import Path

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.hardware.kinds import configurations, example
from controller.config import Config, DoubleConfig, HallConfig, check, load
from controller.errors import ConfigError
from controller.game_details import GameConfig

CONFIG = Path(__file__).resolve().parents[2] / "config"
EXAMPLES = sorted({*CONFIG.glob("*.toml")} - {CONFIG / "archive.toml", CONFIG / "reference.toml"})  # of boards
BOARD = {"type": "simulated"}
HALL = {"boards": [{"number": "1", "board": BOARD}, {"number": "2", "board": {"type": "dgt"}}]}
DOUBLE = {"A": {"number": "1", "board": BOARD}, "B": {"number": "2", "board": BOARD}}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_files_we_ship_are_read(path: Path) -> None:
    config = load(path)
    if path.stem == "bughouse":
        assert isinstance(config, DoubleConfig)
    elif path.stem == "tournament":
        assert isinstance(config, HallConfig)
    else:
        assert config.board.__struct_config__.tag == path.stem


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_their_commented_options_exist(path: Path, tmp_path: Path) -> None:
    """Taking the # away from an option, or from a whole table, leaves a configuration that is read."""
    everything = tmp_path / path.name
    text = bare(example(path.stem))
    if path.stem in ("shift", "hall"):  # which are on the bus that a strip has by default
        text = re.sub("bus = 0 +# of /dev/spidev0.0: its MOSI", "bus = 1  #", text)
    everything.write_text(text)
    config = load(everything)
    assert config.mqtt is not None
    assert config.webhook is not None
    assert config.event.clock == ("180" if path.stem == "bughouse" else "5400+30")


def bare(text: str) -> str:
    """The same with everything in force that is commented out, but for what ``start`` and ``fen`` say twice."""
    lines = []
    for line in text.splitlines():
        option = line.removeprefix("# ")
        says = option.startswith("[") or (option.split(" =")[0].isidentifier() and " = " in option)
        lines.append(option if says and not option.startswith("fen = ") else line)
    return "\n".join(lines)


def test_every_table_of_the_reference_is_read() -> None:
    """Also the second and third of those of which an example has one."""
    shared, boards, names = [], [], []
    for block in (CONFIG / "reference.toml").read_text().split("\n\n")[1:]:
        raw = tomllib.loads(bare(block))
        (name,) = raw
        names.append(name)
        if name == "board":
            boards.append(raw)
        elif name == "clock" and "type" not in raw["clock"]:
            shared.append({"clock": {"type": "none", **raw["clock"]}})
        else:
            shared.append(raw)
    broker = {"mqtt": {"host": "h"}, "clock": {"type": "none"}}
    for raw in boards:
        check(raw, "the reference")
    for raw in shared:
        check({"board": {"type": "dgt"}} | broker | raw, "the reference")
    assert {*names} == {*Config.__struct_fields__}
    assert [raw["board"]["type"] for raw in boards] == [*configurations()]


def test_the_examples_are_as_the_code_that_reads_them_says() -> None:
    written = {name: (CONFIG / name).read_text("utf-8") for name in reference.texts()}
    assert written == reference.texts(), "make examples"


def test_what_is_left_out_has_its_default() -> None:
    config = check({"board": BOARD}, "a test")
    session = config.session(config.game)
    assert (session.laws, session.senses, session.clock, session.fen) == ("fide-2023", "occupancy", None, "startpos")
    assert session.settings.release_ms == 400
    assert config.mqtt is None


def test_a_match_is_blitz_of_three_minutes_between_four_players() -> None:
    config = check(
        DOUBLE | {"game": {"A": {"white": "Ann"}, "B": {"black": "Dora", "fen": "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"}}},
        "a",
    )
    session = config.session(config.game)
    assert (session.match, session.play, session.clock, session.supervised) == ("bughouse", "blitz", "180", False)
    assert (session.fen.A, session.fen.B) == ("startpos", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")
    assert config.game.all_tags() == {"WhiteA": "Ann", "BlackB": "Dora"}
    assert config.numbers == "1+2"


def test_each_board_of_a_hall_is_as_if_it_were_alone() -> None:
    shared = {"event": {"venue": "hall", "clock": "300"}, "game": {"round": "3"}, "pgn": {"directory": "scores"}}
    config = check(HALL | shared, "a test")
    for table, board in zip(config.tables, HALL["boards"], strict=True):
        event = shared["event"] | {"board": board["number"]}
        assert table == check(shared | {"board": board["board"], "event": event}, "a test")
    assert [table.senses for table in config.tables] == ["occupancy", "identity"]
    assert [*config.named] == ["1", "2"]


def test_a_dgt_board_knows_its_pieces() -> None:
    config = check({"board": {"type": "dgt"}}, "a test")
    assert config.session(config.game).senses == "identity"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({"bord": {}}, ("nobody reads the option bord", "did you mean board?")),
        ({"board": BOARD | {"colums": []}}, ("board.colums", "did you mean columns?")),
        ({"board": BOARD | {"port": "/dev/ttyACM0"}}, ("board.port", "another table")),
        ({"board": BOARD, "event": {"venu": "x"}}, ("event.venu", "did you mean venue?")),
        ({"board": BOARD, "event": {"settings": {"relase_ms": 1}}}, ("event.settings.relase_ms", "release_ms")),
        ({"board": BOARD, "mqtt": {"host": "h", "pasword_file": "x"}}, ("mqtt.pasword_file", "password_file")),
        ({"board": BOARD, "event": {"laws": "fide-1999"}}, ("event.laws", "fide-1999")),
        ({"board": BOARD, "event": {"clock": "fast"}}, ("event: clock:", "fast")),
        ({"board": BOARD, "event": {"venue": "my club"}}, ("event.venue: this cannot stand", "a name without spaces")),
        ({"board": BOARD, "game": {"fen": "8/8"}}, ("game: fen:", "expected a FEN")),
        (
            {"board": BOARD, "game": {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}},
            ("game: fen: White has 0 kings and Black 0;", "expected a FEN with one each"),
        ),
        ({"board": BOARD, "game": {"tags": {"My Tag": "x"}}}, ("game: ", "My Tag")),
        ({"board": BOARD, "game": {"white": "A\nB"}}, ("game: ", "line break")),
        ({"board": BOARD, "mqtt": {"host": "h", "port": 0}}, ("mqtt.port", "at least 1")),
        ({"board": BOARD, "mqtt": {"host": "mqtt://h:1883"}}, ("mqtt: host: this is a URL", "port = 1883 apart")),
        ({"board": BOARD, "mqtt": {"host": "h:1883"}}, ("mqtt: host: there is a port in it",)),
        ({"board": BOARD | {"rows": [1, 2]}}, ("board.rows: 8 pins are wanted, 2 are there",)),
        ({"board": BOARD | {"columns": [1]}}, ("board.columns: 8 pins are wanted, 1 is there",)),
        ({"board": BOARD | {"rows": [*range(9)]}}, ("board.rows: 8 pins are wanted, 9 are there",)),
        ({**BOARD, "event": {}}, ("option type", "belongs to [board]", "write [board] above it")),
        ({"rows": [1, 2]}, ("option rows", "belongs to [board]")),
        ({"board": BOARD, "venue": "x"}, ("option venue", "belongs to [event]")),
        ({"board": BOARD, "host": "h", "tls": True}, ("option host", "belongs to [mqtt]")),
        ({"board": BOARD, "port": 1883}, ("option port", "the one that is meant above it", "[mqtt]", "[livechess]")),
        (DOUBLE | {"white": "Ann"}, ("nobody reads the option white",)),
        ({"board": {"type": "matix"}}, ("board", "matix")),
        ({"board": BOARD, "clock": {"type": "lever", "pni": 3}}, ("clock.pni", "did you mean pin?")),
        ({"board": {"type": "dgt-bus", "address": 0}}, ("board.address", "at least 1")),
        ({"board": {"type": "dgt-bus", "address": 16384}}, ("board.address", "at most 16383")),
        (
            {"board": BOARD, "clock": {"type": "lever", "pin": 18}},
            ("pin 18 is used twice: as columns (file a) in [board] and as pin in [clock]", "free are 7, 8"),
        ),
        ({"board": BOARD, "clock": {"type": "lever", "pin": 28}}, ("clock.pin", "at most 27", "BCM")),
        ({"board": BOARD | {"rows": [4, 17, 27, 22, 5, 6, 13, 40]}}, ("board.rows[7]", "at most 27", "BCM")),
        ({"event": {}}, ("board", "missing")),
        ({"A": DOUBLE["A"]}, ("missing", "`B`")),
        (DOUBLE | {"board": BOARD}, ("nobody reads the option board",)),
        (DOUBLE | {"B": {"nummer": "2", "board": BOARD}}, ("B.nummer", "did you mean number?")),
        (DOUBLE | {"B": {"number": "2", "board": BOARD | {"colums": []}}}, ("B.board.colums", "did you mean columns?")),
        (
            {board_id: board | {"clock": {"type": "lever", "pin": 26}} for board_id, board in DOUBLE.items()},
            ("pin 26 is used twice: as pin in [A.clock] and as pin in [B.clock]",),
        ),
        (DOUBLE | {"B": DOUBLE["A"]}, ("A and B", "both boards have the number 1")),
        (DOUBLE | {"B": {"number": "2", "board": {"type": "dgt"}}}, ("A and B", "occupancy", "identity")),
        (DOUBLE | {"B": {"number": "1+1", "board": BOARD}}, ("B.number",)),
        (DOUBLE | {"game": {"B": {"fen": "8/8"}}}, ("game: B.fen:", "expected a FEN")),
        (DOUBLE | {"game": {"B": {"fen": "4k3/8/8/8/8/8/8/8 w - - 0 1"}}}, ("game: B.fen: White has 0 kings",)),
        (DOUBLE | {"event": {"board": "1"}}, ("event.board", "another table")),
        (HALL | {"boards": []}, ("boards: there is none", "[[boards]]")),
        (HALL | {"boards": HALL["boards"] * 2}, ("boards: 2 boards have the number 1",)),
        (HALL | {"boards": [{"nummer": "1", "board": BOARD}]}, ("boards[0].nummer", "did you mean number?")),
        (HALL | {"boards": [{"board": BOARD}]}, ("boards[0]", "`number`", "it was left out")),
        (HALL | {"boards": [{"number": "a b", "board": BOARD}]}, ("boards[0].number: this cannot", "without spaces")),
        (HALL | {"boards": [{"number": "1", "board": BOARD | {"colums": []}}]}, ("boards[0].board.colums", "columns?")),
        (HALL | {"boards": [{"number": "1", "board": {"type": "matix"}}]}, ("boards[0].board.type", "mean matrix?")),
        (
            HALL | {"boards": [{"number": number, "board": {"type": "dgt"}} for number in "12"]},
            ("port /dev/ttyACM0 is used twice", "[boards.1.board]", "[boards.2.board]"),
        ),
        (
            HALL | {"boards": [{"number": number, "board": {"type": "chessnut"}} for number in "12"]},
            ("board 1: each has to name its port",),
        ),
        (HALL | {"board": BOARD}, ("nobody reads the option board",)),
        (HALL | {"event": {"board": "1"}}, ("event.board", "another table")),
        (HALL | {"broadcast": {}, "boards": [{"number": "x", "board": BOARD}]}, ("boards: board x: broadcast:",)),
        (HALL | {"game": {"variant": "chess960", "start": "board"}}, ("boards: board 1: game: start:", "occupancy")),
        (HALL | {"lichess": {"round": "12345678"}}, ("a hall cannot be pushed to Lichess", "by URL")),
    ],
)
def test_a_wrong_option_is_named_with_what_was_expected(raw: dict[str, object], says: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as raised:
        check(raw, "club.toml")
    assert raised.value.what.startswith("club.toml: ")
    for part in says:
        assert part in str(raised.value)


MATRIX = {"type": "matrix"}
ROWS = [4, 17, 27, 22, 5, 6, 13]
TWO, TEN, ELEVEN = ({"board": MATRIX | {"rows": [*ROWS, pin]}} for pin in (2, 10, 11))
EXPANDER, SHIFT = {"board": {"type": "expander"}}, {"board": {"type": "shift"}}
LIGHTS = {"clock": {"type": "none", "lights": {"white": 2, "black": 3}}}
MAX7219 = {"clock": {"type": "none", "display": {"type": "max7219"}}}
HT16K33 = {"clock": {"type": "none", "display": {"type": "ht16k33"}}}
STRIP = {"lamps": {"strip": {"type": "ws2812"}}}
STRIP_1 = {"lamps": {"strip": {"type": "ws2812", "bus": 1}}}


def both(board: dict[str, object]) -> dict[str, object]:
    return {board_id: {"number": board_id, "board": board} for board_id in "AB"}


def clock(**table: object) -> dict[str, object]:
    return {"board": MATRIX, "clock": table}


@pytest.mark.parametrize(
    ("raw", "first", "second"),
    [
        ({"board": MATRIX | {"rows": [*ROWS, 4]}}, "rows (rank 1) in [board]", "rows (rank 8) in [board]"),
        ({"board": MATRIX | {"rows": [*ROWS, 18]}}, "rows (rank 8) in [board]", "columns (file a) in [board]"),
        ({"board": {"type": "multiplexer", "signals": [5, 7, 8, 9]}}, "select (S0)", "signals (chip 1) in [board]"),
        ({"board": {"type": "hall", "select": [5, 6, 13, 9]}}, "select (S3)", "MISO of SPI 0 in [board]"),
        (clock(type="buttons", white=7, black=7), "white in [clock]", "black in [clock]"),
        (clock(type="lever", lights={"white": 26}), "pin in [clock]", "white in [clock.lights]"),
        (clock(type="none", lights={"white": 2, "black": 2}), "white in [clock.lights]", "black in [clock.lights]"),
        (TEN | STRIP, "rows (rank 8) in [board]", "MOSI of SPI 0 in [lamps.strip]"),
        (ELEVEN | MAX7219, "rows (rank 8) in [board]", "SCLK of SPI 0 in [clock.display]"),
        (TWO | HT16K33, "rows (rank 8) in [board]", "SDA of I2C 1 in [clock.display]"),
        (EXPANDER | LIGHTS, "SDA of I2C 1 in [board]", "white in [clock.lights]"),
        (SHIFT | STRIP, "MOSI of SPI 0 in [board]", "MOSI of SPI 0 in [lamps.strip]"),
        (SHIFT | MAX7219, "CE0 of SPI 0 in [board]", "CE0 of SPI 0 in [clock.display]"),
        ({"board": {"type": "dgt"}} | MAX7219 | STRIP, "MOSI of SPI 0 in [clock", "MOSI of SPI 0 in [lamps.strip]"),
        ({"board": MATRIX} | STRIP_1, "columns (file h) in [board]", "SCLK of SPI 1 in [lamps.strip]"),
        ({"board": {"type": "expander", "chips": [32, 33, 34, 32]}}, "a chip in [board]", "a chip in [board]"),
        (both(MATRIX), "rows (rank 1) in [A.board]", "rows (rank 1) in [B.board]"),
        (both({"type": "expander"}), "a chip in [A.board]", "a chip in [B.board]"),
        (both({"type": "dgt"}), "port in [A.board]", "port in [B.board]"),
        (both({"type": "dgt-bus", "address": 1025}), "address in [A.board]", "address in [B.board]"),
        (
            both({"type": "dgt", "port": "/dev/ttyUSB0"}) | {"B": {"number": "2", "board": {"type": "dgt-bus"}}},
            "port in [A.board]",
            "port in [B.board]",
        ),
    ],
)
def test_what_two_want_is_refused_with_both_named(raw: dict[str, object], first: str, second: str) -> None:
    with pytest.raises(ConfigError, match="is used twice") as refused:
        check(raw, "club.toml")
    assert first in refused.value.what.partition(" and as ")[0]
    assert second in refused.value.what.partition(" and as ")[2]
    assert refused.value.next_step


@pytest.mark.parametrize(
    "raw",
    [
        EXPANDER | HT16K33,
        {"board": {"type": "hall"}, "clock": {"type": "none", "display": {"type": "max7219", "chip_select": 1}}},
        SHIFT | STRIP_1,
        {"board": {"type": "shift", "bus": 1}} | STRIP,
        both({"type": "expander"}) | {"B": {"number": "B", "board": {"type": "expander", "chips": [36, 37, 38, 39]}}},
        both({"type": "chessnut"}),
        both({"type": "dgt-bus"}) | {"B": {"number": "B", "board": {"type": "dgt-bus", "address": 2}}},
        both(BOARD),
    ],
)
def test_what_may_share_a_bus_does(raw: dict[str, object]) -> None:
    check(raw, "club.toml")


@given(st.permutations(range(32)), st.lists(st.tuples(st.integers(0, 19), st.integers(0, 31)), max_size=2))
def test_pins_of_the_header_are_taken_once_or_refused(order: list[int], changed: list[tuple[int, int]]) -> None:
    pins = order[:20]
    for place, pin in changed:
        pins[place] = pin
    buttons = {
        "type": "buttons",
        "white": pins[16],
        "black": pins[17],
        "lights": {"white": pins[18], "black": pins[19]},
    }
    raw = {"board": MATRIX | {"rows": pins[:8], "columns": pins[8:16]}, "clock": buttons}
    if len(set(pins)) == 20 and max(pins) <= 27:
        check(raw, "club.toml")
    else:
        with pytest.raises(ConfigError):
            check(raw, "club.toml")


@pytest.mark.parametrize(
    ("raw", "cause", "next_step"),
    [
        ({"board": {"type": "matix"}}, "did you mean matrix?", "known here: matrix, shift, "),
        (
            {"board": BOARD, "event": {"laws": "fide-2033"}},
            "did you mean fide-2023?",
            "known here: fide-2005, fide-2009",
        ),
        ({"board": BOARD, "event": {"play": "Blitz"}}, "did you mean blitz?", "known here: blitz, rapid, standard"),
        ({"board": BOARD, "event": {"announced": ["quick-play"]}}, "did you mean quickplay?", "known here: quickplay"),
        ({"board": BOARD, "game": {"tags": {"WhiteFideId": 1503014}}}, "quotes are missing", "reference.toml"),
        ({"board": BOARD, "game": {"tags": {"A": ["b"]}}}, "quotes are missing", "reference.toml"),
        ({"board": BOARD, "event": {"delay_min": 90}}, "a digit too many", "write a number of at most 60"),
        (
            {"board": BOARD, "event": {"venue": "my club"}},
            "a sign that cannot stand there",
            "write a name without spaces and without / + #",
        ),
        ({"board": BOARD, "event": {"board": 7}}, "quotes are missing", "jadoube boards"),
        ({"board": BOARD, "mqtt": {"host": "h", "port": "1883"}}, "quotes too many", "jadoube boards"),
        ({"board": BOARD, "clock": {}}, "left out", "write type = … in [clock], one of lever, buttons, none"),
        ({"board": BOARD, "webhook": {"url": "x"}}, "left out", "write secret_file = … in [webhook]"),
        ({"event": {}}, "left out", "write a table [board]"),
        (DOUBLE | {"B": {"number": "2", "board": {"type": "dtg"}}}, "did you mean dgt?", "known here: "),
    ],
)
def test_a_wrong_value_comes_with_its_cause_and_what_to_write(
    raw: dict[str, object], cause: str, next_step: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        check(raw, "club.toml")
    assert cause in raised.value.cause
    assert next_step in raised.value.next_step


@pytest.mark.parametrize(
    "table",
    [
        {"mqtt": {"host": "h", "password": "sesame"}},
        {"webhook": {"url": "https://ann:sesame@hall.local/x", "secret_file": "s"}},
        {"console": {"others": ["http://ann:sesame@hall.local:8064"], "hall_key_file": "k"}},
        {"console": {"hall_key": "sesame"}},
        {"lichess": {"round": "x", "token": "sesame"}},
    ],
)
def test_no_secret_may_stand_in_it_and_none_is_said_again(table: dict[str, object]) -> None:
    """Everybody may read a configuration, and what is refused of it is in the log."""
    with pytest.raises(ConfigError) as raised:
        check({"board": BOARD} | table, "club.toml")
    assert "sesame" not in str(raised.value)


@pytest.mark.parametrize(("text", "says"), [("[board", "Expected ']'"), ("a = 1\na = 2", "overwrite")])
def test_a_file_that_is_no_toml(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=says):
        load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "x.toml")


def test_only_the_tags_given_are_set() -> None:
    game = GameConfig(white="Ada", round="3", tags={"WhiteFideId": "1"})
    assert game.all_tags() == {"White": "Ada", "Round": "3", "WhiteFideId": "1"}


def test_a_configuration_is_a_value() -> None:
    assert check({"board": BOARD}, "a") == check({"board": BOARD}, "b")
    assert isinstance(check({"board": BOARD}, "a"), Config)


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ('[board]\ntype="simulated"\nfoo\n', 3, "= and a value are missing"),
        ("[board]\ntype : 1\n", 2, "= and a value are missing"),
        ("[board\ntype = 1\n", 1, "a ] is missing after the name of the table"),
        ('[board]\ntype = "simulated\nx = 2\n', 2, "the quote is missing at the end"),
        ('[board]\ntype = "simulated', 2, "the quote is missing at the end"),
        ("[board]\nrows = [1, 2\n\n", 2, "a ] is missing after the values"),
        ("[board]\nx = {a = 1\n", 2, "a } is missing"),
        ("[board]\ntype = simulated\n", 2, "a text without quotes"),
        ("[board]\nx = 1\nx = 2\n", 3, "the option stands there twice"),
        ("[board]\n[board]\n", 2, "the table stands there twice"),
        ('[board]\nx = "C:\\y"\n', 2, "is written twice"),
        ("[board]\nx = 1 2\n", 2, "something after the value"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line_and_what_is_missing_there(
    tmp_path: Path, text: str, line: int, cause: str
) -> None:
    file = tmp_path / "club.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as raised:
        load(file)
    assert raised.value.what.startswith(f"{file}, line {line}: this is not TOML: ")
    assert "(at " not in raised.value.what
    assert cause in raised.value.cause
    assert raised.value.next_step == f"nano +{line} {file}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_configuration_is_read_as_editors_of_windows_write_it(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes('[board]\r\ntype = "dgt"\r\n[game]\r\nwhite = "Chloé"\r\n'.encode(encoding))
    config = load(file)
    assert isinstance(config, Config)
    assert config.game.white == "Chloé"


def test_a_configuration_in_another_encoding_is_refused_with_what_helps(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes('[board]\ntype = "dgt"\n[game]\nwhite = "Chloé"\n'.encode("cp1252"))
    with pytest.raises(ConfigError, match="iconv -f windows-1252") as raised:
        load(file)
    assert "UTF-8" in raised.value.cause
