"""Certabo and Sentio boards: their bytes, the pieces learnt from a start position, and readings that err."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from controller.errors import DeviceError
from controller.shown import START
from hardware.boards import Change, Fault, FromDevice, Look, Recovered, Remark
from hardware.boards.certabo import CertaboBoard, CertaboConfig, CertaboPicture
from hardware.boards.certabo_protocol import (
    NOBODY,
    ChipTag,
    ChipTags,
    Decoder,
    LampKind,
    Message,
    Occupied,
    coloured_lamps,
    encode_occupied,
    encode_tags,
    lamps,
)
from hardware.boards.certabo_stones import LEARN, UNKNOWN, VOTE, Lesson, Vote, load, save
from hardware.boards.codec import ProtocolError
from hardware.simulator.certabo import CertaboEmulator

CHIPS = [bytes((3, 0, 84, 7, square + 1)) if START[square] else NOBODY for square in chess.SQUARES]
STONES = {tag: piece for tag, piece in zip(CHIPS, START, strict=True) if piece}
QUEEN = bytes((3, 0, 85, 1, 1))


def read(data: bytes) -> list[Message | str]:
    return [str(m) if isinstance(m, ProtocolError) else m for m in Decoder().feed(data)]


def moved(origin: chess.Square, target: chess.Square, chips: list[ChipTag] = CHIPS) -> list[ChipTag]:
    chips = list(chips)
    chips[target], chips[origin] = chips[origin], NOBODY
    return chips


# -- the bytes --------------------------------------------------------------------------------------------------------


def test_a_board_with_chips_sends_five_numbers_a_square_from_a8() -> None:
    data = encode_tags(CHIPS)
    assert data.startswith(b":3 0 84 7 57 3 0 84 7 58 ")
    assert data.endswith(b"\r\n")
    assert read(data) == [ChipTags(tuple(CHIPS))]


def test_a_line_feed_may_stand_within_a_number() -> None:
    data = encode_tags(CHIPS)
    middle = data.index(b"84") + 1
    assert read(data[:middle] + b"\n" + data[middle:]) == [ChipTags(tuple(CHIPS))]


def test_a_sentio_board_sends_a_rank_a_number_with_the_a_file_highest() -> None:
    assert encode_occupied(chess.BB_H2) == b":0 0 0 0 0 0 1 0\r\n"
    assert encode_occupied(chess.BB_A8) == b":128 0 0 0 0 0 0 0\r\n"
    assert read(b":255 255 0 0 16 0 247 255\r\n") == [
        Occupied(chess.BB_RANK_8 | chess.BB_RANK_7 | chess.BB_D4 | chess.BB_RANK_2 & ~chess.BB_E2 | chess.BB_RANK_1)
    ]


def test_the_kind_of_lamps_is_said() -> None:
    assert read(b"L\r\nD\r\n") == [LampKind(False), LampKind(True)]


def test_lamps_have_the_a_file_lowest() -> None:
    assert lamps(chess.BB_A8 | chess.BB_H1) == bytes((0x01, 0, 0, 0, 0, 0, 0, 0x80))


def test_coloured_lamps_stand_at_the_corners_counted_from_h1() -> None:
    command = coloured_lamps(chess.BB_E2 | chess.BB_E4)
    assert len(command) == 247
    assert (command[:2], command[-2:]) == (b"\xff\x55", b"\r\n")
    assert [i for i in range(2, 245) if command[i]] == [40, 43, 67, 70, 94, 97, 121, 124]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b":1 2 3\r\n", "3 numbers"),
        (b"1 2 3 4 5 6 7 8\r\n", "its beginning is missing"),
        (b":1 2 3 4 5 6 7 256\r\n", "256"),
        (b":1 2 3 4 5 6 7 x\r\n", "invalid literal"),
        (b":1 2 :1 2 3 4 5 6 7 8\r\n", "cut short"),
        (b":" + 3000 * b"7", "no end of the line"),
    ],
)
def test_what_no_board_can_have_sent_is_named(line: bytes, complaint: str) -> None:
    assert complaint in str(read(line)[0])
    assert read(line + b"\r\n" + encode_occupied(1))[-1] == Occupied(1)


# -- the pieces
# ----------------------------------------------------------------------------------------------------------


def test_the_pieces_are_learnt_from_seven_readings_of_the_start_position() -> None:
    lesson = Lesson()
    assert [lesson.take(CHIPS) for _ in range(LEARN)] == [*[None] * (LEARN - 1), STONES]


def test_further_queens_on_d3_and_d6_are_learnt_too() -> None:
    chips = list(CHIPS)
    chips[chess.D3] = QUEEN
    lesson = Lesson()
    *_, stones = (lesson.take(chips) for _ in range(LEARN))
    assert stones == STONES | {QUEEN: "Q"}


@pytest.mark.parametrize(
    "chips",
    [
        moved(chess.E2, chess.E4),
        [NOBODY] * 64,
        moved(chess.E2, chess.E4, moved(chess.E4, chess.E2)),
        [CHIPS[chess.A1] if tag != NOBODY else tag for tag in CHIPS],
    ],
)
def test_nothing_is_learnt_from_another_position(chips: list[ChipTag]) -> None:
    lesson = Lesson()
    assert [lesson.take(chips) for _ in range(2 * LEARN)] == [None] * 2 * LEARN


def test_a_lesson_stands_misreadings() -> None:
    chance, lesson, learnt = random.Random(3), Lesson(), None
    for _ in range(50):
        learnt = learnt or lesson.take([tag if chance.random() > 0.1 else chance.randbytes(5) for tag in CHIPS])
    assert learnt == STONES


def test_most_of_three_readings_decide() -> None:
    vote = Vote(STONES)
    noise = [bytes((9, 9, 9, 9, square)) for square in chess.SQUARES]
    vote.take(CHIPS)
    assert not vote.whole
    vote.take(noise)
    assert vote.take(CHIPS) == list(START)
    assert vote.whole


def test_where_all_differ_what_stood_there_stands() -> None:
    vote = Vote(STONES)
    for _ in range(VOTE):
        vote.take(CHIPS)
    for i in range(VOTE):
        shown = vote.take([bytes((9, 9, 9, i, square)) for square in chess.SQUARES])
    assert shown == list(START)


def test_a_piece_of_another_set_is_a_stranger_and_remarked_on() -> None:
    chips = moved(chess.D8, chess.D8)
    chips[chess.D8] = QUEEN
    picture = CertaboPicture(STONES)
    items = [item for _ in range(VOTE) for item in picture.take(0, ChipTags(tuple(chips)))]
    remark, change = items
    assert isinstance(remark, Remark)
    assert "d8" in remark.what
    assert change == Change(0, chess.D8, "")
    items = [item for _ in range(VOTE) for item in picture.take(0, ChipTags(tuple(CHIPS)))]
    assert items == [Remark(0, "stones"), Change(0, chess.D8, "q")]
    vote = Vote(STONES)
    assert [vote.take(chips) for _ in range(VOTE)][-1][chess.D8] == UNKNOWN


def test_a_set_is_kept_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "stones.json"
    assert load(path) == {}
    save(path, STONES)
    save(path, {QUEEN: "Q"})
    assert load(path) == STONES | {QUEEN: "Q"}
    assert json.loads(path.read_text())[QUEEN.hex()] == "Q"


@pytest.mark.parametrize("text", ["[]", '{"xy": "P"}', '{"0300540701": "pawn"}', "{"])
def test_a_file_that_is_no_set(text: str, tmp_path: Path) -> None:
    path = tmp_path / "stones.json"
    path.write_text(text)
    with pytest.raises(DeviceError, match="cannot be read") as raised:
        load(path)
    assert f"rm {path}" in raised.value.next_step


def test_a_place_where_nothing_can_be_kept(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="cannot be kept"):
        save(tmp_path / "nowhere" / "stones.json", STONES)


# -- the driver -------------------------------------------------------------------------------------------------------


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_new_set_is_learnt_at_the_start_and_known_ever_after(tmp_path: Path) -> None:
    items: list[FromDevice] = []
    config = CertaboConfig(port=str(tmp_path / "port"), stones=str(tmp_path / "stones.json"), silence_s=0.5)
    board = CertaboEmulator(tmp_path / "port", coloured=True)
    board.lift(chess.E2)
    driver = CertaboBoard(config, items.append, (0.02, 0.1))
    with board:
        driver.start()
        until(lambda: any(isinstance(item, Fault) and "not known yet" in item.what for item in items))
        time.sleep(0.6)
        assert not any(isinstance(item, Change) for item in items)
        board.place(chess.E2, "P")
        until(lambda: sum(isinstance(item, Change) for item in items) >= 64)
        assert isinstance(next(item for item in reversed(items) if not isinstance(item, Change | Look)), Recovered)
        assert len(load(tmp_path / "stones.json")) == 32
        driver.light(chess.BB_E2)
        until(lambda: board.lamps == coloured_lamps(chess.BB_E2))
        driver.stop()
    items.clear()
    with board:
        driver.start()
        board.lift(chess.E2)
        board.place(chess.E4, "P")
        until(
            lambda: Change in map(type, items) and {i.square: i.piece for i in items if isinstance(i, Change)}.get(28)
        )
        driver.stop()
    assert not any("not known" in item.what for item in items if isinstance(item, Fault))


def test_misreadings_invent_no_move(tmp_path: Path) -> None:
    """One reading in a hundred is wrong; the pieces stand still."""
    items: list[FromDevice] = []
    board = CertaboEmulator(tmp_path / "port", errors=0.01)
    save(tmp_path / "stones.json", {tag: piece for tag, piece in zip(board.chips, board.pieces, strict=True) if piece})
    config = CertaboConfig(port=str(tmp_path / "port"), stones=str(tmp_path / "stones.json"))
    driver = CertaboBoard(config, items.append, (0.02, 0.1))
    with board:
        driver.start()
        until(lambda: sum(isinstance(item, Change) for item in items) >= 64)
        time.sleep(1.0)
        driver.stop()
    assert sum(isinstance(item, Change) for item in items) == 64
