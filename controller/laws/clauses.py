"""Where each rule stands in each edition: the numbers that events cite.

What was read of each edition: `docs/laws.md`; [K] marks a number that is given from working knowledge and nobody has
read again. The first edition is written beside the rules, and each later one as what it renumbered in the one before; a
rule that an edition has not has an empty clause.
"""

from msgspec import Struct
from msgspec.structs import replace


class Clauses(Struct, frozen=True, kw_only=True):
    """The clause of each rule, as numbered in one edition; those given here are of 2005."""

    # Article 4: the act of moving the pieces
    adjust: str = "4.2"
    touch_own: str = "4.3a"
    touch_enemy: str = "4.3b"
    touch_both: str = "4.3c"
    castle: str = "4.4a"  #: king (then rook): castling on that side is owed
    rook_first: str = "4.4b"  #: rook, then king: that side is barred
    castling_failed: str = "4.4c"  #: castling meant but illegal: another king move, else free
    promotion_final: str = "4.4d"
    free: str = "4.5"  #: nothing touched can move or be taken
    released: str = "4.6"  #: a piece let go as part of a legal move stays there
    capture_made: str = "4.6a"
    castling_made: str = "4.6b"
    promotion_made: str = "4.6c"
    claim_lost: str = "4.7"  #: touching a piece forfeits the claim
    out_of_turn: str = "12.6"  #: touching on the opponent's time disturbs him [K]
    # Article 5: how a game ends [K]
    checkmate: str = "5.1a"
    resignation: str = "5.1b"
    stalemate: str = "5.2a"
    dead_position: str = "5.2b"
    agreement: str = "5.2c"
    # Article 6: the clock
    completed: str = "6.8a"
    next_move_completes: str = ""
    clock_misuse: str = "6.8"
    delay: str = "6.2b"
    default_time: str = "6.7"
    flag_fallen: str = "6.9"
    flag: str = "6.10"  # [K]
    both_flags: str = "6.12"  # [K]
    needless_pause: str = "6.13d"  #: the clocks stopped without a valid reason [K]
    defective_clock: str = "6.11"  # [K]
    wrong_setting: str = "6.11"  # [K]
    # Article 7: irregularities
    restored_clock: str = "6.14"  # [K]
    wrong_array: str = "7.1a"  # [K]
    turned_board: str = "7.1b"  #: the board placed with a dark square at the players' right [K]
    colours_reversed: str = "7.2"  # [K]
    displaced: str = "7.3"  # [K]
    illegal_move: str = "7.4a"  # [K]
    pawn_left: str = "7.4a"  # [K]
    no_move: str = "6.8"
    two_hands: str = "4.1"
    illegal_penalty: str = "7.4b"
    # Article 9 [K] and the quickplay finish: draws
    threefold_intended: str = "9.2a"  #: about to appear, by the move written down
    threefold: str = "9.2b"  #: has just appeared
    fifty_moves_intended: str = "9.3a"
    fifty_moves: str = "9.3b"
    draw_claim_lost: str = "9.4"
    false_claim: str = "9.5b"
    fivefold: str = ""
    seventy_five_moves: str = ""
    quickplay: str = "10.2"
    quickplay_alone: str = "D.1"  #: the same where no arbiter is present
    quickplay_postponed: str = "10.2b"  #: the decision is put off, and the game goes on
    quickplay_increment: str = ""  #: five seconds a move, asked for by who has little time left
    # Article 12 [K], rapid and blitz, and what else an arbiter does
    disrepute: str = "12.1"
    notes: str = "12.2a"  #: notes, advice, analysis on another board
    phone: str = "12.2b"  #: a phone or the like, where that is forbidden
    refusal: str = "12.8"  #: persistently refusing to comply with the Laws
    warning: str = "13.4a"  #: the mildest penalty of all [K]
    position_found: str = "B.6"  #: both kings in check, or a pawn on its last rank, found standing
    arbiter: str = "13.4"  #: what the arbiter may decide


FIDE_2005 = Clauses()

FIDE_2009 = replace(
    FIDE_2005,
    completed="6.7a",
    clock_misuse="6.7c",
    no_move="6.7c",
    default_time="6.6a",
    flag_fallen="6.8",
    flag="6.9",
    both_flags="6.11",
    needless_pause="6.12d",
    defective_clock="6.10a",
    wrong_setting="6.10b",
    restored_clock="6.13",
    notes="12.3a",  # [K]
    phone="12.3b",  # [K]
    position_found="A.4c",  # [K]
)

FIDE_2014 = replace(
    FIDE_2009,
    released="4.7",
    capture_made="4.7a",
    castling_made="4.7b",
    promotion_made="4.7c",
    claim_lost="4.8",
    out_of_turn="11.5",  # [K]
    completed="6.2a",
    next_move_completes="6.2a",
    clock_misuse="6.2c",  # [K]
    no_move="6.2c",  # [K]
    delay="6.3b",  # [K]
    default_time="6.7a",  # [K]
    restored_clock="7.1",  # [K]
    wrong_array="7.2a",  # [K]
    turned_board="7.2b",  # [K]
    colours_reversed="7.3",  # [K]
    displaced="7.4",  # [K]
    illegal_move="7.5a",
    pawn_left="7.5a",
    illegal_penalty="7.5b",
    fivefold="9.6a",
    seventy_five_moves="9.6b",
    quickplay="G.5",
    quickplay_alone="G.6",
    quickplay_postponed="G.5b",  # [K]
    quickplay_increment="G.4",
    disrepute="11.1",  # [K], as all of Article 11
    notes="11.3a",
    phone="11.3b",
    refusal="11.7",
    warning="12.9a",  # [K]
    position_found="A.4d",
    arbiter="12.9",  # [K]
)

FIDE_2018 = replace(
    FIDE_2014,
    adjust="4.2.1",
    touch_own="4.3.1",
    touch_enemy="4.3.2",
    touch_both="4.3.3",
    castle="4.4.1",
    rook_first="4.4.2",
    castling_failed="4.4.3",
    promotion_final="4.4.4",
    capture_made="4.7.1",
    castling_made="4.7.2",
    promotion_made="4.7.3",
    checkmate="5.1.1",
    resignation="5.1.2",
    stalemate="5.2.1",
    dead_position="5.2.2",
    agreement="5.2.3",
    completed="6.2.1",
    next_move_completes="6.2.1.2",
    clock_misuse="6.2.4",
    delay="6.3.2",
    default_time="6.7.1",
    both_flags="III.3.1",
    needless_pause="6.11.4",
    defective_clock="6.10.1",
    wrong_setting="6.10.2",
    wrong_array="7.2.1",
    turned_board="7.2.2",
    displaced="7.4.1",
    illegal_move="7.5.1",
    pawn_left="7.5.2",
    no_move="7.5.3",
    two_hands="7.5.4",
    illegal_penalty="7.5.5",
    threefold_intended="9.2.1.1",
    threefold="9.2.1.2",
    fifty_moves_intended="9.3.1",
    fifty_moves="9.3.2",
    false_claim="9.5.3",
    fivefold="9.6.1",
    seventy_five_moves="9.6.2",
    quickplay="III.5",
    quickplay_alone="III.6",
    quickplay_postponed="III.5.2",  # [K]
    quickplay_increment="III.4",
    notes="11.3.1",
    phone="11.3.2",
    warning="12.9.1",
    position_found="A.4.4",
)

FIDE_2023 = replace(FIDE_2018, threefold_intended="9.2.1", threefold="9.2.2", position_found="A.5.4")
