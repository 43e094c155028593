"""The real recordings, where the shared folder stands beside the project; properties that wait for a busy machine."""

import base64
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", settings.default, deadline=None)
settings.load_profile("patient")

RECORDINGS = Path(__file__).resolve().parents[2] / ".." / "shared" / "recordings"


@pytest.fixture(scope="module", params=["dgt-1", "dgt-johan"])
def recorded(request: pytest.FixtureRequest) -> bytes:
    """All that the board sent in one real game."""
    path = RECORDINGS / f"{request.param}.inbytes"
    if not path.exists():
        pytest.skip(f"no recording at {path}")
    return b"".join(base64.b64decode(line) for line in path.read_text().splitlines())
