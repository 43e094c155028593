"""A table with the two boards of a match, with hands that move the pieces on either: ``scene.on("B").move("e2e4")``."""

import contextlib
import json
from pathlib import Path
from typing import Any

import aiomqtt
from hall import Subscriber, strictly
from stage import START, Scene

from controller.config import Setup, check
from controller.contract import BoardId
from controller.daemon.timeline import MS_NS
from controller.journal import Journal
from controller.outlets.follow import Follower
from controller.outlets.matchsheet import Matchsheet
from hardware.boards import BoardReading, LeverPress

QUICK = {"release_ms": 60, "brush_ms": 20}


def double(folder: Path, **tables: dict[str, Any]) -> Setup:
    """The configuration of a match on two quick simulated boards; ``tables`` add to the tables of the file."""
    raw: dict[str, Any] = {
        "A": {"number": "1", "board": {"type": "simulated"}},
        "B": {"number": "2", "board": {"type": "simulated", "seed": 1}},
        "event": {"venue": "hall", "match": "5", "settings": QUICK},
        "game": {"A": {"white": "Ann", "black": "Bob"}, "B": {"white": "Cid", "black": "Dora"}},
        "start": {"by": "at-once", "ready_s": 0.1},
        "pgn": {"directory": str(folder / "games")},
        "journal": {"path": str(folder / "journal.sqlite")},
    }
    for name, table in tables.items():
        raw[name] = raw.get(name, {}) | table
    return check(raw, "the test")


def matchsheet(journal: Journal) -> Matchsheet | None:
    """The sheet of the match in progress, as the journal has it."""
    follower = Follower(journal, "1+2", 0, Matchsheet)
    while follower.read():
        pass
    return follower.sheet


class Listener(Subscriber):
    """Hears a whole hall: what it heard is kept under ``board/1/move`` and the like."""

    async def _listen(self) -> None:
        with contextlib.suppress(aiomqtt.MqttError):
            async for message in self._client.messages:
                assert isinstance(message.payload, bytes)
                topic = message.topic.value.removeprefix("jadoube/v1/hall/")
                if message.payload:  # else what was retained is taken away
                    self.heard.append((topic, strictly(message.payload), bool(message.retain)))

    async def command(self, *, topic: str, **fields: Any) -> None:
        await self._client.publish(f"jadoube/v1/hall/{topic}/cmd", json.dumps(fields), qos=1)


class Double(Scene):
    """A scene on the board that :meth:`on` names."""

    def __init__(self, config: Setup, path: Path) -> None:
        self.board_id: BoardId = "A"
        self._occupied: dict[BoardId, int] = {}
        super().__init__(config, path)
        self._occupied = {"A": START, "B": START}

    def on(self, board_id: BoardId) -> "Double":
        self.board_id = board_id
        return self

    @property
    def occupied(self) -> int:
        return self._occupied[self.board_id]

    @occupied.setter
    def occupied(self, mask: int) -> None:
        self._occupied[self.board_id] = mask

    def set_up(self) -> None:
        """The pieces are shown as they stand, on both boards."""
        for board_id in ("A", "B"):
            self.on(board_id).show()

    def take(self, uci: str) -> None:
        """A capture: the victim leaves first."""
        self.lift(uci[2:])
        self.run(60)
        self.move(uci)

    def drop(self, square: str) -> None:
        self.place(square)
        self.run(200)

    def show(self, occupied: int | None = None) -> None:
        self.occupied = self.occupied if occupied is None else occupied
        self.session.take(
            BoardReading(self.at * MS_NS, self.occupied, began_ns=self.at * MS_NS), board_id=self.board_id
        )

    def show_on(self, board_id: BoardId | None) -> None:
        before = self.board_id
        self.on(board_id or before).show()
        self.on(before)

    def press(self, side: str) -> None:
        self.session.take(LeverPress(self.at * MS_NS, "white" if side == "white" else "black"), "clock", self.board_id)
        self.run(self.config.event.settings.debounce_ms)

    def sheet(self) -> Matchsheet:
        self._records()
        sheet = matchsheet(self.journal)
        assert sheet is not None
        return sheet

    def moves(self) -> list[str]:
        return [f"{name} {entry.move.uci}" for name, entry in self.sheet().entries()]
