"""What it costs to believe how things stand in one world, and what led there: somebody breaks a rule, or pieces stand
where the game has none, or are off the board for long. The rates are those of :mod:`controller.sensing.costs`.
"""

from collections.abc import Sequence
from math import exp, inf

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.held import RECENT, gone_with, last_edges
from controller.laws.board import being_corrected, reply_beside
from controller.laws.mismatch import in_hand_already
from controller.laws.record import Made
from controller.laws.state import State, colour
from controller.position import EMPTY, Position, squares, uci
from controller.sensing import costs
from controller.sensing.difference import LEGAL, Kind
from controller.sensing.leftover import pushed_to
from controller.sensing.question import LATE_MS
from controller.sensing.trace import away_and_back, brushes, came_and_left, seen_late, straddles

LONGER = 5
"""So many releases later a piece off the board is dearer again."""

ODDLY_LATER = 2
"""So many releases later a piece is off the board oddly that the one in hand cannot take, where there is a clock: until
then it is about to be taken against the rules, perhaps."""

ASIDE_MS = 1_000
"""For so long after a release stands beside his square at most who is taken, and was not seen to leave it. A guess."""

HELD_OVER = 6
"""So many moves are counted that are made while a piece is off the board."""

LEARNT = 3
"""So many captures count as much as what is thought of a board at first."""

_OF_VIOLATION = {
    "out-of-turn": costs.OUT_OF_TURN,
    "adjust-out-of-turn": costs.ANNOUNCED,
    "clock-misuse": costs.NO_MOVE,
}
"""What dearer violations cost."""


def price(before: State, facts: Sequence[c.AnyEvent]) -> float:
    """What it costs to believe these facts, which follow from a state; what was released astray is paid for only
    once."""
    cost = 0.0
    for fact in facts:
        if type(fact) is c.Violation and fact.basis != "reported":
            supposed = fact.kind == "out-of-turn" and fact.basis == "inferred"
            cost += costs.TWO_IN_A_ROW if supposed else _OF_VIOLATION.get(fact.kind, costs.BREACH)
            if fact.kind == "released-move" and (last := _released_with(before, fact)) is not None:
                cost += costs.ILLEGAL * _moved_on_nowhere(before, last, fact)
                cost += rates_of(before).again * _came_and_went_unseen(before, last)
            cost += costs.ILLEGAL * (supposed and _goes_nowhere(before, fact))
            if fact.basis == "inferred" and fact.side != before.turn.side and before.gone() & ~_named(fact.squares):
                cost += costs.HOLDING  # he moves again while the other, whose turn it is, holds his piece
            cost += costs.HOLDING * (_held_beside(before, fact) + _held_before_the_move(before, fact))
            cost += costs.AT_ONCE * (fact.kind == "touch-move" and _back_unseen(before, fact))
        elif type(fact) is c.Illegal and fact.basis != "reported":
            if fact.kind == "no-move":
                cost += costs.NO_MOVE + costs.HOLDING * _stood_whole(before)
                cost += rates_of(before).wrong * _came_beside(before)
            elif fact.completed and before.turn.astray_ids:
                cost += costs.PLAYED_ON if before.clock is None else 0.0
            else:
                unfinished, dropped = fact.kind.startswith("unfinished"), before.turn.difference.part == "drop"
                cost += costs.UNFINISHED if unfinished else costs.NOT_YET if dropped else costs.ILLEGAL
                cost += rates_of(before).wrong * _set_down_by_nobody(before)
                cost += costs.ROOK_LEFT * (fact.kind == "unfinished-castling")
    return cost


def _stood_whole(before: State) -> bool:
    """Whether a move stood there whole whose piece is off its square again."""
    return before.turn.traces.stood is not None and before.gone() != 0


def _released_with(before: State, fact: c.Violation) -> Made | None:
    """The last move, where it is the one of which a released piece was moved on; None where that was dropped."""
    last = before.made[-1] if before.made else None
    return None if last is None or last.move.drop or fact.uci != uci(last.move) else last


def _came_and_went_unseen(before: State, last: Made) -> bool:
    """Whether the square where it was released, and whose sensor works, has shown neither that nor that it left."""
    landing = BB_SQUARES[last.landing]
    edge = before.trace.last_edges(landing, last.start)[last.landing]
    return edge < 0 and not before.faulty & landing


def _moved_on_nowhere(before: State, last: Made, fact: c.Violation) -> bool:
    """Whether the piece that was released stands on no square to which it might have gone instead, or from there."""
    stood, board = BB_SQUARES[last.move.to_square], last.after.board
    within_reach = board.attacks_mask(last.move.to_square)
    if board.pawns & stood:
        within_reach |= chess.shift_down(stood) if board.turn else chess.shift_up(stood)
    for move in last.before.moves_from(last.move.from_square):
        within_reach |= BB_SQUARES[move.to_square]
    handled = _named(fact.squares)
    filled = handled & ~before.empty(handled) & ~stood
    return filled != 0 and not filled & within_reach


def _goes_nowhere(before: State, fact: c.Violation) -> bool:
    """Whether no piece that is off its square may have gone to where one stands, even if it had been its turn."""
    handled, board = _named(fact.squares), before.position.board
    away = before.empty(handled)
    filled, within_reach = handled & ~away, 0
    for square in squares(away):
        within_reach |= board.attacks_mask(square)
        if board.pawns & BB_SQUARES[square]:
            within_reach |= chess.BB_FILES[square & 7]
    return not filled & within_reach


def _held_beside(before: State, fact: c.Violation) -> int:
    """A player who owed a capture has moved elsewhere: how many of his opponent's pieces he holds. The piece that his
    move takes is not counted."""
    theirs = before.position.board.occupied_co[not colour(fact.side)] if fact.kind == "touch-move" else 0
    if theirs and fact.uci and (taken := before.position.captured(chess.Move.from_uci(fact.uci))) is not None:
        theirs &= ~BB_SQUARES[taken]
    return before.empty(_named(fact.squares) & theirs & before.mismatch).bit_count()


def _held_before_the_move(before: State, fact: c.Violation) -> bool:
    """Whether a player is said to have moved another piece after his move that was in his hand before he released it:
    more likely he has moved both against the rules."""
    last = before.made[-1] if before.made else None
    if last is None or not last.move or fact.side != last.side or fact.kind not in ("out-of-turn", "castling-order"):
        return False
    return in_hand_already(before, last, _named(fact.squares) & ~BB_SQUARES[last.landing])


def _back_unseen(before: State, fact: c.Violation) -> bool:
    """Whether one of the pieces that the player is said to have touched was seen on its square again only with a look
    that shows something else besides: he may have been no more than brushed, if a look was lost."""
    touched, edges = _named(fact.squares), before.trace[before.turn.start :] if before.pace.by_scans else []
    return any(BB_SQUARES[edge.square] & touched and seen_late(edges, number) for number, edge in enumerate(edges))


def _named(names: Sequence[str]) -> int:
    """These squares, as a bitboard."""
    return sum(BB_SQUARES[chess.parse_square(name)] for name in names)


def price_of_move(before: State, s: State) -> float:
    """What it costs to believe the move that was made last, from how things stood ``before``, beside its facts."""
    cost = 0.0
    if any(each.illegal for each in s.made[-3:-1]):  # seldom
        cost += _left_the_game(s.made)
    if _by_a_sleeve(s):
        cost += costs.SLEEVE
    cost += price_of_order(s)
    made = s.made[-1]
    if made.move and not (made.hidden or made.move.drop):
        cost += _held_meanwhile(s, made.before.carried(made.move)[0][0], len(s.made) - 1)
    if before.unexplained_pieces:
        # What nobody saw change is explained by this move, which does not make that likelier.
        explained = before.unexplained_pieces & s.made[-1].changed
        cost += explained.bit_count() * (costs.BEFORE + costs.FOR_LONG)
    return cost


def _held_meanwhile(s: State, origin: chess.Square, moves: int) -> float:
    """What it costs that the piece of that square, which has moved after so many moves or is about to, was off the
    board while others were moved: nobody holds one for so long."""
    if not moves or s.trace.last_edges(BB_SQUARES[origin], s.made[moves - 1].start)[origin] >= 0:
        return 0.0  # as nearly always
    opened, start = _opened(s, origin), s.made[moves - 1].start
    if opened < 0 or s.faulty & BB_SQUARES[origin] or s.trace[opened].ms == s.trace[start - 1].ms:
        return 0.0  # or all of it was seen at once, after a gap
    return costs.BEFORE + costs.FOR_LONG * _held_over(s, origin, opened, s.made[:moves])


def price_of_order(s: State) -> float:
    """What it costs that what the last move set down stood there long before, as :func:`_stood_before` has it."""
    made = s.made[-1]
    return 0.0 if made.hidden or not made.move else _stood_before(s, made.before, made.move)


def _stood_before(s: State, before: Position, move: chess.Move) -> float:
    """What it costs that what a move sets down was seen to stand there long before its piece left its square: more
    likely it is something else."""
    origin, landing = before.carried(move)[0]
    if move.drop or move.promotion or before.board.occupied & BB_SQUARES[landing]:
        return 0.0
    came = last_edges(s, BB_SQUARES[landing])[landing]
    if came < 0 or came == len(s.trace) - 1 or s.trace[came].seen == EMPTY:
        return 0.0  # as nearly always
    left = _opened(s, origin)
    late = came < left and s.trace[left].ms - s.trace[came].ms > _lags_ms(s)
    return rates_of(s).wrong if late else 0.0


def _lags_ms(s: State) -> int:
    """By how long two edges of one piece may be seen the wrong way round."""
    return s.settings.brush_ms if s.pace.close_together else LATE_MS


def price_of_return(now: State, s: State) -> float:
    """What it costs that a piece stands again that was off when the last move began, of which nobody has seen where it
    went: he who moved held both, and has more likely taken the one that was off. From ``now`` to ``s``."""
    returned = now.mismatch & ~s.mismatch & s.position.board.occupied_co[s.position.turn]
    if not returned or (last := s.last()) is None or not last.hidden:
        return 0.0  # as nearly always
    cost, left = 0.0, _opened(s, last.move.from_square)
    for square in squares(returned):
        opened = _opened(s, square)
        if 0 <= opened < left and s.now - s.trace[opened].ms >= s.release_ms:
            cost += costs.BOTH_HELD
    return cost


def _opened(s: State, square: chess.Square) -> int:
    """The number of the latest edge with which that square opened; -1 if there is none of late."""
    numbers = range(len(s.trace) - 1, max(-1, len(s.trace) - RECENT), -1)
    return next((n for n in numbers if s.trace[n].square == square and s.trace[n].seen == EMPTY), -1)


def guessed(made: Sequence[Made]) -> int:
    """How many pawns became another piece than a queen, of whom nobody has said so."""
    return sum(each.unnamed and each.move.promotion not in (None, chess.QUEEN) for each in made)


def price_of_gone(now: State, s: State) -> float:
    """What it costs that pieces that came from nowhere have gone again, and no move explains that: whence they came
    nobody knows, but of one who stood on two squares. From ``now`` to ``s``."""
    if not now.unexplained_pieces or len(s.made) > len(now.made):
        return 0.0  # as nearly always
    gone = now.unexplained_pieces & ~(s.unexplained_pieces | s.mismatch | pushed_from(s))
    return sum(_unplaced(now, number) for number in last_edges(now, gone).values())


def _unplaced(s: State, number: int) -> float:
    """What it costs that something was seen to be set down with that edge that the game does not have there."""
    if number < 0:
        return rates_of(s).wrong
    if s.unexplained_pieces & BB_SQUARES[s.trace[number].square] and s.trace[number].ms == s.trace[0].ms:
        return min(costs.MISPLACED, rates_of(s).wrong)  # so it was found
    return costs.STRADDLING if straddles(s.trace, number) else rates_of(s).wrong


def pushed_from(s: State) -> int:
    """Where the piece that was taken last may stand for a moment, as a bitboard."""
    last = s.last()
    return 0 if last is None or last.completed_by_press else pushed_to(last.before, last.move)


def _pushed_by(s: State, ms: c.Ms) -> int:
    """Where he may stand still by ``ms``: as long as anybody likes, where he was seen to leave his square; else no
    longer than hands need that take him off at once."""
    pushed, last = pushed_from(s), s.last()
    if not pushed or last is None or not last.hidden:
        return pushed
    edges = last_edges(s, pushed & s.mismatch)
    return sum(
        BB_SQUARES[sq] for sq, number in edges.items() if number >= 0 and ms < _stands_from(s, number) + ASIDE_MS
    )


def _beside_the_victim(s: State, unexplained: int) -> int:
    """Where a piece may stand for a while that is being taken, by one that is in hand, as a bitboard."""
    board, away = s.position.board, s.empty(unexplained)
    in_hand, beside = away & board.occupied_co[board.turn], 0
    for victim in squares(away & board.occupied_co[not board.turn] if in_hand else 0):
        if board.attackers_mask(board.turn, victim) & in_hand:
            beside |= chess.BB_KING_ATTACKS[victim] & ~board.occupied
    return beside


def _stands_from(s: State, number: int) -> c.Ms:
    """From when on what was set down with that edge stands there for longer than a moment: not while the player is busy
    setting down what may explain it."""
    ms, last = s.trace[number].ms, s.trace[len(s.trace) - 1].ms
    busy = number >= s.turn.start and last < ms + s.release_ms
    return (last if busy else ms) + s.release_ms


def _left_the_game(made: Sequence[Made]) -> float:
    """What it costs that play goes on without pieces that left their squares in an illegal move, and that nobody took:
    whoever presses with one in his hand sets it down somewhere before he moves again."""
    cost = 0.0
    for back, each in ((2, costs.FOR_LONG), (3, costs.HOLDING)):
        if len(made) >= back and (late := made[-back]).illegal:
            cost += each * gone_with(late)
    return cost


def _by_a_sleeve(s: State) -> bool:
    """Whether who was taken last was off his square for no longer than a brush, and another, who stands again, at the
    same time: a sleeve has moved both, more likely than a hand one of them."""
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
    """What it costs that the board shows what the game does not explain by ``ms``, ``apart`` from these squares."""
    # What the other player is known to have done is explained, and what was said to be set down against the rules.
    said = s.turn.astray if s.turn.astray_ids else 0
    unexplained = s.mismatch & ~(s.not_by_mover & ~s.unexplained_pieces) & ~said & ~apart & ~being_corrected(s)
    nowhere = _from_nowhere(s, ms) if s.not_by_mover else 0.0
    if s.turn.difference.kind in (*LEGAL, Kind.PARTIAL):
        nowhere += _held_meanwhile(s, s.position.carried(s.turn.difference.moves[0])[0][0], len(s.made))
        nowhere += _stood_before(s, s.position, s.turn.difference.moves[0])
        unexplained &= s.unexplained_pieces | ~s.position.changed(*s.turn.difference.moves)  # the rest is no part of it
        if unexplained and s.turn.partial_move is not None and (reply := reply_beside(s)):
            unexplained, nowhere = unexplained & ~reply, nowhere + costs.HALF_ANSWERED
    if not unexplained:
        return nowhere
    if said:
        moves = sum(number >= s.turn.astray_at for number in last_edges(s, s.mismatch & said).values())
        nowhere += costs.IGNORED * max(moves, _set_down_since(s, s.turn.astray_at))
        unexplained &= ~_gone_on_with(s, unexplained, moves)
    rates, last = rates_of(s), s.made[-1].start if s.made else s.turn.start
    own, in_hand, cost = s.position.board.occupied_co[s.position.turn], 0, nowhere
    aside = _pushed_by(s, ms) | _beside_the_victim(s, unexplained)
    for since, square in sorted([(n, square) for square, n in last_edges(s, unexplained).items()], reverse=True):
        if s.readings[square] != EMPTY:
            passing = since >= 0 and ms < _stands_from(s, since)
            if passing and not s.unexplained_pieces & BB_SQUARES[square]:
                came_back = bool(s.made) and square == s.made[-1].move.from_square  # more likely
                cost += costs.PASSED + costs.ELSEWHERE * came_back  # so far
            elif BB_SQUARES[square] & aside and since >= last:
                cost += costs.PUSHED
            else:
                cost += _unplaced(s, since) + (costs.FOR_LONG if since < s.turn.start else 0.0)
            continue
        if since < s.turn.start:
            cost += costs.BEFORE + (costs.FOR_LONG * _held_over(s, square, since, s.made) if since < last else 0.0)
        if BB_SQUARES[square] & own:
            in_hand += 1
            cost += costs.IN_HAND[min(in_hand, 3) - 1]
            if in_hand == 1:
                continue  # the last he took up he may hold for as long as he likes
        else:
            # Who sets his piece down against the rules takes nobody with it, where a capture would have been seen, and
            # nobody sees that it is his.
            with_it = said and since < s.turn.astray_at and rates.held < inf and s.senses == "occupancy"
            oddly = not (_about_to_be_taken(s, since, ms) or _may_be_taken(s, square, unexplained & own))
            cost += costs.HOLDING if with_it else costs.ODDLY if oddly else costs.TAKEN_UP
        if since >= 0:
            cost += _times_longer(s, ms - s.trace[since].ms) * LONGER / rates.held
    return cost


def _set_down_since(s: State, at: int) -> int:
    """How often since that edge a piece was set down, for longer than a moment, where none had stood."""
    edges = s.trace[max(at, len(s.trace) - RECENT) :]
    returned = sum(1 for _ in away_and_back(edges))
    brief = sum(edges[left].ms - edges[came].ms < s.release_ms for came, left in came_and_left(edges))
    return sum(edge.seen != EMPTY for edge in edges) - returned - brief


def _gone_on_with(s: State, unexplained: int, moves: int) -> int:
    """From which of these squares pieces have gone, a bitboard, that so many moves set down elsewhere while an illegal
    one stands: those are paid for."""
    gone = last_edges(s, s.empty(unexplained)).items()
    since = sorted((number, square) for square, number in gone if number >= s.turn.astray_at)
    return sum(BB_SQUARES[square] for _, square in since[:moves])


def dearer_at(s: State) -> c.Ms | None:
    """When :func:`loose` costs more next though nothing happens: what was set down where the game has nothing will have
    stood there for longer than a moment, or a piece will have been off the board for longer. None where it will not."""
    dues, pushed = list[c.Ms](), pushed_from(s)
    for square, since in last_edges(s, s.mismatch).items():
        if since >= 0 and s.readings[square] != EMPTY:
            dues.append(_stands_from(s, since))
            if pushed & BB_SQUARES[square]:
                dues.append(_stands_from(s, since) + ASIDE_MS)
        elif since >= 0:
            began = s.trace[since].ms
            dues.append(began + ODDLY_LATER * s.release_ms + 1)
            longer = began + (_times_longer(s, s.now - began) + 1) * LONGER * s.release_ms
            dues.append(longer + -longer % s.release_ms)  # many together: after noise each falls due at another time
    return min([due for due in dues if due > s.now], default=None)


def _about_to_be_taken(s: State, since: int, ms: c.Ms) -> bool:
    """Whether who is off since that edge may be taken against the rules just now, which the press tells where there is
    a clock; or play goes on from what was set down against them; or he left his square while nobody looked."""
    if s.unseen or s.turn.astray_ids:
        return True
    return s.clock is not None and since >= 0 and ms - s.trace[since].ms <= ODDLY_LATER * s.release_ms


def _may_be_taken(s: State, square: chess.Square, in_hand: int) -> bool:
    """Whether a piece of the player having the move attacks that one: one of those that are in his hand, if any is."""
    takers = s.position.board.attackers_mask(s.position.turn, square)
    return bool(takers & in_hand if in_hand else takers)


def _times_longer(s: State, ms: int) -> int:
    """How many whole times that is :data:`LONGER` releases: a cost that grew with each ms would depend on when it is
    asked for."""
    return ms // (LONGER * s.release_ms)


def _held_over(s: State, square: chess.Square, since: int, moves: Sequence[Made]) -> int:
    """For how many moves of each player the piece of that square has been off it; 1 at least. Two kinds of moves end
    the count: one that changed the square, for a piece that took unseen seems off until somebody moves there; and one
    that an arbiter has put in the record, who leaves the board as it is."""
    moved = 0
    for made in reversed(moves[-HELD_OVER:] if rates_of(s).held < inf else ()):
        if made.start <= since or made.ruled or made.changed & BB_SQUARES[square]:
            break
        moved += 1
    return max(1, (moved + 1) // 2)


def _from_nowhere(s: State, ms: c.Ms) -> float:
    """What it costs by ``ms`` that more pieces stand where the other player is known to have set some down than he has
    taken up: they came from squares that are not seen, out of turn, or from nowhere; or he was taken who stands there,
    or one stands on two squares. Where one stands instead of another there is one of each."""
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
    """How many more pieces stand where the game has none than are off their squares, now or before the turn began: who
    left his square since was not set down then. Where a piece may come from beside the board, or the board tells who
    stands there, those before the turn alone."""
    board = s.position.board
    ready, last = (chess.BB_RANK_7, chess.BB_RANK_8) if board.turn else (chess.BB_RANK_2, chess.BB_RANK_1)
    promotes = board.pawns & board.occupied_co[board.turn] & ready and s.mismatch & last & ~s.empty(s.mismatch)
    from_beside = promotes or s.position.drop_board is not None or s.senses != "occupancy"
    mismatch = list(squares(s.mismatch))
    before = _surplus(s, [square for square, number in last_edges(s, s.mismatch).items() if number < s.turn.start])
    return max(0, before, 0 if from_beside else max(_surplus(s, mismatch), _most_at_once(s, before)))


def _came_beside(s: State) -> int:
    """How many more pieces stand where the game has none than are off their squares, but for those known to have come
    from nowhere, on a board without stock."""
    mismatch = 0 if s.position.drop_board is not None else s.mismatch & ~s.unexplained_pieces
    return max(0, _surplus(s, [*squares(mismatch)]))


def _most_at_once(s: State, before: int) -> int:
    """How many more pieces stood on the board at some moment of the turn, for longer than a release, than were there
    when it began: who leaves his square after that was not set down then. ``before``: so many more there were then."""
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
    """How much this board hides."""
    if s.rates is not None or not s.pace.slow:
        return s.rates or costs.REPORTED
    return costs.WHOLE if s.pace.whole else costs.SCANNED


def rates_after(made: Sequence[Made], s: State) -> costs.Rates:
    """The same, as its game has shown by these moves: where captures were exchanged unseen more often, they are
    likelier."""
    rates = rates_of(s)
    if not s.pace.slow:
        return rates
    taking = [each for each in made[-RECENT:] if each.move and each.before.captured(each.move) is not None]
    unseen = sum(each.hidden for each in taking)
    share = (unseen + LEARNT * exp(-rates.swapped)) / (len(taking) + LEARNT)
    return replace(rates, swapped=costs.nats(share))
