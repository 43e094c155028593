"""``jadoube decode``: what a board sent becomes the session log that the contract describes."""

import base64
import io
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cli.decode import READERS, decode, decode_file, reader_for
from controller.errors import ConfigError, LogError
from controller.shown import START
from controller.wire import decode_input, decode_session
from hardware.boards import certabo_protocol as certabo
from hardware.boards import chesslink_protocol as chesslink
from hardware.boards import chessnut_protocol as chessnut
from hardware.boards.dgt_protocol import Id, encode

RECORDINGS = Path(__file__).resolve().parents[1] / ".." / "shared" / "recordings"

E2_LIFTED = encode(Id.FIELD, bytes((0x34, 0)))
E4_PLACED = encode(Id.FIELD, bytes((0x24, 1)))
LEFT_RUNS = bytes.fromhex("8d 00 0a 20 03 02 20 03 02 09")
LEFT_TICKS = bytes.fromhex("8d 00 0a 20 03 02 20 03 01 09")
RIGHT_RUNS = bytes.fromhex("8d 00 0a 20 03 02 20 03 03 13")

Lines = list[dict[str, Any]]


def decoded(data: bytes, board: str = "dgt") -> Lines:
    lines = list(decode(reader_for(board), data))
    decode_session(lines[0])
    for line in lines[1:]:
        decode_input(line)
    return [json.loads(line) for line in lines]


def as_text(*reads: tuple[int | None, bytes]) -> bytes:
    """A recording with one read a line in base64."""
    return b"".join((b"" if ms is None else b"%d " % ms) + base64.b64encode(chunk) + b"\n" for ms, chunk in reads)


def test_a_move_and_its_press() -> None:
    assert decoded(LEFT_RUNS + E2_LIFTED + LEFT_TICKS + E4_PLACED + RIGHT_RUNS) == [
        {
            "type": "session",
            "version": 1,
            "senses": "identity",
            "settings": {"release_ms": 1500, "brush_ms": 10},
        },
        {"type": "lift", "ms": 40, "square": "e2"},
        {"type": "place", "ms": 1060, "square": "e4", "piece": "P"},
        {"type": "press", "ms": 1080, "side": "white"},
    ]


def test_timestamps_are_taken_as_they_are() -> None:
    log = decoded(as_text((5, LEFT_RUNS), (1000, E2_LIFTED), (1234, LEFT_TICKS + E4_PLACED), (1700, RIGHT_RUNS)))
    assert "settings" not in log[0]
    assert [(line["type"], line["ms"]) for line in log[1:]] == [("lift", 1000), ("place", 1234), ("press", 1700)]


def test_a_message_may_be_split_over_two_reads_and_has_the_time_of_the_second() -> None:
    log = decoded(as_text((100, E2_LIFTED[:2]), (160, E2_LIFTED[2:])))
    assert log[1:] == [{"type": "lift", "ms": 160, "square": "e2"}]


def test_a_dump_in_a_game_tells_only_what_differs_from_the_start() -> None:
    board = chess.Board()
    board.push_san("Nf3")
    codes = bytes(
        " PRNBKQprnbkq".index(piece.symbol()) if (piece := board.piece_at(own ^ 56)) else 0 for own in range(64)
    )
    assert [(line["type"], line["square"]) for line in decoded(encode(Id.BOARD, codes))[1:]] == [
        ("lift", "g1"),
        ("place", "f3"),
    ]


# -- other boards -----------------------------------------------------------------------------------------------------

CHIPS = [bytes((3, 0, 84, 7, square + 1)) if START[square] else certabo.NOBODY for square in chess.SQUARES]


def states(*moves: tuple[chess.Square, chess.Square]) -> list[list[str]]:
    """The pieces at the start, and after each half of each move: lifted, then placed."""
    pieces, seen = list(START), [list(START)]
    for origin, target in moves:
        piece, pieces[origin] = pieces[origin], ""
        seen.append(list(pieces))
        pieces[target] = piece
        seen.append(list(pieces))
    return seen


def chips(pieces: list[str]) -> list[bytes]:
    """The e-pawn's chip goes with it; who else stands somewhere stands at home."""
    return [
        (CHIPS[chess.E2] if s == chess.E4 else CHIPS[s]) if piece else certabo.NOBODY for s, piece in enumerate(pieces)
    ]


def occupied(pieces: list[str]) -> int:
    return sum(chess.BB_SQUARES[square] for square in chess.SQUARES if pieces[square])


E4 = states((chess.E2, chess.E4))
E4_OF_MEN = [("lift", "e2", None), ("place", "e4", "P")]
E4_OCCUPIED = [("lift", "e2", None), ("place", "e4", None)]


@pytest.mark.parametrize(
    ("board", "data", "senses", "edges"),
    [
        ("chesslink", b"".join(map(chesslink.encode_state, E4)), "identity", E4_OF_MEN),
        ("chessnut", b"".join(map(chessnut.encode_state, E4)), "identity", E4_OF_MEN),
        ("certabo", b"".join(9 * certabo.encode_tags(chips(pieces)) for pieces in E4), "identity", E4_OF_MEN),
        ("sentio", b"".join(certabo.encode_occupied(occupied(pieces)) for pieces in E4), "occupancy", E4_OCCUPIED),
        ("line", b"hello 1\nlift 100 e2\nplace 350 e4\n", "occupancy", E4_OCCUPIED),
        ("line-identity", b"hello 1 identity\nlift 100 e2\nplace 350 e4 P\n", "identity", E4_OF_MEN),
    ],
)
def test_a_move_on_every_board(board: str, data: bytes, senses: str, edges: list[tuple[str, str, str | None]]) -> None:
    for recording in (as_text((None, data)), as_text(*((None, data[i : i + 1]) for i in range(len(data))))):
        session, *lines = decoded(recording, board)
        assert session.get("senses", "occupancy") == senses
        assert [(line["type"], line["square"], line.get("piece")) for line in lines] == edges


def test_a_board_that_stamps_its_lines_needs_no_other_time() -> None:
    session, lift, place, press = decoded(as_text((None, b"lift 100 e2\nplace 350 e4\npress 900 white\n")), "line")
    assert "settings" not in session
    assert (place["ms"] - lift["ms"], press["ms"] - place["ms"]) == (250, 550)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "no message"),
        (b"hello, world\n", "line 1"),
        (as_text((9, E2_LIFTED), (8, E4_PLACED)), "line 2: the time goes back from 9 to 8"),
        (b"abc\n", "line 1: not base64"),
        (bytes(range(128, 256)) * 3, "no message"),
    ],
)
def test_what_is_no_recording_is_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(LogError, match=complaint):
        decoded(data)


def test_an_unknown_board_is_answered_with_those_that_are_known() -> None:
    with pytest.raises(ConfigError) as caught:
        reader_for("abacus")
    assert "dgt" in caught.value.next_step


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    try:
        decoded(data)
    except LogError as error:
        assert error.what


def test_a_file_is_written_to_the_given_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recording, out = tmp_path / "game.bin", io.BytesIO()
    recording.write_bytes(b"\x01" + LEFT_RUNS + E2_LIFTED)
    assert decode_file("dgt", recording, out) == 0
    assert len(out.getvalue().splitlines()) == 2
    assert "1 damaged" in capsys.readouterr().err


@pytest.mark.parametrize(("board", "name"), [("dgt", "missing.bin"), ("abacus", "there.bin"), ("dgt", "there.bin")])
def test_what_cannot_be_decoded_is_status_two(
    board: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there.bin").write_bytes(b"\xff")
    assert decode_file(board, tmp_path / name, io.BytesIO()) == 2
    assert "Next:" in capsys.readouterr().err


def test_a_slip_in_the_name_of_a_board_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert decode_file("dgtt", tmp_path, io.BytesIO()) == 2
    assert f"did you mean dgt?\n  Next: known here: {', '.join(sorted(READERS))}" in capsys.readouterr().err


# -- the real games ---------------------------------------------------------------------------------------------------


def moves_of(name: str) -> list[chess.Move]:
    if (pgn := RECORDINGS / f"{name}.pgn").exists():
        game = chess.pgn.read_game(io.StringIO(pgn.read_text()))
        assert game is not None
        return list(game.mainline_moves())
    words = (RECORDINGS / f"{name}.uci").read_text().split()
    return [chess.Move.from_uci(word) for word in words if word[0].isalpha()]


@pytest.fixture(scope="module", params=["dgt-1", "dgt-johan"])
def name(request: pytest.FixtureRequest) -> str:
    if not RECORDINGS.exists():
        pytest.skip(f"no recordings at {RECORDINGS}")
    return str(request.param)


def test_at_each_press_of_a_real_game_the_board_stands_as_the_score_says(name: str) -> None:
    log = decoded((RECORDINGS / f"{name}.inbytes").read_bytes())
    seen, truth = chess.Board(), chess.Board()
    moves = iter(moves_of(name))
    for line in log[1:]:
        match line["type"]:
            case "lift":
                assert seen.remove_piece_at(chess.parse_square(line["square"])) is not None
            case "place":
                seen.set_piece_at(chess.parse_square(line["square"]), chess.Piece.from_symbol(line["piece"]))
            case "press":
                assert line["side"] == ("white" if truth.turn else "black")
                truth.push(next(moves))
                assert seen.board_fen() == truth.board_fen()
    assert next(moves, None) is None


@settings(max_examples=10)
@given(cuts=st.lists(st.integers(0, 5000), max_size=20))
def test_a_real_game_is_the_same_in_any_chunks(name: str, cuts: list[int]) -> None:
    lines = (RECORDINGS / f"{name}.inbytes").read_bytes().splitlines()
    data = b"".join(base64.b64decode(line) for line in lines)
    edges = [0, *sorted(cut % len(data) for cut in cuts), len(data)]
    pieces = as_text(*((None, data[a:b]) for a, b in pairwise(edges) if a < b))
    assert decoded(pieces) == decoded(data) == decoded(b"\n".join(lines))


@pytest.mark.parametrize("times", [lambda i: i * 250, lambda i: i // 3 * 1000])
def test_a_real_game_with_timestamps_has_the_same_edges(name: str, times: Callable[[int], int]) -> None:
    lines = (RECORDINGS / f"{name}.inbytes").read_bytes().splitlines()
    stamped = b"\n".join(b"%d %s" % (times(i), line) for i, line in enumerate(lines))

    def edges(log: Lines) -> Lines:
        return [{key: value for key, value in line.items() if key != "ms"} for line in log[1:]]

    assert edges(decoded(stamped)) == edges(decoded(b"\n".join(lines)))
