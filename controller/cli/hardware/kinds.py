"""The kinds of board there are, for who has to choose one: what each needs, and an example of its configuration."""

import importlib.util
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import get_args

from controller.config import Config, DoubleConfig, HallConfig
from hardware.boards import BoardConfig
from hardware.boards.about import PINS, About
from hardware.pins import Library

HEADER = re.compile(r"(?:# )?\[+([\w.]+)\]+")
MATCH = "bughouse"  #: the example of a match, on boards of any kind
MANY = "tournament"  #: the same of several boards at one computer


def configurations() -> dict[str, type[BoardConfig]]:
    """The configuration of each kind, by its ``type``."""
    return {str(config.__struct_config__.tag): config for config in get_args(BoardConfig)}


KINDS: dict[str, About] = {kind: config.about for kind, config in configurations().items()}


def missing_modules(kind: str, library: Library = "RPi.GPIO") -> list[str]:
    """What Python needs for such a board, whose pins are reached through ``library``, and does not have."""
    needed = (library if module in PINS else module for module in KINDS[kind].modules)
    return [module for module in needed if not _installed(module)]


def examples() -> Path:
    """The folder of the example configurations, in a checkout or installed."""
    beside = Path(__file__).resolve().parents[3] / "config"
    return beside if beside.is_dir() else Path(sys.prefix) / "share" / "jadoube" / "config"


def example(kind: str) -> str:
    """The example for a kind of board, :data:`MATCH` or :data:`MANY`, with all else that it may say, commented out."""
    own = (examples() / f"{kind}.toml").read_text("utf-8")
    reference = (examples() / "reference.toml").read_text("utf-8")
    tables = {MATCH: DoubleConfig, MANY: HallConfig}.get(kind, Config).__struct_fields__
    return "\n\n".join([own.strip(), *_others(own, reference, tables)]) + "\n"


def _others(own: str, reference: str, tables: Collection[str]) -> Iterator[str]:
    """The tables of the reference that ``own`` has not and may have; of several under one name the first."""
    there = {found[1].partition(".")[0] for line in own.splitlines() if (found := HEADER.match(line))}
    seen = set()
    for table in reference.split("\n\n"):
        if (found := HEADER.match(table)) and found[1] not in seen:
            seen.add(found[1])
            root = found[1].partition(".")[0]
            if root in tables and root not in there:
                yield table.strip()


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would be in
        return False
