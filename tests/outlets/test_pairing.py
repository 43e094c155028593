"""Who plays on a board is found in what organisers have: a CSV in any spelling, or the PGN of a pairing program."""

import io

import chess.pgn
import pytest
from kit import TAGS, Board

from controller.errors import ConfigError
from controller.journal import Journal
from controller.outlets.follow import Follower
from controller.outlets.pgn import pgn
from controller.outlets.scoresheet import Scoresheet
from controller.pairing import decode, escaped, tags_of_game, tags_of_games, unescaped, with_pairing

CSV = """\
Event;Site;Round;Board;White;White title;WHITE_FIDE_ID;White Elo;Black;Black Title;Black FIDE-ID;blackelo
Open;Lyon;2;1;Old, Game;;;;Past, One;;;
Open;Lyon;3;1;Polgár, Judit;GM;700070;2735;Hou, Yifan;GM;8602980;2650
Open;Lyon;3;2;"O""Kelly; de Galway, Albéric";GM;0;;Nemo, Nick;;;1200
Open;Lyon;3;3;Alone, Ann;;;;;;;
"""
PGN = """\
[Event "Open \\"A\\""]
[Site "Lyon"]
[Date "2026.03.04"]
[Round "3.1"]
[White "Polgár, Judit"]
[Black "Hou, Yifan"]
[Result "*"]
[WhiteFideId "700070"]
[BlackElo "0"]
[TimeControl "5400"]

*

[Event "Open"]
[Round "3"]
[Board "2"]
[White "Ann"]
[Black "Bo"]
[Result "1-0"]

1. e4 1-0

[Event "Open"]
[Round "10"]
[White "Cid"]
[Black "Dora"]
[Result "*"]

*
"""


def test_a_csv_gives_the_tags_of_the_board_and_round() -> None:
    assert tags_of_game(CSV, "a.csv", "1", "3") == {
        "Event": "Open",
        "Site": "Lyon",
        "Round": "3",
        "White": "Polgár, Judit",
        "WhiteTitle": "GM",
        "WhiteFideId": "700070",
        "WhiteElo": "2735",
        "Black": "Hou, Yifan",
        "BlackTitle": "GM",
        "BlackFideId": "8602980",
        "BlackElo": "2650",
    }
    second = tags_of_game(CSV, "a.csv", "2", None)
    assert second["White"] == 'O"Kelly; de Galway, Albéric'
    assert "WhiteFideId" not in second, "0 is how pairing programs write that there is none"


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_whatever_stands_between_the_columns(delimiter: str) -> None:
    text = f"white{delimiter}black\nAnn{delimiter}Bo\nCid{delimiter}Dora\n"
    assert tags_of_game(text, "a.csv", "2", None) == {"White": "Cid", "Black": "Dora"}, "without boards, in their order"


def test_a_pgn_of_the_pairings() -> None:
    assert tags_of_game(PGN, "a.pgn", "1", "3") == {
        "Event": 'Open "A"',
        "Site": "Lyon",
        "Date": "2026.03.04",
        "Round": "3",
        "White": "Polgár, Judit",
        "Black": "Hou, Yifan",
        "WhiteFideId": "700070",
        "BlackElo": "0",
    }
    assert tags_of_game(PGN, "a.pgn", "2", "3")["White"] == "Ann"
    assert tags_of_game(PGN, "a.pgn", "1", None)["White"] == "Cid", "the last round is the tenth"


@pytest.mark.parametrize(
    ("text", "board", "round_", "says"),
    [
        ("", "1", None, ("no pairing",)),
        (CSV, "9", "3", ("round 3 has no game on board 9", "1, 2")),
        (CSV, "3", "3", ("no game on board 3",)),
        (CSV, "1", "7", ("round 7",)),
        ("Board;White;Black\n1;A;B\n1;C;D\n", "1", None, ("more than one",)),
        ("Board;Wite;Black\n1;A;B\n", "1", None, ("'Wite'", "did you mean White?")),
        ("Board;White;Black;White FIDE id\n1;A;B;GM\n", "1", None, ("'GM' is no FIDE id of A",)),
        ('Board;White;Black\n1;"A\nB";C\n', "1", None, ("line break",)),
    ],
)
def test_what_makes_no_sense_is_said_with_where_to_look(
    text: str, board: str, round_: str | None, says: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigError) as raised:
        tags_of_game(text, "a.csv", board, round_)
    assert raised.value.what.startswith("a.csv: ")
    for part in says:
        assert part in str(raised.value)


def test_the_games_of_a_round_are_read_at_once() -> None:
    games = tags_of_games(CSV, "a.csv", "3")
    assert games == {board: tags_of_game(CSV, "a.csv", board, "3") for board in ("1", "2")}
    with pytest.raises(ConfigError, match="more than one game on board 1"):
        tags_of_games("Board;White;Black\n1;A;B\n1;C;D\n", "a.csv", None)


def test_files_of_programs_that_know_no_utf8() -> None:
    assert decode("Polgár".encode("cp1252")) == "Polgár"
    assert decode("\ufeffPolgár".encode()) == "Polgár"
    assert decode("Polgár".encode("utf-16")) == decode(b"\xfe\xff" + "Polgár".encode("utf-16-be")) == "Polgár"


@pytest.mark.parametrize(
    "text",
    [
        CSV.replace("\n", "\r"),  # of an old Macintosh, and of some programs still
        CSV.replace("\n", "\r\n"),
        f"sep=;\n{CSV}",  # for Excel
        f'"sep=;"\r\n{CSV}',
        f"sep=,\n{CSV.replace(',', '.').replace(';', ',')}",
        CSV.replace("White Elo", "White\u00a0Elo"),  # as French spreadsheets have it
    ],
)
def test_a_csv_is_read_however_a_spreadsheet_writes_it(text: str) -> None:
    games = tags_of_games(text, "a.csv", "3")
    assert [*games] == ["1", "2"]
    assert games["1"]["White"].replace(".", ",") == "Polgár, Judit"
    assert games["2"]["BlackElo"] == "1200"


def test_a_pgn_without_line_feeds_is_read() -> None:
    assert tags_of_games(PGN.replace("\n", "\r"), "a.pgn", "3") == tags_of_games(PGN, "a.pgn", "3")


def test_what_is_said_of_a_game_comes_before_the_pairing_and_a_substitute_keeps_his_own_name() -> None:
    paired = tags_of_game(CSV, "a.csv", "1", "3")
    tags = with_pairing(paired, {"White": "Someone Else", "Round": "3.1"})
    assert (tags["White"], tags["Black"], tags["Round"]) == ("Someone Else", "Hou, Yifan", "3.1")
    assert (tags.get("WhiteFideId"), tags.get("WhiteTitle"), tags["BlackFideId"]) == (None, None, "8602980")
    assert with_pairing(paired, {"White": paired["White"]})["WhiteFideId"] == "700070"


@pytest.mark.parametrize("name", ['The "Big" One', "back\\slash", 'both \\" of them'])
def test_a_name_with_quotes_is_written_so_that_others_can_read_it(journal: Journal, name: str) -> None:
    Board(journal, tags=TAGS | {"Event": name})
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    assert follower.sheet is not None
    text = pgn(follower.sheet)
    assert f'[Event "{escaped(name)}"]' in text
    headers = chess.pgn.read_headers(io.StringIO(text))
    assert headers is not None
    assert unescaped(headers["Event"]) == name
