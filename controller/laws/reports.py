"""What a person may report that no sensor sees: each kind with its clause under the edition in force, and its price."""

from controller.laws.clauses import Clauses
from controller.laws.editions import Price, Profile

OF_STOCK = {"hidden-stock": "16", "mislaid-stock": "16"}
"""Misuse of the stock, each kind with its article of the blitz à quatre."""

PRICED = {"phone": Price("loss"), "refusal": Price("loss")}
"""The price of misconduct for which the Laws set one; for other kinds the arbiter chooses (13.4, from 2014 12.9)."""


def of_the_move(clause: Clauses) -> dict[str, str]:
    """Breaches by a player's last move, each with its clause."""
    return {
        "touch-move": clause.touch_own,
        "released-move": clause.released,
        "castling-order": clause.rook_first,
        "promotion-changed": clause.promotion_final,
    }


def of_the_clock(clause: Clauses) -> dict[str, str]:
    """Violations other than by a move, each with its clause."""
    return {
        "out-of-turn": clause.out_of_turn,
        "adjust-out-of-turn": clause.adjust,
        "clock-misuse": clause.clock_misuse,
    }


def of_conduct(clause: Clauses) -> dict[str, str]:
    """Kinds of misconduct, each with its clause; the price that is proposed: :data:`PRICED`."""
    return {
        "lateness": clause.default_time,
        "needless-pause": clause.needless_pause,
        "disturbance": clause.out_of_turn,
        "notes": clause.notes,
        "phone": clause.phone,
        "conduct": clause.disrepute,
        "refusal": clause.refusal,
        "other": clause.arbiter,
    }


def of_beginning(clause: Clauses) -> dict[str, str]:
    """Wrong beginnings of a game, each with its clause."""
    return {
        "wrong-array": clause.wrong_array,
        "turned-board": clause.turned_board,
        "colours-reversed": clause.colours_reversed,
    }


def reportable(laws: Profile, *, match: bool) -> dict[str, str]:
    """All kinds that may be reported, each with its clause; in a match those of the stock, too."""
    clause, stock = laws.clause, OF_STOCK if match else {}
    hands = {"two-hands": clause.two_hands, "illegal-move": clause.illegal_move}
    seen = hands | of_the_move(clause) | of_the_clock(clause) | stock | of_beginning(clause)
    return seen | of_conduct(clause)
