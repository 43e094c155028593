"""What every kind of board says of itself, for all who ask without knowing which it is."""

import typing

import pytest

from hardware.boards.registry import BoardConfig


@pytest.mark.parametrize("config", typing.get_args(BoardConfig), ids=lambda config: config.__name__)
def test_a_board_says_what_it_tells_apart_and_how_often_it_looks(config: type) -> None:
    assert hasattr(config, "senses")
    assert hasattr(config, "scan_hz") or hasattr(config, "scan_ms"), "what a board loses is reckoned by it"
    assert hasattr(config, "about")
    assert callable(config.open)
