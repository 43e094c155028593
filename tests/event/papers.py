"""What ``jadoube hall export`` has written, read with programs and eyes of others, and held against the truth."""

import csv
import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import chess.pgn
from entrants import TEAMS
from program import EVENT, SITE, Program
from truth import Game

SLACK_S = 15  #: half an increment: a busy machine hears late of a press, and nothing here depends on its speed
IN_PGN = {"0-0": "*", "+-": "1-0", "-+": "0-1"}


def compare(folder: Path, number: int, games: list[Game], report: str) -> None:
    """All files of a round; ``report``: what the pairing program writes of it itself."""
    stem = folder / f"round-{number}"
    assert stem.with_suffix(".trf").read_bytes().decode() == report
    _compare_csv(stem.with_suffix(".csv").read_text("utf-8"), games)
    (pgn,) = folder.glob(f"round-{number}-*.pgn")
    compare_pgn(pgn.read_text("utf-8"), games)
    _compare_sheets((folder / f"round-{number}-sheets.html").read_text("utf-8"), games)


def compare_results(told: dict[str, Any], games: list[Game], program: Program) -> None:
    """What ``hall results`` says of the round, and of all up to it."""
    said = [game["pairing"]["result"] for game in told["games"] if game["pairing"]["black"]]
    assert said == [game.result for game in games]
    assert told["others"] == []
    rows = {int(row["player"]["number"]): row["points"] for row in told["crosstable"]["rows"]}
    assert rows == {number: program.points(number) for number in rows}
    teams = {team["name"]: team["points"] for team in told["teams"]}
    assert teams == {
        name: sum(program.points(person.number) for person in program.people.values() if person.team == team)
        for team, name in enumerate(TEAMS)
    }


def _compare_csv(text: str, games: list[Game]) -> None:
    rows = [row for row in csv.DictReader(io.StringIO(text), delimiter=";") if row["Black"]]
    for row, game in zip(rows, games, strict=True):
        assert (row["Round"], row["Board"]) == (str(game.round), str(game.table))
        assert row["Result"] == game.result
        for colour, person in (("White", game.white), ("Black", game.black)):
            said = [row[f"{colour}{what}"] for what in ("", "Number", "Title", "Elo", "FideId", "Federation", "Team")]
            known = [person.name, person.number, person.title, person.elo, person.fide_id, person.federation]
            assert said == [*map(str, known), TEAMS[person.team]]


def compare_pgn(text: str, games: list[Game]) -> None:
    """Games of a file, in their order, move by move, each with what the clock then showed."""
    file = io.StringIO(text)
    for game in games:
        found = chess.pgn.read_game(file)
        assert found is not None, f"no game of table {game.table}"
        assert not found.errors, found.errors
        tags = found.headers
        assert (tags["Event"], tags["Site"]) == (EVENT, SITE)
        assert (tags["Round"].partition(".")[0], tags["Board"]) == (str(game.round), str(game.table))
        assert tags["Result"] == IN_PGN.get(str(game.result), game.result)
        for colour, person in (("White", game.white), ("Black", game.black)):
            assert (tags[colour], tags.get(f"{colour}Title", "")) == (person.name, person.title)
            assert tags[f"{colour}Elo"] == str(person.elo)
            assert tags[f"{colour}FideId"] == str(person.fide_id)
            assert tags[f"{colour}Team"] == TEAMS[person.team]
        nodes = list(found.mainline())
        assert [node.move.uci() for node in nodes] == game.moves, f"table {game.table}"
        found_s = [node.clock() for node in nodes]
        assert None not in found_s, f"table {game.table}: a time is missing: {found_s}"
        late = [(ply, told, shown) for ply, (told, shown) in enumerate(zip(found_s, game.shown_s, strict=True), 1)]
        off = [each for each in late if abs(each[1] - each[2]) > SLACK_S]
        assert not off, f"table {game.table}: ply, told, shown: {off} of {late}"
    assert chess.pgn.read_game(file) is None


class _Sheets(HTMLParser):
    """The text of each sheet."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[list[str]] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.words.append([])

    def handle_data(self, data: str) -> None:
        if self.words:
            self.words[-1] += [data.strip()] if data.strip() else []


def _compare_sheets(text: str, games: list[Game]) -> None:
    sheets = _Sheets()
    sheets.feed(text)
    played = [game for game in games if game.played]
    for words, game in zip(sheets.words, played, strict=True):
        said = " ".join(words)
        for person in (game.white, game.black):
            assert person.name in said
        left = iter(words)
        assert all(san in left for san in game.score), f"table {game.table}: {game.score} is not in {words}"
