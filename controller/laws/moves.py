"""Moves made, completed and taken back, and the end of the game (4.7, 5, 6.2)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from chess import BB_SQUARES, Move, PieceType, Square
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import KINDS
from controller.laws.board import read_board
from controller.laws.endings import ended
from controller.laws.evidence import handled, moved
from controller.laws.notices import accuse, is_open, propose_result
from controller.laws.record import NOTHING_BESIDE, Beside, Made, Pressed, changed_by, outliving
from controller.laws.said_early import in_his_turn
from controller.laws.state import NS, State, colour
from controller.laws.stock import from_stock, replenished, taken
from controller.laws.touch import PartialMove, TouchedPiece, breach
from controller.laws.turn import Raised
from controller.position import PROMOTIONS, SYMBOLS, Position, uci
from controller.sensing.budget import UnaskedError
from controller.sensing.costs import REACTS_MS
from controller.sensing.difference import LEGAL, Kind, exchanged
from controller.sensing.leftover import pushed_to
from controller.sensing.trace import Edge, brushes


def make(s: State, move: Move, inferred: bool = False, beside: Beside = NOTHING_BESIDE) -> State:
    """Make the move (4.7): the opponent has the move then.

    ``inferred``: the move was read from what came later, or nobody saw how it came about, so nothing is known of the
    touches before it. ``beside``: what else it may have been.
    """
    inferred = inferred or bool(s.unseen) or (s.unsure and _touched_the_others(s))
    still_unsure = s.unsure and inferred
    if inferred:
        s = replace(s, turn=replace(s.turn, touches=(), partial_move=None), owed=None)
    elif any(touch.brief for touch in s.turn.touches):
        s = _less_brushed(s, move)
    turn, before = s.turn, s.position
    broken = None
    if s.owed is not None and move not in s.owed.moves:
        broken = breach(before, move, turn.touches, turn.partial_move, s.laws.clause, s.together_ms)
        if s.intended is not None:
            broken = broken or ("touch-move", s.owed.clause)
        elif broken is not None and (_taken_up_at_once(s, move) or _may_have_been_first(s, move)):
            broken = None
    after = s.budget.after(before, move, exchanged(before, s.readings, move))
    changed = changed_by(before, after)
    hidden = inferred or bool(s.faulty & changed)
    s = _let_stand(s)
    made = played(
        s,
        move,
        after,
        changed,
        breach=broken is not None,
        stood=not inferred and s.now - turn.stands_since >= s.release_ms,
        inferred=hidden or turn.traces.retaken is not None,
        hidden=hidden,
        beside=beside,
        unnamed=_unnamed(s, move),
        completed=s.clock is None,  # without a clock nobody has to press
        may_be_pressed=turn.unwatched or (inferred and bool(s.unseen or s.unsure)),
        done=s.now if s.clock is None else 0,
    )
    made = replace(made, turn=0) if inferred else made
    at = len(s.made)
    s = report(replace(s, made=(*s.made, made)), at)
    if broken is not None:
        accused = s.violate(turn.side, *broken, **moved(s, made, s.owed))
        s = accuse(accused, at, *broken, at, accused.ids_since(s))
    if s.laws.next_move_completes or s.position.drop_board is not None:  # captured pieces go to the partner (6, 18)
        earlier = uncompleted(s, turn.side, before=at)
        s = s if earlier is None else complete(s, earlier)
    if turn.raised:
        s = lifted_out_of_turn(s, turn.raised)
    if turn.side in s.announced:
        s = replace(s, announced={side: ms for side, ms in s.announced.items() if side != turn.side})
    s, early = set_down_early(in_his_turn(s) if s.kept_words else s, after)
    behind = _left_behind(s, changed) | pushed_aside(s, before, move) if s.mismatch & ~changed else 0
    s = s.enter(after, changed)
    if behind := behind & s.mismatch:
        s = replace(s, not_by_mover=s.not_by_mover | behind, turn=s.turn.lowering(behind))
    if move.promotion or before.drop_board is not None:
        s = replace(s, chosen={side: kind for side, kind in s.chosen.items() if side != turn.side}, ambiguous=())
    if s.clock is None:
        s = report_completed(s, at)
    elif s.presses and s.presses[0].side == turn.side:
        s = complete(replace(s, presses=s.presses[1:]), at, s.presses[0])
    s = replace(s, unsure=still_unsure) if s.unsure else s
    if not (broken and s.laws.mate_needs_article_4):
        s = end(s)
    s = read_board(s, s.now)
    return let_wait(s) if early else s


def played(s: State, move: Move, after: Position, changed: int, **more: Any) -> Made:
    """The record of what the player having the move does now, a null move if he has moved nothing; ``changed``: the
    squares that differ ``after`` it, a bitboard; ``more``: further fields."""
    turn, before, last = s.turn, s.position, s.last()
    return Made(
        side=turn.side,
        before=before,
        move=move,
        after=after,
        ms=s.now,
        ply=(last.ply if last else 0) + bool(move),
        touches=turn.touches,
        partial_move=turn.partial_move,
        turn=turn.number,
        start=turn.start,
        changed=changed,
        takes=None if before.drop_board is None else taken(before, move),
        shown=s.left_without_awards(),
        **more,
    )


def _taken_up_at_once(s: State, move: Move) -> bool:
    """Whether the move is what was owed if the piece that it moves was the first to be touched of those that left at
    once: touches so close together count as simultaneous, so nobody knows which piece he has to move."""
    turn, at_once = s.turn, s.together_ms
    moved = next((touch for touch in turn.touches if touch.square == move.from_square), None)
    if moved is None:
        return False
    earlier = [touch for touch in turn.touches if touch.ms <= moved.ms - at_once]
    together = [touch for touch in turn.touches[len(earlier) :] if touch is not moved]
    touches = [*earlier, replace(moved, ms=min([moved, *together], key=lambda touch: touch.ms).ms), *together]
    return breach(s.position, move, touches, turn.partial_move, s.laws.clause, s.together_ms) is None


def _may_have_been_first(s: State, move: Move) -> bool:
    """Whether what was taken for a brush of the moved piece may have been a touch, and the move is then what was
    owed: where looks are far apart, it was off its square for up to one look longer than it was seen to be."""
    turn, since = s.turn, s.trace[s.turn.start :]
    if not s.pace.apart or turn.partial_move is not None:
        return False
    least = s.settings.brush_ms - s.pace.apart
    brushed = ((since[left], since[back]) for left, back in brushes(since, s.brush_ms))
    maybe = [left.ms for left, back in brushed if left.square == move.from_square and back.ms - left.ms > least]
    others = [touch for touch in turn.touches if touch.square != move.from_square]
    touches = sorted([*others, *(TouchedPiece(move.from_square, ms) for ms in maybe[:1])], key=lambda touch: touch.ms)
    return bool(maybe) and breach(s.position, move, touches, None, s.laws.clause, s.together_ms) is None


def _touched_the_others(s: State) -> bool:
    """Whether a piece of the opponent's was touched: that may be the end of his own move, if his turn is not over."""
    own = s.own
    return any(not own & BB_SQUARES[touch.square] for touch in s.turn.touches)


def set_down_early(s: State, after: Position) -> tuple[State, int]:
    """The state, and the squares, a bitboard, on which the player who has the move in ``after`` acted early: they are
    his now. Pieces that came from nowhere stay out of the game, except those that look like one in his stock; and so do
    those that others have moved."""
    if not s.not_by_mover:
        return s, 0
    strays = s.unexplained_pieces & ~from_stock(after, s.readings, s.unexplained_pieces)
    stay = strays | s.shifted
    return replace(s, not_by_mover=s.not_by_mover & stay, unexplained_pieces=strays), s.not_by_mover & ~stay


def _left_behind(s: State, changed: int) -> int:
    """The squares, a bitboard, that the player who makes a move leaves in disorder beside it, as far as it is known to
    be his hand's doing. ``changed``: what the move changes."""
    white, found = s.position.turn, 0
    for edge in s.trace[s.turn.start :]:
        bit = BB_SQUARES[edge.square]
        found = found | bit if edge.white is white else found & ~bit
    return found & s.mismatch & ~changed


def pushed_aside(s: State, before: Position, move: Move) -> int:
    """Where in a match the victim of this move stands, as a bitboard, if the capturing piece has pushed it off its
    square: it might have been dropped there, but nobody replies so soon."""
    beside = 0 if before.drop_board is None else pushed_to(before, move) & s.mismatch & ~s.empty(s.mismatch)
    numbers = s.trace.last_edges(beside | BB_SQUARES[move.to_square], 0) if beside else {}
    landed = numbers.pop(move.to_square, -1)
    came = {square: number for square, number in numbers.items() if min(number, landed) >= 0}
    return sum(BB_SQUARES[sq] for sq, n in came.items() if abs(s.trace[n].ms - s.trace[landed].ms) < REACTS_MS)


def let_wait(s: State) -> State:
    """The state in which what was set down out of turn is no move until its player does something more."""
    return s.turning(judged=True) if s.turn.difference.kind in (*LEGAL, Kind.ASTRAY) else s


def _less_brushed(s: State, move: Move) -> State:
    """Drop the touches of pieces that were off for no longer than a brush and have no part in this move."""
    own = {square for square, _ in s.position.changes(move)}
    brushed = [touch.square for touch in s.turn.touches if touch.brief and touch.square not in own]
    return s.brushing(brushed) if brushed else s


def lifted_out_of_turn(s: State, pieces: Mapping[Square, Raised]) -> State:
    """Tell that the player not having the move has lifted these pieces (1.3), if his hand is known to have lifted any.
    Nothing more is told while others are off by his hand, which makes it one act; nor if he moves on what he had
    released, which is a breach of its own (4.7)."""
    side = next((piece.by for piece in pieces.values() if piece.by is not None), None)
    if side is None or _moves_on(s, side) or _holds_others(s, side, pieces):
        return s
    touches = [TouchedPiece(square, piece.ms) for square, piece in pieces.items() if piece.by is not None]
    return s.violate(side, "out-of-turn", s.laws.clause.out_of_turn, **handled(touches))


def _moves_on(s: State, side: c.Side) -> bool:
    """Whether that player has moved on the piece that he released last, or is about to, and has not pressed since."""
    last = s.last()
    if last is None or last.side != side or last.illegal or (last.completed and s.clock is not None):
        return False
    if last.shifted or not s.empty(last.released):
        return last.shifted
    elsewhere = s.mismatch & ~s.empty(s.mismatch)
    return any(_by(edge, side) & elsewhere for edge in s.trace[s.turn.start :])


def _by(edge: Edge, side: c.Side) -> int:
    """The square of that edge, as a bitboard, if that player's hand is known to have made it; else 0."""
    return BB_SQUARES[edge.square] if edge.white == colour(side) else 0


def _holds_others(s: State, side: c.Side, pieces: Collection[Square]) -> bool:
    """Whether that player is known to have lifted other pieces of his own, which are still off and were told of."""
    theirs, last = s.position.board.occupied_co[colour(side)], s.last()
    said = s.empty(s.not_by_mover & theirs) & ~s.unexplained_pieces
    if last is not None and last.side == side:
        said &= ~last.released
    return any(
        said & _by(edge, side)
        for edge in s.trace[s.turn.start :]
        if edge.square not in pieces and edge.square not in s.turn.raised
    )


def _unnamed(s: State, move: Move) -> bool:
    """Whether neither a button nor the board tells which piece is dropped in a match, or what a pawn becomes."""
    kind = move.drop or move.promotion
    if kind is None or s.chosen.get(s.turn.side) == kind:
        return False
    if s.position.drop_board is None and s.owed is not None and s.owed.moves == (move,):
        return False  # only this promotion is owed
    if s.senses != "identity":
        return True
    stands = s.readings[move.to_square]  # in a match the pawn itself may stay, or the real new piece be seen
    return bool(move.promotion and s.position.drop_board) and stands != SYMBOLS[s.position.turn][kind]


PROVEN_MS = 10_000
"""A mate or stalemate by a queen that nobody named is proposed once nothing has followed for so long."""

LANDED_MS = 1_000
"""A capture that shows only as a square filled again is believed to end the game once nothing has followed for so long:
a hand that still holds the piece has set it down by then, or gives a sign of it. A guess."""


def end(s: State) -> State:
    """End the game if the last move ended it. If that rests on a piece that nobody has named, the result is only
    proposed, after a while; if it rests on a capture that may yet be none, it waits for the press, or a while. The
    question whether the position is dead may be put off: see ``unasked``."""
    board = s.position.board
    keys = s.keys() if board.halfmove_clock >= 16 else ()  # earlier no repetition can end the game
    can_move = s.position.has_legal_move()
    try:
        ending = ended(board, keys, s.laws, can_move=can_move, before_search=s.budget.ask)
    except UnaskedError:
        return replace(s, unasked=True)
    if ending is None or (ending.reason == "dead-position" and _may_be_put_back(s)):
        return s
    if (wait_ms := _unproven_for(s)) > 0:
        return replace(s, unproven=s.now + wait_ms)
    return finish(s, ending.result, ending.reason, ending.article)


def _may_be_put_back(s: State) -> bool:
    """Whether an illegal move awaits a ruling (7.5): the position before it may come back, which need not be dead."""
    return any(notice.what == "illegal" and is_open(s, notice) for notice in s.notices)


def _rests_on_a_name(s: State) -> bool:
    """Whether the last move ends the game only if an unnamed piece is what it was taken for: the promoted piece; or, in
    a match, a dropped piece of the opponent's, which could parry if it were another."""
    last, position = s.last(), s.position
    if any(position.with_kind(move.to_square, kind).has_legal_move() for move, kind in _other_drops(s)):
        return True
    if last is None or not (last.unnamed and last.move.promotion):
        return False
    origin, target = last.move.from_square, last.move.to_square
    ends = [last.before.after(Move(origin, target, kind)) for kind in PROMOTIONS]
    return len({(end.has_legal_move(), bool(end.checkers)) for end in ends}) > 1


def _other_drops(s: State) -> Iterator[tuple[Move, PieceType]]:
    """The drops of the player having the move that still stand and that nobody has named, each with another kind that
    it may be, as that was in his stock."""
    changed = 0
    for made in reversed(s.made if s.position.drop_board is not None else ()):
        move, stock = made.move, made.before.drop_board
        stays = made.side == s.turn.side and move.drop and made.unnamed and not changed & BB_SQUARES[move.to_square]
        changed |= made.changed
        if stays and stock is not None:
            held = stock.pockets[stock.turn]
            yield from ((move, kind) for kind in KINDS if kind != move.drop and held.count(kind))


def _may_be_none(s: State) -> bool:
    """Whether the last move is a capture that shows only as a square filled again, so that the capturing piece may
    still be in hand: until its player presses, and the board matches the game."""
    last = s.last()
    if s.clock is None or s.board is not None or last is None or (last.completed_by_press and not s.mismatch):
        return False
    return last.inferred and not last.hidden and not last.victim_brushed  # no hand puts a piece back so soon


def _unproven_for(s: State) -> int:
    """How long, in ms, nothing must follow before the end that the last move has brought is believed; 0: it is."""
    if _rests_on_a_name(s):
        return PROVEN_MS
    return LANDED_MS if _may_be_none(s) else 0


def wait_or_propose(s: State) -> State:
    """Propose the unproven end if nothing has changed on the board for long enough; else wait until that is so."""
    due = s.now if s.trace.last is None else s.trace.last.ms + _unproven_for(s)
    return propose_unproven(s) if due <= s.now else replace(s, unproven=due)


def propose_unproven(s: State) -> State:
    """Nothing has followed: propose the result if it rests on an unnamed piece. If it rests on a capture it is final,
    and the clocks stop as of that move."""
    s = replace(s, unproven=None)
    ending = ended(s.position.board, (), s.laws, can_move=s.position.has_legal_move())
    if ending is None or s.result is not None:
        return s
    if _rests_on_a_name(s):
        return propose_result(s, s.turn.side, ending.result, ending.reason, ending.article)
    if s.clock is not None:
        s = replace(s, clock=s.clock.stop(s.made[-1].ms * NS))
    return finish(s, ending.result, ending.reason, ending.article)


def ended_by_capture(s: State) -> State:
    """If the last capture, which may yet be none, ends the game: take it for true, as something comes that decides the
    game, or the opponent replies. Else the same state."""
    return s if s.unproven is None or _rests_on_a_name(s) else propose_unproven(s)


def report(s: State, at: int) -> State:
    """Tell that move number ``at`` was made; of a move made earlier, with what has come into stock since."""
    made = s.made[at]
    if not made.reported:
        s = s.amending(at, reported=True)
    after = made.after
    if after.drop_board is not None and not (made.ms == s.now and at == len(s.made) - 1):
        after = replenished(s, after, at + 1)
    return s.say(
        c.Move,
        side=made.side,
        uci=uci(made.move),
        san=made.before.san(made.move, made.after),
        fen=after.fen(),
        ply=made.ply,
        legal=not made.illegal,
        basis="reported" if made.ruled else "inferred" if made.hidden else None,
    )


def complete(s: State, at: int, pressed: Pressed | None = None, **more: Any) -> State:
    """Complete move number ``at``: it is pressed now, or was ``pressed`` before it was known, or the edition completes
    it otherwise (6.2.1). ``more``: further fields of its record."""
    left = (pressed.white_ms, pressed.black_ms) if pressed else s.both_left()
    recorded = {"pressed": pressed, "done": s.now, "left": left, **more}
    s = s.amending(at, completed=True, **recorded)
    return report_completed(s, at)


def uncompleted(s: State, side: c.Side, before: int | None = None) -> int | None:
    """The number of the move that a press of ``side`` completes, also after the opponent has replied (6.2.2); None if
    there is none. An illegal move was completed already, by the press that made it count. ``before``: of those before
    that move."""
    at = s.at_last(side, before)
    if at is None or s.made[at].illegal:
        return None
    return at if s.made[at].reported and not s.made[at].completed else None


def report_completed(s: State, at: int) -> State:
    """Tell that move number ``at`` is completed."""
    made = s.made[at]
    white, black = made.left
    return s.say(c.Completed, side=made.side, uci=uci(made.move), white_ms=white, black_ms=black)


def finish(s: State, result: c.Score, reason: c.Reason, article: str, **evidence: Any) -> State:
    """End the game (5, 9): the last move is completed and the clocks stop. ``evidence``: further fields of the result.

    The last move of a player who has lost on time is not completed: that is what he failed to do (6.9).
    """
    last = s.last()
    if last is not None and last.reported and not last.completed:
        late = reason == "time" and s.clock is not None and s.clock.fell(last.side) is not None
        if not late:
            s = complete(s, len(s.made) - 1)
    return declare(s.with_clocks_stopped(), result, reason, article, **evidence)


def declare(s: State, result: c.Score, reason: c.Reason, article: str, **evidence: Any) -> State:
    """Give the game that result, and change nothing else."""
    over = c.Result(ms=s.now, board=s.board, result=result, reason=reason, article=article, status="final", **evidence)
    return replace(s, result=over, facts=(*s.facts, over))


def _let_stand(s: State) -> State:
    """The opponent has made his next move: if that ends the time to correct an illegal move, it stands (A.4.2)."""
    last = s.last()
    if last is None or not last.illegal or s.laws.illegal_until != "next-move":
        return s
    first = len(s.made)
    while first > 0 and s.made[first - 1].illegal:
        first -= 1
    for at in range(first, len(s.made)):
        if s.made[at].move and not s.made[at].reported:
            s = report(s, at)
    return s


def take_back(s: State, at: int) -> State:
    """Return to the position before move number ``at`` (from 0). The touches that bind its replacement are kept, except
    those where the sensor does not work: without that move nothing shows that the piece was touched."""
    first = s.made[at]
    touches = tuple([touch for touch in first.touches if not s.faulty & BB_SQUARES[touch.square]])
    return back_to(retract(s, at), first.before, touches, first.partial_move, at)


def retract(s: State, at: int) -> State:
    """Tell that the moves from number ``at`` on are taken back, the last one first."""
    for number in reversed(range(at, len(s.made))):
        if s.made[number].reported:
            back = number if any(made.reported for made in s.made[at:number]) else at
            fen = replenished(s, s.made[back].before, back).fen()
            s = s.say(c.Retract, uci=s.made[number].move.uci(), fen=fen)
    return s


def back_to(
    s: State, position: Position, touches: tuple[TouchedPiece, ...], partial_move: PartialMove | None, at: int
) -> State:
    """Put the game at ``position``, after ``at`` moves, with these touches of the player having the move."""
    mask = 0
    for made in s.made[at:]:
        mask |= made.changed
    pressed = [press for made in s.made[at:] if (press := _press_of(made)) is not None]
    corrects = at < len(s.made) and s.made[at].illegal
    position = replenished(s, position, at)
    s = replace(s, presses=(*pressed, *s.presses), notices=outliving(s.notices, at), made=s.made[:at])
    s = s.enter(position, mask)
    return s.turning(corrects=corrects, touches=touches, partial_move=partial_move).derive()


def _press_of(made: Made) -> Pressed | None:
    """The press that completed a legal move: it will complete the move that takes its place; None if there is none."""
    white, black = made.left
    if made.completed_by_press and not made.illegal and white is not None and black is not None:
        return Pressed(made.side, white, black)
    return made.pressed
