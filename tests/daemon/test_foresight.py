"""Who can still mate is asked before a flag falls, and not while the others wait."""

from concurrent.futures import Future
from threading import Event

import chess
import pytest
from stage import Stage

from controller.contract import Lift, Place, Resign, Session, Time
from controller.daemon.foresight import SOON_MS
from controller.daemon.play import LiveGame
from controller.daemon.timeline import MS_NS
from controller.game import Game
from controller.laws import endings
from controller.laws.endings import mating

FEN = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(("clock", "asked"), [(SOON_MS // 1000, True), (SOON_MS // 1000 + 60, False)])
def test_it_is_asked_once_little_time_is_left(clock: int, asked: bool) -> None:
    endings._mating.cache_clear()
    play = LiveGame("short of time", Session(version=1, laws="fide-2023", clock=str(clock), fen=FEN))
    play.handle(Time(ms=0))  # White's clock runs
    question = play.boards[None].foresight.asked
    assert (question is not None) == asked
    if question is not None:
        assert question.result(timeout=30).can
        known = endings._mating.cache_info().hits
        assert mating(chess.Board(FEN), "black").can
        assert endings._mating.cache_info().hits == known + 1


HARD = "1k6/1P1p3p/BP3p2/1P5p/8/3P4/5PKP/8 w - - 0 1"  # whether Black can mate takes a long search; he can


class Hard:
    """A game is on in that position, White to move, 15 s each; who can mate is found out when it is waited for."""

    def __init__(self, stage: Stage, **event: str | bool) -> None:
        endings._mating.cache_clear()
        self.found = Event()
        self.scene = scene = stage(event={"clock": "15", **event}, game={"fen": HARD})
        scene.found = self.found.set
        scene.restart(0)
        scene.show(chess.Board(HARD).occupied)
        scene.run(1000)
        scene.press("black")

    def say(self, **fields: str) -> Future[int]:
        return self.scene.session.command(fields, self.scene.at * MS_NS)

    def find_out(self) -> None:
        """The table is woken as the daemon wakes it."""
        while self.scene.session.finding_out:
            assert self.found.wait(60)
            self.found.clear()
            self.scene.session.wake(self.scene.at * MS_NS)

    @property
    def results(self) -> int:
        return self.scene.events().count("Result")


def test_a_resignation_waits_for_a_long_search_and_holds_up_nobody(stage: Stage) -> None:
    hard = Hard(stage)
    done = hard.say(type="resign", side="white")
    later = hard.say(type="draw", act="offer", side="black")
    assert not done.done() and not later.done()
    assert hard.scene.session.due_ns is None, "nothing is to be done until it is found out"
    hard.find_out()
    assert done.result(5) < later.result(5), "in the order in which it was said"
    assert hard.results == 1


def test_a_flag_that_falls_before_the_answer_is_there_waits_for_it(stage: Stage) -> None:
    hard = Hard(stage)
    hard.scene.run(16_000)  # of no time at all, for the thread
    assert hard.results == 0
    hard.find_out()
    assert hard.results == 1
    assert ("Time", 15_000) in hard.scene.inputs(), "it fell when it fell"


def test_an_upheld_loss_waits_for_it_too(stage: Stage) -> None:
    """Up to 2014 the first illegal move loses at blitz, unless the opponent cannot mate (A.4b)."""
    hard = Hard(stage, laws="fide-2014", play="blitz", supervised=False)
    for handle, square in ((hard.scene.lift, "g2"), (hard.scene.place, "g4")):
        handle(square)
        hard.scene.run(500)
    hard.scene.press("white")
    upheld = hard.say(type="arbiter", do="uphold")
    later = hard.say(type="draw", act="offer", side="black")
    hard.scene.run(100)
    assert hard.scene.session.finding_out
    assert not upheld.done() and not later.done()
    hard.find_out()
    assert upheld.result(5) < later.result(5)
    assert hard.results == 1


def test_a_resignation_asks_of_the_move_that_stands_by_then() -> None:
    game = Game(Session(version=1, laws="fide-2023", clock="300", fen=HARD))
    for item in (Lift(ms=1000, square="g2"), Place(ms=1500, square="g3")):
        game.handle(item)
    asked = [board.piece_at(chess.G3) for board, side in game.asks(Resign(ms=1600, side="black")) if side == "white"]
    assert chess.Piece.from_symbol("K") in asked
