"""The files of a hall: what ``hall.toml`` says of it, and its rounds, which stand in a folder beside that.

``rounds/4.csv`` is the pairing of round 4, ``rounds/4.trf`` the report that it came from, if it did; the file that
``[event] pairings`` names is the round in force, which the boards follow. ``rounds/results.jsonl`` has the results
given by hand. They have a file of their own, for the journal is the daemon's, who alone writes it, and knows nothing of
a table without a game. A line is added for each, and none is ever changed.
"""

import fcntl
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from controller import files
from controller.errors import ConfigError, DeviceError
from controller.game_details import AT_BROKER, Rules
from controller.outlets.mqtt.connection import MqttConfig
from controller.outlets.writing import write_atomically
from controller.pairing import decode
from controller.tournament.reading import as_csv, read_round, rounds_in
from controller.tournament.results import Given, read_given, told_since, write_given
from controller.tournament.trf import Trf
from controller.tournament.values import Player, Round, completed, order

LARGEST = 2**22  #: bytes of a file of an organiser; a TRF of 1,000 players and 15 rounds has 240,000
CURRENT = "rounds/current.csv"  #: unless ``[event] pairings`` says otherwise


class Board(Struct, frozen=True):
    """Of ``[[boards]]`` no more than the rounds need."""

    number: str
    at: str | None = None  #: the computer that plays it, where that is not this one


class HallEvent(Struct, frozen=True):
    board: str = "1"
    venue: str = Rules().venue
    clock: str | None = None
    pairings: str | None = None


class GameTags(Struct, frozen=True):
    event: str = ""
    site: str = ""


class Kept(Struct, frozen=True):
    path: str = "jadoube.sqlite"


class Configured(Struct, frozen=True):
    """As much of a configuration as the rounds need; of a single board as well."""

    boards: list[Board] = []
    A: Board | None = None  #: those of a match à quatre
    B: Board | None = None
    event: HallEvent = HallEvent()
    game: GameTags = GameTags()
    journal: Kept = Kept()
    mqtt: MqttConfig | None = None


class Hall:
    """A hall as ``config`` tells it. Raises :exc:`ConfigError` where that cannot be read."""

    def __init__(self, config: Path) -> None:
        read = _configured(config)
        folder = config.resolve().parent
        self.config = config
        boards = read.boards or [board for board in (read.A, read.B) if board is not None]
        self.tables = [board.number for board in boards] or [read.event.board]
        self.elsewhere = [board.number for board in read.boards if board.at is not None]  #: at other computers
        self.venue, self.clock, self.mqtt = read.event.venue, read.event.clock, read.mqtt
        self.event, self.site = read.game.event, read.game.site
        self.journal = folder / Path(read.journal.path).expanduser()
        self.followed = read.event.pairings is not None  #: whether the boards look at the round in force
        self._current = folder / Path(read.event.pairings or CURRENT).expanduser()
        self._told = read.event.pairings == AT_BROKER
        self._folder = folder / "rounds"
        self._given = self._folder / "results.jsonl"

    @property
    def current(self) -> Path:
        """The round in force. Raises :exc:`ConfigError` on a computer that is told it from elsewhere."""
        if self._told:
            raise ConfigError(
                f"{self.config}: the rounds of these boards are told at the broker, from another computer",
                "this is not the computer on which jadoube hall init has written the hall",
                "call it there, in the folder of the hall",
            )
        return self._current

    def in_force(self) -> Round | None:
        """The round in force; None where there is none yet. Raises :exc:`ConfigError` where it makes no sense."""
        text = _text(self.current)
        if text is None:
            return None
        found = rounds_in(text, self.current.name)
        return read_round(text, self.current.name, found[-1]) if found else None

    def wanted(self, number: int | None) -> Round:
        """The round of that number, or the one in force. Raises :exc:`ConfigError` where there is no such."""
        if number is None and (current := self.in_force()) is not None:
            number = current.number
        found = None if number is None else self.round(number)
        if found is None:
            there = ", ".join(map(str, self.numbers())) or "none"
            raise ConfigError(
                f"{self._folder}: there is no round{'' if number is None else f' {number}'}; the rounds there: {there}",
                "it is not paired yet, or --config names another hall",
                "jadoube hall round NUMBER FILE",
            )
        return found

    def numbers(self) -> list[int]:
        """The rounds that are there."""
        return sorted(int(path.stem) for path in self._folder.glob("*.csv") if path.stem.isdecimal())

    def round(self, number: int) -> Round | None:
        """A round as it is paired; None where it is not yet."""
        path = self.file_of(number)
        text = _text(path)
        return None if text is None else read_round(text, path.name, number)

    def rounds(self, last: int) -> list[Round]:
        """All rounds up to that one: as they were paired here, and what the pairing program's last report adds."""
        report = self.report(max(self.numbers(), default=0))
        told = {} if report is None else {number: report[1].round(number) for number in report[1].rounds()}
        known = [] if report is None else list(report[1].players.values())
        found = (self.round(number) for number in self.numbers())
        ours = {each.number: completed(each, known) for each in found if each is not None}
        both = told | {each: told_since(paired, told.get(each, paired)) for each, paired in ours.items()}
        return [both[number] for number in sorted(both) if number <= last]

    def report(self, number: int) -> tuple[int, Trf] | None:
        """The latest TRF that a round up to that one came from, with the number of the round."""
        for each in range(number, 0, -1):
            path = self._folder / f"{each}.trf"
            if (text := _text(path)) is not None:
                return each, Trf(text, path.name)
        return None

    def players(self) -> list[Player]:
        """All players whom the rounds name, then those of the latest TRF that a round came from; many stand in both."""
        numbers = self.numbers()
        found = [player for each in self.rounds(max(numbers, default=0)) for player in each.players]
        report = self.report(max(numbers, default=0))
        return found if report is None else [*found, *report[1].players.values()]

    def file_of(self, number: int) -> Path:
        """Where the round of that number is kept as it is paired."""
        return self._folder / f"{number}.csv"

    def is_so(self, given: Round, report: str | None) -> bool:
        """Whether the round stands there, and in force, just so."""
        text, stem = as_csv(given), self._folder / str(given.number)
        from_it = report is None or _text(stem.with_suffix(".trf")) == report
        return from_it and _text(self.current) == text == _text(stem.with_suffix(".csv"))

    def put_in_force(self, given: Round, report: str | None) -> None:
        """Writes the round, with the TRF that it came from; the boards follow it from then on. Each file is whole at
        every moment, the one in force the last. Raises :exc:`DeviceError` where one cannot be written.
        """
        text = as_csv(given)
        with self.alone():
            if report is not None:
                write(self._folder / f"{given.number}.trf", report)
            write(self.file_of(given.number), text)
            write(self.current, text)

    def that_told(self) -> list[str]:
        """The boards that have told something from another computer."""
        return sorted((path.stem for path in self._told_by("").parent.glob("*.json")), key=order)

    def told_by_board(self, number: str) -> str | None:
        """What a board at another computer has told; None: nothing yet."""
        return _text(self._told_by(number), None)

    def keep_told(self, number: str, text: str) -> None:
        """Keeps it. Raises :exc:`DeviceError` where it cannot be written."""
        write(self._told_by(number), text)

    def _told_by(self, number: str) -> Path:
        return self._folder / f"elsewhere/{number}.json"

    def given(self) -> list[Given]:
        """The results given by hand, in the order in which they were."""
        return read_given(_text(self._given) or "", self._given.name)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One changes the rounds at a time. Raises :exc:`DeviceError` where their folder takes nothing."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / ".lock").open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise unwritable(self._folder, error) from error

    def give(self, result: Given) -> None:
        """Adds a result to those given by hand. Raises :exc:`DeviceError` where it cannot be written."""
        write(self._given, (_text(self._given) or "") + write_given(result))


def read_text(path: Path) -> str:
    """A file of an organiser. Raises :exc:`ConfigError` where it cannot be read."""
    text = _text(path)
    if text is None:
        raise ConfigError(f"there is no file {path}", "another folder or name", f"ls {path.parent}")
    return text


def write(path: Path, text: str) -> None:
    """Whoever reads the file sees the old text or the new one. Raises :exc:`DeviceError` where that is impossible."""
    try:
        write_atomically(path, text)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> DeviceError:
    """What to say where a file or a folder takes nothing."""
    cause = "a full disk, a folder of another user, or no folder at all"
    return DeviceError(
        f"{path} cannot be written: {error.strerror}", cause, f"ls -ld {path.parent}; df -h {path.parent}"
    )


def _text(path: Path, largest: int | None = LARGEST) -> str | None:
    """What is in the file; None where there is none. ``largest``: bytes; None: it is ours, of whatever size.

    Raises :exc:`ConfigError` where it cannot be read.
    """
    try:
        return decode(path.read_bytes() if largest is None else files.read(path, largest))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}", "a file of another user, or no file", f"ls -l {path}"
        ) from error


def _configured(config: Path) -> Configured:
    try:
        return msgspec.convert(tomllib.loads(read_text(config)), Configured)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            f"{config}: {error}", "a slip of the pen, or another kind of file", f"nano {config}"
        ) from error
