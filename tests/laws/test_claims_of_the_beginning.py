"""Claims that pieces or the board stood wrongly, or that the clock was set so, until each edition's limit (6.10, 7.2,
B.4)."""

import pytest
from at_the_board import ALL, Table, by_edition

from controller import contract as c

PAWNS = [f"{file}{line}" for file in "abcdefgh" for line in (f"2{file}3", f"7{file}6")]
MOVES = [*PAWNS, "a3a4", "a6a5", "h3h4", "h6h5"]
LIMITS = by_edition(3, 3, 10, 10, 10)
RAPID = by_edition("B.4", "A.4a", "A.4a", "A.4.1", "A.5.1")
STANDARD = {
    "wrong-array": by_edition("7.1a", "7.1a", "7.2a", "7.2.1", "7.2.1"),
    "turned-board": by_edition("7.1b", "7.1b", "7.2b", "7.2.2", "7.2.2"),
    "wrong-clock": by_edition("6.11", "6.10b", "6.10b", "6.10.2", "6.10.2"),
}
PLAYS: list[tuple[c.Play, str]] = [("rapid", "900"), ("blitz", "300+200")]


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize(("play", "clock"), PLAYS)
@pytest.mark.parametrize("of", STANDARD)
def test_in_rapid_and_blitz_it_is_too_late_once_both_have_made_so_many_moves(
    laws: c.Edition, play: c.Play, clock: str, of: str
) -> None:
    limit = LIMITS[laws]
    table = Table(laws, play=play, clock=clock, supervised=False).play(*MOVES[: 2 * limit - 1])
    assert table.claim("white", of) == "referred"
    assert table.all(c.Claimed)[-1].article == RAPID[laws]
    table = Table(laws, play=play, clock=clock, supervised=False).play(*MOVES[: 2 * limit])
    assert (table.claim("white", of), table.game.state.notices) == ("lapsed", ())


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("of", STANDARD)
def test_in_standard_play_there_is_no_limit(laws: c.Edition, of: str) -> None:
    table = Table(laws, clock="5400+30").play(*MOVES)
    assert (table.claim("black", of), table.all(c.Claimed)[-1].article) == ("referred", STANDARD[of][laws])


def test_a_wrong_array_upheld_begins_a_new_game_and_dismissed_play_goes_on() -> None:
    table = Table("fide-2023").play("e2e4")
    table.claim("black", "wrong-array")
    assert (table.all(c.Displaced)[-1].beginning, table.all(c.Displaced)[-1].remedy) == ("wrong-array", "new-game")
    table.rule("uphold", answers=table.all(c.Claimed)[-1].id)
    assert (len(table.game.state.made), table.fen.split()[1]) == (0, "w")
    table = Table("fide-2023").play("e2e4")
    table.claim("black", "wrong-array")
    assert table.rule("dismiss").play("e7e5").all(c.Completed)[-1].uci == "e7e5"


def test_what_the_board_saw_itself_is_upheld() -> None:
    table = Table("fide-2023", senses="identity")
    table.events += table.game.handle(c.Place(ms=0, square="d1", piece="K"))
    table.events += table.game.handle(c.Place(ms=0, square="e1", piece="Q"))
    assert table.give(c.Time).claim("black", "wrong-array") == "upheld"
    assert len(table.game.state.notices) == 1


def test_a_wrong_clock_upheld_stands_still_until_it_is_set() -> None:
    table = Table("fide-2023", clock="600").play("e2e4")
    table.claim("black", "wrong-clock")
    table.rule("uphold").wait(60_000)
    assert (table.all(c.Claimed)[-1].verdict, table.all(c.Clock)[-1].running) == ("upheld", None)
    table.rule("set-clock", white_ms=900_000, black_ms=900_000).rule("resume")
    assert (table.all(c.Clock)[-1].running, table.left("black")) == ("black", 900_000)
    table.claim("black", "wrong-clock")
    assert table.rule("dismiss").all(c.Claimed)[-1].verdict == "rejected"


def test_of_a_turned_board_the_position_is_transferred_and_the_game_goes_on() -> None:
    table = Table("fide-2023", clock="600").play("e2e4")
    table.claim("black", "turned-board")
    table.rule("uphold").wait(60_000)
    assert (table.all(c.Claimed)[-1].verdict, table.all(c.Clock)[-1].running) == ("upheld", None)
    assert (table.all(c.Displaced)[-1].beginning, table.all(c.Displaced)[-1].remedy) == ("turned-board", "transfer")
    table.rule("resume").play("e7e5")
    assert ([made.uci for made in table.all(c.Completed)], table.game.state.notices) == (["e2e4", "e7e5"], ())
    table.claim("white", "turned-board")
    assert table.rule("dismiss").all(c.Claimed)[-1].verdict == "rejected"


def test_without_a_clock_none_was_set_wrongly() -> None:
    assert Table("fide-2023", clock=None).claim("white", "wrong-clock") == "inadmissible"
