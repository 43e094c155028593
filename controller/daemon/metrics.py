"""What Prometheus is told of a daemon and its boards: figures that are there already, in its names and units.

Nothing is counted for it: each answer is read from the health, the journal, the notices and the drivers as they are at
that moment, in the thread of the event loop. What each figure means, and what to do about it: ``docs/metrics.md``.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.daemon.health import Health
from controller.daemon.station import Station
from controller.journal import Journal
from controller.outlets.notices import Notices
from controller.outlets.serving import Served
from controller.outlets.settings import MetricsConfig

MB = 2**20


class AnyDaemon(Protocol):
    """What is asked: a daemon."""

    health: Health
    journal: Journal
    notices: Notices

    @property
    def stations(self) -> Mapping[str, Station]:
        """Its tables, by the numbers of their boards."""


def served(config: MetricsConfig, daemon: AnyDaemon) -> Callable[[], Awaitable[None]]:
    """What answers Prometheus, until cancelled."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(daemon))

    async def figures(request: Request) -> Response:
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"Content-Type": kind})

    app = Starlette(routes=[Route("/metrics", figures)])
    return Served("metrics", app, config.host, config.port, daemon.notices).run


class Figures(Collector):
    """All figures at this moment."""

    def __init__(self, daemon: AnyDaemon) -> None:
        self._daemon = daemon

    def collect(self) -> Iterable[Metric]:
        """Of the machine, then of each board."""
        yield from self._of_machine()
        yield from self._of_boards()

    def _of_machine(self) -> Iterable[Metric]:
        machine = self._daemon.health.machine
        free_mb = machine["free_mb"]
        for name, what, value in (
            ("jadoube_up_seconds", "since the daemon was started", machine["up_s"]),
            ("jadoube_memory_bytes", "held by the daemon", machine["memory_mb"] * MB),
            ("jadoube_free_bytes", "of the disk on which the journal is", None if free_mb is None else free_mb * MB),
            ("jadoube_temperature_celsius", "of the machine", machine["heat_c"]),
            ("jadoube_undervoltage", "1: the supply's voltage is too low", machine["undervoltage"]),
            ("jadoube_slowest_commit_seconds", "the longest that a record took", machine["slowest_commit_ms"] / 1000),
            ("jadoube_clock_drift_ppm", "of the chess clocks, against the quartz", machine["drift_ppm"]),
            ("jadoube_journal_records", "in the journal", self._daemon.journal.head.seq),
        ):
            if value is not None:  # what a machine does not tell is left out
                yield GaugeMetricFamily(name, what, float(value))
        notices = GaugeMetricFamily("jadoube_notice", "1: stands at present, by its source", labels=["source"])
        for notice in self._daemon.notices.current:
            notices.add_metric([notice.source], 1)
        yield notices

    def _of_boards(self) -> Iterable[Metric]:
        now = time.monotonic_ns()
        playing = GaugeMetricFamily("jadoube_playing", "1: a game is played", labels=["board"])
        seen = GaugeMetricFamily("jadoube_seen", "1: the board is seen; 0: a gap", labels=["board"])
        records = GaugeMetricFamily("jadoube_board_record", "the last record of the board", labels=["board"])
        silent = GaugeMetricFamily(
            "jadoube_device_silence_seconds", "since the device last answered", labels=["board", "device"]
        )
        for numbers, station in self._daemon.stations.items():
            playing.add_metric([numbers], station.session.playing)
            records.add_metric([numbers], self._daemon.journal.reached(numbers))
            for board_id, place in station.config.places.items():
                seen.add_metric([place.number], station.session.seen[board_id])
            for device, driver in station.drivers.items():
                if driver.alive_ns:
                    silent.add_metric([numbers, device], max(0, now - driver.alive_ns) / 1e9)
        behind = GaugeMetricFamily("jadoube_outlet_behind", "records not sent yet", labels=["board", "outlet"])
        stuck = GaugeMetricFamily(
            "jadoube_outlet_stuck_seconds", "since an outlet that is behind got on", labels=["board", "outlet"]
        )
        for board, outlet, waiting, still_s in self._daemon.health.outboxes():
            behind.add_metric([board, outlet], waiting)
            stuck.add_metric([board, outlet], still_s)
        yield from (playing, seen, records, silent, behind, stuck)
