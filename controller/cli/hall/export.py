"""``jadoube hall export``: a round and its results, as pairing programs and broadcasts take them, and on paper."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from controller.cli.hall.files import Hall, write
from controller.cli.hall.games import Played, games
from controller.cli.hall.matches import matches, with_result
from controller.cli.hall.results import behind_report, missing, results, told_behind, told_missing
from controller.cli.terminal import many
from controller.contract import Result, Session
from controller.journal import Opening
from controller.outlets.bpgn import bpgn
from controller.outlets.paper import paper
from controller.outlets.pgn import pgn
from controller.outlets.scoresheet import Scoresheet
from controller.tournament.reading import as_csv, tags_of_pairing
from controller.tournament.results import GameOutcome, outcomes, settled
from controller.tournament.trf import made
from controller.tournament.values import Pairing, Player, Round
from controller.words import LanguageCode

MOST = 100  #: games of a PGN file: so many does Lichess take in one push


def export(config: Path, number: int | None, out: Path, code: LanguageCode) -> int:
    """Writes the round to ``out``: ``round-4.trf``, ``.csv``, ``round-4-1.pgn`` and so on, ``round-4-sheets.html``; of
    matches à quatre ``round-4.bpgn``.

    The sheets are in the language ``code``. Returns 1 if the report contradicts known results of earlier rounds, each
    of which is told, and all is written all the same; else 0. Raises :exc:`ConfigError` where there is no such round,
    and :exc:`DeviceError` where ``out`` cannot be written to.
    """
    hall = Hall(config)
    rounds = hall.rounds(hall.wanted(number).number)
    now = rounds[-1]
    unreached = missing(hall, rounds)
    played = list(games(hall, {each.number for each in rounds}))
    known = results(hall, rounds, played)
    found = [settled(each, known) for each in rounds]
    stem = out / f"round-{now.number}"
    report, strangers = _report(hall, found)
    of_round = outcomes(now, known)
    of_matches = [with_result(*each) for each in matches(played, now, of_round)]
    sheets = list(_sheets(hall, now, of_round, played))
    write(stem.with_suffix(".trf"), report)
    write(stem.with_suffix(".csv"), as_csv(found[-1]))
    for at in range(0, len(sheets), MOST):
        write(out / f"{stem.name}-{at // MOST + 1}.pgn", "".join(pgn(sheet) for sheet in sheets[at : at + MOST]))
    if of_matches:
        write(stem.with_suffix(".bpgn"), "".join(map(bpgn, of_matches)))
    printed = [sheet for sheet in sheets if sheet.entries]
    write(out / f"{stem.name}-sheets.html", paper(printed, code))
    counted = [many(len(sheets), "game"), *([f"matches à quatre: {len(of_matches)}"] if of_matches else [])]
    if still := sum(pairing.result is None for pairing in found[-1].games):
        counted.append(f"{still} still open")
    print(f"{out}: round {now.number}, {', '.join(counted)}")
    for line in told_missing(unreached):
        print(line)
    if not printed:
        print("  no score sheets to print: no move was made")
    for player in strangers:
        print(f"  {player.full_name} is not in the TRF: add the player, and this result, in the pairing program")
    differing = behind_report(hall, rounds, known)
    for line in told_behind(differing):
        print(line)
    return 1 if differing else 0


def _report(hall: Hall, rounds: Sequence[Round]) -> tuple[str, list[Player]]:
    """The TRF with the results of the last of ``rounds``, and who is not in it."""
    last, given = rounds[-1], hall.report(rounds[-1].number)
    if given is None:
        return made(hall.event or last.event, hall.site or last.site, rounds), []
    since, report = given
    missing: dict[str, Player] = {}
    for each in rounds:
        if each.number >= since:
            report, strangers = report.filled(each)
            missing |= {player.name: player for player in strangers}
    return report.text, list(missing.values())


def _sheets(hall: Hall, now: Round, found: Sequence[GameOutcome], played: Sequence[Played]) -> Iterator[Scoresheet]:
    """The score of each game that was played, and of each that has a result without, in the order of the tables."""
    for outcome in found:
        pairing = outcome.pairing
        concerned = [each for each in played if each.about.concerns(now, pairing)]
        ours = [each.sheet for each in concerned if each.match is None]
        if concerned and not ours:
            continue  # no PGN can tell a game of a match
        if not ours and (pairing.black is None or pairing.result is None):
            continue
        sheet = ours[-1] if ours else Scoresheet(_unplayed(hall, now, pairing))
        final = None if sheet.final is None else sheet.final.result
        if pairing.result is not None and pairing.result != final:  # the arbiter's word, as an event would say it
            sheet.result = Result(ms=0, result=pairing.result, reason="arbiter", article="", status="final")
        yield sheet


def _unplayed(hall: Hall, now: Round, pairing: Pairing) -> Opening:
    """What a game would be that was not played on a board of ours."""
    tags = tags_of_pairing(replace(now, event=now.event or hall.event, site=now.site or hall.site), pairing)
    tags = {"Date": "????.??.??"} | tags
    return Opening(game="", venue="", board=pairing.table, started="", tags=tags, session=Session(version=1))
