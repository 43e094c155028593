"""What an arbiter's input does: penalties applied, positions restored, notices dismissed, two hands, draws declared."""

from typing import Any, get_args, get_type_hints

import pytest
from at_the_board import ALL, BEFORE_2014, FROM_2014, NEW, OLD, Table, by_edition
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import contract as c
from controller.laws.editions import MINUTE, profile
from controller.laws.record import Made
from controller.laws.reports import reportable
from controller.laws.rulings import ACTS

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry
MATE = "7k/5ppp/8/8/8/8/8/KR2R3 w - - 0 1"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"

# -- upheld --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_upheld_is_paid_for_and_put_right(laws: c.Edition) -> None:
    table = Table(laws, CHECK, clock="5400").play("c3b5", "e8d8").rule("pause")
    before = table.left("black")
    table.rule("uphold")
    assert table.penalties("applied") == [("white", "time", 2 * MINUTE)]
    assert table.left("black") == before + 2 * MINUTE
    assert table.fen == CHECK
    assert [r.uci for r in table.all(c.Retract)] == ["e8d8"]
    assert table.all(c.Displaced)[-1].squares == ["c3", "b5", "d8", "e8"]
    assert table.all(c.Obligation)[-1].moves == ["c3e2", "c3e4"]
    for square in ("b5", "d8"):
        table.give(c.Lift, square=square)
    for square in ("c3", "e8"):
        table.give(c.Place, square=square)
    assert table.events[-1] == c.Restored(ms=table.ms)
    assert table.rule("resume").play("c3e2").all(c.Completed)[-1].uci == "c3e2"


def test_the_clocks_stand_until_play_is_resumed_and_then_run_for_the_offender() -> None:
    table = Table("fide-2018", CHECK).play("c3b5").rule("uphold")
    standing = table.left("white"), table.left("black")
    assert (table.wait(60_000).left("white"), table.left("black")) == standing
    table.make("b5c3").rule("resume").wait(60_000)
    assert (table.left("white"), table.left("black")) == (standing[0] - 61_000, standing[1])


def test_presses_of_the_moves_undone_are_not_counted() -> None:
    """Two moves in 30 s: an illegal move is none of them, so the flag falls before the control is met."""
    table = Table("fide-2023", CHECK, clock="2/30:600").play("c3b5", "e8d8")
    counted = [table.game.state.clock.moves(side) for side in ("white", "black")]  # type: ignore[union-attr]
    table.rule("uphold")
    assert counted == [1, 1]
    assert [table.game.state.clock.moves(side) for side in ("white", "black")] == [0, 0]  # type: ignore[union-attr]


@pytest.mark.parametrize("laws", ALL)
def test_a_breach_upheld_returns_to_the_touch(laws: c.Edition) -> None:
    table = Table(laws).touch("g1").play("e2e4").rule("uphold")
    assert [r.uci for r in table.all(c.Retract)] == ["e2e4"]
    assert table.all(c.Obligation)[-1].moves == ["g1f3", "g1h3"]
    assert table.penalties() == []


def test_notices_are_answered_oldest_first() -> None:
    table = Table("fide-2018", CHECK).play("c3b5", "e4e2", "e1d1")
    assert table.claim("black", "threefold") == "rejected"
    assert table.penalties() == [("white", "time", 2 * MINUTE), ("black", "time", 2 * MINUTE)]
    assert table.rule("uphold").penalties("applied") == [("white", "time", 2 * MINUTE)]
    assert table.rule("uphold").penalties("applied")[1:] == [("black", "time", 2 * MINUTE)]


def test_who_corrects_a_completed_illegal_move_himself_still_pays() -> None:
    table = Table("fide-2018", CHECK).play("c3b5").make("b5c3", "c3e2")
    assert table.all(c.Move)[-1].uci == "c3e2"
    assert table.claim("black", "illegal-move") == "upheld"
    table.rule("uphold")
    assert table.penalties("applied") == [("white", "time", 2 * MINUTE)]
    assert table.all(c.Retract) == []


def test_illegal_moves_in_play_that_is_undone_are_not_counted() -> None:
    table = Table("fide-2018", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1").play("d2e2", "e8e7", "e2e7")
    assert [(i.side, i.count) for i in table.all(c.Illegal) if i.completed] == [("black", 1), ("white", 1)]
    table.rule("uphold")
    assert table.game.state.counts == table.game.state.fined == {"white": 0, "black": 1}


def test_an_unattended_event_applies_fixed_minutes_by_itself_and_nothing_else() -> None:
    table = Table("fide-2018", CHECK, settings=c.Settings(apply_penalties=True)).play("c3b5")
    assert table.penalties("applied") == [("white", "time", 2 * MINUTE)]
    table.rule("uphold").make("b5c3").rule("resume")
    assert table.penalties("applied") == [("white", "time", 2 * MINUTE)]
    table.play("c3b5")
    assert table.penalties()[-1] == ("white", "loss", None)
    assert (table.result, len(table.penalties("applied"))) == (None, 1)


# -- a released piece moved on ---------------------------------------------------------------------------------------

KNIGHTS = "4k3/8/5n2/8/8/4P3/8/4K3 w - - 0 1"


@pytest.mark.parametrize("laws", ALL)
def test_put_back_to_where_it_came_from_it_is_no_illegal_move_once_the_opponent_has_replied(laws: c.Edition) -> None:
    table = Table(laws, KNIGHTS).make("e3e4", "e4e3").give(c.Press, side="white").play("f6g8")
    assert [v.kind for v in table.all(c.Violation)] == ["released-move"]
    assert (table.wait(5000).all(c.Illegal), table.all(c.Completed)[-1].uci) == ([], "f6g8")


def moved_on(laws: c.Edition = "fide-2023", **session: Any) -> Table:
    """White has released the pawn on e4, and then puts it on e5, where it cannot go in one move."""
    table = Table(laws, KNIGHTS, **session).make("e3e4").give(c.Lift, square="e4").give(c.Place, square="e5")
    return table.give(c.Press, side="white").give(c.Time)


@pytest.mark.parametrize("laws", ALL)
def test_the_reply_to_a_piece_moved_on_is_no_fault_of_the_opponent(laws: c.Edition) -> None:
    table = moved_on(laws)
    assert [v.kind for v in table.all(c.Violation)] == ["released-move"]
    table.play("f6g8")
    assert table.all(c.Completed)[-1].uci == "f6g8"
    assert table.all(c.Illegal) == []


@pytest.mark.parametrize("laws", ALL)
def test_upheld_the_clocks_stand_until_it_is_put_back(laws: c.Edition) -> None:
    table = moved_on(laws).rule("uphold")
    assert table.game.state.clock.running is None  # type: ignore[union-attr]
    table.give(c.Lift, square="e5").give(c.Place, square="e4")
    assert isinstance(table.events[-1], c.Restored)
    table.rule("resume").give(c.Lift, square="f6").give(c.Lift, square="e4").give(c.Place, square="e4").give(c.Time)
    assert table.all(c.Move)[-1].uci == "f6e4"


def test_put_back_unasked_the_squares_are_free_for_the_opponent() -> None:
    table = moved_on().give(c.Lift, square="e5").give(c.Place, square="e4").give(c.Time)
    table.give(c.Lift, square="f6").give(c.Lift, square="e4").give(c.Place, square="e4").give(c.Press, side="black")
    assert table.all(c.Completed)[-1].uci == "f6e4"
    assert table.all(c.Illegal) == []


def test_dismissed_play_goes_on() -> None:
    table = moved_on().rule("dismiss")
    assert (table.game.state.notices, table.play("f6g8").all(c.Completed)[-1].uci) == ((), "f6g8")


def test_before_a_game_is_lost_by_an_illegal_move_a_long_search_asks_whether_the_opponent_can_mate() -> None:
    table = Table("fide-2014", "6kB/p1PP2P1/P5P1/1p6/8/1K6/1P6/8 w - - 0 60", play="blitz", supervised=False)
    table.play("b3f2").rule("uphold")
    assert (table.penalties()[-1][1], table.penalties("applied")[-1][1]) == ("loss", "draw")
    assert table.result == ("1/2-1/2", "illegal-moves")


# -- dismissed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_dismissed_is_completed_and_not_counted(laws: c.Edition) -> None:
    table = Table(laws, CHECK).play("c3b5").rule("dismiss")
    assert [(m.uci, m.legal) for m in table.all(c.Move)] == [("c3b5", False)]
    assert table.all(c.Completed)[-1].uci == "c3b5"
    assert table.game.state.counts["white"] == 0
    assert table.claim("black", "illegal-move") == "rejected"
    assert table.rule("uphold").penalties("applied") == []


@pytest.mark.parametrize("laws", ALL)
def test_what_the_clocks_showed_at_the_press_is_told_however_long_the_arbiter_takes(laws: c.Edition) -> None:
    table = Table(laws, CHECK, clock="900+30").play("c3b5")
    shown = table.game.state.both_left()
    table.wait(30_000).rule("dismiss")
    assert table.game.state.both_left() != shown
    told = table.all(c.Completed)[-1]
    assert (told.white_ms, told.black_ms) == shown


def test_where_no_move_can_be_named_the_position_that_stands_is_told_or_the_one_returned_to() -> None:
    def two_pieces_at_once() -> Table:
        table = Table("fide-2018", "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1")
        for square in ("d2", "e2"):
            table.give(c.Lift, square=square)
        for square in ("d5", "e5"):
            table.give(c.Place, square=square)
        return table.give(c.Press, side="white")

    dismissed = two_pieces_at_once().rule("dismiss")
    assert [said.fen for said in dismissed.all(c.Restored)] == ["4k3/8/8/3PP3/8/8/8/4K3 b - - 0 1"]
    assert dismissed.play("e8e7").all(c.Completed)[-1].uci == "e8e7"
    assert two_pieces_at_once().rule("uphold").all(c.Displaced)[-1].fen == "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"


def test_the_press_of_a_dismissed_move_is_uncounted_with_it() -> None:
    table = Table("fide-2018", CHECK).play("c3b5").rule("dismiss", "undo", "undo")
    assert table.game.state.clock.moves("white") == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("laws", ALL)
def test_a_mate_against_touch_move_ends_the_game_at_once_or_when_the_breach_is_dismissed(laws: c.Edition) -> None:
    table = Table(laws, MATE).touch("b1").play("e1e8")
    assert table.result == (None if laws in FROM_2014 else ("1-0", "checkmate"))
    assert table.rule("dismiss").result == ("1-0", "checkmate")


def test_a_mate_against_touch_move_is_taken_back_when_the_breach_is_upheld() -> None:
    table = Table("fide-2014", MATE).touch("b1").play("e1e8").rule("uphold")
    assert (table.result, table.fen) == (None, MATE)


def test_a_flag_proposed_outlives_a_move_taken_back_and_ends_the_game_upheld() -> None:
    table = Table("fide-2018", clock="20").touch("g1").make("e2e4").wait(20_000)
    table.make("e4e2", "g1f3")
    assert [r.uci for r in table.all(c.Retract)] == ["e2e4"]
    assert table.proposed == [("0-1", "time")]
    table.rule("dismiss" if table.game.state.notices[0].what == "violation" else "uphold")
    assert table.result == ("0-1", "time")


def test_time_given_by_the_arbiter_lifts_the_flag_and_the_proposal_with_it() -> None:
    table = Table("fide-2018", clock="20").wait(20_000).rule("set-clock", white_ms=60_000).rule("uphold")
    assert (table.proposed, table.result) == ([("0-1", "time")], None)
    assert table.claim("black", "flag") == "rejected"


def test_a_ruling_with_nothing_to_answer_changes_nothing() -> None:
    table = Table("fide-2023").play("e2e4")
    before = len(table.events)
    assert table.rule("uphold", "dismiss", "resume").events[before:] == []


# -- undone, declared ----------------------------------------------------------------------------------------------


def test_undo_takes_the_last_move_back_and_gives_the_clock_to_its_player() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").rule("undo").wait(2000)
    assert [(r.uci, r.fen) for r in table.all(c.Retract)] == [("e7e5", table.fen)]
    assert len(table.all(c.Move)) == 2
    assert table.game.state.clock.running == "black"  # type: ignore[union-attr]
    table.give(c.Lift, square="e5").give(c.Place, square="e7").play("c7c5")
    assert table.all(c.Completed)[-1].uci == "c7c5"
    assert table.all(c.Violation) == []


def test_undo_before_the_first_move_changes_nothing() -> None:
    table = Table("fide-2023")
    assert table.game.undone_next is None
    assert table.rule("undo").all(c.Retract) == []


def test_what_undo_would_take_back_is_known_before() -> None:
    table = Table("fide-2023", CHECK, clock="5400+30").play("c3b5")
    move = table.game.undone_next
    assert isinstance(move, Made)
    assert (move.side, move.illegal) == ("white", True)
    ruling = table.rule("uphold").game.undone_next
    assert isinstance(ruling, c.Arbiter)
    assert ruling.do == "uphold"
    assert table.rule("undo").game.undone_next == move
    assert isinstance(table.rule("result", result="1-0").game.undone_next, c.Arbiter)


def test_what_ended_a_game_without_a_ruling_undo_leaves() -> None:
    table = Table("fide-2023").play("f2f3", "e7e5", "g2g4", "d8h4")
    assert table.result is not None
    assert table.game.undone_next is None


@pytest.mark.parametrize(("laws", "clause"), by_edition("13.4", "13.4", "12.9", "12.9", "12.9").items())
def test_the_arbiter_declares_a_result(laws: c.Edition, clause: str) -> None:
    table = Table(laws).rule("result", result="1-0")
    assert table.result == ("1-0", "arbiter")
    assert table.all(c.Result)[-1].article == clause


def test_the_minutes_of_a_penalty_lift_a_flag_and_what_was_proposed_for_it() -> None:
    """Black's flag falls while White's illegal move waits for the ruling: two minutes more, and nobody lost on time."""
    table = Table("fide-2009", CHECK, clock="20").play("c3b5").wait(25_000)
    assert table.proposed == [("1-0", "time")]
    table.rule("uphold").make("b5c3").rule("resume").play("c3b5").rule("uphold")
    assert table.penalties("applied") == [("white", "time", 2 * MINUTE)] * 2
    assert (table.result, table.game.state.notices) == (None, ())


def test_declaring_the_result_that_was_proposed_cites_its_clause() -> None:
    table = Table("fide-2018", clock="20").wait(30_000).rule("result", result="0-1")
    assert table.all(c.Result)[-1].article == "6.9"


# -- two hands -----------------------------------------------------------------------------------------------------


def two_hands(table: Table) -> Table:
    return table.rule("report", side="white", kind="two-hands")


@pytest.mark.parametrize("laws", NEW)
def test_two_hands_pressed_are_an_illegal_move(laws: c.Edition) -> None:
    table = two_hands(Table(laws).make("e2e4"))
    assert table.all(c.Illegal) == []
    table.give(c.Press, side="white")
    assert [(i.kind, i.article, i.count) for i in table.all(c.Illegal)] == [("two-hands", "7.5.4", 1)]
    assert table.all(c.Completed) == []
    assert table.penalties() == [("white", "time", 2 * MINUTE)]
    assert table.rule("uphold").fen.startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    assert table.all(c.Obligation)[-1].moves == ["e2e3", "e2e4"]


@pytest.mark.parametrize("laws", OLD)
def test_up_to_2014_what_two_hands_cost_is_the_arbiters_choice(laws: c.Edition) -> None:
    table = two_hands(Table(laws).make("e2e4")).give(c.Press, side="white")
    assert table.all(c.Completed)[-1].uci == "e2e4"
    assert table.all(c.Illegal) == []
    assert [(v.kind, v.article, v.basis) for v in table.all(c.Violation)] == [("two-hands", "4.1", "reported")]
    assert table.penalties() == [("white", "discretion", None)]
    assert table.all(c.Penalty)[-1].article == ("12.9" if laws == "fide-2014" else "13.4")
    upheld = table.rule("uphold")
    assert upheld.penalties("applied") == [("white", "discretion", None)]
    assert upheld.all(c.Retract) == []
    assert upheld.rule("resume").play("e7e5").all(c.Completed)[-1].uci == "e7e5"


@pytest.mark.parametrize("laws", BEFORE_2014)
def test_where_the_arbiter_rules_on_request_only_nothing_is_proposed(laws: c.Edition) -> None:
    table = two_hands(Table(laws, play="rapid", supervised=False).make("e2e4"))
    assert ([v.report for v in table.all(c.Violation)], table.penalties()) == (["on-claim"], [])
    assert Table(laws, play="blitz", supervised=False).give(c.Press, side="white").penalties() == []


@pytest.mark.parametrize("laws", OLD)
def test_up_to_2014_a_press_without_a_move_is_misuse_and_its_price_the_arbiters_choice(laws: c.Edition) -> None:
    table = Table(laws, settings=c.Settings(apply_penalties=True)).give(c.Press, side="white")
    assert [v.kind for v in table.all(c.Violation)] == ["clock-misuse"]
    assert table.penalties() == [("white", "discretion", None)]
    assert table.penalties("applied") == [], "nobody but the arbiter can choose it"
    assert table.rule("dismiss", "uphold").penalties("applied") == []


def test_two_hands_seen_while_the_move_is_in_hand_or_reported_after_the_press() -> None:
    held = two_hands(Table("fide-2023").give(c.Lift, square="e2")).give(c.Place, square="e4")
    late = two_hands(Table("fide-2023").play("e2e4"))
    for table in (held.give(c.Press, side="white"), late):
        assert [i.kind for i in table.all(c.Illegal)] == ["two-hands"]


def test_a_report_lapses_when_the_move_is_taken_back() -> None:
    table = two_hands(Table("fide-2023").touch("g1").make("e2e4"))
    table.make("e4e2", "g1f3").give(c.Press, side="white")
    assert table.all(c.Illegal) == []
    assert table.all(c.Completed)[-1].uci == "g1f3"
    again = two_hands(Table("fide-2023").touch("g1").make("e2e4")).make("e4e2", "e2e4").give(c.Press, side="white")
    assert (again.all(c.Illegal), again.all(c.Completed)[-1].uci) == ([], "e2e4")


def test_a_report_lapses_also_where_the_move_had_been_released_and_might_not_be_taken_back() -> None:
    castled = Table("fide-2023", CASTLING).give(c.Lift, square="e1").give(c.Lift, square="h1")
    two_hands(castled.give(c.Place, square="g1").give(c.Place, square="f1").wait(1000))
    for square, home in (("f1", "h1"), ("g1", "e1")):
        castled.give(c.Lift, square=square).give(c.Place, square=home).wait(1000)
    table = castled.make("e1g1", "h1f1").give(c.Press, side="white")
    assert (table.all(c.Illegal), table.all(c.Completed)[-1].uci) == ([], "e1g1")
    assert [v.kind for v in table.all(c.Violation)] == ["released-move"]


def test_a_report_of_an_illegal_move_lapses_when_that_is_corrected_before_the_press() -> None:
    """The knight ignored the check and went back; the move that was then made needed one hand."""
    table = two_hands(Table("fide-2023", CHECK).make("c3b5")).make("b5c3", "c3e2").give(c.Press, side="white")
    assert [i.completed for i in table.all(c.Illegal)] == [False]
    assert table.all(c.Completed)[-1].uci == "c3e2"


def test_a_report_of_a_pawn_set_down_goes_with_the_piece_that_replaces_it() -> None:
    pawn = Table("fide-2023", "8/P6k/8/8/8/8/8/K7 w - - 0 1", senses="identity").give(c.Lift, square="a7")
    table = two_hands(pawn.give(c.Place, square="a8", piece="P").wait(1000)).give(c.Lift, square="a8")
    table.give(c.Place, square="a8", piece="Q").give(c.Press, side="white")
    assert [i.kind for i in table.all(c.Illegal)] == ["two-hands"]


def test_a_report_is_of_one_move_and_one_player() -> None:
    table = two_hands(Table("fide-2023").make("e2e4")).give(c.Press, side="white").play("e7e5", "g1f3")
    assert len(table.all(c.Illegal)) == 1
    assert [m.uci for m in table.all(c.Completed)] == ["e7e5", "g1f3"]
    replied = two_hands(Table("fide-2023").make("e2e4", "e7e5")).give(c.Press, side="white")
    assert [i.side for i in replied.all(c.Illegal)] == ["white"]


def test_in_rapid_two_hands_are_past_once_the_opponent_has_moved() -> None:
    table = two_hands(Table("fide-2018", play="rapid", supervised=False).play("e2e4", "e7e5"))
    assert table.all(c.Illegal) == []


def test_a_report_made_by_mistake_is_dismissed_before_the_press() -> None:
    table = two_hands(Table("fide-2023").make("e2e4")).rule("dismiss").give(c.Press, side="white")
    assert (table.all(c.Illegal), table.all(c.Completed)[-1].uci) == ([], "e2e4")


def test_two_faults_in_one_move_count_once() -> None:
    table = two_hands(Table("fide-2023", CHECK).make("c3b5")).give(c.Press, side="white")
    assert [(i.kind, i.count) for i in table.all(c.Illegal) if i.completed] == [("illegal-move", 1)]


def test_two_hands_dismissed_complete_the_move() -> None:
    table = two_hands(Table("fide-2023").make("e2e4")).give(c.Press, side="white").rule("dismiss")
    assert [m.uci for m in table.all(c.Move)] == ["e2e4"]
    assert table.all(c.Completed)[-1].uci == "e2e4"
    assert table.play("e7e5").all(c.Retract) == []


def test_mate_with_two_hands_is_mate() -> None:
    table = two_hands(Table("fide-2023", MATE).make("e1e8")).give(c.Press, side="white")
    assert (table.result, table.all(c.Illegal)) == (("1-0", "checkmate"), [])


@pytest.mark.parametrize(("kind", "article"), [("touch-move", "4.3.1"), ("clock-misuse", "6.2.4")])
def test_what_a_person_saw_is_a_violation_in_his_name(kind: str, article: str) -> None:
    table = Table("fide-2023").play("e2e4").rule("report", side="white", kind=kind)
    assert [(v.side, v.kind, v.article) for v in table.all(c.Violation)] == [("white", kind, article)]
    assert bool(table.rule("uphold").all(c.Retract)) == (kind == "touch-move")


# -- whatever is said ----------------------------------------------------------------------------------------------

SIDES = st.sampled_from(["white", "black"])
KINDS_REPORTED = [*reportable(profile(c.Session(version=1)), match=False)]
SAID = st.one_of(
    st.builds(lambda s: ("press", {"side": s}), SIDES),
    st.builds(lambda s: ("pause", {"side": s}), SIDES),
    st.builds(lambda s, a: ("draw", {"side": s, "act": a}), SIDES, st.sampled_from(["offer", "decline"])),
    st.builds(
        lambda s, of, m: ("claim", {"side": s, "of": of, "move": m}),
        SIDES,
        st.sampled_from(get_args(get_type_hints(c.Claim)["of"])),
        st.sampled_from([None, "e2e4", "c3b5", "?"]),
    ),
    st.builds(
        lambda do, s, k, n, yes: ("arbiter", {"do": do, "side": s, "kind": k, "white_ms": 90_000, **n, **yes}),
        st.sampled_from([do for do in get_args(c.Ruling) if do not in ("neutralise", "correct")]),
        SIDES,
        st.sampled_from([*KINDS_REPORTED, "anything"]),
        st.sampled_from([{}, {"answers": "1"}, {"answers": "2"}, {"answers": "4"}]),
        st.sampled_from([{}, {"insist": True, "extra": True, "replaced": True, "text": "so it was"}]),
    ),
    st.builds(lambda m: ("make", {"move": m}), st.sampled_from(["c3b5", "c3e2", "e4e2", "e1d1", "e8e7", "b5c3"])),
)
KINDS = {"press": c.Press, "pause": c.Pause, "draw": c.Draw, "claim": c.Claim, "arbiter": c.Arbiter}


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(ALL), st.sampled_from(["standard", "rapid", "blitz"]), st.booleans(), st.lists(SAID, max_size=25)
)
def test_only_what_was_proposed_is_applied_and_only_by_a_ruling(
    laws: c.Edition, play: c.Play, supervised: bool, said: list[tuple[str, dict[str, Any]]]
) -> None:
    table = Table(laws, CHECK, clock="300", play=play, supervised=supervised, announced=("quickplay",))
    for what, fields in said:
        before = len(table.events)
        table.make(fields["move"]) if what == "make" else table.give(KINDS[what], **fields)
        new = table.events[before:]
        ruled = what == "arbiter" and fields["do"] in ("uphold", "dismiss", "postpone")
        applied = [e for e in new if isinstance(e, c.Penalty) and e.status == "applied"]
        assert ruled or not applied
        for event in new:
            if isinstance(event, c.Claimed | c.Penalty | c.Violation | c.Illegal | c.Result):
                assert event.article
    unproposed = set(table.penalties("applied")) - set(table.penalties())
    assert unproposed <= {("white", "time", 2 * MINUTE), ("black", "time", 2 * MINUTE)}  # quickplay, rejected
    taken_back = sum(what == "arbiter" and fields["do"] == "undo" for what, fields in said)
    assert len([r for r in table.all(c.Result) if r.status == "final"]) <= 1 + taken_back
    assert all(count >= 0 for count in table.game.state.counts.values())
    assert all(fined >= 0 for fined in table.game.state.fined.values())


def test_each_ruling_has_its_row_and_its_act() -> None:
    assert {*get_args(c.Ruling)} == {*c.RULINGS} == {*ACTS}


def test_upheld_is_a_move_out_of_turn_put_back_while_the_clocks_stand() -> None:
    """7.4: what is touched meanwhile binds nobody."""
    table = Table("fide-2023", clock="5400+30").play("e2e4").make("d2d4")
    assert [broken.kind for broken in table.all(c.Violation)] == ["out-of-turn"]
    table.rule("uphold")
    left = table.left("black")
    table.touch("g8").make("d4d2").rule("resume")
    assert table.left("black") == left
    table.play("e7e5")
    assert [broken.kind for broken in table.all(c.Violation)] == ["out-of-turn"]


def test_where_nothing_awaits_anybody_nothing_stops() -> None:
    table = Table("fide-2023", clock="5400+30").play("e2e4").rule("uphold")
    assert table.game.state.clock is not None and table.game.state.clock.running == "black"
