"""A result that an arbiter declared by mistake and took back: the game goes on, after a restart, too."""

import chess
import pytest
from stage import Stage

from controller.errors import LogError


@pytest.mark.parametrize("restarted", [False, True])
def test_play_goes_on_after_a_result_was_taken_back(stage: Stage, restarted: bool) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.run(1000)
    scene.command(type="arbiter", do="result", result="1-0")
    scene.command(type="arbiter", do="undo")
    if restarted:
        scene.restart(1000)
        scene.show()
        scene.run(1000)
    scene.command(type="arbiter", do="dismiss")
    scene.command(type="arbiter", do="resume")
    scene.move("e7e5")
    scene.run(1000)
    assert scene.moves() == ["e2e4", "e7e5"]
    assert len(scene.games()) == 1


def test_what_no_ruling_ended_is_not_taken_back_and_that_is_said(stage: Stage) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    with pytest.raises(LogError, match="there is nothing to take back"):
        scene.command(type="arbiter", do="undo")
    scene.move("e2e4")
    scene.command(type="resign", side="black")
    for result in ("1-0", "0-1"):  # as it is already, and as nobody insists
        with pytest.raises(LogError, match="the game is over, 1-0"):
            scene.command(type="arbiter", do="result", result=result)
    with pytest.raises(LogError, match="the game is over, 1-0, and no ruling ended it") as refused:
        scene.command(type="arbiter", do="undo")
    assert '"do": "result", "result": "1/2-1/2", "insist": true' in refused.value.next_step
    assert not scene.session.playing


@pytest.mark.parametrize("restarted", [False, True])
def test_a_result_given_in_place_of_a_player_s_word_holds_and_the_next_game_begins_as_ever(
    stage: Stage, restarted: bool
) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.run(1000)
    scene.command(type="resign", side="black")
    scene.command(type="arbiter", do="result", result="1/2-1/2", insist=True)
    if restarted:
        scene.restart(1000)
        scene.show()
        scene.run(1000)
    with pytest.raises(LogError, match="the game is over, 1/2-1/2"):
        scene.command(type="arbiter", do="result", result="1-0")
    scene.command(type="arbiter", do="undo")
    with pytest.raises(LogError, match="the game is over, 1-0, and no ruling ended it"):
        scene.command(type="arbiter", do="undo")
    assert not scene.session.playing
    scene.show(chess.Board().occupied)
    scene.run(10_000)
    assert len(scene.games()) == 2


@pytest.mark.parametrize("do", ["uphold", "dismiss"])
def test_where_nothing_awaits_a_ruling_none_is_taken_for_one(stage: Stage, do: str) -> None:
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    with pytest.raises(LogError, match="nothing awaits a ruling"):
        scene.command(type="arbiter", do=do)


def test_once_the_game_is_over_the_pieces_need_not_stand_as_it_had_them(stage: Stage) -> None:
    """They stand otherwise when the result is given; once that is taken back, they stand amiss again."""
    scene = stage()
    scene.show()
    scene.run(1000)
    scene.move("e2e4")
    scene.move("a2a3")
    scene.run(2000)
    assert "position" in scene.said()
    scene.command(type="arbiter", do="result", result="1/2-1/2")
    assert scene.said() == {}
    scene.command(type="arbiter", do="undo")
    assert "position" in scene.said()
