"""The games of rounds with their results, from the journal here and from what boards at other computers have told.

A match à quatre is two games, on two tables, with one result: that of the match, which counts on both.
"""

from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import asdict

from controller.cli.hall.elsewhere import games_told
from controller.cli.hall.files import Hall
from controller.contract import AnyEvent, BoardId, Interrupted, Match, Result, Score
from controller.journal import Opening, Reader, connect_to_read
from controller.outlets.bpgn import RESULTS
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt.questions import Ruled, events_of
from controller.outlets.pgn import tags_of
from controller.outlets.scoresheet import Scoresheet
from controller.pairing import COLOURS, round_of
from controller.tournament.results import GameOfRound, Given
from controller.tournament.scores import reversed_score
from controller.wire import decode_event


class Played(Struct, frozen=True):
    """A game that was played, or is."""

    about: GameOfRound
    sheet: Scoresheet
    given: list[Given]  #: each result that was final, and where one was not any more, in order of time
    match: Matchsheet | None = None  #: that it is a game of


def games(hall: Hall, rounds: Container[int]) -> Iterator[Played]:
    """Each game of these rounds, in the order in which they began on their boards; none where there is no journal.

    Raises :exc:`JournalError` for a journal that cannot be read.
    """
    seen: set[str] = set()
    for opening, events, ruled in _all(hall):
        number = round_of(opening.tags)
        if number is not None and number in rounds and opening.game not in seen:
            seen.add(opening.game)
            if opening.session.match is None:
                yield _played(Scoresheet(opening), number, events, ruled)
            else:
                yield from _games_of_match(Matchsheet(opening), number, events, ruled)


def last_on(hall: Hall, table: str, number: int) -> GameOfRound | None:
    """The last game that began on a table, as far as that is known; one that names no round is of round ``number``."""
    there = [opening for opening, _, _ in _all(hall) if table in opening.board.split("+")]
    if not there:
        return None
    last = sorted(there, key=lambda opening: opening.started)[-1]
    sheets = [Scoresheet(last)] if last.session.match is None else Matchsheet(last).boards.values()
    return next((_about(each, round_of(last.tags) or number) for each in sheets if each.number == table), None)


def _all(hall: Hall) -> Iterator[tuple[Opening, Iterable[bytes], Ruled]]:
    """All games with their events, and who gave the rulings before the last event taken."""
    if hall.journal.exists():
        with closing(Reader(connect_to_read(hall.journal), hall.journal)) as reader:
            for opening in reader.openings():
                ruled: Ruled = {}
                yield opening, events_of(reader.game(opening.game), ruled), ruled
    for score in games_told(hall):
        yield score.opening, map(bytes, score.events), dict(score.ruled)


def _played(sheet: Scoresheet, number: int, events: Iterable[bytes], ruled: Ruled) -> Played:
    about, day = _about(sheet, number), _TimeOfDay(sheet.opening)
    given: list[Given] = []
    before: Result | None = None
    for event in map(decode_event, events):
        sheet.apply(event)
        day.apply(event)
        if sheet.final != before:
            before = sheet.final
            given.append(_given(about, sheet, day.at(event.ms), ruled.get(event.ms)))
    return Played(about, sheet, given)


def _games_of_match(match: Matchsheet, number: int, events: Iterable[bytes], ruled: Ruled) -> Iterator[Played]:
    day, ended = _TimeOfDay(match.opening), ""
    for event in map(decode_event, events):
        match.apply(event)
        day.apply(event)
        if isinstance(event, Match):
            ended = day.at(event.ms)
    for board_id, sheet in match.boards.items():
        about = _about(sheet, number)
        given = [] if match.result is None else [_of_match(about, match, board_id, match.result, ended, ruled)]
        yield Played(about, sheet, given, match)


def _about(sheet: Scoresheet, number: int) -> GameOfRound:
    tags = tags_of(sheet) if sheet.board_id is None else {"Board": sheet.number, **sheet.tags}
    white, black = (tags.get(colour, "?").removeprefix("?") for colour in COLOURS)
    return GameOfRound(round=number, table=tags["Board"], white=white, black=black)


def _given(about: GameOfRound, sheet: Scoresheet, at: str, arbiter: str | None) -> Given:
    final, opening = sheet.final, sheet.opening
    by_arbiter = final is not None and final.reason in ("arbiter", "forfeit")
    return Given(
        **asdict(about),
        result=None if final is None else final.result,
        reason="" if final is None else final.reason,
        text="" if final is None else final.text,
        by=_by(arbiter, f"board {opening.board}", by_arbiter=by_arbiter),
        at=at,
        source="board",
        game=opening.game,
    )


def _of_match(about: GameOfRound, match: Matchsheet, board_id: BoardId, ended: Match, at: str, ruled: Ruled) -> Given:
    """The result of a match for one of its games. White on A and Black on B are a team."""
    opening = match.opening
    result: Score = RESULTS[ended.result]
    (other,) = (board.number for name, board in match.boards.items() if name != board_id)
    return Given(
        **asdict(about),
        result=result if board_id == "A" else reversed_score(result),
        text=f"the match with table {other}",
        by=_by(ruled.get(ended.ms), f"boards {opening.board}", by_arbiter=ended.reason == "arbiter"),
        at=at,
        source="board",
        game=opening.game,
    )


def _by(arbiter: str | None, where: str, *, by_arbiter: bool) -> str:
    """Who gave a result: the arbiter by name, where the journal has that, else that it was one, or the board."""
    return f"{arbiter} ({where})" if arbiter is not None else "the arbiter" if by_arbiter else where


class _TimeOfDay:
    """Of what happens in a game. The time of a game stands still while nobody looks at its board."""

    def __init__(self, opening: Opening) -> None:
        self._zero = datetime.fromisoformat(opening.started)  # of the time of the game, since the last outage

    def apply(self, event: AnyEvent) -> None:
        """Both boards of a match tell of an outage, which counts once."""
        if isinstance(event, Interrupted) and event.board != "B":
            self._zero += timedelta(milliseconds=event.away_ms or 0)

    def at(self, ms: int) -> str:
        """ISO 8601. ``ms``: of the event that was applied last."""
        return (self._zero + timedelta(milliseconds=ms)).isoformat(timespec="seconds")
