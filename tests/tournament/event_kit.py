"""An event as a pairing program has it, and its TRF16: written by the columns of the handbook, not by our code."""

from collections.abc import Sequence

PEOPLE = """\
GM|Polgár, Judit|2735|HUN|700070
GM|Hou, Yifan|2650|CHN|8602980
IM|Müller, Thomas|2480|GER|4600001
WGM|Kosteniuk, Alexandra|2455|SUI|4128125
FM|O'Kelly de Galway, Albéric|2401|BEL|200001
|Müller, Thomas|2398|AUT|1600001
WIM|Sørensen, Åse|2320|DEN|1400002
CM|Nguyễn, Văn An|2288|VIE|12400003
|García Pérez, José María|2250|ESP|2200004
WFM|Žukauskaitė, Rūta|2207|LTU|12800005
|de la Bourdonnais, Louis-Charles Mahé|2190|FRA|600006
|Smith, John|2150|ENG|400007
WCM|Ivanova, Olga|2101|BUL|2900008
|Tanaka, Ken|2044|JPN|7000009
|Bianchi, Aldo|2001|ITA|800010
|Ødegård, Nils|1950|NOR|1500011
|Kowalski, Łukasz|1903|POL|1100012
|Brown, Ann|1850||
|Lindqvist, Björn|1801|SWE|1700013
|Novák, Čeněk|1777|CZE|300014
|Papadopoulou, Eleni||GRE|
|Neuling, Nora|||
|Young, Zoe|||
|Absent, Abel||ISL|
"""
TEAMS = ("Dragon Lyon", "Springer Köln", "Torre Bilbao", "Turm Łódź", "Løperen Oslo", "Rook & Co")

Cells = dict[int, list[tuple[int, str, str]]]
"""By start number, round by round: the opponent (0: none), the colour, the letter of the result."""


def people() -> list[dict[str, str]]:
    """The players by start number, from 1 on."""
    names = ("title", "name", "elo", "federation", "fide_id")
    return [dict(zip(names, line.split("|"), strict=True)) for line in PEOPLE.splitlines()]


def members(team: int) -> list[int]:
    """The start numbers of the four players of a team, in the order of their boards."""
    return [team + 1 + 6 * board for board in range(4)]


def line(number: int, person: dict[str, str], points: str, rank: str, cells: Sequence[tuple[int, str, str]]) -> str:
    """A line of a player: columns 1-89 by the handbook, then ten columns a round."""
    text = "001 " + str(number).rjust(4) + " " + ("w" if person["title"].startswith("W") else "m")
    text += person["title"].rjust(3) + " " + person["name"][:33].ljust(33) + " " + person["elo"].rjust(4)
    text += " " + person["federation"].ljust(3) + " " + person["fide_id"].rjust(11) + " " + "1990/00/00"
    text += " " + points.rjust(4) + " " + rank.rjust(4)
    for opponent, colour, letter in cells:
        text += "  " + (str(opponent) if opponent else "0000").rjust(4) + " " + colour + " " + letter
    return text


def points(cells: Sequence[tuple[int, str, str]]) -> float:
    scored = {"1": 1, "+": 1, "F": 1, "U": 1, "W": 1, "=": 0.5, "H": 0.5, "D": 0.5}
    return sum(scored.get(letter, 0) for _, _, letter in cells)


def trf(cells: Cells, teams: bool = False, end: str = "\r\n") -> str:
    """The file of the event so far."""
    head = ["012 Open de Lyon", "022 Lyon", "032 FRA", "042 2026/03/01", "052 2026/03/09", "062 24", "072 20 (18)"]
    head += ["082 6"] if teams else []
    head += ["092 Individual: Swiss-System", "102 IA Arbiter, Anne", "112 Deputy, One", "112 Deputy, Two"]
    dates = "".join(f"26/03/0{day}  " for day in range(1, 10))
    head += ["122 90 min + 30 s", f"{'132':91}{dates}".rstrip()]
    ranks = sorted(cells, key=lambda number: (-points(cells[number]), number))
    lines = [
        line(number, person, f"{points(cells[number]):.1f}", str(ranks.index(number) + 1), cells[number])
        for number, person in enumerate(people(), 1)
    ]
    tail = [
        "013 " + name.ljust(32) + " ".join(str(number).rjust(4) for number in members(team))
        for team, name in enumerate(TEAMS)
    ]
    return end.join([*head, *lines, *(tail if teams else []), "XXR 9", "### written by hand", ""])


BLACKS = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "L": "W", "D": "D", " ": " "}
BYES = ("UZ", "FH", "HZ", "UH")  #: of the two who do not play, round by round
LETTERS = "11=10=+01-W=0D1=1"  #: White's, one game after the other
OPEN = " " * 12


def swiss(rounds: int = 4, last: str = OPEN) -> Cells:
    """So many rounds: in each two have a bye, the last has the letters ``last``, White's, game by game."""
    cells: Cells = {number: [] for number in range(1, 25)}
    for number in range(1, rounds + 1):
        *pairs, byes = _circle(24, number)
        letters = last if number == rounds else LETTERS[number:] + LETTERS
        for pair, letter in zip(pairs, letters, strict=False):
            _play(cells, pair, letter)
        for player, letter in zip(byes, BYES[number % 4], strict=True):
            cells[player].append((0, "-", letter))
    return cells


def team_event(rounds: int = 3, last: str = OPEN * 2) -> Cells:
    """Matches of teams on four boards, White on the first and the third for one of the two."""
    cells: Cells = {number: [] for number in range(1, 25)}
    for number in range(1, rounds + 1):
        letters = last if number == rounds else LETTERS[number:] + LETTERS
        boards = [
            pair if board % 2 == 0 else pair[::-1]
            for one, other in _circle(6, number)
            for board, pair in enumerate(zip(members(one - 1), members(other - 1), strict=True))
        ]
        for pair, letter in zip(boards, letters, strict=False):
            _play(cells, pair, letter)
    return cells


def _circle(count: int, number: int) -> list[tuple[int, int]]:
    """Who meets whom in a round of all against all."""
    others = list(range(2, count + 1))
    seats = [1, *others[number - 1 :], *others[: number - 1]]
    pairs = list(zip(seats[: count // 2], reversed(seats[count // 2 :]), strict=True))
    return [pair if (at + number) % 2 else pair[::-1] for at, pair in enumerate(pairs)]


def _play(cells: Cells, pair: tuple[int, int], letter: str) -> None:
    white, black = pair
    cells[white].append((black, "w", letter))
    cells[black].append((white, "b", BLACKS[letter]))
