"""By which edges a move showed: counted over a record of which it is known what was lost."""

from collections.abc import Sequence

import chess
import pytest
from msgspec.structs import replace
from shorthand import CASTLING, EN_PASSANT, MIDDLEGAME

from controller import contract as c
from controller.game import Game
from controller.sensing.signs import Lost, SeenGame, recorded

WORDS = {"-": c.Lift, "+": c.Place}


def lines_of(session: c.Session, log: str, moves: str, lost: Sequence[int] = ()) -> list[c.AnyInput | c.AnyEvent]:
    """A journal of these moves. ``log``: the edges of each, moves apart by ``|``; those of the numbers ``lost``, over
    all, did not come."""
    board, lines, number = chess.Board(session.fen), list[c.AnyInput | c.AnyEvent](), 0
    for ply, (edges, uci) in enumerate(zip(log.split("|"), moves.split(), strict=True), 1):
        for word in edges.split():
            if number not in lost:
                piece = {"piece": word[3:]} if word[3:] else {}
                lines.append(WORDS[word[0]](ms=100 * number, square=word[1:3], **piece))
            number += 1
        board.push_uci(uci)
        side: c.Side = "black" if board.turn else "white"
        lines.append(c.Move(ms=100 * number, side=side, uci=uci, san="", fen=board.fen(), ply=ply))
    return lines


def session_of(fen: str, senses: c.Senses = "occupancy") -> c.Session:
    return c.Session(version=1, fen=chess.STARTING_FEN if fen == "startpos" else fen, senses=senses)


def record(fen: str, log: str, moves: str, lost: Sequence[int] = (), senses: c.Senses = "occupancy") -> SeenGame:
    session = session_of(fen, senses)
    return recorded(session, lines_of(session, log, moves, lost))


ALL_SEEN = [
    ("startpos", "-e2 +e4|-e7 +e5", "e2e4 e7e5", 4),
    ("startpos", "+e4 -e2", "e2e4", 2),  # the destination first
    ("startpos", "-d2 +d2 -e2 +e4", "e2e4", 2),  # a piece put straight besides
    ("startpos", "-e2 +e3 -e3 +e4", "e2e4", 2),  # set down in passing
    (MIDDLEGAME, "-e5 -f3 +e5", "f3e5", 2),
    (MIDDLEGAME, "-f3 -e5 +e5", "f3e5", 2),
    (MIDDLEGAME, "-f3", "f3e5", 1),  # swapped within one scan
    (CASTLING, "-e1 +g1 -h1 +f1", "e1g1", 4),
    (CASTLING, "-e1 -a1 +d1 +c1", "e1c1", 4),
    (EN_PASSANT, "-e5 +d6 -d5", "e5d6", 3),
]


@pytest.mark.parametrize(("fen", "log", "moves", "edges"), ALL_SEEN)
def test_of_what_was_seen_nothing_is_lost(fen: str, log: str, moves: str, edges: int) -> None:
    assert record(fen, log, moves).lost == Lost(edges, 0)


@pytest.mark.parametrize(
    ("fen", "log", "moves", "number", "edges"),
    [
        *[("startpos", "-e2 +e4|-e7 +e5|-g1 +f3", "e2e4 e7e5 g1f3", number, 6) for number in range(6)],
        *[(CASTLING, "-e1 +g1 -h1 +f1", "e1g1", number, 4) for number in range(4)],
        *[(EN_PASSANT, "-e5 +d6 -d5", "e5d6", number, 3) for number in range(3)],
        (MIDDLEGAME, "-e5 -f3 +e5", "f3e5", 1, 2),
        (MIDDLEGAME, "-e5 -f3 +e5", "f3e5", 2, 2),
    ],
)
def test_an_edge_that_did_not_come_is_counted(fen: str, log: str, moves: str, number: int, edges: int) -> None:
    assert record(fen, log, moves, [number]).lost == Lost(edges, 1)


def test_on_a_board_that_tells_pieces_apart_a_swap_shows_who_stands_there() -> None:
    assert record(MIDDLEGAME, "-f3 +e5N", "f3e5", senses="identity").lost == Lost(2, 0)
    assert record(MIDDLEGAME, "-f3 +e5N", "f3e5", [1], senses="identity").lost == Lost(2, 1)


def test_which_way_the_board_stands_makes_no_difference() -> None:
    assert record("startpos", "-d7 +d5|-d2 +d4", "e2e4 e7e5").lost == Lost(4, 0)


def test_a_move_that_was_taken_back_is_none() -> None:
    session = session_of("startpos")
    lines = lines_of(session, "-e2 +e3", "e2e3")
    lines.append(c.Retract(ms=300, uci="e2e3", fen=chess.STARTING_FEN))
    lines += [c.Lift(ms=400, square="e3"), c.Place(ms=500, square="e4")]
    after = chess.Board()
    after.push_uci("e2e4")
    lines.append(c.Move(ms=900, side="white", uci="e2e4", san="e4", fen=after.fen(), ply=1))
    found = recorded(session, lines)
    assert [shown.move.uci() for shown in found.moves] == ["e2e4"]
    assert found.lost == Lost(2, 0)


@pytest.mark.parametrize("undone", [False, True])
def test_moves_told_again_as_the_record_was_set_right_were_seen_when_they_were_played(undone: bool) -> None:
    log = "-g1 +f3|-g8 +f6|-d2 +d4|-d7 +d5|-b1 +d2|-b8 +c6|-e2 +e3|-e7 +e6|-f1 +d3|-f8 +d6"
    session, lines = c.Session(version=1), list[c.AnyInput | c.AnyEvent]()
    game, ms = Game(session), 0
    for number, word in enumerate(log.replace("|", " ").split()):
        ms += 300 if number % 2 else 3000
        item = WORDS[word[0]](ms=ms, square=word[1:])
        lines += [item, *game.handle(item)]
    lines += [item := c.Time(ms=ms + 3000), *game.handle(item)]
    assert recorded(session, lines).lost == Lost(20, 0)
    lines += [item := c.Arbiter(ms=ms + 4000, do="correct", ply=5, moves=("f3d2",)), *game.handle(item)]
    if undone:
        lines += [item := c.Arbiter(ms=ms + 5000, do="undo"), *game.handle(item)]
    found = recorded(session, lines)
    assert [shown.move.uci() for shown in found.moves][-1] == "f8d6"
    assert found.lost == Lost(18, 0), "of the move that the arbiter put in, or took out again, nobody tells"


@pytest.mark.parametrize(
    "between",
    [
        (c.Unseen(ms=250), c.Seen(ms=260, shown="." * 64)),
        (c.Outage(ms=250),),
        (c.Sensor(ms=250, square="e5", works=False),),
    ],
)
def test_of_what_nobody_saw_and_of_sensors_that_fail_nothing_is_counted(between: tuple[c.AnyInput, ...]) -> None:
    session = session_of("startpos")
    lines = lines_of(session, "-e2 +e4|-e7 +e5|-g1 +f3", "e2e4 e7e5 g1f3", [2, 3])
    lines[3:3] = between
    found = recorded(session, lines)
    assert [shown.move.uci() for shown in found.moves] == ["e2e4", "g1f3"]
    assert found.lost == Lost(4, 0)


def test_what_the_game_itself_has_told_is_a_record() -> None:
    """Of a move whose landing was lost, which it has found out by later play."""
    log = "-e2 +e4 -e7 +e5 -g1 -b8 +c6 -f1 +b5 -g8 +f6"
    session, lines = c.Session(version=1, sensors=c.Sensors(lost=0.05, scan_ms=5)), list[c.AnyInput | c.AnyEvent]()
    game = Game(session)
    for number, word in enumerate(log.split(), 1):
        item = WORDS[word[0]](ms=700 * number, square=word[1:])
        lines += [item, *game.handle(item)]
    lines += [item := c.Place(ms=9000, square="f3"), *game.handle(item), *game.finish()]
    found = recorded(session, lines)
    assert [shown.move.uci() for shown in found.moves] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6"]


def test_counts_add_up_to_a_share() -> None:
    assert Lost(100, 1) + Lost(398, 0) == Lost(498, 1)
    assert Lost(498, 1).share == 2 / 500
    assert Lost().share == 0.5, "who has seen nothing knows nothing"
    assert replace(Lost(10, 0), lost=3).share > Lost(10, 0).share
