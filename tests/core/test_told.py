"""What was told of a game by a version that judged otherwise: a fold over events and rulings, and the state."""

import pytest

from controller import contract as c
from controller.belief.told import Told
from controller.game import Game

SESSION = c.Session(version=1, clock="900")
ILLEGAL = c.Illegal(
    ms=1,
    id="2",
    side="white",
    kind="illegal-move",
    article="7.5.1",
    completed=True,
    count=1,
    report="arbiter",
    uci="e2e5",
)
PENALTY = c.Penalty(ms=1, id="3", side="white", kind="time", status="proposed", article="7.5.5", time_ms=120_000)
BREACH = c.Violation(
    ms=1, id="1", side="white", kind="touch-move", article="4.3.1", report="arbiter", uci="e2e4", squares=["g1", "e2"]
)
CORRECTED = c.Arbiter(ms=2, do="correct", ply=1, moves=("e2e4",))
MOVE = c.Move(ms=1, side="white", uci="e2e4", san="e4", fen="", ply=1)
TAKEN_BACK = c.Retract(ms=2, uci="e2e4", fen="")
COMPLETED = c.Completed(ms=2, side="white", uci="e2e4", white_ms=1, black_ms=1)


def played() -> Game:
    """1 e4, pressed."""
    game = Game(SESSION)
    for item in (c.Lift(ms=1_000, square="e2"), c.Place(ms=1_500, square="e4"), c.Press(ms=2_500, side="white")):
        game.handle(item)
    return game


def retold(game: Game, *told: c.AnyEvent | c.Arbiter) -> list[str]:
    """What the game says next, having been told of that; but for the time."""
    game.take_up(told)
    return [type(event).__name__ for event in game.handle(c.Time(ms=3_000))]


@pytest.mark.parametrize(
    ("told", "is_open", "counts"),
    [
        ([ILLEGAL, PENALTY], [["2", "3"]], 1),
        ([ILLEGAL, PENALTY, c.Arbiter(ms=2, do="uphold", answers="3")], [], 1),
        ([ILLEGAL, PENALTY, c.Arbiter(ms=2, do="dismiss")], [], 0),
        ([BREACH, ILLEGAL, PENALTY, c.Arbiter(ms=2, do="dismiss")], [["2", "3"]], 1),  # the oldest is answered
        ([MOVE, BREACH, TAKEN_BACK], [], 0),
        ([ILLEGAL, PENALTY, CORRECTED, MOVE], [], 0),
        ([ILLEGAL, PENALTY, CORRECTED, COMPLETED], [["2", "3"]], 1),  # which changed nothing
        ([MOVE, ILLEGAL, PENALTY, CORRECTED, TAKEN_BACK, MOVE], [["2", "3"]], 1),  # it was no other move's
        ([BREACH, c.Result(ms=2, result="1-0", reason="resignation", article="5.1.2", status="final")], [], 0),
    ],
)
def test_what_was_told_awaits_a_ruling_until_it_is_settled(
    told: list[c.AnyEvent | c.Arbiter], is_open: list[list[str]], counts: int
) -> None:
    fold = Told(told)
    assert [case.ids for case in fold.cases] == is_open
    assert fold.counts["white"] == fold.fined["white"] == counts


def test_a_game_that_was_told_as_it_is_says_nothing() -> None:
    game = played()
    assert retold(game, MOVE, COMPLETED) == []
    assert game.state.notices == ()


def test_another_move_that_was_told_is_taken_back_and_what_was_not_told_is_told() -> None:
    assert retold(played()) == ["Move", "Completed"]
    assert retold(played(), MOVE) == ["Completed"]
    other = c.Move(ms=1, side="white", uci="d2d4", san="d4", fen="", ply=1)
    assert retold(played(), other) == ["Retract", "Move", "Completed"]


def test_what_was_held_against_a_player_awaits_its_ruling_by_its_name_and_the_next_one_has_another() -> None:
    game = played()
    retold(game, MOVE, BREACH, ILLEGAL, PENALTY)
    assert [notice.ids for notice in game.state.notices] == [("1",), ("2", "3")]
    assert [notice.at for notice in game.state.notices] == [0, -1]  # the illegal move is not in the game
    said = game.handle(c.Claim(ms=4_000, side="black", of="threefold"))
    assert [event.id for event in said if isinstance(event, c.Claimed)] == ["4"]
    said = game.handle(c.Arbiter(ms=5_000, do="uphold", answers="2"))
    assert [(event.status, event.time_ms) for event in said if isinstance(event, c.Penalty)] == [("applied", 120_000)]


def test_nobody_is_accused_by_the_taking_up() -> None:
    game = Game(SESSION)
    game.handle(c.Press(ms=1_000, side="white"))
    assert game.state.notices
    assert retold(game) == []
    assert game.state.notices == ()
    assert game.state.counts["white"] == 0


def test_a_game_that_was_told_to_be_over_is() -> None:
    game = played()
    over = c.Result(ms=2, result="1-0", reason="resignation", article="5.1.2", status="final")
    assert retold(game, MOVE, over) == []
    assert game.state.result is not None
    assert game.deadline is None


def test_a_result_that_was_taken_back_is_none_and_awaits_a_ruling() -> None:
    final = c.Result(ms=1, result="1-0", reason="arbiter", article="12.9", status="final")
    again = c.Result(ms=2, id="1", result="1-0", reason="arbiter", article="12.9", status="proposed")
    told = Told([final, again])
    assert told.result is None
    assert [case.ids for case in told.cases] == [["1"]]
