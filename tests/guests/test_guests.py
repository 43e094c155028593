"""Honest games and planted offences by hands that know nothing of the code. What is known to fail is marked so."""

from collections.abc import Callable
from itertools import product

import chess
import pytest

from guests import evening, games, judge, offences, quatre, sensors
from guests.evening import CLOCK, SENSES
from guests.sensors import Line
from guests.wood import set_up

KNOWN_BY_MS = 20_000  #: by then it is known how often a board looks at its squares


WAYS = enumerate(product(SENSES, (False, True)))
HONEST = [(*way, seed) for first, way in WAYS for seed in range(first % 2, len(evening.EDITIONS), 2)]
FAILS = pytest.param(
    "occupancy", True, 5, marks=pytest.mark.xfail(strict=True, reason="a first wrong guess is never taken back")
)


@pytest.mark.parametrize(("senses", "clock", "seed"), [*HONEST, FAILS])
def test_an_honest_game_is_recorded_as_it_was_played_and_nobody_is_accused(senses: str, clock: bool, seed: int) -> None:
    laws = evening.EDITIONS[seed % len(evening.EDITIONS)]
    game, lines = evening.by_touches(seed, senses, laws, clock=clock)
    verdict = judge.replayed(lines)
    assert verdict.record == game.truth
    assert not verdict.accused


@pytest.mark.parametrize(
    ("seed", "laws"),
    [
        (1000080, "fide-2005"),
        (1000683, "fide-2014"),
        (1000971, "fide-2023"),
        (1001079, "fide-2009"),
        (1003698, "fide-2014"),
        (1005174, "fide-2009"),
        (5300003, "fide-2018"),
        (6002280, "fide-2005"),
    ],
)
def test_captures_that_nothing_shows_come_out_and_nobody_is_accused(seed: int, laws: str) -> None:
    """Found among thousands of games; in each several pieces seem to be in hand for long, as they took unseen."""
    game, lines = evening.by_touches(seed, "occupancy", laws, clock=False)
    verdict = judge.replayed(lines)
    assert verdict.record == game.truth
    assert not verdict.accused


@pytest.mark.parametrize("seed", [1003605, 9050])
def test_a_piece_that_is_jogged_on_its_way_is_not_released(seed: int) -> None:
    game, lines = evening.by_scans(seed, clock=True)
    verdict = judge.replayed(lines)
    assert verdict.record == game.truth
    assert not verdict.accused


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("seed", range(3, 7))
def test_a_match_is_recorded_or_said_to_be_open_and_nobody_is_accused(seed: int, named: bool) -> None:
    """A capture that nothing shows on one board is told by who is dropped on the other."""
    match, lines = quatre.by_touches(seed, named)
    count, wrong = quatre.compare(match, judge.replayed(lines))
    assert not count["bad"], wrong


PLANTED = [
    (name, senses, clock)
    for name in offences.OFFENCES
    for senses in SENSES
    for clock in (False, True)
    if offences.possible(name, senses, clock=clock)
]


@pytest.mark.parametrize(("name", "senses", "clock"), PLANTED)
def test_an_offence_is_told_once_and_nothing_else_is(name: str, senses: str, clock: bool) -> None:
    committed = 0
    for seed in range(60):
        start = chess.Board()
        wood = set_up(start, seed)
        act = offences.plant(wood, start, games.game(seed), name, clock=clock)
        if act is None:
            continue
        committed += 1
        session = {"laws": "fide-2023", "senses": senses, "clock": CLOCK if clock else None}
        said = judge.replayed(sensors.log(session, sensors.edges(wood, start, senses))).said
        assert [side for side, _ in said] == [act.side], f"seed {seed}: {said}"
        assert said[0][1] in act.kinds, f"seed {seed}: {said}"
        if committed == 2:
            return
    pytest.fail(f"committed {committed} times only")


@pytest.mark.parametrize(
    ("seed", "closed"),
    [(101, False), (106, False), (314, False), (319, False), (102, True), (105, True), (309, True), (313, True)],
)
def test_a_whole_game_over_it_comes_out_and_nobody_is_accused(seed: int, closed: bool) -> None:
    game, lines, square = evening.with_stuck(seed, closed=closed, clock=bool(seed % 2))
    verdict = judge.replayed(lines)
    assert verdict.record == game.truth
    assert not verdict.accused
    assert [event["squares"] for event in verdict.events if event["type"] == "disbelieved"][-1] == [square]


@pytest.mark.parametrize(
    ("seed", "closed"), [(7003, False), (7009, False), (11, True), (31, True), (38, True), (40, True)]
)
def test_a_sensor_that_fails_in_mid_game_touches_nobody(seed: int, closed: bool) -> None:
    """Who presses does not hold a piece of the other player's in his hand that he should have taken."""
    game, lines, _ = evening.with_failing(seed, closed=closed, clock=bool(seed % 2))
    verdict = judge.replayed(lines)
    assert judge.right_plies(verdict.record, game.truth) >= len(game.truth) - 1
    assert not verdict.accused


@pytest.mark.parametrize("seed", [610, 616])
def test_in_a_gap_more_may_have_been_played_than_the_squares_show(seed: int) -> None:
    game, lines = evening.with_gap(seed, 3, clock=False)
    verdict = judge.replayed(lines)
    assert judge.ends_alike(verdict.record, game.truth)
    assert not verdict.accused


@pytest.mark.parametrize("seed", [0, 1, 3, 4])  # in 2 nothing tells which of two pieces was taken
@pytest.mark.parametrize("senses", SENSES)
def test_edges_that_come_in_step_are_known_for_a_slow_boards_once_there_are_some(senses: str, seed: int) -> None:
    """People press between two looks, pieces slide over squares at which it looks, and sleeves brush them just then.
    Until some have come each of them could be what it seems."""
    game, lines = evening.by_looks(seed, senses, evening.EDITIONS[seed % len(evening.EDITIONS)])
    verdict = judge.replayed(lines)
    assert verdict.record == game.truth
    assert [accused for accused in verdict.accused if int(str(accused["ms"])) > KNOWN_BY_MS] == []


@pytest.mark.parametrize(
    ("log", "seed", "at"),
    [(evening.by_slow_scans, 3, 140), (evening.with_missing, 3, 119), (evening.with_missing, 3, 113)],
)
def test_a_flag_claimed_while_a_capture_is_open_changes_nothing(
    log: Callable[[int], tuple[evening.Evening, list[Line]]], seed: int, at: int
) -> None:
    """No flag has fallen, whatever was played: what came before the claim is still told by what comes after."""
    game, lines = log(seed)
    claim: Line = {"ms": lines[at - 1]["ms"], "type": "claim", "side": "white", "of": "flag"}
    verdict = judge.replayed([*lines[:at], claim, *lines[at:]])
    assert (verdict.record, verdict.accused) == (game.truth, [])
