"""What a board makes of the hands: debounced touches, raw scans, or switches that close and open.

The inputs are those of the contract, so they can go straight into a session log, a game, or the electrical board.
"""

import random
from collections.abc import Iterable, Iterator

import chess

from controller.contract import Adjust, AnyInput, Choose, Contact, Frame, Lift, Place, Press, Senses
from hardware.simulator.habits import Gesture

REST_MS = 2_000  #: how long a scanned board is watched after the last gesture


def touches(gestures: Iterable[Gesture], senses: Senses) -> Iterator[AnyInput]:
    """The debounced edges and buttons as a board of this kind reports them.

    A piece exchanged within one millisecond leaves no ``lift``, and on an occupancy board no ``place`` either.
    """
    gestures = list(gestures)
    exchanged = _exchanged(gestures)
    for gesture in gestures:
        swap = (gesture.ms, gesture.square) in exchanged
        if gesture.kind == "place" and not (swap and senses == "occupancy"):
            yield Place(ms=gesture.ms, square=chess.SQUARE_NAMES[gesture.square], piece=_shown(gesture.piece, senses))
        elif gesture.kind == "lift" and not swap:
            yield Lift(ms=gesture.ms, square=chess.SQUARE_NAMES[gesture.square])
        elif gesture.kind == "contact":
            yield Contact(ms=gesture.ms, square=chess.SQUARE_NAMES[gesture.square])
        elif gesture.square < 0:
            yield from _button(gesture, senses)


def scans(
    gestures: Iterable[Gesture],
    start: chess.Board,
    period_ms: int,
    *,
    bounce_ms: int = 0,
    missing: float = 0.0,
    seed: int = 0,
    idle: bool = True,
) -> Iterator[AnyInput]:
    """Raw scans of occupancy, one each ``period_ms`` from 0 to :data:`REST_MS` after the last gesture, and the buttons.

    ``bounce_ms``: after each edge its square chatters for up to so long. ``missing``: the share of scans that never
    arrive, the first excepted. ``idle=False`` leaves out scans equal to the one before, which by the contract holds on.
    """
    gestures = list(gestures)
    rng = random.Random(seed)
    edges = _chatter(switches(gestures), bounce_ms, rng)
    buttons = iter([item for gesture in gestures if gesture.square < 0 for item in _button(gesture, "occupancy")])
    edge, button = next(edges, None), next(buttons, None)
    occupied, sent = start.occupied, -1
    for now in range(0, (gestures[-1].ms if gestures else 0) + REST_MS, period_ms):
        while button and button.ms < now:
            yield button
            button = next(buttons, None)
        while edge and edge[0] <= now:
            occupied = occupied | chess.BB_SQUARES[edge[1]] if edge[2] else occupied & ~chess.BB_SQUARES[edge[1]]
            edge = next(edges, None)
        if (idle or occupied != sent) and not (now and missing and rng.random() < missing):
            yield Frame(ms=now, occupied=f"{occupied:016x}")
            sent = occupied


def switches(gestures: Iterable[Gesture]) -> Iterator[tuple[int, chess.Square, bool]]:
    """The sensors under the squares: (ms, square, closed), in order; nothing for a piece exchanged within 1 ms."""
    gestures = list(gestures)
    exchanged = _exchanged(gestures)
    for gesture in gestures:
        if gesture.kind in ("lift", "place") and (gesture.ms, gesture.square) not in exchanged:
            yield gesture.ms, gesture.square, gesture.kind == "place"


def _exchanged(gestures: list[Gesture]) -> set[tuple[int, chess.Square]]:
    lifts = {(gesture.ms, gesture.square) for gesture in gestures if gesture.kind == "lift"}
    return lifts & {(gesture.ms, gesture.square) for gesture in gestures if gesture.kind == "place"}


def _shown(piece: str, senses: Senses) -> str | None:
    if senses == "occupancy":
        return None
    return piece if senses == "identity" else "w" if piece.isupper() else "b"


def _button(gesture: Gesture, senses: Senses) -> Iterator[AnyInput]:
    if gesture.kind == "press":
        yield Press(ms=gesture.ms, side=gesture.side)
    elif gesture.kind == "adjust":
        yield Adjust(ms=gesture.ms, side=gesture.side)
    elif gesture.kind == "choose" and senses != "identity":
        yield Choose(ms=gesture.ms, side=gesture.side, piece=gesture.piece)  # type: ignore[arg-type]


def _chatter(
    edges: Iterable[tuple[int, chess.Square, bool]], bounce_ms: int, rng: random.Random
) -> Iterator[tuple[int, chess.Square, bool]]:
    """Each edge with its bounce: the contact flies open and shut for up to ``bounce_ms``, and ends as it should."""
    chattered = []
    for ms, square, closed in edges:
        bounces = sorted(rng.sample(range(ms + 1, ms + bounce_ms + 1), rng.randint(0, bounce_ms // 2) * 2))
        chattered += [(at, square, closed == bool(turn % 2)) for turn, at in enumerate(bounces)]
        chattered.append((ms, square, closed))
    return iter(sorted(chattered, key=lambda edge: edge[0]))
