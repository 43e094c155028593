"""What tests of several rooms need: a real Chromium."""

import os
from collections.abc import Iterator

import browser
import pytest


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Where a Chromium listens, one for all tests: each page has a profile of its own."""
    if browser.CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("chromium is not installed: make browser")
    with browser.chromium() as (address, _):
        yield address
