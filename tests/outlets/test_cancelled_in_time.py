"""A task that waits for the broker's answer ends when it is cancelled, also just as the answer comes."""

import asyncio

import pytest
from aiomqtt import ProtocolVersion

from controller.outlets.mqtt.connection import MqttConfig, client_of


def test_a_cancellation_that_comes_with_the_answer_is_not_lost() -> None:
    async def both_at_once() -> None:
        client = client_of(MqttConfig(host="nowhere"), ProtocolVersion.V5)
        answer = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(client._wait_for(answer, None))
        await asyncio.sleep(0)
        answer.set_result("here it is")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(both_at_once())
