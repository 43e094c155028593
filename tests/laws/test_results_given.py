"""Results that an arbiter gives: also those that nobody reaches by play, each with its reason (12.9, from 2014 on)."""

from typing import get_args

import pytest
from at_the_board import ALL, Table

from controller import contract as c
from controller.match import MatchAQuatre
from controller.outlets.pgn import ended, is_live

TEAMS = {"1-0": "team-1", "+-": "team-1", "1/2-0": "team-1", "0-1": "team-2", "-+": "team-2", "0-1/2": "team-2"}


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("score", get_args(c.Score))
def test_each_ends_the_game_with_what_the_arbiter_said_to_it(laws: c.Edition, score: c.Score) -> None:
    table = Table(laws).play("e2e4").rule("result", result=score, text="they agreed on it", witnesses=("Eva", "Udo"))
    (given,) = table.all(c.Result)
    assert (given.result, given.status, given.article) == (score, "final", table.game.state.laws.clause.arbiter)
    assert given.reason == ("forfeit" if {"+", "-"} & {score[0]} else "arbiter")
    assert (given.text, given.witnesses) == ("they agreed on it", ["Eva", "Udo"])
    assert table.rule("undo").result == (score, given.reason)
    assert table.all(c.Result)[-1].status == "proposed"


@pytest.mark.parametrize("score", get_args(c.Score))
def test_pgn_has_one_of_its_own_results_and_the_points_where_these_say_too_little(score: c.Score) -> None:
    tags = ended(c.Result(ms=0, result=score, reason="arbiter", article="12.9", status="final"))
    assert tags["Result"] in ("1-0", "0-1", "1/2-1/2", "*")
    assert tags.get("Points", tags["Result"]) == score
    assert is_live({"Result": "*"})
    assert not is_live(tags)


@pytest.mark.parametrize("score", get_args(c.Score))
def test_in_a_match_who_scores_more_wins_for_his_team(score: c.Score) -> None:
    match = MatchAQuatre(c.Session(version=1, match="bughouse", clock="180"))
    match.handle(c.Arbiter(ms=1000, board="A", do="result", result=score))
    said = match.handle(c.Arbiter(ms=2000, board="B", do="neutralise"))
    assert [each.result for each in said if isinstance(each, c.Match)] == [TEAMS.get(score, "draw")]
