"""The other computers of a hall: what each of them has to be told, as one line that is carried there.

The line is the answers to the questions of ``jadoube setup``, with the computer's password and the broker's authority:
JSON, compressed, in letters that a terminal takes. It stands in a file for a stick, and in a QR code. What becomes of
it there is :mod:`.join`.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.cli.hall.keep import SECRET, FileKeeper
from controller.cli.hall.places import of_many
from controller.cli.hardware.fill import OptionValue, fill
from controller.cli.hardware.kinds import MANY, configurations, example
from controller.cli.hardware.setup import SYSTEM
from controller.errors import ConfigError
from controller.game_details import AT_BROKER

LARGEST = 2**14  #: bytes of what a line holds; one has a thousand
PASSWORD, AUTHORITY = "mqtt-password", "ca.crt"
SHARED = (  # what another computer has in common with the hall
    "event.venue",
    "event.clock",
    "event.play",
    "event.delay_min",
    "game.event",
    "console.host",
    "mqtt.host",
    "mqtt.hosts",
    "mqtt.port",
    "mqtt.tls",
    "mqtt.commands",
)


InitAnswers = Mapping[str, str | int | float | bool | list[str]]


class Instructions(Struct, frozen=True):
    """What another computer is told."""

    kind: str  #: of board, as ``jadoube boards`` has them; or :data:`MANY`
    answers: InitAnswers
    password: str = ""
    authority: str = ""  #: the certificate of the one who vouches for the broker
    boards: str = ""  #: where there are several, their numbers, ``26-50``


def line(told: Instructions) -> str:
    """As one line of text."""
    return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(told), 9)).decode()


def read(text: str) -> Instructions:
    """The reverse. Raises :exc:`ConfigError` for what is no such line."""
    try:
        opened = zlib.decompressobj()
        raw = opened.decompress(base64.b64decode(text.strip(), b"-_", validate=True), LARGEST)
        if not opened.eof:
            raise ValueError("it is cut off, or too long")
        told = msgspec.json.decode(raw, type=Instructions)
        if told.kind not in (*configurations(), MANY):
            raise ValueError(f"no board is called {told.kind}")
    except (binascii.Error, zlib.error, msgspec.DecodeError, ValueError) as error:
        cause = "a letter is missing, or it is another file"
        raise ConfigError(
            f"this is no line of jadoube hall init: {error}", cause, "copy the whole line anew"
        ) from error
    return told


def shared(kind: str, config: Mapping[str, object]) -> InitAnswers:
    """What a board of that kind, or a computer of :data:`MANY`, has in common with the hall, whose options are given
    by ``table.option``.

    Raises :exc:`ConfigError` where such a computer cannot be told it.
    """
    found: InitAnswers = {
        name: value for name in SHARED if isinstance(value := config.get(name), str | int | float | bool | list)
    }
    filled(Instructions(kind, found), SYSTEM)
    return found


def carry(keeper: FileKeeper, user: str, told: Instructions) -> None:
    """Writes the file that is carried to the computer which the broker knows as ``user``, and the same as a picture."""
    import segno

    text = line(
        replace(
            told,
            answers={**told.answers, "mqtt.user": user},
            password=(keeper.folder / "broker/secrets" / user).read_text().strip(),
            authority=(keeper.folder / "broker/tls/ca.crt").read_text(),
        )
    )
    keeper.keep(f"tables/{user}", f"{text}\n", SECRET)
    keeper.keep(f"tables/{user}.svg", segno.make(text, micro=False, error="l").svg_inline(scale=4), SECRET)


def kind_carried(folder: Path, number: str) -> str:
    """The kind of a board that has a computer of its own; of one that was never carried the usual one."""
    path = folder / f"tables/board-{number}"
    return read(path.read_text("ascii", "replace")).kind if path.exists() else "dgt"


def filled(told: Instructions, folder: Path) -> str:
    """The configuration of that computer, in ``folder``; without its boards where it has several. Raises
    :exc:`ConfigError`."""
    answers: dict[str, OptionValue] = {
        **told.answers,
        "mqtt.password_file": PASSWORD if folder.is_relative_to(SYSTEM) else str(folder / PASSWORD),
        "mqtt.ca_file": str(folder / AUTHORITY),
        "event.pairings": AT_BROKER,
    }
    try:
        text = of_many() if told.kind == MANY else example(told.kind)
        return fill(text, answers)
    except KeyError as error:
        what = f"a board of the kind {told.kind} has no option {error}"
        cause = "it is not for a hall, or the hall was written by another version of jadoube"
        raise ConfigError(what, cause, "jadoube boards; jadoube --version") from error
