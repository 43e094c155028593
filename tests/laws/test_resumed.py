"""Play resumed: whose clock runs then, and that nobody plays on before the pieces are back (6.11, 7.1, 7.5)."""

from collections.abc import Callable

import pytest
from at_the_board import ALL, FROM_2014, NEW, Table

from controller import contract as c

PAUSES: dict[str, Callable[[Table], Table]] = {
    "his own": lambda t: t.give(c.Pause, side="white"),
    "the opponent's": lambda t: t.give(c.Pause, side="black"),
    "the arbiter's": lambda t: t.rule("pause"),
    "a claim rejected": lambda t: t.give(c.Pause, side="white").give(c.Claim, side="white", of="illegal-move"),
}


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("pause", PAUSES.values(), ids=PAUSES)
def test_a_move_made_and_not_pressed_is_completed_after_any_pause(
    laws: c.Edition, pause: Callable[[Table], Table]
) -> None:
    table = pause(Table(laws, clock="5400+30").play("e2e4", "e7e5").make("g1f3"))
    left = table.left("white")
    table.wait(60_000).rule("resume")
    assert table.all(c.Clock)[-1].running == "white"
    table.give(c.Press, side="white")
    assert (table.all(c.Completed)[-1].uci, table.left("white")) == ("g1f3", left - 1000 + 30_000)


def test_of_two_moves_made_and_not_pressed_the_first_is_completed_first() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").make("g1f3", "b8c6").rule("pause", "resume")
    table.give(c.Press, side="white").give(c.Press, side="black")
    assert [each.uci for each in table.all(c.Completed)[-2:]] == ["g1f3", "b8c6"]


def test_a_piece_in_hand_when_the_clocks_are_stopped_is_a_move_in_progress() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").give(c.Lift, square="g1").give(c.Pause, side="white").wait(60_000)
    assert not table.all(c.Displaced)
    assert (
        table.rule("resume").give(c.Place, square="f3").give(c.Press, side="white").all(c.Completed)[-1].uci == "g1f3"
    )


def test_one_taken_up_in_the_pause_is_not() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").give(c.Pause, side="white").give(c.Lift, square="g1").wait(1_000)
    assert table.all(c.Displaced)[-1].squares == ["g1"]


def upheld(laws: c.Edition = "fide-2023") -> Table:
    """The knight from g1 was set down on g3, and that pressed; the arbiter has said that it is illegal."""
    return Table(laws, clock="5400+30").play("e2e4", "e7e5", "g1g3").rule("uphold")


@pytest.mark.parametrize("laws", ALL)
def test_before_the_pieces_are_back_play_is_not_resumed_and_nothing_is_judged_again(laws: c.Edition) -> None:
    table = upheld(laws)
    before = len(table.events)
    table.rule("resume").wait(5000)
    (asked,) = table.events[before:]
    assert isinstance(asked, c.Displaced)
    assert (asked.squares, asked.resumes) == (["g1", "g3"], True)
    proposed = table.all(c.Displaced)[-2]
    assert (asked.white_ms, asked.black_ms) == (proposed.white_ms, proposed.black_ms)
    assert not table.give(c.Press, side="white").all(c.Completed)[2:]


@pytest.mark.parametrize("once_more", [(), ("resume",)])
def test_once_they_are_back_it_is_and_the_touched_piece_is_played(once_more: tuple[str, ...]) -> None:
    table = upheld().rule("resume").give(c.Lift, square="g3").give(c.Place, square="g1").wait(500).rule(*once_more)
    assert table.all(c.Clock)[-1].running == "white"
    assert table.all(c.Obligation)[-1].moves == ["g1e2", "g1f3", "g1h3"]
    assert table.play("g1f3").all(c.Completed)[-1].uci == "g1f3"
    assert len([each for each in table.all(c.Illegal) if each.completed]) == 1


@pytest.mark.parametrize("laws", ALL)
def test_nor_need_it_be_resumed_once_more_where_the_piece_is_put_right_at_once(laws: c.Edition) -> None:
    table = upheld(laws).rule("resume").give(c.Lift, square="g3").give(c.Place, square="f3").wait(1000)
    assert table.all(c.Clock)[-1].running == "white"
    assert table.wait(1000).give(c.Press, side="white").all(c.Completed)[-1].uci == "g1f3"


def test_what_the_arbiter_rules_meanwhile_stops_play_once_more() -> None:
    table = upheld().rule("resume", "pause").give(c.Lift, square="g3").give(c.Place, square="g1").wait(5000)
    assert table.all(c.Restored)
    assert table.all(c.Clock)[-1].running is None
    assert table.rule("resume").all(c.Clock)[-1].running == "white"


@pytest.mark.parametrize("laws", ALL)
def test_a_ruling_taken_back_while_the_pieces_were_put_back_does_not_make_moves_of_that(laws: c.Edition) -> None:
    """The bishop had gone back from b5 to f1, and to f1 the player having the move might go again."""
    table = Table(laws, clock="5400+30").play("e2e4", "e7e5").touch("g1").play("f1b5", "a7a6").rule("uphold")
    table.give(c.Lift, square="a6").give(c.Place, square="a7").give(c.Lift, square="b5").give(c.Place, square="f1")
    before = len(table.rule("undo").events)
    (asked,) = table.rule("resume").wait(5000).events[before:]
    assert isinstance(asked, c.Displaced)
    assert (asked.squares, asked.resumes, asked.white_ms) == (["f1", "b5", "a6", "a7"], True, None)
    table.give(c.Lift, square="f1").give(c.Place, square="b5").give(c.Lift, square="a7").give(c.Place, square="a6")
    table.rule("resume").play("b5c6")
    assert table.all(c.Move)[-1].uci == "b5c6"
    assert len(table.all(c.Violation)) == 1


def test_who_puts_the_piece_right_without_putting_it_back_has_moved() -> None:
    """From g3 it goes to f3 while the clocks stand; the move is made once they run, and his press completes it."""
    table = upheld().give(c.Lift, square="g3").give(c.Place, square="f3").rule("resume")
    assert table.all(c.Clock)[-1].running == "white"
    table.wait(1000).give(c.Press, side="white").play("b8c6")
    assert [each.uci for each in table.all(c.Completed)] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert not any(each.resumes for each in table.all(c.Displaced))


def test_it_may_be_put_right_before_the_arbiter_rules() -> None:
    table = Table("fide-2023", clock="5400+30").play("e2e4", "e7e5", "g1g3").rule("pause")
    table.give(c.Lift, square="g3").give(c.Place, square="f3").wait(1000).rule("uphold", "resume")
    assert table.wait(1000).give(c.Press, side="white").all(c.Completed)[-1].uci == "g1f3"


def test_a_capture_is_the_move_where_the_squares_show_no_more_than_a_piece_gone() -> None:
    """The pawn e4 was touched and the knight moved: while the clocks stand the knight goes back, and e4 takes d5."""
    table = Table("fide-2023", clock="5400+30").play("e2e4", "d7d5").touch("e4").play("g1f3").rule("uphold")
    for lift, place in (("f3", "g1"), ("d5", None), ("e4", "d5")):
        table.give(c.Lift, square=lift)
        if place:
            table.give(c.Place, square=place)
    table.rule("resume").wait(1000).give(c.Press, side="white").play("d8d5")
    assert [each.uci for each in table.all(c.Completed)] == ["e2e4", "d7d5", "g1f3", "e4d5", "d8d5"]
    assert not table.all(c.Illegal)


@pytest.mark.parametrize("laws", NEW)
def test_what_two_hands_made_may_stand_once_that_is_ruled(laws: c.Edition) -> None:
    """7.5.4: it is penalised as an illegal move, and nobody has to take it back and make it again."""
    table = Table(laws, clock="5400+30").play("e2e4", "e7e5", "g1f3")
    table.rule("report", side="white", kind="two-hands").rule("uphold", "resume")
    assert not table.all(c.Displaced)[-1].resumes
    table.wait(1000).give(c.Press, side="white").play("b8c6")
    assert [each.uci for each in table.all(c.Completed)][-2:] == ["g1f3", "b8c6"]


def test_who_puts_another_piece_there_than_he_touched_has_not() -> None:
    table = upheld().give(c.Lift, square="g3").give(c.Place, square="g1").wait(1000)
    table.give(c.Lift, square="b1").give(c.Place, square="c3").wait(1000).rule("resume")
    assert (table.all(c.Displaced)[-1].squares, table.all(c.Displaced)[-1].resumes) == (["b1", "c3"], True)


PROMOTES = "8/P6k/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize("laws", FROM_2014)
@pytest.mark.parametrize("exchanged", ["before", "after", "half before"])
def test_a_pawn_left_on_the_last_rank_is_replaced_by_a_queen_before_play_is_resumed_or_after(
    laws: c.Edition, exchanged: str
) -> None:
    """7.5a, 7.5.2: nobody has to put the pawn back on a7 first."""
    table = Table(laws, PROMOTES, clock="5400+30", senses="identity")
    table.give(c.Lift, square="a7").give(c.Place, square="a8", piece="P").give(c.Press, side="white").rule("uphold")
    steps = [lambda t: t.give(c.Lift, square="a8"), lambda t: t.give(c.Place, square="a8", piece="Q")]
    steps.insert({"before": 2, "after": 0, "half before": 1}[exchanged], lambda t: t.rule("resume"))
    for step in steps:
        table = step(table)
    assert not any(each.resumes for each in table.all(c.Displaced))
    table.wait(1000).give(c.Press, side="white")
    table.give(c.Lift, square="h7").give(c.Place, square="h6", piece="k").wait(1000).give(c.Press, side="black")
    assert [each.uci for each in table.all(c.Completed)] == ["a7a8q", "h7h6"]


@pytest.mark.parametrize("laws", FROM_2014)
def test_no_other_piece_than_a_queen_replaces_it(laws: c.Edition) -> None:
    table = Table(laws, PROMOTES, clock="5400+30", senses="identity")
    table.give(c.Lift, square="a7").give(c.Place, square="a8", piece="P").give(c.Press, side="white").rule("uphold")
    table.give(c.Lift, square="a8").give(c.Place, square="a8", piece="R").wait(1000).rule("resume")
    assert table.all(c.Displaced)[-1].resumes


@pytest.mark.parametrize("seen", ["neither square", "one of them", "as it is"])
def test_where_the_arbiter_insists_the_pieces_stand_and_the_board_does_not_show_it(seen: str) -> None:
    """The knight stands on g1 again: two sensors fail, or one; or it stands on g3 still, and is put back afterwards."""
    table = upheld()
    if seen == "one of them":
        table.give(c.Lift, square="g3")
    table.rule("resume", insist=True).wait(3000)
    assert (table.all(c.Clock)[-1].running, len(table.all(c.Illegal))) == ("white", 2)
    if seen == "as it is":
        table.give(c.Lift, square="g3").give(c.Place, square="g1").give(c.Lift, square="g1")
    table.give(c.Place, square="f3").wait(1000).give(c.Press, side="white").play("b8c6", "f1c4")
    assert [each.uci for each in table.all(c.Completed)] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
    assert len(table.all(c.Illegal)) == 2


def test_a_move_taken_back_by_the_arbiter_is_not_made_again_by_standing_there() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").rule("pause", "undo", "resume").wait(5000)
    assert ([each.uci for each in table.all(c.Move)], table.all(c.Displaced)[-1].resumes) == (["e2e4", "e7e5"], True)
    table.give(c.Lift, square="e5").give(c.Place, square="e7").rule("resume").make("c7c5")
    assert table.all(c.Move)[-1].uci == "c7c5"


def test_pieces_that_no_ruling_has_put_elsewhere_keep_nobody_from_playing_on() -> None:
    """The promoting player has stopped the clocks to fetch a piece, and the pawn is off (6.11.2)."""
    table = Table("fide-2023", "7k/P7/8/8/8/8/8/K7 w - - 0 1").make("a7a8").give(c.Lift, square="a8")
    table.give(c.Pause, side="white").wait(20_000).rule("resume")
    assert table.all(c.Clock)[-1].running == "white"
    table.give(c.Choose, side="white", piece="r").give(c.Place, square="a8").give(c.Press, side="white")
    assert table.all(c.Completed)[-1].uci == "a7a8r"


@pytest.mark.parametrize("pause", PAUSES.values(), ids=PAUSES)
@pytest.mark.parametrize("in_hand", [False, True])
@pytest.mark.parametrize("laws", NEW)
def test_who_pressed_without_a_move_has_the_move_still_where_nobody_has_ruled(
    laws: c.Edition, pause: Callable[[Table], Table], in_hand: bool
) -> None:
    """His clock runs, the opponent's does not; his move is completed by its press, and the notice stays open."""
    table = Table(laws, clock="5400").play("e2e4")
    if in_hand:
        table.give(c.Lift, square="e7")
    table = pause(table.give(c.Press, side="black")).rule("resume")
    assert table.all(c.Clock)[-1].running == "black"
    white = table.left("white")
    if in_hand:
        table.give(c.Place, square="e5").give(c.Time).give(c.Press, side="black")
    else:
        table.play("e7e5")
    assert table.left("white") == white
    assert [each.uci for each in table.play("d2d4").all(c.Completed)] == ["e2e4", "e7e5", "d2d4"]
    assert [(said.kind, said.count) for said in table.all(c.Illegal)] == [("no-move", 1)]
    assert table.rule("uphold").penalties("applied") == [("black", "time", 120_000)]
    assert not table.all(c.Retract)


def test_no_move_is_counted_for_that_press() -> None:
    table = Table("fide-2023", clock="2/60:60").play("e2e4").give(c.Press, side="black").rule("pause", "resume")
    assert table.play("e7e5", "d2d4").left("black") < 60_000


def test_what_he_touched_before_he_pressed_binds_him_still() -> None:
    table = Table("fide-2023").play("e2e4").touch("e7").give(c.Press, side="black").rule("pause", "resume")
    assert table.all(c.Obligation)[-1].moves == ["e7e5", "e7e6"]
    table.play("d7d5")
    assert [(broken.side, broken.kind) for broken in table.all(c.Violation)] == [("black", "touch-move")]


@pytest.mark.parametrize("begun", [True, False])
def test_a_capture_made_while_the_clocks_stood_is_a_move(begun: bool) -> None:
    """On a board that sees only whether a piece is there, as on others; also where it was begun before."""
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"
    table = Table("fide-2023", clock="5400+30", fen=fen)
    if begun:
        table.give(c.Lift, square="f3").give(c.Pause, side="black")
    else:
        table.give(c.Pause, side="black").give(c.Lift, square="f3")
    table.touch("e5").rule("resume").give(c.Press, side="white")
    assert [each.uci for each in table.all(c.Completed)] == ["f3e5"]
    assert not table.all(c.Illegal)


def test_a_player_who_stops_the_clocks_meanwhile_is_not_overheard() -> None:
    table = upheld().rule("resume").give(c.Pause, side="black")
    table.give(c.Lift, square="g3").give(c.Place, square="g1").wait(5000)
    assert table.all(c.Clock)[-1].running is None


def test_who_presses_as_soon_as_the_pieces_are_back_has_pressed_nothing() -> None:
    table = upheld().rule("resume").give(c.Lift, square="g3")
    table.ms += 1000
    table.events += table.game.handle(c.Place(ms=table.ms, square="g1"))
    table.events += table.game.handle(c.Press(ms=table.ms + 200, side="white"))
    table.wait(1000)
    assert table.all(c.Clock)[-1].running == "white"
    assert len([each for each in table.all(c.Illegal) if each.completed]) == 1


@pytest.mark.parametrize("laws", ALL)
def test_a_reply_that_was_returned_with_the_move_is_not_made_anew(laws: c.Edition) -> None:
    """White moves his knight on after its release, Black replies, and both put back what the ruling took back."""
    table = Table(laws, clock="5400+30").make("g1f3", "f3h3", "a7a6").give(c.Press, side="white")
    table.rule("uphold", "resume").give(c.Lift, square="h3").give(c.Place, square="f3").wait(1000)
    told = len(table.events)
    table.give(c.Lift, square="a6").give(c.Place, square="a7").wait(1000)
    assert not any(isinstance(each, c.Move | c.Violation | c.Illegal) for each in table.events[told:])
    assert table.all(c.Clock)[-1].running == "black"
