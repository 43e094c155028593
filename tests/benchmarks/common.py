"""What the measurements share: the games, the way they go through the core, the record they leave, the line printed."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import chess

from controller.contract import AnyEvent, AnyInput, Move, Retract, Session
from controller.match import game_of
from controller.wire import encode
from hardware.simulator.games import random_game
from hardware.simulator.hands import Gesture, Habits, play
from hardware.simulator.sight import scans

PLIES = 120
SCAN_MS = 200  #: slow on purpose: the Python boards in the field scan five times a second

#: The habits that the issue lists, on a board that is scanned: no clock, and nobody says what he does.
HABITS = Habits(
    press=False,
    mover_first=0.5,
    castle_together=0.5,
    en_passant=(1, 1, 1),
    slide=0.3,
    straighten=0.1,
    announce=0.5,
)

#: Of those who play on a board of wires: all that such a board can tell apart.
AT_WIRES = Habits(
    think_ms=(1500, 6000),
    mover_first=0.4,
    castle_together=0.4,
    en_passant=(1, 1, 1),
    slide=0.15,
    target_first=0.05,
    choose_queen=True,
)

Look = Callable[[list[Gesture], int], Iterable[AnyInput]]  #: gestures and a seed to what the board reports


class Played(NamedTuple):
    """One game as the hands played it, as the board saw it, and as the core recorded it."""

    seed: int
    truth: list[str]
    gestures: list[Gesture]
    inputs: list[AnyInput]
    events: list[AnyEvent]

    @property
    def wrong(self) -> list[int]:
        """The plies, from 1, at which the record does not hold the move that was played; also moves too many."""
        return wrong_plies(record(self.events), self.truth)

    def ply_at(self, ms: int) -> int:
        """The ply, from 1, that the hands were busy with."""
        return max((gesture.ply for gesture in self.gestures if gesture.ms <= ms), default=1)


class RecordError(ValueError):
    """Events that do not add up to a game, from ``ms`` on."""

    def __init__(self, ms: int, what: str) -> None:
        self.ms = ms
        super().__init__(f"at {ms} ms {what}")


def record(events: Iterable[AnyEvent]) -> list[str]:
    """The moves left once retracted ones are taken back.

    Raises :exc:`RecordError` for a gap in the plies, or a retraction of another move than the last.
    """
    moves: list[str] = []
    for event in events:
        if isinstance(event, Move):
            if event.ply != len(moves) + 1:
                raise RecordError(event.ms, f"move {event.uci} is ply {event.ply}, after {len(moves)} plies")
            moves.append(event.uci)
        elif isinstance(event, Retract):
            if moves[-1:] != [event.uci]:
                raise RecordError(event.ms, f"{event.uci} is retracted, after {moves[-1:]}")
            moves.pop()
    return moves


def wrong_plies(moves: Sequence[str], truth: Sequence[str]) -> list[int]:
    """The plies, from 1, at which a record does not hold the move that was played; also moves too many."""
    longest = max(len(moves), len(truth))
    return [ply for ply in range(1, longest + 1) if moves[ply - 1 : ply] != truth[ply - 1 : ply]]


def run(session: Session, inputs: Iterable[AnyInput]) -> list[AnyEvent]:
    """Everything a game, or a match, makes of its inputs, the end of the log included."""
    game = game_of(session)
    events = [event for item in inputs for event in game.handle(item)]
    return events + game.finish()


def scanned(missing: float = 0.0) -> Look:
    """A board that reports occupancy each :data:`SCAN_MS`, this share of scans lost."""
    return lambda gestures, seed: scans(gestures, chess.Board(), SCAN_MS, missing=missing, seed=seed)


def play_one(
    seed: int, habits: Habits, look: Look, session: Session | None = None, moves: list[chess.Move] | None = None
) -> Played:
    """One game from hands to record: these moves, or else a random game."""
    moves = moves or random_game(seed, PLIES)
    gestures = play(chess.Board(), moves, habits, seed)
    inputs = list(look(gestures, seed))
    return Played(seed, [move.uci() for move in moves], gestures, inputs, run(session or Session(version=1), inputs))


def options(games: int = 100) -> argparse.ArgumentParser:
    """The options that every measurement of games understands."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=games, help="how many random games")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed; the others follow")
    parser.add_argument("--verbose", action="store_true", help="name the games that went wrong, on standard error")
    parser.add_argument("--show", type=int, metavar="SEED", help="print this game around its first wrong ply, and stop")
    return parser


def measure(name: str, habits: Habits, look: Look, goal: float, floor: str) -> dict[str, Any]:
    """Play the games the command line asks for, and say what share of plies came out right."""
    chosen = options().parse_args()
    if chosen.show is not None:
        played = play_one(chosen.show, habits, look)
        show(played, played.wrong[0] if played.wrong else None)
        raise SystemExit
    plies = wrong = exact = 0
    for seed in range(chosen.seed, chosen.seed + chosen.games):
        played = play_one(seed, habits, look)
        bad = played.wrong
        plies += len(played.truth)
        wrong += len(bad)
        exact += not bad
        if bad and chosen.verbose:
            print(f"game {seed}: {len(bad)} of {len(played.truth)} plies wrong, from ply {bad[0]}", file=sys.stderr)
    return {
        "name": name,
        "figure": percent(plies - wrong, plies),
        "floor": floor,
        "goal": goal,
        "unit": "% of plies right",
        "games": chosen.games,
        "exact_games": exact,
        "plies": plies,
        "wrong": wrong,
    }


def percent(part: int, whole: int) -> float:
    """To three places, and never rounded up to 100."""
    return int(100_000 * part / whole) / 1000


def show(played: Played, ply: int | None) -> None:
    """The hands, the inputs and the events from two plies before ``ply`` to two after it, for people."""
    if ply is None:
        print(f"game {played.seed}: every ply right")
        return
    board = chess.Board()
    for uci in played.truth[: max(0, ply - 3)]:
        board.push_uci(uci)
    print(f"game {played.seed}, trouble at ply {ply}; before ply {max(1, ply - 2)}: {board.fen()}\n{board}")
    print("played", *played.truth[max(0, ply - 3) : ply + 2])
    around = [gesture.ms for gesture in played.gestures if ply - 2 <= gesture.ply <= ply + 2]
    lines = [(g.ms, 0, f"hand   {g.ply:3} {g.side} {g.kind} {_square(g)} {g.piece}") for g in played.gestures]
    lines += [(item.ms, 1, f"input  {encode(item).decode()}") for item in _changes(played.inputs)]
    lines += [(event.ms, 2, f"event  {encode(event).decode()}") for event in played.events]
    for ms, _, text in sorted(lines):
        if around[0] <= ms <= around[-1] + 1000:
            print(f"{ms:7} {text}")


def _square(gesture: Gesture) -> str:
    return chess.SQUARE_NAMES[gesture.square] if gesture.square >= 0 else ""


def _changes(inputs: Sequence[AnyInput]) -> list[AnyInput]:
    """Without the scans that say what the one before said."""
    kept: list[AnyInput] = []
    last = None
    for item in inputs:
        scan = getattr(item, "occupied", None)
        if scan is None or scan != last:
            kept.append(item)
        last = scan if scan is not None else last
    return kept


def report(line: dict[str, Any]) -> None:
    """The one line that a measurement prints."""
    print(json.dumps(line))
