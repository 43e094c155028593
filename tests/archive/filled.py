"""Whole games as boards tell them: touches and moves played by hands, judged by the core, as events of an archive."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from controller.archive.heard import QueuedEvent, QueuedHead, VenueBoard
from controller.contract import Senses, Session
from controller.game import Game
from controller.wire import decode_input, encode
from hardware.simulator.games import pgn_games
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play
from hardware.simulator.sight import touches

GAMES = sorted((Path(__file__).resolve().parents[1] / "games").glob("*.pgn"))
SENSES: Senses = "occupancy"
CLOCK = "5400+30"
Told = list[dict[str, Any]]


@cache
def inputs(number: int) -> tuple[Told, ...]:
    """What came of each input of a real game, the inputs without events among them, as JSON."""
    ((board, moves),) = pgn_games(GAMES[number % len(GAMES)])
    session = Session(version=1, senses=SENSES, clock=CLOCK)
    game = Game(session)
    lines = touches(play(board, moves, replace(HONEST, press=True), number), SENSES)
    return tuple([to_builtins(event) for event in game.handle(decode_input(encode(line)))] for line in lines)


class Board:
    """The board ``number`` of a venue; its records are numbered as its journal would number them."""

    def __init__(self, number: str, game: int = 0, venue: str = "hall") -> None:
        self.place = VenueBoard(venue, f"board/{number}")
        self.origin = f"{number:0>32}"
        self.game = f"{venue}-{number}"
        self.seq = self.last = 0
        self._ply = 0
        self._events = self._told(game)

    def opening(self, **more: Any) -> QueuedEvent:
        """The beginning of its game."""
        number = self.place.board.partition("/")[2]
        session = to_builtins(Session(version=1, senses=SENSES, clock=CLOCK))
        said = {
            "game": self.game,
            "venue": self.place.venue,
            "board": number,
            "started": "2026-11-25T10:00:00+01:00",
            "tags": {"White": f"White of {number}", "Black": f"Black of {number}", "Event": "Olympiad", "Round": "3"},
            "session": session,
        }
        return self.event({"type": "game", "opening": said | more})

    def event(self, body: dict[str, Any]) -> QueuedEvent:
        """The next event, whatever it is, of the input that came last."""
        self.seq += 1
        after, self.last = self.last, self.seq
        self._ply = body.get("ply", self._ply)
        return QueuedEvent(self.place, self.origin, self.seq, after, self.game, {"ply": self._ply} | body)

    def input(self) -> int:
        """Another input comes; its number."""
        self.seq += 1
        return self.seq

    def next(self, count: int) -> list[QueuedEvent]:
        """So many events more of its game, fewer where that is over."""
        return [event for _, event in zip(range(count), self._events, strict=False)]

    def head(self) -> QueuedHead:
        """How far it is told."""
        return QueuedHead(self.place, self.origin, self.seq, bytes(32), self.last)

    def _told(self, game: int) -> Iterator[QueuedEvent]:
        yield self.opening()
        for events in inputs(game):
            self.input()
            for body in events:
                yield self.event(msgspec.json.decode(encode(body)))
