"""The face of the clock after what the journal says, told to its lights and displays: commit first, then lamps.

A face is at the time of its event, not of its telling: the clock stopped when the press was sampled, however slow the
disk is. While the disk takes nothing at all, the face alone goes on with what is kept in memory: players must see their
own clocks.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from controller.contract import BoardId, Clock, Flag, Pause
from controller.journal import Journal, Record, decode_opening
from controller.laws.timecontrol import TimeControl, parse
from controller.wire import decode_event, decode_input
from hardware.clocks.face import Face, FaceShows


class Faces:
    """Follows the journal for the board ``board_id`` (in a match; else None), which is among those of ``numbers``.

    ``ns_of``: when a time of the game in progress was, in ns of :func:`time.monotonic_ns`. ``speed``: of the daemon.
    """

    def __init__(
        self,
        journal: Journal,
        numbers: str,
        board_id: BoardId | None,
        shows: Iterable[FaceShows],
        ns_of: Callable[[int], int],
        speed: float = 1.0,
    ) -> None:
        self.face = Face(speed=speed)
        self._journal = journal
        self._board_id = board_id
        self._shows = tuple(shows)
        self._ns_of = ns_of
        self._control: TimeControl | None = None
        self._numbers = numbers
        self._seq = journal.before_last_game(numbers)

    async def run(self) -> None:
        """Follows for good."""
        while True:
            self.catch_up()
            await self._journal.wait_kept(self._seq, self._numbers)

    def catch_up(self) -> None:
        """Reads all that is new, and shows what comes of it."""
        before = self.face
        while records := self._journal.kept_after(self._seq, self._numbers):
            self._seq = records[-1].seq
            for record in records:
                self.face = self._after(record)
        if self.face is not before:
            for show in self._shows:
                show.show(self.face)

    def _after(self, record: Record) -> Face:
        """The face after one more record; the same one where that changes nothing."""
        face = self.face
        if record.kind == "game":
            clock = decode_opening(record.body).session.clock
            self._control = parse(clock) if clock else None
            return Face(speed=face.speed)
        if record.kind == "input":
            if b'"pause"' in record.body:
                item = decode_input(record.body)
                if isinstance(item, Pause) and item.board == self._board_id:
                    return replace(face, called=True)
            return face
        event = decode_event(record.body)
        if event.board != self._board_id:
            return face
        if isinstance(event, Flag):
            return replace(face, flagged=(*face.flagged, event.side))
        return self._started(event) if isinstance(event, Clock) else face

    def _started(self, clock: Clock) -> Face:
        """The clocks were started, stopped or set."""
        face = self.face
        left = {"white": clock.white_ms, "black": clock.black_ms}
        free_s = self._control.period(0).delay if self._control and not self._control.bronstein else 0
        return replace(
            face,
            ns=self._ns_of(clock.ms),
            white_ms=clock.white_ms,
            black_ms=clock.black_ms,
            running=clock.running,
            free_ms=1000 * free_s,
            flagged=tuple(side for side in face.flagged if not left[side]),  # the arbiter may have given time
            called=face.called and clock.running is None,
        )
