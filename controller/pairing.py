"""The data of an event: who plays on a board in a round, from a CSV or from a PGN of the pairings, as PGN tags.

A CSV has a row a game and names its columns after the tags, in any spelling: ``Round;Board;White;White FIDE id;…``;
besides there are those of :data:`OF_THE_ROUND`, the result and the start numbers.
A PGN of the pairings, as pairing programs export it, has a game a pairing without moves; the board is its ``Board``, or
what follows the dot in ``Round "3.7"``, or its place in the round. Pure: the text comes in.
"""

import csv
import difflib
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import chess.pgn

from controller.errors import ConfigError
from controller.files import text_of

COLOURS = ("White", "Black")
PLAYERS = (*COLOURS, *(colour + board_id for colour in COLOURS for board_id in "AB"))  #: of a game, and of a match
OF_A_PLAYER = ("", "Title", "FideId", "Elo", "Team", "Federation")
TAGS = (
    "Event",
    "Site",
    "Date",
    "Round",
    "Board",
    *(f"{colour}{tag}" for colour in COLOURS for tag in OF_A_PLAYER),
)
OF_THE_ROUND = ("Result", *(f"{colour}Number" for colour in COLOURS))  #: what a round has of a pairing, and no game
NOT_KNOWN = ("", "?", "-", "????.??.??")
NOT_OURS = ("FEN", "SetUp", "TimeControl", "PlyCount")  #: what a pairing says of the play itself

Tags = Mapping[str, str]


def decode(raw: bytes) -> str:
    """The text of a file; that of a pairing program that knows no UTF-8 is taken to be of Windows."""
    try:
        return text_of(raw)
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def round_of(tags: Tags) -> int | None:
    """Which round a game is of, from 1, also of a round 3.1; None where that is no number."""
    number = tags.get("Round", "").partition(".")[0]
    return int(number) or None if number.isdecimal() else None


def tags_of_game(text: str, source: str, board: str, round_: str | None) -> dict[str, str]:
    """The tags of the game on ``board`` in round ``round_``; None: in the last one that ``text`` has.

    ``source`` is the name of the file that ``text`` came from. Raises :exc:`ConfigError` where it makes no sense, or
    has no such game.
    """
    among = _of_round(text, source, round_)
    found = [tags for tags in among if tags["Board"] == board]
    if len(found) != 1:
        wanted = among[0].get("Round", "")
        boards = sorted({tags["Board"] for tags in among}, key=_order)
        raise ConfigError(
            f"{source}: round {wanted or '?'} has {'no' if not found else 'more than one'} game on board {board}",
            "[event] board or [game] round is another one, or the pairings are not complete",
            f"boards of that round: {', '.join(boards) or 'none'}",
        )
    return _without_board(found[0])


def tags_of_games(text: str, source: str, round_: str | None) -> dict[str, dict[str, str]]:
    """The tags of all games of a round by their boards. The rest as of :func:`tags_of_game`."""
    found: dict[str, dict[str, str]] = {}
    for tags in _of_round(text, source, round_):
        if tags["Board"] in found:
            what = f"{source}: round {tags.get('Round', '?')} has more than one game on board {tags['Board']}"
            raise ConfigError(what, "one pairing too many, or a slip in the number of a board", "see docs/feeds.md")
        found[tags["Board"]] = _without_board(tags)
    return found


def tags_of_match(text: str, source: str, boards: Mapping[str, str], round_: str | None) -> dict[str, str]:
    """The tags of a match: each player's by what his board is in it, ``WhiteA``, ``BlackBElo``; the rest as of board A.

    ``boards``: the numbers of A and B in the hall. The rest as of :func:`tags_of_game`.
    """
    tags: dict[str, str] = {}
    for board_id, number in boards.items():
        for tag, value in tags_of_game(text, source, number, round_).items():
            of_player = tag.startswith(COLOURS)
            tags.setdefault(f"{tag[:5]}{board_id}{tag[5:]}" if of_player else tag, value)
    return tags


def with_pairing(paired: Tags, said: Tags) -> dict[str, str]:
    """The tags of a game: those ``said`` of it, and what the pairing knows besides. Where a player is said to be
    somebody else, nothing that the pairing has of that one is true of him.
    """
    replaced = tuple(player for player in PLAYERS if player in said and said[player] != paired.get(player))
    return {tag: value for tag, value in paired.items() if not tag.startswith(replaced)} | dict(said)


def who_plays(tags: Tags) -> dict[str, str]:
    """Of a game's tags those by which its pairing is this one: the players, as far as they are named, and the round."""
    return {tag: tags[tag] for tag in (*PLAYERS, "Round") if tags.get(tag, "?") not in NOT_KNOWN}


def escaped(value: str) -> str:
    """A tag's value as PGN has it between quotes; python-chess leaves that to others."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def unescaped(value: str) -> str:
    """The reverse of :func:`escaped`."""
    return re.sub(r"\\(.)", r"\1", value)


def _without_board(tags: Tags) -> dict[str, str]:
    return {tag: value for tag, value in tags.items() if tag != "Board" and tag not in OF_THE_ROUND}


def _of_round(text: str, source: str, round_: str | None) -> list[dict[str, str]]:
    """The pairings of that round, or of the last one; one at least."""
    games = [row for row in rows_of(text, source) if "White" in row and "Black" in row]  # else a bye
    if not games:
        raise ConfigError(
            f"{source}: there is no pairing in it", "an empty file, or one of another kind", "see docs/feeds.md"
        )
    wanted = round_ or max((tags.get("Round", "") for tags in games), key=_order)
    found = [tags for tags in games if tags.get("Round", "") == wanted]
    if not found:
        rounds = ", ".join(sorted({tags.get("Round", "?") for tags in games}, key=_order))
        raise ConfigError(
            f"{source}: there is no round {wanted}",
            "[game] round is another one, or the pairings are not complete",
            f"rounds there: {rounds}",
        )
    return found


def rows_of(text: str, source: str) -> list[dict[str, str]]:
    """Each pairing, of one player for a bye, with its ``Board`` and, where there are rounds, its ``Round``.

    Raises :exc:`ConfigError` where the text, which came from ``source``, makes no sense.
    """
    if "\n" not in text:  # of a program that ends lines as old Macintoshes did
        text = text.replace("\r", "\n")
    try:
        rows = list(_of_pgn(text) if text.lstrip().startswith("[") else _of_csv(text, source))
    except csv.Error as error:
        cause = "a slip in a quoted field, or another file"
        next_step = "export the pairings of the round as CSV or PGN"
        raise ConfigError(f"{source}: this is no CSV, and no PGN", cause, next_step) from error
    games, places = [], Counter[str]()
    for row in rows:
        tags = {tag: value.strip() for tag, value in row.items() if value.strip() not in NOT_KNOWN}
        round_, _, table = tags.get("Round", "").partition(".")
        places[round_] += 1
        tags.setdefault("Board", table or str(places[round_]))
        if round_:
            tags["Round"] = round_
        if "White" in tags or "Black" in tags:
            games.append(checked(tags, source))
    return games


def _of_pgn(text: str) -> Iterator[dict[str, str]]:
    stream = io.StringIO(text)
    while (headers := chess.pgn.read_headers(stream)) is not None:
        yield {tag: unescaped(value) for tag, value in headers.items() if tag not in NOT_OURS}


def _of_csv(text: str, source: str) -> Iterator[dict[str, str]]:
    head, _, rest = text.partition("\n")
    if (said := re.fullmatch(r"\"?sep=([;,\t])\"?\s*", head, re.IGNORECASE)) is not None:  # for Excel
        text, head = rest, rest.partition("\n")[0]
    if re.search(r"[\0-\x08\x0e-\x1f\x7f]", head):  # a spreadsheet itself; a no-break space is none of these
        raise csv.Error("no line of headings")
    delimiter = said[1] if said is not None else max(";,\t", key=head.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    columns = [_tag(name, source) for name in next(rows, [])]
    for row in rows:
        yield dict(zip(columns, row, strict=False))


def _tag(column: str, source: str) -> str:
    """The tag that a column is named after."""
    known = {tag.lower(): tag for tag in (*TAGS, *OF_THE_ROUND)}
    name = "".join(letter for letter in column.lower() if letter.isalnum())
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        cause = f"did you mean {known[near[0]]}?" if near else "a column that no tag is made of"
        raise ConfigError(f"{source}: nobody reads the column {column!r}", cause, f"known: {', '.join(known.values())}")
    return known[name]


def checked(tags: dict[str, str], source: str) -> dict[str, str]:
    """The tags of a pairing, without an id of 0. Raises :exc:`ConfigError` for what cannot be a tag."""
    for colour in COLOURS:
        number = tags.get(f"{colour}FideId", "0")
        if not _is_number(number):
            who = tags.get(colour, colour)
            raise ConfigError(f"{source}: {number!r} is no FIDE id of {who}", "another column", "see ratings.fide.com")
        if int(number) == 0:  # as pairing programs write it where there is none
            tags.pop(f"{colour}FideId", None)
    for tag, value in tags.items():
        if not value.isprintable():
            raise ConfigError(f"{source}: {tag}: a line break or the like in {value!r}", "a slip in a quoted field")
    return tags


def _order(number: str) -> tuple[int, str]:
    """Rounds and boards in the order of their numbers."""
    return (int(number), "") if _is_number(number) else (-1, number)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 12
