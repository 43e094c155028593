"""Whole games, clock included, through a matrix on which the sensor of one square never closes, from beginning to end.

Electrical board with 1 ms of bounce, driver, scan thread at 200 a second, debouncer, tracker and game as in the daemon;
only the time is simulated. Where a piece stands on the dead square at the beginning, the game is begun by command.
Prints one JSON line: the share of plies recorded as played once the game is resigned, where nobody knew of the sensor;
how many notices a player was given without fault; and the same share where an earlier game on the board had found it.
"""

import logging
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import chess
from common import AT_WIRES, options, percent, report, wrong_plies

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from wired import MS, Wired

from controller.contract import Illegal, Violation
from hardware.simulator.games import random_game
from hardware.simulator.hands import play

PLIES = 50
CLOCK = "5400+30"
SQUARES = ("d4", "e4", "d5", "e5", "c3", "f6", "h5", "d2", "e7", "a1", "e1", "g8")


class Outcome(NamedTuple):
    """One game."""

    plies: int
    wrong: int
    accused: int


def one(seed: int, square: str, known: bool) -> Outcome:
    """A game on a board on which that sensor sticks open."""
    moves = random_game(seed, PLIES)
    with tempfile.TemporaryDirectory() as folder:
        wired = Wired(Path(folder), seed=seed, clock=CLOCK)
        wired.electrical.stick(chess.parse_square(square), "open")
        wired.run_until(300)
        if not wired.session.playing:
            _command(wired, type="new-game")
        if known:
            _command(wired, type="sensor", square=square, works=False)
        wired.play(play(chess.Board(), moves, AT_WIRES, seed))
        _command(wired, type="resign", side="black" if len(moves) % 2 else "white")
        made, accused = wired.moves(), sum(isinstance(event, Illegal | Violation) for event in wired.events())
        wired.close()
    return Outcome(len(moves), len(wrong_plies(made, [move.uci() for move in moves])), accused)


def _command(wired: Wired, **fields: object) -> None:
    if wired.session.playing or fields["type"] == "new-game":
        wired.session.command(fields, wired.ms * MS)


def measure(games: range) -> dict[str, Any]:
    unknown = {square: [one(seed, square, known=False) for seed in games] for square in SQUARES}
    known = [one(seed, square, known=True) for square in SQUARES for seed in games]
    every = [game for played in unknown.values() for game in played]
    return {
        "name": "dead_sensor",
        "figure": _right(every),
        "unit": "% of plies right",
        "goal": 100.0,
        "games": len(every),
        "plies": sum(game.plies for game in every),
        "exact_games": sum(not game.wrong for game in every),
        "accused": sum(game.accused for game in every),
        "by_square": {square: _right(played) for square, played in unknown.items()},
        "known": _right(known),
        "known_accused": sum(game.accused for game in known),
    }


def _right(games: list[Outcome]) -> float:
    plies = sum(game.plies for game in games)
    return percent(plies - sum(game.wrong for game in games), plies)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    chosen = options(games=2).parse_args()
    report(measure(range(chosen.seed, chosen.seed + chosen.games)))
