"""Who may sign in to the hall's pages, and who has, in the database that all their workers share.

As with a daemon's (:mod:`controller.console.codes`, ``devices``) codes stand here as salted hashes, and cookies as
hashes. What is known of devices is kept here as well, until the database tells that one came or went: so an arbiter who
is signed in stays so while the database is away.
"""

import contextlib
import hmac
import secrets
import time
from datetime import UTC, datetime

import msgspec
from psycopg.types.json import Jsonb

from controller.archive.answers import Answers
from controller.console.codes import LIFE_S, drawn, hashed, letters, spelt
from controller.console.devices import AGENT, SEEN_S, Device, Devices
from controller.console.grants import Grant
from controller.errors import JadoubeError


class InDatabase:
    """The register of a ``venue``."""

    code = ""  #: no terminal shows one
    shared = True

    def __init__(self, venue: str, hours: float, answers: Answers) -> None:
        self._venue = venue
        self.hours = hours
        self._ask = answers.ask
        self._known: dict[str, Device] = {}
        self._told: dict[str, float] = {}  # when it was written down last that each was heard, by the monotonic clock

    async def new(self, grant: Grant) -> str:
        """Another code, as it is shown, good for what is granted."""
        code, salt = drawn(), secrets.token_hex(8)
        await self._ask("DELETE FROM pairing_code WHERE until < now()")
        await self._ask(
            "INSERT INTO pairing_code VALUES (%s, %s, %s, now() + make_interval(secs => %s), %s)",
            self._venue,
            salt,
            hashed(salt, code),
            LIFE_S,
            Jsonb(msgspec.to_builtins(grant)),
        )
        return spelt(code)

    async def granted(self, code: str) -> Grant | None:
        found = await self._find(code)
        return None if found is None else found[1]

    async def redeem(self, code: str) -> Grant | None:
        found = await self._find(code)
        if found is None:
            return None
        question = "DELETE FROM pairing_code WHERE venue = %s AND salt = %s RETURNING salt"
        return found[1] if await self._ask(question, self._venue, found[0]) else None

    async def _find(self, code: str) -> tuple[str, Grant] | None:
        given = letters(code)
        found = None
        question = "SELECT salt, hash, may FROM pairing_code WHERE venue = %s AND until > now()"
        for salt, kept, may in await self._ask(question, self._venue):
            if hmac.compare_digest(hashed(salt, given), kept):
                found = salt, msgspec.convert(may, Grant)
        return found

    async def sign_in(self, by: str, address: str, agent: str, may: Grant) -> str:
        cookie, now = secrets.token_urlsafe(32), time.time()
        until = now + 3600 * self.hours
        device = Device(by=by, since=now, until=until, address=address[:AGENT], agent=agent[:AGENT], may=may)
        name = Devices.name(cookie)
        await self._ask(
            "INSERT INTO device (venue, name, body, until) VALUES (%s, %s, %s, %s)",
            self._venue,
            name,
            Jsonb(msgspec.to_builtins(device)),
            datetime.fromtimestamp(until, UTC),
        )
        self._known[name] = device
        return cookie

    async def sign_out(self, name: str) -> None:
        self._known.pop(name, None)
        await self._ask("DELETE FROM device WHERE venue = %s AND name = %s", self._venue, name)

    async def read(self, cookie: str | None) -> Device | None:
        if not cookie:
            return None
        name = Devices.name(cookie)
        if not self.known(name):
            await self.look(name)
        device = self._known.get(name)
        if device is not None and time.monotonic() - self._told.get(name, 0.0) >= SEEN_S:
            self._told[name] = time.monotonic()
            with contextlib.suppress(JadoubeError):
                question = "UPDATE device SET heard = now() WHERE venue = %s AND name = %s"
                await self._ask(question, self._venue, name)
        return device

    async def all(self) -> dict[str, tuple[Device, float]]:
        rows = await self._ask(
            "SELECT name, body, extract(epoch FROM heard)::float FROM device WHERE venue = %s AND until > now()"
            " ORDER BY heard DESC",
            self._venue,
        )
        return {name: (msgspec.convert(body, Device), heard) for name, body, heard in rows}

    def known(self, name: str) -> bool:
        device = self._known.get(name)
        return device is not None and device.until > time.time()

    async def look(self, name: str) -> None:
        """Asks the database who has the device of that name, in place of what was known here."""
        question = "SELECT body FROM device WHERE venue = %s AND name = %s AND until > now()"
        rows = await self._ask(question, self._venue, name)
        self._known.pop(name, None)
        if rows:
            self._known[name] = msgspec.convert(rows[0][0], Device)

    async def look_at_all(self) -> None:
        """Looks anew at all that are known here."""
        for name in [*self._known]:
            await self.look(name)
