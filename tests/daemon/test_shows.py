"""What is shown at the board follows what was committed: the lights of the clock, the lamps on the squares."""

import asyncio
from collections.abc import Callable

import chess
import pytest
from hall import make, running, until

from controller.config import Config, check
from controller.contract import Obligation
from controller.daemon.faces import Faces
from controller.daemon.service import Daemon
from controller.errors import ConfigError
from controller.outlets.lamps import LampsOutlet, lit
from hardware.boards.simulated import SimulatedBoard
from hardware.clocks.face import Face
from hardware.clocks.lights import Lights
from hardware.clocks.simulated import SimulatedLever
from hardware.simulator.leds import Leds

WHITE, BLACK = 14, 15  #: the pins of the lights
Configure = Callable[..., Config]


def leds_of(daemon: Daemon) -> Leds:
    lights = daemon.only.shows.drivers["lights"]
    assert isinstance(lights, Lights)
    assert isinstance(lights.pins, Leds)
    return lights.pins


def electrical(daemon: Daemon) -> SimulatedBoard:
    board = daemon.only.boards[None]
    assert isinstance(board, SimulatedBoard)
    return board


class Seen:
    """Something that shows a face, and remembers it."""

    face = Face()

    def show(self, face: Face) -> None:
        self.face = face


# -- the clock -----------------------------------------------------------------------------------------------------


def test_the_lights_follow_the_clock_from_the_first_press_to_the_call_for_the_arbiter(configure: Configure) -> None:
    config = configure(clock={"type": "simulated", "lights": {"slow_ms": 200}}, event={"clock": "300+2"})

    async def scene() -> None:
        async with running(config) as daemon:
            lever = daemon.only.clocks[None]
            assert isinstance(lever, SimulatedLever)
            await until(lambda: lever.alive_ns and daemon.only.shows.drivers["lights"].alive_ns)
            leds = leds_of(daemon)
            await asyncio.sleep(0.3)
            assert not leds.level(WHITE)
            assert not leds.level(BLACK)
            lever.press("black")
            await until(lambda: leds.level(WHITE) and not leds.level(BLACK))
            await make(daemon, "e2e4")
            lever.press("white")
            await until(lambda: leds.level(BLACK) and not leds.level(WHITE))
            await daemon.only.carry_out({"type": "pause", "side": "black"})
            await until(lambda: leds.level(WHITE) and not leds.level(BLACK))
            await until(lambda: leds.level(BLACK) and not leds.level(WHITE))
            await daemon.only.carry_out({"type": "arbiter", "do": "resume"})
            count = len(leds.changes[WHITE])
            await until(lambda: leds.level(BLACK) and not leds.level(WHITE))
            await asyncio.sleep(0.3)
            assert len(leds.changes[WHITE]) <= count + 1, "called no longer"

    asyncio.run(scene())


def test_lights_follow_presses_that_come_from_elsewhere(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    """By command here; those of a DGT clock come with its board."""
    monkeypatch.setattr("hardware.clocks.lights.open_header", lambda _: Leds())
    config = configure(clock={"type": "none", "lights": {}}, event={"clock": "300+2"})

    async def scene() -> None:
        async with running(config) as daemon:
            assert not daemon.only.clocks
            await until(
                lambda: (
                    daemon.only.shows.drivers["lights"].alive_ns and daemon.only.session.phase(None).phase == "ready"
                )
            )
            leds = leds_of(daemon)
            await daemon.only.carry_out({"type": "press", "side": "black"})
            await until(lambda: leds.level(WHITE) and not leds.level(BLACK))
            await make(daemon, "e2e4")
            await daemon.only.carry_out({"type": "press", "side": "white"})
            await until(lambda: leds.level(BLACK) and not leds.level(WHITE))

    asyncio.run(scene())


def test_a_face_is_at_the_time_of_the_press_and_is_worked_out_anew_after_a_restart(configure: Configure) -> None:
    config = configure(clock={"type": "simulated"}, event={"clock": "300d5"})
    before, after = Seen(), Seen()

    async def scene(seen: Seen, first: bool) -> None:
        async with running(config) as daemon:
            lever = daemon.only.clocks[None]
            assert isinstance(lever, SimulatedLever)
            await until(lambda: lever.alive_ns)
            if first:
                await asyncio.sleep(0.3)
                lever.press("black")
                await until(lambda: daemon.only.session.playing)
                await make(daemon, "e2e4")
                lever.press("white")
                await until(lambda: b'"completed"' in daemon.journal.after(0, 1000)[-2].body)
            faces = Faces(daemon.journal, "7", None, [seen], daemon.only.session.ns_of)
            faces.catch_up()

    asyncio.run(scene(before, first=True))
    asyncio.run(scene(after, first=False))
    for seen in (before, after):
        assert (seen.face.running, seen.face.white_ms, seen.face.black_ms) == ("black", 300_000, 300_000)
        assert seen.face.free_ms == 5_000
        assert seen.face.left_ms("black", seen.face.ns + 7_000_000_000) == 298_000
    assert not after.face.called


# -- lamps ---------------------------------------------------------------------------------------------------------


def test_in_training_the_lamps_show_what_is_owed_and_what_must_go_back(configure: Configure) -> None:
    async def scene() -> None:
        async with running(configure()) as daemon:
            await until(lambda: daemon.only.session.playing)
            shown: list[int] = []
            lamps = LampsOutlet("training", daemon.journal, "7", None, [shown.append])
            task = asyncio.create_task(lamps.run())
            board = electrical(daemon).electrical
            await until(lambda: shown == [0])
            board.lift(chess.G1)
            await until(lambda: shown[-1] == chess.BB_G1 | chess.BB_F3 | chess.BB_H3)
            board.place(chess.F3)
            await until(lambda: shown[-1] == 0)
            board.lift(chess.A2)  # it is Black's move: this pawn must go back
            board.place(chess.A5)
            await until(lambda: shown[-1] & chess.BB_A5)
            board.lift(chess.A5)
            board.place(chess.A2)
            await until(lambda: shown[-1] == 0)
            task.cancel()

    asyncio.run(scene())


def test_in_tournament_mode_they_stay_dark(configure: Configure) -> None:
    async def scene() -> None:
        async with running(configure()) as daemon:
            await until(lambda: daemon.only.session.playing)
            shown: list[int] = []
            lamps = LampsOutlet("tournament", daemon.journal, "7", None, [shown.append])
            await lamps.run()
            electrical(daemon).electrical.lift(chess.G1)
            await asyncio.sleep(0.3)
            electrical(daemon).electrical.place(chess.G1)
            await make(daemon, "e2e4")
            assert shown == [0]

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("must", "moves", "displaced", "squares"),
    [
        ("move", ["e2e3", "e2e4"], "", "e2 e3 e4"),
        ("castle", ["e1g1"], "", "e1 g1"),
        ("promote", ["a7a8q", "a7a8n"], "", "a7 a8"),
        ("move", ["N@e6"], "", "e6"),
        ("free", ["e2e4"], "", ""),
        ("none", [], "", ""),
        ("move", ["e2e3"], "a5 b7", "a5 b7"),  # that is put right first
        (None, [], "a5", "a5"),
        (None, [], "", ""),
    ],
)
def test_which_squares_are_lit(must: str | None, moves: list[str], displaced: str, squares: str) -> None:
    owed = None if must is None else Obligation(ms=0, side="white", must=must, moves=moves, article="4.3")  # type: ignore[arg-type]
    assert lit(owed, displaced.split()) == sum(chess.BB_SQUARES[chess.parse_square(name)] for name in squares.split())


# -- the configuration ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"board": {"type": "shift"}, "clock": {"type": "buttons", "black": 7}}, "pin 7 is used twice"),
        ({"board": {"type": "matrix"}, "clock": {"type": "lever", "lights": {"white": 4}}}, "pin 4 is used twice"),
        ({"board": {"type": "hall"}, "lamps": {"strip": {"type": "ws2812"}}}, "pin 10 is used twice"),
        (
            {"board": {"type": "shift"}, "clock": {"type": "lever", "display": {"type": "max7219"}}},
            "pin 8 is used twice",
        ),
        ({"board": {"type": "matrix"}, "clock": {"type": "lever", "lights": {"whtie": 4}}}, "did you mean white"),
        ({"board": {"type": "matrix"}, "lamps": {"mode": "show"}}, "Invalid enum value 'show'"),
    ],
)
def test_two_devices_on_one_pin_and_slips_of_the_pen_are_named(tables: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check(tables, "the test")
    assert words in str(caught.value)


def test_everything_at_once_can_be_configured() -> None:
    config = check(
        {
            "board": {"type": "expander"},
            "clock": {"type": "buttons", "lights": {"running": "dim"}, "display": {"type": "ht16k33"}},
            "lamps": {"mode": "training", "strip": {"type": "ws2812", "first": "h8"}},
        },
        "the test",
    )
    (place,) = config.places.values()
    assert place.lamps.mode == "training"
