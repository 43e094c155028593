"""What a person may report that no sensor sees: each kind with its clause under the edition in force."""

from controller.laws.clauses import Clauses
from controller.laws.editions import Profile

OF_STOCK = {"hidden-stock": "16", "mislaid-stock": "16"}
"""What is done with pieces in stock, by the article of the blitz à quatre."""


def of_the_move(clause: Clauses) -> dict[str, str]:
    """Breaches that a player's last move was."""
    return {
        "touch-move": clause.touch_own,
        "released-move": clause.released,
        "castling-order": clause.rook_first,
        "promotion-changed": clause.promotion_final,
    }


def of_conduct(clause: Clauses) -> dict[str, str]:
    """Breaches that were no move."""
    return {
        "out-of-turn": clause.out_of_turn,
        "adjust-out-of-turn": clause.adjust,
        "clock-misuse": clause.clock_misuse,
    }


def of_beginning(clause: Clauses) -> dict[str, str]:
    """How a game can have begun wrongly."""
    return {"wrong-array": clause.wrong_array, "colours-reversed": clause.colours_reversed}


def reportable(laws: Profile, *, match: bool) -> dict[str, str]:
    """All that may be reported, by what the input calls it; in a match also of the stock."""
    clause, stock = laws.clause, OF_STOCK if match else {}
    hands = {"two-hands": clause.two_hands}
    return hands | of_the_move(clause) | of_conduct(clause) | stock | of_beginning(clause)
