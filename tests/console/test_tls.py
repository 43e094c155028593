"""The pages by TLS, with certificates that openssl made: who is who, and cookies that no plain connection carries."""

import asyncio
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hall import running, until
from house import ARBITER, Listener, _Stay, configuration, console, pair, ready

from controller.cli.certificates import Authority
from controller.config import Config, check
from controller.console import others, tls
from controller.console.settings import ConsoleConfig
from controller.daemon.service import Daemon
from controller.errors import ConfigError
from controller.outlets import entrance

Configure = Callable[..., Config]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "tls", "a hall")


def files(authority: Authority, host: str = "127.0.0.1") -> dict[str, str]:
    chain = authority.servers("server", [host])
    key = chain.with_suffix(".key")
    key.chmod(0o600)
    return {"cert_file": str(chain), "key_file": str(key)}


def test_the_pages_are_who_they_say_and_their_cookies_are_for_tls(config: Configure, authority: Authority) -> None:
    async def scene() -> None:
        async with running(config(console={"port": 0} | files(authority))) as daemon:
            await ready(daemon)
            url = console(daemon).url
            assert url.startswith("https://")
            form = urlencode({"name": ARBITER, "code": console(daemon).code}).encode()
            status, cookies = await asyncio.to_thread(answer, f"{url}/arbiter/sign-in", authority, form)
            assert status == 303
            assert {"Secure", "HttpOnly", "SameSite=strict"} <= set(cookies[0].split("; "))
            _, chosen = await asyncio.to_thread(answer, f"{url}/language/fr", authority)
            assert {"Secure", "HttpOnly", "SameSite=strict"} <= set(chosen[0].split("; "))
            with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
                await asyncio.to_thread(urllib.request.urlopen, url, timeout=5)
            with pytest.raises(OSError):
                await asyncio.to_thread(urllib.request.urlopen, url.replace("https", "http"), timeout=5)

    asyncio.run(scene())


def test_who_begins_no_handshake_or_a_false_one_keeps_nobody_out(
    config: Configure, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with running(config(console={"port": 0} | files(authority))) as daemon:
            await ready(daemon)
            silent = []
            for number in range(3 * entrance.AWAITED):
                reader, writer = await asyncio.open_connection("127.0.0.1", console(daemon).port)
                if number % 3:
                    writer.write(b"\x16\x03\x01\x02\x00" if number % 3 == 1 else b"GET / HTTP/1.1\r\n\r\n")
                silent.append((reader, writer))
            status, _ = await asyncio.to_thread(answer, f"{console(daemon).url}/language/fr", authority)
            assert status == 303
            await until(lambda: sum(not reader.at_eof() for reader, _ in silent) <= entrance.AWAITED)
            for _, writer in silent:
                writer.close()

    asyncio.run(scene())
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_behind_a_proxy_with_tls_the_cookie_is_for_tls_too(config: Configure) -> None:
    async def scene() -> None:
        async with running(config(console={"port": 0, "names": ["hall.local"]})) as daemon:
            await ready(daemon)
            said = await pair(daemon, Host="hall.local", Origin="https://hall.local")
            assert "Secure" in said.headers["Set-Cookie"].split("; ")
            said = await pair(daemon)
            assert "Secure" not in said.headers["Set-Cookie"].split("; ")

    asyncio.run(scene())


def answer(url: str, authority: Authority, form: bytes | None = None) -> tuple[int, list[str]]:
    """The status, and the cookies set."""
    known = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=authority.certificate))
    asked = urllib.request.Request(url, form, {"Origin": "/".join(url.split("/")[:3])})
    try:
        with urllib.request.build_opener(known, _Stay).open(asked, timeout=5) as said:
            return said.status, said.headers.get_all("Set-Cookie") or []
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_all("Set-Cookie") or []


def test_the_boards_of_the_hall_are_read_by_tls_if_the_authority_is_known(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "RETRY_S", 0.1)
    secret = tmp_path / "hall-key"
    secret.touch(0o600)
    secret.write_text("a secret of this hall")

    def board(number: str, **options: object) -> Config:
        (tmp_path / number).mkdir()
        pages = {"port": 0, "hall_key_file": str(secret)} | options
        return configuration(tmp_path / number, event={"board": number}, console=pages)

    async def seen(ours: Daemon) -> set[str]:
        await until(lambda: console(ours).port)
        async with Listener(f"{console(ours).url}/events") as crowd:
            await asyncio.sleep(0.5)
            return set(crowd.boards)

    async def scene() -> None:
        async with running(board("7", **files(authority))) as other:
            await ready(other)
            url = console(other).url
            async with running(board("3", others=[url], ca_file=str(authority.certificate))) as ours:
                assert await seen(ours) == {"3", "7"}
            async with running(board("4", others=[url])) as stranger:
                assert await seen(stranger) == {"4"}

    asyncio.run(scene())


def test_what_cannot_vouch_is_said_before_anything_begins(config: Configure, authority: Authority) -> None:
    named = files(authority)
    other = Authority(Path(named["key_file"]).parent / "elsewhere", "another hall")
    with pytest.raises(ConfigError, match="cannot be used"):
        Daemon(config(console=named | {"key_file": files(other)["key_file"]}))
    Path(named["key_file"]).chmod(0o644)
    with pytest.raises(ConfigError, match="open to every user"):
        tls.certificate(ConsoleConfig(**named))
    with pytest.raises(ConfigError, match="ca_file"):
        tls.trusted(ConsoleConfig(ca_file="/nowhere"))
    with pytest.raises(ConfigError, match="a key without a certificate"):
        check({"board": {"type": "simulated"}, "console": {"key_file": "k"}}, "the test")
