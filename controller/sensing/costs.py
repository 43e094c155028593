"""What it costs to believe something, in nats: the negative logarithm of how often it is so.

The rates are guesses. Nobody has counted them yet, on hands or on boards: they were chosen so that honest games by
hands that others wrote come out right, and each stands beside its cost for a count to take its place. A board that
sends every edge loses nearly none; one that is scanned may miss what is shorter than a scan.
"""

from math import inf, log

from msgspec import Struct


def nats(rate: float) -> float:
    """The cost of what happens at this rate."""
    return -log(rate)


IDLE_OWN = nats(0.7)  #: 0.36: a piece of his own is touched besides the one that he moves, and stands again
IDLE_ENEMY = nats(0.5)  #: 0.69: the same of a piece of the opponent's
PASSED = nats(0.8)  #: 0.22: a piece is set down in passing
PUSHED = nats(0.05)  #: 3.0: who is taken is pushed to a square beside, and stands there for a moment
ELSEWHERE = nats(0.1)  #: 2.3: another piece is set down in passing where one has left for good
EARLY = nats(0.8)  #: 0.22: the destination is seen to close before the origin opens
BEFORE = nats(0.5)  #: 0.7: a piece is taken up before the move in progress is finished
FOR_LONG = nats(0.08)  #: 2.5: a piece stays off the board while others are moved
LATE = nats(0.05)  #: 3.0: an edge is seen only after the whole next move
TURNED = nats(0.02)  #: 3.9: the board stands the other way round
WORKED = nats(0.05)  #: 3.0: it has in this game, and does so no longer
MENDED = nats(0.02)  #: 3.9: one that seemed not to work works
EXCHANGED = nats(0.5)  #: 0.7: one piece stands in place of the other at once, as a board shows that tells them apart
UNDONE = nats(0.55)  #: 0.6: a release that nobody saw to stand was none
STOOD = nats(0.004)  #: 5.5: one that was seen to stand was none

BREACH = nats(0.1)  #: 2.3: Article 4 is broken
OUT_OF_TURN = nats(0.05)  #: 3.0
UNFINISHED = nats(0.08)  #: 2.5: a capture, castling or promotion completed by the press before it was made
ILLEGAL = nats(0.018)  #: 4.0
NO_MOVE = nats(0.007)  #: 5.0: the clock is pressed, and nothing was moved
GONE_ON = nats(0.5)  #: 0.7: with the game over pieces are moved and the clock is pressed, each time
HOLDING = nats(0.018)  #: 4.0: the clock is pressed with a piece in hand

MARGIN = 6.0
"""A world dearer than the cheapest by this is given up."""

LIKELY = 2.0
"""One within this of the cheapest may well be the true one."""

SURE = 5.0
"""Nobody is accused while a world within this of the cheapest has another story."""


OVERLOOKED = 0.02
"""How often, beside what was found, something was played that nobody thought of."""


class Rates(Struct, frozen=True):
    """What a board costs that hides something."""

    lost: float  #: an edge is lost
    again: float  #: another one in the same gap
    swapped: float  #: a capture within one scan, of which the target shows nothing
    wrong: float  #: a square shows what does not stand there
    stuck: float  #: the sensor of that very square sticks, open or closed


SCANNED = Rates(lost=nats(0.13), again=nats(0.4), swapped=nats(0.3), wrong=nats(0.11), stuck=inf)
"""Of raw scans: a square that opens and closes between two of them shows nothing, as if its sensor stuck."""

REPORTED = Rates(lost=nats(0.002), again=nats(0.01), swapped=nats(0.07), wrong=nats(0.0005), stuck=nats(0.05 / 64))
"""Of a board that sends every edge: what it does not say was nearly always not so. So what a press says is not talked
away: a capture that nobody saw is dearer than a press without a move, and so is an edge lost with a wrong square. There
is a sensor that sticks on one board in twenty, and on any of its squares."""
