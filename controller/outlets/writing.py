"""Files for others to read: each whole at every moment, and written again until the disk takes it.

They are written under another suffix, synced and renamed: watchers of a folder (Lichess's Broadcaster for one) push
whatever ``.pgn`` they see.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from controller.errors import DeviceError
from controller.journal.store import sync_folder
from controller.outlets.notices import Notices

RETRY_S = 5.0

T = TypeVar("T")


def write_atomically(path: Path, text: str) -> None:
    """Whoever reads ``path`` sees the old text or the new one, also after a power cut. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    sync_folder(path.parent)


async def until_taken(write: Callable[[], T], folder: Path, notices: Notices, source: str) -> T:
    """Has ``write`` write to ``folder``, in another thread, and again where it raises OSError; meanwhile the notice
    ``source`` says so. Returns what it does.
    """
    while True:
        try:
            done = await asyncio.to_thread(write)
        except OSError as error:
            cause = "the disk is full or read-only, or the folder belongs to another user"
            next_step = f"df -h {folder}; ls -ld {folder}"
            notices.set(source, DeviceError(f"{folder} cannot be written: {error.strerror}", cause, next_step))
            await asyncio.sleep(RETRY_S)
        else:
            notices.clear(source)
            return done
