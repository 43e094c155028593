"""What ``jadoube demo --game bughouse`` plays on two boards: a seeded match à quatre of the simulator's four players.

They move at random, with a taste for drops. Once a player lets a piece from his stock touch an empty square,
and then does not drop him: a breach (17 of the rules of the blitz à quatre).
"""

from collections.abc import Iterator

import chess
from msgspec import Struct
from msgspec.structs import replace

from controller.cli.demo.show import FAST, Act, Show, outside, simulated
from controller.cli.matchview import MatchView
from controller.config import TableSetup, check
from controller.contract import BoardId, Side
from controller.journal import Opening
from controller.match import game_of
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt.levels import of_place
from controller.outlets.scoresheet import board_of
from hardware.simulator.habits import Gesture
from hardware.simulator.matches import PLAYERS, PlayedMatch, inputs, play_match

CLOCK_S = 180  #: for each player (2)
PLIES = 36  #: on a board, before somebody has had enough
CALM = replace(PLAYERS, straighten=0.0, quick_reply=0.0, think_ms=(600, 2600), press_ms=(350, 800), choose_late=0.0)
COARSE = replace(CALM, brush=0.0, hover=0.0, castle_together=0.0, slide=0.0, target_first=0.0)
"""Without what is too short for fast forward."""
PATIENCE = {"release_ms": 1500}
"""In fast forward: a moment in which the machine is busy elsewhere must not pass for a release."""
PAUSE_MS = 1_500  #: so long before a turn nothing happens on its board: time enough for the breach
NAMES = {"A": {"white": "Ann", "black": "Bob"}, "B": {"white": "Cid", "black": "Dora"}}


def show(speed: float, seed: int) -> Show[Matchsheet]:
    """The match of that seed."""
    match = play_match(seed, CLOCK_S, COARSE if speed > FAST else CALM, PLIES)
    numbers = {"A": 1, "B": 2}
    boards = {name: {"number": str(n), "board": simulated(seed + n, speed)} for name, n in numbers.items()}
    event = {"venue": "demo", "match": "1", "clock": str(CLOCK_S), "settings": PATIENCE if speed > FAST else {}}
    game = NAMES | {"event": "Demonstration"}
    (config,) = check(boards | outside() | {"event": event, "game": game}, "the demonstration").tables
    acts = [Act(gesture.ms, name, gesture) for name, game in match.games.items() for gesture in game.gestures]
    acts += [Act(item.ms, item.board, item) for item in match.words]
    acts += _breach(config, match)
    return Show(
        config=config,
        acts=sorted(acts, key=lambda act: act.ms),
        last_words=[],
        begin=Matchsheet,
        view=MatchView,
        topics=f"{of_place('demo', 'match/1')}/#",
        notation="BPGN",
    )


def _breach(config: TableSetup, match: PlayedMatch) -> list[Act]:
    """The first time that somebody is about to move a piece of the board, has one in stock, and has time to reach for
    it: he sets it on an empty square where he could drop it, and takes it off again before it is released.
    """
    sheet = Matchsheet(
        Opening(game="", venue="", board=config.numbers, started="", session=config.session(config.game))
    )
    game, turns = game_of(sheet.opening.session), _calm_turns(match)
    for item in inputs(match):
        name = item.board
        if name is not None and turns[name] and item.ms >= turns[name][0].begins:
            turn, board = turns[name].pop(0), board_of(sheet.boards[name].fen)
            drops = [move for move in board.legal_moves if move.drop]
            if drops and board.ply() + 1 == turn.ply:
                return [Act(gesture.ms, name, gesture) for gesture in _reach(turn, board.turn, drops[0])]
        for event in game.handle(item):
            sheet.apply(event)
    return []


class _Turn(Struct):
    """A turn before which nothing happens on its board for a while."""

    ply: int
    begins: int  #: ms


def _calm_turns(match: PlayedMatch) -> dict[BoardId, list[_Turn]]:
    turns: dict[BoardId, list[_Turn]] = {}
    for name, game in match.games.items():
        first = {gesture.ply: gesture.ms for gesture in reversed(game.gestures)}
        last = {gesture.ply: gesture.ms for gesture in game.gestures}
        on_board = [ply for ply, move in enumerate(game.moves, 1) if ply > 1 and not move.drop]
        turns[name] = [_Turn(ply, first[ply]) for ply in on_board if first[ply] - last[ply - 1] >= PAUSE_MS]
    return turns


def _reach(turn: _Turn, white: chess.Color, drop: chess.Move) -> Iterator[Gesture]:
    side: Side = "white" if white else "black"
    letter = chess.piece_symbol(drop.drop or chess.PAWN)
    for before_ms, kind in ((1_300, "choose"), (900, "place"), (700, "lift")):
        yield Gesture(turn.begins - before_ms, kind, side, turn.ply, drop.to_square, letter)  # type: ignore[arg-type]
