"""What it costs to believe something, in nats: the negative logarithm of how often it happens.

This is the one table of rates, each with its source. "Counted": in two games recorded on real DGT boards, 100 moves, by
``tests/benchmarks/bench_hands.py``; the rate is (k + 1) / (n + 2) for k times in n. "Guess": nobody has counted it; or
it was counted, but the counted rate made results worse, and then it is said which. Guesses were chosen so that honest
games by hands that others wrote come out right.

What a board hides follows from two numbers, which can be measured: the share of edges that it loses, and the time from
one look at a square to the next. A session may give them; ``jadoube calibrate`` and earlier games measure them
(:mod:`controller.daemon.measured`). The boards at the end are for sessions that do not give them.
"""

from math import exp, inf, log

from msgspec import Struct
from msgspec.structs import replace


def nats(rate: float) -> float:
    """The cost of what happens at this rate."""
    return -log(rate)


# -- what hands do -------------------------------------------------------------------------------------------------

# Guesses, though it was counted: in 0 of 100 moves each (4.6). A world that leaves out a piece which stands again pays
# nothing for it, so a high cost here makes the true story the dearer one where people fidget. With the counted rate
# none of 20 games by such people came out right, instead of 14.
IDLE_OWN = nats(0.7)  #: 0.36: a player touches another piece of his own besides the one he moves, and it stands again
IDLE_ENEMY = nats(0.5)  #: 0.69: the same with a piece of the opponent's

BOTH_HELD = nats(0.002)
"""6.2: a player holds a piece of the opponent's for longer than a brush, and puts it back while the piece he moves is
in his hand: more likely he has captured it. A guess."""

# A guess, though it was counted: in 7 of 100 moves (2.5). Some hands push the captured piece off its square, and so set
# it down in passing in each capture: with the counted rate 11 of 20 such games came out right, instead of 16.
PASSED = nats(0.8)  #: 0.22: a piece is set down in passing

STRADDLING = nats(0.1)  #: 2.3: a piece is set down on the edge of two squares, and both show it; a guess
PUSHED = nats(0.05)  #: 3.0: a captured piece is pushed to a square beside, and stands there for a moment; a guess
LAID_DOWN = nats(0.02)  #: 3.9: a captured piece falls, or is set out of the way, and stands for a while; a guess
ELSEWHERE = nats(0.1)  #: 2.3: another piece is set down in passing where one has left for good; a guess

# A guess, though it was counted: in 2 of 100 moves (3.5). With the counted rate 13 of 20 games of other hands came out
# right, instead of 14, and one more had somebody accused.
EARLY = nats(0.8)  #: 0.22: the destination is seen to close before the origin opens

EARLY_MS = 300  #: nearly all boards show both within this time; a guess
EARLIER_MS = 50  #: each time that it closes so much earlier than that, it is less likely by the factor e; a guess

# A guess, though it was counted: in 0 of 98 moves (4.6). With the counted rate 88.2 % of plies in games with a gap of
# three moves came out right, instead of 89.1: in a gap nobody sees what came first.
BEFORE = nats(0.5)  #: 0.7: a piece is taken up before the move in progress is finished

FOR_LONG = nats(0.08)  #: 2.5: a piece stays off the board while others are moved; a guess

LEFT = nats(0.05)  #: 3.0: who moves leaves another piece off its square, or on another one; a guess

IN_HAND = (0.0, nats(0.74), nats(0.22))
"""0, 0.3, 1.5: the first, the second, and each further piece of his own is off the board. Guesses, as the next
three."""

TAKING = nats(0.9)  #: 0.1: an opponent's piece is off that can be captured, or while a piece of his own is in hand
ODDLY = nats(0.22)  #: 1.5: an opponent's piece is off otherwise
TAKEN_UP = nats(0.55)  #: 0.6: an opponent's piece is off while a move is in progress

AT_ONCE = nats(0.01)  #: 4.6: a piece is set down and another taken up within one look, by different hands; a guess
LATE = nats(1 / 100)  #: 4.6: an edge is seen only after the whole next move; counted: 0 of 98 moves
REACTS_MS = 250  #: nobody replies so soon after a piece stands; a guess
HANDED_MS = 500  #: nobody drops a piece so soon after his partner's move was completed: it is handed over; a guess
LOOKS_MS = 400  #: every board looks at its squares at least this often, and reports them within this time
LATER_MS = 100  #: each time that an edge is seen so much later than that, it is less likely by the factor e; a guess
SETTLING = nats(0.5)  #: 0.7: an edge comes after the press, but no later than a contact settles; a guess
UNWATCHED = nats(0.03)  #: 3.5: an edge is missing of a move made while nobody looked; a guess
UNWATCHED_TOO = nats(0.2)  #: 1.6: another one: who does not look misses more than one; a guess
TURNED = nats(0.1)  #: 2.3: the board stands the other way round, where it may; a guess
OTHERWISE_NAMED = nats(0.3)  #: 1.2: a piece that nobody has named is another than it was taken for; a guess
UNDERPROMOTED = nats(0.03)  #: 3.5: a pawn has become another piece than a queen, and nobody has said so; a guess
MISPLACED = nats(0.11)  #: 2.2: a piece stands where it should not when the board is first looked at; a guess

# Guesses: in the recordings all sensors work.
LIKELIER = log(4)  #: 1.4 less: a sensor fails while another is supposed to have failed already
TWITCHED = log(2)  #: 0.7 less: of a sensor that opened for a moment just then: a hand was there
WORKED = nats(0.2)  #: 1.6: a sensor has worked in this game, and does so no longer
CLOSES = nats(0.1)  #: 2.3: a failed sensor shows a piece where none is
SHOWS_IT = nats(1 / 6)  #: 1.8 more: on a board that tells pieces apart, and just the piece that is missing; a guess
HIDDEN = nats(0.1)  #: 2.3: a move from one square to another, of which neither sensor works
LINE = nats(0.02)  #: 3.9: all sensors of a rank or file fail at once, as they share a wire
IN_LINE = nats(0.05)  #: 3.0: a sensor fails on a line that shows nothing, and on which another has failed already
LETS_GO = nats(0.1)  #: 2.3: a sensor that stuck closed opens at last; a guess
MENDED = nats(0.002)  #: 6.2: a sensor that seemed not to work works

LEAVING = nats(0.5)  #: 0.7: what is touched before the press is touched by the hand that moved, as it leaves; a guess
SWEPT = nats(0.3)  #: 1.2: a player who presses brushes one of his pieces with his sleeve just then; a guess
REPLIED = nats(0.05)  #: 3.0: the opponent has made his whole move before the press; a guess
ANSWERED = nats(0.2)  #: 1.6: before the press, the opponent takes up the piece that he is about to capture; a guess
HASTY = nats(0.02)  #: 3.9: somebody takes up a piece that has just been set down, sooner than anybody replies; a guess
ON_HIS_WAY = nats(0.02)  #: 3.9: a piece that stood for less than a release, and has moved on or away, was released
TAKEN_AT_ONCE = nats(0.8)  #: 0.2: a piece that was just set down is off again when its player presses; a guess
CHATTERED = nats(0.5)  #: 0.7: a sensor that has chattered opens for longer than a brush; a guess
SLEEVE = nats(0.1)  #: 2.3: a captured piece is off its square no longer than a brush, while others are brushed, or
#: where it may not be captured; a guess
MISSAID = nats(0.001)  #: 6.9: a player drops another piece than he has named by button; a guess
DROPPED = nats(0.05)  #: 3.0: with a piece of his own in hand a player drops one from his stock, as he has said
DROPPED_UNSAID = nats(0.01)  #: 4.6: the same without a word; a guess, as the one before

# Counted: in 15 of 20 captures, on boards that tell pieces apart.
EXCHANGED = nats(16 / 22)  #: 0.3: the capturing piece stands in place of the captured one at once

VANISHED = nats(0.1)
"""2.3: the capturing piece is off again before a board that tells the two apart has shown it; a guess."""

# Guesses: the recordings bear no times by which a release could be told from a passage.
UNDONE = nats(0.55)  #: 0.6: a release that was not seen to stand was none
STOOD = nats(0.004)  #: 5.5: a release that was seen to stand was none
STOOD_LONGER = 1.0  #: more for each further time that a release takes; a guess
REFILLED = nats(0.02)  #: 3.9: a player puts a piece back, and presses with his own where no sensor works; a guess
LEFT_LYING = nats(0.5)  #: 0.7: who presses has left on the board what he captured; a guess
SET_DOWN_NEXT = nats(0.8)  #: 0.2: of two pieces in hand the one set down next is the one that has not captured; a guess
STOOD_BEFORE = nats(0.1)  #: 2.3: a piece that seemed to capture never came: what stood there was taken up and put back

# Guesses: nobody breaks a rule in the recordings, and the Laws say what follows, not how often it happens.
BREACH = nats(0.1)  #: 2.3: Article 4 is broken
OUT_OF_TURN = nats(0.05)  #: 3.0: a known hand does something out of turn
TWO_IN_A_ROW = nats(0.01)  #: 4.6: an unknown hand does, by what stands there: a sensor may have hidden a move
ANNOUNCED = nats(0.01)  #: 4.6: "j'adoube" is said out of turn: a player who says it by a button looks whose turn it is
ROOK_LEFT = nats(0.1)  #: 2.3: besides the next one, if it is castling: a player who castles thinks of the rook; a guess
UNFINISHED = nats(0.08)  #: 2.5: a capture, castling or promotion is pressed before it is finished
HALF_ANSWERED = nats(0.2)  #: 1.6: the opponent has replied while a castling, or a capture in passing, waits; a guess
ILLEGAL = nats(0.018)  #: 4.0: an illegal move is made
NOT_YET = nats(0.2)  #: 1.6: a piece is dropped that is not in stock yet, or may not be dropped there; a guess
IGNORED = nats(0.37)  #: 1.0: play goes on while an illegal move stands, for each piece that is set down
PLAYED_ON = nats(0.05)  #: 3.0: without a clock, the opponent replies to an illegal move; a guess
NO_MOVE = nats(0.007)  #: 5.0: the clock is pressed, and nothing was moved
GONE_ON = nats(0.5)  #: 0.7: after the end of the game, each time that a piece is moved or the clock pressed
HOLDING = nats(0.018)  #: 4.0: the clock is pressed with a piece in hand


def earliness(ms: int) -> float:
    """What it costs that a destination is seen to close ``ms`` before the origin opens."""
    return EARLY + max(0, ms - EARLY_MS) / EARLIER_MS


def lateness(ms: int) -> float:
    """What it costs that an edge is seen ``ms`` after the press, though it happened before the press."""
    return LATE + max(0, ms - LOOKS_MS) / LATER_MS


# -- what is thought possible --------------------------------------------------------------------------------------

MARGIN = 6.0
"""A world dearer than the cheapest by this is given up."""

LIKELY = 2.0
"""A world within this of the cheapest may well be the true one."""

BELIEVED = nats(1e-6)
"""An explanation dearer than this, 13.8, explains nothing: what hands have done is no play."""

SURE = 4.9
"""Nobody is accused while a world within this of the cheapest has another story."""

ACCUSED = 0.95
"""Nobody is accused with a lower confidence, in which all that was given up counts, too: of 79 offences that hands of
others committed after captures that nothing shows, 74 are likelier than that."""

OVERLOOKED = 0.02
"""How often something was played that no search has found. A guess; ``bench_calibration`` counts how often what is told
with some confidence is right."""


# -- what boards hide ----------------------------------------------------------------------------------------------


class Rates(Struct, frozen=True):
    """What it costs that a board hides something."""

    lost: float  #: an edge is lost
    again: float  #: another edge is lost in the same gap
    swapped: float  #: the target of a capture shows nothing
    wrong: float  #: a square shows what does not stand there
    held: float  #: so many more releases that a second piece, or an opponent's, is off cost one nat more
    stuck: float  #: the sensor of one particular square sticks, open or closed


SLID = 0.07
"""This share of captures shows nothing however often a board looks: the capturing piece pushes the other off its
square, which is never empty. A guess."""

OPEN_MS = 20.0
"""In other captures the square is empty for at least so long. A guess: no recording looks that often."""

OPEN_MEAN_MS = 46.0
"""And on the average so much longer. Counted: of 20 captures, on boards that look every 200 to 250 ms, 15 never show
the square empty, which is 16 / 22 at 225 ms."""

AGAIN = 5.0
"""After a lost edge the odds that the next one is lost are so many times higher: what takes one (a cable, a quick hand)
lasts. A guess: no recording has a gap."""

DOUBTED = 0.025
"""If a board loses this share of edges, a square that shows what does not stand there does so, as likely as not,
because of a lost edge, which is paid for. A guess, and so is how steeply it goes up: a board that sends every edge is
believed (no press is talked away), one that loses one of 30 is not."""


HELD = 25.0
"""If a second piece, or an opponent's, is held so many releases longer, it is less likely by the factor e. A guess."""

SLOW_MS = 100
"""If a square is looked at no more often than that, a piece that captured unseen seems to be off the board for as long
as nothing else is played: so a long absence tells nothing there. A guess."""

STICKS = nats(0.025 / 64)
"""7.8: a sensor sticks on one board in forty, and on any of its squares. A guess."""

SEEMS_STUCK = STICKS + nats(0.05)
"""10.8: the same on a board that is looked at so seldom, and of which nobody has measured what it loses: what it does
not show it has more likely missed. A guess: with less, who presses with a piece in his hand is told of it later; with
more, more people are accused by a failing sensor."""


def swapped(scan_ms: float) -> float:
    """The share of captures that a board does not show which looks at a square every ``scan_ms``: no look falls into a
    time t for which the square is empty with a probability of 1 - t / ``scan_ms``."""
    longer = max(0.0, scan_ms - OPEN_MS)
    return SLID + (1 - SLID) * (longer - OPEN_MEAN_MS * (1 - exp(-longer / OPEN_MEAN_MS))) / scan_ms


def rates(lost: float, scan_ms: float) -> Rates:
    """The rates of a board that loses the share ``lost`` of all edges, and looks at a square every ``scan_ms``."""
    again = AGAIN * lost / (1 + (AGAIN - 1) * lost)
    unseen = swapped(scan_ms)
    return Rates(
        lost=nats(lost),
        again=nats(again),
        swapped=nats(unseen + (1 - unseen) * lost * again),  # or both edges were lost
        wrong=nats(lost**3 / (lost**3 + DOUBTED**3)),
        held=HELD if scan_ms < SLOW_MS else inf,
        stuck=STICKS,
    )


SCANNED = Rates(lost=nats(0.13), again=nats(0.4), swapped=nats(0.3), wrong=nats(0.11), held=inf, stuck=SEEMS_STUCK)
"""For raw scans that are far apart and of which nothing more is known: guesses. Not made by :func:`rates`, as whole
scans are missing there, nobody knows how many, and the next scan shows what stands."""

UNMEASURED = 0.002
"""The share of edges lost by a board of which nothing is known."""

REPORTED = rates(UNMEASURED, scan_ms=5)
"""For a board that sends every edge: what it does not report has nearly always not happened. So a press is not talked
away: a lost edge and a wrong square are dearer. A guess: of 208 edges in the recordings none is lost, which tells only
that it is fewer than 1 of 100 or so."""

WHOLE = replace(SCANNED, lost=nats(0.02), again=nats(0.13), wrong=nats(0.02), stuck=STICKS)
"""For raw scans as far apart of which none is lost: what lasts is shown. Guesses: with the costs of a board that sends
every edge, of 250 offences by hands of others 235 are told in time, instead of 228, and where nothing shows captures,
by our own hands, 3 of 100 moves are lost, instead of 1. That a sensor sticks is asked only where a press accuses."""
