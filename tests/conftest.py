"""What tests of several rooms need: a real Chromium; how many examples a property is shown; what is tested first."""

import os
from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from controller.collector import few_collections

TESTS = Path(__file__).parent
ARCHIVE = "tests/archive/"
EXAMPLES = int(os.environ.get("JADOUBE_EXAMPLES", "8"))
"""Of a property, drawn anew in each run; `make faults` asks for more."""

ROOMS = ("laws", "core", "words")
"""Whose tests come first, in this order: what fails in them fails in all that is built on them."""

LONGEST = ("package", "event", "archive")
"""What takes minutes in one process: a machine that is set up, an event of nine rounds, a broker and a database."""

# A busy machine is slow, not wrong.
PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("jadoube", deadline=None, max_examples=EXAMPLES, suppress_health_check=PATIENT)
settings.load_profile("jadoube")


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Where a Chromium listens, one for all tests: each page has a profile of its own."""
    if browser.CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("chromium is not installed: make browser")
    with browser.chromium() as (address, _):
        yield address


class ByFile(LoadFileScheduling):
    """A file is tested by one process, and so is the archive: it needs a broker whose start takes ten seconds."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return ARCHIVE if file.startswith(ARCHIVE) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Some ten thousand tests are looked through at each collection of garbage, and none of them is any."""
    few_collections()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The core before what is built on it, and beside it what takes longest, most of which is waiting. The others as
    they come: rooms that wait among rooms that reckon."""

    def turn(item: pytest.Item) -> int:
        room = item.path.relative_to(TESTS).parts[0]
        return (LONGEST + ROOMS).index(room) if room in LONGEST + ROOMS else len(LONGEST + ROOMS)

    items.sort(key=turn)
