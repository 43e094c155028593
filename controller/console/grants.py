"""What a pairing code is given for, and whoever signs in with it may do: a role, and of which boards."""

from typing import Literal, get_args

from msgspec import Struct

from controller.numbering import ranges
from controller.words import LanguageCode

Role = Literal["chief", "arbiter", "organiser", "screen"]
"""``chief``: may do all. ``arbiter``: sees all, and rules on some boards. ``organiser``: sees all, and has the results.
``screen``: sees what spectators do."""

ROLES: tuple[Role, ...] = get_args(Role)


class Grant(Struct, frozen=True, omit_defaults=True):
    """What somebody may do; as long as nothing else is said, all."""

    role: Role = "chief"
    boards: tuple[str, ...] = ()  #: of an ``arbiter``: on which he rules
    name: str = ""  #: who he is, where who gave the code has said so
    live: bool = False  #: of a ``screen``: it is shown all at once, and not as late as the public

    @property
    def sees(self) -> bool:
        """Whether he sees what arbiters do: touches, cases, the equipment."""
        return self.role != "screen"

    @property
    def signs_out(self) -> bool:
        """Whether he sees who is signed in, and may end that."""
        return self.role == "chief"

    @property
    def results(self) -> bool:
        """Whether he has the results of the round, and gives some by hand."""
        return self.role in ("chief", "organiser")

    def rules(self, board: str) -> bool:
        """Whether he rules on the board of that number."""
        return self.role == "chief" or (self.role == "arbiter" and board in self.boards)


ALL = Grant()
"""What a code is good for of which nothing is said."""


def said(grant: Grant, code: LanguageCode) -> str:
    """A role in words, with its boards."""
    from controller.words.language import language  # the command knows the roles, and seldom has to say one

    key = f"role-{grant.role}{'-live' if grant.live else ''}"
    return language(code).text("page", key, boards=ranges(grant.boards))
