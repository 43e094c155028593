"""A search for a mate that both sides want, through every position that legal moves reach.

It ends with the mate; or with no position left to look at, which proves that there is none; or at its bound. What is
looked at, and in which order, depends on nothing but the position.
"""

from itertools import cycle
from typing import NamedTuple

from chess import Bitboard, Color

from controller.mating.guide import bare_king, caught_king
from controller.mating.material import too_little
from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.state import State, in_check, successors

EASY = 3_000  #: up to so many positions, the oldest are looked at as well, and at first nothing is proved by walls
PROOFS = 200  #: so many positions at most are proved shut by walls: a proof costs as much as hundreds of positions


class Search(NamedTuple):
    """What was found."""

    mate: tuple[State, ...]  #: the positions from the first to the mate; empty where there is none
    complete: bool  #: whether nothing was left out
    positions: int  #: how many were looked at


class _Stacks:
    """Positions in the order of their rank, the last one first among equals."""

    def __init__(self) -> None:
        self.stacks: list[list[State]] = []
        self.lowest = 0

    def push(self, state: State, rank: int) -> None:
        stacks = self.stacks
        while len(stacks) <= rank:
            stacks.append([])
        stacks[rank].append(state)
        if rank < self.lowest:
            self.lowest = rank

    def pop(self) -> State | None:
        while self.lowest < len(self.stacks):
            if stack := self.stacks[self.lowest]:
                return stack.pop()
            self.lowest += 1
        return None


def find_mate(start: State, colour: Color, bound: int) -> Search:
    """Look for a mate by ``colour`` through at most about ``bound`` positions; if need be, from the start again."""
    search = _find_mate(start, colour, min(bound, EASY), prove=False)
    if search.mate or search.complete or bound <= EASY:
        return search
    return _find_mate(start, colour, bound, prove=True)


def _find_mate(start: State, colour: Color, bound: int, *, prove: bool) -> Search:
    before: dict[State, State | None] = {start: None}
    bare, caught = _Stacks(), _Stacks()
    proofs = _Proofs(colour)
    done: set[State] = set()
    bare.push(start, 0)
    queue = [start]
    oldest = 0
    for turn in cycle((0, 1, 0, 1, 0, 1, 0, 2)):
        easy = len(before) <= EASY
        state: State | None
        if turn == 2 and easy:
            state = queue[oldest] if oldest < len(queue) else None
            oldest += 1
        elif turn == 1:
            state = caught.pop()
        else:
            state = bare.pop()
            if state is None:
                return Search((), True, len(before))
        if state is None or state in done:
            continue
        done.add(state)
        after = successors(state)
        if not after:
            if state[0] != colour and in_check(state):
                return Search(_way(before, state), False, len(before))
            continue
        origin = before[state]
        if (
            origin is not None
            and _is_final(origin, state)
            and (too_little(state, colour) or (prove and proofs.shut(state)))
        ):
            continue
        for following in after:
            if following not in before:
                before[following] = state
                bare.push(following, bare_king(following, colour))
                caught.push(following, caught_king(following, colour))
                if easy:
                    queue.append(following)
        if len(before) > bound:
            break
    return Search((), False, len(before))


def _way(before: dict[State, State | None], last: State) -> tuple[State, ...]:
    way, state = [last], before[last]
    while state is not None:
        way.append(state)
        state = before[state]
    return tuple(reversed(way))


def _is_final(before: State, after: State) -> bool:
    """Whether a move can never be taken back: only then may it have shut the position."""
    return before[3] != after[3] or (before[1] | before[2]).bit_count() != (after[1] | after[2]).bit_count()


class _Proofs:
    """Which positions are shut. What is known of one holds wherever its kings might go, as long as all else stands."""

    def __init__(self, colour: Color) -> None:
        self.colour = colour
        self.left = PROOFS
        self.known: dict[tuple[Bitboard, ...], list[tuple[bool, Bitboard, Bitboard]]] = {}

    def shut(self, state: State) -> bool:
        """Whether it is proved, now or before, that no mate can stand from here on."""
        _, white, black, *boards, kings, _, passed = state
        men = (white & ~kings, black & ~kings, *boards, passed)
        known = self.known.setdefault(men, [])
        for shut, of_white, of_black in known:
            if kings & white & of_white and kings & black & of_black:
                return shut
        if not self.left:
            return False
        self.left -= 1
        reach = Reach(state)
        shut = not may_mate(reach, self.colour)
        if not reach.ends:
            known.append((shut, reach.kings[True].reach, reach.kings[False].reach))
        return shut
