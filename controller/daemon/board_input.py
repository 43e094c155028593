"""What comes in of one board and its clock, as the session hears it. There is one in a game, and two in a match.

Readings, presses and commands come in; out come the inputs of the game, in the order in which they happened, each as
soon as nothing from before it can still come to light. Of two boards the one must be asked whether the other may speak.

There is one kind of gap, in which nobody sees what happens: before the board has shown itself for the first time, while
it is away, and while it shows what no hands have done. Edges that come to light in it are not told, and presses wait.
When the board has been looked at as a whole, and that has held for the debounce time, the game is told what stands
there as one picture; then the presses that came meanwhile, each once a look has followed it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import chess
from msgspec import Struct
from msgspec.structs import replace

from controller.chess960 import standing
from controller.config import TableSetup
from controller.contract import AnyInput, BoardId, Frame, Lift, Place, Press, Seen, Sensor, Side, Time, Unseen
from controller.daemon.dial import Dial
from controller.daemon.kings import Kings
from controller.daemon.play import PlayedBoard
from controller.daemon.presses import BLIND_MS, Buttons, HeldInput, Presses
from controller.daemon.sensed import Sensed, SquareEdge
from controller.daemon.suspects import MOST_DEAD
from controller.daemon.watch import SensorWatch, names
from controller.errors import DeviceError
from controller.outlets.notices import Notices, at
from controller.position import Position
from controller.shown import NOTHING, SOMETHING, Shown, left_first
from hardware.boards import BoardConfig, BoardReading, Change
from hardware.boards.matrix import MatrixConfig


class Left(Struct, frozen=True):
    """From ``ms`` on nobody sees the board."""

    ms: int


class Back(Struct, frozen=True):
    """The board is seen again, and has shown the same as at ``ms`` since."""

    ms: int


class Stood(Struct, frozen=True):
    """From ``since`` to ``until`` the pieces stood ready for a game; the board showed them as ``shown``."""

    since: int
    until: int
    shown: Shown


NextHeard = SquareEdge | HeldInput | Left | Back


class NextInput(Struct, frozen=True):
    """What the game is told next: an input, at ``ms`` of the daemon; and who waits for what becomes of it."""

    ms: int
    item: AnyInput  #: its time is that of the session
    held: HeldInput | None


At = Callable[[int], int]
"""What a time of the daemon is in the session."""

SWAP_HZ = 50  #: scanned so often, a square is seen empty when a piece is taken there
UNDRAWN = "no start position of chess960 stands on the board"
UNFINISHED = DeviceError(
    "the pieces are set up for a game, while the one before has no result",
    "its result was not given; the board cannot see a draw that was agreed, or that somebody resigned",
    "give its result, and the next begins as ever",
)
PUT_BACK = 4  #: who takes moves back, instead of setting the pieces up, changes so many squares at most; a guess
WAITS = DeviceError(
    "a press of the clock waits: the whole board has not been seen since",
    "the board is away, hangs, or shows what no hands have done",
    "see to the board; the press counts from when it was made",
)
CHATTER = DeviceError(
    "the clock was pressed as no hands can press it, and not all of that counts",
    "the contacts of its buttons or of its lever chatter",
    "debounce them, at the contact or in the program of the board; press again what was missed",
)
STILL_MS = 250  #: what a hand does on a board that reports by itself has been reported after so long, or after a scan


def scans_a_second(board: BoardConfig, speed: float) -> float | None:
    """How often a board is scanned in a second of the daemon's time; None if it reports by itself."""
    scan_hz: float | None = getattr(board, "scan_hz", None)
    return None if scan_hz is None else scan_hz / speed


class BoardInput:
    """The board ``board_id`` of a match, or the only one, as ``config`` has it. Times are ms of the daemon, which runs
    ``speed`` times as fast as life."""

    def __init__(self, board_id: BoardId | None, config: TableSetup, speed: float, notices: Notices) -> None:
        board, senses, debounce_ms = config.places[board_id].board, config.senses, config.event.settings.debounce_ms
        scan_hz = scans_a_second(board, speed)
        self.board_id = board_id
        #: of a clock that keeps its own time; None where it shows what it is told to
        self.dial = None if getattr(board, "set_clock", False) else Dial()
        self.start = chess.Board()  #: how the pieces stand when the next game begins
        self.ready_since: int | None = None  #: they have stood so, untouched
        self._ready_as = NOTHING  # what the board shows since then
        self._stood: Stood | None = None  # the last time that they stood so, until they were touched
        self.missing: list[chess.Square] = []  #: what does not stand so yet
        self.slow = scan_hz is None or scan_hz < SWAP_HZ  #: pieces may be exchanged on a square unseen
        self.polled: bool = getattr(board, "polled", False)  #: it says what has changed when it is asked, in turn
        self._senses = senses
        self._notices = notices
        self._sensed = Sensed(debounce_ms, senses)
        self._settles_ms = 0 if senses == "identity" else debounce_ms  # a board that knows its pieces debounces itself
        self._buttons = Buttons()
        self._presses = Presses()
        self._edges: deque[SquareEdge | Left] = deque()  # certain, and not told yet
        self._may_show_ghosts = isinstance(board, MatrixConfig)  # which may lack diodes
        self._kept = False  # what the board shows is kept from the game
        self._away = False
        self._reports = scan_hz is None
        self._still_ms = max(STILL_MS, getattr(board, "scan_ms", 0.0))
        self._changed = 0  # when what it shows last changed, for all that is known
        self._known = 0  # up to then all that happened there has been reported
        self._wants_known: int | None = None  # it was asked for a look that says so up to then
        self._gap = True  # nobody sees the board, or it has not been compared with the game since
        self._picture: int | None = None  # when the first look since had ended, in a gap
        self._late = False  # a press has waited for long, and that was said
        self.wants_look = False  #: it is to be looked at once more, whatever it shows
        self.watch = SensorWatch(self._sensed, notices, senses, board_id)
        #: whether its players say by them how a game has ended; None where the board does not know them, and in a match
        self.kings = Kings() if config.end.kings and senses == "identity" and board_id is None else None

    # -- what comes in -------------------------------------------------------------------------------------------

    def press(self, ms: int, side: Side, reading: tuple[int, int] | None, played: PlayedBoard | None) -> None:
        """Somebody pressed the clock, or its contacts chatter. ``reading``: as of :meth:`Presses.add`."""
        if not self._buttons.heard(ms, side):
            return
        self._presses.add(ms, Press(ms=ms, board=self.board_id, side=side), self._certain(ms, side, played), reading)
        self.wants_look = self.wants_look or self._presses.waits

    def command(self, ms: int, item: AnyInput, played: PlayedBoard | None) -> "Future[int]":
        """Somebody gave a command; as :meth:`Presses.command`."""
        certain = True
        if isinstance(item, Press):
            item = replace(item, unseen=False)  # that is for nobody to say
            certain = self._certain(ms, item.side, played)
        done = self._presses.command(ms, item, certain)
        self.wants_look = self.wants_look or self._presses.waits
        return done

    def _certain(self, ms: int, side: Side, played: PlayedBoard | None) -> bool:
        """Whether a press by ``side`` is told before the board has been looked at again: it completes a move that has
        stood for so long that no more of it can come to light. A board that is scanned has the next scan at hand."""
        sees = not (self._gap or self._kept or self._away) and self._reports
        still = not self._edges and self._sensed.due is None and ms - self._changed >= self._still_ms
        if played is None or not (sees and still) or self._presses.first is not None:
            return False
        return played.game.completes(side)

    def looked(self, began: int, ended: int) -> None:
        """The whole board was looked at, and what that showed has been taken."""
        if self._away or self._kept or not self.whole:
            return
        if self._gap and self._picture is None:
            self._picture = ended
        self._known = max(self._known, began)
        if self._wants_known is not None and began >= self._wants_known:
            self._wants_known = None
        self._presses.looked(began, ended)
        self.wants_look = self.wants_look or self._presses.waits or self.awaits_look

    def leave(self, ms: int) -> None:
        """The board is away: nothing is held against sensors or players for what it does not show."""
        self._away = True
        self.watch.leave()
        self._lose_sight(ms)

    def come_back(self) -> None:
        """The board is there again, and all that it shows follows."""
        self.dial = self.dial and Dial()
        self._away = False
        self.watch.come_back()
        self.wants_look = self._presses.waits

    def _lose_sight(self, ms: int) -> None:
        if not self._gap:
            # How long a board that reports by itself has said nothing for want of a cable, nobody knows.
            self._edges.append(Left(min(ms, max(self._known, self._changed)) if self._reports else ms))
        self._wants_known = None
        self._gap, self._picture = True, None
        self._look_for_kings(ms)
        self._presses.look_anew()

    def knows(self, ms: int) -> bool:
        """Whether what stood there up to ``ms`` has come to light, on a board that people see; else it is asked for. A
        board that reports by itself may be silent because nothing happens, or because its cable is out."""
        if not self._reports or self._gap or self._known >= ms:
            return True
        self._wants_known = ms
        self.wants_look = True
        return False

    @property
    def awaits_look(self) -> bool:
        """Whether what stands there is judged only once it has answered."""
        return self._wants_known is not None

    def take(self, ms: int, item: BoardReading | Change, played: PlayedBoard | None) -> bool:
        """The board reported. Returns whether what it shows has changed."""
        return self._show(ms, self._sensed.take(ms, item), played)

    def settle(self, ms: int, played: PlayedBoard | None) -> bool:
        """Time passed. Returns as :meth:`take` does."""
        return self._show(ms, self._sensed.settle(ms), played)

    def _show(self, ms: int, edges: Sequence[SquareEdge], played: PlayedBoard | None) -> bool:
        if edges:
            self._changed = ms
        if not self.whole:
            return False
        if played is not None and not played.over:
            before, self._kept = self._kept, self._incredible(edges, played)
            if self._kept and not before:
                self._lose_sight(ms)
            elif before and not self._kept:
                self.wants_look = True
        if not self._gap:
            self._edges.extend(edges)
        self._look_for_kings(ms)
        return bool(edges) and not self._kept

    def _look_for_kings(self, ms: int) -> None:
        if self.kings is not None:
            self.kings.look(ms, None if self._gap else self._sensed.shown)

    def _incredible(self, edges: Sequence[SquareEdge], played: PlayedBoard) -> bool:
        """Whether the board shows what no hands have done; a slow one shows at one moment what many moments did, and so
        does any after a gap."""
        torn = not self.slow and (self._kept or not self._gap) and self.watch.torn(edges, played)
        return (self._may_show_ghosts and self.watch.haunted(edges, played)) or torn

    # -- what the game is told -----------------------------------------------------------------------------------

    @property
    def whole(self) -> bool:
        """Whether every square has been reported."""
        return self._sensed.whole

    def unsettled(self, now: int) -> int:
        """Up to when nothing can still come to light here: a reading that has yet to hold began at that time."""
        return self._sensed.quiet_until(now)

    @property
    def next(self) -> int | None:
        """When what is to be told next was certain; None if there is nothing. A press waits for the board, and what
        came to light after it for the press."""
        edge = self._edges[0].ms if self._edges and not self._follow_press else None
        return min((ms for ms in (edge, self._seen_at, self._pressed) if ms is not None), default=None)

    def next_input(self, at: At) -> AnyInput:
        """The press or the command that is told next; where something else is, the time."""
        assert self.next is not None
        ms = at(self._by(self.next))
        held = self._presses.peek(*self._hampered) if self._pressed == self.next else None
        return Time(ms=ms, board=self.board_id) if held is None else replace(held, ms=ms)

    @property
    def _follow_press(self) -> bool:
        """Whether the next edge came to light after a press that may have come first. A board that reports by itself
        is slow to answer, and has told by then also what the opponent has done since."""
        press = self._presses.awaited
        if press is None or not self._edges or not self._reports or self._gap:
            return False
        return self._edges[0].ms > press[0]

    def tell(self, played: PlayedBoard | None, at: At) -> NextInput:
        """What is to be told next, which then is told."""
        heard = self._taken(played)
        held = heard if isinstance(heard, HeldInput) else None
        return NextInput(heard.ms, self._item(heard, at(self._by(heard.ms))), held)

    def _taken(self, played: PlayedBoard | None) -> NextHeard:
        press, seen = self._pressed, self._seen_at
        if press is not None and press == self.next and not self._preceded(played):
            return self._presses.pop(*self._hampered)
        if self._edges and (seen is None or self._edges[0].ms <= seen):
            return self._edges.popleft()
        assert seen is not None
        self._gap, self._picture = False, None
        self._changed = seen
        self._look_for_kings(seen)
        self._presses.confess()
        return Back(seen)

    def _preceded(self, played: PlayedBoard | None) -> bool:
        """Whether of what came to light after the press that is told next something had happened before it; that goes
        before it then."""
        press = self._presses.awaited
        if played is None or press is None or not self._follow_press:
            return False
        edges = [edge for edge in self._edges if isinstance(edge, SquareEdge)]
        first = played.game.before_press(press[1], [(edge.square, edge.shown) for edge in edges])
        for place, edge in enumerate(edges[:first]):
            self._edges[place] = replace(edge, ms=press[0])
        return first > 0

    @property
    def _seen_at(self) -> int | None:
        """When the picture that closes the gap has held for long enough; None if there is none."""
        return None if self._picture is None else self._picture + self._settles_ms

    @property
    def _pressed(self) -> int | None:
        """When the next press or command may be told."""
        return self._presses.due(*self._hampered)

    @property
    def _hampered(self) -> tuple[bool, bool]:
        """Whether presses wait for the board to be seen, and whether commands do not wait for them."""
        return self._gap, self._away or self._kept or self._late

    def remind(self, now: int) -> None:
        """Says that a press has waited for long, and that contacts chatter; or that neither is so any more."""
        self._late = self.is_behind(now)
        if (blind := self._blind_at) is not None and blind <= now:
            self._lose_sight(now)
        self._tell("press", WAITS if self._late else None)
        self._tell("buttons", CHATTER if self._buttons.chatter(now) else None)

    def _tell(self, source: str, trouble: DeviceError | None) -> None:
        """What is wrong there, or that nothing is any more."""
        if trouble is None:
            self._notices.clear(at(source, self.board_id))
        else:
            self._notices.set(at(source, self.board_id), trouble)

    def is_behind(self, now: int) -> bool:
        """Whether the game has not been told for long what the board shows, as a press waits."""
        late = self._presses.late
        return late is not None and late <= now

    @property
    def _blind_at(self) -> int | None:
        """When the board will count as one that nobody sees, as a press waits for a look at it; None if none does."""
        since = None if self._gap else self._presses.unseen_since
        return None if since is None else since + BLIND_MS

    def _by(self, ms: int) -> int:
        """When what is told now, sampled at ``ms``, had happened at the latest: before a press that still waits."""
        return ms if self._presses.first is None else min(ms, self._presses.first)

    @property
    def oldest(self) -> int | None:
        """When the oldest of what has not been told was sampled: nothing later may be told before it."""
        waiting = (self._edges[0].ms if self._edges else None, self._presses.first)
        return min((ms for ms in waiting if ms is not None), default=None)

    @property
    def due(self) -> int | None:
        """When a reading will have held long enough, a sensor has failed for long enough to be named, a press has
        waited for long, the kings have stood in the middle for long enough, or buttons have been calm for long."""
        late = self._blind_at if self._late else self._presses.late
        kings = None if self.kings is None else self.kings.due
        dues = (self._sensed.due, self.watch.due, late, kings, self._buttons.calm_at)
        return min((ms for ms in dues if ms is not None), default=None)

    def _item(self, heard: NextHeard, ms: int) -> AnyInput:
        """The input that tells it, at ``ms`` of the session."""
        if isinstance(heard, HeldInput):
            return replace(heard.item, ms=ms)
        if isinstance(heard, Left):
            return Unseen(ms=ms, board=self.board_id)
        if isinstance(heard, Back):
            return Seen(ms=ms, board=self.board_id, shown=self._sensed.shown.letters)
        square = chess.square_name(heard.square)
        if not heard.shown:
            return Lift(ms=ms, board=self.board_id, square=square)
        return Place(ms=ms, board=self.board_id, square=square, piece=None if heard.shown == SOMETHING else heard.shown)

    def sensor(self, ms: int, square: chess.Square, works: bool) -> Sensor:
        """Whether a sensor is to be believed, at ``ms`` of the session."""
        return Sensor(ms=ms, board=self.board_id, square=chess.square_name(square), works=works)

    def frame(self, began: int) -> Frame:
        """All that the board showed when the game began, at ``began``."""
        return Frame(ms=0, board=self.board_id, occupied=f"{self._shown_at(began).occupied:016x}")

    @property
    def seen(self) -> bool:
        """Whether somebody sees the board."""
        return not self._gap

    @property
    def frames(self) -> bool:
        """Whether the board can be told as a whole: one that sees occupancy only, and is seen."""
        return self._senses == "occupancy" and self.seen

    def missed(self, played: PlayedBoard, now: int, at: At) -> list[AnyInput]:
        """What stands otherwise than the game, which has just begun, has it, on a board that tells its pieces apart."""
        if self._gap or self._edges or self._sensed.due is not None:
            return []
        shown = self._sensed.shown
        edges = [SquareEdge(now, square, shown[square]) for square in left_first(shown.differs(played.told), shown)]
        return [self._item(edge, at(self._by(now))) for edge in edges]

    # -- before a game -------------------------------------------------------------------------------------------

    def watch_start(self, now: int, played: PlayedBoard | None, drawn: bool = False) -> bool:
        """Notes since when the pieces have stood ready for a new game, and says what is missing for the first;
        ``drawn``: for any of chess960.

        Returns whether they stand ready. A sensor that the last game did not believe is not believed now.
        """
        dead = () if played is None else played.dead
        missing = [q for q in self._sensed.shown.differs(self._due) if q not in dead]
        if not missing:
            self._ready_as = self._sensed.shown
        elif self.ready_since is not None:
            self._stood = Stood(self.ready_since, self._changed, self._ready_as)
        self.ready_since, self.missing = None if missing else now, missing
        underway = played is not None and not played.over and len(played.expected.differs(self._due)) > PUT_BACK
        if underway and not missing:
            self._notices.set(at("start", self.board_id), UNFINISHED)
        elif not missing or played is not None:
            self._notices.clear(at("start", self.board_id))
        else:
            what = UNDRAWN if drawn else f"the start position is not on the board: {names(missing)}"
            cause = "pieces still to be set up; or, where a piece does stand, a magnet or sensor that fails"
            error = DeviceError(what, cause, "set the pieces up; exchange a piece that is not seen")
            self._notices.set(at("start", self.board_id), error)
        return not missing

    def stood_ready(self, ms: int) -> Shown | None:
        """What the board showed at ``ms``, if the pieces stand ready, or did so at that time and were touched before it
        was heard of. Boards that report by themselves may tell of a press after what was done since."""
        if not self.seen:
            return None
        if self.ready_since is not None:
            return self._ready_as
        stood, late = self._stood, self._still_ms if self._reports else 0
        return stood.shown if stood is not None and stood.since <= ms <= stood.until + late else None

    def _shown_at(self, ms: int) -> Shown:
        """What it showed at ``ms``, when a game began, or shows by now."""
        return self.stood_ready(ms) or self._sensed.shown

    def read_start(self) -> bool:
        """Takes the start position of chess960 that stands there for that of the next game; False if none does."""
        drawn = standing(self._sensed.shown.readings) if self._senses == "identity" and self.whole else None
        self.start = drawn or self.start
        return drawn is not None

    @property
    def placement(self) -> str | None:
        """What stands there as in a FEN; None where the board, which need not tell pieces apart, leaves that open."""
        if not self.seen:
            return None
        if self.ready_since is not None:
            return self.start.board_fen()
        return self._sensed.shown.placement if self._senses == "identity" else None

    @property
    def _due(self) -> Shown:
        """What the board shows when the next game may begin."""
        return Shown.of(Position(self.start).symbols, self._senses)

    @property
    def starter(self) -> Side:
        """Whose press starts the opponent's clock, where the next game begins."""
        return "black" if self.start.turn == chess.WHITE else "white"

    def not_seen(self, began: int) -> list[chess.Square]:
        """The squares on which no piece was seen at ``began``, where a game is begun by command: he who begins it says
        that the pieces stand. Of more than a few, or of pieces standing elsewhere, nothing is said: then they may not
        stand at all.
        """
        shown = self._shown_at(began)
        missing = shown.differs(self._due) if self.whole else []
        return missing if len(missing) <= MOST_DEAD and not any(shown[q] for q in missing) else []

    def begin(self) -> None:
        self.dial = self.dial and Dial()
        self._presses.clear()
        self.watch.begin()
        if self._kept:
            self._kept, self.wants_look = False, True
        self._notices.clear(at("start", self.board_id))
