"""What a kind of board on a port needs beside its driver: whoever adds one is told here what is missing.

CONTRIBUTING.md says what each of these is for.
"""

from pathlib import Path
from typing import get_args

import pytest

from hardware.boards.registry import BoardConfig

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = {str(config.__struct_config__.tag): config for config in get_args(BoardConfig)}
ON_A_PORT = {kind: config for kind, config in CONFIGS.items() if "port" in config.__struct_fields__}

NAMED_IN = {
    "controller/cli/decode.py": '    "{kind}": ',
    "controller/cli/hardware/probe.py": '"{kind}", ',
    "docs/boards/bought.md": '`type = "{kind}"`',
    "tests/cli_hardware/test_probe.py": ', "{kind}", ',
    "tests/daemon/test_unplugged.py": '    "{kind}": ',
    "tests/faults/fuzz_codecs.py": '    "{kind}": (',
    "tests/hardware/test_looks.py": '    "{kind}": (',
    "tests/hardware/test_port_boards.py": "{config}(",
}
"""Files, and how a kind of board is named there."""

BUS = "many boards on one line, whose tests are those of the bus"
HOME_MADE = "nobody buys one: docs/line-protocol.md"
NO_SERIAL_PORT = "it is found by its maker's number"

NOT_IN = {
    ("dgt-bus", "controller/cli/hardware/probe.py"): "its boards are asked one by one",
    ("dgt-bus", "docs/boards/bought.md"): "it has a page of its own",
    ("dgt-bus", "tests/cli_hardware/test_probe.py"): BUS,
    ("dgt-bus", "tests/daemon/test_unplugged.py"): BUS,
    ("dgt-bus", "tests/hardware/test_looks.py"): BUS,
    ("dgt-bus", "tests/hardware/test_port_boards.py"): BUS,
    ("chessnut", "controller/cli/hardware/probe.py"): NO_SERIAL_PORT,
    ("chessnut", "tests/cli_hardware/test_probe.py"): NO_SERIAL_PORT,
    ("line", "docs/boards/bought.md"): HOME_MADE,
}
"""Where one need not be named, and why."""


@pytest.mark.parametrize("place", NAMED_IN)
@pytest.mark.parametrize("kind", ON_A_PORT)
def test_a_board_on_a_port_is_named_wherever_one_is(kind: str, place: str) -> None:
    sought = NAMED_IN[place].format(kind=kind, config=ON_A_PORT[kind].__name__)
    named = sought in (ROOT / place).read_text("utf-8")
    assert named != ((kind, place) in NOT_IN), f"{place} has {'' if named else 'no '}{sought!r}"
