"""What it costs to believe something, in nats: the negative logarithm of how often it is so.

The one table of rates, with where each comes from. "Counted": in two games recorded on real DGT boards, 100 moves, by
``tests/benchmarks/bench_hands.py``; the rate is (k + 1) / (n + 2) of k times in n. "Guess": nobody has counted it, or
what was counted made things worse, and then it is said what. Guesses were chosen so that honest games by hands that
others wrote come out right.

What a board hides follows from two numbers, which can be measured: the share of edges that it loses, and how long after
one look at a square the next one comes. A session may say them; ``jadoube calibrate`` and the games before tell them
(:mod:`controller.daemon.measured`). The boards at the end are for sessions that do not.
"""

from math import exp, inf, log

from msgspec import Struct
from msgspec.structs import replace


def nats(rate: float) -> float:
    """The cost of what happens at this rate."""
    return -log(rate)


# -- what hands do -------------------------------------------------------------------------------------------------

# Guesses, though it was counted: in 0 of 100 moves each (4.6). A piece that stands again is no story of its own: the
# world in which it is left out pays nothing for it, so what is dear here makes the true story the dearer one where
# people fidget. Of 20 games by such people none came out right then, instead of 14.
IDLE_OWN = nats(0.7)  #: 0.36: a piece of his own is touched besides the one that he moves, and stands again
IDLE_ENEMY = nats(0.5)  #: 0.69: the same of a piece of the opponent's

BOTH_HELD = nats(0.002)
"""6.2: the opponent's is held, and put back, while the one that he moves is in his hand: more likely he has taken it. A
guess."""

# A guess, though it was counted: in 7 of 100 moves (2.5). Where hands push who is taken off his square he is set down
# in passing in each capture: 11 of 20 such games came out right then, instead of 16.
PASSED = nats(0.8)  #: 0.22: a piece is set down in passing

STRADDLING = nats(0.1)  #: 2.3: a piece is set down on the edge of two squares, and both see it; a guess
PUSHED = nats(0.05)  #: 3.0: who is taken is pushed to a square beside, and stands there for a moment; a guess
ELSEWHERE = nats(0.1)  #: 2.3: another piece is set down in passing where one has left for good; a guess

# A guess, though it was counted: in 2 of 100 moves (3.5). 13 of 20 games of other hands came out right then, instead of
# 14, and one more had somebody accused.
EARLY = nats(0.8)  #: 0.22: the destination is seen to close before the origin opens

# A guess, though it was counted: in 0 of 98 moves (4.6). Of games with a gap of three moves 88.2 % of plies came out
# right then, instead of 89.1: in a gap nobody sees what came first.
BEFORE = nats(0.5)  #: 0.7: a piece is taken up before the move in progress is finished

FOR_LONG = nats(0.08)  #: 2.5: a piece stays off the board while others are moved; a guess

IN_HAND = (0.0, nats(0.74), nats(0.22))
"""0, 0.3, 1.5: one, two, and each more of his own pieces are off the board. Guesses, as the next three."""

TAKING = nats(0.9)  #: 0.1: a piece of the opponent's is off that can be taken, or while one of his own is in hand
ODDLY = nats(0.22)  #: 1.5: one of the opponent's is off otherwise
TAKEN_UP = nats(0.55)  #: 0.6: one of the opponent's is off while a move is in progress

AT_ONCE = nats(0.01)  #: 4.6: a piece is set down and another taken up within one look, by different hands; a guess
LATE = nats(1 / 100)  #: 4.6: an edge is seen only after the whole next move; counted: 0 of 98 moves
REACTS_MS = 250  #: nobody replies so soon after a piece stands; a guess
HANDED_MS = 500  #: nobody drops a piece so soon after his partner's move was completed: it is handed over; a guess
LOOKS_MS = 400  #: no board looks at its squares less often, nor takes longer to say so
LATER_MS = 100  #: so much later than that is an edge seen once in e times; a guess
SETTLING = nats(0.5)  #: 0.7: the same of one that comes no later after the press than a contact settles; a guess
UNWATCHED = nats(0.03)  #: 3.5: an edge is missing of a move made while nobody looked; a guess
UNWATCHED_TOO = nats(0.2)  #: 1.6: another one: who does not look misses more than one; a guess
TURNED = nats(0.1)  #: 2.3: the board stands the other way round, where it may; a guess
OTHERWISE_NAMED = nats(0.3)  #: 1.2: a piece that nobody has named is another than it was taken for; a guess
UNDERPROMOTED = nats(0.03)  #: 3.5: a pawn has become another piece than a queen, and nobody has said so; a guess
MISPLACED = nats(0.11)  #: 2.2: a piece stands where it should not when the board is first looked at; a guess

# Guesses: in the recordings all sensors work.
LIKELIER = log(4)  #: 1.4 less: of another sensor it is supposed already
WORKED = nats(0.2)  #: 1.6: a sensor has worked in this game, and does so no longer
CLOSES = nats(0.1)  #: 2.3: if so, with nothing there it shows a piece
HIDDEN = nats(0.1)  #: 2.3: a move from one square to another, of which no sensor works
LINE = nats(0.02)  #: 3.9: all sensors of a rank or file fail at once, as the wire that they share
IN_LINE = nats(0.05)  #: 3.0: a sensor fails on a line that shows nothing, and of which another does not already
MENDED = nats(0.002)  #: 6.2: one that seemed not to work works

LEAVING = nats(0.5)  #: 0.7: what is touched before the press was by the hand that has moved, and leaves; a guess
SWEPT = nats(0.3)  #: 1.2: who presses brushes one of his pieces with his sleeve just then; a guess
REPLIED = nats(0.05)  #: 3.0: the opponent has made his whole move before the press; a guess
ANSWERED = nats(0.2)  #: 1.6: the opponent takes up who he is about to take before the press; a guess
HASTY = nats(0.02)  #: 3.9: he does all the same, and takes up who has just been set down; a guess
ON_HIS_WAY = nats(0.02)  #: 3.9: who stood for less than a release, and stands elsewhere now, was released; a guess
TAKEN_AT_ONCE = nats(0.8)  #: 0.2: who was just set down is off again when his player presses; a guess
SLEEVE = nats(0.1)  #: 2.3: who is taken is off his square no longer than a brush, while others are brushed; a guess
MISSAID = nats(0.1)  #: 2.3: he has named another one by button than he sets down; a guess
DROPPED = nats(0.05)  #: 3.0: with a piece of his own in hand a player sets down one from his stock, as he has said
DROPPED_UNSAID = nats(0.01)  #: 4.6: the same without a word; a guess, as the one before

# Counted: in 15 of 20 captures, on boards that tell pieces apart.
EXCHANGED = nats(16 / 22)  #: 0.3: one piece stands in place of the other at once

VANISHED = nats(0.1)
"""2.3: who exchanged another is off again before a board that tells the two apart has shown him; a guess."""

# Guesses: the recordings bear no times by which a release could be told from a passage.
UNDONE = nats(0.55)  #: 0.6: a release that nobody saw to stand was none
STOOD = nats(0.004)  #: 5.5: one that was seen to stand was none
STOOD_LONGER = 1.0  #: for as long again as a release takes, each time; a guess
REFILLED = nats(0.02)  #: 3.9: he put it back who then pressed, with his own piece where no sensor works; a guess
STOOD_BEFORE = nats(0.1)  #: 2.3: one who seemed to take was not there: who stood there was taken up, and put back

# Guesses: nobody breaks a rule in the recordings, and the Laws say what follows, not how often it happens.
BREACH = nats(0.1)  #: 2.3: Article 4 is broken
OUT_OF_TURN = nats(0.05)  #: 3.0: a hand that is known does something out of turn
TWO_IN_A_ROW = nats(0.01)  #: 4.6: one does that nobody knows, by what stands there: a sensor may have hidden a move
ANNOUNCED = nats(0.01)  #: 4.6: "j'adoube" is said out of turn: who says it by a button looks whose turn it is
ROOK_LEFT = nats(0.1)  #: 2.3: more than that next one, of castling: whoever castles thinks of the rook; a guess
UNFINISHED = nats(0.08)  #: 2.5: a capture, castling or promotion completed by the press before it was made
HALF_ANSWERED = nats(0.2)  #: 1.6: the opponent has replied while a castling, or a capture in passing, waits; a guess
ILLEGAL = nats(0.018)  #: 4.0
NOT_YET = nats(0.2)  #: 1.6: a piece is dropped that is not in stock yet, or may not be dropped there; a guess
IGNORED = nats(0.37)  #: 1.0: an illegal move stands, and more is played, for each piece that is set down
PLAYED_ON = nats(0.05)  #: 3.0: nobody presses, and the opponent replies to an illegal move; a guess
NO_MOVE = nats(0.007)  #: 5.0: the clock is pressed, and nothing was moved
GONE_ON = nats(0.5)  #: 0.7: with the game over pieces are moved and the clock is pressed, each time
HOLDING = nats(0.018)  #: 4.0: the clock is pressed with a piece in hand


def lateness(ms: int) -> float:
    """What it costs that an edge is seen so long after the press before which it happened."""
    return LATE + max(0, ms - LOOKS_MS) / LATER_MS


# -- what is thought possible --------------------------------------------------------------------------------------

MARGIN = 6.0
"""A world dearer than the cheapest by this is given up."""

LIKELY = 2.0
"""One within this of the cheapest may well be the true one."""

BELIEVED = nats(1e-6)
"""What is dearer, 13.8, explains nothing: hands have done what is no play."""

SURE = 4.9
"""Nobody is accused while a world within this of the cheapest has another story."""

ACCUSED = 0.95
"""Nobody is accused of what is less likely, all that was given up before included: of 79 offences that hands of others
committed after captures that nothing shows, 74 are likelier than that."""

OVERLOOKED = 0.02
"""How often, beside what was found, something was played that nobody thought of. A guess; ``bench_calibration`` counts
how often what is told as so sure is right."""


# -- what boards hide ----------------------------------------------------------------------------------------------


class Rates(Struct, frozen=True):
    """What a board costs that hides something."""

    lost: float  #: an edge is lost
    again: float  #: another one in the same gap
    swapped: float  #: a capture of which the target shows nothing
    wrong: float  #: a square shows what does not stand there
    held: float  #: a second piece, or one of the opponent's, is off so many releases longer once in e times
    stuck: float  #: the sensor of that very square sticks, open or closed


SLID = 0.07
"""So many captures show nothing however often a board looks: who takes pushes the other off his square, which is never
empty. A guess."""

OPEN_MS = 20.0
"""So long at least is the square empty otherwise. A guess: no recording looks that often."""

OPEN_MEAN_MS = 46.0
"""And so much longer on the average. Counted: of 20 captures, on boards that look every 200 to 250 ms, 15 never show
the square empty, which is 16 / 22 at 225 ms."""

AGAIN = 5.0
"""So many times the odds that an edge is lost after one that was: what takes one (a cable, a quick hand) lasts. A
guess: no recording has a gap."""

DOUBTED = 0.025
"""Where a board loses so many edges, a square that shows what does not stand there does so, as likely as not, because
of the edge that was lost, which is paid for. A guess, and so is how steeply it goes up: a board that sends every edge
is believed (no press is talked away), one that loses one of 30 is not."""


HELD = 25.0
"""So many releases longer once in e times is a second piece held, or one of the opponent's. A guess."""

SLOW_MS = 100
"""Where a square is looked at no more often than that, who took unseen seems to be off the board for as long as nothing
else is played: that somebody is off for long tells nothing there. A square that opens and closes between two looks
shows nothing either, as if its sensor stuck. A guess."""

STICKS = nats(0.025 / 64)
"""7.8: a sensor sticks on one board in forty, and on any of its squares. A guess."""


def swapped(scan_ms: float) -> float:
    """How many of all captures a board does not show that looks at a square so often: while it is empty for a time t,
    a look falls into that but for a share of 1 - t / ``scan_ms``."""
    longer = max(0.0, scan_ms - OPEN_MS)
    return SLID + (1 - SLID) * (longer - OPEN_MEAN_MS * (1 - exp(-longer / OPEN_MEAN_MS))) / scan_ms


def rates(lost: float, scan_ms: float) -> Rates:
    """The costs of a board that loses such a share of all edges, and looks at a square every ``scan_ms``."""
    again = AGAIN * lost / (1 + (AGAIN - 1) * lost)
    unseen = swapped(scan_ms)
    return Rates(
        lost=nats(lost),
        again=nats(again),
        swapped=nats(unseen + (1 - unseen) * lost * again),  # or both edges were lost
        wrong=nats(lost**3 / (lost**3 + DOUBTED**3)),
        held=HELD if scan_ms < SLOW_MS else inf,
        stuck=STICKS if scan_ms < SLOW_MS else inf,
    )


SCANNED = Rates(lost=nats(0.13), again=nats(0.4), swapped=nats(0.3), wrong=nats(0.11), held=inf, stuck=inf)
"""Of raw scans of which nothing is said, so far apart that what is shorter shows nothing: guesses. Not made by the
function: what is missing there are whole scans, of which nobody knows how many, and the next one shows what stands."""

UNMEASURED = 0.002
"""So many edges does a board lose of which nothing is known."""

REPORTED = rates(UNMEASURED, scan_ms=5)
"""Of a board that sends every edge: what it does not say was nearly always not so. So what a press says is not talked
away: an edge lost with a wrong square is dearer than that. A guess: of 208 edges in the recordings none is lost, which
tells no more than that it is fewer than 1 of 100 or so."""

WHOLE = replace(SCANNED, lost=nats(0.02), again=nats(0.13), wrong=nats(0.02))
"""Of raw scans as far apart of which none is lost: what lasts is shown. Guesses: as dear as for a board that sends
every edge, of 250 offences by hands of others 235 are told in time, instead of 228, and where nothing shows captures,
by our own hands, 3 of 100 moves are lost, instead of 1."""
