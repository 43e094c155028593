"""Five editions of the FIDE Laws as data: what differs, as values and predicates.

An edition has one `Profile` for each way of playing under it: standard, and rapid and blitz with or without the full
competition rules. Each profile is written as what differs from its neighbour, so a new edition is one entry in
`EDITIONS`. `profile` picks the one for a session; no other code asks which edition it is.

What was read of each edition: `docs/laws.md`; [K] marks what is known from practice and nobody has read again.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.contract import Play, Report, Session
from controller.laws import clauses
from controller.laws.clauses import Clauses
from controller.laws.timecontrol import TimeControl

MINUTE = 60_000  #: ms
RAPID_S = 60 * 60  #: less than so many seconds for sixty moves is rapid (A.1)
BLITZ_S_2005 = 15 * 60 - 1  #: less than 15 minutes; since 2014 ten or less

Step = int | Literal["loss"]  #: ms added to the opponent's time, or the game

#: Which violations breach Article 4; the others disturb the opponent or misuse the clock.
_ARTICLE_4 = frozenset(
    ("touch-move", "released-move", "castling-order", "promotion-changed", "adjust-out-of-turn", "two-hands")
)
#: Which of them breach 4.3 or 4.4.
_ARTICLE_4_3_4_4 = frozenset(("touch-move", "castling-order", "promotion-changed"))


class Price(Struct, frozen=True):
    """The price of a fault."""

    kind: Literal["time", "cut", "loss", "draw", "discretion"]
    time_ms: int | None = None  #: added to the opponent's time, or cut from his own


class Profile(Struct, frozen=True, kw_only=True):
    """The Laws as they bind one game: plain values, and the clauses. Those given here are of standard play in 2005."""

    clause: Clauses = clauses.FIDE_2005

    # Article 4
    touch_report: Report = "arbiter"  #: who raises a breach of Article 4
    #: violations that can no longer be claimed once the claimant touches a piece
    forfeited_by_touch: frozenset[str] = _ARTICLE_4_3_4_4

    # Article 5
    #: a mate, stalemate or dead position reached against 4.2-4.7 does not end the game
    mate_needs_article_4: bool = False
    resignation_may_draw: bool = False  #: resigning to an opponent who cannot mate is a draw
    agreement_needs_moves: bool = False  #: each player must have made a move before a draw can be agreed

    # Article 6
    delay_carries_over: bool = False  #: main time saved in a period with a delay goes on into the next
    next_move_completes: bool = False  #: a move not pressed is completed by the player's next one
    default_time_ms: int | None = 60 * MINUTE  #: how late a player may come; None: the event must say
    #: who may call a fallen flag; a player's claim is always heard
    flag_called_by: Literal["arbiter", "players"] = "arbiter"
    flag_needs_own_time: bool = False  #: a claimant whose own flag is down has no claim
    #: both down: who fell first has lost, a draw, no valid claim
    both_flags: Literal["first", "draw", "nothing"] = "first"

    # Article 7
    illegal_report: Report = "arbiter"  #: who raises a completed illegal move
    #: though on claim, the arbiter acts on both kings in check and on an unfinished promotion
    illegal_seen: bool = False
    #: correctable until the game ends, or until the opponent has moved
    illegal_until: Literal["end", "next-move"] = "end"
    #: of the first, second, … completed illegal move; the last price holds for more
    illegal_prices: tuple[Step, ...] = (2 * MINUTE, 2 * MINUTE, "loss")
    draw_rider: bool = False  #: an opponent who cannot mate draws where he would have won
    pawn_left_is_queen: bool = False  #: a pawn left on its last rank and pressed becomes a queen
    no_move_is_illegal: bool = False  #: a press without a move counts as an illegal move, else it misuses the clock
    two_hands_is_illegal: bool = False
    #: an illegal position, found standing, that outlives the next completed move is a draw
    position_found_draws: bool = False
    #: moves of each player after which start position and clock stand as set; None: no limit
    array_limit: int | None = None
    #: moves of each player after which reversed colours stand; None: they stand at once
    colours_limit: int | None = None

    # Article 9 and the quickplay finish
    fourfold: bool = False  #: a match: the fourth occurrence is claimed, and no other (19 of the blitz à quatre)
    fivefold: Literal["none", "consecutive", "any"] = "none"
    seventy_five: bool = False
    false_claim_ms: int = 3 * MINUTE  #: added to the opponent's time for a false claim of a draw
    false_claim_cuts: bool = True  #: and time taken from the claimant [K]
    #: `profile` leaves open or closed; never with an increment
    quickplay: Literal["open", "if-announced", "closed"] = "open"
    quickplay_ms: int = 2 * MINUTE  #: less than this must be left on the claimant's clock
    quickplay_rejected_ms: int = 2 * MINUTE  #: added to the opponent's time when the claim is rejected
    quickplay_postponed_ms: int = 2 * MINUTE  #: may be added to it when the decision is postponed
    quickplay_increment_ms: int = 5000  #: for each move of both, may be asked for instead; never where no arbiter is
    quickplay_granted_ms: int = 2 * MINUTE  #: added to the opponent's time when that is granted

    def report_violation(self, kind: str) -> Report:
        """Who raises a violation of this kind."""
        return self.touch_report if kind in _ARTICLE_4 else "arbiter"

    def report_illegal(self, kind: str, *, both_in_check: bool = False) -> Report:
        """Who raises a completed illegal move of this kind; ``both_in_check``: it left both kings in check."""
        if self.illegal_seen and (both_in_check or kind == "unfinished-promotion"):
            return "arbiter"
        return self.illegal_report

    def forfeited(self, kind: str) -> bool:
        """Whether the right to claim a violation of this kind ends when the claimant touches a piece."""
        return kind in self.forfeited_by_touch

    def price(self, count: int, *, opponent_can_mate: bool) -> Price:
        """What a player's ``count``-th completed illegal move costs, from 1 on."""
        step = self.illegal_prices[min(max(count, 1), len(self.illegal_prices)) - 1]
        if step != "loss":
            return Price("time", step)
        return Price("draw") if self.draw_rider and not opponent_can_mate else Price("loss")

    def false_claim_cut(self, left_ms: int) -> int:
        """What a false claim takes from the claimant, who has ``left_ms`` left, in ms.

        2005, 9.5b [K]: half of more than two minutes, at most three; down to one minute from one to two; else nothing.
        """
        if not self.false_claim_cuts:
            return 0
        if left_ms > 2 * MINUTE:
            return min(left_ms // 2, 3 * MINUTE)
        return max(left_ms - MINUTE, 0)


class EditionLaws(Struct, frozen=True, kw_only=True):
    """One edition of the Laws: a profile for each way of playing, which are told apart by the time for sixty moves."""

    blitz_s: int = 10 * 60  #: up to so many seconds it is blitz (B.1)
    standard: Profile
    rapid: Profile
    blitz: Profile
    rapid_supervised: Profile
    blitz_supervised: Profile

    def play(self, control: TimeControl) -> Play:
        """Which kind of play a time control makes (A.1, B.1)."""
        seconds = control.seconds_for(60)
        if seconds <= self.blitz_s:
            return "blitz"
        return "rapid" if seconds < RAPID_S else "standard"

    def of(self, play: Play, supervised: bool) -> Profile:
        """The profile of this kind of play."""
        if play == "rapid":
            return self.rapid_supervised if supervised else self.rapid
        if play == "blitz":
            return self.blitz_supervised if supervised else self.blitz
        if supervised:
            return self.standard
        clause = self.standard.clause
        alone = replace(clause, quickplay=clause.quickplay_alone, quickplay_increment="", quickplay_postponed="")
        return replace(self.standard, clause=alone)


def _begun_wrong(clause: str) -> dict[str, str]:
    """The clause of rapid and blitz for all with which a game may begin wrongly: pieces, board, and clock."""
    return {"wrong_array": clause, "turned_board": clause, "wrong_setting": clause}


_PLAYERS_LOOK: dict[str, Any] = {
    "touch_report": "on-claim",
    "illegal_report": "on-claim",
    "illegal_seen": True,
    "illegal_until": "next-move",
    "flag_called_by": "players",
    "flag_needs_own_time": True,
    "both_flags": "draw",
    "array_limit": 3,
}
"""What differs up to 2009 where the players look after their own game."""

# -- 2005 --------------------------------------------------------------------------------------------------------

_STANDARD_2005 = Profile()
# Annex B: the players look after their own game.
_RAPID_2005 = replace(
    _STANDARD_2005,
    clause=replace(
        clauses.FIDE_2005,
        illegal_move="B.6",
        pawn_left="B.6",
        flag_fallen="B.7",
        flag="B.8",
        both_flags="B.9",
        **_begun_wrong("B.4"),
    ),
    **_PLAYERS_LOOK,
)
# Annex C: neither B.6, and with it what the arbiter may act on, nor 10.2 applies.
_BLITZ_2005 = replace(
    _RAPID_2005,
    clause=replace(_RAPID_2005.clause, illegal_move="C.3", pawn_left="C.3", illegal_penalty="C.3"),
    illegal_seen=False,
    illegal_prices=("loss",),
    draw_rider=True,
    quickplay="closed",
)

# -- 2009 --------------------------------------------------------------------------------------------------------

_STANDARD_2009 = replace(
    _STANDARD_2005,
    clause=clauses.FIDE_2009,
    forfeited_by_touch=_ARTICLE_4,
    default_time_ms=0,
    draw_rider=True,  # [K]
    false_claim_cuts=False,  # [K]
)
_RAPID_2009 = replace(
    _STANDARD_2009,
    clause=replace(
        clauses.FIDE_2009,
        illegal_move="A.4c",
        pawn_left="A.4c",
        flag_fallen="A.4d",
        flag="A.4d",
        both_flags="A.4d",
        **_begun_wrong("A.4a"),
    ),
    **_PLAYERS_LOOK,
)
_BLITZ_2009 = replace(
    _RAPID_2009,
    clause=replace(_RAPID_2009.clause, illegal_move="B.3c", pawn_left="B.3c", illegal_penalty="B.3c"),
    illegal_seen=False,
    illegal_prices=("loss",),
    quickplay="closed",
)

# -- 2014: the arbiter acts on what he sees, in every kind of play -------------------------------------------------

_STANDARD_2014 = replace(
    _STANDARD_2009,
    clause=clauses.FIDE_2014,
    mate_needs_article_4=True,
    delay_carries_over=True,  # [K] "where applicable"
    next_move_completes=True,
    default_time_ms=None,  # [K]
    illegal_prices=(2 * MINUTE, "loss"),
    pawn_left_is_queen=True,
    fivefold="consecutive",
    seventy_five=True,
    false_claim_ms=2 * MINUTE,
    quickplay="if-announced",
)
_RAPID_2014 = replace(
    _STANDARD_2014,
    clause=replace(
        clauses.FIDE_2014,
        illegal_move="A.4b",
        pawn_left="A.4b",
        illegal_penalty="A.4b",
        flag_fallen="A.4c",
        flag="A.4c",
        both_flags="A.4c",
        **_begun_wrong("A.4a"),
    ),
    flag_called_by="players",  # [K] whether the arbiter may call it too
    flag_needs_own_time=True,
    both_flags="nothing",
    illegal_until="next-move",
    illegal_prices=("loss",),
    position_found_draws=True,
    array_limit=10,
)
_MINUTE_2014 = {"illegal_penalty": "B.2", "false_claim": "B.2"}  # blitz: one minute for two
_BLITZ_2014 = replace(
    _RAPID_2014,
    clause=replace(_RAPID_2014.clause, false_claim="B.2"),
    false_claim_ms=MINUTE,
    quickplay="closed",
)
_BLITZ_SUPERVISED_2014 = replace(
    _STANDARD_2014,
    clause=replace(clauses.FIDE_2014, **_MINUTE_2014),
    illegal_prices=(MINUTE, "loss"),  # [K]
    false_claim_ms=MINUTE,
    quickplay="closed",
)

# -- 2018: a press without a move and two hands count as illegal moves ---------------------------------------------

_STANDARD_2018 = replace(
    _STANDARD_2014,
    clause=clauses.FIDE_2018,
    agreement_needs_moves=True,
    default_time_ms=0,
    no_move_is_illegal=True,
    two_hands_is_illegal=True,
    colours_limit=10,
    fivefold="any",
)
_RAPID_2018 = replace(
    _STANDARD_2018,
    clause=replace(
        clauses.FIDE_2018,
        illegal_penalty="A.4.2",
        flag_fallen="A.4.5",
        flag="A.4.3",
        **_begun_wrong("A.4.1"),
    ),
    illegal_until="next-move",
    position_found_draws=True,
    array_limit=10,
)
_BLITZ_2018 = replace(
    _RAPID_2018,
    clause=replace(_RAPID_2018.clause, **_MINUTE_2014),
    illegal_prices=(MINUTE, "loss"),
    false_claim_ms=MINUTE,
    quickplay="closed",
)
_BLITZ_SUPERVISED_2018 = replace(
    _STANDARD_2018,
    clause=replace(clauses.FIDE_2018, **_MINUTE_2014),
    illegal_prices=(MINUTE, "loss"),
    false_claim_ms=MINUTE,
    quickplay="closed",
)

# -- 2023: rapid pays blitz prices ---------------------------------------------------------------------------------

_STANDARD_2023 = replace(_STANDARD_2018, clause=clauses.FIDE_2023, resignation_may_draw=True)
_MINUTE_2023 = {"illegal_penalty": "A.3", "false_claim": "A.3"}
_RAPID_2023 = replace(
    _STANDARD_2023,
    clause=replace(
        clauses.FIDE_2023,
        **_MINUTE_2023,
        flag_fallen="A.5.5",
        flag="A.5.3",
        **_begun_wrong("A.5.1"),
    ),
    illegal_until="next-move",
    illegal_prices=(MINUTE, "loss"),
    false_claim_ms=MINUTE,
    position_found_draws=True,
    array_limit=10,
)
_RAPID_SUPERVISED_2023 = replace(
    _STANDARD_2023,
    clause=replace(clauses.FIDE_2023, **_MINUTE_2023),
    illegal_prices=(MINUTE, "loss"),
    false_claim_ms=MINUTE,
)

EDITIONS: Mapping[str, EditionLaws] = {
    "fide-2005": EditionLaws(
        blitz_s=BLITZ_S_2005,
        standard=_STANDARD_2005,
        rapid=_RAPID_2005,
        blitz=_BLITZ_2005,
        # Annexes B and C know no game under the full competition rules: they bind however many arbiters watch.
        rapid_supervised=_RAPID_2005,
        blitz_supervised=_BLITZ_2005,
    ),
    "fide-2009": EditionLaws(
        blitz_s=BLITZ_S_2005,
        standard=_STANDARD_2009,
        rapid=_RAPID_2009,
        blitz=_BLITZ_2009,
        rapid_supervised=_STANDARD_2009,
        blitz_supervised=replace(_STANDARD_2009, quickplay="closed"),
    ),
    "fide-2014": EditionLaws(
        standard=_STANDARD_2014,
        rapid=_RAPID_2014,
        blitz=_BLITZ_2014,
        rapid_supervised=_STANDARD_2014,
        blitz_supervised=_BLITZ_SUPERVISED_2014,
    ),
    "fide-2018": EditionLaws(
        standard=_STANDARD_2018,
        rapid=_RAPID_2018,
        blitz=_BLITZ_2018,
        rapid_supervised=_STANDARD_2018,
        blitz_supervised=_BLITZ_SUPERVISED_2018,
    ),
    "fide-2023": EditionLaws(
        standard=_STANDARD_2023,
        rapid=_RAPID_2023,
        blitz=replace(_RAPID_2023, quickplay="closed"),
        rapid_supervised=_RAPID_SUPERVISED_2023,
        blitz_supervised=replace(_RAPID_SUPERVISED_2023, quickplay="closed"),
    ),
}


def profile(session: Session) -> Profile:
    """The Laws for a session, by its edition, play, supervision, and what was announced."""
    chosen = EDITIONS[session.laws].of(session.play, session.supervised)
    if session.match is not None:
        return a_quatre(chosen)
    if chosen.quickplay == "if-announced":
        return replace(chosen, quickplay="open" if "quickplay" in session.announced else "closed")
    return chosen


def a_quatre(laws: Profile) -> Profile:
    """These Laws for a board of a match, by the articles of the blitz à quatre (in brackets).

    A completed illegal move loses, on a claim made before the opponent has moved (18). Every player can still mate, as
    pieces may come (8). Repetitions are counted aloud (19). There is no quickplay finish in blitz.
    """
    return replace(
        laws,
        clause=replace(laws.clause, illegal_penalty="18", threefold="19", agreement="15"),
        illegal_report="on-claim",
        illegal_seen=False,
        illegal_until="next-move",
        illegal_prices=("loss",),
        draw_rider=False,
        resignation_may_draw=False,
        position_found_draws=False,
        fourfold=True,
        fivefold="none",
        quickplay="closed",
    )
