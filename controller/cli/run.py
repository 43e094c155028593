"""``jadoube run``: the daemon under its configuration, logging to standard error as systemd likes it."""

import asyncio
import logging
from pathlib import Path

from controller.config import load
from controller.daemon.service import Daemon


def run(config: Path) -> int:
    """Serves until SIGTERM or SIGINT; 0 after an orderly stop.

    Raises :exc:`ConfigError` and :exc:`JournalError`: with these two there is nothing to be served.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    asyncio.run(_serve(config))
    return 0


async def _serve(config: Path) -> None:
    await Daemon(load(config)).run()
