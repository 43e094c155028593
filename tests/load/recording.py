"""Games judged beforehand, as what our outlet publishes of them: in one file, from which a thousand boards play.

    python -m load.recording OUT [--games N] [--journals DIR]

Hands play famous games and random ones on simulated boards; the game judges them as ``jadoube replay`` does, a real
journal keeps them, and :mod:`controller.outlets.mqtt.topics` says what is published of each. What differs from board to
board is left open: the numbers of the records, the journal's name, the game's, and the board's.

The file is gzip, a JSON object a line, of each game: ``origin``, ``game``, ``board``, ``records`` and ``steps``: what
came of one input together. Of a step: ``ms``; ``last``, the number of its last record; ``events``; ``retained``. A
message is ``[topics, form, holes]``; of an event ``[topics, form, holes, seq]``. ``form`` is for bytes' ``%``, and a
hole a number of a record, or one of :data:`HOLES`.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import chess
from msgspec.structs import replace

from controller.contract import Session
from controller.journal import Journal, Opening
from controller.match import game_of
from controller.outlets.follow import Follower
from controller.outlets.mqtt import topics
from controller.outlets.scoresheet import Scoresheet
from hardware.simulator.games import pgn_games, random_game
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play
from hardware.simulator.sight import touches

GAMES = Path(__file__).resolve().parents[1] / "games"
HABITS = replace(HONEST, think_ms=(1500, 6000))
PLIES = 120  #: of a random game
CLOCK = "300+3"
STARTED = "2026-11-22T10:00:00+01:00"
HOLES = ("ORIGIN", "GAME", "BOARD")
NUMBERS = re.compile(rb'"(seq|after|last)":(\d+)')


def games(count: int) -> Iterator[list[chess.Move]]:
    """Famous ones first."""
    famous = [moves for path in sorted(GAMES.glob("*.pgn")) for start, moves in pgn_games(path) if not start.chess960]
    yield from famous[:count]
    yield from (random_game(seed, PLIES) for seed in range(len(famous), count))


def record(number: int, moves: list[chess.Move], path: Path) -> dict[str, Any]:
    """One game on the board of that number, whose journal comes to be at ``path``."""
    session = Session(version=1, clock=CLOCK, senses="identity")
    about = Opening(game=f"load-{number}", venue="load", board=str(number), started=STARTED, session=session)
    game = game_of(session)
    breach = 9 if number % 4 == 0 else None
    steps: list[dict[str, Any]] = []
    with closing(Journal(path)) as journal:
        begun = journal.begin(about).result()
        now: Follower[Scoresheet] = Follower(journal, str(number), 0, Scoresheet)
        form = Form(journal.origin, about.game, about.board)
        steps.append(form.step(0, begun, now))
        for item in touches(play(chess.Board(), moves, HABITS, number, breach_at_ply=breach), "identity"):
            last = journal.append(about.game, item, game.handle(item)).result()
            steps.append(form.step(item.ms, last, now))
        return {
            "origin": journal.origin,
            "game": about.game,
            "board": about.board,
            "records": last,
            "steps": steps,
        }


class Form:
    """Leaves open what is of one board alone."""

    def __init__(self, *own: str) -> None:
        self._own = {json.dumps(value).encode(): number for number, value in enumerate(own)}
        self._parts = re.compile(b"|".join([NUMBERS.pattern, *map(re.escape, self._own)]))

    def step(self, ms: int, last: int, now: Follower[Scoresheet]) -> dict[str, Any]:
        """What is published of the records up to ``last``."""
        batch = now.read()
        said = list(topics.tell(batch))
        beside = {each.payload: [other.topic for other in said if other.payload == each.payload] for each in said}
        events = [
            [beside[each.payload], *self.open(each.payload), json.loads(each.payload)["seq"]]
            for each in said
            if each.topic == "event"
        ]
        stale = topics.HALL.stale(batch)
        retained = [[[each.topic], *self.open(each.payload)] for each in topics.retained(now, stale)]
        return {"ms": ms, "last": last, "events": events, "retained": retained}

    def open(self, payload: bytes) -> tuple[str, list[int | str]]:
        """The form and its holes."""
        form, holes, end = b"", list[int | str](), 0
        for found in self._parts.finditer(payload):
            form += payload[end : found.start()].replace(b"%", b"%%")
            if found.group(1):
                form += b'"%b":%%d' % found.group(1)
                holes.append(int(found.group(2)))
            else:
                form += b"%b"
                holes.append(HOLES[self._own[found.group()]])
            end = found.end()
        return (form + payload[end:].replace(b"%", b"%%")).decode(), holes


def write(out: Path, count: int, journals: Path) -> None:
    """Records so many games, each in a journal of its own."""
    with gzip.open(out, "wt") as file:
        for number, moves in enumerate(games(count), start=1):
            print(json.dumps(record(number, moves, journals / f"{number}.sqlite")), file=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--journals", type=Path, help="where the journals of the games are kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write(given.out, given.games, given.journals or Path(folder))


if __name__ == "__main__":
    main()
