"""Signed commands: who gave one is proven by a key, wherever it has come through. Pure: time comes in with each call.

    {"signed": "{\\"type\\":\\"arbiter\\",\\"do\\":\\"pause\\"}", "by": "anna", "at": 1763740012345, "mac": "8f0c…"}

``signed`` is the command as text, so that nobody need agree on how JSON is written. ``mac`` is the HMAC-SHA256
(RFC 2104), in hex, of four lines: the board's topic ``jadoube/v1/hall/board/7``, ``by``, ``at`` and ``signed``, parted
by line feeds. ``at`` is the sender's clock in ms since 1970. It must rise with each command, and lie close to the clock
here: what somebody has recorded is of no use for another board, a second time, or later.
"""

import hmac
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from controller.errors import AccessError, ConfigError

AHEAD_MS = OLD_MS = 60_000  #: so far may a sender's clock be from ours, and the way take
SHORTEST = 16  #: bytes of a key


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A command in its envelope."""

    signed: str
    by: str
    at: int
    mac: str


class Seal:
    """Opens what was signed for the board at ``topic``. Remembers the last command of each signer."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._last: dict[str, int] = {}

    def open(self, signed: Signed, keys: Mapping[str, bytes], now_ms: int, up_ms: int) -> bytes:
        """The command inside.

        ``now_ms``: since 1970. ``up_ms``: for how long this daemon has been up; what was signed before may have been
        carried out before, which is no longer known. Raises :exc:`AccessError` where it is not to be trusted.
        """
        key = keys.get(signed.by)
        if key is None or not hmac.compare_digest(mac(key, self._topic, signed).encode(), signed.mac.encode()):
            what = f"the signature of {signed.by!r} does not fit"
            raise AccessError(what, "another key or name, another board's topic, or a command that was altered")
        late_ms = now_ms - signed.at
        if not -AHEAD_MS <= late_ms <= min(OLD_MS, up_ms):
            what = f"the command was signed {abs(late_ms) / 1000:.0f} s {'ago' if late_ms > 0 else 'ahead'}"
            cause = "the clocks of the two machines differ, the daemon has just been started, or it is a recording"
            raise AccessError(what, cause, "timedatectl, on both; sign it again")
        if signed.at <= self._last.get(signed.by, 0):
            what = "the command came before, or after a later one"
            raise AccessError(what, "it was sent twice, or it is a recording", "sign it again with the time of now")
        self._last[signed.by] = signed.at
        return signed.signed.encode()


def sign(key: bytes, topic: str, by: str, at_ms: int, command: str) -> bytes:
    """What to publish on ``cmd``."""
    signed = Signed(command, by, at_ms, "")
    return msgspec.json.encode(msgspec.structs.replace(signed, mac=mac(key, topic, signed)))


def mac(key: bytes, topic: str, signed: Signed) -> str:
    """The code that vouches for who sent what, where and when."""
    return hmac.digest(key, f"{topic}\n{signed.by}\n{signed.at}\n{signed.signed}".encode(), "sha256").hex()


def read_keys(text: str) -> dict[str, bytes]:
    """The keys of a file: on each line a name and a key in hex. Raises :exc:`ConfigError`, without what is secret."""
    keys = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, digits = line.strip().partition(" ")
        try:
            key = bytes.fromhex(digits)
        except ValueError:
            key = b""
        if len(key) < SHORTEST:
            raise ConfigError(
                f"line {number} of the file that [mqtt] keys_file names is not a name and a key",
                f"a key is at least {2 * SHORTEST} hex digits",
                'echo "anna $(openssl rand -hex 32)" >> FILE',
            )
        keys[name] = key
    return keys
