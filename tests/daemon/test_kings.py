"""Players who have ended their game put both kings in the middle of a board that knows its pieces."""

import json
from pathlib import Path

import chess
import pytest
from stage import MS_NS, Scene, Stage

from controller.cli.decode import decode, reader_for
from controller.contract import Resign, Result
from controller.daemon.kings import STAND_MS, Kings
from controller.position import Position
from controller.shown import Shown
from controller.wire import decode_event
from hardware.boards import Change, Fault, Recovered

RECORDINGS = Path(__file__).resolve().parents[2] / ".." / "shared" / "recordings"
BOARD = {"type": "dgt", "port": "/dev/none"}


class Wood:
    """The pieces on that board, and hands that move them; the game has begun."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.pieces = scene, chess.BaseBoard()
        for square in chess.SQUARES:
            self.show(square)
        scene.look(None)
        scene.run(2000)
        assert scene.session.playing

    def move(self, origin: str, to: str) -> None:
        """One piece is lifted and set down elsewhere, off the board with whoever stands there."""
        at, there = chess.parse_square(origin), chess.parse_square(to)
        piece = self.pieces.remove_piece_at(at)
        self.show(at)
        self.scene.run(400)
        if self.pieces.remove_piece_at(there):
            self.show(there)
            self.scene.run(400)
        self.pieces.set_piece_at(there, piece)
        self.show(there)
        self.scene.run(600)

    def show(self, square: chess.Square) -> None:
        piece = self.pieces.piece_at(square)
        self.scene.session.take(Change(self.scene.at * MS_NS, square, piece.symbol() if piece else ""))


@pytest.fixture
def wood(stage: Stage) -> Wood:
    wood = Wood(stage(board=BOARD, start={"ready_s": 1}))
    for origin, to in (("d2", "d3"), ("d7", "d6"), ("g1", "f3")):
        wood.move(origin, to)
    return wood


def results(scene: Scene) -> list[tuple[str, str, str]]:
    bodies = [decode_event(record.body) for record in scene._records() if record.kind == "event"]
    return [(event.result, event.reason, event.status) for event in bodies if isinstance(event, Result)]


@pytest.mark.parametrize(
    ("white", "black", "result", "reason"),
    [
        ("d5", "e4", "1-0", "resignation"),
        ("e4", "d5", "1-0", "resignation"),
        ("d4", "e5", "0-1", "resignation"),
        ("e5", "d4", "0-1", "resignation"),
        ("e4", "e5", "1/2-1/2", "agreement"),
        ("d4", "d5", "1/2-1/2", "agreement"),
        ("e4", "d4", "1/2-1/2", "agreement"),
    ],
)
@pytest.mark.parametrize("first", ["white", "black"])
def test_two_light_squares_white_has_won_two_dark_ones_black(
    wood: Wood, white: str, black: str, result: str, reason: str, first: str
) -> None:
    kings = [("e1", white), ("e8", black)]
    for origin, to in kings if first == "white" else kings[::-1]:
        wood.move(origin, to)
    wood.scene.run(3_000)
    assert wood.scene.session.playing, "they may yet be moved on"
    wood.scene.run(3_000)
    assert results(wood.scene) == [(result, reason, "final")]
    assert wood.scene.moves() == ["d2d3", "d7d6", "g1f3"], "that is no move"
    assert not {"Illegal", "Violation", "Penalty"} & {*wood.scene.events()}


def test_one_king_in_the_middle_says_nothing(wood: Wood) -> None:
    wood.move("e8", "d5")
    wood.move("e1", "e3")
    wood.scene.run(20_000)
    assert not results(wood.scene)


def test_kings_that_are_taken_away_in_time_have_said_nothing(wood: Wood) -> None:
    wood.move("e8", "d5")
    wood.move("e1", "e4")
    wood.scene.run(3_000)
    wood.move("e4", "e1")
    wood.move("d5", "e8")
    wood.scene.run(20_000)
    assert not results(wood.scene)


def test_an_arbiter_sets_right_what_was_put_on_the_wrong_squares(wood: Wood) -> None:
    wood.move("e8", "d5")
    wood.move("e1", "e4")
    wood.scene.run(6_000)
    wood.scene.command(type="arbiter", do="result", result="0-1", insist=True)
    wood.scene.run(20_000)
    assert results(wood.scene)[-1] == ("0-1", "arbiter", "final")


def test_a_daemon_that_is_started_anew_sees_them_too(wood: Wood) -> None:
    wood.move("e8", "d5")
    wood.move("e1", "e4")
    wood.scene.restart(60_000)
    for square in chess.SQUARES:
        wood.show(square)
    wood.scene.look(None)
    wood.scene.run(6_000)
    assert results(wood.scene) == [("1-0", "resignation", "final")]


def test_what_nobody_sees_says_nothing(wood: Wood) -> None:
    """The cable is out before the five seconds are over; once it is in again, they begin anew."""
    wood.move("e8", "d5")
    wood.move("e1", "e4")
    wood.scene.session.take(Fault(wood.scene.at * MS_NS, "no board", "a cable", "look"))
    wood.scene.run(20_000)
    assert not results(wood.scene)
    wood.scene.session.take(Recovered(wood.scene.at * MS_NS))
    for square in chess.SQUARES:
        wood.show(square)
    wood.scene.look(None)
    wood.scene.run(4_000)
    assert not results(wood.scene)
    wood.scene.run(2_000)
    assert results(wood.scene) == [("1-0", "resignation", "final")]


def test_before_a_game_they_say_nothing_and_nobody_is_woken_for_them(stage: Stage) -> None:
    scene = stage(board=BOARD)
    for square in chess.SQUARES:
        piece = {chess.E4: "K", chess.D5: "k"}.get(square, "")
        scene.session.take(Change(scene.at * MS_NS, square, piece))
    scene.look(None)
    scene.run(20_000)
    assert not scene.session.playing
    assert scene.session.due_ns is None or scene.session.due_ns > scene.at * MS_NS


def test_a_game_that_was_recorded_ends_so_as_its_score_has_it() -> None:
    """On a real DGT board: its players put the kings on d5 and e4, and the score ends with 1-0."""
    if not RECORDINGS.is_dir():
        pytest.skip(f"no recordings at {RECORDINGS}")
    shown = Shown.of(Position(chess.Board()).symbols, "identity")
    for line in decode(reader_for("dgt"), (RECORDINGS / "dgt-johan.inbytes").read_bytes()):
        edge = json.loads(line)
        if edge["type"] in ("lift", "place"):
            shown = shown.having(chess.parse_square(edge["square"]), edge.get("piece", ""))
    kings = Kings()
    kings.look(0, shown)
    (said,) = kings.ends(STAND_MS, "black", STAND_MS)
    assert isinstance(said, Resign)
    assert (said.side, (RECORDINGS / "dgt-johan.pgn").read_text().split()[-1]) == ("black", "1-0")


def test_where_that_is_not_wanted_it_means_nothing(stage: Stage) -> None:
    wood = Wood(stage(board=BOARD, start={"ready_s": 1}, end={"kings": False}))
    wood.move("e8", "d5")
    wood.move("e1", "e4")
    wood.scene.run(20_000)
    assert not results(wood.scene)
