"""Rulings on their way to a board, and what it answers: by the broker, on the topics on which a board hears commands.

They are published on the exchange of the MQTT plugin, so the board hears them as any command on its ``cmd``. It answers
on its ``event``, ``done`` or ``refused``: that is listened to for as long as an answer is awaited. Others may command
the same board at that moment; whose answer it is, the record tells.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import aio_pika
from aio_pika.abc import AbstractChannel, AbstractExchange, AbstractIncomingMessage, AbstractQueue
from msgspec import Struct

from controller.archive import queues
from controller.archive.heard import ANSWERS, VenueBoard
from controller.archive.settings import BrokerConfig
from controller.errors import DeviceError, JadoubeError
from controller.outlets.mqtt.command import Fields
from controller.outlets.mqtt.topics import Refusal
from controller.wire import encode, heard_as

ANSWER_S = 10.0  #: how long a board may take to answer
RECORD_S = 3.0  #: how long the record of it may take until it is archived
LOOK_S = 0.02  #: how often it is looked for

SaidIn = Callable[[int], dict[str, Any] | None]
"""What a person has said in that record of the board, once that is known."""


class RulingsTally(Struct):
    done: int = 0
    refused: int = 0
    unanswered: int = 0


class _Answer(Refusal, frozen=True, kw_only=True):
    type: str
    seq: int = 0
    what: str = ""


class Commands:
    """What is commanded from here. A connection is made when there is something to command, and kept."""

    def __init__(self, config: BrokerConfig) -> None:
        self.tally = RulingsTally()
        self._config = config
        self._open: contextlib.AsyncExitStack | None = None
        self._connecting = asyncio.Lock()
        self._turns: defaultdict[VenueBoard, asyncio.Lock] = defaultdict(asyncio.Lock)  # one at a time on a board
        self._heard: dict[VenueBoard, asyncio.Queue[_Answer]] = {}  # what those answer that are listened to

    async def carry_out(self, fields: Fields, place: VenueBoard, said: SaidIn) -> int:
        """Has a board carry out a command; the number of its record. Raises :exc:`JadoubeError` where it is refused, or
        does not arrive, or nobody answers."""
        async with self._turns[place]:
            try:
                seq = await self._carry_out(fields, place, said)
            except JadoubeError as error:
                self.tally.refused += not isinstance(error, DeviceError)
                self.tally.unanswered += isinstance(error, DeviceError)
                raise
        self.tally.done += 1
        return seq

    async def _carry_out(self, fields: Fields, place: VenueBoard, said: SaidIn) -> int:
        published, answers = await self._connected()
        coming = self._heard[place] = asyncio.Queue()
        try:
            async with asyncio.timeout(ANSWER_S):
                await answers.bind(published, place.topic("event"))
                message = aio_pika.Message(encode(dict(fields)), delivery_mode=aio_pika.DeliveryMode.PERSISTENT)
                await published.publish(message, place.topic("cmd"))
                return await self._answer(coming, fields, said)
        except aio_pika.exceptions.DeliveryError as error:
            raise DeviceError(
                f"{_name(place)} hears no commands",
                "it was never connected to this broker, or another [event] venue or number stands in its configuration",
                f"on that computer: jadoube doctor; here: rabbitmqctl list_bindings | grep {place.topic('cmd')}",
            ) from error
        except (TimeoutError, aio_pika.exceptions.AMQPError, OSError) as error:
            raise DeviceError(
                f"{_name(place)} did not answer: {error or 'no answer'}",
                "its daemon is down or cut off from the broker, or the broker takes nothing at present",
                "see whether it went through before giving it again",
            ) from error
        finally:
            del self._heard[place]
            with contextlib.suppress(aio_pika.exceptions.AMQPError, OSError, TimeoutError, RuntimeError):
                await answers.unbind(published, place.topic("event"), timeout=ANSWER_S)

    async def _answer(self, coming: "asyncio.Queue[_Answer]", ours: Fields, said: SaidIn) -> int:
        """The one that is ours: a ruling that is done stands in the record as it was given."""
        while True:
            answer = await coming.get()
            if answer.type == "refused":
                raise answer.error
            item = await _known(said, answer.seq)
            if item is None or _same(item, ours):
                return answer.seq

    async def _hear(self, message: AbstractIncomingMessage) -> None:
        for place, coming in self._heard.items():
            if message.routing_key == place.topic("event"):
                answer = heard_as(message.body, _Answer)
                if answer is not None and answer.type in ANSWERS:
                    coming.put_nowait(answer)

    async def _connected(self) -> tuple[AbstractExchange, AbstractQueue]:
        """Where commands are published, and a queue of our own for what boards answer. Raises :exc:`DeviceError`."""
        async with self._connecting:
            if self._open is None or self._channel.is_closed:
                await self.close()
                async with contextlib.AsyncExitStack() as stack:
                    connection = await stack.enter_async_context(queues.connected(self._config))
                    self._channel: AbstractChannel = await connection.channel(publisher_confirms=True)
                    self._published = await self._channel.get_exchange(queues.PUBLISHED)
                    self._answers = await queues.answers(self._channel)
                    await self._answers.consume(self._hear, no_ack=True)
                    self._open = stack.pop_all()
            return self._published, self._answers

    async def close(self) -> None:
        """Ends the connection, if there is one."""
        stack, self._open = self._open, None
        if stack is not None:
            with contextlib.suppress(aio_pika.exceptions.AMQPError, OSError):
                await stack.aclose()


async def _known(said: SaidIn, seq: int) -> dict[str, Any] | None:
    """What stands in that record, once it is archived; None where that takes too long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(RECORD_S):
            while (item := said(seq)) is None:
                await asyncio.sleep(LOOK_S)
            return item
    return None


def _same(item: dict[str, Any], ours: Fields) -> bool:
    """Whether the record ``item`` is of the command ``ours``. To the name in ``by`` a board may have added by
    whose account it came, in brackets."""
    said = all(item.get(name) == ours.get(name) for name in ("do", "answers", "kind", "side"))
    return said and str(item.get("by")).startswith(str(ours.get("by")))


def _name(place: VenueBoard) -> str:
    return place.board.replace("/", " ")
