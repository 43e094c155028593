"""Scans of which only those are sent that show a change, and one is lost: the next one shows what it would have, and
something else besides. What is shown so late may have stood there since long before."""

import chess
import pytest
from shorthand import CLOCK, accusations, inputs, play, record, session

from controller import contract as c
from controller.game import Game

ROOKS = "4k1r1/8/8/8/8/8/8/1R2K3 w - - 0 1"
ENDGAME = "6k1/1p6/8/8/8/8/1P1K4/4R3 w - - 0 1"


def frames(changes: str, fen: str = ENDGAME) -> str:
    """``1000 -d2 | 1500 +d1 -e4 | 2000 press white``: scans of the squares that change, as a log in short."""
    occupied, log = chess.Board(fen).occupied, [f"0 frame {chess.Board(fen).occupied:016x}"]
    for part in changes.split(" | "):
        ms, *words = part.split()
        if words[0][0] not in "+-":
            log.append(part)
            continue
        for word in words:
            bit = chess.BB_SQUARES[chess.parse_square(word[1:])]
            occupied = occupied | bit if word[0] == "+" else occupied & ~bit
        log.append(f"{ms} frame {occupied:016x}")
    return "; ".join(log)


@pytest.mark.parametrize(("laws", "kind"), [("fide-2014", "clock-misuse"), ("fide-2023", "no-move")])
def test_what_shows_as_the_reply_begins_was_set_down_before_the_press(laws: c.Edition, kind: str) -> None:
    seen_late = "1001 -d2 | 3003 press white | 6207 +d1 -b7 | 6804 +b6 | 8011 press black"
    events = play(frames(seen_late), ENDGAME, clock=CLOCK, laws=laws)
    assert (record(events), accusations(events)) == (["d2d1", "b7b6"], [])
    by_itself = "1001 -d2 | 3003 press white | 5207 +d1 | 6207 -b7 | 6804 +b6 | 8011 press black"
    events = play(frames(by_itself), ENDGAME, clock=CLOCK, laws=laws)
    assert [each.kind for each in events if isinstance(each, c.Illegal | c.Violation)] == [kind]


@pytest.mark.parametrize(("after_ms", "kinds"), [(60, []), (190, []), (300, ["no-move"])])
def test_no_hand_sets_a_piece_down_sooner_after_its_press(after_ms: int, kinds: list[str]) -> None:
    """The scan that would have shown it before was lost, though this one shows nothing else."""
    log = f"1001 -d2 | 3003 press white | {3003 + after_ms} +d1 | 6207 -b7 | 6804 +b6 | 8011 press black"
    events = play(frames(log), ENDGAME, clock=CLOCK)
    assert [each.kind for each in events if isinstance(each, c.Illegal | c.Violation)] == kinds
    assert record(events) == ["d2d1", "b7b6"]


def accused(events: list[c.AnyEvent]) -> list[tuple[c.Ms, str]]:
    return [(each.ms, each.kind) for each in events if isinstance(each, c.Illegal | c.Violation)]


def test_who_presses_before_his_piece_is_seen_to_stand_hears_nothing_until_the_next_scan() -> None:
    """The scans are 100 ms apart."""
    first, record_ = "200 -e1 | 400 +e2 | 500 press white | 700 -e8 | 900 +e7 | 950 press black", ["e1e2", "e8e7"]
    seen_late = f"{first} | 1000 -b1 | 3003 press white | 6200 +b5 -g8 | 6800 +g3 | 8011 press black"
    events = play(frames(seen_late, ROOKS), ROOKS, clock=CLOCK)
    assert (record(events), accusations(events)) == ([*record_, "b1b5", "g8g3"], [])
    by_itself = f"{first} | 1000 -b1 | 3003 press white | 5200 +b5 | 6200 -g8 | 6800 +g3 | 8011 press black"
    events = play(frames(by_itself, ROOKS), ROOKS, clock=CLOCK)
    assert (record(events), accused(events)) == ([*record_, "b1b5", "g8g3"], [(5215, "no-move")])


def test_who_is_taken_en_passant_may_leave_in_the_scan_that_is_lost() -> None:
    position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    seen_late = "1000 -e5 | 1300 +d6 | 3003 press white | 6200 -d5 -e8 | 6800 +d7 | 8011 press black"
    events = play(frames(seen_late, position), position, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e5d6", "e8d7"], [])


def test_of_a_board_that_loses_scans_two_may_be_lost_before_a_press() -> None:
    """White's king goes to d1 with one scan lost; his rook to e2 with two, and all of it shows as Black replies."""
    lost = "1001 -d2 | 3003 press white | 6207 +d1 -b7 | 6804 +b6 | 8011 press black"
    two = "9003 press white | 9805 +e2 -e1 -b6 | 10407 +b5 | 11003 press black"
    events = play(frames(f"{lost} | {two}"), ENDGAME, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d2d1", "b7b6", "e1e2", "b6b5"], [])
    # One that has lost none so far is believed, and at once.
    first = "1001 -d2 | 2003 +d1 | 3003 press white | 6207 -b7 | 6804 +b6 | 8011 press black | 9003 press white"
    assert accused(play(frames(f"{first} | 20007 -e1"), ENDGAME, clock=CLOCK)) == [(9003, "no-move")]


def test_so_may_be_two_of_a_board_that_is_scanned_slowly() -> None:
    """Ten scans a second, none seen to be lost so far; White's rook shows on b5 as Black takes up his king."""
    pressed = "1503 press white | 2600 -b1 -e8 +b5 | 3100 +e7 | 4003 press black"
    events = play(
        frames(f"200 -e1 | 400 +e2 | 503 press white | 700 -g8 | 900 +g7 | 1003 press black | {pressed}", ROOKS),
        ROOKS,
        clock=CLOCK,
    )
    assert (record(events), accusations(events)) == (["e1e2", "g8g7", "b1b5", "e8e7"], [])


KINGS = "200 -e1 | 400 +e2 | 500 press white | 700 -e8 | 900 +e7 | 950 press black"
LATER = "6200 -g8 | 6800 +g3 | 8011 press black"


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ("1000 -b1 | 1500 +c3 | 3003 press white", [(1900, "illegal-move"), (3003, "illegal-move")]),
        (
            "1000 -b1 | 1500 +b5 | 2000 arbiter report side=white kind=two-hands | 3003 press white",
            [(3003, "two-hands")],
        ),
    ],
)
def test_what_was_seen_whole_or_by_a_person_waits_for_no_scan(moved: str, said: list[tuple[c.Ms, str]]) -> None:
    assert accused(play(frames(f"{KINGS} | {moved} | {LATER}", ROOKS), ROOKS, clock=CLOCK)) == said


@pytest.mark.parametrize("between", ["4000 reading", "4000 draw white offer", "4000 adjust black", "4000 time"])
def test_what_tells_nothing_of_the_board_ends_no_wait(between: str) -> None:
    seen_late = f"{KINGS} | 1000 -b1 | 3003 press white | {between} | 6200 +b5 -g8 | 6800 +g3 | 8011 press black"
    shown = c.Reading(ms=4000, white_ms=5_400_000, black_ms=5_400_000, running="black")
    game, events = Game(session(ROOKS, clock=CLOCK)), list[c.AnyEvent]()
    for item in inputs(frames(seen_late.replace("reading", "time"), ROOKS)):
        events += game.handle(shown if between == "4000 reading" and type(item) is c.Time else item)
    events += game.finish()
    assert (record(events), accusations(events)) == (["e1e2", "e8e7", "b1b5", "g8g3"], [])


def test_what_waits_for_the_next_scan_is_told_at_the_end_of_the_log() -> None:
    events = play(frames(f"{KINGS} | 1000 -b1 | 3003 press white", ROOKS), ROOKS, clock=CLOCK)
    assert [kind for _, kind in accused(events)] == ["no-move"]


@pytest.mark.parametrize("after", ["resign white", "arbiter pause"])
def test_what_waits_for_the_next_scan_waits_for_nothing_else(after: str) -> None:
    """Another input ends it: with the piece in hand he has pressed, as far as anybody can tell."""
    events = play(frames(f"{KINGS} | 1000 -b1 | 3003 press white | 9003 {after}", ROOKS), ROOKS, clock="60")
    assert accused(events)[0] == (9003, "no-move")


@pytest.mark.parametrize(("after", "told_ms"), [("9003 press black", 14_103), ("70000 time", 62_553)])
def test_where_a_sensor_may_have_failed_he_is_accused_once_nothing_else_comes(after: str, told_ms: c.Ms) -> None:
    """The rook may stand where this slow board shows none. A flag is waited for no longer."""
    events = play(frames(f"{KINGS} | 1000 -b1 | 3003 press white | {after}", ROOKS), ROOKS, clock="60")
    assert accused(events)[0] == (told_ms, "no-move")


def test_on_a_board_that_is_scanned_slowly_a_sensor_may_stick_too() -> None:
    """That of a7 stays closed as the pawn leaves: only the scans that show a change are sent, five a second."""
    opened = "5876 -e2 | 6676 +e4 | 6946 press white | 13076 -e7 | 13276 +e5 | 13909 press black"
    knights = "18076 -g1 | 18876 +f3 | 19000 press white | 20676 -g8 | 21276 +f6 | 21409 press black"
    stuck = "25476 -b2 | 25876 +b3 | 26001 press white | 32276 +a5 | 32817 press black"
    events = play(
        frames(f"{opened} | {knights} | {stuck} | 38476 -h2 | 39276 +h4 | 39533 press white", chess.STARTING_FEN),
        clock=CLOCK,
    )
    assert (record(events)[-3:], accusations(events)) == (["b2b3", "a7a5", "h2h4"], [])


def test_who_shows_again_as_another_leaves_may_have_been_brushed() -> None:
    """The pawn was back at once, and that scan is lost."""
    seen_late = "1001 -b2 | 2207 +b2 -e1 | 2804 +e4"
    events = play(frames(seen_late), ENDGAME)
    assert (record(events), accusations(events)) == (["e1e4"], [])
    by_itself = "1001 -b2 | 2007 +b2 | 2207 -e1 | 2804 +e4"
    events = play(frames(by_itself), ENDGAME)
    assert [each.kind for each in events if isinstance(each, c.Violation)] == ["touch-move"]


def every_scan(changes: dict[int, int], press_ms: int, apart_ms: int, lost: set[int], until_ms: int = 6000) -> str:
    """A log of all scans but those that are lost: from each time on these squares, a bitboard, differ from before."""
    log, occupied = list[tuple[int, str]](), chess.Board().occupied
    for ms in range(0, until_ms, apart_ms):
        for at, squares in changes.items():
            occupied ^= squares if ms - apart_ms < at <= ms else 0
        if ms not in lost:
            log.append((ms, f"{ms} frame {occupied:016x}"))
    return "; ".join(text for _, text in sorted([*log, (press_ms, f"{press_ms} press white")]))


@pytest.mark.parametrize(("laws", "apart_ms"), [("fide-2014", 200), ("fide-2023", 200), ("fide-2023", 50)])
@pytest.mark.parametrize("lost", [0, 1, 2, 3])
@pytest.mark.parametrize("lifted_ms", [2900, 3040])
def test_where_the_scan_after_the_press_is_lost_the_next_tells_what_stood_there(
    laws: c.Edition, apart_ms: int, lost: int, lifted_ms: int
) -> None:
    """In the 3000s millisecond the last scan before it was sent; the pawn was seen to leave by then, or not."""
    scans = {3000 + apart_ms * number for number in range(1, lost + 1)}
    log = every_scan({lifted_ms: chess.BB_D2, 3045: chess.BB_D4}, 3049, apart_ms, scans)
    events = play(log, clock=CLOCK, laws=laws)
    assert (record(events), accusations(events)) == (["d2d4"], [])
    assert [done.ms for done in events if isinstance(done, c.Completed)] == [3049]


def test_twenty_scans_a_second_miss_nothing_that_hands_do() -> None:
    """An illegal move that stands is one at the press, and no capture between two scans beside it."""
    log = every_scan({2020: chess.BB_C1, 2610: chess.BB_C5}, 3400, 50, set())
    events = play(log, clock=CLOCK)
    completed = [said for said in events if isinstance(said, c.Illegal) and said.completed]
    assert [(said.uci, said.ms) for said in completed] == [("c1c5", 3400)]
