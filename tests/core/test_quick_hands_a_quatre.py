"""Blitz à quatre: fast hands brush, drop and reply within a moment. What was done is what they meant, and nobody is
accused."""

import pytest
from two_boards import Played

from controller import contract as c

KINGS = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"


def played(log: str, a: str, moves: list[str], b: str = KINGS, **session: object) -> Played:
    """A match in which these moves come out on board A, and nobody is accused."""
    match = Played(log, a=a, b=b, **session)  # type: ignore[arg-type]
    assert match.moves("A") == moves
    assert not match.accusations
    return match


@pytest.mark.parametrize("stock", ["", "P", "p", "Pp"])
@pytest.mark.parametrize("up", [1157, 1207, 1400])
def test_a_piece_brushed_before_another_moves_was_not_taken_by_it(stock: str, up: int) -> None:
    log = f"1000 A lift f1; 1057 A place f1; {up} A lift h1; 1800 A place h2; 2500 A press black; 5000 A time"
    played(log, f"4k3/8/8/8/8/8/P7/3K1B1q[{stock}] b - - 0 1", ["h1h2"])


@pytest.mark.parametrize("clock", ["180", None])
@pytest.mark.parametrize("lifted", [4060, 4130, 4250, 4390])
def test_who_is_dropped_may_be_taken_at_once_also_where_he_came_from_the_partner(
    lifted: int, clock: str | None
) -> None:
    log = (
        "1000 B lift d5; 1200 B lift e4; 1500 B place e4; 2000 B press black; 3000 A choose white p; 4000 A place f7;"
        f"{lifted} A lift f7; {lifted + 150} A lift e8; 4900 A place f7; 8000 A press white; 8100 A press black"
    )
    played(log, KINGS, ["P@f7", "e8f7"], "4k3/8/8/3p4/4P3/8/8/4K3[] b - - 0 1", clock=clock)


@pytest.mark.parametrize("dropped", [1750, 1890, 1910])
def test_who_has_named_a_piece_drops_it_where_the_taker_has_just_left(dropped: int) -> None:
    log = (
        f"1000 A lift a8; 1200 A lift a2; 1500 A place a8; 1600 A choose black n; {dropped} A place a2;"
        "5000 A lift e1; 5400 A place e2; 7000 A lift h7; 7300 A place h6"
    )
    played(log, "r7/7k/8/8/8/8/R7/4K3[n] w - - 0 1", ["a2a8", "N@a2", "e1e2", "h7h6"], clock=None)


@pytest.mark.parametrize("press", [1045, 1090, 1170])
@pytest.mark.parametrize(
    ("senses", "named", "pieces"), [("occupancy", "500 A choose white n; ", ("", "")), ("identity", "", ("N", "P"))]
)
def test_a_piece_brushed_across_the_press_is_no_part_of_the_move(
    senses: c.Senses, named: str, pieces: tuple[str, str], press: int
) -> None:
    back = f"{press + 60} A place a2 {pieces[1]}; 3000 A claim black illegal-move"
    log = f"{named}1000 A place d4 {pieces[0]}; 1030 A lift a2; {press} A press white; {back}"
    match = played(log, "4k3/8/8/8/8/8/P7/4K3[N] w - - 0 1", ["N@d4"], senses=senses)
    assert match.completed("A") == ["N@d4"]
