"""The Laws as a table: one row a clause or a value, one column an edition."""

from typing import Any, get_args

import pytest
from msgspec.structs import asdict, fields

from controller.contract import Edition, Play, Session
from controller.laws.clauses import Clauses
from controller.laws.editions import EDITIONS, MINUTE, Price, Profile, profile
from controller.laws.timecontrol import parse

COLUMNS = get_args(Edition)  #: a new edition is one more in each table

CLAUSES = """
adjust                 4.2    4.2    4.2    4.2.1    4.2.1
touch_own              4.3a   4.3a   4.3a   4.3.1    4.3.1
touch_enemy            4.3b   4.3b   4.3b   4.3.2    4.3.2
touch_both             4.3c   4.3c   4.3c   4.3.3    4.3.3
castle                 4.4a   4.4a   4.4a   4.4.1    4.4.1
rook_first             4.4b   4.4b   4.4b   4.4.2    4.4.2
castling_failed        4.4c   4.4c   4.4c   4.4.3    4.4.3
promotion_final        4.4d   4.4d   4.4d   4.4.4    4.4.4
free                   4.5    4.5    4.5    4.5      4.5
released               4.6    4.6    4.7    4.7      4.7
capture_made           4.6a   4.6a   4.7a   4.7.1    4.7.1
castling_made          4.6b   4.6b   4.7b   4.7.2    4.7.2
promotion_made         4.6c   4.6c   4.7c   4.7.3    4.7.3
claim_lost             4.7    4.7    4.8    4.8      4.8
out_of_turn            12.6   12.6   11.5   11.5     11.5
checkmate              5.1a   5.1a   5.1a   5.1.1    5.1.1
resignation            5.1b   5.1b   5.1b   5.1.2    5.1.2
stalemate              5.2a   5.2a   5.2a   5.2.1    5.2.1
dead_position          5.2b   5.2b   5.2b   5.2.2    5.2.2
agreement              5.2c   5.2c   5.2c   5.2.3    5.2.3
completed              6.8a   6.7a   6.2a   6.2.1    6.2.1
next_move_completes    -      -      6.2a   6.2.1.2  6.2.1.2
clock_misuse           6.8    6.7c   6.2c   6.2.4    6.2.4
delay                  6.2b   6.2b   6.3b   6.3.2    6.3.2
default_time           6.7    6.6a   6.7a   6.7.1    6.7.1
flag_fallen            6.9    6.8    6.8    6.8      6.8
flag                   6.10   6.9    6.9    6.9      6.9
both_flags             6.12   6.11   6.11   III.3.1  III.3.1
needless_pause         6.13d  6.12d  6.12d  6.11.4   6.11.4
defective_clock        6.11   6.10a  6.10a  6.10.1   6.10.1
wrong_setting          6.11   6.10b  6.10b  6.10.2   6.10.2
restored_clock         6.14   6.13   7.1    7.1      7.1
wrong_array            7.1a   7.1a   7.2a   7.2.1    7.2.1
turned_board           7.1b   7.1b   7.2b   7.2.2    7.2.2
colours_reversed       7.2    7.2    7.3    7.3      7.3
displaced              7.3    7.3    7.4    7.4.1    7.4.1
illegal_move           7.4a   7.4a   7.5a   7.5.1    7.5.1
pawn_left              7.4a   7.4a   7.5a   7.5.2    7.5.2
no_move                6.8    6.7c   6.2c   7.5.3    7.5.3
two_hands              4.1    4.1    4.1    7.5.4    7.5.4
illegal_penalty        7.4b   7.4b   7.5b   7.5.5    7.5.5
threefold_intended     9.2a   9.2a   9.2a   9.2.1.1  9.2.1
threefold              9.2b   9.2b   9.2b   9.2.1.2  9.2.2
fifty_moves_intended   9.3a   9.3a   9.3a   9.3.1    9.3.1
fifty_moves            9.3b   9.3b   9.3b   9.3.2    9.3.2
draw_claim_lost        9.4    9.4    9.4    9.4      9.4
false_claim            9.5b   9.5b   9.5b   9.5.3    9.5.3
fivefold               -      -      9.6a   9.6.1    9.6.1
seventy_five_moves     -      -      9.6b   9.6.2    9.6.2
quickplay              10.2   10.2   G.5    III.5    III.5
quickplay_alone        D.1    D.1    G.6    III.6    III.6
quickplay_postponed    10.2b  10.2b  G.5b   III.5.2  III.5.2
quickplay_increment    -      -      G.4    III.4    III.4
disrepute              12.1   12.1   11.1   11.1     11.1
notes                  12.2a  12.3a  11.3a  11.3.1   11.3.1
phone                  12.2b  12.3b  11.3b  11.3.2   11.3.2
refusal                12.8   12.8   11.7   11.7     11.7
warning                13.4a  13.4a  12.9a  12.9.1   12.9.1
position_found         B.6    A.4c   A.4d   A.4.4    A.5.4
arbiter                13.4   13.4   12.9   12.9     12.9
"""

RAPID_CLAUSES = """
illegal_move           B.6    A.4c   A.4b   7.5.1    7.5.1
no_move                6.8    6.7c   6.2c   7.5.3    7.5.3
illegal_penalty        7.4b   7.4b   A.4b   A.4.2    A.3
flag_fallen            B.7    A.4d   A.4c   A.4.5    A.5.5
flag                   B.8    A.4d   A.4c   A.4.3    A.5.3
wrong_array            B.4    A.4a   A.4a   A.4.1    A.5.1
turned_board           B.4    A.4a   A.4a   A.4.1    A.5.1
wrong_setting          B.4    A.4a   A.4a   A.4.1    A.5.1
false_claim            9.5b   9.5b   9.5b   9.5.3    A.3
touch_own              4.3a   4.3a   4.3a   4.3.1    4.3.1
"""

BLITZ_CLAUSES = """
illegal_move           C.3    B.3c   A.4b   7.5.1    7.5.1
no_move                6.8    6.7c   6.2c   7.5.3    7.5.3
illegal_penalty        C.3    B.3c   A.4b   B.2      A.3
false_claim            9.5b   9.5b   B.2    B.2      A.3
"""


def laws(edition: str, play: Play = "standard", supervised: bool = True, *announced: str) -> Profile:
    return profile(
        Session(version=1, laws=edition, play=play, supervised=supervised, announced=announced)  # type: ignore[arg-type]
    )


def rows(table: str) -> dict[str, tuple[str, ...]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return {name: tuple("" if cell == "-" else cell for cell in cells) for name, *cells in lines}


@pytest.mark.parametrize(("rule", "numbers"), rows(CLAUSES).items(), ids=rows(CLAUSES))
def test_standard_clauses(rule: str, numbers: tuple[str, ...]) -> None:
    assert tuple(getattr(laws(edition).clause, rule) for edition in COLUMNS) == numbers


def test_the_table_has_every_clause() -> None:
    assert list(rows(CLAUSES)) == [field.name for field in fields(Clauses)]


@pytest.mark.parametrize(("play", "table"), [("rapid", RAPID_CLAUSES), ("blitz", BLITZ_CLAUSES)])
def test_rapid_and_blitz_clauses(play: Play, table: str) -> None:
    for rule, numbers in rows(table).items():
        assert tuple(getattr(laws(edition, play, False).clause, rule) for edition in COLUMNS) == numbers, rule


# -- values --------------------------------------------------------------------------------------------------------

TWO_THREE = (2 * MINUTE, 2 * MINUTE, "loss")
TWO, ONE, LOSS = (2 * MINUTE, "loss"), (MINUTE, "loss"), ("loss",)
no, yes = False, True

STANDARD: dict[str, tuple[Any, ...]] = {
    "touch_report": ("arbiter", "arbiter", "arbiter", "arbiter", "arbiter"),
    "illegal_report": ("arbiter", "arbiter", "arbiter", "arbiter", "arbiter"),
    "illegal_seen": (no, no, no, no, no),
    "illegal_until": ("end", "end", "end", "end", "end"),
    "illegal_prices": (TWO_THREE, TWO_THREE, TWO, TWO, TWO),
    "draw_rider": (no, yes, yes, yes, yes),
    "mate_needs_article_4": (no, no, yes, yes, yes),
    "resignation_may_draw": (no, no, no, no, yes),
    "agreement_needs_moves": (no, no, no, yes, yes),
    "delay_carries_over": (no, no, yes, yes, yes),
    "next_move_completes": (no, no, yes, yes, yes),
    "default_time_ms": (60 * MINUTE, 0, None, 0, 0),
    "flag_called_by": ("arbiter", "arbiter", "arbiter", "arbiter", "arbiter"),
    "flag_needs_own_time": (no, no, no, no, no),
    "both_flags": ("first", "first", "first", "first", "first"),
    "pawn_left_is_queen": (no, no, yes, yes, yes),
    "no_move_is_illegal": (no, no, no, yes, yes),
    "two_hands_is_illegal": (no, no, no, yes, yes),
    "position_found_draws": (no, no, no, no, no),
    "array_limit": (None, None, None, None, None),
    "colours_limit": (None, None, None, 10, 10),
    "fivefold": ("none", "none", "consecutive", "any", "any"),
    "seventy_five": (no, no, yes, yes, yes),
    "false_claim_ms": (3 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE, 2 * MINUTE),
    "false_claim_cuts": (yes, no, no, no, no),
    "quickplay": ("open", "open", "closed", "closed", "closed"),
}

RAPID: dict[str, tuple[Any, ...]] = STANDARD | {
    "touch_report": ("on-claim", "on-claim", "arbiter", "arbiter", "arbiter"),
    "illegal_report": ("on-claim", "on-claim", "arbiter", "arbiter", "arbiter"),
    "illegal_seen": (yes, yes, no, no, no),
    "illegal_until": ("next-move",) * 5,
    "illegal_prices": (TWO_THREE, TWO_THREE, LOSS, TWO, ONE),
    "flag_called_by": ("players", "players", "players", "arbiter", "arbiter"),
    "flag_needs_own_time": (yes, yes, yes, no, no),
    "both_flags": ("draw", "draw", "nothing", "first", "first"),
    "position_found_draws": (no, no, yes, yes, yes),
    "array_limit": (3, 3, 10, 10, 10),
    "false_claim_ms": (3 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE, MINUTE),
}

BLITZ: dict[str, tuple[Any, ...]] = RAPID | {
    "illegal_seen": (no, no, no, no, no),
    "illegal_prices": (LOSS, LOSS, LOSS, ONE, ONE),
    "draw_rider": (yes, yes, yes, yes, yes),
    "false_claim_ms": (3 * MINUTE, 3 * MINUTE, MINUTE, MINUTE, MINUTE),
    "quickplay": ("closed",) * 5,
}

#: Under the full competition rules; 2005 knows no such rapid or blitz, and plays by its annexes.
RAPID_SUPERVISED = {rule: (RAPID[rule][0], *STANDARD[rule][1:]) for rule in STANDARD} | {
    "illegal_prices": (TWO_THREE, TWO_THREE, TWO, TWO, ONE),
    "false_claim_ms": (3 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE, MINUTE),
}

BLITZ_SUPERVISED = {rule: (BLITZ[rule][0], *STANDARD[rule][1:]) for rule in STANDARD} | {
    "illegal_prices": (LOSS, TWO_THREE, ONE, ONE, ONE),
    "false_claim_ms": (3 * MINUTE, 3 * MINUTE, MINUTE, MINUTE, MINUTE),
    "quickplay": ("closed",) * 5,
}


@pytest.mark.parametrize("rule", STANDARD)
@pytest.mark.parametrize(
    ("play", "supervised", "table"),
    [
        ("standard", True, STANDARD),
        ("standard", False, STANDARD),
        ("rapid", False, RAPID),
        ("blitz", False, BLITZ),
        ("rapid", True, RAPID_SUPERVISED),
        ("blitz", True, BLITZ_SUPERVISED),
    ],
    ids=["standard", "standard alone", "rapid", "blitz", "rapid supervised", "blitz supervised"],
)
def test_values(play: Play, supervised: bool, table: dict[str, tuple[Any, ...]], rule: str) -> None:
    assert tuple(getattr(laws(edition, play, supervised), rule) for edition in COLUMNS) == table[rule]


def test_the_tables_have_every_value_that_differs() -> None:
    alike = {"clause", "forfeited_by_touch", "fourfold", "quickplay_ms"}
    alike |= {"quickplay_rejected_ms", "quickplay_postponed_ms", "quickplay_increment_ms", "quickplay_granted_ms"}
    assert set(STANDARD) == {field.name for field in fields(Profile)} - alike


# -- predicates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "standard", "rapid_2009"),
    [
        ("touch-move", "arbiter", "on-claim"),
        ("released-move", "arbiter", "on-claim"),
        ("castling-order", "arbiter", "on-claim"),
        ("promotion-changed", "arbiter", "on-claim"),
        ("adjust-out-of-turn", "arbiter", "on-claim"),
        ("out-of-turn", "arbiter", "arbiter"),
        ("clock-misuse", "arbiter", "arbiter"),
    ],
)
def test_only_breaches_of_article_4_wait_for_a_claim(kind: str, standard: str, rapid_2009: str) -> None:
    assert laws("fide-2009").report_violation(kind) == standard
    assert laws("fide-2009", "rapid", False).report_violation(kind) == rapid_2009
    assert laws("fide-2014", "rapid", False).report_violation(kind) == "arbiter"


@pytest.mark.parametrize("edition", ["fide-2005", "fide-2009"])
def test_what_the_arbiter_of_an_old_rapid_game_acts_on_by_himself(edition: str) -> None:
    rapid, blitz = laws(edition, "rapid", False), laws(edition, "blitz", False)
    assert rapid.report_illegal("illegal-move") == "on-claim"
    assert rapid.report_illegal("illegal-move", both_in_check=True) == "arbiter"
    assert rapid.report_illegal("unfinished-promotion") == "arbiter"
    assert rapid.report_illegal("unfinished-castling") == "on-claim"
    assert blitz.report_illegal("illegal-move", both_in_check=True) == "on-claim"
    assert blitz.report_illegal("unfinished-promotion") == "on-claim"


@pytest.mark.parametrize(
    ("kind", "forfeited"),
    [
        ("touch-move", (yes, yes, yes, yes, yes)),
        ("castling-order", (yes, yes, yes, yes, yes)),
        ("promotion-changed", (yes, yes, yes, yes, yes)),
        ("released-move", (no, yes, yes, yes, yes)),
        ("adjust-out-of-turn", (no, yes, yes, yes, yes)),
        ("out-of-turn", (no, no, no, no, no)),
    ],
)
def test_what_can_no_longer_be_claimed_after_touching_a_piece(kind: str, forfeited: tuple[bool, ...]) -> None:
    assert tuple(laws(edition).forfeited(kind) for edition in COLUMNS) == forfeited


@pytest.mark.parametrize(
    ("edition", "play", "supervised", "prices"),
    [
        ("fide-2005", "standard", True, "2m 2m loss loss | 2m 2m loss"),
        ("fide-2009", "standard", True, "2m 2m loss loss | 2m 2m draw"),
        ("fide-2014", "standard", True, "2m loss loss loss | 2m draw draw"),
        ("fide-2014", "rapid", False, "loss loss loss loss | draw draw draw"),
        ("fide-2018", "rapid", False, "2m loss loss loss | 2m draw draw"),
        ("fide-2023", "rapid", False, "1m loss loss loss | 1m draw draw"),
        ("fide-2023", "rapid", True, "1m loss loss loss | 1m draw draw"),
        ("fide-2005", "blitz", False, "loss loss loss loss | draw draw draw"),
        ("fide-2018", "blitz", False, "1m loss loss loss | 1m draw draw"),
    ],
)
def test_what_each_illegal_move_costs(edition: str, play: Play, supervised: bool, prices: str) -> None:
    bound = laws(edition, play, supervised)

    def said(price: Price) -> str:
        return f"{price.time_ms // MINUTE}m" if price.time_ms else price.kind

    able = [said(bound.price(count, opponent_can_mate=True)) for count in (1, 2, 3, 4)]
    unable = [said(bound.price(count, opponent_can_mate=False)) for count in (1, 2, 3)]
    assert f"{' '.join(able)} | {' '.join(unable)}" == prices


@pytest.mark.parametrize(
    ("left", "cut"),
    [(600, 180), (360, 180), (300, 150), (122, 61), (120, 60), (119, 59), (61, 1), (60, 0), (10, 0)],
)
def test_a_false_claim_in_2005_also_cuts_the_claimants_time(left: int, cut: int) -> None:
    assert laws("fide-2005").false_claim_cut(left * 1000) == cut * 1000
    assert laws("fide-2009").false_claim_cut(left * 1000) == 0


@pytest.mark.parametrize(
    ("play", "announced", "available"),
    [
        ("standard", (), (yes, yes, no, no, no)),
        ("standard", ("quickplay",), (yes, yes, yes, yes, yes)),
        ("rapid", ("quickplay",), (yes, yes, yes, yes, yes)),
        ("blitz", ("quickplay",), (no, no, no, no, no)),
    ],
)
def test_the_quickplay_finish(play: Play, announced: tuple[str, ...], available: tuple[bool, ...]) -> None:
    for supervised in (True, False):
        found = tuple(laws(edition, play, supervised, *announced).quickplay == "open" for edition in COLUMNS)
        assert found == available


def test_where_no_arbiter_is_present_the_quickplay_finish_has_its_own_clause() -> None:
    alone = [laws(edition, "standard", False, "quickplay").clause.quickplay for edition in COLUMNS]
    assert alone == ["D.1", "D.1", "G.6", "III.6", "III.6"]


@pytest.mark.parametrize(
    ("clock", "laws", "means"),
    [
        ("5400+30", "fide-2023", "standard"),
        ("40/5400+30:1800+30", "fide-2023", "standard"),
        ("3600", "fide-2023", "standard"),
        ("3599", "fide-2023", "rapid"),
        ("900+10", "fide-2023", "rapid"),
        ("601", "fide-2023", "rapid"),
        ("600", "fide-2023", "blitz"),
        ("180+2", "fide-2023", "blitz"),
        ("180d3", "fide-2023", "blitz"),
        ("899", "fide-2009", "blitz"),
        ("900", "fide-2009", "rapid"),
    ],
)
def test_the_play_is_told_by_the_time_for_sixty_moves(clock: str, laws: str, means: Play) -> None:
    assert EDITIONS[laws].play(parse(clock)) == means


def test_an_edition_is_plain_data() -> None:
    for edition in EDITIONS.values():
        ways = [way for way in asdict(edition).values() if isinstance(way, Profile)]
        assert len(ways) == 5
        for way in ways:
            assert all(isinstance(number, str) for number in asdict(way.clause).values())
