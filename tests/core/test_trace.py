"""A game may last for hours, and a square may flicker all the time: what is kept of it stays small, and what comes next
costs the same."""

from hypothesis import given
from hypothesis import strategies as st

from controller import contract as c
from controller.belief.worlds import STORY
from controller.game import Game
from controller.sensing.trace import Edge, Trace

EDGES = st.lists(st.builds(Edge, st.integers(0, 9), st.integers(0, 63), st.sampled_from(["", "?"])), max_size=12)


@given(EDGES, EDGES, EDGES)
def test_traces_that_part_know_nothing_of_each_other(first: list[Edge], one: list[Edge], other: list[Edge]) -> None:
    start = Trace(first)
    ways = []
    for further in (one, other):
        trace = start
        for edge in further:
            trace = trace.then(edge)
        ways.append(trace)
    assert [list(trace) for trace in (start, *ways)] == [first, first + one, first + other]
    assert [len(trace) for trace in (start, *ways)] == [len(first), len(first + one), len(first + other)]


@given(EDGES, st.integers(-14, 14), st.integers(-14, 14))
def test_a_trace_is_asked_as_a_list_is(edges: list[Edge], low: int, high: int) -> None:
    trace = Trace(edges[: len(edges) // 2])
    for edge in edges[len(edges) // 2 :]:
        trace = trace.then(edge)
    trace.then(Edge(0, 0, "")).then(Edge(1, 1, ""))  # another goes on from here
    assert trace[low:high] == edges[low:high]
    assert trace[low:] == edges[low:]
    assert list(reversed(trace)) == edges[::-1]
    assert [trace[index] for index in range(-len(edges), len(edges))] == edges + edges


def test_traces_that_go_on_from_one_another_share_what_they_have_in_common() -> None:
    trace = Trace()
    for ms in range(100):
        further = trace.then(Edge(ms, 0, ""))
        assert further._edges is trace._edges
        trace = further


def test_of_a_square_that_flickers_for_hours_no_more_is_told_again_than_of_a_game() -> None:
    game = Game(c.Session(version=1))
    for ms in range(500, 500 * 4 * STORY, 500):
        game.handle(c.Lift(ms=ms, square="e2"))
        assert [type(event) for event in game.handle(c.Place(ms=ms + 60, square="e2"))] == [c.Brush]
    nodes, node = 0, game._belief._worlds[0].story
    while node.up is not None:
        nodes, node = nodes + 1, node.up
    assert nodes <= 2 * STORY
    game.handle(c.Lift(ms=ms + 1000, square="e2"))
    game.handle(c.Place(ms=ms + 2000, square="e4"))
    assert [event.uci for event in game.finish() if isinstance(event, c.Move)] == ["e2e4"]
