"""A score that stands while play goes on is told, once; and that it goes on, where it does."""

import os
import random

import chess
import pytest
from at_the_board import Table
from shorthand import accusations, inputs, only, play, record, session

from controller import contract as c
from controller.game import Game

pytestmark = pytest.mark.slow

SEEDS = int(os.environ.get("JADOUBE_EXAMPLES", "3"))
SENSES: tuple[c.Senses, ...] = ("occupancy", "colour", "identity")
ON = "3000 lift a1; 3500 place a3; 5000 lift d7; 5500 place d5; 7000 lift d2; 7500 place d4"
"""A rook goes through its pawn, nobody minds, and play goes on."""


def seen(piece: chess.Piece, senses: c.Senses) -> str | None:
    return {"occupancy": None, "colour": "w" if piece.color else "b", "identity": piece.symbol()}[senses]


class Players:
    """Who play on whatever stands there, for ``senses``; nothing they do castles, promotes or takes a king."""

    def __init__(self, seed: int, senses: c.Senses, fen: str) -> None:
        self.rng, self.senses, self.ms = random.Random(seed), senses, 1000
        self.board = chess.Board(fen)
        self.game = Game(c.Session(version=1, supervised=False, senses=senses, fen=fen))
        self.events: list[c.AnyEvent] = []

    def legally(self) -> bool:
        """The next move, of those that the Laws would allow from what stands there; False where there is none."""
        usual = [
            move
            for move in self.board.legal_moves
            if not (move.promotion or self.board.is_castling(move) or self.board.is_en_passant(move))
        ]
        if not usual:
            return False
        self.hands(self.rng.choice(usual))
        return True

    def illegally(self) -> None:
        board, legal = self.board, {(move.from_square, move.to_square) for move in self.board.legal_moves}
        own = board.occupied_co[board.turn]
        elsewhere = chess.BB_ALL & ~board.occupied_co[board.turn] & ~board.kings
        pairs = [(f, t) for f in chess.scan_forward(own) for t in chess.scan_forward(elsewhere)]
        self.hands(chess.Move(*self.rng.choice([pair for pair in pairs if pair not in legal])))

    def hands(self, move: chess.Move) -> None:
        origin, target = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
        piece = self.board.piece_at(move.from_square)
        assert piece is not None
        if self.board.piece_at(move.to_square) is not None:
            self.give(c.Lift(ms=self.ms, square=target), 400)
        self.give(c.Lift(ms=self.ms, square=origin), 500)
        self.give(c.Place(ms=self.ms, square=target, piece=seen(piece, self.senses)), self.rng.randint(600, 2500))
        self.board.remove_piece_at(move.from_square)
        self.board.set_piece_at(move.to_square, piece)
        self.board.turn, self.board.ep_square = not self.board.turn, None

    def give(self, item: c.AnyInput, wait_ms: int) -> None:
        self.events += self.game.handle(item)
        self.ms += wait_ms


FEW_MEN = ("8/8/4k3/8/8/3K4/8/R7 w - - 0 1", "8/3pk3/8/8/8/8/3KP3/8 w - - 0 1", "4k3/8/2n5/8/8/2B5/8/4K3 w - - 0 1")


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, *FEW_MEN])
def test_no_score_stands_in_silence(fen: str, senses: c.Senses) -> None:
    """An illegal move, nobody minds, and twenty moves more: they are followed, or it is said that they are not."""
    for seed in range(SEEDS):
        players = Players(seed, senses, fen)
        for _ in range(players.rng.randint(1, 20)):
            if not players.legally():
                break
        assert not only(c.Stalled, players.events), f"game {seed}: legal play was not followed"
        players.illegally()
        started = len(players.events)
        on = sum(players.legally() for _ in range(20))
        later = players.events[started:] + players.game.finish()
        moves, stands = only(c.Move, later), only(c.Stalled, later)
        followed = bool(moves) and moves[-1].ms > players.ms - 12_000
        assert on < 20 or stands or followed or players.game.state.result, f"game {seed}"


@pytest.mark.parametrize("supervised", [True, False])
def test_it_is_told_once_after_which_move_since_when_and_why(supervised: bool) -> None:
    log = f"1000 lift e2; 1500 place e4; 2000 lift e7; 2500 place e5; {ON}; 9000 lift g8; 9500 place f6"
    (stands,) = only(c.Stalled, play(log, clock="300", supervised=supervised))
    assert (stands.after_ply, stands.since_ms, stands.reason) == (2, 3500, "illegal-move")
    assert stands.squares == ["a1", "d2", "a3", "d4", "d5", "d7"]


def test_of_more_pieces_than_a_move_takes_nobody_is_accused() -> None:
    on = "; ".join(f"{9000 + 1000 * n} lift {a}; {9500 + 1000 * n} place {b}" for n, (a, b) in enumerate(REPLIES))
    (illegal,) = only(c.Illegal, play(f"{ON}; {on}", clock="300"))
    assert illegal.ms == 3900


REPLIES = [("g8", "f6"), ("g1", "f3"), ("b8", "c6"), ("b1", "c3"), ("c8", "f5"), ("c1", "f4")]


def test_an_illegal_move_that_is_completed_is_followed_from_there() -> None:
    log = ON.replace("; 5000", "; 4500 press white; 5000").replace("; 7000", "; 6500 press black; 7000")
    events = play(log, clock="300", supervised=False)
    assert not only(c.Stalled, events)
    assert [move.uci for move in only(c.Move, events)] == ["d7d5", "d2d4"]


@pytest.mark.parametrize("supervised", [True, False])
def test_without_a_clock_the_reply_completes_it(supervised: bool) -> None:
    events = play(f"{ON}; 9000 lift g8; 9500 place f6", supervised=supervised, play="rapid")
    assert not only(c.Stalled, events)
    assert [each.completed for each in only(c.Illegal, events)] == [False, True]
    stands = [] if supervised else ["a1a3"]
    assert [move.uci for move in only(c.Move, events)] == [*stands, "d7d5", "d2d4", "g8f6"]
    assert not only(c.Penalty, events), "there is no time to give"


@pytest.mark.parametrize(
    ("ends", "says"),
    [
        ("8500 lift d4; 9000 place d2; 9500 lift d5; 10000 place d7; 10500 lift a3; 11000 place a1", c.Followed),
        ("8500 lift d4; 9000 place d2; 9500 lift d5; 10000 place d7", type(None)),
    ],
)
def test_it_ends_where_the_board_matches_the_game_again(ends: str, says: type) -> None:
    events = play(f"{ON}; {ends}", clock="300")
    stands = next(at for at, event in enumerate(events) if isinstance(event, c.Stalled))
    ended = next((event for event in events[stands:] if isinstance(event, c.Followed)), None)
    assert type(ended) is says
    again = play(f"{ON}; {ends}; 12000 lift e2; 12500 place e4; 13500 lift e7; 14000 place e5", clock="300")
    assert bool(only(c.Move, again)) is (says is c.Followed)


def test_it_ends_where_the_game_is_found_again_by_a_move() -> None:
    """The rook is put back, and what was played then is a game."""
    back = "9000 lift a3; 9500 place a1; 10000 lift d5; 10500 place d7"
    told = [event for event in play(f"{ON}; {back}", clock="300") if isinstance(event, c.Stalled | c.Followed | c.Move)]
    assert [type(event) for event in told][:3] == [c.Stalled, c.Move, c.Followed]


def test_a_game_that_is_paused_while_the_pieces_go_on() -> None:
    (stands,) = only(c.Stalled, play(f"2000 arbiter pause; {ON.replace('a1', 'b1')}", clock="300"))
    assert stands.reason == "paused"


def test_a_ruling_that_nobody_heeds() -> None:
    """The pieces are not put back, and other moves are made."""
    table = Table("fide-2023", clock="300").play("e2e4", "e7e5", "a1a3").rule("uphold", "resume")
    assert not table.all(c.Stalled)
    table.make(*(origin + target for origin, target in REPLIES))
    (stands,) = table.all(c.Stalled)
    assert stands.after_ply == 2


def test_moves_of_which_nothing_settles_which_they_were() -> None:
    """What was open stays so: then things are set down that nothing explains."""
    two_victims = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    on = "; ".join(f"{9000 + 2000 * n} lift {a}; {9500 + 2000 * n} place {b}" for n, (a, b) in enumerate(LOST))
    events = play(f"1000 lift e4; 2000 press white; {on}", two_victims, clock="300")
    assert only(c.Ambiguous, events)
    assert len(only(c.Stalled, events)) == 1


LOST = [("a8", "a5"), ("a1", "a4"), ("h8", "h5"), ("h1", "h4"), ("d8", "d6"), ("d1", "d3"), ("c8", "c6"), ("c1", "c3")]
"""Through their pawns."""


def test_pieces_knocked_over_and_put_back_are_no_play() -> None:
    fallen = "3000 lift c1; 3010 lift d1; 3020 lift f1; 3030 lift a8; 3100 place c4; 3120 place e4"
    back = "12000 lift c4; 12500 place c1; 14000 lift e4; 14500 place d1; 16000 place f1; 18000 place a8"
    events = play(f"{fallen}; {back}", clock="300")
    assert only(c.Displaced, events)
    assert only(c.Restored, events)
    assert not only(c.Stalled, events)


def test_pieces_set_up_for_another_game_without_a_result() -> None:
    """Who shakes hands and says nothing leaves a game that is not over."""
    game = Game(session())
    for item in inputs("1000 lift e2; 1500 place e4; 2500 lift e7; 2900 place e5; 4000 lift g1; 4500 place f3"):
        game.handle(item)
    events = [event for item in inputs(SET_UP) for event in game.handle(item)] + game.finish()
    assert only(c.Stalled, events)
    (ended,) = only(c.Result, game.handle(c.Resign(ms=60_000, side="black")))
    assert ended.result == "1-0"


SET_UP = "; ".join(
    f"{9000 + 900 * n} lift {a}; {9400 + 900 * n} place {b}"
    for n, (a, b) in enumerate([("d8", "a5"), ("d1", "h4"), ("b8", "h5"), ("b1", "a4"), ("a8", "c5"), ("h1", "f5")])
)


def test_a_piece_taken_up_after_an_illegal_move_is_the_reply() -> None:
    """Nobody corrects it, nor presses, and play goes on: the score stands, and no sensor is denied for it."""
    legal = "1000 lift e2; 1100 place e4; 2000 lift e7; 2100 place e5;"
    log = f"{legal} 3000 lift a1; 3100 place a3; 4000 lift d7; 4100 place d6; 5000 lift d2; 5100 place d3"
    events = play(f"{log}; 6000 lift a7; 6100 place a6; 7000 lift h2; 7100 place h3", clock="300", supervised=False)
    assert [said.after_ply for said in only(c.Stalled, events)] == [2]
    assert not only(c.Disbelieved, events)


LEGAL = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6")
PLAYED_ON = ("d7d6", "d2d3", "a7a6", "h2h3", "h7h6", "e1f1")


@pytest.mark.parametrize(("held_ms", "rests_ms"), [(100, 400), (300, 900)])
def test_what_was_played_on_after_an_illegal_move_may_be_put_back_and_no_sensor_is_suspected(
    held_ms: int, rests_ms: int
) -> None:
    """White's rook jumps to a3, six moves follow, then all is put back: play goes on from where the score stands. That
    two sensors have failed, and his knight went there, is less likely however long that lasts."""
    jumped = ("a1a3", *PLAYED_ON)
    back = [f"{uci[2:]}{uci[:2]}" for uci in reversed(jumped)]
    ms, log = 1000, list[str]()
    for uci in (*LEGAL, *jumped, *back, "d2d3", "d7d6"):
        log += [f"{ms} lift {uci[:2]}", f"{ms + held_ms} place {uci[2:]}"]
        ms += held_ms + rests_ms
    quick = c.Settings(release_ms=60, brush_ms=20)
    events = play("; ".join(log), clock="5400+30", settings=quick, supervised=False)  # and nobody presses
    assert record(events) == [*LEGAL, "d2d3", "d7d6"]
    assert {(type(each), each.side, each.completed) for each in accusations(events)} == {(c.Illegal, "white", False)}
    assert [each.after_ply for each in only(c.Stalled, events)] == [len(LEGAL)]
    assert len(only(c.Followed, events)) == 1
    assert not only(c.Disbelieved, events)
