"""``jadoube doctor``: looks at everything that a board needs to be played on, and names the command that mends it."""

import asyncio
import contextlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib import metadata
from pathlib import Path

import aiomqtt
from aiomqtt import ProtocolVersion

from controller import credentials
from controller.cli.hall.broker import own_broker
from controller.cli.hardware import machine
from controller.cli.hardware.beside import beside
from controller.cli.hardware.foreseen import foreseen
from controller.cli.hardware.health import CheckResult, failed, fault, json, ok, status, text, warning
from controller.cli.hardware.look import ReportedBoard, looking
from controller.cli.hardware.picture import summary, unlike_start
from controller.cli.hardware.served import served
from controller.cli.hardware.wiring import named
from controller.cli.terminal import many
from controller.config import BoardPlace, Config, Setup, load
from controller.daemon.measured import LEAST, LossesInPlay, calibrated
from controller.daemon.measured import sensors as sensors_of
from controller.errors import ConfigError, JadoubeError, JournalError
from controller.journal import Journal, hear, in_use
from controller.outlets.mqtt.connection import talk
from controller.outlets.mqtt.levels import of_place, told_on
from controller.outlets.mqtt.topics import Status
from controller.wire import heard_as
from hardware.boards import BoardConfig
from hardware.lamps import Lamps
from hardware.order import ALL

ANSWER_S = 8.0
LOOK_S = 1.5  #: so long the sensors are watched
FLICKER = 6  #: a sensor that changes so often meanwhile flickers, for nobody moves pieces
NEARLY = 4  #: so few squares unlike the start are worth a question
SPARE_MS = 5  #: so much longer than contacts were seen to bounce a reading has to hold
MANY = 0.02  #: of all edges; a board that loses more of them is in need of repair
RETAINED_S = 0.5  #: what is retained comes at once


def doctor(config: Path, as_json: bool) -> int:
    """Prints what was found; 0 if all is right, 1 with warnings, 2 with faults."""
    found = list(examine(config))
    print(json(found) if as_json else text(found))
    return status(found)


def examine(path: Path) -> Iterator[CheckResult]:
    """Everything, one after the other; what needs a configuration only where there is one."""
    try:
        config = load(path)
    except ConfigError as error:
        missing = not path.exists()
        remedy = f"jadoube setup --out {path}" if missing else error.next_step or f"nano {path}"
        yield fault("configuration", error.what, "there is none yet" if missing else error.cause, remedy)
        yield from machine.python(None)
        yield from machine.disk(Path.cwd())
    else:
        credentials.look_at_those_of(machine.unit(path))
        journal = Path(config.journal.path).expanduser()
        for place in config.named.values():
            yield from _board(path, place, running=in_use(journal))
        yield from foreseen(config)
        yield from served(config, running=in_use(journal))
        yield from broker(config)
        yield from machine.disk(journal.absolute().parent)
        yield from _journal(journal)
        if isinstance(config, Config) and journal.exists():
            yield from lost(config, journal)
    yield from machine.clock()
    yield from machine.service(metadata.version("jadoube"), machine.unit(path))
    yield from machine.pi()


# -- the board -----------------------------------------------------------------------------------------------------


def _board(path: Path, place: BoardPlace, running: bool) -> Iterator[CheckResult]:
    kind = str(place.board.__struct_config__.tag)
    yield ok("configuration", f"{path}: board {place.number}, {kind}")
    yield from machine.python(kind, getattr(place.board, "library", "RPi.GPIO"))
    yield from machine.devices(place.board, kind)
    yield from machine.pins(wire for _, wire, real in place.wires if real)
    if running:
        yield ok("sensors", "the running daemon holds the board, and says itself what is wrong with it")
    else:
        yield from sensors(place.board)
        yield from beside(place, LOOK_S)


def sensors(board: BoardConfig) -> Iterator[CheckResult]:
    """A short look at the board, while nobody moves pieces."""
    with looking(board) as (look, driver):
        if isinstance(driver, Lamps):
            driver.light(ALL)
        if not look.wait_whole(ANSWER_S):
            if look.fault is not None:
                yield failed("sensors", look.fault)
            else:
                yield fault("sensors", "the board does not answer", "it is switched off", "jadoube boards --ports")
            return
        end = time.monotonic() + LOOK_S
        while (left := end - time.monotonic()) > 0:
            look.wait(left)
        yield from _judged(look)
        if isinstance(driver, Lamps):
            yield ok("lamps", f"those that the board has were told to shine for {LOOK_S} s")


def _judged(look: ReportedBoard) -> Iterator[CheckResult]:
    if flickering := [square for square, count in enumerate(look.edges) if count >= FLICKER]:
        cause = "a weak magnet, a piece off the middle of its square, or a loose wire"
        yield warning("sensors", f"flickering: {named(flickering)}", cause, "jadoube board, and exchange the piece")
    if look.fault is not None:
        yield failed("sensors", look.fault)
    for remark in look.remarks.values():
        yield warning("sensors", remark.what, remark.cause, remark.next_step)
    seen = ", ".join(summary(look.shown))
    if look.shown.count == 64:
        cause = "a wire that is off where the sensors are read, or a supply that is missing"
        yield fault("sensors", "pieces are seen on all 64 squares", cause, "jadoube test")
    elif not look.shown.occupied:
        cause = "an empty board, or a cable that is off"
        yield warning("sensors", "no piece is seen", cause, "set the pieces up, and look again; jadoube test")
    elif 0 < len(wrong := unlike_start(look.shown)) <= NEARLY:
        cause = "pieces still to be set up, or sensors that stick or see nothing"
        yield warning("sensors", f"nearly the start, but for {named(wrong)}", cause, "set the pieces up; jadoube test")
    elif not flickering:
        yield ok("sensors", f"the board answers: {seen}")


# -- the journal ---------------------------------------------------------------------------------------------------


def _journal(path: Path) -> Iterator[CheckResult]:
    """Whether every record is what was written. A copy is read, so that no daemon is disturbed."""
    if not path.exists():
        noted = hear(path).noted
        if noted is not None and noted.reached:
            what = f"{path} is gone, and had come to record {noted.reached}"
            remedy = f"put it back, if it can be found: ls -la {path.parent}"
            yield fault("journal", what, "it was deleted or moved away", remedy)
        else:
            yield ok("journal", f"{path} will be made with the first game")
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        try:
            _copy(path, copy)
            with closing(Journal(copy)) as journal:
                journal.verify()
                records = journal.head.seq
                doubt = _doubt(path, journal)
        except JournalError as error:
            yield fault(
                "journal", *(part.replace(str(copy), str(path)) for part in (error.what, error.cause, error.next_step))
            )
            return
        except (OSError, sqlite3.Error) as error:
            cause = "it belongs to another user" if isinstance(error, PermissionError) else "a damaged file"
            yield fault("journal", f"{path} cannot be read: {error}", cause, f"sudo -u jadoube ls -l {path}")
            return
    if doubt is not None:
        yield warning("journal", doubt.what, doubt.cause, doubt.next_step)
        return
    yield ok("journal", f"{path}: {records} records, each as it was written{', in use' if in_use(path) else ''}")


def _doubt(path: Path, copy: Journal) -> JournalError | None:
    """What is to be said of a ``copy`` of the journal ``path`` that is not all that was written; None where it is."""
    restored = copy.restored
    if restored is None:
        return None
    if restored.aside is None and restored.lost and in_use(path):  # the daemon has them, and has noted that they wait
        first, last = restored.lost[0][0], restored.lost[-1][1]
        wait = f"record {first} waits" if first == last else f"records {first} to {last} wait"
        remedy = f"make room, and leave the machine and jadoube on: df -h {path.absolute().parent}; dmesg | tail"
        return JournalError(
            f"{path}: {restored.records} records are there, {wait} in the daemon's memory, and nothing is lost so far",
            "the disk is full, read-only or failing",
            remedy,
        )
    return restored.notice()


def _copy(path: Path, copy: Path) -> None:
    """A consistent copy, also of a journal that is being written. A file that is no database is copied as it is."""
    with contextlib.suppress(FileNotFoundError):  # the witness first: it may be late, but not ahead
        shutil.copyfile(f"{path}-witness", f"{copy}-witness")
    url = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(url, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    except sqlite3.DatabaseError:
        shutil.copyfile(path, copy)


def lost(config: Config, path: Path) -> Iterator[CheckResult]:
    """What the board lost of the moves of the last games, and what the next one makes of it."""
    try:
        measured, played = calibrated(path), LossesInPlay(config, path)
        count = played.count(None if measured is None else measured.at)
    except JadoubeError as error:
        yield failed("losses", error)
        return
    found = [f"{count.lost} of {count.edges} edges lost in {many(played.games, 'game')}"]
    if measured is not None:
        found.append(f"{measured.lost} of {measured.edges} when it was calibrated")
    known = sensors_of(config.board, measured, count, config.event.settings.debounce_ms)
    if known is None:
        told = f"too few to make anything of it: {LEAST} are wanted; jadoube calibrate has them in some minutes"
    else:
        told = f"the next game reckons with {100 * known.lost:.2g} % and a look every {known.scan_ms:g} ms"
    what = f"{', '.join(found)}: {told}"
    if known is not None and known.lost > MANY:
        cause = "weak magnets, sensors too far from the pieces, a board that is looked at too seldom, or a bad cable"
        yield warning("losses", what, cause, "jadoube test; jadoube board")
    else:
        yield ok("losses", what)
    debounce_ms = config.event.settings.debounce_ms
    if measured is not None and measured.bounce_ms >= debounce_ms:
        what = f"contacts bounce for up to {measured.bounce_ms} ms, and debounce_ms is {debounce_ms}"
        cause = "what bounces for longer is taken for a piece lifted and set down"
        yield warning("bounce", what, cause, f"[event.settings] debounce_ms = {measured.bounce_ms + SPARE_MS}")


# -- the broker ----------------------------------------------------------------------------------------------------


def broker(config: Setup) -> Iterator[CheckResult]:
    """Really connects, and passes on what a running daemon says of its equipment."""
    if (mqtt := config.mqtt) is not None:
        version, name = ProtocolVersion.V5, ", ".join(mqtt.hosts) or mqtt.host
    else:
        journal = Path(config.journal.path).expanduser()
        own = "none is named: the daemon runs one of its own, for this machine only"
        if not in_use(journal):
            yield ok("broker", own)
            return
        try:
            (mqtt, version), name = own_broker(journal), "the daemon's own"
        except (OSError, ValueError):
            yield ok("broker", f"{own}, and has not started it yet")
            return
    topics = [
        told_on(of_place(config.event.venue, f"board/{place.number}"), "status") for place in config.named.values()
    ]
    try:
        heard = talk(mqtt, version, partial(_retained, topics))
    except JadoubeError as error:
        yield failed("broker", error)
        return
    yield ok("broker", f"{name} answers")
    for one in heard:
        for notice in (one.notices or ()) if one.state == "online" else ():
            yield fault("daemon", notice.what, notice.cause, notice.next_step or "journalctl -u jadoube -n 30")


async def _retained(topics: Sequence[str], client: aiomqtt.Client, _: ProtocolVersion) -> list[Status]:
    heard: dict[str, Status] = {}
    for topic in topics:
        await client.subscribe(topic, qos=1)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(RETAINED_S):
            while len(heard) < len(topics):
                message = await anext(client.messages)
                if (said := heard_as(message.payload, Status)) is not None:
                    heard[message.topic.value] = said
    return list(heard.values())
