"""Why a ruling, or the name of a piece, would change nothing, in words, for whoever gives it."""

import chess

from controller import contract as c
from controller.errors import JadoubeError, LogError, SettledError, UnrestoredError
from controller.laws.conduct import report
from controller.laws.drop_names import said_late
from controller.laws.notices import is_open
from controller.laws.record import Notice
from controller.laws.reversal import undone_next
from controller.laws.standing import to_put_back
from controller.laws.state import State


def refusal(s: State, item: c.Arbiter) -> JadoubeError | None:
    """Why a ruling cannot be carried out now, in words; None if it can. It checks `uphold`, `dismiss`, `undo`,
    `result`, `report`, `warn` and `resume`."""
    if item.do in ("uphold", "dismiss") and item.answers is None and not _awaits(s, item):
        cause = "it is settled already, or what you saw was not told"
        return LogError("nothing awaits a ruling", cause, "give a report of it, or take back what was done: undo")
    if item.do == "undo":
        return _not_taken_back(s, item)
    if item.do == "result":
        return not_given_instead(s, item)
    if item.do == "report" and (s.result is not None or report(s, item) is s):
        cause = "that player has made no move of which it may be, it was told or ruled on already, or the game is over"
        return LogError("the report fits nothing that was played", cause, "look at the score, and at what was ruled")
    if item.do == "warn" and item.answers is not None and warnable(s, item.answers) is None:
        what = f"notice {item.answers} is not settled by a warning"
        return LogError(what, "the Laws set its price, or it is no fault", "uphold or dismiss it")
    if item.do != "resume" or item.insist or not (squares := to_put_back(s)):
        return None
    what = f"the pieces are not back: the board does not show the position returned to on {', '.join(squares)}"
    cause = "they stand as before the ruling, or a sensor fails there"
    again = '{"type": "arbiter", "do": "resume", "insist": true}'
    return UnrestoredError(what, cause, f"put them back; where they stand right: {again}")


def not_named(s: State, item: c.Choose) -> JadoubeError | None:
    """Why the piece that stands on the square of that choice cannot be named so, in words; None if it can, or where the
    choice says no square."""
    if item.square is None:
        return None
    square, kind = chess.parse_square(item.square), chess.PIECE_SYMBOLS.index(item.piece)
    if item.side == s.turn.side:
        named = [move for move in s.turn.difference.moves if kind == (move.drop or move.promotion)]
        possible = any(move.to_square == square for move in named)
    else:
        made = s.last()
        possible = made is not None and made.move.to_square == square and said_late(s, item.side, kind) is not None
    if possible:
        return None
    what = f"what the piece on {item.square} is cannot be said any more"
    return SettledError(what, "it is named already, or the opponent has replied", "look again at what is open")


def _awaits(s: State, item: c.Arbiter) -> bool:
    """Whether something awaits that ruling: a notice, or what has none, such as displaced pieces, or a report on a move
    before its press."""
    beside = bool(s.displaced) if item.do == "uphold" else s.witnessed is not None
    return beside or any(is_open(s, notice) for notice in s.notices)


def _not_taken_back(s: State, item: c.Arbiter) -> JadoubeError | None:
    """The same as :func:`refusal` for `undo`."""
    last = undone_next(s)
    if item.of is not None and (last is None or last.ms != item.of):
        what = "what was to be taken back is not the last any more"
        return LogError(what, "something else was played or ruled meanwhile", "look again at what came last")
    if last is None and s.result is not None:
        what = f"the game is over, {s.result.result}, and no ruling ended it"
        cause = "undo takes back rulings, and what players have done only while they play"
        instead = '{"type": "arbiter", "do": "result", "result": "1/2-1/2", "insist": true}'
        return LogError(what, cause, f"give another result in its place: {instead}")
    if last is None:
        return LogError("there is nothing to take back", "no move was made, and nothing ruled on")
    return None


def not_given_instead(s: State, item: c.Arbiter) -> LogError | None:
    """Why that result cannot take the place of the one that ended the game, in words; None if it can, as the arbiter
    knows that the game is over, and insists."""
    if s.result is None:
        return None
    what = f"the game is over, {s.result.result}"
    if s.board is not None:
        return LogError(what, "the match hangs on it", "undo, if a ruling ended it")
    if item.result in (None, s.result.result):
        return LogError(what, "that is its result already", "nothing is to be done")
    instead = f'{{"type": "arbiter", "do": "result", "result": "{item.result}", "insist": true}}'
    if item.insist:
        return None
    return LogError(what, "it has ended meanwhile", f"give another result in its place: {instead}")


def warnable(s: State, answers: str) -> Notice | None:
    """The open notice of that name if a warning can settle it: one about misconduct, or Article 4. An illegal move and
    a false claim have a price of their own. Else None."""
    named = next((notice for notice in s.notices if answers in notice.ids and is_open(s, notice)), None)
    return named if named is not None and named.what in ("discretion", "violation") else None
