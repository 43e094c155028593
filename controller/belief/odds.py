"""How likely a told fact is beside all other explanations: the ``confidence`` of what was inferred, and what it may
have been instead.

A cost is the negative logarithm of a likelihood, so an explanation weighs the exponential of what it costs less than
others. The weight of a fact is the sum over the explanations that hold it. Four kinds of explanations count: the worlds
there are when the fact is told; those given up before, at the share that they had then: later play has spoken against
them once, and must not count again; within a world, what the Laws themselves left open; and, as nobody thinks of
everything, a share for what was overlooked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp

from chess import Move
from msgspec import Struct
from msgspec.structs import replace

from controller import contract as c
from controller.belief.reporter import Story, meaning
from controller.laws.record import Made
from controller.position import Position, uci
from controller.sensing.costs import MARGIN, OVERLOOKED

TAIL = 12
"""So many of the latest moves of an explanation are looked at: more than one search goes back and finds."""

KEPT = 64
"""What was given up is remembered for so many plies."""

RESTS_ON = 4
"""An accusation rests on so many moves before it."""

LEAST = 0.001
"""No told move has a lower confidence."""

NAMED = 3
"""So many other possible moves are named beside a told one."""

NO_MOVE = ""
"""Stands for no move: the explanation has not come to that ply yet."""

Shares = Mapping[str, float]
"""How the weight of an explanation is shared among the moves, as UCI, that may have been made at one ply. The move that
was made comes first; what the shares lack to 1 was overlooked."""


class Tale(Struct, frozen=True):
    """One explanation: what it costs, in nats, and the moves made at the latest plies."""

    cost: float
    shares: Mapping[int, Shares]
    first: int  #: before that ply all explanations are taken to agree

    @property
    def until(self) -> int:
        """The last ply that it has."""
        return max(self.shares, default=0)

    @property
    def name(self) -> tuple[tuple[int, str], ...]:
        """What tells one explanation from another: the move made at each ply."""
        return tuple([(ply, next(iter(shares))) for ply, shares in self.shares.items()])

    def at(self, ply: int) -> Shares:
        """The moves that may have been made at that ply."""
        return self.shares.get(ply, NOT_YET)


NOT_YET: Shares = {NO_MOVE: 1.0}


def tale(cost: float, made: Sequence[Made], further: Sequence[Move] = ()) -> Tale:
    """The explanation in which these moves were made, and then the ``further`` ones."""
    shares: dict[int, Shares] = {}
    passes = 0  # a press without a move is no ply: after it, the move at a ply is one of the other player
    for each in made[-TAIL:]:
        if each.move:
            shares[each.ply] = NOT_YET if passes % 2 else shares_of(each)
        passes += not each.move
    ply = made[-1].ply if made else 0
    shares |= {number: {uci(move): 1.0} for number, move in enumerate(further, ply + 1)}
    return Tale(cost, shares, first=min(shares, default=1) if len(made) > TAIL else 1)


def shares_of(made: Made) -> Shares:
    """How likely each move is that may have been made there, by the edges that led to it."""
    whole = 1.0 + sum(made.beside.values()) + (OVERLOOKED if made.hidden else 0.0)
    return {uci(made.move): 1.0 / whole, **{move: odds / whole for move, odds in made.beside.items()}}


def orders(before: Position, moves: Sequence[Move]) -> list[tuple[Move, ...]]:
    """The orders in which these moves may have been made, by the players in turn, so that they lead to the same
    position. Where nobody saw the moves, one order is as likely as another."""
    end = before
    for move in moves:
        end = end.after(move)
    found: list[tuple[Move, ...]] = []

    def walk(position: Position, made: tuple[Move, ...], left: tuple[Sequence[Move], Sequence[Move]]) -> None:
        if len(made) == len(moves):
            if position.key() == end.key():
                found.append(made)
            return
        now, then = left
        for move in now:
            if position.is_legal(move):
                walk(position.after(move), (*made, move), (then, [each for each in now if each != move]))

    walk(before, (), (moves[::2], moves[1::2]))
    return found


class Odds:
    """What was given up in one game."""

    def __init__(self) -> None:
        #: by ply and move, NO_MOVE included: how much that weighed relative to all that was kept
        self._given_up: dict[int, dict[str, float]] = {}

    def give_up(self, kept: Sequence[Tale], gone: Sequence[Tale]) -> None:
        """Remember what the explanations ``gone`` weighed; only those ``kept``, the likeliest first, are followed on.
        An explanation that is given up several times counts once, with its highest weight."""
        known = {each.name for each in kept}
        different: dict[tuple[tuple[int, str], ...], Tale] = {}
        for each in sorted(gone, key=lambda each: each.cost):
            if each.name not in known:
                different.setdefault(each.name, each)
        least, until = kept[0].cost, kept[0].until
        beside = sum(weight for _, weight in weighed(kept, least))
        came: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for each, weight in weighed(list(different.values()), least):
            for ply in range(each.first, until + 1):
                shares = each.at(ply)
                whole = sum(shares.values())
                for move, share in shares.items():
                    came[ply][move] += share / whole * min(weight, 1.0) / beside  # no likelier than the likeliest kept
        for ply, moves in came.items():
            before = self._given_up.setdefault(ply, {})
            before |= {move: max(odds, before.get(move, 0.0)) for move, odds in moves.items()}
        for ply in [ply for ply in self._given_up if ply <= until - KEPT]:
            del self._given_up[ply]

    def of_move(self, fact: c.Move, tales: Sequence[Tale]) -> c.Move:
        """An inferred move with its confidence and alternatives, given these explanations, the likeliest first."""
        weights: dict[str, float] = defaultdict(float)
        everything = 0.0
        for each, weight in weighed(tales, tales[0].cost):
            everything += weight
            for move, share in each.at(fact.ply).items():
                weights[move] += share * weight
        beside = everything
        for move, odds in self._given_up.get(fact.ply, {}).items():
            weights[move] += odds * beside / (1.0 + OVERLOOKED)  # as the shares of the kept ones allow for it
            everything += odds * beside
        own = weights.pop(fact.uci, 0.0)
        if not own:  # the likeliest explanation, which weighs 1, has taken the move back since
            own = 1.0
            everything += own
        order = sorted(((weight, move) for move, weight in weights.items()), reverse=True)[:NAMED]
        others = [
            c.Other(uci=move or None, less_likely=max(LEAST, round(own / weight, 2)))
            for weight, move in order
            if weight > own * exp(-MARGIN)
        ]
        return replace(fact, confidence=max(LEAST, round(min(1.0, own / everything), 3)), others=others)

    def of_notice(
        self, fact: c.Illegal | c.Violation, tales: Sequence[Tale], stories: Sequence[Story]
    ) -> c.Illegal | c.Violation:
        """The same for an accusation: some of these explanations hold it, as their ``stories`` say. It rests on the
        inferred moves before it, too; and the true explanation may have been overlooked."""
        sought, everything, own = meaning(fact), 0.0, 0.0
        for (each, weight), story in zip(weighed(tales, tales[0].cost), stories, strict=True):
            everything += weight
            own += weight * self._founded(each) if sought in story.held else 0.0
        own = own or self._founded(tales[0])
        return replace(fact, confidence=round(min(1.0, own / everything / (1.0 + OVERLOOKED)), 3))

    def _founded(self, each: Tale) -> float:
        """How likely the latest moves of an explanation are, all together, beside the alternatives within it and those
        given up."""
        likely = 1.0
        for ply, shares in each.shares.items():
            if ply <= each.until - RESTS_ON:
                continue  # later play has borne that move out
            move, share = next(iter(shares.items()))
            others = sum(odds for other, odds in self._given_up.get(ply, {}).items() if other != move)
            likely *= share / (1.0 + others)
        return likely


def weighed(tales: Sequence[Tale], least: float) -> Iterator[tuple[Tale, float]]:
    """Each with its weight, beside one that costs ``least``."""
    for each in tales:
        yield each, exp(least - each.cost)
