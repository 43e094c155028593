"""The daemon: boards, their games, a journal and the ways out, wired together and kept running.

what comes in   ``timeline``: its time; ``sensed``: what the board says; ``presses``: in which order it is told;
                ``commands``: what people say; ``board_input``: all this of one board
the game        ``game_session``: one with its board, or a match with its two, without I/O; ``next_game``: when it
                begins; ``play``: what it needs to survive a restart; ``awaiting``: what awaits a ruling;
                ``foresight``: who can still mate, asked before a flag falls; ``dial``: when an electronic clock is
                read; ``kings``: what they say in the middle of the board
what fails      ``watch``, ``suspects``: sensors; ``silence``: drivers; ``health``, ``vitals``: the machine;
                ``watchdog``: what systemd is told
                ``metrics``: what Prometheus is told
of the boards   ``measured``: edges that are lost, as far as calibrate and the games before tell; ``stances``: which
                way round they stand
what ends       ``upkeep``: what is too old; ``left_over``: a game that no board here plays any more
what goes out   ``feeds``: topics and scores, and for the public; ``named_outlets``: what only some have; ``pairings``;
                ``pages``: the console; ``shows``, ``faces``: clock and lamps
all of it       ``station``: of one table; ``service``: of one or many; ``reload``: a hall's file read again
"""
