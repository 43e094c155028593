"""A search for a mate that both sides want, through every position that legal moves reach.

It ends with the mate; or with no position left to look at, which proves that there is none; or at its bound. What is
looked at, and in which order, depends on nothing but the position.
"""

from collections.abc import Iterable
from typing import NamedTuple

from chess import Bitboard, Color

from controller.mating.guide import bare_king, caught_king, freed_pawn
from controller.mating.material import too_little
from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.state import State, in_check, successors

EASY = 3_000  #: up to so many positions, the oldest are looked at as well
MANY_PAWNS = 8  #: with so many, one piece makes no mate that is soon found
PROOFS = 50  #: so many positions at most are proved shut by walls: a proof costs as much as hundreds of positions


class Search(NamedTuple):
    """What was found."""

    mates: dict[Color, tuple[State, ...]]  #: for who can mate, the positions from the first to the mate
    cannot: frozenset[Color]  #: who was found to have no mate, as nothing was left out
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


def find_mates(start: State, colours: Iterable[Color], bound: int, *, prove: bool = False) -> Search:
    """Look for a mate by each of these colours through at most about ``bound`` positions.

    A mate by the other side, or that it has none, is told as well where it comes to light. ``prove``: nothing is looked
    at behind walls that allow none of these mates; for a long search.
    """
    before: dict[State, State | None] = {start: None}
    wanted = list(dict.fromkeys(colours))
    mates: dict[Color, tuple[State, ...]] = {}
    left_out: set[Color] = set()
    proofs = {colour: _Proofs(colour) for colour in wanted}
    # With hardly more than pawns, there is nothing there yet to mate with.
    pieces = (start[4] | start[5] | start[6] | start[7]).bit_count()
    bare = pieces == 0 or (prove and pieces == 1 and start[3].bit_count() >= MANY_PAWNS)
    guides = (bare_king, freed_pawn) if bare else (bare_king, caught_king, freed_pawn)
    stacks = {(guide, colour): _Stacks() for guide in guides for colour in wanted}
    for stack in stacks.values():
        stack.push(start, 0)
    done: set[State] = set()
    queue = [start]
    oldest = number = 0
    while len(before) <= bound:
        number += 1
        easy = len(before) <= EASY
        state: State | None
        if easy and number % 8 == 0:
            state = queue[oldest] if oldest < len(queue) else None
            oldest += 1
        else:
            state = stacks[guides[number % len(guides)], wanted[number // len(guides) % len(wanted)]].pop()
            if state is None and len(done) == len(before):
                return Search(mates, frozenset({True, False} - left_out - mates.keys()), len(before))
        if state is None or state in done:
            continue
        done.add(state)
        after = successors(state)
        if not after:
            mating = not state[0]
            if mating not in mates and in_check(state):
                mates[mating] = _way(before, state)
                if mating in wanted:
                    wanted.remove(mating)
                if not wanted:
                    break
            continue
        origin = before[state]
        if (
            origin is not None
            and _is_final(origin, state)
            and all(too_little(state, colour) or (prove and proofs[colour].shut(state)) for colour in wanted)
        ):
            left_out |= {True, False}.difference(wanted)
            continue
        for following in after:
            if following not in before:
                before[following] = state
                for colour in wanted:
                    for guide in guides:
                        stacks[guide, colour].push(following, guide(following, colour))
                if easy:
                    queue.append(following)
    return Search(mates, frozenset(), len(before))


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
        _, white, black, *boards, kings, castling, passed = state
        but_kings = (white & ~kings, black & ~kings, *boards, castling, passed)
        known = self.known.setdefault(but_kings, [])
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
