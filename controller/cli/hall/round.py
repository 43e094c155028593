"""``jadoube hall round``: a round of pairings put in force, after what it changes was shown."""

import sys
from collections.abc import Iterator
from pathlib import Path

from controller.cli.hall.broker import again, publish
from controller.cli.hall.files import Hall, read_text
from controller.cli.hall.games import games
from controller.cli.terminal import agreed, many
from controller.errors import ConfigError, JadoubeError
from controller.numbering import ranges
from controller.tournament.changes import RoundChange, changes
from controller.tournament.lists import pairs_of
from controller.tournament.reading import is_trf, read_round
from controller.tournament.results import outcomes
from controller.tournament.values import Pairing, Round, check, completed, folded, of_event, pairing_line

BYES = {"F": "a bye of one point", "U": "a bye", "H": "a bye of half a point", "Z": "absent"}


def put_in_force(
    config: Path,
    number: int,
    file: Path,
    pairs: Path | None,
    *,
    yes: bool,
    other_tables: bool,
    replace_played: bool = False,
) -> int:
    """Makes the round of that number in ``file`` the one in force; 0 once it is, 1 where nobody wants it.

    ``pairs``: a file with who plays whom on which table, by start number. ``other_tables``: tables that the hall does
    not have are played without its boards. ``replace_played``: though the round has results, and the file is of others.
    Raises :exc:`ConfigError`, and changes nothing, where something is wrong.
    """
    hall = Hall(config)
    text = read_text(file)
    given = read_round(text, file.name, number, None if pairs is None else pairs_of(read_text(pairs), pairs.name))
    report = text if is_trf(text) else None
    if report is None:
        given = of_event(completed(given, hall.players()), hall.rounds(number))
    check(given, None if other_tables else hall.tables, file.name)
    if hall.is_so(given, report):
        print(f"round {number} is in force, and nothing changes")
        return _tell(hall, given)
    if file.exists() and hall.current.exists() and file.samefile(hall.current):
        raise ConfigError(
            f"{file} is the round in force itself, and would be written anew",
            "[event] pairings names the file of the pairing program",
            f'write pairings = "rounds/current.csv" in [event] of {config}',
        )
    if not replace_played:
        _refuse_another(hall, given, config)
    for line in _told(hall, given):
        print(line)
    if not yes and not agreed(f"Put round {number} in force?", f"round {number} is to be put in force", "add --yes"):
        print("nothing was changed")
        return 1
    hall.put_in_force(given, report)
    print(f"round {number} is in force: {hall.current}")
    if not hall.followed:
        print(f'  the boards do not look at it: write pairings = "rounds/current.csv" in [event] of {config}')
    return _tell(hall, given)


def _refuse_another(hall: Hall, given: Round, config: Path) -> None:
    """Raises :exc:`ConfigError` where the round has been played, at least in part, by nobody who is in ``given``, or in
    another event: its results, and the crosstable, would be of people who are not there any more.
    """
    before = hall.round(given.number)
    if before is None or not (played := [*_tables(hall, before, with_result=True)]):
        return
    there, now = (
        {folded(player.name) for game in each.games for player in game.players.values()} for each in (before, given)
    )  # a bye stays where a list by hand leaves it out
    another = bool(before.event and given.event) and folded(before.event) != folded(given.event)
    if there & now and not another:
        return
    of = f"another event, {given.event!r} instead of {before.event!r}" if another else "other players"
    raise ConfigError(
        f"round {given.number} has results, of tables {ranges(played)}, and this file is of {of}",
        "the file of another event, or the number of another round",
        f"another event wants a folder of its own: jadoube hall init FOLDER; but if it is to take the place of "
        f"round {given.number} in {config}: --replace-played",
    )


def _tell(hall: Hall, given: Round) -> int:
    """Tells the boards at other computers, where there are any; 0 once the broker has it, else 1."""
    if not hall.elsewhere:
        return 0
    try:
        publish(hall, given)
    except JadoubeError as error:
        print(f"boards {ranges(hall.elsewhere)}, at other computers, are not told: {error}", file=sys.stderr)
        print(f"  then: {again(hall, given)}", file=sys.stderr)
        return 1
    print(f"boards {ranges(hall.elsewhere)}, at other computers, are told by the broker")
    return 0


def _told(hall: Hall, given: Round) -> Iterator[str]:
    """What would change, one a line."""
    try:
        now = hall.in_force()
    except ConfigError as error:  # the new one mends it
        print(error, file=sys.stderr)
        now = None
    byes = len(given.pairings) - len(given.games)
    what = " and ".join([many(len(given.games), "game"), *([many(byes, "bye")] if byes else [])])
    yield f"round {given.number}: {what}; in force is {'no round yet' if now is None else f'round {now.number}'}"
    same = now is not None and now.number == given.number
    before = now if same else hall.round(given.number)
    found = changes(before, given)
    for change in found:
        yield f"  {_line(change)}"
    if now is not None and (tables := [] if same and not found else list(_tables(hall, now, with_result=False))):
        yield f"  open in round {now.number}: tables {ranges(tables)}; a game that is on keeps its players to its end"
    if not found and before is not None:
        yield "  as it was paired before"


def _tables(hall: Hall, given: Round, *, with_result: bool) -> Iterator[str]:
    """The tables of a round whose game has a result by now, or those whose game has none. Where the journal cannot be
    read, only what was given by hand is known, and no table is told to be open: a round may be put in force all the
    same."""
    try:
        of_boards = [each for game in games(hall, {given.number}) for each in game.given]
    except JadoubeError as error:
        if not with_result:
            print(error, file=sys.stderr)
            return
        of_boards = []
    for outcome in outcomes(given, [*of_boards, *hall.given()]):
        if outcome.pairing.black is not None and (outcome.pairing.result is not None) == with_result:
            yield outcome.pairing.table


def _line(change: RoundChange) -> str:
    match change:
        case RoundChange(kind="new", now=Pairing() as now):
            return f"table {now.table}: {pairing_line(now)}"
        case RoundChange(kind="bye", now=Pairing() as now):
            return f"{pairing_line(now)}: {BYES[now.bye or 'U']}"
        case RoundChange(kind="moved", now=Pairing() as now, before=Pairing() as before):
            return f"table {before.table} → {now.table}: {pairing_line(now)}"
        case RoundChange(kind="colours", now=Pairing() as now, before=Pairing() as before):
            place = now.table if now.table == before.table else f"{before.table} → {now.table}"
            return f"table {place}: {pairing_line(now)}, with colours exchanged"
        case RoundChange(kind="replaced", now=Pairing() as now, before=Pairing() as before):
            return f"table {now.table}: {pairing_line(now)}, instead of {pairing_line(before)}"
        case RoundChange(kind="data", now=Pairing(black=None) as now):
            return f"{pairing_line(now)}: {BYES[now.bye or 'U']}"
        case RoundChange(kind="data", now=Pairing() as now):
            result = "" if now.result is None else f", {now.result}"
            return f"table {now.table}: {pairing_line(now)}{result}: what is known of them, or the result, is another"
        case RoundChange(kind="gone", before=Pairing() as before):
            return f"table {before.table}: no more {pairing_line(before)}"
        case _:
            name = "" if change.player is None else change.player.full_name
            return f"{name}: {'is paired no more' if change.kind == 'withdrawn' else 'was not paired before'}"
