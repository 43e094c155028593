"""A round for the public.

``outlet``: the files; ``folder``: where a game belongs; ``pgn``, ``cloud``: as PGN, as the JSON of LiveChess Cloud; by
URL ``web``, for people ``front``
"""
