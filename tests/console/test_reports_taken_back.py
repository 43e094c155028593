"""What an arbiter reports changes what it is about, and nothing besides; and nothing of it is left once it is taken
back."""

import pytest
from arbiter_kit import Bench

from controller import contract as c


@pytest.mark.parametrize("named", [True, False], ids=["by the page", "by a command that does not name it"])
@pytest.mark.parametrize(("kind", "side"), [("phone", "white"), ("turned-board", "white"), ("wrong-array", "white")])
def test_its_case_is_closed_with_it_and_says_so(kind: str, side: c.Side, named: bool) -> None:
    bench = Bench(clock="5400+30").play("e2e4", "e7e5").rule("report", kind=kind, side=side)
    (case,) = bench.cases
    assert case.state in ("open", "told")
    bench.rule("undo", of=bench.ms if named else None)
    assert (case.state, case.outcome, case.by) == ("closed", "undone", "Ana")
    assert bench.shown.attention == 0


def test_a_move_that_is_taken_back_takes_no_report_with_it() -> None:
    bench = Bench(clock="5400+30").play("e2e4").rule("report", kind="turned-board", side="white").play("e7e5")
    bench.rule("undo")
    assert bench.cases[0].state == "told"


def test_that_the_board_stands_turned_is_seen_and_done_with() -> None:
    bench = Bench(clock="5400+30").play("e2e4", "e7e5").rule("report", kind="turned-board", side="white")
    (case,) = bench.cases
    bench.shown.cases.seen(case.seq)
    assert (case.state, bench.shown.attention) == ("closed", 0)


@pytest.mark.parametrize("kind", ["wrong-array", "turned-board", "colours-reversed"])
def test_how_the_game_began_says_nothing_of_how_the_pieces_stand(kind: str) -> None:
    bench = Bench(clock="5400+30").play("e2e4", "e7e5").give(c.Lift, square="h7").give(c.Place, square="h4").wait(3000)
    astray = bench.shown.board("en")["displaced"]
    assert "h4" in astray
    bench.rule("report", kind=kind, side="white")
    assert bench.shown.board("en")["displaced"] == astray


def test_nor_does_it_tell_of_an_illegal_move_that_awaits_its_ruling() -> None:
    bench = Bench(clock="5400+30").play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a8c5")
    before = bench.shown.board("en")
    bench.rule("report", kind="colours-reversed", side="white")
    after = bench.shown.board("en")
    assert [after[what] for what in ("fen", "turn", "last")] == [before[what] for what in ("fen", "turn", "last")]


def test_a_result_stays_proposed_while_it_awaits_its_ruling() -> None:
    """A move is taken back meanwhile, on which it does not rest."""
    bench = Bench(clock="5400+30").play("e2e4").rule("absent", side="black").play("e7e5").make("g1f3")
    assert bench.shown.board("en")["result"]
    bench.rule("undo")
    assert bench.shown.board("en")["result"]
    bench.rule("dismiss")
    assert not bench.shown.board("en")["result"]
