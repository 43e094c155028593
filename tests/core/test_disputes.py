"""What an arbiter would say: cases that players dispute, and what the Laws and the contract make of them.

One row a case: what is played, what must be said of it in this order, and what must not be said.
"""

from typing import Any

import msgspec
import pytest
from shorthand import CASTLING, CLOCK, EN_PASSANT, MIDDLEGAME, PROMOTION, only, play, record

from controller import contract as c

BLACK_TO_MOVE = MIDDLEGAME.replace(" w ", " b ")
KNIGHT = "4k3/7p/8/8/8/8/4N3/4K3 w - - 0 1"
BARRED = "4k3/8/b7/8/8/8/3P1PPP/R3K2R w KQ - 0 1"
PROMOTES = "8/P6k/6p1/8/8/8/8/K7 w - - 0 1"
UNFINISHED = "1000 lift a7; 2500 place a8 P; 4000 press white; 5000 arbiter uphold; 6000 lift a8; 7000 place a7 P; "
ILLEGAL = "1000 lift e2; 2500 place e4; 4000 press white; "

Said = dict[str, Any]


def said(event: str, /, **fields: Any) -> Said:
    return {"type": event, **fields}


def case(about: str, log: str, fen: str, *expected: Said, never: tuple[Said, ...] = (), **fields: Any) -> Any:
    """A row."""
    return pytest.param(log, fen, expected, never, {"clock": CLOCK, **fields}, id=about)


ACCUSED = (said("violation"), said("illegal"), said("penalty"))
IDENTITY: dict[str, Any] = {"senses": "identity"}

CASES = [
    # 4.2: j'adoube
    case(
        "announced, lifted and put back: adjusted, and d3 is free",
        "1000 adjust white; 2000 lift f3; 3500 place f3; 5000 lift d2; 6000 place d3; 7000 press white",
        MIDDLEGAME,
        said("adjusted", side="white", squares=["f3"]),
        said("completed", uci="d2d3"),
        never=(said("touch", square="f3"), *ACCUSED),
    ),
    case(
        "an opponent's piece adjusted",
        "1000 adjust white; 2000 lift e5; 3500 place e5",
        MIDDLEGAME,
        said("adjusted", squares=["e5"]),
        never=(said("touch"), *ACCUSED),
    ),
    case(
        "the announcement is too long ago",
        "1000 adjust white; 11001 lift f3; 12500 place f3",
        MIDDLEGAME,
        said("touch", square="f3"),
        never=(said("adjusted"),),
    ),
    case(
        "announced after one piece was touched: that one stays touched",
        "1000 lift c4; 2000 place c4; 3000 adjust white; 4000 lift f3; 5000 place f3",
        MIDDLEGAME,
        said("touch", square="c4"),
        said("adjusted", squares=["f3"]),
        never=(said("touch", square="f3"),),
    ),
    # 4.3: touched
    case(
        "the touched piece is moved after all",
        "1000 lift f3; 2500 place f3; 4000 lift f3; 5000 place g5; 6000 press white",
        MIDDLEGAME,
        said("completed", uci="f3g5"),
        never=ACCUSED,
    ),
    case(
        "a piece brushed while another is in hand",
        "1000 lift f3; 1500 lift g2; 1560 place g2; 3000 place g5; 4000 press white",
        MIDDLEGAME,
        said("brush", square="g2"),
        said("completed", uci="f3g5"),
        never=(said("touch", square="g2"), *ACCUSED),
    ),
    case(
        "an enemy's pawn taken off the board, the knight then released elsewhere: the capture was due",
        "1000 lift e5; 2000 lift f3; 3000 place g5; 4000 place e5; 5000 press white",
        MIDDLEGAME,
        said("obligation", must="capture", moves=["f3e5"], article="4.3.3"),
        said("move", uci="f3g5"),
        said("violation", kind="touch-move", article="4.3.3"),
    ),
    case(
        "the pawn still in hand, the king moved: the same",
        "1000 lift e5; 2000 lift e1; 3000 place f1; 4000 place e5; 6000 press white",
        MIDDLEGAME,
        said("obligation", must="capture", moves=["f3e5"]),
        said("violation", kind="touch-move"),
    ),
    case(
        "two own pieces in hand, the second one moved: the first was due",
        "1000 lift f3; 2000 lift d2; 3000 place d3 P; 4000 place f3 N; 5000 press white",
        MIDDLEGAME,
        said("move", uci="d2d3"),
        said("violation", kind="touch-move", article="4.3.1"),
        **IDENTITY,
    ),
    # 4.7: released
    case(
        "a released knight moved on: the first move stands",
        "1000 lift f3; 2000 place g5; 4000 lift g5; 5000 place d4; 6000 press white",
        MIDDLEGAME,
        said("move", uci="f3g5"),
        said("violation", kind="released-move", article="4.7"),
        said("completed", uci="f3g5"),
        never=(said("move", uci="f3d4"), said("illegal")),
    ),
    case(
        "the same by a hand that is known",
        "1000 lift f3; 2000 place g5; 4000 lift g5 side=white; 5000 place d4 side=white; 6000 press white",
        MIDDLEGAME,
        said("violation", kind="released-move"),
    ),
    case(
        "a released knight taken back leaves the opponent bound to nothing",
        "1000 lift f3; 2000 place g5; 4000 lift g5; 5000 place f3; 6000 press white",
        MIDDLEGAME,
        said("obligation", side="black", must="none"),
        said("violation", side="white", kind="released-move"),
    ),
    case(
        "knight set down where it cannot go, put right before the press",
        "1000 lift e2; 2500 place e4; 4000 lift e4; 5000 place f4; 6000 press white",
        KNIGHT,
        said("completed", uci="e2f4"),
        never=(said("illegal", completed=True), said("penalty"), said("violation")),
    ),
    # 4.4: castling
    case(
        "king released on g1, then king to e2",
        "1000 lift e1; 2500 place g1; 4000 lift g1; 5500 place e1; 7000 lift e1; 8000 place e2; 9000 press white",
        CASTLING,
        said("obligation", must="castle", moves=["e1g1"], article="4.7.2"),
        said("violation", kind="released-move", article="4.7.2"),
        never=(said("illegal"),),
    ),
    case(
        "king released on g1, put back, then a pawn moved: one violation",
        "1000 lift e1; 2500 place g1; 4000 lift g1; 5500 place e1; 7000 lift a2; 8000 place a3; 9000 press white",
        CASTLING,
        said("violation", kind="touch-move", article="4.3.1"),
        never=(said("violation", kind="released-move"), said("illegal")),
    ),
    case(
        "rook touched, king touched, castled: that side was barred",
        "1000 lift h1; 2500 place h1; 4000 lift e1; 5500 place g1; 7000 lift h1; 8500 place f1; 10000 press white",
        CASTLING,
        said("obligation", must="move", moves=["h1f1", "h1g1"], article="4.4.2"),
        said("violation", kind="castling-order", article="4.4.2"),
        never=(said("illegal"),),
    ),
    case(
        "castling through an attack, put right by another king move",
        "1000 lift e1; 2500 place g1; 4000 lift g1; 5000 place d1; 6000 press white",
        BARRED,
        said("obligation", must="king", moves=["e1c1", "e1d1"], article="4.4.3"),
        said("completed", uci="e1d1"),
        never=(said("violation"), said("penalty")),
    ),
    case(
        "the same put right with the rook",
        "1000 lift e1; 2500 place g1; 4000 lift g1; 5000 place e1; 6000 lift h1; 7000 place g1; 8000 press white",
        BARRED,
        said("violation", kind="touch-move", article="4.4.3"),
    ),
    case(
        "castling after the right is lost is one irregularity until it is put right",
        "1000 lift e1; 2500 place g1; 4000 lift h1",
        CASTLING.replace("KQkq", "kq"),
        said("illegal", completed=False),
        never=(said("illegal", ms=4400),),
    ),
    case(
        "the queen's rook may pass an attacked square",
        "1000 lift e1; 2500 place c1; 4000 lift a1; 5500 place d1; 6500 press white",
        "1r2k3/8/8/8/8/8/5PPP/R3K3 w Q - 0 1",
        said("completed", uci="e1c1"),
        never=ACCUSED,
    ),
    # 3.7.3.1: en passant
    case(
        "pawn released beside its victim, then moved on instead",
        "1000 lift e5; 2500 place d6; 4000 lift d6; 5000 place e6; 6000 press white",
        EN_PASSANT,
        said("obligation", must="capture", moves=["e5d6"], article="4.7.1"),
        said("violation", kind="released-move", article="4.7.1"),
    ),
    case(
        "the wrong pawn removed, put back, the right one removed",
        "1000 lift e5; 2500 place d6; 3000 lift f5; 4000 place f5; 5000 lift d5; 6000 press white",
        "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 2",
        said("completed", uci="e5d6"),
        never=(said("violation"), said("penalty")),
    ),
    case(
        "en passant that leaves the king in check",
        "1000 lift e5; 2500 place d6; 3000 lift d5; 4000 press white",
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
        said("illegal", kind="illegal-move", completed=True, count=1),
        never=(said("move"),),
    ),
    # 4.4.4, 4.6, 4.7.3: promotion
    case(
        "the choice may change until the piece stands there",
        "1000 lift a7; 1500 choose white n; 1800 choose white r; 2500 place a8; 3500 press white",
        PROMOTES,
        said("completed", uci="a7a8r"),
        never=ACCUSED,
    ),
    case(
        "pawn pushed, taken off, a rook put there",
        "1000 lift a7; 2500 place a8 P; 3500 lift a8; 4500 place a8 R; 5500 press white",
        PROMOTES,
        said("obligation", must="promote", moves=["a7a8b", "a7a8n", "a7a8q", "a7a8r"], article="4.7.3"),
        said("obligation", must="promote", moves=["a7a8r"], article="4.4.4"),
        said("completed", uci="a7a8r"),
        never=ACCUSED,
        **IDENTITY,
    ),
    case(
        "pawn released on a8, then the capture on b8 instead: a8 was fixed",
        "1000 lift a7; 2500 place a8 P; 4000 lift a8; 4500 lift b8; 5000 place b8 Q; 6000 press white",
        PROMOTION,
        said("obligation", must="promote", moves=["a7a8b", "a7a8n", "a7a8q", "a7a8r"], article="4.7.3"),
        said("violation", kind="released-move", article="4.7.3"),
        never=(said("obligation", moves=["a7b8q"]), said("illegal")),
        **IDENTITY,
    ),
    case(
        "a pawn left on a8 becomes a queen, also after the ruling",
        UNFINISHED + "8000 arbiter resume; 9000 lift a7; 10000 place a8 N; 11000 press white",
        PROMOTES,
        said("obligation", must="promote", moves=["a7a8q"]),
        said("violation"),
        never=(said("obligation", moves=["a7a8n"]),),
        **IDENTITY,
    ),
    case(
        "in 2005 the choice stays free after the ruling",
        UNFINISHED + "8000 arbiter resume; 9000 lift a7; 10000 place a8 N; 11000 press white",
        PROMOTES,
        said("completed", uci="a7a8n"),
        never=(said("violation"),),
        laws="fide-2005",
        **IDENTITY,
    ),
    # 7.4: pieces that do not stand where the game has them
    case(
        "Black knocks White's knight over: no move of White's",
        "1000 lift f3 side=black; 3000 time; 4000 place f3 side=black",
        MIDDLEGAME,
        said("violation", side="black", kind="out-of-turn"),
        said("displaced", squares=["f3"]),
        said("restored"),
        never=(said("move"), said("touch")),
    ),
    case(
        "White knocks Black's knight over",
        "1000 lift c6 side=white; 3000 time; 4000 place c6 side=white",
        BLACK_TO_MOVE,
        said("violation", side="white", kind="out-of-turn"),
        said("displaced", squares=["c6"]),
        said("restored"),
        never=(said("move"), said("touch")),
    ),
    case(
        "White played too early; Black moves, White presses: the move on the board is his move",
        "1000 lift d2; 2500 place d3; 5000 lift g8; 6000 place f6; 7000 press black; 9000 press white",
        BLACK_TO_MOVE,
        said("violation", side="white", kind="out-of-turn"),
        said("completed", uci="g8f6"),
        said("move", side="white", uci="d2d3"),
        said("completed", uci="d2d3"),
        never=(said("illegal"), said("penalty")),
    ),
    case(
        "a piece lifted while it was displaced is not yet restored",
        "1000 lift f3; 2000 place g5; 4000 lift g5; 5000 place d4; 6000 lift d4; 7000 place g5; 8000 press white",
        MIDDLEGAME,
        said("displaced", squares=["d4", "g5"]),
        said("restored", ms=7000),
        never=(said("restored", ms=6000),),
    ),
    # 7.5: illegal moves
    case(
        "a king is never taken, not even in a position that no game reaches",
        "1000 lift e1; 2000 place e8 R; 3000 press white",
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        said("illegal", kind="illegal-move", completed=True),
        never=(said("move"), said("result")),
        **IDENTITY,
    ),
    case(
        "an enemy's queen on a1 lifted and set down with a knight in hand that cannot take there, and pressed",
        "1000 lift g1; 2000 lift a1; 3000 place a1; 4000 press white",
        "4k3/8/8/8/8/8/8/q2K2N1 w - - 0 1",
        said("illegal", kind="illegal-move", completed=True),
        never=(said("illegal", kind="no-move"), said("violation", kind="clock-misuse")),
        laws="fide-2005",
    ),
    case(
        "corrected before the ruling, the price is still owed",
        ILLEGAL + "5000 lift e4; 6000 place f4; 7000 arbiter uphold",
        KNIGHT,
        said("penalty", status="proposed", time_ms=120_000),
        said("move", uci="e2f4"),
        said("penalty", status="applied", time_ms=120_000),
    ),
    case(
        "until the ruling only a move that meets the obligation is made",
        ILLEGAL + "5000 lift e4; 6000 place e2; 6500 lift e1; 7000 place d1",
        KNIGHT,
        said("illegal", completed=True),
        never=(said("move"),),
    ),
    case(
        "after a breach is upheld the touches still bind",
        "1000 lift f3; 2000 place f3; 3000 lift b1; 4000 place c3; 5000 press white; 6000 arbiter uphold; "
        "7000 lift c3; 8000 place b1; 9000 arbiter resume; 10000 lift f3; 11000 place g5; 12000 press white",
        MIDDLEGAME,
        said("violation", kind="touch-move"),
        said("retract", uci="b1c3"),
        said("obligation", moves=["f3d4", "f3e5", "f3g1", "f3g5", "f3h4"]),
        said("restored"),
        said("completed", uci="f3g5"),
    ),
    case(
        "a press without a move takes no number",
        "4000 press white; 6000 lift d7; 6500 place d5; 7500 press black; 8000 lift e2; 9000 place e4",
        "startpos",
        said("illegal", kind="no-move"),
        said("move", uci="d7d5", ply=1),
        said("move", uci="e2e4", ply=2),
    ),
]


@pytest.mark.parametrize(("log", "fen", "expected", "never", "fields"), CASES)
def test_case(log: str, fen: str, expected: tuple[Said, ...], never: tuple[Said, ...], fields: dict[str, Any]) -> None:
    events = [msgspec.to_builtins(event) for event in play(log, fen, **fields)]
    rest = iter(events)
    for wanted in expected:
        assert any(wanted.items() <= event.items() for event in rest), f"not said, in this order: {wanted}"
    for unwanted in never:
        assert not [event for event in events if unwanted.items() <= event.items()]


@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize("first", ["9000 lift f6; 9500 lift h4", "9000 lift h4; 9500 lift f6"])
def test_a_piece_moved_on_and_put_back_is_taken_where_it_stands(first: str, clock: str | None) -> None:
    fen = "8/3k1pr1/R3p2p/1P6/2B1PPpQ/7P/1P3P2/5RK1 b - - 0 30"
    moved_on = "1000 lift f7; 1500 place f6; 4000 lift f6; 4500 place f5; 6000 lift f5; 6500 place f6"
    presses = ["7000 press black; ", "; 11000 press white"] if clock else ["", ""]
    events = play(f"{moved_on}; {presses[0]}{first}; 10000 place f6{presses[1]}", fen, clock=clock)
    assert record(events) == ["f7f6", "h4f6"]
    assert [event.kind for event in only(c.Violation, events)] == ["released-move"]
