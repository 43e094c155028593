"""The only board that is plugged in, for ``jadoube run`` without a configuration: served as ``jadoube setup`` would
propose it."""

import sys
import tomllib

from msgspec import Struct

from controller.cli.hardware.boards import describe
from controller.cli.hardware.commands import HERE
from controller.cli.hardware.ports import look
from controller.cli.hardware.probe import ProbedPort
from controller.cli.hardware.setup import proposed
from controller.config import Setup, check
from controller.errors import ConfigError

NO_CONFIGURATION = f"there is no configuration {HERE} here"


class PluggedIn(Struct, frozen=True):
    """What was found, and what is served."""

    found: str  #: such as ``/dev/ttyUSB0: dgt (version 1.8)``
    setup: Setup

    def __str__(self) -> str:
        """What was chosen, and how to write it down: three lines."""
        clock = "no clock" if self.setup.event.clock is None else f"clock {self.setup.event.clock}"
        broker = "a broker of our own for this machine" if self.setup.mqtt is None else self.setup.mqtt.brokers[0].host
        return (
            f"{NO_CONFIGURATION}; the only board that answers is served: {self.found}\n"
            f"  In this folder: journal {self.setup.journal.path}, scores {self.setup.pgn.directory}/."
            f" Besides: {broker}, {clock}\n"
            "  To write it down, and to choose: jadoube setup"
        )


def plugged_in() -> PluggedIn:
    """Asks on all ports, which takes some seconds.

    Raises :exc:`ConfigError` where no board answers, or more than one.
    """
    print("Asking who is on the ports: some seconds …", file=sys.stderr, flush=True)
    everyone = look()
    boards = [one for one in everyone if one.answer is not None]
    if sum(max(1, len(one.answer.addresses)) for one in boards if one.answer is not None) > 1:
        raise _several(boards)
    for one in boards:
        assert one.answer is not None
        text = proposed(one.port.path, one.answer)
        return PluggedIn(describe(one), check(tomllib.loads(text), f"the example for {one.answer.kind}"))
    raise _none(everyone)


def _none(everyone: list[ProbedPort]) -> ConfigError:
    """A port that could not be asked may have had the board."""
    what = f"{NO_CONFIGURATION}, and no board answers"
    for error in (one.error for one in everyone if one.error is not None):
        return ConfigError(f"{what}: {error.what}", error.cause, error.next_step)
    return ConfigError(
        what,
        "it is switched off, its cable carries no data, or it hangs on bare pins, which cannot be searched",
        "jadoube boards --ports, or jadoube setup, which asks; to see a game without a board: jadoube demo",
    )


def _several(boards: list[ProbedPort]) -> ConfigError:
    return ConfigError(
        f"{NO_CONFIGURATION}, and {len(boards)} boards answer: {', '.join(map(describe, boards))}",
        "which of them is meant has to be said",
        "jadoube setup --board KIND --port PORT, then jadoube run; for each of several with --out and --config FILE",
    )
