"""What everybody may know: moves, clocks and results, as late as the event has it; :class:`~.delay.Past` sees to that.

No touch and no obligation, for they show what a player is thinking about; no alert, no notice, no proposed result and
no arbiter's word, for nothing that players can see may tell them of these.

======  ========  =====================================================================================================
status  retained  ``online`` or ``offline``
state   retained  position, result, players, all moves with the seconds left to who made them; whether more is played
clock   retained  both clocks in ms when they were last started, stopped or set, and which one ran
move              each move made, taken back, or completed with both clocks; and the result. Not what else it may
                  have been
======  ========  =====================================================================================================
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from controller.contract import Clock, Completed, Followed, Match, Move, Restored, Result, Retract, Stalled, Stock
from controller.outlets.follow import Follower, News
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.topics import Message, Voice, event, stalled, where
from controller.wire import encode

TOLD = (Move, Retract, Completed, Match)  #: and a final result
SHOWN = (*TOLD, Result, Restored, Stalled, Followed, Stock)  #: what changes the state


def tell(batch: Iterable[News[Any]]) -> Iterator[Message]:
    """The moves and results among the news."""
    for news in batch:
        final = isinstance(news.event, Result) and news.event.status == "final"
        if final or isinstance(news.event, TOLD):
            yield Message("move", event(_bare(news)))


def retained(now: Follower[Any], topics: Collection[str]) -> Iterator[Message]:
    """These topics as they stand ``now``; nothing before the public may know of a game."""
    match now.sheet:
        case Scoresheet() as sheet:
            if "state" in topics:
                yield Message("state", encode(where(now) | _state(sheet)), retain=True)
            if "clock" in topics and sheet.clock is not None:
                yield Message("clock", encode(where(now) | _clock(sheet.clock)), retain=True)
        case Matchsheet() as sheet:
            if "state" in topics:
                boards = {name: _state(board) for name, board in sheet.boards.items()}
                shown = {"match": to_builtins(sheet.result), "boards": boards, "tags": sheet.opening.tags}
                yield Message("state", encode(where(now) | shown), retain=True)
            if "clock" in topics:
                clocks = {name: _clock(board.clock) for name, board in sheet.boards.items() if board.clock is not None}
                yield Message("clock", encode(where(now) | clocks), retain=True)


PUBLIC = Voice(tell, retained, frozenset({"state", "clock"}), SHOWN)


def _bare(news: News[Any]) -> News[Any]:
    """Of a move that it was made, and not how sure the board is of it."""
    move = news.event
    if not isinstance(move, Move) or move.basis is None:
        return news
    move = replace(move, basis=None, confidence=None, others=[])
    return replace(news, event=move, record=replace(news.record, body=encode(move)))


def _state(sheet: Scoresheet) -> dict[str, Any]:
    left = [None if entry.left_ms is None else entry.left_ms // 1000 for entry in sheet.entries]
    shown: dict[str, Any] = {
        "fen": sheet.fen,
        "moves": [entry.move.san for entry in sheet.entries],
        "left_s": left,
        "stalled": stalled(sheet),
        "result": to_builtins(sheet.final),
        "tags": sheet.tags,
    }
    return shown if sheet.seat is None else shown | {"stock": sheet.stock}


def _clock(shown: Clock) -> dict[str, Any]:
    return to_builtins(replace(shown, reason=None))  # type: ignore[no-any-return]
