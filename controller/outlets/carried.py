"""What a connection to the broker carries: something of one board, or of the venue as a whole."""

from collections.abc import Iterable
from typing import Protocol

import aiomqtt

from controller.outlets.notices import Notices


class Carried(Protocol):
    """``base``: the topic under which it tells what it has to tell. What fails in it is a notice of that ``name``."""

    base: str
    notices: Notices

    @property
    def name(self) -> str: ...
    @property
    def topics(self) -> Iterable[str]: ...
    async def serve(self, client: aiomqtt.Client) -> None: ...
    def hear(self, message: aiomqtt.Message) -> None: ...
