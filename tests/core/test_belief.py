"""What is believed of hands that are not wholly seen: scans and cables lost, and what a board that sees all reports."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shorthand import CLOCK, accusations, inputs, only, play, record, session

from controller import contract as c
from controller.belief import otherwise, relived
from controller.belief.kept import kept
from controller.belief.reporter import told_in
from controller.belief.world import World
from controller.belief.worlds import Belief
from controller.game import Game
from controller.sensing.costs import LIKELY, SURE
from controller.sensing.question import Explanation

GAMES = Path(__file__).resolve().parents[1] / "games"
EVERY_MS = 200
"""A slow board is scanned five times a second."""


# -- logs ------------------------------------------------------------------------------------------------------------


def moves_of(name: str, plies: int) -> list[chess.Move]:
    with (GAMES / f"{name}.pgn").open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    return list(game.mainline_moves())[:plies]


def names(moves: list[chess.Move]) -> list[str]:
    return [move.uci() for move in moves]


def hands(moves: list[chess.Move]) -> list[tuple[int, int, int]]:
    """Each change of what stands there: when, of which ply, and what is occupied then. A move takes two seconds."""
    board, changes = chess.Board(), [(0, 0, chess.Board().occupied)]
    for ply, move in enumerate(moves, 1):
        ms, occupied = 1_000 + 2_000 * ply, board.occupied
        after = board.copy()
        after.push(move)
        victim = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        victim = victim if board.is_en_passant(move) else move.to_square
        opened = [victim, move.from_square] if board.is_capture(move) else [move.from_square]
        for square in opened:
            occupied &= ~chess.BB_SQUARES[square]
            changes.append((ms, ply, occupied))
            ms += 200
        if board.is_castling(move):
            occupied |= chess.BB_SQUARES[move.to_square]
            changes.append((ms + 200, ply, occupied))
            rook = after.occupied & ~occupied | occupied & ~after.occupied
            changes.append((ms + 400, ply, occupied & ~rook))
            ms += 400
        changes.append((ms + 200, ply, after.occupied))
        board = after
    return changes


def frames(changes: list[tuple[int, int, int]]) -> list[c.AnyInput]:
    return [c.Frame(ms=ms, occupied=f"{occupied:016x}") for ms, _, occupied in changes]


def told(log: list[c.AnyInput], **fields: Any) -> list[c.AnyEvent]:
    """Every event of a log, on a board that shows where something stands."""
    game = Game(session(**fields))
    return [event for item in log for event in game.handle(item)] + game.finish()


# -- a board that is scanned slowly ----------------------------------------------------------------------------------

SHORT = {name: moves_of(name, 16) for name in ("opera-1858", "reti-tartakower-1910", "byrne-fischer-1956")}
GAMES_OF = pytest.mark.parametrize("name", SHORT)


@GAMES_OF
def test_of_whom_all_is_scanned_nobody_is_accused(name: str) -> None:
    events = told(frames(hands(SHORT[name])))
    assert (record(events), accusations(events), only(c.Retract, events)) == (names(SHORT[name]), [], [])


@pytest.mark.slow
@GAMES_OF
def test_a_scan_that_is_missed_accuses_nobody_and_the_record_comes_out_right(name: str) -> None:
    """Every third in turn, but of the last moves, after which nothing is played that could tell."""
    changes = hands(SHORT[name])
    for number in range(random.Random(name).randrange(3) + 1, len(changes), 3):
        if changes[number][1] > len(SHORT[name]) - 2:
            break
        events = told(frames(changes[:number] + changes[number + 1 :]))
        assert accusations(events) == [], (name, changes[number])
        assert record(events) == names(SHORT[name]), (name, changes[number])


@pytest.mark.slow
@GAMES_OF
def test_several_that_are_missed_here_and_there_do_not_either(name: str) -> None:
    """Of a move of which only the origin is left to see it is said what else it may have been."""
    changes = hands(SHORT[name])
    for seed in range(8, 12):
        rng = random.Random(seed)
        kept = [each for each in changes if each[1] in (0, *range(15, 17)) or rng.random() > 0.05]
        events = told(frames(kept))
        assert accusations(events) == [], (name, seed)
        doubted = [event.moves for event in only(c.Ambiguous, events)]
        for played, known in zip(names(SHORT[name]), record(events), strict=True):
            assert played == known or sorted([played, known]) in doubted, (name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("plies", [1, 2])
@GAMES_OF
def test_a_cable_that_is_out_for_whole_plies_is_made_good_by_later_play(name: str, plies: int) -> None:
    """What stands there jumps. Nobody is accused, and the game goes on from where it stands."""
    moves = SHORT[name]
    for first in range(1, len(moves) - plies - 2, 3):
        kept = [each for each in hands(moves) if not first <= each[1] < first + plies]
        back = [each for each in hands(moves) if each[1] == first + plies - 1][-1:]
        events = told(frames(sorted([*kept, *back])))
        assert accusations(events) == [], (name, first)
        assert record(events) == names(moves), (name, first)


def exchanged(moves: list[chess.Move], pause_ms: int) -> list[c.AnyInput]:
    """Scans of a game in which the square of a piece that is taken is never seen empty."""
    board, ms, scans = chess.Board(), 0, [(0, chess.Board().occupied)]
    for move in moves:
        ms += pause_ms + EVERY_MS
        scans.append((ms, board.occupied & ~chess.BB_SQUARES[move.from_square]))
        board.push(move)
        ms += EVERY_MS
        scans.append((ms, board.occupied))
    return [c.Frame(ms=ms, occupied=f"{occupied:016x}") for ms, occupied in scans]


@pytest.mark.parametrize("pause_ms", [2_000, 0])
@pytest.mark.parametrize("name", ["opera-1858", "byrne-fischer-1956"])
def test_captures_that_nothing_shows_are_told_by_later_play_also_where_it_never_pauses(
    name: str, pause_ms: int
) -> None:
    moves = moves_of(name, 30)
    events = told(exchanged(moves, pause_ms))
    known = record(events)
    assert accusations(events) == []
    assert known == names(moves)[: len(known)] and len(known) > 26, "the last few may still be open"


@GAMES_OF
def test_each_move_of_an_explanation_is_paid_for_when_it_is_made(name: str) -> None:
    """Else who explains anew what came after the first of them would have that for nothing."""
    paid_and_due: list[tuple[float, float]] = []
    lived_again = relived.lived_again

    def watched(world: World, base: int, undone: float, explanation: Explanation, *more: Any) -> World | None:
        further = lived_again(world, base, undone, explanation, *more)
        first = world.past[base]
        for lived in further.past[base:] if further is not None else ():
            made = min(len(lived.before.made) - len(first.before.made), len(explanation.moves))
            if made > 0:
                paid_and_due.append((lived.cost - first.cost, explanation.moves[made - 1].cost))
        return further

    with patch.object(otherwise, "lived_again", watched):
        told(exchanged(moves_of(name, 30), 0))
    assert any(due > 0 for _, due in paid_and_due)
    assert all(paid > due - 1e-6 for paid, due in paid_and_due)


def scanned(fen: str, until: int, *changes: tuple[int, str], lost: tuple[int, ...] = ()) -> list[c.AnyInput]:
    """A scan every 200 ms, but for those that are lost. ``changes``: when, and which squares open or close then."""
    occupied, due, log = chess.Board(fen).occupied, dict(changes), list[c.AnyInput]()
    for ms in range(0, until, EVERY_MS):
        for square in due.get(ms, "").split():
            occupied ^= chess.BB_SQUARES[chess.parse_square(square)]
        if ms not in lost:
            log.append(c.Frame(ms=ms, occupied=f"{occupied:016x}"))
    return log


def test_nothing_is_released_while_scans_are_lost() -> None:
    """The pawn is drawn over e3; that it stood there until the scan that shows it on e4 nobody has seen."""
    log = scanned(chess.STARTING_FEN, 4_000, (1_000, "e2 e3"), (1_600, "e3 e4"), lost=(1_200, 1_400))
    events = told(log)
    assert record(events) == ["e2e4"]
    assert accusations(events) == []


def test_a_world_holds_to_the_moves_that_explain_it() -> None:
    """The king slides over d1 as the rook is taken up; by its touch he would have been released there."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    log = scanned(fen, 8_000, (1_000, "e1 d1"), (1_200, "a1 c1 d1"), (1_600, "d1"), (4_000, "e8"), (4_400, "e7"))
    events = told(log, fen=fen)
    assert record(events) == ["e1c1", "e8e7"]
    assert accusations(events) == []


def test_who_came_and_was_taken_while_nothing_was_seen_is_in_the_record() -> None:
    """Both pawns are gone from their squares at once; b4, where they met, was never seen to be filled by them."""
    log = (
        "0 frame 3000000200010810; 3000 frame 3000000000000810; 3200 frame 1000000000000810;"
        "3400 frame 1000000002000810; 6000 frame 1000000002000800; 6200 frame 1000000002002800;"
        "9000 frame 0000000002002800; 9200 frame 0010000002002800"
    )
    events = play(log, "4kb2/8/8/1p6/8/P7/3P4/4K3 b - - 0 1")
    assert record(events) == ["b5b4", "a3b4", "f8b4", "e1f2", "e8e7"]
    assert accusations(events) == []


@GAMES_OF
def test_what_an_explanation_costs_is_paid_where_it_is_made_and_not_before(name: str) -> None:
    """Else who explains the same turn another way would pay for the one that he gives up, too."""
    paid: list[tuple[float, float]] = []
    lived_again = relived.lived_again

    def watched(world: World, base: int, cost: float, explanation: Explanation, *more: Any) -> World | None:
        further = lived_again(world, base, cost, explanation, *more)
        if further is not None and explanation.cost > explanation.open_yet + explanation.nowhere:
            paid.append((further.past[base].cost - world.past[base].cost, further.cost))
        return further

    with patch.object(otherwise, "lived_again", watched):
        for seed in range(4):
            told(missing(name, seed))
    assert paid
    assert all(before == 0 < after for before, after in paid)


# -- a board that reports every edge ---------------------------------------------------------------------------------


def on_each_board(log: str) -> list[tuple[c.Senses, str]]:
    """The log as boards of each kind have it: ``place e5 P`` names the piece."""
    words = [[(w, i) for i, w in enumerate(part.split())] for part in log.split(";")]

    def shown(senses: c.Senses, word: str, at: int) -> str:
        if at < 3 or "=" in word or senses == "identity":
            return word
        return "" if senses == "occupancy" else "w" if word.isupper() else "b"

    kinds: tuple[c.Senses, ...] = ("occupancy", "colour", "identity")
    return [(s, ";".join(" ".join(shown(s, w, i) for w, i in part) for part in words)) for s in kinds]


PRESSED = [
    ("1000 lift e2; 1500 place e5 P; 3000 press white", "illegal-move"),
    ("1000 lift a1; 1500 place a4 R; 3000 press white", "illegal-move"),
    ("1000 lift g1; 1500 place g3 N; 3000 press white", "illegal-move"),
    ("3000 press white", "no-move"),
    ("1000 lift g1; 1500 place g1 N; 3000 press white", "no-move"),
]


@pytest.mark.parametrize(("log", "kind"), PRESSED)
def test_an_illegal_move_that_is_pressed_is_told_with_the_press(log: str, kind: str) -> None:
    for senses, told_so in on_each_board(log):
        game = Game(session(clock=CLOCK, senses=senses))
        *before, press = inputs(told_so)
        early = [event for item in before for event in game.handle(item)]
        assert not any(event.completed for event in only(c.Illegal, early)), "nothing is completed before the press"
        (said,) = [event for event in only(c.Illegal, game.handle(press)) if event.completed]
        assert (said.kind, said.side, said.ms, said.completed) == (kind, "white", 3_000, True), senses


@pytest.mark.parametrize("log", [log for log, _ in PRESSED])
@pytest.mark.parametrize("then", ["9000 lift e7; 9600 place e6 p", "9000 lift b8; 9600 place c6 n; 10500 press black"])
def test_an_accusation_that_was_told_stands_and_is_told_once(log: str, then: str) -> None:
    """What is played next tells no other story of it."""
    for senses, told_so in on_each_board(f"{log}; {then}"):
        events = play(told_so, clock=CLOCK, senses=senses)
        assert [e.ms for e in only(c.Illegal, events) if e.completed and e.side == "white"] == [3_000], senses
        assert not [event for event in only(c.Move, events) if event.side == "white" and event.legal], senses


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_touch_that_binds_and_another_piece_moved_are_told_with_the_press(senses: c.Senses) -> None:
    log = dict(on_each_board("1000 lift g1; 2000 place g1 N; 3000 lift d2; 3500 place d4 P; 5000 press white"))[senses]
    game = Game(session(clock=CLOCK, senses=senses))
    events = [event for item in inputs(log) for event in game.handle(item)]
    assert [event.kind for event in only(c.Violation, events)] == ["touch-move"]
    assert record(events) == ["d2d4"]


PUSHED_FEN = "4k3/8/8/8/4p3/3P4/2N5/4K3 b - - 0 1"


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_who_is_taken_may_be_pushed_aside_and_be_taken_off_from_there(senses: c.Senses) -> None:
    pushed = "1000 lift e4; 1200 lift d3; 1300 place e3 P; 1310 place d3 p; 1900 lift e3"
    log = dict(on_each_board(f"{pushed}; 4000 lift c2; 4400 place b4 N; 6000 lift e8; 6300 place e7 k"))[senses]
    events = play(log, PUSHED_FEN, senses=senses)
    assert (record(events), accusations(events)) == (["e4d3", "c2b4", "e8e7"], [])


def test_who_presses_with_the_one_he_touched_on_the_board_has_not_taken_it() -> None:
    log = "1000 lift e4; 1150 lift d3; 1300 place e3; 1310 place d3; 4000 press black"
    events = play(log, PUSHED_FEN, clock=CLOCK)
    assert record(events) == ["e4e3"]
    assert [(said.kind, said.owed) for said in only(c.Violation, events)] == [("touch-move", ["e4d3"])]


def test_who_seems_to_be_in_hand_while_others_play_has_taken_where_nothing_shows_it() -> None:
    """Three captures in five plies of which the target shows nothing: what is held for long was set down."""
    log = (
        "2166 lift g5; 4366 lift g2; 5655 place g4; 5770 lift g4; 7424 place g2; 9034 lift g2;"
        "9158 place g3; 13539 lift a4; 14058 place a4; 14426 lift a4; 15994 lift d3; 21969 lift g1;"
        "21971 lift f1; 21992 place f1; 22019 lift e1; 22029 place g1; 22108 place e1; 22278 lift a7;"
        "22345 lift a5; 22458 place a5; 26557 lift f1; 30185 place e2; 34196 lift d7; 35392 place d6"
    )
    events = play(log, "1nb1k1nr/rp1pp1b1/2p2p2/B1P3pp/q3PP2/3P4/P5PP/RNQ1KBNR b KQk - 0 1")
    assert record(events) == ["g5f4", "g2g3", "a4e4", "d3e4", "a7a5", "f1e2", "d7d6"]
    assert accusations(events) == []


def test_a_touch_that_follows_a_capture_nobody_saw_is_a_touch_also_where_that_began_with_the_reply() -> None:
    """White's touch of a4 releases a6, and his rook takes on a5; then Black castles, the king first."""
    log = (
        "1000 lift b7; 1200 place a6; 1500 lift a4;"
        "3000 lift e8; 3210 lift a8; 3370 place c8; 3560 place d8; 5000 lift e1; 5300 place e2"
    )
    events = play(log, "r3kbnr/1b1n4/5q2/p3p1pp/R4B1P/1QPP4/5P2/1N2K1NR b Kkq - 0 1")
    assert record(events) == ["b7a6", "a4a5", "e8c8", "e1e2"]
    assert accusations(events) == []


def test_a_square_over_which_a_piece_only_passes_decides_nothing() -> None:
    """Black takes on d2 and White takes back by way of e1: nothing that was told is taken back."""
    log = (
        "49366 lift d8; 49597 lift d2; 49920 place d2; 50141 lift d2; 50409 lift d1; 50941 place e1; 51053 lift e1;"
        "51618 place d2; 52977 lift c6; 53553 place c5"
    )
    events = play(log, "rn1qkbnr/4p1pp/ppp2p2/5b2/1N2P3/2P4N/PP1PKPPP/R1BQ1B1R b kq - 0 7")
    assert only(c.Retract, events) == []
    assert record(events) == ["d8d2", "d1d2", "c6c5"]


def test_who_is_pushed_aside_may_stand_there_for_longer_than_a_moment() -> None:
    """What an explanation leaves open is paid for while it is so, not twice."""
    log = (
        "1000 lift e8; 1300 lift f7; 1400 place e7; 1450 place f7; 2100 lift e7; 4000 lift e1; 4500 place e2; 6000 time"
    )
    events = play(log, "4k3/5B2/8/8/8/8/P7/4K3 b - - 0 1")
    assert [move.uci for move in only(c.Move, events)] == ["e8f7", "e1e2"], "nothing else is told meanwhile"
    assert accusations(events) == []


ACCUSED = c.Violation(ms=0, side="white", kind="touch-move", article="4.3", report="arbiter")


@pytest.mark.parametrize(("dearer", "kinds"), [(LIKELY - 0.1, []), (LIKELY + 0.1, ["touch-move"])])
def test_at_the_end_nobody_is_accused_whom_a_story_as_likely_acquits(dearer: float, kinds: list[str]) -> None:
    belief = Belief(Game(session()).state)
    (world,) = belief._worlds
    belief._worlds = [replace(world, story=told_in(world.story, [ACCUSED])), replace(world, cost=dearer)]
    assert belief.new_events() == []
    belief.decide()
    assert [event.kind for event in only(c.Violation, belief.new_events())] == kinds


@pytest.mark.parametrize(("dearer", "holds"), [(0.1, False), (SURE - 0.1, False), (SURE + 0.1, True)])
def test_of_worlds_that_go_on_alike_one_is_kept_that_holds_nothing_against_anybody(dearer: float, holds: bool) -> None:
    """Unless it is much less likely: nothing will tell whether a piece stood there against the rules."""
    innocent = World(Game(session()).state, cost=dearer)
    standing = c.Illegal(
        ms=0, side="white", kind="illegal-move", article="7.5.1", completed=False, count=0, report="arbiter"
    )
    other = replace(innocent, cost=0.0, story=told_in(innocent.story, [standing]))
    assert [bool(world.story.held) for world in kept([innocent, other], ())] == [holds]


# -- what makes no difference ----------------------------------------------------------------------------------------


def missing(name: str, seed: int, share: float = 0.06) -> list[c.AnyInput]:
    """Scans of a game of which a few are missing."""
    rng = random.Random(seed)
    return frames([each for each in hands(SHORT[name]) if not each[0] or rng.random() > share])


@pytest.mark.slow
@settings(max_examples=4)
@given(name=st.sampled_from(sorted(SHORT)), seed=st.integers(0, 1_000), step=st.sampled_from([37, 90, 410]))
def test_time_that_is_told_in_small_steps_changes_nothing(name: str, seed: int, step: int) -> None:
    log, stepped = missing(name, seed), list[c.AnyInput]()
    log.append(c.Time(ms=log[-1].ms + 5_000))
    for item, following in pairwise(log):
        stepped += [item, *[c.Time(ms=ms) for ms in range(item.ms + step, following.ms, step)]]
    assert told(log) == told([*stepped, log[-1]])


@settings(max_examples=4)
@given(name=st.sampled_from(sorted(SHORT)), seed=st.integers(0, 1_000), data=st.data())
def test_a_scan_sent_twice_changes_nothing(name: str, seed: int, data: st.DataObject) -> None:
    log = missing(name, seed)
    again = data.draw(st.sets(st.integers(1, len(log) - 1), max_size=6))
    twice = [each for number, item in enumerate(log) for each in ([item, item] if number in again else [item])]
    assert told(log) == told(twice)


def test_scans_sent_twice_are_no_scans_close_together() -> None:
    """Else what one scan shows would not be trusted to stand until the next."""
    first, second, third, *others = missing("reti-tartakower-1910", 288)
    assert told([first, second, third, *others]) == told([first, second, second, third, third, *others])


@settings(max_examples=4)
@given(name=st.sampled_from(sorted(SHORT)), seed=st.integers(0, 1_000))
def test_time_never_goes_back_and_what_is_told_is_always_a_record(name: str, seed: int) -> None:
    events = told(missing(name, seed))
    assert [event.ms for event in events] == sorted(event.ms for event in events)
    board = chess.Board()
    for uci in record(events):
        board.push(chess.Move.from_uci(uci))
    assert board.is_valid()
