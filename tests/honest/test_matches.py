"""Honest matches à quatre by human hands: every match comes out exact, and nobody is accused of anything.

``JADOUBE_HONEST_MATCHES=1000 pytest tests/honest`` plays more. One that fails is shown by
``tests/benchmarks/bench_bughouse.py --show SEED``.
"""

import os

from matches import complaints, judge

MATCHES = int(os.environ.get("JADOUBE_HONEST_MATCHES", "30"))


def test_random_matches_with_each_drop_named() -> None:
    wrong = [f"match {seed}: {text}" for seed in range(MATCHES) for text in complaints(judge(seed))[:1]]
    assert not wrong, "\n".join([f"{len(wrong)} of {MATCHES} matches", *wrong[:12]])
