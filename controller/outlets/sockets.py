"""WebSockets as uvicorn serves them, held to what one client may take of us, whatever it sends and however it reads.

Who does not read what is said is not listened to either, so that nothing piles up here; and who then does not answer a
ping is cut off, for what waits to be sent would hold the connection as long as TCP tries. All that is said is read in
turns: pings and the frames of a message are many in few bytes. What is no message is
answered by the close code of RFC 6455, 7.4.1, without a line in the log.
"""

from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from controller.outlets.turns import Sliced, Turns

FRAGMENTS = 256  #: of one message: empty ones would count for nothing in its size


class Sockets(Sliced, WebSocketsSansIOProtocol):
    """One connection. ``turns``: in which what it says is read; ``given`` by uvicorn."""

    def __init__(self, turns: Turns, **given: Any) -> None:
        super().__init__(**given)
        self.turns = turns

    def talks(self) -> bool:
        return True  # a ping has six bytes, and each is answered

    def holds(self) -> bool:
        return self.read_paused or not self.writable.is_set()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()  # each ping of his would be answered

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.holds() and not self.slicing:
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= FRAGMENTS:
            self._refuse(CloseCode.MESSAGE_TOO_BIG, f"more than {FRAGMENTS} fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._refuse(CloseCode.INVALID_DATA, "no UTF-8")
                return
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True  # refused before it began: else there would be a line in the log for each

    def _refuse(self, code: CloseCode, reason: str) -> None:
        self.frames = []
        self.conn.fail(code, reason)
        self.handle_parser_exception()
