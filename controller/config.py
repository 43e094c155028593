"""The configuration: a TOML file to frozen Structs, checked whole before anything is opened.

Each device and each outlet says for itself what it can be told; here they are put together. An option that nobody
reads is an error that names the nearest one, for a slip of the pen must not become a default in silence.
"""

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import chess
import chess.pgn
import msgspec
from msgspec import Meta, Struct

from controller.contract import Edition, Play, Session, Settings
from controller.errors import ConfigError, LogError
from controller.laws.timecontrol import parse
from controller.outlets.mqtt import MqttConfig
from controller.outlets.pgn import PgnConfig
from hardware.boards import BoardConfig
from hardware.boards.matrix import MatrixConfig
from hardware.clocks import ClockConfig

Level = Annotated[str, Meta(pattern="^[^/+#\\s]+$", description="a name without spaces and without / + #")]


class EventConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was announced for the event: where, and by which rules."""

    venue: Level = "club"  #: a level of the MQTT topics
    board: Level = "1"  #: this board's number in the hall
    laws: Edition = "fide-2023"
    play: Play = "standard"
    supervised: bool = True
    clock: str | None = None  #: a PGN TimeControl value, ``5400+30``; left out: no clock
    announced: tuple[str, ...] = ()
    settings: Settings = Settings()  #: thresholds in ms

    def __post_init__(self) -> None:
        if self.clock is not None:
            try:
                parse(self.clock)
            except LogError as error:
                raise ValueError(f"clock: {error.what}") from error


class GameConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays, and from where. Everything but ``fen`` goes into the PGN."""

    white: str | None = None
    black: str | None = None
    event: str | None = None
    site: str | None = None
    round: str | None = None
    fen: str = "startpos"
    tags: dict[str, str] = {}  #: more PGN tags, such as WhiteFideId

    def __post_init__(self) -> None:
        tags = self.all_tags()
        chess.pgn.Headers(tags)  # raises ValueError for a tag name that PGN cannot hold
        for tag, value in tags.items():
            if not value.isprintable():
                raise ValueError(f"{tag}: a line break in {value!r}")
        if self.fen != "startpos":
            try:
                chess.Board(self.fen)
            except ValueError as error:
                raise ValueError(f"fen: {error}; expected a FEN, or startpos") from error

    def all_tags(self) -> dict[str, str]:
        """The PGN tags, those not given left out."""
        named = {"White": self.white, "Black": self.black, "Event": self.event, "Site": self.site, "Round": self.round}
        return {tag: value for tag, value in named.items() if value is not None} | self.tags


class JournalConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where all that happens is kept."""

    path: str = "jadoube.sqlite"


class StartConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a new game begins: the men stand ready, and then."""

    by: Literal["press", "at-once"] = "press"
    """With a clock, ``press``: the player without the move starts the other one. Else, and ``at-once``: by itself."""
    ready_s: Annotated[float, Meta(ge=0)] = 3.0  #: so long must they stand untouched


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole configuration; each field is a table of the file."""

    event: EventConfig = EventConfig()
    game: GameConfig = GameConfig()
    board: BoardConfig
    clock: ClockConfig | None = None  #: left out: a clock that the board knows, or presses by command
    start: StartConfig = StartConfig()
    mqtt: MqttConfig | None = None  #: left out: a broker of our own, on loopback
    pgn: PgnConfig = PgnConfig()
    journal: JournalConfig = JournalConfig()

    def __post_init__(self) -> None:
        if self.clock is not None and isinstance(self.board, MatrixConfig):
            for pin in self.clock.pins & {*self.board.rows, *self.board.columns}:
                raise ValueError(f"clock: pin {pin} is a row or a column of the board already")

    def session(self, game: GameConfig) -> Session:
        """The session line of a game played under this configuration."""
        event = self.event
        return Session(
            version=1,
            laws=event.laws,
            play=event.play,
            supervised=event.supervised,
            fen=game.fen,
            senses=self.board.senses,
            clock=event.clock,
            announced=event.announced,
            settings=event.settings,
        )


def load(path: Path) -> Config:
    """Reads a configuration file.

    Raises :exc:`ConfigError` naming the file and the option: what is wrong, what was expected, the nearest known name.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}", "another folder or name", "ls config/") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: this is not TOML: {error}", "a missing quote or bracket on that line") from error
    return check(raw, str(path))


def check(raw: Mapping[str, Any], source: str) -> Config:
    """The configuration in ``raw``, which came from ``source``. Raises :exc:`ConfigError` as :func:`load` does."""
    for option, known in _unread(raw, msgspec.inspect.type_info(Config)):
        near = difflib.get_close_matches(option.rpartition(".")[2], known, n=1, cutoff=0.5)
        raise ConfigError(
            f"{source}: nobody reads the option {option}",
            f"a slip of the pen: did you mean {near[0]}?"
            if near
            else "an option of another version, or of another table",
            f"known here: {', '.join(known)}",
        )
    try:
        return msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$.")
        raise ConfigError(
            f"{source}: {where.rstrip('`') or 'the file'}: {said}", "a wrong value, or one left out"
        ) from error


def _unread(raw: Mapping[str, Any], kind: msgspec.inspect.Type, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Each option that no field of ``kind`` reads, with the names that would be read there."""
    table = _struct(raw, kind)
    if table is None:
        return
    fields = {field.encode_name: field.type for field in table.fields}
    known = sorted({*fields, *([table.tag_field] if table.tag_field else [])})
    for name, value in raw.items():
        if name not in known:
            yield path + name, known
        elif isinstance(value, dict) and name in fields:
            yield from _unread(value, fields[name], f"{path}{name}.")


def _struct(raw: Mapping[str, Any], kind: msgspec.inspect.Type) -> msgspec.inspect.StructType | None:
    """The Struct that ``raw`` would become: of several, the one its tag names."""
    options = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
    structs = [option for option in options if isinstance(option, msgspec.inspect.StructType)]
    for struct in structs:
        if len(structs) == 1 or raw.get(struct.tag_field or "") == struct.tag:
            return struct
    return None
