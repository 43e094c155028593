"""A bad network: a proxy for TCP that stalls, loses, drops, splits, delays and resets what passes through it."""

import asyncio
import contextlib
import random
import socket
import struct
from collections.abc import AsyncIterator


class Link:
    """One connection through the proxy."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.writers = (near, far)
        self.gone = asyncio.Event()
        self.lost = False  #: both ends think that it stands, and nothing comes through any more

    def reset(self) -> None:
        """Both ends are told so by RST."""
        for writer in self.writers:
            linger = struct.pack("ii", 1, 0)
            with contextlib.suppress(OSError):
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close()

    def close(self) -> None:
        for writer in self.writers:
            writer.close()


class Network:
    """``async with Network(port) as network``: what connects to :attr:`port` is connected to ``target``."""

    def __init__(self, target: int, chance: random.Random) -> None:
        self.port = 0
        self.delay_s = 0.0  #: for each piece, in each direction
        self.split = False  #: into pieces of a few bytes
        self.refusing = False  #: new connections are ended at once
        self._target = target
        self._chance = chance
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._links: list[Link] = []

    async def __aenter__(self) -> "Network":
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.drop()
        await asyncio.gather(*(link.gone.wait() for link in self._links))

    def stall(self) -> None:
        """Nothing flows, until :meth:`heal`; then all that was held back."""
        self._flowing.clear()

    def lose(self) -> None:
        """The connections that there are carry nothing any more, and nobody is told: half-open."""
        for link in self._links:
            link.lost = True

    def drop(self) -> None:
        """Ends all connections in order."""
        for link in self._links:
            link.close()

    def reset(self) -> None:
        """Ends all connections, with what is on its way."""
        for link in self._links:
            link.reset()

    def heal(self) -> None:
        """All is well again, but for what was lost."""
        self.delay_s, self.split, self.refusing = 0.0, False, False
        self._flowing.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.close()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        link = Link(writer, far_writer)
        self._links.append(link)
        try:
            await asyncio.gather(self._carry(reader, far_writer, link), self._carry(far_reader, writer, link))
        finally:
            self._links.remove(link)
            link.close()
            link.gone.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: Link) -> None:
        with contextlib.suppress(OSError):
            async for piece in self._pieces(reader):
                await self._flowing.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                if not link.lost:
                    writer.write(piece)
                    await writer.drain()
        if not link.lost:
            writer.close()

    async def _pieces(self, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
        while data := await reader.read(4096):
            while self.split and data:
                length = self._chance.randrange(1, 8)
                yield data[:length]
                data = data[length:]
                await asyncio.sleep(0)
            if data:
                yield data
