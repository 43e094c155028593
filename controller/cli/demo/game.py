"""What ``jadoube demo`` plays on one board: the first game of a PGN file, Morphy's at the opera, or one of chess960."""

import io
import random
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.pgn
from msgspec.structs import replace

from controller import files
from controller.cli.demo.show import FAST, Act, Show, outside, simulated
from controller.cli.view import View
from controller.config import TableSetup, check
from controller.errors import ConfigError
from controller.outlets.mqtt.levels import of_place
from controller.outlets.scoresheet import Scoresheet
from hardware.simulator.games import random_game
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
LARGEST, LONGEST = 2**24, 2**17  #: bytes of a PGN file, and characters of its first game; most have a few thousand
GAMES = "jadoube demo needs no file; nor do --game chess960, and --game bughouse, a match of four"
CLOCK = "900+10"
CALM = replace(HONEST, straighten=0.0, quick_reply=0.0, press_ms=(350, 800))
"""Nobody says "j'adoube": it would cover the breach."""
COARSE = replace(CALM, brush=0.0, hover=0.0, slide=0.0, castle_together=0.0)
"""Without what is too short for fast forward."""
OFTEN_CASTLED, PLIES = 40, 40
"""Of so many games of chess960 the one in which castling comes soonest is played, for so many plies."""
BREACH_AT_PLY = 8  #: somebody thinks better of it, too late
ENDED = {
    "1-0": [{"type": "resign", "side": "black"}],
    "0-1": [{"type": "resign", "side": "white"}],
    "1/2-1/2": [{"type": "draw", "side": "white", "act": "offer"}, {"type": "draw", "side": "black", "act": "accept"}],
}
"""What the players say at the end of a score that the board does not end."""


def show(file: Path | None, speed: float, seed: int) -> Show[Scoresheet]:
    """The first game of ``file``, or one that is drawn by the seed if that is ``chess960``. Raises :exc:`ConfigError`
    where it holds none that can be played."""
    game = drawn(seed) if str(file).lower() == "chess960" else read(file)
    board, moves = game.board(), list(game.mainline_moves())
    habits = COARSE if speed > FAST else CALM
    gestures = play(board, moves, habits, seed, _breach(board.copy(), moves))

    def goes_on(position: chess.Board, owed: Sequence[str]) -> list[Act]:
        return _acts(play(position, played_on(position, owed, seed), habits, seed))

    return Show(
        config=_config(game, speed, seed),
        acts=_acts(gestures),
        last_words=ENDED.get(game.headers.get("Result", "*"), []),
        begin=Scoresheet,
        view=View,
        topics=f"{of_place('demo', 'board/1')}/#",
        goes_on=goes_on,
        after_a_ruling=ENDED["1/2-1/2"],
    )


def _acts(gestures: Sequence[Gesture]) -> list[Act]:
    return [Act(gesture.ms, None, gesture) for gesture in gestures]


def played_on(position: chess.Board, owed: Sequence[str], seed: int) -> list[chess.Move]:
    """What players who move at random make of a position to which a ruling has returned: first a move that is
    ``owed``."""
    legal = list(position.legal_moves)
    bound = [move for move in legal if move.uci() in owed] or legal
    if not bound:
        return []
    after = position.copy(stack=False)
    after.push(random.Random(seed).choice(bound))
    return random_game(seed, 1 + PLIES, after)


def drawn(seed: int) -> chess.pgn.Game:
    """A game of chess960 by players who move at random and agree to a draw: the start position is drawn by lot."""
    rng, games = random.Random(seed), []
    for number in [rng.randrange(960) for _ in range(OFTEN_CASTLED)]:
        start = chess.Board.from_chess960_pos(number)
        games.append((start, random_game(seed, PLIES, start)))
    start, moves = min(games, key=lambda game: _castles_at(*game))
    game = chess.pgn.Game({"Event": "Demonstration", "White": "Ann", "Black": "Bob", "Result": "1/2-1/2"})
    game.setup(start)
    game.add_line(moves)
    return game


def _castles_at(start: chess.Board, moves: Sequence[chess.Move]) -> int:
    """By when both have castled, in plies."""
    board, castled = start.copy(), []
    for ply, move in enumerate(moves):
        if board.is_castling(move):
            castled.append(ply)
        board.push(move)
    return castled[1] if len(castled) > 1 else len(moves)


def _breach(board: chess.Board, moves: Sequence[chess.Move]) -> int | None:
    """The first ply from :data:`BREACH_AT_PLY` on at which another piece could move."""
    for ply, move in enumerate(moves, 1):
        if ply >= BREACH_AT_PLY and {m.from_square for m in board.legal_moves} - {move.from_square}:
            return ply
        board.push(move)
    return None


def read(file: Path | None) -> chess.pgn.Game:
    """The first game of ``file``. Raises :exc:`ConfigError` where it holds none that can be played."""
    try:
        text = OPERA if file is None else files.read(file, LARGEST).decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", "another folder or name", GAMES) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: {error}", "this is no PGN, or one that is not in UTF-8", GAMES) from error
    try:
        first = io.StringIO(text[:LONGEST])
        game = chess.pgn.read_game(first, Visitor=_QuietBuilder)
        if len(text) > LONGEST and not first.read(1):
            raise ValueError(f"a game of more than {LONGEST} characters")
    except (ValueError, LookupError) as error:  # python-chess stumbles over `1. e5 ) ??`, a judgement of no move
        raise ConfigError(f"{file}: this is no PGN: {error}", "a slip in it, or another file", GAMES) from error
    if game is None or game.errors or not game.next():
        why = game.errors[0] if game is not None and game.errors else "it holds no game with moves"
        raise ConfigError(f"{file}: {why}", "a slip in the PGN", GAMES)
    return game


class _QuietBuilder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """What is wrong is kept with the game, for us to tell; the library's own would print it, too."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _config(game: chess.pgn.Game, speed: float, seed: int) -> TableSetup:
    headers = game.headers
    start = game.board()
    board = {
        "board": simulated(seed, speed),
        "event": {"venue": "demo", "board": "1", "clock": CLOCK},
        "game": {
            "white": headers.get("White", "?"),
            "black": headers.get("Black", "?"),
            "event": headers.get("Event", "?"),
            "site": headers.get("Site", "?"),
            "round": headers.get("Round", "?"),
            "variant": "chess960" if start.chess960 else "standard",
            "fen": "startpos" if start.fen() == chess.STARTING_FEN else start.fen(),
        },
    }
    (config,) = check(board | outside(), "the demonstration").tables
    return config
