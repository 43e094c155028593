"""Who can still mate, by any series of legal moves of both sides (5.2.2, 6.9).

============  ================================================================
the answer    ``verdict``: who can mate, and why; ``dead``: is a position dead
a proof       ``reach`` by ``spread``, ``patterns``: where they get, and too little
              ``ghosts``: every line of kings and pawns, the rest being anywhere
              ``tempo``: a side with nothing but pawns to move runs out of moves
a helpmate    ``search`` through every line, led by ``guide``
both need     ``state``: positions, and the moves from them
============  ================================================================

"Cannot" is only said with a proof, and "can" with a line of legal moves that ends in the mate; where neither is found
within a bound, the answer is that it is not known. The idea is from M. Ambrona, "A Practical Algorithm for Chess
Unwinnability" (chasolver.org): both sides help, so a mate is nearly always soon found, and where it is not, walls of
pawns or forced moves show why.
"""

from controller.mating.dead import certainly_dead, dead_whoever_moves
from controller.mating.verdict import BOUND, SOON, Verdict, Why, who_can_mate, who_can_mate_both

__all__ = [
    "BOUND",
    "SOON",
    "Verdict",
    "Why",
    "certainly_dead",
    "dead_whoever_moves",
    "who_can_mate",
    "who_can_mate_both",
]
