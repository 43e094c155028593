"""Hands that play a game: seeded, human, and first-class hardware beside the electrical board.

From a start position and its moves come the physical gestures of two players: pieces lifted and set down, buttons,
clock presses, each with its time. What a board makes of them is :mod:`hardware.simulator.sight`. Unless habits
``straighten`` without ``announce``, or a breach is asked for, the hands keep Article 4.
"""

import random
from collections.abc import Sequence

import chess

from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.turn import SimulatedTurn

__all__ = ["HONEST", "Gesture", "Habits", "play"]


def play(
    board: chess.Board, moves: Sequence[chess.Move], habits: Habits, seed: int, breach_at_ply: int | None = None
) -> list[Gesture]:
    """The gestures of a whole game in order of time; the same seed gives the same hands. ``board`` is left as it was.

    At ``breach_at_ply`` (from 1) the player first lifts another piece that can move, for a second or more, puts it
    back, and then plays the game's move: a breach of touch-move.

    Raises :exc:`ValueError` where a move is illegal, or where no other piece could move at ``breach_at_ply``.
    """
    board = board.copy(stack=False)
    rng = random.Random(seed)
    gestures: list[Gesture] = []
    start, quick = rng.randint(*habits.think_ms), False
    for ply, move in enumerate(moves, start=1):
        if not board.is_legal(move):
            raise ValueError(f"ply {ply}: {move.uci()} is not legal in {board.fen()}")
        turn = SimulatedTurn(board, move, habits, rng, start, ply, hurried=quick)
        turn.fidget()
        if ply == breach_at_ply:
            turn.breach()
        turn.move()
        released = turn.ms
        board.push(move)
        # A reply that begins with a button would come before the move it answers is made.
        quick = ply < len(moves) and not moves[ply].promotion and rng.random() < habits.quick_reply
        start = released + rng.randint(*habits.quick_ms)
        if habits.press and not board.is_game_over():
            turn.press(before=start + 100 if quick else None)
        if not quick:
            start = turn.ms + rng.randint(*habits.think_ms)
        gestures += turn.gestures
    return sorted(gestures, key=lambda gesture: gesture.ms)
