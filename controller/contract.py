"""The vocabulary: what goes into a game and what comes out, one tagged union each.

These structs are at once the session log, the event log, the journal and the wire, so a name here is a promise:
fields and types may be added, none may be renamed or dropped. Times are integer milliseconds since the session
began. Squares are ``e4``; moves are UCI, a drop ``N@e6``; sides are ``white`` and ``black``; ``piece`` is a FEN letter.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Side = Literal["white", "black"]
BoardId = Literal["A", "B"]
Ms = Annotated[int, Meta(ge=0)]
SQUARE_PATTERN, PIECE_PATTERN, SCAN_PATTERN = "^[a-h][1-8]$", "^[PNBRQKpnbrqkw]$", "^[0-9a-fA-F]{16}$"
SHOWN_PATTERN = "^[PNBRQKpnbrqkwx.]{64}$"
UCI_PATTERN = "^[a-h][1-8][a-h][1-8][qrbn]?$"
Square = Annotated[str, Meta(pattern=SQUARE_PATTERN)]
Piece = Annotated[str, Meta(pattern=PIECE_PATTERN)]
Uci = Annotated[str, Meta(pattern=UCI_PATTERN)]
Ply = Annotated[int, Meta(ge=1)]
Edition = Literal["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"]
Play = Literal["standard", "rapid", "blitz"]
Senses = Literal["occupancy", "colour", "identity"]
Score = Literal["1-0", "0-1", "1/2-1/2"]
Variant = Literal["standard", "chess960"]

WHITE: Side = "white"
BLACK: Side = "black"


def other(side: Side) -> Side:
    """The opponent of ``side``."""
    return BLACK if side == WHITE else WHITE


# -- the session -------------------------------------------------------------------------------------------------


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Thresholds of the event, in milliseconds; to be announced beforehand."""

    brush_ms: Ms = 120  #: lifted and back sooner than this is a brush, not a touch
    release_ms: Ms = 400  #: a piece standing this long is released
    simultaneous_ms: Ms = 150  #: two touches closer than this count as simultaneous
    debounce_ms: Ms = 15  #: a raw reading must hold this long
    adjust_ms: Ms = 10_000  #: an announcement covers pieces lifted within this time
    apply_penalties: bool = False  #: an unattended event applies the fixed penalties by itself
    #: a player who has touched nothing by then is taken to be absent (6.6 / 6.7); None: nobody watches for it
    default_time_ms: Annotated[int, Meta(gt=0)] | None = None


class Sensors(Struct, frozen=True, forbid_unknown_fields=True):
    """What was measured of the sensors of a board."""

    lost: Annotated[float, Meta(gt=0, le=0.5)]  #: the share of edges that the board does not report
    scan_ms: Annotated[float, Meta(gt=0, le=10_000)]  #: how long after one look at a square the next one comes


class BoardFens(Struct, frozen=True, forbid_unknown_fields=True):
    """The two start positions of a match."""

    A: str
    B: str


class Session(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="session"):
    """The first line of a session log."""

    version: Literal[1]
    laws: Edition = "fide-2023"
    play: Play = "standard"
    supervised: bool = True
    fen: str | BoardFens = "startpos"
    senses: Senses = "occupancy"
    clock: str | None = None  #: a PGN TimeControl value; ``180d3``: a delay, ``180b3``: shown on the clock; None: none
    match: Literal["bughouse"] | None = None
    variant: Variant = "standard"  #: in chess960 castling is the king's move to his rook's square, ``e1h1``
    announced: tuple[str, ...] = ()
    settings: Settings = Settings()
    sensors: Sensors | None = None  #: of a game on one board, where they were measured


# -- inputs ------------------------------------------------------------------------------------------------------


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


class Claim(Input, frozen=True, tag="claim"):
    side: Side
    of: Literal["touch-move", "illegal-move", "flag", "threefold", "fifty-moves", "fourfold", "quickplay"]
    move: str | None = None  #: the intended move, written down for a draw claim
    increment: bool = False  #: with ``quickplay``: no draw is claimed, but five seconds a move asked for (G.4, III.4)


class Draw(Input, frozen=True, tag="draw"):
    side: Side
    act: Literal["offer", "accept", "decline"]


class Resign(Input, frozen=True, tag="resign"):
    side: Side


Ruling = Literal[
    "pause", "resume", "uphold", "dismiss", "set-clock", "undo", "result", "neutralise", "report", "correct"
]
"""What an arbiter does."""


class Arbiter(Input, frozen=True, tag="arbiter"):
    do: Ruling
    answers: str | None = None  #: with ``uphold`` and ``dismiss``: an ``id`` of the notice; None: the oldest open one
    white_ms: int | None = None  #: with ``set-clock``: what the clock shall show
    black_ms: int | None = None
    white_add_ms: int | None = None  #: with ``set-clock``: what is added to it, or taken where negative
    black_add_ms: int | None = None
    white_moves: Ms | None = None  #: with ``set-clock``: what the move counter shall show
    black_moves: Ms | None = None
    result: Score | None = None  #: with ``result``
    side: Side | None = None  #: with ``report``: against whom
    kind: str | None = None  #: with ``report``: what was seen, such as ``two-hands``
    piece: Literal["q", "r", "b", "n", "p"] | None = None  #: with ``report`` of ``mislaid-stock``: which man
    ply: Ply | None = None  #: with ``correct``: which move of the record was another, or is missing after the last
    moves: tuple[Uci, ...] = ()  #: with ``correct``: what was played from there on
    replaces: Ms | None = None  #: with ``correct``: in place of so many moves of the record; None: as many as are given
    reason: str | None = None


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

# -- events ------------------------------------------------------------------------------------------------------

Report = Literal["arbiter", "on-claim"]


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something the game made of its inputs. Not a ruling: only an arbiter's input rules."""

    ms: int
    board: BoardId | None = None


class Notable(Event, frozen=True, kw_only=True):
    """What may await a person. A ruling on it names it by its ``id``."""

    id: str = ""  #: unique in its log, in a match over both boards; empty in journals from before there were any


class Clock(Event, frozen=True, tag="clock"):
    """The clocks were started, stopped or set; between two of these the running one runs down."""

    white_ms: int
    black_ms: int
    running: Side | None
    reason: str | None = None  #: why the arbiter set them, in his words


class Touch(Event, frozen=True, tag="touch"):
    side: Side
    square: str
    piece: str


class Brush(Event, frozen=True, tag="brush"):
    square: str


class Adjusted(Event, frozen=True, tag="adjusted"):
    side: Side
    squares: list[str]


Must = Literal["move", "capture", "castle", "king", "promote", "free", "none"]


class Obligation(Event, frozen=True, tag="obligation"):
    side: Side
    must: Must
    moves: list[str]
    article: str


Basis = Literal["inferred", "reported"]
"""What a notice or a move rests on, where the sensors did not show it themselves: on what followed, or on a person's
word."""

Confidence = Annotated[float, Meta(ge=0, le=1)]
"""How likely what was inferred is, beside all that may have been instead."""


class Other(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What may have been played in place of a move that was inferred."""

    uci: str | None = None  #: None: nothing may have been played there yet
    less_likely: float  #: how many times less likely than the move; below 1 where it is likelier


class Move(Event, frozen=True, tag="move"):
    """A move that is made. What follows ``legal`` is there where not all that shows such a move was seen; of
    one that an arbiter put into the record ``basis`` alone."""

    side: Side
    uci: str
    san: str
    fen: str
    ply: int
    legal: bool = True
    basis: Basis | None = None
    confidence: Confidence | None = None
    others: list[Other] = []  #: what else it may have been, the likeliest first, three at most


class Retract(Event, frozen=True, tag="retract"):
    uci: str
    fen: str


class Completed(Event, frozen=True, tag="completed"):
    side: Side
    uci: str
    white_ms: int | None
    black_ms: int | None


class Irregularity(Notable, frozen=True, kw_only=True):
    """A notice, with what in the record of the game it rests on; a field that has nothing to tell is left out."""

    uci: str | None = None  #: the move that it is about
    squares: list[str] = []  #: the men touched, in order; or where men were moved about
    touched_ms: list[int] = []  #: when each of them was touched
    owed: list[str] = []  #: the moves that would have met what was owed
    basis: Basis | None = None
    confidence: Confidence | None = None  #: of what was inferred


class Illegal(Irregularity, frozen=True, tag="illegal"):
    side: Side
    kind: Literal[
        "illegal-move",
        "no-move",
        "unfinished-promotion",
        "unfinished-castling",
        "unfinished-capture",
        "two-hands",
    ]
    article: str
    completed: bool
    count: int  #: this player's completed illegal moves so far
    report: Report


class Violation(Irregularity, frozen=True, tag="violation"):
    side: Side
    kind: Literal[
        "touch-move",
        "released-move",
        "castling-order",
        "promotion-changed",
        "out-of-turn",
        "adjust-out-of-turn",
        "clock-misuse",
        "two-hands",
        "hidden-stock",
        "mislaid-stock",
    ]
    article: str
    report: Report


class Penalty(Notable, frozen=True, tag="penalty"):
    side: Side
    kind: Literal["time", "cut", "loss", "draw", "discretion"]
    status: Literal["proposed", "applied"]
    article: str
    time_ms: int | None = None


class Claimed(Notable, frozen=True, tag="claim"):
    side: Side
    of: str
    verdict: Literal["upheld", "rejected", "lapsed", "inadmissible", "referred"]
    article: str
    increment: bool = False  #: of ``quickplay``: five seconds a move were asked for, not a draw
    #: What the record shows, where it shows something:
    since_ms: int | None = None  #: when the first touch, the move, or the fall of the flag was
    uci: str | None = None  #: the opponent's move that is complained of
    squares: list[str] = []  #: what he had touched, in order
    plies: list[int] = []  #: after which moves the position has stood; 0: at the start
    quiet_plies: int | None = None  #: how many moves there have been since the last capture or pawn's move


Beginning = Literal["wrong-array", "colours-reversed"]
"""How a game can begin wrongly (7.1-7.2, from 2014 7.2-7.3)."""


class Displaced(Notable, frozen=True, tag="displaced"):
    squares: list[str]
    article: str | None = None  #: how the board is put right; of a wrong beginning, what follows of it
    beginning: Beginning | None = None  #: where the game began so
    remedy: Literal["new-game", "play-on"] | None = None  #: what the edition then prescribes: a new game if upheld
    fen: str | None = None  #: the position from which the game goes on, where no move led to it
    #: Where a ruling returns the game to an earlier position: what is proposed to set the clocks to.
    white_ms: int | None = None
    black_ms: int | None = None


class Restored(Event, frozen=True, tag="restored"):
    """The board matches the game again."""

    fen: str | None = None  #: the position, where men exchanged at the beginning were put right


class Stalled(Event, frozen=True, tag="stalled"):
    """The board has left the game, and men are moved on that it cannot follow: the score stands until ``followed``."""

    after_ply: int  #: the last move of the score; 0: it has none
    since_ms: int  #: when the first of the men was set down where the game has none
    reason: Literal["illegal-move", "ambiguous", "paused", "displaced"]  #: what nobody has settled, or put right
    squares: list[str]  #: where the board does not match the game


class Followed(Event, frozen=True, tag="followed"):
    """The score goes on, or the board matches it again."""


class Disbelieved(Event, frozen=True, tag="disbelieved"):
    """The sensors of these squares, from a1 to h8, seem not to work: nothing rests on what they show."""

    squares: list[str]


class Interrupted(Event, frozen=True, tag="outage"):
    """Nobody looked for a time. The clocks go on as they stood at the last instant that was recorded."""

    away_ms: int | None = None  #: about how long, by the time of day


class Ambiguous(Event, frozen=True, tag="ambiguous"):
    moves: list[str]


class Flag(Event, frozen=True, tag="flag"):
    side: Side


Reason = Literal[
    "checkmate",
    "stalemate",
    "dead-position",
    "time",
    "resignation",
    "agreement",
    "threefold",
    "fivefold",
    "fifty-moves",
    "seventy-five-moves",
    "illegal-moves",
    "arbiter",
    "partner",
]


Mating = Literal["helpmate", "material", "walls", "moves", "lines", "bound"]
"""Why a player can still mate, or cannot, or why nobody knows: see ``Why`` of ``controller.mating``."""


class Result(Notable, frozen=True, tag="result"):
    """A final one has no ``id``: it awaits nobody. What is referred is what follows if mate is possible, which was
    neither shown nor refuted."""

    result: Score
    reason: Reason
    article: str
    status: Literal["final", "proposed", "referred"]
    mating: Mating | None = None  #: where it rests on whether the opponent can mate: what shows that
    line: list[str] = []  #: moves to a mate, as UCI, where one was found


class Stock(Event, frozen=True, tag="stock"):
    """What each player of this board of a match may drop, as FEN letters; whenever that has changed."""

    white: str
    black: str


class Match(Event, frozen=True, tag="match"):
    result: Literal["team-1", "team-2", "draw"]
    reason: Literal["board-a", "board-b", "both-boards", "simultaneous", "agreement", "fourfold", "arbiter"]


AnyEvent = (
    Clock
    | Touch
    | Brush
    | Adjusted
    | Obligation
    | Move
    | Retract
    | Completed
    | Illegal
    | Violation
    | Penalty
    | Claimed
    | Displaced
    | Restored
    | Stalled
    | Followed
    | Disbelieved
    | Interrupted
    | Ambiguous
    | Flag
    | Result
    | Stock
    | Match
)

NOTABLE: frozenset[type[Event]] = frozenset((Illegal, Violation, Penalty, Claimed, Displaced, Result))
"""The events that may await a person."""
