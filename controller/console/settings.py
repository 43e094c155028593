"""What the pages can be told in a configuration: its table ``[console]``."""

import ipaddress
from typing import Annotated

from msgspec import Meta, Struct

from controller import credentials
from controller.errors import ConfigError

PORT = 8064
KEY_LENGTH = 16

PageAddress = Annotated[str, Meta(pattern="^https?://[^/ @]+$", description="such as http://10.0.0.12:8064")]


class ConsoleConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the pages are served, and whose boards are on them besides our own."""

    host: str = "127.0.0.1"  #: this machine alone; "0.0.0.0" for all of the hall's network
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT  #: 0: any that is free
    #: as ``"/etc/jadoube/pages.crt"``: with a certificate the pages are https: docs/security.md
    cert_file: str | None = None
    key_file: str | None = None  #: as ``"/etc/jadoube/pages.key"``: its key, chmod 0600; or a credential of the service
    ca_file: str | None = None  #: as ``"/etc/jadoube/ca.crt"``: who vouches for the others
    #: as ``["board1.local"]``: under which browsers reach it, besides its addresses and the machine's own name
    names: tuple[str, ...] = ()
    #: as ``"127.0.0.1"``: a web server before it that says for whom it asks: docs/security.md
    trusted_proxy: str | None = None
    session_h: Annotated[float, Meta(gt=0)] = 16.0  #: so long an arbiter stays signed in
    #: as ``["http://192.168.1.12:8064"]``: daemons of other boards, shown on the same page
    others: tuple[PageAddress, ...] = ()
    #: as ``"/etc/jadoube/hall-key"``: a secret that all daemons of the hall share; without one, none reads another's
    #: boards
    hall_key_file: str | None = None

    def __post_init__(self) -> None:
        if self.trusted_proxy is not None:
            try:
                ipaddress.ip_address(self.trusted_proxy)
            except ValueError as error:
                raise ValueError("trusted_proxy: no address, such as 127.0.0.1") from error
        if self.key_file is not None and self.cert_file is None:
            raise ValueError("key_file: a key without a certificate, which cert_file has to name")
        if self.others and self.hall_key_file is None:
            raise ValueError(
                "others: without hall_key_file they will not answer; give all daemons of the hall the same"
            )

    @property
    def address(self) -> str:
        """Where the pages are served, as it is configured."""
        return f"{self.host}:{self.port}"

    def hall_key(self) -> str | None:
        """The secret. Raises :exc:`ConfigError` where it cannot be read, could be by everybody, or is soon guessed."""
        if self.hall_key_file is None:
            return None
        key = credentials.read(self.hall_key_file, "[console] hall_key_file")
        if len(key) < KEY_LENGTH:
            what = f"what is in the file that [console] hall_key_file names has fewer than {KEY_LENGTH} characters"
            raise ConfigError(what, "it lets in whoever has it", f"openssl rand -hex 32 > {self.hall_key_file}")
        return key
