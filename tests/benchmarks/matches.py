"""What the measurements of matches share: a match from hands to record, and what is wrong with the record."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import chess
from common import record, run, wrong_plies

from controller.contract import (
    AnyEvent,
    AnyInput,
    BoardId,
    Completed,
    Displaced,
    Edition,
    Illegal,
    Match,
    Move,
    Penalty,
    Result,
    Session,
    Stalled,
    Stock,
    Violation,
)
from controller.wire import encode
from hardware.simulator.games import EAGER, PATIENT, READY
from hardware.simulator.habits import Gesture, Habits
from hardware.simulator.matches import PARTNER, PLAYERS, PlayedMatch, inputs, play_match

EDITIONS: tuple[Edition, ...] = ("fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023")
TASTES = (EAGER, READY, PATIENT)
CLOCKS = (45, 90, 180)  #: seconds a player
ACCUSATIONS = (Violation, Illegal, Penalty, Displaced, Stalled)


Look = Callable[[PlayedMatch], Iterable[AnyInput]]  #: a match to what is reported of it


class Judged(NamedTuple):
    """One match as it was played and as the core recorded it."""

    seed: int
    played: PlayedMatch
    inputs: list[AnyInput]
    events: list[AnyEvent]

    def on(self, board: BoardId) -> list[AnyEvent]:
        """What happened on one board."""
        return [event for event in self.events if event.board == board]


def session(seed: int) -> Session:
    """All editions, clocks and ways of supervision, by turns."""
    clock = str(CLOCKS[seed % len(CLOCKS)])
    laws = EDITIONS[seed % len(EDITIONS)]
    return Session(version=1, laws=laws, play="blitz", supervised=seed % 2 == 1, clock=clock, match="bughouse")


def drop_taste(seed: int) -> float:
    """Players who drop pieces as soon as they come, soon, or when it suits them, by turns."""
    return TASTES[seed // len(CLOCKS) % len(TASTES)]


def judge(seed: int, habits: Habits = PLAYERS, look: Look = inputs) -> Judged:
    """One random match, as its boards report it."""
    played = play_match(seed, int(session(seed).clock or 0), habits, drop=drop_taste(seed))
    reported = list(look(played))
    return Judged(seed, played, reported, run(session(seed), reported))


def complaints(judged: Judged) -> list[str]:
    """What is wrong with what the core made of an honest match; nothing if all is well."""
    found = [encode(event).decode() for event in judged.events if isinstance(event, ACCUSATIONS)]
    for board in PARTNER:
        found += [f"board {board}: {text}" for text in _of_board(judged, board)]
    results = [(event.result, event.reason) for event in judged.events if isinstance(event, Match)]
    if results != [(judged.played.result, judged.played.reason)]:
        found.append(f"match {results}, not {judged.played.result} by {judged.played.reason}")
    return found


def _of_board(judged: Judged, board: BoardId) -> list[str]:
    game, events = judged.played.games[board], judged.on(board)
    truth, found = [move.uci() for move in game.moves], []
    for what, moves in (
        ("recorded", record(events)),
        ("completed", [event.uci for event in events if isinstance(event, Completed)]),
    ):
        wrong = wrong_plies(moves, truth)[:1]
        found += [f"ply {ply} {what} as {moves[ply - 1 : ply]}, played {truth[ply - 1 : ply]}" for ply in wrong]
    fens = [event.fen for event in events if isinstance(event, Move)]
    if fens and fens[-1].partition("[")[0] != game.board.board_fen():
        found.append(f"pieces {fens[-1]}, not {game.board.fen()}")
    stocks = [(event.white, event.black) for event in events if isinstance(event, Stock)]
    white, black = str(game.board.pockets[True]).upper(), str(game.board.pockets[False])
    if (stocks or [("", "")])[-1] != (white, black):
        found.append(f"stocks {stocks[-1:]}, not {white}{black}")
    results = [
        (event.result, event.reason) for event in events if isinstance(event, Result) and event.status == "final"
    ]
    if results != ([(game.result, game.reason)] if game.result else []) and judged.played.reason != "agreement":
        found.append(f"result {results}, not {game.result} by {game.reason}")
    return found


def show(judged: Judged) -> None:
    """The hands, the words and the events of a whole match in order of time, for people."""
    lines = [(item.ms, 0, "word", encode(item).decode()) for item in judged.played.words]
    for board, game in judged.played.games.items():
        lines += [(hand.ms, 0, f"hand {board} {hand.ply:3}", _act(hand)) for hand in game.gestures]
    lines += [(event.ms, 1, "event", encode(event).decode()) for event in judged.events]
    for ms, _, who, text in sorted(lines):
        print(f"{ms:7} {who:10} {text}")


def _act(hand: Gesture) -> str:
    square = chess.SQUARE_NAMES[hand.square] if hand.square >= 0 else ""
    return f"{hand.side} {hand.kind} {square} {hand.piece}"
