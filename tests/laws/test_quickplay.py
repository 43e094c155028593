"""The quickplay finish: a draw claimed with little time left, put off, or five seconds a move asked for instead (10.2,
Appendix G, Guidelines III)."""

import pytest
from at_the_board import ALL, BEFORE_2014, FROM_2014, Table, by_edition

from controller import contract as c
from controller.laws.editions import MINUTE

TWO_ROOKS = "7k/6pp/8/8/8/8/6PP/R2R3K w - - 0 40"


def short_of_time(laws: c.Edition, left: int = 100_000, **session: object) -> Table:
    fields = {"clock": "7200", **session}
    return Table(laws, TWO_ROOKS, **fields).rule("set-clock", white_ms=left, black_ms=left)  # type: ignore[arg-type]


@pytest.mark.parametrize("laws", ALL)
def test_quickplay_is_referred_where_it_exists(laws: c.Edition) -> None:
    announced = {"announced": ("quickplay",)} if laws in FROM_2014 else {}
    assert short_of_time(laws, **announced).claim("white", "quickplay") == "referred"
    assert short_of_time(laws, 130_000, **announced).claim("white", "quickplay") == "inadmissible"
    assert short_of_time(laws, 500, **announced).wait(0).claim("white", "quickplay") == "lapsed"
    assert short_of_time(laws, clock="5400+30", **announced).claim("white", "quickplay") == "inadmissible"
    assert short_of_time(laws, clock="300", play="blitz", **announced).claim("white", "quickplay") == "inadmissible"


@pytest.mark.parametrize("laws", ALL)
def test_there_is_no_quickplay_finish_before_the_last_period(laws: c.Edition) -> None:
    """The phase in which all the remaining moves must be made in the time left (10.1, G.1, III.1)."""
    announced = {"announced": ("quickplay",)} if laws in FROM_2014 else {}
    table = short_of_time(laws, 100_000, clock="1/5400:1800", **announced)
    assert table.claim("white", "quickplay") == "inadmissible"
    table.play("a1b1", "h8g8").rule("set-clock", white_ms=100_000)
    assert table.claim("white", "quickplay") == "referred"


@pytest.mark.parametrize("laws", FROM_2014)
def test_from_2014_quickplay_must_be_announced(laws: c.Edition) -> None:
    assert short_of_time(laws).claim("white", "quickplay") == "inadmissible"


@pytest.mark.parametrize("laws", BEFORE_2014)
def test_only_where_no_arbiter_is_present_may_the_other_player_claim_it(laws: c.Edition) -> None:
    assert short_of_time(laws).claim("black", "quickplay") == "inadmissible"
    alone = short_of_time(laws, supervised=False)
    assert (alone.claim("black", "quickplay"), alone.all(c.Claimed)[-1].article) == ("referred", "D.1")


def test_quickplay_upheld_is_a_draw_and_rejected_costs_two_minutes() -> None:
    table = short_of_time("fide-2009")
    table.claim("white", "quickplay")
    assert table.rule("uphold").result == ("1/2-1/2", "arbiter")
    table = short_of_time("fide-2009")
    table.claim("white", "quickplay")
    before = table.left("black")
    assert table.rule("dismiss").left("black") == before + 2 * MINUTE
    assert (table.all(c.Claimed)[-1].verdict, table.result) == ("rejected", None)


@pytest.mark.parametrize(("laws", "clause"), by_edition("10.2b", "10.2b", "G.5b", "III.5.2", "III.5.2").items())
@pytest.mark.parametrize("extra", [True, False])
def test_quickplay_postponed_the_game_goes_on_with_two_minutes_more_or_without(
    laws: c.Edition, clause: str, extra: bool
) -> None:
    table = short_of_time(laws, announced=("quickplay",)).give(c.Pause, side="white")
    table.claim("white", "quickplay")
    before = table.left("black")
    table.rule("postpone", extra=extra)
    assert (table.all(c.Claimed)[-1].verdict, table.all(c.Claimed)[-1].article) == ("postponed", clause)
    assert (table.left("black"), table.penalties("applied")) == (before + 2 * MINUTE * extra, []), "nobody is at fault"
    assert table.rule("resume").play("d1d2").all(c.Completed)[-1].uci == "d1d2"
    assert table.rule("result", result="1/2-1/2").result == ("1/2-1/2", "arbiter")
    assert table.all(c.Result)[-1].article == clause, "the decision that was put off"


def test_without_an_arbiter_nothing_is_postponed() -> None:
    table = short_of_time("fide-2009", supervised=False)
    table.claim("white", "quickplay")
    assert table.rule("postpone").all(c.Claimed)[-1].verdict == "referred"
    assert len(table.game.state.notices) == 1


def test_a_postponement_taken_back_leaves_the_claim_open() -> None:
    table = short_of_time("fide-2009")
    table.claim("white", "quickplay")
    left = table.left("black")
    table.rule("postpone", extra=True).rule("undo")
    assert (table.left("black"), len(table.game.state.notices)) == (left, 1)
    assert table.rule("uphold").result == ("1/2-1/2", "arbiter")


def asking(laws: c.Edition, **session: object) -> Table:
    """White, short of time, asks for five seconds a move."""
    table = short_of_time(laws, announced=("quickplay",), **session)
    return table.give(c.Claim, side="white", of="quickplay", increment=True)


@pytest.mark.parametrize(("laws", "clause"), by_edition("G.4", "III.4", "III.4", of=FROM_2014).items())
def test_from_2014_five_seconds_a_move_may_be_asked_for(laws: c.Edition, clause: str) -> None:
    table = asking(laws)
    assert [(said.verdict, said.article) for said in table.all(c.Claimed)] == [("referred", clause)]
    left = table.left("white"), table.left("black")
    table.rule("uphold")
    assert (table.left("white"), table.left("black")) == (left[0] - 1000, left[1] + 2 * MINUTE)
    assert (table.all(c.Claimed)[-1].verdict, table.penalties("applied")) == ("upheld", [("white", "time", 2 * MINUTE)])
    before = table.rule("resume").left("white"), table.left("black")
    table.play("d1d2", "h8g8")
    assert table.left("white") == before[0] - 4000 + 5000
    assert table.left("black") == before[1] - 4000 + 5000
    assert table.claim("white", "quickplay") == "inadmissible", "now there is an increment"


def test_refused_the_clocks_stay_as_they_are_and_the_request_was_an_offer_of_a_draw() -> None:
    table = asking("fide-2018")
    left = table.left("black")
    assert (table.rule("dismiss").left("black"), table.all(c.Claimed)[-1].verdict) == (left, "rejected")
    assert asking("fide-2018").play("d1d2").give(c.Draw, side="black", act="accept").result is not None
    before = table.left("white")
    assert table.play("d1d2").left("white") == before - 4000


def test_an_increment_granted_by_mistake_is_taken_back() -> None:
    table = asking("fide-2014").rule("pause")
    left = table.left("white"), table.left("black")
    table.rule("uphold", "undo")
    assert (table.left("white"), table.left("black")) == left
    before = table.rule("resume").left("white")
    assert table.play("d1d2").left("white") == before - 4000
    assert table.rule("uphold").all(c.Claimed)[-1].verdict == "upheld"


def test_nobody_asks_for_it_before_2014_in_blitz_without_an_arbiter_or_with_an_increment() -> None:
    refused = [asking("fide-2009"), asking("fide-2018", play="blitz", clock="300"), asking("fide-2018", clock="300+2")]
    refused.append(asking("fide-2023", supervised=False))
    assert [table.all(c.Claimed)[-1].verdict for table in refused] == ["inadmissible"] * 4
