"""Warnings: the mildest penalty, counted, by itself or as the answer to a notice (13.4, from 2014 12.9)."""

import pytest
from at_the_board import ALL, Table, by_edition

from controller import contract as c
from controller.contract import Arbiter
from controller.errors import LogError

CLAUSES = by_edition("13.4a", "13.4a", "12.9a", "12.9.1", "12.9.1")


def warnings(table: Table) -> list[tuple[str, int, bool]]:
    return [(each.side, each.count, each.withdrawn) for each in table.all(c.Warned)]


@pytest.mark.parametrize("laws", ALL)
def test_a_warning_is_recorded_with_its_clause_and_counted(laws: c.Edition) -> None:
    table = Table(laws).rule("warn", side="black", text="touched out of turn", witnesses=("Eva",))
    table.rule("warn", side="white").rule("warn", side="black")
    assert warnings(table) == [("black", 1, False), ("white", 1, False), ("black", 2, False)]
    told = table.all(c.Warned)[0]
    assert (told.article, told.text, told.witnesses) == (CLAUSES[laws], "touched out of turn", ["Eva"])


@pytest.mark.parametrize("kind", ["conduct", "phone", "touch-move"])
def test_it_settles_a_notice_and_what_was_played_stands(kind: str) -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind=kind)
    notice = table.all(c.Violation)[-1].id
    table.rule("warn", answers=notice).rule("uphold").play("e7e5")
    assert (warnings(table), table.result) == ([("white", 1, False)], None)
    assert [each.uci for each in table.all(c.Completed)] == ["e2e4", "e7e5"]


def test_what_has_its_price_is_not_settled_so() -> None:
    table = Table("fide-2023").play("e2e5")
    notice = table.all(c.Illegal)[-1].id
    refused = table.game.refusal(Arbiter(ms=table.ms, do="warn", answers=notice))
    assert isinstance(refused, LogError)
    assert (warnings(table.rule("warn", answers=notice)), len(table.game.state.notices)) == ([], 1)


def test_by_itself_it_answers_nothing() -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind="conduct").rule("warn", side="white")
    assert (len(table.game.state.notices), warnings(table)) == (1, [("white", 1, False)])


@pytest.mark.parametrize("answered", [True, False])
def test_undo_takes_it_back_before_any_move(answered: bool) -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind="conduct")
    table.rule("warn", **({"answers": table.all(c.Violation)[-1].id} if answered else {"side": "white"}))
    table.rule("undo")
    assert warnings(table)[-1] == ("white", 0, True)
    assert (len(table.game.state.notices), len(table.game.state.made)) == (1, 1)
    assert table.rule("warn", side="white").all(c.Warned)[-1].count == 1
