"""What hands do that commits an offence."""

from typing import NamedTuple

import chess

from strangers import plans
from strangers.hands import Hands
from strangers.plans import Plan
from strangers.wood import side


class Deed(NamedTuple):
    """What was done: by whom, when, by when it should be told; and whether the game goes on."""

    by: chess.Color
    committed: int
    told: int
    goes_on: bool = False


def _press(hands: Hands, colour: chess.Color) -> None:
    hands.wait(250, 900)
    hands.say("press", colour)
    if hands.way.clock:
        hands.bank[colour] += hands.increment - (hands.now - hands.running_since)
        hands.pressed = hands.running_since = hands.now


def _pressed(hands: Hands) -> Deed:
    """The press is the offence."""
    _press(hands, hands.board.turn)
    return Deed(hands.board.turn, hands.now, hands.now)


def _stands(hands: Hands, move: chess.Move | None, goes_on: bool = False) -> Deed:
    """What was made is the offence, and is pressed if there is a clock; a lawful move counts."""
    colour, made = hands.board.turn, hands.now
    if move:
        hands.board.push(move)
    if hands.way.clock:
        _press(hands, colour)
    return Deed(colour, made, hands.now if hands.way.clock else made + 1000, goes_on)


def _touch(hands: Hands, square: int) -> None:
    piece = hands.lift(square)
    hands.wait(500, 1500)
    hands.place(square, piece)
    hands.wait(900, 2500)


def _carry(hands: Hands, start: int, goal: int, least: int = 400, most: int = 900) -> None:
    """From a square to an empty one."""
    piece = hands.lift(start)
    hands.wait(least, most)
    hands.place(goal, piece)


def _make(hands: Hands, move: chess.Move, takes: bool) -> None:
    piece = hands.lift(move.from_square)
    hands.wait(400, 900)
    if takes:
        hands.lift(move.to_square)
        hands.wait(400, 900)
    hands.place(move.to_square, piece)


def touch_and_move(hands: Hands, plan: Plan) -> Deed:
    """Touch, put back, and make a move with something else."""
    for square in plan.touched:
        _touch(hands, square)
    _make(hands, plan.move, hands.board.is_capture(plan.move))
    return _stands(hands, plan.move, goes_on=True)


def move_on(hands: Hands, plan: Plan) -> Deed:
    """Release a piece, and then move it on."""
    _carry(hands, plan.before.from_square, plan.before.to_square, 400, 1000)
    hands.wait(800, 2500)
    _carry(hands, plan.before.to_square, plan.move.to_square, 300, 900)
    return _stands(hands, plan.move)


def _corner(move: chess.Move) -> tuple[int, int]:
    """From where to where the rook goes that castles."""
    start, goal = move.from_square, move.to_square
    return chess.square(7 if goal > start else 0, chess.square_rank(start)), (start + goal) // 2


def rook_first(hands: Hands, plan: Plan) -> Deed:
    """Castle, the rook lifted well before the king."""
    start, goal = _corner(plan.move)
    rook = hands.lift(start)
    hands.wait(500, 1200)
    _carry(hands, plan.move.from_square, plan.move.to_square, 300, 800)
    hands.wait(200, 600)
    hands.place(goal, rook)
    return _stands(hands, plan.move, goes_on=True)


def rook_touched(hands: Hands, plan: Plan) -> Deed:
    """Touch the rook, then castle."""
    start, goal = _corner(plan.move)
    _touch(hands, start)
    _carry(hands, plan.move.from_square, plan.move.to_square)
    hands.wait(300, 900)
    _carry(hands, start, goal, 300, 800)
    return _stands(hands, plan.move, goes_on=True)


def change_promotion(hands: Hands, plan: Plan) -> Deed:
    """Stand a queen, and change it for another piece."""
    start, goal = plan.move.from_square, plan.move.to_square
    other = hands.rng.choice([chess.KNIGHT, chess.ROOK, chess.BISHOP])
    hands.lift(start)
    hands.wait(400, 900)
    hands.place(goal, chess.Piece(chess.QUEEN, hands.board.turn).symbol())
    hands.wait(900, 2500)
    hands.lift(goal)
    hands.wait(400, 1500)
    hands.place(goal, chess.Piece(other, hands.board.turn).symbol())
    return _stands(hands, chess.Move(start, goal, other))


def move_out_of_turn(hands: Hands, plan: Plan) -> Deed:
    """Move for the side that is not to move."""
    _carry(hands, plan.move.from_square, plan.move.to_square, 500, 1200)
    return Deed(not hands.board.turn, hands.now, hands.now + 6000)


def touch_out_of_turn(hands: Hands, plan: Plan) -> Deed:
    """The log says whose hand it is."""
    number = len(hands.acts)
    _carry(hands, plan.move.from_square, plan.move.from_square, 500, 1200)
    hands.acts[number] = hands.acts[number]._replace(by=side(not hands.board.turn))
    return Deed(not hands.board.turn, hands.now, hands.now + 6000)


def adjust_out_of_turn(hands: Hands, _: Plan) -> Deed:
    """Say j'adoube while the other is to move, and straighten a piece."""
    colour, began = not hands.board.turn, hands.now
    hands.say("adjust", colour)
    hands.wait(300, 600)
    square = hands.rng.choice(list(chess.SquareSet(hands.board.occupied_co[colour])))
    _carry(hands, square, square, 300, 900)
    hands.wait(1500, 2500)
    return Deed(colour, began, began + 1000, goes_on=True)


def only_press(hands: Hands, _: Plan) -> Deed:
    """Press, with nothing touched."""
    return _pressed(hands)


def touch_and_press(hands: Hands, _: Plan) -> Deed:
    """Touch a piece, put it back, and press."""
    _touch(hands, hands.rng.choice(list(plans.by_square(hands.board))))
    return _pressed(hands)


def go_illegally(hands: Hands, plan: Plan) -> Deed:
    """Go where the piece may not."""
    _make(hands, plan.move, takes=False)
    return _stands(hands, None)


def take_illegally(hands: Hands, plan: Plan) -> Deed:
    """Take what the piece may not."""
    _make(hands, plan.move, takes=True)
    return _stands(hands, None)


def leave_pawn(hands: Hands, plan: Plan) -> Deed:
    """Press with the pawn in hand, or still a pawn."""
    pawn = hands.lift(plan.move.from_square)
    hands.wait(400, 900)
    if hands.way.senses == "identity" and hands.rng.random() < 0.6:
        hands.place(plan.move.to_square, pawn)
        hands.wait(600, 1500)
    return _pressed(hands)


def leave_other(hands: Hands, plan: Plan) -> Deed:
    """The king alone castles; the pawn alone moves, and what it takes in passing stays."""
    _carry(hands, plan.move.from_square, plan.move.to_square)
    hands.wait(300, 900)
    return _pressed(hands)


def take_off(hands: Hands, plan: Plan) -> Deed:
    """Take a piece off and press."""
    hands.lift(plan.touched[0])
    hands.wait(800, 1500)
    return _pressed(hands)
