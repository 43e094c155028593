"""The scenarios shared with the other parties to the replay contract, judged by their own runner."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

CLAIMED = ("tm", "ad", "ca", "ep", "pr", "dp", "il", "ck", "en", "cl", "bh")
"""The files this project claims to meet."""

CONFORMANCE = Path(__file__).resolve().parents[1] / ".." / "shared" / "conformance"
REPLAY = shlex.join([sys.executable, "-m", "controller.cli.main"])

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="the folder ../shared is not beside the project"),
]


@pytest.mark.parametrize("name", CLAIMED)
def test_scenarios(name: str) -> None:
    runner, scenarios = CONFORMANCE / "run.py", CONFORMANCE / "scenarios" / f"{name}.toml"
    run = subprocess.run(
        [sys.executable, runner, "--jadoube", REPLAY, scenarios],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    passed, _, failed = run.stdout.splitlines()[-1].partition(" passed, ")
    assert (int(passed) > 0, failed) == (True, "0 failed")
