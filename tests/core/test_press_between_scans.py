"""Who presses between two scans of a slow board has pressed with what the next of them shows on it."""

import chess
import pytest
from shorthand import CLOCK, accusations, inputs, only, play, record, session
from two_boards import EXCHANGE, START, Played

from controller import contract as c
from controller.game import Game

EVERY_MS = 200


def scanned(
    fen: str, changes: dict[int, int], presses: dict[int, c.Side], first_ms: int, until_ms: int
) -> list[c.AnyEvent]:
    """Every event of a board that looks each 200 ms, first at ``first_ms``, after one reading at 0. ``changes``: what
    changes when, as a bitboard."""
    game = Game(session(fen, senses="occupancy", clock=CLOCK))
    occupied, said = chess.Board(fen).occupied, list[c.AnyEvent]()
    looks = {0, *range(first_ms, until_ms, EVERY_MS)}
    for ms in sorted({*looks, *changes, *presses}):
        occupied ^= changes.get(ms, 0)
        if ms in presses:
            said += game.handle(c.Press(ms=ms, side=presses[ms]))
        if ms in looks:
            said += game.handle(c.Frame(ms=ms, occupied=f"{occupied:016x}"))
    return said + game.finish()


@pytest.mark.parametrize("first_ms", [87, 200])
@pytest.mark.parametrize("late_ms", [10, 60, 138, 190])
def test_the_next_scan_shows_what_stood_there(late_ms: int, first_ms: int) -> None:
    """The queen stands on a4 when White presses, and the board sees her ``late_ms`` after that; it is not to matter
    whether it began to look in step."""
    look_ms = first_ms + 10 * EVERY_MS
    changes = {look_ms - 400: chess.BB_D1, look_ms - late_ms - 5: chess.BB_A4}
    fen = "rnbqkbnr/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2"
    events = scanned(fen, changes, {look_ms - late_ms: "white"}, first_ms, 4000)
    assert record(events) == ["d1a4"]
    assert [done.side for done in only(c.Completed, events)] == ["white"]
    assert not accusations(events)


@pytest.mark.parametrize("first_ms", [87, 200])
def test_also_who_was_taken_in_passing(first_ms: int) -> None:
    """The pawn is off when White presses, which the board sees later."""
    look_ms = first_ms + 10 * EVERY_MS
    changes = {look_ms - 800: chess.BB_E5, look_ms - 600: chess.BB_D6, look_ms - 100: chess.BB_D5}
    events = scanned("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", changes, {look_ms - 85: "white"}, first_ms, 4000)
    assert record(events) == ["e5d6"]
    assert not accusations(events)


def test_a_contact_that_has_not_settled_when_somebody_presses_has_closed_before() -> None:
    """On a board that looks often: White presses 10 ms after his pawn has landed."""
    occupied = chess.Board().occupied
    lifted, landed = occupied ^ chess.BB_E2, occupied ^ chess.BB_E2 ^ chess.BB_E4
    times = [
        f"{ms} frame {(occupied if ms < 1000 else lifted if ms < 1500 else landed):016x}" for ms in range(0, 1505, 5)
    ]
    log = "; ".join([*times, "1510 press white", f"1515 frame {landed:016x}", f"1520 frame {landed:016x}"])
    game = Game(session(senses="occupancy", clock=CLOCK))
    events = [event for item in inputs(log) for event in game.handle(item)] + game.finish()
    assert [done.uci for done in only(c.Completed, events)] == ["e2e4"]
    assert not accusations(events)


@pytest.mark.parametrize("press_ms", [2005, 2014, 2040])
def test_a_piece_shaken_just_after_the_press_was_not_touched_for_longer(press_ms: int) -> None:
    """Of 20 scans a second two show it off, the first of them right after the press: that is a brush, whenever
    the clock was pressed before it."""
    board, fen = chess.Board(), chess.STARTING_FEN
    changes = {1000: chess.BB_E2, 1400: chess.BB_E4, 2050: chess.BB_C7, 2150: chess.BB_C7}
    changes |= {4000: chess.BB_E7, 4400: chess.BB_E5}
    presses: dict[int, c.Side] = {press_ms: "white", 5010: "black"}
    game, occupied, said = Game(session(fen, senses="occupancy", clock=CLOCK)), board.occupied, list[c.AnyEvent]()
    for ms in sorted({*range(0, 6000, 50), *presses}):
        occupied ^= changes.get(ms, 0)
        scan = c.Frame(ms=ms, occupied=f"{occupied:016x}")
        said += game.handle(c.Press(ms=ms, side=presses[ms]) if ms in presses else scan)
    assert record(said + game.finish()) == ["e2e4", "e7e5"]
    assert not accusations(said)


CONTACT_MS = range(1, 16)
"""How long a contact may take to settle."""


@pytest.mark.parametrize("late_ms", CONTACT_MS)
def test_where_scans_come_only_with_a_change_who_has_set_down_has_moved(late_ms: int) -> None:
    """Of such a board nobody knows how often it looks; what it shows so soon after the press stood there."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    occupied = chess.Board(fen).occupied
    looks = {1: 0, 2000: chess.BB_E2, 2500 + late_ms: chess.BB_E4}
    events = only_changes(fen, occupied, looks, 2500)
    assert record(events) == ["e2e4"]
    assert [done.ms for done in only(c.Completed, events)] == [2500]
    assert not accusations(events)


@pytest.mark.parametrize("early_ms", CONTACT_MS)
def test_nor_need_the_contact_under_whom_he_took_in_passing_have_settled(early_ms: int) -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    looks = {1: 0, 2000: chess.BB_E5, 2400: chess.BB_D6, 2900 - early_ms: chess.BB_D5}
    events = only_changes(fen, chess.Board(fen).occupied, looks, 2900)
    assert record(events) == ["e5d6"]
    assert not accusations(events)


def test_nor_need_it_be_where_the_piece_passed_a_moment_before() -> None:
    """The pawn passes e3, which has opened again and not settled yet, and stands on e4 a moment after the press."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    looks = {1: 0, 2000: chess.BB_E2, 2300: chess.BB_E3, 2480: chess.BB_E3, 2501: chess.BB_E4}
    events = only_changes(fen, chess.Board(fen).occupied, looks, 2500)
    assert record(events) == ["e2e4"]
    assert not accusations(events)


@pytest.mark.parametrize("early_ms", CONTACT_MS)
def test_nor_where_he_has_only_just_taken_off_whom_he_had_pushed_aside(early_ms: int) -> None:
    taken = {2000: chess.BB_F6, 2300: chess.BB_G7, 2308: chess.BB_H6, 2450: chess.BB_G7, 3100 - early_ms: chess.BB_H6}
    fen = "4k3/6p1/5B2/8/8/8/P7/4K3 w - - 0 1"
    events = only_changes(fen, chess.Board(fen).occupied, {1: 0, **taken}, 3100)
    assert record(events) == ["f6g7"]
    assert not accusations(events)


def test_who_sets_down_later_has_pressed_without_a_move() -> None:
    """No board looks so seldom."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    looks = {1: 0, 2000: chess.BB_E2, 2800: chess.BB_E4}
    (said,) = only(c.Illegal, only_changes(fen, chess.Board(fen).occupied, looks, 2500))
    assert said.kind == "no-move"


@pytest.mark.parametrize("every_ms", [250, 260, 333, 400])
def test_a_move_and_its_press_may_lie_between_two_scans_from_the_first_move_on(every_ms: int) -> None:
    start, later = chess.Board(), chess.Board()
    later.push_uci("e2e4")
    game, events = Game(session(clock=CLOCK)), list[c.AnyEvent]()
    for number in range(20):
        occupied = (start if number < 8 else later).occupied
        events += game.handle(c.Frame(ms=number * every_ms, occupied=f"{occupied:016x}"))
        events += game.handle(c.Press(ms=7 * every_ms + 10, side="white")) if number == 7 else []
    assert (record(events), accusations(events)) == (["e2e4"], [])
    assert [made.ms for made in only(c.Completed, events)] == [7 * every_ms + 10]


def only_changes(fen: str, occupied: int, looks: dict[int, int], press_ms: int) -> list[c.AnyEvent]:
    """Every event of a board that sends a scan where something has changed, and White's press."""
    game, said, pressed = Game(session(fen, senses="occupancy", clock=CLOCK)), list[c.AnyEvent](), False
    for ms, change in sorted(looks.items()):
        if ms > press_ms and not pressed:
            pressed, said = True, said + game.handle(c.Press(ms=press_ms, side="white"))
        occupied ^= change
        said += game.handle(c.Frame(ms=ms, occupied=f"{occupied:016x}"))
    return said + ([] if pressed else game.handle(c.Press(ms=press_ms, side="white"))) + game.finish()


def test_a_second_press_before_the_scan_that_shows_the_move_changes_nothing() -> None:
    """The clock of who has pressed stands already."""
    pressed = {1310: c.WHITE, 1370: c.WHITE}
    events = scanned(chess.STARTING_FEN, {950: chess.BB_E2, 1250: chess.BB_E4}, pressed, 200, 4000)
    assert (record(events), accusations(events)) == (["e2e4"], [])
    assert [done.ms for done in only(c.Completed, events)] == [1310]


@pytest.mark.parametrize("between", ["time", "adjust black", "draw white offer", "choose white q"])
def test_what_is_said_before_that_scan_is_heard_after_the_press(between: str) -> None:
    """All scans are sent, ten a second: the pawn is set down at 1480, and nobody says anything of it."""
    start, lifted = chess.Board().occupied, chess.Board().occupied & ~chess.BB_E2
    shown = {ms: start if ms < 1000 else lifted if ms < 1480 else lifted | chess.BB_E4 for ms in range(50, 4000, 100)}
    lines = [f"{ms} frame {occupied:016x}" for ms, occupied in shown.items()]
    log = "; ".join(sorted([*lines, "1530 press white", f"1545 {between}"], key=lambda line: int(line.split()[0])))
    events = play(log, clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4"], [])


@pytest.mark.parametrize("off", [0, 1])
@pytest.mark.parametrize("before", [60, 100, 150, 180])
def test_where_only_changes_are_sent_the_least_time_between_two_tells_how_seldom_it_looks(
    off: int, before: int
) -> None:
    """Five scans a second, one of them a millisecond off the beat; Black presses so long before the one that shows
    his pawn on c5."""
    changes = [(1000, "b1"), (1400, "c3"), (1600 - off, "c3"), (1800, "c3"), (4000, "c7"), (4600, "c5"), (6000, "d2")]
    occupied, lines = chess.Board().occupied, [f"0 frame {chess.Board().occupied:016x}"]
    for ms, square in changes:
        occupied ^= chess.BB_SQUARES[chess.parse_square(square)]
        lines.append(f"{ms} frame {occupied:016x}")
    lines = [*lines[:5], "2100 press white", lines[5], f"{4600 - before} press black", *lines[6:]]
    events = play("; ".join(lines), clock=CLOCK)
    assert (record(events)[:2], accusations(events)) == (["b1c3", "c7c5"], [])


def side_by_side(moved: dict[str, dict[int, int]], said: list[str]) -> Played:
    """A match with a pawn to take on board A, both boards of which look eight times a second. ``moved``: what changes
    when, as a bitboard; ``said``: the other lines of the log."""
    lines = list(said)
    for board, fen in (("A", EXCHANGE), ("B", START)):
        occupied, changes = chess.Board(fen.replace("[]", "")).occupied, sorted(moved[board].items())
        for ms in range(60, 4000, 125):
            while changes and changes[0][0] <= ms:
                occupied ^= changes.pop(0)[1]
            lines.append(f"{ms} {board} frame {occupied:016x}")
    return Played("; ".join(sorted(lines, key=lambda line: int(line.split()[0]))), a=EXCHANGE, b=START)


@pytest.mark.parametrize("takes_ms", [2000, 2001, 2002])
def test_who_presses_when_his_partners_opponent_does_has_pressed_at_that_time(takes_ms: int) -> None:
    """White takes on board A and presses, and on board B White presses at 2001: his clock stands then, though both
    presses wait for what the next scan shows, and one passes a pawn on to the other board."""
    took, stepped = {1000: chess.BB_E4, 1300: chess.BB_D5, 1700: chess.BB_D5}, {1000: chess.BB_E2, 1500: chess.BB_E4}
    presses = [f"{takes_ms} A press white", "2001 B press white"]
    match = side_by_side({"A": took, "B": stepped}, presses)
    (done,) = match.all(c.Completed, "B")
    assert (done.uci, done.white_ms, match.completed("A")) == ("e2e4", 180_000 - 2001, ["e4d5"])
    assert match.stock("B") == ("", "p")


@pytest.mark.parametrize(("stood_ms", "moves"), [(1900, ["e2e4"]), (1960, [])])
@pytest.mark.parametrize("stopped", ["pause white", "arbiter neutralise"])
def test_a_press_that_waits_when_the_match_is_stopped_completes_what_was_seen_to_stand(
    stopped: str, stood_ms: int, moves: list[str]
) -> None:
    """The scan before the press was at 1935; the one after it, at 2060, comes too late."""
    stepped, said = {1000: chess.BB_E2, stood_ms: chess.BB_E4}, ["500 A resign white", "2000 B press white"]
    match = side_by_side({"A": {}, "B": stepped}, [*said, f"2050 B {stopped}"])
    assert (match.completed("B"), match.outcome, match.accusations) == (moves, ("team-2", "board-a"), [])
