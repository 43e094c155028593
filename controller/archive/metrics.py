"""What Prometheus is told of an archiver. What each figure means, and what to do about it: ``docs/metrics.md``."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.archive.archiver import Archiver
from controller.archive.settings import MetricsConfig
from controller.errors import DeviceError


def serve(config: MetricsConfig, archiver: Archiver) -> int:
    """Answers Prometheus for as long as the process lives, in a thread of its own; on which port. Raises
    :exc:`DeviceError` where nothing can be listened to there.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(archiver))
    try:
        server, _ = start_http_server(config.port, config.host, registry)
    except OSError as error:
        raise DeviceError(
            f"{config.host}:{config.port} cannot be listened to: {error.strerror}",
            "another archiver on this computer has the port",
            "give each its own [metrics] port",
        ) from error
    return int(server.server_port)


class Figures(Collector):
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
