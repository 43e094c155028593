"""Where one illegal move follows another, and nobody rules on them, the game is more likely not what it is taken for:
the arbiter has heard of three, and of no more until he has looked."""

from collections.abc import Sequence

import pytest
from shorthand import CLOCK, only, play

from controller import contract as c

TURN = 4000
"""How long a turn takes, in ms."""

ASKEW = ["g1g3", "g8f6", "g3h3", "f6g8", "h3g3", "h7h6", "g3h3", "h6h5"]
"""A knight that moves like no knight, four times."""

PLAIN = [f"{file}{way[0]}{file}{way[1]}" for file in "abcdef" for way in ("23", "76", "34", "65")]
"""Turns of pawns."""


def played(turns: Sequence[str], words: str = "") -> list[c.AnyEvent]:
    """What is told of these moves. Nobody presses, so the reply completes them (7.5.1)."""
    log = [f"{n * TURN} lift {move[:2]}; {n * TURN + 400} place {move[2:]}" for n, move in enumerate(turns, 1)]
    lines = sorted("; ".join([*log, *filter(None, [words])]).split(";"), key=lambda line: int(line.split()[0]))
    return play(f"{'; '.join(lines)}; 999999 time")


def told(turns: Sequence[str], words: str = "") -> list[str | None]:
    """Of which moves somebody was accused."""
    return [said.uci for said in only(c.Illegal, played(turns, words)) if said.completed]


def test_of_the_fourth_nobody_hears() -> None:
    assert told([*ASKEW, *PLAIN[:2]]) == ["g1g3", "g3h3", "h3g3"]


def test_nor_where_they_are_a_few_moves_apart() -> None:
    turns = [turn for n in range(4) for turn in (*ASKEW[2 * n : 2 * n + 2], *PLAIN[8 * n : 8 * n + 8])]
    assert told(turns) == ["g1g3", "g3h3", "h3g3"]


def test_from_where_play_goes_on_is_told_all_the_same() -> None:
    """Else nobody knows how the knight came to h3."""
    events = played([*ASKEW, *PLAIN[:2]])
    moved = next(number for number, event in enumerate(events) if isinstance(event, c.Move) and event.uci == "h6h5")
    begun = events[moved - 1]
    assert isinstance(begun, c.Restored) and begun.fen is not None
    assert begun.fen.startswith("rnbqkbnr/ppppppp1/7p/8/8/7N/PPPPPPPP/RNBQKB1R b")


def test_who_has_ruled_hears_of_the_next() -> None:
    ruled = f"{len(ASKEW) * TURN - 100} arbiter dismiss"
    assert told([*ASKEW, *PLAIN[:2]], ruled) == ["g1g3", "g3h3", "h3g3", "g3h3"]


def test_what_play_has_borne_out_does_not_count() -> None:
    assert told([*ASKEW[:6], *PLAIN, *ASKEW[6:]]) == ["g1g3", "g3h3", "h3g3", "g3h3"]


def test_what_is_touched_is_told_as_ever() -> None:
    """Black, who has broken no rule so far, moves another pawn than the one that he has touched."""
    log = [
        f"{n * TURN} lift {move[:2]}; {n * TURN + 400} place {move[2:]}"
        for n, move in enumerate([*ASKEW[:6], "a2a3"], 1)
    ]
    touched = "32000 lift a7; 33000 place a7; 34000 lift b7; 34400 place b6; 38000 time"
    events = play(f"{'; '.join(log)}; {touched}")
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]


def test_who_only_stops_the_clocks_has_not_ruled() -> None:
    paused = f"{7 * TURN - 200} arbiter pause; {7 * TURN - 100} arbiter resume"
    assert told([*ASKEW, *PLAIN[:2]], paused) == ["g1g3", "g3h3", "h3g3"]


@pytest.mark.parametrize("astray", [False, True])
def test_where_the_board_is_unlike_the_game_elsewhere_nobody_knows_what_was_illegal(astray: bool) -> None:
    """Pawns of Black's stand on other squares than the game has them, and nobody was seen to move them in his turn."""
    moved = "; ".join(f"{1000 + n * 600} lift {file}7; {1300 + n * 600} place {file}5" for n, file in enumerate("ah"))
    log = f"{moved if astray else '0 time'}; 5000 lift g1; 5600 place g5; 6500 press white; 20000 time"
    told = [said.kind for said in only(c.Illegal, play(log, clock=CLOCK)) if said.completed]
    assert told == ["illegal-move"] * (not astray)


def test_of_the_fourth_move_out_of_turn_nobody_hears_either() -> None:
    """White plays his knight out as soon as he has moved a pawn, and after the next one back."""
    knight = ["g1f3", "f3g1"] * 4
    pawns = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "g2g3", "h2h3"]
    turns = [(pawn, knight[n], f"{pawn[0]}7{pawn[0]}6") for n, pawn in enumerate(pawns)]
    log = [
        f"{at} lift {move[:2]}; {at + 400} place {move[2:]}; {at + 1500} press {side}"
        for n, moves in enumerate(turns)
        for k, (move, side) in enumerate(zip(moves, ("white", "white", "black"), strict=True))
        for at in [1000 + 9000 * n + 3000 * k]
    ]
    told = [
        said.ms // 9000 for said in only(c.Violation, play("; ".join(log), clock=CLOCK)) if said.kind == "out-of-turn"
    ]
    assert told == [0, 2, 4]


def test_touches_out_of_turn_do_not_pile_up() -> None:
    """They say nothing against the position: all of them are told."""
    log = [f"{n * TURN} lift {move[:2]}; {n * TURN + 400} place {move[2:]}" for n, move in enumerate(PLAIN[:12], 1)]
    for n in range(1, 12, 2):
        log[n - 1] += f"; {n * TURN + 1000} lift h1 side=white; {n * TURN + 1500} place h1 side=white"
    assert [said.kind for said in only(c.Violation, play("; ".join([*log, "999999 time"])))] == ["out-of-turn"] * 6
