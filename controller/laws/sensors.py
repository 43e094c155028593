"""Sensors that do not work, as whoever watches the board says: the game goes on without them.

Nothing is held against a square that is not seen: any man fits there, or none. A man that is gone may have been set
down there, which the press or the reply tells; one that appears may have come from there. What such a sensor had said
of the turn in progress was no touch. Once it works again it is believed again, and a touch that it had shown counts.
"""

import chess
from chess import BB_SQUARES

from controller.laws import gestures
from controller.laws.board import read_board
from controller.laws.state import State, Unbelieved
from controller.laws.touch import Touch
from controller.position import EMPTY, squares
from controller.sensing.looks import FITS, SOMETHING, UNKNOWN
from controller.sensing.stand import differing


def disbelieve(s: State, square: chess.Square) -> None:
    """The sensor of ``square`` does not work."""
    bit = BB_SQUARES[square]
    if s.blind & bit:
        return
    s.unbelieved[square] = Unbelieved(s.looks[square], _touched(s, square), s.turn)
    s.blind |= bit
    s.looks[square] = UNKNOWN
    s.off &= ~bit
    s.others &= ~bit
    _forget(s, square)
    read_board(s, s.now)


def believe(s: State, square: chess.Square) -> None:
    """The sensor of ``square`` works again: what it shows now is seen now."""
    sensor = s.unbelieved.pop(square, None)
    if sensor is None:
        return
    s.blind &= ~BB_SQUARES[square]
    if s.position.symbol(square) in FITS[sensor.seen] or s.lines:
        s.see(square, sensor.seen, s.now, None)
        if sensor.touch is not None and sensor.turn is s.turn and s.turn.touch(square, sensor.touch.ms):
            s.derive()
    elif sensor.seen == EMPTY:
        s.looks[square] = SOMETHING
        gestures.lift(s, square, None, s.now)
    else:
        s.looks[square] = EMPTY
        gestures.place(s, square, sensor.seen, None, s.now)
    read_board(s, s.now)


def may_stand_unseen(s: State) -> int:
    """The squares, as a bitboard, of men who are off the board, but may stand where the sensor does not work; all, as
    long as more than one line is followed."""
    if s.lines:
        return chess.BB_ALL
    found = 0
    for origin in squares(s.gone() if s.blind else 0):
        for move in s.position.moves_from(origin):
            changed = sum(BB_SQUARES[square] for square, _ in s.position.changes(move))
            if not differing(s.position.after(move), s.looks, changed):
                found |= BB_SQUARES[origin]
    return found


def _touched(s: State, square: chess.Square) -> Touch | None:
    """What would be, or is, a touch of the man there in the turn in progress."""
    raised = s.turn.raised.get(square)
    if raised is not None:
        return Touch(square, raised.ms) if raised.counts and raised.by is None else None
    return next((touch for touch in s.turn.touches if touch.square == square), None)


def _forget(s: State, square: chess.Square) -> None:
    """What was made of the sensor in this turn was no doing of a hand."""
    turn, traces = s.turn, s.turn.traces
    turn.raised.pop(square, None)
    if turn.untouch(square):
        s.derive()
    traces.landed.pop(square, None)
    if traces.replaced is not None and traces.replaced[0] == square:
        traces.replaced = None
    traces.retaken = None if traces.retaken == square else traces.retaken
    traces.refilled = None if traces.refilled == square else traces.refilled
