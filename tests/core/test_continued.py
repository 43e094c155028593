"""A game cut off after any input goes on from the journal as if nothing had been: the same events, and none twice."""

import random

import msgspec
import pytest
from relations import Log, careless, told
from shorthand import CASTLING, CLOCK
from test_stateful import logs, seeds
from test_stateful_match import FourHands, walk

from controller import contract as c
from controller import wire
from controller.daemon.play import LiveGame
from controller.journal import Record

pytestmark = pytest.mark.slow

CUTS = 2


def journal(play: LiveGame, inputs: list[c.AnyInput]) -> list[Record]:
    """What the journal has of these inputs: each, and the events that came of it."""
    rows = []
    for item in inputs:
        rows += [("input", item), *(("event", event) for event in play.handle(item))]
    return [Record(seq, play.id, kind, wire.encode(body), b"") for seq, (kind, body) in enumerate(rows, start=1)]


def events_in(records: list[Record]) -> list[c.AnyEvent]:
    return [wire.decode_event(record.body) for record in records if record.kind == "event"]


def goes_on(session: c.Session, inputs: list[c.AnyInput], cut: int) -> list[c.AnyEvent]:
    """Every event, where the power fails after ``cut`` inputs, but for what is said of that."""
    written = journal(LiveGame("1", session), inputs[:cut])
    play = LiveGame("1", session)
    assert play.replay(written) is None, "the journal says otherwise"
    back = [c.Outage(ms=play.last_ms, board=board, away_ms=1000) for board in play.boards if not play.over]
    said = events_in(written + journal(play, [*back, *inputs[cut:]]))
    return [event for event in said if not isinstance(event, c.Clock | c.Interrupted)]


def check(log: Log, rng: random.Random) -> None:
    session, inputs = log
    inputs = [item for item in inputs if not isinstance(item, c.Outage)]
    whole = goes_on(session, inputs, 0)
    for cut in rng.sample(range(len(inputs) + 1), min(CUTS, len(inputs))):
        assert goes_on(session, inputs, cut) == whole, f"cut after {cut} inputs"
    known = [event for event in told(session, inputs) if event["type"] not in ("clock", "outage")]
    assert [msgspec.to_builtins(event) for event in whole] == known[: len(whole)], "but for the end of a log"


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("clock", [None, CLOCK])
def test_a_game(senses: c.Senses, clock: str | None) -> None:
    for seed in range(2):
        check(careless(seed, CASTLING, senses, clock=clock), random.Random(seed))


def test_a_game_by_absurd_hands() -> None:
    for seed in seeds()[:2]:
        for session, inputs, _ in logs(seed):
            check((session, inputs), random.Random(seed))


def test_a_match_by_absurd_hands() -> None:
    inputs = [item for item, _ in walk(0) if item is not None]
    inputs = inputs[: len(inputs) // 2]  # each is played five times; what comes later is no less absurd
    check((FourHands(0).session, inputs), random.Random(0))
