"""What must not change when nothing of importance does: colour, wing, pace, sensors, boards, and what is said twice.

Each relation holds between two logs, so nobody has to know what comes of either.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

import chess
import msgspec
import pytest
from msgspec.structs import replace
from relations import (
    Told,
    as_inputs,
    as_scans,
    careless,
    other_colour,
    other_wing,
    slower,
    slower_session,
    sorted_out,
    told,
)
from shorthand import CASTLING, CLOCK, seen
from test_stateful import logs, seeds
from test_stateful_match import FourHands, walk

from controller import contract as c
from controller.belief import worlds
from controller.game import Game
from controller.position import EMPTY

SENSES: tuple[c.Senses, ...] = ("occupancy", "colour", "identity")
EVERY_BOARD = pytest.mark.parametrize("senses", SENSES)
GAMES = range(2)
STARTS = (chess.STARTING_FEN, CASTLING, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2")
NO_CASTLING = "r4rk1/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R4RK1 w - - 0 9"
TIMES = 3
QUIET_MS = 500  #: after anything was done: what stands is released
JOG_MS = 60  #: shorter than a touch


@EVERY_BOARD
@pytest.mark.parametrize("fen", STARTS)
def test_the_other_colour_is_judged_alike(fen: str, senses: c.Senses) -> None:
    for seed in GAMES:
        session, inputs = careless(seed, fen, senses, clock=CLOCK if seed % 2 else None)
        mirrored = [other_colour(msgspec.to_builtins(item), senses) for item in inputs]
        opposite = replace(session, fen=chess.Board(fen).mirror().fen())
        expected = [other_colour(event, senses) for event in told(session, inputs)]
        assert sorted_out(told(opposite, as_inputs(mirrored))) == sorted_out(expected), f"game {seed}"


def test_a_game_whose_story_is_cut_short_again_and_again_is_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where edges are lost, so that there are many worlds."""
    for seed in range(6):
        session, inputs = careless(seed, CASTLING, "occupancy")
        inputs = [item for number, item in enumerate(inputs) if number % 15 or not isinstance(item, c.Lift)]
        expected = told(session, inputs)
        with monkeypatch.context() as cut:
            cut.setattr(worlds, "STORY", 1)
            assert told(session, inputs) == expected, f"game {seed}"


@pytest.mark.slow
@EVERY_BOARD
def test_the_other_wing_is_judged_alike_where_nobody_can_castle(senses: c.Senses) -> None:
    for seed in GAMES:
        session, inputs = careless(seed, NO_CASTLING, senses)
        mirrored = [other_wing(msgspec.to_builtins(item)) for item in inputs]
        opposite = replace(session, fen=chess.Board(NO_CASTLING).transform(chess.flip_horizontal).fen())
        expected = [other_wing(event) for event in told(session, inputs)]
        assert sorted_out(told(opposite, as_inputs(mirrored))) == sorted_out(expected), f"game {seed}"


def test_at_another_pace_with_thresholds_to_match_absurd_hands_are_judged_alike() -> None:
    for seed in seeds()[:1]:
        for session, log, _ in logs(seed):
            inputs = [item for item in log if not isinstance(item, c.Frame | c.Reading)]
            slow = [slower(msgspec.to_builtins(item), TIMES) for item in inputs]
            expected = [slower(event, TIMES) for event in told(replace(session, clock=None), inputs)]
            events = told(slower_session(session, TIMES), as_inputs(slow))
            assert sorted_out(slower(event, 1) for event in events) == sorted_out(expected), f"walk {seed}"


def nothing_new(game: Game, session: c.Session, ms: c.Ms, rng: random.Random) -> Iterator[c.AnyInput]:
    """What changes nothing by the contract: what is seen already, an idle player's press, clocks let run that run."""
    state = game.state
    square = rng.randrange(64)
    shown, name = state.shown(square), chess.SQUARE_NAMES[square ^ state.turned]
    if shown == EMPTY:
        yield c.Lift(ms=ms, square=name)
    elif session.senses == "occupancy":
        yield c.Place(ms=ms, square=name)
    elif session.senses == "identity" and len(shown) == 1:
        yield c.Place(ms=ms, square=name, piece=shown)
    if state.clock is not None and state.clock.running is not None:
        yield c.Press(ms=ms, side=c.other(state.clock.running))
    if not state.stopped:
        yield c.Arbiter(ms=ms, do="resume")
    yield c.Time(ms=ms)


@pytest.mark.slow
def test_what_says_nothing_new_changes_nothing() -> None:
    for seed in seeds()[:2]:
        for session, log, _ in logs(seed):
            inputs = [item for item in log if not isinstance(item, c.Frame | c.Outage)]
            rng, game, events = random.Random(seed), Game(session), []
            for item in inputs:
                events += game.handle(c.Time(ms=item.ms))
                for again in nothing_new(game, session, item.ms, rng):
                    events += game.handle(again)
                events += game.handle(item)
            events += game.finish()
            assert [msgspec.to_builtins(event) for event in events] == told(session, inputs), f"walk {seed}"


def brush(game: Game, senses: c.Senses, ms: c.Ms, rng: random.Random) -> list[c.AnyInput]:
    """A piece that stands at home is jogged; none of the opponent's while one is in hand that might take it."""
    state = game.state
    board = state.position.board
    pieces = chess.SquareSet((board.occupied_co[board.turn] if state.mismatch else board.occupied) & ~state.mismatch)
    if not pieces:
        return []
    square = rng.choice(list(pieces))
    name, piece = chess.SQUARE_NAMES[square], seen(state.position.symbol(square), senses) or None
    return [c.Lift(ms=ms, square=name), c.Place(ms=ms + JOG_MS, square=name, piece=piece)]


@EVERY_BOARD
def test_a_piece_brushed_between_what_players_do_obliges_nobody(senses: c.Senses) -> None:
    """Where the sensors allow more than one move, it may tell sooner which was made."""
    for seed in GAMES:
        session, inputs = careless(seed, CASTLING, senses, clock=CLOCK if seed % 2 else None)
        kept = [event for event in told(session, inputs) if event["type"] not in ("brush", "adjusted")]
        if any(event["type"] == "ambiguous" for event in kept):
            continue
        rng, game, events = random.Random(seed), Game(session), []
        for item, following in pairwise([*inputs, c.Time(ms=inputs[-1].ms)]):
            events += game.handle(item)
            if following.ms > item.ms + QUIET_MS + JOG_MS:
                events += game.handle(c.Time(ms=item.ms + QUIET_MS))
                for jog in brush(game, senses, item.ms + QUIET_MS, rng):
                    events += game.handle(jog)
        events = [event for event in events + game.finish() if not isinstance(event, c.Brush | c.Adjusted)]
        assert [msgspec.to_builtins(event) for event in events] == kept, f"game {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("fen", STARTS)
def test_touches_and_raw_scans_of_them_are_judged_alike(fen: str) -> None:
    """But for a few milliseconds, for which a scan has to hold."""

    def without_time(events: list[Told]) -> list[Told]:
        return [{key: event[key] for key in event if not key.endswith("ms")} for event in events]

    for seed in GAMES:
        session, inputs = careless(seed, fen, "occupancy")
        assert without_time(told(session, as_scans(session, inputs))) == without_time(told(session, inputs))


def exchanged(said: Told) -> Told:
    """The same on the other board; what was team 1 is team 2."""
    pairs = (("A", "B"), ("team-1", "team-2"), ("board-a", "board-b"))
    names = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    fields = {key: names.get(said[key], said[key]) for key in ("board", "result", "reason") if key in said}
    if "id" in said:
        fields["id"] = names[said["id"][0]] + said["id"][1:]
    return said | fields


def by_board(events: list[Told]) -> list[list[Told]]:
    """What was said of each board, and of the match; at the beginning in any order, for one board comes first."""
    events = sorted(events, key=lambda event: (event["ms"], event["type"] if event["ms"] == 0 else ""))
    return [[event for event in events if event.get("board") == board] for board in ("A", "B", None)]


@pytest.mark.slow
def test_the_boards_of_a_match_may_be_exchanged() -> None:
    for seed in seeds()[:1]:
        inputs = [item for item, _ in walk(seed) if item is not None]
        inputs = inputs[: len(inputs) // 2]  # what comes later is no less absurd
        session = FourHands(seed).session
        assert isinstance(session.fen, c.BoardFens)
        turned = replace(session, fen=c.BoardFens(A=session.fen.B, B=session.fen.A))
        expected = [exchanged(event) for event in told(session, inputs)]
        events = told(turned, as_inputs([exchanged(msgspec.to_builtins(item)) for item in inputs]))
        assert by_board(events) == by_board(expected), f"walk {seed}"
