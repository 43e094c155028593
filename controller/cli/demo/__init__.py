"""``jadoube demo``: a game or a match on simulated boards.

``commands``: the subcommand; ``game``, ``match``: what is played; ``hands``: who plays it; ``show``: what there is to
show
"""
