"""What may come in as a command, and what is refused: by its size, its form, its sender."""

import json
import time
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.broker_config import configuration, hall, hashed, matches, write
from controller.contract import RULINGS, Arbiter, Resign, Ruling, Sensor
from controller.daemon.commands import LONGEST, MOST, read_command
from controller.errors import AccessError, ConfigError, JadoubeError, LogError
from controller.game_details import GameConfig
from controller.numbering import numbers
from controller.outlets.mqtt import command
from controller.outlets.mqtt.command import LIMIT
from controller.outlets.mqtt.door import Door
from controller.outlets.mqtt.memory import AHEAD_MS, OLD_MS, Memory
from controller.outlets.mqtt.signed import SHORTEST, Seal, Signed, read_keys, sign
from controller.wire import input_of

TOPIC = "jadoube/v1/hall/board/7"
KEYS = {"anna": bytes(range(32)), "bruno": bytes(32)}


def read(payload: bytes, by: str | None = None) -> Any:
    return read_command(command.read(payload), 1000, GameConfig(), by=by)


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b'{"type":"resign","side":"white","reason":"' + b"x" * LIMIT + b'"}', "bytes"),
        (b'{"type":"arbiter","do":"set-clock","white_ms":%d}' % (MOST + 1), "white_ms is beyond reason"),
        (b'{"type":"arbiter","do":"set-clock","white_ms":1e99}', "beyond reason"),
        (b'{"type":"arbiter","do":"set-clock","white_ms":' + b"9" * 5000 + b"}", "malformed"),
        (b'{"type":"arbiter","do":"pause","reason":"' + b"x" * (LONGEST + 1) + b'"}', "reason is too long"),
        (b'{"type":"new-game","tags":{"Opening":"' + b"x" * (LONGEST + 1) + b'"}}', "Opening is too long"),
        (b'{"type":"new-game","tags":{"FEN":"8/8/8/8/8/8/8/8 w - - 0 1"}}', "fen and variant say how a game begins"),
        (b'{"type":"new-game","tags":{%s}}' % b",".join(b'"T%d":""' % n for n in range(101)), "tags has 101 entries"),
        (b'{"type":"arbiter","do":"pause","reason":"a\\nINFO: b"}', "reason: a line break"),
        (b'{"type":"arbiter","do":"pause","by":"\\u001b[2J"}', "by: a line break or the like"),
        (b'{"a":' + b"[" * 8000, "malformed"),
        (b'{"type":' * 2000, "malformed"),
        (b'{"type":"arbiter","do":"report","side":"white","kind":"mislaid-stock"}', "which piece is mislaid"),
        (b'{"type":"arbiter","do":"set-clock","white_ms":-1}', "no less than nothing"),
        (b"[1]", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b"", "malformed"),
    ],
)
def test_what_is_beyond_reason_is_refused(payload: bytes, says: str) -> None:
    with pytest.raises(LogError) as refused:
        read(payload)
    assert says in refused.value.what


@pytest.mark.parametrize(
    ("payload", "says", "known"),
    [
        (b'{"type":"resign"}', "`side`", "resign needs side: white, black. It may have board, by: see"),
        (b'{"type":"resign","side":"wite"}', "'wite'", "resign needs side: white, black"),
        (b'{"type":"arbiter","do":"dance"}', "'dance'", "arbiter needs do: pause, resume, "),
        (b'{"type":"sensor"}', "`square`", "sensor needs square; works. It may have board, by: see"),
        (b'{"type":"new-gam"}', "'new-gam'", "known are new-game, press, "),
        (b'{"side":"white"}', "`type`", "known are new-game, press, "),
        (b'{"type":"arbiter","do":"set-clock","white_ms":-5}', "no less than nothing", "white_add_ms or black_add_ms"),
        (b'{"type":"arbiter","do":"set-clock","white_ms":99999999999}', "beyond reason", "give the command again"),
    ],
)
def test_a_slip_in_a_command_is_told_with_its_cause_and_what_is_known(payload: bytes, says: str, known: str) -> None:
    with pytest.raises(LogError) as refused:
        read(payload)
    assert says in refused.value.what
    assert refused.value.cause
    assert known in refused.value.next_step


def test_a_score_that_there_is_not_is_not_taken_for_another_one() -> None:
    with pytest.raises(LogError) as refused:
        read(b'{"type":"arbiter","do":"result","result":"2-0"}')
    assert "one of 1-0, 0-1, " in refused.value.what
    assert "did you mean" not in refused.value.cause


GIVEN: dict[str, Any] = {
    **{"answers": "1", "white_ms": 60_000, "black_ms": 60_000, "white_add_ms": 1000, "black_add_ms": -1000},
    **{"white_moves": 24, "black_moves": 24, "replaced": True, "result": "1-0", "side": "white", "kind": "phone"},
    **{"piece": "p", "ply": 1, "moves": ["e2e4"], "replaces": 0, "extra": True, "of": 1000, "insist": True},
}
"""What some rulings have a use for, and others not."""


@pytest.mark.parametrize("do", get_args(Ruling))
def test_a_ruling_has_what_it_needs_and_names_nothing_that_it_has_no_use_for(do: Ruling) -> None:
    row, said = RULINGS[do], {"type": "arbiter", "do": do, "text": "so it was", "witnesses": ["Eva"]}
    useful = {name: value for name, value in GIVEN.items() if name in row.fields}
    assert useful.keys() == {*row.fields}
    assert read_command(said | useful, 0, GameConfig()) == input_of({"ms": 0} | said | useful)
    for name in GIVEN.keys() - row.fields:
        with pytest.raises(LogError, match=f"{do} has no use for `{name}`"):
            read_command(said | useful | {name: GIVEN[name]}, 0, GameConfig())
    for name in row.needs:
        with pytest.raises(LogError, match="what is reported" if name == "kind" else f"{do} needs `{name}`"):
            read_command(said | {other: value for other, value in useful.items() if other != name}, 0, GameConfig())


@pytest.mark.parametrize("sender", ["x" * (LONGEST + 1), "anna\x85INFO: all well"])
@pytest.mark.parametrize("payload", [b'{"type":"resign","side":"white"}', b'{"type":"new-game"}'])
def test_a_sender_of_no_sensible_name_is_refused(payload: bytes, sender: str) -> None:
    assert read(payload, "anna")
    with pytest.raises(LogError, match="sender"):
        read(payload, sender)


@given(
    st.binary(max_size=300)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_any_bytes_are_a_command_or_are_refused(payload: bytes) -> None:
    try:
        read(payload, "anna")
    except JadoubeError as refused:
        assert refused.what


@pytest.mark.parametrize(
    "sensed",
    [
        b'{"type":"lift","square":"e2"}',
        b'{"type":"place","square":"e4"}',
        b'{"type":"frame","occupied":"ffff00000000ffff"}',
        b'{"type":"time"}',
        b'{"type":"outage"}',
    ],
)
def test_what_the_board_sees_and_the_passing_of_time_are_no_commands(sensed: bytes) -> None:
    with pytest.raises(LogError, match="cannot move pieces or time"):
        read(sensed)


def test_that_a_sensor_does_not_work_is_for_a_person_to_say() -> None:
    told = read(b'{"type":"sensor","square":"e4","works":false}', "anna")
    assert told == Sensor(ms=1000, square="e4", works=False, by="anna")


def test_who_gave_a_command_stands_in_it() -> None:
    resign, ruling = b'{"type":"resign","side":"white"}', b'{"type":"arbiter","do":"pause","by":"Anna K."}'
    assert read(resign) == Resign(ms=1000, side="white")
    assert read(resign, "anna") == Resign(ms=1000, side="white", by="anna")
    assert read(ruling) == Arbiter(ms=1000, do="pause", by="Anna K.")
    assert read(ruling, "tablet-1") == Arbiter(ms=1000, do="pause", by="Anna K. (tablet-1)")


# -- signed ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """Of a board that has been there for long."""
    return Memory(tmp_path / "memory", -AHEAD_MS)


def opened(seal: Seal, payload: bytes, now_ms: int, up_ms: int = 10**9) -> bytes:
    return seal.open(msgspec.json.decode(payload, type=Signed), KEYS, now_ms, up_ms)


def test_what_is_signed_opens_once(memory: Memory) -> None:
    seal, payload = Seal(TOPIC, memory), sign(KEYS["anna"], TOPIC, "anna", 5000, '{"type":"x"}')
    assert opened(seal, payload, 5000) == b'{"type":"x"}'
    with pytest.raises(AccessError, match="came before"):
        opened(seal, payload, 5001)
    assert opened(seal, sign(KEYS["bruno"], TOPIC, "bruno", 4000, "{}"), 5000) == b"{}"
    with pytest.raises(AccessError, match="after a later one"):
        opened(seal, sign(KEYS["anna"], TOPIC, "anna", 4999, "{}"), 5000)


def test_what_the_documentation_signs_opens(memory: Memory) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs/mqtt.md").read_text()
    snippet: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], snippet)
    payload = snippet["signed"](KEYS["anna"].hex(), "anna", {"type": "resign", "side": "white"}, TOPIC)
    assert read(opened(Seal(TOPIC, memory), payload.encode(), time.time_ns() // 1_000_000), "anna").by == "anna"


@pytest.mark.parametrize(
    ("at", "up_ms", "opens"),
    [
        (100_000, 10**9, True),
        (100_000 - OLD_MS, 10**9, True),
        (100_000 - OLD_MS - 1, 10**9, False),
        (100_000 + AHEAD_MS, 10**9, True),
        (100_000 + AHEAD_MS + 1, 10**9, False),
        (100_000 - 2000, 1999, False),  # before the daemon began: it may have been carried out by the last one
        (100_000 - 2000, 2000, True),
    ],
)
def test_what_was_signed_at_another_time_does_not_open(memory: Memory, at: int, up_ms: int, opens: bool) -> None:
    payload = sign(KEYS["anna"], TOPIC, "anna", at, "{}")
    if opens:
        assert opened(Seal(TOPIC, memory), payload, 100_000, up_ms) == b"{}"
    else:
        with pytest.raises(AccessError, match="was signed"):
            opened(Seal(TOPIC, memory), payload, 100_000, up_ms)


@pytest.mark.parametrize("field", ["signed", "by", "at", "mac"])
def test_a_change_anywhere_breaks_the_seal(memory: Memory, field: str) -> None:
    fields = json.loads(sign(KEYS["anna"], TOPIC, "anna", 5000, "{}"))
    others = {"signed": "{ }", "by": "bruno", "at": 5001, "mac": fields["mac"][:-1] + "é"}
    with pytest.raises(AccessError, match="does not fit"):
        opened(Seal(TOPIC, memory), json.dumps(fields | {field: others[field]}).encode(), 5000)


def test_a_key_may_be_as_short_as_it_is_said_to_be() -> None:
    assert read_keys(f"anna {'ab' * SHORTEST}\n") == {"anna": b"\xab" * SHORTEST}
    with pytest.raises(ConfigError, match="line 1"):
        read_keys(f"anna {'ab' * (SHORTEST - 1)}\n")


def test_what_is_for_another_board_does_not_open(memory: Memory) -> None:
    with pytest.raises(AccessError, match="does not fit"):
        opened(Seal(TOPIC, memory), sign(KEYS["anna"], "jadoube/v1/hall/board/8", "anna", 5000, "{}"), 5000)


@pytest.mark.parametrize("line", ["anna", "anna xyz", "anna 00ff", "anna  "])
def test_a_file_of_keys_that_is_none_is_refused_and_not_quoted(line: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_keys(f"# the hall\nbruno {'ab' * 32}\n{line}\n")
    assert "line 3" in refused.value.what
    assert "ab" * 32 not in str(refused.value)


def test_the_door_asks_for_what_the_configuration_says(memory: Memory) -> None:
    said: command.Fields = {"type": "resign", "side": "white"}
    assert Door(TOPIC, "open", None, memory).admit(said, None) == (said, None)
    assert Door(TOPIC, "open", None, memory).admit(said, "anna") == (said, "anna")
    assert Door(TOPIC, "named", None, memory).admit(said, "anna") == (said, "anna")
    for trust, user in (("named", None), ("signed", None), ("signed", "anna")):
        with pytest.raises(AccessError):
            Door(TOPIC, trust, None, memory).admit(said, user)


# -- the broker's configuration ---------------------------------------------------------------------------------------


def test_boards_and_matches_are_named_in_short() -> None:
    assert numbers("1-3,9,top") == ("1", "2", "3", "9", "top")
    assert matches(["1=5+6", "2=7+8"]) == {"1": ("5", "6"), "2": ("7", "8")}
    with pytest.raises(ConfigError, match="--boards 9-3 names no board"):
        numbers("1,9-3")
    for slip in ("1-x", "x-1", "1-"):
        with pytest.raises(ConfigError, match=slip):
            numbers(slip)
    for slip in ("1=5", "1=5+5", "1", "1=5+6+7"):
        with pytest.raises(ConfigError, match="names no two boards"):
            matches([slip])


@pytest.mark.parametrize(
    "given",
    [
        *({"boards": ["a/b"]}, {"host": ""}, {"venue": "#"}, {"arbiters": ["anna", "anna"]}, {"readers": ["+"]}),
        *({"readers": [name]} for name in ("ca", "server", "arbiters", "anna.key", "..", "anna:x", "-rf")),
    ],
)
def test_names_that_would_open_more_are_refused(given: dict[str, Any]) -> None:
    """``ca`` would be handed the key of the hall's authority, and ``anna:x`` change the password of anna."""
    with pytest.raises(ConfigError):
        hall(**({"venue": "hall", "host": "h", "boards": ["1"]} | given))


def test_a_hall_that_grows_keeps_its_secrets(tmp_path: Any) -> None:
    small = hall(venue="hall", host="localhost", boards=["1"], arbiters=["anna"])
    write(small, tmp_path)
    before = {
        file: file.read_text()
        for name in ("secrets/board-1", "secrets/anna.key", "tls/ca.crt", "tls/server.crt")
        for file in [tmp_path / name]
    }
    write(hall(venue="hall", host="localhost", boards=["1", "2"], arbiters=["anna"]), tmp_path)
    assert before == {file: file.read_text() for file in before}
    assert (tmp_path / "secrets/board-2").exists()
    assert "user board-2" in (tmp_path / "acl").read_text()
    secret = [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".crt"]
    assert not [file for file in secret if file.stat().st_mode & 0o077 and file.suffix != ".srl"]


@pytest.mark.parametrize(("boards", "most"), [(50, 10_000), (1000, 20_000)])
def test_who_asks_for_all_that_is_retained_of_a_large_hall_gets_it(boards: int, most: int, tmp_path: Path) -> None:
    """Ten topics a board; mosquitto drops what is beyond that number as somebody subscribes."""
    place = hall(venue="hall", host="h", boards=[str(each) for each in range(boards)], public_port=8884)
    assert f"\nmax_queued_messages {most}\n" in configuration(place, tmp_path)


def test_a_password_is_kept_as_mosquitto_keeps_it() -> None:
    kind, iterations, salt, digest = hashed("sesame", bytes(12))[1:].split("$")
    assert (kind, int(iterations), len(salt), len(digest)) == ("7", 10_000, 16, 88)
    assert hashed("sesame") != hashed("sesame")


def test_a_clock_is_set_to_some_time() -> None:
    with pytest.raises(LogError, match="which time"):
        read_command({"type": "arbiter", "do": "set-clock"}, 0, GameConfig())
