"""Moves made, taken back and moved on: what comes of how things stand (4.4.4, 4.6, 4.7, 7.5).

:func:`happens` looks the stand up in the table of :mod:`controller.laws.turn`; the rest of this file is its outcomes.
"""

from collections.abc import Sequence

import chess
from chess import BB_SQUARES, Move

from controller import contract as c
from controller.laws.endings import Ending, ended
from controller.laws.record import Made, Notice, Pressed, changed_by, outliving
from controller.laws.state import TURNED, State, colour, turned
from controller.laws.touch import Half, Touch, breach
from controller.laws.turn import TABLE, Happens, Outcome, Raised
from controller.position import EMPTY, Position, squares
from controller.sensing.explain import Line, Search, alive, common
from controller.sensing.looks import FITS
from controller.sensing.stand import Kind, Stand, Traces, differing, read


def happens(s: State, what: Happens) -> Outcome | None:
    """Carry out what comes of the present stand. A press is only looked up: the clock's room deals with the rest."""
    if s.turn.stand.kind is Kind.FOREIGN and _stands_turned(s):
        _turn_round(s)
    outcome = TABLE.get((s.turn.stand.kind, what))
    if outcome is Outcome.MAKE:
        make(s, s.pick(s.turn.stand))
    elif outcome is Outcome.BIND:
        bind(s)
    elif outcome is Outcome.PLACED_ASTRAY:
        if not resolve(s):
            _astray(s)
    elif outcome is Outcome.MISMATCH:
        _mismatch(s)
    elif outcome is Outcome.PONDER:
        _ponder(s)
    return outcome


def read_board(s: State, ms: c.Ms) -> None:
    """Read the board anew after an edge of time ``ms``."""
    if s.lines:
        # Whatever is seen has to be held against every line.
        stand = Stand(Kind.FOREIGN, mask=sum(BB_SQUARES[q] for q in chess.SQUARES if s.looks[q] != EMPTY))
    elif s.stopped:
        stand = Stand(Kind.FOREIGN if s.off else Kind.QUIET, mask=s.off)
    else:
        stand = read(s.position, s.looks, s.off & ~s.others, s.turn.traces)
        if stand.kind is Kind.QUIET and s.others:
            stand = Stand(Kind.FOREIGN, mask=s.others)
    s.turn.stands(stand, ms)
    if s.lines:
        return
    if not s.stopped:
        _touch_promotion_square(s)
    if s.displaced and not loose_squares(s):
        s.displaced = []
        s.emit(c.Restored)


def loose_squares(s: State) -> list[str]:
    """The squares that do not match the game beyond a move in progress (7.4), from a1 to h8."""
    mask = s.off if s.stopped or s.turn.stand.kind is Kind.FOREIGN else s.others
    return [chess.SQUARE_NAMES[square] for square in squares(mask)]


def compare(s: State) -> None:
    """Report what does not match the game, where that has changed."""
    loose = loose_squares(s)
    if loose and loose != s.displaced:
        s.displaced = loose
        s.emit(c.Displaced, squares=loose)


def _stands_turned(s: State) -> bool:
    """Whether the first move of the game shows that the board stands the other way round.

    The start position looks the same from both sides where kinds and colours cannot be seen; only a move tells.
    """
    occupied = s.position.board.occupied
    if s.made or s.stopped or s.lines or s.others or s.senses != "occupancy" or turned(occupied) != occupied:
        return False
    looks = s.looks[::-1]
    return read(s.position, looks, differing(s.position, looks, chess.BB_ALL), Traces()).kind is Kind.WHOLE


def _turn_round(s: State) -> None:
    s.turned ^= TURNED
    s.looks.reverse()
    s.trace = [edge._replace(square=edge.square ^ TURNED) for edge in s.trace]
    s.off = differing(s.position, s.looks, chess.BB_ALL)
    s.turn.raised, s.turn.touches = {}, []
    s.turn.traces = Traces()
    s.derive()
    read_board(s, s.now)


# -- made ------------------------------------------------------------------------------------------------------------


def make(s: State, move: Move, inferred: bool = False) -> None:
    """The move is made (4.7): the opponent has the move.

    ``inferred``: it was read from what came later, so that nothing is known of the touches before it.
    """
    if inferred:
        s.turn.touches, s.turn.half, s.owed = [], None, None
    turn, before = s.turn, s.position
    broken = None
    if s.owed is not None and move not in s.owed.moves:
        broken = breach(before, move, turn.touches, turn.half, s.laws.clause, s.settings.simultaneous_ms)
        if s.intended is not None:
            broken = broken or ("touch-move", s.owed.clause)
    after = before.after(move)
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
        changed=changed_by(before, move),
        breach=broken is not None,
        inferred=inferred or turn.traces.retaken is not None,
    )
    s.made.append(made)
    report(s, made)
    if broken is not None:
        s.violate(turn.side, *broken)
        if s.laws.report_violation(broken[0]) == "arbiter":
            at = len(s.made) - 1
            s.notices.append(Notice("violation", turn.side, at, before, turn.touches, turn.half, article=broken[1]))
    if s.laws.next_move_completes:
        _complete_earlier(s, made)
    s.announced.pop(turn.side, None)
    s.enter(after, made.changed)
    if move.promotion:
        s.chosen.pop(made.side, None)
    if s.clock is None:
        complete(s, made)
    elif s.presses and s.presses[0].side == made.side:
        complete(s, made, s.presses.pop(0))
    if not (broken and s.laws.mate_needs_article_4) and (end := _ended(s)) is not None:
        finish(s, end.result, end.reason, end.article)
    read_board(s, s.now)


def _ended(s: State) -> Ending | None:
    """What the last move ended the game by. The history is gathered only once it could matter."""
    board = s.position.board
    keys = s.keys() if board.halfmove_clock >= 16 else ()
    return ended(board, keys, s.laws, can_move=s.position.has_legal_move())


def report(s: State, made: Made) -> None:
    """Say that the move was made."""
    made.reported = True
    legal = {"legal": False} if made.illegal else {}
    s.emit(
        c.Move,
        side=made.side,
        uci=made.move.uci(),
        san=made.before.san(made.move, made.after),
        fen=made.after.fen(),
        ply=made.ply,
        **legal,
    )


def complete(s: State, made: Made, pressed: Pressed | None = None) -> None:
    """The move is completed: pressed, now or before it was known, or as the edition says (6.2.1)."""
    made.completed, made.pressed = True, pressed
    white = pressed.white_ms if pressed else s.left(c.WHITE)
    black = pressed.black_ms if pressed else s.left(c.BLACK)
    s.emit(c.Completed, side=made.side, uci=made.move.uci(), white_ms=white, black_ms=black)


def finish(s: State, result: c.Score, reason: object, article: str) -> None:
    """The game is over (5, 9): the last move is completed and the clocks stand."""
    decide(s)
    if s.result is not None:
        return
    last = s.last()
    if last is not None and last.reported and not last.completed:
        complete(s, last)
    if s.clock is not None:
        s.clock.stop(s.now * 1_000_000)
        s.show_clock()
    s.emit(c.Result, result=result, reason=reason, article=article, status="final")
    ended = s.events[-1]
    assert isinstance(ended, c.Result)
    s.result = ended


def _next_ply(s: State) -> int:
    last = s.last()
    if last is None:
        return 1
    return last.ply + 1 if last.move else last.ply


def _complete_earlier(s: State, made: Made) -> None:
    for earlier in reversed(s.made[:-1]):
        if earlier.side == made.side:
            if earlier.reported and not earlier.completed:
                complete(s, earlier)
            return


def _let_stand(s: State) -> None:
    """The opponent has made his next move: where that ends the time to correct an illegal move, it stands (A.4.2)."""
    last = s.last()
    if last is not None and last.illegal and not last.reported and last.move and s.laws.illegal_until == "next-move":
        report(s, last)


CENTRE = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5


# -- half made -------------------------------------------------------------------------------------------------------


def bind(s: State) -> None:
    """Part of a legal move is released: the rest of it is owed (4.7.2, 4.7.3)."""
    turn = s.turn
    if turn.half is None or turn.half.part == "castling-failed":
        turn.half = Half(turn.stand.part, turn.stand.moves, len(turn.touches))
        s.derive()


def _touch_promotion_square(s: State) -> None:
    """The choice is final as soon as the new piece touches the square of promotion (4.4.4)."""
    turn = s.turn
    if s.senses != "identity" or turn.stand.kind not in (Kind.WHOLE, Kind.HALF):
        return
    first = turn.stand.moves[0]
    if not first.promotion or any(m.promotion != first.promotion for m in turn.stand.moves):
        return
    if turn.half is None or turn.half.part == "promotion":
        pawns = s.position.board.pawns & s.position.board.occupied_co[s.position.turn]
        moves = [m for square in squares(pawns) for m in s.position.moves_from(square)]
        same = [m for m in moves if m.to_square == first.to_square and m.promotion == first.promotion]
        turn.half = Half("choice", tuple(same), len(turn.touches))
        s.derive()


def _result_sign(s: State) -> bool:
    """Whether a king was set down in the middle, as players do to show the result: that is no move of anybody's."""
    landed = [square for square in squares(s.off & CENTRE) if s.looks[square] != EMPTY]
    kings = [square for square in squares(s.off & s.position.board.kings) if s.looks[square] == EMPTY]
    shown = [square for square in landed if FITS[s.looks[square]] & {"K", "k"}]
    return bool(kings and shown) and len(shown) == len(landed) and not _one_step(kings, shown)


def _one_step(kings: list[chess.Square], shown: list[chess.Square]) -> bool:
    return any(chess.square_distance(king, square) < 2 for king in kings for square in shown)


def _astray(s: State) -> None:
    """An illegal move is released and not completed: the touch rules bind its replacement (4.7)."""
    turn = s.turn
    if _result_sign(s):
        return
    s.emit(
        c.Illegal,
        side=turn.side,
        kind="illegal-move",
        article=s.laws.clause.illegal_move,
        completed=False,
        count=s.counts[turn.side],
        report=s.laws.report_illegal("illegal-move"),
    )
    attempt_failed(s)


def attempt_failed(s: State) -> None:
    """A king released two squares away where castling is illegal owes another king move (4.4.3, 4.7.2)."""
    turn = s.turn
    if turn.stand.part == "castling" and turn.stand.kind is Kind.ASTRAY and turn.half is None:
        turn.half = Half("castling-failed", (), len(turn.touches))
        s.derive()


# -- what the sensors did not show -----------------------------------------------------------------------------------

RETHINK = 12
"""How many moves back an inferred move may be found to have been another."""

LAG = 2
"""How many moves of the likeliest line are held back while there are others."""


def resolve(s: State, pressed: c.Side | None = None) -> bool:
    """Explain the board by moves that the sensors did not show whole; False if none explain it.

    ``pressed``: who has just pressed the clock, having made the last of them.
    """
    presser = None if pressed is None else colour(pressed)
    search = Search(s.trace, s.looks, s.wanted, presser)
    if s.lines:
        found = [line.then(more) for line in s.lines for more in search.explain(line)]
        found = found or search.explain(s.open) or _rethought(s, search)
    else:
        s.open, s.open_at = Line((), s.position, s.turn.start), len(s.made)
        found = [line.then(more) for line in s.shadow or [s.open] for more in search.explain(line)]
        found = [line for line in found if line.moves] or _rethought(s, search)
    if not found:
        return False
    s.others = 0
    _settle(s, alive(found))
    return True


def _ponder(s: State) -> None:
    """Keep in mind what an unseen capture would make of the men in hand; the game goes on as it seems."""
    men = s.turn.stand.mask
    if s.senses == "occupancy" and not s.lines and men & (men - 1):
        search = Search(s.trace, s.looks, s.wanted, None)
        lines = s.shadow or [Line((), s.position, s.turn.start)]
        s.shadow = alive([line.then(more) for line in lines for more in search.explain(line)])


def _rethought(s: State, search: Search) -> list[Line]:
    """Explain the board from before the last inferred move, if that was another."""
    known = s.open_at if s.lines else len(s.made)
    for at in range(known - 1, max(known - 1 - RETHINK, -1), -1):
        made = s.made[at]
        if made.illegal:
            return []
        if made.inferred:
            before = Line((), made.before, made.start)
            found = search.explain(before)
            if found:
                s.open, s.open_at = before, at
                return found
    return []


def _settle(s: State, lines: list[Line]) -> None:
    """The game follows the moves on which all lines agree, and the likeliest line at some distance."""
    agreed = common(lines)
    likeliest = lines[0].moves
    if len(lines) == 1:
        _follow(s, likeliest)
        s.lines, s.ambiguous = [], []
        if s.result is None:
            _take_up(s, lines[0].used)
        return
    _follow(s, likeliest[: max(agreed, len(likeliest) - LAG)])
    if s.result is not None:
        return
    if agreed:
        s.open = Line((), s.made[s.open_at + agreed - 1].after, s.open.used)
        s.open_at += agreed
    s.lines = [line._replace(moves=line.moves[agreed:]) for line in lines]
    moves = sorted({line.moves[0].uci() for line in s.lines if line.moves})
    if moves != s.ambiguous:
        s.ambiguous = moves
        s.emit(c.Ambiguous, moves=moves)
    read_board(s, s.now)
    s.turn.judged = True


def _follow(s: State, moves: Sequence[Move]) -> None:
    """Make these the moves since the game became ambiguous; those made before in their place are taken back."""
    made = [m.move for m in s.made[s.open_at :]]
    same = 0
    while same < min(len(made), len(moves)) and made[same] == moves[same]:
        same += 1
    if same < len(made):
        take_back(s, s.open_at + same)
    for move in moves[same:]:
        make(s, move, inferred=True)
        s.turn.start = s.open.used
        if s.result is not None:
            return


def decide(s: State) -> None:
    """Take the likeliest line: nothing more will come that could tell."""
    if s.lines:
        _settle(s, s.lines[:1])


def _take_up(s: State, used: int) -> None:
    """The game is known again: men still off their squares are in the hand of the player having the move."""
    s.turn.start = used
    for edge in s.trace[used:]:
        if edge.seen == EMPTY and s.off & BB_SQUARES[edge.square]:
            s.turn.raised[edge.square] = Raised(edge.ms, announced=False)
    read_board(s, s.now)


# -- taken back, moved on, out of turn -------------------------------------------------------------------------------


def _mismatch(s: State) -> None:
    """Men stand where the game has none, or the other player's stand elsewhere, and have for ``release_ms``."""
    if not s.stopped:
        last = s.last()
        if (last is not None and not s.lines and _taken_back(s, last)) or resolve(s):
            return
        if s.lines:
            return
        _moved_by_the_other(s, last)
    compare(s)


def _taken_back(s: State, last: Made) -> bool:
    """Whether the player who moved last put another move in its place, or nothing; then the game follows."""
    off = differing(last.before, s.looks, last.changed | s.off)
    stand = read(last.before, s.looks, off, Traces())
    if stand.kind not in (Kind.QUIET, Kind.WHOLE):
        return False
    if not last.may_be_taken_back:
        if stand.kind is Kind.QUIET and not last.shifted:
            last.shifted = True
            s.violate(last.side, "released-move", s.laws.clause.released)
        return False
    if stand.kind is Kind.WHOLE and not last.inferred and not _meets(s, last, stand):
        return False
    take_back(s, len(s.made) - 1)
    read_board(s, s.now)
    if stand.kind is Kind.WHOLE:
        make(s, s.pick(stand))
    return True


def _meets(s: State, last: Made, stand: Stand) -> bool:
    clause, ms = s.laws.clause, s.settings.simultaneous_ms
    return any(breach(last.before, m, last.touches, last.half, clause, ms) is None for m in stand.moves)


def take_back(s: State, at: int) -> None:
    """Return to the position before move number ``at`` (from 0); the touches that bind its replacement are kept."""
    first = s.made[at]
    for made in reversed(s.made[at:]):
        if made.reported:
            position = first.before if made is first or not _any_reported(s, at, made) else made.before
            s.emit(c.Retract, uci=made.move.uci(), fen=position.fen())
    back_to(s, first.before, first.touches, first.half, at)


def back_to(s: State, position: Position, touches: list[Touch], half: Half | None, at: int) -> None:
    """Put the game at ``position``, after ``at`` moves, with these touches of the player having the move."""
    mask = 0
    for made in s.made[at:]:
        mask |= made.changed
    s.presses[:0] = [made.pressed for made in s.made[at:] if made.pressed is not None]
    del s.made[at:]
    s.notices = outliving(s.notices, at)
    s.enter(position, mask)
    s.turn.touches, s.turn.half = list(touches), half
    s.derive()


def _any_reported(s: State, at: int, made: Made) -> bool:
    return any(m.reported for m in s.made[at : s.made.index(made)])


def _moved_by_the_other(s: State, last: Made | None) -> None:
    """A man of the player not having the move stands elsewhere: a released piece moved on, or out of turn."""
    theirs = s.position.board.occupied_co[not s.position.turn]
    vacated, filled = 0, 0
    for square in squares(s.off & ~s.others):
        if s.looks[square] == EMPTY:
            vacated |= BB_SQUARES[square] & theirs
        else:
            filled |= BB_SQUARES[square]
    side = c.other(s.turn.side)
    if not filled or _result_sign(s):
        return
    if last is not None and not last.shifted and last.side == side and not last.illegal:
        kind = _moved_on(s, last, vacated, filled)
        if kind is not None:
            last.shifted = True
            _withdraw(s, vacated)
            s.violate(side, *kind)
            return
    if vacated and not (last is not None and last.shifted):
        _withdraw(s, vacated)
        s.others |= s.off & (vacated | filled)
        s.violate(side, "out-of-turn", s.laws.clause.out_of_turn)


def _moved_on(s: State, last: Made, vacated: int, filled: int) -> tuple[str, str] | None:
    """Which rule on released pieces is broken by what the player did after his move."""
    clause, target = s.laws.clause, BB_SQUARES[last.move.to_square]
    if last.move.promotion and filled & target:
        return "promotion-changed", clause.promotion_final
    home = chess.E1 if colour(last.side) else chess.E8
    corner = last.move.from_square
    if corner in (home + 3, home - 4) and last.before.symbol(corner).upper() == "R" and vacated & BB_SQUARES[home]:
        towards = home + 2 if corner > home else home - 2
        if filled & BB_SQUARES[towards]:
            return "castling-order", clause.rook_first
    return ("released-move", clause.released) if vacated & target else None


def _withdraw(s: State, mask: int) -> None:
    """Touches of these men prove to be the other player's: they bind nobody."""
    changed = [s.turn.untouch(square) for square in squares(mask)]
    for square in squares(mask):
        s.turn.raised.pop(square, None)
    if any(changed):
        s.derive()
