"""Every game of the shared scenarios can be told, from its first event to its last and in every language."""

import importlib.util
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from controller.cli.explain import explain
from controller.words.language import Language

CONFORMANCE = Path(__file__).resolve().parents[2] / ".." / "shared" / "conformance"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="the folder ../shared is not beside the project"),
]


def runner() -> ModuleType:
    """The scenarios' own runner, which knows how to make session logs of them."""
    spec = importlib.util.spec_from_file_location("conformance_runner", CONFORMANCE / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def logs(editions: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The session log of each scenario of one board, under each of the editions that it is meant for."""
    run = runner()
    for file in sorted((CONFORMANCE / "scenarios").glob("*.toml")):
        for scenario in tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]:
            for laws in editions:
                if "match" not in scenario and (scenario["laws"] == "all" or laws in scenario["laws"]):
                    yield scenario["id"], run.session_log(run.for_edition(scenario, laws), laws).encode()


def test_every_scenario_can_be_told(to: Language) -> None:
    told = 0
    for name, log in logs(("fide-2005", "fide-2023")):
        for sentence in explain(log.splitlines(keepends=True), name, to.code):
            assert sentence.endswith(".")
            assert "{" not in sentence
            told += 1
    assert told > 1000
