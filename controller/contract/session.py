"""The first line of a log: what is played, by which Laws, on what kind of board."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.contract.values import Edition, Ms, Play, Senses, Variant


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Thresholds of the event, in milliseconds; to be announced beforehand."""

    brush_ms: Ms = 120  #: lifted and back sooner than this is a brush, not a touch
    release_ms: Ms = 400  #: a piece standing this long is released
    simultaneous_ms: Ms = 150  #: two touches closer than this count as simultaneous
    debounce_ms: Ms = 15  #: a raw reading must hold this long
    adjust_ms: Ms = 10_000  #: an announcement covers pieces lifted within this time
    apply_penalties: bool = False  #: an unattended event applies the fixed penalties by itself
    #: as ``1800000``: a player who has touched nothing by then is taken to be absent (6.6 / 6.7); left out: nobody
    #: watches for it
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
