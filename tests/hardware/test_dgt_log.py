"""A DGT board's own log: every kind of event, damage, and the last game as a recording."""

import io
import json
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.decode import decode_file
from controller.errors import DeviceError
from hardware.boards import Change, LeverPress
from hardware.boards.codec import ProtocolError
from hardware.boards.dgt import fetch_log
from hardware.boards.dgt_log import LoggedEvent, LoggedSquare, LogRecording, Stopped, Tag, encode, events
from hardware.boards.dgt_picture import own_number
from hardware.boards.dgt_protocol import PIECES, Id
from hardware.boards.dgt_protocol import encode as message
from hardware.simulator.dgt import DgtEmulator

any_event = st.one_of(
    st.builds(LoggedSquare, st.integers(0, 63), st.integers(0, 15), st.booleans()),
    st.builds(Stopped, st.sampled_from(["left", "right"]), st.integers(0, 35_999)),
    st.sampled_from(Tag),
)


def changed(name: str, piece: str, rotated: bool = False) -> LoggedSquare:
    return LoggedSquare(own_number(chess.parse_square(name), rotated), PIECES.index(piece), soon=False)


def last_game(*game: LoggedEvent) -> list[tuple[str, str]]:
    data = message(Id.EEPROM, b"".join(map(encode, (*game, Tag.END))))
    return [
        ("press", item.side) if isinstance(item, LeverPress) else (chess.square_name(item.square), item.piece)
        for step in LogRecording().read(data)
        for item in step.items
        if isinstance(item, Change | LeverPress)
    ]


@pytest.mark.parametrize(
    ("hexadecimal", "event"),
    [
        ("41 24", LoggedSquare(0x24, 1, soon=False)),
        ("50 34", LoggedSquare(0x34, 0, soon=True)),
        ("61 29 58", Stopped("right", 3600 + 29 * 60 + 58)),
        ("70 04 59", Stopped("left", 4 * 60 + 59)),
        ("6a", Tag.POWER_UP),
        ("7a", Tag.BEGIN_ROTATED),
        ("00", Tag.NOTHING),
    ],
)
def test_the_bytes_of_an_event(hexadecimal: str, event: LoggedEvent) -> None:
    assert list(events(bytes.fromhex(hexadecimal))) == [event]
    assert encode(event) == bytes.fromhex(hexadecimal)


@given(st.lists(any_event))
def test_a_log_is_read_as_it_was_written(written: list[LoggedEvent]) -> None:
    assert list(events(b"".join(map(encode, written)))) == written


@given(st.binary(max_size=200), st.lists(any_event, min_size=3))
def test_any_bytes_are_read_and_what_follows_is_found_again(noise: bytes, written: list[LoggedEvent]) -> None:
    """A log has lost its beginning: at most two bytes may be taken for the rest of an event that began before."""
    read = list(events(noise + b"".join(map(encode, (Tag.NOTHING,) * 3 + tuple(written)))))
    assert read[-len(written) :] == written
    assert all(isinstance(event, LoggedSquare | Stopped | Tag | ProtocolError) for event in read)


def test_the_last_game_with_its_presses() -> None:
    assert last_game(
        Tag.POWER_UP,
        changed("a2", "R"),
        Tag.BEGIN,
        changed("d2", ""),
        Tag.BEGIN,
        Stopped("right", 300),  # Black starts White's clock
        changed("e2", ""),
        changed("e4", "P"),
        Stopped("left", 297),
        changed("e7", ""),
        changed("e5", "p"),
        Stopped("right", 290),
    ) == [("e2", ""), ("e4", "P"), ("press", "white"), ("e7", ""), ("e5", "p"), ("press", "black")]


def test_the_first_to_press_after_a_move_is_white_on_a_rotated_board_too() -> None:
    assert last_game(
        Tag.BEGIN_ROTATED,
        changed("g1", "", rotated=True),
        changed("f3", "N", rotated=True),
        Stopped("right", 60),
        changed("g8", "", rotated=True),
        changed("f6", "n", rotated=True),
        Stopped("left", 60),
    ) == [("g1", ""), ("f3", "N"), ("press", "white"), ("g8", ""), ("f6", "n"), ("press", "black")]


def test_time_passes_as_the_clocks_tell() -> None:
    game = (Tag.BEGIN, changed("e2", ""), Stopped("left", 300), Stopped("right", 300), Stopped("left", 290))
    steps = list(LogRecording().read(message(Id.EEPROM, b"".join(map(encode, game)))))
    assert [step.elapsed_ms for step in steps][-1] == 10_000


def test_a_log_in_which_no_game_begins_gives_none() -> None:
    assert last_game(Tag.POWER_UP, changed("e2", ""), Stopped("left", 5)) == []


@pytest.mark.parametrize("rotated", [False, True])
def test_a_game_that_nobody_recorded_is_asked_of_the_board(rotated: bool, tmp_path: Path) -> None:
    """The board had power, but no cable: `jadoube decode dgt-log PORT`."""
    port, out = tmp_path / "dgt", io.BytesIO()
    with DgtEmulator(port, rotated) as board:
        board.clock(300, 300, "left")
        for origin, target, piece, to_move in (("e2", "e4", "P", "right"), ("e7", "e5", "p", "left")):
            board.lift(chess.parse_square(origin))
            board.place(chess.parse_square(target), piece)
            board.clock(300, 300, "right" if to_move == "right" else "left")
        assert decode_file("dgt-log", port, out) == 0
    session, *lines = map(json.loads, out.getvalue().splitlines())
    assert session["senses"] == "identity"
    assert [(line["type"], line.get("square") or line["side"]) for line in lines] == [
        *(("lift", "e2"), ("place", "e4"), ("press", "white")),
        *(("lift", "e7"), ("place", "e5"), ("press", "black")),
    ]


def test_a_port_where_no_board_has_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.boards.dgt.LOG_S", 0.2)
    board = DgtEmulator(tmp_path / "dgt")
    board.deaf = True
    with board, pytest.raises(DeviceError, match="sends its log"):
        fetch_log(str(tmp_path / "dgt"))
