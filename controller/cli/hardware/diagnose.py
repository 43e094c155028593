"""What is wrong with the wires of a board, from one piece taken over its squares. Pure: a table in, findings out.

Told apart are what touches a whole line (dead, exchanged with another, joined to another), the whole board (turned,
mirrored), and one sensor (dead, stuck, crossed with another, answering to a neighbour's piece). A line is judged by
what most of its squares show, so that single faults do not hide it; what lines explain is held against no sensor.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import chess
from msgspec import Struct

from controller.cli.hardware.wiring import Grid, named

LEAST = 3  #: so many squares of a line must have been tried to judge it

TURNS: dict[str, tuple[chess.Square, ...]] = {  # where a piece on each square is seen
    "straight": tuple(chess.SQUARES),
    "turned round": tuple(chess.SQUARES[::-1]),
    "mirrored, with rank 1 seen as rank 8": tuple(s ^ 56 for s in chess.SQUARES),
    "mirrored, with file a seen as file h": tuple(s ^ 7 for s in chess.SQUARES),
    "mirrored, with ranks seen as files": tuple(s // 8 | s % 8 << 3 for s in chess.SQUARES),
    "mirrored, with rank 1 seen as file h": tuple(63 - (s // 8 | s % 8 << 3) for s in chess.SQUARES),
    "turned by a quarter, with rank 1 seen as file a": tuple((s // 8 | s % 8 << 3) ^ 56 for s in chess.SQUARES),
    "turned by a quarter, with rank 1 seen as file h": tuple((s // 8 | s % 8 << 3) ^ 7 for s in chess.SQUARES),
    "seen with every other rank mirrored": tuple(s ^ 7 if s // 8 % 2 else s for s in chess.SQUARES),
    "seen with every other file mirrored": tuple(s ^ 56 if s % 2 else s for s in chess.SQUARES),
}

SeenAt = Mapping[chess.Square, frozenset[chess.Square]]
"""Where a piece on each square is seen, apart from what is seen of an empty board."""


class Walk(Struct, frozen=True):
    """What a walk over the board has shown. Masks have a1 as bit 0."""

    idle: int  #: what was seen before the piece was set down
    seen: dict[chess.Square, int]  #: with the piece on each of the squares that were tried


class Finding(Struct, frozen=True):
    """Something that is wrong: what was seen, the likely cause, how to mend it."""

    what: str
    cause: str
    next_step: str


def diagnose(walk: Walk, grid: Grid) -> list[Finding]:
    """The fewest faults that explain ``walk``, those of whole lines first; empty if every sensor saw its own piece."""
    seen: SeenAt = {
        square: frozenset(chess.scan_forward(mask & ~walk.idle))
        for square, mask in walk.seen.items()
        if not walk.idle >> square & 1
    }
    found = [*_stuck(walk.idle, grid)]
    if seen and not any(seen.values()):
        found.append(
            Finding(
                "no piece is seen on any square",
                "the cable or the supply of the board is off, or the magnets are too weak",
                "check cable and supply; hold a magnet right on a sensor",
            )
        )
        return found
    right = {turn: sum(seen[s] == {there[s]} for s in seen) for turn, there in TURNS.items()}
    turn = max(right, key=lambda turn: right[turn])
    if turned := turn != "straight" and 2 * right[turn] > len(seen):
        found.append(_turned(turn, grid))
        back = {there: here for here, there in enumerate(TURNS[turn])}
        seen = {square: frozenset(back[there] for there in shown) for square, shown in seen.items()}
    lines = (_lines(seen, grid, 0), _lines(seen, grid, 1))
    for axis in (0, 1):
        found += _selected(lines[axis], grid, axis) or [
            *_dead(lines[axis], grid, axis),
            *_moved(lines[axis], grid, axis, turned=turned),
            *_joined(lines[axis], grid, axis),
        ]
    return [*found, *_single(seen, grid, lines)]


# -- the whole board, and what an empty one shows ------------------------------------------------------------------


def _stuck(idle: int, grid: Grid) -> Iterator[Finding]:
    rest = set(chess.scan_forward(idle))
    for axis in (0, 1):
        for line in range(len(grid.axes[axis].names)):
            squares = set(grid.line(axis, line))
            if squares <= rest:
                rest -= squares
                yield Finding(
                    f"{grid.axes[axis].name(line)} shows pieces where none are: {named(sorted(squares))}",
                    "its wire touches another one or the supply, or has come off where it is read",
                    "look for a solder bridge and for a loose wire on that line",
                )
    for square in sorted(rest):
        yield Finding(
            f"{named([square])} shows a piece where none is",
            "a reed that sticks, a magnet left below the board, or a solder bridge at the sensor",
            "tap on the sensor; exchange it if it stays so",
        )


def _turned(turn: str, grid: Grid) -> Finding:
    if turn == "turned round":
        remedy = "turn the board round, or change rotated, first or the order of the wires in [board]"
    elif grid.axes[0].option == "rows":
        remedy = "turn rows round in [board], or columns; or give one the pins of the other"
    else:
        remedy = "change first, along or zigzag in [board]"
    return Finding(f"the board is {turn}", "it is wired in another order than [board] says", remedy)


# -- lines ---------------------------------------------------------------------------------------------------------

LinesSeen = dict[int, frozenset[int]]
"""On which lines of its axis each line is seen, by most of its squares; on none if it is dead."""


def _lines(seen: SeenAt, grid: Grid, axis: Literal[0, 1]) -> LinesSeen:
    found: LinesSeen = {}
    for line in range(len(grid.axes[axis].names)):
        tried = [seen[square] for square in grid.line(axis, line) if square in seen]
        shown = Counter(frozenset(grid.places[there][axis] for there in shown) for shown in tried if shown)
        [(most, votes)] = shown.most_common(1) or [(frozenset[int](), len(tried))]
        # Where too little was tried, or its squares say this and that, the line is taken to be right.
        found[line] = most if len(tried) >= LEAST and 2 * votes > shown.total() else frozenset((line,))
    return found


def _dead(lines: LinesSeen, grid: Grid, axis: int) -> Iterator[Finding]:
    for line, shown in lines.items():
        if not shown:
            yield Finding(
                f"{grid.axes[axis].name(line)} is dead: no piece is seen on {named(grid.line(axis, line))}",
                "its wire is off or broken, or goes to another pin than [board] says",
                "check that wire from end to end",
            )


def _moved(lines: LinesSeen, grid: Grid, axis: int, *, turned: bool) -> Iterator[Finding]:
    """``turned``: so is the whole board, and how the order is to be written is known once that is mended."""
    names = grid.axes[axis]
    moved = {line: next(iter(shown)) for line, shown in lines.items() if len(shown) == 1 and shown != {line}}
    for cycle in _cycles(moved):
        if len(cycle) == 2:
            what = f"{names.name(cycle[0])} and {names.name(cycle[1])} are exchanged"
        else:
            what = f"{names.word}s are wired in another order: {_arrows(cycle, names.marks)}"
        order = ", ".join(names.marks[moved.get(line, line)] for line in range(len(names.marks)))
        remedy = f"; or write {names.option} = [{order}] in [board]" if names.option and not turned else ""
        yield Finding(what, "wires crossed at a plug or at the pins", f"exchange the wires{remedy}")
    for line, there in moved.items():
        if not any(line in cycle for cycle in _cycles(moved)):
            yield Finding(
                f"{names.name(line)} is seen as {names.name(there)}",
                "its wire goes to the wrong place",
                "follow that wire from end to end",
            )


def _joined(lines: LinesSeen, grid: Grid, axis: int) -> Iterator[Finding]:
    names, told = grid.axes[axis], set[frozenset[int]]()
    for shown in lines.values():
        if len(shown) > 1 and shown not in told:
            told.add(shown)
            yield Finding(
                f"{' and '.join(names.name(line) for line in sorted(shown))} are seen as one",
                "two wires that touch, or a solder bridge",
                "look for it at the plug and at the pins",
            )


def _selected(lines: LinesSeen, grid: Grid, axis: int) -> list[Finding]:
    """What a select line does that all multiplexers share: half of the channels dead or moved. Else nothing."""
    if grid.axes[axis].word != "channel" or all(shown == {line} for line, shown in lines.items()):
        return []
    for bit in range(4):
        for stuck in (0, 1):
            both = {line: {line | 1 << bit, line & ~(1 << bit)} for line in lines if line >> bit & 1 == stuck}
            if all(shown == both.get(line, set()) for line, shown in lines.items()):
                return [
                    Finding(
                        f"S{bit} of the multiplexers stays {'high' if stuck else 'low'}",
                        "its wire is off, or touches ground or the supply",
                        f"check the wire from the pin of S{bit} to all chips",
                    )
                ]
    for one in range(4):
        for other in range(one):
            if all(shown == {_bits_exchanged(line, one, other)} for line, shown in lines.items()):
                return [
                    Finding(
                        f"S{other} and S{one} of the multiplexers are exchanged",
                        "wires crossed at the pins or at the chips",
                        "exchange the two wires, or the two numbers in select of [board]",
                    )
                ]
    return []


def _bits_exchanged(line: int, one: int, other: int) -> int:
    differ = (line >> one ^ line >> other) & 1
    return line ^ (differ << one | differ << other)


def _cycles(moved: Mapping[int, int]) -> list[list[int]]:
    """The closed rings in which lines have changed places."""
    rings: list[list[int]] = []
    for start in moved:
        ring = [start]
        while (following := moved.get(ring[-1])) is not None and following not in ring:
            ring.append(following)
        if following == start and not any(start in known for known in rings):
            rings.append(ring)
    return rings


def _arrows(cycle: Iterable[int], marks: tuple[str, ...]) -> str:
    ring = list(cycle)
    return " → ".join(marks[line] for line in (*ring, ring[0]))


# -- single sensors ------------------------------------------------------------------------------------------------


def _single(seen: SeenAt, grid: Grid, lines: tuple[LinesSeen, LinesSeen]) -> Iterator[Finding]:
    """What the lines do not explain."""
    expected = {
        square: frozenset(
            grid.squares[i][j] for i in lines[0][grid.places[square][0]] for j in lines[1][grid.places[square][1]]
        )
        for square in seen
    }
    odd = {square: shown for square, shown in seen.items() if shown != expected[square]}
    crossed = set[chess.Square]()
    for square, shown in odd.items():
        other = next((s for s in odd if s != square and shown == expected[s] and odd[s] == expected[square]), None)
        if other is not None and square not in crossed and shown:
            crossed |= {square, other}
            yield Finding(
                f"{named([square])} and {named([other])} are crossed: each shows the piece on the other",
                "the wires of two sensors exchanged",
                "exchange the wires of these two sensors",
            )
    for square, shown in odd.items():
        if square in crossed:
            continue
        if not shown & expected[square]:
            yield _lost(square, shown)
        else:
            yield _wide(square, shown - expected[square])


def _lost(square: chess.Square, shown: frozenset[chess.Square]) -> Finding:
    if not shown:
        return Finding(
            f"no piece is seen on {named([square])}",
            "a sensor that is broken or too far from the magnet, a cold joint, or a diode the wrong way round",
            "hold a magnet right on the sensor; then check its joints, its diode, and exchange it",
        )
    return Finding(
        f"a piece on {named([square])} is seen on {named(sorted(shown))}",
        "the sensor is wired to another place",
        "follow its wires",
    )


def _wide(square: chess.Square, more: frozenset[chess.Square]) -> Finding:
    near = all(chess.square_distance(square, there) == 1 for there in more)
    return Finding(
        f"a piece on {named([square])} is seen on {named(sorted(more))} too",
        "a magnet so strong that it reaches the next sensor, or one off the middle" if near else "a solder bridge",
        "use a weaker magnet, or mount the sensors deeper" if near else "look for it between the two sensors",
    )
