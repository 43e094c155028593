"""``jadoube demo``: seeded hands play on simulated boards, under the daemon as it always is.

Nothing is short-circuited: the hands close switches of electrical boards, the matrix driver scans them, the daemon
judges, journals and publishes, and the view reads the journal. What is played is a game of :mod:`.demo_game` or a match
of :mod:`.demo_match`; once in it a player touches one piece and moves another.
"""

import asyncio
import logging
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.live import Live

from controller.cli import demo_game, demo_match
from controller.cli.demo_show import FOLDER, Act, Show
from controller.cli.matchview import MatchView
from controller.cli.run import TIMED
from controller.cli.view import Narrator, View
from controller.contract import BoardId
from controller.daemon.service import Daemon
from controller.daemon.timeline import MS_NS
from controller.errors import ConfigError
from controller.folded import folded
from controller.outlets.command import Fields
from controller.outlets.follow import Follower, S
from controller.outlets.topics import ALERTS
from hardware.boards import LeverPress
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator.habits import Gesture

FAREWELL_S = 10.0  #: of the game's time, for the result to come
LINGER_S = 1.0  #: that the last move can be seen
STAYS = "; the pages stay until Ctrl-C"
SEEN_S = 0.0005  #: between looks whether a piece has been seen


def demo(game: Path | None, speed: float, seed: int) -> int:
    """Plays the first game of a file, Morphy's at the opera, a game if ``game`` is ``chess960`` or a match if it is
    ``bughouse``, ``speed`` times as fast as life; 0 at its end.

    Raises :exc:`ConfigError` for a file without a game that can be played, and where nothing can be written.
    """
    show = demo_match.show(speed, seed) if str(game).lower() == "bughouse" else demo_game.show(game, speed, seed)
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        logging.basicConfig(level=logging.INFO, format=TIMED, filename=FOLDER / "jadoube.log", filemode="w")
        folded()
    except OSError as error:
        cause = "this folder belongs to another user, or is read-only"
        raise ConfigError(f"{FOLDER} cannot be written to: {error.strerror}", cause, "ls -ld . build") from error
    asyncio.run(_run(show, speed))
    return 0


async def _run(show: Show[Any], speed: float) -> None:
    daemon = Daemon(show.config, speed)

    async def hands(daemon: Daemon) -> None:
        await play(daemon, show, speed)
        if sys.stdout.isatty():
            await asyncio.Event().wait()  # somebody looks at the pages, perhaps

    async def watch(daemon: Daemon) -> None:
        await _watch(daemon, show, speed)

    await daemon.run(hands, watch)
    print(f"{show.notation}: {max(daemon.only.pgn.directory.iterdir(), key=lambda path: path.stat().st_mtime)}")


# -- the hands ---------------------------------------------------------------------------------------------------


async def play(daemon: Daemon, show: Show[S], speed: float) -> None:
    """The hands do what the show says, and the players say their last words; returns when all is over."""
    while not daemon.only.session.playing:
        await asyncio.sleep(0.01)
    began = time.monotonic_ns()
    async with asyncio.TaskGroup() as said:
        for act in show.acts:
            at_ns = began + int(act.ms * MS_NS / speed)
            await asyncio.sleep((at_ns - time.monotonic_ns()) / 1e9)
            began += max(0, time.monotonic_ns() - at_ns)  # a busy machine makes slow hands, not hasty ones
            if (words := _words(act)) is not None:
                said.create_task(daemon.only.carry_out(words, act.board_id))
            elif isinstance(act.what, Gesture):
                await _move(daemon, act.board_id, act.what)
    await asyncio.sleep(1.5 / speed)
    if daemon.only.session.playing:
        for last in show.last_words:
            await daemon.only.carry_out(last)
    for _ in range(100):
        if not daemon.only.session.playing:
            break
        await asyncio.sleep(FAREWELL_S / 100 / speed)
    await asyncio.sleep(LINGER_S)


def _words(act: Act) -> Fields | None:
    """The command by which it is said; None for what hands do."""
    match act.what:
        case Gesture(kind="adjust", side=side):
            return {"type": "adjust", "side": side}
        case Gesture(kind="choose", side=side, piece=piece):
            return {"type": "choose", "side": side, "piece": piece}
        case Gesture():
            return None
        case said:
            fields: Fields = msgspec.to_builtins(said)
            return fields


async def _move(daemon: Daemon, board_id: BoardId | None, gesture: Gesture) -> None:
    """Moves a piece, and waits until it has been seen: in fast forward, a late scan would come after the press."""
    board = daemon.only.boards[board_id]
    assert isinstance(board, SimulatedBoard)
    match gesture.kind:
        case "lift":
            board.electrical.lift(gesture.square)
        case "place":
            board.electrical.place(gesture.square)
        case "press":
            daemon.only.emit(LeverPress(time.monotonic_ns(), gesture.side), "clock", board_id)
            return
        case _:
            return  # a reed switch does not feel a finger
    seen = board.scans + 2  # one may be under way
    while board.scans < seen:
        await asyncio.sleep(SEEN_S)


# -- the view ----------------------------------------------------------------------------------------------------


async def _watch(daemon: Daemon, show: Show[S], speed: float) -> None:
    """Shows the game until cancelled; in plain lines where the output is no terminal."""
    while not (daemon.mqtt and daemon.console and daemon.console.port):
        await asyncio.sleep(0.01)
    about = [
        _pages(daemon),
        f"subscribe: mosquitto_sub -p {daemon.mqtt[0].port} -v -t '{show.topics}'",
        f"{show.notation}: {daemon.only.pgn.directory}/   journal: {show.config.journal.path}",
        f"the hands play on whatever an arbiter rules{STAYS if sys.stdout.isatty() else ''}",
    ]
    follower = Follower(daemon.journal, daemon.only.config.numbers, 0, show.begin)
    if sys.stdout.isatty():
        await _watch_screen(daemon, follower, show.view(about, speed), about)
    else:
        print(*about, sep="\n", flush=True)
        async with asyncio.TaskGroup() as told:
            told.create_task(_watch_lines(follower))
            told.create_task(_watch_pages(daemon, about[0]))


async def _watch_screen(daemon: Daemon, follower: Follower[Any], view: View | MatchView, about: list[str]) -> None:
    with Live(view, console=Console(), refresh_per_second=10):
        while True:
            for news in follower.read():
                view.take(news)
            view.alerts.notices = daemon.notices.current
            about[0] = _pages(daemon)
            await asyncio.sleep(0.05)


def _pages(daemon: Daemon) -> str:
    """Where the pages are, a line each, and the code that is good now: there is another once it was used."""
    assert daemon.console is not None
    url = daemon.console.url
    return f"pages: {url}/\narbiter: {url}/arbiter   pairing code: {daemon.console.code} (once used, another)"


async def _watch_pages(daemon: Daemon, told: str) -> None:
    """Tells of the pages again when there is another code."""
    while True:
        await asyncio.sleep(0.5)
        if (now := _pages(daemon)) != told:
            print(told := now, flush=True)


async def _watch_lines(follower: Follower[S]) -> None:
    teller = Narrator()
    async for batch in follower.batches():
        for news in batch:
            if (said := teller.say(news)) is not None and news.event is not None:
                board = f"{news.event.board}  " if news.event.board else ""
                mark = "! " if isinstance(news.event, ALERTS) else ""
                print(f"{news.event.ms / 1000:8.2f} s  {board}{mark}{said}", flush=True)
