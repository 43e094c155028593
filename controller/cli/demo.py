"""``jadoube demo``: seeded hands play a real game on a simulated board, under the daemon as it always is.

Nothing is short-circuited: the hands close switches of an electrical board, the matrix driver scans them, the daemon
judges, journals and publishes, and the view reads the journal. Once in the game a player touches one man and moves
another.
"""

import asyncio
import io
import json
import logging
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import chess
import chess.pgn
from msgspec.structs import replace
from rich.console import Console
from rich.live import Live

from controller.cli.view import Teller, View
from controller.config import Setup, check
from controller.daemon.service import Daemon
from controller.daemon.timeline import MS_NS
from controller.errors import ConfigError
from controller.outlets.follow import Follower
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.topics import ALERTS
from hardware.boards import LeverPress
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator.habits import HONEST, Gesture
from hardware.simulator.hands import play

OPERA = """
[Event "Opera box"]
[Site "Paris"]
[Date "1858.??.??"]
[White "Paul Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
CLOCK = "900+10"
CALM = replace(HONEST, straighten=0.0, quick_reply=0.0, press_ms=(350, 800))
"""Nobody says "j'adoube": it would cover the breach."""
COARSE = replace(CALM, brush=0.0, hover=0.0, castle_together=0.0)
"""Without what lasts a tenth of a second: fast forward, that is less than the scans can tell."""
FAST = 4.0  #: speeds above this are fast forward
READY_S = 0.5
BREACH_AT_PLY = 8  #: somebody thinks better of it, too late
ENDED = {
    "1-0": [{"type": "resign", "side": "black"}],
    "0-1": [{"type": "resign", "side": "white"}],
    "1/2-1/2": [{"type": "draw", "side": "white", "act": "offer"}, {"type": "draw", "side": "black", "act": "accept"}],
}
"""What the players say at the end of a score that the board does not end."""

FAREWELL_S = 10.0  #: of the game's time, for the result to come
LINGER_S = 1.0  #: that the last move can be seen
SCAN_HZ = 200.0
BOUNCE_MS = 1.0
TOPICS = "jadoube/v1/demo/board/1/#"


def demo(file: Path | None, speed: float, seed: int) -> int:
    """Plays the first game of ``file``, or Morphy's at the opera, ``speed`` times as fast as life; 0 at its end.

    Raises :exc:`ConfigError` for a file without a game that can be played.
    """
    game = _read(file)
    folder = Path("build/demo")
    folder.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, filename=folder / "jadoube.log", filemode="w")
    asyncio.run(_show(game, _config(game, folder, speed, seed), speed, seed))
    return 0


async def _show(game: chess.pgn.Game, config: Setup, speed: float, seed: int) -> None:
    daemon = Daemon(config, speed)

    async def hands(daemon: Daemon) -> None:
        await _play(daemon, game, speed, seed)

    async def watch(daemon: Daemon) -> None:
        await _watch(daemon, speed)

    await daemon.run(hands, watch)
    print(f"The game: {_newest(daemon)}")


# -- the hands ---------------------------------------------------------------------------------------------------


async def _play(daemon: Daemon, game: chess.pgn.Game, speed: float, seed: int) -> None:
    moves = list(game.mainline_moves())
    habits = COARSE if speed > FAST else CALM
    gestures = play(game.board(), moves, habits, seed, _breach(game.board(), moves))
    while not daemon.table.playing:
        await asyncio.sleep(0.01)
    began = time.monotonic_ns()
    for gesture in gestures:
        at_ns = began + int(gesture.ms * MS_NS / speed)
        await asyncio.sleep((at_ns - time.monotonic_ns()) / 1e9)
        await _act(daemon, gesture, at_ns)
    await asyncio.sleep(1.5 / speed)
    result = game.headers.get("Result", "*")
    if daemon.table.playing and result != "*":  # the players ended it, not the board
        for said in ENDED[result]:
            await daemon.carry_out(json.dumps(said).encode())
    for _ in range(100):
        if not daemon.table.playing:
            break
        await asyncio.sleep(FAREWELL_S / 100 / speed)
    await asyncio.sleep(LINGER_S)


async def _act(daemon: Daemon, gesture: Gesture, at_ns: int) -> None:
    board = daemon.boards[None]
    assert isinstance(board, SimulatedBoard)
    match gesture.kind:
        case "lift":
            board.electrical.lift(gesture.square, at_ns)
        case "place":
            board.electrical.place(gesture.square, at_ns)
        case "press":
            daemon.emit(LeverPress(at_ns, gesture.side))
        case "adjust":
            await daemon.carry_out(json.dumps({"type": "adjust", "side": gesture.side}).encode())
        case "choose":
            said = {"type": "choose", "side": gesture.side, "piece": gesture.piece}
            await daemon.carry_out(json.dumps(said).encode())
        case "contact":
            pass  # a reed switch does not feel a finger


def _breach(board: chess.Board, moves: Sequence[chess.Move]) -> int | None:
    """The first ply from :data:`BREACH_AT_PLY` on at which another man could move."""
    for ply, move in enumerate(moves, 1):
        if ply >= BREACH_AT_PLY and {m.from_square for m in board.legal_moves} - {move.from_square}:
            return ply
        board.push(move)
    return None


# -- the view ----------------------------------------------------------------------------------------------------


async def _watch(daemon: Daemon, speed: float) -> None:
    """Shows the game until cancelled; in plain lines where the output is no terminal."""
    while not daemon.mqtt:
        await asyncio.sleep(0.01)
    about = [
        f"subscribe: mosquitto_sub -h 127.0.0.1 -p {daemon.mqtt[0].port} -v -t '{TOPICS}'",
        f"PGN: {daemon.pgn.directory}/   journal: {daemon.journal.path}",
    ]
    if sys.stdout.isatty():
        await _watch_screen(daemon, View(about, speed))
    else:
        await _watch_lines(daemon, about)


async def _watch_screen(daemon: Daemon, view: View) -> None:
    follower = Follower(daemon.journal, daemon.config.numbers, 0, Scoresheet)
    with Live(view, console=Console(), refresh_per_second=10):
        while True:
            for news in follower.read():
                view.take(news)
            view.notices = daemon.notices.current
            await asyncio.sleep(0.05)


async def _watch_lines(daemon: Daemon, about: Sequence[str]) -> None:
    print(*about, sep="\n", flush=True)
    teller = Teller()
    async for batch in Follower(daemon.journal, daemon.config.numbers, 0, Scoresheet).batches():
        for news in batch:
            if (said := teller.say(news)) is not None and news.event is not None:
                mark = "! " if isinstance(news.event, ALERTS) else ""
                print(f"{news.event.ms / 1000:8.2f} s  {mark}{said}", flush=True)


# -- what is played ----------------------------------------------------------------------------------------------


def _read(file: Path | None) -> chess.pgn.Game:
    try:
        text = OPERA if file is None else file.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", "another folder or name", "ls tests/games/") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: {error}", "this is no PGN, or one that is not in UTF-8") from error
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None or game.errors or not game.next():
        why = game.errors[0] if game is not None and game.errors else "it holds no game with moves"
        raise ConfigError(f"{file}: {why}", "a slip in the PGN", "make run GAME=tests/games/immortal-1851.pgn")
    return game


def _config(game: chess.pgn.Game, folder: Path, speed: float, seed: int) -> Setup:
    headers = game.headers
    start = game.board().fen()
    return check(
        {
            "board": {
                "type": "simulated",
                "seed": seed,
                "scan_hz": min(1000.0, SCAN_HZ * max(1.0, speed)),
                "bounce_ms": BOUNCE_MS / speed,
            },
            "event": {"venue": "demo", "board": "1", "clock": CLOCK},
            "start": {"by": "at-once", "ready_s": READY_S},
            "game": {
                "white": headers.get("White", "?"),
                "black": headers.get("Black", "?"),
                "event": headers.get("Event", "?"),
                "site": headers.get("Site", "?"),
                "round": headers.get("Round", "?"),
                "fen": "startpos" if start == chess.STARTING_FEN else start,
            },
            "pgn": {"directory": str(folder / "games")},
            "journal": {"path": str(folder / f"{datetime.now():%Y%m%d-%H%M%S-%f}.sqlite")},
        },
        "the demonstration",
    )


def _newest(daemon: Daemon) -> Path:
    return max(daemon.pgn.directory.glob("*.pgn"), key=lambda path: path.stat().st_mtime)
