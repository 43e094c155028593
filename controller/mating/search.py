"""A search for a mate that both sides want, through every position that legal moves reach.

It ends with the mate; or with no position left to look at, which proves that there is none; or at its bound. What is
looked at, and in which order, depends on nothing but the position.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from chess import Bitboard, Color

from controller.mating.guide import bare_king, caught_king, freed_pawn
from controller.mating.material import too_little
from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.state import State, in_check, successors
from controller.mating.tempo import Tempo

MANY_PAWNS = 8  #: with so many, one piece makes no mate that is soon found
PROOFS = 50  #: so many positions at most are proved shut by walls: a proof costs as much as hundreds of positions
TRIED = 6  #: every so many positions, one is looked at by chance and not as the guides have it

Guide = Callable[[State, Color], int]


class Found(NamedTuple):
    """What came of looking for a mate."""

    mates: Mapping[Color, tuple[State, ...]]  #: for who can mate, the positions from the first to the mate
    cannot: frozenset[Color] = frozenset()  #: who has none, as nothing was left out
    positions: int = 0  #: so many were found


class Search:
    """A search for a mate by each of these colours; a mate by the other side is told as well where it comes to light.

    With a ``guide``, that alone chooses what to look at next. Without, all that are of use take turns, and nothing is
    looked at behind walls that allow none of these mates: for a long search.
    """

    def __init__(self, start: State, colours: Iterable[Color], tempo: Tempo, guide: Guide | None = None) -> None:
        self.wanted = list(dict.fromkeys(colours))
        self._mates: dict[Color, tuple[State, ...]] = {}
        self._cannot: frozenset[Color] = frozenset()
        self._guides = (guide,) if guide else _suited(start)
        self._stacks = {(guide, colour): _Stacks() for guide in self._guides for colour in self.wanted}
        for stacks in self._stacks.values():
            stacks.push(start, 0)
        self._before: dict[State, tuple[State | None, int]] = {start: (None, 0)}
        self._done: set[State] = set()
        self._by_chance = _Kinds()
        self._left_out: set[Color] = set()
        self._number = 0
        self._proofs = {} if guide else {colour: _Proofs(colour) for colour in self.wanted}
        self._tempo = tempo if tempo.never.issuperset(self.wanted) else None

    def run(self, bound: int) -> "Found":
        """Look at one position after another until everything wanted is found, nothing is left to look at, or about
        ``bound`` positions are known."""
        while self.wanted and len(self._before) <= bound:
            state = self._next()
            if state is None:
                if len(self._done) == len(self._before):
                    self._cannot = frozenset({True, False} - self._left_out - self._mates.keys())
                    break
            elif state not in self._done:
                self._done.add(state)
                self._look_at(state)
        return Found(self._mates, self._cannot, len(self._before))

    def _next(self) -> State | None:
        self._number += 1
        if self._number % TRIED == 0 and (state := self._by_chance.pop()):
            return state
        guides, wanted = self._guides, self.wanted
        turn = self._number
        return self._stacks[guides[turn % len(guides)], wanted[turn // len(guides) % len(wanted)]].pop()

    def _look_at(self, state: State) -> None:
        following = successors(state)
        if not following:
            mating = not state[0]
            if mating not in self._mates and in_check(state):
                self._mates[mating] = self._way(state)
                if mating in self.wanted:
                    self.wanted.remove(mating)
            return
        before, wanted, tempo = self._before, self.wanted, self._tempo
        origin, depth = before[state]
        if origin is not None and _is_final(origin, state) and all(self._shut(state, colour) for colour in wanted):
            self._left_out |= {True, False}.difference(wanted)
            return
        depth += 1
        pushes = [(guide, colour, self._stacks[guide, colour].push) for colour in wanted for guide in self._guides]
        for after in following:
            if after in before:
                continue
            if tempo and tempo.late(after):
                self._left_out |= {True, False}.difference(wanted)
                continue
            before[after] = (state, depth)
            for guide, colour, push in pushes:
                rank = guide(after, colour)
                push(after, rank)
            self._by_chance.push(after, rank, depth)

    def _shut(self, state: State, colour: Color) -> bool:
        """Whether it is certain that no mate by that colour is reached from here."""
        return too_little(state, colour) or (colour in self._proofs and self._proofs[colour].shut(state))

    def _way(self, last: State) -> tuple[State, ...]:
        way: list[State] = []
        state: State | None = last
        while state is not None:
            way.append(state)
            state = self._before[state][0]
        return tuple(reversed(way))


def _suited(start: State) -> Sequence[Guide]:
    """All guides that are of use."""
    # With hardly more than pawns, there is nothing there yet to mate with.
    pieces = (start[4] | start[5] | start[6] | start[7]).bit_count()
    bare = pieces == 0 or (pieces == 1 and start[3].bit_count() >= MANY_PAWNS)
    return (bare_king, freed_pawn) if bare else (bare_king, caught_king, freed_pawn)


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


class _Kinds:
    """Positions by their rank and their distance from the first: by chance, a kind is chosen, and one of it.

    Wherever a guide leads astray, so many positions look alike to it that it never gets away from them; they are all of
    few kinds.
    """

    def __init__(self) -> None:
        self.chance = Random(1)
        self.kinds: dict[tuple[int, int], list[State]] = {}
        self.names: list[tuple[int, int]] = []

    def push(self, state: State, rank: int, depth: int) -> None:
        kind = rank, depth
        if kind in self.kinds:
            self.kinds[kind].append(state)
        else:
            self.kinds[kind] = [state]
            self.names.append(kind)

    def pop(self) -> State | None:
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
