"""Facts that wait to be told, without what has become untrue, or has been told, meanwhile."""

from collections.abc import Sequence
from typing import TypeGuard

from controller import contract as c


def less_taken_back(untold_facts: list[c.AnyEvent]) -> list[c.AnyEvent]:
    """The untold facts without the moves that were taken back before they could be told, and without what is said of
    them. Of a move that was told and is taken back now, it is not told any more that it breaks a rule."""
    facts: list[c.AnyEvent] = []
    for fact in untold_facts:
        if type(fact) is c.Retract:
            gone = next((each for each in reversed(facts) if type(each) is c.Move), None)
            if gone is not None and gone.uci == fact.uci:
                facts = [each for each in facts if each is not gone and not _about(each, gone)]
                continue
            facts = [each for each in facts if not (_breaks_a_rule(each) and each.uci == fact.uci)]
        facts.append(fact)
    return facts


def less_corrected(facts: Sequence[c.AnyEvent]) -> list[c.AnyEvent]:
    """These facts, told late, without the illegal moves that their players had put right by then: nobody is to rule on
    them any more."""
    kept: list[c.AnyEvent] = []
    corrected = set[c.Side]()
    for fact in reversed(facts):
        if type(fact) is c.Move:
            corrected.add(fact.side)
        elif type(fact) is c.Illegal and fact.completed:
            corrected.discard(fact.side)
        if not (type(fact) is c.Illegal and not fact.completed and fact.side in corrected):
            kept.append(fact)
    return kept[::-1]


def less_completed(facts: Sequence[c.AnyEvent], said: Sequence[c.AnyEvent]) -> list[c.AnyEvent]:
    """These facts without those that say of a move that it is completed which was just told again, completed."""
    again = [(fact.side, fact.uci) for fact in said if type(fact) is c.Completed]
    kept: list[c.AnyEvent] = []
    for fact in facts:
        if type(fact) is c.Completed and (fact.side, fact.uci) in again:
            again.remove((fact.side, fact.uci))
        else:
            kept.append(fact)
    return kept


def _about(fact: c.AnyEvent, move: c.Move) -> bool:
    """Whether a fact is about that move."""
    if type(fact) is c.Completed or type(fact) is c.Violation or type(fact) is c.Illegal:
        return fact.side == move.side and fact.uci == move.uci
    return False


def _breaks_a_rule(fact: c.AnyEvent) -> TypeGuard[c.Violation]:
    """Whether the fact says, by the sensors, that a move breaks a rule; not that its piece was moved on later."""
    return type(fact) is c.Violation and fact.kind in ("touch-move", "castling-order") and not reported(fact)


def reported(fact: c.AnyEvent) -> TypeGuard[c.Illegal | c.Violation]:
    """Whether the fact is an offence that a person has reported."""
    return isinstance(fact, c.Illegal | c.Violation) and fact.basis == "reported"
