"""What looked like a touch, and was none: a sleeve, a piece put straight, a hand that leaves after its move.

The Laws go by each edge as it comes, and hold a piece for touched when another is set down before it is back, and what
stands for released when one of the opponent's leaves. That nobody touched it shows only later: where somebody is
accused, the world in which it is left out is looked at, too.
"""

from collections.abc import Set
from itertools import pairwise
from typing import TypeAlias

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.laws import step
from controller.laws.state import State
from controller.relived import anew
from controller.sensing import costs
from controller.sensing.trace import away_and_back
from controller.world import World

Flicker: TypeAlias = tuple[chess.Square, c.Ms]
"""A square, and when it opened, or closed."""


def harmless_since(world: World, base: int) -> tuple[set[Flicker], float]:
    """Where pieces left their squares since that step and came back, without being touched by the player having the
    move: for less than a brush, or put straight (4.2), or before the clock was pressed, by whoever had moved. And what
    it costs to believe so."""
    past = world.past[base:]
    edges = world.state.trace[len(past[0].before.trace) :]
    states = [lived.before for lived in past]
    before = [s for s, then in pairwise([*states, world.state]) for _ in range(len(then.trace) - len(s.trace))]
    harmless, cost = set[Flicker](), 0.0
    for number, back in away_and_back(edges):
        left, came, s = edges[number], edges[back], before[number]
        if s.readings[left.square] != came.seen:
            continue  # it is another piece
        brushed = came.ms - left.ms < s.settings.brush_ms
        others = left.white is None and _unpressed(s) and _unpressed(before[back])
        if brushed or others or s.has_announced(s.turn.side, left.ms):
            harmless |= {(left.square, left.ms), (came.square, came.ms)}
            cost += 0.0 if brushed else costs.LEAVING * others
    return harmless, cost


def _unpressed(s: State) -> bool:
    """Whether the player who has moved has not pressed the clock yet."""
    return s.clock is not None and s.clock.running not in (None, s.turn.side)


def without(world: World, base: int, changes: Set[Flicker], cost: float) -> World:
    """The world, dearer by ``cost``, in which these changes since that step show nothing: nobody was touched, nor
    anything released."""
    first = world.past[base]
    lived = World(anew(first.before, world.state), first.cost + cost, world.past[:base], first.story)
    for one in world.past[base:]:
        lived = lived.living(replace(one, item=_less(one.item, changes, lived.state)))
    return lived


def _less(item: step.Item, changes: Set[Flicker], s: State) -> step.Item:
    """That item, which comes where things stand so, without these changes."""
    if isinstance(item, c.Lift | c.Place):
        change = step.square_of(s, item), max(s.now, item.ms)
        return c.Time(ms=item.ms) if change in changes else item
    if type(item) is not step.Settled:
        return item
    at = {ms: sum(BB_SQUARES[square ^ s.turned] for square, when in changes if when == ms) for ms, _ in item.flips}
    left = [(ms, mask & ~at[ms]) for ms, mask in item.flips]
    return replace(item, flips=tuple([(ms, mask) for ms, mask in left if mask]))
