"""Bytes on a line of DGT boards: frames as the notes have them, the same in any chunking, found again after damage."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_bus_protocol import (
    ALL,
    ANSWERS,
    LAST_ADDRESS,
    Command,
    Decoder,
    Id,
    Listener,
    Reply,
    encode,
    encode_reply,
)


def read(*chunks: bytes) -> list[Reply | str]:
    decoder = Decoder()
    return [str(m) if isinstance(m, ProtocolError) else m for chunk in chunks for m in decoder.feed(chunk)]


def heard(*chunks: bytes) -> list[tuple[int, int] | int]:
    listener = Listener()
    return [said for chunk in chunks for said in listener.feed(chunk)]


def chunked(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


addresses = st.integers(1, LAST_ADDRESS)
logs = st.binary(max_size=300).map(lambda data: bytes(byte & 0x7F for byte in data))
LENGTHS = {Id.BOARD: 64, Id.CLOCK: 7, Id.PING: 0, Id.GAME_STARTED: 0, Id.VERSION: 2}
replies = st.one_of(
    st.builds(Reply, st.sampled_from([Id.CHANGES, Id.CHANGES_EVEN, Id.FROM_START]), addresses, logs),
    st.sampled_from(sorted(LENGTHS)).flatmap(
        lambda kind: st.builds(
            Reply,
            st.just(kind),
            addresses,
            st.lists(st.integers(0, 127), min_size=LENGTHS[kind], max_size=LENGTHS[kind]).map(bytes),
        )
    ),
)
cuts = st.lists(st.integers(0, 10_000), max_size=12)


def sent(reply: Reply) -> bytes:
    return encode_reply(reply.id, reply.address, reply.data)


@pytest.mark.parametrize(
    ("command", "address", "frame"),
    [
        (Command.SEND_CLOCK, 0x10 << 7 | 0x06, "81 10 06 17"),
        (Command.PING, ALL, "87 00 00 07"),
        (Command.VERSION, ALL, "8b 00 00 0b"),
        (Command.SEND_CHANGES, 0x06 << 7 | 0x50, "83 06 50 59"),
        (Command.PING, 1025, "87 08 01 10"),
    ],
)
def test_a_command_has_its_address_and_checksum(command: Command, address: int, frame: str) -> None:
    assert encode(command, address) == bytes.fromhex(frame)
    assert heard(bytes.fromhex(frame)) == [(command, address)]


@pytest.mark.parametrize(
    ("frame", "reply"),
    [
        ("85 00 06 06 50 61", Reply(Id.CHANGES, 0x06 << 7 | 0x50, b"")),
        ("b1 00 06 06 50 0d", Reply(0xB1, 0x06 << 7 | 0x50, b"")),
        ("87 00 06 08 01 16", Reply(Id.PING, 1025, b"")),
        ("89 00 08 08 01 01 08 23", Reply(Id.VERSION, 1025, b"\x01\x08")),
        ("89 00 06 08 01 18", Reply(Id.VERSION, 1025, b"")),
        ("8b 00 08 08 01 41 24 01", Reply(Id.CHANGES_EVEN, 1025, b"\x41\x24")),
    ],
)
def test_a_reply_has_its_address_and_data(frame: str, reply: Reply) -> None:
    assert read(bytes.fromhex(frame)) == [reply]
    assert sent(reply) == bytes.fromhex(frame)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ("85 00 06 06 50 60", "wrong checksum"),
        ("85 00 05 06 50", "length 5"),
        ("83 00 06 06 50 5f", "length 6"),
        ("87 00 06 08 87", "cut short"),
    ],
)
def test_what_no_board_sends_is_named_in_its_place(frame: str, says: str) -> None:
    first, *rest = read(bytes.fromhex(frame), bytes.fromhex("85 00 06 06 50 61"))
    assert says in str(first)
    assert rest[-1] == Reply(Id.CHANGES, 0x06 << 7 | 0x50, b"")


@pytest.mark.parametrize("address", [-1, LAST_ADDRESS + 1])
def test_an_address_has_fourteen_bits(address: int) -> None:
    with pytest.raises(ValueError, match="0 to 16383"):
        encode(Command.PING, address)


@given(st.lists(replies, min_size=1, max_size=6), cuts)
def test_each_reply_is_read_in_any_chunks(said: list[Reply], cuts: list[int]) -> None:
    assert read(*chunked(b"".join(map(sent, said)), cuts)) == said


@given(st.lists(replies.map(sent) | st.binary(max_size=20), max_size=8).map(b"".join), cuts)
def test_any_bytes_give_the_same_in_any_chunks(data: bytes, cuts: list[int]) -> None:
    assert read(*chunked(data, cuts)) == read(data)


@given(st.binary(max_size=80), replies)
def test_after_any_bytes_the_next_reply_is_read(noise: bytes, reply: Reply) -> None:
    assert read(noise + sent(reply))[-1] == reply


@given(replies, replies, st.data())
def test_a_byte_that_is_lost_costs_its_own_reply_only(first: Reply, second: Reply, data: st.DataObject) -> None:
    frame = sent(first)
    lost = data.draw(st.integers(0, len(frame) - 1))
    got = read(frame[:lost] + frame[lost + 1 :] + sent(second))
    assert got[-1] == second
    assert all(isinstance(item, str) or item.address == first.address or lost < 5 for item in got[:-1])


@given(replies, st.data())
def test_one_bit_that_is_wrong_is_noticed(reply: Reply, data: st.DataObject) -> None:
    frame = bytearray(sent(reply))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert reply not in read(bytes(frame))


@given(st.lists(st.tuples(st.sampled_from(sorted(ANSWERS)), st.integers(0, LAST_ADDRESS)), max_size=6), cuts)
def test_a_board_hears_each_command_in_any_chunks(said: list[tuple[int, int]], cuts: list[int]) -> None:
    assert heard(*chunked(b"".join(encode(*one) for one in said), cuts)) == said


@given(st.binary(max_size=80), st.sampled_from(sorted(ANSWERS)), st.integers(0, LAST_ADDRESS))
def test_after_any_bytes_a_board_hears_the_next_command(noise: bytes, command: int, address: int) -> None:
    assert heard(noise + encode(command, address))[-1] == (command, address)


def test_of_a_command_that_is_damaged_the_rest_is_read_anew() -> None:
    """What another program asks first on such a port, before a command to a board that stands alone."""
    assert heard(bytes.fromhex("df 0d 12 03"), b"\x46") == [0x0D, 0x12, 0x03, 0x46]
