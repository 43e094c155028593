"""A hall of boards from the command line: set up, paired round by round, watched, and its results exported.

the commands      ``commands``: the subcommands of ``jadoube hall``
set up            ``init``; ``join``: on another computer; ``replace``: a board by another one
  of what         ``boards``, ``places``: which board stands where; ``tables``: what a board's own computer is handed;
                  ``files``: the hall's folder; ``keep``: what was in a file is kept
play              ``round``: pairings in force; ``check``: whether all boards are ready; ``results``, ``end``: of a game
                  by hand; ``export``
  of what         ``games``: played here; ``elsewhere``: and on other computers; ``matches``: of four players;
                  ``broker``, ``heard``: what boards say of themselves
"""
