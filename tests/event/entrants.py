"""Who plays: twelve teams, each of four players and one in reserve. Made up."""

from typing import NamedTuple

TEAMS = (
    "Dragon Lyon",
    "Springer Köln",
    "Torre Bilbao",
    "Turm Łódź",
    "Løperen Oslo",
    "Rook & Co",
    "Dáma Brno",
    "Alfil Sevilla",
    "Ratsu Turku",
    "Pion 64 Gent",
    "SK “Bauer” Graz",
    "Vezér Győr",
)
BOARDS, RESERVE = 4, 5  #: of a team; which of its players is in reserve
FIRST = ["Ana", "Béla", "Chiara", "Dmitri", "Elif", "Frédéric", "Gaëlle", "Håkon", "Imre", "Jaya", "Katja", "Luís"]
LAST = ("Čapek", "O'Brien", "Núñez de Arce", "Żak", "Ångström")  #: by the place in the team
TITLES = (("GM", "IM", "WGM", ""), ("FM", "IM", "", "WIM"), ("", "FM", "CM", ""), ("", "", "WFM", ""), ("",) * 4)
FEDERATIONS = ["FRA", "GER", "ESP", "POL", "NOR", "ENG", "CZE", "ESP", "FIN", "BEL", "AUT", "HUN"]


class Person(NamedTuple):
    """One player, by what the pairing program knows."""

    number: int  #: the start number
    name: str
    title: str
    elo: int
    federation: str
    fide_id: int
    team: int
    place: int  #: in the team, from 1 on; 5: in reserve

    @property
    def full_name(self) -> str:
        return f"{self.title} {self.name}".strip()


def people() -> dict[int, Person]:
    """All by their start numbers, which go by the rating: the first of each team, then the second of each, and on."""
    found = {}
    for place in range(1, RESERVE + 1):
        for team in range(len(TEAMS)):
            number = (place - 1) * len(TEAMS) + team + 1
            name = f"{LAST[place - 1]}, {FIRST[team]}"
            title, elo = TITLES[place - 1][team % 4], 2700 - 11 * number
            found[number] = Person(number, name, title, elo, FEDERATIONS[team], 4_000_000 + number, team, place)
    return found
