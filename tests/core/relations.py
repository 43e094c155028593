"""Games told otherwise, where nothing of importance is other: mirrored, slower, scanned, with the boards exchanged.

What comes of a game is compared as builtins: dictionaries of events, as the log has them.
"""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import chess
import msgspec
from msgspec.structs import replace
from shorthand import scan

from controller import contract as c
from controller.match import game_of
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play
from hardware.simulator.sight import touches

Log = tuple[c.Session, list[c.AnyInput]]
Told = dict[str, Any]

CARELESS = replace(HONEST, straighten=0.3, announce=0.4, brush=0.3, press=False)
"""Players who brush pieces and put them straight without a word: some of that binds them."""

IN_ORDER = ("moves", "owed", "squares")
"""Fields that go by the names of squares, which a mirror changes."""


def careless(seed: int, fen: str, senses: c.Senses, plies: int = 30, clock: str | None = None) -> Log:
    """A game of random moves from ``fen`` on by :data:`CARELESS` hands, as a board of that kind reports its touches."""
    board, rng, moves = chess.Board(fen), random.Random(seed), []
    while len(moves) < plies and (legal := sorted(board.legal_moves, key=chess.Move.uci)):
        taking = [move for move in legal if board.is_capture(move) or move.promotion or board.is_castling(move)]
        moves.append(rng.choice(taking if taking and rng.random() < 0.5 else legal))
        board.push(moves[-1])
        if board.is_game_over():
            break
    gestures = play(chess.Board(fen), moves, replace(CARELESS, press=clock is not None), seed)
    session = c.Session(version=1, fen=fen, senses=senses, clock=clock, laws=("fide-2023", "fide-2009")[seed % 2])
    return session, list(touches(gestures, senses))


def told(session: c.Session, inputs: Iterable[c.AnyInput]) -> list[Told]:
    """Every event of a log."""
    game = game_of(session)
    events = [event for item in inputs for event in game.handle(item)] + game.finish()
    return [msgspec.to_builtins(event) for event in events]


def as_inputs(said: Iterable[Told]) -> list[c.AnyInput]:
    return [msgspec.convert(item, c.AnyInput) for item in said]


class Nearly(float):
    """How sure something is. Of explanations that are as likely the one or the other is left out of the reckoning."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and abs(self - other) <= 0.005

    __hash__ = float.__hash__


def sorted_out(events: Iterable[Told]) -> list[Told]:
    """Without the order that the names of squares give, the number of the move, and its name in the score; how sure an
    accusation is, nearly."""
    kept = []
    for event in events:
        one = {key: sorted(value) if key in IN_ORDER else value for key, value in event.items() if key != "san"}
        if one.get("confidence") is not None and "others" not in one:
            one["confidence"] = Nearly(one["confidence"])
        if "others" in one:
            one["others"] = sorted(one["others"], key=lambda other: (other["less_likely"], other.get("uci", "")))
        if "fen" in one:
            one["fen"] = one["fen"].rsplit(" ", 1)[0]
        kept.append(one)
    return kept


# -- mirrored --------------------------------------------------------------------------------------------------------


def _squares_by(square: Callable[[str], str], text: str) -> str:
    return re.sub("[a-h][1-8]", lambda found: square(found[0]), text)


COLOURS = {"white": "black", "black": "white", "1-0": "0-1", "0-1": "1-0", "w": "b", "b": "w"}


def other_colour(said: Told, senses: c.Senses) -> Told:
    """The same by the other player, every square as seen from his side."""
    mirrored: Told = {}
    for key, value in said.items():
        if key == "fen":
            value = chess.Board(value).mirror().fen()
        elif key == "piece" and said["type"] in ("touch", "place"):
            coloured = senses == "colour" and said["type"] == "place"
            value = COLOURS[value] if coloured else value.swapcase()
        elif key in ("side", "running", "result"):
            value = COLOURS.get(value, value)
        elif key in ("square", "uci", "move"):
            value = _squares_by(_other_rank, value)
        elif key in IN_ORDER:
            value = [_squares_by(_other_rank, each) for each in value]
        elif key == "others":
            value = [other_colour(each, senses) for each in value]
        if key.startswith(("white_", "black_")):
            key = COLOURS[key[:5]] + key[5:]
        mirrored[key] = value
    return mirrored


def _other_rank(square: str) -> str:
    return f"{square[0]}{9 - int(square[1])}"


def other_wing(said: Told) -> Told:
    """The same on the other wing; in games without castling alone there is none that differs."""
    mirrored = dict(said)
    for key, value in said.items():
        if key == "fen":
            mirrored[key] = chess.Board(value).transform(chess.flip_horizontal).fen()
        elif key in ("square", "uci"):
            mirrored[key] = _squares_by(_other_file, value)
        elif key in IN_ORDER:
            mirrored[key] = [_squares_by(_other_file, each) for each in value]
        elif key == "others":
            mirrored[key] = [other_wing(each) for each in value]
    return mirrored


def _other_file(square: str) -> str:
    return "hgfedcba"["abcdefgh".index(square[0])] + square[1]


# -- in other time, by other sensors ---------------------------------------------------------------------------------


def slower(said: Told, times: int) -> Told:
    """All times so many times as long; what clocks show, and how late one may come, is left to other tests."""
    slow = {key: value for key, value in said.items() if not key.startswith(("white_", "black_", "default_time"))}
    for key in {"ms", "since_ms", "away_ms"} & {*slow}:
        slow[key] = None if slow[key] is None else slow[key] * times
    if "touched_ms" in slow:
        slow["touched_ms"] = [ms * times for ms in slow["touched_ms"]]
    return slow


def slower_session(session: c.Session, times: int) -> c.Session:
    """The session with every threshold so many times as long, and without a clock."""
    kept = session.settings
    thresholds = {key: ms * times for key in msgspec.structs.asdict(kept) if type(ms := getattr(kept, key)) is int}
    return replace(session, clock=None, settings=replace(kept, **thresholds))


def as_scans(session: c.Session, inputs: Sequence[c.AnyInput]) -> list[c.AnyInput]:
    """The edges of an occupancy board as raw scans, one whenever something has changed; all else as it was."""
    board = chess.BaseBoard(str(session.fen).split()[0])
    occupied = board.occupied
    scans: dict[int, c.AnyInput] = {0: c.Frame(ms=0, occupied=scan(chess.Board(str(session.fen))))}
    others: list[c.AnyInput] = []
    for item in inputs:
        if isinstance(item, c.Lift | c.Place):
            bit = chess.BB_SQUARES[chess.parse_square(item.square)]
            occupied = occupied & ~bit if isinstance(item, c.Lift) else occupied | bit
            scans[item.ms] = c.Frame(ms=item.ms, occupied=f"{occupied:016x}")
        else:
            others.append(item)
    return sorted([*scans.values(), *others], key=lambda item: item.ms)
