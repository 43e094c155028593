"""What goes into a game: what a board shows, and what players and arbiters say."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract.rulings import Ruling
from controller.contract.values import (
    SCAN_PATTERN,
    SHOWN_PATTERN,
    BoardId,
    MoveCount,
    Ms,
    Piece,
    Ply,
    Score,
    Side,
    Square,
    Uci,
)


class Input(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Something that happened at the board, on the clock, or by an arbiter's hand."""

    ms: Ms
    board: BoardId | None = None  #: in a match only
    by: str | None = None  #: who gave it, of a command or ruling where that is known


class Lift(Input, frozen=True, tag="lift"):
    square: Square
    side: Side | None = None  #: only when known who did it


class Place(Input, frozen=True, tag="place"):
    square: Square
    piece: Piece | None = None  #: a FEN letter on identity boards, ``w`` or ``b`` on colour boards
    side: Side | None = None


class Contact(Input, frozen=True, tag="contact"):
    square: Square
    side: Side | None = None


class Frame(Input, frozen=True, tag="frame"):
    occupied: Annotated[str, Meta(pattern=SCAN_PATTERN)]  #: 16 hex digits, most significant bit h8


class Press(Input, frozen=True, tag="press"):
    side: Side
    unseen: bool = False  #: made while nobody saw the board, as one of so many that nobody can say what stood then


class Pause(Input, frozen=True, tag="pause"):
    side: Side


class Adjust(Input, frozen=True, tag="adjust"):
    side: Side


class Choose(Input, frozen=True, tag="choose"):
    side: Side
    piece: Literal["q", "r", "b", "n", "p"]
    square: Square | None = None  #: where it stands already; then it names that piece or is refused, and never the next


class Claim(Input, frozen=True, tag="claim"):
    side: Side
    of: Literal[
        "touch-move",
        "illegal-move",
        "flag",
        "threefold",
        "fifty-moves",
        "fourfold",
        "quickplay",
        "wrong-array",
        "turned-board",
        "wrong-clock",
    ]
    move: str | None = None  #: the intended move, written down for a draw claim
    increment: bool = False  #: with ``quickplay``: no draw is claimed, but five seconds a move asked for (G.4, III.4)


class Draw(Input, frozen=True, tag="draw"):
    side: Side
    act: Literal["offer", "accept", "decline"]


class Resign(Input, frozen=True, tag="resign"):
    side: Side


class Arbiter(Input, frozen=True, tag="arbiter"):
    """A ruling. Which of these fields it has a use for, its row of :data:`.RULINGS` says."""

    do: Ruling
    answers: str | None = None  #: an ``id`` of the notice that it answers; None: the oldest open one, of ``warn``: none
    white_ms: int | None = None  #: what the clock shall show
    black_ms: int | None = None
    white_add_ms: int | None = None  #: what is added to it, or taken where negative
    black_add_ms: int | None = None
    white_moves: MoveCount | None = None  #: what the move counter shall show
    black_moves: MoveCount | None = None
    replaced: bool = False  #: another clock stands there, as that one had a defect
    result: Score | None = None
    side: Side | None = None  #: who has come, or not, or is warned; against whom the report is
    kind: str | None = None  #: what was seen, such as ``two-hands``
    piece: Literal["q", "r", "b", "n", "p"] | None = None  #: which one, of ``mislaid-stock``
    ply: Ply | None = None  #: which move of the record was another, or is missing after the last
    moves: tuple[Uci, ...] = ()  #: what was played from there on
    replaces: Ms | None = None  #: in place of so many moves of the record; None: as many as are given
    reason: str | None = None
    text: str = ""  #: what the arbiter says to it, in his own words
    witnesses: tuple[str, ...] = ()  #: who saw it
    extra: bool = False  #: the opponent is given the minutes that the Laws allow
    of: Ms | None = None  #: when the ruling was given, or the move made, that is taken back; None: the last
    #: play goes on though the board does not show that the pieces were put back; a result takes the place of another
    insist: bool = False


class Reading(Input, frozen=True, tag="reading"):
    """What an electronic clock that keeps its own time shows: from then on that is the time."""

    white_ms: Ms
    black_ms: Ms
    running: Side | None


class Sensor(Input, frozen=True, tag="sensor"):
    """Whether the sensor of a square is to be believed: of one that does not work nothing is held against the game."""

    square: Square
    works: bool


class Time(Input, frozen=True, tag="time"):
    """Nothing but the passing of time."""


class Outage(Input, frozen=True, tag="outage"):
    """Nobody looked at the board for a time that does not count: the power was off, or the program not running."""

    away_ms: Ms | None = None  #: how long that was by the time of day; None: it cannot be told


class Unseen(Input, frozen=True, tag="unseen"):
    """From now on nobody sees what happens on the board: its cable is out, or the program does not run."""


class Seen(Input, frozen=True, tag="seen"):
    """The board is seen again. What stands there otherwise than before came about unseen, and accuses nobody."""

    #: a1 first, then b1, … h8: a FEN letter, on colour boards ``w`` or ``b``, on occupancy boards ``x``; empty ``.``
    shown: Annotated[str, Meta(pattern=SHOWN_PATTERN)]


AnyInput = (
    Lift
    | Place
    | Contact
    | Frame
    | Reading
    | Sensor
    | Press
    | Pause
    | Adjust
    | Choose
    | Claim
    | Draw
    | Resign
    | Arbiter
    | Time
    | Outage
    | Unseen
    | Seen
)
