"""``jadoube board``, ``test``, ``calibrate`` and ``record``: on simulated boards, through the command line."""

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import chess
import pytest
from shell import Jadoube, Session

from controller.cli.hardware import calibrate as calibrating
from controller.cli.hardware.look import ReportedBoard
from controller.cli.hardware.picture import draw, labels
from controller.cli.hardware.walk import Walker
from controller.cli.hardware.wiring import wiring
from controller.daemon.measured import calibrated
from controller.shown import NOTHING, START
from hardware.boards import BoardConfig, BoardReading, Change, Driver, hall
from hardware.boards.certabo_stones import load as load_stones
from hardware.boards.expander import ExpanderConfig
from hardware.boards.hall_poles import load as load_calibration
from hardware.boards.matrix import MatrixConfig
from hardware.boards.readings import Emit
from hardware.boards.scan import WHITE_PIECES
from hardware.boards.scan_recording import ScanRecording, encode_scan
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator import contacts
from hardware.simulator.certabo import CertaboEmulator
from hardware.simulator.dgt import DgtEmulator
from hardware.simulator.dgt_bus import DgtLineEmulator
from hardware.simulator.hall_sensors import HallSensors, Magnets
from hardware.simulator.line import LineEmulator

MS = 1_000_000


def configured(folder: Path, board: str) -> Path:
    config = folder / "board.toml"
    config.write_text(f"[board]\n{board}\n")
    return config


# -- the picture ---------------------------------------------------------------------------------------------------


def test_one_picture_has_the_pieces_and_the_pins(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("board", "--once", "--config", configured(tmp_path, 'type = "simulated"\nrotated = true'))
    assert told.status == 0
    lines = told.out.splitlines()
    assert lines[0].startswith("simulated: 32 pieces, they stand as at the start")
    assert lines[2].split() == ["21", "20", "16", "12", "25", "24", "23", "18"]  # file h is wired to the first column
    assert lines[3].split() == list("abcdefgh")
    assert lines[4].split() == ["4", "8", *"●●●●●●●●"]
    assert lines[8].split() == ["5", "4", *"········"]
    assert max(map(len, lines)) <= 80


def test_a_board_that_is_not_there_is_said_with_what_to_do(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("board", "--once", "--config", configured(tmp_path, 'type = "dgt"\nport = "/dev/none"'))
    assert told.status == 2
    assert "the port /dev/none cannot be opened" in told.out
    assert "Next: jadoube boards --ports" in told.out


def test_a_board_that_knows_its_pieces_shows_their_letters(jadoube: Jadoube, tmp_path: Path) -> None:
    with DgtEmulator(tmp_path / "port"):
        told = jadoube("board", "--once", "--config", configured(tmp_path, f'type = "dgt"\nport = "{tmp_path}/port"'))
    assert told.status == 0
    assert "8 r      n      b      q      k      b      n      r" in told.out
    assert told.out.count("a      b      c") == 1, "it has no wires to be named in the margin"


def test_a_board_on_a_line_says_how_often_it_is_asked(session: Callable[..., Session], tmp_path: Path) -> None:
    config = configured(tmp_path, f'type = "dgt-bus"\nport = "{tmp_path}/port"\naddress = 1025')
    with DgtLineEmulator(tmp_path / "port", [1025, 1031]) as line:
        at_work = session("board", "--config", config)
        at_work.hear("as at the start")
        line[1025].lift(chess.E2)
        at_work.hear("unlike the start: e2")
        at_work.hear("; asked every ")
        at_work.interrupt()


def test_changes_are_followed_where_the_output_is_no_terminal(session: Callable[..., Session], tmp_path: Path) -> None:
    with DgtEmulator(tmp_path / "port") as board:
        at_work = session("board", "--config", configured(tmp_path, f'type = "dgt"\nport = "{tmp_path}/port"'))
        at_work.hear("as at the start")
        board.lift(chess.E2)
        at_work.hear("unlike the start: e2")
        board.place(chess.E4, "P")
        at_work.hear("unlike the start: e2 e4")
        at_work.interrupt()


def test_bounces_are_what_comes_too_soon_for_a_hand() -> None:
    look = ReportedBoard()
    for ms, occupied in [(0, 1), (5000, 0), (5001, 1), (5002, 0), (6000, 1)]:
        look.take(BoardReading(ms * MS, occupied))
    assert (look.edges[chess.A1], look.bounces[chess.A1]) == (4, 2)
    assert look.edges[chess.B1] == 0
    assert look.whole


def test_the_first_picture_of_a_board_that_knows_its_pieces_needs_all_squares() -> None:
    look = ReportedBoard("identity")
    for square in chess.SQUARES[:-1]:
        look.take(Change(MS, square, START[square]))
    assert not look.whole
    look.take(Change(MS, chess.H8, "r"))
    assert look.whole
    assert look.edges == [0] * 64


def test_wires_that_follow_no_rank_stand_at_each_square() -> None:
    assert labels(wiring(MatrixConfig())) == []
    assert labels(wiring(ExpanderConfig()))[2].split() == ["8", *(f"23B{bit}" for bit in range(8))]
    assert "20A0" not in "".join(draw(wiring(ExpanderConfig()), NOTHING, [""] * 64))


# -- the walk ------------------------------------------------------------------------------------------------------


def test_a_walk_takes_what_has_settled_and_waits_between_squares() -> None:
    walker = Walker([chess.A1, chess.B1, chess.C1], idle=chess.BB_H8, settle_ms=100)
    a1, b1, h8 = chess.BB_A1, chess.BB_B1, chess.BB_H8
    assert not walker.feed(0, h8)
    assert not walker.feed(10, h8 | a1)
    assert walker.feed(110, h8 | a1)
    assert walker.square == chess.B1
    assert not walker.feed(500, h8 | a1), "he has not been moved"
    assert not walker.feed(600, h8 | a1 | b1), "a piece pushed over the edge is on both"
    assert not walker.feed(900, h8 | a1 | b1)
    walker.feed(1000, h8 | b1)
    assert walker.feed(1100, h8 | b1)
    walker.feed(1200, h8)
    walker.skip()
    assert walker.square is None
    assert walker.walk.seen == {chess.A1: h8 | a1, chess.B1: h8 | b1, chess.C1: h8}
    walker.back()
    assert walker.square == chess.C1


def test_what_still_stands_on_the_last_square_is_not_seen_on_the_next() -> None:
    """Nothing is seen there, somebody says, before the piece has left the square before."""
    walker = Walker([chess.A1, chess.B1], idle=0, settle_ms=100)
    walker.feed(10, chess.BB_A1)
    assert walker.feed(110, chess.BB_A1)
    walker.skip()
    assert walker.walk.seen == {chess.A1: chess.BB_A1, chess.B1: 0}


def test_a_slip_is_found_without_hardware(jadoube: Jadoube, tmp_path: Path) -> None:
    config = configured(tmp_path, 'type = "simulated"')
    told = jadoube("test", "--config", config, "--simulate", "exchanged-rows:1,2", "--simulate", "dead:e4")
    assert told.status == 1
    assert "row 1, pin 4 and row 2, pin 17 are exchanged" in told.out
    assert "or write rows = [17, 4, 27, 22, 5, 6, 13, 19] in [board]" in told.out
    assert "no piece is seen on e4" in told.out
    assert "64 squares tried, 47 right." in told.out


def test_lines_that_are_joined_twice_are_named_twice(jadoube: Jadoube, tmp_path: Path) -> None:
    config = configured(tmp_path, 'type = "simulated"')
    told = jadoube("test", "--config", config, "--simulate", "joined-rows:1,2", "--simulate", "joined-rows:3,4")
    assert told.out.count("are seen as one") == 2


def test_the_diodes_are_tried_once_the_rest_is_right(jadoube: Jadoube, tmp_path: Path) -> None:
    config = configured(tmp_path, 'type = "simulated"\nrotated = true')
    told = jadoube("test", "--config", config, "--simulate", "no-diode:e4")
    assert told.status == 1
    assert "no diode works on d5" in told.out  # that is where White sees it on a board turned round
    assert jadoube("test", "--config", config, "--simulate", "stuck:a8").status == 1
    told = jadoube("test", "--config", config)
    assert (told.status, told.out.splitlines()[-1]) == (0, "Nothing is wrong.")
    bare = configured(tmp_path, 'type = "simulated"\ndiodes = false')
    told = jadoube("test", "--config", bare, "--simulate", "no-diode:e4")
    assert (told.status, "diodes" in told.out) == (0, False)


def test_a_walk_over_a_real_board_names_what_its_wires_do(session: Callable[..., Session], tmp_path: Path) -> None:
    """On a home-made board b1 is dead, and the wires of c1 and d1 are crossed; the walk ends after four squares."""
    wires = {chess.C1: chess.D1, chess.D1: chess.C1}
    with LineEmulator(tmp_path / "port") as board:
        for square in chess.SQUARES:
            board.lift(square)
        config = configured(tmp_path, f'type = "line"\nport = "{tmp_path}/port"')
        at_work = session("test", "--config", config)
        at_work.hear("Then press Enter.")
        at_work.answer()
        for square in chess.SQUARES[:4]:
            at_work.hear(f"{chess.square_name(square)} ")
            if square == chess.B1:
                at_work.answer()  # nothing is seen there
                continue
            board.place(wires.get(square, square), "P")
            at_work.hear("ok", "→ ".encode().decode("latin-1"))
            board.lift(wires.get(square, square))
        at_work.hear("e1 ")
        at_work.answer("q")
        assert at_work.end() == 1
    assert "4 squares tried, 1 right." in at_work.said
    assert "c1 and d1 are crossed" in at_work.said
    assert "no piece is seen on b1" in at_work.said


# -- calibration ---------------------------------------------------------------------------------------------------


class Typing:
    """Standard input on which Enter is pressed once ``ready`` says so."""

    def __init__(self, *steps: Callable[[], None]) -> None:
        self._steps: Iterator[Callable[[], None]] = iter(steps)

    def readline(self) -> str:
        next(self._steps)()
        return "\n"


def test_hall_sensors_are_calibrated_from_an_empty_board_and_two_pieces(
    jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = Magnets(occupied=0)
    sensors = HallSensors(pieces, hall.HallSensorsConfig().select, settle_us=0)
    scanned: list[int] = []
    really = hall.HallBoard.levels

    def levels(board: hall.HallBoard) -> list[int]:
        scanned.append(1)
        return really(board)

    def carry(white: bool) -> None:
        for square in chess.SQUARES:
            pieces.put(square, white)
            seen = len(scanned)
            while len(scanned) < seen + 3:
                time.sleep(0.001)
            pieces.lift(square)

    monkeypatch.setattr(hall, "open_header", lambda _: sensors)
    monkeypatch.setattr(hall, "open_spi", sensors.spi.open)
    monkeypatch.setattr(hall.HallBoard, "levels", levels)
    monkeypatch.setattr(calibrating, "EMPTY_S", 0.2)
    monkeypatch.setattr(calibrating, "PAUSE_S", 0.0)
    monkeypatch.setattr(sys, "stdin", Typing(lambda: None, lambda: carry(True), lambda: carry(False)))
    config = configured(tmp_path, f'type = "hall"\ncalibration = "{tmp_path}/hall.json"\nsettle_us = 0')
    told = jadoube("calibrate", "--config", config)
    assert told.status == 0, told
    assert "64 of 64 squares" in told.out
    assert re.search(r"The weakest is [a-h][1-8], with \d+\.\d", told.out)
    found = load_calibration(tmp_path / "hall.json")
    assert all(white > idle > black for white, idle, black in zip(found.white, found.idle, found.black, strict=True))

    pieces.put(chess.E2, True)
    pieces.put(chess.E7, False)
    told = jadoube("board", "--once", "--config", config)
    assert told.out.startswith("hall: 2 pieces")
    rank_2 = next(line for line in told.out.splitlines() if line.split()[:1] == ["2"])
    assert rank_2.split()[9] == "w"
    assert all(400 < int(level) < 900 for level in re.findall(r"\d{3}", rank_2))


def test_a_certabo_set_is_learnt(jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typing(lambda: None))
    stones = tmp_path / "stones.json"
    with CertaboEmulator(tmp_path / "port", errors=0.02) as board:
        config = configured(tmp_path, f'type = "certabo"\nport = "{tmp_path}/port"\nstones = "{stones}"')
        told = jadoube("calibrate", "--config", config)
        assert told.status == 0, told
        assert "32 pieces learnt" in told.out
        assert load_stones(stones)[board.chips[chess.E1]] == "K"


def test_of_a_simulated_board_it_is_counted_what_it_loses(
    jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A piece that is not seen on d4 once, and never on e4, where the sensor sticks open."""
    boards: list[SimulatedBoard] = []
    really = calibrating.open_board

    def opened(config: BoardConfig, emit: Emit) -> Driver:
        boards.append(really(config, emit))
        return boards[-1]

    def carry(hidden: set[chess.Square]) -> None:
        board = boards[0].electrical
        for square in chess.SQUARES:
            board.stick(square, "open" if square in hidden else None)
            board.place(square)
            _scanned(boards[0], 3)
            board.lift(square)
            _scanned(boards[0], 3)

    def empty() -> None:
        for square in chess.scan_forward(contacts.START):
            boards[0].electrical.lift(square)

    monkeypatch.setattr(calibrating, "open_board", opened)
    monkeypatch.setattr(calibrating, "ROUNDS", 3)
    steps = [lambda: carry({chess.E4}), lambda: carry({chess.E4, chess.D4}), lambda: carry({chess.E4})]
    monkeypatch.setattr(sys, "stdin", Typing(empty, *steps))
    more = f'[event.settings]\ndebounce_ms = 2\n[journal]\npath = "{tmp_path}/j.sqlite"'
    config = configured(tmp_path, f'type = "simulated"\nbounce_ms = 0\nscan_hz = 500\n{more}')
    told = jadoube("calibrate", "--config", config)
    assert told.status == 0, told
    assert "not seen: d4 1 times" in told.out
    assert "never seen, and not counted: e4" in told.out
    measured = calibrated(tmp_path / "j.sqlite")
    assert measured is not None
    assert (measured.edges, measured.lost) == (2 * 3 * 63, 1)
    assert 1.9 < measured.scan_ms < 20, "500 times a second, if the machine has the time"


def _scanned(board: SimulatedBoard, times: int) -> None:
    seen, end = board.scans, time.monotonic() + 5
    while board.scans < seen + times and time.monotonic() < end:
        time.sleep(0.0005)


def test_nothing_is_written_where_nobody_was_seen(
    jadoube: Jadoube, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Typing(*[lambda: None] * 5))
    more = f'[journal]\npath = "{tmp_path}/j.sqlite"'
    told = jadoube("calibrate", "--config", configured(tmp_path, f'type = "simulated"\n{more}'))
    assert told.status == 2
    assert "nobody was seen on 64 squares" in told.err
    assert calibrated(tmp_path / "j.sqlite") is None


def test_with_a_board_of_a_match_nothing_would_be_made_of_it(jadoube: Jadoube, tmp_path: Path) -> None:
    config = tmp_path / "match.toml"
    table = '[{0}]\nnumber = "{1}"\n[{0}.board]\ntype = "simulated"\n'
    config.write_text(table.format("A", 1) + table.format("B", 2))
    told = jadoube("calibrate", "--board", "A", "--config", config)
    assert told.status == 2
    assert "needs no calibration" in told.err


# -- recordings ----------------------------------------------------------------------------------------------------


def test_what_a_board_sends_is_recorded_so_that_decode_reads_it(jadoube: Jadoube, tmp_path: Path) -> None:
    config = configured(tmp_path, f'type = "dgt"\nport = "{tmp_path}/port"')

    def play() -> None:
        time.sleep(0.3)
        board.lift(chess.E2)
        time.sleep(0.1)
        board.place(chess.E4, "P")

    with DgtEmulator(tmp_path / "port") as board:
        hands = Thread(target=play)
        hands.start()
        told = jadoube("record", "--config", config, "--seconds", "0.8", "out.txt")
        hands.join()
    assert told.status == 0, told
    assert "jadoube decode dgt out.txt" in told.err
    told = jadoube("decode", "dgt", "out.txt")
    session, *inputs = [json.loads(line) for line in told.out.splitlines()]
    assert "settings" not in session, "with times of its own it is as fine as any log"
    assert [(item["type"], item["square"]) for item in inputs] == [("lift", "e2"), ("place", "e4")]
    assert 50 <= inputs[1]["ms"] - inputs[0]["ms"] < 400


def test_nothing_is_recorded_for_less_than_no_time(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("record", "--seconds", "-1", "out.txt")
    assert (told.status, (tmp_path / "out.txt").exists()) == (2, False)
    assert "expected a number above 0" in told.err


def test_of_a_board_that_is_not_plugged_in_no_file_is_left(jadoube: Jadoube, tmp_path: Path) -> None:
    """The same command is to work once it is."""
    told = jadoube("record", "--config", configured(tmp_path, f'type = "dgt"\nport = "{tmp_path}/none"'), "out.txt")
    assert (told.status != 0, (tmp_path / "out.txt").exists()) == (True, False), told


def test_what_a_board_on_a_line_answers_is_recorded_so_that_decode_reads_it(jadoube: Jadoube, tmp_path: Path) -> None:
    config = configured(tmp_path, f'type = "dgt-bus"\nport = "{tmp_path}/port"\naddress = 1025')
    with DgtLineEmulator(tmp_path / "port", [1025, 1031]) as line:
        line[1025].lift(chess.G1)  # before the recording, and set back
        line[1025].place(chess.G1, "N")

        def hands() -> None:
            time.sleep(0.8)
            line[1025].lift(chess.E2)
            time.sleep(0.2)
            line[1025].place(chess.E4, "P")

        player = Thread(target=hands)
        player.start()
        told = jadoube("record", "--config", config, "--seconds", "1.5", "out.txt")
        player.join()
    assert told.status == 0
    assert "jadoube decode dgt-bus out.txt" in told.err
    decoded = jadoube("decode", "dgt-bus", "out.txt")
    touched = [(line["type"], line["square"]) for line in map(json.loads, decoded.out.splitlines()) if "square" in line]
    assert touched == [("lift", "e2"), ("place", "e4")]


def test_raw_scans_are_recorded_as_frames(jadoube: Jadoube, tmp_path: Path) -> None:
    told = jadoube("record", "--config", configured(tmp_path, 'type = "simulated"'), "--seconds", "0.2", "out.txt")
    assert told.status == 0
    told = jadoube("decode", "scans", "out.txt")
    frame = json.loads(told.out.splitlines()[1])
    assert (frame["type"], frame["occupied"]) == ("frame", "ffff00000000ffff")


def test_scans_of_a_board_that_sees_colours_tell_them() -> None:
    start = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8
    white = chess.BB_RANK_1 | chess.BB_RANK_2
    taken = (
        start & ~chess.BB_D2,
        white & ~chess.BB_D2 | chess.BB_D7,
    )  # a white piece from d2 stands where a black one did
    data = b"".join(encode_scan(seen | pieces << WHITE_PIECES, "colour") for seen, pieces in ((start, white), taken))
    for size in (1, 7, 16, len(data)):
        reader = ScanRecording("colour")
        steps = [step for at in range(0, len(data), size) for step in reader.read(data[at : at + size])]
        assert [[(c.square, c.piece) for c in step.items] for step in steps] == [[], [(chess.D2, ""), (chess.D7, "w")]]


def test_a_press_is_shown_with_the_board(session: Callable[..., Session], tmp_path: Path) -> None:
    with LineEmulator(tmp_path / "port") as board:
        at_work = session("board", "--config", configured(tmp_path, f'type = "line"\nport = "{tmp_path}/port"'))
        at_work.hear("as at the start")
        board.press("white")
        at_work.hear("the clock was pressed by white, 1 presses so far")
        at_work.interrupt()


def test_a_recording_never_overwrites_another(jadoube: Jadoube, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("evidence")
    told = jadoube("record", "--config", configured(tmp_path, 'type = "simulated"'), "out.txt")
    assert told.status == 2
    assert "File exists" in told.err
    assert (tmp_path / "out.txt").read_text() == "evidence"
