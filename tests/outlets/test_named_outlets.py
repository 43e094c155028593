"""An outlet is found by the name of its table: each table of a configuration that is one has a module that opens it."""

from typing import get_args, get_type_hints

import pytest

from controller.config import Config, DoubleConfig, HallConfig
from controller.daemon.named_outlets import module_of
from controller.outlets.settings import OutletConfig


def tables() -> list[str]:
    """The names of the tables that are outlets, in any configuration."""
    found: dict[str, None] = {}
    for kind in (Config, DoubleConfig, HallConfig):
        for name, hint in get_type_hints(kind).items():
            if any(isinstance(each, type) and issubclass(each, OutletConfig) for each in get_args(hint)):
                found[name] = None
    return [*found]


def test_the_outlets_are_found() -> None:
    assert {"webhook", "lichess", "broadcast"} <= {*tables()}


@pytest.mark.parametrize("name", tables())
def test_each_has_a_module_that_opens_it(name: str) -> None:
    module = module_of(name)
    assert hasattr(module, "of_table") or hasattr(module, "of_hall"), "see controller/outlets/tables.py"
