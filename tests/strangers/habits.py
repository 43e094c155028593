"""What hands do beside the move: before it (brushing, adjusting, touching and putting back), and on the way."""

import chess

from strangers.hands import Hands
from strangers.wood import neighbours, victim


def brush(hands: Hands, squares: list[int]) -> None:
    """A sleeve lifts pieces for a moment, all of them within what counts as one brush."""
    held = []
    began = hands.now
    for square in squares:
        held.append((square, hands.lift(square)))
        hands.wait(0, 15)
    lasts = hands.rng.randint(35, 92) if hands.way.framed else hands.rng.randint(8, 112)
    if len(squares) == 1:
        hands.now = max(hands.now + 3, began + lasts)
    else:
        hands.now = max(hands.now + 5, began + min(lasts, 80))
    for square, piece in held:
        hands.place(square, piece)
        hands.wait(0, 8)


def touch(hands: Hands, square: int) -> None:
    """Lift a piece, and put it back."""
    piece = hands.lift(square)
    hands.wait(260, 1500)
    hands.place(square, piece)
    hands.wait(500, 2500)


def adjust(hands: Hands, number: int) -> None:
    """Say j'adoube, and put some pieces straight before it wears off."""
    standing = [square for square in hands.standing() if square != hands.way.dead]
    hands.wait(600)
    hands.say("adjust", hands.board.turn)
    hands.wait(150, 900)
    began = hands.now
    for square in hands.rng.sample(standing, min(number, len(standing))):
        if hands.now - began > 6500:
            break
        piece = hands.lift(square)
        hands.wait(180 if hands.way.delivery != "slow" else 250, 1100)
        hands.place(square, piece)
        hands.wait(250, 900)
    hands.habits.append("adjust")


def before(hands: Hands, move: chess.Move) -> None:
    """Perhaps something before the move, nothing of which binds to another move."""
    if hands.plain:
        return
    rng, board, delivery = hands.rng, hands.board, hands.way.delivery
    chance = rng.random()
    if hands.brushes and not hands.way.calm and rng.random() < 0.12:
        _sleeve(hands)
    if hands.way.clock and hands.bank[board.turn] < 40000:
        return
    if chance < 0.06 and (not hands.way.clock or hands.pressed < hands.now) and delivery != "missing":
        adjust(hands, rng.choice([1, 1, 2, 3]))
        hands.wait(300, 4000)
    elif delivery != "missing":
        _touch_first(hands, move, chance)


def _sleeve(hands: Hands) -> None:
    rng = hands.rng
    standing = hands.standing()
    if rng.random() < 0.6:
        brush(hands, [rng.choice(standing)])
        hands.habits.append("brush")
    else:
        square = rng.choice(standing)
        around = [other for other in neighbours(square) if hands.on[other]]
        brush(hands, [square, *around[: rng.randint(1, 2)]])
        hands.habits.append("sleeve")
    hands.wait(200, 1200)


def _touch_first(hands: Hands, move: chess.Move, chance: float) -> None:
    """Touch what moves anyway, what cannot move, what cannot be taken, or what will be taken."""
    board, rng = hands.board, hands.rng
    castles = board.is_castling(move)
    if chance < 0.12 and (castles or chance < 0.10):
        hands.habits.append("king-touched-then-castles" if castles else "touch-same")
        touch(hands, move.from_square)
        return
    if chance < 0.15:
        stuck = _immovable(hands)
        if stuck and not castles:
            hands.habits.append("touch-immovable")
            touch(hands, rng.choice(stuck))
            return
    if chance < 0.18:
        safe = _untakable(hands)
        if safe:
            hands.habits.append("touch-untakable")
            touch(hands, rng.choice(safe))
            return
    if chance < 0.24 and board.is_capture(move):
        hands.habits.append("victim-touched-first")
        touch(hands, victim(board, move))


def _immovable(hands: Hands) -> list[int]:
    """Own pieces without a lawful move, less those that castle."""
    board = hands.board
    movable = {move.from_square for move in board.legal_moves}
    return [
        square
        for square in chess.SquareSet(board.occupied_co[board.turn])
        if square not in movable
        and board.piece_type_at(square) not in (chess.KING, chess.ROOK)
        and square != hands.way.dead
    ]


def _untakable(hands: Hands) -> list[int]:
    """The opponent's pieces that no lawful move takes."""
    board = hands.board
    takable = {victim(board, move) for move in board.legal_moves if board.is_capture(move)}
    return [
        square
        for square in chess.SquareSet(board.occupied_co[not board.turn])
        if square not in takable and square != hands.way.dead and board.piece_type_at(square) != chess.KING
    ]


def on_the_way(hands: Hands, move: chess.Move, piece: str) -> None:
    """The piece is in hand; perhaps it stands somewhere on its way, or another piece is touched."""
    if hands.plain or hands.way.delivery == "missing":
        hands.carry()
        return
    rng, board = hands.rng, hands.board
    chance = rng.random()
    if rng.random() < 0.05 and not hands.way.clock:
        hands.wait(3000, 15000)
        hands.habits.append("hover")
    promotes = piece.lower() == "p" and chess.square_rank(move.to_square) in (0, 7)
    if chance < 0.14 and _slide(hands, move, piece):
        return
    if chance < 0.22 and not promotes and _hesitate(hands, move, piece):
        return
    if chance < 0.26 and not hands.way.calm and hands.way.delivery != "slow" and _roll(hands, move, piece, promotes):
        return
    if chance < 0.29 and hands.brushes and not hands.way.calm:
        hands.carry()
        near = [square for square in neighbours(move.to_square) if hands.on[square] and square != move.from_square]
        if near:
            hands.habits.append("brush-on-the-way")
            brush(hands, [rng.choice(near)])
            hands.wait(60, 400)
        return
    if chance < 0.32 and not board.is_castling(move) and hands.way.delivery != "slow":
        hands.habits.append("home-and-again")
        hands.carry()
        hands.place(move.from_square, piece)
        hands.wait(300, 3000)
        hands.lift(move.from_square)
    elif chance < 0.34 and not board.is_capture(move):
        _touch_in_passing(hands, move)
    hands.carry()


def _stand(hands: Hands, square: int, piece: str, most: int) -> None:
    hands.place(square, piece)
    hands.dwell(most)
    hands.lift(square)


def _slide(hands: Hands, move: chess.Move, piece: str) -> bool:
    """Push the piece over each square between, if they are empty."""
    path = list(chess.SquareSet(chess.between(move.from_square, move.to_square)))
    if not path or any(hands.on[square] for square in path):
        return False
    hands.habits.append("slide")
    for square in path if move.from_square < move.to_square else reversed(path):
        hands.wait(25, 160)
        _stand(hands, square, piece, 200)
    hands.wait(25, 160)
    hands.rest()
    return True


def _hesitate(hands: Hands, move: chess.Move, piece: str) -> bool:
    """Set the piece down on one or two other squares without letting go."""
    rng = hands.rng
    free = hands.free(range(64), move.from_square, move.to_square)
    if rng.random() < 0.7:
        reached = {other.to_square for other in hands.board.legal_moves if other.from_square == move.from_square}
        squares = [square for square in free if square in reached]
    else:
        squares = [square for square in free if chess.square_distance(square, move.to_square) <= 1]
    if not squares:
        return False
    hands.habits.append("hesitate")
    hands.carry()
    for square in rng.sample(squares, min(len(squares), rng.choice([1, 1, 2]))):
        _stand(hands, square, piece, 330)
        hands.carry()
    return True


def _roll(hands: Hands, move: chess.Move, piece: str, promotes: bool) -> bool:
    """Drop the piece beside its square; it rolls on, and is picked up."""
    rng = hands.rng
    squares = hands.free(neighbours(move.to_square), move.from_square)
    if not squares or promotes:
        return False
    hands.habits.append("dropped-rolls")
    hands.carry()
    square = rng.choice(squares)
    times = rng.randint(1, 3)
    for time in range(times):
        _stand(hands, square, piece, 280)
        squares = hands.free(neighbours(square), move.from_square, move.to_square)
        if time == times - 1 or not squares:
            break
        hands.wait(10, 60)
        square = rng.choice(squares)
    hands.wait(60, 500)
    return True


def _touch_in_passing(hands: Hands, move: chess.Move) -> None:
    """With the own piece in hand, touch one of the opponent's that it cannot take: the own one stays bound (4.3.3)."""
    board = hands.board
    mine = [m for m in board.legal_moves if m.from_square == move.from_square and board.is_capture(m)]
    shunned = chess.SquareSet(board.attacks(move.from_square)) | {victim(board, m) for m in mine}
    squares = [
        square
        for square in hands.standing()
        if board.color_at(square) == (not board.turn) and square not in shunned and square != hands.way.dead
    ]
    if squares and board.piece_type_at(move.from_square) not in (chess.KING, chess.PAWN) and not hands.way.calm:
        hands.habits.append("in-hand-touches-untakable")
        hands.carry()
        square = hands.rng.choice(squares)
        piece = hands.lift(square)
        hands.wait(260, 900)
        hands.place(square, piece)
