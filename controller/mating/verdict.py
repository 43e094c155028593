"""Who can still mate by some series of legal moves, and what shows it (5.2.2, 6.9)."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import chess
from chess import BB_BACKRANKS, Board, Color, Move, popcount

from controller.mating import guide, tempo
from controller.mating.ghosts import GHOSTS, Haunted
from controller.mating.guide import Guide, bare_king, caught_king, soon_promoted
from controller.mating.patterns import may_mate, too_little
from controller.mating.reach import Reach
from controller.mating.search import Found, Search
from controller.mating.state import MatingState, in_check, state_of, successors
from controller.mating.tempo import Tempo

BOUND = 35_000  #: so many positions each search looks at before nothing is said: one to two seconds
SOON = 500  #: many mates are found within so many
SHORT = 2_000  #: so many at most are looked at as each guide alone has it
PROOFS = 50  #: so many positions are tried for walls in a long search


class Why(StrEnum):
    """What a verdict rests on."""

    MATED = "mated"  #: the game is over by checkmate
    STALEMATE = "stalemate"  #: the game is over by stalemate
    HELPMATE = "helpmate"  #: a line that ends with this mate
    MATERIAL = "material"  #: too little material, wherever it stands
    WALLS = "walls"  #: where the pieces might get allows no mate
    MOVES = "moves"  #: a side runs out of moves before the pieces get where they might mate
    LINES = "lines"  #: every line there is was followed to its end, of all pieces or of kings and pawns
    BOUND = "bound"  #: unknown: too many lines to follow them all
    OTHER = "other"  #: unknown: no position of ordinary chess that a game reaches


class Verdict(NamedTuple):
    """Whether a player can still mate; ``can`` is None where that is not known."""

    can: bool | None
    why: Why
    line: tuple[Move, ...] = ()  #: the moves to a mate, where one was found
    positions: int = 0  #: how many positions were looked at


def who_can_mate(board: Board, colour: Color, *, bound: int = BOUND) -> Verdict:
    """Whether ``colour`` can still mate. The same position and ``bound`` give the same answer on every machine.

    ``bound``: so many positions each search looks at; with none, only what the material shows. Costs 10 to 30 µs for
    each position, most answers a few milliseconds, and the hardest up to the bound.
    """
    return _verdicts(board, (colour,), bound)[colour]


def who_can_mate_both(board: Board, *, bound: int = BOUND) -> tuple[Verdict, Verdict]:
    """Whether White and whether Black can still mate: for less than twice the price of one, as what is found for
    one may settle the other."""
    verdicts = _verdicts(board, (chess.WHITE, chess.BLACK), bound)
    return verdicts[chess.WHITE], verdicts[chess.BLACK]


def _verdicts(board: Board, colours: tuple[Color, ...], bound: int) -> dict[Color, Verdict]:
    if not proper(board):
        return dict.fromkeys(colours, Verdict(None, Why.OTHER))
    state = state_of(board)
    if not successors(state):
        return {colour: _over(state, colour) for colour in colours}
    verdicts: dict[Color, Verdict] = {}
    reach: Reach | None = None
    for colour in colours:
        if too_little(state, colour):
            verdicts[colour] = Verdict(False, Why.MATERIAL)
        elif bound:
            reach = reach or Reach(state)
            if shut := _shut(reach, colour):
                verdicts[colour] = shut
    left = [colour for colour in colours if colour not in verdicts]
    looked_at = 0
    for found in _searches(state, reach, left, bound) if reach else ():
        for colour in tuple(left):
            if colour in found.mates:
                line = _moves(board, found.mates[colour])
                verdicts[colour] = Verdict(True, Why.HELPMATE, line=line, positions=looked_at + found.positions)
            elif colour in found.cannot:
                verdicts[colour] = Verdict(False, Why.LINES, positions=looked_at + found.positions)
        looked_at += found.positions
        left[:] = [colour for colour in left if colour not in verdicts]
    guide.forget()
    tempo.forget()
    return verdicts | dict.fromkeys(left, Verdict(None, Why.BOUND, positions=looked_at))


def _searches(state: MatingState, reach: Reach, left: list[Color], bound: int) -> Iterator[Found]:
    """One search after another, for those that are ``left`` by then: first what nearly always suffices, at last all
    that the bound allows."""
    # Where there is one move only, what it leads to shows more.
    only = successors(state)
    tempo = Tempo(only[0] if len(only) == 1 else state)
    hopeful = {piece.colour for piece in reach.but_kings if piece.promotes}

    def caught(hopeful: bool) -> Guide:
        return partial(soon_promoted, tempo, partial(caught_king, hopeful=hopeful))

    def search(guides: Callable[[Color], Sequence[Guide]], most: int, proofs: int = 0) -> Iterator[Found]:
        for colour in tuple(left):
            if colour in left:  # what is found for one may settle the other
                yield Search(state, colour, tempo, guides(colour), proofs).run(min(bound, most))

    yield from search(lambda colour: (caught(colour in hopeful),), SHORT)
    if left and state[3]:
        yield Found({}, frozenset(Haunted(state, reach).never(left, min(bound, GHOSTS))))
    if bound >= SHORT:
        yield from search(lambda _: (bare_king,), SHORT)
    if bound > SHORT:
        # A pawn that looks hopeful may be barred for good: so here nobody waits for one.
        yield from search(lambda _: (caught(False), bare_king), bound, PROOFS)


def proper(board: Board) -> bool:
    """Whether this is a position of ordinary chess that a game might reach: only there do the proofs hold."""
    return (
        board.uci_variant == "chess"
        and popcount(board.kings & board.occupied_co[chess.WHITE]) == 1
        and popcount(board.kings & board.occupied_co[chess.BLACK]) == 1
        and not board.pawns & BB_BACKRANKS
        and not board.was_into_check()
    )


def _over(state: MatingState, colour: Color) -> Verdict:
    if not in_check(state):
        return Verdict(False, Why.STALEMATE)
    return Verdict(state[0] != colour, Why.MATED)


def _shut(reach: Reach, colour: Color) -> Verdict | None:
    if may_mate(reach, colour):
        return None
    return Verdict(False, Why.MOVES if reach.ends else Why.WALLS)


def _moves(board: Board, way: tuple[MatingState, ...]) -> tuple[Move, ...]:
    """The moves that lead through these positions, made on a board as the Laws have them."""
    here, line = board.copy(stack=False), []
    for state in way[1:]:
        left = here.occupied_co[here.turn] & ~state[2 if state[0] else 1]
        for move in here.generate_legal_moves(left):
            after = here.copy(stack=False)
            after.push(move)
            if state_of(after) == state:
                break
        line.append(move)
        here = after
    return tuple(line)
