"""Which worlds are kept: of worlds that agree one, and of too many those that differ most. Where worlds agree, no input
will tell which is true; so a player whom one of them does not accuse is not accused.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from controller import contract as c
from controller.belief.odds import TAIL
from controller.belief.reporter import Meaning
from controller.belief.world import World
from controller.sensing import costs

MOST = 32
"""At most so many worlds are kept."""

MOST_OF_MATCH = 16
"""The same in a match, where each step of a world takes longer, as pieces may have to be named."""

ALIKE = 0.1
"""Worlds whose costs differ by no more than this, in nats, count as equally likely."""


def kept(worlds: list[World], told: Collection[Meaning]) -> list[World]:
    """The worlds worth keeping, cheapest first. Of worlds that agree it is the cheapest, or one nearly as cheap that
    holds fewer accusations besides those ``told``, as no input will tell which is true."""
    different = sorted(worlds, key=lambda world: world.dear)
    first = worlds[0].state
    names_open = first.board is not None and first.senses != "identity"
    for sameness in (_with_accusations, _of_late, *([_but_for_names] if names_open else [])):
        alike: dict[tuple[object, ...], list[World]] = {}
        for world in different:
            alike.setdefault(sameness(world), []).append(world)
        different = sorted([_least_accusing(each, told) for each in alike.values()], key=lambda world: world.dear)
    likely = [world for world in different if world.dear <= different[0].dear + costs.MARGIN]
    most = MOST if first.board is None else MOST_OF_MATCH
    return likely if len(likely) <= most else _most_unlike(likely, most)


def _least_accusing(worlds: Sequence[World], told: Collection[Meaning]) -> World:
    """Of the cheapest world and those nearly as cheap, the one with the fewest accusations. Penalties do not count, as
    they follow from accusations, nor what was ``told``."""
    likely = [world for world in worlds if world.dear <= worlds[0].dear + costs.SURE]

    def unheard(world: World) -> int:
        return sum(held[0] is not c.Penalty and held not in told for held in world.story.held)

    return min(likely, key=unheard) if len(likely) > 1 else likely[0]


def _most_unlike(worlds: list[World], most: int) -> list[World]:
    """The worlds to keep of too many, which come cheapest first: among equally likely ones, those whose moves differ
    from those chosen before. Two captures that nobody saw, of six pieces each, make 36 worlds; so each of the twelve
    possible moves is kept in some world."""
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


def _as_it_stands(world: World) -> tuple[object, ...]:
    """How the game stands in a world: equal where it goes on alike."""
    return world.state.position.key(), *_beside_the_pieces(world)


def _beside_the_pieces(world: World) -> tuple[object, ...]:
    """The same but for which pieces stand where."""
    s = world.state
    return (
        s.position.board.castling_rights,
        len(s.made),
        s.mismatch,
        s.faulty,
        s.result is None,
        tuple([touch.square for touch in s.turn.touches]),
        s.clock is not None and s.clock.running,
    )


def _with_accusations(world: World) -> tuple[object, ...]:
    """Equal for worlds in which the game stands alike, with as many accusations."""
    s = world.state
    return *_as_it_stands(world), s.counts["white"], s.counts["black"], len(s.notices), world.story.accused


def _of_late(world: World) -> tuple[object, ...]:
    """Equal for worlds that differ only in what somebody is accused of before the last moves."""
    s = world.state
    return *_as_it_stands(world), tuple([made.move for made in s.made[-TAIL:]]), s.both_left(), world.accused_of_late


def _but_for_names(world: World) -> tuple[object, ...]:
    """Equal for worlds of a match that differ only in what dropped pieces are, which the board does not show: they are
    named anew when play shows it."""
    s = world.state
    moves = [(made.move.from_square, made.move.to_square, bool(made.move.drop)) for made in s.made[-TAIL:]]
    return tuple(s.position.board.occupied_co), *_beside_the_pieces(world), tuple(moves), world.accused_of_late
