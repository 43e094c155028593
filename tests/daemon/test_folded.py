"""However often something happens, the log stays small, and says how often it was."""

import logging

from controller import folded
from controller.folded import Folding


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def test_what_one_line_of_code_says_is_written_some_times_and_then_counted() -> None:
    now = 0.0
    kept = _Kept()
    kept.addFilter(Folding(lambda: now))
    log = logging.Logger("test")
    log.addHandler(kept)

    def refuse(address: str) -> None:
        log.warning("refused: %s", address)

    for number in range(1000):
        refuse(f"10.0.0.{number}")
    log.warning("something else")
    assert len(kept.lines) == folded.OFTEN + 1
    assert kept.lines[0] == "refused: 10.0.0.0"
    assert "only counted" in kept.lines[folded.OFTEN - 1]
    assert kept.lines[-1] == "something else"
    now += folded.PER_S
    refuse("10.0.0.1")
    refuse("10.0.0.2")
    assert kept.lines[-2:] == ["refused: 10.0.0.1 (and 980 more like the last, not written)", "refused: 10.0.0.2"]
