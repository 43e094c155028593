"""The hands of ``jadoube demo``: they do what the show says, and heed the arbiter as players do.

While the clocks stand still they wait, and put back what a ruling has returned. Where the game then goes on from an
earlier position, so do they. In a match they play on whatever an arbiter rules.
"""

import asyncio
import time
from collections import deque
from typing import Generic

import chess
import msgspec

from controller.cli.demo.show import Act, Show
from controller.contract import BoardId, Clock, Displaced, Obligation
from controller.daemon.service import Daemon
from controller.daemon.timeline import MS_NS
from controller.outlets.follow import Follower, S
from controller.outlets.mqtt.command import Fields
from controller.outlets.scoresheet import Scoresheet
from hardware.boards import LeverPress
from hardware.boards.simulated import SimulatedBoard
from hardware.simulator.habits import Gesture

FAREWELL_S = 10.0  #: of the game's time, for the result to come
LINGER_S = 1.0  #: that the last move can be seen
SEEN_S = 0.0005  #: between looks whether a piece has been seen
SOON_NS = 20 * MS_NS  #: in which it is seen, unless the machine is busy: the next gesture comes so much later then
LOOK_S = 0.05  #: between looks at what the arbiter does
PUT_BACK_S = 0.4  #: of the game's time, for each piece


async def play(daemon: Daemon, show: Show[S], speed: float) -> None:
    """The hands do what the show says, and the players say their last words; returns when all is over."""
    while not daemon.only.session.playing:
        await asyncio.sleep(0.01)
    hands = _Hands(daemon, show, speed)
    acts, last_words, began = deque(show.acts), show.last_words, time.monotonic_ns()
    async with asyncio.TaskGroup() as said:
        while acts and daemon.only.session.playing:
            at_ns = began + int(acts[0].ms * MS_NS / speed)
            await asyncio.sleep((at_ns - time.monotonic_ns()) / 1e9)
            if await hands.heed():
                acts, last_words, began = deque(hands.further()), show.after_a_ruling, time.monotonic_ns()
                continue
            act = acts.popleft()
            began += max(0, time.monotonic_ns() - at_ns)  # a busy machine makes slow hands, not hasty ones
            if (words := _words(act)) is not None:
                said.create_task(daemon.only.carry_out(words, act.board_id))
            elif isinstance(act.what, Gesture):
                moved_ns = time.monotonic_ns()
                await hands.move(act.board_id, act.what)
                began += max(0, time.monotonic_ns() - moved_ns - SOON_NS)
    await asyncio.sleep(1.5 / speed)
    if daemon.only.session.playing:
        for last in last_words:
            await daemon.only.carry_out(last)
    for _ in range(100):
        if not daemon.only.session.playing:
            break
        await asyncio.sleep(FAREWELL_S / 100 / speed)
    await asyncio.sleep(LINGER_S)


class _Hands(Generic[S]):
    """The players' hands, and what they hear of the game, as everybody does, from the journal."""

    def __init__(self, daemon: Daemon, show: Show[S], speed: float) -> None:
        self._daemon = daemon
        self._show = show
        self._speed = speed
        self._follower = Follower(daemon.journal, daemon.only.config.numbers, 0, show.begin)
        self._returned = 0  # the number of the last record by which pieces were put back

    async def heed(self) -> bool:
        """Waits while the clocks stand still, and puts back what a ruling has returned. Whether the game goes on from
        another position than the show has it."""
        if self._show.goes_on is None:
            return False
        returned = False
        while self._daemon.only.session.playing:
            self._follower.read()
            if (position := self._to_return_to()) is not None:
                await self._put_back(position.occupied)
                returned = True
            elif not self._stopped:
                break
            else:
                await asyncio.sleep(LOOK_S)
        return returned

    def further(self) -> list[Act]:
        """What the hands do from where the game stands now, the player having the move as he is obliged to."""
        sheet, owed = self._follower.sheet, self._follower.latest.get(Obligation)
        if self._show.goes_on is None or not isinstance(sheet, Scoresheet):
            return []
        moves = owed.event.moves if owed is not None and isinstance(owed.event, Obligation) else []
        return list(self._show.goes_on(sheet.board, moves))

    @property
    def _stopped(self) -> bool:
        clock = self._follower.latest.get(Clock)
        return clock is not None and isinstance(clock.event, Clock) and clock.event.running is None

    def _to_return_to(self) -> chess.Board | None:
        """The position to which a ruling has returned the game, where that has come since it was last asked."""
        displaced = self._follower.latest.get(Displaced)
        if displaced is None or displaced.record.seq <= self._returned:
            return None
        self._returned = displaced.record.seq
        fen = displaced.event.fen if isinstance(displaced.event, Displaced) else None
        return None if fen is None else chess.Board(fen)

    async def _put_back(self, occupied: int) -> None:
        """Pieces are put where they stood: each is taken up, and set down elsewhere or beside the board."""
        board = self._daemon.only.boards[None]
        assert isinstance(board, SimulatedBoard)
        differing = board.electrical.closed(time.monotonic_ns()) ^ occupied
        up = list(chess.scan_forward(differing & ~occupied))
        down = list(chess.scan_forward(differing & occupied))
        for number in range(max(len(up), len(down))):
            for squares, do in ((up, board.electrical.lift), (down, board.electrical.place)):
                if number < len(squares):
                    do(squares[number])
                    await asyncio.sleep(PUT_BACK_S / self._speed)

    async def move(self, board_id: BoardId | None, gesture: Gesture) -> None:
        """Moves a piece, and waits until it has been seen: in fast forward, a late scan would come after the press."""
        board = self._daemon.only.boards[board_id]
        assert isinstance(board, SimulatedBoard)
        match gesture.kind:
            case "lift":
                board.electrical.lift(gesture.square)
            case "place":
                board.electrical.place(gesture.square)
            case "press":
                self._daemon.only.emit(LeverPress(time.monotonic_ns(), gesture.side), "clock", board_id)
                return
            case _:
                return  # a reed switch does not feel a finger
        seen = board.scans + 2  # one may be under way
        while board.scans < seen:
            await asyncio.sleep(SEEN_S)


def _words(act: Act) -> Fields | None:
    """The command by which it is said; None for what hands do."""
    match act.what:
        case Gesture(kind="adjust", side=side):
            return {"type": "adjust", "side": side}
        case Gesture(kind="choose", side=side, piece=piece):
            return {"type": "choose", "side": side, "piece": piece}
        case Gesture():
            return None
        case said:
            fields: Fields = msgspec.to_builtins(said)
            return fields
