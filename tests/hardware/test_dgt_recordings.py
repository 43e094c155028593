"""Two games recorded on real DGT boards: exact to the last move, in any chunks, on a board turned round too."""

import base64
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import pytest
from test_dgt_picture import turned_round

from controller.cli.decode import decode, reader_for
from controller.cli.replay import judge

RECORDINGS = Path(__file__).resolve().parents[2] / ".." / "shared" / "recordings"
SCORES = {"dgt-1": "dgt-1.uci", "dgt-johan": "dgt-johan.pgn"}


def truth(name: str) -> list[str]:
    text = (RECORDINGS / SCORES[name]).read_text()
    if SCORES[name].endswith(".pgn"):
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        return [move.uci() for move in game.mainline_moves()]
    return [word for word in text.split() if word[0].isalpha()]


def chunks(data: bytes, how: str) -> Iterator[bytes]:
    chance = random.Random(how)
    while data:
        length = {"byte by byte": 1, "all at once": len(data)}.get(how) or chance.randrange(1, 40)
        yield data[:length]
        data = data[length:]


def decoded(data: bytes, how: str) -> list[bytes]:
    text = b"".join(base64.b64encode(chunk) + b"\n" for chunk in chunks(data, how))
    return list(decode(reader_for("dgt"), text))


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("name", SCORES)
def test_a_real_game_is_exact(name: str, rotated: bool) -> None:
    if not RECORDINGS.is_dir():
        pytest.skip(f"no recordings at {RECORDINGS}")
    lines = (RECORDINGS / f"{name}.inbytes").read_bytes().splitlines()
    data = b"".join(base64.b64decode(line) for line in lines)
    log = decoded(turned_round(data) if rotated else data, "all at once")
    for how in ("byte by byte", "random 1", "random 2"):
        assert decoded(turned_round(data) if rotated else data, how) == log
    moves: list[str] = []
    for line in b"".join(judge(log, name)).splitlines():
        event = json.loads(line)
        if event["type"] == "move":
            moves.append(event["uci"])
        elif event["type"] == "retract":
            moves.pop()
    assert moves == truth(name)
