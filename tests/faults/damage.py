"""What every parser of text reads in earnest, and what is done to it before ``fuzz.py`` feeds it.

A damaged input is a genuine one with parts changed, lost, repeated, exchanged with parts of others, or nested without
end. What is read by the million is short, so that damage falls on what matters: one line of a log, one table of a
configuration beside ``[board]``, a few moves. What a game is made of as a whole is in :func:`whole`.
"""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from controller.cli.replay import judge
from controller.outlets.mqtt.signed import sign

ROOT = Path(__file__).resolve().parents[2]
KEY, TOPIC = bytes(range(32)), "jadoube/v1/hall/board/7"

SENSED = rb'"(lift|place|frame|time|outage)"'
LINES = (
    b'{"type":"lift","ms":1000,"square":"e2"}',
    b'{"type":"place","ms":1900,"square":"e4","piece":"P","side":"white"}',
    b'{"type":"frame","ms":2600,"occupied":"ffff00000000ffff"}',
    b'{"type":"contact","ms":2700,"square":"g8"}',
    b'{"type":"sensor","ms":2800,"square":"e4","works":false}',
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
    b'{"type":"outage","ms":5000,"away_ms":60000}',
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
PLAYED = (
    b'{"type":"lift","ms":1000,"square":"g1"}',
    b'{"type":"place","ms":1900,"square":"g1"}',
    b'{"type":"lift","ms":2600,"square":"e2"}',
    b'{"type":"place","ms":3100,"square":"e4"}',
    b'{"type":"press","ms":3400,"side":"white"}',
    b'{"type":"press","ms":4400,"side":"black"}',
    b'{"type":"arbiter","ms":5000,"do":"uphold"}',
    b'{"type":"resign","ms":9100,"side":"black"}',
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
REPORT = [
    "012 Open",
    "001    1 m GM Ann, A                            2500 FRA      600001 1990/00/00  1.0    1     2 w 1     3 b  ",
    "001    2 m    Bob é                                                  1990/00/00  0.5    2     1 b 0  0000 - H",
    "001    3 m    Cid                               2100 GER     4600001 1990/00/00  1.0    3  0000 - U     1 w  ",
    "013 Lyon                               1    3",
]
ROUNDS = (
    *PAIRINGS,
    "\r\n".join(REPORT).encode(),
    "Round 2\nBo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.\n1;1;GM;Ann;2500;1;½ - ½;1;;Bob;1900;2\n".encode(),
)
SHORT_GAMES = (
    b'[Event "?"]\n[White "Ann"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n',
    b"1. d4 {[%clk 1:29:58] a comment} d5 $1 2. c4 ( 2. Nf3 Nf6 ( 2... e6 ) 3. g3 ) 2... dxc4!? *\n",
    b'[FEN "4k3/P7/8/2Pp4/8/8/8/R3K2R w KQ d6 0 2"]\n[SetUp "1"]\n\n1. cxd6 Kf7 2. a8=Q Kg7 3. O-O-O 1/2-1/2\n',
    b'[Variant "Chess960"]\n[FEN "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1"]\n\n1. f4 e5 ; so\n*\n',
)


def genuine(name: str) -> tuple[bytes, ...]:
    """What that parser reads in earnest, a million times and more."""
    match name:
        case "configuration":
            return tuple(part for file in _configurations() for part in _tables(file))
        case "pgn":
            return SHORT_GAMES
        case "pairings":
            return PAIRINGS
        case "rounds":
            return ROUNDS
        case "fen":
            return FENS
        case "commands":
            said = tuple(re.sub(rb'"ms":\d+,?', b"", line) for line in LINES if not re.search(SENSED, line))
            return (*said, b'{"type":"new-game","white":"Ann","fen":"startpos","tags":{"WhiteElo":"2000"}}')
        case "signed commands":
            return tuple(sign(KEY, TOPIC, "anna", 0, command.decode()) for command in genuine("commands"))
        case "session lines":
            return SESSIONS
        case "input lines":
            return LINES
        case "event lines":
            return tuple(line for log in whole("event logs") for line in log.splitlines())
        case _:
            raise ValueError(name)


def whole(name: str) -> tuple[bytes, ...]:
    """The same as it stands in files."""
    match name:
        case "whole configurations":
            return (*_configurations(), *(file.replace(b"\n# ", b"\n") for file in _configurations()))
        case "whole games":
            return tuple(file.read_bytes() for file in sorted((ROOT / "tests" / "games").glob("*.pgn")))
        case "session logs":
            return tuple(b"\n".join((session, *LINES)) for session in SESSIONS)
        case "event logs":
            return tuple(b"".join(judge((session, *PLAYED), "genuine")) for session in SESSIONS[:3])
        case _:
            raise ValueError(name)


def _configurations() -> list[bytes]:
    """Those of boards; the archive reads another one."""
    return [file.read_bytes() for file in sorted((ROOT / "config").glob("*.toml")) if file.stem != "archive"]


BOARDS = re.compile(rb"\[(board|[AB]|[AB]\.board)\]")


def _tables(file: bytes) -> Iterator[bytes]:
    """Its boards, each time with one more of its tables, and without what only people read."""
    spoken = re.sub(rb"\s+#.*", b"", re.sub(rb"(?m)^# (?=\[|\w+ = )", b"", file))
    tables = [table for table in re.split(rb"\n(?=\[)", spoken) if table.startswith(b"[")]
    # The reference has a board of each kind; one is enough.
    boards = b"\n".join({re.split(rb"\n", each)[0]: each for each in reversed(tables) if BOARDS.match(each)}.values())
    yield from (boards + b"\n" + table + b"\n" for table in tables if not BOARDS.match(table))


# -- what is done to it ------------------------------------------------------------------------------------------

SCRAPS = (
    *(b"0", b"-1", b"1e999", b"1e9", b"9" * 30, b"null", b"true", b'""', b"[]", b"{}", b"nan", b"\\ud800"),
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
    *(b"/" * 80, b" " * 500),
)
ENDLESS = (*(b"[" * 3000, b"{" * 3000, b"(" * 3000, b'{"a":' * 3000, b"a." * 3000, b"9" * 5000, b"A" * 200_000),)
OFTEN_ENDLESS = 0.02  #: of what is put in


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
                data[at:at] = chance.choice(ENDLESS if chance.random() < OFTEN_ENDLESS else SCRAPS)
            case 4:
                other = chance.choice(seeds)
                begin = chance.randrange(len(other))
                data[at:end] = other[begin : begin + chance.randrange(1, 60)]
            case 5 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case _:
                _number(chance, data, at)
    return bytes(data)


DIGIT = re.compile(rb"\d")


def _number(chance: random.Random, data: bytearray, at: int) -> None:
    """The first of its digits from there on becomes another number."""
    if digit := DIGIT.search(data, at) or DIGIT.search(data):
        at = digit.start()
        data[at : at + 1] = chance.choice((b"", b"0", b"7", b"64", b"-1", b"1.5", b"4294967296", b"1" * 25))
