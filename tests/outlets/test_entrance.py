"""Whoever comes to a port of ours, silent, slow or in crowds: the board keeps its descriptors, others are served."""

import asyncio
import contextlib
import gc
import json
import socket
import ssl
import subprocess
import sys
import time
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiomqtt
import pytest
from amqtt.broker import Broker
from hall import until

from controller.outlets import entrance
from controller.outlets.mqtt import broker as broker_module
from controller.outlets.mqtt.broker import EmbeddedBroker
from controller.outlets.notices import Notices
from controller.outlets.serving import Served

STRANGER = "127.0.0.2"  #: another address of this machine
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
STREAM = GET.replace(b"/ ", b"/stream ", 1)


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """Says hello; at ``/stream`` for ever, and faster than anybody reads."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
        await asyncio.sleep(0)
    await receive()
    await send({"type": "http.response.body", "body": b"hello"})


@contextlib.asynccontextmanager
async def served(most: int = 64) -> AsyncIterator[int]:
    """The port of :func:`hello`."""
    it = Served("test", hello, "127.0.0.1", 0, Notices(), most=most)
    serving = asyncio.create_task(it.run())
    await it.up.wait()
    yield it.port
    serving.cancel()
    await asyncio.wait([serving])


async def line(
    port: int, said: bytes = b"", origin: str = STRANGER
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(origin, 0))
    writer.write(said)
    return reader, writer


async def answered(port: int, origin: str = "127.0.0.1") -> bool:
    """Whether somebody who says at once what he wants gets it."""
    reader, writer = await line(port, GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), origin)
    with contextlib.suppress(OSError):
        said = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return said.endswith(b"hello\r\n0\r\n\r\n")
    return False


def test_silent_ones_in_crowds_keep_nobody_out() -> None:
    async def scene() -> None:
        async with served() as port:
            silent = [await line(port) for _ in range(3 * entrance.AWAITED)]
            assert await answered(port)
            assert await answered(port, STRANGER), "not even who comes from where they come from"
            gone = [reader for reader, _ in silent if reader.at_eof()]
            assert len(silent) - len(gone) <= entrance.AWAITED
            for _, writer in silent:
                writer.close()

    asyncio.run(scene())


def test_who_comes_by_tls_and_says_nothing_leaves_nothing_behind() -> None:
    """A quarter of a megabyte each, which nobody needs, until garbage is looked for: in a daemon that is seldom."""

    async def scene() -> None:
        listener = entrance.listen("127.0.0.1", 0)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        door = entrance.Entrance(listener, 64, lambda _: asyncio.Protocol(), context)
        door.open()
        for _ in range(20):
            _, writer = await line(listener.getsockname()[1])
            await until(lambda: bool(door.guests))
            writer.close()
            await until(lambda: not door.guests)
        door.close()
        await asyncio.sleep(0)  # the last one's task ends
        assert not [each for each in gc.get_objects() if isinstance(each, SSLProtocol)]

    gc.collect()
    gc.disable()
    try:
        asyncio.run(scene())
    finally:
        gc.enable()


def test_who_is_being_served_gives_way_to_nobody_of_his_own_address() -> None:
    async def scene() -> None:
        async with served(most=4) as port:
            readers = [await line(port, STREAM) for _ in range(4)]
            for reader, _ in readers:
                assert await reader.readexactly(1000)
            late, writer = await line(port, GET)
            with contextlib.suppress(ConnectionResetError):
                assert await asyncio.wait_for(late.read(), 10) == b""
            writer.close()
            for reader, each in readers:
                assert await reader.readexactly(1_000_000)
                each.close()

    asyncio.run(scene())


def test_who_takes_little_at_many_places_keeps_out_nobody_of_another_address() -> None:
    async def scene() -> None:
        async with served(most=6) as port:
            here, honest = await line(port, STREAM, "127.0.0.1")
            assert await here.readexactly(1000)
            greedy = []
            for _ in range(5):
                greedy.append(await line(port, STREAM))
                assert await greedy[-1][0].readexactly(1000)
            for _ in range(5):
                assert await answered(port)
                greedy.append(await line(port, STREAM))
            assert await here.readexactly(1_000_000), "whose address has few is not sent away"
            for _, writer in (*greedy, (here, honest)):
                writer.close()

    asyncio.run(scene())


def test_where_no_websockets_are_spoken_asking_for_one_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    asked = b"\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Version: 13\r\n"

    async def scene() -> None:
        async with served() as port:
            reader, writer = await line(port, GET[:-4] + asked + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
            assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 200 ")
            writer.close()

    asyncio.run(asyncio.wait_for(scene(), 60))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def longest_pass(whole: Callable[[], bool]) -> float:
    """How much of the processor, in s, the longest pass of the loop has taken until it is ``whole``."""
    longest, before = 0.0, time.thread_time()
    async with asyncio.timeout(60):
        while not whole():
            await asyncio.sleep(0)
            longest, before = max(longest, time.thread_time() - before), time.thread_time()
    return longest


def test_much_in_small_pieces_is_read_a_bit_at_a_time() -> None:
    """A quarter of a megabyte in chunks of a byte took h11 a second, in which no sensor was heard."""
    said = GET.replace(b"GET", b"POST").replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n")
    said += b"1\r\nx\r\n" * 40_000

    async def scene() -> float:
        async with served() as port:
            with socket.create_connection(("127.0.0.1", port)) as out:
                out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, len(said))
                out.sendall(said)  # all of it, before the loop has its next turn
                out.sendall(b"0\r\n\r\n")
                out.setblocking(False)
                receiving = asyncio.create_task(asyncio.get_running_loop().sock_recv(out, 1))
                return await longest_pass(receiving.done)

    assert asyncio.run(scene()) < 0.05


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        GET + b"GET / HTTP/1.1\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    ],
    ids=["nothing", "half a head", "half a second head", "half a body"],
)
def test_what_is_not_said_in_time_is_not_waited_for(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "PATIENCE_S", 0.3)

    async def scene() -> None:
        async with served() as port:
            reader, writer = await line(port, said)

            async def trickle() -> None:
                with contextlib.suppress(OSError):
                    while said.endswith(b": "):  # it goes on, but comes to no end
                        writer.write(b"x")
                        await asyncio.sleep(0.05)

            trickling = asyncio.create_task(trickle())
            with contextlib.suppress(ConnectionResetError):
                await asyncio.wait_for(reader.read(), 4)  # its end; uvicorn's own patience with an idle one is 5 s
            trickling.cancel()
            writer.close()

    asyncio.run(scene())


def test_who_does_not_read_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "STALLED_S", 0.5)

    async def scene() -> None:
        async with served(most=1) as port:
            _, writer = await line(port, GET.replace(b"/ ", b"/stream ", 1))
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(0.2)
            async with asyncio.timeout(20):
                while not await answered(port):
                    await asyncio.sleep(0.1)
            writer.close()

    asyncio.run(scene())


def test_the_broker_of_our_own_that_waits_for_a_client_for_ever_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(_: Broker) -> None:
        await asyncio.Event().wait()

    async def scene() -> None:
        async with EmbeddedBroker(0):
            pass

    monkeypatch.setattr(broker_module, "LEAVE_S", 0.1)
    monkeypatch.setattr(Broker, "shutdown", never)
    asyncio.run(asyncio.wait_for(scene(), 20))


def test_the_broker_of_our_own_hears_who_has_something_to_say() -> None:
    async def scene() -> None:
        async with EmbeddedBroker(0) as broker, aiomqtt.Client("127.0.0.1", broker.port) as first:
            silent = [await line(broker.port, b"\x10" if odd else b"") for odd in range(2 * entrance.AWAITED)]
            async with aiomqtt.Client("127.0.0.1", broker.port) as second:
                await second.subscribe("#")
                await first.publish("still", "there")
                async with asyncio.timeout(10):
                    assert (await anext(aiter(second.messages))).payload == b"there"
            await until(lambda: sum(not reader.at_eof() for reader, _ in silent) <= entrance.AWAITED)
            for _, writer in silent:
                writer.close()

    asyncio.run(scene())


def test_the_broker_of_our_own_bears_many_who_come_at_once(caplog: pytest.LogCaptureFixture) -> None:
    """Each asks for topics of his own while what is retained is sent to the others."""
    topics = [f"board/{number}" for number in range(30)]

    async def ask(port: int, topic: str) -> None:
        async with aiomqtt.Client("127.0.0.1", port) as client:
            await client.subscribe(topic)
            await client.subscribe(f"{topic}/#")
            async for message in client.messages:
                if message.payload == topic.encode():
                    return

    async def scene() -> None:
        async with EmbeddedBroker(0) as broker, aiomqtt.Client("127.0.0.1", broker.port) as first:
            for topic in topics:
                await first.publish(topic, topic, qos=1, retain=True)
            await asyncio.gather(*[ask(broker.port, topic) for topic in topics])

    asyncio.run(scene())
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


SHORT_OF_DESCRIPTORS = """
import asyncio, json, logging, os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
logging.basicConfig(level=logging.INFO, stream=sys.stderr)
from controller.outlets.mqtt.broker import EmbeddedBroker
sys.path.append("tests/outlets")
sys.path.append("tests/daemon")
from test_entrance import served

async def main():
    async with served(most=1000) as port, EmbeddedBroker(0) as broker:
        print(json.dumps([port, broker.port]), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(64)]  # a board, a journal …
        print(json.dumps(len(files)), flush=True)

asyncio.run(main())
"""


def besieged(scene: Callable[[list[int]], Coroutine[Any, Any, None]], log: Path) -> tuple[int, list[str]]:
    """Plays the scene with a process that may have few descriptors; how many were left to it, and what it logged."""
    with (
        log.open("w") as file,
        subprocess.Popen(
            [sys.executable, "-c", SHORT_OF_DESCRIPTORS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            asyncio.run(asyncio.wait_for(scene(json.loads(process.stdout.readline())), 30))
            said, _ = process.communicate("\n", timeout=30)
        finally:
            process.kill()
    return json.loads(said or "0"), log.read_text().splitlines()


def test_the_board_keeps_its_descriptors_and_the_log_is_small(tmp_path: Path) -> None:
    async def scene(ports: list[int]) -> None:
        silent = [await line(port) for port in ports for _ in range(400)]
        assert await answered(ports[0])
        async with aiomqtt.Client("127.0.0.1", ports[1]):
            pass
        for _, writer in silent:
            writer.close()

    left, logged = besieged(scene, tmp_path / "log")
    assert left == 64
    assert len(logged) < 10, logged[-1]


FLOOD = """
import socket, sys, threading
connect = b"\\x10\\x12\\x00\\x04MQTT\\x04\\x02\\x00\\x00\\x00\\x06"
def flood(number):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as out:
        out.sendall(connect + b"them%02d" % number)
        if number == 0:
            print("on", flush=True)
        while True:
            out.sendall(b"\\x30\\x0a\\x00\\x04elseword" * 50)
for number in range(20):
    threading.Thread(target=flood, args=(number,)).start()
"""


def test_publications_without_end_to_the_broker_of_our_own_leave_the_loop_alone() -> None:
    async def scene() -> float:
        async with EmbeddedBroker(0) as broker:
            command = [sys.executable, "-c", FLOOD, str(broker.port)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                assert process.stdout is not None
                try:
                    await asyncio.to_thread(process.stdout.readline)
                    before, began = time.thread_time(), time.process_time()
                    while time.process_time() < began + 1.0:  # of what the broker takes
                        await asyncio.sleep(0.005)
                    return time.thread_time() - before
                finally:
                    process.kill()

    assert asyncio.run(scene()) < 0.5


def test_a_talk_that_ends_as_the_broker_leaves_is_no_error() -> None:
    class Talking:
        async def external_connected(self, *_: object) -> None:
            await asyncio.Event().wait()

    async def scene() -> list[str]:
        said: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context["message"]))
        ours = EmbeddedBroker(0)
        ours._broker = Talking()
        before = asyncio.all_tasks()
        here, there = socket.socketpair()
        protocol = ours._protocol(cast(Any, SimpleNamespace(served=lambda: None)))
        await asyncio.get_running_loop().create_connection(lambda: protocol, sock=here)
        await asyncio.sleep(0)
        for task in asyncio.all_tasks() - before:
            task.cancel()
        await asyncio.sleep(0.05)
        there.close()
        ours._listener.close()
        return said

    assert asyncio.run(scene()) == []
