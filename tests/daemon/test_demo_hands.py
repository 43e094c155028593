"""The hands of the demonstration heed the arbiter: who practises sees what follows of his ruling."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hall import until
from msgspec.structs import replace

from controller import contract as c
from controller.cli.demo import game as demo_game
from controller.cli.demo.hands import SOON_NS, _Hands, play
from controller.config import JournalConfig
from controller.daemon.service import Daemon
from controller.daemon.timeline import MS_NS
from controller.outlets.pgn import PgnConfig
from controller.wire import decode_event
from hardware.simulator.habits import Gesture

T = TypeVar("T")

SPEED = 6.0
FURTHER = 12  #: plies that are played after the ruling


def told(daemon: Daemon, kind: type[T]) -> list[T]:
    """What was told of that type so far."""
    events = [decode_event(record.body) for record in daemon.journal.after(0, 100_000) if record.kind == "event"]
    return [event for event in events if isinstance(event, kind)]


def practise(folder: Path, rule: Callable[[Daemon], Awaitable[None]], check: Callable[[Daemon], None]) -> None:
    """A game is played, and an arbiter rules; once it is over all is looked at."""
    show = demo_game.show(None, SPEED, 1)
    tables = {"journal": JournalConfig(path=str(folder / "j.sqlite")), "pgn": PgnConfig(directory=str(folder / "g"))}
    daemon = Daemon(replace(show.config, console=None, **tables), SPEED)

    async def hands(daemon: Daemon) -> None:
        await play(daemon, show, SPEED)
        check(daemon)

    async def arbiter(daemon: Daemon) -> None:
        await rule(daemon)
        await asyncio.Event().wait()

    asyncio.run(daemon.run(hands, arbiter))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_game, "PLIES", FURTHER)


def test_after_a_breach_is_upheld_the_pieces_are_put_back_and_the_touched_one_is_moved(tmp_path: Path) -> None:
    async def rule(daemon: Daemon) -> None:
        await until(lambda: told(daemon, c.Violation), 60)
        await daemon.only.carry_out({"type": "arbiter", "do": "uphold"})
        await until(lambda: told(daemon, c.Restored), 60)
        await daemon.only.carry_out({"type": "arbiter", "do": "resume"})

    def check(daemon: Daemon) -> None:
        (breach,), (restored,) = told(daemon, c.Violation), told(daemon, c.Restored)
        moved = [move for move in told(daemon, c.Move) if move.ms > restored.ms]
        assert moved[0].side == breach.side
        assert moved[0].uci in breach.owed
        assert len(moved) >= FURTHER
        assert told(daemon, c.Illegal) == []
        assert [(result.result, result.reason) for result in told(daemon, c.Result)] == [("1/2-1/2", "agreement")]

    practise(tmp_path, rule, check)


def test_while_the_clocks_stand_nobody_plays_on_and_then_the_game_goes_on_as_it_was(tmp_path: Path) -> None:
    async def rule(daemon: Daemon) -> None:
        await until(lambda: len(told(daemon, c.Move)) == 4, 60)
        await daemon.only.carry_out({"type": "arbiter", "do": "pause"})
        await asyncio.sleep(0.5)
        made = len(told(daemon, c.Move))
        await asyncio.sleep(1.0)
        assert len(told(daemon, c.Move)) == made
        await daemon.only.carry_out({"type": "arbiter", "do": "resume"})

    def check(daemon: Daemon) -> None:
        assert [result.reason for result in told(daemon, c.Result)] == ["checkmate"]

    practise(tmp_path, rule, check)


def test_a_piece_that_is_seen_late_stays_as_long_where_it_is_as_the_show_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a touch is a brush to the board where the machine is busy, and no breach is seen."""
    show, done, move = demo_game.show(None, SPEED, 1), list[tuple[int, int]](), _Hands.move

    async def late(hands: _Hands, *what: Any) -> None:
        begun = time.monotonic_ns()
        await move(hands, *what)
        await asyncio.sleep(0.1)
        done.append((begun, time.monotonic_ns()))

    async def rule(daemon: Daemon) -> None:
        await until(lambda: len(done) == 12, 60)
        await daemon.only.carry_out({"type": "resign", "side": "white"})

    def check(_: Daemon) -> None:
        planned = [act.ms for act in show.acts if isinstance(act.what, Gesture)]
        for wanted, was in zip(itertools.pairwise(planned), itertools.pairwise(done), strict=False):
            assert was[1][0] - was[0][1] >= (wanted[1] - wanted[0]) * MS_NS / SPEED - SOON_NS

    monkeypatch.setattr(_Hands, "move", late)
    practise(tmp_path, rule, check)
