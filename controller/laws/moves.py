"""Moves made, completed and taken back, and the end of the game (4.7, 5, 6.2)."""

from chess import BB_SQUARES, Move, Square

from controller import contract as c
from controller.laws.board import read_board
from controller.laws.endings import ended
from controller.laws.evidence import handled, moved
from controller.laws.record import Made, Notice, Pressed, changed_by, outliving
from controller.laws.state import NS, State
from controller.laws.stock import from_stock, replenished, taken
from controller.laws.touch import Half, Touch, breach
from controller.laws.turn import Raised
from controller.position import Position, uci
from controller.sensing.stand import Kind, exchanged


def make(s: State, move: Move, inferred: bool = False) -> None:
    """The move is made (4.7): the opponent has the move.

    ``inferred``: it was read from what came later, or nobody saw how it came about, so that nothing is known of the
    touches before it.
    """
    inferred = inferred or bool(s.unseen)
    still_unsure = s.unsure and inferred
    inferred = inferred or (s.unsure and _touched_the_others(s))
    if inferred:
        s.turn.touches, s.turn.half, s.owed = [], None, None
    turn, before = s.turn, s.position
    broken = None
    if s.owed is not None and move not in s.owed.moves:
        broken = breach(before, move, turn.touches, turn.half, s.laws.clause, s.settings.simultaneous_ms)
        if s.intended is not None:
            broken = broken or ("touch-move", s.owed.clause)
    after = before.after(move, exchanged=exchanged(before, s.looks, move))
    changed = changed_by(before, after)
    _let_stand(s)
    made = Made(
        side=turn.side,
        before=before,
        move=move,
        after=after,
        ms=s.now,
        ply=_next_ply(s),
        touches=turn.touches,
        half=turn.half,
        start=turn.start,
        changed=changed,
        breach=broken is not None,
        inferred=inferred or turn.traces.retaken is not None or bool(s.blind & changed),
        takes=None if before.house is None else taken(before, move),
        unnamed=_unnamed(s, move),
    )
    s.made.append(made)
    report(s, made)
    if broken is not None:
        s.violate(turn.side, *broken, **moved(s, made, s.owed))
        if s.laws.report_violation(broken[0]) == "arbiter":
            at = len(s.made) - 1
            s.notices.append(Notice("violation", turn.side, at, before, turn.touches, turn.half, article=broken[1]))
    if s.laws.next_move_completes:
        _complete_earlier(s, made)
    for square, man in turn.raised.items():
        lifted_out_of_turn(s, square, man)
    s.announced.pop(turn.side, None)
    early = set_down_early(s, after)
    s.enter(after, made.changed)
    if move.promotion or before.house is not None:
        s.chosen.pop(made.side, None)
        s.ambiguous = []
    if s.clock is None:
        complete(s, made)
    elif s.presses and s.presses[0].side == made.side:
        complete(s, made, s.presses.pop(0))
    s.unsure = still_unsure
    if not (broken and s.laws.mate_needs_article_4):
        end(s)
    read_board(s, s.now)
    if early:
        let_wait(s)


def _touched_the_others(s: State) -> bool:
    """Whether a man of the opponent was touched: it may be the end of his move, if his turn is not over."""
    own = s.position.board.occupied_co[s.position.turn]
    return any(not own & BB_SQUARES[touch.square] for touch in s.turn.touches)


def set_down_early(s: State, after: Position) -> int:
    """The squares of what the player who has the move next, in ``after``, did out of turn, as a bitboard. Men who came
    from nowhere stay out of the game, but for those like one in his stock."""
    if s.strays:
        s.strays &= ~from_stock(after, s.looks, s.strays)
    early, s.others = s.others & ~s.strays, s.others & s.strays
    return early


def let_wait(s: State) -> None:
    """What was set down out of turn is not a move before its player does something more."""
    if s.turn.stand.kind in (Kind.WHOLE, Kind.ASTRAY):
        s.turn.judged = True


def lifted_out_of_turn(s: State, square: Square, man: Raised) -> None:
    """Whose hand lifted that man has not the move (1.3), if it was another than the hand of the player who has it."""
    if man.by is not None:
        s.violate(man.by, "out-of-turn", s.laws.clause.out_of_turn, **handled([Touch(square, man.ms)]))


def _unnamed(s: State, move: Move) -> bool:
    """Whether neither a button nor the board tells which man of a match is dropped, or what a pawn becomes."""
    kind = move.drop or move.promotion
    if s.position.house is None or kind is None or s.chosen.get(s.turn.side) == kind:
        return False
    return bool(move.promotion) or s.senses != "identity"


def end(s: State) -> None:
    """The game is over, if the last move ended it. The history is gathered only once it could matter."""
    board = s.position.board
    keys = s.keys() if board.halfmove_clock >= 16 else ()
    ending = ended(board, keys, s.laws, can_move=s.position.has_legal_move())
    if ending is not None:
        finish(s, ending.result, ending.reason, ending.article)


def report(s: State, made: Made) -> None:
    """Say that the move was made; of one made earlier, with what has come into stock since."""
    made.reported = True
    after = made.after
    if after.house is not None and not (made.ms == s.now and made is s.last()):
        after = replenished(s, after, s.made.index(made) + 1)
    move = c.Move(
        ms=s.now,
        board=s.board,
        side=made.side,
        uci=uci(made.move),
        san=made.before.san(made.move, made.after),
        fen=after.fen(),
        ply=made.ply,
        legal=not made.illegal,
    )
    s.events.append(move)


def complete(s: State, made: Made, pressed: Pressed | None = None) -> None:
    """The move is completed: pressed, now or before it was known, or as the edition says (6.2.1)."""
    made.completed, made.pressed, made.done = True, pressed, s.now
    made.left = (pressed.white_ms, pressed.black_ms) if pressed else s.both_left()
    made.awarded = s.awarded
    report_completed(s, made)


def report_completed(s: State, made: Made) -> None:
    """Say that the move is completed."""
    white, black = made.left
    done = c.Completed(ms=s.now, board=s.board, side=made.side, uci=uci(made.move), white_ms=white, black_ms=black)
    s.events.append(done)


def finish(s: State, result: c.Score, reason: c.Reason, article: str) -> None:
    """The game is over (5, 9): the last move is completed and the clocks stand.

    Lost on time, it is not: that is just what its player failed to do (6.9).
    """
    last = s.last()
    if last is not None and last.reported and not last.completed:
        late = reason == "time" and s.clock is not None and s.clock.fell(last.side) is not None
        if not late:
            complete(s, last)
    if s.clock is not None:
        s.clock.stop(s.now * NS)
        s.show_clock()
    s.result = c.Result(ms=s.now, board=s.board, result=result, reason=reason, article=article, status="final")
    s.events.append(s.result)


def _next_ply(s: State) -> int:
    last = s.last()
    return 1 if last is None else last.ply + 1


def _complete_earlier(s: State, made: Made) -> None:
    earlier = s.last_of(made.side, before=len(s.made) - 1)
    if earlier is not None and earlier.reported and not (earlier.completed or earlier.illegal):
        complete(s, earlier)  # an illegal one was completed by the press that made it count


def _let_stand(s: State) -> None:
    """The opponent has made his next move: where that ends the time to correct an illegal move, it stands (A.4.2)."""
    last = s.last()
    if last is None or not last.illegal or s.laws.illegal_until != "next-move":
        return
    at = len(s.made)
    while at > 0 and s.made[at - 1].illegal:
        at -= 1
    for made in s.made[at:]:
        if made.move and not made.reported:
            report(s, made)


def take_back(s: State, at: int) -> None:
    """Return to the position before move number ``at`` (from 0); the touches that bind its replacement are kept."""
    first = s.made[at]
    for made in reversed(s.made[at:]):
        if made.reported:
            back = at if made is first or not _any_reported(s, at, made) else s.made.index(made)
            s.emit(c.Retract, uci=made.move.uci(), fen=replenished(s, s.made[back].before, back).fen())
    back_to(s, first.before, first.touches, first.half, at)


def back_to(s: State, position: Position, touches: list[Touch], half: Half | None, at: int) -> None:
    """Put the game at ``position``, after ``at`` moves, with these touches of the player having the move."""
    mask = 0
    for made in s.made[at:]:
        mask |= made.changed
    s.presses[:0] = [pressed for made in s.made[at:] if (pressed := _press_of(made)) is not None]
    position = replenished(s, position, at)
    s.notices = outliving(s.notices, at)
    corrects = at < len(s.made) and s.made[at].illegal
    del s.made[at:]
    s.enter(position, mask)
    s.turn.corrects = corrects
    s.turn.touches, s.turn.half = list(touches), half
    s.derive()


def _press_of(made: Made) -> Pressed | None:
    """The press that completed a legal move, which completes what takes its place."""
    white, black = made.left
    if made.completed_by_press and not made.illegal and white is not None and black is not None:
        return Pressed(made.side, white, black)
    return made.pressed


def _any_reported(s: State, at: int, made: Made) -> bool:
    return any(m.reported for m in s.made[at : s.made.index(made)])
