"""Gaps: nobody saw the board for a while, for its cable was out or the program did not run.

What has changed on the board meanwhile happened unseen. It is explained by moves if it can be, else the pieces are
displaced; while it stands unexplained, nobody is accused of anything. A pawn that has gone two squares may have gone
one at a time, so whose turn it is, is certain only once the player who should have the move has made one that was seen.
Until then nobody is accused of what would be no offence if it were the other's turn: only of touching one of his own
pieces and moving another. A turn in which nothing has changed unseen goes on with its touches. But a piece in hand both
before and after the gap may have been set down in between, and be held by the opponent who captured it: then, too, it
is unsure whose turn it is. A move that stands may have been pressed meanwhile: its player's next press, or the
opponent's after his reply, completes it, and in a match its capture goes to the partner at once.
"""

from collections.abc import Sequence

from chess import BB_SQUARES, SQUARES, Square
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import read_board
from controller.laws.moves import uncompleted
from controller.laws.outcomes import triggered
from controller.laws.state import State
from controller.laws.turn import JUDGED, UNTOUCHED, Trigger
from controller.position import EMPTY, squares
from controller.sensing.difference import LEGAL, LIFTED, Kind


def look_again(s: State, readings: Sequence[str]) -> State:
    """The board is seen again, and shows ``readings`` (:mod:`controller.sensing.readings`): judge what stands there, if
    it did not stand so before."""
    before, s = s, shown_again(s, readings)
    turn, pieces = s.turn, s.mismatch & ~s.not_by_mover
    changed = s.trace is not before.trace or s.faulty_sensors is not before.faulty_sensors
    if changed and (turn.difference.kind is Kind.FOREIGN or (turn.difference.kind in LIFTED and pieces & (pieces - 1))):
        s, _ = triggered(s.turning(judged=True), Trigger.RELEASE)
        return s
    if not turn.judged or (changed and turn.difference.kind in JUDGED):
        return s.turning(stands_since=s.now, judged=False)
    return s


def shown_again(s: State, readings: Sequence[str]) -> State:
    """The state with these readings, of which nothing is made yet."""
    s = replace(s, watched=True).turning(unwatched=s.turn.difference.kind in LEGAL)
    if (at := uncompleted(s, c.other(s.turn.side))) is not None:
        s = s.amending(at, may_be_pressed=True)
    changed = sum(BB_SQUARES[square] for square in SQUARES if s.shown(square) != readings[square])
    for square in in_order(s, changed):
        s = s.disregarding(square, readings[square]) or s.see(square, readings[square], s.now, None)
    raised = s.turn.raised.items()
    s = s.turning(raised={square: replace(piece, ms=s.now) for square, piece in raised if s.readings[square] == EMPTY})
    if changed or s.turn.difference.kind in LIFTED:
        s = replace(s, unsure=True)
    if changed:
        s = replace(s, unseen=s.mismatch & ~s.not_by_mover)
        s = s.turning(traces=UNTOUCHED, touches=(), partial_move=None).derive()
        s = read_board(s, s.now)
    return s


def in_order(s: State, mask: int) -> list[Square]:
    """The squares of one scan in order: those that the player having the move has left, those that were filled, those
    that the other player has left."""
    mine = s.own | s.mismatch
    return sorted(squares(mask), key=lambda at: 1 if s.shown(at) == EMPTY else 0 if BB_SQUARES[at] & mine else 2)
