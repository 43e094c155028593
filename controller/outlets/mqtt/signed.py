"""Signed commands: who gave one is proven by a key, wherever it has come through. Pure: time comes in with each call.

    {"signed": "{\\"type\\":\\"arbiter\\",\\"do\\":\\"pause\\"}", "by": "anna", "at": 1763740012345, "mac": "8f0c…"}

``signed`` is the command as text, so that nobody need agree on how JSON is written. ``mac`` is the HMAC-SHA256
(RFC 2104), in hex, of four lines: the board's topic ``jadoube/v1/hall/board/7``, ``by``, ``at`` and ``signed``, parted
by line feeds. ``at`` is the sender's clock in ms since 1970. It must rise with each command, and lie close to the clock
here: what somebody has recorded is of no use for another board, a second time, or later. The :class:`~.memory.Memory`
knows what was used, whatever becomes of the daemon and of either clock.
"""

import hmac
from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from controller.errors import AccessError, ConfigError
from controller.outlets.mqtt.memory import AHEAD_MS, OLD_MS, Memory

SHORTEST = 16  #: bytes of a key


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A command in its envelope."""

    signed: str
    by: str
    at: int
    mac: str


class Seal:
    """Opens what was signed for the board at ``topic``, each once for ever: ``memory`` knows what was used."""

    def __init__(self, topic: str, memory: Memory) -> None:
        self._topic = topic
        self._memory = memory

    def open(self, signed: Signed, keys: Mapping[str, bytes], now_ms: int, up_ms: int) -> bytes:
        """The command inside, which is used up by this; it must not be carried out before that is safe: see
        :meth:`.Memory.keep`.

        ``now_ms``: since 1970. ``up_ms``: for how long this daemon has been up; what was signed before is not taken.
        Raises :exc:`AccessError` where it is not to be trusted.
        """
        key = keys.get(signed.by)
        if key is None or not hmac.compare_digest(mac(key, self._topic, signed).encode(), signed.mac.encode()):
            what = f"the signature of {signed.by!r} does not fit"
            raise AccessError(what, "another key or name, another board's topic, or a command that was altered")
        self._check_clock(now_ms)
        late_ms = now_ms - signed.at
        if not -AHEAD_MS <= late_ms <= min(OLD_MS, up_ms):
            what = f"the command was signed {abs(late_ms) / 1000:.0f} s {'ago' if late_ms > 0 else 'ahead'}"
            cause = "the clocks of the two machines differ, the daemon has just been started, or it is a recording"
            raise AccessError(what, cause, "timedatectl, on both; sign it again")
        signer = hmac.digest(key, f"{self._topic}\n{signed.by}".encode(), "sha256").hex()[:32]
        if signed.at <= self._memory.floor:
            what = f"signed commands count here only from {_time(self._memory.floor)} on"
            cause = f"{self._memory.path} is new or was damaged: what was used before is not known"
            raise AccessError(what, cause, "sign it again then")
        if signed.at <= self._memory.last(signer):
            what = "the command came before, or after a later one"
            raise AccessError(what, "it was sent twice, or it is a recording", "sign it again with the time of now")
        self._memory.take(signer, signed.at)
        return signed.signed.encode()

    def _check_clock(self, now_ms: int) -> None:
        """A clock that fell back, as at the start of a Pi without a network, makes what is old look new."""
        if now_ms < self._memory.latest - AHEAD_MS:
            raise AccessError(
                f"the board's clock says {_time(now_ms)}, and a command was signed at {_time(self._memory.latest)}",
                "the board's clock fell back, as without a network; or both clocks were ahead then",
                f"timedatectl; where the clock is right now, stop the daemon and take {self._memory.path} away",
            )


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000).astimezone().isoformat(timespec="seconds")


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
