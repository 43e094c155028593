"""The outcomes of the table in :mod:`controller.laws.turn`, carried out."""

from chess import Move

from controller import contract as c
from controller.laws.board import beyond_a_move, compare, leaving_out, may_stand_turned, moved_if_turned, result_sign
from controller.laws.drop_names import ask, ask_which, excused, misnamed, named, rename, undecided
from controller.laws.evidence import handled, hands
from controller.laws.fallen import fallen
from controller.laws.initial_position import being_set_up, recognise
from controller.laws.lifted import touched_by_moving
from controller.laws.mismatch import mismatched, set_down_late
from controller.laws.moves import ended_by_capture, make
from controller.laws.state import State
from controller.laws.stock import bind_drop
from controller.laws.touch import PartialMove
from controller.laws.turn import TABLE, Outcome, Trigger
from controller.position import EMPTY, squares
from controller.sensing.difference import Kind
from controller.sensing.readings import of_colour
from controller.sensing.trace import stands_beside

UNEXPLAINED = (Kind.ASTRAY, Kind.FOREIGN)
"""Differences that may have another reason: the board stands the other way round, or a piece has another name."""

PLAYED = frozenset({Outcome.MAKE, Outcome.BIND, Outcome.PLACED_ASTRAY, Outcome.ILLEGAL})
"""Outcomes for which the player having the move has moved a piece: so the capture before was really made."""


def triggered(s: State, what: Trigger) -> tuple[State, Outcome | None]:
    """Carry out what follows from the present difference and this trigger. If a press makes no legal move, its outcome
    is only returned: :mod:`controller.laws.timing` deals with it."""
    unexplained = s.turn.difference.kind in UNEXPLAINED
    if unexplained and what is not Trigger.PRESS and may_stand_turned(s) and moved_if_turned(s):
        # Anybody may have moved a single piece; the reply, or the press, will tell.
        return compare(s), None
    if s.exchanged and being_set_up(s):
        return recognise(s) or s, None
    by_mover = unexplained and s.mismatch & ~s.not_by_mover  # other names explain only what the mover has done
    if by_mover or _refilled_by_nobody(s) or misnamed(s):
        renamed = rename(s)
        if renamed is not None and s.position.drop_board is None and s.clock is not None and what is Trigger.RELEASE:
            # It may be a queen set down where she cannot go, and she may be put right: only the press will tell.
            # Without a clock there is none, and what stands is the move.
            both = [(one.move, other.move) for one, other in zip(s.made, renamed.made, strict=True)]
            return ask_which(s, {move for pair in both if pair[0] != pair[1] for move in pair}), None
        s = renamed or s
    outcome = TABLE.get((s.turn.difference.kind, what))
    if outcome in PLAYED and (over := ended_by_capture(s)) is not s:
        return over, None
    if s.faulty and outcome in (Outcome.MAKE, Outcome.BIND):
        s = _touch_unseen(s)
    if outcome is Outcome.MAKE:
        return _make(s, what)
    if outcome is Outcome.BIND:
        return bind(s), outcome
    if outcome is Outcome.PLACED_ASTRAY:
        return _astray(s), outcome
    if outcome is Outcome.MISMATCH:
        return mismatched(s), outcome
    if outcome is Outcome.DISPLACED:
        return compare(s), outcome
    return s, outcome


def _refilled_by_nobody(s: State) -> bool:
    """Whether an opponent's square was filled again, but no piece in hand, by its present name, can capture there."""
    square = s.turn.traces.refilled
    if square is None:
        return False
    return not any(move.to_square == square for own in squares(s.gone()) for move in s.position.moves_from(own))


def released_without_its_name(s: State) -> State:
    """Make the drop of a released piece that nobody has named yet: it stays where it stands (17)."""
    if s.turn.difference.part == "drop" and s.turn.judged and s.ambiguous and undecided(s, s.turn.difference):
        s, _ = triggered(s, Trigger.REPLY)
    return s


def _make(s: State, what: Trigger) -> tuple[State, Outcome | None]:
    """A legal move stands on the board: make it if it is known which one it is, and nothing speaks against it."""
    if what is not Trigger.REPLY and _not_in_stock(s):
        return s, Outcome.ILLEGAL if what is Trigger.PRESS else None
    difference = s.turn.difference
    said = not undecided(s, difference)
    if not said:
        if what is Trigger.RELEASE:
            return ask(s if difference.part == "drop" else bind(s), difference), None
        s = ask(s, difference)
    move = named(s, difference, followed=difference.part == "drop" or what is not Trigger.PRESS)
    if s.turn.corrects and s.owed is not None and move not in s.owed.moves:
        return s, None
    if s.owed is not None and move not in s.owed.moves:
        s = excused(s, move) or s
    if said and len(difference.moves) > 1 and s.position.drop_board is None:
        s = _narrow(s, move)
    return make(s, move), Outcome.MAKE


def _narrow(s: State, promotion: Move) -> State:
    """The player has said what the pawn becomes: now he owes that promotion, if it is possible."""
    partial_move = s.turn.partial_move
    if partial_move is not None and (partial_move.part != "promotion" or promotion not in partial_move.moves):
        return s
    touched = len(s.turn.touches) if partial_move is None else partial_move.touched
    return s.turning(partial_move=PartialMove("promotion", (promotion,), touched)).derive()


def _not_in_stock(s: State) -> bool:
    """Whether the player has named a piece to drop that is not in his stock: it is no move until his partner completes
    the move that captured it (18)."""
    return s.turn.difference.part == "drop" and s.senses != "identity" and misnamed(s)


def _touch_unseen(s: State) -> State:
    """Add the touch of a piece that has come from a square whose sensor does not work: at the latest, it was touched
    when it landed. A king that castles counts as touched first, as nothing shows otherwise."""
    for square in squares(s.left_unseen(s.turn.difference)):
        move = s.turn.difference.moves[0]
        to = dict(s.position.carried(move))[square]
        landed = (edge.ms for edge in s.trace[s.turn.start :] if edge.square == to and edge.seen != EMPTY)
        first = [touch.ms for touch in s.turn.touches] if s.position.castles(move) else []
        s = s.touch(square, min([next(landed, s.now), *first]))
    return s


def bind(s: State) -> State:
    """Part of a legal move is released: the rest of it is owed (4.7.2, 4.7.3). On the promotion square the pawn itself
    may stand yet."""
    turn = s.turn
    if turn.partial_move is not None and turn.partial_move.part not in ("castling-failed", "step"):
        return s
    turn = (s := touched_by_moving(s)).turn
    if turn.difference.kind is Kind.STEP:
        (step,) = turn.difference.moves
        whole = s.position.begun_by(step)
        assert whole is not None
        return s.turning(partial_move=PartialMove("step", (step, whole), len(turn.touches))).derive()
    return s.turning(
        partial_move=PartialMove(turn.difference.part or "promotion", turn.difference.moves, len(turn.touches))
    ).derive()


def _astray(s: State) -> State:
    """An illegal move is released and not completed: the touch rules bind its replacement (4.7)."""
    if _stands_on_an_edge(s):
        return s
    if (late := set_down_late(s)) is not s:
        return late
    if _may_come_yet(s):
        return s.turning(stands_since=s.now, judged=False)  # ask again after another release
    if fell := fallen(s):
        return compare(leaving_out(s, fell))
    if s.turn.difference.part == "drop" and _others_in_hand(s):
        return compare(s)  # more likely the other player has set down a piece that he held
    landed, said = s.mismatch & ~s.empty(s.mismatch), s.turn.astray
    s = s.turning(astray=landed)
    if beyond_a_move(s) or _is_over_unproven(s):
        # Nobody can say whose doing that is; or the mover is mated by a piece that nobody has named, and play is over.
        return compare(s)
    if result_sign(s) or (said and landed & said == said):
        # Kings show the result; or the illegal move that was told still stands, and there is nothing new to say.
        return s
    before = s = touch_swapped(s)
    s = s.say(
        c.Illegal,
        side=s.turn.side,
        kind="illegal-move",
        article=s.laws.clause.illegal_move,
        completed=False,
        count=s.counts[s.turn.side],
        report=s.laws.report_illegal("illegal-move"),
        **handled(hands(s.turn.touches, s.turn.partial_move), s.owed),
    )
    return attempt_failed(s.turning(astray_ids=s.ids_since(before), astray_at=len(s.trace)))


def touch_swapped(s: State) -> State:
    """Add the touch of an opponent's piece in whose place a piece of the mover's is seen to stand, as it left between
    two looks (4.3.3)."""
    for square in squares(s.mismatch & ~s.not_by_mover & s.theirs):
        seen, came = s.readings[square], s.trace.latest(square, empty=False, since=s.turn.start)
        if came is not None and of_colour(seen, s.position.turn) and not of_colour(seen, not s.position.turn):
            s = s.touch(square, came.ms)
    return s


def _others_in_hand(s: State) -> bool:
    """Whether the player not having the move has taken up more pieces than he has set down."""
    his = s.mismatch & s.not_by_mover
    away = s.empty(his) & s.theirs
    return away.bit_count() > (his & ~s.empty(his)).bit_count()


def _may_come_yet(s: State) -> bool:
    """Whether, without a clock, a piece is dropped that is not in stock, while the partner is moving: his move may have
    captured it."""
    partner = s.partner
    if s.turn.difference.part != "drop" or s.clock is not None or partner is None or partner.result is not None:
        return False
    return partner.turn.side != s.turn.side and partner.mismatch != 0


def _stands_on_an_edge(s: State) -> bool:
    """Whether all that stands where the game has nothing is one piece on the edge of two squares, shown by both. It
    will be put on one of them."""
    filled, away = s.mismatch & ~s.empty(s.mismatch), s.gone()
    if not filled or away & (away - 1):
        return False
    numbers = s.trace.last_edges(filled, s.turn.start).values()
    beside = [stands_beside(s.trace, number) if number >= 0 else None for number in numbers]
    return all(square is not None and s.readings[square] != EMPTY for square in beside)


def _is_over_unproven(s: State) -> bool:
    """Whether the player having the move has no legal move because of a promotion that nobody has named."""
    last = s.last()
    return last is not None and last.unnamed and s.position.drop_board is None and not s.position.has_legal_move()


def attempt_failed(s: State) -> State:
    """Bind the player after a failed attempt. A king released two squares away where castling is illegal owes another
    king move (4.4.3, 4.7.2); a dropped piece owes a drop."""
    difference = s.turn.difference
    if difference.part == "drop" and difference.kind is Kind.ASTRAY:
        s = bind_drop(s, difference, s.readings[difference.mask.bit_length() - 1])
    if difference.part == "castling" and difference.kind is Kind.ASTRAY and s.turn.partial_move is None:
        s = s.turning(partial_move=PartialMove("castling-failed", (), len(s.turn.touches))).derive()
    return s
