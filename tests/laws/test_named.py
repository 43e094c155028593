"""Every notice has a name: a ruling that names one answers that and no other, however often and late it comes."""

from typing import Any

import pytest
from at_the_board import ALL, FROM_2014, OLD, Table
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import contract as c
from controller.laws.notices import is_open
from controller.match import MatchAQuatre

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry


def ids(table: Table, kind: type[c.Notable]) -> list[str]:
    return [event.id for event in table.all(kind)]


def twice() -> Table:
    """Each player has moved another piece than he touched."""
    return Table("fide-2023").touch("g1").play("e2e4").touch("g8").play("e7e5")


def open_ids(table: Table) -> list[tuple[str, ...]]:
    return [notice.ids for notice in table.game.state.notices if is_open(table.game.state, notice)]


def test_names_are_short_and_count_up() -> None:
    assert ids(twice(), c.Violation) == ["1", "2"]


def test_the_ruling_answers_the_notice_that_it_names_and_not_the_oldest() -> None:
    table = twice().rule("dismiss", answers="2")
    assert open_ids(table) == [("1",)]
    table.rule("uphold", answers="1")
    assert open_ids(table) == []
    assert [r.uci for r in table.all(c.Retract)] == ["e7e5", "e2e4"]


def test_upheld_the_younger_is_put_right_and_the_older_still_awaits_a_ruling() -> None:
    table = twice().rule("uphold", answers="2")
    assert [r.uci for r in table.all(c.Retract)] == ["e7e5"]
    assert open_ids(table) == [("1",)]


def test_without_a_name_it_answers_the_oldest() -> None:
    assert open_ids(twice().rule("dismiss")) == [("2",)]


@pytest.mark.parametrize("do", ["uphold", "dismiss"])
@pytest.mark.parametrize("name", ["1", "3", "A2", "", "-1", "2 "], ids=repr)
def test_of_a_name_that_is_not_open_nothing_changes(do: str, name: str) -> None:
    """The first was ruled on already; the others never were."""
    table = twice().rule("dismiss", answers="1")
    before, said = table.game.state, len(table.events)
    table.rule(do, answers=name)
    assert open_ids(table) == [("2",)]
    assert table.events[said:] == []
    assert table.game.state == replace(before, now=table.ms)


def test_what_was_said_out_of_turn_awaits_no_ruling() -> None:
    table = twice().give(c.Lift, square="a7", side="black").give(c.Time)
    (_, _, out_of_turn) = ids(table, c.Violation)
    table.rule("dismiss", answers=out_of_turn)
    assert open_ids(table) == [("1",), ("2",)]


@pytest.mark.parametrize("kind", [c.Illegal, c.Penalty])
@pytest.mark.parametrize("laws", FROM_2014)
def test_an_illegal_move_and_its_price_are_one_notice(laws: c.Edition, kind: type[c.Notable]) -> None:
    for name in ids(Table(laws, CHECK).play("c3b5"), kind):
        table = Table(laws, CHECK).play("c3b5").rule("uphold", answers=name)
        assert table.penalties("applied") == [("white", "time", 120_000)]
        assert table.fen == CHECK
        for answered in (*ids(table, c.Illegal), *ids(table, c.Penalty)):
            assert table.rule("uphold", answers=answered).penalties("applied") == [("white", "time", 120_000)]


def test_before_the_press_an_illegal_move_awaits_no_ruling_and_one_put_right_never_does() -> None:
    table = Table("fide-2023", CHECK).make("c3b5")
    (released,) = ids(table, c.Illegal)
    assert open_ids(table.rule("uphold", answers=released)) == []
    table.give(c.Lift, square="b5").give(c.Place, square="d1").give(c.Time).give(c.Press, side="white")
    assert open_ids(table) == [tuple(ids(table, c.Illegal)[1:] + ids(table, c.Penalty))]


@pytest.mark.parametrize("kind", [c.Claimed, c.Penalty])
@pytest.mark.parametrize("laws", ALL)
def test_a_false_claim_and_its_price_are_one_notice(laws: c.Edition, kind: type[c.Notable]) -> None:
    table = Table(laws).play("e2e4").give(c.Claim, side="black", of="threefold", move="e7e5")
    name = ids(table, kind)[0]
    assert table.rule("uphold", answers=name).penalties("applied")
    assert open_ids(table) == []


@pytest.mark.parametrize("kind", [c.Violation, c.Penalty])
@pytest.mark.parametrize("laws", OLD[:2])
def test_misuse_of_the_clock_and_its_price_are_one_notice(laws: c.Edition, kind: type[c.Notable]) -> None:
    table = Table(laws).give(c.Press, side="white")
    (name,) = ids(table, kind)
    assert open_ids(table.rule("dismiss", answers=name)) == []


def test_a_result_that_is_proposed_has_a_name_and_a_final_one_has_none() -> None:
    table = Table("fide-2023", clock="3").play("e2e4").wait(5000)
    (proposed,) = table.all(c.Result)
    assert proposed.id
    table.rule("uphold", answers=proposed.id)
    assert table.result == ("0-1", "time")
    assert table.all(c.Result)[-1].id == ""


@pytest.mark.parametrize("kind", [c.Violation, c.Claimed])
def test_what_was_held_for_a_claim_is_one_notice_with_it(kind: type[c.Notable]) -> None:
    table = Table("fide-2009", play="blitz", supervised=False).touch("g1").make("e2e4").give(c.Press, side="white")
    (held,) = ids(table, c.Violation)
    assert open_ids(table.rule("uphold", answers=held)) == [], "nobody has claimed"
    assert table.claim("black", "touch-move") == "upheld"
    (name,) = ids(table, kind)
    table.rule("uphold", answers=name)
    assert [r.uci for r in table.all(c.Retract)] == ["e2e4"]


@pytest.mark.parametrize("kind", [c.Illegal, c.Claimed, c.Penalty])
def test_an_illegal_move_that_is_claimed_is_one_notice_with_the_claim_and_its_price(kind: type[c.Notable]) -> None:
    def claimed() -> Table:
        table = Table("fide-2009", CHECK, play="blitz", supervised=False).play("c3b5")
        assert table.claim("black", "illegal-move") == "upheld"
        return table

    for name in ids(claimed(), kind):
        table = claimed().rule("dismiss", answers=name)
        assert open_ids(table) == []
        assert [m.uci for m in table.all(c.Completed)] == ["c3b5"]


def test_a_claim_of_what_awaits_a_ruling_already_is_about_that() -> None:
    table = Table("fide-2023", CHECK).play("c3b5")
    assert table.claim("black", "illegal-move") == "upheld"
    (claimed,) = ids(table, c.Claimed)
    assert open_ids(table) == [(*ids(table, c.Illegal), *ids(table, c.Penalty), claimed)]
    assert open_ids(table.rule("uphold", answers=claimed)) == []


def test_pieces_exchanged_at_the_beginning_have_a_name() -> None:
    table = Table("fide-2023", clock=None).play("e2e4").rule("report", kind="wrong-array", side="white")
    name = ids(table, c.Displaced)[0]
    assert open_ids(table.rule("dismiss", answers=name)) == []


def test_a_ruling_taken_back_is_open_under_the_old_names_and_what_is_said_once_more_has_one_of_its_own() -> None:
    table = Table("fide-2023", CHECK).play("c3b5").rule("uphold", "undo")
    proposed = [p.id for p in table.all(c.Penalty) if p.status == "proposed"]
    assert len({*proposed}) == 2
    assert open_ids(table) == [(*ids(table, c.Illegal), *proposed)]


def test_what_was_said_of_another_since_a_ruling_still_names_that_once_it_is_taken_back() -> None:
    table = twice().rule("dismiss", answers="1")
    assert table.claim("white", "touch-move") == "upheld"
    (claimed,) = ids(table, c.Claimed)
    assert open_ids(table.rule("undo")) == [("1",), ("2", claimed)]


def test_what_the_arbiter_declared_and_took_back_has_a_name() -> None:
    table = Table("fide-2023").play("e2e4").rule("result", result="1-0").rule("undo")
    assert open_ids(table) == [(table.all(c.Result)[-1].id,)]


def test_a_report_of_two_hands_that_has_no_name_yet_is_dismissed_only_without_one() -> None:
    def seen() -> Table:
        return Table("fide-2023").make("e2e4").rule("report", side="white", kind="two-hands")

    assert not seen().rule("dismiss").give(c.Press, side="white").all(c.Illegal)
    assert seen().rule("dismiss", answers="1").give(c.Press, side="white").all(c.Illegal)


def test_in_a_match_names_tell_the_board_and_are_unique_over_both() -> None:
    match, ms = MatchAQuatre(c.Session(version=1, match="bughouse", clock="180")), 0
    said: list[c.AnyEvent] = []

    def give(kind: type[c.Input], **fields: Any) -> None:
        nonlocal ms
        ms += 1000
        said.extend(match.handle(kind(ms=ms, **fields)))  # type: ignore[arg-type]

    for board in ("A", "B"):
        give(c.Press, board=board, side="white")
    for board in ("B", "A"):
        give(c.Claim, board=board, side="black", of="illegal-move")
    names = [event.id for event in said if isinstance(event, c.Notable)]
    assert len(names) == len({*names}) >= 4
    assert all(event.id[0] == event.board for event in said if isinstance(event, c.Notable))
    open_on = {name: [notice.ids for notice in game.state.notices] for name, game in match.games.items()}
    give(c.Arbiter, board="B", do="dismiss", answers=open_on["A"][0][0])
    assert {name: [n.ids for n in game.state.notices] for name, game in match.games.items()} == open_on
    give(c.Arbiter, board="B", do="dismiss", answers=open_on["B"][0][0])
    assert [n.ids for n in match.games["B"].state.notices] == open_on["B"][1:]


moves = st.sampled_from(["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "e2e5", "d1h5", "a7a5", "b1c3", "d7d6"])
acts = st.one_of(
    st.tuples(st.just("play"), moves),
    st.tuples(st.just("make"), moves),
    st.tuples(st.just("touch"), st.sampled_from(["g1", "b1", "e2", "g8", "e7", "d1", "d8"])),
    st.tuples(st.just("rule"), st.sampled_from(["undo", "resume", "uphold"])),
    st.tuples(st.just("claim"), st.sampled_from(["illegal-move", "touch-move", "threefold"])),
    st.tuples(st.sampled_from(["uphold", "dismiss"]), st.integers(1, 12).map(str)),
)


CLAIMED_BESIDE = [
    *[("make", "f1c4"), ("make", "b8c6"), ("play", "e2e4"), ("play", "e7e5"), ("rule", "undo"), ("make", "b8c6")],
    *[("play", "e2e4"), ("claim", "illegal-move"), ("play", "e7e5")],
]
CLAIMED_TWICE = [
    *[("play", "f1c4"), ("play", "e2e4"), ("make", "g1f3"), ("play", "b8c6"), ("play", "e7e5"), ("rule", "undo")],
    *[("make", "b8c6"), ("play", "e2e4"), ("claim", "illegal-move"), ("play", "e2e4")],
]


@given(st.lists(acts, max_size=20), st.sampled_from(ALL), st.booleans())
@example([("play", "f1c4"), ("play", "e2e5"), ("uphold", "1")], "fide-2018", False)  # open in an unlikely world alone
@example([("play", move) for move in ("b1c3", "e2e5", "e7e5", "e2e4")], "fide-2014", False)  # one told, one waiting
@example(CLAIMED_BESIDE, "fide-2009", True)  # one story has a notice more than the other
@example(CLAIMED_TWICE, "fide-2009", True)  # a story is followed, then another, and then that one again
@settings(max_examples=150, deadline=None)
def test_whatever_is_played_names_are_unique_and_a_ruling_answers_what_it_names_or_nothing(
    log: list[tuple[Any, str]], laws: c.Edition, supervised: bool
) -> None:
    table = Table(laws, clock="900", play="rapid", supervised=supervised).give(c.Time)
    for act, what in log:
        if act in ("uphold", "dismiss"):
            before, was = table.give(c.Time).game.state, open_ids(table)
            came = table.game.handle(c.Arbiter(ms=table.ms, do=act, answers=what))
            table.events += came
            if any(what in names for names in was):
                assert not any(what in names for names in open_ids(table))
            else:
                assert (came, table.game.state) == ([], before)
        elif act == "claim":
            table.claim("white" if table.game.state.turn.side == "black" else "black", what)
        else:
            getattr(table, act)(what)
        names = [name for each in open_ids(table) for name in each]
        assert len(names) == len({*names}), "no two notices have a name in common"
        assert all(open_ids(table)), "each has one"
    told = [event for event in table.events if isinstance(event, c.Notable)]
    numbers = [int(e.id) for e in told if e.id]
    assert len(numbers) == len({*numbers}), "each is new"
    assert all(e.id or (isinstance(e, c.Result) and e.status == "final") for e in told)
