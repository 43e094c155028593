"""``jadoube hall up`` and ``jadoube hall down``: what they say, and in which order they do it."""

import contextlib
import shlex
import shutil
import socket
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from controller import options
from controller.cli.engines import machine, paper, plan, units
from controller.cli.engines.paper import FOLDER, PYTHON
from controller.cli.engines.plan import Engines
from controller.cli.engines.setting import CLUSTER, Setting
from controller.cli.engines.texts import HOME, SYSTEM
from controller.cli.hall.files import read_text
from controller.cli.terminal import agreed
from controller.errors import ConfigError


def up(
    folder: Path | None, config: Path, nodes: str | None, here: str | None, *, local: bool, dry: bool, yes: bool
) -> int:
    """0 once all runs; 1 where something does not, or a file that somebody has edited would have to change.

    ``folder``: what was carried to this computer; None: what the hall's ``config`` and ``nodes`` say is written, and
    done as far as this computer is one of them. ``dry``: only says it.

    Raises :exc:`JadoubeError` where it cannot be done.
    """
    if folder is not None:
        files = paper.read(folder)
        return _set_up(_plan_in(files), files, dry=dry, yes=yes)
    hall = config.resolve().parent
    default = socket.gethostname() if local else _brokers(config)
    engines = plan.planned(plan.load(hall), nodes, local=local, default=default)
    mine = plan.mine(engines, socket.gethostname(), here)
    if mine:
        machine.check_root()
    keeper, papers = paper.write(config, engines, sys.executable if engines.local else PYTHON, dry=dry)
    for line in keeper.report_lines() if keeper.left or not mine else ():
        print(line)
    if keeper.left:
        return 1
    status = 0
    if mine:
        status = _set_up(_plan_in(papers[mine]), papers[mine], dry=dry, yes=yes)
    for number, step in enumerate(_elsewhere(hall, engines, mine, [*keeper.new, *keeper.changed]), 1):
        print(f"{'Next:' if number == 1 else '     '} {step}")
    return status


def down() -> int:
    """Stops all of it on this computer, until it is called up again; 0. What it keeps stays."""
    machine.check_root()
    ours = sorted(path.name for path in SYSTEM.glob("jadoube-*.service") if _is_ours(path.name))
    if not (HOME / plan.FILE).exists() or not ours:
        raise ConfigError(
            "no engines are set up on this computer", "it is another one", "systemctl list-units 'jadoube-*'"
        )
    databases = [f"postgresql@{version}-{CLUSTER}.service" for version in machine.clusters(CLUSTER)]
    running = [unit for unit in (*ours, units.TARGET) if machine.is_active(unit) or machine.is_enabled(unit)]
    running += filter(machine.is_active, databases)  # whether they start with the computer stands in start.conf
    if running:
        machine.run("systemctl", "disable", "--quiet", "--now", *running)
    for version in machine.clusters(CLUSTER):
        (Path("/etc/postgresql") / version / CLUSTER / "start.conf").write_text("manual\n")
    machine.run("systemctl", "daemon-reload")
    print("\n".join(f"stopped {unit}" for unit in running) or "nothing runs")
    kept = [
        Path("/var/lib") / units.STATE,
        *(Path("/var/lib/postgresql") / each / CLUSTER for each in machine.clusters(CLUSTER)),
    ]
    print("The data stays:")
    for place in kept:
        print(f"  {place}   ({_size(place)})")
    print("To run it again, with its data: sudo jadoube hall up, as before")
    return 0


def _set_up(engines: Engines, files: dict[Path, str], *, dry: bool, yes: bool) -> int:
    """On this computer."""
    machine.check_root()
    _check_libraries()
    print(f"This computer plays {', '.join(engines.here)} of {', '.join(engines.nodes)}. What is to be done:")
    foreseen = Setting(engines, files, dry=True)
    foreseen.run()
    asked = "Do it?", "this is to be done", "add --yes, or --dry-run"
    if dry or (foreseen.did and not yes and not agreed(*asked)):
        return 0
    done = Setting(engines, files, dry=False)
    if foreseen.did:
        print("Doing it:", flush=True)
        done.run()
    else:
        done.keeper = foreseen.keeper
    from controller.cli.engines import asking

    for node in asking.spread(engines):
        done.did.append(f"put the archive's queues on {node}, too")
        print(f"  {done.did[-1]}")
    if not done.did:
        print("  nothing changes")
    wrong = list(asking.asked(engines))
    for line in done.keeper.report_lines() if done.keeper.left else ():
        print(line)
    for error in wrong:
        print(f"jadoube: {error}", file=sys.stderr)
    if not wrong:
        print(
            f"All of it runs. Boards: port {engines.ports.mqtt}. Pages: http://{socket.gethostname()}:{engines.ports.pages}/"
        )
    return 1 if wrong or done.keeper.left else 0


# -- what is asked and said ------------------------------------------------------------------------------------------


def _brokers(config: Path) -> str:
    """The computers of the broker, as the hall has them."""
    mqtt = tomllib.loads(read_text(config)).get("mqtt", {})
    found = ",".join(filter(None, [mqtt.get("host", ""), *mqtt.get("hosts", [])]))
    if not found:
        raise ConfigError("it is not said which computers are the nodes", "the hall has no broker", "--nodes a,b,c")
    return found


def _plan_in(files: dict[Path, str]) -> Engines:
    return options.converted(tomllib.loads(files[HOME / plan.FILE]), Engines, plan.FILE)


def _check_libraries() -> None:
    """Raises :exc:`ConfigError` where the archive's are not installed."""
    try:
        import aio_pika  # noqa: F401
        import psycopg  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the archive needs the library {error.name}",
            "jadoube was installed as for a table, which has no archive",
            "make deb EXTRA=archive, and install that package here: docs/engines.md",
        ) from error


def _elsewhere(hall: Path, engines: Engines, mine: tuple[str, ...], written: Sequence[str]) -> Iterator[str]:
    """What is still to be done at other computers, because of what was ``written``."""
    if engines.local:
        return
    for node in engines.nodes:
        if node not in mine and any(name.startswith(f"{FOLDER}/{node}/") for name in written):
            folder = shlex.quote(str(hall / FOLDER / node))
            yield f"carry {folder} to {node}, and there: sudo jadoube hall up {node}"


def _is_ours(unit: str) -> bool:
    return unit == units.PROXY or unit.startswith(("jadoube-broker-", "jadoube-archiver-", "jadoube-console-"))


def _size(place: Path) -> str:
    """Of a folder; files may come and go meanwhile."""
    found = 0
    for path in place.rglob("*"):
        with contextlib.suppress(OSError):
            found += path.lstat().st_size
    return f"{found / 10**6:.0f} MB, {shutil.disk_usage(place).free / 10**9:.1f} GB free"
