"""The games of a journal that belong to rounds, each with the results that its board had."""

from collections.abc import Container, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from controller.contract import Result
from controller.journal import Reader, Record, connect_to_read
from controller.outlets.pgn import tags_of
from controller.outlets.scoresheet import Scoresheet
from controller.tournament import About, Given
from controller.tournament.values import number_of
from controller.wire import decode_event


class Played(Struct, frozen=True):
    """A game that was played, or is."""

    about: About
    sheet: Scoresheet
    given: list[Given]  #: each result that was final, and where one was not any more, in order of time


def games(journal: Path, rounds: Container[int]) -> Iterator[Played]:
    """Each game of these rounds, in the order in which they began; none where there is no journal.

    A match à quatre is none of them. Raises :exc:`JournalError` for a journal that cannot be read.
    """
    if not journal.exists():
        return
    with closing(Reader(connect_to_read(journal), journal)) as reader:
        for opening in reader.openings():
            number = number_of(opening.tags.get("Round", "").partition(".")[0])
            if number is not None and number in rounds and opening.session.match is None:
                yield _played(Scoresheet(opening), number, reader.game(opening.game))


def _played(sheet: Scoresheet, number: int, records: Iterator[Record]) -> Played:
    tags = tags_of(sheet)
    white, black = ("" if tags[colour] == "?" else tags[colour] for colour in ("White", "Black"))
    about = About(round=number, table=tags["Board"], white=white, black=black)
    given: list[Given] = []
    before: Result | None = None
    for record in records:
        if record.kind == "event":
            event = decode_event(record.body)
            sheet.apply(event)
            if sheet.final != before:
                before = sheet.final
                given.append(_given(about, sheet, event.ms))
    return Played(about, sheet, given)


def _given(about: About, sheet: Scoresheet, ms: int) -> Given:
    final, opening = sheet.final, sheet.opening
    by_arbiter = final is not None and final.reason in ("arbiter", "forfeit")
    return Given(
        **asdict(about),
        result=None if final is None else final.result,
        reason="" if final is None else final.reason,
        text="" if final is None else final.text,
        by="the arbiter" if by_arbiter else f"board {opening.board}",
        at=(datetime.fromisoformat(opening.started) + timedelta(milliseconds=ms)).isoformat(timespec="seconds"),
        source="board",
        game=opening.game,
    )
