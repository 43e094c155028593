"""What everybody hears: moves, clocks and results, late by as much as the event has it, and never more."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import aiomqtt
import chess
import pytest
from hall import Mosquitto, make, running, until
from msgspec.structs import replace
from secured import BASE, V5, hearing

from controller.config import Config
from controller.contract import (
    Clock,
    Completed,
    Displaced,
    Match,
    Move,
    Obligation,
    Other,
    Penalty,
    Result,
    Retract,
    Session,
    Touch,
    Violation,
)
from controller.daemon import feeds
from controller.journal import Opening, Record
from controller.outlets import delay
from controller.outlets.follow import News
from controller.outlets.mqtt import public, topics
from controller.outlets.scoresheet import Scoresheet
from controller.wire import encode
from hardware.boards import Fault, Recovered
from hardware.boards.simulated import SimulatedBoard

Configure = Callable[..., Config]
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
TOLD = [
    Move(ms=5, side="white", uci="e2e4", san="e4", fen=AFTER, ply=1),
    Retract(ms=6, uci="e2e4", fen=AFTER),
    Completed(ms=7, side="white", uci="e2e4", white_ms=1, black_ms=2),
    Result(ms=8, result="1-0", reason="time", article="6.9", status="final"),
]
KEPT = [
    Touch(ms=1, side="white", square="e2", piece="P"),
    Obligation(ms=1, side="white", must="move", moves=["e2e4"], article="4.3.1"),
    Violation(ms=2, side="black", kind="touch-move", article="4.3.1", report="arbiter"),
    Penalty(ms=2, side="black", kind="time", status="proposed", article="7.5.5", time_ms=120_000),
    Displaced(ms=3, squares=["a1"]),
    Result(ms=4, result="1-0", reason="time", article="6.9", status="proposed"),
]


def news(*events: Any) -> list[News[Scoresheet]]:
    opening = Opening(game="g", venue="v", board="7", started="2026-01-01", session=Session(version=1))
    sheet, told = Scoresheet(opening), []
    for seq, event in enumerate(events, 1):
        sheet.apply(event)
        told.append(News(Record(seq, "g", "event", encode(event), b""), sheet, sheet.ply, event))
    return told


def test_moves_are_told_and_what_a_player_thinks_about_is_not() -> None:
    assert [json.loads(message.payload)["type"] for message in public.Teller().tell(news(*TOLD))] == [
        event.__class__.__name__.lower() for event in TOLD
    ]
    assert list(public.Teller().tell(news(*KEPT))) == []


def test_nor_how_sure_the_board_is_of_a_move_and_what_else_it_may_have_been() -> None:
    doubtful = replace(TOLD[0], basis="inferred", confidence=0.8, others=[Other(uci="e2e3", less_likely=4.0)])
    assert [*public.Teller().tell(news(doubtful))] == [*public.Teller().tell(news(TOLD[0]))]
    assert b"less_likely" in next(iter(topics.tell(news(doubtful)))).payload


@pytest.mark.parametrize("hidden", KEPT)
def test_the_state_for_everybody_says_nothing_of_it(hidden: Any) -> None:
    def state(*events: Any) -> dict[str, Any]:
        class Now:
            sheet = news(*events)[-1].sheet
            seq = 9

        (said,) = public.retained(Now, {"state"})  # type: ignore[arg-type]
        return json.loads(said.payload)

    assert state(TOLD[0], hidden) == state(TOLD[0])


def test_nor_what_an_arbiter_said_to_a_result_and_who_saw_it() -> None:
    over = Result(
        ms=8, result="--", reason="forfeit", article="6.7.1", status="final", text="he sulked", witnesses=["Eva"]
    )
    told = news(over)
    for payload in (
        *[message.payload for message in public.Teller().tell(told)],
        encode(public._state(told[-1].sheet)),
    ):
        assert b"forfeit" in payload
        assert b"sulked" not in payload
        assert b"Eva" not in payload


def test_an_arbiters_reason_for_setting_the_clocks_is_his() -> None:
    class Now:
        sheet = news(Clock(ms=1, white_ms=5, black_ms=6, running=None, reason="two minutes to Ann"))[-1].sheet
        seq = 9

    (said,) = public.retained(Now, {"clock"})  # type: ignore[arg-type]
    assert json.loads(said.payload)["white_ms"] == 5
    assert b"Ann" not in said.payload


@pytest.mark.parametrize("retained", [public.retained, topics.retained])
def test_a_game_without_a_clock_does_not_show_that_of_the_game_before(retained: Any) -> None:
    class Now:
        sheet = news(*TOLD[:1])[-1].sheet
        seq = 9

    (said,) = retained(Now, {"clock"})
    shown = json.loads(said.payload)
    assert (shown["game"], shown["white_ms"], shown["black_ms"], shown["running"]) == ("g", None, None, None)


def test_a_board_of_a_match_says_that_the_match_is_over() -> None:
    session = Session(version=1, variant="bughouse")
    opening = Opening(game="g", venue="v", board="1+2", started="2026-01-01", session=session)
    sheet = Scoresheet(opening, "A")
    sheet.apply(Match(ms=1, result="team-1", reason="board-b"))
    assert public._state(sheet)["match"]["result"] == "team-1"


@pytest.mark.broker
def test_moves_and_clocks_come_late_and_together(
    configure: Configure, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute of delay, which passes when the test says so."""
    now = [1000.0]
    monkeypatch.setattr(feeds, "Past", lambda *given: delay.Past(*given, now=lambda: now[0]))
    config = configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port, "public": True},
        event={"clock": "300+2", "delay_min": 1},
        start={"by": "at-once"},
    )

    async def scene() -> None:
        everybody = aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=V5)
        async with hearing(everybody, f"{BASE}/public/#") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await daemon.only.carry_out({"type": "press", "side": "white"})
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            await asyncio.sleep(0.1)
            assert {message.topic.value for message in heard} == {f"{BASE}/public/status"}
            now[0] += 59
            await make(daemon, "e7e5")
            await asyncio.sleep(0.1)
            assert {message.topic.value for message in heard} == {f"{BASE}/public/status"}
            now[0] += 1.5
            await daemon.only.carry_out(
                {"type": "press", "side": "black"}
            )  # the past is looked at when something is new
            await until(lambda: len({message.topic.value for message in heard}) == 4)
            said = {message.topic.value.rpartition("/")[2]: json.loads(message.payload) for message in heard}
            assert said["state"]["moves"] == ["e4"]
            assert said["clock"]["running"] == "black"
            assert said["state"]["left_s"] == [said["clock"]["white_ms"] // 1000]

    asyncio.run(scene())


@pytest.mark.broker
def test_a_restart_tells_nobody_early_and_goes_on(configure: Configure, mosquitto: Mosquitto) -> None:
    config = configure(
        mqtt={"host": "127.0.0.1", "port": mosquitto.port, "public": True}, event={"delay_min": "game-end"}
    )

    async def scene() -> None:
        everybody = aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=V5)
        async with hearing(everybody, f"{BASE}/public/#") as heard:
            async with running(config) as daemon:
                await until(lambda: daemon.only.session.playing)
                await make(daemon, "e2e4")
            async with running(config) as daemon:
                await until(
                    lambda: daemon.only.session.playing and any(b"online" in message.payload for message in heard)
                )
                await asyncio.sleep(0.2)
                assert not [message for message in heard if b"e2e4" in message.payload or b'"e4"' in message.payload]
                await daemon.only.carry_out({"type": "resign", "side": "black"})
                await until(lambda: any(message.topic.value.endswith("/move") for message in heard))
                await until(lambda: any(b'"1-0"' in message.payload for message in heard))

    asyncio.run(scene())


@pytest.mark.broker
def test_what_is_not_certain_is_heard_once_an_arbiter_has_settled_it(
    configure: Configure, mosquitto: Mosquitto
) -> None:
    """The cable is out for three plies; which knight went first he says by MQTT. Nobody hears the guess, nor of it."""
    config = configure(mqtt={"host": "127.0.0.1", "port": mosquitto.port, "public": True})

    async def scene() -> None:
        everybody = aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=V5)
        async with hearing(everybody, f"{BASE}/public/#") as heard, running(config) as daemon:

            def said(topic: str) -> list[dict[str, Any]]:
                return [json.loads(m.payload) for m in heard if m.topic.value == f"{BASE}/public/{topic}"]

            await until(lambda: daemon.only.session.playing)
            for move in ("e2e4", "e7e5"):
                await make(daemon, move)
            board = daemon.only.boards[None]
            assert isinstance(board, SimulatedBoard)
            emit, board.emit = board.emit, lambda _: None  # a board that is away tells nothing
            await asyncio.sleep(0.05)  # what it was about to tell has come
            daemon.only.session.take(Fault(time.monotonic_ns(), "no answer", "a cable", "see to it"))
            for uci in ("g1f3", "b8c6", "b1c3"):
                board.electrical.lift(chess.parse_square(uci[:2]))
                board.electrical.place(chess.parse_square(uci[2:]))
            scans = board.scans
            await until(lambda: board.scans >= scans + 20)
            daemon.only.session.take(Recovered(time.monotonic_ns()))
            board.emit = emit
            board.ask()
            await until(lambda: said("state") and said("state")[-1]["held"] == 3)
            assert said("state")[-1]["moves"] == ["e4", "e5"]
            assert said("state")[-1]["ply"] == 2
            guess = [record.body for record in daemon.journal.after(0, 1000) if b'"basis":"inferred"' in record.body]
            played = ("b1c3", "g1f3") if b'"g1f3"' in guess[0] else ("g1f3", "b1c3")
            ruling = {"type": "arbiter", "do": "correct", "ply": 3, "moves": [played[0], "b8c6", played[1]]}
            await everybody.publish(f"{BASE}/cmd", json.dumps(ruling), qos=1)
            await until(lambda: said("state")[-1]["held"] == 0)
            assert len(said("state")[-1]["moves"]) == 5
            await until(lambda: len(said("move")) == 10)
            assert [each["uci"] for each in said("move") if each["type"] == "move"] == [
                *("e2e4", "e7e5", played[0], "b8c6", played[1])
            ]
            assert not [each for each in said("move") if each["type"] == "retract"]

    asyncio.run(scene())
