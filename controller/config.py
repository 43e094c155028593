"""The configuration: a TOML file to frozen Structs, checked whole before anything is opened.

Each device and each outlet says for itself what it can be told; here they are put together. A file with the tables
``[A]`` and ``[B]`` is that of a match à quatre on two boards; one with ``[[boards]]`` that of a hall, each board with a
game of its own. An option that nobody reads is an error that names the nearest one, for a slip of the pen must not
become a default in silence.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from controller import options
from controller.console.settings import ConsoleConfig
from controller.contract import BoardId, Senses, Session
from controller.errors import ConfigError
from controller.game_details import (
    AT_BROKER,
    EventConfig,
    GameConfig,
    GameDetails,
    HallEventConfig,
    Level,
    MatchConfig,
    MatchEventConfig,
    Rules,
)
from controller.journal.pages import beside
from controller.outlets.lamps import Mode
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.pgn import PgnConfig
from controller.outlets.settings import LichessConfig, MetricsConfig, Outlets
from hardware import wires
from hardware.boards import BoardConfig
from hardware.boards.simulated import SimulatedConfig
from hardware.clocks import ClockConfig, SimulatedLeverConfig
from hardware.lamps.ws2812 import StripConfig
from hardware.wires import Wire

LARGEST = 2**16  #: bytes of a file; with every option in it one has five thousand
SIMULATED = (SimulatedConfig, SimulatedLeverConfig)


Days = Annotated[int, Meta(ge=1, le=36_500, description="days, 1 to 36500")]


class JournalConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where all that happens is kept, and for how long."""

    path: str = "jadoube.sqlite"  #: keep it: it is the memory of every game
    keep_touches_days: Days = 30  #: after so long only the score of a game is kept: docs/journal.md
    keep_names_days: Days = 365  #: after so long nothing of a game is kept; files of [pgn] and [broadcast] stay


class StartConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a new game begins: the pieces stand ready, and then."""

    #: with a clock, the press that starts it; or "at-once", when the pieces have stood
    by: Literal["press", "at-once"] = "press"
    ready_s: Annotated[float, Meta(ge=0)] = 3.0  #: the pieces must stand so long before a game begins


class EndConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How players may say that a game is over."""

    #: both kings in the middle for five seconds, on a board that tells pieces apart: on d5 and e4 White
    #: has won, on d4 and e5 Black, else it is a draw; false: that means nothing
    kings: bool = True


class LampsConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lamps on the squares: those that a board brings along, and a strip."""

    mode: Mode = "tournament"  #: dark; or "training": what is owed, and where a piece must go back
    strip: StripConfig | None = None  #: 64 WS2812 lamps on MOSI of an SPI bus


class BoardPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One board of a match, or of a hall, with its clock."""

    number: Level  #: this board's number in the hall
    board: BoardConfig
    clock: ClockConfig | None = None  #: left out: a clock that the board knows, or presses by command
    lamps: LampsConfig = LampsConfig()

    @property
    def wires(self) -> Iterator[tuple[str, Wire, bool]]:
        """What its devices hang on, each with its table, and whether it is real."""
        clock = self.clock
        for table, device in (
            ("board", self.board),
            ("clock", clock),
            ("clock.lights", clock and clock.lights),
            ("clock.display", clock and clock.display),
            ("lamps.strip", self.lamps.strip),
        ):
            port = getattr(device, "port", "auto")
            ours = getattr(device, "wires", () if port == "auto" else (Wire(f"port {port}", "port"),))
            yield from ((table, wire, not isinstance(device, SIMULATED)) for wire in ours)


class Setup(Outlets, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a configuration has, of however many boards; each field is a table of the file."""

    event: Rules = Rules()  #: what was announced: where, and by which rules
    game: GameDetails  #: what the PGN says of the game; docs/chess960.md
    start: StartConfig = StartConfig()  #: when a new game begins
    end: EndConfig = EndConfig()  #: how players may say that a game is over
    mqtt: MqttConfig | None = None  #: left out: a broker of our own, for this machine only
    metrics: MetricsConfig | None = None  #: figures for Prometheus: docs/metrics.md; left out: none
    pgn: PgnConfig = PgnConfig()  #: where the games are written
    console: ConsoleConfig | None = None  #: the arbiter's page and the spectators'; left out: none. See docs/console.md
    journal: JournalConfig = JournalConfig()  #: where all that happens is kept, and for how long

    @property
    def pairings(self) -> Path | None:
        """The file in which to find who plays; that which comes from the broker is kept beside the journal."""
        said = self.event.pairings
        if said == AT_BROKER:
            return beside(Path(self.journal.path).expanduser(), "-round.csv")
        return None if said is None else Path(said).expanduser()

    @property
    def tables(self) -> "tuple[TableSetup, ...]":
        """What is played: each table with the one board of a game, or the two of a match."""
        raise NotImplementedError

    @property
    def named(self) -> dict[str, BoardPlace]:
        """All boards, by what a command calls them: the only one by nothing, A and B, or by their numbers."""
        raise NotImplementedError


class TableSetup(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of one table."""

    @property
    def tables(self) -> "tuple[TableSetup, ...]":
        return (self,)

    @property
    def named(self) -> dict[str, BoardPlace]:
        return {board_id or "": place for board_id, place in self.places.items()}

    @property
    def places(self) -> dict[BoardId | None, BoardPlace]:
        """The boards with their clocks; in a match by the names that they have in it."""
        raise NotImplementedError

    @property
    def senses(self) -> Senses:
        """What the boards can tell apart."""
        return next(iter(self.places.values())).board.senses

    @property
    def numbers(self) -> str:
        """The boards as the journal names them: ``7``, or of a match ``1+2``."""
        return "+".join(place.number for place in self.places.values())

    @property
    def hold_below(self) -> float:
        """Moves less certain than that are held back from the public; 0: none are."""
        return 0.0

    def session(self, game: GameDetails) -> Session:
        """The session line of ``game`` played under this configuration."""
        event = self.event
        return Session(
            version=1,
            laws=event.laws,
            play=event.play,
            supervised=event.supervised,
            fen=game.fens,
            senses=self.senses,
            clock=event.clock,
            match="bughouse" if isinstance(game, MatchConfig) else None,
            variant=game.variant if isinstance(game, GameConfig) else "standard",
            announced=event.announced,
            settings=event.settings,
        )


class Config(TableSetup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of one board."""

    event: EventConfig = EventConfig()
    game: GameConfig = GameConfig()
    board: BoardConfig
    #: how jadoube hears of the presses; left out: from the board where it has a clock, else by MQTT, on cmd
    clock: ClockConfig | None = None
    lamps: LampsConfig = LampsConfig()  #: on the squares, where there are some
    lichess: LichessConfig | None = None  #: push the game to a round of a broadcast

    def __post_init__(self) -> None:
        _broker_named(self)
        _numbered(self, f"board {self.event.board}", self.event.board)
        if self.game.start == "board" and self.senses != "identity":
            raise ValueError(f"game: start: this board sees {self.senses} and no kinds; name the number that was drawn")

    @property
    def places(self) -> dict[BoardId | None, BoardPlace]:
        return {None: BoardPlace(number=self.event.board, board=self.board, clock=self.clock, lamps=self.lamps)}

    @property
    def hold_below(self) -> float:
        return self.event.hold_below


class DoubleConfig(TableSetup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of a match à quatre on two boards."""

    event: MatchEventConfig = MatchEventConfig()
    game: MatchConfig = MatchConfig()
    A: BoardPlace
    B: BoardPlace

    def __post_init__(self) -> None:
        _broker_named(self)
        _numbered(self, f"match {self.event.match}", self.event.match)
        if self.A.number == self.B.number:
            raise ValueError(f"A and B: both boards have the number {self.A.number}")
        if self.A.board.senses != self.B.board.senses:
            raise ValueError(f"A and B: one board sees {self.A.board.senses}, the other {self.B.board.senses}")

    @property
    def places(self) -> dict[BoardId | None, BoardPlace]:
        return {"A": self.A, "B": self.B}


class HallConfig(Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of many boards, each with a game of its own, at one computer."""

    event: HallEventConfig = HallEventConfig()
    game: GameConfig = GameConfig()
    boards: tuple[BoardPlace, ...]

    def __post_init__(self) -> None:
        if not self.boards:
            raise ValueError("boards: there is none; write a table [[boards]] for each")
        _broker_named(self)
        for number, times in Counter(place.number for place in self.boards).items():
            if times > 1:
                raise ValueError(f"boards: {times} boards have the number {number}")
        for place in self.boards:
            if len(self.boards) > 1 and getattr(place.board, "port", None) == "auto":
                raise ValueError(f"boards: board {place.number}: each has to name its port, where there are several")
            try:
                self._table(place)
            except ValueError as error:
                raise ValueError(f"boards: board {place.number}: {error}") from error

    @property
    def tables(self) -> tuple[TableSetup, ...]:
        return tuple(map(self._table, self.boards))

    @property
    def named(self) -> dict[str, BoardPlace]:
        return {place.number: place for place in self.boards}

    def _table(self, place: BoardPlace) -> Config:
        """The configuration that ``place`` would have if it were the only board, with all that the boards share."""
        shared = {name: getattr(self, name) for name in Setup.__struct_fields__}
        event = EventConfig(board=place.number, **structs.asdict(self.event))
        return Config(**shared | {"event": event}, board=place.board, clock=place.clock, lamps=place.lamps)


def _broker_named(config: Setup) -> None:
    """Raises :exc:`ValueError` where something would be sought on a broker that nobody else reaches."""
    if config.homeassistant is not None and config.mqtt is None:
        raise ValueError("homeassistant: [mqtt] has to name the broker that Home Assistant uses")
    if config.event.pairings == AT_BROKER and config.mqtt is None:
        raise ValueError("event: pairings: [mqtt] has to name the broker at which the round in force is told")


def _numbered(config: Setup, what: str, number: str) -> None:
    """Raises :exc:`ValueError` where the files of a broadcast would have no number."""
    if config.broadcast is not None and not (number.isascii() and number.isdecimal()):
        raise ValueError(f"broadcast: {what} of [event] is no number, and its files are numbered")


def _here(boards: Any, source: str) -> Any:
    """The boards at this computer: those that do not say ``at`` which other one they are.

    Raises :exc:`ConfigError` where there is none, or one is said to be in two places.
    """
    if not isinstance(boards, list) or not all(isinstance(board, dict) for board in boards):
        return boards
    for board in boards:
        if "at" in board and (more := sorted(board.keys() - {"at", "number"})):
            raise ConfigError(
                f"{source}: boards: board {board.get('number')} is at {board['at']}, and has {', '.join(more)} here",
                "a slip of the pen, or a board that was moved to another computer",
                "leave out its line at, or all but number and at",
            )
    here = [board for board in boards if "at" not in board]
    if boards and not here:
        raise ConfigError(
            f"{source}: boards: none of them is at this computer",
            "each is at another one, which plays it",
            "jadoube hall check; there: jadoube hall join FILE",
        )
    return here


def _wired(config: Setup, source: str) -> None:
    """Raises :exc:`ConfigError` where two devices of one board hang on the same, or real ones of several."""
    among = "boards." if isinstance(config, HallConfig) else ""
    found = [
        (name, f"{among}{name}.{table}" if name else table, wire, real)
        for name, place in config.named.items()
        for table, wire, real in place.wires
    ]
    try:
        for name in config.named:
            wires.refuse_shared((table, wire) for at, table, wire, _ in found if at == name)
        wires.refuse_shared((table, wire) for _, table, wire, real in found if real)
    except ConfigError as error:
        raise ConfigError(f"{source}: {error.what}", error.cause, error.next_step) from error


NOT_PUSHED = {
    DoubleConfig: (
        "a match à quatre",
        "its broadcasts are of games, and no drop can be told in these",
        "take [lichess] out; [broadcast] tells the match as BPGN, in files and by URL",
    ),
    HallConfig: (
        "a hall",
        "a push is of the game of one board",
        "take [lichess] out; of [broadcast] with a port Lichess fetches the games of all boards by URL",
    ),
}
"""What cannot be pushed to Lichess, why, and what to do instead."""


def load(path: Path) -> Setup:
    """Reads a configuration file.

    Raises :exc:`ConfigError` naming the file and the option: what is wrong, what was expected, the nearest known name.
    """
    return check(read(path), str(path))


def read(path: Path) -> dict[str, Any]:
    """What is in a configuration file, whatever it says. Raises :exc:`ConfigError` where it is no TOML."""
    return options.toml(path, LARGEST, "jadoube setup writes one")


def check(raw: Mapping[str, Any], source: str) -> Setup:
    """The configuration in ``raw``, which came from ``source``. Raises :exc:`ConfigError` as :func:`load` does."""
    kind = HallConfig if "boards" in raw else DoubleConfig if "A" in raw or "B" in raw else Config
    raw = raw if kind is not HallConfig else {**raw, "boards": _here(raw["boards"], source)}
    if kind is not Config and "lichess" in raw:
        raise ConfigError(f"{source}: {NOT_PUSHED[kind][0]} cannot be pushed to Lichess", *NOT_PUSHED[kind][1:])
    config = options.converted(raw, kind, source)
    _wired(config, source)
    return config
