"""A match: a pawn that is promoted stays on the board, or gives way to a new piece, which the board may see; and a
dropped piece that is exchanged for another one.
"""

import chess
import pytest
from shorthand import accusations as accused_of
from shorthand import inputs, play, record, seen
from two_boards import Played

from controller import contract as c
from controller.match import MatchAQuatre

PAWN = "4k3/6P1/8/8/8/8/8/4K3[] w - - 0 1"
TAKING = "4k3/8/8/8/8/8/7p/4KBN1[] b - - 0 1"
STOCK = "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1"
HALF = [
    "1000 A lift g7; 2500 A press white",
    "1000 A lift g7; 1500 A place g8 P; 1800 A lift g8; 2500 A press white",
    "1000 A lift g7; 1500 A place g8 P; 2000 A lift g8; 2500 A press white",
]


def accusations(played: Played) -> list[tuple[str, c.Side]]:
    return [(e.kind, e.side) for e in played.events if isinstance(e, c.Illegal | c.Violation)]


# -- the press with the square empty ----------------------------------------------------------------------------------


def test_who_takes_the_pawn_off_its_square_has_more_likely_promoted_it_than_taken_it() -> None:
    """The black king could take there."""
    beside = "8/3kP3/8/8/8/8/8/4K3[] w - - 0 1"
    log = "1000 A lift e7; 1300 A place e8 w; 1900 A lift e8; 2800 A press white; 5000 A claim black of=illegal-move"
    assert accusations(Played(log, beside, senses="colour")) == [("unfinished-promotion", "white")]


@pytest.mark.parametrize("log", HALF)
def test_the_clock_pressed_with_the_promotion_square_empty_and_the_pawn_gone_is_unfinished(log: str) -> None:
    played = Played(f"{log}; 4000 A claim black of=illegal-move", PAWN, senses="identity")
    assert accusations(played) == [("unfinished-promotion", "white")]
    assert [(said.verdict, said.article) for said in played.all(c.Claimed)] == [("upheld", "7.5.2")]


@pytest.mark.parametrize("senses", ["identity", "colour", "occupancy"])
@pytest.mark.parametrize("said", ["", "1000 A choose white n;"])
def test_the_pawn_set_down_after_that_is_a_queen_and_no_drop_of_the_opponents(said: str, senses: c.Senses) -> None:
    """From 2014 on, whatever he had named; and nothing more is held against anybody."""
    late = f"1500 A lift g7; 2000 A press white; 2600 A place g8 {seen('P', senses)}"
    log = f"{said} {late}; 5000 A lift e8; 5500 A place d7 {seen('k', senses)}; 6000 A press black"
    played = Played(log, PAWN, senses=senses)
    assert (played.moves("A"), accusations(played)) == (["g7g8q", "e8d7"], [("unfinished-promotion", "white")])


@pytest.mark.parametrize("laws", ["fide-2014", "fide-2023"])
@pytest.mark.parametrize("lifted", [1300, 1490, 2000])
def test_what_stands_beside_was_not_taken_by_a_pawn_that_was_seen_to_stand_on_the_square(
    lifted: int, laws: c.Edition
) -> None:
    """Two black knights look as if the pawn might have taken either of them; it was on g8, and nowhere else."""
    log = f"1000 A lift g7; 1200 A place g8; {lifted} A lift g8; 3000 A press white; 6000 A claim black of=illegal-move"
    played = Played(log, "4kn1n/6P1/8/8/8/8/8/4K3[] w - - 0 1", laws=laws)
    assert (played.moves("A"), accusations(played)) == ([], [("unfinished-promotion", "white")])
    assert [said.verdict for said in played.all(c.Claimed)] == ["upheld"]


def test_where_the_pawn_may_have_taken_what_looks_like_it_that_is_not_said() -> None:
    """A black knight stood on f8: a board that sees no kinds cannot tell whether the white pawn does now."""
    knight = "4kn2/6P1/8/8/8/8/8/4K3[] w - - 0 1"
    log = "1000 A lift g7; 2500 A press white; 3500 A lift e8; 4500 A place f8; 5500 A press black"
    assert accusations(Played(log, knight)) == []
    assert accusations(Played(f"{HALF[0]}; 4000 A claim black of=illegal-move", knight, senses="colour")) == [
        ("unfinished-promotion", "white")
    ]


# -- a new piece in its place ----------------------------------------------------------------------------------------

QUEEN_SEEN = "1000 A lift h2; 1600 A lift g1; 1750 A place g1 p; 2000 A lift g1; 2130 A place g1 q; 2700 A press black"


def test_what_a_board_has_seen_the_pawn_become_excuses_no_illegal_move_by_another_name() -> None:
    """White's bishop is pinned by the queen, and would not be by a knight."""
    log = f"{QUEEN_SEEN}; 3130 A lift f1; 3420 A place g2 B; 3780 A press white; 5500 A claim black of=illegal-move"
    played = Played(log, TAKING, senses="identity")
    assert played.moves("A") == ["h2g1q"]
    assert accusations(played) == [("illegal-move", "white")]
    assert [said.verdict for said in played.all(c.Claimed)] == ["upheld"]
    assert played.all(c.Displaced) == played.all(c.Disbelieved) == []  # the queen stands there in wood, too


@pytest.mark.parametrize("kind", ["q", "r"])
def test_she_is_what_was_seen_also_where_she_is_taken_at_once(kind: str) -> None:
    """The pawn stands on d8, gives way to the new piece, and the king takes that within a tenth of a second."""
    promoted = f"1000 A lift c7; 1092 A lift d8; 1183 A place d8 P; 1486 A lift d8; 2124 A place d8 {kind.upper()}"
    log = f"{promoted}; 2209 A lift d8; 2595 A lift e8; 2830 A place d8 k; 4000 A lift a2; 4400 A place a3 P"
    played = Played(log, "3qk3/2P5/8/8/8/8/P7/4K3[] w - - 0 1", senses="identity", clock=None)
    assert (played.moves("A"), accusations(played)) == ([f"c7d8{kind}", "e8d8", "a2a3"], [])


def test_after_it_stands_there_the_opponent_may_put_a_piece_straight() -> None:
    promoted = "1000 A lift b7; 1500 A place b8 Q; 1800 A adjust black; 2100 A press white"
    log = f"{promoted}; 3000 A lift h7; 3500 A place h7 p; 4500 A lift h7; 4800 A place h6 p; 5200 A press black"
    played = Played(log, "8/1P5p/4k3/8/8/8/8/4K3[] w - - 0 1", senses="identity")
    assert (played.moves("A"), accusations(played)) == (["b7b8q", "h7h6"], [])


RECAPTURED = "4k3/7p/8/8/8/8/4pQ2/4KB2"
UNNAMED = "1000 lift e2; 1300 lift f1; 1400 place f1; 1600 lift f1; 2100 place f1; 2300 press black"
AT_ONCE = "3500 lift f2; 3530 lift f1; 3550 place f1; 4000 press white; 5000 lift h7; 5300 place h6; 5500 press black"


def test_who_takes_her_at_once_does_not_make_a_knight_of_an_unnamed_queen() -> None:
    events = play(f"{UNNAMED}; {AT_ONCE}", f"{RECAPTURED} b - - 0 1", clock="180")
    assert (record(events), accused_of(events)) == (["e2f1q", "f2f1", "h7h6"], [])
    log = "; ".join(part.replace(" ", " A ", 1) for part in f"{UNNAMED}; {AT_ONCE}".split("; "))
    played = Played(log, f"{RECAPTURED}[] b - - 0 1")
    assert (played.moves("A"), accusations(played)) == (["e2f1q", "f2f1", "h7h6"], [])


# -- drops -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("instead", "said"), [("P", [("released-move", "white")]), ("N", [])])
def test_17_a_released_drop_may_not_give_way_to_another_piece(instead: str, said: list[tuple[str, c.Side]]) -> None:
    log = f"1000 A place e4 N; 2500 A lift e4; 3000 A place e4 {instead}; 4000 A press white"
    played = Played(log, STOCK, senses="identity")
    assert (played.moves("A"), accusations(played)) == (["N@e4"], said)


def test_who_puts_his_dropped_piece_straight_has_not_moved_it_on() -> None:
    """He may not (4.2), since it is not his turn, and that is one offence."""
    log = "1000 A place e4 N; 3000 A adjust white; 3300 A lift e4; 3900 A place e4 N; 6000 A lift e8; 6500 A place e7 k"
    played = Played(log, STOCK, senses="identity", clock=None)
    assert (played.moves("A"), accusations(played)) == (["N@e4", "e8e7"], [("adjust-out-of-turn", "white")])


def test_who_sets_his_drop_down_twice_has_not_had_it_touched_by_the_opponent() -> None:
    """White takes, Black retakes, White drops a knight on h7, which stands for a moment at first; Black's rook could
    take it, and his pawn moves."""
    position = "4kq1r/4pn2/6P1/8/5p2/8/8/4K3[NP] w - - 0 1"
    taken = "1259 A lift g6; 1371 A lift f7; 1448 A place f7 w; 1638 A lift f7; 1912 A lift e8; 2106 A place f7 b"
    dropped = "2278 A place h7 w; 2347 A lift h7; 2563 A place h7 w; 2811 A choose white n"
    replied = "3179 A lift f4; 3499 A place f3 b; 6000 A lift e1; 6400 A place d1 w"
    played = Played(f"{taken}; {dropped}; {replied}", position, senses="colour", clock=None)
    assert (played.moves("A"), accusations(played)) == (["g6f7", "e8f7", "N@h7", "f4f3", "e1d1"], [])


@pytest.mark.parametrize("later", [0, 1500, 3500])
def test_in_silence_a_piece_may_be_dropped_before_its_capture_is_told(later: int) -> None:
    """Black takes the knight on board B, and who retakes holds the pawn for a while: only then is that told."""
    retaken = f"{5000 + later} B lift e3; {5300 + later} B place d4 P"
    taken = f"3000 B lift c5; 3130 B lift d4; 3245 B place d4 p; 3500 B lift d4; {retaken}"
    here = "4400 A place c7 N; 5500 A lift d7; 5700 A lift c7; 5990 A place c7 q; 6800 A lift g2; 7100 A place g4 P"
    log = "; ".join(sorted(f"{taken}; {here}".split("; "), key=lambda line: int(line.split()[0])))
    a, b = "4k3/3q4/8/8/8/1P6/6P1/4K3[] w - - 0 1", "6k1/8/8/2p5/3N4/4P3/7P/6K1[] b - - 0 1"
    played = Played(log, a, b, senses="identity", clock=None)
    assert (played.moves("A"), played.moves("B")) == (["N@c7", "d7c7", "g2g4"], ["c5d4", "e3d4"])
    assert accusations(played) == []


@pytest.mark.parametrize("on_the_way", ["", "1316 A place c6; 1466 A lift c6;"])
def test_a_piece_dropped_where_one_has_just_left_is_not_that_one_put_back(on_the_way: str) -> None:
    """In silence Black's pawn goes to b5, and White's queen is dropped on b7 a quarter of a second later; or Black has
    put his pawn back, and dropped another one. One of the two is lawful."""
    position = "1nbqkbnr/1ppppppp/8/5P1P/2PN4/3p2P1/1P1PPK1R/2r2B2[Qp] b k - 1 12"
    played = Played(f"1000 A lift b7; 1236 A place b5; {on_the_way} 1486 A place b7", position, clock=None)
    assert (played.moves("A"), accusations(played)) == (["b7b5", "Q@b7"], [])


def test_an_earlier_capture_that_was_told_takes_nothing_away_from_that() -> None:
    """Black has taken a pawn on board B before, and White has retaken: that is told before the knight is dropped."""
    before = "1000 B lift a5; 1100 B lift a3; 1300 B place a3 r; 2000 B lift a1; 2300 B place b3 N"
    taken = "3000 B lift c5; 3130 B lift d4; 3245 B place d4 p; 3500 B lift d4; 5000 B lift e3; 5300 B place d4 P"
    here = "4400 A place c7 N; 5500 A lift d7; 5700 A lift c7; 5990 A place c7 q; 6800 A lift g2; 7100 A place g4 P"
    log = "; ".join(sorted(f"{before}; {taken}; {here}".split("; "), key=lambda line: int(line.split()[0])))
    a, b = "4k3/3q4/8/8/8/1P6/6P1/4K3[] w - - 0 1", "6k1/8/8/r1p5/3N4/P3P2p/8/N5K1[] b - - 0 1"
    played = Played(log, a, b, senses="identity", clock=None)
    assert (played.moves("A"), accusations(played)) == (["N@c7", "d7c7", "g2g4"], [])


def test_nor_need_more_of_it_be_seen_than_that_a_square_was_filled_again() -> None:
    taken = "1000 A lift c2; 1012 A lift b3; 1054 A place b3; 1500 B lift e2; 1800 B place e4"
    log = f"{taken}; 3000 B place e3; 4500 B lift d2; 4800 B lift e3; 5000 B place e3; 8000 A lift h7; 8500 A place h6"
    a, b = "4k3/7p/8/8/8/1n6/2P5/4K3[] w - - 0 1", "4k3/8/8/8/8/8/3PP3/4K3[] w - - 0 1"
    played = Played(log, a, b, clock=None)
    assert (played.moves("A"), played.moves("B")) == (["c2b3", "h7h6"], ["e2e4", "N@e3", "d2e3"])
    assert accusations(played) == []


@pytest.mark.parametrize("new", ["Q", "R"])
def test_a_new_piece_that_the_board_sees_needs_no_other_name_to_mate(new: str) -> None:
    mates = "6nk/5P1p/8/8/8/8/8/K5R1[] w - - 0 1"
    played = Played(
        f"1000 A lift f7; 1500 A lift g8; 1900 A place g8 {new}; 2700 A press white", mates, senses="identity"
    )
    assert played.moves("A") == [f"f7g8{new.lower()}"]
    assert played.result("A") == ("1-0", "checkmate")


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_no_sensor_is_to_blame_where_a_drop_awaits_its_name(senses: c.Senses) -> None:
    session = c.Session(version=1, match="bughouse", fen=c.BoardFens(A=STOCK, B=PAWN), clock="180", senses=senses)
    match = MatchAQuatre(session)
    for item in inputs(f"1000 place d5 {seen('N', senses)} board=A; 12000 time board=A"):
        match.handle(item)
    assert match.games["A"].excused == {chess.D5}
