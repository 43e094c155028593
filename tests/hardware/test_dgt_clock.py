"""Commands to a DGT clock: their bytes, one at a time, and through the real driver to an emulated clock."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from msgspec.structs import replace

from hardware.boards import Change, FromDevice, LeverPress, Remark, dgt_face
from hardware.boards.dgt import DgtBoard, DgtConfig
from hardware.boards.dgt_clock import ANSWER_S, ClockCommand, ClockDialogue, end_text, set_and_run, text
from hardware.boards.dgt_picture import DgtPicture
from hardware.boards.dgt_protocol import ClockAck, ClockState, Message, NoTime
from hardware.clocks.face import Face
from hardware.simulator.dgt import DgtEmulator

FACE = Face(white_ms=300_000, black_ms=300_000)


def ack(command: ClockCommand, ok: bool = True, automatic: bool = False) -> ClockAck:
    return ClockAck(command, ok, automatic, bytes(2))


# -- the bytes --------------------------------------------------------------------------------------------------------


def test_both_times_are_set_and_one_runs() -> None:
    assert set_and_run(3723, 59, "left") == bytes.fromhex("2b 0a 03 0a 01 02 03 00 00 3b 09 00")
    assert set_and_run(0, 35999, "right")[-2] == 0x0A
    assert set_and_run(300, 300, None)[-2] == 0x04


def test_text_has_eight_characters() -> None:
    assert text("Nf3", beep=3) == bytes.fromhex("2b 0c 03 0c") + b"Nf3     " + bytes.fromhex("03 00")
    assert text("touch-move", beep=99)[4:-1] == b"touch-mo\x0f"
    assert text("é♜")[4:12] == b"??      "


def test_the_end_of_a_text() -> None:
    assert end_text() == bytes.fromhex("2b 03 03 03 00")


@pytest.mark.parametrize("times", [(-1, 0), (0, 36000)])
def test_times_that_no_clock_shows(times: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a clock shows"):
        set_and_run(*times, None)


# -- one at a time ----------------------------------------------------------------------------------------------------


def test_a_command_waits_until_the_one_before_is_acknowledged() -> None:
    dialogue = ClockDialogue()
    dialogue.say(text("one"))
    assert dialogue.next(0.0) == text("one")
    dialogue.say(end_text())
    assert dialogue.next(0.5) is None
    dialogue.heard(ack(ClockCommand.TEXT, automatic=True))
    dialogue.heard(ack(ClockCommand.SET_AND_RUN))
    assert dialogue.next(0.6) is None
    dialogue.heard(ack(ClockCommand.TEXT))
    assert dialogue.next(0.7) == end_text()


def test_of_commands_of_one_kind_that_wait_the_last_is_sent() -> None:
    dialogue = ClockDialogue()
    dialogue.say(end_text())
    assert dialogue.next(0.0) == end_text()
    for words in ("one", "two", "three"):
        dialogue.say(text(words))
    dialogue.heard(ack(ClockCommand.END))
    assert dialogue.next(0.1) == text("three")
    dialogue.heard(ack(ClockCommand.TEXT))
    assert dialogue.next(0.2) is None


def test_what_is_not_acknowledged_is_sent_twice_and_then_given_up() -> None:
    dialogue = ClockDialogue()
    dialogue.say(text("one"))
    dialogue.say(end_text())
    sent = [dialogue.next(i * (ANSWER_S + 0.1)) for i in range(4)]
    assert sent == [text("one"), text("one"), end_text(), end_text()]
    assert dialogue.failed == "did not answer to TEXT"


def test_a_refusal_is_told_until_something_is_obeyed() -> None:
    dialogue = ClockDialogue()
    dialogue.say(set_and_run(300, 300, "left"))
    dialogue.next(0.0)
    dialogue.heard(ack(ClockCommand.SET_AND_RUN, ok=False))
    assert dialogue.failed == "refused the command SET_AND_RUN"
    dialogue.say(end_text())
    dialogue.next(0.1)
    dialogue.heard(ack(ClockCommand.END))
    assert dialogue.failed is None


# -- through the driver -----------------------------------------------------------------------------------------------


class Bench:
    def __init__(self, folder: Path) -> None:
        self.items: list[FromDevice] = []
        self.board = DgtEmulator(folder / "dgt")
        config = DgtConfig(port=str(folder / "dgt"), silence_s=0.5, bluetooth=True)
        self.driver = DgtBoard(config, self.items.append, (0.02, 0.1))

    def until(self, true: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, f"never happened; last said: {self.items[-3:]}"
            time.sleep(0.005)

    def remarks(self, about: str) -> list[str]:
        return [item.what for item in self.items if isinstance(item, Remark) and item.about == about]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(dgt_face, "SETTLE_NS", 50_000_000)
    bench = Bench(tmp_path)
    with bench.board:
        bench.driver.start()
        bench.until(lambda: sum(isinstance(item, Change) for item in bench.items) >= 64)
        yield bench
        bench.driver.stop()


def test_text_comes_and_goes(bench: Bench) -> None:
    bench.board.clock(300, 300, "left", running=False)
    bench.driver.show(replace(FACE, called=True))
    bench.until(lambda: bench.board.text == "arbiter ")
    bench.driver.show(FACE)
    bench.until(lambda: bench.board.text == "")


def test_a_clock_that_is_set_is_nobodys_press(bench: Bench) -> None:
    bench.board.lift(chess.E2)
    bench.board.clock(300, 300, "left")
    bench.driver.show(replace(FACE, running="black"))
    bench.until(lambda: bench.board._to_move == "right")
    bench.board.clock(300, 300, "left")  # and this is one
    bench.until(lambda: any(isinstance(item, LeverPress) for item in bench.items))
    assert [item.side for item in bench.items if isinstance(item, LeverPress)] == ["black"]


def test_a_clock_in_another_mode_is_remarked_on(bench: Bench) -> None:
    bench.board.obedient = False
    bench.board.clock(100, 100, "left", running=False)
    bench.driver.show(FACE)
    bench.until(lambda: bench.remarks("clock"))
    assert "refused" in bench.remarks("clock")[0]
    bench.board.obedient = True
    bench.driver.show(FACE)
    bench.until(lambda: bench.remarks("clock")[-1] == "")


def test_batteries_that_are_low_are_remarked_on(bench: Bench) -> None:
    bench.board.battery_low = True
    bench.board.clock(300, 300, "left")
    bench.until(lambda: bench.remarks("clock-battery"))
    bench.board.battery_low = False
    bench.board.clock(299, 300, "left")
    bench.until(lambda: bench.remarks("clock-battery")[-1] == "")
    bench.driver.stop()
    bench.board.percent = 3
    bench.driver = DgtBoard(DgtConfig(port=str(bench.board._port), bluetooth=True), bench.items.append)
    bench.driver.start()
    bench.until(lambda: "3 %" in " ".join(bench.remarks("battery")))


def test_a_clock_whose_cable_comes_out_is_remarked_on_until_it_is_there_again() -> None:
    """All zeros alone are the time of a clock that has run out, or that was just switched on."""
    picture = DgtPicture(live=True)
    shows = ClockState(
        left=300,
        right=300,
        running=True,
        to_move="left",
        right_lever_up=True,
        left_flag=False,
        right_flag=False,
        battery_low=False,
    )

    def remarks(message: Message) -> list[tuple[str, str]]:
        return [(item.about, item.what) for item in picture.take(0, message) if isinstance(item, Remark)]

    gone, zeros = NoTime(bytes(6) + b"\x20"), NoTime(bytes(6) + b"\x08")
    assert remarks(gone) == [], "there was none yet: the lever may be another one"
    assert remarks(shows) == []
    assert remarks(zeros) == []
    assert remarks(gone) == [("clock-cable", "the board has no clock any more")]
    assert remarks(gone) == []
    assert remarks(shows) == [("clock-cable", "")]
