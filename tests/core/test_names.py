"""Which piece was dropped: what tells it, on boards that cannot, and what is named anew when it proves to be another.

Numbers in brackets: the articles of the blitz à quatre.
"""

import pytest
from two_boards import START, STOCKED, Played

from controller import contract as c
from controller.sensing import budget

LATE = "6000 A lift e7; 6500 A place e8; 7500 A choose white q;"
PAWN_AND_KNIGHT = "4k3/pppp4/8/8/8/8/4PPPP/4K3[NP] w - - 0 1"


def accused(played: Played) -> list[c.AnyEvent]:
    return [e for e in played.events if isinstance(e, c.Violation | c.Illegal | c.Penalty | c.Displaced)]


def test_a_press_makes_a_drop_whose_piece_the_opponent_is_taking_already() -> None:
    """He lifted him before the press, a moment after he was set down: nothing but that tells of the drop."""
    played = Played(
        "1000 A choose white n; 1500 A place d5; 1650 A lift d5; 1700 A press white;"
        "1900 A lift e6; 2400 A place d5; 2600 A press black",
        a="4k3/8/4p3/8/8/8/8/4K3[NP] w - - 0 1",
    )
    assert played.moves("A") == ["N@d5", "e6d5"]
    assert not accused(played)


def test_a_stock_piece_lifted_again_and_laid_aside_is_no_drop() -> None:
    played = Played("1000 A choose white n; 1500 A place e6; 1800 A lift e6; 4500 A press white", a=STOCKED)
    assert played.moves("A") == []
    assert [e.kind for e in played.all(c.Illegal) + played.all(c.Violation)] in (["no-move"], ["clock-misuse"])


def test_a_button_pressed_once_the_drop_is_made_names_that_drop_and_not_the_next() -> None:
    played = Played(
        "1000 A choose white p; 1500 A place a5; 2500 A choose white p; 2600 A press white;"
        "4000 A lift a7; 4500 A place a6; 5000 A press black; 7000 A place d5; 7800 A press white",
        a=PAWN_AND_KNIGHT.replace("[NP]", "[NPP]"),
    )
    assert [event.moves for event in played.all(c.Ambiguous)] == [["N@d5", "P@d5"]]


def test_a_button_pressed_after_the_move_was_named_by_default_corrects_it() -> None:
    played = Played("1500 A place d5; 1700 A press white; 2000 A choose white p", a=PAWN_AND_KNIGHT)
    assert played.moves("A") == ["P@d5"]
    assert [event.uci for event in played.all(c.Retract)] == ["N@d5"]
    assert played.completed("A")[-1] == "P@d5"
    assert played.stock("A") == ("N", "")


def test_a_pawn_may_touch_the_last_rank_on_its_way() -> None:
    """Where it may not be dropped: that it was a knight does not follow."""
    played = Played(
        "1500 A place b8; 1700 A lift b8; 2300 A place b5; 3000 A choose white p; 3200 A press white",
        a=PAWN_AND_KNIGHT,
    )
    assert played.moves("A") == ["P@b5"]
    assert not accused(played)


def test_a_piece_chosen_for_a_pawn_that_reaches_its_last_rank_is_not_dropped_there() -> None:
    """Also where the pawn's new square is reported a moment before its old one."""
    played = Played(
        "1000 A choose white n; 1500 A place b8; 1540 A lift b7; 1900 A press white",
        a="4k3/1P6/8/8/8/8/8/4K3[NP] w - - 0 1",
    )
    assert played.moves("A") == ["b7b8n"]


def test_a_piece_seen_where_he_goes_a_while_before_he_is_gone_is_not_dropped() -> None:
    """A contact that bounces, scanned each 5 ms: the old square settles up to 75 ms after the new one."""
    played = Played("1000 A place c3; 1075 A lift b1; 1400 A press white", a=START.replace("[]", "[P]"))
    assert played.moves("A") == ["b1c3"]
    assert played.stock("A") == ("P", "")
    assert not accused(played)


def test_a_piece_dropped_stays_so_when_the_opponent_hastens_to_take_another() -> None:
    """It might have gone there; but it is lifted by the hand that takes it, no sooner than people react."""
    played = Played(
        "1000 A place c3; 1260 A lift b1; 1300 A press white; 1400 A lift b8; 1700 A place b1; 1900 A press black",
        a="1r2k3/8/8/8/8/8/8/1N2K3[P] w - - 0 1",
    )
    assert played.moves("A") == ["P@c3", "b8b1"]
    assert not accused(played)


def test_of_the_pieces_that_may_have_been_dropped_one_that_is_owed_is_named() -> None:
    """A pawn came only after a knight had touched an empty square (17)."""
    played = Played(
        "1000 B lift e4; 1200 B lift d5; 1500 B place d5;"
        "1600 A lift h2; 2000 A place h3; 2200 A press white; 2600 A place c6; 2800 A lift c6; 2900 B press white;"
        "3200 A place b6; 3900 A press black",
        a="4k3/8/8/8/8/8/7P/4K3[n] w - - 0 1",
        b="rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2",
    )
    assert played.moves("A") == ["h2h3", "N@b6"]
    assert not accused(played)


def test_a_piece_named_wrongly_on_one_board_is_named_anew_on_the_other() -> None:
    """A pawn is taken for a knight, is taken, and moves as a pawn on the partner's board: it was one all the time."""
    played = Played(
        "1000 A place d5; 1600 A press white; 3000 A lift d5; 3200 A lift c6; 3600 A place d5; 4000 A press black;"
        "6000 B lift h2; 6500 B place h3; 6800 B press white;"
        "7000 B lift h7; 7500 B place h6; 7800 B press black;"
        "9000 B place e4; 9500 B press white; 10000 B lift h6; 10500 B place h5; 10800 B press black;"
        "12000 B lift e4; 12500 B place e5; 13000 B press white",
        a="4k3/8/2p5/8/8/8/8/4K3[NP] w - - 0 1",
        b="4k2r/7p/8/8/8/8/7P/4K3[] w - - 0 1",
    )
    assert played.moves("A")[0] == "P@d5"
    assert played.moves("B")[-3:] == ["P@e4", "h6h5", "e4e5"]
    assert {event.uci for event in played.all(c.Retract)} >= {"N@d5", "N@e4"}
    assert not accused(played)


def test_pieces_are_named_anew_also_where_two_moves_were_made_at_the_same_time() -> None:
    played = Played(
        "1000 A place d5; 1600 A press white; 1600 A lift a7; 1600 A place a6; 1600 A press black;"
        "3000 A lift d5; 3500 A place d6; 3700 A press white",
        a="4k3/p7/8/8/8/8/8/4K3[NP] w - - 0 1",
    )
    assert played.moves("A") == ["P@d5", "a7a6", "d5d6"]
    assert not accused(played)


def test_a_piece_who_takes_as_another_is_named_anew_also_when_the_reply_comes_before_the_press() -> None:
    """A knight is taken for a pawn, and takes where no pawn could; the opponent takes up his piece before the press."""
    played = Played(
        "1000 A place f3; 1600 A press white; 2500 A lift a7; 3000 A place a6; 3300 A press black;"
        "5000 A lift f3; 5300 A lift e5; 5700 A place e5; 6100 A lift d6; 6150 A press white;"
        "6400 A lift e5; 6800 A place e5; 7100 A press black",
        a="4k3/p7/3p4/4p3/8/8/8/4K3[NPP] w - - 0 1",
    )
    assert played.moves("A") == ["N@f3", "a7a6", "f3e5", "d6e5"]
    assert not accused(played)


def test_a_piece_who_takes_as_another_may_be_seen_where_he_lands_before_he_is_gone() -> None:
    played = Played(
        "1000 A place f3; 1600 A press white; 2500 A lift a7; 3000 A place a6; 3300 A press black;"
        "5000 A lift e5; 5700 A place e5; 5750 A lift f3; 6100 A press white",
        a="4k3/p7/3p4/4p3/8/8/8/4K3[NPP] w - - 0 1",
    )
    assert played.moves("A") == ["N@f3", "a7a6", "f3e5"]
    assert played.stock("B") == ("", "p"), "and what he took is with the partner"
    assert not accused(played)


def test_who_reached_the_last_rank_may_have_been_no_pawn() -> None:
    """A bishop is taken for a pawn, and for promoted in the corner; his player has both pawns left to drop."""
    played = Played(
        "1000 A place g7; 1600 A press white; 2500 A lift a7; 3000 A place a6; 3300 A press black;"
        "4000 A lift g7; 4300 A lift h8; 4600 A place h8; 5000 A press white;"
        "6000 A lift a6; 6500 A place a5; 7000 A press black; 8000 A choose white p; 8500 A place d4;"
        "9000 A press white; 10000 A lift a5; 10500 A place a4; 11000 A press black;"
        "12000 A choose white p; 12500 A place e4; 13000 A press white",
        a="4k2r/p7/8/8/8/8/8/4K3[BPP] w - - 0 1",
    )
    assert played.moves("A")[::2] == ["B@g7", "g7h8", "P@d4", "P@e4"]
    assert not accused(played)


def test_a_mate_that_stands_unnamed_is_told_by_the_players_who_stop_the_match() -> None:
    """Nobody presses after mate (18), and the partner's board is stopped (12)."""
    mating = "6rk/6pp/8/8/8/8/8/K7[NP] w - - 0 1"
    played = Played("1000 A place f7; 4000 B pause white", a=mating)
    assert played.moves("A") == ["N@f7"]
    assert played.result("A") == ("1-0", "checkmate")
    assert [(event.result, event.reason) for event in played.all(c.Match)] == [("team-1", "board-a")]


def test_a_mate_by_pieces_who_had_other_names_is_told_in_the_same_way() -> None:
    """The queen is protected by a knight that was taken for a pawn."""
    played = Played(
        "1000 A place f5; 1600 A press white; 2500 A lift a7; 3000 A place a6; 3300 A press black;"
        "5000 A lift g1; 5700 A place g7; 9000 B pause white",
        a="7k/p7/8/8/8/8/8/K5Q1[NPP] w - - 0 1",
    )
    assert played.moves("A") == ["N@f5", "a7a6", "g1g7"]
    assert played.result("A") == ("1-0", "checkmate")
    assert played.outcome == ("team-1", "board-a")
    assert played.stock("A") == ("PP", "")


def test_no_mate_is_told_by_who_stops_to_call_the_arbiter_after_a_press() -> None:
    played = Played(
        "1000 A place f5; 1600 A press white; 2500 A lift a7; 3000 A place a6; 3300 A press black;"
        "5000 A lift g1; 5700 A place g7; 6000 A press white; 9000 B pause white",
        a="7k/p7/8/8/8/8/8/K5Q1[NPP] w - - 0 1",
    )
    assert played.moves("A") == ["P@f5", "a7a6", "g1g7"]
    assert played.result("A") is None


def test_who_presses_has_not_mated() -> None:
    played = Played("1000 A place f7; 1600 A press white", a="6rk/6pp/8/8/8/8/8/K7[NP] w - - 0 1")
    assert played.moves("A") == ["P@f7"]
    assert played.result("A") is None


def test_a_touch_breaks_nothing_where_the_piece_may_be_one_that_cannot_move() -> None:
    """A knight would have had to move; a pawn has the enemy's before it."""
    played = Played(
        "1000 A place e4; 2000 A press white; 3000 A lift e8; 3500 A place d8; 4500 A press black;"
        "6000 A lift e4; 6800 A place e4; 8000 A lift e1; 8600 A place f1; 9500 A press white",
        a="4k3/8/8/4p3/8/8/8/4K3[NP] w - - 0 1",
    )
    assert played.moves("A") == ["P@e4", "e8d8", "e1f1"]
    assert not accused(played)


def test_a_piece_named_though_none_seems_in_stock_was_not_dropped_before_under_another_name() -> None:
    """Black has two pawns, and drops two by name: so what he had dropped unnamed before was neither."""
    played = Played(
        "1000 A place a3; 2500 A press black; 4000 A lift e1; 4700 A place d1; 5500 A press white;"
        "7000 A choose black p; 8500 A place h6; 10000 A press black; 11500 A lift d1; 12200 A place e1;"
        "13000 A press white; 14500 A place g5; 16000 A press black; 17500 A lift e1; 18200 A place d1;"
        "19000 A press white; 20500 A choose black p; 22000 A place a5; 23500 A press black",
        a="6k1/2pppp2/8/8/8/8/2PPPP2/4K3[qrpp] b - - 0 20",
    )
    assert played.moves("A") == ["R@a3", "e1d1", "P@h6", "d1e1", "Q@g5", "e1d1", "P@a5"]
    assert not accused(played)


def test_a_piece_named_that_is_in_no_stock_is_an_illegal_drop_though_another_might_have_been_dropped() -> None:
    """18. The button has said which; it is told at the press, and play goes on beside it."""
    played = Played(
        "1000 A choose white r; 2000 A place g5; 3000 A press white; 5000 A lift a7; 5600 A place a6; 6500 A time",
        a="4k3/pp6/8/8/8/8/P7/4K3[Nn] w - - 0 1",
        supervised=True,
        laws="fide-2023",
    )
    assert [(said.kind, said.completed, said.ms) for said in played.all(c.Illegal) if said.completed] == [
        ("illegal-move", True, 3000)
    ]


def test_touching_a_piece_turns_no_board_on_which_only_stock_was_played() -> None:
    played = Played(
        "500 A choose white p; 1000 A place h4; 2000 A press white; 2500 A choose black p; 3000 A place b5;"
        "4000 A press black; 7000 A lift c2; 8000 A place c2;"
        "9500 A choose white n; 11000 A place e6; 12000 A press white; 15000 A time",
        a=START.replace("[]", "[NPnp]"),
    )
    assert [event.uci for event in played.all(c.Retract)] == []
    assert [said.kind for said in played.all(c.Violation)] == ["touch-move"]


def test_two_pieces_are_named_anew_together_where_no_other_name_of_one_makes_a_move_lawful() -> None:
    """Black's rook on g2 takes as a bishop, which is lawful only if White's rook on e3 is a knight, and gives no
    check."""
    played = Played(
        "1000 A place g2; 2500 A press black; 4000 A place e3; 5500 A press white; 7000 A lift g2; 7700 A lift h3;"
        "8600 A place h3; 10000 A press black",
        a="4k3/8/8/8/8/7R/8/3K4[RNrb] b - - 0 30",
    )
    assert played.moves("A") == ["B@g2", "N@e3", "g2h3"]
    assert not accused(played)


@pytest.mark.parametrize("stopped", ["B arbiter pause", "B pause white"])
def test_a_piece_is_named_anew_while_the_other_board_stands_still(stopped: str) -> None:
    played = Played(
        "1000 A place d6; 2500 A press white; 4000 A lift b7; 5500 A place b6; 7000 A press black;"
        f"8500 {stopped}; 10000 A lift d6; 11500 A place f4; 13000 A press white",
        a="6k1/1p6/8/8/8/8/P7/4K3[RB] w - - 0 20",
    )
    assert played.moves("A") == ["B@d6", "b7b6", "d6f4"]
    assert not accused(played)


def test_a_name_said_once_the_opponent_has_replied_is_said_of_the_next_piece_though_the_reply_seems_unlawful() -> None:
    """Black has taken on a7: so what stands on f8 gives no check, and White's next piece is the rook."""
    played = Played(
        "1000 A place f8; 2500 A lift a7; 4000 A lift a8; 5500 A place a7; 7000 A choose white r; 8500 A place a8;"
        "10000 A lift a7; 11500 A lift a8; 13000 A place a8",
        a="rn4k1/R5p1/2p1pp1r/1P5p/2P2p2/3PP1P1/1P3P2/1NBQK1b1[QRN] w - - 1 20",
        clock=None,
    )
    assert played.moves("A") == ["N@f8", "a8a7", "R@a8", "a7a8"]
    assert not accused(played)


@pytest.mark.parametrize("named", ["5000 A choose white q; 6000 A lift e7; 6500 A place e8;", LATE])
def test_who_names_a_promotion_of_what_seemed_a_rook_has_dropped_a_pawn(named: str) -> None:
    played = Played(
        "1000 A place e7; 2000 A press white; 3000 A lift a6; 3500 A place a5; 4500 A press black;"
        f"{named} 8000 A press white",
        a="8/8/k7/8/8/8/8/4K3[RP] w - - 0 1",
    )
    assert played.moves("A") == ["P@e7", "a6a5", "e7e8q"]
    assert played.stock("A") == ("R", "")


def test_both_clocks_of_a_match_start_at_its_beginning() -> None:
    played = Played("5000 A lift e2; 5500 A place e4; 6000 A press white", a=START)
    assert [(event.ms, event.board) for event in played.all(c.Clock)][:2] == [(0, "A"), (0, "B")]


@pytest.mark.parametrize(
    ("log", "square", "piece", "taken"),
    [
        ("1500 A place e6", "e6", "p", True),
        ("1500 A place e6", "e5", "p", False),  # nothing was set down there
        ("1500 A place e6", "e6", "q", False),  # no queen is in stock
        ("1500 A place e6; 2500 A press white", "e6", "p", True),
        ("1500 A place e6; 2500 A press white; 3000 A choose white p", "e6", "n", False),  # it is named
        ("1500 A place e6; 2500 A press white; 4000 A lift g8; 4500 A place f6; 5000 A time", "e6", "p", False),
    ],
)
def test_a_name_for_what_stands_on_a_square_never_names_the_next_piece(
    log: str, square: str, piece: str, taken: bool
) -> None:
    played = Played(log, a="4k1n1/pppp4/8/8/8/8/4PPPP/4K3[NP] w - - 0 1")
    said = c.Choose(ms=6000, board="A", side="white", piece=piece, square=square)  # type: ignore[arg-type]
    assert (played.match.games["A"].refusal(said) is None) == taken


@pytest.mark.parametrize("pressed", [[], ["1150 A press white"]])
@pytest.mark.parametrize(("said", "named"), [(1190, "B@d4"), (1300, "B@d4"), (1600, "P@d4")])
def test_a_drop_may_be_named_until_the_reply_stands_though_the_opponent_holds_his_piece(
    said: int, named: str, pressed: list[str]
) -> None:
    """Black takes up his pawn at 1200, which makes the drop, and sets it down at 1500."""
    steps = [
        "1000 A place d4",
        "1200 A lift d7",
        f"{said} A choose white b",
        "1500 A place d6",
        "4000 A time",
        *pressed,
    ]
    log = "; ".join(sorted(steps, key=lambda step: int(step.split()[0])))
    played = Played(log, a="4k3/3p4/8/8/8/8/8/4K3[BPP] w - - 0 1", clock="180" if pressed else None)
    assert (played.moves("A")[0], accused(played)) == (named, [])


def test_two_pieces_are_named_anew_of_which_each_alone_would_give_check() -> None:
    """The queen would pin the bishop that moves, and the knight gives check: so they have each other's name (18)."""
    log = "1000 B place a1 b; 2500 B lift h2; 3000 B place h3 w; 4500 B place f2 b; 6000 B lift c1; 6500 B place d2 w"
    played = Played(log, b="4k3/8/8/8/8/8/7P/2BK4[qn] b - - 0 1", clock=None, senses="colour")
    assert played.moves("B") == ["N@a1", "h2h3", "Q@f2", "c1d2"]
    assert not accused(played)


@pytest.mark.parametrize("named", [1, 1000])
def test_where_a_match_has_grown_long_two_pieces_of_one_stock_may_still_have_each_others_name(
    named: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody tries all names then."""
    monkeypatch.setattr(budget, "NAMED", named)
    log = "1000 B place a8 b; 2500 B lift h2; 3000 B place h3 w; 4500 B place g3 b; 6000 B lift h3; 6500 B place h4 w;"
    played = Played(
        f"{log} 8000 B lift g3; 8500 B place g6 b", b="7k/8/8/8/8/8/7P/3K4[qn] b - - 0 1", clock=None, senses="colour"
    )
    assert played.moves("B") == ["N@a8", "h2h3", "Q@g3", "h3h4", "g3g6"]
    assert not accused(played)
