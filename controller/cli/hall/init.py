"""``jadoube hall init``: asks little, and writes everything that a hall of boards needs, at one computer or several.

Every answer can be given as an option; what is left is asked, and ``--yes`` takes what would be proposed. Where the
hall is there already, what it says is proposed: so a second time nothing changes, and of a hall that has grown only
what is new is added.
"""

import shlex
import socket
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from controller.cli.broker_config import BrokerUsers, people_of, texts
from controller.cli.hall.boards import USER, BoardsOfHall, boards_wanted, has_own_broker, known_to_broker
from controller.cli.hall.files import unwritable
from controller.cli.hall.keep import SECRET, FileKeeper
from controller.cli.hall.places import checked, list_of, listed, of_many, plugged, with_boards
from controller.cli.hall.tables import Instructions, carry, shared
from controller.cli.hardware.dialogue import Dialogue
from controller.cli.hardware.fill import OptionValue
from controller.cli.hardware.kinds import MANY
from controller.cli.hardware.ports import BY_ID
from controller.cli.hardware.setup import QUESTIONS, Draft, flat, timed
from controller.cli.terminal import many
from controller.errors import ConfigError
from controller.files import text_of
from controller.numbering import ranges

PORT, WEB = 8883, 8063
EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"  #: on which addresses pages are served
SPECTATORS = ("none", "hall", "web")
AT_BROKER = Path("/etc/mosquitto/jadoube")
SERVICE = "jadoube-hall.service"
TRIAL = "pairings.csv"  #: somebody for each simulated board


People = Mapping[str, Sequence[str]]
"""Who is to have a name at the broker besides those who play: ``arbiters`` and ``readers``."""


def init(
    folder: Path,
    *,
    dgt_serial: Sequence[str],
    dgt_bus: Sequence[str],
    simulate: bool,
    arbiters: Sequence[str],
    readers: Sequence[str],
    yes: bool,
    **given: str | None,
) -> int:
    """Writes the hall into ``folder``; 0 once all stands there, 1 where a file that somebody has edited would have to
    change. ``given``: what was said beforehand, by the names of the questions. ``arbiters`` and ``readers`` join those
    that there are.

    Raises :exc:`JadoubeError` where an answer will not do, nobody can be asked, or something cannot be written.
    """
    folder = folder.resolve()
    config = folder / "hall.toml"
    dialogue = Dialogue("jadoube hall init", config, given, yes=yes)
    before = text_of(config.read_bytes()) if config.exists() else None
    given["places"] = " ".join(plugged(dgt_serial, dgt_bus, simulate)) or None
    written, new = False, {kind: names for kind, names in (("arbiters", arbiters), ("readers", readers)) if names}
    try:
        boards = boards_wanted(dialogue, {} if before is None else tomllib.loads(before), folder, given)
        draft = _asked(folder, before, boards, dialogue)
        keeper = FileKeeper(folder)
        _write(keeper, draft, boards, new)
        written = True
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(
            f"{config}: {error}", "a slip of the pen, or a file of another user", f"ls -l {config}"
        ) from error
    finally:
        (dialogue.forget if written else dialogue.keep)()
    _report(keeper, draft, boards, new, grown=before is not None)
    return 1 if keeper.left else 0


# -- what is asked -------------------------------------------------------------------------------------------------


def _asked(folder: Path, before: str | None, boards: BoardsOfHall, dialogue: Dialogue) -> Draft:
    """The configuration with all that was said of it."""
    draft = Draft(with_boards(of_many() if before is None else before, boards.new), {}, checked)
    checked(tomllib.loads(draft.example), str(folder / "hall.toml"))
    usual = (
        "" if boards.simulated else socket.gethostname() if not boards.elsewhere else f"{socket.gethostname()}.local"
    )
    called = "What is the event called? (empty: said later)"
    for name, question in (("game.event", called), ("event.venue", QUESTIONS["event.venue"])):
        dialogue.ask(name, question, str(draft.proposed.get(name, "")), partial(draft.put, name))
    dialogue.ask(
        "event.clock", QUESTIONS["event.clock"], str(draft.proposed.get("event.clock", "")), partial(_clock, draft)
    )
    proposed = _hosts(draft.proposed) or (usual if before is None else "")
    question = "The computer of the MQTT broker, by name or address (empty: one of our own, for this computer alone)"
    dialogue.ask("mqtt.host", question, proposed, partial(_broker, draft, folder, boards))
    question = "Spectators: none; hall, pages on its network; web, broadcasts by URL as well"
    dialogue.ask("spectators", question, _shown(draft, boards.simulated), partial(_spectators, draft, folder))
    question = "How many minutes later does the public see moves? Or game-end"
    dialogue.ask("event.delay_min", question, str(draft.proposed.get("event.delay_min", 0)), partial(_delay, draft))
    draft.put_all(
        {
            "event.pairings": str(folder / "rounds/current.csv"),
            "journal.path": str(folder / "jadoube.sqlite"),
            "pgn.directory": str(folder / "games"),
        }
        if before is None
        else {}
    )
    return draft


def _clock(draft: Draft, said: str) -> None:
    if said and said != draft.proposed.get("event.clock"):
        draft.put_all(timed(said))


def _broker(draft: Draft, folder: Path, boards: BoardsOfHall, said: str) -> None:
    if not said and boards.elsewhere:
        raise ConfigError("boards at other computers need a broker", "they are heard by it", "--broker, and its name")
    host, *more = said.split(",")
    if said and said != _hosts(draft.proposed):
        draft.put_all(
            {
                "mqtt.host": host,
                **({"mqtt.hosts": more} if more or "mqtt.hosts" in draft.proposed else {}),
                "mqtt.port": PORT,
                "mqtt.user": USER,
                "mqtt.password_file": str(folder / "mqtt-password"),
                "mqtt.tls": True,
                "mqtt.ca_file": str(folder / "ca.crt"),
                "mqtt.commands": "named",
            }
        )


def _hosts(config: Mapping[str, object]) -> str:
    """The computers of the broker, as they are said; several are the nodes of a cluster. By ``table.option``."""
    more = config.get("mqtt.hosts")
    return ",".join(map(str, filter(None, [config.get("mqtt.host"), *(more if isinstance(more, list) else [])])))


def _shown(draft: Draft, own: bool) -> str:
    """What is proposed for spectators."""
    if "broadcast.port" in draft.proposed:
        return "web"
    host = draft.proposed.get("console.host", HERE if own else EVERYWHERE)
    return "hall" if host == EVERYWHERE else "none"


def _spectators(draft: Draft, folder: Path, said: str) -> None:
    if said not in SPECTATORS:
        raise ConfigError(f"{said!r} are no spectators", "a slip of the pen", f"one of {', '.join(SPECTATORS)}")
    if said == _shown(draft, False) and "console.host" in draft.proposed:
        return
    draft.put("console.host", HERE if said == "none" else EVERYWHERE)
    if said == "web":
        web: dict[str, OptionValue] = {
            "broadcast.directory": str(folder / "broadcast"),
            "broadcast.host": EVERYWHERE,
            "broadcast.port": WEB,
        }
        draft.put_all(web)


def _delay(draft: Draft, said: str) -> None:
    try:
        draft.put("event.delay_min", said if said == "game-end" else int(said))
    except ValueError as error:
        raise ConfigError(f"{said!r} is no delay", "minutes are wanted", "15; or game-end") from error


# -- what is written -----------------------------------------------------------------------------------------------


def _write(keeper: FileKeeper, draft: Draft, boards: BoardsOfHall, people: People) -> None:
    folder, text = keeper.folder, draft.text
    kinds = {*boards.kinds.values(), *([MANY] if boards.computers else [])}
    told = {kind: shared(kind, flat(tomllib.loads(text))) for kind in kinds}
    place = _place(draft, folder, people)
    keeper.keep("hall.toml", text)
    if keeper.left:
        return  # what else there is would be of boards that it does not have
    keeper.keep("boards.csv", list_of(boards.all, boards.spare, listed(folder)))
    if boards.here:
        keeper.keep(SERVICE, _unit(folder))
    if boards.simulated and keeper.is_ours(TRIAL):
        keeper.keep(TRIAL, "".join(["Board;White;Black\n", *(f"{n};White {n};Black {n}\n" for n in boards.all)]))
    try:
        (folder / "rounds").mkdir(exist_ok=True)
        if place is not None:
            _write_broker(keeper, place)
            for number, kind in boards.kinds.items():
                carry(keeper, f"board-{number}", Instructions(kind, {**told[kind], "event.board": number}))
            for name, numbers in boards.computers.items():
                carry(keeper, name, Instructions(MANY, told[MANY], boards=ranges(numbers)))
    except OSError as error:
        raise unwritable(folder, error) from error


def _place(draft: Draft, folder: Path, people: People) -> BrokerUsers | None:
    """Whom the broker is to know, with the ``people`` that it knew before; None where we do not configure it.

    Raises :exc:`ConfigError` where it would be of use to nobody, or for names that will not do.
    """
    raw = tomllib.loads(draft.text)
    if not has_own_broker(raw, folder):
        if people:
            names = ", ".join(name for names in people.values() for name in names)
            cause = "this hall has no broker that hall init configures, and people have names at one alone"
            raise ConfigError(f"nobody can be told who is called {names}", cause, "--broker HOST; or leave them out")
        return None
    if people and raw["mqtt"].get("hosts"):
        cause = "the access lists of a cluster are written by jadoube hall up"
        raise ConfigError("people cannot be added here", cause, 'arbiters = ["NAME"] in engines.toml: docs/engines.md')
    before = people_of(folder / "broker", known_to_broker(raw))
    return known_to_broker(raw, **{kind: [*dict.fromkeys((*before[kind], *people.get(kind, ())))] for kind in before})


def _write_broker(keeper: FileKeeper, place: BrokerUsers) -> None:
    broker = keeper.folder / "broker"
    for name, text in texts(place, broker, AT_BROKER).items():
        keeper.keep(f"broker/{name}", text, SECRET)
    keeper.keep("broker/install.sh", _script())
    keeper.keep("mqtt-password", (broker / "secrets" / USER).read_text(), SECRET)
    keeper.keep("ca.crt", (broker / "tls/ca.crt").read_text())


def _unit(folder: Path) -> str:
    run = shlex.join([sys.executable, "-m", "controller.cli.main", "run", "--config", "hall.toml"])
    return f"""# The boards of the hall in {folder}, written by jadoube hall init.
# sudo systemctl enable --now {folder}/{SERVICE}

[Unit]
Description=The chess boards of a hall
Wants=network-online.target
After=network-online.target time-sync.target mosquitto.service

[Service]
Type=notify
ExecStart={run}
ExecReload=/bin/kill -HUP $MAINPID
WorkingDirectory={folder}
User={folder.owner()}
SupplementaryGroups=dialout
UMask=0027
# Fed only after every driver has completed a scan, by a task of the event loop.
WatchdogSec=10
Restart=on-failure
RestartSec=2
# 2: a configuration or a journal that no restart will mend. 75, a disk that takes nothing, is tried again.
RestartPreventExitStatus=2
TimeoutStopSec=15
# What waits for a full disk stands there: it must outlive a stop.
RuntimeDirectory=jadoube-hall
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
ProtectSystem=strict
ReadWritePaths={folder}
PrivateTmp=yes
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
"""


def _script() -> str:
    return f"""#!/bin/sh
# On the computer of the broker, in a copy of this folder: sudo sh install.sh. Written by jadoube hall init.
set -e
cd "$(dirname "$0")"
command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || apt-get install -y mosquitto
install -d -o mosquitto -g mosquitto -m 0700 {AT_BROKER} {AT_BROKER}/tls
install -o mosquitto -g mosquitto -m 0600 mosquitto.conf acl acl-public passwords {AT_BROKER}
install -o mosquitto -g mosquitto -m 0600 tls/ca.crt tls/server.crt tls/server.key {AT_BROKER}/tls
ln -sfn {AT_BROKER}/mosquitto.conf /etc/mosquitto/conf.d/jadoube.conf
systemctl restart mosquitto
"""


# -- what is said --------------------------------------------------------------------------------------------------


def _report(keeper: FileKeeper, draft: Draft, boards: BoardsOfHall, people: People, *, grown: bool) -> None:
    for line in keeper.report_lines():
        print(line)
    if boards.new and not keeper.left:
        print(f"{many(len(boards.new), 'new board')}: {ranges(boards.new)}")
    for place in boards.spare:
        print(f"to spare: {place}")
    if steps := list(_steps(keeper, draft, boards, people, grown=grown)):
        print("\nNext:")
        for number, step in enumerate(steps, 1):
            print(f"  {number}. {step}")


def _steps(keeper: FileKeeper, draft: Draft, boards: BoardsOfHall, people: People, *, grown: bool) -> Iterator[str]:
    """What is still to be done before the first move, because of what was written."""
    folder, config = shlex.quote(str(keeper.folder)), f"--config {shlex.quote(str(keeper.folder / 'hall.toml'))}"
    written = (*keeper.new, *keeper.changed)
    if any(name.startswith("broker/") for name in written) and "," in (
        nodes := _hosts(flat(tomllib.loads(draft.text)))
    ):
        yield f"sudo jadoube hall up --nodes {nodes} {config}   (a cluster of brokers: docs/engines.md)"
    elif any(name.startswith("broker/") for name in written):
        host, name = tomllib.loads(draft.text)["mqtt"]["host"], socket.gethostname()
        here = host in (name, f"{name}.local", "localhost", HERE)
        where = "" if here else f"   (on {host}, with a copy of {folder}/broker)"
        yield f"sudo sh {folder}/broker/install.sh{where}"
    if people and "broker/acl" in written:
        names = ", ".join(name for names in people.values() for name in names)
        yield f"take {folder}/ca.crt to {names}, and to each his password alone: {folder}/broker/secrets/NAME"
    if any(name.startswith("tables/board-") for name in written):
        yield f"on the computer of each table, with its file of {folder}/tables: sudo jadoube hall join FILE"
    for name in boards.computers:
        if f"tables/{name}" in written:
            yield f'on {name}, with {folder}/tables/{name}: sudo jadoube hall join FILE --dgt-serial "{BY_ID}/*"'
    if any(name.startswith("tables/") for name in written):
        yield "there: sudo systemctl enable --now jadoube   (where it runs: systemctl kill --signal HUP jadoube)"
    pairings = f"{folder}/{TRIAL}" if boards.simulated else "PAIRINGS"
    round_ = f"jadoube hall round 1 {pairings} {config}   (the file of the pairing program)"
    # Without a clock a game begins as soon as the pieces stand, and keeps the players that are known then.
    first = not grown and not boards.elsewhere and "clock" not in tomllib.loads(draft.text)["event"]
    if first:
        yield round_
    if boards.here:
        yield from _started(folder, written, draft, grown=grown)
    if grown:
        return
    if boards.here:
        yield f"jadoube pair {config}   (a code, for the arbiter's tablet)"
    if not first:
        yield round_
    if not boards.simulated:
        yield "set up the pieces and the clocks"
    yield f"jadoube hall check {config}   (until it says that all are ready)"


def _started(folder: str, written: Sequence[str], draft: Draft, *, grown: bool) -> Iterator[str]:
    """How the daemon of the boards here is started, or told of more."""
    if grown and SERVICE not in written:
        if "hall.toml" in written and "mqtt" not in tomllib.loads(draft.text):
            yield f"where it runs: Ctrl-C, and jadoube run --config {folder}/hall.toml   (the games go on)"
        elif "hall.toml" in written:
            how = "restart" if "mqtt.host" in draft.answers else "reload"  # another broker is taken at the start alone
            yield f"sudo systemctl {how} {SERVICE}   (the boards that play go on)"
    elif "mqtt" in tomllib.loads(draft.text):
        yield f"sudo systemctl enable --now {folder}/{SERVICE}"
    else:
        yield f"cd {folder} && jadoube run --config hall.toml   (in a terminal of its own)"
