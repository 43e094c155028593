"""An evening at the club: games by people of different pace and tidiness, and what each kind of board makes of them."""

import random
from typing import NamedTuple

import chess

from guests import games, habits, sensors
from guests.sensors import Line
from guests.wood import Wood, set_up

CLOCK = "5400+30"
EDITIONS = ("fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023")
SENSES = ("occupancy", "colour", "identity")


class Evening(NamedTuple):
    """One game as it was played."""

    start: chess.Board
    truth: list[str]
    wood: Wood
    clock: str | None

    def session(self, senses: str = "occupancy", laws: str = "fide-2023") -> Line:
        """The first line of its log."""
        return {"laws": laws, "senses": senses, "clock": self.clock}


def play(seed: int, *, clock: bool, tells: bool = False, pushes: bool = False, neat: bool = False) -> Evening:
    """A game by two people. ``tells``: for a board that sees kinds; ``neat``: people who do only what a move needs."""
    start, moves = chess.Board(), games.game(seed)
    wood, board = set_up(start, seed), start.copy()
    paces, manners = (0.3, 0.6, 1.0, 1.5), (1.0,) if neat else (0.3, 0.6, 0.9)
    people = [
        habits.Player(wood.rng.choice(paces), wood.rng.choice(manners), presses=clock, tells=tells, pushes=pushes)
        for _ in chess.COLORS
    ]
    for move in moves:
        habits.ply(habits.Turn(wood, board, move, people[board.turn]))
        board.push(move)
        if not wood.fits(board):
            raise AssertionError(f"seed {seed}: the hands did not play {move} as {board.fen()} has it")
    return Evening(start, [move.uci() for move in moves], wood, CLOCK if clock else None)


def by_touches(seed: int, senses: str, laws: str, *, clock: bool, pushes: bool = False) -> tuple[Evening, list[Line]]:
    """A board that reports each change."""
    game = play(seed, clock=clock, tells=senses == "identity", pushes=pushes)
    return game, sensors.log(game.session(senses, laws), sensors.edges(game.wood, game.start, senses))


def by_scans(seed: int, *, clock: bool) -> tuple[Evening, list[Line]]:
    """A board of wires whose contacts bounce for up to 6 ms, scanned each 5 ms."""
    game = play(seed, clock=clock)
    return game, sensors.log(game.session(), sensors.scans(game.wood, game.start, bounce_ms=6, seed=seed))


def by_looks(seed: int, senses: str, laws: str) -> tuple[Evening, list[Line]]:
    """A board that reports each change, and looks for them five times a second; with a clock."""
    game = play(seed, clock=True, tells=senses == "identity")
    return game, sensors.log(
        game.session(senses, laws), sensors.edges_by_looks(game.wood, game.start, senses, phase_ms=7 + seed % 191)
    )


def by_slow_scans(seed: int) -> tuple[Evening, list[Line]]:
    """A slow board, tidy people."""
    game = play(seed, clock=False, neat=True)
    return game, sensors.log(game.session(), sensors.changed_only(game.wood, game.start))


def with_missing(seed: int, share: float = 0.05) -> tuple[Evening, list[Line]]:
    """The same, with a share of the scans that show a change lost."""
    game, lines = by_slow_scans(seed)
    return game, sensors.with_missing(lines, share, seed)


def with_gap(seed: int, plies: int, *, clock: bool) -> tuple[Evening, list[Line]]:
    """Touches, and the cable out for whole plies somewhere in the game."""
    game = play(seed, clock=clock, neat=True)
    lines = sensors.log(game.session(), sensors.scans(game.wood, game.start, every_ms=10))
    after = game.wood.plies
    first = random.Random(seed).randint(6, max(6, len(after) - plies - 8))
    begin, end = after[first - 1] + 120, after[min(first + plies, len(after)) - 1] + 20
    return game, sensors.with_gap(lines, begin, end, presses_heard=False)


def with_stuck(seed: int, *, closed: bool, clock: bool) -> tuple[Evening, list[Line], str]:
    """Touches on a board of which one sensor fails for the whole game; which one is the third."""
    game = play(seed, clock=clock, neat=True)
    rng = random.Random(seed)
    used = sorted({square for _, square, _ in game.wood.changes})
    square = rng.choice(used)
    lines = sensors.log(game.session(), sensors.scans(game.wood, game.start, every_ms=10))
    return game, sensors.with_stuck(lines, square, closed=closed), chess.square_name(square)


def with_failing(seed: int, *, closed: bool, clock: bool) -> tuple[Evening, list[Line], str]:
    """The same where it fails in mid-game, under a piece or not."""
    game = play(seed, clock=clock, neat=True)
    rng = random.Random(seed)
    square, plies = rng.choice(sorted({square for _, square, _ in game.wood.changes})), game.wood.plies
    at = rng.randint(plies[6], plies[-10])
    lines = sensors.log(game.session(), sensors.scans(game.wood, game.start, every_ms=10, fails_ms=at))
    return game, sensors.with_stuck(lines, square, closed=closed, from_ms=at), chess.square_name(square)


def noise(seed: int, inputs: int = 400) -> list[Line]:
    """What no hands do, in the middle of a game."""
    lines = by_touches(seed, "occupancy", "fide-2023", clock=bool(seed % 2))[1]
    begun = lines[: 1 + len(lines) // 3]
    last = int(str(begun[-1].get("ms", 0)))
    return begun + [{**line, "ms": last + int(str(line["ms"]))} for line in sensors.noise(random.Random(seed), inputs)]
