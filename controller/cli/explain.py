"""``jadoube explain``: a game in plain words, judged from its session log or read from its event log."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.cli.replay import in_line, judged, opened, unread
from controller.contract import AnyEvent, AnyInput, Clock, Completed, Edition, Event, Notable, Session, other
from controller.errors import JadoubeError, LogError
from controller.wire import UNREADABLE, decode_event, decode_session, encode
from controller.words import LanguageCode
from controller.words.context import Context, Contexts
from controller.words.inputs import name_notice, say_input
from controller.words.language import language
from controller.words.say import parts


class _LogLine(msgspec.Struct):
    """As much of a line as tells a session log from an event log."""

    type: str


def explain(lines: Iterable[bytes], name: str, code: LanguageCode, laws: Edition | None = None) -> Iterator[str]:
    """Each event of a log, and of a session log what people said, in one sentence, with its time; in a match with its
    board.

    A session log is judged, under ``laws`` if given. An event log is read as it is: its clauses are its own, the
    options those of ``laws``, and where its game began is not known. Raises :exc:`LogError` naming ``name`` and the
    line; what came before has been said.
    """
    contexts, told = _read(iter(lines), name, laws)
    teller = _Teller(contexts, code)
    for item in told:
        try:
            said = teller.tell(item)
        except (ValueError, LookupError) as error:  # of an event log that somebody has changed
            raise LogError(f"{name}: a line that makes no sense: {encode(item).decode()}: {error}") from error
        if said is not None:
            yield said


class _Teller:
    """Tells one thing after the other, of which each may rest on those before it."""

    def __init__(self, contexts: Contexts, code: LanguageCode) -> None:
        self._contexts = contexts
        self._code = code
        self._notices: dict[str, str] = {}  # what a ruling may answer

    def tell(self, item: AnyInput | AnyEvent) -> str | None:
        """In one sentence, with time and board; None for what is said by another sentence, or says nothing."""
        context = self._contexts.of(item)
        if isinstance(item, Event):
            said = self._event(item, context)
        else:
            said = say_input(item, self._code, context, self._notices)
        if said is None:
            return None
        board = f"{item.board}  " if item.board else ""
        return f"{language(self._code).at(item.ms):>10}  {board}{said}"

    def _event(self, event: AnyEvent, context: Context) -> str | None:
        said = parts(event, self._code, context)
        repeated = _repeats(event, context.latest)
        context.apply(event)
        if isinstance(event, Notable):
            self._notices[event.id] = name_notice(event, said.what, self._code)
        return None if repeated else said.text


def _repeats(event: AnyEvent, latest: Event | None) -> bool:
    """Whether it says no more than a press that was just told: the times that it left, and that the opponent's clock
    runs."""
    if not (isinstance(event, Clock) and isinstance(latest, Completed)) or event.running != other(latest.side):
        return False
    return event == Clock(
        ms=latest.ms,
        board=latest.board,
        white_ms=-1 if latest.white_ms is None else latest.white_ms,
        black_ms=-1 if latest.black_ms is None else latest.black_ms,
        running=event.running,
    )


def _read(lines: Iterator[bytes], name: str, laws: Edition | None) -> tuple[Contexts, Iterator[AnyInput | AnyEvent]]:
    """The inputs and events of a log, judged or read, in their order, and the contexts to say them in."""
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
        return Contexts(session), _in_order(judged(chain(blank, [encode(session)], lines), name))
    session = Session(version=1, laws=laws) if laws is not None else Session(version=1)
    return Contexts(session, begun=True), _events(chain(blank, [first], lines), name)


def _in_order(
    judged: Iterable[tuple[AnyInput | None, Sequence[AnyEvent]]],
) -> Iterator[AnyInput | AnyEvent]:
    """Each input after the events of earlier instants that came to light with it, and before its own."""
    for item, events in judged:
        if item is None:
            yield from events
            continue
        yield from (event for event in events if event.ms < item.ms)
        yield item
        yield from (event for event in events if event.ms >= item.ms)


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
        with opened(path) as (lines, name):
            for sentence in explain(lines, name, code, laws):
                print(sentence)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on
        raise
    except (JadoubeError, OSError) as error:
        sys.stdout.flush()
        print(unread(error), file=sys.stderr)
        return 2
    return 0
