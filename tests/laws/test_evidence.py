"""A verdict, a violation and an illegal move say what in the record of the game they rest on."""

import pytest
from at_the_board import ALL, Table

from controller import contract as c
from controller import wire

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
    assert set(wire.encode(verdict(table)).decode().split('"')) & {"since_ms", "uci", "squares", "plies"} == set()


# -- violations and illegal moves ------------------------------------------------------------------------------------

KNIGHT = ["c3e2", "c3e4"]


def rests_on(notice: c.Irregularity) -> tuple[str | None, list[str], list[int], list[str], str | None]:
    return notice.uci, notice.squares, notice.touched_ms, notice.owed, notice.basis


@pytest.mark.parametrize("laws", ALL)
def test_a_breach_tells_the_touches_in_order_with_their_times_and_what_they_owed(laws: c.Edition) -> None:
    breach = Table(laws).touch("g1").make("e2e4").all(c.Violation)[-1]
    assert rests_on(breach) == ("e2e4", ["g1", "e2"], [1000, 3000], ["g1f3", "g1h3"], None)


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_tells_them_too_before_and_after_the_press(laws: c.Edition) -> None:
    released, completed = Table(laws, CHECK).play("c3b5").all(c.Illegal)
    assert rests_on(released) == (None, ["c3"], [1000], KNIGHT, None)
    assert rests_on(completed) == ("c3b5", ["c3"], [1000], KNIGHT, None)


def test_where_nothing_that_was_touched_could_move_nothing_was_owed() -> None:
    pinned = Table("fide-2023", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").play("e2c3").all(c.Illegal)[-1]
    assert rests_on(pinned) == ("e2c3", ["e2"], [1000], [], None)


def test_a_press_without_a_move_tells_what_had_been_touched() -> None:
    misuse = Table("fide-2009").touch("g1").give(c.Press, side="white").all(c.Violation)[-1]
    assert (misuse.kind, *rests_on(misuse)) == ("clock-misuse", None, ["g1"], [1000], ["g1f3", "g1h3"], None)


def test_a_hand_that_was_seen_and_one_that_was_inferred_are_told_apart() -> None:
    seen = Table("fide-2023").give(c.Lift, square="b8", side="black").give(c.Time).all(c.Violation)[-1]
    assert rests_on(seen) == (None, ["b8"], [1000], [], None)
    shown = Table("fide-2023", CHECK).make("e8d8").all(c.Violation)[-1]
    assert (shown.kind, *rests_on(shown)) == ("out-of-turn", None, ["d8", "e8"], [], [], "inferred")
    assert (seen.confidence, shown.confidence) == (None, 0.98)


def test_a_released_piece_moved_on_is_told_with_the_move_that_had_been_made() -> None:
    table = Table("fide-2023").make("e2e3").give(c.Lift, square="e3").give(c.Place, square="e4").give(c.Time)
    assert rests_on(table.all(c.Violation)[-1]) == ("e2e3", ["e3", "e4"], [], [], "inferred")


def test_what_a_person_reported_is_told_as_his_word() -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind="two-hands")
    assert rests_on(table.all(c.Illegal)[-1]) == ("e2e4", ["e2"], [1000], [], "reported")
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind="touch-move")
    assert rests_on(table.all(c.Violation)[-1]) == ("e2e4", ["e2"], [1000], [], "reported")
