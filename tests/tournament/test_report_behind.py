"""What is known of an earlier round and is not in the report of this one is told; and which boards are to be told."""

import json

import pytest
from event_kit import swiss, trf
from hall_kit import Scene

from controller.pairing import tags_of_game
from controller.tournament.reading import read_round

REPORTED = "Board;White;WhiteNumber;Black;BlackNumber\n"
"""The heading of a round by hand, of players whom the report has."""


@pytest.fixture
def two_rounds(hall: Scene) -> Scene:
    """Round 3 of an open as a list; round 4 of a report that has round 3 as it was by then."""
    before = read_round(trf(swiss(4)), "4.trf", 3)
    rows = [
        f"{game.table};{game.white.name};{game.white.number};{game.black.name};{game.black.number}\n"
        for game in before.games
        if game.black is not None
    ]
    hall.run("round", 3, hall.file("3.csv", REPORTED + "".join(rows)), "--yes")
    hall.run("round", 4, hall.file("4.trf", trf(swiss(4))), "--yes")
    return hall


def test_a_result_of_an_earlier_round_that_the_report_does_not_have_is_warned_of(two_rounds: Scene) -> None:
    reported = {game.table: game.result for game in read_round(trf(swiss(4)), "4.trf", 3).games}
    has = reported["2"]
    other = "0-1" if has != "0-1" else "1-0"
    two_rounds.run("result", 1, reported["1"], "--round", 3)
    assert "known here" not in two_rounds.run("results")
    assert "known here" not in two_rounds.run("export", "--out", two_rounds.folder / "out")
    two_rounds.run("result", 2, other, "--round", 3, "--reason", "an error on the sheet")
    said = two_rounds.run("export", "--out", two_rounds.folder / "again", exits=1)
    for text in (said, two_rounds.run("results")):
        assert f"the report has {has}, known here is {other}\n" in text
        assert "round 3, table 2  " in text
        assert "Likely cause: " in text
        assert "Next: enter it in the pairing program" in text
        assert f"jadoube hall result 2 {has} --round 3" in text
        assert text.count("known here") == 1
    assert [(each["round"], each["report"]) for each in json.loads(two_rounds.run("results", "--json"))["behind"]] == [
        (3, has)
    ]
    assert two_rounds.read("again/round-4.trf") == two_rounds.read("out/round-4.trf")
    assert "known here" not in two_rounds.run("results", "--round", 3)
    two_rounds.run("result", 2, has, "--round", 3)
    two_rounds.run("export", "--out", two_rounds.folder / "last")


def test_a_result_that_comes_late_is_missing_in_the_report_and_warned_of(hall: Scene) -> None:
    cells = swiss(4)
    pairing = read_round(trf(cells), "4.trf", 3).games[0]
    assert pairing.black is not None
    for player in (pairing.white, pairing.black):
        opponent, colour, _ = cells[int(player.number)][2]
        cells[int(player.number)][2] = (opponent, colour, " ")
    table = next(game.table for game in read_round(trf(cells), "4.trf", 3).games if game.keys == pairing.keys)
    text = (
        f"{REPORTED}{table};{pairing.white.name};{pairing.white.number};{pairing.black.name};{pairing.black.number}\n"
    )
    hall.run("round", 3, hall.file("3.csv", text), "--yes")
    hall.run("round", 4, hall.file("4.trf", trf(cells)), "--yes")
    hall.run("result", table, "0-1", "--round", 3, "--reason", "forfeit")
    said = hall.run("export", "--out", hall.folder / "out", exits=1)
    assert "the report has no result, known here is -+\n" in said
    assert "is right:" not in said


def test_a_board_that_has_the_game_of_another_round_by_now_is_not_to_be_told(two_rounds: Scene) -> None:
    with two_rounds.playing() as journal:
        paired = tags_of_game(two_rounds.read("rounds/3.csv"), "3.csv", "1", None)
        two_rounds.game(journal, "1", "g1", **paired).play("e2e4")
        assert "give it there, too" in two_rounds.run("result", 1, "1-0", "--round", 3)
        two_rounds.game(journal, "1", "g2").play("e2e4")
        assert "give it there, too" not in two_rounds.run("result", 1, "0-1", "--round", 3)
        assert "give it there, too" in two_rounds.run("result", 1, "0-1")
