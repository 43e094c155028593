"""``jadoube broker-config``: a configuration of mosquitto for a hall, in which each may do what is his alone.

A board writes its own topics. An arbiter reads everything and commands under his own name, on ``cmd/<name>``. A reader,
such as a screen behind the scenes or an archive, reads everything and asks for what he has missed. The organiser's
computer does so as well, and it alone writes the round in force, which all boards read. Everybody, without a
name, reads what is under ``public/``, at a port of its own. Facts: mosquitto.conf(5) and mosquitto_passwd(1) of
mosquitto 2.0.
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from controller import credentials
from controller.cli.certificates import Authority
from controller.errors import ConfigError
from controller.game_details import Level
from controller.numbering import numbers
from controller.outlets.mqtt.levels import TOLD, of_venue
from controller.outlets.mqtt.round import TOPIC as ROUND
from controller.outlets.mqtt.times import TOPIC as TIME

READ = (*TOLD, "answer/#")
Right = Literal["read", "write", "readwrite"]
NAME = re.compile(r"\w[\w.-]*")
HOST = re.compile(r"[\w.:%\[\]-]+")
OURS = ("ca", "server", "arbiters")  #: files beside those of the users
HASHED = re.compile(r"(?m)^(.+):\$7\$\d+\$([A-Za-z0-9+/]{16})\$")  #: a user, and a salt of 12 bytes
ITERATIONS = 10_000  #: of the hash of a password, which is 24 random bytes: nobody will guess it
LEAST, OF_EACH = 10_000, 20  #: messages that may wait with a public port; and of each board, which retains ten
PUBLIC_CONNECTIONS = 200  #: of those without a name
# mosquitto has these for all listeners alike.
FOR_USERS = """\
# What waits for a receiver: beyond 64 MB messages are dropped without a word. Who has not come back for two days is
# forgotten. Both ask for what they missed.
max_queued_messages 0
max_queued_bytes 67108864
persistent_client_expiration 2d
"""
FOR_EVERYBODY = """\
# Whoever likes may come, so what the broker keeps for anybody has an end: so many messages wait for a receiver, those
# not taken yet by one who is connected, too; beyond that they are dropped without a word. Who has not come back for an
# hour is forgotten. Both ask for what they missed. What is retained of all boards is less than that.
max_queued_messages {most}
max_queued_bytes 67108864
persistent_client_expiration 1h
"""


class BrokerUsers(Struct, frozen=True, kw_only=True):
    """Who is there. A user is called ``board-7``, ``match-1``, or as a computer, an arbiter or a reader is."""

    venue: Level
    host: str  #: name or address of the broker
    boards: tuple[Level, ...]
    matches: dict[Level, tuple[Level, ...]] = {}  #: each with its boards
    computers: dict[Level, tuple[Level, ...]] = {}  #: each with the boards of a hall that it plays
    arbiters: tuple[Level, ...] = ()
    readers: tuple[Level, ...] = ()
    organiser: Level | None = None  #: who tells the round in force; it may be one who plays boards, too
    port: int = 8883
    public_port: int | None = None  #: None: nothing is for everybody
    certificates: bool = False  #: users are known by a certificate, instead of by a password
    homeassistant: bool = False  #: the reader ``homeassistant`` is told of the boards, as he asks to be

    @property
    def places(self) -> dict[str, list[str]]:
        """The topics of each daemon, by its user."""
        boards = {f"board-{board}": [f"board/{board}"] for board in self.boards}
        matches = {
            f"match-{match}": [f"match/{match}", *(f"board/{board}" for board in boards)]
            for match, boards in self.matches.items()
        }
        computers = {name: ["hall", *(f"board/{board}" for board in boards)] for name, boards in self.computers.items()}
        return boards | matches | computers

    @property
    def users(self) -> tuple[str, ...]:
        """All who have a name."""
        return (*self.places, *self.arbiters, *self.all_readers)

    @property
    def all_readers(self) -> tuple[str, ...]:
        """Those who read and do not command."""
        organiser = () if self.organiser is None or self.organiser in self.places else (self.organiser,)
        return (*self.readers, *organiser, *(("homeassistant",) if self.homeassistant else ()))


def matches(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each match with its boards, of ``1=5+6``. Raises :exc:`ConfigError` where these are not two."""
    found = {name: tuple(boards.split("+")) for name, _, boards in (text.partition("=") for text in texts)}
    for name, boards in found.items():
        if len(set(boards)) != 2:
            raise ConfigError(f"--match {name}={'+'.join(boards)} names no two boards", "a slip", "--match 1=5+6")
    return found


def hall(**given: object) -> BrokerUsers:
    """Raises :exc:`ConfigError` for names that are no level of a topic, or of other files, or come twice."""
    try:
        found = msgspec.convert(given, BrokerUsers)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{error}", "a name with spaces, or with / + #", "jadoube broker-config --help") from error
    if not HOST.fullmatch(found.host):
        cause = "a slip, or a variable of the shell that is not set"
        raise ConfigError(f"no computer is called {found.host!r}", cause, "--host broker.local, or an address")
    for user in found.users:
        if not NAME.fullmatch(user) or user in OURS or user.endswith(".key"):
            raise ConfigError(
                f"nobody can be called {user}", "each has files of that name", "letters, digits and - will do; not ca"
            )
        if found.users.count(user) > 1:
            raise ConfigError(f"there are two users {user}", "a board that is in a match too, or one name twice")
    return found


def people_of(folder: Path, place: BrokerUsers) -> dict[str, tuple[str, ...]]:
    """The ``arbiters`` and ``readers`` that a broker knows by the files in ``folder``, beside those of ``place``."""
    arbiters = tuple(line.split()[0] for line in _read(folder / "secrets/arbiters").splitlines() if line.strip())
    rights = [f"topic {right} {topics}" for right, topics in _reads(of_venue("+"))]
    blocks = [block.splitlines() for block in _read(folder / "acl").split("user ")]
    readers = tuple(block[0] for block in blocks if [_anywhere(line) for line in block[1:] if line] == rights)
    return {"arbiters": arbiters, "readers": tuple(user for user in readers if user not in place.users)}


def _anywhere(line: str) -> str:
    """A line of an access list for whatever venue: that of the hall may have changed since."""
    before, _, topics = line.partition(of_venue(""))
    return f"{before}{of_venue('+')}/{topics.partition('/')[2]}" if topics else line


def dropped(place: BrokerUsers, folder: Path) -> list[str]:
    """Whom the files in ``folder`` know, and would know no more if those of ``place`` were written there."""
    there = re.findall(r"(?m)^user (.+)$", _read(folder / "acl"))
    return [user for user in there if user not in place.users]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def write(place: BrokerUsers, folder: Path) -> list[Path]:
    """Writes everything to ``folder``; what is secret there already is kept, so that a hall can grow.

    Raises :exc:`ConfigError` as :class:`Authority` does, and OSError.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    written = texts(place, folder, folder)
    for name, text in written.items():
        (folder / name).touch(0o600)
        (folder / name).write_text(text)
    return [folder / name for name in written]


def texts(place: BrokerUsers, folder: Path, there: Path) -> dict[str, str]:
    """What belongs into files of ``folder``, by their names; what is secret is made there, or kept. ``there``: where
    the broker finds them. Raises as :func:`write` does.
    """
    tls, kept = folder / "tls", folder / "secrets"
    authority = Authority(tls, f"jadoube {place.venue}")
    authority.servers("server", [place.host])
    kept.mkdir(mode=0o700, exist_ok=True)
    passwords = {}
    for user in place.users:
        if place.certificates:
            authority.client(user)
        else:
            passwords[user] = keep(kept / user, credentials.new())
    keys = {name: keep(kept / f"{name}.key", secrets.token_hex(32)) for name in place.arbiters}
    salts = _salts(folder / "passwords")
    return {
        "mosquitto.conf": configuration(place, there),
        "acl": access(place),
        "acl-public": everybody(place),
        "passwords": "".join(f"{user}:{hashed(each, salts.get(user))}\n" for user, each in passwords.items()),
        "secrets/arbiters": "".join(f"{name} {key}\n" for name, key in keys.items()),
    }


def configuration(place: BrokerUsers, folder: Path) -> str:
    """What goes to ``/etc/mosquitto/conf.d/``."""
    certificates = f"cafile {folder}/tls/ca.crt\ncertfile {folder}/tls/server.crt\nkeyfile {folder}/tls/server.key\n"
    known = "require_certificate true\nuse_identity_as_username true\n"
    if not place.certificates:
        known = f"password_file {folder}/passwords\n"
    boards = sum(map(len, place.places.values()))
    limits = FOR_USERS if place.public_port is None else FOR_EVERYBODY.format(most=max(LEAST, OF_EACH * boards))
    text = f"""# For the hall {place.venue}, written by jadoube broker-config.
per_listener_settings true

{limits}message_size_limit 262144

listener {place.port}
{certificates}tls_version tlsv1.2
allow_anonymous false
{known}acl_file {folder}/acl
"""
    if place.public_port is None:
        return text
    return f"""{text}
# For everybody: what is public, to read. With QoS 0 nothing waits for who has left.
listener {place.public_port}
max_connections {PUBLIC_CONNECTIONS}
max_qos 0
{certificates}tls_version tlsv1.2
allow_anonymous true
acl_file {folder}/acl-public
"""


def access(place: BrokerUsers) -> str:
    """Who may do what. What is not said here is denied."""
    lines = []
    for user, rights in rights_of(place).items():
        lines += [f"\nuser {user}", *(f"topic {right} {topics}" for right, topics in rights)]
    return "\n".join(lines) + "\n"


def rights_of(place: BrokerUsers) -> dict[str, list[tuple[Right, str]]]:
    """What each user may do, topic by topic, in which ``+`` is any one level and ``#`` at the end all that follow."""
    base = of_venue(place.venue)
    found = {user: list(_plays(place, base, user, topics)) for user, topics in place.places.items()}
    for name in (*place.arbiters, *place.all_readers):
        found[name] = [*(_organises(base) if name == place.organiser else _reads(base))]
        if name in place.arbiters:
            found[name].append(("write", f"{base}/+/+/cmd/{name}"))
    if place.homeassistant:
        found["homeassistant"].append(("readwrite", "homeassistant/#"))
    return found


def _plays(place: BrokerUsers, base: str, user: str, topics: Iterable[str]) -> Iterator[tuple[Right, str]]:
    yield from (("readwrite", f"{base}/{topic}/#") for topic in topics)
    yield "read", f"{base}/+/+/{TIME}"
    if user == place.organiser:
        yield from _organises(base)
    else:
        yield "read", f"{base}/{ROUND}"
    if place.homeassistant:
        yield "write", "homeassistant/device/+/config"
        yield "read", "homeassistant/status"


def _reads(base: str) -> Iterator[tuple[Right, str]]:
    yield from (("read", f"{base}/+/+/{topic}") for topic in (*READ, "public/#"))
    yield "write", f"{base}/+/+/replay"


def _organises(base: str) -> Iterator[tuple[Right, str]]:
    yield from _reads(base)
    yield "readwrite", f"{base}/{ROUND}"


def everybody(place: BrokerUsers) -> str:
    """The same for those without a name."""
    return f"topic read {of_venue(place.venue)}/+/+/public/#\n"


def hashed(password: str, salt: bytes | None = None) -> str:
    """As mosquitto keeps a password: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _salts(passwords: Path) -> dict[str, bytes]:
    """Those with which the passwords of users are hashed already, so that what was written stays as it is."""
    try:
        found = HASHED.findall(passwords.read_text())
    except OSError:
        return {}
    return {user: base64.b64decode(salt) for user, salt in found}


def broker_config(out: Path, boards: str, match: Sequence[str], *, drop_users: bool, **given: object) -> int:
    """Writes it to ``out`` for those whom the options name, and says what to do with it; 0. Raises :exc:`ConfigError`
    where it cannot be written, or where somebody would lose his rights and ``drop_users`` does not say so.
    """
    place = hall(**given, boards=numbers(boards), matches=matches(match))
    if not drop_users:
        _refuse_to_drop(place, out)
    try:
        written = write(place, out)
    except OSError as error:
        cause = "it belongs to another user, or is no folder"
        raise ConfigError(f"{out} cannot be written: {error.strerror}", cause, f"ls -ld {out}") from error
    print("\n".join(f"wrote {file}" for file in written))
    print(f"{out}/secrets and {out}/tls hold what each user needs: take each file to its user alone.\n")
    print("On the broker:")
    print(f"  sudo chown -R mosquitto {out}")
    print(f"  sudo ln -s {out.absolute()}/mosquitto.conf /etc/mosquitto/conf.d/jadoube.conf")
    print("  sudo systemctl restart mosquitto\n")
    user = next(iter(place.places), "board-1")
    print(f"On each machine that asks the broker for anything, with {out}/tls/ca.crt:")
    print("  sudo install -D -m 0644 ca.crt /etc/jadoube/ca.crt\n")
    if not place.certificates:
        print(f"With {out}/secrets/{user} on the machine of that board, for the service jadoube:")
        print(f"  sudo install -m 0600 {user} /etc/jadoube/mqtt-password")
        print(f"or, where several boards share a machine, for jadoube@{user}:")
        print(f"  sudo install -m 0600 {user} /etc/jadoube/{user}.mqtt-password\n")
    print(f"In the configuration of {user}:")
    print(f'  [mqtt]\n  host = "{place.host}"\n  port = {place.port}\n  tls = true\n  ca_file = "/etc/jadoube/ca.crt"')
    if place.certificates:
        print(f'  cert_file = "/etc/jadoube/{user}.crt"\n  key_file = "/etc/jadoube/{user}.key"')
    else:
        print(f'  user = "{user}"\n  password_file = "mqtt-password"')
    print('  commands = "named"' + ("" if place.public_port is None else "\n  public = true"))
    return 0


def _refuse_to_drop(place: BrokerUsers, folder: Path) -> None:
    """Raises :exc:`ConfigError` where users would lose their rights."""
    hall = folder.absolute().parent
    if folder.name == "broker" and (hall / ".init.json").exists():
        raise ConfigError(
            f"{folder} is of the hall in {hall}, whose computers would lose their rights at the broker",
            "jadoube hall init has written it, and adds arbiters and readers by itself",
            f"jadoube hall init {hall} --arbiters NAME --readers NAME --yes; or --drop-users, and do without its users",
        )
    if gone := dropped(place, folder):
        raise ConfigError(
            f"{folder} has users whom this call does not name, and who would get in no more: {', '.join(gone)}",
            "it was written for more boards or people",
            "name them too; or --drop-users, if they are to go",
        )


def keep(file: Path, secret: str) -> str:
    """The secret in a file that only its owner can read; the one that is there already stays."""
    if not file.exists():
        file.touch(0o600)
        file.write_text(f"{secret}\n")
    return file.read_text().strip()
