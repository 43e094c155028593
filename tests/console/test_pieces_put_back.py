"""Pieces that a ruling returns to where they stood, and the times that are proposed for the clocks with it."""

import pytest
from arbiter_kit import Bench, put_back, times

from controller import contract as c


def test_upheld_the_pieces_must_be_put_back_and_then_it_is_done() -> None:
    bench = Bench().touch("g1").play("e2e4").rule("uphold")
    breach, board = bench.cases
    assert (breach.state, breach.outcome, breach.by) == ("closed", "upheld", "Ana")
    assert board.state == "board"
    restore = [*bench.shown.docket("en").values()][1]["restore"]
    assert restore["squares"] == ["e2", "e4"]
    assert restore["fen"].split("/")[4:] == ["8", "8", "PPPPPPPP", "RNBQKBNR"]
    assert restore["white"] is not None
    put_back(bench)
    assert board.state == "times"
    bench.rule("set-clock", white_ms=restore["white"], black_ms=restore["black"])
    assert (board.state, board.outcome, board.by) == ("closed", "set", "Ana")


def test_pieces_put_back_before_the_ruling_leave_the_clocks_to_be_set() -> None:
    """Of an illegal move: its player has been given an increment, and his opponent's clock has run."""
    bench = Bench(clock="300+3").play("e2e5").wait(20_000)
    bench.give(c.Lift, square="e5").give(c.Place, square="e2").give(c.Time).rule("uphold")
    board = bench.cases[-1]
    assert (board.state, bench.shown.attention) == ("times", 2)
    restore = bench.shown.docket("en")[f"case {board.seq}"]["restore"]
    assert (restore["white"], restore["black"]) == (bench.left("white") - 3_000, 303_000 + 120_000)
    bench.rule("set-clock", white_ms=restore["white"], black_ms=restore["black"])
    assert (board.state, board.outcome, board.by) == ("closed", "set", "Ana")


def test_times_proposed_for_the_clocks_stay_until_they_are_declined() -> None:
    bench = Bench().touch("g1").play("e2e4").rule("uphold")
    proposed = times(bench)
    put_back(bench).rule("resume").play("g1f3")
    board = bench.cases[-1]
    assert (board.state, times(bench), bench.shown.attention) == ("times", proposed, 2)
    assert bench.shown.docket("fr")[f"case {board.seq}"]["what"] == ["Les pièces ont retrouvé leur place"]
    bench.shown.cases.seen(board.seq)
    assert (board.state, board.outcome, times(bench), bench.shown.attention) == ("closed", "kept", None, 0)


@pytest.mark.parametrize("declined", [True, False])
def test_what_was_answered_before_the_pieces_are_back_is_not_asked_again(declined: bool) -> None:
    bench = Bench().touch("g1").play("e2e4").rule("uphold")
    board = bench.cases[-1]
    if declined:
        bench.shown.cases.seen(board.seq)
    else:
        bench.rule("set-clock", white_ms=60_000, black_ms=60_000)
    assert (board.state, times(bench)) == ("board", None)
    put_back(bench)
    assert (board.state, board.outcome) == ("closed", "restored")


@pytest.mark.parametrize("played_on", [True, False])
def test_after_a_restart_times_are_asked_about_only_where_nothing_was_played_since(played_on: bool) -> None:
    """Who left the clocks as they were is in no journal."""
    bench = put_back(Bench().touch("g1").play("e2e4").rule("uphold")).rule("resume")
    if played_on:
        bench.play("g1f3")
    bench.shown.cases.seen_before()
    assert bench.cases[-1].state == ("closed" if played_on else "times")


def test_with_the_ruling_that_is_taken_back_its_times_are_gone() -> None:
    bench = put_back(Bench().touch("g1").play("e2e4").rule("uphold"))
    board = bench.cases[1]
    bench.rule("undo")
    assert board.state == "closed"


def test_pieces_put_back_for_a_ruling_that_is_taken_back_are_shown_where_the_game_has_them_now() -> None:
    bench = Bench(clock="5400+30").touch("g1").play("e2e4").rule("uphold")
    bench.give(c.Lift, square="e4").give(c.Place, square="e2").rule("undo")
    _, board, now = bench.cases
    assert (board.state, board.outcome, now.state) == ("closed", "settled", "board")
    restore = bench.shown.docket("en")[f"case {now.seq}"]["restore"]
    assert restore == {"fen": restore["fen"], "squares": ["e2", "e4"], "white": None, "black": None, "played_on": False}
    assert restore["fen"].split("/")[4] == "4P3"


def test_a_square_that_holds_the_wrong_piece_is_named_from_the_first_on() -> None:
    """After Bxd5 something stands on d5, as it should; but the record knows that it is the bishop."""
    bench = Bench().play("e2e4", "g8f6", "f1c4", "f6d5").touch("b1")
    bench.give(c.Lift, square="c4").give(c.Lift, square="d5").give(c.Place, square="d5").wait(1_000).rule("uphold")
    board = bench.cases[-1]

    def squares() -> list[str]:
        return bench.shown.docket("en")[f"case {board.seq}"]["restore"]["squares"]

    assert (squares(), bench.shown.board("en")["displaced"]) == (["c4", "d5"], ["c4", "d5"])
    bench.give(c.Lift, square="d5").wait(1_000)
    assert "d5" in squares(), "now it is empty, and is to hold the knight"
    bench.give(c.Place, square="c4").wait(1_000)
    assert squares() == ["d5"]
    bench.give(c.Place, square="d5").wait(1_000)
    assert board.state != "board"


def test_a_square_is_named_no_more_once_its_wrong_piece_was_lifted() -> None:
    """The knight is set down on d5 before the bishop is back on c4."""
    bench = Bench().play("e2e4", "g8f6", "f1c4", "f6d5").touch("b1")
    bench.give(c.Lift, square="c4").give(c.Lift, square="d5").give(c.Place, square="d5").wait(1_000).rule("uphold")
    bench.give(c.Lift, square="d5").give(c.Place, square="d5").wait(1_000)
    restore = bench.shown.docket("en")[f"case {bench.cases[-1].seq}"]["restore"]
    assert (restore["squares"], bench.shown.board("en")["displaced"]) == (["c4"], ["c4"])


def test_a_piece_that_is_back_already_stands_on_no_wrong_square() -> None:
    bench = Bench().play("e2e4", "g8f6", "f1c4", "f6d5").touch("b1")
    bench.give(c.Lift, square="c4").give(c.Lift, square="d5").give(c.Place, square="d5").wait(1_000)
    bench.give(c.Lift, square="d5").give(c.Place, square="c4").give(c.Place, square="d5").give(c.Lift, square="a1")
    bench.wait(1_000).rule("uphold").wait(1_000)
    assert "d5" not in bench.shown.board("en")["displaced"]


def test_a_wrong_beginning_is_ruled_on_while_pieces_are_to_be_put_back() -> None:
    bench = Bench(clock="5400").touch("g1").play("e2e4").rule("uphold")
    assert bench.cases[-1].state == "board"
    bench.rule("report", kind="wrong-array", side="white")
    assert [case.state for case in bench.cases if case.state != "closed"] == ["board", "open"]
    shown = [*bench.shown.docket("en").values()][-1]
    assert {"uphold", "dismiss"} <= {offer["do"] for offer in shown["offers"]}


def test_a_ruling_taken_back_leaves_the_times_that_another_proposed() -> None:
    bench = put_back(Bench(clock="5400").touch("g1").play("e2e4").rule("uphold"))
    proposed = bench.cases[-1]
    assert proposed.state == "times"
    bench.rule("report", side="white", kind="phone", text="rang").rule("dismiss")
    bench.rule("undo", of=bench.ms)
    assert proposed.state == "times"


def test_what_was_played_since_is_said_where_times_are_still_proposed() -> None:
    bench = put_back(Bench(clock="5400").touch("g1").play("e2e4").rule("uphold")).rule("resume")
    shown = [bench.shown.docket("en")[f"case {bench.cases[-1].seq}"]["restore"]["played_on"]]
    bench.play("g1f3")
    shown.append(bench.shown.docket("en")[f"case {bench.cases[-1].seq}"]["restore"]["played_on"])
    assert shown == [False, True]


@pytest.mark.parametrize(("taken", "goes"), [([], "g4"), (["e5"], "e5")], ids=["to an empty square", "on a pawn"])
def test_a_piece_that_stands_where_it_may_not_is_not_in_hand_until_it_is_lifted_again(
    taken: list[str], goes: str
) -> None:
    bench = Bench(clock="300").play("e2e4", "e7e5").give(c.Lift, square="g1")
    for square in taken:
        bench.give(c.Lift, square=square)
    assert "the white knight on g1" in bench.shown.board("en")["hand"]
    bench.give(c.Place, square=goes).give(c.Press, side="white")
    assert bench.cases and bench.shown.board("en")["hand"] == []
    bench.give(c.Lift, square=goes)
    assert "the white knight on g1" in bench.shown.board("en")["hand"]
    bench.give(c.Place, square="g1")
    for square in taken:
        bench.give(c.Place, square=square)
    bench.give(c.Lift, square="g1")
    assert "the white knight on g1" in bench.shown.board("en")["hand"]
