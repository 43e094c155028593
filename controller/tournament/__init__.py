"""A tournament: its players, its rounds and what they came to. Text or values in, values and text out.

``values``     players, pairings, a round, and what it may not say; ``scores``: results as others spell them
``reading``    a round from TRF16 (``trf``), lists and pairs (``lists``), CSV or PGN; and back as our own CSV
``changes``    what a new round changes
``results``    what each game came to, the crosstable, the points of the teams

Who plays whom, and who stands where, is the pairing program's to say.
"""
