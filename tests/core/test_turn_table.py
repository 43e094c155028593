"""The table of a turn: each row played with the smallest session log that reaches it, and nothing outside the table."""

from dataclasses import dataclass

import pytest
from shorthand import CASTLING, CLOCK, EN_PASSANT, MIDDLEGAME, PROMOTION, inputs, session

from controller import contract as c
from controller.game import Game
from controller.laws.turn import TABLE, Outcome, Trigger
from controller.sensing.difference import Kind

COMES_OF: dict[Outcome, set[str]] = {
    Outcome.MAKE: {"move"},
    Outcome.BIND: {"obligation"},
    Outcome.PLACED_ASTRAY: {"illegal"},
    Outcome.MISMATCH: {"displaced"},
    Outcome.DISPLACED: {"displaced"},
    Outcome.UNSEEN: {"move", "illegal"},
    Outcome.UNFINISHED: {"illegal"},
    Outcome.ILLEGAL: {"illegal"},
    Outcome.NO_MOVE: {"illegal"},
}
CHANGES_A_TURN = set().union(*COMES_OF.values()) - {"obligation"} | {"completed", "violation", "retract"}


KNIGHT_TAKES = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"


@dataclass
class Row:
    """``before`` leads to a difference of this kind, ``then`` is what happens to it, ``says`` what comes of it."""

    before: str
    then: str
    says: str
    fen: str = MIDDLEGAME
    senses: c.Senses = "occupancy"
    variant: c.Variant = "standard"


STEP = "nqnbrkbr/pppppppp/8/8/8/8/PPPPPPPP/NQNBRK1R w H - 0 1"
ALONE = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"

ROWS: dict[tuple[Kind, Trigger], list[Row]] = {
    (Kind.WHOLE, Trigger.RELEASE): [
        Row("1000 lift d2; 1500 place d3", "1900 time", "move"),
        Row("1000 lift f3; 1200 lift e5; 1500 place e5", "1900 time", "move"),
    ],
    (Kind.WHOLE, Trigger.REPLY): [
        Row("1000 lift d2; 1500 place d3", "1600 lift d7", "move"),
        Row("1000 lift d2; 1500 place d3", "1600 contact d7", "move"),
    ],
    (Kind.WHOLE, Trigger.PRESS): [
        Row("1000 lift d2; 1500 place d3", "1600 press white", "move completed"),
    ],
    (Kind.STEP, Trigger.RELEASE): [
        Row("1000 lift f1; 1500 place g1", "1900 time", "obligation", STEP, variant="chess960"),
    ],
    (Kind.STEP, Trigger.REPLY): [
        Row("1000 lift f1; 1500 place g1", "1600 lift e7", "move", STEP, variant="chess960"),
    ],
    (Kind.STEP, Trigger.PRESS): [
        Row("1000 lift f1; 1500 place g1", "1600 press white", "move completed", STEP, variant="chess960"),
    ],
    (Kind.PARTIAL, Trigger.RELEASE): [
        Row("1000 lift e1; 1500 place g1", "1900 time", "obligation", CASTLING),
        Row("1000 lift e5; 1500 place d6", "1900 time", "obligation", EN_PASSANT),
        Row("1000 lift a7; 1500 place a8 P", "1900 time", "obligation", PROMOTION, "identity"),
        Row("1000 place a8", "1400 time", "obligation", PROMOTION),
    ],
    (Kind.PARTIAL, Trigger.PRESS): [
        Row("1000 lift e1; 1500 place g1", "2000 press white", "illegal penalty", CASTLING),
        Row(
            "100 lift d7; 300 place d5; 900 press black; 1000 lift e5; 1500 place d6",
            "2000 press white",
            "illegal penalty",
            "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        ),
        Row("1000 lift a7; 1500 place a8 P", "2000 press white", "illegal penalty", PROMOTION, "identity"),
    ],
    (Kind.ASTRAY, Trigger.RELEASE): [
        Row("1000 lift f3; 1500 place a5", "1900 time", "illegal"),
        Row("1000 lift e1; 1500 place g1", "1900 time", "illegal obligation", CASTLING.replace("KQkq", "kq")),
    ],
    (Kind.ASTRAY, Trigger.PRESS): [
        Row("1000 lift f3; 1500 place f5", "1600 press white", "illegal penalty"),
    ],
    (Kind.FOREIGN, Trigger.RELEASE): [
        Row("1000 place h6", "1400 time", "displaced"),
        Row("1000 lift g8 side=black", "1400 time", "displaced"),
        Row("1000 lift g8; 1500 place f6", "1900 time", "violation displaced"),
        Row("1000 lift g8; 1500 place f6 n", "1900 time", "violation displaced", senses="identity"),
    ],
    (Kind.FOREIGN, Trigger.PRESS): [
        Row("1000 place h6", "1100 press white", "illegal penalty"),
    ],
    (Kind.HELD, Trigger.PRESS): [
        Row("1000 lift c3", "2000 press white", "move completed", KNIGHT_TAKES),
        Row("1000 lift a2", "1050 press white", "illegal penalty"),  # later a sensor may have failed to show it
    ],
    (Kind.DISTURBED, Trigger.RELEASE): [
        Row("1000 lift d2; 1500 lift g8 side=black", "1900 time", "displaced"),
        Row("1000 lift d2; 1500 place h6 side=black", "1900 time", "displaced"),
    ],
    (Kind.DISTURBED, Trigger.PRESS): [
        Row("1000 lift c3; 1500 lift e8 side=black", "2500 press white", "move completed", KNIGHT_TAKES),
        Row("1000 lift d2; 1500 place h6 side=black", "2500 press white", "illegal penalty"),
    ],
    (Kind.VACANT, Trigger.PRESS): [
        Row("1000 lift a7", "1050 press white", "illegal penalty", PROMOTION),
        Row("1000 lift b8; 1500 lift a7", "2000 press white", "illegal penalty", PROMOTION),
        Row("1000 lift a7; 1500 place a8 P; 1600 lift a8", "2000 press white", "illegal penalty", ALONE, "identity"),
    ],
    (Kind.QUIET, Trigger.PRESS): [
        Row("", "1000 press white", "illegal penalty"),
        Row("1000 lift d2; 1500 place d2", "2000 press white", "illegal penalty"),
    ],
}

OUTSIDE = [
    (Kind.QUIET, Trigger.RELEASE, Row("1000 lift d2; 1500 place d2", "9000 time", "")),
    (Kind.QUIET, Trigger.REPLY, Row("1000 lift d2; 1500 place d2", "2000 contact e5", "touch obligation")),
    (
        Kind.HELD,
        Trigger.RELEASE,
        Row("1000 lift e4; 2000 lift e8", "3000 time", "touch", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"),
    ),
    (Kind.VACANT, Trigger.RELEASE, Row("1000 lift a7; 2000 lift b8", "3000 time", "touch", PROMOTION)),
    (Kind.HELD, Trigger.REPLY, Row("1000 lift d2", "2000 contact e5", "touch obligation")),
    (
        Kind.DISTURBED,
        Trigger.REPLY,
        Row("1000 lift d2; 1500 lift g8 side=black", "1600 contact e5", "touch obligation"),
    ),
    (Kind.VACANT, Trigger.REPLY, Row("1000 lift a7", "2000 contact b8", "touch obligation", PROMOTION)),
    (Kind.PARTIAL, Trigger.REPLY, Row("1000 lift e1; 1500 place g1", "1600 lift h1", "", CASTLING)),
    (Kind.ASTRAY, Trigger.REPLY, Row("1000 lift f3; 1500 place f5", "1600 contact e5", "touch obligation")),
    (Kind.FOREIGN, Trigger.REPLY, Row("1000 place h6", "1100 contact e5", "touch obligation")),
]


OFTEN = c.Sensors(lost=0.002, scan_ms=5)
"""A board that is known to look so often."""


def next_look(happens: list[c.AnyInput]) -> c.Time:
    """When that board has looked once more: until then a press waits for what it may show."""
    return c.Time(ms=happens[-1].ms + 6)


def reached(row: Row) -> tuple[Kind, list[c.AnyEvent]]:
    """The kind of difference before it happens, and what comes of it by the next look of the board."""
    game = Game(session(row.fen, senses=row.senses, clock=CLOCK, variant=row.variant, sensors=OFTEN))
    for item in inputs(row.before):
        game.handle(item)
    difference = game.state.turn.difference
    happens = inputs(row.then)
    return difference.kind, [event for item in (*happens, next_look(happens)) for event in game.handle(item)]


def types(events: list[c.AnyEvent]) -> list[str]:
    return [event.__struct_config__.tag for event in events]


@pytest.mark.parametrize(
    ("key", "row"),
    [pytest.param(k, r, id=f"{k[0].name}-{k[1].name}-{i}") for k, rs in ROWS.items() for i, r in enumerate(rs)],
)
def test_row(key: tuple[Kind, Trigger], row: Row) -> None:
    kind, events = reached(row)
    said = types(events)
    assert kind is key[0]
    assert [name for name in row.says.split() if name not in said] == []
    wanted = COMES_OF[TABLE[key]]
    assert wanted & set(said) if wanted else not CHANGES_A_TURN & set(said)


def test_every_row_is_played() -> None:
    assert ROWS.keys() == TABLE.keys()
    assert {(kind, what) for kind, what, _ in OUTSIDE} == {(k, w) for k in Kind for w in Trigger} - TABLE.keys()


@pytest.mark.parametrize(("kind", "what", "row"), OUTSIDE, ids=lambda v: getattr(v, "name", None))
def test_what_is_not_in_the_table_changes_no_turn(kind: Kind, what: Trigger, row: Row) -> None:
    difference, events = reached(row)
    assert (difference, TABLE.get((kind, what))) == (kind, None)
    assert not CHANGES_A_TURN & set(types(events))
    assert [name for name in row.says.split() if name not in types(events)] == []


def test_pieces_of_one_player_held_however_long_are_a_move_in_progress() -> None:
    kind, events = reached(Row("1000 lift d2; 2000 lift c4", "60000 time", ""))
    assert kind is Kind.HELD
    assert not CHANGES_A_TURN & set(types(events))


@pytest.mark.parametrize("laws", ["fide-2005", "fide-2009", "fide-2014"])
def test_before_2018_a_press_without_a_move_misuses_the_clock(laws: str) -> None:
    game = Game(session(MIDDLEGAME, clock=CLOCK, laws=laws))
    said = [event for item in inputs("1000 press white") for event in game.handle(item)]
    assert [e.kind for e in said if isinstance(e, c.Violation)] == ["clock-misuse"]
    assert not any(isinstance(event, c.Illegal) for event in said)
    assert [e.kind for e in said if isinstance(e, c.Penalty)] == ["discretion"]
