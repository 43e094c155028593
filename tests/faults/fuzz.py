"""Feeds every parser of text absurd inputs, and demands one thing: it reads them, or refuses them by an error of ours.

    python tests/faults/fuzz.py [--inputs N] [--parser NAME] [--seed N]

An input is a genuine one with parts changed, lost, repeated, exchanged with parts of others, or nested without end;
what passes goes on through the game, for what is read must be playable too. Ends with one JSON line a parser; with
status 1 where one failed, and then says with what.
"""

import argparse
import io
import json
import logging
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import chess

from controller import event
from controller.cli import demo_game
from controller.cli.explain import explain
from controller.cli.replay import judge, lines_of
from controller.config import load
from controller.contract import Session, decode_session
from controller.daemon.commands import read_command
from controller.errors import JadoubeError
from controller.game import Game
from controller.match import seated
from controller.occasion import GameConfig, MatchConfig, Occasion

ROOT = Path(__file__).resolve().parents[2]
MOVES = 40  #: inputs to one game, before the next begins
SLOW_S = 5.0  #: of the processor's time: no input may take longer

Parser = Callable[[bytes], object]


class Text:
    """A file that need not be written."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read_text(self, encoding: str) -> str:
        return self._data.decode(encoding)

    def __str__(self) -> str:
        return "fuzz"


# -- the parsers, and what they are given ------------------------------------------------------------------------


def configuration(data: bytes) -> object:
    return load(Text(data))  # type: ignore[arg-type]


def pgn(data: bytes) -> object:
    return demo_game.read(Text(data))  # type: ignore[arg-type]


def pairings(data: bytes) -> object:
    return event.pairing(event.decode(data), "fuzz", "3", None)


def fen(data: bytes) -> object:
    """As a configuration, a command and a session log say it; then one input to whatever game that is."""
    text = data.decode("utf-8", "replace")
    game = seated(decode_session(json.dumps({"type": "session", "version": 1, "fen": text}).encode()))
    return game.finish()


class Commands:
    """They come one after the other, to one game and then the next."""

    def __init__(self) -> None:
        self._number = 0
        self._game = Game(Session(version=1))

    def __call__(self, data: bytes) -> object:
        self._number += 1
        if self._number % MOVES == 0:
            self._game = Game(Session(version=1, clock=("300+2", None)[self._number // MOVES % 2]))
        match: Occasion = (GameConfig(), MatchConfig())[self._number % 5 == 0]
        item = read_command(data, 40 * (self._number % MOVES), match)
        if isinstance(item, Occasion) or item.board is not None:
            return item
        return self._game.handle(item)


def session_log(data: bytes) -> object:
    return sum(map(len, judge(lines_of(io.BytesIO(data)), "fuzz")))


def told(data: bytes) -> object:
    """A session log or an event log, in words."""
    return sum(map(len, explain(lines_of(io.BytesIO(data)), "fuzz", "en")))


SENSED = rb'"(lift|place|frame|time)"'
LINES = (
    b'{"type":"lift","ms":1000,"square":"e2"}',
    b'{"type":"place","ms":1900,"square":"e4","piece":"P","side":"white"}',
    b'{"type":"frame","ms":2600,"occupied":"ffff00000000ffff"}',
    b'{"type":"contact","ms":2700,"square":"g8"}',
    b'{"type":"choose","ms":3000,"side":"white","piece":"q"}',
    b'{"type":"claim","ms":3100,"side":"black","of":"threefold","move":"Nf6"}',
    b'{"type":"claim","ms":3200,"side":"white","of":"quickplay","increment":true}',
    b'{"type":"draw","ms":3300,"side":"white","act":"offer"}',
    b'{"type":"press","ms":3400,"side":"white"}',
    b'{"type":"pause","ms":3500,"side":"white"}',
    b'{"type":"adjust","ms":3600,"side":"black"}',
    b'{"type":"arbiter","ms":3700,"do":"set-clock","white_ms":600000,"black_add_ms":-5,"white_moves":3,"by":"A"}',
    b'{"type":"arbiter","ms":3800,"do":"report","side":"black","kind":"two-hands","piece":"n"}',
    b'{"type":"arbiter","ms":3900,"do":"result","result":"1/2-1/2"}',
    b'{"type":"arbiter","ms":4000,"do":"uphold"}',
    b'{"type":"arbiter","ms":4100,"do":"resume"}',
    b'{"type":"arbiter","ms":4200,"do":"undo"}',
    b'{"type":"time","ms":9000}',
    b'{"type":"resign","ms":9100,"side":"black"}',
)
SESSIONS = (
    b'{"type":"session","version":1,"laws":"fide-2023","play":"standard","supervised":true,"fen":"startpos"}',
    b'{"type":"session","version":1,"laws":"fide-2005","play":"blitz","senses":"identity","clock":"180d3"}',
    b'{"type":"session","version":1,"clock":"40/5400+30:1800+30","announced":["quickplay"],"settings":{"brush_ms":9}}',
    b'{"type":"session","version":1,"match":"bughouse","clock":"180","fen":{"A":"startpos","B":"startpos"}}',
    b'{"type":"session","version":1,"fen":"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2","senses":"colour"}',
)
PLAYED = tuple(
    line.encode()
    for line in (
        '{"type":"lift","ms":1000,"square":"g1"}',
        '{"type":"place","ms":1900,"square":"g1"}',
        '{"type":"lift","ms":2600,"square":"e2"}',
        '{"type":"place","ms":3100,"square":"e4"}',
        '{"type":"press","ms":3400,"side":"white"}',
        '{"type":"press","ms":4400,"side":"black"}',
        '{"type":"arbiter","ms":5000,"do":"uphold"}',
        '{"type":"resign","ms":9100,"side":"black"}',
    )
)
FENS = tuple(
    text.encode()
    for text in (
        chess.STARTING_FEN,
        "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
        "8/8/8/8/8/8/8/8 b - - 99 200",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Ppq] w KQkq - 0 1",
    )
)
PAIRINGS = (
    b"Round;Board;White;White FIDE id;Black;BlackElo\n1;3;Ann, A;14109603;Bob;2100\n1;4;Cid;;Dora;\n",
    b'[Event "Open"]\n[Round "2.3"]\n[White "Ann"]\n[Black "Bob \\"B\\""]\n[WhiteElo "2000"]\n\n*\n\n',
)


def genuine(name: str) -> tuple[bytes, ...]:
    """What that parser reads in earnest."""
    match name:
        case "configuration":
            files = sorted((ROOT / "config").glob("*.toml"))
            return tuple(line.read_bytes().replace(b"\n# ", b"\n") for line in files) + tuple(
                file.read_bytes() for file in files
            )
        case "pgn":
            return tuple(file.read_bytes() for file in sorted((ROOT / "tests" / "games").glob("*.pgn")))
        case "pairings":
            return PAIRINGS
        case "fen":
            return FENS
        case "commands":
            said = tuple(re.sub(rb'"ms":\d+,?', b"", line) for line in LINES if not re.search(SENSED, line))
            return (*said, b'{"type":"new-game","white":"Ann","fen":"startpos","tags":{"WhiteElo":"2000"}}')
        case "event logs":
            return tuple(b"".join(judge((session, *PLAYED), "genuine")) for session in SESSIONS[:3])
        case "session logs":
            return tuple(b"\n".join((session, *LINES)) for session in SESSIONS)
        case _:
            raise ValueError(name)


PARSERS: dict[str, Callable[[], Parser]] = {
    "configuration": lambda: configuration,
    "pgn": lambda: pgn,
    "pairings": lambda: pairings,
    "fen": lambda: fen,
    "commands": Commands,
    "session logs": lambda: session_log,
    "event logs": lambda: told,
}

# -- what is done to it ------------------------------------------------------------------------------------------

SCRAPS = (
    *(b"0", b"-1", b"1e999", b"1e9", b"9" * 30, b"9" * 5000, b"null", b"true", b'""', b"[]", b"{}", b"nan", b"\\ud800"),
    *(
        b"\x00",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        "½٣²".encode(),
        b'"',
        b"\\",
        b"\n",
        b"\r",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
    ),
    *(b"[" * 3000, b"{" * 3000, b"(" * 3000, b'{"a":' * 3000, b"a." * 3000, b"A" * 200_000, b"/" * 80, b" " * 500),
    *(
        b"[A]\n",
        b"[B.board]\n",
        b"type",
        b"board",
        b"e9",
        b"a1",
        b"P@e4",
        b"O-O-O",
        b"$99999",
        b"{[%clk 9:99:99]}",
        b";",
    ),
)


def damaged(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A genuine input with up to eight things done to it."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 1, 2, 5, 20, 200)))
        match chance.randrange(7):
            case 0:
                data[at:end] = b""
            case 1:
                data[at:end] = chance.randbytes(end - at)
            case 2:
                data[at:at] = data[at:end] * chance.randrange(1, 4)
            case 3:
                data[at:at] = chance.choice(SCRAPS[:-1] if chance.random() < 0.9 else SCRAPS)
            case 4:
                other = chance.choice(seeds)
                begin = chance.randrange(len(other))
                data[at:end] = other[begin : begin + chance.randrange(1, 60)]
            case 5 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case _:
                _number(chance, data)
    return bytes(data)


def _number(chance: random.Random, data: bytearray) -> None:
    """One of its numbers becomes another one."""
    digits = [at for at, byte in enumerate(data) if byte in b"0123456789"]
    if digits:
        at = chance.choice(digits)
        data[at : at + 1] = chance.choice((b"", b"0", b"7", b"64", b"-1", b"1.5", b"4294967296", b"1" * 25))


def fuzz(name: str, inputs: int, seed: int) -> dict[str, object]:
    """Raises whatever is raised that is no error of ours, and :exc:`TimeoutError` for one that takes too long."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # it says what we say too
    parse, seeds = PARSERS[name](), genuine(name)
    chance = random.Random(f"{name} {seed}")
    refused, since = 0, time.monotonic()
    for number in range(inputs):
        data = damaged(chance, seeds)
        began = time.process_time()
        try:
            parse(data)
        except JadoubeError:
            refused += 1
        except Exception:
            _show(name, seed, number, data)
            raise
        if time.process_time() - began > SLOW_S:
            _show(name, seed, number, data)
            raise TimeoutError(f"{name}: an input that takes {time.process_time() - began:.1f} s")
    seconds = round(time.monotonic() - since, 1)
    return {"parser": name, "inputs": inputs, "refused": refused, "read": inputs - refused, "seconds": seconds}


def _show(name: str, seed: int, number: int, data: bytes) -> None:
    print(f"{name}, seed {seed}, input {number}: {data[:3000]!r} ({len(data)} bytes)", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000_000)
    parser.add_argument("--parser", choices=PARSERS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.parser or PARSERS:
        found: dict[str, Any] = fuzz(name, given.inputs, given.seed)
        print(json.dumps(found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
