"""The matches à quatre of a round: two tables each; the result of one is the other's with colours exchanged."""

from collections.abc import Iterable, Iterator, Sequence

from controller.cli.hall.games import Played
from controller.contract import Match
from controller.errors import ConfigError
from controller.outlets.bpgn import RESULTS
from controller.outlets.matchsheet import Matchsheet
from controller.tournament.results import GameOutcome
from controller.tournament.scores import reversed_score
from controller.tournament.values import Pairing, Round

Tables = tuple[GameOutcome, GameOutcome]


def matches(played: Iterable[Played], now: Round, found: Sequence[GameOutcome]) -> Iterator[tuple[Matchsheet, Tables]]:
    """Each match that is or was ``played`` in the round, with what its tables came to, A and B; of several on the same
    tables the last.
    """
    at = {outcome.pairing.table: outcome for outcome in found if outcome.pairing.black is not None}
    last: dict[tuple[str, ...], Matchsheet] = {}
    for game in played:
        if game.match is not None and (outcome := at.get(game.about.table)) is not None:
            tables = tuple(board.number for board in game.match.boards.values())
            if game.about.concerns(now, outcome.pairing) and all(table in at for table in tables):
                last[tables] = game.match
    for (a, b), match in last.items():
        yield match, (at[a], at[b])


def partner(played: Iterable[Played], now: Round, found: Sequence[GameOutcome], table: str) -> Pairing | None:
    """What is paired on the other table of the match that is played on ``table``; None: it is none."""
    for _, (a, b) in matches(played, now, found):
        if table in (a.pairing.table, b.pairing.table):
            return b.pairing if table == a.pairing.table else a.pairing
    return None


def disputed(tables: Tables) -> str | None:
    """What is said where the results of the two tables cannot be those of one match."""
    (a, first), (b, second) = ((each.pairing.table, each.pairing.result) for each in tables)
    if first == (None if second is None else reversed_score(second)):
        return None
    return f"tables {a} and {b} are one match à quatre, and have {first or 'no result'} and {second or 'no result'}"


def with_result(match: Matchsheet, tables: Tables) -> Matchsheet:
    """The match with the result that holds. Raises :exc:`ConfigError` where its tables contradict each other, and
    where it has one that the notation of matches does not know.
    """
    if (what := disputed(tables)) is not None:
        table = tables[0].pairing.table
        cause = "a result was given by hand on one of them, before it was known that they are a match"
        raise ConfigError(what, cause, f"jadoube hall result {table} RESULT, which counts for both")
    holds = tables[0].pairing.result
    has = None if match.result is None else RESULTS[match.result.result]
    if holds == has:
        return match
    for result in ("team-1", "team-2", "draw"):
        if RESULTS[result] == holds:
            match.result = Match(ms=0, result=result, reason="arbiter")
            return match
    match.result = None  # by forfeit, or lost by both: there the sign is the asterisk
    return match
