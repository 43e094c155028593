"""A match à quatre in a tournament: two tables, one result, which counts for both players of a team."""

import json
from typing import Any

import pytest
from hall_kit import Scene
from test_bpgn import SESSION, Players, Read

from controller import contract as c
from controller.journal import Journal, Opening
from controller.tournament.reading import read_round

ROUND = """\
Round;Board;White;White team;Black;Black team
1;1;Ann;Rooks;Bob;Kings
1;2;Cid;Kings;Dora;Rooks
1;3;Eve;Rooks;Fay;Kings
"""
TAGS = {"Round": "1", "WhiteA": "Ann", "BlackA": "Bob", "WhiteB": "Cid", "BlackB": "Dora"}


class Match(Players):
    """On the tables 1 and 2, in a journal."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal
        started = "2026-03-04T18:30:00+01:00"
        journal.begin(Opening(game="m1", venue="v", board="1+2", started=started, tags=TAGS, session=SESSION)).result(5)
        self.tell(c.Time, "A")

    def tell(self, kind: type[c.Input], name: str, **fields: object) -> "Match":
        item: Any = kind(ms=self.ms, board=name, **fields)  # type: ignore[arg-type]
        self._journal.append("m1", item, self.match.handle(item)).result(5)
        return self

    def lose(self, board: str, side: str) -> "Match":
        """That player resigns, and somebody on the other board stops the match."""
        return self.tell(c.Resign, board, side=side).tell(c.Pause, "BA"["AB".index(board)], side="white")


@pytest.fixture
def round_1(hall: Scene) -> Scene:
    hall.run("round", 1, hall.file("1.csv", ROUND), "--yes")
    return hall


def told(hall: Scene) -> Any:
    return json.loads(hall.run("results", "--json"))


def results(hall: Scene) -> list[str | None]:
    return [game["pairing"]["result"] for game in told(hall)["games"]]


def test_the_result_of_a_match_counts_for_both_players_of_a_team(round_1: Scene) -> None:
    with round_1.playing() as journal:
        match = Match(journal)
        assert results(round_1) == [None, None, None]
        match.play("A e2e4", "B d2d4").lose("A", "black")
        found = told(round_1)
    assert [game["pairing"]["result"] for game in found["games"]] == ["1-0", "0-1", None]
    assert "0-1, the match with table 1" in round_1.run("results")
    assert {row["player"]["name"]: row["points"] for row in found["crosstable"]["rows"]} == {
        "Ann": 1,
        "Dora": 1,
        "Bob": 0,
        "Cid": 0,
        "Eve": 0,
        "Fay": 0,
    }
    (teams,) = found["matches"]
    assert (teams["teams"], teams["points"], teams["open"]) == (["Rooks", "Kings"], [2.0, 0.0], 1)


def test_an_outage_of_a_match_counts_once_in_the_time_of_day_of_its_result(round_1: Scene) -> None:
    with round_1.playing() as journal:
        match = Match(journal).play("A e2e4", "B d2d4")
        for board in "AB":
            match.tell(c.Outage, board, away_ms=600_000)
        match.lose("A", "black")
        found = told(round_1)
    seconds = match.ms // 1000
    assert [game["history"][0]["at"] for game in found["games"][:2]] == [f"2026-03-04T18:40:{seconds:02}+01:00"] * 2


def test_it_is_exported_with_its_drops_as_bpgn_and_in_the_report_as_two_results(round_1: Scene) -> None:
    with round_1.playing() as journal:
        Match(journal).play("A e2e4", "B d2d4", "A e7e5").lose("B", "white")
        said = round_1.run("export", "--out", round_1.folder / "out")
    assert "0 games, matches à quatre: 1, 1 still open" in said
    read = Read(round_1.read("out/round-1.bpgn"))
    assert (read.moves, read.result) == (["A:e4", "B:d4", "a:e5"], "1-0")
    report = read_round(round_1.read("out/round-1.trf"), "out", 1)
    assert {game.white.name: game.result for game in report.games} == {"Ann": "1-0", "Cid": "0-1", "Eve": None}
    assert [row["Result"] for row in round_1.rows("out/round-1.csv")] == ["1-0", "0-1", ""]


def test_a_result_by_hand_is_that_of_both_tables_and_so_is_taking_it_back(round_1: Scene) -> None:
    with round_1.playing() as journal:
        Match(journal).lose("A", "black")
        said = round_1.run("result", 2, "1-0", "--reason", "forfeit", "--by", "Anne")
        assert "table 1  Ann – Bob: -+, by forfeit, by hand; before: 1-0" in said
        assert results(round_1) == ["-+", "+-", None]
        round_1.run("result", 1, "--take-back")
        assert results(round_1) == ["1-0", "0-1", None]


def test_tables_of_a_match_that_contradict_each_other_are_said_and_not_exported(round_1: Scene) -> None:
    round_1.run("result", 2, "1-0")
    with round_1.playing() as journal:
        Match(journal).lose("A", "black")
        dispute = "tables 1 and 2 are one match à quatre, and have 1-0 and 1-0"
        assert dispute in round_1.run("results")
        assert told(round_1)["disputes"] == [dispute]
        assert dispute in round_1.run("export", "--out", round_1.folder / "out", exits=2)
        assert not (round_1.folder / "out").exists()
        round_1.run("result", 1, "0-1")
        round_1.run("export", "--out", round_1.folder / "out")
    assert Read(round_1.read("out/round-1.bpgn")).result == "0-1"
