"""The past of a world lived through again with the moves of an explanation. Each move is made where its edges came; all
other items are taken as they came.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.held import price_of_press
from controller.belief.odds import Tale, orders, tale
from controller.belief.pricing import price_of_gone
from controller.belief.world import Lived, World
from controller.laws import gestures, step
from controller.laws.board import leave_out, leaving_out, read_board
from controller.laws.drop_names import promotes_unnamed
from controller.laws.mismatch import rook_first
from controller.laws.moves import make
from controller.laws.record import Made, beside
from controller.laws.sensors import disbelieve
from controller.laws.state import State
from controller.laws.stock import stocked_since
from controller.laws.turn import Raised
from controller.position import EMPTY, Position, squares, uci
from controller.sensing.question import ExplainedMove, Explanation
from controller.sensing.trace import Edge


def lived_again(
    world: World, base: int, undone: float, explanation: Explanation, most: float, passed: list[Tale]
) -> World | None:
    """The world in which the moves of the explanation were made since step ``base``, and all other items came as they
    came. None where that is not possible, or where it costs more than ``most``: then it is added to ``passed``.

    A move that was seen whole is made by the Laws themselves; the edges of a hidden one are taken as readings only, and
    the move is made with them. Each move is paid for when it is made; with the first one it is also paid that other
    moves were ``undone``, not before, since that may be explained anew.
    """
    first = world.past[base]
    origin = first.before.turn.start
    script = _in_any_order(
        stocked_since(first.before, world.state).position, explanation.moves, world.state.trace[origin:]
    )
    start = anew(first.before, world.state)
    if start.clock is None:
        start = stocked_since(start, world.state)
    for square in squares(explanation.stuck):
        start, script = _disbelieving(start, script, square, world.state.trace[origin:])
    # A sensor that is supposed not to work is paid for from the start.
    lived, paid = World(start, first.cost + explanation.of_stuck, world.past[:base], first.story), explanation.of_stuck
    for one in map(partial(_with_stock, start), world.past[base:]):
        if lived.cost > most:
            passed.append(tale(lived.cost, first.before.made, [made.move for made in explanation.moves]))
            return None
        if not script:
            lived = lived.living(one)
            continue
        before, s = lived, _gone_on(lived.state, one, script, origin)
        if s is None:
            return None
        due = _due(explanation, script, undone, over=s.result is not None)
        gone = price_of_gone(before.state, s)
        if script and type(one.item) is c.Press and (_none_has_taken_on(s) or _all_set_down(s, world.state)):
            # After the last move the explanation pays for held pieces itself.
            held = price_of_press(s, one.item.side)
            gone += 0.0 if held is None else held[0]
        going_on = not script and s.result is None  # after the end of the game a world prices nothing any more
        if going_on and explanation.nowhere and s.position.drop_board is None and (left := leave_out(s)) is not s:
            s, due = left, due - explanation.nowhere  # these pieces are priced while they stand, and when they go
        lived = before.becoming(s, Lived(one.item, one.since, before.state, before.cost, before.story))
        lived, paid = replace(lived, cost=lived.cost + gone + due - paid), due
    return None if script else lived


def _none_has_taken_on(s: State) -> bool:
    """Whether no piece that is off the board may have captured onward: it may in a match, except after a drop."""
    return s.board is None or (bool(s.made) and s.made[-1].move.drop is not None)


def _all_set_down(s: State, now: State) -> bool:
    """Whether each square that shows no piece in ``s`` has been filled again by ``now``."""
    away = squares(s.empty(s.mismatch))
    return all(now.trace.latest(square, empty=False, since=len(s.trace)) is not None for square in away)


def _with_stock(start: State, one: Lived) -> Lived:
    """The step. If with it the other board passes on pieces, these are at least those that ``start`` has received."""
    if type(one.item) is not step.Passed or start.clock is not None:
        return one
    return replace(one, item=replace(one.item, received=Counter(one.item.received) | Counter(start.received)))


def _disbelieving(
    start: State, script: list[ExplainedMove], square: chess.Square, edges: Sequence[Edge]
) -> tuple[State, list[ExplainedMove]]:
    """The starting state with that sensor supposed not to work, and the script without its edges, which are not seen
    then: the one at which it failed, or a brush."""
    failed = [number for number, edge in enumerate(edges) if edge.square == square]
    if failed:
        start = start.looking(square, edges[failed[-1]].seen)
        script = [replace(made, edges=made.edges - sum(number < made.edges for number in failed)) for made in script]
    changed = start.trace.last  # what follows holds since that edge, whatever time has been told since
    at_that = replace(start, now=0 if changed is None else changed.ms)
    return replace(disbelieve(at_that, square, supposed=True), now=start.now), script


def _in_any_order(position: Position, moves: Sequence[ExplainedMove], edges: Sequence[Edge]) -> list[ExplainedMove]:
    """The same moves. Where more than two were seen at once, nobody knows their order: each gets the other moves that
    it may have been."""
    script: list[ExplainedMove] = []
    for _, together in groupby(moves, key=lambda made: edges[made.edges - 1].ms if made.edges else 0):
        unseen = list(together)
        if len(unseen) > 2:
            ways = orders(position, [made.move for made in unseen])
            for number, made in enumerate(unseen):
                counted = Counter(uci(way[number]) for way in ways)
                unseen[number] = replace(made, beside=beside(made.move, counted))
        script += unseen
        for made in unseen:
            position = position.after(made.move)
    return script


def anew(start: State, now: State) -> State:
    """The state ``start``, to be gone on from again, with what does not depend on the story: fresh numbers for new
    facts, the other board of a match as it is now, and whether this board sends scans and loses some."""
    pace = replace(start.pace, by_scans=now.pace.by_scans, loses=now.pace.loses)
    return replace(start, numbered=now.numbered, noticed=now.noticed, partner=now.partner, pace=pace)


def begun_again(world: World, base: int, cost: float) -> World:
    """The world as it stood before step ``base`` of its past, dearer by ``cost``, to be gone on from again."""
    first = world.past[base]
    return World(anew(first.before, world.state), first.cost + cost, world.past[:base], first.story)


def _gone_on(s: State, one: Lived, script: list[ExplainedMove], origin: int) -> State | None:
    """The state after that step, in which the moves of the script that are complete by then are made, and taken from
    it; None where one of them cannot be made."""
    if 0 < script[0].edges <= len(s.trace) - origin:  # seen already with the step that ended the turn before
        begun = _made_by_now(s, script, origin)
        if begun is None or not script:
            return begun and step.after(_in_hand(begun, origin), one.item, one.since)
        s = begun
    made, left = len(s.made), len(script)
    if not script[0].hidden:
        by_then = step.run_to(s, one.item.ms, one.since)
        follows = _as_scripted(by_then.made[made:], script) and _follows(s, by_then, script)
        s = by_then if follows else s.turning(judged=True)  # if other moves come of it, nothing was released there
    s = step.by(s, one.item.ms)
    if isinstance(one.item, c.Lift | c.Place | step.Settled):
        for edge in step.edges_of(s, one.item):
            after = _edge(s, script, origin, *edge)
            if after is None:
                return None
            s = after
        if type(one.item) is step.Settled:
            s = step.stands_anew(s, one.item)
    else:
        if type(one.item) is c.Press and one.item.side == s.turn.side and _completed_by_it(s, script, origin):
            after = _scripted(s, script)
            if after is None:
                return None
            s = after
        seen = step.shown_again(s, one.item) if script else None
        s = step.after(s, one.item, one.since) if seen is None else seen
        del script[: max(0, len(s.made) - made - (left - len(script)))]
        if isinstance(one.item, step.First | c.Sensor | c.Seen):  # these items bring edges, too
            after = _made_by_now(s, script, origin)
            if after is None:
                return None
            s = after
    seen_whole = not script or (len(script) < left and not script[0].hidden)
    return _in_hand(s, origin) if seen_whole else s


def _completed_by_it(s: State, script: list[ExplainedMove], origin: int) -> bool:
    """Whether a press now completes the next move of the script, a hidden one: all its edges have come, or they come
    only after the press."""
    return bool(script) and script[0].hidden and (script[0].late or len(s.trace) - origin >= script[0].edges)


def _due(explanation: Explanation, script: list[ExplainedMove], undone: float, *, over: bool) -> float:
    """What is to be paid for those moves of an explanation that have been made, and are no longer in the script; with
    what is left open if the game is ``over``, as the world itself prices that only while it goes on."""
    made = len(explanation.moves) - len(script)
    if not made:
        return explanation.of_stuck
    if not script:
        return undone + explanation.cost - (0.0 if over else explanation.open_yet)
    return undone + explanation.of_stuck + explanation.moves[made - 1].cost


def _edge(
    s: State, script: list[ExplainedMove], origin: int, square: chess.Square, seen: str, ms: c.Ms, hand: c.Side | None
) -> State | None:
    """The state after one edge, with the moves of the script that it completes; None where one cannot be made."""
    seen_whole = not script or not script[0].hidden
    after = gestures.edge(s, square, seen, hand, ms) if seen_whole else s
    if not (seen_whole and _follows(s, after, script)):
        after = s.disregarding(square, seen) or s.see(square, seen, ms, hand)
    return _made_by_now(after, script, origin)


def _follows(before: State, after: State, script: list[ExplainedMove]) -> bool:
    """Whether the moves made between ``before`` and ``after`` are the next ones of the script, which then loses them.
    Castling begun with the rook is castling, too, though an offence (4.4.2). If other moves were made, or a piece
    seems to be set down illegally (it may have been pushed aside), the next move of the script is marked hidden, so
    that its edges count as readings only."""
    made = after.made[len(before.made) :]
    if not _as_scripted(made, script) or any(type(fact) is c.Illegal for fact in after.facts[len(before.facts) :]):
        script[0] = replace(script[0], hidden=True)
        return False
    del script[: len(made)]
    return True


def _as_scripted(made: Sequence[Made], script: Sequence[ExplainedMove]) -> bool:
    """Whether these moves are the next ones of the script; of a drop its kind does not matter."""
    return all(
        each.move == scripted.move
        or (each.move.drop and scripted.move.drop and each.move.to_square == scripted.move.to_square)
        or rook_first(each) == each.before.carried(scripted.move)[0]
        for each, scripted in zip(made, script, strict=False)
    )


def _made_by_now(s: State, script: list[ExplainedMove], origin: int) -> State | None:
    """The state with the moves of the script that the edges so far complete; None where one cannot be made."""
    after: State | None = s
    while after is not None and script and len(s.trace) - origin >= script[0].edges:
        after = _scripted(after, script)
    return after


def _scripted(s: State, script: list[ExplainedMove]) -> State | None:
    made = script.pop(0)
    if s.result is not None or not s.position.is_legal(made.move):
        return None
    if made.move.promotion and not script and (resting := _apart(s, made.move)) is not s and promotes_unnamed(resting):
        # The pawn stands on its last rank, and has not become another piece yet. The pieces that stand beside it are
        # what had to be explained.
        return resting
    at = len(s.made)
    if made.hidden:
        return make(s, made.move, inferred=True, beside=made.beside).amending(at, believed=True)
    s = make(_of_this_move(s, made.move), made.move, beside=made.beside)
    return s.amending(at, believed=True) if s.made[at].inferred else s


def _apart(s: State, move: chess.Move) -> State:
    """The state without the pieces that stand where the game has none, except those of this move."""
    mask = s.mismatch & ~s.position.changed(move)
    extra = mask & ~s.empty(mask)
    return leaving_out(s, extra) if extra else s


def _of_this_move(s: State, move: chess.Move) -> State:
    """The state with only those touches that came before the move or belong to it, or are of pieces that stand again.
    Other pieces off the board may belong to the moves that follow."""
    kept = {square for square, _ in s.position.changes(move)}
    origin = s.position.carried(move)[0][0]
    known = [touch.ms for touch in s.turn.touches if touch.square == origin]
    since = known[0] if known else s.turn.raised[origin].ms if origin in s.turn.raised else s.now
    kept |= {touch.square for touch in s.turn.touches if s.readings[touch.square] != EMPTY}
    touches = tuple([touch for touch in s.turn.touches if touch.square in kept or touch.ms < since])
    return s.turning(touches=touches).derive() if len(touches) < len(s.turn.touches) else s


def _in_hand(s: State, origin: int) -> State:
    """The state after the script has ended: pieces still off their squares are in the hand of the player having the
    move; of those lifted before his turn, only his own are."""
    if s.result is not None:
        return s
    start, loose, own = s.turn.start, s.mismatch & ~s.not_by_mover, s.own
    for number, edge in enumerate(s.trace[origin:], origin):
        bit = BB_SQUARES[edge.square]
        away = edge.seen == EMPTY and loose & bit and s.readings[edge.square] == EMPTY
        early = number < start
        if away and edge.square not in s.turn.raised and not (early and not own & bit):
            s = s.raising(edge.square, Raised(edge.ms, announced=False, early=early))
    return read_board(s, s.now)
