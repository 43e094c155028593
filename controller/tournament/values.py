"""What a tournament is made of: players, a round's pairings, what they scored."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import asdict, replace

from controller.contract import POINTS, Score, Side
from controller.errors import ConfigError

Bye = Literal["F", "U", "H", "Z"]
"""As TRF16 has it: a bye of a full point, the one that the pairing gives, one of half a point, one of none."""

BYES: tuple[Bye, ...] = get_args(Bye)
BYE_POINTS: dict[Bye, float] = {"F": 1, "U": 1, "H": 0.5, "Z": 0}
FORFEITS: tuple[Score, ...] = ("+-", "-+", "--")  #: without play
FORFEIT = "forfeit"  #: the reason that is given for them

Key = tuple[str, str]


class Player(Struct, frozen=True, kw_only=True):
    """One player. All but the name as the organiser wrote it, empty where that is not known."""

    name: str
    number: str = ""  #: the start number
    title: str = ""
    elo: str = ""
    federation: str = ""
    fide_id: str = ""
    team: str = ""

    @property
    def key(self) -> Key:
        """By what the player is told from others: the start number, else the FIDE id, else the name."""
        if self.number:
            return "number", self.number
        return ("FIDE id", self.fide_id) if self.fide_id else ("name", folded(self.name))

    @property
    def full_name(self) -> str:
        return f"{self.title} {self.name}".strip()


class Pairing(Struct, frozen=True, kw_only=True):
    """One game of a round; without ``black`` a bye, which has no table."""

    white: Player
    black: Player | None = None
    table: str = ""  #: the number in the hall
    result: Score | None = None
    bye: Bye | None = None

    @property
    def players(self) -> dict[Side, Player]:
        """Who plays, by colour; of a bye the player as white."""
        return {"white": self.white} if self.black is None else {"white": self.white, "black": self.black}

    @property
    def keys(self) -> frozenset[Key]:
        """By what the players are told from others."""
        return frozenset(player.key for player in self.players.values())


class Round(Struct, frozen=True, kw_only=True):
    """One round: its games in the order of their tables, then the byes."""

    number: int
    pairings: tuple[Pairing, ...]
    event: str = ""
    site: str = ""
    date: str = ""  #: as PGN has it, ``2026.03.04``

    @property
    def games(self) -> list[Pairing]:
        """Without the byes."""
        return [pairing for pairing in self.pairings if pairing.black is not None]

    @property
    def players(self) -> list[Player]:
        """All, in the order of the pairings."""
        return [player for pairing in self.pairings for player in pairing.players.values()]

    def at(self, table: str) -> Pairing | None:
        """The game on that table."""
        return next((pairing for pairing in self.games if pairing.table == table), None)


def folded(name: str) -> str:
    """A name as others may have typed it: no matter which capitals, accents, spaces and commas."""
    bare = (letter for letter in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(letter))
    return " ".join("".join(letter if letter.isalnum() else " " for letter in bare).split())


def points(pairing: Pairing) -> dict[Side, float]:
    """What the players score; nothing is said of a game without a result."""
    if pairing.black is None:
        return {"white": BYE_POINTS[pairing.bye or "U"]}
    if pairing.result is None:
        return {}
    white, black = POINTS[pairing.result]
    return {"white": white, "black": black}


def in_order(pairings: Iterable[Pairing]) -> tuple[Pairing, ...]:
    """By the numbers of the tables, the byes last."""
    return tuple(sorted(pairings, key=lambda pairing: (pairing.black is None, order(pairing.table))))


def order(number: str) -> tuple[int, str]:
    """Tables in the order of their numbers, ``9`` before ``10`` before ``A1``."""
    whole = number_of(number)
    return (10**12, number) if whole is None else (whole, "")


def number_of(text: str) -> int | None:
    """A whole number; None for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None


def numbered(rounds: Sequence[Round]) -> tuple[dict[Key, Player], dict[Key, int]]:
    """The players of these rounds in the order in which they came, and their start numbers: those that are given; the
    others follow."""
    players: dict[Key, Player] = {}
    for each in rounds:
        for player in each.players:
            players.setdefault(player.key, player)
    given = {key: number for key, player in players.items() if (number := number_of(player.number))}
    free = count(max(given.values(), default=0) + 1)
    return players, {key: given[key] if key in given else next(free) for key in players}


def completed(given: Round, known: Iterable[Player]) -> Round:
    """The round with what is ``known`` of its players besides: of each whose name only one of them has, or his name and
    his number or FIDE id.

    Who is known by the name alone is none of several: another of that name has a number or an id by now. Nobody becomes
    a player who is in the round already.
    """
    named: dict[str, dict[Key, Player]] = {}
    for player in known:
        named.setdefault(folded(player.name), {})[player.key] = player
    there = {player.key for player in given.players}
    meant = {}
    for player in given.players:
        everybody = list(named.get(folded(player.name), {}).values())
        found = [other for other in everybody if other.number or other.fide_id] or everybody
        if len(found) > 1:
            found = [other for other in found if _the_same(player, other)]
        if len(found) == 1 and not _another(player, found[0]) and found[0].key not in there - {player.key}:
            said = {field: value for field, value in asdict(player).items() if value and field != "name"}
            meant[player.key] = replace(found[0], **said)
    pairings = (
        replace(pairing, **{side: meant.get(player.key, player) for side, player in pairing.players.items()})
        for pairing in given.pairings
    )
    return replace(given, pairings=tuple(pairings))


def of_event(given: Round, others: Sequence[Round]) -> Round:
    """The round with what a list by hand leaves out, as the ``others`` of its event have it, the last of them first.

    When it is played, only the round itself can say, as it was paired before; and who has a bye in that, and no game
    now, keeps it.
    """
    for other in reversed(others):
        same, there = other.number == given.number, {player.key for player in given.players}
        byes = [pairing for pairing in other.pairings if same and pairing.black is None and not pairing.keys & there]
        given = replace(
            given,
            pairings=(*given.pairings, *byes),
            event=given.event or other.event,
            site=given.site or other.site,
            date=given.date or (other.date if same else ""),
        )
    return given


def _the_same(player: Player, known: Player) -> bool:
    """Whether a number or an id says so."""
    return any(said == there for said, there in _both_told(player, known))


def _another(player: Player, known: Player) -> bool:
    """Whether the one is certainly not the other, though they have one name."""
    return any(said != there for said, there in _both_told(player, known))


def _both_told(player: Player, known: Player) -> list[tuple[str, str]]:
    """The numbers and the FIDE ids of two, where both have one."""
    both = ((player.number, known.number), (player.fide_id, known.fide_id))
    return [(said, there) for said, there in both if said and there]


def check(given: Round, tables: Iterable[str] | None, source: str) -> None:
    """Raises :exc:`ConfigError` where a player or a table is paired twice, or the hall has not the table.

    ``tables``: those of the hall; None: whatever ``source`` says. Two who are not told apart by number or FIDE id, and
    have one name, are one.
    """
    for table, times in Counter(pairing.table for pairing in given.games).items():
        if times > 1:
            games = "; ".join(pairing_line(pairing) for pairing in given.games if pairing.table == table)
            raise ConfigError(
                f"{source}: round {given.number} has {times} games on table {table}: {games}",
                "a slip in the column of the tables",
                "give each game a table of its own, in a CSV with the columns Board, White and Black",
            )
    seen: dict[Key, Pairing] = {}
    for pairing, player in _each(given):
        if player.key in seen:
            before = seen[player.key]
            raise ConfigError(
                f"{source}: {player.name} plays twice in round {given.number}: {_where(before)} and {_where(pairing)}",
                "a pairing that was changed by hand on one side only; or two of one name without numbers or ids",
                "mend it in the pairing program, or in the CSV, where WhiteNumber and BlackNumber tell namesakes apart",
            )
        seen[player.key] = pairing
    if tables is None:
        return
    known = set(tables)
    if missing := [pairing.table for pairing in given.games if pairing.table not in known]:
        raise ConfigError(
            f"{source}: the hall has no table {', '.join(missing)}; its tables: {', '.join(sorted(known, key=order))}",
            "boards that hall.toml does not have; or tables that are counted otherwise",
            "add them as [[boards]]; or call it with --other-tables, if these are played without a board of ours",
        )


def pairing_line(pairing: Pairing) -> str:
    """Who plays, in one line."""
    return " – ".join(player.full_name for player in pairing.players.values())


def _where(pairing: Pairing) -> str:
    return f"on table {pairing.table}" if pairing.black is not None else "with a bye"


def _each(given: Round) -> Iterator[tuple[Pairing, Player]]:
    for pairing in given.pairings:
        for player in pairing.players.values():
            yield pairing, player
