"""``jadoube run``: the daemon under its configuration, logging to standard error as systemd likes it."""

import asyncio
import logging
import os
import sys
from pathlib import Path

from controller.config import load
from controller.daemon.service import Daemon
from controller.folded import folded

log = logging.getLogger(__name__)

STDERR = 2
SAID = "%(levelname)s %(name)s: %(message)s"
TIMED = f"%(asctime)s {SAID}"  #: where nobody else adds the time


def run(config: Path) -> int:
    """Serves until SIGTERM or SIGINT; 0 after an orderly stop.

    Raises :exc:`ConfigError` and :exc:`JournalError`: with these two there is nothing to be served.
    """
    logging.basicConfig(level=logging.INFO, format=SAID if journald_hears() else TIMED)
    folded()
    asyncio.run(_serve(config))
    return 0


def journald_hears() -> bool:
    """Whether what is said on standard error goes to systemd's journal, which adds the time: systemd.exec(5)."""
    stream = os.fstat(STDERR)
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"


async def _serve(config: Path) -> None:
    daemon = Daemon(load(config))
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
