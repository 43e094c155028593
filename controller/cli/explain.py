"""``jadoube explain``: a game in plain words, judged from its session log or read from its event log."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.cli.replay import in_line, judge, lines_of, unread
from controller.contract import AnyEvent, Edition, Session
from controller.errors import JadoubeError, LogError
from controller.wire import UNREADABLE, decode_event, decode_session, encode
from controller.words import LanguageCode
from controller.words.context import Contexts
from controller.words.language import language
from controller.words.say import say


class _LogLine(msgspec.Struct):
    """As much of a line as tells a session log from an event log."""

    type: str


def explain(lines: Iterable[bytes], name: str, code: LanguageCode, laws: Edition | None = None) -> Iterator[str]:
    """Each event of a log in one sentence, with its time; in a match with its board.

    A session log is judged, under ``laws`` if given. An event log is read as it is: its clauses are its own, the
    options those of ``laws``, and where its game began is not known. Raises :exc:`LogError` naming ``name`` and the
    line; what came before has been said.
    """
    to = language(code)
    contexts, events = _read(iter(lines), name, laws)
    for event in events:
        context = contexts.of(event)
        board = f"{event.board}  " if event.board else ""
        try:
            said = f"{to.at(event.ms):>10}  {board}{say(event, code, context)}"
            context.apply(event)
        except (ValueError, LookupError) as error:  # of an event log that somebody has changed
            raise LogError(f"{name}: an event that makes no sense: {encode(event).decode()}: {error}") from error
        yield said


def _read(lines: Iterator[bytes], name: str, laws: Edition | None) -> tuple[Contexts, Iterator[AnyEvent]]:
    """The events of a log, judged or read, and the contexts to say them in."""
    blank: list[bytes] = []
    first = b""
    for first in lines:
        if first.strip():
            break
        blank.append(first)
    number = len(blank) + 1
    if not first.strip():
        nothing = LogError("malformed log: expected a session line or an event, found nothing")
        raise in_line(nothing, name, number, first=True)
    if not _is_event(first):
        try:
            session = decode_session(first)
        except LogError as error:
            raise in_line(error, name, number, first=True) from error
        if laws is not None:
            session = replace(session, laws=laws)
        judged = judge(chain(blank, [encode(session)], lines), name)
        return Contexts(session), (decode_event(line) for many in judged for line in many.splitlines())
    session = Session(version=1, laws=laws) if laws is not None else Session(version=1)
    return Contexts(session, begun=True), _events(chain(blank, [first], lines), name)


def _is_event(line: bytes) -> bool:
    try:
        return msgspec.json.decode(line, type=_LogLine).type != "session"
    except UNREADABLE:
        return False  # let the session's decoder say what was expected


def _events(lines: Iterable[bytes], name: str) -> Iterator[AnyEvent]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield decode_event(line)
            except LogError as error:
                raise in_line(error, name, number, first=number == 1) from error


def explain_file(path: Path, code: LanguageCode, laws: Edition | None) -> int:
    """Print a log in words; 0 if all of it could be judged, 2 if it is malformed or cannot be read."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        if str(path) == "-":
            _print(explain(lines_of(sys.stdin.buffer), "standard input", code, laws))
        else:
            with path.open("rb") as file:
                _print(explain(lines_of(file), str(path), code, laws))
    except BrokenPipeError:  # nobody reads on
        raise
    except (JadoubeError, OSError) as error:
        sys.stdout.flush()
        print(unread(error), file=sys.stderr)
        return 2
    return 0


def _print(sentences: Iterator[str]) -> None:
    for sentence in sentences:
        print(sentence)
    sys.stdout.flush()
