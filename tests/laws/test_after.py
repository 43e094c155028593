"""After an irregularity: once it is dealt with, play goes on as if nothing had been, and nobody is accused of it.

Seeded games on three kinds of board. Somewhere in each something happens, by one of the hands below, and is put right
as the Laws and the arbiter have it; all that is played later must be followed to the last move.
"""

import os
import random
from collections.abc import Callable
from typing import get_args

import chess
import pytest
from at_the_board import ALL, Table

from controller import contract as c
from controller.position import EMPTY

PLIES = 24
SEEDS = int(os.environ.get("JADOUBE_EXAMPLES", "8"))


class Hands:
    """Two players and an arbiter at a table, who see the pieces as they are."""

    def __init__(self, seed: int, laws: c.Edition, senses: c.Senses) -> None:
        self.random = random.Random(seed)
        self.senses = senses
        self.table = Table(laws, senses=senses, clock="5400")
        self.pieces: dict[str, str] = {
            chess.SQUARE_NAMES[square]: piece.symbol() for square, piece in chess.Board().piece_map().items()
        }

    @property
    def board(self) -> chess.Board:
        return self.table.game.state.position.board

    @property
    def mover(self) -> c.Side:
        return self.table.game.state.turn.side

    # -- pieces ---------------------------------------------------------------------------------------------------

    def lift(self, square: str) -> str:
        self.table.give(c.Lift, square=square)
        return self.pieces.pop(square)

    def place(self, square: str, symbol: str) -> None:
        colour = "w" if symbol.isupper() else "b"
        piece = {"occupancy": None, "colour": colour, "identity": symbol}[self.senses]
        self.table.give(c.Place, square=square, piece=piece)
        self.pieces[square] = symbol

    def carry(self, origin: str, target: str) -> None:
        self.place(target, self.lift(origin))

    def make(self, move: chess.Move) -> None:
        """A move made by hand, the taken piece first, and released."""
        position = self.table.game.state.position
        changes = {chess.SQUARE_NAMES[square]: symbol for square, symbol in position.changes(move)}
        taken = position.captured(move)
        if taken is not None:
            self.lift(chess.SQUARE_NAMES[taken])
        left = [square for square, symbol in changes.items() if symbol == EMPTY and square in self.pieces]
        for square in left:
            self.lift(square)
        for square, symbol in changes.items():
            if symbol != EMPTY:
                self.place(square, symbol)
        self.table.give(c.Time)

    def play(self, move: chess.Move) -> None:
        side = self.mover
        self.make(move)
        self.table.give(c.Press, side=side)

    def pick(self, moves: list[chess.Move]) -> chess.Move:
        """One that a queen does if a pawn is promoted: no board but one sees which piece it is."""
        return self.random.choice([move for move in moves if move.promotion in (None, chess.QUEEN)])

    def restore(self) -> None:
        """Put every piece where the game has it: those astray are taken off first."""
        due = {chess.SQUARE_NAMES[s]: piece.symbol() for s, piece in self.board.piece_map().items()}
        for square in [square for square, symbol in self.pieces.items() if due.get(square) != symbol]:
            self.lift(square)
        for square, symbol in due.items():
            if square not in self.pieces:
                self.place(square, symbol)
        self.table.give(c.Time)

    def astray(self) -> tuple[str, str] | None:
        """A piece of the mover, no king, and an empty square where no move leads it; None if there is none."""
        legal = {(move.from_square, move.to_square) for move in self.board.pseudo_legal_moves}
        own = [s for s in chess.SQUARES if self.board.color_at(s) == self.board.turn and not self.board.kings & 1 << s]
        empty = [s for s in chess.SQUARES if not self.board.occupied & 1 << s]
        pairs = [(a, b) for a in own for b in empty if (a, b) not in legal]
        if not pairs:
            return None
        origin, target = self.random.choice(pairs)
        return chess.SQUARE_NAMES[origin], chess.SQUARE_NAMES[target]


# -- what happens ----------------------------------------------------------------------------------------------------


def an_illegal_move_upheld(hands: Hands) -> None:
    pair = hands.astray()
    if pair is None:
        return
    hands.carry(*pair)
    hands.table.give(c.Press, side=hands.mover).rule("uphold")
    hands.restore()
    hands.table.rule("resume")


def an_illegal_move_upheld_after_the_reply(hands: Hands) -> None:
    pair, side = hands.astray(), hands.mover
    if pair is None:
        return
    hands.carry(*pair)
    hands.table.give(c.Press, side=side)
    if replies := hands.table.game.state.position.legal():
        hands.play(hands.pick(replies))
    hands.table.rule("uphold")
    hands.restore()
    hands.table.rule("resume")


def an_illegal_move_put_right_before_the_press(hands: Hands) -> None:
    pair = hands.astray()
    if pair is not None:
        hands.carry(*pair)
        hands.table.give(c.Time)
        hands.carry(*pair[::-1])


def a_released_piece_moved_on_and_upheld(hands: Hands) -> None:
    side, move = hands.mover, hands.pick(hands.table.game.state.position.legal())
    hands.make(move)
    if hands.table.game.state.result is not None:
        return
    target = chess.SQUARE_NAMES[move.to_square]
    free = [name for name in chess.SQUARE_NAMES if name not in hands.pieces]
    hands.carry(target, hands.random.choice(free))
    hands.table.give(c.Time).give(c.Press, side=side).rule("pause", "uphold")
    hands.restore()
    hands.table.rule("resume")


def a_breach_upheld(hands: Hands) -> None:
    legal = hands.table.game.state.position.legal()
    movable = sorted({chess.SQUARE_NAMES[move.from_square] for move in legal})
    touched = hands.random.choice(movable)
    others = [m for m in legal if chess.SQUARE_NAMES[m.from_square] != touched and hands.board.piece_at(m.from_square)]
    others = [m for m in others if not hands.board.is_castling(m)]
    if not others:
        return
    hands.place(touched, hands.lift(touched))
    hands.play(hands.pick(others))
    hands.table.rule("uphold")
    if hands.table.game.state.result is None:
        hands.restore()
        hands.table.rule("resume")


def pieces_moved_about_in_a_pause(hands: Hands) -> None:
    hands.table.give(c.Pause, side=hands.mover)
    for square in hands.random.sample(sorted(hands.pieces), 5):
        symbol = hands.lift(square)
        free = [name for name in chess.SQUARE_NAMES if name not in hands.pieces]
        hands.place(hands.random.choice(free), symbol)
    hands.restore()
    hands.table.rule("resume")


def a_sleeve(hands: Hands) -> None:
    opponent = [square for square, symbol in hands.pieces.items() if symbol.isupper() != (hands.mover == "white")]
    square = hands.random.choice(opponent)
    hands.table.give(c.Adjust, side=hands.mover)
    hands.place(square, hands.lift(square))


def a_move_undone(hands: Hands) -> None:
    hands.play(hands.pick(hands.table.game.state.position.legal()))
    if hands.table.game.state.result is None:
        hands.table.rule("pause", "undo")
        hands.restore()
        hands.table.rule("resume")


def a_press_without_a_move(hands: Hands) -> None:
    hands.table.give(c.Press, side=hands.mover).rule("uphold", "resume")


def an_illegal_move_dismissed(hands: Hands) -> None:
    pair = hands.astray()
    if pair is not None:
        hands.carry(*pair)
        hands.table.give(c.Press, side=hands.mover).rule("dismiss")


def two_hands_upheld(hands: Hands) -> None:
    side = hands.mover
    hands.make(hands.pick(hands.table.game.state.position.legal()))
    hands.table.rule("report", side=side, kind="two-hands").give(c.Press, side=side)
    if hands.table.game.state.result is None:
        hands.table.rule("uphold")
        hands.restore()
        hands.table.rule("resume")


def a_result_taken_back(hands: Hands) -> None:
    hands.table.rule("result", result="1-0").rule("undo", "resume")
    hands.table.rule("dismiss")  # it had been proposed again


HAPPENINGS: tuple[Callable[[Hands], None], ...] = (
    an_illegal_move_upheld,
    an_illegal_move_upheld_after_the_reply,
    an_illegal_move_put_right_before_the_press,
    a_released_piece_moved_on_and_upheld,
    a_breach_upheld,
    pieces_moved_about_in_a_pause,
    a_sleeve,
    a_move_undone,
    a_press_without_a_move,
    an_illegal_move_dismissed,
    two_hands_upheld,
    a_result_taken_back,
)


@pytest.mark.parametrize("happening", HAPPENINGS, ids=lambda happening: happening.__name__)
@pytest.mark.parametrize("senses", get_args(c.Senses))
def test_play_goes_on_as_if_nothing_had_been(happening: Callable[[Hands], None], senses: c.Senses) -> None:
    for seed in range(SEEDS):
        hands = Hands(seed, ALL[seed % len(ALL)], senses)
        when, since = hands.random.randrange(PLIES), 0
        for ply in range(PLIES + 8):
            if ply == when:
                happening(hands)
                since = len(hands.table.events)
            state = hands.table.game.state
            if state.result is not None:
                break  # a piece moved on may look like another game, where no kinds are seen: only a person can tell
            owed = list(state.owed.moves) if state.owed is not None else []
            move = hands.pick(owed or state.position.legal())
            hands.play(move)
            if hands.table.game.state.result is None:
                done = hands.table.all(c.Completed)[-1:]
                assert [d.uci for d in done] == [move.uci()], f"seed {seed}, ply {ply}, {hands.table.events[-8:]}"
        accused = [e for e in hands.table.events[since:] if isinstance(e, c.Illegal | c.Violation)]
        assert accused == [], f"seed {seed}"
