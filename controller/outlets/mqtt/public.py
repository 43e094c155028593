"""What everybody may know: moves, clocks and results, as late as the event has it; :class:`~.delay.Past` sees to that.

No touch and no obligation, for they show what a player is thinking about; no alert, no notice, no proposed result and
no arbiter's word, for nothing that players can see may tell them of these.

======  ========  =====================================================================================================
status  retained  ``online`` or ``offline``
state   retained  position, result, players, all moves with the seconds left to who made them; whether more is played,
                  and how many moves are held back as they are not certain
clock   retained  both clocks in ms when they were last started, stopped or set, and which one ran
move              each move made, taken back, or completed with both clocks; and the result. Not what else it may
                  have been. One that is held back comes with all after it once it is settled; if it was taken back by
                  then, neither is told
======  ========  =====================================================================================================
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from controller.contract import Clock, Completed, Followed, Match, Move, Restored, Result, Retract, Stalled, Stock
from controller.outlets.follow import Follower, News
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt.levels import Last
from controller.outlets.mqtt.topics import NO_CLOCK, Publication, Voice, event, stalled, state, where
from controller.outlets.scoresheet import Scoresheet
from controller.wire import encode

TOLD = (Move, Retract, Completed, Match)  #: and a final result
SHOWN = (*TOLD, Result, Restored, Stalled, Followed, Stock)  #: what changes the state


class Teller:
    """Tells one feed the moves and results among the news. What waited here when the daemon stopped is in ``state``."""

    def __init__(self) -> None:
        self._waiting: list[News[Any]] = []  # from the first move on that is held back
        self._held = 0  # so many of these waited before what is new
        self._sheet: object = None  # of that game

    def tell(self, batch: Iterable[News[Any]]) -> Iterator[Publication]:
        """What may be known by now."""
        for news in batch:
            if news.sheet is not self._sheet:
                yield from self._let_out(None)
                self._sheet = news.sheet
            final = isinstance(news.event, Result) and news.event.status == "final"
            if (final or isinstance(news.event, TOLD)) and not self._takes_back(news):
                self._waiting.append(news)
        yield from self._let_out(self._sheet.public if isinstance(self._sheet, Scoresheet) else None)
        self._held = len(self._waiting)

    def _takes_back(self, news: News[Any]) -> bool:
        """Whether that takes back a move that was held back; then nothing is told of either."""
        if not isinstance(news.event, Retract) or not isinstance(news.sheet, Scoresheet):
            return False
        for number in range(len(self._waiting) - 1, -1, -1):
            if isinstance(move := self._waiting[number].event, Move):
                if number >= self._held and not news.sheet.doubts(move):
                    return False
                self._waiting = self._waiting[:number]
                self._held = min(self._held, number)
                return True
        return False

    def _let_out(self, sheet: Scoresheet | None) -> Iterator[Publication]:
        """All that waits, but what begins with a move that ``sheet`` does not have."""
        until = len(self._waiting)
        if sheet is not None and sheet.held:
            last = sheet.entries[-1].move.ply if sheet.entries else 0
            held = (n for n, w in enumerate(self._waiting) if isinstance(w.event, Move) and w.event.ply > last)
            until = next(held, until)
        told, self._waiting = self._waiting[:until], self._waiting[until:]
        for news in told:
            yield Publication("move", event(_bare(news)))


def voice() -> Voice:
    """What one feed says to everybody."""
    return Voice(Teller().tell, retained, frozenset({"state", "clock"}), SHOWN)


def retained(now: Follower[Any], topics: Collection[Last]) -> Iterator[Publication]:
    """These topics as they stand ``now``; nothing before the public may know of a game."""
    if "state" in topics:
        yield from state(now, _state)
    if "clock" not in topics:
        return
    match now.sheet:
        case Scoresheet() as sheet:
            shown = NO_CLOCK if sheet.clock is None else _clock(sheet.clock)
            yield Publication("clock", encode(where(now) | shown), retain=True)
        case Matchsheet() as sheet:
            clocks = {name: _clock(board.clock) for name, board in sheet.boards.items() if board.clock is not None}
            yield Publication("clock", encode(where(now) | clocks), retain=True)


def _bare(news: News[Any]) -> News[Any]:
    """Of a move that it was made, and not how sure the board is of it; of a result not what an arbiter said to it."""
    if isinstance(news.event, Result):
        over = _wordless(news.event)
        return replace(news, event=over, record=replace(news.record, body=encode(over)))
    move = news.event
    if not isinstance(move, Move) or move.basis is None:
        return news
    move = replace(move, basis=None, confidence=None, others=[])
    return replace(news, event=move, record=replace(news.record, body=encode(move)))


def _wordless(over: Result) -> Result:
    return replace(over, text="", witnesses=[])


def _state(sheet: Scoresheet) -> dict[str, Any]:
    sheet = sheet.public
    left = [None if entry.left_ms is None else entry.left_ms // 1000 for entry in sheet.entries]
    shown: dict[str, Any] = {
        "fen": sheet.fen,
        "moves": [entry.move.san for entry in sheet.entries],
        "left_s": left,
        "stalled": stalled(sheet),
        "held": sheet.held,
        "result": None if sheet.final is None else to_builtins(_wordless(sheet.final)),
        "tags": sheet.tags,
    }
    if sheet.board_id is None:
        return shown | {"ply": sheet.ply}
    return shown | {"stock": sheet.stock, "match": to_builtins(sheet.match)}


def _clock(shown: Clock) -> dict[str, Any]:
    return to_builtins(replace(shown, reason=None, article=None, white_moves=None, black_moves=None, replaced=False))  # type: ignore[no-any-return]
