"""A verdict says what in the record of the game it rests on."""

import pytest
from at_the_board import ALL, Table

from controller import contract as c

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 2


def verdict(table: Table) -> c.Claimed:
    return table.all(c.Claimed)[-1]


@pytest.mark.parametrize("laws", ALL)
def test_a_touch_move_claim_is_answered_with_the_touches_and_the_move(laws: c.Edition) -> None:
    table = Table(laws).touch("g1").make("e2e4")
    table.claim("black", "touch-move")
    touched = [t.square for t in table.all(c.Touch)]
    assert touched == ["g1", "e2"]
    said = verdict(table)
    assert (said.squares, said.uci, said.since_ms) == (touched, "e2e4", 1000)


def test_before_the_move_it_is_answered_with_the_touches_alone() -> None:
    table = Table("fide-2023").touch("g1")
    table.claim("black", "touch-move")
    assert (verdict(table).squares, verdict(table).uci) == (["g1"], None)


def test_a_claim_that_came_too_late_names_the_move_all_the_same() -> None:
    table = Table("fide-2023").touch("g1").play("e2e4").touch("e7")
    assert table.claim("black", "touch-move") == "lapsed"
    assert verdict(table).uci == "e2e4"


def test_an_illegal_move_is_named_with_when_it_was_pressed() -> None:
    table = Table("fide-2005", CHECK, play="rapid").play("c3b5")
    pressed = table.ms
    assert table.claim("black", "illegal-move") == "upheld"
    assert (verdict(table).uci, verdict(table).since_ms) == ("c3b5", pressed)


def test_a_fallen_flag_is_told_with_the_instant_of_its_fall() -> None:
    table = Table("fide-2009", clock="20", play="rapid").wait(24_000)
    table.claim("black", "flag")
    assert verdict(table).since_ms == table.all(c.Flag)[-1].ms == 20_000


@pytest.mark.parametrize(("moves", "said"), [(SHUFFLE, ("upheld", [0, 4, 8])), (SHUFFLE[:4], ("rejected", [0, 4]))])
def test_a_repetition_is_told_by_the_moves_after_which_the_position_stood(
    moves: tuple[str, ...], said: tuple[str, list[int]]
) -> None:
    table = Table("fide-2023").play(*moves)
    assert (table.claim("white", "threefold"), verdict(table).plies) == said


def test_a_repetition_to_come_is_told_by_where_it_has_stood_so_far() -> None:
    table = Table("fide-2023").play(*SHUFFLE[:7])
    assert (table.claim("black", "threefold", "f6g8"), verdict(table).plies) == ("upheld", [0, 4])


def test_fifty_moves_are_told_by_the_count() -> None:
    table = Table("fide-2023", "4k3/8/8/8/8/8/4R3/4K3 w - - 57 90")
    assert (table.claim("white", "fifty-moves"), verdict(table).quiet_plies) == ("rejected", 57)


def test_where_the_record_shows_nothing_nothing_is_said() -> None:
    table = Table("fide-2023").play("e2e4")
    table.claim("white", "touch-move")
    assert set(c.encode(verdict(table)).decode().split('"')) & {"since_ms", "uci", "squares", "plies"} == set()
