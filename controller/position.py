"""A position and what follows from it: its legal moves, its FEN and its moves' names, each worked out once.

`chess.Board` knows the rules; this class remembers its answers. Legal moves are generated only for the square that was
asked about, and the pieces of a FEN are written anew only where a move changed them: otherwise these two would be most
of what replaying a game costs.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import chess
from chess import BB_SQUARES, Board, Move
from chess.variant import CrazyhousePocket

from controller.bughouse import BughouseBoard, in_letters, with_piece
from controller.chess960 import USUAL_HOMES, Castling, Home, castling, homes_of, rights_of

EMPTY = ""
TURNED = 63
"""A square's number, XORed with this, is that of the same square on a board that stands the other way round."""

UCI = [[a + b for b in chess.SQUARE_NAMES] for a in chess.SQUARE_NAMES]
"""The names of moves without promotion, by origin and destination: written thousands of times a game."""

MOVES = [[Move(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
"""These moves, by origin and destination, made once."""

PROMOTIONS = (chess.QUEEN, chess.KNIGHT, chess.ROOK, chess.BISHOP)
"""The kinds that pawns become, the commonest first."""

_BOARD = Board(None)
REACH = {
    kind: [with_piece(_BOARD, kind, chess.WHITE, square).attacks_mask(square) for square in chess.SQUARES]
    for kind in chess.PIECE_TYPES[1:]
}
"""Where a piece of each kind but a pawn goes to and fro from each square on an empty board, as a bitboard."""

SYMBOLS = {True: ("", "P", "N", "B", "R", "Q", "K"), False: ("", "p", "n", "b", "r", "q", "k")}
Changes: TypeAlias = tuple[tuple[chess.Square, str], ...]
"""What a move leaves on each square that it changes: FEN letters, :data:`EMPTY` for nothing."""


@lru_cache(maxsize=4096)  # the same bitboards come over and over
def squares(mask: int) -> tuple[chess.Square, ...]:
    """The squares of a bitboard, from a1 to h8."""
    return tuple(chess.scan_forward(mask))


def squares_named(names: Iterable[str]) -> int:
    """The squares of these names, such as ``e4``, as a bitboard."""
    return sum(BB_SQUARES[chess.parse_square(name)] for name in names)


class Position:
    """One position; immutable once made. ``odd`` marks one that no legal game reaches, where a king could be taken."""

    __slots__ = (
        *("board", "drop_board", "homes", "odd", "shuffled", "symbols", "turn"),
        *("_by_square", "_can_move", "_castlings", "_changes", "_checkers", "_drawn", "_legal", "_parent", "_recurs"),
        "_safe",
    )

    def __init__(
        self,
        board: Board,
        odd: bool = False,
        symbols: list[str] | None = None,
        homes: Mapping[chess.Color, Home] | None = None,
    ) -> None:
        self.board = board
        self.shuffled: bool = board.chess960  #: a game of chess960
        #: the squares from which each player's king and rooks castle: in chess960 those of the start
        self.homes = (homes or homes_of(board)) if self.shuffled else USUAL_HOMES
        self.turn: chess.Color = board.turn
        #: the same board if it is one of a match, with stocks; else None
        self.drop_board = board if isinstance(board, BughouseBoard) else None
        self.odd = odd
        self.symbols = symbols or [_symbol(board, square) for square in chess.SQUARES]
        self._checkers: int | None = None
        self._safe: int | None = None
        self._can_move: bool | None = None
        self._drawn: str | None = None
        self._recurs: Hashable = None
        self._parent: tuple[Position, Changes] | None = None
        self._by_square: dict[chess.Square, list[Move]] = {}
        self._legal: list[Move] | None = None
        self._castlings: list[Move] | None = None
        self._changes: dict[int, Changes] = {}

    def symbol(self, square: chess.Square) -> str:
        """The FEN letter of the real piece on ``square``, which of a promoted one in a match is a pawn; :data:`EMPTY`
        for none."""
        return self.symbols[square]

    def letter(self, square: chess.Square) -> str:
        """The FEN letter of what the piece on ``square`` counts as, also when promoted in a match."""
        return self.symbols[square] if self.drop_board is None else _letter(self.board, square)

    @property
    def checkers(self) -> int:
        """The pieces that give check to the player having the move, as a bitboard."""
        if self._checkers is None:
            self._checkers = self.board.checkers_mask()
        return self._checkers

    # -- legal moves -----------------------------------------------------------------------------------------

    def moves_from(self, square: chess.Square) -> list[Move]:
        """The legal moves of the piece on ``square``, without drops; empty for a piece of the other player."""
        moves = self._by_square.get(square)
        if moves is None:
            if self._legal is not None or self._several_kings():
                moves = [m for m in self.legal() if m.from_square == square and not m.drop]
            elif self._unpinnable(square):
                moves = self._free(square)
            else:
                moves = [m for m in self._sane(self.board.generate_legal_moves(BB_SQUARES[square])) if not m.drop]
            self._by_square[square] = moves
        return moves

    def moves_of(self, square: chess.Square) -> list[Move]:
        """The legal moves that move the piece on ``square``: in chess960, for a rook, also the castling in which the
        king stands still."""
        moves = self.moves_from(square)
        if self.shuffled and BB_SQUARES[square] & self.board.rooks:
            still = [m for m in self.castlings() if self.castling(m).carried[0][0] == square]
            return [*moves, *still]
        return moves

    def _several_kings(self) -> bool:
        """Whether the player having the move has more than one king: then python-chess finds out which one castles only
        if all moves are generated."""
        return self.odd and (self.board.kings & self.board.occupied_co[self.turn]).bit_count() > 1

    def legal(self) -> list[Move]:
        """Every legal move."""
        if self._legal is None:
            self._legal = self._sane(self.board.legal_moves)
        return self._legal

    def is_legal(self, move: Move) -> bool:
        """Whether that move may be made."""
        return move in (self.drops(move.to_square) if move.drop else self.moves_from(move.from_square))

    def has_legal_move(self) -> bool:
        """Whether the player having the move has a legal move; in a match also one with a piece that may still come."""
        if self._can_move is None:
            self._can_move = self._finds_legal_move()
        return self._can_move

    def _finds_legal_move(self) -> bool:
        if any(self._by_square.values()) or self._pawn_may_step():
            return True
        if self.drop_board is not None and self.drop_board.may_yet_drop():
            return True
        if self.odd or self._legal is not None:
            return bool(self.legal())
        return any(True for _ in self.board.generate_legal_moves())

    def _sheltered(self) -> int:
        """The mover's pieces, except the king, that cannot be pinned, as a bitboard: none of them stands alone between
        king and a sniper. All their moves are legal. 0 in check."""
        if self._safe is None:
            board = self.board
            king = board.king(board.turn)
            if king is None or self.odd or self.checkers:
                self._safe = 0
            else:
                straight, diagonal = REACH[chess.ROOK][king], REACH[chess.BISHOP][king]
                snipers = straight & (board.rooks | board.queens) | diagonal & (board.bishops | board.queens)
                shut = BB_SQUARES[king]
                for sniper in squares(snipers & board.occupied_co[not board.turn]):
                    shield = chess.between(king, sniper) & board.occupied
                    if not shield & (shield - 1):
                        shut |= shield
                self._safe = board.occupied_co[board.turn] & ~shut
        return self._safe

    def _unpinnable(self, square: chess.Square) -> bool:
        bit, ep = BB_SQUARES[square] & self._sheltered(), self.board.ep_square
        if ep is not None and bit & self.board.pawns:
            # En passant empties two squares at once, so a pawn that might capture so does not count as unpinnable.
            return not bit & chess.BB_PAWN_ATTACKS[not self.turn][ep]
        return bool(bit)

    def _free(self, square: chess.Square) -> list[Move]:
        """The moves of a piece that cannot be pinned, as python-chess orders them: it may go wherever it attacks."""
        board = self.board
        if BB_SQUARES[square] & board.pawns:
            return list(board.generate_pseudo_legal_moves(BB_SQUARES[square]))
        moves = MOVES[square]
        return [moves[to] for to in chess.scan_reversed(board.attacks_mask(square) & ~board.occupied_co[self.turn])]

    def _pawn_may_step(self) -> bool:
        """The cheapest proof of a legal move: a pawn with nothing before it that cannot be pinned."""
        pawns = self._sheltered() & self.board.pawns
        steps = pawns << 8 if self.board.turn else pawns >> 8
        return bool(steps & ~self.board.occupied)

    def taking(self, square: chess.Square, victim: chess.Square) -> list[Move]:
        """The legal moves by which the piece on ``square`` captures the one on ``victim``."""
        ep = self.board.ep_square
        return [
            move
            for move in self.moves_from(square)
            if move.to_square == victim or (move.to_square == ep and self.captured(move) == victim)
        ]

    def capturing(self, square: chess.Square) -> list[Move]:
        """The legal moves that capture the piece on ``square``, en passant included."""
        board, ep = self.board, self.board.ep_square
        takers = board.attackers_mask(self.turn, square)
        if ep is not None and BB_SQUARES[square] & board.pawns and abs(square - ep) == 8:
            takers |= board.attackers_mask(self.turn, ep) & board.pawns
        return [move for taker in squares(takers) for move in self.taking(taker, square)]

    def _sane(self, moves: Iterable[Move]) -> list[Move]:
        if not self.odd:
            return list(moves)
        # With two kings of a colour python-chess castles with either, even onto a rook.
        closed = self.board.kings | self.board.occupied_co[self.board.turn]
        one_king = self.shuffled and not self._several_kings()
        return [m for m in moves if not BB_SQUARES[m.to_square] & closed or (one_king and self.castles(m))]

    # -- what a move does ------------------------------------------------------------------------------------

    def captured(self, move: Move) -> chess.Square | None:
        """The square of the captured piece: beside the target for en passant, None for a quiet move."""
        board = self.board
        if BB_SQUARES[move.to_square] & board.occupied_co[not board.turn]:
            return move.to_square
        if (
            move.to_square == board.ep_square
            and BB_SQUARES[move.from_square] & board.pawns
            and (move.to_square - move.from_square) % 8
        ):
            return move.to_square + (-8 if board.turn else 8)
        return None

    def castles(self, move: Move) -> bool:
        """Whether this is a king's move of two squares (3.8.2); in chess960 one to the square of its rook."""
        if self.shuffled:
            own = self.board.occupied_co[self.turn]
            return bool(BB_SQUARES[move.to_square] & own and BB_SQUARES[move.from_square] & self.board.kings)
        return abs(move.from_square - move.to_square) == 2 and bool(BB_SQUARES[move.from_square] & self.board.kings)

    def castling(self, move: Move) -> Castling:
        """From where to where king and rook go by this castling."""
        return castling(move, self.shuffled)

    def carried(self, move: Move) -> tuple[tuple[chess.Square, chess.Square], ...]:
        """The origin and destination of each piece that is moved, the king first; for a drop its square twice."""
        if self.shuffled and self.castles(move):
            return castling(move, shuffled=True).carried
        return ((move.from_square, move.to_square),)

    def castlings(self) -> list[Move]:
        """In chess960: the legal castlings."""
        if self._castlings is None:
            king = self.board.king(self.turn) if self.shuffled else None
            self._castlings = [] if king is None else [m for m in self.moves_from(king) if self.castles(m)]
        return self._castlings

    def attempted(self, king: chess.Square, to: chess.Square) -> Castling | None:
        """The castling, legal or not, to which a king's move between these squares belongs; None if to none."""
        if not self.shuffled:
            move = Move(king, to)
            return castling(move, shuffled=False) if self.castles(move) else None
        home, rooks = self.homes[self.turn]
        ways = [castling(Move(king, rook), shuffled=True) for rook in rooks if king == home]
        return next((both for both in ways if both.king_to == to), None)

    def begun_by(self, move: Move) -> Move | None:
        """In chess960: the legal castling of which this single step of the king may be the first half; else None."""
        if not self.board.kings & BB_SQUARES[move.from_square]:
            return None
        ways = ((each, self.castling(each)) for each in self.castlings())
        return next((each for each, both in ways if move != each and move.to_square == both.king_to), None)

    def changes(self, move: Move) -> Changes:
        """What ``move`` leaves on each square that it changes."""
        key = move.from_square << 6 | move.to_square | (move.promotion or move.drop or 0) << 12
        known = self._changes.get(key)
        if known is None:
            known = self._changes[key] = self._work_out(move)
        return known

    def changed(self, *moves: Move) -> int:
        """The squares that any of these moves changes, as a bitboard."""
        return sum({BB_SQUARES[square] for move in moves for square, _ in self.changes(move)})

    def landing(self, move: Move) -> chess.Square:
        """The destination of the piece that ``move`` moves; for castling that of the king."""
        return self.carried(move)[0][1]

    def _work_out(self, move: Move) -> Changes:
        symbols = SYMBOLS[self.turn]
        if move.drop:
            return ((move.to_square, symbols[move.drop]),)
        piece = self.symbols[move.from_square]
        if move.promotion and self.drop_board is None:
            piece = symbols[move.promotion]
        if self.castles(move):
            both = castling(move, self.shuffled)
            stand = dict.fromkeys((both.king, both.king_to, both.rook, both.rook_to), EMPTY)
            stand |= {both.king_to: piece, both.rook_to: symbols[chess.ROOK]}
            # In chess960 a piece may stand on its destination already: that square does not change.
            return tuple([(square, symbol) for square, symbol in stand.items() if symbol != self.symbols[square]])
        left = ((move.from_square, EMPTY), (move.to_square, piece))
        victim = self.captured(move)
        if victim is not None and victim != move.to_square:
            return (*left, (victim, EMPTY))
        return left

    def after(self, move: Move, exchanged: bool = False) -> "Position":
        """The position after ``move``, which need only be pseudo-legal. ``exchanged``: in a match, the promoted pawn
        was exchanged for the real new piece."""
        board = self.board.copy(stack=False)
        board.push(move)
        symbols, changes = self.symbols.copy(), self.changes(move)
        for square, symbol in changes:
            symbols[square] = symbol
        if exchanged and move.promotion:
            symbols[move.to_square] = SYMBOLS[self.turn][move.promotion]
        after = Position(board, self.odd, symbols, self.homes)
        after._parent = self, changes
        return after

    def drops(self, square: chess.Square) -> list[Move]:
        """The legal drops on ``square``; empty outside a match."""
        return [] if self.drop_board is None else self.drop_board.drops(square)

    def stocked(self, stocks: Sequence[CrazyhousePocket], lost: Sequence[CrazyhousePocket] | None = None) -> "Position":
        """This position with other stocks, Black's first as in ``pockets``; ``lost``: the pieces out of play, if they
        differ."""
        board = self.board.copy(stack=False)
        if isinstance(board, BughouseBoard):
            board.pockets = [stock.copy() for stock in stocks]
            board.lost = list(lost or board.lost)
        position = Position(board, self.odd, self.symbols, self.homes)
        position._parent = self, ()
        return position

    def with_kind(self, square: chess.Square, kind: chess.PieceType) -> "Position":
        """This position with a piece of that kind, of the same player, on ``square`` instead of the one there."""
        white = bool(self.board.occupied_co[chess.WHITE] & BB_SQUARES[square])
        board, symbols = with_piece(self.board, kind, white, square), self.symbols.copy()
        symbols[square] = _symbol(board, square)
        return Position(board, self.odd, symbols, self.homes)

    def key(self) -> tuple[int, ...]:
        """Equal for positions with the same pieces and the same player to move."""
        return _standing(self.board)

    @property
    def recurs(self) -> Hashable:
        """See :func:`position_key`."""
        if self._recurs is None:
            self._recurs = position_key(self.board)
        return self._recurs

    # -- names -----------------------------------------------------------------------------------------------

    def _diagram(self) -> str:
        """The pieces as a FEN has them, the eighth rank first, but each empty square by itself; only what the last move
        changed is written anew."""
        if self._drawn is None:
            if self._parent is None:
                ranks = [self.symbols[first : first + 8] for first in range(56, -1, -8)]
                self._drawn = "/".join("".join(piece or "1" for piece in rank) for rank in ranks)
            else:
                before, changes = self._parent
                drawn = before._diagram()
                for square, symbol in changes:
                    at = _DRAWN_AT[square]
                    drawn = drawn[:at] + (symbol or "1") + drawn[at + 1 :]
                self._drawn, self._parent = drawn, None
        return self._drawn

    def _pieces(self) -> str:
        """The pieces as a FEN has them; in a match a promoted piece has its own letter, and is marked."""
        pieces = self._diagram()
        if self.board.promoted and self.drop_board is not None:
            each = list(pieces)
            for square in squares(self.board.promoted):
                each[_DRAWN_AT[square]] = f"{self.letter(square)}~"
            pieces = "".join(each)
        for ones, gap in _GAPS:
            pieces = pieces.replace(ones, gap)
        return pieces

    def fen(self) -> str:
        """The FEN, with the en passant square only where such a capture is legal, as python-chess writes it."""
        board = self.board
        ep = "-"
        if board.ep_square is not None and board.has_legal_en_passant():
            ep = chess.SQUARE_NAMES[board.ep_square]
        return (
            f"{self._pieces()}{self._stock()} {'w' if board.turn else 'b'} {rights_of(board)} {ep} "
            f"{board.halfmove_clock} {board.fullmove_number}"
        )

    def _stock(self) -> str:
        if self.drop_board is None:
            return ""
        pockets = self.drop_board.pockets
        return f"[{in_letters(pockets[chess.WHITE]).upper()}{in_letters(pockets[chess.BLACK])}]"

    def san(self, move: Move, after: "Position") -> str:
        """The move's name; ``after`` is the position it leads to."""
        board = self.board
        target = chess.SQUARE_NAMES[move.to_square]
        kind = board.piece_type_at(move.from_square)
        if move.drop:
            name = f"{SYMBOLS[True][move.drop]}@{target}"
        elif self.castles(move) and move.from_square == self.homes[self.turn][0]:  # else a king that goes too far
            name = "O-O" if move.to_square > move.from_square else "O-O-O"
        elif kind == chess.PAWN:
            taking = (move.to_square - move.from_square) % 8 != 0
            name = f"{chess.FILE_NAMES[move.from_square & 7]}x{target}" if taking else target
            if move.promotion:
                name += f"={SYMBOLS[True][move.promotion]}"
        else:
            taking = bool(BB_SQUARES[move.to_square] & board.occupied)
            name = f"{SYMBOLS[True][kind or 0]}{self._which(move, kind or 0)}{'x' if taking else ''}{target}"
        if after.checkers:
            name += "+" if after.has_legal_move() else "#"
        return name

    def _which(self, move: Move, kind: chess.PieceType) -> str:
        """The file, rank or square that tells this piece from another of its kind that could go there too."""
        board = self.board
        same = board.pieces_mask(kind, board.turn) & ~BB_SQUARES[move.from_square] & REACH[kind][move.to_square]
        if not same:
            return ""
        rivals = [s for s in squares(same) if BB_SQUARES[move.to_square] & board.attacks_mask(s)]
        rivals = [s for s in rivals if any(m.to_square == move.to_square for m in self.moves_from(s))]
        if not rivals:
            return ""
        if all(s & 7 != move.from_square & 7 for s in rivals):
            return chess.FILE_NAMES[move.from_square & 7]
        if all(s >> 3 != move.from_square >> 3 for s in rivals):
            return chess.RANK_NAMES[move.from_square >> 3]
        return chess.SQUARE_NAMES[move.from_square]


def position_key(board: Board) -> Hashable:
    """Equal for the same position (9.2): pieces, player to move, castling rights, a possible en passant capture."""
    ep = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
    return (*_standing(board), board.clean_castling_rights(), ep)


def _standing(b: Board) -> tuple[int, ...]:
    white = b.occupied_co[chess.WHITE]
    return (b.pawns, b.knights, b.bishops, b.rooks, b.queens, b.kings, white, b.occupied, b.turn)


def unreachable(board: Board) -> bool:
    """Whether no legal game leads there: a king could be captured, or a player has several."""
    kings = [board.kings & board.occupied_co[white] for white in chess.COLORS]
    return board.was_into_check() or any(mine & (mine - 1) for mine in kings)


def uci(move: Move) -> str:
    """The move's name in UCI; a drop is ``N@e6``."""
    return move.uci() if move.promotion or move.drop else UCI[move.from_square][move.to_square]


def names(moves: Iterable[Move]) -> list[str]:
    """The moves' names in UCI, sorted."""
    return sorted(map(uci, moves))


def _symbol(board: Board, square: chess.Square) -> str:
    if isinstance(board, BughouseBoard) and board.promoted & BB_SQUARES[square]:
        return "P" if board.occupied_co[chess.WHITE] & BB_SQUARES[square] else "p"
    return _letter(board, square)


def _letter(board: Board, square: chess.Square) -> str:
    kind = board.piece_type_at(square)
    return SYMBOLS[bool(board.occupied_co[chess.WHITE] & BB_SQUARES[square])][kind or 0]


_GAPS = tuple(("1" * gap, str(gap)) for gap in range(8, 1, -1))
_DRAWN_AT = [(7 - (square >> 3)) * 9 + (square & 7) for square in chess.SQUARES]
"""The index of each square in a diagram: nine characters a rank, the separator included."""
