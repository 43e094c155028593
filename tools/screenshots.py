#!/usr/bin/env python3
"""Take the pictures of the pages for the papers: docs/screenshots/*.png.

Everything on them is real: daemons with simulated boards, hands that play, a Chromium that is signed in. Needs what the
tests of the pages need.
"""

import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("daemon", "console")]

import browser  # noqa: E402
from hall import running, until  # noqa: E402
from house import configuration, console, lift, place, press, ready, sign_in  # noqa: E402
from many import all_playing, make, many  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from controller.cli.demo import commands as demo  # noqa: E402
from controller.cli.demo import match as demo_match  # noqa: E402
from controller.cli.demo import show as demo_show  # noqa: E402
from controller.console.settings import ConsoleConfig  # noqa: E402
from controller.daemon.service import Daemon  # noqa: E402
from controller.errors import JadoubeError  # noqa: E402
from hardware.boards.simulated import SimulatedBoard  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
TABLET, PHONE, LAPTOP = (1180, 860), (390, 844), (1280, 860)
KEY = "the key of this little hall"
MATCH_SPEED = 8.0
CALM_S = 0.5  #: for the last picture of a page to be drawn

ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6"
TABLES = 24
TEAMS = ["Lyon", "Köln", "Bilbao", "Łódź", "Oslo", "Brno", "Sevilla", "Turku", "Gent", "Graz", "Győr", "Bath"]
PRESSES = ({"type": "press", "side": "white"}, {"type": "press", "side": "black"})
PLAYERS = [
    ("Ada Lindqvist", "Bruno Marchetti"),
    ("Chiara Novák", "Dmitri Sæther"),
    ("Elif Demir", "Femke de Wit"),
    ("Gael Moreau", "Hana Kobayashi"),
    ("Imre Szabó", "Jaya Menon"),
    ("Katja Virtanen", "Luis Ortega"),
]
TAGS = {"Event": "Town championship", "Round": "4"} | {
    "WhiteTitle": "WFM",
    "WhiteElo": "2181",
    "WhiteFederation": "NOR",
    "BlackElo": "2043",
    "BlackFederation": "ITA",
}
GAMES = [
    ITALIAN,
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
    "e2e4 c7c5 g1f3 d7d6 d2d4",
    "c2c4 e7e5 b1c3",
    "e2e4 e7e6 d2d4 d7d5 b1c3 f8b4",
    "g1f3 d7d5 g2g3 g8f6 f1g2",
]


async def play(daemon: Daemon, moves: Sequence[str]) -> None:
    """Plays from the start, each move pressed; captures as hands take."""
    board = chess.Board()
    for uci in moves:
        move, side = chess.Move.from_uci(uci), "white" if board.turn else "black"
        await lift(daemon, uci[:2])
        if board.is_capture(move):
            await lift(daemon, uci[2:4])
        await place(daemon, uci[2:4])
        await asyncio.sleep(0.1)
        await press(daemon, side)
        board.push(move)


async def breach(daemon: Daemon, touched: str, move: str, side: str) -> None:
    """A piece is touched, and another one moved."""
    await lift(daemon, touched)
    await place(daemon, touched)
    await asyncio.sleep(0.3)
    await lift(daemon, move[:2])
    await place(daemon, move[2:])
    await asyncio.sleep(0.3)
    await press(daemon, side)


async def shoot(page: browser.Page, name: str) -> None:
    await asyncio.sleep(CALM_S)
    await page.picture(FOLDER / f"{name}.png")
    print(FOLDER / f"{name}.png")


def kept(folder: Path, key: str) -> Path:
    """The file with the secret of the hall."""
    file = folder / "hall-key"
    file.touch(0o600)
    file.write_text(key)
    return file


async def hall(chromium: browser.Browser, folder: Path) -> None:
    """Six boards, one daemon each; on the first somebody touches the wrong piece, on the third one stands astray."""
    async with contextlib.AsyncExitStack() as stack:
        daemons: list[Daemon] = []
        for number, (white, black) in enumerate(PLAYERS, 1):
            others = [console(daemon).url for daemon in daemons] if number == len(PLAYERS) else []
            tables: dict[str, Any] = {
                "event": {"board": str(number), "clock": "5400+30", "settings": {"release_ms": 200, "brush_ms": 20}},
                "game": {"white": white, "black": black, "tags": TAGS},
                "console": {"port": 0, "hall_key_file": str(kept(folder, KEY)), "others": others},
            }
            (folder / str(number)).mkdir()
            daemons.append(await stack.enter_async_context(running(configuration(folder / str(number), **tables))))
            await ready(daemons[-1])
        for daemon, moves in zip(daemons, GAMES, strict=True):
            await play(daemon, moves.split())
        await breach(daemons[0], "b1", "c1g5", "white")
        await lift(daemons[2], "h1")
        await place(daemons[2], "h3")
        await daemons[4].only.carry_out({"type": "pause", "side": "black"})
        page = await sign_in(chromium, daemons[-1], *LAPTOP)
        await page.until(f"document.querySelectorAll('.tile').length === {len(PLAYERS)}")
        await page.until("!!document.querySelector('.tile[data-attention=\"2\"]')")
        await page.until("!!document.querySelector('.tile.trouble')", 60)
        await shoot(page, "boards")
        one = await sign_in(chromium, daemons[0], *TABLET)
        await one.sees("Awaits your ruling")
        await shoot(one, "alert")
        await one.click(".menu a", "Français")
        await one.sees("Attend votre décision")
        await shoot(one, "french")
        await one.click(".menu a", "English")
        await one.click("button", "Rule it a breach")
        await one.until("document.querySelector('.restore img')?.naturalWidth > 0")
        await one.prefer(prefers_color_scheme="dark")
        await shoot(one, "restore")
        crowd = await chromium.open(console(daemons[1]).url, *PHONE)
        await crowd.sees("Chiara")
        await shoot(crowd, "spectators")


async def one_daemon(chromium: browser.Browser, folder: Path) -> None:
    """A round of teams on 24 boards of one daemon; on board 5 somebody touches the wrong piece."""
    numbers = [str(number) for number in range(1, TABLES + 1)]
    pairings = folder / "pairings.csv"
    pairings.write_text(
        "\n".join(["Event;Round;Board;White;WhiteTeam;Black;BlackTeam", *map(paired, range(1, TABLES + 1))])
    )
    event = {"pairings": str(pairings), "clock": "5400+30", "settings": {"release_ms": 200, "brush_ms": 20}}
    config = many(folder, *numbers, event=event, console={"port": 0})
    async with running(config) as daemon:
        await all_playing(daemon)

        async def play_on(number: str, line: Sequence[str]) -> None:
            for ply, uci in enumerate(line):
                await make(daemon, number, uci)
                await daemon.stations[number].carry_out(PRESSES[ply % 2])

        lines = (game.split()[: 2 + at % 5] for at, game in enumerate(GAMES * TABLES))
        await asyncio.gather(*map(play_on, numbers, lines))
        board = daemon.stations["5"].boards[None]
        assert isinstance(board, SimulatedBoard)
        board.electrical.lift(chess.G1)
        await asyncio.sleep(0.4)
        board.electrical.place(chess.G1)
        await asyncio.sleep(0.4)
        await play_on("5", ["f1d3"])
        page = await sign_in(chromium, daemon, *LAPTOP)
        await page.until(f"document.querySelectorAll('.tile').length === {TABLES}")
        await page.until("!!document.querySelector('.tile[data-attention=\"3\"]')")
        await shoot(page, "hall")


def paired(number: int) -> str:
    """A game of a match of teams on four boards, as a CSV has it."""
    first, last = zip(*(name.split(maxsplit=1) for both in PLAYERS for name in both), strict=True)
    white, black = (f"{last[(7 * number + more) % 12]}, {first[(number + more) % 12]}" for more in (0, 5))
    one, other = TEAMS[(number - 1) // 4 * 2 :][:2]
    teams = (one, other) if number % 2 else (other, one)
    return f"Club cup;4;{number};{white};{teams[0]};{black};{teams[1]}"


async def match(chromium: browser.Browser, folder: Path) -> None:
    """The demonstration's match, up to its breach."""
    os.chdir(folder)
    demo_show.FOLDER.mkdir(parents=True)
    show = demo_match.show(MATCH_SPEED, 1)
    daemon = Daemon(replace(show.config, console=ConsoleConfig(port=0)), MATCH_SPEED)
    begun = asyncio.Event()

    async def hands(daemon: Daemon) -> None:
        begun.set()
        with contextlib.suppress(JadoubeError):
            await demo.play(daemon, show, MATCH_SPEED)

    serving = asyncio.create_task(daemon.run(hands))
    await begun.wait()
    await until(lambda: daemon.only.session.playing and console(daemon).port)
    page = await sign_in(chromium, daemon, 1280, 1240)
    await page.until("!!document.querySelector('article.case')", 60)
    await shoot(page, "bughouse")
    daemon.stop()
    await serving


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with browser.chromium() as (address, _):
        async with browser.connected(address) as chromium:
            for scene in (hall, one_daemon, match):
                with tempfile.TemporaryDirectory() as folder:
                    await scene(chromium, Path(folder))


if __name__ == "__main__":
    asyncio.run(main())
