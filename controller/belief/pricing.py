"""What it costs to believe the state of one world, and the facts that led there: somebody breaks a rule, or pieces
stand where the game has none, or are off the board for long. The rates: :mod:`controller.sensing.costs`."""

from collections.abc import Sequence
from math import exp, inf

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.held import RECENT, held_since, last_edges, left_by_hand, left_the_game, put_back_astray
from controller.belief.taken import stand_taken
from controller.laws.board import being_corrected, reply_beside
from controller.laws.mismatch import in_hand_already, reached_from
from controller.laws.record import Made
from controller.laws.state import State, colour
from controller.position import EMPTY, Position, squares, squares_named, uci
from controller.sensing import costs
from controller.sensing.difference import LEGAL, Kind
from controller.sensing.leftover import pushed_to
from controller.sensing.question import LATE_MS
from controller.sensing.trace import away_and_back, brushes, came_and_left, seen_late, straddles

LONGER = 5
"""Each time that a piece has been off the board for so many more releases, it costs more."""

ODDLY_LATER = 2
"""For so many releases, where there is a clock, a piece of the opponent's that the piece in hand cannot take does not
count as oddly off the board: it may be about to be taken against the rules."""

ASIDE_MS = 1_000
"""For so long after a release, at most, a captured piece that was not seen to leave its square may stand beside it. A
guess."""

HELD_OVER = 6
"""At most so many moves are counted that were made while a piece was off the board."""

LEARNT = 3
"""What is thought of a board at first weighs as much as so many captures seen."""

_OF_VIOLATION = {
    "out-of-turn": costs.OUT_OF_TURN,
    "adjust-out-of-turn": costs.ANNOUNCED,
    "clock-misuse": costs.NO_MOVE,
}
"""What violations cost that are dearer than a breach."""


def price(before: State, facts: Sequence[c.AnyEvent]) -> float:
    """What it costs to believe these facts, which a step from the state ``before`` has brought. An illegal move that
    was told when it was released is not paid for again when it is completed."""
    cost = 0.0
    for fact in facts:
        if type(fact) is c.Violation and fact.basis != "reported":
            supposed = fact.kind == "out-of-turn" and fact.basis == "inferred"
            cost += costs.TWO_IN_A_ROW if supposed else _OF_VIOLATION.get(fact.kind, costs.BREACH)
            if fact.kind == "released-move" and (last := _released_with(before, fact)) is not None:
                cost += costs.ILLEGAL * _moved_on_nowhere(before, last, fact)
                # The square where it was released works, and has shown neither that it came nor that it left.
                unseen = before.trace.last_edge(last.landing, last.start) < 0
                cost += rates_of(before).again * (unseen and not before.faulty & BB_SQUARES[last.landing])
            elif fact.kind == "promotion-changed" and before.made and before.made[-1].side == fact.side:
                # Else the first piece was not released yet, and the exchange no offence of this kind.
                cost += costs.ON_HIS_WAY * (not before.made[-1].stood)
            cost += costs.ILLEGAL * (supposed and _goes_nowhere(before, fact))
            if (
                fact.basis == "inferred"
                and fact.side != before.turn.side
                and before.gone() & ~squares_named(fact.squares)
            ):
                cost += costs.HOLDING  # he moves again while the other, whose turn it is, holds his piece
            cost += costs.HOLDING * (_held_beside(before, fact) + _held_before_the_move(before, fact))
            cost += costs.AT_ONCE * (fact.kind == "touch-move" and _back_unseen(before, fact))
        elif type(fact) is c.Illegal and fact.basis != "reported":
            if fact.kind == "no-move":
                stood = before.turn.traces.stood is not None  # a move, whose piece is off the board again
                cost += costs.NO_MOVE + costs.HOLDING * (stood and before.gone() != 0)
                cost += rates_of(before).wrong * _came_beside(before)
            elif fact.completed and before.turn.astray_ids:
                cost += costs.PLAYED_ON if before.clock is None else 0.0
            else:
                unfinished, dropped = fact.kind.startswith("unfinished"), before.turn.difference.part == "drop"
                cost += costs.UNFINISHED if unfinished else costs.NOT_YET if dropped else costs.ILLEGAL
                cost += rates_of(before).wrong * _set_down_by_nobody(before) + costs.SLEEVE * _shown_by_a_brush(before)
                cost += costs.ROOK_LEFT * (fact.kind == "unfinished-castling")
                cost += costs.PLAYED_ON * (fact.completed and before.clock is None)
    return cost


def _shown_by_a_brush(before: State) -> bool:
    """Whether all that was put down in this turn is pieces that stand again after no more than a brush: hardly any of
    them was captured."""
    edges = before.trace[before.turn.start :]
    back = [edges[down].ms - edges[up].ms < before.brush_ms for up, down in away_and_back(edges)]
    return before.empty(before.mismatch) == before.mismatch and len(back) > 0 and all(back)


def _released_with(before: State, fact: c.Violation) -> Made | None:
    """The last move, if it is the one whose released piece was moved on; None if that was a drop."""
    last = before.made[-1] if before.made else None
    return None if last is None or last.move.drop or fact.uci != uci(last.move) else last


def _moved_on_nowhere(before: State, last: Made, fact: c.Violation) -> bool:
    """Whether the released piece seems to stand where it could go neither by another move nor from where it was
    released."""
    handled = squares_named(fact.squares)
    filled = handled & ~before.empty(handled) & ~BB_SQUARES[last.move.to_square]
    return filled != 0 and not filled & reached_from(last.after, last.move.to_square, last)


def _goes_nowhere(before: State, fact: c.Violation) -> bool:
    """Whether none of the pieces off their squares could have gone to a square of these that is filled, even if it had
    been their turn."""
    handled, board = squares_named(fact.squares), before.position.board
    away = before.empty(handled)
    filled, reached = handled & ~away, 0
    for square in squares(away):
        reached |= board.attacks_mask(square)
        if board.pawns & BB_SQUARES[square]:
            reached |= chess.BB_FILES[square & 7]
    return not filled & reached


def _held_beside(before: State, fact: c.Violation) -> int:
    """How many pieces of the opponent's a player holds who is accused of touch-move; the piece that his move captures
    is not counted."""
    theirs = before.position.board.occupied_co[not colour(fact.side)] if fact.kind == "touch-move" else 0
    if theirs and fact.uci and (taken := before.position.captured(chess.Move.from_uci(fact.uci))) is not None:
        theirs &= ~BB_SQUARES[taken]
    return before.empty(squares_named(fact.squares) & theirs & before.mismatch).bit_count()


def _held_before_the_move(before: State, fact: c.Violation) -> bool:
    """Whether a player is accused of moving another piece after his move, and that piece was in his hand before he
    released the move: more likely he has moved both against the rules."""
    last = before.made[-1] if before.made else None
    if last is None or not last.move or fact.side != last.side or fact.kind not in ("out-of-turn", "castling-order"):
        return False
    return in_hand_already(before, last, squares_named(fact.squares) & ~BB_SQUARES[last.landing])


def _back_unseen(before: State, fact: c.Violation) -> bool:
    """Whether one of the pieces that the player is accused of touching was seen back on its square only in a look that
    shows other changes, too: it may have been no more than brushed, if a look was lost."""
    touched, edges = squares_named(fact.squares), before.trace[before.turn.start :] if before.pace.by_scans else []
    return any(BB_SQUARES[edge.square] & touched and seen_late(edges, number) for number, edge in enumerate(edges))


def price_of_move(before: State, s: State) -> float:
    """What it costs to believe the move that was made last, in the step from ``before`` to ``s``, beside its facts."""
    cost = left_the_game(s.made) if any(each.illegal for each in s.made[-3:-1]) else 0.0
    if _by_a_sleeve(s):
        cost += costs.SLEEVE
    cost += price_of_order(s)
    cost += costs.LEFT * (left_by_hand(s) if s.not_by_mover else 0)
    made = s.made[-1]
    if made.move and not (made.hidden or made.move.drop):
        cost += _held_meanwhile(s, made.before.carried(made.move)[0][0], len(s.made) - 1)
    if before.unexplained_pieces:
        # This move explains pieces that nobody saw come, but their coming unseen is no likelier for that.
        explained = before.unexplained_pieces & s.made[-1].changed
        cost += explained.bit_count() * (costs.BEFORE + costs.FOR_LONG)
    return cost


def _held_meanwhile(s: State, origin: chess.Square, moves: int) -> float:
    """What it costs that the piece of ``origin``, which moves after the first ``moves`` moves of the game, was off the
    board while others were moved: nobody holds one for so long."""
    if not moves or s.trace.last_edge(origin, s.made[moves - 1].start) >= 0:
        return 0.0  # it left its square in this turn
    opened, start = _opened(s, origin), s.made[moves - 1].start
    if opened < 0 or s.faulty & BB_SQUARES[origin] or s.trace[opened].ms == s.trace[start - 1].ms:
        return 0.0  # nothing shows when it left: no edge, no sensor, or all was seen at once after a gap
    return costs.BEFORE + costs.FOR_LONG * _held_over(s, origin, opened, s.made[:moves])


def price_of_order(s: State) -> float:
    """What it costs that the piece of the last move stood on its destination too early: see :func:`_stood_before`."""
    made = s.made[-1]
    return 0.0 if made.hidden or not made.move else _stood_before(s, made.before, made.move)


def _stood_before(s: State, before: Position, move: chess.Move) -> float:
    """What it costs that the destination of a move was seen to close long before its piece left the origin: more likely
    another piece stands there."""
    origin, landing = before.carried(move)[0]
    if move.drop or move.promotion or before.board.occupied & BB_SQUARES[landing]:
        return 0.0
    came = s.trace.last_edge(landing, len(s.trace) - RECENT)
    if came < 0 or came == len(s.trace) - 1 or s.trace[came].seen == EMPTY:
        return 0.0  # nothing is seen to have come there, or it came last
    left = _opened(s, origin)
    late = came < left and s.trace[left].ms - s.trace[came].ms > _lags_ms(s)
    return rates_of(s).wrong if late else 0.0


def _lags_ms(s: State) -> int:
    """How far apart, in ms, two edges of one piece may be and still be seen in the wrong order."""
    return s.settings.brush_ms if s.pace.close_together else LATE_MS


def price_of_return(now: State, s: State) -> float:
    """What it costs that, in the step from ``now`` to ``s``, a piece is back that was off when the last move, a hidden
    one, began: its player held both pieces then, and has more likely captured this one. The same where he pressed
    meanwhile, for the piece that he moved, too: more likely he set it down only now."""
    returned = now.mismatch & ~s.mismatch
    if not returned or (last := s.last()) is None or not last.hidden:
        return 0.0
    cost, left, brush_ms = 0.0, _opened(s, last.move.from_square), s.settings.brush_ms
    for square in squares(returned & (s.own | BB_SQUARES[last.landing])):
        opened = _opened(s, square)
        if opened < 0 or s.now - s.trace[opened].ms < brush_ms:
            continue
        pressed = last.completed_by_press and s.trace[opened].ms <= last.done - brush_ms
        if pressed or (opened < left and square != last.landing):
            cost += costs.BOTH_HELD
    return cost


def _opened(s: State, square: chess.Square) -> int:
    """The number of the latest edge with which that square opened; -1 if none of the last :data:`RECENT` did."""
    numbers = range(len(s.trace) - 1, max(-1, len(s.trace) - RECENT), -1)
    return next((n for n in numbers if s.trace[n].square == square and s.trace[n].seen == EMPTY), -1)


def guessed(made: Sequence[Made]) -> int:
    """How many pawns are taken to have become another piece than a queen, though nobody said so."""
    return sum(each.unnamed and each.move.promotion not in (None, chess.QUEEN) for each in made)


def price_of_gone(now: State, s: State) -> float:
    """What it costs that, in the step from ``now`` to ``s``, pieces that came from nowhere have gone again without a
    move: nobody knows whence they came, unless a piece stood on two squares."""
    if not now.unexplained_pieces or len(s.made) > len(now.made):
        return 0.0
    gone = now.unexplained_pieces & ~(s.unexplained_pieces | s.mismatch | pushed_from(s))
    taken = stand_taken(now, gone)
    return sum(_unplaced(now, number, taken & BB_SQUARES[square]) for square, number in last_edges(now, gone).items())


def _unplaced(s: State, number: int, taken: int = 0) -> float:
    """What it costs that a piece was set down, with that edge, where the game has none; ``taken``: it may be one that
    was captured."""
    if taken:
        return min(costs.LAID_DOWN, rates_of(s).wrong)
    if number < 0:
        return rates_of(s).wrong
    if s.unexplained_pieces & BB_SQUARES[s.trace[number].square] and s.trace[number].ms == s.trace[0].ms:
        return min(costs.MISPLACED, rates_of(s).wrong)  # it stood there when the board was first looked at
    return costs.STRADDLING if straddles(s.trace, number) else rates_of(s).wrong


def pushed_from(s: State) -> int:
    """Where the piece captured last may stand for a moment, pushed aside; a bitboard."""
    last = s.last()
    return 0 if last is None or last.completed_by_press else pushed_to(last.before, last.move)


def _pushed_by(s: State, ms: c.Ms) -> int:
    """Where that piece may still stand at ``ms``, pushed there as the other came. If it was seen to leave its square
    there is no limit; else it may stand no longer than hands need to take it off."""
    pushed, last = pushed_from(s), s.last()
    if not pushed or last is None:
        return pushed
    edges = last_edges(s, pushed & s.mismatch)
    if last.hidden:
        stand = {sq for sq, number in edges.items() if number >= 0 and ms < _stands_from(s, number) + ASIDE_MS}
    else:
        came = s.trace.last_edge(last.landing, last.start)
        stand = {sq for sq, number in edges.items() if came < 0 or s.trace[number].ms < s.trace[came].ms + ASIDE_MS}
    return sum(BB_SQUARES[square] for square in stand)


def _beside_the_victim(s: State, unexplained: int) -> int:
    """Where an opponent's piece that a piece in hand is about to capture may stand for a while: the empty squares
    beside its own, a bitboard."""
    board, away = s.position.board, s.empty(unexplained)
    in_hand, beside = away & board.occupied_co[board.turn], 0
    for victim in squares(away & board.occupied_co[not board.turn] if in_hand else 0):
        if board.attackers_mask(board.turn, victim) & in_hand:
            beside |= chess.BB_KING_ATTACKS[victim] & ~board.occupied
    return beside


def _stands_from(s: State, number: int) -> c.Ms:
    """When a piece set down with that edge will have stood for longer than a moment: one release after its edge, or
    after the latest edge while the player has not paused since."""
    ms, last = s.trace[number].ms, s.trace[len(s.trace) - 1].ms
    busy = number >= s.turn.start and last < ms + s.release_ms
    return (last if busy else ms) + s.release_ms


def _by_a_sleeve(s: State) -> bool:
    """Whether the piece captured last was off its square for no longer than a brush, while another piece was off its
    own and came back: more likely a sleeve has moved both than a hand one of them."""
    made = s.made[-1]
    if made.hidden or not made.victim_brushed:
        return False
    victim, edges = made.before.captured(made.move), s.trace[-RECENT:]
    brushed = [(edges[up], edges[down]) for up, down in brushes(edges, s.brush_ms)]
    taken = [(up.ms, down.ms) for up, down in brushed if up.square == victim]
    return bool(taken) and any(
        up.square != victim and up.ms <= taken[-1][1] and taken[-1][0] <= down.ms for up, down in brushed
    )


def loose(s: State, ms: c.Ms, apart: int = 0) -> float:
    """What it costs at ``ms`` that the board shows what the game does not explain, beside the squares ``apart``."""
    # What the other player is known to have done is explained; so is the illegal move that was told.
    said = s.turn.astray if s.turn.astray_ids else 0
    corrected = being_corrected(s)
    unexplained = s.mismatch & ~(s.not_by_mover & ~s.unexplained_pieces) & ~said & ~apart & ~corrected
    nowhere = _from_nowhere(s, ms) if s.not_by_mover else 0.0
    nowhere += costs.ILLEGAL * put_back_astray(s, corrected) if corrected else 0.0
    if s.turn.difference.kind in (*LEGAL, Kind.PARTIAL):
        nowhere += _held_meanwhile(s, s.position.carried(s.turn.difference.moves[0])[0][0], len(s.made))
        nowhere += _stood_before(s, s.position, s.turn.difference.moves[0])
        unexplained &= s.unexplained_pieces | ~s.position.changed(*s.turn.difference.moves)  # the move explains its own
        if unexplained and s.turn.partial_move is not None and (reply := reply_beside(s)):
            unexplained, nowhere = unexplained & ~reply, nowhere + costs.HALF_ANSWERED
    if not unexplained:
        return nowhere
    if said:
        moves = sum(number >= s.turn.astray_at for number in last_edges(s, s.mismatch & said).values())
        nowhere += costs.IGNORED * max(moves, _set_down_since(s, s.turn.astray_at))
        unexplained &= ~_gone_on_with(s, unexplained, moves)
    rates, last = rates_of(s), s.made[-1].start if s.made else s.turn.start
    own, in_hand, cost = s.own, 0, nowhere
    aside, taken = _pushed_by(s, ms) | _beside_the_victim(s, unexplained), stand_taken(s, unexplained)
    for since, square in sorted([(n, square) for square, n in last_edges(s, unexplained).items()], reverse=True):
        if s.readings[square] != EMPTY:
            passing = since >= 0 and ms < _stands_from(s, since)
            if passing and not s.unexplained_pieces & BB_SQUARES[square]:
                came_back = bool(s.made) and square == s.made[-1].move.from_square  # more likely the move is taken back
                cost += costs.PASSED + costs.ELSEWHERE * came_back  # dearer once it has stood for a release
            elif BB_SQUARES[square] & aside and since >= last:
                cost += costs.PUSHED
            else:
                lies = taken & BB_SQUARES[square]
                cost += _unplaced(s, since, lies) + (costs.FOR_LONG if since < s.turn.start else 0.0)
            continue
        if since < s.turn.start:
            cost += costs.BEFORE + (costs.FOR_LONG * _held_over(s, square, since, s.made) if since < last else 0.0)
        if BB_SQUARES[square] & own:
            in_hand += 1
            cost += costs.IN_HAND[min(in_hand, 3) - 1]
            if in_hand == 1:
                continue  # a player may hold the piece that he took up last for as long as he likes
        else:
            # An illegal move takes no piece that left before it, where the board would have shown a capture, and
            # cannot tell whose piece was set down.
            with_it = said and since < s.turn.astray_at and rates.held < inf and s.senses == "occupancy"
            oddly = not (_about_to_be_taken(s, since, ms) or _may_be_taken(s, square, unexplained & own))
            cost += costs.HOLDING if with_it else costs.ODDLY if oddly else costs.TAKEN_UP
        if since >= 0:
            cost += _times_longer(s, ms - held_since(s, since)) * LONGER / rates.held
    return cost


def _set_down_since(s: State, at: int) -> int:
    """How many pieces were set down since that edge, without those that returned to their squares or stood for less
    than a release."""
    edges = s.trace[max(at, len(s.trace) - RECENT) :]
    returned = sum(1 for _ in away_and_back(edges))
    brief = sum(edges[left].ms - edges[came].ms < s.release_ms for came, left in came_and_left(edges))
    return sum(edge.seen != EMPTY for edge in edges) - returned - brief


def _gone_on_with(s: State, unexplained: int, moves: int) -> int:
    """The squares, a bitboard, that the first ``moves`` pieces have left which were moved while an illegal move stands:
    these moves are paid for."""
    gone = last_edges(s, s.empty(unexplained)).items()
    since = sorted((number, square) for square, number in gone if number >= s.turn.astray_at)
    return sum(BB_SQUARES[square] for _, square in since[:moves])


def dearer_at(s: State) -> c.Ms | None:
    """When :func:`loose` will next cost more though nothing happens: a piece will have stood where the game has none
    for longer than a moment, or a piece will have been off the board for longer. None if never."""
    dues, pushed = list[c.Ms](), pushed_from(s)
    for square, since in last_edges(s, s.mismatch).items():
        if since >= 0 and s.readings[square] != EMPTY:
            dues.append(_stands_from(s, since))
            if pushed & BB_SQUARES[square]:
                dues.append(_stands_from(s, since) + ASIDE_MS)
        elif since >= 0:
            began = held_since(s, since)
            dues.append(began + ODDLY_LATER * s.release_ms + 1)
            longer = began + (_times_longer(s, s.now - began) + 1) * LONGER * s.release_ms
            dues.append(longer + -longer % s.release_ms)  # rounded, so that after noise many fall due together
    return min([due for due in dues if due > s.now], default=None)


def _about_to_be_taken(s: State, since: int, ms: c.Ms) -> bool:
    """Whether an opponent's piece that is off since that edge is not off oddly: with a clock it may be about to be
    captured against the rules, as the press will tell; or an illegal move stands; or it left while nobody looked."""
    if s.unseen or s.turn.astray_ids:
        return True
    return s.clock is not None and since >= 0 and ms - s.trace[since].ms <= ODDLY_LATER * s.release_ms


def _may_be_taken(s: State, square: chess.Square, in_hand: int) -> bool:
    """Whether a piece of the player having the move attacks that square: one in his hand, if any is, else any."""
    takers = s.position.board.attackers_mask(s.position.turn, square)
    return bool(takers & in_hand if in_hand else takers)


def _times_longer(s: State, ms: int) -> int:
    """How many whole times :data:`LONGER` releases go into so many ms. Whole times, as a cost that grew with each ms
    would depend on when it is asked for."""
    return ms // (LONGER * s.release_ms)


def _held_over(s: State, square: chess.Square, since: int, moves: Sequence[Made]) -> int:
    """For how many moves of each player the piece has been off that square, since that edge; 1 at least. Two kinds of
    moves end the count: one that changed the square, as a piece that captured unseen seems off the board until somebody
    moves there; and one that an arbiter has put into the record, as that leaves the board as it is."""
    moved = 0
    for made in reversed(moves[-HELD_OVER:] if rates_of(s).held < inf else ()):
        if made.start <= since or made.ruled or made.changed & BB_SQUARES[square]:
            break
        moved += 1
    return max(1, (moved + 1) // 2)


def _from_nowhere(s: State, ms: c.Ms) -> float:
    """What it costs at ``ms`` that the other player is known to have set down more pieces than he has taken up: the
    surplus came out of turn from squares that are not seen, or from nowhere, or was captured and pushed aside, or
    stands on two squares. Where one piece stands instead of another there is one of each."""
    his = s.mismatch & s.not_by_mover & ~s.unexplained_pieces
    away = s.empty(his)
    came = his & ~away & ~s.position.board.occupied
    more = max(0, came.bit_count() - away.bit_count())
    unseen = min(more, s.faulty.bit_count())
    pushed = _pushed_by(s, ms)
    unplaced = sorted(
        costs.PUSHED if BB_SQUARES[square] & pushed else _unplaced(s, number)
        for square, number in last_edges(s, came).items()
    )
    return unseen * costs.OUT_OF_TURN + sum(unplaced[: more - unseen])


def _set_down_by_nobody(s: State) -> int:
    """How many more pieces stand where the game has none than are off their squares: now, at some moment of the turn,
    or when it began, whichever is most. Where a piece may have come from beside the board, or the board tells pieces
    apart, only the edges before the turn count."""
    board = s.position.board
    ready, last = (chess.BB_RANK_7, chess.BB_RANK_8) if board.turn else (chess.BB_RANK_2, chess.BB_RANK_1)
    promotes = board.pawns & board.occupied_co[board.turn] & ready and s.mismatch & last & ~s.empty(s.mismatch)
    from_beside = promotes or s.position.drop_board is not None or s.senses != "occupancy"
    mismatch = list(squares(s.mismatch))
    before = _surplus(s, [square for square, number in last_edges(s, s.mismatch).items() if number < s.turn.start])
    return max(0, before, 0 if from_beside else max(_surplus(s, mismatch), _most_at_once(s, before)))


def _came_beside(s: State) -> int:
    """How many more pieces stand where the game has none than are off their squares, without those known to have come
    from nowhere; 0 in a match, where they may come from stock."""
    mismatch = 0 if s.position.drop_board is not None else s.mismatch & ~s.unexplained_pieces
    return max(0, _surplus(s, [*squares(mismatch)]))


def _most_at_once(s: State, before: int) -> int:
    """The largest surplus of pieces at any moment of the turn, but for moments too short to tell; ``before`` is that
    when the turn began. A piece that left its square only later cannot be the one set down by then."""
    more = most = before
    edges = s.trace[s.turn.start :]
    for number, edge in enumerate(edges):
        more += -1 if edge.seen == EMPTY else 1
        until = edges[number + 1].ms if number + 1 < len(edges) else s.now
        if until - edge.ms > min(s.release_ms, _lags_ms(s)):
            most = max(most, more)
    return most


def _surplus(s: State, mismatch: Sequence[chess.Square]) -> int:
    """How many more of these squares are filled than empty."""
    return sum(-1 if s.readings[square] == EMPTY else 1 for square in mismatch)


def rates_of(s: State) -> costs.Rates:
    """The rates of what this board hides."""
    if s.rates is not None or not s.pace.slow:
        return s.rates or costs.REPORTED
    return costs.WHOLE if s.pace.whole else costs.SCANNED


def rates_after(made: Sequence[Made], s: State) -> costs.Rates:
    """The same rates, adapted to these moves of its game: the more captures were exchanged unseen, the likelier they
    are."""
    rates = rates_of(s)
    if not s.pace.slow:
        return rates
    taking = [each for each in made[-RECENT:] if each.move and each.before.captured(each.move) is not None]
    unseen = sum(each.hidden for each in taking)
    share = (unseen + LEARNT * exp(-rates.swapped)) / (len(taking) + LEARNT)
    return replace(rates, swapped=costs.nats(share))
