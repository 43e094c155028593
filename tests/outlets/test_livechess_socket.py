"""Whatever a client sends, and however it reads: it is answered, nobody else notices, and the log says nothing."""

import asyncio
import contextlib
import gc
import json
import logging
import os
import socket
import struct
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest
from hall import until
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import Board, serving, talking
from strict import Envelope, Failure, client
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from controller.journal import Journal
from controller.outlets import turns
from controller.outlets.livechess import line as livechess_line
from controller.outlets.livechess import outlet as module
from controller.outlets.livechess.outlet import LiveChess
from controller.outlets.serving import LARGEST
from controller.outlets.sockets import FRAGMENTS, Sockets

URL = "/api/v1.0"
BUFFERED = 2**19  #: bytes that may wait here for one client: the answers to what is read from it at once


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No line in the log, whatever comes."""
    caplog.set_level(logging.WARNING)
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.outlets.livechess.connection.CALL_S", 0)


@contextlib.contextmanager
def in_a_thread(folder: Path) -> Iterator[int]:
    """LiveChess at work in a loop of its own; gives its port."""
    up, ports, over = threading.Event(), list[int](), list[Any]()

    async def scene() -> None:
        done = asyncio.Event()
        over.append((asyncio.get_running_loop(), done))
        with contextlib.closing(Journal(folder / "journal.sqlite")) as journal:
            Board(journal).play("e2e4", "e7e5")
            async with serving(journal) as live:
                ports.append(live.served.port)
                up.set()
                await done.wait()

    thread = threading.Thread(target=asyncio.run, args=(scene(),))
    thread.start()
    assert up.wait(10)
    try:
        yield ports[0]
    finally:
        over[0][0].call_soon_threadsafe(over[0][1].set)
        thread.join()


# -- whatever is said ----------------------------------------------------------------------------------------------

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**40), 10**40),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["7", "8", "eboardevent", "setup", "flip", "\ud800", "x" * 500, chess.STARTING_FEN, 10**400]),
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
params = st.fixed_dictionaries(
    {},
    optional={
        "feed": st.just("eboardevent") | values,
        "id": values,
        "method": st.sampled_from(["setup", "flip"]) | values,
        "param": st.fixed_dictionaries(
            {},
            optional={"serialnr": st.just("7") | values, "fen": st.just(chess.STARTING_FEN) | values, "flip": values},
        )
        | values,
    },
)
calls = st.sampled_from(["eboards", "subscribe", "unsubscribe", "call", "dance"])
requests = st.fixed_dictionaries({}, optional={"id": values, "call": calls | values, "param": params | values})
placements = st.text("pnbrqkPNBRQK12345678/[]~+- wbKQkq0123456789abcdefgh٣", max_size=130)
said = st.one_of(
    requests.map(json.dumps),  # NaN, Infinity and half of a surrogate too
    st.text(),
    st.binary(),
    st.builds(lambda text, at: text[: at % (len(text) + 1)], requests.map(json.dumps), st.integers(0, 10**6)),
    placements.map(
        lambda fen: json.dumps({"id": 1, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": fen}}})
    ),
    st.integers(1, 30_000).map(lambda depth: '{"id":1,"call":"eboards","param":' + "[" * depth + "]" * depth + "}"),
    st.integers(1, 9_000).map(lambda depth: '{"id":' + '{"a":' * depth + "1" + "}" * depth + "}"),
)


@pytest.mark.usefixtures("fast")
def test_whatever_is_said_is_answered_and_the_talk_goes_on(tmp_path: Path) -> None:
    with in_a_thread(tmp_path) as port, connect(f"ws://127.0.0.1:{port}{URL}") as talk:

        def ask(text: str | bytes) -> Envelope:
            talk.send(text)
            while (answer := msgspec.json.decode(talk.recv(5), type=Envelope)).response == "feed":
                pass
            return answer

        @settings(max_examples=int(os.environ.get("JADOUBE_EXAMPLES", "100")), deadline=None)
        @given(text=said.filter(lambda text: len(text) < LARGEST // 4))
        def check(text: str | bytes) -> None:
            answer = ask(text if isinstance(text, bytes) else text.encode("utf-8", "replace").decode())
            if answer.response == "error":
                failure = msgspec.json.decode(answer.param, type=Failure)
                assert 0 < len(failure.message) < 500
            assert ask('{"id":7,"call":"eboards"}').response == "call"

        check()
        assert ask('{"id":8,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"7"}}}')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"id":1,"call":"eboards"}', "binary"),
        ('{"id":1,"call":"eboards","param":' + "[" * 20_000, "deep"),
        (
            '{"id":1,"call":"subscribe","param":{"feed":"eboardevent","id":"'
            + "9" * 300
            + '","param":{"serialnr":"7"}}}',
            "id",
        ),
    ],
)
def test_what_is_no_message_of_theirs_is_an_error_in_their_form(journal: Journal, text: str | bytes, says: str) -> None:
    async def scene() -> None:
        async with serving(journal) as live, talking(live) as strict:
            answer = await strict.say(text)
            assert answer.response == "error"
            assert says in msgspec.json.decode(answer.param, type=Failure).message
            assert (await strict.subscribe("7")).response == "call"

    asyncio.run(scene())


def frame(opcode: int, data: bytes, fin: bool = True) -> bytes:
    size = len(data)
    head = (
        struct.pack("!BB", fin << 7 | opcode, 0x80 | size)
        if size < 126
        else (
            struct.pack("!BBH", fin << 7 | opcode, 0x80 | 126, size)
            if size < 2**16
            else struct.pack("!BBQ", fin << 7 | opcode, 0x80 | 127, size)
        )
    )
    return head + bytes(4) + data


@contextlib.asynccontextmanager
async def raw(live: LiveChess) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that has shaken hands."""
    reader, writer = await asyncio.open_connection("127.0.0.1", live.served.port)
    writer.write(
        f"GET {URL} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(1, b"\xff\xfe"), 1007),
        (frame(1, b"", fin=False) + (FRAGMENTS + 1) * frame(0, b"", fin=False), 1009),
        (frame(1, b"x" * (LARGEST + 1)), 1009),
        (frame(1, b"x" * 1_000_000), 1009),
        (frame(1, b"x" * 40_000, fin=False) + frame(0, b"x" * 40_000), 1009),
        (frame(3, b""), 1002),
        (frame(0, b"a"), 1002),
        (frame(9, b"x" * 200), 1002),
        (b"\x81\x05hello", 1002),
        (frame(8, b"\x03"), 1002),
        (b"GET / HTTP/1.1\r\n\r\n", 1002),
    ],
)
def test_what_is_no_message_at_all_closes_the_connection_with_the_reason(
    journal: Journal, sent: bytes, code: int
) -> None:
    async def scene() -> None:
        async with serving(journal) as live, talking(live) as other:
            async with raw(live) as (reader, writer):
                writer.write(sent)
                answered = await asyncio.wait_for(reader.readexactly(4), 5)
                assert answered[0] == 0x88
                assert struct.unpack("!H", answered[2:])[0] == code
            assert (await other.subscribe("7")).response == "call"
            await until(lambda: len(live._connections) == 1)

    asyncio.run(scene())


# -- as many as there may be ---------------------------------------------------------------------------------------


def test_one_too_many_is_told_so_and_the_others_stay(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        board = Board(journal)
        async with serving(journal) as live, contextlib.AsyncExitStack() as stack:
            first = await stack.enter_async_context(talking(live))
            await first.subscribe("7")
            crowd = [await client(live.served.port) for _ in range(module.FROM_ONE - 1)]
            for limit, status, says in ((module.FROM_ONE, 429, "from 127.0.0.1"), (99, 503, "no more are kept")):
                monkeypatch.setattr(module, "FROM_ONE", limit)
                monkeypatch.setattr(module, "CONNECTIONS", len(crowd) + 1 if status == 503 else 99)
                with pytest.raises(InvalidStatus) as refused:
                    await client(live.served.port)
                assert refused.value.response.status_code == status
                assert refused.value.response.headers["Retry-After"] == "60"
                assert says in (refused.value.response.body or b"").decode()
            board.play("e2e4")
            await until(lambda: first.feeds and first.feeds[-1].board == board.placement)
            await crowd.pop().close()
            await until(lambda: len(live._connections) < module.CONNECTIONS)
            crowd.append(await client(live.served.port))
            await asyncio.gather(*(each.close() for each in crowd))

    asyncio.run(scene())


def waiting() -> list[int]:
    """How many bytes wait to be sent, for each client."""
    gone = (each for each in gc.get_objects() if isinstance(each, Sockets))
    return [each.transport.get_write_buffer_size() for each in gone if not each.transport.is_closing()]


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("what", ["moves", "pings", "calls"])
def test_who_does_not_read_is_not_heard_and_nothing_piles_up(journal: Journal, what: str) -> None:
    async def scene() -> None:
        board = Board(journal).play(*["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"])
        async with serving(journal) as live, talking(live) as other, raw(live) as (_, writer):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            feed = {"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "7"}}}
            setup = {
                "id": 3,
                "call": "call",
                "param": {"id": 1, "method": "setup", "param": {"fen": chess.STARTING_FEN}},
            }
            writer.write(frame(1, json.dumps(feed).encode()))
            many = {
                "pings": frame(9, b"x" * 125) * 2000,
                "calls": frame(1, b'{"id":1,"call":"eboards"}') * 2000,
                "moves": frame(1, json.dumps(setup).encode()) * 300,
            }[what]
            refused = False
            for _ in range(200):
                writer.write(many)
                try:
                    async with asyncio.timeout(0.3):
                        await writer.drain()
                except TimeoutError:
                    refused = True
                    break
            assert refused, "it went on being listened to"
            assert max(waiting()) < BUFFERED
            await other.subscribe("7")
            board.play("d2d3")
            await until(lambda: other.feeds and other.feeds[-1].board == board.placement)
            assert max(waiting()) < BUFFERED
            writer.transport.abort()
            await until(lambda: len(live._connections) == 1)

    asyncio.run(scene())


@pytest.mark.usefixtures("fast")
def test_who_neither_reads_nor_answers_a_ping_is_cut_off(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLICE", 2**18)

    async def scene() -> None:
        async with serving(journal) as live, raw(live) as (_, writer):
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            writer.write(frame(9, b"x" * 125) * 100_000)
            await until(lambda: any(size > 2**14 for size in waiting()))
            (server,) = [
                each for each in gc.get_objects() if isinstance(each, Sockets) and each.conn.state.name == "OPEN"
            ]
            server.keepalive_timeout()
            await until(lambda: not live._connections)

    asyncio.run(scene())


# -- what it costs -------------------------------------------------------------------------------------------------


def test_a_position_is_worked_out_once_for_all_feeds(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, a message of a client with 16 feeds looked at 16 times as many positions as had been played."""
    looked = 0
    position = livechess_line.position

    def counted(fen: str) -> livechess_line.PiecesAndTurn:
        nonlocal looked
        looked += 1
        return position(fen)

    async def scene() -> None:
        nonlocal looked
        board = Board(journal, clock=None)
        pawns = [(file, rank) for rank in (2, 3) for file in "abcdefgh"]
        moves = [move for f, r in pawns for move in (f"{f}{r}{f}{r + 1}", f"{f}{9 - r}{f}{8 - r}")]
        board.play(*moves)
        async with serving(journal) as live, talking(live) as strict:
            monkeypatch.setattr(livechess_line, "position", counted)
            for number in range(16):
                param = {"feed": "eboardevent", "id": number, "param": {"serialnr": "7"}}
                await strict.ask(id=1, call="subscribe", param=param)
            await until(lambda: len(strict.feeds) == 16)
            assert looked <= 2 * len(moves) + 1
            board.play("b1c3")
            await until(lambda: len(strict.feeds) >= 32)
            await strict.ask(id=1, call="eboards")
            assert looked <= 2 * len(moves) + 3
            assert len(strict.feeds) == 32, "a call tells no other feed anything"

    asyncio.run(scene())


def test_a_client_hears_in_the_meantime_what_another_asks_for(journal: Journal) -> None:
    """A flood of calls by one: another one is answered as always."""

    async def flood(talk: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await talk.send('{"id":1,"call":"eboards"}')

    async def scene() -> None:
        board = Board(journal)
        async with serving(journal) as live, talking(live) as other, client(live.served.port) as talk:
            flooding = asyncio.create_task(flood(talk))
            await other.subscribe("7")
            board.play("e2e4")
            await until(lambda: other.feeds and other.feeds[-1].board == board.placement)
            talk.transport.abort()
            await asyncio.gather(flooding, return_exceptions=True)

    asyncio.run(scene())
