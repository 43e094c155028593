"""What hands were seen to do is not explained by what they were not seen to do: no other story, which would have to
pass over some of it, lets anybody off or puts a move into the score."""

import pytest
from shorthand import CASTLING, CLOCK, MIDDLEGAME, accusations, only, play, record

from controller import contract as c

TOUCHED = "4k3/8/8/4n3/N4P2/8/8/4K3 w - - 0 1"
"""White touches the knight on a4, and takes on e5 with the pawn."""


def kinds(events: list[c.AnyEvent]) -> list[str]:
    """What somebody is accused of: the violations, and the illegal moves that a press completed."""
    return [e.kind for e in events if isinstance(e, c.Violation) or (isinstance(e, c.Illegal) and e.completed)]


@pytest.mark.parametrize("later", [500, 1550, 1700, 4000])
@pytest.mark.parametrize(("senses", "pieces"), [("occupancy", " "), ("colour", "ww"), ("identity", "NP")])
def test_who_was_off_his_square_when_the_taker_rose_was_exchanged_for_nobody(
    senses: c.Senses, pieces: str, later: int
) -> None:
    """He was taken off first, however long before: the touch of the knight came before both (4.3.3)."""
    knight, pawn = pieces[0], pieces[-1]
    log = f"1000 lift a4; 2500 place a4 {knight}; 4000 lift e5; {4000 + later} lift f4; {5500 + later} place e5 {pawn}"
    events = play(f"{log}; {7000 + later} press white", TOUCHED, senses=senses, clock=CLOCK)
    assert (record(events), kinds(events)) == (["f4e5"], ["touch-move"])


@pytest.mark.parametrize("wait", [50, 300, 450])
@pytest.mark.parametrize(
    ("fen", "before", "taking", "move"),
    [
        ("4k3/8/8/4n1p1/N4P2/8/8/4K3 w - - 0 1", "a4", "lift f4; 5500 lift e5; 7000 place e5", "f4e5"),
        ("4k3/8/2p5/p7/1P1N4/5p2/8/K7 w - - 0 1", "a5", "lift c6; 5500 lift d4; 7000 place c6", "d4c6"),
    ],
)
def test_a_press_releases_who_has_taken_as_time_does(fen: str, before: str, taking: str, move: str, wait: int) -> None:
    """The piece could have taken another, which was never seen to leave its square."""
    log = f"1000 lift {before}; 2500 place {before}; 4000 {taking}; {7000 + wait} press white"
    events = play(log, fen, clock=CLOCK)
    assert (record(events), kinds(events)) == ([move], ["touch-move"])


@pytest.mark.parametrize("to", ["h3", "b6", "g7"])
@pytest.mark.parametrize(("senses", "knight"), [("colour", "w"), ("identity", "N")])
def test_who_is_seen_to_stand_where_no_move_leads_was_moved_there(senses: c.Senses, knight: str, to: str) -> None:
    """The knight is set down elsewhere than on d5, from where a pawn was taken off: told at the press (7.5.1)."""
    log = f"1000 lift c3; 1500 lift d5; 3000 place {to} {knight}; 5000 press white"
    events = play(log, "4k3/pp6/8/3p4/8/2N5/PP6/4K3 w - - 0 1", senses=senses, clock=CLOCK)
    assert [(e.kind, e.uci, e.ms) for e in only(c.Illegal, events) if e.completed] == [
        ("illegal-move", f"c3{to}", 5000)
    ]


@pytest.mark.parametrize("clock", [CLOCK, None])
@pytest.mark.parametrize("since", [500, 1000])
@pytest.mark.parametrize(("first", "then"), [("d5", "e4"), ("e4", "d5")])
def test_who_holds_both_puts_one_back_and_moves_the_other_has_not_taken(
    first: str, then: str, since: int, clock: str | None
) -> None:
    """Whichever he took up first, and though d5 stood for longer than a release: a captured pawn would not be laid on
    e5, and stay there."""
    moves = [
        f"1000 lift {first}; 1600 lift {then}; 2500 place d5; {2500 + since} place e5",
        "6500 lift g8; 7200 place f6",
        "9500 lift a2; 10100 place a3",
    ]
    presses = ["4500 press white", "8200 press black", "11100 press white"] if clock else []
    log = "; ".join(sorted([*moves, *presses], key=lambda part: int(part.split()[0])))
    events = play(log, "4k1n1/8/8/3p4/4P3/8/P7/4K3 w - - 0 1", clock=clock)
    assert (record(events), kinds(events)) == (["e4e5", "g8f6", "a2a3"], ["touch-move"])


def test_a_pause_makes_no_move_of_a_piece_that_stands_elsewhere() -> None:
    """He corrects it before he presses, and takes: that is the move."""
    log = "1000 lift c3; 1500 lift d5; 3000 place b6 N; 6000 pause white; 8000 arbiter resume; 9500 lift b6"
    events = play(
        f"{log}; 11000 place d5 N; 12500 press white",
        "4k3/p7/8/3p4/8/2N5/P7/4K3 w - - 0 1",
        senses="identity",
        clock=CLOCK,
    )
    assert [e.uci for e in only(c.Move, events)] == record(events) == ["c3d5"]
    assert not kinds(events) and not only(c.Penalty, accusations(events))


@pytest.mark.parametrize("wait", [300, 1500])
def test_who_presses_with_a_piece_put_in_the_place_of_another_has_taken_it(wait: int) -> None:
    """The knight cannot go to h1, and no sensor has failed."""
    log = f"1000 lift g8; 2500 lift h1; 4000 place h1; {4000 + wait} press black; 60000 time"
    events = play(log, "4k1n1/8/8/8/8/8/8/4K2R b - - 0 1", clock=CLOCK)
    (illegal,) = [e for e in only(c.Illegal, events) if e.completed]
    assert (illegal.uci, illegal.ms) == ("g8h1", 4000 + wait)


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"])
def test_who_presses_with_his_piece_in_the_hand_hears_it_once_he_has_set_it_down(laws: c.Edition) -> None:
    log = "1000 lift e2; 1500 press white; 2500 place e4 P; 4000 lift e7; 5500 place e5 p; 7000 press black; 60000 time"
    events = play(log, laws=laws, senses="identity", clock=CLOCK)
    (said,) = [e for e in events if isinstance(e, c.Violation) or (isinstance(e, c.Illegal) and e.completed)]
    assert (said.kind, said.ms) == ("clock-misuse" if laws < "fide-2018" else "no-move", 2900)


@pytest.mark.parametrize("wait", [50, 600])
@pytest.mark.parametrize(
    "log", ["1000 lift h5; 1300 lift f7; 1360 place f7", "1200 lift f7; 1360 place f7; 1390 lift h5"]
)
def test_a_mate_by_a_quick_capture_ends_the_game(log: str, wait: int) -> None:
    """The queen could have taken h7 or e5 as well."""
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    events = play(f"{log}; {1360 + wait} press white; 60000 time", fen, clock=CLOCK)
    assert (record(events), kinds(events)) == (["h5f7"], [])
    (over,) = only(c.Result, events)
    assert (over.result, over.status) == ("1-0", "final")
    assert over.ms <= 1360 + wait, "with the press at the latest"


def test_who_took_back_is_seen_before_the_square_he_left_when_the_first_presses() -> None:
    """White's queen stands on a4, of which b3 tells only after Black's press: it was Black's pawn that stood there."""
    fen = "r2q1b1r/p2nk2p/2p2p1n/1p1pp1pN/P7/RQP3P1/1P1PPP1P/1NB1KBR1 b - - 4 11"
    log = "1000 lift a4; 1058 lift b5; 1308 place a4 p; 1608 lift a4; 1908 place a4 Q; 1915 press black; 1933 lift b3"
    events = play(f"{log}; 2108 press white", fen, senses="identity", clock=CLOCK)
    assert (record(events), kinds(events)) == (["b5a4", "b3a4"], [])


@pytest.mark.parametrize(
    ("laws", "kind"), [("fide-2005", "clock-misuse"), ("fide-2014", "clock-misuse"), ("fide-2023", "no-move")]
)
def test_who_presses_with_his_piece_in_hand_is_told_of_when_he_sets_it_down(laws: c.Edition, kind: str) -> None:
    """That the sensor there failed for a second, and works again, excuses nobody."""
    log = "1000 lift b3; 2000 press white; 3300 place b6; 9000 lift a8"
    events = play(log, "r3k3/8/8/3n4/8/1R6/8/4K3 w - - 0 1", clock=CLOCK, laws=laws)
    (told,) = [*only(c.Violation, events), *only(c.Illegal, events)]
    assert (told.kind, told.ms) == (kind, 3700)


@pytest.mark.parametrize("opened", [1100, 1450, 1650])
def test_who_holds_both_pieces_has_taken_the_one_that_was_off_and_no_other_unseen(opened: int) -> None:
    """The rook may take the pawn on h2, which never rose, and not the knight, who did."""
    log = f"1000 lift h7; {opened} lift f3; 2076 place f3; 4000 press black"
    events = play(log, "4k3/7r/8/8/8/5N2/4P2P/4K3 b - - 0 3", clock=CLOCK)
    assert [(told.uci, told.ms) for told in only(c.Illegal, events)] == [("h7f3", 4000)]
    assert record(events) == []


def test_who_takes_against_the_rules_while_he_held_both_has_taken_nobody_else() -> None:
    """The knight c6 is off for a second, and the bishop c4 set down there, where no bishop goes (4.7): it has not taken
    f7 unseen, and put the knight back."""
    taken = "1000 lift c6; 1500 lift c4; 2200 place c6; 3000 press white"
    events = play(f"{taken}; 5000 lift g8; 6000 place f6; 7000 press black", MIDDLEGAME, clock=CLOCK)
    assert [(told.kind, told.ms) for told in only(c.Illegal, events)] == [("illegal-move", 3000)]
    assert record(events) == ["g8f6"]


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_a_known_hand_that_sets_a_piece_down_has_not_moved_it_unseen_before(clock: str | None) -> None:
    """White holds his knight while Black lifts a pawn and puts it back: out of turn, as soon as the knight is seen."""
    held = "1000 lift b1 side=white; 1600 lift a7 side=black; 2200 place a7 p side=black; 2700 place c3 N side=white"
    log = f"{held}; 3500 press white; 6000 lift g8 side=black; 7000 place f6 n side=black; 8000 press black"
    (said,) = only(c.Violation, play(log, MIDDLEGAME, senses="identity", clock=clock))
    assert (said.kind, said.side, said.ms) == ("out-of-turn", "black", 2700)


def test_castling_left_half_done_at_the_press_and_finished_before_the_reply_is_castling() -> None:
    """And no hand out of turn (7.5.1): the rook follows two seconds after the press."""
    half = "1000 lift e1; 1700 place g1 K; 2500 press white; 4500 lift h1; 5200 place f1 R"
    log = f"{half}; 7000 lift a7; 7600 place a6 p; 8500 press black"
    events = play(log, CASTLING, senses="identity", clock=CLOCK)
    assert (record(events), kinds(events)) == (["e1g1", "a7a6"], ["unfinished-castling"])


TAKEN_OFF = "1000 lift a1; 1600 lift c1; 2400 place c1"
"""Black's queen would mate by taking the rook; nothing shows whether she has, or the rook was put back."""
WOULD_MATE = "7k/8/8/8/8/8/1R3PPP/q1R3K1 b - - 0 1"


@pytest.mark.parametrize("gap_ms", [300, 600])
def test_a_mate_that_nothing_shows_ends_no_game_while_the_piece_may_be_in_hand(gap_ms: int) -> None:
    """She is set down on a5, and the rook c1 that was touched has not been taken (4.3.3)."""
    log = f"{TAKEN_OFF}; {2400 + gap_ms} place a5; 3300 press black; 5000 lift c1; 5800 place c5; 6500 press white"
    events = play(log, WOULD_MATE, clock=CLOCK)
    assert (record(events), kinds(events)) == (["a1a5", "c1c5"], ["touch-move"])
    assert not only(c.Result, events)


@pytest.mark.parametrize(("press", "over_ms"), [("3000 press black;", 3000), ("", 2400 + 400 + 1000)])
def test_it_does_with_the_press_or_once_nothing_follows(press: str, over_ms: int) -> None:
    (over,) = only(c.Result, play(f"{TAKEN_OFF}; {press} 20000 time", WOULD_MATE, clock=CLOCK))
    assert (over.result, over.status, over.ms) == ("0-1", "final", over_ms)


@pytest.mark.parametrize("side", ["", " side={}"])
def test_without_a_clock_who_replies_to_an_illegal_move_is_not_out_of_turn(side: str) -> None:
    """A knight stands on b3, where none goes; the reply completes that, also where it is known whose hand it is."""
    white, black = side.format("white"), side.format("black")
    illegal = f"1000 lift b1{white}; 1700 place b3 N{white}"
    log = f"{illegal}; 4000 lift g8{black}; 4800 place f6 n{black}; 7000 lift a2{white}; 7700 place a3 P{white}"
    events = play(log, MIDDLEGAME, senses="identity")
    assert (record(events), kinds(events)) == (["g8f6", "a2a3"], ["illegal-move"])


def test_so_is_who_takes_in_reply_to_it() -> None:
    """The piece that is taken was off for as long as a release takes."""
    illegal = "1000 lift b1; 1700 place b3 N; 4000 lift c5; 4500 lift f2; 5000 place f2 b"
    log = f"{illegal}; 7000 lift e1; 7500 lift f2; 8000 place f2 K; 10000 lift a7; 10700 place a6 p"
    events = play(log, MIDDLEGAME, senses="identity")
    assert (record(events), kinds(events)) == (["c5f2", "e1f2", "a7a6"], ["illegal-move"])


def test_who_moves_a_piece_of_the_opponents_is_not_the_opponent() -> None:
    log = "1000 lift c5 side=white; 2000 place a5 b side=white; 3500 press white"
    events = play(log, MIDDLEGAME, senses="identity", clock=CLOCK)
    assert {said.side for said in accusations(events)} == {"white"}


# -- what is taken in place of a move against the rules, where the board sees no kinds --------------------------------


REPLIED = (
    "7000 lift c6; 7600 lift e5; 8300 place e5; 9000 press black; 10000 lift d2; 10500 place d4; 11500 press white"
)


def test_who_takes_instead_of_the_move_that_he_had_released_has_taken() -> None:
    """The knight is set down on a3, put back, and the other one takes on e5: that stands once Black replies (4.7)."""
    released = "1000 lift b1; 1500 place a3; 3000 lift a3; 3400 place b1"
    log = f"{released}; 4200 lift f3; 4500 lift e5; 5200 place e5; 6000 press white; {REPLIED}"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert (record(events), kinds(events)) == (["f3e5", "c6e5", "d2d4"], ["released-move"])


def test_who_takes_after_a_press_without_a_move_has_taken() -> None:
    log = f"1500 press white; 3000 lift f3; 3500 lift e5; 4200 place e5; {REPLIED}"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert (record(events), kinds(events)) == (["f3e5", "c6e5", "d2d4"], ["no-move"])


def test_who_had_taken_his_victim_off_before_he_pressed_without_a_move_takes_it_now() -> None:
    press = "1000 lift e5; 1700 lift f3; 2200 place f3; 3000 press white; 4000 lift f3; 4700 place e5"
    log = f"{press}; 7000 lift g8; 7600 place f6; 8300 press black"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert (record(events), kinds(events)) == (["f3e5", "g8f6"], ["no-move"])


def test_nor_has_he_where_nobody_presses_and_the_opponent_replies() -> None:
    """The same without a clock: it is told late, but it is told, and nothing is made of it that nobody saw."""
    log = "1000 lift c6; 1500 lift c4; 2200 place c6; 5000 lift g8; 6000 place f6; 8500 lift b1; 9500 place c3"
    (said,) = accusations(play(log, MIDDLEGAME))
    assert isinstance(said, c.Illegal)
    assert (said.kind, said.side) == ("illegal-move", "white")


def test_nor_is_who_castled_against_the_rules_said_to_have_moved_his_rook_and_then_his_king() -> None:
    """He had the king in his hand before he released the rook."""
    fen = "2r3nr/k3p1b1/3n1p2/2q2b1p/8/3P2P1/1BPQ2B1/3NK2R w - - 3 34"
    log = "1000 lift e1; 1497 place g1; 1705 lift h1; 2264 place f1; 3885 press white; 30000 time"
    told = [each for each in play(log, fen, clock=CLOCK) if isinstance(each, c.Illegal) and each.completed]
    assert [(each.uci, each.ms, each.basis) for each in told] == [("e1g1", 3885, None)]


def test_who_took_has_not_held_his_piece_until_the_opponent_touches_another_that_it_may_take() -> None:
    """Bf4xg5 stands; 20 s later Black touches his pawn on d6, and moves another."""
    fen = "rnbq1bnr/2pkp2p/pp1p4/5pp1/P1QP1B2/5P1P/1PP1P1P1/RN2KBNR w KQ - 2 9"
    takes = "1000 lift f4; 1500 lift g5; 2000 place g5; "
    breaks = "22500 lift d6; 24000 place d6; 26200 lift c7; 26700 place c6; "
    events = play(f"{takes}{breaks}31200 lift e2; 31700 place e3", fen)
    assert record(events) == ["f4g5", "c7c6", "e2e3"]
    assert [(said.side, said.kind, said.ms) for said in only(c.Violation, events)] == [("black", "touch-move", 27100)]


MATES = "3r2k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"
TAKES = "1500 lift d1; 1900 lift d8; 2300 place d8"


@pytest.mark.parametrize("claim", ["", "; 3200 claim black flag"])
def test_a_flag_that_falls_after_such_a_mate_decides_nothing(claim: str) -> None:
    """5.1.1: the game ended when the rook was released, with 0.3 s left."""
    events = play(f"{TAKES}{claim}; 9000 time", MATES, clock="3")
    (over,) = only(c.Result, events)
    assert (over.result, over.reason, over.status) == ("1-0", "checkmate", "final")
    assert not only(c.Flag, events)
    assert [done.white_ms for done in only(c.Completed, events)] == [300]


def test_who_replies_shows_that_the_game_was_over() -> None:
    """5.2.2: two kings are left, and one of them is moved while the pieces are put away."""
    log = "1000 lift g1; 1400 lift g2; 2000 place g2; 2600 lift f4; 2650 lift g2; 2900 place e4; 9000 time"
    events = play(log, "8/8/8/8/5k2/8/6p1/6K1 w - - 0 1", clock="600")
    assert (record(events), accusations(events)) == (["g1g2"], [])
    assert [(over.result, over.reason) for over in only(c.Result, events)] == [("1/2-1/2", "dead-position")]


def test_nor_is_it_illegal_to_put_the_pieces_away() -> None:
    events = play(f"{TAKES}; 2900 lift g8; 3350 place e4; 9000 time", MATES, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d1d8"], [])


@pytest.mark.parametrize(("laws", "kind"), [("fide-2014", "clock-misuse"), ("fide-2023", "no-move")])
def test_who_presses_as_soon_as_he_has_put_his_piece_back_has_not_taken_unseen(laws: c.Edition, kind: str) -> None:
    fen = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2BPP3/2P2N2/PP3PPP/RNBQ1RK1 b - - 0 7"
    events = play("1000 lift e5; 1400 place e5; 1530 press black; 9000 time", fen, clock=CLOCK, laws=laws)
    assert (record(events), kinds(events)) == ([], [kind])
    assert not only(c.Move, events), "nor was one told and taken back"
