"""Alerts arrive signed, in order, each of them, whoever was away meanwhile."""

import asyncio
import hashlib
import hmac
import json
from importlib.metadata import version
from pathlib import Path

import pytest
from elsewhere import Alarm, at_work, elsewhere
from hall import free_port, until
from kit import Board, story

from controller.journal import Journal
from controller.outlets import webhook as module
from controller.outlets.alerts import wants_arbiter
from controller.outlets.notices import Notices
from controller.outlets.settings import WebhookConfig
from controller.outlets.webhook import Webhook
from controller.wire import decode_event

SECRET = "between us"


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_S", (0.01, 0.05))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(SECRET)
    path.chmod(0o600)
    return path


def calling(journal: Journal, secret: Path, url: str, notices: Notices | None = None) -> Webhook:
    config = WebhookConfig(url=f"{url}/alerts", secret_file=str(secret))
    return Webhook(config, "7", None, journal, notices or Notices(), "webhook")


def alerts(journal: Journal) -> list[int]:
    """The numbers of the records that want an arbiter."""
    events = [record for record in journal.after(0, 10_000) if record.kind == "event"]
    return [record.seq for record in events if wants_arbiter(decode_event(record.body))]


def seqs(alarm: Alarm) -> list[int]:
    return [json.loads(body)["seq"] for _, body in alarm.heard]


def test_every_alert_of_a_game_arrives_signed_and_in_order(journal: Journal, secret: Path) -> None:
    async def scene() -> None:
        alarm = Alarm()
        async with elsewhere(alarm.app) as url, at_work(calling(journal, secret, url)):
            for _ in story(Board(journal)):
                pass
            await until(lambda: journal.cursor("webhook") == journal.head.seq)
        assert seqs(alarm) == alerts(journal)
        for headers, body in alarm.heard:
            mac = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
            assert headers["x-jadoube-signature"] == f"sha256={mac}"
            assert headers["x-jadoube-delivery"] == str(json.loads(body)["seq"])
            assert headers["content-type"] == "application/json"
            assert headers["user-agent"] == f"jadoube/{version('jadoube')}"
        assert {json.loads(body)["type"] for _, body in alarm.heard} >= {"violation", "illegal", "penalty", "displaced"}

    asyncio.run(scene())


def test_what_is_not_taken_is_sent_again_and_the_others_wait(journal: Journal, secret: Path) -> None:
    async def scene() -> None:
        alarm, notices = Alarm(), Notices()
        alarm.refusals += [500, 429, 503, 404]
        async with elsewhere(alarm.app) as url, at_work(calling(journal, secret, url, notices)):
            for _ in story(Board(journal)):
                pass
            await until(lambda: notices.current)
            assert f"{url} does not take an alert: it answers" in notices.current[0].what
            assert "/alerts" not in str(notices.current), "the path may be a secret of those who know it"
            await until(lambda: journal.cursor("webhook") == journal.head.seq)
            assert not notices.current
        assert seqs(alarm) == alerts(journal)

    asyncio.run(scene())


def test_a_defect_on_the_way_loses_nothing_either(
    journal: Journal, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ValueError("a defect")

    async def scene() -> None:
        alarm = Alarm()
        for _ in story(Board(journal)):
            pass
        async with elsewhere(alarm.app) as url:
            webhook = calling(journal, secret, url)
            with monkeypatch.context() as patch:
                patch.setattr(module, "post", fail)
                with pytest.raises(ValueError, match="a defect"):
                    await webhook.run()
            async with at_work(webhook):
                await until(lambda: journal.cursor("webhook") == journal.head.seq)
        assert seqs(alarm) == alerts(journal)

    asyncio.run(scene())


def test_a_receiver_that_was_away_and_a_daemon_that_was_stopped_lose_nothing(journal: Journal, secret: Path) -> None:
    async def scene() -> None:
        alarm, notices, port = Alarm(), Notices(), free_port()
        steps = story(Board(journal))
        async with at_work(calling(journal, secret, f"http://127.0.0.1:{port}", notices)):
            for _ in range(3):
                next(steps)
            await until(lambda: notices.current)
        async with elsewhere(alarm.app, port) as url:
            for _ in range(2):  # the second one has nothing left to say
                async with at_work(calling(journal, secret, url)):
                    for _ in steps:
                        pass
                    await until(lambda: journal.cursor("webhook") == journal.head.seq)
        assert seqs(alarm) == alerts(journal)

    asyncio.run(scene())
