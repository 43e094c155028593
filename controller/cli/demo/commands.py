"""``jadoube demo``: seeded hands play on simulated boards, under the daemon as it always is.

Nothing is short-circuited: the hands close switches of electrical boards, the matrix driver scans them, the daemon
judges, journals and publishes, and the view reads the journal. What is played is a game of :mod:`.game` or a match
of :mod:`.match`; once in it a player touches one piece and moves another.
"""

import asyncio
import logging
import sys
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live

from controller.cli.demo import game as demo_game
from controller.cli.demo import match as demo_match
from controller.cli.demo.hands import play
from controller.cli.demo.show import FOLDER, Show
from controller.cli.matchview import MatchView
from controller.cli.run import TIMED
from controller.cli.view import Narrator, View
from controller.console.console import NAME
from controller.daemon.service import Daemon
from controller.errors import ConfigError, first_of
from controller.folded import folded
from controller.outlets.alerts import wants_arbiter
from controller.outlets.follow import Follower, S

HEED = "the hands heed the arbiter: they wait while the clocks stand, and put back what a ruling has returned"
PLAY_ON = "the hands play on whatever an arbiter rules"
STAYS = "; the pages stay until Ctrl-C"


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
    try:
        asyncio.run(_run(show, speed))
    except* OSError as group:
        raise first_of(group) from None  # of the terminal, or of what our output goes to
    return 0


async def _run(show: Show[Any], speed: float) -> None:
    daemon = Daemon(show.config, speed)

    async def hands(daemon: Daemon) -> None:
        await play(daemon, show, speed)
        if sys.stdout.isatty():
            await asyncio.Event().wait()  # somebody looks at the pages, perhaps

    await daemon.run(hands, partial(_watch, show=show, speed=speed))
    print(f"{show.notation}: {max(daemon.only.pgn.directory.iterdir(), key=lambda path: path.stat().st_mtime)}")


# -- the view ----------------------------------------------------------------------------------------------------


async def _watch(daemon: Daemon, show: Show[S], speed: float) -> None:
    """Shows the game until cancelled; in plain lines where the output is no terminal."""
    while not (daemon.mqtt and _pages(daemon)):
        await asyncio.sleep(0.01)
    about = [
        _pages(daemon),
        f"subscribe: mosquitto_sub -p {daemon.mqtt[0].port} -v -t '{show.topics}'",
        f"{show.notation}: {daemon.only.pgn.directory}/   journal: {show.config.journal.path}",
        f"{PLAY_ON if show.goes_on is None else HEED}{STAYS if sys.stdout.isatty() else ''}",
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
    """Where the pages are, a line each, and the code that is good now: there is another once it was used. Where another
    program was faster to take their port, that; empty as long as neither is known."""
    assert daemon.console is not None
    if not daemon.console.port:
        taken = [notice for notice in daemon.notices.current if notice.source == NAME]
        return "".join(f"no pages: {notice.what}\n  Next: {notice.next_step}" for notice in taken)
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
                mark = "! " if wants_arbiter(news.event) else ""
                print(f"{news.event.ms / 1000:8.2f} s  {board}{mark}{said}", flush=True)
