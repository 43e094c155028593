"""``jadoube hall round``: what would change is shown, then done, once, whole, or not at all."""

from pathlib import Path

import pytest
from event_kit import LETTERS, swiss, team_event, trf
from hall_kit import Scene

from controller import contract as c
from controller.pairing import tags_of_game

FILE = trf(swiss())
CSV = """\
Board;White;Black;Result
1;Polgár, Judit;Hou, Yifan;
2;Sørensen, Åse;Smith, John;
3;Tanaka, Ken;Bianchi, Aldo;
;Brown, Ann;;½
"""


def test_a_round_is_shown_then_in_force_and_the_boards_find_their_players(hall: Scene) -> None:
    said = hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    assert "round 4: 11 games and 2 byes; in force is no round yet" in said
    assert "table 1: WGM Kosteniuk, Alexandra – GM Polgár, Judit" in said
    assert "Ødegård, Nils: absent" in said
    assert tags_of_game(hall.read("rounds/current.csv"), "current.csv", "1", None) == {
        "Event": "Open de Lyon",
        "Site": "Lyon",
        "Date": "2026.03.04",
        "Round": "4",
        "White": "Kosteniuk, Alexandra",
        "WhiteTitle": "WGM",
        "WhiteElo": "2455",
        "WhiteFederation": "SUI",
        "WhiteFideId": "4128125",
        "Black": "Polgár, Judit",
        "BlackTitle": "GM",
        "BlackElo": "2735",
        "BlackFederation": "HUN",
        "BlackFideId": "700070",
    }


def test_of_the_round_before_it_is_said_which_tables_are_open(hall: Scene) -> None:
    hall.run("round", 3, hall.file("round-3.csv", CSV), "--yes")
    with hall.playing() as journal:
        hall.game(journal, "2", "g1", Round="3").give(c.Resign, side="white")
        said = hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    assert "open in round 3: tables 1,3; a game that is on keeps its players to its end" in said


def test_a_journal_that_cannot_be_read_keeps_no_round_from_being_put_in_force(hall: Scene) -> None:
    hall.run("round", 3, hall.file("round-3.csv", CSV), "--yes")
    (hall.folder / "jadoube.sqlite").write_bytes(b"no journal at all")
    said = hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    assert "round 4 is in force" in said
    assert "open in round" not in said


def test_a_second_time_nothing_changes(hall: Scene) -> None:
    hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    before = hall.all_files()
    stamp = (hall.folder / "rounds/current.csv").stat()
    assert "nothing changes" in hall.run("round", 4, hall.folder / "open.trf")
    assert hall.all_files() == before
    assert (hall.folder / "rounds/current.csv").stat().st_mtime_ns == stamp.st_mtime_ns


def test_nobody_at_a_terminal_has_to_say_yes(hall: Scene) -> None:
    hall.file("open.trf", FILE)
    before = hall.all_files()
    assert "--yes" in hall.run("round", 4, hall.folder / "open.trf", exits=2)
    assert hall.all_files() == before


@pytest.mark.parametrize(("answer", "done"), [("yes", True), ("", False), ("no", False)])
def test_at_a_terminal_it_is_asked(hall: Scene, monkeypatch: pytest.MonkeyPatch, answer: str, done: bool) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    said = hall.run("round", 4, hall.file("open.trf", FILE), exits=0 if done else 1)
    assert (hall.folder / "rounds").exists() == done
    assert ("nothing was changed" in said) != done


def test_in_mid_round_only_what_changes_is_shown(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.csv", CSV), "--yes")
    said = hall.run(
        "round",
        1,
        hall.file(
            "1b.csv",
            "Board;White;Black\n4;Polgár, Judit;Hou, Yifan\n2;Smith, John;Sørensen, Åse\n"
            "3;Tanaka, Ken;Late, Lea\n1;Brown, Ann;Guest, Gus\n",
        ),
        "--yes",
    ).splitlines()
    assert said[:-1] == [
        "round 1: 4 games; in force is round 1",
        "  table 1: Brown, Ann – Guest, Gus",
        "  table 2: Smith, John – Sørensen, Åse, with colours exchanged",
        "  table 3: Tanaka, Ken – Late, Lea, instead of Tanaka, Ken – Bianchi, Aldo",
        "  table 1 → 4: Polgár, Judit – Hou, Yifan",
        "  Bianchi, Aldo: is paired no more",
        "  Guest, Gus: was not paired before",
        "  Late, Lea: was not paired before",
        "  open in round 1: tables 1-3; a game that is on keeps its players to its end",
    ]


def test_a_game_that_is_paired_no_more_is_named(hall: Scene) -> None:
    hall.run("round", 1, hall.file("1.csv", CSV), "--yes")
    said = hall.run("round", 1, hall.file("1b.csv", CSV.replace("3;Tanaka, Ken;Bianchi, Aldo;\n", "")), "--yes")
    assert "table 3: no more Tanaka, Ken – Bianchi, Aldo" in said
    assert "Tanaka, Ken: is paired no more" in said


OTHERS = "Event;Board;White;Black\n{event};1;Ann;Bob\n{event};2;Cid;Dora\n"


@pytest.mark.parametrize("event", ["Blitz de Lyon", "Open de Lyon", ""])
def test_a_round_that_was_played_is_not_taken_by_others(hall: Scene, event: str) -> None:
    hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    blitz = hall.file("blitz.csv", OTHERS.format(event=event))
    with hall.playing() as journal:
        hall.game(journal, "3", "g1").give(c.Resign, side="white")
        before = hall.read("rounds/4.csv"), hall.read("rounds/current.csv")
        said = hall.run("round", 4, blitz, "--yes", exits=2)
    assert "round 4 has results, of tables 3, and this file is of" in said
    assert ("another event, 'Blitz de Lyon' instead of 'Open de Lyon'" in said) == (event == "Blitz de Lyon")
    assert "jadoube hall init FOLDER" in said
    assert (hall.read("rounds/4.csv"), hall.read("rounds/current.csv")) == before
    assert "round 4 is in force" in hall.run("round", 4, blitz, "--yes", "--replace-played")


def test_nor_by_those_who_play_in_another_event_too(hall: Scene) -> None:
    hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    hall.run("result", 1, "1-0")
    blitz = hall.file("blitz.csv", "Event;Board;White;Black\nBlitz;1;Kosteniuk, Alexandra;Polgár, Judit\n")
    assert "this file is of another event" in hall.run("round", 4, blitz, "--yes", exits=2)
    same = hall.file("same.csv", "Event;Board;White;Black\nopen de LYON;1;Kosteniuk, Alexandra;Polgár, Judit\n")
    assert "round 4 is in force" in hall.run("round", 4, same, "--yes")


def test_a_round_without_a_result_may_be_anybodys(hall: Scene) -> None:
    hall.run("round", 4, hall.file("open.trf", FILE), "--yes")
    assert "round 4 is in force" in hall.run("round", 4, hall.file("blitz.csv", OTHERS.format(event="B")), "--yes")


def test_the_next_round_takes_the_place_of_the_one_before_which_is_kept(hall: Scene) -> None:
    hall.run("round", 3, hall.file("3.trf", trf(swiss(3))), "--yes")
    said = hall.run("round", 4, hall.file("4.trf", FILE), "--yes")
    assert "in force is round 3" in said
    assert {row["Round"] for row in hall.rows("rounds/current.csv")} == {"4"}
    assert {row["Round"] for row in hall.rows("rounds/3.csv")} == {"3"}


def test_a_csv_of_the_arbiter_needs_only_tables_and_names(hall: Scene) -> None:
    """What the pairing program knows of the players is kept; of two of one name nobody guesses which it is."""
    hall.run("round", 3, hall.file("3.trf", trf(swiss(3, LETTERS))), "--yes")
    text = 'Board,White,Black\n1,"polgar, judit","Hou, Yifan"\n2,"Müller, Thomas","Brown, Ann"\n'
    hall.run("round", 4, hall.file("4.csv", text), "--yes")
    first, second = hall.rows("rounds/4.csv")
    assert (first["White"], first["WhiteNumber"], first["WhiteTitle"], first["WhiteFideId"]) == (
        "Polgár, Judit",
        "1",
        "GM",
        "700070",
    )
    assert (second["WhiteNumber"], second["BlackNumber"]) == ("", "18")


def test_a_pairing_changed_by_hand_is_of_the_same_event_and_day(hall: Scene) -> None:
    """A game begun then is told by others from the same event, site and date as those begun before."""
    hall.run("round", 4, hall.file("4.trf", FILE), "--yes")
    before = hall.rows("rounds/4.csv")
    swap = {"1": "2", "2": "1"}
    rows = [(swap.get(row["Board"], row["Board"]), row["White"], row["Black"]) for row in before if row["Black"]]
    text = "Board;White;Black;WhiteNumber;BlackNumber\n" + "".join(
        f"{table};{white};{black};{row['WhiteNumber']};{row['BlackNumber']}\n"
        for (table, white, black), row in zip(rows, before, strict=False)
    )
    hall.run("round", 4, hall.file("by-hand.csv", text), "--yes")
    told = {(row["Event"], row["Site"], row["Date"]) for row in hall.rows("rounds/4.csv")}
    assert told == {("Open de Lyon", "Lyon", "2026.03.04")}
    hall.run("export", "--out", hall.folder / "out")
    assert hall.read("out/round-4.trf") == FILE, "and who has a bye keeps it"
    assert [row for row in hall.rows("rounds/4.csv") if not row["Black"]] == [row for row in before if not row["Black"]]


def test_pairs_of_a_pairing_engine_say_who_sits_where(hall: Scene) -> None:
    report = hall.file("3.trf", trf(swiss(3, LETTERS)))
    hall.run("round", 4, report, "--pairs", hall.file("4.man", "2\n5 1\n12 3\n"), "--yes")
    assert [(row["Board"], row["WhiteNumber"], row["BlackNumber"]) for row in hall.rows("rounds/4.csv")] == [
        ("1", "5", "1"),
        ("2", "12", "3"),
    ]


def test_a_pgn_of_the_pairings_is_a_round(hall: Scene) -> None:
    text = "".join(
        f'[Event "Open"]\n[Round "2.{table}"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n*\n\n'
        for table, white, black, result in ((1, "Ann", "Bo", "*"), (7, "Cid", "Dora", "1-0"))
    )
    hall.run("round", 2, hall.file("2.pgn", text), "--yes")
    assert [(row["Board"], row["White"], row["Result"]) for row in hall.rows("rounds/2.csv")] == [
        ("1", "Ann", ""),
        ("7", "Cid", "1-0"),
    ]


LIST = """\
Open de Lyon\t\t
Round 2 on 2026/03/04 at 10:00
Bo.\tNo.\t\t\tWhite\tRtg\tPts.\tResult\tPts.\t\tBlack\tRtg\tNo.
1\t1\t\tGM\tPolgár, Judit\t2735\t1\t \t1\tIM\tMüller, Thomas\t2480\t3
2\t12\t\t\tSmith, John\t2150\t½\t½ - ½\t½\t\tBrown, Ann\t1850\t18
3\t24\t\t\tAbsent, Abel\t0\t0\t0\t\t\tnot paired\t0\t0
4\t21\t\t\tPapadopoulou, Eleni\t0\t0\t1\t\t\tbye\t\t
"""


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_a_list_of_swiss_manager_is_a_round(hall: Scene, delimiter: str) -> None:
    hall.run("round", 2, hall.file("list.csv", LIST.replace("\t", delimiter)), "--yes")
    first, second, absent, bye = hall.rows("rounds/2.csv")
    assert (first["Board"], first["WhiteTitle"], first["White"], first["WhiteElo"], first["WhiteNumber"]) == (
        "1",
        "GM",
        "Polgár, Judit",
        "2735",
        "1",
    )
    assert (first["BlackTitle"], first["Black"], first["BlackElo"], first["BlackNumber"]) == (
        "IM",
        "Müller, Thomas",
        "2480",
        "3",
    )
    assert [row["Result"] for row in (first, second, absent, bye)] == ["", "1/2-1/2", "Z", "U"]


# -- refused, with nothing changed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (5, FILE, "round 5 is not paired in it; the rounds that are: 1, 2, 3, 4"),
        (4, CSV.replace("3;Tanaka", "17;Tanaka"), "the hall has no table 17"),
        (4, CSV.replace("3;Tanaka", "2;Tanaka"), "2 games on table 2: .*Smith, John; Tanaka"),
        (4, CSV.replace("Tanaka, Ken", "HOU YIFAN"), "plays twice in round 4: on table 1 and on table 3"),
        (4, CSV.replace("Tanaka, Ken", "Brown, Ann"), "plays twice in round 4: on table 3 and with a bye"),
        (4, CSV.replace("½", "x"), "'x' is not what a bye scores"),
        (4, CSV.replace("Aldo;", "Aldo;7-2"), "'7-2' is no result"),
        (4, "Round;" + CSV.replace("\n", "\n3;").rstrip("3;"), "round 4 is not paired in it; the rounds that are: 3"),
        (4, "", "round 4 is not paired in it; the rounds that are: none"),
        (4, "Borad;White\n", "did you mean Board"),
        (4, LIST, "round 4 is not paired in it; the rounds that are: 2"),
        (2, LIST.replace("Result", "Erfolg"), "the columns are Bo., No..*known: bo."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changed(hall: Scene, number: int, text: str, said: str) -> None:
    hall.run("round", 1, hall.file("1.csv", CSV), "--yes")
    hall.file("wrong", text)
    before = hall.all_files()
    refused = hall.run("round", number, hall.folder / "wrong", "--yes", exits=2)
    assert_says(refused, said)
    assert hall.all_files() == before


def assert_says(text: str, pattern: str) -> None:
    """With the likely cause and what to do next."""
    with pytest.raises(AssertionError, match=pattern):
        raise AssertionError(text.replace("\n", " "))
    assert "Likely cause:" in text
    assert "Next:" in text


def test_pairs_of_start_numbers_need_a_report(hall: Scene) -> None:
    pairs = hall.file("4.man", "1\n5 1\n")
    assert "no players with these" in hall.run("round", 1, hall.file("1.csv", CSV), "--pairs", pairs, "--yes", exits=2)


def test_tables_without_a_board_of_ours_are_taken_where_that_is_meant(hall: Scene) -> None:
    text = CSV.replace("3;Tanaka", "17;Tanaka")
    hall.run("round", 1, hall.file("1.csv", text), "--yes", "--other-tables")
    assert [row["Board"] for row in hall.rows("rounds/1.csv")] == ["1", "2", "17", ""]


def test_a_file_that_is_not_there_and_a_hall_that_is_not(hall: Scene) -> None:
    assert "there is no file" in hall.run("round", 1, hall.folder / "none.csv", "--yes", exits=2)
    hall.config.unlink()
    assert "hall.toml" in hall.run("round", 1, hall.file("1.csv", CSV), "--yes", exits=2)


@pytest.mark.parametrize("text", ["[event", "boards = 3", '[[boards]]\nboard = "x"'])
def test_a_configuration_that_makes_no_sense(hall: Scene, text: str) -> None:
    hall.config.write_text(text)
    assert "hall.toml" in hall.run("round", 1, hall.file("1.csv", CSV), "--yes", exits=2)


def test_the_file_that_is_followed_is_not_read_and_written_at_once(hall: Scene) -> None:
    (hall.folder / "rounds").mkdir()
    hall.file("rounds/current.csv", CSV)
    assert "rounds/current.csv" in hall.run("round", 1, hall.folder / "rounds/current.csv", "--yes", exits=2)
    assert hall.read("rounds/current.csv") == CSV


def test_a_round_in_force_that_makes_no_sense_is_mended(hall: Scene) -> None:
    (hall.folder / "rounds").mkdir()
    hall.file("rounds/current.csv", "Borad;White\n1;Ann\n")
    hall.run("round", 1, hall.file("1.csv", CSV), "--yes")
    assert hall.read("rounds/current.csv") == hall.read("rounds/1.csv")


@pytest.mark.parametrize("there", ["rounds", "rounds/1.csv"])
def test_a_place_that_takes_nothing_is_named(hall: Scene, there: str) -> None:
    """A file where the folder would be; a folder where a file would be."""
    if there == "rounds":
        hall.file(there, "")
    else:
        (hall.folder / there).mkdir(parents=True)
    refused = hall.run("round", 1, hall.file("1.csv", CSV), "--yes", exits=2)
    assert_says(refused, str(hall.folder / there))
    assert not (hall.folder / "rounds/current.csv").exists()


def test_what_was_cut_short_is_done_by_the_second_call(hall: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before each of the files in turn: the old round is in force, whole, and the next call does it all."""
    from controller.cli.hall import files as hall_files

    hall.run("round", 3, hall.file("3.trf", trf(swiss(3))), "--yes")
    old, real = hall.read("rounds/current.csv"), hall_files.write
    hall.file("4.trf", FILE)
    for done in range(3):
        left = iter(range(done))

        def write(path: Path, text: str, left: object = left) -> None:
            if next(left, None) is None:  # type: ignore[call-overload]
                raise KeyboardInterrupt
            real(path, text)

        monkeypatch.setattr(hall_files, "write", write)
        hall.run("round", 4, hall.folder / "4.trf", "--yes", exits=130)
        assert hall.read("rounds/current.csv") == old
    monkeypatch.setattr(hall_files, "write", real)
    hall.run("round", 4, hall.folder / "4.trf", "--yes")
    assert hall.read("rounds/current.csv") == hall.read("rounds/4.csv") != old


def test_teams_are_kept(hall: Scene) -> None:
    hall.run("round", 3, hall.file("3.trf", trf(team_event(), teams=True)), "--yes")
    assert {row["WhiteTeam"] for row in hall.rows("rounds/3.csv")} >= {"Dragon Lyon", "Turm Łódź"}
