"""At the organiser's: what each computer needs, written into the hall's folder, ``engines/``, to be carried there.

The users, their passwords and the authority are those that ``jadoube hall init`` has made, in ``broker/``.
"""

import hashlib
import secrets
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from controller import credentials
from controller.cli.broker_config import BrokerUsers, hall, keep, rights_of
from controller.cli.certificates import Authority
from controller.cli.engines import plan, texts
from controller.cli.engines.plan import Engines
from controller.cli.engines.rights import ARCHIVE, CONSOLE, definitions
from controller.cli.hall.boards import has_own_broker, known_to_broker
from controller.cli.hall.files import read_text, unwritable
from controller.cli.hall.keep import OPEN, SECRET, FileKeeper
from controller.errors import ConfigError

FOLDER = "engines"
Papers = dict[tuple[str, ...], dict[Path, str]]
"""The files of each computer by the nodes that it plays; each by its path there."""
PYTHON = "/opt/jadoube/bin/python"  #: of the package, and of make install


def write(config: Path, engines: Engines, python: str = PYTHON, *, dry: bool = False) -> tuple[FileKeeper, Papers]:
    """Writes it beside the configuration of the hall; what was done, and the files of each computer. ``dry``: only says
    what would be.

    Raises :exc:`ConfigError` where the hall has no broker of its own, :exc:`DeviceError` where it cannot be written.
    """
    folder = config.resolve().parent
    raw = tomllib.loads(read_text(config))
    place = _place(raw, folder, engines)
    keeper = FileKeeper(folder, dry=dry)
    if plan.load(folder) != engines:
        keeper.keep(plan.FILE, plan.text(engines))
    if keeper.left:
        return keeper, {}
    delay = raw["event"].get("delay_min", 0)
    whole = replace(engines, venue=place.venue, called=place.host, delay_min=delay)
    papers: Papers = {}
    try:
        with _secrets_in(folder / "broker", dry=dry) as broker:
            given = _given(place, broker, whole)
        for here in [engines.nodes] if engines.local else [(node,) for node in engines.nodes]:
            papers[here] = texts.files(replace(whole, here=here), here, given, python)
            base = Path(FOLDER) / carried(engines, here)
            for path, text in papers[here].items():
                keeper.keep(str(base / path.relative_to("/")), text, SECRET if path.name in texts.SECRETS else OPEN)
        if not dry:
            _give_to_its_owner(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    return keeper, papers


def carried(engines: Engines, here: tuple[str, ...]) -> str:
    """The folder of a computer, below :data:`FOLDER`."""
    return "all" if engines.local else here[0]


def read(folder: Path) -> dict[Path, str]:
    """The files that were carried here, by the paths where they belong. Raises :exc:`ConfigError` for others."""
    found = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file() and each.suffix != ".part"):
        place = Path("/") / path.relative_to(folder)
        ours = place.is_relative_to(texts.HOME) or (place.parent == texts.SYSTEM and place.name.startswith("jadoube-"))
        if not ours or ".." in place.parts:
            raise ConfigError(
                f"{path} does not belong there", "it is no folder of jadoube hall up, or somebody added to it", "rm it"
            )
        found[place] = path.read_text("utf-8")
    if texts.HOME / plan.FILE not in found:
        raise ConfigError(f"{folder} has no {plan.FILE}", "it is no folder of jadoube hall up", f"ls {folder}")
    return found


def _place(raw: Mapping[str, Any], folder: Path, engines: Engines) -> BrokerUsers:
    """Whom the brokers are to know."""
    if not has_own_broker(raw, folder) or not (folder / "broker/tls/ca.key").exists():
        raise ConfigError(
            f"the hall in {folder} has no broker of its own, whose users and authority could be taken",
            "it was written without --broker, or its folder was moved",
            f"jadoube hall init {folder} --broker {','.join(engines.nodes)}",
        )
    known = known_to_broker(raw)
    for name in (ARCHIVE, CONSOLE):
        if name in (*known.users, *engines.readers, *engines.arbiters):
            raise ConfigError(f"nobody else can be called {name}", "that user is of the engines", "another name")
    everybody = {name: getattr(known, name) for name in known.__struct_fields__}
    return hall(**{**everybody, "arbiters": engines.arbiters, "readers": engines.readers})


@contextmanager
def _secrets_in(broker: Path, *, dry: bool) -> Iterator[Path]:
    """Where they are made, or kept; nothing stays of a copy."""
    if not dry:
        yield broker
        return
    with TemporaryDirectory() as folder:
        yield Path(shutil.copytree(broker, Path(folder) / "broker"))


def _given(place: BrokerUsers, broker: Path, engines: Engines) -> texts.GivenTexts:
    """What is secret is made, or kept, in ``broker``."""
    authority = Authority(broker / "tls", f"jadoube {place.venue}")
    names = list(dict.fromkeys([*engines.nodes, place.host, "localhost", "127.0.0.1"]))
    # The file is called by its names: other names are given another certificate.
    certificate = authority.servers(f"engines-{hashlib.sha256(','.join(names).encode()).hexdigest()[:8]}", names)
    kept = broker / "secrets"
    users = [*rights_of(place), ARCHIVE, CONSOLE]
    passwords = {user: keep(kept / user, credentials.new()) for user in users}
    words = {
        "archive-password": passwords[ARCHIVE],
        "console-password": passwords[CONSOLE],
        "database-password": keep(kept / "database", credentials.new()),
    }
    return texts.GivenTexts(
        authority=authority.certificate.read_text(),
        certificate=certificate.read_text(),
        key=certificate.with_suffix(".key").read_text(),
        definitions=definitions(place, passwords, engines),
        cookie=keep(kept / "cookie", secrets.token_hex(20)),
        passwords=words,
    )


def _give_to_its_owner(folder: Path) -> None:
    """What root has written in somebody's folder is his."""
    owner = folder.stat()
    for path in (folder / plan.FILE, folder / ".init.json", folder / FOLDER, folder / "broker"):
        for each in [path, *path.rglob("*")]:
            if each.exists() and each.stat().st_uid != owner.st_uid:
                shutil.chown(each, owner.st_uid, owner.st_gid)
