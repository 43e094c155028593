"""A sensor that sticks open or closed, from the first move on or later, and nobody says so: the game goes on over it,
nobody is accused, and the square is named."""

import chess
import pytest
from shorthand import CASTLING, CLOCK, accusations, inputs, only, play, record, seen, session

from controller import contract as c
from controller.game import Game
from controller.sensing import costs

OPEN_E4 = (
    "1000 lift e2; 2000 press white; 3000 lift g8; 4000 place f6; 5000 press black;"
    "6000 lift d2; 7000 place d3; 8000 press white; 9000 lift f6; 11000 press black;"
    "12000 lift d3; 13000 press white; 14000 lift d7; 15000 place d5; 16000 press black"
)
"""e4 stays open: a pawn goes there, a knight takes it, and is taken."""

CLOSED_B1 = (
    "1000 place c3; 2000 press white; 3000 lift e7; 4000 place e5; 5000 press black;"
    "6000 lift c3; 7000 press white; 8000 lift d7; 9000 place d5; 10000 press black;"
    "11000 place c3; 12000 press white"
)
"""b1 stays closed: its knight goes, comes back, and goes once more."""


@pytest.mark.parametrize(
    ("log", "moves", "square"),
    [
        (OPEN_E4, "e2e4 g8f6 d2d3 f6e4 d3e4 d7d5", "e4"),
        (CLOSED_B1, "b1c3 e7e5 c3b1 d7d5 b1c3", "b1"),
    ],
)
def test_moves_over_it_are_inferred_and_it_is_named(log: str, moves: str, square: str) -> None:
    events = play(log, clock=CLOCK)
    assert record(events) == moves.split()
    assert not accusations(events)
    assert only(c.Disbelieved, events)[-1].squares == [square]


def test_who_takes_from_there_may_exchange_unseen_too() -> None:
    """Nothing at all is seen of it, but the press."""
    log = "1000 lift e2; 2000 press white; 3000 lift d7; 4000 place d5; 5000 press black; 8000 press white;"
    events = play(
        f"{log} 9000 lift d8; 10000 press black; 11000 lift b1; 11500 place c3; 12000 press white", clock=CLOCK
    )
    assert record(events) == ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]
    assert not accusations(events)


def test_once_it_shows_something_it_is_believed_again() -> None:
    events = play(f"{OPEN_E4}; 17000 place e4", clock=CLOCK)
    assert only(c.Disbelieved, events)[-1].squares == []


def test_who_left_it_is_found_though_he_has_gone_on() -> None:
    """b8 stays closed: its knight takes, and has moved again before anything was odd: that is
    found, though by then White has been accused of a move out of turn."""
    takes = "1000 lift a6; 1350 place a6; 1600 lift b4; 1700 lift c5; 1950 place c5; 5400 lift a6; 5650 place c7;"
    log = f"{takes} 8000 lift e1; 8500 place e2; 9500 lift e8; 10000 place e7"
    events = play(log, "1n2k3/8/B7/2p5/1P6/8/8/4K3 b - -")
    assert record(events) == ["b8a6", "b4c5", "a6c7", "e1e2", "e8e7"]


OPENING = "1000 lift e2; 1400 place e4; 2000 press white; 3000 lift e7; 3400 place e5; 4000 press black;"


@pytest.mark.parametrize("clock", [CLOCK, None])
def test_it_closes_where_the_piece_in_hand_may_go_and_plays_no_part(clock: str | None) -> None:
    """d3 sticks closed while the bishop is carried over it to b5, and on to a4 with the next move: a piece from nowhere
    that vanishes again is dearer than that."""
    log = f"{OPENING} 5000 lift f1; 5300 place d3; 6200 place b5; 6700 press white; 8000 lift a7; 8400 place a6;"
    log = f"{log} 9000 press black; 10000 lift b5; 10500 place a4; 11000 press white"
    events = play(log if clock else log.replace("press white", "time").replace("press black", "time"), clock=clock)
    assert record(events) == ["e2e4", "e7e5", "f1b5", "a7a6", "b5a4"]
    assert not accusations(events)
    assert only(c.Disbelieved, events)[-1].squares == ["d3"]


def test_a_pawn_about_to_promote_explains_no_piece_in_mid_board() -> None:
    """c3 sticks closed while the queen goes from d1 to h5: two came to stand, one was taken up, and nobody promotes."""
    log = "1000 lift d1; 1300 place c3; 1500 place h5; 1900 press white; 3000 lift h8; 3500 place g8; 4000 press black"
    events = play(log, "7k/1P6/8/8/8/8/8/3Q3K w - - 0 1", clock=CLOCK)
    assert record(events) == ["d1h5", "h8g8"]
    assert not accusations(events)
    assert only(c.Disbelieved, events)[-1].squares == ["c3"]


def test_a_piece_in_hand_as_its_player_presses_has_not_landed_there() -> None:
    """No hand is so quick: it is a press without a move, told at once."""
    events = play("1000 lift e2; 1050 press white; 1100 time", clock=CLOCK)
    assert "no-move" in [said.kind for said in only(c.Illegal, events)]


ROOK_FIRST = "1000 lift h1; 1600 place f1 {rook}; 1950 lift e1; 2300 place g1 {king}; 2690 press white"


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_castling_begun_with_the_rook_is_told_once_the_king_is_released(senses: c.Senses) -> None:
    """No sensor that fails puts the rook down before the king is taken up."""
    rook, king = ("R", "K") if senses == "identity" else ("", "")
    castled = ROOK_FIRST.format(rook=rook, king=king)
    events = play(f"{castled}; 5000 time", CASTLING, clock=CLOCK, senses=senses)
    assert [(said.kind, said.ms) for said in only(c.Violation, events)] == [("castling-order", 2700)]


@pytest.mark.parametrize("least", [0.5, 0.99])
def test_of_what_is_too_unlikely_nobody_hears_nor_is_a_ruling_asked_for(
    monkeypatch: pytest.MonkeyPatch, least: float
) -> None:
    """Such castling is told with a confidence of 0.98."""
    monkeypatch.setattr(costs, "ACCUSED", least)
    log = f"{ROOK_FIRST.format(rook='', king='')}; 5000 time"
    game = Game(session(CASTLING, clock=CLOCK))
    events = [event for item in inputs(log) for event in game.handle(item)]
    told = least < 0.98
    assert [said.kind for said in only(c.Violation, events)] == ["castling-order"] * told
    assert [notice in game.awaiting for notice in game.state.notices] == [told]


PAWNS = ["a7a6", "a2a3", "b7b6", "b2b3", "g7g6", "g2g3", "h7h6", "h2h3", "a6a5", "a3a4", "b6b5", "b3b4", "g6g5", "g3g4"]


@pytest.mark.parametrize(("plies", "told"), [(2, []), (14, ["touch-move"])])
def test_what_nobody_heard_of_casts_doubt_on_what_follows_but_not_for_the_rest_of_the_game(
    monkeypatch: pytest.MonkeyPatch, plies: int, told: list[str]
) -> None:
    """By then Black has touched his rook, and moved his king."""
    monkeypatch.setattr(costs, "ACCUSED", 0.99)
    log = ROOK_FIRST.format(rook="", king="")
    for number, move in enumerate(PAWNS[:plies], 1):
        side = "white" if number % 2 == 0 else "black"
        log += f"; {number}4000 lift {move[:2]}; {number}4400 place {move[2:]}; {number}5500 press {side}"
    log += "; 994000 lift a8; 994800 place a8; 995000 lift e8; 995400 place e7; 996500 press black"
    events = play(log, CASTLING, clock=CLOCK)
    assert record(events) == ["e1g1", *PAWNS[:plies], "e8e7"]
    assert [said.kind for said in only(c.Violation, events)] == told


def test_who_moves_from_a_square_that_opened_by_itself_has_held_nobody_all_the_time() -> None:
    """That of e2 opens when nobody is there; the pawn on it moves eight plies later, and bears the doubt out."""
    log = (
        "548 lift e2; 1047 lift b1; 1489 place d2; 5583 lift b8; 6435 place c6; 7229 lift f2; 7778 place f4;"
        "9930 lift f7; 10734 place f5; 13196 lift g1; 14045 place h3; 17655 lift h5; 18452 place h4; 22153 lift g2;"
        "22644 place g4; 26949 lift e7; 27711 place e6; 31906 place e3; 36000 lift f5; 36500 lift g4; 37000 place g4"
    )
    events = play(log, "rnbqkbnr/ppppppp1/8/7p/8/1P1P4/P1P1PPPP/RNBQKBNR w KQkq - 0 3", laws="fide-2005")
    assert record(events) == ["b1d2", "b8c6", "f2f4", "f7f5", "g1h3", "h5h4", "g2g4", "e7e6", "e2e3", "f5g4"]
    assert not accusations(events)
    assert only(c.Disbelieved, events)[-1].squares == ["e2"]


def test_nobody_has_moved_twice_while_the_other_seemed_to_hold_his_piece() -> None:
    """Black's knight stands on e7, whose sensor shows nothing; then White moves the bishop that he has just moved."""
    log = (
        "1000 lift g5; 1254 place c1 w; 2519 lift g8; 4393 lift c1; 5400 place e3 w; 10165 place g8 b;"
        "14423 lift c3; 15449 place c4 w"
    )
    fen = "rnb1kbnr/1p1p3p/p4p2/q1p1p1B1/P7/2PP1NP1/RP2PPBP/1N1Q1RK1 w kq - 1 10"
    events = play(log, fen, senses="colour", laws="fide-2009")
    assert (record(events), accusations(events)) == (["g5c1", "g8e7", "c1e3", "e7g8", "c3c4"], [])


def test_a_square_that_opens_by_itself_as_another_piece_is_moved_and_pressed() -> None:
    """The king is off the board as far as is seen: so dear is that, that his sensor may fail as well."""
    log = (
        "1000 lift d2; 2100 place d3; 3549 press white; 5180 lift e8; 6781 lift d7; 7737 place d5; 9024 press black;"
        "10779 lift h1; 11325 place h2; 11886 press white; 12930 lift d5; 14077 place d4; 14854 press black;"
        "17822 lift e2; 18966 place e4; 20683 press white"
    )
    events = play(log, "rnbqkbnr/pppp1ppp/8/4p3/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2", clock=CLOCK, laws="fide-2018")
    assert (record(events), accusations(events)) == (["d2d3", "d7d5", "h1h2", "d5d4", "e2e4"], [])


def test_whose_sensor_is_disbelieved_was_not_touched_once_his_move_is_none() -> None:
    """Pieces from the box stand for a second where the bishop f1 could have gone, who never moved."""
    strays = "4300 place a8; 5900 lift a8; 9900 place c4; 10900 lift c4; 22700 place e2; 23200 lift e2"
    moves = [
        "1300 lift b1; 1600 place c3; 2600 press white", "7100 lift e7; 7800 place e5; 8300 press black",
        "18000 lift f2; 18500 place f3; 19100 press white", "19900 lift b8; 20500 place c6; 21300 press black",
        "24400 lift c3; 24900 place d5",
    ]  # fmt: skip
    steps = sorted(f"{strays}; {'; '.join(moves)}".split("; "), key=lambda step: int(step.split()[0]))
    fen = "1nbqkbnr/rppppppp/8/p7/4P3/7N/PPPP1PPP/RNBQKB1R w KQk - 2 3"
    events = play("; ".join(steps), fen, clock=CLOCK, laws="fide-2009")
    assert "f1e2" in [move.uci for move in only(c.Retract, events)]
    assert (record(events), accusations(events)) == (["b1c3", "e7e5", "f2f3", "b8c6", "c3d5"], [])


@pytest.mark.parametrize(
    ("fen", "log", "moves"),
    [
        pytest.param(None, "1000 lift f2; 1080 place f2; 1300 place f4; 1800 press white", ["f2f4"], id="a pawn"),
        pytest.param(None, "1000 lift g1; 1080 place g1; 1300 place f3; 1800 press white", ["g1f3"], id="not a pawn"),
        pytest.param(
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "1000 lift e4; 1080 place e4; 1300 lift d5; 1500 place d5; 2000 press white;"
            "4000 lift d8; 4500 lift d5; 4700 place d5; 5200 press black",
            ["e4d5", "d8d5"],
            id="a capture",
        ),
    ],
)
def test_who_was_seen_to_leave_for_a_moment_moved_though_his_square_closes_again(
    fen: str | None, log: str, moves: list[str]
) -> None:
    """Its sensor sticks while the piece is in hand; what was seen of it makes the move the likelier."""
    events = play(f"{log}; 12000 time", *[fen] if fen else [], clock=CLOCK)
    assert (record(events), accusations(events)) == (moves, [])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_square_that_lets_go_after_the_reply_has_stuck_and_the_reply_is_none_out_of_turn(senses: c.Senses) -> None:
    white, black, knight = seen("P", senses), seen("p", senses), seen("N", senses)
    log = f"3000 place e4 {white}; 9000 lift c7; 9500 place c5 {black}; 10000 lift e2; 14000 lift g1"
    events = play(f"{log}; 14500 place f3 {knight}; 20000 time", senses=senses)
    assert (record(events), accusations(events)) == (["e2e4", "c7c5", "g1f3"], [])


def test_what_a_board_shows_that_tells_pieces_apart_is_hardly_two_sensors_that_fail() -> None:
    """Of Black's knight the board says that he left g8, and three moves later, when it is asked, that he stands on f6:
    it has lost one message. What is played after that is told as it is played."""
    moves = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6"]
    moves += ["b1c3", "a7a6", "c1e3", "e7e5", "d4b3", "c8e6", "f2f3", "f8e7"]
    board, log = chess.Board(), list[str]()
    for ply, uci in enumerate(moves, 1):
        move, side, ms = chess.Move.from_uci(uci), "white" if board.turn else "black", 3000 * ply
        piece = board.piece_at(move.from_square)
        captured = [f"{ms} lift {uci[2:]}"] if board.is_capture(move) else []
        came = [f"{ms + 700} place {uci[2:]} {piece}"] if uci != "g8f6" else []
        log += [*captured, f"{ms + 300} lift {uci[:2]}", *came, f"{ms + 1200} press {side}"]
        log += ["37300 place f6 n"] if uci == "e7e5" else []
        board.push(move)
    events = play("; ".join(log), senses="identity", clock=CLOCK)
    assert record(events) == moves
    assert not accusations(events)
    assert {made.uci: made.ms for made in only(c.Move, events)}["f2f3"] <= 3000 * 15 + 1200


@pytest.mark.parametrize("every", [50, 100, 200])
def test_whoever_lands_where_nothing_shows_has_moved_however_often_the_board_looks(every: int) -> None:
    """The sensor of a3 is dead; all scans are sent, and the press comes between two of them."""
    board, log, at = chess.Board(), list[str](), 0

    def stand(until: int) -> None:
        nonlocal at
        for ms in range(at, until, every):
            log.append(f"{ms} frame {board.occupied & ~chess.BB_A3:016x}")
            at = ms + every

    for ply, uci in enumerate(["e2e4", "e7e5", "g1f3", "b8c6", "a2a3", "g8f6", "f1c4", "f8c5"]):
        move, side = chess.Move.from_uci(uci), "white" if board.turn else "black"
        stand(2000 + 4000 * ply)
        piece = board.remove_piece_at(move.from_square)
        stand(2600 + 4000 * ply)
        board.set_piece_at(move.to_square, piece)
        board.turn = not board.turn
        stand(3400 + 4000 * ply)
        log.append(f"{at - every + 37} press {side}")
    stand(36_000)
    events = play("; ".join(log), clock=CLOCK)
    assert not accusations(events)
    assert len(record(events)) == 8 and record(events)[4].startswith("a2")
