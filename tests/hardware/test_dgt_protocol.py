"""DGT bytes: every message as the protocol lays it out, the same in any chunking, found again after any damage."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_protocol import (
    PIECES,
    ClockAck,
    ClockState,
    Command,
    Decoder,
    DgtBattery,
    Dump,
    Field,
    Id,
    Info,
    Message,
    NoTime,
    encode,
    encode_acknowledgement,
)


def read(*chunks: bytes) -> list[Message | str]:
    """Messages; an error is shown as its text, so that two readings compare."""
    decoder = Decoder()
    return [str(m) if isinstance(m, ProtocolError) else m for chunk in chunks for m in decoder.feed(chunk)]


def chunked(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


fields = st.builds(lambda s, c: encode(Id.FIELD, bytes((s, c))), st.integers(0, 63), st.integers(0, 15))
dumps = st.lists(st.integers(0, 15), min_size=64, max_size=64).map(lambda codes: encode(Id.BOARD, bytes(codes)))
clocks = st.tuples(*[st.integers(0, 9)] * 6, st.integers(0, 31)).map(lambda data: encode(Id.CLOCK, bytes(data)))
infos = st.binary(max_size=40).map(lambda data: encode(Id.TRADEMARK, bytes(b & 0x7F for b in data)))
messages = st.one_of(fields, dumps, clocks, infos)
cuts = st.lists(st.integers(0, 10_000), max_size=12)


@given(st.lists(messages | st.binary(max_size=20), max_size=8).map(b"".join), cuts)
def test_any_chunking_gives_the_same_messages_and_the_same_complaints(data: bytes, cuts: list[int]) -> None:
    assert read(*chunked(data, cuts)) == read(data)


@given(st.lists(messages, min_size=1, max_size=8))
def test_each_message_is_read(sent: list[bytes]) -> None:
    got = read(*sent)
    assert len(got) == len(sent)
    assert not any(isinstance(message, str) for message in got)


@given(st.binary(max_size=80), messages)
def test_after_any_bytes_the_next_message_is_read(noise: bytes, message: bytes) -> None:
    assert read(noise + message)[-1] == read(message)[0]


@given(messages, messages, st.data())
def test_a_lost_byte_costs_its_own_message_only(first: bytes, second: bytes, data: st.DataObject) -> None:
    lost = data.draw(st.integers(0, len(first) - 1))
    assert read(first[:lost] + first[lost + 1 :] + second)[-1] == read(second)[0]


def test_a_real_recording_is_read_byte_by_byte_and_whole(recorded: bytes) -> None:
    whole = read(recorded)
    assert len(whole) > 400
    assert not any(isinstance(message, str) for message in whole)
    assert read(*(recorded[i : i + 1] for i in range(len(recorded)))) == whole


@settings(max_examples=20)
@given(cuts=cuts)
def test_a_real_recording_is_read_in_any_chunks(recorded: bytes, cuts: list[int]) -> None:
    assert read(*chunked(recorded, cuts)) == read(recorded)


def test_a_field_is_a_square_and_a_piece() -> None:
    assert read(bytes.fromhex("8e 00 05 24 01")) == [Field(square=0x24, code=1)]


def test_a_dump_is_sixty_four_pieces() -> None:
    codes = bytes(i % 16 for i in range(64))
    assert read(bytes.fromhex("86 00 43") + codes) == [Dump(codes)]


def test_the_result_pieces_are_no_chessmen() -> None:
    assert PIECES[0xD:] == ("", "", "")
    assert "".join(PIECES) == "PRNBKQprnbkq"


@pytest.mark.parametrize(
    ("hexadecimal", "left", "right", "to_move", "running"),
    [
        ("8d 00 0a 20 03 02 20 02 59 09", 179, 182, "left", True),
        ("8d 00 0a 20 03 02 20 03 01 13", 181, 182, "right", True),
        ("8d 00 0a 21 30 00 21 59 59 08", 7199, 5400, "left", False),
    ],
)
def test_the_clock_says_times_and_whose_move_it_is(
    hexadecimal: str, left: int, right: int, to_move: str, running: bool
) -> None:
    (clock,) = read(bytes.fromhex(hexadecimal))
    assert isinstance(clock, ClockState)
    assert (clock.left, clock.right, clock.to_move, clock.running) == (left, right, to_move, running)
    assert clock.right_lever_up == (to_move == "right")


def test_a_fallen_flag_is_on_the_side_that_fell() -> None:
    (clock,) = read(bytes.fromhex("8d 00 0a 30 00 00 20 00 16 12"))
    assert isinstance(clock, ClockState)
    assert (clock.right_flag, clock.left_flag, clock.running) == (True, False, False)


@pytest.mark.parametrize(
    "hexadecimal",
    [
        "8d 00 0a 00 00 00 00 00 00 20",  # no clock
        "8d 00 0a 00 00 00 00 00 00 08",  # all zero
    ],
)
def test_a_clock_message_without_a_time(hexadecimal: str) -> None:
    (message,) = read(bytes.fromhex(hexadecimal))
    assert isinstance(message, NoTime)


@pytest.mark.parametrize(
    ("hexadecimal", "command", "ok", "automatic", "data"),
    [
        ("8d 00 0a 0a 10 0a 0a 00 00 08", 0x0A, True, False, "00 00"),  # set and run
        ("8d 00 0a 0a 40 0a 0a 00 00 08", 0x0A, False, False, "00 00"),  # the same, in another mode
        ("8d 00 0a 0a 10 09 0a 22 00 08", 0x09, True, False, "22 00"),  # version 2.2
        ("8d 00 0a 1a 10 01 1a 00 00 08", 0x01, True, False, "80 00"),
        ("8d 00 0a 0a 10 08 2a 00 33 08", 0x08, True, True, "00 33"),  # a button was pressed
    ],
)
def test_a_clock_acknowledges(hexadecimal: str, command: int, ok: bool, automatic: bool, data: str) -> None:
    """The mark of an acknowledgement may stand in either half, beside highest bits that belong to the others."""
    assert read(bytes.fromhex(hexadecimal)) == [ClockAck(command, ok, automatic, bytes.fromhex(data))]


@given(st.integers(0, 0x7F), st.booleans(), st.booleans(), st.binary(min_size=2, max_size=2))
def test_acknowledgements_are_read_as_they_are_written(command: int, ok: bool, automatic: bool, data: bytes) -> None:
    ack = ClockAck(command, ok, automatic, data)
    assert read(encode_acknowledgement(ack)) == [ack]


def test_the_battery_of_a_bluetooth_board() -> None:
    assert read(encode(Id.BATTERY, bytes((42, 5, 30, 0, 0, 0, 0, 0, 2)))) == [DgtBattery(42)]
    assert "percentage" in str(read(encode(Id.BATTERY, b"\x65"))[0])


@pytest.mark.parametrize(
    ("hexadecimal", "complaint"),
    [
        ("8e 00 05 40 01", "no such square"),
        ("8e 00 05 00 10", "no such square or piece"),
        ("8e 00 06", "length 6"),
        ("8e 00 02", "length 2"),
        ("86 00 43 01 02 8e 00 05 00 00", "cut short"),
        ("01 02 03 8e 00 05 00 00", "3 bytes outside"),
        ("8d 00 0a 20 3a 00 20 00 16 12", "invalid literal"),
    ],
)
def test_what_no_board_can_have_sent_is_named(hexadecimal: str, complaint: str) -> None:
    assert complaint in str(read(bytes.fromhex(hexadecimal))[0])


def test_information_reads_as_text() -> None:
    assert str(read(encode(Id.VERSION, bytes((1, 8))))[0]) == "version 1.8"
    assert read(encode(Id.TRADEMARK, b"DGT")) == [Info(Id.TRADEMARK, b"DGT")]


def test_what_a_board_says_of_itself_is_one_line_of_the_log_and_no_command_to_a_terminal() -> None:
    (said,) = read(encode(Id.TRADEMARK, b"DGT Projects\r\nCopyright\r\n\x1b[31mred" + b"y" * 2000))
    assert str(said).isprintable()
    assert str(said).startswith("DGT Projects Copyright \\x1b[31mred")
    assert len(str(said)) < 1000


def test_the_bootloader_cannot_be_asked_for() -> None:
    assert 0x4E not in set(Command)
