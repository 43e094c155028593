"""Pieces that came from nowhere, as a captured one put on the board by mistake: no move, in nobody's way (7.4)."""

import chess
import pytest
from shorthand import CASTLING, CLOCK, MIDDLEGAME, accusations, only, play, record, seen

from controller import contract as c

STRAY = "1000 place h6 n; "
ON_EVERY_BOARD = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])


def on(senses: c.Senses, log: str, fen: str = MIDDLEGAME) -> list[c.AnyEvent]:
    """The events of a log told with kinds, as a board that senses no more than ``senses`` has it."""
    steps = [step.split() for step in log.split(";")]
    told = [[*words[:3], seen(words[3], senses)] if words[1] == "place" else words for words in steps]
    return play(";".join(" ".join(words) for words in told), fen, clock=CLOCK, senses=senses)


@ON_EVERY_BOARD
@pytest.mark.parametrize(
    ("fen", "moved", "move"),
    [
        (MIDDLEGAME, "3000 lift d2; 4000 place d3 P", "d2d3"),
        (MIDDLEGAME, "3000 lift f3; 4000 lift e5; 5000 place e5 N", "f3e5"),
        (CASTLING, "3000 lift e1; 4000 place g1 K; 4500 lift h1; 5000 place f1 R", "e1g1"),
    ],
)
def test_beside_a_piece_from_nowhere_play_goes_on(senses: c.Senses, fen: str, moved: str, move: str) -> None:
    stray = "1000 place h5 n; "  # where no piece may have gone whose own square did not show it
    events = on(senses, stray + moved + "; 6000 press white; 7000 lift a7; 8000 place a6 p; 9000 press black", fen)
    assert [(said.ms, said.squares) for said in only(c.Displaced, events)] == [(1400, ["h5"])]
    assert [done.uci for done in only(c.Completed, events)] == [move, "a7a6"]
    assert not accusations(events)


@ON_EVERY_BOARD
def test_taken_off_on_the_next_turn_the_board_matches_again(senses: c.Senses) -> None:
    log = STRAY + "3000 lift d2; 4000 place d3 P; 5000 press white; 6000 lift h6; 7000 lift g8; 8000 place f6 n"
    events = on(senses, log)
    assert [said.ms for said in only(c.Restored, events)] == [6000]
    assert record(events) == ["d2d3", "g8f6"]
    assert not accusations(events)


@ON_EVERY_BOARD
def test_an_illegal_move_beside_it_is_one_still(senses: c.Senses) -> None:
    events = on(senses, STRAY + "3000 lift b1; 4000 place b3 N; 5000 press white")
    assert [(said.kind, said.count) for said in only(c.Illegal, events) if said.completed] == [("illegal-move", 1)]


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_piece_set_down_in_its_place_has_moved_there(senses: c.Senses) -> None:
    events = on(senses, "1000 place g5 n; 3000 lift f3; 4000 place g5 N; 5000 press white")
    assert [done.uci for done in only(c.Completed, events)] == ["f3g5"]
    assert not accusations(events)


@ON_EVERY_BOARD
def test_who_presses_with_a_piece_in_hand_has_set_him_down_there(senses: c.Senses) -> None:
    """His origin was seen late to open."""
    events = on(senses, "1000 place d3 P; 3000 lift d2; 4000 press white")
    assert [done.uci for done in only(c.Completed, events)] == ["d2d3"]
    assert not accusations(events)


def test_but_not_where_one_has_stood_since_an_earlier_turn() -> None:
    moves = "3000 lift e2; 4000 place e3; 5000 press white; 6000 lift a7; 7000 place a6; 8000 press black;"
    log = f"1000 place h6; {moves} 9000 lift c1; 10000 press white"
    events = play(log, "4k3/p7/8/8/8/8/4P3/2B1K3 w - -", clock=CLOCK)
    assert record(events) == ["e2e3", "a7a6"]


def test_a_new_piece_where_no_pawn_can_go_is_an_illegal_move_once_the_pawn_is_off_and_the_clock_pressed() -> None:
    events = on("identity", "1000 place b8 Q; 3000 lift a7; 4000 press white", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert [said.kind for said in only(c.Illegal, events) if said.completed] == ["illegal-move"]


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_nobody_has_set_up_another_game_in_his_turn_and_pressed(senses: c.Senses) -> None:
    """The boards of two games are exchanged between two readings, and then White presses."""
    here, there = chess.Board(), chess.Board()
    for move in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"):
        here.push_san(move)
    for move in ("d4", "d5", "c4", "e6", "Nc3", "Nf6", "Bg5", "Be7", "e3", "O-O", "Nf3", "h6"):
        there.push_san(move)
    now = {square: (here.piece_at(square), there.piece_at(square)) for square in chess.SQUARES}
    changed = {square: both for square, both in now.items() if both[0] != both[1]}
    log = [f"1000 lift {chess.SQUARE_NAMES[square]}" for square, (piece, _) in changed.items() if piece]
    log += [
        f"1000 place {chess.SQUARE_NAMES[square]} {seen(piece.symbol(), senses)}"
        for square, (_, piece) in changed.items()
        if piece
    ]
    events = play("; ".join([*log, "6000 press white", "60000 time"]), here.fen(), senses=senses, clock=CLOCK)
    assert not accusations(events)
    assert not only(c.Move, events)
    assert only(c.Displaced, events)


@ON_EVERY_BOARD
def test_who_is_pushed_on_to_a_last_rank_as_he_is_taken_is_nobodys_promotion(senses: c.Senses) -> None:
    """He stands there for a while before the pawn that might promote to him."""
    queen, rook = seen("Q", senses), seen("r", senses)
    taken = f"1000 lift b2; 1300 lift b7; 1500 place a8 {queen}; 1700 place b7 {rook}; 2600 lift a8; "
    events = play(taken + "6000 lift e1; 6500 place e2", "4k3/PQ6/8/8/8/8/1r6/4K3 b - - 0 1", senses=senses)
    assert record(events) == ["b2b7", "e1e2"]
    assert not accusations(events)


def test_who_takes_after_it_has_gone_has_not_taken_unseen_beside_it() -> None:
    """One from the box stood on e5 before the pawn g4 was taken up: it is not the bishop f5, pushed aside by that."""
    fen = "1n1q1bnr/rpp3p1/p2P2k1/3P1b1p/2P1P1P1/8/PP5P/RNB1KBNR b KQ - 0 10"
    black = "1000 lift g8; 1900 place f6; 2800 press black; 3200 place e5; 6000 lift e5"
    log = f"{black}; 8000 lift g4; 8600 lift h5; 8956 place h5; 9900 press white"
    events = play(log, fen, clock=CLOCK)
    assert [(move.uci, move.ms) for move in only(c.Move, events)] == [("g8f6", 2300), ("g4h5", 9356)]


@pytest.mark.parametrize(("senses", "rook"), [("colour", "b"), ("identity", "R"), ("identity", "r")])
def test_what_cannot_be_the_piece_in_his_hand_was_not_set_down_by_it(senses: c.Senses, rook: str) -> None:
    """A rook from the box is put on b6 while White holds a pawn, whom he sets down as the rules have it."""
    pawn = seen("P", senses)
    events = play(
        f"2000 lift g2; 2600 place b6 {rook}; 5000 place g3 {pawn}; 6500 press white", clock=CLOCK, senses=senses
    )
    assert (record(events), accusations(events)) == (["g2g3"], [])
    assert only(c.Displaced, events)[-1].squares == ["b6"]
