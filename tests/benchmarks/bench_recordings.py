"""Two games recorded on a real DGT board, from its raw bytes to the moves: every ply should be right."""

import io
import sys
from pathlib import Path
from typing import Any

import chess
import chess.pgn
from common import Played, percent, record, report

from controller.cli.decode import decode_file
from controller.game import Game
from controller.wire import decode_input, decode_session

RECORDINGS = Path(__file__).resolve().parents[2] / ".." / "shared" / "recordings"
GAMES = {"dgt-1.inbytes": "dgt-1.uci", "dgt-johan.inbytes": "dgt-johan.pgn"}


def truth(path: Path) -> list[str]:
    """The moves that were played: SAN in a PGN, else UCI with move numbers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".pgn":
        game = chess.pgn.read_game(io.StringIO(text))
        return [move.uci() for move in game.mainline_moves()] if game else []
    return [word for word in text.split() if word[0] in "abcdefgh"]


def judged(recording: Path, moves: list[str]) -> Played:
    """The recording through decoder and game."""
    log = io.BytesIO()
    if decode_file("dgt", recording, log):
        raise ValueError(f"{recording.name} cannot be decoded")
    first, *rest = log.getvalue().splitlines()
    game, inputs = Game(decode_session(first)), [decode_input(line) for line in rest]
    events = [event for item in inputs for event in game.handle(item)] + game.finish()
    return Played(0, moves, [], inputs, events)


def main(verbose: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = {"name": "recordings", "figure": None, "floor": "none: the goal is every ply", "goal": 100.0}
    if not RECORDINGS.is_dir():
        return {**line, "skipped": f"no recordings beside the project in {RECORDINGS.name}/"}
    wrong = plies = 0
    for recording, score in GAMES.items():
        played = judged(RECORDINGS / recording, truth(RECORDINGS / score))
        wrong += len(played.wrong)
        plies += len(played.truth)
        if played.wrong and verbose:
            print(f"{recording}: wrong plies {played.wrong}", file=sys.stderr)
            print("truth ", *played.truth, "\nrecord", *record(played.events), file=sys.stderr)
    return {**line, "figure": percent(plies - wrong, plies), "unit": "% of plies right", "plies": plies, "wrong": wrong}


if __name__ == "__main__":
    report(main("--verbose" in sys.argv))
