"""What a person may report that no sensor sees: each kind with its clause under the edition in force, and its price."""

from controller.laws.clauses import Clauses
from controller.laws.editions import Price, Profile

OF_STOCK = {"hidden-stock": "16", "mislaid-stock": "16"}
"""What is done with pieces in stock, by the article of the blitz à quatre."""

PRICED = {"phone": Price("loss"), "refusal": Price("loss")}
"""What misconduct costs where the Laws say it; else the arbiter chooses (13.4, from 2014 12.9)."""


def of_the_move(clause: Clauses) -> dict[str, str]:
    """Breaches that a player's last move was."""
    return {
        "touch-move": clause.touch_own,
        "released-move": clause.released,
        "castling-order": clause.rook_first,
        "promotion-changed": clause.promotion_final,
    }


def of_the_clock(clause: Clauses) -> dict[str, str]:
    """Breaches that were no move."""
    return {
        "out-of-turn": clause.out_of_turn,
        "adjust-out-of-turn": clause.adjust,
        "clock-misuse": clause.clock_misuse,
    }


def of_conduct(clause: Clauses) -> dict[str, str]:
    """Misconduct: what it costs is proposed, by :data:`PRICED`."""
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
    """How a game can have begun wrongly."""
    return {
        "wrong-array": clause.wrong_array,
        "turned-board": clause.turned_board,
        "colours-reversed": clause.colours_reversed,
    }


def reportable(laws: Profile, *, match: bool) -> dict[str, str]:
    """All that may be reported, by what the input calls it; in a match also of the stock."""
    clause, stock = laws.clause, OF_STOCK if match else {}
    hands = {"two-hands": clause.two_hands, "illegal-move": clause.illegal_move}
    seen = hands | of_the_move(clause) | of_the_clock(clause) | stock | of_beginning(clause)
    return seen | of_conduct(clause)
