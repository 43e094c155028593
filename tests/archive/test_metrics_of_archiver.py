"""What Prometheus is told of an archiver is what it has done."""

import urllib.request

import pytest
from hall import free_port
from prometheus_client.parser import text_string_to_metric_families

from controller.archive import metrics
from controller.archive.archiver import Archiver, Lag
from controller.archive.settings import ArchiveConfig, ArchiverMetricsConfig, BrokerConfig, DatabaseConfig
from controller.errors import DeviceError


@pytest.fixture
def emptied() -> None:
    """No engine is needed here."""


def test_an_archiver_tells_what_it_has_done_and_who_is_behind() -> None:
    archiver = Archiver(ArchiveConfig(broker=BrokerConfig(hosts=("x",)), database=DatabaseConfig(url="postgresql://x")))
    archiver.tally.events, archiver.tally.again = 517, 3
    archiver.lag = Lag(boards=1, seconds=90.0, twins=2)
    archiver.trouble = DeviceError("no node answers", "none runs", "start one")
    config = ArchiverMetricsConfig(port=free_port())
    port = metrics.serve(config, archiver)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        told = {sample.name: sample.value for family in families for sample in family.samples}
    assert (told["jadoube_archive_events_total"], told["jadoube_archive_again_total"]) == (517, 3)
    assert (told["jadoube_archive_behind"], told["jadoube_archive_trouble"]) == (1, 1)
    assert (told["jadoube_archive_twins"], told["jadoube_archive_blocked"]) == (2, 0)
    assert told["jadoube_archive_behind_seconds"] == 90
    with pytest.raises(DeviceError, match="cannot be listened to"):
        metrics.serve(config, archiver)
