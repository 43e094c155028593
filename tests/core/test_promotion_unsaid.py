"""What a pawn becomes where the board cannot see it (4.4.4, 4.7.3): said before, between or after, or never.

The pawn itself may stand on its last rank; until the press, without a clock until the opponent touches a piece of his
own, it may be exchanged and named. Each test is a sentence of the contract's finer points.
"""

import pytest
from shorthand import CLOCK, PROMOTION, accusations, inputs, only, play, record, seen, session
from two_boards import Played

from controller import contract as c
from controller.game import Game

ALONE = "8/P6k/6p1/8/8/8/8/K7 w - - 0 1"
MATES = "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1"  #: a queen or a rook on a8 is mate
STALEMATES = "8/5P1k/5K2/8/8/8/8/8 w - - 0 1"  #: a queen on f8 leaves no move
ON_A8 = ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]
STANDS = "1000 lift a7; 2500 place a8; "
EXCHANGED = "4000 lift a8; 6000 place a8; "

blind = pytest.mark.parametrize("senses", ["occupancy", "colour"])
clocks = pytest.mark.parametrize("clock", [None, CLOCK])
FROM_2014 = ("fide-2014", "fide-2018", "fide-2023")
EDITIONS = ("fide-2005", "fide-2009", *FROM_2014)


def so_far(log: str, fen: str = ALONE, **fields: object) -> list[c.AnyEvent]:
    """Every event of the log, which goes on."""
    game = Game(session(fen, **fields))
    return [event for item in inputs(log) for event in game.handle(item)]


def results(events: list[c.AnyEvent]) -> list[tuple[c.Ms, str, str, str]]:
    return [(said.ms, said.result, said.reason, said.status) for said in only(c.Result, events)]


# -- 1: nothing named ------------------------------------------------------------------------------------------------


@blind
@clocks
@pytest.mark.parametrize("fen", [ALONE, MATES])
def test_a_pawn_set_down_on_the_last_rank_is_no_move_however_long_it_stands(
    senses: c.Senses, clock: str | None, fen: str
) -> None:
    events = so_far(STANDS + "600000 time", fen, senses=senses, clock=clock)
    owed = only(c.Obligation, events)[-1]
    assert (owed.must, owed.moves, owed.article, owed.ms) == ("promote", ON_A8, "4.7.3", 2900)
    assert [event.moves for event in only(c.Ambiguous, events)] == [ON_A8]
    assert not only(c.Move, events)
    assert not only(c.Result, events)


@clocks
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("stands_ms", [350, 600, 950])
def test_nor_where_whom_it_takes_stands_beside_for_a_moment(
    senses: c.Senses, clock: str | None, stands_ms: int
) -> None:
    """It pushes him off his square, and he is taken off the board before the piece is fetched."""
    victim, pawn = seen("r", senses), seen("P", senses)
    log = f"1000 lift b7; 1500 lift c8; 1530 place d8 {victim}; 1600 place c8 {pawn}; {1600 + stands_ms} lift d8; "
    fen = "2r3k1/1P3ppp/8/8/8/8/8/6K1 w - - 0 1"
    events = so_far(log + "9000 time", fen, senses=senses, clock=clock)
    assert only(c.Obligation, events)[-1].must == "promote"
    assert not only(c.Move, events)
    events = play(log + f"4000 lift c8; 6000 place c8 {seen('R', senses)}; 6100 choose white r", fen, senses=senses)
    assert record(events) == ["b7c8r"]
    assert not accusations(events)


# -- 2: named beforehand ---------------------------------------------------------------------------------------------


@blind
@clocks
def test_named_beforehand_that_one_is_owed_and_made_once_it_has_stood(senses: c.Senses, clock: str | None) -> None:
    events = so_far("500 choose white n; " + STANDS + "2899 time", senses=senses, clock=clock)
    assert not only(c.Move, events)
    events = so_far("500 choose white n; " + STANDS + "2900 time", senses=senses, clock=clock)
    assert [(said.must, said.moves) for said in only(c.Obligation, events)][-1] == ("promote", ["a7a8n"])
    assert [(made.uci, made.ms) for made in only(c.Move, events)] == [("a7a8n", 2900)]
    assert not only(c.Ambiguous, events)


# -- 3: the exchange of pawn for piece -------------------------------------------------------------------------------


@blind
@clocks
@pytest.mark.parametrize("piece", "qrbn")
@pytest.mark.parametrize("named_ms", [500, 1500, 3500, 4500, 6100, 7000])
def test_taken_off_and_filled_again_the_pawn_is_exchanged_for_the_piece_named(
    senses: c.Senses, clock: str | None, piece: str, named_ms: int
) -> None:
    """Before the pawn was lifted, in hand, on its last rank, off it again, or with the piece there."""
    log = [*f"{STANDS}{EXCHANGED}8000 press white".split("; "), f"{named_ms} choose white {piece}"]
    log.sort(key=lambda line: int(line.split()[0]))
    events = play("; ".join(log), senses=senses, fen=ALONE, clock=clock)
    assert record(events) == [f"a7a8{piece}"]
    assert not accusations(events)
    assert not only(c.Displaced, events)


@blind
def test_without_a_clock_the_reply_follows_an_exchange_named_between(senses: c.Senses) -> None:
    between = "4000 lift a8; 5000 choose white n; 5100 place a8; "
    events = play(STANDS + between + "8000 lift h7; 8500 place h6; 10000 lift a8; 10500 place b6", ALONE, senses=senses)
    assert record(events) == ["a7a8n", "h7h6", "a8b6"]
    assert not accusations(events)


@blind
def test_nor_is_it_named_once_the_opponent_has_touched_a_piece(senses: c.Senses) -> None:
    king = seen("k", senses)
    log = STANDS + f"4000 lift h7; 5000 choose white n; 6000 place h6 {king}; 8000 time"
    assert record(play(log, ALONE, senses=senses)) == ["a7a8q", "h7h6"]


@clocks
def test_what_was_named_before_the_pawn_stood_there_may_be_named_anew_while_it_is_exchanged(clock: str | None) -> None:
    between = "4000 lift a8; 5000 choose white n; 5100 place a8; 7000 press white"
    assert record(play("500 choose white q; " + STANDS + between, ALONE, clock=clock)) == ["a7a8n"]


def test_but_not_go_to_another_square() -> None:
    events = play(STANDS + "4000 lift a8; 5000 lift b8; 6000 place b8; 7000 press white", PROMOTION, clock=CLOCK)
    assert [event.kind for event in only(c.Violation, events)] == ["released-move"]


@clocks
@pytest.mark.parametrize("says", ["3500 adjust white; ", ""])
def test_a_piece_of_his_own_lifted_meanwhile_settles_nothing(says: str, clock: str | None) -> None:
    log = f"{STANDS}{says}4000 lift a1; 5000 place a1; 6000 choose white r; 7000 press white"
    events = play(log, ALONE, clock=clock)
    assert [(made.uci, made.ms) for made in only(c.Move, events)] == [("a7a8r", 6000)]
    assert not accusations(events)


# -- 4: settled without a word ---------------------------------------------------------------------------------------


@blind
@pytest.mark.parametrize(("clock", "goes_on"), [(None, "press white"), (None, "lift h7"), (CLOCK, "press white")])
def test_who_goes_on_without_a_word_has_a_queen(senses: c.Senses, goes_on: str, clock: str | None) -> None:
    made = only(c.Move, so_far(f"{STANDS}4000 {goes_on}", senses=senses, clock=clock))
    assert [(event.uci, event.ms) for event in made] == [("a7a8q", 4000)]


@blind
@pytest.mark.parametrize("says", ["5500 choose white n;", ""])
def test_where_there_is_a_clock_a_piece_of_the_opponents_that_is_touched_settles_nothing(
    says: str, senses: c.Senses
) -> None:
    """Who reaches for the new piece knocks over g6, and sets it up on his own time."""
    knocked = f"3500 lift g6; 4700 place g6 {seen('p', senses)}; 5000 lift a8; {says}"
    log = f"{STANDS}{knocked} 6000 place a8 {seen('Q', senses)}; 7000 press white; 9000 lift h7"
    events = play(f"{log}; 10000 place g7 {seen('k', senses)}; 11000 press black", ALONE, senses=senses, clock=CLOCK)
    assert record(events) == ["a7a8n" if says else "a7a8q", "h7g7"]
    assert not accusations(events)


@blind
def test_so_he_has_where_he_forgets_to_press_and_the_opponent_replies(senses: c.Senses) -> None:
    log = f"{STANDS}4000 lift h7; 5000 place g7 {seen('k', senses)}; 9000 time"
    assert record(play(log, ALONE, senses=senses, clock=CLOCK)) == ["a7a8q", "h7g7"]


@clocks
def test_a_pawn_that_has_taken_may_be_exchanged_while_the_clocks_stand(clock: str | None) -> None:
    """On a board that sees no kinds nothing but the order of touches shows that it has taken."""
    taken = "1000 lift b8; 2000 lift a7; 3000 place b8; 4500 pause white; 8000 arbiter pause"
    exchanged = "12000 lift b8; 13000 place b8; 16000 arbiter resume; 17000 press white; 19000 lift h8; 20000 place g7"
    events = play(f"{taken}; {exchanged}; 21000 press black", "1r5k/P7/6p1/8/8/8/8/K7 w - - 0 1", clock=clock)
    assert (record(events), accusations(events)) == (["a7b8q", "h8g7"], [])


@blind
@clocks
def test_who_seems_to_be_mated_by_it_breaks_no_rule_by_what_is_moved_then(senses: c.Senses, clock: str | None) -> None:
    """The game is over, or the pawn has become another piece; the players look at what might have been."""
    log = f"1000 lift a7; 2500 place a8 {seen('Q', senses)}; 4000 press white; 5000 lift g7; 5200 place b4"
    events = play(
        f"{log} {seen('p', senses)}; 7000 lift g8; 7300 place c4 {seen('k', senses)}", MATES, senses=senses, clock=clock
    )
    assert (record(events), accusations(events)) == (["a7a8q"], [])


@clocks
def test_and_at_the_end_of_the_log(clock: str | None) -> None:
    assert record(play(STANDS + "9000 time", ALONE, clock=clock)) == ["a7a8q"]


@clocks
@pytest.mark.parametrize("says", ["draw white offer", "claim black flag"])
def test_who_offers_or_claims_completes_no_promotion(says: str, clock: str | None) -> None:
    log = f"{STANDS}4000 {says}; 5000 choose white b; 6000 press white"
    events = play(log, ALONE, clock=clock)
    assert [made.uci for made in only(c.Move, events)] == ["a7a8b"]


@pytest.mark.parametrize("ends", ["resign black", "draw white offer; 4500 draw black accept"])
def test_the_end_of_the_game_does(ends: str) -> None:
    assert record(play(f"{STANDS}4000 {ends}", ALONE)) == ["a7a8q"]


@blind
def test_lifted_before_his_own_piece_it_is_the_victim(senses: c.Senses) -> None:
    log = STANDS + "4000 lift a8; 5000 lift b8; 6000 place a8" + (" b" if senses == "colour" else "")
    events = play(log, "1r5k/P7/8/8/8/8/8/K7 w - - 0 1", senses=senses)
    assert [(made.uci, made.ms) for made in only(c.Move, events)] == [("a7a8q", 5000), ("b8a8", 6400)]
    assert {touch.square for touch in only(c.Touch, events) if touch.side == c.BLACK} == {"a8", "b8"}
    assert not accusations(events)


def test_a_sleeve_on_the_opponents_piece_meanwhile_does_not_hinder_the_exchange() -> None:
    log = STANDS + "4000 lift a8; 4500 lift h7; 4560 place h7; 5000 choose white r; 6000 place a8; 9000 lift h7; 9500 "
    events = play(log + "place h6", ALONE)
    assert record(events) == ["a7a8r", "h7h6"]
    assert not accusations(events)


def test_nor_does_the_opponent_who_moves_before_it_is_done() -> None:
    """His rook could take there; but that the square is empty was not his hand."""
    log = STANDS + "4000 lift a8; 5500 lift c8; 6500 place c2; 7000 place a8; 9000 lift a1; 9500 place b1"
    events = play(log, "2r5/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert record(events) == ["a7a8q", "c8c2", "a1b1"]
    assert not accusations(events)


def test_announcing_an_adjustment_the_opponent_takes_it_that_he_has_the_move() -> None:
    events = play(STANDS + "4000 adjust black; 4500 lift a1; 5000 place a1", ALONE)
    assert record(events) == ["a7a8q"]
    assert not accusations(events)


@pytest.mark.parametrize(("fen", "way"), [(MATES, "lift h7; 4500 place h6"), (STALEMATES, "lift h7; 4500 place h6")])
def test_where_the_opponent_plays_on_it_was_no_queen_that_ends_the_game(fen: str, way: str) -> None:
    pawn = "1000 lift a7; 2500 place a8; " if fen == MATES else "1000 lift f7; 2500 place f8; "
    made = [event.uci for event in only(c.Move, play(f"{pawn}4000 {way}", fen))]
    assert len(made) == 2
    assert made[0][-1] in ("b" if fen == MATES else "r") + "n"


def test_at_a_press_it_is_a_queen_also_where_she_mates() -> None:
    assert [made.uci for made in only(c.Move, so_far(STANDS + "4000 press white", MATES, clock=CLOCK))] == ["a7a8q"]


# -- 5: what only an unnamed queen ends ------------------------------------------------------------------------------


def test_a_mate_by_an_unnamed_queen_is_proposed_after_ten_seconds() -> None:
    pressed = STANDS + "4000 press white; "
    assert not results(so_far(pressed + "13999 time", MATES, clock=CLOCK))
    assert results(so_far(pressed + "99000 time", MATES, clock=CLOCK)) == [(14000, "1-0", "checkmate", "proposed")]


def test_or_once_nobody_has_touched_the_board_for_as_long() -> None:
    log = STANDS + "4000 press white; 9000 lift g8; 9050 place g8; 99000 time"
    assert [said[0] for said in results(so_far(log, MATES, clock=CLOCK))] == [19050]


@pytest.mark.parametrize(("pressed", "clock"), [("4000 press white", CLOCK), ("", None)])
def test_or_at_the_end_of_the_log(pressed: str, clock: str | None) -> None:
    events = play(STANDS + pressed, MATES, clock=clock)
    assert record(events) == ["a7a8q"]
    assert [said[1:] for said in results(events)] == [("1-0", "checkmate", "proposed")]


def test_so_is_a_stalemate_and_the_arbiter_makes_it_final() -> None:
    log = "1000 lift f7; 2500 place f8; 4000 press white; 20000 arbiter uphold"
    said = results(play(log, STALEMATES, clock=CLOCK))
    assert [each[1:] for each in said] == [
        ("1/2-1/2", "stalemate", "proposed"),
        ("1/2-1/2", "stalemate", "final"),
    ]


def test_a_queen_who_was_named_mates_at_once() -> None:
    events = so_far("500 choose white q; " + STANDS + "3000 time", MATES)
    assert results(events) == [(2900, "1-0", "checkmate", "final")]


def test_and_any_piece_where_each_of_them_would() -> None:
    """The pawn opens the seventh rank to a rook: whatever it becomes, that is mate."""
    events = so_far("1000 lift b7; 2500 place b8; 4000 press white", "7r/RP5k/R7/8/8/8/8/K5R1 w - - 0 1", clock=CLOCK)
    assert results(events) == [(4000, "1-0", "checkmate", "final")]


# -- 6: later play shows another piece -------------------------------------------------------------------------------


@blind
def test_a_piece_who_moves_as_no_queen_can_is_a_knight(senses: c.Senses) -> None:
    log = STANDS + "4000 press white; 5000 lift h7; 5500 place h6; 6000 press black; 7000 lift a8; 7500 place c7; 9000 "
    events = play(log + "press white", ALONE, senses=senses, clock=CLOCK)
    assert record(events) == ["a7a8n", "h7h6", "a8c7"]
    assert [gone.uci for gone in only(c.Retract, events)] == ["h7h6", "a7a8q"]
    assert not accusations(events)


@blind
def test_the_reply_may_show_it_as_well(senses: c.Senses) -> None:
    """Mated by a queen, Black has moved, and pressed."""
    log = STANDS + "4000 press white; 6000 lift h7; 6500 place h6; 8000 press black; 99000 time"
    events = so_far(log, MATES, senses=senses, clock=CLOCK)
    assert record(events)[0] in ("a7a8n", "a7a8b")
    assert record(events)[1:] == ["h7h6"]
    assert not results(events)
    assert not accusations(events)


def test_what_was_proposed_lapses_with_it() -> None:
    log = STANDS + "4000 press white; 20000 lift h7; 20500 place h6; 22000 press black; 23000 arbiter uphold"
    events = play(log, MATES, clock=CLOCK)
    assert [said[-1] for said in results(events)] == ["proposed"]
    assert record(events)[1:] == ["h7h6"]


# -- 7: a pause to fetch a piece -------------------------------------------------------------------------------------


@blind
@pytest.mark.parametrize("pause", ["pause white", "arbiter pause"])
@pytest.mark.parametrize("then", ["30000 choose white r", "61000 choose white r"])
def test_a_pause_completes_nothing_and_then_the_promoter_goes_on(senses: c.Senses, pause: str, then: str) -> None:
    log = [f"{STANDS}3000 {pause}", "60000 arbiter resume", then, "62000 lift a8; 63000 place a8; 64000 press white"]
    log.sort(key=lambda line: int(line.split()[0]))
    events = play("; ".join(log), ALONE, senses=senses, clock="300")
    assert [(done.uci, done.white_ms, done.black_ms) for done in only(c.Completed, events)] == [
        ("a7a8r", 293000, 300000)
    ]
    assert not accusations(events)


@pytest.mark.parametrize("pause_ms", [1584, 1900])
def test_who_stops_the_clocks_as_soon_as_his_pawn_has_taken_may_fetch_the_piece(pause_ms: int) -> None:
    """No board sees that the pawn takes; that he stops the clocks shows that he has let go of it (6.11.2)."""
    taken = f"1004 lift b8; 1184 lift a7; 1284 place b8; {pause_ms} pause white"
    log = f"{taken}; 7584 lift b8; 7984 place b8; 9584 arbiter resume; 10584 press white"
    events = play(log, PROMOTION, clock=CLOCK)
    assert (record(events), accusations(events), only(c.Displaced, events)) == (["a7b8q"], [], [])


def test_after_any_pause_the_clock_runs_of_him_who_has_not_completed_his_move() -> None:
    log = "1000 lift e2; 2000 place e4; 3000 pause white; 60000 arbiter resume; 62000 press white"
    done = only(c.Completed, play(log, clock="300"))
    assert [(each.uci, each.white_ms, each.black_ms) for each in done] == [("e2e4", 295000, 300000)]


def test_also_where_the_opponent_has_replied_before_the_press() -> None:
    replied = "1000 lift e2; 2000 place e4; 3000 lift e7; 4000 place e5; 5000 arbiter pause; 60000 arbiter resume"
    shown = only(c.Clock, so_far(replied, "startpos", clock="300"))
    assert shown[-1].running == "white"


# -- 8: nothing to choose --------------------------------------------------------------------------------------------


TWO_PAWNS = "8/P6k/8/8/8/8/7P/K7 w - - 0 1"


def chosen_late(laws: c.Edition, fault: str) -> list[str]:
    """The moves, where White names a knight after ``fault``, which he has pressed, and puts him on a8."""
    log = f"{fault}; 5000 press white; 6000 choose white n; 7000 place a8; 9000 time; 12000 press white"
    return record(play(log, TWO_PAWNS, clock=CLOCK, laws=laws))


@pytest.mark.parametrize("laws", FROM_2014)
def test_after_an_unfinished_promotion_it_becomes_a_queen(laws: c.Edition) -> None:
    assert chosen_late(laws, "1000 lift a7") == ["a7a8q"]


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009"])
def test_before_2014_what_he_chooses(laws: c.Edition) -> None:
    assert chosen_late(laws, "1000 lift a7") == ["a7a8n"]


@pytest.mark.parametrize("laws", EDITIONS)
def test_after_an_illegal_move_nothing_can_be_chosen(laws: c.Edition) -> None:
    log = "1000 lift a7; 2500 place a5; 4000 press white; 6000 choose white n; 7000 lift a5; 8000 place a8; 12000 time"
    assert record(play(log, TWO_PAWNS, clock=CLOCK, laws=laws)) == ["a7a8q"]


@pytest.mark.parametrize(("laws", "piece"), [("fide-2014", "n"), ("fide-2018", "q"), ("fide-2023", "q")])
def test_nor_from_2018_on_after_a_press_without_a_move(laws: c.Edition, piece: str) -> None:
    log = "1000 press white; 2000 choose white n; 3000 lift a7; 4000 place a8; 9000 time"
    assert record(play(log, TWO_PAWNS, clock=CLOCK, laws=laws)) == [f"a7a8{piece}"]


@blind
def test_a_choice_made_in_reply_to_an_illegal_move_counts(senses: c.Senses) -> None:
    """Only he who made it has nothing to choose until it is ruled on."""
    illegal = "1000 lift a1; 2500 place a3; 4000 press white; "
    log = illegal + "5000 choose black n; 6000 lift h2; 7000 place h1; 9000 press black"
    events = play(log, "7k/8/8/8/8/8/7p/K7 w - - 0 1", senses=senses, clock=CLOCK)
    assert record(events)[-1] == "h2h1n"


# -- named -----------------------------------------------------------------------------------------------------------


@blind
@pytest.mark.parametrize("piece", "qrbn")
def test_chosen_after_a_piece_stands_there_it_is_that_piece(senses: c.Senses, piece: str) -> None:
    events = play(f"{STANDS}4000 choose white {piece}; 5500 press white", ALONE, senses=senses, clock=CLOCK)
    assert [event.moves for event in only(c.Ambiguous, events)] == [ON_A8]
    assert [event.uci for event in only(c.Move, events)] == [f"a7a8{piece}"]
    assert [event.uci for event in only(c.Completed, events)] == [f"a7a8{piece}"]
    assert not accusations(events)


def test_one_who_would_leave_him_stalemate_is_waited_for() -> None:
    log = "1000 lift f7; 2500 place f8; 4000 choose white r; 5500 press white"
    assert record(play(log, STALEMATES, clock=CLOCK)) == ["f7f8r"]


def test_a_choice_made_before_is_not_asked_for_again() -> None:
    events = play("500 choose white r; " + STANDS + "4000 choose white q; 5500 press white", ALONE, clock=CLOCK)
    assert record(events) == ["a7a8r"]
    assert not only(c.Ambiguous, events)


@blind
def test_a_choice_made_before_is_final_once_the_pawn_is_released(senses: c.Senses) -> None:
    """Until then it is not yet the piece that was named."""
    log = "500 choose white q; 1000 lift a7; 1500 place a8; {} choose white n; 4000 press white"
    assert record(play(log.format(1600), ALONE, senses=senses, clock=CLOCK)) == ["a7a8n"]
    assert record(play(log.format(2000), ALONE, senses=senses, clock=CLOCK)) == ["a7a8q"]


def test_and_may_be_changed_while_the_pawn_is_in_hand() -> None:
    log = "500 choose white q; 1000 lift a7; 1200 choose white n; 1500 place a8; 4000 press white"
    assert record(play(log, ALONE, clock=CLOCK)) == ["a7a8n"]


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_in_a_match_where_the_pawn_stays_the_square_is_fixed_too(senses: c.Senses) -> None:
    """Only what he became is still to be said (9 of the blitz à quatre)."""
    pawn = seen("P", senses)
    on_b8 = f"4000 A lift a8; 5000 A lift b8; 6000 A place b8 {pawn}; 7000 A choose white q; 8000 A press white"
    log = f"1000 A lift a7; 2500 A place a8 {pawn}; {on_b8}"
    match = Played(log, a=PROMOTION.replace(" w", "[] w"), senses=senses, laws="fide-2018")
    owed = [said for said in match.all(c.Obligation) if said.must == "promote"]
    assert [(said.moves, said.article) for said in owed] == [(ON_A8, "4.7.3")]
    assert [said.kind for said in match.all(c.Violation)] == ["released-move"]


def test_in_a_match_the_pawn_may_have_taken_unseen_and_stand_there() -> None:
    match = Played("1000 A lift a7; 2500 A press white", a=PROMOTION.replace(" w", "[] w"), senses="occupancy")
    assert [made.uci[:4] for made in match.all(c.Move)] == ["a7b8"]
    assert not match.all(c.Illegal)


@pytest.mark.parametrize("king", ["h1", "g8"])
def test_who_lifts_a_king_after_a_mate_that_nobody_named_does_not_go_on(king: str) -> None:
    """Kings are set in the middle to show the result: it was a queen, and no bishop that leaves the king a square."""
    log = f"500 lift b2; 1142 place b1; 5130 lift {king}; 6530 lift {'g8' if king == 'h1' else 'h1'}; 7030 place d5"
    events = play(log, "6k1/8/3B2p1/7p/4p2P/4P3/1p2r3/7K b - - 1 47")
    assert record(events) == ["b2b1q"]
    assert not accusations(events)


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009"])
@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_a_promotion_left_unfinished_and_finished_without_a_word_is_a_queen_with_the_reply(
    laws: c.Edition, senses: c.Senses
) -> None:
    """He who finishes it has pressed already."""
    left = f"1000 lift b1; 1600 lift a2; 2600 press black; 4500 place b1 {seen('q', senses)}"
    reply = f"6500 lift e1; 7200 place f2 {seen('K', senses)}; 8000 press white; 10000 lift b1"
    log = f"{left}; {reply}; 10800 place b4 {seen('q', senses)}; 11600 press black"
    events = play(log, "4k3/8/8/8/8/6P1/p3P3/1N2K3 b - - 0 1", senses=senses, clock=CLOCK, laws=laws)
    assert record(events) == ["a2b1q", "e1f2", "b1b4"]
    assert [said.kind for said in only(c.Illegal, events)] == ["unfinished-promotion"]
    assert not only(c.Violation, events)


def test_who_has_not_the_move_stops_the_clocks_and_binds_nobody() -> None:
    """White's pawn has only touched a8, and takes on b8."""
    log = "1000 lift a7; 1400 place a8; 1410 pause black; 1450 lift a8; 1700 place a7; 9000 arbiter resume"
    taken = "10000 lift a7; 10400 lift b8; 10700 place b8; 11500 choose white q; 12000 press white"
    events = play(f"{log}; {taken}", PROMOTION, clock=CLOCK)
    assert (record(events), accusations(events)) == (["a7b8q"], [])


@blind
@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize("says", ["", "6500 adjust white; "])
def test_what_the_promoter_touches_out_of_turn_does_not_tell_what_he_promoted_to(
    senses: c.Senses, clock: str | None, says: str
) -> None:
    """His knight on c3, while Black thinks: no name of the piece on a8 explains that, nor needs to."""
    fen = "r3k2r/1P1q1ppp/2npbn2/4p3/4P3/2NPBN2/1pPQ1PPP/3RK2R w Kkq - 0 20"
    promotes = f"1000 lift b7; 1900 lift a8; 2800 place a8 {seen('P', senses)}; 3700 press white; "
    touches = f"{says}6600 lift c3 side=white; 7500 place c3 {seen('N', senses)} side=white; "
    replies = f"12000 lift e8; 12500 place e7 {seen('k', senses)}; 13000 press black"
    events = play(promotes + touches + replies, fen, senses=senses, clock=clock)
    assert [said.uci for said in only(c.Move, events)] == ["b7a8q", "e8e7"]
    assert [said.kind for said in only(c.Violation, events)] == ["adjust-out-of-turn" if says else "out-of-turn"]
