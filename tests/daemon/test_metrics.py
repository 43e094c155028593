"""What Prometheus is told of a daemon is what is so: fetched from a real one, read by Prometheus's own parser."""

import asyncio
import contextlib
import socket
import urllib.request
from pathlib import Path

from hall import free_port, running, until
from many import all_playing, make, many
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from controller.errors import DeviceError
from controller.outlets.settings import MetricsConfig

Figures = dict[tuple[str, str], float]


def fetched(port: int) -> Figures:
    """Each figure by its name and the values of its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {
            (sample.name, " ".join(sample.labels.values())): sample.value
            for family in families
            for sample in family.samples
        }


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def test_figures_follow_the_boards(tmp_path: Path) -> None:
    port = free_port()
    config = replace(many(tmp_path, "1", "2"), metrics=MetricsConfig(port=port))

    async def scene() -> None:
        async with running(config) as daemon:

            async def figures() -> Figures:
                return await asyncio.to_thread(fetched, port)

            await all_playing(daemon)
            await until(lambda: listens(port), within=30)
            async with asyncio.timeout(30):  # the first records of a board come a moment after its game has begun
                before = await figures()
                while not (before["jadoube_board_record", "1"] and before["jadoube_board_record", "2"]):
                    await asyncio.sleep(0.05)
                    before = await figures()
            assert before["jadoube_playing", "1"] == before["jadoube_playing", "2"] == 1
            assert before["jadoube_seen", "2"] == 1
            assert 0 <= before["jadoube_device_silence_seconds", "1 board"] < 60
            assert before["jadoube_memory_bytes", ""] > 2**20
            await make(daemon, "1", "e2e4")
            async with asyncio.timeout(30):  # what the move entails is told as it comes
                while (after := await figures())["jadoube_outlet_behind", "1 mqtt 1"]:
                    await asyncio.sleep(0.05)
            assert after["jadoube_board_record", "1"] > before["jadoube_board_record", "1"]
            assert after["jadoube_board_record", "2"] == before["jadoube_board_record", "2"]
            assert after["jadoube_journal_records", ""] == daemon.journal.head.seq
            daemon.stations["2"].notices.set("sensor", DeviceError("it sticks", "dirt", "clean it"))
            assert (await figures())["jadoube_notice", "sensor 2"] == 1
            daemon.stations["2"].notices.clear("sensor")
            assert ("jadoube_notice", "sensor 2") not in await figures()

    asyncio.run(scene())


def test_a_port_that_is_taken_is_a_notice_and_the_game_goes_on(tmp_path: Path) -> None:
    port = free_port()
    config = replace(many(tmp_path, "1"), metrics=MetricsConfig(port=port))

    async def scene() -> None:
        taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", port)
        async with running(config) as daemon:
            await until(lambda: any(notice.source == "metrics" for notice in daemon.notices.current))
            await all_playing(daemon)
            await make(daemon, "1", "e2e4")
            taken.close()
            await taken.wait_closed()

    asyncio.run(scene())
