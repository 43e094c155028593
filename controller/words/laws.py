"""The Laws of one edition as rows of plain words: each rule with its clause, and how they bind one kind of play.

Everything is read from the edition's data (`controller/laws/editions.py`): a value or a clause added there is a row
here as soon as the catalogues have its sentence.
"""

from collections.abc import Iterator

from msgspec import Struct

from controller.contract import Edition, Play
from controller.laws.clauses import Clauses
from controller.laws.editions import EDITIONS, Profile
from controller.words.language import Language

#: The clause behind each value of a profile; where editions have none in common, the value stands without.
CLAUSE_OF = {
    "forfeited_by_touch": "claim_lost",
    "mate_needs_article_4": "checkmate",
    "resignation_may_draw": "resignation",
    "agreement_needs_moves": "agreement",
    "next_move_completes": "next_move_completes",
    "default_time_ms": "default_time",
    "flag_called_by": "flag_fallen",
    "flag_needs_own_time": "flag_fallen",
    "both_flags": "both_flags",
    "illegal_report": "illegal_move",
    "illegal_seen": "illegal_move",
    "illegal_until": "illegal_move",
    "illegal_prices": "illegal_penalty",
    "draw_rider": "illegal_penalty",
    "pawn_left_is_queen": "pawn_left",
    "no_move_is_illegal": "no_move",
    "two_hands_is_illegal": "two_hands",
    "position_found_draws": "position_found",
    "array_limit": "wrong_array",
    "colours_limit": "colours_reversed",
    "fivefold": "fivefold",
    "seventy_five": "seventy_five_moves",
    "false_claim_ms": "false_claim",
    "false_claim_cuts": "false_claim",
    "quickplay": "quickplay",
    "quickplay_ms": "quickplay",
    "quickplay_rejected_ms": "quickplay",
    "quickplay_postponed_ms": "quickplay_postponed",
    "quickplay_increment_ms": "quickplay_increment",
    "quickplay_granted_ms": "quickplay_increment",
}


A_QUATRE = ("2", "4", "6", "7", "8", "9", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20")
"""The articles of the blitz à quatre by which a match differs from two games."""


OVERRULED = ("dead_position", "threefold_intended", "threefold", "fivefold", "position_found")
"""What these articles put out of force, beside the quickplay finish: nobody is too weak to mate (8), an
illegal position draws nothing (18), and repetitions are counted aloud (19)."""


OF_A_MATCH = ("flag", "notes")
"""What they word otherwise: a fallen flag cannot be a draw (8), and partners may talk (11)."""


class Row(Struct, frozen=True):
    """One rule or value: ``topic`` is what it is about; ``says`` is empty for a rule, which is its topic."""

    name: str  #: of the field in the profile or its clauses
    topic: str
    says: str
    clause: str  #: as the edition numbers it; empty where it has no such rule


class EditionDifference(Struct, frozen=True):
    """One row that two editions have differently."""

    topic: str
    before: Row
    after: Row


def heading(edition: Edition, to: Language) -> str:
    """The name of an edition."""
    return to.text("heading", "edition", year=edition.removeprefix("fide-"))


def profile_of(edition: Edition, play: Play, *, supervised: bool) -> Profile:
    """How an edition binds one kind of play, before what an event announces."""
    return EDITIONS[edition].of(play, supervised)


def rules_of_the_match(to: Language) -> Iterator[Row]:
    """The articles of the blitz à quatre, each in a sentence."""
    for article in A_QUATRE:
        yield Row(article, to.text("a quatre", article), "", article)


def rules(profile: Profile, to: Language) -> Iterator[Row]:
    """Each rule with its clause, in the order of the Laws; without those that the edition does not have, or a
    match puts out of force."""
    for row in _rules(profile, to):
        if row.clause and not _overruled(row.name, profile):
            yield row


def values(profile: Profile, to: Language) -> Iterator[Row]:
    """How the edition binds this kind of play, value by value; without those that never come to bear in it."""
    for row in _values(profile, to):
        if row.says and not _overruled(row.name, profile):
            yield row


def _overruled(name: str, profile: Profile) -> bool:
    return profile.fourfold and (name in OVERRULED or name.startswith("quickplay"))


def differences(before: Profile, after: Profile, to: Language) -> Iterator[EditionDifference]:
    """Row by row what two profiles have differently, in numbers or in substance."""
    for rows in (_rules, _values):
        for a, b in zip(rows(before, to), rows(after, to), strict=True):
            if (a.says, a.clause) != (b.says, b.clause):
                yield EditionDifference(a.topic, a, b)


def _rules(profile: Profile, to: Language) -> Iterator[Row]:
    for name in Clauses.__struct_fields__:
        of_match = profile.fourfold and name in OF_A_MATCH
        topic = to.text("a quatre" if of_match else "rule", name)
        yield Row(name, topic, "", getattr(profile.clause, name))


def _values(profile: Profile, to: Language) -> Iterator[Row]:
    for name in Profile.__struct_fields__:
        if name in ("clause", "fourfold"):  # no edition knows a match
            continue
        topic = to.text("topic", name)
        if _bears(name, profile):
            clause = getattr(profile.clause, CLAUSE_OF[name]) if name in CLAUSE_OF else ""
            yield Row(name, topic, _says(name, getattr(profile, name), to), clause)
        else:
            yield Row(name, topic, "", "")


def _bears(name: str, profile: Profile) -> bool:
    """Whether a value comes to bear: what the arbiter may act on himself matters where he else waits for a claim."""
    if name == "illegal_seen":
        return profile.illegal_report == "on-claim"
    if name == "position_found_draws":
        return profile.position_found_draws
    of = CLAUSE_OF.get(name, "")
    if of in ("quickplay_increment", "quickplay_postponed") and not getattr(profile.clause, of):
        return False
    return profile.quickplay != "closed" or not name.startswith("quickplay_")


def _says(name: str, value: object, to: Language) -> str:
    """A value in words. Times are in ms, limits in moves of each player."""
    fields: dict[str, str] = {}
    match value:
        case bool():
            key = "yes" if value else "no"
        case str():
            key = value
        case tuple():
            return _steps(value, to)
        case frozenset():
            key = "all" if "released-move" in value else "some"
        case int() if name.endswith("_ms"):
            key, fields = ("time", {"time": to.span(value)}) if value else ("none", {})
        case int():
            key, fields = "moves", {"number": str(value)}
        case _:
            key = "open" if name.endswith("_ms") else "none"
    return to.text("law", f"{name} {key}", **fields)


def _steps(prices: tuple[int | str, ...], to: Language) -> str:
    """What the first, the second … illegal move costs; the last price goes on."""
    said = [_price(price, to) for price in prices]
    if len(said) == 1:
        return to.text("law", "illegal_prices all", price=said[0])
    numbers = [to.text("ordinal", str(at + 1)) for at in range(len(said))]
    keys = ["each"] * (len(said) - 1) + ["on"]
    steps = zip(keys, numbers, said, strict=True)
    return ", ".join(
        to.text("law", f"illegal_prices {key}", number=number, price=price) for key, number, price in steps
    )


def _price(price: int | str, to: Language) -> str:
    if isinstance(price, int):
        return to.text("law", "illegal_prices time", time=to.span(price))
    return to.text("law", f"illegal_prices {price}")
