"""What Prometheus is told of an archiver, and of a worker of the hall's pages. What each figure means, and what to do
about it: ``docs/metrics.md``.
"""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.archive.archiver import Archiver
from controller.archive.pages import HallPages
from controller.archive.settings import ArchiverMetricsConfig
from controller.errors import DeviceError


def serve(config: ArchiverMetricsConfig, archiver: Archiver) -> int:
    """Answers Prometheus for as long as the process lives, in a thread of its own; on which port. Raises
    :exc:`DeviceError` where nothing can be listened to there.
    """
    return _serve(config.host, config.port, ArchiverFigures(archiver))


def serve_pages(port: int, pages: HallPages) -> int:
    """Likewise for the hall's pages, to this machine alone."""
    return _serve("127.0.0.1", port, PagesFigures(pages))


def _serve(host: str, port: int, figures: Collector) -> int:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(figures)
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        raise DeviceError(
            f"{host}:{port} cannot be listened to: {error.strerror}",
            "another archiver or worker on this computer has the port",
            "give each its own: [metrics] port, --metrics-port",
        ) from error
    return int(server.server_port)


class PagesFigures(Collector):
    """What a worker of the hall's pages shows, and to how many."""

    def __init__(self, pages: HallPages) -> None:
        self._pages = pages

    def collect(self) -> Iterable[Metric]:
        """What it has done since it was started, and how it is; the lag is the longest since it was asked last."""
        pages, figures, rulings = self._pages, self._pages.figures, self._pages.commands.tally
        readers = GaugeMetricFamily("jadoube_console_readers", "who read the pages", labels=["page"])
        for page, number in pages.readers.items():
            readers.add_metric([page], number)
        yield readers
        yield GaugeMetricFamily("jadoube_console_boards", "boards and matches on the pages", len(pages.shown))
        lag, figures.lag_s = figures.lag_s, 0.0
        yield GaugeMetricFamily("jadoube_console_lag_seconds", "from the commit to the page, the longest", lag)
        yield GaugeMetricFamily("jadoube_console_trouble", "1: the database is away", figures.trouble is not None)
        yield CounterMetricFamily("jadoube_console_events", "shown", figures.events)
        told = CounterMetricFamily("jadoube_console_rulings", "given on the pages", labels=["answer"])
        for answer in ("done", "refused", "unanswered"):
            told.add_metric([answer], getattr(rulings, answer))
        yield told


class ArchiverFigures(Collector):
    """All figures at this moment; the archiver's loop is not asked."""

    def __init__(self, archiver: Archiver) -> None:
        self._archiver = archiver

    def collect(self) -> Iterable[Metric]:
        """What it has done since it was started, and how far it is."""
        tally, lag = self._archiver.tally, self._archiver.lag
        yield CounterMetricFamily("jadoube_archive_events", "written", tally.events)
        yield CounterMetricFamily("jadoube_archive_again", "events that were there already", tally.again)
        yield CounterMetricFamily("jadoube_archive_foreign", "noted in the table trouble", tally.foreign)
        yield CounterMetricFamily("jadoube_archive_asked", "replays asked for", tally.asked)
        yield CounterMetricFamily("jadoube_archive_commits", "batches written", tally.commits)
        yield GaugeMetricFamily("jadoube_archive_trouble", "1: nothing is archived", self._archiver.trouble is not None)
        yield GaugeMetricFamily("jadoube_archive_blocked", "1: the broker takes nothing", self._archiver.blocked)
        if lag is not None:  # of several archivers one looks
            yield GaugeMetricFamily("jadoube_archive_behind", "boards that told more than is archived", lag.boards)
            yield GaugeMetricFamily("jadoube_archive_behind_seconds", "the longest that one has been", lag.seconds)
            yield GaugeMetricFamily("jadoube_archive_twins", "boards that are named twice", lag.twins)
