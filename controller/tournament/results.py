"""The results of rounds: where each comes from, and what came before it; the crosstable, and the points of the teams.

A result given by hand holds until it is taken back: it is an arbiter's word. Else the board's holds, once it is final;
else the one that the pairing program has already. Who is first is not ours to say: that is the pairing program's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract import Score
from controller.errors import ConfigError
from controller.tournament.scores import reversed_score
from controller.tournament.values import Key, Pairing, Player, Round, folded, numbered, points

ResultSource = Literal["hand", "board", "program"]
MATCH_POINTS = (2.0, 1.0, 0.0)  #: of a team that wins, draws, loses


class GameOfRound(Struct, frozen=True, kw_only=True):
    """Of which game something is. A table that is paired anew has another one."""

    round: int
    table: str
    white: str  #: by name; empty where that is not known
    black: str

    def concerns(self, given: Round, pairing: Pairing) -> bool:
        """Whether it is about that game of the round. Names that are not known contradict nobody."""
        if pairing.black is None or (self.round, self.table) != (given.number, pairing.table):
            return False
        paired = ((self.white, pairing.white.name), (self.black, pairing.black.name))
        return all(folded(said) in ("", folded(name)) for said, name in paired)


class Given(GameOfRound, frozen=True, kw_only=True):
    """A result as it was given; ``result`` None takes back the one before."""

    result: Score | None
    reason: str = ""  #: as the contract has it, or in somebody's own words
    text: str = ""  #: what the arbiter said to it at the board
    by: str = ""
    at: str  #: ISO 8601
    source: ResultSource = "hand"
    game: str = ""  #: of the journal


class GameOutcome(Struct, frozen=True, kw_only=True):
    """What a game of a round came to."""

    pairing: Pairing  #: with the result that holds
    source: ResultSource | None = None  #: where that comes from; None: it is open
    program: Score | None = None  #: what the pairing program has
    board: Score | None = None  #: what the board has
    reason: str = ""
    history: tuple[Given, ...] = ()  #: all results that were given, in order of time


class ReportBehind(Struct, frozen=True, kw_only=True):
    """A game of an earlier round that came to something else than a report says."""

    round: int
    pairing: Pairing  #: with the result that holds
    report: Score | None  #: what the report has; None: it is open there


def outcomes(given: Round, results: Iterable[Given]) -> list[GameOutcome]:
    """What each pairing of the round came to, by the ``results`` of boards and those given by hand."""
    known = sorted((each for each in results if each.round == given.number), key=lambda each: each.at)
    return [_outcome(pairing, [each for each in known if each.concerns(given, pairing)]) for pairing in given.pairings]


def strangers(given: Round, results: Iterable[Given]) -> list[Given]:
    """The results of that round that are of none of its games: others were paired on the table since."""
    return [
        each
        for each in results
        if each.round == given.number and not any(each.concerns(given, pairing) for pairing in given.games)
    ]


def settled(given: Round, results: Iterable[Given]) -> Round:
    """The round with its results."""
    return replace(given, pairings=tuple(outcome.pairing for outcome in outcomes(given, results)))


def behind(found: Iterable[GameOutcome], told: Round) -> Iterator[ReportBehind]:
    """The games whose result, by hand or of the board, a report has not: it has the round as ``told``."""
    there = {pairing.keys: pairing for pairing in told.games}
    for outcome in found:
        pairing, same = outcome.pairing, there.get(outcome.pairing.keys)
        if outcome.source not in ("hand", "board") or same is None:
            continue
        turned = same.result is not None and same.white.key != pairing.white.key
        has = reversed_score(same.result) if turned and same.result is not None else same.result
        if has != pairing.result:
            yield ReportBehind(round=told.number, pairing=pairing, report=has)


def told_since(given: Round, later: Round) -> Round:
    """The round with the results that the pairing program has told of it ``later``, where there was none before."""
    known = {pairing.keys: pairing for pairing in later.games}
    pairings = []
    for pairing in given.pairings:
        same = known.get(pairing.keys)
        if pairing.result is None and same is not None and same.white.key == pairing.white.key:
            pairing = replace(pairing, result=same.result)
        pairings.append(pairing)
    return replace(given, pairings=tuple(pairings))


def _outcome(pairing: Pairing, history: Sequence[Given]) -> GameOutcome:
    by_hand = [each for each in history if each.source == "hand"]
    by_board = [each for each in history if each.source == "board"]
    on_board = by_board[-1].result if by_board else None
    source: ResultSource | None = None if pairing.result is None and pairing.bye is None else "program"
    found = GameOutcome(pairing=pairing, source=source, program=pairing.result, board=on_board, history=tuple(history))
    for last in (*by_hand[-1:], *by_board[-1:]):
        if last.result is not None:
            paired = replace(pairing, result=last.result)
            return replace(found, pairing=paired, source=last.source, reason=last.reason)
    return found


# -- the record of results given by hand -----------------------------------------------------------------------------


def read_given(text: str, source: str) -> list[Given]:
    """The results in ``text``, one a line as JSON. Raises :exc:`ConfigError` naming the line that is none."""
    decoder, found = msgspec.json.Decoder(Given), []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], 1):
        try:
            found.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeError) as error:
            raise ConfigError(
                f"{source}: line {number} is no result: {error}",
                "somebody has edited the file, or it is another one",
                "put back the line as it was; each result has one, and none is ever changed",
            ) from error
    return found


def write_given(given: Given) -> str:
    """A line of that record."""
    return f"{msgspec.json.encode(given).decode()}\n"


# -- tables ----------------------------------------------------------------------------------------------------------


class CrosstableRow(Struct, frozen=True, kw_only=True):
    """A player's line of the crosstable."""

    number: int  #: the start number, by which others name the line; as the report has it, see :func:`.trf.made`
    player: Player
    cells: list[str]  #: by round: ``12w1``, ``7b½``, ``3w+``, ``5b*`` while it is open, ``U`` a bye; empty: not paired
    points: float


class Crosstable(Struct, frozen=True, kw_only=True):
    """All players and what they did so far, by start number; no standings."""

    rounds: list[int]
    rows: list[CrosstableRow]


class TeamMatch(Struct, frozen=True, kw_only=True):
    """Two teams in one round."""

    round: int
    teams: tuple[str, str]  #: White on the first table is of the first
    points: tuple[float, float]  #: of the games
    open: int  #: games without a result
    match_points: tuple[float, float] | None  #: two for more than half, one for half; None until the last game is over


class Team(Struct, frozen=True, kw_only=True):
    name: str
    points: float
    match_points: float


def crosstable(rounds: Sequence[Round]) -> Crosstable:
    """What the players did in these rounds, which have their results."""
    players, numbers = numbered(rounds)
    cells = {key: [""] * len(rounds) for key in players}
    scored = dict.fromkeys(players, 0.0)
    for at, each in enumerate(rounds):
        for pairing in each.pairings:
            gained = points(pairing)
            for side, player in pairing.players.items():
                scored[player.key] += gained.get(side, 0.0)
                cells[player.key][at] = _cell(pairing, player, numbers)
    rows = [
        CrosstableRow(number=number, player=players[key], cells=cells[key], points=scored[key])
        for key, number in sorted(numbers.items(), key=lambda item: item[1])
    ]
    return Crosstable(rounds=[each.number for each in rounds], rows=rows)


def team_matches(given: Round) -> list[TeamMatch]:
    """The matches of a round: its games between two teams, in the order of their first tables."""
    found: dict[frozenset[str], list[Pairing]] = {}
    for pairing in given.games:
        names = frozenset(player.team for player in pairing.players.values())
        if len(names) == 2 and "" not in names:
            found.setdefault(names, []).append(pairing)
    return [_match(given.number, games) for games in found.values()]


def teams(rounds: Sequence[Round]) -> list[Team]:
    """The points of each team: of the games of its players, byes as well, and of its matches. By name."""
    scored: dict[str, float] = {}
    won: dict[str, float] = {}
    for each in rounds:
        for pairing in each.pairings:
            gained = points(pairing)
            for side, player in pairing.players.items():
                if player.team:
                    scored[player.team] = scored.get(player.team, 0.0) + gained.get(side, 0.0)
        for match in team_matches(each):
            for name, gain in zip(match.teams, match.match_points or (0.0, 0.0), strict=True):
                won[name] = won.get(name, 0.0) + gain
    return [Team(name=name, points=scored[name], match_points=won.get(name, 0.0)) for name in sorted(scored)]


def _match(number: int, games: Sequence[Pairing]) -> TeamMatch:
    white, black = games[0].players.values()
    names = (white.team, black.team)
    scored = dict.fromkeys(names, 0.0)
    for game in games:
        gained = points(game)
        for side, player in game.players.items():
            scored[player.team] += gained.get(side, 0.0)
    first, second = (scored[name] for name in names)
    still = sum(game.result is None for game in games)
    outcome = (first > second) - (first < second)
    both = (MATCH_POINTS[1 - outcome], MATCH_POINTS[1 + outcome])
    return TeamMatch(
        round=number, teams=names, points=(first, second), open=still, match_points=None if still else both
    )


def _cell(pairing: Pairing, player: Player, numbers: Mapping[Key, int]) -> str:
    if pairing.black is None:
        return str(pairing.bye or "U")
    white = player.key == pairing.white.key
    opponent = pairing.black if white else pairing.white
    where = f"{numbers[opponent.key]}{'w' if white else 'b'}"
    if pairing.result is None:
        return f"{where}*"
    if "+" in pairing.result or pairing.result == "--":
        return f"{where}{pairing.result[0 if white else 1]}"
    return f"{where}{spelled(points(pairing)['white' if white else 'black'])}"


def spelled(number: float) -> str:
    """Points as people write them: ``2½``."""
    whole, half = divmod(number, 1)
    return f"{int(whole) or '' if half else int(whole)}{'½' if half else ''}"
