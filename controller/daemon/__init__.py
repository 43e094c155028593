"""The daemon: a board, a game, a journal and the ways out, wired together and kept running.

``timeline``, ``sensed`` and ``presses`` make inputs of what the board says, ``commands`` of what people say; ``watch``
says what ails the sensors; ``play`` is the game with what it needs to survive a restart, ``table`` the whole of it
without I/O, ``service`` the threads and tasks.
"""
