"""What a board makes of it: edges, or raw scans with bounce, with scans missing, with a cable out, with a dead sensor.

A log is a list of the contract's lines as dicts: the session first.
"""

import dataclasses
import random
from collections.abc import Iterable, Iterator

import chess

from guests.wood import Wood

Line = dict[str, object]
SCAN_MS = 5  #: a board of wires, scanned often
SLOW_MS = 200  #: the boards in the field that are scanned five times a second


def log(session: Line, lines: Iterable[Line]) -> list[Line]:
    """The session line and what follows, in time."""
    return [{"type": "session", "version": 1, **session}, *sorted(lines, key=lambda line: int(str(line["ms"])))]


def edges(wood: Wood, start: chess.Board, senses: str) -> list[Line]:
    """What a board reports that sends every change."""
    stands = {square: piece.symbol() for square, piece in start.piece_map().items()}
    lines: list[Line] = []
    for ms, square, piece in sorted(wood.changes, key=lambda change: change[0]):
        before, stands[square] = stands.get(square, ""), piece
        seen = looks(piece, senses)
        if seen == looks(before, senses):
            continue
        if not piece:
            lines.append({"ms": ms, "type": "lift", "square": chess.square_name(square)})
        else:
            line: Line = {"ms": ms, "type": "place", "square": chess.square_name(square)}
            lines.append(line if senses == "occupancy" else {**line, "piece": seen})
    return lines + wood.words


def edges_by_looks(wood: Wood, start: chess.Board, senses: str, phase_ms: int) -> list[Line]:
    """The same of a board that looks at its squares every 200 ms: what came and went between two looks shows nothing,
    and what one look shows is told in the order of the squares."""
    ticks: dict[int, dict[chess.Square, str]] = {}
    for ms, square, piece in sorted(wood.changes, key=lambda change: change[0]):
        ticks.setdefault(-(-(ms - phase_ms) // SLOW_MS) * SLOW_MS + phase_ms, {})[square] = piece
    looked = [(ms, square, piece) for ms, changes in ticks.items() for square, piece in sorted(changes.items())]
    return edges(dataclasses.replace(wood, changes=looked), start, senses)


def looks(piece: str, senses: str) -> str:
    """What a square shows."""
    if not piece or senses == "identity":
        return piece
    return "x" if senses == "occupancy" else "w" if piece.isupper() else "b"


def scans(
    wood: Wood,
    start: chess.Board,
    every_ms: int = SCAN_MS,
    bounce_ms: int = 0,
    seed: int = 0,
    fails_ms: int | None = None,
) -> list[Line]:
    """Raw scans of a board that sees occupancy, each ``every_ms`` while something changes, and now and then at rest.

    Contacts bounce for up to ``bounce_ms`` after each change. Of a sensor that fails at ``fails_ms`` something changes
    then, too.
    """
    rng = random.Random(seed)
    flips: list[tuple[int, int, bool]] = []
    taken = start.occupied
    for ms, square, piece in sorted(wood.changes, key=lambda change: change[0]):
        closed = bool(piece)
        if bool(taken >> square & 1) == closed:
            continue
        taken ^= 1 << square
        until = ms + rng.randint(0, bounce_ms) if bounce_ms else ms
        at, state = ms, closed
        while at < until:
            flips.append((at, square, state))
            at, state = at + rng.randint(1, 2), not state
        flips.append((until, square, closed))
    flips.sort(key=lambda flip: flip[0])
    picture, index, last = start.occupied, 0, -1
    lines: list[Line] = [{"ms": 0, "type": "frame", "occupied": f"{picture:016x}"}]
    end = (flips[-1][0] if flips else 0) + 1000
    for ms in range(every_ms, end, every_ms):
        while index < len(flips) and flips[index][0] <= ms:
            _, square, closed = flips[index]
            picture = picture | 1 << square if closed else picture & ~(1 << square)
            index, last = index + 1, ms
        if fails_ms is not None and fails_ms <= ms < fails_ms + every_ms:
            last = ms
        if ms - last <= 400 or ms % 1000 < every_ms:
            lines.append({"ms": ms, "type": "frame", "occupied": f"{picture:016x}"})
    return lines + wood.words


def changed_only(wood: Wood, start: chess.Board, step_ms: int = SLOW_MS) -> list[Line]:
    """A slow board of which each change is one scan, and the pauses are kept short: what is lost there is seen by
    nobody. The words keep their place among the changes.
    """
    happened = [(ms, 0, (square, piece)) for ms, square, piece in wood.changes]
    happened += [(int(str(word["ms"])), 1, word) for word in wood.words]
    lines: list[Line] = [{"ms": 0, "type": "frame", "occupied": f"{start.occupied:016x}"}]
    picture, ms, before = start.occupied, 0, 0
    for at, _, what in sorted(happened, key=lambda item: item[:2]):
        ms += step_ms if at - before < 1500 else 10 * step_ms
        before = at
        if isinstance(what, dict):
            lines.append({**what, "ms": ms})
            continue
        square, piece = what
        after = picture | 1 << square if piece else picture & ~(1 << square)
        if after != picture:
            picture = after
            lines.append({"ms": ms, "type": "frame", "occupied": f"{picture:016x}"})
    return lines


def with_missing(lines: list[Line], share: float, seed: int) -> list[Line]:
    """The same with a share of the scans that show a change lost; never the first nor the last."""
    rng = random.Random(seed)
    kept, last = [], None
    final = max(i for i, line in enumerate(lines) if line["type"] == "frame")
    for index, line in enumerate(lines):
        changes = line["type"] == "frame" and line["occupied"] != last
        if changes and last is not None and index != final and rng.random() < share:
            continue
        if line["type"] == "frame":
            last = line["occupied"]
        kept.append(line)
    return kept


def with_gap(lines: list[Line], begin_ms: int, end_ms: int, *, presses_heard: bool) -> list[Line]:
    """The same with the board's cable out between two times."""

    def lost(line: Line) -> bool:
        inside = begin_ms <= int(str(line.get("ms", -1))) < end_ms
        return inside and (line["type"] in ("frame", "lift", "place") or not presses_heard)

    return [line for line in lines if not lost(line)]


def with_stuck(lines: list[Line], square: chess.Square, *, closed: bool, from_ms: int = 0) -> list[Line]:
    """The same on a board of which one sensor never opens, or never closes, from then on."""
    name, out, last = chess.square_name(square), [], None
    for line in lines:
        if int(str(line.get("ms", -1))) < from_ms:
            out.append(line)
            continue
        if line["type"] in ("lift", "place") and line["square"] == name:
            continue
        if line["type"] == "frame":
            picture = int(str(line["occupied"]), 16)
            picture = picture | 1 << square if closed else picture & ~(1 << square)
            last = picture
            line = {**line, "occupied": f"{last:016x}"}
        out.append(line)
    return out


def noise(rng: random.Random, inputs: int) -> Iterator[Line]:
    """Inputs that no hands make: random edges, presses, pictures, words, in any order and as fast as may be."""
    ms = 0
    for _ in range(inputs):
        ms += rng.choice([0, 0, 1, 5, 20, 200, 3000])
        square = chess.square_name(rng.randrange(64))
        side = rng.choice(["white", "black"])
        yield rng.choice(
            [
                {"ms": ms, "type": "lift", "square": square},
                {"ms": ms, "type": "place", "square": square},
                {"ms": ms, "type": "press", "side": side},
                {"ms": ms, "type": "adjust", "side": side},
                {"ms": ms, "type": "choose", "side": side, "piece": rng.choice("qrbn")},
                {"ms": ms, "type": "time"},
            ]
        )
