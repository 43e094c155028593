"""One player's turn at the board: what he does while he thinks, the move in one of its orders, the press."""

import random
from collections.abc import Callable

import chess

from controller.bughouse import BughouseBoard
from controller.chess960 import Castling, castling
from controller.contract import BLACK, WHITE, Side
from hardware.simulator.habits import Drawn, Gesture, GestureKind, Habits, Share


class SimulatedTurn:
    """One player's turn: each act is noted in ``gestures`` at ``ms``, and waiting moves ``ms`` on.

    ``board`` is the position before ``move`` and stays as it is. ``hurried``: the turn is a quick reply.
    """

    def __init__(
        self,
        board: chess.Board,
        move: chess.Move,
        habits: Habits,
        rng: random.Random,
        ms: int,
        ply: int,
        hurried: bool,
    ) -> None:
        self.board, self.played, self.habits, self.rng = board, move, habits, rng
        self.ms, self.ply, self.hurried = ms, ply, hurried
        self.side: Side = WHITE if board.turn else BLACK
        self.gestures: list[Gesture] = []
        self.letter = chess.Piece(move.drop, board.turn).symbol() if move.drop else self._letter(move.from_square)
        self.takes = board.is_capture(move) and not board.is_en_passant(move)
        self.swaps = self.takes and self._often(habits.swap)

    def press(self, before: int | None = None) -> None:
        """Press the clock, sooner than the hand would of itself where the opponent is quick."""
        released = self.ms
        self._wait(self.habits.press_ms)
        if before is not None:
            self.ms = min(self.ms, self.rng.randint(released + 40, before))
        self._note("press")

    def fidget(self) -> None:
        """What hands do while their owner thinks: jog a piece, put one or two straight."""
        if self.hurried:
            return
        standing = list(self.board.piece_map())
        if self._often(self.habits.brush):
            self._up_and_back(self.rng.choice(standing), self.habits.brush_ms)
            self._wait(self.habits.think_ms)
        if self._often(self.habits.straighten):
            if self._often(self.habits.announce):
                self._note("adjust")
                self._wait(self.habits.reach_ms)
            for square in self.rng.sample(standing, self.rng.randint(1, 2)):
                self._up_and_back(square, self.habits.straighten_ms)
                self._wait(self.habits.reach_ms)
            self._wait(self.habits.think_ms)

    def breach(self) -> None:
        """Touch another piece that could move, and think better of it."""
        others = {move.from_square for move in self.board.legal_moves} - {self.played.from_square}
        if self.board.is_castling(self.played):
            others -= set(self.board.pieces(chess.ROOK, self.board.turn))
        if not others:
            raise ValueError(f"ply {self.ply}: no other piece can move in {self.board.fen()}")
        self._up_and_back(self.rng.choice(sorted(others)), (1000, 2000))
        self._wait(self.habits.think_ms)

    def move(self) -> None:
        """The game's move, in one of the orders in which people make it; ends at the last release."""
        move, board = self.played, self.board
        if not move.drop and self._often(self.habits.finger):
            self._note("contact", move.from_square, self.letter)
            self._wait(self.habits.reach_ms)
        if move.drop:
            self._named(chess.piece_symbol(move.drop) if self.habits.choose_drops else "", self._drop)
        elif move.promotion and isinstance(board, BughouseBoard):
            self._named(self._button(move.promotion), self._advance)
        elif board.is_castling(move):
            self._castle()
        elif move.promotion:
            self._promote(chess.Piece(move.promotion, board.turn).symbol())
        elif board.is_en_passant(move):
            self._en_passant(chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)))
        elif self.takes and not self.swaps and self._often(self.habits.mover_first):
            self._mover_first(move.to_square)
        else:
            self._clear_target()
            self._carry()

    # -- the ways of a move --------------------------------------------------------------------------------------

    def _mover_first(self, victim: chess.Square) -> None:
        self._lift(self.played.from_square)
        self._wait(self.habits.reach_ms)
        self._lift(victim)
        self._wait(self.habits.carry_ms)
        self._land(self.letter)

    def _carry(self) -> None:
        """From the square to the target, through the air or over the squares between."""
        if self._often(self.habits.target_first):
            self._wait(self.habits.carry_ms)
            self._land(self.letter)
            self._wait(self.habits.target_lag_ms)
            self._lift(self.played.from_square)
        else:
            self._lift(self.played.from_square)
            if not self._slide():
                self._fly()
            self._land(self.letter)

    def _slide(self) -> bool:
        """Draw the piece over the squares between; False where there are none, or the player does not care to."""
        origin, target = self.played.from_square, self.played.to_square
        between = sorted(chess.SquareSet.between(origin, target), key=lambda s: chess.square_distance(origin, s))
        if self.hurried or not between or not self._often(self.habits.slide):
            return False
        for square in between:
            on = self.rng.randint(self.habits.slide_ms // 2, self.habits.slide_ms - 5)
            self.ms += self.habits.slide_ms - on
            self._note("place", square, self.letter)
            self.ms += on
            self._note("lift", square, self.letter)
        self._wait((5, self.habits.slide_ms // 2))
        return True

    def _fly(self) -> None:
        """The time in the air, now and then with a stop on a wrong square or a jog of another own piece."""
        board, target = self.board, self.played.to_square
        if self._often(self.habits.hover):
            near = [s for s in chess.SquareSet(chess.BB_KING_ATTACKS[target]) if not board.piece_at(s)]
            if near:
                square = self.rng.choice(near)
                self._wait(self.habits.carry_ms)
                self._note("place", square, self.letter)
                self._wait(self.habits.hover_ms)
                self._note("lift", square, self.letter)
        elif self._often(self.habits.brush):
            own = [s for s in chess.SquareSet(board.occupied_co[board.turn]) if s != self.played.from_square]
            if own:
                self._wait(self.habits.reach_ms)
                self._up_and_back(self.rng.choice(own), self.habits.brush_ms)
        self._wait(self.habits.carry_ms)

    def _castle(self) -> None:
        both = castling(self.played, self.board.chess960)
        king, target, corner, beside = both.king, both.king_to, both.rook, both.rook_to
        rook = self._letter(corner)
        if self.board.chess960 and not (king != target != corner and self._often(self.habits.double_move)):
            self._castle_from_anywhere(both, rook)
        elif self._often(self.habits.castle_together):
            first, second = self.rng.sample([king, corner], 2)
            self._lift(first)
            self._wait((0, 100))
            self._lift(second)
            self._wait(self.habits.carry_ms)
            first_down, second_down = self.rng.sample([(target, self.letter), (beside, rook)], 2)
            self._note("place", *first_down)
            self._wait((0, 300))
            self._note("place", *second_down)
        else:
            self._lift(king)
            if self.board.chess960 or not self._slide():
                self._wait(self.habits.carry_ms)
            self._note("place", target, self.letter)
            if beside != corner:
                self._wait(self.habits.reach_ms)
                self._lift(corner)
                self._wait(self.habits.carry_ms)
                self._note("place", beside, rook)

    def _castle_from_anywhere(self, both: Castling, rook: str) -> None:
        """As Guidelines II advise, the king beside the board while the rook moves; or both in one hand. Who stands
        where castling brings him may be left alone: always where the other one has no need of his square."""
        if len(both.carried) == 1:
            ((origin, target),) = both.carried
            self._lift(origin)
            self._wait(self.habits.carry_ms)
            self._note("place", target, self._letter(origin))
            return
        self._lift(both.king)
        self._wait((0, 100) if self._often(self.habits.castle_together) else self.habits.reach_ms)
        self._lift(both.rook)
        self._wait(self.habits.carry_ms)
        self._note("place", both.rook_to, rook)
        self._wait(self.habits.carry_ms)
        self._note("place", both.king_to, self.letter)

    def _en_passant(self, victim: chess.Square) -> None:
        match self._one_of(self.habits.en_passant):
            case 0:
                self._lift(victim)
                self._wait(self.habits.reach_ms)
                self._carry()
            case 1:
                self._mover_first(victim)
            case _:
                self._carry()
                self._wait(self.habits.reach_ms)
                self._lift(victim)

    def _drop(self) -> None:
        """A piece from the stock, which lies beside the board."""
        self._fly()
        self._land(self.letter)

    def _advance(self) -> None:
        """In a match a promoted pawn stays what it is in wood."""
        self._clear_target()
        self._carry()

    def _named(self, kind: str, act: Callable[[], None]) -> None:
        """Do this, and press the button for that kind before, or once it stands there; "" where nobody presses."""
        late = self._often(self.habits.choose_late)
        if kind and not late:
            self._note("choose", piece=kind)
            self._wait(self.habits.reach_ms)
        act()
        if kind and late:
            self._wait(self.habits.choose_late_ms)
            self._note("choose", piece=kind)

    def _button(self, kind: chess.PieceType) -> str:
        """The button to press for what a pawn becomes; "" where nobody does."""
        return chess.piece_symbol(kind) if kind != chess.QUEEN or self.habits.choose_queen else ""

    def _promote(self, new: str) -> None:
        origin, target = self.played.from_square, self.played.to_square
        order = self._one_of(self.habits.promotion)
        if order < 2:
            self._clear_target()
            self._lift(origin)
            self._wait(self.habits.carry_ms)
        # The choice may be changed until a piece stands on its square, so the button comes before any does.
        if button := self._button(self.played.promotion or chess.QUEEN):
            self._note("choose", piece=button)
            self._wait(self.habits.fetch_ms)
        if order == 0:
            self._land(new)
        elif order == 1:
            self._land(self.letter)
            self._wait(self.habits.fetch_ms)
            self._lift(target, self.letter)
            if not self._often(self.habits.swap):
                self._wait(self.habits.carry_ms)
            self._note("place", target, new)
        else:
            self._clear_target()
            self._wait(self.habits.carry_ms)
            self._land(new)
            self._wait(self.habits.reach_ms)
            self._lift(origin)

    # -- the small acts ------------------------------------------------------------------------------------------

    def _clear_target(self) -> None:
        if self.takes and not self.swaps:
            self._lift(self.played.to_square)
            self._wait(self.habits.reach_ms)

    def _land(self, piece: str) -> None:
        if self.swaps:
            self._lift(self.played.to_square)
        self._note("place", self.played.to_square, piece)

    def _lift(self, square: chess.Square, piece: str = "") -> None:
        self._note("lift", square, piece or self._letter(square))

    def _up_and_back(self, square: chess.Square, span: Drawn) -> None:
        self._lift(square)
        self._wait(span)
        self._note("place", square, self._letter(square))

    def _note(self, kind: GestureKind, square: chess.Square = -1, piece: str = "") -> None:
        self.gestures.append(Gesture(self.ms, kind, self.side, self.ply, square, piece))

    def _wait(self, span: Drawn) -> None:
        self.ms += self.rng.randint(*span)

    def _often(self, share: Share) -> bool:
        return self.rng.random() < share

    def _one_of(self, weights: tuple[float, ...]) -> int:
        return self.rng.choices(range(len(weights)), weights)[0]

    def _letter(self, square: chess.Square) -> str:
        piece = self.board.piece_at(square)
        if piece and isinstance(self.board, BughouseBoard) and self.board.promoted & chess.BB_SQUARES[square]:
            piece = chess.Piece(chess.PAWN, piece.color)
        return piece.symbol() if piece else ""
