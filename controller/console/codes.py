"""Pairing codes: by which an arbiter signs in. Each is asked for, by ``jadoube pair`` or by who starts jadoube at a
terminal, is good once, and for :data:`LIFE_S`.

A code has 37 bits, so that nobody has to be kept out to keep guessers out, and whoever holds it is let in, however many
wrong ones were tried. 400 tries a second, more than the pages answer, are 240,000 in its life: one in 600,000 to hit.

What waits to be used are the names of empty files in a folder of the daemon's user: a salt, the hash of salt and code,
and when its time is up, by the clock that runs since the machine was started (``CLOCK_BOOTTIME``, clock_gettime(2)): no
time of day that is set makes a code live longer. A name needs no room on a full disk. Who takes the file away is
in; for what it is good stands in it, and in that of one that is good for all, nothing.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from controller.console.grants import ALL, Grant

ALPHABET = "23456789CDFGHJKMNPQRTVWXY"  #: none that looks like another, and no vowel that makes a word of them
LENGTH = 8
LIFE_S = 600  #: ten minutes
SHOWN = 4  #: letters between two hyphens
ALIKE = str.maketrans("BSZ", "852")  #: what may be read for another
START = "code-"
UNFINISHED = "new-"  #: begins the name of a file that is not whole yet


class Codes:
    """Those that wait in ``folder``. ``now``: s since the machine was started."""

    def __init__(
        self, folder: Path, now: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME)
    ) -> None:
        self._folder = folder
        self._now = now

    def new(self, grant: Grant = ALL) -> str:
        """Another code, as it is shown, good for what is granted. Raises OSError where it cannot be kept."""
        list(self._waiting())
        code = drawn()
        salt = secrets.token_hex(8)
        name = f"{START}{int(self._now()) + LIFE_S}-{salt}-{hashed(salt, code)}"
        unfinished = self._folder / f"{UNFINISHED}{name}"  # an empty code grants all: it appears with what it says
        unfinished.touch(0o600, exist_ok=False)
        try:
            if grant != ALL:
                unfinished.write_bytes(msgspec.json.encode(grant))
            unfinished.rename(self._folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        return spelt(code)

    def left_s(self, code: str) -> float:
        """How long it is good still; 0 where it is not, or is no code."""
        found = self._find(code)
        return 0.0 if found is None else int(found.name.split("-")[1]) - self._now()

    def granted(self, code: str) -> Grant | None:
        """What that code grants, if it is one of those that wait; None for another."""
        return self._read(code, taken=False)

    def redeem(self, code: str) -> Grant | None:
        """The same; it then waits no more."""
        return self._read(code, taken=True)

    def _read(self, code: str, *, taken: bool) -> Grant | None:
        found = self._find(code)
        if found is None:
            return None
        try:
            said = found.read_bytes()
            if taken:
                found.unlink()
            return msgspec.json.decode(said, type=Grant) if said else ALL
        except (OSError, msgspec.DecodeError):  # somebody else was quicker; or has written something there
            return None

    def clear(self) -> None:
        """Forgets all: those from before the machine was started could seem to be good."""
        for path in [*self._folder.glob(f"{START}*"), *self._folder.glob(f"{UNFINISHED}*")]:
            path.unlink(missing_ok=True)

    def _find(self, code: str) -> Path | None:
        given = letters(code)
        found = None
        for path, salt, kept in self._waiting():  # all of them: how long it takes tells nothing
            if hmac.compare_digest(hashed(salt, given), kept):
                found = path
        return found

    def _waiting(self) -> Iterator[tuple[Path, str, str]]:
        """Each with its salt and hash; those whose time is up are taken away."""
        for path in list(self._folder.glob(f"{START}*-*-*")):
            _, until, salt, hashed = path.name.split("-")
            if 0 < int(until) - self._now() <= LIFE_S:
                yield path, salt, hashed
            else:
                path.unlink(missing_ok=True)


def hashed(salt: str, code: str) -> str:
    return hashlib.sha256(f"{salt}{code}".encode()).hexdigest()


def drawn() -> str:
    """A code by chance."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def spelt(code: str) -> str:
    """As people are shown it."""
    return "-".join(code[at : at + SHOWN] for at in range(0, LENGTH, SHOWN))


def letters(typed: str) -> str:
    """The code that somebody has typed, as it was drawn."""
    return "".join(filter(str.isalnum, typed)).upper().translate(ALIKE)
