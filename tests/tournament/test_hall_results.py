"""``jadoube hall results``, ``result`` and ``export``: what the boards had, what an arbiter said, and what goes out."""

import html.parser
import io
import json
from typing import Any

import chess.pgn
import pytest
from event_kit import people, swiss, team_event, trf
from hall_kit import Scene

from controller import contract as c
from controller.cli.hall import export as hall_export
from controller.pairing import tags_of_game
from controller.tournament.reading import read_round
from controller.tournament.results import Given, write_given

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


@pytest.fixture
def round_4(hall: Scene) -> Scene:
    """Round 4 of an open, paired; nothing is played yet."""
    hall.run("round", 4, hall.file("open.trf", trf(swiss())), "--yes")
    return hall


def told(hall: Scene, *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hall.run("results", "--json", *arguments))
    return found


def by_table(hall: Scene) -> dict[str, dict[str, Any]]:
    return {game["pairing"]["table"]: game for game in told(hall)["games"] if game["pairing"]["black"]}


# -- where a result comes from -----------------------------------------------------------------------------------------


def test_each_result_is_told_as_the_board_had_it(round_4: Scene) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play(*MATE)
        round_4.game(journal, "2", "g2").play("e2e4").give(c.Resign, side="black")
        round_4.game(journal, "3", "g3").give(c.Arbiter, do="result", result="+-", text="she never came")
        round_4.game(journal, "4", "g4").play("e2e4")
        found = by_table(round_4)
    assert [(found[table]["pairing"]["result"], found[table]["reason"]) for table in "1234"] == [
        ("0-1", "checkmate"),
        ("1-0", "resignation"),
        ("+-", "forfeit"),
        (None, ""),
    ]
    said = round_4.run("results")
    assert "table 1  WGM Kosteniuk, Alexandra – GM Polgár, Judit: 0-1, by checkmate\n" in said
    assert "she never came" in said


def test_of_two_games_on_a_table_the_later_one_counts_and_games_of_others_do_not(round_4: Scene) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play("e2e4").give(c.Resign, side="white")
        round_4.game(journal, "1", "g2").play("e2e4").give(c.Resign, side="black")
        round_4.game(journal, "1", "g3", White="Somebody Else").give(c.Resign, side="white")
        round_4.game(journal, "2", "g4", Round="3").give(c.Resign, side="white")
        found = told(round_4)
    first, second = found["games"][:2]
    assert (first["pairing"]["result"], [each["game"] for each in first["history"]]) == ("1-0", ["g1", "g2"])
    assert second["pairing"]["result"] is None
    assert [each["white"] for each in found["others"]] == ["Somebody Else"]


def test_a_result_that_was_taken_back_at_the_board_is_open_again(round_4: Scene) -> None:
    with round_4.playing() as journal:
        game = round_4.game(journal, "1", "g1").play("e2e4").give(c.Arbiter, do="result", result="1-0")
        assert by_table(round_4)["1"]["pairing"]["result"] == "1-0"
        game.rule("undo")
        found = by_table(round_4)["1"]
    assert (found["pairing"]["result"], found["source"]) == (None, None)
    assert [each["result"] for each in found["history"]] == ["1-0", None]


def test_a_result_that_the_arbiter_put_right_at_the_board_after_the_end_is_the_one_that_counts(round_4: Scene) -> None:
    with round_4.playing() as journal:
        game = round_4.game(journal, "1", "g1").play("e2e4").give(c.Resign, side="black")
        game.give(c.Arbiter, do="result", result="1/2-1/2", insist=True)
        found = by_table(round_4)["1"]
    assert (found["pairing"]["result"], found["source"]) == ("1/2-1/2", "board")
    assert [each["result"] for each in found["history"]] == ["1-0", "1/2-1/2"]


def test_who_gave_a_result_at_the_board_is_named_and_said_once(round_4: Scene) -> None:
    with round_4.playing() as journal:
        game = round_4.game(journal, "1", "g1").play("e2e4")
        game.give(c.Arbiter, do="result", result="1-0", text="she left", by="Anna").give(
            c.Arbiter, do="undo", by="Bruno"
        )
        game.give(c.Arbiter, do="result", result="1/2-1/2")
        round_4.game(journal, "2", "g2").play("e2e4").give(c.Resign, side="black")
        history = [each["by"] for each in by_table(round_4)["1"]["history"]]
        said = round_4.run("results")
    assert history == ["Anna (board 1)", "Bruno (board 1)", "the arbiter"]
    assert "1-0      by Anna (board 1), she left\n" in said
    assert "taken back by Bruno (board 1)\n" in said
    assert "1/2-1/2  by the arbiter\n" in said
    assert by_table(round_4)["2"]["history"][0]["by"] == "board 2"


def test_outages_count_in_the_time_of_day_at_which_a_result_was_given_at_the_board(round_4: Scene) -> None:
    """The history is in the order in which the results were given: the arbiter's of 18:40, then the board's."""
    by_hand = Given(
        round=4,
        table="1",
        white="Kosteniuk, Alexandra",
        black="Polgár, Judit",
        result="+-",
        at="2026-03-04T18:40:00+01:00",
    )
    with round_4.playing() as journal:
        game = round_4.game(journal, "1", "g1").play("e2e4")  # begun at 18:30
        game.give(c.Outage, away_ms=480_000).give(c.Outage).give(c.Outage, away_ms=600_000)
        game.give(c.Arbiter, do="result", result="1-0")
        round_4.file("rounds/results.jsonl", write_given(by_hand))
        history = by_table(round_4)["1"]["history"]
    seconds = game.ms // 1000
    assert [(each["at"], each["source"]) for each in history] == [
        ("2026-03-04T18:40:00+01:00", "hand"),
        (f"2026-03-04T18:48:{seconds:02}+01:00", "board"),
    ]


def test_where_a_board_has_another_result_than_was_given_by_hand_both_are_told(round_4: Scene) -> None:
    round_4.run("result", 1, "1/2-1/2", "--by", "Anne")
    assert "the board has" not in round_4.run("results")
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play(*MATE)
    assert "1/2-1/2, by hand; the board has 0-1" in round_4.run("results")


@pytest.mark.parametrize(
    ("said", "reason", "kept"),
    [
        ("1-0", "forfeit", "+-"),
        ("0-1", "forfeit", "-+"),
        ("0-0", "forfeit", "--"),
        ("0-0", "both late", "0-0"),
        ("1/2-0", "", "1/2-0"),
        ("0-½", "", "0-1/2"),
        ("½-½", "agreed", "1/2-1/2"),
        ("1 : 0", "", "1-0"),
        ("+-", "forfeit", "+-"),
    ],
)
def test_a_result_is_given_by_hand(round_4: Scene, said: str, reason: str, kept: str) -> None:
    round_4.run("result", 7, said, "--reason", reason, "--by", "Anne")
    found = by_table(round_4)["7"]
    assert (found["pairing"]["result"], found["source"], found["reason"]) == (kept, "hand", reason)
    assert [each["by"] for each in found["history"]] == ["Anne"]


def test_a_corrected_result_keeps_its_history_and_can_be_taken_back(round_4: Scene) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play(*MATE)
    assert "before: 0-1, by checkmate" in round_4.run("result", 1, "1-0", "--by", "Anne", "--reason", "wrong colours")
    assert "before: 1-0, wrong colours, by hand" in round_4.run("result", 1, "1/2-1/2", "--by", "Bob")
    found = by_table(round_4)["1"]
    history = [(each["result"], each["source"], each["by"]) for each in found["history"]]
    assert history == [("0-1", "board", "board 1"), ("1-0", "hand", "Anne"), ("1/2-1/2", "hand", "Bob")]
    lines = round_4.read("rounds/results.jsonl")
    assert "0-1, by checkmate; before: 1/2-1/2" in round_4.run("result", 1, "--take-back")
    assert by_table(round_4)["1"]["source"] == "board"
    assert round_4.read("rounds/results.jsonl").startswith(lines), "no line is ever changed"


@pytest.mark.parametrize(
    ("table", "said", "hint"),
    [
        (1, ("1-0",), True),
        (1, ("0-1",), False),
        (1, ("1-0", "--reason", "forfeit"), True),
        (2, ("1-0", "--reason", "forfeit"), True),
        (7, ("1-0", "--reason", "forfeit"), False),
        (7, ("1-0",), True),
    ],
)
def test_whose_board_has_another_result_is_asked_to_give_it_there_for_the_public(
    round_4: Scene, table: int, said: tuple[str, ...], hint: bool
) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play(*MATE)  # Black has won
        round_4.game(journal, "2", "g2").play("e2e4")  # which still goes on
    assert ("give it there, too" in round_4.run("result", table, *said)) == hint


def test_a_forfeit_is_given_at_the_board_by_words_that_the_command_line_knows(round_4: Scene) -> None:
    """It would take -+ for an option."""
    with round_4.playing() as journal:
        round_4.game(journal, "2", "g2").play("e2e4")
    told = round_4.run("result", 2, "0-1", "--reason", "forfeit")
    assert "jadoube hall result 2 0-1 --reason forfeit --round 4 --at-board" in told


@pytest.mark.parametrize(
    ("table", "said", "warned"),
    [
        (1, ("1-0", "--reason", "forfeit"), True),
        (1, ("+-",), True),
        (1, ("1-0", "--reason", "his phone rang"), False),
        (2, ("1-0", "--reason", "forfeit"), False),
        (7, ("1-0", "--reason", "forfeit"), False),
    ],
)
def test_a_forfeit_of_a_game_in_which_moves_were_made_is_warned_of(
    round_4: Scene, table: int, said: tuple[str, ...], warned: bool
) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play("e2e4", "e7e5", "g1f3")
        round_4.game(journal, "2", "g2")  # nobody has moved
        told = round_4.run("result", table, *said)
    assert ("the game has 3 moves, and a forfeit says that it was not played" in told) == warned
    if warned:
        assert 'jadoube hall result 1 1-0 --reason "IN YOUR WORDS" --round 4' in told
    assert by_table(round_4)[str(table)]["source"] == "hand", "it is kept all the same"


def test_what_is_so_already_is_not_kept_again(round_4: Scene) -> None:
    round_4.run("result", 7, "1-0")
    before = round_4.all_files()
    assert "so already" in round_4.run("result", 7, "1-0")
    assert "so already" in round_4.run("result", 8, "--take-back")
    assert round_4.all_files() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((17, "1-0"), "round 4 has no game on table 17"),
        ((7, "2-0"), "'2-0' is no result"),
        ((7, "*"), "says that there is no result"),
        ((7, "1/2-1/2", "--reason", "forfeit"), "cannot be by forfeit"),
        ((7, "1-0", "--round", 5), "there is no round 5; the rounds there: 4"),
        ((7, "1-0", "--reason", "a\x1b[2J"), "control character"),
    ],
)
def test_what_cannot_be_a_result_is_refused_and_nothing_kept(
    round_4: Scene, arguments: tuple[object, ...], said: str
) -> None:
    before = round_4.all_files()
    assert said in round_4.run("result", *arguments, exits=2)
    assert round_4.all_files().keys() - before.keys() == set()


def test_a_result_by_hand_is_not_that_of_others_who_are_paired_on_the_table_since(round_4: Scene) -> None:
    round_4.run("result", 7, "1-0")
    columns, tables = ("White", "WhiteNumber", "Black", "BlackNumber"), {"7": "8", "8": "7"}
    lines = [
        ";".join([tables.get(row["Board"], row["Board"]), *(row[column] for column in columns)])
        for row in round_4.rows("rounds/4.csv")
    ]
    text = "\n".join([";".join(["Board", *columns]), *lines])
    round_4.run("round", 4, round_4.file("4.csv", text), "--yes")
    assert by_table(round_4)["7"]["pairing"]["result"] is None
    assert len(told(round_4)["others"]) == 1


def test_a_record_that_somebody_edited_says_which_line(round_4: Scene) -> None:
    round_4.run("result", 7, "1-0")
    round_4.file("rounds/results.jsonl", round_4.read("rounds/results.jsonl") + "{}\n")
    assert "line 2 is no result" in round_4.run("results", exits=2)


def test_results_that_the_pairing_program_has_are_told_where_nobody_else_knows_better(hall: Scene) -> None:
    """Round 3 was paired here; its results came with the file of round 4, but for the one that a board had."""
    hall.run("round", 3, hall.file("3.trf", trf(swiss(3))), "--yes")
    before = read_round(trf(swiss(4)), "4.trf", 3)
    with hall.playing() as journal:
        game = hall.game(journal, "1", "g1")
        loses = "white" if before.games[0].result != "0-1" else "black"
        game.give(c.Resign, side=loses)
    hall.run("round", 4, hall.file("4.trf", trf(swiss(4))), "--yes")
    found = told(hall, "--round", 3)["games"]
    assert found[0]["pairing"]["result"] == ("0-1" if loses == "white" else "1-0")
    assert found[0]["source"] == "board"
    results = {frozenset(player.number for player in game.players.values()): game.result for game in before.games}
    differs = {found[0]["pairing"]["result"], found[0]["program"]} - {None}
    assert ("the program has" in hall.run("results", "--round", 3)) == (len(differs) == 2)
    for game in found[1:11]:
        pair = frozenset(game["pairing"][side]["number"] for side in ("white", "black"))
        assert game["pairing"]["result"] == results[pair]


def test_without_a_round_there_are_no_results(hall: Scene) -> None:
    assert "there is no round; the rounds there: none" in hall.run("results", exits=2)


# -- tables ------------------------------------------------------------------------------------------------------------


def test_the_crosstable_has_each_round_of_each_player(round_4: Scene) -> None:
    for table in range(1, 12):
        round_4.run("result", table, ("1-0", "0-1", "1/2-1/2")[table % 3])
    table = told(round_4)["crosstable"]
    assert table["rounds"] == [1, 2, 3, 4]
    ours = {row["player"]["number"]: row for row in table["rows"]}
    results = {row["WhiteNumber"]: row for row in round_4.rows("rounds/4.csv")}
    for number, cells in swiss().items():
        row = ours[str(number)]
        for cell, (opponent, colour, letter) in zip(row["cells"][:3], cells[:3], strict=True):
            expected = {"=": "½", "D": "½", "W": "1", "L": "0"}.get(letter, letter)
            assert cell == (f"{opponent}{colour}{expected}" if opponent else letter)
    total = sum(row["points"] for row in table["rows"])
    byes = {"F": 1.0, "U": 1.0, "H": 0.5, "Z": 0.0}
    given = sum(byes[letter] for cells in swiss().values() for opponent, _, letter in cells if not opponent)
    assert total == given + 11 * 4, "each game has one point to give, and none of these was lost by both"
    assert len(results) == 13


def test_the_crosstable_and_the_report_number_the_players_alike(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.csv", "Board;White;Black;Result\n1;Zoe;Bo;1-0\n2;Ann;Yves;0-1\n"), "--yes")
    hall.run("round", 2, hall.file("2.csv", "Board;White;Black;Result\n1;Yves;Zoe;0-1\n2;New;Ann;1-0\n"), "--yes")
    rows = {row["player"]["name"]: (row["number"], row["cells"]) for row in told(hall)["crosstable"]["rows"]}
    assert rows == {
        "Zoe": (1, ["2w1", "4b1"]),
        "Bo": (2, ["1b0", ""]),
        "Ann": (3, ["4w0", "5b0"]),
        "Yves": (4, ["3b1", "1w0"]),
        "New": (5, ["", "3w1"]),
    }
    hall.run("export", "--out", hall.folder / "out")
    lines = [line for line in hall.read("out/round-2.trf").splitlines() if line.startswith("001")]
    assert {line[14:47].strip(): int(line[4:8]) for line in lines} == {name: row[0] for name, row in rows.items()}


def test_who_does_not_play_leaves_no_other_number_to_those_who_do(hall: Scene) -> None:
    csv = "Board;White;WhiteNumber;Black;BlackNumber;Result\n1;Ann;2;Bo;12;1/2-1/2\n"
    hall.run("round", 1, hall.file("1.csv", csv), "--yes")
    rows = told(hall)["crosstable"]["rows"]
    assert [(row["number"], row["cells"]) for row in rows] == [(2, ["12w½"]), (12, ["2b½"])]


def test_teams_have_the_points_of_their_games_and_of_their_matches(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.trf", trf(team_event(1), teams=True)), "--yes")
    rows = hall.rows("rounds/1.csv")
    first = {rows[0]["WhiteTeam"], rows[0]["BlackTeam"]}
    for row in rows[:4]:  # all boards for the one who has White on the first table
        hall.run("result", row["Board"], "1-0" if row["WhiteTeam"] == rows[0]["WhiteTeam"] else "0-1")
    for row in rows[4:8]:
        hall.run("result", row["Board"], "1/2-1/2")
    hall.run("result", rows[8]["Board"], "0-0", "--reason", "forfeit")
    found = told(hall)
    matches = [
        (set(match["teams"]), match["points"], match["open"], match["match_points"]) for match in found["matches"]
    ]
    assert matches[0] == (first, [4.0, 0.0], 0, [2.0, 0.0])
    assert matches[1][1:] == ([2.0, 2.0], 0, [1.0, 1.0])
    assert matches[2][1:] == ([0.0, 0.0], 3, None), "it is not over"
    teams = {team["name"]: (team["points"], team["match_points"]) for team in found["teams"]}
    assert teams[rows[0]["WhiteTeam"]] == (4.0, 2.0)
    assert len(teams) == 6
    assert sum(points for points, _ in teams.values()) == 8
    assert "match points" in hall.run("results")


# -- what goes out -----------------------------------------------------------------------------------------------------


def games_of(text: str) -> list[chess.pgn.Game]:
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        found.append(game)
    return found


def test_the_exports_say_what_the_hall_knows(round_4: Scene) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1").play(*MATE)
        round_4.game(journal, "2", "g2").play("e2e4", "e7e5").give(c.Resign, side="white")
        round_4.game(journal, "4", "g4").play("d2d4")
        round_4.run("result", 2, "1/2-1/2", "--reason", "agreed before")
        round_4.run("result", 3, "1-0", "--reason", "forfeit")
        said = round_4.run("export", "--out", round_4.folder / "out")
    assert "round 4, 4 games, 8 still open" in said
    report = round_4.read("out/round-4.trf")
    results = {game.table: game.result for game in read_round(report, "out", 4).games}
    assert [results[table] for table in "123"] == ["0-1", "1/2-1/2", "+-"]
    assert len(report.splitlines()) == len(trf(swiss()).splitlines())
    assert [row["Result"] for row in round_4.rows("out/round-4.csv")][:4] == ["0-1", "1/2-1/2", "+-", ""]
    assert tags_of_game(round_4.read("out/round-4.csv"), "out", "1", "4")["WhiteTitle"] == "WGM"
    games = games_of(round_4.read("out/round-4-1.pgn"))
    assert [(game.headers["Board"], game.headers["Result"]) for game in games] == [
        ("1", "0-1"),
        ("2", "1/2-1/2"),
        ("3", "1-0"),
        ("4", "*"),
    ]
    assert [move.uci() for move in games[0].mainline_moves()] == list(MATE)
    assert [len(list(game.mainline_moves())) for game in games] == [4, 2, 0, 1]
    assert games[2].headers["White"] == "Ivanova, Olga"


def test_a_pgn_has_no_more_games_than_one_push_takes(round_4: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_export, "MOST", 4)
    for table in range(1, 12):
        round_4.run("result", table, "1-0")
    round_4.run("export", "--out", round_4.folder / "out")
    pieces = [games_of(round_4.read(f"out/round-4-{piece}.pgn")) for piece in (1, 2, 3)]
    assert [len(games) for games in pieces] == [4, 4, 3]
    assert [game.headers["Board"] for games in pieces for game in games] == [str(table) for table in range(1, 12)]


def test_without_a_trf_one_is_made(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.csv", "Board;White;White Elo;Black;Result\n1;Ann;1900;Bo;1-0\n"), "--yes")
    hall.run("round", 2, hall.file("2.csv", "Board;White;Black\n1;Bo;Cid\n;Ann;\n"), "--yes")
    hall.run("result", 1, "1/2-1/2")
    hall.run("export", "--out", hall.folder / "out")
    report = hall.read("out/round-2.trf")
    assert "012 Open\r\n022 Lyon\r\n" in report
    (first,) = read_round(report, "out", 1).games
    assert (first.white.name, first.white.elo, first.result) == ("Ann", "1900", "1-0")
    second, bye = read_round(report, "out", 2).pairings
    assert (second.white.name, second.result, bye.white.name, bye.bye) == ("Bo", "1/2-1/2", "Ann", "U")
    points = {line[14:47].strip(): line[80:84] for line in report.splitlines() if line.startswith("001")}
    assert points == {"Ann": " 2.0", "Bo": " 0.5", "Cid": " 0.5"}


def test_rounds_that_an_arbiter_paired_by_hand_are_added_to_the_report(hall: Scene) -> None:
    hall.run("round", 3, hall.file("3.trf", trf(swiss(3))), "--yes")
    hall.run(
        "round",
        4,
        hall.file("4.csv", "Board;White;Black\n1;Polgár, Judit;Guest, Gus\n2;Hou, Yifan;Smith, John\n"),
        "--yes",
    )
    hall.run("result", 2, "1-0")
    said = hall.run("export", "--out", hall.folder / "out")
    assert "Guest, Gus is not in the TRF" in said
    found = read_round(hall.read("out/round-4.trf"), "out", 4)
    assert [(game.white.name, game.result) for game in found.games] == [("Hou, Yifan", "1-0")]


def test_who_came_without_a_number_is_the_player_whom_the_report_has_later(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.csv", "Board;White;Black;Result\n1;Polgár, Judit;Hou, Yifan;1-0\n"), "--yes")
    hall.run("round", 4, hall.file("4.trf", trf(swiss())), "--yes")
    rows = told(hall)["crosstable"]["rows"]
    assert len(rows) == 24
    assert [(row["player"]["number"], row["cells"][0]) for row in rows[:2]] == [("1", "2w1"), ("2", "1b0")]


def test_a_round_without_a_move_has_no_score_sheets_and_says_so(round_4: Scene) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1")
        round_4.run("result", 3, "1-0", "--reason", "forfeit")
        said = round_4.run("export", "--out", round_4.folder / "out", "--language", "fr")
    assert "no score sheets to print: no move was made" in said
    assert "aucune feuille de partie" in round_4.read("out/round-4-sheets.html")


class Sheets(html.parser.HTMLParser):
    """The text of each page, cell by cell; every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.pages: list[list[str]] = []
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag != "meta":
            self._open.append(tag)
        if tag == "section":
            self.pages.append([])

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "section" in self._open and data.strip():
            self.pages[-1].append(data.strip())


@pytest.mark.parametrize(("code", "sign"), [("en", "White's signature"), ("fr", "signature des Blancs")])
def test_there_is_a_score_sheet_to_print_for_each_game_that_was_played(round_4: Scene, code: str, sign: str) -> None:
    with round_4.playing() as journal:
        round_4.game(journal, "1", "g1", Event="Rook & <Co>").play("e2e4")
        round_4.game(journal, "2", "g2").play(*MATE)
        round_4.run("result", 3, "1-0", "--reason", "forfeit")
        assert "no move" not in round_4.run("export", "--out", round_4.folder / "out", "--language", code)
    first, last = Sheets(round_4.read("out/round-4-sheets.html")).pages
    assert "Rook & <Co>" in " ".join(first)
    assert sign in last
    assert {"en": "Qh4#", "fr": "Dh4#"}[code] in last
    assert "0-1" in last
    assert any(text.startswith("1:") for text in last), "the clocks"
    assert people()[18]["name"] in " ".join(last[:4])
