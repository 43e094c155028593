"""How likely what was inferred is told to be: in cases where that can be reckoned by hand, and whatever is played."""

import random
from math import exp, log

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shorthand import CLOCK, only, play, record, session
from test_belief import SHORT, frames, hands, missing, names, told

from controller import contract as c
from controller.belief.odds import RESTS_ON, Odds, Tale, tale
from controller.belief.reporter import ROOT, told_in
from controller.game import Game
from controller.sensing.costs import FOR_LONG, MARGIN, NO_MOVE, OVERLOOKED, REPORTED
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play as played_by_hands
from hardware.simulator.sight import touches

E4 = c.Move(ms=0, side="white", uci="e2e4", san="e4", fen="", ply=1, basis="inferred")
ACCUSED = c.Violation(ms=0, side="white", kind="released-move", article="4.7", report="arbiter", basis="inferred")
ILLEGAL = c.Illegal(
    ms=0, side="white", kind="no-move", article="7.5.3", completed=True, count=1, report="arbiter", basis="inferred"
)
TWO_VICTIMS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ROUNDED = 0.0005  #: by so much what is told may be rounded
THREE_VICTIMS = "4k3/8/1p3p2/8/3Q4/8/1p6/4K3 w - - 0 1"
WITHOUT_A_MOVE = exp(REPORTED.swapped - NO_MOVE)
"""How likely it is beside a capture exchanged unseen that the clock was pressed without a move."""


def sure(*weights: float) -> float:
    """How likely the first of these is, each with its weight, where it was not seen whole."""
    return round(weights[0] / (1 + OVERLOOKED) / sum(weights), 3)


def of(cost: float, *moves: str, hidden: bool = True) -> Tale:
    """An explanation: these moves, the first of which was not seen whole."""
    shares = {ply: {move: 1.0} for ply, move in enumerate(moves, 1)}
    if moves and hidden:
        shares[1] = {moves[0]: 1 / (1 + OVERLOOKED)}
    return Tale(cost, shares, first=1)


# -- beside the other worlds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tales", "confidence", "others"),
    [
        ([of(0, "e2e4")], sure(1), []),
        ([of(0, "e2e4"), of(log(4), "e2e3", hidden=False)], sure(1, 1 / 4), [("e2e3", 4 / (1 + OVERLOOKED))]),
        ([of(3, "e2e4"), of(3, "e2e3")], sure(1, 1), [("e2e3", 1)]),
        ([of(0, "e2e4"), of(0, "e2e3"), of(0, "d2d4")], sure(1, 1, 1), [("e2e3", 1), ("d2d4", 1)]),
        # What both have counts for both, whatever came after it.
        ([of(0, "e2e4", "e7e5"), of(0, "e2e4", "c7c5")], sure(1), []),
        ([of(0, "e2e4"), of(log(2), "e2e3", "e7e5"), of(log(2), "e2e3", "c7c5")], sure(1, 1), [("e2e3", 1)]),
        ([of(0, "e2e4"), of(log(9))], sure(1, 1 / 9), [(None, 9 / (1 + OVERLOOKED))]),
        # What no world would be kept for is not named.
        ([of(0, "e2e4"), of(MARGIN + 1, "e2e3")], sure(1, exp(-MARGIN - 1)), []),
    ],
)
def test_a_move_weighs_what_the_worlds_weigh_that_hold_it(
    tales: list[Tale], confidence: float, others: list[tuple[str | None, float]]
) -> None:
    said = Odds().of_move(E4, tales)
    assert said.confidence == confidence
    assert sorted((each.uci or "", each.less_likely) for each in said.others) == sorted(
        (uci or "", round(times, 2)) for uci, times in others
    )


def test_three_others_are_named_the_likeliest_first() -> None:
    others = [of(log(each), f"{file}2{file}3", hidden=False) for each, file in enumerate("abcd", 2)]
    said = Odds().of_move(E4, [of(0, "e2e4", hidden=False), *others])
    assert [(each.uci, each.less_likely) for each in said.others] == [("a2a3", 2), ("b2b3", 3), ("c2c3", 4)]


# -- beside what was given up ----------------------------------------------------------------------------------------


def test_what_was_given_up_keeps_the_share_that_it_had() -> None:
    odds = Odds()
    odds.give_up([of(1, "e2e4")], [of(1 + log(4), "e2e3", hidden=False)])
    said = odds.of_move(E4, [of(7, "e2e4")])
    assert said.confidence == sure(1, 1 / 4)
    assert [each.uci for each in said.others] == ["e2e3"]


def test_of_two_that_were_kept_each_has_its_part_of_it() -> None:
    """Three were as likely as each other; one is given up, then another."""
    odds = Odds()
    odds.give_up([of(0, "e2e4"), of(0, "e2e3")], [of(0, "d2d4")])
    assert odds.of_move(E4, [of(0, "e2e4"), of(0, "e2e3")]).confidence == sure(1, 1, 1)


def test_what_is_found_again_counts_once_and_the_same_story_not_at_all() -> None:
    odds = Odds()
    for _ in range(3):
        odds.give_up([of(0, "e2e4")], [of(log(4), "e2e3"), of(log(5), "e2e3"), of(log(2), "e2e4")])
    assert odds.of_move(E4, [of(0, "e2e4")]).confidence == sure(1, 1 / 4)


def test_what_had_not_come_so_far_says_nothing_of_later_moves() -> None:
    odds = Odds()
    odds.give_up([of(0, "d2d4")], [of(0, "e2e3")])
    later = replace(E4, ply=2, uci="e7e5")
    assert odds.of_move(later, [of(0, "d2d4", "e7e5", hidden=False)]).confidence == 1.0


def test_a_tale_has_the_latest_moves() -> None:
    game = Game(session())
    for item in frames(hands(SHORT["opera-1858"])):
        game.handle(item)
    game.finish()
    known = tale(0.0, game.state.made, [chess.Move.from_uci("a2a3")])
    assert known.until == len(SHORT["opera-1858"]) + 1
    assert list(known.at(known.until)) == ["a2a3"]
    assert list(known.at(known.first)) == [names(SHORT["opera-1858"])[known.first - 1]]


# -- what somebody is accused of -------------------------------------------------------------------------------------

GUILTY = told_in(ROOT, [ACCUSED])


@pytest.mark.parametrize(
    ("worlds", "confidence"),
    [
        ([(of(0, "e2e4", hidden=False), GUILTY)], sure(1)),
        ([(of(0, "e2e4", hidden=False), GUILTY), (of(log(4), "d2d4"), ROOT)], sure(1, 1 / 4)),
        # It rests on a move that was inferred itself.
        ([(of(0, "e2e4"), GUILTY)], round(1 / (1 + OVERLOOKED) ** 2, 3)),
    ],
)
def test_an_accusation_weighs_what_the_worlds_weigh_that_hold_it(
    worlds: list[tuple[Tale, object]], confidence: float
) -> None:
    said = Odds().of_notice(replace(ACCUSED, ms=9), [each for each, _ in worlds], [story for _, story in worlds])
    assert said.confidence == confidence


@pytest.mark.parametrize(("confidence", "heard"), [(None, True), (0.951, True), (0.949, False), (0.0, False)])
@pytest.mark.parametrize("accused", [ACCUSED, ILLEGAL])
def test_nobody_hears_what_is_unlikely_nor_what_it_would_cost(
    accused: c.Violation | c.Illegal, confidence: float | None, heard: bool
) -> None:
    said = replace(accused, id="1", confidence=confidence)
    price = c.Penalty(ms=0, side="white", kind="time", status="proposed", article="7.5.5", id="2")
    of_another = replace(price, side="black", id="3")
    likely = list(Game(session())._belief._likely([said, price, of_another]))
    assert likely == ([said, price, of_another] if heard else [of_another])


@pytest.mark.parametrize(("since", "doubted"), [(RESTS_ON - 1, True), (RESTS_ON, False)])
def test_an_accusation_rests_on_no_move_that_play_has_long_borne_out(since: int, doubted: bool) -> None:
    plies = [f"{file}2{file}3" for file in "abcdefgh"[:since]]
    followed = of(0, "e2e4", *plies, hidden=False)
    odds = Odds()
    odds.give_up([of(0, "e2e4", hidden=False)], [of(0, "e2e3", hidden=False)])
    said = odds.of_notice(ACCUSED, [followed], [told_in(ROOT, [ACCUSED])])
    assert said.confidence == sure(1, 1) if doubted else sure(1)


# -- beside other captures ---------------------------------------------------------------------------------------------


PAST_A_SENSOR = ("e4e5",)
"""Where else he may have gone, if the sensor there does not work."""


@pytest.mark.parametrize(
    ("fen", "log", "ways"),
    [
        (TWO_VICTIMS, "1000 lift e4; 3000 press white", 2),
        (THREE_VICTIMS, "1000 lift d4; 3000 press white", 3),
    ],
)
def test_a_capture_that_only_its_origin_shows_is_as_likely_as_the_others(fen: str, log: str, ways: int) -> None:
    """Nor is it forgotten that he may have pressed the clock without a move."""
    (said,) = only(c.Move, play(log, fen=fen, clock=CLOCK))
    assert said.basis == "inferred"
    assert said.confidence == pytest.approx(sure(*[1.0] * ways, WITHOUT_A_MOVE), abs=0.02)
    beside = [each.less_likely for each in said.others if each.uci not in PAST_A_SENSOR]
    assert beside == pytest.approx([*[1.0] * (ways - 1), 1 / WITHOUT_A_MOVE], 0.03)


def test_the_reply_tells_which_of_them_it_was() -> None:
    """Unless White has pressed with his pawn in his hand and kept it there. That Black has moved on the pawn that took
    there, to where no pawn goes, nobody believes."""
    log = "1000 lift e4; 3000 press white; 5000 lift f5; 5500 place f4; 7000 press black"
    taken = only(c.Move, play(log, fen=TWO_VICTIMS, clock=CLOCK))[0]
    sure_of_it = sure(1.0, WITHOUT_A_MOVE * exp(-FOR_LONG))
    assert (taken.uci, taken.confidence) == ("e4d5", pytest.approx(sure_of_it, abs=0.01))
    assert [each.uci for each in taken.others if each.uci not in PAST_A_SENSOR] == [None]


# -- in a gap --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "shares"),
    [
        ("e2e4", [1]),
        ("b1c3 e7e5 g1f3", [2, 1, 2]),
        ("b1c3 b8c6 g1f3 g8f6", [2, 2, 2, 2]),
    ],
)
def test_of_moves_that_nobody_saw_any_order_is_as_likely(line: str, shares: list[int]) -> None:
    """``shares``: how many moves it may have been at each ply, as likely as each other."""
    board = chess.Board()
    for move in line.split():
        board.push_uci(move)
    shown = "".join("x" if board.piece_at(square) else "." for square in chess.SQUARES)
    game = Game(session())
    events = [event for item in (c.Unseen(ms=1_000), c.Seen(ms=9_000, shown=shown)) for event in game.handle(item)]
    moves = only(c.Move, events + game.finish())
    assert [move.basis for move in moves] == ["inferred"] * len(shares)
    assert [move.confidence for move in moves] == pytest.approx([1 / (ways + OVERLOOKED) for ways in shares], abs=0.01)
    as_likely = [[each for each in move.others if each.less_likely < 2] for move in moves]
    assert [len(others) for others in as_likely] == [ways - 1 for ways in shares]


# -- whatever is played ----------------------------------------------------------------------------------------------


def check(events: list[c.AnyEvent]) -> None:
    """Whatever was inferred, and nothing else, says how likely it is; and all that is named is no likelier than 1."""
    for event in events:
        if not isinstance(event, c.Move | c.Illegal | c.Violation):
            continue
        assert (event.basis == "inferred") == (event.confidence is not None), event
        if event.confidence is None:
            assert not isinstance(event, c.Move) or not event.others, event
            continue
        assert 0 < event.confidence <= 1, event
        assert event.confidence == round(event.confidence, 3)
        if isinstance(event, c.Move):
            least = max(0.0, event.confidence - ROUNDED)
            likely = [least / (other.less_likely + ROUNDED) for other in event.others]
            assert least + sum(likely) <= 1.01, event
            assert likely == sorted(likely, reverse=True), event
            assert len({event.uci, *[other.uci for other in event.others]}) == 1 + len(event.others) <= 4, event


@pytest.mark.slow
@settings(max_examples=8)
@given(name=st.sampled_from(sorted(SHORT)), seed=st.integers(0, 1_000))
def test_where_scans_are_missing_what_is_inferred_says_how_likely_it_is(name: str, seed: int) -> None:
    check(told(missing(name, seed)))


@pytest.mark.slow
def test_some_of_what_is_inferred_there_has_others_beside_it() -> None:
    moves = [move for name in SHORT for seed in range(3) for move in only(c.Move, told(missing(name, seed, 0.15)))]
    inferred = [move for move in moves if move.confidence is not None]
    assert any(move.others for move in inferred)
    assert len(inferred) < len(moves) / 20, "that later play tells nearly always"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_hands_do_confidence_is_a_share(seed: int) -> None:
    rng, ms, log = random.Random(seed), 0, list[c.AnyInput]()
    for _ in range(150):
        ms += rng.choice([0, 5, 200, 700])
        square = rng.choice(["e2", "e4", "d7", "d5", "e5", "g1", "f3"])
        log.append(rng.choice([c.Lift(ms=ms, square=square), c.Place(ms=ms, square=square)]))
        if rng.random() < 0.1:
            log.append(c.Press(ms=ms, side=rng.choice(["white", "black"])))
    check(told(log, clock=CLOCK))


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("clock", [None, CLOCK])
def test_of_a_game_that_is_seen_whole_nothing_is_inferred(senses: c.Senses, clock: str | None) -> None:
    for name, moves in SHORT.items():
        gestures = played_by_hands(chess.Board(), moves, replace(HONEST, press=clock is not None), seed=1)
        events = told(list(touches(gestures, senses)), senses=senses, clock=clock)
        assert record(events) == names(moves), name
        assert {move.basis for move in only(c.Move, events)} == {None}, name


def test_nor_of_one_that_is_scanned_whole() -> None:
    for moves in SHORT.values():
        events = told(frames(hands(moves)))
        assert {move.basis for move in only(c.Move, events)} == {None}
