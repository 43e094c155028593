"""Of which kinds dropped pieces that nobody has named can be: by what they did since, and by what lay in stock.

A board that sees no kinds still knows where every piece went. A piece that moved like a knight is a knight. If the
opponent leaves his king where a kind would attack it from the piece's square, the piece is not of that kind. And nobody
drops a piece that is not in his stock. The stocks of both boards hang together: a piece named wrongly goes into the
wrong stock once it is captured, which then has one piece too many and one too few. Pure functions of the moves made;
nothing here changes a game.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from math import log
from typing import TypeAlias

import chess
from chess import BB_BACKRANKS, BB_SQUARES, Board, Color, PieceType, Square
from msgspec import Struct

from controller import contract as c
from controller.bughouse import KINDS, may_lie, with_piece
from controller.laws.state import State, colour
from controller.laws.stock import passed_at
from controller.sensing.budget import LIFE, NEARBY, Budget

Boards: TypeAlias = Mapping[c.BoardId | None, State]
Piece: TypeAlias = tuple[c.BoardId | None, int]
"""A piece that came from the stock: its board, and the number of the move that dropped it, from 0."""

Names: TypeAlias = dict[Piece, PieceType]
Stock: TypeAlias = tuple[c.BoardId | None, Color]

TRIES = 20
"""At most so many namings are checked against everything that was played since; nearly always the first one fits."""


class Life(Struct, frozen=True):
    """What became of a dropped piece that nobody has named."""

    kinds: frozenset[PieceType]  #: the kinds that it can have been dropped as, by its moves and by the kings
    square: Square | None  #: where it stands; None once it is captured
    taken: int | None = None  #: the number, from 0, of the move that captured it


class StockChange(Struct, frozen=True):
    """A piece comes into a stock, or leaves it."""

    ms: int
    stock: Stock
    comes: bool
    kind: PieceType  #: by its present name
    piece: Piece | None = None  #: the piece, if it is unnamed


def life(s: State, at: int) -> Life:
    """What became of the piece dropped by move number ``at``."""
    square, white = s.made[at].move.to_square, colour(s.made[at].side)
    kinds = {kind for kind in KINDS if may_lie(kind, square)}
    pawn = {chess.PAWN}  # once promoted, a piece dropped as a pawn goes as another
    promoted = False
    for number, made in enumerate(s.made[at + 1 :], at + 1):
        move, before = made.move, made.before.board
        as_dropped = kinds - pawn if promoted else kinds
        if colour(made.side) != white:
            if made.move and made.before.captured(move) == square:
                return Life(frozenset(kinds), None, number)
            king = made.after.board.king(not white)
            if king is not None and not made.illegal:
                kinds -= as_dropped & striking(made.after.board, white, square, king)
        elif move.from_square == square and move and not move.drop:
            if move.promotion and not made.unnamed:
                kinds &= pawn
            kinds -= {kind for kind in as_dropped if not goes(before, kind, white, square, move.to_square)}
            square, promoted = move.to_square, promoted or bool(BB_SQUARES[move.to_square] & BB_BACKRANKS)
    return Life(frozenset(kinds), square)


NOBODY: Set[PieceType] = frozenset()
KNIGHT = frozenset({chess.KNIGHT})
ALONG = frozenset({chess.ROOK, chess.QUEEN})
ACROSS = frozenset({chess.BISHOP, chess.QUEEN})
ACROSS_BESIDE = ACROSS | {chess.PAWN}
"""The kinds that may attack a square: from off its lines nobody or a knight; along a rank or file; along a diagonal;
and from the next square of a diagonal from where a pawn would, too."""


def striking(board: Board, white: Color, square: Square, target: Square) -> Set[PieceType]:
    """The kinds of pieces, apart from a king, that would attack ``target`` from ``square``."""
    if not chess.BB_RAYS[square][target]:
        return KNIGHT if chess.BB_KNIGHT_ATTACKS[square] & BB_SQUARES[target] else NOBODY
    if chess.between(square, target) & board.occupied:
        return NOBODY
    if not (square ^ target) & 7 or not (square ^ target) >> 3:  # on one file, or rank
        return ALONG
    return ACROSS_BESIDE if chess.BB_PAWN_ATTACKS[white][square] & BB_SQUARES[target] else ACROSS


def goes(board: Board, kind: PieceType, white: Color, origin: Square, target: Square) -> bool:
    """Whether a piece of that kind could move so, without regard to checks."""
    if kind == chess.KING:
        return bool(chess.BB_KING_ATTACKS[origin] & BB_SQUARES[target])
    if kind != chess.PAWN:
        return kind in striking(board, white, origin, target)
    moves = with_piece(board, kind, white, origin).generate_pseudo_legal_moves(BB_SQUARES[origin], BB_SQUARES[target])
    return any(True for _ in moves)


# -- the accounts of the stocks --------------------------------------------------------------------------------------


def both_boards(s: State) -> Boards:
    """Both boards of a match, board A first; or the one board, which has no name, of a game of its own."""
    if s.partner is None:
        return {s.board: s}
    return {"A": s, "B": s.partner} if s.board == "A" else {"A": s.partner, "B": s}


class Unnamed:
    """The dropped pieces of both boards of a match that nobody has named, and what came into the stocks and
    left them."""

    def __init__(self, s: State) -> None:
        self.boards = both_boards(s)
        #: what became of each piece
        self.lives: dict[Piece, Life] = {
            (name, at): life(each, at)
            for name, each in self.boards.items()
            for at, made in enumerate(each.made)
            if made.unnamed and made.move.drop
        }
        s.budget.left -= LIFE * len(self.lives)

    def standing(self, board: c.BoardId | None, mask: int) -> Iterator[tuple[Piece, Life, Square]]:
        """The unnamed pieces that stand on these squares of a board."""
        for piece, one in self.lives.items():
            if piece[0] == board and one.square is not None and BB_SQUARES[one.square] & mask:
                yield piece, one, one.square

    def settle(
        self,
        must: Mapping[Piece, Collection[PieceType]],
        fits: Callable[[Names], bool],
        next_drop: tuple[Stock, Collection[PieceType]] | None = None,
    ) -> tuple[float, Names] | None:
        """The likeliest kinds of all unnamed pieces, and the logarithm of how likely they are; None if none fit.

        A drop is equally likely to have been any of the pieces in stock. ``must`` narrows down the kinds of some
        pieces; ``next_drop``: a piece of one of these kinds has to be left in that stock; ``fits``: whether nothing
        else speaks against these names.
        """
        kinds = {piece: frozenset(must.get(piece, one.kinds)) & one.kinds for piece, one in self.lives.items()}
        budget = next(iter(self.boards.values())).budget
        search = _Namings(self._changes, self._come_since, kinds, fits, next_drop, budget)
        search.walk(0, self._at_start, {}, 0.0)
        if search.best is None and budget.named < 0 < budget.nearby:
            stocks = {stock for stock, piece, _ in self._dropped if piece in must}
            if next_drop is not None:
                stocks.add(next_drop[0])
            besides = [piece for stock, piece, _ in self._dropped if stock in stocks and piece not in must]
            self._walk_nearby(search, besides)
        return search.best

    def _walk_nearby(self, search: "_Namings", pieces: Sequence[Piece]) -> None:
        """Search among the present names, but for those which must change, and for that of one of these ``pieces``
        besides: mostly two of one stock have each other's name."""
        kinds, budget = search.kinds, search.budget
        present = {piece: {kind} if kind in kinds[piece] else kinds[piece] for _, piece, kind in self._dropped}
        spent, budget.named = budget.named, min(budget.nearby, NEARBY // 2)
        budget.nearby -= budget.named
        for piece in reversed(pieces):
            search.kinds, search.dead, search.tried = {**present, piece: kinds[piece]}, set(), 0
            search.walk(0, self._at_start, {}, 0.0)
        budget.named = spent

    @cached_property
    def _dropped(self) -> list[tuple[Stock, Piece, PieceType]]:
        """Each unnamed piece, the stock that it came from, and its present name."""
        changes = [(change, change.piece) for change in self._changes if not change.comes]
        return [(change.stock, piece, change.kind) for change, piece in changes if piece is not None]

    @cached_property
    def _come_since(self) -> list[frozenset[Piece | None]]:
        """The pieces that come into a stock with each change, or after it."""
        since = [frozenset[Piece | None]()]
        for change in reversed(self._changes):
            since.append(since[-1] | {change.piece} if change.comes else since[-1])
        return since[:0:-1]

    @cached_property
    def _changes(self) -> list[StockChange]:
        """The changes of all stocks, in the order of time."""
        takers = {(piece[0], one.taken): piece for piece, one in self.lives.items() if one.taken is not None}
        changes = []
        for name, s in self.boards.items():
            partner = next((other for other in self.boards if other != name), None)
            for at, made in enumerate(s.made):
                white = colour(made.side)
                if made.move.drop:
                    piece = (name, at) if (name, at) in self.lives else None
                    changes.append(StockChange(made.ms, (name, white), False, made.move.drop, piece))
                elif partner and made.takes and (ms := passed_at(s, at)) is not None:
                    changes.append(StockChange(ms, (partner, not white), True, made.takes, takers.get((name, at))))
        return sorted(changes, key=lambda change: (change.ms, not change.comes))

    @cached_property
    def _at_start(self) -> dict[Stock, tuple[int, ...]]:
        """What lay in each stock before the first move."""
        return {(name, white): _before(s, white) for name, s in self.boards.items() for white in chess.COLORS}


def _before(s: State, white: Color) -> tuple[int, ...]:
    """How many pieces of each kind lay in stock before the first move, without those that were mislaid since (16)."""
    drop_board, now = s.start.drop_board, s.position.drop_board
    assert drop_board is not None and now is not None
    return (0, *[drop_board.pockets[white].count(kind) - now.lost[white].count(kind) for kind in KINDS], 0)  # no kings


class _Namings(Struct):
    """A search that names the unnamed pieces one by one, in the order of their drops. By whatever names it came there:
    from the same stocks it is not tried twice whether all that follows can be accounted for."""

    changes: list[StockChange]
    come_since: list[frozenset[Piece | None]]  #: the pieces that come into a stock with each of them, or after it
    kinds: Mapping[Piece, Collection[PieceType]]
    fits: Callable[[Names], bool]
    next_drop: tuple[Stock, Collection[PieceType]] | None
    budget: Budget  #: both boards share it
    best: tuple[float, Names] | None = None
    tried: int = 0
    dead: set[Hashable] = set()  #: from where nothing accounts for all that follows

    def walk(self, at: int, stocks: dict[Stock, tuple[int, ...]], names: Names, score: float) -> bool:
        """Go on from change number ``at`` with these stocks, and these names given so far; ``score``: the logarithm of
        how likely they are. Whether all that follows can be accounted for, as far as that is known."""
        self.budget.named -= 1
        if self.budget.named < 0 or self.tried > TRIES or (self.best is not None and score <= self.best[0]):
            return True
        stocks = dict(stocks)
        for number in range(at, len(self.changes)):
            change = self.changes[number]
            if change.comes:
                kind = change.kind if change.piece is None else names.get(change.piece, change.kind)
                stocks[change.stock] = _changed(stocks[change.stock], kind, 1)
            elif change.piece is None:
                if stocks[change.stock][change.kind] <= 0:
                    return False
                stocks[change.stock] = _changed(stocks[change.stock], change.kind, -1)
            else:
                left_by = tuple(kind for named, kind in names.items() if named in self.come_since[number])
                here, goes_on = (number, tuple(stocks.values()), left_by), False
                if here in self.dead:
                    return False
                for likely, kind in self._choices(change, change.piece, stocks[change.stock]):
                    left = {**stocks, change.stock: _changed(stocks[change.stock], kind, -1)}
                    goes_on |= self.walk(number + 1, left, {**names, change.piece: kind}, score + likely)
                if not goes_on:
                    self.dead.add(here)
                return goes_on
        if self.next_drop is not None and not any(stocks[self.next_drop[0]][kind] > 0 for kind in self.next_drop[1]):
            return False
        self.tried += 1
        if self.fits(names):
            self.best = score, names
        return True

    def _choices(self, change: StockChange, piece: Piece, stock: tuple[int, ...]) -> list[tuple[float, PieceType]]:
        """The kinds that the dropped piece can be, each with its logarithm, likeliest first; among equals the present
        name first."""
        there = [kind for kind in KINDS if stock[kind] > 0]
        every = sum(stock[kind] for kind in there)
        fitting = [(log(stock[kind] / every), kind) for kind in there if kind in self.kinds[piece]]
        return sorted(fitting, key=lambda choice: (-choice[0], choice[1] != change.kind))


def _changed(stock: tuple[int, ...], kind: PieceType, by: int) -> tuple[int, ...]:
    return (*stock[:kind], stock[kind] + by, *stock[kind + 1 :])
