"""A tournament as the local program LiveChess 2.2 tells it by REST, which is not as LiveChess Cloud has its files.

Written after what the programs made for it read, the ``livechess`` of PyPI among them: keys that they do not know make
them fail, and so does a round of the tournament that is not there. Rounds are asked for from 0 and numbered from 1, and
``eboards`` has the board of each pairing by its number from 1. ``games`` are those of one event, in the order of their
boards, at least one.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from controller.chess960 import ORDINARY
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast.pgn import lawful_part
from controller.outlets.livechess.protocol import LiveChessClock
from controller.outlets.pgn import is_live, tags_of
from controller.outlets.scoresheet import Entry, Scoresheet
from controller.pairing import round_of

LiveChessResult = Literal["WHITEWIN", "BLACKWIN", "DRAW"]


class Summary(Struct, frozen=True):
    """A tournament in the list of all."""

    uuid: str
    description: str
    rounds: int


class RestTournament(Struct, frozen=True):
    uuid: str
    name: str
    description: str
    location: str
    country: str
    rounds: int
    eboards: list[str]  #: their serial numbers


class RestPlayer(Struct, frozen=True):
    """A player; a name without a comma is a last name."""

    fname: str | None
    lname: str | None
    title: str | None
    fideid: str | None
    federation: str | None
    mname: str | None = None
    gender: str | None = None


class RestPairing(Struct, frozen=True):
    """A game of a round; ``uuid`` is that of the game."""

    nr: int
    uuid: str
    white: RestPlayer
    black: RestPlayer
    live: bool
    result: LiveChessResult | None


class RestRound(Struct, frozen=True):
    nr: int
    date: str | None
    pairings: list[RestPairing]


class RestGame(Struct, frozen=True):
    """A game; a move is ``Nc6 1821+28``, with the seconds left and spent, or ``Nc6 +28``."""

    chess960: int
    result: LiveChessResult | None
    comment: str | None
    clock: LiveChessClock | None
    moves: list[str]


def summary(games: Sequence[Scoresheet]) -> Summary:
    """The event in short."""
    event = tournament(games)
    return Summary(event.uuid, event.description, event.rounds)


def tournament(games: Sequence[Scoresheet]) -> RestTournament:
    """The event; its rounds as far as the latest of these games."""
    tags = tags_of(games[0])
    name = cloud.known(tags["Event"]) or ""
    place = cloud.known(tags["Site"]) or ""
    rounds = max(round_of(tags_of(sheet)) or 1 for sheet in games)
    boards = [sheet.number for sheet in games]
    return RestTournament(cloud.tournament_id(tags), name, name, place, "", rounds, boards)


def round_(games: Sequence[Scoresheet], number: int) -> RestRound | None:
    """A round by its number from 0; of one that is over nothing is kept here, but where the board still shows it."""
    if number >= tournament(games).rounds:
        return None
    tags = {nr: tags_of(sheet) for nr, sheet in enumerate(games, start=1)}
    played = {nr: each for nr, each in tags.items() if (round_of(each) or 1) == number + 1}
    dates = [date for each in played.values() if (date := cloud.known(each["Date"])) is not None]
    pairings = [_pairing(nr, games[nr - 1], each) for nr, each in played.items()]
    return RestRound(number + 1, min(dates).replace(".", "-") if dates else None, pairings)


def game(sheet: Scoresheet, clock: LiveChessClock | None) -> RestGame:
    """The game as it stands. One that begins otherwise than usual has its FEN in a comment, and no moves."""
    number = cloud.start_number(sheet)
    usual = number is not None
    entries = lawful_part(sheet).entries if usual else []
    made = [0, *(entry.made_ms for entry in entries)]
    return RestGame(
        chess960=ORDINARY if number is None else number,
        result=cloud.OUTCOMES.get(tags_of(sheet)["Result"]),
        comment=None if usual else sheet.start,
        clock=clock,
        moves=[_move(entry, entry.made_ms - before) for entry, before in zip(entries, made, strict=False)],
    )


def _pairing(nr: int, sheet: Scoresheet, tags: Mapping[str, str]) -> RestPairing:
    return RestPairing(
        nr=nr,
        uuid=cloud.game_id(sheet),
        white=_player(tags, "White"),
        black=_player(tags, "Black"),
        live=is_live(tags),
        result=cloud.OUTCOMES.get(tags["Result"]),
    )


def _move(entry: Entry, since_ms: int) -> str:
    """``since_ms``: since the move before. There are readers that take one without any time for a wrong guess."""
    if entry.left_ms is None or entry.spent_ms is None:
        return f"{entry.move.san} +{max(0, since_ms) // 1000}"
    return f"{entry.move.san} {entry.left_ms // 1000}+{entry.spent_ms // 1000}"


def _player(tags: Mapping[str, str], colour: str) -> RestPlayer:
    player = cloud.player(tags, colour)
    number = None if player.fideid is None else str(player.fideid)
    return RestPlayer(player.fname, player.lname, player.title, number, player.federation)
