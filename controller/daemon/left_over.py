"""A game without a result in the journal, on a board that has another number by now: nothing else would tell of it."""

from collections import deque
from collections.abc import Collection

from controller.contract import Result
from controller.errors import JournalError
from controller.journal import Journal
from controller.wire import decode_event


def left_over(journal: Journal, numbers: Collection[str]) -> JournalError | None:
    """What there is to say of the game begun last, if it has no result and none of the boards ``numbers`` plays it."""
    openings = deque(journal.openings(), maxlen=1)
    if not openings or (last := openings[0]).board in numbers or _over(journal, last.game):
        return None
    return JournalError(
        f"a game on board {last.board} has no result, and no board here has that number",
        "the number was changed, or this is the journal of another machine",
        f"to go on with it, give the board the number {last.board} again before anybody touches the pieces",
    )


def _over(journal: Journal, game: str) -> bool:
    results = [
        event.status == "final"
        for record in journal.game(game)
        if record.kind == "event" and isinstance(event := decode_event(record.body), Result)
    ]
    return bool(results) and results[-1]
