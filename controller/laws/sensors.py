"""Sensors that do not work, as a person says or as is supposed: the game goes on without them.

A square that is not seen may hold any piece, or none. A missing piece may have been set down there, which the press or
the reply will tell; a piece that appears may have come from there. What such a sensor had shown in the turn in progress
was no touch. Once it works again it is believed again, and a touch that it had shown counts.
"""

from functools import lru_cache

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller.laws import gestures
from controller.laws.board import read_board
from controller.laws.drop_names import undecided
from controller.laws.fallen import AT_ONCE_MS
from controller.laws.state import FaultySensor, State
from controller.laws.touch import TouchedPiece
from controller.position import EMPTY, squares
from controller.sensing.difference import differing
from controller.sensing.readings import FITS, LINES, SOMETHING, UNKNOWN

FAILED = 2
"""Once so many sensors of a line are supposed not to work, the whole line is."""

MISSING = 3
"""If none of its sensors is supposed not to work, a line is once so many of its pieces have gone at once."""


def disbelieve(s: State, square: chess.Square, supposed: bool = False) -> State:
    """Go on without the sensor of ``square``; ``supposed``: nobody said that it does not work."""
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
        shifted=s.shifted & ~bit,
    )
    return read_board(_forget(s, square), s.now)


def believe(s: State, square: chess.Square) -> State:
    """Go on with the sensor of ``square``, which works again: what it shows counts as seen now."""
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
    """A square of a rank or file that was disbelieved as a whole shows a change: believe the other sensors of the line
    that fit the game, too."""
    supposed = s.supposed()
    for line in LINES:
        if BB_SQUARES[square] & line and not line & ~supposed:
            for other in squares(line):
                if s.position.symbol(other) in FITS[s.shown(other)]:
                    s = believe(s, other)
    return s


def silent_line(s: State) -> int:
    """The rank or file, as a bitboard, that shows nothing any more though pieces stand there, as the wire that its
    sensors share has come off; 0 if there is none.

    All its pieces, three or more, must have gone at once, or were missing at the first reading; or two of its sensors
    are supposed not to work already.
    """
    supposed = s.supposed()
    if not supposed and s.mismatch.bit_count() < MISSING:
        return 0
    for line in _suspected_lines(supposed, s.mismatch):
        if any(s.shown(square) != EMPTY for square in squares(line)):
            continue
        if (supposed & line).bit_count() >= FAILED or _gone_at_once(s, s.mismatch & line):
            return line
    return 0


@lru_cache(maxsize=1024)  # all worlds ask the same, until something changes
def _suspected_lines(supposed: int, mismatch: int) -> tuple[int, ...]:
    """The ranks and files of which many sensors are ``supposed`` not to work, or many pieces missing."""
    return tuple(
        line
        for line in LINES
        if supposed & line != line
        and ((supposed & line).bit_count() >= FAILED or (mismatch & line).bit_count() >= MISSING)
    )


def _gone_at_once(s: State, missing: int) -> bool:
    """Whether these pieces, and hardly others, went faster than hands can take them up, and stay away for longer than a
    brush; or were missing at the first reading."""
    if (s.mismatch & ~missing).bit_count() >= MISSING:
        return False
    number = missing.bit_count()
    lately = [edge for edge in s.trace[-number - MISSING :] if edge.seen == EMPTY]
    gone = [edge.ms for edge in lately if BB_SQUARES[edge.square] & missing]
    if len(gone) < number or gone[-1] - gone[0] > AT_ONCE_MS:
        return False
    return s.now - gone[-1] >= s.brush_ms or gone[-1] == s.trace[0].ms


def excused(s: State) -> int:
    """The squares, as a bitboard, that need not show what the game has there: those of missing pieces that may stand on
    a square whose sensor does not work; those that an illegal move has changed which awaits its ruling; and those of a
    move that awaits the name of its new piece."""
    at = s.uncorrected()
    found = 0 if at is None else s.made[at].changed
    if undecided(s, s.turn.difference):
        found |= s.turn.difference.mask
    for origin in squares(s.gone() if s.faulty else 0):
        for move in s.position.moves_from(origin):
            if not differing(s.position.after(move), s.readings, s.position.changed(move)):
                found |= BB_SQUARES[origin]
    return found


def _touched(s: State, square: chess.Square) -> TouchedPiece | None:
    """The touch of that piece in the turn in progress, counted already or about to be; None if there is none."""
    raised = s.turn.raised.get(square)
    if raised is not None:
        return TouchedPiece(square, raised.ms) if raised.counts and raised.by is None else None
    return next((touch for touch in s.turn.touches if touch.square == square), None)


def _forget(s: State, square: chess.Square) -> State:
    """The state without what the sensor of ``square`` seemed to show in this turn."""
    s = s.untouch(BB_SQUARES[square])
    return s.turning(traces=s.turn.traces.without(square))
