"""Sensors that do not work, as whoever watches the board says: the game goes on without them.

Nothing is held against a square that is not seen: any piece fits there, or none. A piece that is gone may have been set
down there, which the press or the reply tells; one that appears may have come from there. What such a sensor had said
of the turn in progress was no touch. Once it works again it is believed again, and a touch that it had shown counts.
"""

from functools import lru_cache

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller.laws import gestures
from controller.laws.board import read_board
from controller.laws.state import FaultySensor, State
from controller.laws.touch import TouchedPiece
from controller.position import EMPTY, squares
from controller.sensing.difference import differing
from controller.sensing.readings import FITS, LINES, SOMETHING, UNKNOWN

FAILED = 2
"""So many sensors of a line are supposed not to work before all of it is."""

AT_ONCE_MS = 60
"""Sooner after one another than this no hands take pieces up."""

MISSING = 3
"""So many of its pieces go at once, if none of its sensors was supposed not to work."""


def disbelieve(s: State, square: chess.Square, supposed: bool = False) -> State:
    """The sensor of ``square`` does not work; ``supposed``: nobody said so."""
    bit = BB_SQUARES[square]
    if s.faulty & bit:
        return s
    denied = bool(s.mismatch & bit)
    sensor = FaultySensor(s.readings[square], _touched(s, square), s.turn.number, supposed, denied)
    s = replace(
        s.looking(square, UNKNOWN),
        faulty_sensors={**s.faulty_sensors, square: sensor},
        faulty=s.faulty | bit,
        mismatch=s.mismatch & ~bit,
        not_by_mover=s.not_by_mover & ~bit,
        unexplained_pieces=s.unexplained_pieces & ~bit,
    )
    return read_board(_forget(s, square), s.now)


def believe(s: State, square: chess.Square) -> State:
    """The sensor of ``square`` works again: what it shows now is seen now."""
    sensor = s.faulty_sensors.get(square)
    if sensor is None:
        return s
    faulty_sensors = {each: other for each, other in s.faulty_sensors.items() if each != square}
    s = replace(s, faulty_sensors=faulty_sensors, faulty=s.faulty & ~BB_SQUARES[square])
    if s.position.symbol(square) in FITS[sensor.seen]:
        s = s.see(square, sensor.seen, s.now, None)
        if sensor.touch is not None and sensor.turn == s.turn.number:
            turn = s.turn.touching(TouchedPiece(square, sensor.touch.ms))
            s = s if turn is s.turn else replace(s, turn=turn).derive()
    elif sensor.seen == EMPTY:
        s = gestures.lift(s.looking(square, SOMETHING), square, None, s.now)
    else:
        s = gestures.place(s.looking(square, EMPTY), square, sensor.seen, None, s.now)
    return read_board(s, s.now)


def believe_line(s: State, square: chess.Square) -> State:
    """Of a rank or file that was supposed to show nothing, that square does: its other squares show what stands there,
    where that fits the game."""
    supposed = s.supposed()
    for line in LINES:
        if BB_SQUARES[square] & line and not line & ~supposed:
            for other in squares(line):
                if s.position.symbol(other) in FITS[s.shown(other)]:
                    s = believe(s, other)
    return s


def silent_line(s: State) -> int:
    """The rank or file, as a bitboard, that shows nothing any more though pieces stand there: its sensors share a wire,
    which has come off. 0 where there is none.

    It is so where all its pieces, three or more, went at once or were not there at the first reading; or where two of
    its sensors are supposed not to work already.
    """
    supposed = s.supposed()
    if not supposed and s.mismatch.bit_count() < MISSING:
        return 0  # as nearly always
    for line in _suspected_lines(supposed, s.mismatch):
        if any(s.shown(square) != EMPTY for square in squares(line)):
            continue
        if (supposed & line).bit_count() >= FAILED or _gone_at_once(s, s.mismatch & line):
            return line
    return 0


@lru_cache(maxsize=1024)  # of all worlds the same, and for as long as nothing changes
def _suspected_lines(supposed: int, mismatch: int) -> tuple[int, ...]:
    """The ranks and files of which many sensors are ``supposed`` not to work, or many pieces missing."""
    return tuple(
        line
        for line in LINES
        if supposed & line != line
        and ((supposed & line).bit_count() >= FAILED or (mismatch & line).bit_count() >= MISSING)
    )


def _gone_at_once(s: State, missing: int) -> bool:
    """Whether these pieces, and hardly others, went sooner after one another than hands could take them, and for longer
    than a sleeve brushes them; or were not there at the first reading."""
    if (s.mismatch & ~missing).bit_count() >= MISSING:
        return False
    number = missing.bit_count()
    lately = [edge for edge in s.trace[-number - MISSING :] if edge.seen == EMPTY]
    gone = [edge.ms for edge in lately if BB_SQUARES[edge.square] & missing]
    if len(gone) < number or gone[-1] - gone[0] > AT_ONCE_MS:
        return False
    return s.now - gone[-1] >= s.brush_ms or gone[-1] == s.trace[0].ms


def may_stand_unseen(s: State) -> int:
    """The squares, as a bitboard, of pieces that are off the board, but may stand where the sensor does not work."""
    found = 0
    for origin in squares(s.gone() if s.faulty else 0):
        for move in s.position.moves_from(origin):
            if not differing(s.position.after(move), s.readings, s.position.changed(move)):
                found |= BB_SQUARES[origin]
    return found


def _touched(s: State, square: chess.Square) -> TouchedPiece | None:
    """What would be, or is, a touch of the piece there in the turn in progress."""
    raised = s.turn.raised.get(square)
    if raised is not None:
        return TouchedPiece(square, raised.ms) if raised.counts and raised.by is None else None
    return next((touch for touch in s.turn.touches if touch.square == square), None)


def _forget(s: State, square: chess.Square) -> State:
    """What was made of the sensor in this turn was no doing of a hand."""
    s = replace(s, turn=s.turn.lowering(square)).untouch(BB_SQUARES[square])
    traces = s.turn.traces
    return s.tracing(
        landed={to: pieces for to, pieces in traces.landed.items() if to != square},
        replaced=None if traces.replaced is not None and traces.replaced[0] == square else traces.replaced,
        retaken=None if traces.retaken == square else traces.retaken,
        refilled=None if traces.refilled == square else traces.refilled,
    )
