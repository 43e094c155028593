"""What the pages can be told in a configuration: its table ``[console]``."""

from typing import Annotated

from msgspec import Meta, Struct

PORT = 8064
KEY_LENGTH = 16

Address = Annotated[str, Meta(pattern="^https?://[^/ ]+$", description="such as http://10.0.0.12:8064")]


class ConsoleConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the pages are served, and whose boards are on them besides our own."""

    host: str = "127.0.0.1"  #: this machine alone; ``0.0.0.0`` for all of the hall's network
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT  #: 0: any that is free
    names: tuple[str, ...] = ()  #: under which browsers reach it, besides its addresses and the machine's own name
    session_h: Annotated[float, Meta(gt=0)] = 16.0  #: so long an arbiter stays signed in
    others: tuple[Address, ...] = ()  #: the daemons of other boards, to be shown on the same page
    hall_key: str | None = None  #: a secret that all daemons of a hall share; without one, none reads another's boards

    def __post_init__(self) -> None:
        if self.hall_key is not None and len(self.hall_key) < KEY_LENGTH:
            raise ValueError(f"hall_key: {KEY_LENGTH} characters or more, for it lets in whoever has it")
        if self.others and self.hall_key is None:
            raise ValueError("others: without hall_key they will not answer; give all daemons of the hall the same")
