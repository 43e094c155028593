"""The state at the start of a game, as its session has it."""

import chess

from controller import contract as c
from controller.laws.clock import ChessClock
from controller.laws.editions import profile
from controller.laws.state import State, side_of
from controller.laws.turn import Turn
from controller.position import Position, unreachable
from controller.sensing.budget import Budget
from controller.sensing.costs import rates
from controller.sensing.readings import reading
from controller.sensing.rhythm import NOTICED_MS, Pace
from controller.sensing.trace import Trace


def looks_apart(session: c.Session) -> c.Ms:
    """How far apart the looks of the board are, in ms, as its session says; 0 where that makes no difference, and in a
    match."""
    every = 0.0 if session.sensors is None or session.match is not None else session.sensors.scan_ms
    return round(every) if every >= NOTICED_MS else 0


def begin(
    session: c.Session, board: chess.Board, clock: ChessClock | None, name: c.BoardId | None, budget: Budget
) -> State:
    """The state at the start of a game, from ``board``; ``name``: which board of a match it is; ``budget``: what all
    searches for one input share."""
    position, apart = Position(board, unreachable(board)), looks_apart(session)
    return State(
        settings=session.settings,
        senses=session.senses,
        laws=profile(session),
        position=position,
        clock=clock,
        readings=tuple([reading(position.symbol(square), session.senses) for square in chess.SQUARES]),
        turn=Turn(side_of(position.turn), 0, 1),
        start=position,
        trace=Trace(),
        budget=budget,
        default_due=session.settings.default_time_ms,
        rates=None if session.sensors is None else rates(session.sensors.lost, session.sensors.scan_ms),
        pace=Pace(apart=apart, looks_ms=apart),
        board=name,
    )
