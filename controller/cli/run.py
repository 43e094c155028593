"""``jadoube run``: the daemon under its configuration, logging to standard error as systemd likes it."""

import asyncio
import logging
import os
from pathlib import Path

from controller.config import load
from controller.daemon.service import Daemon
from controller.folded import folded

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
    await Daemon(load(config)).run()
