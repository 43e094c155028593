"""Help at the bench, for someone with a soldering iron: what is wired where, what is seen, what is wrong, what to do.

Plain text that reads well at 80 columns, with a terminal or without one.

commands        ``commands``: ``setup``, ``doctor``, ``board``, ``boards``, ``calibrate``, ``record``, ``trial``
what is there   ``ports``, ``probe``, ``buses``; ``plugged``: the only one; ``kinds`` there are; ``which``: of several
what is lost    ``losses``: edges, and what bounces
what is seen    ``look``; ``picture``, with its ``wiring``; ``beside``: clock and lamps
the test        ``walk``: a piece over the squares; ``diagnose``, ``diodes``: what is wrong; ``slips``: to try it
setting up      ``dialogue``: questions and answers; ``fill``: a configuration; ``spoken``: what time control is meant
the doctor      ``machine``; ``foreseen``: what run warns of, too, as what a clock gives; ``served``
the rest        ``health``: how findings are told
"""
