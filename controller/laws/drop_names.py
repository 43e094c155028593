"""Which piece was dropped, or what a pawn became, where neither the board nor a button says (7, 9).

The player's choice names the piece; else, when play goes on, the kind that his stock makes likeliest. It is named anew
when later play shows that it must be another: it moves as no such piece can, or such a piece was in no stock. What it
can be: :mod:`controller.laws.drop_kinds`. Naming anew judges nothing again: the moves stay what hands did. Numbers in
brackets are the articles of the blitz à quatre.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import chess
from chess import Move
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS, may_lie
from controller.laws.drop_kinds import Names, Piece, Unnamed, both_boards
from controller.laws.moves import end
from controller.laws.record import Made
from controller.laws.renamed import apply, fits, lawful
from controller.laws.state import State
from controller.laws.stock import within_reach
from controller.position import EMPTY, PROMOTIONS, SYMBOLS, Position, squares, uci
from controller.sensing.budget import PAIR
from controller.sensing.difference import LEGAL, Difference, Kind
from controller.sensing.readings import FITS

MustBe: TypeAlias = dict[Piece, set[chess.PieceType]]
"""Of which kinds some pieces have to be."""

TRIED = 6
"""At most so many other names are tried for a piece that may have captured unseen."""

RARER = 2.0
"""How much less likely each promotion is than the next commoner one, as a natural logarithm."""


# -- naming ----------------------------------------------------------------------------------------------------------


def undecided(s: State, difference: Difference) -> bool:
    """Whether a whole move stands there that may have several names, and the player has not said which."""
    if len(difference.moves) < 2 or difference.kind is not Kind.WHOLE:
        return False
    if s.position.drop_board is None and len(_owed(s, difference)) == 1:
        return False
    chosen = s.chosen.get(s.turn.side)
    return not any(chosen == (move.drop or move.promotion) for move in difference.moves)


def promotes_unnamed(s: State) -> bool:
    """Whether, outside a match, a promotion stands on the board that nobody has named: the pawn itself, which is no
    move yet, or a piece in its place."""
    return s.position.drop_board is None and undecided(s, s.turn.difference)


def queen_mates(s: State) -> Move | None:
    """The promotion to a queen, if one that stands there may be that, and gives mate; else None."""
    for move in _owed(s, s.turn.difference):
        after = s.position.after(move)
        if move.promotion == chess.QUEEN and after.board.is_check() and not after.has_legal_move():
            return move
    return None


def _owed(s: State, difference: Difference) -> Sequence[Move]:
    """Those moves of a difference that are owed; all of them if none is."""
    return [move for move in difference.moves if s.owed is None or move in s.owed.moves] or difference.moves


def ask(s: State, difference: Difference) -> State:
    """Tell which moves the difference may be, if that was not told last."""
    return ask_which(s, difference.moves)


def ask_which(s: State, moves: Collection[Move]) -> State:
    """Tell that the board allows each of these moves, if that was not told last."""
    names = tuple(sorted(map(uci, moves)))
    return s if names == s.ambiguous else replace(s, ambiguous=names).say(c.Ambiguous, moves=list(names))


def named(s: State, difference: Difference, followed: bool = True) -> Move:
    """The move that stands whole on the board: the one that the player has named; else a queen, or the drop of which
    his stock has most, of the highest kind. Left out where others remain: moves that are not owed, drops that came into
    stock too late to be reached for, and, where play has ``followed``, moves that would have ended the game."""
    if len(difference.moves) == 1:
        return difference.moves[0]
    if not undecided(s, difference):
        return s.pick(difference.moves if s.position.drop_board else _owed(s, difference))
    drop_board = s.position.drop_board
    stock = drop_board.pockets[drop_board.turn] if drop_board else ()
    moves = _owed(s, difference)
    moves = [move for move in moves if not move.drop or within_reach(s, move.drop)] or moves
    if followed:
        moves = [move for move in moves if s.position.after(move).has_legal_move()] or moves
    return max(moves, key=lambda move: (stock.count(move.drop) if move.drop else 0, move.drop or move.promotion or 0))


def mate_unnamed(s: State) -> Move | None:
    """The unnamed move that stands on the board, under a name by which it ends the game; else None (18)."""
    if s.position.drop_board is None or s.result is not None or not undecided(s, s.turn.difference):
        return None
    return next((move for move in s.turn.difference.moves if not s.position.after(move).has_legal_move()), None)


def mate_misnamed(s: State) -> State | None:
    """The state with pieces named anew so that the last move, which nobody has pressed, was mate: the match is being
    stopped as after one (18). None if no names make it one."""
    last = s.last()
    if last is None or last.completed or not last.reported or s.result is not None or not _may_rename(s):
        return None
    assert s.board is not None
    unnamed = Unnamed(s)
    for piece, square, kind in _other_kinds(s, unnamed, s.theirs):
        if s.position.with_kind(square, kind).has_legal_move():
            continue
        found = unnamed.settle({piece: {kind}}, partial(fits, s, mates=True))
        if found is not None and (renamed := apply(s, found[1], mates=True)) is not None:
            return renamed
    return None


def _other_kinds(s: State, unnamed: Unnamed, mask: int) -> Iterator[tuple[Piece, chess.Square, chess.PieceType]]:
    """Each unnamed piece on these squares of this board, a bitboard, with each other kind that it may be."""
    for piece, one, square in unnamed.standing(s.board, mask):
        yield from ((piece, square, kind) for kind in one.kinds - {s.made[piece[1]].move.drop})


def said_late(s: State, side: c.Side, kind: chess.PieceType) -> State | None:
    """The state after ``side`` has named by button what he has just dropped or promoted; None if the button is for his
    next move."""
    last, at = s.last(), len(s.made) - 1
    if last is None or last.side != side or not last.reported:
        return None
    if s.position.drop_board is None:
        return _promoted_late(s, last, at, kind)
    if s.turn.difference.kind in LEGAL or (s.turn.traces.refilled is not None and rename(s) is not None):
        return None  # the opponent's move stands already, perhaps by other names, so the button names the next move
    named_so = s if kind == (last.move.drop or last.move.promotion) else _named_as(s, at, kind)
    return None if named_so is None else named_so.amending(at, unnamed=False)


def _promoted_late(s: State, last: Made, at: int, kind: chess.PieceType) -> State | None:
    """The same outside a match: possible until he presses, without a clock until the opponent touches a piece. A piece
    named before it stood there he may name anew only while its square is empty."""
    square = last.move.to_square
    open_still = last.unnamed or last.side in s.renaming or s.readings[square] == EMPTY
    if not last.move.promotion or not may_give_way(s, last, square) or not open_still or kind not in PROMOTIONS:
        return None
    if s.clock is None and s.turn.touches:
        return None
    after = last.before.after(chess.Move(last.move.from_square, square, kind))
    s_named = apply(s, {(s.board, at): kind}, mates=not after.has_legal_move(), told=True)
    if s_named is None:
        return None
    return end(replace(s_named.amending(at, unnamed=False), renaming=s.renaming | {last.side}))


def may_give_way(s: State, promotion: Made, square: chess.Square) -> bool:
    """Whether the piece on ``square`` may still be the pawn of that promotion, which a board without kinds takes for
    the new piece, as everybody does in a match. It may until its player presses; without a clock, until his opponent
    has touched a piece of his own."""
    is_seen = s.senses == "identity" and s.position.drop_board is None
    if promotion.move.to_square != square or is_seen or promotion.completed_by_press:
        return False
    if s.clock is not None or promotion.side == s.turn.side:
        return True
    own = s.own
    return not any(chess.BB_SQUARES[touch.square] & own for touch in s.turn.touches)


def _named_as(s: State, at: int, kind: chess.PieceType) -> State | None:
    """The state with the piece of move number ``at`` named so; None where it cannot be."""
    assert s.board is not None
    this, move, unnamed = (s.board, at), s.made[at].move, Unnamed(s)
    if move.promotion and s.made[at].unnamed and kind in PROMOTIONS:
        return apply(s, {this: kind})
    if move.drop:
        found = unnamed.settle({this: {kind}}, partial(fits, s, told=True)) if this in unnamed.lives else None
        return None if found is None else apply(s, found[1], told=True)
    if not chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS or kind not in PROMOTIONS:
        return None
    # A piece is named after it moved to its last rank, so it was a pawn.
    movers = [piece for piece, _, _ in unnamed.standing(s.board, chess.BB_SQUARES[move.to_square])]
    found = unnamed.settle({piece: {chess.PAWN} for piece in movers}, partial(fits, s)) if movers else None
    return None if found is None else apply(s, {**found[1], this: kind})


# -- naming anew -----------------------------------------------------------------------------------------------------


def rename(s: State) -> State | None:
    """The state with pieces named anew so that what stands on the board is lawful; None where no names help."""
    if not _may_rename(s) or not s.budget.play():
        return None
    refilled = s.turn.traces.refilled
    if refilled is not None:
        s = s.tracing(retaken=refilled, refilled=None)  # by another name, the piece in hand may have taken there
    for _, names in sorted(_namings(s), key=lambda naming: -naming[0]):
        if (renamed := apply(s, names)) is not None:
            return renamed
    return None


def excused(s: State, move: Move) -> State | None:
    """The state with pieces named anew so that this move is no breach, as nobody is accused because of a guessed name.
    None where no names do that."""
    if s.position.drop_board is None or not _may_rename(s):
        return None
    unnamed = Unnamed(s)
    for piece, _, kind in _other_kinds(s, unnamed, s.position.board.occupied):
        found = unnamed.settle({piece: {kind}}, partial(fits, s))
        renamed = None if found is None else apply(s, found[1])
        if renamed is not None and (renamed.owed is None or move in renamed.owed.moves):
            return renamed  # names that fit what stands there make the move lawful
    return None


def by_other_names(s: State, lifted: int) -> Iterator[State]:
    """States with other names of pieces on this board, the likeliest first, by which a piece of the squares ``lifted``
    can capture where it could not before."""
    if not _may_rename(s) or not s.budget.play():
        return
    unnamed, before, found = Unnamed(s), _takes(s.position, lifted), list[tuple[float, Names]]()
    for piece, _, kind in _other_kinds(s, unnamed, s.position.board.occupied):
        found += filter(None, [unnamed.settle({piece: {kind}}, partial(fits, s))])
    for _, names in sorted(found, key=lambda naming: -naming[0])[:TRIED]:
        renamed = apply(s, names)
        if renamed is not None and _takes(renamed.position, lifted) - before:
            yield renamed


def _takes(position: Position, lifted: int) -> set[Move]:
    """The captures of pieces from these squares."""
    moves = [move for origin in squares(lifted) for move in position.moves_from(origin)]
    return {move for move in moves if position.captured(move) is not None}


def _may_rename(s: State) -> bool:
    """Whether some piece is unnamed, and the clocks of this board run."""
    return not s.stopped and any(made.unnamed for each in both_boards(s).values() for made in each.made)


def misnamed(s: State) -> bool:
    """Whether the player's choice cannot be, as pieces are named now: he drops a kind that is not in his stock, or
    promotes a piece that is no pawn."""
    if s.position.drop_board is None or (chosen := s.chosen.get(s.turn.side)) is None:
        return False
    difference = s.turn.difference
    if difference.part == "drop":
        return not any(move.drop == chosen for move in difference.moves)
    return _promotes_no_pawn(s)


def _promotes_no_pawn(s: State) -> bool:
    move = s.turn.difference.moves[0] if s.turn.difference.kind is Kind.WHOLE else None
    on_last_rank = move is not None and chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS
    return bool(on_last_rank and s.turn.side in s.chosen and move and not (move.promotion or move.drop))


def _namings(s: State) -> Iterator[tuple[float, Names]]:
    """Other names that may explain what stands on this board, each set with its logarithmic likelihood."""
    unnamed = Unnamed(s)
    if s.position.drop_board is not None and (dropped_on := _dropped_on(s)) is not None:
        yield from _for_the_drop(s, unnamed, dropped_on)
        if misnamed(s):
            return  # no other names put the piece that he has named into his stock
    if _promotes_no_pawn(s):
        mover, wanted = chess.BB_SQUARES[s.turn.difference.moves[0].from_square], frozenset({chess.PAWN})
    else:
        mover, wanted = s.position.board.occupied, frozenset(KINDS)
    others = [(piece, square, kind) for piece, square, kind in _other_kinds(s, unnamed, mover) if kind in wanted]
    musts = [{each: {kind}} for each, square, kind in others if lawful(s, s.position.with_kind(square, kind))]
    for must in musts or _in_pairs(s, others):
        yield from filter(None, [unnamed.settle(must, partial(fits, s))])
    yield from _for_promoted(s)


def _in_pairs(s: State, others: Sequence[tuple[Piece, chess.Square, chess.PieceType]]) -> Iterator[MustBe]:
    """Other kinds of two pieces that together may explain what stands: of one in hand, and of another, which would give
    check or bar its way by its present name; or of two of the opponent's that would give check by theirs."""
    in_hand, enemies = s.gone(), s.position.board.occupied_co[not s.position.turn]
    held = [other for other in others if in_hand & chess.BB_SQUARES[other[1]]]
    checking = [other for other in others if enemies & chess.BB_SQUARES[other[1]]]
    partners = [(other, others) for other in held]
    partners += [(other, checking[number:]) for number, other in enumerate(checking, 1)]
    for (piece, square, kind), besides in partners:
        renamed = s.position.with_kind(square, kind)
        for beside, where, of in besides:
            s.budget.left -= PAIR
            if s.budget.spent:
                return
            if piece != beside and lawful(s, renamed.with_kind(where, of)):
                yield {piece: {kind}, beside: {of}}


def _dropped_on(s: State) -> chess.Square | None:
    """The square of a piece that has come from outside, if nothing else has changed; else None."""
    mask, occupied = s.mismatch & ~s.not_by_mover, s.position.board.occupied
    return mask.bit_length() - 1 if mask and not mask & (mask - 1) and not mask & occupied else None


def _for_the_drop(s: State, unnamed: Unnamed, square: chess.Square) -> Iterator[tuple[float, Names]]:
    """Names by which a piece dropped on ``square`` was in stock, though it is not by the present names."""
    white = s.position.turn
    kinds = {k for k in KINDS if may_lie(k, square) and SYMBOLS[white][k] in FITS[s.readings[square]]}
    chosen = s.chosen.get(s.turn.side)
    wanted = kinds & {chosen} if chosen else kinds
    found = unnamed.settle({}, partial(fits, s), ((s.board, white), wanted))
    if found is not None:
        yield found


def _for_promoted(s: State) -> Iterator[tuple[float, Names]]:
    for at, made in enumerate(s.made):
        if made.unnamed and made.move.promotion and (square := _stands_now(s, at)) is not None:
            for rarer, kind in enumerate(PROMOTIONS):
                if kind != made.move.promotion and lawful(s, s.position.with_kind(square, kind)):
                    yield -RARER * rarer, {(s.board, at): kind}


def _stands_now(s: State, at: int) -> chess.Square | None:
    """Where the piece that move number ``at`` set down stands now; None once it is captured."""
    square = s.made[at].move.to_square
    for made in s.made[at + 1 :]:
        if made.before.captured(made.move) == square:
            return None
        if made.move and not made.move.drop and made.move.from_square == square:
            square = made.move.to_square
    return square
