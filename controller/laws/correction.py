"""The record corrected by hand: an arbiter says what was played, where nothing else can tell.

From the given ply on, the record has the moves that he gives, then those that were played after the replaced ones. Each
must be legal in the position that the one before leads to; else nothing changes, and he is told what does not fit. The
clocks, and the recorded times, stay as they are.
"""

from collections.abc import Sequence

import chess
from chess import Move
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.errors import LogError
from controller.laws.board import compare, leaving_out, read_board
from controller.laws.endings import ended
from controller.laws.moves import complete, end, report, report_completed, retract
from controller.laws.notices import struck_out
from controller.laws.record import NOTHING_BESIDE, NOTHING_HELD, Made, Notice, changed_by
from controller.laws.state import State, side_of
from controller.laws.stock import replenished, taken
from controller.position import Position, uci

OF_THE_POSITION = ("checkmate", "stalemate", "dead-position", "fivefold", "seventy-five-moves")
"""Reasons of results that follow from the moves alone."""


class Span(Struct, frozen=True):
    """What is replaced: the records from number ``at``, from 0, to before ``until``; and by which moves."""

    at: int
    until: int
    moves: tuple[Move, ...]


def correct(s: State, item: c.Arbiter) -> State:
    """The state with the moves that the arbiter gives in its record. Raises :exc:`LogError` if they, or what was played
    after them, do not fit, or if the record says so already.
    """
    span = _span(s, item)
    record = _record(s, span)
    moved = len(span.moves) - (span.until - span.at)
    notices = [_moved_on(notice, span, moved, record) for notice in s.notices if _holds_still(notice, span)]
    none_instead = not span.moves and span.until == len(s.made)
    counted = struck_out(s, span.at, span.until)
    after = rewrite(replace(counted, notices=tuple(notices)), span.at, record, none_instead)
    if s.result is not None and s.result.reason in OF_THE_POSITION:
        ending = ended(after.position.board, after.keys(), s.laws, can_move=after.position.has_legal_move())
        if ending is None or ending.reason != s.result.reason:
            raise LogError(
                f"the game has ended by {s.result.reason}, to which these moves do not lead",
                "a move too few or too many, or a slip in one",
                "give all that was played to the end; or take the result back first, with undo",
            )
    if s.unsure and span.until == len(s.made):
        after = replace(after, unsure=False)  # the arbiter has said whose turn it is
    return after


def unfitting(s: State, item: c.Arbiter) -> LogError | None:
    """Why these moves do not fit into the record, in words; None if they do."""
    try:
        correct(s, item)
    except LogError as error:
        return error
    return None


def holds(s: State, told: State, item: c.Arbiter) -> bool:
    """Whether in this state the arbiter's moves were made, after the same moves as in the state that was ``told``."""
    try:
        span = _span(told, item, anyway=True)
    except LogError:
        return False
    line = [made.move for made in s.made[: span.at + len(span.moves)]]
    if item.replaces not in (None, len(span.moves)):
        return False
    return line == [*[made.move for made in told.made[: span.at]], *span.moves]


def instead(s: State, at: int, move: Move) -> State | None:
    """The state with ``move`` as number ``at`` of the record, as the board shows; what was played after it stands. None
    if that does not fit; or if, in a match, it would change what the other board has received."""
    before = s.made[at]
    if s.board is not None and taken(before.before, before.move) != taken(before.before, move):
        return None
    try:
        record = _record(s, Span(at, at + 1, (move,)))
    except LogError:
        return None
    released = before.move if before.shifted else None
    made = replace(record[at], ruled=False, breach=before.breach, instead=released, held=before.held)
    if before.completed or before.illegal or s.clock is None or s.clock.running != before.side:  # else a press is due
        left = s.both_left() if before.left == (None, None) else before.left  # else it is completed now
        made = replace(made, completed=True, left=left)
    s = rewrite(s, at, (*record[:at], made, *record[at + 1 :])).turning(raised=s.turn.raised)
    return replace(s, position=replenished(s, s.position))


def released_again(s: State, side: c.Side) -> State:
    """If the last move, by ``side``, stands in place of the one released, which was moved on: restore that one."""
    last = s.last()
    if last is None or last.side != side or last.instead is None or last.shifted:
        return s
    again = instead(s, len(s.made) - 1, last.instead)
    return s if again is None else replace(again, returned=s.returned, then=s.then)


def rewrite(s: State, at: int, record: tuple[Made, ...], none_instead: bool = False) -> State:
    """The state with this record, which differs from number ``at`` on; the changes are told. If the same player has the
    move, he is still bound by touches of pieces that still stand there. Squares that matched the game before and no
    longer do are nobody's doing, and may show what was played instead. If the last moves are struck out, with
    ``none_instead``, their pieces are to be put back: that they still stand there does not make them anew."""
    before, turn, fitted = s.position, s.turn, ~s.mismatch
    start = s.made[0].before if s.made else before
    s = replace(retract(s, at), made=record, ambiguous=())
    s = s.enter(record[-1].after if record else start, chess.BB_ALL)
    for number in range(at, len(record)):
        s = _told(s, number) if record[number].reported else s
    if s.result is not None:
        return s
    if turn.side == s.turn.side:
        kept = tuple([t for t in turn.touches if before.symbols[t.square] == s.position.symbols[t.square]])
        s = s.turning(touches=kept, partial_move=turn.partial_move if kept == turn.touches else None).derive()
    last = s.last()
    if last is not None and not last.illegal and not (last.breach and s.laws.mate_needs_article_4):
        s = s if _in_question(s, last) else end(s)
    if s.result is not None:
        return s
    differs = s.mismatch & fitted & ~s.not_by_mover
    if none_instead:
        return compare(leaving_out(s, differs))
    return compare(read_board(replace(s, unseen=s.unseen | differs), s.now))


def _in_question(s: State, last: Made) -> bool:
    """Whether the last move stands in place of the one released, and a ruling on that is awaited: as it may be taken
    back, it does not end the game by itself."""
    return last.instead is not None and any(
        n.what == "violation" and n.at == len(s.made) and n.side == last.side for n in s.notices
    )


def _span(s: State, item: c.Arbiter, anyway: bool = False) -> Span:
    """The span that the arbiter means; ``anyway``: even if the record says so already. Raises :exc:`LogError`."""
    if s.board is not None:
        raise LogError(
            "the record of a match cannot be set right by hand",
            "what was taken on one board is in stock, and may stand, on the other",
            "take the last move back with undo, and have it made again; or note the move on the scoresheet",
        )
    known = [number for number, made in enumerate(s.made) if made.move]
    if item.ply is None or not 1 <= item.ply <= len(known) + 1:
        what = "which move?" if item.ply is None else f"there is no ply {item.ply} to set right"
        raise LogError(what, f"the record has {len(known)} moves", f'name one: "ply" from 1 to {len(known) + 1}')
    if not item.moves and not item.replaces:
        raise LogError("what was played?", "no move is given", 'give it: "moves": ["e2e4"]')
    first = item.ply - 1
    replaced = len(item.moves) if item.replaces is None else item.replaces
    # A press without a move belongs to the ply after it.
    at = known[first - 1] + 1 if first else 0
    left = len(known) - first
    until = len(s.made) if replaced > left or not left else known[first + replaced - 1] + 1 if replaced else at
    span = Span(at, until, tuple([_move(move) for move in item.moves]))
    same = [made.move for made in s.made[at:until]] == [*span.moves]
    if same and not anyway and not any(made.hidden and not made.ruled for made in s.made[at:until]):
        raise LogError("the record says so already", "it was set right before, or this was seen", "look at the score")
    return span


def _move(text: str) -> Move:
    """The move written as ``text``. Raises :exc:`LogError` if it is none."""
    try:
        return Move.from_uci(text)
    except ValueError as error:
        raise LogError(f"{text} is no move", "a slip in it", "a move is written e2e4, e7e8q, or e1g1") from error


def _record(s: State, span: Span) -> tuple[Made, ...]:
    """The whole record after the correction. Raises :exc:`LogError` for the first move that does not fit."""
    record = [*s.made[: span.at]]
    position = record[-1].after if record else s.made[0].before if s.made else s.position
    position = replenished(s, position, len(record))
    replaced = s.made[span.at : span.until]
    said = [made for made in replaced if made.move] or list(replaced)
    later = s.made[span.until :]
    ply = next((made.ply for made in reversed(record)), 0)
    for number, move in enumerate(span.moves):
        ply += 1
        if not position.is_legal(move):
            raise LogError(
                f"{uci(move)} is not legal at {_numbered(position)}",
                "a slip in the move, in the ply, or in one given before it; a promotion names its piece",
                f"give what is legal there, from {position.fen()}",
            )
        like = said[number] if number < len(said) and said[number].side == side_of(position.turn) else None
        record.append(_given(s, position, move, ply, like, replied=bool(later)))
        position = replenished(s, record[-1].after, len(record))
    for made in later:
        ply += 1
        if made.illegal or not made.before.is_legal(made.move):
            raise LogError(
                f"something illegal was played after it, at {_numbered(made.before)}",
                "what follows from another move can then not be told",
                "rule on that first; or say what was played from there on, too",
            )
        if not position.is_legal(made.move):
            san = made.before.san(made.move, made.after)
            raise LogError(
                f"{_numbered(made.before)} {san} does not fit: from there it is not legal",
                "another move was played there, too, or the one given is a slip",
                "say what was played up to that move as well",
            )
        after = position.after(made.move)
        record.append(replace(made, before=position, after=after, changed=changed_by(position, after), ply=ply))
        position = replenished(s, after, len(record))
    return tuple(record)


def _given(s: State, position: Position, move: Move, ply: int, like: Made | None, replied: bool) -> Made:
    """The record of a move that the arbiter gives. ``like``: the move in whose place it stands, and whose times it
    keeps; ``replied``: a later move follows in the record."""
    after = position.after(move)
    made = Made(
        side=side_of(position.turn),
        before=position,
        move=move,
        after=after,
        ms=s.now,
        ply=ply,
        touches=(),
        partial_move=None,
        turn=0,
        start=len(s.trace),
        changed=changed_by(position, after),
        stood=True,
        ruled=True,
        completed=replied,
        done=s.now if replied else 0,
        shown=s.left_without_awards(),
    )
    if like is None:
        return made
    pressed = like.illegal and s.clock is not None  # a press completed the illegal move, and so completes this one
    return replace(
        made,
        ms=like.ms,
        start=like.start,
        completed=like.completed or like.illegal,
        completed_by_press=like.completed_by_press or pressed,
        pressed=like.pressed,
        done=like.done or like.ms,
        left=like.left,
        shown=like.shown,
        beside=NOTHING_BESIDE,
        held=NOTHING_HELD,
    )


def _told(s: State, at: int) -> State:
    """Tell that move number ``at`` was made, and, if so, that it is completed: it was already, a press waits for it, or
    the same player has made a later move."""
    s = report(s, at)
    made = s.made[at]
    if made.completed:
        return report_completed(s, at)
    if s.presses and s.presses[0].side == made.side:
        return complete(replace(s, presses=s.presses[1:]), at, s.presses[0])
    later = s.laws.next_move_completes and any(m.side == made.side for m in s.made[at + 1 :])
    return complete(s, at) if s.clock is None or s.result is not None or later else s


def _holds_still(notice: Notice, span: Span) -> bool:
    """Whether a notice still has an object: its move is not replaced, and its result does not rest on the position."""
    if notice.result is not None and notice.result.reason in OF_THE_POSITION:
        return False
    return not span.at <= notice.at < span.until


def _moved_on(notice: Notice, span: Span, moved: int, record: Sequence[Made]) -> Notice:
    if notice.at < span.until:
        return notice
    at = notice.at + moved
    return replace(notice, at=at, before=record[at].before if at < len(record) else notice.before)


def _numbered(position: Position) -> str:
    """The number of the next move, as people write it."""
    return f"{position.board.fullmove_number}{'.' if position.turn == chess.WHITE else '…'}"
