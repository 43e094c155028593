"""A round as a value: to our CSV and back, what it changes, what results say, whatever the values are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract import POINTS, Score
from controller.errors import ConfigError
from controller.pairing import NOT_KNOWN, rows_of
from controller.tournament.changes import changes
from controller.tournament.lists import pairs_of
from controller.tournament.reading import as_csv, read_round, rounds_in
from controller.tournament.results import Given, crosstable, outcomes, read_given, settled, spelled, teams, write_given
from controller.tournament.scores import NOBODY, bye, score
from controller.tournament.values import (
    BYE_POINTS,
    BYES,
    Pairing,
    Player,
    Round,
    check,
    completed,
    folded,
    in_order,
    points,
)

# -- rounds of any kind ------------------------------------------------------------------------------------------------

WORDS = st.text("Aàé Łß,;\"'|\t[]&<木-", min_size=1, max_size=12)
VALUES = WORDS.map(str.strip).filter(lambda text: text.isprintable() and text not in NOT_KNOWN)
NAMES = VALUES.filter(lambda name: folded(name) not in ("", *NOBODY))
MAYBE = st.one_of(st.just(""), VALUES)
NUMBERS = st.one_of(st.just(""), st.integers(1, 10**6).map(str))
SCORES: tuple[Score, ...] = tuple(POINTS)


@st.composite
def rounds(draw: st.DrawFn, number: int = 3, of: list[Player] | None = None) -> Round:
    """A round that :func:`check` accepts."""
    players = draw(
        st.lists(
            st.builds(
                Player,
                name=NAMES,
                number=NUMBERS,
                title=st.sampled_from(["", "GM", "WFM"]),
                elo=NUMBERS,
                federation=MAYBE,
                fide_id=NUMBERS,
                team=st.sampled_from(["", "Lyon", "Köln", "Łódź"]),
            ),
            min_size=1,
            max_size=12,
            unique_by=lambda player: player.key,
        )
        if of is None
        else st.permutations(of)
    )
    games = draw(st.integers(0, len(players) // 2))
    tables = draw(st.permutations(range(1, 13)))
    pairings = [
        Pairing(white=white, black=black, table=str(table), result=draw(st.one_of(st.none(), st.sampled_from(SCORES))))
        for white, black, table in zip(players[:games], players[games : 2 * games], tables, strict=False)
    ]
    byes = [Pairing(white=player, bye=draw(st.sampled_from(BYES))) for player in players[2 * games :]]
    return Round(number=number, pairings=in_order([*pairings, *byes]), event=draw(MAYBE), site=draw(MAYBE))


@settings(deadline=None)
@given(rounds())
def test_our_csv_keeps_all_of_a_round(before: Round) -> None:
    text = as_csv(before)
    assert rounds_in(text, "3.csv") == [3]
    assert read_round(text, "3.csv", 3) == before
    check(before, [str(table) for table in range(1, 13)], "3.csv")


@settings(deadline=None)
@given(rounds())
def test_a_round_changes_nothing_against_itself_and_all_against_none(now: Round) -> None:
    assert changes(now, now) == []
    assert [change.now for change in changes(None, now)] == list(now.pairings)
    assert completed(now, now.players) == now


@settings(deadline=None)
@given(st.data())
def test_changes_name_each_pairing_that_differs_and_each_player_who_came_or_went(data: st.DataObject) -> None:
    before = data.draw(rounds())
    stay = [player for player in before.players if data.draw(st.booleans())]
    now = data.draw(rounds(of=[*stay, Player(name="Late, Lea")]))
    found = changes(before, now)
    assert [change.now for change in found if change.now] == [
        pairing for pairing in now.pairings if pairing not in before.pairings
    ]
    gone = {player.key for player in before.players} - {player.key for player in now.players}
    assert {change.player.key for change in found if change.kind == "withdrawn" and change.player} == gone
    kept = {pairing.keys for pairing in now.pairings}
    for change in found:
        if change.kind in ("gone", "replaced"):
            assert change.before is not None
            assert change.before.keys not in kept
    without = {pairing.keys for pairing in before.games} - kept
    assert {change.before.keys for change in found if change.before} >= without


@settings(deadline=None)
@given(rounds(), st.data())
def test_a_player_or_a_table_twice_is_refused(now: Round, data: st.DataObject) -> None:
    twice = data.draw(st.sampled_from(now.pairings))
    again = Pairing(white=data.draw(st.sampled_from(list(twice.players.values()))), bye="U")
    with pytest.raises(ConfigError, match="plays twice"):
        check(Round(number=3, pairings=(*now.pairings, again)), None, "3.csv")
    if twice.black is not None:
        other = Pairing(white=Player(name="Late, Lea"), black=Player(name="Last, Lou"), table=twice.table)
        with pytest.raises(ConfigError, match="2 games on table"):
            check(Round(number=3, pairings=(*now.pairings, other)), None, "3.csv")


def test_namesakes_are_told_apart_by_number_or_id_alone() -> None:
    one, other = (Player(name="Müller, Thomas", fide_id=fide_id) for fide_id in ("1600001", "4600001"))
    guest = Player(name="Guest, Gus")
    first = Pairing(white=one, black=guest, table="1")
    check(Round(number=1, pairings=(first, Pairing(white=other, bye="U"))), ["1"], "a")
    typed = Round(number=1, pairings=(Pairing(white=Player(name="muller thomas"), bye="U"),))
    assert completed(typed, [one, other]) == typed, "nobody guesses"
    assert completed(typed, [one, guest]).pairings[0].white == one
    numbered = Round(number=1, pairings=(Pairing(white=Player(name="Müller, Thomas", fide_id="4600001"), bye="U"),))
    assert completed(numbered, [one]) == numbered, "another id is another player"


@pytest.mark.parametrize("said", [{"number": "5"}, {"fide_id": "2000005"}])
def test_what_is_known_of_a_namesake_is_kept_where_his_number_or_id_is_given(said: dict[str, str]) -> None:
    one = Player(name="Smith, John", number="4", fide_id="400004", elo="2300", federation="ENG")
    other = Player(name="Smith, John", number="5", fide_id="2000005", elo="2290", federation="USA", title="FM")
    typed = Round(number=1, pairings=(Pairing(white=Player(name="Smith, John", **said), bye="U"),))
    assert completed(typed, [one, other]).pairings[0].white == other


# -- results -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *((each, each) for each in SCORES),
        ("1 - 0", "1-0"),
        ("0:1", "0-1"),
        ("½ - ½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("0,5 - 0,5", "1/2-1/2"),
        ("1.0-0.0", "1-0"),
        ("½ : 0", "1/2-0"),
        ("+ - -", "+-"),
        ("- - +", "-+"),
        ("+:-", "+-"),
        ("- - -", "--"),
        ("", None),
        ("*", None),
        ("-", None),
        (" : ", None),
    ],
)
def test_results_are_read_as_people_write_them(text: str, result: Score | None) -> None:
    assert score(text, "a") == result


@pytest.mark.parametrize(
    ("text", "letter"), [*((each, each) for each in BYES), ("1", "U"), ("+", "U"), ("½", "H"), ("0", "Z"), ("", "U")]
)
def test_byes_are_read_as_people_write_them(text: str, letter: str) -> None:
    assert bye(text, "a") == letter


@settings(deadline=None)
@given(st.text("10½/-+:=.,* FUHZ5", max_size=8))
def test_any_result_is_one_or_an_error(text: str) -> None:
    for read in (score, bye):
        try:
            read(text, "a")
        except ConfigError as error:
            assert error.next_step


def given_(table: str, result: Score | None, at: str, source: str, white: str = "") -> Given:
    return Given(round=3, table=table, white=white, black="", result=result, at=at, source=source)  # type: ignore[arg-type]


ANN, BO = Player(name="Ann"), Player(name="Bo")


@pytest.mark.parametrize(
    ("results", "holds"),
    [
        ([], ("1-0", "program")),
        ([given_("7", "0-1", "2026-03-04T10", "board")], ("0-1", "board")),
        (
            [given_("7", "0-1", "2026-03-04T10", "board"), given_("7", None, "2026-03-04T11", "board")],
            ("1-0", "program"),
        ),
        ([given_("7", "0-0", "2026-03-04T10", "hand"), given_("7", "0-1", "2026-03-04T11", "board")], ("0-0", "hand")),
        ([given_("7", "0-0", "2026-03-04T10", "hand"), given_("7", None, "2026-03-04T11", "hand")], ("1-0", "program")),
        ([given_("7", "0-1", "2026-03-04T10", "board", "ANN ")], ("0-1", "board")),
        ([given_("7", "0-1", "2026-03-04T10", "board", "Cid")], ("1-0", "program")),
        ([given_("8", "0-1", "2026-03-04T10", "board")], ("1-0", "program")),
    ],
)
def test_the_arbiter_knows_best_then_the_board_then_the_pairing_program(
    results: list[Given], holds: tuple[str, str]
) -> None:
    now = Round(number=3, pairings=(Pairing(white=ANN, black=BO, table="7", result="1-0"),))
    (found,) = outcomes(now, results)
    assert (found.pairing.result, found.source) == holds
    assert settled(now, results).pairings == (found.pairing,)


@settings(deadline=None)
@given(
    st.lists(st.builds(given_, VALUES, st.sampled_from([None, *SCORES]), VALUES, st.just("hand"), VALUES), max_size=5)
)
def test_the_record_of_results_is_read_as_it_was_written(results: list[Given]) -> None:
    assert read_given("".join(map(write_given, results)), "results.jsonl") == results


@settings(deadline=None)
@given(st.lists(rounds(), max_size=3))
def test_the_tables_count_each_point_once(played: list[Round]) -> None:
    numbered = [Round(number=number, pairings=each.pairings) for number, each in enumerate(played, 1)]
    total = sum(sum(points(pairing).values()) for each in numbered for pairing in each.pairings)
    table = crosstable(numbered)
    assert sum(row.points for row in table.rows) == total
    assert all(len(row.cells) == len(numbered) for row in table.rows)
    of_teams = sum(
        points(pairing).get(side, 0.0)
        for each in numbered
        for pairing in each.pairings
        for side, player in pairing.players.items()
        if player.team
    )
    assert sum(team.points for team in teams(numbered)) == of_teams


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (2.5, "2½"), (10, "10")])
def test_points_are_spelled_as_people_do(number: float, text: str) -> None:
    assert spelled(number) == text


def test_a_bye_scores_what_its_letter_says() -> None:
    assert {letter: points(Pairing(white=ANN, bye=letter))["white"] for letter in BYES} == BYE_POINTS


def test_a_file_of_another_kind_says_what_is_wanted_and_nothing_of_python() -> None:
    with pytest.raises(ConfigError, match="ls: this is no CSV, and no PGN") as refused:
        rows_of("\x7fELF;a\rb;c\n", "ls")
    assert refused.value.next_step == "export the pairings of the round as CSV or PGN"


# -- whatever a file says ----------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.text('Bo.;Noame Whitlackrsu\t,1234567890½-\n"', max_size=300))
def test_a_list_of_anything_is_a_round_or_an_error(text: str) -> None:
    try:
        read_round(f"Bo.;White;Result;Black\n{text}", "list", 1)
    except ConfigError:
        return


@settings(deadline=None)
@given(st.text("0123456789 \nx", max_size=60))
def test_pairs_of_anything_are_pairs_or_an_error(text: str) -> None:
    try:
        pairs = pairs_of(text, "pairs")
    except ConfigError:
        return
    assert len(pairs) == int(text.split()[0])


@settings(deadline=None)
@given(st.text(max_size=200))
def test_a_record_of_anything_is_one_or_an_error(text: str) -> None:
    try:
        read_given(text, "results.jsonl")
    except ConfigError:
        return
