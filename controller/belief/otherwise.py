"""How the game may have gone otherwise: what the search is asked about the edges since a turn began, up to four turns
back, and which of its answers are lived through again (:mod:`controller.belief.relived`).
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import inf

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.belief.before_the_press import before_the_press
from controller.belief.harmless import Flicker, harmless_since, without
from controller.belief.odds import Tale, tale
from controller.belief.pricing import rates_after
from controller.belief.relived import anew, lived_again
from controller.belief.reporter import said_since
from controller.belief.taken import taken_by
from controller.belief.world import LOOSE, PAST, Lived, World, questionable
from controller.laws import step
from controller.laws.board import may_stand_turned, turn_round
from controller.laws.drop_names import by_other_names
from controller.laws.mismatch import taken_onward
from controller.laws.record import Made
from controller.laws.state import State, colour
from controller.laws.stock import stocked_since
from controller.position import EMPTY, uci
from controller.sensing import costs
from controller.sensing.budget import STEP, Budget
from controller.sensing.leftover import stands_aside
from controller.sensing.question import LATE_MS, Asked, ExplainedMove, Explanation, Question
from controller.sensing.readings import reading
from controller.sensing.search import explain
from controller.sensing.trace import brushes

BACK = 3
"""How many turns before the last may have gone otherwise."""

BACK_UNSEEN = 4
"""The same on a board that is scanned so slowly that it hides most captures: only later play tells what each was."""

TRIED = 6
"""At most so many explanations from one turn are lived through."""

MOST_LONGER = 4
"""The longer a piece stood, up to so many releases more, the less likely was it held all the time."""

PAIR = 3
"""So many edges before a turn may be of a piece that stands on two squares at once."""

LINE = 12
"""A line is known by its latest moves, so many: more than one explanation has."""

SEEN_FROM_BOTH = 8
"""On a board that stands the other way round, at most so many squares differ after the first moves."""

SILENT = 12
"""As TRIED, for explanations in which a sensor does not work: a single move seldom tells which sensor it is."""

FINAL = (c.Arbiter, c.Draw, c.Resign, c.Pause, c.Seen, c.Unseen)
"""Inputs before which nothing is lived through again: what a person has said stands, and so does what is known of the
board. Before a claim it is, as long as the answer to the claim stays the same."""


def others(
    before: World,
    after: World,
    presser: chess.Color | None,
    budget: Budget,
    followed: Mapping[Hashable, float],
    passed: list[Tale],
) -> Iterator[World]:
    """Other worlds that explain what is seen ``after`` a step. ``followed``: the lines of the worlds there are, with
    their costs, which are not found again. Explanations that are not made into worlds are added to ``passed``."""
    s = after.state
    if s.stopped or not questionable(before.state):
        return
    cheapest = after.dear
    if (onward := taken_onward(s)) is not None:
        told = after.becoming(onward).marked()
        cheapest = min(cheapest, told.dear)
        yield told
    if (turned := _turned_round(after, budget)) is not None:
        cheapest = min(cheapest, turned.dear)
        yield turned
    if (pressed_ms := before.pressed_unseen) is not None:
        for parted in before_the_press(after, pressed_ms):
            if not budget.take(STEP):
                return
            if parted.story.accused < after.story.accused:
                cheapest = min(cheapest, parted.dear)
                yield parted.marked()
    asked: int | None = None
    known: dict[Hashable, float] = {}  # the lines lived through so far, from this turn or a later one, with their costs
    accused = after.story.accused > before.story.accused
    for base in _bases(after):
        if budget.spent:
            return
        if _found_first(after.past[base]) and base == len(after.past) - 1:
            return  # nobody has done anything yet: this is how the board was found
        if accused and (innocent := _harmless(after, base, budget)) is not None:
            cheapest = min(cheapest, innocent.dear)
            yield innocent
        blaming = list[World]()  # worlds that accuse somebody more than before the step
        begun = [(after, asked)]
        if accused and presser is not None and asked is None:
            begun += [(world, None) for world in _otherwise_named(after, base)]
        for world, asked_before in begun:
            first = world.past[base]
            lived = {True: 0, False: 0}  # by whether a sensor does not work there
            for explanation in explain(_question(world, base, presser, asked_before), budget):
                undone = _undone(first.before, s, explanation)
                cost = first.cost + undone + explanation.cost
                if cost > after.dear + costs.MARGIN:
                    continue
                if _as_judged(explanation, first.before, s):
                    continue
                line = line_of(first.before, explanation.moves, explanation.stuck)
                if known.get(line, inf) <= cost or followed.get(line, inf) <= cost:
                    continue
                stuck = explanation.stuck > 0
                if lived[stuck] >= (SILENT if stuck else TRIED):
                    passed.append(tale(cost, first.before.made, [made.move for made in explanation.moves]))
                    continue
                lived[stuck] += 1
                known[line] = cost
                if not budget.take(_work(after.past[base:])):
                    return
                other = lived_again(world, base, undone, explanation, cheapest + costs.MARGIN, passed)
                if other is not None and _goes_on(other, s, explanation) and _answers_alike(other, world, base):
                    other = other.marked()
                    cheapest = min(cheapest, other.dear)
                    yield other
                    if other.story.accused > before.story.accused:
                        blaming.append(other)
        for innocent in _innocent(blaming, budget):
            cheapest = min(cheapest, innocent.dear)
            yield innocent
        asked = base
        if cheapest < after.dear - costs.LIKELY:
            return  # a much likelier explanation was found, so earlier turns need not have gone otherwise


def _goes_on(other: World, s: State, explanation: Explanation) -> bool:
    """Whether in the other world the same clock runs as in ``s``, or the game may be over. A hidden move does not end
    the game if something is left unexplained, or by a sensor that does not work: after the end nothing costs anything,
    so that explanation would seem too cheap."""
    if other.state.result is None:
        return _runs(other.state) == _runs(s)
    return not explanation.moves[-1].hidden or (explanation.open_yet < costs.PUSHED and not explanation.stuck)


def _answers_alike(other: World, world: World, base: int) -> bool:
    """Whether the other world gives all claims since step ``base`` the same answers as they were given."""
    if not any(type(lived.item) is c.Claim for lived in world.past[base:]):
        return True
    told = world.past[base].story
    theirs, ours = ([said for said in said_since(each.story, told) if said[0] is c.Claimed] for each in (other, world))
    return theirs == ours


def _innocent(blaming: Sequence[World], budget: Budget) -> Iterator[World]:
    """For these worlds, the likelier first, those without the touches that may have been none since each turn; with
    what budget the search for other moves has left."""
    for world in sorted(blaming, key=lambda each: each.dear):
        for base in _bases(world):
            if (innocent := _harmless(world, base, budget)) is not None:
                yield innocent


def _harmless(world: World, base: int, budget: Budget) -> World | None:
    """The world without the touches since step ``base`` that may have been none (a sleeve, another's hand, a piece put
    straight); None where that accuses as often, or explains less. A second attempt keeps those on the destinations of
    moves: a captured piece, too, was off its square for a moment."""
    made = world.state.made[len(world.past[base].before.made) :]
    landed = sum({BB_SQUARES[each.landing] for each in made if each.move})
    tried = set[Flicker]()
    for except_on in (0, landed):
        changes, cost = harmless_since(world, base, except_on)
        if not changes or changes == tried:
            return None
        tried = changes
        if not budget.take(_work(world.past[base:])):
            return None
        other = without(world, base, changes, cost)
        explains_less = other.state.mismatch & ~world.state.mismatch
        spared = other.story.accused < world.story.accused
        if not explains_less and spared and _answers_alike(other, world, base):
            return other.marked()
    return None


def _work(past: Sequence[Lived]) -> int:
    """How much of the budget it takes to live through these steps again."""
    return STEP * sum(_changes(lived.item) for lived in past)


def _changes(item: step.Item) -> int:
    """How many squares an item changes, counted as one at least; an outage counts as none."""
    if type(item) is step.Settled:
        return max(1, sum(mask.bit_count() for _, mask in item.flips))
    return type(item) is not c.Outage


def _otherwise_named(world: World, base: int) -> Iterator[World]:
    """In a match: the worlds in which a piece that nobody has named is, from step ``base`` on, another than it was
    taken for, so that a piece in hand may have captured unseen."""
    first, now = world.past[base], world.state
    start = anew(first.before, now)
    in_hand = now.trace[start.turn.start :]
    lifted = sum({BB_SQUARES[edge.square] for edge in in_hand if now.readings[edge.square] == EMPTY})
    if start.position.drop_board is None or not lifted:
        return
    for named in by_other_names(start, lifted):
        begun = replace(first, before=replace(named, facts=()), cost=first.cost + costs.OTHERWISE_NAMED)
        past = (*world.past[:base], begun, *world.past[base + 1 :])
        yield replace(world, past=past, state=replace(now, partner=named.partner))


def _as_judged(explanation: Explanation, first: State, s: State) -> bool:
    """Whether the explanation leads to the position of ``s`` anyway: other touches before the same moves make no other
    story. Not if one of the moves made seemed illegal, or the explanation has one seen after the press."""
    same = explanation.position.key() == s.position.key() and not explanation.stuck & ~s.faulty
    late = any(made.late for made in explanation.moves)
    return same and not late and not any(made.illegal for made in s.made[len(first.made) :])


def line_of(before: State, moves: Sequence[ExplainedMove] = (), stuck: int = 0) -> Hashable:
    """Equal for lines that are the same, whether a world follows them or an explanation from some turn has them: these
    moves after those made ``before``, with the sensors ``stuck``, a bitboard, not working besides."""
    line = [*(uci(made.move) for made in before.made[-LINE:]), *(uci(made.move) for made in moves)]
    late = any(made.late for made in moves)
    return len(before.made) + len(moves), " ".join(line[-LINE:]), before.supposed() | stuck, late


def _found_first(lived: Lived) -> bool:
    """Whether that step took a first scan, which shows how the board was found."""
    return type(lived.item) is step.First and lived.before.watched


def _turned_round(world: World, budget: Budget) -> World | None:
    """The world in which the board has stood the other way round from the start; None where that is not possible, or
    does not explain what is seen. It needs a reply, or a press: anybody may have moved a single piece."""
    s = world.state
    if not world.past or s.mismatch.bit_count() > SEEN_FROM_BOTH or not may_stand_turned(world.past[0].before):
        return None
    first = world.past[0]
    start = first.before
    if s.turned or start.mismatch or any(map(_final, world.past)):
        return None
    if not budget.take(_work(world.past)):
        return None
    lived = World(turn_round(anew(start, s)), first.cost + costs.TURNED)
    for one in world.past:
        lived = lived.living(one)
    made = lived.state.made
    answered = len(made) > 1 or any(each.completed_by_press for each in made) or lived.state.mismatch != 0
    answered = answered and not all(each.move.drop for each in made)  # dropped pieces look the same from both sides
    return lived.marked() if answered and lived.dear <= first.cost + costs.TURNED + LOOSE else None


def _question(after: World, base: int, presser: chess.Color | None, asked: int | None) -> Question:
    """The question to the search: what explains all that is seen ``after`` a step, from the state before step ``base``
    of its past? In that state the board may have been taken to stand the other way round. ``asked``: the step from
    which the same was asked already."""
    s, first = after.state, after.past[base]
    start = first.before
    if start.turned != s.turned:
        s = turn_round(s)
    faulty, readings, rates = s.faulty & ~s.supposed() | start.faulty, s.readings, rates_after(start.made, s)
    if s.pace.slow and (presser is None or asked is not None):
        # What such a board does not show it has more likely missed: a sensor explains the move just pressed, or none.
        rates = replace(rates, stuck=inf)
    if s.faulty:
        readings = tuple(
            [readings[square] if faulty & BB_SQUARES[square] else s.shown(square) for square in chess.SQUARES]
        )
    settling_ms = 2 * s.settings.debounce_ms
    return Question(
        position=stocked_since(start, s).position,
        asked=_asked(after, base, asked),
        edges=s.trace[start.turn.start :],
        earlier=s.trace[max(0, start.turn.start - PAIR) : start.turn.start],
        readings=readings,
        rates=rates,
        release_ms=s.release_ms,
        found=len(after.past[base + 1].before.trace) if _found_first(first) else 0,
        presses=_when(after.past[base:], c.Press),
        announced=_when(after.past[base:], c.Adjust),
        presser=presser,
        left_out=start.not_by_mover,
        scanned=s.pace.slow,
        by_scans=s.pace.by_scans,
        watched=not start.unsure and all(one.before.watched for one in after.past[base:]),
        most=min(after.dear + costs.MARGIN - first.cost, costs.BELIEVED),
        faulty=faulty,
        supposed=start.supposed(),
        named=_named(start, after.past[base:]),
        worked=_worked(s) if rates.stuck < inf else 0,
        taken=taken_by(start, start.made[-1:]),
        stopped=_while_stopped(start),
        late_ms=LATE_MS
        if _may_be_slow(after)
        else max(settling_ms, 0 if s.pace.close_together else s.pace.apart_at_most),
        settling_ms=settling_ms,
        brush_ms=s.settings.brush_ms,
    )


def _while_stopped(start: State) -> range:
    """The numbers, from the edge with which the turn began, of those edges that came while the clocks stood still."""
    first = start.turn.start
    return range(start.stopped_at - first, len(start.trace) - first) if first < start.stopped_at else range(0)


def _when(past: Sequence[Lived], kind: type[c.Press | c.Adjust]) -> list[tuple[c.Ms, chess.Color]]:
    """When players pressed the clock, or said "j'adoube", and who."""
    return [(one.item.ms, colour(one.item.side)) for one in past if isinstance(one.item, kind)]


def _asked(after: World, base: int, asked: int | None) -> Asked | None:
    """For the question from step ``base``: what was asked already, from the later step ``asked``. None where nothing
    was, or the board was taken to stand the other way round in one of the two."""
    if asked is None:
        return None
    first, then = after.past[base], after.past[asked]
    if first.before.turned != then.before.turned:
        return None
    edges = then.before.turn.start - first.before.turn.start
    return Asked(then.before.position.key(), edges, then.cost - first.cost)


def _may_be_slow(world: World) -> bool:
    """Whether the board may look at its squares so seldom that it shows only after a press what stood there before.
    It may if its scans are slow; else what was measured decides; without a measurement it may if it has sent no scans.
    """
    s = world.state
    if s.pace.slow:
        return True
    if s.rates is not None:
        return s.rates.held == inf
    return not any(type(lived.item) is step.Settled for lived in world.past)


def _worked(s: State) -> int:
    """The squares whose sensors have opened or closed in this game, as a bitboard; the first reading does not count."""
    first = s.trace[0].ms if s.trace else 0
    return sum(BB_SQUARES[square] for square in {edge.square for edge in s.trace if edge.ms > first})


def _bases(world: World) -> Iterator[int]:
    """The steps of the past with which a turn began, the latest first, back to the last of :data:`FINAL`."""
    past, turns = world.past, 0
    if past and isinstance(past[-1].item, c.Arbiter):
        return  # the arbiter has just said how it was
    for number in range(len(past) - 1, -1, -1):
        if number == 0 and len(past) > PAST:
            return  # earlier steps are not kept any more
        word = number == 0 or _final(past[number - 1])
        if word or past[number - 1].before.turn.number != past[number].before.turn.number:
            yield number
            turns += 1
        if word or turns > (BACK_UNSEEN if world.state.pace.slow else BACK):
            return


def _final(lived: Lived) -> bool:
    """Whether nothing before that step is lived through again: it is one of :data:`FINAL`, or a first reading amid a
    game."""
    return isinstance(lived.item, FINAL) or (type(lived.item) is step.First and len(lived.before.trace) > 0)


def _named(before: State, steps: Sequence[Lived]) -> list[tuple[c.Ms, chess.Color, chess.PieceType]]:
    """What each player had named by button before, and in these steps: when, who, and which kind."""
    said = [(0, colour(side), kind) for side, kind in before.chosen.items()]
    words = [one.item for one in steps if type(one.item) is c.Choose]
    return said + [(word.ms, colour(word.side), chess.PIECE_SYMBOLS.index(word.piece)) for word in words]


def _runs(s: State) -> c.Side | None:
    """Whose clock runs; None without a clock or after the end. That is known, whatever hands have done."""
    return None if s.clock is None or s.result is not None else s.clock.running


def _undone(before: State, now: State, explanation: Explanation) -> float:
    """What it costs that moves made since ``before``, whose pieces seemed released, were not made."""
    cost, at = 0.0, len(before.made)
    for number, made in enumerate(now.made[at:]):
        instead = explanation.moves[number].move if number < len(explanation.moves) else None
        if not made.move or made.move == instead:
            continue  # a press without a move has nothing to undo, and the same move is not undone
        landed = BB_SQUARES[made.landing]
        if landed & explanation.stuck:
            continue  # the sensor failed there, so nothing was set down
        if instead is not None and (instead.drop or made.move.drop) and instead.to_square == made.landing:
            continue  # a piece was released there all the same, whether it came from the stock or not
        if made.illegal and _only_brushed(now, made):
            continue  # nobody has set anything down there
        if now.pace.slow and explanation.position.board.occupied & landed:
            continue  # the explanation has a piece there, too, which may have come by a capture that nobody saw
        if instead is not None and (stays := _stays(now, made, instead)) is not None:
            cost += stays
            continue
        if instead is None or not _pushed_there(before, now, made, explanation.moves[number]):
            cost += _release_undone(now, made)
    return cost


def _only_brushed(now: State, made: Made) -> bool:
    """Whether a piece stood where that move ended, and was off there for no longer than a brush."""
    edges = [edge for edge in now.trace[made.start :] if edge.square == made.landing]
    return any(True for _ in brushes(edges[:2], now.brush_ms))


def _pushed_there(before: State, now: State, made: Made, instead: ExplainedMove) -> bool:
    """Whether the piece that ``made`` seems to have released may be the one that ``instead`` captured, pushed aside."""
    edges, at = now.trace[before.turn.start :], made.start - before.turn.start
    landed = (n for n in range(max(0, at), len(edges)) if edges[n].square == made.landing and edges[n].seen != EMPTY)
    number = next(landed, None)
    return number is not None and stands_aside(edges, number, made.before, instead)


def _release_undone(now: State, made: Made) -> float:
    """What it costs that this release was none. Nothing where scans show that the piece left so soon that bouncing
    contacts may have made a release of it: that it stood there at all is paid for as an edge left over."""
    if not made.stood:
        return costs.UNDONE
    square, settings = made.landing, now.settings
    edges = [edge for edge in now.trace[made.start :] if edge.square == square]
    landed = next((edge.ms for edge in edges if edge.seen != EMPTY), None)
    if landed is None:
        return costs.STOOD
    left = next((edge.ms for edge in edges if edge.seen == EMPTY and edge.ms > landed), None)
    if left is None:
        return costs.STOOD  # it still stands there
    if now.pace.by_scans and left < landed + settings.release_ms + 2 * settings.debounce_ms:
        return 0.0
    return costs.STOOD + costs.STOOD_LONGER * min((left - landed) // settings.release_ms - 1, MOST_LONGER)


def _set_down_next(now: State, made: Made, instead: chess.Move) -> bool:
    """Whether, where there is a clock, the piece that seemed to capture, and that nobody saw come, may be the one that
    was set down next, elsewhere, while what it seemed to capture stands in its place: then it was in hand all the while
    (4.3.3). Not once its player has pressed."""
    if now.clock is None or not made.inferred or made.was_pressed or instead.from_square != made.move.from_square:
        return False
    filled = now.trace.last_edge(made.move.to_square, made.start)
    next_two = now.trace[filled : filled + 2] if filled >= 0 else []
    stand = [edge.square for edge in next_two if edge.seen != EMPTY and now.readings[edge.square] != EMPTY]
    return stand == [made.move.to_square, instead.to_square]


def _stays(now: State, made: Made, instead: chess.Move) -> float | None:
    """What it costs that the piece which a move seemed to capture stays there if the move ``instead`` was made, on a
    board that cannot tell it from the capturing piece: nothing where it was only brushed. None where it does not stay.
    """
    target = made.move.to_square
    if made.illegal or made.before.castles(made.move) or target in (instead.to_square, made.before.captured(instead)):
        return None
    if reading(made.before.symbol(target), now.senses) != reading(made.after.symbol(target), now.senses):
        return None
    if made.victim_brushed:
        return 0.0
    if _set_down_next(now, made, instead):
        return costs.SET_DOWN_NEXT
    if now.clock is None:
        return costs.STOOD_BEFORE
    return None if made.stood or made.hidden else costs.STOOD  # the press has released it
