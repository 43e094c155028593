"""The start position of chess960: by number, by command, or as it stands on a board that sees kinds."""

import chess
import pytest
from stage import MS_NS, Scene, Stage

from controller.config import check
from controller.errors import ConfigError, LogError
from hardware.boards import Change

BOARD = {"type": "dgt", "port": "/dev/none"}


def set_up(scene: Scene, board: chess.Board) -> None:
    """The board says what stands on each of its squares."""
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        scene.session.take(Change(scene.at * MS_NS, square, piece.symbol() if piece else ""))
    scene.look(None)


def session(scene: Scene) -> tuple[str, str]:
    """Variant and position of the last game."""
    assert scene.games()
    opening = scene.journal.last_game("7")
    assert opening is not None
    return opening.session.variant, str(opening.session.fen)


def test_a_game_waits_for_the_position_of_the_number_that_was_drawn(stage: Stage) -> None:
    scene = stage(board=BOARD, game={"variant": "chess960", "start": 72}, start={"ready_s": 1})
    set_up(scene, chess.Board())
    scene.run(2000)
    assert not scene.session.playing
    assert "the start position is not on the board" in scene.said()["start"]
    set_up(scene, chess.Board.from_chess960_pos(72))
    scene.run(2000)
    assert scene.session.playing
    assert session(scene) == ("chess960", chess.Board.from_chess960_pos(72).fen())


def test_what_stands_on_the_board_is_the_start(stage: Stage) -> None:
    scene = stage(board=BOARD, game={"variant": "chess960", "start": "board"}, start={"ready_s": 1})
    odd = chess.Board.from_chess960_pos(100)
    odd.set_piece_at(chess.A1, None)
    set_up(scene, odd)
    scene.run(3000)
    assert not scene.session.playing, "a piece is missing"
    assert scene.said()["start"] == "no start position of chess960 stands on the board"
    assert scene.session.expected == {"Variant": "Chess960"}, "nobody knows yet"
    for number in (100, 400):
        scene.run(500)
        set_up(scene, chess.Board.from_chess960_pos(number))
        said = scene.session.phase(None).tags
        assert said == scene.session.expected
        assert said == {"Variant": "Chess960", "FEN": chess.Board.from_chess960_pos(number).fen()}
    scene.run(800)
    assert not scene.session.playing, "it was changed just now"
    scene.run(500)
    assert session(scene) == ("chess960", chess.Board.from_chess960_pos(400).fen())


def test_a_command_names_the_number(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.command(type="new-game", variant="chess960", start=518)
    assert session(scene) == ("chess960", chess.STARTING_FEN)
    with pytest.raises(LogError, match="no start position of chess960 stands on the board"):
        scene.command(type="new-game", variant="chess960", start="board")
    with pytest.raises(LogError, match="numbered from 0 to 959"):
        scene.command(type="new-game", variant="chess960", start=960)


@pytest.mark.parametrize(
    ("board", "game", "says"),
    [
        ("dgt", {"variant": "chess960", "start": 960}, "960 is no start position of chess960: they are numbered"),
        ("dgt", {"start": 5}, 'add variant = "chess960"'),
        ("dgt", {"variant": "chess960", "start": 5, "fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1"}, "leave one of them out"),
        ("simulated", {"variant": "chess960", "start": "board"}, "this board sees occupancy and no kinds"),
        ("dgt", {"variant": "fischer"}, "chess960, standard"),
    ],
)
def test_what_cannot_be_is_refused_in_words(board: str, game: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check({"board": {"type": board}, "game": game}, "board.toml")
    assert says in str(refused.value)


def test_what_stands_there_between_games_is_known_square_by_square(stage: Stage) -> None:
    scene = stage(board=BOARD, start={"ready_s": 1})
    assert scene.session.standing(None) is None, "nobody has seen it"
    other = chess.Board("8/8/4k3/8/8/8/4P3/4K3 w - - 0 1")
    set_up(scene, other)
    assert scene.session.standing(None) == other.board_fen()
    set_up(scene, chess.Board())
    assert scene.session.standing(None) == chess.STARTING_BOARD_FEN
    scene.run(2000)
    assert scene.session.playing
    assert scene.session.standing(None) is None, "the game tells it"
