"""Gaps: nobody saw the board for a while, for its cable was out or the program did not run.

What stands there afterwards otherwise than before came about unseen. It is explained by moves where it can be, else it
is displaced; as long as it stands unexplained, nobody is accused of anything. A pawn that has gone two squares may have
gone one at a time: so whose turn it is is known for certain only once the player who should have it has made a move
that was seen. Until then nobody is accused of what is no offence if it is the other's turn: only of touching one of his
own men and moving another. A turn in which nothing has changed unseen goes on with its touches.
"""

from collections.abc import Sequence

from chess import BB_SQUARES, SQUARES

from controller.laws.board import read_board
from controller.laws.outcomes import happens
from controller.laws.rejoin import rejoin
from controller.laws.state import State
from controller.laws.turn import JUDGED, Happens
from controller.position import EMPTY, squares
from controller.sensing.stand import Kind, Traces


def look_away(s: State) -> None:
    """Nobody sees the board from now on: nothing is known to have stood, or to be off its square, for any longer."""
    s.watched = False


def look_again(s: State, looks: Sequence[str]) -> None:
    """The board is seen again, and shows ``looks``, see :mod:`controller.sensing.looks`."""
    s.watched = True
    turn = s.turn
    changed = sum(BB_SQUARES[square] for square in SQUARES if s.shown(square) != looks[square])
    for square in _in_order(s, changed):
        if not (s.blind and s.disregards(square, looks[square])):
            s.see(square, looks[square], s.now, None)
    turn.raised = {square: man for square, man in turn.raised.items() if s.looks[square] == EMPTY}
    for man in turn.raised.values():
        man.ms = s.now
    if changed:
        s.gap_at = s.gap_at if s.unsure else len(s.made)
        s.unseen, s.unsure = s.off & ~s.others, True
        turn.traces, turn.touches, turn.half = Traces(), [], None
        s.derive()
        read_board(s, s.now)
    men = s.off & ~s.others
    if changed and (turn.stand.kind is Kind.FOREIGN or (turn.stand.kind is Kind.HELD and men & (men - 1))):
        if not rejoin(s):
            turn.judged = True
            happens(s, Happens.RELEASE)
    elif not turn.judged or (changed and turn.stand.kind in JUDGED):
        turn.stands_since, turn.judged = s.now, False


def _in_order(s: State, mask: int) -> list[int]:
    """These squares as in one scan: those that the player having the move has left, those taken, the other's."""
    mine = s.position.board.occupied_co[s.position.turn] | s.off
    left = mask & ~s.empty(mask)
    return [*squares(left & mine), *squares(mask & ~left), *squares(left & ~mine)]
