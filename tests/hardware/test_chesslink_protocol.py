"""ChessLink bytes: parity, checksums, the order of the squares and of the lamps."""

import chess
import pytest

from controller.shown import START
from hardware.boards.chesslink_protocol import (
    ON_CHANGE,
    REPORTS,
    ChessLinkState,
    Decoder,
    Message,
    Reply,
    decode,
    encode,
    encode_state,
    lamps,
    register,
)
from hardware.boards.codec import ProtocolError


def read(data: bytes) -> list[Message | str]:
    return [str(m) if isinstance(m, ProtocolError) else m for m in Decoder().feed(data)]


def test_a_real_exchange() -> None:
    """As logged by python-mchess: the question for the version, and a board's answer."""
    assert encode("V") == bytes.fromhex("d6 b5 b6")
    assert read(bytes.fromhex("76 b0 31 b0 b3 37 34")) == [Reply("v", b"\x01\x03")]


def test_each_byte_has_odd_parity() -> None:
    assert all(byte.bit_count() % 2 for byte in encode_state(START) + lamps(chess.BB_E4) + register(REPORTS, ON_CHANGE))


def test_the_state_runs_from_a8_to_h1() -> None:
    text = decode(encode_state(START))
    assert text[:-2] == "srnbqkbnrpppppppp" + 32 * "." + "PPPPPPPPRNBQKBNR"
    assert read(encode_state(START)) == [ChessLinkState(START)]
    lone = ["n" if square == chess.B6 else "" for square in chess.SQUARES]
    assert decode(encode_state(lone))[1 + 2 * 8 + 1] == "n"


@pytest.mark.parametrize("flipped", range(8))
def test_a_bit_that_flips_is_found_by_its_parity(flipped: int) -> None:
    damaged = bytearray(encode_state(START))
    damaged[20] ^= 1 << flipped
    assert all(isinstance(message, str) for message in read(bytes(damaged)))


def test_two_bits_that_flip_are_found_by_the_checksum() -> None:
    """An ``r`` becomes a ``q``: a piece all the same, with the parity that it ought to have."""
    damaged = bytearray(encode_state(START))
    damaged[1] ^= 0x03
    first, *_ = read(bytes(damaged))
    assert "checksum" in str(first)


def test_a_report_may_come_between_a_command_and_its_answer() -> None:
    assert read(encode("x") + encode_state(START) + encode("w0203")) == [
        Reply("x", b""),
        ChessLinkState(START),
        Reply("w", b"\x02\x03"),
    ]


def test_lamps_are_at_the_corners() -> None:
    """Lamp 1 is the corner of a8, 9 that of a1, 73 that of h8, 81 that of h1."""

    def lit(mask: int) -> set[int]:
        text = decode(lamps(mask))
        assert len(text) == 1 + 2 + 81 * 2 + 2
        return {lamp + 1 for lamp in range(81) if text[3 + 2 * lamp : 5 + 2 * lamp] == "FF"}

    assert lit(chess.BB_A8) == {1, 2, 10, 11}
    assert lit(chess.BB_A1) == {8, 9, 17, 18}
    assert lit(chess.BB_H8) == {64, 65, 73, 74}
    assert lit(chess.BB_H1) == {71, 72, 80, 81}
    assert lit(chess.BB_A8 | chess.BB_B8) == {1, 2, 10, 11, 19, 20}
    assert lit(0) == set()


def test_a_register_is_set_to_report_changes() -> None:
    assert decode(register(REPORTS, ON_CHANGE))[:-2] == "W0203"


@pytest.mark.parametrize("noise", [b"\x00", b"s", encode("r"), encode_state(START)[:30], b"\xff" * 200])
def test_a_damaged_stretch_is_told_once(noise: bytes) -> None:
    said = read(noise + encode("x") + encode_state(START))
    assert [message for message in said if not isinstance(message, str)] == [Reply("x", b""), ChessLinkState(START)]
    assert len(said) == 3
