"""The clock is pressed with the promotion square empty and the pawn gone (contract, Promotion): that is an unfinished
promotion on every kind of board, however long the pawn has stood there.
"""

import pytest
from shorthand import CLOCK, PROMOTION, accusations, only, play, record, seen
from test_promotion_unsaid import ALONE, EDITIONS, FROM_2014, blind

from controller import contract as c


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize(
    ("fen", "done"),
    [
        (ALONE, "1000 lift a7"),
        (ALONE, "1000 lift a7; 2500 place a8 P; 4000 lift a8"),
        (PROMOTION, "1000 lift a7; 2500 place a8 P; 4000 lift a8"),
        (PROMOTION, "1000 lift a7"),
        (PROMOTION, "1000 lift a7; 2000 lift b8"),
        (PROMOTION, "1000 lift b8; 2000 lift a7"),
    ],
)
def test_pressed_with_the_pawn_gone_and_nothing_set_down_the_promotion_is_unfinished(
    senses: c.Senses, laws: c.Edition, fen: str, done: str
) -> None:
    log = done.replace(" P", f" {seen('P', senses)}")
    events = play(log + "; 5500 press white", fen, senses=senses, clock=CLOCK, laws=laws)
    assert [(said.kind, said.completed, said.count) for said in only(c.Illegal, events)] == [
        ("unfinished-promotion", True, 1)
    ]
    assert not only(c.Move, events)


@pytest.mark.parametrize("gone_ms", [150, 300, 390])
@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_so_it_is_though_the_pawn_stood_there_until_just_now(senses: c.Senses, gone_ms: int) -> None:
    """No opponent takes it there before it is finished."""
    log = f"1000 lift f7; 1500 place f8 {seen('P', senses)}; 1700 lift f8; {1700 + gone_ms} press white"
    events = play(log, "7k/5P2/8/8/8/8/8/K2R4 w - - 0 1", senses=senses, clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-promotion"]
    assert not only(c.Move, events)


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("laws", EDITIONS)
def test_with_the_piece_set_down_and_the_pawn_left_beside_it_it_is_unfinished_too(
    senses: c.Senses, laws: c.Edition
) -> None:
    """No sensor fails that shows the pawn where it stands."""
    log = f"1000 place a8 {seen('Q', senses)}; 2500 press white; 9000 time"
    events = play(log, ALONE, senses=senses, clock=CLOCK, laws=laws)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-promotion"]
    assert not only(c.Move, events)
    assert not only(c.Disbelieved, events)


def test_who_set_the_piece_down_before_he_took_the_pawn_off_has_finished_it() -> None:
    log = "1000 choose white r; 2000 lift b8; 2600 place b8; 2800 lift a7; 3000 press white"
    events = play(log, PROMOTION, clock=CLOCK)
    assert record(events) == ["a7b8r"]
    assert not accusations(events)


@pytest.mark.parametrize("laws", EDITIONS)
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("stood", ["", "2000 place h8 {P}; 2600 lift h8; "])
def test_pressed_with_the_square_empty_a_capture_is_an_unfinished_promotion_too(
    laws: c.Edition, senses: c.Senses, stood: str
) -> None:
    """Whether the pawn stood there for a while or not (7.4a, 7.5.2): from 2014 on it becomes a queen."""
    log = f"1000 lift g7; 1600 lift h8; {stood.format(P=seen('P', senses))}4000 press white; 7000 lift e5"
    events = play(log, "7r/6P1/r3p2P/4k3/3p4/8/2K5/8 w - - 0 40", senses=senses, laws=laws, clock=CLOCK)
    assert [(said.ms, said.kind) for said in only(c.Illegal, events)] == [(4000, "unfinished-promotion")]
    if laws in FROM_2014:
        assert only(c.Illegal, events)[0].owed == ["g7h8q"]
    assert not only(c.Move, events)


@blind
def test_nor_has_the_opponent_taken_it_up_who_might_take_there(senses: c.Senses) -> None:
    """The rook on h8 attacks a8; the pawn has stood there, and is off for longer than a brush when White presses."""
    events = play(
        f"1000 lift a7; 1600 place a8 {seen('P', senses)}; 2500 lift a8; 3800 press white",
        "7r/P6k/8/8/8/8/8/K7 w - - 0 1",
        senses=senses,
        clock=CLOCK,
    )
    assert [said.kind for said in only(c.Illegal, events)][-1] == "unfinished-promotion"
    assert not record(events)


def test_nothing_is_dead_while_the_ruling_on_it_is_open() -> None:
    """The pawn is to become a queen (7.5.2), though so far nobody but the kings and a knight stands on the board."""
    unfinished = "1000 lift a7; 4000 press white"
    promoted = "6000 lift f2; 6300 choose black n; 6800 place f1; 7500 lift f1; 8500 place f1; 9500 press black"
    events = play(f"{unfinished}; {promoted}; 20000 time", "8/P4k2/8/4K3/8/8/5p2/8 w - - 0 40", clock=CLOCK)
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-promotion"]
    assert not only(c.Result, events)
