"""What looked like a touch, and was none: a sleeve, a piece put straight, a hand that leaves after its move.

The Laws judge each edge as it comes: a piece counts as touched when another is set down before it is back, and a piece
that stands counts as released when one of the opponent's leaves. Only later edges show that nobody touched it. So where
somebody is accused, the world without these edges is looked at, too.
"""

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import TypeAlias

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.pricing import rates_of
from controller.belief.relived import begun_again
from controller.belief.world import World
from controller.laws import step
from controller.laws.fallen import landing, may_have_fallen
from controller.laws.state import State
from controller.sensing import costs
from controller.sensing.difference import LEGAL
from controller.sensing.readings import FITS
from controller.sensing.trace import Edge, away_and_back, brushes, came_and_left, seen_late, straddles

Flicker: TypeAlias = tuple[chess.Square, c.Ms]
"""A square, and when it opened, or closed."""


CHATTERS, CHATTER_MS, LATELY = 3, 180_000, 400
"""A sensor chatters that opened so often for hardly longer than a brush, within so many ms and so many edges, and at
least as often as all others together. Guesses."""

HARDLY_LONGER = 2
"""Open for less than so many brushes is hardly longer than one. A guess."""

CHATTER_LASTS = 3
"""So many releases may such a square stay open and still show nothing but its sensor. A guess."""

AFTERWARDS_MS, STRAIGHTENS_MS = 1000, 600
"""A player puts the piece that he has just moved straight within this time of its release, or of his press, and holds
it for less than the other. Guesses."""

BRIEFLY = 2
"""A piece that stands on a square for less than a brush divided by this only passes over it. A guess."""


def harmless_since(world: World, base: int, except_on: int = 0) -> tuple[set[Flicker], float]:
    """The edges since step ``base`` that may be no touch by the player having the move, and what it costs to believe
    so; not on the squares ``except_on``, a bitboard. They may be of a piece that

    - left and came back within a brush, or was put straight (4.2);
    - was moved before the press, or put straight soon after it, by the player who had made his move;
    - was back sooner than a lost scan shows, or whose sensor chatters;
    - stood on the edge of two squares, and showed on both.
    """
    past = world.past[base:]
    edges = world.state.trace[len(past[0].before.trace) :]
    states = [lived.before for lived in past]
    before = [s for s, then in pairwise([*states, world.state]) for _ in range(len(then.trace) - len(s.trace))]
    harmless, cost = set[Flicker](), 0.0
    fallen: list[tuple[c.Ms, c.Ms]] = []  # when pieces that were knocked over fell, and were put back
    for number, back in away_and_back(edges):
        left, came, s = edges[number], edges[back], before[number]
        if s.readings[left.square] != came.seen or except_on & BB_SQUARES[left.square]:
            continue  # another piece came
        brushed = came.ms - left.ms < s.brush_ms
        others = left.white is None and _may_have_moved(left, s, before[back])
        straightened = s.has_announced(s.turn.side, left.ms) and not _stood_elsewhere(edges[number : back + 1], s)
        afterwards = left.white is None and _straightened_afterwards(left, came, s)
        lost = world.state.pace.by_scans and seen_late(edges, back)  # it may have been back sooner, after a brush
        chattered = came.ms - left.ms < CHATTER_LASTS * s.release_ms and _chatters(world.state, left)
        if brushed or others or straightened or afterwards or chattered or lost:
            harmless |= _flickers(left, came)
            if not (brushed or straightened):
                leaving = others or afterwards
                cost += costs.LEAVING if leaving else costs.CHATTERED if chattered else rates_of(s).lost
            if others and left.square != landing(s):
                fallen.append((left.ms, came.ms))  # the piece just moved does not fall over: it may be moved on
    for number, gone in came_and_left(edges):
        came, left = edges[number], edges[gone]
        if came.white is not None:
            continue
        stayed = left.ms - came.ms >= before[number].brush_ms // BRIEFLY
        if stayed and straddles(world.state.trace, len(past[0].before.trace) + number):
            harmless |= _flickers(came, left)
            cost += costs.STRADDLING
        elif any(fell <= came.ms and left.ms <= back for fell, back in fallen):
            harmless |= _flickers(came, left)  # the fallen piece rolled over that square
    return harmless, cost


def _chatters(s: State, left: Edge) -> bool:
    """Whether the sensor of that square had chattered when it opened with that edge."""
    began = left.ms - CHATTER_MS
    edges = [edge for edge in s.trace[-LATELY:] if began <= edge.ms < left.ms]
    brushed = [edges[opened].square for opened, _ in brushes(edges, HARDLY_LONGER * s.brush_ms)]
    return brushed.count(left.square) >= max(CHATTERS, len(brushed) / 2)


def _flickers(*edges: Edge) -> set[Flicker]:
    return {(edge.square, edge.ms) for edge in edges}


def _stood_elsewhere(edges: Sequence[Edge], s: State) -> bool:
    """Whether the piece that left with the first of these edges and came back with the last was set down elsewhere in
    between: then it was not put straight, but touched (4.3)."""
    return any(
        edges[gone].ms - edges[came].ms >= s.brush_ms
        and s.position.symbol(edges[came].square) not in FITS[edges[came].seen]
        for came, gone in came_and_left(edges)
    )


def _may_have_moved(edge: Edge, left: State, back: State) -> bool:
    """Whether the player who had just set down his move, and not pressed yet, may have taken up a piece with that edge;
    ``left`` and ``back`` are the states when it left and when it was back. Without a clock: the move stands for less
    time than the opponent needs to reply, or the piece is the moved one, which he puts straight."""
    passes = edge.square == landing(left) and edge.ms - left.turn.stands_since < left.brush_ms
    stands = left.turn.difference.kind in LEGAL and not passes
    if left.clock is not None and back.clock is not None:
        running = left.clock.running
        return running is not None and running == back.clock.running and (stands or running != left.turn.side)
    return may_have_fallen(left, edge.square, edge.ms)


def _straightened_afterwards(left: Edge, came: Edge, s: State) -> bool:
    """Whether the player who moved last may have put his piece straight between these edges, though his turn was over:
    soon after its release, or his press, for less time than another hand needs to take it up and let go, and while the
    opponent holds nothing yet."""
    last = s.last()
    if last is None or last.side == s.turn.side or not last.released & BB_SQUARES[left.square] or s.gone():
        return False
    let_go = max(last.ms, last.done if last.completed_by_press else 0)
    return left.ms - let_go <= AFTERWARDS_MS and came.ms - left.ms < STRAIGHTENS_MS


def without(world: World, base: int, changes: Set[Flicker], cost: float) -> World:
    """The world, dearer by ``cost``, lived through again from step ``base`` without these edges: they touched and
    released nothing."""
    lived = begun_again(world, base, cost)
    for one in world.past[base:]:
        lived = lived.living(replace(one, item=_less(one.item, changes, lived.state)))
    return lived


def _less(item: step.Item, changes: Set[Flicker], s: State) -> step.Item:
    """The item without these edges; ``s``: the state in which it comes."""
    if isinstance(item, c.Lift | c.Place):
        change = step.square_of(s, item), max(s.now, item.ms)
        return c.Time(ms=item.ms) if change in changes else item
    if type(item) is not step.Settled:
        return item
    at = {ms: sum(BB_SQUARES[square ^ s.turned] for square, when in changes if when == ms) for ms, _ in item.flips}
    left = [(ms, mask & ~at[ms]) for ms, mask in item.flips]
    return replace(item, flips=tuple([(ms, mask) for ms, mask in left if mask]))
