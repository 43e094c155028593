"""``jadoube hall results`` and ``jadoube hall result``: what the games came to, and a result given by hand."""

import getpass
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.cli.hall.elsewhere import Unreached, ask
from controller.cli.hall.files import Hall
from controller.cli.hall.games import Played, games, last_on
from controller.cli.hall.matches import disputed, matches, partner
from controller.cli.hall.round import BYES
from controller.cli.terminal import many
from controller.contract import Score
from controller.errors import ConfigError, JadoubeError
from controller.numbering import ranges
from controller.tournament.results import (
    Crosstable,
    GameOutcome,
    Given,
    ReportBehind,
    Team,
    TeamMatch,
    behind,
    crosstable,
    outcomes,
    settled,
    spelled,
    strangers,
    team_matches,
    teams,
)
from controller.tournament.scores import forfeited, reversed_score, score
from controller.tournament.values import FORFEIT, FORFEITS, Pairing, Round, pairing_line
from controller.words.language import language

AS_PLAYED: dict[Score, Score] = {"+-": "1-0", "-+": "0-1", "--": "0-0"}


class Results(Struct, frozen=True, kw_only=True):
    """All that ``--json`` tells."""

    event: str
    round: int
    rounds: list[int]  #: of all that can be asked for, later ones as well
    games: list[GameOutcome]
    others: list[Given]  #: results of tables on which others were paired since
    crosstable: Crosstable
    matches: list[TeamMatch]
    teams: list[Team]
    unreached: list[Unreached]  #: boards at other computers of which something may be unknown
    behind: list[ReportBehind]  #: games of earlier rounds of which the report of this one has another result
    disputes: list[str]  #: matches à quatre whose two tables contradict each other


def show(config: Path, number: int | None, *, json: bool) -> int:
    """Prints the results of a round, or of the one in force, and all that follows of the rounds up to it."""
    hall = Hall(config)
    rounds = hall.rounds(hall.wanted(number).number)
    now = rounds[-1]
    unreached = missing(hall, rounds)
    played = list(games(hall, {each.number for each in rounds}))
    known = results(hall, rounds, played)
    found = [settled(each, known) for each in rounds]
    games_of_round = outcomes(now, known)
    disputes = (disputed(tables) for _, tables in matches(played, now, games_of_round))
    told = Results(
        event=hall.event or now.event,
        round=now.number,
        rounds=hall.numbers(),
        games=games_of_round,
        others=strangers(now, known),
        crosstable=crosstable(found),
        matches=team_matches(found[-1]),
        teams=teams(found),
        unreached=unreached,
        behind=behind_report(hall, rounds, known),
        disputes=[each for each in disputes if each is not None],
    )
    if json:
        print(msgspec.json.encode(told).decode())
    else:
        print("\n".join(_lines(told)))
    return 0


def missing(hall: Hall, rounds: Sequence[Round]) -> list[Unreached]:
    """Asks the boards at other computers; those that could not be asked, of the tables of these rounds."""
    tables = {game.table for each in rounds for game in each.games}
    return [each for each in ask(hall) if each.number in tables]


def told_missing(unreached: Sequence[Unreached]) -> Iterator[str]:
    """Of which boards something may be unknown; those of which the same is to be said on one line."""
    alike: dict[tuple[str, str], list[str]] = {}
    for each in unreached:
        alike.setdefault((each.what, each.known), []).append(each.number)
    for (what, known), numbers in alike.items():
        games = f"games are known up to {known}" if known else "no game is known"
        yield f"{'board' if len(numbers) == 1 else 'boards'} {ranges(numbers)}: {what}; {games}"
    if unreached:
        yield "  Next: jadoube hall check; what they have is told once they are there"


def behind_report(hall: Hall, rounds: Sequence[Round], known: Sequence[Given]) -> list[ReportBehind]:
    """The games of which the report of the last of ``rounds`` has another result than is known, and goes out with it:
    the rounds before the one that it came for stand in it as they were then.
    """
    given = hall.report(rounds[-1].number)
    if given is None:
        return []
    since, report = given
    there = report.rounds()
    before = [each for each in rounds if each.number < since and each.number in there]
    return [found for each in before for found in behind(outcomes(each, known), report.round(each.number))]


def told_behind(found: Sequence[ReportBehind]) -> Iterator[str]:
    """Each of these games, why that may be, and what to do."""
    for each in found:
        table, has = each.pairing.table, each.report
        who, known = pairing_line(each.pairing), each.pairing.result
        yield f"round {each.round}, table {table}  {who}: the report has {has or 'no result'}, known here is {known}"
    if found:
        yield "  Likely cause: it was given or put right after the pairing program had made the report"
        yield "  Next: enter it in the pairing program, too, for the report keeps what it has of earlier rounds"
    for each in found:
        if each.report is not None:
            command = f"jadoube hall result {each.pairing.table} {_words(each.report)} --round {each.round}"
            yield f"  or, if the report of round {each.round}, table {each.pairing.table} is right: {command}"


def _words(result: Score) -> str:
    """A result as the command line takes it, to which ``-+`` would be an option."""
    return result if result not in FORFEITS else f"{AS_PLAYED[result]} --reason {FORFEIT}"


def results(hall: Hall, rounds: Sequence[Round], played: Iterable[Played]) -> list[Given]:
    """All results of these rounds: of the games that were ``played``, and those given by hand."""
    numbers = {each.number for each in rounds}
    of_boards = [given for game in played for given in game.given]
    return [*of_boards, *(given for given in hall.given() if given.round in numbers)]


def give(
    config: Path,
    table: str,
    result: str | None,
    number: int | None,
    reason: str,
    by: str | None,
    *,
    at_board: bool = False,
) -> int:
    """Records a result given by hand, or with None takes back the one that was; 0 once it is kept. ``at_board``: it
    ends the game at the board as well; 1 where that board could not be told.

    Raises :exc:`ConfigError`, and records nothing, for a table without a game and for what is no result.
    """
    hall = Hall(config)
    now = hall.wanted(number)
    pairing = now.at(table)
    if pairing is None or pairing.black is None:
        there = ", ".join(each.table for each in now.games)
        raise ConfigError(
            f"round {now.number} has no game on table {table}",
            "another round, named by --round, or a slip of the pen",
            f"its tables: {there}",
        )
    scored = None if result is None else score(result, "the result")
    if result is not None and scored is None:
        raise ConfigError(
            f"{result!r} says that there is no result", "", "--take-back takes back the one given by hand"
        )
    if reason == FORFEIT and scored is not None:
        scored = scored if "+" in scored or scored == "--" else forfeited(scored)
        if scored is None:
            raise ConfigError(f"{result} cannot be by forfeit", "a forfeit is won, or lost by both", "1-0, 0-1 or 0-0")
    if not (reason + (by or "")).isprintable():
        raise ConfigError("--reason or --by has a control character", "pasted from somewhere", "type it")
    ask(hall)
    with hall.alone():
        played = list(games(hall, {now.number}))
        before = outcomes(now, results(hall, [now], played))
        other = partner(played, now, before, table)
        given = [_by_hand(now, pairing, scored, reason, by)]
        if other is not None:
            given.append(_by_hand(now, other, None if scored is None else reversed_score(scored), reason, by))
        were = {outcome.pairing.table: outcome for outcome in before}
        news = [each for each in given if _is_news(were[each.table], each)]
        for each in news:
            hall.give(each)
    are = {outcome.pairing.table: outcome for outcome in outcomes(now, results(hall, [now], played))}
    for each in given:
        now_, was = are[each.table], were[each.table]
        told = f"{_outcome(now_)}; before: {_outcome(was)}" if each in news else "that is so already"
        print(f"{_heading(now_)}: {told}")
        of_it = [game for game in played if game.about.concerns(now, now_.pairing)]
        begun, plies = bool(of_it), max((game.sheet.ply for game in of_it), default=0)
        if plies and each.result in FORFEITS:
            again = f'jadoube hall result {each.table} {AS_PLAYED[each.result]} --reason "IN YOUR WORDS"'
            print(
                f"  Mind: the game has {many(plies, 'move')}, and a forfeit says that it was not played: in TRF it is"
            )
            print(f"  {' and '.join(each.result)}, which is not rated, and in PGN the result of a game without play.")
            print(f"  Next, if it was played: {again} --round {now.number}")
        shown = begun or reason != FORFEIT  # nobody looks for a game that never began, and was forfeited
        last = last_on(hall, each.table, now.number)
        elsewhere = last is not None and not last.concerns(now, now_.pairing) and not at_board
        if now_.source == "hand" and shown and not elsewhere and now_.pairing.result not in _of_board(now_):
            if at_board and other is None:
                return _at_board(hall, now, now_, each)
            said = "" if each.result is None else _words(each.result)
            again = f"jadoube hall result {each.table} {said} --round {now.number} --at-board"
            page = "on the page of the board, Give a result"
            print("  Spectators and the broadcast have what the board has, which is another result, or none.")
            print(f"  Next: give it there, too: {page if other else f'{again}; or {page}'}")
    return 0


def _at_board(hall: Hall, now: Round, outcome: GameOutcome, given: Given) -> int:
    """Tells the board; 0 once it has the result."""
    from controller.cli.hall.end import end_at_board

    has = next(iter(_of_board(outcome)), None)
    try:
        end_at_board(hall, now, outcome.pairing, given, insist=has is not None)
    except JadoubeError as error:
        print(f"  {error}", file=sys.stderr)
        return 1
    print(f"  board {given.table} has it, too, and the game is over there")
    return 0


def _of_board(outcome: GameOutcome) -> list[Score | None]:
    """The last result that the board has; nothing where it has none."""
    return [each.result for each in outcome.history if each.source == "board"][-1:]


def _by_hand(now: Round, pairing: Pairing, scored: Score | None, reason: str, by: str | None) -> Given:
    return Given(
        round=now.number,
        table=pairing.table,
        white=pairing.white.name,
        black="" if pairing.black is None else pairing.black.name,
        result=scored,
        reason=reason,
        by=by or getpass.getuser(),
        at=datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def _is_news(before: GameOutcome, given: Given) -> bool:
    if given.result is None:
        return before.source == "hand"
    said = (before.source, before.pairing.result, before.reason)
    return said != ("hand", given.result, given.reason)


def _lines(told: Results) -> Iterator[str]:
    yield f"{told.event or 'the event'}, round {told.round}"
    yield from told_missing(told.unreached)
    yield from told_behind(told.behind)
    for dispute in told.disputes:
        yield f"{dispute}\n  Next: jadoube hall result TABLE RESULT, which counts for both"
    for outcome in told.games:
        others = {"board": outcome.board, "program": outcome.program}
        differs = [f"; the {who} has {it}" for who, it in others.items() if it not in (None, outcome.pairing.result)]
        yield f"  {_heading(outcome)}: {_outcome(outcome)}{''.join(differs)}"
        if len({(each.result, each.source) for each in outcome.history}) > 1:
            for each in outcome.history:
                why = _because("" if each.reason == "arbiter" else each.reason, each.text)  # by whom is said already
                yield f"      {each.at}  {each.result or 'taken back':8} by {each.by}{why}"
    for each in told.others:
        result, who = each.result or "taken back", f"{each.white or '?'} – {each.black or '?'}"
        yield f"  table {each.table}: {result} of {who}, who are not paired there any more"
    yield ""
    yield from _crosstable(told.crosstable)
    if told.matches:
        yield ""
        for match in told.matches:
            score = " : ".join(map(spelled, match.points))
            still = f", {match.open} still open" if match.open else ""
            yield f"  {' – '.join(match.teams)}  {score}{still}"
    if told.teams:
        yield ""
        width = max(len(team.name) for team in told.teams)
        yield f"  {'team':{width}}  points  match points"
        for team in told.teams:
            yield f"  {team.name:{width}}  {spelled(team.points):>6}  {spelled(team.match_points):>12}"
    yield ""
    yield "Who stands where, the pairing program says: jadoube hall export writes what it reads."


def _crosstable(table: Crosstable) -> Iterator[str]:
    head = ["", "", *(str(number) for number in table.rounds), "points"]
    rows = [[str(row.number), row.player.full_name, *row.cells, spelled(row.points)] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        number, name, *cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {number.strip():>{widths[0]}}  {name}  {'  '.join(cells)}".rstrip()


def _heading(outcome: GameOutcome) -> str:
    pairing = outcome.pairing
    who = pairing_line(pairing)
    return f"table {pairing.table}  {who}" if pairing.black is not None else who


def _outcome(outcome: GameOutcome) -> str:
    pairing = outcome.pairing
    if pairing.black is None:
        return BYES[pairing.bye or "U"]
    if pairing.result is None:
        return "open"
    text = next((each.text for each in reversed(outcome.history) if each.source == outcome.source), "")
    return f"{pairing.result}{_because(outcome.reason, text)}{', by hand' if outcome.source == 'hand' else ''}"


def _because(reason: str, text: str) -> str:
    said = language("en").text("reason", reason) if reason else ""
    return "".join(f", {each}" for each in (said, text) if each)
