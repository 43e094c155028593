"""The stocks of a match: what comes to a player from his partner's board, and what he may do with it (6, 16 to 19).

Numbers in brackets are the articles of the blitz à quatre. A game knows only its own stocks; the match says what comes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product

import chess
from chess import Move
from chess.variant import CrazyhousePocket
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS, in_letters, may_lie
from controller.laws.board import read_board
from controller.laws.record import Made
from controller.laws.reports import OF_STOCK
from controller.laws.state import NEVER, State, colour
from controller.laws.touch import PartialMove, TouchedPiece
from controller.position import EMPTY, SYMBOLS, Position, squares
from controller.sensing.costs import HANDED_MS
from controller.sensing.difference import LEGAL, Difference, Kind, Readings
from controller.sensing.readings import FITS

Change = Mapping[tuple[chess.Color, chess.PieceType], int]
"""How many pieces of a colour and kind are passed on, or a stock gains, or loses where negative."""


def taken(before: Position, move: Move) -> chess.PieceType | None:
    """The kind that a move captures, as it goes into a stock: a promoted piece is a pawn again (9). None for a king,
    and for no capture."""
    if move.drop or not move:
        return None
    square, board = before.captured(move), before.board
    if square is None or chess.BB_SQUARES[square] & board.kings:
        return None
    return chess.PAWN if board.promoted & chess.BB_SQUARES[square] else board.piece_type_at(square)


def passed_at(s: State, at: int) -> c.Ms | None:
    """When the piece that move number ``at``, from 0, captured went to the partner: when the move was completed (18),
    or made, if it may have been pressed unseen. None if it did not, or captured nothing. An illegal move passes its
    capture on once it stands, as the opponent has moved."""
    made = s.made[at]
    if made.takes is None:
        return None
    if not (made.illegal or made.completed):
        return made.ms if made.may_be_pressed else None
    if not made.illegal:
        return made.done
    later = s.made[at + 1 :]
    return next((reply.ms for reply in later if reply.side != made.side and reply.move and reply.reported), None)


def _passed(s: State) -> Iterator[tuple[c.Ms, chess.Color, chess.PieceType]]:
    """The pieces passed on so far: when, and of which colour and kind."""
    for at, made in enumerate(s.made):
        if made.takes is not None and (ms := passed_at(s, at)) is not None:
            yield ms, not colour(made.side), made.takes


def passed_on(s: State) -> Change:
    """The pieces passed on so far, counted by colour and kind."""
    return Counter((white, kind) for _, white, kind in _passed(s))


def receive(s: State, share: Change) -> State:
    """The state after the partner's board has passed on ``share`` in all: pieces come, or go back there."""
    return s if share == s.received else restock(replace(s, received=share))


def restock(s: State) -> State:
    """The state after pieces have come into the stocks, or gone back. What stands on the board is read anew: it may be
    lawful only now."""
    s = say_stock(replace(s, position=replenished(s, s.position)))
    s = _bind_anew(s).derive()
    return read_board(replace(s, not_by_mover=s.not_by_mover & ~s.unexplained_pieces, unexplained_pieces=0), s.now)


def lacking(s: State, partner: State) -> int:
    """How many pieces have been dropped on this board, or stand there as if dropped, that its stocks never had, given
    the captures on the ``partner`` board. An unnamed piece may be of any kind that may lie on its square; it counts as
    a pawn if one was in stock by then, as there are more of them."""
    assert s.start.drop_board is not None
    drops = [(made.ms, colour(made.side), _kinds_of(made)) for made in s.made if made.move.drop]
    if s.turn.difference.part == "drop":
        square, chosen = s.turn.difference.mask.bit_length() - 1, s.chosen.get(s.turn.side)
        drops.append((NEVER, s.position.turn, [chosen] if chosen else _may_lie_on(square)))
    lacks = 0
    for white in chess.COLORS:
        pocket = s.start.drop_board.pockets[white]
        stock = [(0, kind) for kind in KINDS for _ in range(pocket.count(kind))]
        stock += [(ms, kind) for ms, whose, kind in _passed(partner) if whose == white]
        for dropped, side, kinds in drops:
            if side != white:
                continue
            there = [one for one in stock if one[1] in kinds]
            if there:
                stock.remove(min(there, key=lambda one: (one[0] > dropped, one[1])))
            else:
                lacks += 1
    return lacks


def _kinds_of(made: Made) -> Collection[chess.PieceType]:
    """The kinds that the piece dropped by this move may have; an illegal drop has not named it."""
    return _may_lie_on(made.landing) if made.unnamed or made.illegal else [made.move.drop or chess.PAWN]


def _may_lie_on(square: chess.Square) -> list[chess.PieceType]:
    return [kind for kind in KINDS if may_lie(kind, square)]


def within_reach(s: State, kind: chess.PieceType) -> bool:
    """Whether a piece of that kind was in the mover's stock early enough to be reached for, before he first set down
    something in this turn."""
    drop_board, partner, white = s.position.drop_board, s.partner, s.position.turn
    if drop_board is None or partner is None:
        return True
    empty = ~s.position.board.occupied
    edges = [edge for edge in s.trace[s.turn.start :] if edge.seen != EMPTY]
    landed = next((edge.ms for edge in edges if chess.BB_SQUARES[edge.square] & empty), s.now)
    late = [ms for ms, *piece in _passed(partner) if piece == [white, kind] and ms > landed - HANDED_MS]
    return drop_board.pockets[white].count(kind) > len(late)


def from_stock(position: Position, readings: Readings, mask: int) -> int:
    """Those of the squares ``mask`` whose piece looks like one in the stock of the player having the move."""
    if position.drop_board is None:
        return 0
    stock, symbols = position.drop_board.pockets[position.turn], SYMBOLS[position.turn]
    pieces = {symbols[kind] for kind in KINDS if stock.count(kind)}
    return sum(chess.BB_SQUARES[square] for square in squares(mask) if pieces & FITS[readings[square]])


def say_stock(s: State) -> State:
    """Tell what lies in stock, if that has changed."""
    drop_board = s.position.drop_board
    if drop_board is None or s.position is s.stock_of:
        return s
    s = replace(s, stock_of=s.position)
    white, black = in_letters(drop_board.pockets[chess.WHITE]).upper(), in_letters(drop_board.pockets[chess.BLACK])
    if (white, black) == s.stock:
        return s
    return replace(s, stock=(white, black)).say(c.Stock, white=white, black=black)


def replenished(s: State, position: Position, at: int | None = None) -> Position:
    """A position of this game with what lies in stock now, as if only the first ``at`` moves had been made.

    It is counted from the start, so a piece that was dropped before it came, or that went back to the partner's board
    after it was dropped, is in no stock.
    """
    if s.position.drop_board is None:
        return position
    dropped = [(colour(made.side), made.move.drop) for made in s.made[:at] if made.move.drop]
    return position.stocked(stocks(s.start, _change(s, dropped)), s.position.drop_board.lost)


def stocked_fen(s: State, fen: str, told: Iterable[c.Move]) -> str:
    """The FEN of a position of this game with what lies in stock now, after the moves ``told``."""
    if s.position.drop_board is None:
        return fen
    drops = [(move.side == c.WHITE, Move.from_uci(move.uci).drop) for move in told]
    black, white = stocks(s.start, _change(s, [(side, kind) for side, kind in drops if kind]))
    pieces, _, rest = fen.partition("[")
    return f"{pieces}[{in_letters(white).upper()}{in_letters(black)}]{rest.partition(']')[2]}"


def _change(s: State, dropped: Iterable[tuple[chess.Color, chess.PieceType]]) -> Change:
    """What the stocks have gained since the start, where those pieces have been dropped."""
    change = Counter(s.received)
    change.subtract(dropped)
    assert s.position.drop_board is not None
    lost = s.position.drop_board.lost
    for white, kind in product([white for white in chess.COLORS if len(lost[white])], KINDS):
        change[white, kind] -= lost[white].count(kind)
    return change


def stocked_since(start: State, now: State) -> State:
    """The state ``start`` with what has come into stock since, as it may have been dropped. Without a clock, also with
    what a capture on the other board may bring, which is told only once later play there shows it."""
    if now.partner is None:
        return start
    received = Counter(now.received)
    if now.clock is None and (coming := _coming(now.partner)) is not None:
        received[coming] += 1
    if received == start.received:
        return start
    known = replace(start, received=received)
    return replace(known, position=replenished(known, start.position))


def _coming(partner: State) -> tuple[chess.Color, chess.PieceType] | None:
    """What a capture on the other board may pass on that is not made yet: it stands there, or stood there until its
    piece was lifted again, or shows only as a square filled again. None if there is none."""
    difference, traces = partner.turn.difference, partner.turn.traces
    if traces.stood is not None:
        difference = traces.stood[0]
    moves = list(difference.moves) if difference.kind in LEGAL else []
    filled = traces.refilled if traces.retaken is None else traces.retaken
    if not moves and filled is not None:
        in_hand = [move for own in squares(partner.gone()) for move in partner.position.moves_from(own)]
        moves = [move for move in in_hand if move.to_square == filled]
    takes = taken(partner.position, moves[0]) if moves else None
    return None if takes is None else (not partner.position.turn, takes)


def stocks(position: Position, change: Change) -> list[CrazyhousePocket]:
    """The stocks of a position after that change; a piece that is not there cannot go."""
    assert position.drop_board is not None
    changed = [stock.copy() for stock in position.drop_board.pockets]
    for (white, kind), count in change.items():
        for _ in range(abs(count)):
            if count > 0:
                changed[white].add(kind)
            elif changed[white].count(kind):
                changed[white].remove(kind)
    return changed


def bind_drop(s: State, difference: Difference, seen: str) -> State:
    """A piece from the stock, which looks like ``seen``, has touched an empty square: such a piece is to be dropped
    (17)."""
    turn, drop_board = s.turn, s.position.drop_board
    assert drop_board is not None
    # A kind counts even if it may not be dropped on the square that the piece has touched.
    kinds = {
        kind
        for kind in KINDS
        if drop_board.pockets[drop_board.turn].count(kind) and SYMBOLS[drop_board.turn][kind] in FITS[seen]
    }
    if (chosen := s.chosen.get(turn.side)) is not None and s.senses != "identity":
        kinds &= {chosen}  # a named kind that is not in his stock binds him to nothing
    return owe_drop(s, kinds, laid(s, difference.mask.bit_length() - 1))


def _bind_anew(s: State) -> State:
    """The stock is known better: a piece from it that has touched the board binds to the kinds that it may be now."""
    owed = s.turn.partial_move
    if owed is None or owed.part != "drop" or owed.laid is None:
        return s
    came = s.trace.latest(owed.laid.square, empty=False, since=s.turn.start)
    if came is None:
        return s
    stands = Difference(Kind.ASTRAY, (), "drop", chess.BB_SQUARES[came.square])
    s = bind_drop(s.turning(partial_move=None), stands, came.seen)
    bound = s.turn.partial_move
    return s if bound is None else s.turning(partial_move=replace(bound, touched=owed.touched))


def laid(s: State, square: chess.Square) -> TouchedPiece:
    """The touch of a piece from the stock on an empty square, as of when it was set down there in this turn."""
    came = s.trace.latest(square, empty=False, since=s.turn.start)
    return TouchedPiece(square, s.now if came is None else came.ms)


def owe_drop(s: State, kinds: Collection[chess.PieceType], laid: TouchedPiece | None) -> State:
    """A piece of one of these kinds has touched the board at ``laid``: it is to be dropped if that is possible (17)."""
    turn = s.turn
    moves = tuple([move for move in s.position.legal() if move.drop in kinds])
    if not moves or turn.partial_move is not None:
        return s
    return s.turning(partial_move=PartialMove("drop", moves, len(turn.touches), laid)).derive()


def stood(s: State, side: c.Side, move: Move | None = None) -> list[int]:
    """The plies after which the position, or the one that ``move`` leads to, has stood since ``side`` last dropped a
    piece; the stocks do not matter (19)."""
    if move is not None and (move.drop or not s.position.is_legal(move)):
        return []
    drops = [i for i, made in enumerate(s.made) if made.side == side and made.move.drop]
    since = drops[-1] + 1 if drops else 0
    start = s.made[since - 1].after if since else s.made[0].before if s.made else s.position
    keys = [start.recurs, *[made.after.recurs for made in s.made[since:]]]
    plies = [s.made[since - 1].ply if since else 0, *[made.ply for made in s.made[since:]]]
    sought = keys[-1] if move is None else s.position.after(move).recurs
    return [ply for ply, key in zip(plies, keys, strict=True) if key == sought]


def report_stock(s: State, side: c.Side, kind: str, piece: str | None) -> State:
    """Report that ``side`` hid pieces of his stock, so that his opponent may press and ask to see them; or that one was
    kept elsewhere, and is out of play (16). A piece that is not in the stock cannot be mislaid: nothing changes."""
    if s.position.drop_board is None:
        return s
    if kind == "hidden-stock":
        reported: State | None = replace(s, hidden_stock=side)
    else:
        reported = None if piece is None else _lose(s, side, chess.PIECE_SYMBOLS.index(piece))
    return s if reported is None else reported.violate(side, kind, OF_STOCK[kind], basis="reported")


def _lose(s: State, side: c.Side, kind: chess.PieceType) -> State | None:
    if s.position.drop_board is None or not s.position.drop_board.pockets[colour(side)].count(kind):
        return None
    position = s.position.stocked(s.position.drop_board.pockets)  # a copy, as the record's position has lost nothing
    if position.drop_board is not None:
        position.drop_board.lose(colour(side), kind)
    return restock(replace(s, position=position))
