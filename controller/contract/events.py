"""What comes out of a game. Nothing of it is a ruling: only an arbiter's input rules."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract.values import BoardId, Score, Side

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
    article: str | None = None  #: of a clock that was replaced, or a counter that was corrected
    white_moves: int | None = None  #: what its counter of moves was set to
    black_moves: int | None = None
    replaced: bool = False
    white_reckoned_ms: int | None = None  #: what was reckoned, where the clock itself was read and shows something else
    black_reckoned_ms: int | None = None


class Touch(Event, frozen=True, tag="touch"):
    side: Side
    square: str
    piece: str
    since_ms: int | None = None  #: when it was touched, where that was before it is told

    @property
    def began_ms(self) -> int:
        """When it was touched: what order and simultaneity go by."""
        return self.ms if self.since_ms is None else self.since_ms


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
    squares: list[str] = []  #: the pieces touched, in order; or where pieces were moved about
    touched_ms: list[int] = []  #: when each of them was touched
    owed: list[str] = []  #: the moves that would have met what was owed
    basis: Basis | None = None
    confidence: Confidence | None = None  #: of what was inferred
    text: str = ""  #: of what was reported: what the arbiter said to it, in his own words
    witnesses: list[str] = []  #: who saw it, by what he said


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
        "lateness",
        "needless-pause",
        "disturbance",
        "notes",
        "phone",
        "conduct",
        "refusal",
        "other",
    ]
    article: str
    report: Report


class Arrival(Event, frozen=True, tag="arrival"):
    """What an arbiter said of who is there (6.6 / 6.7)."""

    side: Side
    came: bool
    article: str
    default_time_ms: int | None = None  #: how late he may come; None where the event must say and has not
    text: str = ""
    witnesses: list[str] = []


class Penalty(Notable, frozen=True, tag="penalty"):
    side: Side
    kind: Literal["time", "cut", "loss", "draw", "discretion"]
    status: Literal["proposed", "applied"]
    article: str
    time_ms: int | None = None
    text: str = ""  #: what an arbiter who ruled or reported said to it, in his own words
    witnesses: list[str] = []  #: who saw it, by what he said


class Warned(Event, frozen=True, tag="warning"):
    """An arbiter has warned a player (13.4, from 2014 12.9)."""

    side: Side
    article: str
    count: int  #: the warnings of this player so far, this one among them; taken back, those that are left
    withdrawn: bool = False  #: it was given by mistake
    text: str = ""
    witnesses: list[str] = []


class Claimed(Notable, frozen=True, tag="claim"):
    side: Side
    of: str
    verdict: Literal["upheld", "rejected", "lapsed", "inadmissible", "referred", "postponed"]
    article: str
    increment: bool = False  #: of ``quickplay``: five seconds a move were asked for, not a draw
    #: What the record shows, where it shows something:
    since_ms: int | None = None  #: when the first touch was, the move or its press, or the fall of the flag
    uci: str | None = None  #: the opponent's move that is complained of
    squares: list[str] = []  #: what he had touched, in order
    touched_ms: list[int] = []  #: when he touched each of them
    plies: list[int] = []  #: after which moves the position has stood; 0: at the start
    quiet_plies: int | None = None  #: how many moves there have been since the last capture or pawn's move
    text: str = ""  #: what an arbiter who ruled or reported said to it, in his own words
    witnesses: list[str] = []  #: who saw it, by what he said


Beginning = Literal["wrong-array", "turned-board", "colours-reversed"]
"""How a game can begin wrongly (7.1-7.2, from 2014 7.2-7.3)."""


class Displaced(Notable, frozen=True, tag="displaced"):
    squares: list[str]
    article: str | None = None  #: how the board is put right; of a wrong beginning, what follows of it
    beginning: Beginning | None = None  #: where the game began so
    #: What the edition then prescribes: a new game if upheld; or that the position goes to a board that stands rightly.
    remedy: Literal["new-game", "transfer", "play-on"] | None = None
    fen: str | None = None  #: the position from which the game goes on, where no move led to it
    #: Where a ruling returns the game to an earlier position: what is proposed to set the clocks to.
    white_ms: int | None = None
    black_ms: int | None = None
    resumes: bool = False  #: play was to be resumed and is not: these have to be put back first, or the arbiter insists

    @property
    def shows(self) -> bool:
        """Whether it says how the pieces stand: that the game began wrongly a person may have said."""
        return bool(self.squares) or self.beginning is None


class Restored(Event, frozen=True, tag="restored"):
    """The board matches the game again."""

    #: the position, where pieces exchanged at the beginning were put right, where a ruling lets stand what stands, or
    #: where play goes on from an illegal move that is too unlikely to be told
    fen: str | None = None
    #: Where a ruling returns the game to what the board shows already: what is proposed to set the clocks to.
    white_ms: int | None = None
    black_ms: int | None = None


class Stalled(Event, frozen=True, tag="stalled"):
    """The board has left the game, and pieces go on where it cannot follow: the score stands until ``followed``."""

    after_ply: int  #: the last move of the score; 0: it has none
    since_ms: int  #: when the first of the pieces was set down where the game has none
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
    "forfeit",
]


Mating = Literal["helpmate", "material", "walls", "moves", "lines", "bound"]
"""Why a player can still mate, or cannot, or why nobody knows: see ``Why`` of ``controller.mating``."""


class Result(Notable, frozen=True, tag="result"):
    """The result of a game. A final one has no ``id``, for it awaits nobody. A referred one follows if mate is
    possible: whether it is, was neither shown nor refuted."""

    result: Score
    reason: Reason
    article: str
    status: Literal["final", "proposed", "referred"]
    mating: Mating | None = None  #: where it rests on whether the opponent can mate: what shows that
    line: list[str] = []  #: moves to a mate, as UCI, where one was found
    text: str = ""  #: what the arbiter said to it, in his own words
    witnesses: list[str] = []  #: who saw it, by what he said


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
    | Arrival
    | Penalty
    | Warned
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
