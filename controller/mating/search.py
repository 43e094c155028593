"""A search for a mate that both sides want, through every position that legal moves reach.

It ends with the mate; or with no position left to look at, which proves that there is none; or at its bound. What is
looked at, and in which order, depends on nothing but the position.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from chess import Bitboard, Color

from controller.mating.guide import Guide
from controller.mating.patterns import may_mate, too_little
from controller.mating.reach import Reach
from controller.mating.state import MatingState, in_check, successors
from controller.mating.tempo import Tempo

TRIED = 6  #: every so many positions, one is looked at by chance and not as the guide has it


class Found(NamedTuple):
    """What came of looking for a mate."""

    mates: Mapping[Color, tuple[MatingState, ...]]  #: for who can mate, the positions from the first to the mate
    cannot: frozenset[Color] = frozenset()  #: who has none, as nothing was left out
    positions: int = 0  #: so many were found


class Search:
    """A search for a mate by ``colour``, where ``guides`` take turns to say what to look at next; a mate by the other
    side is told as well where it comes to light.

    ``proofs``: so many positions at most are tried for walls behind which nothing need be looked at, for a long search:
    a proof costs as much as hundreds of positions.
    """

    def __init__(
        self, start: MatingState, colour: Color, tempo: Tempo, guides: Sequence[Guide], proofs: int = 0
    ) -> None:
        self.colour = colour
        self._proofs = proofs
        self._ranked = [_Ranked(start) for _ in guides]
        self._pushes = [(guide, ranked.push) for guide, ranked in zip(guides, self._ranked, strict=True)]
        self._tempo = tempo if colour in tempo.never else None
        self._before: dict[MatingState, tuple[MatingState | None, int]] = {start: (None, 0)}
        self._done: set[MatingState] = set()
        self._by_chance = _Kinds()
        self._number = 0
        self._late: set[MatingState] = set()
        self._left_out: set[Color] = set()
        self._mates: dict[Color, tuple[MatingState, ...]] = {}
        self._walls: dict[tuple[Bitboard, ...], list[tuple[bool, Bitboard, Bitboard]]] = {}

    def run(self, bound: int) -> Found:
        """Look at one position after another until the mate is found, nothing is left to look at, or about ``bound``
        positions are known."""
        cannot: frozenset[Color] = frozenset()
        while self.colour not in self._mates and len(self._before) <= bound:
            state = self._next()
            if state is None:
                if len(self._done) == len(self._before):
                    cannot = frozenset({True, False} - self._left_out - self._mates.keys())
                    break
            elif state not in self._done:
                self._done.add(state)
                self._look_at(state)
        return Found(self._mates, cannot, len(self._before))

    def _next(self) -> MatingState | None:
        """What to look at next, or None where chance or the guide has nothing left."""
        self._number += 1
        if self._number % TRIED == 0 and (state := self._by_chance.pop()):
            return state
        return self._ranked[self._number % len(self._ranked)].pop()

    def _look_at(self, state: MatingState) -> None:
        following = successors(state)
        if not following:
            if (not state[0]) not in self._mates and in_check(state):
                self._mates[not state[0]] = self._way(state)
            return
        before, colour, tempo = self._before, self.colour, self._tempo
        origin, depth = before[state]
        if origin is not None and _is_final(origin, state) and self._shut(state):
            self._left_out.add(not colour)
            return
        here, late, by_chance = (state, depth + 1), self._late, self._by_chance.push
        for after in following:
            if after in before or after in late:
                continue
            if tempo and tempo.late(after):
                late.add(after)
                self._left_out |= {True, False} - tempo.never
                continue
            before[after] = here
            for guide, push in self._pushes:
                rank = guide(after, colour)
                push(after, rank)
            by_chance(after, rank, depth)

    def _shut(self, state: MatingState) -> bool:
        """Whether it is proved, now or before, that no mate by the colour can stand from here on.

        What is known of a position holds wherever its kings might go, as long as all else stands.
        """
        if too_little(state, self.colour):
            return True
        _, white, black, *boards, kings, castling, passed = state
        but_kings = (white & ~kings, black & ~kings, *boards, castling, passed)
        known = self._walls.setdefault(but_kings, [])
        for shut, of_white, of_black in known:
            if kings & white & of_white and kings & black & of_black:
                return shut
        if not self._proofs:
            return False
        self._proofs -= 1
        reach = Reach(state)
        shut = not may_mate(reach, self.colour)
        if not reach.ends:
            known.append((shut, reach.kings[True].reach, reach.kings[False].reach))
        return shut

    def _way(self, last: MatingState) -> tuple[MatingState, ...]:
        way: list[MatingState] = []
        state: MatingState | None = last
        while state is not None:
            way.append(state)
            state = self._before[state][0]
        return tuple(reversed(way))


class _Ranked:
    """Positions in the order of their rank, the last one first among equals."""

    def __init__(self, start: MatingState) -> None:
        self.ranks: list[list[MatingState]] = [[start]]
        self.lowest = 0

    def push(self, state: MatingState, rank: int) -> None:
        ranks = self.ranks
        while len(ranks) <= rank:
            ranks.append([])
        ranks[rank].append(state)
        if rank < self.lowest:
            self.lowest = rank

    def pop(self) -> MatingState | None:
        while self.lowest < len(self.ranks):
            if states := self.ranks[self.lowest]:
                return states.pop()
            self.lowest += 1
        return None


class _Kinds:
    """Positions by their rank and their distance from the first: by chance, a kind is chosen, and one of it.

    Wherever a guide leads astray, so many positions look alike to it that it never gets away from them; they are all of
    few kinds.
    """

    def __init__(self) -> None:
        self.chance = Random(1)
        self.kinds: dict[tuple[int, int], list[MatingState]] = {}
        self.names: list[tuple[int, int]] = []

    def push(self, state: MatingState, rank: int, depth: int) -> None:
        kind = rank, depth
        if kind in self.kinds:
            self.kinds[kind].append(state)
        else:
            self.kinds[kind] = [state]
            self.names.append(kind)

    def pop(self) -> MatingState | None:
        if not self.names:
            return None
        number = int(self.chance.random() * len(self.names))
        states = self.kinds[self.names[number]]
        at = int(self.chance.random() * len(states))
        states[at], states[-1] = states[-1], states[at]
        state = states.pop()
        if not states:
            del self.kinds[self.names[number]]
            self.names[number] = self.names[-1]
            self.names.pop()
        return state


def _is_final(before: MatingState, after: MatingState) -> bool:
    """Whether a move can never be taken back: only then may it have shut the position."""
    return before[3] != after[3] or (before[1] | before[2]).bit_count() != (after[1] | after[2]).bit_count()
