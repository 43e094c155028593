"""Rulings taken back: an arbiter may err, too, and then the game stands as it did before he ruled.

Upheld, dismissed and declared are what `undo` takes back where nothing has been played since, and that men had been
exchanged at the beginning; a pause is answered by `resume`, a clock by setting it again, another report by dismissing
it. What the sensors show, and the time that has passed, are facts and stay: of the clocks only what the ruling gave or
took is returned.
"""

from copy import copy

import chess
from msgspec import Struct

from controller import contract as c
from controller.laws.board import compare
from controller.laws.moves import complete, report
from controller.laws.notices import about, say_open
from controller.laws.record import Ruling
from controller.laws.state import NS, State
from controller.laws.stock import restock
from controller.position import Position, squares
from controller.sensing.stand import differing

SIDES = (c.WHITE, c.BLACK)


def remember(s: State) -> Ruling:
    """What a ruling that is about to be given may change."""
    clock = s.clock
    return Ruling(
        made=[(made, copy(made)) for made in s.made],
        notices=[(notice, copy(notice)) for notice in s.notices],
        position=s.position,
        touches=list(s.turn.touches),
        half=s.turn.half,
        counts=dict(s.counts),
        fined=dict(s.fined),
        awarded=s.awarded,
        presses=list(s.presses),
        clock=clock,
        extra=0 if clock is None else clock.extra,
        clocks={} if clock is None else {side: _clock(s, side) for side in SIDES},
    )


def keep(s: State, ruling: Ruling) -> None:
    """It was given: from now on it can be taken back. ``ruling`` is what was remembered before."""
    if s.clock is not ruling.clock:
        ruling.clocks = {}  # a new game has clocks of its own: those of this one stand as they stood
    for side, (left, moves) in ruling.clocks.items():
        now = _clock(s, side)
        ruling.clocks[side] = now[0] - left, now[1] - moves
    ruling.until, ruling.last, ruling.ended = len(s.made), s.last(), s.result
    s.rulings.append(ruling)


def _clock(s: State, side: c.Side) -> tuple[int, int]:
    assert s.clock is not None
    return s.clock.remaining(side, s.now * NS), s.clock.moves(side)


def take_back_ruling(s: State, reason: str | None) -> bool:
    """Take back the last ruling if nothing has been played or decided since; False if there is none such."""
    while s.rulings and not _still_there(s, s.rulings[-1]):
        s.rulings.pop()
    if not s.rulings or len(s.made) > s.rulings[-1].until or s.result is not s.rulings[-1].ended:
        return False
    ruling = s.rulings.pop()
    ended, s.result = s.result, None
    _return_clocks(s, ruling, reason)
    played = len(s.made)
    for made, was in reversed(ruling.made[:played]):
        if made.reported and not was.reported:
            s.emit(c.Retract, uci=made.move.uci(), fen=made.before.fen())
    for pair in (*ruling.made, *ruling.notices):
        _become(*pair)
    s.made = [made for made, _ in ruling.made]
    _return_men(s, s.made[played].before if played < len(s.made) else ruling.position)
    for made in s.made[played:]:
        if made.reported:
            report(s, made)
        if made.completed:
            complete(s, made, made.pressed)
    _reopen(s, ruling, ended)
    s.enter(ruling.position, chess.BB_ALL)
    s.turn.touches, s.turn.half = ruling.touches, ruling.half
    restock(s)
    compare(s)
    return True


def _return_men(s: State, position: Position) -> None:
    """Where the ruling was on men exchanged at the beginning, they count again as they stood for the game."""
    changed = differing(position, s.position.symbols, chess.BB_ALL)
    if changed or position.board.castling_rights != s.position.board.castling_rights:
        names = [chess.SQUARE_NAMES[square] for square in squares(changed)]
        s.emit(c.Displaced, squares=names, article=s.laws.clause.wrong_array, fen=position.fen())


def _still_there(s: State, ruling: Ruling) -> bool:
    """Whether the moves made until then still stand."""
    return ruling.until == 0 or (len(s.made) >= ruling.until and s.made[ruling.until - 1] is ruling.last)


def _return_clocks(s: State, ruling: Ruling, reason: str | None) -> None:
    """The clocks stand still until the arbiter resumes, as after every ruling."""
    s.stopped = True
    s.turn.raised.clear()
    s.clock = ruling.clock
    if s.clock is not None:
        s.clock.stop(s.now * NS)
        s.clock.extra = ruling.extra
        for side, (more, moves) in ruling.clocks.items():
            s.clock.add(s.now * NS, side, -more)
            s.clock.set_moves(side, s.clock.moves(side) - moves)
        s.show_clock(reason)


def _reopen(s: State, ruling: Ruling, ended: c.Result | None) -> None:
    """What had been settled awaits a ruling again; so does a result that the arbiter had declared by himself."""
    settled = [notice for notice, _ in ruling.notices if notice not in s.notices]
    s.notices = [notice for notice, _ in ruling.notices]
    s.counts, s.fined, s.presses = ruling.counts, ruling.fined, ruling.presses
    s.awarded = ruling.awarded
    for notice in settled:
        say_open(s, notice)
    if ended is not None and not settled:
        loser = c.BLACK if ended.result == "1-0" else c.WHITE
        notice = about(s, loser, "result", ended.article)
        notice.result = c.Result(
            ms=s.now, board=s.board, result=ended.result, reason=ended.reason, article=ended.article, status="proposed"
        )
        s.notices.insert(0, notice)
        say_open(s, notice)


def _become(one: Struct, was: Struct) -> None:
    """Others may hold on to it: it becomes what it was, in place."""
    for field in one.__struct_fields__:
        setattr(one, field, getattr(was, field))
