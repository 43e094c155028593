"""What is said on which topic: pure functions from the journal's news to MQTT payloads. Sent by :mod:`.outlet`.

Each event names the record ``after`` which it comes among those that are told, and ``head`` the last one told: so a
receiver knows that it has missed something although numbers in between belong to inputs, which are not told.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Literal

from msgspec import Raw, Struct, to_builtins

from controller import contract as c
from controller.errors import JadoubeError, LogError, SettledError, UnrestoredError
from controller.outlets.alerts import wants_arbiter
from controller.outlets.follow import Follower, News, S
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt.levels import Last
from controller.outlets.notices import TechnicalNotice
from controller.outlets.scoresheet import Scoresheet
from controller.wire import encode

SHOWN = (
    c.Move,
    c.Retract,
    c.Result,
    c.Displaced,
    c.Restored,
    c.Stalled,
    c.Followed,
    c.Stock,
    c.Match,
)  #: what changes the retained state


MARKED: dict[str, type[JadoubeError]] = {"settled": SettledError, "unrestored": UnrestoredError}
"""The refusals to which a page has an answer of its own, and what marks them."""


class Refusal(Struct, frozen=True):
    """A refusal as it is told, here and by the pages, and read again from afar."""

    what: str
    cause: str = ""
    next_step: str = ""
    settled: bool = False
    unrestored: bool = False

    @property
    def error(self) -> JadoubeError:
        """The same as it was raised there."""
        kind = next((kind for mark, kind in MARKED.items() if getattr(self, mark)), LogError)
        return kind(self.what, self.cause, self.next_step)


class Publication(Struct, frozen=True):
    """One publication; ``topic`` is the last level."""

    topic: Last
    payload: bytes
    retain: bool = False


class Begins(Struct, frozen=True):
    """What begins the next game, now that the pieces stand ready: a press of ``side``; the passing of some seconds; or
    nothing but a command, where they have not been away from the start since the last game began.
    """

    by: Literal["press", "time", "command"]
    side: c.Side | None = None  #: None also of a match where another one presses on each board


class Phase(Struct, frozen=True, omit_defaults=True):
    """Whether a game is played on the board, may begin, or waits for pieces to be set up; and before it is played,
    what there is to be known of the next one.
    """

    phase: Literal["setting-up", "ready", "playing"]
    begins: Begins | None = None  #: while it is ready
    missing: tuple[str, ...] = ()  #: squares that do not stand as the next game begins, where they are few
    tags: dict[str, str] = {}  #: of the next game, as PGN has them
    clock_s: tuple[int, int] | None = None  #: what a clock that keeps its own time shows for White and Black


class Voice(Struct, frozen=True):
    """What a feed makes of the news: what it tells at once, and how its retained topics stand."""

    tell: Callable[[Iterable[News[Any]]], Iterator[Publication]]
    retained: Callable[[Follower[Any], Collection[Last]], Iterator[Publication]]
    topics: frozenset[Last]  #: those that are retained, and told anew after a break
    shown: tuple[type, ...]  #: the events that change the retained state

    def stale(self, batch: Iterable[News[Any]]) -> set[Last]:
        """The retained topics that are told anew after a batch; the head moves on with each record."""
        topics: set[Last] = {*self.topics} & {"head"}
        for news in batch:
            if news.event is None or isinstance(news.event, self.shown):
                topics.add("state")
            if news.event is None or isinstance(news.event, c.Clock):
                topics.add("clock")
            if news.event is None or wants_arbiter(news.event):
                topics.add("last-alert")
        return topics


def tell(batch: Iterable[News[S]]) -> Iterator[Publication]:
    """What a batch has to say at once: moves first, then what wants an arbiter, then each event on its own."""
    events: list[Publication] = []
    alerts: list[Publication] = []
    for news in batch:
        payload = event(news)
        events.append(Publication("event", payload))
        if isinstance(news.event, c.Move | c.Retract):
            yield Publication("move", payload)
        if wants_arbiter(news.event):
            alerts.append(Publication("alert", payload))
    yield from alerts
    yield from events


def retained(now: Follower[S], topics: Collection[Last]) -> Iterator[Publication]:
    """These topics as they stand ``now``."""
    if "state" in topics:
        yield from state(now, _shown)
    if "clock" in topics:
        yield from clock(now)
    if "head" in topics:
        about = {"hash": now.head.hash.hex(), "last": now.told, "origin": now.origin}
        yield Publication("head", encode(where(now) | about), retain=True)
    if "last-alert" in topics:
        yield last_alert(now)


HALL = Voice(tell, retained, frozenset({"state", "clock", "head", "last-alert"}), SHOWN)


def event(news: News[S], **more: Any) -> bytes:
    """One event as it is in the journal, with the number, game and ply it belongs to put before, and the journal's
    ``origin``; where a game begins, its ``opening``, as an event ``game``.
    """
    record = news.record
    about = {"seq": record.seq, "game": record.game, "ply": news.ply, "after": news.after, "origin": news.origin} | more
    if news.event is None:
        return encode(about | {"type": "game", "opening": Raw(record.body)})
    said = {name: value for name, value in about.items() if name not in news.event.__struct_fields__}  # as in a move
    return encode(said)[:-1] + b"," + record.body[1:]


def state(now: Follower[S], shown: Callable[[Scoresheet], dict[str, Any]]) -> Iterator[Publication]:
    """The game as it stands, each board as it is ``shown``. No touch and no obligation: a screen in the hall may show
    all that is retained.
    """
    match now.sheet:
        case Scoresheet() as sheet:
            yield Publication("state", encode(where(now) | shown(sheet)), retain=True)
        case Matchsheet() as sheet:
            boards = {name: shown(board) for name, board in sheet.boards.items()}
            told = {"match": to_builtins(sheet.result), "boards": boards, "tags": sheet.opening.tags}
            yield Publication("state", encode(where(now) | told), retain=True)


def last_alert(now: Follower[S]) -> Publication:
    """The last alert of this game, and how many there were: for who was away when it was told."""
    said = {"count": now.alerts, "alert": Raw(b"null" if now.last_alert is None else event(now.last_alert))}
    return Publication("last-alert", encode(where(now) | said), retain=True)


def docket(now: Follower[S], told: dict[str, Any]) -> Publication:
    """What awaits a ruling, and what was said to it: as of :meth:`.Docket.told`."""
    about = {"origin": now.origin, "last": now.told, "open": [], "said": []}
    return Publication("docket", encode(where(now) | about | told), retain=True)


def _shown(sheet: Scoresheet) -> dict[str, Any]:
    last = sheet.entries[-1].move if sheet.entries else None
    shown = {
        "fen": sheet.fen,
        "uci": last.uci if last else None,
        "san": last.san if last else None,
        "displaced": sheet.displaced,
        "stalled": stalled(sheet),
        "result": to_builtins(sheet.result),
        "tags": sheet.tags,
    }
    return shown if sheet.board_id is None else shown | {"stock": sheet.stock, "match": to_builtins(sheet.match)}


def stalled(sheet: Scoresheet) -> dict[str, int] | None:
    """After which move, and since when, the score stands while play goes on; not why, for a screen may show it."""
    stands = sheet.stalled
    return None if stands is None else {"after_ply": stands.after_ply, "since_ms": stands.since_ms}


NO_CLOCK: dict[str, Any] = {"white_ms": None, "black_ms": None, "running": None}
"""In place of the clocks, where a game has none: those of the game before are not its own."""


def clock(now: Follower[S]) -> Iterator[Publication]:
    """The clocks as they stood when last started, stopped or set; of a match those of each board."""
    match now.sheet:
        case Scoresheet() as sheet:
            shown = NO_CLOCK if sheet.clock is None else to_builtins(sheet.clock)
            yield Publication("clock", encode(where(now) | shown), retain=True)
        case Matchsheet() as sheet:
            clocks = {name: to_builtins(board.clock) for name, board in sheet.boards.items()}
            yield Publication("clock", encode(where(now) | clocks), retain=True)


Presence = Literal["online", "offline"]


class Status(Struct, frozen=True, omit_defaults=True):
    """Whether the board is there, and what is wrong with it. A last will cannot know how far the game has come."""

    state: Presence
    connected_at: int = 0  #: when the connection began of which this is said, in ms since 1970
    notices: list[TechnicalNotice] | None = None
    via: str | None = None  #: of a board that shares its connection: on which topic the last will of that is said


def status(now: Follower[S], said: Status, phase: Phase | None = None) -> Publication:
    """What is so at this moment; ``phase``, where it is told."""
    about = {} if phase is None else to_builtins(phase)
    return Publication("status", encode(where(now) | to_builtins(said) | about), retain=True)


def will(at: int) -> Publication:
    """What the broker is to say when the connection that begins ``at`` has ended without a word."""
    return Publication("status", encode(Status("offline", at, [])), retain=True)


def health(now: Follower[S], notices: Collection[TechnicalNotice], measured: dict[str, Any]) -> Publication:
    """How the machine and its parts are: ``well``, or ``degraded`` with what is wrong; and the figures behind it."""
    said = {"state": "degraded" if notices else "well", "notices": list(notices), "measured": measured}
    return Publication("health", encode(where(now) | said), retain=True)


def done(now: Follower[S], seq: int) -> bytes:
    """The answer to a command that was carried out; ``seq`` is the record it left, or led up to."""
    return encode(where(now) | {"type": "done", "seq": seq})


def replayed(now: Follower[S], seq: int, at: int, gone: tuple[int, int] | None) -> bytes:
    """The end of a replay up to ``seq``. ``at``: what the time of day is here, in ms since 1970, by which a receiver
    knows whether his clock is ours. ``gone``: from which to which record there was more once.
    """
    said = {"gone": {"first": gone[0], "last": gone[1]}} if gone is not None else {}
    return encode(where(now) | {"type": "done", "seq": seq, "at": at} | said)


def refused(now: Follower[S], error: JadoubeError) -> bytes:
    """The answer to a command that changed nothing."""
    said = {"type": "refused", "what": error.what, "cause": error.cause, "next_step": error.next_step}
    return encode(where(now) | said | {name: True for name, kind in MARKED.items() if isinstance(error, kind)})


def where(now: Follower[S]) -> dict[str, Any]:
    """Number, game and ply of what was taken last."""
    sheet = now.sheet
    return {"seq": now.seq, "game": sheet.opening.game if sheet else None, "ply": sheet.ply if sheet else 0}
