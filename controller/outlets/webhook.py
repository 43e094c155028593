"""A webhook: each event that wants an arbiter, posted to one address, signed, in order, until it is taken.

The body is what MQTT has under ``alert``. ``X-Jadoube-Signature`` is ``sha256=`` and the HMAC-SHA256 (RFC 2104) of the
body in hex, made with the secret that both sides know; ``X-Jadoube-Delivery`` is the number of the record. An alert
that is not answered with 2xx is sent again, ever more slowly, and those after it wait: a receiver that was away hears
all of them, in order, and drops one that it has by ``seq``.
"""

import asyncio
import hmac
from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from controller import credentials
from controller.contract import BoardId
from controller.errors import DeviceError
from controller.journal import Journal
from controller.outlets.alerts import wants_arbiter
from controller.outlets.follow import Follower, News
from controller.outlets.mqtt import topics
from controller.outlets.notices import Notices, at
from controller.outlets.posting import post
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.settings import WebhookConfig
from controller.outlets.tables import AtTable, Running

RETRY_S = (1.0, 300.0)  #: the first and the longest wait before an alert is sent again


class Webhook:
    """Posts the alerts of ``board``, in a match of its ``board_id``; ``name`` is of the notices, and of the cursor
    if that has none of its own.

    Raises :exc:`ConfigError` where the secret cannot be read.
    """

    def __init__(
        self,
        config: WebhookConfig,
        board: str,
        board_id: BoardId | None,
        journal: Journal,
        notices: Notices,
        name: str,
        cursor: str = "",
    ) -> None:
        self.name = name
        self.cursor = cursor or name
        self._url = config.url
        parts = urlsplit(config.url)
        self._shown = f"{parts.scheme}://{parts.netloc}"  # what comes after it may be all that keeps others out
        self._secret = credentials.read(config.secret_file, "[webhook] secret_file").encode()
        self._journal = journal
        self._board = board
        self._begin = partial(Scoresheet, board_id=board_id)
        self._notices = notices

    async def run(self) -> None:
        """Follows the journal until cancelled, from the last alert that was taken."""
        follower = Follower(self._journal, self._board, self._journal.cursor(self.cursor), self._begin)
        async for batch in follower.batches():
            for news in batch:
                if wants_arbiter(news.event):
                    await self._deliver(news)
                    self._journal.move_cursor(self.cursor, news.record.seq)
            self._journal.move_cursor(self.cursor, follower.seq)

    async def _deliver(self, news: News[Scoresheet]) -> None:
        body = topics.event(news)
        headers = {
            "Content-Type": "application/json",
            "X-Jadoube-Signature": f"sha256={signature(self._secret, body)}",
            "X-Jadoube-Delivery": str(news.record.seq),
        }
        wait_s, longest = RETRY_S
        while (trouble := await self._post(body, headers)) is not None:
            self._notices.set(self.name, trouble)
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, longest)
        self._notices.clear(self.name)

    async def _post(self, body: bytes, headers: dict[str, str]) -> DeviceError | None:
        try:
            answer = await post(self._url, body, headers)
        except OSError as error:
            what = f"the webhook at {self._shown} does not answer: {error or type(error).__name__}"
            cause = "it is not running, the network is down, or [webhook] url names another place"
            return DeviceError(what, cause, f"curl -v {self._shown}")
        if answer.ok:
            return None
        what = f"the webhook at {self._shown} does not take an alert: it answers {answer.status}"
        cause = (
            "the secret is not the one it knows" if answer.status in (401, 403) else "an error there, or another URL"
        )
        return DeviceError(what, cause, "see its log; alerts wait here, in order, until they are taken")


def signature(secret: bytes, body: bytes) -> str:
    """The code that vouches for the body, in hex."""
    return hmac.digest(secret, body, "sha256").hex()


def of_table(config: WebhookConfig, table: AtTable) -> Iterator[Running]:
    """One for each board."""
    for board_id in table.boards:
        name = at("webhook", board_id)
        webhook = Webhook(config, table.numbers, board_id, table.journal, table.notices, name, at(name, table.of_many))
        yield Running(name, webhook.run, webhook.cursor)
