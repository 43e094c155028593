"""What a player left on the board against the rules is his move once the opponent touches a piece (4.8), or the arbiter
dismisses what was said of it; and nobody else is accused of what he plays from there.
"""

import re

import pytest
from at_the_board import ALL, NEW, Table, record

from controller import contract as c

ITALIAN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
CASTLES = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"
PASSING = "4k3/pp3ppp/8/3pP3/8/8/P7/4K3 w - d6 0 1"
ROOK_TAKES = "4k3/8/8/7p/8/8/8/4K2R w - - 0 1"
KNIGHT_TAKES = "3k4/7p/8/5p2/8/6N1/8/4K3 w - - 0 1"
PROMOTES = "8/P7/6k1/8/8/8/5P2/6K1 w - - 0 1"


def at(fen: str, clock: str | None = "5400+30", senses: c.Senses = "occupancy") -> Table:
    return Table("fide-2023", fen, clock=clock, senses=senses)


def hands(table: Table, log: str) -> Table:
    """``-e2`` lifts, ``+e4`` sets down, ``+a8Q`` a piece by name; ``w`` and ``b`` press; others are rulings."""
    for word in log.split():
        if word[0] == "-":
            table.give(c.Lift, square=word[1:3])
        elif word[0] == "+":
            table.give(c.Place, square=word[1:3], piece=word[3:] or None)
        elif word in "wb":
            table.give(c.Press, side="white" if word == "w" else "black")
        else:
            table.rule(word)
    return table.wait(1000)


def accused(table: Table) -> list[tuple[str, str]]:
    """Who was accused of what, once each."""
    said = [each for each in table.events if isinstance(each, c.Violation | c.Illegal)]
    return list(dict.fromkeys((each.side, each.kind) for each in said))


RELEASED = {
    "the pawn is pushed on": ("startpos", "occupancy", "-e2 +e3 -e3 +e4 w -e7 +e5 b -g1 +f3 w", "e2e4 e7e5 g1f3"),
    "another square": ("startpos", "occupancy", "-g1 +f3 -f3 +h3 w -e7 +e5 b -e2 +e4 w", "g1h3 e7e5 e2e4"),
    "another piece": (ITALIAN, "occupancy", "-c4 +b3 -b3 +c4 -f3 +g5 w -g8 +f6 b -d2 +d3 w", "f3g5 g8f6 d2d3"),
    "a capture undone": (ROOK_TAKES, "occupancy", "-h5 -h1 +h5 -h5 +h3 +h5 w -e8 +d7 b -h3 +g3 w", "h1h3 e8d7 h3g3"),
    "one that was seen": (
        *(ROOK_TAKES, "identity"),
        *("-h5 -h1 +h5R -h5 +h3R +h5p w -e8 +d7k b -h3 +g3R w", "h1h3 e8d7 h3g3"),
    ),
    "to a square beside": (
        *(KNIGHT_TAKES, "identity"),
        *("-g3 +e4N -e4 -f5 +f5N w -d8 +d7k b -e1 +e2K w", "g3f5 d8d7 e1e2"),
    ),
    "a capture": (ITALIAN, "identity", "-c4 +b3B -f7 -b3 +f7B w -f7 -e8 +f7k b -d2 +d3P w", "c4f7 e8f7 d2d3"),
}


@pytest.mark.parametrize("clock", ["5400+30", None])
@pytest.mark.parametrize(("fen", "senses", "log", "moves"), RELEASED.values(), ids=RELEASED)
def test_a_released_piece_that_was_moved_on_stands_once_the_opponent_touches_his(
    fen: str, senses: c.Senses, log: str, moves: str, clock: str | None
) -> None:
    table = hands(at(fen, clock, senses), log if clock else log.replace(" w", "").replace(" b", ""))
    assert record(table) == moves.split()
    assert accused(table) == [("white", "released-move")]


@pytest.mark.parametrize(
    ("laws", "log", "told"),
    [
        ("fide-2014", "-e2 +e2 w -d2 +d4 -e7 +e5 b", ["clock-misuse", "touch-move"]),
        ("fide-2023", "-e2 +e2 w -d2 +d4 -e7 +e5 b", ["no-move", "touch-move"]),
        ("fide-2023", "w -d2 +d4 -e7 +e5 b", ["no-move"]),
    ],
)
def test_who_has_pressed_without_a_move_owes_it_still(laws: c.Edition, log: str, told: list[str]) -> None:
    """So he plays another piece than he touched, if he does, and is not out of turn."""
    table = hands(Table(laws, clock="5400+30"), log)
    assert accused(table) == [("white", kind) for kind in told]
    assert record(table) == ["d2d4", "e7e5"]


@pytest.mark.parametrize(
    ("fen", "log", "moves", "kind"),
    [
        ("startpos", "-e2 +e3 -e3 +e4 -e7 +e5 w -g1 b", "e2e4 e7e5", "released-move"),
        (CASTLES, "-h1 +f1 -e1 +g1 -a7 +a6 w -a2 b", "e1g1 a7a6", "castling-order"),
    ],
)
def test_nor_has_he_pressed_without_a_move_who_does_so_after_the_reply(
    fen: str, log: str, moves: str, kind: str
) -> None:
    table = hands(at(fen), log)
    assert (record(table), accused(table)) == (moves.split(), [("white", kind)])
    assert [each.uci for each in table.all(c.Completed)] == moves.split()


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("laws", ALL)
def test_a_reply_before_an_illegal_move_was_pressed_is_none_of_it(laws: c.Edition, senses: c.Senses) -> None:
    bishop, pawn = {"occupancy": ("", ""), "colour": ("w", "b"), "identity": ("B", "p")}[senses]
    table = hands(Table(laws, clock="5400+30", senses=senses), f"-c1 +c3{bishop} -h7 +h6{pawn} w b")
    assert record(table) == ["h7h6"]
    assert accused(table) == [("white", "illegal-move")]
    assert table.all(c.Completed)[-1].uci == "h7h6"


SEEN = {"occupancy": ("", "", ""), "colour": ("w", "w", "b"), "identity": ("K", "R", "p")}


@pytest.mark.parametrize("senses", SEEN)
@pytest.mark.parametrize("laws", ALL)
def test_who_replies_before_the_rook_has_castled_too_has_moved_once_it_has(laws: c.Edition, senses: c.Senses) -> None:
    king, rook, pawn = SEEN[senses]
    table = hands(
        Table(laws, CASTLES, clock="5400+30", senses=senses), f"-e1 +g1{king} -a7 +a6{pawn} -h1 +f1{rook} w b"
    )
    assert (record(table), accused(table)) == (["e1g1", "a7a6"], [])
    assert [each.uci for each in table.all(c.Completed)] == ["e1g1", "a7a6"]


@pytest.mark.parametrize("senses", SEEN)
@pytest.mark.parametrize("laws", ALL)
def test_or_who_has_left_it_unfinished_is_told_when_he_presses(laws: c.Edition, senses: c.Senses) -> None:
    king, _, pawn = SEEN[senses]
    table = hands(Table(laws, CASTLES, clock="5400+30", senses=senses), f"-e1 +g1{king} -a7 +a6{pawn} w b")
    assert (record(table), accused(table)) == (["a7a6"], [("white", "unfinished-castling")])
    assert not table.all(c.Disbelieved)


@pytest.mark.parametrize("senses", SEEN)
@pytest.mark.parametrize("laws", ALL)
def test_so_it_is_with_the_pawn_taken_in_passing(laws: c.Edition, senses: c.Senses) -> None:
    pawn, king = {"occupancy": ("", ""), "colour": ("w", "b"), "identity": ("P", "k")}[senses]
    table = hands(Table(laws, PASSING, clock="5400+30", senses=senses), f"-e5 +d6{pawn} -e8 +d7{king} w b")
    assert (record(table), accused(table)) == (["e8d7"], [("white", "unfinished-capture")])
    table = hands(Table(laws, PASSING, clock="5400+30", senses=senses), f"-e5 +d6{pawn} -e8 +d7{king} -d5 w b")
    assert (record(table), accused(table)) == (["e5d6", "e8d7"], [])


def test_or_once_the_arbiter_dismisses_it() -> None:
    table = hands(at("startpos"), "-g1 +f3 -f3 +h3 w dismiss")
    assert record(table) == ["g1h3"]
    assert record(hands(table, "-e7 +e5 b -e2 +e4 w")) == ["g1h3", "e7e5", "e2e4"]


def test_an_arbiter_who_upholds_it_after_the_reply_returns_to_the_piece_where_it_was_released() -> None:
    table = hands(at("startpos"), "-g1 +f3 -f3 +h3 w -e7 +e5 b uphold")
    assert record(table) == ["g1f3"]
    table = hands(table, "-e5 +e7 -h3 +f3 resume -d7 +d5 b")
    assert record(table) == ["g1f3", "d7d5"]
    assert accused(table) == [("white", "released-move")]


def test_what_the_opponent_did_wrong_afterwards_does_not_bring_it_back() -> None:
    table = hands(at("startpos"), "-g1 +f3 -f3 +h3 w -e7 +e4 b")
    illegal = [each for each in table.all(c.Illegal) if each.completed][-1]
    assert record(table.rule("uphold", answers=illegal.id)) == ["g1h3"]


def test_before_that_it_is_to_be_put_back() -> None:
    table = hands(at("startpos"), "-g1 +f3 -f3 +h3 w")
    assert record(table) == ["g1f3"]
    assert table.all(c.Displaced)[-1].squares == ["f3", "h3"]
    table = hands(table, "-h3 +f3 -e7 +e5 b")
    assert record(table) == ["g1f3", "e7e5"]


def test_the_king_after_the_rook_has_castled_once_the_opponent_touches_a_piece() -> None:
    table = hands(at(CASTLES), "-h1 +f1 -e1 +g1 w -a7 +a6 b -a2 +a3 w")
    assert record(table) == ["e1g1", "a7a6", "a2a3"]
    assert accused(table) == [("white", "castling-order")]


def test_a_promotion_that_was_changed_stands_as_it_was_changed() -> None:
    log = "-a7 +a8Q -a8 +a8N w -g6 +f6k b -a8 +c7N w"
    table = hands(at(PROMOTES, senses="identity"), log)
    assert record(table) == ["a7a8n", "g6f6", "a8c7"]
    assert accused(table) == [("white", "promotion-changed")]


@pytest.mark.parametrize("clock", ["5400+30", None])
def test_who_corrects_his_touch_move_himself_after_the_press_has_done_nothing_more(clock: str | None) -> None:
    log = "-f3 +f3 -c4 +b3 w -b3 +c4 -f3 +g5 -g8 +f6 b -d2 +d3 w"
    table = hands(at(ITALIAN, clock), log if clock else log.replace(" w", "").replace(" b", ""))
    assert record(table) == ["f3g5", "g8f6", "d2d3"]
    assert accused(table) == [("white", "touch-move")]


HALF_DONE = {
    "castling": (
        CASTLES,
        "occupancy",
        "-e1 +g1 w -a7 +a6 b -h1 +f1 -a2 +a3 w",
        "unfinished-castling",
        "e1g1 a7a6 a2a3",
    ),
    "en passant": (PASSING, "occupancy", "-e5 +d6 w -e8 +d7 b -d5 -e1 +d2 w", "unfinished-capture", "e5d6 e8d7 e1d2"),
    "the queen is set down": (
        *(PROMOTES, "identity", "-a7 w -g6 +f6k b +a8Q -f2 +f3P w"),
        *("unfinished-promotion", "a7a8q g6f6 f2f3"),
    ),
    "the pawn is exchanged": (
        *(PROMOTES, "identity", "-a7 +a8P w -g6 +f6k b -a8 +a8Q -f2 +f3P w"),
        *("unfinished-promotion", "a7a8q g6f6 f2f3"),
    ),
}


@pytest.mark.parametrize(("fen", "senses", "log", "kind", "moves"), HALF_DONE.values(), ids=HALF_DONE)
def test_what_was_half_done_at_the_press_may_be_finished_after_the_reply(
    fen: str, senses: c.Senses, log: str, kind: str, moves: str
) -> None:
    table = hands(at(fen, senses=senses), log)
    assert record(table) == moves.split()
    assert accused(table) == [("white", kind)]
    assert table.all(c.Illegal)[-1].count == 1
    assert all(None not in (each.white_ms, each.black_ms) for each in table.all(c.Completed))


@pytest.mark.parametrize(
    ("fen", "senses", "log", "moves"),
    [
        (CASTLES, "occupancy", "-e1 +g1 w pause -h1 +f1 dismiss resume -a7 +a6 b", "e1g1 a7a6"),
        (PASSING, "occupancy", "-e5 +d6 w pause -d5 dismiss resume -e8 +d7 b", "e5d6 e8d7"),
        (PROMOTES, "identity", "-a7 +a8P w pause -a8 +a8Q dismiss resume -g6 +f6k b", "a7a8q g6f6"),
        (ITALIAN, "occupancy", "-f3 +h5 w pause -h5 +f3 dismiss resume -f3 +g5 w -g8 +f6 b", "f3g5 g8f6"),
    ],
)
def test_what_was_finished_or_put_back_in_a_pause_stands_where_the_fault_is_dismissed(
    fen: str, senses: c.Senses, log: str, moves: str
) -> None:
    table = hands(at(fen, senses=senses), log)
    assert record(table) == moves.split()
    assert len(accused(table)) == 1


def test_of_two_faults_the_one_that_is_dismissed_leaves_the_other_open() -> None:
    """Both moved illegally, and Black's move is put back in the pause: it is White's that the arbiter dismisses."""
    table = hands(at("startpos"), "-g1 +g3 w -g8 +g6 b pause -g6 +g8")
    (first, second) = [each for each in table.all(c.Illegal) if each.completed]
    table.rule("dismiss", answers=first.id)
    assert [(move.uci, move.legal) for move in table.all(c.Move)] == [("g1g3", False)]
    table.rule("uphold", answers=second.id)
    assert [each.side for each in table.all(c.Penalty) if each.status == "applied"] == ["black"]


def test_what_was_in_hand_when_a_ruling_was_taken_back_may_be_set_down_against_the_rules() -> None:
    """Only what is moved while the clocks stand still is nobody's move, also where `undo` has stopped them."""
    table = hands(at("startpos"), "-e2 +e4 w -e7 +e5 b").rule("report", side="black", kind="conduct", text="a quarrel")
    table = hands(table, "dismiss -g1 undo resume +g4 w")
    assert accused(table)[-1] == ("white", "illegal-move")


def test_two_hands_dismissed_leave_the_move_as_it_is() -> None:
    table = hands(at("startpos"), "-e2 +e4").rule("report", side="white", kind="two-hands")
    table = hands(table, "w dismiss")
    assert (record(table), table.all(c.Retract)) == (["e2e4"], [])


def test_a_piece_lifted_on_the_opponents_time_and_off_still_binds_nobody() -> None:
    table = hands(at(ITALIAN), "-d2 +d3 w -h2 -g8 +f6 b -c2 +c3 +h2 w")
    assert record(table) == ["d2d3", "g8f6", "c2c3"]
    assert accused(table) == []


def test_pieces_that_fall_all_at_once_are_not_touched() -> None:
    """4.2.2: they are put back in a pause, and the player moves another one."""
    table = hands(at(ITALIAN), "-d2 +d3 w")
    fallen = ["e8", "d8", "c8", "d7", "e5", "g8"]
    for number, square in enumerate(fallen):
        table.events += table.game.handle(c.Lift(ms=table.ms + 10 * number, square=square))
    table = hands(table, f"pause +{' +'.join(fallen)} resume -g8 +f6 b")
    assert record(table) == ["d2d3", "g8f6"]
    assert accused(table) == []


def test_a_move_put_back_in_a_pause_is_taken_back() -> None:
    """Nobody has ruled, and touches bind nobody while the clocks stand still."""
    table = hands(at(ITALIAN), "-c4 +b3 w pause -b3 +c4 resume -f3 +g5 w -g8 +f6 b")
    assert record(table) == ["f3g5", "g8f6"]
    assert accused(table) == []


@pytest.mark.parametrize("meanwhile", ["-h2", "-h2 +h3"])
def test_who_puts_pieces_elsewhere_in_a_pause_has_moved_nothing(meanwhile: str) -> None:
    """They are displaced, play goes on beside them, and they are put right in another pause (7.4)."""
    log = f"-d2 +d3 w pause {meanwhile} resume -g8 +f6 b -c2 +c3 w pause {'-h3 ' if '+' in meanwhile else ''}+h2 resume"
    table = hands(at(ITALIAN), f"{log} -d7 +d6 b")
    assert record(table) == ["d2d3", "g8f6", "c2c3", "d7d6"]
    assert accused(table) == []
    assert isinstance([each for each in table.events if isinstance(each, c.Displaced | c.Restored)][-1], c.Restored)


@pytest.mark.parametrize("back", ["-f6 +g8 -b3 +c4", "-b3 +c4 -f6 +g8"])
def test_moves_undone_without_a_pause_are_put_back_one_by_one(back: str) -> None:
    table = hands(at(ITALIAN), f"-c4 +b3 w -g8 +f6 b undo undo {back} -f3 +g5 w")
    assert record(table) == ["f3g5"]
    assert accused(table) == []


def test_a_wrong_array_is_put_right_before_the_first_move() -> None:
    """7.2.1: black king and queen stood exchanged; one is set down a while before the other."""
    table = hands(at("startpos", senses="identity"), "+d8k +e8q")
    assert table.all(c.Displaced)[-1].beginning == "wrong-array"
    table = hands(table, "-d8 -e8 +e8k")
    table.ms -= 900
    table = hands(table, "+d8q -e2 +e4P w")
    assert record(table) == ["e2e4"]
    assert accused(table) == []


ANOTHER = "-e2 +e4P -e4 +e2P -c3 +d5N w"
SHOWN = "rnbqk1nr/pppp1ppp/8/4p3/1b6/2N5/PPPPPPPP/R1BQKBNR w KQkq - 2 3"


@pytest.mark.parametrize("senses", ["identity", "colour"])
def test_the_piece_played_instead_of_a_released_one_is_not_touched_by_the_opponent(senses: c.Senses) -> None:
    """4.7: White's pawn stands on e4; Black, who could have taken his knight on c3, has touched nothing."""
    log = f"{ANOTHER} pause uphold -d5 +c3N -e2 +e4P resume -b8 +c6n b"
    if senses == "colour":
        log = log.replace("P", "w").replace("N", "w").replace("n", "b")
    table = hands(at(SHOWN, senses=senses), log)
    assert accused(table) == [("white", "released-move")]
    assert record(table) == ["e2e4", "b8c6"]


@pytest.mark.parametrize("of", ["touch-move", "fifty-moves"])
@pytest.mark.parametrize(("fen", "takes"), [("8/2b2k2/8/8/3N4/8/2K5/1R4r1 w - - 99 90", ""),
                                            ("8/2b2k2/8/8/3N4/2p5/2K5/1R4r1 w - - 99 90", "-c3")])  # fmt: skip
def test_so_no_claim_of_his_is_lost_by_it(of: str, fen: str, takes: str) -> None:
    """4.7 / 4.8, 9.4: nor where a piece of Black's was taken by it."""
    table = hands(at(fen, senses="identity"), f"-d4 +e2N -e2 +d4N {takes} -c2 +c3K w")
    assert table.give(c.Pause, side="black").claim("black", of) == "upheld"
    assert accused(table) == [("white", "released-move")]


@pytest.mark.parametrize("laws", ALL)
def test_the_press_that_follows_completes_no_illegal_move_of_before(laws: c.Edition) -> None:
    """Where a player has to claim, it stands once the opponent has moved (B.4); pressed with nothing moved since, the
    clock is misused, or that is an illegal move of its own."""
    fen = "8/5p2/6pk/7p/3Q1P1P/6P1/q7/5K2 b - - 4 57"
    table = Table(laws, fen, clock="1200", play="rapid", supervised=False, senses="identity")
    hands(table, "-d4 -h5 +d4p b -g3 +g4P w -f7 +f7p b")
    assert [done.uci for done in table.all(c.Completed)] == ["g3g4"]
    kind = "no-move" if laws in NEW else "clock-misuse"
    assert accused(table) == [("black", "illegal-move"), ("black", kind)]


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
def test_a_released_king_moved_on_to_the_middle_is_no_sign_of_the_result_once_that_is_pressed(
    senses: c.Senses,
) -> None:
    """4.7: as with every other square; and what is played on is played from there."""
    white, black = ("K", "k") if senses == "identity" else ("", "")
    table = hands(at("8/8/5k1b/8/7N/1K6/5r2/R7 b - - 3 87", senses=senses), f"-f6 +f7{black} -f7 +e5{black}")
    assert accused(table) == []
    hands(table, f"b -b3 +b4{white} w -e5 +e6{black} b")
    assert accused(table) == [("black", "released-move")]
    assert record(table) == ["f6e5", "b3b4", "e5e6"]


def test_both_kings_in_the_middle_are_one_also_where_the_clock_is_pressed_then() -> None:
    table = hands(at("8/8/5k1b/8/7N/1K6/5r2/R7 b - - 3 87", senses="identity"), "-f6 +f7k -f7 +e5k -b3 +d5K b")
    assert accused(table) == []


@pytest.mark.parametrize("back", ["-e5 +e7p -e4 +e2P", "-e4 +e2P -e5 +e7p", "-e4 -e5 +e7p +e2P"])
@pytest.mark.parametrize("senses", ["identity", "colour", "occupancy"])
def test_several_moves_put_back_in_a_pause_are_all_taken_back(senses: c.Senses, back: str) -> None:
    """By an arbiter who says no more than that play stops and goes on: the counter of moves goes back, too."""
    log = f"-e2 +e4P w -e7 +e5p b pause {back} resume -e2 +e3P w -e7 +e6p b"
    seen = {"identity": "Pp", "colour": "wb", "occupancy": ("", "")}[senses]
    log = re.sub("(?<=[1-8])[Pp]", lambda piece: seen["Pp".index(piece[0])], log)
    table = hands(at("startpos", senses=senses), log)
    assert record(table) == ["e2e3", "e7e6"]
    assert accused(table) == []
    clock = table.game.state.clock
    assert clock is not None
    assert (clock.moves("white"), clock.moves("black")) == (1, 1)


def test_an_illegal_move_that_was_let_stand_is_not_taken_back_in_the_next_pause() -> None:
    """An arbiter has said that it stands: that its king is on e1 again does not say otherwise."""
    table = hands(at(ITALIAN), "-e1 +e3 w dismiss pause -e3 +e1 resume")
    assert record(table) == ["e1e3"]
    assert table.all(c.Displaced)[-1].squares == ["e1", "e3"]


def test_a_move_put_back_in_a_pause_is_taken_back_also_where_the_reply_was_a_press_without_a_move() -> None:
    table = hands(at("startpos"), "-e2 +e4 w -e7 +e5 b w pause -e5 +e7 resume -d7 +d5 b")
    assert record(table) == ["e2e4", "d7d5"]
    assert accused(table) == [("white", "no-move")]


@pytest.mark.parametrize(
    ("fen", "log"), [("4k3/8/8/8/8/8/1K6/7R w - - 0 1", "-h1 +e1R"), ("4k3/8/8/8/8/8/6K1/R7 w - - 0 1", "-a1 +e1R")]
)
def test_a_rook_moved_on_to_where_it_would_castle_has_no_king_to_castle_with(fen: str, log: str) -> None:
    """4.7: the king stands elsewhere."""
    table = hands(at(fen, senses="identity"), f"{log} -e1 +{'g1R' if 'h1' in log else 'c1R'} w")
    assert accused(table) == [("white", "released-move")]


def test_the_press_of_a_move_put_back_in_a_pause_completes_no_other() -> None:
    table = hands(at(ITALIAN), "-c4 +b3 w pause -b3 +c4 resume -f3 +g5")
    assert record(table) == ["f3g5"]
    assert [said.uci for said in table.all(c.Completed)] == ["c4b3"]
    table = hands(table, "w")
    assert table.all(c.Completed)[-1].white_ms == table.left("white")
