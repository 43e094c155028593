"""A board of Hall sensors tells empty, white and black apart, on sensors and magnets of which no two are alike."""

from pathlib import Path

import chess
import pytest
from clockwork import Clockwork
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import DeviceError
from hardware.boards.hall import HallBoard, HallSensorsConfig, level
from hardware.boards.hall_poles import Calibration, Poles, calibrate, load, save
from hardware.boards.scan import WHITE_PIECES
from hardware.simulator.contacts import START
from hardware.simulator.hall_sensors import HallSensors, Magnets

WHITE_HOME = chess.BB_RANK_1 | chess.BB_RANK_2


def built(config: HallSensorsConfig, seed: int = 0, occupied: int = START) -> tuple[HallBoard, HallSensors]:
    clock = Clockwork()
    chips = HallSensors(Magnets(seed=seed, occupied=occupied, clock=clock), config.select, config.squares(), seed=seed)
    return HallBoard(config, lambda: chips, chips.spi.open, clock.wait), chips


def walked(board: HallBoard, chips: HallSensors, white: bool) -> list[list[int]]:
    """A piece is set down on each square of an empty board."""
    scans = []
    for square in chess.SQUARES:
        chips.contacts.put(square, white)
        scans.append(board.levels())
        chips.contacts.lift(square)
    return scans


def calibrated(folder: Path, seed: int, **wiring: str) -> tuple[HallBoard, HallSensors]:
    """As a person does it: the empty board, then a piece of either colour over all squares."""
    config = HallSensorsConfig(calibration=str(folder / f"hall-{seed}.json"), **wiring)  # type: ignore[arg-type]
    board, chips = built(config, seed, occupied=0)
    board.open_chips()
    empty = [board.levels() for _ in range(8)]
    found = calibrate(empty, walked(board, chips, white=True), walked(board, chips, white=False))
    save(found, Path(config.calibration))
    board.close()
    board.open()
    return board, chips


@pytest.mark.parametrize("first", ["a1", "h8"])
@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_is_seen_with_its_colours(tmp_path: Path, seed: int, first: str) -> None:
    board, chips = calibrated(tmp_path, seed, first=first)
    game = chess.Board()
    for san in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5", "d4", "c6", "Nf3", "Bg4", "h3", "Bxf3", "Qxf3", "e6"]:
        for square in chess.SQUARES:
            if chips.contacts.closed(0) >> square & 1 and not game.piece_at(square):
                chips.contacts.lift(square)
            elif game.piece_at(square):
                chips.contacts.put(square, bool(game.color_at(square)))
        for _ in range(3):
            assert board.scan() == game.occupied | game.occupied_co[chess.WHITE] << WHITE_PIECES
        game.push_san(san)


def test_a_white_piece_replaced_by_a_black_one_between_two_scans_is_seen(tmp_path: Path) -> None:
    board, chips = calibrated(tmp_path, 1)
    chips.contacts.put(chess.E4, white=True)
    assert board.scan() == chess.BB_E4 | chess.BB_E4 << WHITE_PIECES
    chips.contacts.put(chess.E4, white=False)
    assert board.scan() == chess.BB_E4


# -- what levels mean ----------------------------------------------------------------------------------------------

EVEN = Calibration(idle=[500.0] * 64, noise=[1.0] * 64, white=[700.0] * 64, black=[300.0] * 64)


def sees(poles: Poles, value: int) -> str:
    occupied, white = poles.feed([value] * 64)
    assert occupied in (0, chess.BB_ALL)
    assert white in (0, occupied)
    return "" if not occupied else "white" if white else "black"


@pytest.mark.parametrize(
    ("levels", "seen"),
    [
        ((599, 600), ["", "white"]),  # half of the span
        ((401, 400), ["", "black"]),
        ((700, 571, 569), ["white", "white", ""]),  # 35 % of it
        ((300, 429, 431), ["black", "black", ""]),
        ((700, 571, 570, 599, 600), ["white", "white", "white", "white", "white"]),
        ((700, 400), ["white", "black"]),  # without being empty in between
    ],
)
def test_half_the_span_is_a_piece_and_35_percent_of_it_is_none(levels: tuple[int, ...], seen: list[str]) -> None:
    poles = Poles(EVEN)
    assert [sees(poles, value) for value in levels] == seen


@given(st.lists(st.integers(401, 599), min_size=1, max_size=50))
def test_less_than_half_the_span_never_makes_a_piece(levels: list[int]) -> None:
    poles = Poles(EVEN)
    assert [sees(poles, value) for value in levels] == [""] * len(levels)


def test_the_poles_may_be_in_either_way_round() -> None:
    other = Calibration(idle=EVEN.idle, noise=EVEN.noise, white=EVEN.black, black=EVEN.white)
    assert sees(Poles(other), 700) == "black"


# -- calibrating ---------------------------------------------------------------------------------------------------


def test_a_square_that_was_left_out_is_named() -> None:
    board, chips = built(HallSensorsConfig(), occupied=0)
    board.open_chips()
    empty = [board.levels() for _ in range(8)]
    white, black = walked(board, chips, white=True), walked(board, chips, white=False)
    del black[chess.D3]
    with pytest.raises(DeviceError, match="d3"):
        calibrate(empty, white, black)


def test_magnets_in_the_same_way_round_are_named() -> None:
    board, chips = built(HallSensorsConfig(), occupied=0)
    board.open_chips()
    white = walked(board, chips, white=True)
    with pytest.raises(DeviceError, match="a1 b1 c1") as caught:
        calibrate([board.levels() for _ in range(8)], white, white)
    assert "wrong way round" in caught.value.cause


@pytest.mark.parametrize("text", [None, "{}", "[1, 2", '{"idle":[1],"noise":[1],"white":[1],"black":[1]}'])
def test_without_a_calibration_the_error_names_the_command(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "hall.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(DeviceError) as caught:
        load(path)
    assert "jadoube calibrate" in caught.value.next_step


def test_a_calibration_is_read_as_it_was_written(tmp_path: Path) -> None:
    save(EVEN, tmp_path / "hall.json")
    assert load(tmp_path / "hall.json") == EVEN


# -- the converter -------------------------------------------------------------------------------------------------


@given(st.integers(0, 1023), st.integers(0, 0x1F))
def test_ten_bits_of_the_answer_are_the_level(value: int, undefined: int) -> None:
    assert level(bytes((0xFF, undefined << 3 | value >> 8, value & 0xFF))) == value


def test_a_cable_that_is_off_is_not_a_level() -> None:
    board, chips = built(HallSensorsConfig())
    board.open_chips()
    chips.contacts.unplug()
    with pytest.raises(OSError, match="cable"):
        board.levels()


def test_a_converter_without_power_is_named() -> None:
    with pytest.raises(DeviceError, match="MISO stays high"):
        level(b"\xff\xff\xff")
