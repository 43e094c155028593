"""The random matches: nobody drops what he has not got, and they end as the rules of the blitz à quatre say."""

import functools
import random
from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.bughouse import BughouseBoard
from controller.contract import Choose, Frame, Place, Press
from hardware.simulator.games import EAGER, PATIENT
from hardware.simulator.habits import Gesture, Habits
from hardware.simulator.matches import PARTNER, PLAYERS, PlayedMatch, SimulatedGame, ended, inputs, play_match, scanned
from hardware.simulator.turn import SimulatedTurn

MANY = 40
KNIGHT = "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1"
LAST = "4k3/P7/8/8/8/8/8/4K3[] w - - 0 1"
PROMOTED = "N~3k3/8/8/8/8/8/8/4K3[] w - - 0 1"


@functools.cache
def played(number: int) -> PlayedMatch:
    """One of the many; not before a test asks for it, as each process that runs tests reads this file."""
    return play_match(number, (45, 90, 180)[number % 3])


def all_played() -> list[PlayedMatch]:
    return [played(number) for number in range(MANY)]


def completed_at(game: SimulatedGame, ply: int) -> int:
    """When the move was pressed; the last one that mates is not."""
    pressed = [gesture.ms for gesture in game.gestures if gesture.ply == ply and gesture.kind == "press"]
    return pressed[0] if pressed else max(gesture.ms for gesture in game.gestures if gesture.ply == ply)


def captures(game: SimulatedGame) -> list[tuple[int, tuple[chess.Color, chess.PieceType]]]:
    """What was taken on a board, and when the capture was completed; a promoted piece is a pawn (9)."""
    board, taken = BughouseBoard(), []
    for ply, move in enumerate(game.moves, start=1):
        victim = board.piece_at(move.to_square) if board.is_capture(move) else None
        if board.is_en_passant(move):
            victim = chess.Piece(chess.PAWN, not board.turn)
        if victim is not None:
            pawn = victim.piece_type == chess.PAWN or board.promoted & chess.BB_SQUARES[move.to_square]
            taken.append((completed_at(game, ply), (victim.color, chess.PAWN if pawn else victim.piece_type)))
        if move.drop:
            board.pockets[board.turn].add(move.drop)
        board.push(move)
    return taken


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), drop=st.sampled_from([EAGER, PATIENT]))
def test_nobody_drops_a_piece_before_his_partner_s_capture_is_completed(seed: int, drop: float) -> None:
    match = play_match(seed, 90, drop=drop)
    for name, game in match.games.items():
        come = captures(match.games[PARTNER[name]])
        used: Counter[tuple[chess.Color, chess.PieceType]] = Counter()
        for ply, move in enumerate(game.moves, start=1):
            if move.drop:
                white = ply % 2 == 1
                used[white, move.drop] += 1
                first = min(gesture.ms for gesture in game.gestures if gesture.ply == ply)
                there = Counter(piece for at, piece in come if at < first)
                assert there[white, move.drop] >= used[white, move.drop]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_same_seed_gives_the_same_match_and_time_never_runs_back(seed: int) -> None:
    reported = list(inputs(play_match(seed, 90)))
    assert reported == list(inputs(play_match(seed, 90))) != list(inputs(play_match(seed + 1, 90)))
    assert [item.ms for item in reported] == sorted(item.ms for item in reported)
    assert {item.board for item in reported} == {"A", "B"}


def test_matches_are_rich_in_what_is_hard_to_follow_and_end_in_every_way() -> None:
    matches = all_played()
    games = [game for match in matches for game in match.games.values()]
    moves = [move for game in games for move in game.moves]
    assert sum(bool(move.drop) for move in moves) > 10 * MANY
    assert sum(bool(move.promotion) for move in moves) > MANY / 2
    assert {match.reason for match in matches} >= {"board-a", "board-b", "both-boards", "agreement"}
    assert {game.reason for game in games} >= {"checkmate", "time", "resignation"}
    recaptured = [1 for game in games for _ in promoted_pieces_taken(game)]
    assert len(recaptured) > 5


def promoted_pieces_taken(game: SimulatedGame) -> list[chess.Move]:
    board = game.board.copy()
    taken = []
    while board.move_stack:
        move = board.pop()
        if board.promoted & chess.BB_SQUARES[move.to_square] and board.is_capture(move):
            taken.append(move)
    return taken


@pytest.mark.parametrize("number", range(MANY))
def test_who_is_mated_could_not_parry_even_with_a_piece_still_to_come(number: int) -> None:
    for game in played(number).games.values():
        assert ended(game.board) == (game.reason in ("checkmate", "stalemate"))


def test_the_game_that_ended_first_decides() -> None:
    for match in all_played():
        if match.reason in ("board-a", "board-b"):
            game = match.games["A" if match.reason == "board-a" else "B"]
            first = (game.name == "A") == (game.result == "1-0")
            assert match.result == ("team-1" if first else "team-2")
            assert match.games[PARTNER[game.name]].result is None


def hands(fen: str, uci: str, **habits: object) -> list[Gesture]:
    board = BughouseBoard(fen)
    move = chess.Move.from_uci(uci)
    assert board.is_legal(move)
    turn = SimulatedTurn(board, move, Habits(**habits), random.Random(1), 0, 1, hurried=False)  # type: ignore[arg-type]
    turn.move()
    return turn.gestures


def acts(gestures: list[Gesture]) -> list[str]:
    """``lift e4 P`` and so on, without times."""
    squares = ["" if g.square < 0 else chess.SQUARE_NAMES[g.square] for g in gestures]
    return [" ".join(filter(None, [g.kind, square, g.piece])) for g, square in zip(gestures, squares, strict=True)]


@pytest.mark.parametrize(
    ("fen", "uci", "habits", "expected"),
    [
        (KNIGHT, "N@e5", {}, ["choose n", "place e5 N"]),
        (KNIGHT, "N@e5", {"choose_late": 1.0}, ["place e5 N", "choose n"]),
        (KNIGHT, "P@e5", {"choose_drops": False}, ["place e5 P"]),
        (LAST, "a7a8q", {}, ["lift a7 P", "place a8 P"]),
        (LAST, "a7a8n", {}, ["choose n", "lift a7 P", "place a8 P"]),
        (LAST, "a7a8n", {"choose_late": 1.0}, ["lift a7 P", "place a8 P", "choose n"]),
        (PROMOTED, "a8b6", {}, ["lift a8 P", "place b6 P"]),
    ],
)
def test_pieces_of_a_match_in_the_hand(fen: str, uci: str, habits: dict[str, object], expected: list[str]) -> None:
    """A promoted pawn stays a pawn in wood, and only the button says what it is (9)."""
    assert acts(hands(fen, uci, **habits)) == expected


def test_a_piece_from_the_stock_may_hover_before_he_lands() -> None:
    gestures = hands(KNIGHT, "N@e5", hover=1.0)
    assert [gesture.kind for gesture in gestures] == ["choose", "place", "lift", "place"]
    assert gestures[1].square == gestures[2].square != gestures[3].square


def test_an_occupancy_board_tells_no_kinds_and_a_silent_player_presses_no_button_for_drops() -> None:
    match = play_match(4, 90, replace(PLAYERS, choose_drops=False, choose_queen=False))
    reported = list(inputs(match))
    assert all(item.piece is None for item in reported if isinstance(item, Place))
    lesser = [move for game in match.games.values() for move in game.moves if move.promotion not in (None, chess.QUEEN)]
    assert sum(isinstance(item, Choose) for item in reported) == len(lesser)
    assert sum(isinstance(item, Press) for item in reported) > 20


def test_scans_end_with_the_boards_as_they_stand() -> None:
    match = next(m for m in all_played() if m.reason == "agreement")
    last = {item.board: item.occupied for item in scanned(match, 5, 6) if isinstance(item, Frame)}
    assert last == {name: f"{game.board.occupied:016x}" for name, game in match.games.items()}
