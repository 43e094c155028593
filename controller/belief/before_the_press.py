"""What the first look after a press shows may have been done before the press, if looks that showed it were lost."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.pricing import rates_of
from controller.belief.relived import begun_again
from controller.belief.world import Lived, World
from controller.laws import step
from controller.laws.state import State, turned
from controller.position import EMPTY, squares
from controller.sensing import costs

NO_HAND_MS = 200
"""No hand that has pressed the clock sets a piece down so soon after that. A guess."""

TOGETHER = 4
"""At most so many squares of one look are divided into before and after: those of a move and of the next one."""


def before_the_press(world: World, ms: c.Ms) -> Iterator[World]:
    """The worlds in which a part of what the last look shows was done before the last press, at ``ms``. All of it
    only where the look came too soon for a hand; else something must be left for after the press, or nothing tells that
    a look was lost."""
    look, number = world.past[-1].item, _pressed(world.past, ms)
    if number is None or type(look) is not step.Settled or len(look.flips) != 1:
        return
    s, shown = world.past[number].before, look.flips[0][1]
    changed = list(squares(turned(shown) if s.turned else shown))
    if len(changed) > TOGETHER:
        return
    quick = look.ms < ms + NO_HAND_MS
    for many in range(1, len(changed) + quick):
        for part in combinations(changed, many):
            done = sum(BB_SQUARES[square] for square in part)
            left = many > 1 and any(s.readings[square] != EMPTY for square in part)
            yield _parted(world, number, look, turned(done) if s.turned else done, _price(s, left))


def _pressed(past: Sequence[Lived], ms: c.Ms) -> int | None:
    """The number of the step with the press at ``ms``; None where it is no longer kept."""
    numbers = range(len(past) - 1, -1, -1)
    return next((n for n in numbers if type(past[n].item) is c.Press and past[n].item.ms == ms), None)


def _price(s: State, left: bool) -> float:
    """What it costs that the look was lost that showed a piece set down; and, if that piece also ``left`` its square
    unseen, that another look was lost: only a board that is scanned slowly may show both in one. A board that has lost
    one look loses more."""
    known, thought = rates_of(s), costs.SCANNED if s.pace.loses else costs.WHOLE
    again = min(known.again, thought.again) if left and not s.pace.slow else 0.0
    return min(known.lost, thought.lost) + again


def _parted(world: World, number: int, look: step.Settled, done: int, cost: float) -> World:
    """The world, dearer by ``cost``, in which the squares ``done`` of the last look changed before the press, which is
    step ``number``. ``done`` is a bitboard as the board has it."""
    pressed, last = world.past[number], world.past[-1]
    ms, rest = pressed.item.ms, tuple([(at, mask & ~done) for at, mask in look.flips])
    early, late = replace(look, ms=ms, flips=((ms, done),)), replace(look, flips=rest)
    lived = begun_again(world, number, cost)
    for one in (replace(pressed, item=early), *world.past[number:-1], replace(last, item=late)):
        lived = lived.living(one)
    return lived
