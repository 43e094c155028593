"""What tests of several rooms need: a real Chromium, and how many examples a property is shown."""

import os
from collections.abc import Iterator

import browser
import pytest
from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("JADOUBE_EXAMPLES", "30"))
"""Of a property, drawn anew in each run; `make faults` asks for more."""

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
