"""What the outlets that a configuration may name can be told there; what they need is loaded only where it names them.

Each is a table under the name of its module, and a field of :class:`Outlets`; ``[metrics]`` is the daemon's own.
"""

from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

Host = Annotated[str, Meta(pattern=r"^[^\s:/]+(:\d{1,5})?$", description="name or name:port")]
Port = Annotated[int, Meta(ge=1, le=65535)]
Word = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]+$", description="letters, digits, - and _")]


class OutletConfig(Struct, frozen=True):
    """The table of an outlet: the module of that name opens it, see :mod:`.tables`."""


class LiveChessConfig(OutletConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where programs made for LiveChess find the board."""

    host: str = "127.0.0.1"  #: this machine alone; "0.0.0.0" for all that can reach it
    port: Port = 1982  #: where these programs look
    origins: tuple[str, ...] = ("https://lichess.org",)  #: the web sites whose pages may ask; "*" for all
    #: a move that is less certain is held back; 0: none is, for who plays at the other end waits for the move
    hold_below: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0


class BroadcastConfig(OutletConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the round is written, and where it can be fetched."""

    directory: str = "broadcast"  #: one for all boards of the hall, or one a board
    host: str = "127.0.0.1"  #: this machine alone; "0.0.0.0" for all that can reach it
    port: Port | None = None  #: as ``8063``: the same by URL; left out: the files alone


class MetricsConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where Prometheus fetches figures."""

    host: str = "127.0.0.1"  #: this machine alone; "0.0.0.0" for all that can reach it
    port: Port = 9064


class LichessConfig(OutletConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The round of a broadcast on Lichess to which the game is pushed."""

    round: Word  #: as ``"abcd1234"``: the eight characters at the end of the round's address
    #: as ``"/etc/jadoube/lichess-token"``: a token that may study:write; or a credential of the service
    token_file: str
    server: str = "https://lichess.org"

    def __post_init__(self) -> None:
        check_url("server", self.server)


class HomeAssistantConfig(OutletConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Home Assistant, on the same broker."""

    prefix: Word = "homeassistant"  #: the topic under which it looks for devices


class WebhookConfig(OutletConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is told of each alert."""

    url: str  #: as ``"https://example.org/alerts"``
    secret_file: str  #: as ``"/etc/jadoube/webhook-secret"``: what both sides know; or a credential of the service

    def __post_init__(self) -> None:
        check_url("url", self.url)


class Outlets(Struct, frozen=True, kw_only=True):
    """The outlets of a configuration, by the names of their tables."""

    homeassistant: HomeAssistantConfig | None = None  #: on the broker of [mqtt]: a device for each board
    webhook: WebhookConfig | None = None  #: each alert is posted there, signed
    #: programs made for DGT LiveChess find the board, as the board page of Lichess does
    livechess: LiveChessConfig | None = None
    #: the round as files, late by delay_min; one folder for all boards of the hall
    broadcast: BroadcastConfig | None = None


def check_url(option: str, url: str) -> None:
    """Raises :exc:`ValueError` where nothing can be posted to ``url``, or it has a secret in it."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise ValueError(f"{option}: a name and a password in a URL could be read by everybody who reads this file")
    if parts.scheme not in ("http", "https") or not parts.hostname or not url.isascii() or not url.isprintable():
        raise ValueError(f"{option}: expected a URL that begins with https:// or http://, not {url!r}")
