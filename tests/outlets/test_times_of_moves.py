"""The times of moves go with the moves, whatever an arbiter does to the record, and come back with them."""

from at_the_board import Table

from controller import contract as c
from controller.journal import Opening
from controller.outlets.scoresheet import Scoresheet

Times = list[tuple[str, int | None, int | None]]
OPENED = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")


def times(table: Table) -> Times:
    """Of each move what is left on the clock, and what it took, in ms."""
    sheet = Scoresheet(Opening(game="g", venue="v", board="1", started="", session=table.game.session))
    for event in table.events:
        sheet.apply(event)
    return [(entry.move.uci, entry.left_ms, entry.spent_ms) for entry in sheet.entries]


def played(*moves: str) -> Table:
    """Each takes a second more than the one before."""
    table = Table("fide-2023", clock="5400+30")
    for number, move in enumerate(moves, 1):
        table.wait(1000 * number).play(move)
    return table


def test_moves_that_are_put_in_have_no_times_and_those_after_them_keep_theirs() -> None:
    table = played(*OPENED)
    before = times(table)
    table.rule("correct", ply=2, moves=["d7d6", "b1c3"], replaces=0)
    assert times(table) == [before[0], ("d7d6", None, None), ("b1c3", None, None), *before[1:]]
    table.rule("undo")
    assert times(table) == before


def test_moves_that_are_struck_out_take_their_times_with_them() -> None:
    table = played(*OPENED)
    before = times(table)
    table.rule("correct", ply=2, moves=["b8c6"], replaces=3)
    after = {move: (left, took) for move, left, took in times(table)}
    assert after["e2e4"] == before[0][1:] and after["f1b5"] == before[4][1:]


def test_a_ruling_that_is_taken_back_gives_the_moves_their_times_again() -> None:
    table = played("e2e4", "e7e5").touch("g1")
    for number, move in enumerate(("d2d4", "e5d4", "d1d4"), 1):
        table.wait(4000 * number).play(move)
    table.wait(5000)
    before = times(table)
    table.rule("uphold").wait(7000).rule("undo")
    assert times(table) == before
    table.rule("resume").wait(2000).play("b8c6")
    *_, (_, left, took) = times(table)
    assert left is not None and took is not None and before[3][1] is not None
    assert left == before[3][1] + 30_000 - took, "what he had thought before the ruling counts, and nothing besides"


def test_a_move_that_is_made_again_after_a_ruling_has_times_of_its_own() -> None:
    table = played("e2e4", "e7e5").touch("g1").play("d2d4")
    table.rule("uphold").give(c.Lift, square="d4").give(c.Place, square="d2").rule("dismiss")
    table.rule("resume").wait(9000).play("g1f3").wait(3000).play("b8c6")
    assert [move for move, *_ in times(table)] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert all(took is not None and took >= 3000 for _, _, took in times(table)[2:])
