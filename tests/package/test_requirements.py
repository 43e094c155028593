"""The versions that were tested together: what is not among them may be another tomorrow, and need a compiler."""

import os
import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]


def pinned(name: str) -> set[str]:
    """Whose versions a file of requirements says."""
    lines = (ROOT / name).read_text().splitlines()
    return {canonicalize_name(found[1]) for line in lines if (found := re.match(r"([\w.-]+)(?:\[.*\])?==", line))}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-archive.txt"])
def test_whatever_is_pinned_needs_nothing_that_is_not(name: str) -> None:
    known = pinned(name) | pinned("requirements.txt")
    for each in sorted(pinned(name)):
        try:
            wanted = map(Requirement, metadata.requires(each) or [])
        except metadata.PackageNotFoundError:
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{each} is not installed: make engines")
        for one in wanted:
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                assert canonicalize_name(one.name) in known, f"{each} needs {one.name}"
