"""How people play: all of it lawful in every edition, most of it untidy.

Each habit below is one that is seen at any club evening. Durations are in ms. Nobody here breaks Article 4: who holds a
piece for longer than a brush either says "j'adoube" before, or moves it, or takes it, or could do neither.
"""

from dataclasses import dataclass
from typing import NamedTuple

import chess

from guests.wood import Wood

BRUSH = (20, 95)  #: shorter than any touch that counts
PASSAGE = (30, 330)  #: shorter than a release


@dataclass(frozen=True)
class Player:
    """One person's pace and untidiness. ``neat`` 1 does nothing but what the move needs."""

    pace: float = 1.0
    neat: float = 0.6
    presses: bool = False  #: there is a clock
    buttons: bool = True  #: names the piece of a promotion
    tells: bool = False  #: the board sees kinds, so nobody names anything
    pushes: bool = False  #: takes by pushing the victim to the next square, and only then off the board


class Turn(NamedTuple):
    """A player's turn: ``move`` is to be played from ``board``, which is left as it is."""

    wood: Wood
    board: chess.Board
    move: chess.Move
    player: Player


def ply(turn: Turn) -> None:
    """Plays the move, however its player plays."""
    wood, board, move, player = turn
    wood.wait(300 * player.pace, 4000 * player.pace)
    if wood.rng.random() > player.neat:
        before(turn)
    if board.is_castling(move):
        castle(turn)
    elif move.promotion:
        promote(turn)
    elif board.is_en_passant(move):
        en_passant(turn)
    elif board.is_capture(move):
        capture(turn)
    else:
        carry(turn)
    if player.presses:
        press(turn)
    wood.plies.append(wood.ms)


def press(turn: Turn) -> None:
    """At once with the piece still warm, or after a look."""
    if turn.wood.rng.random() < 0.25:
        turn.wood.wait(5, 40)
    else:
        turn.wood.wait(80, 900 * turn.player.pace)
    turn.wood.say(type="press", side=chess.COLOR_NAMES[turn.board.turn])


# -- before the move -----------------------------------------------------------------------------------------------


def before(turn: Turn) -> None:
    """What hands do while their owner thinks."""
    habit = turn.wood.rng.choice([sleeve, brush, straighten, pick_up_twice, hover_back, stuck_piece, tap])
    habit(turn)
    turn.wood.wait(150, 1500 * turn.player.pace)


def brush(turn: Turn) -> None:
    """A piece of either colour is knocked and stands again."""
    square = turn.wood.rng.choice(sorted(turn.wood.squares))
    piece = turn.wood.up(square)
    turn.wood.wait(*BRUSH)
    turn.wood.down(square, piece)


def sleeve(turn: Turn) -> None:
    """A sleeve goes over neighbours: they lean and stand again, one after another, some at once."""
    first = turn.wood.rng.choice(sorted(turn.wood.squares))
    near = sorted(turn.wood.squares, key=lambda square: chess.square_distance(first, square))[
        : turn.wood.rng.randint(2, 4)
    ]
    began, latest = turn.wood.ms, turn.wood.ms
    for square in near:
        turn.wood.ms = began + turn.wood.rng.randint(0, 60)
        piece = turn.wood.up(square)
        turn.wood.wait(*BRUSH)
        turn.wood.down(square, piece)
        latest = max(latest, turn.wood.ms)
    turn.wood.ms = latest


def straighten(turn: Turn) -> None:
    """J'adoube: one to three pieces are put in the middle of their squares."""
    turn.wood.wait(500, 900)  # the move before has been let go by then
    turn.wood.say(type="adjust", side=chess.COLOR_NAMES[turn.board.turn])
    for square in turn.wood.rng.sample(sorted(turn.wood.squares), turn.wood.rng.randint(1, 3)):
        turn.wood.wait(150, 700)
        piece = turn.wood.up(square)
        turn.wood.wait(150, 1200)
        turn.wood.down(square, piece)
    turn.wood.wait(100, 400)


def pick_up_twice(turn: Turn) -> None:
    """Takes the piece, puts it back, thinks, and then does move it, as he must."""
    if turn.board.is_castling(turn.move):
        return
    piece = turn.wood.up(turn.move.from_square)
    turn.wood.wait(200, 2500 * turn.player.pace)
    turn.wood.down(turn.move.from_square, piece)


def hover_back(turn: Turn) -> None:
    """Touches another square in passing, does not let go, and goes back to where he came from."""
    squares = [m.to_square for m in turn.board.legal_moves if m.from_square == turn.move.from_square]
    free = turn.wood.empty(squares)
    if turn.board.is_castling(turn.move) or not free:
        return
    piece = turn.wood.up(turn.move.from_square)
    turn.wood.wait(200, 1500 * turn.player.pace)
    over = turn.wood.rng.choice(free)
    turn.wood.down(over, piece)
    turn.wood.wait(*PASSAGE)
    turn.wood.up(over)
    turn.wood.wait(200, 1200 * turn.player.pace)
    turn.wood.down(turn.move.from_square, piece)


def stuck_piece(turn: Turn) -> None:
    """Touches a piece of his own that cannot move at all: he may make any move (4.5)."""
    movable = {m.from_square for m in turn.board.legal_moves}
    stuck = [s for s in turn.wood.squares if turn.board.color_at(s) == turn.board.turn and s not in movable]
    stuck = [s for s in stuck if turn.board.piece_type_at(s) not in (chess.KING, chess.ROOK)]
    if not stuck:
        return
    square = turn.wood.rng.choice(sorted(stuck))
    piece = turn.wood.up(square)
    turn.wood.wait(200, 1500)
    turn.wood.down(square, piece)


def tap(turn: Turn) -> None:
    """Rocks his piece where it stands, faster than a touch, a few times."""
    for _ in range(turn.wood.rng.randint(2, 4)):
        piece = turn.wood.up(turn.move.from_square)
        turn.wood.wait(*BRUSH)
        turn.wood.down(turn.move.from_square, piece)
        turn.wood.wait(60, 300)


# -- the move ------------------------------------------------------------------------------------------------------


def carry(turn: Turn) -> None:
    """To an empty square: through the air, or along the board by the edge of the foot."""
    origin, target = turn.move.from_square, turn.move.to_square
    piece = turn.wood.up(origin)
    turn.wood.wait(80, 900 * turn.player.pace)
    way = sorted(chess.SquareSet(chess.between(origin, target)), key=lambda s: chess.square_distance(origin, s))
    if way and turn.wood.rng.random() > turn.player.neat and not turn.wood.rng.randint(0, 2):
        for square in turn.wood.empty(way):
            turn.wood.down(square, piece)
            turn.wood.wait(*PASSAGE)
            turn.wood.up(square)
            turn.wood.wait(0, 60)
    set_down(turn, piece)


def set_down(turn: Turn, piece: str) -> None:
    """Neatly; or on the line and then centred; or rocking."""
    target = turn.move.to_square
    if turn.wood.rng.random() < turn.player.neat:
        turn.wood.down(target, piece)
        return
    manner = turn.wood.rng.choice(["line", "rock", "late"])
    beside = turn.wood.empty(s for s in chess.SQUARES if chess.square_distance(s, target) == 1)
    if manner == "line" and beside:
        edge = turn.wood.rng.choice(beside)
        turn.wood.down(edge, piece)
        turn.wood.wait(40, 300)
        turn.wood.up(edge)
        turn.wood.wait(0, 80)
        turn.wood.down(target, piece)
    elif manner == "rock":
        turn.wood.down(target, piece)
        for _ in range(turn.wood.rng.randint(1, 3)):
            turn.wood.wait(*BRUSH)
            turn.wood.up(target)
            turn.wood.wait(*BRUSH)
            turn.wood.down(target, piece)
    else:
        turn.wood.wait(200, 2500 * turn.player.pace)
        turn.wood.down(target, piece)


def capture(turn: Turn) -> None:
    """In the order of the day: the victim first, the taker first, both in one sweep, or the victim pushed away."""
    order = turn.wood.rng.choice(["victim", "taker", "sweep", "swap", *(["push"] if turn.player.pushes else [])])
    origin, target = turn.move.from_square, turn.move.to_square
    beside = turn.wood.empty(s for s in chess.SQUARES if chess.square_distance(s, target) == 1 and s != origin)
    if order == "victim":
        turn.wood.up(target)
        turn.wood.wait(150, 1200 * turn.player.pace)
        carry(turn)
    elif order == "push" and beside:
        piece = turn.wood.up(origin)
        turn.wood.wait(80, 700 * turn.player.pace)
        aside = turn.wood.rng.choice(beside)
        victim = turn.wood.up(target)
        turn.wood.wait(10, 120)
        turn.wood.down(aside, victim)
        turn.wood.wait(0, 40)
        turn.wood.down(target, piece)
        turn.wood.wait(100, 900)
        turn.wood.up(aside)
    elif order == "swap":
        piece = turn.wood.up(origin)
        turn.wood.wait(80, 700 * turn.player.pace)
        turn.wood.down(target, piece)  # the victim leaves as the taker comes: no sensor sees the square empty
    else:
        piece = turn.wood.up(origin)
        turn.wood.wait(*((20, 140) if order == "sweep" else (200, 1500 * turn.player.pace)))
        turn.wood.up(target)
        turn.wood.wait(60, 900 * turn.player.pace)
        set_down(turn, piece)


def en_passant(turn: Turn) -> None:
    """The taken pawn goes first, between, or last."""
    victim = chess.square(chess.square_file(turn.move.to_square), chess.square_rank(turn.move.from_square))
    order = turn.wood.rng.choice(["first", "between", "last"])
    if order == "first":
        turn.wood.up(victim)
        turn.wood.wait(200, 900)
    piece = turn.wood.up(turn.move.from_square)
    turn.wood.wait(80, 800)
    if order == "between":
        turn.wood.up(victim)
        turn.wood.wait(80, 800)
    turn.wood.down(turn.move.to_square, piece)
    if order == "last":
        turn.wood.wait(150, 1800)
        turn.wood.up(victim)


def castle(turn: Turn) -> None:
    """King first always: then the rook after him, beside him, or with the other hand's haste."""
    short = chess.square_file(turn.move.to_square) > 4
    rank = chess.square_rank(turn.move.from_square)
    rook_from, rook_to = chess.square(7 if short else 0, rank), chess.square(5 if short else 3, rank)
    order = turn.wood.rng.choice(["plain", "both up", "both at once"])
    king = turn.wood.up(turn.move.from_square)
    turn.wood.wait(80, 700 * turn.player.pace)
    if order == "plain":
        turn.wood.down(turn.move.to_square, king)
        turn.wood.wait(100, 1500 * turn.player.pace)
        rook = turn.wood.up(rook_from)
        turn.wood.wait(80, 700 * turn.player.pace)
        turn.wood.down(rook_to, rook)
        return
    rook = turn.wood.up(rook_from)
    turn.wood.wait(80, 500)
    first, second = ((turn.move.to_square, king), (rook_to, rook))
    if order == "both at once" and turn.wood.rng.random() < 0.5:
        first, second = second, first
    turn.wood.down(*first)
    turn.wood.wait(0, 200)
    turn.wood.down(*second)


def promote(turn: Turn) -> None:
    """The pawn goes to the last rank and is exchanged; or never gets there; or stays, and a button says what it is."""
    rng, target, kind = turn.wood.rng, turn.move.to_square, turn.move.promotion or chess.QUEEN
    letter = chess.Piece(kind, turn.board.turn).symbol()
    needs_name = not turn.player.tells and kind != chess.QUEEN
    names = needs_name or (not turn.player.tells and turn.player.buttons and rng.random() < 0.4)
    when = rng.choice(["before", "between", "after"])
    named = {"type": "choose", "side": chess.COLOR_NAMES[turn.board.turn], "piece": chess.piece_symbol(kind)}

    def name(now: str) -> None:
        if names and when == now:
            turn.wood.say(**named)
            turn.wood.wait(100, 600)

    manner = rng.choice(["rest", "straight", "stays"]) if not turn.player.tells else rng.choice(["rest", "straight"])
    if manner == "stays" and kind != chess.QUEEN and when == "between":
        when = "after"
    name("before")
    pawn = turn.wood.up(turn.move.from_square)
    if turn.board.is_capture(turn.move):
        turn.wood.wait(100, 900)
        turn.wood.up(target)
    turn.wood.wait(100, 900)
    if manner == "straight":
        name("between")
        turn.wood.wait(300, 3000)  # fetches the piece from beside the board
        turn.wood.down(target, letter)
    elif manner == "rest":
        turn.wood.down(target, pawn)
        turn.wood.wait(150, 6000 * turn.player.pace)
        turn.wood.up(target)
        name("between")
        turn.wood.wait(200, 4000)
        turn.wood.down(target, letter)
    else:
        turn.wood.down(target, pawn)
        turn.wood.wait(100, 2000)
        name("between")
        turn.wood.squares[target] = letter  # the wood is still a pawn; everybody calls it by its name
    if names and when == "after":
        turn.wood.wait(200, 900)
        name("after")
