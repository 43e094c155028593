"""Sensors that do not work, as whoever watches the board says: the game goes on without them.

Nothing is held against a square that is not seen: any man fits there, or none. A man that is gone may have been set
down there, which the press or the reply tells; one that appears may have come from there. What such a sensor had said
of the turn in progress was no touch. Once it works again it is believed again, and a touch that it had shown counts.
"""

import chess
from chess import BB_SQUARES

from controller import contract as c
from controller.laws import gestures
from controller.laws.board import may_stand_turned, read_board
from controller.laws.state import State, Unbelieved, colour
from controller.laws.touch import Touch
from controller.laws.unseen import moves_if_turned
from controller.position import EMPTY, squares
from controller.sensing.explain import HOLDS_AND_PRESSES, UNSEEN_CAPTURE, Line, Search
from controller.sensing.looks import FITS, SOMETHING, UNKNOWN
from controller.sensing.stand import Kind, Traces, differing, read


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


def suspects(s: State, presser: c.Side | None, ms: c.Ms, swaps: bool) -> list[chess.Square]:
    """The squares of which one sensor is likely not to work: on one of them stands a man that nothing shows.

    ``presser``: who presses the clock at ``ms``. Without one, what stands there is judged then, and may be the
    opponent's reply. ``swaps``: whether a board so slow may have missed that men were exchanged on a square.
    """
    stand = s.turn.stand
    if s.lines or s.stopped or stand.kind is Kind.WHOLE or presser not in (None, s.turn.side):
        return []
    unexplained = stand.kind in (Kind.ASTRAY, Kind.FOREIGN)
    if (presser is None and not unexplained) or (unexplained and may_stand_turned(s) and moves_if_turned(s)):
        return []
    found: set[chess.Square] = set()
    for move in [move for origin in _set_down(s, ms) for move in s.position.moves_from(origin)]:
        unseen = [q for q, symbol in s.position.changes(move) if symbol != EMPTY and s.looks[q] == EMPTY]
        if len(unseen) != 1:
            continue
        after = s.position.after(move)
        off = differing(after, s.looks, chess.BB_ALL) & ~BB_SQUARES[unseen[0]]
        if presser is not None:
            fits = not off & ~after.board.occupied_co[after.turn] and not any(s.looks[q] != EMPTY for q in squares(off))
        else:
            fits = read(after, s.looks, off, Traces(), s.blind).kind is Kind.WHOLE
        if fits:
            found.add(unseen[0])
    return [] if not found or _explained(s, presser, swaps) else sorted(found)


def _set_down(s: State, ms: c.Ms) -> list[chess.Square]:
    """The squares of the men off the board who may have been set down by ``ms``: no hand moves one within a brush."""
    doubtful = [q for q, sensor in s.unbelieved.items() if sensor.touch is not None and sensor.turn is s.turn]
    lifted = (q for q in squares(s.gone()) if q not in s.turn.raised or s.turn.raised[q].ms + s.settings.brush_ms <= ms)
    return [*lifted, *doubtful]


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


def _explained(s: State, presser: c.Side | None, swaps: bool) -> bool:
    """Whether what is seen needs no sensor that does not work, no man in the hand that presses, and none taken up again
    from where he moved."""
    white = None if presser is None else colour(presser)
    search = Search(s.trace, s.looks, s.wanted, white, s.blind)
    lines = search.explain(Line((), s.position, s.turn.start))
    return any(
        line.moves
        and (swaps or line.cost < UNSEEN_CAPTURE)
        and line.loose < HOLDS_AND_PRESSES
        and s.looks[line.moves[-1].to_square] != EMPTY
        for line in lines
    )


def _touched(s: State, square: chess.Square) -> Touch | None:
    """What would be, or is, a touch of the man there in the turn in progress."""
    raised = s.turn.raised.get(square)
    if raised is not None:
        return Touch(square, raised.ms) if raised.counts else None
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
