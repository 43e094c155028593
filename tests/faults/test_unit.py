"""A full disk under the service as it is shipped loses nothing: a little of ``unit.py``, under a real systemd."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import unit
from machine import Machine, NoMachineError, install, machine


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (unit.ROOT / ".venv/bin/pip").exists():
        pytest.skip("not set up by make: no .venv")
    return install(tmp_path_factory.mktemp("root"))


@pytest.fixture
def here(installed: Path) -> Iterator[Machine]:
    try:
        with machine(installed) as booted:
            yield booted
    except NoMachineError as why:
        pytest.skip(f"the unit was not tried under a systemd: {why}")


@pytest.mark.broker
@pytest.mark.skipif(unit.MOSQUITTO is None, reason="mosquitto is not installed: make broker")
def test_a_kill_on_a_full_disk_loses_no_ruling(here: Machine) -> None:
    unit.full(here, credential=True, several=True, kill=True)


def test_a_disk_that_is_read_only_is_waited_for(here: Machine) -> None:
    unit.read_only(here)
