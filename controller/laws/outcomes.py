"""What comes of how things stand: the rows of the table in :mod:`controller.laws.turn`, carried out."""

from controller import contract as c
from controller.laws.array import being_set_up, recognise
from controller.laws.board import beyond_a_move, compare, may_stand_turned, result_sign, turn_round
from controller.laws.evidence import handled, hands
from controller.laws.mismatch import mismatch
from controller.laws.moves import make
from controller.laws.naming import ask, misnamed, named, rename, undecided
from controller.laws.state import State
from controller.laws.stock import bind_drop
from controller.laws.touch import Half
from controller.laws.turn import TABLE, Happens, Outcome
from controller.laws.unseen import moves_if_turned, ponder, resolve
from controller.position import EMPTY, squares
from controller.sensing.stand import Kind

UNEXPLAINED = (Kind.ASTRAY, Kind.FOREIGN)
"""The stands that may be another's doing: a board that stands the other way round, or a man with another name."""


def happens(s: State, what: Happens) -> Outcome | None:
    """Carry out what comes of the present stand. A press is only looked up: the clock's room deals with the rest."""
    if s.turn.stand.kind in UNEXPLAINED and may_stand_turned(s) and (played := moves_if_turned(s)):
        if played == 1 and what is not Happens.PRESS:
            # One man alone may have been moved by anybody; the reply, or the press, will tell.
            compare(s)
            return None
        turn_round(s)
        if played > 1:
            resolve(s)
            return None
    if s.exchanged and being_set_up(s):
        recognise(s)
        return None
    if s.turn.stand.kind in UNEXPLAINED or s.turn.traces.refilled is not None or misnamed(s):
        rename(s)
    outcome = TABLE.get((s.turn.stand.kind, what))
    if s.blind and outcome in (Outcome.MAKE, Outcome.BIND):
        _touch_unseen(s)
    if outcome is Outcome.MAKE and what is not Happens.REPLY and _not_in_stock(s):
        return Outcome.ILLEGAL if what is Happens.PRESS else None
    if outcome is Outcome.MAKE and s.strays and _begun_before(s) and resolve(s):
        return outcome
    if outcome is Outcome.MAKE:
        stand = s.turn.stand
        if undecided(s, stand):
            ask(s, stand)
            if what is Happens.RELEASE:
                if stand.part != "drop":
                    bind(s)
                return None
        move = named(s, stand)
        if s.turn.corrects and s.owed is not None and move not in s.owed.moves:
            return None
        make(s, move)
    elif outcome is Outcome.BIND:
        bind(s)
    elif outcome is Outcome.PLACED_ASTRAY:
        if not resolve(s):
            _astray(s)
    elif outcome is Outcome.MISMATCH:
        mismatch(s)
    elif outcome is Outcome.PONDER:
        ponder(s)
    return outcome


def _begun_before(s: State) -> bool:
    """Whether men were not there already at the first reading: what was played before it may explain that, too."""
    return bool(s.empty(s.strays & s.others))


def _not_in_stock(s: State) -> bool:
    """Whether the player has said that he drops a man whom he has not got: his partner may yet complete the move that
    took him; until then it is no move (18)."""
    return s.turn.stand.part == "drop" and s.senses != "identity" and misnamed(s)


def _touch_unseen(s: State) -> None:
    """A man that has come from a square whose sensor does not work was touched there, at the latest when he landed; of
    a king who castles nothing shows that he was not touched first."""
    for square in squares(s.left_unseen(s.turn.stand)):
        move = s.turn.stand.moves[0]
        landed = (edge.ms for edge in s.trace[s.turn.start :] if edge.square == move.to_square and edge.seen != EMPTY)
        first = [touch.ms for touch in s.turn.touches] if s.position.castles(move) else []
        s.touch(square, min([next(landed, s.now), *first]))


def bind(s: State) -> None:
    """Part of a legal move is released: the rest of it is owed (4.7.2, 4.7.3). What promotes may be the pawn yet."""
    turn = s.turn
    if turn.half is None or turn.half.part == "castling-failed":
        turn.half = Half(turn.stand.part or "promotion", turn.stand.moves, len(turn.touches))
        s.derive()


def _astray(s: State) -> None:
    """An illegal move is released and not completed: the touch rules bind its replacement (4.7)."""
    turn = s.turn
    landed = s.off & ~s.empty(s.off)
    said, turn.astray = turn.astray, landed
    if beyond_a_move(s):
        # Whose doing that is nobody can say.
        compare(s)
        return
    if result_sign(s) or (said and landed & said == said):
        # What stood astray stands so still: nothing new to say.
        return
    s.emit(
        c.Illegal,
        side=turn.side,
        kind="illegal-move",
        article=s.laws.clause.illegal_move,
        completed=False,
        count=s.counts[turn.side],
        report=s.laws.report_illegal("illegal-move"),
        **handled(hands(turn.touches, turn.half), s.owed),
    )
    attempt_failed(s)


def attempt_failed(s: State) -> None:
    """A king released two squares away where castling is illegal owes another king move (4.4.3, 4.7.2)."""
    turn = s.turn
    if turn.stand.part == "drop" and turn.stand.kind is Kind.ASTRAY:
        bind_drop(s, turn.stand, s.looks[turn.stand.mask.bit_length() - 1])
    if turn.stand.part == "castling" and turn.stand.kind is Kind.ASTRAY and turn.half is None:
        turn.half = Half("castling-failed", (), len(turn.touches))
        s.derive()
