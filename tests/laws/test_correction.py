"""An arbiter sets the record right by hand: what was played is put in, what follows stands where it can (`correct`)."""

from typing import Any

import chess
import pytest
from at_the_board import ALL, Table, record

from controller import contract as c
from controller.errors import LogError
from controller.laws.correction import correct

BOTH_KNIGHTS = ("g1f3", "g8f6", "d2d4", "d7d5", "b1d2", "b8c6")  #: after these another knight could stand on d2
TWO_VICTIMS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"


def refused(table: Table, **fields: Any) -> LogError:
    """Why a correction is refused; it changes nothing."""
    before, told = table.game.state, len(table.events)
    with pytest.raises(LogError) as error:
        correct(before, c.Arbiter(ms=before.now, do="correct", **fields))
    table.rule("correct", **fields)
    assert table.game.state.made == before.made
    assert len(table.events) == told
    assert error.value.cause and error.value.next_step
    return error.value


@pytest.mark.parametrize("laws", ALL)
def test_the_last_move_was_another(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4", "e7e5", "g1f3").rule("pause", "correct", ply=3, moves=("b1c3",))
    assert record(table) == ["e2e4", "e7e5", "b1c3"]
    given = table.all(c.Move)[-1]
    assert (given.san, given.ply, given.basis, given.confidence, given.others) == ("Nc3", 3, "reported", None, [])
    assert table.fen == given.fen


def test_what_was_played_after_it_stands_where_it_is_legal() -> None:
    table = Table("fide-2023").play(*BOTH_KNIGHTS)
    told = len(table.events)
    table.rule("correct", ply=5, moves=("f3d2",))
    assert record(table) == [*BOTH_KNIGHTS[:4], "f3d2", "b8c6"]
    said = [event for event in table.events[told:] if isinstance(event, c.Move | c.Retract)]
    assert [event.uci for event in said] == ["b8c6", "b1d2", "f3d2", "b8c6"]
    assert table.fen == "r1bqkb1r/ppp1pppp/2n2n2/3p4/3P4/8/PPPNPPPP/RNBQKB1R w KQkq - 2 4"
    assert said[-1].fen == table.fen


def test_clock_times_stay_as_they_were() -> None:
    plain, corrected = (Table("fide-2023", clock="5400+30").play(*BOTH_KNIGHTS) for _ in range(2))
    told = len(corrected.events)
    corrected.rule("correct", ply=5, moves=("f3d2",))
    plain.wait(0)
    assert [corrected.left(side) for side in ("white", "black")] == [plain.left(side) for side in ("white", "black")]
    assert not [event for event in corrected.events[told:] if isinstance(event, c.Clock)]
    done = {event.uci: (event.white_ms, event.black_ms) for event in plain.all(c.Completed)}
    again = [event for event in corrected.events[told:] if isinstance(event, c.Completed)]
    assert [(e.uci, e.white_ms, e.black_ms) for e in again] == [
        ("f3d2", *done["b1d2"]),
        ("b8c6", *done["b8c6"]),
    ]
    assert corrected.game.state.made[-1].left == plain.game.state.made[-1].left


def test_what_does_not_fit_after_it_is_named_and_nothing_changes() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
    error = refused(table, ply=1, moves=("d2d4",))
    assert error.what == "3. Bb5 does not fit: from there it is not legal"


def test_moves_given_up_to_it_take_its_place_too() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
    table.rule("correct", ply=1, moves=("d2d4", "e7e5", "g1f3", "b8c6", "d4e5"))
    assert record(table) == ["d2d4", "e7e5", "g1f3", "b8c6", "d4e5"]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"moves": ("e2e4",)}, "which move?"),
        ({"ply": 4, "moves": ("e2e4",)}, "there is no ply 4 to set right"),
        ({"ply": 1}, "what was played?"),
        ({"ply": 1, "moves": ("e2e5",)}, "e2e5 is not legal at 1."),
        ({"ply": 1, "moves": ("a1a1",)}, "a1a1 is no move"),
        ({"ply": 2, "moves": ("e7e8q",)}, "e7e8q is not legal at 1…"),
        ({"ply": 2, "moves": ("e7e5",)}, "the record says so already"),
        (
            {"ply": 1, "moves": ("e2e3", "e7e5", "a2a3"), "replaces": 0},
            "1. e4 does not fit: from there it is not legal",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(fields: dict[str, Any], what: str) -> None:
    assert refused(Table("fide-2023").play("e2e4", "e7e5"), **fields).what == what


def test_moves_played_in_a_gap_are_put_in_after_the_last() -> None:
    """The cable was out for four plies, among them a capture of which the board shows nothing."""
    table = Table("fide-2023", clock=None).make("e2e4")
    board = table.game.state.position.board.copy()
    given = ("e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "f3e5")
    for move in given:
        board.push_uci(move)
    shown = "".join("x" if board.piece_at(square) else "." for square in range(64))
    table.give(c.Unseen).wait(60_000).give(c.Seen, shown=shown).wait(2000)
    assert record(table) != ["e2e4", *given]
    replaced = sum(bool(made.move) for made in table.game.state.made) - 1
    table.rule("correct", ply=2, moves=given, replaces=replaced)
    assert record(table) == ["e2e4", *given]
    assert table.fen == board.fen()
    assert not table.game.state.mismatch and not table.game.state.unsure
    table.make("d8d4")  # and the game is followed again, with nothing inferred
    assert (table.all(c.Move)[-1].uci, table.all(c.Move)[-1].basis) == ("d8d4", None)
    assert not table.all(c.Violation) and not table.all(c.Illegal)


def test_moves_missed_in_the_middle_may_be_put_in_between() -> None:
    table = Table("fide-2023", clock=None).make("e2e4", "e7e5", "g1f3")
    table.rule("correct", ply=3, moves=("f1c4", "f8c5"), replaces=0)
    assert record(table) == ["e2e4", "e7e5", "f1c4", "f8c5", "g1f3"]
    assert [move.ply for move in table.all(c.Move)[-3:]] == [3, 4, 5]


def test_a_capture_whose_victim_nobody_saw_was_another() -> None:
    """Exchanged unseen: either pawn may have been taken. What the arbiter says is no question of likelihood."""
    table = Table("fide-2023", TWO_VICTIMS, clock="300")
    table.give(c.Lift, square="e4").give(c.Press, side="white").wait(2000)
    guess = record(table)
    other = next(move for move in ("e4d5", "e4f5") if [move] != guess)
    table.rule("correct", ply=1, moves=(other,))
    assert record(table) == [other]
    assert table.all(c.Move)[-1].basis == "reported"
    table.play("e8e7")
    assert record(table) == [other, "e8e7"]


def test_where_the_sensors_leave_two_open_his_word_settles_it() -> None:
    """Nothing was told yet: the world in which it was so goes on, and no other."""
    table = Table("fide-2023", TWO_VICTIMS, clock="300")
    table.give(c.Lift, square="e4").give(c.Press, side="white").give(c.Lift, square="e8").give(c.Place, square="e7")
    for move in ("e4d5", "e4f5"):
        if record(table)[:1] != [move]:
            table.rule("correct", ply=1, moves=(move,))
            assert record(table)[0] == move


def test_a_press_without_a_move_was_a_move_and_is_held_against_nobody() -> None:
    table = Table("fide-2023", clock="300").play("e2e4")
    table.wait(500).give(c.Press, side="black")
    assert table.game.state.counts["black"] == 1
    table.rule("correct", ply=2, moves=("e7e5",))
    assert record(table) == ["e2e4", "e7e5"]
    s = table.game.state
    assert (s.counts["black"], s.fined["black"], s.notices) == (0, 0, ())
    assert s.made[-1].completed


def test_what_the_board_does_not_show_accuses_nobody() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "g1f3").rule("correct", ply=3, moves=("b1c3",)).wait(5000)
    assert table.all(c.Displaced)[-1].squares == ["b1", "g1", "c3", "f3"]
    assert not table.all(c.Illegal) and not table.all(c.Violation)


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("plies", [1, 2])
def test_what_is_struck_out_is_not_made_anew_as_it_stands_there_still(laws: c.Edition, plies: int) -> None:
    """Nor does who puts it back touch anything."""
    table = Table(laws).play("e2e4", "e7e5", "g1f3")
    table.rule("correct", ply=4 - plies, moves=(), replaces=plies).wait(5000)
    assert record(table) == ["e2e4", "e7e5", "g1f3"][:-plies]
    assert table.all(c.Displaced)[-1].squares == sorted(["g1", "f3", "e5", "e7"][: 2 * plies], key=chess.parse_square)
    told = len(table.events)
    for back, origin in [("f3", "g1"), ("e5", "e7")][:plies]:
        table.give(c.Lift, square=back).give(c.Place, square=origin).wait(0)
    assert [type(event) for event in table.events[told:] if not isinstance(event, c.Displaced)] == [c.Restored]
    assert table.game.state.turn.touches == ()


def test_of_a_notice_on_another_move_nothing_is_lost() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").touch("b1").play("g1f3", "b8c6")
    (notice,) = table.game.state.notices
    table.rule("correct", ply=1, moves=("e2e3",))
    (after,) = table.game.state.notices
    assert (after.ids, after.at) == (notice.ids, 2)
    assert after.before.fen() == table.game.state.made[2].before.fen()
    table.rule("uphold", answers=after.ids[0])
    assert record(table) == ["e2e3", "e7e5"]


def test_a_breach_of_a_move_that_was_not_played_is_no_breach() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").touch("b1").play("g1f3")
    assert table.game.state.notices
    table.rule("correct", ply=3, moves=("b1c3",))
    assert not table.game.state.notices


def test_after_something_illegal_that_waits_nothing_is_told_anew() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "g1g3")
    assert refused(table, ply=1, moves=("d2d4",)).what.startswith("something illegal was played after it, at 2.")


@pytest.mark.parametrize("corrections", [1, 2])
def test_it_is_taken_back_like_every_ruling(corrections: int) -> None:
    table = Table("fide-2023").play(*BOTH_KNIGHTS)
    s = table.game.state
    table.rule("correct", ply=5, moves=("f3d2",))
    if corrections == 2:
        table.rule("correct", ply=6, moves=("b8d7",))
        assert record(table)[-2:] == ["f3d2", "b8d7"]
    table.rule(*["undo"] * corrections)
    assert record(table) == [*BOTH_KNIGHTS]
    assert [(m.move, m.left, m.done) for m in table.game.state.made] == [(m.move, m.left, m.done) for m in s.made]
    assert not table.game.state.mismatch


def test_once_more_is_played_undo_takes_back_the_move() -> None:
    table = Table("fide-2023").play("e2e4").rule("correct", ply=1, moves=("d2d4",))
    table.rule("correct", ply=1, moves=("e2e4",)).play("e7e5").rule("undo")
    assert record(table) == ["e2e4"]


@pytest.mark.parametrize("text", ["", "both players say so"])
def test_a_move_that_mates_ends_the_game_and_taken_back_it_goes_on(text: str) -> None:
    table = Table("fide-2023").play("f2f3", "e7e5", "g2g4", "b8c6")
    table.rule("correct", ply=4, moves=("d8h4",), text=text)
    assert table.result == ("0-1", "checkmate")
    table.rule("undo")
    assert table.game.state.result is None
    assert record(table) == ["f2f3", "e7e5", "g2g4", "b8c6"]


def test_after_the_end_the_record_is_set_right_and_the_result_stands() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "g1f3").give(c.Resign, side="black")
    table.rule("correct", ply=3, moves=("b1c3",))
    assert record(table) == ["e2e4", "e7e5", "b1c3"]
    assert [each.result for each in table.all(c.Result)] == ["1-0"]
    assert not table.all(c.Displaced)


def test_after_a_mate_only_what_leads_to_one_fits() -> None:
    table = Table("fide-2023").play("f2f3", "e7e5", "g2g4", "d8h4")
    assert table.result == ("0-1", "checkmate")
    assert refused(table, ply=4, moves=("b8c6",)).what.startswith("the game has ended by checkmate")
    table.rule("correct", ply=1, moves=("f2f4",))
    assert record(table) == ["f2f4", "e7e5", "g2g4", "d8h4"]


def test_touches_of_the_turn_go_on_binding() -> None:
    table = Table("fide-2023").play(*BOTH_KNIGHTS).give(c.Lift, square="e2").give(c.Time)
    table.rule("correct", ply=2, moves=("g8h6",))
    owed = table.game.state.owed
    assert owed is not None
    assert sorted(move.uci() for move in owed.moves) == ["e2e3", "e2e4"]


def test_in_a_match_it_is_refused_plainly() -> None:
    match = Table.__new__(Table)
    match.ms, match.events = 0, []
    from controller.match import MatchAQuatre

    match.game = MatchAQuatre(c.Session(version=1, match="bughouse", clock="180"))  # type: ignore[assignment]
    for square in ("e2", "e4"):
        match.give(c.Lift if square == "e2" else c.Place, square=square, board="A")
    match.give(c.Press, side="white", board="A")
    state = match.game.games["A"].state  # type: ignore[attr-defined]
    with pytest.raises(LogError, match="the record of a match cannot be set right by hand"):
        correct(state, c.Arbiter(ms=state.now, board="A", do="correct", ply=1, moves=("d2d4",)))
    match.rule("correct", board="A", ply=1, moves=("d2d4",))
    assert [event.uci for event in match.all(c.Move)] == ["e2e4"]


def test_replayed_it_gives_the_same_events() -> None:
    first, second = (
        Table("fide-2023").play(*BOTH_KNIGHTS).rule("correct", ply=5, moves=("f3d2",)).play("e2e3") for _ in range(2)
    )
    assert first.events == second.events
