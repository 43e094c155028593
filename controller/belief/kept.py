"""Which worlds are kept: of those that agree one, and of too many those that differ most. Who is accused of nothing by
one of those that agree is not accused, where nothing that comes will tell which of them is true.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from controller import contract as c
from controller.belief.odds import TAIL
from controller.belief.reporter import Meaning
from controller.belief.world import World
from controller.sensing import costs

MOST = 32
"""Worlds that are kept."""

MOST_OF_MATCH = 16
"""The same of a match, where each takes longer to go on, as pieces may have to be named."""

ALIKE = 0.1
"""Worlds whose costs differ by no more, in nats, are as likely as each other."""


def kept(worlds: list[World], told: Collection[Meaning]) -> list[World]:
    """The worlds worth keeping, cheapest first; of those that agree the cheapest, or another nearly as cheap that holds
    less against anybody beside what was ``told``: nothing that comes will tell which it was."""
    different = sorted(worlds, key=lambda world: world.dear)
    for sameness in (_with_accusations, _of_late):
        alike: dict[tuple[object, ...], list[World]] = {}
        for world in different:
            alike.setdefault(sameness(world), []).append(world)
        different = sorted([_least_accusing(each, told) for each in alike.values()], key=lambda world: world.dear)
    likely = [world for world in different if world.dear <= different[0].dear + costs.MARGIN]
    most = MOST if worlds[0].state.board is None else MOST_OF_MATCH
    return likely if len(likely) <= most else _most_unlike(likely, most)


def _least_accusing(worlds: Sequence[World], told: Collection[Meaning]) -> World:
    """Of the cheapest and those nearly as cheap the one that holds least against anybody. Penalties do not count, which
    follow, nor what everybody has heard."""
    likely = [world for world in worlds if world.dear <= worlds[0].dear + costs.SURE]

    def unheard(world: World) -> int:
        return sum(held[0] is not c.Penalty and held not in told for held in world.story.held)

    return min(likely, key=unheard) if len(likely) > 1 else likely[0]


def _most_unlike(worlds: list[World], most: int) -> list[World]:
    """Of too many worlds, cheapest first, those to be kept: of some that are as likely those that hold other moves to
    have been made. Two captures that nobody saw, of six pieces each, are 36 worlds, and each of the twelve is kept."""
    chosen: list[World] = []
    held: Counter[tuple[int, str]] = Counter()
    made = {id(world): [(each.ply, each.move.uci()) for each in world.state.made[-TAIL:]] for world in worlds}
    left = list(worlds)
    while left and len(chosen) < most:
        alike = [world for world in left if world.dear <= left[0].dear + ALIKE]
        world = min(alike, key=lambda world: sum(held[move] for move in made[id(world)]))
        held.update(made[id(world)])
        chosen.append(world)
        left.remove(world)
    return chosen


def _now(world: World) -> tuple[object, ...]:
    """How it stands in one of them."""
    s = world.state
    return (
        s.position.key(),
        s.position.board.castling_rights,
        len(s.made),
        s.mismatch,
        s.faulty,
        s.result is None,
        tuple([touch.square for touch in s.turn.touches]),
        s.clock is not None and s.clock.running,
    )


def _with_accusations(world: World) -> tuple[object, ...]:
    """Equal for worlds from which the game goes on alike, with the same accusations."""
    s = world.state
    return *_now(world), s.counts["white"], s.counts["black"], len(s.notices), world.story.accused


def _of_late(world: World) -> tuple[object, ...]:
    """Equal for worlds that do not differ any more but in what somebody is held to have done before the last moves."""
    s = world.state
    return *_now(world), tuple([made.move for made in s.made[-TAIL:]]), s.both_left(), world.accused_of_late
