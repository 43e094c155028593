"""What a configuration will lead to, found without opening anything: ``doctor`` tells it, and ``run`` warns of it."""

from collections.abc import Iterator
from pathlib import Path

from controller.cli.hardware import machine
from controller.cli.hardware.health import CheckResult
from controller.cli.hardware.rate import rate
from controller.config import Setup


def foreseen(config: Setup) -> Iterator[CheckResult]:
    """What its clock gives, and whether the scores can be written, which is tried first when a game begins."""
    yield from rate(config.event)
    yield from machine.scores(Path(config.pgn.directory).expanduser().absolute())
