"""How the topics are called: for who publishes, for the access list of a broker, and for Home Assistant.

A topic is ``jadoube/v1/<venue>/<place>/<last>``; a place is ``board/7``, ``match/1`` or ``hall/<computer>``.
"""

from typing import Literal, get_args

Last = Literal["status", "health", "state", "clock", "head", "docket", "move", "event", "alert", "last-alert"]
"""What is told of a board on a topic of its own."""

TOLD: tuple[Last, ...] = get_args(Last)


def of_venue(venue: str) -> str:
    """What all topics of a venue begin with."""
    return f"jadoube/v1/{venue}"


def of_place(venue: str, place: str) -> str:
    """What all topics of a board begin with, or those of a match or a computer."""
    return f"{of_venue(venue)}/{place}"


def told_on(base: str, last: Last) -> str:
    """The topic on which that is told; ``base``: of the place, as :func:`of_place` has it."""
    return f"{base}/{last}"
