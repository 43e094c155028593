"""Any bytes are read, by every codec, in any chunks alike, and what is genuine is found again after damage."""

import random
from itertools import pairwise

import pytest
from fuzz_codecs import CODECS, fuzz, stream, told
from hypothesis import given
from hypothesis import strategies as st

every_codec = pytest.mark.parametrize("name", CODECS)
cuts = st.lists(st.integers(0, 10_000), max_size=12)


@every_codec
@given(data=st.data(), cuts=cuts)
def test_any_chunking_gives_the_same_messages_and_the_same_complaints(
    name: str, data: st.DataObject, cuts: list[int]
) -> None:
    make, genuine = CODECS[name]
    parts = data.draw(st.lists(st.sampled_from(genuine) | st.binary(max_size=20), max_size=8))
    sent = b"".join(parts)
    edges = [0, *sorted(cut % (len(sent) + 1) for cut in cuts), len(sent)]
    whole = told(make(), (sent,))
    assert told(make(), (sent[a:b] for a, b in pairwise(edges))) == whole
    assert told(make(), (sent[i : i + 1] for i in range(len(sent)))) == whole


@every_codec
def test_a_little_of_what_the_long_run_does(name: str) -> None:
    result = fuzz(name, 1 << 16, seed=7)
    assert result["messages"]
    assert result["complaints"]


@every_codec
@given(seed=st.integers(0, 2**32))
def test_after_damage_what_is_genuine_is_found_again(name: str, seed: int) -> None:
    """A message may be lost after damage, two at most where bytes without a mark of their own look like one."""
    make, genuine = CODECS[name]
    damaged = stream(random.Random(seed), genuine, 300)
    last = genuine[0]
    said = told(make(), (last,))
    assert told(make(), (damaged + 3 * last,))[-1:] == said
