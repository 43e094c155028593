"""``jadoube hall result … --at-board``: a result by hand, given at the board as well, which ends the game there."""

import asyncio
import contextlib
import re
import secrets
from functools import partial
from typing import Any

import aiomqtt
import msgspec
from aiomqtt import ProtocolVersion

from controller.cli.hall.broker import asking, broker
from controller.cli.hall.files import Hall
from controller.cli.hall.heard import ANSWER_S, Heard, HeardBoard, take
from controller.errors import DeviceError
from controller.outlets.mqtt.connection import talk
from controller.outlets.mqtt.levels import of_venue
from controller.pairing import round_of
from controller.tournament.results import Given
from controller.tournament.values import FORFEIT, Pairing, Round
from controller.wire import heard_as

PAGE = "on the page of the board: Give a result"


def end_at_board(hall: Hall, now: Round, pairing: Pairing, given: Given, *, insist: bool) -> None:
    """Has the board take the result, as a ruling of who gave it. ``insist``: in place of the one that it has.

    Raises :exc:`DeviceError` where it cannot be told, does not answer, or says that it will not.
    """
    number = pairing.table
    if number in hall.elsewhere:
        cause = "the broker lets this computer command the boards alone that are plugged in here"
        raise DeviceError(f"board {number} is at another computer, and is not told of the result", cause, PAGE)
    if hall.mqtt is not None and hall.mqtt.commands == "signed":
        raise DeviceError(f"board {number} is not told of the result", "it takes signed commands alone", PAGE)
    text = "" if given.reason == FORFEIT else given.reason
    said = {"type": "arbiter", "do": "result", "result": given.result, "text": text} | (
        {"insist": True} if insist else {}
    )
    talk(*broker(hall), partial(_end, f"{of_venue(hall.venue)}/board/{number}", now, pairing, given.by, said))


async def _end(
    base: str,
    now: Round,
    pairing: Pairing,
    by: str,
    said: dict[str, Any],
    client: aiomqtt.Client,
    version: ProtocolVersion,
) -> None:
    number, venue = pairing.table, base.rpartition("/board/")[0]
    answers = f"{base}/answer/result-{secrets.token_hex(4)}" if version == ProtocolVersion.V5 else f"{base}/event"
    heard = Heard({number: HeardBoard()})
    await client.subscribe([(f"{base}/{topic}", 1) for topic in ("status", "state")] + [(answers, 1)])
    await client.subscribe(f"{venue}/hall/+/status", qos=1)
    sent = False
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ANSWER_S):
            async for message in client.messages:
                if not isinstance(message.payload, bytes):
                    continue
                if sent and message.topic.value == answers:
                    if _accepted(message.payload, number):
                        return
                    continue
                take(heard, message.topic.value.removeprefix(f"{venue}/"), message.payload, 0, 0)
                if not sent and heard.boards[number].game.tags and heard.online(number):
                    _check(heard.boards[number], now, pairing)
                    properties = asking(answers) if version == ProtocolVersion.V5 else None
                    command = msgspec.json.encode(said)
                    await client.publish(f"{base}/cmd/{_level(by)}", command, qos=1, properties=properties)
                    sent = True
    what = "does not answer" if sent else "is away, or has had no game"
    raise DeviceError(f"board {number} {what}, and is not told of the result", "its daemon is down, or busy", PAGE)


def _check(told: HeardBoard, now: Round, pairing: Pairing) -> None:
    """Raises :exc:`DeviceError` where the board has another game than that of the round."""
    tags = told.game.tags
    round_ = round_of(tags)
    about = Given(
        round=round_ or now.number,
        table=pairing.table,
        white=tags.get("White", ""),
        black=tags.get("Black", ""),
        result=None,
        at="",
    )
    if not about.concerns(now, pairing):
        has = f"{about.white or '?'} – {about.black or '?'}, round {round_ or '?'}"
        cause = "the next game has begun there, or it began with other players"
        raise DeviceError(f"board {pairing.table} has another game, {has}, and keeps it", cause, PAGE)


def _accepted(payload: bytes, number: str) -> bool:
    """Whether that is the answer that it is done. Raises :exc:`DeviceError` for a refusal."""
    answer = heard_as(payload, dict[str, Any]) or {}
    if answer.get("type") == "refused":
        what, cause, next_step = (str(answer.get(name, "")) for name in ("what", "cause", "next_step"))
        raise DeviceError(f"board {number} does not take the result: {what}", cause, next_step or PAGE)
    return answer.get("type") == "done" and "at" not in answer


def _level(name: str) -> str:
    """A name as a level of a topic."""
    return re.sub(r"[/+#\0\s]+", "-", name) or "hall"
