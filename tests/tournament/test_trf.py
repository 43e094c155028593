"""TRF16 as pairing programs write it: read, filled in without losing anything, and made where there was none."""

import re

import event_kit
import pytest
from event_kit import Cells, line, people, swiss, team_event, trf
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract import POINTS, Score
from controller.errors import ConfigError
from controller.tournament.lists import pairs_of
from controller.tournament.reading import read_round
from controller.tournament.results import Given, settled
from controller.tournament.trf import Trf, made
from controller.tournament.values import Bye, Pairing, Player, Round, check, points

FILE = trf(swiss())


def read(text: str, number: int = 4) -> Round:
    return read_round(text, "open.trf", number)


def filled(text: str, round_: Round) -> str:
    """The file with the results of the round, which has nobody whom the file has not."""
    after, missing = Trf(text, "open.trf").filled(round_)
    assert not missing
    return after.text


def test_the_next_round_has_its_pairings_and_its_byes() -> None:
    found = read(FILE)
    cells = {number: all_[3] for number, all_ in swiss().items()}
    assert {(int(game.white.number), int(game.black.number)) for game in found.games if game.black} == {
        (number, opponent) for number, (opponent, colour, _) in cells.items() if colour == "w"
    }
    assert {(int(bye.white.number), bye.bye) for bye in found.pairings if bye.black is None} == {
        (number, letter) for number, (opponent, _, letter) in cells.items() if not opponent
    }
    assert all(game.result is None for game in found.games)
    assert (found.event, found.site, found.date) == ("Open de Lyon", "Lyon", "2026.03.04")
    check(found, None, "open.trf")


def test_all_that_the_organiser_knows_of_a_player_is_kept() -> None:
    found = {player.number: player for player in read(trf(team_event(), teams=True), 3).players}
    for number, person in enumerate(people(), 1):
        team = next(name for at, name in enumerate(event_kit.TEAMS) if number in event_kit.members(at))
        person["name"] = person["name"][:33].strip()  # so many letters has the file
        assert found[str(number)] == Player(number=str(number), team=team, **person)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_results_of_a_round_that_was_played_are_there(number: int) -> None:
    for game in read(FILE, number).pairings:
        scored = points(game)
        for side, player in game.players.items():
            assert scored[side] == event_kit.points([swiss()[int(player.number)][number - 1]])


def test_a_forfeit_is_told_from_a_game() -> None:
    results = [game.result for number in (1, 2, 3) for game in read(FILE, number).games]
    assert {"+-", "-+", "1-0", "0-1", "1/2-1/2"} == set(results)


def test_tables_follow_the_points_before_the_round_then_the_start_numbers() -> None:
    before = {number: event_kit.points(cells[:3]) for number, cells in swiss().items()}

    def rank(game: Pairing) -> tuple[float, float, int]:
        pair = [int(player.number) for player in game.players.values()]
        best = min(pair, key=lambda number: (-before[number], number))
        return -before[best], -sum(before[number] for number in pair), best

    games = read(FILE).games
    assert [game.table for game in games] == [str(table) for table in range(1, 12)]
    assert games == sorted(games, key=rank)


def test_a_team_match_stands_together_in_the_order_of_its_boards() -> None:
    games = read(trf(team_event(), teams=True), 3).games
    for first in range(0, 12, 4):
        match = games[first : first + 4]
        assert len({frozenset(player.team for player in game.players.values()) for game in match}) == 1
        assert [(int(game.white.number) - 1) // 6 for game in match] == [0, 1, 2, 3]


def test_pairs_of_a_pairing_engine_give_the_tables() -> None:
    games = [(int(game.white.number), int(game.black.number)) for game in read(FILE).games if game.black]
    text = f"{len(games)}\r\n" + "".join(f"{white} {black}\r\n" for white, black in reversed(games))
    found = read_round(FILE, "open.trf", 4, pairs_of(text, "pairs.man"))
    assert [game.white.number for game in found.games] == [str(white) for white, _ in reversed(games)]
    assert len(found.players) == 24, "the byes are still those of the file"


def test_pairs_of_a_pairing_engine_give_a_round_that_the_file_has_not_yet() -> None:
    found = read_round(trf(swiss(3, event_kit.LETTERS)), "open.trf", 4, pairs_of("2\n5 2\n0 7\n", "pairs.man"))
    assert [(game.white.number, game.table) for game in found.games] == [("5", "1")]
    assert [(bye.white.number, bye.bye) for bye in found.pairings[1:]] == [("7", "U")]


def test_who_said_before_the_pairing_that_he_would_not_come_is_absent() -> None:
    """As Vega saves it before a round: the absent have a cell for it already."""
    cells = swiss(3, event_kit.LETTERS)
    for number in range(1, 25):
        cells[number] += [(0, "-", "H" if number == 9 else "Z")] if number > 4 else []
    found = read_round(trf(cells), "open.trf", 4, pairs_of("3\n5 2\n3 1\n4 0\n", "pairs.man"))
    assert [(game.white.number, game.table) for game in found.games] == [("5", "1"), ("3", "2")]
    byes = {bye.white.number: bye.bye for bye in found.pairings[2:]}
    assert (byes["4"], byes["9"], byes["24"], len(byes)) == ("U", "H", "Z", 20)


@pytest.mark.parametrize("cell", ["0000 - U", "   0 - U", "       U", "0000   u", "0000 - 1", "0000 - +"])
def test_a_bye_as_each_program_writes_it(cell: str) -> None:
    pair = [line(at, people()[at], "", "", [(3 - at, "-wb"[at], " ")]) for at in (1, 2)]
    text = "\n".join([*pair, f"{line(3, people()[2], '', '', [])}  {cell}"])
    found = read(text, 1)
    assert [(bye.white.number, bye.bye) for bye in found.pairings[1:]] == [("3", "U")]
    assert filled(text, found) == text


@pytest.mark.parametrize("colours", ["w-", "-b", "--", "wb"])
def test_a_forfeit_may_say_one_colour_or_none(colours: str) -> None:
    lines = [line(at, people()[at], "", "", [(3 - at, colours[at - 1], "+-"[at - 1])]) for at in (1, 2)]
    for text in ("\n".join(lines), "\n".join(reversed(lines))):
        (found,) = read(text, 1).games
        assert (found.white.number, found.result) == ("1", "+-")
        assert filled(text, read(text, 1)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no pairs"),
        ("3\n1 2\n", "no pairs"),
        ("1\n1 b\n", "no pairs"),
        ("1\n0 0\n", "no pairs"),
        ("11\n" + "1 2\n" * 11, "not those of the file"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_round(FILE, "open.trf", 4, pairs_of(text, "pairs.man"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_of_a_program_that_counts_bytes_is_the_same(end: str) -> None:
    by_letters = trf(swiss(), end=end)
    by_bytes = end.join(_bytewise(row) for row in by_letters.split(end))
    assert by_bytes != by_letters
    assert read(by_bytes) == read(by_letters)
    assert filled(by_bytes, read(by_letters)) == by_bytes


def _bytewise(row: str) -> str:
    """The line where the name has 33 bytes, not letters."""
    if not row.startswith("001"):
        return row
    extra = len(row[14:47].encode()) - 33
    return row[: 47 - extra] + row[47:]


# -- what is wrong with a file -----------------------------------------------------------------------------------------


def broken(old: str, new: str) -> str:
    assert FILE.count(old) == 1, old
    return FILE.replace(old, new)


ONE = line(1, people()[0], "", "", swiss()[1])


@pytest.mark.parametrize(
    ("text", "number", "said"),
    [
        (FILE, 5, "round 5 is not paired.*1, 2, 3, 4"),
        (trf(swiss(3, event_kit.LETTERS)), 4, "round 4 is not paired"),
        (broken("Polgár, Judit   ", "Polgár, Judit"), 4, "line 14: column 48"),
        (broken("001   22 ", "001    1 "), 4, "second player 1"),
        ("001 ", 1, "no start number or no name"),
        (re.sub(r"  +\d+ b  \r\n", "    99 b  \r\n", FILE, count=1), 4, "round 4: player"),
        (re.sub(r" w  \r\n", " w 1\r\n", FILE, count=1), 4, "has '1', and \\d+ has ' '"),
        (re.sub(r" w  \r\n", " w ?\r\n", FILE, count=1), 4, "is no round 4"),
        (re.sub(r" w  \r\n", " b  \r\n", FILE, count=1), 4, "round 4: player"),
    ],
)
def test_a_file_that_makes_no_sense_says_where(text: str, number: int, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        read(text, number)
    assert refused.value.cause
    assert refused.value.next_step


def test_a_player_without_a_team_or_a_fide_id_and_one_without_points_are_read() -> None:
    text = ONE.replace("1990/00/00", " " * 10)[:91] + "0000 - U"
    (found,) = read(
        f"012 X\n{text}\n{line(2, people()[21], '', '', [(3, 'w', ' ')])}\n"
        f"{line(3, people()[22], '', '', [(2, 'b', ' ')])}\n",
        1,
    ).games
    assert (found.white.elo, found.white.fide_id, found.white.federation) == ("", "", "")


# -- writing -----------------------------------------------------------------------------------------------------------


@st.composite
def events(draw: st.DrawFn) -> tuple[Cells, int]:
    rounds = draw(st.integers(1, 6))
    last = draw(st.text("10=+-WLD ", min_size=24, max_size=24))
    return draw(st.sampled_from([swiss, team_event]))(rounds, last), rounds


@settings(deadline=None, max_examples=30)
@given(events(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_what_is_read_and_filled_in_again_is_the_file_as_it_was(
    event: tuple[Cells, int], end: str, teams: bool
) -> None:
    cells, rounds = event
    text = trf(cells, teams, end)
    for number in range(1, rounds + 1):
        assert filled(text, read(text, number)) == text


def test_an_opponents_number_stays_as_it_is_written() -> None:
    cell = re.compile(r"  ( {0,3}\d+) ([wb]) ")
    padded = cell.sub(lambda found: f"  {int(found[1]):04} {found[2]} ", FILE)
    assert padded != FILE
    assert filled(padded, read(padded)) == padded


RESULTS: tuple[Score, ...] = tuple(POINTS)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(RESULTS), min_size=11, max_size=11))
def test_results_filled_in_are_read_again_and_change_nothing_else(results: list[Score]) -> None:
    before = read(FILE)
    given_ = [
        Given(round=4, table=game.table, white=game.white.name, black="", result=result, at="2026")
        for game, result in zip(before.games, results, strict=True)
    ]
    after = settled(before, given_)
    text = filled(FILE, after)
    assert read(text) == after
    lines = list(zip(FILE.split("\r\n"), text.split("\r\n"), strict=True))
    for old, new in lines:
        assert (old[:80], old[84:121]) == (new[:80], new[84:121])
    total = {number: event_kit.points(cells) for number, cells in swiss().items()}
    for game in after.games:
        for side, player in game.players.items():
            total[int(player.number)] += points(game)[side]
    assert {int(new[4:8]): float(new[80:84]) for _, new in lines if new.startswith("001")} == total


def test_a_pairing_that_the_arbiter_changed_is_written_for_all_four() -> None:
    before = read(FILE)
    one, other = before.games[:2]
    games = (
        Pairing(white=one.white, black=other.white, table="1", result="1-0"),
        Pairing(white=other.black or one.white, table="", bye="H"),
        *before.pairings[2:],
    )
    after = Round(number=4, pairings=games)
    text = filled(FILE, after)
    found = read(text)
    assert {frozenset(player.number for player in each.players.values()) for each in found.pairings} == {
        *(frozenset(player.number for player in each.players.values()) for each in games),
        frozenset([one.black.number if one.black else ""]),
    }
    byes: dict[str, Bye | None] = {each.white.number: each.bye for each in found.pairings if each.black is None}
    assert one.black is not None
    assert byes[one.black.number] == "Z", "who is paired with nobody was absent"


def test_a_player_whom_the_file_has_not_is_named() -> None:
    before = read(FILE)
    guest = Player(name="Guest, Gus")
    games = (Pairing(white=guest, black=before.games[0].black, table="1", result="1-0"), *before.pairings[1:])
    after, missing = Trf(FILE, "a").filled(Round(number=4, pairings=games))
    assert missing == [guest]
    assert "Guest" not in after.text


@settings(deadline=None, max_examples=20)
@given(events(), st.booleans())
def test_a_file_that_is_made_says_what_the_rounds_say(event: tuple[Cells, int], teams: bool) -> None:
    cells, count = event
    text = trf(cells, teams)
    rounds = [read(text, number) for number in range(1, count + 1)]
    ours = made("Open de Lyon", "Lyon", rounds)
    for before in rounds:
        after = read(ours, before.number)
        assert {_bare(each) for each in after.pairings} == {_bare(each) for each in before.pairings}


def _bare(pairing: Pairing) -> tuple[object, ...]:
    return (*pairing.players.values(), pairing.result, pairing.bye)


@settings(deadline=None, max_examples=100)
@given(st.one_of(st.text(), st.text("001 0123456789wb-=+\n\t;,[]\"'éBo.Result", max_size=400)), st.integers(1, 3))
def test_any_text_is_a_round_or_an_error_that_says_so(text: str, number: int) -> None:
    try:
        read_round(text, "any", number)
    except ConfigError:
        return


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_a_file_with_anything_changed_is_a_round_or_an_error_that_says_so(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(FILE)))
    text = FILE[:at] + data.draw(st.text(max_size=6)) + FILE[at + data.draw(st.integers(0, 30)) :]
    try:
        found = read_round(text, "any", 4)
        Trf(text, "any").filled(found)
    except ConfigError:
        return
