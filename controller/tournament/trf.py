"""TRF16, the tournament report file of FIDE (Handbook C.04, Annex 2), as pairing programs write and read it.

The reader is our own. ``trf`` 1.1.1 of PyPI loses the pairings of a round that is not played yet, refuses WGM, an id
with letters and a player without points, and writes back neither lines that it does not know nor the second arbiter.
Here a file keeps every line as it stands; results change the ten columns of their round, and the points.

A file has no numbers of tables. They are given in the order of C.04.2: by the points of the better of the two before
the round, by those of both, by the better one's start number; in a team event matches are ordered so, and a match has
its games in the order in which the team lists its players.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.contract import POINTS, Score
from controller.errors import ConfigError
from controller.pairing import NOT_KNOWN
from controller.tournament.scores import forfeited
from controller.tournament.values import (
    BYE_POINTS,
    FORFEITS,
    Bye,
    Key,
    Pairing,
    Player,
    Round,
    folded,
    in_order,
    number_of,
    numbered,
)

PLAYER, TEAM = "001", "013"
NAME, POINTS_AT = slice(14, 47), slice(80, 84)
BLANK = (3, 8, 13, 47, 52, 56, 68, 79, 84)  #: the columns between two fields, from 0 on
FIRST, WIDTH = 91, 10  #: where the cells of the rounds begin, and how wide each is
MOST_ROUNDS = 99
TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}
"""As before 2016."""

_LINE = re.compile(r"(\r\n|\n|\r)")
_PLAYED = {"1": 1.0, "+": 1.0, "W": 1.0, "=": 0.5, "D": 0.5, "0": 0.0, "-": 0.0, "L": 0.0}
_BYES: dict[str, Bye] = {"F": "F", "U": "U", "H": "H", "Z": "Z", "1": "U", "+": "U", "=": "H", "0": "Z", "-": "Z"}
_LETTERS: Mapping[Score, tuple[str, str]] = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "0-0": ("0", "0"),
    "1/2-0": ("=", "0"),
    "0-1/2": ("0", "="),
    "+-": ("+", "-"),
    "-+": ("-", "+"),
    "--": ("-", "-"),
}
_SCORES: dict[tuple[float, float], Score] = {POINTS[score]: score for score in _LETTERS if score not in FORFEITS}


class Cell(NamedTuple):
    """What a player's line says of a round."""

    opponent: int  #: start number; 0: none
    colour: str  #: ``w``, ``b``, or ``-``
    letter: str  #: of the result, in capitals; a space where there is none yet

    def __str__(self) -> str:
        return f"{self.opponent or '0000':>4} {self.colour} {self.letter}"


class Trf:
    """A file. Raises :exc:`ConfigError` naming ``source`` and the line where it is none, or contradicts itself."""

    def __init__(self, text: str, source: str) -> None:
        self.source, self.text = source, text
        self._lines: list[str] = _LINE.split(text)  # each followed by how it ends
        self._at: dict[int, int] = {}  # where the line of each player stands
        self.players: dict[int, Player] = {}  #: by start number, in the order of the file
        self.teams: list[tuple[str, list[int]]] = []  #: the name, and the start numbers in the order of their boards
        for place, line in enumerate(self._lines[::2]):
            if line.startswith(PLAYER):
                self._read_player(place * 2)
            elif line.startswith(TEAM):
                self.teams.append(self._team(line))
        for name, members in self.teams:
            for number in self.players.keys() & set(members):
                self.players[number] = replace(self.players[number], team=name)
        if not self.players:
            raise ConfigError(f"{source}: there is no player in it", "no line begins with 001", "give a TRF16 file")

    @property
    def event(self) -> str:
        """What the tournament is called."""
        return self._said("012")

    @property
    def site(self) -> str:
        """The town."""
        return self._said("022")

    def rounds(self) -> list[int]:
        """The numbers of the rounds that are paired."""
        last = max((len(self._columns(place)) - FIRST) // WIDTH + 1 for place in self._at.values())
        return [number for number in range(1, min(last, MOST_ROUNDS) + 1) if self._is_paired(number)]

    def round(self, number: int, pairs: Sequence[tuple[int, int]] | None = None) -> Round:
        """The pairings of a round, with the results that are there.

        ``pairs``: start numbers of White and Black, 0 for none, in the order of the tables; who plays whom, where the
        file does not say that. Raises :exc:`ConfigError` where there is no such round.
        """
        if pairs is None or self._is_paired(number):
            found = self._paired(number)
            order = self._order(number, found) if pairs is None else self._as_given(number, found, pairs)
        else:
            named = dict(self._named(pairs))
            order = [white for white, game in named.items() if game.black is not None]
            playing = {number for pair in pairs for number in pair}
            found = named | {player: bye for player, bye in self._told(number).items() if player not in playing}
        games = [replace(found[white], table=str(table)) for table, white in enumerate(order, 1)]
        return Round(
            number=number,
            pairings=in_order([*games, *(game for game in found.values() if game.black is None)]),
            event=self.event,
            site=self.site,
            date=self._date(number),
        )

    def filled(self, given: Round) -> tuple["Trf", list[Player]]:
        """The file with the results of that round, and the players of it whom it does not have.

        What the file says already stays as it is. Who has a game in it, and none in the round, was absent.
        """
        number, lines = given.number, list(self._lines)
        numbers = {player.key: start for start, player in self.players.items()}
        own = list(self._told(number).values())
        before = {_all_of(pairing) for pairing in own}
        playing = {key for pairing in own if pairing.black is not None for key in pairing.keys}
        absent = playing - {player.key for player in given.players}
        cells = {numbers[key]: Cell(0, "-", "Z") for key in absent}
        for pairing in given.pairings:
            if _all_of(pairing) not in before and all(key in numbers for key in pairing.keys):
                cells |= _cells(pairing, numbers)
        for start, cell in cells.items():
            lines[self._at[start]] = self._with(start, number, cell)
        missing = [player for player in given.players if player.key not in numbers]
        return Trf("".join(lines), self.source), missing

    # -- lines ---------------------------------------------------------------------------------------------------

    def _read_player(self, place: int) -> None:
        columns = self._columns(place)
        number = number_of(columns[4:8])
        name = self._text(place, NAME)
        where = f"{self.source}: line {place // 2 + 1}"
        if number is None or number == 0 or not folded(name):
            raise ConfigError(f"{where}: no start number or no name", "the columns differ", "see docs/tournament.md")
        if number in self.players:
            raise ConfigError(f"{where}: a second player {number}", "two files in one", "export it again")
        title = columns[10:13].strip()
        self._at[number] = place
        self.players[number] = Player(
            name=name,
            number=str(number),
            title=TITLES.get(title.lower(), _known(title.upper())),
            elo=_known(columns[48:52]),
            federation=_known(self._text(place, slice(53, 56))),
            fide_id=str(number_of(columns[57:68]) or ""),
        )
        if not all(map(str.isprintable, (name, title, columns[48:68]))):
            raise ConfigError(f"{where}: a control character", "the file was damaged on its way", "export it again")

    def _columns(self, place: int) -> str:
        """The line with a character a column: of programs that count bytes, each letter's bytes."""
        line = self._lines[place]
        if _fits(line):
            return line
        as_bytes = line.encode().decode("latin-1")
        if _fits(as_bytes):
            return as_bytes
        column = next(at for at in BLANK if line[at : at + 1] not in ("", " "))
        raise ConfigError(
            f"{self.source}: line {place // 2 + 1}: column {column + 1} has {line[column]!r}, and is blank in TRF16",
            "the columns differ: another version, or spaces that were lost on the way",
            "export it again as TRF16, FIDE's report; or give the round as CSV",
        )

    def _text(self, place: int, columns: slice) -> str:
        cut = self._columns(place)[columns]
        return (cut if _fits(self._lines[place]) else cut.encode("latin-1").decode("utf-8", "replace")).strip()

    def _team(self, line: str) -> tuple[str, list[int]]:
        name, numbers = line[4:36].strip(), (number_of(each) for each in line[36:].split())
        if not name.isprintable():
            raise ConfigError(f"{self.source}: a control character in a team", "the file was damaged on its way")
        return _known(name), [number for number in numbers if number is not None]

    def _said(self, code: str) -> str:
        """What a line of the tournament's data says."""
        said = (line[4:].strip() for line in self._lines[::2] if line.startswith(code))
        return next((_known(text) for text in said if text.isprintable()), "")

    def _date(self, number: int) -> str:
        at = FIRST + (number - 1) * WIDTH
        dates = (line[at : at + 8] for line in self._lines[::2] if line.startswith("132"))
        found = next((re.fullmatch(r"(\d\d)[/.-](\d\d)[/.-](\d\d)", date, re.ASCII) for date in dates), None)
        return "" if found is None else f"20{found[1]}.{found[2]}.{found[3]}"

    # -- cells ---------------------------------------------------------------------------------------------------

    def _cell(self, player: int, number: int) -> Cell | None:
        """What a player's line says of a round; None where it says nothing."""
        place = self._at[player]
        at = FIRST + (number - 1) * WIDTH
        cut = f"{self._columns(place)[at : at + 8]:8}"
        if not cut.strip():
            return None
        opponent, colour, letter = number_of(cut[:4]), cut[5].lower(), cut[7].upper()
        if (opponent is None and cut[:4].strip()) or colour not in "wb- " or letter not in "10=+-WDLFUHZ ":
            raise ConfigError(
                f"{self.source}: line {place // 2 + 1}: {cut.strip()!r} is no round {number}",
                "the columns differ: another version, or spaces that were lost on the way",
                "export it again as TRF16, FIDE's report; or give the round as CSV",
            )
        return Cell(opponent or 0, colour.replace(" ", "-"), letter)

    def _is_paired(self, number: int) -> bool:
        return any(cell.opponent for player in self.players if (cell := self._cell(player, number)))

    def _paired(self, number: int) -> dict[int, Pairing]:
        """Each pairing of a round by the start number of its White. Raises :exc:`ConfigError` where there is none."""
        if not self._is_paired(number):
            there = ", ".join(map(str, self.rounds())) or "none"
            raise ConfigError(
                f"{self.source}: round {number} is not paired in it; the rounds that are: {there}",
                "the file is of another round, or was exported before the pairing",
                "export it anew; or name the pairs by --pairs",
            )
        return self._told(number)

    def _told(self, number: int) -> dict[int, Pairing]:
        """The same; before a round is paired it may have byes alone."""
        found: dict[int, Pairing] = {}
        for player in self.players:
            cell = self._cell(player, number)
            if cell is None or (cell.opponent == 0 and cell.letter not in _BYES):
                continue
            if cell.opponent == 0:
                found[player] = Pairing(white=self.players[player], bye=_BYES[cell.letter])
                continue
            other = self._cell(cell.opponent, number) if cell.opponent in self.players else None
            if (
                other is None
                or other.opponent != player
                or cell.opponent == player
                or cell.colour == other.colour != "-"
            ):
                raise ConfigError(
                    f"{self.source}: round {number}: player {player} has {str(cell)!r}, and player {cell.opponent} has "
                    f"{str(other) if other else 'nothing'!r}",
                    "the pairing was changed for one of them only",
                    "mend it in the pairing program, and export the file again",
                )
            if cell.colour == "w" or other.colour == "b" or (cell.colour == other.colour and player < cell.opponent):
                result = self._result(number, cell, other)
                white, black = self.players[player], self.players[cell.opponent]
                found[player] = Pairing(white=white, black=black, result=result)
        return found

    def _result(self, number: int, white: Cell, black: Cell) -> Score | None:
        if white.letter == black.letter == " ":
            return None
        if white.letter in _PLAYED and black.letter in _PLAYED:
            found = _SCORES.get((_PLAYED[white.letter], _PLAYED[black.letter]))
            unplayed = white.letter in "+-" or black.letter in "+-"
            if found is not None:
                return forfeited(found) or found if unplayed else found
        raise ConfigError(
            f"{self.source}: round {number}: player {black.opponent} has {white.letter!r}, and {white.opponent} has "
            f"{black.letter!r}",
            "the result was entered for one of them only",
            "mend it in the pairing program, and export the file again",
        )

    def _points(self, player: int, number: int) -> float:
        """What a player has scored before that round."""
        cells = (self._cell(player, before) for before in range(1, number))
        return sum(_scored(cell) for cell in cells if cell is not None)

    # -- tables --------------------------------------------------------------------------------------------------

    def _order(self, number: int, found: Mapping[int, Pairing]) -> list[int]:
        """The games in the order of their tables, each by the start number of its White."""
        scored = {player: self._points(player, number) for player in self.players}
        pairs = {white: (white, int(game.black.number)) for white, game in found.items() if game.black is not None}
        places = {player: (team, rank) for team, (_, all_) in enumerate(self.teams) for rank, player in enumerate(all_)}
        if pairs and all(player in places for pair in pairs.values() for player in pair):
            together = [sum(scored.get(player, 0.0) for player in members) for _, members in self.teams]
            teams = {white: _ranked(together, [places[player][0] for player in pair]) for white, pair in pairs.items()}

            def order(white: int) -> int:
                return min(places[player][1] for player in pairs[white] if places[player][0] == teams[white][2])

            return sorted(pairs, key=lambda white: (teams[white], order(white)))
        return sorted(pairs, key=lambda white: _ranked(scored, pairs[white]))

    def _as_given(self, number: int, found: Mapping[int, Pairing], pairs: Iterable[tuple[int, int]]) -> list[int]:
        """The games in the order of ``pairs``, which have to be the same."""
        ours = {(white, int(game.black.number)) for white, game in found.items() if game.black is not None}
        theirs = [(white, black) for white, black in pairs if white and black]
        if ours != set(theirs) or len(ours) != len(theirs):
            differ = ", ".join(f"{white}-{black}" for white, black in sorted(ours.symmetric_difference(theirs)))
            raise ConfigError(
                f"{self.source}: round {number}: the pairs are not those of the file: {differ or 'one is there twice'}",
                "pairs of another round, or a pairing that was changed by hand",
                "export both anew; or give one of them alone",
            )
        return [white for white, _ in theirs]

    def _named(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Pairing]]:
        for white, black in pairs:
            if missing := [number for number in (white, black) if number and number not in self.players]:
                raise ConfigError(
                    f"{self.source}: there is no player {missing[0]}",
                    "pairs of another event",
                    "give both of one event",
                )
            if white and black:
                yield white, Pairing(white=self.players[white], black=self.players[black])
            else:
                yield white or black, Pairing(white=self.players[white or black], bye="U")

    # -- writing -------------------------------------------------------------------------------------------------

    def _with(self, player: int, number: int, cell: Cell) -> str:
        """A player's line with another cell, and the points that follow from it."""
        place, at, before = self._at[player], FIRST + (number - 1) * WIDTH, self._cell(player, number)
        columns = f"{self._columns(place):{at}}"
        change = _scored(cell) - (0.0 if before is None else _scored(before))
        if re.fullmatch(r" *[0-9]+\.[0-9] *", columns[POINTS_AT]) and change:
            columns = f"{columns[:80]}{float(columns[POINTS_AT]) + change:4.1f}{columns[84:]}"
        # The opponent's number stays as it is written: programs differ in that.
        same = before is not None and before.opponent == cell.opponent
        shown = f"{columns[at : at + 4]}{str(cell)[4:]}" if same else str(cell)
        columns = f"{columns[:at]}{shown}{columns[at + 8 :]}"
        return columns if _fits(self._lines[place]) else columns.encode("latin-1").decode()


def made(event: str, site: str, rounds: Sequence[Round]) -> str:
    """A TRF16 of what is known: the players, the teams and the rounds, without the ranks, which are not ours to say."""
    players, numbers = numbered(rounds)
    cells: dict[int, dict[int, Cell]] = {number: {} for number in numbers.values()}
    for each in rounds:
        for pairing in each.pairings:
            for number, cell in _cells(pairing, numbers).items():
                cells[number][each.number] = cell
    ours = sorted(players.values(), key=lambda player: numbers[player.key])
    teams: dict[str, list[int]] = {}
    for player in ours:
        if player.team:
            teams.setdefault(player.team, []).append(numbers[player.key])
    head = [f"012 {event}", f"022 {site}", f"062 {len(players)}", f"072 {sum(bool(player.elo) for player in ours)}"]
    head += [f"082 {len(teams)}"] if teams else []
    lines = [_line(player, numbers[player.key], cells[numbers[player.key]]) for player in ours]
    tail = [f"013 {name[:32]:32}{' '.join(f'{number:4}' for number in all_)}" for name, all_ in teams.items()]
    return "".join(f"{line.rstrip()}\r\n" for line in (*head, *lines, *tail))


def _line(player: Player, number: int, cells: Mapping[int, Cell]) -> str:
    title, elo, fide_id = (
        text if len(text) <= most else "" for text, most in ((player.title, 3), (player.elo, 4), (player.fide_id, 11))
    )
    scored = sum(map(_scored, cells.values()))
    line = f"{PLAYER} {number:4}  {title:>3} {player.name[:33]:33} {elo:>4} {player.federation[:3]:3} {fide_id:>11}"
    line = f"{line:{POINTS_AT.start}}{scored:4.1f}"
    for each, cell in sorted(cells.items()):
        line = f"{line:{FIRST + (each - 1) * WIDTH}}{cell}"
    return line


def _all_of(pairing: Pairing) -> tuple[object, ...]:
    """All that a file says of a pairing."""
    black = None if pairing.black is None else pairing.black.key
    return pairing.white.key, black, pairing.result, pairing.bye if black is None else None


def _cells(pairing: Pairing, numbers: Mapping[Key, int]) -> dict[int, Cell]:
    """What the lines of the two say of the game, by start number."""
    white = numbers[pairing.white.key]
    if pairing.black is None:
        return {white: Cell(0, "-", pairing.bye or "U")}
    black = numbers[pairing.black.key]
    letters = (" ", " ") if pairing.result is None else _LETTERS[pairing.result]
    return {white: Cell(black, "w", letters[0]), black: Cell(white, "b", letters[1])}


def _scored(cell: Cell) -> float:
    if cell.opponent:
        return _PLAYED.get(cell.letter, 0.0)
    return BYE_POINTS[_BYES[cell.letter]] if cell.letter in _BYES else 0.0


def _ranked(scored: Mapping[int, float] | Sequence[float], pair: Sequence[int]) -> tuple[float, float, int]:
    """The key of C.04.2: the points of the better one, of both, and the better one's number."""
    better = min(pair, key=lambda player: (-scored[player], player))
    return -scored[better], -sum(scored[player] for player in pair), better


def _fits(line: str) -> bool:
    return all(line[at : at + 1] in ("", " ") for at in BLANK)


def _known(text: str) -> str:
    """What a field says; empty where that is nothing, or 0."""
    text = text.strip()
    return "" if number_of(text) == 0 or text in NOT_KNOWN else text
