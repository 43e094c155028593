"""``jadoube replay``: session logs in, event logs out, through the code of the live game."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from controller import wire
from controller.collector import few_collections
from controller.contract import AnyEvent, AnyInput
from controller.errors import ConfigError, JadoubeError, LogError
from controller.game import Game
from controller.match import MatchAQuatre, game_of

LONGEST = 1 << 16  #: bytes of a line; what is longer is no log
CHANGED = "the log was cut short, or changed by another program"
NO_LOG = (
    "another kind of file, or a first line by hand",
    "jadoube export makes logs of a journal, jadoube decode of a board's bytes",
)
"""What causes a first line that is malformed, and what to do about it."""


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a log, none read further than it takes to see that it is too long."""
    return iter(partial(file.readline, LONGEST + 1), b"")


@contextmanager
def opened(path: Path) -> Iterator[tuple[Iterator[bytes], str]]:
    """The lines of the log ``path``, of standard input for ``-``, and what it is called. Raises OSError."""
    if str(path) == "-":
        yield lines_of(sys.stdin.buffer), "standard input"
    else:
        with path.open("rb") as file:
            yield lines_of(file), str(path)


def judge(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """The event lines of one log, as they come: all that came of one input together. Raises :exc:`LogError` as
    :func:`judged`."""
    for _, events in judged(lines, name):
        if events:
            yield wire.encode_lines(events)


def judged(lines: Iterable[bytes], name: str) -> Iterator[tuple[AnyInput | None, Sequence[AnyEvent]]]:
    """Each input of one log with the events that came of it; last, with no input, what came of the end of the log.

    Raises :exc:`LogError` naming ``name``, the line, the field and what was expected; what came before has been judged.
    """
    number = 0
    game: Game | MatchAQuatre | None = None
    latest = 0
    decode = wire.decode_input
    try:
        for line in lines:
            number += 1
            if len(line) > LONGEST:
                raise LogError(f"malformed log: a line of more than {LONGEST} bytes")
            if not line.strip():
                continue
            if game is None:
                game = game_of(wire.decode_session(line))
                handle = game.handle
                continue
            item = decode(line)
            if item.ms < latest:
                raise LogError(f"malformed input: expected `ms` of at least {latest}, not {item.ms} - at `$.ms`")
            latest = item.ms
            yield item, handle(item)
        if game is None:
            raise LogError("malformed log: expected a session line, found nothing")
    except JadoubeError as error:
        if game is not None:
            yield None, game.finish()
        raise in_line(error, name, max(number, 1), first=game is None) from error
    yield None, game.finish()


def in_line(error: JadoubeError, name: str, number: int, *, first: bool) -> LogError:
    """What is wrong with that line of a log, the likely cause, and what to do; ``first``: nothing came before it."""
    cause, next_step = error.cause, error.next_step
    if not cause:
        cause, next_step = NO_LOG if first else (CHANGED, "")
    return LogError(f"{name}, line {number}: {error.what}", cause, next_step or f"sed -n {number}p {shlex.quote(name)}")


def replay_files(paths: list[Path], out: Path | None) -> int:
    """Judge each log; 0 if all could be, 2 if one is malformed or cannot be read.

    Raises :exc:`ConfigError` where there can be no folder ``out``, or two logs would be written to one file there.
    """
    status = 0
    few_collections()
    names = Counter(path.name for path in paths)
    if out is not None and (twice := [path for path in paths if names[path.name] > 1]):
        what = f"{' and '.join(map(str, twice))}: their events would be written to one file of {out}"
        raise ConfigError(what, "logs of several folders have the same name", "replay each folder into one of its own")
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            cause = "it is no folder, or belongs to another user"
            raise ConfigError(f"{out} cannot be written to: {error.strerror}", cause, f"ls -ld {out}") from error
    for path in paths:
        try:
            with opened(path) as (lines, name):
                _write(judge(lines, name), out and out / ("stdin.jsonl" if str(path) == "-" else path.name))
        except BrokenPipeError:  # nobody reads on, so nothing is left to judge
            raise
        except (JadoubeError, OSError) as error:
            print(unread(error), file=sys.stderr)
            status = 2
    return status


def unread(error: JadoubeError | OSError) -> JadoubeError:
    """Why a log was not judged to its end, so that the reader knows what to do."""
    if isinstance(error, JadoubeError):
        return error
    where = Path(error.filename or ".")
    return LogError(f"{where}: {error.strerror}", "another folder or name", f"ls -l {where.parent}")


def _write(events: Iterator[bytes], target: Path | None) -> None:
    if target is None:
        for line in events:
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return
    try:
        with target.open("wb") as file:
            file.writelines(events)
    except LogError as error:
        if target.stat().st_size:
            what = f"{error.what}; {target} has what was judged before it, not the whole game"
            raise LogError(what, error.cause, error.next_step) from error
        target.unlink()
        raise
