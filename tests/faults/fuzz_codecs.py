"""Feeds every codec damaged streams, and demands two things: no exception, and the same messages in any chunks.

    python tests/faults/fuzz_codecs.py [--bytes N] [--codec NAME] [--seed N]

A stream is genuine messages with bytes changed, lost, repeated and inserted, and noise in between. Ends with one JSON
line a codec; with status 1 where a codec failed, and then says with what block.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import chess

from controller.shown import START
from hardware.boards import certabo_protocol as certabo
from hardware.boards import chesslink_protocol as chesslink
from hardware.boards import chessnut_protocol as chessnut
from hardware.boards import dgt_bus_protocol as bus
from hardware.boards import dgt_protocol as dgt
from hardware.boards import line_protocol as line
from hardware.boards.codec import Codec, ProtocolError

BLOCK = 1 << 16
CODES = bytes(dgt.PIECES.index(START[own ^ 56]) for own in chess.SQUARES)
HOME = 0xFFFF_0000_0000_FFFF
CHIPS = [bytes((3, 0, 84, 7, square)) if START[square] else bytes(5) for square in chess.SQUARES]
LINES = (
    *("hello 1 identity lamps", "lift 1000 e2", "place 1200 e4", "place 1200 e4 P", "press 1300 white", "battery 7"),
    *(f"state 99 {HOME:016x}", "state 4294967295 " + "".join(piece or "." for piece in START), "error row 3", "error"),
)

CODECS: dict[str, tuple[Callable[[], Codec[Any]], list[bytes]]] = {
    "dgt": (
        dgt.Decoder,
        [
            dgt.encode(dgt.Id.BOARD, CODES),
            dgt.encode(dgt.Id.FIELD, b"\x34\x00"),
            dgt.encode(dgt.Id.CLOCK, b"\x00\x05\x09\x01\x59\x00\x09"),
            dgt.encode(dgt.Id.CLOCK, b"\x0a\x10\x0a\x00\x00\x00\x08"),
            dgt.encode_acknowledgement(dgt.ClockAck(0x09, True, False, b"\x22\x80")),
            dgt.encode(dgt.Id.BATTERY, bytes((80, 0x7F, 0x7F, 1, 2, 3, 4, 5, 2))),
            dgt.encode(dgt.Id.EEPROM, b"\x6a\x41\x24\x50\x34\x61\x29\x58\x6f\x6b"),
            dgt.encode(dgt.Id.TRADEMARK, b"a board"),
            dgt.encode(dgt.Id.VERSION, b"\x01\x08"),
        ],
    ),
    "dgt-bus": (
        bus.Decoder,
        [
            bus.encode_reply(bus.Id.BOARD, 1025, CODES),
            bus.encode_reply(bus.Id.CLOCK, 1025, b"\x00\x05\x09\x01\x59\x00\x09"),
            bus.encode_reply(bus.Id.CHANGES, 1025, b"\x40\x34\x51\x24\x75\x00\x00\x6b"),
            bus.encode_reply(bus.Id.CHANGES_EVEN, 16383),
            bus.encode_reply(bus.Id.PING, 1),
            bus.encode_reply(bus.Id.VERSION, 1025, b"\x01\x08"),
        ],
    ),
    "chesslink": (
        chesslink.Decoder,
        [chesslink.encode_state(START), *map(chesslink.encode, ("v0103", "l", "x", "w0203", "r0214"))],
    ),
    "certabo": (certabo.Decoder, [certabo.encode_tags(CHIPS), b"L\r\n", b"D\r\n", b":1 2 3\r\n"]),
    "sentio": (certabo.Decoder, [certabo.encode_occupied(HOME), b"L\r\n", b"\n"]),
    "chessnut": (
        chessnut.Decoder,
        [chessnut.encode_state(START), chessnut.encode_state(START, 36), chessnut.encode_battery(80), bytes(27)],
    ),
    "line": (line.Decoder, [f"{text}\r\n".encode() for text in (*LINES, *map(line.seal, LINES))]),
}


def stream(chance: random.Random, genuine: list[bytes], length: int) -> bytes:
    """About ``length`` bytes such as a bad cable brings: one message in three is damaged."""
    out = bytearray()
    while len(out) < length:
        message = bytearray(chance.choice(genuine))
        match chance.randrange(12):
            case 0:
                message[chance.randrange(len(message))] = chance.randrange(256)
            case 1:
                del message[chance.randrange(len(message))]
            case 2:
                message[chance.randrange(len(message)) :] = b""
            case 3:
                message += chance.randbytes(chance.randrange(1, 80))
        out += message
    return bytes(out)


def chunks(chance: random.Random, data: bytes) -> Iterator[bytes]:
    while data:
        length = chance.randrange(1, 200)
        yield data[:length]
        data = data[length:]


def told(codec: Codec[Any], parts: Iterable[bytes]) -> list[object]:
    """What a codec says; an error is shown as its text, so that two readings compare."""
    return [str(m) if isinstance(m, ProtocolError) else m for part in parts for m in codec.feed(part)]


def fuzz(name: str, length: int, seed: int) -> dict[str, object]:
    """Raises whatever the codec raises, and AssertionError where the chunks make a difference."""
    make, genuine = CODECS[name]
    chance = random.Random(f"{name} {seed}")
    whole, bytewise, cut = make(), make(), make()
    fed, messages, complaints, since = 0, 0, 0, time.monotonic()
    while fed < length:
        noisy = fed // BLOCK % 4 == 3
        block = chance.randbytes(BLOCK) if noisy else stream(chance, genuine, BLOCK)
        try:
            expected = told(whole, (block,))
            assert told(bytewise, (block[i : i + 1] for i in range(len(block)))) == expected, "byte by byte"
            assert told(cut, chunks(chance, block)) == expected, "in chunks"
        except Exception:
            print(f"{name}, seed {seed}, {fed} bytes in: {block[:2000].hex()}…", file=sys.stderr)
            raise
        fed += len(block)
        complaints += sum(isinstance(message, str) for message in expected)
        messages += sum(not isinstance(message, str) for message in expected)
    seconds = round(time.monotonic() - since, 1)
    return {"codec": name, "bytes": fed, "messages": messages, "complaints": complaints, "seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bytes", type=int, default=10_000_000)
    parser.add_argument("--codec", choices=CODECS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.codec or CODECS:
        print(json.dumps(fuzz(name, given.bytes, given.seed)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
