"""The tournament that a daemon's boards play: its results, as ``jadoube hall`` has them, and what that hands over.

That command is called as an organiser would call it. So there is one way to give a result, whoever gives it; and
reading a whole event takes neither memory nor time from the boards.
"""

import asyncio
import contextlib
import io
import os
import sys
import tempfile
import zipfile
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract import POINTS
from controller.errors import LogError
from controller.tournament.results import GameOutcome
from controller.words import LanguageCode

HALL = ("nice", sys.executable, "-m", "controller.cli.main", "hall")
PATIENCE_S = 30.0
TAKE_BACK = "take-back"  #: instead of a result: the one given by hand holds no more
SAID = {"jadoube: ": "what", "  Likely cause: ": "cause", "  Next: ": "next_step"}
"""How the lines of an error begin."""


class ShownResults(Struct, frozen=True):
    """As much as is shown of what ``jadoube hall results --json`` says."""

    event: str
    round: int
    rounds: list[int]
    games: list[GameOutcome]


class Tournament:
    """That of the configuration ``config``. Its methods raise :exc:`LogError` for what the command refuses."""

    def __init__(self, config: Path) -> None:
        self._config = config.absolute()
        self._alone = asyncio.Lock()

    async def results(self, number: int | None) -> ShownResults:
        """Of that round, or of the one in force."""
        return msgspec.json.decode(await self._run("results", "--json", *_of(number)), type=ShownResults)

    async def give(self, table: str, result: str, number: int, reason: str, by: str) -> None:
        """Gives a result by hand, or takes back the one that was: :data:`TAKE_BACK`."""
        if result not in (*POINTS, TAKE_BACK):
            raise LogError("which result?", "a slip", "choose one")
        said = [f"--by={by}", *([f"--reason={reason}"] if reason else []), *_of(number)]
        what = [f"--{TAKE_BACK}", "--", table] if result == TAKE_BACK else ["--", table, result]
        await self._run("result", *said, *what)

    async def export(self, number: int, code: LanguageCode) -> bytes:
        """All that is handed over of a round, as a ZIP file. Where the report is known to differ in an earlier round,
        what the command says of that is in it."""
        with tempfile.TemporaryDirectory() as folder:
            status, said, refused = await self._call("export", f"--out={folder}", f"--language={code}", *_of(number))
            if status == 1 and (Path(folder) / f"round-{number}-sheets.html").exists():  # the last file that is written
                (Path(folder) / f"round-{number}-differs.txt").write_bytes(said)
            elif status:
                raise refusal(refused.decode("utf-8", "replace"))
            return await asyncio.to_thread(_packed, Path(folder))

    async def _run(self, command: str, *words: str) -> bytes:
        status, said, refused = await self._call(command, *words)
        if status:
            raise refusal(refused.decode("utf-8", "replace"))
        return said

    async def _call(self, command: str, *words: str) -> tuple[int, bytes, bytes]:
        """The exit status, and what was said on the two streams."""
        async with self._alone:
            process = await asyncio.create_subprocess_exec(
                *(*HALL, command, f"--config={self._config}", *words),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            )
            try:
                async with asyncio.timeout(PATIENCE_S):
                    said, refused = await process.communicate()
            except TimeoutError as error:
                raise LogError("that takes too long", "much else goes on at this computer", "try again") from error
            finally:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        return process.returncode or 0, said, refused


def _of(number: int | None) -> list[str]:
    return [] if number is None else [f"--round={number}"]


def refusal(said: str) -> LogError:
    """The error that a command has printed, among what else stands there."""
    parts = {
        part: line.removeprefix(begin)
        for line in said.splitlines()
        for begin, part in SAID.items()
        if line.startswith(begin)
    }
    return LogError(**{"what": said.strip() or "it failed"} | parts)


def _packed(folder: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return packed.getvalue()
