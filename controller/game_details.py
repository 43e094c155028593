"""What is played: the rules announced for an event, and who plays a game or a match, from where. Tables of a
configuration, and what a command may say of the next game.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

import chess
import chess.pgn
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.bughouse import BughouseBoard
from controller.chess960 import number_of, set_up, start_fen
from controller.contract import BoardFens, BoardId, Edition, Play, Settings, Variant
from controller.errors import LogError
from controller.laws.timecontrol import parse

Delay = Annotated[float, Meta(ge=0, le=60)] | Literal["game-end"]
"""Minutes by which moves and clocks reach the public later than they happen; or not before the game has ended."""

Level = Annotated[str, Meta(pattern="^[^/+#\\s]+$", description="a name without spaces and without / + #")]


FOLLOW = {"FEN", "SetUp", "Variant", "Result", "Termination"}
"""Tags of a PGN that follow from what is played."""

AT_BROKER = "broker"  #: the pairings are those that the organiser's computer tells there


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was announced for the event: where, and by which rules."""

    venue: Level = "club"  #: where: a part of the MQTT topics, without spaces
    laws: Edition = "fide-2023"
    play: Play = "standard"
    supervised: bool = True  #: an arbiter watches this board
    clock: str | None = None  #: as ``"5400+30"``: seconds + increment, "180d3" for a delay; left out: no clock
    #: as ``["quickplay"]``: what the Laws leave to the event and was announced: the quickplay finish
    announced: tuple[Literal["quickplay"], ...] = ()
    settings: Settings = Settings()  #: thresholds in ms; to be announced before the event
    #: as ``15``: minutes by which the public is late, 0 to 60; or "game-end". The arbiter sees everything at once
    delay_min: Delay = 0
    #: as ``"round-3.csv"``: a CSV or PGN of who plays; "broker": as the organiser tells it there: docs/feeds.md
    pairings: str | None = None

    def __post_init__(self) -> None:
        if self.clock is not None:
            try:
                parse(self.clock)
            except LogError as error:
                raise ValueError(f"clock: {error.what}; {error.next_step}") from error


class HallEventConfig(Rules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same of games on many boards."""

    #: the public is told of a move that is less certain once it is settled; 0: at once
    hold_below: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0.8


class EventConfig(HallEventConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same of a game on one board."""

    board: Level = "1"  #: this board's number in the hall


class MatchEventConfig(Rules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same of a match: blitz of three minutes, unless said otherwise."""

    match: Level = "1"  #: this match's number in the hall
    play: Play = "blitz"
    supervised: bool = False  #: an arbiter watches this match
    clock: str = "180"  #: seconds for each player, on both boards


class GameDetails(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a game or a match is called; it goes into the PGN."""

    event: str | None = None  #: as ``"Club championship"``
    site: str | None = None  #: as ``"Here"``
    round: str | None = None  #: as ``"1"``
    tags: dict[str, str] = {}  #: as ``{ WhiteFideId = "1503014" }``: more tags of the PGN

    def __post_init__(self) -> None:
        for tag in sorted(FOLLOW & self.tags.keys()):
            raise ValueError(f"{tag}: no tag to be given: fen and variant say how a game begins, play how it ends")
        tags = self.all_tags()
        chess.pgn.Headers(tags)  # raises ValueError for a tag name that PGN cannot hold
        for tag, value in tags.items():
            if not value.isprintable():
                raise ValueError(f"{tag}: a line break in {value!r}")
        self.starts()

    @property
    def players(self) -> dict[str, str | None]:
        """Who plays, by the tags."""
        raise NotImplementedError

    @property
    def fens(self) -> str | BoardFens:
        """From where, as a session says it."""
        raise NotImplementedError

    def starts(self) -> dict[BoardId | None, chess.Board]:
        """The position in which each board begins. Raises :exc:`ValueError` for a FEN that means nothing."""
        raise NotImplementedError

    def all_tags(self) -> dict[str, str]:
        """The PGN tags, those not given left out."""
        named = self.players | {"Event": self.event, "Site": self.site, "Round": self.round}
        return {tag: value for tag, value in named.items() if value is not None} | self.tags


class GameConfig(GameDetails, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays a game, and from where."""

    white: str | None = None  #: as ``"Polgar, Judit"``
    black: str | None = None  #: as ``"Carlsen, Magnus"``
    variant: Variant = "standard"  #: as ``"chess960"``; left out: ordinary chess
    fen: str = "startpos"  #: or the position from which the game begins
    #: as ``518``: of chess960 the number that was drawn; "board": as it stands, where kinds are seen
    start: int | Literal["board"] | None = None

    def __post_init__(self) -> None:
        self.starts()
        super().__post_init__()

    @property
    def players(self) -> dict[str, str | None]:
        return {"White": self.white, "Black": self.black}

    @property
    def fens(self) -> str:
        return start_fen(self.start) if isinstance(self.start, int) else self.fen

    def starts(self) -> dict[BoardId | None, chess.Board]:
        if self.start is not None and self.variant != "chess960":
            raise ValueError(f'start: {self.start} is of chess960; add variant = "chess960"')
        if self.start is not None and self.fen != "startpos":
            raise ValueError("start: fen says already how the game begins; leave one of them out")
        if isinstance(self.start, int):
            try:
                start_fen(self.start)
            except ValueError as error:
                raise ValueError(f"start: {error}") from error
        return {None: _start(partial(set_up, variant=self.variant), self.fens, "fen")}

    def all_tags(self) -> dict[str, str]:
        of_variant = {"Variant": "Chess960"} if self.variant == "chess960" else {}
        if of_variant and self.start != "board":
            of_variant["FEN"] = set_up(self.fens, self.variant).fen()
        return super().all_tags() | of_variant

    def drawn(self, start: chess.Board) -> "GameConfig":
        """The same game, its start position that which was read from the board if it is to be."""
        return replace(self, start=number_of(start.fen())) if self.start == "board" else self


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays on one board of a match, and from where."""

    white: str | None = None  #: as ``"…"``
    black: str | None = None  #: as ``"…"``
    fen: str = "startpos"


class MatchConfig(GameDetails, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays a match, and from where. White on A and Black on B are a team."""

    A: Pair = Pair()
    B: Pair = Pair()

    @property
    def players(self) -> dict[str, str | None]:
        return {"WhiteA": self.A.white, "BlackA": self.A.black, "WhiteB": self.B.white, "BlackB": self.B.black}

    @property
    def fens(self) -> BoardFens:
        return BoardFens(A=self.A.fen, B=self.B.fen)

    def starts(self) -> dict[BoardId | None, chess.Board]:
        return {"A": _start(_of_a_match, self.A.fen, "A.fen"), "B": _start(_of_a_match, self.B.fen, "B.fen")}


def _of_a_match(fen: str) -> chess.Board:
    return BughouseBoard() if fen == "startpos" else BughouseBoard(fen)


def _start(kind: Callable[[str], chess.Board], fen: str, field: str) -> chess.Board:
    try:
        board = kind(fen)
    except ValueError as error:
        raise ValueError(f"{field}: {error}; expected a FEN, or startpos") from error
    kings = [len(board.pieces(chess.KING, colour)) for colour in chess.COLORS]
    if kings != [1, 1]:  # no game of chess begins so, and it would be waited for
        white, black = kings
        raise ValueError(
            f"{field}: White has {white} kings and Black {black}; expected a FEN with one each, or startpos"
        )
    return board
