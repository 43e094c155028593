"""A tournament: its players, its rounds and what they came to. Text or values in, values and text out.

``values``     players, pairings, a round, and what it may not say; ``scores``: results as others spell them
``reading``    a round from TRF16 (``trf``), lists and pairs (``lists``), CSV or PGN; and back as our own CSV
``changes``    what a new round changes
``results``    what each game came to, the crosstable, the points of the teams

Who plays whom, and who stands where, is the pairing program's to say.
"""

from controller.tournament.changes import RoundChange, changes
from controller.tournament.lists import pairs_of
from controller.tournament.reading import as_csv, is_trf, read_round, rounds_in, tags_of_pairing
from controller.tournament.results import (
    Crosstable,
    CrosstableRow,
    GameOfRound,
    GameOutcome,
    Given,
    Team,
    TeamMatch,
    crosstable,
    outcomes,
    read_given,
    settled,
    spelled,
    strangers,
    team_matches,
    teams,
    told_since,
    write_given,
)
from controller.tournament.scores import forfeited, score
from controller.tournament.trf import Trf, made
from controller.tournament.values import Bye, Pairing, Player, Round, check, completed, of_event, order, pairing_line

__all__ = [
    "Bye",
    "Crosstable",
    "CrosstableRow",
    "GameOfRound",
    "GameOutcome",
    "Given",
    "Pairing",
    "Player",
    "Round",
    "RoundChange",
    "Team",
    "TeamMatch",
    "Trf",
    "as_csv",
    "changes",
    "check",
    "completed",
    "crosstable",
    "forfeited",
    "is_trf",
    "made",
    "of_event",
    "order",
    "outcomes",
    "pairing_line",
    "pairs_of",
    "read_given",
    "read_round",
    "rounds_in",
    "score",
    "settled",
    "spelled",
    "strangers",
    "tags_of_pairing",
    "team_matches",
    "teams",
    "told_since",
    "write_given",
]
