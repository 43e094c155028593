"""Who may come in: pairing codes, sessions, and requests that only look as if they came from our page."""

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hall import running, until
from house import ARBITER, Listener, ask, console, cookie, pair, ready, rulings

from controller.config import Config
from controller.console import access
from controller.console import codes as codes_of
from controller.console.access import Hosts, name_of
from controller.console.codes import Codes
from controller.console.devices import Devices, folder_of
from controller.daemon.service import Daemon

Configure = Callable[..., Config]
PAUSE = json.dumps({"do": "pause"}).encode()


def served(config: Config, scene: Callable[[Daemon, str], Awaitable[None]]) -> None:
    """Plays the scene with a daemon at work, and the address of its pages."""

    async def run() -> None:
        async with running(config) as daemon:
            await ready(daemon)
            await scene(daemon, console(daemon).url)

    asyncio.run(run())


def test_each_code_is_good_once(config: Configure, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "controller.console")

    async def scene(daemon: Daemon, _: str) -> None:
        code = console(daemon).code
        answer = await pair(daemon)
        assert (answer.status, answer.headers["Location"]) == (303, "/arbiter")
        assert (await pair(daemon, code=code)).status == 403
        assert console(daemon).code != code
        assert f"{ARBITER} signed in" in caplog.text
        assert "jadoube pair" in caplog.text
        assert code not in caplog.text, "who may read the log may not rule by that"

    served(config(), scene)


def test_the_cookie_opens_the_console_and_nothing_else_does(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        assert (await ask(f"{url}/arbiter")).headers["Location"] == "/arbiter/sign-in"
        for path in ("/arbiter/events", "/arbiter/restored.svg?fen=8/8/8/8/8/8/8/8&squares="):
            assert (await ask(url + path)).status == 401
        assert (await ask(f"{url}/arbiter/boards/7", PAUSE)).status == 401
        held = await cookie(daemon)
        name, _, body = held.partition("=")
        assert (await ask(f"{url}/arbiter", Cookie=held)).status == 200
        forged = f"{name}={body[:-3]}{'AAA' if not body.endswith('AAA') else 'BBB'}"
        for other in (forged, f"{name}=", f"{name}=a.b", f"{name}=ü.é"):
            assert (await ask(f"{url}/arbiter", Cookie=other.encode("utf-8").decode("latin-1"))).status == 303, other
        assert not rulings(daemon)

    served(config(), scene)


def test_no_cookie_can_be_read_by_scripts_or_sent_by_other_sites(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held = await cookie(daemon)
        answers = [await pair(daemon), await ask(f"{url}/language/fr"), await ask(f"{url}/arbiter/sign-out", {})]
        for answer in (*answers, await ask(f"{url}/arbiter", Cookie=held)):
            for given in answer.headers.get_all("Set-Cookie", []):
                assert "httponly" in given.lower(), given
                assert "samesite=strict" in given.lower(), given

    served(config(), scene)


def test_who_asks_for_the_console_in_a_language_signs_in_and_goes_on_in_it(config: Configure) -> None:
    async def scene(_: Daemon, url: str) -> None:
        sent = await ask(f"{url}/arbiter?lang=fr")
        assert sent.status == 303
        spoken = sent.headers["Set-Cookie"].split(";")[0]
        assert 'lang="fr"' in (await ask(f"{url}/arbiter/sign-in", Cookie=spoken)).body.decode()
        assert "Set-Cookie" not in (await ask(f"{url}/arbiter?lang=xx")).headers

    served(config(), scene)


def test_the_cookie_lasts_as_long_as_the_session_and_is_that_of_the_port(config: Configure) -> None:
    """A browser sends to one daemon what another one of the same host has set."""

    async def scene(daemon: Daemon, url: str) -> None:
        given = (await pair(daemon)).headers["Set-Cookie"]
        assert given.startswith(f"jadoube-{console(daemon).port}=")
        assert "Max-Age=5400" in given
        held = f"jadoube-1=another; {given.split(';')[0]}"
        assert (await ask(f"{url}/arbiter", Cookie=held)).status == 200
        left = await ask(f"{url}/arbiter/sign-out", {}, Cookie=held)
        assert left.headers["Set-Cookie"].startswith(f"jadoube-{console(daemon).port}=")

    served(config(console={"session_h": 1.5}), scene)


def test_a_ruling_from_another_site_is_refused_whoever_is_signed_in(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held, board = await cookie(daemon), f"{url}/arbiter/boards/7"
        for origin in ("https://evil.example", "null", url.replace("127.0.0.1", "127.0.0.2"), ""):
            assert (await ask(board, PAUSE, Cookie=held, Origin=origin)).status == 403, origin
        assert not rulings(daemon)
        assert (await ask(board, PAUSE, Cookie=held)).status == 200
        assert [(item.do, item.by) for item in rulings(daemon)] == [("pause", ARBITER)]

    served(config(), scene)


def test_a_name_that_is_pointed_at_us_is_refused(config: Configure) -> None:
    async def scene(_: Daemon, url: str) -> None:
        assert (await ask(url, Host="rebound.example")).status == 421
        assert (await ask(url, Host="schiri.hall")).status == 200
        assert (await ask(url, Host="localhost:1")).status == 200

    served(config(console={"names": ["schiri.hall"]}), scene)


def test_an_address_that_nobody_types_is_no_page(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held = await cookie(daemon)
        for path in ("/arbiter/results/3%00", "/%0a"):
            assert (await ask(f"{url}{path}", PAUSE, Cookie=held)).status == 404

    served(config(), scene)


def test_no_number_of_wrong_codes_keeps_out_who_holds_the_right_one(
    config: Configure, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held, right = await cookie(daemon), console(daemon).code
        for number in range(access.TRIES + 20):
            wrong = await pair(daemon, code=f"2222222{number}")
            assert wrong.status == (403 if number < access.TRIES else 429)
        assert "jadoube pair" in wrong.body.decode()
        assert len([line for line in caplog.messages if "wrong pairing code" in line]) == access.TRIES
        assert (await ask(f"{url}/arbiter", Cookie=held)).status == 200, "who is signed in stays so"
        assert (await pair(daemon, code=right.lower().replace("-", " "))).status == 303, "from the same address"

    served(config(), scene)


def test_who_leaves_before_he_has_said_all_is_no_news(config: Configure, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        host = url.removeprefix("http://")
        head = f"POST /arbiter/sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: {url}\r\nContent-Length: 99\r\n\r\nname="
        for _ in range(3):
            _, writer = await asyncio.open_connection("127.0.0.1", console(daemon).port)
            writer.write(head.encode())
            await writer.drain()
            await asyncio.sleep(0.05)  # it has its turn
            writer.close()
        assert (await pair(daemon)).status == 303

    served(config(), scene)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_session_that_was_there_before_is_not_taken_over(config: Configure) -> None:
    """Who had set a cookie of his own choice, or holds the old one, has nothing of the new sign-in."""

    async def scene(daemon: Daemon, url: str) -> None:
        planted = f"jadoube-{console(daemon).port}=planted"
        answer = await pair(daemon, Cookie=planted)
        assert "planted" not in answer.headers["Set-Cookie"]
        held = answer.headers["Set-Cookie"].split(";")[0]
        again = (await pair(daemon, Cookie=held)).headers["Set-Cookie"].split(";")[0]
        for each, status in ((planted, 303), (held, 303), (again, 200)):
            assert (await ask(f"{url}/arbiter", Cookie=each)).status == status, each

    served(config(), scene)


def test_only_a_trusted_proxy_says_for_whom_it_asks(config: Configure, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(daemon: Daemon, _: str) -> None:
        for number in range(access.TRIES + 1):
            said = f"10.9.9.{number}, 203.0.113.7" if trusted else f"203.0.113.{number}"
            wrong = await pair(daemon, code="22222222", X_Forwarded_For=said)
        assert wrong.status == 429, "what stands left of the last hop, anybody can write there"
        other = await pair(daemon, code="22222222", X_Forwarded_For="203.0.113.99")
        assert other.status == (403 if trusted else 429)
        assert ("203.0.113.7" in caplog.text) == trusted
        assert "10.9.9" not in caplog.text

    for trusted in (True, False):
        caplog.clear()
        served(config(console={"trusted_proxy": "127.0.0.1" if trusted else "127.0.0.9"}), scene)


def test_a_device_that_is_signed_out_hears_no_more(config: Configure) -> None:
    """On the page at once, by the shell no later than at the next event; and there it is listed."""

    async def scene(daemon: Daemon, url: str) -> None:
        lost, own = await cookie(daemon), await cookie(daemon)
        page = (await ask(f"{url}/arbiter/devices", Cookie=own)).body.decode()
        assert page.count(ARBITER) == 2
        assert "this device" in page
        name = Devices.name(lost.partition("=")[2])
        assert f'action="/arbiter/devices/{name}"' in page
        async with (
            Listener(f"{url}/arbiter/events", Cookie=lost) as away,
            Listener(f"{url}/arbiter/events", Cookie=own) as here,
        ):
            assert (await ask(f"{url}/arbiter/devices/{name}", {})).status == 401, "not by who is none"
            assert (await ask(f"{url}/arbiter/devices/{name}", {}, Cookie=own, Origin="http://x")).status == 403
            assert not away.ended
            assert (await ask(f"{url}/arbiter/devices/{name}", {}, Cookie=own)).status == 303
            await until(lambda: away.ended, 2)
            assert not here.ended
            assert (await ask(f"{url}/arbiter/boards/7", PAUSE, Cookie=lost)).status == 401
            assert (await ask(f"{url}/arbiter", Cookie=own)).status == 200
            folder = folder_of(daemon.journal.path)
            (folder / f"device-{Devices.name(own.partition('=')[2])}").unlink()
            assert (await ask(f"{url}/arbiter", Cookie=own)).status == 303
            await daemon.only.carry_out({"type": "pause", "side": "white"})
            await until(lambda: here.ended, 2)

    served(config(), scene)


def test_what_cannot_be_meant_well_is_refused(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held, board = await cookie(daemon), f"{url}/arbiter/boards/7"
        assert (await ask(board, b"x" * 10_000, Cookie=held)).status == 413
        for body in (
            b"",
            b"[]",
            b'{"do":"shuffle"}',
            b'{"do":"new-game","white":"Eva"}',
            b'{"do":"uphold"}',
            b'{"do":"result"}',
            b'{"do":"pause","x":1}',
        ):
            answer = await ask(board, body, Cookie=held)
            assert answer.status == 409, body
            assert json.loads(answer.body)["what"]
        assert (await ask(f"{url}/arbiter/boards/99", PAUSE, Cookie=held)).status == 409
        assert (await ask(f"{url}/arbiter/restored.svg?fen=nonsense&squares=z9", Cookie=held)).status == 400
        for path in ("/pieces/x.svg", "/static/../app.py", "/static/none.js", "/language/xx", "/language/fr?to=//evil"):
            assert (await ask(url + path)).status == 404, path
        assert not rulings(daemon)

    served(config(), scene)


def test_every_answer_forbids_what_the_page_does_not_need(config: Configure) -> None:
    async def scene(daemon: Daemon, url: str) -> None:
        held = await cookie(daemon)
        for path in ("/", "/arbiter", "/arbiter/sign-in", "/static/base.css", "/pieces/K.svg", "/static/none"):
            policy = (await ask(url + path, Cookie=held)).headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'unsafe" not in policy
        page = (await ask(f"{url}/arbiter", Cookie=held)).body.decode()
        assert "http" not in page, "nothing is loaded from elsewhere"

    served(config(), scene)


def test_a_session_survives_a_restart_and_ends_in_time(tmp_path: Path) -> None:
    now = 1_000.0
    devices = Devices(tmp_path, 2.0, lambda: now, lambda: now)
    given = devices.sign_in("Ana", "10.0.0.1", "Mozilla/5.0 (X11; Linux aarch64) Firefox/140.0")
    [file] = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert given not in file.name + file.read_text()
    again = Devices(tmp_path, 2.0, lambda: now, lambda: now).read(given)
    assert again is not None, "after a restart too"
    assert (again.by, again.called) == ("Ana", "Firefox, Linux")
    assert devices.read(given + "x") is devices.read(None) is None
    now += 2 * 3600
    assert devices.read(given) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("step_s", [72_000.0, 56 * 365 * 86_400.0, -3_600.0])
def test_whoever_is_signed_in_stays_so_when_the_time_of_day_is_set(tmp_path: Path, step_s: float) -> None:
    """As a Pi's is, which has no clock of its own, once it has a network."""
    wall, steady = 1_000_000.0, 50.0
    devices = Devices(tmp_path, 2.0, lambda: wall, lambda: steady)
    cookie = devices.sign_in("Ana", "192.168.1.7", "Firefox")
    wall, steady = wall + 600 + step_s, steady + 600
    device = devices.read(cookie)
    assert device is not None
    assert (device.since, device.until) == (wall - 600, wall + 6_600)
    assert Devices(tmp_path, 2.0, lambda: wall, lambda: steady).read(cookie) == device, "and after a restart"
    wall, steady = wall + 6_601, steady + 6_601
    assert devices.read(cookie) is None, "for as long as he would have been"


def test_who_is_signed_in_stays_so_on_a_full_disk(tmp_path: Path) -> None:
    devices = Devices(tmp_path / "gone", 2.0)
    given = devices.sign_in("Ana", "10.0.0.1", "")
    assert devices.read(given) is not None
    devices.sign_out(Devices.name(given))
    assert devices.read(given) is None


def test_a_code_is_good_for_some_minutes_once_and_not_after_a_start_of_the_machine(tmp_path: Path) -> None:
    now = 5_000.0
    codes = Codes(tmp_path, lambda: now)
    code, other = codes.new(), codes.new()
    assert len(set(code) - {"-"} - set(codes_of.ALPHABET)) == 0
    assert code.replace("-", "") not in "".join(path.name for path in tmp_path.iterdir())
    assert codes.redeem(code)
    assert not codes.redeem(code)
    assert 0 < codes.left_s(other) <= codes_of.LIFE_S
    now = 4_000.0  # the machine was started, and the code would live for a quarter of an hour
    assert not codes.redeem(other)
    now = 5_000.0
    other = codes.new()
    now += codes_of.LIFE_S
    assert not codes.redeem(other)
    codes.new()
    codes.clear()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("given", ["", "-", "é" * 8, "2" * 10_000, "code-*", "../..", "\x00"])
def test_what_is_no_code_opens_nothing(given: str, tmp_path: Path) -> None:
    codes = Codes(tmp_path)
    codes.new()
    assert not codes.redeem(given)


def test_letters_that_look_alike_are_one() -> None:
    assert not set("01IOLBSZ") & set(codes_of.ALPHABET)
    assert len(codes_of.ALPHABET) ** codes_of.LENGTH > 400 * codes_of.LIFE_S * 500_000


def test_wrong_codes_are_counted_by_where_they_come_from() -> None:
    now = 0.0
    wrong = access.Wrong(lambda: now)
    assert [wrong.too_often("10.0.0.1") for _ in range(access.TRIES + 1)] == [False] * access.TRIES + [True]
    assert not wrong.too_often("10.0.0.2")
    for number in range(access.TRIES):
        assert not wrong.too_often(f"2001:db8::{number:x}")
    assert wrong.too_often("2001:db8::ffff:1"), "of IPv6 everybody may choose half of his address"
    assert not wrong.too_often("2001:db8:0:1::1")
    now = access.PER_S
    assert not wrong.too_often("10.0.0.1")


@pytest.mark.parametrize(
    ("host", "known"),
    [
        *[("127.0.0.1:8064", True), ("[::1]:8064", True), ("192.168.1.7", True), ("localhost", True), ("", False)],
        *[("a.example", False), ("127.0.0.1.example", False), ("hall.example:80", True), ("[", False)],
    ],
)
def test_hosts(host: str, known: bool) -> None:
    assert Hosts(("hall.example",)).known(host) == known


def test_a_name_is_fit_for_the_journal() -> None:
    assert name_of("  Ana\n<b> ") == "Ana <b>"
    assert len(name_of("x" * 1000)) == access.NAME_LENGTH
    assert name_of("\x00") == ""
