"""A game and its round as LiveChess Cloud tells them, in JSON: ``tournament.json``, ``round-N/index.json`` and
``round-N/game-M.json``, which viewers and Lichess still read.

The fields are those found in files of that service and in the programs that read them. A reader that knows one more
field gets null. A running clock is left out: readers would count it down from now, and what is public is late.
"""

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct

from controller.chess960 import ORDINARY, number_of
from controller.outlets.broadcast.pgn import lawful_part
from controller.outlets.held import comments
from controller.outlets.pgn import STANDS, is_live, tags_of
from controller.outlets.scoresheet import Entry, Scoresheet

OUTCOMES: dict[str, Literal["WHITEWIN", "BLACKWIN", "DRAW"]] = {
    "1-0": "WHITEWIN",
    "0-1": "BLACKWIN",
    "1/2-1/2": "DRAW",
}
_NAMES = uuid.UUID("4ad1d2f5-6a3a-4c66-9a14-40c8a1bd3b1f")  # any will do, if it stays the same


class CloudRound(Struct, frozen=True):
    """How many pairings a round has, and how many of their games go on."""

    count: int = 0
    live: int = 0


class CloudTournament(Struct, frozen=True):
    """``tournament.json``"""

    id: str
    name: str
    location: str | None
    rounds: list[CloudRound]
    timecontrol: str | None = None
    country: str | None = None
    website: str | None = None
    rules: str = "STANDARD"
    chess960: str = "STANDARD"
    eboards: list[str] = []


class CloudPlayer(Struct, frozen=True):
    """A player; a name without a comma is a last name."""

    fname: str | None = None
    mname: str | None = None
    lname: str | None = None
    title: str | None = None
    federation: str | None = None
    gender: str | None = None
    fideid: int | None = None


class CloudPairing(Struct, frozen=True):
    """Who plays on a board, and how it ended."""

    white: CloudPlayer = CloudPlayer()
    black: CloudPlayer = CloudPlayer()
    result: str = "*"
    live: bool = False


class Index(Struct, frozen=True):
    """``round-N/index.json``; the game of board M is the pairing with that number, from 1."""

    date: str | None
    pairings: list[CloudPairing]


class CloudGame(Struct, frozen=True, kw_only=True, rename={"serial_nr": "serialNr", "first_move": "firstMove"}):
    """``round-N/game-M.json``; a move is ``Nc6 1821+28``, with the seconds left and spent once it is completed."""

    live: bool
    serial_nr: str
    first_move: int | None = None  #: ms since 1970
    chess960: int = ORDINARY
    result: str | None = None
    comment: str | None = None
    clock: None = None
    moves: list[str] = []


def tournament_id(tags: Mapping[str, str]) -> str:
    """The same for all games of an event."""
    return str(uuid.uuid5(_NAMES, f"{tags.get('Event', '?')}/{tags.get('Site', '?')}"))


def game_id(sheet: Scoresheet) -> str:
    """Another one for each game."""
    return str(uuid.uuid5(_NAMES, sheet.opening.game))


def tournament(games: Iterable[Mapping[str, str]], rounds: Mapping[int, CloudRound]) -> CloudTournament:
    """The event that these games, given by their PGN tags, belong to; at least one. ``rounds`` by their numbers."""
    all_tags = list(games)
    tags = all_tags[0]
    return CloudTournament(
        id=tournament_id(tags),
        name=known(tags.get("Event")) or "",
        location=known(tags.get("Site")),
        rounds=[rounds.get(number, CloudRound()) for number in range(1, max(rounds, default=0) + 1)],
        timecontrol=known(tags.get("TimeControl")),
        eboards=[each["Board"] for each in all_tags if "Board" in each],
    )


def index(games: Mapping[int, Mapping[str, str]], paired: Mapping[int, Mapping[str, str]]) -> Index:
    """A round: the PGN tags of its games, and of those that have not begun, by the numbers of their boards from 1. A
    board left out has no players."""
    dates = [date for tags in (*games.values(), *paired.values()) if (date := known(tags.get("Date"))) is not None]
    pairings = [
        _pairing(games[board]) if board in games else _to_be_played(paired.get(board, {}))
        for board in range(1, max((*games, *paired), default=0) + 1)
    ]
    return Index(min(dates).replace(".", "-") if dates else None, pairings)


def game(sheet: Scoresheet) -> CloudGame:
    """A game as it stands. One that begins otherwise than usual has its FEN in a comment, and no moves;
    of another a comment says whether more was played."""
    sheet = sheet.public
    tags, number = tags_of(sheet), start_number(sheet)
    usual = number is not None
    told = lawful_part(sheet)
    stands = "; ".join(comments(STANDS if told.cut or sheet.stalled is not None else None, sheet.held)) or None
    return CloudGame(
        live=is_live(tags),
        serial_nr=sheet.number,
        first_move=_first_move(sheet),
        chess960=ORDINARY if number is None else number,
        result=OUTCOMES.get(tags["Result"]),
        comment=stands if usual else sheet.start,
        moves=[_move(entry) for entry in told.entries] if usual else [],
    )


def unbegun(number: int) -> CloudGame:
    """A game on board ``number`` that has not begun."""
    return CloudGame(live=False, serial_nr=str(number))


def start_number(sheet: Scoresheet) -> int | None:
    """The number of its start position among the 960; None where it begins otherwise than by drawing one of these."""
    number = number_of(sheet.start)
    return number if sheet.variant == "chess960" or number == ORDINARY else None


def _move(entry: Entry) -> str:
    if entry.left_ms is None or entry.spent_ms is None:
        return entry.move.san
    return f"{entry.move.san} {entry.left_ms // 1000}+{entry.spent_ms // 1000}"


def _first_move(sheet: Scoresheet) -> int | None:
    if not sheet.entries:
        return None
    return round(datetime.fromisoformat(sheet.opening.started).timestamp() * 1000) + sheet.entries[0].move.ms


def _pairing(tags: Mapping[str, str]) -> CloudPairing:
    result = tags.get("Result", "*")
    return CloudPairing(player(tags, "White"), player(tags, "Black"), result, is_live(tags))


def _to_be_played(tags: Mapping[str, str]) -> CloudPairing:
    return CloudPairing(player(tags, "White"), player(tags, "Black"))


def player(tags: Mapping[str, str], colour: str) -> CloudPlayer:
    """Who plays White or Black."""
    last, _, first = (known(tags.get(colour)) or "").partition(",")
    number = tags.get(f"{colour}FideId", "")
    return CloudPlayer(
        fname=first.strip() or None,
        lname=last.strip() or None,
        title=known(tags.get(f"{colour}Title")),
        federation=known(tags.get(f"{colour}Federation")),
        fideid=int(number) if number.isdecimal() else None,
    )


def known(value: str | None) -> str | None:
    """The value of a tag, unless it says that nobody knows."""
    return None if value in (None, "", "?", "-", "????.??.??") else value
