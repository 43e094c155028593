"""Raw scans of occupancy: by the contract one holds until the next; where every scan is sent, some may be lost."""

import chess
import pytest
from shorthand import CASTLING, CLOCK, accusations, only, play, record, scan
from two_boards import Played

from controller import contract as c

KING_UP = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R6R w - - 0 9"))
ON_D1 = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R2K3R w - - 0 9"))
ON_C1 = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R1K4R w - - 0 9"))
BEFORE = scan(chess.Board(CASTLING))

ONCE_AGAIN = [f"0 frame {BEFORE}", f"900 frame {BEFORE}", ""]
"""The board at rest is scanned twice at one time, or later; or once."""


@pytest.mark.parametrize("again", ONCE_AGAIN)
def test_what_stood_between_two_scans_was_released_though_an_earlier_scan_was_repeated(again: str) -> None:
    """The king rests on d1 for 600 ms: Kd1 is made (4.7), and the way to c1 is a second move."""
    log = (
        f"0 frame {BEFORE}; {again}; 1000 frame {KING_UP}; 2000 frame {ON_D1}; 2600 frame {KING_UP}; 3200 frame {ON_C1}"
    )
    events = play(log, CASTLING)
    assert record(events) == ["e1d1"]
    assert [e.kind for e in events if isinstance(e, c.Violation)] == ["released-move"]


def test_where_every_scan_is_sent_a_piece_was_not_seen_to_rest_while_scans_were_lost() -> None:
    """Five scans a second, of which two are lost while the king is on his way over d1."""
    at_rest = "; ".join(f"{ms} frame {BEFORE}" for ms in range(0, 1000, 200))
    log = f"{at_rest}; 1000 frame {KING_UP}; 1200 frame {ON_D1}; 1800 frame {KING_UP}; 2000 frame {ON_C1}"
    events = play(f"{log}; 2200 frame {ON_C1}; 2400 frame {ON_C1}", CASTLING)
    assert record(events) == []
    assert not [e for e in events if isinstance(e, c.Violation)]


@pytest.mark.parametrize("bounces", [[], [495], [492, 497]])
def test_a_contact_that_has_not_settled_when_the_clock_is_pressed_showed_that_before(bounces: list[int]) -> None:
    """A pawn is pushed over the line, seen on its new square first, and has left the old one 5 ms before the press."""
    before, both, after = 1 << 12, 1 << 12 | 1 << 20, 1 << 20
    scans = [(ms, before if ms < 430 else both if ms < 490 else after) for ms in range(0, 600, 5)]
    scans = sorted([*scans, *[(ms, both) for ms in bounces]])
    kings = 1 << 4 | 1 << 60
    log = [f"{ms} frame {kings | occupied:016x}" for ms, occupied in scans]
    at = sum(ms <= 495 for ms, _ in scans)
    log.insert(at, "495 press white")
    events = play("; ".join(log), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", clock="300")
    assert record(events) == ["e2e3"]
    assert [e.uci for e in events if isinstance(e, c.Completed)] == ["e2e3"]
    assert not [e for e in events if isinstance(e, c.Illegal | c.Violation)]


BREACH = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize("apart", [1499, 1500, 2000])
def test_each_scan_holds_until_the_next_and_round_times_tell_nothing_of_how_often_a_board_is_scanned(
    apart: int,
) -> None:
    """White touches the pawn on d5 and plays e5. Somebody who wrote all times as full seconds has not scanned slowly,
    so that the pawn may have been taken and set down on e5 between two scans (4.3.2)."""
    at_rest, d5_up, on_e5 = chess.Board(BREACH), chess.Board(BREACH), chess.Board(BREACH)
    d5_up.remove_piece_at(chess.D5)
    e4_up = on_e5.copy()
    e4_up.remove_piece_at(chess.E4)
    on_e5.push_uci("e4e5")
    boards = (at_rest, d5_up, at_rest, e4_up, on_e5)
    log = "; ".join(f"{apart * number} frame {scan(board)}" for number, board in enumerate(boards))
    events = play(f"{log}; {apart * 5} press white", BREACH, clock="300")
    assert record(events) == ["e4e5"]
    assert [e.kind for e in events if isinstance(e, c.Violation)] == ["touch-move"]


@pytest.mark.parametrize("before_ms", [0, 6, 14, 16])
def test_the_square_from_which_a_piece_came_that_stands_there_was_left_before_the_press(before_ms: int) -> None:
    """Its contact has opened, and had no time to settle."""
    pawn, landed = 1 << chess.D2, 1 << chess.D4
    kings = 1 << chess.E1 | 1 << chess.E8
    at_rest, both, after = (f"{kings | pieces:016x}" for pieces in (pawn, pawn | landed, landed))
    log = f"0 frame {at_rest}; 1119 frame {both}; 1135 frame {after}; {1135 + before_ms} press white"
    events = play(log, "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", clock="300")
    assert (record(events), [e.uci for e in only(c.Completed, events)]) == (["d2d4"], ["d2d4"])
    assert not accusations(events)


@pytest.mark.parametrize(("off_ms", "kinds"), [(95, []), (240, ["touch-move"])])
@pytest.mark.parametrize("period", [42, 125])
def test_a_brush_that_scans_out_of_step_show_longer_than_it_was_is_no_touch(
    period: int, off_ms: int, kinds: list[str]
) -> None:
    """The pawn on b2 is off its square for so long, then the bishop moves: it is touched only if it was off for 120 ms
    whenever it left and came between the scans that show it."""
    off_ms += 2 * period * (off_ms > 120)
    start = chess.Board("4k3/8/8/8/8/8/1P6/4KB2 w - - 0 1")
    changes = [(1001, "b2", False), (1001 + off_ms, "b2", True), (2500, "f1", False), (3200, "g2", True)]
    occupied, ms, log = start.occupied, 0, list[str]()
    for number in range(5000 // period):
        ms += period + (-2, 0, 1, 2)[number % 4]
        for at, square, on in changes:
            bit = chess.BB_SQUARES[chess.parse_square(square)]
            occupied = occupied & ~bit | (bit if on else 0) if at <= ms < at + 2 * period else occupied
        log.append(f"{ms} frame {occupied:016x}")
    events = play("; ".join(log), start.fen())
    assert record(events) == ["f1g2"]
    assert [each.kind for each in only(c.Violation, events)] == kinds


C1_ATTACKED = "r1bq1rk1/1pp2p1p/2n4p/1p1p1p2/8/bPPP2PN/P2QP2P/R3KB1R b KQ - 1 12"
CASTLES_INTO_CHECK = [
    (0, "6da6842a00cf99b1"),
    (1000, "6ca6842a00cf99b1"),
    (1400, "6ca6852a00cf99b1"),
    (4200, "6ca6852a00cf99a1"),
    (4800, "6ca6852a00cf99a5"),
    (5200, "6ca6852a00cf99a4"),
    (5800, "6ca6852a00cf99ac"),
]
"""Black plays Ra5; White castles, and his king comes to stand in the check of the bishop on a3."""


def test_of_slow_scans_that_are_all_sent_nothing_is_missing_that_lasts() -> None:
    """Five a second, of which each that shows a change is sent, and the one after it: no lost one has hidden another
    move of White's, so that he is told of his when he presses (3.8.2, 7.4)."""
    log = [f"{at} frame {occupied}" for ms, occupied in CASTLES_INTO_CHECK for at in (ms, ms + 200)]
    log[6:6] = ["1971 press black"]
    events = play("; ".join([*log, "8071 press white"]), C1_ATTACKED, laws="fide-2009", clock="7200")
    assert [(each.completed, each.ms) for each in only(c.Illegal, events)] == [(False, 6200), (True, 8071)]


@pytest.mark.parametrize("every", [80, 125, 200, 250])
@pytest.mark.parametrize("changes_only", [True, False])
@pytest.mark.parametrize("stock", ["", "[Pp]"])
def test_whoever_is_off_for_longer_than_a_brush_while_his_taker_is_in_hand_was_taken(
    every: int, changes_only: bool, stock: str
) -> None:
    """The knight may go to f4, whose pawn is seen to leave, or to g5, of which nothing is seen: the clock has completed
    what was shown, though a board that looks so seldom hides many captures (contract, finer points)."""
    fen, to, shown = "4k3/p6p/8/6p1/4Pp2/7N/8/4K3{} w - - 0 8", 3000 // every * every, list[str]()
    occupied, back = chess.Board(fen.format("")).occupied, to + 2 * every + (160 if every == 80 else every)
    changes = {to: chess.BB_H3, to + 2 * every: chess.BB_F4, back: chess.BB_F4}
    for ms in range(0, to + 20 * every, every):
        occupied ^= changes.get(ms, 0)
        if ms in changes or ms == 0 or not changes_only:
            shown.append(f"{ms} frame {occupied:016x}")
    pressed = back + every * 3 // 2
    log = sorted([*shown, f"{pressed} press white"], key=lambda line: int(line.split()[0]))
    if stock:
        events = Played("; ".join(line.replace(" ", " A ", 1) for line in log), a=fen.format(stock)).events
    else:
        events = play("; ".join(log), fen.format(""), clock="180")
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("h3f4", pressed)]
    assert not only(c.Ambiguous, events)


@pytest.mark.parametrize(("silent_ms", "accused"), [(2500, False), (0, True)])
def test_nobody_saw_what_stood_at_a_press_where_every_scan_is_sent_and_none_came_for_long(
    silent_ms: int, accused: bool
) -> None:
    """White has moved his pawn meanwhile, or nothing; then the scans go on."""
    moved, pressed = scan(chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")), 10_500
    still = [f"{ms} frame {scan(chess.Board())}" for ms in range(0, pressed - silent_ms, 50)]
    then = [f"{ms} frame {moved}" for ms in range(12_000, 14_000, 50)]
    events = play("; ".join([*still, f"{pressed} press white", *then]), clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["no-move"] * accused
    assert record(events) == ["e2e4"]


@pytest.mark.parametrize("queen_seen", [True, False])
def test_four_intervals_in_step_tell_how_far_apart_the_scans_are(queen_seen: bool) -> None:
    """Each scan comes 66 ms after a quarter of a second. The first one after the press shows the queen that stood there
    by then, or nothing."""
    board = chess.Board("r5k1/1P6/8/8/8/8/8/6K1 w - - 0 1")
    gone = board.occupied & ~chess.BB_B7
    seen = [board.occupied, gone, gone & ~chess.BB_A8, gone, gone & ~chess.BB_A8]
    log = [f"{ms} frame {shown:016x}" for ms, shown in zip([0, 2816, 3066, 4316, 5066], seen, strict=True)]
    after = f"6566 frame {gone if queen_seen else seen[-1]:016x}"
    events = play("; ".join([*log, "6536 press white", after]), board.fen(), clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-promotion"] * (not queen_seen)


@pytest.mark.parametrize("later", [0, 90])
def test_a_board_that_was_away_and_was_asked_what_stands_there_is_scanned_as_seldom_as_before(later: int) -> None:
    """Four scans a second, none for eight seconds, then one out of step. They may go on in another one."""
    moved = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    in_hand = moved.copy()
    in_hand.remove_piece_at(chess.E4)
    times = [*range(2, 10_000, 250), 18_480, *range(18_502 + later, 35_000 + later, 250)]
    shown = [(in_hand if ms < 25_252 + later else moved) if ms > 25_000 + later else chess.Board() for ms in times]
    log = [f"{ms} frame {scan(board)}" for ms, board in zip(times, shown, strict=True)]
    log.insert(times.index(25_252 + later), f"{25_201 + later} press white")
    events = play("; ".join(log), clock=CLOCK)
    assert [(done.uci, done.ms) for done in only(c.Completed, events)] == [("e2e4", 25_201 + later)]
    assert not accusations(events)
