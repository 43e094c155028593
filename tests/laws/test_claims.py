"""What players say: who may claim what, until when, what it is worth and what it costs, in which edition."""

from typing import get_args

import pytest
from at_the_board import ALL, BEFORE_2014, NEW, OLD, Table
from msgspec.structs import fields

from controller import contract as c
from controller.laws.editions import MINUTE

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry
BARE = "8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"
TWO_ROOKS = "7k/6pp/8/8/8/8/6PP/R2R3K w - - 0 40"
KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")

# -- agreement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_a_draw_is_agreed_before_a_move_only_up_to_2014(laws: c.Edition) -> None:
    table = Table(laws).give(c.Draw, side="white", act="offer").give(c.Draw, side="black", act="accept")
    assert table.result == (("1/2-1/2", "agreement") if laws in OLD else None)


@pytest.mark.parametrize("laws", NEW)
def test_both_must_have_moved(laws: c.Edition) -> None:
    table = Table(laws).play("e2e4")
    table.give(c.Draw, side="white", act="offer").give(c.Draw, side="black", act="accept")
    assert table.result is None
    table.play("e7e5").give(c.Draw, side="black", act="offer").give(c.Draw, side="white", act="accept")
    assert table.result == ("1/2-1/2", "agreement")
    assert table.all(c.Result)[-1].article == "5.2.3"


def offered() -> Table:
    return Table("fide-2023").play("e2e4", "e7e5").make("d2d4").give(c.Draw, side="white", act="offer")


def test_an_offer_stands_while_the_opponent_thinks() -> None:
    table = offered().give(c.Press, side="white").wait(600_000)
    assert table.give(c.Draw, side="black", act="accept").result == ("1/2-1/2", "agreement")


def test_an_offer_is_declined_by_word_by_touch_or_by_move() -> None:
    declined = offered().give(c.Draw, side="black", act="decline")
    touched = offered().give(c.Press, side="white").touch("g8")
    moved = offered().give(c.Press, side="white").play("b8c6")
    thinking = offered().give(c.Press, side="white").give(c.Lift, square="g8").wait(0)
    held = thinking.give(c.Draw, side="white", act="offer").give(c.Place, square="f6").wait(0)
    for table in (declined, touched, moved, held):
        assert table.give(c.Draw, side="black", act="accept").result is None


def test_a_piece_put_straight_declines_nothing() -> None:
    table = offered().give(c.Press, side="white").give(c.Adjust, side="black").touch("g8")
    assert table.give(c.Draw, side="black", act="accept").result == ("1/2-1/2", "agreement")


@pytest.mark.parametrize("announced", [False, True])
def test_a_piece_touched_once_more_declines_it_unless_it_is_put_straight(*, announced: bool) -> None:
    table = Table("fide-2023").play("e2e4", "e7e5", "d2d4").touch("g8").give(c.Draw, side="white", act="offer")
    if announced:
        table.give(c.Adjust, side="black")
    agreed = table.touch("g8").give(c.Draw, side="black", act="accept").result
    assert agreed == (("1/2-1/2", "agreement") if announced else None)


def test_nobody_accepts_his_own_offer_or_none() -> None:
    assert offered().give(c.Draw, side="white", act="accept").result is None
    assert Table("fide-2009").give(c.Draw, side="black", act="accept").result is None


def test_a_false_claim_of_a_draw_is_an_offer_too() -> None:
    table = Table("fide-2018").play("e2e4", "e7e5")
    assert table.claim("white", "threefold") == "rejected"
    assert table.give(c.Draw, side="black", act="accept").result == ("1/2-1/2", "agreement")


# -- resignation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize(("side", "lost"), [("white", "0-1"), ("black", "1-0")])
def test_who_resigns_loses_unless_nobody_could_mate_him(laws: c.Edition, side: c.Side, lost: str) -> None:
    assert Table(laws).give(c.Resign, side=side).result == (lost, "resignation")
    against_bare_king = Table(laws, BARE).give(c.Resign, side=side)
    drawn = laws == "fide-2023" and side == "white"
    assert against_bare_king.result == ("1/2-1/2" if drawn else lost, "resignation")


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("k7/8/2K5/8/1Q6/8/8/8 w - - 0 1", ("1/2-1/2", "stalemate")),
        ("4k3/8/8/2K5/1Q6/8/8/8 w - - 0 1", ("1-0", "resignation")),
    ],
)
def test_the_move_that_stands_when_the_opponent_resigns_has_been_made(fen: str, end: tuple[str, str]) -> None:
    table = Table("fide-2023", fen).give(c.Lift, square="b4").give(c.Place, square="b6")
    table.ms -= 800  # he resigns before the queen has stood for a release
    table.give(c.Resign, side="black")
    assert ([move.uci for move in table.all(c.Move)], table.result) == (["b4b6"], end)


def test_whether_the_opponent_could_mate_is_judged_before_the_illegal_move() -> None:
    """The knight takes Black's only rook, as no knight can: on the board Black has nothing left to mate with."""
    table = Table("fide-2023", "k7/8/8/8/8/6r1/8/N6K w - - 0 1").play("a1g3")
    assert table.fen.startswith("k7/8/8/8/8/6N1/8/7K")
    assert table.give(c.Resign, side="white").result == ("0-1", "resignation")


# -- draws claimed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_threefold_is_upheld_for_the_player_having_the_move(laws: c.Edition) -> None:
    table = Table(laws).play(*KNIGHTS, *KNIGHTS)
    assert table.claim("black", "threefold") == "inadmissible"
    assert table.claim("white", "threefold") == "upheld"
    assert table.result == ("1/2-1/2", "threefold")


def test_threefold_by_the_move_written_down() -> None:
    table = Table("fide-2018").play(*KNIGHTS, *KNIGHTS[:3])
    assert table.claim("black", "threefold", "f6g8") == "upheld"
    assert table.all(c.Claimed)[-1].article == "9.2.1.1"


@pytest.mark.parametrize("written", ["f6g8", "b8c6", "e1e8", "no move"])
def test_threefold_is_rejected_where_the_written_move_makes_none(written: str) -> None:
    assert Table("fide-2018").play(*KNIGHTS[:3]).claim("black", "threefold", written) == "rejected"


def test_the_right_is_lost_by_touching_and_returns_with_the_next_move() -> None:
    table = Table("fide-2014").play(*KNIGHTS, *KNIGHTS).touch("g1")
    assert table.claim("white", "threefold") == "lapsed"
    assert table.all(c.Claimed)[-1].article == "9.4"
    assert table.play(*KNIGHTS).claim("white", "threefold") == "upheld"


def test_the_move_of_a_false_claim_must_be_played() -> None:
    table = Table("fide-2018")
    table.claim("white", "threefold", "g1f3")
    owed = table.all(c.Obligation)[-1]
    assert (owed.must, owed.moves, owed.article) == ("move", ["g1f3"], "9.5.3")
    table.play("g1f3").touch("g8")
    assert table.all(c.Obligation)[-1].moves == ["g8f6", "g8h6"]
    assert table.all(c.Violation) == []


def test_another_move_than_that_of_a_false_claim_is_a_violation() -> None:
    table = Table("fide-2009")
    table.claim("white", "threefold", "g1f3")
    table.play("g1h3")
    assert [(v.kind, v.article) for v in table.all(c.Violation)] == [("touch-move", "9.5b")]
    assert table.claim("black", "touch-move") == "upheld"


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("wrong", ["f2f4", "b1b3"])
def test_nor_is_it_forgotten_where_another_move_is_taken_back(laws: c.Edition, wrong: str) -> None:
    """Another legal move breaks the rule of the touched piece, and an illegal one is taken back with its notice."""
    table = Table(laws, clock="5400")
    table.claim("white", "fifty-moves", "b2b3")
    table.play(wrong)
    (notice, *_) = [each for each in table.events if isinstance(each, c.Violation | c.Illegal) and each.id]
    back = wrong[2:] + wrong[:2]
    table.rule("uphold", answers=notice.id).give(c.Lift, square=back[:2]).give(c.Place, square=back[2:]).rule("resume")
    breaches = len(table.all(c.Violation)) + len(table.all(c.Illegal))
    table.play("b2b3")
    assert table.all(c.Move)[-1].uci == "b2b3"
    assert len(table.all(c.Violation)) + len(table.all(c.Illegal)) == breaches


def test_it_is_owed_no_more_where_another_game_is_played_up_to_there() -> None:
    table = Table("fide-2023", clock="5400").play("e2e4", "e7e5")
    table.claim("white", "fifty-moves", "b2b3")
    table.rule("undo").give(c.Lift, square="e5").give(c.Place, square="e7").rule("resume").play("c7c5", "g1f3")
    assert table.all(c.Violation) == []


@pytest.mark.parametrize("laws", ALL)
def test_fifty_moves(laws: c.Edition) -> None:
    def rooks(halfmoves: int) -> Table:
        return Table(laws, f"7k/6pp/8/8/8/8/6PP/R2R3K w - - {halfmoves} 80")

    assert rooks(99).claim("white", "fifty-moves") == "rejected"
    assert rooks(99).claim("white", "fifty-moves", "a1a2") == "upheld"
    assert rooks(99).claim("white", "fifty-moves", "g2g3") == "rejected"
    table = rooks(100)
    assert table.claim("white", "fifty-moves") == "upheld"
    assert table.result == ("1/2-1/2", "fifty-moves")


PRICES = [
    # laws        play        supervised  for the opponent
    ("fide-2005", "standard", True, 3),
    ("fide-2009", "standard", True, 3),
    ("fide-2014", "standard", True, 2),
    ("fide-2018", "standard", True, 2),
    ("fide-2023", "standard", True, 2),
    ("fide-2014", "rapid", False, 2),
    ("fide-2018", "rapid", False, 2),
    ("fide-2023", "rapid", False, 1),
    ("fide-2014", "blitz", False, 1),
    ("fide-2018", "blitz", True, 1),
    ("fide-2023", "blitz", False, 1),
]


@pytest.mark.parametrize(("laws", "play", "supervised", "minutes"), PRICES)
def test_the_price_of_a_false_claim(laws: c.Edition, play: c.Play, supervised: bool, minutes: int) -> None:
    table = Table(laws, play=play, supervised=supervised, clock="600")
    table.claim("white", "threefold")
    assert ("white", "time", minutes * MINUTE) in table.penalties()
    before = table.left("black")
    assert table.rule("uphold").left("black") == before + minutes * MINUTE
    assert table.penalties("applied") == table.penalties()


@pytest.mark.parametrize(("left", "cut"), [(600, 180), (300, 150), (90, 30), (50, 0)])
def test_in_2005_a_false_claim_costs_the_claimant_time_of_his_own(left: int, cut: int) -> None:
    table = Table("fide-2005").rule("pause").rule("set-clock", white_ms=left * 1000, black_ms=600_000)
    table.claim("white", "threefold")
    assert table.penalties()[1:] == ([("white", "cut", cut * 1000)] if cut else [])
    table.rule("uphold")
    assert (table.left("white"), table.left("black")) == ((left - cut) * 1000, 780_000)


def test_fourfold_is_no_claim_of_one_game() -> None:
    assert Table("fide-2023").claim("white", "fourfold") == "inadmissible"


# -- the flag ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("play", ["standard", "rapid", "blitz"])
def test_a_fallen_flag_claimed_by_a_player_with_time_left_wins(laws: c.Edition, play: c.Play) -> None:
    table = Table(laws, clock="20", play=play, supervised=play == "standard")
    assert table.claim("black", "flag") == "rejected"
    assert table.wait(30_000).result is None
    assert table.claim("black", "flag") == "upheld"
    assert table.result == ("0-1", "time")


@pytest.mark.parametrize("laws", ALL)
def test_against_a_bare_king_the_flag_draws(laws: c.Edition) -> None:
    table = Table(laws, BARE, clock="20").wait(30_000)
    assert table.claim("black", "flag") == "upheld"
    assert table.result == ("1/2-1/2", "time")


BOTH_DOWN = [
    # laws        white's claim                  black's claim; White's flag fell first
    ("fide-2005", ("inadmissible", "1/2-1/2"), ("inadmissible", "1/2-1/2")),
    ("fide-2009", ("inadmissible", "1/2-1/2"), ("inadmissible", "1/2-1/2")),
    ("fide-2014", ("inadmissible", None), ("inadmissible", None)),
    ("fide-2018", ("rejected", None), ("upheld", "0-1")),
    ("fide-2023", ("rejected", None), ("upheld", "0-1")),
]


@pytest.mark.parametrize(("laws", "white", "black"), BOTH_DOWN)
def test_both_flags_down_in_rapid(
    laws: c.Edition, white: tuple[str, str | None], black: tuple[str, str | None]
) -> None:
    for side, expected in (("white", white), ("black", black)):
        table = Table(laws, clock="20", play="rapid", supervised=False).wait(25_000).play("e2e4").wait(30_000)
        verdict = table.claim(side, "flag")  # type: ignore[arg-type]
        assert (verdict, table.result and table.result[0]) == expected


@pytest.mark.parametrize("laws", ALL)
def test_a_move_not_pressed_before_the_flag_falls_is_not_completed_by_the_loss(laws: c.Edition) -> None:
    table = Table(laws, clock="20").make("e2e4").wait(20_000)
    assert table.claim("black", "flag") == "upheld"
    assert (table.result, [move.uci for move in table.all(c.Move)]) == (("0-1", "time"), ["e2e4"])
    assert table.all(c.Completed) == []


@pytest.mark.parametrize("laws", ALL)
def test_the_opponent_who_replied_before_the_flag_fell_has_his_move_completed_by_the_end(laws: c.Edition) -> None:
    table = Table(laws, clock="20").make("e2e4", "e7e5").wait(20_000)
    assert table.claim("black", "flag") == "upheld"
    assert [done.uci for done in table.all(c.Completed)] == ["e7e5"]


def test_without_a_clock_there_is_no_flag() -> None:
    assert Table("fide-2023", clock=None).claim("white", "flag") == "inadmissible"


# -- illegal moves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_move_is_claimed_while_the_game_lasts(laws: c.Edition) -> None:
    table = Table(laws, CHECK)
    assert table.claim("black", "illegal-move") == "rejected"
    table.play("c3b5", "e8e7", "e1d1")
    assert table.claim("white", "illegal-move") == "rejected"
    assert table.claim("black", "illegal-move") == "upheld"
    assert table.penalties() == [("white", "time", 2 * MINUTE)]


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize("play", ["rapid", "blitz"])
def test_in_rapid_and_blitz_until_the_opponent_has_moved(laws: c.Edition, play: c.Play) -> None:
    def wrong() -> Table:
        return Table(laws, CHECK, play=play, supervised=False, clock="300").play("c3b5")

    assert wrong().claim("black", "illegal-move") == "upheld"
    assert wrong().touch("e4").claim("black", "illegal-move") == "upheld"
    assert wrong().play("e4e3").claim("black", "illegal-move") == "lapsed"
    replied = wrong().play("e4e3").rule("uphold")
    assert replied.penalties("applied") == []
    assert [(m.uci, m.legal) for m in replied.all(c.Move)] == [("c3b5", False), ("e4e3", True)]


@pytest.mark.parametrize("stops", ["black", None])
def test_a_pause_makes_no_move_of_what_the_opponent_has_done_to_a_player_s_pieces(stops: c.Side | None) -> None:
    """White moves a black pawn, and presses. Black has not replied, so he may claim."""
    table = Table("fide-2018", clock="900+10", play="rapid", supervised=False).play("e2e4", "e7e5")
    table.make("a7a5").give(c.Press, side="white")
    table.give(c.Pause, side=stops) if stops else table.rule("pause")
    assert [move.uci for move in table.all(c.Move)] == ["e2e4", "e7e5"]
    assert table.claim("black", "illegal-move") == "upheld"


@pytest.mark.parametrize("laws", ALL)
def test_an_illegal_reply_is_not_made_so_that_the_first_illegal_move_can_still_be_corrected(laws: c.Edition) -> None:
    def both() -> Table:
        return Table(laws, CHECK, play="rapid", supervised=False, clock="600").play("c3b5", "e4d8")

    assert both().claim("black", "illegal-move") == both().claim("white", "illegal-move") == "upheld"
    assert both().play("e1e2").claim("white", "illegal-move") == "lapsed"
    followed = both().play("e1e2")
    assert [(m.uci, m.legal) for m in followed.all(c.Move)] == [("c3b5", False), ("e4d8", False), ("e1e2", True)]
    assert followed.claim("black", "illegal-move") == "lapsed"


@pytest.mark.parametrize("laws", BEFORE_2014)
def test_what_waits_for_a_claim_is_priced_by_what_was_claimed(laws: c.Edition) -> None:
    table = Table(laws, CHECK, play="rapid", supervised=False, clock="1500")
    table.play("c3b5", "e4e7", "e1d1", "e8d8", "b5b6", "d8e8", "b6b8")
    assert table.penalties() == []
    assert [(i.count, i.report) for i in table.all(c.Illegal) if i.completed] == [(n, "on-claim") for n in (1, 2, 3)]
    assert table.claim("black", "illegal-move") == "upheld"
    assert table.penalties() == [("white", "time", 2 * MINUTE)]


@pytest.mark.parametrize("laws", BEFORE_2014)
@pytest.mark.parametrize(("fen", "kind"), [(CHECK, "loss"), (BARE, "draw")])
def test_in_blitz_the_claim_wins_or_draws_once_upheld(laws: c.Edition, fen: str, kind: str) -> None:
    table = Table(laws, fen, play="blitz", supervised=False, clock="300").play("c3b5" if kind == "loss" else "d2e4")
    assert table.claim("black", "illegal-move") == "upheld"
    assert table.penalties() == [("white", kind, None)]
    assert table.result is None
    assert table.rule("uphold").result == ("0-1" if kind == "loss" else "1/2-1/2", "illegal-moves")


def test_a_move_placed_astray_and_not_pressed_is_no_completed_illegal_move() -> None:
    assert Table("fide-2023", CHECK).make("c3b5").claim("black", "illegal-move") == "rejected"


# -- touch-move ----------------------------------------------------------------------------------------------------


def breach(laws: c.Edition, **session: object) -> Table:
    """White touches a knight and moves a pawn."""
    return Table(laws, **session).touch("g1").play("e2e4")  # type: ignore[arg-type]


@pytest.mark.parametrize("laws", ALL)
def test_touch_move_is_claimed_before_touching(laws: c.Edition) -> None:
    assert breach(laws).claim("black", "touch-move") == "upheld"
    touched = breach(laws).touch("g8")
    assert touched.claim("black", "touch-move") == "lapsed"
    assert touched.all(c.Claimed)[-1].article == ("4.7" if laws in BEFORE_2014 else "4.8")
    assert breach(laws).play("e7e5").claim("black", "touch-move") == "lapsed"


@pytest.mark.parametrize("laws", ALL)
def test_a_claim_of_touch_move_without_a_breach(laws: c.Edition) -> None:
    assert Table(laws).play("e2e4").claim("black", "touch-move") == "rejected"
    assert breach(laws).claim("white", "touch-move") == "rejected"
    assert Table(laws).give(c.Adjust, side="white").touch("g1").claim("black", "touch-move") == "rejected"


def test_who_has_touched_and_not_yet_moved_is_held_to_it() -> None:
    table = Table("fide-2023").touch("g1")
    assert table.claim("black", "touch-move") == "upheld"
    assert table.all(c.Claimed)[-1].article == "4.3.1"


@pytest.mark.parametrize("laws", BEFORE_2014)
def test_a_breach_held_for_a_claim_is_put_right_after_it(laws: c.Edition) -> None:
    table = breach(laws, play="rapid", supervised=False, clock="1500")
    assert table.rule("uphold").all(c.Retract) == []
    assert table.claim("black", "touch-move") == "upheld"
    table.rule("pause", "uphold")
    assert [r.uci for r in table.all(c.Retract)] == ["e2e4"]
    assert table.all(c.Obligation)[-1].moves == ["g1f3", "g1h3"]


def test_a_breach_raised_and_claimed_is_one_notice_and_dismissed_it_is_none() -> None:
    table = breach("fide-2018")
    assert table.claim("black", "touch-move") == "upheld"
    table.rule("dismiss")
    assert table.claim("black", "touch-move") == "rejected"
    assert table.rule("uphold").all(c.Retract) == []


@pytest.mark.parametrize("laws", ALL)
def test_in_2005_touching_loses_no_claim_but_those_of_4_3_and_4_4(laws: c.Edition) -> None:
    table = Table(laws).make("e2e4", "e4e5").touch("g8")
    assert [v.kind for v in table.all(c.Violation)] == ["released-move"]
    assert table.claim("black", "touch-move") == ("upheld" if laws == "fide-2005" else "lapsed")


# -- after the end -------------------------------------------------------------------------------------------------


CLAIMS = get_args(next(field.type for field in fields(c.Claim) if field.name == "of"))


@pytest.mark.parametrize("of", CLAIMS)
def test_after_the_end_every_claim_is_too_late(of: str) -> None:
    table = Table("fide-2023", CHECK).play("c3b5").give(c.Resign, side="black")
    assert table.claim("black", of) == "lapsed"
    assert table.all(c.Claimed)[-1].article
    assert table.result == ("1-0", "resignation")
    assert table.penalties("applied") == []


@pytest.mark.parametrize("of", CLAIMS)
def test_every_kind_of_claim_is_judged_while_the_game_is_played(of: str) -> None:
    table = Table("fide-2023").play("e2e4", "e7e5")
    assert table.claim("white", of) in ("rejected", "inadmissible", "referred")
    assert [said.of for said in table.all(c.Claimed)] == [of]
