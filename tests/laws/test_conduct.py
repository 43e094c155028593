"""What an arbiter reports and no sensor sees: its clause, its price, his words and who saw it (Articles 11 and 12)."""

import pytest
from at_the_board import ALL, Table, by_edition

from controller import contract as c
from controller.laws.editions import EDITIONS
from controller.laws.reports import of_conduct

#: kind, what is proposed, and the clause in each edition
CONDUCT = """
lateness        discretion  6.7    6.6a   6.7a   6.7.1   6.7.1
needless-pause  discretion  6.13d  6.12d  6.12d  6.11.4  6.11.4
disturbance     discretion  12.6   12.6   11.5   11.5    11.5
notes           discretion  12.2a  12.3a  11.3a  11.3.1  11.3.1
phone           loss        12.2b  12.3b  11.3b  11.3.2  11.3.2
conduct         discretion  12.1   12.1   11.1   11.1    11.1
refusal         loss        12.8   12.8   11.7   11.7    11.7
other           discretion  13.4   13.4   12.9   12.9    12.9
"""
ROWS = [row.split() for row in CONDUCT.strip().splitlines()]
KINDS = [kind for kind, *_ in ROWS]
POWERS = by_edition("13.4", "13.4", "12.9", "12.9", "12.9")


@pytest.mark.parametrize("laws", ALL)
def test_each_kind_of_misconduct_has_its_row_here(laws: c.Edition) -> None:
    assert sorted(of_conduct(EDITIONS[laws].standard.clause)) == sorted(KINDS)


@pytest.mark.parametrize(
    ("kind", "price", "laws", "clause"),
    [(kind, price, *each) for kind, price, *clauses in ROWS for each in by_edition(*clauses).items()],
)
def test_misconduct_is_reported_by_its_clause_and_priced_as_the_laws_say(
    kind: str, price: str, laws: c.Edition, clause: str
) -> None:
    table = Table(laws).play("e2e4")
    table.rule("report", side="black", kind=kind, text="in the second hour", witnesses=("Eva",))
    (told,) = table.all(c.Violation)
    assert (told.side, told.kind, told.article, told.basis) == ("black", kind, clause, "reported")
    assert (told.text, told.witnesses) == ("in the second hour", ["Eva"])
    assert table.penalties() == [("black", price, None)]
    assert table.all(c.Penalty)[0].article == (clause if price == "loss" else POWERS[laws])
    table.rule("uphold")
    assert table.result == (("1-0", "arbiter") if price == "loss" else None)
    assert table.penalties("applied") == [("black", price, None)]


@pytest.mark.parametrize("laws", ALL)
def test_a_report_dismissed_costs_nothing(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4").rule("report", side="black", kind="phone").rule("dismiss").play("e7e5")
    assert (table.result, table.penalties("applied"), table.all(c.Completed)[-1].uci) == (None, [], "e7e5")


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_that_looks_legal_costs_what_others_do_and_is_put_right(laws: c.Edition) -> None:
    """The board sees no kinds: what went from d1 to h5 was the queen, but a bishop had been set up there."""
    table = Table(laws, clock="5400").play("e2e4", "e7e5", "d1h5")
    table.rule("report", side="white", kind="illegal-move", text="a bishop goes no such way")
    (told,) = table.all(c.Illegal)
    assert (told.kind, told.completed, told.count, told.basis) == ("illegal-move", True, 1, "reported")
    assert (told.uci, told.text) == ("d1h5", "a bishop goes no such way")
    assert table.penalties() == [("white", "time", 120_000)]
    table.rule("uphold")
    assert (table.fen.split()[1], table.all(c.Retract)[-1].uci) == ("w", "d1h5")
    assert table.all(c.Obligation)[-1].must == "move"


@pytest.mark.parametrize("laws", ALL)
def test_reported_before_the_press_it_counts_from_the_press_on_or_not_at_all(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4", "e7e5").make("d1h5").rule("report", side="white", kind="illegal-move")
    assert not table.all(c.Illegal)
    table.give(c.Press, side="white")
    assert [each.count for each in table.all(c.Illegal)] == [1]
    other = Table(laws).play("e2e4", "e7e5").make("d1h5").rule("report", side="white", kind="illegal-move")
    other.rule("dismiss").give(c.Press, side="white")
    assert (other.all(c.Illegal), other.all(c.Completed)[-1].uci) == ([], "d1h5")


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_reported_by_mistake_is_dismissed_and_stands(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4", "e7e5", "d1h5").rule("report", side="white", kind="illegal-move").rule("dismiss")
    assert table.play("b8c6").all(c.Completed)[-1].uci == "b8c6"
    assert table.game.state.counts["white"] == 0


def test_a_ruling_is_told_in_the_arbiters_words_with_who_saw_it_and_so_is_the_result_that_it_brings() -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="black", kind="phone")
    table.rule("uphold", text="it rang twice", witnesses=("Eva", "Udo"))
    assert [(each.status, each.text) for each in table.all(c.Penalty)] == [
        ("proposed", ""),
        ("applied", "it rang twice"),
    ]
    assert (table.all(c.Result)[-1].text, table.all(c.Result)[-1].witnesses) == ("it rang twice", ["Eva", "Udo"])
    assert table.game.state.result is table.all(c.Result)[-1]


@pytest.mark.parametrize("kind", ["touch-move", "illegal-move", "released-move", "castling-order"])
def test_a_report_that_fits_nothing_is_refused_and_not_to_be_taken_back(kind: str) -> None:
    """Black has made no move yet. After the game nothing is reported at all."""
    table = Table("fide-2023").play("e2e4")
    report = c.Arbiter(ms=table.ms, do="report", kind=kind, side="black")
    assert "fits nothing that was played" in str(table.game.refusal(report))
    table.play("e7e5")
    assert table.game.refusal(report) is None
    table.give(c.Resign, side="black")
    assert "or the game is over" in str(table.game.refusal(report))
