"""Which sensor is likely not to work, by what is left without explanation: on one of these squares stands a piece that
nothing shows.

A piece is off the board, and its player presses the clock, or the opponent has moved: so it was set down, where a
sensor stays open. It is one sensor that fails, not several at once; and where the board can be explained with all of
them at work, it is.
"""

from collections.abc import Iterator
from math import inf

import chess
from chess import BB_SQUARES

from controller import contract as c
from controller.laws.board import may_stand_turned
from controller.laws.state import State, colour
from controller.laws.unseen import moves_if_turned
from controller.position import EMPTY, squares
from controller.sensing.costs import HOLDS_AND_PRESSES, UNSEEN_CAPTURE
from controller.sensing.explain import Line, Search
from controller.sensing.looks import UNKNOWN
from controller.sensing.stand import Kind, Looks

SURER = 0.3
"""How much cheaper an explanation with a sensor that fails has to be than one with pieces in hand while others move."""

ALIKE = 0.3
"""Explanations whose costs differ by no more than that are equally likely here."""


def suspects(s: State, presser: c.Side | None, ms: c.Ms, swaps: bool) -> list[chess.Square]:
    """The squares of which one sensor is likely not to work; none where nothing is amiss.

    ``presser``: who presses the clock at ``ms``. Without one, what stands there is judged then, and may be the
    opponent's reply. ``swaps``: whether a board so slow may have missed that pieces were exchanged on a square.
    """
    kind = s.turn.stand.kind
    unexplained = kind in (Kind.ASTRAY, Kind.FOREIGN)
    if s.lines or s.stopped or kind is Kind.WHOLE or (not unexplained if presser is None else presser != s.turn.side):
        return []
    hidden = _open_to(s, _set_down(s, ms))
    if not hidden or (unexplained and may_stand_turned(s) and moves_if_turned(s)):
        return []
    plain = [line for line in _lines(s, presser, s.looks, s.blind) if _in_plain_sight(s, line, swaps)]
    if plain and presser is not None:
        return []
    looks = [UNKNOWN if hidden & BB_SQUARES[q] else seen for q, seen in enumerate(s.looks)]
    with_one = [
        (line.total, visited.bit_length() - 1)
        for line in _lines(s, presser, looks, s.blind | hidden)
        if len(line.moves) > (presser is None)
        and (visited := _visited(s, line) & hidden)
        and not visited & (visited - 1)
        and line.loose < HOLDS_AND_PRESSES
    ]
    least = min((total for total, _ in with_one), default=0.0)
    if plain and least > min(line.total for line in plain) - SURER:
        return []
    return sorted({square for total, square in with_one if total <= least + ALIKE})


def _set_down(s: State, ms: c.Ms) -> Iterator[chess.Square]:
    """The squares of the pieces off the board that may have been set down by ``ms``: no hand moves one within a
    brush."""
    for square in squares(s.gone()):
        raised = s.turn.raised.get(square)
        if raised is None or raised.ms + s.settings.brush_ms <= ms:
            yield square
    for square, sensor in s.unbelieved.items():
        if sensor.touch is not None and sensor.turn == s.turn.number:
            yield square


def _open_to(s: State, origins: Iterator[chess.Square]) -> int:
    """Where a legal move of one of these pieces may leave a piece, and none is seen: a bitboard."""
    moves = [move for origin in origins for move in s.position.moves_from(origin)]
    left = [square for move in moves for square, symbol in s.position.changes(move) if symbol != EMPTY]
    return sum(BB_SQUARES[square] for square in set(left) if s.looks[square] == EMPTY)


def _lines(s: State, presser: c.Side | None, looks: Looks, blind: int) -> list[Line]:
    """What explains the board, the empty line excepted."""
    pressed = None if presser is None else colour(presser)
    search = Search(s.trace, looks, s.wanted, s.budget, pressed, blind, margin=inf)
    return [line for line in search.explain(Line((), s.position, s.turn.start)) if line.moves]


def _in_plain_sight(s: State, line: Line, swaps: bool) -> bool:
    """Whether this needs no exchange that a quick board would have seen, no piece in the hand that presses, and none
    taken up again from where he had moved."""
    seen = s.looks[line.moves[-1].to_square] != EMPTY
    return seen and (swaps or line.cost < UNSEEN_CAPTURE) and line.loose < HOLDS_AND_PRESSES


def _visited(s: State, line: Line) -> int:
    """The squares on which these moves leave a piece, as a bitboard."""
    visited, position = 0, s.position
    for move in line.moves:
        for square, symbol in position.changes(move):
            visited |= BB_SQUARES[square] if symbol != EMPTY else 0
        position = position.after(move)
    return visited
