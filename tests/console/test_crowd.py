"""Spectators: as many as there are places, and nobody's many keep others out."""

from hypothesis import given
from hypothesis import strategies as st

from controller.console.crowd import Crowd
from controller.console.hub import PageReader

MOST = 12
ORIGINS = ("10.0.0.1", "10.0.0.2", "10.0.0.3")


@given(st.lists(st.tuples(st.sampled_from(ORIGINS), st.booleans()), max_size=80))
def test_each_address_has_its_share(steps: list[tuple[str, bool]]) -> None:
    crowd = Crowd(MOST)
    here: list[tuple[str, PageReader]] = []
    for origin, comes in steps:
        if comes:
            reader = crowd.enter(origin)
            here = [each for each in here if each[1].good()]
            if reader is None:
                mine = sum(each == origin for each, _ in here)
                assert len(here) == MOST
                assert all(sum(each == other for each, _ in here) <= mine + 1 for other in ORIGINS)
            else:
                here.append((origin, reader))
        elif mine := [each for each in here if each[0] == origin]:
            crowd.leave(*mine[0])
            here.remove(mine[0])
        assert len(here) <= MOST


def test_who_comes_alone_finds_a_place_however_many_come_from_elsewhere() -> None:
    crowd = Crowd(MOST)
    stranger = [crowd.enter("10.0.0.1") for _ in range(2 * MOST)]
    assert [reader is not None for reader in stranger] == [True] * MOST + [False] * MOST
    late = crowd.enter("10.0.0.2")
    assert late is not None
    assert sum(reader is not None and reader.good() for reader in stranger) == MOST - 1
    assert stranger[0] is not None
    assert stranger[0].good(), "who was there first"
