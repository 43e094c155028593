"""What is said just before the opponent's move is seen to stand is said in one's own turn, once that move is made."""

import pytest
from shorthand import accusations, only, play, record, seen

from controller import contract as c

SENSES = ("occupancy", "colour", "identity")
TWO_PAWNS = "4k3/1P3P2/8/8/8/8/8/K7 w - - 0 1"
CLOCK = "600+5"


def announced(said: int, senses: c.Senses, landed: int = 2500) -> list[c.AnyEvent]:
    """White plays d2-d3, seen to land at 2500; Black says "j'adoube" and puts his bishop straight after the press."""
    log = (
        f"{said} adjust black; {landed} place d3 {seen('P', senses)}; 3000 press white; 3400 lift c8;"
        f"4200 place c8 {seen('b', senses)}; 5000 lift a7; 5300 place a6 {seen('p', senses)}; 6000 press black"
    )
    return play(f"2000 lift d2; {log}", senses=senses, clock=CLOCK)


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("before_ms", [1, 40, 140])
def test_who_announces_just_before_the_landing_is_seen_has_the_move(before_ms: int, senses: c.Senses) -> None:
    """4.2: the two came at once, as far as anybody can tell."""
    events = announced(2500 - before_ms, senses)
    assert (record(events), accusations(events)) == (["d2d3", "a7a6"], [])
    assert [said.squares for said in only(c.Adjusted, events)] == [["c8"]]


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("before_ms", [200, 400])
def test_who_announces_earlier_does_not(before_ms: int, senses: c.Senses) -> None:
    events = announced(2500 - before_ms, senses)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "adjust-out-of-turn")]


@pytest.mark.parametrize("senses", SENSES)
def test_nor_who_announces_while_the_opponent_takes_a_piece_up_and_puts_it_back(senses: c.Senses) -> None:
    log = f"2000 lift d2; 2400 adjust black; 2500 place d2 {seen('P', senses)}; 9000 time"
    (said,) = accusations(play(log, senses=senses, clock=CLOCK))
    assert isinstance(said, c.Violation)
    assert (said.side, said.kind) == ("black", "adjust-out-of-turn")


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
@pytest.mark.parametrize(("before_ms", "becomes"), [(-30, "n"), (1, "n"), (40, "n"), (140, "n"), (400, "q")])
def test_who_names_his_next_promotion_just_before_the_landing_is_seen_names_it(
    before_ms: int, becomes: str, senses: c.Senses
) -> None:
    """4.4.4: a word before that can only have been of the last one, which is settled."""
    pawn, king = seen("P", senses), seen("k", senses)
    inputs = [
        *("1000 lift b7", f"1400 place b8 {pawn}", "1800 lift b8", f"2400 place b8 {pawn}", "2800 press white"),
        *("4000 lift e8", f"{4500 - before_ms} choose white n", f"4500 place d7 {king}", "4900 press black"),
        *("5500 lift f7", f"5900 place f8 {pawn}", "6300 lift f8", f"6900 place f8 {pawn}", "7400 press white"),
    ]
    inputs.sort(key=lambda each: int(each.split()[0]))
    events = play("; ".join(inputs), TWO_PAWNS, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["b7b8q", "e8d7", f"f7f8{becomes}"], [])
