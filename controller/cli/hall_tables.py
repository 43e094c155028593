"""Boards with a computer of their own: what each of them has to be told, as one line that is carried there.

The line is the answers to the questions of ``jadoube setup``, with the board's password and the broker's authority:
JSON, compressed, in letters that a terminal takes. It stands in a file for a stick, and in a QR code.
"""

import base64
import binascii
import tomllib
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.cli.bench.fill import Value, fill
from controller.cli.bench.kinds import configurations, examples
from controller.cli.bench.setup import SYSTEM, kept
from controller.cli.hall_keep import SECRET, Keeper
from controller.config import check
from controller.errors import ConfigError

LARGEST = 2**14  #: bytes of what a line holds; one has a thousand
PASSWORD, AUTHORITY = "mqtt-password", "ca.crt"
SHARED = (  # what a board at a table has in common with the hall
    "event.venue",
    "event.clock",
    "event.play",
    "event.delay_min",
    "game.event",
    "console.host",
    "mqtt.host",
    "mqtt.port",
    "mqtt.tls",
    "mqtt.commands",
)


Answers = Mapping[str, str | int | float | bool]


class Told(Struct, frozen=True):
    """What a board at a table is told."""

    kind: str  #: of board, as ``jadoube boards`` has them
    answers: Answers
    password: str
    authority: str  #: the certificate of the one who vouches for the broker


def line(told: Told) -> str:
    """As one line of text."""
    return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(told), 9)).decode()


def read(text: str) -> Told:
    """The reverse. Raises :exc:`ConfigError` for what is no such line."""
    try:
        opened = zlib.decompressobj()
        raw = opened.decompress(base64.b64decode(text.strip(), b"-_", validate=True), LARGEST)
        if not opened.eof:
            raise ValueError("it is cut off, or too long")
        told = msgspec.json.decode(raw, type=Told)
        if told.kind not in configurations():
            raise ValueError(f"no board is called {told.kind}")
    except (binascii.Error, zlib.error, msgspec.DecodeError, ValueError) as error:
        cause = "a letter is missing, or it is another file"
        raise ConfigError(
            f"this is no line of jadoube hall init: {error}", cause, "copy the whole line anew"
        ) from error
    return told


def shared(kind: str, config: Mapping[str, object]) -> Answers:
    """What a board of that kind has in common with the hall, whose options are given by ``table.option``.

    Raises :exc:`ConfigError` where such a board cannot be told it.
    """
    found: Answers = {name: value for name in SHARED if isinstance(value := config.get(name), str | int | float | bool)}
    _filled(Told(kind, found, "", ""), SYSTEM)
    return found


def carry(keeper: Keeper, numbers: Iterable[str], kind: str, answers: Answers) -> None:
    """Writes for each board the file that is carried to it, and the same as a picture."""
    import segno

    authority = (keeper.folder / "broker/tls/ca.crt").read_text()
    for number in numbers:
        user = f"board-{number}"
        password = (keeper.folder / "broker/secrets" / user).read_text().strip()
        text = line(Told(kind, {**answers, "event.board": number, "mqtt.user": user}, password, authority))
        keeper.keep(f"tables/{user}", f"{text}\n", SECRET)
        keeper.keep(f"tables/{user}.svg", segno.make(text, micro=False, error="l").svg_inline(scale=4), SECRET)


def kind_carried(folder: Path) -> str | None:
    """The kind of the boards that have a computer of their own; None where there are none yet."""
    found = next((path for path in sorted(folder.glob("tables/board-*")) if not path.suffix), None)
    return None if found is None else read(found.read_text("ascii", "replace")).kind


def join(given: str, folder: Path) -> int:
    """Writes the configuration of this table's board, with its password, into ``folder``; 0, or 1 where somebody has
    edited what stands there. ``given``: the line, or the file that has it.

    Raises :exc:`ConfigError` where that is neither, and :exc:`DeviceError` where nothing can be written.
    """
    path = Path(given)
    told = read(path.read_text("ascii", "replace") if len(given) < 256 and path.is_file() else given)
    folder = folder.absolute()
    config, service = folder / "jadoube.toml", folder.is_relative_to(SYSTEM)
    text = _filled(told, folder)
    found = check(tomllib.loads(text), str(config))
    if service:
        (place,) = found.named.values()
        text = fill(text, kept(found, place.board, config))
    keeper = Keeper(folder)
    keeper.keep("jadoube.toml", text)
    keeper.keep(PASSWORD, f"{told.password}\n", SECRET)
    keeper.keep(AUTHORITY, told.authority)
    for said in keeper.told():
        print(said)
    run = "sudo systemctl enable --now jadoube" if service else f"jadoube run --config {config}"
    print(f"Next: jadoube doctor --config {config}, then {run}")
    return 1 if keeper.left else 0


def _filled(told: Told, folder: Path) -> str:
    """The configuration of that board."""
    answers: dict[str, Value] = {
        **told.answers,
        "mqtt.password_file": PASSWORD if folder.is_relative_to(SYSTEM) else str(folder / PASSWORD),
        "mqtt.ca_file": str(folder / AUTHORITY),
        "event.pairings": str(folder / "pairings.csv"),
    }
    try:
        return fill((examples() / f"{told.kind}.toml").read_text("utf-8"), answers)
    except KeyError as error:
        what = f"a board of the kind {told.kind} has no option {error}"
        cause = "it is not for a hall, or the hall was written by another version of jadoube"
        raise ConfigError(what, cause, "jadoube boards; jadoube --version") from error
