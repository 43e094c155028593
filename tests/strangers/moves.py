"""The ways in which hands make a move: castling, capture or plain."""

import chess

from strangers.habits import on_the_way
from strangers.hands import Hands
from strangers.promotions import promote
from strangers.wood import neighbours, victim


def make(hands: Hands, move: chess.Move) -> None:
    """Make the move on the wood, in one of the ways people have."""
    board = hands.board
    if board.is_castling(move):
        castle(hands, move)
    elif move.promotion:
        promote(hands, move)
    elif board.is_en_passant(move):
        take_in_passing(hands, move)
    elif board.is_capture(move):
        take(hands, move)
    else:
        go(hands, move)


def go(hands: Hands, move: chess.Move) -> None:
    """From an empty square to an empty one; rarely the piece is seen at its goal before it is seen to leave."""
    start, goal = move.from_square, move.to_square
    piece = hands.on[start] or ""
    if hands.way.delivery == "touch" and not hands.plain and hands.rng.random() < 0.02:
        hands.habits.append("destination-first")
        hands.place(goal, piece)
        hands.wait(5, 70)
        hands.lift(start)
        return
    hands.lift(start)
    on_the_way(hands, move, piece)
    hands.place(goal, piece)


def castle(hands: Hands, move: chess.Move) -> None:
    """King first; or both at once; or the rook lifted while the king is in the air."""
    rng = hands.rng
    start, goal = move.from_square, move.to_square
    corner = chess.square(7 if goal > start else 0, chess.square_rank(start))
    beside = (start + goal) // 2
    king, rook = hands.on[start] or "", hands.on[corner] or ""
    chance = rng.random()
    if hands.plain or chance < 0.35:
        hands.habits.append("castle-king-first")
        hands.lift(start)
        hands.carry()
        if rng.random() < 0.3 and not hands.plain:
            hands.place(beside, king)
            hands.dwell(200)
            hands.lift(beside)
            hands.wait(30, 150)
            hands.rest()
        hands.place(goal, king)
        if rng.random() < 0.3 and not hands.plain:
            hands.wait(1000, 5000)
        else:
            hands.pause()
        hands.lift(corner)
        hands.carry()
        hands.place(beside, rook)
        return
    together = chance < 0.7
    if together:
        hands.habits.append("castle-together")
        first, second = (start, corner) if rng.random() < 0.6 else (corner, start)
        hands.lift(first)
        hands.wait(0, 90 if hands.way.framed else 110)
        hands.lift(second)
    else:
        hands.habits.append("castle-rook-lifted-while-king-in-air")
        hands.lift(start)
        hands.wait(200, 900)
        hands.lift(corner)
    hands.carry()
    down = [(goal, king), (beside, rook)]
    if rng.random() >= 0.5:
        down.reverse()
    hands.place(*down[0])
    if together:
        hands.wait(0, 300)
    else:
        hands.carry()
    hands.place(*down[1])


def take(hands: Hands, move: chess.Move) -> None:
    """The taker or the victim first; or the victim is knocked off, or rolls to a square beside."""
    rng, way = hands.rng, hands.way
    start, goal = move.from_square, move.to_square
    piece = hands.on[start] or ""
    chance = rng.random()
    if way.delivery == "swap" and not hands.last and hands.tells_swapped(move):
        hands.habits.append("swapped")
        hands.lift(start)
        hands.carry()
        hands.swap(goal, piece)
        return
    if hands.plain or chance < 0.28:
        hands.lift(start)
        on_the_way(hands, move, piece)
        hands.lift(goal)
        hands.pause()
    elif chance < 0.6:
        hands.habits.append("victim-first")
        hands.lift(goal)
        hands.pause()
        if rng.random() < 0.08 and not way.clock:
            hands.wait(2000, 8000)
        hands.lift(start)
        if way.calm:
            hands.carry()
        else:
            on_the_way(hands, move, piece)
    elif chance < 0.85:
        hands.habits.append("knock")
        hands.lift(start)
        hands.carry()
        hands.lift(goal)
        hands.flicker()
    else:
        beside = hands.free(neighbours(goal), start)
        hands.lift(start)
        hands.carry()
        taken = hands.lift(goal)
        if beside and not way.calm and way.delivery != "slow":
            _rolls(hands, rng.choice(beside), taken, goal, piece)
            return
        hands.flicker()
    hands.place(goal, piece)


def _rolls(hands: Hands, beside: int, taken: str, goal: int, piece: str) -> None:
    """The victim stands for a moment on a square beside, while its taker comes down."""
    hands.habits.append("victim-rolls")
    hands.wait(*(42, 80) if hands.way.framed else (20, 60))
    hands.place(beside, taken)
    rolled = hands.now
    hands.wait(20, 120)
    hands.place(goal, piece)
    most = 330 if hands.way.senses == "occupancy" else 1200
    hands.now = max(hands.now + 20, rolled + hands.rng.randint(100, most))
    hands.lift(beside)


def take_in_passing(hands: Hands, move: chess.Move) -> None:
    """The pawns in any order."""
    start, goal = move.from_square, move.to_square
    taken, pawn = victim(hands.board, move), hands.on[start] or ""
    chance = hands.rng.random()
    first, second = (taken, start) if 0.35 <= chance < 0.65 else (start, taken)
    hands.lift(first)
    if chance < 0.35:
        on_the_way(hands, move, pawn)
        hands.place(goal, pawn)
        hands.pause()
        hands.lift(second)
    else:
        hands.pause()
        hands.lift(second)
        if first == taken:
            hands.carry()
        else:
            hands.pause()
        hands.place(goal, pawn)
    hands.habits.append("ep")
