"""Games that began wrongly: pieces exchanged, the board turned, colours reversed; found in time or too late (7.1-7.2,
from 2014 7.2-7.3)."""

import chess
import pytest
from at_the_board import ALL, NEW, OLD, Table

from controller import contract as c

EXCHANGED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"  # White's king and queen
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
PAWNS = [move for file in "abcdefgh" for move in (f"{file}2{file}3", f"{file}7{file}6")]
LONG = (*PAWNS, "a3a4", "a6a5", "b3b4", "b6b5", "c3c4", "c6c5", "d3d4")
CLOCK = "5400+5400"


def exchanged(laws: c.Edition = "fide-2023", **session: object) -> Table:
    """White's king and queen stand exchanged on a board that sees it."""
    table = Table(laws, senses="identity", **{"clock": CLOCK, **session})  # type: ignore[arg-type]
    table.events += table.game.handle(c.Place(ms=0, square="d1", piece="K"))
    table.events += table.game.handle(c.Place(ms=0, square="e1", piece="Q"))
    return table.give(c.Time)


def play(table: Table, *moves: str) -> Table:
    """Play on a board that tells kinds apart."""
    for move in moves:
        piece = table.game.state.readings[chess.parse_square(move[:2])]
        table.give(c.Lift, square=move[:2]).give(c.Place, square=move[2:], piece=piece).give(c.Time)
        table.give(c.Press, side=table.game.state.clock.running)  # type: ignore[union-attr]
    return table


def told(table: Table) -> list[tuple[str | None, str | None, list[str]]]:
    return [(d.beginning, d.remedy, d.squares) for d in table.all(c.Displaced)]


# -- seen by the board -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_king_and_queen_exchanged_are_seen_and_named_and_no_fault_of_anybody(laws: c.Edition) -> None:
    table = exchanged(laws)
    assert told(table) == [("wrong-array", "new-game", ["d1", "e1"])]
    assert table.all(c.Illegal) == table.all(c.Violation) == table.all(c.Restored) == []


@pytest.mark.parametrize(("laws", "clause"), [("fide-2005", "7.1a"), ("fide-2014", "7.2a"), ("fide-2023", "7.2.1")])
def test_the_clause_is_the_editions_and_the_position_is_told(laws: c.Edition, clause: str) -> None:
    said = exchanged(laws).all(c.Displaced)[-1]
    assert (said.article, said.fen) == (clause, f"{EXCHANGED} w kq - 0 1")


def test_who_follows_the_events_learns_that_the_initial_position_counts_again() -> None:
    begun_anew = exchanged().rule("uphold").all(c.Displaced)[-1]
    assert (begun_anew.squares, begun_anew.fen) == (["d1", "e1"], chess.STARTING_FEN)
    told = Table("fide-2023").rule("report", kind="wrong-array", side="white").rule("uphold")
    assert told.all(c.Restored)[-1].fen == chess.STARTING_FEN


def test_put_right_before_the_first_move_the_game_begins_as_it_should() -> None:
    table = exchanged().give(c.Lift, square="d1").give(c.Lift, square="e1")
    table.give(c.Place, square="e1", piece="K").give(c.Place, square="d1", piece="Q").give(c.Time)
    assert [said.fen for said in table.all(c.Restored)] == [chess.STARTING_FEN]
    assert table.game.state.notices == ()
    assert table.all(c.Illegal) == table.all(c.Violation) == []
    play(table, "e2e4")
    assert table.fen.startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq")


def test_play_on_it_is_followed_as_the_pieces_stand() -> None:
    table = play(exchanged(), "d2d4", "d7d5", "d1d2")
    assert [m.san for m in table.all(c.Move)] == ["d4", "d5", "Kd2"]
    assert table.all(c.Move)[0].fen == "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBKQBNR b kq - 0 1"
    assert table.all(c.Illegal) == table.all(c.Violation) == []


@pytest.mark.parametrize("laws", ALL)
def test_upheld_in_standard_play_a_new_game_begins_however_late(laws: c.Edition) -> None:
    table = play(exchanged(laws), *LONG).rule("uphold")
    assert table.fen == chess.STARTING_FEN
    assert len(table.all(c.Retract)) == len(table.all(c.Move)) == 23
    assert table.all(c.Retract)[-1].fen == chess.STARTING_FEN
    assert (told(table)[-1][0], told(table)[-1][2][:2]) == (None, ["d1", "e1"])
    assert (table.left("white"), table.left("black")) == (10_800_000, 10_800_000)
    assert [table.game.state.clock.moves(side) for side in ("white", "black")] == [0, 0]  # type: ignore[union-attr]


@pytest.mark.parametrize("what", ["colours-reversed", "wrong-array"])
@pytest.mark.parametrize("played", [("e2e4", "e7e5"), ()])
def test_what_was_touched_in_the_old_game_binds_nobody_in_the_new_one(what: str, played: tuple[str, ...]) -> None:
    table = Table("fide-2023", clock=CLOCK).play(*played).give(c.Lift, square="g1")
    table.rule("report", kind=what, side="white").wait(2000)
    begun = len(table.events)
    table.rule("uphold").give(c.Time)
    assert table.fen == chess.STARTING_FEN
    assert {each.must for each in table.events[begun:] if isinstance(each, c.Obligation)} <= {"none"}
    assert table.game.state.owed is None


def test_a_new_game_begun_by_mistake_gives_the_old_one_back() -> None:
    table = play(exchanged(), *SHUFFLE[:3])
    fen, left = table.fen, table.left("white")
    table.rule("pause", "uphold", "undo")
    assert [d.fen for d in table.all(c.Displaced) if d.fen][-1] == f"{EXCHANGED} w kq - 0 1"
    assert (table.fen, [n.what for n in table.game.state.notices]) == (fen, ["wrong-array"])
    assert table.left("white") == left
    assert play(table.rule("resume"), "f6g8").all(c.Move)[-1].uci == "f6g8"


def test_dismissed_it_is_played_on() -> None:
    table = play(exchanged(), "d2d4").rule("dismiss")
    assert (table.game.state.notices, len(table.all(c.Move))) == ((), 1)
    assert play(table, "d7d5").all(c.Completed)[-1].uci == "d7d5"


@pytest.mark.parametrize(("laws", "limit"), [("fide-2005", 3), ("fide-2009", 3), ("fide-2014", 10), ("fide-2023", 10)])
def test_in_rapid_it_stands_once_each_has_completed_so_many_moves(laws: c.Edition, limit: int) -> None:
    early = play(exchanged(laws, play="rapid", supervised=False), *LONG[: 2 * limit - 1]).rule("uphold")
    assert early.fen == chess.STARTING_FEN
    late = play(exchanged(laws, play="rapid", supervised=False), *LONG[: 2 * limit]).rule("uphold")
    assert (late.all(c.Retract), told(late)[-1]) == ([], ("wrong-array", "play-on", []))
    assert play(late, LONG[2 * limit]).all(c.Completed)[-1].uci == LONG[2 * limit]


def test_a_misread_piece_is_no_wrong_array() -> None:
    table = Table("fide-2023", senses="identity").give(c.Place, square="d1", piece="N").give(c.Time)
    assert told(table) == [(None, None, ["d1"])]


# -- told by an arbiter ----------------------------------------------------------------------------------------------


def test_where_the_board_cannot_see_it_the_arbiter_tells() -> None:
    table = Table("fide-2023").play("e2e4").rule("report", kind="wrong-array", side="white")
    assert told(table) == [("wrong-array", "new-game", [])]
    assert table.rule("uphold").fen == chess.STARTING_FEN


def test_too_late_there_is_no_castling_with_that_king() -> None:
    table = Table("fide-2005", play="rapid", clock=CLOCK).play(*SHUFFLE * 2)
    table.rule("report", kind="wrong-array", side="white")
    assert told(table) == [("wrong-array", "play-on", [])]
    assert table.all(c.Displaced)[-1].fen == f"{EXCHANGED} w kq - 8 5"
    table.play("d2d4", "d7d5", "d1d2")
    assert table.all(c.Move)[-1].san == "Kd2"


@pytest.mark.parametrize("moves", [SHUFFLE * 2, ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6")])
def test_told_of_the_wrong_player_it_is_taken_back(moves: tuple[str, ...]) -> None:
    table = Table("fide-2005", play="rapid", clock=CLOCK).play(*moves)
    fen = table.fen
    table.rule("report", kind="wrong-array", side="white")
    assert table.fen != fen
    assert table.rule("undo").fen == table.all(c.Displaced)[-1].fen == fen
    assert table.all(c.Retract) == []
    assert table.rule("resume").play("a2a3").all(c.Completed)[-1].uci == "a2a3"


def test_a_king_that_has_moved_since_stands_where_the_game_has_him() -> None:
    moves = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6")
    table = Table("fide-2005", play="rapid", clock=CLOCK).play(*moves).rule("report", kind="wrong-array", side="white")
    told_fen = table.all(c.Displaced)[-1].fen
    assert told_fen == "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w kq - 4 4"


@pytest.mark.parametrize("laws", OLD)
def test_up_to_2014_a_game_with_colours_reversed_goes_on(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4").rule("report", kind="colours-reversed")
    assert (told(table), table.game.state.notices) == ([("colours-reversed", "play-on", [])], ())


def test_for_the_colours_a_move_counts_as_soon_as_it_is_made() -> None:
    table = Table("fide-2023", clock=CLOCK).play(*LONG[:19]).make(LONG[19]).rule("report", kind="colours-reversed")
    assert told(table) == [("colours-reversed", "play-on", [])]
    rapid = Table("fide-2023", clock=CLOCK, play="rapid", supervised=False).play(*LONG[:19]).make(LONG[19])
    assert told(rapid.rule("report", kind="wrong-array", side="white")) == [("wrong-array", "new-game", [])]


@pytest.mark.parametrize("laws", NEW)
@pytest.mark.parametrize(("moves", "remedy"), [(19, "new-game"), (20, "play-on")])
def test_from_2017_it_goes_on_after_ten_moves_of_each(laws: c.Edition, moves: int, remedy: str) -> None:
    table = Table(laws, clock=CLOCK).play(*LONG[:moves]).rule("report", kind="colours-reversed")
    assert told(table) == [("colours-reversed", remedy, [])]


@pytest.mark.parametrize("laws", ALL)
def test_a_turned_board_found_by_an_arbiter_begins_no_new_game(laws: c.Edition) -> None:
    table = Table(laws, clock=CLOCK).play(*LONG).rule("report", kind="turned-board")
    assert (told(table), table.game.state.notices) == ([("turned-board", "transfer", [])], ())
    rapid = Table(laws, play="rapid", supervised=False, clock="900").play(*LONG).rule("report", kind="turned-board")
    assert told(rapid) == [("turned-board", "play-on", [])], "too late"
