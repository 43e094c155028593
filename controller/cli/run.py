"""``jadoube run``: the daemon under its configuration, logging to standard error as systemd likes it."""

import asyncio
import logging
import os
import sys
from pathlib import Path

from controller.cli.hardware.commands import HERE, written
from controller.cli.hardware.foreseen import foreseen
from controller.config import Setup, load
from controller.daemon.service import Daemon
from controller.errors import DeviceError
from controller.folded import folded

log = logging.getLogger(__name__)

STDERR = 2
SAID = "%(levelname)s %(name)s: %(message)s"
TIMED = f"%(asctime)s {SAID}"  #: where nobody else adds the time


def run(config: Path | None) -> int:
    """Serves until SIGTERM or SIGINT; 0 after an orderly stop. Without a configuration, named or where one is usually,
    it serves the only board that is plugged in, and says first what was chosen.

    Raises :exc:`ConfigError` and :exc:`JournalError`: with these two there is nothing to be served.
    """
    config = config or written()
    if config is not None:
        log_to_stderr()
        return _run(load(config), config)
    from controller.cli.hardware.plugged import plugged_in  # finding it is not for the memory of a service

    chosen = plugged_in()
    print(f"jadoube: {chosen}", file=sys.stderr, flush=True)
    log_to_stderr()
    return _run(chosen.setup, HERE)


def _run(setup: Setup, config: Path) -> int:
    """Warns first of what ``jadoube doctor`` would find without opening anything."""
    for one in foreseen(setup):
        if one.status != "ok":
            log.warning("%s: %s", one.area, DeviceError(one.what, one.cause, one.next_step))
    asyncio.run(_serve(setup, config))
    return 0


def log_to_stderr() -> None:
    """From now on, with the time where nobody else adds it."""
    logging.basicConfig(level=logging.INFO, format=SAID if journald_hears() else TIMED)
    folded()


def journald_hears() -> bool:
    """Whether what is said on standard error goes to systemd's journal, which adds the time: systemd.exec(5)."""
    stream = os.fstat(STDERR)
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"


async def _serve(setup: Setup, config: Path) -> None:
    daemon = Daemon(setup, reread=lambda: load(config), file=config)
    if daemon.console is None or not sys.stderr.isatty():
        await daemon.run()
        return

    async def welcome(daemon: Daemon) -> None:
        """Who starts it at a terminal asks for a code by that."""
        assert daemon.console is not None
        while not daemon.console.port:
            await asyncio.sleep(0.1)
        said = "an arbiter signs in at %s/arbiter with the pairing code %s; another one: jadoube pair --config %s"
        log.info(said, daemon.console.url, daemon.console.code, config)
        await asyncio.Event().wait()

    await daemon.run(welcome)
