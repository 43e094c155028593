"""The pairing program: twelve teams, all against all; what it writes is TRF16, by the columns of the handbook.

It shares nothing with the reader of such files in the product: FIDE Handbook C.04, Annex 2, and the order of the
tables of C.04.2.
"""

from collections.abc import Iterator
from fractions import Fraction

from entrants import BOARDS, TEAMS, Person, people
from truth import Game

EVENT, SITE = "Coupe des Clubs", "Lyon"
LETTERS = {
    "1-0": "10",
    "0-1": "01",
    "1/2-1/2": "==",
    "0-0": "00",
    "+-": "+-",
    "-+": "-+",
    None: "  ",
}
POINTS = {"1": Fraction(1), "+": Fraction(1), "=": Fraction(1, 2)}
Cell = tuple[int, str, str]  #: start number of the opponent (0: none), colour, letter of the result


class Program:
    """What the organiser's program knows: the rounds that are paired, and the results that it was told."""

    def __init__(self) -> None:
        self.people = people()
        self._seats = {(person.team, person.place): person for person in self.people.values()}
        self._rounds: dict[int, list[Game]] = {}
        self._ranks: dict[int, int] = {}

    def pair(self, number: int) -> list[Game]:
        """The games of a round, in the order of their tables."""
        self._ranks = self._ranked()
        matches = sorted(self._matches(number), key=lambda pair: self._importance(number, pair))
        games = []
        for home, away in matches:
            for board in range(1, BOARDS + 1):
                one, other = self._seats[home, board], self._seats[away, board]
                white, black = (one, other) if board % 2 else (other, one)
                games.append(Game(round=number, table=len(games) + 1, white=white, black=black))
        self._rounds[number] = games
        return games

    def reserve_of(self, person: Person) -> Person:
        """Who sits down in his place."""
        return self._seats[person.team, BOARDS + 1]

    def trf(self) -> str:
        """The report of the event as it stands."""
        head = [f"012 {EVENT}", f"022 {SITE}", "032 FRA", "042 2026/03/01", "052 2026/03/09", "062 60", "072 60 (60)"]
        head += ["082 12", "092 Team: Round-Robin", "102 IA Arbitre, Anne", "122 90 min + 30 s"]
        dates = "".join(f"26/03/0{day}  " for day in range(1, 10))
        lines = [self._line(person) for person in self.people.values()]
        tail = [f"013 {name:32}{' '.join(f'{number:4}' for number in self._team(at))}" for at, name in enumerate(TEAMS)]
        return "\r\n".join([*head, f"{'132':91}{dates}".rstrip(), *lines, *tail, "XXR 9", ""])

    # -- pairings --------------------------------------------------------------------------------------------------

    def _matches(self, number: int) -> Iterator[tuple[int, int]]:
        """Who meets whom in a round of all against all; the first of each pair has White on the first board."""
        others = list(range(1, len(TEAMS)))
        circle = [0, *others[number - 1 :], *others[: number - 1]]
        for at in range(len(TEAMS) // 2):
            pair = circle[at], circle[-1 - at]
            yield pair if (at + number) % 2 else pair[::-1]

    def _importance(self, number: int, pair: tuple[int, int]) -> tuple[Fraction, Fraction, int]:
        """By the points of the better team, of both, and the better one's number."""
        scored = {team: sum(self.points(each, number) for each in self._team(team)) for team in pair}
        better = min(pair, key=lambda team: (-scored[team], team))
        return -scored[better], -sum(scored.values(), Fraction()), better

    def _team(self, team: int) -> list[int]:
        return [person.number for person in self.people.values() if person.team == team]

    # -- the report ------------------------------------------------------------------------------------------------

    def _line(self, person: Person) -> str:
        sex = "w" if person.title.startswith("W") else "m"
        line = f"001 {person.number:4} {sex}{person.title:>3} {person.name:33} {person.elo:4} {person.federation} "
        line += f"{person.fide_id:11} 1990/00/00 {float(self.points(person.number)):4.1f} "
        line += f"{self._ranks[person.number]:4}"
        for number in self._rounds:
            opponent, colour, letter = self._cell(person.number, number) or (None, " ", " ")
            shown = "" if opponent is None else f"{opponent or '0000':>4}"
            line += f"  {shown:>4} {colour} {letter}"
        return line.rstrip()

    def _cell(self, player: int, number: int) -> Cell | None:
        """None: he was not lined up."""
        for game in self._rounds[number]:
            white, black = LETTERS[game.result]
            if game.white.number == player:
                return game.black.number, "w", white
            if game.black.number == player:
                return game.white.number, "b", black
            if player in game.absent:
                return 0, "-", "Z"
        return None

    def points(self, player: int, before: int = 99) -> Fraction:
        """What somebody has scored before that round."""
        cells = (self._cell(player, number) for number in self._rounds if number < before)
        return sum((POINTS.get(cell[2], Fraction()) for cell in cells if cell is not None), Fraction())

    def _ranked(self) -> dict[int, int]:
        order = sorted(self.people, key=lambda number: (-self.points(number), number))
        return {number: rank for rank, number in enumerate(order, 1)}
