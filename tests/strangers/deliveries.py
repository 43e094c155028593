"""What a board reports: touches one by one, or frames of all squares, with bounces, losses and dead sensors."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from strangers.hands import Hands
from strangers.wood import Act, Line, Way

SLOW_MS = 200
BOUNCE_MS = 6
LOST = 0.05  #: the share of changed frames that are lost


class Gap(NamedTuple):
    """Between these milliseconds no frame comes."""

    start: int
    end: int


class Frame(NamedTuple):
    """Which squares are occupied, as a bitboard; None: as in the frame before."""

    ms: int
    occupied: int | None


class Seen(NamedTuple):
    """A log, its first line the session, and the frames in it, if it has any."""

    lines: list[Line]
    frames: list[Frame]


def seen(hands: Hands, gaps: Sequence[Gap] = (), holds: Sequence[int] = ()) -> Seen:
    """The log of all that happened. ``holds``: when a frame comes though nothing changed."""
    way = hands.way
    head: Line = {
        "type": "session", "version": 1, "laws": way.laws, "play": way.play, "fen": way.fen, "senses": way.senses,
        "clock": way.clock,
    }  # fmt: skip
    acts = sorted(hands.acts, key=lambda act: (act.ms, act.number))
    if not way.framed:
        return Seen([head, *(_touch(act, way) for act in acts if act.line or act.square != way.dead)], [])
    frames = _kept(hands, _slow(hands, acts) if way.delivery == "slow" else _quick(hands, acts, holds), gaps)
    lines = [(ms, 0, {"ms": ms, "type": "frame", "occupied": f"{occupied:016x}"}) for ms, occupied in frames]
    lines += [(act.ms, 1, {"ms": act.ms, **act.line}) for act in acts if act.line]
    lines.sort(key=lambda line: line[:2])
    return Seen([head, *(line for _, _, line in lines)], frames)


def _touch(act: Act, way: Way) -> Line:
    if act.line:
        return {"ms": act.ms, **act.line}
    line: Line = {"ms": act.ms, "type": act.kind, "square": chess.SQUARE_NAMES[act.square]}
    if act.kind == "place" and way.senses != "occupancy":
        line["piece"] = act.piece if way.senses == "identity" else "w" if act.piece.isupper() else "b"
    if act.by:
        line["side"] = act.by
    return line


def _changed(occupied: int, act: Act) -> int:
    bit = 1 << act.square
    return occupied | bit if act.kind == "place" else occupied & ~bit


def _occupied_at_first(hands: Hands) -> int:
    return sum(1 << square for square, piece in enumerate(hands.at_first) if piece)


def _slow(hands: Hands, acts: list[Act]) -> list[Frame]:
    """A scan each 200 ms; some boards report each, some only those that differ."""
    touches = [act for act in acts if not act.line]
    occupied = _occupied_at_first(hands)
    end = (acts[-1].ms if acts else 0) + 300
    each = hands.rng.random() < 0.5
    before, number = None, 0
    frames: list[Frame] = []
    for ms in range(0, end + SLOW_MS, SLOW_MS):
        while number < len(touches) and touches[number].ms <= ms:
            occupied = _changed(occupied, touches[number])
            number += 1
        if occupied != before or each:
            frames.append(Frame(ms, occupied))
        before = occupied
    return frames


def _quick(hands: Hands, acts: list[Act], holds: Sequence[int]) -> list[Frame]:
    """Scans each 5 or 10 ms, of which those come that differ; contacts may bounce for some milliseconds."""
    way = hands.way
    touches = [act for act in acts if not act.line]
    step = 5 if way.delivery in ("bounce", "stuck", "swap") else 10
    bounce = BOUNCE_MS if way.delivery == "bounce" else 0
    scans = {0}
    for act in touches:
        scans.update(range(-(-act.ms // step) * step, act.ms + bounce + step + 1, step))
    occupied, number = _occupied_at_first(hands), 0
    unsettled: list[Act] = []
    frames: list[Frame] = []
    for ms in sorted(scans):
        while number < len(touches) and touches[number].ms <= ms:
            occupied = _changed(occupied, touches[number])
            unsettled.append(touches[number])
            number += 1
        unsettled = [act for act in unsettled if ms < act.ms + bounce]
        shown = occupied
        for act in unsettled:
            if hands.rng.random() < 0.5:
                shown ^= 1 << act.square
        if not frames or frames[-1].occupied != shown:
            frames.append(Frame(ms, shown))
    frames += [Frame(ms, None) for ms in holds]
    return sorted(frames, key=lambda frame: frame.ms)


def _kept(hands: Hands, frames: list[Frame], gaps: Sequence[Gap]) -> list[Frame]:
    """The frames that arrive, as a dead sensor lets them look."""
    way = hands.way
    kept: list[Frame] = []
    last = _occupied_at_first(hands)
    for number, (ms, shown) in enumerate(frames):
        occupied = last = last if shown is None else shown
        if way.dead is not None:
            bit = 1 << way.dead
            occupied = occupied | bit if way.kind == "stuck-closed" else occupied & ~bit
            if kept and kept[-1].occupied == occupied:
                continue
        if any(start < ms < end for start, end in gaps):
            continue
        if way.delivery == "missing" and number and hands.rng.random() < LOST:
            continue
        kept.append(Frame(ms, occupied))
    return kept
