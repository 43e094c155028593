"""What looks like a player's doing, and was another's, or nobody's: a piece that somebody took and set down in passing,
a press that comes late, a piece of the other player's, a word said before. Nobody is accused of it.
"""

from collections.abc import Iterator

import chess
import pytest
from shorthand import CASTLING, CLOCK, accusations, inputs, only, play, record, seen, session

from controller import contract as c
from controller.belief.held import held_by
from controller.belief.pricing import loose
from controller.game import Game

BLACK_PROMOTES = "4k3/8/8/8/8/1q6/pR6/4K3 w - - 0 1"
BOTH_PROMOTE = "k7/6P1/8/8/8/8/1p5K/8 b - - 0 1"
QUEEN_BESIDE = "4k3/8/8/8/K7/8/2p5/7q b - - 0 1"


def test_who_is_taken_and_set_down_on_a_last_rank_is_no_choice_of_a_promotion() -> None:
    """White takes the queen, and puts her on a1 for a moment: Black, who has a pawn on a2, has chosen nothing."""
    taken = "1000 lift b2; 1400 lift b3; 1500 place a1 q; 1600 place b3 R; 2600 lift a1; 2700 press white"
    events = play(
        f"{taken}; 4000 lift e8; 4300 place e7 k; 4400 press black",
        BLACK_PROMOTES,
        senses="identity",
        clock=CLOCK,
    )
    assert not accusations(events)
    assert record(events)[-1] == "e8e7"


@pytest.mark.parametrize("apart_ms", [20, 80])
def test_a_destination_that_is_reported_first_is_no_choice_of_a_promotion(apart_ms: int) -> None:
    """The queen goes from h1 to c1, where the pawn on c2 might have become one."""
    log = f"1000 place c1 q; {1000 + apart_ms} lift h1; 1700 press black"
    events = play(log, QUEEN_BESIDE, senses="identity", clock=CLOCK)
    assert record(events) == ["h1c1"]
    assert not accusations(events)


def test_a_piece_of_the_opponents_beside_a_whole_move_makes_it_no_illegal_one() -> None:
    """White sets down the knight for his promotion as soon as Black's queen stands, before he takes up the pawn."""
    log = "1000 lift b2; 1600 place b1 p; 2700 lift b1; 5200 place b1 q; 5300 place g8 N; 6200 lift g7"
    events = play(log, BOTH_PROMOTE, senses="identity")
    assert record(events) == ["b2b1q", "g7g8n"]
    assert not accusations(events)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_press_that_comes_after_the_reply_completes_the_move_before(senses: c.Senses) -> None:
    """Black answers at once; White has his next piece in hand when he presses, and so does Black."""
    white, black = seen("P", senses), seen("p", senses)
    log = (
        f"1000 lift e2; 1500 place e4 {white}; 1600 lift e7; 1900 place e5 {black}; 2000 lift d2; 2060 press white; "
        f"2100 press black; 2300 place d4 {white}; 2500 press white"
    )
    events = play(log, senses=senses, clock=CLOCK)
    assert record(events) == ["e2e4", "e7e5", "d2d4"]
    assert [done.uci for done in only(c.Completed, events)] == ["e2e4", "e7e5", "d2d4"]
    assert not accusations(events)


def test_jadoube_covers_nothing_more_once_its_player_has_set_down_a_move() -> None:
    """White puts a piece straight and promotes, and Black touches his king within the time that the word would have
    covered: that is the reply, with which the pawn is a queen."""
    adjusted = "1000 adjust white; 1500 lift d1; 2500 place d1"
    events = play(
        f"{adjusted}; 3000 lift a7; 3400 place a8; 5000 lift h6; 5300 place g6",
        "8/P7/7k/8/8/8/8/3QK3 w - - 0 1",
        senses="occupancy",
    )
    assert [(move.uci, move.ms) for move in only(c.Move, events)] == [("a7a8q", 5000), ("h6g6", 5700)]
    assert not accusations(events)


@pytest.mark.parametrize(("then", "held"), [("", 1), ("; 3600 place h3", 0)])
def test_who_has_moved_his_piece_on_holds_it_until_he_sets_it_down(then: str, held: int) -> None:
    """So no price is put on a full hand where he presses, beside that of moving on a released piece (4.7)."""
    game = Game(session(clock=CLOCK))
    for item in inputs(f"1000 lift g1; 1500 place f3; 3000 lift f3{then}"):
        game.handle(item)
    assert held_by(game.state, "white") == held


@pytest.mark.parametrize(("stood_ms", "told"), [(399, False), (410, True), (900, True)])
@pytest.mark.parametrize("scanned", [False, True])
def test_a_piece_that_has_stood_for_a_release_is_released_unless_contacts_may_have_bounced(
    stood_ms: int, *, scanned: bool, told: bool
) -> None:
    left = 1500 + stood_ms
    moved = [(1000, "lift g1"), (1500, "place f3"), (left, "lift f3"), (left + 100, "place h3")]
    done = [*moved, (left + 300, "press white")]
    events = play("; ".join([*(scans(done) if scanned else map(said, done)), "8000 time"]), clock=CLOCK)
    told = told and not (scanned and stood_ms == 410)
    assert [each.kind for each in only(c.Violation, events)] == ["released-move"] * told


def said(done: tuple[int, str]) -> str:
    return f"{done[0]} {done[1]}"


def scans(done: list[tuple[int, str]]) -> Iterator[str]:
    """The same as a board shows it that is scanned every 10 ms."""
    shown, left = chess.Board().occupied, list(done)
    for ms in range(0, 8000, 10):
        while left and left[0][0] <= ms:
            what = left.pop(0)
            if what[1].startswith("press"):
                yield said(what)
            else:
                shown ^= chess.BB_SQUARES[chess.parse_square(what[1][-2:])]
        yield f"{ms} frame {shown:016x}"


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_a_sleeve_over_a_move_that_has_just_been_made_touches_nobody(senses: c.Senses) -> None:
    """The rook stands on a3, and is brushed with its neighbours: when it stands again they have not been taken."""
    rook, pawn = seen("R", senses), seen("p", senses)
    swept = f"1900 lift a3; 1905 lift b5; 1960 place a3 {rook}; 1975 place b5 {pawn}"
    log = f"1000 lift a5; 1600 place a3 {rook}; {swept}; 2600 lift e8; 3000 place e7"
    events = play(log, "4k3/8/8/Rp6/8/8/8/4K3 w - - 0 1", senses=senses)
    assert record(events)[0] == "a5a3"
    assert not accusations(events)


def test_a_pawn_drawn_over_two_squares_and_taken_in_passing_at_once_has_made_two_steps() -> None:
    """It stopped for a moment on b3: there it was not taken, for nobody set it down on b4 with empty hands."""
    drawn = "1000 lift b2; 1300 place b3 P; 1600 lift b3; 1680 place b4 P"
    log = f"{drawn}; 1780 lift b4; 1900 lift c4; 2050 place b3 p; 2400 press white; 2450 press black"
    events = play(log, "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", senses="identity", clock=CLOCK)
    assert record(events) == ["b2b4", "c4b3"]
    assert not accusations(events)


def test_a_piece_that_goes_where_the_released_one_never_could_is_another() -> None:
    """The rook takes the knight, and nothing shows it. White draws his bishop over b7 and puts it back, so that the
    rook seems to have taken it; then the bishop goes along the diagonal, which no rook does (4.7)."""
    took = "1000 lift a4; 1935 lift a8; 2174 place b7; 2294 lift b7; 2810 place a8"
    drawn = "3632 lift a8; 3731 place b7; 4003 lift b7; 4048 place c6; 4198 lift c6; 4235 place d5; 4374 lift d5"
    went = (
        f"{drawn}; 4421 place e4; 4628 lift e4; 4683 place f3; 4852 lift f3; 4884 place g2; 5052 lift g2; 5084 place h1"
    )
    log = f"{took}; {went}; 5814 lift d8; 6116 place c8"
    events = play(log, "B2k4/8/8/8/r1N5/8/8/6K1 b - - 0 1", senses="occupancy")
    assert record(events) == ["a4c4", "a8h1", "d8c8"]
    assert not accusations(events)


def test_what_is_not_seen_to_happen_is_found_though_nobody_pauses() -> None:
    """A capture that nothing shows, and seven moves in eight seconds by people who fidget: no square is at rest for as
    long as a release takes, and when one is, nobody could say any more what led there."""
    took = "1000 lift a6; 1240 place a6; 1420 lift a6"
    on = "2230 lift f2; 2370 place f3; 2575 lift f3; 2625 place f4; 2915 lift e4; 3140 lift f5; 3340 place e4"
    fidget = "3565 lift c7; 3600 lift b5; 3605 lift d7; 3640 place c7; 3641 place d7; 3650 place b5"
    queen = "3840 lift d1; 4030 place e2; 4320 place f3; 4325 lift e2; 4400 lift f3; 4435 place f3; 4495 lift f3"
    more = "4575 place f3; 4650 lift f3; 4690 place f3; 4875 lift h7; 4965 place g4; 5130 lift g4; 5145 place h5"
    log = (
        f"{took}; {on}; {fidget}; {queen}; {more}; 5535 lift b2; 5630 place b2; 5860 lift b2; 5950 place b2; 7000 time"
    )
    start = "rnbqkbnr/1pppp1pp/p7/1B3p2/4P3/P7/1PPP1PPP/RNBQK1NR b KQkq - 0 3"
    events = play(log, start, senses="occupancy")
    assert record(events) == ["a6b5", "f2f4", "f5e4", "d1f3", "h7h5"]
    assert not accusations(events)


def test_who_is_taken_where_he_has_just_been_set_down_has_not_landed_together_with_who_takes_him() -> None:
    """Black pushes the knight from e4 to f3 and lets it stand there: White has moved it to e4, and not to f3."""
    took = "1000 lift d2; 1350 place e4 N; 1460 lift f5; 1650 lift e4; 1680 place f3 N; 1740 place e4 b; 2190 lift f3"
    log = f"{took}; 3920 lift g2; 4610 place g3 P; 4760 lift e4; 5050 lift h1; 5100 place h1 b; 6000 time"
    events = play(log, "4k3/8/8/5b2/8/8/3N2P1/4K2R w K - 0 1", senses="identity")
    assert record(events) == ["d2e4", "f5e4", "g2g3", "e4h1"]
    assert not accusations(events)


def test_who_leaves_long_after_a_square_is_filled_was_not_set_down_there() -> None:
    """A sensor closes, with nothing there; seconds later White takes, and the board sees no more of it than that the
    bishop has left. He goes on from there."""
    taken = "1000 place c5; 5000 lift f1; 6000 press white"
    further = "8000 lift e8; 8300 place e7; 8800 press black; 10000 lift g2; 10300 place f3; 10800 press white"
    events = play(f"{taken}; {further}", "4k3/8/8/8/8/8/P5r1/4KB2 w - - 0 1", clock=CLOCK)
    assert not accusations(events)
    assert record(events) == ["f1g2", "e8e7", "g2f3"]


ROOK_IN_SIGHT = "4k3/1b5p/8/8/8/8/P7/4K2R w - - 0 1"


@pytest.mark.parametrize("swept", ["h1", "h7"])
@pytest.mark.parametrize("at", [3500, 7100])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_who_is_swept_off_during_a_move_was_not_touched_by_who_moves_next(
    swept: str, at: int, senses: c.Senses
) -> None:
    """A touch goes by the time of the lift: White's sleeve takes his rook off, or Black's pawn, and it stands again
    only after his move, or his press. Black, who might take the rook with his bishop, is bound to nothing."""
    piece = seen("R" if swept == "h1" else "p", senses)
    moved = f"1200 lift a2; 1700 lift {swept}; 2900 place a4 {seen('P', senses)}"
    back, pressed = f"{at} place {swept} {piece}", "4100 press white"
    middle = f"{back}; {pressed}" if at < 4100 else f"{pressed}; {back}"
    reply = f"8300 lift e8; 9200 place e7 {seen('k', senses)}; 10100 press black"
    events = play(f"{moved}; {middle}; {reply}", ROOK_IN_SIGHT, senses=senses, clock=CLOCK)
    assert record(events) == ["a2a4", "e8e7"]
    assert [touch.square for touch in only(c.Touch, events) if touch.side == "black"] == ["e8"]
    assert not [fact for fact in accusations(events) if fact.side == "black"]


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_who_takes_and_puts_back_what_he_took_has_moved_on_a_released_piece(senses: c.Senses) -> None:
    """The knight has stood on e5 for a second, the pawn off: that was a move (4.7.1), whatever stands there then."""
    knight, pawn = seen("N", senses), seen("p", senses)
    taken = f"1200 lift d3; 2400 lift e5; 3600 place e5 {knight}"
    on = f"4800 lift e5; 6000 place f4 {knight}; 7200 place e5 {pawn}; 8400 press white"
    events = play(f"{taken}; {on}", "4k3/8/8/2p1p3/8/3N4/8/4K3 w - - 0 1", senses=senses, clock=CLOCK)
    assert [(told.side, told.kind) for told in accusations(events)] == [("white", "released-move")]


@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_who_is_being_taken_and_set_down_beside_his_square_was_moved_by_nobody_else(
    senses: c.Senses, clock: str | None
) -> None:
    """Black has his knight in hand, sets White's pawn down one square further back, and lands."""
    pawn, knight = seen("P", senses), seen("n", senses)
    taken = f"500 lift e5; 812 lift c4; 987 place c3 {pawn}; 2026 place c4 {knight}; 2859 lift c3"
    events = play(f"{taken}; 3500 press black", "4k3/8/8/4n3/2P5/8/8/4K3 b - - 0 1", senses=senses, clock=clock)
    assert record(events) == ["e5c4"]
    assert not accusations(events)


def test_a_piece_that_the_reply_is_about_to_take_is_not_in_the_hand_of_who_presses() -> None:
    """Black has his king and White's bishop off the board when White presses, a moment late."""
    game = Game(session("r4rk1/6B1/8/8/2n5/1P6/8/4K3 w - - 0 1", clock=CLOCK))
    for item in inputs("1000 lift c4; 1200 lift b3; 1400 place c4; 2000 lift g8; 2100 lift g7"):
        game.handle(item)
    assert held_by(game.state, "white") == 0
    game = Game(session("r5k1/6B1/8/8/2n5/1P6/8/4K3 w - - 0 1", clock=CLOCK))
    for item in inputs("1000 lift c4; 1200 lift b3; 1400 place c4; 2100 lift g7"):
        game.handle(item)
    assert held_by(game.state, "white") == 1


@pytest.mark.parametrize(("besides", "costs"), [("", False), ("1000 lift a7;", True)])
def test_half_of_castling_explains_no_piece_that_is_off_besides(besides: str, costs: bool) -> None:
    game = Game(session(CASTLING))
    for item in inputs(f"{besides} 3000 lift e1; 4000 place g1"):
        game.handle(item)
    assert (loose(game.state, game.state.now) > 0) == costs


ONWARD = "1000 lift h1; 1500 place h3; 2500 lift h3; 2900 lift h5; 3200 place h5; 4000 press white"


@pytest.mark.parametrize("reply", ["6000 lift e8; 6500 place d7", "6000 lift d5; 6500 place d4"])
def test_who_takes_with_the_piece_that_he_had_released_has_moved_it_on(reply: str) -> None:
    """Nothing tells the rook from the pawn that it takes: only that its square stays empty, and play goes on."""
    events = play(f"{ONWARD}; {reply}; 7000 press black", "4k3/8/8/3p3p/8/8/8/4K2R w - - 0 1", clock=CLOCK)
    assert [(said.side, said.kind) for said in accusations(events)] == [("white", "released-move")]
    assert record(events)[0] == "h1h5"


def test_nor_has_he_where_the_opponent_is_about_to_take_it() -> None:
    """Black has touched the pawn on his way, and takes the rook with another."""
    takes = "4000 press white; 4500 lift g4; 5000 place h3; 6000 press black"
    log = f"1000 lift h1; 1500 place h3; 2500 lift h3; 2900 lift h5; 3200 place h5; {takes}"
    events = play(log, "4k3/8/8/7p/6p1/8/8/4K2R w - - 0 1", clock=CLOCK)
    assert ("white", "released-move") not in [(said.side, said.kind) for said in accusations(events)]
    assert record(events) == ["h1h3", "g4h3"]


ITALIAN = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6"
BISHOP = "1000 lift c4 side=white; {swept}; 2500 place b3 B side=white; 4000 press white"
KING = "{at}000 lift e8 side=black; {at}500 place e7 k side=black; {then}000 press black"


def test_what_is_swept_off_by_the_hand_that_moves_binds_nobody_else() -> None:
    """White has swept the queen off as he moved his bishop; Black moves his king, and sets her up again (7.4.1)."""
    swept = BISHOP.format(swept="1800 lift d8 side=white")
    events = play(f"{swept}; {KING.format(at=24, then=27)}; 28500 place d8 q side=black; 35000 time", ITALIAN,
                  senses="identity", clock=CLOCK)  # fmt: skip
    assert record(events) == ["c4b3", "e8e7"] and not accusations(events)
    assert [said.squares for said in only(c.Displaced, events)] == [["d8"]]
    assert [said.ms for said in only(c.Restored, events)] == [28500]


@pytest.mark.parametrize("swept", [("h8", "g8", "r"), ("h7", "g6", "p")])
def test_what_the_hand_that_moves_has_shifted_is_no_move_of_the_opponents(swept: tuple[str, str, str]) -> None:
    """It looks like one, or like an illegal one, until Black puts the piece back."""
    home, shifted, piece = swept
    log = BISHOP.format(swept=f"1800 lift {home} side=white; 2050 place {shifted} {piece} side=white")
    back = f"12000 lift {shifted} side=black; 13200 place {home} {piece} side=black"
    events = play(f"{log}; {back}; {KING.format(at=40, then=43)}", ITALIAN, senses="identity", clock=CLOCK)
    assert record(events) == ["c4b3", "e8e7"] and not accusations(events)


SHIFTED = {
    "a sleeve, to where it could not go": ("1000 lift c5; 1040 place d5 b", ["c5", "d5"]),
    "a sleeve, to where it could go": ("1000 lift a7; 1040 place a6 p", ["a6", "a7"]),
    "White's hand, to where it could not go": (
        "1000 lift a7 side=white; 1500 place b6 p side=white",
        ["b6", "a7"],
    ),
    "White's hand, to where it could go": ("1000 lift a7 side=white; 1500 place a6 p side=white", ["a6", "a7"]),
}
GIUOCO = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


@pytest.mark.parametrize(("log", "displaced"), SHIFTED.values(), ids=SHIFTED)
def test_what_others_have_shifted_is_no_move_of_its_owners_however_long_it_stands_there(
    log: str, displaced: list[str]
) -> None:
    """Both play on; when he has the move, he has not moved that piece, and may play another (7.4)."""
    for number, (left, came, piece) in enumerate((*PLAYED, ("a2", "a3", "P"))):
        at, side = 3_000 + 5_000 * number, "black" if number % 2 else "white"
        log += f"; {at} lift {left}; {at + 1_000} place {came} {piece}; {at + 2_000} press {side}"
    events = play(f"{log}; 40000 time", GIUOCO, senses="identity", clock=CLOCK)
    assert record(events) == ["d2d3", "g8f6", "c2c3", "h7h6", "a2a3"] and not accusations(events)
    assert only(c.Displaced, events)[0].squares == displaced


PLAYED = (("d2", "d3", "P"), ("g8", "f6", "n"), ("c2", "c3", "P"), ("h7", "h6", "p"))


@pytest.mark.parametrize("played", [0, 1, 3])
def test_it_may_be_put_right_at_any_time(played: int) -> None:
    log, at = SHIFTED["a sleeve, to where it could go"][0], 3_000
    for number, (left, came, piece) in enumerate(PLAYED):
        if number == played:
            log += f"; {at} lift a6; {at + 900} place a7 p"
        at, side = at + 5_000, "black" if number % 2 else "white"
        log += f"; {at} lift {left}; {at + 1_000} place {came} {piece}; {at + 2_000} press {side}"
    events = play(f"{log}; {at + 20_000} time", GIUOCO, senses="identity", clock=CLOCK)
    assert record(events) == ["d2d3", "g8f6", "c2c3", "h7h6"] and not accusations(events)


OPEN = "1000 lift e2; 1500 place e4; 2500 press white; "


@pytest.mark.parametrize(
    "shoved",
    [
        "6000 lift h7; 6030 place g6; 7000 lift g6; 7500 place h7",  # of him who has the move
        "6000 lift e4; 6040 place e5; 7000 lift e5; 7500 place e4",  # that the opponent has just moved
        "6000 lift e4; 6040 place e3",
    ],
)
def test_what_a_sleeve_has_shoved_nobody_has_touched(shoved: str) -> None:
    events = play(f"{OPEN}{shoved}; 9000 lift e7; 9500 place e5; 10500 press black; 20000 time", clock=CLOCK)
    assert record(events) == ["e2e4", "e7e5"] and not accusations(events)
    assert only(c.Displaced, events)


def test_who_might_take_what_a_sleeve_has_shoved_does_not_owe_that() -> None:
    log = f"{OPEN}6000 lift d7; 6500 place d5; 7500 press black; 11000 lift d5; 11030 place d6; "
    events = play(f"{log}13000 lift g1; 13500 place f3; 14500 press white; 20000 time", clock=CLOCK)
    assert record(events) == ["e2e4", "d7d5", "g1f3"] and not accusations(events)


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
@pytest.mark.parametrize("astray", ["b6", "a6"])
def test_a_piece_moved_out_of_turn_is_no_second_act_when_its_owner_plays_another(senses: c.Senses, astray: str) -> None:
    """It stands where it could not go, or could; it was told of, and he plays on as if it stood at home (4.7, 7.4)."""
    pieces = {"a": "p", "g": "N", "b": "n"} if senses == "identity" else dict.fromkeys("agb", "")
    log = (
        f"1000 lift a7; 1300 place {astray} {pieces['a']}; 3000 lift g1; 3500 place f3 {pieces['g']}; 4500 press white"
    )
    events = play(f"{log}; 8000 lift b8; 8800 place c6 {pieces['b']}; 9800 press black; 20000 time",
                  senses=senses, clock=CLOCK)  # fmt: skip
    assert record(events) == ["g1f3", "b8c6"]
    assert [said.kind for said in only(c.Violation, events)] == ["out-of-turn"] and not only(c.Illegal, events)


def test_what_left_before_a_player_had_the_move_does_not_bind_him_to_it() -> None:
    """Nobody knows who lifted the queen while White moved; Black takes up his king, and moves that."""
    log = "1000 lift c4; 1800 lift d8; 2500 place b3 B; 4000 press white; 24000 lift e8; 25500 place e7 k"
    events = play(f"{log}; 27000 press black; 28500 place d8 q; 35000 time", ITALIAN, senses="identity", clock=CLOCK)
    assert record(events) == ["c4b3", "e8e7"] and not accusations(events)


def test_pieces_that_are_set_up_again_in_each_others_place_are_displaced_and_not_moved() -> None:
    """White's bishop and knight fell as he pressed; Black plays on."""
    log = "1000 lift e2; 1500 place e4 P; 1700 press white; 1900 lift f1; 1920 lift g1; 3000 place f1 N"
    then = "3800 place g1 B; 6000 lift e7; 6400 place e5 p; 6600 press black; 9000 time"
    events = play(f"{log}; {then}", senses="identity", clock=CLOCK)
    assert record(events) == ["e2e4", "e7e5"] and not accusations(events)
    assert [said.squares for said in only(c.Displaced, events)] == [["f1", "g1"]]
