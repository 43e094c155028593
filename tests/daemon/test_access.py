"""Nobody in who may not: a real mosquitto under the written configuration, over TLS, with generated certificates."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import aiomqtt
import pytest
from hall import make, need_mosquitto, running, until
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from secured import BASE, Secured, hearing

from controller import credentials
from controller.cli.broker_config import PUBLIC_CONNECTIONS
from controller.config import Config
from controller.daemon.service import Daemon
from controller.errors import ConfigError
from controller.journal.pages import beside
from controller.outlets.mqtt import channel as channel_module
from controller.outlets.mqtt import connection
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.mqtt.memory import Memory
from controller.outlets.mqtt.signed import sign
from controller.wire import decode_input

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]
RETAINED = {"status", "health", "state", "head", "last-alert", "public/status", "public/state"}
PAUSE = '{"type":"arbiter","do":"pause"}'


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Secured]]:
    need_mosquitto()
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.05, 0.2))
    monkeypatch.setattr(connection, "PATIENCE_S", 1.5)
    built = []

    def secured(**options: bool) -> Secured:
        built.append(Secured(tmp_path, **options))
        return built[-1]

    yield secured
    for broker in built:
        broker.stop()


@pytest.fixture
def broker(build: Callable[..., Secured]) -> Secured:
    return build()


def rulings(daemon: Daemon) -> list[tuple[str, str | None]]:
    """Which were journaled, and of whom."""
    items = [decode_input(record.body) for record in daemon.journal.after(0, 1000) if record.kind == "input"]
    return [(item.do, item.by) for item in items if item.__class__.__name__ == "Arbiter"]


def levels(heard: list[aiomqtt.Message]) -> set[str]:
    return {message.topic.value.removeprefix(f"{BASE}/") for message in heard}


@pytest.mark.parametrize("certificates", [False, True])
def test_an_arbiter_commands_under_his_own_name(
    configure: Configure, build: Callable[..., Secured], certificates: bool
) -> None:
    broker = build(certificates=certificates)
    config = configure(mqtt=broker.mqtt("board-7", commands="named"))

    async def scene() -> None:
        anna = broker.client("anna")
        async with hearing(anna, f"{BASE}/event", f"{BASE}/status") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            await anna.publish(f"{BASE}/cmd/anna", PAUSE, qos=1)
            await until(lambda: any(b'"done"' in message.payload for message in heard))
            assert rulings(daemon) == [("pause", "anna")]
            await anna.publish(f"{BASE}/cmd/anna", '{"type":"new-game"}', qos=1)
            await until(lambda: (game := daemon.journal.last_game("7")) and game.by == "anna")
            assert not daemon.notices.current

    asyncio.run(scene())


DENIED = [  # who, where: nobody else hears it, and nothing comes of it
    (None, f"{BASE}/cmd/anna"),
    (None, f"{BASE}/replay"),
    (None, f"{BASE}/state"),
    (None, f"{BASE}/public/state"),
    ("screen", f"{BASE}/cmd"),
    ("screen", f"{BASE}/cmd/screen"),
    ("screen", f"{BASE}/cmd/anna"),
    ("screen", f"{BASE}/head"),
    ("board-8", f"{BASE}/event"),
    ("board-8", f"{BASE}/cmd/anna"),
    ("board-8", f"{BASE}/public/state"),
    ("homeassistant", f"{BASE}/cmd/anna"),
    ("homeassistant", f"{BASE}/status"),
    ("anna", f"{BASE}/cmd"),
    ("anna", f"{BASE}/cmd/bruno"),
    ("anna", f"{BASE}/state"),
]


def test_a_client_without_rights_cannot_command_or_retain(configure: Configure, broker: Secured) -> None:
    config = configure(mqtt=broker.mqtt("board-7", commands="named", public=True))

    async def scene() -> None:
        async with running(config) as daemon:
            await until(
                lambda: daemon.only.session.playing and daemon.journal.cursor("mqtt") == daemon.journal.head.seq
            )
            async with hearing(broker.client("board-7"), f"{BASE}/#") as before:
                await until(lambda: levels(before) >= RETAINED)
            head = daemon.journal.head
            for user, topic in DENIED:
                async with broker.client(user) as client:
                    qos = 0 if user is None else 1  # more throws him out
                    await client.publish(topic, '{"type":"resign","side":"white"}', qos=qos, retain=True)
            async with hearing(broker.client("board-7"), f"{BASE}/#") as after:
                await until(lambda: levels(after) >= RETAINED)
                await asyncio.sleep(0.2)
            resigned = [message.topic.value for message in after if b"resign" in message.payload]
            assert not resigned
            # On a busy machine the clock that runs is written down meanwhile.
            assert not [record for record in daemon.journal.after(head.seq) if b"resign" in record.body]

    asyncio.run(scene())


@pytest.mark.parametrize("version", [aiomqtt.ProtocolVersion.V311, aiomqtt.ProtocolVersion.V5])
def test_nothing_waits_at_the_broker_for_somebody_without_a_name(
    broker: Secured, version: aiomqtt.ProtocolVersion
) -> None:
    """Else whoever comes once for each of a thousand sessions has all that is public kept in each. A reader has it."""
    topic = f"{BASE}/public/move"

    def session(user: str | None) -> aiomqtt.Client:
        v5 = version == aiomqtt.ProtocolVersion.V5
        kept = Properties(PacketTypes.CONNECT)
        kept.SessionExpiryInterval = 3600
        lasting = {"clean_start": False, "properties": kept} if v5 else {"clean_session": False}
        return broker.client(user, protocol=version, identifier=f"lasting-{user}", **lasting)

    async def scene() -> None:
        for user in (None, "screen"):
            async with session(user) as client:
                await client.subscribe(f"{BASE}/public/#", qos=1)
        async with broker.client("board-7") as board:
            for number in range(20):
                await board.publish(topic, f"while away {number}", qos=1)
            heard: dict[str | None, list[str]] = {}
            for user in ("screen", None):
                async with session(user) as client:
                    await board.publish(topic, "the end", qos=1)
                    heard[user] = []
                    async for message in client.messages:
                        heard[user].append(bytes(message.payload).decode())  # type: ignore[arg-type]
                        if heard[user][-1] == "the end":
                            break
        assert heard[None] == ["the end"]
        assert len(heard["screen"]) == 21

    asyncio.run(scene())


def test_those_without_a_name_are_so_many_and_keep_no_user_out(broker: Secured) -> None:
    async def scene() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(PUBLIC_CONNECTIONS):
                await stack.enter_async_context(broker.client(None))
            with pytest.raises(aiomqtt.MqttError):
                async with broker.client(None, timeout=5):
                    pass
            async with broker.client("screen"):
                pass

    asyncio.run(scene())


def test_home_assistant_is_told_of_a_board_and_of_nobody_elses_making(broker: Secured) -> None:
    config = "homeassistant/device/jadoube-hall-7/config"

    async def scene() -> None:
        async with hearing(broker.client("homeassistant"), "homeassistant/#") as heard:
            for user in ("screen", "anna", "board-7"):
                async with broker.client(user) as client:
                    await client.publish(config, user, qos=1)
            await until(lambda: heard)
            assert [message.payload for message in heard] == [b"board-7"]

    asyncio.run(scene())


def test_a_broker_that_takes_nothing_for_home_assistant_is_told(configure: Configure, broker: Secured) -> None:
    """Once, and not again and again as if it were all right in between; the board plays on."""
    mqtt = broker.mqtt("board-7", commands="named", public=True)
    config = configure(mqtt=mqtt, homeassistant={"prefix": "elsewhere"})

    async def scene() -> None:
        async with running(config) as daemon, hearing(broker.client("screen"), f"{BASE}/move") as heard:
            await until(lambda: any(each.source == "homeassistant" for each in daemon.notices.current), 20)
            (said,) = [each for each in daemon.notices.current if each.source == "homeassistant"]
            assert "does not take what is told to Home Assistant" in said.what
            assert "write nothing under elsewhere/device" in said.cause and "--homeassistant" in said.next_step
            await make(daemon, "e2e4")
            await until(lambda: heard)
            for _ in range(40):
                await asyncio.sleep(0.05)
                assert said in daemon.notices.current

    asyncio.run(scene())


def test_everybody_hears_what_is_public_and_nothing_else(configure: Configure, broker: Secured) -> None:
    config = configure(mqtt=broker.mqtt("board-7", public=True))

    async def scene() -> None:
        async with hearing(broker.client(None), "#", "$SYS/#") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            await until(lambda: any(message.topic.value.endswith("/move") for message in heard))
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            await asyncio.sleep(0.1)
        assert levels(heard) == {"public/status", "public/state", "public/clock", "public/move"}
        assert not any(b"touch" in message.payload or b"obligation" in message.payload for message in heard)

    asyncio.run(scene())


def test_who_has_no_name_or_the_wrong_one_does_not_come_in(
    configure: Configure, broker: Secured, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong"
    wrong.touch(0o600)
    wrong.write_text("a guess")
    config = configure(mqtt=broker.mqtt("board-7", password_file=str(wrong)))

    async def scene() -> None:
        nobody = broker.client(None)
        nobody._port = broker.port
        with pytest.raises(aiomqtt.MqttError, match=r"(?i)not authori"):
            await nobody.__aenter__()
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert "refuses us" in daemon.notices.current[0].what

    asyncio.run(scene())


def test_a_client_needs_a_certificate_where_they_are_asked_for(
    configure: Configure, build: Callable[..., Secured]
) -> None:
    broker = build(certificates=True)
    table = broker.mqtt("board-7")
    config = configure(mqtt={name: value for name, value in table.items() if name not in ("cert_file", "key_file")})

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert "does not trust us: certificate required" in daemon.notices.current[0].what
            assert "asks for a certificate" in daemon.notices.current[0].cause

    asyncio.run(scene())


def test_a_broker_that_is_another_is_not_trusted(configure: Configure, broker: Secured, tmp_path: Path) -> None:
    other = Secured(tmp_path / "other")
    config = configure(mqtt=broker.mqtt("board-7", ca_file=str(other.folder / "tls/ca.crt")))

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert "is not to be trusted" in daemon.notices.current[0].what
            assert "ca_file" in daemon.notices.current[0].cause

    try:
        asyncio.run(scene())
    finally:
        other.stop()


def test_what_nobody_can_hear_is_noticed(
    configure: Configure, broker: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "ECHO_S", 0.3)
    config = configure(mqtt=broker.mqtt("board-8"))  # and the board is 7

    async def scene() -> None:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            assert f"we publish under {BASE}" in daemon.notices.current[0].what
            assert "board-8" in daemon.notices.current[0].cause

    asyncio.run(scene())


def test_a_receiver_that_was_away_misses_nothing_of_a_burst(broker: Secured) -> None:
    async def scene() -> None:
        async with broker.client("screen", identifier="archive", clean_start=True, properties=_stays()) as archive:
            await archive.subscribe(f"{BASE}/event", qos=1)
        async with broker.client("board-7") as board:
            for start in range(0, 1500, 100):
                await asyncio.gather(
                    *(board.publish(f"{BASE}/event", b"x%d" % n, qos=1) for n in range(start, start + 100))
                )
        again = broker.client("screen", identifier="archive", clean_start=False, properties=_stays())
        async with hearing(again) as heard:
            await until(lambda: len(heard) == 1500)
        assert [message.payload for message in heard] == [b"x%d" % n for n in range(1500)]

    asyncio.run(scene())


@pytest.mark.parametrize("user", [None, "anna", "screen"])
def test_who_takes_anothers_identifier_hears_nothing_that_waited_for_him(broker: Secured, user: str | None) -> None:
    """A broker hands over a session with its name; what ``user`` may read of it himself is his all the same."""
    answer = f"{BASE}/cmd/anna"  # what only a board may read

    async def scene() -> None:
        async with broker.client("board-7", identifier="known", clean_start=True, properties=_stays()) as board:
            await board.subscribe(answer, qos=1)
            await board.subscribe(f"{BASE}/event", qos=1)
        async with broker.client("anna") as anna, broker.client("board-7") as other:
            await anna.publish(answer, "a command", qos=1)
            await other.publish(f"{BASE}/event", "a touch", qos=1)
        again = broker.client(user, identifier="known", clean_start=False, properties=_stays())
        async with hearing(again) as heard:
            await asyncio.sleep(0.3)
        assert {bytes(message.payload) for message in heard} == (set() if user is None else {b"a touch"})

    asyncio.run(scene())


def _stays() -> object:
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = 3600
    return properties


# -- secrets ---------------------------------------------------------------------------------------------------------


def test_no_secret_is_ever_said(configure: Configure, broker: Secured, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    keys = broker.folder / "secrets/arbiters"
    config = configure(mqtt=broker.mqtt("board-7", commands="signed", keys_file=str(keys)))
    secret = [broker.secret("board-7"), broker.secret("anna.key")]

    async def scene() -> None:
        anna = broker.client("anna")
        async with hearing(anna, f"{BASE}/#") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            forged = sign(b"no such key here", BASE, "anna", _now_ms(), PAUSE)
            for payload in (PAUSE.encode(), forged, b"{", keys.read_bytes()):
                await anna.publish(f"{BASE}/cmd/anna", payload, qos=1)
            await until(lambda: sum(b'"refused"' in message.payload for message in heard) == 4)
            broker.stop()
            await until(lambda: daemon.notices.current)
            broker.start()
            await until(lambda: not daemon.notices.current)
            text = caplog.text + "".join(message.payload.decode() for message in heard)
            text += str(daemon.config) + "".join(record.body.decode() for record in daemon.journal.after(0, 1000))
            assert not [word for word in secret if word in text]

    asyncio.run(scene())


@pytest.mark.parametrize("mode", [0o644, 0o602, 0o604])
def test_a_secret_that_everybody_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "password"
    file.write_text("sesame")
    file.chmod(mode)
    with pytest.raises(ConfigError) as refused:
        credentials.read(str(file), "[mqtt] password_file")
    assert f"chmod 0600 {file}" in refused.value.next_step
    assert "sesame" not in str(refused.value)
    file.chmod(0o640)
    assert credentials.read(str(file), "[mqtt] password_file") == "sesame"


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_secret_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "secret").touch(0o600)
    (tmp_path / "secret").write_text(text)
    with pytest.raises(ConfigError, match="is empty"):
        credentials.read(str(tmp_path / "secret"), "[webhook] secret_file")


def test_no_command_takes_a_new_password_for_an_option() -> None:
    """`rabbitmqctl authenticate_user board-5 -Vnq…` is refused."""
    made = {credentials.new() for _ in range(200)}
    assert len(made) == 200
    assert all(password.isalnum() and len(password) >= 32 for password in made)


def test_a_bare_name_is_a_systemd_credential(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mqtt-password").touch(0o400)
    (tmp_path / "mqtt-password").write_text("sesame\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert credentials.read("mqtt-password", "[mqtt] password_file") == "sesame"
    with pytest.raises(ConfigError, match=r"cannot be read"):
        credentials.read("./mqtt-password", "[mqtt] password_file")


# -- signed commands -------------------------------------------------------------------------------------------------


def test_a_signed_command_is_carried_out_once(configure: Configure, broker: Secured) -> None:
    keys = broker.folder / "secrets/arbiters"
    config = configure(mqtt=broker.mqtt("board-7", commands="signed", keys_file=str(keys)))
    Memory(beside(Path(config.journal.path), "-mqtt"), 0)  # of a board that has been there for long
    key = bytes.fromhex(broker.secret("bruno.key"))

    async def scene() -> None:
        anna = broker.client("anna")  # carries what bruno signed
        async with hearing(anna, f"{BASE}/event") as heard, running(config) as daemon:
            await until(lambda: daemon.only.session.playing and heard)
            await asyncio.sleep(0.05)  # signed after the daemon began
            command = json.dumps({"type": "arbiter", "do": "pause", "by": "Bruno B."})
            payload = sign(key, BASE, "bruno", _now_ms(), command)
            for sent in (payload, payload, payload.replace(b"pause", b"resume"), PAUSE.encode()):
                await anna.publish(f"{BASE}/cmd/anna", sent, qos=1)
            elsewhere = sign(key, BASE.replace("7", "8"), "bruno", _now_ms(), command)
            await anna.publish(f"{BASE}/cmd/anna", elsewhere, qos=1)
            await until(lambda: sum(b'"refused"' in message.payload for message in heard) == 4)
            assert rulings(daemon) == [("pause", "Bruno B. (bruno)")]

    asyncio.run(scene())


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
