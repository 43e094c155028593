"""How things stand after each edge: each order of capture, castling, en passant and promotion, on all boards."""

import pytest
from shorthand import CASTLING, EN_PASSANT, inputs, seen, session

from controller.contract import Senses
from controller.game import Game
from controller.sensing.difference import Kind

TAKES = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
PROMOTES = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
TAKES_AND_PROMOTES = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
CANNOT_CASTLE = CASTLING.replace("KQkq", "kq")

KINDS = {"h" if kind is Kind.PARTIAL else kind.name[0]: kind for kind in Kind}
# Q quiet, H held, V vacant, h half, W whole, A astray, F foreign. Edges: -e4 lifted, d5P set down. Then one letter an
# edge.

EVERY_BOARD = [
    ("a quiet move", TAKES, "-e1 e2K", "H W"),
    ("its destination first", TAKES, "e2K -e1", "F W"),
    ("put back", TAKES, "-e1 e1K", "H Q"),
    ("over another square", TAKES, "-e1 e2K -e2 d2K", "H W H W"),
    ("to where it may not go", TAKES, "-e1 e3K", "H A"),
    ("and on to where it may", TAKES, "-e1 e3K -e3 e2K", "H A H W"),
    ("capture, victim first", TAKES, "-d5 -e4 d5P", "H H W"),
    ("capture, mover first", TAKES, "-e4 -d5 d5P", "H H W"),
    ("castling, king first", CASTLING, "-e1 g1K -h1 f1R", "H h h W"),
    ("castling, both lifted, king down first", CASTLING, "-e1 -h1 g1K f1R", "H H h W"),
    ("castling, both lifted, rook down first", CASTLING, "-h1 -e1 f1R g1K", "H H h W"),
    ("castling, rook first: a rook move, then a king astray", CASTLING, "-h1 f1R -e1 g1K", "H W H F"),
    ("castling on the queen's side", CASTLING, "-e1 c1K -a1 d1R", "H h h W"),
    ("castling that is not legal", CANNOT_CASTLE, "-e1 g1K -h1 f1R", "H A A A"),
    ("en passant, victim last", EN_PASSANT, "-e5 d6P -d5", "H h W"),
    ("en passant, victim first", EN_PASSANT, "-d5 -e5 d6P", "H H W"),
    ("en passant, victim between", EN_PASSANT, "-e5 -d5 d6P", "H H W"),
    ("en passant too late", EN_PASSANT.replace("d6", "-"), "-e5 d6P -d5", "H A A"),
    ("promotion, the pawn removed", PROMOTES, "-a7 a8Q", "V W"),
    ("promotion, the new piece first", PROMOTES, "a8Q -a7", "h W"),
    ("promotion taking, victim first", TAKES_AND_PROMOTES, "-b8 -a7 b8Q", "H V W"),
    ("promotion taking, mover first", TAKES_AND_PROMOTES, "-a7 -b8 b8Q", "V V W"),
    ("promotion, another piece lifted too", PROMOTES, "-a7 -a1", "V H"),
    ("a piece from nowhere", TAKES, "h5P", "F"),
    ("the other player's piece elsewhere", TAKES, "-e8 e7k", "H F"),
]

ONE_KIND_OF_BOARD: list[tuple[str, Senses, str, str, str]] = [
    ("a pawn on its last rank", "identity", PROMOTES, "-a7 a8P", "V h"),
    ("it gives way to a queen", "identity", PROMOTES, "-a7 a8P -a8 a8Q", "V h V W"),
    ("it cannot be told from a queen", "colour", PROMOTES, "-a7 a8P", "V W"),
    ("it cannot be told from a queen", "occupancy", PROMOTES, "-a7 a8P", "V W"),
    ("a king is no promotion", "identity", PROMOTES, "-a7 a8K", "V A"),
    ("a queen of the wrong colour", "colour", PROMOTES, "-a7 a8q", "V A"),
    ("capture swapped within one scan", "identity", TAKES, "-e4 d5P", "H W"),
    ("capture swapped within one scan", "colour", TAKES, "-e4 d5P", "H W"),
    ("capture swapped, the destination first", "identity", TAKES, "d5P -e4", "F W"),
    ("promotion taking, swapped first", "identity", TAKES_AND_PROMOTES, "b8Q -a7", "h W"),
    ("the victim's square filled with the taker in hand", "occupancy", TAKES, "-e4 -d5 d5p", "H H W"),
    ("the victim put back", "colour", TAKES, "-e4 -d5 d5p", "H H H"),
    ("the victim put back", "identity", TAKES, "-e4 -d5 d5p", "H H H"),
    ("the victim put back, nobody in hand", "occupancy", TAKES, "-d5 d5p", "H Q"),
    ("two pieces exchanged", "identity", "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "b1B c1N", "F F"),
]


def stands(senses: Senses, fen: str, edges: str) -> list[Kind]:
    """The kind of difference after each edge, all within the time of a passage."""
    game = Game(session(fen, senses=senses))
    kinds = []
    for number, edge in enumerate(edges.split()):
        ms = 1000 + 60 * number
        log = f"{ms} lift {edge[1:]}" if edge[0] == "-" else f"{ms} place {edge[:2]} {seen(edge[2], senses)}"
        for item in inputs(log):
            game.handle(item)
        kinds.append(game.state.turn.difference.kind)
    return kinds


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize(("fen", "edges", "kinds"), [r[1:] for r in EVERY_BOARD], ids=[r[0] for r in EVERY_BOARD])
def test_on_every_board(senses: Senses, fen: str, edges: str, kinds: str) -> None:
    assert stands(senses, fen, edges) == [KINDS[letter] for letter in kinds.split()]


@pytest.mark.parametrize(
    ("senses", "fen", "edges", "kinds"),
    [row[1:] for row in ONE_KIND_OF_BOARD],
    ids=[f"{row[0]}-{row[1]}" for row in ONE_KIND_OF_BOARD],
)
def test_on_one_kind_of_board(senses: Senses, fen: str, edges: str, kinds: str) -> None:
    assert stands(senses, fen, edges) == [KINDS[letter] for letter in kinds.split()]
