"""What is told of several stories: what they share, each thing once, in order, and accusations last of all."""

import random
from collections.abc import Sequence

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from shorthand import only, record, session

from controller import contract as c
from controller.belief.reporter import ROOT, Reporter, Story, told_in
from controller.laws.beginning import begin
from controller.laws.moves import complete, make
from controller.laws.state import State
from controller.laws.step import by
from controller.sensing.budget import Budget

ACCUSED = c.Illegal(ms=0, side="white", kind="illegal-move", article="7.5", completed=True, count=1, report="arbiter")
BROKEN = c.Violation(ms=0, side="white", kind="touch-move", article="4.3", report="on-claim")
FINED = c.Penalty(ms=0, side="white", kind="time", status="proposed", article="7.5.5", time_ms=120_000)
ENDED = c.Result(ms=0, result="1-0", reason="checkmate", article="5.1.1", status="proposed")
GRAVE: list[c.AnyEvent] = [ACCUSED, BROKEN, FINED, ENDED]
TOUCHED = c.Touch(ms=0, side="white", square="e2", piece="P")


class Told:
    """A story and the state in which it leaves the game; going on makes another, which shares its beginning."""

    def __init__(self, state: State | None = None, story: Story = ROOT) -> None:
        self.state = state or begin(session(), chess.Board(), None, None, Budget())
        self.story = story

    def plays(self, *moves: str) -> "Told":
        """Each of these is made, a second after what was before it."""
        state, story = self.state, self.story
        for uci in moves:
            state = make(by(state, state.now + 1_000), chess.Move.from_uci(uci))
            story = told_in(story, state.facts)
            state = replace(state, facts=())
        return Told(state, story)

    def holds(self, *facts: c.AnyEvent, after_ms: int = 100) -> "Told":
        """Something else happens."""
        state = by(self.state, self.state.now + after_ms)
        return Told(state, told_in(self.story, [replace(fact, ms=state.now) for fact in facts]))

    def waits(self, ms: int) -> "Told":
        return Told(by(self.state, self.state.now + ms), self.story)

    @property
    def moves(self) -> list[str]:
        return [made.move.uci() for made in self.state.made]


def tell(reporter: Reporter, *worlds: Told) -> list[c.AnyEvent]:
    """The likeliest first; all of them are likely."""
    now = worlds[0].state.now
    if len(worlds) == 1:
        return reporter.tell_all(worlds[0].story, worlds[0].state, now)
    return reporter.tell([world.story for world in worlds], [world.state for world in worlds], now)


def moves(events: Sequence[c.AnyEvent]) -> list[str]:
    """``e2e4`` for what is made, ``-e2e4`` for what is taken back."""
    return [("-" if type(e) is c.Retract else "") + e.uci for e in events if isinstance(e, c.Move | c.Retract)]


OPENED = Told().plays("e2e4", "e7e5")


# -- one story -------------------------------------------------------------------------------------------------------


def test_of_one_world_all_is_told_as_it_was_and_once() -> None:
    reporter, world = Reporter(), OPENED.holds(TOUCHED, *GRAVE)
    events = tell(reporter, world)
    assert moves(events) == ["e2e4", "e7e5"]
    assert [type(event) for event in events[-5:]] == [c.Touch, c.Illegal, c.Violation, c.Penalty, c.Result]
    assert [event.ms for event in only(c.Move, events)] == [1_000, 2_000]
    assert tell(reporter, world) == []
    assert moves(tell(reporter, world.plays("g1f3"))) == ["g1f3"]


# -- what they share -------------------------------------------------------------------------------------------------


def test_what_all_likely_stories_share_is_told_and_not_where_they_part() -> None:
    reporter = Reporter()
    shared = Told().plays("e2e4")
    one, other = shared.plays("e7e5", "g1f3"), shared.plays("c7c5", "g1f3")
    events = tell(reporter, one, other)
    assert moves(events) == ["e2e4"]
    assert [event.moves for event in only(c.Ambiguous, events)] == [["c7c5", "e7e5"]]
    assert tell(reporter, one, other) == [], "nor is that said twice"
    assert tell(reporter, other, one) == [], "which is the likelier does not matter"
    assert moves(tell(reporter, other)) == ["c7c5", "g1f3"]


def test_moves_made_alike_in_stories_that_parted_earlier_are_shared() -> None:
    """One was looked for after the other: it is a story of its own, of the same moves."""
    assert moves(tell(Reporter(), OPENED, Told().plays("e2e4", "e7e5"))) == ["e2e4", "e7e5"]
    assert moves(tell(Reporter(), OPENED, Told().plays("d2d4", "e7e5"))) == []


def test_a_move_that_one_has_not_made_yet_waits() -> None:
    reporter, shared = Reporter(), Told().plays("e2e4")
    assert moves(tell(reporter, shared.plays("e7e5"), shared.waits(1_000))) == ["e2e4"]
    assert moves(tell(reporter, shared.waits(2_000))) == []


def test_what_comes_after_a_move_that_waits_waits_as_well() -> None:
    reporter, shared = Reporter(), Told().plays("e2e4")
    one, other = shared.plays("e7e5").holds(TOUCHED), shared.plays("c7c5")
    assert only(c.Touch, tell(reporter, one, other)) == []
    late = tell(reporter, one)
    assert [type(event) for event in late if type(event) in (c.Move, c.Touch)] == [c.Move, c.Touch]


PRESSED = c.Clock(ms=0, white_ms=300_000, black_ms=300_000, running="black")


@pytest.mark.parametrize("fact", [c.Interrupted(ms=0, away_ms=40), c.Flag(ms=0, side="white"), PRESSED])
def test_what_no_hand_has_done_waits_for_no_move_and_is_said_once(fact: c.AnyEvent) -> None:
    reporter, either, other = Reporter(), OPENED.plays("d2d4"), OPENED.plays("c2c4")
    told = tell(reporter, either, other)
    either, other = either.holds(fact), other.holds(fact)
    told += tell(reporter, either, other)
    assert moves(told) == ["e2e4", "e7e5"]
    assert only(type(fact), told)
    told += tell(reporter, other)
    assert moves(told) == ["e2e4", "e7e5", "c2c4"]
    assert len(only(type(fact), told)) == 1


def test_what_the_clocks_show_is_told_again_where_the_press_comes_to_something_else() -> None:
    reporter, either, other = Reporter(), OPENED.plays("d2d4"), OPENED.plays("c2c4")
    added = replace(PRESSED, white_ms=303_000)
    either, other = either.holds(added), other.holds(PRESSED)
    told = only(c.Clock, tell(reporter, either, other)) + only(c.Clock, tell(reporter, other))
    assert [clock.white_ms for clock in told] == [added.white_ms, PRESSED.white_ms]


# -- accusations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grave", GRAVE, ids=lambda fact: type(fact).__name__)
def test_an_accusation_waits_while_another_story_is_possible(grave: c.AnyEvent) -> None:
    reporter, guilty = Reporter(), OPENED.holds(grave)
    innocent = OPENED.holds(TOUCHED)
    assert only(type(grave), tell(reporter, guilty, innocent)) == []
    assert only(type(grave), tell(reporter, innocent.waits(100), guilty.waits(100))) == []
    assert only(type(grave), tell(reporter, guilty.waits(5_000), innocent.waits(5_000))) == []
    (told,) = only(type(grave), tell(reporter, guilty.waits(9_000)))
    assert told.ms == guilty.waits(9_000).state.now, "it is told when it is certain"
    assert tell(reporter, guilty.waits(9_000)) == []


@pytest.mark.parametrize("grave", GRAVE, ids=lambda fact: type(fact).__name__)
def test_one_that_all_stories_hold_is_told_at_once(grave: c.AnyEvent) -> None:
    """Whenever each of them has it to be; under whatever name."""
    same = replace(grave, id="7")
    assert len(only(type(grave), tell(Reporter(), OPENED.holds(grave), OPENED.holds(TOUCHED).holds(same)))) == 1


@pytest.mark.parametrize("grave", [ACCUSED, BROKEN])
def test_the_same_said_of_the_other_player_is_another(grave: c.Illegal | c.Violation) -> None:
    other = OPENED.holds(replace(grave, side="black"))
    assert only(type(grave), tell(Reporter(), OPENED.holds(grave), other)) == []


@pytest.mark.parametrize("grave", GRAVE, ids=lambda fact: type(fact).__name__)
def test_one_that_proves_untrue_is_never_told(grave: c.AnyEvent) -> None:
    reporter = Reporter()
    events = tell(reporter, OPENED.holds(grave), OPENED)
    events += tell(reporter, OPENED.waits(1_000))
    events += tell(reporter, OPENED.waits(1_000).plays("g1f3"))
    assert only(type(grave), events) == []
    assert moves(events) == ["e2e4", "e7e5", "g1f3"]


def test_that_it_is_possible_is_enough_though_it_is_not_likely() -> None:
    """What is told of moves goes by the likely worlds, of accusations by all that are possible."""
    reporter, guilty = Reporter(), OPENED.holds(ACCUSED)
    unlikely = Told().plays("d2d4")
    events = reporter.tell([guilty.story, unlikely.story], [guilty.state], guilty.state.now)
    assert moves(events) == ["e2e4", "e7e5"]
    assert only(c.Illegal, events) == []


# -- a story that changes --------------------------------------------------------------------------------------------


def test_moves_are_taken_back_from_the_last_and_the_new_ones_told_in_order() -> None:
    reporter, shared = Reporter(), Told().plays("e2e4")
    tell(reporter, shared.plays("e7e5", "g1f3", "b8c6"))
    events = tell(reporter, shared.plays("c7c5", "b1c3"))
    assert moves(events) == ["-b8c6", "-g1f3", "-e7e5", "c7c5", "b1c3"]
    back = only(c.Retract, events)
    fens = [Told().plays(*line).state.position.fen() for line in (["e2e4", "e7e5", "g1f3"], ["e2e4", "e7e5"], ["e2e4"])]
    assert [event.fen for event in back] == fens, "each leads to the position before that move"


def test_that_a_move_breaks_a_rule_is_not_told_once_the_move_is_taken_back() -> None:
    reporter, base = Reporter(), Told().plays("e2e4")
    broken = base.holds(replace(BROKEN, uci="e2e4"))
    assert moves(tell(reporter, broken, base.waits(200))) == ["e2e4"]
    back = c.Retract(ms=broken.state.now, uci="e2e4", fen=chess.STARTING_FEN)
    assert [type(event) for event in tell(reporter, broken.holds(back))] == [c.Retract]


def test_a_move_that_is_told_again_is_completed_once() -> None:
    reporter, base, instead = Reporter(), Told().plays("e2e4"), Told().plays("d2d4")
    tell(reporter, base)
    back = c.Retract(ms=base.state.now, uci="e2e4", fen=chess.STARTING_FEN)
    changed = Told(instead.state, told_in(base.story, [back, *instead.story.facts]))
    assert moves(tell(reporter, changed)) == ["-e2e4", "d2d4"]
    completed = complete(base.state, 0)
    again = tell(reporter, Told(replace(completed, facts=()), told_in(base.story, completed.facts)))
    assert moves(again) == ["-d2d4", "e2e4"]
    assert [event.uci for event in only(c.Completed, again)] == ["e2e4"]


def test_taken_back_to_the_start_it_stands_as_at_the_start() -> None:
    reporter = Reporter()
    tell(reporter, OPENED)
    assert [event.fen for event in only(c.Retract, tell(reporter, Told().waits(9_000)))][-1] == chess.STARTING_FEN


def test_moves_that_both_stories_have_stand() -> None:
    reporter = Reporter()
    tell(reporter, OPENED.plays("g1f3"))
    assert moves(tell(reporter, Told().plays("e2e4", "e7e5", "b1c3"))) == ["-g1f3", "b1c3"]


def test_what_was_said_in_both_is_not_said_again() -> None:
    reporter = Reporter()
    tell(reporter, Told().holds(TOUCHED).plays("e2e4"))
    events = tell(reporter, Told().holds(TOUCHED, after_ms=300).plays("e2e3"))
    assert moves(events) == ["-e2e4", "e2e3"]
    assert only(c.Touch, events) == []


def test_that_the_board_matches_again_is_said_once_by_the_story_that_is_followed_then() -> None:
    reporter = Reporter()
    shared = Told().holds(c.Displaced(ms=0, squares=["e2"], article="7.4.1"))
    tell(reporter, shared.plays("e2e4"))
    events = tell(reporter, shared.holds(c.Restored(ms=0)).plays("d2d4"))
    assert len(only(c.Restored, events)) == 1


def test_time_does_not_go_back_with_a_story_that_began_earlier() -> None:
    reporter = Reporter()
    before = tell(reporter, OPENED.waits(5_000).plays("g1f3"))
    events = tell(reporter, OPENED.plays("b1c3"))
    assert all(event.ms >= before[-1].ms for event in events)


# -- whatever comes --------------------------------------------------------------------------------------------------


@example(seed=2837, rounds=6)  # the same moves in another order
@given(seed=st.integers(0, 100_000), rounds=st.integers(1, 8))
def test_whatever_is_believed_in_turn_what_is_told_is_a_record(seed: int, rounds: int) -> None:
    """Only the last move is taken back, plies follow each other, times too; and in the end the record is what the one
    world left holds, with its accusation told once."""
    rng, reporter = random.Random(seed), Reporter()
    worlds, events = [Told()], list[c.AnyEvent]()
    for _ in range(rounds):
        worlds = [further(rng, rng.choice(worlds)) for _ in range(rng.randint(1, 4))]
        latest = max(world.state.now for world in worlds)
        worlds = [world.waits(latest - world.state.now) for world in worlds]
        events += tell(reporter, *worlds)
        told = record(events)
        assert len(worlds) == 1 or all(told == world.moves[: len(told)] for world in worlds)
        assert tell(reporter, *worlds) == [], "nothing is told twice"
    left = worlds[0]
    events += tell(reporter, left)
    assert record(events) == left.moves
    assert [event.ms for event in events] == sorted(event.ms for event in events)
    standing = 0
    for event in events:
        standing += 1 if type(event) is c.Move else -1 if type(event) is c.Retract else 0
        assert type(event) is not c.Move or event.ply == standing


def further(rng: random.Random, world: Told) -> Told:
    """The world, gone on with by a few moves, one of few so that others make them too."""
    for _ in range(rng.randint(0, 3)):
        legal = sorted(world.state.position.legal(), key=lambda move: move.uci())
        world = world.plays(rng.choice(legal[:3]).uci()) if legal else world
    return world


@pytest.mark.parametrize("worlds", [1, 2])
def test_nothing_is_told_earlier_than_what_somebody_else_told_before_it(worlds: int) -> None:
    """Of a sensor that is not believed the belief tells by itself."""
    reporter = Reporter()
    assert reporter.told_at(700) == 700
    (touch,) = tell(reporter, *[Told().holds(TOUCHED)] * worlds)
    assert touch.ms == 700
    assert reporter.told_at(300) == 700
