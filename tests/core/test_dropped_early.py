"""A piece of the stock put on the board by the player who has not the move: his fault alone. The other plays on beside
it, and when the turn comes it may stay, as the drop it is (4.1 and 1.3; 7 and 17 of the blitz à quatre)."""

import pytest
from shorthand import seen
from two_boards import Played

from controller import contract as c

KINGS = "4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1"
MOVED = "3000 A lift e1; 4500 A place d1 K; 6000 A press white"
#: What lies in stock, and whose knight stands on e4 is seen, or cannot be White's.
WHOSE_IS_CLEAR = [("occupancy", "n"), ("colour", "n"), ("colour", "Nn"), ("identity", "n"), ("identity", "Nn")]


def on(senses: c.Senses, log: str, stock: str, b: str | None = None, laws: c.Edition = "fide-2018") -> Played:
    """A match told with kinds, as boards that sense no more than ``senses`` have it."""
    steps = [step.split() for step in log.split(";")]
    told = [[*words[:4], seen(words[4], senses)] if words[2] == "place" else words for words in steps]
    boards = {"a": KINGS.format(stock)} | ({} if b is None else {"b": b})
    return Played(";".join(" ".join(words) for words in told), senses=senses, laws=laws, **boards)


@pytest.mark.parametrize(("senses", "stock"), WHOSE_IS_CLEAR)
@pytest.mark.parametrize("then", ["8000 A press black", "8000 A lift e4; 9500 A place e4 n; 11000 A press black"])
def test_the_other_plays_on_beside_him_and_then_he_is_the_drop(senses: c.Senses, stock: str, then: str) -> None:
    match = on(senses, f"1000 A place e4 n; {MOVED}; {then}", stock)
    assert match.moves("A") == match.completed("A") == ["e1d1", "N@e4"]
    assert not match.all(c.Illegal)
    assert match.stock("A") == (stock.replace("n", ""), "")


@pytest.mark.parametrize(("senses", "stock"), WHOSE_IS_CLEAR)
def test_taken_off_on_his_own_turn_he_binds_nobody(senses: c.Senses, stock: str) -> None:
    log = f"1000 A place e4 n; {MOVED}; 7000 A lift e4; 8000 A lift e8; 9500 A place e7 k; 11000 A press black"
    match = on(senses, log, stock)
    assert match.completed("A") == ["e1d1", "e8e7"]
    assert not match.all(c.Illegal)


@pytest.mark.parametrize(("senses", "stock"), WHOSE_IS_CLEAR)
def test_an_illegal_move_beside_him_is_one_still_and_he_stays_in_one_place(senses: c.Senses, stock: str) -> None:
    log = "1000 A place e4 n; 3000 A lift e1; 4500 A place e3 K; 6000 A press white; 8000 A press black"
    match = on(senses, log, stock)
    (illegal,) = [said for said in match.all(c.Illegal) if said.completed]
    assert (illegal.side, illegal.kind, illegal.uci) == ("white", "illegal-move", "e1e3")
    assert match.completed("A") == ["N@e4"]
    assert match.stock("A")[1] == "", "on the board, and not in the stock as well"


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_one_whom_nobody_has_in_stock_is_in_nobodys_way(senses: c.Senses) -> None:
    log = f"1000 A place e4 n; {MOVED}; 8000 A lift e8; 9500 A place e7 k; 11000 A press black"
    match = on(senses, log, "")
    assert match.completed("A") == ["e1d1", "e8e7"]
    assert not match.accusations
    assert [said.squares for said in match.all(c.Displaced)] == [["e4"]]


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_until_he_comes_from_the_partners_board(senses: c.Senses) -> None:
    """The partner, Black's on A, takes a knight on B, and presses, while that knight is on A already."""
    taken = "4k3/8/8/3n4/4P3/8/8/4K3[] w - - 0 1"
    log = f"1000 A place e4 n; {MOVED}; 7000 B lift e4; 7500 B lift d5; 8000 B place d5 P; 8500 B press white"
    match = on(senses, f"{log}; 10000 A press black", "", taken)
    assert match.moves("A") == match.completed("A") == ["e1d1", "N@e4"]


@pytest.mark.parametrize("stock", ["", "n"])
def test_who_stands_there_since_an_illegal_move_is_no_reply_to_it(stock: str) -> None:
    """White's pawn became a black piece: so far nobody has answered that, and it may be claimed."""
    log = "1000 A lift a7; 2500 A place a8 b; 4000 A press white; 9000 A claim black illegal-move"
    match = Played(log, a=f"7k/P7/8/8/8/8/8/K7[{stock}] w - - 0 1", senses="colour", laws="fide-2018")
    assert match.moves("A") == []
    assert {said.side for said in match.all(c.Illegal)} == {"white"}
    assert [claim.verdict for claim in match.all(c.Claimed)] == ["upheld"]


@pytest.mark.parametrize("laws", ["fide-2009", "fide-2018", "fide-2023"])
@pytest.mark.parametrize(
    ("senses", "stock", "moved", "move"),
    [
        ("occupancy", "n", "1000 A lift e1; 1300 A place d1 K", "e1d1"),
        ("colour", "Nn", "1000 A lift e1; 1300 A place d1 K", "e1d1"),
        ("identity", "Nn", "1300 A place d5 N", "N@d5"),
    ],
)
def test_dropped_in_reply_before_the_press_he_shows_that_the_move_was_released(
    senses: c.Senses, stock: str, moved: str, move: str, laws: c.Edition
) -> None:
    """As fast hands do, within less time than a release takes."""
    log = f"{moved}; 1600 A place e4 n; 1700 A press white; 2100 A press black"
    match = on(senses, log, stock, laws=laws)
    assert match.moves("A") == match.completed("A") == [move, "N@e4"]
    assert not match.accusations
