"""The twenty articles of the blitz à quatre, each by its number. Articles 2, 5, 10 and 11 bind people, not a board:
what the program does about them is shown all the same."""

from typing import get_args

import chess
import chess.variant
import pytest
from two_boards import EXCHANGE, SMOTHERED, SMOTHERED_BLACK, START, STOCKED, Played

from controller import contract as c
from controller.errors import LogError
from controller.match import MatchAQuatre

ALL: tuple[c.Edition, ...] = get_args(c.Edition)
TAKE_ON_B = "1000 B lift e4; 2500 B lift d5; 4000 B place d5"
PAWNS = "rnbqk3/pppp4/8/8/8/8/PPPP4/RNBQK3[Pp] w Qq - 0 20"
PROMOTION = "7k/P7/8/8/8/8/8/K7[] w - - 0 1"
MATE_ON_A = "1000 A lift h6; 2500 A place f7"
MATE_ON_B = "4000 B lift a2; 5500 B place a3; 7000 B press white; 8500 B lift h3; 10000 B place f2"


# -- generalities ----------------------------------------------------------------------------------------------------


def test_1_each_team_has_white_on_one_board_and_black_on_the_other_and_both_clocks_start_together() -> None:
    played = Played(
        "1000 A lift e2; 2000 A place e4; 3000 A press white; 5000 B lift d2; 6000 B place d4; 7000 B press white"
    )
    assert [(e.white_ms, e.black_ms) for e in played.all(c.Completed)] == [(177_000, 180_000), (173_000, 180_000)]


def test_2_three_minutes_a_player() -> None:
    played = Played("180000 A time")
    assert [(e.board, e.side, e.ms) for e in played.all(c.Flag)] == [("A", "white", 180_000), ("B", "white", 180_000)]


@pytest.mark.parametrize("laws", ALL)
def test_3_the_laws_hold_where_no_article_says_otherwise(laws: c.Edition) -> None:
    played = Played("1000 A lift g1; 2500 A place g1; 4000 A lift e2; 5000 A place e4; 6000 A press white", laws=laws)
    (breach,) = played.all(c.Violation)
    assert (breach.board, breach.kind, breach.article) == (
        "A",
        "touch-move",
        "4.3a" if laws <= "fide-2014" else "4.3.1",
    )


def test_4_the_first_game_to_end_decides_and_the_other_is_stopped() -> None:
    played = Played(
        f"{MATE_ON_A}; 4000 B pause black; 5500 B lift e2; 7000 B place e4; 8500 B press white", a=SMOTHERED
    )
    assert played.outcome == ("team-1", "board-a")
    assert played.moves("B") == []
    assert played.all(c.Clock, "B")[-1].running is None


def test_5_each_board_has_a_clock_of_its_own_in_one_record() -> None:
    played = Played("1000 A lift e2; 2000 A place e4; 3000 A press white")
    assert {e.board for e in played.all(c.Clock)} == {"A", "B"}
    assert [e.running for e in played.all(c.Clock, "B")] == ["white"]


# -- changes to the laws of chess ------------------------------------------------------------------------------------


def test_6_what_is_taken_goes_to_the_partner_in_its_own_colour() -> None:
    played = Played(f"{TAKE_ON_B}; 5500 B press white", b=EXCHANGE)
    assert played.stock("A") == ("", "p")
    assert played.stock("B") == ("", "")


def test_7_a_piece_of_the_stock_may_be_dropped_on_an_empty_square() -> None:
    played = Played("1000 A choose white n; 2500 A place e6; 4000 A press white", a=STOCKED)
    assert played.completed("A") == ["N@e6"]
    assert played.stock("A") == ("P", "p")
    assert not played.accusations


@pytest.mark.parametrize("square", ["h8", "h1"])
def test_7_no_pawn_on_the_first_or_last_rank(square: str) -> None:
    played = Played(f"1000 A choose white p; 2500 A place {square}; 4000 A press white", a=PAWNS)
    assert played.moves("A") == []
    assert [(e.completed, e.kind) for e in played.all(c.Illegal)] == [(False, "illegal-move"), (True, "illegal-move")]


def test_7_a_drop_may_not_leave_the_king_in_check() -> None:
    played = Played(
        "1000 A choose white n; 2500 A place a3; 4000 A press white", a="4k3/8/8/8/4r3/8/8/4K3[Nn] w - - 0 1"
    )
    assert played.all(c.Illegal)[-1].completed
    assert played.owed("A") == ["N@e2", "N@e3"]


def test_7_a_drop_may_mate() -> None:
    played = Played("1000 A choose white n; 2500 A place f7", a="6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1")
    assert played.result("A") == ("1-0", "checkmate")
    assert played.completed("A") == ["N@f7"], "no press is needed (18)"


def test_8_no_mate_while_a_piece_who_may_come_could_stand_between() -> None:
    played = Played("1000 A lift e1; 2500 A place e8; 4000 A press white", a="6k1/5ppp/8/8/8/8/8/K3R3[] w - - 0 1")
    assert played.result("A") is None
    assert played.all(c.Move)[-1].san == "Re8+"


def test_8_mate_where_all_that_could_come_stands_on_the_board() -> None:
    full = "6k1/5ppp/8/8/PPPPPP2/nbrqnP2/rqbnrP2/bnr1bN1K[R] w - - 0 30"
    played = Played("1000 A choose white r; 2500 A place e8", a=full)
    assert played.result("A") == ("1-0", "checkmate")


def test_8_no_stalemate_while_pieces_may_come() -> None:
    stalemate = "7k/8/6K1/8/8/8/8/5Q2[] w - - 0 1"
    played = Played("1000 A lift f1; 2500 A place f7; 4000 A press white", a=stalemate)
    assert played.result("A") is None


def test_8_nobody_is_too_weak_to_win_on_time() -> None:
    played = Played("31000 A claim black flag", a="8/8/8/4k3/8/8/3Q4/3K4[] w - - 0 1", clock="30")
    assert played.result("A") == ("0-1", "time")


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_9_a_promoted_pawn_stays_a_pawn_in_wood_and_moves_as_what_was_declared(senses: c.Senses) -> None:
    wood = {"occupancy": "", "colour": "w", "identity": "P"}[senses]
    king = {"occupancy": "", "colour": "b", "identity": "k"}[senses]
    log = (
        f"1000 A lift a7; 2500 A place a8 {wood}; 4000 A choose white n; 5500 A press white; 7000 A lift h8;"
        f"8500 A place h7 {king}; 10000 A press black; 11500 A lift a8; 13000 A place b6 {wood}; 14500 A press white"
    )
    played = Played(log, a=PROMOTION, senses=senses)
    assert played.completed("A") == ["a7a8n", "h8h7", "a8b6"]
    assert "1N~6" in played.all(c.Move, "A")[-1].fen
    assert not played.accusations
    assert not played.all(c.Displaced)


def test_9_a_new_piece_in_the_pawn_s_place_declares_it_and_is_a_pawn_again_once_taken() -> None:
    """He should have stayed a pawn in wood; to make another move of it, or none, helps nobody."""
    log = (
        "1000 A lift a7; 2500 A place a8 N; 5500 A press white; 7000 A lift b8; 8500 A place a8 r; 10000 A press black"
    )
    played = Played(log, a="1r5k/P7/8/8/8/8/8/K7[] w - - 0 1", senses="identity")
    assert played.completed("A") == ["a7a8n", "b8a8"]
    assert played.stock("B") == ("P", "")
    assert not played.accusations


def test_9_a_queen_where_nothing_was_declared() -> None:
    played = Played("1000 A lift a7; 2500 A place a8; 5500 A press white", a="8/P6k/8/8/8/8/8/K7[] w - - 0 1")
    assert played.completed("A") == ["a7a8q"]


def test_9_what_the_promoted_piece_does_later_tells_what_he_is() -> None:
    log = (
        "1000 A lift a7; 2500 A place a8; 5500 A press white; 7000 A lift h7; 8500 A place h6; 10000 A press black;"
        "11000 A lift a8; 12000 A place b6; 13000 A press white"
    )
    played = Played(log, a="8/P6k/8/8/8/8/8/K7[] w - - 0 1")
    assert played.moves("A") == ["a7a8n", "h7h6", "a8b6"]
    assert played.completed("A")[-3:] == ["a7a8n", "h7h6", "a8b6"]
    assert not played.accusations


def test_9_a_promoted_piece_who_is_taken_is_a_pawn_again() -> None:
    log = (
        "1000 A lift a7; 2500 A place a8; 3000 A choose white q; 5500 A press white; 7000 A lift b8; 8500 A lift a8;"
        "9000 A place a8; 10000 A press black"
    )
    played = Played(log, a="1r5k/P7/8/8/8/8/8/K7[] w - - 0 1")
    assert played.stock("B") == ("P", "")


# -- the match -------------------------------------------------------------------------------------------------------


def test_10_a_player_presses_only_his_own_clock() -> None:
    log = "1000 A lift e2; 2000 A place e4; 3000 A press black; 3500 A press white; 4000 B lift d2; 5000 B place d4"
    played = Played(log)
    assert [(e.uci, e.white_ms) for e in played.all(c.Completed)] == [("e2e4", 176_500)]


def test_11_what_partners_say_to_each_other_changes_nothing_on_the_board() -> None:
    played = Played("1000 A choose white n; 2000 A choose white p; 3000 A choose white n; 4000 A time", a=STOCKED)
    assert played.all(c.Move) == []
    assert played.owed("A") == []


@pytest.mark.parametrize("end", ["4000 B pause white", "4000 B pause black", "4000 B arbiter neutralise"])
def test_12_after_one_game_each_player_of_the_other_may_end_the_match(end: str) -> None:
    played = Played(f"{MATE_ON_A}; {end}; 5500 B lift h6; 7000 B place f7", a=SMOTHERED, b=SMOTHERED)
    assert played.outcome == ("team-1", "board-a")
    assert played.result("B") is None


def test_12_who_has_lost_cannot_stop_the_other_game_from_his_own_board() -> None:
    played = Played(f"{MATE_ON_A}; 4000 A pause black; 5500 B lift h6; 7000 B place f7", a=SMOTHERED, b=SMOTHERED)
    assert played.outcome == ("draw", "both-boards")


def test_12_nothing_is_neutralised_before_a_game_has_ended() -> None:
    played = Played("1000 A arbiter neutralise; 20000 A arbiter resume; 20000 B arbiter resume; 21000 A time")
    assert played.outcome is None
    assert played.match.games["A"].state.left("white") == played.match.games["B"].state.left("white") == 173_000


def test_13_both_games_won_by_one_team() -> None:
    played = Played(f"{MATE_ON_A}; {MATE_ON_B}", a=SMOTHERED, b=SMOTHERED_BLACK)
    assert played.outcome == ("team-1", "both-boards")


def test_13_each_team_won_one() -> None:
    played = Played(f"{MATE_ON_A}; 4000 B lift h6; 5500 B place f7", a=SMOTHERED, b=SMOTHERED)
    assert played.outcome == ("draw", "both-boards")


TAKES_AND_IS_MATED = (
    "1000 B lift a2; 2500 B place a3; 4000 B press white; 5500 A lift a1; 7000 A lift a8; 8500 A place a8;"
    "10000 A press white; 11500 A lift h3; 13000 A place f2"
)
MATED = "n7/7k/8/8/8/7n/6PP/R5RK[] w - - 0 1"


def test_14_who_takes_the_piece_his_partner_mates_with_and_is_mated_has_not_lost() -> None:
    played = Played(f"{TAKES_AND_IS_MATED}; 14500 B arbiter neutralise", a=MATED, b="k7/8/8/8/8/8/P5PP/6RK[] w - - 0 1")
    assert played.outcome == ("draw", "simultaneous")


def test_14_but_his_partner_must_be_able_to_mate_at_once() -> None:
    no_mate = "k7/8/8/8/8/8/P5P1/6RK[] w - - 0 1"
    played = Played(f"{TAKES_AND_IS_MATED}; 14500 B arbiter neutralise", a=MATED, b=no_mate)
    assert played.outcome == ("team-2", "board-a")


# -- disputes --------------------------------------------------------------------------------------------------------


def test_16_a_player_may_press_to_see_a_hidden_stock_and_the_hider_s_clock_runs_until_he_shows_it() -> None:
    log = (
        "1000 A arbiter report side=black kind=hidden-stock; 2500 A press white; 4000 A press black;"
        "5000 A lift d2; 6000 A place d3; 7000 A press white"
    )
    played = Played(log, a=STOCKED)
    assert [(e.kind, e.side, e.article) for e in played.all(c.Violation)] == [("hidden-stock", "black", "16")]
    assert not played.all(c.Illegal)
    assert [(e.white_ms, e.black_ms) for e in played.all(c.Completed)] == [(174_500, 178_500)]


def test_16_that_holds_for_one_press() -> None:
    log = (
        "1000 A arbiter report side=black kind=hidden-stock; 2500 A press white; 4000 A press black; 5000 A press white"
    )
    assert [e.kind for e in Played(log, a=STOCKED).all(c.Illegal)] == ["no-move"]


def test_16_a_mislaid_piece_is_out_of_play() -> None:
    played = Played("1000 A arbiter report side=white kind=mislaid-stock piece=n; 2000 A place e6", a=STOCKED)
    assert [(e.kind, e.side) for e in played.all(c.Violation)] == [("mislaid-stock", "white")]
    assert played.moves("A") == ["P@e6"], "only the pawn is left"


def test_16_what_is_not_in_stock_cannot_be_mislaid() -> None:
    played = Played("1000 A arbiter report side=white kind=mislaid-stock piece=q", a=STOCKED)
    assert not played.accusations
    assert played.stock("A") == ("NP", "p")


def test_16_a_mislaid_piece_will_not_come_and_parry_a_mate() -> None:
    last_knight = "6k1/5ppp/8/8/PPPPPP2/1brqnP2/rqbnrP2/bnr1bN1K[Rn] w - - 0 30"
    log = "1000 A arbiter report side=black kind=mislaid-stock piece=n; 2000 A choose white r; 3000 A place e8"
    assert Played(log, a=last_knight).result("A") == ("1-0", "checkmate")


TOUCHED = "1000 A choose white n; 2500 A place e6; 2800 A lift e6"


def test_17_a_stock_piece_laid_back_before_he_touched_the_board_binds_nobody() -> None:
    played = Played("1000 A choose white n; 2500 A lift d2; 4000 A place d3; 5500 A press white", a=STOCKED)
    assert played.completed("A") == ["d2d3"]
    assert not played.accusations


def test_17_once_he_touches_an_empty_square_he_is_to_be_dropped_on_any() -> None:
    played = Played(f"{TOUCHED}; 4300 A place d5; 5800 A press white", a=STOCKED)
    owed = played.all(c.Obligation, "A")[0]
    board = chess.variant.CrazyhouseBoard(STOCKED)
    assert (owed.must, owed.side) == ("move", "white")
    assert owed.moves == sorted(m.uci() for m in board.legal_moves if m.drop == chess.KNIGHT)
    assert played.completed("A") == ["N@d5"]
    assert not played.accusations


def test_17_a_person_may_report_the_touch() -> None:
    played = Played("1000 A choose white n; 2000 A contact e6; 3000 A lift d2; 4000 A place d3", a=STOCKED)
    assert [(e.kind, e.uci) for e in played.all(c.Violation)] == [("touch-move", "d2d3")]


def test_17_a_finger_on_an_empty_square_is_no_piece() -> None:
    assert Played("2000 A contact e6; 3000 A lift d2; 4000 A place d3", a=STOCKED).accusations == []


@pytest.mark.parametrize("instead", ["lift d2; 5800 A place d3", "choose white p; 5800 A place d5"])
def test_17_another_move_instead_is_a_breach(instead: str) -> None:
    played = Played(f"{TOUCHED}; 4300 A {instead}; 7300 A press white", a=STOCKED)
    assert [(e.kind, e.side) for e in played.all(c.Violation)] == [("touch-move", "white")]


def test_17_a_slide_over_squares_is_no_touch() -> None:
    log = "1000 A choose white n; 2000 A place h5; 2080 A lift h5; 2100 A place g5; 2180 A lift g5; 2200 A place f5"
    played = Played(f"{log}; 4000 A press white", a=STOCKED)
    assert played.completed("A") == ["N@f5"]
    assert played.owed("A") == []


def test_17_an_earlier_touch_on_the_board_binds_first() -> None:
    played = Played(
        "1000 A lift d2; 2500 A place d2; 4000 A choose white n; 5000 A place e6; 6500 A press white", a=STOCKED
    )
    assert [(e.kind, e.uci) for e in played.all(c.Violation)] == [("touch-move", "N@e6")]


def test_17_a_piece_dropped_stays_where_he_stands() -> None:
    played = Played("1000 A choose white n; 2500 A place e6; 4000 A lift e6; 5500 A place d5", a=STOCKED)
    assert played.moves("A") == ["N@e6"]
    assert [(e.kind, e.side) for e in played.all(c.Violation)] == [("released-move", "white")]


def test_18_what_was_taken_is_not_in_stock_before_the_press() -> None:
    played = Played(TAKE_ON_B, b=EXCHANGE)
    assert played.moves("B") == ["e4d5"]
    assert played.stock("A") == ("", "")


@pytest.mark.parametrize("laws", ALL)
def test_18_who_drops_it_before_and_presses_loses_on_claim(laws: c.Edition) -> None:
    log = (
        f"{TAKE_ON_B}; 5500 A lift e2; 7000 A place e4; 8500 A press white; 10000 A place e5; 13000 A press black;"
        "14500 A claim white illegal-move; 16000 A arbiter uphold; 17000 B arbiter neutralise"
    )
    played = Played(log, b=EXCHANGE, laws=laws)
    assert [(e.side, e.completed, e.report) for e in played.all(c.Illegal)][-1] == ("black", True, "on-claim")
    assert [(p.kind, p.status, p.article) for p in played.all(c.Penalty)] == [
        ("loss", "proposed", "18"),
        ("loss", "applied", "18"),
    ]
    assert played.outcome == ("team-1", "board-a")


def test_18_an_illegal_move_not_pressed_is_taken_back_and_played_with_the_same_piece() -> None:
    log = "1000 A choose white p; 2500 A place h8; 4000 A lift h8; 5500 A place h5; 7000 A press white"
    played = Played(log, a=PAWNS)
    assert played.completed("A") == ["P@h5"]
    assert [e.completed for e in played.all(c.Illegal)] == [False]
    assert not played.all(c.Violation)
    assert {move[0] for move in played.owed("A")} == {"P"}


def test_18_the_claim_is_lost_once_the_opponent_has_moved() -> None:
    log = (
        "1000 A choose white p; 2500 A place h8; 4000 A press white; 5500 A lift d7; 6500 A place d6;"
        "7500 A press black;"
        "8500 A claim black illegal-move"
    )
    assert [e.verdict for e in Played(log, a=PAWNS).all(c.Claimed)] == ["lapsed"]


def _moves(steps: list[tuple[str, str]]) -> str:
    """Board A: a piece goes from square to square every two seconds, taking what stands there; ``""``: the stock."""
    log = []
    for i, (origin, target) in enumerate(steps):
        log += [f"{1000 + 2000 * i} A lift {origin}"] if origin else []
        log += [f"{1500 + 2000 * i} A lift {target}", f"{2000 + 2000 * i} A place {target}"]
    return "; ".join(log)


def _there_and_back(times: int) -> str:
    return _moves([("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] * times)


@pytest.mark.parametrize(("times", "verdict"), [(1, "rejected"), (2, "rejected"), (3, "referred"), (4, "referred")])
def test_19_four_occurrences_make_a_claim_that_the_arbiter_rules_on(times: int, verdict: str) -> None:
    played = Played(f"{_there_and_back(times)}; 60000 A claim white fourfold", clock=None)
    assert [(e.verdict, e.article) for e in played.all(c.Claimed)] == [(verdict, "19")]
    assert [e.result for e in played.all(c.Result)] == (["1/2-1/2"] if verdict == "referred" else [])


def test_19_upheld_it_draws_the_match() -> None:
    log = f"{_there_and_back(3)}; 60000 A claim white fourfold; 61000 A arbiter uphold; 62000 B arbiter neutralise"
    assert Played(log, clock=None).outcome == ("draw", "fourfold")


def test_19_the_opponent_s_stock_may_have_grown_meanwhile() -> None:
    again = _there_and_back(3).split("; ")
    grown = [*again[:8], "16500 B lift e4", "16600 B lift d5", "16700 B place d5", *again[8:]]
    log = "; ".join(sorted(grown, key=lambda part: int(part.split()[0])))
    played = Played(f"{log}; 60000 A claim white fourfold", b=EXCHANGE, clock=None)
    assert played.stock("A") == ("", "p")
    assert [e.verdict for e in played.all(c.Claimed)] == ["referred"]


def test_19_but_the_claimant_may_not_have_dropped_a_piece() -> None:
    there_and_back = [("f3", "g5"), ("f6", "g4"), ("g5", "f3"), ("g4", "f6")]
    rook = "r5k1/8/5n2/8/8/5N2/8/6K1[P] w - - 0 30"
    taken_off = [("a8", "a5"), ("f3", "g5"), ("a5", "a6"), ("g5", "f3"), ("a6", "a8")]
    steps = [*there_and_back * 2, ("", "a5"), *taken_off]
    played = Played(f"{_moves(steps)}; 90000 A claim white fourfold", a=rook, clock=None)
    assert "P@a5" in played.moves("A")
    assert [e.verdict for e in played.all(c.Claimed)] == ["rejected"]


@pytest.mark.parametrize("of", ["threefold", "quickplay"])
def test_19_no_other_claim_of_a_draw_by_repetition(of: str) -> None:
    played = Played(f"{_there_and_back(2)}; 60000 A claim white {of}", clock=None)
    assert [e.verdict for e in played.all(c.Claimed)] == ["inadmissible"]


def test_20_both_players_of_a_team_together_stop_the_match() -> None:
    log = "10000 A pause white; 10000 B pause black; 70000 A arbiter resume; 70000 B arbiter resume; 71000 A time"
    played = Played(log)
    assert played.match.games["A"].state.left("white") == played.match.games["B"].state.left("white") == 164_000
    assert played.outcome is None


def test_20_one_player_alone_stops_only_his_own_board() -> None:
    played = Played("10000 A pause white; 20000 B time")
    assert played.match.games["A"].state.left("white") == 170_000
    assert played.match.games["B"].state.left("white") == 155_000


# -- what is refused -------------------------------------------------------------------------------------------------


def test_an_input_must_say_on_which_board() -> None:
    match = MatchAQuatre(c.Session(version=1, match="bughouse"))
    with pytest.raises(LogError, match=r"A or B, in a match - at `\$.board`"):
        match.handle(c.Lift(ms=1000, square="e2"))


@pytest.mark.parametrize("fen", ["nonsense", START.replace("[]", "[Kp]"), START.replace("[]", "[x]")])
def test_a_start_position_is_refused_by_its_board(fen: str) -> None:
    with pytest.raises(LogError, match=r"at `\$.fen.B`"):
        MatchAQuatre(c.Session(version=1, match="bughouse", fen=c.BoardFens(A=START, B=fen)))


def test_after_the_match_nothing_changes() -> None:
    played = Played(f"{MATE_ON_A}; 4000 B pause black; 5000 B resign white; 6000 B claim white flag", a=SMOTHERED)
    assert played.result("B") is None
    assert [e.verdict for e in played.all(c.Claimed)] == ["lapsed"]
