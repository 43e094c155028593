"""The command line as people use it: what it printed in this process, and a process of its own that is answered."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
JADOUBE = [sys.executable, "-m", "controller.cli.main"]
SILENCE_S = 15  #: a command that says nothing for so long hangs


class Told(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Jadoube = Callable[..., Told]


class Session:
    """The command as a process, whose words are read as they come and who is answered."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            [*JADOUBE, *map(str, arguments)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Where the tests run in the background of a script, Ctrl-C is ignored, and would be so here.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        self.said = ""

    def hear(self, *words: str) -> str:
        """Reads on until one of ``words`` comes, and returns it; what came since the last time is forgotten."""
        assert self._process.stdout is not None
        fresh = ""
        while not (found := [word for word in words if fresh.endswith(word)]):
            assert select.select([self._process.stdout], [], [], SILENCE_S)[0], f"nothing but {fresh!r}"
            byte = os.read(self._process.stdout.fileno(), 1)
            assert byte, f"it ended without {words}: {self.said}"
            fresh += byte.decode("latin-1")
            self.said += byte.decode("latin-1")
        return found[0]

    def answer(self, line: str = "") -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def interrupt(self) -> None:
        """Ctrl-C, which ends it without a word."""
        self._process.send_signal(signal.SIGINT)
        assert self.end() == 130
        assert "Traceback" not in self.said

    def end(self) -> int:
        """Reads the rest; the exit status."""
        out, _ = self._process.communicate(timeout=20)
        self.said += out.decode("latin-1")
        return self._process.returncode
