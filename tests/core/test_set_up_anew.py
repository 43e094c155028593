"""The pieces are set up for the next game, and nobody has said how this one ended: that is no offence. A single piece
that its player moves in the opponent's time is one, as far as it may have gone there as a move."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

RUY_LOPEZ = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
CASTLED = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1 h1f1")
PIECES = {"e2": "P", "g1": "N", "f1": "B", "e7": "p", "b8": "n", "a7": "p", "e1": "K", "h1": "R"}

PAWN, KNIGHT, BISHOP = ("e4", "e2"), ("f3", "g1"), ("b5", "f1")
BLACKS = (("c6", "b8"), ("e5", "e7"))


def told(moves: tuple[str, ...], back: tuple[tuple[str, str], ...], senses: c.Senses) -> list[c.AnyEvent]:
    """What is told of these moves, each pressed, and of the pieces that are put ``back`` from there to there. White has
    made the last move."""
    log, ms = list[str](), 0
    for number, move in enumerate(moves):
        ms += 3000
        for at, one in enumerate(move.split()):
            lift, place = ms + 700 * at, ms + 700 * at + 400
            log += [f"{lift} lift {one[:2]}", f"{place} place {one[2:]} {seen(PIECES[one[:2]], senses)}"]
        log.append(f"{ms + 1800} press {'black' if number % 2 else 'white'}")
    for left, home in back:
        ms += 3000
        log += [f"{ms + 5000} lift {left}", f"{ms + 6000} place {home} {seen(PIECES[home], senses)}"]
    return play(f"{'; '.join(log)}; {ms + 60_000} time", senses=senses, clock=CLOCK)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize(
    "back",
    [
        (PAWN,),  # no pawn goes there
        (PAWN, KNIGHT, BISHOP, *BLACKS),
        (PAWN, BISHOP, KNIGHT, *BLACKS),
        (PAWN, *BLACKS, BISHOP, KNIGHT),
    ],
)
def test_pieces_that_go_where_they_began_have_broken_no_rule(
    back: tuple[tuple[str, str], ...], senses: c.Senses
) -> None:
    """A knight that goes home in its player's turn may be his move, and so is the reply."""
    events = told(RUY_LOPEZ, back, senses)
    assert record(events)[:5] == list(RUY_LOPEZ)
    assert only(c.Displaced, events) and not accusations(events)


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
@pytest.mark.parametrize(
    ("moves", "back", "kind"),
    [
        (RUY_LOPEZ, (KNIGHT,), "out-of-turn"),
        (RUY_LOPEZ, (BISHOP,), "released-move"),
        (CASTLED, (("g1", "e1"), ("f1", "h1")), "released-move"),
    ],
)
def test_a_piece_that_may_have_gone_there_as_a_move_and_a_move_that_is_taken_back_are_told(
    moves: tuple[str, ...], back: tuple[tuple[str, str], ...], kind: str, senses: c.Senses
) -> None:
    events = told(moves, back, senses)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("white", kind)]
