"""The ways out: each reads the journal, with a cursor of its own where nothing may be left out; none sees the game.

all of them     ``follow``: the journal; ``scoresheet``, ``matchsheet``: what is kept of a game; ``notices``: what is
                wrong; ``alerts``: what wants an arbiter; ``delay``, ``held``: for the public; ``writing``: files;
                ``posting``, ``serving``, ``sockets``: HTTP; ``entrance``: who is let in where we listen; ``turns``: how
                much of one is read; ``settings`` of those that a configuration may name, and ``tables``: what these are
                told
MQTT            in the folder mqtt; ``homeassistant``
scores          ``pgn``; ``bpgn`` of a match; ``paper``: to be printed
a broadcast     in the folder broadcast; ``lichess``;
                ``twins``: games that nobody can tell apart
programs        in the folder livechess; ``webhook``
the board       ``lamps`` on its squares
"""
