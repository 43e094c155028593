"""Who can still mate is asked before a flag falls, and not while the others wait."""

import chess
import pytest

from controller.contract import Session, Time
from controller.daemon.foresight import SOON_MS
from controller.daemon.play import Play
from controller.laws import endings
from controller.laws.endings import mating

FEN = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(("clock", "asked"), [(SOON_MS // 1000, True), (SOON_MS // 1000 + 60, False)])
def test_it_is_asked_once_little_time_is_left(clock: int, asked: bool) -> None:
    endings._mating.cache_clear()
    play = Play("short of time", Session(version=1, laws="fide-2023", clock=str(clock), fen=FEN))
    play.handle(Time(ms=0))  # White's clock runs
    question = play.foresight[None].asked
    assert (question is not None) == asked
    if question is not None:
        assert question.result(timeout=30).can
        known = endings._mating.cache_info().hits
        assert mating(chess.Board(FEN), "black").can
        assert endings._mating.cache_info().hits == known + 1
