"""Each ruling can be taken back: the game stands as it did before it, and what was settled is open again."""

from typing import Any

import pytest
from at_the_board import ALL, Table, record
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import contract as c
from controller.laws.editions import MINUTE

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry
MATE = "7k/5ppp/8/8/8/8/8/KR2R3 w - - 0 1"


def standing(table: Table) -> dict[str, Any]:
    """All of the game that a ruling may change, the running of the clocks aside."""
    s = table.game.state
    assert s.clock is not None
    return {
        "fen": table.fen,
        "made": [(m.move.uci(), m.illegal, m.reported, m.completed) for m in s.made],
        "counts": (dict(s.counts), dict(s.fined)),
        "open": [(n.what, n.side, n.at, n.prices, n.result and n.result.result) for n in s.notices],
        "moves": [s.clock.moves(side) for side in ("white", "black")],
        "result": s.result,
        "owed": s.owed and s.owed.moves,
    }


def irregular(laws: c.Edition) -> Table:
    """An illegal move, pressed, and the reply to it; the clocks stand."""
    return Table(laws, CHECK).play("c3b5", "e8d8").rule("pause")


def breach(laws: c.Edition) -> Table:
    return Table(laws).touch("g1").play("e2e4").rule("pause")


def fallen(laws: c.Edition) -> Table:
    return Table(laws, clock="20").wait(21_000).rule("pause")


@pytest.mark.parametrize("ruling", ["uphold", "dismiss"])
@pytest.mark.parametrize("setting", [irregular, breach, fallen])
@pytest.mark.parametrize("laws", ALL)
def test_a_ruling_taken_back_leaves_no_trace_in_the_game(laws: c.Edition, setting: Any, ruling: str) -> None:
    table: Table = setting(laws)
    before, moves = standing(table), record(table)
    left = table.left("white"), table.left("black")
    table.rule(ruling)
    assert standing(table) != before
    table.rule("undo")
    assert (standing(table), record(table)) == (before, moves)
    assert (table.left("white"), table.left("black")) == left


@pytest.mark.parametrize("ruling", ["warn", "dismiss"])
@pytest.mark.parametrize("kind", ["clock-misuse", "disturbance", "illegal-move"])
def test_what_was_reported_since_is_taken_back_first(ruling: str, kind: str) -> None:
    """The report is of the other player, and of something else: only then the ruling before it is."""
    table = Table("fide-2023").play("e2e4")
    table.rule("report", side="black", kind="phone")
    phone = table.all(c.Violation)[-1].id
    table.rule(ruling, answers=phone, side="black" if ruling == "warn" else None)
    before = standing(table)
    table.rule("report", side="white", kind=kind).rule("undo")
    assert standing(table) == before
    table.rule("undo")
    assert [(notice.what, notice.side) for notice in table.game.state.notices] == [("discretion", "black")]


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("kind", ["two-hands", "phone", "lateness", "touch-move", "illegal-move", "clock-misuse"])
def test_a_report_made_by_mistake_is_taken_back_and_not_the_move(laws: c.Edition, kind: str) -> None:
    """Before the press: the clocks go on, and what was played stands."""
    table = Table(laws, clock="900").make("e2e4")
    before, running = standing(table), table.game.state.clock
    table.rule("report", side="white", kind=kind).rule("undo")
    assert standing(table) == before
    assert running is not None and table.game.state.clock is not None
    assert table.game.state.clock.running == running.running == "white"
    table.give(c.Press, side="white")
    assert [(each.uci, each.ms > 0) for each in table.all(c.Completed)] == [("e2e4", True)]
    assert table.all(c.Retract) == [] and [each.kind for each in table.all(c.Illegal) if each.basis != "reported"] == []


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("kind", ["two-hands", "phone", "lateness", "illegal-move", "clock-misuse"])
def test_so_it_is_after_the_press_and_the_opponent_s_clock_runs_on(laws: c.Edition, kind: str) -> None:
    table = Table(laws, clock="900").make("e2e4").give(c.Press, side="white")
    before = standing(table)
    table.rule("report", side="white", kind=kind).wait(1000).rule("undo")
    assert standing(table) == before
    assert table.game.state.clock is not None
    assert table.game.state.clock.running == "black"
    assert not table.game.awaiting


@pytest.mark.parametrize("laws", ["fide-2018", "fide-2023"])
def test_a_game_lost_by_a_ruling_that_is_taken_back_is_told_to_be_open(laws: c.Edition) -> None:
    """A phone rings (11.3): who follows the game has heard that it was over."""
    table = Table(laws).play("e2e4").rule("report", side="white", kind="phone").rule("uphold")
    assert table.all(c.Result)[-1].status == "final"
    table.rule("undo")
    (*_, open_again) = table.all(c.Result)
    assert (open_again.result, open_again.status, table.game.state.result) == ("0-1", "proposed", None)
    dismissed = table.rule("dismiss", answers=open_again.id)
    assert not dismissed.game.state.notices, "it names the penalty, too"
    assert table.rule("resume").play("e7e5").all(c.Completed)[-1].uci == "e7e5"


@pytest.mark.parametrize("ruling", ["uphold", "dismiss"])
def test_it_can_be_given_again_the_other_way(ruling: str) -> None:
    once = irregular("fide-2018").rule(ruling)
    again = irregular("fide-2018").rule("dismiss" if ruling == "uphold" else "uphold", "undo", ruling)
    assert standing(again) == standing(once)


def test_a_penalty_taken_back_is_proposed_again_and_its_minutes_returned() -> None:
    table = irregular("fide-2018")
    left = table.left("black")
    table.rule("uphold")
    assert table.left("black") == left + 2 * MINUTE
    table.rule("undo", reason="the knight was on d5")
    assert table.left("black") == left
    assert table.penalties("proposed") == [("white", "time", 2 * MINUTE)] * 2
    assert table.all(c.Clock)[-1].reason == "the knight was on d5"


@pytest.mark.parametrize("laws", ALL)
def test_a_result_declared_by_mistake_is_open_again_and_play_resumes(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4").rule("result", result="1-0")
    assert table.result == ("1-0", "arbiter")
    table.rule("undo")
    assert table.game.state.result is None
    assert table.proposed == [("1-0", "arbiter")]
    table.rule("dismiss", "resume").play("e7e5")
    assert record(table) == ["e2e4", "e7e5"]
    assert table.game.state.clock.running == "white"  # type: ignore[union-attr]


def test_a_mate_that_counted_by_a_dismissal_counts_no_more() -> None:
    table = Table("fide-2014", MATE).touch("b1").play("e1e8").rule("dismiss")
    assert table.result == ("1-0", "checkmate")
    table.rule("undo")
    assert table.game.state.result is None
    assert table.rule("uphold").fen == MATE


def test_what_ended_by_itself_or_by_a_player_is_not_taken_back() -> None:
    mated = Table("fide-2023", MATE).play("e1e8").rule("undo")
    resigned = breach("fide-2023").rule("dismiss").give(c.Resign, side="black").rule("undo")
    assert mated.game.state.result is not None
    assert resigned.game.state.result is not None


@pytest.mark.parametrize("laws", ALL)
def test_a_result_told_by_mistake_is_put_right_by_the_arbiter_and_comes_back_when_he_takes_that_back(
    laws: c.Edition,
) -> None:
    table = Table(laws).play("e2e4").give(c.Resign, side="black")
    table.rule("result", result="1/2-1/2", insist=True, text="he pressed the wrong button", witnesses=("Eva",))
    drawn = table.all(c.Result)[-1]
    assert (drawn.result, drawn.reason, drawn.status, drawn.witnesses) == ("1/2-1/2", "arbiter", "final", ["Eva"])
    assert table.game.state.result is drawn
    table.rule("undo")
    assert [(r.result, r.reason, r.status) for r in table.all(c.Result)] == [
        ("1-0", "resignation", "final"),
        ("1/2-1/2", "arbiter", "final"),
        ("1-0", "resignation", "final"),
    ]


def test_each_result_given_in_place_of_another_is_taken_back_by_itself() -> None:
    table = Table("fide-2023").play("e2e4").rule("result", result="1-0").rule("result", result="0-1", insist=True)
    table.rule("undo")
    assert table.game.state.result is not None
    assert table.game.state.result.result == "1-0"
    assert table.rule("undo").game.state.result is None


def test_a_result_that_crosses_the_end_of_the_game_takes_no_other_s_place() -> None:
    """Nor does one that an earlier version has passed over: in its journals nobody insists."""
    table = Table("fide-2023").play("e2e4").give(c.Resign, side="black").rule("result", result="1/2-1/2")
    assert table.result == ("1-0", "resignation")
    refusal = table.game.refusal(c.Arbiter(ms=table.ms, do="result", result="1/2-1/2"))
    assert '"result": "1/2-1/2", "insist": true' in str(refusal)


def test_with_a_result_given_instead_nothing_else_changes_so_that_it_can_be_taken_back() -> None:
    """Black has made his move, and his flag falls before he presses: it is not completed (6.9)."""
    table = Table("fide-2023", clock="20").play("e2e4").make("e7e5").wait(30_000)
    table.give(c.Claim, side="white", of="flag")
    assert table.result == ("1-0", "time")
    before = table.game.state.made
    table.rule("result", result="1/2-1/2", insist=True).rule("undo")
    assert (table.game.state.made, table.all(c.Result)[-1].reason) == (before, "time")


def test_the_time_that_an_arbiter_gave_since_stays_when_a_ruling_is_taken_back() -> None:
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3b5").rule("uphold")
    table.rule("set-clock", white_add_ms=10 * MINUTE).rule("undo", "uphold")
    assert table.all(c.Displaced)[-1].white_ms == 5_426_000 + 10 * MINUTE


def test_the_result_that_the_game_has_is_not_given_again() -> None:
    table = Table("fide-2023").play("e2e4").give(c.Resign, side="black").rule("result", result="1-0", insist=True)
    assert len(table.all(c.Result)) == 1
    refusal = table.game.refusal(c.Arbiter(ms=table.ms, do="result", result="1-0"))
    assert str(refusal).startswith("the game is over, 1-0")


def test_a_move_made_since_is_the_later_and_taken_back_first() -> None:
    table = breach("fide-2023").rule("dismiss", "resume").play("e7e5")
    table.rule("undo")
    assert record(table) == ["e2e4"]
    assert table.game.state.notices == ()
    table.rule("undo")
    assert [n.what for n in table.game.state.notices] == ["violation"]
    table.rule("undo")
    assert record(table) == []


def test_rulings_are_taken_back_one_by_one() -> None:
    table = Table("fide-2018", CHECK).play("c3b5", "e4e2", "e1d1").rule("pause")
    table.claim("black", "threefold")
    first = standing(table)
    second = standing(table.rule("uphold"))
    table.rule("dismiss")
    assert standing(table.rule("undo")) == second
    assert standing(table.rule("undo")) == first


def test_moves_and_rulings_are_taken_back_in_the_order_of_play() -> None:
    table = breach("fide-2023").rule("uphold").make("e4e2").rule("resume").make("g1f3")
    assert record(table) == ["g1f3"]
    assert [record(table.rule("undo")) for _ in range(3)] == [[], ["e2e4"], []]


PLAYED = st.sampled_from(
    ["c3b5", "c3e2", "e4e2", "e1d1", "e1f1", "e8e7", "e8d8", "b5c3", "press", "threefold", "report"]
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ALL), st.sampled_from(["standard", "rapid", "blitz"]), st.booleans(), st.lists(PLAYED, max_size=12)
)
def test_whatever_was_played_a_ruling_taken_back_leaves_the_game_as_it_was(
    laws: c.Edition, play: c.Play, supervised: bool, played: list[str]
) -> None:
    for ruling in ("uphold", "dismiss"):
        table = Table(laws, CHECK, clock="300+2", play=play, supervised=supervised)
        for what in played:
            side = table.game.state.turn.side
            if what == "press":
                table.give(c.Press, side=side)
            elif what == "threefold":
                table.claim(side, what)
            elif what == "report":
                table.rule("report", side=side, kind="touch-move")
            else:
                table.make(what)
        table.rule("pause").game.settle()  # a ruling settles what is in doubt until then, and does not undo that
        before, left = standing(table), (table.left("white"), table.left("black"))
        if table.game.state.notices and table.game.state.result is None:
            table.rule(ruling, "undo")
            assert standing(table) == before
            assert (table.left("white"), table.left("black")) == left


@pytest.mark.parametrize("laws", ALL)
def test_a_result_taken_back_awaits_nobody_once_the_game_goes_on(laws: c.Edition) -> None:
    """Else the next uphold, meant for something else, would end the game."""
    table = Table(laws, clock="5400").rule("result", result="1/2-1/2").rule("undo")
    assert table.all(c.Result)[-1].status == "proposed"
    table.rule("resume").play("g1g3").rule("uphold")
    assert table.game.state.result is None
    assert table.penalties("applied") != []


def test_until_then_it_may_be_upheld() -> None:
    table = Table("fide-2023", clock="5400").rule("result", result="1/2-1/2").rule("undo", "uphold")
    assert table.result == ("1/2-1/2", "arbiter")


def test_a_ruling_taken_back_and_given_again_where_the_pieces_are_back_proposes_times_again() -> None:
    table = Table("fide-2018", clock="5400+30").play("e2e5").make("e5e2").rule("uphold", "undo", "uphold")
    first, again = [each for each in table.all(c.Restored) if each.white_ms is not None]
    assert (first.white_ms, first.black_ms) == (again.white_ms, again.black_ms)


def test_what_was_owed_is_told_again_where_an_illegal_move_awaits_its_ruling_again() -> None:
    """As the move stood by the ruling, Black owed nothing more."""
    table = Table("fide-2023").play("e2e4", "b8h3")
    owed = table.all(c.Obligation)[-1]
    table.rule("dismiss", "undo")
    again = table.all(c.Obligation)[-1]
    assert (again.side, again.must, again.moves) == (owed.side, owed.must, owed.moves) == ("black", "move", owed.moves)
    assert again.ms > owed.ms
