"""Kills the daemon, or pulls the board's cable, while hands go on playing and pressing; nobody may be accused by that.

    python tests/faults/haste.py [--runs N] [--seed N]

Each run is a game by honest hands who do not know of any daemon. At a random moment it is killed and started again, or
the cable is pulled and put back; both lasts from no time to many moves. The table, the core and the journal are as they
are, on virtual time; the boards are models of what their drivers say, with their delays: one that is scanned and
bounces, a DGT board that answers slowly from a memory that knows of each hand up to 250 ms later, and one with the line
protocol. Presses come by a lever on
pins of its own, by the board's cable, or by command. ``--runs``: of each kind of board with each kind of fault.
Ends with one JSON line for each, with status 1 where somebody was accused.
"""

import argparse
import heapq
import json
import logging
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import chess
from kills import scratch
from msgspec import to_builtins

from controller.config import Config, check
from controller.contract import AnyEvent, Choose, Illegal, Penalty, Press, Time, Violation
from controller.daemon.game_session import GameSession
from controller.daemon.timeline import MS_NS, Timeline
from controller.journal import Journal
from controller.outlets.follow import Follower
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_event, encode
from hardware.boards import BoardReading, Change, Fault, FromDevice, LeverPress, Look, Recovered
from hardware.boards.dgt import DgtBoard
from hardware.boards.line import LineBoard
from hardware.simulator.games import random_game
from hardware.simulator.habits import Gesture, Habits
from hardware.simulator.hands import play

BOARDS = ("scanned", "dgt", "line")
FAULTS = ("kill", "cable")
PRESSES = ("lever", "cable", "command")
PLIES = 20
BEGIN_MS = 1_000  #: the first gesture is so long after the start
REST_MS = 12_000  #: how long the board is watched after the last
SCAN_MS = 5
BOUNCE_MS = 2
READ_MS = 50  #: how long a driver may take to hear that it is to ask
LAG_MS = {"dgt": round(DgtBoard.lag_ms), "line": round(LineBoard.lag_ms)}  #: as their drivers have it
KNOWN_MS = {"dgt": (20, 248), "line": (1, 48)}  #: how much later than a hand the board's memory may be, by game
HANDS = Habits(
    think_ms=(300, 1500),
    mover_first=0.3,
    castle_together=0.4,
    en_passant=(1, 1, 1),
    slide=0.15,
    hover=0.05,
    quick_reply=0.15,
    brush=0.05,
    choose_queen=True,
)


class Hall:
    """A daemon that can be killed, a board whose cable can be pulled, and a queue of what happens when."""

    def __init__(self, kind: str, fault: str, presses: str, seed: int, path: Path) -> None:
        self.kind, self.fault, self.presses = kind, fault, presses
        self.chance = random.Random(seed)
        self.path = path
        self.at = 0
        self.pieces = _letters(chess.Board())  #: as they stand
        self.known = list(self.pieces)  #: as the board knows
        self._known_ms = self.chance.randint(*KNOWN_MS.get(kind, (0, 0)))
        self.alive, self.plugged = False, True
        self.lives = 0  #: what was on its way in an earlier one of the daemon or the cable never arrives
        self._since = 0
        self._power = 0  # what was on its way to its memory before it lost that is forgotten
        self._gone = False
        self._bare = False  # the cable is off, and the pins read an empty board
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._number = 0
        self._asked: int | None = None
        self._changed: dict[int, int] = {}  # when contacts changed, which may bounce yet

    def later(self, ms: int, act: Callable[[], None]) -> None:
        """That happens at ``ms``."""
        self._number += 1
        heapq.heappush(self._queue, (ms, self._number, act))

    def soon(self, wait_ms: int, act: Callable[[], None]) -> None:
        """That happens after so long, if daemon and cable are as they are until then."""
        life = self.lives
        self.later(self.at + wait_ms, lambda: act() if life == self.lives and self.heard else None)

    @property
    def heard(self) -> bool:
        return self.alive and self.plugged

    def run(self, until: int) -> None:
        while self._queue and self._queue[0][0] <= until:
            ms, _, act = heapq.heappop(self._queue)
            self._wake(ms)
            act()
        self._wake(until)

    def _wake(self, until: int) -> None:
        while self.alive and (due := self.session.due_ns) is not None and due <= until * MS_NS:
            self.at = max(self.at, -(-due // MS_NS))
            self.session.wake(self.at * MS_NS)
        self.at = max(self.at, until)

    # -- the daemon ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.journal, self.notices = Journal(self.path), Notices()
        config = _config(self.kind, self.path)
        self.session = GameSession(
            config, self.journal, self.notices, Timeline(0), self.at * MS_NS, lambda _: self.ask()
        )
        self.alive, self.lives, self._asked = True, self.lives + 1, None
        if self.plugged:
            self._open(recovered=False)

    def kill(self) -> None:
        self.alive, self.lives = False, self.lives + 1
        self.journal.close()

    def take(self, item: FromDevice, source: str = "board") -> None:
        self.session.take(item, source)

    @property
    def ns(self) -> int:
        return self.at * MS_NS

    # -- the cable -----------------------------------------------------------------------------------------------

    def pull(self) -> None:
        self._bare = self.kind == "scanned" and self.chance.random() < 0.5
        if self._bare:
            self._scan(self.at - 1)
            return
        self.plugged, self.lives = False, self.lives + 1
        late = self.chance.choice((0, 5, 20)) if self.kind == "scanned" else self.chance.choice((5, 50, 2_000))
        life = self.lives
        self._gone = False

        def notice() -> None:
            if life == self.lives and self.alive:
                self._gone = True
                self.take(Fault(self.ns, "the board went away", "the cable was pulled", "plug it in again"))

        self.later(self.at + late, notice)

    def plug(self) -> None:
        if self._bare:
            self._bare = False
            self._changed = {square: self.at for square in chess.SQUARES if self.pieces[square]}
            self._scan(self.at)
            return
        self.plugged, self.lives = True, self.lives + 1
        if not self._gone:  # it was out for so short a time that the driver comes to know only now
            self.take(Fault(self.ns, "the board went away", "the cable was pulled", "plug it in again"))
        self._open(recovered=True)

    def _open(self, recovered: bool) -> None:
        """The driver opens the board, and hears what stands there."""
        self._since, self._asked = self.at, None
        self._changed.clear()
        if recovered:  # it has its power again, and looks at all squares
            self.known, self._power = list(self.pieces), self._power + 1
        wait = {"scanned": (1, 300), "dgt": (80, 500), "line": (5, 300)}[self.kind]

        def there() -> None:
            if recovered:
                self.take(Recovered(self.ns))
            if self.kind == "scanned":
                self._scan(self.at - 1)
                self._beat()
            else:
                self._tell_whole()
                self.take(Look((self._since - LAG_MS[self.kind]) * MS_NS, self.ns))

        self.soon(self.chance.randint(*wait), there)

    # -- what the board says -------------------------------------------------------------------------------------

    def ask(self) -> None:
        """It is to be looked at once more."""
        if self._asked is not None or not self.heard:
            return
        self._asked = self.at
        if self.kind == "scanned":
            self.soon(SCAN_MS - self.at % SCAN_MS + 1, lambda: self._scan(self.at - 1))
            return
        wait = LAG_MS[self.kind] + self.chance.randint(1, READ_MS)
        self.soon(wait, lambda: self._answer(self.at - LAG_MS[self.kind]))

    def _answer(self, began: int) -> None:
        stood = list(self.known)

        def told() -> None:
            self._asked = None
            self._tell(stood)
            self.take(Look(began * MS_NS, self.ns))

        self.soon(70 if self.kind == "dgt" else 8, told)

    def _tell(self, stood: list[str]) -> None:
        if self.kind == "dgt":
            for square in chess.SQUARES:
                if stood[square] == self.known[square]:  # else its report is on its way
                    self.take(Change(self.ns, square, stood[square]))
        else:
            self.take(BoardReading(self.ns, _mask(self.known)))

    def _tell_whole(self) -> None:
        if self.kind == "dgt":
            for square in chess.SQUARES:
                self.take(Change(self.ns, square, self.known[square]))
        else:
            self.take(BoardReading(self.ns, _mask(self.known)))

    def _scan(self, began: int) -> None:
        self._asked = None
        shown = 0 if self._bare else _mask(self.pieces)
        for square, ms in list(self._changed.items()):
            if self.at - ms > BOUNCE_MS:
                del self._changed[square]
            elif self.chance.random() < 0.5:
                shown ^= chess.BB_SQUARES[square]
        self.take(BoardReading(self.ns, shown, began_ns=began * MS_NS))
        if self._changed:
            self.soon(SCAN_MS, lambda: self._scan(self.at - 1))

    def _beat(self) -> None:
        self.soon(1_000, lambda: (self._scan(self.at - 1), self._beat())[0])

    # -- hands ---------------------------------------------------------------------------------------------------

    def do(self, gesture: Gesture) -> None:
        """A hand does this, whoever sees it."""
        if gesture.kind in ("lift", "place"):
            self.pieces[gesture.square] = gesture.piece if gesture.kind == "place" else ""
            self._felt(gesture.square)
        elif gesture.kind == "press":
            self._press(gesture)
        elif gesture.kind == "choose" and self.alive and self.kind != "dgt":
            self._say(Choose(ms=0, side=gesture.side, piece=gesture.piece))  # type: ignore[arg-type]

    def _felt(self, square: int) -> None:
        if self.kind == "scanned":
            self._changed[square] = self.at
            self.soon(SCAN_MS - self.at % SCAN_MS + 1, lambda: self._scan(self.at - 1))
            return

        piece, power = self.pieces[square], self._power

        def known() -> None:
            if power == self._power:
                self.known[square] = piece
                self.soon(1, self._report(square, piece))

        self.later(self.at + self._known_ms, known)

    def _report(self, square: int, piece: str) -> Callable[[], None]:
        if self.kind == "dgt":
            return lambda: self.take(Change(self.ns, square, piece))
        return lambda: self.take(BoardReading(self.ns, _mask(self.known)))

    def _press(self, gesture: Gesture) -> None:
        if self.presses == "cable" and not self.heard:
            return
        if not self.alive:
            return
        if self.presses == "command":
            self._say(Press(ms=0, side=gesture.side))
        else:
            self.take(LeverPress(self.ns, gesture.side), "clock")

    def _say(self, item: Any) -> None:
        if self.session.playing:
            self.session.command(to_builtins(item), self.ns)

    # -- what came of it -----------------------------------------------------------------------------------------

    def events(self) -> list[AnyEvent]:
        self.journal.append("none", Time(ms=0), []).result(10)
        records = self.journal.after(0, 1_000_000)
        return [decode_event(record.body) for record in records if record.kind == "event" and record.game != "none"]

    def fen(self) -> str:
        """The position that the game has."""
        so_far = Follower(self.journal, "1", 0, Scoresheet)
        while so_far.read():
            pass
        return so_far.sheet.fen if so_far.sheet else ""


def _config(kind: str, path: Path) -> Config:
    types: dict[str, dict[str, Any]] = {
        "scanned": {"type": "simulated"},
        "dgt": {"type": "dgt"},
        "line": {"type": "line"},
    }
    raw = {
        "board": types[kind],
        "event": {"clock": "7200+30"},
        "start": {"by": "at-once", "ready_s": 0.1},
        "journal": {"path": str(path)},
    }
    made = check(raw, "the campaign")
    assert isinstance(made, Config)
    return made


def _letters(board: chess.Board) -> list[str]:
    return [piece.symbol() if (piece := board.piece_at(square)) else "" for square in chess.SQUARES]


def _mask(pieces: Iterable[str]) -> int:
    return sum(chess.BB_SQUARES[square] for square, piece in enumerate(pieces) if piece)


ACCUSED = (Illegal, Violation, Penalty)


def game(
    kind: str,
    fault: str,
    presses: str,
    seed: int,
    path: Path,
    when: Callable[[list[Gesture]], tuple[int, int]],
    plies: int = PLIES,
) -> tuple[list[AnyEvent], bool]:
    """Plays a game, with the fault from and until the ms that ``when`` says of its gestures. Returns the accusations,
    and whether the game has the position of the board at the end."""
    moves = random_game(seed, plies)
    gestures = play(chess.Board(), moves, HANDS, seed)
    hall = Hall(kind, fault, presses, seed, path)
    hall.start()
    for gesture in gestures:
        hall.later(gesture.ms + BEGIN_MS, lambda gesture=gesture: hall.do(gesture))  # type: ignore[misc]
    begin, end = when(gestures)
    hall.later(begin + BEGIN_MS, hall.kill if fault == "kill" else hall.pull)
    hall.later(end + BEGIN_MS, hall.start if fault == "kill" else hall.plug)
    try:
        hall.run(gestures[-1].ms + BEGIN_MS + REST_MS)
        accused = [event for event in hall.events() if isinstance(event, ACCUSED)]
        board = chess.Board()
        for move in moves:
            board.push(move)
        return accused, hall.fen().split()[:2] == board.fen().split()[:2]
    finally:
        hall.journal.close()


def anywhere(seed: int) -> Callable[[list[Gesture]], tuple[int, int]]:
    """A fault at any moment, often a short one, sometimes one of many moves."""
    chance = random.Random(seed)

    def when(gestures: list[Gesture]) -> tuple[int, int]:
        begin = chance.randrange(gestures[-1].ms)
        return begin, min(begin + int(10 ** chance.uniform(1, 4.2)), gestures[-1].ms + BEGIN_MS)

    return when


def campaign(kind: str, fault: str, runs: int, seed: int, folder: Path) -> dict[str, object]:
    """So many games with a fault at a random moment."""
    began, accused, followed = time.monotonic(), [], 0
    for number in range(seed, seed + runs):
        path = folder / f"{kind}-{fault}-{number}.sqlite"
        said, right = game(kind, fault, PRESSES[number % len(PRESSES)], number, path, anywhere(number))
        accused += [f"{kind} {fault} {number}: {encode(event).decode()}" for event in said]
        followed += right
        for file in folder.iterdir():
            file.unlink()
    for line in accused:
        print(line, flush=True)
    seconds = round(time.monotonic() - began, 1)
    what = {"name": f"{fault}s, {kind} board", "runs": runs, "accusations": len(accused)}
    return {**what, "followed_to_the_end": followed, "seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", nargs="*", choices=BOARDS, default=BOARDS)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    failed = False
    for fault in FAULTS:
        for kind in given.boards:
            with scratch() as folder:
                found = campaign(kind, fault, given.runs, given.seed, folder)
            print(json.dumps(found), flush=True)
            failed |= bool(found["accusations"])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
