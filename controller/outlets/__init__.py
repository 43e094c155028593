"""The ways out: each reads the journal, with a cursor of its own where nothing may be left out; none sees the game.

all of them     ``follow``: the journal; ``scoresheet``, ``matchsheet``: what is kept of a game; ``notices``: what is
                wrong; ``delay``, ``held``: for the public; ``writing``: files; ``posting``, ``serving``, ``sockets``:
                HTTP; ``entrance``: who is let in where we listen; ``turns``: how much of one is read; ``settings``
                of those that a configuration may name, and ``tables``: what these are told
MQTT            ``mqtt``; ``channel``: of one board; ``topics``: what is said there, and in ``public`` to everybody,
                ``levels``: how topics are called; ``docket``: what awaits a ruling;
                ``connection``, ``trust``, ``line``, ``broker``; what comes in: ``inbox``, ``command``, ``questions``,
                ``door``, ``signed``, ``memory``; ``remembered``: by the broker; of the venue as a whole the
                ``round`` in force and the ``times`` of day
scores          ``pgn``; ``bpgn`` of a match; ``paper``: to be printed
a broadcast     ``broadcast``: files, with ``broadcast_pgn``, ``broadcast_folder`` and ``cloud``; by URL
                ``broadcast_web``, ``broadcast_front`` for people; ``lichess``;
                ``twins``: games that nobody can tell apart
programs        ``livechess``, ``livechess_protocol``, ``livechess_boards``; by WebSocket ``livechess_connection``,
                ``livechess_feed``, ``livechess_line``; ``livechess_rest``; ``homeassistant``; ``webhook``
the board       ``lamps`` on its squares
"""
