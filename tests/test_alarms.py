"""Figures, alarms and their page name the same things, and Prometheus's own tool finds the rules in order."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "config" / "prometheus-rules.yml"
PAGE = (ROOT / "docs" / "metrics.md").read_text("utf-8")
FIGURE = re.compile(r"\bjadoube_[a-z_]+\b")
COUNTED = re.compile(r'CounterMetricFamily\("(\w+)"')
SOURCES = [ROOT / "controller" / "daemon" / "metrics.py", ROOT / "controller" / "archive" / "metrics.py"]


def _figures() -> set[str]:
    text = "".join(path.read_text("utf-8") for path in SOURCES)
    counted = set(COUNTED.findall(text))
    return {f"{name}_total" if name in counted else name for name in FIGURE.findall(text)}


def test_the_page_tells_of_all_figures_and_of_no_others() -> None:
    assert set(re.findall(r"^\| `(jadoube_\w+)`", PAGE, re.MULTILINE)) == _figures()


def test_alarms_rest_on_figures_that_exist() -> None:
    assert set(FIGURE.findall(re.sub(r"job=\"\w+\"", "", RULES.read_text("utf-8")))) <= _figures()


def test_the_page_says_of_each_alarm_what_it_means_and_what_to_do() -> None:
    alarms = re.findall(r"alert: (\w+)", RULES.read_text("utf-8"))
    assert re.findall(r"^\| `([A-Z]\w+)`", PAGE, re.MULTILINE) == alarms


def test_prometheus_finds_the_rules_in_order() -> None:
    if shutil.which("promtool") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("promtool is not installed: make others")
    found = subprocess.run(("promtool", "check", "rules", RULES), capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
