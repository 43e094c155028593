"""Honest matches à quatre by human hands: every match comes out exact, and nobody is accused of anything.

``JADOUBE_HONEST_MATCHES=1000 pytest tests/honest`` plays more. One that fails is shown by
``tests/benchmarks/bench_bughouse.py --show SEED``.
"""

import os
from functools import reduce

from bench_bughouse import SILENT, Named, named, scanned_fast, scanned_slowly, wrong
from matches import ACCUSATIONS, complaints, drop_taste, judge

from controller.contract import Ambiguous, Retract
from hardware.simulator.games import EAGER

MATCHES = int(os.environ.get("JADOUBE_HONEST_MATCHES", "30"))


def test_random_matches_with_each_drop_named() -> None:
    found = [f"match {seed}: {text}" for seed in range(MATCHES) for text in complaints(judge(seed))[:1]]
    assert not found, "\n".join([f"{len(found)} of {MATCHES} matches", *found[:12]])


def test_raw_scans_of_contacts_that_bounce() -> None:
    found = [f"match {seed}: {text}" for seed in range(MATCHES // 5) for text in complaints(scanned_fast(seed))[:1]]
    assert not found, "\n".join(found)


def test_a_board_scanned_five_times_a_second_loses_no_move() -> None:
    assert [wrong(scanned_slowly(seed)) for seed in range(MATCHES // 5)] == [0] * (MATCHES // 5)


def test_without_a_button_nobody_is_accused_of_what_his_pieces_were_called() -> None:
    """In these matches somebody once was."""
    seeds = (27, 430, 511, 541, 557, 656, 722, 735, 807, 880)
    accused = [seed for seed in seeds for event in judge(seed, SILENT).events if isinstance(event, ACCUSATIONS)]
    assert accused == []


def test_without_a_button_most_drops_of_eager_players_are_named_right_in_the_end() -> None:
    """Uncertain names are said to be so, and corrected."""
    judged = [judge(seed, SILENT) for seed in range(MATCHES) if drop_taste(seed) == EAGER]
    total = reduce(Named.plus, map(named, judged), Named())
    assert total.drops > 10 * len(judged)
    assert total.doubtful > total.drops / 40
    assert total.right > 0.95 * total.drops
    said = [type(event) for each in judged for event in each.events]
    assert said.count(Ambiguous) >= total.doubtful
    assert said.count(Retract) > 0
