"""An edition in words: every rule and every value of every profile has its row, with the clause of the edition."""

from itertools import product
from typing import get_args

import pytest

from controller.contract import Edition, Play
from controller.laws.clauses import Clauses
from controller.laws.editions import Profile, a_quatre
from controller.words.language import Language, language
from controller.words.laws import differences, profile_of, rules, values

PROFILES = list(product(get_args(Edition), get_args(Play), (True, False)))


def test_every_rule_and_value_of_every_profile_is_said(to: Language) -> None:
    said = set()
    for laws, play, supervised in PROFILES:
        profile = profile_of(laws, play, supervised=supervised)
        for row in (*rules(profile, to), *values(profile, to)):
            assert row.topic
            assert "{" not in row.topic + row.says
            said.add(row.name)
    assert said == {*Clauses.__struct_fields__, *Profile.__struct_fields__} - {"clause", "fourfold"}


def test_rules_have_the_clauses_of_the_edition_and_stand_only_where_it_has_them() -> None:
    for laws, play, supervised in PROFILES:
        profile = profile_of(laws, play, supervised=supervised)
        said = {row.name: row.clause for row in rules(profile, language("en"))}
        assert said == {name: number for name in Clauses.__struct_fields__ if (number := getattr(profile.clause, name))}


@pytest.mark.parametrize(
    ("laws", "play", "prices"),
    [
        ("fide-2005", "standard", "first: 2 min more for the opponent, second: 2 min more for the opponent, "
                                  "third and later: loss of the game"),
        ("fide-2014", "rapid", "already the first: loss of the game"),
        ("fide-2023", "blitz", "first: 1 min more for the opponent, second and later: loss of the game"),
    ],
)  # fmt: skip
def test_the_prices_of_illegal_moves_in_words(laws: Edition, play: Play, prices: str) -> None:
    rows = {row.name: row.says for row in values(profile_of(laws, play, supervised=False), language("en"))}
    assert rows["illegal_prices"] == prices


def test_an_edition_differs_in_nothing_from_itself(to: Language) -> None:
    for laws, play, supervised in PROFILES:
        profile = profile_of(laws, play, supervised=supervised)
        assert not list(differences(profile, profile, to))


def test_what_2023_changed_in_standard_play_is_that_resigning_may_draw() -> None:
    before, after = (profile_of(laws, "standard", supervised=True) for laws in ("fide-2018", "fide-2023"))
    changed = {d.before.name: (d.before.says, d.after.says) for d in differences(before, after, language("en"))}
    assert changed.pop("resignation_may_draw") == (
        "the game is always lost",
        "the game is lost, or drawn if the opponent cannot mate",
    )
    assert set(changed) == {"position_found", "threefold", "threefold_intended"}  # renumbered


def test_a_rule_that_one_edition_lacks_is_a_difference() -> None:
    before, after = (profile_of(laws, "standard", supervised=True) for laws in ("fide-2009", "fide-2014"))
    fivefold = next(d for d in differences(before, after, language("en")) if d.after.name == "fivefold")
    assert (fivefold.before.clause, fivefold.after.clause) == ("", "9.6a")


def test_what_never_comes_to_bear_is_no_row() -> None:
    """In blitz no draw can be claimed for a quickplay finish, so nothing is said of its minutes."""
    names = {row.name for row in values(profile_of("fide-2018", "blitz", supervised=True), language("en"))}
    assert "quickplay" in names
    assert not names & {"quickplay_ms", "quickplay_rejected_ms", "quickplay_granted_ms", "illegal_seen"}
    assert "quickplay_granted_ms" not in {
        row.name for row in values(profile_of("fide-2009", "standard", supervised=True), language("en"))
    }


def test_a_match_has_no_rule_that_its_own_articles_put_out_of_force(to: Language) -> None:
    """Nothing is said to hold in one list, and not to in the other."""
    for laws, supervised in product(get_args(Edition), (True, False)):
        profile = a_quatre(profile_of(laws, "blitz", supervised=supervised))
        said = [*rules(profile, to), *values(profile, to)]
        names = {row.name for row in said}
        assert not names & {"fivefold", "threefold", "threefold_intended", "dead_position", "quickplay"}
        assert {"flag", "checkmate", "illegal_penalty", "fifty_moves"} <= names
        assert "mate" not in next(row.topic for row in said if row.name == "flag"), "everybody can mate (8)"
