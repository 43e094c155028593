"""No position is called dead from which mate is possible.

Positions that are alive by construction: a mate is set up and moves are taken back from it, so a series of legal moves
to that mate is known. And walls that are called dead are searched to the end: no mate is found.
"""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import chess
import pytest
from chess import BLACK, WHITE, Board, Color, Move, Piece, Square, SquareSet

from controller.mating import certainly_dead, who_can_mate, who_can_mate_both
from controller.mating.ghosts import Haunted
from controller.mating.guide import bare_king
from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.search import Search
from controller.mating.state import in_check, state_of, successors
from controller.mating.tempo import Tempo
from controller.position import position_key

BISHOP, DARK = Piece(chess.BISHOP, BLACK), chess.BB_DARK_SQUARES
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def setup(rng: Random, pieces: list[Piece], rams: list[Square], box: int = 8) -> Board | None:
    """A legal position of kings, ``pieces`` and pawns face to face at ``rams``, where chance puts them near a1."""
    board = Board(None)
    for square in rams:
        board.set_piece_at(square, Piece(chess.PAWN, WHITE))
        board.set_piece_at(square + 8, Piece(chess.PAWN, BLACK))
    free = [s for s in chess.SQUARES if not board.piece_at(s) and chess.square_distance(s, chess.A1) < box]
    pieces = [Piece(chess.KING, WHITE), Piece(chess.KING, BLACK), *pieces]
    for square, piece in zip(rng.sample(free, len(pieces)), pieces, strict=True):
        board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    return board if board.is_valid() else None


def some_rams(rng: Random, files: int) -> list[Square]:
    return [chess.square(f, rng.randrange(1, 6)) for f in rng.sample(range(8), files)]


def taken_back(board: Board, rng: Random) -> Iterator[Board]:
    """Legal positions from which one legal move leads to ``board``, in random order."""
    mover = not board.turn
    last = chess.BB_RANK_8 if mover else chess.BB_RANK_1
    ways = [(to, board.piece_at(to)) for to in SquareSet(board.occupied_co[mover])]
    # What stands on the last rank may just have been promoted.
    ways += [(to, Piece(chess.PAWN, mover)) for to in SquareSet(board.occupied_co[mover] & last & ~board.kings)]
    rng.shuffle(ways)
    for to, piece in ways:
        assert piece
        back = -8 if mover else 8
        pawn = piece.piece_type == chess.PAWN
        nearby = [to + back - 1, to + back, to + back + 1]
        origins = [s for s in nearby if chess.square_distance(s, to) == 1] if pawn else list(board.attacks(to))
        rng.shuffle(origins)
        for origin in origins:
            takes = pawn and origin != to + back
            for victim in rng.sample([None, *KINDS], 6):
                if board.piece_at(origin) or (pawn and takes is (victim is None)):
                    continue
                before = board.copy(stack=False)
                before.remove_piece_at(to)
                before.set_piece_at(origin, piece)
                if victim:
                    before.set_piece_at(to, Piece(victim, not mover))
                before.turn, before.ep_square = mover, None
                if before.is_valid():
                    yield before


class Case(NamedTuple):
    """Mates to look for: how many, among how many pawns face to face and other pieces, within how large a corner."""

    wanted: int
    rams: range
    pieces: range
    kinds: tuple[chess.PieceType, ...] = KINDS[1:]
    box: int = 8


CASES = {
    "no pawns": Case(5, range(1), range(1, 4)),
    "minor pieces in a corner": Case(7, range(1), range(2, 4), (chess.KNIGHT, chess.BISHOP, chess.BISHOP), 4),
    "bishops and pawns in a corner": Case(5, range(1, 4), range(1, 4), (chess.BISHOP,), 4),
    "few pawns": Case(6, range(1, 4), range(1, 3)),
    "many pawns": Case(4, range(5, 9), range(1, 4)),
}


def mates(rng: Random, case: Case) -> Iterator[tuple[Board, Color]]:
    """Mates found by chance, and who gives them."""
    found = 0
    while found < case.wanted:
        pieces = [Piece(rng.choice(case.kinds), rng.random() < 0.5) for _ in range(rng.choice(case.pieces))]
        board = setup(rng, pieces, some_rams(rng, rng.choice(case.rams)), case.box)
        if board and board.is_checkmate():
            found += 1
            yield board, not board.turn


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_leads_to_a_mate_is_alive(case: Case) -> None:
    rng = Random(1)
    asked = 0
    for mate, colour in mates(rng, case):
        assert who_can_mate(mate, colour).can, mate.fen()
        for _ in range(3):
            board: Board | None = mate
            for _ in range(6):
                board = next(taken_back(board, rng), None) if board else None
                if board:
                    about = f"{board.fen()} can lead to {mate.fen()}"
                    verdict = who_can_mate(board, colour, bound=200)
                    assert verdict.can is not False, about
                    assert ends_in_mate(board, colour, verdict.line) or not verdict.can, about
                    # Also where a mate is found at once, so that the proof itself is tried.
                    reach = Reach(state_of(board))
                    assert may_mate(reach, colour), about
                    assert not Haunted(state_of(board), reach).never([colour], 200), about
                    asked += 1
    assert asked > case.wanted * 10


def test_colours_and_wings_are_alike() -> None:
    """What is proved of a position is never against what is found for it turned over or seen in a mirror."""
    rng = Random(7)
    asked = 0
    while asked < 20:
        board = shut(rng, (chess.BISHOP, chess.KNIGHT)) if asked % 2 else setup(rng, [], some_rams(rng, 3), 5)
        if board is None:
            continue
        asked += 1
        flipped, turned = board.mirror(), board.transform(chess.flip_horizontal)
        white, black = who_can_mate_both(board, bound=1_000)
        other_black, other_white = who_can_mate_both(flipped, bound=1_000)
        side_white, side_black = who_can_mate_both(turned, bound=1_000)
        for verdicts in ((white, other_white, side_white), (black, other_black, side_black)):
            assert not {True, False} <= {verdict.can for verdict in verdicts}, board.fen()


def ends_in_mate(board: Board, colour: Color, line: tuple[Move, ...]) -> bool:
    """Whether these are legal moves to a mate by ``colour``."""
    here = board.copy()
    for move in line:
        assert here.is_legal(move)
        here.push(move)
    return here.is_checkmate() and here.turn != colour


def shut(rng: Random, kinds: tuple[chess.PieceType, ...]) -> Board | None:
    """A position in which pawns stand face to face across the board, some a step apart, with few pieces else."""
    rank = rng.choice((2, 3))
    files = rng.choice(((0, 2, 4, 6), (1, 3, 5, 7), (0, 2, 3, 5, 7), (0, 1, 3, 5, 6), tuple(range(8))))
    board = Board(None)
    for file in files:
        board.set_piece_at(chess.square(file, rank - (rng.random() < 0.15)), Piece(chess.PAWN, WHITE))
        board.set_piece_at(chess.square(file, rank + 1 + (rng.random() < 0.15)), Piece(chess.PAWN, BLACK))
    pieces = [Piece(chess.KING, WHITE), Piece(chess.KING, BLACK)]
    pieces += [Piece(rng.choice(kinds), rng.random() < 0.5) for _ in range(rng.choice((0, 1, 1)))]
    free = [s for s in chess.SQUARES if not board.piece_at(s)]
    for square, piece in zip(rng.sample(free, len(pieces)), pieces, strict=True):
        board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    return board if board.is_valid() and any(board.legal_moves) else None


def test_nobody_gets_where_the_estimate_says_he_cannot() -> None:
    rng = Random(2)
    asked = 0
    while asked < 20:
        board = shut(rng, (chess.KNIGHT, chess.BISHOP, chess.BISHOP))
        estimate = Reach(state_of(board)) if board else None
        if board is None or estimate is None or all(not piece.fixed for piece in estimate.but_kings):
            continue
        asked += 1
        within: dict[Piece, SquareSet] = defaultdict(SquareSet)
        for piece in estimate.pieces:
            for kind in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT) if piece.kind == chess.PAWN else ():
                within[Piece(kind, piece.colour)] |= piece.reach
            within[Piece(piece.kind, piece.colour)] |= piece.squares
        for position in reachable(board, 300):
            for square, found in position.piece_map().items():
                assert square in within[found], f"{board.fen()}: {position.fen()}"


def test_what_is_proved_dead_is_dead_to_the_last_position() -> None:
    rng = Random(5)
    proved = searched = 0
    while proved < 12:
        board = shut(rng, (chess.BISHOP,))
        if board is None:
            continue
        estimate = Reach(state_of(board))
        dead = [colour for colour in (WHITE, BLACK) if not may_mate(estimate, colour)]
        if not dead:
            continue
        proved += 1
        states = {state_of(board)}
        queue = list(states)
        for state in queue:
            searched += 1
            after = successors(state)
            if not after and in_check(state):
                assert state[0] in dead, f"{board.fen()}: {state}"
            new = set(after) - states if len(states) < 1_000 else set()
            states |= new
            queue += sorted(new)
    assert searched > 3_600


def test_where_bishops_shuffle_about_there_is_no_mate() -> None:
    """Proved by kings and pawns alone, and so it is when every line is followed."""
    rng = Random(11)
    proved = 0
    while proved < 6:
        board = Board("8/8/7p/5p1P/5p2/5PpK/6P1/8 w - - 0 1")
        board.set_piece_at(rng.choice(range(48, 64)), Piece(chess.KING, BLACK))
        board.set_piece_at(
            rng.choice([s for s in range(16, 56) if chess.BB_SQUARES[s] & DARK & ~board.occupied]), BISHOP
        )
        if not board.is_valid():
            continue
        state = state_of(board)
        if never := Haunted(state, Reach(state)).never([WHITE, BLACK], 2_000):
            proved += 1
            found = Search(state, WHITE, Tempo(state), [bare_king]).run(10_000)
            assert never == {WHITE, BLACK} == found.cannot, board.fen()


def reachable(board: Board, limit: int) -> Iterator[Board]:
    """Positions that legal moves reach from here, nearest first."""
    seen, queue = {position_key(board)}, [board]
    for here in queue:
        yield here
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            if (key := position_key(after)) not in seen and len(seen) < limit:
                seen.add(key)
                queue.append(after)


def test_the_search_would_find_a_mate() -> None:
    board = Board("7k/8/5KP1/8/8/8/8/8 w - - 0 1")
    assert any(p.is_checkmate() for p in reachable(board, 4_000))
    assert not certainly_dead(board)
