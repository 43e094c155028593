"""Games with one planted offence each, and who committed what when."""

import random
from collections.abc import Callable
from typing import NamedTuple

import chess

from strangers import acts, plans
from strangers.acts import Deed
from strangers.deliveries import seen
from strangers.games import CLOCKS
from strangers.hands import FlagFellError, Hands
from strangers.plans import Plan
from strangers.plies import played
from strangers.stock import LAWS, POSITIONS, picked
from strangers.wood import Line, Way, side


class Offence(NamedTuple):
    """How it is named, where it can be committed (None: after any move), and how."""

    kinds: tuple[str, ...]
    plans: Callable[[chess.Board], list[Plan]] | None
    commit: Callable[[Hands, Plan], Deed]
    starts: tuple[str, ...] = ()
    clocked: bool = False


NO_MOVE = ("no-move", "clock-misuse")
CAN_CASTLE = (POSITIONS[0], POSITIONS[3], "r3k2r/pp3ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PP3PPP/R3K2R w KQkq - 0 1")
CAN_PROMOTE = (POSITIONS[1], POSITIONS[2], POSITIONS[7], POSITIONS[3])
EN_PASSANT = (POSITIONS[6], POSITIONS[5], POSITIONS[4])

OFFENCES = {
    "touch-own": Offence(("touch-move",), plans.touch_own, acts.touch_and_move),
    "touch-enemy": Offence(("touch-move",), plans.touch_enemy, acts.touch_and_move),
    "touch-both": Offence(("touch-move",), plans.touch_both, acts.touch_and_move),
    "released-move": Offence(("released-move",), plans.released, acts.move_on),
    "castling-order": Offence(("castling-order",), plans.castling, acts.rook_first, CAN_CASTLE),
    "castling-rook-touched": Offence(("castling-order", "touch-move"), plans.castling, acts.rook_touched, CAN_CASTLE),
    "promotion-changed": Offence(("promotion-changed",), plans.promotion, acts.change_promotion, CAN_PROMOTE),
    "out-of-turn": Offence(("out-of-turn",), plans.out_of_turn, acts.move_out_of_turn),
    "out-of-turn-known": Offence(("out-of-turn",), plans.out_of_turn, acts.touch_out_of_turn),
    "adjust-out-of-turn": Offence(("adjust-out-of-turn",), None, acts.adjust_out_of_turn),
    "no-move": Offence(NO_MOVE, None, acts.only_press, clocked=True),
    "touched-no-move": Offence(NO_MOVE, None, acts.touch_and_press, clocked=True),
    "illegal-square": Offence(("illegal-move",), plans.illegal_square, acts.go_illegally),
    "illegal-check": Offence(("illegal-move",), plans.illegal_check, acts.go_illegally),
    "illegal-capture": Offence(("illegal-move",), plans.illegal_capture, acts.take_illegally),
    "unfinished-promotion": Offence(
        ("unfinished-promotion",), plans.promotion, acts.leave_pawn, CAN_PROMOTE, clocked=True
    ),
    "unfinished-castling": Offence(
        ("unfinished-castling",), plans.castling, acts.leave_other, CAN_CASTLE, clocked=True
    ),
    "unfinished-capture-ep": Offence(
        ("unfinished-capture",), plans.en_passant, acts.leave_other, EN_PASSANT, clocked=True
    ),
    "unfinished-capture-victim-only": Offence(
        ("unfinished-capture", *NO_MOVE), plans.victim, acts.take_off, clocked=True
    ),
}


class Planted(NamedTuple):
    """The offence: told in time if by ``told``; any of ``kinds`` is its name."""

    way: Way
    side: str
    kinds: tuple[str, ...]
    committed: int  #: ms
    told: int  #: ms
    truth: list[str]  #: moves as UCI, also those of the offence that count
    lines: list[Line]


def planted(seed: int, kind: str) -> Planted:
    """The first game of a seed that offers the offence."""
    for attempt in range(1, 31):
        try:
            game = attempted(seed * 1000 + attempt, kind)
        except FlagFellError:
            continue
        if game:
            return game
    raise ValueError(f"no {kind} by seed {seed} in 30 games: take another seed")


def attempted(seed: int, kind: str) -> Planted | None:
    """The game of a seed, or None if the offence finds no occasion. Raises :exc:`FlagFellError`."""
    rng = random.Random(f"off/{seed}/{kind}")
    offence = OFFENCES[kind]
    way = _way(rng, kind, offence)
    hands = Hands(rng, way)
    truth: list[str] = []
    plan = _led_to(hands, offence, truth)
    if plan is None:
        return None
    hands.early = None
    hands.wait(2500, 5000)
    before = len(hands.board.move_stack)
    deed = offence.commit(hands, plan)
    truth += [move.uci() for move in hands.board.move_stack[before:]]
    if deed.goes_on:
        _go_on(hands, truth)
    else:
        hands.wait(3000)
        hands.log({"type": "time"})
    kinds = tuple(name for name in offence.kinds if name != _misnamed(way))
    return Planted(way, side(deed.by), kinds, deed.committed, deed.told, truth, seen(hands).lines)


def _misnamed(way: Way) -> str:
    """A press without a move was misuse of the clock before 2018, an illegal move since."""
    return "clock-misuse" if int(way.laws[-4:]) >= 2018 else "no-move"


def _way(rng: random.Random, kind: str, offence: Offence) -> Way:
    laws = rng.choice(LAWS)
    senses = rng.choice(["occupancy", "occupancy", "colour", "identity"])
    if kind == "promotion-changed":
        senses = "identity"
    clock = rng.choice(CLOCKS)
    if offence.clocked and not clock:
        clock = rng.choice(CLOCKS[1:])
    fen = rng.choice(offence.starts or ("startpos", "startpos", POSITIONS[0]))
    touched = senses != "occupancy" or kind == "out-of-turn-known"
    return Way("touch" if touched else rng.choice(["touch", "touch", "bounce"]), senses, clock, laws, fen=fen)


def _led_to(hands: Hands, offence: Offence, truth: list[str]) -> Plan | None:
    """Play honestly up to an occasion."""
    rng, board = hands.rng, hands.board
    lead = rng.randint(0, 3) if offence.starts else rng.randint(4, 30)
    for ply in range(lead + 40):
        if board.is_game_over():
            return None
        if ply >= lead and offence.plans is None:
            if board.move_stack:
                return Plan()
        elif ply >= lead and offence.plans and (ways := offence.plans(board)):
            return rng.choice(ways)
        move = picked(rng, board, "any")
        played(hands, move, plain=False)
        truth.append(move.uci())
    return None


def _go_on(hands: Hands, truth: list[str]) -> None:
    """A few honest plies after the offence."""
    made = 0
    while made < hands.rng.randint(2, 8) and not hands.board.is_game_over():
        if not made:
            hands.wait(1500, 2500)
            hands.early = None
        move = picked(hands.rng, hands.board, "any")
        played(hands, move, plain=False)
        truth.append(move.uci())
        made += 1
