"""What people have to know of a kind of board before they have it: each configuration brings it along as ``about``."""

from msgspec import Struct

PINS = ("RPi.GPIO",)  #: or what ``library`` names in its place
SERIAL = ("serial",)


class About(Struct, frozen=True):
    """One kind of board. ``groups``: whose members may use its devices; ``modules``: what Python needs for it."""

    what: str  #: in some 60 letters
    groups: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    page: str | None = None  #: that tells of it
    own_clock: bool = False  #: presses are seen without a lever on pins of the Pi
    may_press: bool = False  #: it sends presses where its clock has a switch, and else they come from such a lever
    once: tuple[str, ...] = ()  #: lines on what is to be done besides, before it is used first
