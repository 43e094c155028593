"""Where two ordinary things meet on the boards of a match: a piece moved on and a quick reply, a drop and the
opponent's stock, a name and another one, a fall and a drop. Nobody else is accused, and the record goes on."""

import pytest
from shorthand import accusations, only, play, record
from two_boards import Played

from controller import contract as c

MOVED_ON = "1000 lift b1; 1400 place a3; 2600 lift a3; 3000 place c3"
"""The knight was released on a3, and moved on."""

BISHOP = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR[Bp] w KQkq - 0 1"
DROPPED_ON = "500 choose white b; 1000 place f4; 2600 lift f4; 3000 place g5"
"""The bishop from the stock was released on f4, and moved on."""

TAKES_A_PAWN = (
    "1000 A lift d5; 2500 A lift e4; 4000 A place e4; 5500 A press black; 7000 A choose white p; 8500 A place e3"
)
"""Black's partner gets the pawn. White has none, and drops one."""

EXCHANGE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 2"


def on_a(log: str) -> str:
    """The same as the first board of a match reports it."""
    return "; ".join(" ".join([words[0], "A", *words[1:]]) for part in log.split(";") if (words := part.split()))


def told(played: Played) -> list[tuple[str, str, int]]:
    """Who is accused of what, and when."""
    return [(e.side, e.kind, e.ms) for e in played.events if isinstance(e, c.Violation | c.Illegal)]


# -- moved on, and answered ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", ["3350 lift g8; 3600 place f6", "5000 lift g8; 5400 place f6"])
def test_a_press_releases_a_piece_where_it_was_moved_on_to_however_soon_the_reply_comes(reply: str) -> None:
    events = play(f"{MOVED_ON}; 3200 press white; {reply}; 6500 press black", clock="180")
    assert [(e.side, e.kind, e.ms) for e in only(c.Violation, events)] == [("white", "released-move", 3200)]
    assert (record(events), only(c.Illegal, events)) == (["b1c3", "g8f6"], [])


def test_without_the_piece_set_down_again_a_press_says_nothing_of_it() -> None:
    """He may take it up to put it straight, and press meanwhile."""
    events = play("1000 lift b1; 1400 place a3; 2600 lift a3; 2900 press white; 3100 place a3", clock="180")
    assert (accusations(events), record(events)) == ([], ["b1a3"])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("reply", ["3350 lift g8; 3600 place f6 {n}", "5000 lift g8; 5400 place f6 {n}"])
def test_a_dropped_piece_that_was_moved_on_is_followed_as_any_other(senses: c.Senses, reply: str) -> None:
    kinds = {
        "occupancy": ("", "", "", ""),
        "colour": ("w", "w", "b", "w"),
        "identity": ("B", "B", "n", "B"),
    }[senses]
    first, second, knight, third = kinds
    log = f"500 choose white b; 1000 place f4 {first}; 2600 lift f4; 3000 place g5 {second}; 3200 press white"
    log += f"; {reply.format(n=knight)}; 6500 press black; 7500 lift g5; 8000 place h4 {third}; 9000 press white"
    played = Played(on_a(log), a=BISHOP, senses=senses)
    assert [each[:2] for each in told(played)] == [("white", "released-move")]
    assert played.moves("A") == ["B@g5", "g8f6", "g5h4"]
    assert played.stock("A") == ("", "p")


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_who_takes_a_released_drop_back_and_plays_a_move_has_it_in_stock_again_once_that_is_answered(
    senses: c.Senses,
) -> None:
    white, knight, pawn, bishop = {
        "occupancy": ("", "", "", ""),
        "colour": ("w", "w", "b", "w"),
        "identity": ("B", "N", "p", "B"),
    }[senses]
    log = f"500 choose white b; 1000 place f4 {white}; 2600 lift f4; 3400 lift b1; 3900 place c3 {knight}"
    log += f"; 4500 press white; 6000 lift d7; 6500 place d6 {pawn}; 7000 press black"
    log += f"; 8000 choose white b; 8500 place g5 {bishop}; 9000 press white"
    played = Played(on_a(log), a=BISHOP, senses=senses)
    assert [each[:2] for each in told(played)] == [("white", "released-move")]
    assert (played.moves("A"), played.stock("A")) == (["b1c3", "d7d6", "B@g5"], ("", "p"))


def test_the_piece_that_was_dropped_is_moved_on_and_no_other_of_the_stock() -> None:
    log = f"{DROPPED_ON}; 3200 press white; 5000 lift d8; 5400 lift g5; 5800 place g5; 6500 press black"
    played = Played(on_a(log), a=BISHOP.replace("[Bp]", "[BPp]"))
    assert [each[:2] for each in told(played)] == [("white", "released-move")]
    assert played.moves("A") == ["B@g5", "d8g5"]


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_reply_that_is_seen_to_arrive_before_it_is_seen_to_leave_answers_it_too(senses: c.Senses) -> None:
    """A board that reads one square after another shows some moves so."""
    knight, pawn = {"occupancy": ("", ""), "colour": ("w", "b"), "identity": ("N", "p")}[senses]
    log = f"1000 lift b1; 1400 place a3 {knight}; 2600 lift a3; 3000 place c3 {knight}; 3200 press white"
    log += f"; 5000 place d5 {pawn}; 5060 lift d7; 5500 press black"
    log += f"; 7000 lift c3; 7500 place d5 {knight}; 8000 press white"
    events = play(log.replace("7500 place", "7200 lift d5; 7500 place"), clock="180", senses=senses)
    assert [each.kind for each in only(c.Violation, events)] == ["released-move"]
    assert (record(events), only(c.Illegal, events)) == (["b1c3", "d7d5", "c3d5"], [])


def test_also_where_it_came_into_stock_after_the_move_before() -> None:
    log = "1000 B lift e4; 1500 B lift d5; 2000 B place d5; 3000 A lift e2; 3500 A place e4; 4000 A press white"
    log += "; 4200 B press white; 5000 A choose black p; 5500 A place e5; 6500 A lift e5; 7000 A place e6"
    log += "; 7500 A press black; 9000 A lift g1; 9500 A place f3; 10500 A press white"
    played = Played(log, a="4k3/8/8/8/8/8/4P3/4K1N1[] w - - 0 1", b=EXCHANGE.replace("[p] b", "[] w"))
    assert [each[:2] for each in told(played)] == [("black", "released-move")]
    assert played.moves("A") == ["e2e4", "P@e6", "g1f3"]


def test_a_drop_answers_a_piece_that_was_moved_on_as_a_move_does() -> None:
    log = f"{MOVED_ON}; 3500 press white; 5000 choose black p; 5600 place e4; 6200 press black"
    log += "; 7500 lift c3; 8000 place d5; 9000 press white"
    played = Played(on_a(log), a=BISHOP)
    assert [each[:2] for each in told(played)] == [("white", "released-move")]
    assert played.moves("A") == ["b1c3", "P@e4", "c3d5"]


@pytest.mark.parametrize(
    ("reply", "moves"),
    [
        ("4000 lift a7; 4500 place a6 p", ["c3c5", "a7a6", "d2d3"]),
        ("4000 choose black p; 4500 place a4 p", ["c3c5", "P@a4", "d2d3"]),
    ],
)
def test_where_nobody_presses_the_reply_completes_an_illegal_move_of_a_match_too(reply: str, moves: list[str]) -> None:
    log = f"1000 lift c3; 1400 place c5 N; {reply}; 7000 lift d2; 7500 place d3 P"
    played = Played(on_a(log), a="4k3/p7/8/8/7r/2N5/3P4/4K3[p] w - - 0 1", clock=None, senses="identity")
    assert [each[:2] for each in told(played)] == [("white", "illegal-move")] * 2, "released, and completed"
    assert played.moves("A") == moves


# -- what nobody has in stock ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ["fide-2009", "fide-2018"])
def test_what_a_player_has_named_and_sets_down_is_his_though_his_opponent_alone_has_a_stock(laws: c.Edition) -> None:
    played = Played(f"{TAKES_A_PAWN}; 10000 A press white; 12000 A claim black illegal-move", a=EXCHANGE, laws=laws)
    assert ("white", "illegal-move", 10000) in told(played)
    assert {each[0] for each in told(played)} == {"white"}
    assert [each.verdict for each in played.all(c.Claimed)] == ["upheld"]


def test_nor_is_it_a_move_of_his_opponents_who_plays_on() -> None:
    log = f"{TAKES_A_PAWN}; 10000 A press white; 11500 A lift e7; 11900 A place e6; 12600 A press black"
    played = Played(log, a=EXCHANGE, laws="fide-2018")
    assert (played.moves("A"), {each[0] for each in told(played)}) == (["d5e4", "P@e3", "e7e6"], {"white"})


@pytest.mark.parametrize("pressed", [8600, 8800, 8950, 10000])
def test_who_names_what_he_has_not_got_has_not_dropped_what_he_has_however_soon_he_presses(pressed: int) -> None:
    log = f"7000 A choose white q; 8500 A place e4; {pressed} A press white; 11500 A claim black illegal-move"
    played = Played(log, a="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] w KQkq - 0 1", laws="fide-2018")
    assert [each.verdict for each in played.all(c.Claimed)] == ["upheld"]
    assert ("white", "illegal-move") in [each[:2] for each in told(played)]


@pytest.mark.parametrize(("senses", "kinds"), [("identity", "Qp"), ("colour", "wb")])
def test_a_piece_put_in_place_of_one_who_has_just_taken_is_a_drop_and_illegal(senses: c.Senses, kinds: str) -> None:
    log = f"1000 lift d1; 1300 lift d7; 1500 place d7 {kinds[0]}; 2300 press white"
    log += f"; 3300 choose black p; 4000 lift d7; 4500 place d7 {kinds[1]}; 5100 press black"
    fen = "r1bqkb2/p1ppppp1/n4n1r/1P2p2p/7P/P1P2P2/1P2P1P1/RNBQKBNR[p] w KQq - 1 8"
    played = Played(on_a(log), a=fen, senses=senses, laws="fide-2009")
    assert {each[:2] for each in told(played)} == {("black", "illegal-move")}


# -- on one board alone ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ["fide-2009", "fide-2023"])
def test_taking_in_passing_where_there_is_no_such_capture_is_an_illegal_move(laws: c.Edition) -> None:
    """The pawn beside, which had moved last by one square, is taken off just before the press."""
    log = "600 lift d6; 1000 place d5; 1800 press black"
    log += "; 3000 lift e5; 3300 place d6; 3700 lift d5; 4200 press white"
    events = play(log, "4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", clock="180", laws=laws)
    assert [(e.kind, e.completed) for e in only(c.Illegal, events)] == [("illegal-move", False), ("illegal-move", True)]
    assert only(c.Violation, events) == []


# -- names and falls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pressed", [1700, 2000, 3000])
def test_a_pinned_piece_that_is_moved_is_no_drop_of_its_like_with_that_one_in_hand(pressed: int) -> None:
    fen = "4k3/p6p/8/8/7b/2N5/PP3P1P/4K3[P] w - - 0 20"
    played = Played(f"1000 A lift f2; 1400 A place f4 P; {pressed} A press white", a=fen, senses="identity")
    assert [each for each in told(played) if each[2] <= pressed][-1] == ("white", "illegal-move", pressed)


@pytest.mark.parametrize(("clock", "senses", "black"), [("180", "colour", " b"), (None, "occupancy", "")])
def test_a_drop_that_fells_the_piece_beside_it_is_a_drop(clock: str | None, senses: c.Senses, black: str) -> None:
    fen = "r1bqk2r/pp1pbppp/1pn2n2/4p3/Q1P5/1P1P1NP1/P2NP1PP/R1BQKB1R[Ppp] b KQkq - 0 8"
    log = f"1000 choose black p; 1600 place h6{black}; 1850 lift h6; 2300 place c7{black}; 2355 lift d8"
    log += f"; 3700 place d8{black}; 4200 press black; 6000 lift h2; 6400 place h3{black and ' w'}"
    played = Played(on_a(log), a=fen, clock=clock, senses=senses)
    assert (played.moves("A"), told(played)) == (["P@c7", "h2h3"], [])


def test_a_drop_in_reply_shows_that_a_piece_was_called_by_a_wrong_name() -> None:
    """A queen on e4 would give check, and nobody might take on b3."""
    log = "1000 A place e4; 3000 A lift a2; 3400 A lift b3; 3500 A place b3; 6000 A place h5"
    played = Played(log, a="4k3/p6p/8/8/8/1p6/P6P/4K3[qp] b - - 0 17", clock=None)
    assert (played.moves("A"), told(played)) == (["P@e4", "a2b3", "Q@h5"], [])


def test_who_puts_a_piece_straight_after_a_drop_that_nobody_has_named_has_the_move() -> None:
    """The drop may have been a piece that has just been taken on the other board, and names follow from that."""
    b = "500 B place c6; 2500 B lift c8; 2850 B lift c6; 2880 B place c6; 4000 B lift e6; 4700 B place b3"
    a = "6000 A place f6; 7000 A adjust black; 7600 A lift f4; 7900 A place f4"
    played = Played(
        f"{b}; 5400 B lift c6; 5600 B lift h1; 5700 B place h1; {a}",
        a="1rbqkbnr/2ppppbp/p3p3/1pp5/4PP1N/2P1P3/1P1PnPPP/1rR1KB1R[p] w Kk - 2 18",
        b="2qk1bnr/p4Qpp/1p2B3/1p6/1n1P4/N3P3/PPp1QP1P/R1B1KBNR[NPP] w KQ - 0 17",
        clock=None,
    )
    assert ([each.side for each in played.all(c.Adjusted)], told(played)) == (["black"], [])


def test_a_declared_pawn_that_stood_there_for_a_while_gives_way_to_its_piece() -> None:
    """9: put there before the press, it is the piece that was named, and moves as it."""
    declared = "500 A choose white b; 1000 A lift a7; 1500 A place a8 P; 2200 A lift a8; 2600 A place a8 B"
    replied = "3500 A press white; 5000 A lift h8; 5500 A place h7 k; 6500 A press black"
    log = f"{declared}; {replied}; 8000 A lift a8; 8500 A place e4 B; 9500 A press white"
    played = Played(log, a="7k/P7/8/8/8/8/8/K7[] w - - 0 1", senses="identity")
    assert [move.uci for move in played.all(c.Move)] == ["a7a8b", "h8h7", "a8e4"]
    assert not played.all(c.Violation) and not played.all(c.Displaced)
